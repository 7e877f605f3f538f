// Results of a study of convergence as tables, JSON, CSV and a figure.
#include <stdlib.h>
#include <string.h>

#include "converge.h"
#include "json_writer.h"
#include "terminal.h"
#include "zn/view.h"

enum { LABEL = 160 };

// --- table ---------------------------------------------------------------------------------------

static void print_header(const converge_study *s, int scheme, int quantity)
{
    printf("%s%s%s, %s; error against %s", style_on(stdout, STYLE_BOLD), s->quantities.items[quantity],
           style_off(stdout), s->schemes.items[scheme], s->reference[quantity]);
    if (s->from > -INFINITY)
        printf(", t in [%g, %g] s", s->from, s->to);
    printf("\n%s%12s", style_on(stdout, STYLE_DIM), "step [s]");
    for (int i = 0; i < s->norm_count; i++)
        printf("  %10s", norm_names[s->norms[i]]);
    for (int i = 0; i < STAGES; i++)
        printf("  %10s", stage_names[i]);
    printf("  %9s%s\n", "time [s]", style_off(stdout));
}

static void print_row(const converge_study *s, const converge_row *row, const converge_error *e)
{
    char text[32];
    printf("%12.5g", row->step);
    if (row->failed || e->failed) {
        printf("  %sfailed:%s %s\n", style_on(stdout, STYLE_BAD), style_off(stdout),
               row->failed ? row->message : e->message);
        return;
    }
    for (int i = 0; i < s->norm_count; i++)
        printf("  %10.3e", e->norm[s->norms[i]]);
    for (int i = 0; i < STAGES; i++) {
        snprintf(text, sizeof text, "%.2f/%d", row->average[i], row->largest[i]);
        printf("  %10s", text);
    }
    printf("  %9.3g\n", row->seconds);
}

static void print_order(const converge_study *s, int scheme, int quantity, int norm)
{
    zn_order fit;
    printf("  %-9s ", norm_names[norm]);
    if (!converge_fit(s, scheme, quantity, norm, &fit)) {
        printf("no order: two steps with an error are needed\n");
        return;
    }
    printf("order %.2f", fit.order);
    if (!isnan(fit.deviation))
        printf(" +- %.2f", fit.deviation);
    if (fit.count < s->step_count)
        printf("  (from %d of %d steps)", fit.count, s->step_count);
    putchar('\n');
}

void converge_tame(const converge_study *s, int scheme)
{
    for (int step = 0; step < s->step_count; step++) {
        tame_message(row_of(s, scheme, step)->message);
        for (int i = 0; i < s->quantities.count; i++)
            tame_message(error_of(s, scheme, step, i)->message);
    }
}

void converge_print(const converge_study *s, int scheme)
{
    for (int k = 0; k < s->quantities.count; k++) {
        if (scheme > 0 || k > 0)
            putchar('\n');
        print_header(s, scheme, k);
        for (int i = 0; i < s->step_count; i++)
            print_row(s, row_of(s, scheme, i), error_of(s, scheme, i, k));
        for (int i = 0; i < s->norm_count; i++)
            print_order(s, scheme, k, s->norms[i]);
    }
    if (scheme == s->schemes.count - 1)
        printf("\niterations per step: average/largest\n");
    fflush(stdout);
}

// --- JSON ----------------------------------------------------------------------------------------

static void put_row(json_writer *w, const converge_study *s, const converge_row *row, const converge_error *e)
{
    bool failed = row->failed || e->failed;
    json_open(w, NULL);
    json_number(w, "step", row->step);
    json_text(w, "failed", !failed ? NULL : row->failed ? row->message : e->message);
    for (int i = 0; i < s->norm_count; i++)
        json_number(w, norm_names[s->norms[i]], failed ? NAN : e->norm[s->norms[i]]);
    for (int i = 0; i < STAGES && !row->failed; i++) {
        json_open(w, stage_names[i]);
        json_number(w, "average", row->average[i]);
        json_count(w, "largest", row->largest[i]);
        json_close(w);
    }
    json_number(w, "seconds", row->failed ? NAN : row->seconds);
    json_close(w);
}

