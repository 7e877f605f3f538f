// Feedback: tangents against differences, controllers against closed solutions in every scheme that takes them, sampled
// values against the discrete system, restarts with equal bits, ledgers that close.
#include "fixtures.h"

#include "model/control.h"
#include "system/system.h"
#include "zn/io.h"

typedef struct machine {
    zn_problem *problem;
    zn_system  *sys;
    zn_sim     *sim;
} machine;

static zn_problem *parse(const char *text)
{
    static log_capture log;
    zn_problem        *p = NULL;
    log_capture_clear(&log);
    if (zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, log_into(&log), &p) != ZN_OK)
        fail_msg("refused: %s", log.text);
    return p;
}

static machine start(const char *text, const char *scheme, double theta, double h)
{
    machine m = {.problem = parse(text)};
    CHECK_OK(zn_system_create(m.problem->model, &m.sys));
    zn_sim_def def = m.problem->sim;
    def.scheme = zn_scheme_def_default();
    def.scheme.scheme = scheme;
    if (theta > 0)
        def.scheme.theta = theta;
    def.step = h;
    CHECK_OK(zn_sim_create(m.sys, &def, &m.sim));
    return m;
}

static void stop(machine *m)
{
    zn_sim_destroy(m->sim);
    zn_system_destroy(m->sys);
    zn_problem_destroy(m->problem);
}

static void advance(machine *m, int steps)
{
    for (int i = 0; i < steps; i++)
        CHECK_OK(zn_sim_step(m->sim));
}

static double record(const machine *m, int column)
{
    double values[32];
    CHECK_OK(zn_sim_values(m->sim, values));
    return values[column];
}

// --- tangents --------------------------------------------------------------------------------------

#define RUN "run: {step: 0.01, until: 1}\n"

static const char plane[] =
    "zeno: 1\nplanar: true\n"
    "parameters: {k: 3}\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 0.5, position: [0, 0.3], angle: 0.4}\n"
    "  b: {mass: 2, inertia: 0.7, position: [1, 0.1], angle: -0.2}\n"
    "  c: {mass: 2, inertia: 0.7, position: [1.5, 1], angle: 0.2}\n"
    "  p: {mass: 1, position: [0.2, 0.9]}\n"
    "springs: {s: {from: a, to: p, stiffness: 7}}\n"
    "joints: {pin: {type: revolute, body: a, at: [0.4, 0.1], to: b},\n"
    "  rail: {type: prismatic, body: c, to: b, axis: [1, 2]}}\n"
    "states: {x: {rate: 'a.angle*b.velocity.x - x^2 + sin(y)', start: 0.3}, y: {rate: 'x*p.x + s.force - rail.rate'}}\n"
    "controls: {u: {value: 'k*p.velocity.y*a.angle + x*pin.rate'}, held: {value: 'p.x', sampled: 1 ms}}\n"
    "motors:\n"
    "  m1: {body: a, to: b, torque: 'u + s.length*b.y^2 + t'}\n"
    "  m2: {body: a, at: [0.1, 0.2], to: p, force: 'y*a.spin + b.angle*held'}\n"
    "  m3: {joint: pin, torque: '-3*pin.angle^3 + pin.rate*p.y'}\n"
    "  m4: {joint: rail, force: 'x*rail.displacement + c.velocity.x*rail.rate^2'}\n"
    "  m5: {body: a, torque: 'saturate(a.angle*a.spin, -9, 9)'}\n"
    "loads: {l: {body: b, at: [0.3, -0.1], force: ['a.x*b.spin', '2*b.y - x*y'], torque: 'exp(a.angle)'}}\n" RUN;

