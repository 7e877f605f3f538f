// Equal input gives equal bits: for a repeated run, and for a run that goes on from a copy of its state.
#include "scheme_fixtures.h"

#include "zn/sim.h"

static const char *const scheme_word[] = {"moreau_jean", "combined_projection"};

/// A chain of masses on springs that falls on the floor: nonlinear, and large enough for the sparse solver.
static zn_model *chain_model(void)
{
    enum { LINKS = 30 };
    zn_model  *model = planar_model(-9.81, (zn_log){0});
    zn_node_id previous = {0};
    for (int i = 0; i < LINKS; i++) {
        zn_body_def body = zn_body_def_default();
        body.mass = 0.1;
        body.position = zn_vec3_make(0.1 * i, 0.05 + 0.02 * sin(i), 0);
        body.velocity = zn_vec3_make(0, cos(i), 0);
        zn_node_id node = {0};
        CHECK_OK(zn_model_add_body(model, &body, &node));
        zn_spring_def spring = zn_spring_def_default();
        spring.from = i == 0 ? (zn_attachment){{0}, zn_vec3_make(-0.1, 0.3, 0)} : (zn_attachment){previous, {0, 0, 0}};
        spring.to.node = node;
        spring.stiffness = 400;
        spring.damping = 0.1;
        CHECK_OK(zn_model_add_spring(model, &spring));
        add_plane_contact(model, NULL, node, zn_vec3_make(0, 0, 0), zn_vec3_make(0.02 * i, 1, 0), 0.5);
        previous = node;
    }
    return model;
}

static zn_model *ball(void) { return ball_model(1, 0, 0.5); }
static zn_model *block(void) { return block_model(paper_block()); }
static zn_model *oscillator(void) { return oscillator_model(1, 0, 0.2, 0.5); }
static zn_model *bar(void) { return bar_model(100, 1.317e-5, 0); }

typedef struct test_case {
    const char *name;
    zn_model *(*build)(void);
    double h;
    int    steps;
} test_case;

static const test_case cases[] = {
    {"ball", ball, 0.00713, 600}, {"block", block, 1e-3, 1200},      {"oscillator", oscillator, 0.00713, 1000},
    {"bar", bar, 2e-6, 400},      {"chain", chain_model, 1e-3, 300},
};

enum { CASES = sizeof cases / sizeof *cases };

// --- repeated runs -------------------------------------------------------------------------------

typedef struct table {
    double *value;
    size_t  count, capacity;
    int     columns;
} table;

static zn_status begin(void *user, int series_count, const zn_series *series, int columns)
{
    (void)series_count, (void)series;
    ((table *)user)->columns = columns;
    return ZN_OK;
}

static void push(table *rows, double value)
{
    if (rows->count == rows->capacity) {
        rows->capacity = 2 * rows->capacity + 1024;
        rows->value = realloc(rows->value, sizeof *rows->value * rows->capacity);
        assert_non_null(rows->value);
    }
    rows->value[rows->count++] = value;
}

static zn_status row(void *user, double t, const double *values)
{
    table *rows = user;
    push(rows, t);
    for (int i = 0; i < rows->columns; i++)
        push(rows, values[i]);
    return ZN_OK;
}

// All recorded rows, with every degree of freedom of the last state appended.
static table record(const test_case *c, const char *scheme)
{
    static const zn_record_def records[] = {{"energy", "energy", NULL}, {"ledger", "ledger", NULL}};
    table                      rows = {0};
    zn_model                  *model = c->build();
    zn_system                 *sys = NULL;
    zn_sim                    *sim = NULL;
    zn_sim_def                 def = zn_sim_def_default();
    def.scheme = scheme_named(scheme, 0.7);
    def.step = c->h;
    def.until = c->h * c->steps;
    def.records = records;
    def.record_count = 2;
    def.recorder = (zn_recorder){.user = &rows, .begin = begin, .row = row};
    CHECK_OK(zn_system_create(model, &sys));
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    CHECK_OK(zn_sim_run(sim));
    for (int i = 0; i < zn_system_get_info(sys).nq; i++)
        push(&rows, zn_sim_state(sim)->q[i]);
    for (int i = 0; i < zn_system_get_info(sys).n_all; i++)
        push(&rows, zn_sim_state(sim)->v[i]);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_model_destroy(model);
    return rows;
}

static void test_repeated_runs_are_equal(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int s = 0; s < 2; s++) {
            table a = record(&cases[i], scheme_word[s]), b = record(&cases[i], scheme_word[s]);
            assert_true(a.count > (size_t)cases[i].steps * 9);
            assert_true(a.count == b.count && a.columns == b.columns);
            CHECK_SAME_BITS(a.value, b.value, a.count);
            for (size_t k = 0; k < a.count; k++)
                assert_true(isfinite(a.value[k]));
            free(a.value);
            free(b.value);
        }
}