static void put_orders(json_writer *w, const converge_study *s, int scheme, int quantity)
{
    json_open(w, "orders");
    for (int i = 0; i < s->norm_count; i++) {
        zn_order fit = {.order = NAN, .constant = NAN, .deviation = NAN};
        converge_fit(s, scheme, quantity, s->norms[i], &fit);
        json_open(w, norm_names[s->norms[i]]);
        json_number(w, "order", fit.order);
        json_number(w, "deviation", fit.deviation);
        json_number(w, "constant", fit.constant);
        json_count(w, "steps", fit.count);
        json_close(w);
    }
    json_close(w);
}

void converge_print_json(const converge_study *s)
{
    json_writer w = {.out = stdout};
    json_open(&w, NULL);
    json_text(&w, "zeno", zn_version());
    json_text(&w, "model", s->model);
    json_text(&w, "title", s->title);
    json_open_array(&w, "studies");
    for (int i = 0; i < s->schemes.count; i++)
        for (int k = 0; k < s->quantities.count; k++) {
            json_open(&w, NULL);
            json_text(&w, "scheme", s->schemes.items[i]);
            json_text(&w, "quantity", s->quantities.items[k]);
            json_text(&w, "reference", s->reference[k]);
            json_open_array(&w, "rows");
            for (int j = 0; j < s->step_count; j++)
                put_row(&w, s, row_of(s, i, j), error_of(s, i, j, k));
            json_close_array(&w);
            put_orders(&w, s, i, k);
            json_close(&w);
        }
    json_close_array(&w);
    json_close(&w);
    putchar('\n');
}

// --- CSV -----------------------------------------------------------------------------------------

static void put_csv_row(FILE *out, const converge_study *s, int scheme, int step, int quantity)
{
    const converge_row   *row = row_of(s, scheme, step);
    const converge_error *e = error_of(s, scheme, step, quantity);
    bool                  failed = row->failed || e->failed;
    put_csv(out, s->schemes.items[scheme]);
    fputc(',', out);
    put_csv(out, s->quantities.items[quantity]);
    fprintf(out, ",%.17g", row->step);
    for (int i = 0; i < s->norm_count; i++)
        fprintf(out, failed ? "," : ",%.17g", e->norm[s->norms[i]]);
    for (int i = 0; i < STAGES; i++)
        if (row->failed)
            fputs(",,", out);
        else
            fprintf(out, ",%.9g,%d", row->average[i], row->largest[i]);
    fprintf(out, row->failed ? "," : ",%.9g", row->seconds);
    fputc(',', out);
    put_csv(out, row->failed ? row->message : e->message);
    fputc('\n', out);
}

bool converge_write_csv(const converge_study *s, const char *path)
{
    zn_new_file *file = open_file(path);
    if (file == NULL)
        return false;
    FILE *out = zn_new_file_stream(file);
    fputs("scheme,quantity,step", out);
    for (int i = 0; i < s->norm_count; i++)
        fprintf(out, ",%s", norm_names[s->norms[i]]);
    for (int i = 0; i < STAGES; i++)
        fprintf(out, ",%s,%s_max", stage_names[i], stage_names[i]);
    fputs(",seconds,failed\n", out);
    for (int i = 0; i < s->schemes.count; i++)
        for (int k = 0; k < s->quantities.count; k++)
            for (int j = 0; j < s->step_count; j++)
                put_csv_row(out, s, i, j, k);
    return close_file(file);
}

// --- figure --------------------------------------------------------------------------------------

// Everything a figure borrows.
typedef struct drawing {
    int       norm_count, norms[NORMS];
    int       curves; // per panel, the guide included
    zn_panel *panels;
    zn_curve *curve; // [panel][curve]
    double   *xy;    // [panel][curve][2][step]
    char (*labels)[LABEL];
    char (*axis)[LABEL];
} drawing;

static void drawing_free(drawing *d)
{
    free(d->panels);
    free(d->curve);
    free(d->xy);
    free(d->labels);
    free(d->axis);
}

