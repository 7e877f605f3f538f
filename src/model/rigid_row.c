// Rows of material points of a rigid body with position p and rotation R (body -> world):
//     velocity at c      u + S x (c - p)         u: velocity of p, S: spin in world axes, S = R Omega
//     row along d        F = d on u,  R' m on Omega  with  m = (c - p) x d
//     its change         dF = dd,     R'(dm - S x m) with  dm = (dc - u) x d + (c - p) x dd
// In the plane m and S are along z, so S x m = 0 and R' m = m.
#include "model/rigid_row.h"

#include <string.h>

#include "base/assert.h"

static zn_mat3 rotation_of(const zn_layout_node *node, const double *q)
{
    if (node->kind == ZN_FRAME2) {
        double c, s;
        zn_sincos(q[node->q + 2], &s, &c);
        return (zn_mat3){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    }
    if (node->kind == ZN_FRAME3) {
        const double *r = q + node->q + 3;
        return zn_quat_matrix((zn_quat){r[0], r[1], r[2], r[3]});
    }
    return zn_mat3_identity();
}

void zn_rigid_place(const zn_layout *layout, zn_node_id id, const double *q, bool rotation, zn_rigid *out)
{
    ZN_ASSERT(id.value >= 0 && id.value <= layout->nodes);
    const zn_layout_node *node = id.value == 0 ? NULL : &layout->node[id.value - 1];
    out->node = node;
    out->rotation = node && rotation ? rotation_of(node, q) : zn_mat3_identity();
    out->position = (zn_vec3){0, 0, 0};
    if (!node)
        return;
    const double *p = q + node->q;
    out->position.x = node->origin.x + p[0];
    out->position.y = node->origin.y + p[1];
    out->position.z = node->origin.z + (zn_node_dimension(node->kind) == 3 ? p[2] : 0);
}

zn_rigid zn_rigid_at(const zn_layout *layout, zn_node_id id, const double *q)
{
    zn_rigid b;
    zn_rigid_place(layout, id, q, true, &b);
    return b;
}

zn_vec3 zn_rigid_vector(const zn_rigid *b, zn_vec3 axis) { return zn_mat3_apply(b->rotation, axis); }

zn_vec3 zn_rigid_point(const zn_rigid *b, zn_vec3 at) { return zn_vec3_add(b->position, zn_rigid_vector(b, at)); }

// R' m
static zn_vec3 to_body(const zn_rigid *b, zn_vec3 m)
{
    const double(*R)[3] = b->rotation.m;
    return (zn_vec3){R[0][0] * m.x + R[1][0] * m.y + R[2][0] * m.z, R[0][1] * m.x + R[1][1] * m.y + R[2][1] * m.z,
                     R[0][2] * m.x + R[1][2] * m.y + R[2][2] * m.z};
}

static double entry(const double *x, int dof) { return dof >= 0 ? x[dof] : 0; }

zn_vec3 zn_rigid_spin(const zn_rigid *b, const double *x)
{
    if (!b->node)
        return (zn_vec3){0, 0, 0};
    const int *dof = b->node->dof;
    return zn_rigid_vector(b, (zn_vec3){entry(x, dof[3]), entry(x, dof[4]), entry(x, dof[5])});
}

double zn_rigid_angle(const zn_rigid *b, const double *q)
{
    return b->node && b->node->kind == ZN_FRAME2 ? q[b->node->q + 2] : 0;
}

static double turn_length(double angle) { return angle < 1 ? 2 * zn_tan(angle / 2) : 2 * zn_tan(0.5) + angle - 1; }

zn_vec3 zn_rigid_turn(const zn_rigid *from, const double *q_from, const zn_rigid *to, const double *q)
{
    double planar = zn_rigid_angle(to, q) - zn_rigid_angle(from, q_from);
    if (planar != 0)
        return (zn_vec3){0, 0, copysign(turn_length(fabs(planar)), planar)};
    zn_mat3 Q = zn_mat3_product(to->rotation, zn_mat3_transpose(from->rotation));
    const double(*m)[3] = (const double(*)[3])Q.m;
    zn_vec3 axis = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]}; // 2 sin(angle) e
    double  length = zn_vec3_norm(axis), angle = zn_atan2(length, m[0][0] + m[1][1] + m[2][2] - 1);
    return length > 0 ? zn_vec3_scale(turn_length(angle) / length, axis) : axis;
}

// u, the velocity of p
static zn_vec3 velocity_of_centre(const zn_rigid *b, const double *x)
{
    if (!b->node)
        return (zn_vec3){0, 0, 0};
    const int *dof = b->node->dof;
    return (zn_vec3){entry(x, dof[0]), entry(x, dof[1]), entry(x, dof[2])};
}

zn_vec3 zn_rigid_velocity(const zn_rigid *b, const double *x, zn_vec3 c)
{
    zn_vec3 lever = zn_vec3_sub(c, b->position);
    return zn_vec3_add(velocity_of_centre(b, x), zn_vec3_cross(zn_rigid_spin(b, x), lever));
}

int zn_rigid_centre_row(const zn_rigid *b, zn_vec3 d, int *dof, double *value)
{
    int          count = b->node ? zn_node_dimension(b->node->kind) : 0;
    const double force[3] = {d.x, d.y, d.z};
    for (int i = 0; i < count; i++) {
        dof[i] = b->node->dof[i];
        value[i] = force[i];
    }
    return count;
}

