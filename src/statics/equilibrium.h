/// What the search for an equilibrium holds, and the pieces it is made of.
#ifndef ZN_STATICS_EQUILIBRIUM_H
#define ZN_STATICS_EQUILIBRIUM_H

#include "base/def.h"
#include "constraint/constraints.h"
#include "constraint/curved_matrix.h"
#include "system/system.h"
#include "zn/statics.h"

extern const zn_def_kind zn_equilibrium_def_kind;

/// How far a step may go: [rad] of a body, relative change of a row that carries force.
#define ZN_EQUILIBRIUM_TURN 0.5

/// A configuration and multipliers, one per row of the contact set: those of tangents are friction.
typedef struct zn_equilibrium_point {
    double *q, *l;
} zn_equilibrium_point;

/// Loads are taken at a time and grow.
typedef struct zn_equilibrium_loads {
    double t;
    double factor; ///< share of the loads reached
    double relief; ///< 1 - the share sought now
    double stride; ///< next load step
} zn_equilibrium_loads;

/// What was evaluated at the last trial.
typedef struct zn_equilibrium_balance {
    double *force, *residual; ///< f;  f + G'l - alpha M (q - anchor)
    double *moved;            ///< q - anchor
    double  balance;          ///< |f + G'l| over the size of its terms
    bool    rounding;         ///< the residual is no more than that of the elastic forces
    double  law;              ///< violation of the constraints over its tolerance
} zn_equilibrium_balance;

/// Newton's direction.
typedef struct zn_equilibrium_way {
    double *d, *l;      ///< change of the configuration, next multipliers
    double  correction; ///< its size over that of the displacement
    double  expected;   ///< the next one, when it falls as the last did; INFINITY: not known
    double *terms;      ///< sizes of the elastic forces that cancel in f
} zn_equilibrium_way;

/// Matrices of the system, and those with the curvature of constraints: the plain one, A in a pattern of its own, and
/// the whole one with the rows of the contacts, for the direct way.
typedef struct zn_equilibrium_matrices {
    zn_sparse       *stiffness;
    zn_sparse       *mass;    ///< at the anchor
    double          *inertia; ///< its diagonal
    zn_curved_matrix plain, whole;
    bool             bending; ///< the curvature of constraints is in them
    double           top;     ///< largest diagonal entry of K - d(G'l)/dq over its mass
} zn_equilibrium_matrices;

/// What the direct way takes a contact for: nothing; its normal alone; all its rows, where it sticks; or its normal and
/// the law of sliding. Joints and contacts without friction stick.
typedef enum zn_contact_hold { ZN_HOLD_OPEN, ZN_HOLD_NORMAL, ZN_HOLD_STICK, ZN_HOLD_SLIDE } zn_contact_hold;

/// Friction: slip is what tangents have moved since the anchor.
typedef struct zn_equilibrium_friction {
    int     rows;      ///< of a contact that count: 1 without friction, or those of the set
    double *slip;      ///< per row of the set, at the last trial
    double *direction; ///< per row: of contacts that slide, the way they go
    double *across;    ///< per contact that slides: stiffness across that way, mu l_N / |s|
    double  turn;      ///< largest change of a direction by the last solution of the equations
} zn_equilibrium_friction;

/// The direct way.
typedef struct zn_equilibrium_direct_way {
    double           soft; ///< times M in its matrix; 0: it is not taken
    bool             lost; ///< its pivots were of no use in this pseudo-time
    double           soft_least, soft_most, balance_before;
    double           ease;        ///< times yield: more than 1 while the closed contacts are sought
    zn_contact_hold *hold, *next; ///< per contact: now, and as it should be
    double *yield;    ///< per row: what it gives way for each newton, so that forces which repeat each other are shared
    double *x, *rest; ///< configuration and multipliers, n + rows of contacts
} zn_equilibrium_direct_way;

typedef struct zn_equilibrium {
    const zn_system          *sys;
    zn_equilibrium_def        def;
    zn_equilibrium_info       info;
    int                       n, n_all, nq;
    double                    length;  ///< size of the model [m]: largest distance from the origin, longest lever
    bool                      regular; ///< the last load step needed no pseudo-time
    zn_equilibrium_loads      loads;
    zn_equilibrium_point      now, trial;
    zn_equilibrium_point      keep;  ///< the last equilibrium
    zn_equilibrium_point      round; ///< where the contacts at hand were found
    double                   *start; ///< configuration where it all began
    // pseudo-time: the term  -alpha M (q - anchor)
    double                    alpha;
    zn_equilibrium_point      anchor;      ///< where the step began
    double                   *anchor_rows; ///< values of the rows there
    int                      *anchor_dofs; ///< and their degrees of freedom
    zn_equilibrium_balance    at;
    zn_equilibrium_way        way;
    zn_equilibrium_direct_way direct;
    zn_equilibrium_matrices   matrix;
    // constraints
    zn_contact_set           *set;
    zn_row_list               list;
    bool                     *chosen;   ///< per contact
    zn_response               response; ///< of the plain matrix
    zn_constraints            problem;
    double                   *hold; ///< per joint equation: weight of its square in the matrix
    double                   *give; ///< per contact: diagonal of W
    zn_equilibrium_friction   friction;
    zn_contact_set           *kept; ///< the contacts of `keep`, where they come and go
    struct {
        int       contacts, entries; ///< room
        zn_arena *memory;            ///< of all that has one entry per contact or row
    } room;
    struct {
        double *zero, *scale, *load, *size, *rounding, *work, *probe, *free; ///< n_all
    } scratch;
    bool      warned; ///< that it is not stable
    zn_arena *memory;
} zn_equilibrium;

