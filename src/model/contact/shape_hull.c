// The convex hull of points, in space.
#include "model/contact/polyhedron.h"
#include "model/contact/shape.h"
#include "model/model.h"
#include "model/contact/solid.h"

static zn_status check(const zn_model *model, const zn_shape_def *def)
{
    if (model->planar)
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': there are hulls in space only", def->name);
    if (def->point_count < 4 || !def->points)
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': a hull needs at least four points", def->name);
    return zn_shape_check_rotation(model, def);
}

static zn_status create(const zn_model *model, const zn_shape_def *def, void **data)
{
    const char    *why = NULL;
    zn_polyhedron *p = NULL;
    zn_status      status = zn_polyhedron_hull(def->at.at, zn_quat_matrix(zn_quat_normalize(def->rotation)),
                                               def->point_count, def->points, &p, &why);
    if (status == ZN_ERR_MODEL)
        return zn_fail(&model->log, status, "shape '%s': it has no hull, its points %s", def->name, why);
    *data = status == ZN_OK ? zn_polyhedron_shared(model, def->kind, p) : NULL;
    return status;
}

static bool feature(const zn_pair_shape *shape, int index, bool planar, zn_feature *out)
{
    (void)planar;
    return zn_polyhedron_feature(shape->data, index, out);
}

static bool bound(const zn_pair_shape *shape, bool planar, zn_vec3 *centre, zn_vec3 *half)
{
    (void)planar;
    return zn_polyhedron_bound(shape->data, centre, half);
}

static double ball(const zn_pair_shape *shape)
{
    const zn_polyhedron *p = shape->data;
    return p->radius;
}

static zn_drawing draw(const zn_shape_def *def, const void *data, bool planar)
{
    (void)def, (void)planar;
    const zn_polyhedron *p = data;
    return (zn_drawing){.kind = ZN_DRAWING_HULL, .point_count = p->vertices, .points = p->vertex};
}

const zn_shape_ops zn_hull_ops = {.name = "hull",
                                  .convex = true,
                                  .check = check,
                                  .create = create,
                                  .destroy = zn_polyhedron_destroy,
                                  .feature = feature,
                                  .bound = bound,
                                  .ball = ball,
                                  .solid = &zn_polyhedron_solid,
                                  .draw = draw};
