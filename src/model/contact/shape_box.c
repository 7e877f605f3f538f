// The box, in the plane a rectangle. With y the coordinates of the sphere's centre in the axes of the box, d = y - s:
//     outside  s = y clamped to the box,  g = |d| - r,  n = d / |d|
//     inside   the nearest face,          g = n.d - r,  n of the face
#include <math.h>

#include "model/contact/shape.h"
#include "math/finite.h"
#include "model/model.h"

static zn_status check(const zn_model *model, const zn_shape_def *def)
{
    zn_quat r = def->rotation;
    if (!zn_finite3(def->box) || !(def->box.x > 0 && def->box.y > 0 && (model->planar || def->box.z > 0)))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': a side of its box is not positive and finite",
                       def->name);
    if (!(fabs(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z - 1) < 1e-6))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': the rotation is not a unit quaternion", def->name);
    if (model->planar && (r.x != 0 || r.y != 0))
        return zn_fail(&model->log, ZN_ERR_MODEL, "shape '%s': in the plane a rectangle turns about z only", def->name);
    return ZN_OK;
}

// The nearest face from the inside; y in the axes of the box.
static void meet_face(const double y[3], const double half[3], int dimension, double n[3], double *distance)
{
    int axis = 0;
    for (int i = 1; i < dimension; i++)
        if (half[i] - fabs(y[i]) < half[axis] - fabs(y[axis]))
            axis = i;
    for (int i = 0; i < 3; i++)
        n[i] = i != axis ? 0 : y[i] < 0 ? -1 : 1;
    *distance = fabs(y[axis]) - half[axis];
}

static void meet(const zn_pair_shape *a, const zn_pair_shape *b, bool planar, zn_meeting *at)
{
    zn_mat3      axes = zn_mat3_product(at->B.rotation, b->axes);
    zn_vec3      away = zn_mat3_apply(zn_mat3_transpose(axes), zn_vec3_sub(at->centre, zn_rigid_point(&at->B, b->at)));
    const double y[3] = {away.x, away.y, away.z}, half[3] = {b->half.x, b->half.y, b->half.z};
    double       d[3] = {0, 0, 0}, n[3], length;
    for (int i = 0; i < (planar ? 2 : 3); i++)
        d[i] = y[i] > half[i] ? y[i] - half[i] : y[i] < -half[i] ? y[i] + half[i] : 0;
    length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (length > ZN_NO_LENGTH) {
        zn_mat3 clamped = {{{d[0] != 0, 0, 0}, {0, d[1] != 0, 0}, {0, 0, d[2] != 0}}};
        for (int i = 0; i < 3; i++)
            n[i] = d[i] / length;
        at->bend = (d[0] != 0) + (d[1] != 0) + (d[2] != 0) > 1 ? 1 / length : 0; // on a face nothing turns
        at->keep = zn_mat3_product(axes, zn_mat3_product(clamped, zn_mat3_transpose(axes)));
    } else
        meet_face(y, half, planar ? 2 : 3, n, &length);
    at->normal = zn_mat3_apply(axes, (zn_vec3){n[0], n[1], n[2]});
    at->gap = length - a->radius;
}

static zn_drawing draw(const zn_shape_def *def, const void *data, bool planar)
{
    (void)data, (void)planar;
    return (zn_drawing){.kind = ZN_DRAWING_BOX, .size = def->box, .centre = def->at.at, .rotation = def->rotation};
}

const zn_shape_ops zn_box_ops = {.name = "box", .check = check, .meet = meet, .draw = draw};
