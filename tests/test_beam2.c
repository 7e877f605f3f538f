// Planar geometrically exact beams: derivatives, rigid motions, uniform states, closed forms of statics and of
// vibration, large rotations, and motion with the schemes.
#include "beam_models.h"

static zn_beam_def arc_beam(const char *name, double radius, double angle, int elements)
{
    zn_beam_def def = soft_beam(name, 1, elements);
    def.to = zn_vec3_make(0, 0, 0);
    def.radius = radius;
    def.angle = angle;
    def.tangent = zn_vec3_make(0.6, 0.8, 0);
    return def;
}

static fixture make_beam(const zn_beam_def *def, zn_vec3 gravity)
{
    zn_model *model = make_model(true, gravity, NULL);
    CHECK_OK(zn_model_add_beam(model, def));
    return compile_fixture(model);
}

// --- derivatives and rigid motions -----------------------------------------------------------------

static void test_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int kind = 0; kind < 4; kind++) {
        zn_beam_def def = kind % 2 ? arc_beam("arc", 2, -1.8, 3) : soft_beam("beam", 3, 3);
        def.mass = kind < 2 ? ZN_MASS_CONSISTENT : ZN_MASS_LUMPED;
        fixture f = make_beam(&def, zn_vec3_make(1, -9.81, 0));
        for (int trial = 0; trial < 5; trial++) {
            double q[BEAM_MAX], v[BEAM_MAX];
            random_beam_state(f.sys, &seed, 0.6, q, v);
            zn_at at = {q, v, 0, 0};
            CHECK_BELOW(check_beam_operators(f.sys, at), 1e-10);
            check_beam_energy(f.sys, at, &seed);
            check_beam_mass(f.sys, at);
        }
        destroy_fixture(&f);
    }
}

static void test_objectivity(void **state)
{
    (void)state;
    uint64_t seed = 22;
    for (int kind = 0; kind < 2; kind++) {
        zn_beam_def def = kind ? arc_beam("arc", 2, 1.8, 4) : soft_beam("beam", 4, 4);
        fixture     f = make_beam(&def, zn_vec3_make(0, 0, 0));
        double      q[BEAM_MAX], v[BEAM_MAX], force[BEAM_MAX], zero[BEAM_MAX] = {0};
        for (int trial = 0; trial < 5; trial++) {
            random_beam_state(f.sys, &seed, 0.5, q, v);
            check_objectivity(f.sys, zn_vec3_make(0, 0, 10 * random_unit(&seed)), q);
        }
        // the reference, moved rigidly, stays free of stress
        move_beam(f.sys, zn_vec3_make(0, 0, 2.5), zn_vec3_make(1, 2, 0), f.sys->q0, q);
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, zero, 0, 0}, force));
        CHECK_BELOW(largest_of(f.sys->info.n_all, force), 1e-12);
        destroy_fixture(&f);
    }
}

// --- uniform states --------------------------------------------------------------------------------

