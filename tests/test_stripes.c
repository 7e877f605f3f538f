// Products of a symmetric sparse matrix in stripes against the sum over all entries.
#include <stdlib.h>

#include "check.h"
#include "math/stripes.h"

// `directions` chains of `nodes` nodes each, numbered direction by direction; what couples two directions skips the
// last `odd` nodes, so that rows look alike in runs of many lengths.
static zn_sparse *chains(int directions, int nodes, int odd)
{
    int        n = directions * nodes, count = 0, *dof = malloc(4 * sizeof *dof * (size_t)n);
    zn_sparse *a = NULL;
    uint64_t   seed = 7;
    for (int d = 0; d < directions; d++)
        for (int i = 0; i + 1 < nodes; i++, count++) {
            dof[2 * count] = d * nodes + i;
            dof[2 * count + 1] = d * nodes + i + 1;
        }
    for (int i = 0; directions > 1 && i < nodes - odd; i++, count++) {
        dof[2 * count] = i;
        dof[2 * count + 1] = nodes + i;
    }
    zn_dof_block block = {count, 2, dof};
    CHECK_OK(zn_sparse_create(n, 1, &block, NULL, &a));
    for (int j = 0; j < n; j++)
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            if (a->row[e] >= j) {
                a->value[e] = draw(&seed);
                for (int k = a->start[a->row[e]]; k < a->start[a->row[e] + 1]; k++)
                    if (a->row[k] == j)
                        a->value[k] = a->value[e];
            }
    free(dof);
    return a;
}

static void check_product(const zn_sparse *a, int most)
{
    enum { MOST = 400 };
    double     b[MOST], x[MOST], y[MOST + 1], expected[MOST];
    uint64_t   seed = 11;
    zn_stripes s;
    assert_true(a->n <= MOST);
    for (int i = 0; i < a->n; i++) {
        expected[i] = b[i] = draw(&seed);
        x[i] = draw(&seed);
    }
    for (int j = 0; j < a->n; j++)
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            expected[a->row[e]] -= a->value[e] * x[j];
    CHECK_OK(zn_stripes_create(a, &s));
    assert_true(s.count <= most); // rows that look alike are together
    y[a->n] = 17;
    zn_stripes_subtract(&s, b, x, y);
    for (int i = 0; i < a->n; i++)
        CHECK_NEAR(y[i], expected[i], 1e-14);
    assert_true(y[a->n] == 17); // nothing is written beyond the last row
    zn_stripes_destroy(&s);
}

static void test_product(void **test)
{
    (void)test;
    for (int nodes = 2; nodes <= 60; nodes++)
        for (int odd = 0; odd < nodes && odd < 4; odd++)
            for (int directions = 1; directions <= 6; directions += 5) {
                zn_sparse *a = chains(directions, nodes, odd);
                check_product(a, 3 * directions + 8);
                zn_sparse_destroy(a);
            }
}

// No entry at all, and one row.
static void test_small(void **test)
{
    (void)test;
    int          dof[] = {0}, none[] = {0, 0, 0};
    zn_dof_block block = {1, 1, dof};
    zn_sparse   *a = NULL, empty = {.n = 2, .start = none};
    CHECK_OK(zn_sparse_create(1, 1, &block, NULL, &a));
    a->value[0] = 3;
    check_product(a, 1);
    check_product(&empty, 1);
    zn_sparse_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_product), cmocka_unit_test(test_small)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
