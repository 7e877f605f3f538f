// Checkpoints: steps, a restart in a program that starts anew and steps again give the bits of the run that wrote the
// checkpoint and went on; on linear models also those of a run that was never looked at. For every scheme, with every
// linear solver, with friction, joints, facets, shapes found by the broad phase and parts with their own steps.
#include "fixtures.h"
#include "restart_models.h"
#include "scheme_fixtures.h"

#include "system/system.h"
#include "zn/io.h"

typedef struct restart_case {
    const char *name, *text;
    double      step;
    int         before, after; ///< steps
    bool        linear;        ///< with straight contacts
    const char *solver;        ///< linear solver
    const char *more;          ///< override
    bool        pile;          ///< only the scheme for piles, as they want it
    int         touching;      ///< contacts that push at the end
} restart_case;

// One run: model, system, scheme and state, all its own.
typedef struct run {
    zn_problem *problem;
    rig         r;
} run;

static log_capture messages;

// Without a scheme when it refuses the model.
static run start(const restart_case *c, const zn_scheme_def *def, bool friction)
{
    run         x = {0};
    const char *overrides[] = {friction ? "mu=0.3" : "mu=0", c->more};
    log_capture_clear(&messages);
    if (zn_problem_parse(c->text, strlen(c->text), c->name, c->more ? 2 : 1, overrides, log_into(&messages),
                         &x.problem))
        fail_msg("%s", messages.text);
    CHECK_OK(zn_system_create(x.problem->model, &x.r.sys));
    CHECK_OK(zn_state_create(x.r.sys, &x.r.state));
    if (zn_scheme_create(def, x.r.sys, &x.r.scheme) != ZN_OK)
        x.r.scheme = NULL;
    return x;
}

static void end(run *x)
{
    rig_close(&x->r);
    x->problem = zn_problem_destroy(x->problem);
}

static void steps(run *x, int count, double h)
{
    for (int k = 0; k < count; k++)
        if (zn_scheme_step(x->r.scheme, x->r.state, h, &x->r.info) != ZN_OK)
            fail_msg("step %d failed at '%s': %s", k, x->r.info.failed, messages.text);
}

// Contacts that push: the runs must not be of free flight.
static int touching(const run *x)
{
    const zn_contact_set *set = x->r.state->contacts;
    int                   count = 0;
    for (int i = 0; i < set->count; i++)
        count += !set->bilateral[i] && set->impulse[i * set->stride] > 0;
    return count;
}

static void check_same_run(run *a, run *b, const restart_case *c, const char *scheme, const char *what)
{
    if (memcmp(a->r.state->v, b->r.state->v, sizeof(double) * (size_t)zn_system_get_info(a->r.sys).n_all) != 0)
        print_error("%s, %s, %s: %s\n", c->name, c->solver ? c->solver : "", scheme, what);
    check_same_state(a->r.sys, a->r.state, b->r.state);
    CHECK_SAME_BITS(a->r.info.ledger, b->r.info.ledger, ZN_LEDGER_LINES);
}

// Everything a checkpoint holds goes from one program to the other.
static void hand_over(run *from, run *to)
{
    int     size = zn_scheme_history_size(from->r.scheme);
    double *history = calloc((size_t)size + 1, sizeof *history);
    zn_scheme_history_save(from->r.scheme, history);
    CHECK_OK(zn_state_copy(from->r.sys, from->r.state, to->r.state));
    CHECK_OK(zn_scheme_history_load(to->r.scheme, history, size));
    free(history);
}

// `saved` writes a checkpoint and goes on, `resumed` starts from it, `whole` never stops. False: the scheme refuses the
// model.
static bool restart(const restart_case *c, const zn_scheme_def *def)
{
    bool friction = true;
    run  saved = start(c, def, friction);
    if (!saved.r.scheme) {
        end(&saved);
        friction = false;
        saved = start(c, def, friction);
    }
    bool taken = saved.r.scheme != NULL;
    if (taken) {
        run resumed = start(c, def, friction);
        steps(&saved, c->before, c->step);
        hand_over(&saved, &resumed);
        steps(&saved, c->after, c->step);
        steps(&resumed, c->after, c->step);
        assert_true(touching(&saved) >= c->touching);
        check_same_run(&saved, &resumed, c, def->scheme, "a resumed run differs");
        end(&resumed);
    }
    if (taken && c->linear) {
        run whole = start(c, def, friction);
        steps(&whole, c->before + c->after, c->step);
        check_same_run(&saved, &whole, c, def->scheme, "a checkpoint changes the run");
        end(&whole);
    }
    end(&saved);
    return taken;
}

