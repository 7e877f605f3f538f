// A ball of body A (centre x, radius r) on a surface of body B, between two states. Bars are means of both, w_A and w_B
// the Cayley vectors of the turns, d = x - s, s a point of the surface or its centre. The force acts at x^- on both
// bodies, along the unit vector n of
//     n_0 + n_1    for a normal that B carries:   (n_0 + n_1)/2.(dx - v_B(x^-)) = g' - g
//     d_0 + d_1    for a round surface:           (d_0 + d_1).(dd) / (|d_0| + |d_1|) = g' - g
//     m_0 + m_1    for a cylinder, m the part of d across its axis, in the axes of B, where the axis rests:
//                  N = (m_0 + m_1) / (|m_0| + |m_1|) is a normal that B carries, and that formula holds
// with v_B(c) = dp_B + w_B x (c - p_B^-). Both hold exactly, so that a contact that lasts does no work; as n is a unit
// vector (multipliers are forces, and Coulomb's cone is one of forces) its work is (g' - g)/k, k = |n_0 + n_1|/2 or
// |d_0 + d_1| / (|d_0| + |d_1|), one but for order h^2, as that of contact frames. Where the normal turns by more than
// a right angle, as that of a journal does which crosses its bearing, the contact is not the one of before, and n is
// that of the end.
//
// Friction acts at c = x^- - r n, in the same unit frame: the first tangent is that which B carries, in the mean of
// both states, made perpendicular to n; or follows n, near that of the end. The slip is the way of A
// against B there,
//     s = t.[ dx - w_A x r n - v_B(c) ],
// zero where both move as one body, however far. A wheel that rolls by the angle a goes 2 r tan(a/2): it holds for mean
// velocities, with which energy is kept, not for arcs; the difference is of order h^2.
#include "model/contact/touch_between.h"

#include "base/assert.h"

typedef struct middle {
    zn_rigid_way A, B;
    zn_vec3      lever, reach; // of x^-, on A and on B
    zn_vec3      n, t[2];
    zn_vec3      like; // the normal of the end
    // of the normal: N, whose direction it has, and how N changes with d'
    double       length, share; // |N|, d N / d d'; 0: carried by B
    zn_vec3      carried;       // N of a cylinder, in the axes of B
    double       weight[2];     // of the ends in it
    zn_vec3      along;         // carried tangent, mean
    double       across;        // length of its part perpendicular to n
} middle;

static zn_vec3 apart(const zn_touch *p, const zn_rigid *A, const zn_rigid *B)
{
    return zn_vec3_sub(zn_rigid_point(A, p->point.at), zn_rigid_point(B, p->surface.at));
}

// N of a round surface: the mean of d, or d at the end where these disagree. In the centre of a hole any direction will
// do, and stays.
static zn_vec3 round_normal(const zn_touch *p, middle *m)
{
    zn_vec3 d0 = apart(p, &m->A.from, &m->B.from), d1 = apart(p, &m->A.to, &m->B.to), N = d1;
    m->share = p->round;
    m->like = zn_vec3_scale(p->round, d1);
    if (zn_vec3_dot(d0, d1) > 0) {
        N = zn_vec3_scale(0.5, zn_vec3_add(d0, d1));
        m->share = 0.5 * p->round;
    }
    if (zn_vec3_norm(N) > 1e-150)
        return zn_vec3_scale(p->round, N);
    m->share = 0;
    m->like = (zn_vec3){-1, 0, 0};
    return m->like;
}

static bool has_axis(const zn_touch *p) { return zn_vec3_dot(p->axis, p->axis) > 0; }

// In the axes of B, across the axis of the cylinder.
static zn_vec3 off_axis(const zn_touch *p, const zn_rigid *B, zn_vec3 d)
{
    zn_vec3 m = zn_mat3_apply(zn_mat3_transpose(B->rotation), d);
    return zn_vec3_sub(m, zn_vec3_scale(zn_vec3_dot(m, p->axis), p->axis));
}

// The same of a cylinder. On its axis any direction will do, and is carried.
static zn_vec3 cylinder_normal(const zn_touch *p, middle *m)
{
    zn_vec3 m0 = off_axis(p, &m->B.from, apart(p, &m->A.from, &m->B.from)), any[2];
    zn_vec3 m1 = off_axis(p, &m->B.to, apart(p, &m->A.to, &m->B.to));
    bool    agree = zn_vec3_dot(m0, m1) > 0;
    m->weight[0] = agree ? 0.5 * p->round : 0;
    m->weight[1] = agree ? 0.5 * p->round : p->round;
    m->carried = zn_vec3_add(zn_vec3_scale(m->weight[0], m0), zn_vec3_scale(m->weight[1], m1));
    if (!(zn_vec3_norm(m->carried) > 1e-150)) {
        zn_contact_tangents(p->axis, false, any);
        m->carried = any[0];
        m->weight[0] = m->weight[1] = 0;
    }
    return zn_rigid_way_lever(&m->B, m->carried);
}

