// Elements against mathematics: forces are gradients of energies, operators are derivatives of forces, power is force
// times velocity, rigid motions do no work. Finite differences go through zn_system_retract, and over all degrees of
// freedom: also the fixed ones, which the sparse operators leave out, through element operations written to a dense
// matrix.
#include "element_models.h"

#include "system/system.h"

enum { MAX = FIXTURE_MAX };

// --- operators over all degrees of freedom -------------------------------------------------------

// a M + b C + c K of all blocks into a dense n_all x n_all matrix (row-major).
static void dense_operators(const zn_system *sys, zn_at at, double a, double b, double c, double *dense)
{
    int n_all = sys->info.n_all;
    memset(dense, 0, sizeof *dense * (size_t)(n_all * n_all));
    for (int k = 0; k < sys->blocks; k++) {
        zn_element_block block = sys->block[k];
        int              size = block.ops->dofs;
        int             *scatter = calloc((size_t)(block.count * size * size), sizeof *scatter);
        assert_non_null(scatter);
        for (int e = 0; e < block.count; e++)
            for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++) {
                    int row = block.dof[e * size + i], column = block.dof[e * size + j];
                    scatter[(e * size + i) * size + j] = row >= 0 && column >= 0 ? row * n_all + column : -1;
                }
        block.scatter = scatter;
        zn_status status = block.ops->operators ? block.ops->operators(&block, at, a, b, c, dense) : ZN_OK;
        free(scatter);
        CHECK_OK(status);
    }
}

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
    out[0] = e.strain, out[1] = e.gravity, out[2] = e.kinetic;
}

static void random_state(const zn_system *sys, uint64_t *seed, double *q, double *v)
{
    double dq[MAX];
    random_fill(seed, 0.3, sys->info.n_all, dq);
    zn_system_retract(sys, sys->q0, dq, q);
    random_fill(seed, 1, sys->info.n_all, v);
}

// The sparse operators are the dense ones without the fixed rows and columns; nothing is lost from the pattern.
static void check_sparse(const zn_system *sys, zn_at at, const double factor[3], const double *dense)
{
    zn_sparse *matrix = NULL;
    double     column[MAX], unit[MAX] = {0};
    CHECK_OK(zn_system_matrix(sys, &matrix));
    CHECK_OK(zn_system_operators(sys, at, factor[0], factor[1], factor[2], matrix));
    assert_int_equal(matrix->n, sys->info.n);
    for (int j = 0; j < sys->info.n; j++) {
        unit[j] = 1;
        zn_sparse_multiply(matrix, unit, column);
        unit[j] = 0;
        for (int i = 0; i < sys->info.n; i++)
            CHECK_NEAR(column[i], dense[i * sys->info.n_all + j], 1e-13);
    }
    zn_sparse_destroy(matrix);
}

// K = -df/dq and C = -df/dv, column by column.
static void check_tangents(const zn_system *sys, zn_at at)
{
    int     n = sys->info.n_all;
    double *K = calloc(2 * (size_t)(n * n), sizeof *K), *C = K + n * n;
    double  unit[MAX] = {0}, numeric[MAX], plus[MAX], minus[MAX], v[MAX], zero[MAX] = {0};
    probe   p = {sys, at};
    assert_non_null(K);
    dense_operators(sys, at, 0, 0, 1, K);
    dense_operators(sys, at, 0, 1, 0, C);
    for (int j = 0; j < n; j++) {
        unit[j] = 1;
        derivative_along(sys, force_at, &p, at.q, unit, n, numeric);
        unit[j] = 0;
        for (int i = 0; i < n; i++)
            CHECK_NEAR(K[i * n + j], -numeric[i], 2e-9); // entries are of order 10 to 100
        memcpy(v, at.v, sizeof *v * (size_t)n);          // f is linear in v: any step will do
        v[j] = at.v[j] + 0.5;
        CHECK_OK(zn_system_force(sys, (zn_at){at.q, v, at.t, 0}, plus));
        v[j] = at.v[j] - 0.5;
        CHECK_OK(zn_system_force(sys, (zn_at){at.q, v, at.t, 0}, minus));
        for (int i = 0; i < n; i++)
            CHECK_NEAR(C[i * n + j], minus[i] - plus[i], 1e-12);
    }
    check_sparse(sys, at, (double[3]){0, 0, 1}, K);
    check_sparse(sys, at, (double[3]){0, 1, 0}, C);
    zn_at still = {at.q, zero, at.t, 0};
    dense_operators(sys, still, 0.7, -0.3, 2, K); // and any combination of them
    check_sparse(sys, still, (double[3]){0.7, -0.3, 2}, K);
    free(K);
}

