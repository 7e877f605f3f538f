/// How high what a shape has around one of its features goes.
#ifndef ZN_MODEL_CONTACT_SHAPE_HEIGHT_H
#define ZN_MODEL_CONTACT_SHAPE_HEIGHT_H

#include "model/contact/shape.h"

/// The highest place along n, times n, in the axes of the body: of all of a convex shape, else of the feature, a face
/// of a mesh with those of its triangles that are around x. INFINITY: it does not end, or nothing of it is there.
double zn_shape_height(const zn_pair_shape *shape, int feature, bool planar, zn_vec3 x, zn_vec3 n);

#endif
