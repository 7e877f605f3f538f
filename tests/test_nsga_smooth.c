// Smooth motion under the nonsmooth generalized-alpha scheme, beside test_nsga.c: joints hold at both levels over many
// steps; beams in space and solids are of order two in positions and velocities; what schemes dissipate in a bar and in
// a flexible pendulum, by closed form and by order in h.
#include "scheme_fixtures.h"

#include "solid_models.h"

static zn_scheme_def nsga_def(double rho)
{
    zn_scheme_def def = scheme_named("nsga", 0.5);
    def.rho_inf = rho;
    return def;
}

// --- joints --------------------------------------------------------------------------------------

// A body in space with three different moments of inertia, held 0.5 m from its centre, spinning.
static zn_model *held_body(zn_joint_kind kind)
{
    zn_model    *model = make_model(false, zn_vec3_make(0, 0, -9.81), NULL);
    zn_body_def  body = zn_body_def_default();
    zn_joint_def joint = zn_joint_def_default();
    zn_node_id   node = {0};
    body.name = "top";
    body.mass = 2;
    body.inertia3 = (zn_mat3){{{0.2, 0, 0}, {0, 0.3, 0}, {0, 0, 0.4}}};
    body.position = zn_vec3_make(0.5, 0, 0);
    body.spin3 = kind == ZN_JOINT_SPHERICAL ? zn_vec3_make(3, 1, 2) : zn_vec3_make(0, 4, 0);
    body.velocity = zn_vec3_cross(body.spin3, body.position); // about the origin
    CHECK_OK(zn_model_add_body(model, &body, &node));
    joint.name = "hinge";
    joint.kind = kind;
    joint.a = (zn_attachment){node, zn_vec3_make(-0.5, 0, 0)};
    joint.axis = zn_vec3_make(0, 1, 0);
    CHECK_OK(zn_model_add_joint(model, &joint));
    return model;
}

static void check_drift(zn_joint_kind kind, int equations, int steps, const char *name)
{
    rig    r = rig_open(held_body(kind), nsga_def(0.8));
    double early[2] = {0}, late[2] = {0}, last = 0;
    assert_int_equal(r.state->contacts->count, equations);
    for (int k = 0; k < steps; k++) {
        rig_step(&r, 1e-3);
        double *worst = k < 1000 ? early : late;
        last = 0;
        for (int i = 0; i < equations; i++)
            last = fmax(last, fabs(gap_of(&r, i)));
        worst[0] = fmax(worst[0], last);
        worst[1] = fmax(worst[1], r.info.joint_velocity);
    }
    print_message("%s, %d steps: |g| %.1e, |G v| %.1e; in the first thousand %.1e, %.1e; in the last %.1e\n", name,
                  steps, late[0], late[1], early[0], early[1], last);
    CHECK_BELOW(late[0], 1e-12);
    CHECK_BELOW(last, 1e-17 * steps); // what adds up, beside what Newton's method leaves in a step
    CHECK_BELOW(late[1], 1e-11);      // of velocities up to 5 m/s, newton_tolerance 1e-12
    rig_close(&r);
}

static int drift_steps = 20000; ///< on the command line: others

static void test_no_drift(void **state)
{
    (void)state;
    check_drift(ZN_JOINT_SPHERICAL, 3, drift_steps, "spherical joint");
    check_drift(ZN_JOINT_REVOLUTE, 5, drift_steps, "revolute joint in space");
}

// --- order ---------------------------------------------------------------------------------------

typedef zn_model *(*model_function)(int variant);

