// A point or circle (centre x = p_A + R_A a, radius r >= 0) of one body against a surface carried by another body or
// the ground. Each shape of surface yields the gap and the unit normal n from the surface to the point, with
// s = p_B + R_B b a point of the surface's body and d = x - s:
//     plane    g = n.d - r                n = R_B n_B
//     circle   g = |d| - R - r            n = d / |d|
//     hole     g = R - r - |d|            n = -d / |d|
//     slot     g = w/2 - r -+ m.d         n = -+m, m = R_B m_B across the axis; even and odd numbers
// The contact point is the point of A nearest to the surface, c = x - r n. Rows, for n and the tangents alike:
//     + row(A, c, n),  - row(B, c, n)     see rigid_row.c
// The normal row does not change when c moves along n, so its derivative is taken at x, with
//     dn = S_B x n              where n is carried by B (S_B its spin)
//     dn = k (I - n n') dd      where n follows d: k = 1 / |d| for the circle, -1 / |d| for the hole
// Tangents of planes and slots are carried by B; those of round surfaces follow n. On planes and slots the tangential
// rows are the gradient of the displacement, with T a tangent in the axes of B and the angles of A and B in the plane,
//     g_T = T.R_B'(x - s) - r (angle_A - angle_B)       minus the same at the start of the step
// of galvez (33), where r = 0; in space with r > 0 there is no such function.
// Rows of rolling and spinning: rolling.c.
// In the centre of a hole n is any direction and the derivative of n is left out; a circle has no such case: it fails.
#include "base/assert.h"
#include "base/wide.h"
#include "model/contact/rolling.h"
#include "model/contact/touch_between.h"
#include "model/rigid_row.h"

typedef struct placement {
    bool     central; // the point is the centre of A: A may turn as it likes, and its rotation is not here
    zn_rigid A, B;
    zn_vec3  centre; // x
    zn_vec3  base;   // s
    zn_vec3  normal;
    double   gap;
    double   bend; // k; 0: the normal is carried by B
    int      tangents;
    zn_vec3  tangent[2];
} placement;

// Below this length a direction is lost in underflow.
static const double no_length = 1e-150;

static zn_status plane(const zn_rigid_contact *p, int number, placement *at)
{
    (void)number;
    at->normal = zn_rigid_vector(&at->B, p->normal);
    at->gap = zn_vec3_dot(at->normal, zn_vec3_sub(at->centre, at->base)) - p->radius;
    return ZN_OK;
}

static zn_status circle(const zn_rigid_contact *p, int number, placement *at)
{
    (void)number;
    zn_vec3 d = zn_vec3_sub(at->centre, at->base);
    double  length = zn_vec3_norm(d);
    if (!(length > no_length))
        return zn_fail_here(p->log, ZN_INVALID_STATE,
                            "contact '%s': the point is in the centre of the circle, so the contact has no direction",
                            p->name);
    at->normal = zn_vec3_scale(1 / length, d);
    at->gap = length - p->size - p->radius;
    at->bend = 1 / length;
    return ZN_OK;
}

static zn_status hole(const zn_rigid_contact *p, int number, placement *at)
{
    (void)number;
    zn_vec3 d = zn_vec3_sub(at->centre, at->base);
    double  length = zn_vec3_norm(d);
    bool    centred = length <= no_length;
    at->normal = centred ? (zn_vec3){-1, 0, 0} : zn_vec3_scale(-1 / length, d);
    at->gap = p->size - p->radius - length;
    at->bend = centred ? 0 : -1 / length;
    return ZN_OK;
}

// One side of a slot faces the other way, with its tangent.
static double side_of(const zn_rigid_contact *p, int number)
{
    return p->kind == ZN_SURFACE_SLOT && number % 2 == 0 ? -1 : 1;
}

static zn_status slot(const zn_rigid_contact *p, int number, placement *at)
{
    at->normal = zn_vec3_scale(side_of(p, number), zn_rigid_vector(&at->B, p->normal));
    at->gap = p->size - p->radius + zn_vec3_dot(at->normal, zn_vec3_sub(at->centre, at->base));
    return ZN_OK;
}

static zn_status (*const surface[])(const zn_rigid_contact *, int, placement *) = {
    [ZN_SURFACE_PLANE] = plane,
    [ZN_SURFACE_CIRCLE] = circle,
    [ZN_SURFACE_HOLE] = hole,
    [ZN_SURFACE_SLOT] = slot,
};

static bool round_surface(zn_surface_kind kind) { return kind == ZN_SURFACE_CIRCLE || kind == ZN_SURFACE_HOLE; }

