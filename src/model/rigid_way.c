// A turn R -> R' has Cayley's vector w, tan of half the angle twice, with
//     R' - R = w x (R + R')/2,            so a lever moves by w x its mean, exactly
//     (R + R')/2 = (I - w~/2)^-1 R        which moments m in world axes go through into the equations of rotation,
//     ((R + R')/2)^-1 m = R_T (m - w x m/2)   R_T: transposed
// see rigid_body3.c: the spatial angular momentum then changes by exactly h m. As (I + w~/2) w = w the row has the work
// m.w on w in body axes. When the end turns by the spin S in world axes,
//     dw = S - w x S/2 + w (w.S)/4.
// In the plane w, m and S are along z.
#include "model/rigid_way.h"

#include "base/assert.h"

static zn_vec3 cayley(const zn_layout_node *node, zn_between s)
{
    const double *a = s.from.q + node->q, *b = s.to.q + node->q;
    if (node->kind == ZN_FRAME2)
        return (zn_vec3){0, 0, 2 * zn_tan(0.5 * (b[2] - a[2]))};
    if (node->kind != ZN_FRAME3)
        return (zn_vec3){0, 0, 0};
    zn_quat turn = zn_quat_product((zn_quat){b[3], b[4], b[5], b[6]}, (zn_quat){a[3], -a[4], -a[5], -a[6]});
    return zn_vec3_scale(2 / turn.w, (zn_vec3){turn.x, turn.y, turn.z});
}

zn_rigid_way zn_rigid_way_of(const zn_layout *layout, zn_node_id id, zn_between s)
{
    zn_rigid_way b = {.from = zn_rigid_at(layout, id, s.from.q), .to = zn_rigid_at(layout, id, s.to.q)};
    b.middle = zn_vec3_scale(0.5, zn_vec3_add(b.from.position, b.to.position));
    b.shift = zn_vec3_sub(b.to.position, b.from.position);
    if (b.to.node)
        b.turn = cayley(b.to.node, s);
    return b;
}

zn_vec3 zn_rigid_way_lever(const zn_rigid_way *b, zn_vec3 at)
{
    return zn_vec3_scale(0.5, zn_vec3_add(zn_rigid_vector(&b->from, at), zn_rigid_vector(&b->to, at)));
}

zn_vec3 zn_rigid_way_moved(const zn_rigid_way *b, zn_vec3 lever)
{
    return zn_vec3_add(b->shift, zn_vec3_cross(b->turn, lever));
}

// --- rows ----------------------------------------------------------------------------------------

int zn_rigid_way_turn_row(const zn_rigid_way *b, zn_vec3 m, int *dof, double *value)
{
    return zn_rigid_turn_row(&b->from, zn_vec3_sub(m, zn_vec3_scale(0.5, zn_vec3_cross(b->turn, m))), dof, value);
}

int zn_rigid_way_row(const zn_rigid_way *b, zn_vec3 lever, zn_vec3 d, int *dof, double *value)
{
    int count = zn_rigid_centre_row(&b->to, d, dof, value);
    return count + zn_rigid_way_turn_row(b, zn_vec3_cross(lever, d), dof + count, value + count);
}

// --- motions of the end --------------------------------------------------------------------------

static zn_vec3 turn_change(zn_vec3 w, zn_vec3 S)
{
    zn_vec3 across = zn_vec3_scale(-0.5, zn_vec3_cross(w, S)), along = zn_vec3_scale(0.25 * zn_vec3_dot(w, S), w);
    return zn_vec3_add(S, zn_vec3_add(across, along));
}

zn_rigid_motion zn_rigid_way_motion(const zn_rigid_way *b, const double *x)
{
    zn_vec3 S = zn_rigid_spin(&b->to, x);
    return (zn_rigid_motion){zn_rigid_velocity(&b->to, x, b->to.position), S, turn_change(b->turn, S)};
}

static zn_vec3 axis(int k) { return (zn_vec3){k == 0, k == 1, k == 2}; }

int zn_rigid_way_dofs(const zn_rigid_way *b)
{
    const zn_layout_node *node = b->to.node;
    if (!node)
        return 0;
    return zn_node_dimension(node->kind) + (node->kind == ZN_FRAME3 ? 3 : node->kind == ZN_FRAME2 ? 1 : 0);
}

zn_rigid_motion zn_rigid_way_unit(const zn_rigid_way *b, int k)
{
    ZN_ASSERT(k >= 0 && k < zn_rigid_way_dofs(b));
    int             moves = zn_node_dimension(b->to.node->kind);
    zn_rigid_motion x = {0};
    if (k < moves)
        x.shift = axis(k);
    else
        x.spin = zn_rigid_vector(&b->to, axis(b->to.node->kind == ZN_FRAME2 ? 2 : k - moves));
    x.turn = turn_change(b->turn, x.spin);
    return x;
}

// --- changes -------------------------------------------------------------------------------------

zn_vec3 zn_rigid_way_lever_change(const zn_rigid_way *b, zn_vec3 at, const zn_rigid_motion *x)
{
    return zn_vec3_scale(0.5, zn_vec3_cross(x->spin, zn_rigid_vector(&b->to, at)));
}

zn_vec3 zn_rigid_way_moved_change(const zn_rigid_way *b, zn_vec3 lever, zn_vec3 dlever, const zn_rigid_motion *x)
{
    zn_vec3 turned = zn_vec3_add(zn_vec3_cross(x->turn, lever), zn_vec3_cross(b->turn, dlever));
    return zn_vec3_add(x->shift, turned);
}

// y += scale R_T m on the rotations.
static void add_moment(const zn_rigid_way *b, zn_vec3 m, double scale, double *y)
{
    int    dof[3];
    double value[3];
    int    count = zn_rigid_turn_row(&b->from, m, dof, value);
    for (int i = 0; i < count; i++)
        y[dof[i]] += scale * value[i];
}

void zn_rigid_way_turn_row_change(const zn_rigid_way *b, const zn_rigid_motion *x, zn_vec3 m, zn_vec3 dm, double scale,
                                  double *y)
{
    zn_vec3 turned = zn_vec3_add(zn_vec3_cross(x->turn, m), zn_vec3_cross(b->turn, dm));
    add_moment(b, zn_vec3_sub(dm, zn_vec3_scale(0.5, turned)), scale, y);
}

void zn_rigid_way_row_change(const zn_rigid_way *b, const zn_rigid_motion *x, zn_vec3 lever, zn_vec3 d, zn_vec3 dlever,
                             zn_vec3 dd, double scale, double *y)
{
    const double change[3] = {dd.x, dd.y, dd.z};
    zn_vec3      m = zn_vec3_cross(lever, d), dm = zn_vec3_add(zn_vec3_cross(dlever, d), zn_vec3_cross(lever, dd));
    for (int i = 0; b->to.node && i < zn_node_dimension(b->to.node->kind); i++)
        y[b->to.node->dof[i]] += scale * change[i];
    zn_rigid_way_turn_row_change(b, x, m, dm, scale, y);
}
