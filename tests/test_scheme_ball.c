// The bouncing ball (f = -2): what each scheme conserves, loses and how it comes to rest (Acary 2013, section 4.5).
#include "scheme_fixtures.h"

#define WEIGHT 2.0

static double ledger_sum[ZN_LEDGER_LINES]; // since the last reset, lines that enter

static void reset_ledger(void) { memset(ledger_sum, 0, sizeof ledger_sum); }

static void step(rig *r, double h)
{
    rig_step(r, h);
    for (int i = ZN_LEDGER_STORED; i < ZN_LEDGER_LINES; i++)
        ledger_sum[i] += r->info.ledger[i];
}

// Constant force: v = -2 t in any theta; q = 1 - t^2 for theta = 1/2, and for theta = 1 the recursion
// q_k = q_(k-1) - 2 h^2 k sums to 1 - t^2 - h t.
static void test_free_fall_is_exact(void **state)
{
    (void)state;
    const char *const scheme[] = {"moreau_jean", "combined_projection"};
    const double      h = 0.00713;
    for (int i = 0; i < 4; i++) {
        double theta = i < 2 ? 0.5 : 1;
        rig    r = rig_open(ball_model(1, 0, 0.5), scheme_named(scheme[i % 2], theta));
        for (int k = 1; k * h < 0.98; k++) {
            step(&r, h);
            double t = k * h;
            CHECK_NEAR(r.state->t, t, 1e-14);
            CHECK_NEAR(r.state->v[0], -2 * t, 1e-13);
            CHECK_NEAR(gap_of(&r, 0), 1 - t * t - (theta - 0.5) * 2 * h * t, 1e-13);
            CHECK_NEAR(impulse_of(&r, 0), 0, 0);
        }
        rig_close(&r);
    }
}

// The step that carries the first impulse: the smallest k with forecast <= 0, where q_k = 1 - (k h)^2, U_k = -2 k h;
// explicit q_k + gamma h U_k (61), free q_(k+1) as if there were no floor (62). Combined projection acts by (62) too.
static int first_impact(zn_scheme_def def, double h)
{
    rig r = rig_open(ball_model(1, 0, 0.5), def);
    int k = -1;
    do {
        step(&r, h);
        k++;
    } while (!(impulse_of(&r, 0) > 0));
    rig_close(&r);
    return k;
}

static int forecast_impact(double gamma, bool free, double h)
{
    int k = 0;
    while ((free ? 1 - (k + 1) * h * (k + 1) * h : 1 - k * h * k * h - gamma * h * 2 * k * h) > 0)
        k++;
    return k;
}

static void test_forecast_decides_the_step_of_the_impact(void **state)
{
    (void)state;
    for (double h = 0.0317; h > 1e-3; h *= 0.83) {
        zn_scheme_def def = scheme_named("moreau_jean", 0.5);
        for (def.gamma = 0; def.gamma <= 2; def.gamma += 0.25)
            assert_int_equal(first_impact(def, h), forecast_impact(def.gamma, false, h));
        def.gamma = 0;
        def.forecast = ZN_FORECAST_FREE;
        assert_int_equal(first_impact(def, h), forecast_impact(0, true, h));
        assert_int_equal(first_impact(scheme_named("combined_projection", 0.5), h), forecast_impact(0, true, h));
    }
    assert_true(forecast_impact(2, false, 0.01) < forecast_impact(0, false, 0.01)); // they do differ
}

// e = 1, theta = 1/2: v' = -v and q' = q in the impact, so nothing is lost but digits.
static void test_moreau_jean_elastic_ball_conserves_energy(void **state)
{
    (void)state;
    rig    r = rig_open(ball_model(1, 0, 1), scheme_named("moreau_jean", 0.5));
    double energy = energy_of(&r), worst = 0, deepest = 0;
    int    impacts = 0;
    CHECK_NEAR(energy, 2, 0);
    for (int k = 0; k < 100000; k++) {
        double height = gap_of(&r, 0), speed = r.state->v[0];
        step(&r, 0.00317);
        worst = fmax(worst, fabs(energy_of(&r) - energy));
        deepest = fmax(deepest, -gap_of(&r, 0));
        if (impulse_of(&r, 0) > 0) {
            CHECK_NEAR(r.state->v[0], -speed, 0);
            CHECK_NEAR(gap_of(&r, 0), height, 0);
            impacts++;
        }
    }
    print_message("energy drift %.3g over 1e5 steps, %d impacts, penetration %.3g\n", worst, impacts, deepest);
    CHECK_BELOW(worst, 1e-11);
    assert_true(impacts > 150 && impacts < 165);           // one every 2 s, a step late
    CHECK_BELOW(deepest, 2 * 0.00317 + 0.00317 * 0.00317); // the motion of one step at the speed of impact
    rig_close(&r);
}