// --- continued runs ------------------------------------------------------------------------------

static double *history_of(const rig *r)
{
    double *history = calloc((size_t)zn_scheme_history_size(r->scheme) + 1, sizeof *history);
    assert_non_null(history);
    zn_scheme_history_save(r->scheme, history);
    return history;
}

// State and history, all that a checkpoint holds.
static void go_on_from(rig *r, const zn_state *state, const double *history)
{
    zn_state_copy(r->sys, state, r->state);
    CHECK_OK(zn_scheme_history_load(r->scheme, history, zn_scheme_history_size(r->scheme)));
}

// A new scheme object on a copy of the state, with the history saved and loaded.
static rig continue_from(const rig *r, zn_scheme_def def)
{
    rig     next = {.model = r->model, .sys = r->sys};
    double *history = history_of(r);
    CHECK_OK(zn_scheme_create(&def, r->sys, &next.scheme));
    CHECK_OK(zn_state_create(r->sys, &next.state));
    go_on_from(&next, r->state, history);
    free(history);
    return next;
}

static void check_continued(const test_case *c, zn_scheme_def def)
{
    rig whole = rig_open(c->build(), def);
    int pieces = 0, contacts = 0;
    for (int k = 0; k < c->steps; k++) {
        if (k % 97 == 50) { // some of these fall into contacts
            rig  piece = continue_from(&whole, def), shadow = continue_from(&whole, def);
            bool touched = whole.info.active > 0;
            pieces++;
            // the original goes on while the copy does; afterwards the original is what it was
            for (int j = 0; j < 60 && k + j < c->steps; j++) {
                rig_step(&whole, c->h);
                rig_step(&piece, c->h);
                check_same_state(whole.sys, whole.state, piece.state);
                CHECK_SAME_BITS(whole.info.ledger, piece.info.ledger, ZN_LEDGER_LINES);
                touched |= whole.info.active > 0;
            }
            contacts += touched;
            zn_state_copy(whole.sys, shadow.state, whole.state);
            zn_state_destroy(piece.state);
            zn_scheme_destroy(piece.scheme);
            zn_state_destroy(shadow.state);
            zn_scheme_destroy(shadow.scheme);
        }
        rig_step(&whole, c->h);
    }
    print_message("%-11s %-20s %d pieces, %d of them with contacts\n", c->name, def.scheme, pieces, contacts);
    assert_true(pieces >= 3 && contacts >= 1);
    rig_close(&whole);
}

static void test_continued_runs_are_equal(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int s = 0; s < 2; s++)
            check_continued(&cases[i], scheme_named(scheme_word[s], 0.5));
}

// Where velocities are foreseen the history is a part of what a step begins with; else the state is all there is.
static void go_back(rig *r, const zn_state *state, const double *history)
{
    if (zn_system_get_info(r->sys).linear)
        zn_state_copy(r->sys, state, r->state);
    else
        go_on_from(r, state, history);
}

// Steps of another size in between leave no trace, and do not suffer from what was kept for the usual size.
static void test_other_step_sizes_leave_no_trace(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int s = 0; s < 2; s++) {
            rig       r = rig_open(cases[i].build(), scheme_named(scheme_word[s], 0.5));
            zn_state *before = NULL, *after = NULL;
            CHECK_OK(zn_state_create(r.sys, &before));
            CHECK_OK(zn_state_create(r.sys, &after));
            for (int k = 0; k < 150; k++)
                rig_step(&r, cases[i].h);
            zn_state_copy(r.sys, r.state, before);
            double *history = history_of(&r);
            rig_step(&r, cases[i].h);
            zn_state_copy(r.sys, r.state, after);
            go_back(&r, before, history);
            rig fresh = continue_from(&r, scheme_named(scheme_word[s], 0.5));
            for (int k = 3; k <= 7; k += 4) {
                rig_step(&r, cases[i].h / k);
                rig_step(&fresh, cases[i].h / k);
                check_same_state(r.sys, r.state, fresh.state);
            }
            zn_state_destroy(fresh.state);
            zn_scheme_destroy(fresh.scheme);
            go_back(&r, before, history);
            rig_step(&r, cases[i].h);
            check_same_state(r.sys, r.state, after);
            free(history);
            zn_state_destroy(before);
            zn_state_destroy(after);
            rig_close(&r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeated_runs_are_equal),
        cmocka_unit_test(test_continued_runs_are_equal),
        cmocka_unit_test(test_other_step_sizes_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
