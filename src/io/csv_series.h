/// Sampled functions of time in CSV files: column 1 is t, the others are values.
#ifndef ZN_IO_CSV_SERIES_H
#define ZN_IO_CSV_SERIES_H

#include "zn/base.h"

typedef struct zn_csv_series {
    int     count;
    double *t, *y;
} zn_csv_series;

/// Columns 1 and `column` (from 1) of a file in memory; `name` stands for it. On an error `message` says what is wrong,
/// with file and line.
zn_status zn_csv_series_parse(const char *text, size_t length, const char *name, int column, zn_csv_series *out,
                              char *message, size_t size);
void      zn_csv_series_clear(zn_csv_series *series);

#endif