// Largest differences of q and v at `end` from those of 1/8 of the smallest step, for four halved steps.
static void check_order(const char *name, model_function build, int variant, void (*start)(rig *), double h0,
                        double end, double tolerance)
{
    enum { STEPS = 4 };
    slope_fit position = {0}, velocity = {0};
    double   *q = NULL, *v = NULL, moved = 0;
    for (int pass = 0; pass <= STEPS; pass++) {
        double h = pass == 0 ? h0 / (1 << (STEPS + 2)) : h0 / (1 << (pass - 1)), error[2] = {0};
        rig    r = rig_open(build(variant), nsga_def(0.8));
        size_t nq = (size_t)r.sys->info.nq, n = (size_t)r.sys->info.n_all;
        if (pass == 0) {
            q = malloc(sizeof *q * nq);
            v = malloc(sizeof *v * n);
        }
        start(&r);
        CHECK_OK(zn_state_update(r.sys, r.state));
        for (int k = 0; k < (int)lround(end / h); k++)
            rig_step(&r, h);
        for (size_t i = 0; i < nq; i++)
            error[0] = fmax(error[0], fabs(r.state->q[i] - q[i] * (pass > 0)));
        for (size_t i = 0; i < n; i++)
            error[1] = fmax(error[1], fabs(r.state->v[i] - v[i] * (pass > 0)));
        if (pass == 0) {
            memcpy(q, r.state->q, sizeof *q * nq);
            memcpy(v, r.state->v, sizeof *v * n);
            moved = error[0];
        } else {
            slope_add(&position, h, error[0]);
            slope_add(&velocity, h, error[1]);
        }
        rig_close(&r);
    }
    print_message("%s: largest %.2f; order %.3f in position, %.3f in velocity\n", name, moved, slope_of(&position),
                  slope_of(&velocity));
    free(q);
    free(v);
    CHECK_NEAR(slope_of(&position), 2, tolerance);
    CHECK_NEAR(slope_of(&velocity), 2, tolerance);
}

// Clamped beam in space, loaded in both directions by gravity, with a moment of its own from the eccentric arm.
static zn_model *space_beam(int variant)
{
    (void)variant;
    zn_model   *model = make_model(false, zn_vec3_make(0, -2, -3), NULL);
    zn_beam_def def = zn_beam_def_default();
    def.name = "beam";
    def.to = zn_vec3_make(1, 0.2, 0);
    def.elements = 2;
    def.young = 1e5;
    def.poisson = 0.3;
    def.density = 1000;
    def.section = zn_beam_section_rectangle(0.2, 0.1, 0.3);
    def.fix_first = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_beam(model, &def));
    return model;
}

static void start_at_rest(rig *r) { (void)r; }

static zn_model *solid_block(int variant)
{
    solid_case   c = solid_case_at(variant);
    bool         planar = solid_case_planar(c);
    zn_model    *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(1, 0.8, 0.7), 2, 1, 1);
    zn_solid_def def = soft_solid(c, mesh);
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
    return model;
}

// Stretch along x that varies smoothly, and a turn about z: v_x = x^2 - y, v_y = x (- y / 2).
static void start_stretching(rig *r)
{
    for (int i = 0; i < r->sys->layout.nodes; i++) {
        const zn_layout_node *node = &r->sys->layout.node[i];
        r->state->v[node->dof[0]] = 0.3 * node->origin.x * node->origin.x - node->origin.y;
        r->state->v[node->dof[1]] = node->origin.x - 0.2 * node->origin.y;
    }
}

static void test_beams_and_solids_are_of_order_two(void **state)
{
    (void)state;
    check_order("beam in space", space_beam, 0, start_at_rest, 1e-3, 0.1, 0.15);
    check_order("hex8 linear", solid_block, 0, start_stretching, 0.02, 0.8, 0.15);
    check_order("hex8 St. Venant-Kirchhoff", solid_block, 1, start_stretching, 0.02, 0.8, 0.15);
    check_order("tet4 neo-Hookean", solid_block, 5, start_stretching, 0.02, 0.8, 0.15);
    check_order("quad4 St. Venant-Kirchhoff", solid_block, 7, start_stretching, 0.02, 0.8, 0.15);
    check_order("quad4 plane stress, neo-Hookean", solid_block, 11, start_stretching, 0.02, 0.8, 0.15);
}

// --- dissipation ---------------------------------------------------------------------------------

enum { ELEMENTS = 20 };

// Free bar, l = 1/20: v_i = cos(pi i/N) is a mode of the discrete bar. omega^2 = 6 E/(rho l^2) (1 - c)/(2 + c).
static rig vibrating_bar(zn_scheme_def def, double *omega)
{
    const double pi = 3.14159265358979323846, c = cos(pi / ELEMENTS);
    rig          r = rig_open(bar_model(ELEMENTS, 1, 0), def);
    for (int i = 0; i <= ELEMENTS; i++)
        r.state->v[i] = cos(pi * i / ELEMENTS);
    CHECK_OK(zn_state_update(r.sys, r.state));
    *omega = ELEMENTS * sqrt(6 * BAR_YOUNG / BAR_DENSITY * (1 - c) / (2 + c));
    return r;
}

