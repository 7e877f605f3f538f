/// The normal between a circle and another feature.
#ifndef ZN_MODEL_CONTACT_FEATURE_CIRCLE_H
#define ZN_MODEL_CONTACT_FEATURE_CIRCLE_H

#include "model/contact/feature.h"

/// a, b: in world axes, one of them a circle, the other a circle, a point or an edge. The unit normal from b to a along
/// which they are farthest apart (see feature.c). False: there is none.
bool zn_feature_circle_normal(const zn_feature *a, const zn_feature *b, zn_vec3 *n);

#endif