static void set_tangents(const zn_touch *p, middle *m)
{
    bool carried = zn_vec3_dot(p->tangent, p->tangent) > 0;
    if (!carried) {
        zn_contact_tangents_like(m->like, m->n, p->planar, m->t);
        return;
    }
    m->along = zn_rigid_way_lever(&m->B, p->tangent);
    zn_vec3 flat = zn_vec3_sub(m->along, zn_vec3_scale(zn_vec3_dot(m->along, m->n), m->n));
    m->across = zn_vec3_norm(flat);
    m->t[0] = zn_vec3_scale(1 / m->across, flat);
    m->t[1] = zn_vec3_cross(m->n, m->t[0]);
}

static middle middle_of(const zn_touch *p, const zn_layout *layout, zn_between s)
{
    middle m = {.A = zn_rigid_way_of(layout, p->point.node, s), .B = zn_rigid_way_of(layout, p->surface.node, s)};
    m.lever = zn_rigid_way_lever(&m.A, p->point.at);
    m.reach = zn_vec3_sub(zn_vec3_add(m.A.middle, m.lever), m.B.middle);
    zn_vec3 N = has_axis(p)     ? cylinder_normal(p, &m)
                : p->round != 0 ? round_normal(p, &m)
                                : zn_rigid_way_lever(&m.B, p->normal);
    if (p->round == 0)
        m.like = zn_rigid_vector(&m.B.to, p->normal);
    m.length = zn_vec3_norm(N);
    m.n = zn_vec3_scale(1 / m.length, N);
    if (p->tangents > 0)
        set_tangents(p, &m);
    return m;
}

// --- changes with the end ------------------------------------------------------------------------

typedef struct change {
    zn_vec3 lever, reach, n, t[2];
    zn_vec3 at; // of the point in the axes of A
} change;

// What is left of `dv` for a unit vector along v of that length.
static zn_vec3 unit_change(zn_vec3 unit, double length, zn_vec3 dv)
{
    return zn_vec3_scale(1 / length, zn_vec3_sub(dv, zn_vec3_scale(zn_vec3_dot(unit, dv), unit)));
}

static void tangents_change(const zn_touch *p, const middle *m, const zn_rigid_motion *B, change *c)
{
    if (m->across == 0) {
        zn_contact_tangents_like_change(m->like, m->n, c->n, p->planar, c->t);
        return;
    }
    zn_vec3 d = zn_rigid_way_lever_change(&m->B, p->tangent, B);
    double  normal = zn_vec3_dot(m->along, m->n), dnormal = zn_vec3_dot(d, m->n) + zn_vec3_dot(m->along, c->n);
    zn_vec3 off = zn_vec3_add(zn_vec3_scale(dnormal, m->n), zn_vec3_scale(normal, c->n));
    c->t[0] = unit_change(m->t[0], m->across, zn_vec3_sub(d, off));
    c->t[1] = zn_vec3_add(zn_vec3_cross(c->n, m->t[0]), zn_vec3_cross(m->n, c->t[0]));
}

static zn_vec3 moved_with(const zn_rigid *b, const zn_rigid_motion *x, zn_vec3 c)
{
    return zn_vec3_add(x->shift, zn_vec3_cross(x->spin, zn_vec3_sub(c, b->position)));
}

// Of N of a cylinder, with B, and with the point as B sees it: at the end, and at the start where it creeps.
static zn_vec3 cylinder_change(const zn_touch *p, const middle *m, const zn_rigid_motion *A, const zn_rigid_motion *B,
                               zn_vec3 at)
{
    zn_vec3 x = zn_rigid_point(&m->A.to, p->point.at);
    zn_vec3 end = zn_vec3_sub(moved_with(&m->A.to, A, x), moved_with(&m->B.to, B, x));
    end = zn_vec3_add(end, zn_rigid_vector(&m->A.to, at));
    zn_vec3 d1 = zn_vec3_scale(m->weight[1], off_axis(p, &m->B.to, end));
    zn_vec3 d0 = zn_vec3_scale(m->weight[0], off_axis(p, &m->B.from, zn_rigid_vector(&m->A.from, at)));
    return zn_vec3_add(zn_rigid_way_lever_change(&m->B, m->carried, B), zn_rigid_way_lever(&m->B, zn_vec3_add(d0, d1)));
}

static change change_of(const zn_touch *p, const middle *m, const zn_rigid_motion *A, const zn_rigid_motion *B)
{
    change  c = {.lever = zn_rigid_way_lever_change(&m->A, p->point.at, A)};
    zn_vec3 base = zn_rigid_way_lever_change(&m->B, p->surface.at, B), dN;
    if (p->pace) {
        c.at = zn_vec3_scale(p->pace(p->user, A, B), p->creep);
        c.lever = zn_vec3_add(c.lever, zn_rigid_way_lever(&m->A, c.at));
    }
    c.reach = zn_vec3_add(zn_vec3_scale(0.5, zn_vec3_sub(A->shift, B->shift)), c.lever);
    if (has_axis(p))
        dN = cylinder_change(p, m, A, B, c.at);
    else if (p->round != 0) // the mean of d changes by half as much as d at the end
        dN = zn_vec3_scale(2 * m->share, zn_vec3_sub(c.reach, base));
    else
        dN = zn_rigid_way_lever_change(&m->B, p->normal, B);
    c.n = unit_change(m->n, m->length, dN);
    if (p->tangents > 0)
        tangents_change(p, m, B, &c);
    return c;
}

