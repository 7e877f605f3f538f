// A failed step changes nothing: the n-th evaluation is made to fail for every n of a step, in every scheme, on states
// with and without contact. Then the driver: it halves the step, meets the grid again, or gives up with a diagnosis.
#include "scheme_fixtures.h"

#include "fixtures.h"
#include "system/system.h"

static const char *const scheme_word[] = {"moreau_jean", "combined_projection"};

// --- one step, every evaluation ------------------------------------------------------------------

typedef struct test_case {
    const char *name;
    zn_model *(*build)(void);
    double h;
    int    steps;  ///< before the one that is made to fail
    bool   active; ///< contacts act in that step
} test_case;

static zn_model *ball(void) { return ball_model(1, 0, 0.5); }
static zn_model *resting_ball(void) { return ball_model(0, 0, 0.5); }
static zn_model *block(void) { return block_model(paper_block()); }
static zn_model *landed_block(void)
{
    block_case c = paper_block();
    c.y = 0.75, c.angle = c.spin = 0;
    return block_model(c);
}
static zn_model *oscillator(void) { return oscillator_model(1, 0, 0.2, 0.5); }
static zn_model *pressed_oscillator(void) { return oscillator_model(0, -0.5, 0.2, 0.5); }
static zn_model *short_bar(void) { return bar_model(5, 1e-6, 0); }
static zn_model *long_bar(void) { return bar_model(60, 1e-6, 0.5); } // sparse linear solver

static const test_case cases[] = {
    {"ball in flight", ball, 0.0317, 3, false},
    {"ball in its first step", ball, 0.0317, 0, false},
    {"ball at rest", resting_ball, 0.0317, 40, true},
    {"block in flight", block, 1e-3, 5, false},
    {"block standing", landed_block, 1e-3, 30, true},
    {"oscillator in flight", oscillator, 0.0317, 3, false},
    {"oscillator at the wall", pressed_oscillator, 0.0317, 0, true},
    {"bar in flight", short_bar, 2e-6, 2, false},
    {"bar at the wall", short_bar, 2e-6, 20, true},
    {"long bar in flight", long_bar, 2e-6, 2, false},
    {"long bar at the wall", long_bar, 2e-6, 20, true},
};

typedef struct stages {
    int         count;
    const char *name[8];
} stages;

static void note_stage(stages *s, const char *name)
{
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->name[i], name) == 0)
            return;
    assert_true(s->count < 8);
    s->name[s->count++] = name;
}

static bool has_stage(const stages *s, const char *name)
{
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->name[i], name) == 0)
            return true;
    return false;
}

static void save_history(const rig *r, double *history)
{
    assert_true(zn_scheme_history_size(r->scheme) <= FIXTURE_MAX);
    zn_scheme_history_save(r->scheme, history);
}

// Not `foresees`: without the history of those steps, so that Newton's method has one start only.
static rig bring(const test_case *c, const char *scheme, bool foresees)
{
    double history[FIXTURE_MAX] = {0};
    rig    r = rig_open(c->build(), scheme_named(scheme, 0.5));
    save_history(&r, history);
    for (int k = 0; k < c->steps; k++)
        rig_step(&r, c->h);
    if (!foresees)
        CHECK_OK(zn_scheme_history_load(r.scheme, history, zn_scheme_history_size(r.scheme)));
    return r;
}

// A fault inside a trial of Newton's line search is a bad trial: the iteration takes a shorter step and goes on, to the
// same solution within its tolerance. So does a step that begins anew where it began with what was foreseen.
static void check_near_state(const rig *r, const zn_state *expected)
{
    zn_system_info info = zn_system_get_info(r->sys);
    for (int i = 0; i < info.nq; i++)
        CHECK_NEAR(r->state->q[i], expected->q[i], 1e-11);
    for (int i = 0; i < info.n; i++)
        CHECK_NEAR(r->state->v[i], expected->v[i], 1e-9);
}

