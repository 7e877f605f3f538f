// The nonsmooth generalized-alpha schemes. Smooth motion: order two, damping at high frequency equal to rho_inf, joints
// exact at both levels. Impacts of ball and block; penalties choose active sets and never answers; impulses, failures,
// history. The soft bar is in test_nsga_bar.c.
#include "nsga_models.h"

#include "fixtures.h"
#include "system/system.h"

// --- smooth motion -------------------------------------------------------------------------------

// Planar pendulum: 2 kg, 0.3 kg m^2, centre 0.7 m from the revolute joint, released horizontally.
enum { PENDULUM_MASS = 2 };
static const double pendulum_inertia = 0.3, pendulum_arm = 0.7, pendulum_gravity = 9.81;

static zn_model *pendulum_model(void)
{
    zn_model    *model = planar_model(-pendulum_gravity, (zn_log){0});
    zn_body_def  body = zn_body_def_default();
    zn_joint_def joint = zn_joint_def_default();
    zn_node_id   node = {0};
    body.name = "arm";
    body.mass = PENDULUM_MASS;
    body.inertia = pendulum_inertia;
    body.position = zn_vec3_make(pendulum_arm, 0, 0);
    CHECK_OK(zn_model_add_body(model, &body, &node));
    joint.name = "pivot";
    joint.kind = ZN_JOINT_REVOLUTE;
    joint.a = (zn_attachment){node, zn_vec3_make(-pendulum_arm, 0, 0)};
    CHECK_OK(zn_model_add_joint(model, &joint));
    return model;
}

static double pendulum_acceleration(double angle)
{
    double about_pivot = pendulum_inertia + PENDULUM_MASS * pendulum_arm * pendulum_arm;
    return -PENDULUM_MASS * pendulum_gravity * pendulum_arm / about_pivot * cos(angle);
}

// Angle and spin at time t by the classical Runge-Kutta method with steps of 1e-4: error ~1e-15.
static void pendulum_exact(double t, double *angle, double *spin)
{
    int    steps = (int)lround(t / 1e-4);
    double h = t / steps, a = 0, w = 0;
    for (int k = 0; k < steps; k++) {
        double a1 = w, w1 = pendulum_acceleration(a), a2 = w + h / 2 * w1, w2 = pendulum_acceleration(a + h / 2 * a1);
        double a3 = w + h / 2 * w2, w3 = pendulum_acceleration(a + h / 2 * a2);
        double a4 = w + h * w3, w4 = pendulum_acceleration(a + h * a3);
        a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    }
    *angle = a;
    *spin = w;
}

// Joints that problem 1 does not hold are answered by the corrections, which are of first order.
static void check_pendulum_order(zn_scheme_def def, int order)
{
    slope_fit position = {0}, velocity = {0};
    double    angle, spin, rate = 0;
    pendulum_exact(1.6, &angle, &spin);
    for (double h = 0.01; h > 6e-4; h /= 2) {
        rig r = rig_open(pendulum_model(), def);
        for (int k = 0; k < (int)lround(1.6 / h); k++) {
            rig_step(&r, h);
            rate = fmax(rate, r.info.joint_velocity);
        }
        CHECK_BELOW(fabs(gap_of(&r, 0)) + fabs(gap_of(&r, 1)), 1e-12);
        slope_add(&position, h, hypot(r.state->q[0] - pendulum_arm * cos(angle), r.state->q[2] - angle));
        slope_add(&velocity, h, hypot(r.state->v[1] - pendulum_arm * cos(angle) * spin, r.state->v[2] - spin));
        rig_close(&r);
    }
    print_message("pendulum, %s rho %.1f smooth %d: order %.3f in position, %.3f in velocity, |G v| %.1e\n", def.scheme,
                  def.rho_inf, (int)def.smooth, slope_of(&position), slope_of(&velocity), rate);
    CHECK_NEAR(slope_of(&position), order, 0.1);
    CHECK_NEAR(slope_of(&velocity), order, 0.1);
    CHECK_BELOW(rate, 1e-11);
}

