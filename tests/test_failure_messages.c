// A run that fails says where: the stage of the step, the body, joint or contact that is off most and by how much, the
// tolerance, and one remedy in words of the model file. The remedy is taken at its word here: with it the run succeeds.
#include "check.h"
#include "fixtures.h"

#include "zn/io.h"
#include "zn/sim.h"

static const char pendulum[] =
    "zeno: 1\nplanar: true\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  arm: {mass: 1.2, inertia: 0.1, position: [0.5, 0], velocity: [0, 2], spin: 4}\n"
    "  bob: {mass: 2, inertia: 0.3, position: [1.5, 0]}\n"
    "joints:\n"
    "  top: {type: revolute, body: arm, at: [-0.5, 0]}\n"
    "  mid: {type: revolute, body: arm, at: [0.5, 0], to: bob, to_at: [-0.5, 0]}\n"
    "springs: {s: {from: bob, from_at: [0.5, 0], to: ground, to_at: [0, 3], stiffness: 400, rest_length: 1}}\n";

// A heavy block on a light one: sweeps get nowhere.
#define STACK(big)                                                                                                     \
    "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nparameters: {mu: 0.3, big: " big "}\n"                                \
    "bodies:\n"                                                                                                        \
    "  low: {mass: 1, inertia: 0.1, position: [0, 0.5]}\n"                                                             \
    "  top: {mass: big, inertia: big/10, position: [0, 1.5]}\n"                                                        \
    "contacts:\n"                                                                                                      \
    "  f1: {point: low, at: [-0.5, -0.5], surface: {plane: [0, 1]}, friction: mu}\n"                                   \
    "  f2: {point: low, at: [0.5, -0.5], surface: {plane: [0, 1]}, friction: mu}\n"                                    \
    "  t1: {point: top, at: [-0.5, -0.5], surface: {body: low, at: [0, 0.5], plane: [0, 1]}, friction: mu}\n"          \
    "  t2: {point: top, at: [0.4, -0.5], surface: {body: low, at: [0, 0.5], plane: [0, 1]}, friction: mu}\n"
static const char stack[] = STACK("1e7"), heavy[] = STACK("2e7");

typedef struct example {
    const char *model, *scheme, *options, *run; ///< what it fails with
    const char *stage, *object, *unit;          ///< what the message has
    const char *remedy;                         ///< the word that it begins with
} example;

static const example examples[] = {
    {pendulum, "moreau_jean", "newton_iterations: 2", "step: 0.02, until: 0.1, max_subdivisions: 0", "free motion",
     "at 'bob'", "N m s", "newton_iterations"},
    {pendulum, "trapezoidal", "newton_iterations: 2", "step: 0.02, until: 0.1, max_subdivisions: 0", "free motion",
     "at '", "N m s", "newton_iterations"},
    {pendulum, "direct_projection", "newton_iterations: 2", "step: 0.02, until: 0.1, max_subdivisions: 0",
     "free motion", "at '", "N m s", "newton_iterations"},
    {pendulum, "combined_projection", "newton_iterations: 2", "step: 0.02, until: 0.1, max_subdivisions: 0",
     "free motion", "at '", "N m s", "newton_iterations"},
    {pendulum, "schatzman_paoli", "newton_iterations: 2", "step: 0.02, until: 0.06, max_subdivisions: 0",
     "position problem", "at '", "kg m^2", "newton_iterations"},
    {pendulum, "nsga", "newton_iterations: 2", "step: 0.02, until: 0.1, max_subdivisions: 0", "smooth motion", "at '",
     "N m", "newton_iterations"},
    {pendulum, "nsga_coupled", "newton_iterations: 2", "step: 5e-3, until: 0.02, max_subdivisions: 0", "smooth motion",
     "at '", "N", "newton_iterations"},
    {pendulum, "newmark", "newton_iterations: 2", "step: 0.02, until: 0.1, max_subdivisions: 0", "equations of motion",
     "at '", "N", "newton_iterations"},
    {pendulum, "schatzman_paoli", "newton_iterations: 6", "step: 0.02, until: 0.14, max_subdivisions: 0",
     "position problem", "at '", "kg m", "newton_iterations"},
    {heavy, "moreau_jean", "solver: auto", "step: 0.01, until: 0.02, max_subdivisions: 0", "contact impulses",
     "contact '", "m/s", "solver_tolerance"},
    {stack, "moreau_jean", "solver: gauss_seidel", "step: 0.01, until: 0.02, max_subdivisions: 0", "contact impulses",
     "contact '", "m/s", "solver"},
    {stack, "nsga", "solver: gauss_seidel", "step: 0.01, until: 0.02, max_subdivisions: 0", "position correction",
     "contact '", "m)", "solver"},
    {stack, "direct_projection", "solver: gauss_seidel", "step: 0.01, until: 0.02, max_subdivisions: 0",
     "impulses and projection", "contact '", "m/s", "solver"},
    {pendulum, "moreau_jean", "newton_iterations: 30", "step: 0.1, until: 0.1, max_subdivisions: 0", "free motion",
     "at '", "N m s", "max_subdivisions"},
    {pendulum, "nsga", "newton_iterations: 30", "step: 0.3, until: 0.3, max_subdivisions: 0", "smooth motion", "at '",
     "N", "max_subdivisions"},
    {pendulum, "newmark", "newton_iterations: 30", "step: 0.3, until: 0.3, max_subdivisions: 1", "equations of motion",
     "at '", "N", "a smaller step"},
};

