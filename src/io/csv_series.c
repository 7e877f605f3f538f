// Sampled functions of time. Strict: every row has the same number of columns, every cell of the two columns in use
// is a finite number, times ascend. One header line may come first; '#' begins a comment line.
#include "io/csv_series.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/expression.h"

enum { CELL = 64 };

typedef struct table {
    const char *name; // of the file
    int         line;
    int         column;  // wanted, from 1
    int         columns; // of the first row; 0: none yet
    int         count, t_capacity, y_capacity;
    double     *t, *y;
    char       *message;
    size_t      size;
} table;

static zn_status bad_line(const table *c, const char *format, ...) ZN_PRINTF(2, 3);

static zn_status bad_line(const table *c, const char *format, ...)
{
    int n = snprintf(c->message, c->size, "%s:%d: ", c->name, c->line);
    if (n >= 0 && (size_t)n < c->size) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(c->message + n, c->size - (size_t)n, format, arguments);
        va_end(arguments);
    }
    return ZN_ERR_MODEL;
}

// Copy a cell without the blanks around it; cells that are too long are no numbers anyway.
static void copy_cell(const char *begin, const char *end, char cell[CELL])
{
    while (begin < end && strchr(" \t\r", *begin) != NULL && *begin != '\0')
        begin++;
    while (end > begin && strchr(" \t\r", end[-1]) != NULL && end[-1] != '\0')
        end--;
    size_t n = (size_t)(end - begin) < CELL ? (size_t)(end - begin) : CELL - 1;
    memcpy(cell, begin, n);
    cell[n] = '\0';
}

// Split one line; the cells in use go to t and y.
static int split(const table *c, const char *begin, const char *end, char t[CELL], char y[CELL])
{
    int columns = 0;
    for (const char *s = begin;; s++) {
        const char *comma = memchr(s, ',', (size_t)(end - s));
        const char *stop = comma != NULL ? comma : end;
        columns++;
        if (columns == 1)
            copy_cell(s, stop, t);
        if (columns == c->column)
            copy_cell(s, stop, y);
        if (comma == NULL)
            return columns;
        s = comma;
    }
}

static zn_status add_row(table *c, const char *begin, const char *end)
{
    char   t_text[CELL] = "", y_text[CELL] = "";
    double t, y;
    int    columns = split(c, begin, end, t_text, y_text);
    if (columns < 2)
        return bad_line(c, "a row needs at least two columns, separated by ','");
    if (c->columns != 0 && columns != c->columns)
        return bad_line(c, "%d columns, but the rows before have %d", columns, c->columns);
    if (c->column > columns)
        return bad_line(c, "there is no column %d, only %d", c->column, columns);
    bool first = c->columns == 0;
    bool good_t = zn_number_parse(t_text, &t), good_y = zn_number_parse(y_text, &y);
    c->columns = columns;
    if (first && !good_t && !good_y)
        return ZN_OK; // header
    if (!good_t)
        return bad_line(c, "'%s' in column 1 is not a number", t_text);
    if (!good_y)
        return bad_line(c, "'%s' in column %d is not a number", y_text, c->column);
    if (c->count > 0 && t <= c->t[c->count - 1])
        return bad_line(c, "time %.9g does not come after %.9g", t, c->t[c->count - 1]);
    ZN_TRY(zn_grow(&c->t, &c->t_capacity, c->count + 1, sizeof *c->t));
    ZN_TRY(zn_grow(&c->y, &c->y_capacity, c->count + 1, sizeof *c->y));
    c->t[c->count] = t;
    c->y[c->count++] = y;
    return ZN_OK;
}

static bool is_empty_line(const char *begin, const char *end)
{
    while (begin < end && (*begin == ' ' || *begin == '\t' || *begin == '\r'))
        begin++;
    return begin == end || *begin == '#';
}

static zn_status read_rows(table *c, const char *text, size_t length)
{
    const char *end = text + length;
    for (const char *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop != NULL ? stop : end;
        c->line++;
        if (!is_empty_line(line, stop))
            ZN_TRY(add_row(c, line, stop));
        line = stop + (stop < end);
    }
    return c->count > 0 ? ZN_OK : bad_line(c, "there are no rows of numbers");
}

zn_status zn_csv_series_parse(const char *text, size_t length, const char *name, int column, zn_csv_series *out,
                              char *message, size_t size)
{
    table     c = {.name = name, .column = column, .message = message, .size = size};
    zn_status status = column >= 2 ? read_rows(&c, text, length) : ZN_ERR_ARGUMENT;
    if (status == ZN_ERR_ARGUMENT)
        snprintf(message, size, "%s: column %d does not hold values; column 1 is the time", name, column);
    if (status == ZN_ERR_MEMORY)
        snprintf(message, size, "%s: out of memory", name);
    if (status != ZN_OK) {
        free(c.t);
        free(c.y);
        return status;
    }
    *out = (zn_csv_series){c.count, c.t, c.y};
    return ZN_OK;
}

void zn_csv_series_clear(zn_csv_series *series)
{
    free(series->t);
    free(series->y);
    *series = (zn_csv_series){0};
}
