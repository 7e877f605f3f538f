// Sparse patterns: against dense assembly, with missing equations, and at the size of a large mesh.
#include <stdlib.h>

#include "check.h"
#include "zn/math.h"

enum { N = 7 };

static const int          lines[] = {0, 1, 1, 2, -1, 0, 2, 5};    // 4 elements of 2
static const int          faces[] = {5, 1, 3, 3, -1, 3, 0, 5, 5}; // 3 elements of 3, some dofs twice or missing
static const zn_dof_block blocks[] = {{4, 2, lines}, {3, 3, faces}};

// A number that tells the entry (a, c) of element e of block b.
static double entry(int b, int e, int a, int c) { return 1 + b + 0.1 * e + 0.01 * a + 0.003 * c; }

static void assemble_dense(double *dense)
{
    for (int b = 0; b < 2; b++)
        for (int e = 0; e < blocks[b].count; e++)
            for (int a = 0; a < blocks[b].size; a++)
                for (int c = 0; c < blocks[b].size; c++) {
                    int i = blocks[b].dof[e * blocks[b].size + a], j = blocks[b].dof[e * blocks[b].size + c];
                    if (i >= 0 && j >= 0)
                        dense[i * N + j] += entry(b, e, a, c);
                }
}

static void assemble_sparse(zn_sparse *a, int *const *scatter)
{
    for (int b = 0; b < 2; b++) {
        int size = blocks[b].size;
        for (int e = 0; e < blocks[b].count; e++)
            for (int r = 0; r < size; r++)
                for (int c = 0; c < size; c++) {
                    int  place = scatter[b][(e * size + r) * size + c];
                    bool exists = blocks[b].dof[e * size + r] >= 0 && blocks[b].dof[e * size + c] >= 0;
                    assert_int_equal(place >= 0, exists);
                    if (place >= 0)
                        a->value[place] += entry(b, e, r, c);
                }
    }
}

static void rows_ascend_and_diagonals_exist(void **state)
{
    (void)state;
    zn_sparse *a = NULL;
    CHECK_OK(zn_sparse_create(N, 2, blocks, NULL, &a));
    assert_int_equal(a->n, N);
    assert_int_equal(a->start[0], 0);
    for (int j = 0; j < N; j++) {
        bool diagonal = false;
        for (int k = a->start[j]; k < a->start[j + 1]; k++) {
            assert_true(k == a->start[j] || a->row[k] > a->row[k - 1]);
            diagonal = diagonal || a->row[k] == j;
        }
        assert_true(diagonal);
    }
    assert_int_equal(a->start[5] - a->start[4], 1); // dofs 4 and 6 are in no element
    assert_int_equal(a->start[7] - a->start[6], 1);
    // neighbours by hand: 0:{0,1,5} 1:{0,1,2,3,5} 2:{1,2,5} 3:{1,3,5} 4:{4} 5:{0,1,2,3,5} 6:{6}
    assert_int_equal(a->start[N], 3 + 5 + 3 + 3 + 1 + 5 + 1);
    zn_sparse_destroy(a);
}

static void assembly_equals_the_dense_one(void **state)
{
    (void)state;
    zn_sparse *a = NULL;
    int       *scatter[2] = {NULL, NULL};
    double     dense[N * N] = {0}, seen[N * N] = {0};
    CHECK_OK(zn_sparse_create(N, 2, blocks, scatter, &a));
    zn_sparse_clear(a);
    assemble_sparse(a, scatter);
    assemble_dense(dense);
    for (int j = 0; j < N; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            seen[a->row[k] * N + j] = a->value[k];
    for (int k = 0; k < N * N; k++)
        CHECK_NEAR(seen[k], dense[k], 1e-15);

    double x[N] = {1, -2, 3, 0.5, 7, -1, 2}, y[N];
    zn_sparse_multiply(a, x, y);
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++)
            sum += dense[i * N + j] * x[j];
        CHECK_NEAR(y[i], sum, 1e-14);
    }
    zn_sparse_clear(a);
    for (int k = 0; k < a->start[N]; k++)
        assert_true(a->value[k] == 0);
    free(scatter[0]);
    free(scatter[1]);
    zn_sparse_destroy(a);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    const int    beyond[] = {0, N};
    zn_dof_block bad = {1, 2, beyond}, negative = {-1, 2, beyond};
    zn_sparse   *a = NULL;
    CHECK_STATUS(zn_sparse_create(N, 1, &bad, NULL, &a), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_sparse_create(N, 1, &negative, NULL, &a), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_sparse_create(-1, 0, NULL, NULL, &a), ZN_ERR_ARGUMENT);
    assert_null(a);
    assert_null(zn_sparse_destroy(NULL));
}