// q'' = -q from 1/2 at rest.
static void check_oscillator_order(const char *scheme, double rho)
{
    slope_fit position = {0}, velocity = {0};
    for (double h = 0.1; h > 5e-3; h /= 2) {
        zn_model  *model = planar_model(0, (zn_log){0});
        zn_node_id mass = add_point(model, 0.5, 0);
        add_ground_spring(model, mass, 1, 0);
        rig    r = rig_open(model, nsga_def(scheme, rho));
        double q = 0, v = 0; // largest errors
        for (int k = 0; k < (int)lround(8 / h); k++) {
            rig_step(&r, h);
            q = fmax(q, fabs(r.state->q[1] - 0.5 * cos(r.state->t)));
            v = fmax(v, fabs(r.state->v[0] + 0.5 * sin(r.state->t)));
        }
        slope_add(&position, h, q);
        slope_add(&velocity, h, v);
        rig_close(&r);
    }
    print_message("oscillator, %s rho %.1f: order %.3f in position, %.3f in velocity\n", scheme, rho,
                  slope_of(&position), slope_of(&velocity));
    CHECK_NEAR(slope_of(&position), 2, 0.1);
    CHECK_NEAR(slope_of(&velocity), 2, 0.1);
}

// Cantilever of geometrically exact beam elements that begins to fall; against steps of 6.25e-6 s.
static void check_beam_order(double rho)
{
    slope_fit position = {0}, velocity = {0};
    double    reference[2] = {0};
    for (int pass = 0; pass < 5; pass++) {
        double      h = pass == 0 ? 6.25e-6 : 8e-4 / (1 << pass);
        zn_model   *model = planar_model(-2, (zn_log){0});
        zn_beam_def def = zn_beam_def_default();
        def.name = "beam";
        def.to = zn_vec3_make(1, 0, 0);
        def.elements = 4;
        def.young = 1e6;
        def.density = 1000;
        def.section = zn_beam_section_rectangle(0.1, 0.1, 0);
        def.fix_first = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_ROTATION;
        CHECK_OK(zn_model_add_beam(model, &def));
        rig r = rig_open(model, nsga_def("nsga", rho));
        for (int k = 0; k < (int)lround(0.1 / h); k++)
            rig_step(&r, h);
        double q = r.state->q[3 * 4 + 1], v = r.state->v[r.sys->info.n - 2]; // of the tip
        if (pass > 0) {
            slope_add(&position, h, fabs(q - reference[0]));
            slope_add(&velocity, h, fabs(v - reference[1]));
        } else {
            reference[0] = q;
            reference[1] = v;
        }
        rig_close(&r);
    }
    print_message("beam, nsga rho %.1f: tip at %.4f m; order %.3f in position, %.3f in velocity\n", rho, reference[0],
                  slope_of(&position), slope_of(&velocity));
    CHECK_NEAR(slope_of(&position), 2, 0.1);
    CHECK_NEAR(slope_of(&velocity), 2, 0.25);
}

static void test_smooth_motion_is_of_order_two(void **state)
{
    (void)state;
    const double rho[] = {0, 0.5, 0.8, 1};
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 2; c++) {
            check_oscillator_order(c ? "nsga_coupled" : "nsga", rho[i]);
            check_pendulum_order(nsga_def(c ? "nsga_coupled" : "nsga", rho[i]), 2);
        }
    check_beam_order(0.8);
    check_beam_order(0.5);
}

static void test_joints_left_to_the_corrections_are_of_order_one(void **state)
{
    (void)state;
    for (int none = 0; none < 2; none++) {
        zn_scheme_def def = nsga_def("nsga", 0.8);
        def.smooth = none ? ZN_SMOOTH_NONE : ZN_SMOOTH_FORCES;
        check_pendulum_order(def, 1);
    }
}

// --- high frequency ------------------------------------------------------------------------------

// A mass of 1/2 kg on one stiff element whose other end is fixed: omega h = `ratio` for h = 1.
static zn_model *stiff_spring(double ratio)
{
    zn_model  *model = planar_model(0, (zn_log){0});
    zn_bar_def def = zn_bar_def_default();
    zn_node_id end;
    def.name = "bar";
    def.to = zn_vec3_make(1, 0, 0);
    def.elements = 1;
    def.young = ratio * ratio / 2; // omega^2 = k / m
    def.density = 1;
    def.area = 1;
    def.mass = ZN_MASS_LUMPED;
    def.fixed = ZN_FIX_Y;
    CHECK_OK(zn_model_add_bar(model, &def));
    end = zn_model_find_node(model, "bar[1]");
    CHECK_OK(zn_model_add_node_set(model, "end", 1, &end));
    CHECK_OK(zn_model_fix_node_set(model, "end", ZN_FIX_X));
    return model;
}

