// Systems in minimal coordinates given by functions: operators, energy, constraints by callbacks, ledger with a varying
// mass, faults of a definition, and who destroys `user`.
#include "scheme_fixtures.h"

#include "contact_derivatives.h"
#include "zn/sim.h"

#define PI 3.14159265358979323846

// --- the double pendulum -------------------------------------------------------------------------

// Two unit masses on two unit rods, angles from the vertical:
//     M = [2, cos(a - b); cos(a - b), 1],  V = -g (2 cos a + cos b),  n = sin(a - b) (-b'^2, a'^2)
#define PENDULUM_G 9.81

static zn_status pendulum_mass(void *user, const double *q, double *M)
{
    (void)user;
    double c = cos(q[0] - q[1]);
    memcpy(M, (double[4]){2, c, c, 1}, 4 * sizeof *M);
    return ZN_OK;
}

static zn_status pendulum_potential(void *user, const double *q, double *V, double *f)
{
    (void)user;
    *V = -PENDULUM_G * (2 * cos(q[0]) + cos(q[1]));
    f[0] = -2 * PENDULUM_G * sin(q[0]);
    f[1] = -PENDULUM_G * sin(q[1]);
    return ZN_OK;
}

static zn_status pendulum_gyroscopic(void *user, const double *q, const double *v, double *f)
{
    (void)user;
    double s = sin(q[0] - q[1]);
    f[0] = -s * v[1] * v[1];
    f[1] = s * v[0] * v[0];
    return ZN_OK;
}

// Something of every kind of dependence: damping, drive, cubic coupling.
static zn_status pendulum_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user;
    f[0] = -0.3 * v[0] + 2 * sin(3 * t) + 0.1 * q[1] * q[1] * v[0];
    f[1] = -0.2 * v[1] * v[1] * v[1] + 0.5 * cos(q[0]) * t;
    return ZN_OK;
}

static zn_status pendulum_tangent(void *user, double t, const double *q, const double *v, double *K, double *C)
{
    (void)user;
    double s = sin(q[0] - q[1]), c = cos(q[0] - q[1]);
    K[0] = 2 * PENDULUM_G * cos(q[0]) + c * v[1] * v[1];
    K[1] = -c * v[1] * v[1] - 0.2 * q[1] * v[0];
    K[2] = -c * v[0] * v[0] + 0.5 * sin(q[0]) * t;
    K[3] = PENDULUM_G * cos(q[1]) + c * v[0] * v[0];
    C[0] = 0.3 - 0.1 * q[1] * q[1];
    C[1] = 2 * s * v[1];
    C[2] = -2 * s * v[0];
    C[3] = 0.6 * v[1] * v[1];
    return ZN_OK;
}

static zn_lagrangian_def pendulum(const double *q0, const double *v0)
{
    zn_lagrangian_def def = zn_lagrangian_def_default();
    def.name = "pendulum";
    def.n = 2;
    def.q0 = q0;
    def.v0 = v0;
    def.mass = pendulum_mass;
    def.potential = pendulum_potential;
    def.gyroscopic = pendulum_gyroscopic;
    return def;
}

static zn_model *model_of(zn_lagrangian_def def)
{
    zn_model *model = planar_model(0, (zn_log){0});
    CHECK_OK(zn_model_add_lagrangian(model, &def));
    return model;
}

static rig open_lagrangian(zn_lagrangian_def def, const char *scheme, double theta)
{
    return rig_open(model_of(def), scheme_named(scheme, theta));
}

// --- operators -----------------------------------------------------------------------------------

// a M + b C + c K of a system of two coordinates, as a dense matrix.
static void operators_at(const zn_system *sys, zn_at at, const double weight[3], double *out)
{
    zn_sparse *matrix = NULL;
    CHECK_OK(zn_system_matrix(sys, &matrix));
    CHECK_OK(zn_system_operators(sys, at, weight[0], weight[1], weight[2], matrix));
    for (int j = 0; j < 2; j++) {
        double unit[2] = {j == 0, j == 1}, column[2];
        zn_sparse_multiply(matrix, unit, column);
        out[j] = column[0];
        out[2 + j] = column[1];
    }
    zn_sparse_destroy(matrix);
}

