// Contacts that an impact within a step closes although they were not near at its start: schemes that hold positions
// end outside of them. How deep boxes are in each other is measured here by separating axes, without any search.
#include "fixtures.h"
#include "late_models.h"

#include <math.h>

enum { BOXES = 16 };

// --- the judge -----------------------------------------------------------------------------------

typedef struct placed {
    zn_vec3 centre, axis[3];
    double  half[3];
} placed;

static placed place(const test_box *b, const double *q)
{
    zn_quat turn = q ? (zn_quat){q[3], q[4], q[5], q[6]} : b->rotation;
    zn_mat3 R = zn_quat_matrix(turn);
    placed  p = {.centre = q ? zn_vec3_make(q[0], q[1], q[2]) : b->position,
                 .half = {b->sides.x / 2, b->sides.y / 2, b->sides.z / 2}};
    for (int i = 0; i < 3; i++)
        p.axis[i] = zn_vec3_make(R.m[0][i], R.m[1][i], R.m[2][i]);
    return p;
}

static double width(const placed *p, zn_vec3 n)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += p->half[i] * fabs(zn_vec3_dot(p->axis[i], n));
    return sum;
}

static double apart_along(const placed *a, const placed *b, zn_vec3 n)
{
    double length = zn_vec3_norm(n);
    if (length < 1e-6)
        return -INFINITY;
    n = zn_vec3_scale(1 / length, n);
    return fabs(zn_vec3_dot(n, zn_vec3_sub(a->centre, b->centre))) - width(a, n) - width(b, n);
}

// > 0: they are apart; else how deep they are in each other.
static double apart(const placed *a, const placed *b)
{
    double most = -INFINITY;
    for (int i = 0; i < 3; i++) {
        most = fmax(most, fmax(apart_along(a, b, a->axis[i]), apart_along(a, b, b->axis[i])));
        for (int j = 0; j < 3; j++)
            most = fmax(most, apart_along(a, b, zn_vec3_cross(a->axis[i], b->axis[j])));
    }
    return most;
}

// The smallest of all pairs; bodies come first.
static double smallest_gap(const rig *r, int count, const test_box *b)
{
    placed p[BOXES];
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        p[i] = place(&b[i], b[i].density > 0 ? r->state->q + 7 * i : NULL);
        for (int j = 0; j < i; j++)
            if (b[j].density > 0)
                least = fmin(least, apart(&p[i], &p[j]));
    }
    return least;
}

// --- one end is hit ------------------------------------------------------------------------------

// Both contacts act within the one step; the impact takes energy.
static void check_hit(int scheme, double breadth)
{
    test_box b[3];
    int      count = hit_boxes(breadth, b), acting = 0;
    rig      r = open_hit(scheme, breadth);
    double   before = energy_of(&r);
    rig_step(&r, late_step);
    assert_true(r.info.late_contacts > 0);
    CHECK_BELOW(-smallest_gap(&r, count, b), 1e-12);
    for (int i = 0; i < r.state->contacts->count; i++)
        acting += r.state->contacts->impulse[i] > 0;
    assert_true(acting >= 2);
    assert_true(energy_of(&r) < before);
    for (int k = 0; k < 10; k++) {
        rig_step(&r, late_step);
        CHECK_BELOW(-smallest_gap(&r, count, b), 1e-12);
    }
    rig_close(&r);
}

static void test_hit_at_one_end(void **state)
{
    (void)state;
    for (int s = 0; s < LATE_SCHEMES; s++) {
        check_hit(s, 0.02); // a bar
        check_hit(s, 0.1);  // a box, off its centre
    }
}

// Nothing late where nothing turns into anything: the bar alone.
static void test_nothing_is_late(void **state)
{
    (void)state;
    for (int s = 0; s < LATE_SCHEMES; s++) {
        test_box b[3];
        hit_boxes(0.02, b);
        rig r = rig_open(box_model(0, 0.5, 2, b), scheme_named(late_schemes[s], 0.5));
        for (int k = 0; k < 5; k++) {
            rig_step(&r, late_step);
            assert_int_equal(r.info.late_contacts, 0);
        }
        rig_close(&r);
    }
}

// A step that goes on from a copy of the state has the same bits as one that was there.
static void test_same_bits(void **state)
{
    (void)state;
    for (int s = 0; s < LATE_SCHEMES; s++) {
        zn_state *start = NULL;
        rig       r = open_hit(s, 0.02), other = open_hit(s, 0.02);
        CHECK_OK(zn_state_create(r.sys, &start));
        rig_step(&r, late_step);
        CHECK_OK(zn_state_copy(r.sys, start, other.state));
        rig_step(&other, late_step);
        assert_true(other.info.late_contacts > 0);
        check_same_state(r.sys, r.state, other.state);
        zn_state_destroy(start);
        rig_close(&other);
        rig_close(&r);
    }
}

// --- boxes in a bin ------------------------------------------------------------------------------

static int bin(uint64_t seed, int bars, test_box *b)
{
    const zn_quat straight = {1, 0, 0, 0};
    for (int i = 0; i < bars; i++) {
        double x[10];
        random_fill(&seed, 1, 10, x);
        b[i] = (test_box){.sides = {0.09 + 0.03 * x[0], 0.02 + 0.01 * x[1], 0.015}, .density = 1000};
        b[i].position = zn_vec3_make(i % 2 ? 0.08 : -0.08, i / 2 % 2 ? 0.08 : -0.08, 0.1 + 0.16 * (i / 4));
        b[i].velocity = zn_vec3_make(0.5 * x[2], 0.5 * x[3], -1.5 + x[4]);
        b[i].spin = zn_vec3_make(15 * x[5], 15 * x[6], 15 * x[7]);
        b[i].rotation = zn_so3_exp(zn_vec3_make(2 * x[8], 2 * x[9], x[2] + x[3]));
    }
    b[bars++] = (test_box){.sides = {0.6, 0.6, 0.1}, .position = {0, 0, -0.05}, .rotation = straight};
    for (int i = 0; i < 4; i++) {
        double side = i % 2 ? 0.22 : -0.22;
        b[bars++] = (test_box){.sides = {i < 2 ? 0.1 : 0.6, i < 2 ? 0.6 : 0.1, 1},
                               .position = {i < 2 ? side : 0, i < 2 ? 0 : side, 0.5},
                               .rotation = straight};
    }
    return bars;
}

// A step, or two halves of it where it fails.
static void step_in_halves(rig *r, double h, int depth)
{
    if (zn_scheme_step(r->scheme, r->state, h, &r->info) == ZN_OK)
        return;
    assert_true(depth < 8);
    step_in_halves(r, h / 2, depth + 1);
    step_in_halves(r, h / 2, depth + 1);
}

static void test_bars_in_a_bin(void **state)
{
    (void)state;
    const char *const some[] = {"combined_projection", "nsga"};
    int               late = 0;
    for (int s = 0; s < 2; s++) {
        test_box b[BOXES];
        int      count = bin(3 + (uint64_t)s, 6, b);
        rig      r = rig_open(box_model(9.81, 0.3, count, b), scheme_named(some[s], 0.5));
        for (int k = 0; k < 40; k++) {
            step_in_halves(&r, 5e-3, 0);
            CHECK_BELOW(-smallest_gap(&r, count, b), 1e-12);
            late += r.info.late_contacts;
        }
        rig_close(&r);
    }
    assert_true(late > 0); // or it shows nothing
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hit_at_one_end),
        cmocka_unit_test(test_nothing_is_late),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_bars_in_a_bin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
