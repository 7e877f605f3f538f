// Forces between two states against what defines them: their work is the loss of energy however far the states are
// apart, they are the ordinary forces where the states are equal, rigid motions do nothing, they have no moment about
// the middle positions; tangents against finite differences; what lacks them is named.
#include "between_models.h"

enum { MAX = FIXTURE_MAX };

static fixture make_case(solid_case c, uint64_t *seed)
{
    zn_mesh *mesh = make_mesh(c.shape, zn_vec3_make(2, 1, 1), 2, 1, 1);
    distort(mesh, 0.1, seed);
    return make_solid(soft_solid(c, mesh), mesh, zn_vec3_make(0, 0, 0), NULL);
}

static double turn_of(solid_case c) { return c.model == ZN_SOLID_LINEAR ? 0 : 2.2; }

// Force times the difference of the states, and the sum of the magnitudes.
static double work(const zn_system *sys, const double *f, zn_between s, double *size)
{
    double d[MAX], sum = 0;
    zn_system_difference(sys, s.to.q, s.from.q, d);
    *size = 0;
    for (int i = 0; i < sys->info.n_all; i++) {
        sum += f[i] * d[i];
        *size += fabs(f[i] * d[i]);
    }
    return sum;
}

static double potential(const zn_system *sys, zn_at at)
{
    zn_energy e;
    CHECK_OK(zn_system_energy(sys, at, &e));
    return e.strain + e.gravity;
}

// --- energy --------------------------------------------------------------------------------------

// To rounding, for strains and turns of order one. The mean of the forces at the ends misses it by far.
static void test_energy(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case c = solid_case_at(i);
        fixture    f = make_case(c, &seed);
        for (int trial = 0; trial < 5; trial++) {
            two_ends e;
            double   force[MAX], from[MAX], to[MAX], size;
            random_ends(f.sys, 0.2, turn_of(c), &seed, &e);
            double V[2] = {potential(f.sys, e.s.from), potential(f.sys, e.s.to)};
            CHECK_OK(zn_system_force_between(f.sys, e.s, force));
            double loss = work(f.sys, force, e.s, &size);
            CHECK_NEAR(loss, V[0] - V[1], 1e-13 * fmax(V[0], V[1]));
            assert_true(fmin(V[0], V[1]) > 0.05);
            CHECK_OK(zn_system_force(f.sys, e.s.from, from));
            CHECK_OK(zn_system_force(f.sys, e.s.to, to));
            for (int k = 0; k < f.sys->info.n; k++)
                from[k] = 0.5 * (from[k] + to[k]);
            assert_true(c.model == ZN_SOLID_LINEAR || fabs(work(f.sys, from, e.s, &size) - V[0] + V[1]) > 1e-3);
        }
        destroy_fixture(&f);
    }
}

// Increments of all sizes, where differences of energies have no digits left. Beside the energy the force stays that of
// the middle, with an error of second order, down to rounding.
static void test_small_increments(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case c = solid_case_at(i);
        fixture    f = make_case(c, &seed);
        two_ends   e;
        double     force[MAX], middle[MAX], q[MAX], step[MAX], size;
        random_ends(f.sys, 0.2, turn_of(c), &seed, &e);
        for (int k = 0; k < f.sys->info.nq; k++)
            step[k] = random_unit(&seed);
        for (double d = 0.1; d > 1e-18; d *= 0.1) {
            for (int k = 0; k < f.sys->info.nq; k++) {
                e.q[1][k] = e.q[0][k] + d * step[k];
                q[k] = 0.5 * (e.q[0][k] + e.q[1][k]);
            }
            double V[2] = {potential(f.sys, e.s.from), potential(f.sys, e.s.to)};
            CHECK_OK(zn_system_force_between(f.sys, e.s, force));
            CHECK_NEAR(work(f.sys, force, e.s, &size), V[0] - V[1], 1e-13 * V[0]);
            CHECK_OK(zn_system_force(f.sys, (zn_at){q, e.v[0], 0, 0}, middle));
            for (int k = 0; k < f.sys->info.n; k++)
                CHECK_NEAR(force[k], middle[k], (20 * d * d + 1e-13) * largest_of(f.sys->info.n, middle));
        }
        destroy_fixture(&f);
    }
}

