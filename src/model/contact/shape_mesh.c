// The closed surface of triangles. What it consists of: mesh_shape.c; how it meets others: meet_mesh_round.c,
// meet_mesh_solid.c.
#include <stdlib.h>

#include "base/array.h"
#include "model/contact/mesh_shape.h"
#include "model/model.h"
#include "model/contact/solid.h"

static zn_status check(const zn_model *model, const zn_shape_def *def)
{
    zn_quat r = def->rotation;
    if (model->planar)
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': a mesh is in space", def->name);
    if (!(fabs(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z - 1) < 1e-6))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': the rotation is not a unit quaternion", def->name);
    if (def->point_count > 0 && def->triangle_count > 0 && def->points && def->triangles)
        return ZN_OK;
    return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': a mesh has points and triangles", def->name);
}

static zn_status create(const zn_model *model, const zn_shape_def *def, void **data)
{
    char           message[500] = "";
    zn_mesh_shape *mesh = NULL;
    int            lost = 0;
    zn_quat        turn = zn_quat_normalize(def->rotation);
    zn_vec3       *point = ZN_NEW(zn_vec3, def->point_count);
    if (!point)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < def->point_count; i++)
        point[i] = zn_vec3_add(def->at.at, zn_quat_rotate(turn, def->points[i]));
    zn_status status = zn_mesh_shape_make(def->point_count, point, def->triangle_count, def->triangles, &mesh, &lost,
                                          message, sizeof message);
    free(point);
    *data = mesh;
    if (status == ZN_OK && lost > 0)
        zn_log_write(&model->log, ZN_LOG_WARNING,
                     "shape '%s': %d of %d triangles have corners at one point and so no area: they are left out",
                     def->name, lost, def->triangle_count);
    if (status != ZN_OK && status != ZN_ERR_MEMORY)
        return zn_fail(&model->log, status, "shape '%s': %s", def->name, message);
    return status;
}

static bool feature(const zn_pair_shape *shape, int index, bool planar, zn_feature *out)
{
    (void)planar;
    const zn_mesh_shape *m = shape->data;
    int                  edge = index - m->points, face = edge - m->edges;
    if (index < 0 || face >= m->faces)
        return false;
    if (edge < 0)
        *out = (zn_feature){.kind = ZN_FEATURE_POINT, .at = m->point[index]};
    else if (face < 0) {
        const zn_mesh_line *e = &m->edge[edge];
        *out = (zn_feature){.kind = ZN_FEATURE_EDGE, .at = m->point[e->a], .along = e->along, .out = e->out};
        out->to = e->length;
    } else
        *out = (zn_feature){.kind = ZN_FEATURE_FACE, .at = m->plane[face].at, .along = m->plane[face].normal};
    return true;
}

static bool bound(const zn_pair_shape *shape, bool planar, zn_vec3 *centre, zn_vec3 *half)
{
    (void)planar;
    const zn_mesh_shape *m = shape->data;
    *centre = m->centre;
    *half = m->half;
    return true;
}

static zn_drawing draw(const zn_shape_def *def, const void *data, bool planar)
{
    (void)def, (void)planar;
    const zn_mesh_shape *m = data;
    return (zn_drawing){.kind = ZN_DRAWING_MESH,
                        .point_count = m->points,
                        .points = m->point,
                        .triangle_count = m->triangles,
                        .triangles = m->corner};
}

const zn_shape_ops zn_mesh_ops = {.name = "mesh",
                                  .check = check,
                                  .create = create,
                                  .destroy = zn_mesh_shape_destroy,
                                  .feature = feature,
                                  .bound = bound,
                                  .solid = &zn_mesh_solid,
                                  .draw = draw};
