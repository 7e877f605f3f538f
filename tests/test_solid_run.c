// Solids at work: pressure on faces, node sets, contact of many nodes with a plane, all under every scheme.
#include "solid_models.h"

enum { MAX = FIXTURE_MAX };

static zn_signal *constant(double value)
{
    zn_signal *signal = NULL;
    CHECK_OK(zn_signal_constant(value, &signal));
    return signal;
}

// --- pressure ------------------------------------------------------------------------------------

// A solid with pressure 2 on a set; "all" is a set with every node.
static fixture make_loaded(solid_case c, const char *face, bool follower, log_capture *log)
{
    zn_model    *model = make_model(solid_case_planar(c), zn_vec3_make(0, 0, 0), log);
    zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(2, 1, 1), 2, 1, 1);
    zn_solid_def def = soft_solid(c, mesh);
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_node_id all[MAX];
    for (int i = 0; i < mesh->node_count; i++)
        all[i].value = i + 1;
    CHECK_OK(zn_model_add_node_set(model, "all", mesh->node_count, all));
    zn_mesh_destroy(mesh);
    zn_pressure_def load = zn_pressure_def_default();
    load.name = "push";
    load.part = "body";
    load.face = face;
    load.value = constant(2);
    load.follower = follower;
    CHECK_OK(zn_model_add_pressure(model, &load));
    return compile_fixture(model);
}

static void load_forces(const zn_system *sys, const double *q, double *out)
{
    double v[MAX] = {0};
    memset(out, 0, sizeof *out * (size_t)sys->info.n);
    for (int i = 0; i < sys->blocks; i++)
        if (strcmp(sys->block[i].ops->name, "pressure") == 0)
            CHECK_OK(sys->block[i].ops->force(&sys->block[i], (zn_at){q, v, 0, 0}, out));
}

static void resultant(const zn_system *sys, const double *f, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0;
    for (int i = 0; i < sys->layout.nodes; i++)
        for (int k = 0; k < zn_node_dimension(sys->layout.node[i].kind); k++)
            sum[k] += f[sys->layout.node[i].dof[k]];
}

static void test_pressure_resultant(void **state)
{
    (void)state;
    const double A[3][3] = {{0.2, 0.3, 0.1}, {-0.2, 0.1, 0}, {0, 0.2, -0.1}}, zero[MAX] = {0};
    for (int i = 0; i < SOLID_CASES; i += 3)
        for (int follower = 0; follower < 2; follower++) {
            solid_case c = solid_case_at(i);
            fixture    f = make_loaded(c, "body.xmax", follower, NULL);
            double     q[MAX], force[MAX], sum[3], thick = solid_case_planar(c) ? 0.7 : 1;
            assert_int_equal(zn_system_get_info(f.sys).linear, !follower);
            load_forces(f.sys, zero, force);
            resultant(f.sys, force, sum);
            CHECK_NEAR(sum[0], -2 * thick, 1e-14); // pressure 2 inwards on an area of 1 or 0.7
            CHECK_NEAR(sum[1], 0, 1e-15);
            set_gradient(f.sys, A, q);
            load_forces(f.sys, q, force);
            resultant(f.sys, force, sum);
            // the area vector turns as J F^-T N; in the plane n = (1 + A_yy, -A_xy)
            double x = solid_case_planar(c) ? 1.1 : 1.1 * 0.9;
            double y = solid_case_planar(c) ? -0.3 : -(0.3 * 0.9 - 0.1 * 0.2);
            CHECK_NEAR(sum[0], follower ? -2 * thick * x : -2 * thick, 1e-14);
            CHECK_NEAR(sum[1], follower ? -2 * thick * y : 0, 1e-14);
            destroy_fixture(&f);
            // on the whole surface it cancels, whatever the shape; inner faces do not count
            f = make_loaded(c, "all", follower, NULL);
            uint64_t seed = 5;
            random_fill(&seed, 0.3, f.sys->info.nq, q);
            load_forces(f.sys, q, force);
            resultant(f.sys, force, sum);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(sum[k], 0, 1e-14);
            destroy_fixture(&f);
        }
}

