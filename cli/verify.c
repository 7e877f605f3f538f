// zeno gallery --verify: runs what the reference values of a problem ask for and compares. Values with equal options
// share one run; runs are rows of a study, over all problems.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "gallery.h"
#include "measure.h"
#include "progress.h"
#include "reference_values.h"
#include "simulation.h"
#include "terminal.h"
#include "workers.h"

enum { ARGUMENTS_MAX = 64, MESSAGE = 160 };

// What came out for one reference value.
typedef struct verdict {
    bool   done, ok, measured;
    double value;
    char   message[MESSAGE];
} verdict;

typedef struct tally {
    int kept, failed, left_out;
} tally;

// The values of a problem.
typedef struct chapter {
    int            index; // of the problem
    bool           readable, empty;
    reference_list list;
    verdict       *verdicts;
    int            runs_left;
} chapter;

// Values with the options of list.values[first].
typedef struct group {
    int chapter, first;
} group;

typedef struct verification {
    const gallery *gallery;
    int            chapter_count, printed, group_count;
    chapter       *chapters;
    group         *groups;
    row_work       runs; // a verdict for each value of a group
    tally          all;
} verification;

static zn_status after_step(void *user, const zn_sim *sim)
{
    progress_step(user, sim);
    return rows_stop_wanted() ? ZN_INTERRUPTED : ZN_OK;
}

// --- one run -------------------------------------------------------------------------------------

static zn_status run_in_memory(const char *model, const run_options *options, memory_record *record)
{
    simulation s;
    progress   line = {0};
    zn_status  status = simulation_read(model, options, terminal_log(), &s);
    s.def.recorder = memory_recorder(record);
    s.def.progress = after_step;
    s.def.progress_user = &line;
    if (status == ZN_OK)
        status = simulation_create(&s);
    if (status == ZN_OK) {
        line = progress_begin(true, s.def.start, s.def.until);
        status = zn_sim_run(s.sim);
        progress_end(&line);
    }
    simulation_close(&s);
    return status;
}

