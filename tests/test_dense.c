// Dense and band LU, LDL': known systems, backward errors on random ones, inertia by Sylvester's law.
#include "check.h"
#include "math/band.h"
#include "zn/math.h"

enum { MAX = 24 };

// max_i |A x - b|_i / (|A| |x| + |b|)_i
static double backward_error(int n, const double *a, const double *x, const double *b)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double sum = -b[i], size = fabs(b[i]);
        for (int j = 0; j < n; j++) {
            sum += a[i * n + j] * x[j];
            size += fabs(a[i * n + j] * x[j]);
        }
        worst = fmax(worst, size > 0 ? fabs(sum) / size : 0);
    }
    return worst;
}

static void lu_solves_a_known_system(void **state)
{
    (void)state;
    // needs exchanges: the first pivot is zero; x = (1, -2, 3)
    double a[9] = {0, 2, 1, 1, 1, 1, 4, -1, 2}, x[3] = {-1, 2, 12};
    int    pivot[3];
    CHECK_OK(zn_dense_lu_factor(3, a, pivot));
    zn_dense_lu_solve(3, a, pivot, x);
    CHECK_NEAR(x[0], 1, 2e-15);
    CHECK_NEAR(x[1], -2, 2e-15);
    CHECK_NEAR(x[2], 3, 2e-15);
}

static void lu_is_backward_stable(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int n = 1; n <= MAX; n++) {
        double a[MAX * MAX], lu[MAX * MAX], b[MAX], x[MAX];
        int    pivot[MAX];
        for (int k = 0; k < n * n; k++)
            lu[k] = a[k] = draw(&seed);
        for (int i = 0; i < n; i++)
            x[i] = b[i] = draw(&seed);
        CHECK_OK(zn_dense_lu_factor(n, lu, pivot));
        zn_dense_lu_solve(n, lu, pivot, x);
        CHECK_BELOW(backward_error(n, a, x, b), 1e-14);
    }
}

// P A = L U column after column, as in the book.
static void eliminate_plainly(int n, double *a, int *pivot)
{
    for (int k = 0; k < n; k++) {
        int r = k;
        for (int i = k + 1; i < n; i++)
            r = fabs(a[i * n + k]) > fabs(a[r * n + k]) ? i : r;
        pivot[k] = r;
        for (int j = 0; j < n; j++) {
            double t = a[k * n + j];
            a[k * n + j] = a[r * n + j];
            a[r * n + j] = t;
        }
        double inverse = 1 / a[k * n + k];
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] *= inverse;
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    }
}

// Panels of columns change the order of nothing that happens to an entry.
static void lu_has_the_bits_of_plain_elimination(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 1; n <= MAX; n++) {
        double lu[MAX * MAX], plain[MAX * MAX];
        int    pivot[MAX], expected[MAX];
        for (int k = 0; k < n * n; k++) // a third of the entries are zero
            lu[k] = plain[k] = n % 2 && k % (n + 1) != 0 && draw(&seed) > 0.33 ? 0 : draw(&seed);
        CHECK_OK(zn_dense_lu_factor(n, lu, pivot));
        eliminate_plainly(n, plain, expected);
        assert_memory_equal(pivot, expected, sizeof(int) * (size_t)n);
        for (int k = 0; k < n * n; k++)
            CHECK_NEAR(lu[k], plain[k], 0);
    }
}

static void lu_reports_singularity(void **state)
{
    (void)state;
    double zero_row[4] = {1, 2, 0, 0}, twice[9] = {1, 2, 3, 2, 4, 6, 1, 0, 1};
    int    pivot[3];
    CHECK_STATUS(zn_dense_lu_factor(2, zero_row, pivot), ZN_SINGULAR);
    CHECK_STATUS(zn_dense_lu_factor(3, twice, pivot), ZN_SINGULAR);
}

// Small numbers on the diagonal make rows change places: as in the full matrix.
static void check_band(int n, int lower, int upper, uint64_t *seed)
{
    int    width = zn_band_width(lower, upper), pivot[MAX], end[MAX], expected[MAX];
    double a[MAX * MAX] = {0}, lu[MAX * MAX], value[MAX * 16] = {0}, b[MAX], x[MAX], residual = 0, size = 0;
    for (int i = 0; i < n; i++) {
        x[i] = b[i] = draw(seed);
        for (int j = 0; j < n; j++)
            if (j >= i - lower && j <= i + upper)
                value[i * width + lower + j - i] = a[i * n + j] = (i == j ? 0.1 : 1) * draw(seed);
    }
    for (int k = 0; k < n * n; k++)
        lu[k] = a[k];
    zn_band band = {n, lower, upper, value, pivot, end};
    CHECK_OK(zn_band_factor(&band));
    CHECK_OK(zn_dense_lu_factor(n, lu, expected));
    assert_memory_equal(pivot, expected, sizeof(int) * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n && j < end[i]; j++)
            CHECK_NEAR(value[i * width + lower + j - i], lu[i * n + j], 0); // U
    zn_band_solve(&band, x);
    for (int i = 0; i < n; i++) {
        double sum = -b[i];
        for (int j = 0; j < n; j++)
            sum += a[i * n + j] * x[j];
        residual = fmax(residual, fabs(sum));
        size = fmax(size, fabs(x[i]));
    }
    CHECK_BELOW(residual, 1e-14 * (1 + size));
}

