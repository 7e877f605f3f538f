/// @file system.h
/// The compiled equations  M(q) dv = f(q, v, t) dt + G(q)' di.  Constant: threads may share them.
///
/// Velocities, forces and rows of G have one entry per degree of freedom: first the free ones, [0, n), then the
/// fixed ones, [n, n_all), whose velocity is zero and whose force entries give reactions.
#ifndef ZN_SYSTEM_H
#define ZN_SYSTEM_H

#include "zn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zn_system zn_system;

/// Compile the model, which is validated first. The system borrows it: the model must stay as it is and outlive it.
ZN_API zn_status  zn_system_create(const zn_model *model, zn_system **out);
ZN_API zn_system *zn_system_destroy(zn_system *sys); ///< accepts NULL, returns NULL

typedef struct zn_system_info {
    int  nq;    ///< length of q
    int  n;     ///< free degrees of freedom: the size of the equations
    int  n_all; ///< with the fixed ones: the length of v and f
    int  nodes, elements;
    int  contacts_max;  ///< contacts and joint equations; piles: the room made for them at first, which grows
    bool contacts_grow; ///< there may be more
    int  joints;        ///< joint equations among them
    int  parts;         ///< named owners of elements (bodies, bars, springs)
    bool planar;
    bool linear; ///< M, C, K are constant: operators are factored once
} zn_system_info;

ZN_API zn_system_info zn_system_get_info(const zn_system *sys);

/// f(q, v, t): loads, gravity, springs, dampers, internal forces.
ZN_API zn_status zn_system_force(const zn_system *sys, zn_at at, double *f);
/// f = M(q) a.
ZN_API zn_status zn_system_inertia(const zn_system *sys, const double *q, const double *a, double *f);
/// Matrix with the pattern of all operators, values zero.
ZN_API zn_status zn_system_matrix(const zn_system *sys, zn_sparse **out);
/// out = a M + b C + c K with K = -df/dq, C = -df/dv.
ZN_API zn_status zn_system_operators(const zn_system *sys, zn_at at, double a, double b, double c, zn_sparse *out);

ZN_API zn_status zn_system_energy(const zn_system *sys, zn_at at, zn_energy *out);
/// Of one part (0 <= part < parts).
ZN_API zn_status zn_system_part_energy(const zn_system *sys, zn_at at, int part, zn_energy *out);
/// Power of each kind of force, evaluated at `at`, on the velocity w.
ZN_API zn_status zn_system_power(const zn_system *sys, zn_at at, const double *w, zn_power *out);
/// Linear momentum and angular momentum about the world origin; part < 0: of everything.
/// `scratch`: n_all doubles.
ZN_API zn_status zn_system_momentum(const zn_system *sys, zn_at at, int part, double *scratch, zn_vec3 *linear,
                                    zn_vec3 *angular);

/// q_out = q (+) dq on the configuration group; q_out == q allowed. dq has one entry per degree of freedom.
ZN_API void zn_system_retract(const zn_system *sys, const double *q, const double *dq, double *q_out);
/// dq with q1 = q0 (+) dq.
ZN_API void zn_system_difference(const zn_system *sys, const double *q1, const double *q0, double *dq);
/// y = T(dq) x (right tangent of retract at dq) or its inverse; y == x allowed.
ZN_API void zn_system_tangent(const zn_system *sys, const double *dq, const double *x, double *y);
ZN_API void zn_system_tangent_inverse(const zn_system *sys, const double *dq, const double *x, double *y);

/// Rounding error of the coordinates at q: r (one entry per degree of freedom, may be NULL) gets epsilon |x| for
/// positions x in world axes (at least the size of the model at the start), epsilon max(1, |angle|) for rotations
/// (nodes of beams: at least that of x over the length of an element). Returns the largest of the positions.
ZN_API double zn_system_resolution(const zn_system *sys, const double *q, double *r);

// --- critical step -------------------------------------------------------------------------------

/// How large a step central differences with lumped mass bear:  h^2 w^2 + 2 h c <= 4  with w^2 and c the largest
/// eigenvalues of (K, M) and (C, M); damping counts twice because it acts with the velocity half a step before.
typedef struct zn_critical {
    double      step;      ///< [s]; INFINITY when nothing is stiff
    double      frequency; ///< w [rad/s]
    double      damping;   ///< c [1/s]
    const char *part;      ///< whose element has the largest w; NULL: none, or the bound is not one by elements
} zn_critical;

