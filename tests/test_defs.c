// Defs of other headers: one that no default function made is refused, an older one, which is the beginning of ours,
// gets defaults for the rest, a newer one is refused. Older defs are blocks of exactly their size, so that the
// sanitizer sees a byte too many.
#include <stdlib.h>

#include "fixtures.h"
#include "scheme_fixtures.h"
#include "zn/io.h"
#include "zn/sim.h"
#include "zn/statics.h"

// --- refusals --------------------------------------------------------------------------------------

typedef struct target {
    zn_model  *model;
    zn_system *sys;
    zn_state  *state;
    zn_log     log;
} target;

// TAKER(type, call with `def`): what takes a def of this type.
#define TAKER(type, call)                                                                                              \
    static zn_status take_##type(target *t, const void *given)                                                         \
    {                                                                                                                  \
        const zn_##type##_def *def = given;                                                                            \
        (void)t;                                                                                                       \
        return call;                                                                                                   \
    }
#define ADDER(type) TAKER(type, zn_model_add_##type(t->model, def))

static zn_status create_scheme(const target *t, const zn_scheme_def *def)
{
    zn_scheme *scheme = NULL;
    zn_status  status = zn_scheme_create(def, t->sys, &scheme);
    zn_scheme_destroy(scheme);
    return status;
}

static zn_status create_sim(const target *t, const zn_sim_def *def)
{
    zn_sim   *sim = NULL;
    zn_status status = zn_sim_create(t->sys, def, &sim);
    zn_sim_destroy(sim);
    return status;
}

TAKER(node, zn_model_add_node(t->model, def, NULL))
TAKER(body, zn_model_add_body(t->model, def, NULL))
TAKER(tied_body, zn_model_add_tied_body(t->model, def, NULL))
ADDER(spring)
ADDER(bar)
ADDER(beam)
ADDER(solid)
ADDER(force)
ADDER(moment)
ADDER(acceleration)
ADDER(pressure)
ADDER(joint)
ADDER(contact)
ADDER(shape)
ADDER(pairs)
ADDER(lattice)
ADDER(lagrangian)
TAKER(scheme, create_scheme(t, def))
TAKER(sim, create_sim(t, def))
TAKER(import, zn_import(def, t->log, stdout))
TAKER(equilibrium, zn_equilibrium_solve(t->sys, def, t->state, NULL))

static const struct {
    const char *name;
    size_t      size;
    zn_status (*take)(target *t, const void *def);
} table[] = {
#define ROW(type)                                                                                                      \
    {                                                                                                                  \
        "zn_" #type "_def", sizeof(zn_##type##_def), take_##type                                                       \
    }
    ROW(node),  ROW(body),    ROW(tied_body),    ROW(spring),   ROW(bar),   ROW(beam),        ROW(solid),
    ROW(force), ROW(moment),  ROW(acceleration), ROW(pressure), ROW(joint), ROW(contact),     ROW(shape),
    ROW(pairs), ROW(lattice), ROW(lagrangian),   ROW(scheme),   ROW(sim),   ROW(equilibrium), ROW(import),
#undef ROW
};

static void check_refused(size_t i, target *t, const void *def, log_capture *log, const char *why)
{
    char words[128];
    snprintf(words, sizeof words, "%s: %s", table[i].name, why);
    log_capture_clear(log);
    CHECK_STATUS(table[i].take(t, def), ZN_ERR_ARGUMENT);
    CHECK_LOGGED(log, words);
}

static void test_refused(void **state)
{
    (void)state;
    log_capture log = {0};
    target      t = {.model = planar_model(9.81, log_into(&log)), .log = log_into(&log)};
    add_point(t.model, 1, 0);
    CHECK_OK(zn_system_create(t.model, &t.sys));
    CHECK_OK(zn_state_create(t.sys, &t.state));
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t  newer = table[i].size + 8;
        size_t *def = calloc(1, newer);
        assert_non_null(def);
        check_refused(i, &t, def, &log, "not made by its default function");
        check_refused(i, &t, NULL, &log, "there is none");
        *def = newer;
        check_refused(i, &t, def, &log, "");
        CHECK_LOGGED(&log, "it is of a newer header");
        free(def);
    }
    zn_state_destroy(t.state);
    zn_system_destroy(t.sys);
    zn_model_destroy(t.model);
}

