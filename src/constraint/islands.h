/// Contacts and joints of an explicit scheme: laws on the velocity after a kick, with a lumped mass.
///
///     v+ = v* + M^-1 G' P,   joints: G v+ + target = 0,
///     contacts:  0 <= U_N+ + e U_N- _|_ P_N >= 0,  Coulomb's law on U_T+ + e_T U_T-,   U = G v
///     (or U_N+ - U_N* of another law of impact, impact.h)
///
/// W = G M^-1 G' couples contacts only where they share a node, so the problem falls apart into islands: a contact
/// alone has a closed form; islands of some dozens of rows go to the solvers of complementarity and friction problems
/// with a dense W, larger ones are swept without W (island_sweeps.h), and where sweeps do not converge, solved with a
/// sparse W (without friction by island_newton.h).
#ifndef ZN_CONSTRAINT_ISLANDS_H
#define ZN_CONSTRAINT_ISLANDS_H

#include "constraint/impact.h"
#include "constraint/island_matrix.h"
#include "constraint/island_newton.h"
#include "constraint/island_sweeps.h"
#include "system/lumped.h"

/// Entry of a row.
typedef struct zn_fixed_entry {
    int row, entry;
} zn_fixed_entry;

typedef struct zn_islands {
    const zn_system      *sys;
    const zn_lumped_mass *mass;
    double                t;        ///< of the problem, for the observer
    int                  *triad_of; ///< n_all: 3 * triad + place, or -1
    // islands of one problem
    int64_t               now;                  ///< stamp of the problem
    int64_t              *stamp;                ///< n_all: problem that met a degree of freedom
    int                  *owner;                ///< n_all: contact that met it first
    int                   capacity;             ///< contacts
    int                  *parent, *next, *tail; ///< of contacts: union-find, and the list of each island
    bool             apart;  ///< contacts are always the same and none shares a node with another: each is an island
    bool             judged; ///< that is known
    bool            *plain;  ///< of contacts: no triads, and no degree of freedom twice
    zn_row_list      list;   ///< of one island
    zn_constraints   problem;
    // large islands
    zn_team         *team; ///< borrowed, shares them; NULL: nobody
    int              large;
    int             *root; ///< of contacts: the first contact of each
    zn_sweeps        sweeps;
    zn_island_matrix matrix;
    zn_island_newton newton;
    zn_impact        impact;     ///< U* of laws other than Newton's
    int              unfinished; ///< sequences of impacts of the last problem that had no end
    // contacts that are always the same: entries at fixed degrees of freedom
    bool             listed;
    int              fixed_entries;
    zn_fixed_entry  *fixed_entry;
} zn_islands;

zn_status zn_islands_create(const zn_system *sys, const zn_lumped_mass *mass, const zn_constraint_settings *settings,
                            zn_impact_law law, zn_islands *out);
void      zn_islands_destroy(zn_islands *w);

/// `active` (per contact): takes part; joints always do. `target`: per joint equation. `before`: v-. v: v* in, v+ out.
/// P: per row of the set, warm start in, impulses out, zero for what is not active. The set gets the velocities of its
/// rows. v, P and these are changed even on failure. `solved`: iterations are added, the worst residual is kept.
zn_status zn_islands_solve(zn_islands *w, zn_contact_set *set, const bool *active, const double *target,
                           const double *before, double *v, double *P, zn_solved *solved);
/// What the law leaves of the normal velocity of an active contact, U+ - U*; row of the set.
double    zn_islands_beyond(const zn_islands *w, const zn_contact_set *set, int row);
/// Velocities of all rows, into the set. Fixed degrees of freedom have none.
void      zn_islands_measure(zn_contact_set *set, const double *before, const double *after);
/// reaction (n_all) += G' P at fixed degrees of freedom.
void      zn_islands_react(zn_islands *w, const zn_contact_set *set, const double *P, double *reaction);

#endif
