// Friction against rolling and spinning in all schemes that have friction, against closed forms: a ball that rests on a
// slope, rolls down it, rolls out on a level, spins down; a wheel in the plane; a ball on a ball.
#include "scheme_fixtures.h"
#include "statics/equilibrium.h"

static const char *const schemes[] = {"moreau_jean", "direct_projection", "combined_projection",
                                      "nsga",        "nsga_coupled",      "cd_lagrange"};

enum { SCHEMES = sizeof schemes / sizeof *schemes };

static const double g = 9.81, R = 0.1, mass = 2;

typedef struct scene {
    double slope, v, spin; ///< slope [rad]; rolling with v along x; spin about the normal
    double rolling, spinning;
    bool   planar;
} scene;

// A ball (a disc in the plane) on the plane through the origin; gravity is turned instead of the plane.
static zn_model *on_a_plane(scene c)
{
    zn_model_def   def = zn_model_def_default();
    zn_body_def    body = zn_body_def_default();
    zn_contact_def contact = zn_contact_def_default();
    zn_model      *model = NULL;
    double         along = g * sin(c.slope), down = -g * cos(c.slope), J = 0.4 * mass * R * R;
    def.planar = c.planar;
    def.gravity = c.planar ? zn_vec3_make(along, down, 0) : zn_vec3_make(along, 0, down);
    CHECK_OK(zn_model_create(&def, &model));
    body.name = "ball";
    body.mass = mass;
    body.inertia = c.planar ? 0.5 * mass * R * R : 0;
    body.inertia3 = c.planar ? (zn_mat3){0} : (zn_mat3){{{J, 0, 0}, {0, J, 0}, {0, 0, J}}};
    body.position = c.planar ? zn_vec3_make(0, R, 0) : zn_vec3_make(0, 0, R);
    body.velocity = zn_vec3_make(c.v, 0, 0);
    body.spin = c.planar ? -c.v / R : 0;
    body.spin3 = c.planar ? (zn_vec3){0, 0, 0} : zn_vec3_make(0, c.v / R, c.spin);
    CHECK_OK(zn_model_add_body(model, &body, &contact.point.node));
    contact.name = "floor";
    contact.radius = R;
    contact.normal = c.planar ? zn_vec3_make(0, 1, 0) : zn_vec3_make(0, 0, 1);
    contact.friction = 0.5;
    contact.rolling_friction = c.rolling;
    contact.spinning_friction = c.spinning;
    CHECK_OK(zn_model_add_contact(model, &contact));
    return model;
}

static zn_scheme_def scheme_of(int i)
{
    zn_scheme_def def = zn_scheme_def_default();
    def.scheme = schemes[i];
    return def;
}

// Energy that friction took, and laws, of all steps.
typedef struct account {
    double friction, law, rolling;
} account;

static account run(rig *r, double h, int steps)
{
    account sum = {0};
    for (int i = 0; i < steps; i++) {
        rig_step(r, h);
        sum.friction += r->info.ledger[ZN_LEDGER_FRICTION];
        sum.law = fmax(sum.law, r->info.coulomb_velocity);
        sum.rolling = fmax(sum.rolling, r->info.rolling_velocity);
    }
    return sum;
}

// Below atan(rho / R) it stays where it is, above it rolls with J' = J / (m R^2): a = g (sin - rho / R cos) / (1 + J').
static void test_slope(void **state)
{
    (void)state;
    const double slope = 0.05, h = 1e-3;
    for (int i = 0; i < SCHEMES; i++)
        for (int planar = 0; planar < 2; planar++) {
            double factor = planar ? 2.0 / 3 : 5.0 / 7, limit = R * tan(slope);
            rig    r = rig_open(
                   on_a_plane(
                       (scene){.slope = slope, .rolling = 1.001 * limit, .spinning = planar ? 0 : 1e-3, .planar = planar}),
                   scheme_of(i));
            run(&r, h, 200);
            CHECK_BELOW(fabs(r.state->q[0]), 1e-16);
            CHECK_BELOW(fabs(r.state->v[0]), 1e-14);
            rig_close(&r);
            r = rig_open(on_a_plane((scene){.slope = slope, .rolling = 0.6 * limit, .planar = planar}), scheme_of(i));
            account sum = run(&r, h, 200);
            double  a = factor * 0.4 * g * sin(slope), t = 0.2;
            CHECK_NEAR(r.state->v[0], a * t, 1e-12);
            CHECK_NEAR(r.state->v[planar ? 2 : 4], (planar ? -1 : 1) * a * t / R, 1e-11);
            CHECK_NEAR(r.state->q[0], a * t * t / 2, a * t * h); // a step of the explicit scheme
            CHECK_NEAR(sum.friction, -0.6 * mass * g * sin(slope) * a * t * t / 2, 1e-3 * mass * g * a * t * t / 2);
            if (strcmp(schemes[i], "cd_lagrange") != 0) { // which does not measure it
                CHECK_BELOW(sum.law, 1e-12);
                CHECK_BELOW(sum.rolling, 1e-12);
            }
            rig_close(&r);
        }
}

