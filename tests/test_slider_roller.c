// Slider falling on a driven roller (Acary 2013, section 4.5, figure 8): below the torque mu m g R = 0.2943 N m the
// roller must come to rest. Moreau-Jean and combined projection do; direct projection lets the slider chatter, and the
// roller slips whenever the contact is open. Above that torque the roller turns with (torque - mu m g R) / J.
#include "gallery_fixtures.h"

#define GRAVITY 9.81
#define RADIUS  0.1
#define INERTIA 0.01
#define MU      0.3

enum { ROLLER_SPIN = 2 }; // degrees of freedom: roller x, y, angle, slider x, y, angle

static double angle_of(const gallery_rig *g) { return g->r.state->q[2]; }
static double spin_of(const gallery_rig *g) { return g->r.state->v[ROLLER_SPIN]; }

typedef struct forces {
    double normal, tangent; ///< of the last step [N]
} forces;

static forces forces_of(const gallery_rig *g, double h)
{
    const zn_contact_set *set = g->r.state->contacts;
    int                   row = gallery_contact(g, "rub") * set->stride;
    return (forces){set->impulse[row] / h, set->impulse[row + 1] / h};
}

/// Distance of the contact point from the axle: less than the radius where the slider penetrates.
static double lever_of(const gallery_rig *g) { return RADIUS + g->r.state->contacts->gap[gallery_contact(g, "rub")]; }

static void steps(gallery_rig *g, double h, double until)
{
    while (g->r.state->t < until - h / 2)
        rig_step(&g->r, h);
}

static void check_equilibrium(const char *scheme, double h, zn_forecast forecast)
{
    zn_scheme_def def = scheme_named(scheme, 0.5);
    def.forecast = forecast;
    gallery_rig g = gallery_open("slider-roller", NULL, def);
    steps(&g, h, 2);
    double angle = angle_of(&g);
    for (int k = 0; k < 200; k++) {
        rig_step(&g.r, h);
        forces f = forces_of(&g, h);
        CHECK_NEAR(f.normal, GRAVITY, 1e-9);
        CHECK_NEAR(fabs(f.tangent), 0.2 / lever_of(&g), 1e-9); // sticks below mu m g = 2.943 N
        if (strcmp(scheme, "combined_projection") == 0)
            CHECK_NEAR(fabs(f.tangent), 2, 1e-9);
        CHECK_NEAR(spin_of(&g), 0, 1e-10);
        CHECK_NEAR(angle_of(&g), angle, 1e-11);
    }
    assert_true(angle > 0); // the motor turned it before the slider came down
    gallery_close(&g);
}

static void test_equilibrium(void **state)
{
    (void)state;
    const double sizes[] = {1e-2, 5e-3, 1e-3};
    for (int i = 0; i < 3; i++) {
        check_equilibrium("moreau_jean", sizes[i], ZN_FORECAST_EXPLICIT);
        check_equilibrium("moreau_jean", sizes[i], ZN_FORECAST_FREE);
        check_equilibrium("combined_projection", sizes[i], ZN_FORECAST_EXPLICIT);
    }
}

// --- direct projection ---------------------------------------------------------------------------

