/// Random contours, rectangles, discs, capsules and planes that are moved together until they touch, and what the
/// library lists beside distances of all pairs of sides (contour_quad.h).
#ifndef ZN_TESTS_CONTOUR_POSES_H
#define ZN_TESTS_CONTOUR_POSES_H

#include <stdlib.h>

#include "check.h"
#include "contour_quad.h"
#include "model/contact/contour.h"
#include "model/contact/contour_check.h"
#include "model/contact/kept_apart.h"
#include "model/contact/meet_contour.h"

// --- what the library says ------------------------------------------------------------------------

typedef struct listed {
    int64_t          pair;
    zn_feature_place at;
} listed;

typedef struct answer {
    int    count;
    listed item[400];
} answer;

typedef struct part {
    zn_profile    profile;
    zn_contour    contour;
    zn_pair_shape shape;
} part;

static inline void finish(part *p)
{
    zn_shape_def def = zn_shape_def_default();
    def.side_count = p->profile.count;
    def.sides = p->profile.side;
    def.open = p->profile.open;
    assert_int_equal(zn_contour_make(&def, &p->contour), ZN_OK);
    p->shape = (zn_pair_shape){.kind = ZN_SHAPE_CONTOUR, .data = &p->contour};
}

static inline void drop(part *p)
{
    free((void *)p->contour.edge);
    free((void *)p->contour.box);
    zn_profile_clear(&p->profile);
}

static inline zn_rigid placed(double angle, zn_vec3 at)
{
    return (zn_rigid){.position = at,
                      .rotation = {{{cos(angle), -sin(angle), 0}, {sin(angle), cos(angle), 0}, {0, 0, 1}}}};
}

// Where a pair of features meets.
static inline zn_feature_place place_pair(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *near,
                                          int64_t pair)
{
    zn_feature       fa, fb;
    zn_feature_place at;
    assert_true(zn_contour_feature(a, zn_feature_first(pair), &fa));
    assert_true(zn_contour_feature(b, zn_feature_second(pair), &fb));
    fa = zn_feature_at(&near->A, &fa);
    fb = zn_feature_at(&near->B, &fb);
    assert_true(zn_feature_meet(&fa, &fb, &at));
    return at;
}

static inline void ask(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *near, answer *out)
{
    zn_feature_list list = {0};
    assert_int_equal(zn_meet_contours(a, b, near, &list), ZN_OK);
    zn_drop_kept_apart(a, b, near, &list, 0);
    assert_true(list.count < 400);
    out->count = list.count;
    for (int i = 0; i < list.count; i++) {
        out->item[i].pair = list.pair[i];
        out->item[i].at = place_pair(a, b, near, list.pair[i]);
    }
    free(list.pair);
}

static const listed *least(const answer *a)
{
    const listed *best = NULL;
    for (int i = 0; i < a->count; i++)
        if (!best || a->item[i].at.gap < best->at.gap)
            best = &a->item[i];
    return best;
}

static const listed *find(const answer *a, int64_t pair)
{
    for (int i = 0; i < a->count; i++)
        if (a->item[i].pair == pair)
            return &a->item[i];
    return NULL;
}

