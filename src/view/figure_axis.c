// Ranges and ticks. Linear axes have ticks at multiples of 1, 2 or 5 times a power of ten, labels with as many decimals
// as the distance of two ticks needs, and a common factor 10^(3k) when the numbers are very large or small. Logarithmic
// axes have ticks at powers of ten, or at 1, 2, 5 times them when the range has less than two.
#include "view/figure_axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double zn_nice_step(double raw)
{
    double       power = pow(10, floor(log10(raw))), digit = raw / power;
    const double slack = 1 + 1e-9;
    return power * (digit <= slack ? 1 : digit <= 2 * slack ? 2 : digit <= 5 * slack ? 5 : 10);
}

// "10" with a raised exponent.
static void put_power(char text[ZN_TICK_TEXT], const char *front, int exponent)
{
    static const char *const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    char                     plain[16];
    snprintf(text, ZN_TICK_TEXT, "%s10%s", front, exponent < 0 ? "\u207b" : "");
    snprintf(plain, sizeof plain, "%d", exponent < 0 ? -exponent : exponent);
    for (const char *d = plain; *d != '\0'; d++) {
        size_t used = strlen(text);
        snprintf(text + used, ZN_TICK_TEXT - used, "%s", digits[*d - '0']);
    }
}

// A number with a true minus sign.
static void put_number(char text[ZN_TICK_TEXT], double value, int decimals)
{
    char plain[ZN_TICK_TEXT - 4];
    snprintf(plain, sizeof plain, "%.*f", decimals, fabs(value));
    bool zero = strspn(plain, "0.") == strlen(plain);
    snprintf(text, ZN_TICK_TEXT, "%s%s", value < 0 && !zero ? "\u2212" : "", plain);
}

// --- linear --------------------------------------------------------------------------------------

static void label_linear(zn_axis *a, double step)
{
    double largest = fmax(fabs(a->min), fabs(a->max));
    int    magnitude = (int)floor(log10(largest)), exponent = 0;
    if (magnitude >= 5 || magnitude <= -4)
        exponent = 3 * (int)floor(magnitude / 3.0);
    int decimals = exponent - (int)floor(log10(step) + 1e-9);
    decimals = decimals < 0 ? 0 : decimals > 15 ? 15 : decimals;
    for (int i = 0; i < a->count; i++)
        put_number(a->label[i], a->tick[i] / pow(10, exponent), decimals);
    if (exponent != 0)
        put_power(a->factor, "\u00d7", exponent);
}

static void make_linear(zn_axis *a, int wanted)
{
    double step = zn_nice_step((a->max - a->min) / wanted);
    double first = ceil(a->min / step - 1e-9), last = floor(a->max / step + 1e-9);
    for (double k = first; k <= last && a->count < ZN_TICKS; k++)
        a->tick[a->count++] = k * step;
    label_linear(a, step);
}

// --- logarithmic ---------------------------------------------------------------------------------

static void add_log_tick(zn_axis *a, int digit, int exponent)
{
    double value = digit * pow(10, exponent);
    char   front[16];
    if (value < a->min * (1 - 1e-9) || value > a->max * (1 + 1e-9) || a->count == ZN_TICKS)
        return;
    a->tick[a->count] = value;
    snprintf(front, sizeof front, "%d\u00d7", digit);
    if (a->min >= 0.009 && a->max <= 1100)
        snprintf(a->label[a->count], ZN_TICK_TEXT, "%.9g", value);
    else
        put_power(a->label[a->count], digit == 1 ? "" : front, exponent);
    a->count++;
}

static void make_log(zn_axis *a, int wanted)
{
    int    low = (int)floor(log10(a->min)), high = (int)ceil(log10(a->max));
    double decades = log10(a->max / a->min);
    int    stride = 1 + (int)((decades + 1) / wanted);
    for (int k = low; k <= high; k++) {
        if (decades >= 2 && (k - low) % stride == 0)
            add_log_tick(a, 1, k);
        for (int digit = 1; decades < 2 && digit <= 5; digit += digit < 2 ? 1 : 3)
            add_log_tick(a, digit, k);
        for (int digit = 1; decades <= 8 && digit <= 9; digit++) {
            double value = digit * pow(10, k);
            if (value > a->min && value < a->max && a->minor_count < 9 * ZN_TICKS)
                a->minor[a->minor_count++] = value;
        }
    }
    if (a->count < 2) { // less than a factor of two or so
        a->count = 0;
        make_linear(a, wanted);
    }
}

// --- range ---------------------------------------------------------------------------------------

static void widen(zn_axis *a, double min, double max, double margin)
{
    if (!(min <= max) || !isfinite(min) || !isfinite(max) || (a->log && !(min > 0))) { // nothing to show
        min = a->log ? 0.1 : 0;
        max = 1;
    }
    if (a->log) {
        double span = fmax(max / min, 1 + 1e-9), factor = span > 1.01 ? pow(span, margin) : 1.5;
        a->min = fmax(min / factor, 1e-300);
        a->max = fmin(max * factor, 1e300);
        return;
    }
    double span = max - min, size = fmax(fabs(min), fabs(max));
    if (!isfinite(span) || size > 1e300) { // too large to add to
        min = fmax(min, -1e300);
        max = fmin(max, 1e300);
        span = max - min;
    }
    double extra = span > 1e-12 * size ? margin * span : size > 0 ? 0.05 * size : 1;
    a->min = min - extra;
    a->max = max + extra;
}

zn_axis zn_axis_make(double min, double max, bool log, double margin, int wanted)
{
    zn_axis a = {.log = log};
    widen(&a, min, max, margin);
    wanted = wanted < 2 ? 2 : wanted > ZN_TICKS / 2 ? ZN_TICKS / 2 : wanted;
    if (log)
        make_log(&a, wanted);
    else
        make_linear(&a, wanted);
    return a;
}

double zn_axis_pixel(const zn_axis *a, double value)
{
    double s = a->log ? (value > 0 ? log10(value / a->min) / log10(a->max / a->min) : NAN)
                      : (value - a->min) / (a->max - a->min);
    return a->first + s * (a->last - a->first);
}