static double spring_size(const rig *r) { return fabs(r->state->q[0]) + fabs(r->state->v[0]); }

static void test_damping_of_high_frequencies(void **state)
{
    (void)state;
    const double rho[] = {0, 0.5, 0.8, 1};
    for (double ratio = 1e3; ratio < 2e6; ratio *= 10)
        for (int i = 0; i < 4; i++) {
            rig       r = rig_open(stiff_spring(ratio), nsga_def("nsga", rho[i]));
            const int before = 300, steps = 300;
            double    start = 0, least = 0;
            assert_int_equal(r.sys->info.n, 1);
            r.state->v[0] = 1;
            CHECK_OK(zn_state_update(r.sys, r.state));
            for (int k = 0; k < before + steps; k++) {
                rig_step(&r, 1);
                if (k == 9)
                    least = spring_size(&r);
                if (k == before - 1)
                    start = spring_size(&r);
            }
            double radius = start > 0 ? pow(spring_size(&r) / start, 1.0 / steps) : 0;
            print_message("omega h %.0e, rho %.1f: amplification %.6f (after ten steps %.1e)\n", ratio, rho[i], radius,
                          least);
            if (rho[i] == 0)
                CHECK_BELOW(least, 1e-10);
            else
                CHECK_NEAR(radius, rho[i], 0.01);
            rig_close(&r);
        }
}

// --- joints --------------------------------------------------------------------------------------

static void test_joints_do_not_drift(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        rig    r = rig_open(pendulum_model(), nsga_def(c ? "nsga_coupled" : "nsga", 0.8));
        double drift = 0, rate = 0, start = energy_of(&r);
        for (int k = 0; k < 10000; k++) {
            rig_step(&r, 2e-3);
            for (int i = 0; i < r.state->contacts->count; i++)
                drift = fmax(drift, fabs(gap_of(&r, i)));
            rate = fmax(rate, r.info.joint_velocity);
        }
        print_message("pendulum, 1e4 steps, %s: |g| %.1e, |G v| %.1e, energy %.1e J\n", c ? "nsga_coupled" : "nsga",
                      drift, rate, energy_of(&r) - start);
        CHECK_BELOW(drift, 1e-12);
        CHECK_BELOW(rate, 1e-12);
        rig_close(&r);
    }
}

// --- penalties -----------------------------------------------------------------------------------

static zn_model *ball(void) { return ball_model(1.01, 0, 0.5); }
static zn_model *block(void) { return block_model(paper_block()); }
static zn_model *bar(void) { return soft_bar(30, ZN_MASS_CONSISTENT); }

typedef struct impact_case {
    const char *name;
    zn_model *(*build)(void);
    double h;
    int    steps;
} impact_case;

static const impact_case cases[] = {
    {"ball", ball, 7.13e-3, 500}, {"block", block, 2.3e-3, 700}, {"bar", bar, 5e-3, 300}};

static void test_penalties_never_change_the_answer(void **state)
{
    (void)state;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 4; i++) {
            zn_scheme_def def = nsga_def("nsga", 0.8), other = def;
            const double  factor[] = {1e-4, 1e4, 1, 1}, mass[] = {0, 0, 1e-3, 1e3};
            other.penalty_factor = factor[i];
            other.characteristic_mass = mass[i];
            rig    a = rig_open(cases[c].build(), def), b = rig_open(cases[c].build(), other);
            int    n = zn_system_get_info(a.sys).n_all;
            double worst = 0;
            for (int k = 0; k < cases[c].steps; k++) {
                rig_step(&a, cases[c].h);
                rig_step(&b, cases[c].h);
                for (int j = 0; j < n; j++)
                    worst = fmax(worst, fmax(fabs(a.state->q[j] - b.state->q[j]), fabs(a.state->v[j] - b.state->v[j])));
            }
            print_message("%s, penalty factor %g, characteristic mass %g: differs by %.1e\n", cases[c].name, factor[i],
                          mass[i], worst);
            CHECK_BELOW(worst, 1e-12 * (c == 2 ? 10 : 1));
            rig_close(&a);
            rig_close(&b);
        }
}

