// The capsule: a line with a radius. In space its features are its two ends and the line between them; in the plane it
// is a contour.
#include "model/contact/shape_capsule.h"

#include <math.h>

#include "model/contact/contour.h"
#include "model/model.h"
#include "model/contact/solid.h"

static zn_status check(const zn_model *model, const zn_shape_def *def)
{
    if (!(def->radius > 0 && isfinite(def->radius)))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': radius %g m is not positive and finite", def->name,
                       def->radius);
    if (!(def->length > 0 && isfinite(def->length)))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': length %g m is not positive and finite", def->name,
                       def->length);
    return zn_shape_check_rotation(model, def);
}

zn_vec3 zn_capsule_axis(const zn_pair_shape *shape)
{
    return (zn_vec3){shape->axes.m[0][2], shape->axes.m[1][2], shape->axes.m[2][2]};
}

zn_vec3 zn_capsule_end(const zn_pair_shape *shape, int end)
{
    return zn_vec3_add(shape->at,
                       zn_vec3_scale(end == 0 ? -0.5 * shape->length : 0.5 * shape->length, zn_capsule_axis(shape)));
}

static bool feature(const zn_pair_shape *shape, int index, bool planar, zn_feature *out)
{
    if (planar)
        return zn_contour_feature(shape, index, out);
    if (index == ZN_CAPSULE_LINE)
        *out = (zn_feature){.kind = ZN_FEATURE_EDGE,
                            .at = shape->at,
                            .along = zn_capsule_axis(shape),
                            .size = 0.5 * shape->length,
                            .from = -0.5 * shape->length,
                            .to = 0.5 * shape->length,
                            .radius = shape->radius};
    else
        *out = (zn_feature){.kind = ZN_FEATURE_POINT, .at = zn_capsule_end(shape, index), .radius = shape->radius};
    return index <= ZN_CAPSULE_LINE;
}

static bool bound(const zn_pair_shape *shape, bool planar, zn_vec3 *centre, zn_vec3 *half)
{
    if (planar)
        return zn_contour_bound(shape, centre, half);
    zn_vec3 axis = zn_capsule_axis(shape);
    double  l = 0.5 * shape->length, r = shape->radius;
    *centre = shape->at;
    *half = (zn_vec3){l * fabs(axis.x) + r, l * fabs(axis.y) + r, l * fabs(axis.z) + r};
    return true;
}

static double ball(const zn_pair_shape *shape) { return 0.5 * shape->length + shape->radius; }

static zn_drawing draw(const zn_shape_def *def, const void *data, bool planar)
{
    (void)data;
    zn_vec3 own = {planar, 0, !planar};
    return (zn_drawing){.kind = ZN_DRAWING_CAPSULE,
                        .radius = def->radius,
                        .size = {def->length, 0, 0},
                        .axis = zn_quat_rotate(def->rotation, own),
                        .centre = def->at.at};
}

const zn_shape_ops zn_capsule_ops = {.name = "capsule",
                                     .convex = true,
                                     .check = check,
                                     .feature = feature,
                                     .bound = bound,
                                     .ball = ball,
                                     .solid = &zn_capsule_solid,
                                     .draw = draw};
