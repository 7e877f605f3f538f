// Friction in the nonsmooth generalized-alpha schemes: closed forms of a mass on an incline (Galvez et al.,
// section 5.1) in the plane and in space, the law of tangential restitution, independence of the penalties where
// contacts compete, the coupled scheme, the friction line of the energy ledger.
#include "gallery_fixtures.h"

static const double gravity = 9.81, mu = 0.3, v0 = 2;
#define ANGLE  (acos(-1) / 12)
#define ALONG  (gravity * sin(ANGLE))
#define ACROSS (gravity * cos(ANGLE))
#define BRAKE  (ALONG + mu * ACROSS) // while sliding up

static double law_of(const rig *r) { return fmax(r->info.coulomb_position, r->info.coulomb_velocity); }

// --- incline ---------------------------------------------------------------------------------------

// Way, speed and impulses up the slope, whatever the dimension; `side` is what must stay zero.
typedef struct uphill {
    double x, v, normal, tangent, side;
} uphill;

static uphill uphill_of(const gallery_rig *g, int dim, double heading)
{
    const double *q = g->r.state->q, *v = g->r.state->v, *p = g->r.state->contacts->impulse;
    double        c = cos(heading), s = sin(heading);
    if (dim == 2)
        return (uphill){q[0], v[0], p[0], -p[1], fabs(q[1]) + fabs(v[1])};
    // the change of momentum is what friction gave; tangents of the contact need not be known
    return (uphill){c * q[0] + s * q[1], c * v[0] + s * v[1], p[0], hypot(p[1], p[2]),
                    fabs(-s * q[0] + c * q[1]) + fabs(-s * v[0] + c * v[1]) + fabs(q[2])};
}

static void check_incline(int dim, const char *scheme, double h, double heading)
{
    char        word[32];
    const char *set[] = {word, NULL};
    snprintf(word, sizeof word, "heading=%.17g", heading);
    gallery_rig g = gallery_open_file("inclined-plane", dim == 2 ? "model.yaml" : "model-space.yaml",
                                      dim == 2 ? NULL : set, scheme_named(scheme, 0.5));
    double      stop = v0 / BRAKE, rest = NAN, last[2][2] = {{0}};
    for (int k = 1; k * h <= 2; k++) {
        rig_step(&g.r, h);
        uphill u = uphill_of(&g, dim, heading);
        double t = g.r.state->t;
        CHECK_BELOW(law_of(&g.r), 1e-13);
        CHECK_BELOW(u.side, 1e-12);
        CHECK_NEAR(u.normal, ACROSS * h, 1e-13);
        if (t < stop) {
            CHECK_NEAR(u.v, v0 - BRAKE * t, 1e-12); // exact: the force is constant
            CHECK_NEAR(u.x, v0 * t - BRAKE * t * t / 2, 1e-12);
            CHECK_NEAR(fabs(u.tangent), mu * ACROSS * h, 1e-13);
            memcpy(last[0], last[1], sizeof last[0]);
            last[1][0] = t, last[1][1] = u.v;
        } else if (t > stop + h) {
            rest = isnan(rest) ? u.x : rest;
            CHECK_NEAR(u.v, 0, 1e-14);
            CHECK_NEAR(u.x, rest, 1e-12);
            CHECK_NEAR(fabs(u.tangent), ALONG * h, 1e-13);
        }
    }
    double slope = (last[1][1] - last[0][1]) / (last[1][0] - last[0][0]);
    CHECK_NEAR(last[1][0] - last[1][1] / slope, stop, 1e-9); // velocity extrapolated to zero
    CHECK_NEAR(rest, v0 * v0 / (2 * BRAKE), BRAKE * h * h);
    gallery_close(&g);
}

static void test_incline(void **state)
{
    (void)state;
    CHECK_NEAR(v0 / BRAKE, 0.371627, 1e-6);
    CHECK_NEAR(ACROSS * 1e-3, 9.475732e-3, 1e-8);
    CHECK_NEAR(mu * ACROSS * 1e-3, 2.842720e-3, 1e-8);
    CHECK_NEAR(ALONG * 1e-3, 2.539015e-3, 1e-8);
    for (int c = 0; c < 2; c++) {
        const char *scheme = c ? "nsga_coupled" : "nsga";
        check_incline(2, scheme, 1e-3, 0);
        check_incline(2, scheme, 7.3e-3, 0);
        check_incline(3, scheme, 1e-3, 0);
        check_incline(3, scheme, 1e-3, 0.9273);
        check_incline(3, scheme, 7.3e-3, -2.2);
    }
}