// Of a model with gravity, constant loads and fixed nodes, at rest at both ends: loads do force times displacement.
static void test_energy_with_loads(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int planar = 0; planar < 2; planar++) {
        fixture  f = make_workshop(planar, true, NULL);
        two_ends e;
        double   force[MAX], d[MAX], size;
        zn_power power;
        random_ends(f.sys, 0.2, 0, &seed, &e);
        memset(e.v, 0, sizeof e.v);
        CHECK_OK(zn_system_force_between(f.sys, e.s, force));
        zn_system_difference(f.sys, e.s.to.q, e.s.from.q, d);
        CHECK_OK(zn_system_power(f.sys, e.s.to, d, &power));
        double done = work(f.sys, force, e.s, &size), loss = potential(f.sys, e.s.from) - potential(f.sys, e.s.to);
        CHECK_NEAR(done, loss + power.load, 1e-13 * (size + fabs(potential(f.sys, e.s.to))));
        assert_true(fabs(power.load) > 0.1 && fabs(loss) > 0.1);
        destroy_fixture(&f);
    }
}

// Loads that change with time act as at its middle, and as much of them as there.
static void test_time(void **state)
{
    (void)state;
    uint64_t seed = 3;
    fixture  f = make_workshop(true, false, NULL);
    two_ends e;
    double   force[MAX], all[MAX];
    random_ends(f.sys, 0.2, 0, &seed, &e);
    CHECK_OK(zn_system_force_between(f.sys, e.s, force));
    e.s.from.t = e.s.to.t = 0.5;
    CHECK_OK(zn_system_force_between(f.sys, e.s, all));
    for (int i = 0; i < f.sys->info.n_all; i++)
        CHECK_NEAR(force[i], all[i], 1e-14);
    e.s.from.t = e.s.to.t = 0.7;
    CHECK_OK(zn_system_force_between(f.sys, e.s, all));
    assert_true(fabs(force[f.sys->info.n - 1] - all[f.sys->info.n - 1]) > 1e-2); // the ball
    destroy_fixture(&f);
}

// --- consistency ---------------------------------------------------------------------------------

static zn_sparse *new_matrix(const zn_system *sys)
{
    zn_sparse *matrix = NULL;
    CHECK_OK(zn_system_matrix(sys, &matrix));
    return matrix;
}

// Equal states: the ordinary force, and half its tangents, as half of the strain and of the velocity belong to the end.
static void test_equal_states(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int planar = 0; planar < 2; planar++) {
        fixture  f = make_workshop(planar, false, NULL);
        two_ends e;
        double   force[MAX], usual[MAX];
        random_ends(f.sys, 0.2, 0, &seed, &e);
        e.s.from = e.s.to;
        e.s.from.relief = e.s.to.relief = 0.25;
        CHECK_OK(zn_system_force_between(f.sys, e.s, force));
        CHECK_OK(zn_system_force(f.sys, e.s.to, usual));
        for (int i = 0; i < f.sys->info.n_all; i++)
            CHECK_NEAR(force[i], usual[i], 1e-14 * largest_of(f.sys->info.n_all, usual));
        zn_sparse *between = new_matrix(f.sys), *at = new_matrix(f.sys);
        CHECK_OK(zn_system_operators_between(f.sys, e.s, 0.7, 2, 3, between));
        CHECK_OK(zn_system_operators(f.sys, e.s.to, 0.7, 1, 1.5, at));
        for (int k = 0; k < at->start[at->n]; k++)
            CHECK_NEAR(between->value[k], at->value[k], 1e-14 * largest_of(at->start[at->n], at->value));
        zn_sparse_destroy(between);
        zn_sparse_destroy(at);
        destroy_fixture(&f);
    }
}

// Dampers take the mean velocity: what they do is -C v.
static void test_damping(void **state)
{
    (void)state;
    uint64_t seed = 5;
    fixture  f = make_workshop(true, false, NULL);
    two_ends e;
    double   force[MAX], still[MAX], mean[MAX], zero[MAX] = {0}, expected[MAX], largest = 0;
    random_ends(f.sys, 0.2, 0, &seed, &e);
    e.s.from.q = e.s.to.q; // the direction of a spring is a mean
    CHECK_OK(zn_system_force_between(f.sys, e.s, force));
    for (int i = 0; i < f.sys->info.n_all; i++)
        mean[i] = 0.5 * (e.v[0][i] + e.v[1][i]);
    e.s.from.v = e.s.to.v = zero;
    CHECK_OK(zn_system_force_between(f.sys, e.s, still));
    zn_sparse *C = new_matrix(f.sys);
    CHECK_OK(zn_system_operators(f.sys, e.s.to, 0, 1, 0, C));
    zn_sparse_multiply(C, mean, expected);
    for (int i = 0; i < f.sys->info.n; i++) {
        CHECK_NEAR(still[i] - force[i], expected[i], 1e-13);
        largest = fmax(largest, fabs(expected[i]));
    }
    assert_true(largest > 0.1);
    zn_sparse_destroy(C);
    destroy_fixture(&f);
}

