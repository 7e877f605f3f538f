// Spatial geometrically exact beams: derivatives, rigid motions, uniform states, agreement with the planar beam, closed
// forms and published values of statics, vibration, and motion with the schemes.
#include "beam_models.h"

static zn_beam_def skew_arc(const char *name, int elements)
{
    zn_beam_def def = soft_beam(name, 1, elements);
    def.radius = 2;
    def.angle = -1.8;
    def.tangent = zn_vec3_make(0.6, 0.8, 1);
    def.arc_axis = zn_vec3_make(0.3, -1, 0.5);
    def.y_axis = zn_vec3_make(1, 0, 0.2);
    return def;
}

static fixture make_beam(const zn_beam_def *def, zn_vec3 gravity)
{
    zn_model *model = make_model(false, gravity, NULL);
    CHECK_OK(zn_model_add_beam(model, def));
    return compile_fixture(model);
}

static void add_moment(zn_model *model, const char *name, const char *node, zn_vec3 value, bool follower)
{
    zn_moment_def def = zn_moment_def_default();
    def.name = name;
    def.node = zn_model_find_node(model, node);
    def.moment[0] = ramp(value.x);
    def.moment[1] = ramp(value.y);
    def.moment[2] = ramp(value.z);
    def.follower = follower;
    CHECK_OK(zn_model_add_moment(model, &def));
}

static void add_force(zn_model *model, const char *node, zn_vec3 value)
{
    zn_force_def def = zn_force_def_default();
    def.name = "force";
    def.point.node = zn_model_find_node(model, node);
    def.force[0] = ramp(value.x);
    def.force[1] = ramp(value.y);
    def.force[2] = ramp(value.z);
    CHECK_OK(zn_model_add_force(model, &def));
}

// --- sections --------------------------------------------------------------------------------------

static void test_sections(void **state)
{
    (void)state;
    zn_beam_section s = zn_beam_section_rectangle(1, 1, 0); // torsion of a square: Timoshenko and Goodier, 0.1406 a^4
    CHECK_NEAR(s.area, 1, 0);
    CHECK_NEAR(s.torsion, 0.140577, 1e-6);
    CHECK_NEAR(s.moment_y, 1.0 / 12, 1e-16);
    s = zn_beam_section_rectangle(10, 1, 0); // 0.312 a b^3; height is along y
    CHECK_NEAR(s.torsion, 3.12, 0.01);
    CHECK_NEAR(s.moment_z, 10.0 / 12, 1e-15);
    CHECK_NEAR(s.moment_y, 1000.0 / 12, 1e-13);
    s = zn_beam_section_rectangle(0.5, 1.5, 0.008); // girder of a bridge crane
    CHECK_NEAR(s.area, 0.031744, 1e-15);
    CHECK_NEAR(s.moment_z, 8.80970e-3, 1e-8);
    CHECK_NEAR(s.moment_y + s.moment_z, 1.04134e-2, 1e-7);
    CHECK_NEAR(s.torsion, 4.34556e-3, 1e-8);
    s = zn_beam_section_circle(2, 0);
    CHECK_NEAR(s.moment_y, 4 * TEST_PI, 1e-14);
    CHECK_NEAR(s.torsion, 8 * TEST_PI, 1e-13);
    CHECK_NEAR(s.shear_y / s.area, 6.0 / 7, 1e-15);
    s = zn_beam_section_circle(1, 1e-6); // thin tube: half of the area carries shear
    CHECK_NEAR(s.shear_z / s.area, 0.5, 1e-6);
    CHECK_NEAR(s.moment_z, TEST_PI * 1e-6, 1e-11);
}

// --- derivatives and rigid motions -----------------------------------------------------------------

