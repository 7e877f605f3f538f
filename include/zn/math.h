/// @file math.h
/// Small vectors by value, rotations, dense and sparse matrices, linear solvers, Newton's method.
#ifndef ZN_MATH_H
#define ZN_MATH_H

#include <math.h>
#include <stdbool.h>

#include "zn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- functions -----------------------------------------------------------------------------------

/// Like those of <math.h>, but with the same bits on every processor: the C library chooses its way by what the
/// processor can. For callbacks of machines that are to move alike everywhere. Errors are below one unit in the last
/// place.
ZN_API double zn_sin(double x);
ZN_API double zn_cos(double x);
ZN_API void   zn_sincos(double x, double *sine, double *cosine);
ZN_API double zn_tan(double x);
ZN_API double zn_asin(double x);
ZN_API double zn_acos(double x);
ZN_API double zn_atan(double x);
ZN_API double zn_atan2(double y, double x);
ZN_API double zn_exp(double x);
ZN_API double zn_ln(double x);
ZN_API double zn_log2(double x);
ZN_API double zn_log10(double x);
ZN_API double zn_pow(double x, double y);
ZN_API double zn_sinh(double x);
ZN_API double zn_cosh(double x);
ZN_API double zn_tanh(double x);

// --- small vectors -------------------------------------------------------------------------------

typedef struct zn_vec2 {
    double x, y;
} zn_vec2;
typedef struct zn_vec3 {
    double x, y, z;
} zn_vec3;
typedef struct zn_mat3 {
    double m[3][3];
} zn_mat3; ///< m[row][column]
typedef struct zn_quat {
    double w, x, y, z;
} zn_quat; ///< unit, body -> world, scalar first

