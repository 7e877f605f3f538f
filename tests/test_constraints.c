// The room of constraints: W = G A^-1 H' in all its forms against dense algebra, force rows H that differ from gap rows
// G, both levels in one problem, curvature in the matrix, equations that repeat each other.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraint/constraints.h"
#include "constraint/curvature.h"
#include "constraint/two_levels.h"
#include "pile_models.h"
#include "system/system.h"
#include "zn/io.h"

// --- a linkage with springs, joints and rough contacts ----------------------------------------------

static const char linkage[] =
    "zeno: 1\n"
    "planar: true\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 0.1, position: [0.3, 0.5], angle: 0.2, velocity: [0.1, 0], spin: 0.3}\n"
    "  b: {mass: 2, inertia: 0.3, position: [1, 0.6], angle: -0.4}\n"
    "  c: {mass: 3, inertia: 0.2, position: [1.4, 0.3]}\n"
    "joints:\n"
    "  hinge: {type: revolute, body: a, at: [0, 0.5]}\n"
    "  knee: {type: revolute, body: a, to: b, at: [0.6, 0.5]}\n"
    "springs:\n"
    "  s: {from: b, to: c, stiffness: 100, damping: 3}\n"
    "contacts:\n"
    "  foot: {point: b, at: [0.2, -0.3], surface: {plane: [0, 1]}, friction: 0.3, restitution: 0.5}\n"
    "  heel: {point: c, at: [0.1, -0.2], surface: {plane: [0.2, 1]}, friction: 0.5}\n"
    "  rub: {point: c, at: [-0.2, 0.1], surface: {body: a, circle: 0.1}, friction: 0.2}\n"
    "run: {step: 1e-2, until: 1}\n";

typedef struct machine {
    zn_problem     *problem;
    zn_model       *model; // of its own, where there is no problem
    zn_system      *sys;
    zn_contact_set *set;
    zn_row_list     list; // all rows
    double         *H;    // values of force rows on the entries of the gap rows
} machine;

static void list_all(machine *m)
{
    CHECK_OK(zn_row_list_create(m->set->count * m->set->stride, m->set->count, &m->list));
    zn_row_list_clear(&m->list);
    zn_row_list_add_joints(&m->list, m->set);
    for (int i = 0; i < m->set->count; i++)
        if (!m->set->bilateral[i])
            zn_row_list_add_contact(&m->list, m->set, i, zn_contact_row_count(m->set, i));
}

static void finish(machine *m, uint64_t seed)
{
    CHECK_OK(zn_contact_set_create(m->sys, &m->set));
    CHECK_OK(zn_contact_set_refresh(m->set, m->sys, m->sys->q0, 0));
    list_all(m);
    int entries = m->set->row_start[m->set->count * m->set->stride];
    m->H = calloc((size_t)entries + 1, sizeof *m->H);
    for (int k = 0; k < entries; k++)
        m->H[k] = m->set->row_value[k] + 0.3 * draw(&seed);
}

static machine machine_of(const char *text)
{
    machine m = {0};
    CHECK_OK(zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, (zn_log){0}, &m.problem));
    CHECK_OK(zn_system_create(m.problem->model, &m.sys));
    finish(&m, 7);
    return m;
}

// Balls that nearly touch each other and the floor.
static machine pile(void)
{
    machine m = {.model = pile_model(27, 3, 0)};
    CHECK_OK(zn_system_create(m.model, &m.sys));
    CHECK_OK(zn_contact_set_create(m.sys, &m.set));
    zn_contact_set *none = NULL;
    zn_reach        reach = {.margin = 0.05};
    CHECK_OK(zn_contact_set_create(m.sys, &none));
    CHECK_OK(zn_contact_set_follow(m.set, none, m.sys, m.sys->q0, 0, reach));
    zn_contact_set_destroy(none);
    assert_true(m.set->count > 20);
    list_all(&m);
    int      entries = m.set->row_start[m.set->count * m.set->stride];
    uint64_t seed = 3;
    m.H = calloc((size_t)entries, sizeof *m.H);
    for (int k = 0; k < entries; k++)
        m.H[k] = m.set->row_value[k] * (1 + 0.3 * draw(&seed));
    return m;
}