static void test_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 31;
    double   worst = 0;
    for (int kind = 0; kind < 4; kind++) {
        zn_beam_def def = kind % 2 ? skew_arc("beam", 3) : soft_beam("beam", 3, 3);
        def.mass = kind < 2 ? ZN_MASS_CONSISTENT : ZN_MASS_LUMPED;
        zn_model *model = make_model(false, zn_vec3_make(1, -9.81, 2), NULL);
        CHECK_OK(zn_model_add_beam(model, &def));
        fixture f = compile_fixture(model);
        for (int trial = 0; trial < 6; trial++) {
            double q[BEAM_MAX], v[BEAM_MAX]; // relative rotations from 1e-5 to beyond 1 rad: both sides of the series
            random_beam_state(f.sys, &seed, trial == 0 ? 1e-5 : 0.15 * trial, q, v);
            zn_at at = {q, v, 0, 0};
            worst = fmax(worst, check_beam_operators(f.sys, at));
            check_beam_energy(f.sys, at, &seed);
            check_beam_mass(f.sys, at);
        }
        destroy_fixture(&f);
    }
    print_message("stiffness against finite differences: %.1e of the largest entry\n", worst);
    CHECK_BELOW(worst, 1e-9);
}

// A beam between two bodies whose axes are not those of its sections: force, stiffness and mass by finite differences,
// objectivity; and energy, forces and moments are those of bodies with the axes of the sections.
static fixture between_bodies(zn_mass_kind mass, bool turned)
{
    const zn_quat axes[2] = {zn_so3_exp(zn_vec3_make(1, -2, 0.5)), zn_so3_exp(zn_vec3_make(-0.3, 0.8, 2))};
    zn_model     *model = make_model(false, zn_vec3_make(1, -9.81, 2), NULL);
    zn_beam_def   def = soft_beam("beam", 3, 2);
    zn_node_id   *end[2] = {&def.first_node, &def.last_node};
    for (int i = 0; i < 2; i++) {
        zn_body_def body = zn_body_def_default();
        body.name = i ? "right" : "left";
        body.mass = 2;
        body.inertia3 = zn_mat3_identity(); // the same in all axes
        body.position = zn_vec3_make(3 * i, 0, 0);
        if (turned)
            body.rotation = axes[i];
        CHECK_OK(zn_model_add_body(model, &body, end[i]));
    }
    def.mass = mass;
    CHECK_OK(zn_model_add_beam(model, &def));
    return compile_fixture(model);
}

static void check_same(const fixture *a, const fixture *b, uint64_t *seed)
{
    double    q[BEAM_MAX], v[BEAM_MAX], other_q[BEAM_MAX], other_v[BEAM_MAX], f[BEAM_MAX], g[BEAM_MAX];
    zn_energy e[2];
    random_beam_state(a->sys, seed, 0.4, q, v);
    memcpy(other_v, v, sizeof v);
    for (int i = 0; i < a->sys->layout.nodes; i++) { // R_b = R_a A with the axes of b in those of a
        zn_quat A =
            zn_quat_product(zn_quat_conjugate(rotation_of(a->sys, a->sys->q0, i)), rotation_of(b->sys, b->sys->q0, i));
        const int *dof = node_at(a->sys, i)->dof + 3;
        zn_vec3    spin = zn_quat_rotate(zn_quat_conjugate(A), zn_vec3_make(v[dof[0]], v[dof[1]], v[dof[2]]));
        place_node(b->sys, i, position_of(a->sys, q, i), zn_quat_product(rotation_of(a->sys, q, i), A), 0, other_q);
        other_v[dof[0]] = spin.x, other_v[dof[1]] = spin.y, other_v[dof[2]] = spin.z;
    }
    CHECK_OK(zn_system_energy(a->sys, (zn_at){q, v, 0, 0}, &e[0]));
    CHECK_OK(zn_system_energy(b->sys, (zn_at){other_q, other_v, 0, 0}, &e[1]));
    CHECK_NEAR(e[0].strain, e[1].strain, 1e-12 * e[0].strain);
    CHECK_NEAR(e[0].kinetic, e[1].kinetic, 1e-12 * e[0].kinetic);
    CHECK_OK(zn_system_force(a->sys, (zn_at){q, v, 0, 0}, f));
    CHECK_OK(zn_system_force(b->sys, (zn_at){other_q, other_v, 0, 0}, g));
    for (int i = 0; i < a->sys->layout.nodes; i++) {
        const int *dof = node_at(a->sys, i)->dof;
        zn_vec3    m = zn_quat_rotate(rotation_of(a->sys, q, i), zn_vec3_make(f[dof[3]], f[dof[4]], f[dof[5]]));
        zn_vec3    n = zn_quat_rotate(rotation_of(b->sys, other_q, i), zn_vec3_make(g[dof[3]], g[dof[4]], g[dof[5]]));
        CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(m, n)), 0, 1e-11);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(f[dof[k]], g[dof[k]], 1e-11);
    }
}