static void check_failures(const test_case *c, const char *scheme, bool foresees, stages *seen)
{
    rig       r = bring(c, scheme, foresees), twin = bring(c, scheme, foresees);
    zn_state *before = NULL;
    double    history[FIXTURE_MAX] = {0}, now[FIXTURE_MAX] = {0};
    int       size = zn_scheme_history_size(r.scheme), n, failed = 0;
    rig_step(&twin, c->h); // never fails
    assert_true((twin.info.active > 0) == c->active);
    CHECK_OK(zn_state_create(r.sys, &before));
    zn_state_copy(r.sys, r.state, before);
    save_history(&r, history);
    for (n = 1;; n++) {
        zn_step_info info;
        zn_fault_inject(n);
        zn_status status = zn_scheme_step(r.scheme, r.state, c->h, &info);
        bool      fired = zn_fault_is_spent();
        zn_fault_inject(0);
        if (!fired) { // the step needs fewer evaluations
            assert_int_equal(status, ZN_OK);
            check_same_state(r.sys, r.state, twin.state);
            break;
        }
        if (status != ZN_OK) {
            failed++;
            assert_true(status > 0); // may be tried again
            assert_non_null(info.failed);
            note_stage(seen, info.failed);
            check_same_state(r.sys, r.state, before);
            save_history(&r, now);
            CHECK_SAME_BITS(history, now, size);
            rig_step(&r, c->h);
            check_same_state(r.sys, r.state, twin.state); // as if it had never failed
            CHECK_SAME_BITS(r.info.ledger, twin.info.ledger, ZN_LEDGER_LINES);
        } else
            check_near_state(&r, twin.state);
        zn_state_copy(r.sys, before, r.state);
        CHECK_OK(zn_scheme_history_load(r.scheme, history, size));
    }
    print_message("%-22s %-20s %2d evaluations, %2d end the step\n", c->name, scheme, n - 1, failed);
    assert_true((failed >= 4 && n - 1 >= failed) || (foresees && failed == 0));
    zn_state_destroy(before);
    rig_close(&twin);
    rig_close(&r);
}

static void check_every_failure(const test_case *c, const char *scheme, stages *seen)
{
    check_failures(c, scheme, false, seen);
    check_failures(c, scheme, true, seen);
}

static void test_moreau_jean_failures(void **state)
{
    (void)state;
    stages seen = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_every_failure(&cases[i], "moreau_jean", &seen);
    assert_true(has_stage(&seen, "free motion") && has_stage(&seen, "contact impulses") &&
                has_stage(&seen, "energy ledger"));
}

static void test_combined_projection_failures(void **state)
{
    (void)state;
    stages seen = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_every_failure(&cases[i], "combined_projection", &seen);
    assert_true(has_stage(&seen, "free motion") && has_stage(&seen, "gaps") &&
                has_stage(&seen, "activation and projection") && has_stage(&seen, "energy ledger"));
}

// Soft blocks in the plane whose surfaces meet, in flight and while one slides on the other.
static void add_block(zn_model *model, const char *name, zn_vec3 from, zn_vec3 to, const int n[2], zn_vec3 velocity)
{
    zn_mesh *mesh = NULL;
    CHECK_OK(zn_mesh_rectangle(from, to, n, &mesh));
    zn_solid_def def = zn_solid_def_default();
    def.name = name;
    def.mesh = mesh;
    def.young = 900;
    def.poisson = 0.3;
    def.density = 1;
    def.model = ZN_SOLID_SAINT_VENANT_KIRCHHOFF;
    def.velocity = velocity;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
}

static zn_model *surfaces(void)
{
    zn_model       *model = planar_model(-9.81, (zn_log){0});
    zn_surfaces_def def = zn_surfaces_def_default();
    add_block(model, "lower", zn_vec3_make(0, -0.05, 0), zn_vec3_make(0.1, 0, 0), (int[2]){4, 2},
              zn_vec3_make(0, 0, 0));
    add_block(model, "upper", zn_vec3_make(0.021, 0.0009, 0), zn_vec3_make(0.087, 0.05, 0), (int[2]){5, 2},
              zn_vec3_make(1.5, -1, 0));
    def.part_a = "upper";
    def.part_b = "lower";
    def.friction = 0.3;
    CHECK_OK(zn_model_add_surfaces(model, &def));
    return model;
}

static void test_energy_momentum_failures(void **state)
{
    (void)state;
    static const test_case meeting[] = {{"surfaces in flight", surfaces, 2e-4, 2, false},
                                        {"surfaces that close", surfaces, 2e-4, 4, true},
                                        {"surfaces that slide", surfaces, 2e-4, 7, true}};
    stages                 seen = {0};
    for (size_t i = 0; i < sizeof meeting / sizeof *meeting; i++)
        check_every_failure(&meeting[i], "energy_momentum", &seen);
    assert_true(has_stage(&seen, "equations of motion") && has_stage(&seen, "energy ledger"));
}

// --- refusals ------------------------------------------------------------------------------------

static void check_refused(zn_scheme_def def, const char *part)
{
    log_capture log = {0};
    zn_model   *model = planar_model(-2, log_into(&log));
    zn_system  *sys = NULL;
    zn_scheme  *scheme = NULL;
    add_plane_contact(model, "floor", add_point(model, 1, 0), zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), 0.5);
    CHECK_OK(zn_system_create(model, &sys));
    CHECK_STATUS(zn_scheme_create(&def, sys, &scheme), ZN_ERR_ARGUMENT);
    assert_null(scheme);
    assert_int_equal(log.count, 1);
    CHECK_LOGGED(&log, part);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

