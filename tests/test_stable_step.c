// Schatzman-Paoli below theta = 1/2. theta = 0 is the original, explicit scheme: central differences, whose motion of
// an oscillator is known in closed form. The longest stable step, from the recursion itself, and what is said beyond
// it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixtures.h"
#include "scheme/stable_step.h"
#include "zn/io.h"

static log_capture messages;

// --- the bound against the recursion --------------------------------------------------------------

// Largest |q| of the last steps of N, from a start with all modes in it.
static double amplitude(double theta, double w, double c, double h)
{
    enum { N = 200000 };
    double q[4] = {1, 0.6, -0.3, 0}, a = 1 - theta, W = h * h * w * w, x = h * c / 2, largest = 0;
    for (int k = 0; k < N && largest < 1e30; k++) {
        q[3] = ((2 - a * (W + x)) * q[2] - (1 - theta * x) * q[1] + a * x * q[0]) / (1 + theta * (W + x));
        q[0] = q[1], q[1] = q[2], q[2] = q[3];
        largest = k == N - 100 ? 0 : fmax(largest, fabs(q[2]));
    }
    return largest;
}

static void bound_is_where_the_recursion_begins_to_grow(void **state)
{
    (void)state;
    const double theta[] = {0, 0.1, 0.25, 0.4}, damping[] = {0, 0.2, 3, 40, 300};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++) {
            double h = zn_stable_step_of(theta[i], 7, damping[j]);
            print_message("theta %g, c %g: %g\n", theta[i], damping[j], h);
            assert_true(amplitude(theta[i], 7, damping[j], 0.99 * h) < 100);
            assert_true(amplitude(theta[i], 7, damping[j], 1.01 * h) > 1e6);
        }
    CHECK_NEAR(zn_stable_step_of(0, 7, 0), 2.0 / 7, 1e-14);
    CHECK_NEAR(zn_stable_step_of(0.375, 7, 0), 4.0 / 7, 1e-14);
    CHECK_NEAR(zn_stable_step_of(0, 1, 1), 1, 1e-12); // h^2 + h = 2
    assert_true(isinf(zn_stable_step_of(0.2, 0, 0)));
}

// --- the scheme -----------------------------------------------------------------------------------

// Two masses of 2 kg and 3 kg on a chain from a wall: springs of 80, 120 N/m; eigenvalues of the 2 x 2 problem by hand.
static const double m1 = 2, m2 = 3, k1 = 80, k2 = 120;

static double highest_frequency(void)
{
    double a = (k1 + k2) / m1, b = k2 / m2, coupling = k2 * k2 / (m1 * m2);
    return sqrt((a + b) / 2 + sqrt((a - b) * (a - b) / 4 + coupling));
}

typedef struct run {
    zn_problem *problem;
    zn_system  *sys;
    zn_sim     *sim;
} run;

static zn_status begin(const char *text, run *r)
{
    *r = (run){0};
    log_capture_clear(&messages);
    CHECK_OK(zn_problem_parse(text, strlen(text), "sp.yaml", 0, NULL, log_into(&messages), &r->problem));
    CHECK_OK(zn_system_create(r->problem->model, &r->sys));
    return zn_sim_create(r->sys, &r->problem->sim, &r->sim);
}

static void end(run *r)
{
    zn_sim_destroy(r->sim);
    zn_system_destroy(r->sys);
    zn_problem_destroy(r->problem);
}

static void write_masses(char *text, size_t size, double theta, double h)
{
    snprintf(text, size,
             "zeno: 1\n"
             "planar: true\n"
             "bodies:\n"
             "  a: {mass: %g, position: [1, 0], velocity: [0.3, 0], fixed: [y]}\n"
             "  b: {mass: %g, position: [2, 0], fixed: [y]}\n"
             "springs:\n"
             "  s: {from: a, to: ground, stiffness: %g, rest_length: 1}\n"
             "  u: {from: a, to: b, stiffness: %g, rest_length: 1}\n"
             "run: {scheme: {schatzman_paoli: {theta: %g}}, step: %.17g, until: %.17g}\n",
             m1, m2, k1, k2, theta, h, 500 * h);
}

