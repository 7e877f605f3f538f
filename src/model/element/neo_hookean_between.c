// Neo-Hookean material between two states (0: from, 1: to), by a discrete gradient of its energy. The energy depends on
// two invariants of C = I + 2 E, tr C and III = det C:
//     W = mu/2 (tr C - 3) + U(III),   U = -mu/2 L + lambda/8 L^2,   L = ln III = 2 ln J
// Each of them has an exact difference: tr is linear, and as det has degree three,
//     III_1 - III_0 = A:(C_1 - C_0),   A = mean of cof C on the straight way = cof C_m + cof(C_1 - C_0)/12
// So  S = mu I + 2 (U_1 - U_0)/(III_1 - III_0) A  is symmetric and S:(E_1 - E_0) = W_1 - W_0. Gonzalez (CMAME 190
// (2000) 1763-1783) makes up for the difference of energies along C_1 - C_0, which has to be divided by its square;
// here the only quotient is that of logarithms, smooth where the states meet. With
//     l = (L_1 - L_0)/(III_1 - III_0),   p = lambda (L_0 + L_1)/4:       S = mu (I - l A) + p l A
// Plane strain: C_zz = 1, and A = cof C_m in the plane. Plane stress, C_zz = c = exp(y): the energy that is left is one
// of tr C and L = ln det C in the plane, with dV/dL = -mu c/2; from L = -y - 2 mu/lambda (exp(y) - 1) follows
//     p = mu (1 - theta),   theta = d (lambda + mu (c_0 + c_1)) / (lambda + 2 mu d),   d = (c_1 - c_0)/(y_1 - y_0)
//
// Tangent at the end: dIII_1 = 2 cof C_1:Y, and A changes by the cross product of X = (C_0 + 2 C_1)/3 with Y,
//     det X (X^-1 (X^-1:Y) - X^-1 Y X^-1) = (Q (Q:Y) - Q Y Q)/det X,   Q = cof X;    in the plane tr Y I - Y
// Small strains keep their digits: A - I, 1 - l, p and the difference of III are computed from the strains.
#include "model/element/neo_hookean.h"

enum { SPACE = ZN_STRAINS_SPACE, PLANE = ZN_STRAINS_PLANE };

// Two strains, shears not doubled, and how cof C and det C go from one to the other.
typedef struct way {
    double E[2][SPACE];
    double B[SPACE]; // A - I
    double x0;       // III_0 - 1
    double x;        // III_1 / III_0 - 1
} way;

static void cofactor(const double X[SPACE], double out[SPACE])
{
    out[0] = X[1] * X[2] - X[4] * X[4];
    out[1] = X[2] * X[0] - X[5] * X[5];
    out[2] = X[0] * X[1] - X[3] * X[3];
    out[3] = X[5] * X[4] - X[3] * X[2];
    out[4] = X[3] * X[5] - X[4] * X[0];
    out[5] = X[3] * X[4] - X[5] * X[1];
}

static void make_space(way *w)
{
    double mean[SPACE], change[SPACE], cof_mean[SPACE], cof_change[SPACE], *E = w->E[0];
    for (int i = 0; i < SPACE; i++) {
        mean[i] = 0.5 * (w->E[0][i] + w->E[1][i]);
        change[i] = w->E[1][i] - w->E[0][i];
    }
    cofactor(mean, cof_mean);
    cofactor(change, cof_change);
    double trace = mean[0] + mean[1] + mean[2], rise = 0;
    for (int i = 0; i < SPACE; i++) {
        w->B[i] = 2 * ((i < 3 ? trace : 0) - mean[i]) + 4 * cof_mean[i] + cof_change[i] / 3;
        rise += (i < 3 ? 1 + w->B[i] : 2 * w->B[i]) * change[i];
    }
    cofactor(E, cof_mean);
    double third = E[0] * cof_mean[0] + E[3] * cof_mean[3] + E[5] * cof_mean[5];
    w->x0 = 2 * (E[0] + E[1] + E[2]) + 4 * (cof_mean[0] + cof_mean[1] + cof_mean[2]) + 8 * third;
    w->x = 2 * rise / (1 + w->x0);
}

static void make_plane(way *w)
{
    const double *E = w->E[0], *F = w->E[1];
    w->B[0] = E[1] + F[1];
    w->B[1] = E[0] + F[0];
    w->B[2] = -E[2] - F[2];
    double rise = (1 + w->B[0]) * (F[0] - E[0]) + (1 + w->B[1]) * (F[1] - E[1]) + 2 * w->B[2] * (F[2] - E[2]);
    w->x0 = 2 * (E[0] + E[1]) + 4 * (E[0] * E[1] - E[2] * E[2]);
    w->x = 2 * rise / (1 + w->x0);
}

