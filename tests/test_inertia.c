// Inertia of symmetric matrices and eigenvalues of constrained pairs, against closed forms.
#include <stdlib.h>

#include "check.h"
#include "math/eigen.h"
#include "math/inertia.h"
#include "math/linsolver.h"

static const double pi = 3.14159265358979323846;

static zn_sparse *make_chain(int n, double diagonal)
{
    int       *dof = malloc(sizeof *dof * 2 * (size_t)n);
    zn_sparse *a = NULL;
    for (int i = 0; i < n; i++) {
        dof[2 * i] = i;
        dof[2 * i + 1] = i + 1 < n ? i + 1 : i;
    }
    CHECK_OK(zn_sparse_create(n, 1, &(zn_dof_block){n, 2, dof}, NULL, &a));
    for (int j = 0; j < n; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++)
            a->value[p] = a->row[p] == j ? diagonal : -1;
    free(dof);
    return a;
}

// Chain of springs, fixed at both ends: eigenvalues 2 - 2 cos(k pi / (n + 1)).
static double chain_value(int n, int k) { return 2 - 2 * cos(k * pi / (n + 1)); }

static void check_count(int n, double shift, int expected)
{
    zn_sparse *a = make_chain(n, 2 - shift);
    int        negative = -1;
    CHECK_OK(zn_sparse_inertia(a, &negative));
    assert_int_equal(negative, expected);
    zn_status status = zn_mumps_inertia(a, &negative);
    if (status != ZN_ERR_UNSUPPORTED) {
        CHECK_OK(status);
        assert_int_equal(negative, expected);
    }
    zn_sparse_destroy(a);
}

// Between two eigenvalues of the chain, by the dense factorization and by MUMPS.
static void test_counts_between_eigenvalues(void **unused)
{
    (void)unused;
    const int sizes[] = {1, 2, 7, 40, 149, 151, 1200};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int k = 0; k <= sizes[s]; k += 1 + sizes[s] / 50 * 10) {
            double below = k > 0 ? chain_value(sizes[s], k) : -1;
            double above = k < sizes[s] ? chain_value(sizes[s], k + 1) : 5;
            check_count(sizes[s], 0.5 * (below + above), k);
        }
}

// [A -G'; -G -c]: the inertia of A where G x = 0, and one for each row, though the rows repeat each other. A = diag(-1,
// -1, 2) with x1 + x2 = 0 said twice leaves the directions (1, -1, 0) and (0, 0, 1).
static void test_counts_within_constraints(void **unused)
{
    (void)unused;
    const int  dof[] = {0, 1, 2, 3, 4};
    const int  n = 5;
    zn_sparse *a = NULL;
    CHECK_OK(zn_sparse_create(n, 1, &(zn_dof_block){1, n, dof}, NULL, &a));
    const double full[5][5] = {
        {-1, 0, 0, -1, -2}, {0, -1, 0, -1, -2}, {0, 0, 2, 0, 0}, {-1, -1, 0, -1e-11, 0}, {-2, -2, 0, 0, -1e-11}};
    for (int j = 0; j < n; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++)
            a->value[p] = full[a->row[p]][j];
    int negative;
    CHECK_OK(zn_sparse_inertia(a, &negative));
    assert_int_equal(negative, 2 + 1);
    zn_sparse_destroy(a);
}

static void test_singular_and_not_finite_are_told(void **unused)
{
    (void)unused;
    zn_sparse *a = make_chain(3, 0);
    int        negative;
    zn_sparse_clear(a);
    CHECK_STATUS(zn_sparse_inertia(a, &negative), ZN_SINGULAR);
    a->value[0] = NAN;
    CHECK_STATUS(zn_sparse_inertia(a, &negative), ZN_NOT_FINITE);
    zn_sparse_destroy(a);
}

static void test_asymmetry_is_measured(void **unused)
{
    (void)unused;
    zn_sparse   *a = make_chain(4, 2);
    const double scale[] = {1, 4, 9, 16};
    CHECK_NEAR(zn_sparse_asymmetry(a, scale), 0, 0);
    for (int p = a->start[1]; p < a->start[2]; p++)
        a->value[p] += a->row[p] == 2 ? 0.6 : 0; // a_21 - a_12 = 0.6, scale 2 * 3
    CHECK_NEAR(zn_sparse_asymmetry(a, scale), 0.1, 1e-15);
    zn_sparse_destroy(a);
}

// --- eigenvalues ---------------------------------------------------------------------------------

static void test_jacobi_finds_all(void **unused)
{
    (void)unused;
    enum { N = 12 };
    double a[N * N] = {0}, value[N], vector[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i * N + j] = i == j ? 2 : abs(i - j) == 1 ? -1 : 0;
    CHECK_OK(zn_dense_eigen(N, a, value, vector));
    for (int k = 0; k < N; k++) {
        CHECK_NEAR(value[k], chain_value(N, N - k), 1e-14);
        for (int i = 0; i < N; i++) // sin(m pi (i + 1) / (n + 1)) up to its sign
            CHECK_NEAR(fabs(vector[k * N + i]), fabs(sqrt(2.0 / (N + 1)) * sin((N - k) * pi * (i + 1) / (N + 1))),
                       1e-12);
    }
}

typedef struct chains {
    zn_sparse    *a;
    zn_linsolver *solver;
    int           copies, n;
} chains;

// So many chains side by side: each eigenvalue comes that often.
static zn_status solve_chains(void *user, double *x)
{
    chains *c = user;
    return zn_linsolver_solve(c->solver, c->copies, x);
}

static void weigh_chains(void *user, const double *x, double *y)
{
    const chains *c = user;
    for (int i = 0; i < c->n * c->copies; i++)
        y[i] = 3 * x[i];
}

static void check_chains(int n, int copies, int wanted, bool krylov)
{
    chains c = {.a = make_chain(n, 2), .copies = copies, .n = n};
    CHECK_OK(zn_linsolver_create(c.a, "auto", &c.solver));
    CHECK_OK(zn_linsolver_factor(c.solver, c.a));
    zn_eigen_problem        p = {&c, n * copies, solve_chains, weigh_chains};
    const zn_eigen_settings settings = {wanted, 1e-12, 4};
    int                     found;
    double *theta = calloc((size_t)wanted, sizeof *theta), *x = calloc((size_t)(wanted * p.n), sizeof *x);
    CHECK_OK((krylov ? zn_krylov_largest : zn_eigen_largest)(&p, &settings, &found, theta, x));
    assert_int_equal(found, wanted < p.n ? wanted : p.n);
    for (int i = 0; i < found; i++) {
        CHECK_NEAR(1 / theta[i] / (chain_value(n, 1 + i / copies) / 3), 1, 1e-11);
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < p.n; k++)
                sum += 3 * x[i * p.n + k] * x[j * p.n + k];
            CHECK_NEAR(sum, i == j, 1e-9);
        }
    }
    free(theta);
    free(x);
    zn_linsolver_destroy(c.solver);
    zn_sparse_destroy(c.a);
}

static void test_lowest_of_large(void **unused)
{
    (void)unused;
    check_chains(7, 1, 20, false); // all there are
    check_chains(30, 3, 8, false);
    check_chains(400, 1, 12, true);
    check_chains(200, 3, 30, true); // each comes three times, with restarts
    check_chains(60, 4, 9, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_between_eigenvalues),
        cmocka_unit_test(test_counts_within_constraints),
        cmocka_unit_test(test_singular_and_not_finite_are_told),
        cmocka_unit_test(test_asymmetry_is_measured),
        cmocka_unit_test(test_jacobi_finds_all),
        cmocka_unit_test(test_lowest_of_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