// --- ball and block ------------------------------------------------------------------------------

// Exact ball from rest at height y under -2 m/s^2 with restitution e.
static double exact_ball(double y, double e, double t)
{
    double fall = sqrt(y), speed = 2 * fall;
    if (t <= fall)
        return y - t * t;
    t -= fall;
    for (int bounce = 0; bounce < 200; bounce++) {
        speed *= e;
        if (t <= speed)
            return speed * t - t * t;
        t -= speed;
    }
    return 0;
}

static void check_rest(const char *scheme, const impact_case *c, double h, double until)
{
    rig    r = rig_open(c->build(), nsga_def(scheme, 0.8));
    int    n = zn_system_get_info(r.sys).n;
    double start = energy_of(&r), entered = 0, closure = 0, penetration = 0, impulse = 0, speed = 0;
    double g = c->build == ball ? 2 : 9.81;
    int    up = c->build == ball ? 0 : 1; // the vertical velocity
    for (int k = 0; k < (int)lround(until / h); k++) {
        double stored = 0;
        rig_step(&r, h);
        for (int i = 0; i < ZN_LEDGER_LINES; i++)
            *(i < ZN_LEDGER_STORED ? &stored : &entered) += r.info.ledger[i];
        closure = fmax(closure, fabs(stored - start - entered) / start);
        for (int i = 0; i < r.state->contacts->count; i++) {
            penetration = fmax(penetration, -gap_of(&r, i));
            impulse += impulse_of(&r, i);
        }
    }
    speed = largest_of(n, r.state->v);
    print_message("%s, %s: at rest with %.1e m/s, penetration %.1e m, ledger closes to %.1e, impulses to %.1e\n",
                  scheme, c->name, speed, penetration, closure, impulse - g * r.state->t - r.state->v[up]);
    CHECK_BELOW(penetration, 1e-10);
    CHECK_BELOW(closure, 1e-10);
    CHECK_NEAR(impulse, g * r.state->t + r.state->v[up], 1e-10);
    CHECK_BELOW(speed, 1e-10);
    rig_close(&r);
}

static void test_ball_and_block_come_to_rest(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        check_rest(c ? "nsga_coupled" : "nsga", &cases[0], 7.13e-3, 4);
        check_rest(c ? "nsga_coupled" : "nsga", &cases[1], 2.3e-3, 6);
    }
}

static void test_order_of_the_ball(void **state)
{
    (void)state;
    slope_fit fit = {0};
    for (int i = 0; i < 16; i++) {
        double h = 0.05 * pow(10, -2.0 * i / 15), error = 0, size = 0;
        rig    r = rig_open(ball(), nsga_def("nsga", 0.8));
        for (int k = 0; k < (int)(4 / h); k++) {
            rig_step(&r, h);
            error += fabs(r.state->q[1] - exact_ball(1.01, 0.5, r.state->t));
            size += exact_ball(1.01, 0.5, r.state->t);
        }
        slope_add(&fit, h, error / size);
        rig_close(&r);
    }
    print_message("ball: order %.3f in position\n", slope_of(&fit));
    CHECK_NEAR(slope_of(&fit), 1, 0.15);
}

// --- reactions -----------------------------------------------------------------------------------

// A mass led vertically falls on a slope of 45 degrees: the guide answers the sideways part of every impulse.
static void test_guides_answer_contacts(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        zn_model  *model = planar_model(-2, (zn_log){0});
        zn_node_id mass = add_point(model, 1, 0);
        add_plane_contact(model, "slope", mass, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 0), 0.5);
        rig    r = rig_open(model, nsga_def(c ? "nsga_coupled" : "nsga", 0.8));
        double sum = 0;
        for (int k = 0; k < 500; k++) {
            rig_step(&r, 7e-3);
            CHECK_NEAR(r.state->reaction[0], -sqrt(0.5) * impulse_of(&r, 0), 1e-13);
            sum += impulse_of(&r, 0);
        }
        CHECK_NEAR(sqrt(0.5) * sum, 2 * r.state->t, 1e-10); // at rest: the weight
        rig_close(&r);
    }
}