static void test_spring_pairs(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int planar = 0; planar < 2; planar++)
        for (int from = GROUND; from < ENDS; from++)
            for (int to = GROUND; to < ENDS; to++) {
                if (from == GROUND && to == GROUND)
                    continue;
                fixture f = make_pair(planar, (end_kind)from, (end_kind)to);
                int     n = f.sys->info.n_all;
                for (int trial = 0; trial < 3; trial++) {
                    double q[MAX], v[MAX], zero[MAX] = {0}, dq[MAX], force[MAX], gradient[3], along = 0;
                    random_state(f.sys, &seed, q, v);
                    check_tangents(f.sys, (zn_at){q, v, 0, 0});
                    // at rest the force is the gradient of the energy, along any direction
                    probe p = {f.sys, {q, zero, 0, 0}};
                    random_fill(&seed, 1, n, dq);
                    CHECK_OK(zn_system_force(f.sys, p.at, force));
                    derivative_along(f.sys, energy_at, &p, q, dq, 3, gradient);
                    for (int i = 0; i < n; i++)
                        along += force[i] * dq[i];
                    CHECK_NEAR(along, -gradient[0], 1e-9);
                    assert_true(fabs(along) > 1e-4);
                }
                destroy_fixture(&f);
            }
}

static void test_zoo_tangents(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int planar = 0; planar < 2; planar++) {
        fixture f = make_zoo(planar);
        for (int trial = 0; trial < 3; trial++) {
            double q[MAX], v[MAX];
            random_state(f.sys, &seed, q, v);
            check_tangents(f.sys, (zn_at){q, v, 0.4 * trial, 0});
        }
        destroy_fixture(&f);
    }
}

// --- mass ----------------------------------------------------------------------------------------

static void test_mass(void **state)
{
    (void)state;
    uint64_t seed = 13;
    for (int planar = 0; planar < 2; planar++) {
        fixture f = make_zoo(planar);
        int     n = f.sys->info.n_all;
        double  q[MAX], v[MAX], column[MAX], unit[MAX] = {0}, kinetic = 0;
        double *M = calloc((size_t)(n * n), sizeof *M);
        assert_non_null(M);
        random_state(f.sys, &seed, q, v);
        zn_at at = {q, v, 0, 0};
        dense_operators(f.sys, at, 1, 0, 0, M);
        check_sparse(f.sys, at, (double[3]){1, 0, 0}, M);
        for (int j = 0; j < n; j++) {
            unit[j] = 1;
            CHECK_OK(zn_system_inertia(f.sys, q, unit, column));
            unit[j] = 0;
            for (int i = 0; i < n; i++) {
                CHECK_NEAR(M[i * n + j], column[i], 1e-15);
                kinetic += 0.5 * v[i] * column[i] * v[j];
            }
        }
        zn_energy e;
        CHECK_OK(zn_system_energy(f.sys, at, &e));
        CHECK_NEAR(e.kinetic, kinetic, 1e-13);
        free(M);
        destroy_fixture(&f);
    }
}

