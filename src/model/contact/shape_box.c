// The box, in the plane a rectangle. With y the coordinates of the sphere's centre in the axes of the box, d = y - s:
//     outside  s = y clamped to the box,  g = |d| - r,  n = d / |d|
//     inside   the nearest face,          g = n.d - r,  n of the face
#include <math.h>

#include "model/contact/shape.h"
#include "math/finite.h"
#include "model/model.h"

static zn_status check(const zn_model *model, const zn_shape_def *def)
{
    zn_quat r = def->rotation;
    if (!zn_finite3(def->box) || !(def->box.x > 0 && def->box.y > 0 && (model->planar || def->box.z > 0)))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': a side of its box is not positive and finite",
                       def->name);
    if (!(fabs(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z - 1) < 1e-6))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': the rotation is not a unit quaternion", def->name);
    if (model->planar && (r.x != 0 || r.y != 0))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': in the plane a rectangle turns about z only", def->name);
    return ZN_OK;
}

static zn_drawing draw(const zn_shape_def *def, const void *data, bool planar)
{
    (void)data, (void)planar;
    return (zn_drawing){.kind = ZN_DRAWING_BOX, .size = def->box, .centre = def->at.at, .rotation = def->rotation};
}

const zn_shape_ops zn_box_ops = {.name = "box", .check = check, .draw = draw};
