// Results of a sweep as a table, CSV, JSON, statistics and a figure.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_writer.h"
#include "statistics.h"
#include "sweep.h"
#include "terminal.h"
#include "zn/view.h"

enum { LABEL = 160 };

static bool is_over(const sweep_work *w, int row)
{
    return w->rows.states[row] == ROW_DONE || w->rows.states[row] == ROW_LOST;
}

// --- table ---------------------------------------------------------------------------------------

static int width_of(const char *name)
{
    int length = (int)strlen(name);
    return length > 12 ? length : 12;
}

static int scheme_width(const sweep_work *w)
{
    int width = 0;
    for (int i = 0; i < w->schemes.count; i++)
        width = (int)strlen(w->schemes.items[i]) > width ? (int)strlen(w->schemes.items[i]) : width;
    return w->options.schemes != NULL ? width : 0;
}

void sweep_print_header(const sweep_work *w)
{
    fputs(style_on(stdout, STYLE_DIM), stdout);
    if (scheme_width(w) > 0)
        printf("%-*s  ", scheme_width(w) > 6 ? scheme_width(w) : 6, "scheme");
    if (w->second.name[0] != '\0')
        printf("%*s  ", width_of(w->second.name), w->second.name);
    for (int i = 0; i < w->together; i++)
        printf("%s%*s", i > 0 ? "  " : "", width_of(w->first[i].name), w->first[i].name);
    for (int i = 0; i < w->measures.count; i++)
        printf("  %*s", width_of(w->measures.items[i]), w->measures.items[i]);
    printf("%s\n", style_off(stdout));
}

void sweep_print_row(const sweep_work *w, int row)
{
    const sweep_row *r = sweep_row_of(w, row);
    sweep_place      at = sweep_place_of(w, row);
    if (scheme_width(w) > 0)
        printf("%-*s  ", scheme_width(w) > 6 ? scheme_width(w) : 6, w->schemes.items[at.scheme]);
    if (w->second.name[0] != '\0')
        printf("%*.6g  ", width_of(w->second.name), w->second.values[at.second]);
    for (int i = 0; i < w->together; i++)
        printf("%s%*.6g", i > 0 ? "  " : "", width_of(w->first[i].name), w->first[i].values[at.first]);
    for (int i = 0; i < w->measures.count && !r->failed; i++) {
        if (isnan(r->values[i]))
            printf("  %*s", width_of(w->measures.items[i]), "-");
        else
            printf("  %*.6g", width_of(w->measures.items[i]), r->values[i]);
    }
    if (r->failed)
        printf("  %sfailed:%s %s", style_on(stdout, STYLE_BAD), style_off(stdout), r->message);
    else if (r->message[0] != '\0')
        printf("  (%s)", r->message);
    putchar('\n');
    fflush(stdout);
}

// --- CSV -----------------------------------------------------------------------------------------

static void put_csv_header(const sweep_work *w, FILE *out)
{
    fprintf(out, "scheme,%s%s", w->second.name, w->second.name[0] != '\0' ? "," : "");
    if (is_sampled(w))
        fputs("seed,sample,", out);
    for (int i = 0; i < w->together; i++)
        fprintf(out, "%s%s", i > 0 ? "," : "", w->first[i].name);
    for (int i = 0; i < w->measures.count; i++) {
        fputc(',', out);
        put_csv(out, w->measures.items[i]);
    }
    fputs(",failed\n", out);
}

static void put_csv_row(const sweep_work *w, int row, FILE *out)
{
    const sweep_row *r = sweep_row_of(w, row);
    sweep_place      at = sweep_place_of(w, row);
    put_csv(out, w->schemes.items[at.scheme]);
    if (w->second.name[0] != '\0')
        fprintf(out, ",%.17g", w->second.values[at.second]);
    if (is_sampled(w))
        fprintf(out, ",%.0f,%d", w->options.seed, at.first + 1);
    for (int i = 0; i < w->together; i++)
        fprintf(out, ",%.17g", w->first[i].values[at.first]);
    for (int m = 0; m < w->measures.count; m++)
        fprintf(out, isnan(r->values[m]) ? "," : ",%.17g", r->values[m]);
    fputc(',', out);
    put_csv(out, r->message);
    fputc('\n', out);
}

