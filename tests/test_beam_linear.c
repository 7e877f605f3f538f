// Linear beams: closed forms of statics, rigid motion, tangent, mass, natural frequencies, shared nodes.
#include "fixtures.h"
#include "scheme_fixtures.h"
#include "system/system.h"
#include "zn/sim.h"

#define YOUNG   2.1e11
#define SHEAR   8e10
#define DENSITY 7800.0

static const zn_beam_section section = {.area = 4e-4,
                                        .shear_y = 3e-4,
                                        .shear_z = 2.5e-4,
                                        .moment_y = 3e-8,
                                        .moment_z = 1.2e-8,
                                        .torsion = 2e-8,
                                        .rotary_x = 4.2e-8};

static zn_model *space_model(void)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    CHECK_OK(zn_model_create(&def, &model));
    return model;
}

static zn_beam_def beam_def(zn_beam_theory theory, zn_vec3 from, zn_vec3 to, int elements)
{
    zn_beam_def def = zn_beam_def_default();
    def.name = "beam";
    def.from = from;
    def.to = to;
    def.elements = elements;
    def.young = YOUNG;
    def.shear_modulus = SHEAR;
    def.density = DENSITY;
    def.section = section;
    def.theory = theory;
    return def;
}

enum { CLAMPED = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION };

static zn_signal *constant(double value)
{
    zn_signal *signal = NULL;
    CHECK_OK(zn_signal_constant(value, &signal));
    return signal;
}

static void add_force(zn_model *model, zn_node_id node, zn_vec3 f)
{
    zn_force_def def = zn_force_def_default();
    def.point.node = node;
    def.force[0] = constant(f.x);
    def.force[1] = constant(f.y);
    def.force[2] = model->planar ? NULL : constant(f.z);
    CHECK_OK(zn_model_add_force(model, &def));
}

static void add_moment(zn_model *model, zn_node_id node, zn_vec3 m)
{
    zn_moment_def def = zn_moment_def_default();
    def.node = node;
    def.moment[0] = constant(m.x);
    def.moment[1] = constant(m.y);
    def.moment[2] = constant(m.z);
    CHECK_OK(zn_model_add_moment(model, &def));
}

// Static displacement of a node: position and rotation vector.
static void equilibrium(zn_model *model, zn_node_id node, double u[6])
{
    zn_system         *sys = NULL;
    zn_state          *state = NULL;
    zn_equilibrium_def def = zn_equilibrium_def_default();
    CHECK_OK(zn_system_create(model, &sys));
    assert_true(zn_system_get_info(sys).linear == (model->groups == 1) || model->groups > 1);
    CHECK_OK(zn_state_create(sys, &state));
    CHECK_OK(zn_equilibrium_solve(sys, &def, state, NULL));
    const zn_layout_node *at = &sys->layout.node[node.value - 1];
    zn_vec3               turn =
        model->planar ? zn_vec3_make(0, 0, state->q[at->q + 2]) : zn_small_rotation(at, state->q + at->q + 3);
    for (int i = 0; i < 3; i++)
        u[i] = i < 2 || !model->planar ? state->q[at->q + i] : 0;
    u[3] = turn.x;
    u[4] = turn.y;
    u[5] = turn.z;
    zn_state_destroy(state);
    zn_system_destroy(sys);
}

// --- statics ---------------------------------------------------------------------------------------