// With e = 1/2 the slider ends in a cycle of three steps: from the roller with v = 2/3 g h, which the weight alone
// turns into -e v, so no impulse; then above it by g h^2 / 6, no contact; then from it with -4/3 g h, an impulse. The
// motor accelerates the roller in the first two, from 0 to 2 a h with a = torque / J, and the third stops it: it turns
// with (0 + a h + 2 a h) / 3 = a h on average.
static void test_direct_projection_slips(void **state)
{
    (void)state;
    const double sizes[] = {1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4};
    slope_fit    fit = {0};
    double       slower = INFINITY;
    for (int i = 0; i < 5; i++) {
        double      h = sizes[i], open = 0, count = 0, gap = 0;
        gallery_rig g = gallery_open("slider-roller", NULL, scheme_named("direct_projection", 0.5));
        steps(&g, h, 2);
        double from = angle_of(&g);
        while (g.r.state->t < 3 - h / 2) {
            rig_step(&g.r, h);
            open += forces_of(&g, h).normal < 1e-6;
            gap = fmax(gap, g.r.state->contacts->gap[gallery_contact(&g, "rub")]);
            CHECK_BELOW(-g.r.state->contacts->gap[gallery_contact(&g, "rub")], 1e-12);
            count++;
        }
        double rate = angle_of(&g) - from; // over one second
        print_message("h = %.3e: slips at %.5e rad/s = %.4f h, open in %.3f of the steps, by %.4f g h^2\n", h, rate,
                      rate / h, open / count, gap / (GRAVITY * h * h));
        assert_true(rate < 0.6 * slower);
        CHECK_NEAR(rate, 0.2 / INERTIA * h, 60 * h * h); // whole cycles, give or take one
        CHECK_NEAR(open / count, 2.0 / 3, 2 * h);
        CHECK_NEAR(gap, GRAVITY * h * h / 6, 1e-6 * h * h);
        slope_add(&fit, h, rate);
        slower = rate;
        gallery_close(&g);
    }
    print_message("drift of order %.3f\n", slope_of(&fit));
    CHECK_NEAR(slope_of(&fit), 1, 0.05);
}

// --- a torque beyond friction --------------------------------------------------------------------

static void check_sliding(const char *scheme, double h)
{
    const char *const overrides[] = {"torque=0.4 N*m", NULL};
    gallery_rig       g = gallery_open("slider-roller", overrides, scheme_named(scheme, 0.5));
    steps(&g, h, 2);
    double expected = (0.4 - MU * GRAVITY * lever_of(&g)) / INERTIA;
    if (strcmp(scheme, "combined_projection") == 0)
        CHECK_NEAR(expected, 10.57, 1e-9);
    double from = spin_of(&g), start = angle_of(&g), t = g.r.state->t;
    steps(&g, h, 2.5);
    double time = g.r.state->t - t;
    print_message("%-20s h = %.0e: acceleration %.12f, expected %.12f\n", scheme, h, (spin_of(&g) - from) / time,
                  expected);
    CHECK_NEAR((spin_of(&g) - from) / time, expected, 1e-8);
    CHECK_NEAR(angle_of(&g) - start, from * time + expected * time * time / 2, 1e-8);
    forces f = forces_of(&g, h);
    CHECK_NEAR(f.normal, GRAVITY, 1e-9);
    CHECK_NEAR(fabs(f.tangent), MU * GRAVITY, 1e-9);
    gallery_close(&g);
}

static void test_sliding(void **state)
{
    (void)state;
    const double sizes[] = {5e-3, 1e-3};
    for (int i = 0; i < 2; i++) {
        check_sliding("moreau_jean", sizes[i]);
        check_sliding("combined_projection", sizes[i]);
    }
}

// While the slider bounces: friction at its limit, J dw = torque h - mu lever P in every step; and since the impulses
// balance weight and momentum, combined projection, whose impulses all act at the radius, has
//     J w = torque t - mu R m (g t + v).
static void test_sliding_from_the_first_contact(void **state)
{
    (void)state;
    const char *const overrides[] = {"torque=2 N*m", NULL}; // never sticks
    const char *const scheme[] = {"moreau_jean", "direct_projection", "combined_projection"};
    for (int s = 0; s < 3; s++) {
        const double h = 1e-3;
        gallery_rig  g = gallery_open("slider-roller", overrides, scheme_named(scheme[s], 0.5));
        for (int k = 1; k <= 1500; k++) {
            double before = spin_of(&g);
            rig_step(&g.r, h);
            double push = MU * lever_of(&g) * forces_of(&g, h).normal;
            CHECK_NEAR(INERTIA * (spin_of(&g) - before), (2 - push) * h, 1e-11);
            if (s == 2)
                CHECK_NEAR(INERTIA * spin_of(&g), 2 * k * h - MU * RADIUS * (GRAVITY * k * h + g.r.state->v[4]), 1e-9);
        }
        gallery_close(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equilibrium),
        cmocka_unit_test(test_direct_projection_slips),
        cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_sliding_from_the_first_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
