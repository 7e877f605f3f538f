// The contour: what may be one, and how it is seen. How it meets others: meet_contour.c.
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "math/finite.h"
#include "model/contact/contour.h"
#include "model/contact/contour_check.h"
#include "model/model.h"

typedef struct drawn_contour {
    zn_contour c; // first: others take the data for a zn_contour
    zn_vec3   *point;
    double    *bulge;
} drawn_contour;

static zn_status check_numbers(const zn_model *model, const zn_shape_def *def)
{
    const zn_log *log = &model->log;
    zn_quat       r = def->rotation;
    if (!model->planar)
        return zn_fail(log, ZN_ERR_MODEL, "shape '%s': a contour is for planar models", def->name);
    if (!(fabs(r.w * r.w + r.z * r.z - 1) < 1e-6) || r.x != 0 || r.y != 0)
        return zn_fail(log, ZN_ERR_MODEL, "shape '%s': a contour turns about z only", def->name);
    if (def->side_count < 2 || !def->sides)
        return zn_fail(log, ZN_ERR_MODEL, "shape '%s': %d points are too few for a contour", def->name,
                       def->side_count);
    for (int i = 0; i < def->side_count; i++)
        if (!zn_finite3(def->sides[i].start) || !isfinite(def->sides[i].bulge) || def->sides[i].start.z != 0)
            return zn_fail(log, ZN_ERR_MODEL, "shape '%s': point %d of its contour is not finite, or has a z",
                           def->name, i + 1);
    return ZN_OK;
}

static zn_status check(const zn_model *model, const zn_shape_def *def)
{
    char text[ZN_CONTOUR_FAULT];
    ZN_TRY(check_numbers(model, def));
    zn_status status = zn_contour_check(def->side_count, def->sides, def->open, def->hole, text);
    return status == ZN_ERR_MODEL ? zn_fail(&model->log, status, "shape '%s': %s", def->name, text) : status;
}

static void destroy(void *data)
{
    drawn_contour *d = data;
    if (!d)
        return;
    free((void *)d->c.edge);
    free((void *)d->c.box);
    free(d->point);
    free(d->bulge);
    free(d);
}

static zn_status create(const zn_model *model, const zn_shape_def *def, void **data)
{
    (void)model;
    drawn_contour *d = ZN_NEW(drawn_contour, 1);
    if (!d)
        return ZN_ERR_MEMORY;
    d->point = ZN_NEW(zn_vec3, def->side_count);
    d->bulge = ZN_NEW(double, def->side_count);
    zn_status status = d->point && d->bulge ? zn_contour_make(def, &d->c) : ZN_ERR_MEMORY;
    if (status != ZN_OK) {
        destroy(d);
        return status;
    }
    for (int i = 0; i < def->side_count; i++) {
        d->point[i] = zn_corner_at(&d->c, i);
        d->bulge[i] = i < d->c.edges ? def->sides[i].bulge : 0;
    }
    *data = d;
    return ZN_OK;
}

static bool feature(const zn_pair_shape *shape, int index, bool planar, zn_feature *out)
{
    (void)planar;
    return zn_contour_feature(shape, index, out);
}

static bool bound(const zn_pair_shape *shape, bool planar, zn_vec3 *centre, zn_vec3 *half)
{
    (void)planar;
    return zn_contour_bound(shape, centre, half);
}

static zn_drawing draw(const zn_shape_def *def, const void *data, bool planar)
{
    (void)planar;
    const drawn_contour *d = data;
    return (zn_drawing){.kind = ZN_DRAWING_POLYGON,
                        .point_count = def->side_count,
                        .points = d->point,
                        .bulges = d->bulge,
                        .open = def->open};
}

const zn_shape_ops zn_contour_ops = {.name = "contour",
                                     .check = check,
                                     .create = create,
                                     .destroy = destroy,
                                     .feature = feature,
                                     .bound = bound,
                                     .draw = draw};