static const char space[] =
    "zeno: 1\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 2, 1.5], position: [0, 0.3, 0.2], rotation: {axis: [1, 2, 3], angle: 0.7}}\n"
    "  b: {mass: 2, inertia: [0.7, 0.9, 1.1], position: [1, 0.1, -0.4], rotation: {axis: [-1, 0.5, 1], angle: 1.1}}\n"
    "  p: {mass: 1, inertia: [1, 1, 1], position: [0.2, 0.9, 0.1]}\n"
    "joints: {pin: {type: revolute, body: a, at: [0.4, 0.1, 0.2], to: b, axis: [0.3, 1, -0.2]},\n"
    "  rail: {type: prismatic, body: p, axis: [1, 2, 0]}}\n"
    "states: {x: {rate: 'a.velocity.z - x*b.world_spin.y', start: 0.3}}\n"
    "motors:\n"
    "  m1: {body: a, to: b, axis: [0.3, -0.4, 1], torque: 'x*p.velocity.y + a.x*b.y'}\n"
    "  m2: {body: a, at: [0.1, 0.2, -0.3], to: b, to_at: [0.2, 0, 0.5], force: 'a.spin.x*b.world_spin.z + p.z^2'}\n"
    "  m3: {joint: pin, torque: '-3*pin.angle^3 + pin.rate*p.y*x'}\n"
    "  m4: {joint: rail, force: 'x*rail.displacement + rail.rate^2'}\n"
    "loads:\n"
    "  l: {body: b, at: [0.3, -0.1, 0.2], force: ['a.x*b.spin.y', '2*b.y - x', 'b.velocity.x*x']}\n"
    "  w: {body: a, moment: ['a.x*p.y', 2, 'x*b.spin.z']}\n" RUN;

typedef struct probe {
    const zn_system *sys;
    const double    *v;
} probe;

static void force_at(void *user, const double *q, double *out)
{
    const probe *p = user;
    CHECK_OK(zn_system_force(p->sys, (zn_at){q, p->v, 0.2, 0}, out));
}

static void check_tangents(const char *text, uint64_t seed)
{
    zn_problem *problem = parse(text);
    zn_system  *sys = NULL;
    zn_sparse  *A = NULL;
    double      q[FIXTURE_MAX], v[FIXTURE_MAX], x[FIXTURE_MAX], product[FIXTURE_MAX], expected[FIXTURE_MAX];
    CHECK_OK(zn_system_create(problem->model, &sys));
    CHECK_OK(zn_system_matrix(sys, &A));
    for (int i = 0; i < problem->model->controls; i++) // all are read off the motion
        assert_true(problem->model->control[i].kind != ZN_CONTROL_QUANTITY);
    int n = sys->info.n, n_all = sys->info.n_all;
    random_fill(&seed, 0.2, n_all, x);
    zn_system_retract(sys, sys->q0, x, q);
    random_fill(&seed, 1, n_all, v);
    random_fill(&seed, 1, n_all, x);
    probe p = {sys, v};
    CHECK_OK(zn_system_operators(sys, (zn_at){q, v, 0.2, 0}, 0, 0, 1, A));
    zn_sparse_multiply(A, x, product);
    derivative_along(sys, force_at, &p, q, x, n_all, expected);
    for (int i = 0; i < n; i++)
        CHECK_NEAR(product[i], -expected[i], 1e-8);
    CHECK_OK(zn_system_operators(sys, (zn_at){q, v, 0.2, 0}, 0, 1, 0, A));
    zn_sparse_multiply(A, x, product);
    memset(expected, 0, sizeof expected);
    for (int side = -1; side < 2; side += 2) {
        double moved[FIXTURE_MAX], f[FIXTURE_MAX];
        for (int i = 0; i < n_all; i++)
            moved[i] = v[i] + side * 1e-4 * x[i];
        p.v = moved;
        force_at(&p, q, f);
        for (int i = 0; i < n_all; i++)
            expected[i] += side * f[i] / 2e-4;
    }
    for (int i = 0; i < n; i++)
        CHECK_NEAR(product[i], -expected[i], 1e-6);
    zn_sparse_destroy(A);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
}

static void test_tangents(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 4; seed++) {
        check_tangents(plane, seed);
        check_tangents(space, seed);
    }
}