// A bar with consistent mass, one end held, swings along its axis: the support takes the change of momentum.
static void test_supports_take_the_momentum(void **state)
{
    (void)state;
    double error[2];
    for (int i = 0; i < 2; i++) {
        zn_model  *model = planar_model(0, (zn_log){0});
        zn_bar_def def = zn_bar_def_default();
        zn_node_id end;
        def.name = "bar";
        def.to = zn_vec3_make(1, 0, 0);
        def.elements = 1;
        def.young = def.density = def.area = 1;
        def.fixed = ZN_FIX_Y;
        CHECK_OK(zn_model_add_bar(model, &def));
        end = zn_model_find_node(model, "bar[1]");
        CHECK_OK(zn_model_add_node_set(model, "end", 1, &end));
        CHECK_OK(zn_model_fix_node_set(model, "end", ZN_FIX_X));
        rig    r = rig_open(model, nsga_def("nsga", 0.8));
        double h = i ? 1e-3 : 1e-2, sum = 0, start;
        r.state->v[0] = 1;
        CHECK_OK(zn_state_update(r.sys, r.state));
        start = momentum_x(&r);
        for (int k = 0; k < (int)lround(1 / h); k++) {
            rig_step(&r, h);
            for (int j = 0; j < r.sys->info.n_all - r.sys->info.n; j++)
                sum += r.state->reaction[j];
        }
        error[i] = fabs(sum - (momentum_x(&r) - start));
        print_message("held bar, h %.0e: support %.6f N s, momentum %.6f N s\n", h, sum, momentum_x(&r) - start);
        CHECK_BELOW(error[i], h);
        rig_close(&r);
    }
    CHECK_NEAR(error[0] / error[1], 10, 1); // force at the end of each step
}

// --- failures, history, refusals -----------------------------------------------------------------

static void check_every_failure(const impact_case *c, const char *scheme, int before)
{
    rig r = rig_open(c->build(), nsga_def(scheme, 0.8)), twin = rig_open(c->build(), nsga_def(scheme, 0.8));
    for (int k = 0; k < before; k++) {
        rig_step(&r, c->h);
        rig_step(&twin, c->h);
    }
    zn_state *old = NULL;
    double    history[FIXTURE_MAX] = {0}, now[FIXTURE_MAX] = {0}, after[FIXTURE_MAX] = {0};
    int       size = zn_scheme_history_size(r.scheme), failed = 0, n = 0;
    assert_true(size <= FIXTURE_MAX && size > 0);
    CHECK_OK(zn_state_create(r.sys, &old));
    zn_state_copy(r.sys, r.state, old);
    zn_scheme_history_save(r.scheme, history);
    rig_step(&twin, c->h); // never fails
    zn_scheme_history_save(twin.scheme, after);
    for (bool fired = true; fired;) {
        zn_step_info info;
        zn_fault_inject(++n);
        zn_status status = zn_scheme_step(r.scheme, r.state, c->h, &info);
        fired = zn_fault_is_spent();
        zn_fault_inject(0);
        if (status != ZN_OK) {
            failed++;
            assert_true(status > 0 && info.failed != NULL);
            check_same_state(r.sys, r.state, old);
            zn_scheme_history_save(r.scheme, now);
            CHECK_SAME_BITS(now, history, size);
            rig_step(&r, c->h); // as if it had never failed
        }
        if (status != ZN_OK || !fired) { // otherwise a bad trial of the line search, mended
            check_same_state(r.sys, r.state, twin.state);
            zn_scheme_history_save(r.scheme, now);
            CHECK_SAME_BITS(now, after, size);
        }
        zn_state_copy(r.sys, old, r.state);
        CHECK_OK(zn_scheme_history_load(r.scheme, history, size));
        assert_true(n < 10000);
    }
    assert_true(failed >= 4);
    zn_state_destroy(old);
    rig_close(&r);
    rig_close(&twin);
}

static zn_model *pendulum(void) { return pendulum_model(); }

