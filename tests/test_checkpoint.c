// Checkpoints of the driver: a run that ends at any step and goes on from its last checkpoint, in a program that starts
// anew, gives the rows, events, frames and certificate of the run that never ended, bit by bit: for every scheme, with
// friction, joints, facets, piles, parts with their own steps, steps that fail, and a start at an equilibrium. What is
// of another model or damaged is refused.
#include "fixtures.h"
#include "restart_models.h"
#include "scheme_fixtures.h"

#include "zn/io.h"

// A mass on a spring with a stop, from where it hangs.
static const char hanging[] =
    "zeno: 1\nrun: {step: 1 ms, until: 1 s, start: equilibrium}\n"
    "planar: true\n"
    "gravity: [0, -9.81]\n"
    "parameters: {mu: 0}\n"
    "bodies:\n"
    "  bob: {mass: 1, inertia: 1, position: [0, -1]}\n"
    "springs:\n"
    "  line: {from: ground, to: bob, stiffness: 500, rest_length: 1}\n"
    "contacts:\n"
    "  stop: {point: bob, surface: {plane: [0, 1], at: [0, -1.0197]}, restitution: 0.5, friction: mu}\n"
    "loads:\n"
    "  push: {body: bob, force: [0, '-50*sin(200*t)']}\n";

// A rod of many masses that nothing touches.
static const char swinging[] =
    "zeno: 1\nrun: {step: 1 ms, until: 1 s}\n"
    "planar: true\n"
    "gravity: [0, -9.81]\n"
    "parameters: {mu: 0}\n"
    "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
    "parts:\n"
    "  rod: {element: bar, material: soft, area: 1e-4, from: [0, 0], to: [0, -1], elements: 6, mass: lumped}\n";

typedef struct checkpoint_case {
    const char *name, *text, *records;
    double      step;
    int         steps, stop;       ///< of the whole run, and where it is stopped
    bool        ends;              ///< there it ends of itself, and is made longer
    const char *more;              ///< override
    const char *solver;            ///< linear solver; NULL: by size
    const char *only;              ///< schemes; NULL: all that take the model
    bool        pile;              ///< with the rows that piles want
    int         newton_iterations; ///< so few that steps fail; 0: as usual
} checkpoint_case;

enum { VALUES = 4096, EVENTS = 256, EVERY = 5 };

// All that a run records, and its last checkpoint with how much there was then.
typedef struct tape {
    int            stop; ///< step after which it ends; 0: none
    int            columns, values, events, frames;
    double         value[VALUES], frame[VALUES];
    zn_event       event[EVENTS];
    zn_certificate certificate;
    size_t         size;
    void          *checkpoint;
    int            values_then, events_then, frames_then;
} tape;

static zn_status take_row(void *user, double t, const double *values)
{
    tape *x = user;
    assert_true(x->values + x->columns < VALUES);
    x->value[x->values++] = t;
    memcpy(x->value + x->values, values, sizeof *values * (size_t)x->columns);
    x->values += x->columns;
    return ZN_OK;
}

static zn_status take_begin(void *user, int count, const zn_series *series, int columns)
{
    (void)count, (void)series;
    ((tape *)user)->columns = columns;
    return ZN_OK;
}

static zn_status take_event(void *user, const zn_event *event)
{
    tape *x = user;
    assert_true(x->events < EVENTS);
    assert_non_null(event->name);
    x->event[x->events++] = *event;
    return ZN_OK;
}

static void take_number(tape *x, double value)
{
    assert_true(x->frames < VALUES);
    x->frame[x->frames++] = value;
}

// What was gathered since the frame before.
static zn_status take_frame(void *user, const zn_frame *frame)
{
    tape *x = user;
    take_number(x, frame->t);
    for (int i = 0; i < ZN_EFFORT_COLUMNS; i++)
        take_number(x, frame->effort[i]);
    for (int i = 0; i < frame->contact_count && i < 10; i++) {
        take_number(x, frame->contacts[i].impulse[0]);
        take_number(x, frame->contacts[i].steps);
    }
    return ZN_OK;
}

static zn_status take_end(void *user, const zn_certificate *certificate, zn_status outcome)
{
    (void)outcome;
    ((tape *)user)->certificate = *certificate;
    return ZN_OK;
}

static zn_status take_checkpoint(void *user, double t, const void *data, size_t size)
{
    tape *x = user;
    (void)t;
    free(x->checkpoint);
    x->checkpoint = malloc(size);
    memcpy(x->checkpoint, data, size);
    x->size = size;
    x->values_then = x->values;
    x->events_then = x->events;
    x->frames_then = x->frames;
    return ZN_OK;
}

