// Contact frames between two states against their promises: no resultant, no moment about the mean positions, work
// Q (g1 - g0)/(n_m.n_0) exactly, rows that are gradients, and changes that are derivatives.
#include "fixtures.h"
#include "model/contact/contact_frame.h"

static double random_between(uint64_t *seed, double a, double b) { return a + (b - a) * 0.5 * (1 + random_unit(seed)); }

static zn_vec3 random_vector(uint64_t *seed, int corners, double size)
{
    return (zn_vec3){size * random_unit(seed), size * random_unit(seed), corners == 2 ? 0 : size * random_unit(seed)};
}

// A frame that turns, stretches and slides; the node starts in front of it.
static zn_contact_frame random_frame(uint64_t *seed, int corners, bool chord, bool couple)
{
    zn_contact_frame f = {.corners = corners, .chord = chord, .couple = couple};
    zn_vec3          x[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, -0.2, 0}};
    if (corners == 3)
        x[3] = (zn_vec3){0.3, 0.4, 0.2};
    if (corners == 2)
        x[2] = x[3];
    for (int k = 0; k <= corners; k++) {
        f.from[k] = zn_vec3_add(x[k], random_vector(seed, corners, 0.2));
        f.to[k] = zn_vec3_add(zn_vec3_add(x[k], (zn_vec3){0.4, -0.7, 0}), random_vector(seed, corners, 0.2));
    }
    assert_true(zn_contact_frame_measure(&f));
    return f;
}

static void check_balance(const zn_contact_frame *f, const zn_vec3 *row)
{
    zn_vec3 force = {0}, moment = {0};
    for (int k = 0; k <= f->corners; k++) {
        force = zn_vec3_add(force, row[k]);
        moment = zn_vec3_add(moment, zn_vec3_cross(zn_vec3_scale(0.5, zn_vec3_add(f->from[k], f->to[k])), row[k]));
    }
    CHECK_NEAR(zn_vec3_norm(force), 0, 1e-14);
    CHECK_NEAR(zn_vec3_norm(moment), 0, 1e-13);
}

static double work(const zn_contact_frame *f, const zn_vec3 *row)
{
    double sum = 0;
    for (int k = 0; k <= f->corners; k++)
        sum += zn_vec3_dot(row[k], zn_vec3_sub(f->to[k], f->from[k]));
    return sum;
}

static void test_conserves(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 200; trial++)
        for (int corners = 2; corners <= 3; corners++) {
            zn_contact_frame f = random_frame(&seed, corners, trial % 3 == 2, true);
            zn_frame_rows    rows;
            zn_contact_frame_rows(&f, &rows);
            check_balance(&f, rows.normal);
            for (int i = 0; i < corners - 1; i++)
                check_balance(&f, rows.along[i]);
            if (!f.chord)
                CHECK_NEAR(work(&f, rows.normal), (f.gap - f.gap0) / zn_vec3_dot(f.n, f.n0), 1e-13);
        }
}

// Without the couple a tangential force has a moment, where the node is off the frame.
static void test_couple_is_needed(void **state)
{
    (void)state;
    uint64_t         seed = 6;
    zn_contact_frame f = random_frame(&seed, 2, false, false);
    zn_frame_rows    rows;
    zn_contact_frame_rows(&f, &rows);
    zn_vec3 moment = {0};
    for (int k = 0; k <= f.corners; k++)
        moment =
            zn_vec3_add(moment, zn_vec3_cross(zn_vec3_scale(0.5, zn_vec3_add(f.from[k], f.to[k])), rows.along[0][k]));
    CHECK_NEAR(moment.z, -f.c, 1e-14);
    assert_true(fabs(f.c) > 1e-2);
}

// A rigid motion does no work on a frame, also along the tangents.
static void test_objective(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 50; trial++) {
        int              corners = 2 + trial % 2;
        zn_contact_frame f = random_frame(&seed, corners, trial % 3 == 2, true);
        zn_vec3 axis = corners == 2 ? (zn_vec3){0, 0, random_between(&seed, 0.2, 1.2)} : random_vector(&seed, 3, 0.7);
        zn_quat R = zn_so3_exp(axis);
        zn_vec3 shift = random_vector(&seed, corners, 1);
        for (int k = 0; k <= corners; k++)
            f.to[k] = zn_vec3_add(shift, zn_quat_rotate(R, f.from[k]));
        assert_true(zn_contact_frame_measure(&f));
        zn_frame_rows rows;
        zn_contact_frame_rows(&f, &rows);
        CHECK_NEAR(work(&f, rows.normal), 0, 1e-13);
        for (int i = 0; i < corners - 1; i++)
            CHECK_NEAR(work(&f, rows.along[i]), 0, 1e-13);
    }
}

static void moved(const zn_contact_frame *f, const zn_vec3 *dx, double s, zn_contact_frame *out, zn_frame_rows *rows)
{
    *out = *f;
    for (int k = 0; k <= f->corners; k++)
        out->to[k] = zn_vec3_add(f->to[k], zn_vec3_scale(s, dx[k]));
    assert_true(zn_contact_frame_measure(out));
    zn_contact_frame_rows(out, rows);
}

static void check_derivative(zn_vec3 change, zn_vec3 plus, zn_vec3 minus, double s)
{
    zn_vec3 difference = zn_vec3_scale(0.5 / s, zn_vec3_sub(plus, minus));
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(change, difference)), 0, 2e-9 * (1 + zn_vec3_norm(change)));
}

static void test_derivatives(void **state)
{
    (void)state;
    uint64_t     seed = 8;
    const double s = 1e-6;
    for (int trial = 0; trial < 100; trial++) {
        int              corners = 2 + trial % 2;
        zn_contact_frame f = random_frame(&seed, corners, trial % 3 == 2, trial % 5 != 0), plus, minus;
        zn_frame_rows    rows, change, after, before;
        zn_vec3          dx[ZN_FRAME_POINTS] = {{0}};
        double           gap = 0;
        for (int k = 0; k <= corners; k++)
            dx[k] = random_vector(&seed, corners, 1);
        zn_contact_frame_rows(&f, &rows);
        zn_contact_frame_change(&f, dx, &change);
        moved(&f, dx, s, &plus, &after);
        moved(&f, dx, -s, &minus, &before);
        for (int k = 0; k <= corners; k++) {
            gap += zn_vec3_dot(rows.gap[k], dx[k]);
            check_derivative(change.normal[k], after.normal[k], before.normal[k], s);
            for (int i = 0; i < corners - 1; i++)
                check_derivative(change.along[i][k], after.along[i][k], before.along[i][k], s);
        }
        CHECK_NEAR(gap, (plus.gap - minus.gap) / (2 * s), 1e-8);
    }
}

static void test_refuses(void **state)
{
    (void)state;
    uint64_t         seed = 9;
    zn_contact_frame f = random_frame(&seed, 2, false, false), flat = f, turned = f;
    flat.to[1] = flat.to[0];
    assert_false(zn_contact_frame_measure(&flat));
    turned.to[0] = f.to[1];
    turned.to[1] = f.to[0];
    assert_false(zn_contact_frame_measure(&turned));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conserves),   cmocka_unit_test(test_couple_is_needed), cmocka_unit_test(test_objective),
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
