// Around the equilibrium: loads in part, models that are not held, failures that change nothing, motion that starts at
// rest, static runs, model files.
#include "equilibrium_models.h"

#include "system/system.h"
#include "zn/io.h"

// --- relief --------------------------------------------------------------------------------------

// Forces and tangents at a share of the loads lie between those with and without, for every kind of load.
static void check_relief(zn_model *model)
{
    fixture    f = compile_fixture(model);
    int        n = f.sys->info.n_all;
    double     force[3][FIXTURE_MAX], q[FIXTURE_MAX], dq[FIXTURE_MAX];
    zn_sparse *K[3] = {NULL};
    uint64_t   seed = 7;
    assert_true(n <= FIXTURE_MAX && f.sys->info.nq <= FIXTURE_MAX);
    random_fill(&seed, 0.01, n, dq);
    zn_system_retract(f.sys, f.sys->q0, dq, q);
    for (int k = 0; k < 3; k++) {
        zn_at at = {q, f.sys->v0, 0.2, k == 2 ? 0.4 : k};
        CHECK_OK(zn_system_force(f.sys, at, force[k]));
        CHECK_OK(zn_system_matrix(f.sys, &K[k]));
        CHECK_OK(zn_system_operators(f.sys, at, 0, 0, 1, K[k]));
    }
    double size = largest_of(n, force[0]), stiff = largest_of(K[0]->start[K[0]->n], K[0]->value);
    assert_true(size > 0);
    for (int i = 0; i < n; i++)
        CHECK_NEAR(force[2][i], 0.6 * force[0][i] + 0.4 * force[1][i], 1e-14 * size);
    for (int i = 0; i < K[0]->start[K[0]->n]; i++)
        CHECK_NEAR(K[2]->value[i], 0.6 * K[0]->value[i] + 0.4 * K[1]->value[i], 1e-14 * stiff);
    for (int k = 0; k < 3; k++)
        zn_sparse_destroy(K[k]);
    destroy_fixture(&f);
}

static zn_model *loaded_frame(void)
{
    zn_model           *model = make_model(false, zn_vec3_make(0, 0, -9.81), NULL);
    zn_body_def         body = zn_body_def_default();
    zn_moment_def       moment = zn_moment_def_default();
    zn_acceleration_def field = zn_acceleration_def_default();
    zn_node_id          node = {0};
    body.name = "body";
    body.mass = 2;
    body.inertia3 = (zn_mat3){{{1, 0, 0}, {0, 2, 0}, {0, 0, 2.5}}};
    CHECK_OK(zn_model_add_body(model, &body, &node));
    moment.name = "moment";
    moment.node = node;
    moment.moment[0] = constant(3);
    moment.moment[2] = constant(-1);
    CHECK_OK(zn_model_add_moment(model, &moment));
    field.name = "field";
    field.acceleration[1] = constant(0.7);
    CHECK_OK(zn_model_add_acceleration(model, &field));
    return model;
}

static zn_model *pressed_solid(void)
{
    zn_model       *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_mesh        *mesh = NULL;
    zn_solid_def    solid = zn_solid_def_default();
    zn_pressure_def pressure = zn_pressure_def_default();
    CHECK_OK(zn_mesh_rectangle(zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 0), (int[2]){2, 2}, &mesh));
    solid.name = "solid";
    solid.mesh = mesh;
    solid.young = 1000;
    solid.density = 10;
    CHECK_OK(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
    pressure.name = "pressure";
    pressure.part = "solid";
    pressure.face = "solid.ymax";
    pressure.value = constant(50);
    pressure.follower = true;
    CHECK_OK(zn_model_add_pressure(model, &pressure));
    return model;
}

static void test_relief(void **state)
{
    (void)state;
    check_relief(block_on_floor(0, 0.3, 5, 0.1));
    check_relief(loaded_frame());
    check_relief(pressed_solid());
}

// --- refusals ------------------------------------------------------------------------------------

static void refuse(zn_model *model, zn_equilibrium_def def, zn_status expected, const char *message)
{
    fixture     f = compile_fixture(model);
    log_capture log = {0};
    zn_state   *s = NULL, *before = NULL;
    CHECK_OK(zn_state_create(f.sys, &s));
    CHECK_OK(zn_state_create(f.sys, &before));
    def.log = log_into(&log);
    CHECK_STATUS(zn_equilibrium_solve(f.sys, &def, s, NULL), expected);
    CHECK_LOGGED(&log, message);
    assert_memory_equal(s->q, before->q, sizeof *s->q * (size_t)f.sys->info.nq);
    zn_state_destroy(s);
    zn_state_destroy(before);
    destroy_fixture(&f);
}