static void test_other_axes(void **state)
{
    (void)state;
    uint64_t seed = 77;
    double   worst = 0;
    for (int kind = 0; kind < 2; kind++) {
        fixture f = between_bodies(kind ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT, true),
                g = between_bodies(kind ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT, false);
        double q[BEAM_MAX], v[BEAM_MAX], zero[BEAM_MAX] = {0}, force[BEAM_MAX];
        for (int trial = 0; trial < 4; trial++) {
            random_beam_state(f.sys, &seed, 0.2 * (trial + 1), q, v);
            zn_at at = {q, v, 0, 0};
            worst = fmax(worst, check_beam_operators(f.sys, at));
            check_beam_energy(f.sys, at, &seed);
            check_beam_mass(f.sys, at);
            check_same(&f, &g, &seed);
        }
        CHECK_OK(zn_system_force(f.sys, (zn_at){f.sys->q0, zero, 0, 0}, force));
        for (int i = 0; i < f.sys->layout.nodes; i++) // it is not strained at the start
            for (int k = 3; k < 6; k++)
                CHECK_NEAR(force[node_at(f.sys, i)->dof[k]], 0, 1e-12);
        destroy_fixture(&f);
        destroy_fixture(&g);
    }
    print_message("stiffness against finite differences: %.1e of the largest entry\n", worst);
    CHECK_BELOW(worst, 1e-9);
}

static void test_moment_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 32;
    for (int follower = 0; follower < 2; follower++) {
        zn_beam_def def = soft_beam("beam", 2, 2);
        zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
        CHECK_OK(zn_model_add_beam(model, &def));
        add_moment(model, "m", "beam[1]", zn_vec3_make(3, -5, 8), follower);
        fixture  f = compile_fixture(model);
        double   q[BEAM_MAX], v[BEAM_MAX], zero[BEAM_MAX] = {0}, loaded[BEAM_MAX], free_of[BEAM_MAX], work = 0;
        zn_power power;
        random_beam_state(f.sys, &seed, 0.5, q, v);
        CHECK_BELOW(check_beam_operators(f.sys, (zn_at){q, v, 1, 0}), 1e-10);
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, zero, 1, 0}, loaded));
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, zero, 0, 0}, free_of));
        const int *dof = node_at(f.sys, 1)->dof + 3;
        zn_vec3    m = {loaded[dof[0]] - free_of[dof[0]], loaded[dof[1]] - free_of[dof[1]],
                        loaded[dof[2]] - free_of[dof[2]]};
        m = follower ? m : zn_quat_rotate(rotation_of(f.sys, q, 1), m);
        CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(m, zn_vec3_make(3, -5, 8))), 0, 1e-12);
        for (int i = 0; i < f.sys->info.n; i++)
            work += (loaded[i] - free_of[i]) * v[i];
        CHECK_OK(zn_system_power(f.sys, (zn_at){q, v, 1, 0}, v, &power));
        CHECK_NEAR(power.load, work, 1e-12);
        destroy_fixture(&f);
    }
}

