// The plane: a half-space is free. It has one feature, a face.
#include "model/contact/shape.h"
#include "model/model.h"

static zn_status check(const zn_model *model, const zn_shape_def *def)
{
    if (!(zn_vec3_norm(def->normal) > 0) || !isfinite(zn_vec3_norm(def->normal)))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': the plane has no direction", def->name);
    if (model->planar && def->normal.z != 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': a z component in a planar model", def->name);
    return ZN_OK;
}

static bool feature(const zn_pair_shape *shape, int index, bool planar, zn_feature *out)
{
    (void)planar;
    *out = (zn_feature){.kind = ZN_FEATURE_FACE, .at = shape->at, .along = shape->normal};
    return index == 0;
}

static bool bound(const zn_pair_shape *shape, bool planar, zn_vec3 *centre, zn_vec3 *half)
{
    (void)shape, (void)planar, (void)centre, (void)half;
    return false;
}

static void surface(const zn_shape_def *def, zn_contact_location *out)
{
    out->surface = ZN_SURFACE_PLANE;
    out->through = def->at.at;
    out->direction = zn_vec3_scale(1 / zn_vec3_norm(def->normal), def->normal);
}

const zn_shape_ops zn_plane_ops = {
    .name = "plane", .convex = true, .check = check, .feature = feature, .bound = bound, .surface = surface};
