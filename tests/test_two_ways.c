// Both levels of the projected schemes in one problem (`coupled`) or in two, where that is hard: machines with play,
// bodies of very unequal masses, stiff springs. The equations are the same, so the motion is; neither way may need many
// more iterations than the other; and where one does not converge, the other is tried before a step is halved.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixtures.h"
#include "zn/io.h"

typedef struct run {
    zn_problem *problem;
    zn_system  *sys;
    zn_sim     *sim;
} run;

static run begin(const char *text)
{
    run r = {0};
    CHECK_OK(zn_problem_parse(text, strlen(text), "two-ways.yaml", 0, NULL, (zn_log){0}, &r.problem));
    CHECK_OK(zn_system_create(r.problem->model, &r.sys));
    CHECK_OK(zn_sim_create(r.sys, &r.problem->sim, &r.sim));
    return r;
}

static void end(run *r)
{
    zn_sim_destroy(r->sim);
    zn_system_destroy(r->sys);
    zn_problem_destroy(r->problem);
}

// A crank that drives a sliding block through a rod, with play between crank and rod and along the guides.
static const char machine[] =
    "zeno: 1\n"
    "planar: true\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  crank: {mass: 0.05, inertia: 9e-5, position: [0.06, 0], velocity: [0, 6], spin: 100}\n"
    "  rod: {mass: 0.04, inertia: 4e-4, position: [0.24, 0], velocity: [0, 6], spin: -50}\n"
    "  block: {mass: 0.1, inertia: 4e-6, position: [0.36, 0]}\n"
    "joints:\n"
    "  bearing: {type: revolute, body: crank, at: [-0.06, 0]}\n"
    "  pin: {type: revolute, body: block, to: rod, to_at: [0.12, 0]}\n"
    "contacts:\n"
    "  play: {point: crank, at: [0.06, 0], surface: {body: rod, hole: 4e-4, at: [-0.12, 0]}, friction: 0.02}\n"
    "  a: {point: block, at: [-0.04, 0.02], surface: {plane: [0, -1], through: [0, 0.0208]}, restitution: 0.3}\n"
    "  b: {point: block, at: [0.04, 0.02], surface: {plane: [0, -1], through: [0, 0.0208]}, restitution: 0.3}\n"
    "  c: {point: block, at: [-0.04, -0.02], surface: {plane: [0, 1], through: [0, -0.0208]}, restitution: 0.3}\n"
    "  d: {point: block, at: [0.04, -0.02], surface: {plane: [0, 1], through: [0, -0.0208]}, restitution: 0.3}\n"
    "run: {scheme: {%s: {coupled: %s}}, step: 2e-5, until: 0.024}\n";

// A heavy block falls on a light one that lies on the ground.
static const char unequal[] =
    "zeno: 1\n"
    "planar: true\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  low: {mass: 0.5, inertia: 0.04, position: [0, 0.2]}\n"
    "  high: {mass: 4e4, inertia: 3e3, position: [0, 0.603]}\n"
    "contacts:\n"
    "  a: {point: low, at: [-0.4, -0.2], surface: {plane: [0, 1]}}\n"
    "  b: {point: low, at: [0.4, -0.2], surface: {plane: [0, 1]}}\n"
    "  c: {point: high, at: [-0.4, -0.2], surface: {body: low, plane: [0, 1], at: [0, 0.2]}}\n"
    "  d: {point: high, at: [0.4, -0.2], surface: {body: low, plane: [0, 1], at: [0, 0.2]}}\n"
    "run: {scheme: {%s: {coupled: %s}}, step: 7e-4, until: 0.35}\n";