static void test_tangents_agree(void **state)
{
    (void)state;
    const double      weights[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0.05, 0.0025}};
    const double      zero[2] = {0, 0};
    uint64_t          seed = 17;
    zn_lagrangian_def def = pendulum(zero, NULL);
    def.force = pendulum_force;
    fixture numeric = compile_fixture(model_of(def));
    def.tangent = pendulum_tangent;
    fixture analytic = compile_fixture(model_of(def));
    for (int k = 0; k < 40; k++) {
        double q[2], v[2], t = random_unit(&seed), a[4], b[4], M[4], K[4], C[4];
        random_fill(&seed, 3, 2, q);
        random_fill(&seed, 5, 2, v);
        pendulum_mass(NULL, q, M);
        pendulum_tangent(NULL, t, q, v, K, C);
        for (int w = 0; w < 4; w++) {
            operators_at(numeric.sys, (zn_at){q, v, t, 0}, weights[w], a);
            operators_at(analytic.sys, (zn_at){q, v, t, 0}, weights[w], b);
            for (int i = 0; i < 4; i++) {
                double exact = weights[w][0] * M[i] + weights[w][1] * C[i] + weights[w][2] * K[i];
                CHECK_NEAR(b[i], exact, 1e-12);
                CHECK_NEAR(a[i], exact, 1e-7); // central differences in steps of 6e-6
            }
        }
    }
    destroy_fixture(&numeric);
    destroy_fixture(&analytic);
}

// Newton's method ends at the same step with either tangent.
static void test_tangents_give_the_same_motion(void **state)
{
    (void)state;
    const double      q0[2] = {1, -0.5}, v0[2] = {0.3, 2};
    zn_lagrangian_def def = pendulum(q0, v0);
    def.force = pendulum_force;
    rig a = open_lagrangian(def, "moreau_jean", 0.5);
    def.tangent = pendulum_tangent;
    rig b = open_lagrangian(def, "moreau_jean", 0.5);
    for (int k = 0; k < 200; k++) {
        rig_step(&a, 0.01);
        rig_step(&b, 0.01);
        for (int i = 0; i < 2; i++)
            CHECK_NEAR(a.state->q[i], b.state->q[i], 1e-9);
    }
    rig_close(&a);
    rig_close(&b);
}

// --- energy --------------------------------------------------------------------------------------

// Without contacts theta = 1/2 is of second order, and its energy error too.
static void test_energy_is_kept_to_second_order(void **state)
{
    (void)state;
    const double q0[2] = {1.2, -0.4}, v0[2] = {0, 1};
    slope_fit    half = {0}, one = {0};
    for (int i = 0; i < 5; i++) {
        double h = 0.01 / (1 << i), worst[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            rig    r = open_lagrangian(pendulum(q0, v0), "moreau_jean", k == 0 ? 0.5 : 1);
            double start = energy_of(&r), entered = 0;
            while (r.state->t < 1) {
                rig_step(&r, h);
                entered += r.info.ledger[ZN_LEDGER_NUMERICAL];
                worst[k] = fmax(worst[k], fabs(energy_of(&r) - start));
                CHECK_NEAR(energy_of(&r) - start, entered, 1e-10); // all of it is the scheme's own
            }
            rig_close(&r);
        }
        print_message("h = %.2e: energy off by %.3e (theta = 1/2), %.3e (theta = 1)\n", h, worst[0], worst[1]);
        slope_add(&half, h, worst[0]);
        slope_add(&one, h, worst[1]);
    }
    print_message("orders %.3f and %.3f\n", slope_of(&half), slope_of(&one));
    CHECK_NEAR(slope_of(&half), 2, 0.1);
    CHECK_NEAR(slope_of(&one), 1, 0.15);
}

