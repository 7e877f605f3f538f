/// @file solve.h
/// Nonsmooth problems: matrices and cones only, never bodies or time.
#ifndef ZN_SOLVE_H
#define ZN_SOLVE_H

#include "zn/base.h"

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

// --- friction ------------------------------------------------------------------------------------

/// Frictional contact problem in reduced form, equations first:
///     u = W r + q,    u_i = 0, r_i free                                   for i < bilateral
///     contact c owns rows [first[c], first[c + 1]): the normal, then 0, 1 or 2 tangents, with Coulomb's law
///     K* contains (u_N + mu |u_T|, u_T), orthogonal to r in K = { |r_T| <= mu r_N }.
/// A contact without tangents (or mu = 0) is frictionless. W need not be symmetric.
typedef struct zn_fc_problem {
    int           n;         ///< all rows
    int           bilateral; ///< the first rows, which are equations
    int           contacts;
    const int    *first; ///< contacts + 1, first[0] == bilateral, first[contacts] == n
    const double *W;     ///< n x n, row-major
    const double *q;     ///< n
    const double *mu;    ///< contacts, >= 0
} zn_fc_problem;

typedef struct zn_fc_settings {
    const char *solver;         ///< "auto", "gauss_seidel", "lemke" (at most one tangent), "enumerate" (likewise, few contacts)
    int         max_iterations; ///< 0: chosen by the solver
    double      tolerance;      ///< on zn_fc_residual
} zn_fc_settings;

typedef struct zn_fc_info {
    const char *solver; ///< the one that gave the answer
    int         iterations;
    double      residual; ///< zn_fc_residual of the answer
} zn_fc_info;

ZN_API zn_fc_settings zn_fc_settings_default(void);

/// Bytes of scratch that zn_fc_solve needs.
ZN_API size_t zn_fc_scratch(int n, int contacts);

/// r: warm start in, answer out (untouched unless ZN_OK); u: W r + q out.
ZN_API zn_status zn_fc_solve(const zn_fc_problem *p, const zn_fc_settings *settings, double *r, double *u,
                             void *scratch, zn_fc_info *info);

/// The judge: natural map of the cones, computed from r alone and independent of units. With d the mean diagonal of
/// W over a contact's rows (bilateral: of the row itself), rho = 1 / d and P the projection on the contact's cone,
///     max over contacts of sqrt(d) | r - P(r - rho (u_N + mu |u_T|, u_T)) |,  bilateral |u_i| / sqrt(d_i),
/// over max_i (|q_i| + sum_j |W_ij r_j|) / sqrt(d); 0 when that scale is zero.
ZN_API double zn_fc_residual(const zn_fc_problem *p, const double *r);

#ifdef __cplusplus
}
#endif
#endif
