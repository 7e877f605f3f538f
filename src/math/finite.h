/// Numbers that are finite.
#ifndef ZN_MATH_FINITE_H
#define ZN_MATH_FINITE_H

#include "zn/math.h"

static inline bool zn_finite3(zn_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

#endif
