// zeno sweep: runs a model for many values of a parameter and tabulates measures.
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "measure.h"
#include "scheme_option.h"
#include "study.h"
#include "terminal.h"
#include "zn/view.h"

enum { VALUES_DEFAULT = 8, VALUES_MOST = 10000, NAME = 64, SCHEME = 512, LABEL = 160, MEASURE_MESSAGE = 1024 };

typedef enum vary_kind { VARY_PARAMETER, VARY_STEP, VARY_UNTIL, VARY_SCHEME } vary_kind;

// A name with the values it takes.
typedef struct vary {
    char      name[NAME];
    vary_kind kind;
    bool      log;
    int       count;
    double   *values;
} vary;

typedef struct sweep_options {
    const char *measures, *schemes, *csv, *plot, *title;
    bool        log_y;
    double      step, until;
    text_list   vary, set, ylabels, rest;
} sweep_options;

// What one run gave.
typedef struct sweep_row {
    bool failed;
    char message[STUDY_MESSAGE]; // of the run, or of the first measure it does not have
} sweep_row;

typedef struct sweep_work {
    sweep_options options;
    const char   *model;
    char         *title, *scheme; // of the model
    vary          first, second;  // second: one value without a name unless given
    text_list     measures, schemes, record;
    char         *texts[2]; // cut into lists
    sweep_row    *rows;
    double       *values; // [row][measure], NaN: none
} sweep_work;

static int row_count(const sweep_work *w) { return w->schemes.count * w->second.count * w->first.count; }

static void sweep_free(sweep_work *w)
{
    text_list_free(&w->options.vary);
    text_list_free(&w->options.set);
    text_list_free(&w->options.ylabels);
    text_list_free(&w->options.rest);
    text_list_free(&w->measures);
    text_list_free(&w->schemes);
    text_list_free(&w->record);
    free(w->first.values);
    free(w->second.values);
    free(w->title);
    free(w->scheme);
    free(w->texts[0]);
    free(w->texts[1]);
    free(w->rows);
    free(w->values);
}

// --- what is asked for ---------------------------------------------------------------------------

static bool refuse_vary(const char *text)
{
    print_error("option '--vary': '%s' is not of the form NAME=A:B, NAME=A:B:K, NAME=A:B:K:log or NAME=A,B,...", text);
    return false;
}

// "A,B,C"
static bool parse_values(char *list, const char *text, vary *out)
{
    text_list words = {0};
    bool      good = split_list(list, &words);
    out->values = good ? calloc((size_t)words.count, sizeof *out->values) : NULL;
    for (out->count = 0; out->values != NULL && out->count < words.count && good; out->count++)
        good = parse_number(words.items[out->count], &out->values[out->count]) || refuse_vary(text);
    text_list_free(&words);
    return good && out->values != NULL;
}

// 0.1, not 0.099999999999999992.
static double plain(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.14g", value);
    return strtod(text, NULL);
}

// "A:B[:K][:log]"
static bool parse_span(char *list, const char *text, vary *out)
{
    char       *rest;
    const char *word[5];
    int         words = 0;
    double      a, b, count = VALUES_DEFAULT;
    for (char *w = strtok_r(list, ":", &rest); w != NULL && words < 5; w = strtok_r(NULL, ":", &rest))
        word[words++] = w;
    if (words > 2 && strcmp(word[words - 1], "log") == 0) {
        out->log = true;
        words--;
    }
    if (words < 2 || words > 3 || !parse_number(word[0], &a) || !parse_number(word[1], &b) ||
        (words == 3 && !parse_number(word[2], &count)))
        return refuse_vary(text);
    if (count < 1 || count > VALUES_MOST || count != (int)count || (out->log && !(a > 0 && b > 0))) {
        print_error("option '--vary': '%s': 1 to %d values%s", text, (int)VALUES_MOST,
                    out->log ? ", all positive with 'log'" : "");
        return false;
    }
    out->count = (int)count;
    out->values = calloc((size_t)out->count, sizeof *out->values);
    for (int i = 0; out->values != NULL && i < out->count; i++) {
        double s = out->count > 1 ? (double)i / (out->count - 1) : 0;
        out->values[i] = i == 0 ? a : i == out->count - 1 ? b : plain(out->log ? a * pow(b / a, s) : a + s * (b - a));
    }
    return out->values != NULL;
}

