/// Random values of parameters: distributions and how they are drawn.
#ifndef ZENO_SAMPLE_H
#define ZENO_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum distribution_kind { NORMAL, UNIFORM, LOGNORMAL } distribution_kind;

/// normal(mean,deviation), uniform(least,greatest), lognormal(mean,deviation), the last two of the values themselves.
typedef struct distribution {
    distribution_kind kind;
    double            a, b;
} distribution;

/// False, with the reason in `message`, when `text` is none.
bool distribution_parse(const char *text, distribution *out, char *message, size_t size);

double normal_quantile(double p); ///< x with probability p below it, 0 < p < 1
double distribution_quantile(const distribution *d, double p);

/// `count` values; they depend on seed and name alone, so that other names, rows or processes do not matter. With
/// `hypercube` each of `count` parts of equal probability has one. False when memory is exhausted.
bool sample_draw(const distribution *d, const char *name, uint64_t seed, bool hypercube, int count, double *values);

#endif
