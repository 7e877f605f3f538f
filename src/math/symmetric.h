/// Are the values of a matrix symmetric?
#ifndef ZN_MATH_SYMMETRIC_H
#define ZN_MATH_SYMMETRIC_H

#include "zn/math.h"

/// Up to `slack` times the diagonals of both rows: |a_ij - a_ji| <= slack sqrt(|a_ii a_jj|). Scratch: n each.
bool zn_sparse_is_symmetric(const zn_sparse *a, double slack, int *next, double *diagonal);

#endif