static void machine_free(machine *m)
{
    free(m->H);
    zn_row_list_destroy(&m->list);
    zn_contact_set_destroy(m->set);
    zn_system_destroy(m->sys);
    zn_model_destroy(m->model);
    zn_problem_destroy(m->problem);
}

static zn_rows force_rows(const machine *m) { return (zn_rows){m->set->row_start, m->set->row_dof, m->H}; }

// --- dense algebra ------------------------------------------------------------------------------------

// A^-1 H_row' by a factorization of A written out.
static void dense_response(const zn_sparse *A, zn_rows H, int row, double *x)
{
    int     n = A->n, *pivot = calloc((size_t)n, sizeof *pivot);
    double *a = calloc((size_t)n * (size_t)n, sizeof *a);
    for (int j = 0; j < n; j++)
        for (int p = A->start[j]; p < A->start[j + 1]; p++)
            a[A->row[p] * n + j] = A->value[p];
    memset(x, 0, sizeof *x * (size_t)n);
    zn_rows_add(H, row, n, 1, x);
    CHECK_OK(zn_dense_lu_factor(n, a, pivot));
    zn_dense_lu_solve(n, a, pivot, x);
    free(a);
    free(pivot);
}

static double entry_of(const zn_constraints *c, int rows, int k, int l)
{
    if (!c->sparse)
        return c->W[k * rows + l];
    for (int e = c->sparse->start[k]; e < c->sparse->start[k + 1]; e++)
        if (c->sparse->column[e] == l)
            return c->sparse->value[e];
    return 0;
}

// W and the response of a problem against dense algebra.
static void check_operator(const machine *m, zn_response *r, zn_rows H, const zn_row_list *list)
{
    const zn_constraint_settings settings = {"auto", 1e-12, ZN_FC_MEASURE_NATURAL, {0}};
    int                          n = m->sys->info.n, rows = list->rows;
    double                      *x = calloc((size_t)n, sizeof *x), *sum = calloc((size_t)n, sizeof *sum);
    double                      *answer = calloc((size_t)m->sys->info.n_all, sizeof *answer), size = 0;
    zn_constraints               c;
    uint64_t                     seed = 11;
    CHECK_OK(zn_constraints_create(m->sys, &settings, &c));
    CHECK_OK(zn_constraints_reserve(&c, rows, list->contacts, rows));
    CHECK_OK(zn_constraints_assemble(&c, list, r, m->set, zn_gap_rows(m->set), H));
    for (int l = 0; l < rows; l++) {
        if (r->matrix)
            dense_response(r->matrix, H, list->row[l], x);
        else {
            memset(x, 0, sizeof *x * (size_t)n);
            zn_rows_add(H, list->row[l], n, 1, x);
        }
        c.z[l] = draw(&seed);
        for (int k = 0; k < rows; k++) {
            double expected = zn_row_dot(m->set, list->row[k], n, x);
            size = fmax(size, fabs(expected));
            CHECK_NEAR(entry_of(&c, rows, k, l), expected, 1e-12 * size);
        }
        for (int i = 0; i < n; i++)
            sum[i] += c.z[l] * x[i];
    }
    assert_true(size > 0.01);
    zn_response_add(r, H, list, c.z, answer);
    for (int i = 0; i < n; i++)
        CHECK_NEAR(answer[i], sum[i], 1e-12 * size * rows);
    zn_constraints_destroy(&c);
    free(x);
    free(sum);
    free(answer);
}

// --- W ------------------------------------------------------------------------------------------------

