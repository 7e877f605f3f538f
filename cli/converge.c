// zeno converge: runs a model with smaller and smaller steps and measures the order of its errors.
#include "converge.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "journal.h"
#include "measure.h"
#include "suggest.h"
#include "terminal.h"

const char *const norm_names[NORMS] = {"uniform", "l1", "l2", "rel_l1", "hausdorff"};
const char *const stage_names[STAGES] = {"Newton", "projection", "activation", "solver"};

enum { STEPS_DEFAULT = 8, STEPS_MOST = 1000, FINER = 8 };

typedef struct converge_options {
    const char *steps, *of, *schemes, *norms, *window, *reference, *plot, *csv, *resume;
    bool        exact_steps, json;
    double      until, jobs;
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
    bool       *closed;     // quantities measured against their closed form
    row_work    references; // a converge_reference for each scheme, or one for all
    journal_key key;
    int         printed; // schemes
} work;

static void work_free(work *w)
{
    journal_close(w->study.rows.journal);
    rows_free(&w->study.rows);
    rows_free(&w->references);
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

// Decide against what each quantity is measured.
static bool choose_references(work *w, const zn_problem *p)
{
    converge_study *s = &w->study;
    for (int i = 0; i < s->quantities.count; i++) {
        bool given = converge_closed(p, s->quantities.items[i]) != NULL;
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
        if (good && i == 0) {
            good = choose_references(w, run.simulation.problem) && keep_names(w, &run.simulation);
            w->key.model = digest_problem(run.simulation.problem);
        }
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
    size_t          quantities = (size_t)s->quantities.count;
    w->closed = calloc(quantities, sizeof *w->closed);
    s->reference = calloc(quantities, sizeof *s->reference);
    s->rows.count = s->schemes.count * s->step_count;
    s->rows.size = sizeof(converge_row) + quantities * sizeof(converge_error);
    if (w->closed != NULL && s->reference != NULL)
        return rows_allocate(&s->rows);
    print_error("out of memory");
    return false;
}

// --- references ----------------------------------------------------------------------------------

static bool needs_reference(const work *w)
{
    for (int i = 0; i < w->study.quantities.count; i++)
        if (!w->closed[i])
            return true;
    return false;
}

// A finer run, one step longer than the others so that it covers all their rows.
static study_case reference_case(const work *w, int index, double *start)
{
    double     step = !isnan(w->reference_step) ? w->reference_step : w->steps[w->study.step_count - 1] / FINER;
    study_case c = case_of(w, w->wanted == SCHEME ? w->reference_scheme : w->study.schemes.items[index], step);
    study_run  look;
    *start = 0;
    if (study_prepare(&c, (zn_log){0}, false, &look) == ZN_OK) {
        c.until = isnan(c.until) ? look.simulation.def.until : c.until;
        *start = look.simulation.def.start;
    }
    study_run_free(&look);
    c.until += step;
    return c;
}

static converge_reference *reference_of(const work *w, int index)
{
    return (converge_reference *)(void *)(w->references.results + (size_t)index * w->references.size);
}

static void run_reference(void *user, int index, void *result)
{
    const work         *w = user;
    converge_reference *out = result;
    double              start;
    study_run           run;
    study_case          c = reference_case(w, index, &start);
    int                 values = 1 + w->study.quantities.count;
    out->room = (int64_t)((w->references.size - sizeof *out) / sizeof(double)) / values;
    study_execute(&c, &run);
    converge_keep(&w->study, w->closed, &run, out);
    study_run_free(&run);
}

static void lose_reference(void *user, int index, const char *why, void *result)
{
    converge_reference *out = result;
    (void)user, (void)index;
    out->failed = true;
    snprintf(out->message, sizeof out->message, "%s", why);
}

static void show_nothing(void *user, int row) { (void)user, (void)row; }

// Are all rows of a scheme in one of two states?
static bool is_scheme(const converge_study *s, int scheme, row_state one, row_state other)
{
    for (int i = 0; i < s->step_count; i++) {
        row_state state = s->rows.states[scheme * s->step_count + i];
        if (state != one && state != other)
            return false;
    }
    return true;
}

static bool is_scheme_done(const converge_study *s, int scheme) { return is_scheme(s, scheme, ROW_DONE, ROW_DONE); }

// What the runs still to do are compared with. Those of a reference whose process died are lost, too.
static rows_outcome run_references(work *w)
{
    converge_study *s = &w->study;
    row_work       *r = &w->references;
    double          most = 0, start;
    *r = (row_work){.count = w->wanted == SCHEME ? 1 : s->schemes.count,
                    .jobs = s->rows.jobs,
                    .user = w,
                    .run = run_reference,
                    .lose = lose_reference,
                    .show = show_nothing};
    for (int i = 0; i < r->count; i++) {
        study_case c = reference_case(w, i, &start);
        double     rows = (c.until - start) / c.step + 16;
        most = rows > most && rows < 1e12 ? rows : most;
    }
    r->size = converge_reference_size((int64_t)most, s->quantities.count);
    if (!rows_allocate(r))
        return ROWS_FAILED;
    bool all = true;
    for (int i = 0; i < s->schemes.count; i++) {
        all = all && is_scheme_done(s, i);
        if (w->wanted == SCHEME ? all && i == s->schemes.count - 1 : is_scheme_done(s, i))
            r->states[w->wanted == SCHEME ? 0 : i] = ROW_DONE;
    }
    return rows_run(r);
}

// --- runs ----------------------------------------------------------------------------------------

static int reference_index(const work *w, int scheme) { return w->wanted == SCHEME ? 0 : scheme; }

static void lose_row(void *user, int index, const char *why, void *result)
{
    const work   *w = user;
    converge_row *row = result;
    row->step = w->steps[index % w->study.step_count];
    row->failed = true;
    snprintf(row->message, sizeof row->message, "%s", why);
}

static void run_row(void *user, int index, void *result)
{
    const work           *w = user;
    const converge_study *s = &w->study;
    int                   scheme = index / s->step_count, step = index % s->step_count;
    converge_row         *row = result;
    study_run             run;
    study_case            c = case_of(w, s->schemes.items[scheme], w->steps[step]);
    row->step = w->steps[step];
    study_execute(&c, &run);
    row->failed = run.status != ZN_OK;
    if (row->failed)
        memcpy(row->message, run.message, sizeof row->message);
    else
        converge_measure(s, w->closed, needs_reference(w) ? reference_of(w, reference_index(w, scheme)) : NULL, &run,
                         row, (converge_error *)(void *)(row + 1));
    study_run_free(&run);
}

// Tables of the schemes whose rows are all there.
static void print_schemes(work *w)
{
    const converge_study *s = &w->study;
    bool                  shown = !w->options.json && !is_standard_output(w->options.csv);
    for (; w->printed < s->schemes.count && is_scheme(s, w->printed, ROW_DONE, ROW_LOST); w->printed++) {
        converge_tame(s, w->printed);
        if (shown)
            converge_print(s, w->printed);
    }
}

static void show_row(void *user, int index)
{
    (void)index;
    print_schemes(user);
}

// After Ctrl-C: what is done is reported.
static void leave_open(work *w)
{
    converge_study *s = &w->study;
    for (int i = 0; i < s->rows.count; i++)
        if (s->rows.states[i] == ROW_OPEN) {
            lose_row(w, i, "not run", row_of(s, i / s->step_count, i % s->step_count));
            s->rows.states[i] = ROW_LOST;
        }
    print_schemes(w);
}

// Rows whose reference was lost cannot be measured; they are run when the study goes on.
static void lose_with_references(work *w)
{
    converge_study *s = &w->study;
    for (int i = 0; i < s->rows.count; i++) {
        int index = reference_index(w, i / s->step_count);
        if (s->rows.states[i] == ROW_DONE || w->references.states[index] != ROW_LOST)
            continue;
        lose_row(w, i, reference_of(w, index)->message, row_of(s, i / s->step_count, i % s->step_count));
        s->rows.states[i] = ROW_LOST;
    }
}

// All that decides the numbers in the rows.
static uint64_t digest_settings(const work *w)
{
    const converge_options *o = &w->options;
    const converge_study   *s = &w->study;
    uint64_t                digest = digest_text(digest_text(DIGEST_BEGIN, "converge"), o->of);
    digest = digest_number(digest_text(digest_text(digest, o->window), o->reference), o->until);
    digest = digest_bytes(digest, &(int){converge_wants(s, NORM_HAUSDORFF)}, sizeof(int));
    for (int i = 0; i < s->schemes.count; i++)
        digest = digest_text(digest, s->schemes.items[i]);
    for (int i = 0; i < o->set.count; i++)
        digest = digest_text(digest, o->set.items[i]);
    return digest_bytes(digest, w->steps, (size_t)s->step_count * sizeof *w->steps);
}

static rows_outcome run_rows(work *w)
{
    row_work    *r = &w->study.rows;
    rows_outcome outcome = ROWS_FINISHED;
    r->user = w;
    r->run = run_row;
    r->lose = lose_row;
    r->show = show_row;
    r->last_first = true;
    w->key.settings = digest_settings(w);
    if (w->options.resume != NULL &&
        (!can_write(w->options.resume, w->study.model) || !journal_open(w->options.resume, w->key, r, &r->journal)))
        return ROWS_FAILED;
    if (needs_reference(w)) {
        outcome = run_references(w);
        if (outcome == ROWS_FINISHED)
            lose_with_references(w);
    }
    return outcome == ROWS_FINISHED ? rows_run(r) : outcome;
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
    rows_outcome outcome = run_rows(w);
    if (outcome == ROWS_FAILED)
        return EXIT_INPUT;
    if (outcome == ROWS_INTERRUPTED)
        leave_open(w);
    if (o->json)
        converge_print_json(s);
    if ((o->csv != NULL && !converge_write_csv(s, o->csv)) || (o->plot != NULL && !converge_plot(s, o->plot)))
        return EXIT_INPUT;
    if (!finish_output(stdout))
        return EXIT_INPUT;
    return outcome == ROWS_FINISHED && any_success(s) ? EXIT_FINE : failed_as_printed();
}

static int converge(int argc, char **argv)
{
    work              w = {.options = {.until = NAN, .jobs = NAN}};
    converge_options *o = &w.options;
    const option      table[] = {
             {"steps", 0, OPTION_TEXT, &o->steps},
             {"of", 0, OPTION_TEXT, &o->of},
             {"schemes", 0, OPTION_TEXT, &o->schemes},
             {"scheme", 0, OPTION_TEXT, &o->schemes}, // as of 'zeno run'
             {"norms", 0, OPTION_TEXT, &o->norms},
             {"window", 0, OPTION_TEXT, &o->window},
             {"reference", 0, OPTION_TEXT, &o->reference},
             {"set", 0, OPTION_LIST, &o->set},
             {"until", 0, OPTION_TIME, &o->until},
             {"plot", 0, OPTION_TEXT, &o->plot},
             {"csv", 0, OPTION_TEXT, &o->csv},
             {"json", 0, OPTION_FLAG, &o->json},
             {"exact-steps", 0, OPTION_FLAG, &o->exact_steps},
             {"jobs", 'j', OPTION_NUMBER, &o->jobs},
             {"resume", 0, OPTION_TEXT, &o->resume},
             OPTION_ALLOW_PATH,
    };
    int status = EXIT_INPUT;
    if (!options_parse("converge", sizeof table / sizeof *table, table, argc, argv, &o->rest))
        status = EXIT_INPUT;
    else if (o->rest.count != 1)
        print_error(o->rest.count == 0 ? "which model? (zeno help converge)"
                                       : "one model at a time (zeno help converge)");
    else if (o->steps == NULL || o->of == NULL)
        print_error(o->steps == NULL ? "which step sizes? (--steps A:B)" : "the error of what? (--of RECORD)");
    else if (workers_count(o->jobs, &w.study.rows.jobs))
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
            "                     (default: the model's); --scheme is the same\n"
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
            "  --allow-path DIR   let the model read files in this folder too, and below it; may be given several\n"
            "                     times. By itself it reads those in the folder of its own file and below\n"
            "  --until T          end of the runs [s], or with a unit: '500 ms'\n"
            "  --exact-steps      take the steps as they are. Without it each is moved a little, so that\n"
            "                     impact times do not fall on the grid, where rounding would decide\n"
            "  --plot FILE        errors over steps as a figure, .svg or .png (l1 unless --norms says more)\n"
            "  --csv FILE         the table as CSV ('-': standard output)\n"
            "  --json             print everything as JSON\n"
            "  -j, --jobs N       run in N processes at once; the results are the same to the last bit, but for the\n"
            "                     time they took. A process that crashes costs the row it ran, which tells so\n"
            "  --resume FILE      keep what is done in FILE, and do not run again what is there; see\n"
            "                     'zeno help sweep'\n"
            "\n"
            "Velocities jump at impacts. A scheme finds the time of a jump up to a step, so velocities\n"
            "converge in l1 (order 1) and l2 (order 1/2), never uniformly; as graphs (hausdorff) with\n"
            "order 1, since a jump that comes a step late is a step away.\n"
            "\n"
            "Exit status: 0 if any run gave an error, 2 bad input, 3 all runs failed or interrupted.\n"
            "\n"
            "examples:\n"
            "  zeno converge ball.yaml --steps 0.1:1e-4 --of q,v\n"
            "  zeno converge ball.yaml --steps 0.1:1e-3:6 --of q --schemes moreau_jean,combined_projection \\\n"
            "      --norms l1 --plot order.svg\n"
            "  zeno converge bar.yaml --steps 1e-5:1e-6 --of q --set 'N=round(1/(5188*h))'\n",
    .run = converge,
};
