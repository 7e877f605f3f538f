// The normal between circles, points and lines. The judge knows where they touch, because it puts them there: a normal
// and tangents first, then circles through points a distance s apart along it; Newton's method in quadruple precision
// takes the rounding of these numbers into account.
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "model/contact/feature_circle.h"
#include "quad.h"

static int poses = 500;

static double any(uint64_t *rng) { return draw(rng); }
static double part(uint64_t *rng) { return (1 + draw(rng)) / 2; }

static zn_vec3 direction(uint64_t *rng)
{
    for (;;) {
        zn_vec3 v = {any(rng), any(rng), any(rng)};
        double  length = zn_vec3_norm(v);
        if (length > 0.1 && length < 1)
            return zn_vec3_scale(1 / length, v);
    }
}

static zn_vec3 towards(zn_vec3 from, double s, zn_vec3 n) { return zn_vec3_add(from, zn_vec3_scale(s, n)); }

// A circle whose lowest point along n is x; `up`: highest. The solid is on the other side. Tilt: sine of the angle
// between n and its axis.
static zn_feature circle_at(uint64_t *rng, zn_vec3 x, zn_vec3 n, bool up, double tilt, double size)
{
    zn_vec3 t = direction(rng), w, axis;
    t = towards(t, -zn_vec3_dot(t, n), n);
    t = zn_vec3_scale(1 / zn_vec3_norm(t), t);
    axis = towards(zn_vec3_scale(tilt, t), sqrt(1 - tilt * tilt) * (up ? 1 : -1), n);
    axis = zn_vec3_scale(1 / zn_vec3_norm(axis), axis);
    w = towards(n, -zn_vec3_dot(n, axis), axis);
    w = zn_vec3_scale((up ? -size : size) / zn_vec3_norm(w), w);
    return (zn_feature){.kind = ZN_FEATURE_CIRCLE, .at = zn_vec3_add(x, w), .along = axis, .size = size};
}

// --- the judge -----------------------------------------------------------------------------------

typedef struct seen {
    quad3 far, tangent;
    quad  bend;
} seen;

static seen look(const zn_feature *f, quad3 n)
{
    quad3 u = quad_unit(quad_of(f->along)), turned = quad_cross(u, n);
    if (f->kind != ZN_FEATURE_CIRCLE)
        return (seen){{0, 0, 0}, {0, 0, 0}, 0};
    quad3 t = quad_unit(turned);
    return (seen){quad_scale(f->size, quad_cross(t, u)), t, f->size / quad_norm(turned)};
}

// Improves n until it is stationary; of a line b: across it. Returns how well it is determined: the smaller eigenvalue
// of the matrix is at least this.
static double improve(const zn_feature *a, const zn_feature *b, quad3 *n)
{
    quad3  d = quad_sub(quad_of(a->at), quad_of(b->at));
    double sure = 0;
    for (int i = 0; i < 12; i++) {
        seen  A = look(a, *n), B = look(b, *n);
        quad3 r = quad_sub(quad_sub(d, A.far), B.far), e[2];
        bool  line = b->kind == ZN_FEATURE_EDGE;
        quad  s = quad_dot(r, *n), m[3] = {s, 0, s}, f[2];
        e[0] = line ? quad_unit(quad_cross(quad_of(b->along), *n)) : quad_unit(quad_across((quad3){1, 0.5, 0.25}, *n));
        e[1] = quad_cross(*n, e[0]);
        for (int k = 0; k < 2; k++) {
            const seen *S = k ? &B : &A;
            quad        t[2] = {quad_dot(S->tangent, e[0]), quad_dot(S->tangent, e[1])};
            m[0] += S->bend * t[0] * t[0], m[1] += S->bend * t[0] * t[1], m[2] += S->bend * t[1] * t[1];
        }
        f[0] = quad_dot(r, e[0]), f[1] = quad_dot(r, e[1]);
        quad det = m[0] * m[2] - m[1] * m[1];
        if (line) {
            *n = quad_unit(quad_add(*n, quad_scale(f[0] / m[0], e[0])));
            *n = quad_unit(quad_across(*n, quad_unit(quad_of(b->along))));
        } else
            *n = quad_unit(quad_add(*n, quad_add(quad_scale((f[0] * m[2] - f[1] * m[1]) / det, e[0]),
                                                 quad_scale((f[1] * m[0] - f[0] * m[1]) / det, e[1]))));
        sure = (double)(line ? m[0] : det / (m[0] + m[2]));
    }
    return sure;
}

static double separation(const zn_feature *a, const zn_feature *b, quad3 n)
{
    quad3 d = quad_sub(quad_of(a->at), quad_of(b->at));
    return (double)quad_dot(n, quad_sub(quad_sub(d, look(a, n).far), look(b, n).far));
}