static void test_objectivity(void **state)
{
    (void)state;
    uint64_t seed = 33;
    for (int kind = 0; kind < 2; kind++) {
        zn_beam_def def = kind ? skew_arc("arc", 4) : soft_beam("beam", 4, 4);
        fixture     f = make_beam(&def, zn_vec3_make(0, 0, 0));
        double      q[BEAM_MAX], v[BEAM_MAX], force[BEAM_MAX], zero[BEAM_MAX] = {0};
        for (int trial = 0; trial < 5; trial++) {
            zn_vec3 psi = {3 * random_unit(&seed), 3 * random_unit(&seed), 3 * random_unit(&seed)};
            random_beam_state(f.sys, &seed, 0.5, q, v);
            check_objectivity(f.sys, psi, q);
        }
        move_beam(f.sys, zn_vec3_make(1, -2, 0.5), zn_vec3_make(1, 2, 3), f.sys->q0, q);
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, zero, 0, 0}, force));
        CHECK_BELOW(largest_of(f.sys->info.n_all, force), 1e-12);
        destroy_fixture(&f);
    }
}

// In any plane of space the spatial beam is the planar one: energy, forces, moments.
static void test_planar_agreement(void **state)
{
    (void)state;
    uint64_t seed = 34;
    for (int arc = 0; arc < 2; arc++) {
        zn_beam_def def = soft_beam("beam", 3, 4);
        def.radius = arc ? 2 : 0;
        def.angle = arc ? 1.5 : 0;
        zn_model *planar = make_model(true, zn_vec3_make(0, 0, 0), NULL);
        CHECK_OK(zn_model_add_beam(planar, &def));
        fixture f2 = compile_fixture(planar), f3 = make_beam(&def, zn_vec3_make(0, 0, 0));
        double  q2[BEAM_MAX], q3[BEAM_MAX], v[BEAM_MAX], moved[BEAM_MAX], zero[BEAM_MAX] = {0};
        double  a[BEAM_MAX], b[BEAM_MAX];
        zn_vec3 psi = {0.7, -1.1, 0.4};
        random_beam_state(f2.sys, &seed, 0.4, q2, v);
        for (int i = 0; i < f2.sys->layout.nodes; i++)
            place_node(f3.sys, i, position_of(f2.sys, q2, i), rotation_of(f2.sys, q2, i), 0, q3);
        move_beam(f3.sys, psi, zn_vec3_make(1, 1, 1), q3, moved);
        zn_energy e2, e3;
        CHECK_OK(zn_system_energy(f2.sys, (zn_at){q2, zero, 0, 0}, &e2));
        CHECK_OK(zn_system_energy(f3.sys, (zn_at){moved, zero, 0, 0}, &e3));
        CHECK_NEAR(e3.strain, e2.strain, 1e-12 * e2.strain);
        CHECK_OK(zn_system_force(f2.sys, (zn_at){q2, zero, 0, 0}, a));
        CHECK_OK(zn_system_force(f3.sys, (zn_at){moved, zero, 0, 0}, b));
        for (int i = 0; i < f2.sys->layout.nodes; i++) {
            const int *d2 = node_at(f2.sys, i)->dof, *d3 = node_at(f3.sys, i)->dof;
            zn_vec3    f = zn_quat_rotate(zn_so3_exp(psi), zn_vec3_make(a[d2[0]], a[d2[1]], 0));
            zn_vec3    push = {b[d3[0]], b[d3[1]], b[d3[2]]}, moment = {b[d3[3]], b[d3[4]], b[d3[5]]};
            CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(f, push)), 0, 1e-11);
            CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(zn_vec3_make(0, 0, a[d2[5]]), moment)), 0, 1e-11);
        }
        destroy_fixture(&f2);
        destroy_fixture(&f3);
    }
}

// --- uniform states --------------------------------------------------------------------------------

static zn_vec3 unit_vector(int k) { return zn_vec3_make(k == 0, k == 1, k == 2); }