// Strains that are the same everywhere, with large rotations: no force inside, resultants at the ends, V = l/2 C e^2.
static void test_patch(void **state)
{
    (void)state;
    const double L = 3, value = 0.4;
    const int    N = 5;
    zn_beam_def  def = soft_beam("beam", L, N);
    const double G = def.young / 2.6, stiffness[3] = {def.young * def.section.area, G * def.section.shear_y,
                                                      def.young * def.section.moment_z};
    for (int kind = 0; kind < 3; kind++) {
        fixture f = make_beam(&def, zn_vec3_make(0, 0, 0));
        double  q[BEAM_MAX], zero[BEAM_MAX] = {0}, force[BEAM_MAX];
        place_uniformly(f.sys, L / N, zn_vec3_make(kind == 0 ? value : 0, kind == 1 ? value : 0, 0),
                        zn_vec3_make(0, 0, kind == 2 ? value : 0), q);
        zn_energy e;
        CHECK_OK(zn_system_energy(f.sys, (zn_at){q, zero, 0, 0}, &e));
        CHECK_NEAR(e.strain, 0.5 * L * stiffness[kind] * value * value, 1e-12);
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, zero, 0, 0}, force));
        for (int i = 0; i <= N; i++) {
            const int   *dof = node_at(f.sys, i)->dof;
            const double end = i == 0 ? 1 : i == N ? -1 : 0, n = stiffness[kind] * value;
            CHECK_NEAR(force[dof[0]], kind == 0 ? end * n : 0, 1e-12);
            CHECK_NEAR(force[dof[1]], kind == 1 ? end * n : 0, 1e-12);
            // uniform shear needs a moment n l/2 at each end of each element
            double moment = kind == 2 ? end * n : kind == 1 ? (i == 0 || i == N ? 1 : 2) * 0.5 * n * L / N : 0;
            CHECK_NEAR(force[dof[5]], moment, 1e-12);
        }
        destroy_fixture(&f);
    }
}

// --- statics ---------------------------------------------------------------------------------------

static fixture make_cantilever(zn_beam_def def, zn_vec3 force, double torque)
{
    char name[32];
    def.name = "beam";
    def.fix_first = CLAMPED;
    zn_model *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    CHECK_OK(zn_model_add_beam(model, &def));
    snprintf(name, sizeof name, "beam[%d]", def.elements);
    zn_force_def load = zn_force_def_default();
    load.name = "load";
    load.point.node = zn_model_find_node(model, name);
    load.force[0] = ramp(force.x);
    load.force[1] = ramp(force.y);
    load.torque = ramp(torque);
    CHECK_OK(zn_model_add_force(model, &load));
    return compile_fixture(model);
}

// Timoshenko's cantilever: P L/(G A_s) + P L^3/(3 E I), the latter times 1 - 1/(4 N^2) with N elements of one point.
static void test_small_deflection(void **state)
{
    (void)state;
    for (int N = 1; N <= 16; N *= 4) {
        zn_beam_def def = soft_beam("beam", 4, N);
        double      G = def.young / 2.6, P = 1e-6, q[BEAM_MAX];
        double      shear = P * 4 / (G * def.section.shear_y);
        double      bending = P * 64 / (3 * def.young * def.section.moment_z);
        fixture     f = make_cantilever(def, zn_vec3_make(0, P, 0), 0);
        memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
        solve_statics(f.sys, 1, 1e-13, q);
        CHECK_NEAR(q[node_at(f.sys, N)->q + 1] / (shear + bending * (1 - 0.25 / (N * N))), 1, 1e-10);
        destroy_fixture(&f);
    }
}

// End moment 2 pi E I/L: rolled to a full circle. The polygon closes exactly; its height errs by O(1/N^2).
static void test_roll_up(void **state)
{
    (void)state;
    double error[3];
    for (int k = 0; k < 3; k++) {
        int          N = 10 << k;
        const double L = 10;
        zn_beam_def  def = soft_beam("beam", L, N);
        def.section = zn_beam_section_rectangle(0.1, 0.1, 0);
        double  q[BEAM_MAX];
        fixture f = make_cantilever(def, zn_vec3_make(0, 0, 0), 2 * TEST_PI * def.young * def.section.moment_z / L);
        memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
        solve_ramp(f.sys, 4, 1e-12, q);
        zn_vec3 tip = position_of(f.sys, q, N), middle = position_of(f.sys, q, N / 2);
        CHECK_NEAR(zn_vec3_norm(tip), 0, 1e-10);
        CHECK_NEAR(q[node_at(f.sys, N)->q + 2], 2 * TEST_PI, 1e-11);
        error[k] = fabs(zn_vec3_norm(middle) - L / TEST_PI) / L;
        destroy_fixture(&f);
    }
    CHECK_BELOW(error[0], 6e-3);
    CHECK_NEAR(error[0] / error[1], 4, 0.1);
    CHECK_NEAR(error[1] / error[2], 4, 0.05);
}