// --- momentum and rigid motion -------------------------------------------------------------------

// Sum of the forces, and of x_mid x f.
static void resultant(const zn_system *sys, const double *f, zn_between s, double size[2], zn_vec3 out[2])
{
    out[0] = out[1] = (zn_vec3){0, 0, 0};
    size[0] = size[1] = 0;
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        double                x[3] = {node->origin.x, node->origin.y, node->origin.z}, F[3] = {0, 0, 0};
        for (int k = 0; k < zn_node_dimension(node->kind); k++) {
            x[k] += 0.5 * (s.from.q[node->q + k] + s.to.q[node->q + k]);
            F[k] = f[node->dof[k]];
        }
        zn_vec3 r = {x[0], x[1], x[2]}, push = {F[0], F[1], F[2]};
        out[0] = zn_vec3_add(out[0], push);
        out[1] = zn_vec3_add(out[1], zn_vec3_cross(r, push));
        size[0] += zn_vec3_norm(push);
        size[1] += zn_vec3_norm(r) * zn_vec3_norm(push);
    }
}

static void test_momentum(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case c = solid_case_at(i);
        fixture    f = make_case(c, &seed);
        two_ends   e;
        double     force[MAX], size[2];
        zn_vec3    sum[2];
        random_ends(f.sys, 0.2, turn_of(c), &seed, &e);
        CHECK_OK(zn_system_force_between(f.sys, e.s, force));
        resultant(f.sys, force, e.s, size, sum);
        assert_true(size[0] > 1);
        CHECK_BELOW(zn_vec3_norm(sum[0]), 1e-14 * size[0]);
        if (c.model == ZN_SOLID_LINEAR) // whose forces do not turn with the body
            assert_true(zn_vec3_norm(sum[1]) > 1e-3 * size[1]);
        else
            CHECK_BELOW(zn_vec3_norm(sum[1]), 1e-14 * size[1]);
        destroy_fixture(&f);
    }
}

static void test_rigid_motion(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < SOLID_CASES; i++) {
        if (solid_case_at(i).model == ZN_SOLID_LINEAR)
            continue;
        fixture  f = make_case(solid_case_at(i), &seed);
        two_ends e;
        double   force[MAX];
        for (double turn = -3.1; turn < 3.2; turn += 0.62) {
            random_ends(f.sys, 0, turn, &seed, &e);
            CHECK_OK(zn_system_force_between(f.sys, e.s, force));
            CHECK_BELOW(largest_of(f.sys->info.n, force), 1e-13); // Young's modulus 10, positions up to 30
        }
        destroy_fixture(&f);
    }
}

// Turning both states turns the force.
static void test_frame_indifference(void **state)
{
    (void)state;
    uint64_t      seed = 8;
    const zn_vec3 axis[2] = {{0.4, -1, 0.7}, {0, 0, 1.3}};
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case c = solid_case_at(i);
        if (c.model == ZN_SOLID_LINEAR)
            continue;
        fixture  f = make_case(c, &seed);
        zn_mat3  R = zn_quat_matrix(zn_so3_exp(axis[solid_case_planar(c)]));
        two_ends e, turned;
        double   force[MAX], other[MAX];
        random_ends(f.sys, 0.2, 2.2, &seed, &e);
        turned.s = (zn_between){.from = {turned.q[0], e.v[0], 0, 0}, .to = {turned.q[1], e.v[1], 0, 0}};
        for (int n = 0; n < 2 * f.sys->layout.nodes; n++) {
            const zn_layout_node *node = &f.sys->layout.node[n / 2];
            const double         *q = e.q[n % 2] + node->q, X[3] = {node->origin.x, node->origin.y, node->origin.z};
            zn_vec3 x = {X[0] + q[0], X[1] + q[1], solid_case_planar(c) ? 0 : X[2] + q[2]}, y = zn_mat3_apply(R, x);
            const double moved[3] = {y.x, y.y, y.z};
            for (int k = 0; k < zn_node_dimension(node->kind); k++)
                turned.q[n % 2][node->q + k] = moved[k] - X[k];
        }
        CHECK_OK(zn_system_force_between(f.sys, e.s, force));
        CHECK_OK(zn_system_force_between(f.sys, turned.s, other));
        for (int n = 0; n < f.sys->layout.nodes; n++) {
            const int   *dof = f.sys->layout.node[n].dof;
            zn_vec3      F = {force[dof[0]], force[dof[1]], solid_case_planar(c) ? 0 : force[dof[2]]};
            zn_vec3      expected = zn_mat3_apply(R, F);
            const double part[3] = {expected.x, expected.y, expected.z};
            for (int k = 0; k < (solid_case_planar(c) ? 2 : 3); k++)
                CHECK_NEAR(other[dof[k]], part[k], 1e-13);
        }
        destroy_fixture(&f);
    }
}

