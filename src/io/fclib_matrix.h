/// Sparse matrices built entry by entry, for problems that come from files or go into them.
#ifndef ZN_IO_FCLIB_MATRIX_H
#define ZN_IO_FCLIB_MATRIX_H

#include <stdbool.h>

#include "zn/friction.h"

/// Entries in any order; equal places add up.
typedef struct zn_entries {
    int     count, capacity;
    int    *row, *column;
    double *value;
} zn_entries;

zn_status zn_entries_add(zn_entries *entries, int row, int column, double value);
void      zn_entries_free(zn_entries *entries);

/// By compressed rows, columns ascending. Destroy with zn_fc_matrix_free.
zn_status zn_entries_compress(const zn_entries *entries, int rows, int columns, const zn_fc_matrix **out);
void      zn_fc_matrix_free(const zn_fc_matrix *matrix); ///< accepts NULL

#endif