// All schemes that take the model.
static void restart_all(restart_case c, int expected)
{
    int taken = 0;
    for (int i = 0; i < zn_scheme_count(); i++) {
        zn_scheme_def def = restart_scheme(i, c.solver);
        if (strcmp(def.scheme, "trapezoidal") == 0 && !c.linear)
            continue; // its velocities shake more and more
        if (c.pile && strcmp(def.scheme, "moreau_jean") != 0)
            continue;
        def.frozen_rows = c.pile;
        taken += restart(&c, &def);
    }
    assert_int_equal(taken, expected);
}

static void test_linear(void **state)
{
    (void)state;
    restart_all((restart_case){.name = "cube",
                               .text = cube,
                               .step = 2e-4,
                               .before = 12,
                               .after = 10,
                               .linear = true,
                               .solver = "mumps",
                               .touching = 2},
                9);
    restart_all((restart_case){.name = "cube",
                               .text = cube,
                               .step = 2e-4,
                               .before = 12,
                               .after = 10,
                               .linear = true,
                               .solver = "klu",
                               .touching = 2},
                9);
}

static void test_facets(void **state)
{
    (void)state;
    restart_all((restart_case){.name = "blocks",
                               .text = blocks,
                               .step = 2e-4,
                               .before = 12,
                               .after = 11,
                               .solver = "mumps",
                               .touching = 2},
                8);
}

static void test_surfaces(void **state)
{
    (void)state;
    static const char *const schemes[] = {"energy_momentum", "nsga", "moreau_jean"};
    const restart_case       c = {
              .name = "surfaces", .text = surfaces, .step = 2e-4, .before = 11, .after = 7, .touching = 2};
    for (int i = 0; i < 3; i++) {
        zn_scheme_def def = scheme_named(schemes[i], 0.5);
        assert_true(restart(&c, &def));
    }
}

static void test_shapes(void **state)
{
    (void)state;
    restart_all((restart_case){.name = "balls", .text = balls, .step = 1e-3, .before = 12, .after = 11, .touching = 2},
                7);
    restart_all((restart_case){.name = "pile",
                               .text = balls,
                               .step = 1e-3,
                               .before = 12,
                               .after = 11,
                               .more = "side=3",
                               .pile = true,
                               .touching = 2},
                1);
}

// A face of 49 contacts on facets, and a heap, whose islands are swept from the impulses of the last step.
static const char faces[] =
    HEAD "parameters: {mu: 0.3}\n"
         "materials: {soft: {young: 900, poisson: 0.3, density: 1}}\n"
         "parts:\n"
         "  lower: {element: solid, material: soft, model: saint_venant_kirchhoff, mass: lumped,\n"
         "    mesh: {box: {from: [0, 0, -0.05], to: [0.1, 0.1, 0], elements: [5, 5, 1]}}}\n"
         "  upper: {element: solid, material: soft, model: saint_venant_kirchhoff, velocity: [0.5, 0.2, -1], mass: "
         "lumped,\n"
         "    mesh: {box: {from: [0.004, 0.007, 0.0004], to: [0.09, 0.08, 0.05], elements: [6, 6, 1]}}}\n"
         "contacts:\n"
         "  rub: {points: upper.zmin, surface: {part: lower, face: zmax}, friction: mu}\n";

static void test_large_islands(void **state)
{
    (void)state;
    const restart_case list[] = {
        {.name = "faces", .text = faces, .step = 2e-4, .before = 5, .after = 7, .touching = 40},
        {.name = "pile", .text = balls, .step = 1e-3, .before = 12, .after = 11, .more = "side=3", .touching = 2}};
    zn_scheme_def def = scheme_named("cd_lagrange", 0.5);
    for (int i = 0; i < 2; i++)
        assert_true(restart(&list[i], &def));
}

static void test_joints(void **state)
{
    (void)state;
    restart_all(
        (restart_case){.name = "chain", .text = chain, .step = 2e-4, .before = 22, .after = 21, .solver = "klu"}, 6);
}

static void test_travels(void **state)
{
    (void)state;
    const restart_case c = {.name = "turning", .text = turning, .step = 2e-3, .before = 22, .after = 21, .touching = 1};
    restart_all(c, 7);
    zn_scheme_def def = scheme_named("combined_projection", 0.5);
    run           x = start(&c, &def, true);
    steps(&x, 43, c.step); // nearly 5.5 turns, which no quaternion tells
    CHECK_NEAR(x.r.state->q[x.r.sys->layout.memory], 400 * 43 * c.step, 1e-9);
    end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_linear),        cmocka_unit_test(test_facets),
                                       cmocka_unit_test(test_surfaces),      cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_large_islands), cmocka_unit_test(test_joints),
                                       cmocka_unit_test(test_travels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
