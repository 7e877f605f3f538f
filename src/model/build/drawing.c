// How bodies look. Nothing but pictures depends on it.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/finite.h"
#include "model/model.h"

static zn_status check(const zn_model *model, zn_node_id node, const zn_drawing *d)
{
    const zn_log *log = &model->log;
    // what a drawing of each kind needs
    static const struct {
        bool radius;
        int  points;
    } needs[] = {[ZN_DRAWING_SPHERE] = {.radius = true},
                 [ZN_DRAWING_CYLINDER] = {.radius = true},
                 [ZN_DRAWING_POLYGON] = {.points = 3},
                 [ZN_DRAWING_HULL] = {.points = 3},
                 [ZN_DRAWING_TRIANGLES] = {.points = 3}};
    if (node.value < 1 || node.value > model->nodes)
        return zn_fail(log, ZN_ERR_MODEL, "drawing: no such node");
    if ((size_t)d->kind >= sizeof needs / sizeof *needs)
        return zn_fail(log, ZN_ERR_ARGUMENT, "drawing: no such shape");
    if (needs[d->kind].radius && !(d->radius > 0 && isfinite(d->radius)))
        return zn_fail(log, ZN_ERR_MODEL, "drawing: radius %g m is not positive", d->radius);
    if (!zn_finite3(d->centre) || !zn_finite3(d->size) || !zn_finite3(d->axis) || d->point_count < 0)
        return zn_fail(log, ZN_ERR_MODEL, "drawing: a value is not finite");
    if (!(d->transparency >= 0 && d->transparency <= 1))
        return zn_fail(log, ZN_ERR_MODEL, "drawing: transparency %g is not between 0 and 1", d->transparency);
    if (d->kind == ZN_DRAWING_POLYGON && !model->planar && !(d->size.z > 0))
        return zn_fail(log, ZN_ERR_MODEL, "drawing: an outline in space needs a thickness");
    if (d->point_count < needs[d->kind].points)
        return zn_fail(log, ZN_ERR_MODEL, "drawing: an outline needs three points");
    if (d->kind == ZN_DRAWING_TRIANGLES && d->point_count % 3 != 0)
        return zn_fail(log, ZN_ERR_MODEL, "drawing: triangles have three corners each, but there are %d points",
                       d->point_count);
    return ZN_OK;
}

static zn_status add(zn_model *model, zn_node_id node, const zn_drawing *drawing, bool more)
{
    ZN_TRY(check(model, node, drawing));
    zn_node_drawing entry = {node.value - 1, more, *drawing};
    zn_vec3        *points = ZN_NEW(zn_vec3, drawing->point_count);
    if (!points)
        return ZN_ERR_MEMORY;
    if (drawing->point_count > 0)
        memcpy(points, drawing->points, sizeof *points * (size_t)drawing->point_count);
    entry.drawing.points = points;
    zn_status status = ZN_PUSH(model->drawing, model->drawings, model->drawing_capacity, entry);
    if (status != ZN_OK)
        free(points);
    return status;
}

zn_status zn_model_draw(zn_model *model, zn_node_id node, const zn_drawing *drawing)
{
    return add(model, node, drawing, false);
}

zn_status zn_model_draw_more(zn_model *model, zn_node_id node, const zn_drawing *drawing)
{
    return add(model, node, drawing, true);
}
