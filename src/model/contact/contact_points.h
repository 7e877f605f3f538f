/// Rules of several points at once, which build_contact.c adds.
#ifndef ZN_MODEL_CONTACT_CONTACT_POINTS_H
#define ZN_MODEL_CONTACT_CONTACT_POINTS_H

#include "model/model.h"

/// The points of a contact, one or those of a set; checked.
typedef struct zn_contact_points {
    int            count;
    zn_attachment *point;
} zn_contact_points;

/// A rule of points, as small balls, against the shapes that the def names.
zn_status zn_model_add_points_shape(zn_model *model, const zn_contact_def *def, const zn_contact_points *points);
/// The corners of all shapes of that name as points of their bodies, allocated. A fault is logged.
zn_status zn_model_shape_corners(const zn_model *model, const char *contact, const char *shape, zn_contact_points *out);

bool zn_model_has_corners(const zn_model *model, const char *shape); ///< one of them

/// Unit vector along `a`, which `what` of the contact has.
zn_status zn_model_contact_unit(const zn_model *model, const char *name, const char *what, zn_vec3 a, zn_vec3 *out);
/// Unit tangents of a plane or slot, the first along the length of a bounded one.
zn_status zn_model_face_tangents(const zn_model *model, const zn_contact_def *def, zn_vec3 normal, zn_vec3 tangent[2]);

/// Nodes against a fixed plane without bounds; the law has been checked, the normal has unit length.
zn_status zn_model_add_nodes_plane(zn_model *model, const zn_contact_def *def, zn_vec3 normal,
                                   const zn_contact_points *points, int rows);
/// Points against the surface of a solid; the law has been checked.
zn_status zn_model_add_nodes_facets(zn_model *model, const zn_contact_def *def, const zn_contact_points *points,
                                    int rows);

#endif
