// Newmark: order 2 and conserved energy for (1/4, 1/2), numerical dissipation by its formula, joints, linear models
// factored once, nonlinear ones, restart, refusals.
#include "gallery_fixtures.h"
#include "fixtures.h"
#include "system/system.h"
#include "zn/sim.h"

static zn_scheme_def newmark(double beta, double gamma)
{
    zn_scheme_def def = scheme_named("newmark", 0.5);
    def.beta = beta;
    def.gamma = gamma;
    return def;
}

// A mass on a spring, of frequency 1, without the wall.
static zn_model *spring_model(double q0, double c)
{
    zn_model *model = planar_model(0, (zn_log){0});
    add_ground_spring(model, add_point(model, q0, 0), 1, c);
    return model;
}

static double closure(const rig *r, double before)
{
    double entered = 0;
    for (int i = ZN_LEDGER_STORED; i < ZN_LEDGER_LINES; i++)
        entered += r->info.ledger[i];
    return fabs(energy_of(r) - before - entered);
}

static double error_of(double beta, double gamma, double c, double h)
{
    rig    r = rig_open(spring_model(1, c), newmark(beta, gamma));
    double d = c / 2, w = sqrt(1 - d * d), worst = 0;
    for (int k = 1; k * h < 3; k++) {
        double t = k * h, before = energy_of(&r);
        rig_step(&r, h);
        CHECK_BELOW(closure(&r, before), 1e-14);
        worst = fmax(worst, fabs(r.state->q[1] - exp(-d * t) * (cos(w * t) + d / w * sin(w * t))));
    }
    rig_close(&r);
    return worst;
}

static void test_orders(void **test)
{
    (void)test;
    slope_fit trapezoidal = {0}, damped = {0}, dissipative = {0};
    for (double h = 0.1; h > 0.01; h /= 2) {
        slope_add(&trapezoidal, h, error_of(0.25, 0.5, 0, h));
        slope_add(&damped, h, error_of(0.25, 0.5, 0.4, h));
        slope_add(&dissipative, h, error_of(0.4, 0.7, 0, h));
    }
    CHECK_NEAR(slope_of(&trapezoidal), 2, 0.05);
    CHECK_NEAR(slope_of(&damped), 2, 0.05);
    CHECK_NEAR(slope_of(&dissipative), 1, 0.1);
}

// A bar in free vibration: energy is kept to rounding by (1/4, 1/2); otherwise what is lost is the numerical line.
static void test_energy(void **test)
{
    (void)test;
    const double parameter[3][2] = {{0.25, 0.5}, {0.3025, 0.6}, {0.5, 0.5}};
    for (int i = 0; i < 3; i++) {
        zn_model  *model = planar_model(0, (zn_log){0});
        zn_bar_def def = zn_bar_def_default();
        def.name = "rod";
        def.to = zn_vec3_make(1, 0, 0);
        def.elements = 20;
        def.young = def.density = def.area = 1;
        def.fixed = ZN_FIX_Y;
        CHECK_OK(zn_model_add_bar(model, &def));
        rig r = rig_open(model, newmark(parameter[i][0], parameter[i][1]));
        for (int k = 0; k < 21; k++)
            r.state->v[k] = cos(3.14159265358979 * k / 20);
        CHECK_OK(zn_state_update(r.sys, r.state));
        double start = energy_of(&r), lost = 0, complementary = 0;
        for (int k = 0; k < 400; k++) {
            rig_step(&r, 0.07);
            lost += r.info.ledger[ZN_LEDGER_NUMERICAL];
            complementary += r.info.ledger[ZN_LEDGER_COMPLEMENTARY];
            CHECK_NEAR(energy_of(&r), start + lost + complementary, 1e-12);
        }
        if (i == 0)
            CHECK_NEAR(energy_of(&r), start, 1e-12);
        if (i == 1)
            assert_true(lost < -0.01);
        if (i == 2) {
            CHECK_NEAR(lost, 0, 1e-12); // only the complementary energy comes and goes
            assert_true(fabs(complementary) > 1e-6);
        }
        zn_linsolver_info info = zn_scheme_linsolver_info(r.scheme);
        assert_int_equal(info.factorizations + info.refactorizations, 2); // the mass at the start, and the operator
        rig_close(&r);
    }
}