// sinh(z)/z - 1 and its derivative.
static void sinh_ratio(double z, double *rest, double *slope)
{
    double s = z * z;
    if (s < 0.25) {
        *rest = s / 6 * (1 + s / 20 * (1 + s / 42 * (1 + s / 72 * (1 + s / 110))));
        *slope = z / 3 * (1 + s / 10 * (1 + s / 28 * (1 + s / 54 * (1 + s / 88))));
        return;
    }
    *rest = zn_sinh(z) / z - 1;
    *slope = (zn_cosh(z) - 1 - *rest) / z;
}

// p, and its derivative to III_1.
typedef struct bulk {
    double p, slope;
} bulk;

static bulk bulk_of(const zn_solid_material *m, const way *w)
{
    double third = (1 + w->x0) * (1 + w->x);
    return (bulk){0.25 * m->lambda * (2 * log1p(w->x0) + log1p(w->x)), 0.25 * m->lambda / third};
}

static bool bulk_of_plane_stress(const zn_solid_material *m, const way *w, bulk *out)
{
    double y[2], rest, slope, third = (1 + w->x0) * (1 + w->x), lambda = m->lambda, mu = m->mu;
    if (!zn_neo_hookean_across(m, w->x0, &y[0]) || !zn_neo_hookean_across(m, w->x0 + w->x + w->x0 * w->x, &y[1]))
        return false;
    double middle = expm1(0.5 * (y[0] + y[1])), rise[2] = {expm1(y[0]), expm1(y[1])}; // c - 1
    sinh_ratio(0.5 * (y[1] - y[0]), &rest, &slope);
    double d_rest = middle * (1 + rest) + rest, d = 1 + d_rest, sum = lambda + 2 * mu * d; // d - 1, d
    double d_slope = 0.5 * (1 + middle) * (1 + rest + slope);
    double whole = lambda + mu * (2 + rise[0] + rise[1]);
    double theta_slope = (d_slope * whole * lambda / sum + d * mu * (1 + rise[1])) / sum; // to y_1
    out->p = -mu * (lambda * d_rest + mu * d * (rise[0] + rise[1])) / sum;
    out->slope = mu * theta_slope * lambda / ((lambda + 2 * mu * (1 + rise[1])) * third);
    return true;
}

static void make_tangent(const zn_solid_material *m, const way *w, double l, double l_slope, bulk b,
                         zn_neo_hookean_between *out)
{
    double C[SPACE], X[SPACE], factor = b.p - m->mu;
    int    normals = m->planar ? 2 : 3, count = m->planar ? PLANE : SPACE;
    for (int i = 0; i < count; i++) {
        C[i] = (i < normals) + 2 * w->E[1][i];
        X[i] = (i < normals) + 2 * (w->E[0][i] + 2 * w->E[1][i]) / 3;
    }
    out->rank = 2 * (l_slope * factor + l * b.slope);
    out->product = l * factor;
    if (m->planar) {
        const double at_end[PLANE] = {C[1], C[0], -C[2]};
        for (int i = 0; i < count; i++) {
            out->cofactor[i] = at_end[i];
            out->metric[i] = i < normals;
        }
        return;
    }
    cofactor(C, out->cofactor);
    cofactor(X, out->metric);
    out->product /= X[0] * out->metric[0] + X[3] * out->metric[3] + X[5] * out->metric[5];
}

bool zn_neo_hookean_between_make(const zn_solid_material *m, const double *from, const double *to, bool tangent,
                                 zn_neo_hookean_between *out)
{
    int  normals = m->planar ? 2 : 3, count = m->planar ? PLANE : SPACE;
    way  w;
    bulk b;
    for (int i = 0; i < count; i++) {
        w.E[0][i] = (i < normals ? 1 : 0.5) * from[i];
        w.E[1][i] = (i < normals ? 1 : 0.5) * to[i];
    }
    if (m->planar)
        make_plane(&w);
    else
        make_space(&w);
    if (!(w.x0 > -1 && w.x > -1))
        return false;
    if (!m->plane_stress)
        b = bulk_of(m, &w);
    else if (!bulk_of_plane_stress(m, &w, &b))
        return false;
    double curve = zn_neo_hookean_log(w.x), third = 1 + w.x0;
    double l = (1 - w.x * curve) / third, l_rest = (w.x0 + w.x * curve) / third; // 1 - l
    for (int i = 0; i < count; i++) {
        out->mean[i] = (i < normals) + w.B[i];
        out->stress[i] = m->mu * ((i < normals ? l_rest : 0) - l * w.B[i]) + b.p * l * out->mean[i];
    }
    if (tangent)
        make_tangent(m, &w, l, (curve - 1 / (1 + w.x)) / (third * third), b, out);
    return true;
}