// Without friction at position level the smooth motion, -h^2 g sin/2 a step, is never taken back: h g sin/2 per second.
static void test_incline_drifts_without_position_friction(void **state)
{
    (void)state;
    for (double h = 1e-2; h > 5e-4; h /= 2) {
        zn_scheme_def def = scheme_named("nsga", 0.5);
        def.position_friction = false;
        gallery_rig g = gallery_open("inclined-plane", NULL, def);
        while (g.r.state->t < 0.5)
            rig_step(&g.r, h);
        double t = g.r.state->t, x = g.r.state->q[0];
        while (g.r.state->t < 1.5) {
            rig_step(&g.r, h);
            CHECK_NEAR(g.r.state->v[0], 0, 1e-14); // the velocity knows nothing of it
        }
        CHECK_NEAR((x - g.r.state->q[0]) / (g.r.state->t - t), h * ALONG / 2, 1e-10);
        gallery_close(&g);
    }
}

// --- tangential restitution ------------------------------------------------------------------------

static rig thrown_point(double e, double e_t, double friction, const char *scheme)
{
    zn_model      *model = planar_model(0, (zn_log){0});
    zn_body_def    body = zn_body_def_default();
    zn_contact_def floor = zn_contact_def_default();
    body.name = "point";
    body.mass = 0.7;
    body.position = zn_vec3_make(0, 0.01, 0);
    body.velocity = zn_vec3_make(1.5, -2, 0);
    CHECK_OK(zn_model_add_body(model, &body, &floor.point.node));
    floor.name = "floor";
    floor.normal = zn_vec3_make(0, 1, 0);
    floor.restitution = e;
    floor.tangential_restitution = e_t;
    floor.friction = friction;
    CHECK_OK(zn_model_add_contact(model, &floor));
    return rig_open(model, scheme_named(scheme, 0.5));
}

static void test_tangential_restitution(void **state)
{
    (void)state;
    const double factor[] = {-0.5, 0, 0.3, 1}, rough[] = {0.1, 0.3, 5};
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 3; j++) {
                rig r = thrown_point(0.6, factor[i], rough[j], s ? "nsga_coupled" : "nsga");
                while (!(r.state->contacts->impulse[0] > 0))
                    rig_step(&r, 1.7e-3);
                double most = rough[j] * 1.6 * 2,
                       wish = (1 + factor[i]) * 1.5; // change of velocity: allowed, asked for
                CHECK_NEAR(r.state->v[1], 1.2, 1e-13);
                CHECK_NEAR(r.state->v[0], 1.5 - fmin(most, wish), 1e-13);
                CHECK_NEAR(fabs(r.state->contacts->impulse[1]), 0.7 * fmin(most, wish), 1e-13);
                rig_close(&r);
            }
}

// --- penalties -------------------------------------------------------------------------------------

/// A stool thrown on a floor so that its feet hit, slide and stick in several groupings. Three of them: with four the
/// normal forces of a sliding body are not determined, and with them the moment of friction and the motion.
static zn_model *thrown_stool(void)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    zn_body_def  body = zn_body_def_default();
    zn_node_id   node = {0};
    def.gravity = zn_vec3_make(0, 0, -gravity);
    CHECK_OK(zn_model_create(&def, &model));
    body.name = "stool";
    body.mass = 2;
    body.inertia3 = (zn_mat3){{{0.03, 0, 0}, {0, 0.02, 0}, {0, 0, 0.025}}};
    body.position = zn_vec3_make(0, 0, 0.13);
    body.velocity = zn_vec3_make(1, 0.4, -1);
    body.spin3 = zn_vec3_make(0.2, 1, 2);
    CHECK_OK(zn_model_add_body(model, &body, &node));
    for (int c = 0; c < 3; c++) {
        char           name[16];
        zn_contact_def contact = zn_contact_def_default();
        snprintf(name, sizeof name, "c%d", c);
        contact.name = name;
        contact.point = (zn_attachment){node, zn_vec3_make(c == 0 ? 0.2 : -0.1, 0.15 * (c % 2 - c / 2), -0.1)};
        contact.normal = zn_vec3_make(0, 0, 1);
        contact.restitution = 0.2;
        contact.friction = 0.4;
        CHECK_OK(zn_model_add_contact(model, &contact));
    }
    return model;
}

typedef struct flight {
    double q[16];
    int    nq, most, newton; ///< contacts at once, linear solves in all
    double law;
} flight;

static flight fly_with(zn_model *model, zn_scheme_def def, double h, int steps)
{
    flight f = {0};
    rig    r = rig_open(model, def);
    for (int k = 0; k < steps; k++) {
        rig_step(&r, h);
        f.most = r.info.active > f.most ? r.info.active : f.most;
        f.newton += r.info.newton_iterations;
        f.law = fmax(f.law, law_of(&r));
    }
    f.nq = zn_system_get_info(r.sys).nq;
    memcpy(f.q, r.state->q, sizeof *f.q * (size_t)f.nq);
    rig_close(&r);
    return f;
}

static flight fly(zn_model *model, const char *scheme, double penalty, double mass, double h, int steps)
{
    zn_scheme_def def = scheme_named(scheme, 0.5);
    def.penalty_factor = penalty;
    def.characteristic_mass = mass;
    return fly_with(model, def, h, steps);
}

static double distance(const flight *a, const flight *b)
{
    double worst = 0;
    for (int i = 0; i < a->nq; i++)
        worst = fmax(worst, fabs(a->q[i] - b->q[i]));
    return worst;
}

