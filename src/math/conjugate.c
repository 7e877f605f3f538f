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

// Of what this process owns, nearly all of which is together.
static double dot_own(const zn_conjugate *c, const double *a, const double *b)
{
    static const bool all[4] = {true, true, true, true};
    zn_four           sums = {0};
    int               i = 0;
    if (!c->owned)
        return dot_all(c->n, a, b);
    for (; i + 4 <= c->n; i += 4)
        if (memcmp(c->owned + i, all, sizeof all) == 0)
            sums += *(const zn_four *)(a + i) * *(const zn_four *)(b + i);
        else
            for (int k = 0; k < 4; k++)
                sums[k] += c->owned[i + k] ? a[i + k] * b[i + k] : 0;
    for (; i < c->n; i++)
        sums[0] += c->owned[i] ? a[i] * b[i] : 0;
    return zn_four_sum(&sums);
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

// |r|, and what rounding has made of its square.
typedef struct measured {
    double length, noise;
} measured;

// |r - step A p|, whose square is known from sums that are there; not where rounding is seen in it.
static measured next_length(zn_conjugate *c, measured r, double step, double r_Ap, double Ap_Ap)
{
    const double much = 1e-4;
    double       square = r.length * r.length, next = square - 2 * step * r_Ap + step * step * Ap_Ap;
    r.noise += 16 * DBL_EPSILON * (square + step * step * Ap_Ap);
    if (r.noise <= much * next)
        return (measured){sqrt(next), r.noise};
    return (measured){length(c, c->r), 0};
}

// Until |r| <= `wanted` by the recursion, from the residual c->r of length `size` on.
static zn_status run(zn_conjugate *c, double size, double wanted, int *left, double *x)
{
    double   curvature = 1;
    measured now = {size, 0};
    for (bool first = true; now.length > wanted; first = false) {
        if ((*left)-- == 0)
            return ZN_NOT_CONVERGED;
        c->iterations++;
        ZN_TRY(c->ops->precondition(c->user, now.length, c->r, c->z));
        share(c, c->z); // copies of an unknown may be rounded in different ways
        double sums[3] = {dot_own(c, c->r, c->z), first ? 0 : dot_own(c, c->z, c->Ap),
                          first ? 0 : dot_own(c, c->r, c->p)};
        add(c, sums, 3);
        double ratio = fmax(-sums[1] / curvature, 0);
        for (int i = 0; i < c->n; i++)
            c->p[i] = first ? c->z[i] : c->z[i] + ratio * c->p[i];
        c->ops->quick(c->user, c->p, c->Ap);
        double after[3] = {dot_own(c, c->p, c->Ap), dot_own(c, c->r, c->Ap), dot_own(c, c->Ap, c->Ap)};
        add(c, after, 3);
        curvature = after[0];
        if (!(sums[0] > 0) || !(curvature > 0)) // neither is, of a matrix that is not positive definite
            return ZN_SINGULAR;
        double step = (sums[0] + ratio * sums[2]) / curvature;
        for (int i = 0; i < c->n; i++) {
            x[i] += step * c->p[i];
            c->r[i] -= step * c->Ap[i];
        }
        now = next_length(c, now, step, after[1], after[2]);
    }
    return ZN_OK;
}

// c->r = b - A x by one of the products, and its length; of x = 0 without.
static double residual(zn_conjugate *c, const double *b, void (*multiply)(void *user, const double *x, double *y),
                       const double *x)
{
    memcpy(c->r, b, sizeof *b * (size_t)c->n);
    share(c, c->r);
    if (multiply) {
        multiply(c->user, x, c->Ap);
        for (int i = 0; i < c->n; i++)
            c->r[i] -= c->Ap[i];
    }
    return length(c, c->r);
}

// What rounding may have hidden from a residual of x: with A itself, or with another that is `skew` off at most.
static double hidden(zn_conjugate *c, double size, double skew, const double *x)
{
    return (64 * DBL_EPSILON + skew) * (size + c->size * length(c, x));
}

// The residual itself decides, which the recursion leaves behind near rounding: from there on once more, as long as
// that helps.
static zn_status finish(zn_conjugate *c, const double *b, double size, double tolerance, int *iterations, double *x)
{
    double left = residual(c, b, c->ops->multiply, x), before = INFINITY;
    while (left > tolerance * size && left < 0.5 * before) {
        before = left;
        ZN_TRY(run(c, left, 0.5 * tolerance * size, iterations, x));
        left = residual(c, b, c->ops->multiply, x);
    }
    return left <= tolerance * size || left <= hidden(c, size, 0, x) ? ZN_OK : ZN_NOT_CONVERGED;
}

// Far from rounding the recursion tells what the residual is, and the product to rounding where it begins.
zn_status zn_conjugate_solve(zn_conjugate *c, const double *b, double tolerance, double *x)
{
    const double far = 16;
    int          iterations = MOST_ITERATIONS;
    share(c, x);
    double sums[2] = {dot_own(c, b, b), dot_own(c, x, x)};
    add(c, sums, 2);
    double size = sqrt(sums[0]), wanted = 0.5 * tolerance * size;
    bool   zero = size == 0 || sums[1] == 0; // relative to nothing no guess is good enough
    for (int i = 0; i < c->n && zero; i++)
        x[i] = 0;
    double left = residual(c, b, zero ? NULL : c->ops->quick, x);
    if (!isfinite(size) || !isfinite(left))
        return ZN_NOT_FINITE;
    if (left > 2 * wanted)
        ZN_TRY(run(c, left, wanted, &iterations, x));
    if (wanted >= far * hidden(c, size, c->skew, x))
        return ZN_OK;
    return finish(c, b, size, tolerance, &iterations, x);
}