static void test_bad_options_are_refused_by_name(void **state)
{
    (void)state;
    const zn_scheme_def good = scheme_named("moreau_jean", 0.5);
    zn_scheme_def       bad = good;
    check_refused(scheme_named("moreau", 0.5), "'moreau'");
    check_refused(scheme_named("moreau_jean", 0.49), "theta = 0.49");
    check_refused(scheme_named("moreau_jean", NAN), "theta");
    bad.gamma = 2.1;
    check_refused(bad, "gamma = 2.1");
    bad = good, bad.newton_tolerance = 0;
    check_refused(bad, "newton_tolerance");
    bad = good, bad.newton_iterations = 0;
    check_refused(bad, "newton_iterations");
    bad = good, bad.gap_tolerance = -1e-13;
    check_refused(bad, "gap_tolerance");
    bad = good, bad.solver_tolerance = 1;
    check_refused(bad, "solver_tolerance");
    bad = scheme_named("combined_projection", 0.5), bad.gamma = 1;
    check_refused(bad, "gamma");
    bad = scheme_named("combined_projection", 0.5), bad.forecast = ZN_FORECAST_FREE;
    check_refused(bad, "forecast");
    bad = good, bad.linear_solver = "lapack";
    check_refused(bad, "linear_solver 'lapack'");
    bad = good, bad.solver = "simplex";
    check_refused(bad, "solver 'simplex'");
    bad = good, bad.solver = "lemk";
    check_refused(bad, "solver 'lemk'");
}

// --- the driver ----------------------------------------------------------------------------------

typedef struct run {
    zn_model   *model;
    zn_system  *sys;
    zn_sim     *sim;
    log_capture log;
    int         rows, ends;
    double      last_t, last_value;
    zn_status   outcome;
    int64_t     certified;
} run;

static zn_status take_row(void *user, double t, const double *values)
{
    run *r = user;
    r->rows++;
    r->last_t = t;
    r->last_value = values[0];
    return ZN_OK;
}

static zn_status take_end(void *user, const zn_certificate *certificate, zn_status outcome)
{
    run *r = user;
    r->ends++;
    r->outcome = outcome;
    r->certified = certificate->steps;
    return ZN_OK;
}

/// Takes the model over. The run must not move afterwards: the log and the recorder point to it.
static void run_open(run *r, zn_model *model, const char *scheme, double h, int max_subdivisions)
{
    static const zn_record_def records[] = {{"q", "ball.position.y", NULL}};
    *r = (run){.model = model};
    zn_sim_def def = zn_sim_def_default();
    def.scheme = scheme_named(scheme, 0.5);
    def.step = h;
    def.until = 2;
    def.max_subdivisions = max_subdivisions;
    def.record_count = 1;
    def.records = records;
    def.recorder = (zn_recorder){.user = r, .row = take_row, .end = take_end};
    def.log = log_into(&r->log);
    CHECK_OK(zn_system_create(model, &r->sys));
    CHECK_OK(zn_sim_create(r->sys, &def, &r->sim));
}

static void run_close(run *r)
{
    zn_sim_destroy(r->sim);
    zn_system_destroy(r->sys);
    zn_model_destroy(r->model);
}

static void test_driver_halves_and_rejoins_the_grid(void **state)
{
    (void)state;
    const double h = 0.0317;
    for (int s = 0; s < 2; s++) {
        run r;
        run_open(&r, ball_model(1, 0, 0.5), scheme_word[s], h, 8);
        for (int k = 1; k <= 60; k++) { // through the first impacts; every third step fails at first
            if (k % 3 == 0)
                zn_fault_inject(1);
            CHECK_OK(zn_sim_step(r.sim));
            assert_true(zn_sim_state(r.sim)->t == k * h);
            assert_int_equal(zn_sim_grid_index(r.sim), k);
            if (k * h < 0.9) // halves of a constant acceleration are exact too
                CHECK_NEAR(zn_sim_state(r.sim)->q[1], 1 - k * h * k * h, 1e-14);
        }
        const zn_certificate *c = zn_sim_certificate(r.sim);
        assert_int_equal(c->retries, 20);
        assert_int_equal(c->steps, 60 + 20);
        CHECK_BELOW(c->closure.value, 1e-12);
        assert_int_equal(r.log.count, 0);
        run_close(&r);
    }
}

// Signals that go bad: not a number in (from, to), unless mended.
typedef struct bad_signal {
    double from, to;
    bool   mended;
} bad_signal;

static double bad_at(void *user, double t)
{
    const bad_signal *bad = user;
    return t > bad->from && t < bad->to && !bad->mended ? NAN : 0;
}