// Elastica under a dead end load P = 10 E I/L^2: K. Mattiasson, Int. J. Numer. Meth. Eng. 17 (1981) 145-153, table:
// (L - x)/L = 0.55500, y/L = 0.81061, angle 1.43029. Neither stretch nor shear.
static void test_elastica(void **state)
{
    (void)state;
    const int    N = 40;
    const double L = 2;
    zn_beam_def  def = soft_beam("beam", L, N);
    def.section = (zn_beam_section){.area = 1e6, .shear_y = 1e6, .moment_z = 0.5};
    double  q[BEAM_MAX];
    fixture f = make_cantilever(def, zn_vec3_make(0, 10 * def.young * 0.5 / (L * L), 0), 0);
    memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
    solve_ramp(f.sys, 4, 1e-9, q);
    zn_vec3 tip = position_of(f.sys, q, N);
    CHECK_NEAR((L - tip.x) / L, 0.55500, 3e-4);
    CHECK_NEAR(tip.y / L, 0.81061, 2e-4);
    CHECK_NEAR(q[node_at(f.sys, N)->q + 2], 1.43029, 2e-4);
    destroy_fixture(&f);
}

// --- vibration -------------------------------------------------------------------------------------

// First frequency of a slender cantilever: 1.8751^2 sqrt(E I/(rho A L^4)); error O(1/N^2), both mass matrices.
static void test_frequency(void **state)
{
    (void)state;
    for (int lumped = 0; lumped < 2; lumped++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            zn_beam_def def = soft_beam("beam", 1, 20 << k);
            def.young = 2.1e11;
            def.density = 7800;
            def.section = zn_beam_section_rectangle(0.01, 0.01, 0);
            def.fix_first = CLAMPED;
            def.mass = lumped ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT;
            double  exact = pow(1.87510406871196, 2) * sqrt(2.1e11 * 1e-4 / 12 / 7800);
            fixture f = make_beam(&def, zn_vec3_make(0, 0, 0));
            error[k] = fabs(first_frequency(f.sys) / exact - 1);
            destroy_fixture(&f);
        }
        print_message("first frequency, %s mass: error %.2e (20 elements), %.2e (40)\n",
                      lumped ? "lumped" : "consistent", error[0], error[1]);
        CHECK_BELOW(error[0], 2e-3);
        CHECK_BELOW(error[1], 5e-4);
    }
}

// --- motion ----------------------------------------------------------------------------------------

static double energy_in(const zn_certificate *c)
{
    return c->ledger[ZN_LEDGER_KINETIC] + c->ledger[ZN_LEDGER_STRAIN] + c->ledger[ZN_LEDGER_GRAVITY];
}

// Tumbling and bending in free flight: linear momentum to rounding, angular momentum and energy as the scheme does.
static void test_free_flight(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        zn_beam_def def = soft_beam("rod", 1, 8);
        def.young = 2.1e11;
        def.density = 7800;
        def.section = zn_beam_section_rectangle(0.01, 0.01, 0);
        fixture f = make_beam(&def, zn_vec3_make(0, 0, 0));
        for (int i = 0; i <= 8; i++) {
            const int *dof = node_at(f.sys, i)->dof;
            double     x = i / 8.0;
            f.sys->v0[dof[0]] = 1;
            f.sys->v0[dof[1]] = 5 * x + sin(TEST_PI * x);
            f.sys->v0[dof[5]] = 5;
        }
        zn_sim *sim = start_sim(f.sys, "moreau_jean", 0.5, 1e-3 / (1 << k), 0.5);
        CHECK_OK(zn_sim_run(sim));
        const zn_certificate *c = zn_sim_certificate(sim);
        double                linear = zn_vec3_norm(zn_vec3_sub(c->momentum, c->momentum_start));
        double                angular = c->angular.z / c->angular_start.z - 1;
        print_message("free flight, step %.0e: linear momentum %.1e, angular %.1e, energy %.1e, closure %.1e\n",
                      1e-3 / (1 << k), linear, angular, energy_in(c) / c->energy_start - 1, c->closure.value);
        CHECK_NEAR(linear, 0, 1e-12);
        CHECK_NEAR(angular, 0, 1e-12); // the midpoint rule keeps it: rotations of the plane are linear in v
        CHECK_NEAR(energy_in(c) / c->energy_start, 1, 1e-3);
        CHECK_BELOW(c->closure.value, 1e-10);
        zn_sim_destroy(sim);
        destroy_fixture(&f);
    }
}

