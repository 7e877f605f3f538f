// Expressions of the quantities in a result. A single name is read as it is; anything else is compiled once, with the
// columns it may use as variables, and evaluated row by row.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "io/faults.h"
#include "io/result_reader.h"
#include "io/scalar.h"
#include "model/expression.h"

enum { BLOCK = 4096, NAME = 2 * ZN_NAME_LENGTH + 2 };

// A column by its full name.
typedef struct column {
    char name[NAME];
    int  series, component; // series -1: the time
} column;

typedef struct columns {
    int          count;
    column      *list;
    const char **names;
} columns;

static zn_status refuse(char *message, size_t size, const char *text)
{
    snprintf(message, size, "%s", text);
    return ZN_ERR_ARGUMENT;
}

static void columns_clear(columns *c)
{
    free(c->list);
    free((void *)c->names);
}

// Every column of every series, and the time.
static zn_status columns_list(const zn_result *result, columns *out)
{
    int all = 1;
    for (int i = 0; i < zn_result_series_count(result); i++)
        all += zn_result_series_at(result, i).columns;
    *out = (columns){.list = ZN_NEW(column, all), .names = ZN_NEW(const char *, all)};
    if (out->list == NULL || out->names == NULL) {
        columns_clear(out);
        return ZN_ERR_MEMORY;
    }
    out->list[out->count++] = (column){.name = "t", .series = -1};
    for (int i = 0; i < zn_result_series_count(result); i++) {
        zn_result_series s = zn_result_series_at(result, i);
        const char      *words = s.components;
        for (int j = 0; j < s.columns; j++) {
            column *c = &out->list[out->count++];
            int     length = (int)strcspn(words, " ");
            c->series = i;
            c->component = j;
            if (length == 0 && s.columns > 1)
                snprintf(c->name, NAME, "%.63s.%d", s.name, j);
            else
                snprintf(c->name, NAME, "%.63s%s%.*s", s.name, length > 0 ? "." : "", length < 64 ? length : 63, words);
            words += length;
            words += strspn(words, " ");
        }
    }
    for (int i = 0; i < all; i++)
        out->names[i] = out->list[i].name;
    return ZN_OK;
}

static int find(const columns *c, const char *name)
{
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->names[i], name) == 0)
            return i;
    return -1;
}

// --- which columns an expression uses --------------------------------------------------------------

// A vector without its component, or a name that is nearly right.
static void explain(const zn_result *result, const columns *c, const char *unknown, char *message, size_t size)
{
    int  series = zn_result_find(result, unknown);
    char hint[96];
    if (series >= 0) {
        snprintf(message, size, "'%s' has the components %s: say which", unknown,
                 zn_result_series_at(result, series).components);
        return;
    }
    zn_guess guess = zn_guess_begin(unknown);
    for (int i = 0; i < c->count; i++)
        zn_guess_offer(&guess, c->names[i]);
    for (int i = 0; i < zn_result_series_count(result); i++)
        zn_guess_offer(&guess, zn_result_series_at(result, i).name);
    snprintf(message, size, "there is no record '%s'%s", unknown, zn_guess_text(&guess, hint));
}

// Does the text use this name? Rather once too often than not.
static bool mentions(const char *text, const char *name) { return strstr(text, name) != NULL; }

// --- evaluation ------------------------------------------------------------------------------------

static zn_status read_column(const zn_result *result, const column *c, double *values)
{
    int64_t rows = zn_result_rows(result);
    if (c->series < 0)
        return zn_result_time(result, values);
    int width = zn_result_series_at(result, c->series).columns;
    if (width == 1)
        return zn_result_read(result, c->series, values);
    double   *table = ZN_NEW(double, (size_t)BLOCK *(size_t)width);
    zn_status status = table == NULL ? ZN_ERR_MEMORY : ZN_OK;
    for (int64_t first = 0; first < rows && status == ZN_OK; first += BLOCK) {
        int64_t       count = rows - first < BLOCK ? rows - first : BLOCK;
        zn_hdf5_block block = {.first = first, .count = count, .columns = width, .width = width};
        status = zn_result_read_series(result, c->series, block, table);
        for (int64_t i = 0; i < count && status == ZN_OK; i++)
            values[first + i] = table[i * width + c->component];
    }
    free(table);
    return status;
}

