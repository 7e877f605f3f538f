// Contacts of all pairs among many shapes, one of which is a sphere A (centre x, radius r). The other, B, yields the
// nearest point s of its surface (shape_NAME.c); with d = x - s in the frame of B, for another sphere
//     s = its centre,  g = |d| - R - r,  n = d / |d|
// Contact point c = x - r n, rows as in rigid_contact.c. The normal's change with y = R_B'(x - p_B), the coordinates of
// x in the axes of B:
//     dn = S_B x n + R_B k (P - n n') dy,   k = 1 / |d|,
// P keeping the directions in which s stays (sphere: all; box: those clamped; k = 0 for planes and faces).
// Between two states: touch_between.c, for spheres and planes. On a box the nearest point goes from face to edge.
#include <math.h>

#include "base/assert.h"
#include "math/finite.h"
#include "model/contact/broad_phase.h"
#include "model/contact/rolling.h"
#include "model/contact/shape.h"
#include "model/contact/touch_between.h"
#include "model/rigid_row.h"

static zn_status meet_sphere(const zn_shape_pairs *p, const zn_pair_shape *a, const zn_pair_shape *b, zn_meeting *at)
{
    zn_vec3 d = zn_vec3_sub(at->centre, zn_rigid_point(&at->B, b->at));
    double  length = zn_vec3_norm(d);
    if (!(length > ZN_NO_LENGTH))
        return zn_fail_here(p->log, ZN_INVALID_STATE,
                            "contact '%s': two spheres have the same centre, so the contact has no direction", p->name);
    at->normal = zn_vec3_scale(1 / length, d);
    at->gap = length - b->radius - a->radius;
    at->bend = 1 / length;
    at->keep = zn_mat3_identity();
    return ZN_OK;
}

static int pair_of(const zn_shape_pairs *p, int number)
{
    ZN_ASSERT(number >= 0 && number < (p->pairs > 0 ? p->pairs : p->shapes * p->shapes));
    return p->pairs > 0 ? p->pair[number] : number;
}

static zn_status find_placement(const zn_shape_pairs *p, const zn_layout *layout, int number, const double *q,
                                zn_meeting *at)
{
    int                  pair = pair_of(p, number);
    const zn_pair_shape *a = &p->shape[pair / p->shapes], *b = &p->shape[pair % p->shapes];
    at->A = zn_rigid_at(layout, a->node, q);
    at->B = zn_rigid_at(layout, b->node, q);
    at->centre = zn_rigid_point(&at->A, a->at);
    at->radius = a->radius;
    at->bend = 0;
    if (pair % p->shapes < p->spheres)
        return meet_sphere(p, a, b, at);
    b->ops->meet(a, b, p->planar, at);
    return ZN_OK;
}

// --- rows ----------------------------------------------------------------------------------------

static zn_status evaluate(const void *rule, const zn_layout *layout, int number, const double *q, double t,
                          zn_contact_product *out)
{
    (void)t;
    const zn_shape_pairs *p = rule;
    zn_meeting            at;
    ZN_TRY(find_placement(p, layout, number, q, &at));
    out->gap = at.gap;
    out->restitution = p->restitution;
    if (!out->dof)
        return ZN_OK;
    zn_vec3 c = zn_vec3_sub(at.centre, zn_vec3_scale(at.radius, at.normal)), tangent[2];
    out->entries = zn_rigid_relative_row(&at.A, &at.B, c, at.normal, out->dof, out->value);
    if (!out->tangent[0])
        return ZN_OK;
    out->friction = p->friction;
    out->tangential_restitution = p->tangential_restitution;
    int count = zn_contact_tangents(at.normal, p->planar, tangent);
    for (int i = 0; i < count; i++)
        zn_rigid_relative_row(&at.A, &at.B, c, tangent[i], out->dof, out->tangent[i]);
    if (zn_rolling_count(&p->turn) > 0)
        zn_rolling_rows(&p->turn, &at.A, &at.B, at.normal, tangent, at.radius, out);
    return ZN_OK;
}

