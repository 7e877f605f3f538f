/// The nonsmooth problem of constraints, for every scheme and for statics:
///
///     u = W z + b,   W = G A^-1 H',
///     equations:  u = 0;    contacts:  0 <= u_N _|_ z_N + s >= 0,  Coulomb's law between u_T and z_T with z_N + s
///
/// with s = 0 but for cohesion, by which a contact may pull. That is the problem of z + s e_N with b - W s e_N.
///
/// A caller lists the rows (rows.h), lets W be assembled from the response of its matrix (response.h), writes b and a
/// warm start into z, solves, and adds the response A^-1 H' z to its unknowns. Here is what all of them share:
/// equations that repeat each other, impulses of least norm where everything sticks, the choice of the solver, its
/// tolerance, the observer, and room for it all.
#ifndef ZN_CONSTRAINT_CONSTRAINTS_H
#define ZN_CONSTRAINT_CONSTRAINTS_H

#include "constraint/hold.h"
#include "constraint/response.h"
#include "system/lumped.h"
#include "zn/solve.h"

typedef struct zn_constraint_settings {
    const char   *solver;    ///< of complementarity and friction problems, where it takes them
    double        tolerance; ///< of the judges zn_lcp_residual and zn_fc_residual
    zn_fc_measure measure;   ///< which one, of friction problems
    zn_observer   observer;  ///< is shown every problem
} zn_constraint_settings;

typedef struct zn_constraints {
    const zn_system       *sys;
    zn_constraint_settings settings;
    const char            *friction_solver; ///< its word, where it takes such problems
    const char            *lcp_solver;      ///< likewise; NULL: auto
    bool                   redundant;       ///< joint equations repeat each other
    bool                   strict; ///< only what repeats others up to rounding is left out: the iterate has converged
    // the problem at hand
    double                *W;         ///< rows x rows, row by row
    const zn_fc_matrix    *sparse;    ///< instead of W; NULL: dense
    zn_splitting          *splitting; ///< instead of both; NULL: there is W
    zn_operator            matrix;    ///< A, where contacts are split from it; borrowed
    const zn_contact_set  *set;       ///< whose rows they are, to name one; borrowed until the next
    double                *b, *z, *u;
    double                *bond;               ///< per row: s
    double                *shifted, *diagonal; ///< b of a problem near the warm start; of W
    bool                  *repeated; ///< per row: an equation that repeats others, where that was looked for last
    int                    repeats;  ///< how many there are
    zn_hold                hold;
    // room
    int                    capacity, dense; ///< rows; rows of a dense W
    void                  *scratch;
    zn_fc_workspace       *workspace;
    zn_arena              *memory;
} zn_constraints;

zn_status zn_constraints_create(const zn_system *sys, const zn_constraint_settings *settings, zn_constraints *out);
void      zn_constraints_destroy(zn_constraints *c);
/// Do joint equations repeat each other in the initial configuration?
zn_status zn_constraints_detect_redundant(zn_constraints *c, const char *linear_solver);
/// The same with a lumped mass.
zn_status zn_constraints_detect_redundant_lumped(zn_constraints *c, const zn_lumped_mass *lumped);
/// Room for so many rows and contacts; `dense`: rows of a dense W. What is kept is lost.
zn_status zn_constraints_reserve(zn_constraints *c, int rows, int contacts, int dense);
/// Rows of a dense W among `rows`: all of them, few of a pile.
int       zn_constraints_dense_rows(const zn_response *r, int rows);

/// W = G A^-1 H' of the listed rows: gap rows G of the set, or how they change along the unknowns; force rows H.
zn_status zn_constraints_assemble(zn_constraints *c, const zn_row_list *list, zn_response *r, const zn_contact_set *set,
                                  zn_rows G, zn_rows H);

