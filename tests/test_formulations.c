// Formulations of solid elements against mathematics: forces are gradients of energies and tangents their derivatives,
// patches of any shape bear a uniform strain exactly, rigid motions do nothing, rotations turn, no mode but the rigid
// ones is free, mass is mass, work between two states is the loss of energy; and what they are for: bending without
// locking by shear, Poisson's ratios near 1/2 without locking by volume.
#include "between_models.h"

#include "math/eigen.h"

enum { MAX = FIXTURE_MAX, FORMED_MAX = 40 };

typedef struct formed_case {
    solid_case           c;
    zn_solid_formulation formulation;
} formed_case;

static bool exists(solid_case c, zn_solid_formulation f)
{
    bool thin = solid_case_planar(c) && c.plane == ZN_PLANE_STRESS;
    if (c.shape == ZN_TET4)
        return f == ZN_SOLID_STANDARD || f == ZN_SOLID_MEAN_DILATATION;
    return f == ZN_SOLID_STANDARD ||
           (!(f == ZN_SOLID_MEAN_DILATATION && thin) && !(f == ZN_SOLID_ENHANCED && c.model == ZN_SOLID_NEO_HOOKEAN));
}

// Everything that can be built.
static int list_cases(formed_case out[FORMED_MAX])
{
    int count = 0;
    for (int i = 0; i < SOLID_CASES; i++)
        for (int f = ZN_SOLID_STANDARD; f <= ZN_SOLID_ENHANCED; f++)
            if (exists(solid_case_at(i), (zn_solid_formulation)f))
                out[count++] = (formed_case){solid_case_at(i), (zn_solid_formulation)f};
    return count;
}

static bool has_between(formed_case k)
{
    return !(k.formulation == ZN_SOLID_MEAN_DILATATION && k.c.model == ZN_SOLID_NEO_HOOKEAN);
}

static fixture make_formed(formed_case k, int nx, int ny, double distortion, double damping, uint64_t *seed)
{
    zn_mesh *mesh = make_mesh(k.c.shape, zn_vec3_make(nx, ny, 1), nx, ny, 1);
    distort(mesh, distortion, seed);
    zn_solid_def def = soft_solid(k.c, mesh);
    def.formulation = k.formulation;
    def.stiffness_damping = damping;
    return make_solid(def, mesh, zn_vec3_make(0, 0, 0), NULL);
}

static double strain_energy(const zn_system *sys, const double *q)
{
    double    v[MAX] = {0};
    zn_energy e;
    CHECK_OK(zn_system_energy(sys, (zn_at){q, v, 0, 0}, &e));
    return e.strain;
}

// --- derivatives ---------------------------------------------------------------------------------

static void energy_at(void *user, const double *q, double *out) { *out = strain_energy(user, q); }

static void force_at(void *user, const double *q, double *out)
{
    double v[MAX] = {0};
    CHECK_OK(zn_system_force(user, (zn_at){q, v, 0, 0}, out));
}

static void check_columns(const zn_system *sys, const double *q)
{
    double     v[MAX] = {0}, unit[MAX] = {0}, column[MAX], numeric[MAX];
    zn_sparse *K = NULL;
    CHECK_OK(zn_system_matrix(sys, &K));
    CHECK_OK(zn_system_operators(sys, (zn_at){q, v, 0, 0}, 0, 0, 1, K));
    for (int j = 0; j < sys->info.n; j++) {
        unit[j] = 1;
        derivative_along(sys, force_at, (void *)(size_t)sys, q, unit, sys->info.n, numeric);
        zn_sparse_multiply(K, unit, column);
        unit[j] = 0;
        for (int i = 0; i < sys->info.n; i++)
            CHECK_NEAR(column[i], -numeric[i], 1e-9); // entries are of order 10
    }
    zn_sparse_destroy(K);
}