static zn_status run(const example *e, const char *options, const char *keys, log_capture *log)
{
    char        text[4096];
    zn_problem *problem = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    snprintf(text, sizeof text, "%srun: {scheme: {%s: {%s}}, %s}\n", e->model, e->scheme, options, keys);
    zn_status status = zn_problem_parse(text, strlen(text), "test", 0, NULL, log_into(log), &problem);
    if (status != ZN_OK)
        print_error("%s", log->text);
    CHECK_OK(status);
    CHECK_OK(zn_system_create(problem->model, &sys));
    problem->sim.log = log_into(log);
    CHECK_OK(zn_sim_create(sys, &problem->sim, &sim));
    status = zn_sim_run(sim);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
    return status;
}

static void must_have(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in: %s", part, text);
}

// The remedy in place of what it is about: an option of the scheme, or a key of the run.
static zn_status follow(const example *e, const char *remedy, log_capture *log)
{
    char   keys[256], word[128];
    double limit;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(remedy, ",\n"), remedy);
    snprintf(keys, sizeof keys, "%s", e->run);
    if (sscanf(remedy, "a smaller step, below %lf", &limit) == 1) {
        snprintf(keys, sizeof keys, "step: %.3g, %s", 0.1 * limit, strstr(e->run, "until"));
        return run(e, e->options, keys, log);
    }
    if (strncmp(remedy, "max_subdivisions", 16) != 0)
        return run(e, word, keys, log);
    snprintf(keys, sizeof keys, "%.*s%s", (int)(strstr(e->run, "max_sub") - e->run), e->run, word);
    return run(e, e->options, keys, log);
}

static void test_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const example *e = &examples[i];
        log_capture    log = {0}, after = {0};
        zn_status      status = run(e, e->options, e->run, &log);
        if (status == ZN_OK)
            fail_msg("example %d, %s, does not fail", (int)i, e->scheme);
        const char *remedy = strstr(log.text, "what may help: ");
        assert_null(strstr(log.text, "did not converge"));
        must_have(log.text, e->stage);
        must_have(log.text, e->object);
        must_have(log.text, e->unit);
        must_have(log.text, ", tolerance ");
        must_have(log.text, "residual ");
        assert_non_null(remedy);
        remedy += strlen("what may help: ");
        if (strncmp(remedy, e->remedy, strlen(e->remedy)) != 0)
            fail_msg("example %d: not '%s': %s", (int)i, e->remedy, log.text);
        status = follow(e, remedy, &after);
        if (status != ZN_OK)
            fail_msg("example %d: the remedy does not help: %s%s", (int)i, log.text, after.text);
    }
}

static const char column[] =
    "zeno: 1\nplanar: true\nparameters: {n: 1, it: 30}\n"
    "materials: {m: {young: 2e9, poisson: 0.3, density: 1000}}\n"
    "parts: {beam: {element: beam, material: m, section: {width: 0.02, height: 0.01}, from: [0, 0], to: [1, 0],\n"
    "  elements: 12, fix_first: [x, y, rotation]}}\n"
    "loads: {M: {body: \"beam[12]\", torque: 2*pi*2e9*0.02*1e-6/12}}\n"
    "run: {static: {load_steps: n, newton_iterations: it}}\n";

// The cantilever that is rolled to a circle, with too few iterations.
static void test_statics(void **state)
{
    (void)state;
    const char *sets[2] = {"it=1", "it=30"};
    for (int i = 0; i < 2; i++) {
        log_capture log = {0};
        zn_problem *problem = NULL;
        zn_system  *sys = NULL;
        zn_sim     *sim = NULL;
        CHECK_OK(zn_problem_parse(column, strlen(column), "test", 1, &sets[i], log_into(&log), &problem));
        CHECK_OK(zn_system_create(problem->model, &sys));
        problem->sim.log = log_into(&log);
        CHECK_OK(zn_sim_create(sys, &problem->sim, &sim));
        zn_status status = zn_sim_run(sim);
        assert_int_equal(status == ZN_OK, i == 1);
        if (i == 0) {
            must_have(log.text, "of the loads: Newton's method: residual ");
            must_have(log.text, "at 'beam[");
            must_have(log.text, "what may help: newton_iterations: 30");
        }
        zn_sim_destroy(sim);
        zn_system_destroy(sys);
        zn_problem_destroy(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples), cmocka_unit_test(test_statics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
