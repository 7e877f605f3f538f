/// Is a surface of triangles the boundary of a solid? Closed, one side out, without gaps of width zero.
#ifndef ZN_MODEL_CONTACT_MESH_CHECK_H
#define ZN_MODEL_CONTACT_MESH_CHECK_H

#include "zn/math.h"

/// An edge of a closed surface: from a to b in the first triangle, back in the second.
typedef struct zn_mesh_edge {
    int a, b, triangle[2];
} zn_mesh_edge;

/// The surface whose triangles (three corners each, those with less than three points are no part of it) are
/// counter-clockwise seen from outside. On a fault `message` says which, how often and where first. Edges in the order
/// of their points are to be freed; NULL: not asked for. What crosses itself: mesh_cross.h.
zn_status zn_mesh_check(int points, const zn_vec3 *point, int triangles, const int *corner, int *edges,
                        zn_mesh_edge **edge, char *message, size_t size);

#endif