static zn_status after_step(void *user, const zn_sim *sim)
{
    const tape *x = user;
    return x->stop > 0 && zn_sim_grid_index(sim) >= x->stop ? ZN_INTERRUPTED : ZN_OK; // multirate: at a coarse time
}

static log_capture messages;

// One run with all its own; the simulation is NULL when the scheme refuses the model.
typedef struct run {
    zn_problem *problem;
    zn_system  *sys;
    zn_sim     *sim;
} run;

static run start(const checkpoint_case *c, const zn_scheme_def *scheme, bool friction, tape *x)
{
    run         r = {0};
    char        text[4096];
    const char *overrides[] = {friction ? "mu=0.3" : "mu=0", c->more};
    snprintf(text, sizeof text, "%srecord: {%s}\n", c->text, c->records);
    log_capture_clear(&messages);
    if (zn_problem_parse(text, strlen(text), c->name, c->more ? 2 : 1, overrides, log_into(&messages), &r.problem))
        fail_msg("%s", messages.text);
    zn_sim_def def = r.problem->sim;
    def.scheme = *scheme;
    def.step = c->step;
    def.until = (c->ends && x->stop > 0 ? x->stop : c->steps) * c->step;
    def.record_every = 2;
    def.frames = 9;
    def.checkpoint_every = EVERY;
    def.progress = c->ends ? NULL : after_step;
    def.progress_user = x;
    def.log = log_into(&messages);
    def.recorder = (zn_recorder){x, take_begin, take_row, take_event, take_end, take_frame, take_checkpoint};
    CHECK_OK(zn_system_create(r.problem->model, &r.sys));
    if (zn_sim_create(r.sys, &def, &r.sim) != ZN_OK)
        r.sim = NULL;
    return r;
}

static void end(run *r)
{
    zn_sim_destroy(r->sim);
    zn_system_destroy(r->sys);
    zn_problem_destroy(r->problem);
}

static void check_same(const checkpoint_case *c, const char *scheme, const tape *a, const tape *b)
{
    if (a->values != b->values || memcmp(a->value, b->value, sizeof *a->value * (size_t)a->values) != 0)
        print_error("%s, %s: rows differ\n", c->name, scheme);
    assert_int_equal(a->values, b->values);
    CHECK_SAME_BITS(a->value, b->value, a->values);
    if (!c->ends) { // a shorter run has them closer together
        assert_int_equal(a->frames, b->frames);
        CHECK_SAME_BITS(a->frame, b->frame, a->frames);
    }
    assert_int_equal(a->events, b->events);
    for (int i = 0; i < a->events; i++) {
        const zn_event *p = &a->event[i], *q = &b->event[i];
        const double    one[] = {p->closed_at, p->opened_at, p->impulse, p->peak_force, p->approach};
        const double    two[] = {q->closed_at, q->opened_at, q->impulse, q->peak_force, q->approach};
        assert_true(zn_contact_id_same(p->contact, q->contact) && p->impact == q->impact && p->open == q->open);
        CHECK_SAME_BITS(one, two, 5);
    }
    zn_certificate one = a->certificate, two = b->certificate; // all but what it cost
    one.linear_solver = two.linear_solver = (zn_linsolver_info){0};
    one.loop_seconds = two.loop_seconds = 0;
    assert_memory_equal(&one, &two, sizeof one);
}

// `whole` never stops; `halves` stops, and goes on from what it had at its last checkpoint. False: the scheme refuses
// the model.
static bool restart(const checkpoint_case *c, const zn_scheme_def *scheme)
{
    tape *whole = calloc(2, sizeof *whole), *halves = whole + 1;
    bool  friction = true;
    run   r = start(c, scheme, friction, whole);
    if (!r.sim) {
        end(&r);
        friction = false;
        r = start(c, scheme, friction, whole);
    }
    bool taken = r.sim != NULL;
    if (taken) {
        if (zn_sim_run(r.sim) != ZN_OK)
            fail_msg("%s, %s: %s", c->name, scheme->scheme, messages.text);
        end(&r);
        halves->stop = c->stop;
        r = start(c, scheme, friction, halves);
        assert_int_equal(zn_sim_run(r.sim), c->ends ? ZN_OK : ZN_INTERRUPTED);
        end(&r);
        halves->stop = 0;
        halves->values = halves->values_then;
        halves->events = halves->events_then;
        halves->frames = halves->frames_then;
        r = start(c, scheme, friction, halves);
        void *checkpoint = halves->checkpoint;
        halves->checkpoint = NULL;
        CHECK_OK(zn_sim_restart(r.sim, checkpoint, halves->size));
        free(checkpoint);
        CHECK_OK(zn_sim_run(r.sim));
        check_same(c, scheme->scheme, whole, halves);
        assert_true(whole->certificate.impacts + whole->certificate.lasting_contacts > 0 ||
                    strcmp(c->name, "free") == 0 || strcmp(c->name, "chain") == 0);
        assert_true(c->newton_iterations == 0 || whole->certificate.retries > 0);
    }
    end(&r);
    free(whole->checkpoint);
    free(halves->checkpoint);
    free(whole);
    return taken;
}