// A cantilever of any direction under tip forces along its own axes and a torque: nodal values are exact.
static void test_cantilever(void **test)
{
    (void)test;
    const zn_beam_theory theories[] = {ZN_BEAM_EULER_BERNOULLI, ZN_BEAM_TIMOSHENKO};
    const zn_vec3        ends[] = {{1.5, 0, 0}, {0, 1.5, 0}, {0, 0, -1.5}, {0.9, -0.72, 0.96}};
    for (int k = 0; k < 2; k++)
        for (int e = 0; e < 4; e++)
            for (int elements = 1; elements <= 3; elements += 2) {
                zn_model   *model = space_model();
                zn_beam_def def = beam_def(theories[k], zn_vec3_make(0.1, 0.2, 0.3),
                                           zn_vec3_add(zn_vec3_make(0.1, 0.2, 0.3), ends[e]), elements);
                def.fix_first = CLAMPED;
                double  L = zn_vec3_norm(ends[e]);
                zn_vec3 x = zn_vec3_scale(1 / L, ends[e]), y = zn_vec3_cross(zn_vec3_make(0.3, 0.5, 0.8), x);
                y = zn_vec3_scale(1 / zn_vec3_norm(y), y);
                zn_vec3 z = zn_vec3_cross(x, y);
                def.y_axis = y;
                CHECK_OK(zn_model_add_beam(model, &def));
                char       name[32];
                double     u[6], P[3] = {3, 2e-3, -3e-3}, T = 5e-4; // moments turn with the node: small ones
                zn_node_id tip;
                snprintf(name, sizeof name, "beam[%d]", elements);
                tip = zn_model_find_node(model, name);
                add_force(
                    model, tip,
                    zn_vec3_add(zn_vec3_scale(P[0], x), zn_vec3_add(zn_vec3_scale(P[1], y), zn_vec3_scale(P[2], z))));
                add_moment(model, tip, zn_vec3_scale(T, x));
                equilibrium(model, tip, u);
                bool   shear = theories[k] == ZN_BEAM_TIMOSHENKO;
                double uy = P[1] * L * L * L / (3 * YOUNG * section.moment_z) +
                            (shear ? P[1] * L / (SHEAR * section.shear_y) : 0);
                double uz = P[2] * L * L * L / (3 * YOUNG * section.moment_y) +
                            (shear ? P[2] * L / (SHEAR * section.shear_z) : 0);
                zn_vec3 moved = {u[0], u[1], u[2]}, turned = {u[3], u[4], u[5]};
                CHECK_NEAR(zn_vec3_dot(moved, x), P[0] * L / (YOUNG * section.area), 1e-6 * fabs(uy));
                CHECK_NEAR(zn_vec3_dot(moved, y), uy, 1e-6 * fabs(uy));
                CHECK_NEAR(zn_vec3_dot(moved, z), uz, 1e-6 * fabs(uz));
                CHECK_NEAR(zn_vec3_dot(turned, x), T * L / (SHEAR * section.torsion),
                           1e-6 * T * L / (SHEAR * section.torsion));
                CHECK_NEAR(zn_vec3_dot(turned, z), P[1] * L * L / (2 * YOUNG * section.moment_z), 1e-6 * fabs(uy));
                CHECK_NEAR(zn_vec3_dot(turned, y), -P[2] * L * L / (2 * YOUNG * section.moment_y), 1e-6 * fabs(uz));
                zn_model_destroy(model);
            }
}

// The planar beam is the spatial one seen from z.
static void test_planar(void **test)
{
    (void)test;
    for (int k = ZN_BEAM_TIMOSHENKO; k <= ZN_BEAM_EULER_BERNOULLI; k++) {
        zn_model   *model = planar_model(0, (zn_log){0});
        zn_beam_def def = beam_def((zn_beam_theory)k, zn_vec3_make(0, 0, 0), zn_vec3_make(0.8, 0.6, 0), 2);
        def.fix_first = CLAMPED;
        CHECK_OK(zn_model_add_beam(model, &def));
        zn_node_id tip = zn_model_find_node(model, "beam[2]");
        add_force(model, tip, zn_vec3_make(-0.6 * 7, 0.8 * 7, 0));
        double u[6],
            uy = 7 / (3 * YOUNG * section.moment_z) + (k == ZN_BEAM_TIMOSHENKO ? 7 / (SHEAR * section.shear_y) : 0);
        equilibrium(model, tip, u);
        CHECK_NEAR(-0.6 * u[0] + 0.8 * u[1], uy, 1e-11 * uy);
        CHECK_NEAR(0.8 * u[0] + 0.6 * u[1], 0, 1e-11 * uy);
        CHECK_NEAR(u[5], 7 / (2 * YOUNG * section.moment_z), 1e-11 * uy * 10);
        zn_model_destroy(model);
    }
}