// zn_model_def brings its own log, which is not to be trusted before the size is.
static void test_model_refused(void **state)
{
    (void)state;
    zn_model    *model = NULL;
    zn_model_def def = zn_model_def_default();
    def.size = 0;
    CHECK_STATUS(zn_model_create(&def, &model), ZN_ERR_ARGUMENT);
    def.size = sizeof def + 8;
    CHECK_STATUS(zn_model_create(&def, &model), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_model_create(NULL, &model), ZN_ERR_ARGUMENT);
    assert_null(model);
}

// --- older ones ------------------------------------------------------------------------------------

// The first `size` bytes of a def, as a header has it that knows no more.
static void *older(const void *def, size_t size)
{
    void *old = malloc(size);
    assert_non_null(old);
    memcpy(old, def, size);
    memcpy(old, &size, sizeof size);
    return old;
}

#define OLDER(type, def, last) older(&(def), offsetof(type, last))

// What an older default function gets is what ours has, as far as it goes.
#define CHECK_RESET(type, last)                                                                                        \
    do {                                                                                                               \
        type   full = type##_default();                                                                                \
        size_t size = offsetof(type, last);                                                                            \
        type  *old = OLDER(type, full, last);                                                                          \
        memset((char *)old + sizeof size, 0x5a, size - sizeof size);                                                   \
        type##_reset(old);                                                                                             \
        assert_int_equal(*(size_t *)old, size);                                                                        \
        assert_memory_equal((char *)old + sizeof size, (char *)&full + sizeof size, size - sizeof size);               \
        free(old);                                                                                                     \
    } while (0)

static void test_older_defaults(void **state)
{
    (void)state;
    CHECK_RESET(zn_body_def, rotation);
    CHECK_RESET(zn_spring_def, rest_length);
    CHECK_RESET(zn_point_def, point);
    CHECK_RESET(zn_span_def, axes);
    CHECK_RESET(zn_node_def, velocity);
    CHECK_RESET(zn_scheme_def, linear_solver);
    CHECK_RESET(zn_equilibrium_def, linear_solver);
}

static double kinetic_energy(const zn_system *sys)
{
    zn_state *state;
    CHECK_OK(zn_state_create(sys, &state));
    double kinetic = state->energy.kinetic;
    zn_state_destroy(state);
    return kinetic;
}

static void test_older_body(void **state)
{
    (void)state;
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def def = zn_body_def_default();
    zn_node_id  node;
    def.name = "ball";
    def.mass = 2;
    def.velocity = zn_vec3_make(3, 0, 0);
    zn_body_def *old = OLDER(zn_body_def, def, inertia3); // before bodies in space
    CHECK_OK(zn_model_add_body(model, old, &node));
    free(old);
    fixture f = compile_fixture(model);
    CHECK_NEAR(kinetic_energy(f.sys), 0.5 * 2 * 9, 1e-12);
    destroy_fixture(&f);
}

// NaN, the default of the rest length, stands for the initial length: no force; 0 would pull.
static void test_older_spring(void **state)
{
    (void)state;
    zn_model     *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_spring_def def = zn_spring_def_default();
    zn_body_def   body = zn_body_def_default();
    double        force[2] = {1, 1};
    body.name = "ball";
    body.mass = 1;
    body.position = zn_vec3_make(2, 0, 0);
    CHECK_OK(zn_model_add_body(model, &body, &def.to.node));
    def.name = "spring";
    def.stiffness = 100;
    def.rest_length = 0;
    zn_spring_def *old = OLDER(zn_spring_def, def, rest_length);
    CHECK_OK(zn_model_add_spring(model, old));
    free(old);
    fixture   f = compile_fixture(model);
    zn_state *start;
    CHECK_OK(zn_state_create(f.sys, &start));
    CHECK_OK(zn_system_force(f.sys, (zn_at){start->q, start->v, 0, 0}, force));
    zn_state_destroy(start);
    CHECK_NEAR(force[0], 0, 0);
    CHECK_NEAR(force[1], 0, 0);
    destroy_fixture(&f);
}

// --- a def that holds others, all of them older --------------------------------------------------------

