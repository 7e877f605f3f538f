// zeno converge: runs a model with smaller and smaller steps and measures the order of its errors.
#include "converge.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "measure.h"
#include "suggest.h"
#include "terminal.h"

const char *const norm_names[NORMS] = {"uniform", "l1", "l2", "rel_l1", "hausdorff"};
const char *const stage_names[STAGES] = {"Newton", "projection", "activation", "solver"};

enum { STEPS_DEFAULT = 8, STEPS_MOST = 1000, FINER = 8, BETWEEN = 8 };

typedef struct converge_options {
    const char *steps, *of, *schemes, *norms, *window, *reference, *plot, *csv;
    bool        exact_steps, json;
    double      until;
    text_list   set, rest;
} converge_options;

// A study under way.
typedef struct work {
    converge_options options;
    converge_study   study;
    double          *steps;
    char            *texts[4];         // cut into lists
    char            *model_scheme;     // its name
    char            *reference_scheme; // of --reference SCHEME, else NULL
    double           reference_step;   // NaN: finer than all others
    enum { AUTOMATIC, CLOSED, FINEST, SCHEME } wanted;
    bool     *closed; // quantities measured against their closed form
    study_run reference;
} work;

static void work_free(work *w)
{
    study_run_free(&w->reference);
    text_list_free(&w->options.set);
    text_list_free(&w->options.rest);
    text_list_free(&w->study.quantities);
    text_list_free(&w->study.schemes);
    for (int i = 0; i < 4; i++)
        free(w->texts[i]);
    free(w->model_scheme);
    free(w->reference_scheme);
    free(w->steps);
    free(w->closed);
    free((void *)w->study.reference);
    free(w->study.title);
    free(w->study.rows);
    free(w->study.errors);
}

// --- what is asked for ---------------------------------------------------------------------------

// "A:B[:K]"
static bool parse_steps(work *w)
{
    char       *text = w->texts[0], *rest;
    const char *first = strtok_r(text, ":", &rest), *second = strtok_r(NULL, ":", &rest);
    const char *third = strtok_r(NULL, ":", &rest), *more = strtok_r(NULL, ":", &rest);
    double      a, b, count = STEPS_DEFAULT;
    if (second == NULL || more != NULL || !parse_number(first, &a) || !parse_number(second, &b) ||
        (third != NULL && !parse_number(third, &count))) {
        print_error("option '--steps': '%s' is not of the form A:B or A:B:K", w->options.steps);
        return false;
    }
    if (!(a > 0 && b > 0) || count < 1 || count > STEPS_MOST || count != (int)count) {
        print_error("option '--steps': '%s': steps are positive, their number is 1 to %d", w->options.steps,
                    (int)STEPS_MOST);
        return false;
    }
    w->study.step_count = (int)count;
    w->steps = calloc((size_t)count, sizeof *w->steps);
    if (w->steps != NULL)
        zn_study_steps((int)count, fmax(a, b), fmin(a, b), w->options.exact_steps, w->steps);
    return w->steps != NULL;
}