static void model_is_stable_up_to_the_bound_and_refused_beyond(void **state)
{
    (void)state;
    const double theta[] = {0, 0.2};
    for (int i = 0; i < 2; i++) {
        char           text[1024];
        run            r;
        zn_scheme_info info;
        double         bound = 2 / (highest_frequency() * sqrt(1 - 2 * theta[i]));
        write_masses(text, sizeof text, theta[i], 0.98 * bound);
        CHECK_OK(begin(text, &r));
        CHECK_OK(zn_scheme_describe(&r.problem->sim.scheme, r.sys, 0.01, &info));
        assert_true(info.bounded);
        CHECK_NEAR(info.critical.step, bound, 1e-6 * bound);
        CHECK_OK(zn_sim_run(r.sim));
        assert_true(fabs(zn_sim_state(r.sim)->q[0] - 1) < 1 && fabs(zn_sim_state(r.sim)->q[2] - 2) < 1);
        end(&r);
        write_masses(text, sizeof text, theta[i], 1.02 * bound);
        CHECK_OK(begin(text, &r));
        assert_int_equal(zn_sim_run(r.sim), ZN_ERR_ARGUMENT);
        CHECK_LOGGED(&messages, "the longest stable one");
        end(&r);
    }
}

// m q'' = -k q from q = 0.2: error at 1 s, w = 3.
static double oscillator(double theta, int steps, double *closed)
{
    char   text[512];
    run    r;
    double h = 1.0 / steps;
    snprintf(text, sizeof text,
             "zeno: 1\n"
             "planar: true\n"
             "bodies:\n"
             "  a: {mass: 2, position: [1.2, 0], fixed: [y]}\n"
             "springs:\n"
             "  s: {from: a, to: ground, stiffness: 18, rest_length: 1}\n"
             "run: {scheme: {schatzman_paoli: {theta: %g}}, step: %.17g, until: 1}\n",
             theta, h);
    CHECK_OK(begin(text, &r));
    CHECK_OK(zn_sim_run(r.sim));
    double q = zn_sim_state(r.sim)->q[0] - 1;
    end(&r);
    *closed = q - 0.2 * cos(steps * acos(1 - 4.5 * h * h)); // q_k = q_0 cos k p,  cos p = 1 - h^2 w^2 / 2
    return q - 0.2 * cos(3.0);
}

static void explicit_scheme_is_central_differences(void **state)
{
    (void)state;
    double closed, coarse = oscillator(0, 40, &closed);
    CHECK_NEAR(closed, 0, 1e-13);
    double fine = oscillator(0, 80, &closed);
    CHECK_NEAR(closed, 0, 1e-13);
    CHECK_NEAR(log2(fabs(coarse / fine)), 2, 0.05); // second order, where theta = 1/2 is of the first
    coarse = oscillator(0.5, 160, &closed);
    fine = oscillator(0.5, 320, &closed);
    CHECK_NEAR(log2(fabs(coarse / fine)), 1, 0.1);
}

// The bouncing ball of the paper (f = -2, e = 1/2) from 1.01 m, at rest from t = 3 sqrt(1.01).
static void explicit_scheme_bounces_to_first_order(void **state)
{
    (void)state;
    double error[2];
    for (int i = 0; i < 2; i++) {
        char   text[512];
        run    r;
        double h = i ? 0.00137 / 4 : 0.00137, sum = 0, t1 = sqrt(1.01);
        snprintf(text, sizeof text,
                 "zeno: 1\nplanar: true\ngravity: [0, -2]\n"
                 "bodies:\n  a: {mass: 1, position: [0, 1.01], fixed: [x]}\n"
                 "contacts:\n  c: {point: a, surface: {plane: [0, 1]}, restitution: 0.5}\n"
                 "run: {scheme: {schatzman_paoli: {theta: 0}}, step: %.17g, until: 1.9}\n",
                 h);
        CHECK_OK(begin(text, &r));
        for (int k = 1; k * h < 1.9; k++) {
            CHECK_OK(zn_sim_step(r.sim));
            double t = k * h, s = t - t1, exact = t < t1 ? 1.01 - t * t : s * (t1 - s); // leaves with t1
            sum += h * fabs(zn_sim_state(r.sim)->q[1] - exact);
        }
        error[i] = sum;
        end(&r);
    }
    CHECK_NEAR(log2(error[0] / error[1]) / 2, 1, 0.3);
}

static void others_refuse_theta_below_one_half(void **state)
{
    (void)state;
    run r;
    assert_int_not_equal(begin("zeno: 1\nplanar: true\nbodies:\n  a: {mass: 1}\n"
                               "run: {scheme: {combined_projection: {theta: 0.3}}, step: 0.1, until: 1}\n",
                               &r),
                         ZN_OK);
    CHECK_LOGGED(&messages, "below 1/2");
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_is_where_the_recursion_begins_to_grow),
        cmocka_unit_test(model_is_stable_up_to_the_bound_and_refused_beyond),
        cmocka_unit_test(explicit_scheme_is_central_differences),
        cmocka_unit_test(explicit_scheme_bounces_to_first_order),
        cmocka_unit_test(others_refuse_theta_below_one_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
