/// Nonsmooth generalized-alpha scheme: what its files share.
///     nsga.c          the step: smooth motion, position correction, velocity jump
///     nsga_start.c    consistent initial accelerations and joint forces; contacts that the smooth motion holds
///     nsga_problem.c  one sub-problem: semi-smooth Newton with active sets
///     nsga_impact.c   velocities after an impact by laws other than Newton's
///     nsga_ledger.c   energy and contact results
///     nsga_memory.c   allocation
#ifndef ZN_SCHEME_NSGA_H
#define ZN_SCHEME_NSGA_H

#include "constraint/impact.h"
#include "scheme/far.h"
#include "scheme/scheme.h"
#include "system/hollows.h"
#include "system/late_contacts.h"

struct nsga;

/// Steps that the curvature of constraints stays in a matrix once Newton was slow without it.
enum { NSGA_BEND = 20 };

/// Parts of the rows.
enum { NSGA_JOINTS = 1, NSGA_CONTACTS = 2 };

/// One of the three sub-problems: residual r0(x) - G'l = 0 with joints c(x) = 0 and contacts under Coulomb's law
/// between c and l, both per row of the contact set (normal, then tangents).
typedef struct nsga_problem {
    const char *level; ///< "smooth", "position", "velocity"
    /// r0, c and the contact rows at x; also what follows from x.
    zn_status (*evaluate)(struct nsga *s, const double *x, double *r0, double *c);
    /// Coefficients of the iteration matrix a M + b C + k K.
    void (*coefficients)(const struct nsga *s, double abc[3]);
    zn_response response;
    bool        refactor;   ///< Newton converges slowly with the factors it has
    bool        costly;     ///< factors are worth keeping from step to step
    bool        bends;      ///< the curvature of constraints is in the matrix
    bool        slow;       ///< Newton would have needed it, or did
    bool        unilateral; ///< contacts take part, not only joints
    bool        friction;   ///< their tangents too
    bool        strict;     ///< joint equations left out as repetitions are not met, all others are: not all repeat
    bool        augmented;  ///< solved by Newton's method on the augmented Lagrangian itself
    double      tolerance;  ///< of c
    double      resolution; ///< of c: what rounding of positions or velocities leaves of it
    double      penalty;    ///< p: a contact is active while its normal l - p c >= 0
    double      weight;     ///< of multipliers against c where the law is judged, which the penalty is no part of
    double     *x, *x_next, *x_trial;
    double     *l, *l_next, *l_trial; ///< physical multipliers, per row
    double     *pushed;               ///< G'l_next with the rows it was found with
    double     *r0, *c;               ///< at the last evaluated iterate
    double     *known;                ///< per row: what rounding of the multipliers' terms leaves of c
    bool       *closed;               ///< active set of the last evaluated iterate, per contact
    bool        changed;              ///< the active set was not the one solved for
    bool        crowded;              ///< closed contacts repeated others as equations
    double      correction, last_norm;
    double      asked;           ///< relative tolerance of the friction solver, few rows
    double      share;           ///< many rows: of the tolerance of the law
    double      complementarity; ///< what it left of the last linearized problem
    double      law;             ///< distance from the laws at the last evaluated iterate, beyond rounding [unit of c]
    double      distance;        ///< the distance as it is
    double      turning;         ///< that of rolling and spinning alone
    double      excused;         ///< the most that is taken for rounding of it
    int         iterations;
} nsga_problem;

/// (35)
typedef struct nsga_alpha {
    double m, f, beta, gamma;
} nsga_alpha;

/// What the next step begins with.
typedef struct nsga_history {
    bool    started;
    double *a, *acceleration; ///< a_n and the smooth acceleration at t_n
    double *joint_force;      ///< smooth G' lambda at t_n
    int     bend[2];          ///< steps for which the curvature stays in the matrices of smooth motion and position
} nsga_history;

/// The smooth motion at t_{n+1}.
typedef struct nsga_motion {
    double *q, *v; ///< q~, v~
    double *acceleration;
    double *force, *joint; ///< f(q~, v~), G(q~)' lambda~ of joints
    double *contact;       ///< G(q~)' lambda~ of contacts it holds
    /// Sums of the sizes of their terms: forces of joints on long levers cancel up to their rounding.
    double *joint_size, *contact_size;
    double *v_predicted, *increment;
} nsga_motion;

