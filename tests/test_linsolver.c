// Linear solvers: one suite for every backend, and the guard that notices when old pivots no longer serve.
#include <stdlib.h>

#include "check.h"
#include "math/linsolver.h"
#include "zn/math.h"

static const char *const backends[] = {"dense", "klu", "mumps"};
enum { BACKENDS = 3 };

// --- matrices ------------------------------------------------------------------------------------

// All pairs (i, j) as one element: a full pattern.
static zn_sparse *full_matrix(int n)
{
    int       *dof = malloc((size_t)n * sizeof *dof);
    zn_sparse *a = NULL;
    for (int i = 0; i < n; i++)
        dof[i] = i;
    zn_dof_block block = {1, n, dof};
    CHECK_OK(zn_sparse_create(n, 1, &block, NULL, &a));
    free(dof);
    return a;
}

static double *at(zn_sparse *a, int i, int j)
{
    for (int k = a->start[j]; k < a->start[j + 1]; k++)
        if (a->row[k] == i)
            return &a->value[k];
    fail_msg("entry (%d, %d) is not in the pattern", i, j);
    return NULL;
}

// Bar of `n` dofs (springs 2, -1) whose dofs 0, s, 2 s, ... are prescribed by m = `constraints` multipliers.
static zn_sparse *saddle_matrix(int n, int constraints)
{
    int *line = malloc(2 * (size_t)(n - 1) * sizeof *line), *tie = malloc(2 * (size_t)constraints * sizeof *tie);
    for (int e = 0; e < n - 1; e++)
        line[2 * e] = e, line[2 * e + 1] = e + 1;
    for (int c = 0; c < constraints; c++)
        tie[2 * c] = c * (n / constraints), tie[2 * c + 1] = n + c;
    zn_dof_block blocks[] = {{n - 1, 2, line}, {constraints, 2, tie}};
    zn_sparse   *a = NULL;
    CHECK_OK(zn_sparse_create(n + constraints, 2, blocks, NULL, &a));
    for (int i = 0; i < n; i++) {
        *at(a, i, i) = 2;
        if (i > 0)
            *at(a, i, i - 1) = *at(a, i - 1, i) = -1;
    }
    for (int c = 0; c < constraints; c++)
        *at(a, tie[2 * c], n + c) = *at(a, n + c, tie[2 * c]) = 1;
    free(line);
    free(tie);
    return a;
}

// --- measures ------------------------------------------------------------------------------------

// max_i |A x - b|_i / (|A| |x| + |b|)_i
static double backward_error(const zn_sparse *a, const double *x, const double *b)
{
    double *sum = calloc((size_t)a->n, sizeof *sum), *size = calloc((size_t)a->n, sizeof *size), worst = 0;
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++) {
            sum[a->row[k]] += a->value[k] * x[j];
            size[a->row[k]] += fabs(a->value[k] * x[j]);
        }
    for (int i = 0; i < a->n; i++)
        if (size[i] + fabs(b[i]) > 0)
            worst = fmax(worst, fabs(sum[i] - b[i]) / (size[i] + fabs(b[i])));
    free(sum);
    free(size);
    return worst;
}

// Solve with three right-hand sides made from known answers; returns the worst backward error.
static double solve_and_measure(zn_linsolver *solver, const zn_sparse *a, uint64_t *seed)
{
    int     n = a->n;
    double *b = malloc(3 * (size_t)n * sizeof *b), *x = malloc(3 * (size_t)n * sizeof *x), worst = 0;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < n; i++)
            x[c * n + i] = draw(seed);
        zn_sparse_multiply(a, x + c * n, b + c * n);
    }
    memcpy(x, b, 3 * (size_t)n * sizeof *x);
    CHECK_OK(zn_linsolver_solve(solver, 3, x));
    for (int c = 0; c < 3; c++)
        worst = fmax(worst, backward_error(a, x + c * n, b + c * n));
    free(b);
    free(x);
    return worst;
}

