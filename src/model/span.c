// With x = p + R a the points, s = x_to - x_from, S the spins in world axes (S_c of the axes), d = R_c e:
//     along       p = d.s                       dp = d.(dx_to - dx_from) + (d x s).dS_c
//     its rate    u = d.w + (d x s).S_c         w = dx_to/dt - dx_from/dt
//     length      l = |s|, n = s/l              dl = n.(dx_to - dx_from)
//     its rate    u = n.w
//     turn rate   u = d.(S_to - S_from)
// where dx = dp + dS x (x - p), and dS stands for a small turn of a body. Rates are linear in v, with the row of what
// they are the rate of. Their change with q at fixed v (spins are constant in body axes, so S changes by dS x S):
//     a velocity along a fixed d    d(d.dx/dt) = ((S x r) x d).dS                 r = x - p
//     u of along  the above of d and, of a change of d, s and S_c,
//                 (S_c x d).(dx_to - dx_from) + (d x w + S_c x (d x s) + d x (s x S_c)).dS_c
//     n.w         the above of n, and ((w - n n.w)/l).(dx_to - dx_from)
//     turn rate   (S_to x d).dS_to - (S_from x d).dS_from + (d x (S_to - S_from)).dS_c
#include "model/span.h"

#include "model/rigid_row.h"

typedef struct ends {
    zn_rigid from, to, axes;
    zn_vec3  x_from, x_to, s;
} ends;

static ends ends_of(const zn_span *span, const zn_layout *layout, const double *q)
{
    ends e = {.from = zn_rigid_at(layout, span->from.node, q),
              .to = zn_rigid_at(layout, span->to.node, q),
              .axes = zn_rigid_at(layout, span->axes, q)};
    e.x_from = zn_rigid_point(&e.from, span->from.at);
    e.x_to = zn_rigid_point(&e.to, span->to.at);
    e.s = zn_vec3_sub(e.x_to, e.x_from);
    return e;
}

static zn_vec3 velocity(const ends *e, const double *v)
{
    return zn_vec3_sub(zn_rigid_velocity(&e->to, v, e->x_to), zn_rigid_velocity(&e->from, v, e->x_from));
}

static zn_vec3 unit_of(zn_vec3 s, double length)
{
    return length > 0 ? zn_vec3_scale(1 / length, s) : (zn_vec3){0, 0, 0};
}

// --- values --------------------------------------------------------------------------------------

double zn_span_along(const zn_span *span, const zn_layout *layout, zn_vec3 e, const double *q)
{
    ends at = ends_of(span, layout, q);
    return zn_vec3_dot(zn_rigid_vector(&at.axes, e), at.s);
}

double zn_span_along_rate(const zn_span *span, const zn_layout *layout, zn_vec3 e, zn_at at)
{
    ends    p = ends_of(span, layout, at.q);
    zn_vec3 d = zn_rigid_vector(&p.axes, e);
    return zn_vec3_dot(d, velocity(&p, at.v)) + zn_vec3_dot(zn_vec3_cross(d, p.s), zn_rigid_spin(&p.axes, at.v));
}

double zn_span_length(const zn_span *span, const zn_layout *layout, const double *q)
{
    return zn_vec3_norm(ends_of(span, layout, q).s);
}

double zn_span_length_rate(const zn_span *span, const zn_layout *layout, zn_at at)
{
    ends    p = ends_of(span, layout, at.q);
    zn_vec3 w = velocity(&p, at.v);
    double  length = zn_vec3_norm(p.s);
    return length > 0 ? zn_vec3_dot(unit_of(p.s, length), w) : zn_vec3_norm(w);
}

double zn_span_turn_rate(const zn_span *span, const zn_layout *layout, zn_vec3 e, zn_at at)
{
    ends p = ends_of(span, layout, at.q);
    return zn_vec3_dot(zn_rigid_vector(&p.axes, e),
                       zn_vec3_sub(zn_rigid_spin(&p.to, at.v), zn_rigid_spin(&p.from, at.v)));
}

// --- gradients -----------------------------------------------------------------------------------

// direction.(dx_to - dx_from)
static void add_points(const ends *p, zn_vec3 direction, double on_q, double on_v, zn_gradient *g)
{
    int    dof[ZN_RIGID_DOFS];
    double row[ZN_RIGID_DOFS];
    int    count = zn_rigid_row(&p->to, p->x_to, direction, dof, row);
    zn_gradient_add(g, count, dof, row, on_q, on_v);
    count = zn_rigid_row(&p->from, p->x_from, direction, dof, row);
    zn_gradient_add(g, count, dof, row, -on_q, -on_v);
}