static void test_derivatives(void **state)
{
    (void)state;
    uint64_t    seed = 1;
    formed_case list[FORMED_MAX];
    int         count = list_cases(list);
    for (int i = 0; i < count; i++) {
        fixture f = make_formed(list[i], 2, 1, 0.1, 0, &seed);
        double  q[MAX], dq[MAX], force[MAX], again[MAX] = {0}, slope, along = 0, strain = 0;
        random_fill(&seed, 0.15, f.sys->info.nq, q);
        random_fill(&seed, 1, f.sys->info.n, dq);
        force_at(f.sys, q, force);
        derivative_along(f.sys, energy_at, f.sys, q, dq, 1, &slope);
        for (int k = 0; k < f.sys->info.n; k++)
            along += force[k] * dq[k];
        assert_true(fabs(along) > 1e-2);
        CHECK_NEAR(along, -slope, 1e-8);
        check_columns(f.sys, q);
        // the pass of explicit schemes is the same
        zn_at at = {q, again, 0, 0};
        for (int g = 0; g < f.sys->blocks; g++)
            CHECK_OK(f.sys->block[g].ops->force_energy(&f.sys->block[g], 0, f.sys->block[g].count, at, again, &strain));
        for (int k = 0; k < f.sys->info.n; k++)
            CHECK_NEAR(again[k], force[k], 1e-13);
        CHECK_NEAR(strain, strain_energy(f.sys, q), 1e-13);
        destroy_fixture(&f);
    }
}

// The damping of stiffness is that of the undeformed element: C = beta K0.
static void test_damping(void **state)
{
    (void)state;
    uint64_t    seed = 2;
    formed_case list[FORMED_MAX];
    int         count = list_cases(list);
    for (int i = 0; i < count; i++) {
        fixture    f = make_formed(list[i], 1, 1, 0.1, 0.3, &seed);
        double     q[MAX], v[MAX], none[MAX] = {0}, still[MAX], moving[MAX], C[MAX], K0[MAX];
        zn_sparse *A = NULL;
        random_fill(&seed, 0.1, f.sys->info.nq, q);
        random_fill(&seed, 1, f.sys->info.n, v);
        CHECK_OK(zn_system_matrix(f.sys, &A));
        CHECK_OK(zn_system_operators(f.sys, (zn_at){q, none, 0, 0}, 0, 1, 0, A));
        zn_sparse_multiply(A, v, C);
        CHECK_OK(zn_system_operators(f.sys, (zn_at){none, none, 0, 0}, 0, 0, 1, A));
        zn_sparse_multiply(A, v, K0);
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, none, 0, 0}, still));
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, v, 0, 0}, moving));
        for (int k = 0; k < f.sys->info.n; k++) {
            CHECK_NEAR(C[k], 0.3 * K0[k], 1e-12);
            CHECK_NEAR(still[k] - moving[k], C[k], 1e-12);
        }
        zn_sparse_destroy(A);
        destroy_fixture(&f);
    }
}

// --- patches, rigid motions, modes ---------------------------------------------------------------

// A patch of distorted elements under a uniform gradient: nodes inside are in equilibrium, and the energy is that of
// the standard elements, which is exact.
static void test_patch(void **state)
{
    (void)state;
    const double A[3][3] = {{0.1, 0.05, -0.02}, {-0.1, -0.05, 0.03}, {0.02, 0.04, 0.05}};
    formed_case  list[FORMED_MAX];
    int          count = list_cases(list);
    for (int i = 0; i < count; i++) {
        uint64_t seed = 3, same = 3;
        fixture  f = make_formed(list[i], 2, 2, 0.2, 0, &seed);
        fixture  plain = make_formed((formed_case){list[i].c, ZN_SOLID_STANDARD}, 2, 2, 0.2, 0, &same);
        double   q[MAX], force[MAX], expected[MAX];
        set_gradient(f.sys, A, q);
        force_at(f.sys, q, force);
        force_at(plain.sys, q, expected);
        CHECK_NEAR(strain_energy(f.sys, q), strain_energy(plain.sys, q), 1e-13);
        assert_true(largest_of(f.sys->info.n, force) > 0.1);
        for (int k = 0; k < f.sys->info.n; k++)
            CHECK_NEAR(force[k], expected[k], 2e-14 * 10);
        destroy_fixture(&f);
        destroy_fixture(&plain);
    }
}

