// Stacks of blocks without friction that touch at more points than it takes to hold them: the points share the load in
// many ways, and Newton's iteration ends only when they do not change places from one iteration to the next.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixtures.h"
#include "zn/io.h"

static const double width = 0.8, height = 0.3, weight = 2;

static void write_stack(char *text, size_t size, int blocks, int points, double e, double tilt, const char *scheme)
{
    int at = snprintf(text, size, "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nbodies:\n");
    for (int i = 0; i < blocks; i++)
        at += snprintf(text + at, size - (size_t)at,
                       "  b%d: {mass: %g, inertia: %.17g, position: [0, %.17g], angle: %g}\n", i, weight,
                       weight * (width * width + height * height) / 12, height / 2 + 0.02 * (i + 1) + height * i,
                       i == blocks - 1 ? tilt : 0.0);
    at += snprintf(text + at, size - (size_t)at, "contacts:\n");
    for (int i = 0; i < blocks; i++)
        for (int k = 0; k < points; k++) {
            char below[64] = "";
            if (i > 0)
                snprintf(below, sizeof below, "body: b%d, at: [0, %g], ", i - 1, height / 2);
            at += snprintf(text + at, size - (size_t)at,
                           "  c%d_%d: {point: b%d, at: [%.17g, %g], surface: {%splane: [0, 1]}, restitution: %g}\n", i,
                           k, i, -width / 2 + width * k / (points - 1), -height / 2, below, e);
        }
    snprintf(text + at, size - (size_t)at, "run: {scheme: %s, step: 1e-3, until: 1.2}\n", scheme);
}

static void check_stack(int blocks, int points, double e, double tilt, const char *scheme, double sunk)
{
    char        text[8192];
    zn_problem *p = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    write_stack(text, sizeof text, blocks, points, e, tilt, scheme);
    CHECK_OK(zn_problem_parse(text, strlen(text), "stack.yaml", 0, NULL, (zn_log){0}, &p));
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    CHECK_OK(zn_sim_run(sim));
    const zn_state *s = zn_sim_state(sim);
    print_message("%s, %d blocks, %d points, e = %g: %d failed\n", scheme, blocks, points, e,
                  (int)zn_sim_certificate(sim)->retries);
    assert_int_equal(zn_sim_certificate(sim)->retries, 0);
    if (tilt == 0 && strcmp(scheme, "nsga") != 0) // what falls flat turns by rounding, which is nothing to iterate for
        assert_true(zn_sim_certificate(sim)->newton_iterations.max <= 8 &&
                    zn_sim_certificate(sim)->failed_solves.value == 0);
    for (int i = 0; i < blocks; i++) { // they rest on each other, upright
        CHECK_NEAR(s->q[3 * i + 1], height * (i + 0.5), sunk * (i + 1));
        CHECK_NEAR(s->q[3 * i + 2], 0, 10 * sunk);
    }
    double push = 0; // on the ground: the weight of all
    for (int i = 0; i < s->contacts->count; i++)
        push += zn_contact_id_rule(s->contacts->id[i]) < points ? s->contacts->impulse[i] / 1e-3 : 0;
    if (strcmp(scheme, "direct_projection") != 0) // in which it comes in bursts
        CHECK_NEAR(push, blocks * weight * 9.81, 1e-3 * blocks * weight * 9.81);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
}

static void stacks_come_to_rest_without_a_failed_step(void **state)
{
    (void)state;
    const char *schemes[] = {"moreau_jean", "direct_projection", "combined_projection", "nsga"};
    for (int k = 0; k < 4; k++) {
        // velocity level alone lets blocks sink a little while they come to rest; direct projection chatters by g h^2
        const double levels[] = {1e-3, 1e-5, 1e-7, 1e-7};
        double       sunk = levels[k];
        check_stack(3, 3, 0.25, 0.015, schemes[k], sunk);
        check_stack(3, 4, 0.25, 0.015, schemes[k], sunk);
        check_stack(5, 3, 0, 0.01, schemes[k], sunk);
        check_stack(5, 3, 0.2, 0, schemes[k], sunk);
        check_stack(3, 5, 0.2, 0, schemes[k], sunk);
    }
}

// Three boxes in space that slide on each other on four corners each. Rounding of positions makes their gaps contradict
// each other; whoever asks for more digits than that runs all solvers to their limits.
static void write_sliding(char *text, size_t size, double mu, double step, const char *scheme)
{
    int at = snprintf(text, size, "zeno: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < 3; i++)
        at +=
            snprintf(text + at, size - (size_t)at,
                     "  b%d: {mass: %g, inertia: [0.02, 0.025, 0.03], position: [%g, %g, %.17g], velocity: [%g, 0.02, "
                     "0]}\n",
                     i, 1.7 - 0.2 * i, 0.004 * i, -0.002 * i, 0.09 + 0.18 * i, 0.15 * i);
    at += snprintf(text + at, size - (size_t)at, "contacts:\n");
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            char below[64] = "";
            if (i > 0)
                snprintf(below, sizeof below, "body: b%d, at: [0, 0, 0.09], ", i - 1);
            at += snprintf(text + at, size - (size_t)at,
                           "  c%d_%d: {point: b%d, at: [%g, %g, -0.09], surface: {%splane: [0, 0, 1]}, friction: %g}\n",
                           i, k, i, k & 1 ? 0.13 : -0.13, k & 2 ? 0.14 : -0.14, below, mu);
        }
    snprintf(text + at, size - (size_t)at, "run: {scheme: %s, step: %g, until: %g}\n", scheme, step, 60 * step);
}

static void check_sliding(double mu, double step, const char *scheme)
{
    char        text[8192];
    zn_problem *p = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    write_sliding(text, sizeof text, mu, step, scheme);
    CHECK_OK(zn_problem_parse(text, strlen(text), "sliding.yaml", 0, NULL, (zn_log){0}, &p));
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    CHECK_OK(zn_sim_run(sim));
    const zn_certificate *c = zn_sim_certificate(sim);
    double                mean = (double)c->solver_iterations.total / (double)c->steps;
    print_message("%s, mu = %g, h = %g: %.1f iterations of the contact solver a step, %g failed\n", scheme, mu, step,
                  mean, c->failed_solves.value);
    CHECK_BELOW(mean, 60);
    CHECK_BELOW(c->coulomb_position.value, 1e-13);
    CHECK_BELOW(c->failed_solves.value, 3);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
}

static void contradictions_of_rounding_are_no_work(void **state)
{
    (void)state;
    const double steps[] = {1e-3, 1.7e-4, 4e-5}, friction[] = {0.04, 0.35};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            check_sliding(friction[k], steps[i], "nsga");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_come_to_rest_without_a_failed_step),
        cmocka_unit_test(contradictions_of_rounding_are_no_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
