// CD-Lagrange: closed forms, orders, impact laws, joints, ledger, critical step, refusals, restart, threads.
#include "gallery_fixtures.h"
#include "fixtures.h"
#include "base/team.h"
#include "system/system.h"
#include "zn/sim.h"

static zn_scheme_def explicit_scheme(void) { return scheme_named("cd_lagrange", 0.5); }

// Sum of stored energies against what entered, relative to the largest energy seen.
typedef struct account {
    double start, entered[ZN_LEDGER_LINES], worst, size;
} account;

static void account_begin(account *a, const rig *r)
{
    *a = (account){.start = energy_of(r), .size = fabs(energy_of(r))};
}

static void account_step(account *a, const rig *r)
{
    double stored = 0, entered = 0;
    for (int i = 0; i < ZN_LEDGER_LINES; i++) {
        a->entered[i] = i < ZN_LEDGER_STORED ? r->info.ledger[i] : a->entered[i] + r->info.ledger[i];
        *(i < ZN_LEDGER_STORED ? &stored : &entered) += a->entered[i];
        a->size = fmax(a->size, fabs(a->entered[i]));
    }
    CHECK_NEAR(stored, energy_of(r), 1e-13 * a->size);
    a->worst = fmax(a->worst, fabs(stored - a->start - entered));
}

// --- two bars --------------------------------------------------------------------------------------

enum { BARS = 40 };
static const double bar_young = 2.1e11, bar_density = 7847, bar_area = 0.645e-3, bar_length = 0.254, bar_speed = 5;

static double wave_speed(void) { return sqrt(bar_young / bar_density); }

static gallery_rig open_bars(int elements)
{
    char        N[32];
    const char *set[2] = {N, NULL};
    snprintf(N, sizeof N, "N=%d", elements);
    return gallery_open("two-bars", set, explicit_scheme());
}

// The first impulse stops two nodes of mass rho A l/2 in one go, whatever the step; afterwards each node has lost its
// kinetic energy, 1/(2N) of the whole.
static void test_first_impulse(void **test)
{
    (void)test;
    double node = bar_density * bar_area * bar_length / BARS / 2, critical = bar_length / BARS / wave_speed();
    for (double cfl = 1; cfl > 0.05; cfl *= 0.7) {
        gallery_rig g = open_bars(BARS);
        account     a;
        double      first = 0, total = energy_of(&g.r);
        account_begin(&a, &g.r);
        for (double t = 0; t < 2e-4; t += cfl * critical) {
            rig_step(&g.r, cfl * critical);
            account_step(&a, &g.r);
            if (first == 0)
                first = impulse_of(&g.r, 0);
        }
        CHECK_NEAR(first / (node * bar_speed), 1, 1e-12);
        CHECK_NEAR(a.entered[ZN_LEDGER_CONTACT] / total, -1.0 / (2 * BARS), 1e-12);
        CHECK_BELOW(a.worst / a.size, 1e-12);
        gallery_close(&g);
    }
}

// Contact at d/2v, release 2 L/c later, constant force A sqrt(E rho) v, impulse 2 m v.
static void test_wave_solution(void **test)
{
    (void)test;
    double      critical = bar_length / BARS / wave_speed(), h = 0.8 * critical, sum = 0, closed = 0, open = 0;
    double      plateau = bar_area * sqrt(bar_young * bar_density) * bar_speed, worst = 0;
    gallery_rig g = open_bars(BARS);
    int         pushed = 0;
    for (double t = h; t < 2e-4; t += h) {
        rig_step(&g.r, h);
        double P = impulse_of(&g.r, 0);
        sum += P;
        if (P > 0) {
            closed = closed == 0 ? t : closed;
            open = t;
            if (pushed++ > 10 && t < closed + 1.8 * bar_length / wave_speed())
                worst = fmax(worst, fabs(P / h / plateau - 1));
        }
    }
    double exact = 2 * bar_length / wave_speed();
    assert_true(closed >= 2e-5 && closed <= 2e-5 + h);
    CHECK_NEAR(open - closed, exact, 4 * h); // waves of the mesh disperse: a few steps
    CHECK_BELOW(worst, 0.03);
    CHECK_NEAR(sum / (2 * bar_density * bar_area * bar_length * bar_speed), 1, 0.02);
    gallery_close(&g);
}

