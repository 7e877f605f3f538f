/// Sums high + low of two numbers, good for about 106 bits, by exact sums and products (Dekker, Numer. Math. 18 (1971)
/// 224-242; Knuth, vol. 2, 4.2.2). No fused multiply-add: the bits are the same on every processor.
#ifndef ZN_MATH_PAIR_H
#define ZN_MATH_PAIR_H

typedef struct zn_pair {
    double high, low;
} zn_pair;

/// a + b, exact; `zn_pair_fast` where |a| >= |b| or a = 0.
static inline zn_pair zn_pair_fast(double a, double b)
{
    double s = a + b;
    return (zn_pair){s, b - (s - a)};
}

static inline zn_pair zn_pair_sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (zn_pair){s, (a - (s - t)) + (b - t)};
}

/// a b, exact where nothing over- or underflows.
static inline zn_pair zn_pair_product(double a, double b)
{
    const double cut = 134217729; // 2^27 + 1
    double       p = a * b, u = cut * a, v = cut * b, ah = u - (u - a), bh = v - (v - b), al = a - ah, bl = b - bh;
    return (zn_pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static inline zn_pair zn_pair_add(zn_pair a, zn_pair b)
{
    zn_pair s = zn_pair_sum(a.high, b.high);
    return zn_pair_fast(s.high, s.low + (a.low + b.low));
}

static inline zn_pair zn_pair_times(zn_pair a, zn_pair b)
{
    zn_pair p = zn_pair_product(a.high, b.high);
    return zn_pair_fast(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static inline zn_pair zn_pair_over(zn_pair a, zn_pair b)
{
    double  q = a.high / b.high;
    zn_pair p = zn_pair_product(q, b.high);
    return zn_pair_fast(q, (((a.high - p.high) - p.low) + (a.low - q * b.low)) / b.high);
}

#endif
