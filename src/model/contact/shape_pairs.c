// Contacts of pairs among many shapes. A contact is a pair of features (feature.h), one of each shape, for as long as
// it is in the set; which pairs of features are near is found by shape_search.c. With n the normal from B to A and c
// the point where they touch, rows are as in rigid_contact.c,
//     + row(A, c, n),  - row(B, c, n)     see rigid_row.c
// and the same along tangents that follow n. Changes of n and c: feature.c.
// Between two states: touch_between.c, where points or balls meet planes or balls.
#include "model/contact/shape_pairs.h"

#include <math.h>

#include "base/assert.h"
#include "model/contact/law.h"
#include "model/contact/rolling.h"
#include "model/contact/round_lines.h"
#include "model/contact/solid.h"
#include "model/contact/touch_between.h"

typedef struct placement {
    zn_shape_couple        pair;
    struct zn_contact_memo own;
    const zn_rigid        *A, *B; // of `own`, or of what somebody lends
    zn_feature             a, b;  // in world axes
    zn_feature_place       at;
} placement;

static zn_shape_couple couple_of(const zn_shape_pairs *p, zn_contact_key key)
{
    ZN_ASSERT(key.number >= 0 && key.number < (p->pairs > 0 ? p->pairs : (int64_t)p->shapes * p->shapes));
    int64_t pair = p->pairs > 0 ? p->pair[key.number] : key.number;
    return (zn_shape_couple){&p->shape[pair / p->shapes], &p->shape[pair % p->shapes]};
}

static zn_status fail_normal(const zn_shape_pairs *p, zn_shape_couple pair)
{
    if (pair.a->ops->sphere && pair.b->ops->sphere)
        return zn_fail_here(p->log, ZN_INVALID_STATE,
                            "contact '%s': two spheres have the same centre, so the contact has no direction", p->name);
    return zn_fail_here(p->log, ZN_INVALID_STATE,
                        "contact '%s': where the %s '%s' meets the %s '%s' there is no direction to push them apart",
                        p->name, pair.a->ops->name, pair.a->name, pair.b->ops->name, pair.b->name);
}

static void find_feature(const zn_pair_shape *shape, int number, bool planar, const zn_rigid *body, zn_feature *out)
{
    if (shape->ops->sphere)
        *out = (zn_feature){.kind = ZN_FEATURE_POINT, .at = shape->at, .radius = shape->radius};
    else
        shape->ops->feature(shape, number, planar, out);
    zn_feature_carry(body, out);
}

// `memo`: of the contact before, at the same q; NULL: none.
static zn_status find_placement_with(const zn_shape_pairs *p, const zn_layout *layout, zn_contact_key key,
                                     const double *q, struct zn_contact_memo *memo, placement *out)
{
    zn_shape_couple pair = out->pair = couple_of(p, key);
    if (!memo || memo->rule != p || memo->number != key.number) {
        memo = memo ? memo : &out->own;
        memo->rule = p;
        memo->number = key.number;
        zn_rigid_place(layout, pair.a->node, q, true, &memo->A);
        zn_rigid_place(layout, pair.b->node, q, true, &memo->B);
    }
    out->A = &memo->A;
    out->B = &memo->B;
    find_feature(pair.a, zn_feature_first(key.feature), p->planar, out->A, &out->a);
    find_feature(pair.b, zn_feature_second(key.feature), p->planar, out->B, &out->b);
    if (key.piece > 0)
        zn_round_lines_hold(key.piece, &out->a, &out->b);
    return zn_feature_meet_still(&out->a, &out->b, &out->at) ? ZN_OK : fail_normal(p, pair);
}

// Capsules and cylinders have lines with a radius, in space.
static bool has_line(const zn_pair_shape *s) { return s->ops == &zn_capsule_ops || s->ops == &zn_cylinder_ops; }

static bool is_line(const zn_pair_shape *s, int number)
{
    zn_feature own;
    return !s->ops->sphere && s->ops->feature(s, number, false, &own) && own.kind == ZN_FEATURE_EDGE &&
           own.to > own.from;
}

static bool are_lines(const zn_shape_pairs *p, zn_shape_couple pair, zn_contact_key key)
{
    return !p->planar && (has_line(pair.a) || has_line(pair.b)) && is_line(pair.a, zn_feature_first(key.feature)) &&
           is_line(pair.b, zn_feature_second(key.feature));
}

static bool nearest(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                    zn_nearest_place *out)
{
    const zn_shape_pairs *p = rule;
    zn_shape_couple       pair = couple_of(p, key);
    placement             at;
    if (!are_lines(p, pair, key))
        return false;
    int piece = key.piece;
    key.piece = 0;
    return find_placement_with(p, layout, key, q, NULL, &at) == ZN_OK &&
           zn_round_lines_nearest(&at.a, &at.b, piece, out);
}

static bool ends(const void *rule, const zn_layout *layout, zn_contact_key key, zn_contact_key other, const double *q)
{
    const zn_shape_pairs *p = rule;
    placement             line, end;
    key.piece = other.piece = 0;
    return find_placement_with(p, layout, key, q, NULL, &line) == ZN_OK &&
           find_placement_with(p, layout, other, q, NULL, &end) == ZN_OK &&
           zn_round_lines_end(&line.a, &line.b, &end.at);
}

