// Pairs of features: gap, normal and contact point against their definitions, and every change against differences.
#include "check.h"

#include "model/contact/feature.h"

static uint64_t seed = 1;
static double   next(void) { return draw(&seed); }

static zn_vec3 draw_vector(void) { return (zn_vec3){next(), next(), next()}; }
static zn_vec3 draw_unit(void)
{
    zn_vec3 v = draw_vector();
    return zn_vec3_scale(1 / zn_vec3_norm(v), v);
}

// A rigid motion for a time t: a screw about the origin of the world, exact.
static zn_vec3 turn(const zn_feature_motion *m, double t, zn_vec3 x)
{
    double  angle = t * zn_vec3_norm(m->spin);
    zn_vec3 axis = zn_vec3_scale(1 / zn_vec3_norm(m->spin), m->spin);
    zn_vec3 along = zn_vec3_scale(zn_vec3_dot(axis, x), axis), off = zn_vec3_sub(x, along);
    return zn_vec3_add(along,
                       zn_vec3_add(zn_vec3_scale(cos(angle), off), zn_vec3_scale(sin(angle), zn_vec3_cross(axis, x))));
}

static zn_feature move(const zn_feature *f, const zn_feature_motion *m, double t)
{
    zn_feature out = *f;
    out.at = zn_vec3_add(zn_vec3_scale(t, m->origin), turn(m, t, f->at));
    out.along = turn(m, t, f->along);
    out.out = turn(m, t, f->out);
    return out;
}

static zn_feature draw_feature(zn_feature_kind kind, double radius)
{
    zn_feature f = {.kind = kind, .at = draw_vector(), .along = draw_unit(), .radius = radius};
    if (kind == ZN_FEATURE_CIRCLE)
        f.size = 0.6 + 0.4 * next();
    return f;
}

static double off(zn_vec3 a, zn_vec3 b) { return zn_vec3_norm(zn_vec3_sub(a, b)); }

static zn_vec3 rate(zn_vec3 after, zn_vec3 before, double h)
{
    return zn_vec3_scale(0.5 / h, zn_vec3_sub(after, before));
}

static zn_vec3 velocity(const zn_feature_motion *m, zn_vec3 x)
{
    return zn_vec3_add(m->origin, zn_vec3_cross(m->spin, x));
}

// A point over the centre of a circle, where any point of it is as near.
static bool near_axis(const zn_feature *f, const zn_feature *point)
{
    zn_vec3 d = zn_vec3_sub(point->at, f->at);
    return f->kind == ZN_FEATURE_CIRCLE && point->kind == ZN_FEATURE_POINT &&
           zn_vec3_norm(zn_vec3_cross(d, f->along)) < 0.3;
}

// Rows and changes of one pair. Returns false for a pair that is badly placed.
static bool check_pair(const zn_feature *a, const zn_feature *b)
{
    zn_feature_motion A = {draw_vector(), draw_vector()}, B = {draw_vector(), draw_vector()};
    zn_feature_place  at, before, after;
    if (!zn_feature_meet(a, b, &at))
        return false;
    zn_vec3 apart = zn_vec3_sub(at.on[0], at.on[1]);
    if (fabs(zn_vec3_dot(apart, at.normal)) < 0.1)
        return false;
    if (a->kind == ZN_FEATURE_EDGE && b->kind == ZN_FEATURE_EDGE &&
        zn_vec3_norm(zn_vec3_cross(a->along, b->along)) < 0.3)
        return false;
    // over the inside of a circle the normal is that of its disc, and no pair of points
    bool    round = a->kind == ZN_FEATURE_CIRCLE || b->kind == ZN_FEATURE_CIRCLE;
    zn_vec3 rest = zn_vec3_sub(apart, zn_vec3_scale(zn_vec3_dot(at.normal, apart), at.normal));
    if (round && (zn_vec3_norm(rest) > 0.01 || zn_vec3_dot(at.normal, apart) < 0))
        return false;
    if (near_axis(a, b) || near_axis(b, a))
        return false;
    const double h = 1e-5;
    zn_feature   a0 = move(a, &A, -h), b0 = move(b, &B, -h), a1 = move(a, &A, h), b1 = move(b, &B, h);
    assert_true(zn_feature_meet(&a0, &b0, &before) && zn_feature_meet(&a1, &b1, &after));
    CHECK_NEAR(zn_vec3_norm(at.normal), 1, 1e-14);
    CHECK_NEAR(zn_vec3_norm(rest), 0, 1e-13);
    CHECK_NEAR(zn_vec3_dot(at.normal, apart) - a->radius - b->radius, at.gap, 1e-14);
    double closing = zn_vec3_dot(at.normal, zn_vec3_sub(velocity(&A, at.point), velocity(&B, at.point)));
    CHECK_NEAR((after.gap - before.gap) / (2 * h), closing, 1e-7);
    zn_feature_change c = zn_feature_change_with(a, b, &at, &A, &B);
    CHECK_NEAR(off(rate(after.normal, before.normal, h), c.normal), 0, 1e-6);
    CHECK_NEAR(off(rate(after.point, before.point, h), c.point), 0, 1e-6);
    return true;
}