static zn_model *loaded_ball(bad_signal *bad)
{
    zn_model    *model = ball_model(1, 0, 0.5);
    zn_force_def load = zn_force_def_default();
    load.name = "load";
    load.point.node = zn_model_find_node(model, "ball");
    CHECK_OK(zn_signal_callback(bad_at, bad, NULL, &load.force[1]));
    CHECK_OK(zn_model_add_force(model, &load));
    return model;
}

// A load that is not a number for t > 1/2: the run stops at the last step before, with what was recorded until then.
static void test_driver_gives_up_with_a_diagnosis(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        bad_signal bad = {0.5, INFINITY, false};
        run        r;
        run_open(&r, loaded_ball(&bad), scheme_word[s], 0.125, 3);
        CHECK_STATUS(zn_sim_run(r.sim), ZN_NOT_FINITE);
        assert_int_equal(zn_sim_certificate(r.sim)->retries, 3);
        assert_int_equal(zn_sim_certificate(r.sim)->steps, 4);
        CHECK_NEAR(zn_sim_state(r.sim)->t, 0.5, 0);
        CHECK_NEAR(zn_sim_state(r.sim)->q[1], 0.75, 1e-15); // 1 - t^2
        CHECK_NEAR(zn_sim_state(r.sim)->v[0], -1, 1e-15);
        assert_int_equal(r.rows, 5); // start and four steps
        CHECK_NEAR(r.last_t, 0.5, 0);
        CHECK_NEAR(r.last_value, 0.75, 1e-15);
        assert_int_equal(r.ends, 1);
        assert_int_equal(r.outcome, ZN_NOT_FINITE);
        assert_int_equal(r.certified, 4);
        print_message("%s", r.log.text);
        assert_int_equal(r.log.count, 1);
        CHECK_LOGGED(&r.log, "t = 0.5 s");
        CHECK_LOGGED(&r.log, "h = 0.0156 s"); // 0.125 / 8
        CHECK_LOGGED(&r.log, "free motion");
        CHECK_LOGGED(&r.log, zn_status_text(ZN_NOT_FINITE));
        run_close(&r);
    }
}

// Without subdivisions the first failure ends the run; the message names the stage that failed.
static void test_message_names_the_stage(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        run r;
        run_open(&r, ball_model(0, 0, 0.5), scheme_word[s], 0.0317, 0);
        CHECK_OK(zn_sim_step(r.sim));
        stages seen = {0};
        for (int n = 1;; n++) {
            zn_fault_inject(n);
            log_capture_clear(&r.log);
            zn_status status = zn_sim_step(r.sim);
            bool      fired = zn_fault_is_spent();
            zn_fault_inject(0);
            if (!fired)
                break;
            if (status == ZN_OK)
                continue; // a bad trial of the line search, mended
            assert_int_equal(r.log.count, 1);
            CHECK_LOGGED(&r.log, zn_sim_last_step(r.sim)->failed);
            note_stage(&seen, zn_sim_last_step(r.sim)->failed);
        }
        assert_int_equal(zn_sim_certificate(r.sim)->retries, 0);
        assert_true(seen.count >= 3);
        run_close(&r);
    }
}

// The first half succeeds, the second does not: the state stays in the middle. When the cause is mended, the next call
// goes on from there to the grid point, not a whole step beyond it.
static void test_a_run_continues_from_the_middle_of_a_step(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        bad_signal bad = {0.54, 0.61, false}; // mid-points: 0.5625 of the step, 0.53125 and 0.59375 of its halves
        run        r;
        run_open(&r, loaded_ball(&bad), scheme_word[s], 0.125, 1);
        for (int k = 0; k < 4; k++)
            CHECK_OK(zn_sim_step(r.sim));
        CHECK_STATUS(zn_sim_step(r.sim), ZN_NOT_FINITE);
        CHECK_NEAR(zn_sim_state(r.sim)->t, 0.5625, 0);
        CHECK_NEAR(zn_sim_state(r.sim)->q[1], 1 - 0.5625 * 0.5625, 1e-15);
        bad.mended = true;
        CHECK_OK(zn_sim_step(r.sim));
        CHECK_NEAR(zn_sim_state(r.sim)->t, 0.625, 0);
        CHECK_NEAR(zn_sim_state(r.sim)->q[1], 1 - 0.625 * 0.625, 1e-15);
        run_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moreau_jean_failures),
        cmocka_unit_test(test_combined_projection_failures),
        cmocka_unit_test(test_energy_momentum_failures),
        cmocka_unit_test(test_bad_options_are_refused_by_name),
        cmocka_unit_test(test_driver_halves_and_rejoins_the_grid),
        cmocka_unit_test(test_driver_gives_up_with_a_diagnosis),
        cmocka_unit_test(test_message_names_the_stage),
        cmocka_unit_test(test_a_run_continues_from_the_middle_of_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
