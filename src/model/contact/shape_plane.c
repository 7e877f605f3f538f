// The plane: a half-space is free.
//     g = n.d - r,  n carried by B
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

static void meet(const zn_pair_shape *a, const zn_pair_shape *b, bool planar, zn_meeting *at)
{
    (void)planar;
    at->normal = zn_rigid_vector(&at->B, b->normal);
    at->gap = zn_vec3_dot(at->normal, zn_vec3_sub(at->centre, zn_rigid_point(&at->B, b->at))) - a->radius;
}

static void surface(const zn_shape_def *def, zn_contact_location *out)
{
    out->surface = ZN_SURFACE_PLANE;
    out->through = def->at.at;
    out->direction = zn_vec3_scale(1 / zn_vec3_norm(def->normal), def->normal);
}

const zn_shape_ops zn_plane_ops = {.name = "plane", .check = check, .meet = meet, .surface = surface};