// One strain at a time, the same everywhere: V = l/2 C e^2, no force inside (uniform shear needs moments).
static void test_patch(void **state)
{
    (void)state;
    const double L = 3, value = 0.4;
    const int    N = 5;
    zn_beam_def  def = soft_beam("beam", L, N);
    const double E = def.young, G = E / 2.6;
    const double stiffness[6] = {E * def.section.area,    G * def.section.shear_y,  G * def.section.shear_z,
                                 G * def.section.torsion, E * def.section.moment_y, E * def.section.moment_z};
    for (int kind = 0; kind < 6; kind++) {
        fixture f = make_beam(&def, zn_vec3_make(0, 0, 0));
        double  q[BEAM_MAX], zero[BEAM_MAX] = {0}, force[BEAM_MAX];
        zn_vec3 none = {0, 0, 0}, strain = zn_vec3_scale(value, unit_vector(kind % 3));
        place_uniformly(f.sys, L / N, kind < 3 ? strain : none, kind < 3 ? none : strain, q);
        zn_energy e;
        CHECK_OK(zn_system_energy(f.sys, (zn_at){q, zero, 0, 0}, &e));
        CHECK_NEAR(e.strain, 0.5 * L * stiffness[kind] * value * value, 1e-12);
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, zero, 0, 0}, force));
        for (int i = 0; i <= N; i++) {
            const int   *dof = node_at(f.sys, i)->dof;
            const double end = i == 0 ? 1 : i == N ? -1 : 0, n = stiffness[kind] * value;
            for (int k = 0; k < 6; k++) {
                double expected = k == kind ? end * n : 0; // moments about the axis of bending are the same in all axes
                double lever = (i == 0 || i == N ? 0.5 : 1) * n * L / N;
                if (kind == 1 && k == 5)
                    expected = lever;
                if (kind == 2 && k == 4)
                    expected = -lever;
                CHECK_NEAR(force[dof[k]], expected, 1e-12);
            }
        }
        destroy_fixture(&f);
    }
}

// --- statics ---------------------------------------------------------------------------------------

static zn_model *cantilever_model(zn_beam_def def)
{
    zn_model *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    def.name = "beam";
    def.fix_first = CLAMPED;
    CHECK_OK(zn_model_add_beam(model, &def));
    return model;
}

// Timoshenko's cantilever across y and z, stretched, twisted; bending converges as 1 - 1/(4 N^2).
static void test_small_deflection(void **state)
{
    (void)state;
    const int    N = 4;
    const double L = 4, P = 1e-6, factor = 1 - 0.25 / (N * N);
    zn_beam_def  def = soft_beam("beam", L, N);
    const double E = def.young, G = E / 2.6;
    zn_model    *model = cantilever_model(def);
    add_force(model, "beam[4]", zn_vec3_make(P, P, P));
    add_moment(model, "twist", "beam[4]", zn_vec3_make(P, 0, 0), false);
    fixture f = compile_fixture(model);
    double  q[BEAM_MAX];
    memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
    solve_statics(f.sys, 1, 1e-13, q);
    const double *u = q + node_at(f.sys, N)->q;
    CHECK_NEAR(u[0] / (P * L / (E * def.section.area)), 1, 1e-4); // second order: bending shortens
    CHECK_NEAR(u[1] / (P * L / (G * def.section.shear_y) + factor * P * pow(L, 3) / (3 * E * def.section.moment_z)), 1,
               1e-5);
    CHECK_NEAR(u[2] / (P * L / (G * def.section.shear_z) + factor * P * pow(L, 3) / (3 * E * def.section.moment_y)), 1,
               1e-5);
    CHECK_NEAR(zn_so3_log((zn_quat){u[3], u[4], u[5], u[6]}).x / (P * L / (G * def.section.torsion)), 1, 1e-4);
    destroy_fixture(&f);
}

// Rolled to a circle by a moment in the axes of its end, and by one in world axes.
static void test_roll_up(void **state)
{
    (void)state;
    const int    N = 10;
    const double L = 10;
    for (int kind = 0; kind < 3; kind++) {
        zn_beam_def def = soft_beam("beam", L, N);
        zn_vec3     axis = unit_vector(kind == 2 ? 1 : 2);
        def.section = zn_beam_section_rectangle(0.1, 0.1, 0);
        zn_model *model = cantilever_model(def);
        add_moment(model, "roll", "beam[10]", zn_vec3_scale(2 * TEST_PI * def.young * def.section.moment_z / L, axis),
                   kind == 0);
        fixture f = compile_fixture(model);
        double  q[BEAM_MAX];
        memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
        solve_ramp(f.sys, 8, 1e-11, q);
        zn_vec3 middle = position_of(f.sys, q, N / 2);
        CHECK_NEAR(zn_vec3_norm(position_of(f.sys, q, N)), 0, 1e-9);
        CHECK_NEAR(zn_vec3_norm(zn_so3_log(rotation_of(f.sys, q, N))), 0, 1e-9);
        CHECK_NEAR(zn_vec3_norm(middle), L / TEST_PI, 6e-3 * L);
        destroy_fixture(&f);
    }
}

