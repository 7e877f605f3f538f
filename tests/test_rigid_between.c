// Rigid bodies that turn in the scheme energy_momentum: energy and momenta stay to rounding however far a step turns
// them, order two against an independent integration of Euler's equations, Newton's matrix against finite differences,
// and steps that turn too far fail. With a number as its argument the first runs so many steps.
#include "between_models.h"
#include "invariants.h"

static int spin_steps = 1000;

enum { MAX = FIXTURE_MAX };

static const zn_mat3 uneven = {{{1.1, 0.1, -0.05}, {0.1, 1.6, 0.08}, {-0.05, 0.08, 2.1}}};

static zn_node_id add_tumbler(zn_model *model, const char *name, zn_mat3 J, zn_vec3 spin)
{
    zn_body_def def = zn_body_def_default();
    zn_node_id  id = {0};
    def.name = name;
    def.mass = 1.5;
    def.inertia3 = J;
    def.position = zn_vec3_make(0.5, -0.2, 0.1);
    def.velocity = zn_vec3_make(0.003, 0.001, -0.004); // far away, x itself is rounded
    def.rotation = zn_so3_exp(zn_vec3_make(0.3, 0.8, -0.5));
    def.spin3 = spin;
    CHECK_OK(zn_model_add_body(model, &def, &id));
    return id;
}

// --- what stays ------------------------------------------------------------------------------------

// About the middle axis, which it leaves and comes back to, at half a radian per step.
static void test_middle_axis(void **state)
{
    (void)state;
    zn_model *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    add_tumbler(model, "body", (zn_mat3){{{1, 0, 0}, {0, 2, 0}, {0, 0, 2.5}}}, zn_vec3_make(0.01, 5, 0.02));
    rig        r = rig_open(model, scheme_named("energy_momentum", 0.5));
    invariants first = invariants_of(&r);
    double     energy = 0, linear = 0, angular = 0, least = 5;
    for (int k = 0; k < spin_steps; k++) {
        rig_step(&r, 0.1);
        invariants now = invariants_of(&r);
        energy = fmax(energy, fabs(now.energy / first.energy - 1));
        linear = fmax(linear, zn_vec3_norm(zn_vec3_sub(now.linear, first.linear)) / zn_vec3_norm(first.linear));
        angular = fmax(angular, zn_vec3_norm(zn_vec3_sub(now.angular, first.angular)) / zn_vec3_norm(first.angular));
        least = fmin(least, r.state->v[4]);
        assert_true(fabs(r.info.ledger[ZN_LEDGER_NUMERICAL]) < 1e-12 * first.energy);
    }
    print_message("%d steps: energy %.1e, momentum %.1e, angular momentum %.1e\n", spin_steps, energy, linear, angular);
    assert_true(energy < 1e-11 && linear < 1e-11 && angular < 1e-11);
    assert_true(least < -4); // it turns over
    rig_close(&r);
}

// --- order -----------------------------------------------------------------------------------------

typedef struct spinning {
    zn_quat rotation;
    zn_vec3 spin;
} spinning;

// Of a body with principal axes.
static spinning rate_of(const double J[3], spinning s)
{
    zn_vec3 w = s.spin;
    zn_quat turn = zn_quat_product(s.rotation, (zn_quat){0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z});
    return (spinning){
        turn, {(J[1] - J[2]) / J[0] * w.y * w.z, (J[2] - J[0]) / J[1] * w.z * w.x, (J[0] - J[1]) / J[2] * w.x * w.y}};
}

static spinning plus(spinning s, double h, spinning rate)
{
    zn_quat q = s.rotation, d = rate.rotation;
    return (spinning){{q.w + h * d.w, q.x + h * d.x, q.y + h * d.y, q.z + h * d.z},
                      zn_vec3_add(s.spin, zn_vec3_scale(h, rate.spin))};
}