// --- rows ----------------------------------------------------------------------------------------

static void force_row(const zn_touch *p, const middle *m, zn_vec3 down, zn_vec3 d, int *dof, double *value)
{
    zn_vec3 lever = zn_vec3_add(m->lever, down), reach = zn_vec3_add(m->reach, down);
    int     count =
        p->central ? zn_rigid_centre_row(&m->A.to, d, dof, value) : zn_rigid_way_row(&m->A, lever, d, dof, value);
    zn_rigid_way_row(&m->B, reach, zn_vec3_scale(-1, d), dof + count, value + count);
}

// Change of the slip along each tangent.
static void slip_change(const zn_touch *p, const middle *m, const zn_rigid_motion *A, const zn_rigid_motion *B,
                        double out[2])
{
    change  c = change_of(p, m, A, B);
    zn_vec3 down = zn_vec3_scale(-p->radius, m->n), ddown = zn_vec3_scale(-p->radius, c.n);
    zn_vec3 lever = zn_vec3_add(m->lever, down), reach = zn_vec3_add(m->reach, down);
    zn_vec3 way = zn_vec3_sub(zn_rigid_way_moved(&m->A, lever), zn_rigid_way_moved(&m->B, reach));
    zn_vec3 dway = zn_vec3_sub(zn_rigid_way_moved_change(&m->A, lever, zn_vec3_add(c.lever, ddown), A),
                               zn_rigid_way_moved_change(&m->B, reach, zn_vec3_add(c.reach, ddown), B));
    for (int i = 0; i < p->tangents; i++)
        out[i] = zn_vec3_dot(c.t[i], way) + zn_vec3_dot(m->t[i], dway);
}

// Its gradient, over the dofs of the rows: those of A, then those of B, one by one.
static void slip_rows(const zn_touch *p, const middle *m, zn_contact_product *out)
{
    const zn_rigid_motion still = {0};
    int                   entry = 0;
    int                   on_a = p->central ? zn_node_dimension(m->A.to.node->kind) : zn_rigid_way_dofs(&m->A);
    for (int k = 0; k < on_a + zn_rigid_way_dofs(&m->B); k++, entry++) {
        bool            first = k < on_a;
        zn_rigid_motion unit = first ? zn_rigid_way_unit(&m->A, k) : zn_rigid_way_unit(&m->B, k - on_a);
        double          slip[2];
        slip_change(p, m, first ? &unit : &still, first ? &still : &unit, slip);
        for (int i = 0; i < p->tangents; i++)
            out->tangent[i][entry] = slip[i];
    }
}

void zn_touch_rows_between(const zn_touch *p, const zn_layout *layout, zn_between s, zn_contact_product *out,
                           double *const force[3])
{
    middle  m = middle_of(p, layout, s);
    zn_vec3 down = zn_vec3_scale(-p->radius, m.n);
    force_row(p, &m, (zn_vec3){0, 0, 0}, m.n, out->dof, force[0]);
    for (int i = 0; i < p->tangents; i++)
        force_row(p, &m, down, m.t[i], out->dof, force[1 + i]);
    if (p->tangents > 0)
        slip_rows(p, &m, out);
}

void zn_touch_curvature_between(const zn_touch *p, const zn_layout *layout, zn_between s, const double *lambda,
                                const double *x, double *y)
{
    ZN_ASSERT(x != y);
    middle          m = middle_of(p, layout, s);
    zn_rigid_motion A = zn_rigid_way_motion(&m.A, x), B = zn_rigid_way_motion(&m.B, x);
    change          c = change_of(p, &m, &A, &B);
    zn_vec3         down = zn_vec3_scale(-p->radius, m.n), ddown = zn_vec3_scale(-p->radius, c.n);
    zn_rigid_way_row_change(&m.A, &A, m.lever, m.n, c.lever, c.n, lambda[0], y);
    zn_rigid_way_row_change(&m.B, &B, m.reach, m.n, c.reach, c.n, -lambda[0], y);
    for (int i = 0; i < p->tangents; i++) {
        zn_rigid_way_row_change(&m.A, &A, zn_vec3_add(m.lever, down), m.t[i], zn_vec3_add(c.lever, ddown), c.t[i],
                                lambda[1 + i], y);
        zn_rigid_way_row_change(&m.B, &B, zn_vec3_add(m.reach, down), m.t[i], zn_vec3_add(c.reach, ddown), c.t[i],
                                -lambda[1 + i], y);
    }
}
