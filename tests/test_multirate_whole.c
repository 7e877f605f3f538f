// The coarse part of multirate is known at coarse times only: what is shown of it is true at that time or not shown.
// Both schemes are exact for a bar that falls freely, so that the truth is v = g t, x = x_0 + g t^2/2 at every time.
#include "multirate_models.h"
#include "system/system.h"
#include "zn/sim.h"

enum { ELEMENTS = 10, FINE = 3, RATIO = 8, NODES = ELEMENTS + 1 };

#define FALL (-2.0)
#define STEP 0.05

static zn_model *falling(log_capture *log)
{
    return bar_of((bar_case){.elements = ELEMENTS, .gravity = FALL, .gap = -1, .mass = ZN_MASS_LUMPED, .log = log});
}

// --- a state -----------------------------------------------------------------------------------------

static bool is_fine(int node) { return node <= FINE; } // the interface, too

static void check_state(const zn_system *sys, const zn_state *state, bool whole)
{
    assert_true(state->whole == whole);
    assert_true(isnan(state->energy.kinetic) == !whole && isnan(state->energy.gravity) == !whole);
    for (int i = 0; i < NODES; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        double                x = state->q[node->q], v = state->v[node->dof[0]], t = state->t;
        if (!whole && !is_fine(i)) {
            assert_true(isnan(x) && isnan(v) && isnan(state->reaction[node->dof[1] - sys->info.n]));
            continue;
        }
        CHECK_NEAR(x - sys->q0[node->q], FALL * t * t / 2, 1e-12);
        CHECK_NEAR(v, FALL * t, 1e-12);
        if (whole || i < FINE) // both parts hold the interface
            CHECK_NEAR(state->reaction[node->dof[1] - sys->info.n], 0, 1e-14);
    }
}

// A step of the public interface leaves nothing behind.
static void test_state(void **test)
{
    (void)test;
    rig r = rig_open(falling(NULL), parts("rod[0:3]", RATIO));
    check_state(r.sys, r.state, true);
    for (int k = 1; k <= 3 * RATIO; k++) {
        rig_step(&r, STEP);
        check_state(r.sys, r.state, k % RATIO == 0);
        for (int i = 0; i < ZN_LEDGER_LINES; i++)
            assert_true(isnan(r.info.ledger[i]) == (i < ZN_LEDGER_STORED && k % RATIO != 0));
    }
    rig_close(&r);
}

// --- a run -------------------------------------------------------------------------------------------

typedef struct journal {
    const zn_system *sys;
    int              columns, rows, frames, checkpoints, calls;
    double           t, row_t[64], values[64][4];
    int              stop; // calls of the progress until it stops the run
    size_t           size;
    unsigned char    checkpoint[1 << 16];
} journal;

static zn_status keep_row(void *user, double t, const double *values)
{
    journal *j = user;
    assert_true(j->rows < 64);
    j->row_t[j->rows] = t;
    memcpy(j->values[j->rows++], values, sizeof *values * (size_t)j->columns);
    return ZN_OK;
}

static zn_status keep_frame(void *user, const zn_frame *frame)
{
    journal *j = user;
    j->frames++;
    j->t = frame->t;
    for (int i = 0; i < NODES; i++) {
        const zn_layout_node *node = &j->sys->layout.node[i];
        CHECK_NEAR(frame->q[node->q] - j->sys->q0[node->q], FALL * frame->t * frame->t / 2, 1e-12);
        CHECK_NEAR(frame->v[node->dof[0]], FALL * frame->t, 1e-12);
    }
    CHECK_NEAR(frame->ledger[ZN_LEDGER_KINETIC], FALL * frame->t * FALL * frame->t / 2, 1e-12);
    return ZN_OK;
}

static zn_status keep_checkpoint(void *user, double t, const void *data, size_t size)
{
    journal *j = user;
    (void)t;
    assert_true(size <= sizeof j->checkpoint);
    if (j->checkpoints++ == 0) // the first
        memcpy(j->checkpoint, data, j->size = size);
    return ZN_OK;
}

static zn_status count_call(void *user, const zn_sim *sim)
{
    journal *j = user;
    assert_true(zn_sim_state(sim)->whole);
    return ++j->calls == j->stop ? ZN_INTERRUPTED : ZN_OK;
}