/// How well a problem is to be solved.
typedef struct zn_demand {
    const char *level;     ///< for the observer: "velocity", "position", "coupled", "smooth"
    double      t;         ///< for the observer
    double      tolerance; ///< of the judge; 0: that of the settings
    double      enough;    ///< tolerance that must do where the first is not reached; 0: none
    double      loose;     ///< what rows that stick may be off by
    int         most;      ///< iterations of problems of normals, which may have no answer; 0: as they like
    bool        repeats;   ///< equations may repeat each other
    bool        follow;    ///< and contacts follow from them, which are left out: the caller sees whether they hold
    int         settled;   ///< sweeps: a warm start that is as good as so many times the tolerance stays; 0: never
    bool        sweeps;    ///< many rows: accelerated sweeps first, where the tolerance is coarse
    bool steady; ///< of many answers one near the warm start: contacts that repeat each other must not change places
} zn_demand;

typedef struct zn_solved {
    int    iterations; ///< pivots or sweeps
    double residual;   ///< of the judge
    int    failed;     ///< attempts that led nowhere, before another one
    int    wasted;     ///< their iterations
} zn_solved;

/// Solve from the warm start in z; u gets W z + b.
zn_status zn_constraints_solve(zn_constraints *c, const zn_row_list *list, const zn_demand *demand, zn_solved *out);
/// Show the observer the problem as it is, which was solved in another way.
zn_status zn_constraints_show(const zn_constraints *c, const zn_row_list *list, const char *level, double t);
/// Instead, before W is assembled: b and the warm start are written, and a pile at rest may be held without W. Where it
/// is, `*held`, z and u are as from zn_constraints_solve, and zn_response_add adds the response.
zn_status zn_constraints_hold(zn_constraints *c, const zn_row_list *list, zn_response *r, const zn_contact_set *set,
                              zn_rows G, const zn_demand *demand, zn_solved *out, bool *held);
/// Instead, with other processes that hold the same problem (system/peers.h), b and the warm start written: sweeps that
/// each of them makes over contacts of its own, accepted by the same judge. Where they lead to an answer, `*shared`, z
/// and u are as from zn_constraints_solve, and zn_response_push adds the response. `q`: where the bodies are; `same`:
/// rows and factors are those of the last call.
zn_status zn_constraints_share(zn_constraints *c, const zn_row_list *list, zn_response *r, const zn_contact_set *set,
                               zn_rows G, const double *q, bool same, const zn_demand *demand, zn_solved *out,
                               bool *shared);
/// The last part of a solve: of many answers, of which one is in z and u, the one that does not depend on the warm
/// start. Does anybody want it? Then W is assembled.
bool      zn_constraints_wants_even(const zn_constraints *c, const zn_demand *demand);
zn_status zn_constraints_even(zn_constraints *c, const zn_row_list *list, const zn_demand *demand, zn_solved *out);
/// Instead: one step of Newton's method on the augmented Lagrangian. In: multipliers in z, and in u what the law
/// relates them to, at the iterate; `penalty` p of xi = z - p u. Out: z, and what its answer leaves of the linear
/// problem.
zn_status zn_constraints_augmented(zn_constraints *c, const zn_row_list *list, double penalty, zn_solved *out);
/// Size of the terms of W z in row k.
double    zn_constraints_terms(const zn_constraints *c, int rows, int k);
/// What rounding of the terms of W z leaves of row k of u; of each row.
double    zn_constraints_rounding_of(const zn_constraints *c, int rows, int k);
void      zn_constraints_rounding(const zn_constraints *c, int rows, double *out);

/// Distance from the laws of one contact with multipliers l and local velocities or gaps c, both per row: |l - F(l - p
/// c)| / p with the projection F of Alart and Curnier. The penalty p only weighs them.
double zn_contact_law_distance(int rows, double mu, double p, const double *l, const double *c);
/// The same of a moment l against the spin c: |l - F(l - p c)| / p, F the projection on the disk of this radius.
double zn_disk_law_distance(int rows, double radius, double p, const double *l, const double *c);
/// Of the first `rows` rows of a contact of a set: the larger of those of contact and friction and, times its lever,
/// those of rolling and spinning; the latter alone.
double zn_contact_distance(const zn_contact_set *set, int contact, int rows, double p, const double *l,
                           const double *c);
double zn_contact_turn_distance(const zn_contact_set *set, int contact, int rows, double p, const double *l,
                                const double *c);

#endif