static zn_status curvature(const void *rule, const zn_layout *layout, int number, const double *q, double t,
                           const double *lambda, const double *x, double *y)
{
    (void)t;
    const zn_shape_pairs *p = rule;
    zn_meeting            at;
    ZN_TRY(find_placement(p, layout, number, q, &at));
    zn_vec3 n = at.normal, dx = zn_rigid_velocity(&at.A, x, at.centre), tangent[2], change[2];
    zn_vec3 dn = zn_vec3_cross(zn_rigid_spin(&at.B, x), n);
    if (at.bend != 0) {
        zn_vec3 apart = zn_vec3_sub(dx, zn_rigid_velocity(&at.B, x, at.centre));
        zn_vec3 kept = zn_vec3_sub(zn_mat3_apply(at.keep, apart), zn_vec3_scale(zn_vec3_dot(n, apart), n));
        dn = zn_vec3_add(dn, zn_vec3_scale(at.bend, kept));
    }
    zn_rigid_relative_change(&at.A, &at.B, at.centre, n, dx, dn, lambda[0], x, y);
    zn_vec3 c = zn_vec3_sub(at.centre, zn_vec3_scale(at.radius, n)), dc = zn_vec3_sub(dx, zn_vec3_scale(at.radius, dn));
    int     count = p->friction > 0 ? zn_contact_tangents(n, p->planar, tangent) : 0;
    if (count > 0)
        zn_contact_tangents_change(n, dn, p->planar, change);
    for (int i = 0; i < count; i++)
        zn_rigid_relative_change(&at.A, &at.B, c, tangent[i], dc, change[i], lambda[1 + i], x, y);
    if (zn_rolling_count(&p->turn) > 0)
        zn_rolling_curvature(&p->turn, &at.A, &at.B, n, tangent, dn, change, lambda + 1 + count, x, y);
    return ZN_OK;
}

// Tangential displacement between two configurations, in the tangents of the later one. With w the vector of a body's
// turn (Cayley: R - R_k = w x (R + R_k)/2) and bars for the mean of both configurations,
//     s = dx + w_A x (c - x)^- - dp - w_B x (c - p)^-,
// which is zero when the two move as one body, however far: balls that hold each other in a ring can turn together.
// Beyond a radian w grows with the angle alone.
static zn_status slip(const void *rule, const zn_layout *layout, int number, const double *q_from, double t_from,
                      const double *q, double t, double out[2])
{
    (void)t_from;
    (void)t;
    const zn_shape_pairs *p = rule;
    zn_meeting            to, from;
    zn_vec3               tangent[2];
    ZN_TRY(find_placement(p, layout, number, q_from, &from));
    ZN_TRY(find_placement(p, layout, number, q, &to));
    zn_vec3 lever = zn_vec3_scale(-0.5 * to.radius, zn_vec3_add(from.normal, to.normal));
    zn_vec3 middle = zn_vec3_scale(
        0.5, zn_vec3_add(zn_vec3_sub(from.centre, from.B.position), zn_vec3_sub(to.centre, to.B.position)));
    zn_vec3 on_a = zn_vec3_add(zn_vec3_sub(to.centre, from.centre),
                               zn_vec3_cross(zn_rigid_turn(&from.A, q_from, &to.A, q), lever));
    zn_vec3 on_b = zn_vec3_add(zn_vec3_sub(to.B.position, from.B.position),
                               zn_vec3_cross(zn_rigid_turn(&from.B, q_from, &to.B, q), zn_vec3_add(middle, lever)));
    int     count = zn_contact_tangents(to.normal, p->planar, tangent);
    for (int i = 0; i < count; i++)
        out[i] = zn_vec3_dot(tangent[i], zn_vec3_sub(on_a, on_b));
    return ZN_OK;
}

// --- between two states --------------------------------------------------------------------------

static const char *lacks_between(const void *rule, const zn_layout *layout)
{
    (void)layout;
    const zn_shape_pairs *p = rule;
    for (int i = p->spheres; i < p->shapes; i++)
        if (p->shape[i].ops == &zn_box_ops)
            return "a box is among its shapes";
    return NULL;
}

