// A model that becomes stiffer as it moves: the step is refused once it exceeds the critical one, with the number, and
// the state stays as it was; smaller steps go on.
// Bounds that are sharper than those of elements, spin, mass scaling, and steps that follow the critical one.
#include "scheme_fixtures.h"
#include "solid_models.h"
#include "system/critical.h"
#include "system/critical_lanczos.h"
#include "zn/sim.h"

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

// The bound for steps beyond that of the elements.
static double sharp_of(const rig *r)
{
    zn_at               at = {r->state->q, r->state->v, 0, 0};
    zn_critical_search *search = NULL;
    zn_lanczos         *lanczos = NULL;
    zn_critical         out;
    CHECK_OK(zn_critical_search_create(r->sys, "test", &search));
    CHECK_OK(zn_critical_search_run(search, at, &out));
    CHECK_OK(zn_lanczos_create(r->sys, &lanczos));
    CHECK_OK(zn_lanczos_sharpen(lanczos, at, &out));
    zn_lanczos_destroy(lanczos);
    zn_critical_search_destroy(search);
    return out.step;
}

// Too large by a millionth: nothing grows so soon, but the next look sees it.
static void test_looked_at_again(void **test)
{
    (void)test;
    const double far[3][3] = {{0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0}}, near[3][3] = {{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0}};
    log_capture  log = {0};
    rig          r = held_block(&log, near);
    double       h = sharp_of(&r) * (1 + 1e-6), speed = 0;
    assert_true(h > critical_of(&r));
    rig_close(&r);
    r = held_block(&log, far);
    assert_true(sharp_of(&r) > h);
    rig_step(&r, h);
    set_gradient(r.sys, near, r.state->q);
    int steps = steps_until_refused(&r, h, &speed);
    assert_true(steps > 1000 && steps < 6000);
    CHECK_LOGGED(&log, "which has become smaller");
    CHECK_BELOW(speed, 1e-6);
    rig_close(&r);
}

// --- a sharper bound -------------------------------------------------------------------------------