// Options as they stand in the file, separated by blanks; a word that is none names a model file of the folder.
static bool parse_options(char *text, run_options *out)
{
    char *argv[ARGUMENTS_MAX] = {(char *)"gallery"}, *rest;
    int   argc = 1;
    for (char *word = strtok_r(text, " ", &rest); word != NULL && argc < ARGUMENTS_MAX;
         word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    if (!run_options_parse("run", argc, argv, out))
        return false;
    for (int i = 0; i < out->rest.count; i++) {
        const char *word = out->rest.items[i], *end = strrchr(word, '.');
        if (i > 0 || strchr(word, '/') != NULL || end == NULL || strcmp(end, ".yaml") != 0) {
            print_error("'%s' is not an option", word);
            return false;
        }
    }
    return true;
}

static void compare(const reference_value *v, const memory_record *record, verdict *out)
{
    out->measured = measure(v->measure, record, &out->value, out->message, sizeof out->message);
    if (out->measured)
        out->ok = v->at_most ? out->value <= v->expected + v->tolerance
                             : fabs(out->value - v->expected) <= v->tolerance; // NaN fails
}

static bool is_in_group(const reference_list *list, int first, int i)
{
    return strcmp(list->values[i].options, list->values[first].options) == 0;
}

// Run a group and judge its values.
static void run_group(void *user, int row, void *result)
{
    const verification   *v = user;
    const chapter        *c = &v->chapters[v->groups[row].chapter];
    const reference_list *list = &c->list;
    int                   first = v->groups[row].first;
    char                 *copy = strdup(list->values[first].options), model[GALLERY_PATH];
    verdict              *out = result;
    memory_record         record = {0};
    run_options           options = {0};
    bool                  understood = copy != NULL && parse_options(copy, &options);
    gallery_path(v->gallery, c->index, understood && options.rest.count > 0 ? options.rest.items[0] : "model.yaml",
                 model);
    zn_status status = understood ? run_in_memory(model, &options, &record) : ZN_ERR_ARGUMENT;
    for (int i = first; i < list->count; i++) {
        if (!is_in_group(list, first, i))
            continue;
        if (status == ZN_OK)
            compare(&list->values[i], &record, out);
        else
            snprintf(out->message, MESSAGE, "the run failed: %s", zn_status_text(status));
        out++;
    }
    memory_record_free(&record);
    run_options_free(&options);
    free(copy);
}

static void lose_group(void *user, int row, const char *why, void *result)
{
    const verification   *v = user;
    const reference_list *list = &v->chapters[v->groups[row].chapter].list;
    verdict              *out = result;
    for (int i = v->groups[row].first; i < list->count; i++)
        if (is_in_group(list, v->groups[row].first, i))
            snprintf((out++)->message, MESSAGE, "the run failed: %s", why);
}

// --- table ---------------------------------------------------------------------------------------

static void print_value(const reference_value *v, const verdict *r, int width)
{
    char measured[32] = "-", expected[40];
    if (r->measured)
        snprintf(measured, sizeof measured, "%.9g", r->value);
    snprintf(expected, sizeof expected, "%s%.9g", v->at_most ? "<= " : "", v->expected);
    printf("  %-*s  %-16s  %-16s  %-10s  %s%-6s%s  %s\n", width, v->id, measured, expected, v->tolerance_text,
           style_on(stdout, r->ok ? STYLE_GOOD : STYLE_BAD), r->ok ? "ok" : "FAILED", style_off(stdout), v->source);
    if (r->message[0] != '\0')
        printf("  %-*s  %s: %s\n", width, "", v->measure, tamed(r->message));
}

static void print_table(const char *name, const reference_list *list, const verdict *verdicts, tally *all)
{
    int width = 8;
    for (int i = 0; i < list->count; i++)
        if (verdicts[i].done && (int)strlen(list->values[i].id) > width)
            width = (int)strlen(list->values[i].id);
    printf("%s%s%s\n", style_on(stdout, STYLE_BOLD), tamed(name), style_off(stdout));
    printf("%s  %-*s  %-16s  %-16s  %-10s  %-6s  %s%s\n", style_on(stdout, STYLE_DIM), width, "id", "measured",
           "expected", "tolerance", "", "source", style_off(stdout));
    for (int i = 0; i < list->count; i++) {
        if (!verdicts[i].done) {
            all->left_out++;
            continue;
        }
        print_value(&list->values[i], &verdicts[i], width);
        *(verdicts[i].ok ? &all->kept : &all->failed) += 1;
    }
    fflush(stdout);
}

// Chapters whose runs are all done, in their order.
static void print_ready(verification *v)
{
    for (; v->printed < v->chapter_count && v->chapters[v->printed].runs_left == 0; v->printed++) {
        const chapter *c = &v->chapters[v->printed];
        const char    *name = v->gallery->names[c->index];
        if (c->empty)
            printf("%s%s%s\n  no reference values\n", style_on(stdout, STYLE_BOLD), tamed(name), style_off(stdout));
        else if (c->readable)
            print_table(name, &c->list, c->verdicts, &v->all);
    }
}

static void show_group(void *user, int row)
{
    verification  *v = user;
    const group   *g = &v->groups[row];
    chapter       *c = &v->chapters[g->chapter];
    const verdict *from = (const verdict *)(const void *)(v->runs.results + (size_t)row * v->runs.size);
    for (int i = g->first; i < c->list.count; i++)
        if (is_in_group(&c->list, g->first, i)) {
            c->verdicts[i] = *from++;
            c->verdicts[i].done = true;
        }
    c->runs_left--;
    print_ready(v);
}

// --- all of it -----------------------------------------------------------------------------------

static bool read_chapter(verification *v, int index, chapter *out)
{
    char reference[GALLERY_PATH];
    out->index = index;
    gallery_path(v->gallery, index, "reference.csv", reference);
    out->empty = access(reference, F_OK) != 0;
    out->readable = out->empty || reference_list_read(reference, &out->list);
    out->verdicts = calloc((size_t)out->list.count + 1, sizeof *out->verdicts);
    return out->verdicts != NULL;
}

// Values that are asked for, by their options; the size of a result is that of the largest group.
static bool find_groups(verification *v, int chapter_index, bool slow)
{
    chapter              *c = &v->chapters[chapter_index];
    const reference_list *list = &c->list;
    group                *more = realloc(v->groups, sizeof *more * ((size_t)v->group_count + (size_t)list->count + 1));
    if (more == NULL)
        return false;
    v->groups = more;
    for (int i = 0; i < list->count; i++) {
        size_t size = 0;
        if (c->verdicts[i].done || (list->values[i].slow && !slow))
            continue;
        for (int k = i; k < list->count; k++)
            if (is_in_group(list, i, k)) {
                c->verdicts[k].done = true; // has its run
                size += sizeof(verdict);
            }
        v->groups[v->group_count++] = (group){chapter_index, i};
        v->runs.size = size > v->runs.size ? size : v->runs.size;
        c->runs_left++;
    }
    return true;
}

static bool prepare(verification *v, int count, const char *const *names, bool slow)
{
    v->chapters = calloc((size_t)(count > 0 ? count : v->gallery->count) + 1, sizeof *v->chapters);
    v->runs.size = sizeof(verdict);
    bool good = v->chapters != NULL;
    for (int i = 0; i < (count > 0 ? count : v->gallery->count) && good; i++) {
        int index = count > 0 ? gallery_find(v->gallery, names[i]) : i;
        v->chapter_count++;
        good = read_chapter(v, index, &v->chapters[i]) && find_groups(v, i, slow);
    }
    if (!good)
        print_error("out of memory");
    v->runs.count = v->group_count;
    return good && rows_allocate(&v->runs);
}

static void verification_free(verification *v)
{
    for (int i = 0; i < v->chapter_count; i++) {
        reference_list_free(&v->chapters[i].list);
        free(v->chapters[i].verdicts);
    }
    free(v->chapters);
    free(v->groups);
    rows_free(&v->runs);
}

static int verify(verification *v)
{
    bool readable = true;
    print_ready(v);
    rows_outcome outcome = rows_run(&v->runs);
    if (outcome != ROWS_FINISHED)
        return EXIT_NUMERIC;
    for (int i = 0; i < v->chapter_count; i++)
        readable = readable && v->chapters[i].readable;
    printf("\n%d of %d reference values hold", v->all.kept, v->all.kept + v->all.failed);
    if (v->all.left_out > 0)
        printf("; left out as slow: %d (--slow runs them)", v->all.left_out);
    putchar('\n');
    if (!finish_output(stdout) || !readable)
        return EXIT_INPUT;
    return v->all.failed > 0 ? EXIT_BROKEN : EXIT_FINE;
}

int gallery_verify(const gallery *g, int count, const char *const *names, bool slow, int jobs)
{
    verification v = {.gallery = g};
    for (int i = 0; i < count; i++)
        if (gallery_find(g, names[i]) < 0)
            return EXIT_INPUT;
    v.runs = (row_work){.jobs = jobs, .user = &v, .run = run_group, .lose = lose_group, .show = show_group};
    int status = prepare(&v, count, names, slow) ? verify(&v) : EXIT_INPUT;
    verification_free(&v);
    return status;
}
