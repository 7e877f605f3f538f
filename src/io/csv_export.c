// All series of a result as one CSV table (RFC 4180), a block of rows at a time. Numbers have all their digits, with a
// decimal point whatever the locale of the process.
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "io/result_reader.h"

enum { BLOCK_BYTES = 1 << 20 };

// One field of the header; quoted when it holds what would end it. What a spreadsheet would compute is text: no name of
// a model begins so, but one of a file may.
static void put_field(FILE *out, const char *text)
{
    bool        quoted = strpbrk(text, ",\"\r\n") != NULL;
    const char *mark = text[0] != '\0' && strchr("=+-@\t", text[0]) != NULL ? "'" : "";
    fprintf(out, "%s%s", quoted ? "\"" : "", mark);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputs(quoted ? "\"" : "", out);
}

// Names of the columns of one series: "name [unit]", "name.component [unit]".
static zn_status put_names(FILE *out, zn_result_series s)
{
    size_t      bytes = strlen(s.name) + strlen(s.components) + strlen(s.unit) + 32;
    char       *field = zn_new_array(bytes, 1);
    const char *component = s.components;
    if (field == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < s.columns; i++) {
        component += strspn(component, " ");
        int         length = (int)strcspn(component, " ");
        int         used = length > 0      ? snprintf(field, bytes, "%s.%.*s", s.name, length, component)
                           : s.columns > 1 ? snprintf(field, bytes, "%s.%d", s.name, i)
                                           : snprintf(field, bytes, "%s", s.name);
        const char *unit = zn_result_component_unit(s.unit, length > 0 ? field + strlen(s.name) + 1 : "");
        if (unit[0] != '\0')
            snprintf(field + used, bytes - (size_t)used, " [%s]", unit);
        fputc(',', out);
        put_field(out, field);
        component += length;
    }
    free(field);
    return ZN_OK;
}

static zn_status put_header(FILE *out, const zn_result *result)
{
    fputs("t [s]", out);
    for (int i = 0; i < zn_result_series_count(result); i++)
        ZN_TRY(put_names(out, zn_result_series_at(result, i)));
    fputc('\n', out);
    return ZN_OK;
}

static void put_rows(FILE *out, const double *table, int64_t rows, int width)
{
    for (int64_t i = 0; i < rows; i++)
        for (int j = 0; j < width; j++) {
            double value = table[i * width + j];
            if (isnan(value))
                fputs("nan", out); // without a sign
            else
                fprintf(out, "%.17g", value);
            fputc(j + 1 < width ? ',' : '\n', out);
        }
}

static zn_status read_rows(const zn_result *result, int64_t first, int64_t count, int width, double *table)
{
    zn_hdf5_block block = {.first = first, .count = count, .columns = 1, .width = width};
    ZN_TRY(zn_result_read_time(result, block, table));
    block.offset = 1;
    for (int i = 0; i < zn_result_series_count(result); i++) {
        block.columns = zn_result_series_at(result, i).columns;
        ZN_TRY(zn_result_read_series(result, i, block, table));
        block.offset += block.columns;
    }
    return ZN_OK;
}

static zn_status put_table(FILE *out, const zn_result *result)
{
    int width = 1;
    for (int i = 0; i < zn_result_series_count(result); i++)
        width += zn_result_series_at(result, i).columns;
    int64_t   rows = zn_result_rows(result);
    int64_t   block = 1 + BLOCK_BYTES / (int64_t)(sizeof(double) * (size_t)width);
    double   *table = ZN_NEW(double, (size_t)block *(size_t)width);
    zn_status status = table == NULL ? ZN_ERR_MEMORY : put_header(out, result);
    for (int64_t first = 0; first < rows && status == ZN_OK && !ferror(out); first += block) {
        int64_t count = rows - first < block ? rows - first : block;
        status = read_rows(result, first, count, width, table);
        if (status == ZN_OK)
            put_rows(out, table, count, width);
    }
    free(table);
    return status;
}

zn_status zn_result_export_csv(const zn_result *result, const char *path)
{
    ZN_ALIVE(result);
    zn_new_file *file;
    if (result == NULL || path == NULL)
        return ZN_ERR_ARGUMENT;
    if (strcmp(path, "-") != 0)
        ZN_TRY(zn_result_spare(result, path));
    ZN_TRY(zn_new_file_open(path, *zn_result_log(result), &file));
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0)
        return zn_new_file_close(file, ZN_ERR_MEMORY);
    locale_t  before = uselocale(c);
    zn_status status = put_table(zn_new_file_stream(file), result);
    uselocale(before);
    freelocale(c);
    return zn_new_file_close(file, status);
}
