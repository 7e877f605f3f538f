/// Sampled functions of time in CSV files: column 1 is t, the others are values.
#ifndef ZN_IO_CSV_SERIES_H
#define ZN_IO_CSV_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "zn/base.h"

/// A file in memory and where its cells begin: each column that is asked for is read from it.
typedef struct zn_csv_table {
    const char *name, *text; ///< borrowed
    int         rows, columns;
    uint32_t   *cell; ///< rows x (columns + 1) places in the text: those of the cells, and one behind the row
    int        *line; ///< of each row
    int         row_capacity, cell_capacity;
    bool        whole;
    char        fault[160]; ///< with its line: what is wrong behind the rows or, where it is whole, if none has numbers
} zn_csv_table;

/// At most 1 GB of text. What is wrong is told by zn_csv_table_series, which finds what is wrong in earlier rows first:
/// this fails only where there is no memory.
zn_status zn_csv_table_find(const char *text, size_t length, const char *name, zn_csv_table *out);
void      zn_csv_table_clear(zn_csv_table *table);

typedef struct zn_csv_series {
    int     count;
    double *t, *y;
} zn_csv_series;

/// Columns 1 and `column` (from 1). On an error `message` says what is wrong, with file and line.
zn_status zn_csv_table_series(const zn_csv_table *table, int column, zn_csv_series *out, char *message, size_t size);
/// The same of a file in memory, at once; `name` stands for it.
zn_status zn_csv_series_parse(const char *text, size_t length, const char *name, int column, zn_csv_series *out,
                              char *message, size_t size);
void      zn_csv_series_clear(zn_csv_series *series);

#endif
