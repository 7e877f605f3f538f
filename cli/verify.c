// zeno gallery --verify: runs what the reference values of a problem ask for and compares. Values with equal options
// share one run.
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

static zn_status after_step(void *user, const zn_sim *sim)
{
    progress_step(user, sim);
    return ZN_OK;
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

// Run with the options of values[first] and judge all values that have the same.
static void run_group(const gallery *g, int index, const reference_list *list, int first, verdict *verdicts)
{
    const char   *options_text = list->values[first].options;
    char         *copy = strdup(options_text), model[GALLERY_PATH];
    memory_record record = {0};
    run_options   options = {0};
    bool          understood = copy != NULL && parse_options(copy, &options);
    gallery_path(g, index, understood && options.rest.count > 0 ? options.rest.items[0] : "model.yaml", model);
    zn_status status = understood ? run_in_memory(model, &options, &record) : ZN_ERR_ARGUMENT;
    for (int i = first; i < list->count; i++) {
        if (strcmp(list->values[i].options, options_text) != 0 || verdicts[i].done)
            continue;
        verdicts[i].done = true;
        if (status == ZN_OK)
            compare(&list->values[i], &record, &verdicts[i]);
        else
            snprintf(verdicts[i].message, MESSAGE, "the run failed: %s", zn_status_text(status));
    }
    memory_record_free(&record);
    run_options_free(&options);
    free(copy);
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
        printf("  %-*s  %s: %s\n", width, "", v->measure, r->message);
}

static void print_table(const char *name, const reference_list *list, const verdict *verdicts, tally *all)
{
    int width = 8;
    for (int i = 0; i < list->count; i++)
        if (verdicts[i].done && (int)strlen(list->values[i].id) > width)
            width = (int)strlen(list->values[i].id);
    printf("%s%s%s\n", style_on(stdout, STYLE_BOLD), name, style_off(stdout));
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

static bool verify_problem(const gallery *g, int index, bool slow, tally *all)
{
    char           reference[GALLERY_PATH];
    reference_list list;
    gallery_path(g, index, "reference.csv", reference);
    if (access(reference, F_OK) != 0) {
        printf("%s%s%s\n  no reference values\n", style_on(stdout, STYLE_BOLD), g->names[index], style_off(stdout));
        return true;
    }
    if (!reference_list_read(reference, &list))
        return false;
    verdict *verdicts = calloc((size_t)list.count + 1, sizeof *verdicts);
    if (verdicts == NULL) {
        reference_list_free(&list);
        return false;
    }
    for (int i = 0; i < list.count; i++)
        if (!verdicts[i].done && (slow || !list.values[i].slow))
            run_group(g, index, &list, i, verdicts);
    print_table(g->names[index], &list, verdicts, all);
    free(verdicts);
    reference_list_free(&list);
    return true;
}

int gallery_verify(const gallery *g, int count, const char *const *names, bool slow)
{
    tally all = {0};
    bool  readable = true;
    for (int i = 0; i < count; i++)
        if (gallery_find(g, names[i]) < 0)
            return EXIT_INPUT;
    for (int i = 0; i < (count > 0 ? count : g->count); i++) {
        int index = count > 0 ? gallery_find(g, names[i]) : i;
        readable = verify_problem(g, index, slow, &all) && readable;
    }
    printf("\n%d of %d reference values hold", all.kept, all.kept + all.failed);
    if (all.left_out > 0)
        printf("; left out as slow: %d (--slow runs them)", all.left_out);
    putchar('\n');
    if (!finish_output(stdout) || !readable)
        return EXIT_INPUT;
    return all.failed > 0 ? EXIT_BROKEN : EXIT_FINE;
}
