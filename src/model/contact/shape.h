/// Shapes of bodies for contacts between many of them. Each is a table in a file of its own, shape_NAME.c, and a line
/// in shape.c; spheres meet all of them.
#ifndef ZN_MODEL_CONTACT_SHAPE_H
#define ZN_MODEL_CONTACT_SHAPE_H

#include "model/contact/contact.h"
#include "model/contact/feature.h"
#include "model/rigid_row.h"

/// Where a sphere on A meets a shape on B.
typedef struct zn_meeting {
    zn_rigid A, B;
    zn_vec3  centre; ///< of the sphere
    double   radius;
    zn_vec3  normal; ///< out of the shape
    double   gap;
    double   bend; ///< k, see shape_pairs.c; starts as 0
    zn_mat3  keep; ///< P, in world axes; unused when bend is 0
} zn_meeting;

struct zn_shape_ops {
    const char *name;
    bool        sphere;
    zn_status (*check)(const zn_model *model, const zn_shape_def *def); ///< its sizes; a fault is logged
    /// The sphere a (its centre, and B, are in `at`) meets the shape b: normal, gap, bend and keep. The sphere: NULL,
    /// two of them meet in shape_pairs.c.
    void (*meet)(const zn_pair_shape *a, const zn_pair_shape *b, bool planar, zn_meeting *at);
    /// What contacts need of it and the def does not hold as it is, made once for the model, in the axes of its body.
    /// A fault is logged. NULL: nothing.
    zn_status (*create)(const zn_model *model, const zn_shape_def *def, void **data);
    void (*destroy)(void *data);
    /// Its feature `index`, in the axes of its body. Numbers are the shape's own business, and do not change.
    void (*feature)(const zn_pair_shape *shape, int index, bool planar, zn_feature *out);
    /// The box around it, in the axes of its body: centre and half sides. False: it does not end.
    bool (*bound)(const zn_pair_shape *shape, bool planar, zn_vec3 *centre, zn_vec3 *half);
    // how it is seen: one of these
    /// As a body, in its axes. `data` is what create has made; points, bulges and triangles of the drawing are borrowed
    /// from it for as long as the model lives.
    zn_drawing (*draw)(const zn_shape_def *def, const void *data, bool planar);
    /// As a surface without end: surface, through, direction.
    void (*surface)(const zn_shape_def *def, zn_contact_location *out);
};

extern const zn_shape_ops zn_sphere_ops, zn_box_ops, zn_plane_ops;

/// NULL: there is no such kind.
const zn_shape_ops *zn_shape_ops_of(zn_shape_kind kind);

/// Below this length a direction is lost in underflow.
#define ZN_NO_LENGTH 1e-150

#endif
