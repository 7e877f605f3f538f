// The rocking block under combined projection (Acary 2013, section 5.3, figure 9): it comes to rest on the floor and
// stays, penetrates nowhere, and its momenta change by weight and impulses alone.
#include "scheme_fixtures.h"

#define GRAVITY 9.81

typedef struct outcome {
    double penetration;            ///< of any step
    double balance;                ///< worst |m dv - impulses + m g h| of any step, vertical
    double horizontal;             ///< worst change of vx: there is no friction
    double angular;                ///< worst |J dw - sum of lever P|
    double moved_at;               ///< last time at which anything was off its place of rest by more than 1e-12
    double angle, y, vx, vy, spin; ///< at the end
    double impulse;                ///< sum of all
} outcome;

// Row of the angle in G: the lever of the corner at the end of the step.
static double torque_of_impulses(const rig *r)
{
    const zn_contact_set *set = r->state->contacts;
    double                sum = 0;
    for (int i = 0; i < set->count; i++)
        for (int k = set->row_start[i]; k < set->row_start[i + 1]; k++)
            if (set->row_dof[k] == 2)
                sum += set->row_value[k] * set->impulse[i];
    return sum;
}

static outcome run(block_case c, const char *scheme, double h, double until)
{
    rig     r = rig_open(block_model(c), scheme_named(scheme, 0.5));
    outcome o = {0};
    double  inertia = (c.l * c.l + c.L * c.L) / 12;
    long    steps = lround(until / h);
    for (long k = 1; k <= steps; k++) {
        double before[3] = {r.state->v[0], r.state->v[1], r.state->v[2]};
        rig_step(&r, h);
        const double *v = r.state->v, *q = r.state->q;
        double        impulse = impulse_of(&r, 0) + impulse_of(&r, 1);
        o.impulse += impulse;
        o.penetration = fmax(o.penetration, -fmin(gap_of(&r, 0), gap_of(&r, 1)));
        o.balance = fmax(o.balance, fabs(v[1] - before[1] + GRAVITY * h - impulse));
        o.horizontal = fmax(o.horizontal, fabs(v[0] - c.vx));
        o.angular = fmax(o.angular, fabs(inertia * (v[2] - before[2]) - torque_of_impulses(&r)));
        if (fabs(q[2]) > 1e-12 || fabs(q[1] - c.l / 2) > 1e-12 || fabs(v[1]) > 1e-12 || fabs(v[2]) > 1e-12)
            o.moved_at = (double)k * h;
    }
    o.angle = r.state->q[2], o.y = r.state->q[1];
    o.vx = r.state->v[0], o.vy = r.state->v[1], o.spin = r.state->v[2];
    CHECK_NEAR(r.state->q[0], c.x + c.vx * (double)steps * h, 1e-10);
    CHECK_NEAR(o.vy - c.vy, o.impulse - GRAVITY * (double)steps * h, 1e-10); // the sum of all steps
    rig_close(&r);
    print_message("l %.1f L %.1f e %.1f h %.0e: penetration %.2g, balance %.2g %.2g, last motion %.4f, angle %.2g\n",
                  c.l, c.L, c.e, h, o.penetration, o.balance, o.angular, o.moved_at, o.angle);
    return o;
}

static void check_laws(const outcome *o)
{
    CHECK_BELOW(o->penetration, 1e-12);
    CHECK_BELOW(o->balance, 1e-12);
    CHECK_BELOW(o->angular, 5e-12); // Newton's tolerance on levers of the size 1
    CHECK_BELOW(o->horizontal, 1e-15);
}

static void check_rest(const outcome *o, block_case c, double by)
{
    CHECK_NEAR(o->angle, 0, 1e-12);
    CHECK_NEAR(o->y, c.l / 2, 1e-12);
    CHECK_NEAR(o->vy, 0, 1e-12);
    CHECK_NEAR(o->spin, 0, 1e-12);
    CHECK_BELOW(o->moved_at, by);
}

