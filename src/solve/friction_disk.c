// A follower by itself: a moment in a disk whose radius is known, |r| <= g, u = W r + q opposite to r on its border.
//
// Inside u = 0. On the border u = -k r with k >= 0,
//     (W + k I) r = -q,   |r| = g,
// and 1/|r| - 1/g, nearly a line in k, has its root found by Newton's method between bounds.
//
// Reference: J. J. More, D. C. Sorensen, SIAM J. Sci. Stat. Comput. 4 (1983) 553-572.
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "solve/friction.h"

static bool solve_line(double W, double q, double radius, double *r)
{
    double free = W > 0 ? -q / W : q > 0 ? -INFINITY : q < 0 ? INFINITY : r[0];
    r[0] = fmin(fmax(free, -radius), radius);
    return !isnan(q);
}

typedef struct point {
    double r[2], length, slope; // of 1/|r| along k
} point;

// False when W + k I is singular or has a negative eigenvalue.
static bool evaluate(const double *W, int stride, const double *q, double k, point *out)
{
    double a = W[0] + k, d = W[stride + 1] + k, main = a * d, cross = W[1] * W[stride], det = main - cross;
    if (!(det > 16 * DBL_EPSILON * (fabs(main) + fabs(cross)) && a + d > 0))
        return false;
    double x = (W[1] * q[1] - d * q[0]) / det, y = (W[stride] * q[0] - a * q[1]) / det;
    double dx = (W[1] * y - d * x) / det, dy = (W[stride] * x - a * y) / det; // dr / dk
    *out = (point){{x, y}, sqrt(x * x + y * y), 0};
    out->slope = -(x * dx + y * dy) / (out->length * out->length * out->length);
    return true;
}

// k between bounds, beginning with that of a disk with equal rows.
static bool find_border(const double *W, int stride, const double *q, double radius, point *at)
{
    double low = 0, high = INFINITY, mean = 0.5 * (W[0] + W[stride + 1]), k = hypot(q[0], q[1]) / radius - mean;
    if (!(k > 0))
        k = mean;
    for (int step = 0; step < 200; step++) {
        bool there = evaluate(W, stride, q, k, at);
        if (there && fabs(at->length - radius) <= 4 * DBL_EPSILON * radius)
            return true;
        if (!there || at->length > radius)
            low = k;
        else
            high = k;
        double next = there ? k - (1 / at->length - 1 / radius) / at->slope : k;
        if (!(next > low && next < high))
            next = high < INFINITY ? 0.5 * (low + high) : 16 * fmax(low, mean);
        if (!(next > low && next < high)) // no number between the two
            break;
        k = next;
    }
    return high < INFINITY && evaluate(W, stride, q, high, at);
}

bool zn_fc_solve_disk(int rows, const double *W, int stride, const double *q, double radius, double *r)
{
    ZN_ASSERT(rows >= 1 && rows <= 2 && stride >= rows && radius >= 0);
    point at;
    if (rows == 1)
        return solve_line(W[0], q[0], radius, r);
    bool idle = W[0] == 0 && W[stride + 1] == 0 && q[0] == 0 && q[1] == 0; // nothing turns
    if (radius == 0 || idle) {
        r[0] = r[1] = 0;
        return true;
    }
    bool inside = evaluate(W, stride, q, 0, &at) && at.length <= radius;
    if (!inside && (!find_border(W, stride, q, radius, &at) || !(at.length > 0)))
        return false;
    for (int k = 0; k < 2; k++) // on the border the direction is right; the length exactly so
        r[k] = inside ? at.r[k] : at.r[k] * (radius / at.length);
    return true;
}