static bool parse_vary(const char *text, vary *out)
{
    const char *equals = strchr(text, '=');
    size_t      length = equals != NULL ? (size_t)(equals - text) : 0;
    if (length == 0 || length >= sizeof out->name || equals[1] == '\0')
        return refuse_vary(text);
    memcpy(out->name, text, length);
    char *list = strdup(equals + 1);
    bool  good =
        list != NULL && (strchr(list, ':') != NULL ? parse_span(list, text, out) : parse_values(list, text, out));
    free(list);
    return good;
}

static bool parse_lists(sweep_work *w)
{
    const sweep_options *o = &w->options;
    w->model = o->rest.items[0];
    w->texts[0] = strdup(o->measures);
    w->texts[1] = strdup(o->schemes != NULL ? o->schemes : "");
    if (w->texts[0] == NULL || w->texts[1] == NULL || !parse_vary(o->vary.items[0], &w->first))
        return false;
    if (o->vary.count > 1) {
        if (!parse_vary(o->vary.items[1], &w->second))
            return false;
    } else {
        w->second.count = 1;
        w->second.values = calloc(1, sizeof *w->second.values);
        if (w->second.values == NULL)
            return false;
    }
    if (!text_list_push(&w->record, o->measures) || !split_list(w->texts[0], &w->measures))
        return false;
    return o->schemes != NULL ? split_schemes(w->texts[1], &w->schemes) : text_list_push(&w->schemes, "");
}

// --- runs ----------------------------------------------------------------------------------------

// Texts a case borrows.
typedef struct case_text {
    char      scheme[SCHEME];
    char      set[2][NAME + 40];
    text_list overrides;
} case_text;

static void apply(const vary *v, double value, study_case *c, case_text *t, int place)
{
    size_t used = strlen(t->scheme);
    if (v->name[0] == '\0')
        return;
    switch (v->kind) {
    case VARY_STEP:
        c->step = value;
        break;
    case VARY_UNTIL:
        c->until = value;
        break;
    case VARY_SCHEME:
        snprintf(t->scheme + used, SCHEME - used, "%s%s=%.17g", strchr(t->scheme, ':') != NULL ? "," : ":", v->name,
                 value);
        break;
    case VARY_PARAMETER:
        snprintf(t->set[place], sizeof t->set[place], "%s=%.17g", v->name, value);
        text_list_push(&t->overrides, t->set[place]);
        break;
    }
}

// The case of one row; what is varied comes last and so wins over --set.
static study_case case_of(const sweep_work *w, int scheme, int second, int first, case_text *t)
{
    const sweep_options *o = &w->options;
    study_case c = {.model = w->model, .step = o->step, .until = o->until, .set = &t->overrides, .record = &w->record};
    *t = (case_text){0};
    snprintf(t->scheme, sizeof t->scheme, "%s", w->schemes.items[scheme]);
    for (int i = 0; i < o->set.count; i++)
        text_list_push(&t->overrides, o->set.items[i]);
    apply(&w->second, w->second.values[second], &c, t, 0);
    apply(&w->first, w->first.values[first], &c, t, 1);
    c.scheme = t->scheme[0] != '\0' ? t->scheme : NULL;
    return c;
}

static bool is_parameter(const zn_problem *p, const char *name)
{
    for (int i = 0; i < p->parameter_count; i++)
        if (strcmp(p->parameters[i].name, name) == 0)
            return true;
    return false;
}

static bool choose_kind(const zn_problem *p, vary *v)
{
    if (is_parameter(p, v->name) || strchr(v->name, '.') != NULL)
        v->kind = VARY_PARAMETER;
    else if (strcmp(v->name, "step") == 0)
        v->kind = VARY_STEP;
    else if (strcmp(v->name, "until") == 0)
        v->kind = VARY_UNTIL;
    else if (scheme_option_is_known(v->name))
        v->kind = VARY_SCHEME;
    else if (v->name[0] != '\0') {
        print_error(
            "option '--vary': '%s' is neither a parameter of the model nor step, until, a scheme option or a path",
            v->name);
        return false;
    }
    return true;
}

// Measures, with the names of the first scheme that takes the model; as words only (run NULL) when none does.
static bool check_measures(const sweep_work *w, study_run *run)
{
    char message[MEASURE_MESSAGE];
    bool good = true;
    if (run != NULL) {
        const zn_sim *sim = run->simulation.sim;
        good = run->simulation.def.recorder.begin(&run->record, zn_sim_series_count(sim), zn_sim_series(sim),
                                                  zn_sim_columns(sim)) == ZN_OK;
    }
    for (int i = 0; i < w->measures.count && good; i++) {
        good = measure_check(w->measures.items[i], run != NULL ? &run->simulation : NULL,
                             run != NULL ? &run->record : NULL, message, sizeof message);
        if (!good)
            print_error("option '--measure': '%s': %s", w->measures.items[i], message);
    }
    return good;
}

