/// Vectors in quadruple precision, for judges of geometry.
#ifndef ZN_TESTS_QUAD_H
#define ZN_TESTS_QUAD_H

#include <math.h>

#include "zn/math.h"

__extension__ typedef __float128 quad;

typedef struct quad3 {
    quad x, y, z;
} quad3;

static inline quad quad_sqrt(quad a)
{
    quad x = (quad)sqrt((double)a);
    if (!(a > 0))
        return 0;
    for (int i = 0; i < 3; i++)
        x = (x + a / x) / 2;
    return x;
}

static inline quad  quad_abs(quad a) { return a < 0 ? -a : a; }
static inline quad3 quad_of(zn_vec3 a) { return (quad3){a.x, a.y, a.z}; }
static inline quad3 quad_add(quad3 a, quad3 b) { return (quad3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline quad3 quad_sub(quad3 a, quad3 b) { return (quad3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline quad3 quad_scale(quad s, quad3 a) { return (quad3){s * a.x, s * a.y, s * a.z}; }
static inline quad  quad_dot(quad3 a, quad3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline quad  quad_norm(quad3 a) { return quad_sqrt(quad_dot(a, a)); }
static inline quad3 quad_unit(quad3 a) { return quad_scale(1 / quad_norm(a), a); }
static inline quad3 quad_cross(quad3 a, quad3 b)
{
    return (quad3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline quad3   quad_across(quad3 a, quad3 u) { return quad_sub(a, quad_scale(quad_dot(a, u), u)); }
static inline zn_vec3 quad_round(quad3 a) { return (zn_vec3){(double)a.x, (double)a.y, (double)a.z}; }

#endif