/// Safe bound from the elements at `at`: each gets a share of the masses of its nodes, in proportion to the stiffness
/// of all elements there, and no eigenvalue of the whole exceeds the largest of a single element. Linear in their
/// number. Of a linear model, not too large, that may be 5 % longer: certified by the signs of the pivots of 4/h^2 M -
/// K.
ZN_API zn_status zn_system_critical_step(const zn_system *sys, zn_at at, zn_critical *out);
/// The same by power iteration on the assembled matrices, from below: until the estimate changes by less than
/// `tolerance`, relative.
ZN_API zn_status zn_system_critical_power(const zn_system *sys, zn_at at, double tolerance, zn_critical *out);

// --- reductions: the only sums and maxima over all degrees of freedom ----------------------------

/// How partial results of several processes become one. NULL functions: one process.
typedef struct zn_reductions {
    void *user;
    void (*sum)(void *user, double *values, int count);
    void (*max)(void *user, double *values, int count);
} zn_reductions;

/// What a system that is part of a larger one, on a process of its own, asks of the other parts. Nodes between parts
/// are there in each of them. Positions, velocities and masses to divide by are those of the whole; forces and the
/// masses of energies are what the elements of this part give, so that works and energies of all parts add up. All
/// parts call these functions in the same order. NULL: one process.
struct zn_near_null;
typedef struct zn_halo {
    void      *user;
    int        count; ///< degrees of freedom that other parts have as well
    const int *dof;   ///< these
    /// One status for all: that of the first part that failed.
    zn_status (*agree)(void *user, zn_status own);
    /// x (n_all) becomes the sum of those of all parts at the degrees of freedom they share, with the same bits in
    /// each.
    void (*assemble)(void *user, double *x);
    /// x (n_all) at these becomes that of the part that owns them, whose contacts act on them.
    void (*share)(void *user, double *x);
    /// `bytes` of each part, one after the other, to all.
    void (*gather)(void *user, const void *own, size_t bytes, void *all);
    int parts; ///< how many there are
    /// n_all: false where another part owns a degree of freedom. Of forces on several parts the owner knows the sum; sums
    /// and maxima over all degrees of freedom are those over what each part owns.
    const bool *owned;
    /// A solver for the sum of the matrices `a` of all parts; `near`: what it hardly resists, NULL: unknown.
    zn_status (*solver)(void *user, const zn_sparse *a, const char *word, const struct zn_near_null *near,
                        zn_linsolver **out);
} zn_halo;

ZN_API void   zn_system_set_halo(zn_system *sys, const zn_halo *halo); ///< borrowed
ZN_API void   zn_system_set_reductions(zn_system *sys, zn_reductions reductions);
ZN_API double zn_system_dot(const zn_system *sys, const double *a, const double *b); ///< over free dofs
/// Largest |r_i| over the largest |scale_i|, translations and rotations apart, so that units do not mix.
ZN_API double zn_system_relative_norm(const zn_system *sys, const double *r, const double *scale);
ZN_API double zn_system_sum(const zn_system *sys, double value);
ZN_API double zn_system_max(const zn_system *sys, double value);

// --- contacts ------------------------------------------------------------------------------------

/// Contacts and joint equations of the current step, sorted by a persistent id. One product per contact, whatever its
/// geometry: gap, Jacobian rows, law. They come and go; results of the last step stay with their id.
/// Row r of contact i is row i * stride + r: the normal first, then the tangents (empty without friction).
typedef struct zn_contact_set {
    int            count, capacity;
    int            stride; ///< rows per contact, the most of all rules: normal; with friction 1 tangent in the plane, 2
                           ///< in space; with rolling friction as many rows of it; with spinning friction 1 more
    zn_contact_id *id;
    bool          *bilateral;              ///< an equation of a joint
    double        *gap;                    ///< g_N [m] where last evaluated
    double        *rate;                   ///< dg/dt at fixed q: U = G v + rate
    double        *restitution;            ///< e_N
    double        *friction;               ///< mu
    double        *tangential_restitution; ///< e_T
    double        *restitution_from;       ///< speed of approach [m/s] below which both are 0
    double        *rolling;                ///< lengths [m] by which the normal force bounds the moment against rolling,
    double        *spinning;               ///< and the one about the normal; 0: none
    double        *lever;                  ///< length that makes their spins velocities [m]; 0: none
    int           *turns;                  ///< rows of rolling, and 4 times those of spinning
    bool           has_rows;               ///< rows were evaluated; straight ones never change again
    int           *row_start;              ///< row k of G is entries [row_start[k], row_start[k + 1])
    int            row_capacity;
    int           *row_dof;
    double        *row_value;
    // results of the last step, per row
    double        *impulse;     ///< P [N s]
    double        *velocity;    ///< U at the end of the step [m/s]
    double        *approach;    ///< U before the step as the impact law takes it [m/s]
    double        *projection;  ///< tau, multiplier of the position projection (normal rows)
    int           *piece;       ///< of the surface, where the last refresh found the contact; 0: there is one only
    double         listed_at;   ///< time at which contacts were looked for last [s]; NaN: never
    double         captured;    ///< deepest point behind a face that was taken for a new contact then [m]; 0: none
    zn_contact_id  captured_id; ///< whose it is, or none
    struct zn_contact_scratch *scratch; ///< of the functions below
} zn_contact_set;

