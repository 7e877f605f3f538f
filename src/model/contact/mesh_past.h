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

/// The same for a corner at x on a triangle of a mesh or a face of a hull, for all sides that are there.
bool zn_tip_past_triangle(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity,
                          const zn_mesh_shape *m, int triangle, zn_vec3 x);
bool zn_tip_past_face(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity,
                      const zn_polyhedron *hull, int face, zn_vec3 x);

#endif
