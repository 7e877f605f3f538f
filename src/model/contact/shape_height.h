/// How high what a shape has around one of its features goes.
#ifndef ZN_MODEL_CONTACT_SHAPE_HEIGHT_H
#define ZN_MODEL_CONTACT_SHAPE_HEIGHT_H

#include "model/contact/shape.h"

/// The highest place of the feature along n, times n, in the axes of the body; of a face of a mesh that of its
/// triangles that the way from way[0] to way[1] leads over. INFINITY: it does not end, or nothing of it is there.
double zn_shape_height(const zn_pair_shape *shape, int feature, bool planar, const zn_vec3 way[2], zn_vec3 n);

#endif