// Turn and move all nodes.
static void turn(const zn_system *sys, zn_mat3 R, const double *q, double *out)
{
    for (int n = 0; n < sys->layout.nodes; n++) {
        const zn_layout_node *node = &sys->layout.node[n];
        bool                  planar = zn_node_dimension(node->kind) == 2;
        zn_vec3               x = {q[node->q], q[node->q + 1], planar ? 0 : q[node->q + 2]};
        zn_vec3               y = zn_vec3_sub(zn_mat3_apply(R, zn_vec3_add(node->origin, x)), node->origin);
        out[node->q] = y.x + 0.3;
        out[node->q + 1] = y.y - 2;
        if (!planar)
            out[node->q + 2] = y.z + 1;
    }
}

static void test_rotation(void **state)
{
    (void)state;
    uint64_t      seed = 4;
    formed_case   list[FORMED_MAX];
    const zn_vec3 axis[2] = {{0.4, -1, 0.7}, {0, 0, 1.3}};
    int           count = list_cases(list);
    for (int i = 0; i < count; i++) {
        if (list[i].c.model == ZN_SOLID_LINEAR)
            continue;
        fixture f = make_formed(list[i], 2, 1, 0.1, 0, &seed);
        zn_mat3 R = zn_quat_matrix(zn_so3_exp(axis[solid_case_planar(list[i].c)]));
        double  q[MAX], none[MAX] = {0}, turned[MAX], force[MAX], other[MAX];
        turn(f.sys, R, none, turned);
        force_at(f.sys, turned, force);
        CHECK_BELOW(largest_of(f.sys->info.n, force), 1e-13);
        CHECK_BELOW(strain_energy(f.sys, turned), 1e-26);
        random_fill(&seed, 0.15, f.sys->info.nq, q);
        turn(f.sys, R, q, turned);
        CHECK_NEAR(strain_energy(f.sys, turned), strain_energy(f.sys, q), 1e-13);
        force_at(f.sys, q, force);
        force_at(f.sys, turned, other);
        for (int n = 0; n < f.sys->layout.nodes; n++) {
            const int *dof = f.sys->layout.node[n].dof;
            zn_vec3    F = zn_mat3_apply(R, zn_vec3_make(force[dof[0]], force[dof[1]], dof[2] < 0 ? 0 : force[dof[2]]));
            CHECK_NEAR(other[dof[0]], F.x, 2e-13);
            CHECK_NEAR(other[dof[1]], F.y, 2e-13);
            if (dof[2] >= 0)
                CHECK_NEAR(other[dof[2]], F.z, 2e-13);
        }
        destroy_fixture(&f);
    }
}

// One element alone: six motions, three in the plane, cost nothing, and no others.
static void test_modes(void **state)
{
    (void)state;
    uint64_t    seed = 5;
    formed_case list[FORMED_MAX];
    int         count = list_cases(list);
    for (int i = 0; i < count; i++) {
        fixture    f = make_formed(list[i], 1, 1, 0.15, 0, &seed);
        int        n = f.sys->info.n, rigid = solid_case_planar(list[i].c) ? 3 : 6;
        double     none[MAX] = {0}, unit[MAX] = {0}, A[24 * 24], value[24], vector[24 * 24];
        zn_sparse *K = NULL;
        if (list[i].c.shape == ZN_TET4) { // the cell has six
            destroy_fixture(&f);
            continue;
        }
        CHECK_OK(zn_system_matrix(f.sys, &K));
        CHECK_OK(zn_system_operators(f.sys, (zn_at){none, none, 0, 0}, 0, 0, 1, K));
        for (int j = 0; j < n; j++) {
            unit[j] = 1;
            zn_sparse_multiply(K, unit, A + j * n);
            unit[j] = 0;
        }
        CHECK_OK(zn_dense_eigen(n, A, value, vector));
        for (int j = 0; j < n; j++)
            if (j < n - rigid)
                assert_true(value[j] > 0.02 * value[0]);
            else
                CHECK_BELOW(fabs(value[j]), 1e-13 * value[0]);
        zn_sparse_destroy(K);
        destroy_fixture(&f);
    }
}

