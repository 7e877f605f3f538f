// Sums of columns kept in pieces against those of the full columns.
#include <stdlib.h>

#include "check.h"
#include "math/columns.h"

enum { N = 70, COLUMNS = 11 };

// Column j: zero but for two pieces that it shares with every third; `far`: zeros between them.
static void make(int j, int far, double *x)
{
    uint64_t seed = (uint64_t)j + 1;
    for (int i = 0; i < N; i++) {
        int at = i - 3 * (j % 3);
        x[i] = (at >= 1 && at < 12) || (at >= 12 + far && at < 19 + far) ? draw(&seed) : 0;
    }
}

static void test_sum(void **test)
{
    (void)test;
    zn_columns c = {0};
    for (int far = 0; far < 40; far += 3) {
        double x[N], factor[COLUMNS], out[N], expected[N];
        for (int i = 0; i < N; i++)
            out[i] = expected[i] = i;
        zn_columns_clear(&c);
        for (int j = 0; j < COLUMNS; j++) {
            factor[j] = 1.5 * j - 4;
            make(j, far, x);
            CHECK_OK(zn_columns_keep(&c, j, N, x));
            for (int i = 0; i < N; i++)
                expected[i] += factor[j] * x[i];
        }
        zn_columns_sort(&c);
        assert_true(c.pieces == (far < 16 ? 1 : 2) * COLUMNS); // long gaps are left out
        assert_true(c.values <= COLUMNS * (18 + 15));
        zn_columns_add(&c, factor, out);
        for (int i = 0; i < N; i++)
            CHECK_NEAR(out[i], expected[i], 1e-13);
    }
    zn_columns_destroy(&c);
}

// Columns of zeros, and none at all.
static void test_nothing(void **test)
{
    (void)test;
    zn_columns c = {0};
    double     x[N] = {0}, factor[1] = {3}, out[N] = {7};
    zn_columns_sort(&c);
    zn_columns_add(&c, factor, out);
    CHECK_OK(zn_columns_keep(&c, 0, N, x));
    zn_columns_sort(&c);
    zn_columns_add(&c, factor, out);
    assert_true(c.pieces == 0 && out[0] == 7 && out[1] == 0);
    zn_columns_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sum), cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