static void check_solves(zn_sparse *a, const char *backend, double tolerance)
{
    uint64_t      seed = 7, again = 7;
    zn_linsolver *solver = NULL;
    CHECK_OK(zn_linsolver_create(a, backend, &solver));
    CHECK_OK(zn_linsolver_factor(solver, a));
    CHECK_BELOW(solve_and_measure(solver, a, &seed), tolerance);
    CHECK_OK(zn_linsolver_settle(solver)); // the same factors in another order
    CHECK_BELOW(solve_and_measure(solver, a, &again), tolerance);
    for (int k = 0; k < a->start[a->n]; k++) // other factors: the old ones must be forgotten
        a->value[k] *= 2;
    CHECK_OK(zn_linsolver_factor(solver, a));
    CHECK_BELOW(solve_and_measure(solver, a, &seed), tolerance);
    CHECK_OK(zn_linsolver_settle(solver));
    CHECK_OK(zn_linsolver_settle(solver));
    CHECK_BELOW(solve_and_measure(solver, a, &seed), tolerance);
    zn_linsolver_destroy(solver);
}

// --- conformance ---------------------------------------------------------------------------------

static void a_known_system(void **state)
{
    (void)state;
    for (int k = 0; k < BACKENDS; k++) {
        // minimise x^2 + y^2/2 with x + y = 3: x = 1, y = 2, multiplier -2
        zn_sparse *a = full_matrix(3);
        *at(a, 0, 0) = 2;
        *at(a, 1, 1) = 1;
        *at(a, 0, 2) = *at(a, 1, 2) = *at(a, 2, 0) = *at(a, 2, 1) = 1;
        zn_linsolver *solver = NULL;
        double        x[3] = {0, 0, 3};
        CHECK_OK(zn_linsolver_create(a, backends[k], &solver));
        CHECK_OK(zn_linsolver_factor(solver, a));
        CHECK_OK(zn_linsolver_solve(solver, 1, x));
        CHECK_NEAR(x[0], 1, 1e-15);
        CHECK_NEAR(x[1], 2, 1e-15);
        CHECK_NEAR(x[2], -2, 1e-15);
        zn_linsolver_info info = zn_linsolver_get_info(solver);
        assert_string_equal(info.backend, backends[k]);
        assert_int_equal(info.factorizations, 1);
        assert_int_equal(info.refactorizations, 0);
        assert_int_equal(info.solves, 1);
        zn_linsolver_destroy(solver);
        zn_sparse_destroy(a);
    }
}

static void random_unsymmetric_matrices(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 1; n <= 60; n += 7) {
        zn_sparse *a = full_matrix(n);
        for (int k = 0; k < a->start[n]; k++)
            a->value[k] = draw(&seed);
        for (int k = 0; k < BACKENDS; k++)
            check_solves(a, backends[k], 1e-12); // KLU accepts pivots of 1e-3 of their column: up to three digits
        zn_sparse_destroy(a);
    }
}

static void saddle_points_with_zero_diagonals(void **state)
{
    (void)state;
    for (int constraints = 1; constraints <= 20; constraints += 6) {
        zn_sparse *a = saddle_matrix(60, constraints);
        for (int k = 0; k < BACKENDS; k++)
            check_solves(a, backends[k], 1e-14);
        zn_sparse_destroy(a);
    }
}

// Unknowns that follow from one another: KLU permutes to a block triangle.
static void triangular_matrices(void **state)
{
    (void)state;
    uint64_t   seed = 17;
    zn_sparse *a = saddle_matrix(60, 5);
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            a->value[k] = a->row[k] < j ? 0 : a->row[k] == j ? 2 + draw(&seed) : draw(&seed);
    zn_sparse *lower = NULL;
    for (int i = 60; i < a->n; i++)
        a->value[a->start[i + 1] - 1] = 1;
    CHECK_OK(zn_sparse_compress(a, &lower));
    for (int k = 0; k < BACKENDS; k++)
        check_solves(lower, backends[k], 1e-12);
    zn_sparse_destroy(a);
    zn_sparse_destroy(lower);
}

