// Contours in the plane. Random shapes of straight sides and arcs are moved together until they touch, and what the
// library lists is compared with distances of all pairs of sides in quadruple precision, by formulas of their own; then
// shapes whose contact is known in closed form, profiles, files and faults. An argument is the number of random poses.
#include <stdlib.h>

#include "check.h"
#include "io/profile.h"
#include "model/contact/contour.h"
#include "model/contact/contour_check.h"
#include "model/contact/meet_contour.h"

typedef __float128 quad;

static int poses = 400;

// --- a second geometry, in quadruple precision ------------------------------------------------------

typedef struct q2 {
    quad x, y;
} q2;

typedef struct q_side {
    q2   a, b, c; // ends; centre of an arc
    quad R;       // 0: straight
    bool left;    // the arc turns left from a to b
} q_side;

typedef struct q_shape {
    int    count;
    bool   open;
    q_side side[64];
} q_shape;

static quad q_root(quad x)
{
    if (x <= 0)
        return 0;
    quad r = (quad)sqrt((double)x);
    for (int i = 0; i < 2; i++)
        r = (r + x / r) / 2;
    return r;
}

static q2   q_sub(q2 a, q2 b) { return (q2){a.x - b.x, a.y - b.y}; }
static quad q_dot(q2 a, q2 b) { return a.x * b.x + a.y * b.y; }
static quad q_cross(q2 a, q2 b) { return a.x * b.y - a.y * b.x; }
static quad q_length(q2 a) { return q_root(q_dot(a, a)); }
static quad q_abs(quad x) { return x < 0 ? -x : x; }

static q2 q_placed(zn_vec3 p, double angle, zn_vec3 at)
{
    quad c = (quad)cos(angle), s = (quad)sin(angle); // what the library gets, too
    return (q2){(quad)at.x + c * (quad)p.x - s * (quad)p.y, (quad)at.y + s * (quad)p.x + c * (quad)p.y};
}

static q_shape q_place(const zn_profile *p, double angle, zn_vec3 at)
{
    q_shape out = {.count = p->count - p->open, .open = p->open};
    for (int i = 0; i < out.count; i++) {
        quad   k = (quad)p->side[i].bulge;
        q2     a = q_placed(p->side[i].start, angle, at), b = q_placed(p->side[(i + 1) % p->count].start, angle, at);
        q_side s = {.a = a, .b = b};
        if (k != 0) {
            quad up = (1 - k * k) / (4 * k);
            s.c = (q2){(a.x + b.x) / 2 - up * (b.y - a.y), (a.y + b.y) / 2 + up * (b.x - a.x)};
            s.R = q_length(q_sub(a, s.c));
            s.left = k > 0;
        }
        out.side[i] = s;
    }
    return out;
}

// An arc is on one side of its chord: that of the direction d from the centre?
static bool q_on_arc(const q_side *s, q2 d)
{
    quad l = q_length(d);
    if (l == 0)
        return false;
    q2   x = {s->c.x + d.x * s->R / l, s->c.y + d.y * s->R / l};
    quad side = q_cross(q_sub(s->b, s->a), q_sub(x, s->a));
    return s->left ? side <= 0 : side >= 0;
}

typedef struct closest {
    quad d;
    bool corners; // both are ends of sides
} closest;

static void closer(closest *c, quad d, bool corners)
{
    if (d < c->d)
        *c = (closest){d, corners};
}

// Point and side; `corner`: the point is one.
static void q_point(const q_side *s, q2 x, bool corner, closest *out)
{
    closer(out, q_length(q_sub(x, s->a)), corner);
    closer(out, q_length(q_sub(x, s->b)), corner);
    if (s->R != 0) {
        q2 d = q_sub(x, s->c);
        if (q_on_arc(s, d))
            closer(out, q_abs(q_length(d) - s->R), false);
        return;
    }
    q2   u = q_sub(s->b, s->a);
    quad t = q_dot(q_sub(x, s->a), u) / q_dot(u, u);
    if (t >= 0 && t <= 1)
        closer(out, q_abs(q_cross(u, q_sub(x, s->a))) / q_length(u), false);
}