static bool is_central(const zn_rigid_contact *p, const zn_attachment *point)
{
    return point->node.value != 0 && p->radius == 0 && zn_rolling_count(&p->turn) == 0 && point->at.x == 0 &&
           point->at.y == 0 && point->at.z == 0;
}

static zn_status find_placement(const zn_rigid_contact *p, const zn_layout *layout, int number, const double *q,
                                placement *at)
{
    ZN_ASSERT(number >= 0 && number < p->points * (p->kind == ZN_SURFACE_SLOT ? 2 : 1));
    const zn_attachment *point = &p->point[p->kind == ZN_SURFACE_SLOT ? number / 2 : number];
    at->central = is_central(p, point);
    zn_rigid_place(layout, point->node, q, !at->central, &at->A);
    zn_rigid_place(layout, p->surface.node, q, true, &at->B);
    at->centre = at->central ? at->A.position : zn_rigid_point(&at->A, point->at);
    at->base = zn_rigid_point(&at->B, p->surface.at);
    at->bend = 0;
    ZN_TRY(surface[p->kind](p, number, at));
    if (p->friction == 0)
        at->tangents = 0;
    else if (round_surface(p->kind))
        at->tangents = zn_contact_tangents(at->normal, p->planar, at->tangent);
    else {
        at->tangents = p->planar ? 1 : 2;
        for (int i = 0; i < at->tangents; i++)
            at->tangent[i] = zn_rigid_vector(&at->B, zn_vec3_scale(side_of(p, number), p->tangent[i]));
    }
    return ZN_OK;
}

// Row of the velocity of A against B at c along d.
static int row_along(const placement *at, zn_vec3 c, zn_vec3 d, int *dof, double *value)
{
    if (!at->central)
        return zn_rigid_relative_row(&at->A, &at->B, c, d, dof, value);
    int count = zn_rigid_centre_row(&at->A, d, dof, value);
    return count + zn_rigid_row(&at->B, c, zn_vec3_scale(-1, d), dof + count, value + count);
}

// The centre of a node on a plane of a frame in space without friction: explicit schemes ask for it in every step. With
// y = R_B'(x - p_B) in the axes of B: g = n_B.(y - b), and the row of B is -R_B n_B, -y x n_B.
ZN_WIDE static bool evaluate_central(const zn_rigid_contact *p, const zn_layout *layout, int number, const double *q,
                                     zn_contact_product *out)
{
    if (p->kind != ZN_SURFACE_PLANE || p->friction != 0 || p->surface.node.value == 0 ||
        p->point[number].node.value == 0 || !is_central(p, &p->point[number]))
        return false;
    const zn_layout_node *A = &layout->node[p->point[number].node.value - 1];
    const zn_layout_node *B = &layout->node[p->surface.node.value - 1];
    if (zn_node_dimension(A->kind) != 3 || B->kind != ZN_FRAME3)
        return false;
    const double *a = q + A->q, *b = q + B->q;
    zn_quat       back = {b[3], -b[4], -b[5], -b[6]};
    zn_vec3       d = {(A->origin.x - B->origin.x) + (a[0] - b[0]), (A->origin.y - B->origin.y) + (a[1] - b[1]),
                       (A->origin.z - B->origin.z) + (a[2] - b[2])};
    zn_vec3       y = zn_quat_rotate(back, d);
    out->gap = zn_vec3_dot(p->normal, zn_vec3_sub(y, p->surface.at));
    out->restitution = p->restitution;
    if (!out->dof)
        return true;
    zn_vec3 n = zn_quat_rotate((zn_quat){b[3], b[4], b[5], b[6]}, p->normal), m = zn_vec3_cross(p->normal, y);
    double *value = out->value;
    for (int i = 0; i < 9 && !out->known; i++)
        out->dof[i] = i < 3 ? A->dof[i] : B->dof[i - 3];
    value[0] = n.x, value[1] = n.y, value[2] = n.z;
    value[3] = -n.x, value[4] = -n.y, value[5] = -n.z;
    value[6] = m.x, value[7] = m.y, value[8] = m.z;
    out->entries = 9;
    return true;
}