// Euler's equations by the classical method of Runge and Kutta, with steps that leave 1e-13.
static spinning integrate(const double J[3], spinning s, double end)
{
    int    steps = 4000;
    double h = end / steps;
    for (int k = 0; k < steps; k++) {
        spinning a = rate_of(J, s), b = rate_of(J, plus(s, 0.5 * h, a)), c = rate_of(J, plus(s, 0.5 * h, b)),
                 d = rate_of(J, plus(s, h, c));
        s = plus(plus(plus(plus(s, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    }
    return s;
}

static double error_of(int steps)
{
    const double J[3] = {1.1, 1.6, 2.1};
    zn_model    *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_vec3      spin = {0.4, 1.5, -0.3};
    add_tumbler(model, "body", (zn_mat3){{{J[0], 0, 0}, {0, J[1], 0}, {0, 0, J[2]}}}, spin);
    rig      r = rig_open(model, scheme_named("energy_momentum", 0.5));
    spinning exact = integrate(J, (spinning){{r.state->q[3], r.state->q[4], r.state->q[5], r.state->q[6]}, spin}, 3);
    for (int k = 0; k < steps; k++)
        rig_step(&r, 3.0 / steps);
    const double *q = r.state->q + 3, *v = r.state->v;
    zn_quat       apart = zn_quat_product(zn_quat_conjugate(exact.rotation), (zn_quat){q[0], q[1], q[2], q[3]});
    double error = zn_vec3_norm(zn_so3_log(apart)) + zn_vec3_norm(zn_vec3_sub(exact.spin, (zn_vec3){v[3], v[4], v[5]}));
    rig_close(&r);
    return error;
}

static void test_order(void **state)
{
    (void)state;
    double coarse = error_of(100), fine = error_of(200);
    assert_true(fine < 1e-3);
    CHECK_NEAR(log2(coarse / fine), 2, 0.02);
}

// A planar body turns by 2 atan(h w/2) in a step, and keeps its spin.
static void test_planar(void **state)
{
    (void)state;
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def def = zn_body_def_default();
    zn_node_id  id = {0};
    def.name = "disc";
    def.mass = 2;
    def.inertia = 0.3;
    def.spin = 4;
    CHECK_OK(zn_model_add_body(model, &def, &id));
    rig r = rig_open(model, scheme_named("energy_momentum", 0.5));
    for (int k = 0; k < 50; k++)
        rig_step(&r, 0.1);
    CHECK_NEAR(r.state->v[2], 4, 1e-13);
    CHECK_NEAR(r.state->q[2], 100 * atan(0.2), 1e-11);
    rig_close(&r);
}

// --- Newton's matrix -------------------------------------------------------------------------------

static fixture make_flock(bool planar)
{
    const zn_mat3 even = {{{0.7, 0, 0}, {0, 0.7, 0}, {0, 0, 0.7}}};
    zn_model     *model = make_model(planar, zn_vec3_make(0.3, -2, 0), NULL);
    if (planar)
        add_body(model, "disc", zn_vec3_make(1, 2, 0), 0.4);
    else {
        add_tumbler(model, "one", uneven, zn_vec3_make(0, 0, 0));
        add_tumbler(model, "round", even, zn_vec3_make(0, 0, 0));
    }
    add_body(model, "point", zn_vec3_make(1, 8, 0), 0);
    return compile_fixture(model);
}

typedef struct step_at {
    double q0[MAX], v0[MAX], q[MAX], v[MAX], d[MAX], way[MAX], h;
} step_at;

static zn_between states_of(const step_at *e)
{
    return (zn_between){.from = {e->q0, e->v0, 0, 0}, .to = {e->q, e->v, e->h, 0}};
}

// The residual at q, which the step comes to from q0.
static void residual_at(const zn_system *sys, step_at *e, double *r)
{
    double a[MAX], f[MAX];
    zn_system_difference(sys, e->q, e->q0, e->d);
    CHECK_OK(zn_system_way(sys, e->d, e->way));
    for (int i = 0; i < sys->info.n_all; i++) {
        e->v[i] = 2 * e->way[i] / e->h - e->v0[i];
        a[i] = (e->v[i] - e->v0[i]) / e->h;
    }
    CHECK_OK(zn_system_inertia(sys, e->q, a, r));
    CHECK_OK(zn_system_force_between(sys, states_of(e), f));
    for (int i = 0; i < sys->info.n_all; i++)
        r[i] -= f[i];
}

static void check_matrix(bool planar)
{
    fixture    f = make_flock(planar);
    uint64_t   seed = 5;
    step_at    e = {.h = 0.4}, near = e;
    double     x[MAX], r[2][MAX], y[MAX], step = 1e-5;
    zn_sparse *A = NULL;
    int        n = f.sys->info.n;
    memcpy(e.q0, f.sys->q0, sizeof *e.q0 * (size_t)f.sys->info.nq);
    random_fill(&seed, 0.7, n, e.d);
    random_fill(&seed, 1, n, e.v0);
    zn_system_retract(f.sys, e.q0, e.d, e.q);
    CHECK_OK(zn_system_matrix(f.sys, &A));
    residual_at(f.sys, &e, r[0]);
    CHECK_OK(zn_system_step_matrix(f.sys, states_of(&e), e.way, e.h, A));
    for (int trial = 0; trial < 4; trial++) {
        random_fill(&seed, 1, n, x);
        zn_sparse_multiply(A, x, y);
        for (int side = 0; side < 2; side++) {
            near = e;
            zn_system_move(f.sys, e.q, side ? step : -step, x, near.q);
            residual_at(f.sys, &near, r[side]);
        }
        for (int i = 0; i < n; i++)
            CHECK_NEAR((r[1][i] - r[0][i]) / (2 * step), y[i], 1e-7 * (1 + fabs(y[i])));
    }
    zn_sparse_destroy(A);
    destroy_fixture(&f);
}

static void test_matrix(void **state)
{
    (void)state;
    check_matrix(true);
    check_matrix(false);
}

// The way and its inverse; more than half a turn is none, and a step that wants it changes nothing.
static void test_way(void **state)
{
    (void)state;
    log_capture log = {0};
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), &log);
    add_tumbler(model, "top", uneven, zn_vec3_make(0, 3, 0));
    rig    r = rig_open(model, scheme_named("energy_momentum", 0.5));
    double d[6] = {1, 2, 3, 0.3, -0.9, 0.8}, way[6], back[6], before = r.state->v[4];
    CHECK_OK(zn_system_way(r.sys, d, way));
    zn_system_way_inverse(r.sys, way, back);
    double angle = zn_vec3_norm((zn_vec3){0.3, -0.9, 0.8});
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(back[i], d[i], 1e-15);
        CHECK_NEAR(way[i], i < 3 ? d[i] : 2 * tan(angle / 2) / angle * d[i], 1e-15);
    }
    CHECK_STATUS(zn_scheme_step(r.scheme, r.state, 1.2, &r.info), ZN_INVALID_STATE);
    CHECK_LOGGED(&log, "'top' turns by more than half a turn in a step");
    assert_true(r.state->t == 0 && r.state->v[4] == before);
    rig_step(&r, 1);
    rig_close(&r);
}

int main(int count, char **argument)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_middle_axis), cmocka_unit_test(test_order), cmocka_unit_test(test_planar),
        cmocka_unit_test(test_matrix),      cmocka_unit_test(test_way),
    };
    if (count > 1)
        spin_steps = atoi(argument[1]);
    return cmocka_run_group_tests_name("rigid bodies between two states", tests, NULL, NULL);
}