static zn_touch touch_of(const zn_shape_pairs *p, int number)
{
    int                  pair = pair_of(p, number);
    const zn_pair_shape *a = &p->shape[pair / p->shapes], *b = &p->shape[pair % p->shapes];
    return (zn_touch){.point = {a->node, a->at},
                      .surface = {b->node, b->at},
                      .round = b->ops->sphere,
                      .normal = b->normal,
                      .radius = a->radius,
                      .planar = p->planar,
                      .tangents = p->friction == 0 ? 0
                                  : p->planar      ? 1
                                                   : 2};
}

static zn_status evaluate_between(const void *rule, const zn_layout *layout, int number, zn_between s,
                                  zn_contact_product *out, double *const force[3])
{
    ZN_TRY(evaluate(rule, layout, number, s.to.q, s.to.t, out));
    zn_touch touching = touch_of(rule, number);
    if (out->dof)
        zn_touch_rows_between(&touching, layout, s, out, force);
    return ZN_OK;
}

static zn_status curvature_between(const void *rule, const zn_layout *layout, int number, zn_between s,
                                   const double *lambda, const double *x, double *y)
{
    zn_touch touching = touch_of(rule, number);
    zn_touch_curvature_between(&touching, layout, s, lambda, x, y);
    return ZN_OK;
}

// --- what is near --------------------------------------------------------------------------------

// Balls around the spheres that contain all that may touch them: a pair is near when the balls overlap, and then when
// its gap is not larger than what relative velocity and gravity can close.
typedef struct nearness {
    const zn_shape_pairs  *p;
    const zn_layout       *layout;
    const double          *q;
    const zn_contact_list *list;
    zn_ball               *ball;
    zn_vec3               *velocity;
} nearness;

// Largest gap that is near for a pair with this relative velocity.
static double reach(const nearness *s, zn_vec3 velocity, double radius)
{
    const double fraction = 1e-2; // of the radius: contacts at rest stay in the set
    double       fall = s->p->gravity * s->list->horizon * s->list->horizon;
    return s->list->horizon * zn_vec3_norm(velocity) + fall + s->list->margin + fraction * radius;
}

static zn_status place_balls(const nearness *s)
{
    for (int i = 0; i < s->p->spheres; i++) {
        const zn_pair_shape *a = &s->p->shape[i];
        zn_rigid             body = zn_rigid_at(s->layout, a->node, s->q);
        s->ball[i].centre = zn_rigid_point(&body, a->at);
        s->velocity[i] = s->list->v ? zn_rigid_velocity(&body, s->list->v, s->ball[i].centre) : (zn_vec3){0, 0, 0};
        s->ball[i].radius = a->radius + reach(s, s->velocity[i], a->radius);
        if (!zn_finite3(s->ball[i].centre) || !isfinite(s->ball[i].radius))
            return zn_fail_here(s->p->log, ZN_NOT_FINITE, "contact '%s': a sphere is nowhere or infinitely fast",
                                s->p->name);
    }
    return ZN_OK;
}

// Keep the pairs of spheres that the rule wants and that are near.
static void filter(const nearness *s, zn_contact_list *list)
{
    int kept = 0;
    for (int k = 0; k < list->count; k++) {
        int i = list->number[k] / s->p->shapes, j = list->number[k] % s->p->shapes;
        if (!zn_shape_pairs_wants(s->p, i, j))
            continue;
        double near = reach(s, zn_vec3_sub(s->velocity[i], s->velocity[j]), s->p->shape[i].radius);
        near += s->p->shape[i].radius + s->p->shape[j].radius;
        zn_vec3 d = zn_vec3_sub(s->ball[i].centre, s->ball[j].centre);
        if (zn_vec3_dot(d, d) <= near * near)
            list->number[kept++] = list->number[k];
    }
    list->count = kept;
}

