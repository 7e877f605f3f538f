// Sine, exponential and the others against quadruple precision (libquadmath), and where their values are exact.
#include "check.h"

#include <float.h>
#include <quadmath.h>
#include <stdint.h>
#include <stdlib.h>

#include "zn/math.h"

__extension__ typedef __float128 quad;

static int tries = 4000;

static uint64_t state = 1;

static uint64_t draw_bits(void) // splitmix64
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double between(double a, double b) { return a + (b - a) * ((double)(draw_bits() >> 11) / 9007199254740992.0); }

static double any_number(void)
{
    union {
        uint64_t bits;
        double   value;
    } x;
    do
        x.bits = draw_bits();
    while (!isfinite(x.value));
    return x.value;
}

// Near a multiple of pi/2, where everything cancels.
static double near_quarter(void)
{
    return (double)((quad)(draw_bits() >> (8 + draw_bits() % 50)) *
                    ((quad)0x1.921fb54442d18p0 + 0x1.1a62633145c07p-54));
}

// Units in the last place.
static double error_of(double got, quad wanted)
{
    int exponent;
    if (fabsq(wanted) > (quad)DBL_MAX)
        return isinf(got) ? 0 : 1e9;
    frexp((double)wanted, &exponent);
    return (double)(fabsq(got - wanted) / ldexpq(1, (exponent < -1021 ? -1021 : exponent) - 53));
}

typedef struct function {
    const char *name;
    double (*ours)(double);
    quad (*theirs)(quad);
    double from, to; // both 0: any number
} function;

static void test_functions(void **none)
{
    (void)none;
    static const function list[] = {
        {"sin", zn_sin, sinq, -4, 4},        {"sin", zn_sin, sinq, -1e6, 1e6},    {"sin", zn_sin, sinq, 0, 0},
        {"cos", zn_cos, cosq, -4, 4},        {"cos", zn_cos, cosq, -1e6, 1e6},    {"cos", zn_cos, cosq, 0, 0},
        {"tan", zn_tan, tanq, -4, 4},        {"tan", zn_tan, tanq, -1e6, 1e6},    {"tan", zn_tan, tanq, 0, 0},
        {"asin", zn_asin, asinq, -1, 1},     {"asin", zn_asin, asinq, 0.9999, 1}, {"acos", zn_acos, acosq, -1, 1},
        {"acos", zn_acos, acosq, 0.9999, 1}, {"atan", zn_atan, atanq, -3, 3},     {"atan", zn_atan, atanq, 0, 0},
        {"exp", zn_exp, expq, -1, 1},        {"exp", zn_exp, expq, -745, 709.7},  {"ln", zn_ln, logq, 0, 2},
        {"ln", zn_ln, logq, 0.999, 1.001},   {"ln", zn_ln, logq, 0, 1e308},       {"log2", zn_log2, log2q, 0, 4},
        {"log10", zn_log10, log10q, 0, 1e9}, {"sinh", zn_sinh, sinhq, -1, 1},     {"sinh", zn_sinh, sinhq, -710, 710},
        {"cosh", zn_cosh, coshq, -710, 710}, {"tanh", zn_tanh, tanhq, -1, 1},     {"tanh", zn_tanh, tanhq, -30, 30},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (int k = 0; k < tries; k++) {
            double x = list[i].from == list[i].to ? any_number() : between(list[i].from, list[i].to);
            double error = error_of(list[i].ours(x), list[i].theirs(x));
            if (!(error < 1))
                fail_msg("%s(%a): off by %g units", list[i].name, x, error);
        }
}

static void test_quarters(void **none)
{
    (void)none;
    for (int k = 0; k < tries; k++) {
        double x = near_quarter(), s, c;
        zn_sincos(x, &s, &c);
        assert_true(error_of(s, sinq(x)) < 1 && error_of(c, cosq(x)) < 1 && error_of(zn_tan(x), tanq(x)) < 1);
        assert_true(s == zn_sin(x) && c == zn_cos(x));
    }
}

static void test_two_arguments(void **none)
{
    (void)none;
    for (int k = 0; k < tries; k++) {
        double x = any_number(), y = between(-709, 709) / log(fabs(x)), a = between(-1, 1),
               b = ldexp(between(-1, 1), (int)(draw_bits() % 160) - 80);
        assert_true(error_of(zn_pow(fabs(x), y), powq(fabsq(x), y)) < 1);
        assert_true(error_of(zn_pow(fabs(b), 3), powq(fabsq(b), 3)) < 1);
        assert_true(error_of(zn_atan2(a, b), atan2q(a, b)) < 1 && error_of(zn_atan2(b, a), atan2q(b, a)) < 1);
    }
}

static void same(double got, double wanted)
{
    assert_true((isnan(got) && isnan(wanted)) || (got == wanted && signbit(got) == signbit(wanted)));
}

// What the standard says of zeros, infinities and whole powers.
static void test_exact(void **none)
{
    (void)none;
    static const double odd[] = {0.0, -0.0, 1,  -1,  INFINITY, -INFINITY, NAN, 0.5,
                                 -2,  3,    -3, 2.5, 1e308,    5e-324,    800, -800};
    double              ten = 1;
    for (int k = 0; k <= 22; k++, ten *= 10) {
        same(zn_pow(10, k), ten);
        same(zn_log10(ten), k);
    }
    for (int k = -1074; k < 1024; k++) {
        same(zn_log2(ldexp(1, k)), k);
        same(zn_pow(2, k), ldexp(1, k));
    }
    for (int i = 1; i < 1000; i++)
        same(zn_pow(-i, 3), -(double)i * i * i);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        double x = odd[i];
        if (!isfinite(x) || x == 0 || fabs(x) >= 800) {
            same(zn_exp(x), exp(x));
            same(zn_sinh(x), sinh(x));
            same(zn_cosh(x), cosh(x));
            same(zn_tanh(x), tanh(x));
        }
        if (!isfinite(x) || x == 0) {
            same(zn_sin(x), sin(x));
            same(zn_cos(x), cos(x));
            same(zn_tan(x), tan(x));
            same(zn_asin(x), asin(x));
            same(zn_atan(x), atan(x));
        }
        if (!(x > 0) || isinf(x) || x == 1)
            same(zn_ln(x), log(x));
        if (fabs(x) >= 1 || isnan(x))
            same(zn_acos(x), acos(x));
        for (size_t j = 0; j < sizeof odd / sizeof *odd; j++) {
            double y = odd[j], wanted = pow(x, y);
            if (!isfinite(wanted) || wanted == 0 || fabs(wanted) == 1)
                same(zn_pow(x, y), wanted);
            if (!isfinite(x) || !isfinite(y) || x == 0 || y == 0)
                same(zn_atan2(y, x), atan2(y, x));
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions), cmocka_unit_test(test_quarters),
                                       cmocka_unit_test(test_two_arguments), cmocka_unit_test(test_exact)};
    if (argc > 1)
        tries = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
