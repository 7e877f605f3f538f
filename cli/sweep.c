// zeno sweep: runs a model for many values of a parameter and tabulates measures.
#include "sweep.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "measure.h"
#include "scheme_option.h"
#include "suggest.h"
#include "terminal.h"

enum { SCHEME = 512, MEASURE_MESSAGE = 1024 };

static void sweep_free(sweep_work *w)
{
    text_list_free(&w->options.vary);
    text_list_free(&w->options.set);
    text_list_free(&w->options.ylabels);
    text_list_free(&w->options.rest);
    text_list_free(&w->options.distributions);
    text_list_free(&w->measures);
    text_list_free(&w->schemes);
    text_list_free(&w->record);
    for (int i = 0; i < w->together; i++)
        free(w->first[i].values);
    free(w->second.values);
    free(w->title);
    free(w->scheme);
    free(w->texts[0]);
    free(w->texts[1]);
    journal_close(w->rows.journal);
    rows_free(&w->rows);
}

// --- what is asked for ---------------------------------------------------------------------------

static bool parse_lists(sweep_work *w)
{
    const sweep_options *o = &w->options;
    w->texts[0] = strdup(o->measures);
    w->texts[1] = strdup(o->schemes != NULL ? o->schemes : "");
    if (w->texts[0] == NULL || w->texts[1] == NULL)
        return false;
    w->together = is_sampled(w) ? 0 : 1;
    if (is_sampled(w) ? !sweep_draw(w) : !sweep_vary_parse(o->vary.items[0], &w->first[0]))
        return false;
    int second = is_sampled(w) ? 0 : 1;
    if (o->vary.count > second) {
        if (!sweep_vary_parse(o->vary.items[second], &w->second))
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
    char      set[SWEEP_TOGETHER + 1][SWEEP_NAME + 40];
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
static study_case case_of(const sweep_work *w, sweep_place at, case_text *t)
{
    const sweep_options *o = &w->options;
    study_case c = {.model = w->model, .step = o->step, .until = o->until, .set = &t->overrides, .record = &w->record};
    *t = (case_text){0};
    snprintf(t->scheme, sizeof t->scheme, "%s", w->schemes.items[at.scheme]);
    for (int i = 0; i < o->set.count; i++)
        text_list_push(&t->overrides, o->set.items[i]);
    apply(&w->second, w->second.values[at.second], &c, t, SWEEP_TOGETHER);
    for (int i = 0; i < w->together; i++)
        apply(&w->first[i], w->first[i].values[at.first], &c, t, i);
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

static const char *near_parameter(const zn_problem *p, const char *name)
{
    const char *near = NULL;
    for (int i = 0; i < p->parameter_count && near == NULL; i++) {
        const char *known = p->parameters[i].name;
        near = suggest(name, 1, &known);
    }
    return near;
}

static bool choose_kind(const zn_problem *p, const char *asked, vary *v)
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
        const char *near = near_parameter(p, v->name);
        print_error("option '--%s': '%s' is neither a parameter of the model nor step, until, a scheme option or a "
                    "path%s%s%s",
                    asked, v->name, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "");
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
    if (!can_write(w->options.csv, w->model) || !can_write(w->options.statistics, w->model) ||
        !can_write(w->options.page, w->model) || !can_draw(w->options.plot, w->model) || !check_measures(w, NULL))
        return EXIT_INPUT;
    zn_problem *problem = NULL;
    zn_status   status = problem_read(w->model, false, NULL, terminal_log(), &problem);
    bool        good = status == ZN_OK && choose_kind(problem, "vary", &w->second);
    for (int i = 0; i < w->together && good; i++)
        good = choose_kind(problem, is_sampled(w) ? "sample" : "vary", &w->first[i]);
    if (good)
        w->key.model = digest_problem(problem);
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
        study_case c = case_of(w, (sweep_place){.scheme = i}, &t);
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

// One row, perhaps in a worker.
static void run_row(void *user, int row, void *result)
{
    const sweep_work *w = user;
    case_text         t;
    study_run         run;
    study_case        c = case_of(w, sweep_place_of(w, row), &t);
    sweep_row        *out = result;
    study_execute(&c, &run);
    out->failed = run.status != ZN_OK;
    if (out->failed)
        memcpy(out->message, run.message, sizeof out->message);
    for (int i = 0; i < w->measures.count; i++) {
        char    message[STUDY_MESSAGE];
        double *value = &out->values[i];
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

static void lose_row(void *user, int row, const char *why, void *result)
{
    const sweep_work *w = user;
    sweep_row        *out = result;
    (void)row;
    out->failed = true;
    snprintf(out->message, sizeof out->message, "%s", why);
    for (int i = 0; i < w->measures.count; i++)
        out->values[i] = NAN;
}

// A sample is told by its statistics; only rows that failed are shown.
static void show_row(void *user, int row)
{
    const sweep_work *w = user;
    sweep_row        *r = sweep_row_of(w, row);
    tame_message(r->message);
    if (w->options.json || is_standard_output(w->options.csv) || (is_sampled(w) && r->message[0] == '\0'))
        return;
    if (is_sampled(w))
        printf("sample %d: ", sweep_place_of(w, row).first + 1);
    sweep_print_row(w, row);
}

// --- the verb ------------------------------------------------------------------------------------

static bool any_success(const sweep_work *w)
{
    for (int i = 0; i < w->rows.count; i++)
        if (w->rows.states[i] == ROW_DONE && !sweep_row_of(w, i)->failed)
            return true;
    return false;
}

static uint64_t digest_vary(uint64_t digest, const vary *v)
{
    digest = digest_text(digest, v->name);
    return digest_bytes(digest, v->values, (size_t)v->count * sizeof *v->values);
}

// All that decides the numbers in the rows.
static uint64_t digest_settings(const sweep_work *w)
{
    const sweep_options *o = &w->options;
    uint64_t             digest = digest_text(digest_text(DIGEST_BEGIN, "sweep"), o->measures);
    digest = digest_number(digest_number(digest, o->step), o->until);
    for (int i = 0; i < w->schemes.count; i++)
        digest = digest_text(digest, w->schemes.items[i]);
    for (int i = 0; i < o->set.count; i++)
        digest = digest_text(digest, o->set.items[i]);
    for (int i = 0; i < w->together; i++)
        digest = digest_vary(digest, &w->first[i]);
    return digest_vary(digest, &w->second);
}

static bool start_rows(sweep_work *w)
{
    row_work *r = &w->rows;
    double    count = (double)w->schemes.count * w->second.count * w->first[0].count;
    if (count > 1e8) {
        print_error("%g runs are too many", count);
        return false;
    }
    r->count = (int)count;
    r->size = sizeof(sweep_row) + (size_t)w->measures.count * sizeof(double);
    r->user = w;
    r->run = run_row;
    r->lose = lose_row;
    r->show = show_row;
    w->key.settings = digest_settings(w);
    return rows_allocate(r) && (w->options.resume == NULL || (can_write(w->options.resume, w->model) &&
                                                              journal_open(w->options.resume, w->key, r, &r->journal)));
}

static bool report(const sweep_work *w, bool whole)
{
    const sweep_options *o = &w->options;
    bool                 alone =
        is_standard_output(o->csv) || is_standard_output(o->statistics) || is_standard_output(o->page) || o->json;
    if (is_sampled(w) && !alone && !sweep_print_statistics(w))
        return false;
    return (!o->json || sweep_print_json(w)) && (o->csv == NULL || sweep_write_csv(w, o->csv)) &&
           (o->statistics == NULL || sweep_write_statistics(w, o->statistics)) &&
           (o->page == NULL || sweep_write_page(w, o->page)) && (o->plot == NULL || !whole || sweep_plot(w, o->plot)) &&
           finish_output(stdout);
}

static int study(sweep_work *w)
{
    const sweep_options *o = &w->options;
    if (!parse_lists(w))
        return EXIT_INPUT;
    int status = prepare(w);
    if (status != EXIT_FINE)
        return status;
    if (!start_rows(w))
        return EXIT_INPUT;
    if (!is_sampled(w) && !o->json && !is_standard_output(o->csv))
        sweep_print_header(w);
    rows_outcome outcome = rows_run(&w->rows);
    if (!report(w, outcome == ROWS_FINISHED) || outcome == ROWS_FAILED)
        return EXIT_INPUT;
    return outcome == ROWS_FINISHED && any_success(w) ? EXIT_FINE : failed_as_printed();
}

// Beside the model there may be distributions: words with '=' that name no file.
static bool sort_words(sweep_work *w)
{
    sweep_options *o = &w->options;
    for (int i = 0; i < o->rest.count; i++) {
        const char *word = o->rest.items[i];
        if (is_sampled(w) && strchr(word, '=') != NULL && access(word, F_OK) != 0) {
            if (!text_list_push(&o->distributions, word))
                return false;
        } else if (w->model != NULL) {
            print_error("one model at a time (zeno help sweep)");
            return false;
        } else
            w->model = word;
    }
    if (w->model == NULL)
        print_error("which model? (zeno help sweep)");
    return w->model != NULL;
}

static bool check_options(const sweep_work *w)
{
    const sweep_options *o = &w->options;
    int                  most = is_sampled(w) ? 1 : 2;
    const char          *fault = NULL;
    if (o->vary.count < 1 && !is_sampled(w))
        fault = "vary what? (--vary NAME=A:B)";
    else if (o->vary.count > most)
        fault = is_sampled(w) ? "beside a sample one name can be varied at most" : "two names can be varied at most";
    else if (o->measures == NULL)
        fault = "measure what? (--measure 'final(NAME)')";
    else if (!is_sampled(w) && (o->hypercube || !isnan(o->seed) || o->statistics != NULL || o->page != NULL))
        fault = "'--lhs', '--seed', '--statistics' and '--report' belong to '--sample' (zeno help sweep)";
    else if (is_sampled(w) && o->plot != NULL)
        fault = "a sample has no figure; '--report' has its histograms, '--json' and '--statistics' its quantiles";
    else if (o->json && is_standard_output(o->csv))
        fault = "'--json' and '--csv -' both want standard output";
    if (fault != NULL)
        print_error("%s", fault);
    return fault == NULL;
}

static int sweep(int argc, char **argv)
{
    sweep_work     w = {.options = {.step = NAN, .until = NAN, .jobs = NAN, .samples = NAN, .seed = NAN}};
    sweep_options *o = &w.options;
    const option   table[] = {
          {"vary", 0, OPTION_LIST, &o->vary},
          {"measure", 0, OPTION_TEXT, &o->measures},
          {"schemes", 0, OPTION_TEXT, &o->schemes},
          {"scheme", 0, OPTION_TEXT, &o->schemes},
          {"set", 0, OPTION_LIST, &o->set},
          {"step", 0, OPTION_TIME, &o->step},
          {"until", 0, OPTION_TIME, &o->until},
          {"csv", 0, OPTION_TEXT, &o->csv},
          {"plot", 0, OPTION_TEXT, &o->plot},
          {"logy", 0, OPTION_FLAG, &o->log_y},
          {"title", 0, OPTION_TEXT, &o->title},
          {"ylabel", 0, OPTION_LIST, &o->ylabels},
          {"jobs", 'j', OPTION_NUMBER, &o->jobs},
          {"sample", 0, OPTION_NUMBER, &o->samples},
          {"lhs", 0, OPTION_FLAG, &o->hypercube},
          {"seed", 0, OPTION_NUMBER, &o->seed},
          {"statistics", 0, OPTION_TEXT, &o->statistics},
          {"report", 0, OPTION_TEXT, &o->page},
          {"json", 0, OPTION_FLAG, &o->json},
          {"resume", 0, OPTION_TEXT, &o->resume},
          OPTION_ALLOW_PATH,
    };
    int  status = EXIT_INPUT;
    bool good = options_parse("sweep", sizeof table / sizeof *table, table, argc, argv, &o->rest) && sort_words(&w) &&
                check_options(&w) && workers_count(o->jobs, &w.rows.jobs);
    if (good && isnan(o->seed))
        o->seed = 1;
    if (good)
        status = study(&w);
    sweep_free(&w);
    return status;
}

const command sweep_command = {
    .name = "sweep",
    .summary = "run a model for many values and tabulate measures",
    .help = "usage: zeno sweep MODEL --vary NAME=A:B[:K][:log] --measure M[,M...] [options]\n"
            "       zeno sweep MODEL --sample N 'NAME=normal(A,B)'... --measure M[,M...] [options]\n"
            "\n"
            "Runs the model for K values (default 8) of NAME between A and B and prints a table of\n"
            "measures. With a second --vary, for all pairs. A run that fails is a row that says why.\n"
            "With --sample, for N values drawn at random, and prints statistics of the measures; with\n"
            "--vary beside it, for each of its values the same sample.\n"
            "\n"
            "  --vary NAME=A:B[:K][:log]\n"
            "                     evenly spaced values, with 'log' in equal ratios; or a list NAME=A,B,C.\n"
            "                     NAME is a parameter of the model, 'step', 'until', an option of the\n"
            "                     scheme such as theta, or the path of a value in the model file such as\n"
            "                     joints.pin.play.radius\n"
            "  --sample N         draw N values for each name that has a distribution: NAME=normal(MEAN,DEVIATION),\n"
            "                     NAME=lognormal(MEAN,DEVIATION), of the value itself, or NAME=uniform(A,B)\n"
            "  --lhs              Latin hypercube: one value in each of N parts of equal probability\n"
            "  --seed K           another sample (default 1); with the same seed the same values\n"
            "  --statistics FILE  mean, deviation and quantiles as CSV ('-': standard output)\n"
            "  --report FILE.html a page with statistics and histograms of the sample\n"
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
            "  --allow-path DIR   let the model read files in this folder too, and below it; may be given several\n"
            "                     times. By itself it reads those in the folder of its own file and below\n"
            "  --step H           time step [s], or '0.1 ms'\n"
            "  --until T          end of the runs [s], or '500 ms'\n"
            "  --csv FILE         the table as CSV ('-': standard output)\n"
            "  --json             print everything as JSON\n"
            "  -j, --jobs N       run in N processes at once; the results are the same to the last bit. A\n"
            "                     process that crashes or is killed costs the row it ran, which tells so\n"
            "  --resume FILE      keep what is done in FILE, and do not run again what is there: after Ctrl-C, a\n"
            "                     crash or kill -9 the same command goes on. Refused when the model, a file it\n"
            "                     reads or the settings have changed\n"
            "  --plot FILE        measures over the first name as a figure, .svg or .png; one curve per\n"
            "                     second value and scheme\n"
            "  --logy             its vertical axes in decades\n"
            "  --title TEXT       of the figure (default: the title of the model)\n"
            "  --ylabel TEXT      label of a vertical axis, the first of the first measure, and so on\n"
            "\n"
            "Ctrl-C ends the runs under way; what is done is shown and written.\n"
            "\n"
            "Exit status: 0 if any run went well, 2 bad input, 3 all runs failed or interrupted.\n"
            "\n"
            "examples:\n"
            "  zeno sweep ball.yaml --vary e=0:0.9:10 --measure 'impacts(floor),final(q)'\n"
            "  zeno sweep ball.yaml --vary step=0.1:1e-3:7:log --measure penetration \\\n"
            "      --schemes moreau_jean,combined_projection --plot depth.svg\n"
            "  zeno sweep block.yaml --vary e=0:0.8:5 --vary L=1,1.5,2 --measure 'span(A)' --csv -\n"
            "  zeno sweep block.yaml --sample 1000 'mu=normal(0.2,0.02)' 'e=uniform(0,0.3)' --lhs -j 4 \\\n"
            "      --measure 'final(x)' --csv samples.csv --resume samples.study\n",
    .run = sweep,
};
