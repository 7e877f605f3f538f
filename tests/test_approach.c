// Option `approach`: rows of the velocity before an impact. With those of the end of the step the contact work of an
// impact is P (1 - e) U- / 2 with the rows of the impulse, and P'U- = -P'W P / (1 + e) for the contacts of a step that
// have one e and no forces beside them: never positive, zero for e = 1 (docs/theory/impact-law.md).
#include "fixtures.h"
#include "scheme_fixtures.h"

static const char *const schemes[] = {"moreau_jean", "direct_projection", "combined_projection", "nsga",
                                      "nsga_coupled"};
enum { SCHEMES = sizeof schemes / sizeof *schemes, STEPS = 400 };

static zn_scheme_def with(const char *scheme, zn_approach approach)
{
    zn_scheme_def def = scheme_named(scheme, 0.5);
    def.approach = approach;
    return def;
}

// --- random bodies in a room -----------------------------------------------------------------------

// A body whose corners meet the walls of a square or cubic room of half width `room`.
typedef struct thrown {
    bool    planar;
    zn_vec3 half; ///< of the body; one side 0: a rod
    double  room, e;
} thrown;

static void add_walls(zn_model *model, zn_node_id node, const thrown *c)
{
    int  axes = c->planar ? 2 : 3, corners = 1 << axes;
    char name[32];
    for (int k = 0; k < corners; k++) {
        zn_vec3 at = {k & 1 ? c->half.x : -c->half.x, k & 2 ? c->half.y : -c->half.y, k & 4 ? c->half.z : -c->half.z};
        if ((k & 2 && c->half.y == 0) || (k & 4 && c->half.z == 0))
            continue; // of a rod: its two ends
        if (c->planar)
            at.z = 0;
        for (int side = 0; side < 2 * axes; side++) {
            double         sign = side % 2 ? -1 : 1, n[3] = {0}, p[3] = {0};
            zn_contact_def def = zn_contact_def_default();
            n[side / 2] = sign;
            p[side / 2] = -sign * c->room;
            snprintf(name, sizeof name, "c%d_%d", k, side);
            def.name = name;
            def.point = (zn_attachment){node, at};
            def.normal = zn_vec3_make(n[0], n[1], n[2]);
            def.through = zn_vec3_make(p[0], p[1], p[2]);
            def.restitution = c->e;
            CHECK_OK(zn_model_add_contact(model, &def));
        }
    }
}

static zn_model *throw_body(const thrown *c, uint64_t *seed)
{
    zn_model   *model = make_model(c->planar, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def def = zn_body_def_default();
    zn_node_id  node = {0};
    double      r[6], turn = c->planar ? 0 : 1;
    random_fill(seed, 1, 6, r);
    def.mass = 1.5;
    def.velocity = zn_vec3_make(4 * r[0], 4 * r[1], turn * 4 * r[2]);
    if (c->planar) {
        def.inertia = 0.08;
        def.spin = 8 + 8 * r[3];
    } else {
        def.inertia3.m[0][0] = 0.05;
        def.inertia3.m[1][1] = 0.08;
        def.inertia3.m[2][2] = 0.11;
        def.spin3 = zn_vec3_make(20 * r[3], 20 * r[4], 20 * r[5]);
    }
    CHECK_OK(zn_model_add_body(model, &def, &node));
    add_walls(model, node, c);
    return model;
}

typedef struct worked {
    double most, sum; ///< contact work of one step, and of all, over the energy at the start
    int    impacts;
} worked;

static worked fly(zn_model *model, zn_scheme_def def, double h)
{
    rig    r = rig_open(model, def);
    worked out = {0};
    double energy = 0;
    for (int k = 0; k < STEPS; k++) {
        rig_step(&r, h);
        energy = energy > 0 ? energy : r.info.ledger[ZN_LEDGER_KINETIC] - r.info.ledger[ZN_LEDGER_CONTACT];
        double work = r.info.ledger[ZN_LEDGER_CONTACT] / energy;
        out.most = fmax(out.most, work);
        out.sum += work;
        out.impacts += r.info.active > 0;
    }
    rig_close(&r);
    return out;
}

static const thrown bodies[] = {
    {true, {0.5, 0.3, 0}, 0.62, 1}, {true, {0.5, 0.3, 0}, 0.62, 0.5}, {true, {0.5, 0, 0}, 0.51, 1},
    {true, {0.5, 0, 0}, 0.6, 0.5},  {false, {0.4, 0.3, 0.2}, 0.6, 1}, {false, {0.4, 0.3, 0.2}, 0.6, 0.5},
};

static void test_no_work_is_gained(void **state)
{
    (void)state;
    double gained = 0;
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++)
        for (int k = 0; k < SCHEMES; k++) {
            uint64_t seed = 7 + b, same = seed;
            worked   end = fly(throw_body(&bodies[b], &seed), with(schemes[k], ZN_APPROACH_END), 2e-3);
            worked   start = fly(throw_body(&bodies[b], &same), with(schemes[k], ZN_APPROACH_START), 2e-3);
            print_message("body %d e %.1f %-19s end: %9.2e most, %9.2e in %d impacts; start: %9.2e, %9.2e\n", (int)b,
                          bodies[b].e, schemes[k], end.most, end.sum, end.impacts, start.most, start.sum);
            assert_true(end.impacts > 5);
            assert_true(end.most <= 1e-10);
            if (bodies[b].e == 1)
                CHECK_NEAR(end.sum, 0, 1e-9);
            else
                assert_true(end.sum < -0.1);
            gained = fmax(gained, start.most);
        }
    assert_true(gained > 1e-3); // what the test would find
}