typedef struct probe {
    const zn_system *sys;
    const double    *v;
} probe;

static void force_at(void *user, const double *q, double *out)
{
    const probe *p = user;
    CHECK_OK(zn_system_force(p->sys, (zn_at){q, p->v, 0, 0}, out));
}

static void test_pressure_tangent(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < SOLID_CASES; i += 3) {
        fixture    f = make_loaded(solid_case_at(i), "all", true, NULL);
        int        n = f.sys->info.n;
        double     q[MAX], v[MAX], unit[MAX] = {0}, column[MAX], numeric[MAX], force[MAX], elastic = 0;
        zn_sparse *K = NULL;
        zn_power   power;
        probe      p = {f.sys, v};
        random_fill(&seed, 0.2, n, q);
        random_fill(&seed, 1, n, v);
        CHECK_OK(zn_system_matrix(f.sys, &K));
        CHECK_OK(zn_system_operators(f.sys, (zn_at){q, v, 0, 0}, 0, 0, 1, K));
        for (int j = 0; j < n; j++) {
            unit[j] = 1;
            derivative_along(f.sys, force_at, &p, q, unit, n, numeric);
            zn_sparse_multiply(K, unit, column);
            unit[j] = 0;
            for (int k = 0; k < n; k++)
                CHECK_NEAR(column[k], -numeric[k], 1e-9);
        }
        load_forces(f.sys, q, force);
        CHECK_OK(zn_system_power(f.sys, (zn_at){q, v, 0, 0}, v, &power));
        for (int k = 0; k < n; k++)
            elastic += force[k] * v[k];
        CHECK_NEAR(power.load, elastic, 1e-13);
        zn_sparse_destroy(K);
        destroy_fixture(&f);
    }
}

static void refuse_pressure(const char *part, const char *face, bool value, const char *message)
{
    log_capture  log = {0};
    solid_case   c = {ZN_HEX8, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN};
    zn_model    *model = make_model(false, zn_vec3_make(0, 0, 0), &log);
    zn_mesh     *mesh = make_mesh(ZN_HEX8, zn_vec3_make(1, 1, 1), 1, 1, 1);
    zn_solid_def def = soft_solid(c, mesh);
    CHECK_OK(zn_model_add_solid(model, &def));
    CHECK_OK(zn_model_add_node_set(model, "corner", 1, &(zn_node_id){1}));
    CHECK_STATUS(zn_model_add_node_set(model, "corner", 1, &(zn_node_id){1}), ZN_ERR_MODEL);
    CHECK_STATUS(zn_model_add_node_set(model, "far", 1, &(zn_node_id){9}), ZN_ERR_MODEL);
    CHECK_STATUS(zn_model_add_node_set(model, "none", 0, NULL), ZN_ERR_MODEL);
    CHECK_STATUS(zn_model_fix_node_set(model, "nothing", ZN_FIX_X), ZN_ERR_MODEL);
    zn_mesh_destroy(mesh);
    zn_pressure_def load = zn_pressure_def_default();
    load.name = "push";
    load.part = part;
    load.face = face;
    load.value = value ? constant(1) : NULL;
    CHECK_STATUS(zn_model_add_pressure(model, &load), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, message);
    zn_model_destroy(model);
}

static void test_pressure_refusals(void **state)
{
    (void)state;
    refuse_pressure("bod", "body.xmax", true, "load 'push': there is no solid part 'bod'");
    refuse_pressure("body", "body.xmix", true, "load 'push': there is no node set 'body.xmix'");
    refuse_pressure("body", "corner", true, "load 'push': no face of 'body' has all its nodes in 'corner'");
    refuse_pressure("body", "body.xmax", false, "load 'push': it has no value");
}

