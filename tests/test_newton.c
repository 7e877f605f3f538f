// Newton's method on scalar equations whose behaviour is known.
#include "check.h"
#include "zn/math.h"

typedef struct scalar {
    double (*f)(double), (*slope)(double);
    double    lower; // the function exists above this
    double    tolerance;
    double    x, step, trial_x;
    zn_status direction_status, trial_status; // injected failures
    int       directions, trials, accepts;
} scalar;

static zn_status direction(void *user)
{
    scalar *s = user;
    s->directions++;
    s->step = -s->f(s->x) / s->slope(s->x);
    return s->direction_status;
}

static zn_status trial(void *user, double length, double *norm)
{
    scalar *s = user;
    s->trials++;
    s->trial_x = s->x + length * s->step;
    if (s->trial_status != ZN_OK)
        return s->trial_status;
    if (s->trial_x <= s->lower)
        return ZN_INVALID_STATE;
    *norm = fabs(s->f(s->trial_x)) / s->tolerance;
    return ZN_OK;
}

static void accept(void *user)
{
    scalar *s = user;
    s->accepts++;
    s->x = s->trial_x;
}

static zn_status solve(scalar *s, const zn_newton_settings *settings, zn_newton_info *info)
{
    zn_newton_problem problem = {s, direction, trial, accept};
    return zn_newton_solve(&problem, settings, fabs(s->f(s->x)) / s->tolerance, info);
}

static double square(double x) { return x * x - 2; }
static double square_slope(double x) { return 2 * x; }
static double arctangent_slope(double x) { return 1 / (1 + x * x); }
static double logarithm_slope(double x) { return 1 / x; }
static double never(double x) { return x * x + 1; }
static double not_a_number(double x) { return x == 1 ? 5 : NAN; }
static double one(double x)
{
    (void)x;
    return 1;
}

static scalar make(double (*f)(double), double (*slope)(double), double x)
{
    return (scalar){.f = f, .slope = slope, .lower = -INFINITY, .tolerance = 1e-12, .x = x};
}

static void full_steps_converge_quadratically(void **state)
{
    (void)state;
    scalar             s = make(square, square_slope, 2);
    zn_newton_settings settings = zn_newton_settings_default();
    zn_newton_info     info;
    CHECK_OK(solve(&s, &settings, &info));
    CHECK_NEAR(s.x, sqrt(2), 1e-12);
    CHECK_BELOW(info.norm, 1);
    assert_int_equal(info.iterations, 5); // errors 6e-1, 9e-2, 2e-3, 2e-6, 2e-12, 0: |f| <= 1e-12 after five
    assert_int_equal(s.trials, 5);        // no damping where none is needed
    assert_int_equal(s.accepts, 5);
}

static void a_converged_start_does_nothing(void **state)
{
    (void)state;
    scalar             s = make(square, square_slope, sqrt(2));
    zn_newton_settings settings = zn_newton_settings_default();
    zn_newton_info     info;
    CHECK_OK(solve(&s, &settings, &info));
    assert_int_equal(info.iterations, 0);
    assert_int_equal(s.directions + s.trials + s.accepts, 0);
}

// Newton on arctan diverges from |x| > 1.3917 unless it is damped.
static void damping_tames_the_arctangent(void **state)
{
    (void)state;
    zn_newton_settings damped = {.max_iterations = 50, .max_halvings = 10}, full = {50, 0, 0};
    zn_newton_info     info;
    scalar             s = make(atan, arctangent_slope, 3);
    CHECK_OK(solve(&s, &damped, &info));
    CHECK_NEAR(s.x, 0, 1e-12);
    scalar    wild = make(atan, arctangent_slope, 3);
    zn_status status = solve(&wild, &full, &info);
    assert_true(status == ZN_NOT_CONVERGED || status == ZN_NOT_FINITE);
}

// x^(1/3) = 0: Newton's step is -3 x, so full steps run away and each must be followed by a search.
static double cube_root_slope(double x) { return 1 / (3 * cbrt(x * x)); }

static void patience_takes_full_steps_and_comes_to_an_end(void **state)
{
    (void)state;
    zn_newton_settings patient = {.max_iterations = 3, .max_halvings = 4, .patience = 2};
    zn_newton_info     info;
    scalar             s = make(cbrt, cube_root_slope, 1);
    assert_int_equal(solve(&s, &patient, &info), ZN_NOT_CONVERGED);
    CHECK_NEAR(s.x, -2, 1e-12); // 1, -2, 4 by full steps; then the search, at half a step: 4 - 12 / 2
    s = make(cbrt, cube_root_slope, 1);
    patient.max_iterations = 2;
    assert_int_equal(solve(&s, &patient, &info), ZN_NOT_CONVERGED);
    CHECK_NEAR(s.x, 4, 1e-12);
    patient.patience = -1;
    assert_int_equal(solve(&s, &patient, &info), ZN_ERR_ARGUMENT);
}

