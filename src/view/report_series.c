// Recorded series of a report. When there are more rows than fit, they are cut into intervals of equal numbers of rows,
// and each leaves two points: its least and its greatest value, in the order in which they came. Their times are those
// of the first and of the last row of the interval.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "view/report.h"
#include "io/result_reader.h"

enum { BLOCK_VALUES = 1 << 17, POINTS_MOST = 20000, POINTS_LEAST = 400, EXACT_VALUES = 250000 };

typedef struct thinning {
    int64_t rows, group; // rows of an interval; 1: every row stays
    int64_t points;      // of each column
    bool    exact;       // eight bytes for each value
} thinning;

static thinning plan(const zn_report *report, const zn_result *result)
{
    double columns = 0, rows = (double)zn_result_rows(result);
    for (int i = 0; i < zn_result_series_count(result); i++)
        columns += zn_result_series_at(result, i).columns;
    double   fit = fmin(fmax(report->series_values / fmax(columns, 1), POINTS_LEAST), POINTS_MOST);
    thinning t = {.rows = (int64_t)rows, .group = 1};
    if (rows > fit)
        t.group = (int64_t)ceil(rows / floor(fit / 2));
    t.points = t.group == 1 ? t.rows : 2 * ((t.rows + t.group - 1) / t.group);
    t.exact = (double)t.points * columns <= EXACT_VALUES;
    return t;
}

static void put_value(zn_report_out *out, bool exact, double value)
{
    float small = (float)value;
    if (exact)
        zn_report_bytes(out, &value, sizeof value);
    else
        zn_report_bytes(out, &small, sizeof small);
}

// --- one interval --------------------------------------------------------------------------------

typedef struct extremes {
    double  least, most;
    int64_t least_at, most_at, rows;
} extremes;

static void take(extremes *e, double value)
{
    if (e->rows == 0 || value < e->least || isnan(e->least)) {
        e->least = value;
        e->least_at = e->rows;
    }
    if (e->rows == 0 || value > e->most || isnan(e->most)) {
        e->most = value;
        e->most_at = e->rows;
    }
    e->rows++;
}

static void close_interval(extremes *e, double *first, double *second)
{
    bool rising = e->least_at <= e->most_at;
    *first = rising ? e->least : e->most;
    *second = rising ? e->most : e->least;
    *e = (extremes){0};
}

// --- a whole series ------------------------------------------------------------------------------

typedef zn_status read_rows(const zn_result *result, int index, zn_hdf5_block block, double *table);

static zn_status read_time(const zn_result *result, int index, zn_hdf5_block block, double *table)
{
    (void)index;
    return zn_result_read_time(result, block, table);
}

// The columns one after the other in memory, points of one column together; written at the end.
typedef struct thinned {
    const thinning *plan;
    int             columns;
    int64_t         point;  // next one
    extremes       *open;   // columns
    double         *values; // columns x points
} thinned;

static void add_row(thinned *t, const double *row, bool last)
{
    int64_t points = t->plan->points;
    for (int k = 0; k < t->columns; k++)
        if (t->plan->group == 1)
            t->values[k * points + t->point] = row[k];
        else
            take(&t->open[k], row[k]);
    if (t->plan->group == 1)
        t->point++;
    else if (t->open[0].rows == t->plan->group || last) {
        for (int k = 0; k < t->columns; k++)
            close_interval(&t->open[k], &t->values[k * points + t->point], &t->values[k * points + t->point + 1]);
        t->point += 2;
    }
}

static zn_status gather(const zn_result *result, int index, read_rows *read, thinned *t)
{
    int64_t   block = 1 + BLOCK_VALUES / t->columns, rows = t->plan->rows;
    double   *table = ZN_NEW(double, (size_t)block *(size_t)t->columns);
    zn_status status = table == NULL ? ZN_ERR_MEMORY : ZN_OK;
    for (int64_t first = 0; first < rows && status == ZN_OK; first += block) {
        int64_t count = rows - first < block ? rows - first : block;
        status =
            read(result, index,
                 (zn_hdf5_block){.first = first, .count = count, .columns = t->columns, .width = t->columns}, table);
        for (int64_t i = 0; i < count && status == ZN_OK; i++)
            add_row(t, table + i * t->columns, first + i + 1 == rows);
    }
    free(table);
    return status;
}

static zn_status put_series(zn_report *report, const zn_result *result, int index, const thinning *p, int columns,
                            read_rows *read)
{
    char    name[ZN_REPORT_NAME];
    bool    exact = p->exact || index < 0;
    thinned t = {.plan = p, .columns = columns};
    t.open = ZN_NEW(extremes, columns);
    t.values = ZN_NEW(double, (size_t)p->points *(size_t)columns);
    zn_status status = t.open == NULL || t.values == NULL ? ZN_ERR_MEMORY : gather(result, index, read, &t);
    if (status == ZN_OK) {
        zn_report_array_begin(&report->out, zn_report_name(report, index < 0 ? "t" : "s", index, name),
                              exact ? "f8" : "f4");
        for (int64_t i = 0; i < p->points * columns; i++)
            put_value(&report->out, exact, t.values[i]);
        zn_report_array_end(&report->out);
    }
    free(t.open);
    free(t.values);
    return status;
}

static void put_list(zn_report *report, const zn_result *result, const thinning *p)
{
    char           name[ZN_REPORT_NAME];
    zn_report_out *out = &report->out;
    zn_report_json_begin(out, zn_report_name(report, "series", -1, name));
    zn_report_open(out, NULL, '{');
    zn_report_count(out, "rows", p->rows);
    zn_report_count(out, "points", p->points);
    zn_report_count(out, "group", p->group);
    zn_report_open(out, "list", '[');
    for (int i = 0; i < zn_result_series_count(result); i++) {
        zn_result_series s = zn_result_series_at(result, i);
        zn_report_open(out, NULL, '{');
        zn_report_text(out, "name", s.name);
        zn_report_text(out, "path", s.path);
        zn_report_text(out, "unit", s.unit);
        zn_report_text(out, "components", s.components);
        zn_report_count(out, "columns", s.columns);
        zn_report_close(out, '}');
    }
    zn_report_close(out, ']');
    zn_report_close(out, '}');
    zn_report_json_end(out);
}

zn_status zn_report_series(zn_report *report, const zn_result *result)
{
    thinning p = plan(report, result);
    put_list(report, result, &p);
    ZN_TRY(put_series(report, result, -1, &p, 1, read_time));
    for (int i = 0; i < zn_result_series_count(result); i++)
        ZN_TRY(put_series(report, result, i, &p, zn_result_series_at(result, i).columns, zn_result_read_series));
    return ZN_OK;
}
