// zeno plot: recorded quantities as a figure.
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "plot_surface.h"
#include "study.h"
#include "terminal.h"
#include "zn/view.h"

enum { LABEL = 200, LABEL_SHORT = 32, PANELS_DEFAULT = 4, COMPONENTS_MAX = 16 };

typedef struct plot_options {
    const char *x, *output, *title, *xlabel, *window, *size, *xrange, *places;
    bool        log_x, log_y, surface;
    text_list   y; // expressions, with "--panel" between panels
    text_list   ylabels, yranges, rest;
} plot_options;

// One result with the rows to show.
typedef struct source {
    zn_result *result;
    char       name[LABEL]; // in the legend
    int64_t    rows, first, count;
    double    *x; // rows values
} source;

typedef struct plot_work {
    plot_options options;
    double       from, to;
    int          width, height;
    int          source_count;
    source      *sources;
    int          panel_count, curve_count;
    zn_panel    *panels;
    zn_curve    *curves;
    double     **data;      // of each curve
    char (*labels)[LABEL];  // of each curve
    char (*ylabels)[LABEL]; // of each panel
    char      xlabel[LABEL];
    char     *output;
    text_list chosen; // what is drawn: -y with vectors taken apart, or without -y the first scalars
    char (*chosen_names)[LABEL];
    int chosen_count;
} plot_work;

static const char panel_mark[] = "--panel";

static void plot_free(plot_work *w)
{
    for (int i = 0; i < w->source_count; i++) {
        zn_result_close(w->sources[i].result);
        free(w->sources[i].x);
    }
    for (int i = 0; i < w->curve_count && w->data != NULL; i++)
        free(w->data[i]);
    text_list_free(&w->options.y);
    text_list_free(&w->options.ylabels);
    text_list_free(&w->options.yranges);
    text_list_free(&w->options.rest);
    text_list_free(&w->chosen);
    free(w->sources);
    free(w->panels);
    free(w->curves);
    free(w->data);
    free(w->labels);
    free(w->ylabels);
    free(w->chosen_names);
    free(w->output);
}

// --- results -------------------------------------------------------------------------------------

// "folder/ball.zeno.h5" -> length of "folder/ball"
static size_t stem_length(const char *path)
{
    static const char *const ends[] = {".part", ".h5", ".zeno"};
    size_t                   length = strlen(path);
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(ends[i]);
        if (length > n && strncmp(path + length - n, ends[i], n) == 0)
            length -= n;
    }
    return length;
}

// What tells this result from the others: file, and scheme when they differ.
static void name_sources(plot_work *w)
{
    bool        schemes_differ = false;
    const char *first = zn_result_text(w->sources[0].result, "scheme");
    for (int i = 1; i < w->source_count; i++) {
        const char *scheme = zn_result_text(w->sources[i].result, "scheme");
        schemes_differ = schemes_differ || first == NULL || scheme == NULL || strcmp(first, scheme) != 0;
    }
    for (int i = 0; i < w->source_count; i++) {
        const char *path = w->options.rest.items[i], *slash = strrchr(path, '/');
        const char *base = slash != NULL ? slash + 1 : path, *scheme = zn_result_text(w->sources[i].result, "scheme");
        int         length = (int)stem_length(base);
        if (schemes_differ && scheme != NULL)
            snprintf(w->sources[i].name, LABEL, "%.*s (%.60s)", length < 100 ? length : 100, base, scheme);
        else
            snprintf(w->sources[i].name, LABEL, "%.*s", length < 160 ? length : 160, base);
    }
}

static bool evaluate(const source *s, const char *expression, double *values)
{
    char message[240];
    if (zn_result_evaluate(s->result, expression, values, message, sizeof message) == ZN_OK)
        return true;
    print_error("'%s': %s", expression, message);
    return false;
}

// Rows within the window, by time.
static bool find_rows(plot_work *w, source *s)
{
    double *t = calloc((size_t)s->rows + 1, sizeof *t);
    bool    good = t != NULL && evaluate(s, "t", t);
    for (int64_t i = 0; i < s->rows && good; i++)
        if (t[i] >= w->from && t[i] <= w->to) {
            s->first = s->count == 0 ? i : s->first;
            s->count = i - s->first + 1;
        }
    free(t);
    return good;
}