// Pendulum of Cosimo et al., section 4.3, without the obstacle: 8 elements, hinged at the origin, horizontal at first.
static zn_model *pendulum_model(void)
{
    zn_model   *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_beam_def def = zn_beam_def_default();
    def.name = "beam";
    def.to = zn_vec3_make(1, 0, 0);
    def.elements = 8;
    def.young = 2.1e11;
    def.poisson = 0.3;
    def.density = 7800;
    def.section = (zn_beam_section){.area = 1e-4, .moment_z = 8.33e-10};
    def.fix_first = ZN_FIX_X | ZN_FIX_Y;
    CHECK_OK(zn_model_add_beam(model, &def));
    return model;
}

static void test_pendulum(void **state)
{
    (void)state;
    fixture f = compile_fixture(pendulum_model());
    zn_sim *sim = start_sim(f.sys, "moreau_jean", 0.5, 1e-4, 0.35);
    CHECK_OK(zn_sim_run(sim));
    const zn_certificate *c = zn_sim_certificate(sim);
    zn_vec3               tip = position_of(f.sys, zn_sim_state(sim)->q, 8);
    print_message("pendulum at 0.35 s: tip (%.6f, %.6f), energy %.1e J of kinetic %.2f J, closure %.1e, "
                  "%d iterations in %d steps\n",
                  tip.x, tip.y, energy_in(c), c->ledger[ZN_LEDGER_KINETIC], c->closure.value,
                  (int)c->newton_iterations.total, (int)c->steps);
    CHECK_NEAR(energy_in(c), c->energy_start, 1e-3 * c->ledger[ZN_LEDGER_KINETIC]);
    assert_int_equal(c->retries, 0); // Newton's method knows what rounding of positions does to rotations
    assert_true(c->newton_iterations.max <= 5);
    CHECK_BELOW(c->closure.value, 1e-10);
    zn_sim_destroy(sim);
    destroy_fixture(&f);
}

// The same falling on the wall x >= sqrt(2)/2 with its tip, with every scheme.
static void test_pendulum_impact(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "direct_projection", "combined_projection", "schatzman_paoli",
                                          "trapezoidal"};
    for (int k = 0; k < 5; k++) {
        zn_model      *model = pendulum_model();
        zn_contact_def wall = zn_contact_def_default();
        wall.name = "wall";
        wall.point.node = zn_model_find_node(model, "beam[8]");
        wall.normal = zn_vec3_make(1, 0, 0);
        wall.through = zn_vec3_make(sqrt(0.5), 0, 0);
        CHECK_OK(zn_model_add_contact(model, &wall));
        fixture f = compile_fixture(model);
        zn_sim *sim = start_sim(f.sys, schemes[k], 0.6, 1e-4, 0.45);
        CHECK_OK(zn_sim_run(sim));
        const zn_certificate *c = zn_sim_certificate(sim);
        print_message("pendulum on a wall, %s: penetration %.1e m, %d impacts, %d lasting, energy %.3f J, "
                      "closure %.1e, Newton %d\n",
                      schemes[k], c->penetration.value, (int)c->impacts, (int)c->lasting_contacts, energy_in(c),
                      c->closure.value, c->newton_iterations.max);
        assert_true(c->impacts + c->lasting_contacts > 0);
        CHECK_BELOW(c->penetration.value, k == 2 ? 1e-10 : 1e-3);
        CHECK_BELOW(c->closure.value, 1e-9);
        CHECK_BELOW(energy_in(c), c->energy_start);
        zn_sim_destroy(sim);
        destroy_fixture(&f);
    }
}