// Bar of mass m with the velocity field x/L along its axis: m/6 exactly for the consistent matrix, the trapezoidal
// sum m (2 N^2 + 1) / (12 N^2) for the lumped one. Both carry the whole mass.
static void test_bar_mass(void **state)
{
    (void)state;
    const int    N = 4;
    const double length = 5, mass = 3 * 0.2 * length;
    for (int lumped = 0; lumped < 2; lumped++)
        for (int planar = 0; planar < 2; planar++) {
            zn_vec3   g = {1, -2, planar ? 0 : 3};
            zn_model *model = make_model(planar, g, NULL);
            zn_vec3   d = planar ? zn_vec3_make(0.6, 0.8, 0) : zn_vec3_make(0.48, 0.64, 0.6);
            add_bar(model, "bar", zn_vec3_make(1, 1, 0), zn_vec3_add(zn_vec3_make(1, 1, 0), zn_vec3_scale(length, d)),
                    N, lumped ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT);
            fixture f = compile_fixture(model);
            double  v[MAX] = {0}, scratch[MAX];
            int     dim = planar ? 2 : 3;
            for (int i = 0; i <= N; i++)
                for (int k = 0; k < dim; k++)
                    v[f.sys->layout.node[i].dof[k]] = ((const double[]){d.x, d.y, d.z})[k] * i / N;
            zn_energy e;
            CHECK_OK(zn_system_energy(f.sys, (zn_at){f.sys->q0, v, 0, 0}, &e));
            CHECK_NEAR(e.kinetic, lumped ? mass * (2 * N * N + 1) / (12.0 * N * N) : mass / 6, 1e-14);
            CHECK_NEAR(e.strain, 0, 0);
            for (int i = 0; i < f.sys->info.n_all; i++)
                v[i] = 1;
            zn_vec3 linear, angular;
            CHECK_OK(zn_system_momentum(f.sys, (zn_at){f.sys->q0, v, 0, 0}, 0, scratch, &linear, &angular));
            CHECK_NEAR(linear.x, mass, 1e-14);
            CHECK_NEAR(linear.y, mass, 1e-14);
            CHECK_NEAR(linear.z, planar ? 0 : mass, 1e-14);
            zn_vec3 centre = zn_vec3_add(zn_vec3_make(1, 1, 0), zn_vec3_scale(length / 2, d));
            zn_vec3 moment = zn_vec3_cross(centre, linear);
            CHECK_NEAR(angular.x, moment.x, 1e-13);
            CHECK_NEAR(angular.z, moment.z, 1e-13);
            CHECK_NEAR(e.gravity, -mass * zn_vec3_dot(g, centre), 1e-13);
            destroy_fixture(&f);
        }
}

// --- power and energy ----------------------------------------------------------------------------

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// Each kind of power against its own definition; w does not move what is fixed.
static void test_power(void **state)
{
    (void)state;
    uint64_t seed = 14;
    for (int planar = 0; planar < 2; planar++) {
        fixture f = make_zoo(planar);
        int     n = f.sys->info.n_all;
        for (int trial = 0; trial < 3; trial++) {
            double q[MAX], v[MAX], w[MAX], zero[MAX] = {0}, moving[MAX], still[MAX], gradient[3];
            random_state(f.sys, &seed, q, v);
            random_fill(&seed, 1, n, w);
            memset(w + f.sys->info.n, 0, sizeof *w * (size_t)(n - f.sys->info.n));
            probe    p = {f.sys, {q, v, 0.3, 0}};
            zn_power power;
            CHECK_OK(zn_system_power(f.sys, p.at, w, &power));
            CHECK_OK(zn_system_force(f.sys, p.at, moving));
            CHECK_OK(zn_system_force(f.sys, (zn_at){q, zero, 0.3, 0}, still));
            derivative_along(f.sys, energy_at, &p, q, w, 3, gradient);
            CHECK_NEAR(power.strain, -gradient[0], 1e-8);
            CHECK_NEAR(power.gravity, -gradient[1], 1e-9);
            CHECK_NEAR(gradient[2], 0, 1e-11); // kinetic energy does not depend on q
            CHECK_NEAR(power.damper, dot(n, moving, w) - dot(n, still, w), 1e-12);
            CHECK_NEAR(power.strain + power.gravity + power.load + power.damper, dot(n, moving, w), 1e-12);
            // the loads follow cos t: their power at another time tells it apart from the rest
            zn_power later;
            CHECK_OK(zn_system_power(f.sys, (zn_at){q, v, 1.1, 0}, w, &later));
            CHECK_NEAR(later.load, power.load * cos(1.1) / cos(0.3), 1e-12);
            assert_true(fabs(power.load) > 1e-3 && fabs(power.damper) > 1e-3);
        }
        destroy_fixture(&f);
    }
}