// Rows in newtons and kilonewtons, columns in metres and micrometres.
static void badly_scaled_matrices(void **state)
{
    (void)state;
    zn_sparse *a = saddle_matrix(30, 3);
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            a->value[k] *= pow(10, a->row[k] % 7 - 3) * pow(10, j % 5 - 2);
    for (int k = 0; k < BACKENDS; k++)
        check_solves(a, backends[k], 1e-12);
    zn_sparse_destroy(a);
}

static void singular_matrices_are_reported_and_survived(void **state)
{
    (void)state;
    for (int k = 0; k < BACKENDS; k++) {
        uint64_t      seed = 5;
        zn_sparse    *a = saddle_matrix(50, 1);
        zn_linsolver *solver = NULL;
        double        x[51] = {0};
        CHECK_OK(zn_linsolver_create(a, backends[k], &solver));
        CHECK_STATUS(zn_linsolver_solve(solver, 1, x), ZN_ERR_ARGUMENT); // not factored yet
        CHECK_STATUS(zn_linsolver_settle(solver), ZN_ERR_ARGUMENT);
        CHECK_OK(zn_linsolver_factor(solver, a));

        *at(a, 0, 50) = *at(a, 50, 0) = 0; // the constraint vanishes: an empty row
        CHECK_STATUS(zn_linsolver_factor(solver, a), ZN_SINGULAR);
        CHECK_STATUS(zn_linsolver_solve(solver, 1, x), ZN_ERR_ARGUMENT);

        *at(a, 0, 50) = *at(a, 50, 0) = 1;
        CHECK_OK(zn_linsolver_factor(solver, a));
        CHECK_BELOW(solve_and_measure(solver, a, &seed), 1e-14);

        *at(a, 3, 3) = NAN;
        CHECK_STATUS(zn_linsolver_factor(solver, a), ZN_NOT_FINITE);
        *at(a, 3, 3) = INFINITY;
        CHECK_STATUS(zn_linsolver_factor(solver, a), ZN_NOT_FINITE);
        *at(a, 3, 3) = 2;
        CHECK_OK(zn_linsolver_factor(solver, a));
        x[7] = NAN;
        CHECK_STATUS(zn_linsolver_solve(solver, 1, x), ZN_NOT_FINITE);
        zn_linsolver_destroy(solver);
        zn_sparse_destroy(a);
    }
}

// Two equal constraint rows, with values that leave no exact zero behind: round-off must not pass for a pivot.
static void redundant_constraints_are_singular(void **state)
{
    (void)state;
    for (int k = 0; k < BACKENDS; k++)
        for (int trial = 0; trial < 20; trial++) {
            enum { N = 12, C = 2 };
            uint64_t   seed = 100 + (uint64_t)trial;
            zn_sparse *a = full_matrix(N + C);
            for (int i = 0; i < N; i++) {
                *at(a, i, i) = 2 + draw(&seed);
                for (int j = 0; j < i; j++)
                    *at(a, i, j) = *at(a, j, i) = 0.1 * draw(&seed);
                double g = draw(&seed);
                for (int c = 0; c < C; c++)
                    *at(a, i, N + c) = *at(a, N + c, i) = g;
            }
            zn_linsolver *solver = NULL;
            CHECK_OK(zn_linsolver_create(a, backends[k], &solver));
            CHECK_STATUS(zn_linsolver_factor(solver, a), ZN_SINGULAR);
            zn_linsolver_destroy(solver);
            zn_sparse_destroy(a);
        }
}

