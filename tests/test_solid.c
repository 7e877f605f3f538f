// Solid elements against mathematics: forces are gradients of energies, operators derivatives of forces, rigid motions
// do nothing, uniform strains come out exactly, and simple bodies behave as theory says.
#include "solid_models.h"

#include "model/element/solid_material.h"

enum { MAX = FIXTURE_MAX };

typedef struct probe {
    const zn_system *sys;
    zn_at            at;
} probe;

static void force_at(void *user, const double *q, double *out)
{
    const probe *p = user;
    CHECK_OK(zn_system_force(p->sys, (zn_at){q, p->at.v, p->at.t, 0}, out));
}

static void energy_at(void *user, const double *q, double *out)
{
    const probe *p = user;
    zn_energy    e;
    CHECK_OK(zn_system_energy(p->sys, (zn_at){q, p->at.v, p->at.t, 0}, &e));
    out[0] = e.strain, out[1] = e.gravity;
}

// --- derivatives ---------------------------------------------------------------------------------

// Column j of a M + c C + k K.
static void operator_column(const zn_system *sys, zn_sparse *matrix, int j, double *column)
{
    double unit[MAX] = {0};
    unit[j] = 1;
    zn_sparse_multiply(matrix, unit, column);
    for (int i = 0; i < sys->info.n; i++)
        assert_true(isfinite(column[i]));
}

// K = -df/dq, C = -df/dv and f = -dV/dq at random states.
static void check_derivatives(const zn_system *sys, double size, uint64_t *seed, double symmetric)
{
    int        n = sys->info.n;
    double     q[MAX], v[MAX], zero[MAX] = {0}, column[MAX], numeric[MAX], force[MAX], dq[MAX], plus[MAX], gradient[2];
    zn_sparse *K = NULL, *C = NULL;
    assert_true(n <= MAX && sys->info.n_all == n);
    random_fill(seed, size, n, dq);
    zn_system_retract(sys, sys->q0, dq, q);
    random_fill(seed, 1, n, v);
    probe p = {sys, {q, v, 0.3, 0}};
    CHECK_OK(zn_system_matrix(sys, &K));
    CHECK_OK(zn_system_matrix(sys, &C));
    CHECK_OK(zn_system_operators(sys, p.at, 0, 0, 1, K));
    CHECK_OK(zn_system_operators(sys, p.at, 0, 1, 0, C));
    CHECK_OK(zn_system_force(sys, p.at, force));
    for (int j = 0; j < n; j++) {
        double unit[MAX] = {0};
        unit[j] = 1;
        derivative_along(sys, force_at, &p, q, unit, n, numeric);
        operator_column(sys, K, j, column);
        for (int i = 0; i < n; i++)
            CHECK_NEAR(column[i], -numeric[i], 1e-7); // entries are of order 1 to 100
        unit[j] = 0;
        v[j] += 1; // f is linear in v
        CHECK_OK(zn_system_force(sys, p.at, plus));
        v[j] -= 1;
        operator_column(sys, C, j, column);
        for (int i = 0; i < n; i++)
            CHECK_NEAR(column[i], force[i] - plus[i], 1e-12);
    }
    p.at.v = zero;
    random_fill(seed, 1, n, dq);
    CHECK_OK(zn_system_force(sys, p.at, force));
    derivative_along(sys, energy_at, &p, q, dq, 2, gradient);
    CHECK_NEAR(symmetric * zn_system_dot(sys, force, dq), -symmetric * (gradient[0] + gradient[1]), 1e-8);
    zn_sparse_destroy(K);
    zn_sparse_destroy(C);
}

static void test_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case c = solid_case_at(i);
        zn_mesh   *mesh = make_mesh(c.shape, zn_vec3_make(2, 1, 1), 2, 1, 1);
        distort(mesh, 0.15, &seed);
        zn_solid_def def = soft_solid(c, mesh);
        def.mass_damping = 0.4;
        def.stiffness_damping = 0.3;
        zn_vec3 gravity = {0.3, -1, solid_case_planar(c) ? 0 : 2};
        fixture f = make_solid(def, mesh, gravity, NULL);
        assert_int_equal(zn_system_get_info(f.sys).linear, c.model == ZN_SOLID_LINEAR);
        check_derivatives(f.sys, 0.12, &seed, 1);
        destroy_fixture(&f);
    }
}

