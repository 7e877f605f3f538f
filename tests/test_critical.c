// A model that becomes stiffer as it moves: the step is refused once it exceeds the critical one, with the number, and
// the state stays as it was; smaller steps go on.
#include "scheme_fixtures.h"
#include "solid_models.h"

// A block of neo-Hookean elements whose ends approach each other.
static zn_model *squeezed(log_capture *log)
{
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), log);
    zn_mesh     *mesh = make_mesh(ZN_QUAD4, zn_vec3_make(1, 0.5, 0), 8, 4, 0);
    zn_solid_def def = soft_solid((solid_case){ZN_QUAD4, ZN_SOLID_NEO_HOOKEAN, ZN_PLANE_STRAIN}, mesh);
    def.mass = ZN_MASS_LUMPED;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
    return model;
}

static void set_speeds(const rig *r, double speed)
{
    for (int i = 0; i < r->sys->layout.nodes; i++)
        r->state->v[r->sys->layout.node[i].dof[0]] = speed * (0.5 - r->sys->layout.node[i].origin.x);
    CHECK_OK(zn_state_update(r->sys, r->state));
}

static double critical_of(const rig *r)
{
    zn_critical c;
    CHECK_OK(zn_system_critical_step(r->sys, (zn_at){r->state->q, r->state->v, r->state->t, 0}, &c));
    return c.step;
}

static zn_scheme_def explicit_scheme(void) { return scheme_named("cd_lagrange", 0.5); }

// Stops before the energy grows: what entered is all that is there.
static void test_refused_on_the_way(void **test)
{
    (void)test;
    log_capture  log = {0};
    rig          r = rig_open(squeezed(&log), explicit_scheme());
    double       h = 0.95 * critical_of(&r), last[512];
    zn_step_info info = {0};
    zn_status    status = ZN_OK;
    set_speeds(&r, 3);
    double start = energy_of(&r);
    int    steps = 0;
    for (; status == ZN_OK && steps < 2000; steps++) {
        memcpy(last, r.state->q, sizeof *last * (size_t)r.sys->info.nq);
        status = zn_scheme_step(r.scheme, r.state, h, &info);
        if (status == ZN_OK)
            CHECK_BELOW(energy_of(&r), 1.2 * start);
    }
    CHECK_STATUS(status, ZN_ERR_ARGUMENT);
    CHECK_LOGGED(&log, "exceeds the critical step");
    CHECK_LOGGED(&log, "which has become smaller");
    assert_string_equal(info.failed, "critical step");
    assert_memory_equal(last, r.state->q, sizeof *last * (size_t)r.sys->info.nq);
    assert_true(critical_of(&r) < h);
    print_message("refused after %d steps: h %.4g s, critical %.4g s\n", steps, h, critical_of(&r));
    // with a smaller step it goes on from there
    for (int k = 0; k < 50; k++) {
        CHECK_OK(zn_scheme_step(r.scheme, r.state, h / 4, &info));
        CHECK_BELOW(energy_of(&r), 1.2 * start);
    }
    rig_close(&r);
}

// The same with steps that stay below: nothing is refused, and energy is kept.
static void test_small_steps_pass(void **test)
{
    (void)test;
    rig    r = rig_open(squeezed(NULL), explicit_scheme());
    double h = 0.25 * critical_of(&r), smallest = INFINITY;
    set_speeds(&r, 3);
    double start = energy_of(&r);
    for (int k = 0; k < 400; k++) {
        rig_step(&r, h);
        smallest = fmin(smallest, k % 20 == 0 ? critical_of(&r) : INFINITY);
        CHECK_NEAR(energy_of(&r), start, 0.05 * start);
    }
    assert_true(smallest > h && smallest < 0.9 * 4 * h); // it did become smaller
    rig_close(&r);
}

// Held on all sides and deformed alike everywhere, by hand: nothing moves.
static rig held_block(log_capture *log, const double A[3][3])
{
    zn_model *model = squeezed(log);
    CHECK_OK(zn_model_fix_node_set(model, "body.surface", ZN_FIX_X | ZN_FIX_Y));
    rig r = rig_open(model, explicit_scheme());
    set_gradient(r.sys, A, r.state->q);
    CHECK_OK(zn_state_update(r.sys, r.state));
    return r;
}

static int steps_until_refused(rig *r, double h, double *speed)
{
    zn_step_info info = {0};
    int          steps = 0;
    while (steps < 6000 && zn_scheme_step(r->scheme, r->state, h, &info) == ZN_OK) {
        steps++;
        for (int i = 0; i < r->sys->info.n; i++)
            *speed = fmax(*speed, fabs(r->state->v[i]));
    }
    return steps;
}

// Much too large a step: rounding grows from step to step, and is seen long before it matters.
static void test_instability_tells(void **test)
{
    (void)test;
    const double none[3][3] = {{0}}, squeeze[3][3] = {{-0.2, 0, 0}, {0, -0.2, 0}, {0, 0, 0}};
    log_capture  log = {0};
    rig          r = held_block(&log, none);
    double       h = 0.95 * critical_of(&r), speed = 0;
    rig_step(&r, h);
    set_gradient(r.sys, squeeze, r.state->q);
    assert_true(critical_of(&r) < h);
    int steps = steps_until_refused(&r, h, &speed);
    print_message("refused after %d steps with speeds up to %.2g m/s\n", steps, speed);
    assert_true(steps < 100);
    CHECK_LOGGED(&log, "which has become smaller");
    CHECK_BELOW(speed, 1e-3);
    rig_close(&r);
}

// Too large by a millionth: nothing grows so soon, but the next look sees it.
static void test_looked_at_again(void **test)
{
    (void)test;
    const double far[3][3] = {{0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0}}, near[3][3] = {{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0}};
    log_capture  log = {0};
    rig          r = held_block(&log, near);
    double       h = critical_of(&r) * (1 + 1e-6), speed = 0;
    rig_close(&r);
    r = held_block(&log, far);
    assert_true(critical_of(&r) > h);
    rig_step(&r, h);
    set_gradient(r.sys, near, r.state->q);
    int steps = steps_until_refused(&r, h, &speed);
    assert_true(steps > 1000 && steps < 6000);
    CHECK_LOGGED(&log, "which has become smaller");
    CHECK_BELOW(speed, 1e-6);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_on_the_way),
        cmocka_unit_test(test_small_steps_pass),
        cmocka_unit_test(test_instability_tells),
        cmocka_unit_test(test_looked_at_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
