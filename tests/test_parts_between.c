// Springs and loads on levers of bodies that turn, and beams, between two states: work on the way, which for turns is
// Cayley's vector, is the loss of energy however far the states are apart; no resultant, no moment about the middle;
// tangents against finite differences; loads do what they would on the mean lever.
#include "parts_between.h"

#include "model/attachment.h"
#include "model/rigid_way.h"

enum { MAX = FIXTURE_MAX };

static const zn_vec3 nowhere = {0, 0, 0};

static double size_of(part_kind kind) { return kind == SPRINGS ? 0.6 : kind == BEAM ? 0.25 : 0.1; }

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static double strain(const zn_system *sys, zn_at at)
{
    zn_energy e;
    CHECK_OK(zn_system_energy(sys, at, &e));
    return e.strain + e.gravity;
}

// --- energy and momentum ---------------------------------------------------------------------------

static void test_energy(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 2 * PART_KINDS; i++) {
        part_kind kind = (part_kind)(i / 2);
        bool      planar = i % 2 == 0;
        if (!parts_exist(kind, planar))
            continue;
        fixture f = compile_fixture(make_parts(kind, planar, 0, zn_vec3_make(0.4, -2, planar ? 0 : 0.3)));
        for (int trial = 0; trial < 10; trial++) {
            two_ends e;
            double   force[MAX], way[MAX];
            far_ends(f.sys, size_of(kind), &seed, &e);
            way_between(f.sys, e.s, way);
            double V[2] = {strain(f.sys, e.s.from), strain(f.sys, e.s.to)}, size = fabs(V[0]) + fabs(V[1]) + 1;
            CHECK_OK(zn_system_force_between(f.sys, e.s, force));
            if (!planar && kind == SPRINGS) // gyroscopic forces take none, but along the mean spin only
                for (int k = 0; k < 2; k++)
                    memset(e.v[k], 0, sizeof e.v[k]);
            CHECK_OK(zn_system_force_between(f.sys, e.s, force));
            CHECK_NEAR(dot(f.sys->info.n, force, way), V[0] - V[1], 3e-14 * size);
            assert_true(fabs(V[0] - V[1]) > 1e-3);
        }
        destroy_fixture(&f);
    }
}

// Sum of the forces, and of their moments about the origin in the middle. Forces on rotations have gone through the
// mean rotation.
static void resultant(const zn_system *sys, const double *f, zn_between s, zn_vec3 out[2])
{
    out[0] = out[1] = nowhere;
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        zn_rigid_way          w = zn_rigid_way_of(&sys->layout, (zn_node_id){i + 1}, s);
        bool                  space = zn_node_dimension(node->kind) == 3;
        zn_vec3               F = {f[node->dof[0]], f[node->dof[1]], space ? f[node->dof[2]] : 0}, M = {0, 0, 0};
        if (node->kind == ZN_FRAME2)
            M.z = f[node->dof[5]];
        else if (node->kind == ZN_FRAME3)
            M = zn_rigid_way_lever(&w, (zn_vec3){f[node->dof[3]], f[node->dof[4]], f[node->dof[5]]});
        out[0] = zn_vec3_add(out[0], F);
        out[1] = zn_vec3_add(out[1], zn_vec3_add(M, zn_vec3_cross(w.middle, F)));
    }
}

static void test_momentum(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 2 * LINEAR_BEAM; i++) {
        part_kind kind = (part_kind)(i / 2);
        bool      planar = i % 2 == 0;
        if (!parts_exist(kind, planar))
            continue;
        fixture  f = compile_fixture(make_parts(kind, planar, kind == SPRINGS ? 2 : 0, nowhere));
        two_ends e;
        double   force[MAX];
        zn_vec3  sum[2];
        far_ends(f.sys, size_of(kind), &seed, &e);
        if (!planar) { // without the gyroscopic forces, which belong to the inertia; dampers see translations
            for (int n = 0; n < f.sys->layout.nodes; n++)
                for (int k = 3; k < 6 && f.sys->layout.node[n].dof[k] >= 0; k++)
                    e.v[0][f.sys->layout.node[n].dof[k]] = e.v[1][f.sys->layout.node[n].dof[k]] = 0;
        }
        CHECK_OK(zn_system_force_between(f.sys, e.s, force));
        resultant(f.sys, force, e.s, sum);
        double size = largest_of(f.sys->info.n, force);
        assert_true(size > 1);
        CHECK_BELOW(zn_vec3_norm(sum[0]), 1e-14 * size);
        CHECK_BELOW(zn_vec3_norm(sum[1]), 1e-13 * size);
        destroy_fixture(&f);
    }
}

