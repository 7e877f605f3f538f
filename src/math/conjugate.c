// Conjugate gradients. See conjugate.h. Sums are taken in one order: equal bits for equal input.
#include "math/conjugate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/wide.h"

enum { MOST_ITERATIONS = 500 };

zn_status zn_conjugate_create(int n, const bool *owned, const zn_conjugate_ops *ops, void *user, zn_conjugate *out)
{
    *out = (zn_conjugate){.n = n, .owned = owned, .ops = ops, .user = user};
    out->r = ZN_NEW(double, n);
    out->z = ZN_NEW(double, n);
    out->p = ZN_NEW(double, n);
    out->Ap = ZN_NEW(double, n);
    return out->r && out->z && out->p && out->Ap ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_conjugate_destroy(zn_conjugate *c)
{
    free(c->r);
    free(c->z);
    free(c->p);
    free(c->Ap);
    *c = (zn_conjugate){0};
}

static double dot_all(int n, const double *a, const double *b)
{
    zn_four sums = {0};
    int     i = 0;
    for (; i + 4 <= n; i += 4)
        sums += *(const zn_four *)(a + i) * *(const zn_four *)(b + i);
    for (; i < n; i++)
        sums[0] += a[i] * b[i];
    return zn_four_sum(&sums);
}

// Of what this process owns.
static double dot_own(const zn_conjugate *c, const double *a, const double *b)
{
    double sum = 0;
    if (!c->owned)
        return dot_all(c->n, a, b);
    for (int i = 0; i < c->n; i++)
        sum += c->owned[i] ? a[i] * b[i] : 0;
    return sum;
}

static void add(const zn_conjugate *c, double *sums, int count)
{
    if (c->ops->add)
        c->ops->add(c->user, sums, count);
}

static void share(const zn_conjugate *c, double *x)
{
    if (c->ops->share)
        c->ops->share(c->user, x);
}

static double dot(const zn_conjugate *c, const double *a, const double *b)
{
    double sum = dot_own(c, a, b);
    add(c, &sum, 1);
    return sum;
}

static double length(const zn_conjugate *c, const double *a) { return sqrt(dot(c, a, a)); }

// Until |r| <= `wanted` by the recursion, from the residual c->r on.
static zn_status run(zn_conjugate *c, double wanted, int *left, double *x)
{
    double curvature = 1, size = length(c, c->r);
    for (bool first = true; size > wanted; first = false) {
        if ((*left)-- == 0)
            return ZN_NOT_CONVERGED;
        c->iterations++;
        ZN_TRY(c->ops->precondition(c->user, size, c->r, c->z));
        share(c, c->z); // copies of an unknown may be rounded in different ways
        double sums[3] = {dot_own(c, c->r, c->z), first ? 0 : dot_own(c, c->z, c->Ap),
                          first ? 0 : dot_own(c, c->r, c->p)};
        add(c, sums, 3);
        double ratio = fmax(-sums[1] / curvature, 0);
        for (int i = 0; i < c->n; i++)
            c->p[i] = first ? c->z[i] : c->z[i] + ratio * c->p[i];
        c->ops->quick(c->user, c->p, c->Ap);
        curvature = dot(c, c->p, c->Ap);
        if (!(sums[0] > 0) || !(curvature > 0)) // neither is, of a matrix that is not positive definite
            return ZN_SINGULAR;
        double step = (sums[0] + ratio * sums[2]) / curvature;
        for (int i = 0; i < c->n; i++) {
            x[i] += step * c->p[i];
            c->r[i] -= step * c->Ap[i];
        }
        size = length(c, c->r);
    }
    return ZN_OK;
}

// c->r = b - A x, and its length; of x = 0 without a product.
static double residual(zn_conjugate *c, const double *b, bool zero, const double *x)
{
    memcpy(c->r, b, sizeof *b * (size_t)c->n);
    share(c, c->r);
    if (!zero) {
        c->ops->multiply(c->user, x, c->Ap);
        for (int i = 0; i < c->n; i++)
            c->r[i] -= c->Ap[i];
    }
    return length(c, c->r);
}

// On all processes?
static bool is_zero(const zn_conjugate *c, const double *x)
{
    double others = 0;
    for (int i = 0; i < c->n && others == 0; i++)
        others = x[i] != 0;
    add(c, &others, 1);
    return others == 0;
}

// The residual itself decides, which the recursion leaves behind near rounding: from there on once more, as long as
// that helps.
zn_status zn_conjugate_solve(zn_conjugate *c, const double *b, double tolerance, double *x)
{
    int iterations = MOST_ITERATIONS;
    share(c, x);
    double size = length(c, b), left, before = INFINITY;
    for (int i = 0; i < c->n && size == 0; i++)
        x[i] = 0; // relative to nothing no guess is good enough
    left = residual(c, b, is_zero(c, x), x);
    if (!isfinite(size) || !isfinite(left))
        return ZN_NOT_FINITE;
    while (left > tolerance * size && left < 0.5 * before) {
        before = left;
        ZN_TRY(run(c, 0.5 * tolerance * size, &iterations, x));
        left = residual(c, b, false, x);
    }
    double rounding = 64 * DBL_EPSILON * (size + c->size * length(c, x));
    return left <= fmax(tolerance * size, rounding) ? ZN_OK : ZN_NOT_CONVERGED;
}
