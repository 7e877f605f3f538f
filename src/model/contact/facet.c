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
    static const double sign[2][4] = {{-1, 1, 1, -1}, {-1, -1, 1, 1}};
    if (corners == 4) {
        for (int a = 0; a < 4; a++) {
            double u = 1 + sign[0][a] * xi[0], v = 1 + sign[1][a] * xi[1];
            out->N[a] = u * v / 4;
            out->dN[0][a] = sign[0][a] * v / 4;
            out->dN[1][a] = sign[1][a] * u / 4;
        }
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

// A for a point that is d away from X; bent: with the second derivative.
static void metric(int corners, const zn_foot *f, zn_vec3 d, bool bent, double A[2][2])
{
    A[0][0] = zn_vec3_dot(f->g[0], f->g[0]);
    A[0][1] = A[1][0] = 0, A[1][1] = 1;
    if (corners == 2)
        return;
    A[1][1] = zn_vec3_dot(f->g[1], f->g[1]);
    A[0][1] = A[1][0] = zn_vec3_dot(f->g[0], f->g[1]) - (bent ? zn_vec3_dot(f->twist, d) : 0);
}

static bool solve(double A[2][2], const double b[2], double x[2])
{
    double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    if (!(det > 1e-24 * A[0][0] * A[1][1]))
        return false;
    x[0] = (b[0] * A[1][1] - b[1] * A[0][1]) / det;
    x[1] = (b[1] * A[0][0] - b[0] * A[1][0]) / det;
    return true;
}

static zn_vec3 evaluate(int corners, const double xi[2], const zn_vec3 *x, zn_vec3 point, zn_foot *out)
{
    shape(corners, xi, out);
    for (int k = 0; k < 2; k++)
        out->g[k] = combine(corners, out->dN[k], x);
    return zn_vec3_sub(point, combine(corners, out->N, x));
}

// One step reaches the foot where nothing is bent; the limits keep Newton's method near the facet.
static bool find_foot(int corners, const zn_vec3 *x, zn_vec3 point, double xi[2], zn_foot *out)
{
    static const double twist[4] = {0.25, -0.25, 0.25, -0.25};
    out->twist = corners == 4 ? combine(4, twist, x) : (zn_vec3){0, 0, 0};
    for (int step = 0; step < 20; step++) {
        zn_vec3 d = evaluate(corners, xi, x, point, out);
        double  F[2] = {zn_vec3_dot(out->g[0], d), zn_vec3_dot(out->g[1], d)}, A[2][2], change[2];
        double  enough = 1e-9; // of Newton's method, what is left is the square of that
        metric(corners, out, d, true, A);
        if (!solve(A, F, change)) {
            enough = 1e-12;
            metric(corners, out, d, false, A);
            if (!solve(A, F, change))
                return false;
        }
        for (int k = 0; k < 2; k++)
            xi[k] = corners == 4 ? fmin(fmax(xi[k] + change[k], -3), 3) : xi[k] + change[k];
        if (corners < 4 ? step == 1 : fabs(change[0]) + fabs(change[1]) < enough)
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

bool zn_facet_project(int corners, const zn_vec3 *x, zn_vec3 point, zn_foot *out)
{
    zn_vec3 near[ZN_FACET_CORNERS]; // seen from the first corner, which keeps small facets far away exact
    double  xi[2] = {0, 0};
    for (int a = 0; a < corners; a++)
        near[a] = zn_vec3_sub(x[a], x[0]);
    point = zn_vec3_sub(point, x[0]);
    if (!find_foot(corners, near, point, xi, out))
        return false;
    zn_vec3 d = evaluate(corners, xi, near, point, out);
    zn_vec3 m = corners == 2 ? turned(out->g[0]) : zn_vec3_cross(out->g[0], out->g[1]);
    out->stretch = zn_vec3_norm(m);
    if (!(out->stretch > 0) || !isfinite(out->stretch))
        return false;
    out->normal = zn_vec3_scale(1 / out->stretch, m);
    out->tangent[0] = zn_vec3_scale(1 / zn_vec3_norm(out->g[0]), out->g[0]);
    out->tangent[1] = zn_vec3_cross(out->normal, out->tangent[0]);
    out->gap = zn_vec3_dot(out->normal, d);
    out->margin = nearest_edge(corners, near, zn_vec3_sub(point, d), &out->edge);
    out->distance = fabs(out->gap);
    if (!is_inside(corners, xi, out)) {
        out->margin = -out->margin;
        out->distance = nearest_edge(corners, near, point, &out->edge);
    }
    return true;
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
    metric(corners, foot, d, true, A);
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