static bool parse_norms(work *w)
{
    text_list words = {0};
    bool      good = split_list(w->texts[3], &words);
    for (int i = 0; i < words.count && good; i++) {
        int place = 0;
        while (place < NORMS && strcmp(norm_names[place], words.items[i]) != 0)
            place++;
        good = place < NORMS && w->study.norm_count < NORMS;
        if (!good) {
            const char *near = suggest(words.items[i], NORMS, norm_names);
            print_error("option '--norms': '%s' is none of uniform, l1, l2, rel_l1, hausdorff%s%s%s", words.items[i],
                        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        } else
            w->study.norms[w->study.norm_count++] = place;
    }
    text_list_free(&words);
    return good;
}

// closed, finest, or SCHEME with an optional step behind the last colon
static bool parse_reference(work *w)
{
    const char *text = w->options.reference;
    w->reference_step = NAN;
    if (text == NULL || strcmp(text, "closed") == 0 || strcmp(text, "finest") == 0) {
        w->wanted = text == NULL ? AUTOMATIC : text[0] == 'c' ? CLOSED : FINEST;
        return true;
    }
    w->wanted = SCHEME;
    w->reference_scheme = strdup(text);
    if (w->reference_scheme == NULL)
        return false;
    char  *colon = strrchr(w->reference_scheme, ':');
    double step;
    if (colon != NULL && parse_number(colon + 1, &step)) {
        *colon = '\0';
        w->reference_step = step;
        if (!(step > 0)) {
            print_error("option '--reference': the step %g s is not positive", step);
            return false;
        }
    }
    return true;
}

static bool copy_texts(work *w)
{
    const converge_options *o = &w->options;
    const char *const       given[4] = {o->steps, o->of, o->schemes, o->norms};
    for (int i = 0; i < 4; i++)
        if ((w->texts[i] = strdup(given[i] != NULL ? given[i] : "")) == NULL) {
            print_error("out of memory");
            return false;
        }
    return true;
}

static bool parse_lists(work *w)
{
    converge_study         *s = &w->study;
    const converge_options *o = &w->options;
    s->model = o->rest.items[0];
    s->from = -INFINITY;
    s->to = INFINITY;
    s->norms_chosen = o->norms != NULL;
    for (int i = 0; i < NORM_HAUSDORFF && !s->norms_chosen; i++) // which takes longer and has to be asked for
        s->norms[s->norm_count++] = i;
    if (!copy_texts(w) || !parse_steps(w) || !split_list(w->texts[1], &s->quantities) || !parse_reference(w))
        return false;
    if (s->norms_chosen && !parse_norms(w))
        return false;
    if (o->window != NULL && !parse_window("window", o->window, &s->from, &s->to))
        return false;
    return o->schemes != NULL ? split_schemes(w->texts[2], &s->schemes) : text_list_push(&s->schemes, "");
}

static study_case case_of(const work *w, const char *scheme, double step)
{
    return (study_case){.model = w->study.model,
                        .scheme = scheme[0] != '\0' ? scheme : NULL,
                        .step = step,
                        .until = w->options.until,
                        .set = &w->options.set,
                        .record = &w->study.quantities};
}

// --- before the runs -----------------------------------------------------------------------------

static const zn_closed_form *find_closed(const zn_problem *p, const char *quantity)
{
    for (int i = 0; i < p->closed_form_count; i++)
        if (strcmp(p->closed_forms[i].record, quantity) == 0)
            return &p->closed_forms[i];
    return NULL;
}

// Decide against what each quantity is measured.
static bool choose_references(work *w, const zn_problem *p)
{
    converge_study *s = &w->study;
    for (int i = 0; i < s->quantities.count; i++) {
        bool given = find_closed(p, s->quantities.items[i]) != NULL;
        if (w->wanted == CLOSED && !given) {
            print_error("option '--reference': the model gives no closed form of '%s' (section reference)",
                        s->quantities.items[i]);
            return false;
        }
        w->closed[i] = given && (w->wanted == CLOSED || w->wanted == AUTOMATIC);
        s->reference[i] = w->closed[i]          ? "the closed form"
                          : w->wanted == SCHEME ? w->options.reference
                                                : "the finest step";
    }
    return true;
}

// Title, and the scheme by its name when none was given: with that name it keeps its options.
static bool keep_names(work *w, const simulation *sim)
{
    converge_study *s = &w->study;
    s->title = strdup(sim->problem->title != NULL && sim->problem->title[0] != '\0' ? sim->problem->title : s->model);
    w->model_scheme = strdup(sim->problem->sim.scheme.scheme);
    if (s->title == NULL || w->model_scheme == NULL)
        return false;
    if (s->schemes.items[0][0] == '\0')
        s->schemes.items[0] = w->model_scheme;
    return true;
}

// Quantities as the simulation knows them.
static bool check_quantities(const work *w, const simulation *from)
{
    const zn_sim         *sim = from->sim;
    memory_record         record = {0};
    zn_recorder           recorder = memory_recorder(&record);
    const converge_study *s = &w->study;
    char                  message[4 * STUDY_MESSAGE];
    bool good = recorder.begin(&record, zn_sim_series_count(sim), zn_sim_series(sim), zn_sim_columns(sim)) == ZN_OK;
    for (int i = 0; i < s->quantities.count && good; i++) {
        good = measure_check_record(s->quantities.items[i], from, &record, message, sizeof message);
        if (!good)
            print_error("option '--of': %s", message);
    }
    memory_record_free(&record);
    return good;
}

// The model and all schemes must be readable; quantities are checked with the first scheme that takes the model.
static int prepare(work *w)
{
    if (!can_write(w->options.csv, w->study.model) || !can_draw(w->options.plot, w->study.model))
        return EXIT_INPUT;
    converge_study *s = &w->study;
    bool            checked = false;
    int             count = s->schemes.count + (w->reference_scheme != NULL ? 1 : 0);
    for (int i = 0; i < count; i++) {
        const char *scheme = i < s->schemes.count ? s->schemes.items[i] : w->reference_scheme;
        study_case  c = case_of(w, scheme, w->steps[0]);
        study_run   run;
        zn_status   status = study_prepare(&c, terminal_log(), false, &run);
        bool        good = status == ZN_OK;
        if (good && i == 0)
            good = choose_references(w, run.simulation.problem) && keep_names(w, &run.simulation);
        run.simulation.def.log = (zn_log){0};
        if (good && !checked && simulation_create(&run.simulation) == ZN_OK) {
            checked = true;
            good = check_quantities(w, &run.simulation);
        }
        study_run_free(&run);
        if (!good)
            return status == ZN_OK ? EXIT_INPUT : exit_of(status);
    }
    return EXIT_FINE;
}

static bool allocate(work *w)
{
    converge_study *s = &w->study;
    size_t          runs = (size_t)s->schemes.count * (size_t)s->step_count, quantities = (size_t)s->quantities.count;
    w->closed = calloc(quantities, sizeof *w->closed);
    s->reference = calloc(quantities, sizeof *s->reference);
    s->rows = calloc(runs, sizeof *s->rows);
    s->errors = calloc(runs * quantities, sizeof *s->errors);
    if (w->closed != NULL && s->reference != NULL && s->rows != NULL && s->errors != NULL)
        return true;
    print_error("out of memory");
    return false;
}

// --- errors --------------------------------------------------------------------------------------

static void refuse(converge_error *e, const char *message)
{
    e->failed = true;
    snprintf(e->message, sizeof e->message, "%s", message);
}

// Value of the reference at time t; `column` is that of the reference run.
static double reference_at(const work *w, const zn_closed_form *form, int column, double t)
{
    const memory_record *r = &w->reference.record;
    return form != NULL ? zn_signal_at(form->value, t)
                        : zn_interpolate(r->rows, r->t, r->values + column, r->columns, t);
}

static bool wants(const converge_study *s, int norm)
{
    for (int i = 0; i < s->norm_count; i++)
        if (s->norms[i] == norm)
            return true;
    return false;
}

// Distance of the graphs over `rows` rows. The reference is also looked at between them, where it may jump; times are
// measured by the length of the window, values by the range of the reference.
static zn_status measure_graph(const work *w, const zn_closed_form *form, int column, int64_t rows, const double *t,
                               const double *values, double *out)
{
    int64_t count = (rows - 1) * BETWEEN + 1;
    double *grid = calloc(3 * (size_t)count, sizeof *grid), *own = grid + count, *other = own + count;
    double  least = INFINITY, most = -INFINITY;
    if (grid == NULL)
        return ZN_ERR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        int64_t k = i / BETWEEN < rows - 1 ? i / BETWEEN : rows - 2;
        double  s = (double)(i - k * BETWEEN) / BETWEEN;
        grid[i] = s < 1 ? t[k] + s * (t[k + 1] - t[k]) : t[k + 1];
        own[i] = (1 - s) * values[k] + s * values[k + 1];
        other[i] = reference_at(w, form, column, grid[i]);
        least = fmin(least, other[i]);
        most = fmax(most, other[i]);
    }
    double    range = most > least ? most - least : fabs(most);
    zn_status status =
        zn_graph_distance(count, grid, own, other, grid[count - 1] - grid[0], range > 0 ? range : 1, out);
    free(grid);
    return status;
}