// Power of each kind of force is force times velocity.
static void test_power(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case   c = solid_case_at(i);
        zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(1, 1, 1), 1, 2, 1);
        zn_solid_def def = soft_solid(c, mesh);
        def.mass_damping = 0.4;
        def.stiffness_damping = 0.3;
        fixture  f = make_solid(def, mesh, zn_vec3_make(0, -1, 0), NULL);
        double   q[MAX], v[MAX], w[MAX], dq[MAX], force[MAX], zero[MAX] = {0}, elastic[MAX];
        zn_power power;
        random_fill(&seed, 0.1, f.sys->info.n, dq);
        zn_system_retract(f.sys, f.sys->q0, dq, q);
        random_fill(&seed, 1, f.sys->info.n, v);
        random_fill(&seed, 1, f.sys->info.n, w);
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, v, 0, 0}, force));
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, zero, 0, 0}, elastic));
        CHECK_OK(zn_system_power(f.sys, (zn_at){q, v, 0, 0}, w, &power));
        CHECK_NEAR(power.strain + power.gravity, zn_system_dot(f.sys, elastic, w), 1e-12);
        CHECK_NEAR(power.damper, zn_system_dot(f.sys, force, w) - zn_system_dot(f.sys, elastic, w), 1e-12);
        assert_true(fabs(power.damper) > 1e-3 && power.load == 0);
        destroy_fixture(&f);
    }
}

// --- rigid motion --------------------------------------------------------------------------------

static void test_rigid_motion(void **state)
{
    (void)state;
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case c = solid_case_at(i);
        uint64_t   seed = 3;
        zn_mesh   *mesh = make_mesh(c.shape, zn_vec3_make(1, 1, 1), 2, 2, 1);
        distort(mesh, 0.05, &seed);
        fixture f = make_solid(soft_solid(c, mesh), mesh, zn_vec3_make(0, 0, 0), NULL);
        zn_vec3 turn = solid_case_planar(c) ? zn_vec3_make(0, 0, 2.5) : zn_vec3_make(1, -2, 1.4);
        zn_mat3 R = zn_quat_matrix(zn_so3_exp(turn));
        double  A[3][3], q[MAX], v[MAX] = {0}, force[MAX];
        for (int k = 0; k < 9; k++)
            A[k / 3][k % 3] = c.model == ZN_SOLID_LINEAR ? 0 : R.m[k / 3][k % 3] - (k / 3 == k % 3);
        zn_energy e;
        set_gradient(f.sys, (const double(*)[3])A, q);
        for (int k = 0; k < f.sys->info.nq; k++)
            q[k] += 5 + k % (solid_case_planar(c) ? 2 : 3); // and a translation
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, v, 0, 0}, force));
        CHECK_OK(zn_system_energy(f.sys, (zn_at){q, v, 0, 0}, &e));
        CHECK_BELOW(largest_of(f.sys->info.n, force), 1e-13);
        CHECK_NEAR(e.strain, 0, 1e-27);
        destroy_fixture(&f);
    }
}

// --- uniform strain ------------------------------------------------------------------------------

// Voigt strain of the material for x = (I + A) X.
static void strain_of(solid_case c, const double A[3][3], double *E)
{
    static const int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0}, plane[3] = {0, 1, 3};
    int              count = solid_case_planar(c) ? 3 : 6, dim = solid_case_planar(c) ? 2 : 3;
    for (int s = 0; s < count; s++) {
        int    r = row[count == 3 ? plane[s] : s], k = column[count == 3 ? plane[s] : s];
        double product = 0;
        for (int i = 0; c.model != ZN_SOLID_LINEAR && i < dim; i++)
            product += A[i][r] * A[i][k];
        E[s] = r == k ? A[r][r] + 0.5 * product : A[r][k] + A[k][r] + product;
    }
}

