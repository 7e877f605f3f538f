/// Closed outlines of drawings in the plane of the body, as corners: arcs become many short sides.
#ifndef ZN_VIEW_OUTLINE_H
#define ZN_VIEW_OUTLINE_H

#include "zn/model.h"

/// Corners of a polygon with its arcs, in the plane of a capsule or a turned box; other drawings have none and need
/// none. `*out` is to be freed.
zn_status zn_outline_of(const zn_drawing *drawing, bool planar, int *count, zn_vec3 **out);

/// Is its outline something else than its points?
bool zn_outline_needed(const zn_drawing *drawing, bool planar);

#endif