static void test_mass(void **state)
{
    (void)state;
    formed_case list[FORMED_MAX];
    int         count = list_cases(list);
    for (int i = 0; i < count; i++) {
        uint64_t seed = 6, same = 6;
        fixture  f = make_formed(list[i], 2, 1, 0.15, 0, &seed);
        fixture  plain = make_formed((formed_case){list[i].c, ZN_SOLID_STANDARD}, 2, 1, 0.15, 0, &same);
        double   a[MAX], x[MAX], y[MAX];
        random_fill(&seed, 1, f.sys->info.n, a);
        CHECK_OK(zn_system_inertia(f.sys, f.sys->q0, a, x));
        CHECK_OK(zn_system_inertia(plain.sys, plain.sys->q0, a, y));
        for (int k = 0; k < f.sys->info.n; k++)
            CHECK_NEAR(x[k], y[k], 1e-15);
        destroy_fixture(&f);
        destroy_fixture(&plain);
    }
}

// --- between two states --------------------------------------------------------------------------

static void check_between(const zn_system *sys, formed_case k, uint64_t *seed)
{
    two_ends e;
    double   force[MAX], d[MAX], loss = 0, column[MAX], numeric[MAX], unit[MAX] = {0};
    random_ends(sys, 0.2, k.c.model == ZN_SOLID_LINEAR ? 0 : 2.2, seed, &e);
    double V[2] = {strain_energy(sys, e.s.from.q), strain_energy(sys, e.s.to.q)};
    CHECK_OK(zn_system_force_between(sys, e.s, force));
    zn_system_difference(sys, e.s.to.q, e.s.from.q, d);
    for (int i = 0; i < sys->info.n; i++)
        loss += force[i] * d[i];
    CHECK_NEAR(loss, V[0] - V[1], 1e-13 * fmax(V[0], V[1]));
    zn_sparse *K = NULL;
    probe      p = {sys, e.s};
    CHECK_OK(zn_system_matrix(sys, &K));
    CHECK_OK(zn_system_operators_between(sys, e.s, 0, 0, 1, K));
    for (int j = 0; j < sys->info.n; j++) {
        unit[j] = 1;
        zn_sparse_multiply(K, unit, column);
        unit[j] = 0;
        probe_slope(&p, j, numeric);
        for (int i = 0; i < sys->info.n; i++)
            CHECK_NEAR(column[i], -numeric[i], 1e-10);
    }
    zn_sparse_destroy(K);
    // no moment about the middle positions
    zn_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
    for (int n = 0; n < sys->layout.nodes; n++) {
        const zn_layout_node *node = &sys->layout.node[n];
        double                x[3] = {node->origin.x, node->origin.y, node->origin.z}, F[3] = {0};
        for (int i = 0; i < zn_node_dimension(node->kind); i++) {
            x[i] += 0.5 * (e.s.from.q[node->q + i] + e.s.to.q[node->q + i]);
            F[i] = force[node->dof[i]];
        }
        sum = zn_vec3_add(sum, zn_vec3_make(F[0], F[1], F[2]));
        moment = zn_vec3_add(moment, zn_vec3_cross(zn_vec3_make(x[0], x[1], x[2]), zn_vec3_make(F[0], F[1], F[2])));
    }
    CHECK_BELOW(zn_vec3_norm(sum), 1e-12);
    if (k.c.model != ZN_SOLID_LINEAR)
        CHECK_BELOW(zn_vec3_norm(moment), 1e-12);
}

static void test_between(void **state)
{
    (void)state;
    uint64_t    seed = 7;
    formed_case list[FORMED_MAX];
    int         count = list_cases(list);
    for (int i = 0; i < count; i++) {
        if (list[i].formulation == ZN_SOLID_STANDARD) // in test_between.c
            continue;
        fixture    f = make_formed(list[i], 1, 1, 0.1, 0, &seed);
        zn_lacking lack;
        assert_int_equal(!zn_system_lacks_between(f.sys, &lack), has_between(list[i]));
        if (has_between(list[i]))
            check_between(f.sys, list[i], &seed);
        else
            assert_string_equal(lack.reason, "neo-Hookean with mean dilatation has none");
        destroy_fixture(&f);
    }
}

// --- what cannot be built ------------------------------------------------------------------------