typedef struct run_case {
    int                  record_every, frames, checkpoint_every, record_count;
    double               until;
    const zn_record_def *records;
} run_case;

typedef struct run {
    zn_model   *model;
    zn_system  *sys;
    zn_sim     *sim;
    log_capture log;
    journal     journal;
} run;

static void open_run(run_case c, run *r)
{
    zn_sim_def def = zn_sim_def_default();
    *r = (run){0};
    r->model = falling(&r->log);
    CHECK_OK(zn_system_create(r->model, &r->sys));
    r->journal.sys = r->sys;
    r->journal.columns = c.record_count;
    def.scheme = parts("rod[0:3]", RATIO);
    def.step = STEP;
    def.until = c.until;
    def.record_every = c.record_every;
    def.record_count = c.record_count;
    def.records = c.records;
    def.frames = c.frames;
    def.checkpoint_every = c.checkpoint_every;
    def.recorder =
        (zn_recorder){.user = &r->journal, .row = keep_row, .frame = keep_frame, .checkpoint = keep_checkpoint};
    def.progress = count_call;
    def.progress_user = &r->journal;
    def.log = log_into(&r->log);
    CHECK_OK(zn_sim_create(r->sys, &def, &r->sim));
}

static void close_run(run *r)
{
    zn_sim_destroy(r->sim);
    zn_system_destroy(r->sys);
    zn_model_destroy(r->model);
}

static const zn_record_def fine_records[] = {{.name = "v", .path = "rod[1].velocity.x"},
                                             {.name = "a", .path = "rod[3].acceleration.x"},
                                             {.name = "x", .path = "rod[3].displacement.x"},
                                             {.name = "it", .path = "iterations.newton"}};
static const zn_record_def coarse_records[] = {{.name = "v", .path = "rod[1].velocity.x"},
                                               {.name = "a", .path = "rod[9].acceleration.x"},
                                               {.name = "kinetic", .path = "rod.kinetic"},
                                               {.name = "r", .path = "rod[9].reaction.y"}};

// Pictures and the end, however rare the rows are: stale ones were off by their whole displacement.
static void test_frames(void **test)
{
    (void)test;
    static run r;
    const int  frames[] = {1, 5, 40};
    for (int i = 0; i < 3; i++) {
        open_run((run_case){.record_every = 1000, .frames = frames[i], .until = 4}, &r);
        CHECK_OK(zn_sim_run(r.sim));
        assert_int_equal(r.journal.frames, i == 0 ? 2 : i == 1 ? 6 : 11); // every 80, 16 and 8 steps of 80
        CHECK_NEAR(r.journal.t, 4, 1e-12);
        check_state(r.sys, zn_sim_state(r.sim), true);
        CHECK_NEAR(zn_sim_certificate(r.sim)->momentum.x, FALL * 4, 1e-12);
        assert_int_equal(r.log.count, 0);
        close_run(&r);
    }
}

// Records of the fine part have a row wherever it is asked for, any other takes all rows to coarse times.
static void test_rows(void **test)
{
    (void)test;
    static run r;
    open_run((run_case){.record_every = 3, .until = 2.4, .record_count = 4, .records = fine_records}, &r);
    CHECK_OK(zn_sim_run(r.sim));
    assert_int_equal(r.journal.rows, 17);
    for (int k = 0; k < r.journal.rows; k++) {
        double t = 3 * k * STEP;
        CHECK_NEAR(r.journal.row_t[k], t, 1e-12);
        CHECK_NEAR(r.journal.values[k][0], FALL * t, 1e-12);
        CHECK_NEAR(r.journal.values[k][1], k == 0 ? 0 : FALL, 1e-10);
        CHECK_NEAR(r.journal.values[k][2], FALL * t * t / 2, 1e-12);
    }
    assert_int_equal(r.log.count, 0);
    close_run(&r);
    open_run((run_case){.record_every = 3, .until = 2.4, .record_count = 4, .records = coarse_records}, &r);
    CHECK_LOGGED(&r.log, "record_every is 8 instead of 3, whole steps of the coarse part, which record 'a' shows");
    assert_int_equal(zn_sim_get_def(r.sim)->record_every, 8);
    CHECK_OK(zn_sim_run(r.sim));
    assert_int_equal(r.journal.rows, 7);
    for (int k = 0; k < r.journal.rows; k++) {
        double t = 8 * k * STEP;
        CHECK_NEAR(r.journal.row_t[k], t, 1e-12);
        CHECK_NEAR(r.journal.values[k][0], FALL * t, 1e-12);
        CHECK_NEAR(r.journal.values[k][1], k == 0 ? 0 : FALL, 1e-10);
        CHECK_NEAR(r.journal.values[k][2], FALL * t * FALL * t / 2, 1e-12);
        CHECK_NEAR(r.journal.values[k][3], 0, 1e-12);
    }
    close_run(&r);
}

