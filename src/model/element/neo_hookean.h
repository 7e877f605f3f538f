/// Neo-Hookean material: functions of the volume, and the material between two states.
#ifndef ZN_MODEL_ELEMENT_NEO_HOOKEAN_H
#define ZN_MODEL_ELEMENT_NEO_HOOKEAN_H

#include <math.h>

#include "model/element/solid_material.h"

/// (x - ln(1 + x)) / x^2 without cancellation: with s = x/(2 + x), ln(1 + x) = 2 (s + s^3/3 + s^5/5 + ...) and
/// x - 2 s = x s.
static inline double zn_neo_hookean_log(double x)
{
    if (fabs(x) > 0.1)
        return (x - log1p(x)) / (x * x);
    double r = 1 / (2 + x), s = x * r, square = s * s;
    double sum = 1.0 / 9 + square * (1.0 / 11 + square / 13);
    return r - 2 * r * r * s * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square * sum)));
}

/// Plane stress: y = ln C_zz that leaves no stress across the plane, x = det C - 1 in the plane. False: there is none.
bool zn_neo_hookean_across(const zn_solid_material *m, double x, double *y);

/// Stress between two states and its tangent at the end, tensors as vectors of their entries (xx, yy, zz, xy, yz, zx;
/// xx, yy, xy in the plane), shears not doubled. With Y a change of the strain at the end:
///     dS = rank mean (cofactor:Y) + product (metric (metric:Y) - metric Y metric)
typedef struct zn_neo_hookean_between {
    double stress[ZN_STRAINS_SPACE];
    double mean[ZN_STRAINS_SPACE]; ///< mean cofactor of C on the way
    // the tangent
    double cofactor[ZN_STRAINS_SPACE], metric[ZN_STRAINS_SPACE];
    double rank, product;
} zn_neo_hookean_between;

/// Strains as those of the material, shears doubled. S:(E1 - E0) is W1 - W0 to rounding, however far apart they are.
/// False when one of the states does not exist.
bool zn_neo_hookean_between_make(const zn_solid_material *m, const double *from, const double *to, bool tangent,
                                 zn_neo_hookean_between *out);

#endif