// --- poses ---------------------------------------------------------------------------------------

static double draw_gap(uint64_t *rng)
{
    int k = (int)(10 * part(rng));
    return k == 0 ? 0 : k == 1 ? -1e-14 : any(rng) * pow(10, -1 - k);
}

static double draw_tilt(uint64_t *rng) { return any(rng) > 0 ? 0.05 + 0.95 * part(rng) : pow(10, -3 * part(rng)); }

static double tilt_of(const zn_feature *f, zn_vec3 n)
{
    return f->kind == ZN_FEATURE_CIRCLE ? zn_vec3_norm(zn_vec3_cross(f->along, n)) : 1;
}

static void compare(const zn_feature *a, const zn_feature *b, zn_vec3 built, double *worst)
{
    quad3   right = quad_of(built);
    double  sure = improve(a, b, &right);
    zn_vec3 n, back;
    double  tilt = fmin(tilt_of(a, built), tilt_of(b, built));
    // tangents that are nearly parallel; flat discs deep in each other, where another side is as good
    if (!(sure > 1e-3) || separation(a, b, right) < -0.1 * sure * tilt)
        return;
    assert_true(zn_feature_circle_normal(a, b, &n));
    double off = zn_vec3_norm(zn_vec3_sub(n, quad_round(right)));
    *worst = fmax(*worst, off * fmin(sure, 1));
    assert_true(zn_feature_circle_normal(b, a, &back));
    assert_true(zn_vec3_norm(zn_vec3_add(n, back)) * fmin(sure, 1) < 1e-14);
    // gaps are better still, for they are stationary
    assert_true(fabs(separation(a, b, quad_unit(quad_of(n))) - separation(a, b, right)) < 1e-15);
}

static void test_circles(void **state)
{
    (void)state;
    uint64_t rng = 1;
    double   worst = 0;
    for (int i = 0; i < poses; i++) {
        zn_vec3    n = direction(&rng), x = {any(&rng), any(&rng), any(&rng)};
        zn_feature a = circle_at(&rng, towards(x, draw_gap(&rng), n), n, false, draw_tilt(&rng), 1);
        zn_feature b = circle_at(&rng, x, n, true, draw_tilt(&rng), pow(10, any(&rng)));
        compare(&a, &b, n, &worst);
    }
    CHECK_BELOW(worst, 1e-14);
}

// Apart, the normal is that of the largest separation of all: none of many others is better.
static void test_apart(void **state)
{
    (void)state;
    uint64_t rng = 2;
    for (int i = 0; i < poses / 4; i++) {
        zn_feature a = {.kind = ZN_FEATURE_CIRCLE, .along = direction(&rng), .size = 1}, b = a;
        zn_vec3    n;
        b.along = direction(&rng), b.size = pow(10, any(&rng));
        a.at = zn_vec3_scale(1 + b.size, zn_vec3_scale(2 * part(&rng), direction(&rng)));
        if (!zn_feature_circle_normal(&a, &b, &n))
            continue;
        double s = separation(&a, &b, quad_unit(quad_of(n)));
        for (int k = 0; k < 40 && s > 0; k++) {
            zn_vec3 other = k % 2 ? direction(&rng) : towards(n, pow(10, -4 * part(&rng)), direction(&rng));
            assert_true(separation(&a, &b, quad_unit(quad_of(other))) <= s + 1e-15);
        }
    }
}

static void test_lines(void **state)
{
    (void)state;
    uint64_t rng = 3;
    double   worst = 0;
    for (int i = 0; i < poses; i++) {
        zn_vec3    n = direction(&rng), x = {any(&rng), any(&rng), any(&rng)}, u = direction(&rng);
        zn_feature a = circle_at(&rng, towards(x, draw_gap(&rng), n), n, false, draw_tilt(&rng), 1);
        u = towards(u, -zn_vec3_dot(u, n), n);
        zn_feature b = {.kind = ZN_FEATURE_EDGE, .along = zn_vec3_scale(1 / zn_vec3_norm(u), u)};
        b.at = towards(x, any(&rng), b.along);
        compare(&a, &b, n, &worst);
    }
    CHECK_BELOW(worst, 1e-14);
}

