/// Two convex edges that are inside each other: a point that is behind all of their faces.
#ifndef ZN_MODEL_CONTACT_MESH_WEDGES_H
#define ZN_MODEL_CONTACT_MESH_WEDGES_H

#include "zn/math.h"

/// What is behind the two faces of an edge through `at`.
typedef struct zn_wedge {
    zn_vec3 at, normal[2];
} zn_wedge;

/// `beyond`: unit, in the plane of each face, across the edge and out of the face.
zn_wedge zn_wedge_of(zn_vec3 at, zn_vec3 along, const zn_vec3 beyond[2]);

/// The point that is behind all faces by a length, and nearest to the middle between the edges: edges may be so sharp
/// that the middle itself is beside them, and nearly along each other they are in each other far from where they cross.
/// False: there is none.
bool zn_wedges_inner(const zn_wedge *a, const zn_wedge *b, double behind, zn_vec3 *out);

#endif
