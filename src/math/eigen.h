/// Eigenvalues of symmetric matrices: of small dense ones all, of large ones some.
#ifndef ZN_MATH_EIGEN_H
#define ZN_MATH_EIGEN_H

#include "zn/math.h"

/// All eigenvalues of a symmetric matrix (n x n, row-major, lost), descending, and their vectors, one after the other.
/// Jacobi's method: for small n. `vector`: n x n.
zn_status zn_dense_eigen(int n, double *a, double *value, double *vector);

/// A x = w B x on the space of some constraints, seen from a shift s: theta = 1/(w - s) of (A - s B)^-1 B.
/// A - s B must be positive definite on that space and B positive semidefinite; motions without B are left out.
typedef struct zn_eigen_problem {
    void *user;
    int   n;
    zn_status (*solve)(void *user, double *x);             ///< x: b in, (A - s B)^-1 b within the constraints out
    void (*weigh)(void *user, const double *x, double *y); ///< y = B x
} zn_eigen_problem;

typedef struct zn_eigen_settings {
    int    wanted;    ///< the largest theta
    double tolerance; ///< of |(A - s B)^-1 B x - theta x| over theta
    int    block;     ///< vectors that the search starts with: eigenvalues of that multiplicity are found for sure
} zn_eigen_settings;

/// The largest theta, descending, and their vectors (wanted x n), x'B x = 1. `found`: how many; fewer than wanted where
/// there are no more.
zn_status zn_eigen_largest(const zn_eigen_problem *problem, const zn_eigen_settings *settings, int *found,
                           double *theta, double *vector);

/// The same for any n by a growing space of vectors; zn_eigen_largest takes it for all but small n.
zn_status zn_krylov_largest(const zn_eigen_problem *problem, const zn_eigen_settings *settings, int *found,
                            double *theta, double *vector);

#endif