static void test_refused(void **state)
{
    (void)state;
    zn_equilibrium_def def = zn_equilibrium_def_default();
    zn_model          *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    add_spring(model, "spring", add_mass(model, "held", 1, 0, 0, 0), 0, 1, 100, 1);
    add_mass(model, "loose", 2, 5, 0, 0);
    refuse(model, def, ZN_ERR_MODEL, "not held: 'loose' can move");

    model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL); // slides off a slope
    add_plane(model, "slope", add_mass(model, "sled", 2, 0, 0, 0), zn_vec3_make(0, 0, 0), zn_vec3_make(1, 2, 0), 0);
    refuse(model, def, ZN_ERR_MODEL, "not held: 'sled' can move");

    model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL); // elastic, but free
    add_rod(model, zn_vec3_make(0, 0, 0), zn_vec3_make(0, -1, 0), 50, ZN_FIX_X);
    refuse(model, def, ZN_ERR_MODEL, "can move freely");

    model = make_model(true, zn_vec3_make(0, 0, 0), NULL); // turns for ever
    add_body(model, "wheel", 1, 1, 0, 0, 0);
    turn(model, "wheel", 1);
    refuse(model, def, ZN_ERR_MODEL, "not held: 'wheel'");

    def.load_steps = 0;
    refuse(block_on_floor(0, 0, 0, 0), def, ZN_ERR_ARGUMENT, "load_steps = 0 is not in [1, 1000000]");
    def = zn_equilibrium_def_default();
    def.tolerance = 0;
    refuse(block_on_floor(0, 0, 0, 0), def, ZN_ERR_ARGUMENT, "tolerance = 0 is not in (0, 0.1]");
    def = zn_equilibrium_def_default();
    def.newton_iterations = 0;
    refuse(block_on_floor(0, 0, 0, 0), def, ZN_ERR_ARGUMENT, "newton_iterations = 0 is not in [1, 10000]");
    def = zn_equilibrium_def_default();
    def.linear_solver = "magic";
    refuse(block_on_floor(0, 0, 0, 0), def, ZN_ERR_ARGUMENT,
           "linear_solver 'magic' is not one of: auto dense klu mumps");
}

// --- failure -------------------------------------------------------------------------------------

// The n-th evaluation fails, for every n: the state is as before, or the answer is right all the same.
static void fail_everywhere(zn_model *model)
{
    fixture            f = compile_fixture(model);
    zn_equilibrium_def def = zn_equilibrium_def_default();
    zn_state          *right = NULL, *start = NULL;
    CHECK_OK(zn_state_create(f.sys, &start));
    CHECK_OK(zn_state_create(f.sys, &right));
    CHECK_OK(zn_equilibrium_solve(f.sys, &def, right, NULL));
    int    failures = 0;
    size_t nq = (size_t)f.sys->info.nq, n = (size_t)f.sys->info.n_all;
    for (int k = 1;; k++) {
        zn_state *s = NULL;
        CHECK_OK(zn_state_create(f.sys, &s));
        zn_fault_inject(k);
        zn_status status = zn_equilibrium_solve(f.sys, &def, s, NULL);
        bool      reached = zn_fault_is_spent();
        zn_fault_inject(0);
        failures += status != ZN_OK;
        for (size_t i = 0; i < nq && status == ZN_OK; i++)
            CHECK_NEAR(s->q[i], right->q[i], 1e-11);
        if (status != ZN_OK) {
            assert_memory_equal(s->q, start->q, sizeof *s->q * nq);
            assert_memory_equal(s->v, start->v, sizeof *s->v * n);
            assert_memory_equal(s->contacts->impulse, start->contacts->impulse,
                                sizeof(double) * (size_t)(s->contacts->count * s->contacts->stride));
            assert_true(s->t == start->t && s->energy.gravity == start->energy.gravity);
        }
        zn_state_destroy(s);
        if (!reached)
            break;
    }
    assert_true(failures > 0); // the last evaluations have no second try
    zn_state_destroy(right);
    zn_state_destroy(start);
    destroy_fixture(&f);
}

