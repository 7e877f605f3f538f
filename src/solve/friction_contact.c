// One contact, solved exactly: open, stick or slip with one, two or three rows. Gauss-Seidel's inner step, and the
// closed form of a problem with a single contact.
//
// Reference: O. Bonnefon, G. Daviet, Quartic formulation of Coulomb 3D frictional contact, INRIA technical report
// (2011).
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "solve/friction.h"

// --- one contact without friction, and in the plane ----------------------------------------------

static inline bool solve_normal(int rows, double a, double q, double *r)
{
    if (!(q >= 0 || a > 0))
        return false;
    r[0] = q >= 0 ? 0 : -q / a;
    for (int k = 1; k < rows; k++)
        r[k] = 0;
    return true;
}

// Slip in direction t = +-1: r_T = -mu r_N t, t u_T >= 0.
static inline bool slip_planar(const double *W, int stride, const double *q, double mu, double t, double *r)
{
    double stiffness = W[0] - t * mu * W[1];
    if (!(stiffness > 0)) // q_N < 0 here: Painleve's paradox for this direction
        return false;
    double rn = -q[0] / stiffness, rt = -t * mu * rn;
    double first = W[stride] * rn, second = W[stride + 1] * rt;
    if (!(t * (first + second + q[1]) >= -16 * DBL_EPSILON * (fabs(first) + fabs(second) + fabs(q[1]))))
        return false;
    r[0] = rn;
    r[1] = rt;
    return true;
}

// Open, stick, slip. For positive definite W and moderate mu exactly one of them holds; where several do, the first in
// this order is taken: a contact that may open does, one that may stop does.
static inline bool solve_planar(const double *W, int stride, const double *q, double mu, double *r)
{
    if (q[0] >= 0) {
        r[0] = r[1] = 0;
        return true;
    }
    double main = W[0] * W[stride + 1], cross = W[1] * W[stride], det = main - cross, t = q[1] < 0 ? -1 : 1;
    if (fabs(det) > 16 * DBL_EPSILON * (fabs(main) + fabs(cross))) {
        double rn = (W[1] * q[1] - W[stride + 1] * q[0]) / det, rt = (W[stride] * q[0] - W[0] * q[1]) / det;
        if (rn >= 0 && fabs(rt) <= mu * rn) {
            r[0] = rn;
            r[1] = rt;
            return true;
        }
        t = rt < 0 ? 1 : -1;
    }
    return slip_planar(W, stride, q, mu, t, r) || slip_planar(W, stride, q, mu, -t, r);
}

// --- one contact in space ------------------------------------------------------------------------

// Slip has u_T = -k r_T with k = |u_T| / (mu r_N) >= 0. With r_N eliminated (u_N = 0),
//     (S + k I) r_T = -p,   S = W_TT - W_TN W_NT / W_NN,   p = q_T - W_TN q_N / W_NN,
// and k is the root of |r_T| = mu r_N; k = 0 is stick.
typedef struct spatial_contact {
    double inverse, b[2], q, mu; // a = 1/inverse: u_N = a r_N + b . r_T + q
    double S[4], p[2];
} spatial_contact;

typedef struct spatial_point {
    double rn, rt[2];
    double length;       // |r_T|
    double value, slope; // of 1/|r_T| - 1/(mu r_N), nearly a line in k; value < 0: k is too small
} spatial_point;

static inline spatial_contact reduce_spatial(const double *W, int stride, const double *q, double mu)
{
    ZN_ASSERT(W[0] > 0);
    spatial_contact s = {.inverse = 1 / W[0], .b = {W[1], W[2]}, .q = q[0], .mu = mu};
    for (int i = 0; i < 2; i++) {
        const double *row = W + (size_t)(i + 1) * stride;
        double        factor = row[0] * s.inverse;
        s.S[2 * i] = row[1] - factor * W[1];
        s.S[2 * i + 1] = row[2] - factor * W[2];
        s.p[i] = q[i + 1] - factor * q[0];
    }
    return s;
}