// The model as it is tells what the names are; then every scheme must be understood.
static int prepare(sweep_work *w)
{
    if (!can_write(w->options.csv, w->model) || !can_draw(w->options.plot, w->model) || !check_measures(w, NULL))
        return EXIT_INPUT;
    zn_problem *problem = NULL;
    zn_status   status = zn_problem_read(w->model, 0, NULL, terminal_log(), &problem);
    bool        good = status == ZN_OK && choose_kind(problem, &w->first) && choose_kind(problem, &w->second);
    if (good && problem->title != NULL && problem->title[0] != '\0')
        w->title = strdup(problem->title);
    if (good && w->schemes.items[0][0] == '\0') { // with its name the scheme keeps its options
        w->scheme = strdup(problem->sim.scheme.scheme);
        w->schemes.items[0] = w->scheme != NULL ? w->scheme : "";
    }
    zn_problem_destroy(problem);
    bool checked = false;
    for (int i = 0; i < w->schemes.count && good; i++) {
        case_text  t;
        study_run  run;
        study_case c = case_of(w, i, 0, 0, &t);
        status = study_prepare(&c, terminal_log(), false, &run);
        good = status == ZN_OK;
        run.simulation.def.log = (zn_log){0};
        if (good && !checked && simulation_create(&run.simulation) == ZN_OK) {
            checked = true;
            good = check_measures(w, &run);
        }
        study_run_free(&run);
        text_list_free(&t.overrides);
    }
    return good ? EXIT_FINE : status == ZN_OK ? EXIT_INPUT : exit_of(status);
}

static void run_row(sweep_work *w, int scheme, int second, int first, int row)
{
    case_text  t;
    study_run  run;
    study_case c = case_of(w, scheme, second, first, &t);
    sweep_row *out = &w->rows[row];
    study_execute(&c, &run);
    out->failed = run.status != ZN_OK;
    if (out->failed)
        memcpy(out->message, run.message, sizeof out->message);
    for (int i = 0; i < w->measures.count; i++) {
        char    message[STUDY_MESSAGE];
        double *value = &w->values[row * w->measures.count + i];
        *value = NAN;
        if (out->failed || measure(w->measures.items[i], &run.record, value, message, sizeof message))
            continue;
        *value = NAN;
        if (out->message[0] == '\0')
            snprintf(out->message, sizeof out->message, "%.60s: %.160s", w->measures.items[i], message);
    }
    study_run_free(&run);
    text_list_free(&t.overrides);
}

// --- table and CSV -------------------------------------------------------------------------------

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

static void print_header(const sweep_work *w)
{
    fputs(style_on(stdout, STYLE_DIM), stdout);
    if (scheme_width(w) > 0)
        printf("%-*s  ", scheme_width(w) > 6 ? scheme_width(w) : 6, "scheme");
    if (w->second.name[0] != '\0')
        printf("%*s  ", width_of(w->second.name), w->second.name);
    printf("%*s", width_of(w->first.name), w->first.name);
    for (int i = 0; i < w->measures.count; i++)
        printf("  %*s", width_of(w->measures.items[i]), w->measures.items[i]);
    printf("%s\n", style_off(stdout));
}

static void print_row(const sweep_work *w, int scheme, int second, int first, int row)
{
    const sweep_row *r = &w->rows[row];
    if (scheme_width(w) > 0)
        printf("%-*s  ", scheme_width(w) > 6 ? scheme_width(w) : 6, w->schemes.items[scheme]);
    if (w->second.name[0] != '\0')
        printf("%*.6g  ", width_of(w->second.name), w->second.values[second]);
    printf("%*.6g", width_of(w->first.name), w->first.values[first]);
    for (int i = 0; i < w->measures.count && !r->failed; i++) {
        double value = w->values[row * w->measures.count + i];
        if (isnan(value))
            printf("  %*s", width_of(w->measures.items[i]), "-");
        else
            printf("  %*.6g", width_of(w->measures.items[i]), value);
    }
    if (r->failed)
        printf("  %sfailed:%s %s", style_on(stdout, STYLE_BAD), style_off(stdout), r->message);
    else if (r->message[0] != '\0')
        printf("  (%s)", r->message);
    putchar('\n');
    fflush(stdout);
}