static void test_penalties_do_not_matter(void **state)
{
    (void)state;
    flight first = fly(thrown_stool(), "nsga", 1, 0, 1e-3, 400);
    int    other = 0;
    assert_true(first.most >= 3);
    assert_true(hypot(first.q[0], first.q[1]) > 0.05); // it slid
    for (int k = -4; k <= 4; k++) {
        flight a = fly(thrown_stool(), "nsga", pow(10, k), 0, 1e-3, 400);
        flight b = fly(thrown_stool(), "nsga", 1, pow(10, k), 1e-3, 400);
        CHECK_BELOW(distance(&a, &first), 1e-9);
        CHECK_BELOW(distance(&b, &first), 1e-9);
        CHECK_BELOW(fmax(a.law, b.law), 1e-10);
        other += (a.newton != first.newton) + (b.newton != first.newton);
        print_message("penalty 1e%+d: %d and %d solves, answers differ by %.1e and %.1e\n", k, a.newton, b.newton,
                      distance(&a, &first), distance(&b, &first));
    }
    assert_true(other > 0); // they take other ways there
}

// Newton's method on the augmented Lagrangian itself finds the same motion, whatever the penalty that chooses statuses.
static void test_augmented_newton(void **state)
{
    (void)state;
    static const char *const schemes[] = {"nsga", "nsga_coupled"};
    for (int s = 0; s < 2; s++) {
        flight        first = fly(thrown_stool(), schemes[s], 1, 0, 1e-3, 250);
        zn_scheme_def def = scheme_named(schemes[s], 0.5);
        def.solver = "alart_curnier";
        for (int k = -8; k <= 8; k += 8) {
            def.penalty_factor = pow(10, k);
            flight a = fly_with(thrown_stool(), def, 1e-3, 250);
            print_message("%s, alart_curnier, penalty 1e%+d: %d solves, %d otherwise, answers differ by %.1e\n",
                          schemes[s], k, a.newton, first.newton, distance(&a, &first));
            CHECK_BELOW(distance(&a, &first), 1e-9);
            CHECK_BELOW(a.law, 1e-10);
        }
    }
}

// --- the coupled scheme ----------------------------------------------------------------------------

static void test_coupled_scheme_agrees(void **state)
{
    (void)state;
    slope_fit fit = {0};
    for (int n = 200; n <= 3200; n *= 2) {
        flight a = fly(thrown_stool(), "nsga", 1, 0, 0.2 / n, n),
               b = fly(thrown_stool(), "nsga_coupled", 1, 0, 0.2 / n, n);
        print_message("thrown stool, h %.1e: nsga and nsga_coupled differ by %.1e m\n", 0.2 / n, distance(&a, &b));
        CHECK_BELOW(fmax(a.law, b.law), 1e-10);
        slope_add(&fit, 0.2 / n, distance(&a, &b));
    }
    print_message("order of the difference %.2f\n", slope_of(&fit));
    assert_true(slope_of(&fit) > 0.7);
}

// --- ledger ----------------------------------------------------------------------------------------

// The work of friction is -mu N times the way slid, and the books do not close without it.
static void test_friction_line_of_the_ledger(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        gallery_rig g = gallery_open("inclined-plane", NULL, scheme_named(c ? "nsga_coupled" : "nsga", 0.5));
        double      start = energy_of(&g.r), work = 0, worst = 0, without = 0, entered = 0, h = 1e-3;
        for (int k = 0; k < 600; k++) {
            double before = g.r.state->q[0], stored = 0, v = g.r.state->v[0];
            rig_step(&g.r, h);
            work += g.r.info.ledger[ZN_LEDGER_FRICTION];
            if (g.r.state->t < v0 / BRAKE)
                CHECK_NEAR(g.r.info.ledger[ZN_LEDGER_FRICTION], -mu * ACROSS * (g.r.state->q[0] - before), 1e-14);
            else if (v == 0) // at rest
                CHECK_NEAR(g.r.info.ledger[ZN_LEDGER_FRICTION], 0, 1e-16);
            for (int i = 0; i < ZN_LEDGER_LINES; i++)
                *(i < ZN_LEDGER_STORED ? &stored : &entered) += g.r.info.ledger[i];
            worst = fmax(worst, fabs(stored - start - entered));
            without = fmax(without, fabs(stored - start - (entered - work)));
        }
        CHECK_BELOW(worst, 1e-13);
        assert_true(without > 1);
        CHECK_NEAR(work, -mu * ACROSS * v0 * v0 / (2 * BRAKE), 1e-4);
        gallery_close(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incline),
        cmocka_unit_test(test_incline_drifts_without_position_friction),
        cmocka_unit_test(test_tangential_restitution),
        cmocka_unit_test(test_penalties_do_not_matter),
        cmocka_unit_test(test_augmented_newton),
        cmocka_unit_test(test_coupled_scheme_agrees),
        cmocka_unit_test(test_friction_line_of_the_ledger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