// --- tangents ------------------------------------------------------------------------------------

// Column j of a M + b C + c K by differences; the force is linear in v.
static void numeric_column(probe *p, const double factor[3], int j, double *out)
{
    int    n = p->sys->info.n_all;
    double unit[MAX] = {0}, K[MAX], M[MAX], plus[MAX], minus[MAX], v[MAX];
    unit[j] = 1;
    probe_slope(p, j, K);
    CHECK_OK(zn_system_inertia(p->sys, p->s.to.q, unit, M));
    memcpy(v, p->s.to.v, sizeof v);
    probe moved = *p;
    moved.s.to.v = v;
    v[j] += 0.5;
    probe_force(&moved, p->s.to.q, plus);
    v[j] -= 1;
    probe_force(&moved, p->s.to.q, minus);
    for (int i = 0; i < n; i++)
        out[i] = factor[0] * M[i] - factor[1] * (plus[i] - minus[i]) - factor[2] * K[i];
}

static void check_operators(const zn_system *sys, zn_between s, const double factor[3], double *asymmetry)
{
    double     column[MAX], numeric[MAX], unit[MAX] = {0};
    zn_sparse *matrix = new_matrix(sys);
    probe      p = {sys, s};
    CHECK_OK(zn_system_operators_between(sys, s, factor[0], factor[1], factor[2], matrix));
    for (int j = 0; j < sys->info.n; j++) {
        double turned[MAX];
        unit[j] = 1;
        zn_sparse_multiply(matrix, unit, column);
        unit[j] = 0;
        numeric_column(&p, factor, j, numeric);
        for (int i = 0; i < sys->info.n; i++)
            CHECK_NEAR(column[i], numeric[i], 1e-10); // entries are of order 1 to 10
        for (int i = 0; i < sys->info.n; i++) {
            unit[i] = 1;
            zn_sparse_multiply(matrix, unit, turned);
            unit[i] = 0;
            *asymmetry = fmax(*asymmetry, fabs(turned[j] - column[i]));
        }
    }
    zn_sparse_destroy(matrix);
}

static void test_tangents(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case c = solid_case_at(i);
        fixture    f = make_case(c, &seed);
        two_ends   e;
        double     asymmetry = 0;
        random_ends(f.sys, 0.2, turn_of(c), &seed, &e);
        check_operators(f.sys, e.s, (double[3]){0, 0, 1}, &asymmetry);
        assert_true(c.model == ZN_SOLID_LINEAR ? asymmetry < 1e-13 : asymmetry > 0.1);
        for (double d = 1e-3; d > 1e-17; d *= 1e-6) { // nothing is divided by the increment
            for (int k = 0; k < f.sys->info.nq; k++)
                e.q[1][k] = e.q[0][k] + d * random_unit(&seed);
            check_operators(f.sys, e.s, (double[3]){0, 0, 1}, &asymmetry);
        }
        destroy_fixture(&f);
    }
}

// Parts that share a block, fixed nodes, dampers, loads, a point mass: all of it in one matrix.
static void test_system_matrix(void **state)
{
    (void)state;
    uint64_t seed = 10;
    for (int planar = 0; planar < 2; planar++) {
        fixture  f = make_workshop(planar, false, NULL);
        two_ends e;
        double   asymmetry = 0;
        random_ends(f.sys, 0.2, 0, &seed, &e);
        assert_true(f.sys->info.n < f.sys->info.n_all);
        check_operators(f.sys, e.s, (double[3]){1, 0, 0}, &asymmetry);
        check_operators(f.sys, e.s, (double[3]){0, 1, 0}, &asymmetry);
        check_operators(f.sys, e.s, (double[3]){0.7, -0.3, 2}, &asymmetry);
        destroy_fixture(&f);
    }
}