static void band_has_the_factors_of_a_full_matrix(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 1; n <= MAX; n++)
        for (int lower = 0; lower < 6; lower++)
            check_band(n, lower, (lower + n) % 6, &seed);
    double  none[3] = {1, 0, 2};
    int     pivot[3], end[3];
    zn_band band = {3, 0, 0, none, pivot, end};
    CHECK_STATUS(zn_band_factor(&band), ZN_SINGULAR);
}

static void ldl_solves_known_systems(void **state)
{
    (void)state;
    double swap[4] = {0, NAN, 1, 0}; // x = (b1, b0); the upper triangle must not be read
    double x[2] = {5, 7};
    int    pivot[3], negative = -1;
    CHECK_OK(zn_dense_ldl_factor(2, swap, pivot, &negative));
    zn_dense_ldl_solve(2, swap, pivot, x);
    CHECK_NEAR(x[0], 7, 0);
    CHECK_NEAR(x[1], 5, 0);
    assert_int_equal(negative, 1);

    // minimise x^2 + y^2/2 with x + y = 3: x = 1, y = 2, multiplier -2
    double saddle[9] = {2, 0, 0, 0, 1, 0, 1, 1, 0}, y[3] = {0, 0, 3};
    CHECK_OK(zn_dense_ldl_factor(3, saddle, pivot, &negative));
    zn_dense_ldl_solve(3, saddle, pivot, y);
    CHECK_NEAR(y[0], 1, 1e-15);
    CHECK_NEAR(y[1], 2, 1e-15);
    CHECK_NEAR(y[2], -2, 1e-15);
    assert_int_equal(negative, 1);
}

// A = L D L' with a unit lower triangle L has the signs of D (Sylvester), whatever pivots the method takes.
static int random_symmetric(int n, uint64_t *seed, double *a)
{
    double l[MAX * MAX] = {0}, d[MAX];
    int    negative = 0;
    for (int i = 0; i < n; i++) {
        l[i * n + i] = 1;
        for (int j = 0; j < i; j++)
            l[i * n + j] = draw(seed);
        d[i] = draw(seed);
        d[i] += d[i] < 0 ? -0.5 : 0.5;
        negative += d[i] < 0;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i * n + j] = 0;
            for (int k = 0; k <= i && k <= j; k++)
                a[i * n + j] += l[i * n + k] * d[k] * l[j * n + k];
        }
    return negative;
}

static void ldl_finds_the_inertia_and_solves(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 1; n <= MAX; n++)
        for (int repeat = 0; repeat < 5; repeat++) {
            double a[MAX * MAX], ldl[MAX * MAX], b[MAX], x[MAX];
            int    pivot[MAX], negative = -1, expected = random_symmetric(n, &seed, a);
            for (int i = 0; i < n; i++) {
                x[i] = b[i] = draw(&seed);
                for (int j = 0; j < n; j++)
                    ldl[i * n + j] = j <= i ? a[i * n + j] : NAN;
            }
            CHECK_OK(zn_dense_ldl_factor(n, ldl, pivot, &negative));
            assert_int_equal(negative, expected);
            zn_dense_ldl_solve(n, ldl, pivot, x);
            CHECK_BELOW(backward_error(n, a, x, b), 2e-13);
        }
}

// [K G'; G 0] with K positive definite and independent rows in G has as many negative eigenvalues as constraints.
static void ldl_counts_the_constraints_of_a_saddle_point(void **state)
{
    (void)state;
    enum { N = 10, M = 4, ALL = N + M };
    double a[ALL * ALL] = {0};
    int    pivot[ALL], negative = -1;
    for (int i = 0; i < N; i++) {
        a[i * ALL + i] = 2;
        if (i > 0)
            a[i * ALL + i - 1] = -1;
    }
    for (int c = 0; c < M; c++) {
        a[(N + c) * ALL + 2 * c] = 1;
        a[(N + c) * ALL + 2 * c + 1] = -3;
    }
    CHECK_OK(zn_dense_ldl_factor(ALL, a, pivot, &negative));
    assert_int_equal(negative, M);
}

static void ldl_reports_singularity(void **state)
{
    (void)state;
    double a[9] = {1, 0, 0, 0, 0, 0, 0, 0, 2}, empty[4] = {0, 0, 0, 0};
    int    pivot[3];
    CHECK_STATUS(zn_dense_ldl_factor(3, a, pivot, NULL), ZN_SINGULAR);
    CHECK_STATUS(zn_dense_ldl_factor(2, empty, pivot, NULL), ZN_SINGULAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lu_solves_a_known_system),
        cmocka_unit_test(lu_is_backward_stable),
        cmocka_unit_test(lu_has_the_bits_of_plain_elimination),
        cmocka_unit_test(lu_reports_singularity),
        cmocka_unit_test(band_has_the_factors_of_a_full_matrix),
        cmocka_unit_test(ldl_solves_known_systems),
        cmocka_unit_test(ldl_finds_the_inertia_and_solves),
        cmocka_unit_test(ldl_counts_the_constraints_of_a_saddle_point),
        cmocka_unit_test(ldl_reports_singularity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