static void columns_give_w_with_force_rows_of_their_own(void **state)
{
    (void)state;
    machine     m = machine_of(linkage);
    zn_response r;
    zn_at       at = {m.sys->q0, m.sys->v0, 0, 0};
    CHECK_OK(zn_response_create(m.sys, NULL, true, &r));
    assert_null(r.blocks); // springs couple nodes
    CHECK_OK(zn_response_reserve(&r, m.set->count));
    CHECK_OK(zn_response_factor(&r, at, (double[3]){1, 0.1, 0.05}, 1e-2));
    assert_true(zn_response_is_for(&r, 1e-2) && !zn_response_is_for(&r, 2e-2));
    check_operator(&m, &r, zn_gap_rows(m.set), &m.list);
    check_operator(&m, &r, force_rows(&m), &m.list); // columns of the other rows are not taken for these
    check_operator(&m, &r, zn_gap_rows(m.set), &m.list);
    CHECK_OK(zn_response_factor(&r, at, (double[3]){1, 0, 0}, 1e-2));
    check_operator(&m, &r, force_rows(&m), &m.list); // nor those of other factors
    zn_response_destroy(&r);
    machine_free(&m);
}

static void the_unit_matrix_gives_products_of_rows(void **state)
{
    (void)state;
    machine     m = machine_of(linkage);
    zn_response r;
    CHECK_OK(zn_response_create_unit(m.sys, true, &r));
    check_operator(&m, &r, zn_gap_rows(m.set), &m.list);
    check_operator(&m, &r, force_rows(&m), &m.list);
    zn_response_destroy(&r);
    machine_free(&m);
}

static void blocks_of_a_pile_give_the_same(void **state)
{
    (void)state;
    machine     m = pile();
    zn_response r, unit;
    CHECK_OK(zn_response_create(m.sys, NULL, true, &r));
    CHECK_OK(zn_response_create_unit(m.sys, true, &unit));
    assert_non_null(r.blocks);
    assert_true(zn_response_is_sparse(&r, m.list.rows));
    CHECK_OK(zn_response_factor(&r, (zn_at){m.sys->q0, m.sys->v0, 0, 0}, (double[3]){1, 0, 0}, 1e-3));
    check_operator(&m, &r, zn_gap_rows(m.set), &m.list);
    check_operator(&m, &r, force_rows(&m), &m.list);
    check_operator(&m, &unit, force_rows(&m), &m.list);
    zn_row_list few;
    CHECK_OK(zn_row_list_create(12, 4, &few));
    zn_row_list_clear(&few);
    for (int i = 0; i < 4; i++)
        zn_row_list_add_contact(&few, m.set, 3 * i, zn_contact_row_count(m.set, 3 * i));
    assert_false(zn_response_is_sparse(&r, few.rows)); // few rows are written out
    check_operator(&m, &r, force_rows(&m), &few);
    zn_row_list_destroy(&few);
    zn_response_destroy(&r);
    zn_response_destroy(&unit);
    machine_free(&m);
}

// --- both levels --------------------------------------------------------------------------------------