// --- a mass point ----------------------------------------------------------------------------------

// Under constant force central differences are exact between impacts, and so is the law on the half-step velocities.
static void test_ball(void **test)
{
    (void)test;
    double h = 0.01, e = 0.6;
    rig    r = rig_open(ball_model(1, 0, e), explicit_scheme());
    for (int k = 1; k <= 100; k++) {
        rig_step(&r, h);
        CHECK_NEAR(gap_of(&r, 0), 1 - k * h * k * h, 1e-12);
        if (k < 100)
            CHECK_NEAR(r.state->v[0], -2 * k * h, 1e-12);
    }
    double before = r.state->contacts->approach[0], after = r.state->contacts->velocity[0];
    CHECK_NEAR(after, -e * before, 1e-13);
    CHECK_NEAR(impulse_of(&r, 0), after - before + 2 * h, 1e-13); // and against the weight
    rig_close(&r);
}

// A ball at rest on the floor stays there: the first half step knows closed contacts.
static void test_rest(void **test)
{
    (void)test;
    for (double e = 0; e <= 1; e += 0.5) {
        rig r = rig_open(ball_model(0, 0, e), explicit_scheme());
        for (int k = 0; k < 100; k++) {
            rig_step(&r, 0.01);
            assert_true(r.state->v[0] == 0 && gap_of(&r, 0) == 0);
            CHECK_NEAR(impulse_of(&r, 0), 0.02, 1e-16);
        }
        rig_close(&r);
    }
}

// Order 2 in smooth motion, with a damper that acts half a step late: order 1.
static double oscillator_error(double c, double h)
{
    rig    r = rig_open(oscillator_model(1, 0, c, 0), explicit_scheme());
    double d = c / 2, w = sqrt(1 - d * d), worst = 0;
    for (int k = 1; k * h < 1.2; k++) { // before it meets the wall
        double t = k * h, q = exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
        rig_step(&r, h);
        worst = fmax(worst, fabs(gap_of(&r, 0) - q));
    }
    rig_close(&r);
    return worst;
}

static void test_orders(void **test)
{
    (void)test;
    slope_fit smooth = {0}, damped = {0};
    for (double h = 0.1; h > 0.005; h /= 2) {
        slope_add(&smooth, h, oscillator_error(0, h));
        slope_add(&damped, h, oscillator_error(0.3, h));
    }
    CHECK_NEAR(slope_of(&smooth), 2, 0.05);
    CHECK_NEAR(slope_of(&damped), 1, 0.1);
}

// --- friction --------------------------------------------------------------------------------------

static zn_model *slider(double mu, double speed, bool planar)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    def.planar = planar;
    def.gravity = planar ? zn_vec3_make(0, -10, 0) : zn_vec3_make(0, 0, -10);
    CHECK_OK(zn_model_create(&def, &model));
    zn_body_def body = zn_body_def_default();
    zn_node_id  node = {0};
    body.mass = 2;
    body.velocity = planar ? zn_vec3_make(speed, 0, 0) : zn_vec3_make(0.6 * speed, 0.8 * speed, 0);
    CHECK_OK(zn_model_add_body(model, &body, &node));
    zn_contact_def contact = zn_contact_def_default();
    contact.point.node = node;
    contact.normal = planar ? zn_vec3_make(0, 1, 0) : zn_vec3_make(0, 0, 1);
    contact.friction = mu;
    CHECK_OK(zn_model_add_contact(model, &contact));
    return model;
}

// Sliding with constant deceleration mu g, then rest; the closed form of a contact alone.
static void test_friction(void **test)
{
    (void)test;
    for (int planar = 0; planar < 2; planar++) {
        rig     r = rig_open(slider(0.3, 1, planar), explicit_scheme());
        account a;
        double  h = 1e-3;
        account_begin(&a, &r);
        for (int k = 1; k < 500; k++) {
            rig_step(&r, h);
            account_step(&a, &r);
            double speed = planar ? r.state->v[0] : hypot(r.state->v[0], r.state->v[1]), t = k * h;
            double expected = t < 1.0 / 3 - h ? 1 - 3 * t : t > 1.0 / 3 + h ? 0 : speed;
            CHECK_NEAR(speed, expected, 1e-12);
        }
        CHECK_NEAR(a.entered[ZN_LEDGER_FRICTION] + a.entered[ZN_LEDGER_COMPLEMENTARY], -1,
                   1e-12); // all of the kinetic energy
        CHECK_BELOW(a.worst, 1e-13);
        rig_close(&r);
    }
}

