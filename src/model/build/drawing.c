// How bodies look. Nothing but pictures depends on it.
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "math/finite.h"
#include "model/model.h"

static zn_status check_arrays(const zn_model *model, const zn_drawing *d)
{
    const zn_log *log = &model->log;
    if (d->kind == ZN_DRAWING_TRIANGLES && d->point_count % 3 != 0)
        return zn_fail(log, ZN_ERR_MODEL, "drawing: triangles have three corners each, but there are %d points",
                       d->point_count);
    for (int i = 0; d->bulges != NULL && i < d->point_count; i++)
        if (!isfinite(d->bulges[i]))
            return zn_fail(log, ZN_ERR_MODEL, "drawing: the arc of side %d is not finite", i);
    if (d->triangle_count < 0 || (d->kind == ZN_DRAWING_MESH && d->triangle_count == 0))
        return zn_fail(log, ZN_ERR_MODEL, "drawing: a mesh needs triangles");
    for (int i = 0; i < 3 * d->triangle_count; i++)
        if (d->triangles[i] < 0 || d->triangles[i] >= d->point_count)
            return zn_fail(log, ZN_ERR_MODEL, "drawing: triangle %d: there is no point %d", i / 3, d->triangles[i]);
    return ZN_OK;
}

static zn_status check(const zn_model *model, zn_node_id node, const zn_drawing *d)
{
    const zn_log *log = &model->log;
    // what a drawing of each kind needs
    static const struct {
        bool radius;
        int  points;
    } needs[] = {[ZN_DRAWING_SPHERE] = {.radius = true}, [ZN_DRAWING_CYLINDER] = {.radius = true},
                 [ZN_DRAWING_POLYGON] = {.points = 3},   [ZN_DRAWING_HULL] = {.points = 3},
                 [ZN_DRAWING_TRIANGLES] = {.points = 3}, [ZN_DRAWING_CAPSULE] = {.radius = true},
                 [ZN_DRAWING_MESH] = {.points = 3}};
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
    if (d->open && (d->kind != ZN_DRAWING_POLYGON || !model->planar))
        return zn_fail(log, ZN_ERR_MODEL, "drawing: only polygons in the plane may be open");
    if (d->point_count < needs[d->kind].points)
        return zn_fail(log, ZN_ERR_MODEL, "drawing: an outline needs three points");
    return check_arrays(model, d);
}

void zn_drawing_clear(zn_drawing *d)
{
    free((void *)d->points);
    free((void *)d->bulges);
    free((void *)d->triangles);
}

// A copy that can be freed; NULL stays.
static bool copy(const void *from, size_t count, size_t size, const void **out)
{
    void *to = from != NULL && count > 0 ? zn_new_array(count, size) : NULL;
    if (to != NULL)
        memcpy(to, from, count * size);
    *out = to;
    return to != NULL || from == NULL || count == 0;
}

static zn_status add(zn_model *model, zn_node_id node, const zn_drawing *drawing, bool more)
{
    ZN_TRY(check(model, node, drawing));
    zn_node_drawing entry = {node.value - 1, more, *drawing};
    zn_drawing     *d = &entry.drawing;
    size_t          points = (size_t)drawing->point_count;
    bool            copied = copy(drawing->points, points, sizeof *d->points, (const void **)&d->points);
    copied = copy(drawing->bulges, points, sizeof *d->bulges, (const void **)&d->bulges) && copied;
    copied = copy(drawing->triangles, 3 * (size_t)drawing->triangle_count, sizeof *d->triangles,
                  (const void **)&d->triangles) &&
             copied;
    zn_status status =
        copied ? ZN_PUSH(model->drawing, model->drawings, model->drawing_capacity, entry) : ZN_ERR_MEMORY;
    if (status != ZN_OK)
        zn_drawing_clear(d);
    return status;
}

zn_status zn_model_draw(zn_model *model, zn_node_id node, const zn_drawing *drawing)
{
    ZN_ALIVE(model);
    return model ? add(model, node, drawing, false) : ZN_ERR_ARGUMENT;
}

zn_status zn_model_draw_more(zn_model *model, zn_node_id node, const zn_drawing *drawing)
{
    ZN_ALIVE(model);
    return model ? add(model, node, drawing, true) : ZN_ERR_ARGUMENT;
}