// A pendulum of a rigid body: joints at velocity level, second order, ledger with their work.
static double pendulum_error(double h)
{
    double    angle = 1e-3, w, worst = 0;
    zn_model *model = hinged_body_model(angle, &w);
    rig       r = rig_open(model, newmark(0.25, 0.5));
    for (int k = 1; k * h <= 3; k++) {
        double before = energy_of(&r);
        rig_step(&r, h);
        CHECK_BELOW(closure(&r, before), 1e-13 * 10);
        CHECK_BELOW(r.info.joint_velocity, 1e-12);
        worst = fmax(worst, fabs(r.state->q[2] / angle - cos(w * k * h)));
    }
    rig_close(&r);
    return worst;
}

static void test_joint(void **test)
{
    (void)test;
    slope_fit fit = {0};
    for (double h = 0.04; h > 0.004; h /= 2)
        slope_add(&fit, h, pendulum_error(h));
    CHECK_NEAR(slope_of(&fit), 2, 0.1);
}

// A geometrically exact beam that swings far: Newton's iteration, the ledger with the defect of the potential.
static void test_nonlinear(void **test)
{
    (void)test;
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    def.gravity = zn_vec3_make(0, 0, -9.81);
    CHECK_OK(zn_model_create(&def, &model));
    zn_beam_def beam = zn_beam_def_default();
    beam.name = "beam";
    beam.to = zn_vec3_make(1, 0, 0);
    beam.elements = 4;
    beam.young = 5e6;
    beam.poisson = 0.3;
    beam.density = 1000;
    beam.section = zn_beam_section_rectangle(0.04, 0.04, 0);
    beam.fix_first = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z;
    beam.velocity = zn_vec3_make(0, 0.5, 0);
    CHECK_OK(zn_model_add_beam(model, &beam));
    rig    r = rig_open(model, newmark(0.25, 0.5));
    double history[512];
    for (int k = 0; k < 100; k++) {
        double before = energy_of(&r);
        rig_step(&r, 2e-3);
        CHECK_BELOW(closure(&r, before), 1e-10);
        CHECK_BELOW(r.info.newton_residual, 1e-12);
    }
    // restart with the same bits
    rig twin = rig_open(model, newmark(0.25, 0.5));
    int size = zn_scheme_history_size(r.scheme);
    assert_true(size <= 512);
    zn_scheme_history_save(r.scheme, history);
    zn_state_copy(r.sys, r.state, twin.state);
    CHECK_OK(zn_scheme_history_load(twin.scheme, history, size));
    // failures change nothing
    zn_state *before = NULL;
    CHECK_OK(zn_state_create(r.sys, &before));
    zn_state_copy(r.sys, r.state, before);
    for (int n = 1; n < 100; n++) {
        zn_step_info info;
        zn_fault_inject(n);
        zn_status status = zn_scheme_step(r.scheme, r.state, 2e-3, &info);
        bool      fired = zn_fault_is_spent();
        zn_fault_inject(0);
        if (!fired) {
            CHECK_STATUS(status, ZN_OK);
            break;
        }
        assert_true(status > 0 && info.failed != NULL);
        check_same_state(r.sys, r.state, before);
    }
    rig_step(&twin, 2e-3);
    check_same_state(r.sys, r.state, twin.state);
    zn_state_destroy(before);
    twin.model = NULL;
    rig_close(&twin);
    rig_close(&r);
}

// Parse, run with newmark, and give the recorded rows to `row`; no step may fail.
static void run_text(const char *text, zn_recorder recorder)
{
    zn_problem *p = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    CHECK_OK(zn_problem_parse(text, strlen(text), "model.yaml", 0, NULL, (zn_log){gallery_print, NULL}, &p));
    CHECK_OK(zn_system_create(p->model, &sys));
    p->sim.recorder = recorder;
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    CHECK_OK(zn_sim_run(sim));
    assert_int_equal(zn_sim_certificate(sim)->retries, 0);
    CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-10);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
}