// Patch test: in a distorted mesh under u = A X, inner nodes are in balance and the energy is that of the strain.
static void test_patch(void **state)
{
    (void)state;
    const double A[3][3] = {{0.10, 0.03, -0.02}, {-0.05, -0.08, 0.04}, {0.06, 0.01, 0.07}};
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case c = solid_case_at(i);
        uint64_t   seed = 4;
        zn_mesh   *mesh = make_mesh(c.shape, zn_vec3_make(1, 1, 1), 2, 2, 2);
        int        inner = solid_case_planar(c) ? 4 : 13; // the node in the middle
        mesh->nodes[inner].x += 0.2 * random_unit(&seed);
        mesh->nodes[inner].y += 0.2 * random_unit(&seed);
        mesh->nodes[inner].z += solid_case_planar(c) ? 0 : 0.2 * random_unit(&seed);
        zn_solid_def def = soft_solid(c, mesh);
        fixture      f = make_solid(def, mesh, zn_vec3_make(0, 0, 0), NULL);
        double       q[MAX], v[MAX] = {0}, force[MAX], E[6], density;
        zn_energy    e;
        set_gradient(f.sys, A, q);
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, v, 0, 0}, force));
        for (int k = 0; k < zn_node_dimension(f.sys->layout.node[inner].kind); k++)
            CHECK_NEAR(force[f.sys->layout.node[inner].dof[k]], 0, 1e-15);
        bool              stress = c.plane == ZN_PLANE_STRESS;
        zn_solid_material m = zn_solid_material_make(c.model, solid_case_planar(c), stress, 10, 0.3);
        strain_of(c, A, E);
        assert_true(zn_solid_material_evaluate(&m, E, &density, NULL, NULL));
        CHECK_OK(zn_system_energy(f.sys, (zn_at){q, v, 0, 0}, &e));
        CHECK_NEAR(e.strain, density * def.thickness, 1e-14);
        assert_true(e.strain > 1e-3);
        destroy_fixture(&f);
    }
}

// --- mass ----------------------------------------------------------------------------------------

static void test_mass(void **state)
{
    (void)state;
    for (int i = 0; i < SOLID_CASES; i += 3)
        for (int lumped = 0; lumped < 2; lumped++) {
            solid_case   c = solid_case_at(i);
            zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(2, 3, 0.5), 2, 2, 1);
            zn_solid_def def = soft_solid(c, mesh);
            def.mass = lumped ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT;
            fixture   f = make_solid(def, mesh, zn_vec3_make(0, -1, 0), NULL);
            double    one[MAX] = {0}, p[MAX], column[MAX], mass = 2 * (solid_case_planar(c) ? 6 * 0.7 : 3), sum = 0;
            zn_energy e;
            for (int k = 0; k < f.sys->layout.nodes; k++)
                one[f.sys->layout.node[k].dof[1]] = 1;
            CHECK_OK(zn_system_inertia(f.sys, f.sys->q0, one, p));
            for (int k = 0; k < f.sys->info.n; k++)
                sum += p[k];
            CHECK_NEAR(sum, mass, 1e-13);
            CHECK_OK(zn_system_energy(f.sys, (zn_at){f.sys->q0, one, 0, 0}, &e));
            CHECK_NEAR(e.kinetic, mass / 2, 1e-13);
            CHECK_NEAR(e.gravity, mass * 1.5, 1e-13); // centre at y = 1.5
            zn_sparse *M = NULL;
            CHECK_OK(zn_system_matrix(f.sys, &M));
            CHECK_OK(zn_system_operators(f.sys, (zn_at){f.sys->q0, one, 0, 0}, 1, 0, 0, M));
            zn_sparse_multiply(M, one, column);
            for (int k = 0; k < f.sys->info.n; k++)
                CHECK_NEAR(column[k], p[k], 1e-14);
            for (int j = 0; lumped && j < M->n; j++)
                for (int k = M->start[j]; k < M->start[j + 1]; k++)
                    assert_true(M->row[k] == j || M->value[k] == 0);
            zn_sparse_destroy(M);
            destroy_fixture(&f);
        }
}

// --- closed forms --------------------------------------------------------------------------------