// Columns that are mentioned, one after the other, each `rows` values.
static zn_status read_mentioned(const zn_result *result, const columns *c, const char *text, double **out, int *places)
{
    int64_t rows = zn_result_rows(result);
    int     count = 0;
    for (int i = 0; i < c->count; i++)
        places[i] = mentions(text, c->names[i]) ? count++ : -1;
    double *data = ZN_NEW(double, (size_t)rows *(size_t)count);
    if (data == NULL)
        return ZN_ERR_MEMORY;
    *out = data;
    for (int i = 0; i < c->count; i++)
        if (places[i] >= 0)
            ZN_TRY(read_column(result, &c->list[i], data + (size_t)places[i] * (size_t)rows));
    return ZN_OK;
}

// `values` are filled for a compiled expression that reads its variables from `now`.
static zn_status evaluate_rows(const zn_result *result, const columns *c, const char *text, zn_expression *e,
                               double *now, double *values)
{
    int64_t   rows = zn_result_rows(result);
    double   *data = NULL;
    int      *places = ZN_NEW(int, c->count);
    zn_status status = places == NULL ? ZN_ERR_MEMORY : read_mentioned(result, c, text, &data, places);
    for (int64_t row = 0; row < rows && status == ZN_OK; row++) {
        for (int i = 0; i < c->count; i++)
            if (places[i] >= 0)
                now[i] = data[(int64_t)places[i] * rows + row];
        values[row] = zn_expression_at(e, 0);
    }
    free(places);
    free(data);
    return status;
}

static zn_status evaluate(const zn_result *result, const columns *c, const char *text, double *values, char *message,
                          size_t size)
{
    int single = find(c, text);
    if (single >= 0)
        return read_column(result, &c->list[single], values);
    if (zn_result_find(result, text) >= 0) {
        explain(result, c, text, message, size);
        return ZN_ERR_ARGUMENT;
    }
    zn_expression_error error = {0};
    zn_expression      *e = NULL;
    double             *now = ZN_NEW(double, c->count);
    zn_status           status = now == NULL ? ZN_ERR_MEMORY
                                             : zn_expression_create_of(text, (zn_constants){c->count, c->names, now}, &error, &e);
    if (status == ZN_OK)
        status = evaluate_rows(result, c, text, e, now, values);
    else if (error.unknown[0] != '\0')
        explain(result, c, error.unknown, message, size);
    else
        refuse(message, size, error.message);
    zn_expression_destroy(e);
    free(now);
    return status;
}

zn_status zn_result_evaluate(const zn_result *result, const char *expression, double *values, char *message,
                             size_t size)
{
    ZN_ALIVE(result);
    if (!result || !expression || !message)
        return ZN_ERR_ARGUMENT;
    columns c;
    snprintf(message, size, "%s", "");
    zn_status status = columns_list(result, &c);
    if (status == ZN_OK) {
        status = evaluate(result, &c, expression, values, message, size);
        columns_clear(&c);
    }
    if (status != ZN_OK && message[0] == '\0')
        snprintf(message, size, "%s", zn_status_text(status));
    return status;
}

const char *zn_result_component_unit(const char *unit, const char *component)
{
    static const char *const straight[] = {"m", "m/s", "N s", "N"};
    const char              *other = strstr(unit, " or ");
    bool                     turning = strncmp(component, "moment", 6) == 0 || strncmp(component, "rotation", 8) == 0;
    for (size_t i = 0; other != NULL && i < ZN_COUNT(straight); i++)
        if (*component != '\0' && strlen(straight[i]) == (size_t)(other - unit) &&
            strncmp(straight[i], unit, strlen(straight[i])) == 0)
            return turning ? other + 4 : straight[i];
    return unit;
}

const char *zn_result_unit(const zn_result *result, const char *expression)
{
    ZN_ALIVE(result);
    if (!expression)
        return NULL;
    columns     c;
    const char *unit = NULL;
    if (columns_list(result, &c) != ZN_OK)
        return NULL;
    int         single = find(&c, expression);
    const char *dot = strrchr(expression, '.');
    if (single >= 0)
        unit = c.list[single].series < 0 ? "s" : zn_result_series_at(result, c.list[single].series).unit;
    if (single >= 0)
        unit = zn_result_component_unit(unit, dot != NULL ? dot + 1 : "");
    columns_clear(&c);
    return unit;
}
