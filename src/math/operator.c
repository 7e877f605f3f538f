// Operators over linear solvers. See operator.h.
#include "math/operator.h"

#include "math/linsolver.h"

void zn_operator_destroy(zn_operator *op)
{
    zn_linsolver_destroy(op->solver);
    *op = (zn_operator){0};
}

zn_status zn_operator_prepare(zn_operator *op) { return zn_linsolver_factor(op->solver, op->matrix); }

zn_status zn_operator_solve(zn_operator *op, const double *b, double tolerance, double *x)
{
    return zn_linsolver_solve_to(op->solver, b, tolerance, x);
}

void zn_operator_apply(const zn_operator *op, const double *x, double *y) { zn_sparse_multiply(op->matrix, x, y); }

bool zn_operator_iterates(const zn_operator *op) { return zn_linsolver_iterates(op->solver); }