static zn_status lowest(void *user, double t, const double *values)
{
    (void)t;
    *(double *)user = fmin(*(double *)user, values[0]);
    return ZN_OK;
}

// A steel beam, geometrically exact: its forces change by more than the tolerance with the last digit of a position,
// steps succeed all the same. Let go it swings to twice the static deflection rho A g L^4/(8 E I), but for 1 % of
// higher modes.
static void test_stiff_beam(void **test)
{
    (void)test;
    const double sag = 7850 * 0.02 * 0.04 * 9.81 / (8 * 210e9 * 0.04 * pow(0.02, 3) / 12); // 0.02 high
    const char  *step[] = {"1e-3", "1e-4", "1e-5"};
    for (int i = 0; i < 6; i++) {
        char   text[600];
        double least = 0;
        snprintf(
            text, sizeof text,
            "zeno: 1\ngravity: [0, 0, -9.81]\nmaterials: {steel: {young: 210 GPa, poisson: 0.3, density: "
            "7850}}\nparts:\n"
            "  b: {element: beam, material: steel, mass: %s, section: {width: 0.02, height: 0.04}, from: [0, 0, 0],\n"
            "      to: [1, 0, 0], elements: 10, fix_first: [x, y, z, rotation]}\n"
            "record: {z: 'b[10].position.z'}\nrun: {scheme: newmark, step: %s, until: 0.04}\n",
            i % 2 ? "consistent" : "lumped", step[i / 2]);
        run_text(text, (zn_recorder){.user = &least, .row = lowest});
        CHECK_NEAR(least / (2 * sag), -1, 0.03);
    }
}

// A mass let go on a spring of any stiffness, near to and far from the origin, falls by m g/k (1 - cos w t); a pendulum
// at rest stays.
static void test_at_rest(void **test)
{
    (void)test;
    for (double k = 1; k < 1e13; k *= 100)
        for (double far = 0; far < 1e5; far = 100 * far + 100) {
            char text[600];
            snprintf(text, sizeof text,
                     "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nparameters: {far: %g, k: %g}\n"
                     "bodies:\n  m: {mass: 0.1, position: [far, -0.1]}\n  p: {mass: 2, inertia: 1e-3, position: [far + "
                     "1, -1]}\n"
                     "springs: {s: {from: ground, from_at: [far, 0], to: m, stiffness: k}}\n"
                     "joints: {h: {type: revolute, body: p, at: [0, 1]}}\nrecord: {y: m.position.y, x: p.position.x}\n"
                     "run: {scheme: newmark, step: 1e-3, until: 0.2}\n",
                     far, k);
            double least = 0;
            run_text(text, (zn_recorder){.user = &least, .row = lowest});
            double w = sqrt(k / 0.1), drop = 9.81 / (w * w) * (1 - cos(fmin(0.2 * w, 3.14159265358979)));
            double rounding = 1e-12 * (1 + far);
            assert_true(least > -0.1 - 1.02 * drop - rounding && least < -0.1 - 0.9 * drop + rounding);
        }
}

static void test_refusals(void **test)
{
    (void)test;
    log_capture log = {0};
    zn_model   *model = planar_model(0, log_into(&log));
    add_plane_contact(model, "floor", add_point(model, 1, 0), zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), 0);
    CHECK_STATUS(refusal_of(newmark(0.25, 0.5), model, &log, "contact 'floor': the scheme is for smooth motion"),
                 ZN_ERR_UNSUPPORTED);
    const double bad[2][2] = {{0.2, 0.5}, {0.25, 0.4}};
    for (int i = 0; i < 2; i++) {
        log = (log_capture){0};
        model = planar_model(0, log_into(&log));
        add_point(model, 1, 0);
        CHECK_STATUS(refusal_of(newmark(bad[i][0], bad[i][1]), model, &log, "2 beta >= gamma >= 1/2"), ZN_ERR_ARGUMENT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),    cmocka_unit_test(test_energy),   cmocka_unit_test(test_joint),
        cmocka_unit_test(test_nonlinear), cmocka_unit_test(test_refusals), cmocka_unit_test(test_stiff_beam),
        cmocka_unit_test(test_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
