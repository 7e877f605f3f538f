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

// A box that is turned against its body: its corners.
static zn_drawing turned(const zn_shape_def *def, bool planar, zn_vec3 *corner)
{
    int count = planar ? 4 : 8;
    for (int i = 0; i < count; i++) {
        bool    right = i % 4 == 1 || i % 4 == 2, top = i % 4 > 1; // around the rectangle
        zn_vec3 away = {right ? 0.5 * def->box.x : -0.5 * def->box.x, top ? 0.5 * def->box.y : -0.5 * def->box.y,
                        planar  ? 0
                        : i < 4 ? -0.5 * def->box.z
                                : 0.5 * def->box.z};
        corner[i] = zn_vec3_add(def->at.at, zn_quat_rotate(def->rotation, away));
    }
    return (zn_drawing){.kind = planar ? ZN_DRAWING_POLYGON : ZN_DRAWING_HULL, .point_count = count, .points = corner};
}

static zn_drawing draw(const zn_shape_def *def, bool planar, zn_vec3 *corner)
{
    if (fabs(def->rotation.w) != 1)
        return turned(def, planar, corner);
    return (zn_drawing){.kind = ZN_DRAWING_BOX, .size = def->box, .centre = def->at.at};
}

const zn_shape_ops zn_box_ops = {.name = "box", .check = check, .draw = draw};
