/// Does a closed surface of triangles go through itself?
#ifndef ZN_MODEL_CONTACT_MESH_CROSS_H
#define ZN_MODEL_CONTACT_MESH_CROSS_H

#include "model/contact/mesh_shape.h"

/// ZN_ERR_MODEL, and in `message` where and what: an edge that goes through a triangle by more than rounding. Where
/// the boxes of very many triangles overlap, the search ends before it has seen all.
zn_status zn_mesh_check_crossing(const zn_mesh_shape *m, char *message, size_t size);

#endif
