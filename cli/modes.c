// zeno modes: frequencies and shapes of small motions about an equilibrium.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json_writer.h"
#include "modes_result.h"
#include "options.h"
#include "terminal.h"
#include "view.h"

static const double pi = 3.14159265358979323846;

typedef struct modes_options {
    run_options run; // set, output, no_output, json, quiet, view, rest
    double      count;
    bool        start;
} modes_options;

typedef struct job {
    simulation          s;
    zn_state           *state;
    zn_equilibrium_info balance;
    bool                balanced;
    zn_modes           *modes;
    char               *output, *command;
} job;

static bool parse(int argc, char **argv, modes_options *out)
{
    *out = (modes_options){.run = {.step = {.value = NAN},
                                   .until = NAN,
                                   .dump_every = NAN,
                                   .checkpoint_every = NAN,
                                   .memory_limit = NAN,
                                   .output_limit = NAN},
                           .count = 10};
    const option table[] = {
        {"count", 'n', OPTION_NUMBER, &out->count},
        {"start", 0, OPTION_FLAG, &out->start},
        {"set", 0, OPTION_LIST, &out->run.set},
        {"output", 'o', OPTION_TEXT, &out->run.output},
        {"no-output", 0, OPTION_FLAG, &out->run.no_output},
        {"view", 0, OPTION_FLAG, &out->run.view},
        {"json", 0, OPTION_FLAG, &out->run.json},
        {"quiet", 'q', OPTION_FLAG, &out->run.quiet},
        OPTION_ALLOW_PATH,
    };
    if (!options_parse("modes", sizeof table / sizeof *table, table, argc, argv, &out->run.rest))
        return false;
    if (out->run.rest.count != 1)
        print_error(out->run.rest.count == 0 ? "which model? (zeno help modes)"
                                             : "one model at a time (zeno help modes)");
    else if (!(out->count >= 1 && out->count <= 1e6 && out->count == floor(out->count)))
        print_error("--count: %g is not a number of modes", out->count);
    else
        return true;
    return false;
}

// --- modes ---------------------------------------------------------------------------------------

// A model for a run with motion has options for the equilibrium, too: the defaults.
static zn_status find(job *j, const modes_options *options)
{
    zn_modes_def       def = zn_modes_def_default();
    zn_equilibrium_def rest = j->s.def.equilibrium;
    zn_log             log = terminal_log();
    def.friction = rest.friction;
    ZN_TRY(zn_state_create(j->s.sys, &j->state));
    j->state->t = j->s.def.start;
    memset(j->state->v, 0, sizeof *j->state->v * (size_t)zn_system_get_info(j->s.sys).n_all);
    ZN_TRY(zn_state_update(j->s.sys, j->state));
    if (!options->start) {
        rest.log = log;
        rest.unstable = ZN_UNSTABLE_IGNORE; // the modes tell
        ZN_TRY(zn_equilibrium_solve(j->s.sys, &rest, j->state, &j->balance));
        j->balanced = true;
    }
    def.count = (int)options->count;
    def.linear_solver = rest.linear_solver;
    def.log = log;
    return zn_modes_find(j->s.sys, &def, j->state, &j->modes);
}

static zn_status write_result(job *j, const modes_options *options, int argc, char **argv)
{
    if (options->run.no_output)
        return ZN_OK;
    const char *given = options->run.output, *path = options->run.rest.items[0], *slash = strrchr(path, '/');
    const char *stem = given != NULL ? given : slash != NULL ? slash + 1 : path, *dot = strrchr(stem, '.');
    int         length = given != NULL || dot == NULL || dot == stem ? (int)strlen(stem) : (int)(dot - stem);
    j->output = malloc((size_t)length + sizeof ".modes.zeno.h5");
    j->command = command_line(argc, argv);
    if (j->output == NULL || j->command == NULL)
        return ZN_ERR_MEMORY;
    sprintf(j->output, "%.*s%s", length, stem, given != NULL ? "" : ".modes.zeno.h5");
    return modes_write(j->output, &j->s, j->state->q, j->modes, j->command, terminal_log());
}

// --- what is printed -----------------------------------------------------------------------------

static double share(double part, double all) { return all > 0 ? 100 * part / all : 0; }

static void print_line(int number, const zn_mode *mode, const zn_modes *all)
{
    if (mode->square < 0)
        printf("%6d  %sunstable%s, grows e-fold in %-9.4g s", number, style_on(stdout, STYLE_BAD), style_off(stdout),
               1 / sqrt(-mode->square));
    else
        printf("%6d  %16.9g  %16.9g ", number, mode->frequency, 2 * pi * mode->frequency);
    printf("  %6.2f %6.2f %6.2f\n", share(mode->mass.x, all->mass.x), share(mode->mass.y, all->mass.y),
           share(mode->mass.z, all->mass.z));
}