static zn_status evaluate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                          zn_contact_product *out)
{
    int number = (int)key.number;
    (void)t;
    const zn_rigid_contact *p = rule;
    if (evaluate_central(p, layout, number, q, out))
        return ZN_OK;
    placement at;
    ZN_TRY(find_placement(p, layout, number, q, &at));
    out->gap = at.gap;
    out->restitution = p->restitution;
    if (!out->dof)
        return ZN_OK;
    zn_vec3 c = zn_vec3_sub(at.centre, zn_vec3_scale(p->radius, at.normal));
    out->entries = row_along(&at, c, at.normal, out->dof, out->value);
    if (!out->tangent[0])
        return ZN_OK;
    out->friction = p->friction;
    out->tangential_restitution = p->tangential_restitution;
    for (int i = 0; i < at.tangents; i++)
        row_along(&at, c, at.tangent[i], out->dof, out->tangent[i]);
    if (zn_rolling_count(&p->turn) > 0)
        zn_rolling_rows(&p->turn, &at.A, &at.B, at.normal, at.tangent, p->radius, out);
    return ZN_OK;
}

// Of tangents that are carried, with the spin of B, or follow the normal.
static void tangents_change(const zn_rigid_contact *p, const placement *at, zn_vec3 spin, zn_vec3 dn, zn_vec3 out[2])
{
    if (round_surface(p->kind))
        zn_contact_tangents_change(at->normal, dn, p->planar, out);
    else
        for (int i = 0; i < at->tangents; i++)
            out[i] = zn_vec3_cross(spin, at->tangent[i]);
}

static zn_status curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                           const double *lambda, const double *x, double *y)
{
    (void)t;
    const zn_rigid_contact *p = rule;
    placement               at;
    ZN_TRY(find_placement(rule, layout, (int)key.number, q, &at));
    zn_vec3 n = at.normal, dx = zn_rigid_velocity(&at.A, x, at.centre), dn;
    if (at.bend != 0) {
        zn_vec3 dd = zn_vec3_sub(dx, zn_rigid_velocity(&at.B, x, at.base));
        dn = zn_vec3_scale(at.bend, zn_vec3_sub(dd, zn_vec3_scale(zn_vec3_dot(n, dd), n)));
    } else
        dn = zn_vec3_cross(zn_rigid_spin(&at.B, x), n);
    zn_rigid_relative_change(&at.A, &at.B, at.centre, n, dx, dn, *lambda, x, y);
    zn_vec3 c = zn_vec3_sub(at.centre, zn_vec3_scale(p->radius, n)), dt[2];
    zn_vec3 dc = zn_vec3_sub(dx, zn_vec3_scale(p->radius, dn));
    if (at.tangents > 0)
        tangents_change(p, &at, zn_rigid_spin(&at.B, x), dn, dt);
    for (int i = 0; i < at.tangents; i++)
        zn_rigid_relative_change(&at.A, &at.B, c, at.tangent[i], dc, dt[i], lambda[1 + i], x, y);
    if (zn_rolling_count(&p->turn) > 0)
        zn_rolling_curvature(&p->turn, &at.A, &at.B, n, at.tangent, dn, dt, lambda + 1 + at.tangents, x, y);
    return ZN_OK;
}

// T.R_B'(x - s) for each tangent, and in the plane the part of rolling.
static zn_status way(const zn_rigid_contact *p, const zn_layout *layout, int number, const double *q, double out[2])
{
    placement at;
    ZN_TRY(find_placement(p, layout, number, q, &at));
    for (int i = 0; i < at.tangents; i++)
        out[i] = zn_vec3_dot(at.tangent[i], zn_vec3_sub(at.centre, at.base));
    if (p->radius > 0)
        out[0] -= p->radius * (zn_rigid_angle(&at.A, q) - zn_rigid_angle(&at.B, q));
    return ZN_OK;
}

static zn_status slip(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q_from,
                      double t_from, const double *q, double t, double out[2])
{
    int number = (int)key.number;
    (void)t_from, (void)t;
    double from[2] = {0, 0};
    ZN_TRY(way(rule, layout, number, q_from, from));
    ZN_TRY(way(rule, layout, number, q, out));
    for (int i = 0; i < (((const zn_rigid_contact *)rule)->planar ? 1 : 2); i++)
        out[i] -= from[i];
    return ZN_OK;
}

// --- between two states ----------------------------------------------------------------------------

static zn_touch touch_of(const zn_rigid_contact *p, int number)
{
    zn_touch out = {.point = p->point[p->kind == ZN_SURFACE_SLOT ? number / 2 : number],
                    .surface = p->surface,
                    .radius = p->radius,
                    .planar = p->planar};
    out.central = is_central(p, &out.point);
    out.tangents = p->friction == 0 ? 0 : p->planar ? 1 : 2;
    if (round_surface(p->kind))
        out.round = p->kind == ZN_SURFACE_CIRCLE ? 1 : -1;
    else {
        out.normal = zn_vec3_scale(side_of(p, number), p->normal);
        out.tangent = zn_vec3_scale(side_of(p, number), p->tangent[0]);
    }
    return out;
}