static void test_paper_block_comes_to_rest(void **state)
{
    (void)state;
    const double sizes[] = {1e-2, 1e-3, 1e-4};
    for (int i = 0; i < 3; i++) {
        outcome o = run(paper_block(), "combined_projection", sizes[i], 2);
        check_laws(&o);
        check_rest(&o, paper_block(), 2);
    }
}

// Flat and wide, where the free forecast chatters.
static void test_wide_block_comes_to_rest(void **state)
{
    (void)state;
    block_case c = paper_block();
    c.l = 1, c.L = 1.5;
    const double sizes[] = {1e-2, 1e-3, 1e-4};
    for (int i = 0; i < 3; i++) {
        outcome o = run(c, "combined_projection", sizes[i], 3);
        check_laws(&o);
        check_rest(&o, c, 3);
    }
}

// Both corners at once: the block bounces like a ball from 1/4 m, which rests at sqrt(2 h / g) (1 + e) / (1 - e); then
// the velocity left by flights shorter than a step is halved in every step.
static void test_flat_fall_rests_like_a_ball(void **state)
{
    (void)state;
    block_case c = paper_block();
    c.angle = c.spin = 0;
    for (double h = 1e-3; h > 1e-5; h /= 4) {
        outcome o = run(c, "combined_projection", h, 1);
        double  rest = sqrt(2 * 0.25 / GRAVITY) * 3;
        check_laws(&o);
        check_rest(&o, c, rest + (log2(GRAVITY * h / 1e-12) + 10) * h);
        assert_true(o.moved_at > rest - 10 * h);
        CHECK_NEAR(o.angle, 0, 0);
    }
}

static void test_off_centre_starts_come_to_rest(void **state)
{
    (void)state;
    block_case start[3] = {paper_block(), paper_block(), paper_block()};
    start[0].x = 0.37, start[0].vx = 0.8, start[0].angle = -0.3, start[0].spin = -0.5, start[0].y = 1.1;
    start[1].x = -5.1, start[1].vx = -0.2, start[1].angle = 0.05, start[1].spin = 1.3, start[1].vy = 1;
    start[2].l = 1, start[2].L = 1.5, start[2].x = 12, start[2].angle = 0.4, start[2].spin = -2;
    for (int i = 0; i < 3; i++) {
        outcome o = run(start[i], "combined_projection", 1e-3, 4);
        check_laws(&o);
        check_rest(&o, start[i], 4);
    }
}

// e = 0: no bounce, so it rests sooner than with e = 1/2; e = 0.9: it is still moving after 2 s, but obeys all laws.
static void test_restitution(void **state)
{
    (void)state;
    block_case c = paper_block();
    outcome    half = run(c, "combined_projection", 1e-3, 2);
    c.e = 0;
    outcome plastic = run(c, "combined_projection", 1e-3, 2);
    check_laws(&plastic);
    check_rest(&plastic, c, half.moved_at - 0.2);
    c.e = 0.9;
    const double sizes[] = {1e-2, 1e-3, 1e-4};
    for (int i = 0; i < 3; i++) {
        outcome lively = run(c, "combined_projection", sizes[i], 2);
        check_laws(&lively);
        assert_true(lively.moved_at > 1.9);
    }
}

// Moreau-Jean on the same block: the same balances, but it penetrates by the motion of a step and drifts.
static void test_moreau_jean_penetrates(void **state)
{
    (void)state;
    outcome o = run(paper_block(), "moreau_jean", 1e-2, 2);
    CHECK_BELOW(o.balance, 1e-12);
    CHECK_BELOW(o.angular, 5e-12);
    assert_true(o.penetration > 1e-4);
    CHECK_BELOW(o.penetration, 0.1); // 5 m/s and more than a step would be 0.05
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper_block_comes_to_rest),
        cmocka_unit_test(test_wide_block_comes_to_rest),
        cmocka_unit_test(test_flat_fall_rests_like_a_ball),
        cmocka_unit_test(test_off_centre_starts_come_to_rest),
        cmocka_unit_test(test_restitution),
        cmocka_unit_test(test_moreau_jean_penetrates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
