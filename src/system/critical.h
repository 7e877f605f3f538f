/// The critical step of central differences by elements, again and again: a search keeps its memory.
#ifndef ZN_SYSTEM_CRITICAL_H
#define ZN_SYSTEM_CRITICAL_H

#include "zn/system.h"

typedef struct zn_critical_search zn_critical_search;

/// Refuses masses that are not lumped, with a message that begins with the name of the scheme.
zn_status           zn_critical_search_create(const zn_system *sys, const char *scheme, zn_critical_search **out);
zn_critical_search *zn_critical_search_destroy(zn_critical_search *s); ///< accepts NULL, returns NULL
/// As zn_system_critical_step, without allocation.
zn_status           zn_critical_search_run(zn_critical_search *s, zn_at at, zn_critical *out);
/// Largest eigenvalues of each element, block after block, of (K_e, D_e) and (C_e, D_e) with D_e its own mass where all
/// stiff elements of a node have one, and its share by stiffness elsewhere (`shared`, n_all). Any set of elements that
/// is alone at the nodes of the second kind has the critical step of its largest ones. `info.elements` long; 0: none.
zn_status           zn_critical_search_elements(zn_critical_search *s, zn_at at, double *stiffness, double *damping,
                                                bool *shared);
/// Give elements that do not bear a step of h at `at` so much more of their own mass (or of their share, where some
/// element of a node has none) that they do. `added` (n_all) += what that is; the search goes on with it. Once.
zn_status           zn_critical_search_scale(zn_critical_search *s, zn_at at, double h, double *added);
/// h^2 w^2 + 2 h c = 4
double              zn_critical_step_of(double frequency, double damping);
/// As zn_system_critical_step, content with the bound of elements where that is at least `enough`, unless a sharper one
/// is known.
zn_status           zn_critical_at_least(const zn_system *sys, zn_at at, double enough, zn_critical *out);
/// A longer step for a linear model, where that is certain and worth 5 %: critical_power.c.
zn_status           zn_critical_sharpen(const zn_system *sys, zn_at at, zn_critical *out);

#endif