static void restart_all(checkpoint_case c, int expected)
{
    int taken = 0;
    for (int i = 0; i < zn_scheme_count(); i++) {
        zn_scheme_def def = restart_scheme(i, c.solver);
        if (c.only && !strstr(c.only, def.scheme))
            continue;
        def.frozen_rows = c.pile;
        def.newton_iterations = c.newton_iterations > 0 ? c.newton_iterations : def.newton_iterations;
        taken += restart(&c, &def);
    }
    assert_int_equal(taken, expected);
}

static void test_cube(void **state)
{
    (void)state;
    restart_all((checkpoint_case){.name = "cube",
                                  .text = cube,
                                  .records = "v: 'cube[3].velocity', e: ledger, p: floor.force",
                                  .step = 2e-4,
                                  .steps = 24,
                                  .stop = 17,
                                  .solver = "klu"},
                9);
}

static void test_blocks(void **state)
{
    (void)state;
    restart_all((checkpoint_case){.name = "blocks",
                                  .text = blocks,
                                  .records = "v: 'upper[3].velocity', e: ledger",
                                  .step = 2e-4,
                                  .steps = 23,
                                  .stop = 18,
                                  .solver = "mumps"},
                9); // its factors stay
}

static void test_balls(void **state)
{
    (void)state;
    restart_all((checkpoint_case){.name = "balls",
                                  .text = balls,
                                  .records = "v: 'ball[3].velocity', e: ledger",
                                  .step = 1e-3,
                                  .steps = 23,
                                  .stop = 13},
                8);
    restart_all((checkpoint_case){.name = "pile",
                                  .text = balls,
                                  .records = "v: 'ball[3].velocity', e: ledger",
                                  .step = 1e-3,
                                  .steps = 23,
                                  .stop = 13,
                                  .more = "side=3",
                                  .only = "moreau_jean",
                                  .pile = true},
                1);
}

static void test_rolling_balls(void **state)
{
    (void)state;
    restart_all((checkpoint_case){.name = "rolling balls",
                                  .text = rolling_balls,
                                  .records = "v: 'ball[3].velocity', f: pile.force, e: ledger",
                                  .step = 1e-3,
                                  .steps = 23,
                                  .stop = 13,
                                  .only = "moreau_jean combined_projection nsga"},
                3);
}

static void test_chain(void **state)
{
    (void)state;
    restart_all((checkpoint_case){.name = "chain",
                                  .text = chain,
                                  .records = "v: 'beam[6].velocity', a: arm.acceleration, e: ledger",
                                  .step = 2e-4,
                                  .steps = 43,
                                  .stop = 27,
                                  .solver = "klu"},
                7);
}

static void test_journals(void **state)
{
    (void)state;
    restart_all(
        (checkpoint_case){.name = "journals",
                          .text = journals,
                          .records = "c: pin.eccentricity, f: pin.force, n: slide.closed, b: ball.force, e: ledger",
                          .step = 1e-3,
                          .steps = 23,
                          .stop = 13},
        8);
}

static void test_equilibrium(void **state)
{
    (void)state;
    checkpoint_case c = {.name = "hanging",
                         .text = hanging,
                         .records = "y: bob.position, e: ledger, p: stop.force",
                         .step = 1e-3,
                         .steps = 61,
                         .stop = 44};
    restart_all(c, 8);
    c.ends = true;
    for (c.stop = 25; c.stop <= 27; c.stop++) // at a checkpoint, with a row that was due or not
        restart_all(c, 8);
}

// Without contacts, so that smooth schemes take part.
static void test_smooth(void **state)
{
    (void)state;
    restart_all((checkpoint_case){.name = "free",
                                  .text = swinging,
                                  .records = "y: 'rod[4].position', e: ledger",
                                  .step = 1e-3,
                                  .steps = 33,
                                  .stop = 29},
                10);
}

// Some steps fail and are halved; with fewer iterations all of them do.
static void test_failing_steps(void **state)
{
    (void)state;
    for (int limit = 3; limit <= 4; limit++)
        restart_all((checkpoint_case){.name = "chain",
                                      .text = chain,
                                      .records = "v: 'beam[6].velocity', e: ledger",
                                      .step = 2e-3,
                                      .steps = 43,
                                      .stop = 27,
                                      .newton_iterations = limit,
                                      .only = "moreau_jean nsga"},
                    2);
}