static bool write_csv(const sweep_work *w, const char *path)
{
    zn_new_file *file = open_file(path);
    int          row = 0;
    if (file == NULL)
        return false;
    FILE *out = zn_new_file_stream(file);
    fprintf(out, "scheme,%s%s%s", w->second.name, w->second.name[0] != '\0' ? "," : "", w->first.name);
    for (int i = 0; i < w->measures.count; i++) {
        fputc(',', out);
        put_csv(out, w->measures.items[i]);
    }
    fputs(",failed\n", out);
    for (int k = 0; k < w->schemes.count; k++)
        for (int j = 0; j < w->second.count; j++)
            for (int i = 0; i < w->first.count; i++, row++) {
                put_csv(out, w->schemes.items[k]);
                if (w->second.name[0] != '\0')
                    fprintf(out, ",%.17g", w->second.values[j]);
                fprintf(out, ",%.17g", w->first.values[i]);
                for (int m = 0; m < w->measures.count; m++) {
                    double value = w->values[row * w->measures.count + m];
                    fprintf(out, isnan(value) ? "," : ",%.17g", value);
                }
                fputc(',', out);
                put_csv(out, w->rows[row].message);
                fputc('\n', out);
            }
    return close_file(file);
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
            double *y = d->y + ((size_t)panel * (size_t)d->curves + (size_t)index) * (size_t)w->first.count;
            for (int i = 0; i < w->first.count; i++, row++)
                y[i] = w->values[row * w->measures.count + panel];
            label_curve(w, k, j, d->labels[index]);
            curves[index] = (zn_curve){.label = d->labels[index][0] != '\0' ? d->labels[index] : NULL,
                                       .count = w->first.count,
                                       .x = w->first.values,
                                       .y = y,
                                       .colour = index,
                                       .dash = index / 7 % 4,
                                       .markers = w->first.count <= 100};
        }
    d->panels[panel] = (zn_panel){.label = panel < w->options.ylabels.count ? w->options.ylabels.items[panel]
                                                                            : w->measures.items[panel],
                                  .log = w->options.log_y,
                                  .curve_count = d->curves,
                                  .curves = curves};
}

static bool plot(const sweep_work *w, const char *path)
{
    drawing d = {.curves = w->schemes.count * w->second.count};
    size_t  panels = (size_t)w->measures.count, all = panels * (size_t)d.curves;
    d.panels = calloc(panels, sizeof *d.panels);
    d.curve = calloc(all, sizeof *d.curve);
    d.y = calloc(all * (size_t)w->first.count, sizeof *d.y);
    d.labels = calloc((size_t)d.curves, sizeof *d.labels);
    bool good = d.panels != NULL && d.curve != NULL && d.y != NULL && d.labels != NULL;
    if (!good)
        print_error("out of memory");
    for (int i = 0; i < w->measures.count && good; i++)
        draw_panel(w, &d, i);
    bool        time = strcmp(w->first.name, "step") == 0 || strcmp(w->first.name, "until") == 0;
    char        label[LABEL];
    const char *title = w->title != NULL ? w->title : w->model;
    snprintf(label, sizeof label, "%.100s%s", w->first.name, time ? " [s]" : "");
    zn_figure figure = {.title = w->options.title != NULL ? w->options.title : title,
                        .label = label,
                        .log = w->first.log,
                        .panel_count = w->measures.count,
                        .panels = d.panels};
    good = good && zn_figure_write(&figure, path, terminal_log()) == ZN_OK;
    free(d.panels);
    free(d.curve);
    free(d.y);
    free(d.labels);
    return good;
}

// --- the verb ------------------------------------------------------------------------------------

static bool any_success(const sweep_work *w)
{
    for (int i = 0; i < row_count(w); i++)
        if (!w->rows[i].failed)
            return true;
    return false;
}

static int study(sweep_work *w)
{
    const sweep_options *o = &w->options;
    int                  row = 0;
    if (!parse_lists(w))
        return EXIT_INPUT;
    int status = prepare(w);
    if (status != EXIT_FINE)
        return status;
    w->rows = calloc((size_t)row_count(w), sizeof *w->rows);
    w->values = calloc((size_t)row_count(w) * (size_t)w->measures.count, sizeof *w->values);
    if (w->rows == NULL || w->values == NULL) {
        print_error("out of memory");
        return EXIT_INPUT;
    }
    bool table = !is_standard_output(o->csv);
    if (table)
        print_header(w);
    for (int k = 0; k < w->schemes.count; k++)
        for (int j = 0; j < w->second.count; j++)
            for (int i = 0; i < w->first.count; i++, row++) {
                run_row(w, k, j, i, row);
                if (table)
                    print_row(w, k, j, i, row);
            }
    if ((o->csv != NULL && !write_csv(w, o->csv)) || (o->plot != NULL && !plot(w, o->plot)))
        return EXIT_INPUT;
    if (!finish_output(stdout))
        return EXIT_INPUT;
    return any_success(w) ? EXIT_FINE : failed_as_printed();
}