static bool open_sources(plot_work *w)
{
    const text_list *paths = &w->options.rest;
    w->sources = calloc((size_t)paths->count, sizeof *w->sources);
    for (int i = 0; w->sources != NULL && i < paths->count; i++) {
        source *s = &w->sources[i];
        if (zn_result_open(paths->items[i], terminal_log(), &s->result) != ZN_OK)
            return false;
        w->source_count++;
        s->rows = zn_result_rows(s->result);
        s->x = calloc((size_t)s->rows + 1, sizeof *s->x);
        if (s->x == NULL || !find_rows(w, s) || !evaluate(s, w->options.x != NULL ? w->options.x : "t", s->x))
            return false;
        if (s->count == 0) {
            print_error("%s: no row to show%s", paths->items[i], w->options.window != NULL ? " in the window" : "");
            return false;
        }
    }
    if (w->sources != NULL)
        name_sources(w);
    return w->sources != NULL;
}

// --- what to draw --------------------------------------------------------------------------------

static bool is_mark(const char *text) { return strcmp(text, panel_mark) == 0; }

// `names` is long enough for all that a list may become.
static bool reserve_names(plot_work *w, int most)
{
    w->chosen_names = calloc((size_t)most + 1, sizeof *w->chosen_names);
    if (w->chosen_names == NULL)
        print_error("out of memory");
    return w->chosen_names != NULL;
}

// NAME or NAME.COMPONENT
static bool choose_name(plot_work *w, const char *name, const char *component, int length)
{
    char *text = w->chosen_names[w->chosen_count++];
    snprintf(text, LABEL, "%.90s%s%.*s", name, length > 0 ? "." : "", length, component);
    return text_list_push(&w->chosen, text);
}

// Without -y: the first scalars, one panel each.
static bool choose_series(plot_work *w)
{
    const zn_result *r = w->sources[0].result;
    if (!reserve_names(w, PANELS_DEFAULT))
        return false;
    for (int i = 0; i < zn_result_series_count(r) && w->chosen_count < PANELS_DEFAULT; i++) {
        zn_result_series s = zn_result_series_at(r, i);
        if (s.columns != 1)
            continue;
        if ((w->chosen_count > 0 && !text_list_push(&w->chosen, panel_mark)) || !choose_name(w, s.name, "", 0))
            return false;
    }
    if (w->chosen_count == 0)
        print_error("%s: there is no scalar series; say which with -y NAME or -y NAME.component",
                    w->options.rest.items[0]);
    return w->chosen_count > 0;
}

// All components of a vector, as -y NAME asks for.
static bool choose_components(plot_work *w, const zn_result_series *s)
{
    const char *words = s->components;
    for (int i = 0; i < s->columns; i++) {
        char number[16];
        int  length = (int)strcspn(words, " ");
        snprintf(number, sizeof number, "%d", i);
        if (!choose_name(w, s->name, length > 0 ? words : number, length > 0 ? length : (int)strlen(number)))
            return false;
        words += length;
        words += strspn(words, " ");
    }
    return true;
}

// What -y says: expressions as they are; a vector of the first result becomes its components.
static bool choose_expressions(plot_work *w)
{
    const text_list *y = &w->options.y;
    const zn_result *r = w->sources[0].result;
    bool             good = reserve_names(w, y->count * COMPONENTS_MAX);
    for (int i = 0; i < y->count && good; i++) {
        int              series = is_mark(y->items[i]) ? -1 : zn_result_find(r, y->items[i]);
        zn_result_series s = series < 0 ? (zn_result_series){0} : zn_result_series_at(r, series);
        if (s.columns > 1 && s.columns <= COMPONENTS_MAX)
            good = choose_components(w, &s);
        else
            good = text_list_push(&w->chosen, y->items[i]);
    }
    return good;
}

// "LABEL = EXPRESSION": the expression, and in `*length` that of the label; 0: there is none. Comparisons have their
// sign beside it.
static const char *skip_label(const char *text, size_t *length)
{
    for (const char *p = strchr(text, '='); p != NULL; p = p[1] == '=' ? strchr(p + 2, '=') : strchr(p + 1, '=')) {
        if (p == text || p[1] == '=' || strchr("<>!", p[-1]) != NULL)
            continue;
        *length = (size_t)(p - text);
        while (*length > 0 && text[*length - 1] == ' ')
            --*length;
        return p + 1;
    }
    *length = 0;
    return text;
}

// A label with its unit when the expression is a single name.
static void label_expression(const zn_result *r, const char *expression, char label[LABEL])
{
    const char *unit = zn_result_unit(r, expression);
    size_t      own;
    skip_label(expression, &own);
    if (own > 0)
        snprintf(label, LABEL, "%.*s", (int)own, expression);
    else if (unit != NULL && unit[0] != '\0')
        snprintf(label, LABEL, "%.150s [%s]", expression, unit);
    else
        snprintf(label, LABEL, "%.190s", expression);
}

