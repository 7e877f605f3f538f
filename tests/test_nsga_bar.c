// The nonsmooth generalized-alpha schemes on the soft bar of Cosimo et al. (2020), 4.2: one linear solve for each
// sub-problem, counts of the coupled scheme, the wave solution, order, dissipation beside Moreau-Jean.
#include "nsga_models.h"

typedef struct bar_result {
    double first, last;   ///< start of the first and end of the last step with an impulse
    double impulse, mean; ///< total; mean force in [0.55, 1.1]
    double momentum;      ///< gained
    double tip;           ///< gap at the end
    double penetration, closure, energy, numerical, contact;
    double solves, position, velocity; ///< largest numbers in a step
    double average;                    ///< linear solves per step, steps with contact
    int    status;                     ///< of the run: ZN_OK or why it stopped
} bar_result;

static bar_result run_bar(int elements, zn_mass_kind mass, zn_scheme_def def, double h, double until)
{
    rig        r = rig_open(soft_bar(elements, mass), def);
    bar_result b = {.first = NAN};
    double     start = energy_of(&r), entered = 0, p0 = momentum_x(&r), plateau = 0;
    int        steps = (int)lround(until / h), touching = 0, total = 0;
    for (int k = 0; k < steps && b.status == ZN_OK; k++) {
        b.status = zn_scheme_step(r.scheme, r.state, h, &r.info);
        double P = impulse_of(&r, 0), t = r.state->t, stored = 0;
        if (b.status != ZN_OK)
            break;
        if (P > 0) {
            b.first = isnan(b.first) ? t - h : b.first;
            b.last = t;
        }
        b.impulse += P;
        plateau += t > 0.55 && t <= 1.1 ? P : 0;
        b.penetration = fmax(b.penetration, -gap_of(&r, 0));
        b.solves = fmax(b.solves, r.info.newton_iterations);
        b.position = fmax(b.position, r.info.projection_iterations);
        b.velocity = fmax(b.velocity, r.info.activation_iterations);
        if (r.info.projection_iterations > 0) {
            touching++;
            total += r.info.newton_iterations;
        }
        for (int i = 0; i < ZN_LEDGER_LINES; i++)
            *(i < ZN_LEDGER_STORED ? &stored : &entered) += r.info.ledger[i];
        b.numerical += r.info.ledger[ZN_LEDGER_NUMERICAL];
        b.contact += r.info.ledger[ZN_LEDGER_CONTACT];
        b.closure = fmax(b.closure, fabs(stored - start - entered) / start);
    }
    b.mean = plateau / 0.55;
    b.momentum = momentum_x(&r) - p0;
    b.tip = gap_of(&r, 0);
    b.energy = energy_of(&r) - start;
    b.average = touching > 0 ? (double)total / touching : 0;
    rig_close(&r);
    return b;
}

static void test_one_solve_for_each_problem(void **state)
{
    (void)state;
    const double steps[] = {3e-2, 1e-2, 1e-3};
    for (int i = 0; i < 3; i++)
        for (int neglect = 0; neglect < 2; neglect++)
            for (int mass = 0; mass < 2; mass++) {
                zn_scheme_def def = nsga_def("nsga", 0.8);
                def.neglect = neglect;
                bar_result b = run_bar(200, mass ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT, def, steps[i], 1.5);
                print_message("soft bar, h %.0e, %s, %s mass: at most %g solves, tip %.4f m at 1.5 s, energy %.1f J\n",
                              steps[i], neglect ? "neglect" : "nsga", mass ? "lumped" : "consistent", b.solves, b.tip,
                              b.energy);
                CHECK_BELOW(b.solves, 3);
                CHECK_BELOW(b.position, 1);
                CHECK_BELOW(b.velocity, 1);
                assert_int_equal(b.status, ZN_OK);
                CHECK_BELOW(b.penetration, 1e-10);
                CHECK_BELOW(b.closure, 1e-10);
                CHECK_NEAR(b.momentum, b.impulse, 1e-10 * 200);
            }
}

static void test_neglect_misses_the_rebound(void **state)
{
    (void)state;
    zn_scheme_def full = nsga_def("nsga", 0.8), neglect = full;
    neglect.neglect = true;
    bar_result a = run_bar(200, ZN_MASS_CONSISTENT, full, 0.03, 1.5);
    bar_result b = run_bar(200, ZN_MASS_CONSISTENT, neglect, 0.03, 1.5);
    print_message("soft bar, h 0.03: tip at 1.5 s %.3f m, neglecting forces %.3g m (exact %.3f)\n", a.tip, b.tip,
                  10 * (1.5 - 0.5005 - 20.0 / 30));
    assert_true(a.tip > 2);
    CHECK_BELOW(b.tip, 0.5);
}