// Errors of the rows in the window; both arrays have room for all rows.
static void measure_error(const work *w, const study_run *run, int quantity, double *values, double *reference,
                          converge_error *out)
{
    const converge_study *s = &w->study;
    const memory_record  *r = &run->record;
    const char           *name = s->quantities.items[quantity];
    int                   column = 0, reference_column = 0;
    int64_t               count = 0, first = 0;
    double                graph = NAN;
    zn_norms              n;
    const zn_closed_form *form = w->closed[quantity] ? find_closed(run->simulation.problem, name) : NULL;
    if (form == NULL && w->reference.status != ZN_OK) {
        char message[STUDY_MESSAGE];
        snprintf(message, sizeof message, "no reference: %.200s", w->reference.message);
        refuse(out, message);
        return;
    }
    if (!memory_record_column(r, name, &column, out->message, sizeof out->message) ||
        (form == NULL &&
         !memory_record_column(&w->reference.record, name, &reference_column, out->message, sizeof out->message))) {
        out->failed = true;
        return;
    }
    const zn_sim_def *def = zn_sim_get_def(run->simulation.sim);
    double            last = run->simulation.def.until + 1e-6 * def->step; // runs may end later, at a coarse time
    for (int64_t i = 0; i < r->rows; i++)
        if (r->t[i] >= s->from && r->t[i] <= s->to && r->t[i] <= last) {
            first = count == 0 ? i : first;
            values[count] = r->values[i * r->columns + column];
            reference[count++] = reference_at(w, form, reference_column, r->t[i]);
        }
    zn_status status = zn_error_norms(count, def->step * def->record_every, values, reference, &n);
    if (status == ZN_OK && count > 1 && wants(s, NORM_HAUSDORFF))
        status = measure_graph(w, form, reference_column, count, r->t + first, values, &graph);
    if (status != ZN_OK)
        refuse(out, count == 0 ? "no row lies in the window" : "the quantity or its reference is not finite");
    else
        memcpy(out->norm, (double[NORMS]){n.uniform, n.l1, n.l2, n.rel_l1, graph}, sizeof out->norm);
}