// --- spin-up ---------------------------------------------------------------------------------------

static double turn_at(void *user, double t)
{
    (void)user;
    double w = 2 * TEST_PI / 15;
    return t < 15 ? 0.4 * (0.5 * t * t + (cos(w * t) - 1) / (w * w)) : 6 * t - 45;
}

// Spin-up of a beam about its end, J. C. Simo, L. Vu-Quoc, J. Appl. Mech. 53 (1986) 855-863, section 4.1: turned to
// 6 rad/s in 15 s, it ends stretched by 5.14e-4 (tan(k L)/k - L with k^2 = rho A w^2/EA). Before that the tip lags
// behind by 0.574 (40 elements, step 1e-3, where the stretch is 5.142e-4).
static void test_spin_up(void **state)
{
    (void)state;
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_beam_def def = zn_beam_def_default();
    def.name = "beam";
    def.to = zn_vec3_make(10, 0, 0);
    def.elements = 10;
    def.young = 2.8e7;
    def.shear_modulus = 1e7;
    def.density = 1.2;
    def.section = (zn_beam_section){.area = 1, .shear_y = 1, .moment_z = 5e-4, .rotary_z = 5e-4};
    def.fix_first = ZN_FIX_X | ZN_FIX_Y;
    CHECK_OK(zn_model_add_beam(model, &def));
    zn_joint_def motor = zn_joint_def_default();
    motor.name = "motor";
    motor.kind = ZN_JOINT_MOTION;
    motor.dof[0] = (zn_joint_dof){zn_model_find_node(model, "beam[0]"), ZN_COORDINATE_ANGLE, 1};
    CHECK_OK(zn_signal_callback(turn_at, NULL, NULL, &motor.motion));
    CHECK_OK(zn_model_add_joint(model, &motor));
    fixture      f = compile_fixture(model);
    const double theta = 0.55;
    zn_sim      *sim = start_sim(f.sys, "moreau_jean", theta, 0.005, 18);
    double       lag = 0, stretch = 0;
    zn_vec3      last = zn_vec3_make(10, 0, 0);
    int          samples = 0;
    for (int k = 0; k < 3600; k++) {
        CHECK_OK(zn_sim_step(sim));
        const zn_state *s = zn_sim_state(sim);
        double          turn = turn_at(NULL, s->t);
        zn_vec3         tip = position_of(f.sys, s->q, 10);
        lag = fmin(lag, -sin(turn) * tip.x + cos(turn) * tip.y);
        if (s->t > 16) { // the scheme strains the beam at the theta point: on the chord, not on the circle
            stretch += zn_vec3_norm(zn_vec3_add(last, zn_vec3_scale(theta, zn_vec3_sub(tip, last)))) - 10;
            samples++;
        }
        last = tip;
    }
    stretch /= samples;
    print_message("spin-up: lag %.4f, steady stretch %.3e\n", lag, stretch);
    CHECK_NEAR(lag, -0.574, 0.004);
    CHECK_NEAR(stretch, 5.14e-4, 0.2e-4);
    CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-9);
    zn_sim_destroy(sim);
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),      cmocka_unit_test(test_objectivity), cmocka_unit_test(test_patch),
        cmocka_unit_test(test_small_deflection), cmocka_unit_test(test_roll_up),     cmocka_unit_test(test_elastica),
        cmocka_unit_test(test_frequency),        cmocka_unit_test(test_free_flight), cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_pendulum_impact),  cmocka_unit_test(test_spin_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
