/// What slides past the edge of a mesh: as meet_past.h, but of what is around a corner only, as meshes may be hollow.
#ifndef ZN_MODEL_CONTACT_MESH_PAST_H
#define ZN_MODEL_CONTACT_MESH_PAST_H

#include "model/contact/mesh_near.h"
#include "model/contact/polyhedron.h"

/// A corner of a mesh or, where that is NULL, of a hull.
typedef struct zn_tip {
    const zn_mesh_shape *mesh;
    const zn_polyhedron *hull;
    int                  point;
} zn_tip;

/// A corner that moves with `velocity` comes against `normal` to the edge between that face and the one of normal
/// `beside`: is all around it in front of the other face, and stays so? `back`: rotation from the axes of the corner.
bool zn_tip_slides_past(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity, zn_vec3 normal,
                        zn_vec3 beside);

/// The same for a corner at x on a triangle of a mesh or a face of a hull, for all sides that are there and for faces
/// of the corner itself, which all of the other is in front of around x; then `beside` is the normal of the one that it
/// slides past, out of that.
bool zn_tip_past_triangle(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity,
                          const zn_mesh_shape *m, int triangle, zn_vec3 x, zn_vec3 *beside);
bool zn_tip_past_face(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity,
                      const zn_polyhedron *hull, int face, zn_vec3 x, zn_vec3 *beside);

zn_spread zn_spread_of_tip(zn_tip tip, const zn_mat3 *back);
zn_spread zn_spread_of_edge(zn_vec3 along, const zn_vec3 beyond[2]);

/// A face of the corner that all of the other body is in front of around its place, `out` being what it has there.
bool zn_tip_past_own(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity, zn_vec3 normal,
                     const zn_spread *out, zn_vec3 *beside);

#endif
