// Angles and displacements of joints, with S the spins in world axes and d = x_a - x_b:
//     displacement   s = n.d - offset,  n = R_b axis: row of x_a along n, of the material point of b at x_a along -n
//     in the plane   phi = phi_a - phi_b - offset
//     in space       phi = atan2(y, x) - offset + 2 pi k,  x = u.s + w.t, y = u.t - w.s
// with u, w carried by a, s, t by b, both pairs right-handed with the axis at the start. This is the turn about the
// axis that is left when the axis of a is tilted into that of b on the shortest way, whichever directions across the
// axis s and t are. dphi = (S_a - S_b).m with m = (u x (x t - y s) - w x (x s + y t)) / (x^2 + y^2), which is the axis
// while both bodies keep it. The number of turns k is that of the value nearest to the entry of q that remembers it
// (memory.h).
#include "model/travel.h"

#include <math.h>

#include "base/assert.h"

typedef struct ends {
    zn_rigid A, B;
} ends;

static ends ends_of(const zn_travel *p, const zn_layout *layout, const double *q)
{
    return (ends){zn_rigid_at(layout, p->a.node, q), zn_rigid_at(layout, p->b.node, q)};
}

// --- angles in space -----------------------------------------------------------------------------

typedef struct turned {
    zn_vec3 u[2], s, t;
    double  x, y;
} turned;

static turned turned_of(const zn_travel *p, const ends *e)
{
    turned r = {{zn_rigid_vector(&e->A, p->u[0]), zn_rigid_vector(&e->A, p->u[1])},
                zn_rigid_vector(&e->B, p->s),
                zn_rigid_vector(&e->B, p->t),
                0,
                0};
    r.x = zn_vec3_dot(r.u[0], r.s) + zn_vec3_dot(r.u[1], r.t);
    r.y = zn_vec3_dot(r.u[0], r.t) - zn_vec3_dot(r.u[1], r.s);
    return r;
}

// x a + y b
static zn_vec3 sum_of(double x, zn_vec3 a, double y, zn_vec3 b)
{
    return zn_vec3_add(zn_vec3_scale(x, a), zn_vec3_scale(y, b));
}

static zn_vec3 moment_of(const turned *r)
{
    zn_vec3 first = zn_vec3_cross(r->u[0], sum_of(r->x, r->t, -r->y, r->s));
    zn_vec3 second = zn_vec3_cross(r->u[1], sum_of(r->x, r->s, r->y, r->t));
    return zn_vec3_scale(1 / (r->x * r->x + r->y * r->y), zn_vec3_sub(first, second));
}

// dm when the bodies move with x
static zn_vec3 moment_change(const turned *r, const ends *e, const double *x)
{
    zn_vec3 own = zn_rigid_spin(&e->A, x), spin = zn_rigid_spin(&e->B, x);
    turned  d = {{zn_vec3_cross(own, r->u[0]), zn_vec3_cross(own, r->u[1])},
                 zn_vec3_cross(spin, r->s),
                 zn_vec3_cross(spin, r->t),
                 0,
                 0};
    d.x = zn_vec3_dot(d.u[0], r->s) + zn_vec3_dot(r->u[0], d.s) + zn_vec3_dot(d.u[1], r->t) + zn_vec3_dot(r->u[1], d.t);
    d.y = zn_vec3_dot(d.u[0], r->t) + zn_vec3_dot(r->u[0], d.t) - zn_vec3_dot(d.u[1], r->s) - zn_vec3_dot(r->u[1], d.s);
    double  size = r->x * r->x + r->y * r->y, growth = 2 * (r->x * d.x + r->y * d.y) / size;
    zn_vec3 w[2] = {sum_of(r->x, r->t, -r->y, r->s), sum_of(r->x, r->s, r->y, r->t)};
    zn_vec3 dw[2] = {zn_vec3_add(sum_of(d.x, r->t, -d.y, r->s), sum_of(r->x, d.t, -r->y, d.s)),
                     zn_vec3_add(sum_of(d.x, r->s, d.y, r->t), sum_of(r->x, d.s, r->y, d.t))};
    zn_vec3 change = zn_vec3_add(zn_vec3_cross(d.u[0], w[0]), zn_vec3_cross(r->u[0], dw[0]));
    change = zn_vec3_sub(change, zn_vec3_add(zn_vec3_cross(d.u[1], w[1]), zn_vec3_cross(r->u[1], dw[1])));
    return zn_vec3_sub(zn_vec3_scale(1 / size, change), zn_vec3_scale(growth, moment_of(r)));
}