// Column j of the operator is what unknown j does to the rows of both levels.
static void both_levels_act_on_each_other(void **state)
{
    (void)state;
    machine                      m = machine_of(linkage);
    zn_response                  motion, metric;
    zn_two_levels                t;
    zn_constraints               c;
    zn_row_list                  normals;
    zn_at                        at = {m.sys->q0, m.sys->v0, 0, 0};
    int                          n = m.sys->info.n, contacts = m.set->count, total = m.list.rows + contacts;
    const double                 k = 5e-3;
    const zn_constraint_settings settings = {"auto", 1e-12, ZN_FC_MEASURE_NATURAL, {0}};
    CHECK_OK(zn_response_create(m.sys, NULL, false, &motion));
    CHECK_OK(zn_response_create(m.sys, NULL, false, &metric));
    CHECK_OK(zn_response_reserve(&motion, contacts));
    CHECK_OK(zn_response_reserve(&metric, contacts));
    CHECK_OK(zn_response_factor(&motion, at, (double[3]){1, k, k * k}, 1e-2));
    CHECK_OK(zn_response_factor(&metric, at, (double[3]){1, 0, 0}, 1e-2));
    CHECK_OK(zn_two_levels_create(m.sys, &motion, &metric, &t));
    CHECK_OK(zn_two_levels_reserve(&t, m.list.rows, contacts));
    CHECK_OK(zn_system_operators(m.sys, at, 0, 0, 1, t.stiffness));
    CHECK_OK(zn_constraints_create(m.sys, &settings, &c));
    CHECK_OK(zn_constraints_reserve(&c, total, 2 * contacts, total));
    CHECK_OK(zn_row_list_create(contacts, contacts, &normals));
    zn_row_list_clear(&normals);
    zn_row_list_add_joints(&normals, m.set);
    for (int i = 0; i < contacts; i++)
        if (!m.set->bilateral[i])
            zn_row_list_add_contact(&normals, m.set, i, 1);
    zn_two_levels_list(&t, &m.list, &normals, k);
    assert_int_equal(t.both.rows, total);
    assert_int_equal(t.both.equations, 2 * m.list.equations);
    CHECK_OK(zn_two_levels_assemble(&t, &c, m.set, force_rows(&m)));
    double *v = calloc((size_t)n, sizeof *v), *shift = calloc((size_t)n, sizeof *shift), size = 0;
    for (int j = 0; j < total; j++) {
        memset(c.z, 0, sizeof *c.z * (size_t)total);
        memset(v, 0, sizeof *v * (size_t)n);
        memset(shift, 0, sizeof *shift * (size_t)n);
        c.z[j] = 1;
        zn_two_levels_add(&t, force_rows(&m), c.z, v, shift);
        for (int a = 0; a < total; a++) {
            int    index;
            bool   velocity = zn_two_levels_is_impulse(&t, a, &index);
            double U = zn_row_dot(m.set, t.both.row[a], n, v), g = zn_row_dot(m.set, t.both.row[a], n, shift);
            double expected = velocity ? U : U + g / k; // gaps as velocities
            size = fmax(size, fabs(expected));
            CHECK_NEAR(c.W[a * total + j], expected, 1e-12 * size);
        }
    }
    free(v);
    free(shift);
    zn_row_list_destroy(&normals);
    zn_two_levels_destroy(&t);
    zn_constraints_destroy(&c);
    zn_response_destroy(&motion);
    zn_response_destroy(&metric);
    machine_free(&m);
}

// --- curvature ----------------------------------------------------------------------------------------

// G'p at q moved by `amount` along degree of freedom j.
static void push_at(const machine *m, const double *p, int j, double amount, double *out)
{
    const zn_system *sys = m->sys;
    double          *dq = calloc((size_t)sys->info.n_all, sizeof *dq), *q = calloc((size_t)sys->info.nq, sizeof *q);
    dq[j] = amount;
    zn_system_retract(sys, sys->q0, dq, q);
    CHECK_OK(zn_contact_set_evaluate(m->set, sys, q, 0));
    memset(out, 0, sizeof *out * (size_t)sys->info.n);
    for (int i = 0; i < m->set->count; i++)
        for (int r = 0; r < m->set->stride; r++)
            zn_row_add(m->set, i * m->set->stride + r, sys->info.n, p[i * m->set->stride + r], out);
    free(dq);
    free(q);
}

static double value_at(const zn_sparse *a, int i, int j)
{
    for (int p = a->start[j]; p < a->start[j + 1]; p++)
        if (a->row[p] == i)
            return a->value[p];
    return 0;
}