static void test_refused(void **state)
{
    (void)state;
    for (int i = 0; i < SOLID_CASES; i++)
        for (int f = ZN_SOLID_STANDARD; f <= ZN_SOLID_ENHANCED + 1; f++) {
            solid_case   c = solid_case_at(i);
            log_capture  log = {0};
            zn_model    *model = make_model(solid_case_planar(c), zn_vec3_make(0, 0, 0), &log);
            zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(1, 1, 1), 1, 1, 1);
            zn_solid_def def = soft_solid(c, mesh);
            def.formulation = (zn_solid_formulation)f;
            zn_status status = zn_model_add_solid(model, &def);
            bool      good = f <= ZN_SOLID_ENHANCED && exists(c, (zn_solid_formulation)f);
            assert_int_equal(status, good ? ZN_OK : f > ZN_SOLID_ENHANCED ? ZN_ERR_ARGUMENT : ZN_ERR_MODEL);
            if (!good)
                CHECK_LOGGED(&log, "formulation");
            zn_mesh_destroy(mesh);
            zn_model_destroy(model);
        }
}

// --- what they are for ---------------------------------------------------------------------------

// The nodes of one undistorted element move as those of a beam in pure bending with curvature k, u = k (x y,
// -x^2/2 - nu (y^2 - z^2)/2, -nu y z). The energy over that of the beam, E I k^2 l / 2, is 1 without locking.
static double bending_ratio(formed_case k, double poisson, double aspect)
{
    bool     planar = solid_case_planar(k.c);
    double   a = aspect, height = 1, curvature = 1e-3, q[MAX];
    zn_mesh *mesh = make_mesh(k.c.shape, zn_vec3_make(a, height, 1), 1, 1, 1);
    for (int i = 0; i < mesh->node_count; i++) { // about the middle
        mesh->nodes[i].x -= 0.5 * a;
        mesh->nodes[i].y -= 0.5;
        mesh->nodes[i].z -= planar ? 0 : 0.5;
    }
    zn_solid_def def = soft_solid(k.c, mesh);
    def.formulation = k.formulation;
    def.poisson = poisson;
    def.thickness = 1;
    fixture f = make_solid(def, mesh, zn_vec3_make(0, 0, 0), NULL);
    for (int n = 0; n < f.sys->layout.nodes; n++) {
        const zn_layout_node *node = &f.sys->layout.node[n];
        zn_vec3               X = node->origin;
        q[node->q] = curvature * X.x * X.y; // nodes have x^2, y^2, z^2 all the same
        q[node->q + 1] = 0;
        if (!planar)
            q[node->q + 2] = -poisson * curvature * X.y * X.z;
    }
    double young = planar && k.c.plane == ZN_PLANE_STRAIN ? 10 / (1 - poisson * poisson) : 10;
    double ratio = strain_energy(f.sys, q) / (0.5 * young / 12 * curvature * curvature * a);
    destroy_fixture(&f);
    return ratio;
}

// The ratio by hand: strains k y along x, -nu k y along z, shears k x and -nu k z, which bending does not have.
static double locked_ratio(formed_case k, double nu, double aspect)
{
    bool   planar = solid_case_planar(k.c), thin = planar && k.c.plane == ZN_PLANE_STRESS;
    double mu = 1 / (2 * (1 + nu)), lambda = nu / ((1 + nu) * (1 - 2 * nu)), across = planar ? 0 : nu;
    double young = planar && !thin ? 1 / (1 - nu * nu) : 1;
    if (thin)
        lambda = nu / (1 - nu * nu);
    if (k.formulation == ZN_SOLID_MEAN_DILATATION) // whose mean is 0
        lambda = 0;
    return (lambda * pow(1 - across, 2) + 2 * mu * (1 + across * across) + mu * (aspect * aspect + across * across)) /
           young;
}

static void test_bending(void **state)
{
    (void)state;
    formed_case list[FORMED_MAX];
    int         count = list_cases(list);
    for (int i = 0; i < count; i++) {
        if (list[i].c.model != ZN_SOLID_LINEAR || list[i].c.shape == ZN_TET4)
            continue;
        bool free = list[i].formulation == ZN_SOLID_REDUCED || list[i].formulation == ZN_SOLID_ENHANCED;
        for (double aspect = 1; aspect < 20; aspect *= 4)
            CHECK_NEAR(bending_ratio(list[i], 0.3, aspect), free ? 1 : locked_ratio(list[i], 0.3, aspect), 1e-11);
    }
}