static void test_coupled_counts_explode(void **state)
{
    (void)state;
    const double steps[] = {1e-2, 3e-3, 1e-3, 1e-4};
    double       most[4];
    for (int i = 0; i < 4; i++) {
        zn_scheme_def def = nsga_def("nsga_coupled", 0.8);
        def.newton_iterations = 10000;
        bar_result b = run_bar(200, ZN_MASS_CONSISTENT, def, steps[i], i < 3 ? 0.6 : 0.52);
        most[i] = b.solves;
        print_message(
            "soft bar, nsga_coupled, h %.0e: %.1f linear solves per step with contact, at most %g; %s, tip %.2g\n",
            steps[i], b.average, b.solves, zn_status_text((zn_status)b.status), b.tip);
    }
    assert_true(most[0] > 10 * most[3]);
}

static void test_bar_against_the_wave(void **state)
{
    (void)state;
    const double h = 1e-3;
    for (int mass = 0; mass < 2; mass++) {
        bar_result b = run_bar(200, mass ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT, nsga_def("nsga", 0.8), h, 1.5);
        print_message(
            "soft bar, %s: contact %.4f to %.4f s, %.3f N, impulse %.3f N s, tip %.4f m, energy %.2f of 500 J\n",
            mass ? "lumped" : "consistent", b.first, b.last, b.mean, b.impulse, b.tip, b.energy);
        CHECK_NEAR(b.first, 0.5005, h);
        CHECK_NEAR(b.last, 0.5005 + 20.0 / 30, 10 * h);
        CHECK_NEAR(b.mean, 300, 6);
        CHECK_NEAR(b.impulse, 200, 4);
        CHECK_NEAR(b.tip, 10 * (1.5 - 0.5005 - 20.0 / 30), 0.1);
    }
}

// l1 error of the displacement of an inner node against a fine run.
static void test_bar_order(void **state)
{
    (void)state;
    enum { ELEMENTS = 40, NODE = 4, GRID = 60 };
    const double until = 1.5, fine = 5e-5;
    double       reference[GRID] = {0};
    slope_fit    fit = {0};
    for (int pass = 0; pass < 6; pass++) {
        double h = pass == 0 ? fine : 0.0125 / (1 << (pass - 1)), error = 0, size = 0;
        int    every = (int)lround(until / GRID / h);
        rig    r = rig_open(soft_bar(ELEMENTS, ZN_MASS_CONSISTENT), nsga_def("nsga", 0.8));
        for (int k = 0; k < GRID; k++) {
            for (int j = 0; j < every; j++)
                rig_step(&r, h);
            double q = r.state->q[2 * NODE];
            if (pass == 0)
                reference[k] = q;
            error += fabs(q - reference[k]);
            size += fabs(reference[k]);
        }
        rig_close(&r);
        if (pass > 0) {
            print_message("soft bar, h %.2e: displacement off by %.2e\n", h, error / size);
            slope_add(&fit, h, error / size);
        }
    }
    print_message("soft bar: order %.2f\n", slope_of(&fit));
    CHECK_NEAR(slope_of(&fit), 1.2, 0.4);
}

static void test_dissipation_side_by_side(void **state)
{
    (void)state;
    const double h = 2e-3;
    bar_result   r[5];
    const char  *label[] = {"nsga 0.8", "nsga 1.0", "nsga 0.0", "moreau_jean 1/2", "moreau_jean 1"};
    for (int i = 0; i < 5; i++) {
        zn_scheme_def def = i < 3 ? nsga_def("nsga", i == 0   ? 0.8
                                                     : i == 1 ? 1
                                                              : 0)
                                  : scheme_named("moreau_jean", i == 3 ? 0.5 : 1);
        r[i] = run_bar(200, ZN_MASS_CONSISTENT, def, h, 1.5);
        print_message("soft bar, h %.0e, %-15s: energy %9.3f J, contact %9.3f J, numerical %9.3f J, tip %.3f m\n", h,
                      label[i], r[i].energy, r[i].contact, r[i].numerical, r[i].tip);
        CHECK_BELOW(r[i].energy, 0);
        CHECK_NEAR(r[i].energy, r[i].contact + r[i].numerical, 1e-9 * 500);
    }
    CHECK_NEAR(r[3].numerical, 0, 1e-9 * 500);
    assert_true(r[4].numerical < 0 && r[0].energy > r[4].energy && r[2].energy < r[0].energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_solve_for_each_problem),
        cmocka_unit_test(test_neglect_misses_the_rebound),
        cmocka_unit_test(test_coupled_counts_explode),
        cmocka_unit_test(test_bar_against_the_wave),
        cmocka_unit_test(test_bar_order),
        cmocka_unit_test(test_dissipation_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