// 45 degree bend of K.-J. Bathe, S. Bolourchi (1979): radius 100, unit square section, E = 1e7, out-of-plane end load.
// J. C. Simo, L. Vu-Quoc, CMAME 58 (1986), 8 elements: tip (22.33, 58.84, 40.08) at 300, (15.79, 47.23, 53.37) at 600,
// in axes with the clamped end at the origin, the tangent along the second axis and the arc bent towards the first.
static void test_bend45(void **state)
{
    (void)state;
    const int elements[] = {8, 32};
    for (int k = 0; k < 2; k++) {
        int         N = elements[k];
        zn_beam_def def = zn_beam_def_default();
        char        name[32];
        def.elements = N;
        def.radius = 100;
        def.angle = -TEST_PI / 4;
        def.tangent = zn_vec3_make(0, 1, 0);
        def.young = 1e7;
        def.density = 1;
        def.section = zn_beam_section_rectangle(1, 1, 0);
        def.section.torsion = 1.0 / 6; // the polar moment; with the 0.141 of a square z is 0.3 off at 300
        zn_model *model = cantilever_model(def);
        snprintf(name, sizeof name, "beam[%d]", N);
        add_force(model, name, zn_vec3_make(0, 0, 600));
        fixture f = compile_fixture(model);
        double  q[BEAM_MAX];
        memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
        int     iterations = solve_statics(f.sys, 0.5, 1e-9, q);
        zn_vec3 half = position_of(f.sys, q, N);
        iterations += solve_statics(f.sys, 1, 1e-9, q);
        zn_vec3 tip = position_of(f.sys, q, N);
        print_message("45 degree bend, %d elements, %d iterations: 300 (%.3f %.3f %.3f), 600 (%.3f %.3f %.3f)\n", N,
                      iterations, half.x, half.y, half.z, tip.x, tip.y, tip.z);
        CHECK_NEAR(half.x, 22.33, k == 0 ? 0.05 : 0.12);
        CHECK_NEAR(half.y, 58.84, k == 0 ? 0.05 : 0.12);
        CHECK_NEAR(half.z, 40.08, k == 0 ? 0.05 : 0.12);
        CHECK_NEAR(tip.x, 15.79, k == 0 ? 0.06 : 0.12);
        CHECK_NEAR(tip.y, 47.23, k == 0 ? 0.06 : 0.12);
        CHECK_NEAR(tip.z, 53.37, k == 0 ? 0.06 : 0.12);
        destroy_fixture(&f);
    }
}

// --- vibration -------------------------------------------------------------------------------------

static void test_frequency(void **state)
{
    (void)state;
    zn_beam_def def = soft_beam("beam", 1, 20);
    def.young = 2.1e11;
    def.density = 7800;
    def.section = zn_beam_section_rectangle(0.008, 0.01, 0); // softest across its width
    def.fix_first = CLAMPED;
    double  exact = pow(1.87510406871196, 2) * sqrt(2.1e11 * 0.008 * 0.008 / 12 / 7800);
    fixture f = make_beam(&def, zn_vec3_make(0, 0, 0));
    double  error = fabs(first_frequency(f.sys) / exact - 1);
    print_message("first frequency, 20 elements: error %.2e\n", error);
    CHECK_BELOW(error, 2e-3);
    destroy_fixture(&f);
}

// --- motion ----------------------------------------------------------------------------------------