static bool drawing_create(const converge_study *s, drawing *d)
{
    *d = (drawing){.norm_count = 1, .norms = {NORM_L1}};
    if (s->norms_chosen) {
        d->norm_count = s->norm_count;
        memcpy(d->norms, s->norms, sizeof d->norms);
    }
    d->curves = s->schemes.count * d->norm_count + 1;
    size_t panels = (size_t)s->quantities.count, all = panels * (size_t)d->curves;
    d->panels = calloc(panels, sizeof *d->panels);
    d->curve = calloc(all, sizeof *d->curve);
    d->xy = calloc(2 * all * (size_t)s->step_count, sizeof *d->xy);
    d->labels = calloc(all, sizeof *d->labels);
    d->axis = calloc(panels, sizeof *d->axis);
    return d->panels != NULL && d->curve != NULL && d->xy != NULL && d->labels != NULL && d->axis != NULL;
}

static void draw_curve(const converge_study *s, int scheme, int quantity, int norm, zn_curve *c, double *xy,
                       char label[LABEL])
{
    zn_order fit;
    double  *x = xy, *y = xy + s->step_count;
    for (int i = 0; i < s->step_count; i++) {
        const converge_error *e = error_of(s, scheme, i, quantity);
        x[i] = row_of(s, scheme, i)->step;
        y[i] = row_of(s, scheme, i)->failed || e->failed ? NAN : e->norm[norm];
    }
    int used = snprintf(label, LABEL, "%.90s, %s", s->schemes.items[scheme], norm_names[norm]);
    if (converge_fit(s, scheme, quantity, norm, &fit))
        snprintf(label + used, LABEL - (size_t)used, ": order %.2f", fit.order);
    *c = (zn_curve){.label = label, .count = s->step_count, .x = x, .y = y, .colour = scheme, .markers = true};
}

// A line of slope 1 below all curves.
static void draw_guide(const converge_study *s, const zn_curve *curves, int count, zn_curve *guide, double *xy)
{
    double *x = xy, *y = xy + s->step_count, low = INFINITY;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < s->step_count; j++)
            if (curves[i].y[j] > 0)
                low = fmin(low, curves[i].y[j] / curves[i].x[j]);
    for (int j = 0; j < s->step_count; j++) {
        x[j] = row_of(s, 0, j)->step;
        y[j] = 0.6 * low * x[j];
    }
    *guide = (zn_curve){
        .label = "slope 1", .count = low < INFINITY ? s->step_count : 0, .x = x, .y = y, .colour = -1, .dash = 1};
}

static void draw_panel(const converge_study *s, drawing *d, int quantity)
{
    int first = quantity * d->curves, count = 0;
    for (int i = 0; i < s->schemes.count; i++)
        for (int k = 0; k < d->norm_count; k++, count++) {
            double   *xy = d->xy + 2 * (size_t)(first + count) * (size_t)s->step_count;
            zn_curve *c = &d->curve[first + count];
            draw_curve(s, i, quantity, d->norms[k], c, xy, d->labels[first + count]);
            c->dash = k;
        }
    draw_guide(s, d->curve + first, count, &d->curve[first + count],
               d->xy + 2 * (size_t)(first + count) * (size_t)s->step_count);
    snprintf(d->axis[quantity], LABEL, "error of %s", s->quantities.items[quantity]);
    d->panels[quantity] =
        (zn_panel){.label = d->axis[quantity], .log = true, .curve_count = d->curves, .curves = d->curve + first};
}

bool converge_plot(const converge_study *s, const char *path)
{
    drawing d;
    char    title[LABEL];
    bool    good = drawing_create(s, &d);
    if (!good)
        print_error("out of memory");
    for (int k = 0; k < s->quantities.count && good; k++)
        draw_panel(s, &d, k);
    snprintf(title, sizeof title, "Convergence: %.120s", s->title);
    zn_figure figure = {.title = title,
                        .label = "step [s]",
                        .log = true,
                        .width = 760,
                        .height = 120 + 380 * s->quantities.count,
                        .panel_count = s->quantities.count,
                        .panels = d.panels};
    good = good && zn_figure_write(&figure, path, terminal_log()) == ZN_OK;
    drawing_free(&d);
    return good;
}
