// A point x = origin + p + R a of a node:
//     point:   J = I
//     frame2:  J = [I, e_z x R a]                    d(J'n)/dphi = -n . R a
//     frame3:  J = [I, -R a~]  (spin in body axes)   d(a~ R' n) = a~ (R' n)~ dTheta
#include "model/attachment.h"

#include "base/assert.h"
#include "base/seldom.h"

static const zn_layout_node *node_of(const zn_layout *layout, const zn_attachment *a)
{
    ZN_ASSERT(a->node.value >= 0 && a->node.value <= layout->nodes);
    return a->node.value > 0 ? &layout->node[a->node.value - 1] : NULL;
}

static zn_quat quaternion(const zn_layout_node *node, const double *q)
{
    const double *r = q + node->q + 3;
    return (zn_quat){r[0], r[1], r[2], r[3]};
}

// R a in the plane, where `turn` may hold R.
static inline zn_vec3 planar_lever(const zn_layout_node *node, const zn_attachment *a, const double *q, zn_turn *turn)
{
    if (turn->angle != q[node->q + 2]) {
        turn->angle = q[node->q + 2];
        zn_sincos(turn->angle, &turn->sine, &turn->cosine);
    }
    double c = turn->cosine, s = turn->sine;
    return (zn_vec3){c * a->at.x - s * a->at.y, s * a->at.x + c * a->at.y, 0};
}

ZN_APART static zn_vec3 turned_lever(const zn_layout_node *node, const zn_attachment *a, const double *q)
{
    zn_turn turn = {.angle = NAN};
    if (node->kind == ZN_FRAME3)
        return zn_quat_rotate(quaternion(node, q), a->at);
    return planar_lever(node, a, q, &turn);
}

// R a, the lever from the node to the point.
static inline zn_vec3 lever(const zn_layout_node *node, const zn_attachment *a, const double *q)
{
    return zn_node_rotates(node->kind) ? turned_lever(node, a, q) : (zn_vec3){0, 0, 0};
}

static zn_vec3 position(const zn_layout_node *node, const double *q, zn_vec3 r)
{
    const double *p = q + node->q;
    double        z = zn_node_dimension(node->kind) == 3 ? p[2] : 0;
    return (zn_vec3){node->origin.x + p[0] + r.x, node->origin.y + p[1] + r.y, node->origin.z + z + r.z};
}

zn_vec3 zn_attachment_position(const zn_layout *layout, const zn_attachment *a, const double *q)
{
    const zn_layout_node *node = node_of(layout, a);
    return node ? position(node, q, lever(node, a, q)) : a->at;
}

zn_vec3 zn_attachment_velocity(const zn_layout *layout, const zn_attachment *a, const double *q, const double *v)
{
    const zn_layout_node *node = node_of(layout, a);
    if (!node)
        return (zn_vec3){0, 0, 0};
    zn_vec3 velocity = {v[node->dof[0]], v[node->dof[1]], node->dof[2] >= 0 ? v[node->dof[2]] : 0};
    if (node->kind == ZN_FRAME2) {
        zn_vec3 r = lever(node, a, q);
        double  spin = v[node->dof[5]];
        velocity.x -= spin * r.y;
        velocity.y += spin * r.x;
    } else if (node->kind == ZN_FRAME3) {
        zn_vec3 spin = {v[node->dof[3]], v[node->dof[4]], v[node->dof[5]]};
        velocity = zn_vec3_add(velocity, zn_quat_rotate(quaternion(node, q), zn_vec3_cross(spin, a->at)));
    }
    return velocity;
}

// n . dx/dq with the lever r = R a at hand.
static int row_along(const zn_layout_node *node, const zn_attachment *a, const double *q, zn_vec3 n, zn_vec3 r,
                     int *dof, double *value)
{
    int          count = zn_node_dimension(node->kind);
    const double direction[3] = {n.x, n.y, n.z};
    for (int i = 0; i < count; i++) {
        dof[i] = node->dof[i];
        value[i] = direction[i];
    }
    if (node->kind == ZN_FRAME2) {
        dof[count] = node->dof[5];
        value[count++] = n.y * r.x - n.x * r.y;
    } else if (node->kind == ZN_FRAME3) {
        zn_vec3      body = zn_quat_rotate(zn_quat_conjugate(quaternion(node, q)), n);
        zn_vec3      moment = zn_vec3_cross(a->at, body); // (-R a~)' n = a~ R' n
        const double about[3] = {moment.x, moment.y, moment.z};
        for (int i = 0; i < 3; i++) {
            dof[count] = node->dof[3 + i];
            value[count++] = about[i];
        }
    }
    return count;
}

int zn_attachment_row(const zn_layout *layout, const zn_attachment *a, const double *q, zn_vec3 n, int *dof,
                      double *value)
{
    const zn_layout_node *node = node_of(layout, a);
    return node ? row_along(node, a, q, n, lever(node, a, q), dof, value) : 0;
}

// The same in the plane, where points of a body are most of what a small model asks for.
static zn_vec3 planar_row(const zn_layout_node *node, const zn_attachment *a, const double *q, zn_vec3 n, zn_turn *turn,
                          int *dof, double *value, int *entries)
{
    zn_vec3       r = planar_lever(node, a, q, turn);
    const double *p = q + node->q;
    dof[0] = node->dof[0];
    dof[1] = node->dof[1];
    dof[2] = node->dof[5];
    value[0] = n.x;
    value[1] = n.y;
    value[2] = n.y * r.x - n.x * r.y;
    *entries = 3;
    return (zn_vec3){node->origin.x + p[0] + r.x, node->origin.y + p[1] + r.y, node->origin.z};
}

zn_vec3 zn_attachment_position_row(const zn_layout *layout, const zn_attachment *a, const double *q, zn_vec3 n,
                                   zn_turn *turn, int *dof, double *value, int *entries)
{
    const zn_layout_node *node = node_of(layout, a);
    if (node && node->kind == ZN_FRAME2)
        return planar_row(node, a, q, n, turn, dof, value, entries);
    zn_vec3 r = node ? lever(node, a, q) : (zn_vec3){0, 0, 0};
    *entries = node ? row_along(node, a, q, n, r, dof, value) : 0;
    return node ? position(node, q, r) : a->at;
}

zn_mat3 zn_attachment_curvature(const zn_layout *layout, const zn_attachment *a, const double *q, zn_vec3 n)
{
    zn_mat3               block = {{{0}}};
    const zn_layout_node *node = node_of(layout, a);
    if (!node)
        return block;
    if (node->kind == ZN_FRAME2)
        block.m[2][2] = -zn_vec3_dot(n, lever(node, a, q));
    else if (node->kind == ZN_FRAME3) {
        zn_vec3 body = zn_quat_rotate(zn_quat_conjugate(quaternion(node, q)), n);
        block = zn_mat3_product(zn_mat3_skew(a->at), zn_mat3_skew(body));
    }
    return block;
}

void zn_attachment_dofs(const zn_layout *layout, const zn_attachment *a, int dof[ZN_ATTACHMENT_DOFS])
{
    const zn_layout_node *node = node_of(layout, a);
    for (int i = 0; i < ZN_ATTACHMENT_DOFS; i++)
        dof[i] = node ? node->dof[i] : -1;
}
