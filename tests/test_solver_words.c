// Words of solvers in runs: every friction solver takes part in a motion that is known, a word that fits no problem of
// the model is refused, and NULL stands for the default.
#include <stdlib.h>

#include "fixtures.h"
#include "math/linsolver.h"
#include "scheme_fixtures.h"
#include "solve/solvers.h"
#include "zn/io.h"
#include "zn/statics.h"

// A block of 1 kg that slides: gravity (3, -10), friction 0.2, so it gains 3 - 0.2 * 10 = 1 m/s in a second.
static const char planar[] = "zeno: 1\nplanar: true\ngravity: [3, -10]\n"
                             "bodies: {block: {mass: 1, inertia: 0.1, position: [0, 0.1]}}\n"
                             "contacts:\n"
                             "  left: {point: block, at: [-0.5, -0.1], surface: {plane: [0, 1]}, friction: 0.2}\n"
                             "  right: {point: block, at: [0.5, -0.1], surface: {plane: [0, 1]}, friction: 0.2}\n"
                             "run: {step: 0.01, until: 1}\n";

static const char spatial[] =
    "zeno: 1\ngravity: [3, 0, -10]\n"
    "bodies: {block: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.1]}}\n"
    "contacts:\n"
    "  a: {point: block, at: [-0.5, -0.4, -0.1], surface: {plane: [0, 0, 1]}, friction: 0.2}\n"
    "  b: {point: block, at: [-0.5, 0.4, -0.1], surface: {plane: [0, 0, 1]}, friction: 0.2}\n"
    "  c: {point: block, at: [0.5, 0, -0.1], surface: {plane: [0, 0, 1]}, friction: 0.2}\n"
    "run: {step: 0.01, until: 1}\n";

// One mass with friction that never touches anything, and one without that lies on the floor.
static const char mixed[] = "zeno: 1\nplanar: true\ngravity: [0, -10]\n"
                            "bodies: {high: {mass: 1, position: [0, 100]}, low: {mass: 1, position: [0, 0]}}\n"
                            "contacts:\n"
                            "  never: {point: high, surface: {plane: [0, 1]}, friction: 0.2}\n"
                            "  rest: {point: low, surface: {plane: [0, 1]}}\n"
                            "run: {step: 0.01, until: 1}\n";

static const char plain[] = "zeno: 1\nplanar: true\ngravity: [0, -10]\nbodies: {low: {mass: 1, position: [0, 0]}}\n"
                            "contacts: {rest: {point: low, surface: {plane: [0, 1]}}}\nrun: {step: 0.01, until: 1}\n";

typedef struct motion {
    zn_problem  *problem;
    zn_system   *sys;
    zn_scheme   *scheme;
    zn_state    *state;
    int          iterations; // of the contact solver
    log_capture *log;
} motion;

static zn_status begin(const char *text, const zn_scheme_def *def, motion *m, log_capture *log)
{
    *m = (motion){.log = log};
    *log = (log_capture){0};
    CHECK_OK(zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, log_into(log), &m->problem));
    CHECK_OK(zn_system_create(m->problem->model, &m->sys));
    return zn_scheme_create(def, m->sys, &m->scheme);
}

static void finish(motion *m)
{
    zn_state_destroy(m->state);
    zn_scheme_destroy(m->scheme);
    zn_system_destroy(m->sys);
    zn_problem_destroy(m->problem);
}

static void step(motion *m, int steps)
{
    CHECK_OK(zn_state_create(m->sys, &m->state));
    for (int i = 0; i < steps; i++) {
        zn_step_info info;
        zn_status    status = zn_scheme_step(m->scheme, m->state, 0.01, &info);
        if (status != ZN_OK)
            print_error("step %d: %s\n", i, info.failed);
        CHECK_OK(status);
        m->iterations += info.solver_iterations;
    }
}

// --- every solver --------------------------------------------------------------------------------

enum { STEPS = 20 };