// Kinetic, potential and the whole ledger with a varying mass, all schemes, with drive and damping.
static void test_ledger_closes_with_varying_mass(void **state)
{
    (void)state;
    const double q0[2] = {1, -0.5}, v0[2] = {0.3, 2}, thetas[] = {0.5, 0.8, 1};
    const char  *schemes[] = {"moreau_jean", "direct_projection", "combined_projection", "schatzman_paoli",
                              "trapezoidal"};
    for (int s = 0; s < 5; s++)
        for (int k = 0; k < 3; k++) {
            zn_lagrangian_def def = pendulum(q0, v0);
            def.force = pendulum_force;
            zn_model  *model = model_of(def);
            zn_system *sys = NULL;
            zn_sim    *sim = NULL;
            zn_sim_def run = zn_sim_def_default();
            run.scheme = scheme_named(schemes[s], thetas[k]);
            run.step = 0.01;
            run.until = 3;
            CHECK_OK(zn_system_create(model, &sys));
            CHECK_OK(zn_sim_create(sys, &run, &sim));
            CHECK_OK(zn_sim_run(sim));
            const zn_certificate *c = zn_sim_certificate(sim);
            CHECK_BELOW(c->closure.value, 1e-10);
            assert_true(fabs(c->ledger[ZN_LEDGER_LOAD]) > 0.1); // force() counts as a load
            zn_sim_destroy(sim);
            zn_system_destroy(sys);
            zn_model_destroy(model);
        }
    // the energies themselves
    rig r = open_lagrangian(pendulum(q0, v0), "moreau_jean", 0.5);
    CHECK_NEAR(r.state->energy.kinetic, 0.3 * 0.3 + 2 * 2 / 2.0 + 0.3 * 2 * cos(1.5), 1e-14);
    CHECK_NEAR(r.state->energy.strain, -PENDULUM_G * (2 * cos(1) + cos(0.5)), 1e-13);
    CHECK_NEAR(r.state->energy.gravity, 0, 0);
    rig_close(&r);
}

// --- joints by callback --------------------------------------------------------------------------

static zn_status bead_mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    memcpy(M, (double[4]){0.5, 0, 0, 0.5}, 4 * sizeof *M);
    return ZN_OK;
}

static zn_status no_potential(void *user, const double *q, double *V, double *f)
{
    (void)user, (void)q;
    *V = f[0] = f[1] = 0;
    return ZN_OK;
}

// x^2 + y^2 = 4, divided by 2 r = 4 so that it is a length near the circle.
static zn_status circle(void *user, int i, double t, const double *q, double *g, double *row, double *rate)
{
    (void)user, (void)t;
    assert_int_equal(i, 0);
    *g = (q[0] * q[0] + q[1] * q[1] - 4) / 4;
    row[0] = q[0] / 2;
    row[1] = q[1] / 2;
    *rate = 0;
    return ZN_OK;
}

// A bead on a circle without forces turns uniformly. With joints met at the end of a step its speed falls by cos D in
// each, tan D = w h (see test_slider_crank.c): on the exact circle 1/w^2 grows by h^2 in each step.
static void test_bead_on_a_circle(void **state)
{
    (void)state;
    const double      q0[2] = {2, 0}, v0[2] = {0, 3};
    const char *const schemes[] = {"direct_projection", "combined_projection"};
    for (int s = 0; s < 2; s++) {
        slope_fit fit = {0};
        for (int i = 0; i < 4; i++) {
            double            h = 0.01 / (1 << i), w0 = 1.5, angle = 0, w = w0;
            zn_lagrangian_def def = zn_lagrangian_def_default();
            def.n = 2, def.q0 = q0, def.v0 = v0, def.mass = bead_mass, def.potential = no_potential;
            def.joints = 1, def.joint = circle;
            rig r = open_lagrangian(def, schemes[s], 0.5);
            for (int k = 1; k * h < 2; k++) {
                rig_step(&r, h);
                angle += atan(w * h);
                w = w0 / sqrt(1 + k * w0 * w0 * h * h);
                CHECK_NEAR(hypot(r.state->q[0], r.state->q[1]), 2, 1e-12);
                CHECK_NEAR(atan2(r.state->q[1], r.state->q[0]), remainder(angle, 2 * PI), 1e-10);
                CHECK_NEAR(hypot(r.state->v[0], r.state->v[1]), 2 * w, 1e-10);
                CHECK_NEAR(r.state->q[0] * r.state->v[0] + r.state->q[1] * r.state->v[1], 0, 1e-10);
            }
            slope_add(&fit, h, fabs(angle - w0 * r.state->t)); // against the exact motion
            rig_close(&r);
        }
        CHECK_NEAR(slope_of(&fit), 1, 0.05);
    }
}

