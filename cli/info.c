// zeno info: what a model describes, or what a result holds.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "certificate.h"
#include "command.h"
#include "json.h"
#include "terminal.h"

enum { EVENTS_SHOWN = 20 };

// --- models --------------------------------------------------------------------------------------

static void print_limit(const char *name, double value, const char *unit)
{
    if (!isnan(value))
        printf("  limit          %s <= %.3g%s%s\n", name, value, unit[0] ? " " : "", unit);
}

static void print_model(const simulation *s)
{
    zn_system_info info = zn_system_get_info(s->sys);
    printf("%s%s%s\n", style_on(stdout, STYLE_BOLD), heading_of(s->problem->title, s->problem->path),
           style_off(stdout));
    printf("  space          %s\n", info.planar ? "planar" : "spatial");
    printf("  nodes          %d\n", info.nodes);
    printf("  parts          %d\n  elements       %d\n", info.parts, info.elements);
    printf("  freedom        %d, and %d fixed\n", info.n, info.n_all - info.n);
    printf("  contacts       %d at most\n", info.contacts_max);
    printf("  equations      %s\n", info.linear ? "linear (operators are factored once)" : "nonlinear");
    printf("  scheme         %s\n", s->def.scheme.scheme);
    if (s->def.statics)
        printf("  load           %" PRId64 " steps\n", zn_sim_grid_steps(s->sim));
    else
        printf("  time           %" PRId64 " steps of %.6g s, from %.9g s to %.9g s\n", zn_sim_grid_steps(s->sim),
               s->def.step, s->def.start, zn_sim_get_def(s->sim)->until);
    for (int i = 0; i < s->problem->parameter_count; i++)
        printf("  parameter      %s = %.9g\n", s->problem->parameters[i].name, s->problem->parameters[i].value);
    for (int i = 0; i < zn_sim_series_count(s->sim); i++) {
        const zn_series *series = &zn_sim_series(s->sim)[i];
        printf("  record         %s: %s", series->name, series->path);
        if (series->unit[0] != '\0')
            printf(" [%s]", series->unit);
        if (series->columns > 1)
            printf(", %d columns", series->columns);
        putchar('\n');
    }
#define LIMIT(name, label, unit, ...) print_limit(#name, s->def.limits.name, unit);
    ZN_WORST_LIST(LIMIT)
#undef LIMIT
}

static int info_model(const char *path, const run_options *options)
{
    simulation s;
    zn_status  status = simulation_read(path, options, terminal_log(), &s);
    if (status == ZN_OK)
        status = simulation_create(&s);
    if (status == ZN_OK)
        print_model(&s);
    simulation_close(&s);
    return exit_of(status);
}

// --- results -------------------------------------------------------------------------------------

// Name of a column: "name" or "name.component".
static void column_name(zn_result_series s, int column, char *name, size_t size)
{
    const char *component = s.components;
    for (int i = 0; i < column; i++) {
        component += strcspn(component, " ");
        component += strspn(component, " ");
    }
    int length = (int)strcspn(component, " ");
    if (length > 0)
        snprintf(name, size, "%s.%.*s", s.name, length, component);
    else if (s.columns > 1)
        snprintf(name, size, "%s.%d", s.name, column);
    else
        snprintf(name, size, "%s", s.name);
}

static void print_columns(zn_result_series s, const double *values, int64_t rows)
{
    for (int j = 0; j < s.columns; j++) {
        double least = NAN, most = NAN; // of what is a number
        char   name[96];
        for (int64_t i = 0; i < rows; i++) {
            least = fmin(least, values[i * s.columns + j]);
            most = fmax(most, values[i * s.columns + j]);
        }
        column_name(s, j, name, sizeof name);
        printf("  %-24s %-8s %14.6g %14.6g %14.6g\n", name, s.unit, least, most, values[(rows - 1) * s.columns + j]);
    }
}

static zn_status print_series(const zn_result *result)
{
    int64_t rows = zn_result_rows(result);
    if (rows == 0)
        return ZN_OK;
    printf("\n%s  %-24s %-8s %14s %14s %14s%s\n", style_on(stdout, STYLE_BOLD), "series", "unit", "min", "max", "final",
           style_off(stdout));
    for (int i = 0; i < zn_result_series_count(result); i++) {
        zn_result_series s = zn_result_series_at(result, i);
        double          *values = calloc((size_t)rows * (size_t)s.columns, sizeof *values);
        zn_status        status = values == NULL ? ZN_ERR_MEMORY : zn_result_read(result, i, values);
        if (status == ZN_OK)
            print_columns(s, values, rows);
        free(values);
        ZN_TRY(status);
    }
    return ZN_OK;
}