// Every kind of record: late exactly when it shows a coarse node, even one of many.
static void test_late_records(void **test)
{
    (void)test;
    static run r;
    const struct {
        const char *path;
        bool        late;
    } list[] = {{"rod[0].position", false},
                {"rod[3].velocity.x", false},
                {"rod[3].reaction", true},
                {"rod[2].reaction", false},
                {"rod[4].position", true},
                {"rod[4].displacement.x", true},
                {"rod[4].velocity", true},
                {"rod[10].reaction", true},
                {"rod[4].acceleration", true},
                {"rod.velocity.x", true},
                {"rod.strain", true},
                {"rod.gravity", true},
                {"rod.momentum", true},
                {"energy", true},
                {"ledger", true},
                {"ledger.contact", true},
                {"momentum", true},
                {"angular_momentum", true},
                {"iterations", false},
                {"penetration", false}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        double        values[64];
        zn_record_def record = {.name = "it", .path = list[i].path};
        open_run((run_case){.record_every = 1, .until = 0.4, .record_count = 1, .records = &record}, &r);
        assert_int_equal(zn_sim_get_def(r.sim)->record_every, list[i].late ? RATIO : 1);
        for (int k = 1; k <= RATIO; k++) { // by hand: no number between coarse times
            CHECK_OK(zn_sim_step(r.sim));
            CHECK_OK(zn_sim_values(r.sim, values));
            for (int c = 0; c < zn_sim_columns(r.sim); c++)
                assert_true(isnan(values[c]) == (list[i].late && k < RATIO));
            check_state(r.sys, zn_sim_state(r.sim), k == RATIO);
        }
        close_run(&r);
    }
}