// Two parts of different direction that share a node: a bent cantilever against the sum of its pieces.
static void test_shared_node(void **test)
{
    (void)test;
    zn_model   *model = space_model();
    zn_beam_def def = beam_def(ZN_BEAM_EULER_BERNOULLI, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0), 2);
    def.fix_first = CLAMPED;
    def.name = "a";
    CHECK_OK(zn_model_add_beam(model, &def));
    zn_node_id  corner = zn_model_find_node(model, "a[2]");
    zn_beam_def arm = beam_def(ZN_BEAM_EULER_BERNOULLI, zn_vec3_make(1, 0, 0), zn_vec3_make(1, 0.5, 0), 3);
    arm.name = "b";
    arm.first_node = corner;
    CHECK_OK(zn_model_add_beam(model, &arm));
    assert_int_equal(zn_model_find_node(model, "b[0]").value, corner.value);
    zn_node_id tip = zn_model_find_node(model, "b[3]");
    assert_int_equal(tip.value, corner.value + 3);
    assert_int_equal(zn_model_find_node(model, "b[4]").value, 0);
    add_force(model, tip, zn_vec3_make(0, 0, 2));
    // along z bending is about the section's y: E I_y; y of the section of a is y, that of b is -x
    double u[6], EI = YOUNG * section.moment_y, GJ = SHEAR * section.torsion, l = 0.5;
    equilibrium(model, tip, u);
    CHECK_NEAR(u[2], 2 * (1 / (3 * EI) + l * l * l / (3 * EI) + l * l / GJ), 1e-11);
    zn_model_destroy(model);

    model = space_model();
    arm.first_node = (zn_node_id){0};
    arm.last_node = (zn_node_id){7};
    CHECK_STATUS(zn_model_add_beam(model, &arm), ZN_ERR_MODEL); // no such node
    zn_body_def point = zn_body_def_default();
    point.mass = 1;
    point.position = arm.from;
    CHECK_OK(zn_model_add_body(model, &point, &arm.first_node));
    arm.last_node = (zn_node_id){0};
    CHECK_STATUS(zn_model_add_beam(model, &arm), ZN_ERR_MODEL); // does not rotate
    zn_model_destroy(model);
}

// --- operators -------------------------------------------------------------------------------------

typedef struct dense {
    zn_model  *model;
    zn_system *sys;
    int        n;
    double    *K, *M;
} dense;

static double *dense_of(const zn_system *sys, zn_at at, double a, double k)
{
    zn_sparse *matrix = NULL;
    int        n = zn_system_get_info(sys).n;
    double    *out = calloc((size_t)(n * n), sizeof *out);
    CHECK_OK(zn_system_matrix(sys, &matrix));
    CHECK_OK(zn_system_operators(sys, at, a, 0, k, matrix));
    for (int j = 0; j < n; j++)
        for (int e = matrix->start[j]; e < matrix->start[j + 1]; e++)
            out[matrix->row[e] * n + j] = matrix->value[e];
    zn_sparse_destroy(matrix);
    return out;
}

static dense dense_open(zn_model *model)
{
    dense d = {.model = model};
    CHECK_OK(zn_system_create(model, &d.sys));
    d.n = zn_system_get_info(d.sys).n;
    zn_at at = {d.sys->q0, d.sys->v0, 0, 0};
    d.K = dense_of(d.sys, at, 0, 1);
    d.M = dense_of(d.sys, at, 1, 0);
    return d;
}

static void dense_close(dense *d)
{
    free(d->K);
    free(d->M);
    zn_system_destroy(d->sys);
    zn_model_destroy(d->model);
}

// A turned frame, a beam from it and a point: translations and rotation vectors add, whatever the number of frames, in
// place too, and moving by h v is moving by that displacement.
static void test_motion(void **test)
{
    (void)test;
    enum { LONGEST = 9, SIZE = 7 * (LONGEST + 2) };
    uint64_t seed = 9;
    for (int elements = 1; elements <= LONGEST; elements++) {
        zn_model   *model = space_model();
        zn_system  *sys = NULL;
        zn_node_def turned = zn_node_def_default();
        zn_body_def point = zn_body_def_default();
        zn_beam_def def = beam_def(ZN_BEAM_EULER_BERNOULLI, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0.5, 0), elements);
        turned.kind = ZN_FRAME3;
        turned.rotation = zn_so3_exp(zn_vec3_make(1, -0.5, 0.25));
        CHECK_OK(zn_model_add_node(model, &turned, &def.first_node));
        CHECK_OK(zn_model_add_beam(model, &def));
        point.mass = 1;
        CHECK_OK(zn_model_add_body(model, &point, NULL));
        CHECK_OK(zn_system_create(model, &sys));
        double q[SIZE], v[SIZE], d[SIZE], to[SIZE], moved[SIZE], h = 0.37;
        for (int i = 0; i < sys->info.n_all; i++) {
            d[i] = 0.3 * random_unit(&seed);
            v[i] = 0.3 * random_unit(&seed);
        }
        zn_system_retract(sys, sys->q0, d, q);
        for (int i = 0; i < sys->info.n_all; i++)
            d[i] = h * v[i];
        zn_system_retract(sys, q, d, to);
        zn_system_move(sys, q, h, v, moved);
        CHECK_SAME_BITS(moved, to, sys->info.nq);
        for (int i = 0; i < sys->layout.nodes; i++) {
            const zn_layout_node *node = &sys->layout.node[i];
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(to[node->q + k], q[node->q + k] + d[node->dof[k]], 1e-16);
            if (node->kind != ZN_FRAME3)
                continue;
            const double *r = to + node->q + 3;
            zn_vec3       was = zn_small_rotation(node, q + node->q + 3), is = zn_small_rotation(node, r);
            CHECK_NEAR(is.x - was.x, d[node->dof[3]], 1e-15);
            CHECK_NEAR(is.y - was.y, d[node->dof[4]], 1e-15);
            CHECK_NEAR(is.z - was.z, d[node->dof[5]], 1e-15);
            CHECK_NEAR(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3], 1, 1e-15);
        }
        zn_system_retract(sys, q, d, q);
        CHECK_SAME_BITS(q, to, sys->info.nq);
        zn_system_destroy(sys);
        zn_model_destroy(model);
    }
}