// --- what is not a checkpoint of this run ------------------------------------------------------------

// The last checkpoint of a run of `scheme` that stops.
static tape *record(const checkpoint_case *c, const zn_scheme_def *scheme)
{
    tape *x = calloc(1, sizeof *x);
    x->stop = c->stop;
    run r = start(c, scheme, false, x);
    assert_int_equal(zn_sim_run(r.sim), ZN_INTERRUPTED);
    end(&r);
    x->stop = c->stop + 3;
    x->values = x->events = x->frames = 0;
    return x;
}

static void discard(tape *x)
{
    free(x->checkpoint);
    free(x);
}

// Restarting from these bytes tells this, or, without words, either is refused or goes on for some steps, whatever
// comes.
static void try_restart(const checkpoint_case *c, const zn_scheme_def *scheme, const void *data, size_t size,
                        const char *words)
{
    tape *x = calloc(1, sizeof *x);
    run   r = start(c, scheme, false, x);
    x->stop = c->stop + 3;
    log_capture_clear(&messages);
    zn_status status = zn_sim_restart(r.sim, data, size);
    if (words) {
        assert_true(status < 0);
        CHECK_LOGGED(&messages, words);
    } else if (status == ZN_OK)
        zn_sim_run(r.sim);
    end(&r);
    discard(x);
}

static const checkpoint_case small = {
    .name = "hanging", .text = hanging, .records = "y: bob.position", .step = 1e-3, .steps = 40, .stop = 22};

static void test_other_models(void **state)
{
    (void)state;
    zn_scheme_def   scheme = scheme_named("moreau_jean", 0.5), other = scheme_named("direct_projection", 0.5);
    tape           *x = record(&small, &scheme);
    checkpoint_case c = small;
    char            text[2048];
    const char     *changes[][3] = {{"[0, -1]}", "[0,-.9]}", "positions or velocities at the start differ"},
                                    {"mass: 1,", "mass: 2,", "masses differ"},
                                    {"[0, -9.81]", "[0, -9.82]", "forces at the start differ"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const char *at = strstr(hanging, changes[i][0]);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - hanging), hanging, changes[i][1],
                 at + strlen(changes[i][0]));
        c.text = text;
        try_restart(&c, &scheme, x->checkpoint, x->size, changes[i][2]);
    }
    c.text = swinging;
    c.records = "y: 'rod[4].position'";
    try_restart(&c, &scheme, x->checkpoint, x->size, "numbers of coordinates or contacts differ");
    try_restart(&small, &other, x->checkpoint, x->size, "of another scheme, not 'direct_projection'");
    c = small;
    c.step = 2e-3;
    try_restart(&c, &scheme, x->checkpoint, x->size, "another time grid");
    c = small;
    c.steps = 10;
    try_restart(&c, &scheme, x->checkpoint, x->size,
                "the checkpoint at t = 0.02 s is after the end of the run, 0.01 s");
    ((int64_t *)(void *)x->checkpoint)[0] -= 1;
    try_restart(&small, &scheme, x->checkpoint, x->size, "written by an older version");
    ((int64_t *)(void *)x->checkpoint)[0] += 2;
    try_restart(&small, &scheme, x->checkpoint, x->size, "written by another version");
    discard(x);
}

// Cut anywhere it is refused; with any word of it spoilt it is refused or harmless.
static void test_damage(void **state)
{
    (void)state;
    const char *const schemes[] = {"moreau_jean", "schatzman_paoli"};
    const uint64_t    nasty[] = {UINT64_MAX, 0x7ff8000000000000, 0x7fefffffffffffff, 0x7fffffff, 0};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        zn_scheme_def scheme = scheme_named(schemes[k], 0.5);
        tape         *x = record(&small, &scheme);
        size_t        count = x->size / 8;
        uint64_t     *words = malloc(x->size);
        for (size_t i = 0; i < count; i += 1 + 3 * k) {
            try_restart(&small, &scheme, x->checkpoint, 8 * i, "damaged");
            memcpy(words, x->checkpoint, x->size);
            words[i] = nasty[i % (sizeof nasty / sizeof *nasty)];
            try_restart(&small, &scheme, words, x->size, NULL);
        }
        free(words);
        discard(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equilibrium),   cmocka_unit_test(test_smooth), cmocka_unit_test(test_failing_steps),
        cmocka_unit_test(test_cube),          cmocka_unit_test(test_blocks), cmocka_unit_test(test_balls),
        cmocka_unit_test(test_rolling_balls), cmocka_unit_test(test_chain),  cmocka_unit_test(test_journals),
        cmocka_unit_test(test_other_models),  cmocka_unit_test(test_damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