static void test_part_energies(void **state)
{
    (void)state;
    uint64_t seed = 15;
    fixture  f = make_zoo(true);
    double   q[MAX], v[MAX], scratch[MAX];
    random_state(f.sys, &seed, q, v);
    zn_at     at = {q, v, 0, 0};
    zn_energy total, part, sum = {0};
    zn_vec3   P, L, p, l, P_sum = {0, 0, 0}, L_sum = {0, 0, 0};
    CHECK_OK(zn_system_energy(f.sys, at, &total));
    CHECK_OK(zn_system_momentum(f.sys, at, -1, scratch, &P, &L));
    for (int i = 0; i < f.sys->info.parts; i++) {
        CHECK_OK(zn_system_part_energy(f.sys, at, i, &part));
        CHECK_OK(zn_system_momentum(f.sys, at, i, scratch, &p, &l));
        sum = (zn_energy){sum.kinetic + part.kinetic, sum.strain + part.strain, sum.gravity + part.gravity};
        P_sum = zn_vec3_add(P_sum, p);
        L_sum = zn_vec3_add(L_sum, l);
    }
    CHECK_NEAR(sum.kinetic, total.kinetic, 1e-13);
    CHECK_NEAR(sum.strain, total.strain, 1e-13);
    CHECK_NEAR(sum.gravity, total.gravity, 1e-12);
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(P_sum, P)), 0, 1e-13);
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(L_sum, L)), 0, 1e-13);
    destroy_fixture(&f);
}

// A body thrown: m v and x cross m v + I w by hand.
static void test_body_values(void **state)
{
    (void)state;
    zn_model *model = make_model(true, zn_vec3_make(0, -10, 0), NULL);
    add_body(model, "body", zn_vec3_make(2, 3, 0), 0.4);
    fixture   f = compile_fixture(model);
    double    v[3] = {5, -1, 6}, force[3], scratch[3];
    zn_at     at = {f.sys->q0, v, 0, 0};
    zn_energy e;
    zn_vec3   P, L;
    CHECK_OK(zn_system_energy(f.sys, at, &e));
    CHECK_OK(zn_system_force(f.sys, at, force));
    CHECK_OK(zn_system_momentum(f.sys, at, -1, scratch, &P, &L));
    CHECK_NEAR(e.kinetic, 0.5 * 1.5 * 26 + 0.5 * 0.4 * 36, 1e-14);
    CHECK_NEAR(e.gravity, 1.5 * 10 * 3, 1e-14);
    CHECK_NEAR(force[1], -15, 0);
    CHECK_NEAR(P.x, 7.5, 0);
    CHECK_NEAR(P.y, -1.5, 0);
    CHECK_NEAR(L.z, 2 * -1.5 - 3 * 7.5 + 0.4 * 6, 1e-14);
    destroy_fixture(&f);
}

// --- rigid motions -------------------------------------------------------------------------------

