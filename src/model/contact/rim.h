/// A rim: a circle that a body carries, and its point that is nearest to or farthest from a plane or an axis.
#ifndef ZN_MODEL_CONTACT_RIM_H
#define ZN_MODEL_CONTACT_RIM_H

#include "zn/math.h"

/// Directions are unit vectors from the centre of the circle to the point; u is the unit axis of the circle.

/// The lowest point over a plane with the normal n. Flat on the plane any point is.
zn_vec3 zn_rim_lowest(zn_vec3 u, zn_vec3 n);
/// Its change, with u and n.
zn_vec3 zn_rim_lowest_change(zn_vec3 u, zn_vec3 n, zn_vec3 du, zn_vec3 dn);

/// A circle of radius r about a point d off the axis e (unit, d across it): the point that is nearest to the axis, or
/// farthest from it.
zn_vec3 zn_rim_extreme(zn_vec3 u, zn_vec3 e, zn_vec3 d, double r, bool farthest);

#endif