static void a_free_bar_is_singular(void **state)
{
    (void)state;
    for (int k = 0; k < BACKENDS; k++) {
        zn_sparse *a = saddle_matrix(60, 1);
        *at(a, 0, 60) = *at(a, 60, 0) = 0; // no support: K has the rigid mode, and 0.7 leaves no exact zeros
        *at(a, 60, 60) = 1;
        for (int i = 0; i < 60; i++) {
            *at(a, i, i) = 0;
            if (i > 0) {
                double s = 0.7 + 0.1 * (i % 7);
                *at(a, i, i - 1) = *at(a, i - 1, i) = -s;
                *at(a, i, i) += s;
                *at(a, i - 1, i - 1) += s;
            }
        }
        zn_linsolver *solver = NULL;
        CHECK_OK(zn_linsolver_create(a, backends[k], &solver));
        CHECK_STATUS(zn_linsolver_factor(solver, a), ZN_SINGULAR);
        zn_linsolver_destroy(solver);
        zn_sparse_destroy(a);
    }
}

// --- reuse of pivots -----------------------------------------------------------------------------

static void small_changes_reuse_the_pivots(void **state)
{
    (void)state;
    uint64_t      seed = 11;
    zn_sparse    *a = saddle_matrix(200, 1);
    zn_linsolver *solver = NULL;
    CHECK_OK(zn_linsolver_create(a, "klu", &solver));
    for (int step = 0; step < 5; step++) {
        for (int i = 0; i < 200; i++)
            *at(a, i, i) = 2 + 0.1 * step;
        CHECK_OK(zn_linsolver_factor(solver, a));
        CHECK_BELOW(solve_and_measure(solver, a, &seed), 1e-14);
    }
    zn_linsolver_info info = zn_linsolver_get_info(solver);
    assert_int_equal(info.factorizations, 1);
    assert_int_equal(info.refactorizations, 4);
    assert_int_equal(info.solves, 15);
    zn_linsolver_destroy(solver);
    zn_sparse_destroy(a);
}

// The diagonal falls by 1e-9: as pivots the old diagonal would cost nine digits.
static void large_changes_choose_new_pivots(void **state)
{
    (void)state;
    uint64_t      seed = 13;
    zn_sparse    *a = saddle_matrix(200, 1);
    zn_linsolver *solver = NULL;
    CHECK_OK(zn_linsolver_create(a, "klu", &solver));
    CHECK_OK(zn_linsolver_factor(solver, a));
    for (int i = 0; i < 200; i++)
        *at(a, i, i) *= 1e-9;
    CHECK_OK(zn_linsolver_factor(solver, a));
    CHECK_BELOW(solve_and_measure(solver, a, &seed), 1e-13);
    assert_int_equal(zn_linsolver_get_info(solver).factorizations, 2);
    zn_linsolver_destroy(solver);
    zn_sparse_destroy(a);
}

// --- factors that stay ---------------------------------------------------------------------------

// Eleven right-hand sides: whole groups and a rest. Together each has the bits it has alone.
static void check_columns(zn_linsolver *solver, int n)
{
    enum { COUNT = 11 };
    uint64_t seed = 11;
    double *together = malloc(COUNT * (size_t)n * sizeof *together), *alone = malloc(COUNT * (size_t)n * sizeof *alone);
    for (int i = 0; i < COUNT * n; i++)
        together[i] = alone[i] = draw(&seed);
    CHECK_OK(zn_linsolver_solve(solver, COUNT, together));
    for (int c = 0; c < COUNT; c++)
        CHECK_OK(zn_linsolver_solve(solver, 1, alone + c * n));
    assert_memory_equal(together, alone, COUNT * (size_t)n * sizeof *together);
    free(together);
    free(alone);
}

static void settled_columns_do_not_depend_on_each_other(void **state)
{
    (void)state;
    for (int full = 0; full < 2; full++) { // short rows, long ones
        uint64_t      seed = 3;
        zn_sparse    *a = full ? full_matrix(40) : saddle_matrix(60, 7);
        zn_linsolver *solver = NULL;
        for (int k = 0; full && k < a->start[a->n]; k++)
            a->value[k] = draw(&seed);
        CHECK_OK(zn_linsolver_create(a, "klu", &solver));
        CHECK_OK(zn_linsolver_factor(solver, a));
        CHECK_OK(zn_linsolver_settle(solver));
        check_columns(solver, a->n);
        zn_linsolver_destroy(solver);
        zn_sparse_destroy(a);
    }
}

