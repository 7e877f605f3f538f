/// Distances of cylinders and triangles: points that are projected from one to the other in turn come down to the
/// distance, slowly, and all of one above all of the other along their difference says from below how far.
#ifndef ZN_TESTS_MESH_ROD_H
#define ZN_TESTS_MESH_ROD_H

#include <math.h>
#include <stdbool.h>

#include "zn/math.h"

static inline zn_vec3 rod_ahead(zn_vec3 x, double s, zn_vec3 d) { return zn_vec3_add(x, zn_vec3_scale(s, d)); }

typedef struct rod {
    zn_vec3 centre, axis;
    double  radius, half;
} rod;

static inline zn_vec3 into_rod(const rod *c, zn_vec3 x)
{
    zn_vec3 d = zn_vec3_sub(x, c->centre);
    double  z = zn_vec3_dot(d, c->axis);
    zn_vec3 off = rod_ahead(d, -z, c->axis);
    double  away = zn_vec3_norm(off), side = away > c->radius ? c->radius / away : 1;
    return rod_ahead(rod_ahead(c->centre, fmax(-c->half, fmin(c->half, z)), c->axis), side, off);
}

static inline zn_vec3 onto_segment(zn_vec3 a, zn_vec3 b, zn_vec3 x)
{
    zn_vec3 u = zn_vec3_sub(b, a);
    return rod_ahead(a, fmax(0, fmin(1, zn_vec3_dot(zn_vec3_sub(x, a), u) / zn_vec3_dot(u, u))), u);
}

static inline zn_vec3 onto_triangle(const zn_vec3 t[3], zn_vec3 x)
{
    zn_vec3 u = zn_vec3_sub(t[1], t[0]), v = zn_vec3_sub(t[2], t[0]), m = zn_vec3_cross(u, v);
    zn_vec3 d = zn_vec3_sub(x, t[0]), best = t[0];
    double  mm = zn_vec3_dot(m, m), s = zn_vec3_dot(zn_vec3_cross(d, v), m) / mm,
           r = zn_vec3_dot(zn_vec3_cross(u, d), m) / mm;
    if (s >= 0 && r >= 0 && s + r <= 1)
        return rod_ahead(rod_ahead(t[0], s, u), r, v);
    for (int i = 0; i < 3; i++) {
        zn_vec3 y = onto_segment(t[i], t[(i + 1) % 3], x);
        if (zn_vec3_norm(zn_vec3_sub(y, x)) < zn_vec3_norm(zn_vec3_sub(best, x)))
            best = y;
    }
    return best;
}

// How far the rod is above the triangle along n.
static inline double rod_above(const rod *c, const zn_vec3 t[3], zn_vec3 n)
{
    double high = fmax(zn_vec3_dot(n, t[0]), fmax(zn_vec3_dot(n, t[1]), zn_vec3_dot(n, t[2])));
    return zn_vec3_dot(n, c->centre) - fabs(zn_vec3_dot(n, c->axis)) * c->half -
           c->radius * zn_vec3_norm(zn_vec3_cross(n, c->axis)) - high;
}

// From below, at least `within` if it can be; `*high`: from above. `sharp`: from a rim to a corner, which never touch.
static inline double rod_distance(const rod *c, const zn_vec3 t[3], double within, double *high, bool *sharp)
{
    zn_vec3 x = c->centre, y = t[0];
    double  low = -INFINITY;
    *high = INFINITY;
    for (int i = 0; i < 3000 && low<within && * high> low + 1e-9; i++) {
        x = into_rod(c, y);
        y = onto_triangle(t, x);
        zn_vec3 d = zn_vec3_sub(x, y);
        *high = zn_vec3_norm(d);
        low = fmax(low, *high > 0 ? rod_above(c, t, zn_vec3_scale(1 / *high, d)) : 0);
    }
    zn_vec3 d = zn_vec3_sub(x, c->centre);
    double  z = zn_vec3_dot(d, c->axis);
    bool    tip = false;
    for (int i = 0; i < 3; i++)
        tip |= zn_vec3_norm(zn_vec3_sub(y, t[i])) < 1e-6;
    *sharp = tip && c->half - fabs(z) < 1e-6 && c->radius - zn_vec3_norm(rod_ahead(d, -z, c->axis)) < 1e-6;
    return low;
}

#endif
