/// Contacts and joints of an explicit scheme: laws on the velocity after a kick, with a lumped mass.
///
///     v+ = v* + M^-1 G' P,   joints: G v+ + target = 0,
///     contacts:  0 <= U_N+ + e U_N- _|_ P_N >= 0,  Coulomb's law on U_T+ + e_T U_T-,   U = G v
///
/// W = G M^-1 G' couples contacts only where they share a node, so the problem falls apart into islands: a contact
/// alone has a closed form, the others go to the solvers of complementarity and friction problems.
#ifndef ZN_SCHEME_HALF_STEP_H
#define ZN_SCHEME_HALF_STEP_H

#include "system/lumped.h"
#include "zn/scheme.h"
#include "zn/solve.h"

/// Entry of a row.
typedef struct zn_fixed_entry {
    int row, entry;
} zn_fixed_entry;

typedef struct zn_half_step {
    const zn_system      *sys;
    const zn_lumped_mass *mass;
    const char           *solver;
    double                tolerance;
    zn_observer           observer;
    double                t;        ///< of the problem, for the observer
    int                  *frame_of; ///< n_all: 3 * frame + place, or -1
    // islands of one problem
    int64_t               now;                  ///< stamp of the problem
    int64_t              *stamp;                ///< n_all: problem that met a degree of freedom
    int                  *owner;                ///< n_all: contact that met it first
    int                  *parent, *next, *tail; ///< of contacts: union-find, and the list of each island
    bool             apart;    ///< contacts are always the same and none shares a node with another: each is an island
    bool             judged;   ///< that is known
    bool            *plain;    ///< of contacts: no frames, and no degree of freedom twice
    int              capacity; ///< rows that the arrays below have room for
    int             *row, *first;
    double          *W, *b, *z, *w, *mu;
    void            *scratch;
    // contacts that are always the same: entries at fixed degrees of freedom
    bool             listed;
    int              fixed_entries;
    zn_fixed_entry  *fixed_entry;
    zn_fc_workspace *friction;
} zn_half_step;

zn_status zn_half_step_create(const zn_system *sys, const zn_lumped_mass *mass, const zn_scheme_def *def,
                              zn_half_step *out);
void      zn_half_step_destroy(zn_half_step *w);

/// `active` (per contact): takes part; joints always do. `target`: per joint equation. `before`: v-. v: v* in, v+ out.
/// P: per row of the set, warm start in, impulses out, zero for what is not active. The set gets the velocities of its
/// rows. v, P and these are changed even on failure.
zn_status zn_half_step_solve(zn_half_step *w, zn_contact_set *set, const bool *active, const double *target,
                             const double *before, double *v, double *P, zn_step_info *info);
/// Velocities of all rows, into the set. Fixed degrees of freedom have none.
void      zn_half_step_measure(zn_contact_set *set, const double *before, const double *after);
/// reaction (n_all) += G' P at fixed degrees of freedom.
void      zn_half_step_react(zn_half_step *w, const zn_contact_set *set, const double *P, double *reaction);

#endif