// Length of the name when all are components of one vector, "force.normal" and "force.tangent"; else 0.
static int vector_name(const plot_work *w, int first, int count)
{
    const char *one = w->chosen.items[first], *dot = strchr(one, '.');
    size_t      length = dot != NULL && count > 1 ? (size_t)(dot - one) : 0;
    for (int i = 0; i < count && length > 0; i++) {
        const char *text = w->chosen.items[first + i];
        bool        same = strncmp(text, one, length + 1) == 0 && zn_result_unit(w->sources[0].result, text) != NULL;
        length = same ? length : 0;
    }
    return (int)length;
}

// Expressions of a panel joined, with a common unit at the end, "q, tau [m]"; of components the name of their vector;
// only the unit when that would be long.
static void label_panel(const plot_work *w, int first, int count, char label[LABEL])
{
    const text_list *y = &w->chosen;
    const zn_result *r = w->sources[0].result;
    const char      *unit = zn_result_unit(r, y->items[first]);
    size_t           used = 0;
    for (int i = 1; i < count && unit != NULL; i++) {
        const char *other = zn_result_unit(r, y->items[first + i]);
        unit = other != NULL && strcmp(unit, other) == 0 ? unit : NULL;
    }
    int vector = unit != NULL ? vector_name(w, first, count) : 0;
    if (vector > 0)
        used = (size_t)snprintf(label, LABEL, "%.*s", vector < 60 ? vector : 60, y->items[first]);
    for (int i = 0; i < count && vector == 0 && used < LABEL - 1; i++) {
        char one[LABEL];
        if (unit == NULL)
            label_expression(r, y->items[first + i], one);
        else
            snprintf(one, sizeof one, "%.190s", y->items[first + i]);
        used += (size_t)snprintf(label + used, LABEL - used, "%s%.60s", i > 0 ? ", " : "", one);
    }
    if (count > 1 && used > LABEL_SHORT)
        label[used = 0] = '\0'; // the legend has it all
    if (unit != NULL && unit[0] != '\0' && used < LABEL - 1)
        snprintf(label + used, LABEL - used, "%s[%s]", used > 0 ? " " : "", unit);
}

static bool add_curve(plot_work *w, int source_index, const char *expression, bool alone, int colour)
{
    const source *s = &w->sources[source_index];
    char         *label = w->labels[w->curve_count];
    double       *y = calloc((size_t)s->rows + 1, sizeof *y);
    size_t        own;
    const char   *formula = skip_label(expression, &own);
    w->data[w->curve_count] = y;
    zn_curve *c = &w->curves[w->curve_count++];
    if (y == NULL || !evaluate(s, formula, y))
        return false;
    if (w->source_count == 1)
        label_expression(s->result, expression, label);
    else if (alone)
        snprintf(label, LABEL, "%s", s->name);
    else
        snprintf(label, LABEL, "%.*s, %.120s", own > 0 && own < 60 ? (int)own : 60, expression, s->name);
    *c = (zn_curve){.label = alone && w->source_count == 1 ? NULL : label,
                    .count = s->count,
                    .x = s->x + s->first,
                    .y = y + s->first,
                    .colour = colour,
                    .dash = source_index % 4};
    return true;
}

// "A:B"; "" leaves it to the values.
static bool parse_range(const char *name, const char *text, bool log, double *min, double *max)
{
    if (text[0] == '\0')
        return true;
    if (!parse_window(name, text, min, max))
        return false;
    if (log && !(*min > 0))
        print_error("option '--%s': '%s' is no range of an axis in decades", name, text);
    return !log || *min > 0;
}

// Expressions [first, first + count) into the next panel.
static bool add_panel(plot_work *w, int first, int count)
{
    const plot_options *o = &w->options;
    int                 index = w->panel_count, start = w->curve_count, colour = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < w->source_count; j++)
            if (!add_curve(w, j, w->chosen.items[first + i], count == 1, colour++))
                return false;
    if (index < o->ylabels.count)
        snprintf(w->ylabels[index], LABEL, "%s", o->ylabels.items[index]);
    else
        label_panel(w, first, count, w->ylabels[index]);
    double min = 0, max = 0;
    if (index < o->yranges.count && !parse_range("yrange", o->yranges.items[index], o->log_y, &min, &max))
        return false;
    w->panels[w->panel_count++] = (zn_panel){.label = w->ylabels[index],
                                             .min = min,
                                             .max = max,
                                             .log = o->log_y,
                                             .curve_count = w->curve_count - start,
                                             .curves = w->curves + start};
    return true;
}