// After the accumulation at t = 3 the ball rests. Flights shorter than a step leave a velocity below h, which the law
// U' = -e U halves in every step with alternating sign: log2(h / 1e-12) steps to be at rest, and it stays there.
static void test_combined_projection_comes_to_rest(void **state)
{
    (void)state;
    const double sizes[] = {0.05, 0.0317, 0.00713, 1e-3, 3.17e-4}; // 0.05 and 1e-3: impacts on the grid
    for (int half = 1; half <= 2; half++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            double h = sizes[i], moved_at = 0, worst_force = 0;
            rig    r = rig_open(ball_model(1, 0, 0.5), scheme_named("combined_projection", half / 2.0));
            while (r.state->t < 6) {
                step(&r, h);
                if (r.state->t > 3 + 10 * h)
                    CHECK_BELOW(fabs(r.state->v[0]), h);
                bool rests = fabs(r.state->v[0]) < 1e-12 && fabs(gap_of(&r, 0)) < 1e-12;
                if (!rests)
                    moved_at = r.state->t;
                else
                    worst_force = fmax(worst_force, fabs(impulse_of(&r, 0) / h - WEIGHT));
            }
            print_message("theta %.1f, h = %.3g: last motion at %.4f = 3 %+.1f h, force off by %.2g\n", half / 2.0, h,
                          moved_at, (moved_at - 3) / h, worst_force);
            CHECK_BELOW(moved_at, 3 + (log2(h / 1e-12) + 10) * h);
            CHECK_BELOW(worst_force, 3e-12 / h); // (1 + e) |v| / h with |v| < 1e-12
            CHECK_NEAR(impulse_of(&r, 0) / h, WEIGHT, 1e-12);
            CHECK_NEAR(r.state->v[0], 0, 1e-15);
            rig_close(&r);
        }
}

// At rest Moreau-Jean keeps its last penetration and carries the weight as well.
static void test_moreau_jean_rests_below_the_floor(void **state)
{
    (void)state;
    const double h = 0.00713;
    rig          r = rig_open(ball_model(1, 0, 0.5), scheme_named("moreau_jean", 0.5));
    while (r.state->t < 4)
        step(&r, h);
    double depth = gap_of(&r, 0);
    for (int k = 0; k < 1000; k++) {
        step(&r, h);
        CHECK_NEAR(r.state->v[0], 0, 1e-12);
        CHECK_NEAR(gap_of(&r, 0), depth, 1e-12);
        CHECK_NEAR(impulse_of(&r, 0) / h, WEIGHT, 1e-12);
    }
    assert_true(depth < 0 && depth > -2 * h);
    rig_close(&r);
}

// Energy that the elastic ball loses until t = 4 to the projection, which pulls it down to g = 0 in the impact.
static double projection_loss(double h)
{
    rig    r = rig_open(ball_model(1, 0, 1), scheme_named("combined_projection", 0.5));
    double energy = energy_of(&r);
    reset_ledger();
    while (r.state->t < 4) {
        step(&r, h);
        if (impulse_of(&r, 0) > 0) // pulled down, never pushed up
            assert_true(r.info.ledger[ZN_LEDGER_PROJECTION] <= 0 && r.state->contacts->projection[0] <= 0);
    }
    double loss = energy - energy_of(&r);
    CHECK_NEAR(ledger_sum[ZN_LEDGER_PROJECTION], -loss, 1e-12);
    CHECK_NEAR(ledger_sum[ZN_LEDGER_CONTACT], 0, 1e-12); // e = 1: P (U+ + U-) / 2 = 0
    CHECK_NEAR(ledger_sum[ZN_LEDGER_NUMERICAL], 0, 1e-12);
    rig_close(&r);
    return loss;
}

// The first impact starts between 0 and 2 h above the floor, so it loses 2 h on average (weight 2). Then the speed is
// 2 k h, the flight takes k h + k h, exactly on the grid: a gap of zero acts, and 2 h of height are lost in full.
static void test_combined_projection_loses_energy_of_order_h(void **state)
{
    (void)state;
    slope_fit fit = {0};
    for (int octave = 0; octave < 5; octave++) {
        double mean = 0, h = 0.0317 / (1 << octave);
        for (int k = 0; k < 16; k++) { // t_1 / h differs by 1/16: the impact falls everywhere in a step
            double loss = projection_loss(1 / (1 / h + k / 16.0));
            assert_true(loss > 0);
            mean += loss / 16;
        }
        print_message("h = %.3g: mean loss %.4g = %.3f h\n", h, mean, mean / h);
        CHECK_NEAR(mean / h, 6, 0.3);
        slope_add(&fit, h, mean);
    }
    CHECK_NEAR(slope_of(&fit), 1, 0.05);
}

// m (v - v0) = sum of impulses - weight * time, whatever the scheme and the law.
static void test_impulses_balance_the_weight(void **state)
{
    (void)state;
    const char *const scheme[] = {"moreau_jean", "combined_projection"};
    const double      restitution[] = {0, 0.5, 1}, v0 = 0.3, h = 0.00317;
    for (int i = 0; i < 2; i++)
        for (int e = 0; e < 3; e++)
            for (int half = 1; half <= 2; half++) {
                rig    r = rig_open(ball_model(1, v0, restitution[e]), scheme_named(scheme[i], half / 2.0));
                double impulse = 0;
                for (int k = 1; k <= 1500; k++) {
                    step(&r, h);
                    impulse += impulse_of(&r, 0);
                    CHECK_NEAR(r.state->v[0] - v0, impulse - WEIGHT * k * h, 1e-11);
                }
                assert_true(impulse > 3); // it did hit
                rig_close(&r);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall_is_exact),
        cmocka_unit_test(test_forecast_decides_the_step_of_the_impact),
        cmocka_unit_test(test_moreau_jean_elastic_ball_conserves_energy),
        cmocka_unit_test(test_combined_projection_comes_to_rest),
        cmocka_unit_test(test_moreau_jean_rests_below_the_floor),
        cmocka_unit_test(test_combined_projection_loses_energy_of_order_h),
        cmocka_unit_test(test_impulses_balance_the_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