static void curvature_is_the_derivative_of_the_push(void **state)
{
    (void)state;
    machine          m = machine_of(linkage);
    zn_curved_matrix a = {0};
    zn_sparse       *K;
    int              n = m.sys->info.n, all = m.sys->info.n_all;
    double  *p = calloc((size_t)(m.set->count * m.set->stride), sizeof *p), *zero = calloc((size_t)all, sizeof *zero);
    double  *work = calloc((size_t)all, sizeof *work), size = 0;
    double  *up = calloc((size_t)n, sizeof *up), *down = calloc((size_t)n, sizeof *down);
    uint64_t seed = 5;
    const double step = 1e-5;
    CHECK_OK(zn_system_matrix(m.sys, &K));
    CHECK_OK(zn_system_operators(m.sys, (zn_at){m.sys->q0, m.sys->v0, 0, 0}, 0, 0, 1, K));
    CHECK_OK(zn_curved_matrix_connect(&a, m.sys, K, m.set, false, NULL));
    assert_true(zn_curved_matrix_is_connected(&a, m.sys, m.set));
    for (int i = 0; i < m.set->count; i++)
        for (int r = 0; r < zn_contact_row_count(m.set, i); r++) // tangents too
            p[i * m.set->stride + r] = 1 + draw(&seed);
    zn_curved_matrix_write(&a, K);
    CHECK_OK(zn_curved_matrix_bend(&a, m.sys, m.set, p, m.sys->q0, 0, NULL, zero, work));
    for (int j = 0; j < n; j++) {
        push_at(&m, p, j, step, up);
        push_at(&m, p, j, -step, down);
        for (int i = 0; i < n; i++) {
            double bent = value_at(K, i, j) - value_at(a.sum, i, j), expected = (up[i] - down[i]) / (2 * step);
            size = fmax(size, fabs(expected));
            CHECK_NEAR(bent, expected, 1e-8);
        }
    }
    assert_true(size > 0.1); // joints and the circle turn with the bodies
    for (int i = 0; i < all; i++)
        assert_true(zero[i] == 0 && work[i] == 0);
    zn_curved_matrix_destroy(&a);
    zn_sparse_destroy(K);
    free(p);
    free(zero);
    free(work);
    free(up);
    free(down);
    machine_free(&m);
}

// --- equations that repeat each other ------------------------------------------------------------------

// --- rotations of finite size -------------------------------------------------------------------------

static double gap_after(machine *m, const double *U, int j, double amount, int contact)
{
    const zn_system *sys = m->sys;
    double          *dq = calloc((size_t)sys->info.n_all, sizeof *dq), *q = calloc((size_t)sys->info.nq, sizeof *q);
    memcpy(dq, U, sizeof *dq * (size_t)sys->info.n_all);
    dq[j] += amount;
    zn_system_retract(sys, sys->q0, dq, q);
    CHECK_OK(zn_contact_set_evaluate(m->set, sys, q, 0));
    free(dq);
    free(q);
    return m->set->gap[contact];
}

// Gaps at q_0 (+) U change with U by G T(U), not by G.
static void rows_of_an_increment_are_its_derivative(void **state)
{
    (void)state;
    machine       m = machine_of("zeno: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
                                       "  a: {mass: 2, inertia: [0.1, 0.2, 0.25], position: [0.1, 0.2, 0.6]}\n"
                                       "contacts:\n"
                                       "  foot: {point: a, at: [0.3, -0.2, -0.5], surface: {plane: [0, 0.2, 1]}, friction: 0.3}\n"
                                       "run: {scheme: nsga, step: 1e-3, until: 1}\n");
    const double  U[6] = {0.02, -0.01, 0.03, 0.3, -0.4, 0.2}, step = 1e-6;
    zn_curvature *c;
    zn_sparse    *K;
    zn_rows       G;
    double        turned = 0;
    CHECK_OK(zn_system_matrix(m.sys, &K));
    CHECK_OK(zn_curvature_create(m.sys, K, NULL, false, &c));
    gap_after(&m, U, 0, 0, 0); // rows at q_0 (+) U
    double expected[6], own[6] = {0};
    zn_curvature_pull(c, m.sys, m.set, &m.list, U, &G);
    zn_rows_add(G, 0, 6, 1, own);
    for (int j = 0; j < 6; j++) {
        double plain = 0;
        for (int e = m.set->row_start[0]; e < m.set->row_start[1]; e++)
            plain += m.set->row_dof[e] == j ? m.set->row_value[e] : 0;
        turned = fmax(turned, fabs(own[j] - plain));
    }
    for (int j = 0; j < 6; j++) {
        expected[j] = (gap_after(&m, U, j, step, 0) - gap_after(&m, U, j, -step, 0)) / (2 * step);
        CHECK_NEAR(own[j], expected[j], 1e-9);
    }
    assert_true(turned > 0.01);
    zn_curvature_destroy(c);
    zn_sparse_destroy(K);
    machine_free(&m);
}