static void print_table(const job *j)
{
    const zn_modes *m = j->modes;
    const char     *title = j->s.problem->title;
    printf("%s%s%s\n", style_on(stdout, STYLE_BOLD), heading_of(title, j->s.problem->path), style_off(stdout));
    printf("modes about %s, damping left out\n\n",
           j->balanced ? "the static equilibrium" : "the initial configuration");
    printf("  mode    frequency [Hz]         w [rad/s]   mass x, y, z [%%]\n");
    for (int k = 0; k < m->count; k++)
        print_line(k + 1, &m->mode[k], m);
    if (m->count == 0)
        printf("  none: joints, contacts and friction hold all that has a mass\n");
    printf("\n  mass               (%.6g, %.6g, %.6g) kg\n", m->mass.x, m->mass.y, m->mass.z);
    if (m->neutral > 0)
        printf("  nothing holds      %d motion%s\n", m->neutral, m->neutral == 1 ? "" : "s");
    if (m->negative > 0)
        printf("  %sUNSTABLE%s           %d mode%s grow%s\n", style_on(stdout, STYLE_BAD), style_off(stdout),
               m->negative, m->negative == 1 ? "" : "s", m->negative == 1 ? "s" : "");
    if (j->output != NULL)
        printf("\nresults in %s\n", tamed(j->output));
}

static void print_json(const job *j)
{
    const zn_modes *m = j->modes;
    json_writer     w = {.out = stdout};
    json_open(&w, NULL);
    json_text(&w, "zeno", zn_version());
    json_text(&w, "title", j->s.problem->title);
    json_text(&w, "model", j->s.problem->path);
    json_text(&w, "result", j->output);
    json_text(&w, "about", j->balanced ? "equilibrium" : "start");
    json_count(&w, "negative", m->negative);
    json_count(&w, "neutral", m->neutral);
    json_list(&w, "mass", 3, (double[]){m->mass.x, m->mass.y, m->mass.z});
    json_open_array(&w, "modes");
    for (int k = 0; k < m->count; k++) {
        const zn_mode *mode = &m->mode[k];
        json_open(&w, NULL);
        json_number(&w, "frequency", mode->frequency);
        json_number(&w, "square", mode->square);
        json_list(&w, "mass", 3, (double[]){mode->mass.x, mode->mass.y, mode->mass.z});
        json_close(&w);
    }
    json_close_array(&w);
    json_close(&w);
    putchar('\n');
}

// --- the verb ------------------------------------------------------------------------------------

static int run_modes(const modes_options *options, int argc, char **argv)
{
    job       j = {0};
    zn_status status = simulation_read(options->run.rest.items[0], &options->run, terminal_log(), &j.s);
    if (status == ZN_OK)
        status = find(&j, options);
    if (status == ZN_OK)
        status = write_result(&j, options, argc, argv);
    int exit_status = exit_of(status);
    if (status == ZN_OK && options->run.json)
        print_json(&j);
    else if (status == ZN_OK && !options->run.quiet)
        print_table(&j);
    if (!finish_output(stdout))
        exit_status = EXIT_INPUT;
    if (status == ZN_OK && options->run.view && j.output != NULL &&
        view_files(1, (const char *const *)&j.output, NULL, true, options->run.quiet || options->run.json) != EXIT_FINE)
        exit_status = EXIT_INPUT;
    zn_modes_destroy(j.modes);
    zn_state_destroy(j.state);
    simulation_close(&j.s);
    free(j.output);
    free(j.command);
    return exit_status;
}

static int modes(int argc, char **argv)
{
    modes_options options;
    int           status = parse(argc, argv, &options) ? run_modes(&options, argc, argv) : EXIT_INPUT;
    run_options_free(&options.run);
    return status;
}

const command modes_command = {
    .name = "modes",
    .summary = "frequencies and shapes of small motions about equilibrium",
    .help = "usage: zeno modes MODEL [options]\n"
            "\n"
            "Finds the static equilibrium of the model under its loads at the start, then the lowest modes\n"
            "of small motion about it: frequency, angular frequency w, and the share of the mass that moves\n"
            "with it along each axis. Stiffness from prestress, loads, joints and contacts counts. Contacts\n"
            "that carry force are held closed; what friction holds, of contacts and joints, stays where it\n"
            "is, unless the model says static: {friction: false}. Damping is left out. Motions that nothing\n"
            "holds have frequency 0; unstable ones grow and come first. That no mode is missing is checked\n"
            "by counting those below the last.\n"
            "\n"
            "The result file has one swing of each mode, drawn larger than life: its time counts the modes,\n"
            "mode k swings from k - 1/2 to k + 1/2. See it with 'zeno view' or, after 'zeno export', in\n"
            "ParaView.\n"
            "\n"
            "  -n, --count N      how many modes (default 10)\n"
            "  --start            about the configuration of the start as it is, no equilibrium; contacts\n"
            "                     hold nothing then\n"
            "  --set NAME=VALUE   parameter of the model; may be given several times\n"
            "  --allow-path DIR   let the model read files in this folder too, and below it; may be given several\n"
            "                     times. By itself it reads those in the folder of its own file and below\n"
            "  -o, --output FILE  result file (default: name of the model with .modes.zeno.h5, in this folder)\n"
            "  --no-output        write no result file\n"
            "  --view             write the report page beside the result and open it (see 'zeno view')\n"
            "  --json             print the modes as JSON\n"
            "  -q, --quiet        print nothing but errors\n"
            "\n"
            "Exit status: 0 all well, 2 bad input or a file that cannot be written, 3 no equilibrium or no\n"
            "modes were found.\n"
            "\n"
            "examples:\n"
            "  zeno modes bridge.yaml\n"
            "  zeno modes bridge.yaml --count 4 --set load=200 --no-output --json\n",
    .run = modes,
};
