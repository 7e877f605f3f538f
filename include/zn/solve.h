/// @file solve.h
/// Nonsmooth problems: matrices and cones only, never bodies or time.
#ifndef ZN_SOLVE_H
#define ZN_SOLVE_H

#include "zn/base.h"
#include "zn/friction.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Mixed linear complementarity problem in reduced form
///     w = A z + b,    w_i = 0, z_i free          for i < bilateral
///                     0 <= w_i _|_ z_i >= 0      for the others.
typedef struct zn_lcp_problem {
    int           n;         ///< all rows
    int           bilateral; ///< the first rows, which are equations
    const double *A;         ///< n x n, row-major
    const double *b;         ///< n
} zn_lcp_problem;

typedef struct zn_lcp_settings {
    const char *solver;         ///< "auto", "lemke", "pivot", "enumerate", "gauss_seidel"
    int         max_iterations; ///< pivots or sweeps; 0: chosen by the solver
    double      tolerance;      ///< on zn_lcp_residual
} zn_lcp_settings;

typedef struct zn_lcp_info {
    const char *solver; ///< the one that gave the answer
    int         iterations;
    double      residual; ///< zn_lcp_residual of the answer
} zn_lcp_info;

ZN_API zn_lcp_settings zn_lcp_settings_default(void);

/// Bytes of scratch that zn_lcp_solve needs for n rows.
ZN_API size_t zn_lcp_scratch(int n);

/// z: warm start in, answer out (untouched unless ZN_OK); w: A z + b out. `scratch`: zn_lcp_scratch(n) bytes,
/// aligned for double. ZN_NOT_CONVERGED when no solver reached the tolerance.
ZN_API zn_status zn_lcp_solve(const zn_lcp_problem *p, const zn_lcp_settings *settings, double *z, double *w,
                              void *scratch, zn_lcp_info *info);

/// The judge: largest violation of any row, computed from z alone and independent of units. With w = A z + b
/// recomputed and d_i = |A_ii| (the largest entry of row i when that is zero), w_i / sqrt(d_i) and z_i sqrt(d_i)
/// share one unit (the root of an energy for impulses and velocities). The residual is
///     max_i |min(w_i / sqrt(d_i), z_i sqrt(d_i))|   (bilateral: |w_i| / sqrt(d_i))
/// over max_i (|b_i| + sum_j |A_ij z_j|) / sqrt(d_i); 0 when that scale is zero.
ZN_API double zn_lcp_residual(const zn_lcp_problem *p, const double *z);

/// Looks at each complementarity or friction problem that a scheme has solved (or failed to, by `status`) in the step
/// from t; `level` is "velocity", "position", "coupled" or "smooth" (nsga). The problem is gone after the call. A
/// zeroed struct: nobody looks.
typedef struct zn_observer {
    void (*problem)(void *user, const zn_fc_problem *problem, const char *level, double t, zn_status status);
    void *user;   ///< borrowed
    bool  faults; ///< only those that were not solved matter: piles at rest may be held without a problem
} zn_observer;

#ifdef __cplusplus
}
#endif
#endif