// Energy after four periods of `steps` each over that after two. (In the first steps generalized-alpha also loses a
// part of order two once: a_0 = acc_0 is not yet its mean acceleration.)
static double bar_rest(zn_scheme_def def, int steps, double *wh)
{
    double omega;
    rig    r = vibrating_bar(def, &omega);
    double start = 0, h = 2 * 3.14159265358979323846 / omega / steps;
    for (int k = 0; k < 4 * steps; k++) {
        if (k == 2 * steps)
            start = energy_of(&r);
        rig_step(&r, h);
    }
    double rest = energy_of(&r) / start;
    rig_close(&r);
    *wh = omega * h;
    return rest;
}

// theta = 1/2 keeps the energy of a linear model, theta = 1 divides it by 1 + (omega h)^2 in every step: first order.
// Generalized-alpha loses by the fourth power in a step: third order, and much less than theta = 1.
static void test_dissipation_of_the_bar(void **state)
{
    (void)state;
    slope_fit euler = {0}, alpha = {0};
    for (int steps = 40; steps <= 320; steps *= 2) {
        double wh, half = bar_rest(scheme_named("moreau_jean", 0.5), steps, &wh);
        double one = bar_rest(scheme_named("moreau_jean", 1), steps, &wh), nsga = bar_rest(nsga_def(0.8), steps, &wh);
        double kept = bar_rest(nsga_def(1), steps, &wh);
        print_message("bar, %3d steps a period: lost moreau_jean 1/2 %.1e, 1 %.3e, nsga 0.8 %.3e, 1.0 %.1e\n", steps,
                      1 - half, 1 - one, 1 - nsga, 1 - kept);
        CHECK_NEAR(half, 1, 1e-9);
        CHECK_NEAR(one, pow(1 + wh * wh, -2 * steps), 1e-8);
        assert_true(1 - nsga > 0 && 1 - nsga < 0.02 * (1 - one));
        slope_add(&euler, wh, -log(one));
        slope_add(&alpha, wh, 1 - nsga);
    }
    CHECK_NEAR(slope_of(&euler), 1, 0.05);
    CHECK_NEAR(slope_of(&alpha), 3, 0.1);
}

// Hinged beam that swings: its energy is that of the start. What schemes of second order change is of order h^2.
static zn_model *soft_pendulum(void)
{
    zn_model   *model = planar_model(-9.81, (zn_log){0});
    zn_beam_def def = zn_beam_def_default();
    def.name = "beam";
    def.to = zn_vec3_make(1, 0, 0);
    def.elements = 4;
    def.young = 1e6;
    def.poisson = 0.3;
    def.density = 1000;
    def.section = zn_beam_section_rectangle(0.1, 0.1, 0);
    def.fix_first = ZN_FIX_X | ZN_FIX_Y;
    CHECK_OK(zn_model_add_beam(model, &def));
    return model;
}

static double pendulum_energy(zn_scheme_def def, double h)
{
    rig    r = rig_open(soft_pendulum(), def);
    double start = energy_of(&r);
    for (int k = 0; k < (int)lround(0.32 / h); k++)
        rig_step(&r, h);
    double change = energy_of(&r) - start;
    rig_close(&r);
    return change;
}

static void test_dissipation_of_the_pendulum(void **state)
{
    (void)state;
    slope_fit euler = {0}, alpha = {0}, middle = {0};
    for (double h = 2e-3; h > 2e-4; h /= 2) {
        double half = pendulum_energy(scheme_named("moreau_jean", 0.5), h);
        double one = pendulum_energy(scheme_named("moreau_jean", 1), h), nsga = pendulum_energy(nsga_def(0.8), h);
        print_message("pendulum, h %.1e: energy moreau_jean 1/2 %.3e J, 1 %.3e J, nsga 0.8 %.3e J\n", h, half, one,
                      nsga);
        assert_true(one < 0 && fabs(nsga) < 0.2 * fabs(one));
        slope_add(&euler, h, -one);
        slope_add(&alpha, h, fabs(nsga));
        slope_add(&middle, h, fabs(half));
    }
    print_message("orders of the change: moreau_jean 1/2 %.2f, 1 %.2f, nsga %.2f\n", slope_of(&middle),
                  slope_of(&euler), slope_of(&alpha));
    CHECK_NEAR(slope_of(&euler), 1, 0.2);
    CHECK_NEAR(slope_of(&alpha), 2, 0.1);
    CHECK_NEAR(slope_of(&middle), 2, 0.1);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        drift_steps = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_drift),
        cmocka_unit_test(test_beams_and_solids_are_of_order_two),
        cmocka_unit_test(test_dissipation_of_the_bar),
        cmocka_unit_test(test_dissipation_of_the_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