// --- a cube falls on a plane ---------------------------------------------------------------------

typedef struct drop {
    solid_case   c;
    zn_mass_kind mass;
    double       friction, restitution, damping;
    const char  *scheme;
    zn_metric    metric;
} drop;

// 0.1 m cube of 2 x 2 x 2 elements, the material of Cosimo et al. (4.4), 5 mm above z = 0 (planar: y = 0).
static fixture make_drop(const drop *d)
{
    bool      planar = solid_case_planar(d->c);
    zn_vec3   up = planar ? zn_vec3_make(0, 1, 0) : zn_vec3_make(0, 0, 1);
    zn_model *model = make_model(planar, zn_vec3_scale(-9.81, up), NULL);
    zn_mesh  *mesh = make_mesh(d->c.shape, zn_vec3_make(0.1, 0.1, 0.1), 2, 2, 2);
    for (int i = 0; i < mesh->node_count; i++)
        mesh->nodes[i] = zn_vec3_add(mesh->nodes[i], zn_vec3_scale(0.005, up));
    zn_solid_def def = soft_solid(d->c, mesh);
    def.name = "cube";
    def.young = 90;
    def.density = 1;
    def.thickness = 1;
    def.mass = d->mass;
    def.stiffness_damping = d->damping;
    def.velocity = zn_vec3_make(d->friction > 0 ? 0.1 : 0, 0, 0);
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
    zn_contact_def floor = zn_contact_def_default();
    floor.name = "floor";
    floor.points = planar ? "cube.ymin" : "cube.zmin";
    floor.normal = up;
    floor.restitution = d->restitution;
    floor.friction = d->friction;
    CHECK_OK(zn_model_add_contact(model, &floor));
    return compile_fixture(model);
}

typedef struct tally {
    int    events, rows;
    double least_gap, most_force, impulse;
} tally;

static zn_status count_event(void *user, const zn_event *event)
{
    ((tally *)user)->events++;
    assert_string_equal(event->name, "floor");
    return ZN_OK;
}

static zn_status take_row(void *user, double t, const double *values)
{
    tally *y = user;
    (void)t;
    y->rows++;
    y->least_gap = fmin(y->least_gap, values[0]);
    y->most_force = fmax(y->most_force, values[1]);
    y->impulse += values[2];
    return ZN_OK;
}

static tally run_drop(const drop *d, double step, double until, zn_certificate *out)
{
    fixture             f = make_drop(d);
    tally               y = {.least_gap = 1};
    const zn_record_def records[] = {
        {"gap", "floor.gap", NULL},
        {"force", d->friction > 0 ? "floor.force.normal" : "floor.force", NULL},
        {"impulse", d->friction > 0 ? "floor.impulse.normal" : "floor.impulse", NULL},
    };
    zn_sim_def def = zn_sim_def_default();
    zn_sim    *sim = NULL;
    def.scheme.scheme = d->scheme;
    def.scheme.metric = d->metric;
    def.step = step;
    def.until = until;
    def.record_count = 3;
    def.records = records;
    def.recorder = (zn_recorder){.user = &y, .row = take_row, .event = count_event};
    CHECK_OK(zn_sim_create(f.sys, &def, &sim));
    CHECK_OK(zn_sim_run(sim));
    *out = *zn_sim_certificate(sim);
    zn_sim_destroy(sim);
    destroy_fixture(&f);
    return y;
}

