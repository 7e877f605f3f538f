// The elastic bar against a wall (Acary 2013, section 6.2, figures 12 to 18).
//
// Continuum: wave speed c0 = sqrt(E / rho), contact for 2 L / c0 under the constant force F = S sqrt(E rho) v0.
// Discrete: the first impulse meets a bar in uniform motion, so it is v0 over the Delassus entry of the tip. With
// A = M + h^2 th^2 K tridiagonal (half infinite; the other end is out of reach of the decay) the tip's Schur
// complement is sqrt(a^2 - b^2), a = 2 mu + kappa, b = mu - kappa, mu = rho S l / 6, kappa = h^2 th^2 E S / l:
//     P1 / h = sqrt( (th F)^2 + (rho S l v0 / (sqrt(12) h))^2 ).
// It grows with the element length l (figure 13) and, without bound, with 1 / h (figure 14); the impulse itself tends
// to m v0 with the effective mass m = rho S l / sqrt(12) of the tip.
#include "scheme_fixtures.h"

#define STEP         2e-6
#define CONTACT_TIME (2 * sqrt(BAR_DENSITY / BAR_YOUNG))
#define PLATEAU      (BAR_AREA * sqrt(BAR_YOUNG * BAR_DENSITY) * BAR_SPEED)

enum { MAX_STEPS = 700 };

typedef struct history {
    int    steps;
    double force[MAX_STEPS], velocity[MAX_STEPS], energy[MAX_STEPS], contact_work[MAX_STEPS], numerical[MAX_STEPS];
    double start_energy, penetration;
    int    first, last; ///< steps with an impulse, the first stay in contact
} history;

static history run(int elements, double gap, double e, zn_scheme_def def, double h, double until)
{
    rig     r = rig_open(bar_model(elements, gap, e), def);
    history x = {.steps = (int)lround(until / h), .start_energy = energy_of(&r), .first = -1, .last = -1};
    assert_true(x.steps <= MAX_STEPS);
    for (int k = 0; k < x.steps; k++) {
        rig_step(&r, h);
        x.force[k] = impulse_of(&r, 0) / h;
        x.velocity[k] = r.state->contacts->velocity[0];
        x.energy[k] = energy_of(&r);
        x.contact_work[k] = r.info.ledger[ZN_LEDGER_CONTACT];
        x.numerical[k] = r.info.ledger[ZN_LEDGER_NUMERICAL];
        x.penetration = fmax(x.penetration, -gap_of(&r, 0));
        if (x.force[k] > 0 && x.first < 0)
            x.first = k;
        if (x.force[k] > 0 && (x.last < 0 || x.last == k - 1))
            x.last = k;
    }
    rig_close(&r);
    assert_true(x.first > 0);
    return x;
}

static double largest_force(const history *x, int from, int to)
{
    double largest = 0;
    for (int k = from; k < to; k++)
        largest = fmax(largest, x->force[k]);
    return largest;
}

// --- the contact as a whole ----------------------------------------------------------------------

// The contact closes somewhere in its first step and opens in its last, so it lasts from the middle of the one to the
// middle of the other, give or take a step.
static void check_contact(const history *x, double h)
{
    double duration = (x->last - x->first) * h, mean = 0;
    int    quarter = (x->last - x->first + 1) / 4, count = 0;
    for (int k = x->first + quarter; k <= x->last - quarter; k++, count++)
        mean += x->force[k];
    mean /= count;
    CHECK_NEAR(duration, CONTACT_TIME, 2 * h);
    CHECK_NEAR(mean, PLATEAU, 0.01 * PLATEAU);
    assert_true(x->last < x->steps - 1); // it ended before the run did
}

static double off_grid_gap(int i) { return 5e-5 + (i - 5) * 2.317e-7 + 1.3e-8; } // 2e-7 is the motion of one step