static int slide(const char *text, const char *scheme, const char *solver)
{
    zn_scheme_def def = scheme_named(scheme, 0.5);
    log_capture   log;
    motion        m;
    def.solver = solver;
    def.solver_tolerance = 1e-9;
    if (strcmp(scheme, "moreau_jean") == 0)
        def.gap_tolerance = 1e-7; // positions drift by what the solver leaves: contacts stay active all the same
    zn_status status = begin(text, &def, &m, &log);
    if (status != ZN_OK)
        print_error("%s, %s: %s\n", scheme, solver, log.text);
    CHECK_OK(status);
    step(&m, STEPS);
    if (!(fabs(m.state->v[0] - 0.01 * STEPS) <= 1e-6))
        print_error("%s, %s:\n", scheme, solver);
    CHECK_NEAR(m.state->v[0], 0.01 * STEPS, 1e-6);
    CHECK_NEAR(m.state->v[text == planar ? 1 : 2], 0, 1e-6);
    finish(&m);
    return m.iterations;
}

static void test_every_solver(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "combined_projection", "nsga"};
    int                      words = 0, others = 0;
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
        for (int k = 0; zn_fc_solver_name(k) != NULL; k++) {
            const char *word = zn_fc_solver_name(k);
            bool        lines = zn_solver_find(word) != NULL && zn_solver_find(word)->tangents < 2;
            int         automatic = slide(planar, schemes[s], "auto");
            others += slide(planar, schemes[s], word) != automatic; // another solver, another number of iterations
            if (!lines)
                slide(spatial, schemes[s], word);
            words++;
        }
    assert_int_equal(words, 3 * 9);
    assert_true(others > 9);
    slide(planar, "moreau_jean", "pivot"); // has no friction: these problems go to auto
    slide(spatial, "moreau_jean", "pivot");
    for (int s = 0; s < 2; s++) { // one linear system for each iteration
        slide(planar, s == 0 ? "nsga" : "nsga_coupled", ZN_SOLVER_AUGMENTED);
        slide(spatial, s == 0 ? "nsga" : "nsga_coupled", ZN_SOLVER_AUGMENTED);
    }
}

// The words of the option are the solvers: those of friction problems and those of complementarity problems.
static void test_words_are_solvers(void **state)
{
    (void)state;
    const zn_option *o = zn_option_find(zn_scheme_options(), "solver");
    const char      *plain_ones = strstr(o->help, "Without friction:"), *end = strchr(plain_ones, ';');
    char             word[ZN_WORD_BYTES];
    int              count = 0;
    for (; zn_option_word(o, count, word) != NULL; count++) {
        const zn_solver_kind *kind = zn_solver_find(word);
        if (strcmp(word, "auto") == 0 || zn_solver_is_augmented(word)) { // no solver of linear problems
            assert_null(kind);
            continue;
        }
        assert_non_null(kind);
        const char *told = strstr(plain_ones, word); // the help says which take problems without friction
        assert_int_equal(kind->complementarity, told != NULL && told < end);
        double          A = 2, b = -1, z = 0, w, scratch[64];
        zn_lcp_problem  problem = {1, 0, &A, &b};
        zn_lcp_settings settings = {word, 0, 1e-12};
        assert_true(zn_lcp_scratch(1) <= sizeof scratch);
        CHECK_STATUS(zn_lcp_solve(&problem, &settings, &z, &w, scratch, NULL),
                     kind->complementarity ? ZN_OK : ZN_ERR_ARGUMENT);
    }
    assert_int_equal(count, 11);
}

// --- words that do not fit -----------------------------------------------------------------------

static void refuse(const char *text, zn_scheme_def def, const char *words)
{
    log_capture log;
    motion      m;
    CHECK_STATUS(begin(text, &def, &m, &log), ZN_ERR_ARGUMENT);
    CHECK_LOGGED(&log, words);
    finish(&m);
}

static void test_misfits(void **state)
{
    (void)state;
    zn_scheme_def def = scheme_named("moreau_jean", 0.5);
    log_capture   log;
    motion        m;
    def.solver = "admm";
    refuse(plain, def, "moreau_jean: solver 'admm' takes problems with friction, no contact has any");
    def.solver = ZN_SOLVER_AUGMENTED;
    refuse(spatial, def, "moreau_jean: solver 'alart_curnier' is Newton's method on the augmented Lagrangian");
    def.solver = "lemke";
    refuse(spatial, def, "moreau_jean: solver 'lemke' takes friction along a line only, contact 'a' has it in a plane");
    def.solver = "enumerate";
    refuse(spatial, def, "solver 'enumerate' takes friction along a line only");
    // with friction somewhere, problems without go to auto
    static const char *const schemes[] = {"moreau_jean", "nsga", "cd_lagrange"};
    for (int s = 0; s < 3; s++) {
        def = scheme_named(schemes[s], 0.5);
        def.solver = "admm";
        CHECK_OK(begin(mixed, &def, &m, &log));
        step(&m, 10);
        CHECK_NEAR(m.state->q[3], 0, 1e-12);
        finish(&m);
    }
}

