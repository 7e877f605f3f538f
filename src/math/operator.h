/// A matrix to solve with to a tolerance, directly or by iteration, above the linear solvers: whoever asks knows how
/// exact an answer is worth having, and an iteration begins where the last one ended.
#ifndef ZN_MATH_OPERATOR_H
#define ZN_MATH_OPERATOR_H

#include "math/near_null.h"
#include "zn/math.h"

typedef struct zn_operator {
    const zn_sparse *matrix; ///< borrowed
    zn_linsolver    *solver; ///< of that matrix, whose values may change before it is prepared
} zn_operator;

void      zn_operator_destroy(zn_operator *op); ///< with its solver
/// For the values that the matrix has now.
zn_status zn_operator_prepare(zn_operator *op);
/// |b - A x| <= tolerance |b|, from the guess in x on; a direct solver is as exact as it is. x is not b.
zn_status zn_operator_solve(zn_operator *op, const double *b, double tolerance, double *x);
/// y = A x
void      zn_operator_apply(const zn_operator *op, const double *x, double *y);
/// Solves by iteration?
bool      zn_operator_iterates(const zn_operator *op);

#endif
