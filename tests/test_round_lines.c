// Round lines that lie nearly along each other: where they are nearest against brute force, what is held there, and
// which contacts are their ends.
#include <math.h>

#include "check.h"
#include "model/contact/round_lines.h"

static double between(double low, double high)
{
    static uint64_t seed = 7;
    return low + 0.5 * (high - low) * (1 + draw(&seed));
}

static zn_vec3 along(zn_vec3 x, double s, zn_vec3 u) { return zn_vec3_add(x, zn_vec3_scale(s, u)); }

// Two lines of a half length about 1, one above the other, at an angle and with a tilt.
static void draw_lines(double angle, double tilt, zn_feature *a, zn_feature *b)
{
    double length = between(0.5, 1.5);
    *b = (zn_feature){.kind = ZN_FEATURE_EDGE, .along = {1, 0, 0}, .radius = 0.05, .from = -1, .to = 1};
    *a = *b;
    a->radius = 0.03;
    a->from = -between(0.2, 1) * length;
    a->to = a->from + length;
    a->at = (zn_vec3){between(-0.3, 0.3), between(-0.2, 0.2) * angle, between(0.07, 0.09)};
    a->along = zn_vec3_scale(1 / sqrt(1 + angle * angle + tilt * tilt), (zn_vec3){1, angle, tilt});
}

static double distance_at(const zn_feature *a, const zn_feature *b, double place)
{
    zn_vec3 x = along(a->at, a->from + place * (a->to - a->from), a->along);
    double  t = zn_vec3_dot(zn_vec3_sub(x, b->at), b->along);
    return zn_vec3_norm(zn_vec3_sub(x, along(b->at, fmin(fmax(t, b->from), b->to), b->along)));
}

// The distance is convex along a.
static double smallest_distance(const zn_feature *a, const zn_feature *b)
{
    double low = 0, high = 1;
    for (int k = 0; k < 100; k++) {
        double s = low + (high - low) / 3, t = high - (high - low) / 3;
        *(distance_at(a, b, s) < distance_at(a, b, t) ? &high : &low) =
            distance_at(a, b, s) < distance_at(a, b, t) ? t : s;
    }
    return fmin(distance_at(a, b, low), fmin(distance_at(a, b, 0), distance_at(a, b, 1)));
}

static double draw_angle(void) { return pow(10, between(-6, -1.8)); }

// Within the part that lies beside b, which holds the smallest distance at angles as small as these.
static void test_nearest(void **state)
{
    (void)state;
    for (int k = 0; k < 5000; k++) {
        zn_feature       a, b;
        zn_nearest_place at;
        double           angle = draw_angle();
        draw_lines(angle, between(-1, 1) * angle * angle * 10, &a, &b);
        int piece = zn_piece_of_place(between(0.3, 0.6));
        assert_true(zn_round_lines_nearest(&a, &b, piece, &at));
        assert_true(at.runs && at.low >= 0 && at.high <= 1 && at.low < at.high);
        CHECK_NEAR(at.gap, smallest_distance(&a, &b) - 0.08, 1e-12);
        CHECK_NEAR(at.gap + at.beyond, distance_at(&a, &b, zn_place_of_piece(piece)) - 0.08, 1e-12);
        assert_true(at.beyond >= -1e-15);
    }
}

// What is held is a point of a against b, with the normal of its distance.
static void test_held(void **state)
{
    (void)state;
    for (int k = 0; k < 1000; k++) {
        zn_feature       a, b, c, d;
        zn_feature_place at;
        draw_lines(draw_angle(), between(-0.01, 0.01), &a, &b);
        c = a, d = b;
        int piece = zn_piece_of_place(between(0, 1));
        zn_round_lines_hold(piece, &c, &d);
        assert_int_equal(c.kind, ZN_FEATURE_POINT);
        assert_true(zn_feature_meet(&c, &d, &at));
        CHECK_NEAR(at.gap, distance_at(&a, &b, zn_place_of_piece(piece)) - 0.08, 1e-15);
        if (d.kind == ZN_FEATURE_POINT)
            continue;                                 // an end of b: the distance is along the line
        assert_true(zn_round_lines_end(&a, &b, &at)); // what touches there is what the line has there
        at.gap += 1e-6;
        assert_false(zn_round_lines_end(&a, &b, &at));
    }
}

// Lines across each other do not run, those without a radius or without ends are none.
static void test_others(void **state)
{
    (void)state;
    zn_feature       a, b;
    zn_nearest_place at;
    draw_lines(1e-3, 0, &a, &b);
    a.along = (zn_vec3){0, 1, 0};
    assert_true(zn_round_lines_nearest(&a, &b, 0, &at) && !at.runs);
    draw_lines(1e-3, 0, &a, &b);
    a.radius = b.radius = 0;
    assert_false(zn_round_lines_nearest(&a, &b, 0, &at));
    draw_lines(1e-3, 0, &a, &b);
    b.from = b.to = 0;
    assert_false(zn_round_lines_nearest(&a, &b, 0, &at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nearest), cmocka_unit_test(test_held),
                                       cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
