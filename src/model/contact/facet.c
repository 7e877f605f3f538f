// The foot of a point p on X(xi) = sum N_a x_a solves F_k = g_k.(p - X) = 0, g_k = X,k, with
//     dF_k/dxi_l = -A_kl,   A_kl = g_k.g_l - X,kl.(p - X)
// directly on segments and triangles, by Newton's method on bilinear quadrilaterals, whose only second derivative is
// X,12. With p - X = gap n the gap changes by n.(dp - sum N_a dx_a): neither dn nor dxi counts. Both follow from F = 0:
//     A_kl dxi_l = g_k.(dp - sum N_a dx_a) + gap n.sum N_a,k dx_a
//     dn = (I - n n') dm / |m|,  m = g1 x g2 (segment: g1 turned),  dg_k = sum N_a,k dx_a + X,kl dxi_l
// Tangents are t1 = g1 / |g1|, which turns with the facet, and t2 = n x t1.
#include "model/contact/facet.h"

#include <float.h>
#include <string.h>

static zn_vec3 combine(int corners, const double *weight, const zn_vec3 *x)
{
    zn_vec3 sum = {0, 0, 0};
    for (int a = 0; a < corners; a++)
        sum = zn_vec3_add(sum, zn_vec3_scale(weight[a], x[a]));
    return sum;
}

static zn_vec3 turned(zn_vec3 g) { return (zn_vec3){g.y, -g.x, 0}; }

// Shape functions at xi: of a segment and a triangle on [0, 1], of a quadrilateral on [-1, 1].
static void shape(int corners, const double xi[2], zn_foot *out)
{
    if (corners == 4) {
        double left = (1 - xi[0]) / 4, right = (1 + xi[0]) / 4, below = 1 - xi[1], above = 1 + xi[1];
        out->N[0] = left * below, out->N[1] = right * below, out->N[2] = right * above, out->N[3] = left * above;
        out->dN[0][0] = -below / 4, out->dN[0][1] = below / 4, out->dN[0][2] = above / 4, out->dN[0][3] = -above / 4;
        out->dN[1][0] = -left, out->dN[1][1] = -right, out->dN[1][2] = right, out->dN[1][3] = left;
        return;
    }
    memset(out->dN, 0, sizeof out->dN);
    out->N[0] = 1 - xi[0] - (corners == 3 ? xi[1] : 0);
    out->N[1] = xi[0];
    out->dN[0][0] = -1, out->dN[0][1] = 1;
    if (corners == 3) {
        out->N[2] = xi[1];
        out->dN[1][0] = -1, out->dN[1][2] = 1;
    }
}

// X(xi) = at + xi_1 along[0] + xi_2 along[1] + xi_1 xi_2 twist: the same for all kinds of facets.
typedef struct form {
    int     corners;
    zn_vec3 at, along[2], twist;
} form;

static zn_vec3 quarter(zn_vec3 a, zn_vec3 b) { return zn_vec3_scale(0.25, zn_vec3_add(a, b)); }

// The first corner is at 0.
static form form_of(int corners, const zn_vec3 *x)
{
    zn_vec3 zero = {0, 0, 0};
    if (corners < 4)
        return (form){corners, zero, {x[1], corners == 3 ? x[2] : zero}, zero};
    zn_vec3 first = zn_vec3_sub(x[2], x[3]), second = zn_vec3_sub(x[3], x[1]);
    return (form){corners,
                  quarter(zn_vec3_add(x[1], x[2]), x[3]),
                  {quarter(x[1], first), quarter(x[2], second)},
                  quarter(first, zn_vec3_scale(-1, x[1]))};
}

// A for a point that is d away from X; bent: with the second derivative.
static void metric(int corners, const zn_vec3 *g, zn_vec3 twist, zn_vec3 d, bool bent, double A[2][2])
{
    A[0][0] = zn_vec3_dot(g[0], g[0]);
    A[0][1] = A[1][0] = 0, A[1][1] = 1;
    if (corners == 2)
        return;
    A[1][1] = zn_vec3_dot(g[1], g[1]);
    A[0][1] = A[1][0] = zn_vec3_dot(g[0], g[1]) - (bent ? zn_vec3_dot(twist, d) : 0);
}

static bool solve(double A[2][2], const double b[2], double x[2])
{
    double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    if (!(det > 1e-24 * A[0][0] * A[1][1]))
        return false;
    double inverse = 1 / det;
    x[0] = (b[0] * A[1][1] - b[1] * A[0][1]) * inverse;
    x[1] = (b[1] * A[0][0] - b[0] * A[1][0]) * inverse;
    return true;
}