// Force differences against K, and no force in rigid motion.
static void test_tangent_and_rigid_motion(void **test)
{
    (void)test;
    for (int k = ZN_BEAM_TIMOSHENKO; k <= ZN_BEAM_EULER_BERNOULLI; k++) {
        zn_model   *model = space_model();
        zn_beam_def def = beam_def((zn_beam_theory)k, zn_vec3_make(0.3, 0.1, -0.2), zn_vec3_make(1, 0.7, 0.4), 2);
        CHECK_OK(zn_model_add_beam(model, &def));
        dense  d = dense_open(model);
        double q[21], x[18] = {0}, f[18], size = 0;
        assert_int_equal(d.n, 18);
        assert_true(zn_system_get_info(d.sys).linear);
        for (int j = 0; j < d.n; j++) {
            double h = 1e-3;
            memset(x, 0, sizeof x);
            x[j] = h;
            zn_system_retract(d.sys, d.sys->q0, x, q);
            CHECK_OK(zn_system_force(d.sys, (zn_at){q, d.sys->v0, 0, 0}, f));
            for (int i = 0; i < d.n; i++) {
                size = fmax(size, fabs(d.K[i * d.n + j]));
                CHECK_NEAR(f[i], -h * d.K[i * d.n + j], 1e-12 * h * YOUNG * section.area);
                CHECK_NEAR(d.K[i * d.n + j], d.K[j * d.n + i], 1e-9 * size);
            }
        }
        for (int mode = 0; mode < 6; mode++) {
            zn_vec3 move = {mode == 0, mode == 1, mode == 2}, turn = {mode == 3, mode == 4, mode == 5};
            for (int node = 0; node < 3; node++) {
                zn_vec3 r = d.sys->layout.node[node].origin, u = zn_vec3_add(move, zn_vec3_cross(turn, r));
                double  list[6] = {u.x, u.y, u.z, turn.x, turn.y, turn.z};
                for (int i = 0; i < 6; i++)
                    x[d.sys->layout.node[node].dof[i]] = 1e-4 * list[i];
            }
            for (int i = 0; i < d.n; i++) {
                double sum = 0;
                for (int j = 0; j < d.n; j++)
                    sum += d.K[i * d.n + j] * x[j];
                CHECK_NEAR(sum, 0, 1e-16 * 1e3 * size);
            }
        }
        dense_close(&d);
    }
}