static void empty_matrices_exist(void **state)
{
    (void)state;
    zn_sparse *none = NULL, *diagonal = NULL;
    CHECK_OK(zn_sparse_create(0, 0, NULL, NULL, &none));
    assert_int_equal(none->start[0], 0);
    CHECK_OK(zn_sparse_create(3, 0, NULL, NULL, &diagonal));
    assert_int_equal(diagonal->start[3], 3);
    zn_sparse_destroy(none);
    zn_sparse_destroy(diagonal);
}

// A chain of a million springs: 3 n - 2 entries, and A x = 0 inside for linear x. Anything slower than linear time
// would run into the time limit of the tests.
static void a_million_elements(void **state)
{
    (void)state;
    enum { ELEMENTS = 1000000, DOFS = ELEMENTS + 1 };
    int *dof = malloc(2 * ELEMENTS * sizeof *dof), *scatter = NULL;
    assert_non_null(dof);
    for (int e = 0; e < ELEMENTS; e++) {
        dof[2 * e] = e;
        dof[2 * e + 1] = e + 1;
    }
    zn_dof_block chain = {ELEMENTS, 2, dof};
    zn_sparse   *a = NULL;
    CHECK_OK(zn_sparse_create(DOFS, 1, &chain, &scatter, &a));
    assert_int_equal(a->start[DOFS], 3 * DOFS - 2);
    const double stiffness[4] = {1, -1, -1, 1};
    for (int k = 0; k < 4 * ELEMENTS; k++)
        a->value[scatter[k]] += stiffness[k % 4];
    double *x = malloc(DOFS * sizeof *x), *y = malloc(DOFS * sizeof *y);
    assert_true(x != NULL && y != NULL);
    for (int i = 0; i < DOFS; i++)
        x[i] = i;
    zn_sparse_multiply(a, x, y);
    double worst = 0;
    for (int i = 1; i < DOFS - 1; i++)
        worst = fmax(worst, fabs(y[i]));
    CHECK_NEAR(worst, 0, 0);
    CHECK_NEAR(y[0], -1, 0);
    CHECK_NEAR(y[DOFS - 1], 1, 0);
    free(x);
    free(y);
    free(dof);
    free(scatter);
    zn_sparse_destroy(a);
}

// Without zeros, but for those on the diagonal; the product stays.
static void zeros_are_left_out(void **test)
{
    (void)test;
    int       start[] = {0, 2, 5, 7}, row[] = {0, 1, 0, 1, 2, 1, 2};
    double    value[] = {0, 0, 3, 4, 0, -0.0, 5}, x[] = {2, 3, 7}, y[3], z[3];
    zn_sparse a = {3, start, row, value}, *b = NULL;
    const int left[] = {0, 0, 1, 2}, first[] = {0, 1, 3, 4};
    assert_int_equal(zn_sparse_compress(&a, &b), ZN_OK);
    assert_int_equal(b->n, 3);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(b->start[i], first[i]);
        assert_int_equal(b->row[i], left[i]);
    }
    zn_sparse_multiply(&a, x, y);
    zn_sparse_multiply(b, x, z);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(z[i], y[i], 0);
    zn_sparse_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_ascend_and_diagonals_exist),
        cmocka_unit_test(assembly_equals_the_dense_one),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(empty_matrices_exist),
        cmocka_unit_test(a_million_elements),
        cmocka_unit_test(zeros_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
