// Inverse trigonometric functions whose bits do not depend on the processor (see sine.c). Errors below 0.8 of a unit in
// the last place.
//
//     atan(n/d), 0 <= n <= d:  c = i/8 next to n/d,  t = (n - c d)/(d + c n),  |t| <= 1/16:
//         atan c + t - t^3/3 + t^5/5 - ...
// n, d, t and atan c are sums of two numbers.
#include <stdbool.h>

#include "math/pair.h"
#include "zn/math.h"

static const zn_pair pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},
                     half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

static zn_pair arc_below(zn_pair n, zn_pair d)
{
    static const zn_pair known[] = {
        {0, 0},
        {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
        {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
        {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
        {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
        {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    };
    int     i = (int)(8 * (n.high / d.high) + 0.5);
    zn_pair t = zn_pair_over(n, d);
    if (i > 0) {
        zn_pair c = {-0.125 * i, 0}, below = zn_pair_add(n, zn_pair_times(c, d));
        c.high = -c.high;
        t = zn_pair_over(below, zn_pair_add(d, zn_pair_times(c, n)));
    }
    double z = t.high * t.high;
    double p =
        -1.0 / 3 + z * (1.0 / 5 + z * (-1.0 / 7 + z * (1.0 / 9 + z * (-1.0 / 11 + z * (1.0 / 13 - z * (1.0 / 15))))));
    zn_pair sum = zn_pair_add(known[i], t);
    return zn_pair_fast(sum.high, sum.low + t.high * z * p);
}

static zn_pair less(zn_pair a, zn_pair b) { return zn_pair_add(a, (zn_pair){-b.high, -b.low}); }

// The angle of (x, y), y >= 0, x of any sign, not both zero.
static double upper_angle(zn_pair y, zn_pair x)
{
    bool    left = x.high < 0;
    zn_pair a = left ? (zn_pair){-x.high, -x.low} : x;
    zn_pair angle = y.high <= a.high ? arc_below(y, a) : less(half_pi, arc_below(a, y));
    return left ? less(pi, angle).high : angle.high;
}

// Numbers that are far apart need no series; others are brought near one, so that no product overflows.
double zn_atan2(double y, double x)
{
    int n, m;
    if (!isfinite(x) || !isfinite(y) || x == 0 || y == 0)
        return atan2(y, x); // multiples of pi/4, by the standard
    frexp(y, &n);
    frexp(x, &m);
    if (n - m > 60)
        return copysign(half_pi.high, y);
    if (n - m < -60)
        return x < 0 ? copysign(pi.high, y) : y / x;
    return copysign(upper_angle((zn_pair){ldexp(fabs(y), -m), 0}, (zn_pair){ldexp(x, -m), 0}), y);
}

double zn_atan(double x) { return isnan(x) ? x : zn_atan2(x, 1); }

// sqrt((1 - x)(1 + x)) as a sum
static zn_pair other_side(double x)
{
    zn_pair square = zn_pair_times(zn_pair_sum(1, -x), zn_pair_sum(1, x));
    double  root = sqrt(square.high);
    if (root == 0)
        return (zn_pair){0, 0};
    zn_pair p = zn_pair_product(root, root);
    return zn_pair_fast(root, (((square.high - p.high) - p.low) + square.low) / (2 * root));
}

double zn_asin(double x)
{
    if (!(fabs(x) <= 1) || x == 0)
        return x == 0 ? x : (double)NAN;
    return fabs(x) < 1e-9 ? x : copysign(upper_angle((zn_pair){fabs(x), 0}, other_side(x)), x);
}

double zn_acos(double x)
{
    return !(fabs(x) <= 1) ? (double)NAN : x == 1 ? 0 : upper_angle(other_side(x), (zn_pair){x, 0});
}