// m.dS of a body
static void add_turn(const zn_rigid *body, zn_vec3 m, double on_q, double on_v, zn_gradient *g)
{
    int    dof[ZN_RIGID_DOFS];
    double row[ZN_RIGID_DOFS];
    int    count = zn_rigid_turn_row(body, m, dof, row);
    zn_gradient_add(g, count, dof, row, on_q, on_v);
}

// d.dx/dt of a carried point, d fixed
static void add_velocity(const zn_rigid *body, zn_vec3 x, zn_vec3 d, const double *v, double on_q, zn_gradient *g)
{
    zn_vec3 turning = zn_vec3_cross(zn_rigid_spin(body, v), zn_vec3_sub(x, body->position));
    add_turn(body, zn_vec3_cross(turning, d), on_q, 0, g);
}

void zn_span_along_gradient(const zn_span *span, const zn_layout *layout, zn_vec3 e, const double *q, double weight,
                            zn_gradient *g)
{
    ends    p = ends_of(span, layout, q);
    zn_vec3 d = zn_rigid_vector(&p.axes, e);
    add_points(&p, d, weight, 0, g);
    add_turn(&p.axes, zn_vec3_cross(d, p.s), weight, 0, g);
}

void zn_span_along_rate_gradient(const zn_span *span, const zn_layout *layout, zn_vec3 e, zn_at at, double weight,
                                 zn_gradient *g)
{
    ends    p = ends_of(span, layout, at.q);
    zn_vec3 d = zn_rigid_vector(&p.axes, e), S = zn_rigid_spin(&p.axes, at.v), m = zn_vec3_cross(d, p.s);
    zn_vec3 turn = zn_vec3_cross(d, velocity(&p, at.v));
    turn = zn_vec3_add(turn, zn_vec3_cross(S, m));
    turn = zn_vec3_add(turn, zn_vec3_cross(d, zn_vec3_cross(p.s, S)));
    add_points(&p, d, 0, weight, g);
    add_turn(&p.axes, m, 0, weight, g);
    add_velocity(&p.to, p.x_to, d, at.v, weight, g);
    add_velocity(&p.from, p.x_from, d, at.v, -weight, g);
    add_points(&p, zn_vec3_cross(S, d), weight, 0, g);
    add_turn(&p.axes, turn, weight, 0, g);
}

void zn_span_length_gradient(const zn_span *span, const zn_layout *layout, const double *q, double weight,
                             zn_gradient *g)
{
    ends p = ends_of(span, layout, q);
    add_points(&p, unit_of(p.s, zn_vec3_norm(p.s)), weight, 0, g);
}

void zn_span_length_rate_gradient(const zn_span *span, const zn_layout *layout, zn_at at, double weight, zn_gradient *g)
{
    ends    p = ends_of(span, layout, at.q);
    double  length = zn_vec3_norm(p.s);
    zn_vec3 n = unit_of(p.s, length), w = velocity(&p, at.v);
    zn_vec3 across = unit_of(zn_vec3_sub(w, zn_vec3_scale(zn_vec3_dot(n, w), n)), length);
    add_points(&p, n, 0, weight, g);
    add_velocity(&p.to, p.x_to, n, at.v, weight, g);
    add_velocity(&p.from, p.x_from, n, at.v, -weight, g);
    add_points(&p, across, weight, 0, g);
}

void zn_span_turn_rate_gradient(const zn_span *span, const zn_layout *layout, zn_vec3 e, zn_at at, double weight,
                                zn_gradient *g)
{
    ends    p = ends_of(span, layout, at.q);
    zn_vec3 d = zn_rigid_vector(&p.axes, e), to = zn_rigid_spin(&p.to, at.v), from = zn_rigid_spin(&p.from, at.v);
    add_turn(&p.to, d, 0, weight, g);
    add_turn(&p.from, d, 0, -weight, g);
    add_turn(&p.to, zn_vec3_cross(to, d), weight, 0, g);
    add_turn(&p.from, zn_vec3_cross(from, d), -weight, 0, g);
    add_turn(&p.axes, zn_vec3_cross(d, zn_vec3_sub(to, from)), weight, 0, g);
}