zn_status       zn_equilibrium_create(const zn_system *sys, const zn_equilibrium_def *def, const zn_state *from,
                                      zn_equilibrium **out);
zn_equilibrium *zn_equilibrium_destroy(zn_equilibrium *e); ///< accepts NULL, returns NULL
/// Room for the contacts of the set; multipliers stay.
zn_status       zn_equilibrium_make_room(zn_equilibrium *e);
/// What only the complementarity problem needs: it grows with the square of the contacts.
zn_status       zn_equilibrium_make_problem(zn_equilibrium *e);

/// Raise the load from the share reached to `factor`, in smaller steps where that fails.
zn_status zn_equilibrium_advance(zn_equilibrium *e, double factor);
/// Write the equilibrium into a state: velocities are zero; impulses and reactions are those of `duration` [s].
zn_status zn_equilibrium_commit(zn_equilibrium *e, double duration, zn_state *state);

/// Find the equilibrium at the current relief from the current unknowns: directly, by Newton's method alone, through
/// pseudo-time. The unknowns are of no use unless ZN_OK.
zn_status zn_equilibrium_direct(zn_equilibrium *e);
zn_status zn_equilibrium_newton(zn_equilibrium *e);
zn_status zn_equilibrium_relax(zn_equilibrium *e);
/// Direction of the direct way: d and l_next.
zn_status zn_equilibrium_aim(zn_equilibrium *e);
/// The same in pseudo-time, or ZN_NOT_CONVERGED soon.
zn_status zn_equilibrium_aim_from_anchor(zn_equilibrium *e);
/// Measure from here on how far it goes: anchor, mass and inertia.
zn_status zn_equilibrium_anchor(zn_equilibrium *e);
/// Did a body turn, or a row that carries force change its direction, by more than a step may?
bool      zn_equilibrium_strayed(zn_equilibrium *e);
/// Is A at alpha = 0 far enough from singular for Newton's method? ZN_SINGULAR when not.
zn_status zn_equilibrium_check_regular(zn_equilibrium *e);

/// Residual and laws at a configuration with multipliers; `norm` is scaled so that 1 is the tolerance.
zn_status zn_equilibrium_evaluate(zn_equilibrium *e, const double *q, const double *l, double *norm);

/// Pattern of a matrix and its linear solver for the contacts of the set, unless they are there.
zn_status zn_equilibrium_connect(zn_equilibrium *e, zn_curved_matrix *a);
/// K - d(G'l)/dq + alpha M, nothing else.
zn_status zn_equilibrium_assemble(zn_equilibrium *e, zn_curved_matrix *a, double alpha);
/// Rows and columns of the contacts in the whole one: closed ones give way by ease * yield, open ones stand for
/// themselves.
void      zn_equilibrium_fill_border(zn_equilibrium *e);
/// The plain one, A = K + alpha M - d(G'l)/dq + sum of hold G_i'G_i over joints, factored.
zn_status zn_equilibrium_factor(zn_equilibrium *e);
/// x'(K - d(G'l)/dq) x over x'M x, with K as assembled last.
zn_status zn_equilibrium_stiffness(zn_equilibrium *e, const double *x, double *out);

// --- friction (equilibrium_friction.c) -----------------------------------------------------------

/// Rows of a contact whose multipliers are unknowns: its normal, and its tangents where there is friction.
int             zn_equilibrium_rows(const zn_equilibrium *e, int contact);
/// Those that the direct way takes for closed.
int             zn_equilibrium_held(const zn_equilibrium *e, int contact);
/// Distance from Coulomb's law between friction and slip, 1 is the tolerance; `slack`: what slip may be off by.
double          zn_equilibrium_friction_off(const zn_equilibrium *e, int contact, const double *l, double slack);
/// Does it hold with less friction than there may be?
bool            zn_equilibrium_sticks(const zn_equilibrium *e, int contact, const double *l);
/// What an open contact that the direction found would penetrate by `depth` becomes.
zn_contact_hold zn_equilibrium_closed_hold(zn_equilibrium *e, int contact, double depth);
/// What a closed contact should be after the direction found: it sticks, or slides and where to.
zn_contact_hold zn_equilibrium_next_hold(zn_equilibrium *e, int contact, double rounding);
/// Row r > 0 of a contact in the whole matrix as a combination of tangential rows, and its right-hand side.
typedef struct zn_friction_row {
    double tangent[2]; ///< factors of the tangential rows
    double normal;     ///< of the change of the normal force
    double self;       ///< of the change of its own
    double right;
} zn_friction_row;
zn_friction_row zn_equilibrium_friction_row(const zn_equilibrium *e, int contact, int r);
/// Largest distance from Coulomb's law [m], forces weighed by the size of the model over the largest of them.
double          zn_equilibrium_coulomb(const zn_equilibrium *e, zn_contact_id *culprit);

/// Does anybody want it to end?
static inline zn_status zn_equilibrium_poll(const zn_equilibrium *e)
{
    return e->def.poll ? e->def.poll(e->def.poll_user) : ZN_OK;
}

static inline zn_at zn_equilibrium_at(const zn_equilibrium *e, const double *q)
{
    return (zn_at){q, e->scratch.zero, e->loads.t, e->loads.relief};
}

#endif