static zn_beam_def steel_rod(int elements)
{
    zn_beam_def def = soft_beam("rod", 1, elements);
    def.young = 2.1e11;
    def.density = 7800;
    def.section = zn_beam_section_rectangle(0.012, 0.01, 0);
    return def;
}

// Turned and bent at the start, tumbling in free flight without gravity; returns the certificate.
static zn_certificate fly(const char *scheme, double h)
{
    zn_beam_def def = steel_rod(6);
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    CHECK_OK(zn_model_add_beam(model, &def));
    fixture f = compile_fixture(model);
    for (int i = 0; i < f.sys->layout.nodes; i++) { // rigid spin (2, 1, -3) and some bending
        const int *dof = node_at(f.sys, i)->dof;
        zn_vec3    x = position_of(f.sys, f.sys->q0, i), spin = {2, 1, -3}, v = zn_vec3_cross(spin, x);
        double     values[6] = {v.x, v.y + 0.5 * sin(TEST_PI * x.x), v.z, spin.x, spin.y, spin.z};
        for (int k = 0; k < 6; k++)
            f.sys->v0[dof[k]] = values[k];
    }
    zn_sim *sim = start_sim(f.sys, scheme, 0.5, h, 0.5);
    CHECK_OK(zn_sim_run(sim));
    zn_certificate c = *zn_sim_certificate(sim);
    zn_sim_destroy(sim);
    destroy_fixture(&f);
    return c;
}

static double energy_in(const zn_certificate *c)
{
    return c->ledger[ZN_LEDGER_KINETIC] + c->ledger[ZN_LEDGER_STRAIN] + c->ledger[ZN_LEDGER_GRAVITY];
}

// Linear momentum to rounding; angular momentum and energy to second order of the midpoint rule.
static void test_free_flight(void **state)
{
    (void)state;
    double drift[2], loss[2];
    for (int k = 0; k < 2; k++) {
        zn_certificate c = fly("moreau_jean", 1e-3 / (1 << k));
        drift[k] = zn_vec3_norm(zn_vec3_sub(c.angular, c.angular_start)) / zn_vec3_norm(c.angular_start);
        loss[k] = fabs(energy_in(&c) - c.energy_start) / c.energy_start;
        print_message("free flight, step %.0e: linear momentum %.1e, angular %.1e, energy %.1e, closure %.1e\n",
                      1e-3 / (1 << k), zn_vec3_norm(zn_vec3_sub(c.momentum, c.momentum_start)), drift[k], loss[k],
                      c.closure.value);
        CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(c.momentum, c.momentum_start)), 0, 1e-12);
        CHECK_BELOW(c.closure.value, 1e-10);
    }
    CHECK_BELOW(drift[0], 1e-9);
    CHECK_NEAR(drift[0] / drift[1], 4, 0.5);
    CHECK_BELOW(loss[0], 1e-3);
}

// Falling askew on the plane z = 0 with all nodes.
static void test_fall(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "direct_projection", "combined_projection"};
    for (int k = 0; k < 3; k++) {
        zn_beam_def def = steel_rod(6);
        def.from = zn_vec3_make(0, 0, 0.05);
        def.to = zn_vec3_make(0.8, 0.5, 0.15);
        zn_model *model = make_model(false, zn_vec3_make(0, 0, -9.81), NULL);
        CHECK_OK(zn_model_add_beam(model, &def));
        for (int i = 0; i <= 6; i++) {
            char node[32], name[32];
            snprintf(node, sizeof node, "rod[%d]", i);
            snprintf(name, sizeof name, "floor_%d", i);
            add_plane(model, name, zn_model_find_node(model, node), zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0, 1), 0);
        }
        fixture f = compile_fixture(model);
        zn_sim *sim = start_sim(f.sys, schemes[k], 0.6, 2e-4, 0.3);
        CHECK_OK(zn_sim_run(sim));
        zn_certificate c = *zn_sim_certificate(sim);
        print_message("fall, %s: %d impacts, penetration %.1e m, energy %.3f -> %.3f J, closure %.1e, Newton %d, "
                      "retries %d\n",
                      schemes[k], (int)c.impacts, c.penetration.value, c.energy_start, energy_in(&c), c.closure.value,
                      c.newton_iterations.max, (int)c.retries);
        assert_true(c.impacts + c.lasting_contacts > 0);
        CHECK_BELOW(c.penetration.value, k == 2 ? 1e-10 : 1e-3);
        CHECK_BELOW(c.closure.value, 1e-9);
        CHECK_BELOW(energy_in(&c), c.energy_start);
        zn_sim_destroy(sim);
        destroy_fixture(&f);
    }
}