static void check_agreement(const char *model, double length, double tolerance)
{
    const char *schemes[] = {"direct_projection", "combined_projection"};
    for (int k = 0; k < 2; k++) {
        char text[2][4096];
        run  r[2];
        for (int coupled = 0; coupled < 2; coupled++) {
            snprintf(text[coupled], sizeof text[0], model, schemes[k], coupled ? "true" : "false");
            r[coupled] = begin(text[coupled]);
            CHECK_OK(zn_sim_run(r[coupled].sim));
        }
        const zn_certificate *one = zn_sim_certificate(r[0].sim), *both = zn_sim_certificate(r[1].sim);
        const zn_state       *a = zn_sim_state(r[0].sim), *b = zn_sim_state(r[1].sim);
        print_message("%s: Newton %lld and %lld, at most %d and %d\n", schemes[k],
                      (long long)one->newton_iterations.total, (long long)both->newton_iterations.total,
                      (int)one->newton_iterations.max, (int)both->newton_iterations.max);
        for (int i = 0; i < zn_system_get_info(r[0].sys).nq; i++)
            CHECK_NEAR(b->q[i], a->q[i], tolerance * length);
        assert_int_equal(one->retries + both->retries, 0);
        assert_true(one->failed_solves.value == 0 && both->failed_solves.value == 0);
        assert_true((double)both->newton_iterations.total <= 1.1 * (double)one->newton_iterations.total);
        assert_true(both->newton_iterations.max <= one->newton_iterations.max + 3);
        assert_true(one->penetration.value <= 1e-11 && both->penetration.value <= 1e-11);
        end(&r[0]);
        end(&r[1]);
    }
}

static void machine_with_play(void **state)
{
    (void)state;
    check_agreement(machine, 0.1, 1e-7);
}

static void unequal_masses(void **state)
{
    (void)state;
    check_agreement(unequal, 0.4, 1e-9);
}

// Two masses on a spring so stiff that h^2 k / m is 2e3. Projection of the lower one changes the force of the spring by
// k tau, which one level does not hear of before the next iteration: decoupled, these do not contract.
static void stiff_spring_is_solved_in_one_problem(void **state)
{
    (void)state;
    run r = begin("zeno: 1\n"
                  "planar: true\n"
                  "gravity: [0, -9.81]\n"
                  "bodies:\n"
                  "  a: {mass: 2, position: [0, 0.3], fixed: [x]}\n"
                  "  b: {mass: 1.5, position: [0, 1.1], fixed: [x]}\n"
                  "springs:\n"
                  "  s: {from: a, to: b, stiffness: 4e9}\n"
                  "contacts:\n"
                  "  c: {point: a, surface: {plane: [0, 1]}, restitution: 0.4}\n"
                  "run: {scheme: direct_projection, step: 1e-3, until: 1.2}\n");
    CHECK_OK(zn_sim_run(r.sim));
    const zn_certificate *c = zn_sim_certificate(r.sim);
    const zn_state       *s = zn_sim_state(r.sim);
    print_message("failed %g, lost %lld\n", c->failed_solves.value, (long long)c->failed_iterations);
    assert_int_equal(c->retries, 0);
    assert_true(c->failed_solves.value > 0 && c->failed_iterations > 0); // and the certificate says so
    assert_true(c->penetration.value <= 1e-11);
    CHECK_NEAR(s->q[3] - s->q[1], 0.8, 1e-3); // bodies stay together, near the ground
    assert_true(s->q[1] > -1e-9 && s->q[1] < 0.3);
    end(&r);
}

// Second row of Acary's (41), q - q_k - h v_th = N G(q)' tau: to the tolerance of the projection, in any metric.
static void position_equation_is_enforced(void **state)
{
    (void)state;
    const char *metrics[] = {"identity", "mass", "iteration"};
    for (int k = 0; k < 3; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "zeno: 1\n"
                 "planar: true\n"
                 "gravity: [0, -9.81]\n"
                 "bodies:\n"
                 "  block: {mass: 2, inertia: 0.6, position: [0, 0.9], angle: 0.25, spin: 0.3}\n"
                 "contacts:\n"
                 "  A: {point: block, at: [-0.5, -0.7], surface: {plane: [0, 1]}, restitution: 0.4}\n"
                 "  B: {point: block, at: [0.5, -0.7], surface: {plane: [0, 1]}, restitution: 0.4}\n"
                 "run: {scheme: {direct_projection: {metric: %s}}, step: 1e-2, until: 1.5}\n",
                 metrics[k]);
        run r = begin(text);
        CHECK_OK(zn_sim_run(r.sim));
        const zn_certificate *c = zn_sim_certificate(r.sim);
        print_message("%s: %g, Newton %g a step\n", metrics[k], c->shift.value,
                      (double)c->newton_iterations.total / (double)c->steps);
        assert_true(c->shift.value >= 0 && c->shift.value <= 1e-12);
        assert_true((double)c->newton_iterations.total <= 5 * (double)c->steps);
        assert_int_equal(c->retries, 0);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machine_with_play),
        cmocka_unit_test(unequal_masses),
        cmocka_unit_test(stiff_spring_is_solved_in_one_problem),
        cmocka_unit_test(position_equation_is_enforced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
