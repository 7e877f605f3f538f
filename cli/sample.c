// Random values of parameters.
//
// A number u in (0, 1) becomes a value by the inverse of the distribution function, so that random and stratified
// numbers are treated alike. Numbers come from a counter: x_i = mix(start + i g), where start is a hash of seed and
// name, mix a bijection of 64 bits in which every bit of the input moves half of the output, and g an odd number near
// 2^64 over the golden ratio. Nothing is carried from one number to the next (Steele, Lea, Flood: Fast splittable
// pseudorandom number generators, 2014).
//
// Quantile of the normal distribution: f(x) = ln F(x) - ln p is increasing and concave, so Newton's method grows
// towards the root from any point below it; F(x) <= exp(-x^2/2)/2 for x <= 0 gives one.
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

// --- numbers -------------------------------------------------------------------------------------

static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t start_of(const char *name, uint64_t seed)
{
    uint64_t start = mix(seed + golden);
    for (; *name != '\0'; name++)
        start = mix((start ^ (unsigned char)*name) + golden);
    return start;
}

static uint64_t number_at(uint64_t start, uint64_t index) { return mix(start + (index + 1) * golden); }

// Inside of (0, 1), never at its ends.
static double unit_at(uint64_t start, uint64_t index)
{
    return ((double)(number_at(start, index) >> 12) + 0.5) * 0x1p-52;
}

// Places 0 ... count - 1 in random order.
static void shuffle(uint64_t start, int count, int *places)
{
    for (int i = 0; i < count; i++)
        places[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = (int)(number_at(start, (uint64_t)i) % (uint64_t)(i + 1)), kept = places[i];
        places[i] = places[j];
        places[j] = kept;
    }
}

// --- distributions -------------------------------------------------------------------------------

double normal_quantile(double p)
{
    enum { MOST = 60 };
    const double root_half = 0.70710678118654752440, scale = 0.39894228040143267794; // 1/sqrt(2), 1/sqrt(2 pi)
    if (p > 0.5)
        return -normal_quantile(1 - p);
    if (p == 0.5)
        return 0;
    double x = -sqrt(-2 * log(2 * p));
    for (int i = 0; i < MOST; i++) {
        double below = 0.5 * erfc(-x * root_half), density = scale * exp(-0.5 * x * x);
        double change = log(p / below) * below / density;
        x += change;
        if (!(change > 1e-15 * -x)) // it only grows, up to rounding
            break;
    }
    return x;
}

double distribution_quantile(const distribution *d, double p)
{
    double spread = log1p((d->b / d->a) * (d->b / d->a)); // square of the deviation of the logarithm
    switch (d->kind) {
    case NORMAL:
        return d->a + d->b * normal_quantile(p);
    case UNIFORM:
        return d->a + (d->b - d->a) * p;
    case LOGNORMAL:
        return d->a * exp(sqrt(spread) * normal_quantile(p) - 0.5 * spread);
    }
    return NAN;
}

static const struct {
    const char *name, *arguments;
} kinds[] = {[NORMAL] = {"normal", "mean,deviation"},
             [UNIFORM] = {"uniform", "least,greatest"},
             [LOGNORMAL] = {"lognormal", "mean,deviation"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char *fault_of(const distribution *d)
{
    if (d->kind == UNIFORM)
        return d->a < d->b ? NULL : "the first number must be the smaller one";
    if (!(d->b > 0))
        return "the deviation must be positive";
    return d->kind == NORMAL || d->a > 0 ? NULL : "the mean must be positive";
}

// "A,B)" and nothing behind it
static bool parse_arguments(const char *text, distribution *out)
{
    char        first[64], second[64];
    const char *comma = strchr(text, ','), *close = strchr(text, ')');
    if (comma == NULL || close == NULL || comma > close || close[1] != '\0')
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(comma - text), text);
    comma += 1 + strspn(comma + 1, " ");
    snprintf(second, sizeof second, "%.*s", (int)(close - comma), comma);
    return parse_number(first, &out->a) && parse_number(second, &out->b);
}

bool distribution_parse(const char *text, distribution *out, char *message, size_t size)
{
    size_t length = strcspn(text, "(");
    int    kind = 0;
    while (kind < KINDS && (strlen(kinds[kind].name) != length || strncmp(kinds[kind].name, text, length) != 0))
        kind++;
    if (kind == KINDS) {
        snprintf(message, size, "'%.*s' is no distribution (normal, uniform, lognormal)", (int)length, text);
        return false;
    }
    out->kind = (distribution_kind)kind;
    if (text[length] != '(' || !parse_arguments(text + length + 1, out)) {
        snprintf(message, size, "'%s' is not of the form %s(%s)", text, kinds[kind].name, kinds[kind].arguments);
        return false;
    }
    const char *fault = fault_of(out);
    if (fault != NULL)
        snprintf(message, size, "'%s': %s", text, fault);
    return fault == NULL;
}

bool sample_draw(const distribution *d, const char *name, uint64_t seed, bool hypercube, int count, double *values)
{
    uint64_t start = start_of(name, seed);
    int     *places = hypercube ? malloc((size_t)count * sizeof *places) : NULL;
    if (hypercube && places == NULL)
        return false;
    if (hypercube)
        shuffle(mix(start), count, places);
    for (int i = 0; i < count; i++) {
        double u = unit_at(start, (uint64_t)i);
        values[i] = distribution_quantile(d, hypercube ? (places[i] + u) / count : u);
    }
    free(places);
    return true;
}