static zn_status find_placement(const zn_shape_pairs *p, const zn_layout *layout, zn_contact_key key, const double *q,
                                placement *out)
{
    return find_placement_with(p, layout, key, q, NULL, out);
}

// --- rows ----------------------------------------------------------------------------------------

// Rows of rolling and spinning of a pair are those of its own law: a disk without a radius would be none, on whose
// border and inside of which a moment of zero is at once.
static zn_rolling turn_of(const zn_shape_pairs *p, const zn_law *law)
{
    return (zn_rolling){law->rolling, law->spinning, p->planar};
}

static zn_status evaluate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                          zn_contact_product *out)
{
    (void)t;
    const zn_shape_pairs *p = rule;
    placement             at;
    ZN_TRY(find_placement_with(p, layout, key, q, out->memo, &at));
    out->gap = at.at.gap;
    if (!out->dof)
        return ZN_OK;
    zn_vec3       direction[3] = {at.at.normal};
    double       *row[3] = {out->value, out->tangent[0], out->tangent[1]};
    const zn_law *law = zn_pair_law(p->table, at.pair.a, at.pair.b);
    out->restitution = law->restitution;
    out->restitution_from = law->restitution_from;
    int count = out->tangent[0] ? 1 + zn_contact_tangents(at.at.normal, p->planar, direction + 1) : 1;
    out->entries = zn_rigid_relative_rows(at.A, at.B, at.at.point, count, direction, out->dof, row);
    if (!out->tangent[0])
        return ZN_OK;
    out->friction = law->friction;
    out->tangential_restitution = law->tangential_restitution;
    zn_rolling turn = turn_of(p, law);
    if (zn_rolling_count(&turn) > 0)
        zn_rolling_rows(&turn, at.A, at.B, at.at.normal, direction + 1, fmax(at.a.radius, at.b.radius), out);
    return ZN_OK;
}

static zn_feature_motion motion_of(const zn_rigid *body, const double *x)
{
    return (zn_feature_motion){zn_rigid_velocity(body, x, (zn_vec3){0, 0, 0}), zn_rigid_spin(body, x)};
}

static zn_status curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                           const double *lambda, const double *x, double *y)
{
    (void)t;
    const zn_shape_pairs *p = rule;
    placement             at;
    ZN_TRY(find_placement(p, layout, key, q, &at));
    zn_feature_motion A = motion_of(at.A, x), B = motion_of(at.B, x);
    zn_feature_change d = zn_feature_change_with(&at.a, &at.b, &at.at, &A, &B);
    zn_vec3           n = at.at.normal, c = at.at.point, tangent[2], change[2];
    zn_rigid_relative_change(at.A, at.B, c, n, d.point, d.normal, lambda[0], x, y);
    int count = p->friction > 0 ? zn_contact_tangents(n, p->planar, tangent) : 0; // as the rule has rows
    if (count > 0)
        zn_contact_tangents_change(n, d.normal, p->planar, change);
    for (int i = 0; i < count; i++)
        zn_rigid_relative_change(at.A, at.B, c, tangent[i], d.point, change[i], lambda[1 + i], x, y);
    zn_rolling turn = turn_of(p, zn_pair_law(p->table, at.pair.a, at.pair.b));
    if (zn_rolling_count(&turn) > 0)
        zn_rolling_curvature(&turn, at.A, at.B, n, tangent, d.normal, change, lambda + 1 + count, x, y);
    return ZN_OK;
}

static zn_vec3 mean(zn_vec3 a, zn_vec3 b) { return zn_vec3_scale(0.5, zn_vec3_add(a, b)); }

// Way of the points of a body that are at the contact, with w its turn (zn_rigid_turn) and bars for the mean of both
// configurations: p - p_from + w x (c - p)^-.
static zn_vec3 way_of(const zn_rigid *from, zn_vec3 c_from, const double *q_from, const zn_rigid *to, zn_vec3 c,
                      const double *q)
{
    zn_vec3 lever = mean(zn_vec3_sub(c_from, from->position), zn_vec3_sub(c, to->position));
    return zn_vec3_add(zn_vec3_sub(to->position, from->position),
                       zn_vec3_cross(zn_rigid_turn(from, q_from, to, q), lever));
}

// Tangential displacement between two configurations, in the tangents of the later one: the difference of the ways of
// both bodies, which is zero when the two move as one body, however far. Beyond a radian w grows with the angle alone.
static zn_status slip(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q_from,
                      double t_from, const double *q, double t, double out[2])
{
    (void)t_from;
    (void)t;
    const zn_shape_pairs *p = rule;
    placement             to, from;
    zn_vec3               tangent[2];
    ZN_TRY(find_placement(p, layout, key, q_from, &from));
    ZN_TRY(find_placement(p, layout, key, q, &to));
    zn_vec3 on_a = way_of(from.A, from.at.point, q_from, to.A, to.at.point, q);
    zn_vec3 on_b = way_of(from.B, from.at.point, q_from, to.B, to.at.point, q);
    int     count = zn_contact_tangents(to.at.normal, p->planar, tangent);
    for (int i = 0; i < count; i++)
        out[i] = zn_vec3_dot(tangent[i], zn_vec3_sub(on_a, on_b));
    return ZN_OK;
}