static zn_status evaluate_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                  zn_contact_product *out, double *const force[3])
{
    ZN_TRY(evaluate(rule, layout, key, s.to.q, s.to.t, out));
    zn_touch touching = touch_of(rule, (int)key.number);
    if (out->dof)
        zn_touch_rows_between(&touching, layout, s, out, force);
    return ZN_OK;
}

static zn_status curvature_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                   const double *lambda, const double *x, double *y)
{
    zn_touch touching = touch_of(rule, (int)key.number);
    zn_touch_curvature_between(&touching, layout, s, lambda, x, y);
    return ZN_OK;
}

// --- what is near, and where -------------------------------------------------------------------------

// A bounded plane meets the points above it, and those below that have gone through it: system/capture.c tells them
// from the others.
static zn_status detect(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out)
{
    (void)t;
    const zn_rigid_contact *p = rule;
    for (int i = 0; i < p->points; i++) {
        placement at;
        ZN_TRY(find_placement(p, layout, i, q, &at));
        bool    inside = p->depth == 0 || at.gap >= -p->depth;
        zn_vec3 d = zn_vec3_sub(at.centre, at.base);
        for (int k = 0; k < (p->planar ? 1 : 2); k++)
            inside &= fabs(zn_vec3_dot(zn_rigid_vector(&at.B, p->tangent[k]), d)) <= p->half[k];
        if (inside)
            out->number[out->count++] = i;
    }
    return ZN_OK;
}

static double depth(const void *rule) { return ((const zn_rigid_contact *)rule)->depth; }

static void visit_nodes(const void *rule, void (*visit)(void *user, int node), void *user)
{
    const zn_rigid_contact *p = rule;
    if (p->surface.node.value > 0)
        visit(user, p->surface.node.value - 1);
    for (int i = 0; i < p->points; i++)
        if (p->point[i].node.value > 0)
            visit(user, p->point[i].node.value - 1);
}

static zn_contact_pair between_what(const void *rule, zn_contact_key key)
{
    const zn_rigid_contact *p = rule;
    return (zn_contact_pair){.node = {p->point[(int)key.number % p->points].node, p->surface.node}};
}

static zn_status locate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                        zn_contact_location *out)
{
    int                     number = (int)key.number;
    const zn_rigid_contact *p = rule;
    placement               at = {.tangents = 0};
    ZN_TRY(find_placement(p, layout, number, q, &at));
    *out = (zn_contact_location){.position = zn_vec3_sub(at.centre, zn_vec3_scale(p->radius, at.normal)),
                                 .normal = at.normal,
                                 .tangent = {at.tangent[0], at.tangent[1]},
                                 .surface = (int)p->kind,
                                 .carrier = p->surface.node,
                                 .through = p->surface.at,
                                 .direction = p->normal,
                                 .along = p->tangent[0],
                                 .size = p->size,
                                 .half = {p->half[0], p->half[1]},
                                 .point = p->point[number % p->points].node};
    return ZN_OK;
}

static bool grounded(const void *rule, zn_vec3 *along)
{
    const zn_rigid_contact *p = rule;
    bool                    fixed = p->surface.node.value == 0;
    if (fixed && p->friction == 0 && p->kind == ZN_SURFACE_PLANE)
        *along = p->normal;
    return fixed || p->point[0].node.value == 0;
}

static void touch(const void *rule, zn_touch_visit *visit, void *user)
{
    const zn_rigid_contact *p = rule;
    for (int i = 0; i < p->points; i++)
        visit(user, &p->point[i], p->radius);
    if (p->kind == ZN_SURFACE_CIRCLE)
        visit(user, &p->surface, p->size);
}

#define RIGID_OPS(word, detection, behind, displacement)                                                               \
    {                                                                                                                  \
        .name = (word), .max_entries = 2 * ZN_RIGID_DOFS, .detect = (detection), .depth = (behind),                    \
        .visit = visit_nodes, .evaluate = evaluate, .curvature = curvature, .slip = (displacement), .locate = locate,  \
        .pair = between_what, .evaluate_between = evaluate_between, .curvature_between = curvature_between,            \
        .grounded = grounded, .touch = touch,                                                                          \
    }

const zn_contact_ops zn_rigid_contact_ops = RIGID_OPS("point on surface", NULL, NULL, slip);
const zn_contact_ops zn_rigid_contact_rolling_ops = RIGID_OPS("point on round surface", NULL, NULL, NULL);
const zn_contact_ops zn_bounded_contact_ops = RIGID_OPS("point on face", detect, depth, slip);
const zn_contact_ops zn_bounded_contact_rolling_ops = RIGID_OPS("ball on face", detect, depth, NULL);
