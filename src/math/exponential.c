// Exponential, logarithms, powers and hyperbolic functions whose bits do not depend on the processor (see sine.c).
// Errors below 0.9 of a unit in the last place.
//
//     exp    x = k ln 2 + r,  |r| <= ln 2/2;  1 + r + r^2/2! + ... + r^14/14!: the next term is 1e-19
//     log    x = 2^k m,  s = (m - 1)/(m + 1),  |s| <= 0.1716;  k ln 2 + 2 s + 2/3 s^3 + 2/5 s^5 + ...: the first two
//     terms are
//            sums of two numbers, so that powers, exp(y log x), are as good up to 2^1024
//     sinh   (E - 1/E)/2 with E = exp x as a sum of two numbers; near zero its series
#include "math/pair.h"
#include "zn/math.h"

// ln 2 in three pieces: whole multiples of the first two are exact.
static const double ln2_high = 0x1.62e42fefa4000p-1, ln2_middle = -0x1.8432a1b0e2000p-43,
                    ln2_low = -0x1.8cff81a12a17ep-85;

// exp(x.high + x.low) = 2^k times the sum; |x| < 1e5.
static zn_pair exponential(zn_pair x, int *k)
{
    double  n = rint(x.high * 0x1.71547652b82fep+0);
    zn_pair a = zn_pair_sum(x.high - n * ln2_high, -n * ln2_middle);
    double  r = a.high, rest = a.low + (x.low - n * ln2_low);
    double  p = 1.0 / 40320 +
               r * (1.0 / 362880 +
                    r * (1.0 / 3628800 +
                         r * (1.0 / 39916800 + r * (1.0 / 479001600 + r * (1.0 / 6227020800 + r / 87178291200)))));
    double  q = 0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040 + r * p)))));
    zn_pair one = zn_pair_fast(1, r);
    *k = (int)n;
    double more = r * r * q;
    return zn_pair_fast(one.high, one.low + (more + rest * (1 + r + more)));
}

static double raise_e(zn_pair x) // to the power x
{
    int k;
    if (!(x.high < 800) || !(x.high > -800)) // also no number
        return isnan(x.high) ? x.high : x.high > 0 ? INFINITY : 0;
    zn_pair e = exponential(x, &k);
    return ldexp(e.high, k);
}

double zn_exp(double x) { return raise_e((zn_pair){x, 0}); }

// Of a positive finite number.
static zn_pair logarithm(double x)
{
    int    k;
    double m = frexp(x, &k);
    if (m < 0.70710678118654752) {
        m *= 2;
        k--;
    }
    const zn_pair two_thirds = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
    zn_pair       s = zn_pair_over((zn_pair){m - 1, 0}, zn_pair_fast(1, m)), z = zn_pair_times(s, s);
    zn_pair       cubic = zn_pair_times(s, zn_pair_times(z, two_thirds));
    double        y = z.high;
    double        p =
        2.0 / 5 +
        y * (2.0 / 7 +
             y * (2.0 / 9 + y * (2.0 / 11 +
                                 y * (2.0 / 13 +
                                      y * (2.0 / 15 +
                                           y * (2.0 / 17 +
                                                y * (2.0 / 19 + y * (2.0 / 21 + y * (2.0 / 23 + y * (2.0 / 25))))))))));
    zn_pair sum = zn_pair_add((zn_pair){2 * s.high, 2 * s.low}, cubic);
    sum = zn_pair_fast(sum.high, sum.low + s.high * y * y * p);
    zn_pair scale = zn_pair_sum(k * ln2_high, k * ln2_middle);
    scale.low += k * ln2_low;
    return zn_pair_add(scale, sum);
}

double zn_ln(double x)
{
    return x > 0 && isfinite(x) ? logarithm(x).high : x == 0 ? -INFINITY : x > 0 ? x : (double)NAN;
}

static double log_to_base(double x, zn_pair factor)
{
    return x > 0 && isfinite(x) ? zn_pair_times(logarithm(x), factor).high : zn_ln(x);
}

// Powers of two are exact.
double zn_log2(double x)
{
    int k;
    return x > 0 && isfinite(x) && frexp(x, &k) == 0.5
               ? k - 1
               : log_to_base(x, (zn_pair){0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}

double zn_log10(double x) { return log_to_base(x, (zn_pair){0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}); }

double zn_pow(double x, double y)
{
    if (x < 0 && isfinite(x) && isfinite(y) && y == rint(y))
        return fmod(y, 2) != 0 ? -zn_pow(-x, y) : zn_pow(-x, y);
    if (!(x > 0) || !isfinite(x) || !isfinite(y) || x == 1 || y == 0)
        return pow(x, y); // exact values, by the standard
    zn_pair l = logarithm(x);
    if (fabs(y) > 1e22)
        return (l.high > 0) == (y > 0) ? INFINITY : 0;
    zn_pair p = zn_pair_product(y, l.high);
    return raise_e(zn_pair_fast(p.high, p.low + y * l.low));
}

// --- hyperbolic functions ------------------------------------------------------------------------

static zn_pair small_sinh(double x)
{
    double z = x * x;
    return zn_pair_fast(
        x, x * z *
               (1.0 / 6 +
                z * (1.0 / 120 + z * (1.0 / 5040 + z * (1.0 / 362880 + z * (1.0 / 39916800 + z / 6227020800))))));
}

// (E + side / E) / 2 of x >= 0.
static zn_pair half_sum(double x, double side)
{
    int     k;
    zn_pair e = exponential((zn_pair){x, 0}, &k);
    e = (zn_pair){ldexp(e.high, k - 1), ldexp(e.low, k - 1)};
    if (x > 40)
        return e;
    zn_pair inverse = zn_pair_over((zn_pair){0.25 * side, 0}, e);
    return zn_pair_add(e, inverse);
}

double zn_sinh(double x)
{
    double a = fabs(x);
    if (!(a < 800))
        return isnan(x) ? x : copysign(INFINITY, x);
    return x == 0 ? x : a < 0.3 ? small_sinh(x).high : copysign(half_sum(a, -1).high, x);
}

double zn_cosh(double x)
{
    double a = fabs(x);
    return a < 800 ? half_sum(a, 1).high : a * INFINITY;
}

double zn_tanh(double x)
{
    double a = fabs(x);
    if (!(a < 22))
        return isnan(x) ? x : copysign(1, x);
    zn_pair sine = a < 0.3 ? small_sinh(a) : half_sum(a, -1);
    return copysign(zn_pair_over(sine, half_sum(a, 1)).high, x);
}