double zn_travel_unwrap(const zn_travel *p, const zn_layout *layout, const double *q, double near)
{
    const double turn = 2 * 3.14159265358979323846;
    ends         e = ends_of(p, layout, q);
    turned       r = turned_of(p, &e);
    double       angle = atan2(r.y, r.x) - p->offset;
    return angle + turn * round((near - angle) / turn);
}

// --- all of them ---------------------------------------------------------------------------------

bool zn_travel_is_straight(const zn_travel *p) { return p->turn && p->memory < 0; }

double zn_travel_value(const zn_travel *p, const zn_layout *layout, const double *q)
{
    if (p->turn && p->memory >= 0)
        return zn_travel_unwrap(p, layout, q, q[layout->memory + p->memory]);
    ends e = ends_of(p, layout, q);
    if (p->turn)
        return zn_rigid_angle(&e.A, q) - zn_rigid_angle(&e.B, q) - p->offset;
    zn_vec3 d = zn_vec3_sub(zn_rigid_point(&e.A, p->a.at), zn_rigid_point(&e.B, p->b.at));
    return zn_vec3_dot(zn_rigid_vector(&e.B, p->axis), d) - p->offset;
}

int zn_travel_row(const zn_travel *p, const zn_layout *layout, const double *q, int *dof, double *value)
{
    ends e = ends_of(p, layout, q);
    if (!p->turn)
        return zn_rigid_relative_row(&e.A, &e.B, zn_rigid_point(&e.A, p->a.at), zn_rigid_vector(&e.B, p->axis), dof,
                                     value);
    zn_vec3 m = {0, 0, 1};
    if (p->memory >= 0) {
        turned r = turned_of(p, &e);
        m = moment_of(&r);
    }
    int count = zn_rigid_turn_row(&e.A, m, dof, value);
    return count + zn_rigid_turn_row(&e.B, zn_vec3_scale(-1, m), dof + count, value + count);
}

void zn_travel_change(const zn_travel *p, const zn_layout *layout, const double *q, double scale, const double *x,
                      double *y)
{
    ZN_ASSERT(x != y);
    if (zn_travel_is_straight(p))
        return;
    ends e = ends_of(p, layout, q);
    if (p->turn) {
        turned  r = turned_of(p, &e);
        zn_vec3 m = moment_of(&r), dm = moment_change(&r, &e, x);
        zn_rigid_turn_row_change(&e.A, m, dm, scale, x, y);
        zn_rigid_turn_row_change(&e.B, m, dm, -scale, x, y);
        return;
    }
    zn_vec3 at = zn_rigid_point(&e.A, p->a.at), n = zn_rigid_vector(&e.B, p->axis);
    zn_rigid_relative_change(&e.A, &e.B, at, n, zn_rigid_velocity(&e.A, x, at),
                             zn_vec3_cross(zn_rigid_spin(&e.B, x), n), scale, x, y);
}

double zn_travel_rate(const zn_travel *p, const zn_layout *layout, const double *q, const double *v)
{
    int    dof[ZN_TRAVEL_ENTRIES];
    double value[ZN_TRAVEL_ENTRIES], rate = 0;
    int    count = zn_travel_row(p, layout, q, dof, value);
    for (int i = 0; i < count; i++)
        rate += value[i] * v[dof[i]];
    return rate;
}

// Column by column on a layout of the two bodies alone: entry j is v times the change of the row in degree of freedom
// j.
int zn_travel_rate_row(const zn_travel *p, const zn_layout *layout, const double *q, const double *v, int *dof,
                       double *value)
{
    zn_layout_node  node[2] = {{0}};
    const zn_layout two = {2, node, layout->memory};
    zn_travel       own = *p;
    zn_node_id     *id[2] = {&own.a.node, &own.b.node};
    double          speed[ZN_TRAVEL_ENTRIES];
    int             count = 0;
    for (int side = 0; side < 2; side++) {
        if (id[side]->value == 0)
            continue;
        node[side] = layout->node[id[side]->value - 1];
        *id[side] = (zn_node_id){side + 1};
        for (int slot = 0; slot < 6; slot++) {
            if (node[side].dof[slot] < 0)
                continue;
            dof[count] = node[side].dof[slot];
            speed[count] = v[dof[count]];
            node[side].dof[slot] = count++;
        }
    }
    for (int j = 0; j < count; j++) {
        double x[ZN_TRAVEL_ENTRIES] = {0}, y[ZN_TRAVEL_ENTRIES] = {0};
        x[j] = 1;
        zn_travel_change(&own, &two, q, 1, x, y);
        value[j] = 0;
        for (int i = 0; i < count; i++)
            value[j] += speed[i] * y[i];
    }
    return count;
}