static void test_failure(void **state)
{
    (void)state;
    zn_model *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    add_spring(model, "spring", add_mass(model, "mass", 2, 0, -1, ZN_FIX_X), 0, 0, 50, 1);
    fail_everywhere(model);
    fail_everywhere(block_on_floor(0.1, 0, 7, 0.2));
    model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_joint_def def = hinge(add_body(model, "rod", 3, 0.1, 0.7, 0, pi / 2), 0, 0.7);
    CHECK_OK(zn_model_add_joint(model, &def));
    fail_everywhere(model);
}

// --- the driver ----------------------------------------------------------------------------------

static zn_model *spring_model(void)
{
    zn_model *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    add_spring(model, "spring", add_mass(model, "mass", 2, 0, -1, 0), 0, 0, 50, 1);
    return model;
}

static zn_model *pendulum_model(void)
{
    zn_model    *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_joint_def def = hinge(add_body(model, "rod", 3, 0.1, 0.7, 0, pi / 2), 0, 0.7);
    CHECK_OK(zn_model_add_joint(model, &def));
    return model;
}

static zn_model *landed_model(void) { return block_on_floor(0.2, 0, 7, 0.2); }

static zn_model *pressed_bar_model(void)
{
    zn_model *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    add_rod(model, zn_vec3_make(0, 1, 0), zn_vec3_make(0, 0, 0), 10, ZN_FIX_X);
    fix(model, "rod[0]", ZN_FIX_Y);
    zn_contact_def floor = zn_contact_def_default();
    floor.name = "floor";
    floor.point.node = zn_model_find_node(model, "rod[10]");
    floor.normal = zn_vec3_make(0, 1, 0);
    floor.through = zn_vec3_make(0, -1e-7, 0); // less than its own weight stretches it
    CHECK_OK(zn_model_add_contact(model, &floor));
    return model;
}

// From an equilibrium nothing moves, whatever the scheme. The nsga schemes let contact forces act as impulses after a
// smooth motion without them, which the elastic forces of that motion follow: they keep a pressed bar at rest only as
// the step goes to zero.
static void test_stays_at_rest(void **state)
{
    (void)state;
    zn_model *(*const build[])(void) = {spring_model, pendulum_model, landed_model, pressed_bar_model};
    const double step[] = {1e-2, 1e-2, 1e-2, 1e-6};
    for (int m = 0; m < 4; m++)
        for (int i = 0; i < zn_scheme_count(); i++) {
            if (strcmp(zn_scheme_name(i), "multirate") == 0)
                continue; // needs two parts
            if (m >= (strcmp(zn_scheme_name(i), "newmark") == 0       ? 2
                      : strcmp(zn_scheme_name(i), "cd_lagrange") == 0 ? 3
                                                                      : 4))
                continue; // no contacts; no consistent mass
            if (m == 2 && strcmp(zn_scheme_name(i), "energy_momentum") == 0)
                continue; // a rigid body would bounce for ever
            fixture     f = compile_fixture(build[m]());
            log_capture log = {0};
            zn_sim_def  def = zn_sim_def_default();
            zn_sim     *sim = NULL;
            def.scheme.scheme = zn_scheme_name(i);
            def.step = m == 3 && strncmp(zn_scheme_name(i), "nsga", 4) == 0 ? 1e-9 : step[m];
            def.until = 50 * def.step;
            def.start_at_equilibrium = true;
            def.log = log_into(&log);
            CHECK_OK(zn_sim_create(f.sys, &def, &sim));
            assert_non_null(zn_sim_equilibrium(sim));
            double worst = 0;
            for (int k = 0; k < 50; k++) {
                zn_status status = zn_sim_step(sim);
                if (status != ZN_OK)
                    print_error("model %d, %s: %s", m, zn_scheme_name(i), log.text);
                CHECK_OK(status);
                worst = fmax(worst, largest_of(f.sys->info.n_all, zn_sim_state(sim)->v));
            }
            if (!(worst < 1e-10))
                print_error("model %d, %s\n", m, zn_scheme_name(i));
            CHECK_BELOW(worst, 1e-10);
            zn_sim_destroy(sim);
            destroy_fixture(&f);
        }
}

typedef struct rows {
    int    count;
    double t[16], value[16];
} rows;

static zn_status keep_row(void *user, double t, const double *values)
{
    rows *r = user;
    assert_true(r->count < 16);
    r->t[r->count] = t;
    r->value[r->count++] = values[0];
    return ZN_OK;
}