static void repeated_equations_hold_with_the_others(void **state)
{
    (void)state;
    machine                      m = machine_of("zeno: 1\nplanar: true\n"
                                                                     "bodies: {a: {mass: 1, inertia: 0.1, position: [0.3, 0]}}\n"
                                                                     "joints:\n"
                                                                     "  one: {type: revolute, body: a, at: [0, 0]}\n"
                                                                     "  two: {type: revolute, body: a, at: [0, 0]}\n"
                                                                     "run: {step: 1e-2, until: 1}\n");
    const zn_constraint_settings settings = {"auto", 1e-12, ZN_FC_MEASURE_NATURAL, {0}};
    const zn_demand              demand = {.level = "velocity"};
    zn_solved                    solved;
    zn_response                  r;
    zn_constraints               c;
    double                       v[3] = {0.4, -1.3, 0.7};
    CHECK_OK(zn_response_create(m.sys, NULL, false, &r));
    CHECK_OK(zn_response_reserve(&r, m.set->count));
    CHECK_OK(zn_response_factor(&r, (zn_at){m.sys->q0, m.sys->v0, 0, 0}, (double[3]){1, 0, 0}, 1e-2));
    CHECK_OK(zn_constraints_create(m.sys, &settings, &c));
    CHECK_OK(zn_constraints_detect_redundant(&c, NULL));
    assert_true(c.redundant);
    CHECK_OK(zn_constraints_reserve(&c, m.list.rows, 0, m.list.rows));
    CHECK_OK(zn_constraints_assemble(&c, &m.list, &r, m.set, zn_gap_rows(m.set), zn_gap_rows(m.set)));
    for (int k = 0; k < m.list.rows; k++) {
        c.b[k] = zn_row_dot(m.set, m.list.row[k], 3, v);
        c.z[k] = 0;
    }
    CHECK_OK(zn_constraints_solve(&c, &m.list, &demand, &solved));
    assert_int_equal(c.repeats, 2);
    zn_response_add(&r, zn_gap_rows(m.set), &m.list, c.z, v);
    for (int k = 0; k < m.list.rows; k++)
        CHECK_NEAR(zn_row_dot(m.set, m.list.row[k], 3, v), 0, 1e-14);
    zn_constraints_destroy(&c);
    zn_response_destroy(&r);
    machine_free(&m);
}

// --- the judge ------------------------------------------------------------------------------------------

static void the_judge_knows_open_sticking_and_slipping_contacts(void **state)
{
    (void)state;
    const double open_l[3] = {0, 0, 0}, open_c[3] = {0.2, 1, -1};
    const double stick_l[3] = {2, 0.3, -0.4}, still[3] = {0, 0, 0};
    const double slip_l[3] = {2, -0.6, 0.8}, slip_c[3] = {0, 0.3, -0.4}; // |l_T| = 1 = mu l_N against c_T
    for (double p = 1e-3; p < 1e4; p *= 10) {                            // the penalty only weighs
        CHECK_NEAR(zn_contact_law_distance(3, 0.5, p, open_l, open_c), 0, 1e-15);
        CHECK_NEAR(zn_contact_law_distance(3, 0.5, p, stick_l, still), 0, 1e-15);
        CHECK_NEAR(zn_contact_law_distance(3, 0.5, p, slip_l, slip_c), 0, 1e-13);
    }
    const double pull[1] = {-1}, inside[1] = {-0.1}, none[1] = {0}, with[3] = {2, 0.6, -0.8};
    CHECK_NEAR(zn_contact_law_distance(1, 0, 2, pull, none), 0.5, 1e-15);
    CHECK_NEAR(zn_contact_law_distance(1, 0, 2, none, inside), 0.1, 1e-15);
    assert_true(zn_contact_law_distance(3, 0.5, 1, with, slip_c) > 0.1); // friction along the slip
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_give_w_with_force_rows_of_their_own),
        cmocka_unit_test(the_unit_matrix_gives_products_of_rows),
        cmocka_unit_test(blocks_of_a_pile_give_the_same),
        cmocka_unit_test(both_levels_act_on_each_other),
        cmocka_unit_test(curvature_is_the_derivative_of_the_push),
        cmocka_unit_test(rows_of_an_increment_are_its_derivative),
        cmocka_unit_test(repeated_equations_hold_with_the_others),
        cmocka_unit_test(the_judge_knows_open_sticking_and_slipping_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