// Turn and move every node of a model as one rigid body: x -> R x + shift.
static void move_rigidly(const zn_system *sys, zn_vec3 psi, zn_vec3 shift, const double *q, double *out)
{
    zn_quat R = zn_so3_exp(psi);
    memcpy(out, q, sizeof *q * (size_t)sys->info.nq);
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        const double         *a = q + node->q;
        double               *b = out + node->q;
        bool                  spatial = zn_node_dimension(node->kind) == 3;
        zn_vec3 x = zn_quat_rotate(R, zn_vec3_add(node->origin, zn_vec3_make(a[0], a[1], spatial ? a[2] : 0)));
        x = zn_vec3_sub(zn_vec3_add(x, shift), node->origin);
        b[0] = x.x, b[1] = x.y;
        if (spatial)
            b[2] = x.z;
        if (node->kind == ZN_FRAME2)
            b[2] += psi.z;
        if (node->kind == ZN_FRAME3) {
            zn_quat r = zn_quat_product(R, (zn_quat){a[3], a[4], a[5], a[6]});
            memcpy(b + 3, (double[4]){r.w, r.x, r.y, r.z}, 4 * sizeof(double));
        }
    }
}

// A spring turned as a whole keeps its energy, and its forces have no resultant and no moment.
static void test_spring_rigid_motion(void **state)
{
    (void)state;
    uint64_t seed = 16;
    for (int planar = 0; planar < 2; planar++)
        for (int kinds = 0; kinds < 4; kinds++) {
            fixture f = make_pair(planar, kinds & 1 ? FRAME : POINT, kinds & 2 ? FRAME : POINT);
            double  q[MAX], turned[MAX], v[MAX], zero[MAX] = {0}, force[MAX], power_of_turn = 0;
            zn_vec3 psi = {planar ? 0 : 0.4, planar ? 0 : -1.1, 2.3}, shift = {3, -4, planar ? 0 : 5}, sum = {0, 0, 0};
            zn_energy before, after;
            random_state(f.sys, &seed, q, v);
            CHECK_OK(zn_system_energy(f.sys, (zn_at){q, zero, 0, 0}, &before));
            move_rigidly(f.sys, psi, shift, q, turned);
            CHECK_OK(zn_system_energy(f.sys, (zn_at){turned, zero, 0, 0}, &after));
            assert_true(before.strain > 1e-3);
            CHECK_NEAR(after.strain, before.strain, 1e-13);
            CHECK_OK(zn_system_force(f.sys, (zn_at){q, v, 0, 0}, force)); // the damper too
            for (int i = 0; i < f.sys->layout.nodes; i++) {
                const zn_layout_node *n = &f.sys->layout.node[i];
                zn_vec3               p = {force[n->dof[0]], force[n->dof[1]], n->dof[2] >= 0 ? force[n->dof[2]] : 0};
                zn_vec3 x = {n->origin.x + q[n->q], n->origin.y + q[n->q + 1], planar ? 0 : n->origin.z + q[n->q + 2]};
                zn_vec3 spin = psi; // the velocity field psi x, in body axes for the rotation
                if (n->kind == ZN_FRAME3)
                    spin = zn_quat_rotate(
                        zn_quat_conjugate((zn_quat){q[n->q + 3], q[n->q + 4], q[n->q + 5], q[n->q + 6]}), psi);
                sum = zn_vec3_add(sum, p);
                power_of_turn += zn_vec3_dot(p, zn_vec3_cross(psi, x));
                const double about[3] = {spin.x, spin.y, spin.z};
                for (int k = 0; k < 3; k++)
                    power_of_turn += n->dof[3 + k] >= 0 ? force[n->dof[3 + k]] * about[k] : 0;
            }
            CHECK_NEAR(zn_vec3_norm(sum), 0, 1e-13);
            CHECK_NEAR(power_of_turn, 0, 1e-13);
            destroy_fixture(&f);
        }
}

// Displacement u = shift + omega x X of every node of a bar, plus a uniform strain along it.
static void displace_bar(const zn_system *sys, zn_vec3 shift, zn_vec3 omega, double strain, double *q)
{
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        zn_vec3               u = zn_vec3_add(shift, zn_vec3_cross(omega, node->origin));
        u = zn_vec3_add(u, zn_vec3_scale(strain, node->origin));
        q[node->q] = u.x, q[node->q + 1] = u.y;
        if (node->kind == ZN_POINT3)
            q[node->q + 2] = u.z;
    }
}

