/// Some columns of a matrix, each where it is not zero: for sums of columns times numbers, many times over.
#ifndef ZN_MATH_COLUMNS_H
#define ZN_MATH_COLUMNS_H

#include <stddef.h>

#include "zn/base.h"

/// Piece of a column: `count` entries from row `first` on, values from `place` on.
typedef struct zn_column_piece {
    int    column, first, count;
    size_t place;
} zn_column_piece;

typedef struct zn_columns {
    zn_column_piece *piece;
    int              pieces, piece_room;
    double          *value;
    int              values, value_room;
} zn_columns;

void      zn_columns_destroy(zn_columns *c); ///< accepts an empty one
void      zn_columns_clear(zn_columns *c);   ///< keeps its memory
/// Add a column with n entries; zn_columns_sort comes after the last.
zn_status zn_columns_keep(zn_columns *c, int column, int n, const double *x);
void      zn_columns_sort(zn_columns *c);
/// out += sum of the columns, each times its factor.
void      zn_columns_add(const zn_columns *c, const double *factor, double *out);

#endif