// One row per load step after the first, which is the model as given; the time is the load factor.
static void test_static_run(void **state)
{
    (void)state;
    fixture             f = compile_fixture(spring_model());
    rows                r = {0};
    zn_sim_def          def = zn_sim_def_default();
    const zn_record_def record[] = {{"y", "mass.position.y", NULL}};
    zn_sim             *sim = NULL;
    def.statics = true;
    def.start = 3;
    def.equilibrium.load_steps = 5;
    def.records = record;
    def.record_count = 1;
    def.recorder = (zn_recorder){.user = &r, .row = keep_row};
    CHECK_OK(zn_sim_create(f.sys, &def, &sim));
    CHECK_OK(zn_sim_run(sim));
    assert_int_equal(r.count, 6);
    for (int i = 0; i <= 5; i++) {
        CHECK_NEAR(r.t[i], i / 5.0, 1e-15);
        CHECK_NEAR(r.value[i], -1 - 2 * 9.81 / 50 * i / 5, 1e-13);
    }
    const zn_certificate *c = zn_sim_certificate(sim);
    assert_int_equal(c->steps, 5);
    assert_true(c->newton_iterations.total > 0);
    CHECK_BELOW(c->newton.value, 1e-11);
    assert_int_equal(zn_sim_equilibrium(sim)->load_steps, 5);
    zn_sim_destroy(sim);
    destroy_fixture(&f);
}

// --- model files ---------------------------------------------------------------------------------

#define HANGING                                                                                                        \
    "zeno: 1\nplanar: true\ngravity: [0, -10]\nbodies: {a: {mass: 2, position: [0, -1]}}\n"                            \
    "springs: {s: {from: ground, to: a, stiffness: 100}}\nrecord: {y: a.position.y, f: a.velocity.y}\n"

static zn_problem *read_model(const char *text)
{
    log_capture log = {0};
    zn_problem *problem = NULL;
    zn_status   status = zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, log_into(&log), &problem);
    if (status != ZN_OK)
        print_error("%s", log.text);
    CHECK_OK(status);
    return problem;
}

static void test_model_file(void **state)
{
    (void)state;
    zn_problem *p = read_model(HANGING "run: {static: {load_steps: 4, tolerance: 1e-10, newton_iterations: 7, "
                                       "linear_solver: klu}, start: 3}\n");
    assert_true(p->sim.statics && !p->sim.start_at_equilibrium);
    assert_int_equal(p->sim.equilibrium.load_steps, 4);
    assert_int_equal(p->sim.equilibrium.newton_iterations, 7);
    assert_string_equal(p->sim.equilibrium.linear_solver, "klu");
    CHECK_NEAR(p->sim.equilibrium.tolerance, 1e-10, 0);
    CHECK_NEAR(p->sim.start, 3, 0);
    zn_problem_destroy(p);

    p = read_model(HANGING "run: {static: {linear_solver: auto}}\n");
    assert_int_equal(p->sim.equilibrium.load_steps, 1);
    assert_string_equal(p->sim.equilibrium.linear_solver, "auto");
    zn_problem_destroy(p);

    p = read_model(HANGING "run: {step: 1 ms, until: 1, start: 0.5}\n");
    assert_true(!p->sim.statics && !p->sim.start_at_equilibrium);
    CHECK_NEAR(p->sim.start, 0.5, 0);
    zn_problem_destroy(p);

    p = read_model(HANGING "run: {step: 1 ms, until: 20 ms, start: equilibrium}\n");
    zn_system *sys = NULL;
    zn_sim    *sim = NULL;
    double     values[2];
    assert_true(!p->sim.statics && p->sim.start_at_equilibrium && p->sim.start == 0);
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    CHECK_OK(zn_sim_run(sim));
    CHECK_OK(zn_sim_values(sim, values));
    CHECK_NEAR(values[0], -1.2, 1e-13);
    CHECK_NEAR(values[1], 0, 1e-12);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);

    char *manual = zn_problem_reference();
    assert_non_null(manual);
    assert_non_null(strstr(manual, "## run: static"));
    assert_non_null(strstr(manual, "| `load_steps` | whole number |  | 1 | 1 to 1000000 |"));
    assert_non_null(strstr(manual, "| `start` | number, or `equilibrium` | s | 0 |"));
    assert_non_null(strstr(manual, "| `step` | number | s | required unless `static` |"));
    free(manual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relief),        cmocka_unit_test(test_refused),    cmocka_unit_test(test_failure),
        cmocka_unit_test(test_stays_at_rest), cmocka_unit_test(test_static_run), cmocka_unit_test(test_model_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
