// Flexible bodies that meet at their surfaces: uniform pressure goes through a contact of matching meshes, a cube falls
// on a plate, a block slides on another to a stop.
#include "solid_models.h"

// --- two blocks under pressure -------------------------------------------------------------------

static zn_mass_kind block_mass; // of the blocks below

static void add_block(zn_model *model, const char *name, zn_solid_shape shape, zn_vec3 from, zn_vec3 size,
                      const int n[3], zn_solid_model law, zn_vec3 velocity)
{
    zn_mesh     *mesh = make_mesh(shape, size, n[0], n[1], n[2]);
    zn_solid_def def = soft_solid((solid_case){shape, law, ZN_PLANE_STRAIN}, mesh);
    for (int i = 0; i < mesh->node_count; i++)
        mesh->nodes[i] = zn_vec3_add(mesh->nodes[i], from);
    def.name = name;
    def.velocity = velocity;
    def.mass = block_mass;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
}

static void add_rub(zn_model *model, const char *name, const char *points, const char *part, const char *face,
                    double friction)
{
    zn_contact_def def = zn_contact_def_default();
    def.name = name;
    def.surface = ZN_SURFACE_FACETS;
    def.points = points;
    def.part = part;
    def.face = face;
    def.friction = friction;
    CHECK_OK(zn_model_add_contact(model, &def));
}

static zn_sim *start(const zn_system *sys, const char *scheme, double theta, double h, double until)
{
    zn_sim_def def = zn_sim_def_default();
    zn_sim    *sim = NULL;
    def.scheme.scheme = scheme;
    if (theta > 0)
        def.scheme.theta = theta;
    def.step = h;
    def.until = until;
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    return sim;
}

// One block on the other, free to expand: u is linear, -p/E (1 - nu^2) y and p/E nu (1 + nu) x in plane strain, -p/E z
// and nu p/E in space.
static const double patch_young = 10, patch_poisson = 0.3, patch_pressure = 0.05;

static zn_model *patch_model(zn_solid_shape shape)
{
    bool        planar = shape == ZN_QUAD4;
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_vec3     up = planar ? zn_vec3_make(0, 1, 0) : zn_vec3_make(0, 0, 1), size = {1.2, 1, 1}, none = {0, 0, 0};
    const char *top = planar ? "upper.ymax" : "upper.zmax", *bottom = planar ? "lower.ymin" : "lower.zmin";
    add_block(model, "lower", shape, none, size, (int[3]){3, 2, 2}, ZN_SOLID_LINEAR, none);
    add_block(model, "upper", shape, up, size, (int[3]){3, 2, 2}, ZN_SOLID_LINEAR, none);
    add_rub(model, "rub", planar ? "upper.ymin" : "upper.zmin", "lower", planar ? "lower.ymax" : "lower.zmax", 0);
    CHECK_OK(zn_model_fix_node_set(model, bottom, planar ? ZN_FIX_Y : ZN_FIX_Z));
    for (int k = 0; k < 2; k++) {
        CHECK_OK(zn_model_fix_node_set(model, k ? "upper.xmin" : "lower.xmin", ZN_FIX_X));
        if (!planar)
            CHECK_OK(zn_model_fix_node_set(model, k ? "upper.ymin" : "lower.ymin", ZN_FIX_Y));
    }
    zn_pressure_def load = zn_pressure_def_default();
    load.part = "upper";
    load.face = top;
    CHECK_OK(zn_signal_constant(patch_pressure, &load.value));
    CHECK_OK(zn_model_add_pressure(model, &load));
    return model;
}

// Impulses are those of h seconds.
static void check_patch(const fixture *f, const zn_state *end, double h)
{
    const double p = patch_pressure, E = patch_young, nu = patch_poisson;
    bool         planar = f->sys->info.planar;
    double       along = p / E * (planar ? 1 - nu * nu : 1), across = p / E * nu * (planar ? 1 + nu : 1), total = 0;
    for (int i = 0; i < f->sys->layout.nodes; i++) {
        const zn_layout_node *node = &f->sys->layout.node[i];
        CHECK_NEAR(end->q[node->q], across * node->origin.x, 1e-9);
        CHECK_NEAR(end->q[node->q + 1], planar ? -along * node->origin.y : across * node->origin.y, 1e-9);
        if (!planar)
            CHECK_NEAR(end->q[node->q + 2], -along * node->origin.z, 1e-9);
    }
    for (int i = 0; i < end->contacts->count; i++) {
        double force = end->contacts->impulse[i] / h;
        total += force;
        if (planar) // uniform: as much as the nodes' share of the side
            CHECK_NEAR(force, p * 0.7 * 0.4 * (i == 0 || i == 3 ? 0.5 : 1), 1e-9);
        assert_true(force > 0);
    }
    assert_int_equal(end->contacts->count, planar ? 4 : 12);
    CHECK_NEAR(total, p * (planar ? 0.7 * 1.2 : 1.2), 1e-9);
}