// The power of motors is that of their forces: f.w of the whole system but for what is not a motor.
static void test_power(void **state)
{
    (void)state;
    const char *const texts[] = {plane, space};
    for (int k = 0; k < 2; k++) {
        zn_problem *problem = parse(texts[k]);
        zn_system  *sys = NULL;
        uint64_t    seed = 5;
        double      q[FIXTURE_MAX], v[FIXTURE_MAX], w[FIXTURE_MAX], f[FIXTURE_MAX], x[FIXTURE_MAX];
        zn_power    power;
        CHECK_OK(zn_system_create(problem->model, &sys));
        random_fill(&seed, 0.2, sys->info.n_all, x);
        zn_system_retract(sys, sys->q0, x, q);
        random_fill(&seed, 1, sys->info.n_all, v);
        random_fill(&seed, 1, sys->info.n_all, w);
        CHECK_OK(zn_system_force(sys, (zn_at){q, v, 0.2, 0}, f));
        CHECK_OK(zn_system_power(sys, (zn_at){q, v, 0.2, 0}, w, &power));
        double sum = power.motor + power.strain + power.load + power.damper + power.gyroscopic;
        assert_true(fabs(power.motor) > 0.1 && power.load == 0);
        CHECK_NEAR(zn_system_dot(sys, f, w), sum, 1e-12);
        zn_system_destroy(sys);
        zn_problem_destroy(problem);
    }
}

// --- controllers against closed solutions ----------------------------------------------------------

static const struct {
    const char *scheme;
    double      theta, order;
} schemes[] = {
    {"nsga", 0, 2},        {"nsga_coupled", 0, 2},          {"newmark", 0, 2},           {"moreau_jean", 0.5, 2},
    {"moreau_jean", 1, 1}, {"combined_projection", 0.5, 2}, {"direct_projection", 1, 1}, {"trapezoidal", 0, 2},
};

enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

// J phi'' = -k phi - d phi': a damped oscillator, w0 = 10, zeta = 0.3.
static const char pd[] = "zeno: 1\nplanar: true\n"
                         "parameters: {k: 50, d: 3}\n"
                         "bodies: {arm: {mass: 2, inertia: 0.5, angle: 1, fixed: [x, y]}}\n"
                         "motors: {m: {body: arm, torque: '-k*arm.angle - d*arm.rate'}}\n"
                         "record: {phi: arm.angle, w: arm.spin}\n"
                         "run: {step: 0.01, until: 1}\n";

static double pd_solution(double t)
{
    double wd = 10 * sqrt(1 - 0.09);
    return exp(-3 * t) * (cos(wd * t) + 3 / wd * sin(wd * t));
}

// (s + 2)(s^2 + 6 s + 25) = s^3 + 8 s^2 + 37 s + 50 as PID on a unit inertia: phi(0) = 1, phi'(0) = 0, i(0) = 0.
static const char pid[] = "zeno: 1\nplanar: true\n"
                          "bodies: {arm: {mass: 2, inertia: 1, angle: 1, fixed: [x, y]}}\n"
                          "states: {i: {rate: '-arm.angle'}}\n"
                          "controls: {error: {value: '0 - arm.angle'}}\n"
                          "loads: {m: {body: arm, torque: '37*error - 8*arm.rate + 50*i'}}\n"
                          "record: {phi: arm.angle, i: i, T: ledger.kinetic, w: arm.spin}\n"
                          "run: {step: 0.01, until: 1}\n";

static double pid_solution(double t)
{
    return -12.0 / 17 * exp(-2 * t) + exp(-3 * t) * (29.0 / 17 * cos(4 * t) + 63.0 / 68 * sin(4 * t));
}

// A nonlinear law whose solution is compared with finer steps.
static const char soft[] = "zeno: 1\nplanar: true\n"
                           "bodies: {arm: {mass: 2, inertia: 1, angle: 1, spin: 2, fixed: [x, y]}}\n"
                           "states: {z: {rate: 'tanh(arm.angle) - 3*z', start: 0.5}}\n"
                           "motors: {m: {body: arm, torque: '-20*sin(arm.angle) - arm.rate^3/10 + 2*z*arm.rate'}}\n"
                           "record: {phi: arm.angle}\n"
                           "run: {step: 0.01, until: 1}\n";