int zn_rigid_row(const zn_rigid *b, zn_vec3 c, zn_vec3 d, int *dof, double *value)
{
    if (!b->node)
        return 0;
    zn_vec3 moment = zn_vec3_cross(zn_vec3_sub(c, b->position), d);
    if (b->node->kind == ZN_FRAME3) { // the usual one: straight on
        zn_vec3 turn = to_body(b, moment);
        memcpy(dof, b->node->dof, ZN_RIGID_DOFS * sizeof *dof);
        value[0] = d.x;
        value[1] = d.y;
        value[2] = d.z;
        value[3] = turn.x;
        value[4] = turn.y;
        value[5] = turn.z;
        return ZN_RIGID_DOFS;
    }
    int count = zn_rigid_centre_row(b, d, dof, value);
    return count + zn_rigid_turn_row(b, moment, dof + count, value + count);
}

int zn_rigid_turn_row(const zn_rigid *b, zn_vec3 m, int *dof, double *value)
{
    int count = 0;
    if (!b->node || !zn_node_rotates(b->node->kind))
        return 0;
    zn_vec3      turn = to_body(b, m);
    const double moment[3] = {turn.x, turn.y, turn.z};
    for (int i = b->node->kind == ZN_FRAME2 ? 2 : 0; i < 3; i++) {
        dof[count] = b->node->dof[3 + i];
        value[count++] = moment[i];
    }
    return count;
}

void zn_rigid_row_change(const zn_rigid *b, zn_vec3 c, zn_vec3 d, zn_vec3 dc, zn_vec3 dd, double scale, const double *x,
                         double *y)
{
    ZN_ASSERT(x != y);
    if (!b->node)
        return;
    zn_vec3 lever = zn_vec3_sub(c, b->position), m = zn_vec3_cross(lever, d);
    zn_vec3 dm = zn_vec3_add(zn_vec3_cross(zn_vec3_sub(dc, velocity_of_centre(b, x)), d), zn_vec3_cross(lever, dd));
    const double change[3] = {dd.x, dd.y, dd.z};
    for (int i = 0; i < 3; i++)
        if (b->node->dof[i] >= 0)
            y[b->node->dof[i]] += scale * change[i];
    zn_rigid_turn_row_change(b, m, dm, scale, x, y);
}

void zn_rigid_turn_row_change(const zn_rigid *b, zn_vec3 m, zn_vec3 dm, double scale, const double *x, double *y)
{
    ZN_ASSERT(x != y);
    if (!b->node)
        return;
    zn_vec3      turn = to_body(b, zn_vec3_sub(dm, zn_vec3_cross(zn_rigid_spin(b, x), m)));
    const double change[3] = {turn.x, turn.y, turn.z};
    for (int i = 0; i < 3; i++)
        if (b->node->dof[3 + i] >= 0)
            y[b->node->dof[3 + i]] += scale * change[i];
}

int zn_rigid_relative_row(const zn_rigid *A, const zn_rigid *B, zn_vec3 c, zn_vec3 d, int *dof, double *value)
{
    int count = zn_rigid_row(A, c, d, dof, value);
    return count + zn_rigid_row(B, c, zn_vec3_scale(-1, d), dof + count, value + count);
}

// Rows of one body in space from entry `at` on, times `sign`.
static void frame_rows(const zn_rigid *b, zn_vec3 c, int count, const zn_vec3 *d, double sign, int at,
                       double *const *value)
{
    zn_vec3 lever = zn_vec3_sub(c, b->position);
    for (int i = 0; i < count; i++) {
        zn_vec3 along = zn_vec3_scale(sign, d[i]), turn = to_body(b, zn_vec3_cross(lever, along));
        double *row = value[i] + at;
        row[0] = along.x;
        row[1] = along.y;
        row[2] = along.z;
        row[3] = turn.x;
        row[4] = turn.y;
        row[5] = turn.z;
    }
}

static bool is_frame3(const zn_rigid *b) { return b->node && b->node->kind == ZN_FRAME3; }

int zn_rigid_relative_rows(const zn_rigid *A, const zn_rigid *B, zn_vec3 c, int count, const zn_vec3 *d, int *dof,
                           double *const *value)
{
    int entries = 0;
    if ((A->node && !is_frame3(A)) || (B->node && !is_frame3(B))) {
        for (int i = 0; i < count; i++)
            entries = zn_rigid_relative_row(A, B, c, d[i], dof, value[i]);
        return entries;
    }
    for (int side = 0; side < 2; side++) {
        const zn_rigid *body = side == 0 ? A : B;
        if (!body->node)
            continue;
        memcpy(dof + entries, body->node->dof, ZN_RIGID_DOFS * sizeof *dof);
        frame_rows(body, c, count, d, side == 0 ? 1 : -1, entries, value);
        entries += ZN_RIGID_DOFS;
    }
    return entries;
}

void zn_rigid_relative_change(const zn_rigid *A, const zn_rigid *B, zn_vec3 c, zn_vec3 d, zn_vec3 dc, zn_vec3 dd,
                              double scale, const double *x, double *y)
{
    zn_rigid_row_change(A, c, d, dc, dd, scale, x, y);
    zn_rigid_row_change(B, c, d, dc, dd, -scale, x, y);
}