// --- straight contacts: one and the same -----------------------------------------------------------

static void check_equal(zn_model *(*build)(void), const char *scheme)
{
    rig a = rig_open(build(), with(scheme, ZN_APPROACH_START)), b = rig_open(build(), with(scheme, ZN_APPROACH_END));
    int impacts = 0;
    for (int k = 0; k < 3 * STEPS; k++) {
        rig_step(&a, 0.01);
        rig_step(&b, 0.01);
        impacts += a.info.active > 0;
        check_same_state(a.sys, a.state, b.state);
    }
    assert_true(impacts > 2);
    rig_close(&a);
    rig_close(&b);
}

static zn_model *bouncing(void) { return ball_model(1.01, 0, 0.5); }
static zn_model *oscillating(void) { return oscillator_model(1, 0, 0.1, 0.8); }

// So the order of convergence of the bouncing ball is what test_scheme_order.c finds, to the last bit.
static void test_straight_contacts(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; k++) {
        check_equal(bouncing, schemes[k]);
        check_equal(oscillating, schemes[k]);
    }
}

// --- a turning rod hits the floor: closed form ------------------------------------------------------

// Rod of mass 1.5, inertia 0.08 and half length 0.5 at height 0.9, angle w t, falling at v without gravity: the end
// that comes down first meets the floor where 0.9 - v t - |sin(w t)|/2 = 0, once.
static const double rod_half = 0.5, rod_fall = 1.3, rod_spin = 4, rod_e = 0.6;

static zn_model *turning_rod(void)
{
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def def = zn_body_def_default();
    zn_node_id  node = {0};
    def.mass = 1.5;
    def.inertia = 0.08;
    def.position = zn_vec3_make(0, 0.9, 0);
    def.velocity = zn_vec3_make(0, -rod_fall, 0);
    def.spin = rod_spin;
    CHECK_OK(zn_model_add_body(model, &def, &node));
    for (int k = 0; k < 2; k++)
        add_plane(model, k ? "right" : "left", node, zn_vec3_make(k ? rod_half : -rod_half, 0, 0),
                  zn_vec3_make(0, 1, 0), rod_e);
    return model;
}

static double spin_after(double *time)
{
    double left = 0, right = 0.9 / rod_fall;
    for (double t = 0; t < right; t += 1e-4)
        if (0.9 - rod_fall * t - rod_half * fabs(sin(rod_spin * t)) < 0) {
            left = t - 1e-4;
            right = t;
            break;
        }
    for (int k = 0; k < 60; k++) {
        double t = 0.5 * (left + right);
        *(0.9 - rod_fall * t - rod_half * fabs(sin(rod_spin * t)) < 0 ? &right : &left) = t;
    }
    *time = left;
    double side = sin(rod_spin * left) > 0 ? -1 : 1, arm = side * rod_half * cos(rod_spin * left);
    double U = -rod_fall + arm * rod_spin, P = -(1 + rod_e) * U / (1 / 1.5 + arm * arm / 0.08);
    return rod_spin + arm * P / 0.08;
}

static void test_order_of_a_turning_impact(void **state)
{
    (void)state;
    double time, spin = spin_after(&time);
    for (int k = 0; k < SCHEMES; k++) {
        slope_fit fit = {0};
        for (int octave = 0; octave < 5; octave++) {
            enum { NEIGHBOURS = 6 };
            double error = 0, coarse = 0.004 * pow(2, -octave);
            for (int i = 0; i < NEIGHBOURS; i++) {
                double h = time / (time / coarse + (i + 0.37) / NEIGHBOURS);
                rig    r = rig_open(turning_rod(), with(schemes[k], ZN_APPROACH_END));
                while (r.state->t < time + 6 * h)
                    rig_step(&r, h);
                error += fabs(r.state->v[2] - spin) / NEIGHBOURS;
                rig_close(&r);
            }
            slope_add(&fit, coarse, error);
        }
        print_message("%-19s spin after the impact: order %.3f\n", schemes[k], slope_of(&fit));
        CHECK_NEAR(slope_of(&fit), 1, 0.1);
    }
}

// Explicit schemes have the rows of the end anyway.
static void test_refused(void **state)
{
    (void)state;
    log_capture log = {0};
    zn_model   *model = planar_model(-2, log_into(&log));
    zn_node_id  ball = add_point(model, 1, 0);
    add_plane_contact(model, "floor", ball, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), 0.5);
    assert_true(refusal_of(with("cd_lagrange", ZN_APPROACH_END), model, &log, "approach does not apply") ==
                ZN_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_work_is_gained),
        cmocka_unit_test(test_straight_contacts),
        cmocka_unit_test(test_order_of_a_turning_impact),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