static void test_failed_steps_change_nothing(void **state)
{
    (void)state;
    const impact_case joint = {"pendulum", pendulum, 2e-3, 100};
    const int         before[] = {0, 7, 140, 290}; // the first step; flight; around and after impacts
    for (int k = 0; k < 4; k++) {
        for (int c = 0; c < 3; c++)
            check_every_failure(&cases[c], "nsga", before[k]);
        check_every_failure(&joint, "nsga", before[k]);
        check_every_failure(&cases[0], "nsga_coupled", before[k]);
        check_every_failure(&cases[1], "nsga_coupled", before[k]);
    }
}

static void check_continued(const impact_case *c, const char *scheme)
{
    zn_scheme_def def = nsga_def(scheme, 0.8);
    rig           r = rig_open(c->build(), def);
    for (int k = 0; k < c->steps; k += 50) {
        rig    copy = {.model = r.model, .sys = r.sys};
        double history[FIXTURE_MAX], other[FIXTURE_MAX];
        int    size = zn_scheme_history_size(r.scheme);
        assert_true(size <= FIXTURE_MAX);
        CHECK_OK(zn_scheme_create(&def, r.sys, &copy.scheme));
        CHECK_OK(zn_state_create(r.sys, &copy.state));
        zn_state_copy(r.sys, r.state, copy.state);
        zn_scheme_history_save(r.scheme, history);
        CHECK_STATUS(zn_scheme_history_load(copy.scheme, history, size + 1), ZN_ERR_ARGUMENT);
        CHECK_OK(zn_scheme_history_load(copy.scheme, history, size));
        zn_scheme_history_save(copy.scheme, other);
        CHECK_SAME_BITS(history, other, size);
        for (int j = 0; j < 50; j++) {
            rig_step(&r, c->h);
            rig_step(&copy, c->h);
            check_same_state(r.sys, r.state, copy.state);
            CHECK_SAME_BITS(r.info.ledger, copy.info.ledger, ZN_LEDGER_LINES);
        }
        zn_state_destroy(copy.state);
        zn_scheme_destroy(copy.scheme);
    }
    rig_close(&r);
}

static void test_continued_runs_are_equal(void **state)
{
    (void)state;
    const impact_case joint = {"pendulum", pendulum, 2e-3, 300};
    for (int c = 0; c < 3; c++)
        check_continued(&cases[c], "nsga");
    check_continued(&joint, "nsga");
    check_continued(&cases[1], "nsga_coupled");
}

static void test_refusals(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        log_capture   log = {0};
        zn_model     *model = planar_model(-2, log_into(&log));
        zn_scheme_def def = nsga_def(c ? "nsga_coupled" : "nsga", 0.8);
        zn_system    *sys = NULL;
        zn_scheme    *scheme = NULL;
        add_point(model, 1, 0);
        CHECK_OK(zn_system_create(model, &sys));
        const double bad[] = {-0.1, 1.1, NAN};
        for (int i = 0; i < 3; i++) {
            log_capture_clear(&log);
            def.rho_inf = bad[i];
            assert_int_not_equal(zn_scheme_create(&def, sys, &scheme), ZN_OK);
            CHECK_LOGGED(&log, "rho_inf");
        }
        def.rho_inf = 0.8;
        def.smooth = ZN_SMOOTH_NONE;
        def.neglect = true;
        CHECK_STATUS(zn_scheme_create(&def, sys, &scheme), ZN_ERR_ARGUMENT);
        CHECK_LOGGED(&log, "smooth none");
        assert_null(scheme);
        zn_system_destroy(sys);
        zn_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smooth_motion_is_of_order_two),
        cmocka_unit_test(test_joints_left_to_the_corrections_are_of_order_one),
        cmocka_unit_test(test_damping_of_high_frequencies),
        cmocka_unit_test(test_joints_do_not_drift),
        cmocka_unit_test(test_penalties_never_change_the_answer),
        cmocka_unit_test(test_ball_and_block_come_to_rest),
        cmocka_unit_test(test_order_of_the_ball),
        cmocka_unit_test(test_guides_answer_contacts),
        cmocka_unit_test(test_supports_take_the_momentum),
        cmocka_unit_test(test_failed_steps_change_nothing),
        cmocka_unit_test(test_continued_runs_are_equal),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
