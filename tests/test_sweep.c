// Triangular solves in levels against plain substitution.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/sweep.h"

enum { MOST = 200 };

// A triangle by columns, and the same as a full matrix.
typedef struct triangle {
    zn_triangle t;
    int         start[MOST + 1], row[MOST * MOST];
    double      value[MOST * MOST];
    double      full[MOST][MOST];
} triangle;

// Lower: pieces of `length` unknowns, each a chain whose last unknown is tied to the last one of all; `more`: entries
// scattered below it. Upper: its transpose.
static void make(int n, int length, int more, bool upper, triangle *out)
{
    uint64_t seed = 3;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < n; i++) {
        out->full[i][i] = 2 + draw(&seed);
        if (i > 0 && i % length != 0)
            out->full[i][i - 1] = draw(&seed);
        if (i % length == length - 1)
            out->full[n - 1][i] = i < n - 1 ? draw(&seed) : out->full[i][i];
    }
    for (int k = 0; k < more; k++) {
        int i = (int)(n * (draw(&seed) + 1) / 2), j = (int)(n * (draw(&seed) + 1) / 2);
        if (i != j)
            out->full[i > j ? i : j][i > j ? j : i] = draw(&seed) / 4;
    }
    for (int i = 0; i < n && upper; i++)
        for (int j = 0; j < i; j++) {
            out->full[j][i] = out->full[i][j];
            out->full[i][j] = 0;
        }
    int entries = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            if (out->full[i][j] != 0) {
                out->row[entries] = i;
                out->value[entries++] = out->full[i][j];
            }
        out->start[j + 1] = entries;
    }
    out->t = (zn_triangle){n, upper, out->start, out->row, out->value};
}

static void substitute(const triangle *a, const double *b, double *y)
{
    int n = a->t.n;
    for (int k = 0; k < n; k++) {
        int i = a->t.upper ? n - 1 - k : k;
        y[i] = b[i];
        for (int j = 0; j < n; j++)
            if (j != i && a->full[i][j] != 0)
                y[i] -= a->full[i][j] * y[j];
        y[i] /= a->full[i][i];
    }
}

static int rows_in_fours(const zn_sweep *s)
{
    int count = 0;
    for (int g = 0; g < s->segments; g++)
        count += s->segment[g].fours ? s->segment[g].end - s->segment[g].first : 0;
    return count;
}

// Returns how many rows are worked on in fours.
static int check_solve(const triangle *a)
{
    double   b[MOST], x[ZN_SWEEP_LANES * MOST], y[MOST], many[ZN_SWEEP_LANES * MOST], scale[MOST], expected[MOST];
    int      from[MOST], n = a->t.n;
    uint64_t seed = 5;
    zn_sweep s;
    for (int i = 0; i < n; i++) {
        from[i] = (7 * i + 3) % n; // n is no multiple of 7
        scale[i] = 1.5 + draw(&seed) / 2;
    }
    CHECK_OK(zn_sweep_create(a->t, from, scale, &s));
    for (int c = 0; c < ZN_SWEEP_LANES; c++)
        for (int i = 0; i < n; i++)
            x[c * n + i] = draw(&seed);
    zn_sweep_run_lanes(&s, x, 1, (size_t)n, many);
    for (int c = 0; c < ZN_SWEEP_LANES; c++) {
        for (int i = 0; i < n; i++)
            b[i] = x[c * n + from[i]] / scale[i];
        substitute(a, b, expected);
        zn_sweep_run(&s, x + c * n, y);
        for (int k = 0; k < n; k++) {
            CHECK_NEAR(y[k], expected[s.row[k]], 1e-12 * (1 + fabs(expected[s.row[k]])));
            assert_true(y[k] == many[k * ZN_SWEEP_LANES + c]); // the same bits as alone
        }
    }
    int fours = rows_in_fours(&s);
    zn_sweep_destroy(&s);
    return fours;
}

static void test_solve(void **test)
{
    (void)test;
    triangle *a = malloc(sizeof *a);
    const int size[] = {1, 2, 5, 31, 150}, length[] = {1, 4, 15, 150}, more[] = {0, 20, 300, 5000};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 4; k++)
            for (int m = 0; m < 4; m++)
                for (int upper = 0; upper < 2; upper++) {
                    make(size[i], length[k], more[m], upper, a);
                    check_solve(a);
                }
    free(a);
}

// Ten chains of fifteen are worked on side by side, up and down; the last ones wait for each other.
static void test_fours(void **test)
{
    (void)test;
    triangle *a = malloc(sizeof *a);
    for (int upper = 0; upper < 2; upper++) {
        make(150, 15, 0, upper, a);
        assert_true(check_solve(a) >= 8 * 14);
    }
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solve), cmocka_unit_test(test_fours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