// A damper takes c (l_1 - l_0)^2 / h where velocities belong to the step.
static void test_damper(void **state)
{
    (void)state;
    const double h = 0.4;
    uint64_t     seed = 3;
    for (int planar = 0; planar < 2; planar++) {
        zn_model  *model = make_model(planar, nowhere, NULL);
        zn_node_id a = add_turner(model, planar, "a", nowhere),
                   b = add_turner(model, planar, "b", zn_vec3_make(2, 0.5, 0));
        zn_attachment end[2] = {{a, {0.5, 0.3, planar ? 0 : -0.2}}, {b, {-0.4, 0.2, planar ? 0 : 0.3}}};
        tie(model, "spring", end[0], end[1], 2);
        fixture  f = compile_fixture(model);
        two_ends e;
        double   force[MAX], way[MAX], l[2];
        far_ends(f.sys, 0.6, &seed, &e);
        way_between(f.sys, e.s, way);
        for (int i = 0; i < f.sys->info.n; i++)
            e.v[1][i] = 2 * way[i] / h - e.v[0][i];
        for (int k = 0; k < 2; k++)
            l[k] = zn_vec3_norm(zn_vec3_sub(zn_attachment_position(&f.sys->layout, &end[0], e.q[k]),
                                            zn_attachment_position(&f.sys->layout, &end[1], e.q[k])));
        CHECK_OK(zn_system_force_between(f.sys, e.s, force));
        double loss = strain(f.sys, e.s.from) - strain(f.sys, e.s.to), taken = 2 * (l[1] - l[0]) * (l[1] - l[0]) / h;
        CHECK_NEAR(dot(f.sys->info.n, force, way), loss - taken, 1e-13);
        assert_true(taken > 0.01);
        destroy_fixture(&f);
    }
}

// --- loads -----------------------------------------------------------------------------------------

// A force on a lever, a torque or moments (one follows), on a body and a point mass.
static fixture make_loaded(bool planar, bool moments, zn_signal *(*load)(double))
{
    zn_model    *model = make_model(planar, nowhere, NULL);
    zn_node_id   body = add_turner(model, planar, "body", zn_vec3_make(1, 0, 0));
    zn_force_def push = zn_force_def_default();
    push.name = "push";
    push.point = (zn_attachment){body, {0.4, -0.3, planar ? 0 : 0.2}};
    push.force[0] = load(2);
    push.force[1] = load(-3);
    if (!planar)
        push.force[2] = load(1.5);
    else if (moments)
        push.torque = load(0.7);
    CHECK_OK(zn_model_add_force(model, &push));
    for (int k = 0; moments && !planar && k < 2; k++) {
        zn_moment_def def = zn_moment_def_default();
        def.name = k == 0 ? "dead" : "following";
        def.node = body;
        def.follower = k == 1;
        def.moment[0] = load(0.5 + k);
        def.moment[2] = load(-0.8);
        CHECK_OK(zn_model_add_moment(model, &def));
    }
    return compile_fixture(model);
}

static void at_rest(two_ends *e) { memset(e->v, 0, sizeof e->v); }

// What a force does is the force times what its point moves.
static void test_force(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int planar = 0; planar < 2; planar++) {
        fixture  f = make_loaded(planar, false, steady);
        two_ends e;
        double   force[MAX], part[MAX], way[MAX];
        far_ends(f.sys, 0.7, &seed, &e);
        at_rest(&e);
        way_between(f.sys, e.s, way);
        CHECK_OK(zn_system_force_between(f.sys, e.s, force));
        CHECK_OK(zn_system_load_between(f.sys, e.s, part));
        const zn_attachment point = {{1}, {0.4, -0.3, planar ? 0 : 0.2}};
        zn_vec3             F = {2, -3, planar ? 0 : 1.5};
        zn_vec3             x = zn_vec3_sub(zn_attachment_position(&f.sys->layout, &point, e.q[1]),
                                            zn_attachment_position(&f.sys->layout, &point, e.q[0]));
        CHECK_NEAR(dot(f.sys->info.n, force, way), zn_vec3_dot(F, x), 1e-14);
        for (int i = 0; i < f.sys->info.n; i++)
            CHECK_NEAR(force[i], part[i], 0);
        destroy_fixture(&f);
    }
}