// Factors that are kept know nothing of those before: bit by bit those of a solver that starts with them.
static void kept_factors_have_pivots_of_their_own(void **state)
{
    (void)state;
    zn_sparse *a = saddle_matrix(60, 7);
    for (int k = 0; k < BACKENDS; k++) {
        zn_linsolver *old = NULL, *young = NULL;
        double        x[67], y[67];
        CHECK_OK(zn_linsolver_create(a, backends[k], &old));
        CHECK_OK(zn_linsolver_factor(old, a));
        for (int i = 0; i < 60; i++)
            *at(a, i, i) *= 1 + 0.1 * (i % 3);
        CHECK_OK(zn_linsolver_factor_kept(old, a, true));
        assert_true(zn_linsolver_is_fresh(old));
        CHECK_OK(zn_linsolver_create(a, backends[k], &young));
        CHECK_OK(zn_linsolver_factor_kept(young, a, true));
        for (int i = 0; i < 67; i++)
            x[i] = y[i] = 1 + i;
        CHECK_OK(zn_linsolver_solve(old, 1, x));
        CHECK_OK(zn_linsolver_solve(young, 1, y));
        assert_memory_equal(x, y, sizeof x);
        zn_linsolver_destroy(old);
        zn_linsolver_destroy(young);
    }
    zn_sparse_destroy(a);
}

// --- choice --------------------------------------------------------------------------------------

static const char *chosen(int n)
{
    zn_sparse    *a = saddle_matrix(n - 1, 1);
    zn_linsolver *solver = NULL;
    CHECK_OK(zn_linsolver_create(a, NULL, &solver));
    const char *name = zn_linsolver_get_info(solver).backend;
    zn_linsolver_destroy(solver);
    zn_sparse_destroy(a);
    return name;
}

static void the_backend_is_chosen_by_size(void **state)
{
    (void)state;
    assert_string_equal(chosen(40), "dense");
    assert_string_equal(chosen(41), "klu");
    zn_sparse    *a = full_matrix(2), *other = full_matrix(3), *none = NULL;
    zn_linsolver *solver = NULL;
    CHECK_STATUS(zn_linsolver_create(a, "abacus", &solver), ZN_ERR_ARGUMENT);
    assert_null(solver);
    CHECK_OK(zn_linsolver_create(a, NULL, &solver));
    CHECK_STATUS(zn_linsolver_factor(solver, other), ZN_ERR_ARGUMENT);
    assert_null(zn_linsolver_destroy(solver));
    assert_null(zn_linsolver_destroy(NULL));

    CHECK_OK(zn_sparse_create(0, 0, NULL, NULL, &none));
    CHECK_OK(zn_linsolver_create(none, "klu", &solver));
    CHECK_OK(zn_linsolver_factor(solver, none));
    double x = 1;
    CHECK_OK(zn_linsolver_solve(solver, 1, &x));
    zn_linsolver_destroy(solver);
    zn_sparse_destroy(a);
    zn_sparse_destroy(other);
    zn_sparse_destroy(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_system),
        cmocka_unit_test(random_unsymmetric_matrices),
        cmocka_unit_test(saddle_points_with_zero_diagonals),
        cmocka_unit_test(triangular_matrices),
        cmocka_unit_test(badly_scaled_matrices),
        cmocka_unit_test(singular_matrices_are_reported_and_survived),
        cmocka_unit_test(redundant_constraints_are_singular),
        cmocka_unit_test(a_free_bar_is_singular),
        cmocka_unit_test(small_changes_reuse_the_pivots),
        cmocka_unit_test(large_changes_choose_new_pivots),
        cmocka_unit_test(settled_columns_do_not_depend_on_each_other),
        cmocka_unit_test(kept_factors_have_pivots_of_their_own),
        cmocka_unit_test(the_backend_is_chosen_by_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
