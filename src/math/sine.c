// Sine, cosine and tangent whose bits do not depend on the processor: the C library has variants with and without fused
// multiply-adds, which differ in the last bit. Errors below 0.8 of a unit in the last place (tests/test_elementary.c).
//
//     x = k pi/2 + y,  |y| <= pi/4,  y to 106 bits:
//         |k| < 2^19   y = x - k (P1 + P2 + P3 + P4), 33 bits of pi/2 in each of the first three, so that k Pi is exact
//         else         the fraction of m 2^e 2/pi, from the 256 bits of 2/pi that matter (Payne and Hanek, SIGNUM
//         Newsl. 18
//                      (1983) 19-24)
//     sin y = y - y^3/3! + ... - y^19/19!,  cos y = 1 - y^2/2! + ... + y^18/18!: at pi/4 the next terms are 1e-22
#include <stdint.h>

#include "base/seldom.h"
#include "math/pair.h"
#include "zn/math.h"

static const double two_over_pi = 0x1.45f306dc9c883p-1;

// --- reduction -----------------------------------------------------------------------------------

// |x| < 2^19 pi/2; returns k.
static inline int64_t reduce_small(double x, zn_pair *y)
{
    const double P1 = 0x1.921fb54400000p+0, P2 = 0x1.0b4611a600000p-34, P3 = 0x1.3198a2e000000p-69,
                 P4 = 0x1.b839a252049c1p-104;
    const double round = 0x1.8p52; // adding it leaves whole numbers
    double       k = (x * two_over_pi + round) - round;
    zn_pair      a = zn_pair_sum(x - k * P1, -k * P2), b = zn_pair_sum(a.high, -k * P3);
    *y = zn_pair_fast(b.high, (a.low + b.low) - k * P4);
    return (int64_t)k;
}

// 256 bits of 2/pi from bit `start` on; before the first there are 64 zeros.
static void take_bits(int start, uint64_t out[4])
{
    static const uint64_t bits[] = {
        0,
        0xa2f9836e4e441529,
        0xfc2757d1f534ddc0,
        0xdb6295993c439041,
        0xfe5163abdebbc561,
        0xb7246e3a424dd2e0,
        0x06492eea09d1921c,
        0xfe1deb1cb129a73e,
        0xe88235f52ebb4484,
        0xe99c7026b45f7e41,
        0x3991d639835339f4,
        0x9c845f8bbdf9283b,
        0x1ff897ffde05980f,
        0xef2f118b5a0a6d1f,
        0x6d367ecf27cb09b7,
        0x4f463f669e5fea2d,
        0x7527bac7ebe5f17b,
        0x3d0739f78a5292ea,
        0x6bfb5fb11f8d5d08,
        0x56033046fc7b6bab,
        0xf0cfbc209af4361d,
        0,
    };
    int word = start / 64, shift = start % 64;
    for (int i = 0; i < 4; i++)
        out[i] = shift > 0 ? bits[word + i] << shift | bits[word + i + 1] >> (64 - shift) : bits[word + i];
}