// Total mass and moment of inertia of both kinds of mass matrix, and the lumped entries.
static void test_mass(void **test)
{
    (void)test;
    for (int lumped = 0; lumped < 2; lumped++) {
        zn_model   *model = space_model();
        zn_beam_def def = beam_def(ZN_BEAM_EULER_BERNOULLI, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0.6, 0), 3);
        def.mass = lumped ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT;
        CHECK_OK(zn_model_add_beam(model, &def));
        dense  d = dense_open(model);
        double m = DENSITY * section.area * 0.6, l = 0.2, total = 0, swing = 0;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                const zn_layout_node *a = &d.sys->layout.node[i], *b = &d.sys->layout.node[j];
                double                xi = a->origin.y, xj = b->origin.y;
                total += d.M[a->dof[0] * d.n + b->dof[0]];
                // rotation about z: u_x = -y, turn 1
                swing += xi * xj * d.M[a->dof[0] * d.n + b->dof[0]] - xi * d.M[a->dof[0] * d.n + b->dof[5]] -
                         xj * d.M[a->dof[5] * d.n + b->dof[0]] + d.M[a->dof[5] * d.n + b->dof[5]];
            }
        CHECK_NEAR(total, m, 1e-13 * m);
        double lump = m * l * l / 6 + 3 * m / 3 * l * l / 39; // half elements at their ends, and the rotary terms
        CHECK_NEAR(swing, m * 0.36 / 3 + (lumped ? lump : 0), 1e-12 * m);
        if (lumped) {
            const int *dof = d.sys->layout.node[1].dof; // inner: two ends
            CHECK_NEAR(d.M[dof[3] * d.n + dof[3]], 2 * m / 3 * l * l / 78, 1e-15);
            CHECK_NEAR(d.M[dof[4] * d.n + dof[4]], DENSITY * section.rotary_x * l, 1e-15); // about its own axis, y
        }
        dense_close(&d);
    }
}

// --- frequencies -----------------------------------------------------------------------------------

// Smallest eigenvalue of (K, M) by inverse iteration.
static double smallest(const dense *d)
{
    int     n = d->n, *pivot = calloc((size_t)n, sizeof *pivot);
    double *lu = malloc(sizeof *lu * (size_t)(n * n)), *x = malloc(sizeof *x * (size_t)n), value = 0;
    memcpy(lu, d->K, sizeof *lu * (size_t)(n * n));
    CHECK_OK(zn_dense_lu_factor(n, lu, pivot));
    for (int i = 0; i < n; i++)
        x[i] = 1 + 0.1 * (i % 3);
    for (int k = 0; k < 40; k++) {
        double top = 0, below = 0, *y = malloc(sizeof *y * (size_t)n);
        for (int i = 0; i < n; i++) {
            y[i] = 0;
            for (int j = 0; j < n; j++)
                y[i] += d->M[i * n + j] * x[j];
        }
        for (int i = 0; i < n; i++)
            below += x[i] * y[i];
        memcpy(x, y, sizeof *x * (size_t)n);
        zn_dense_lu_solve(n, lu, pivot, x);
        for (int i = 0; i < n; i++)
            top += x[i] * y[i];
        value = below / top;
        double size = 0;
        for (int i = 0; i < n; i++)
            size = fmax(size, fabs(x[i]));
        for (int i = 0; i < n; i++)
            x[i] /= size;
        free(y);
    }
    free(lu);
    free(x);
    free(pivot);
    return value;
}

static double first_frequency(zn_beam_theory theory, int elements, bool lumped)
{
    zn_model   *model = planar_model(0, (zn_log){0});
    zn_beam_def def = beam_def(theory, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), elements);
    def.fix_first = CLAMPED;
    def.mass = lumped ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT;
    CHECK_OK(zn_model_add_beam(model, &def));
    dense  d = dense_open(model);
    double w = sqrt(smallest(&d));
    dense_close(&d);
    return w;
}

// Cantilever: w = 1.87510406871^2 sqrt(E I/(rho A L^4)). Consistent mass: order 4, lumped: order 2.
static void test_frequencies(void **test)
{
    (void)test;
    double exact = pow(1.875104068711961, 2) * sqrt(YOUNG * section.moment_z / (DENSITY * section.area));
    for (int lumped = 0; lumped < 2; lumped++) {
        slope_fit fit = {0};
        for (int n = 2; n <= 16; n *= 2)
            slope_add(&fit, 1.0 / n, fabs(first_frequency(ZN_BEAM_EULER_BERNOULLI, n, lumped) / exact - 1));
        CHECK_NEAR(slope_of(&fit), lumped ? 2 : 4, lumped ? 0.1 : 0.3);
    }
    // shear and rotary inertia lower it; first-order estimate: -(shear) - (rotary), both of the order (r/L)^2
    double timoshenko = first_frequency(ZN_BEAM_TIMOSHENKO, 40, false);
    assert_true(timoshenko < exact && timoshenko > 0.998 * exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cantilever),
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_shared_node),
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_tangent_and_rigid_motion),
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_frequencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
