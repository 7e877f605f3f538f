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
zn_fc_local zn_fc_local_of(const double *W, int stride)
{
    zn_fc_local s = {.inverse = 1 / W[0], .b = {W[1], W[2]}};
    if (!(W[0] > 0))
        return (zn_fc_local){.inverse = -1};
    for (int i = 0; i < 2; i++) {
        const double *row = W + (size_t)(i + 1) * stride;
        s.factor[i] = row[0] * s.inverse;
        s.S[2 * i] = row[1] - s.factor[i] * W[1];
        s.S[2 * i + 1] = row[2] - s.factor[i] * W[2];
    }
    double main = s.S[0] * s.S[3], cross = s.S[1] * s.S[2], det = main - cross;
    s.regular = det > 16 * DBL_EPSILON * (fabs(main) + fabs(cross)) && s.S[0] + s.S[3] > 0;
    if (s.regular)
        for (int i = 0; i < 4; i++)
            s.stick[i] = (i == 0 || i == 3 ? s.S[3 - i] : -s.S[i]) / det;
    return s;
}

// One contact with what others do to it.
typedef struct spatial_contact {
    const zn_fc_local *l;
    double             q, mu, p[2];
} spatial_contact;

typedef struct spatial_point {
    double rn, rt[2];
    double length;       // |r_T|
    double turn[2];      // d r_T / dk
    double value, slope; // of 1/|r_T| - 1/(mu r_N), nearly a line in k; value < 0: k is too small
} spatial_point;

// Stick: r_T = -S^-1 p. False: it does not hold.
static inline bool find_stick(const spatial_contact *s, double *r)
{
    const zn_fc_local *l = s->l;
    double             x = -l->stick[0] * s->p[0] - l->stick[1] * s->p[1];
    double             y = -l->stick[2] * s->p[0] - l->stick[3] * s->p[1];
    double             rn = -l->inverse * (s->q + l->b[0] * x + l->b[1] * y), most = s->mu * rn;
    if (!(l->regular && rn >= 0 && x * x + y * y <= most * most))
        return false;
    r[0] = rn;
    r[1] = x;
    r[2] = y;
    return true;
}

// False when S + k I is singular or has a negative eigenvalue: k is too small.
static inline bool evaluate(const spatial_contact *s, double k, spatial_point *out)
{
    const zn_fc_local *l = s->l;
    double             a = l->S[0] + k, d = l->S[3] + k, main = a * d, cross = l->S[1] * l->S[2], det = main - cross;
    out->value = -1;
    out->slope = 0;
    if (!(det > 16 * DBL_EPSILON * (fabs(main) + fabs(cross)) && a + d > 0))
        return false;
    double inverse = 1 / det;
    double x = inverse * (l->S[1] * s->p[1] - d * s->p[0]), y = inverse * (l->S[2] * s->p[0] - a * s->p[1]);
    out->rt[0] = x;
    out->rt[1] = y;
    out->rn = -l->inverse * (s->q + l->b[0] * x + l->b[1] * y);
    out->length = sqrt(x * x + y * y);
    if (!(out->rn > 0))
        return true;
    if (out->length == 0) {
        out->value = 1;
        return true;
    }
    double dx = inverse * (l->S[1] * y - d * x), dy = inverse * (l->S[2] * x - a * y); // d r_T / dk
    out->turn[0] = dx;
    out->turn[1] = dy;
    double inward = 1 / out->length, normal = 1 / (s->mu * out->rn);
    out->value = inward - normal;
    out->slope = -(x * dx + y * dy) * (inward * inward * inward) -
                 s->mu * l->inverse * (l->b[0] * dx + l->b[1] * dy) * (normal * normal);
    return true;
}