static double angle_after(const char *text, int scheme, int steps, double until)
{
    machine m = start(text, schemes[scheme].scheme, schemes[scheme].theta, until / steps);
    advance(&m, steps);
    double                phi = record(&m, 0);
    const zn_certificate *c = zn_sim_certificate(m.sim);
    if (!(c->closure.value <= 1e-12))
        fail_msg("%s: closure %g", schemes[scheme].scheme, c->closure.value);
    stop(&m);
    return phi;
}

static void check_orders(const char *text, double (*solution)(double t))
{
    for (int s = 0; s < SCHEMES; s++) {
        double e[2];
        for (int k = 0; k < 2; k++)
            e[k] = fabs(angle_after(text, s, 100 << k, 0.7) - solution(0.7));
        double order = log2(e[0] / e[1]);
        if (!(fabs(order - schemes[s].order) < 0.1) || !(e[1] < (schemes[s].order == 1 ? 2e-2 : 2e-4)))
            fail_msg("%s, theta %g: errors %g, %g, order %g", schemes[s].scheme, schemes[s].theta, e[0], e[1], order);
    }
}

static void test_pd(void **state)
{
    (void)state;
    check_orders(pd, pd_solution);
}

static void test_pid(void **state)
{
    (void)state;
    check_orders(pid, pid_solution);
}

static void test_order_of_nonlinear_feedback(void **state)
{
    (void)state;
    for (int s = 0; s < SCHEMES; s++) {
        double phi[3];
        for (int k = 0; k < 3; k++)
            phi[k] = angle_after(soft, s, 200 << k, 0.8);
        double order = log2(fabs((phi[0] - phi[1]) / (phi[1] - phi[2])));
        if (!(fabs(order - schemes[s].order) < 0.15))
            fail_msg("%s, theta %g: order %g", schemes[s].scheme, schemes[s].theta, order);
    }
}

// A state is no mechanics: energies are those of the arm, works those of the motor, however large it is.
static void test_states_have_no_energy(void **state)
{
    (void)state;
    static const char large[] = "zeno: 1\nplanar: true\n"
                                "bodies: {arm: {mass: 2, inertia: 1, angle: 1, fixed: [x, y]}}\n"
                                "states: {z: {rate: '1e9*arm.angle', start: 1e8}}\n"
                                "motors: {m: {body: arm, torque: '-9*sin(arm.angle)'}}\n"
                                "record: {phi: arm.angle, T: ledger.kinetic, w: arm.spin, work: ledger.motor}\n"
                                "run: {step: 0.01, until: 1}\n";
    for (int s = 0; s < SCHEMES; s++) {
        machine m = start(large, schemes[s].scheme, schemes[s].theta, 0.01);
        advance(&m, 50);
        double T = record(&m, 1), w = record(&m, 2), work = record(&m, 3);
        CHECK_NEAR(T, 0.5 * w * w, 1e-12);
        CHECK_NEAR(work, T, 0.2 * T); // exactly that but for what the scheme loses
        assert_true(T > 0.1);
        const zn_certificate *c = zn_sim_certificate(m.sim);
        assert_true(c->closure.value <= 1e-12 && c->newton.value <= 1e-9);
        stop(&m);
    }
}

// --- memory ----------------------------------------------------------------------------------------

// m x'' = u held between samples, two samples late: the discrete system by hand. The theta scheme with 1/2 integrates a
// constant force exactly.
static void test_sampled(void **state)
{
    (void)state;
    static const char text[] =
        "zeno: 1\nplanar: true\n"
        "bodies: {m: {mass: 2, position: [1, 0], fixed: [y]}}\n"
        "controls: {u: {value: '-8*m.x - 4*m.velocity.x', sampled: 20 ms, delay: 2, start: 0.5}}\n"
        "loads: {l: {body: m, force: [u, 0]}}\n"
        "record: {x: m.position.x, u: u}\n"
        "run: {step: 5 ms, until: 1}\n";
    machine m = start(text, "moreau_jean", 0.5, 5e-3);
    double  x = 1, v = 0, T = 0.02, queue[3] = {0.5, 0.5, 0};
    for (int k = 0; k < 50; k++) {
        queue[2] = -8 * x - 4 * v; // the sample of now; the one of two samples ago acts
        if (k > 0)
            CHECK_NEAR(record(&m, 0), x, 1e-12);
        CHECK_NEAR(record(&m, 1), queue[0], 1e-11);
        x += T * v + T * T / 4 * queue[0];
        v += T / 2 * queue[0];
        queue[0] = queue[1];
        queue[1] = queue[2];
        advance(&m, 4);
    }
    stop(&m);
}

