// Angles and displacements of joints, with S the spins in world axes and d = x_a - x_b:
//     displacement   s = n.d - offset,  n = R_b axis: row of x_a along n, of the material point of b at x_a along -n
//     in the plane   phi = phi_a - phi_b - offset
//     in space       phi = atan2(y, x) - offset + 2 pi k,  x = u.s + w.t, y = u.t - w.s
// with u, w carried by a and s, t by b, equal at the start. This is the twist about the axis, 2 atan2(p.axis, p_0) of
// the relative quaternion: which directions across the axis u and w are does not matter. It has dphi = (S_a - S_b).m
// with m = (u x (x t - y s) - w x (x s + y t)) / (x^2 + y^2), which is the axis while both bodies keep it. The number
// of turns k is that of the value nearest to the entry of q that remembers it (memory.h).
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
    zn_vec3 u, w, s, t;
    double  x, y;
} turned;

static turned turned_of(const zn_travel *p, const ends *e)
{
    turned r = {zn_rigid_vector(&e->A, p->u),
                zn_rigid_vector(&e->A, p->w),
                zn_rigid_vector(&e->B, p->s),
                zn_rigid_vector(&e->B, p->t),
                0,
                0};
    r.x = zn_vec3_dot(r.u, r.s) + zn_vec3_dot(r.w, r.t);
    r.y = zn_vec3_dot(r.u, r.t) - zn_vec3_dot(r.w, r.s);
    return r;
}

// a u + b w
static zn_vec3 combine(double a, zn_vec3 u, double b, zn_vec3 w)
{
    return zn_vec3_add(zn_vec3_scale(a, u), zn_vec3_scale(b, w));
}

// u x (x t - y s) - w x (x s + y t) with the x, y of one and the vectors of others
static zn_vec3 wrench(zn_vec3 u, zn_vec3 w, double x, double y, zn_vec3 s, zn_vec3 t)
{
    return zn_vec3_sub(zn_vec3_cross(u, combine(x, t, -y, s)), zn_vec3_cross(w, combine(x, s, y, t)));
}

static zn_vec3 moment_of(const turned *r)
{
    return zn_vec3_scale(1 / (r->x * r->x + r->y * r->y), wrench(r->u, r->w, r->x, r->y, r->s, r->t));
}

// dm when the bodies move with x: the wrench is linear in each of its arguments
static zn_vec3 moment_change(const turned *r, const ends *e, const double *x)
{
    zn_vec3 spin[2] = {zn_rigid_spin(&e->A, x), zn_rigid_spin(&e->B, x)};
    zn_vec3 du = zn_vec3_cross(spin[0], r->u), dw = zn_vec3_cross(spin[0], r->w);
    zn_vec3 ds = zn_vec3_cross(spin[1], r->s), dt = zn_vec3_cross(spin[1], r->t);
    double  dx = zn_vec3_dot(du, r->s) + zn_vec3_dot(r->u, ds) + zn_vec3_dot(dw, r->t) + zn_vec3_dot(r->w, dt);
    double  dy = zn_vec3_dot(du, r->t) + zn_vec3_dot(r->u, dt) - zn_vec3_dot(dw, r->s) - zn_vec3_dot(r->w, ds);
    double  size = r->x * r->x + r->y * r->y, growth = 2 * (r->x * dx + r->y * dy) / size;
    zn_vec3 change = wrench(du, dw, r->x, r->y, r->s, r->t);
    change = zn_vec3_add(change, wrench(r->u, r->w, dx, dy, r->s, r->t));
    change = zn_vec3_add(change, wrench(r->u, r->w, r->x, r->y, ds, dt));
    return combine(1 / size, change, -growth, moment_of(r));
}

double zn_travel_unwrap(const zn_travel *p, const zn_layout *layout, const double *q, double near)
{
    const double turn = 2 * 3.14159265358979323846;
    ends         e = ends_of(p, layout, q);
    turned       r = turned_of(p, &e);
    double       angle = zn_atan2(r.y, r.x) - p->offset;
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

void zn_travel_place(const zn_travel *p, const zn_layout *layout, const double *q, zn_vec3 *point, zn_vec3 *axis)
{
    ends e = ends_of(p, layout, q);
    *point = zn_rigid_point(&e.A, p->a.at);
    *axis = zn_rigid_vector(&e.B, p->axis);
}