static int sweep(int argc, char **argv)
{
    sweep_work     w = {.options = {.step = NAN, .until = NAN}};
    sweep_options *o = &w.options;
    const option   table[] = {
          {"vary", 0, OPTION_LIST, &o->vary},       {"measure", 0, OPTION_TEXT, &o->measures},
          {"schemes", 0, OPTION_TEXT, &o->schemes}, {"set", 0, OPTION_LIST, &o->set},
          {"step", 0, OPTION_NUMBER, &o->step},     {"until", 0, OPTION_NUMBER, &o->until},
          {"csv", 0, OPTION_TEXT, &o->csv},         {"plot", 0, OPTION_TEXT, &o->plot},
          {"logy", 0, OPTION_FLAG, &o->log_y},      {"title", 0, OPTION_TEXT, &o->title},
          {"ylabel", 0, OPTION_LIST, &o->ylabels},
    };
    int status = EXIT_INPUT;
    if (!options_parse("sweep", sizeof table / sizeof *table, table, argc, argv, &o->rest))
        status = EXIT_INPUT;
    else if (o->rest.count != 1)
        print_error(o->rest.count == 0 ? "which model? (zeno help sweep)" : "one model at a time (zeno help sweep)");
    else if (o->vary.count < 1 || o->vary.count > 2)
        print_error(o->vary.count < 1 ? "vary what? (--vary NAME=A:B)" : "two names can be varied at most");
    else if (o->measures == NULL)
        print_error("measure what? (--measure 'final(NAME)')");
    else
        status = study(&w);
    sweep_free(&w);
    return status;
}

const command sweep_command = {
    .name = "sweep",
    .summary = "run a model for many values and tabulate measures",
    .help = "usage: zeno sweep MODEL --vary NAME=A:B[:K][:log] --measure M[,M...] [options]\n"
            "\n"
            "Runs the model for K values (default 8) of NAME between A and B and prints a table of\n"
            "measures. With a second --vary, for all pairs. A run that fails is a row that says why.\n"
            "\n"
            "  --vary NAME=A:B[:K][:log]\n"
            "                     evenly spaced values, with 'log' in equal ratios; or a list NAME=A,B,C.\n"
            "                     NAME is a parameter of the model, 'step', 'until', an option of the\n"
            "                     scheme such as theta, or the path of a value in the model file such as\n"
            "                     joints.pin.play.radius\n"
            "  --measure M,...    final(NAME), min(NAME), max(NAME), at(NAME,t), mean(NAME,t1,t2),\n"
            "                     highest(NAME,T), the largest mean over T, of a record NAME or\n"
            "                     NAME.component; events(C), impacts(C), begin(C,k), duration(C,k),\n"
            "                     span(C), impulse(C), peak(C) of a contact C;\n"
            "                     average(S), largest(S) of the iterations per step of newton,\n"
            "                     projection, activation, solver;\n"
            "                     ledger(LINE) and penetration, velocity, joint, complementarity, newton,\n"
            "                     closure, energy_created, halved_steps ... of the certificate, by the\n"
            "                     names of limits; energy_drift\n"
            "  --schemes S,...    schemes as 'zeno run --scheme' takes them (default: the model's)\n"
            "  --set NAME=VALUE   parameter of the model; VALUE may use h, the step, when the step is\n"
            "                     varied or given\n"
            "  --step H           time step [s]\n"
            "  --until T          end of the runs [s]\n"
            "  --csv FILE         the table as CSV ('-': standard output)\n"
            "  --plot FILE        measures over the first name as a figure, .svg or .png; one curve per\n"
            "                     second value and scheme\n"
            "  --logy             its vertical axes in decades\n"
            "  --title TEXT       of the figure (default: the title of the model)\n"
            "  --ylabel TEXT      label of a vertical axis, the first of the first measure, and so on\n"
            "\n"
            "Exit status: 0 if any run went well, 2 bad input, 3 all runs failed.\n"
            "\n"
            "examples:\n"
            "  zeno sweep ball.yaml --vary e=0:0.9:10 --measure 'impacts(floor),final(q)'\n"
            "  zeno sweep ball.yaml --vary step=0.1:1e-3:7:log --measure penetration \\\n"
            "      --schemes moreau_jean,combined_projection --plot depth.svg\n"
            "  zeno sweep block.yaml --vary e=0:0.8:5 --vary L=1,1.5,2 --measure 'span(A)' --csv -\n",
    .run = sweep,
};