// Tension of a cube under diag(s, a, a): forces on the face xmax, and none across.
static void check_tension(solid_case c, double s, double a, double expected)
{
    zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(1, 1, 1), 2, 2, 2);
    zn_solid_def def = soft_solid(c, mesh);
    def.thickness = 1;
    fixture f = make_solid(def, mesh, zn_vec3_make(0, 0, 0), NULL);
    double  A[3][3] = {{s - 1, 0, 0}, {0, a - 1, 0}, {0, 0, a - 1}}, q[MAX], v[MAX] = {0}, force[MAX], sum[3] = {0};
    set_gradient(f.sys, (const double(*)[3])A, q);
    CHECK_OK(zn_system_force(f.sys, (zn_at){q, v, 0, 0}, force));
    int               count;
    const zn_node_id *face = zn_model_find_node_set(f.model, "body.xmax", &count);
    assert_non_null(face);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            sum[k] -= force[f.sys->layout.node[face[i].value - 1].dof[k]];
    CHECK_NEAR(sum[0], expected, 1e-12);
    CHECK_NEAR(sum[1], 0, 1e-13);
    for (int i = 0; i < f.sys->layout.nodes; i++)
        CHECK_NEAR(force[f.sys->layout.node[i].dof[1]], 0, 1e-13);
    destroy_fixture(&f);
}

// Stretch across a neo-Hookean bar: mu (a^2 - 1) + lambda ln(s a^2) = 0, by bisection.
static double lateral_stretch(double s)
{
    double mu = 10 / 2.6, lambda = 3 / (1.3 * 0.4), low = 0.1, high = 3;
    for (int i = 0; i < 200; i++) {
        double a = 0.5 * (low + high);
        if (mu * (a * a - 1) + lambda * log(s * a * a) > 0)
            high = a;
        else
            low = a;
    }
    return low;
}

static void test_tension(void **state)
{
    (void)state;
    const double stretches[] = {0.7, 0.95, 1.1, 1.8};
    for (int i = 0; i < 4; i++) {
        double s = stretches[i], E = (s * s - 1) / 2, a = sqrt(1 - 0.6 * E), mu = 10 / 2.6;
        // St. Venant-Kirchhoff: S_xx = young E_xx, E_yy = -nu E_xx, P = s S
        check_tension((solid_case){ZN_HEX8, ZN_SOLID_SAINT_VENANT_KIRCHHOFF, 0}, s, a, s * 10 * E);
        check_tension((solid_case){ZN_TET4, ZN_SOLID_SAINT_VENANT_KIRCHHOFF, 0}, s, a, s * 10 * E);
        check_tension((solid_case){ZN_QUAD4, ZN_SOLID_SAINT_VENANT_KIRCHHOFF, ZN_PLANE_STRESS}, s, a, s * 10 * E);
        // neo-Hookean: S_xx = mu (1 - 1/s^2) + lambda ln J / s^2, with lambda ln J = -mu (a^2 - 1)
        a = lateral_stretch(s);
        double P = s * (mu * (1 - 1 / (s * s)) - mu * (a * a - 1) / (s * s));
        check_tension((solid_case){ZN_HEX8, ZN_SOLID_NEO_HOOKEAN, 0}, s, a, P);
        check_tension((solid_case){ZN_TET4, ZN_SOLID_NEO_HOOKEAN, 0}, s, a, P);
        check_tension((solid_case){ZN_QUAD4, ZN_SOLID_NEO_HOOKEAN, ZN_PLANE_STRESS}, s, a, P);
    }
}

// All materials agree for small strains; energy and stress keep their digits there.
static void test_small_strains(void **state)
{
    (void)state;
    const double E[6] = {3e-7, -2e-7, 1e-7, 4e-7, -1e-7, 2e-7};
    for (int planar = 0; planar < 2; planar++)
        for (int stress = 0; stress <= planar; stress++) {
            double energy[3], S[3][6];
            for (int i = 0; i < 3; i++) {
                zn_solid_material m = zn_solid_material_make((zn_solid_model)i, planar, stress, 10, 0.3);
                assert_true(zn_solid_material_evaluate(&m, E, &energy[i], S[i], NULL));
            }
            assert_true(energy[0] == energy[1]);
            CHECK_NEAR(energy[2] / energy[0], 1, 3e-6); // the strains are of order 1e-6
            for (int k = 0; k < (planar ? 3 : 6); k++)
                CHECK_NEAR(S[2][k], S[0][k], 1e-11);
        }
    // a state without volume is refused
    zn_solid_material m = zn_solid_material_make(ZN_SOLID_NEO_HOOKEAN, false, false, 10, 0.3);
    assert_false(zn_solid_material_evaluate(&m, (double[6]){-0.5, 0, 0, 0, 0, 0}, NULL, NULL, NULL));
}