// The sides g at xi; returns how far the point is away.
static zn_vec3 sides_at(const form *f, const double xi[2], zn_vec3 point, zn_vec3 g[2])
{
    g[0] = zn_vec3_add(f->along[0], zn_vec3_scale(xi[1], f->twist));
    g[1] = zn_vec3_add(f->along[1], zn_vec3_scale(xi[0], f->twist));
    zn_vec3 X = zn_vec3_add(f->at, zn_vec3_add(zn_vec3_scale(xi[0], f->along[0]), zn_vec3_scale(xi[1], g[1])));
    return zn_vec3_sub(point, X);
}

static double limited(double x) { return x < -3 ? -3 : x > 3 ? 3 : x; }

// Has Newton's method arrived after this change? What is left is its square times |F,kl| / |A|, where |F,kl| is about
// 3 |twist| |g|: most facets are hardly bent. Without the second derivative in A it is not.
static bool is_enough(double A[2][2], double bend, double enough, double change)
{
    if (change < enough)
        return true;
    double sum = A[0][0] + A[1][1], det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    return enough > 1e-12 && 4 * bend * sum * sqrt(sum) * change * change < 1e-18 * det;
}

// One step reaches the foot where nothing is bent; the limits keep Newton's method near the facet.
static bool find_foot(const form *f, zn_vec3 point, double xi[2])
{
    double bend = f->corners == 4 ? zn_vec3_norm(f->twist) : 0;
    for (int step = 0; step < 20; step++) {
        zn_vec3 g[2], d = sides_at(f, xi, point, g);
        double  F[2] = {zn_vec3_dot(g[0], d), zn_vec3_dot(g[1], d)}, A[2][2], change[2];
        double  enough = 1e-9; // of Newton's method, what is left is the square of that
        metric(f->corners, g, f->twist, d, true, A);
        if (!solve(A, F, change)) {
            enough = 1e-12;
            metric(f->corners, g, f->twist, d, false, A);
            if (!solve(A, F, change))
                return false;
        }
        for (int k = 0; k < 2; k++)
            xi[k] = f->corners == 4 ? limited(xi[k] + change[k]) : xi[k] + change[k];
        if (f->corners < 4 ? step == 1 : is_enough(A, bend, enough, fabs(change[0]) + fabs(change[1])))
            return true;
    }
    return false;
}

// Square of the distance of p from the line between two points; a point when they are the same.
static double edge_square(zn_vec3 from, zn_vec3 to, zn_vec3 p)
{
    zn_vec3 along = zn_vec3_sub(to, from), d = zn_vec3_sub(p, from);
    double  square = zn_vec3_dot(along, along), s = square > 0 ? zn_vec3_dot(along, d) / square : 0;
    zn_vec3 across = zn_vec3_sub(d, zn_vec3_scale(s < 0 ? 0 : s > 1 ? 1 : s, along));
    return zn_vec3_dot(across, across);
}

static double nearest_edge(int corners, const zn_vec3 *x, zn_vec3 p, int *edge)
{
    double least = DBL_MAX;
    for (int a = 0; a < corners; a++) {
        int    next = corners == 2 ? a : a + 1 < corners ? a + 1 : 0;
        double square = edge_square(x[a], x[next], p);
        if (square < least) {
            least = square;
            *edge = a;
        }
    }
    return sqrt(least);
}

static bool is_inside(int corners, const double xi[2], const zn_foot *f)
{
    if (corners == 4)
        return fabs(xi[0]) <= 1 && fabs(xi[1]) <= 1;
    for (int a = 0; a < corners; a++)
        if (f->N[a] < 0)
            return false;
    return true;
}

zn_vec3 zn_facet_normal(int corners, const zn_vec3 *x)
{
    zn_vec3 first = zn_vec3_sub(x[corners == 4 ? 2 : 1], x[0]);
    zn_vec3 m = corners == 2 ? turned(first)
                             : zn_vec3_cross(first, corners == 4 ? zn_vec3_sub(x[3], x[1]) : zn_vec3_sub(x[2], x[0]));
    double length = zn_vec3_norm(m);
    return length > 0 ? zn_vec3_scale(1 / length, m) : m;
}