// Bar from the origin: moved or (a little) turned as a whole it has no force; a uniform strain gives the tension
// E A strain at both ends, nothing inside, and the energy E A L strain^2 / 2.
static void test_bar_patch(void **state)
{
    (void)state;
    const double strain = 1e-3, tension = 50 * 0.2 * strain, length = 5;
    const int    N = 4;
    for (int planar = 0; planar < 2; planar++) {
        zn_model *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
        zn_vec3   d = planar ? zn_vec3_make(0.6, 0.8, 0) : zn_vec3_make(0.48, 0.64, 0.6);
        add_bar(model, "bar", zn_vec3_make(0, 0, 0), zn_vec3_scale(length, d), N, ZN_MASS_CONSISTENT);
        fixture      f = compile_fixture(model);
        const double direction[3] = {d.x, d.y, d.z};
        double       q[MAX], v[MAX] = {0}, force[MAX];
        zn_vec3      shift = {7, -3, planar ? 0 : 2}, omega = {planar ? 0 : 0.2, planar ? 0 : -0.1, 0.3};
        zn_energy    e;
        displace_bar(f.sys, shift, omega, 0, q);
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, v, 0, 0}, force));
        CHECK_BELOW(largest_of(f.sys->info.n_all, force), 1e-13);
        displace_bar(f.sys, shift, omega, strain, q);
        CHECK_OK(zn_system_force(f.sys, (zn_at){q, v, 0, 0}, force));
        for (int i = 0; i <= N; i++)
            for (int k = 0; k < (planar ? 2 : 3); k++)
                CHECK_NEAR(force[f.sys->layout.node[i].dof[k]],
                           i == 0   ? tension * direction[k]
                           : i == N ? -tension * direction[k]
                                    : 0,
                           1e-13);
        CHECK_OK(zn_system_energy(f.sys, (zn_at){q, v, 0, 0}, &e));
        CHECK_NEAR(e.strain, 0.5 * tension * strain * length, 1e-15);
        destroy_fixture(&f);
    }
}

// --- states that cannot be evaluated -------------------------------------------------------------

static void test_coinciding_ends(void **state)
{
    (void)state;
    log_capture log = {0};
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), &log);
    zn_node_id  a = add_body(model, "a", zn_vec3_make(0, 0, 0), 0), b = add_body(model, "b", zn_vec3_make(1, 0, 0), 0);
    add_spring(model, "fine", (zn_attachment){.at = {5, 5, 0}}, (zn_attachment){.node = a});
    add_spring(model, "tie", (zn_attachment){.node = a}, (zn_attachment){.node = b});
    fixture    f = compile_fixture(model);
    double     q[4] = {0.5, 0.5, 0.5, 0.5}, v[4] = {1, 2, 3, 4}, force[4];
    zn_at      at = {q, v, 0, 0};
    zn_energy  energy;
    zn_power   power;
    zn_sparse *matrix = NULL;
    CHECK_OK(zn_system_matrix(f.sys, &matrix));
    CHECK_STATUS(zn_system_force(f.sys, at, force), ZN_INVALID_STATE);
    CHECK_LOGGED(&log, "spring 'tie'");
    assert_null(strstr(log.text, "fine"));
    CHECK_STATUS(zn_system_operators(f.sys, at, 1, 1, 1, matrix), ZN_INVALID_STATE);
    CHECK_STATUS(zn_system_energy(f.sys, at, &energy), ZN_INVALID_STATE);
    CHECK_STATUS(zn_system_power(f.sys, at, v, &power), ZN_INVALID_STATE);
    assert_int_equal(log.count, 4);
    q[0] = 0.25;
    CHECK_OK(zn_system_force(f.sys, at, force)); // nothing is left behind
    zn_sparse_destroy(matrix);
    destroy_fixture(&f);
}

static double breaks_at_one(void *user, double t)
{
    (void)user;
    return t < 1 ? 2 : NAN;
}