// A first k. From the reaction before, r_T != 0: k r_T = -(p + S r_T). Otherwise as if the tangents were alike and did
// not feel the normal, which is exact for a sphere.
static inline double guess_slip(const spatial_contact *s, const double *rt)
{
    ZN_ASSERT(!(s->q >= 0));
    double        squares = rt[0] * rt[0] + rt[1] * rt[1];
    const double *S = s->l->S;
    double        x = s->p[0] + S[0] * rt[0] + S[1] * rt[1], y = s->p[1] + S[2] * rt[0] + S[3] * rt[1];
    if (squares > 0)
        return sqrt((x * x + y * y) / squares);
    return sqrt(x * x + y * y) / (-s->mu * s->l->inverse * s->q) - 0.5 * (S[0] + S[3]);
}

// A last step of Newton's method from a point near the root, without looking at what it leaves: the square of `near`.
static inline void polish(const spatial_contact *s, double step, spatial_point *point)
{
    for (int i = 0; i < 2; i++)
        point->rt[i] += step * point->turn[i];
    point->rn = -s->l->inverse * (s->q + s->l->b[0] * point->rt[0] + s->l->b[1] * point->rt[1]);
    point->length = sqrt(point->rt[0] * point->rt[0] + point->rt[1] * point->rt[1]);
}

// Newton between two bounds, halving where it would leave them.
static bool find_slip(const spatial_contact *s, const double *rt, double near, spatial_point *point)
{
    const double *S = s->l->S;
    double        low = 0, high = INFINITY, size = fabs(S[0]) + fabs(S[1]) + fabs(S[2]) + fabs(S[3]) + DBL_MIN;
    double        k = guess_slip(s, rt);
    if (!(k > 0 && k <= DBL_MAX))
        k = size;
    for (int step = 0; step < 200; step++) {
        if (!evaluate(s, k, point) || point->value < 0)
            low = k;
        else
            high = k;
        double next = k - point->value / point->slope, off = fabs(point->length - s->mu * point->rn);
        if (point->rn > 0 && off <= near * point->length && (next >= low && next <= high)) {
            polish(s, next - k, point);
            return point->rn > 0;
        }
        if (point->rn > 0 && off <= 4 * DBL_EPSILON * point->length)
            return true;
        if (!(next > low && next < high))
            next = high < INFINITY ? 0.5 * (low + high) : 16 * fmax(low, size);
        if (!(next > low && next < high)) // no number between the two
            break;
        k = next;
    }
    return high < INFINITY && evaluate(s, high, point) && point->rn > 0;
}

bool zn_fc_solve_local(const zn_fc_local *l, const double *q, double mu, double near, double *r)
{
    if (q[0] >= 0) {
        r[0] = r[1] = r[2] = 0;
        return true;
    }
    if (!(l->inverse > 0))
        return false;
    spatial_contact s = {l, q[0], mu, {q[1] - l->factor[0] * q[0], q[2] - l->factor[1] * q[0]}};
    spatial_point   point = {0};
    if (find_stick(&s, r))
        return true;
    if (!find_slip(&s, r + 1, near, &point) || !(point.length > 0))
        return false;
    double exactly = mu * point.rn / point.length; // the direction is right; the length exactly so
    r[0] = point.rn;
    r[1] = exactly * point.rt[0];
    r[2] = exactly * point.rt[1];
    return true;
}

static inline bool solve_spatial(const double *W, int stride, const double *q, double mu, double *r)
{
    zn_fc_local l = zn_fc_local_of(W, stride);
    return zn_fc_solve_local(&l, q, mu, ZN_FC_EXACTLY, r);
}

bool zn_fc_solve_contact(int rows, const double *W, int stride, const double *q, double mu, double *r)
{
    ZN_ASSERT(rows >= 1 && rows <= 3 && stride >= rows && !(mu < 0));
    if (rows == 1 || mu == 0)
        return solve_normal(rows, W[0], q[0], r);
    return rows == 2 ? solve_planar(W, stride, q, mu, r) : solve_spatial(W, stride, q, mu, r);
}
