/// Turns of two planar bodies, seen by a moment that acts on one and against the other. Moments work on the ways
/// 2 tan(Dphi/2) of turns (rigid_way.c). With a, b half the turns of `from` and `to`,
///     2 b - 2 a = g (2 tan b - 2 tan a),   g = u / sin u  cos a cos b,   u = b - a
/// so that g times the moment takes the energy of the difference of the angles.
#ifndef ZN_MODEL_ELEMENT_HALF_TURNS_H
#define ZN_MODEL_ELEMENT_HALF_TURNS_H

#include "zn/math.h"

typedef struct zn_half_turns {
    double g, change[2]; ///< dg/db, dg/da
} zn_half_turns;

/// u / sin u and its derivative.
static inline double zn_half_turns_ratio(double u, double *slope)
{
    double s = zn_sin(u), square = u * u;
    if (fabs(u) < 0.1) {
        *slope = u * (1.0 / 3 + square * (7.0 / 90 + square * (31.0 / 2520 + square * 127.0 / 75600)));
        return 1 + square * (1.0 / 6 + square * (7.0 / 360 + square * (31.0 / 15120 + square * 127.0 / 604800)));
    }
    *slope = (s - u * zn_cos(u)) / (s * s);
    return u / s;
}

static inline zn_half_turns zn_half_turns_of(double to, double from)
{
    double slope, r = zn_half_turns_ratio(to - from, &slope), both = zn_cos(to) * zn_cos(from);
    return (zn_half_turns){
        r * both, {slope * both - r * zn_cos(from) * zn_sin(to), -slope * both - r * zn_cos(to) * zn_sin(from)}};
}

#endif