static void measure_run(const work *w, const study_run *run, converge_row *row, converge_error *errors)
{
    const zn_certificate *c = &run->record.certificate;
    const zn_iterations   stages[STAGES] = {c->newton_iterations, c->projection_iterations, c->activation_iterations,
                                            c->solver_iterations};
    double               *values = calloc((size_t)run->record.rows + 1, sizeof *values);
    double               *reference = calloc((size_t)run->record.rows + 1, sizeof *reference);
    for (int i = 0; i < STAGES; i++) {
        row->average[i] = study_average(&run->record, stages[i]);
        row->largest[i] = stages[i].max;
    }
    row->seconds = c->loop_seconds;
    for (int i = 0; i < w->study.quantities.count; i++)
        if (values != NULL && reference != NULL)
            measure_error(w, run, i, values, reference, &errors[i]);
        else
            refuse(&errors[i], "out of memory");
    free(values);
    free(reference);
}

// --- runs ----------------------------------------------------------------------------------------

static bool needs_reference(const work *w)
{
    for (int i = 0; i < w->study.quantities.count; i++)
        if (!w->closed[i])
            return true;
    return false;
}

// A finer run, one step longer than the others so that it covers all their rows.
static void run_reference(work *w, const char *scheme)
{
    double     step = !isnan(w->reference_step) ? w->reference_step : w->steps[w->study.step_count - 1] / FINER;
    study_case c = case_of(w, scheme, step);
    study_run_free(&w->reference);
    if (isnan(c.until)) {
        study_run look;
        if (study_prepare(&c, (zn_log){0}, false, &look) == ZN_OK)
            c.until = look.simulation.def.until;
        study_run_free(&look);
    }
    c.until += step;
    study_execute(&c, &w->reference);
}