// A node in a corner of two planes that are not perpendicular: the contacts are coupled. Compared with the exact
// answer.
static void test_coupled_contacts(void **test)
{
    (void)test;
    zn_model   *model = planar_model(0, (zn_log){0});
    zn_body_def body = zn_body_def_default();
    zn_node_id  node = {0};
    body.mass = 3;
    body.velocity = zn_vec3_make(-1, -2, 0);
    CHECK_OK(zn_model_add_body(model, &body, &node));
    add_plane_contact(model, "a", node, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), 0);
    add_plane_contact(model, "b", node, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 0), 0);
    rig r = rig_open(model, explicit_scheme());
    rig_step(&r, 1e-3); // both closed from the start: P_a + P_b/sqrt 2 = 6, P_b/sqrt 2 = 3 stop it
    CHECK_NEAR(r.state->v[0], 0, 1e-13);
    CHECK_NEAR(r.state->v[1], 0, 1e-13);
    rig_close(&r);
}

// --- joints and rigid bodies -----------------------------------------------------------------------

// Physical pendulum on a hinge, small swings against the closed form; the hinge does not drift.
static double pendulum_error(double h, double *drift)
{
    double    angle = 1e-4, w, worst = 0;
    zn_model *model = hinged_body_model(angle, &w);
    rig       r = rig_open(model, explicit_scheme());
    account   a;
    account_begin(&a, &r);
    *drift = 0;
    for (int k = 1; k * h <= 3; k++) {
        rig_step(&r, h);
        account_step(&a, &r);
        worst = fmax(worst, fabs(r.state->q[2] / angle - cos(w * k * h)));
        *drift = fmax(*drift, fmax(fabs(gap_of(&r, 0)), fabs(gap_of(&r, 1))));
    }
    CHECK_BELOW(a.worst, 1e-13 * a.size);
    rig_close(&r);
    return worst;
}

static void test_joint(void **test)
{
    (void)test;
    slope_fit fit = {0};
    double    drift;
    for (double h = 0.02; h > 0.002; h /= 2) {
        slope_add(&fit, h, pendulum_error(h, &drift));
        CHECK_BELOW(drift, 1e-9 * h * h / 1e-4);
    }
    CHECK_NEAR(slope_of(&fit), 2, 0.1);
}

// A prescribed motion is followed exactly at the grid points.
static void test_prescribed_motion(void **test)
{
    (void)test;
    zn_model    *model = planar_model(0, (zn_log){gallery_print, NULL});
    zn_node_id   node = add_point(model, 0, 2);
    zn_joint_def joint = zn_joint_def_default();
    char         message[80];
    joint.kind = ZN_JOINT_MOTION;
    joint.dof[0] = (zn_joint_dof){node, ZN_COORDINATE_Y, 1};
    CHECK_OK(zn_signal_expression("sin(2*t)", 0, NULL, NULL, message, sizeof message, &joint.motion));
    CHECK_OK(zn_model_add_joint(model, &joint));
    rig r = rig_open(model, explicit_scheme());
    for (int k = 1; k <= 100; k++) {
        rig_step(&r, 0.01);
        CHECK_NEAR(r.state->q[1], sin(0.02 * k), 1e-14);
        CHECK_NEAR(r.state->v[0], 2 * cos(0.02 * k), 2e-4); // (q'' - q)/2h
    }
    rig_close(&r);
}