static bool add_panels(plot_work *w)
{
    const text_list *y = &w->chosen;
    size_t           most = (size_t)y->count, curves = most * (size_t)w->source_count;
    w->panels = calloc(most, sizeof *w->panels);
    w->ylabels = calloc(most, sizeof *w->ylabels);
    w->curves = calloc(curves, sizeof *w->curves);
    w->data = calloc(curves, sizeof *w->data);
    w->labels = calloc(curves, sizeof *w->labels);
    if (w->panels == NULL || w->ylabels == NULL || w->curves == NULL || w->data == NULL || w->labels == NULL) {
        print_error("out of memory");
        return false;
    }
    for (int first = 0, end; first < y->count; first = end + 1) {
        for (end = first; end < y->count && !is_mark(y->items[end]);)
            end++;
        if (end > first && !add_panel(w, first, end - first))
            return false;
    }
    if (w->panel_count == 0)
        print_error("a panel needs a -y (zeno help plot)");
    return w->panel_count > 0;
}

// --- the verb ------------------------------------------------------------------------------------

static bool parse_size(const char *text, int *width, int *height)
{
    char extra;
    if (sscanf(text, "%dx%d%c", width, height, &extra) == 2 && *width > 0 && *height > 0)
        return true;
    print_error("option '--size': '%s' is not of the form WIDTHxHEIGHT, pixels", text);
    return false;
}

// The figure stands beside the first result unless it has a name.
static bool choose_output(plot_work *w)
{
    const char *path = w->options.rest.items[0];
    size_t      length = stem_length(path);
    w->output = w->options.output != NULL ? strdup(w->options.output) : malloc(length + sizeof ".svg");
    if (w->output == NULL) {
        print_error("out of memory");
        return false;
    }
    if (w->options.output == NULL) {
        memcpy(w->output, path, length);
        strcpy(w->output + length, ".svg");
    }
    return true;
}

// One result, one field.
static int draw_surface(plot_work *w)
{
    const plot_options *o = &w->options;
    bool                panels = false;
    for (int i = 0; i < o->y.count; i++)
        panels = panels || is_mark(o->y.items[i]);
    if (w->source_count != 1 || panels || o->x != NULL || o->log_x || o->log_y || o->y.count == 0) {
        print_error("a surface is made of one result and at least one -y, over time; without panels and decades");
        return EXIT_INPUT;
    }
    surface_request request = {.result = w->sources[0].result,
                               .y = &o->y,
                               .first = w->sources[0].first,
                               .rows = w->sources[0].count,
                               .places = o->places,
                               .title = o->title != NULL ? o->title : zn_result_text(w->sources[0].result, "title"),
                               .time_label = o->xlabel,
                               .label = o->ylabels.count > 0 ? o->ylabels.items[0] : NULL,
                               .place_label = o->ylabels.count > 1 ? o->ylabels.items[1] : NULL,
                               .width = w->width,
                               .height = w->height,
                               .output = w->output};
    if (!plot_surface(&request))
        return EXIT_INPUT;
    printf("figure in %s\n", tamed(w->output));
    return finish_output(stdout) ? EXIT_FINE : EXIT_INPUT;
}

static int draw(plot_work *w)
{
    const plot_options *o = &w->options;
    double              min = 0, max = 0;
    w->from = -INFINITY;
    w->to = INFINITY;
    if ((o->xrange != NULL && !parse_range("xrange", o->xrange, o->log_x, &min, &max)) ||
        (o->window != NULL && !parse_window("window", o->window, &w->from, &w->to)) ||
        (o->size != NULL && !parse_size(o->size, &w->width, &w->height)) || !choose_output(w) || !open_sources(w))
        return EXIT_INPUT;
    if (o->surface || o->places != NULL)
        return draw_surface(w);
    if (!(o->y.count > 0 ? choose_expressions(w) : choose_series(w)) || !add_panels(w))
        return EXIT_INPUT;
    if (o->xlabel != NULL)
        snprintf(w->xlabel, LABEL, "%s", o->xlabel);
    else
        label_expression(w->sources[0].result, o->x != NULL ? o->x : "t", w->xlabel);
    zn_figure figure = {.title = o->title != NULL ? o->title : zn_result_text(w->sources[0].result, "title"),
                        .label = w->xlabel,
                        .log = o->log_x,
                        .width = w->width,
                        .height = w->height,
                        .panel_count = w->panel_count,
                        .panels = w->panels,
                        .min = min,
                        .max = max};
    zn_status status = zn_figure_write(&figure, w->output, terminal_log());
    if (status != ZN_OK)
        return EXIT_INPUT;
    printf("figure in %s\n", tamed(w->output));
    return finish_output(stdout) ? EXIT_FINE : EXIT_INPUT;
}