static void run_scheme(work *w, int scheme)
{
    converge_study *s = &w->study;
    const char     *name = s->schemes.items[scheme];
    if (needs_reference(w) && (w->wanted != SCHEME || scheme == 0))
        run_reference(w, w->wanted == SCHEME ? w->reference_scheme : name);
    for (int i = 0; i < s->step_count; i++) {
        study_run     run;
        study_case    c = case_of(w, name, w->steps[i]);
        converge_row *row = row_of(s, scheme, i);
        row->step = w->steps[i];
        study_execute(&c, &run);
        row->failed = run.status != ZN_OK;
        if (row->failed)
            memcpy(row->message, run.message, sizeof row->message);
        else
            measure_run(w, &run, row, error_of(s, scheme, i, 0));
        study_run_free(&run);
    }
}

bool converge_fit(const converge_study *s, int scheme, int quantity, int norm, zn_order *out)
{
    double *steps = calloc(2 * (size_t)s->step_count, sizeof *steps), *errors = steps + s->step_count;
    int     count = 0;
    if (steps == NULL)
        return false;
    for (int i = 0; i < s->step_count; i++) {
        const converge_error *e = error_of(s, scheme, i, quantity);
        if (row_of(s, scheme, i)->failed || e->failed)
            continue;
        steps[count] = row_of(s, scheme, i)->step;
        errors[count++] = e->norm[norm];
    }
    zn_status status = zn_fit_order(count, steps, errors, out);
    free(steps);
    return status == ZN_OK;
}

// True when at least one run gave at least one error.
static bool any_success(const converge_study *s)
{
    for (int i = 0; i < s->schemes.count; i++)
        for (int j = 0; j < s->step_count; j++)
            for (int k = 0; k < s->quantities.count; k++)
                if (!row_of(s, i, j)->failed && !error_of(s, i, j, k)->failed)
                    return true;
    return false;
}

static int study(work *w)
{
    const converge_options *o = &w->options;
    converge_study         *s = &w->study;
    if (!parse_lists(w) || !allocate(w))
        return EXIT_INPUT;
    int status = prepare(w);
    if (status != EXIT_FINE)
        return status;
    for (int i = 0; i < s->schemes.count; i++) {
        run_scheme(w, i);
        if (!o->json && !is_standard_output(o->csv))
            converge_print(s, i);
    }
    if (o->json)
        converge_print_json(s);
    if ((o->csv != NULL && !converge_write_csv(s, o->csv)) || (o->plot != NULL && !converge_plot(s, o->plot)))
        return EXIT_INPUT;
    if (!finish_output(stdout))
        return EXIT_INPUT;
    return any_success(s) ? EXIT_FINE : failed_as_printed();
}

