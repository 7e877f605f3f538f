/// Convex hulls in the plane.
#ifndef ZN_VIEW_FLAT_HULL_H
#define ZN_VIEW_FLAT_HULL_H

#include "zn/math.h"

/// Corners by x and y, counter-clockwise; their number. `point` is sorted, `hull` has room for count + 1.
int    zn_flat_hull(int count, zn_vec3 *point, zn_vec3 *hull);
double zn_flat_area(int count, const zn_vec3 *hull);

#endif