static zn_status print_events(const zn_result *result, bool all)
{
    int64_t count = zn_result_event_count(result);
    int64_t shown = all || count <= EVENTS_SHOWN ? count : EVENTS_SHOWN;
    if (count == 0)
        return ZN_OK;
    zn_result_event *events = calloc((size_t)count, sizeof *events);
    zn_status        status = events == NULL ? ZN_ERR_MEMORY : zn_result_events(result, events);
    if (status == ZN_OK)
        printf("\n%s  %-20s %-8s %14s %14s %14s %14s %14s%s\n", style_on(stdout, STYLE_BOLD), "contact", "kind",
               "from [s]", "to [s]", "impulse [N s]", "peak [N]", "approach [m/s]", style_off(stdout));
    for (int64_t i = 0; i < shown && status == ZN_OK; i++) {
        const zn_result_event *e = &events[i];
        printf("  %-20s %-8s %14.9g %14.9g %14.6g %14.6g %14.6g%s%s%s\n", e->name, e->impact ? "impact" : "lasting",
               e->closed_at, e->opened_at, e->impulse, e->peak_force, e->approach, *e->pair ? "  " : "", e->pair,
               e->open ? "" : "  still closed");
    }
    if (shown < count)
        printf("  ... %" PRId64 " more (--events shows all)\n", count - shown);
    free(events);
    return status;
}

static zn_status print_result(const char *path, const zn_result *result, bool all_events)
{
    double  last = NAN;
    int64_t rows = zn_result_rows(result);
    double *t = calloc((size_t)rows + 1, sizeof *t);
    if (t == NULL || zn_result_time(result, t) != ZN_OK) {
        free(t);
        return ZN_ERR_IO;
    }
    if (rows > 0)
        last = t[rows - 1];
    free(t);
    summary s = summary_of_result(result);
    s.result = NULL;
    if (zn_result_is_finished(result))
        certificate_print(stdout, &s);
    else
        printf("%s%s%s\n%s, step %.6g s\n%sunfinished%s: the run goes on or was killed; no certificate\n",
               style_on(stdout, STYLE_BOLD), s.title, style_off(stdout), s.scheme, s.step,
               style_on(stdout, STYLE_CAUTION), style_off(stdout));
    printf("\n%s: %" PRId64 " rows up to t = %.9g s, written by zeno %s\n  %s\n", tamed(path), rows, last,
           zn_result_text(result, "version"), zn_result_text(result, "command"));
    double checkpoint = zn_result_checkpoint_time(result);
    if (!isnan(checkpoint))
        printf("  checkpoint at t = %.9g s, for zeno run --restart\n", checkpoint);
    ZN_TRY(print_series(result));
    return print_events(result, all_events);
}

static int info_result(const char *path, bool json, bool all_events)
{
    zn_result *result;
    zn_status  status = zn_result_open(path, terminal_log(), &result);
    if (status != ZN_OK)
        return EXIT_INPUT;
    if (json) {
        summary s = summary_of_result(result);
        s.result = path;
        json_print(stdout, &s);
    } else
        status = print_result(path, result, all_events);
    zn_result_close(result);
    return exit_of(status);
}

// --- the verb ------------------------------------------------------------------------------------

static bool is_hdf5(const char *path)
{
    struct stat                there;
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char              head[8];
    FILE *file = stat(path, &there) == 0 && S_ISREG(there.st_mode) ? fopen(path, "rb") : NULL; // a pipe would wait
    if (file == NULL)
        return false;
    size_t got = fread(head, 1, sizeof head, file);
    fclose(file);
    return got == sizeof head && memcmp(head, signature, sizeof head) == 0;
}

static int info(int argc, char **argv)
{
    run_options  options = {.step = {.value = NAN}, .until = NAN, .memory_limit = NAN, .output_limit = NAN};
    bool         events = false;
    const option table[] = {{"set", 0, OPTION_LIST, &options.set},
                            {"scheme", 0, OPTION_TEXT, &options.scheme},
                            {"step", 0, OPTION_STEP, &options.step},
                            {"until", 0, OPTION_TIME, &options.until},
                            {"events", 0, OPTION_FLAG, &events},
                            {"json", 0, OPTION_FLAG, &options.json},
                            OPTION_ALLOW_PATH};
    int          status = EXIT_INPUT;
    if (!options_parse("info", sizeof table / sizeof *table, table, argc, argv, &options.rest))
        status = EXIT_INPUT;
    else if (options.rest.count != 1)
        print_error("%s (zeno help info)", options.rest.count == 0 ? "which model or result?" : "one file at a time");
    else if (is_hdf5(options.rest.items[0]))
        status = info_result(options.rest.items[0], options.json, events);
    else
        status = info_model(options.rest.items[0], &options);
    run_options_free(&options);
    return finish_output(stdout) ? status : EXIT_INPUT;
}

const command info_command = {
    .name = "info",
    .summary = "describe a model or a result",
    .help =
        "usage: zeno info MODEL [--set NAME=VALUE]... [--scheme NAME] [--step H] [--until T] [--allow-path DIR]...\n"
        "       zeno info RESULT [--events] [--json]\n"
        "\n"
        "Of a model: its size, scheme, steps, parameters and records. Of a result: the certificate, every\n"
        "series with its smallest, largest and last value, and the events (--events: all of them).\n"
        "--json prints the summary of a result as JSON. Works on files of running and killed runs too.\n"
        "\n"
        "examples:\n"
        "  zeno info bounce.yaml\n"
        "  zeno info bounce.zeno.h5\n",
    .run = info,
    .guarded = true,
};
