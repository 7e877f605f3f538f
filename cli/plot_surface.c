// zeno plot --surface: a field over place and time.
#include "plot_surface.h"

#include <stdlib.h>
#include <string.h>

#include "study.h"
#include "terminal.h"

enum { LABEL = 200 };

typedef struct surface {
    int     lines;
    double *value; // [line][row]
    double *place;
    double *t;
    double *scratch; // all columns of one record
} surface;

static void surface_free(surface *s)
{
    free(s->value);
    free(s->place);
    free(s->t);
    free(s->scratch);
}

static bool out_of_memory(void)
{
    print_error("out of memory");
    return false;
}

// A record with several columns and no names for them, such as those of all nodes of a bar; -1: it is something else.
static int find_columns(const zn_result *r, const char *text)
{
    int index = zn_result_find(r, text);
    return index >= 0 && zn_result_series_at(r, index).columns > 1 ? index : -1;
}

static int count_lines(const surface_request *q)
{
    int lines = 0;
    for (int i = 0; i < q->y->count; i++) {
        int series = find_columns(q->result, q->y->items[i]);
        lines += series >= 0 ? zn_result_series_at(q->result, series).columns : 1;
    }
    return lines;
}

static bool allocate(const surface_request *q, surface *s)
{
    size_t rows = (size_t)zn_result_rows(q->result) + 1;
    s->lines = count_lines(q);
    s->value = calloc((size_t)s->lines * (size_t)q->rows + 1, sizeof *s->value);
    s->place = calloc((size_t)s->lines + 1, sizeof *s->place);
    s->t = calloc(rows, sizeof *s->t);
    s->scratch = calloc(rows * (size_t)s->lines + 1, sizeof *s->scratch);
    return (s->value != NULL && s->place != NULL && s->t != NULL && s->scratch != NULL) || out_of_memory();
}

static bool read_columns(const surface_request *q, surface *s, int series, int line)
{
    int columns = zn_result_series_at(q->result, series).columns;
    if (zn_result_read(q->result, series, s->scratch) != ZN_OK)
        return false;
    for (int k = 0; k < columns; k++)
        for (int64_t i = 0; i < q->rows; i++)
            s->value[(line + k) * q->rows + i] = s->scratch[(q->first + i) * columns + k];
    return true;
}

static bool read_line(const surface_request *q, surface *s, const char *expression, int line)
{
    char message[240];
    if (zn_result_evaluate(q->result, expression, s->scratch, message, sizeof message) != ZN_OK) {
        print_error("'%s': %s", expression, message);
        return false;
    }
    memcpy(s->value + line * q->rows, s->scratch + q->first, sizeof *s->value * (size_t)q->rows);
    return true;
}

static bool read_values(const surface_request *q, surface *s)
{
    for (int i = 0, line = 0; i < q->y->count; i++) {
        int series = find_columns(q->result, q->y->items[i]);
        if (!(series >= 0 ? read_columns(q, s, series, line) : read_line(q, s, q->y->items[i], line)))
            return false;
        line += series >= 0 ? zn_result_series_at(q->result, series).columns : 1;
    }
    return zn_result_time(q->result, s->t) == ZN_OK;
}

static bool place_lines(const surface_request *q, surface *s)
{
    double from = 0, to = s->lines - 1;
    if (q->places != NULL && !parse_window("places", q->places, &from, &to))
        return false;
    for (int i = 0; i < s->lines; i++)
        s->place[i] = from + (to - from) * i / (s->lines > 1 ? s->lines - 1 : 1);
    return true;
}

bool plot_surface(const surface_request *q)
{
    surface s = {0};
    char    label[LABEL];
    bool    good = allocate(q, &s) && read_values(q, &s) && place_lines(q, &s);
    if (good) {
        const char *unit = zn_result_unit(q->result, q->y->items[0]);
        bool        has_unit = unit != NULL && unit[0] != '\0';
        snprintf(label, sizeof label, "%s%s%s", has_unit ? "[" : "", has_unit ? unit : "", has_unit ? "]" : "");
        zn_field field = {.title = q->title,
                          .time_label = q->time_label != NULL ? q->time_label : "t [s]",
                          .place_label = q->place_label != NULL ? q->place_label
                                         : q->places != NULL    ? NULL
                                                                : "number",
                          .label = q->label != NULL ? q->label : label,
                          .width = q->width,
                          .height = q->height,
                          .count = q->rows,
                          .t = s.t + q->first,
                          .lines = s.lines,
                          .place = s.place,
                          .value = s.value};
        good = zn_field_write(&field, q->output, terminal_log()) == ZN_OK;
    }
    surface_free(&s);
    return good;
}
