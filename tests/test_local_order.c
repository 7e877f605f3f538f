// Local order of the projected schemes (Acary 2013, propositions 1 and 2): one step from the exact solution. Where an
// impact falls into it, the error is O(h) in the coordinates and O(1) in the velocity, and tau = O(h); the constants
// below are those of a ball that meets the ground in the middle of the step, by hand.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixtures.h"
#include "zn/io.h"

typedef struct outcome {
    double q, v, tau;
} outcome;

// One step from height `y` with velocity -1, force 0, e = 1/2.
static outcome one_step(const char *scheme, double y, double h)
{
    char        text[512];
    zn_problem *p = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    snprintf(text, sizeof text,
             "zeno: 1\nplanar: true\n"
             "bodies:\n  a: {mass: 1, position: [0, %.17g], velocity: [0, -1], fixed: [x]}\n"
             "contacts:\n  c: {point: a, surface: {plane: [0, 1]}, restitution: 0.5}\n"
             "run: {scheme: %s, step: %.17g, until: %.17g}\n",
             y, scheme, h, h);
    CHECK_OK(zn_problem_parse(text, strlen(text), "step.yaml", 0, NULL, (zn_log){0}, &p));
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    CHECK_OK(zn_sim_step(sim));
    const zn_state *s = zn_sim_state(sim);
    outcome         o = {s->q[1], s->v[0], s->contacts->projection[0]};
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
    return o;
}

// Contact in the middle: exact q = h/4, v = 1/2. The explicit forecast sees no contact, v = -1 reaches -h/2, which
// tau = h/2 takes back: e_q = -h/4, e_v = -3/2. Combined: v = 1/2 from -1 by theta = 1/2 reaches h/4, and g = 0 wants
// tau = -h/4.
static void errors_in_a_step_with_an_impact(void **state)
{
    (void)state;
    for (double h = 0.1; h > 1e-5; h /= 4) {
        outcome direct = one_step("direct_projection", h / 2, h), combined = one_step("combined_projection", h / 2, h);
        CHECK_NEAR((direct.q - h / 4) / h, -0.25, 1e-9);
        CHECK_NEAR(direct.v - 0.5, -1.5, 1e-9);
        CHECK_NEAR(direct.tau / h, 0.5, 1e-9);
        CHECK_NEAR((combined.q - h / 4) / h, -0.25, 1e-9);
        CHECK_NEAR(combined.v - 0.5, 0, 1e-9);
        CHECK_NEAR(combined.tau / h, -0.25, 1e-9);
    }
}

static void no_error_without(void **state)
{
    (void)state;
    outcome o = one_step("combined_projection", 1, 0.1);
    CHECK_NEAR(o.q, 0.9, 1e-15);
    CHECK_NEAR(o.v, -1, 1e-15);
    assert_true(o.tau == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_in_a_step_with_an_impact),
        cmocka_unit_test(no_error_without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