// T' = (10 - T)/5 + 4 on, on below 19, off above 21: exponentials towards 30 and 10. A step sees a level late by less
// than its length.
static void test_on_off(void **state)
{
    (void)state;
    static const char text[] = "zeno: 1\nplanar: true\n"
                               "bodies: {m: {mass: 2}}\n"
                               "states: {T: {rate: '(10 - T)/5 + 4*heat', start: 15}}\n"
                               "controls: {heat: {switch: T, on: 19, off: 21}}\n"
                               "record: {T: T, heat: heat}\n"
                               "run: {step: 5 ms, until: 100}\n";
    const double exact = 5 * log(15.0 / 9) + 3 * (5 * log(11.0 / 9) + 5 * log(11.0 / 9)); // off for the fourth time
    for (int refined = 0; refined < 2; refined++) {
        double  h = refined ? 1e-3 : 4e-3, last = 1, found = 0;
        machine m = start(text, "moreau_jean", 0.5, h);
        for (int off = 0, step = 1; off < 4; step++) {
            advance(&m, 1);
            double heat = record(&m, 1), T = record(&m, 0);
            off += last == 1 && heat == 0;
            last = heat;
            found = step * h;
            assert_true(T < 21 + 2.5 * h && (step * h < 3 || T > 19 - 2.5 * h));
        }
        CHECK_NEAR(found, exact, 15 * h); // seven times late by less than h, each way longer by as much
        assert_true(found > exact);
        stop(&m);
    }
}

typedef struct saved {
    int    size, steps;
    double t;
    char   data[65536];
} saved;

static zn_status keep(void *user, double t, const void *data, size_t size)
{
    saved *s = user;
    assert_true(size <= sizeof s->data);
    if (s->size == 0) {
        memcpy(s->data, data, size);
        s->size = (int)size;
        s->t = t;
    }
    return ZN_OK;
}

static void test_restart(void **state)
{
    (void)state;
    static const char        text[] = "zeno: 1\nplanar: true\ngravity: [0, -9.81]\n"
                                      "bodies: {b: {mass: 1, inertia: 0.1, position: [0, 0.5], fixed: [rotation]}}\n"
                                      "contacts: {floor: {point: b, surface: {plane: [0, 1]}, restitution: 0.5}}\n"
                                      "states: {i: {rate: '0.3 - b.y'}}\n"
                                      "controls: {u: {value: '2*i - 3*b.velocity.y', sampled: 7 ms, delay: 3}, high: {switch: "
                                      "b.y, on: 0.2, off: 0.1}}\n"
                                      "loads: {l: {body: b, force: ['high*b.y - b.x', 'u + 0.1*floor.force']}}\n"
                                      "record: {y: b.position.y, u: u, high: high, i: i}\n"
                                      "run: {step: 2 ms, until: 0.8, checkpoint_every: 100}\n";
    static const char *const names[] = {"moreau_jean", "nsga", "combined_projection", "schatzman_paoli"};
    for (int s = 0; s < 4; s++) {
        static saved checkpoint;
        checkpoint = (saved){0};
        machine    m = {.problem = parse(text)};
        zn_sim    *again = NULL;
        zn_sim_def def = m.problem->sim;
        def.scheme = zn_scheme_def_default();
        def.scheme.scheme = names[s];
        CHECK_OK(zn_system_create(m.problem->model, &m.sys));
        CHECK_OK(zn_sim_create(m.sys, &def, &again));
        zn_sim_destroy(again);
        def.recorder = (zn_recorder){.user = &checkpoint, .checkpoint = keep};
        CHECK_OK(zn_sim_create(m.sys, &def, &m.sim));
        CHECK_OK(zn_sim_run(m.sim));
        assert_true(checkpoint.size > 0 && checkpoint.t < 0.5);
        def.recorder = (zn_recorder){0};
        CHECK_OK(zn_sim_create(m.sys, &def, &again));
        CHECK_OK(zn_sim_restart(again, checkpoint.data, (size_t)checkpoint.size));
        CHECK_OK(zn_sim_run(again));
        const zn_state *a = zn_sim_state(m.sim), *b = zn_sim_state(again);
        assert_memory_equal(a->q, b->q, sizeof *a->q * (size_t)m.sys->info.nq);
        assert_memory_equal(a->v, b->v, sizeof *a->v * (size_t)m.sys->info.n_all);
        assert_true(a->q[m.sys->layout.memory] != 0);
        zn_sim_destroy(again);
        stop(&m);
    }
}