// After an impact, with waves much shorter than a coarse step: at every coarse time the energies of the parts of the
// model, by positions and velocities that are shown, are those of the ledger, by the works of the schemes.
static void check_energies(bool coarse_explicit)
{
    static const zn_record_def records[] = {{.name = "k", .path = "rod.kinetic"},
                                            {.name = "s", .path = "rod.strain"},
                                            {.name = "g", .path = "rod.gravity"}};
    bar_case                   c = {.elements = 60, .gravity = -0.1, .speed = 1, .gap = 0.01, .mass = ZN_MASS_LUMPED};
    zn_model                  *model = bar_of(c);
    zn_system                 *sys = NULL;
    zn_sim                    *sim = NULL;
    zn_sim_def                 def = zn_sim_def_default();
    CHECK_OK(zn_system_create(model, &sys));
    int steps = coarse_explicit ? 180 * 25 : 12 * 25;
    def.scheme = parts("rod[0:12]", 25);
    def.scheme.coarse_explicit = coarse_explicit;
    def.step = 0.9 / 60 / (coarse_explicit ? 25 : 1);
    def.until = steps * def.step;
    def.record_count = 3;
    def.records = records;
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    for (int k = 0; k < steps; k++) {
        double        values[3];
        const double *ledger = zn_sim_certificate(sim)->ledger;
        CHECK_OK(zn_sim_step(sim));
        CHECK_OK(zn_sim_values(sim, values));
        for (int i = 0; i < 3 && zn_sim_state(sim)->whole; i++)
            CHECK_NEAR(values[i], ledger[i], 1e-11);
    }
    assert_true(zn_sim_certificate(sim)->lasting_contacts + zn_sim_certificate(sim)->impacts > 0);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

static void test_energies(void **test)
{
    (void)test;
    check_energies(false);
    check_energies(true);
}

// A run that is to end within a coarse step ends with it, and says so.
static void test_end(void **test)
{
    (void)test;
    static run   r;
    const double until[] = {0.4, 0.45, 0.77, 0.8, 0.80001};
    const double end[] = {0.4, 0.8, 0.8, 0.8, 0.8};
    for (int i = 0; i < 5; i++) {
        open_run((run_case){.record_every = 1, .until = until[i], .record_count = 4, .records = coarse_records}, &r);
        CHECK_OK(zn_sim_run(r.sim));
        CHECK_NEAR(zn_sim_state(r.sim)->t, end[i], 1e-12);
        CHECK_NEAR(zn_sim_get_def(r.sim)->until, i == 4 ? 0.80001 : end[i], 1e-12);
        assert_int_equal(zn_sim_grid_steps(r.sim) % RATIO, 0);
        check_state(r.sys, zn_sim_state(r.sim), true);
        if (i == 1)
            CHECK_LOGGED(&r.log, "it ends at t = 0.8 s instead of 0.45 s, with a whole step of the coarse part, 0.4 s");
        assert_int_equal(r.log.count, i == 1 || i == 2 ? 2 : 1); // that of the rows, too
        close_run(&r);
    }
}

// Interrupted runs stop at a coarse time; those that fail in between show nothing of it, and what they did is balanced.
static void test_stopped(void **test)
{
    (void)test;
    static run r;
    open_run((run_case){.record_every = 1000, .frames = 1, .until = 4}, &r);
    r.journal.stop = 3;
    CHECK_STATUS(zn_sim_run(r.sim), ZN_INTERRUPTED);
    CHECK_NEAR(zn_sim_state(r.sim)->t, 3 * RATIO * STEP, 1e-12);
    check_state(r.sys, zn_sim_state(r.sim), true);
    assert_int_equal(r.journal.frames, 2);
    close_run(&r);
    open_run((run_case){.record_every = 1000, .frames = 1, .until = 4}, &r);
    for (int k = 0; k < 2 * RATIO + 3; k++)
        CHECK_OK(zn_sim_step(r.sim));
    zn_fault_inject(1);
    assert_true(zn_sim_run(r.sim) > 0);
    const zn_certificate *c = zn_sim_certificate(r.sim);
    double                t = 2 * RATIO * STEP; // of the last coarse time
    assert_true(isnan(c->momentum.x) && isnan(c->angular.z));
    CHECK_NEAR(c->ledger[ZN_LEDGER_KINETIC], FALL * t * FALL * t / 2, 1e-12);
    CHECK_BELOW(c->closure.value, 1e-13);
    assert_int_equal(r.journal.frames, 0);
    close_run(&r);
}

// Checkpoints are of coarse times and go on with the same bits.
static void test_checkpoints(void **test)
{
    (void)test;
    static run whole, rest;
    run_case   c = {.record_every = 1, .frames = 5, .checkpoint_every = 3, .until = 2.4, .record_count = 4};
    c.records = coarse_records;
    open_run(c, &whole);
    CHECK_OK(zn_sim_run(whole.sim));
    assert_int_equal(whole.journal.checkpoints, 6);
    open_run(c, &rest);
    CHECK_OK(zn_sim_restart(rest.sim, whole.journal.checkpoint, whole.journal.size));
    assert_int_equal(zn_sim_grid_index(rest.sim), RATIO);
    CHECK_OK(zn_sim_run(rest.sim));
    check_same_state(whole.sys, zn_sim_state(whole.sim), zn_sim_state(rest.sim));
    assert_int_equal(rest.journal.rows, whole.journal.rows - 2);
    CHECK_SAME_BITS(&whole.journal.values[2][0], &rest.journal.values[0][0], 4 * rest.journal.rows);
    CHECK_SAME_BITS(zn_sim_certificate(whole.sim)->ledger, zn_sim_certificate(rest.sim)->ledger, ZN_LEDGER_LINES);
    close_run(&whole);
    close_run(&rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_state),       cmocka_unit_test(test_frames),
                                       cmocka_unit_test(test_rows),        cmocka_unit_test(test_late_records),
                                       cmocka_unit_test(test_end),         cmocka_unit_test(test_stopped),
                                       cmocka_unit_test(test_checkpoints), cmocka_unit_test(test_energies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
