// Forces in the sections of beams and bars against what statics says of a cantilever: whatever is beyond a section is
// in balance with it. Linear and exact beams, in the plane and in space, in axes that are not those of the world.
#include "fixtures.h"

#include "model/sensor.h"
#include "system/system.h"

enum { ELEMENTS = 8 };

static const double LENGTH = 2, TIP[3] = {1e-3, -3e-3, 2e-3}, TWIST = 4e-3, WEIGHT = 2e-4;

static zn_signal *constant(double value)
{
    zn_signal *signal = NULL;
    CHECK_OK(zn_signal_constant(value, &signal));
    return signal;
}

// A beam along `axes` x with section y along `axes` y; loads at the tip by components in these axes; weight across,
// along -y.
static zn_model *make_cantilever(bool planar, zn_beam_theory theory, zn_quat axes, bool heavy)
{
    zn_beam_def def = zn_beam_def_default();
    double      area = 1e-2, density = 1000;
    zn_vec3     y = zn_quat_rotate(axes, zn_vec3_make(0, 1, 0));
    zn_model   *model = make_model(planar, zn_vec3_scale(heavy ? -WEIGHT / (density * area) : 0, y), NULL);
    def.name = "beam";
    def.from = zn_vec3_make(0.3, -0.2, planar ? 0 : 0.7);
    def.to = zn_vec3_add(def.from, zn_quat_rotate(axes, zn_vec3_make(LENGTH, 0, 0)));
    def.y_axis = planar ? zn_vec3_make(0, 0, 0) : y;
    def.elements = ELEMENTS;
    def.young = 1e9;
    def.density = density;
    def.section = zn_beam_section_rectangle(0.1, 0.1, 0);
    def.theory = theory;
    def.fix_first = ZN_FIX_X | ZN_FIX_Y | (planar ? 0 : ZN_FIX_Z) | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_beam(model, &def));
    zn_node_id   tip = zn_model_find_node(model, "beam[8]");
    zn_vec3      f = zn_quat_rotate(axes, zn_vec3_make(TIP[0], TIP[1], planar ? 0 : TIP[2]));
    zn_force_def force = zn_force_def_default();
    force.point.node = tip;
    force.force[0] = constant(f.x);
    force.force[1] = constant(f.y);
    force.force[2] = planar ? NULL : constant(f.z);
    CHECK_OK(zn_model_add_force(model, &force));
    if (!planar) {
        zn_vec3       m = zn_quat_rotate(axes, zn_vec3_make(TWIST, 0, 0));
        zn_moment_def moment = zn_moment_def_default();
        moment.node = tip;
        moment.moment[0] = constant(m.x);
        moment.moment[1] = constant(m.y);
        moment.moment[2] = constant(m.z);
        CHECK_OK(zn_model_add_moment(model, &moment));
    }
    return model;
}

// Equilibrium by one load step of a static run.
static zn_sim *solve(const zn_system *sys)
{
    zn_sim_def def = zn_sim_def_default();
    zn_sim    *sim = NULL;
    def.statics = true;
    def.equilibrium.load_steps = 1;
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    CHECK_OK(zn_sim_run(sim));
    return sim;
}

static double read(const zn_system *sys, const zn_sim *sim, int element, const char *quantity)
{
    char      name[64], message[200];
    zn_sensor s;
    snprintf(name, sizeof name, "beam[%d].%s", element, quantity);
    if (zn_sensor_find(sys->model, name, &s, message, sizeof message) != ZN_OK) {
        print_error("%s: %s\n", name, message);
        fail();
    }
    const zn_state *state = zn_sim_state(sim);
    return zn_sensor_value(&s, &sys->layout, (zn_at){.q = state->q, .v = state->v, .t = state->t});
}

// `excess`: of the bending moment by the weight over q l^2.
static void check_cantilever(bool planar, zn_beam_theory theory, zn_quat axes, bool heavy, double excess,
                             double tolerance)
{
    zn_model *model = make_cantilever(planar, theory, axes, heavy);
    fixture   f = compile_fixture(model);
    zn_sim   *sim = solve(f.sys);
    double    q = heavy ? WEIGHT : 0, l = LENGTH / ELEMENTS;
    for (int e = 0; e < ELEMENTS; e++) {
        double beyond = LENGTH - (e + 0.5) * l;
        double bending = TIP[1] * beyond - q * (beyond * beyond / 2 + excess * l * l), shear = TIP[1] - q * beyond;
        CHECK_NEAR(read(f.sys, sim, e, "axial"), TIP[0], tolerance);
        CHECK_NEAR(read(f.sys, sim, e, planar ? "shear" : "shear_y"), shear, tolerance);
        CHECK_NEAR(read(f.sys, sim, e, planar ? "bending" : "bending_z"), bending, tolerance);
        if (planar)
            continue;
        CHECK_NEAR(read(f.sys, sim, e, "shear_z"), TIP[2], tolerance);
        CHECK_NEAR(read(f.sys, sim, e, "bending_y"), -TIP[2] * beyond, tolerance);
        CHECK_NEAR(read(f.sys, sim, e, "torsion"), TWIST, tolerance);
    }
    zn_sim_destroy(sim);
    destroy_fixture(&f);
}

// Loaded as their shape functions say, linear beams bend by q l^2/24 more in the middle of an element; exact ones,
// loaded at their nodes, by q l^2/8; they tilt by 1e-6, and bending is a small difference of large numbers.
static void test_planar(void **state)
{
    (void)state;
    zn_quat turned = zn_so3_exp(zn_vec3_make(0, 0, 0.6));
    for (int heavy = 0; heavy < 2; heavy++) {
        check_cantilever(true, ZN_BEAM_EULER_BERNOULLI, turned, heavy, 1.0 / 24, 1e-12);
        check_cantilever(true, ZN_BEAM_TIMOSHENKO, turned, heavy, 1.0 / 24, 1e-12);
        check_cantilever(true, ZN_BEAM_EXACT, turned, heavy, 1.0 / 8, 1e-8);
    }
}

static void test_spatial(void **state)
{
    (void)state;
    zn_quat turned = zn_so3_exp(zn_vec3_make(0.5, -0.4, 0.8));
    for (int heavy = 0; heavy < 2; heavy++) {
        check_cantilever(false, ZN_BEAM_EULER_BERNOULLI, turned, heavy, 1.0 / 24, 1e-12);
        check_cantilever(false, ZN_BEAM_TIMOSHENKO, turned, heavy, 1.0 / 24, 1e-12);
        check_cantilever(false, ZN_BEAM_EXACT, turned, heavy, 1.0 / 8, 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_planar), cmocka_unit_test(test_spatial)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
