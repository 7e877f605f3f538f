// The box: in space a polyhedron, in the plane a rectangle, which is a contour.
#include <math.h>

#include "math/finite.h"
#include "model/contact/contour.h"
#include "model/contact/polyhedron.h"
#include "model/model.h"
#include "model/contact/solid.h"

static zn_status check(const zn_model *model, const zn_shape_def *def)
{
    if (!zn_finite3(def->box) || !(def->box.x > 0 && def->box.y > 0 && (model->planar || def->box.z > 0)))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': a side of its box is not positive and finite",
                       def->name);
    return zn_shape_check_rotation(model, def);
}

zn_status zn_shape_check_rotation(const zn_model *model, const zn_shape_def *def)
{
    zn_quat r = def->rotation;
    if (!(fabs(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z - 1) < 1e-6))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': the rotation is not a unit quaternion", def->name);
    if (model->planar && (r.x != 0 || r.y != 0))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': in the plane a rectangle turns about z only", def->name);
    return ZN_OK;
}

static zn_status create(const zn_model *model, const zn_shape_def *def, void **data)
{
    zn_polyhedron *p = NULL;
    if (model->planar)
        return ZN_OK;
    ZN_TRY(zn_polyhedron_box(def->at.at, zn_quat_matrix(zn_quat_normalize(def->rotation)), zn_vec3_scale(0.5, def->box),
                             &p));
    *data = zn_polyhedron_shared(model, def->kind, p);
    return ZN_OK;
}

static bool feature(const zn_pair_shape *shape, int index, bool planar, zn_feature *out)
{
    return planar ? zn_contour_feature(shape, index, out) : zn_polyhedron_feature(shape->data, index, out);
}

static bool bound(const zn_pair_shape *shape, bool planar, zn_vec3 *centre, zn_vec3 *half)
{
    return planar ? zn_contour_bound(shape, centre, half) : zn_polyhedron_bound(shape->data, centre, half);
}

static zn_drawing draw(const zn_shape_def *def, const void *data, bool planar)
{
    (void)data, (void)planar;
    return (zn_drawing){.kind = ZN_DRAWING_BOX, .size = def->box, .centre = def->at.at, .rotation = def->rotation};
}

const zn_shape_ops zn_box_ops = {.name = "box",
                                 .convex = true,
                                 .check = check,
                                 .create = create,
                                 .destroy = zn_polyhedron_destroy,
                                 .feature = feature,
                                 .bound = bound,
                                 .solid = &zn_polyhedron_solid,
                                 .draw = draw};