// Torque, and moments: world axes M.w with w in world axes, following M.w in those of the body, where w is the same at
// both ends; as vectors the dead one is M, the other its mean.
static void test_moments(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int planar = 0; planar < 2; planar++) {
        fixture  f[2] = {make_loaded(planar, false, steady), make_loaded(planar, true, steady)};
        two_ends e;
        double   force[2][MAX], way[MAX];
        far_ends(f[0].sys, 0.7, &seed, &e);
        at_rest(&e);
        way_between(f[0].sys, e.s, way);
        for (int k = 0; k < 2; k++)
            CHECK_OK(zn_system_force_between(f[k].sys, e.s, force[k]));
        const int   *dof = f[0].sys->layout.node[0].dof;
        zn_rigid_way w = zn_rigid_way_of(&f[0].sys->layout, (zn_node_id){1}, e.s);
        if (planar) {
            CHECK_NEAR(force[1][dof[5]] - force[0][dof[5]], 0.7, 1e-15);
        } else {
            zn_vec3 more = {force[1][3] - force[0][3], force[1][4] - force[0][4], force[1][5] - force[0][5]};
            zn_vec3 follows = {1.5, 0, -0.8}, M = zn_vec3_add((zn_vec3){0.5, 0, -0.8}, zn_rigid_way_lever(&w, follows));
            CHECK_BELOW(zn_vec3_norm(zn_vec3_sub(zn_rigid_way_lever(&w, more), M)), 1e-14);
            zn_vec3 body = {way[3], way[4], way[5]};
            CHECK_NEAR(zn_vec3_dot(more, body),
                       zn_vec3_dot((zn_vec3){0.5, 0, -0.8}, w.turn) + zn_vec3_dot(follows, body), 1e-14);
        }
        destroy_fixture(&f[0]);
        destroy_fixture(&f[1]);
    }
}

// Area inside the nodes of a rectangle's rim, or the volume of a box by its hex8 of a single element.
static double inside(const zn_system *sys, const double *q)
{
    static const int round[4] = {0, 1, 3, 2};
    double           sum = 0;
    for (int k = 0; k < 4; k++) {
        const zn_layout_node *a = &sys->layout.node[round[k]], *b = &sys->layout.node[round[(k + 1) % 4]];
        sum += 0.5 * ((a->origin.x + q[a->q]) * (b->origin.y + q[b->q + 1]) -
                      (b->origin.x + q[b->q]) * (a->origin.y + q[a->q + 1]));
    }
    return sum;
}

// Pressure on all sides of one element: work p times the change of its area, no resultant, no moment. In space no
// resultant, no moment.
static void test_pressure(void **state)
{
    (void)state;
    const char *face[6] = {"body.xmin", "body.xmax", "body.ymin", "body.ymax", "body.zmin", "body.zmax"};
    uint64_t    seed = 6;
    for (int planar = 0; planar < 2; planar++) {
        solid_case   c = {planar ? ZN_QUAD4 : ZN_HEX8, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN};
        zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(2, 1, 1), 1, 1, 1);
        zn_model    *model = make_model(planar, nowhere, NULL);
        zn_solid_def def = soft_solid(c, mesh);
        CHECK_OK(zn_model_add_solid(model, &def));
        zn_mesh_destroy(mesh);
        for (int k = 0; k < (planar ? 4 : 6); k++) {
            zn_pressure_def p = zn_pressure_def_default();
            p.name = face[k] + 5;
            p.part = "body";
            p.face = face[k];
            p.value = steady(0.7);
            p.follower = true;
            CHECK_OK(zn_model_add_pressure(model, &p));
        }
        fixture  f = compile_fixture(model);
        two_ends e;
        double   force[MAX], way[MAX];
        zn_vec3  sum[2];
        far_ends(f.sys, 0.3, &seed, &e);
        way_between(f.sys, e.s, way);
        CHECK_OK(zn_system_load_between(f.sys, e.s, force));
        resultant(f.sys, force, e.s, sum);
        CHECK_BELOW(zn_vec3_norm(sum[0]), 1e-14);
        CHECK_BELOW(zn_vec3_norm(sum[1]), 1e-14);
        double change = inside(f.sys, e.q[1]) - inside(f.sys, e.q[0]);
        assert_true(fabs(change) > 0.01);
        if (planar)
            CHECK_NEAR(dot(f.sys->info.n, force, way), -0.7 * 0.7 * change, 1e-14);
        destroy_fixture(&f);
    }
}

