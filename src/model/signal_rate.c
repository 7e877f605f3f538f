// The rate of a signal. Constants, series and formulas have an exact one. A callback has only values: central
// differences of order 8 and 6 over the same eight values t +- k h,
//     D(h) = sum_k w_k (f(t + k h) - f(t - k h)) / h
// for steps h from very small upwards. The error is judged as |D8 - D6| (truncation, of D6) plus the noise of the
// values over h (rounding); the step with the smallest wins. A larger step must agree with the best so far within
// both errors, so that a period that divides h, or a kink of the signal within reach, is not mistaken for accuracy.
// Steps are powers of two and multiples of the spacing of numbers near t, so t +- k h are exact.
#include <float.h>

#include "model/signal.h"
#include "zn/math.h"

typedef struct estimate {
    double rate, error;
} estimate;

static estimate difference(const zn_signal *s, double t, double h)
{
    static const double eight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    static const double six[4] = {3.0 / 4, -3.0 / 20, 1.0 / 60, 0};
    double              d8 = 0, d6 = 0, size = 0;
    for (int k = 0; k < 4; k++) {
        double after = zn_signal_at(s, t + (k + 1) * h), before = zn_signal_at(s, t - (k + 1) * h);
        d8 += eight[k] * (after - before);
        d6 += six[k] * (after - before);
        size = fmax(size, fmax(fabs(after), fabs(before)));
    }
    double noise = 4 * DBL_EPSILON * (size + fabs(t) * fabs(d8 / h)); // of the value, and of t inside the formula
    return (estimate){d8 / h, fabs(d8 - d6) / h + noise / h};
}

static double rate_by_differences(const zn_signal *s, double t)
{
    enum { FIRST = -24, LAST = 3, STRIDE = 3 };
    int exponent;
    frexp(t, &exponent);
    int      first = exponent - 40 > FIRST ? exponent - 40 : FIRST; // far above the spacing of numbers near t
    estimate best = difference(s, t, ldexp(1, first));
    for (int k = first + STRIDE; k <= LAST; k += STRIDE) {
        estimate next = difference(s, t, ldexp(1, k));
        if (!(fabs(next.rate - best.rate) <= 8 * (next.error + best.error)) || next.error > 64 * best.error)
            break;
        if (next.error < best.error)
            best = next;
    }
    return best.rate;
}

// Slope of the piece that begins at or before t; flat before the first and after the last sample.
static double slope(const zn_signal *s, double t)
{
    int low = 0, high = s->count - 1;
    if (t < s->t[low] || t >= s->t[high])
        return 0;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (s->t[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return (s->y[high] - s->y[low]) / (s->t[high] - s->t[low]);
}

double zn_signal_rate(const zn_signal *signal, double t)
{
    switch (signal->kind) {
    case ZN_SIGNAL_CONSTANT:
        return 0;
    case ZN_SIGNAL_SERIES:
        return signal->scale * slope(signal, t);
    case ZN_SIGNAL_EXPRESSION: {
        double rate;
        zn_expression_gradient(signal->expression, 0, NULL, t, NULL, &rate);
        return signal->scale * rate;
    }
    case ZN_SIGNAL_CALLBACK:
        return rate_by_differences(signal, t);
    case ZN_SIGNAL_FEEDBACK:
        break; // nobody asks
    }
    return 0;
}