// --- the C interface -------------------------------------------------------------------------------

static double pd_law(void *user, double t, const double *sensors, double *gradient)
{
    const double *gain = user;
    (void)t;
    if (gradient) {
        gradient[0] = -gain[0];
        gradient[1] = -gain[1];
    }
    return -gain[0] * sensors[0] - gain[1] * sensors[1];
}

static void test_controller(void **state)
{
    (void)state;
    static const char *const sensors[] = {"arm.angle", "arm.rate"}, *const twice[] = {"arm.angle", "arm.angle"};
    double       gains[2] = {50, 3};
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def  body = zn_body_def_default();
    zn_motor_def motor = zn_motor_def_default();
    zn_signal   *signal = NULL;
    char         message[200];
    body.name = "arm";
    body.mass = 2;
    body.inertia = 0.5;
    body.angle = 1;
    body.fixed = ZN_FIX_X | ZN_FIX_Y;
    CHECK_OK(zn_model_add_body(model, &body, &motor.a.node));
    CHECK_STATUS(zn_signal_controller(model, 2, twice, pd_law, gains, NULL, message, sizeof message, &signal),
                 ZN_ERR_ARGUMENT);
    assert_non_null(strstr(message, "twice"));
    CHECK_STATUS(zn_signal_feedback(model, "2*arm.angel", 0, NULL, NULL, message, sizeof message, &signal),
                 ZN_ERR_ARGUMENT);
    assert_non_null(strstr(message, "'arm' has no 'angel'"));
    CHECK_OK(zn_signal_controller(model, 2, sensors, pd_law, gains, NULL, message, sizeof message, &signal));
    motor.torque = signal;
    CHECK_OK(zn_model_add_motor(model, &motor));
    fixture    f = compile_fixture(model);
    zn_sim    *sim = NULL;
    zn_sim_def def = zn_sim_def_default();
    def.scheme.scheme = "newmark";
    def.step = 1e-3;
    def.until = 0.7;
    CHECK_OK(zn_sim_create(f.sys, &def, &sim));
    CHECK_OK(zn_sim_run(sim));
    CHECK_NEAR(zn_sim_state(sim)->q[2], pd_solution(0.7), 2e-5);
    zn_sim_destroy(sim);
    destroy_fixture(&f);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const names[] = {"cd_lagrange", "multirate", "energy_momentum"};
    for (int i = 0; i < 3; i++) {
        log_capture log = {0};
        zn_problem *problem = NULL;
        zn_system  *sys = NULL;
        zn_sim     *sim = NULL;
        CHECK_OK(zn_problem_parse(pd, strlen(pd), "m.yaml", 0, NULL, log_into(&log), &problem));
        CHECK_OK(zn_system_create(problem->model, &sys));
        zn_sim_def def = problem->sim;
        def.scheme = zn_scheme_def_default();
        def.scheme.scheme = names[i];
        CHECK_STATUS(zn_sim_create(sys, &def, &sim), ZN_ERR_UNSUPPORTED);
        CHECK_LOGGED(&log, "'m' is a motor or depends on the motion");
        zn_system_destroy(sys);
        zn_problem_destroy(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangents),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_pd),
        cmocka_unit_test(test_pid),
        cmocka_unit_test(test_order_of_nonlinear_feedback),
        cmocka_unit_test(test_states_have_no_energy),
        cmocka_unit_test(test_sampled),
        cmocka_unit_test(test_on_off),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_controller),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