// --- structures ----------------------------------------------------------------------------------

// Longitudinal vibration of a clamped bar, nu = 0. The sine is the exact discrete mode of equal elements with
// omega^2 = 6 c^2/h^2 (1 - cos kh)/(2 + cos kh).
static void test_bar_frequency(void **state)
{
    (void)state;
    enum { N = 10 };
    solid_case   c = {ZN_HEX8, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN};
    zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(1, 0.1, 0.1), N, 1, 1);
    zn_solid_def def = soft_solid(c, mesh);
    def.poisson = 0;
    fixture      f = make_solid(def, mesh, zn_vec3_make(0, 0, 0), NULL);
    double       q[MAX] = {0}, v[MAX] = {0};
    const double k = 1.5707963267948966, h = 1.0 / N, speed2 = 10.0 / 2;
    zn_energy    e;
    for (int i = 0; i < f.sys->layout.nodes; i++) {
        const zn_layout_node *node = &f.sys->layout.node[i];
        q[node->q] = v[node->dof[0]] = sin(k * node->origin.x);
    }
    CHECK_OK(zn_system_energy(f.sys, (zn_at){q, v, 0, 0}, &e));
    double omega = sqrt(e.strain / e.kinetic);
    CHECK_NEAR(omega, sqrt(6 * speed2 / (h * h) * (1 - cos(k * h)) / (2 + cos(k * h))), 1e-12);
    CHECK_NEAR(omega / (k * sqrt(speed2)), 1, 2e-3);
    destroy_fixture(&f);
}

// Tip deflection of a cantilever under its own weight, plane stress, from K u = f.
static double cantilever_tip(int along, int across, double length, double height)
{
    solid_case   c = {ZN_QUAD4, ZN_SOLID_LINEAR, ZN_PLANE_STRESS};
    zn_model    *model = make_model(true, zn_vec3_make(0, -1, 0), NULL);
    zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(length, height, 0), along, across, 0);
    zn_solid_def def = soft_solid(c, mesh);
    CHECK_OK(zn_model_add_solid(model, &def));
    CHECK_OK(zn_model_fix_node_set(model, "body.xmin", ZN_FIX_X | ZN_FIX_Y));
    zn_mesh_destroy(mesh);
    fixture       f = compile_fixture(model);
    zn_sparse    *K = NULL;
    zn_linsolver *solver = NULL;
    double       *x = calloc(3 * (size_t)f.sys->info.n_all, sizeof *x), *q = x + f.sys->info.n_all;
    assert_non_null(x);
    CHECK_OK(zn_system_matrix(f.sys, &K));
    CHECK_OK(zn_system_operators(f.sys, (zn_at){q, q, 0, 0}, 0, 0, 1, K));
    CHECK_OK(zn_system_force(f.sys, (zn_at){q, q, 0, 0}, x));
    CHECK_OK(zn_linsolver_create(K, NULL, &solver));
    CHECK_OK(zn_linsolver_factor(solver, K));
    CHECK_OK(zn_linsolver_solve(solver, 1, x));
    double tip = x[f.sys->layout.node[along].dof[1]];
    zn_linsolver_destroy(solver);
    zn_sparse_destroy(K);
    free(x);
    destroy_fixture(&f);
    return tip;
}

// Euler-Bernoulli plus shear: w L^4 / (8 E I) + w L^2 / (2 G A 5/6), weight w per length.
static void test_cantilever(void **state)
{
    (void)state;
    const double L = 10, h = 0.5, w = 2 * h, inertia = h * h * h / 12, G = 10 / 2.6;
    double       theory = -(w * L * L * L * L / (8 * 10 * inertia) + w * L * L / (2 * G * h * 5 / 6));
    double       error[3];
    for (int i = 0; i < 3; i++)
        error[i] = fabs(cantilever_tip(40 << i, 2 << i, L, h) / theory - 1);
    CHECK_BELOW(error[0], 0.15); // thin linear elements lock in bending
    CHECK_BELOW(error[2], 0.012);
    assert_true(error[0] / error[1] > 3.3 && error[1] / error[2] > 3.3); // second order
}