// x = 0.3 sin 2t + 1 through the rate; y is free and coupled to x by nothing.
static zn_status driven(void *user, int i, double t, const double *q, double *g, double *row, double *rate)
{
    (void)user, (void)i;
    *g = q[0] - 1 - 0.3 * sin(2 * t);
    row[0] = 1;
    row[1] = 0;
    *rate = -0.6 * cos(2 * t);
    return ZN_OK;
}

static void test_prescribed_motion(void **state)
{
    (void)state;
    const double      q0[2] = {1, 0}, v0[2] = {0.6, -2}, h = 0.01;
    const char *const schemes[] = {"moreau_jean", "combined_projection"};
    for (int s = 0; s < 2; s++) {
        zn_lagrangian_def def = zn_lagrangian_def_default();
        def.n = 2, def.q0 = q0, def.v0 = v0, def.mass = bead_mass;
        def.joints = 1, def.joint = driven;
        rig    r = open_lagrangian(def, schemes[s], 0.5);
        double work = 0, kinetic = r.state->energy.kinetic;
        for (int k = 1; k <= 300; k++) {
            double t = k * h, speed = 0.6 * cos(2 * t), before = 0.6 * cos(2 * (t - h));
            rig_step(&r, h);
            CHECK_NEAR(r.state->v[0], speed, 1e-12); // at velocity level exactly
            CHECK_NEAR(r.state->contacts->impulse[0], 0.5 * (speed - before), 1e-12);
            CHECK_NEAR(r.state->q[0], 1 + 0.3 * sin(2 * t), s == 0 ? 2e-5 : 1e-12); // h^2/12 of the trapezoidal rule
            CHECK_NEAR(r.state->q[1], -2 * t, 1e-12);
            work += r.info.ledger[ZN_LEDGER_JOINT];
            CHECK_NEAR(r.state->energy.kinetic - kinetic, work, 1e-12);
        }
        rig_close(&r);
    }
}

// --- contacts by callback ------------------------------------------------------------------------

// y >= 0 in coordinates (x, y), with the tangent along x.
static zn_status floor_contact(void *user, int i, const double *q, double *gap, double *normal, double *tangent)
{
    (void)user, (void)i;
    *gap = q[1];
    normal[0] = 0, normal[1] = 1;
    if (tangent)
        tangent[0] = 1, tangent[1] = 0;
    return ZN_OK;
}

static zn_status weight(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t, (void)q, (void)v;
    f[0] = 0, f[1] = -1; // m = 1/2, so the acceleration is -2, as of the ball
    return ZN_OK;
}

