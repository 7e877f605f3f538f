// The sphere, in the plane a disc. Its one feature is its centre: shape_pairs.c knows it.
#include "model/contact/shape.h"
#include "model/model.h"
#include "model/contact/solid.h"

static zn_status check(const zn_model *model, const zn_shape_def *def)
{
    return def->radius > 0 && isfinite(def->radius)
               ? ZN_OK
               : zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': radius %g m is not positive and finite", def->name,
                         def->radius);
}

static zn_drawing draw(const zn_shape_def *def, const void *data, bool planar)
{
    (void)data, (void)planar;
    return (zn_drawing){.kind = ZN_DRAWING_SPHERE, .radius = def->radius, .centre = def->at.at};
}

const zn_shape_ops zn_sphere_ops = {
    .name = "sphere", .convex = true, .sphere = true, .check = check, .solid = &zn_sphere_solid, .draw = draw};