// Not more than the distance of a foot inside from the nearest edge: the smallest height over the longest side, and
// half of that where the sides are not straight lines of xi.
static double least_margin(int corners, const double xi[2], const zn_foot *f, double first)
{
    if (corners == 2)
        return fmin(f->N[0], f->N[1]) * f->stretch;
    double second = zn_vec3_norm(f->g[1]), longer = first > second ? first : second;
    if (corners == 4) {
        double x = fabs(xi[0]), y = fabs(xi[1]);
        return 0.5 * (1 - (x > y ? x : y)) * f->stretch / longer;
    }
    return fmin(f->N[0], fmin(f->N[1], f->N[2])) * f->stretch / (first + second);
}

static bool project(int corners, const zn_vec3 *x, zn_vec3 point, bool whole, zn_foot *out)
{
    zn_vec3 near[ZN_FACET_CORNERS] = {{0, 0, 0}}; // seen from the first corner, which keeps small facets far away exact
    double  xi[2] = {0, 0};
    for (int a = 0; a < corners; a++)
        near[a] = zn_vec3_sub(x[a], x[0]);
    point = zn_vec3_sub(point, x[0]);
    form f = form_of(corners, near);
    if (!find_foot(&f, point, xi))
        return false;
    zn_vec3 d = sides_at(&f, xi, point, out->g);
    out->twist = f.twist;
    shape(corners, xi, out);
    zn_vec3 m = corners == 2 ? turned(out->g[0]) : zn_vec3_cross(out->g[0], out->g[1]);
    double  first = zn_vec3_norm(out->g[0]);
    out->stretch = zn_vec3_norm(m);
    if (!(out->stretch > 0) || !isfinite(out->stretch))
        return false;
    out->normal = zn_vec3_scale(1 / out->stretch, m);
    out->tangent[0] = zn_vec3_scale(1 / first, out->g[0]);
    out->tangent[1] = zn_vec3_cross(out->normal, out->tangent[0]);
    out->gap = zn_vec3_dot(out->normal, d);
    out->distance = fabs(out->gap);
    bool inside = is_inside(corners, xi, out);
    out->margin = inside && !whole ? least_margin(corners, xi, out, first)
                                   : nearest_edge(corners, near, zn_vec3_sub(point, d), &out->edge);
    if (!inside) {
        out->margin = -out->margin;
        out->distance = nearest_edge(corners, near, point, &out->edge);
    }
    return true;
}

bool zn_facet_project(int corners, const zn_vec3 *x, zn_vec3 point, zn_foot *out)
{
    return project(corners, x, point, true, out);
}

bool zn_facet_foot(int corners, const zn_vec3 *x, zn_vec3 point, zn_foot *out)
{
    out->edge = 0;
    return project(corners, x, point, false, out);
}

// Change of a / |a| with a.
static zn_vec3 unit_change(zn_vec3 unit, double length, zn_vec3 da)
{
    return zn_vec3_scale(1 / length, zn_vec3_sub(da, zn_vec3_scale(zn_vec3_dot(unit, da), unit)));
}

zn_foot_change zn_facet_change(int corners, const zn_foot *foot, const zn_vec3 *dx, zn_vec3 dp)
{
    zn_vec3 d = zn_vec3_scale(foot->gap, foot->normal), apart = zn_vec3_sub(dp, combine(corners, foot->N, dx)), dg[2];
    double  A[2][2], b[2], dxi[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        dg[k] = combine(corners, foot->dN[k], dx);
        b[k] = zn_vec3_dot(foot->g[k], apart) + zn_vec3_dot(d, dg[k]);
    }
    metric(corners, foot->g, foot->twist, d, true, A);
    solve(A, b, dxi); // it could be solved when the foot was found
    for (int k = 0; k < 2; k++)
        dg[k] = zn_vec3_add(dg[k], zn_vec3_scale(dxi[1 - k], foot->twist));
    zn_vec3 dm =
        corners == 2 ? turned(dg[0]) : zn_vec3_add(zn_vec3_cross(dg[0], foot->g[1]), zn_vec3_cross(foot->g[0], dg[1]));
    zn_foot_change out = {.normal = unit_change(foot->normal, foot->stretch, dm)};
    out.tangent[0] = unit_change(foot->tangent[0], zn_vec3_norm(foot->g[0]), dg[0]);
    out.tangent[1] =
        zn_vec3_add(zn_vec3_cross(out.normal, foot->tangent[0]), zn_vec3_cross(foot->normal, out.tangent[0]));
    for (int a = 0; a < corners; a++)
        out.N[a] = foot->dN[0][a] * dxi[0] + foot->dN[1][a] * dxi[1];
    return out;
}