static void test_changes(void **state)
{
    (void)state;
    static const zn_feature_kind kind[] = {ZN_FEATURE_POINT, ZN_FEATURE_EDGE, ZN_FEATURE_FACE, ZN_FEATURE_CIRCLE};
    static const char *const     word[] = {"point", "edge", "face", "circle"};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            bool face = kind[i] == ZN_FEATURE_FACE, line = kind[i] == ZN_FEATURE_EDGE;
            bool none = (face && (kind[j] == ZN_FEATURE_FACE || kind[j] == ZN_FEATURE_EDGE)) ||
                        (line && kind[j] == ZN_FEATURE_FACE);
            int good = 0;
            for (int k = 0; k < 400; k++) {
                zn_feature a = draw_feature(kind[i], 0.1 * k / 400), b = draw_feature(kind[j], 0.03);
                good += check_pair(&a, &b);
            }
            if (none ? good != 0 : good < 50)
                fail_msg("%s against %s: %d of 400", word[i], word[j], good);
        }
}

// Edges of solids: the sign of the normal comes from them, also where they are inside each other.
static void test_sign_of_edges(void **state)
{
    (void)state;
    zn_feature       a = {ZN_FEATURE_EDGE, {0, 0, -0.01}, {1, 0, 0}, {0, 0, -1}, 0, 0, false, 0, 0};
    zn_feature       b = {ZN_FEATURE_EDGE, {0.5, 3, 0}, {0, 1, 0}, {0, 0, 1}, 0, 0, false, 0, 0};
    zn_feature_place at;
    assert_true(zn_feature_meet(&a, &b, &at));
    CHECK_NEAR(at.gap, -0.01, 1e-16);
    CHECK_NEAR(off(at.normal, (zn_vec3){0, 0, 1}), 0, 1e-16);
    CHECK_NEAR(off(at.point, (zn_vec3){0.5, 0, -0.01}), 0, 1e-16);
}

// Parallel lines with a radius have a normal, at the point of the first one; those of solids have none.
static void test_parallel(void **state)
{
    (void)state;
    zn_feature       a = {ZN_FEATURE_EDGE, {1, 0, 3}, {0, 1, 0}, {0, 0, 0}, 0, 0.5, false, 0, 0}, b = a;
    zn_feature_place at;
    b.at = (zn_vec3){1, 7, 0};
    assert_false(zn_feature_meet(&a, &b, &at));
    assert_true(zn_feature_meet_still(&a, &b, &at));
    CHECK_NEAR(at.gap, 2, 1e-15);
    CHECK_NEAR(off(at.normal, (zn_vec3){0, 0, 1}), 0, 1e-15);
    CHECK_NEAR(off(at.point, (zn_vec3){1, 0, 2.5}), 0, 1e-15);
    zn_feature_motion A = {{1, 2, 3}, {0, 0, 0}}, B = {{0, 0, 0}, {0, 0, 0}};
    zn_feature_change c = zn_feature_change_with(&a, &b, &at, &A, &B);
    CHECK_NEAR(off(c.normal, (zn_vec3){1.0 / 3, 0, 0}), 0, 1e-15); // of a distance of 3
    a.out = (zn_vec3){0, 0, -1};
    b.out = (zn_vec3){0, 0, 1};
    assert_false(zn_feature_meet_still(&a, &b, &at));
}

// --- lines with ends -----------------------------------------------------------------------------

static double to_segment(zn_vec3 x, const zn_feature *f)
{
    double s = zn_vec3_dot(zn_vec3_sub(x, f->at), f->along);
    return off(x, zn_vec3_add(f->at, zn_vec3_scale(fmin(fmax(s, -f->size), f->size), f->along)));
}

// The distance of a point of a from b is convex along a.
static double distance_of_segments(const zn_feature *a, const zn_feature *b)
{
    double from = -a->size, to = a->size, low = 0, high = 0;
    for (int k = 0; k < 120; k++) {
        double s = from + (to - from) / 3, t = to - (to - from) / 3;
        low = to_segment(zn_vec3_add(a->at, zn_vec3_scale(s, a->along)), b);
        high = to_segment(zn_vec3_add(a->at, zn_vec3_scale(t, a->along)), b);
        *(low < high ? &to : &from) = low < high ? t : s;
    }
    return fmin(low, high);
}