// --- failures ------------------------------------------------------------------------------------

static void test_inverted(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        log_capture log = {0};
        solid_case  c = {ZN_QUAD4, ZN_SOLID_SAINT_VENANT_KIRCHHOFF, ZN_PLANE_STRESS};
        zn_mesh    *mesh = make_mesh(c.shape, zn_vec3_make(2, 1, 0), 2, 1, 1);
        fixture     f = make_solid(soft_solid(c, mesh), mesh, zn_vec3_make(0, 0, 0), &log);
        two_ends    e = {0};
        double      force[MAX];
        zn_sparse  *K = new_matrix(f.sys);
        e.s = (zn_between){.from = {e.q[0], e.v[0], 0, 0}, .to = {e.q[1], e.v[1], 0, 0}};
        CHECK_OK(zn_system_force_between(f.sys, e.s, force));
        e.q[side][f.sys->layout.node[5].q] = -5; // through the element
        CHECK_STATUS(zn_system_force_between(f.sys, e.s, force), ZN_INVALID_STATE);
        CHECK_LOGGED(&log, "part 'body': element 1 is inverted");
        CHECK_STATUS(zn_system_operators_between(f.sys, e.s, 1, 0, 1, K), ZN_INVALID_STATE);
        CHECK_OK(zn_system_operators_between(f.sys, e.s, 1, 1, 0, K)); // masses do not mind
        e.q[side][f.sys->layout.node[5].q] = 0;
        zn_fault_inject(1);
        CHECK_STATUS(zn_system_force_between(f.sys, e.s, force), ZN_INVALID_STATE);
        zn_fault_inject(1);
        CHECK_STATUS(zn_system_operators_between(f.sys, e.s, 1, 0, 1, K), ZN_INVALID_STATE);
        zn_sparse_destroy(K);
        destroy_fixture(&f);
    }
}

// --- what lacks ----------------------------------------------------------------------------------

typedef void (*adder)(zn_model *model);

static void add_beam(zn_model *model, zn_beam_theory theory)
{
    zn_beam_def def = zn_beam_def_default();
    def.theory = theory;
    def.name = "rod";
    def.from = zn_vec3_make(0, 3, 0);
    def.to = zn_vec3_make(1, 3, 0);
    def.elements = 2;
    def.young = def.density = 1;
    def.section = zn_beam_section_rectangle(0.1, 0.1, 0);
    CHECK_OK(zn_model_add_beam(model, &def));
}

static void add_rod(zn_model *model) { add_beam(model, ZN_BEAM_EXACT); }

static void add_bracket(zn_model *model)
{
    add_beam(model, ZN_BEAM_TIMOSHENKO);
    add_spring(model, "pull", (zn_attachment){.at = {1, 9, 0}},
               (zn_attachment){zn_model_find_node(model, "rod[2]"), {0.2, 0, 0}});
}

static void add_lever(zn_model *model)
{
    zn_node_id crank = add_body(model, "crank", zn_vec3_make(0, 9, 0), 0.1);
    add_spring(model, "centred", (zn_attachment){.at = {1, 9, 0}}, (zn_attachment){crank, {0, 0, 0}});
    add_spring(model, "pull", (zn_attachment){.at = {1, 9, 0}}, (zn_attachment){crank, {0.2, 0, 0}});
}

static void add_follower(zn_model *model) { add_pressure(model, "body.xmax", steady(1), true); }

static void add_crank(zn_model *model)
{
    zn_node_id crank = add_body(model, "crank", zn_vec3_make(0, 9, 0), 0.1);
    add_load(model, "centred", (zn_attachment){crank, {0, 0, 0}}, true, true);
    add_load(model, "drive", (zn_attachment){crank, {0.2, 0, 0}}, true, false);
}

static void add_block_on_floor(zn_model *model)
{
    zn_node_id block = add_body(model, "block", zn_vec3_make(0, 9, 0), 0.1);
    add_plane(model, "corner", block, zn_vec3_make(0.5, -0.5, 0), zn_vec3_make(0, 1, 0), 0);
}

static void add_link(zn_model *model)
{
    zn_joint_def def = zn_joint_def_default();
    zn_node_id   bob = add_body(model, "bob", zn_vec3_make(0, 9, 0), 0);
    def.name = "link";
    def.kind = ZN_JOINT_ROD;
    def.a = (zn_attachment){bob, {0, 0, 0}};
    def.b = (zn_attachment){.at = {0, 10, 0}};
    CHECK_OK(zn_model_add_joint(model, &def));
}