// A line nearly along the circle, touching it or before: the normal is determined to 1e-16 over the square of the
// angle.
static void test_along_lines(void **state)
{
    (void)state;
    uint64_t rng = 5;
    double   worst = 0;
    for (int i = 0; i < poses; i++) {
        zn_vec3    n = direction(&rng), x = {any(&rng), any(&rng), any(&rng)}, found;
        double     gap = i % 3 ? pow(10, -3 - 14 * part(&rng)) : 0, angle = pow(10, -1 - 5 * part(&rng));
        zn_feature a = circle_at(&rng, towards(x, gap, n), n, false, 0.05 + 0.94 * part(&rng), 1);
        zn_vec3    t = zn_vec3_cross(a.along, n), u = zn_vec3_scale(1 / zn_vec3_norm(t), t);
        u = towards(zn_vec3_scale(cos(angle), u), sin(angle), zn_vec3_cross(n, u));
        zn_feature b = {.kind = ZN_FEATURE_EDGE, .along = zn_vec3_scale(1 / zn_vec3_norm(u), u)};
        b.at = towards(x, any(&rng), b.along);
        quad3  right = quad_of(n);
        double sure = improve(&a, &b, &right);
        assert_true(zn_feature_circle_normal(&a, &b, &found));
        worst = fmax(worst, zn_vec3_norm(zn_vec3_sub(found, quad_round(right))) * sure);
        assert_true(fabs(separation(&a, &b, quad_unit(quad_of(found))) - separation(&a, &b, right)) < 1e-15);
    }
    CHECK_BELOW(worst, 1e-14);
}

static void test_points(void **state)
{
    (void)state;
    uint64_t rng = 4;
    double   worst = 0;
    for (int i = 0; i < poses; i++) {
        zn_vec3    n = direction(&rng), x = {any(&rng), any(&rng), any(&rng)};
        zn_feature a = circle_at(&rng, towards(x, 0.01 + part(&rng), n), n, false, draw_tilt(&rng), 1);
        zn_feature b = {.kind = ZN_FEATURE_POINT, .at = x};
        compare(&a, &b, n, &worst);
    }
    CHECK_BELOW(worst, 3e-14); // near points of the circle: differences of coordinates of order one
}

// A disc over another: the axis of the larger one, whatever their distance.
static void test_over_a_disc(void **state)
{
    (void)state;
    double     tilt = 1e-3;
    zn_feature a = {.kind = ZN_FEATURE_CIRCLE, .along = {sin(tilt), 0, cos(tilt)}, .size = 1}, b = a;
    zn_vec3    n;
    a.along = zn_vec3_scale(-1, a.along);
    b.along = (zn_vec3){0, 0, 1}, b.size = 2;
    for (double gap = -1e-3; gap < 1; gap += 0.1) {
        a.at = (zn_vec3){0.3, 0.2, sin(tilt) + gap};
        assert_true(zn_feature_circle_normal(&a, &b, &n));
        assert_true(n.x == 0 && n.y == 0 && n.z == 1);
    }
}

// An edge along a cap, as flush as rounding has it: the whole cap is lowest. They touch in the middle of what they have
// in common, and the normal turns with the cap, however small the gap is.
static void test_along_a_cap(void **state)
{
    (void)state;
    uint64_t rng = 5;
    for (int pose = 0; pose < poses; pose++) {
        zn_vec3 up = direction(&rng), e = zn_vec3_cross(up, direction(&rng)), centre = direction(&rng);
        double  gap = pow(10, -9 - 6 * part(&rng)), off = 0.9 * any(&rng);
        e = zn_vec3_scale(1 / zn_vec3_norm(e), e);
        zn_vec3           aside = zn_vec3_cross(up, e), chord = towards(centre, off, aside);
        zn_feature        rim = {.kind = ZN_FEATURE_CIRCLE, .at = centre, .along = up, .size = 1};
        zn_feature        edge = {.kind = ZN_FEATURE_EDGE,
                                  .at = towards(towards(chord, gap, up), 3 * any(&rng), e),
                                  .along = e,
                                  .out = zn_vec3_scale(-1, up)};
        zn_feature_motion still = {{0, 0, 0}, {0, 0, 0}}, turns = {direction(&rng), direction(&rng)};
        zn_feature_place  at;
        assert_true(zn_feature_meet(&rim, &edge, &at));
        CHECK_NEAR(at.gap, gap, 1e-14);
        CHECK_NEAR(zn_vec3_dot(at.normal, up), -1, 1e-14);
        CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(at.point, chord)), 0, 2e-9);
        zn_vec3 dn = zn_feature_change_with(&rim, &edge, &at, &turns, &still).normal;
        CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(dn, zn_vec3_cross(turns.spin, at.normal))), 0, 1e-14);
        dn = zn_feature_change_with(&rim, &edge, &at, &still, &turns).normal;
        CHECK_NEAR(zn_vec3_norm(dn), 0, 1e-14);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        poses = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circles),     cmocka_unit_test(test_apart),  cmocka_unit_test(test_lines),
        cmocka_unit_test(test_along_lines), cmocka_unit_test(test_points), cmocka_unit_test(test_over_a_disc),
        cmocka_unit_test(test_along_a_cap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
