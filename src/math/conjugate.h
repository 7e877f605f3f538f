/// Conjugate gradients for a symmetric positive definite matrix, of one process or in parts on many.
///
///     p = z - (z'A p / p'A p) p,   z about A^-1 r
///
/// is at right angles to the last p in the product of A whatever z is: a preconditioner need only nearly be symmetric
/// and the same each time, so that it may be in single precision (Y. Notay, SIAM J. Sci. Comput. 22 (2000) 1444-1460).
/// Near rounding, where r may be along A p, that leaves nothing of z: a factor of the wrong sign is taken as 0. There
/// r is not at right angles to the last p either, so that steps are r'p / p'A p with the new p, not r'z / p'A p.
/// Matrix, residual and answer are in double precision. Of many processes two sums to all are taken in an iteration:
/// |r - s A p| comes from r'A p and |A p|.
#ifndef ZN_MATH_CONJUGATE_H
#define ZN_MATH_CONJUGATE_H

#include "zn/math.h"

typedef struct zn_conjugate_ops {
    void (*quick)(void *user, const double *x, double *y);    ///< y = A x, to rounding
    void (*multiply)(void *user, const double *x, double *y); ///< by A itself, for the residual that decides
    zn_status (*precondition)(void *user, double length, const double *r, double *z); ///< length = |r|
    void (*share)(void *user, double *x);             ///< all copies of an unknown become that of its owner; NULL
    void (*add)(void *user, double *sums, int count); ///< over all processes; NULL: this is the only one
} zn_conjugate_ops;

typedef struct zn_conjugate {
    int                     n;
    const bool             *owned; ///< n; NULL: all
    const zn_conjugate_ops *ops;
    void                   *user;
    double                  size; ///< of the matrix, for rounding
    double                  skew; ///< what `quick` may leave out of it, relative to that
    double                 *r, *z, *p, *Ap;
    int64_t                 iterations; ///< of all solves
} zn_conjugate;

zn_status zn_conjugate_create(int n, const bool *owned, const zn_conjugate_ops *ops, void *user, zn_conjugate *out);
void      zn_conjugate_destroy(zn_conjugate *c); ///< accepts an empty one
/// |b - A x| <= tolerance |b|, or as near to it as rounding allows, from the guess in x on. ZN_SINGULAR: the matrix is
/// not positive definite.
zn_status zn_conjugate_solve(zn_conjugate *c, const double *b, double tolerance, double *x);

#endif