// From 10 the full step for log x = 0 leaves the domain: 10 - 10 log 10 < 0.
static void states_that_cannot_be_evaluated_are_backed_off(void **state)
{
    (void)state;
    zn_newton_settings settings = zn_newton_settings_default();
    scalar             s = make(log, logarithm_slope, 10);
    s.lower = 0;
    CHECK_OK(solve(&s, &settings, NULL));
    CHECK_NEAR(s.x, 1, 1e-12);
    assert_true(s.trials > s.accepts);
}

static void it_gives_up_after_max_iterations(void **state)
{
    (void)state;
    zn_newton_settings settings = {.max_iterations = 7, .max_halvings = 3};
    zn_newton_info     info;
    scalar             s = make(never, square_slope, 0.3);
    CHECK_STATUS(solve(&s, &settings, &info), ZN_NOT_CONVERGED);
    assert_int_equal(info.iterations, 7);
    assert_int_equal(s.accepts, 7);
    CHECK_NEAR(info.norm * s.tolerance, never(s.x), 1e-9); // the norm belongs to the accepted unknowns
}

// Near the minimum of x^2 + 1 no trial decreases enough. From x = 0.1 the direction is -5.05 and the trials are
// -4.95, -2.425, -1.1625: the shortest step is best and must be the one accepted.
static void the_best_trial_is_accepted_when_none_is_good(void **state)
{
    (void)state;
    zn_newton_settings settings = {.max_iterations = 1, .max_halvings = 2};
    scalar             s = make(never, square_slope, 0.1);
    CHECK_STATUS(solve(&s, &settings, NULL), ZN_NOT_CONVERGED);
    CHECK_NEAR(s.x, -1.1625, 1e-12);
}

// Lowest in the middle: trials at x = 1, 0.5, 0.25 with norms 3, 2, 4 above the start's 1.5.
static double valley(double x) { return x == 0 ? 1.5 : x == 1 ? 3 : x == 0.5 ? 2 : 4; }
static double towards_one(double x)
{
    (void)x;
    return -1.5;
}

static void the_best_trial_need_not_be_the_last(void **state)
{
    (void)state;
    zn_newton_settings settings = {.max_iterations = 1, .max_halvings = 2};
    zn_newton_info     info;
    scalar             s = make(valley, towards_one, 0);
    CHECK_STATUS(solve(&s, &settings, &info), ZN_NOT_CONVERGED);
    CHECK_NEAR(s.x, 0.5, 0);
    CHECK_NEAR(info.norm * s.tolerance, 2, 1e-12);
    assert_int_equal(s.trials, 4); // three and the best once more
}

static void no_finite_trial_is_reported(void **state)
{
    (void)state;
    zn_newton_settings settings = zn_newton_settings_default();
    scalar             s = make(not_a_number, one, 1);
    CHECK_STATUS(solve(&s, &settings, NULL), ZN_NOT_FINITE);
    assert_int_equal(s.accepts, 0);
    assert_int_equal(s.trials, settings.max_halvings + 1);
    scalar start = make(not_a_number, one, 0);
    CHECK_STATUS(solve(&start, &settings, NULL), ZN_NOT_FINITE);
    assert_int_equal(start.directions, 0);
}

static void failures_are_passed_on(void **state)
{
    (void)state;
    zn_newton_settings settings = zn_newton_settings_default();
    scalar             s = make(square, square_slope, 2);
    s.direction_status = ZN_SINGULAR;
    CHECK_STATUS(solve(&s, &settings, NULL), ZN_SINGULAR);
    assert_int_equal(s.trials, 0);
    const zn_status fatal[] = {ZN_ERR_MEMORY, ZN_ERR_MODEL, ZN_INTERRUPTED};
    for (int i = 0; i < 3; i++) {
        s = make(square, square_slope, 2);
        s.trial_status = fatal[i];
        CHECK_STATUS(solve(&s, &settings, NULL), fatal[i]);
        assert_int_equal(s.trials, 1);
        assert_int_equal(s.accepts, 0);
    }
    s = make(square, square_slope, 2);
    s.trial_status = ZN_INVALID_STATE; // recoverable, but nowhere on the line
    CHECK_STATUS(solve(&s, &settings, NULL), ZN_NOT_FINITE);
    assert_int_equal(s.accepts, 0);
}

static void bad_settings_are_refused(void **state)
{
    (void)state;
    zn_newton_settings none = {0, 3, 0}, negative = {5, -1, 0};
    scalar             s = make(square, square_slope, 2);
    CHECK_STATUS(solve(&s, &none, NULL), ZN_ERR_ARGUMENT);
    CHECK_STATUS(solve(&s, &negative, NULL), ZN_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_steps_converge_quadratically),
        cmocka_unit_test(a_converged_start_does_nothing),
        cmocka_unit_test(damping_tames_the_arctangent),
        cmocka_unit_test(patience_takes_full_steps_and_comes_to_an_end),
        cmocka_unit_test(states_that_cannot_be_evaluated_are_backed_off),
        cmocka_unit_test(it_gives_up_after_max_iterations),
        cmocka_unit_test(the_best_trial_is_accepted_when_none_is_good),
        cmocka_unit_test(the_best_trial_need_not_be_the_last),
        cmocka_unit_test(no_finite_trial_is_reported),
        cmocka_unit_test(failures_are_passed_on),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