// A free asymmetric top: angular momentum and energy to second order, with the inertia in body axes no diagonal.
static double top_error(double h, double *energy)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    zn_body_def  body = zn_body_def_default();
    zn_vec3      p, L0, L;
    double       scratch[6], worst = 0;
    CHECK_OK(zn_model_create(&def, &model));
    body.mass = 1;
    body.inertia3 = (zn_mat3){{{1, 0.1, 0}, {0.1, 1.3, -0.2}, {0, -0.2, 1.7}}};
    body.spin3 = zn_vec3_make(0.3, 2, 0.1);
    CHECK_OK(zn_model_add_body(model, &body, NULL));
    rig r = rig_open(model, explicit_scheme());
    CHECK_OK(zn_system_momentum(r.sys, (zn_at){r.state->q, r.state->v, 0, 0}, -1, scratch, &p, &L0));
    double start = energy_of(&r);
    *energy = 0;
    for (int k = 1; k * h <= 5; k++) {
        rig_step(&r, h);
        CHECK_OK(zn_system_momentum(r.sys, (zn_at){r.state->q, r.state->v, 0, 0}, -1, scratch, &p, &L));
        worst = fmax(worst, zn_vec3_norm(zn_vec3_sub(L, L0)));
        *energy = fmax(*energy, fabs(energy_of(&r) - start));
    }
    rig_close(&r);
    return worst;
}

static void test_spatial_body(void **test)
{
    (void)test;
    slope_fit momentum = {0}, energy = {0};
    for (double h = 0.02; h > 0.002; h /= 2) {
        double e;
        slope_add(&momentum, h, top_error(h, &e));
        slope_add(&energy, h, e);
    }
    CHECK_NEAR(slope_of(&momentum), 2, 0.15);
    assert_true(slope_of(&energy) > 1.85);
}

// --- critical step ---------------------------------------------------------------------------------

static zn_critical critical_of(zn_model *model, bool power)
{
    zn_system  *sys = NULL;
    zn_critical c;
    CHECK_OK(zn_system_create(model, &sys));
    zn_at at = {sys->q0, sys->v0, 0, 0};
    CHECK_OK(power ? zn_system_critical_power(sys, at, 1e-12, &c) : zn_system_critical_step(sys, at, &c));
    zn_system_destroy(sys);
    return c;
}

static zn_model *hexahedra(int n, zn_mass_kind mass, double damping, zn_log log)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    zn_mesh     *mesh = NULL;
    def.log = log;
    def.gravity = zn_vec3_make(0, 0, -10);
    CHECK_OK(zn_model_create(&def, &model));
    CHECK_OK(zn_mesh_box(zn_vec3_make(0, 0, 0.02), zn_vec3_make(1, 1.1, 0.92), (int[3]){n, n, n}, ZN_HEX8, &mesh));
    zn_solid_def solid = zn_solid_def_default();
    solid.name = "block";
    solid.mesh = mesh;
    solid.young = 1e6;
    solid.poisson = 0.3;
    solid.density = 1000;
    solid.model = ZN_SOLID_SAINT_VENANT_KIRCHHOFF;
    solid.mass = mass;
    solid.stiffness_damping = damping;
    solid.velocity = zn_vec3_make(0, 0, -2);
    CHECK_OK(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
    return model;
}

static void test_critical_step(void **test)
{
    (void)test;
    // a bar: exactly l/c, by both; a mass on a spring: 2/w; with a damper h^2 w^2 + 2 h c = 4
    gallery_rig g = open_bars(BARS);
    zn_critical c = critical_of(g.problem->model, false);
    CHECK_NEAR(c.step * wave_speed() / bar_length * BARS, 1, 1e-12);
    CHECK_NEAR(critical_of(g.problem->model, true).step, c.step, 1e-5 * c.step); // from below in frequency
    gallery_close(&g);
    for (double d = 0; d < 3; d += 1) {
        zn_model *model = oscillator_model(1, 0, d, 0);
        c = critical_of(model, false);
        CHECK_NEAR(c.step * c.step + 2 * d * c.step, 4, 1e-12);
        CHECK_NEAR(critical_of(model, true).step, c.step, 1e-9);
        zn_model_destroy(model);
    }
    // a solid: the bound is safe and not far
    zn_model *model = hexahedra(3, ZN_MASS_LUMPED, 0, (zn_log){0});
    c = critical_of(model, false);
    double exact = critical_of(model, true).step;
    assert_true(c.step <= exact && c.step > 0.7 * exact);
    zn_model_destroy(model);
}

