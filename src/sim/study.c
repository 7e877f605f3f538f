// What studies of convergence compute, as pure functions: norms of an error, the order that fits a series of them, step
// sizes, values between rows.
//
// Order: with x = ln h, y = ln error, least squares give
//     p = Sxy / Sxx,   Sxy = sum (x - x_mean)(y - y_mean),   standard error^2 = sum r^2 / ((n - 2) Sxx),
// r being the residuals of the line.
#include <math.h>

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

static bool is_usable(double step, double error) { return step > 0 && error > 0 && isfinite(step) && isfinite(error); }

zn_status zn_fit_order(int count, const double *steps, const double *errors, zn_order *out)
{
    double x_mean = 0, y_mean = 0, xx = 0, xy = 0, residual = 0;
    int    n = 0;
    for (int i = 0; i < count; i++)
        if (is_usable(steps[i], errors[i])) {
            x_mean += log(steps[i]);
            y_mean += log(errors[i]);
            n++;
        }
    if (n < 2)
        return ZN_ERR_ARGUMENT;
    x_mean /= n;
    y_mean /= n;
    for (int i = 0; i < count; i++)
        if (is_usable(steps[i], errors[i])) {
            double x = log(steps[i]) - x_mean;
            xx += x * x;
            xy += x * (log(errors[i]) - y_mean);
        }
    if (!(xx > 1e-20 * n)) // all steps are the same
        return ZN_ERR_ARGUMENT;
    double order = xy / xx;
    for (int i = 0; i < count; i++)
        if (is_usable(steps[i], errors[i])) {
            double r = log(errors[i]) - y_mean - order * (log(steps[i]) - x_mean);
            residual += r * r;
        }
    *out = (zn_order){.order = order,
                      .constant = exp(y_mean - order * x_mean),
                      .deviation = n > 2 ? sqrt(residual / ((n - 2) * xx)) : NAN,
                      .count = n};
    return ZN_OK;
}

void zn_study_steps(int count, double from, double to, bool exact, double *steps)
{
    const double golden = 0.61803398874989485; // its multiples fill the unit interval evenly
    double       spacing = count > 1 ? log(to / from) / (count - 1) : 0.25;
    for (int i = 0; i < count; i++) {
        double place = i + 1, shift = exact ? 0 : 0.25 * (fmod(place * golden, 1) - 0.5);
        steps[i] = from * exp(spacing * ((count > 1 ? i : 0) + shift));
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