static void test_gamma_of_free_forecast(void **state)
{
    (void)state;
    zn_scheme_def def = scheme_named("moreau_jean", 0.5);
    log_capture   log;
    motion        m;
    def.forecast = ZN_FORECAST_FREE;
    CHECK_OK(begin(plain, &def, &m, &log));
    finish(&m);
    def.gamma = 1;
    refuse(plain, def, "moreau_jean: gamma does not apply with forecast 'free'");
    def.scheme = "direct_projection";
    refuse(plain, def, "direct_projection: gamma does not apply with forecast 'free'");
    def.forecast = ZN_FORECAST_EXPLICIT;
    CHECK_OK(begin(plain, &def, &m, &log));
    finish(&m);
}

static void test_null_is_the_default(void **state)
{
    (void)state;
    zn_scheme_def def = scheme_named("moreau_jean", 0.5);
    log_capture   log;
    motion        m;
    def.solver = def.linear_solver = NULL;
    CHECK_OK(begin(spatial, &def, &m, &log));
    step(&m, STEPS);
    CHECK_NEAR(m.state->v[0], 0.01 * STEPS, 1e-9);
    finish(&m);
}

// --- linear solvers ------------------------------------------------------------------------------

// 2 kg on a spring of 100 N/m: it hangs 0.2 m lower, whatever solves the equations. A run is moved by the same word.
static void hang(const char *word)
{
    char        text[512];
    log_capture log = {0};
    zn_problem *p = NULL;
    zn_system  *sys = NULL;
    zn_state   *state = NULL;
    snprintf(text, sizeof text,
             "zeno: 1\nplanar: true\ngravity: [0, -10]\nbodies: {load: {mass: 2, position: [0, -1], fixed: x}}\n"
             "springs: {rope: {from: ground, to: load, stiffness: 100}}\nrun: {static: {linear_solver: %s}}\n",
             word);
    CHECK_OK(zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, log_into(&log), &p));
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_state_create(sys, &state));
    zn_equilibrium_info info;
    zn_equilibrium_def  def = p->sim.equilibrium;
    def.log = log_into(&log);
    zn_status status = zn_equilibrium_solve(sys, &def, state, &info);
    if (zn_linsolver_is_built(word)) {
        CHECK_OK(status);
        CHECK_NEAR(state->q[1], -1.2, 1e-12);
        assert_true(strcmp(word, "auto") == 0 || strcmp(info.linear_solver.backend, word) == 0);
    } else {
        CHECK_STATUS(status, ZN_ERR_ARGUMENT);
        CHECK_LOGGED(&log, "is not part of this build");
    }
    zn_state_destroy(state);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
}

static void test_linear_solvers(void **state)
{
    (void)state;
    const zn_option *of_runs = zn_option_find(zn_scheme_options(), "linear_solver");
    const zn_option *of_statics = zn_option_find(zn_equilibrium_options(), "linear_solver");
    char             word[ZN_WORD_BYTES];
    assert_string_equal(of_runs->choices, ZN_LINSOLVER_WORDS);
    assert_string_equal(of_statics->choices, ZN_LINSOLVER_DIRECT_WORDS); // matrices of statics are not all definite
    assert_memory_equal(of_runs->choices, of_statics->choices, strlen(of_statics->choices));
    assert_true(zn_option_place(of_statics, "mumps") >= 0);
    for (int k = 0; zn_option_word(of_statics, k, word) != NULL; k++)
        hang(word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_solver),
        cmocka_unit_test(test_words_are_solvers),
        cmocka_unit_test(test_misfits),
        cmocka_unit_test(test_gamma_of_free_forecast),
        cmocka_unit_test(test_null_is_the_default),
        cmocka_unit_test(test_linear_solvers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