static void check_gaps(int elements, int gaps)
{
    double deepest = 0;
    for (int i = 0; i < gaps; i++) {
        history free = run(elements, off_grid_gap(i), 0, scheme_named("moreau_jean", 0.5), STEP, 9.4e-4);
        check_contact(&free, STEP);
        CHECK_BELOW(free.penetration, 1.5 * BAR_SPEED * STEP); // one step late, then half a step of approach
        deepest = fmax(deepest, free.penetration);
        history projected = run(elements, off_grid_gap(i), 0, scheme_named("combined_projection", 0.5), STEP, 9.4e-4);
        check_contact(&projected, STEP);
        CHECK_BELOW(projected.penetration, 1e-12);
        print_message("N %4d, gap %.4e: %d and %d steps, penetration %.2e and %.1e m\n", elements, off_grid_gap(i),
                      free.last - free.first + 1, projected.last - projected.first + 1, free.penetration,
                      projected.penetration);
    }
    assert_true(deepest > 1.2 * BAR_SPEED * STEP); // the bound is not idle
}

static void test_numbers_of_the_paper(void **state)
{
    (void)state;
    CHECK_NEAR(CONTACT_TIME, 3.8545e-4, 5e-9);
    CHECK_NEAR(PLATEAU, 1271.472, 5e-4);
}

static void test_contact_of_100_elements(void **state)
{
    (void)state;
    check_gaps(100, 10);
}

static void test_contact_of_1000_elements(void **state)
{
    (void)state;
    check_gaps(1000, 10);
}

// --- the first impulse ---------------------------------------------------------------------------

static double first_force(int elements, double h, double theta)
{
    double tip = BAR_DENSITY * BAR_AREA / elements * BAR_SPEED / (sqrt(12) * h);
    return sqrt(theta * theta * PLATEAU * PLATEAU + tip * tip);
}

// A start so close that the wall is met within a few steps.
static history first_steps(int elements, double h, double theta)
{
    return run(elements, 2.4 * BAR_SPEED * h, 0, scheme_named("moreau_jean", theta), h, 40 * h);
}

// Figure 13: shorter elements, smaller peak. The first force alone grows with every l; the highest force soon after it
// also contains the overshoot of the next steps, which at N = 50 is not above that at N = 100.
static void test_peak_grows_with_the_elements(void **state)
{
    (void)state;
    const int elements[] = {1000, 100, 50, 20, 10};
    double    force = 0, peak[5];
    for (int i = 0; i < 5; i++) {
        history x = first_steps(elements[i], STEP, 0.5);
        peak[i] = largest_force(&x, x.first, x.first + 20);
        print_message("N %4d: first force %.3f N, peak %.3f N\n", elements[i], x.force[x.first], peak[i]);
        CHECK_NEAR(x.force[x.first], first_force(elements[i], STEP, 0.5), 1e-6);
        assert_true(x.force[x.first] > force);
        force = x.force[x.first];
    }
    assert_true(peak[1] > 1.05 * peak[0] && peak[3] > 1.3 * peak[1] && peak[4] > 1.5 * peak[3]);
    assert_true(peak[2] > 1.05 * peak[0] && peak[3] > 1.3 * peak[2]);
    CHECK_NEAR(peak[0], PLATEAU, 0.01 * PLATEAU); // the finest mesh has no peak
}

// Figure 14: the force goes to infinity, the impulse to that of the tip's mass.
static void test_peak_grows_with_smaller_steps(void **state)
{
    (void)state;
    const double sizes[] = {4e-6, 2e-6, 1e-6, 5e-7, 2e-7, 2e-8, 2e-9};
    const double limit = BAR_DENSITY * BAR_AREA / 100 / sqrt(12) * BAR_SPEED;
    double       force = 0, impulse = INFINITY;
    for (int half = 1; half <= 2; half++, force = 0, impulse = INFINITY)
        for (int i = 0; i < 7; i++) {
            double  h = sizes[i];
            history x = first_steps(100, h, half / 2.0);
            double  own = x.force[x.first];
            print_message("theta %.1f, h %.0e: first force %.3f N, impulse %.6f of the limit\n", half / 2.0, h, own,
                          own * h / limit);
            CHECK_NEAR(own, first_force(100, h, half / 2.0), 1e-9 * own);
            assert_true(own > force && own * h < impulse && own * h > limit * (1 - 1e-9));
            force = own;
            impulse = own * h;
        }
    history x = first_steps(100, 2e-9, 0.5);
    CHECK_NEAR(x.force[x.first] * 2e-9, limit, 1e-5 * limit);
    // the tip stops: its energy m v0^2 / 2 is lost, 1 / (2 sqrt(3) N) of the bar's
    CHECK_NEAR(-x.contact_work[x.first] / x.start_energy, 1 / (2 * sqrt(3) * 100), 1e-5 / (2 * sqrt(3) * 100));
}

