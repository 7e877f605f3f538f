/// Statistics of a sample, as numbers, text and JSON.
#ifndef ZENO_STATISTICS_H
#define ZENO_STATISTICS_H

#include <stdbool.h>
#include <stdio.h>

#include "json_writer.h"

enum { QUANTILES = 5, BINS_MOST = 24 };
extern const double quantile_levels[QUANTILES]; ///< probabilities

typedef struct statistics {
    int    count, missing; ///< values; those that are NaN
    double mean, error;    ///< error: standard error of the mean
    double deviation;      ///< square root of the unbiased variance; NaN with one value
    double least, greatest, quantiles[QUANTILES];
    bool   whole;                      ///< all values are whole numbers; so are the edges of the bins then
    int    bin_count, bins[BINS_MOST]; ///< from edge to edge, without the upper one
    double edges[BINS_MOST + 1];
} statistics;

/// False when memory is exhausted. Without values all numbers are NaN.
bool statistics_of(int count, const double *values, statistics *out);
void statistics_print(const statistics *s);
void statistics_json(json_writer *w, const statistics *s); ///< members of an open object
void statistics_csv_names(FILE *out);                      ///< "count,missing,mean,..."
void statistics_csv(FILE *out, const statistics *s);

#endif
