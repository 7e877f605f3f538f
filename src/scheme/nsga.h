/// Nonsmooth generalized-alpha scheme: what its files share.
///     nsga.c          the step: smooth motion, position correction, velocity jump
///     nsga_start.c    consistent initial accelerations and joint forces
///     nsga_problem.c  one sub-problem: semi-smooth Newton with active sets
///     nsga_ledger.c   energy and contact results
///     nsga_memory.c   allocation
#ifndef ZN_SCHEME_NSGA_H
#define ZN_SCHEME_NSGA_H

#include "constraint/delassus.h"
#include "constraint/node_blocks.h"
#include "scheme/scheme.h"
#include "system/system.h"
#include "zn/solve.h"

struct nsga;

/// One of the three sub-problems: residual r0(x) - G'l = 0 with joints c(x) = 0 and contacts under Coulomb's law
/// between c and l, both per row of the contact set (normal, then tangents).
typedef struct nsga_problem {
    /// r0, c and the contact rows at x; also what follows from x.
    zn_status (*evaluate)(struct nsga *s, const double *x, double *r0, double *c);
    /// Coefficients of the iteration matrix a M + b C + k K.
    void (*coefficients)(const struct nsga *s, double abc[3]);
    zn_sparse      *matrix;
    zn_linsolver   *solver;
    zn_delassus     columns;    ///< of A^-1 G'; not where there are blocks
    zn_node_blocks *blocks;     ///< of a pile: sparse W; NULL: dense
    double          factored_h; ///< step the factors are for; 0: none
    bool            refactor;   ///< Newton converges slowly with the factors it has
    bool            costly;     ///< factors are worth keeping from step to step
    bool            unilateral; ///< contacts take part, not only joints
    bool            friction;   ///< their tangents too
    double          tolerance;  ///< of c
    double          penalty;    ///< p: a contact is active while its normal l - p c >= 0
    double         *x, *x_next, *x_trial;
    double         *l, *l_next, *l_trial; ///< physical multipliers, per row
    double         *r0, *c;               ///< at the last evaluated iterate
    double         *known;                ///< per row: what rounding of the multipliers' terms leaves of c
    bool           *closed;               ///< active set of the last evaluated iterate, per contact
    bool            changed;              ///< the active set was not the one solved for
    double          correction, last_norm;
    double          asked;           ///< of the friction solver
    double          complementarity; ///< what it left of the last linearized problem
    double          law;             ///< distance from the laws at the last evaluated iterate [unit of c]
    int             iterations;
} nsga_problem;

typedef struct nsga {
    const zn_system *sys;
    zn_scheme_def    def;
    bool             coupled;   ///< nsga_coupled: the smooth motion sees total position and velocity
    bool             redundant; ///< joint equations repeat each other
    int              n, n_all, nq;
    int              contacts_max; ///< room for contacts; grows in piles
    double           alpha_m, alpha_f, beta, gamma;
    double           mass; ///< characteristic mass

    // history
    bool    started;
    double *a, *acceleration; ///< a_n and the smooth acceleration at t_n
    double *joint_force;      ///< smooth G' lambda at t_n

    double *start_acceleration, *start_joint; ///< consistent values at the start, until the first step is committed

    // the step
    const double    *a_n, *acc_n, *joint_n; ///< history, or the start values
    const zn_state  *from;
    double           h;
    zn_step_info    *info;
    zn_contact_set  *contacts;
    double          *U_k;      ///< G(q_n) v_n
    bool            *repeated; ///< joint equations that repeat others
    bool            *allowed;  ///< contacts closed at position level, the only ones that may act at velocity level
    nsga_problem     smooth, position, velocity;
    double          *accel_next;                  ///< smooth acceleration at t_{n+1}
    double          *smooth_q, *smooth_v;         ///< q~, v~
    double          *smooth_force, *smooth_joint; ///< f(q~, v~), G(q~)' lambda~
    double          *q, *v;                       ///< total
    double          *v_predicted, *increment_predicted;
    double          *force, *extra, *scale, *work, *work2, *correction_old;
    double          *rounding; ///< of positions, over the tolerance
    double          *W, *b, *z, *w, *mu;
    int             *list;  ///< contacts of the linear problem, joints first
    int             *row;   ///< its rows
    int             *first; ///< first row of each contact in it
    void            *scratch, *memory;
    void            *contact_memory, *contact_flags, *contact_lists; ///< all that belongs to contacts
    zn_fc_workspace *workspace;                                      ///< of the friction solvers
    zn_energy        energy;
    nsga_problem    *current; ///< being solved by Newton
    double           relative;
} nsga;

zn_status         nsga_create(const zn_scheme_def *def, const zn_system *sys, bool coupled, nsga **out);
void              nsga_destroy(void *self);
/// Make room for so many contacts. What is kept per contact is lost.
zn_status         nsga_reserve(nsga *s, int contacts);
/// Start values at s->from, with the contact set evaluated there.
zn_status         nsga_start(nsga *s);
static inline int nsga_row_count(const nsga *s) { return s->contacts->count * s->contacts->stride; }
/// Rows of a contact in a sub-problem: 1, or with its tangents 2 or 3.
int               nsga_rows(const nsga *s, const nsga_problem *p, int contact);
/// A linear model has constant factors: all of them at once, so that the step in which the first contact closes
/// allocates nothing.
zn_status         nsga_factor_ahead(nsga *s);
/// Newton on one sub-problem from its current x and l.
zn_status         nsga_solve(nsga *s, nsga_problem *p);
zn_status         nsga_book(nsga *s);

#endif