static void q_line_arc(const q_side *line, const q_side *arc, closest *out)
{
    q2   u = q_sub(line->b, line->a), d = q_sub(arc->c, line->a);
    quad t = q_dot(d, u) / q_dot(u, u);
    if (t < 0 || t > 1)
        return;
    q2 foot = {line->a.x + t * u.x, line->a.y + t * u.y};
    if (q_on_arc(arc, q_sub(foot, arc->c)))
        closer(out, q_abs(q_length(q_sub(foot, arc->c)) - arc->R), false);
}

static void q_arc_arc(const q_side *a, const q_side *b, closest *out)
{
    q2   d = q_sub(b->c, a->c);
    quad l = q_length(d);
    for (int k = 0; k < 4; k++) {
        int sa = k & 1 ? 1 : -1, sb = k & 2 ? 1 : -1;
        if (q_on_arc(a, (q2){sa * d.x, sa * d.y}) && q_on_arc(b, (q2){sb * d.x, sb * d.y}))
            closer(out, q_abs(l + sb * b->R - sa * a->R), false);
    }
}

static closest q_distance(const q_shape *A, const q_shape *B)
{
    closest out = {1e9, false};
    for (int i = 0; i < A->count; i++)
        for (int j = 0; j < B->count; j++) {
            const q_side *a = &A->side[i], *b = &B->side[j];
            q_point(b, a->a, true, &out);
            q_point(a, b->a, true, &out);
            if (a->R != 0 && b->R != 0)
                q_arc_arc(a, b, &out);
            else if (a->R != 0 || b->R != 0)
                q_line_arc(a->R != 0 ? b : a, a->R != 0 ? a : b, &out);
        }
    return out;
}

static double q_from(const q_shape *A, zn_vec3 x)
{
    closest out = {1e9, false};
    for (int i = 0; i < A->count; i++)
        q_point(&A->side[i], (q2){(quad)x.x, (quad)x.y}, false, &out);
    return (double)out.d;
}

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

static void finish(part *p)
{
    zn_shape_def def = zn_shape_def_default();
    def.side_count = p->profile.count;
    def.sides = p->profile.side;
    def.open = p->profile.open;
    assert_int_equal(zn_contour_make(&def, &p->contour), ZN_OK);
    p->shape = (zn_pair_shape){.kind = ZN_SHAPE_CONTOUR, .data = &p->contour};
}

static void drop(part *p)
{
    free((void *)p->contour.edge);
    free((void *)p->contour.box);
    zn_profile_clear(&p->profile);
}

static zn_rigid placed(double angle, zn_vec3 at)
{
    return (zn_rigid){.position = at,
                      .rotation = {{{cos(angle), -sin(angle), 0}, {sin(angle), cos(angle), 0}, {0, 0, 1}}}};
}

