/// Shapes of bodies for contacts between many of them. Each is a table in a file of its own, shape_NAME.c, and a line
/// in shape.c; how two of them meet is a line in meet.c.
#ifndef ZN_MODEL_CONTACT_SHAPE_H
#define ZN_MODEL_CONTACT_SHAPE_H

#include "model/contact/contact.h"
#include "model/contact/feature.h"
#include "model/rigid_row.h"

typedef struct zn_solid_ops zn_solid_ops; ///< see solid.h

struct zn_shape_ops {
    const char *name;
    bool        sphere;
    bool        convex; ///< in space, its contacts are as deep as it would have to be moved to part
    zn_status (*check)(const zn_model *model, const zn_shape_def *def); ///< its sizes; a fault is logged
    /// What contacts need of it and the def does not hold as it is, made once for the model, in the axes of its body.
    /// A fault is logged. NULL: nothing.
    zn_status (*create)(const zn_model *model, const zn_shape_def *def, void **data);
    void (*destroy)(void *data);
    /// Its feature `index` >= 0, in the axes of its body; false: there is none. Numbers are the shape's own business,
    /// and do not change. The sphere: NULL.
    bool (*feature)(const zn_pair_shape *shape, int index, bool planar, zn_feature *out);
    /// The box around it, in the axes of its body: centre and half sides. False: it does not end.
    bool (*bound)(const zn_pair_shape *shape, bool planar, zn_vec3 *centre, zn_vec3 *half);
    /// Radius of a ball about the centre of that box that holds it all. NULL: that of the box.
    double (*ball)(const zn_pair_shape *shape);
    const zn_solid_ops *solid; ///< in space: who is inside it. NULL: nobody knows
    // how it is seen: one of these
    /// As a body, in its axes. `data` is what create has made; points, bulges and triangles of the drawing are borrowed
    /// from it for as long as the model lives.
    zn_drawing (*draw)(const zn_shape_def *def, const void *data, bool planar);
    /// As a surface without end: surface, through, direction.
    void (*surface)(const zn_shape_def *def, zn_contact_location *out);
};

extern const zn_shape_ops zn_sphere_ops, zn_box_ops, zn_plane_ops;
extern const zn_shape_ops zn_capsule_ops;
extern const zn_shape_ops zn_cylinder_ops;
extern const zn_shape_ops zn_hull_ops;
extern const zn_shape_ops zn_mesh_ops;
extern const zn_shape_ops zn_contour_ops;

/// NULL: there is no such kind.
const zn_shape_ops *zn_shape_ops_of(zn_shape_kind kind);

/// Part of `check` of shapes that may be turned against their body.
zn_status zn_shape_check_rotation(const zn_model *model, const zn_shape_def *def);

/// Below this length a direction is lost in underflow.
#define ZN_NO_LENGTH 1e-150

#endif
