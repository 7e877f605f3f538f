/// Shapes in space as solids: how far a point is from one, and points of it. By these it is seen at the start of a run
/// who is inside whom, however deep, without asking which features meet.
#ifndef ZN_MODEL_CONTACT_SOLID_H
#define ZN_MODEL_CONTACT_SOLID_H

#include "model/contact/shape.h"

/// All in the axes of the body.
struct zn_solid_ops {
    /// Distance of a point from the surface, negative inside.
    double (*distance)(const zn_pair_shape *shape, zn_vec3 point);
    /// Balls that the solid holds, of any radius: corners, and points in the middle of edges and faces. False: there
    /// are not so many.
    bool (*sample)(const zn_pair_shape *shape, int index, zn_vec3 *centre, double *radius);
};

extern const zn_solid_ops zn_sphere_solid, zn_polyhedron_solid, zn_capsule_solid, zn_cylinder_solid, zn_mesh_solid;

/// The pair of shapes of a rule that are inside each other most, as far as their samples tell.
/// An operation of contact.h.
zn_status zn_shape_pairs_overlap(const void *rule, const zn_layout *layout, const double *q, zn_contact_pair *pair,
                                 double *depth);

#endif