// The same with nearly no change of volume: the standard element locks without bound, the others do not.
static void test_volume(void **state)
{
    (void)state;
    formed_case list[FORMED_MAX];
    int         count = list_cases(list);
    for (int i = 0; i < count; i++) {
        bool thin = solid_case_planar(list[i].c) && list[i].c.plane == ZN_PLANE_STRESS;
        if (list[i].c.model != ZN_SOLID_LINEAR || list[i].c.shape == ZN_TET4 || thin)
            continue;
        double ratio = bending_ratio(list[i], 0.49999, 1);
        if (list[i].formulation == ZN_SOLID_STANDARD)
            assert_true(ratio > 1000);
        else if (list[i].formulation == ZN_SOLID_MEAN_DILATATION)
            assert_true(ratio < 2);
        else
            CHECK_NEAR(ratio, 1, 1e-9);
    }
}

// Work of a uniform load on a block of tetrahedra that is held at one end, f.K^-1 f, with shear modulus 1.
static double compliance(zn_solid_formulation formulation, double poisson)
{
    enum { ROOM = 3 * 5 * 3 * 3 };
    zn_mesh     *mesh = make_mesh(ZN_TET4, zn_vec3_make(2, 1, 1), 4, 2, 2);
    zn_model    *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_solid_def def = soft_solid((solid_case){.shape = ZN_TET4, .model = ZN_SOLID_LINEAR}, mesh);
    uint64_t     seed = 9;
    double       none[ROOM] = {0}, load[ROOM] = {0}, x[ROOM] = {0}, sum = 0;
    distort(mesh, 0.05, &seed);
    def.formulation = formulation;
    def.poisson = poisson;
    def.young = 2 * (1 + poisson);
    CHECK_OK(zn_model_add_solid(model, &def));
    CHECK_OK(zn_model_fix_node_set(model, "body.xmin", ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z));
    zn_mesh_destroy(mesh);
    fixture       f = compile_fixture(model);
    zn_sparse    *K = NULL;
    zn_linsolver *solver = NULL;
    assert_true(f.sys->info.n_all <= ROOM);
    CHECK_OK(zn_system_matrix(f.sys, &K));
    CHECK_OK(zn_system_operators(f.sys, (zn_at){none, none, 0, 0}, 0, 0, 1, K));
    CHECK_OK(zn_linsolver_create(K, NULL, &solver));
    CHECK_OK(zn_linsolver_factor(solver, K));
    for (int n = 0; n < f.sys->layout.nodes; n++)
        if (f.sys->layout.node[n].dof[1] < f.sys->info.n)
            load[f.sys->layout.node[n].dof[1]] = x[f.sys->layout.node[n].dof[1]] = 1;
    CHECK_OK(zn_linsolver_solve(solver, 1, x));
    for (int k = 0; k < f.sys->info.n; k++)
        sum += load[k] * x[k];
    zn_linsolver_destroy(solver);
    zn_sparse_destroy(K);
    destroy_fixture(&f);
    return sum;
}

// With one pressure for each node tetrahedra have a limit at Poisson's ratio 1/2 that moves; the others lock.
static void test_tetrahedra(void **state)
{
    (void)state;
    double near = compliance(ZN_SOLID_MEAN_DILATATION, 0.4999);
    double nearer = compliance(ZN_SOLID_MEAN_DILATATION, 0.499999);
    CHECK_NEAR(nearer / near, 1, 0.01);
    assert_true(nearer > 0.5 * compliance(ZN_SOLID_MEAN_DILATATION, 0.3));
    assert_true(3 * compliance(ZN_SOLID_STANDARD, 0.499999) < nearer); // 96 constraints of 108 motions
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_damping),    cmocka_unit_test(test_patch),
        cmocka_unit_test(test_rotation),    cmocka_unit_test(test_modes),      cmocka_unit_test(test_mass),
        cmocka_unit_test(test_between),     cmocka_unit_test(test_refused),    cmocka_unit_test(test_bending),
        cmocka_unit_test(test_volume),      cmocka_unit_test(test_tetrahedra),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
