// The cylinder; without length: a disc, two caps back to back.
#include "model/contact/shape_cylinder.h"

#include <math.h>

#include "model/model.h"
#include "model/contact/solid.h"

static zn_vec3 along(zn_vec3 x, double s, zn_vec3 u) { return zn_vec3_add(x, zn_vec3_scale(s, u)); }

static zn_status check(const zn_model *model, const zn_shape_def *def)
{
    zn_quat r = def->rotation;
    if (model->planar)
        return zn_fail(&model->log, ZN_ERR_MODEL,
                       "shape '%s': a cylinder is for spatial models; in the plane a sphere "
                       "is a disc, a box a rectangle",
                       def->name);
    if (!(def->radius > 0) || !isfinite(def->radius))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': the radius is not positive and finite", def->name);
    if (!(def->length >= 0) || !isfinite(def->length))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': the length is negative or not finite", def->name);
    if (!(fabs(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z - 1) < 1e-6))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': the rotation is not a unit quaternion", def->name);
    return ZN_OK;
}

// --- features ------------------------------------------------------------------------------------

// cos(15 k degrees), k any of 0 .. 48.
static double cosine(int k)
{
    static const double quarter[7] = {
        1, 0.96592582628906829, 0.86602540378443865, 0.70710678118654752, 0.5, 0.25881904510252076, 0};
    k %= 24;
    k = k > 12 ? 24 - k : k;
    return k > 6 ? -quarter[12 - k] : quarter[k];
}

_Static_assert(ZN_CYLINDER_CORNERS == 12, "two steps of 15 degrees between corners");

// From the axis to a place on the rim, in half steps between corners: unit.
static zn_vec3 spoke(const zn_pair_shape *s, int halves)
{
    return zn_mat3_apply(s->axes, (zn_vec3){cosine(halves), cosine(halves + 18), 0});
}

static zn_vec3 outward(const zn_pair_shape *s, int end) { return zn_vec3_scale(end ? -1 : 1, zn_cylinder_axis(s)); }

static zn_vec3 centre_of(const zn_pair_shape *s, int end) { return along(s->at, s->length / 2, outward(s, end)); }

// Corner or chord `number` of both ends.
static void corner_feature(const zn_pair_shape *s, int number, bool chord, zn_feature *out)
{
    int     end = number / ZN_CYLINDER_CORNERS, i = number % ZN_CYLINDER_CORNERS;
    zn_vec3 middle = spoke(s, 2 * i + 1), up = outward(s, end);
    *out = (zn_feature){.kind = ZN_FEATURE_POINT, .at = along(centre_of(s, end), s->radius, spoke(s, 2 * i))};
    if (!chord)
        return;
    *out = (zn_feature){.kind = ZN_FEATURE_EDGE, .at = along(centre_of(s, end), ZN_CHORD_AWAY * s->radius, middle)};
    out->along = zn_vec3_cross(zn_cylinder_axis(s), middle);
    out->out = zn_vec3_scale(sqrt(0.5), zn_vec3_add(up, middle));
}

static bool feature(const zn_pair_shape *s, int index, bool planar, zn_feature *out)
{
    (void)planar;
    if (index == ZN_CYLINDER_MANTLE) {
        *out = (zn_feature){.kind = ZN_FEATURE_EDGE, .at = s->at, .along = zn_cylinder_axis(s), .radius = s->radius};
        out->from = -s->length / 2;
        out->to = s->length / 2;
    } else if (index < ZN_CYLINDER_POINT) {
        bool rim = index >= ZN_CYLINDER_RIM;
        int  end = index - (rim ? ZN_CYLINDER_RIM : ZN_CYLINDER_CAP);
        *out = (zn_feature){.kind = rim ? ZN_FEATURE_CIRCLE : ZN_FEATURE_FACE,
                            .at = centre_of(s, end),
                            .along = outward(s, end),
                            .size = rim ? s->radius : 0,
                            .thin = rim && s->length == 0};
    } else if (index < ZN_CYLINDER_CHORD)
        corner_feature(s, index - ZN_CYLINDER_POINT, false, out);
    else if (index < ZN_CYLINDER_FEATURES)
        corner_feature(s, index - ZN_CYLINDER_CHORD, true, out);
    return index < ZN_CYLINDER_FEATURES;
}