static void test_load_becomes_nan(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) { // a component of a force, a torque, an acceleration
        log_capture log = {0};
        zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), &log);
        zn_node_id  body = add_body(model, "body", zn_vec3_make(0, 0, 0), 1);
        zn_signal  *signal = NULL;
        double      force[3];
        CHECK_OK(zn_signal_callback(breaks_at_one, NULL, NULL, &signal));
        if (which < 2) {
            zn_force_def load = zn_force_def_default();
            load.name = "bad_load";
            load.point.node = body;
            *(which == 0 ? &load.force[1] : &load.torque) = signal;
            CHECK_OK(zn_model_add_force(model, &load));
        } else {
            zn_acceleration_def field = zn_acceleration_def_default();
            field.name = "bad_load";
            field.acceleration[0] = signal;
            CHECK_OK(zn_model_add_acceleration(model, &field));
        }
        fixture f = compile_fixture(model);
        CHECK_OK(zn_system_force(f.sys, (zn_at){f.sys->q0, f.sys->v0, 0.5, 0}, force));
        CHECK_NEAR(force[which == 0 ? 1 : which == 1 ? 2 : 0], which == 2 ? 3 : 2, 0); // 2, and m a = 1.5 * 2
        CHECK_STATUS(zn_system_force(f.sys, (zn_at){f.sys->q0, f.sys->v0, 1.5, 0}, force), ZN_NOT_FINITE);
        CHECK_LOGGED(&log, "load 'bad_load'");
        CHECK_LOGGED(&log, "1.5 s");
        destroy_fixture(&f);
    }
}

// m a on the named parts, nothing on the others; without names on everything.
static void test_acceleration_on_parts(void **state)
{
    (void)state;
    for (int named = 0; named < 2; named++) {
        zn_model *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
        add_body(model, "free", zn_vec3_make(0, 0, 0), 0);
        add_body(model, "loaded", zn_vec3_make(1, 0, 0), 0.5);
        add_bar(model, "rod", zn_vec3_make(2, 0, 0), zn_vec3_make(3, 0, 0), 2, ZN_MASS_CONSISTENT);
        add_bar(model, "other", zn_vec3_make(2, 1, 0), zn_vec3_make(3, 1, 0), 1, ZN_MASS_LUMPED);
        zn_acceleration_def field = zn_acceleration_def_default();
        const char *const   names[] = {"rod", "loaded"};
        field.parts = named ? names : NULL;
        field.part_count = named ? 2 : 0;
        CHECK_OK(zn_signal_constant(-4, &field.acceleration[1]));
        CHECK_OK(zn_model_add_acceleration(model, &field));
        fixture      f = compile_fixture(model);
        const double bar = 3 * 0.2; // mass of a bar of 1 m; consistent shares of two elements: 1/4, 1/2, 1/4
        const double others = named ? 0 : 1;
        const double expected[] = {others * 1.5, 1.5, bar / 4, bar / 2, bar / 4, others * bar / 2, others * bar / 2};
        double       force[MAX];
        CHECK_OK(zn_system_force(f.sys, (zn_at){f.sys->q0, f.sys->v0, 0, 0}, force));
        assert_int_equal(f.sys->layout.nodes, 7);
        for (int i = 0; i < 7; i++) {
            CHECK_NEAR(force[f.sys->layout.node[i].dof[0]], 0, 0);
            CHECK_NEAR(force[f.sys->layout.node[i].dof[1]], -4 * expected[i], 1e-15);
        }
        CHECK_NEAR(force[f.sys->layout.node[1].dof[5]], 0, 0); // through the centre of mass: no moment
        destroy_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spring_pairs),
        cmocka_unit_test(test_zoo_tangents),
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_bar_mass),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_part_energies),
        cmocka_unit_test(test_body_values),
        cmocka_unit_test(test_spring_rigid_motion),
        cmocka_unit_test(test_bar_patch),
        cmocka_unit_test(test_coinciding_ends),
        cmocka_unit_test(test_load_becomes_nan),
        cmocka_unit_test(test_acceleration_on_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
