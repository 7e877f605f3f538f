// An arc from a to b with the bulge k = tan(angle/4) has the sagitta k |b - a| / 2, to the right of its way when it
// goes counter-clockwise; centre and points follow.
#include "view/outline.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

enum { AROUND = 72 }; // sides of a whole turn

typedef struct corners {
    int       count, capacity;
    zn_vec3  *point;
    zn_status status;
} corners;

static void put(corners *c, zn_vec3 point)
{
    if (c->status == ZN_OK)
        c->status = ZN_PUSH(c->point, c->count, c->capacity, point);
}

// The side from a to b without its end.
static void put_side(corners *c, zn_vec3 a, zn_vec3 b, double bulge)
{
    double angle = 4 * atan(bulge), steps = ceil(fabs(angle) / (2 * acos(-1.0)) * AROUND);
    put(c, a);
    if (!(steps > 1) || !isfinite(steps))
        return;
    // the centre lies left of the middle by (1 - k^2)/(4 k) of the chord
    double  left = (1 - bulge * bulge) / (4 * bulge);
    zn_vec3 centre = {0.5 * (a.x + b.x) - left * (b.y - a.y), 0.5 * (a.y + b.y) + left * (b.x - a.x), a.z};
    for (int i = 1; i < (int)steps; i++) {
        double turn = angle * i / steps, x = a.x - centre.x, y = a.y - centre.y;
        put(c, zn_vec3_make(centre.x + cos(turn) * x - sin(turn) * y, centre.y + sin(turn) * x + cos(turn) * y, a.z));
    }
}

static void put_polygon(corners *c, int count, const zn_vec3 *point, const double *bulges, bool open)
{
    for (int i = 0; i < count; i++)
        put_side(c, point[i], point[(i + 1) % count], bulges != NULL && !(open && i + 1 == count) ? bulges[i] : 0);
}

static void put_capsule(corners *c, const zn_drawing *d)
{
    double  length = zn_vec3_norm(d->axis);
    zn_vec3 axis = length > 0 ? zn_vec3_scale(1 / length, d->axis) : zn_vec3_make(1, 0, 0);
    zn_vec3 half = zn_vec3_scale(0.5 * d->size.x, axis), side = {-d->radius * axis.y, d->radius * axis.x, 0};
    zn_vec3 low = zn_vec3_sub(d->centre, half), high = zn_vec3_add(d->centre, half);
    zn_vec3 point[4] = {zn_vec3_sub(low, side), zn_vec3_sub(high, side), zn_vec3_add(high, side),
                        zn_vec3_add(low, side)};
    put_polygon(c, 4, point, (const double[4]){0, 1, 0, 1}, false);
}

static void put_box(corners *c, const zn_drawing *d)
{
    for (int i = 0; i < 4; i++) {
        zn_vec3 away = {i == 1 || i == 2 ? 0.5 * d->size.x : -0.5 * d->size.x,
                        i > 1 ? 0.5 * d->size.y : -0.5 * d->size.y, 0};
        put(c, zn_vec3_add(d->centre, zn_quat_rotate(d->rotation, away)));
    }
}

bool zn_outline_needed(const zn_drawing *d, bool planar)
{
    bool turned = zn_vec3_norm((zn_vec3){d->rotation.x, d->rotation.y, d->rotation.z}) > 0;
    return (d->kind == ZN_DRAWING_POLYGON && d->bulges != NULL) || (planar && d->kind == ZN_DRAWING_CAPSULE) ||
           (planar && d->kind == ZN_DRAWING_BOX && turned);
}

zn_status zn_outline_of(const zn_drawing *d, bool planar, int *count, zn_vec3 **out)
{
    corners c = {.status = ZN_OK};
    if (d->kind == ZN_DRAWING_POLYGON)
        put_polygon(&c, d->point_count, d->points, d->bulges, d->open);
    else if (planar && d->kind == ZN_DRAWING_CAPSULE)
        put_capsule(&c, d);
    else if (planar && d->kind == ZN_DRAWING_BOX)
        put_box(&c, d);
    if (c.status != ZN_OK) {
        free(c.point);
        return c.status;
    }
    *count = c.count;
    *out = c.point;
    return ZN_OK;
}