// A part clamped at either end: fixed rows of the first element do not weaken the others.
static void test_critical_step_of_clamped_parts(void **test)
{
    (void)test;
    double bound[2];
    for (int last = 0; last < 2; last++) {
        char        text[400];
        zn_problem *p = NULL;
        snprintf(
            text, sizeof text,
            "zeno: 1\nplanar: true\nmaterials: {steel: {young: 210 GPa, density: 7800}}\nparts:\n"
            "  b: {element: beam, theory: euler_bernoulli, material: steel, section: {width: 0.02, height: 0.02},\n"
            "      from: [0, 0], to: [1, 0], elements: 20, mass: lumped, fix_%s: [x, y, rotation]}\n"
            "run: {step: 1e-6, until: 1e-3}\n",
            last ? "last" : "first");
        CHECK_OK(zn_problem_parse(text, strlen(text), "beam.yaml", 0, NULL, (zn_log){0}, &p));
        bound[last] = critical_of(p->model, false).step;
        assert_true(bound[last] <= critical_of(p->model, true).step);
        zn_problem_destroy(p);
    }
    CHECK_NEAR(bound[0], bound[1], 1e-12 * bound[1]);
}

// At the limit the motion stays bounded, beyond it grows: the damped oscillator, by its own steps.
static void test_stability_limit(void **test)
{
    (void)test;
    for (double d = 0; d < 2; d += 0.5) {
        zn_model *model = planar_model(0, (zn_log){0});
        add_ground_spring(model, add_point(model, 1e-6, 0), 1, d);
        rig    r = rig_open(model, explicit_scheme());
        double h = critical_of(model, false).step * 0.999;
        for (int k = 0; k < 2000; k++)
            rig_step(&r, h);
        CHECK_BELOW(fabs(r.state->q[1]), 1e-4);
        zn_step_info info;
        CHECK_STATUS(zn_scheme_step(r.scheme, r.state, h * 1.01, &info), ZN_ERR_ARGUMENT);
        rig_close(&r);
    }
}

// --- refusals --------------------------------------------------------------------------------------

static void test_refusals(void **test)
{
    (void)test;
    log_capture log = {0};
    CHECK_STATUS(refusal_of(explicit_scheme(), hexahedra(1, ZN_MASS_CONSISTENT, 0, log_into(&log)), &log,
                            "part 'block' has a consistent mass matrix; set 'mass: lumped' there"),
                 ZN_ERR_UNSUPPORTED);
    // a rigid body tied to nothing but without inertia about its axes cannot be made; a contact node without mass can:
    // a frame that only a spring holds
    zn_model   *model = hexahedra(2, ZN_MASS_LUMPED, 0, log_into(&log));
    zn_node_def node = zn_node_def_default();
    zn_node_id  id = {0};
    node.name = "ghost";
    node.kind = ZN_POINT3;
    node.position = zn_vec3_make(0, 0, 5);
    CHECK_OK(zn_model_add_node(model, &node, &id));
    add_plane_contact(model, "floor", id, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0, 1), 0);
    zn_system *sys = NULL;
    log = (log_capture){0};
    CHECK_STATUS(zn_system_create(model, &sys), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "node 'ghost'");
    zn_model_destroy(model);
    // h above critical names both numbers
    log = (log_capture){0};
    model = hexahedra(2, ZN_MASS_LUMPED, 0, log_into(&log));
    rig          r = rig_open(model, explicit_scheme());
    zn_step_info info;
    CHECK_STATUS(zn_scheme_step(r.scheme, r.state, 1, &info), ZN_ERR_ARGUMENT);
    CHECK_LOGGED(&log, "the step 1 s exceeds the critical step 0.0");
    assert_string_equal(info.failed, "critical step");
    rig_close(&r);
}

// --- restart, failure, threads -----------------------------------------------------------------------

static zn_model *falling_block(int n, double damping)
{
    zn_model      *model = hexahedra(n, ZN_MASS_LUMPED, damping, (zn_log){0});
    zn_contact_def contact = zn_contact_def_default();
    contact.name = "floor";
    contact.points = "block.zmin";
    contact.normal = zn_vec3_make(0, 0, 1);
    contact.friction = 0.3;
    contact.restitution = 0.2;
    CHECK_OK(zn_model_add_contact(model, &contact));
    return model;
}