// On a level it stops after v^2 / (2 a), a = 5/7 g rho / R, wherever that is in a step, and stays; all of its energy
// is friction's.
static void test_level(void **state)
{
    (void)state;
    const double v = 0.2, rho = 0.02, a = 5.0 / 7 * g * rho / R;
    for (int i = 0; i < SCHEMES; i++) {
        double error[2], friction = 0;
        for (int k = 0; k < 2; k++) {
            double h = k == 0 ? 2e-3 : 5e-4;
            rig    r = rig_open(on_a_plane((scene){.v = v, .rolling = rho, .spinning = 1e-3}), scheme_of(i));
            friction = run(&r, h, (int)(0.2 / h)).friction;
            error[k] = fabs(r.state->q[0] - v * v / (2 * a));
            double x = r.state->q[0];
            run(&r, h, 20);
            CHECK_NEAR(r.state->q[0], x, 1e-17);
            CHECK_BELOW(fabs(r.state->v[0]), 1e-16);
            rig_close(&r);
        }
        CHECK_BELOW(error[0], 0.5 * a * 2e-3 * 2e-3); // of the step in which it stops
        CHECK_BELOW(error[1], 0.5 * a * 5e-4 * 5e-4);
        CHECK_NEAR(friction, -0.7 * mass * v * v, strcmp(schemes[i], "cd_lagrange") == 0 ? 1e-3 * v * v : 1e-12);
    }
}

// A ball that spins about the normal of a level stops at t = 2/5 R^2 w / (sigma g) and goes nowhere.
static void test_spinning(void **state)
{
    (void)state;
    const double w = 3, sigma = 4e-3, h = 1e-3, end = 0.4 * R * R * w / (sigma * g);
    for (int i = 0; i < SCHEMES; i++) {
        rig r = rig_open(on_a_plane((scene){.spin = w, .rolling = 1e-3, .spinning = sigma}), scheme_of(i));
        int half = (int)(end / h / 2);
        run(&r, h, half);
        CHECK_NEAR(r.state->v[5], w * (1 - half * h / end), 1e-11);
        run(&r, h, (int)(end / h) - half);
        assert_true(r.state->v[5] > 0);
        run(&r, h, strcmp(schemes[i], "cd_lagrange") == 0 ? 2 : 1); // whose velocity is a mean of two
        CHECK_BELOW(fabs(r.state->v[5]), 1e-14);
        CHECK_BELOW(hypot(r.state->q[0], r.state->q[1]), 1e-15);
        rig_close(&r);
    }
}

// A ball that spins on another one, on a floor with friction against sliding alone: the moment sigma m_1 g turns both
// until they have the same spin, J_1 w / (J_1 + J_2), at t = w J_1 J_2 / ((J_1 + J_2) sigma m_1 g).
static zn_model *ball_on_ball(const double m[2], double w, double sigma)
{
    zn_model_def      def = zn_model_def_default();
    zn_pairs_def      pairs = zn_pairs_def_default();
    zn_contact_def    floor = zn_contact_def_default();
    zn_model         *model = NULL;
    const char *const names[] = {"upper", "lower"};
    def.gravity = zn_vec3_make(0, 0, -g);
    CHECK_OK(zn_model_create(&def, &model));
    for (int i = 0; i < 2; i++) {
        zn_body_def  body = zn_body_def_default();
        zn_shape_def shape = zn_shape_def_default();
        double       J = 0.4 * m[i] * R * R;
        body.name = names[i];
        body.mass = m[i];
        body.inertia3 = (zn_mat3){{{J, 0, 0}, {0, J, 0}, {0, 0, J}}};
        body.position = zn_vec3_make(0, 0, i == 0 ? 3 * R : R);
        body.spin3 = zn_vec3_make(0, 0, i == 0 ? w : 0);
        CHECK_OK(zn_model_add_body(model, &body, &shape.at.node));
        shape.name = names[i];
        shape.radius = R;
        CHECK_OK(zn_model_add_shape(model, &shape));
        floor.point.node = shape.at.node;
    }
    floor.name = "floor";
    floor.normal = zn_vec3_make(0, 0, 1);
    floor.radius = R;
    floor.friction = 0.3;
    CHECK_OK(zn_model_add_contact(model, &floor));
    pairs.name = "pair";
    pairs.between = names;
    pairs.between_count = 2;
    pairs.friction = 0.3;
    pairs.rolling_friction = 1e-3;
    pairs.spinning_friction = sigma;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
    return model;
}

