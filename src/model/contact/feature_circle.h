/// The normal between a circle and a point, a line or another circle.
#ifndef ZN_MODEL_CONTACT_FEATURE_CIRCLE_H
#define ZN_MODEL_CONTACT_FEATURE_CIRCLE_H

#include "model/contact/feature.h"

/// Unit, from b to a, in whatever axes both are: where the separation n.(x_a - x_b) is stationary, x the points that n
/// says. Against a point that is the nearest point of the circle, against a line the nearest one with n out of the
/// solid (the axis of a circle points out of it), against another circle the largest separation of the discs within
/// them; there the normal may be the axis of one of them, when the other is over the inside of its disc, and then any
/// of its points is x. One of a and b is a circle, the other no face. False: nothing says where it is (tangents that
/// touch and are parallel, a point on the circle or on its axis), or no normal out of the solid does.
bool zn_feature_circle_normal(const zn_feature *a, const zn_feature *b, zn_vec3 *n);

#endif