// The bouncing ball again, bit by bit what the built-in model does; with friction it slides to a stop.
static void test_contact_callback_is_the_ball(void **state)
{
    (void)state;
    const double      q0[2] = {0, 1}, v0[2] = {0, 0}, e[1] = {0.5};
    const char *const schemes[] = {"moreau_jean", "direct_projection", "combined_projection"};
    for (int s = 0; s < 3; s++) {
        zn_lagrangian_def def = zn_lagrangian_def_default();
        def.n = 2, def.q0 = q0, def.v0 = v0, def.mass = bead_mass, def.force = weight;
        def.contacts = 1, def.contact = floor_contact, def.restitution = e;
        rig r = open_lagrangian(def, schemes[s], 0.5);
        rig ball = rig_open(ball_model(1, 0, 0.5), scheme_named(schemes[s], 0.5));
        for (int k = 0; k < 600; k++) {
            rig_step(&r, 0.00713);
            rig_step(&ball, 0.00713);
            CHECK_NEAR(r.state->q[1], gap_of(&ball, 0), 1e-12);
            CHECK_NEAR(r.state->v[1], ball.state->v[0], 1e-12);
        }
        rig_close(&r);
        rig_close(&ball);
    }
}

// The lower mass of the double pendulum above y = -3, with the velocity along x as that of sliding: rows that turn.
static zn_status bob_contact(void *user, int i, const double *q, double *gap, double *normal, double *tangent)
{
    (void)user, (void)i;
    *gap = 3 - cos(q[0]) - cos(q[1]);
    normal[0] = sin(q[0]), normal[1] = sin(q[1]);
    if (tangent)
        tangent[0] = cos(q[0]), tangent[1] = cos(q[1]);
    return ZN_OK;
}

static void test_contact_derivatives(void **state)
{
    (void)state;
    for (int friction = 0; friction < 2; friction++) {
        zn_lagrangian_def def = zn_lagrangian_def_default();
        zn_model         *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
        const double      q0[2] = {0.3, -0.4}, mu[1] = {0.5};
        def.n = 2, def.q0 = q0, def.mass = pendulum_mass;
        def.contacts = 1, def.contact = bob_contact, def.friction = friction ? mu : NULL;
        CHECK_OK(zn_model_add_lagrangian(model, &def));
        fixture f = compile_fixture(model);
        check_contact_derivatives(f.sys, 5, 1, false, 1e-10); // the displacement is G_T(q) (q - q_from)
        destroy_fixture(&f);
    }
}

static void test_friction_callback_stops_sliding(void **state)
{
    (void)state;
    const double      q0[2] = {0, 0}, v0[2] = {1, 0}, mu[1] = {0.2}, h = 0.01;
    zn_lagrangian_def def = zn_lagrangian_def_default();
    def.n = 2, def.q0 = q0, def.v0 = v0, def.mass = bead_mass, def.force = weight;
    def.contacts = 1, def.contact = floor_contact, def.friction = mu;
    rig r = open_lagrangian(def, "combined_projection", 0.5);
    for (int k = 1; k <= 400; k++) { // deceleration mu 2 = 0.4, at rest after 2.5 s and 1.25 m
        rig_step(&r, h);
        CHECK_NEAR(r.state->v[0], fmax(0, 1 - 0.4 * k * h), 1e-9);
    }
    CHECK_NEAR(r.state->q[0], 1.25, 1e-9);
    rig_close(&r);
}

// --- faults --------------------------------------------------------------------------------------

static int destroyed;

static void count_destroy(void *user)
{
    (void)user;
    destroyed++;
}

static void check_fault(zn_lagrangian_def def, zn_status status, const char *part)
{
    log_capture log = {0};
    zn_model   *model = planar_model(0, log_into(&log));
    destroyed = 0;
    def.destroy = count_destroy;
    CHECK_STATUS(zn_model_add_lagrangian(model, &def), status);
    if (status != ZN_OK)
        CHECK_LOGGED(&log, part);
    zn_model_destroy(model);
    assert_int_equal(destroyed, 1);
}