// Which of the lines touches with an end: bits.
static int touching_ends(const zn_feature *a, const zn_feature *b)
{
    zn_feature_place at;
    assert_true(zn_feature_meet(a, b, &at));
    return (fabs(zn_vec3_dot(zn_vec3_sub(at.on[0], a->at), a->along)) >= a->size - 1e-12) +
           2 * (fabs(zn_vec3_dot(zn_vec3_sub(at.on[1], b->at), b->along)) >= b->size - 1e-12);
}

static void test_ends(void **state)
{
    (void)state;
    int seen[4] = {0};
    for (int k = 0; k < 2000; k++) {
        zn_feature       a = draw_feature(ZN_FEATURE_EDGE, 0.02), b = draw_feature(ZN_FEATURE_EDGE, 0.03), c = a, d = b;
        zn_feature_place at;
        a.size = 0.7;
        b.size = 0.9;
        assert_true(zn_feature_meet(&a, &b, &at));
        CHECK_NEAR(at.gap, distance_of_segments(&a, &b) - 0.05, 1e-12);
        c.size = a.size + 1e-3;
        d.size = b.size - 1e-3;
        int ends = touching_ends(&a, &b);
        if (ends == touching_ends(&c, &b) && ends == touching_ends(&a, &d)) // the same all around
            seen[ends] += check_pair(&a, &b);
    }
    for (int i = 0; i < 4; i++)
        assert_true(seen[i] > 50);
}

// Lines at a small angle: the slightest turn takes their crossing beyond the ends, but the normal hardly turns.
static void test_small_angle(void **state)
{
    (void)state;
    const double     angle = 1e-3, turns = 1e-4;
    zn_feature       a = {ZN_FEATURE_EDGE, {0, 0, 0.1}, {1, 0, 0}, {0, 0, 0}, 0.5, 0.04, false, 0, 0}, b = a;
    zn_feature_place at;
    b.at.z = 0;
    b.along = (zn_vec3){cos(angle), sin(angle), 0};
    a.along = (zn_vec3){cos(turns), 0, sin(turns)};
    assert_true(zn_feature_meet(&a, &b, &at)); // as endless lines: crossing 10 m away, normal turned by 0.1
    CHECK_NEAR(at.gap, hypot(0.1 - 0.5 * sin(turns), 0.5 * angle) - 0.08, 1e-7);
    assert_true(off(at.normal, (zn_vec3){0, 0, 1}) < 0.5 * angle / 0.1 * 1.01);
}

// A disc in a hollow arc: gap R - r - e, normal to the centre.
static void test_hollow(void **state)
{
    (void)state;
    zn_feature       disc = {.kind = ZN_FEATURE_POINT, .at = {0.3, 0.4, 0}, .radius = 1}, ring = {.radius = -2};
    zn_feature_place at, swapped;
    assert_true(zn_feature_meet(&disc, &ring, &at) && zn_feature_meet(&ring, &disc, &swapped));
    CHECK_NEAR(at.gap, 0.5, 1e-15);
    CHECK_NEAR(swapped.gap, 0.5, 1e-15);
    CHECK_NEAR(off(at.normal, (zn_vec3){-0.6, -0.8, 0}), 0, 1e-15);
    CHECK_NEAR(off(at.normal, zn_vec3_scale(-1, swapped.normal)), 0, 1e-15);
    CHECK_NEAR(off(swapped.point, (zn_vec3){1.2, 1.6, 0}), 0, 1e-15);
    for (int k = 0; k < 100; k++) {
        disc.at = (zn_vec3){next(), next(), next()};
        assert_true(check_pair(&disc, &ring) || zn_vec3_norm(disc.at) < 0.2);
    }
}

// Edges at a small angle: their normal is off by 1e-16 over it, their gap is not.
static void test_nearly_parallel(void **state)
{
    (void)state;
    for (int k = 0; k < 200; k++) {
        double            angle = pow(10, -5.5 * k / 200), gap = 1e-3;
        zn_feature_motion turned = {draw_vector(), draw_unit()};
        zn_feature        a = {.kind = ZN_FEATURE_EDGE, .at = {-1, 0, gap}, .along = {1, 0, 0}, .out = {0, 0, -1}}, b;
        b = (zn_feature){.kind = ZN_FEATURE_EDGE, .along = {cos(angle), sin(angle), 0}, .out = {0, 0, 1}};
        b.at = zn_vec3_scale(0.7, b.along);
        a = move(&a, &turned, 1), b = move(&b, &turned, 1);
        zn_feature_place at;
        assert_true(zn_feature_meet(&a, &b, &at));
        CHECK_NEAR(at.gap, gap, 3e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes),         cmocka_unit_test(test_sign_of_edges),
        cmocka_unit_test(test_parallel),        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_small_angle),     cmocka_unit_test(test_hollow),
        cmocka_unit_test(test_nearly_parallel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