// False when S + k I is singular or has a negative eigenvalue: k is too small.
static inline bool evaluate(const spatial_contact *s, double k, spatial_point *out)
{
    double a = s->S[0] + k, d = s->S[3] + k, main = a * d, cross = s->S[1] * s->S[2], det = main - cross;
    out->value = -1;
    out->slope = 0;
    if (!(det > 16 * DBL_EPSILON * (fabs(main) + fabs(cross)) && a + d > 0))
        return false;
    double inverse = 1 / det;
    double x = inverse * (s->S[1] * s->p[1] - d * s->p[0]), y = inverse * (s->S[2] * s->p[0] - a * s->p[1]);
    out->rt[0] = x;
    out->rt[1] = y;
    out->rn = -s->inverse * (s->q + s->b[0] * x + s->b[1] * y);
    out->length = sqrt(x * x + y * y);
    if (!(out->rn > 0))
        return true;
    if (out->length == 0) {
        out->value = 1;
        return true;
    }
    double dx = inverse * (s->S[1] * y - d * x), dy = inverse * (s->S[2] * x - a * y); // d r_T / dk
    double l = 1 / out->length, normal = 1 / (s->mu * out->rn);
    out->value = l - normal;
    out->slope =
        -(x * dx + y * dy) * (l * l * l) - s->mu * s->inverse * (s->b[0] * dx + s->b[1] * dy) * (normal * normal);
    return true;
}

// A first k. From the reaction before, r_T != 0: k r_T = -(p + S r_T). Otherwise as if the tangents were alike and did
// not feel the normal, which is exact for a sphere.
static inline double guess_slip(const spatial_contact *s, const double *rt)
{
    ZN_ASSERT(!(s->q >= 0));
    double squares = rt[0] * rt[0] + rt[1] * rt[1];
    double x = s->p[0] + s->S[0] * rt[0] + s->S[1] * rt[1], y = s->p[1] + s->S[2] * rt[0] + s->S[3] * rt[1];
    if (squares > 0)
        return sqrt((x * x + y * y) / squares);
    return sqrt(x * x + y * y) / (-s->mu * s->inverse * s->q) - 0.5 * (s->S[0] + s->S[3]);
}

// Newton between two bounds, halving where it would leave them.
static bool find_slip(const spatial_contact *s, const double *rt, spatial_point *point)
{
    double low = 0, high = INFINITY, size = fabs(s->S[0]) + fabs(s->S[1]) + fabs(s->S[2]) + fabs(s->S[3]) + DBL_MIN;
    double k = guess_slip(s, rt);
    if (!(k > 0 && k <= DBL_MAX))
        k = size;
    for (int step = 0; step < 200; step++) {
        if (!evaluate(s, k, point) || point->value < 0)
            low = k;
        else
            high = k;
        if (point->rn > 0 && fabs(point->length - s->mu * point->rn) <= 4 * DBL_EPSILON * point->length)
            return true;
        double next = k - point->value / point->slope;
        if (!(next > low && next < high))
            next = high < INFINITY ? 0.5 * (low + high) : 16 * fmax(low, size);
        if (!(next > low && next < high)) // no number between the two
            break;
        k = next;
    }
    return high < INFINITY && evaluate(s, high, point) && point->rn > 0;
}

static inline bool solve_spatial(const double *W, int stride, const double *q, double mu, double *r)
{
    if (q[0] >= 0) {
        r[0] = r[1] = r[2] = 0;
        return true;
    }
    if (!(W[0] > 0))
        return false;
    spatial_contact s = reduce_spatial(W, stride, q, mu);
    spatial_point   point = {0};
    bool            sticks = evaluate(&s, 0, &point) && point.rn >= 0 && point.length <= mu * point.rn;
    if (!sticks) {
        if (!find_slip(&s, r + 1, &point) || !(point.length > 0))
            return false;
        for (int k = 0; k < 2; k++) // the direction is right; the length exactly so
            point.rt[k] *= mu * point.rn / point.length;
    }
    r[0] = point.rn;
    r[1] = point.rt[0];
    r[2] = point.rt[1];
    return true;
}

bool zn_fc_solve_contact(int rows, const double *W, int stride, const double *q, double mu, double *r)
{
    ZN_ASSERT(rows >= 1 && rows <= 3 && stride >= rows && !(mu < 0));
    if (rows == 1 || mu == 0)
        return solve_normal(rows, W[0], q[0], r);
    return rows == 2 ? solve_planar(W, stride, q, mu, r) : solve_spatial(W, stride, q, mu, r);
}