// Saved and loaded history goes on with the same bits; a failed evaluation changes nothing.
static void test_restart_and_failure(void **test)
{
    (void)test;
    rig a = rig_open(falling_block(2, 1e-5), explicit_scheme()),
        b = rig_open(falling_block(2, 1e-5), explicit_scheme());
    double  h = 1e-3, history[512], now[512];
    account sum;
    account_begin(&sum, &a);
    for (int k = 0; k < 40; k++) {
        rig_step(&a, h);
        account_step(&sum, &a);
    }
    assert_true(a.info.active > 0);
    CHECK_BELOW(sum.worst, 1e-12 * sum.size);
    int size = zn_scheme_history_size(a.scheme);
    assert_true(size <= 512);
    zn_scheme_history_save(a.scheme, history);
    zn_state_copy(a.sys, a.state, b.state);
    CHECK_OK(zn_scheme_history_load(b.scheme, history, size));
    zn_state *before = NULL;
    CHECK_OK(zn_state_create(a.sys, &before));
    zn_state_copy(a.sys, a.state, before);
    int failed = 0;
    for (int n = 1; n < 100; n++) {
        zn_step_info info;
        zn_fault_inject(n);
        zn_status status = zn_scheme_step(a.scheme, a.state, h, &info);
        bool      fired = zn_fault_is_spent();
        zn_fault_inject(0);
        if (!fired) {
            CHECK_STATUS(status, ZN_OK);
            break;
        }
        failed++;
        assert_true(status > 0 && info.failed != NULL);
        check_same_state(a.sys, a.state, before);
        zn_scheme_history_save(a.scheme, now);
        CHECK_SAME_BITS(history, now, size);
    }
    assert_true(failed >= 3);
    rig_step(&b, h);
    check_same_state(a.sys, a.state, b.state);
    zn_state_destroy(before);
    rig_close(&a);
    rig_close(&b);
}

// Another step size starts anew from the state: the ledger still closes.
static void test_change_of_step(void **test)
{
    (void)test;
    rig     r = rig_open(falling_block(2, 0), explicit_scheme());
    account sum;
    account_begin(&sum, &r);
    for (int k = 0; k < 60; k++) {
        rig_step(&r, k % 7 == 3 ? 5e-4 : 1e-3);
        account_step(&sum, &r);
    }
    CHECK_BELOW(sum.worst, 1e-12 * sum.size);
    rig_close(&r);
}

static void test_threads(void **test)
{
    (void)test;
    const int threads[] = {1, 2, 3};
    rig       r[3];
    for (int i = 0; i < 3; i++) {
        zn_scheme_def def = explicit_scheme();
        def.threads = threads[i];
        r[i] = rig_open(falling_block(17, 0), def);
        for (int k = 0; k < 6; k++)
            rig_step(&r[i], 1e-3);
        check_same_state(r[i].sys, r[i].state, r[0].state);
        CHECK_SAME_BITS(r[i].info.ledger, r[0].info.ledger, ZN_LEDGER_LINES);
    }
    assert_true(r[0].sys->chunks[0].colours >= 2 && r[0].sys->info.n > 2 * ZN_SLICE); // elements, nodes and sums
    for (int i = 0; i < 3; i++)
        rig_close(&r[i]);
}

// A step in parts of the critical one.
static void test_step_in_cfl(void **test)
{
    (void)test;
    zn_model  *model = falling_block(2, 0);
    zn_system *sys = NULL;
    zn_sim    *sim = NULL;
    zn_sim_def def = zn_sim_def_default();
    CHECK_OK(zn_system_create(model, &sys));
    def.scheme = explicit_scheme();
    def.step_cfl = 0.5;
    def.until = 0.1;
    double critical = critical_of(model, false).step;
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    assert_int_equal(zn_sim_grid_steps(sim), (int64_t)floor(0.1 / (0.5 * critical) + 1e-6));
    CHECK_OK(zn_sim_run(sim));
    CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-12);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_impulse),
        cmocka_unit_test(test_wave_solution),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_coupled_contacts),
        cmocka_unit_test(test_joint),
        cmocka_unit_test(test_prescribed_motion),
        cmocka_unit_test(test_spatial_body),
        cmocka_unit_test(test_critical_step),
        cmocka_unit_test(test_stability_limit),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_restart_and_failure),
        cmocka_unit_test(test_change_of_step),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_step_in_cfl),
        cmocka_unit_test(test_critical_step_of_clamped_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