/// The step being taken.
typedef struct nsga_step {
    const zn_state *from;
    double          h;
    zn_step_info   *info;
    nsga_problem   *current; ///< being solved by Newton
    double          relative;
} nsga_step;

typedef struct nsga {
    const zn_system    *sys;
    zn_scheme_def       def;
    bool                coupled; ///< nsga_coupled: the smooth motion sees total position and velocity
    int                 n, n_all, nq;
    nsga_alpha          alpha;
    double              mass;           ///< characteristic mass
    nsga_history        history, start; ///< start: consistent values, for the first step or after an impact
    const nsga_history *last;           ///< one of them
    nsga_step           step;
    nsga_problem        smooth, position, velocity;
    nsga_motion         motion;
    struct {
        double *q, *v, *force;
    } total;
    struct {
        double *extra, *scale, *work, *work2, *pushes, *correction_old;
        double *rounding; ///< of positions, over the tolerance
    } scratch;
    // constraints
    zn_contact_set *contacts;
    int             contacts_max; ///< room for contacts; grows in piles
    double         *U_k;          ///< G(q_n) v_n
    int            *held;         ///< rows of a contact that the smooth motion holds: none, its normal, or all
    bool            holds;        ///< some contact is held
    bool            corrected;    ///< the step had problems 2 and 3
    bool            stepped;      ///< q~, v~, U and W are those of the last step
    bool           *repeated;     ///< joint equations that repeat others
    bool           *allowed;      ///< contacts closed at position level, the only ones that may act at velocity level
    zn_row_list     list;         ///< of the linear problem
    zn_constraints  constraints;
    zn_impact       impact; ///< U* of the contacts that may act, of laws other than Newton's
    zn_energy       energy;
    zn_arena       *memory, *contact_memory;

    /// Contacts that join those near the start of a step, which ended inside of them without.
    zn_late_contacts late;
    zn_hollows       hollows; ///< of the surfaces, that contacts rest in
} nsga;

zn_status          nsga_create(const zn_scheme_def *def, const zn_system *sys, bool coupled, nsga **out);
void               nsga_destroy(void *self);
/// Make room for so many contacts. What is kept per contact is lost.
zn_status          nsga_reserve(nsga *s, int contacts);
/// Start values at the beginning of the step, with the contact set evaluated there.
zn_status          nsga_start(nsga *s);
/// Which contacts the smooth motion holds, and the history of the step: accelerations that are consistent with them.
zn_status          nsga_hold(nsga *s);
static inline bool nsga_smooth_joints(const nsga *s) { return s->def.smooth <= ZN_SMOOTH_JOINTS; }
/// Has the smooth problem rows?
static inline bool nsga_smooth_rows(const nsga *s) { return s->sys->info.joints > 0 || s->holds; }
static inline int  nsga_row_count(const nsga *s) { return s->contacts->count * s->contacts->stride; }
/// Rows of a contact in a sub-problem: 1, or with its tangents 2 or 3.
int                nsga_rows(const nsga *s, const nsga_problem *p, int contact);
/// y = G' l over the rows of some parts with a multiplier.
void               nsga_multiply_rows(const nsga *s, int parts, const double *l, double *y);
/// What joints and contacts of the smooth motion push, and the sizes of that.
void               nsga_push_smooth(nsga *s);
/// A linear model has constant factors: all of them at once, so that the step in which the first contact closes
/// allocates nothing.
zn_status          nsga_factor_ahead(nsga *s);
/// Newton on one sub-problem from its current x and l.
zn_status          nsga_solve(nsga *s, nsga_problem *p);
/// U- of the impact law, of one row.
double             nsga_approach(const nsga *s, int row);
/// e_N or e_T of a row in this step: speeds at its start decide, which no iteration changes.
double             nsga_restitution(const nsga *s, int row);
/// U* of the contacts that may act, where the law is not Newton's: rows and W as the position correction left them.
zn_status          nsga_find_targets(nsga *s);
/// Has a contact an impulse, at either level? For zn_held_acts.
bool               nsga_acts(const void *scheme, int contact);
/// What the law leaves of the normal velocity of a closed contact, U+ - U*.
double             nsga_beyond(const nsga *s, int row);
/// Factors of a sub-problem at a point, where those it has are not good enough.
zn_status          nsga_factor(nsga *s, nsga_problem *p);
zn_status          nsga_book(nsga *s);

#endif