// --- failures ------------------------------------------------------------------------------------

static void test_inverted(void **state)
{
    (void)state;
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case c = solid_case_at(i);
        if (c.model == ZN_SOLID_LINEAR)
            continue;
        log_capture log = {0};
        zn_mesh    *mesh = make_mesh(c.shape, zn_vec3_make(2, 1, 1), 2, 1, 1);
        int         last = mesh->node_count - 1;
        fixture     f = make_solid(soft_solid(c, mesh), mesh, zn_vec3_make(0, 0, 0), &log);
        double      q[MAX] = {0}, v[MAX] = {0}, force[MAX];
        zn_energy   e;
        zn_power    p;
        q[f.sys->layout.node[last].q] = -5; // through the element
        CHECK_STATUS(zn_system_force(f.sys, (zn_at){q, v, 0, 0}, force), ZN_INVALID_STATE);
        CHECK_LOGGED(&log, c.shape == ZN_TET4 ? "part 'body': element 9 is inverted or crushed (J = -4)"
                                              : "part 'body': element 1 is inverted");
        CHECK_STATUS(zn_system_energy(f.sys, (zn_at){q, v, 0, 0}, &e), ZN_INVALID_STATE);
        CHECK_STATUS(zn_system_power(f.sys, (zn_at){q, v, 0, 0}, v, &p), ZN_INVALID_STATE);
        zn_sparse *K = NULL;
        CHECK_OK(zn_system_matrix(f.sys, &K));
        CHECK_STATUS(zn_system_operators(f.sys, (zn_at){q, v, 0, 0}, 1, 0, 1, K), ZN_INVALID_STATE);
        zn_sparse_destroy(K);
        destroy_fixture(&f);
    }
}

static void refuse(zn_solid_def def, const zn_mesh *mesh, zn_status expected, const char *message)
{
    log_capture log = {0};
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), &log);
    def.mesh = mesh;
    CHECK_STATUS(zn_model_add_solid(model, &def), expected);
    CHECK_LOGGED(&log, message);
    zn_model_destroy(model);
}

static void test_refusals(void **state)
{
    (void)state;
    solid_case   c = {ZN_HEX8, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN};
    zn_mesh     *mesh = make_mesh(ZN_HEX8, zn_vec3_make(1, 1, 1), 2, 1, 1);
    zn_mesh     *flat = make_mesh(ZN_QUAD4, zn_vec3_make(1, 1, 0), 1, 1, 0);
    zn_solid_def good = soft_solid(c, mesh), def = good;
    def.poisson = 0.5;
    refuse(def, mesh, ZN_ERR_MODEL, "part 'body': a solid needs -1 < Poisson's ratio < 0.5, not 0.5");
    def = good;
    def.young = 0;
    refuse(def, mesh, ZN_ERR_MODEL, "part 'body': Young's modulus 0 is not positive and finite");
    def = good;
    def.stiffness_damping = -1;
    refuse(def, mesh, ZN_ERR_MODEL, "part 'body': stiffness damping -1 is not at least 0 and finite");
    refuse(good, flat, ZN_ERR_MODEL, "part 'body': quad4 elements in a spatial model");
    refuse(good, NULL, ZN_ERR_ARGUMENT, "part 'body': it has no mesh");
    int keep = mesh->elements[9];
    mesh->elements[9] = 12;
    refuse(good, mesh, ZN_ERR_MODEL, "part 'body': an element refers to node 12, but the mesh has nodes 0 to 11");
    mesh->elements[9] = mesh->elements[8];
    mesh->elements[8] = keep;
    refuse(good, mesh, ZN_ERR_MODEL, "part 'body': element 1 of the mesh is inverted or flat");
    zn_mesh_destroy(mesh);
    zn_mesh_destroy(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),   cmocka_unit_test(test_power),         cmocka_unit_test(test_rigid_motion),
        cmocka_unit_test(test_patch),         cmocka_unit_test(test_mass),          cmocka_unit_test(test_tension),
        cmocka_unit_test(test_small_strains), cmocka_unit_test(test_bar_frequency), cmocka_unit_test(test_cantilever),
        cmocka_unit_test(test_inverted),      cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