static void multiply(uint64_t w[4], uint64_t m) // by m, modulo 2^256
{
    __extension__ typedef unsigned __int128 wide;
    wide                                    carry = 0;
    for (int i = 3; i >= 0; i--) {
        carry += (wide)w[i] * m;
        w[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static void shift_left(uint64_t w[4], int bits) // 0 < bits < 64
{
    for (int i = 0; i < 4; i++)
        w[i] = w[i] << bits | (i < 3 ? w[i + 1] >> (64 - bits) : 0);
}

// The fraction w / 2^256, which is not zero, as a sum.
static zn_pair fraction(uint64_t w[4])
{
    int exponent = 0;
    while (w[0] == 0) { // once at most: no number is so near to a multiple of pi/2
        for (int i = 0; i < 4; i++)
            w[i] = i < 3 ? w[i + 1] : 0;
        exponent -= 64;
    }
    while (w[0] >> 63 == 0) {
        shift_left(w, 1);
        exponent--;
    }
    double high = (double)(w[0] >> 11), low = (double)((w[0] & 0x7ff) << 42 | w[1] >> 22);
    return (zn_pair){ldexp(high, exponent - 53), ldexp(low, exponent - 106)};
}

// |x| = m 2^e.
static int64_t reduce_large(double x, zn_pair *y)
{
    const zn_pair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
    uint64_t      w[4];
    int           e;
    double        m = ldexp(frexp(fabs(x), &e), 53);
    take_bits(64 + e - 53 - 2, w); // what is before counts whole turns
    multiply(w, (uint64_t)m);
    int64_t k = (int64_t)(w[0] >> 62);
    shift_left(w, 2);
    bool beyond = w[0] >> 63 != 0; // nearer to the next
    for (int i = 0; i < 4 && beyond; i++)
        w[i] = ~w[i];
    k += beyond;
    zn_pair r = zn_pair_times(fraction(w), half_pi);
    double  sign = beyond != (x < 0) ? -1 : 1;
    *y = (zn_pair){sign * r.high, sign * r.low};
    return x < 0 ? -k : k;
}

// y and k of angles that hardly anybody has, one by one: both at once would go through memory in all others, too.
ZN_SELDOM static zn_pair rest_of_large(double x)
{
    zn_pair y;
    reduce_large(x, &y);
    return y;
}

ZN_SELDOM static int64_t turns_of_large(double x)
{
    zn_pair y;
    return reduce_large(x, &y);
}

static inline int64_t reduce(double x, zn_pair *y)
{
    if (fabs(x) <= 0.78539816339744828) {
        *y = (zn_pair){x, 0};
        return 0;
    }
    if (fabs(x) < 8e5)
        return reduce_small(x, y);
    *y = rest_of_large(x);
    return turns_of_large(x);
}

// --- series --------------------------------------------------------------------------------------

static zn_pair sine_of(zn_pair y)
{
    double z = y.high * y.high;
    double p =
        1.0 / 120 +
        z * (-1.0 / 5040 +
             z * (1.0 / 362880 +
                  z * (-1.0 / 39916800 +
                       z * (1.0 / 6227020800 + z * (-1.0 / 1307674368000 +
                                                    z * (1.0 / 355687428096000 - z * (1.0 / 121645100408832000)))))));
    return zn_pair_fast(y.high, y.high * z * (-1.0 / 6 + z * p) + y.low * (1 - 0.5 * z));
}

static zn_pair cosine_of(zn_pair y)
{
    double z = y.high * y.high, half = 0.5 * z, w = 1 - half;
    double p =
        1.0 / 24 +
        z * (-1.0 / 720 +
             z * (1.0 / 40320 +
                  z * (-1.0 / 3628800 +
                       z * (1.0 / 479001600 +
                            z * (-1.0 / 87178291200 + z * (1.0 / 20922789888000 - z * (1.0 / 6402373705728000)))))));
    return zn_pair_fast(w, ((1 - w) - half) + (z * z * p - y.high * y.low));
}

// --- functions -----------------------------------------------------------------------------------

static double signed_of(zn_pair a, bool negative) { return negative ? -a.high : a.high; }

double zn_sin(double x)
{
    zn_pair y;
    if (!isfinite(x) || x == 0)
        return x == 0 ? x : x - x;
    int64_t k = reduce(x, &y);
    return signed_of((k & 1) != 0 ? cosine_of(y) : sine_of(y), (k & 2) != 0);
}

double zn_cos(double x)
{
    zn_pair y;
    if (!isfinite(x))
        return x - x;
    int64_t k = reduce(x, &y);
    return signed_of((k & 1) != 0 ? sine_of(y) : cosine_of(y), ((k + 1) & 2) != 0);
}

void zn_sincos(double x, double *sine, double *cosine)
{
    zn_pair y;
    if (!isfinite(x) || x == 0) {
        *sine = x == 0 ? x : x - x;
        *cosine = x == 0 ? 1 : x - x;
        return;
    }
    int64_t k = reduce(x, &y);
    zn_pair s = sine_of(y), c = cosine_of(y);
    *sine = signed_of((k & 1) != 0 ? c : s, (k & 2) != 0);
    *cosine = signed_of((k & 1) != 0 ? s : c, ((k + 1) & 2) != 0);
}

double zn_tan(double x)
{
    zn_pair y;
    if (!isfinite(x) || x == 0)
        return x == 0 ? x : x - x;
    int64_t k = reduce(x, &y);
    zn_pair s = sine_of(y), c = cosine_of(y);
    return (k & 1) != 0 ? -zn_pair_over(c, s).high : zn_pair_over(s, c).high;
}
