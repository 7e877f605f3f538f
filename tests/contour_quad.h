/// A second geometry of contours (contour_brute.h) in double and quadruple precision.
#ifndef ZN_TESTS_CONTOUR_QUAD_H
#define ZN_TESTS_CONTOUR_QUAD_H

#include "check.h"
#include "io/profile.h"

__extension__ typedef __float128 quad;

#define REAL       double
#define NAME(word) d_##word
#include "contour_brute.h"
#undef REAL
#undef NAME
#define REAL       quad
#define NAME(word) q_##word
#include "contour_brute.h"
#undef REAL
#undef NAME

/// The distance, with those pairs of sides in quadruple precision that double precision cannot tell from the nearest.
static inline q_closest q_distance_of(const zn_profile *a, double angle_a, zn_vec3 at_a, const zn_profile *b,
                                      double angle_b, zn_vec3 at_b)
{
    static double d[64][64];
    d_shape       A = d_place(a, angle_a, at_a), B = d_place(b, angle_b, at_b);
    q_shape       C = q_place(a, angle_a, at_a), D = q_place(b, angle_b, at_b);
    double        least = 1e9;
    q_closest     out = {1e9, false};
    for (int i = 0; i < A.count; i++)
        for (int j = 0; j < B.count; j++) {
            d_closest c = {1e9, false};
            d_sides(&A.side[i], &B.side[j], &c);
            d[i][j] = c.d;
            least = fmin(least, c.d);
        }
    for (int i = 0; i < A.count; i++)
        for (int j = 0; j < B.count; j++)
            if (d[i][j] < least + 1e-9)
                q_sides(&C.side[i], &D.side[j], &out);
    return out;
}

#endif