static const zn_solid_shape patch_shapes[] = {ZN_QUAD4, ZN_HEX8, ZN_TET4};

// Long steps with theta = 1 lead to rest at once.
static void test_patch(void **state)
{
    (void)state;
    const double h = 10;
    for (int s = 0; s < 3; s++) {
        fixture f = compile_fixture(patch_model(patch_shapes[s]));
        zn_sim *sim = start(f.sys, "moreau_jean", 1, h, 40 * h);
        for (int k = 0; k < 40; k++)
            CHECK_OK(zn_sim_step(sim));
        check_patch(&f, zn_sim_state(sim), h);
        assert_int_equal(zn_sim_certificate(sim)->retries, 0); // the last impulse is that of a whole step
        CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-10);
        zn_sim_destroy(sim);
        destroy_fixture(&f);
    }
}

// At rest under pressure on the facets of another, whose mesh does not match: the supports of the lower block carry it
// all, nothing is inside and nothing pulls.
static void test_equilibrium_on_facets(void **state)
{
    (void)state;
    const double p = 0.01, width = 0.2;
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_vec3      none = {0, 0, 0};
    add_block(model, "lower", ZN_QUAD4, none, zn_vec3_make(1, 0.2, 0), (int[3]){17, 2, 1}, ZN_SOLID_LINEAR, none);
    add_block(model, "upper", ZN_QUAD4, zn_vec3_make(0.3, 0.2, 0), zn_vec3_make(width, 0.05, 0), (int[3]){4, 1, 1},
              ZN_SOLID_LINEAR, none);
    add_rub(model, "rub", "upper.ymin", "lower", "lower.ymax", 0);
    CHECK_OK(zn_model_fix_node_set(model, "lower.ymin", ZN_FIX_X | ZN_FIX_Y));
    CHECK_OK(zn_model_fix_node_set(model, "upper.xmin", ZN_FIX_X));
    zn_pressure_def load = zn_pressure_def_default();
    load.part = "upper";
    load.face = "upper.ymax";
    CHECK_OK(zn_signal_constant(p, &load.value));
    CHECK_OK(zn_model_add_pressure(model, &load));
    fixture             f = compile_fixture(model);
    zn_equilibrium_def  def = zn_equilibrium_def_default();
    zn_equilibrium_info info;
    zn_state           *rest = NULL;
    int                 carrying = 0;
    CHECK_OK(zn_state_create(f.sys, &rest));
    CHECK_OK(zn_equilibrium_solve(f.sys, &def, rest, &info));
    CHECK_NEAR(info.load.y, -p * 0.7 * width, 1e-15);
    CHECK_NEAR(info.support.y, p * 0.7 * width, 1e-13);
    CHECK_BELOW(info.penetration, 1e-14);
    for (int i = 0; i < rest->contacts->count; i++) {
        assert_true(rest->contacts->impulse[i] >= 0);
        carrying += rest->contacts->impulse[i] > 0;
    }
    assert_true(carrying >= 2);
    zn_state_destroy(rest);
    destroy_fixture(&f);
}

// --- a cube falls on a plate ---------------------------------------------------------------------