// --- other laws and parameters -------------------------------------------------------------------

// Figure 15: with e = 0.95 the tip does not stay: in every step of the contact it leaves or comes back, U' = -e U, an
// impact each time. Where U > 0 before, the contact gives work (1 - e) U P / 2 back; over all it takes energy.
static void test_restitution_gives_repeated_impacts(void **state)
{
    (void)state;
    const char *const scheme[] = {"moreau_jean", "combined_projection"};
    for (int s = 0; s < 2; s++) {
        history x = run(100, off_grid_gap(2), 0.95, scheme_named(scheme[s], 0.5), STEP, 9.4e-4);
        int     turns = 0, gains = 0;
        double  highest = 0, worst = 0;
        for (int k = 1; k < x.steps; k++) {
            highest = fmax(highest, x.energy[k]);
            if (!(x.force[k] > 0))
                continue;
            turns += x.velocity[k] * x.velocity[k - 1] < 0;
            gains += x.contact_work[k] > 0;
            worst = fmax(worst, fabs(x.velocity[k] + 0.95 * x.velocity[k - 1]));
        }
        print_message("%s: %d impacts, %d of them with positive work, energy at most %.6f of the start, now %.6f\n",
                      scheme[s], turns, gains, highest / x.start_energy, x.energy[x.steps - 1] / x.start_energy);
        CHECK_BELOW(worst, 1e-12);
        assert_true(turns > 100);
        assert_true(gains > 50);
        CHECK_BELOW(highest, x.start_energy * (1 + 1e-12));
        assert_true(x.energy[x.steps - 1] < x.start_energy);
        history still = run(100, off_grid_gap(2), 0, scheme_named(scheme[s], 0.5), STEP, 9.4e-4);
        for (int k = still.first; k <= still.last; k++) // e = 0: the tip stands
            CHECK_NEAR(still.velocity[k], 0, 1e-12);
    }
}

// Figure 18: theta = 1 dissipates on its own line, in every step; theta = 1/2 does not at all.
static void test_theta_1_damps(void **state)
{
    (void)state;
    const char *const scheme[] = {"moreau_jean", "combined_projection"};
    for (int s = 0; s < 2; s++) {
        history damped = run(100, off_grid_gap(3), 0, scheme_named(scheme[s], 1), STEP, 1.2e-3);
        history plain = run(100, off_grid_gap(3), 0, scheme_named(scheme[s], 0.5), STEP, 1.2e-3);
        double  lost = 0, energy = damped.start_energy, tiny = 1e-13 * energy;
        for (int k = 0; k < damped.steps; k++) {
            CHECK_BELOW(damped.numerical[k], tiny);
            CHECK_BELOW(damped.energy[k], energy + tiny);
            CHECK_NEAR(plain.numerical[k], 0, tiny);
            energy = damped.energy[k];
            lost -= damped.numerical[k];
        }
        print_message("%s: theta = 1 loses %.4f of the energy, theta = 1/2 %.4f\n", scheme[s],
                      lost / damped.start_energy, 1 - plain.energy[plain.steps - 1] / plain.start_energy);
        assert_true(lost > 0.02 * damped.start_energy);
        assert_true(damped.energy[damped.steps - 1] < plain.energy[plain.steps - 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_the_paper),
        cmocka_unit_test(test_contact_of_100_elements),
        cmocka_unit_test(test_contact_of_1000_elements),
        cmocka_unit_test(test_peak_grows_with_the_elements),
        cmocka_unit_test(test_peak_grows_with_smaller_steps),
        cmocka_unit_test(test_restitution_gives_repeated_impacts),
        cmocka_unit_test(test_theta_1_damps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
