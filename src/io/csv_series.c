// Sampled functions of time. Strict: every row has the same number of columns, every cell of the two columns in use
// is a finite number, times ascend. One header line may come first; '#' begins a comment line. A table has many columns
// that are asked for one by one: where its cells are is found once.
#include "io/csv_series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/expression.h"

enum { CELL = 64 };

// --- cells -----------------------------------------------------------------------------------------

static bool is_empty_line(const char *begin, const char *end)
{
    while (begin < end && (*begin == ' ' || *begin == '\t' || *begin == '\r'))
        begin++;
    return begin == end || *begin == '#';
}

static int count_cells(const char *begin, const char *end)
{
    int cells = 1;
    for (const char *s = begin; (s = memchr(s, ',', (size_t)(end - s))) != NULL; s++)
        cells++;
    return cells;
}

// A row that does not fit those before ends the table; `fits` says whether it goes on.
static zn_status add_row(zn_csv_table *c, const char *begin, const char *end, int line, bool *fits)
{
    int columns = count_cells(begin, end);
    *fits = false;
    if (columns < 2) {
        snprintf(c->fault, sizeof c->fault, "%d: a row needs at least two columns, separated by ','", line);
        return ZN_OK;
    }
    if (c->rows > 0 && columns != c->columns) {
        snprintf(c->fault, sizeof c->fault, "%d: %d columns, but the rows before have %d", line, columns, c->columns);
        return ZN_OK;
    }
    c->columns = columns;
    int64_t cells = (int64_t)(c->rows + 1) * (columns + 1);
    if (cells > INT32_MAX)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_grow(&c->line, &c->row_capacity, c->rows + 1, sizeof *c->line));
    ZN_TRY(zn_grow(&c->cell, &c->cell_capacity, (int)cells, sizeof *c->cell));
    uint32_t *cell = c->cell + (size_t)c->rows * (size_t)(columns + 1);
    c->line[c->rows++] = line;
    *cell++ = (uint32_t)(begin - c->text);
    for (const char *s = begin; (s = memchr(s, ',', (size_t)(end - s))) != NULL; s++)
        *cell++ = (uint32_t)(s + 1 - c->text);
    *cell = (uint32_t)(end + 1 - c->text);
    *fits = true;
    return ZN_OK;
}

zn_status zn_csv_table_find(const char *text, size_t length, const char *name, zn_csv_table *out)
{
    const char  *end = text + length;
    int          line = 0;
    bool         fits = true;
    zn_csv_table c = {.name = name, .text = text};
    zn_status    status = length < UINT32_MAX ? ZN_OK : ZN_ERR_MEMORY;
    for (const char *begin = text; begin < end && fits && status == ZN_OK;) {
        const char *stop = memchr(begin, '\n', (size_t)(end - begin));
        stop = stop != NULL ? stop : end;
        line++;
        if (!is_empty_line(begin, stop))
            status = add_row(&c, begin, stop, line, &fits);
        begin = stop + (stop < end);
    }
    if (fits)
        snprintf(c.fault, sizeof c.fault, "%d: there are no rows of numbers", line); // unless there are
    c.whole = fits;
    if (status != ZN_OK)
        zn_csv_table_clear(&c);
    else
        *out = c;
    return status;
}

void zn_csv_table_clear(zn_csv_table *table)
{
    free(table->cell);
    free(table->line);
    *table = (zn_csv_table){0};
}

// --- columns ---------------------------------------------------------------------------------------

// A cell without the blanks around it; cells that are too long are no numbers anyway.
static void copy_cell(const zn_csv_table *c, int row, int column, char cell[CELL])
{
    const uint32_t *place = c->cell + (size_t)row * (size_t)(c->columns + 1) + (column - 1);
    const char     *begin = c->text + place[0], *end = c->text + place[1] - 1;
    while (begin < end && strchr(" \t\r", *begin) != NULL && *begin != '\0')
        begin++;
    while (end > begin && strchr(" \t\r", end[-1]) != NULL && end[-1] != '\0')
        end--;
    size_t n = (size_t)(end - begin) < CELL ? (size_t)(end - begin) : CELL - 1;
    memcpy(cell, begin, n);
    cell[n] = '\0';
}

// One row into the series; the header is none.
static bool read_row(const zn_csv_table *c, int row, int column, zn_csv_series *s, char *message, size_t size)
{
    char   t_text[CELL], y_text[CELL];
    double t, y;
    copy_cell(c, row, 1, t_text);
    copy_cell(c, row, column, y_text);
    bool good_t = zn_number_parse(t_text, &t), good_y = zn_number_parse(y_text, &y);
    if (row == 0 && !good_t && !good_y)
        return true;
    if (!good_t)
        snprintf(message, size, "%s:%d: '%s' in column 1 is not a number", c->name, c->line[row], t_text);
    else if (!good_y)
        snprintf(message, size, "%s:%d: '%s' in column %d is not a number", c->name, c->line[row], y_text, column);
    else if (s->count > 0 && t <= s->t[s->count - 1])
        snprintf(message, size, "%s:%d: time %.9g does not come after %.9g", c->name, c->line[row], t,
                 s->t[s->count - 1]);
    else {
        s->t[s->count] = t;
        s->y[s->count++] = y;
        return true;
    }
    return false;
}

static zn_status read_column(const zn_csv_table *c, int column, zn_csv_series *s, char *message, size_t size)
{
    for (int row = 0; row < c->rows; row++)
        if (!read_row(c, row, column, s, message, size))
            return ZN_ERR_MODEL;
    if (c->whole && s->count > 0)
        return ZN_OK;
    snprintf(message, size, "%s:%s", c->name, c->fault);
    return ZN_ERR_MODEL;
}

zn_status zn_csv_table_series(const zn_csv_table *c, int column, zn_csv_series *out, char *message, size_t size)
{
    if (column < 2) {
        snprintf(message, size, "%s: column %d does not hold values; column 1 is the time", c->name, column);
        return ZN_ERR_ARGUMENT;
    }
    if (c->rows > 0 && column > c->columns) {
        snprintf(message, size, "%s:%d: there is no column %d, only %d", c->name, c->line[0], column, c->columns);
        return ZN_ERR_MODEL;
    }
    zn_csv_series s = {0, ZN_NEW(double, c->rows + 1), ZN_NEW(double, c->rows + 1)};
    zn_status     status = s.t != NULL && s.y != NULL ? read_column(c, column, &s, message, size) : ZN_ERR_MEMORY;
    if (status == ZN_ERR_MEMORY)
        snprintf(message, size, "%s: out of memory", c->name);
    if (status == ZN_OK)
        *out = s;
    else
        zn_csv_series_clear(&s);
    return status;
}

zn_status zn_csv_series_parse(const char *text, size_t length, const char *name, int column, zn_csv_series *out,
                              char *message, size_t size)
{
    zn_csv_table table = {0};
    zn_status    status = zn_csv_table_find(text, length, name, &table);
    if (status == ZN_OK)
        status = zn_csv_table_series(&table, column, out, message, size);
    else
        snprintf(message, size, "%s: out of memory", name);
    zn_csv_table_clear(&table);
    return status;
}

void zn_csv_series_clear(zn_csv_series *series)
{
    free(series->t);
    free(series->y);
    *series = (zn_csv_series){0};
}
