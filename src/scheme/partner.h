/// A scheme as a partner in a coupling of parts by forces on their common nodes (links): a step is taken apart, so that
/// the links can be found between its free solution and its end. The velocity at the end of a step depends on them by
///     v = v_free + response link.
#ifndef ZN_SCHEME_PARTNER_H
#define ZN_SCHEME_PARTNER_H

#include "zn/scheme.h"

/// Links: forces on `count` degrees of freedom of the part.
typedef struct zn_links {
    int        count;
    const int *dof;
} zn_links;

typedef struct zn_partner_ops {
    /// Initial acceleration without links, and what links add to it: acceleration (count) and response (count x count).
    zn_status (*accelerations)(void *self, const zn_state *from, zn_links links, double *acceleration,
                               double *response);
    /// Begin at `from` with these links; may set its reactions.
    zn_status (*start)(void *self, zn_state *from, double h, zn_links links, const double *force);
    /// Response of the velocity at the end of a step of size h (count x count).
    zn_status (*response)(void *self, const zn_state *from, double h, zn_links links, double *out);
    /// The step from `from` without links at its end; their velocities there.
    zn_status (*solve_free)(void *self, const zn_state *from, double h, zn_links links, double *velocity,
                            zn_step_info *info);
    /// Add the links at the end of the step, contacts and the ledger; `work` gets the work of the links in the step.
    /// Uses up the free solution: when the step is given up, solve_free comes first again.
    zn_status (*finish)(void *self, const zn_state *from, zn_links links, const double *force, zn_step_info *info,
                        double *work);
    void (*commit)(void *self, zn_state *to); ///< cannot fail
    /// Position and velocity of the state, and its reactions; no step may be under way.
    void (*show)(void *self, zn_state *state, double *q, double *v);
    /// Contacts at the end of the step, after `finish`; NULL: it takes none.
    const zn_contact_set *(*contacts)(const void *self);
} zn_partner_ops;

#endif