static void add_box(zn_model *model)
{
    zn_shape_def box = zn_shape_def_default(), ball = zn_shape_def_default();
    zn_pairs_def def = zn_pairs_def_default();
    box.name = ball.name = "shapes";
    box.kind = ZN_SHAPE_BOX;
    box.box = zn_vec3_make(1, 1, 1);
    ball.at.node = add_body(model, "pebble", zn_vec3_make(0, 9, 0), 0);
    ball.radius = 0.1;
    CHECK_OK(zn_model_add_shape(model, &box));
    CHECK_OK(zn_model_add_shape(model, &ball));
    def.name = "heap";
    def.between = (const char *const[]){"shapes"};
    def.between_count = 1;
    CHECK_OK(zn_model_add_pairs(model, &def));
}

static zn_status unit_mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    M[0] = 1;
    return ZN_OK;
}

static void add_minimal(zn_model *model)
{
    zn_lagrangian_def def = zn_lagrangian_def_default();
    def.name = "minimal";
    def.n = 1;
    def.q0 = (double[1]){0};
    def.mass = unit_mass;
    CHECK_OK(zn_model_add_lagrangian(model, &def));
}

static void add_nothing(zn_model *model) { (void)model; }

static void test_refusal(void **state)
{
    (void)state;
    const struct {
        adder       add;
        const char *message;
    } model_of[] = {
        {add_nothing, NULL},
        {add_lever, NULL},
        {add_rod, NULL},
        {add_bracket, "some_scheme: part 'pull' (spring) has no force between two states, it acts off the centre of a "
                      "frame of linear beams, whose turns add"},
        {add_minimal, "part 'minimal' (lagrangian) has no force between two states, its mass depends on where it is"},
        {add_follower, NULL},
        {add_crank, NULL},
        {add_block_on_floor, NULL},
        {add_box, "contact 'heap' (pairs of many shapes) has no force between two states, its shapes are not spheres "
                  "and planes alone"},
        {add_link, NULL},
    };
    for (size_t i = 0; i < sizeof model_of / sizeof *model_of; i++) {
        log_capture log = {0};
        zn_lacking  lack;
        zn_model   *model = make_model(true, zn_vec3_make(0, -1, 0), &log);
        add_part(model, "body", (solid_case){ZN_QUAD4, ZN_SOLID_SAINT_VENANT_KIRCHHOFF, ZN_PLANE_STRESS}, 0, 0.1);
        zn_node_id ball = add_body(model, "ball", zn_vec3_make(1, 8, 0), 0);
        add_plane(model, "floor", ball, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), 0.5);
        model_of[i].add(model);
        fixture f = compile_fixture(model);
        bool    fine = model_of[i].message == NULL;
        assert_true(zn_system_lacks_between(f.sys, &lack) != fine);
        CHECK_STATUS(zn_system_refuse_between(f.sys, "some_scheme"), fine ? ZN_OK : ZN_ERR_UNSUPPORTED);
        if (!fine)
            CHECK_LOGGED(&log, model_of[i].message);
        destroy_fixture(&f);
    }
}

// Whoever does not ask is told so.
static void test_unasked(void **state)
{
    (void)state;
    zn_model *model = make_model(false, zn_vec3_make(0, -1, 0), NULL);
    add_rod(model);
    fixture    f = compile_fixture(model);
    double     force[MAX], v[MAX] = {0};
    zn_between s = {.from = {f.sys->q0, v, 0, 0}, .to = {f.sys->q0, v, 1, 0}};
    zn_sparse *K = new_matrix(f.sys);
    CHECK_STATUS(zn_system_force_between(f.sys, s, force), ZN_ERR_UNSUPPORTED);
    CHECK_STATUS(zn_system_operators_between(f.sys, s, 1, 0, 0, K), ZN_ERR_UNSUPPORTED);
    zn_sparse_destroy(K);
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_small_increments),
        cmocka_unit_test(test_energy_with_loads),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_equal_states),
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_rigid_motion),
        cmocka_unit_test(test_frame_indifference),
        cmocka_unit_test(test_tangents),
        cmocka_unit_test(test_system_matrix),
        cmocka_unit_test(test_inverted),
        cmocka_unit_test(test_refusal),
        cmocka_unit_test(test_unasked),
    };
    return cmocka_run_group_tests_name("between", tests, NULL, NULL);
}
