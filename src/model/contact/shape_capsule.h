/// Capsules in space: numbers of their features, and where their line is, in the axes of the body.
#ifndef ZN_MODEL_CONTACT_SHAPE_CAPSULE_H
#define ZN_MODEL_CONTACT_SHAPE_CAPSULE_H

#include "model/contact/shape.h"

enum { ZN_CAPSULE_LINE = 2 }; ///< 0 and 1: the ends

zn_vec3 zn_capsule_axis(const zn_pair_shape *shape);
zn_vec3 zn_capsule_end(const zn_pair_shape *shape, int end);

#endif