static void test_two_balls(void **state)
{
    (void)state;
    const double m[2] = {1, 3}, w = 4, sigma = 5e-3, h = 1e-3, J[2] = {0.4 * m[0] * R * R, 0.4 * m[1] * R * R};
    const double moment = sigma * m[0] * g, end = w * J[0] * J[1] / ((J[0] + J[1]) * moment);
    for (int i = 0; i < SCHEMES; i++) {
        rig r = rig_open(ball_on_ball(m, w, sigma), scheme_of(i));
        int before = (int)(end / h);
        run(&r, h, before);
        CHECK_NEAR(r.state->v[5], w - moment / J[0] * before * h, 1e-10);
        CHECK_NEAR(r.state->v[11], moment / J[1] * before * h, 1e-10);
        run(&r, h, 2);
        CHECK_NEAR(r.state->v[5], w * J[0] / (J[0] + J[1]), 1e-10);
        CHECK_NEAR(r.state->v[11], r.state->v[5], 1e-12);
        rig_close(&r);
    }
}

// A ball that is thrown on a plane without rolling slides, spins and rolls; whatever it does, its impulses obey the
// three laws with the velocities at the end, and friction of each kind takes energy only.
static void test_thrown(void **state)
{
    (void)state;
    const double rho = 5e-3, sigma = 2e-3, h = 1e-3;
    for (int i = 0; i < SCHEMES; i++) {
        rig r = rig_open(on_a_plane((scene){.slope = 0.02, .rolling = rho, .spinning = sigma}), scheme_of(i));
        r.state->v[0] = 0.5, r.state->v[1] = 0.3, r.state->v[3] = 4, r.state->v[4] = -2, r.state->v[5] = 3;
        CHECK_OK(zn_state_update(r.sys, r.state));
        for (int step = 0; step < 300; step++) {
            rig_step(&r, h);
            const double *P = r.state->contacts->impulse, *U = r.state->contacts->velocity;
            assert_int_equal(r.state->contacts->stride, 6);
            const struct {
                int    first, rows;
                double bound;
            } law[] = {{1, 2, 0.5}, {3, 2, rho}, {5, 1, sigma}};
            for (int k = 0; k < 3; k++) {
                const double *l = P + law[k].first, *u = U + law[k].first, bound = law[k].bound * P[0];
                bool          two = law[k].rows > 1;
                double        size = hypot(l[0], two ? l[1] : 0), speed = hypot(u[0], two ? u[1] : 0);
                CHECK_BELOW(size, bound * (1 + 1e-10));
                if (speed > 1e-9)
                    CHECK_NEAR(l[0] * u[0] + (two ? l[1] * u[1] : 0), -bound * speed, 1e-9 * bound * speed);
            }
        }
        rig_close(&r);
    }
}

// The search for an equilibrium has no such law: it says so, unless all friction is left out.
static void test_statics(void **state)
{
    (void)state;
    rig                r = rig_open(on_a_plane((scene){.rolling = 1e-3}), scheme_of(0));
    zn_equilibrium_def def = zn_equilibrium_def_default();
    zn_equilibrium    *search = NULL;
    def.friction = true;
    assert_int_equal(zn_equilibrium_create(r.sys, &def, r.state, &search), ZN_ERR_UNSUPPORTED);
    def.friction = false;
    CHECK_OK(zn_equilibrium_create(r.sys, &def, r.state, &search));
    zn_equilibrium_destroy(search);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slope),    cmocka_unit_test(test_level),
                                       cmocka_unit_test(test_spinning), cmocka_unit_test(test_two_balls),
                                       cmocka_unit_test(test_thrown),   cmocka_unit_test(test_statics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
