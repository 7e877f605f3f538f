// Sparse matrices built entry by entry.
#include "io/fclib_matrix.h"

#include <stdlib.h>

#include "base/array.h"

zn_status zn_entries_add(zn_entries *entries, int row, int column, double value)
{
    if (entries->count == entries->capacity) {
        int rows = entries->capacity, columns = entries->capacity, need = entries->count + 1;
        ZN_TRY(zn_grow(&entries->row, &rows, need, sizeof *entries->row));
        ZN_TRY(zn_grow(&entries->column, &columns, need, sizeof *entries->column));
        ZN_TRY(zn_grow(&entries->value, &entries->capacity, need, sizeof *entries->value));
    }
    entries->row[entries->count] = row;
    entries->column[entries->count] = column;
    entries->value[entries->count++] = value;
    return ZN_OK;
}

void zn_entries_free(zn_entries *entries)
{
    free(entries->row);
    free(entries->column);
    free(entries->value);
    *entries = (zn_entries){0};
}

// Stable order of the entries `from` by `key` (0..keys-1), written to `to`; start: keys + 1, out.
static void sort_by(const int *key, int keys, const int *from, int count, int *start, int *to)
{
    for (int k = 0; k <= keys; k++)
        start[k] = 0;
    for (int e = 0; e < count; e++)
        start[key[e] + 1]++;
    for (int k = 0; k < keys; k++)
        start[k + 1] += start[k];
    for (int e = 0; e < count; e++) {
        int entry = from != NULL ? from[e] : e;
        to[start[key[entry]]++] = entry;
    }
}

// Entries in `order`, sorted by row and column, into rows; equal places add up.
static void fill(const zn_entries *entries, const int *order, int rows, int *start, int *column, double *value)
{
    int last_row = -1, count = 0;
    for (int i = 0; i <= rows; i++)
        start[i] = 0;
    for (int k = 0; k < entries->count; k++) {
        int e = order[k];
        if (entries->row[e] == last_row && column[count - 1] == entries->column[e]) {
            value[count - 1] += entries->value[e];
            continue;
        }
        last_row = entries->row[e];
        column[count] = entries->column[e];
        value[count++] = entries->value[e];
        start[last_row + 1]++;
    }
    for (int i = 0; i < rows; i++)
        start[i + 1] += start[i];
}

zn_status zn_entries_compress(const zn_entries *entries, int rows, int columns, const zn_fc_matrix **out)
{
    int           count = entries->count, keys = rows > columns ? rows : columns;
    zn_fc_matrix *matrix = ZN_NEW(zn_fc_matrix, 1);
    int          *by_column = ZN_NEW(int, count), *order = ZN_NEW(int, count), *counter = ZN_NEW(int, keys + 1);
    int          *start = ZN_NEW(int, rows + 1), *column = ZN_NEW(int, count);
    double       *value = ZN_NEW(double, count);
    bool          ok = matrix != NULL && by_column != NULL && order != NULL && counter != NULL && start != NULL &&
              column != NULL && value != NULL;
    if (ok) {
        sort_by(entries->column, columns, NULL, count, counter, by_column);
        sort_by(entries->row, rows, by_column, count, counter, order);
        fill(entries, order, rows, start, column, value);
        *matrix = (zn_fc_matrix){rows, columns, start, column, value};
        *out = matrix;
    } else {
        free(matrix);
        free(start);
        free(column);
        free(value);
    }
    free(by_column);
    free(order);
    free(counter);
    return ok ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_fc_matrix_free(const zn_fc_matrix *matrix)
{
    if (matrix == NULL)
        return;
    free((void *)matrix->start);
    free((void *)matrix->column);
    free((void *)matrix->value);
    free((void *)matrix);
}