static void test_drop(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "direct_projection", "combined_projection", "nsga",
                                          "cd_lagrange"};
    for (int s = 0; s < 5; s++)
        for (int both = 0; both < 2; both++) {
            block_mass = s == 4 ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT;
            zn_model *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
            add_block(model, "plate", ZN_HEX8, zn_vec3_make(-1, -1, -0.3), zn_vec3_make(2, 2, 0.3), (int[3]){3, 3, 1},
                      ZN_SOLID_SAINT_VENANT_KIRCHHOFF, zn_vec3_make(0, 0, 0));
            add_block(model, "cube", ZN_HEX8, zn_vec3_make(-0.33, -0.27, 0.011), zn_vec3_make(0.6, 0.6, 0.6),
                      (int[3]){2, 2, 2}, ZN_SOLID_SAINT_VENANT_KIRCHHOFF, zn_vec3_make(0.1, 0, -0.5));
            add_rub(model, "down", "cube.zmin", "plate", "plate.zmax", 0);
            if (both)
                add_rub(model, "up", "plate.zmax", "cube", "cube.zmin", 0);
            CHECK_OK(zn_model_fix_node_set(model, "plate.zmin", ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z));
            fixture      f = compile_fixture(model);
            const double h = 5e-3;
            zn_sim      *sim = start(f.sys, schemes[s], 0, h, 1);
            double       impulse = 0;
            for (int k = 0; k < 100; k++) {
                CHECK_OK(zn_sim_step(sim));
                const zn_contact_set *set = zn_sim_state(sim)->contacts;
                for (int i = 0; i < set->count; i++) {
                    assert_true(set->impulse[i] >= -1e-12);
                    impulse += set->impulse[i];
                }
            }
            zn_certificate  c = *zn_sim_certificate(sim);
            zn_vec3         linear, angular;
            const zn_state *end = zn_sim_state(sim);
            double          scratch[1024];
            assert_true(f.sys->info.n_all <= 1024);
            CHECK_OK(zn_system_momentum(f.sys, (zn_at){end->q, end->v, end->t, 0}, 1, scratch, &linear, &angular));
            assert_true(impulse > 0.1);                   // momentum on arrival: 2 * 0.216 * 0.5 = 0.216
            CHECK_NEAR(linear.z, -0.216 + impulse, 0.02); // normals stay near the vertical
            assert_true(linear.z > 0);
            CHECK_BELOW(c.closure.value, 1e-10);
            CHECK_BELOW(c.penetration.value, s == 0 || s == 4 ? 0.6 * h : 1e-9);
            zn_sim_destroy(sim);
            destroy_fixture(&f);
        }
}

// --- friction ------------------------------------------------------------------------------------

// A block slides on a long one, nearly rigid, with mu = 0.2: all in all it comes to rest relative to it after v/(mu g)
// = 0.25 s and 0.0625 m, and momentum goes over to the long one's supports.
static void test_sliding(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "combined_projection", "nsga"};
    for (int s = 0; s < 3; s++) {
        zn_model    *model = make_model(true, zn_vec3_make(0, -10, 0), NULL);
        const double v = 0.5, mu = 0.2, h = 2e-3;
        for (int k = 0; k < 2; k++) {
            zn_mesh     *mesh = k ? make_mesh(ZN_QUAD4, zn_vec3_make(0.2, 0.05, 0), 2, 1, 1)
                                  : make_mesh(ZN_QUAD4, zn_vec3_make(1, 0.2, 0), 17, 1, 1);
            zn_solid_def def = zn_solid_def_default();
            for (int i = 0; i < mesh->node_count; i++)
                mesh->nodes[i] = zn_vec3_add(mesh->nodes[i], k ? zn_vec3_make(0.3, 0.2, 0) : zn_vec3_make(0, 0, 0));
            def.name = k ? "slider" : "bench";
            def.mesh = mesh;
            def.young = 1e7;
            def.density = 1000;
            def.stiffness_damping = 1e-3;
            def.velocity = k ? zn_vec3_make(v, 0, 0) : zn_vec3_make(0, 0, 0);
            CHECK_OK(zn_model_add_solid(model, &def));
            zn_mesh_destroy(mesh);
        }
        CHECK_OK(zn_model_fix_node_set(model, "bench.ymin", ZN_FIX_X | ZN_FIX_Y));
        add_rub(model, "rub", "slider.ymin", "bench", "bench.ymax", mu);
        fixture f = compile_fixture(model);
        zn_sim *sim = start(f.sys, schemes[s], s < 2 ? 1 : 0, h, 1);
        double  scratch[512], mass = 1000 * 0.2 * 0.05;
        zn_vec3 linear, angular;
        for (int k = 1; k <= 200; k++) {
            CHECK_OK(zn_sim_step(sim));
            const zn_state *now = zn_sim_state(sim);
            CHECK_OK(zn_system_momentum(f.sys, (zn_at){now->q, now->v, now->t, 0}, 1, scratch, &linear, &angular));
            CHECK_NEAR(linear.x / mass, fmax(0, v - mu * 10 * k * h), 0.02); // it shakes a little as it stops
        }
        CHECK_NEAR(zn_sim_state(sim)->q[f.sys->layout.node[36].q], v * v / (2 * mu * 10), 2e-3);
        CHECK_NEAR(linear.x, 0, 1e-6);
        CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-10);
        assert_true(zn_sim_certificate(sim)->ledger[ZN_LEDGER_FRICTION] < 0);
        zn_sim_destroy(sim);
        destroy_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patch),
        cmocka_unit_test(test_equilibrium_on_facets),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_sliding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