static void test_drop(void **state)
{
    (void)state;
    const char *const schemes[] = {"moreau_jean", "combined_projection", "direct_projection"};
    for (int i = 0; i < SOLID_CASES; i++)
        for (int s = 0; s < (i % 3 == 1 ? 3 : 2); s++) {
            zn_metric      metric = s > 0 ? ZN_METRIC_MASS : ZN_METRIC_IDENTITY;
            drop           d = {.c = solid_case_at(i), .scheme = schemes[s], .metric = metric};
            zn_certificate c;
            tally          y = run_drop(&d, 2e-4, 0.042, &c);
            CHECK_BELOW(c.closure.value, 1e-10);
            CHECK_BELOW(c.complementarity.value, 1e-8);
            CHECK_BELOW(c.penetration.value, s == 0 ? 2e-4 : 1e-10); // one step of the impact velocity
            CHECK_NEAR(y.least_gap, -c.penetration.value, 1e-9);
            assert_true(y.events >= (solid_case_planar(d.c) ? 3 : 9)); // every node of the face
            assert_true(y.most_force > 0 && y.impulse > 0 && c.retries == 0);
        }
}

// Newmark has no contacts, multirate needs two parts.
static bool takes_contacts(const char *scheme)
{
    return strcmp(scheme, "newmark") != 0 && strcmp(scheme, "multirate") != 0;
}

// The schemes without a ledger of contacts, and the others: all of them take such a model.
static void test_drop_all_schemes(void **state)
{
    (void)state;
    for (int s = 0; s < zn_scheme_count(); s++)
        for (int i = 0; i < 2 && takes_contacts(zn_scheme_name(s)); i++) {
            drop d = {.c = solid_case_at(i), .scheme = zn_scheme_name(s)};
            d.mass = strcmp(d.scheme, "cd_lagrange") == 0 ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT;
            zn_certificate c;
            tally          y = run_drop(&d, 2e-4, 0.042, &c);
            CHECK_BELOW(c.penetration.value, 2e-4);
            assert_true(y.least_gap < 1e-3 && c.steps >= 210);
        }
}

static void test_drop_friction(void **state)
{
    (void)state;
    for (int i = 1; i < SOLID_CASES; i += 3) {
        drop           d = {.c = solid_case_at(i), .scheme = "moreau_jean", .friction = 0.3, .damping = 1e-4};
        zn_certificate c;
        d.mass = ZN_MASS_LUMPED;
        tally y = run_drop(&d, 2e-4, 0.042, &c);
        CHECK_BELOW(c.closure.value, 1e-10);
        CHECK_BELOW(c.penetration.value, 2e-4);
        assert_true(c.ledger[ZN_LEDGER_FRICTION] < 0 && c.ledger[ZN_LEDGER_DAMPER] < 0);
        assert_true(y.impulse > 0);
    }
}

static void test_contact_refusals(void **state)
{
    (void)state;
    log_capture log = {0};
    drop        d = {.c = {ZN_HEX8, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, .scheme = "moreau_jean"};
    fixture     f = make_drop(&d);
    f.model->log = log_into(&log);
    zn_contact_def def = zn_contact_def_default();
    def.name = "top";
    def.points = "cube.top";
    def.normal = zn_vec3_make(0, 0, 1);
    CHECK_STATUS(zn_model_add_contact(f.model, &def), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "contact 'top': there is no node set 'cube.top'");
    def.points = "cube.zmax";
    def.length = -1;
    CHECK_STATUS(zn_model_add_contact(f.model, &def), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "contact 'top': the length -1 m of its face is not positive");
    def.length = 1;
    CHECK_STATUS(zn_model_add_contact(f.model, &def), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "contact 'top': the breadth 0 m of its face is not positive");
    def.breadth = 1;
    def.along = zn_vec3_make(0, 0, 5);
    CHECK_STATUS(zn_model_add_contact(f.model, &def), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "contact 'top': the length of its face has no direction");
    def.length = def.breadth = 0;
    def.point.node = zn_model_find_node(f.model, "cube[0]");
    CHECK_STATUS(zn_model_add_contact(f.model, &def), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "contact 'top': it has both a point and points");
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pressure_resultant), cmocka_unit_test(test_pressure_tangent),
        cmocka_unit_test(test_pressure_refusals),  cmocka_unit_test(test_drop),
        cmocka_unit_test(test_drop_all_schemes),   cmocka_unit_test(test_drop_friction),
        cmocka_unit_test(test_contact_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