static inline zn_pair_shape simple(zn_shape_kind kind, double a, double b)
{
    return (zn_pair_shape){.kind = kind,
                           .radius = kind == ZN_SHAPE_CAPSULE ? b : a,
                           .length = a,
                           .half = {a, b, 0},
                           .normal = {0, 1, 0},
                           .axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
}

// --- random shapes -----------------------------------------------------------------------------------

static const double pi = 3.14159265358979323846;

// How much a contour turns at the start of a side, from -pi to pi; pi: a horn without thickness.
static inline double turn_at(const zn_profile *p, int i)
{
    const zn_contour_side *in = &p->side[(i + p->count - 1) % p->count], *at = &p->side[i],
                          *next = &p->side[(i + 1) % p->count];
    double from = atan2(at->start.y - in->start.y, at->start.x - in->start.x) + 2 * atan(in->bulge);
    double to = atan2(next->start.y - at->start.y, next->start.x - at->start.x) - 2 * atan(at->bulge);
    return remainder(to - from, 2 * pi);
}

// Around a star, some sides bulging out or hollow, some corners rounded.
static inline bool draw_contour(uint64_t *seed, part *p)
{
    char text[ZN_CONTOUR_FAULT], message[ZN_PROFILE_MESSAGE];
    int  corners = 3 + (int)(2.5 * (draw(seed) + 1)), style = (int)(2 * (draw(seed) + 1));
    *p = (part){0};
    for (int i = 0; i < corners; i++) {
        double a = 2 * pi * (i + 0.3 * draw(seed)) / corners, r = 1 + (style == 0 ? 0 : 0.35) * draw(seed);
        double bulge =
            style > 1 && draw(seed) > -0.2 ? 0.4 * draw(seed) : 0; // flat arcs lose digits: a radius R has R eps
        bulge = fabs(bulge) < 0.04 ? 0 : bulge;
        assert_int_equal(zn_profile_add(&p->profile, r * cos(a), r * sin(a), bulge), ZN_OK);
    }
    bool good = true;
    for (int i = 0; i < corners; i++)
        good = good && fabs(turn_at(&p->profile, i)) < pi - 0.02;
    good = good && (style != 1 || zn_profile_round(&p->profile, 0.06, message) == ZN_OK);
    good = good && zn_contour_check(p->profile.count, p->profile.side, false, false, text) == ZN_OK;
    if (good)
        finish(p);
    else
        zn_profile_clear(&p->profile);
    return good;
}

static inline void add_side(part *p, double x, double y, double bulge)
{
    assert_int_equal(zn_profile_add(&p->profile, x, y, bulge), ZN_OK);
}

// A disc, rectangle, capsule or plane, and the same as a contour for the judge.
static inline void draw_simple(uint64_t *seed, zn_shape_kind kind, part *p)
{
    double a = 0.6 + 0.5 * draw(seed), b = 0.6 + 0.5 * draw(seed);
    *p = (part){.shape = simple(kind, a, b)};
    if (kind == ZN_SHAPE_SPHERE)
        add_side(p, -a, 0, 1), add_side(p, a, 0, 1);
    if (kind == ZN_SHAPE_BOX)
        add_side(p, -a, -b, 0), add_side(p, a, -b, 0), add_side(p, a, b, 0), add_side(p, -a, b, 0);
    if (kind == ZN_SHAPE_CAPSULE)
        add_side(p, -a / 2, -b, 0), add_side(p, a / 2, -b, 1), add_side(p, a / 2, b, 0), add_side(p, -a / 2, b, 1);
    if (kind == ZN_SHAPE_PLANE) {
        add_side(p, 50, 0, 0), add_side(p, -50, 0, 0);
        p->profile.open = true;
    }
}

static inline bool draw_part(uint64_t *seed, zn_shape_kind kind, part *p)
{
    if (kind == ZN_SHAPE_CONTOUR)
        return draw_contour(seed, p);
    draw_simple(seed, kind, p);
    return true;
}

// A on its way to B.
typedef struct approach {
    part    a, b;
    double  angle[2];
    zn_vec3 from, along; // of A; unit
} approach;

static inline zn_vec3 a_at(const approach *p, double t) { return zn_vec3_add(p->from, zn_vec3_scale(t, p->along)); }

static inline q_closest distance_at(const approach *p, double t)
{
    return q_distance_of(&p->a.profile, p->angle[0], a_at(p, t), &p->b.profile, p->angle[1], (zn_vec3){0, 0, 0});
}

// Way until they touch; NaN: they pass each other, or graze.
static inline double touching(const approach *p)
{
    double  t = 0;
    d_shape B = d_place(&p->b.profile, p->angle[1], (zn_vec3){0, 0, 0});
    for (int i = 0; i < 100 && t < 8; i++) {
        d_shape A = d_place(&p->a.profile, p->angle[0], a_at(p, t));
        double  d = d_distance(&A, &B).d;
        if (d < 1e-13)
            return t;
        t += d;
    }
    return NAN;
}

static inline zn_near near_at(const approach *p, double t, double slack)
{
    return (zn_near){.A = placed(p->angle[0], a_at(p, t)),
                     .B = placed(p->angle[1], (zn_vec3){0, 0, 0}),
                     .slack = slack,
                     .planar = true};
}

// All that is listed touches where both contours are.
static inline void check_places(const approach *p, double t, const answer *list)
{
    q_shape A = q_place(&p->a.profile, p->angle[0], a_at(p, t)),
            B = q_place(&p->b.profile, p->angle[1], (zn_vec3){0, 0, 0});
    for (int i = 0; i < list->count; i++) {
        double  gap = fabs(list->item[i].at.gap);
        zn_vec3 on_a = list->item[i].at.point,
                on_b = zn_vec3_sub(on_a, zn_vec3_scale(list->item[i].at.gap, list->item[i].at.normal));
        // `point` is on A, or on B where A has the face
        CHECK_BELOW(fmin(q_from(&A, on_a), q_from(&B, on_a)), 4e-9 + 1e-3 * gap);
        CHECK_BELOW(
            fmin(q_from(&B, on_b), fmin(q_from(&A, on_b), q_from(&A, zn_vec3_add(on_a, zn_vec3_sub(on_a, on_b))))),
            4e-9 + 1e-3 * gap);
    }
}

// Returns how far the least gap is from the distance. *late: that contact is not foreseen from 5 cm away. Unless its
// gap is negative there: in a hollow arc of radius R a round part of radius r has the room 2 (R - r) to move in; when
// that is less than the way it comes from outside of the circle, behind which the gap of the pair says nothing.
static inline double check_approach(const approach *p, double t, long *late)
{
    const double  small = 1e-7;
    static answer before, after, ahead;
    zn_near       near = near_at(p, t - small, 1e-6);
    q_closest     d = distance_at(p, t - small);
    ask(&p->a.shape, &p->b.shape, &near, &before);
    const listed *first = least(&before);
    assert_non_null(first);
    if (d.corners) { // seen from a corner two sides are nearer than the corner there
        CHECK_BELOW(first->at.gap, (double)d.d + 1e-14);
        return 0;
    }
    CHECK_NEAR(first->at.gap, (double)d.d, 2e-14);
    check_places(p, t - small, &before);
    // inside: the same pair, as deep as it must be
    near = near_at(p, t + small, 1e-6);
    ask(&p->a.shape, &p->b.shape, &near, &after);
    const listed *same = find(&after, first->pair);
    assert_non_null(same);
    double speed = zn_vec3_dot(first->at.normal, p->along);
    CHECK_NEAR(same->at.gap, first->at.gap + 2 * small * speed, 1e-11);
    check_places(p, t + small, &after);
    // far away and on its way
    near = near_at(p, t - 0.05, 0);
    near.horizon = 0.051;
    near.a.origin = p->along;
    ask(&p->a.shape, &p->b.shape, &near, &ahead);
    *late += find(&ahead, first->pair) == NULL && place_pair(&p->a.shape, &p->b.shape, &near, first->pair).gap >= 0;
    return fabs(first->at.gap - (double)d.d);
}

static inline bool draw_approach(uint64_t *seed, zn_shape_kind a, zn_shape_kind b, approach *p)
{
    if (!draw_part(seed, a, &p->a))
        return false;
    if (!draw_part(seed, b, &p->b)) {
        drop(&p->a);
        return false;
    }
    p->a.shape.data = a == ZN_SHAPE_CONTOUR ? &p->a.contour : NULL;
    p->b.shape.data = b == ZN_SHAPE_CONTOUR ? &p->b.contour : NULL;
    double way = pi * draw(seed), aside = 1.5 * draw(seed);
    p->angle[0] = pi * draw(seed);
    p->angle[1] = pi * draw(seed);
    p->along = (zn_vec3){cos(way), sin(way), 0};
    p->from = (zn_vec3){-4 * cos(way) - aside * sin(way), -4 * sin(way) + aside * cos(way), 0};
    zn_vec3 out = {-sin(p->angle[1]), cos(p->angle[1]), 0};
    if (b == ZN_SHAPE_PLANE && zn_vec3_dot(out, p->from) < 2) { // behind it, or not clear of it
        drop(&p->a);
        drop(&p->b);
        return false;
    }
    return true;
}

#endif
