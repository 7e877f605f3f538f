// All kinds of shapes.
#include "model/contact/shape.h"

const zn_shape_ops *zn_shape_ops_of(zn_shape_kind kind)
{
    // clang-format off
    static const zn_shape_ops *const table[] = {
        [ZN_SHAPE_SPHERE] = &zn_sphere_ops,
        [ZN_SHAPE_BOX] = &zn_box_ops,
        [ZN_SHAPE_PLANE] = &zn_plane_ops,
        [ZN_SHAPE_CAPSULE] = &zn_capsule_ops,
        [ZN_SHAPE_CYLINDER] = &zn_cylinder_ops,
        [ZN_SHAPE_HULL] = &zn_hull_ops,
        [ZN_SHAPE_MESH] = &zn_mesh_ops,
        [ZN_SHAPE_CONTOUR] = &zn_contour_ops,
    };
    // clang-format on
    return (size_t)kind < sizeof table / sizeof *table ? table[kind] : NULL;
}