// --- what cannot be evaluated, what is refused -----------------------------------------------------

static void test_too_much_turn(void **state)
{
    (void)state;
    log_capture log = {0};
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), &log);
    zn_beam_def def = soft_beam("wire", 2, 2);
    CHECK_OK(zn_model_add_beam(model, &def));
    fixture   f = compile_fixture(model);
    double    q[BEAM_MAX], v[BEAM_MAX] = {0}, force[BEAM_MAX];
    zn_energy e;
    memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
    place_node(f.sys, 1, zn_vec3_make(1, 0, 0), zn_so3_exp(zn_vec3_make(0, 0, 3.1)), 0, q);
    CHECK_STATUS(zn_system_force(f.sys, (zn_at){q, v, 0, 0}, force), ZN_INVALID_STATE);
    CHECK_STATUS(zn_system_energy(f.sys, (zn_at){q, v, 0, 0}, &e), ZN_INVALID_STATE);
    CHECK_LOGGED(&log, "beam 'wire': the ends of an element are turned by 3.1 rad against each other");
    destroy_fixture(&f);
}

static void refuse(zn_beam_def def, bool planar, const char *message)
{
    log_capture log = {0};
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), &log);
    assert_true(zn_model_add_beam(model, &def) != ZN_OK);
    CHECK_LOGGED(&log, message);
    zn_model_destroy(model);
}

static void test_refused(void **state)
{
    (void)state;
    zn_beam_def good = soft_beam("beam", 1, 2), def = good;
    def.size = 0;
    refuse(def, false, "_def: not made by its default function");
    def = good, def.young = 0;
    refuse(def, true, "beam 'beam': Young's modulus 0 is not positive and finite");
    def = good, def.poisson = -1;
    refuse(def, true, "beam 'beam': shear modulus inf is not positive and finite");
    def = good, def.section.torsion = 0;
    refuse(def, false, "beam 'beam': torsion constant 0 is not positive and finite");
    def = good, def.section.moment_z = NAN;
    refuse(def, true, "beam 'beam': second moment moment_z nan");
    def = good, def.to = def.from;
    refuse(def, true, "beam 'beam': its length is not positive and finite");
    def = good, def.elements = 0;
    refuse(def, true, "beam 'beam': 0 elements");
    def = good, def.from.z = 1;
    refuse(def, true, "beam 'beam': a z component in a planar model");
    def = good, def.radius = 1;
    refuse(def, true, "beam 'beam': an arc needs a radius > 0 and an angle other than 0");
    def = good, def.radius = 1, def.angle = 3;
    refuse(def, true, "beam 'beam': one element turns by more than 1 rad");
    def = good, def.radius = 1, def.angle = 1, def.arc_axis = zn_vec3_make(2, 0, 0);
    refuse(def, false, "beam 'beam': the axis of its arc is along the beam");
    def = good, def.y_axis = zn_vec3_make(-2, 0, 0);
    refuse(def, false, "beam 'beam': the y axis of its section is along the beam");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections),    cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_other_axes),  cmocka_unit_test(test_moment_derivatives),
        cmocka_unit_test(test_objectivity), cmocka_unit_test(test_planar_agreement),
        cmocka_unit_test(test_patch),       cmocka_unit_test(test_small_deflection),
        cmocka_unit_test(test_roll_up),     cmocka_unit_test(test_bend45),
        cmocka_unit_test(test_frequency),   cmocka_unit_test(test_free_flight),
        cmocka_unit_test(test_fall),        cmocka_unit_test(test_too_much_turn),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