// --- between two states --------------------------------------------------------------------------

static bool meets_between(const zn_pair_shape *shape) { return shape->ops->sphere || shape->ops == &zn_plane_ops; }

static const char *lacks_between(const void *rule, const zn_layout *layout)
{
    (void)layout;
    const zn_shape_pairs *p = rule;
    for (int i = p->spheres; i < p->shapes; i++)
        if (!meets_between(&p->shape[i]))
            return "its shapes are not spheres and planes alone";
    return NULL;
}

static zn_touch touch_of(const zn_shape_pairs *p, zn_contact_key key)
{
    zn_shape_couple pair = couple_of(p, key);
    return (zn_touch){.point = {pair.a->node, pair.a->at},
                      .surface = {pair.b->node, pair.b->at},
                      .round = pair.b->ops->sphere,
                      .normal = pair.b->normal,
                      .radius = pair.a->radius,
                      .planar = p->planar,
                      .tangents = p->friction == 0 ? 0
                                  : p->planar      ? 1
                                                   : 2};
}

static zn_status evaluate_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                  zn_contact_product *out, double *const force[3])
{
    ZN_TRY(evaluate(rule, layout, key, s.to.q, s.to.t, out));
    zn_touch touching = touch_of(rule, key);
    if (out->dof)
        zn_touch_rows_between(&touching, layout, s, out, force);
    return ZN_OK;
}

static zn_status curvature_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                   const double *lambda, const double *x, double *y)
{
    zn_touch touching = touch_of(rule, key);
    zn_touch_curvature_between(&touching, layout, s, lambda, x, y);
    return ZN_OK;
}

// --- what and where ------------------------------------------------------------------------------

static bool knows(const void *rule, zn_contact_key key)
{
    const zn_shape_pairs *p = rule;
    int64_t               end = p->pairs > 0 ? p->pairs : (int64_t)p->shapes * p->shapes;
    if (key.number < 0 || key.number >= end || key.feature < 0)
        return false;
    zn_shape_couple      pair = couple_of(p, key);
    const zn_pair_shape *shape[2] = {pair.a, pair.b};
    int                  number[2] = {zn_feature_first(key.feature), zn_feature_second(key.feature)};
    for (int i = 0; i < 2; i++) {
        zn_feature own;
        if (number[i] < 0 ||
            (shape[i]->ops->sphere ? number[i] > 0 : !shape[i]->ops->feature(shape[i], number[i], p->planar, &own)))
            return false;
    }
    return pair.a < pair.b && (key.piece == 0 || are_lines(p, pair, key));
}

static void visit_nodes(const void *rule, void (*visit)(void *user, int node), void *user)
{
    const zn_shape_pairs *p = rule;
    for (int i = 0; i < p->shapes; i++)
        if (p->shape[i].node.value > 0)
            visit(user, p->shape[i].node.value - 1);
}

static zn_status locate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                        zn_contact_location *out)
{
    const zn_shape_pairs *p = rule;
    placement             at;
    ZN_TRY(find_placement(p, layout, key, q, &at));
    *out =
        (zn_contact_location){.position = at.at.point, .normal = at.at.normal, .surface = -1}; // shapes draw themselves
    zn_contact_tangents(at.at.normal, p->planar, out->tangent);
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

// Smallest side of the box around a shape; 0: it does not end.
static double thickness(const zn_pair_shape *s, bool planar)
{
    zn_vec3 centre, half;
    if (s->ops->sphere)
        return 2 * s->radius;
    if (!s->ops->bound(s, planar, &centre, &half))
        return 0;
    return 2 * fmin(half.x, planar ? half.y : fmin(half.y, half.z));
}

static zn_contact_pair between_what(const void *rule, zn_contact_key key)
{
    const zn_shape_pairs *p = rule;
    zn_shape_couple       pair = couple_of(rule, key);
    double                thin = fmin(thickness(pair.a, p->planar), thickness(pair.b, p->planar));
    return (zn_contact_pair){{pair.a->node, pair.b->node}, {pair.a->name, pair.b->name}, thin};
}

#define ALIKE                                                                                                          \
    .max_entries = 2 * ZN_RIGID_DOFS, .evaluate = evaluate, .curvature = curvature, .slip = slip, .knows = knows,      \
    .lacks_between = lacks_between, .evaluate_between = evaluate_between, .curvature_between = curvature_between,      \
    .nearest = nearest, .ends = ends, .locate = locate, .pair = between_what, .grounded = grounded,                    \
    .overlap = zn_shape_pairs_overlap

const zn_contact_ops zn_few_pairs_ops = {.name = "pairs of shapes", ALIKE};

const zn_contact_ops zn_many_pairs_ops = {.name = "pairs of many shapes",
                                          .detect = zn_shape_search,
                                          .visit = visit_nodes,
                                          .scratch = zn_shape_search_bytes,
                                          ALIKE};