// Tetrahedra, whose elements tell little of the whole: longer than their bound, never longer than what is stable. What
// has been found is known to all who ask, wherever the model is then.
static void test_sharp_bound(void **test)
{
    (void)test;
    zn_model    *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_mesh     *mesh = make_mesh(ZN_TET4, zn_vec3_make(1, 1, 1), 3, 3, 3);
    zn_solid_def def = soft_solid((solid_case){ZN_TET4, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
    def.mass = ZN_MASS_LUMPED;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
    rig                 r = rig_open(model, explicit_scheme());
    zn_at               at = {r.state->q, r.state->v, 0, 0};
    zn_critical_search *search = NULL;
    zn_critical         elements, power, known;
    CHECK_OK(zn_critical_search_create(r.sys, "test", &search));
    CHECK_OK(zn_critical_search_run(search, at, &elements));
    CHECK_OK(zn_system_critical_power(r.sys, at, 1e-13, &power));
    CHECK_OK(zn_critical_at_least(r.sys, at, elements.step, &known));
    assert_true(known.step == elements.step);
    double sharp = critical_of(&r);
    CHECK_OK(zn_critical_at_least(r.sys, at, elements.step, &known));
    assert_true(known.step == sharp);
    print_message("elements %.5g s, certified %.5g s, power iteration %.5g s\n", elements.step, sharp, power.step);
    CHECK_BELOW(1.1 * elements.step, sharp);
    CHECK_BELOW(0.98 * power.step, sharp);
    CHECK_BELOW(sharp, power.step * (1 + 1e-9));
    for (int i = 0; i < r.sys->info.n; i++)
        r.state->v[i] = fmod(0.7548776662466927 * (i + 1), 1.0) - 0.5;
    CHECK_OK(zn_state_update(r.sys, r.state));
    double start = energy_of(&r);
    for (int k = 0; k < 500; k++) {
        rig_step(&r, 0.98 * sharp);
        CHECK_BELOW(energy_of(&r), 3 * start);
    }
    zn_critical_search_destroy(search);
    rig_close(&r);
}

// Products alone: never above what is stable, and within the 4 % that 60 of them leave, whatever the elements are.
static void check_lanczos(zn_solid_shape shape, zn_solid_model kind, int n, double bend, double expected)
{
    uint64_t   seed = 3;
    zn_model  *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_mesh   *mesh = make_mesh(shape, zn_vec3_make(1, 1, 1), n, n, n);
    solid_case c = {shape, kind, ZN_PLANE_STRAIN};
    distort(mesh, bend / n, &seed);
    zn_solid_def def = soft_solid(c, mesh);
    def.mass = ZN_MASS_LUMPED;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
    rig                 r = rig_open(model, explicit_scheme());
    zn_at               at = {r.state->q, r.state->v, 0, 0};
    zn_critical_search *search = NULL;
    zn_lanczos         *lanczos = NULL;
    zn_critical         elements, power, sharp;
    CHECK_OK(zn_critical_search_create(r.sys, "test", &search));
    CHECK_OK(zn_critical_search_run(search, at, &elements));
    CHECK_OK(zn_system_critical_power(r.sys, at, 1e-13, &power));
    CHECK_OK(zn_lanczos_create(r.sys, &lanczos));
    sharp = elements;
    CHECK_OK(zn_lanczos_sharpen(lanczos, at, &sharp));
    print_message("elements %.5g s, products %.5g s, power iteration %.5g s\n", elements.step, sharp.step, power.step);
    CHECK_BELOW(expected * elements.step, sharp.step);
    CHECK_BELOW(0.96 * power.step, sharp.step);
    CHECK_BELOW(sharp.step, power.step);
    zn_lanczos_destroy(lanczos);
    zn_critical_search_destroy(search);
    rig_close(&r);
}

static void test_lanczos(void **test)
{
    (void)test;
    check_lanczos(ZN_TET4, ZN_SOLID_LINEAR, 5, 0, 1.1);
    check_lanczos(ZN_TET4, ZN_SOLID_SAINT_VENANT_KIRCHHOFF, 4, 0.2, 1.05);
    check_lanczos(ZN_HEX8, ZN_SOLID_NEO_HOOKEAN, 4, 0.2, 1);
}

// --- spin ------------------------------------------------------------------------------------------

// A body about its axis z: C has (J3 - J2) W and (J1 - J3) W across, so that with J = (2, 2, 3) h W/2 <= 1.
static void test_spin(void **test)
{
    (void)test;
    zn_model_def m = zn_model_def_default();
    zn_model    *model = NULL;
    zn_body_def  body = zn_body_def_default();
    zn_node_id   node = {0};
    zn_step_info info;
    const double spin = 40;
    CHECK_OK(zn_model_create(&m, &model));
    body.mass = 2;
    body.inertia3 = (zn_mat3){{{2, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
    body.spin3 = zn_vec3_make(0.01, 0, spin);
    CHECK_OK(zn_model_add_body(model, &body, &node));
    rig    r = rig_open(model, explicit_scheme());
    double h = critical_of(&r);
    CHECK_NEAR(h * spin / 2, 1, 1e-3);
    CHECK_STATUS(zn_scheme_step(r.scheme, r.state, 1.01 * h, &info), ZN_ERR_ARGUMENT);
    double start = energy_of(&r);
    for (int k = 0; k < 1000; k++)
        rig_step(&r, 0.2 * h);
    CHECK_NEAR(energy_of(&r) / start, 1, 1e-4);
    rig_close(&r);
}

// --- mass scaling ----------------------------------------------------------------------------------

// A bar with an end of elements a tenth as long: f = (h c/l)^2 of the mass of each makes it bear h.
static zn_model *graded_bar(void)
{
    zn_model  *model = planar_model(0, (zn_log){0});
    zn_bar_def bar = zn_bar_def_default();
    bar.young = 2e11, bar.density = 8000, bar.area = 1e-3; // 5000 m/s
    bar.mass = ZN_MASS_LUMPED;
    bar.fixed = ZN_FIX_Y;
    bar.velocity = zn_vec3_make(3, 0, 0);
    bar.name = "rod", bar.to = zn_vec3_make(0.5, 0, 0), bar.elements = 50;
    CHECK_OK(zn_model_add_bar(model, &bar));
    bar.first_node = zn_model_find_node(model, "rod[50]");
    bar.name = "end", bar.from = bar.to, bar.to = zn_vec3_make(0.51, 0, 0), bar.elements = 10;
    CHECK_OK(zn_model_add_bar(model, &bar));
    return model;
}

static void test_mass_scaling(void **test)
{
    (void)test;
    const double  h = 1.5e-6, factor = (h * 5000 / 0.001) * (h * 5000 / 0.001), added = (factor - 1) * 8 * 0.01;
    zn_scheme_def def = explicit_scheme();
    zn_step_info  info;
    rig           r = rig_open(graded_bar(), def);
    CHECK_STATUS(zn_scheme_step(r.scheme, r.state, h, &info), ZN_ERR_ARGUMENT);
    rig_close(&r);
    def.mass_scaling = h;
    r = rig_open(graded_bar(), def);
    for (int i = 0; i < r.sys->layout.nodes; i++) // a wave on top of the motion
        r.state->v[r.sys->layout.node[i].dof[0]] += cos(3 * r.sys->layout.node[i].origin.x / 0.51);
    CHECK_OK(zn_state_update(r.sys, r.state));
    double         start = energy_of(&r), entered = 0, worst = 0;
    zn_scheme_info about;
    CHECK_OK(zn_scheme_describe(&def, r.sys, 0, &about));
    CHECK_NEAR(about.critical.step / h, 1, 1e-9);
    CHECK_NEAR(about.added_mass / added, 1, 1e-9);
    for (int k = 0; k < 300; k++) {
        rig_step(&r, h);
        double kinetic = 0, stored = 0;
        for (int i = 0; i < ZN_LEDGER_LINES; i++)
            *(i < ZN_LEDGER_STORED ? &stored : &entered) += r.info.ledger[i];
        worst = fmax(worst, fabs(stored - start - entered));
        zn_energy energy;
        CHECK_OK(zn_system_energy(r.sys, (zn_at){r.state->q, r.state->v, r.state->t, 0}, &energy));
        kinetic = energy.kinetic; // that of the model
        CHECK_NEAR(r.info.ledger[ZN_LEDGER_KINETIC], kinetic, 1e-12 * start);
        CHECK_NEAR(r.info.added_mass / added, 1, 1e-9);
    }
    CHECK_BELOW(worst, 1e-12 * start);
    rig_close(&r);
    def.levels = "auto"; // one or the other
    zn_scheme *scheme = NULL;
    zn_system *sys = NULL;
    zn_model  *model = graded_bar();
    CHECK_OK(zn_system_create(model, &sys));
    CHECK_STATUS(zn_scheme_create(&def, sys, &scheme), ZN_ERR_ARGUMENT);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

// --- steps that follow -----------------------------------------------------------------------------

// The grid of the run stays; in between there are as many steps as the critical one asks for.
static void test_follow(void **test)
{
    (void)test;
    for (int levels = 0; levels < 2; levels++) {
        zn_model  *model = graded_bar();
        zn_system *sys = NULL;
        zn_sim    *sim = NULL;
        zn_sim_def def = zn_sim_def_default();
        CHECK_OK(zn_system_create(model, &sys));
        def.scheme = explicit_scheme();
        def.scheme.follow = 0.9;
        def.scheme.levels = levels ? "auto" : "1";
        def.step = 1e-5; // critical: 2e-7 s, in levels 1.6e-6 s
        def.until = 1e-4;
        CHECK_OK(zn_sim_create(sys, &def, &sim));
        CHECK_OK(zn_sim_run(sim));
        const zn_certificate *c = zn_sim_certificate(sim);
        assert_int_equal(c->steps, 10 * (levels ? 7 : 56));
        CHECK_NEAR(c->step_changes.value, 0, 0);
        CHECK_BELOW(c->closure.value, 1e-12);
        zn_sim_destroy(sim);
        zn_system_destroy(sys);
        zn_model_destroy(model);
    }
}

// A block that is pressed together, and comes apart: steps become shorter on the way, and longer again.
static void test_follow_there_and_back(void **test)
{
    (void)test;
    log_capture log = {0};
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), &log);
    zn_mesh    *mesh = make_mesh(ZN_QUAD4, zn_vec3_make(1, 0.5, 0), 8, 4, 0);
    zn_vec3     velocity[9 * 5] = {{0}};
    zn_sim     *sim = NULL;
    zn_system  *sys = NULL;
    assert_int_equal(mesh->node_count, 9 * 5);
    for (int i = 0; i < 9 * 5; i++)
        velocity[i].x = 1 * (0.5 - mesh->nodes[i].x);
    zn_solid_def def = soft_solid((solid_case){ZN_QUAD4, ZN_SOLID_NEO_HOOKEAN, ZN_PLANE_STRAIN}, mesh);
    def.mass = ZN_MASS_LUMPED;
    def.velocities = velocity;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
    CHECK_OK(zn_system_create(model, &sys));
    zn_critical first;
    CHECK_OK(zn_system_critical_step(sys, (zn_at){sys->q0, sys->v0, 0, 0}, &first));
    zn_sim_def run = zn_sim_def_default();
    run.scheme = explicit_scheme();
    run.scheme.follow = 0.95;
    run.step = 20 * first.step;
    run.until = 3000 * first.step;
    CHECK_OK(zn_sim_create(sys, &run, &sim));
    double  shortest = INFINITY, longest = 0;
    int64_t before = 0;
    for (int k = 0; k < 150; k++) {
        if (zn_sim_step(sim) != ZN_OK)
            fail_msg("%s", log.text);
        const zn_certificate *c = zn_sim_certificate(sim);
        double                mean = run.step / (double)(c->steps - before);
        shortest = fmin(shortest, mean);
        longest = k > 75 ? fmax(longest, mean) : longest;
        before = c->steps;
        CHECK_NEAR(zn_sim_state(sim)->t, (k + 1) * run.step, 1e-12);
    }
    const zn_certificate *c = zn_sim_certificate(sim);
    print_message("steps %.3f to %.3f of the first critical one, changes %.0f, closure %.2g\n", shortest / first.step,
                  longest / first.step, c->step_changes.value, c->closure.value);
    CHECK_BELOW(shortest, 0.9 * first.step);
    CHECK_BELOW(1.02 * shortest, longest);
    CHECK_BELOW(1, c->step_changes.value);
    CHECK_BELOW(c->closure.value, 1e-12);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_on_the_way),
        cmocka_unit_test(test_small_steps_pass),
        cmocka_unit_test(test_instability_tells),
        cmocka_unit_test(test_looked_at_again),
        cmocka_unit_test(test_sharp_bound),
        cmocka_unit_test(test_lanczos),
        cmocka_unit_test(test_spin),
        cmocka_unit_test(test_mass_scaling),
        cmocka_unit_test(test_follow),
        cmocka_unit_test(test_follow_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