static int converge(int argc, char **argv)
{
    work              w = {.options.until = NAN};
    converge_options *o = &w.options;
    const option      table[] = {
             {"steps", 0, OPTION_TEXT, &o->steps},     {"of", 0, OPTION_TEXT, &o->of},
             {"schemes", 0, OPTION_TEXT, &o->schemes}, {"norms", 0, OPTION_TEXT, &o->norms},
             {"window", 0, OPTION_TEXT, &o->window},   {"reference", 0, OPTION_TEXT, &o->reference},
             {"set", 0, OPTION_LIST, &o->set},         {"until", 0, OPTION_NUMBER, &o->until},
             {"plot", 0, OPTION_TEXT, &o->plot},       {"csv", 0, OPTION_TEXT, &o->csv},
             {"json", 0, OPTION_FLAG, &o->json},       {"exact-steps", 0, OPTION_FLAG, &o->exact_steps},
    };
    int status = EXIT_INPUT;
    if (!options_parse("converge", sizeof table / sizeof *table, table, argc, argv, &o->rest))
        status = EXIT_INPUT;
    else if (o->rest.count != 1)
        print_error(o->rest.count == 0 ? "which model? (zeno help converge)"
                                       : "one model at a time (zeno help converge)");
    else if (o->steps == NULL || o->of == NULL)
        print_error(o->steps == NULL ? "which step sizes? (--steps A:B)" : "the error of what? (--of RECORD)");
    else
        status = study(&w);
    work_free(&w);
    return status;
}

const command converge_command = {
    .name = "converge",
    .summary = "measure the order of convergence of schemes",
    .help = "usage: zeno converge MODEL --steps A:B[:K] --of RECORD[,RECORD...] [options]\n"
            "\n"
            "Runs the model with K step sizes (default 8) between A and B in equal ratios, measures the\n"
            "error of recorded quantities and fits the order p of error = C step^p, with its standard\n"
            "error. A run that fails is a row of the table that says why.\n"
            "\n"
            "  --of RECORD,...    names of records of the model, NAME or NAME.component\n"
            "  --schemes S,...    schemes as 'zeno run --scheme' takes them, e.g. moreau_jean:theta=1\n"
            "                     (default: the model's)\n"
            "  --norms N,...      of the error e in the recorded rows: uniform (max |e|), l1 (h sum |e|),\n"
            "                     l2 (sqrt(h sum e^2)), rel_l1 (sum |e| / sum |reference|); default: these.\n"
            "                     hausdorff: distance of the graphs with their jumps filled in, times over\n"
            "                     the length of the window, values over the range of the reference\n"
            "  --window T1:T2     rows that count [s] (default: all)\n"
            "  --reference R      what the error is measured against: closed (the closed form in the\n"
            "                     section 'reference' of the model), finest (the same scheme with an\n"
            "                     eighth of the smallest step, linear between its rows), or a scheme\n"
            "                     SCHEME[:STEP]. Default: closed if the model has it, else finest\n"
            "  --set NAME=VALUE   parameter of the model; VALUE may use h, the step\n"
            "  --until T          end of the runs [s]\n"
            "  --exact-steps      take the steps as they are. Without it each is moved a little, so that\n"
            "                     impact times do not fall on the grid, where rounding would decide\n"
            "  --plot FILE        errors over steps as a figure, .svg or .png (l1 unless --norms says more)\n"
            "  --csv FILE         the table as CSV ('-': standard output)\n"
            "  --json             print everything as JSON\n"
            "\n"
            "Velocities jump at impacts. A scheme finds the time of a jump up to a step, so velocities\n"
            "converge in l1 (order 1) and l2 (order 1/2), never uniformly; as graphs (hausdorff) with\n"
            "order 1, since a jump that comes a step late is a step away.\n"
            "\n"
            "Exit status: 0 if any run gave an error, 2 bad input, 3 all runs failed.\n"
            "\n"
            "examples:\n"
            "  zeno converge ball.yaml --steps 0.1:1e-4 --of q,v\n"
            "  zeno converge ball.yaml --steps 0.1:1e-3:6 --of q --schemes moreau_jean,combined_projection \\\n"
            "      --norms l1 --plot order.svg\n"
            "  zeno converge bar.yaml --steps 1e-5:1e-6 --of q --set 'N=round(1/(5188*h))'\n",
    .run = converge,
};