bool zn_cylinder_holds(const zn_pair_shape *s, int index, zn_vec3 x, zn_vec3 n, double length, double angle)
{
    zn_vec3 axis = zn_cylinder_axis(s), d = zn_vec3_sub(x, s->at);
    double  z = zn_vec3_dot(d, axis);
    zn_vec3 off = along(d, -z, axis);
    double  away = zn_vec3_norm(off);
    if (index == ZN_CYLINDER_MANTLE)
        return fabs(z) <= s->length / 2 + length;
    if (index < ZN_CYLINDER_RIM)
        return away <= s->radius + length;
    if (index < ZN_CYLINDER_POINT) // between the normals of cap and mantle
        return zn_vec3_dot(n, outward(s, index - ZN_CYLINDER_RIM)) >= -angle && zn_vec3_dot(n, off) >= -angle * away;
    if (index < ZN_CYLINDER_CHORD)
        return true;
    int     i = index - ZN_CYLINDER_CHORD;
    zn_vec3 middle = spoke(s, 2 * (i % ZN_CYLINDER_CORNERS) + 1), u = zn_vec3_cross(axis, middle);
    double  half = ZN_CHORD_HALF * s->radius;
    return fabs(zn_vec3_dot(d, u)) <= half + length && zn_vec3_dot(n, outward(s, i / ZN_CYLINDER_CORNERS)) >= -angle;
}

double zn_cylinder_lowest(const zn_pair_shape *s, zn_vec3 n)
{
    double up = zn_vec3_dot(n, zn_cylinder_axis(s));
    return zn_vec3_dot(n, s->at) - fabs(up) * s->length / 2 -
           s->radius * zn_vec3_norm(zn_vec3_cross(n, zn_cylinder_axis(s)));
}

zn_vec3 zn_cylinder_farthest(const zn_pair_shape *s, zn_vec3 n)
{
    zn_vec3 axis = zn_cylinder_axis(s), off = zn_vec3_cross(zn_vec3_cross(axis, n), axis); // across it, however small
    double  length = zn_vec3_norm(off);
    zn_vec3 x = along(s->at, copysign(s->length / 2, zn_vec3_dot(n, axis)), axis);
    return length > ZN_NO_LENGTH ? along(x, s->radius / length, off) : x;
}

// --- around it -----------------------------------------------------------------------------------

static bool bound(const zn_pair_shape *s, bool planar, zn_vec3 *centre, zn_vec3 *half)
{
    (void)planar;
    zn_vec3 a = zn_cylinder_axis(s);
    *centre = s->at;
    *half = (zn_vec3){fabs(a.x) * s->length / 2 + s->radius * sqrt(fmax(0, 1 - a.x * a.x)),
                      fabs(a.y) * s->length / 2 + s->radius * sqrt(fmax(0, 1 - a.y * a.y)),
                      fabs(a.z) * s->length / 2 + s->radius * sqrt(fmax(0, 1 - a.z * a.z))};
    return true;
}

static zn_drawing draw(const zn_shape_def *def, const void *data, bool planar)
{
    (void)planar, (void)data;
    return (zn_drawing){.kind = ZN_DRAWING_CYLINDER,
                        .radius = def->radius,
                        .size = {def->length, 0, 0},
                        .centre = def->at.at,
                        .axis = zn_quat_rotate(def->rotation, (zn_vec3){0, 0, 1})};
}

const zn_shape_ops zn_cylinder_ops = {
    .name = "cylinder", .check = check, .feature = feature, .bound = bound, .solid = &zn_cylinder_solid, .draw = draw};