static void ask(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *near, answer *out)
{
    zn_feature_list list = {0};
    assert_int_equal(zn_meet_contours(a, b, near, &list), ZN_OK);
    assert_true(list.count < 400);
    out->count = list.count;
    for (int i = 0; i < list.count; i++) {
        zn_feature fa, fb;
        assert_true(zn_contour_feature(a, zn_feature_first(list.pair[i]), &fa));
        assert_true(zn_contour_feature(b, zn_feature_second(list.pair[i]), &fb));
        fa = zn_feature_at(&near->A, &fa);
        fb = zn_feature_at(&near->B, &fb);
        out->item[i].pair = list.pair[i];
        assert_true(zn_feature_meet(&fa, &fb, &out->item[i].at));
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

// --- random shapes -----------------------------------------------------------------------------------

static const double pi = 3.14159265358979323846;

// Around a star, some sides bulging out or hollow, some corners rounded.
static bool draw_part(uint64_t *seed, part *p)
{
    char text[ZN_CONTOUR_FAULT], message[ZN_PROFILE_MESSAGE];
    int  corners = 3 + (int)(2.5 * (draw(seed) + 1)), style = (int)(2 * (draw(seed) + 1));
    *p = (part){0};
    for (int i = 0; i < corners; i++) {
        double a = 2 * pi * (i + 0.3 * draw(seed)) / corners, r = 1 + (style == 0 ? 0 : 0.35) * draw(seed);
        double bulge = style > 1 && draw(seed) > -0.2 ? 0.4 * draw(seed) : 0; // flat arcs lose digits: a radius R has R eps
        bulge = fabs(bulge) < 0.04 ? 0 : bulge;
        assert_int_equal(zn_profile_add(&p->profile, r * cos(a), r * sin(a), bulge), ZN_OK);
    }
    bool good = style != 1 || zn_profile_round(&p->profile, 0.06, message) == ZN_OK;
    good = good && zn_contour_check(p->profile.count, p->profile.side, false, false, text) == ZN_OK;
    if (good)
        finish(p);
    else
        zn_profile_clear(&p->profile);
    return good;
}

// A on its way to B.
typedef struct approach {
    part    a, b;
    double  angle[2];
    zn_vec3 from, along; // of A; unit
} approach;

static zn_vec3 a_at(const approach *p, double t) { return zn_vec3_add(p->from, zn_vec3_scale(t, p->along)); }

static closest distance_at(const approach *p, double t)
{
    q_shape A = q_place(&p->a.profile, p->angle[0], a_at(p, t)),
            B = q_place(&p->b.profile, p->angle[1], (zn_vec3){0, 0, 0});
    return q_distance(&A, &B);
}

// Way until they touch; NaN: they pass each other, or graze.
static double touching(const approach *p)
{
    double t = 0;
    for (int i = 0; i < 100 && t < 8; i++) {
        double d = (double)distance_at(p, t).d;
        if (d < 1e-13)
            return t;
        t += d;
    }
    return NAN;
}

static zn_near near_at(const approach *p, double t, double slack)
{
    return (zn_near){.A = placed(p->angle[0], a_at(p, t)),
                     .B = placed(p->angle[1], (zn_vec3){0, 0, 0}),
                     .slack = slack,
                     .planar = true};
}

// All that is listed touches where both contours are.
static void check_places(const approach *p, double t, const answer *list)
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

static void check_approach(const approach *p, double t)
{
    const double  small = 1e-7;
    static answer before, after, ahead;
    zn_near       near = near_at(p, t - small, 1e-6);
    closest       d = distance_at(p, t - small);
    ask(&p->a.shape, &p->b.shape, &near, &before);
    const listed *first = least(&before);
    assert_non_null(first);
    if (d.corners) { // seen from a corner two sides are nearer than the corner there
        CHECK_BELOW(first->at.gap, (double)d.d + 1e-14);
        return;
    }
    if (getenv("CONTOUR_SEED")) for (int i = 0; i < before.count; i++) { fprintf(stderr, "  %d %d gap %g n %g %g at %g %g\n", zn_feature_first(before.item[i].pair), zn_feature_second(before.item[i].pair), before.item[i].at.gap, before.item[i].at.normal.x, before.item[i].at.normal.y, before.item[i].at.point.x, before.item[i].at.point.y); }
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
    assert_non_null(find(&ahead, first->pair));
}

static bool draw_approach(uint64_t *seed, approach *p)
{
    if (!draw_part(seed, &p->a))
        return false;
    if (!draw_part(seed, &p->b)) {
        drop(&p->a);
        return false;
    }
    double a = pi * draw(seed), aside = 1.5 * draw(seed);
    p->angle[0] = pi * draw(seed);
    p->angle[1] = pi * draw(seed);
    p->along = (zn_vec3){cos(a), sin(a), 0};
    p->from = (zn_vec3){-4 * cos(a) - aside * sin(a), -4 * sin(a) + aside * cos(a), 0};
    return true;
}

static void test_random_approaches(void **state)
{
    (void)state;
    uint64_t seed = 7;
    int      done = 0;
    while (done < poses) {
        approach p;
        uint64_t before = seed;
        if (!draw_approach(&seed, &p))
            continue;
        double t = touching(&p);
        if (isfinite(t)) {
            if (getenv("CONTOUR_SEED"))
                fprintf(stderr, "seed %llu\n", (unsigned long long)before);
            check_approach(&p, t);
            done++;
        }
        drop(&p.a);
        drop(&p.b);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        poses = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_approaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