ZN_API zn_status       zn_contact_set_create(const zn_system *sys, zn_contact_set **out);
ZN_API zn_contact_set *zn_contact_set_destroy(zn_contact_set *set); ///< accepts NULL, returns NULL
/// Copy everything between sets of the same system. Fails only when `to` must grow and cannot.
ZN_API zn_status       zn_contact_set_copy(const zn_contact_set *from, zn_contact_set *to);
/// Find the contacts near q and evaluate gap and rows there. Results of the last step move along by id. Room grows when
/// the contacts of a pile do not fit.
ZN_API zn_status       zn_contact_set_refresh(zn_contact_set *set, const zn_system *sys, const double *q, double t);
/// Gap and rows of the same contacts at another q.
ZN_API zn_status       zn_contact_set_evaluate(zn_contact_set *set, const zn_system *sys, const double *q, double t);
/// Gaps alone.
ZN_API zn_status       zn_contact_set_gaps(const zn_contact_set *set, const zn_system *sys, const double *q, double t,
                                           double *gap);
/// Tangential displacement of each contact between q_from and q, per row (normal rows: the gap at q); slip has
/// count * stride entries, 0 where a row is empty. Planes and slots measure it in the axes of the surface, so that the
/// tangential rows at q are its gradient. Where the velocity of sliding is no derivative of anything (round surfaces,
/// balls that roll in space, facets) it is G_T(q) times the difference of q and q_from: of second order in the step.
ZN_API zn_status       zn_contact_set_slip(const zn_contact_set *set, const zn_system *sys, const double *q_from,
                                           double t_from, const double *q, double t, double *slip);
/// y = d(G' lambda)/dq x, second derivatives of gaps and tangential displacements; lambda per row.
ZN_API zn_status   zn_contact_set_curvature(const zn_contact_set *set, const zn_system *sys, const double *q, double t,
                                            const double *lambda, const double *x, double *y);
ZN_API const char *zn_contact_name(const zn_system *sys, zn_contact_id id);

// --- state ---------------------------------------------------------------------------------------

/// All that moves. With the scheme's history it is a checkpoint.
typedef struct zn_state {
    double          t;
    double         *q;        ///< nq
    double         *v;        ///< n_all
    zn_contact_set *contacts; ///< of the last step, evaluated at q; its arrays may change places in a step
    double         *reaction; ///< n_all - n: impulses on the fixed degrees of freedom in the last step [N s, N m s]
    zn_energy       energy;   ///< at (q, v)
    bool whole; ///< all is known at t. False: between the coarse times of multirate, where q, v and reactions
                ///< of the coarse part and the energies are NaN
} zn_state;

/// Initial state of the model.
ZN_API zn_status zn_state_create(const zn_system *sys, zn_state **out);
/// Bring contacts and energy up to date after q, v or t were set by hand.
ZN_API zn_status zn_state_update(const zn_system *sys, zn_state *state);
ZN_API zn_state *zn_state_destroy(zn_state *state); ///< accepts NULL, returns NULL
/// Fails only when there is no memory for more contacts than `to` has had so far; `to` is then as before.
ZN_API zn_status zn_state_copy(const zn_system *sys, const zn_state *from, zn_state *to);

#ifdef __cplusplus
}
#endif
#endif
