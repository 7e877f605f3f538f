/// Sparse matrices that are symmetric, and whether they are.
#ifndef ZN_MATH_SYMMETRIC_H
#define ZN_MATH_SYMMETRIC_H

#include "zn/math.h"

/// Up to `slack` times the diagonals of both rows: |a_ij - a_ji| <= slack sqrt(|a_ii a_jj|); `skew`: the smallest slack
/// for which it is. Scratch: n each.
bool zn_sparse_is_symmetric(const zn_sparse *a, double slack, int *next, double *diagonal, double *skew);
/// Most entries of a column.
int  zn_sparse_longest(const zn_sparse *a);

/// y = A x of a symmetric one, whose columns are its rows: no entry of y is written twice.
void zn_sparse_multiply_symmetric(const zn_sparse *a, const double *x, double *y);

#endif