static int plot(int argc, char **argv)
{
    plot_work     w = {0};
    plot_options *o = &w.options;
    const option  table[] = {
         {"x", 'x', OPTION_TEXT, &o->x},          {"y", 'y', OPTION_LIST, &o->y},
         {"panel", 0, OPTION_MARK, &o->y},        {"output", 'o', OPTION_TEXT, &o->output},
         {"title", 0, OPTION_TEXT, &o->title},    {"xlabel", 0, OPTION_TEXT, &o->xlabel},
         {"ylabel", 0, OPTION_LIST, &o->ylabels}, {"window", 0, OPTION_TEXT, &o->window},
         {"logx", 0, OPTION_FLAG, &o->log_x},     {"logy", 0, OPTION_FLAG, &o->log_y},
         {"size", 0, OPTION_TEXT, &o->size},      {"xrange", 0, OPTION_TEXT, &o->xrange},
         {"yrange", 0, OPTION_LIST, &o->yranges}, {"surface", 0, OPTION_FLAG, &o->surface},
         {"places", 0, OPTION_TEXT, &o->places},
    };
    int status = EXIT_INPUT;
    if (!options_parse("plot", sizeof table / sizeof *table, table, argc, argv, &o->rest))
        status = EXIT_INPUT;
    else if (o->rest.count == 0)
        print_error("which result? (zeno help plot)");
    else
        status = draw(&w);
    plot_free(&w);
    return status;
}

const command plot_command = {
    .name = "plot",
    .summary = "draw recorded quantities as a figure",
    .help =
        "usage: zeno plot RESULT... [-x EXPR] [-y EXPR]... [--panel -y EXPR...]... [-o FILE]\n"
        "\n"
        "Draws quantities of one or several results as SVG or PNG. EXPR is a record, NAME (a vector\n"
        "with all its components) or NAME.component, or an expression of records and the time t: '1e3*gap', 'abs(v)',\n"
        "'ledger.kinetic + ledger.strain'. Several results are drawn over each other; the legend\n"
        "names the files. Long series are thinned to what can be seen.\n"
        "\n"
        "  -x, --x EXPR       horizontal axis (default: t)\n"
        "  -y, --y EXPR       a curve; may be given several times (default: the first scalars).\n"
        "                     'LABEL = EXPR' names it in the legend\n"
        "  --panel            what follows goes into a new panel below, with the same x axis\n"
        "  -o, --output FILE  .svg or .png (default: beside the first result, .svg)\n"
        "  --title TEXT       (default: the title of the model)\n"
        "  --xlabel TEXT      label of the horizontal axis\n"
        "  --ylabel TEXT      label of a vertical axis: the first of the first panel, and so on\n"
        "  --window T1:T2     only rows of this time [s]\n"
        "  --xrange A:B       what the horizontal axis shows; --window leaves rows out\n"
        "  --yrange A:B       the same of a vertical axis: the first of the first panel, and so on; ''\n"
        "                     leaves one to its values\n"
        "  --surface          all -y as one field over place and time, drawn as a surface; a record with\n"
        "                     several columns, such as those of all nodes of a bar, gives them all.\n"
        "                     --ylabel: of the values, then of the place\n"
        "  --places A:B       place of the first and of the last of them (default: counted from 0)\n"
        "  --logx, --logy     axes in decades\n"
        "  --size WxH         pixels\n"
        "\n"
        "examples:\n"
        "  zeno plot ball.zeno.h5\n"
        "  zeno plot ball.zeno.h5 -y q --panel -y v -o ball.svg\n"
        "  zeno plot block.zeno.h5 -x angle -y spin -o portrait.png --size 600x600\n"
        "  zeno plot a.zeno.h5 b.zeno.h5 -y '1e3*gap_A' --ylabel 'gap [mm]' --window 0.5:1\n"
        "  zeno plot chain.zeno.h5 --surface $(seq -f '-y v%g' 0 20) --places 0:1 -o wave.png\n",
    .run = plot,
    .guarded = true,
};