bool sweep_write_csv(const sweep_work *w, const char *path)
{
    zn_new_file *file = open_file(path);
    if (file == NULL)
        return false;
    FILE *out = zn_new_file_stream(file);
    put_csv_header(w, out);
    for (int row = 0; row < w->rows.count; row++)
        if (is_over(w, row))
            put_csv_row(w, row, out);
    return close_file(file);
}

// --- statistics ----------------------------------------------------------------------------------

bool sweep_statistics(const sweep_work *w, int row, int measure, statistics *out)
{
    int     count = w->first[0].count;
    double *values = malloc((size_t)count * sizeof *values);
    for (int i = 0; i < count && values != NULL; i++)
        values[i] = is_over(w, row + i) ? sweep_row_of(w, row + i)->values[measure] : NAN;
    bool good = values != NULL && statistics_of(count, values, out);
    if (!good)
        print_error("out of memory");
    free(values);
    return good;
}

bool sweep_print_statistics(const sweep_work *w)
{
    int n = w->first[0].count;
    printf("%d samples%s, seed %.0f:", n, w->options.hypercube ? " (Latin hypercube)" : "", w->options.seed);
    for (int i = 0; i < w->together; i++)
        printf("%s %s", i > 0 ? "," : "", tamed(w->options.distributions.items[i]));
    putchar('\n');
    for (int row = 0; row < w->rows.count; row += n)
        for (int m = 0; m < w->measures.count; m++) {
            statistics  s;
            sweep_place at = sweep_place_of(w, row);
            if (!sweep_statistics(w, row, m, &s))
                return false;
            printf("\n%s%s%s, %s", style_on(stdout, STYLE_BOLD), w->measures.items[m], style_off(stdout),
                   w->schemes.items[at.scheme]);
            if (w->second.name[0] != '\0')
                printf(", %s = %.6g", w->second.name, w->second.values[at.second]);
            putchar('\n');
            statistics_print(&s);
        }
    return true;
}

bool sweep_write_statistics(const sweep_work *w, const char *path)
{
    zn_new_file *file = open_file(path);
    bool         good = file != NULL;
    if (!good)
        return false;
    FILE *out = zn_new_file_stream(file);
    fprintf(out, "scheme,%s%sseed,measure,", w->second.name, w->second.name[0] != '\0' ? "," : "");
    statistics_csv_names(out);
    fputc('\n', out);
    for (int row = 0; row < w->rows.count && good; row += w->first[0].count)
        for (int m = 0; m < w->measures.count && good; m++) {
            statistics  s;
            sweep_place at = sweep_place_of(w, row);
            good = sweep_statistics(w, row, m, &s);
            put_csv(out, w->schemes.items[at.scheme]);
            if (w->second.name[0] != '\0')
                fprintf(out, ",%.17g", w->second.values[at.second]);
            fprintf(out, ",%.0f,", w->options.seed);
            put_csv(out, w->measures.items[m]);
            fputc(',', out);
            statistics_csv(out, &s);
            fputc('\n', out);
        }
    return zn_new_file_close(file, good ? ZN_OK : ZN_ERR_MEMORY) == ZN_OK && good;
}

// --- JSON ----------------------------------------------------------------------------------------

static void put_place(json_writer *j, const sweep_work *w, sweep_place at)
{
    json_text(j, "scheme", w->schemes.items[at.scheme]);
    if (w->second.name[0] != '\0')
        json_number(j, w->second.name, w->second.values[at.second]);
}

static void put_row(json_writer *j, const sweep_work *w, int row)
{
    const sweep_row *r = sweep_row_of(w, row);
    sweep_place      at = sweep_place_of(w, row);
    json_open(j, NULL);
    put_place(j, w, at);
    for (int i = 0; i < w->together; i++)
        json_number(j, w->first[i].name, w->first[i].values[at.first]);
    for (int i = 0; i < w->measures.count; i++)
        json_number(j, w->measures.items[i], r->values[i]);
    json_text(j, "failed", r->message[0] != '\0' ? r->message : NULL);
    json_close(j);
}

static bool put_sample(json_writer *j, const sweep_work *w)
{
    bool good = true;
    json_open(j, "sample");
    json_count(j, "count", w->first[0].count);
    json_count(j, "seed", (int64_t)w->options.seed);
    json_text(j, "design", w->options.hypercube ? "latin_hypercube" : "random");
    json_open(j, "distributions");
    for (int i = 0; i < w->together; i++)
        json_text(j, w->first[i].name, strchr(w->options.distributions.items[i], '=') + 1);
    json_close(j);
    json_close(j);
    json_open_array(j, "statistics");
    for (int row = 0; row < w->rows.count && good; row += w->first[0].count)
        for (int m = 0; m < w->measures.count && good; m++) {
            statistics s;
            good = sweep_statistics(w, row, m, &s);
            json_open(j, NULL);
            put_place(j, w, sweep_place_of(w, row));
            json_text(j, "measure", w->measures.items[m]);
            statistics_json(j, &s);
            json_close(j);
        }
    json_close_array(j);
    return good;
}

