// Conjugate gradients: answers and iterations of the theory, and preconditioners that are neither symmetric nor the
// same each time.
#include "check.h"

#include <stdlib.h>

#include "math/conjugate.h"

enum { SIDE = 60, N = SIDE * SIDE };

static const double mass = 0.3;

// mass u - (u_xx + u_yy) by differences; and what is wrong with the preconditioner 1/4.
typedef struct grid {
    double   noise;
    uint64_t seed;
    int      products;
    bool     indefinite;
} grid;

static void multiply(void *user, const double *x, double *y)
{
    grid *g = user;
    g->products++;
    for (int i = 0; i < N; i++) {
        int column = i % SIDE, row = i / SIDE;
        y[i] = (4 + mass) * x[i] - (column > 0 ? x[i - 1] : 0) - (column < SIDE - 1 ? x[i + 1] : 0) -
               (row > 0 ? x[i - SIDE] : 0) - (row < SIDE - 1 ? x[i + SIDE] : 0);
        y[i] = g->indefinite && i == N / 2 ? -y[i] : y[i];
    }
}

static zn_status precondition(void *user, double size, const double *r, double *z)
{
    grid *g = user;
    (void)size;
    for (int i = 0; i < N; i++)
        z[i] = 0.25 * (r[i] + g->noise * draw(&g->seed) * r[(i + 1) % N]);
    return ZN_OK;
}

static const zn_conjugate_ops ops = {.quick = multiply, .multiply = multiply, .precondition = precondition};

static int solve(double noise, double tolerance)
{
    grid         g = {.noise = noise, .seed = 11};
    zn_conjugate c;
    double      *b = calloc(N, sizeof *b), *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y), left = 0, size = 0;
    for (int i = 0; i < N; i++)
        b[i] = sin(0.01 * i * i);
    CHECK_OK(zn_conjugate_create(N, NULL, &ops, &g, &c));
    c.size = 8;
    CHECK_OK(zn_conjugate_solve(&c, b, tolerance, x));
    int count = (int)c.iterations;
    multiply(&g, x, y);
    for (int i = 0; i < N; i++) {
        left += (b[i] - y[i]) * (b[i] - y[i]);
        size += b[i] * b[i];
    }
    CHECK_BELOW(sqrt(left), tolerance * sqrt(size));
    g.products = 0; // from the answer on there is nothing to do
    CHECK_OK(zn_conjugate_solve(&c, b, 2 * tolerance, x));
    assert_int_equal(g.products, 1);
    assert_int_equal(c.iterations, count);
    zn_conjugate_destroy(&c);
    free(b);
    free(x);
    free(y);
    return count;
}

// With the condition number k |r| falls by (sqrt k - 1)/(sqrt k + 1), but for a factor of 2 sqrt k.
static void test_iterations_of_the_theory(void **state)
{
    (void)state;
    double angle = acos(-1.0) / (2 * (SIDE + 1)), low = mass + 8 * sin(angle) * sin(angle);
    double root = sqrt((mass + 8 * cos(angle) * cos(angle)) / low),
           most = log(2 * root / 1e-10) / log((root + 1) / (root - 1));
    int count = solve(0, 1e-10);
    print_message("%d iterations, at most %.0f\n", count, most);
    CHECK_BELOW(count, most + 1);
}

// As large as rounding in single precision makes it it is not seen at all; one of 0.4 costs some iterations. Directions
// by r'z alone, as of a preconditioner that is symmetric and stays, take five times as many.
static void test_preconditioners_that_change(void **state)
{
    (void)state;
    int exact = solve(0, 1e-10), rounded = solve(1e-6, 1e-10), rough = solve(0.4, 1e-10);
    print_message("%d iterations, with noise of 1e-6 %d, of 0.4 %d\n", exact, rounded, rough);
    assert_in_range(rounded, exact - 2, exact + 2);
    CHECK_BELOW(rough, 1.5 * exact);
}

static void test_what_is_not_definite(void **state)
{
    (void)state;
    grid         g = {.indefinite = true};
    zn_conjugate c;
    double      *b = calloc(N, sizeof *b), *x = calloc(N, sizeof *x);
    b[N / 2] = 1;
    CHECK_OK(zn_conjugate_create(N, NULL, &ops, &g, &c));
    CHECK_STATUS(zn_conjugate_solve(&c, b, 1e-10, x), ZN_SINGULAR);
    b[0] = NAN;
    CHECK_STATUS(zn_conjugate_solve(&c, b, 1e-10, x), ZN_NOT_FINITE);
    zn_conjugate_destroy(&c);
    free(b);
    free(x);
}

// A = diag(1 + i mod 97), inverted.
static void scale(void *user, const double *x, double *y)
{
    (void)user;
    for (int i = 0; i < N; i++)
        y[i] = (1 + i % 97) * x[i];
}

static zn_status invert(void *user, double size, const double *r, double *z)
{
    (void)user;
    (void)size;
    for (int i = 0; i < N; i++)
        z[i] = r[i] / (1 + i % 97);
    return ZN_OK;
}

// One iteration is the answer. What is left is rounding, along the direction of before as much as along any other.
static void test_more_than_rounding_is_asked_for(void **state)
{
    static const zn_conjugate_ops exact = {.quick = scale, .multiply = scale, .precondition = invert};
    enum { TIMES = 50 };
    (void)state;
    zn_conjugate c;
    uint64_t     seed = 5;
    double      *b = calloc(N, sizeof *b), *x = calloc(N, sizeof *x);
    CHECK_OK(zn_conjugate_create(N, NULL, &exact, NULL, &c));
    c.size = 97;
    for (int k = 0; k < TIMES; k++) {
        for (int i = 0; i < N; i++) {
            b[i] = 1 + 0.1 * draw(&seed);
            x[i] = 0;
        }
        CHECK_OK(zn_conjugate_solve(&c, b, 1e-17, x));
        for (int i = 0; i < N; i++)
            CHECK_BELOW(fabs(x[i] * (1 + i % 97) - b[i]), 1e-15);
    }
    print_message("%d iterations for %d answers\n", (int)c.iterations, TIMES);
    CHECK_BELOW((double)c.iterations, 8.0 * TIMES);
    zn_conjugate_destroy(&c);
    free(b);
    free(x);
}

// Whatever the guess: relative to nothing no residual is small.
static void test_nothing_on_the_right(void **state)
{
    (void)state;
    grid         g = {0};
    zn_conjugate c;
    double      *b = calloc(N, sizeof *b), *x = calloc(N, sizeof *x);
    for (int i = 0; i < N; i++)
        x[i] = 1e-3 * cos(i);
    CHECK_OK(zn_conjugate_create(N, NULL, &ops, &g, &c));
    CHECK_OK(zn_conjugate_solve(&c, b, 1e-10, x));
    for (int i = 0; i < N; i++)
        assert_true(x[i] == 0);
    assert_int_equal(c.iterations, 0);
    zn_conjugate_destroy(&c);
    free(b);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_iterations_of_the_theory), cmocka_unit_test(test_preconditioners_that_change),
        cmocka_unit_test(test_what_is_not_definite),     cmocka_unit_test(test_more_than_rounding_is_asked_for),
        cmocka_unit_test(test_nothing_on_the_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