// Spheres against other shapes, one by one.
static zn_status add_others(const nearness *s, zn_contact_list *list)
{
    const zn_shape_pairs *p = s->p;
    for (int j = p->spheres; j < p->shapes; j++) {
        zn_meeting at = {.B = zn_rigid_at(s->layout, p->shape[j].node, s->q)};
        for (int i = 0; i < p->spheres; i++) {
            if (!zn_shape_pairs_wants(p, i, j))
                continue;
            at.centre = s->ball[i].centre;
            p->shape[j].ops->meet(&p->shape[i], &p->shape[j], p->planar, &at);
            zn_vec3 v = s->velocity[i];
            if (list->v)
                v = zn_vec3_sub(v, zn_rigid_velocity(&at.B, list->v, at.centre));
            if (!(at.gap <= reach(s, v, p->shape[i].radius)))
                continue;
            ZN_TRY(zn_contact_list_room(list));
            list->number[list->count++] = i * p->shapes + j;
        }
    }
    return ZN_OK;
}

static size_t scratch(const void *rule)
{
    int spheres = ((const zn_shape_pairs *)rule)->spheres;
    return (size_t)spheres * (sizeof(zn_ball) + sizeof(zn_vec3)) + zn_broad_phase_scratch(spheres);
}

static zn_status detect(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out)
{
    (void)t;
    const zn_shape_pairs *p = rule;
    nearness              s = {p, layout, q, out, out->scratch, NULL};
    s.velocity = (zn_vec3 *)(void *)(s.ball + p->spheres);
    void *rest = s.velocity + p->spheres;
    ZN_TRY(place_balls(&s));
    ZN_TRY(zn_broad_phase(p->spheres, s.ball, p->shapes, rest, out));
    filter(&s, out);
    ZN_TRY(add_others(&s, out));
    zn_broad_phase_sort(p->spheres, p->shapes, rest, out);
    return ZN_OK;
}

static void visit_nodes(const void *rule, void (*visit)(void *user, int node), void *user)
{
    const zn_shape_pairs *p = rule;
    for (int i = 0; i < p->shapes; i++)
        if (p->shape[i].node.value > 0)
            visit(user, p->shape[i].node.value - 1);
}

static zn_status locate(const void *rule, const zn_layout *layout, int number, const double *q,
                        zn_contact_location *out)
{
    const zn_shape_pairs *p = rule;
    zn_meeting            at;
    ZN_TRY(find_placement(p, layout, number, q, &at));
    *out = (zn_contact_location){.position = zn_vec3_sub(at.centre, zn_vec3_scale(at.radius, at.normal)),
                                 .normal = at.normal,
                                 .surface = -1}; // shapes are drawn by themselves
    zn_contact_tangents(at.normal, p->planar, out->tangent);
    return ZN_OK;
}

static bool grounded(const void *rule, zn_vec3 *along)
{
    (void)along;
    const zn_shape_pairs *p = rule;
    bool                  any = false;
    for (int i = 0; i < p->shapes; i++)
        any |= p->shape[i].node.value == 0;
    return any;
}

static zn_contact_pair between_what(const void *rule, int number)
{
    const zn_shape_pairs *p = rule;
    int                   pair = pair_of(p, number);
    const zn_pair_shape  *a = &p->shape[pair / p->shapes], *b = &p->shape[pair % p->shapes];
    return (zn_contact_pair){{a->node, b->node}, {a->name, b->name}};
}

const zn_contact_ops zn_few_pairs_ops = {
    .name = "pairs of shapes",
    .max_entries = 2 * ZN_RIGID_DOFS,
    .evaluate = evaluate,
    .curvature = curvature,
    .slip = slip,
    .lacks_between = lacks_between,
    .evaluate_between = evaluate_between,
    .curvature_between = curvature_between,
    .locate = locate,
    .pair = between_what,
    .grounded = grounded,
};

const zn_contact_ops zn_many_pairs_ops = {
    .name = "pairs of many shapes",
    .max_entries = 2 * ZN_RIGID_DOFS,
    .detect = detect,
    .visit = visit_nodes,
    .scratch = scratch,
    .evaluate = evaluate,
    .curvature = curvature,
    .slip = slip,
    .lacks_between = lacks_between,
    .evaluate_between = evaluate_between,
    .curvature_between = curvature_between,
    .locate = locate,
    .pair = between_what,
    .grounded = grounded,
};
