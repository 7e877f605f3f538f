// What studies of convergence compute, as pure functions: norms of an error, the order that fits a series of them, step
// sizes, values between rows.
//
// Order: with x = ln h, y = ln error, least squares give
//     p = Sxy / Sxx,   Sxy = sum (x - x_mean)(y - y_mean),   standard error^2 = sum r^2 / ((n - 2) Sxx),
// r being the residuals of the line.
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "zn/sim.h"

zn_status zn_error_norms(int64_t count, double h, const double *values, const double *reference, zn_norms *out)
{
    double largest = 0, sum = 0, squares = 0, scale = 0;
    if (count < 1 || !(h > 0))
        return ZN_ERR_ARGUMENT;
    for (int64_t i = 0; i < count; i++) {
        double e = fabs(values[i] - reference[i]);
        if (!isfinite(e))
            return ZN_NOT_FINITE;
        largest = fmax(largest, e);
        sum += e;
        squares += e * e;
        scale += fabs(reference[i]);
    }
    *out =
        (zn_norms){.uniform = largest, .l1 = h * sum, .l2 = sqrt(h * squares), .rel_l1 = scale > 0 ? sum / scale : NAN};
    return ZN_OK;
}

// --- distance of graphs --------------------------------------------------------------------------
//
// A graph is connected: within |s - t| <= d it passes all values between its least and its greatest. So a point (t, x)
// is within d of it if and only if x is between the two, widened by d; and d is the Hausdorff distance when that just
// holds for all points of each graph against the other.

// The least or (sign -1) the greatest value of a graph in a window that moves on: places of candidates, ascending.
typedef struct extreme {
    double   sign;
    int64_t *place, first, end;
} extreme;

static void push_extreme(extreme *e, const double *y, int64_t k)
{
    while (e->end > e->first && e->sign * y[e->place[e->end - 1]] >= e->sign * y[k])
        e->end--;
    e->place[e->end++] = k;
}

static double least_of(extreme *e, const double *y, int64_t from)
{
    while (e->place[e->first] < from)
        e->first++;
    return y[e->place[e->first]];
}

static double between(const double *t, const double *y, int64_t k, double at)
{
    double s = (at - t[k]) / (t[k + 1] - t[k]);
    return (1 - s) * y[k] + s * y[k + 1];
}

// Is each point of `a` within `dt` and `dx` of the graph of `b`? `room`: 2 count places.
static bool is_near(int64_t count, const double *t, const double *a, const double *b, double dt, double dx,
                    int64_t *room)
{
    extreme low = {.sign = 1, .place = room}, high = {.sign = -1, .place = room + count};
    int64_t from = 0, next = 0;
    for (int64_t k = 0; k < count; k++) {
        for (; next < count && t[next] <= t[k] + dt; next++) {
            push_extreme(&low, b, next);
            push_extreme(&high, b, next);
        }
        while (t[from] < t[k] - dt)
            from++;
        double least = least_of(&low, b, from), most = least_of(&high, b, from);
        double ends[2] = {from > 0 ? between(t, b, from - 1, t[k] - dt) : least,
                          next < count ? between(t, b, next - 1, t[k] + dt) : least};
        least = fmin(least, fmin(ends[0], ends[1]));
        most = fmax(most, fmax(ends[0], ends[1]));
        if (a[k] < least - dx || a[k] > most + dx)
            return false;
    }
    return true;
}

zn_status zn_graph_distance(int64_t count, const double *t, const double *a, const double *b, double time, double value,
                            double *out)
{
    double low = 0, high = 0;
    if (count < 1 || !(time > 0) || !(value > 0))
        return ZN_ERR_ARGUMENT;
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(a[i]) || !isfinite(b[i]))
            return ZN_NOT_FINITE;
        if (i > 0 && !(t[i] > t[i - 1]))
            return ZN_ERR_ARGUMENT;
        high = fmax(high, fabs(a[i] - b[i]) / value);
    }
    int64_t *room = ZN_NEW(int64_t, 2 * (size_t)count);
    if (!room)
        return ZN_ERR_MEMORY;
    while (high - low > 1e-10 * high + 1e-16) {
        double d = 0.5 * (low + high);
        bool   near =
            is_near(count, t, a, b, d * time, d * value, room) && is_near(count, t, b, a, d * time, d * value, room);
        *(near ? &high : &low) = d;
    }
    free(room);
    *out = high;
    return ZN_OK;
}

// --- order ---------------------------------------------------------------------------------------

static bool is_usable(double step, double error) { return step > 0 && error > 0 && isfinite(step) && isfinite(error); }

zn_status zn_fit_order(int count, const double *steps, const double *errors, zn_order *out)
{
    double x_mean = 0, y_mean = 0, xx = 0, xy = 0, residual = 0;
    int    n = 0;
    for (int i = 0; i < count; i++)
        if (is_usable(steps[i], errors[i])) {
            x_mean += zn_ln(steps[i]);
            y_mean += zn_ln(errors[i]);
            n++;
        }
    if (n < 2)
        return ZN_ERR_ARGUMENT;
    x_mean /= n;
    y_mean /= n;
    for (int i = 0; i < count; i++)
        if (is_usable(steps[i], errors[i])) {
            double x = zn_ln(steps[i]) - x_mean;
            xx += x * x;
            xy += x * (zn_ln(errors[i]) - y_mean);
        }
    if (!(xx > 1e-20 * n)) // all steps are the same
        return ZN_ERR_ARGUMENT;
    double order = xy / xx;
    for (int i = 0; i < count; i++)
        if (is_usable(steps[i], errors[i])) {
            double r = zn_ln(errors[i]) - y_mean - order * (zn_ln(steps[i]) - x_mean);
            residual += r * r;
        }
    *out = (zn_order){.order = order,
                      .constant = zn_exp(y_mean - order * x_mean),
                      .deviation = n > 2 ? sqrt(residual / ((n - 2) * xx)) : NAN,
                      .count = n};
    return ZN_OK;
}

void zn_study_steps(int count, double from, double to, bool exact, double *steps)
{
    const double golden = 0.61803398874989485; // its multiples fill the unit interval evenly
    double       spacing = count > 1 ? zn_ln(to / from) / (count - 1) : 0.25;
    for (int i = 0; i < count; i++) {
        double place = i + 1, shift = exact ? 0 : 0.25 * (fmod(place * golden, 1) - 0.5);
        steps[i] = from * zn_exp(spacing * ((count > 1 ? i : 0) + shift));
        if (exact && (i == 0 || i == count - 1))
            steps[i] = i == 0 ? from : to; // to the last bit
    }
}

double zn_interpolate(int64_t rows, const double *times, const double *values, int stride, double t)
{
    int64_t low = 0, high = rows - 1;
    if (rows < 1)
        return NAN;
    if (!(t > times[low]))
        return values[0];
    if (t >= times[high])
        return values[high * stride];
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (times[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    double s = (t - times[low]) / (times[high] - times[low]);
    return (1 - s) * values[low * stride] + s * values[high * stride];
}
