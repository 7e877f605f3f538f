/// How many eigenvalues of a symmetric matrix are negative (its inertia), from a factorization LDL'.
#ifndef ZN_MATH_INERTIA_H
#define ZN_MATH_INERTIA_H

#include "zn/math.h"

/// Of the symmetric part of `a`. Small matrices are factored dense, large ones by MUMPS. ZN_SINGULAR: a pivot is zero;
/// ZN_ERR_UNSUPPORTED: too large for the dense factorization, and MUMPS was not built.
zn_status zn_sparse_inertia(const zn_sparse *a, int *negative);

/// Largest |a_ij - a_ji| over the root of scale_i scale_j: 0 for a symmetric matrix, whatever the units of its rows.
double zn_sparse_asymmetry(const zn_sparse *a, const double *scale);

/// By MUMPS alone; ZN_ERR_UNSUPPORTED where it was not built.
zn_status zn_mumps_inertia(const zn_sparse *a, int *negative);

#endif