static inline zn_vec3 zn_vec3_make(double x, double y, double z) { return (zn_vec3){x, y, z}; }
static inline zn_vec3 zn_vec3_add(zn_vec3 a, zn_vec3 b) { return (zn_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline zn_vec3 zn_vec3_sub(zn_vec3 a, zn_vec3 b) { return (zn_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline zn_vec3 zn_vec3_scale(double s, zn_vec3 a) { return (zn_vec3){s * a.x, s * a.y, s * a.z}; }
static inline double  zn_vec3_dot(zn_vec3 a, zn_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double  zn_vec3_norm(zn_vec3 a) { return sqrt(zn_vec3_dot(a, a)); }
static inline zn_vec3 zn_vec3_cross(zn_vec3 a, zn_vec3 b)
{
    return (zn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline zn_mat3 zn_mat3_identity(void) { return (zn_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
static inline zn_vec3 zn_mat3_apply(zn_mat3 a, zn_vec3 x)
{
    return (zn_vec3){a.m[0][0] * x.x + a.m[0][1] * x.y + a.m[0][2] * x.z,
                     a.m[1][0] * x.x + a.m[1][1] * x.y + a.m[1][2] * x.z,
                     a.m[2][0] * x.x + a.m[2][1] * x.y + a.m[2][2] * x.z};
}
ZN_API zn_mat3 zn_mat3_product(zn_mat3 a, zn_mat3 b);
ZN_API zn_mat3 zn_mat3_transpose(zn_mat3 a);
ZN_API zn_mat3 zn_mat3_skew(zn_vec3 a); ///< a~, so that a~ b = a x b

// --- rotations -----------------------------------------------------------------------------------

ZN_API zn_quat zn_quat_product(zn_quat a, zn_quat b);
ZN_API zn_quat zn_quat_conjugate(zn_quat a);
ZN_API zn_quat zn_quat_normalize(zn_quat a);
ZN_API zn_vec3 zn_quat_rotate(zn_quat q, zn_vec3 x); ///< R x
ZN_API zn_mat3 zn_quat_matrix(zn_quat q);            ///< R

/// Exponential map of SO(3) as a unit quaternion: rotation by |psi| about psi.
ZN_API zn_quat zn_so3_exp(zn_vec3 psi);
/// Inverse of zn_so3_exp with |psi| <= pi.
ZN_API zn_vec3 zn_so3_log(zn_quat q);
/// Right tangent T(psi): for R = exp(psi~) with psi(t), Omega = T(psi) psi' in body axes.
ZN_API zn_mat3 zn_so3_tangent(zn_vec3 psi);
/// Inverse of zn_so3_tangent, regular for |psi| < 2 pi.
ZN_API zn_mat3 zn_so3_tangent_inverse(zn_vec3 psi);

// --- dense matrices, row-major, for small n ------------------------------------------------------

/// LU with partial pivoting in place: a (n x n, row-major) and pivot (n). ZN_SINGULAR on a zero pivot.
ZN_API zn_status zn_dense_lu_factor(int n, double *a, int *pivot);
ZN_API void      zn_dense_lu_solve(int n, const double *lu, const int *pivot, double *x); ///< x: b in, x out
/// LDL' of a symmetric matrix, Bunch-Kaufman 1x1 and 2x2 pivots, lower triangle of a used. `negative` gets
/// the number of negative eigenvalues (inertia); may be NULL.
ZN_API zn_status zn_dense_ldl_factor(int n, double *a, int *pivot, int *negative);
ZN_API void      zn_dense_ldl_solve(int n, const double *ldl, const int *pivot, double *x);

// --- sparse matrices, compressed columns, fixed pattern ------------------------------------------

/// Square sparse matrix. Rows ascend in each column; every diagonal entry is stored.
typedef struct zn_sparse {
    int     n;
    int    *start; ///< n + 1
    int    *row;   ///< start[n]
    double *value; ///< start[n]
} zn_sparse;

/// Degrees of freedom of equal elements: `dof[e * size + a]`, negative where there is no equation.
typedef struct zn_dof_block {
    int        count; ///< elements
    int        size;  ///< degrees of freedom of one element
    const int *dof;
} zn_dof_block;

/// Pattern of the sum of all element matrices. scatter[b] (allocated here, one per block, may be NULL for no
/// scatter) gives for entry (a, c) of element e the place `scatter[b][(e * size + a) * size + c]` in `value`,
/// or -1.
ZN_API zn_status  zn_sparse_create(int n, int blocks, const zn_dof_block *block, int **scatter, zn_sparse **out);
/// Same pattern, values zero.
ZN_API zn_status  zn_sparse_copy(const zn_sparse *a, zn_sparse **out);
/// The entries that are not zero, and the diagonal.
ZN_API zn_status  zn_sparse_compress(const zn_sparse *a, zn_sparse **out);
ZN_API zn_sparse *zn_sparse_destroy(zn_sparse *a); ///< accepts NULL, returns NULL
ZN_API void       zn_sparse_clear(zn_sparse *a);
ZN_API void       zn_sparse_multiply(const zn_sparse *a, const double *x, double *y); ///< y = A x

// --- linear solvers: analyze (at creation), factor, solve ----------------------------------------

typedef struct zn_linsolver zn_linsolver;

typedef struct zn_linsolver_info {
    const char *backend;        ///< "dense", "klu", "mumps" or "amg"
    int64_t     factorizations; ///< numeric factorizations with a fresh choice of pivots
    int64_t     refactorizations;
    int64_t     solves; ///< right-hand sides
} zn_linsolver_info;

/// Analyze the pattern of `a` (borrowed only during the call). backend: NULL and "auto" choose by estimated work.
ZN_API zn_status         zn_linsolver_create(const zn_sparse *a, const char *backend, zn_linsolver **out);
ZN_API zn_linsolver     *zn_linsolver_destroy(zn_linsolver *solver); ///< accepts NULL, returns NULL
/// Numeric factorization of `a`, which has the analyzed pattern. Reuses the previous pivots when they are still
/// good (guarded), chooses new ones when they are not.
ZN_API zn_status         zn_linsolver_factor(zn_linsolver *solver, const zn_sparse *a);
/// Solve for `count` right-hand sides stored one after the other, in place.
ZN_API zn_status         zn_linsolver_solve(zn_linsolver *solver, int count, double *x);
ZN_API zn_linsolver_info zn_linsolver_get_info(const zn_linsolver *solver);

// --- Newton's method with line search ------------------------------------------------------------

/// The problem owns its unknowns; Newton decides how far to go and when to stop. Norms come from the problem,
/// so the same iteration runs on one process or on many.
typedef struct zn_newton_problem {
    void *user;
    /// Direction at the current unknowns (a linear or a linearized complementarity problem).
    zn_status (*direction)(void *user);
    /// Residual at current + s * direction; `norm` is scaled so that 1 is the tolerance.
    zn_status (*trial)(void *user, double s, double *norm);
    /// Make the last trial the current unknowns. Cannot fail.
    void (*accept)(void *user);
} zn_newton_problem;

typedef struct zn_newton_settings {
    int max_iterations; ///< > 0
    int max_halvings;   ///< of the step in one line search; 0: full steps only
    int patience;       ///< full steps in a row that need not lead below the least residual so far
} zn_newton_settings;

typedef struct zn_newton_info {
    int    iterations;
    double norm; ///< last accepted, 1 is the tolerance
} zn_newton_info;

ZN_API zn_newton_settings zn_newton_settings_default(void);
/// `norm` is the residual at the start: at most 1 ends at once.
ZN_API zn_status zn_newton_solve(const zn_newton_problem *problem, const zn_newton_settings *settings, double norm,
                                 zn_newton_info *info);

#ifdef __cplusplus
}
#endif
#endif