static void test_faults(void **state)
{
    (void)state;
    const double      q0[65] = {0}, v0[2] = {0}, bad[2] = {0.5, 1.5}, negative[2] = {0.1, -0.1}, nan[2] = {NAN, 0};
    zn_lagrangian_def good = pendulum(q0, v0), def = good;
    check_fault(good, ZN_OK, "");
    def.n = 0;
    check_fault(def, ZN_ERR_MODEL, "'pendulum': 0 coordinates");
    def.n = 65;
    check_fault(def, ZN_ERR_MODEL, "65 coordinates");
    def = good, def.mass = NULL;
    check_fault(def, ZN_ERR_MODEL, "mass");
    def = good, def.q0 = NULL;
    check_fault(def, ZN_ERR_MODEL, "q0");
    def = good, def.contacts = 1;
    check_fault(def, ZN_ERR_MODEL, "without a function");
    def = good, def.joints = 1;
    check_fault(def, ZN_ERR_MODEL, "without a function");
    def = good, def.contacts = -1;
    check_fault(def, ZN_ERR_MODEL, "pendulum");
    def = good, def.contacts = 2, def.contact = floor_contact, def.restitution = bad;
    check_fault(def, ZN_ERR_MODEL, "restitution 1.5");
    def.restitution = nan;
    check_fault(def, ZN_ERR_MODEL, "restitution");
    def.restitution = NULL, def.friction = negative;
    check_fault(def, ZN_ERR_MODEL, "friction -0.1");
    def.friction = nan;
    check_fault(def, ZN_ERR_MODEL, "friction");
}

// Names that are taken, and a def that was not initialized.
static void test_names_and_sizes(void **state)
{
    (void)state;
    const double      q0[2] = {0};
    log_capture       log = {0};
    zn_model         *model = planar_model(0, log_into(&log));
    zn_lagrangian_def def = pendulum(q0, NULL), raw = {0};
    def.destroy = count_destroy;
    destroyed = 0;
    CHECK_OK(zn_model_add_lagrangian(model, &def));
    assert_true(zn_model_has_name(model, "pendulum"));
    assert_true(zn_model_find_node(model, "pendulum[1]").value > 0);
    zn_status second = zn_model_add_lagrangian(model, &def);
    assert_true(second == ZN_ERR_MODEL || second == ZN_ERR_ARGUMENT);
    CHECK_LOGGED(&log, "pendulum");
    assert_true(zn_model_add_lagrangian(model, &raw) != ZN_OK);
    zn_model_destroy(model);
    assert_int_equal(destroyed, 2); // once for each that was handed over
}

// A function that fails makes the step fail, and says so by its own status.
static zn_status moody_mass(void *user, const double *q, double *M)
{
    return *(int *)user ? ZN_INVALID_STATE : pendulum_mass(NULL, q, M);
}

static void test_a_failing_function_fails_the_step(void **state)
{
    (void)state;
    const double      q0[2] = {1, 0};
    int               broken = 0;
    zn_lagrangian_def def = pendulum(q0, NULL);
    def.user = &broken;
    def.mass = moody_mass;
    rig r = open_lagrangian(def, "moreau_jean", 0.5), twin = open_lagrangian(pendulum(q0, NULL), "moreau_jean", 0.5);
    for (int k = 0; k < 20; k++) {
        broken = 1;
        CHECK_STATUS(zn_scheme_step(r.scheme, r.state, 0.01, &r.info), ZN_INVALID_STATE);
        broken = 0;
        rig_step(&r, 0.01);
        rig_step(&twin, 0.01);
        check_same_state(r.sys, r.state, twin.state);
    }
    rig_close(&r);
    rig_close(&twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangents_agree),
        cmocka_unit_test(test_tangents_give_the_same_motion),
        cmocka_unit_test(test_energy_is_kept_to_second_order),
        cmocka_unit_test(test_ledger_closes_with_varying_mass),
        cmocka_unit_test(test_bead_on_a_circle),
        cmocka_unit_test(test_prescribed_motion),
        cmocka_unit_test(test_contact_callback_is_the_ball),
        cmocka_unit_test(test_contact_derivatives),
        cmocka_unit_test(test_friction_callback_stops_sliding),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_names_and_sizes),
        cmocka_unit_test(test_a_failing_function_fails_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