typedef struct old_sim {
    char  *bytes;
    size_t shift; // of what comes after the def of the scheme
} old_sim;

// zn_sim_def of a header where the defs of scheme and equilibrium lack their last options.
static old_sim older_sim(const zn_sim_def *def)
{
    size_t      scheme = offsetof(zn_scheme_def, linear_solver), rest = offsetof(zn_equilibrium_def, linear_solver);
    size_t      after_scheme = offsetof(zn_sim_def, scheme) + sizeof def->scheme;
    size_t      after = offsetof(zn_sim_def, equilibrium) + sizeof def->equilibrium;
    size_t      shift = sizeof def->scheme - scheme, shift_after = shift + sizeof def->equilibrium - rest;
    size_t      size = sizeof *def - shift_after;
    char       *old = malloc(size);
    const char *from = (const char *)def;
    assert_non_null(old);
    memcpy(old, &size, sizeof size);
    memcpy(old + offsetof(zn_sim_def, scheme), &def->scheme, scheme);
    memcpy(old + offsetof(zn_sim_def, scheme), &scheme, sizeof scheme);
    memcpy(old + after_scheme - shift, from + after_scheme, offsetof(zn_sim_def, equilibrium) - after_scheme);
    memcpy(old + offsetof(zn_sim_def, equilibrium) - shift, &def->equilibrium, rest);
    memcpy(old + offsetof(zn_sim_def, equilibrium) - shift, &rest, sizeof rest);
    memcpy(old + after - shift_after, from + after, sizeof *def - after);
    return (old_sim){old, shift};
}

static double end_of(const zn_system *sys, const zn_sim_def *def)
{
    zn_sim *sim = NULL;
    CHECK_OK(zn_sim_create(sys, def, &sim));
    CHECK_OK(zn_sim_run(sim));
    double q = zn_sim_state(sim)->q[1];
    zn_sim_destroy(sim);
    return q;
}

static void test_older_sim(void **state)
{
    (void)state;
    fixture    f = make_ball(0.5);
    zn_sim_def def = zn_sim_def_default();
    def.scheme.theta = 1;
    def.step = 1e-2;
    def.until = 1;
    old_sim old = older_sim(&def);
    double  expected = end_of(f.sys, &def), found = end_of(f.sys, (const zn_sim_def *)(void *)old.bytes);
    assert_memory_equal(&expected, &found, sizeof found);
    free(old.bytes);
    destroy_fixture(&f);
}

// The step is written where the older header has it.
static void test_older_sim_resolved(void **state)
{
    (void)state;
    fixture    f = make_bar(10, 1, 0, ZN_MASS_LUMPED);
    zn_sim_def def = zn_sim_def_default();
    def.scheme.scheme = "cd_lagrange";
    def.step_cfl = 0.5;
    def.until = 1;
    old_sim old = older_sim(&def);
    CHECK_OK(zn_sim_def_resolve(f.sys, &def));
    CHECK_OK(zn_sim_def_resolve(f.sys, (zn_sim_def *)(void *)old.bytes));
    assert_true(def.step > 0);
    assert_memory_equal(old.bytes + offsetof(zn_sim_def, step) - old.shift, &def.step, sizeof def.step);
    free(old.bytes);
    destroy_fixture(&f);
}

static void test_inner_refused(void **state)
{
    (void)state;
    log_capture      log = {0};
    zn_model        *model = make_model(false, zn_vec3_make(0, 0, 0), &log);
    zn_tied_body_def def = zn_tied_body_def_default();
    const size_t     wrong[] = {0, sizeof def.body + 8};
    for (int i = 0; i < 2; i++) {
        def.body.size = wrong[i];
        CHECK_STATUS(zn_model_add_tied_body(model, &def, NULL), ZN_ERR_ARGUMENT);
        CHECK_LOGGED(&log, "zn_tied_body_def: a def inside of it");
        log_capture_clear(&log);
    }
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_model_refused),
        cmocka_unit_test(test_older_defaults), cmocka_unit_test(test_older_body),
        cmocka_unit_test(test_older_spring),   cmocka_unit_test(test_older_sim),
        cmocka_unit_test(test_inner_refused),  cmocka_unit_test(test_older_sim_resolved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