bool sweep_print_json(const sweep_work *w)
{
    json_writer j = {.out = stdout};
    json_open(&j, NULL);
    json_text(&j, "zeno", zn_version());
    json_text(&j, "model", w->model);
    json_text(&j, "title", w->title);
    bool good = !is_sampled(w) || put_sample(&j, w);
    json_open_array(&j, "rows");
    for (int row = 0; row < w->rows.count; row++)
        if (is_over(w, row))
            put_row(&j, w, row);
    json_close_array(&j);
    json_close(&j);
    return good;
}

// --- figure --------------------------------------------------------------------------------------

// Everything a figure borrows.
typedef struct drawing {
    int       curves; // per panel
    zn_panel *panels;
    zn_curve *curve; // [panel][curve]
    double   *y;     // [panel][curve][first]
    char (*labels)[LABEL];
} drawing;

static void label_curve(const sweep_work *w, int scheme, int second, char label[LABEL])
{
    int used = 0;
    if (w->schemes.count > 1)
        used = snprintf(label, LABEL, "%.90s%s", w->schemes.items[scheme], w->second.name[0] != '\0' ? ", " : "");
    if (w->second.name[0] != '\0')
        snprintf(label + used, LABEL - (size_t)used, "%s = %.6g", w->second.name, w->second.values[second]);
}

static void draw_panel(const sweep_work *w, drawing *d, int panel)
{
    int       row = 0, index = 0;
    zn_curve *curves = d->curve + panel * d->curves;
    for (int k = 0; k < w->schemes.count; k++)
        for (int j = 0; j < w->second.count; j++, index++) {
            double *y = d->y + ((size_t)panel * (size_t)d->curves + (size_t)index) * (size_t)w->first[0].count;
            for (int i = 0; i < w->first[0].count; i++, row++)
                y[i] = sweep_row_of(w, row)->values[panel];
            label_curve(w, k, j, d->labels[index]);
            curves[index] = (zn_curve){.label = d->labels[index][0] != '\0' ? d->labels[index] : NULL,
                                       .count = w->first[0].count,
                                       .x = w->first[0].values,
                                       .y = y,
                                       .colour = index,
                                       .dash = index / 7 % 4,
                                       .markers = w->first[0].count <= 100};
        }
    d->panels[panel] = (zn_panel){.label = panel < w->options.ylabels.count ? w->options.ylabels.items[panel]
                                                                            : w->measures.items[panel],
                                  .log = w->options.log_y,
                                  .curve_count = d->curves,
                                  .curves = curves};
}

bool sweep_plot(const sweep_work *w, const char *path)
{
    drawing d = {.curves = w->schemes.count * w->second.count};
    size_t  panels = (size_t)w->measures.count, all = panels * (size_t)d.curves;
    d.panels = calloc(panels, sizeof *d.panels);
    d.curve = calloc(all, sizeof *d.curve);
    d.y = calloc(all * (size_t)w->first[0].count, sizeof *d.y);
    d.labels = calloc((size_t)d.curves, sizeof *d.labels);
    bool good = d.panels != NULL && d.curve != NULL && d.y != NULL && d.labels != NULL;
    if (!good)
        print_error("out of memory");
    for (int i = 0; i < w->measures.count && good; i++)
        draw_panel(w, &d, i);
    bool        time = strcmp(w->first[0].name, "step") == 0 || strcmp(w->first[0].name, "until") == 0;
    char        label[LABEL];
    const char *title = w->title != NULL ? w->title : w->model;
    snprintf(label, sizeof label, "%.100s%s", w->first[0].name, time ? " [s]" : "");
    zn_figure figure = {.title = w->options.title != NULL ? w->options.title : title,
                        .label = label,
                        .log = w->first[0].log,
                        .panel_count = w->measures.count,
                        .panels = d.panels};
    good = good && zn_figure_write(&figure, path, terminal_log()) == ZN_OK;
    free(d.panels);
    free(d.curve);
    free(d.y);
    free(d.labels);
    return good;
}
