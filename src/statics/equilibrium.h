/// What the search for an equilibrium holds, and the pieces it is made of.
#ifndef ZN_STATICS_EQUILIBRIUM_H
#define ZN_STATICS_EQUILIBRIUM_H

#include "constraint/delassus.h"
#include "system/system.h"
#include "zn/statics.h"
#include "zn/solve.h"

/// How far a step may go: [rad] of a body, relative change of a row that carries force.
#define ZN_EQUILIBRIUM_TURN 0.5

/// A matrix of the equilibrium for the contacts of the set, and its factors.
typedef struct zn_equilibrium_matrix {
    bool          bordered; ///< one more row and column per contact
    zn_sparse    *sum;
    int          *place;  ///< entry of the system's pattern -> entry of the sum
    int         **clique; ///< per contact: entries of the sum
    int           contacts;
    int64_t      *known;     ///< their ids
    int          *known_dof; ///< entries of the normal row of each, max_entries apart; -1: beyond the last
    zn_linsolver *solver;
} zn_equilibrium_matrix;

typedef struct zn_equilibrium {
    const zn_system      *sys;
    zn_equilibrium_def    def;
    zn_equilibrium_info   info;
    int                   n, n_all, nq;
    double                t;         ///< at which loads are taken
    double                factor;    ///< share of the loads reached
    double                relief;    ///< 1 - the share sought now
    double                stride;    ///< next load step
    double                length;    ///< size of the model [m]: largest distance from the origin, longest lever
    bool                  regular;   ///< the last load step needed no pseudo-time
    bool                  redundant; ///< joint equations repeat each other
    // unknowns: configuration and one multiplier per contact
    double               *q, *q_trial, *q_keep, *start; ///< nq; keep: the last equilibrium; start: where it all began
    double               *l, *l_trial, *l_keep, *l_next;
    double               *q_round, *l_round; ///< where the contacts at hand were found
    // pseudo-time: the term  -alpha M (q - anchor)
    double                alpha;
    double               *anchor, *l_anchor, *row_anchor; ///< configuration, multipliers and rows where the step began
    zn_sparse            *mass;                           ///< at the anchor
    double               *inertia;                        ///< its diagonal
    // evaluated at the last trial
    zn_contact_set       *set;
    double               *force, *residual; ///< f;  f + G'l - alpha M (q - anchor)
    double               *moved;            ///< q - anchor
    double                balance;          ///< |f + G'l| over the size of its terms
    double                law;              ///< violation of the constraints over its tolerance
    // direction
    double               *d;
    double                correction; ///< its size over that of the displacement
    double                expected;   ///< the next one, when it falls as the last did; INFINITY: not known
    double               *terms;      ///< sizes of the elastic forces that cancel in f
    bool                  bending;    ///< the curvature of constraints is in the matrix
    double                top;        ///< largest diagonal entry of K - d(G'l)/dq over its mass
    double               *l_rows;     ///< multipliers per row of the contact set, those of tangents 0
    double               *hold;       ///< per joint equation: weight of its square in the matrix
    double               *give;       ///< per contact: diagonal of W
    // matrices: of the system; A in a pattern of its own; with the rows of the contacts, for the direct way
    zn_sparse            *stiffness;
    zn_equilibrium_matrix plain, whole;
    zn_linsolver_info     done; ///< by factors that are no more
    zn_delassus           columns;
    // the direct way
    double                soft; ///< times M in its matrix; 0: it is not taken
    double                soft_least, balance_before;
    double                ease;   ///< times yield: more than 1 while the closed contacts are sought
    bool                 *closed; ///< per contact
    bool                 *wrong;
    double
        *yield; ///< per contact: what it gives way for each newton, so that forces which repeat each other are shared
    double *x, *rest; ///< configuration and multipliers, n + contacts
    // scratch
    double *zero, *scale, *load, *size, *rounding, *work, *probe, *free; ///< n_all
    double *W, *b, *z, *w;
    int    *list;
    bool   *chosen;
    void   *scratch;
    double *memory;
} zn_equilibrium;

zn_status       zn_equilibrium_create(const zn_system *sys, const zn_equilibrium_def *def, const zn_state *from,
                                      zn_equilibrium **out);
zn_equilibrium *zn_equilibrium_destroy(zn_equilibrium *e); ///< accepts NULL, returns NULL

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
/// Measure from here on how far it goes: anchor, mass and inertia.
zn_status zn_equilibrium_anchor(zn_equilibrium *e);
/// Did a body turn, or a row that carries force change its direction, by more than a step may?
bool      zn_equilibrium_strayed(zn_equilibrium *e);
/// Is A at alpha = 0 far enough from singular for Newton's method? ZN_SINGULAR when not.
zn_status zn_equilibrium_check_regular(zn_equilibrium *e);

/// Residual and laws at a configuration with multipliers; `norm` is scaled so that 1 is the tolerance.
zn_status zn_equilibrium_evaluate(zn_equilibrium *e, const double *q, const double *l, double *norm);

/// Matrices of the system.
zn_status         zn_equilibrium_attach(zn_equilibrium *e);
void              zn_equilibrium_detach(zn_equilibrium *e); ///< those for contacts
/// Pattern of a matrix and its linear solver for the contacts of the set.
zn_status         zn_equilibrium_connect(zn_equilibrium *e, zn_equilibrium_matrix *a);
/// Are these the contacts that it was made for?
bool              zn_equilibrium_connected(const zn_equilibrium *e, const zn_equilibrium_matrix *a);
/// What all factors together did.
zn_linsolver_info zn_equilibrium_work(const zn_equilibrium *e);
/// K - d(G'l)/dq + alpha M, nothing else.
zn_status         zn_equilibrium_assemble(zn_equilibrium *e, zn_equilibrium_matrix *a, double alpha);
/// The plain one, A = K + alpha M - d(G'l)/dq + sum of hold G_i'G_i over joints, factored.
zn_status         zn_equilibrium_factor(zn_equilibrium *e);
/// x'(K - d(G'l)/dq) x over x'M x, with K as assembled last.
zn_status         zn_equilibrium_stiffness(zn_equilibrium *e, const double *x, double *out);

static inline zn_at zn_equilibrium_at(const zn_equilibrium *e, const double *q)
{
    return (zn_at){q, e->zero, e->t, e->relief};
}

#endif
