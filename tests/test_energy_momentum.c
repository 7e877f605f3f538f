// The scheme energy_momentum against what it promises: energy, linear and angular momentum stay to rounding over many
// large steps, whatever the element; order two; what dampers take is in the ledger; what it cannot do is refused.
#include "between_models.h"
#include "invariants.h"

// A velocity field w x r + v, and some more of it at random.
static void set_in_motion(rig *r, bool turns)
{
    uint64_t seed = 3;
    for (int i = 0; i < r->sys->layout.nodes; i++) {
        const zn_layout_node *node = &r->sys->layout.node[i];
        zn_vec3      w = {turns ? 1.1 : 0, turns ? -0.4 : 0, turns ? 1.7 : 0}, v = zn_vec3_cross(w, node->origin);
        const double field[3] = {v.x + 0.5, v.y - 0.2, v.z + 0.3};
        for (int k = 0; k < zn_node_dimension(node->kind); k++)
            r->state->v[node->dof[k]] = field[k] + 0.1 * random_unit(&seed);
    }
    zn_at at = {r->state->q, r->state->v, 0, 0};
    CHECK_OK(zn_system_energy(r->sys, at, &r->state->energy));
}

static rig open_solid(solid_case c)
{
    zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(2, 1, 1), 2, 1, 1);
    zn_model    *model = make_model(solid_case_planar(c), zn_vec3_make(0, 0, 0), NULL);
    zn_solid_def def = soft_solid(c, mesh);
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
    return rig_open(model, scheme_named("energy_momentum", 0.5));
}

static void check_kept(rig *r, int steps, double h, bool turns, double tolerance)
{
    invariants first = invariants_of(r);
    for (int k = 0; k < steps; k++)
        rig_step(r, h);
    invariants last = invariants_of(r);
    double     size = zn_vec3_norm(first.angular) + zn_vec3_norm(first.linear);
    CHECK_NEAR(last.energy, first.energy, tolerance * first.energy);
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(last.linear, first.linear)), 0, tolerance * size);
    if (turns) // a linear material is no invariant of rotations
        CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(last.angular, first.angular)), 0, tolerance * size);
}

static void test_tumbling_solids(void **state)
{
    (void)state;
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case c = solid_case_at(i);
        bool       turns = c.model != ZN_SOLID_LINEAR;
        rig        r = open_solid(c);
        set_in_motion(&r, turns);
        check_kept(&r, 500, 0.1, turns, 1e-11);
        assert_true(r.state->energy.strain > 1e-3 * r.state->energy.kinetic); // it does vibrate
        rig_close(&r);
    }
}

// A mass on a spring about the origin, which turns many times: energy, and the moment of momentum about the axis.
static zn_model *spring_pendulum(double damping)
{
    zn_model     *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_node_id    bob = add_body(model, "bob", zn_vec3_make(1.2, 0, 0), 0);
    zn_spring_def def = zn_spring_def_default();
    def.name = "spring";
    def.to.node = bob;
    def.stiffness = 40;
    def.damping = damping;
    def.rest_length = 1;
    CHECK_OK(zn_model_add_spring(model, &def));
    return model;
}

static void launch(rig *r, double vx, double vy)
{
    r->state->v[0] = vx;
    r->state->v[1] = vy;
    CHECK_OK(zn_system_energy(r->sys, (zn_at){r->state->q, r->state->v, 0, 0}, &r->state->energy));
}

static void test_spring_pendulum(void **state)
{
    (void)state;
    rig r = rig_open(spring_pendulum(0), scheme_named("energy_momentum", 0.5));
    launch(&r, 0.3, 2);
    invariants first = invariants_of(&r), last;
    for (int k = 0; k < 10000; k++)
        rig_step(&r, 0.05);
    last = invariants_of(&r);
    CHECK_NEAR(last.energy, first.energy, 1e-11 * first.energy);
    CHECK_NEAR(last.angular.z, first.angular.z, 1e-11 * first.angular.z);
    rig_close(&r);
}

// With a damper the ledger closes, step by step, and its line never gives.
static void test_damper(void **state)
{
    (void)state;
    rig r = rig_open(spring_pendulum(2), scheme_named("energy_momentum", 0.5));
    launch(&r, 2, 0.5);
    double before = energy_of(&r), taken = 0;
    for (int k = 0; k < 200; k++) {
        double start = energy_of(&r);
        rig_step(&r, 0.05);
        assert_true(r.info.ledger[ZN_LEDGER_DAMPER] <= 0);
        CHECK_NEAR(energy_of(&r) - start, r.info.ledger[ZN_LEDGER_DAMPER] + r.info.ledger[ZN_LEDGER_NUMERICAL], 1e-12);
        CHECK_NEAR(r.info.ledger[ZN_LEDGER_NUMERICAL], 0, 1e-12);
        taken += r.info.ledger[ZN_LEDGER_DAMPER];
    }
    assert_true(taken < -0.3 * before);
    rig_close(&r);
}

// Position of the bob at t = 1.
static zn_vec3 bob_at_one(int steps)
{
    rig r = rig_open(spring_pendulum(0), scheme_named("energy_momentum", 0.5));
    launch(&r, 0.3, 2);
    for (int k = 0; k < steps; k++)
        rig_step(&r, 1.0 / steps);
    zn_vec3 x = {r.state->q[0], r.state->q[1], 0};
    rig_close(&r);
    return x;
}

static void test_order(void **state)
{
    (void)state;
    zn_vec3 exact = bob_at_one(20000);
    double  coarse = zn_vec3_norm(zn_vec3_sub(bob_at_one(100), exact)),
           fine = zn_vec3_norm(zn_vec3_sub(bob_at_one(200), exact));
    CHECK_NEAR(log2(coarse / fine), 2, 0.05);
}

static void check_refused(zn_model *model, log_capture *log, const char *message)
{
    zn_system    *sys = NULL;
    zn_scheme    *scheme = NULL;
    zn_scheme_def def = scheme_named("energy_momentum", 0.5);
    CHECK_OK(zn_system_create(model, &sys));
    CHECK_STATUS(zn_scheme_create(&def, sys, &scheme), ZN_ERR_UNSUPPORTED);
    CHECK_LOGGED(log, message);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

static void test_refusal(void **state)
{
    (void)state;
    log_capture log = {0};
    zn_model   *model = make_model(false, zn_vec3_make(0, -1, 0), &log);
    zn_beam_def rod = zn_beam_def_default();
    rod.name = "rod";
    rod.to = zn_vec3_make(1, 0, 0);
    rod.young = rod.density = 1;
    rod.section = zn_beam_section_rectangle(0.1, 0.1, 0);
    CHECK_OK(zn_model_add_beam(model, &rod));
    check_refused(model, &log, "energy_momentum: part 'rod' (spatial beam) has no force between two states");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tumbling_solids), cmocka_unit_test(test_spring_pendulum), cmocka_unit_test(test_damper),
        cmocka_unit_test(test_order),           cmocka_unit_test(test_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
