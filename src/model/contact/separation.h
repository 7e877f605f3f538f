/// How far apart two convex shapes are that are known by their farthest points alone.
#ifndef ZN_MODEL_CONTACT_SEPARATION_H
#define ZN_MODEL_CONTACT_SEPARATION_H

#include <zn/math.h>

/// Of all differences a - b of points a of the one shape and b of the other, one that is lowest along n, which is not
/// zero nor of length 1.
typedef zn_vec3 zn_lowest_difference(const void *user, zn_vec3 n);

typedef struct zn_separation {
    double  gap;    ///< what they are apart along the normal; below zero: they overlap, perhaps less along another one
    zn_vec3 normal; ///< of length 1; zero where no direction was tried
    int     asked;  ///< how often for a lowest difference
} zn_separation;

/// Along the direction along which they are farthest apart, if they are; or along the first one along which that is
/// `enough`. `first`: where to look first, about from b to a. `tiny`: a distance that is none.
zn_separation zn_separate(zn_lowest_difference *lowest, const void *user, zn_vec3 first, double tiny, double enough);

#endif