// --- consistency and tangents ----------------------------------------------------------------------

static fixture make_any(int i, bool planar)
{
    if (i < PART_KINDS)
        return compile_fixture(make_parts((part_kind)i, planar, 2, zn_vec3_make(0.4, -2, 0)));
    return make_loaded(planar, true, make_wave);
}

enum { ANY = PART_KINDS + 1 };

static double any_size(int i) { return i < PART_KINDS ? size_of((part_kind)i) : 0.6; }

static void test_equal_states(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 2 * ANY; i++) {
        bool planar = i % 2 == 0;
        if (i / 2 < PART_KINDS && !parts_exist((part_kind)(i / 2), planar))
            continue;
        fixture  f = make_any(i / 2, planar);
        two_ends e;
        double   force[MAX], usual[MAX];
        far_ends(f.sys, any_size(i / 2), &seed, &e);
        e.s.from = e.s.to;
        CHECK_OK(zn_system_force_between(f.sys, e.s, force));
        CHECK_OK(zn_system_force(f.sys, e.s.to, usual));
        for (int k = 0; k < f.sys->info.n_all; k++)
            CHECK_NEAR(force[k], usual[k], 1e-14 * (1 + largest_of(f.sys->info.n_all, usual)));
        destroy_fixture(&f);
    }
}

static void check_tangents(const zn_system *sys, zn_between s)
{
    double     unit[MAX] = {0}, column[MAX], K[MAX], M[MAX], v[MAX], plus[MAX], minus[MAX];
    zn_sparse *A = NULL;
    probe      p = {sys, s}, moved = p;
    CHECK_OK(zn_system_matrix(sys, &A));
    CHECK_OK(zn_system_operators_between(sys, s, 0.7, -0.3, 2, A));
    double size = largest_of(A->start[A->n], A->value);
    for (int j = 0; j < sys->info.n; j++) {
        unit[j] = 1;
        zn_sparse_multiply(A, unit, column);
        probe_slope(&p, j, K);
        CHECK_OK(zn_system_inertia(sys, s.to.q, unit, M));
        unit[j] = 0;
        memcpy(v, s.to.v, sizeof v);
        moved.s.to.v = v;
        v[j] += 0.5;
        probe_force(&moved, s.to.q, plus);
        v[j] -= 1;
        probe_force(&moved, s.to.q, minus);
        for (int i = 0; i < sys->info.n; i++)
            CHECK_NEAR(column[i], 0.7 * M[i] + 0.3 * (plus[i] - minus[i]) - 2 * K[i], 2e-11 * size);
    }
    zn_sparse_destroy(A);
}

static void test_tangents(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int i = 0; i < 2 * ANY; i++) {
        bool planar = i % 2 == 0;
        if (i / 2 < PART_KINDS && !parts_exist((part_kind)(i / 2), planar))
            continue;
        fixture f = make_any(i / 2, planar);
        for (double d = 1; d > 1e-13; d *= 1e-6) { // far apart and near
            two_ends e;
            double   step[MAX];
            far_ends(f.sys, any_size(i / 2), &seed, &e);
            random_fill(&seed, d * any_size(i / 2), f.sys->info.n_all, step);
            zn_system_retract(f.sys, e.q[0], step, e.q[1]);
            check_tangents(f.sys, e.s);
        }
        destroy_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy),       cmocka_unit_test(test_momentum), cmocka_unit_test(test_damper),
        cmocka_unit_test(test_force),        cmocka_unit_test(test_moments),  cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_equal_states), cmocka_unit_test(test_tangents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
