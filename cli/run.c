// zeno run: simulate a model, write its results, print its certificate.
#include "run.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "certificate.h"
#include "command.h"
#include "dump.h"
#include "guarded.h"
#include "json.h"
#include "progress.h"
#include "ranks.h"
#include "terminal.h"
#include "view.h"

static volatile sig_atomic_t stop_wanted; // the signal: of Ctrl-C, or of the clock

static void want_stop(int signal_number) { stop_wanted = signal_number; }

// The clock strikes again and again: the second time whatever is not over yet is not waited for.
static void run_out(int signal_number)
{
    static const char message[] = "error: the time limit is over twice, within one step or before the first one\n";
    if (stop_wanted == signal_number)
        _exit(write(STDERR_FILENO, message, sizeof message - 1) > 0 ? EXIT_NUMERIC : EXIT_NUMERIC);
    stop_wanted = signal_number;
}

// The first signal ends the run after its step; a second one ends the program. A file that grew too large is an error
// like a full disk.
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = want_stop, .sa_flags = (int)SA_RESETHAND};
    struct sigaction ignore = {.sa_handler = SIG_IGN}, clock = {.sa_handler = run_out, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigemptyset(&ignore.sa_mask);
    sigemptyset(&clock.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) // nohup
        sigaction(SIGHUP, &action, NULL);
    sigaction(SIGALRM, &clock, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}

// Time by the clock, from now: reading the model counts. When it is over the run ends after its step; a step that takes
// as long again is not waited for (run_out).
static bool start_clock(double limit)
{
    const double most = 1e8;
    if (isnan(limit))
        return true;
    if (!(limit > 0 && limit <= most)) {
        print_error("--time-limit %g: a number of seconds above 0 and up to %g is expected", limit, most);
        return false;
    }
    struct timeval time = {.tv_sec = (time_t)limit, .tv_usec = 1 + (suseconds_t)((limit - floor(limit)) * 999998)};
    return setitimer(ITIMER_REAL, &(struct itimerval){.it_value = time, .it_interval = time}, NULL) == 0;
}

// --- one run -------------------------------------------------------------------------------------

// Everything of one run that has to be destroyed.
typedef struct job {
    simulation        simulation;
    zn_result_writer *writer;
    zn_recorder       results;                   // of all processes
    zn_restart       *restart;                   // NULL: from the start
    char             *output, *command, *failed; // failed: where a problem goes that was not solved
    double           *final;
    progress          line;
    dump              dump;
} job;

static zn_status after_step(void *user, const zn_sim *sim)
{
    job *j = user;
    ZN_TRY(ranks_agree(stop_wanted ? ZN_INTERRUPTED : ZN_OK));
    forget_reason();
    progress_step(&j->line, sim);
    return dump_step(&j->dump, zn_sim_grid_index(sim));
}

static zn_status look_for_stop(void *user)
{
    (void)user;
    return stop_wanted ? ZN_INTERRUPTED : ZN_OK;
}

static void job_free(job *j)
{
    simulation_close(&j->simulation);
    zn_result_writer_destroy(j->writer);
    zn_restart_close(j->restart);
    free(j->output);
    free(j->command);
    free(j->failed);
    free(j->final);
    dump_end(&j->dump);
}

// "ball.zeno.h5" -> "ball.failed.hdf5". Destroy with free().
static char *failed_path(const char *output)
{
    static const char *const endings[] = {".zeno.h5", ".h5", ".hdf5", ""};
    static const char        failed[] = ".failed.hdf5";
    size_t                   length = strlen(output), i = 0, end;
    while (end = strlen(endings[i]), end > length || strcmp(output + length - end, endings[i]) != 0)
        i++;
    char *path = malloc(length - end + sizeof failed);
    if (path != NULL)
        sprintf(path, "%.*s%s", (int)(length - end), output, failed);
    return path;
}

// A whole number of steps; prints what is wrong.
static bool read_steps(const char *name, double value, double least, int *out)
{
    if (isnan(value))
        return true;
    if (!(value >= least && value <= 1e9 && value == floor(value))) {
        print_error("--%s: %g is not a number of steps", name, value);
        return false;
    }
    *out = (int)value;
    return true;
}

// What differs from the run before is told by the library.
static zn_status start_restart(job *j, const run_options *options)
{
    if (!read_steps("checkpoint-every", options->checkpoint_every, 0, &j->simulation.def.checkpoint_every))
        return ZN_ERR_ARGUMENT;
    if (options->restart == NULL)
        return ZN_OK;
    return zn_restart_open(options->restart, j->simulation.problem, &j->simulation.def, &j->restart);
}

static zn_status start_writer(job *j, const char *stem, const run_options *options, int argc, char **argv)
{
    if (options->no_output || !ranks_first())
        return ZN_OK;
    const char *given = options->output != NULL ? options->output : stem;
    j->output = malloc(strlen(given) + sizeof ".zeno.h5");
    j->command = command_line(argc, argv);
    if (j->output == NULL || j->command == NULL)
        return ZN_ERR_MEMORY;
    sprintf(j->output, "%s%s", given, options->output != NULL ? "" : ".zeno.h5");
    j->failed = failed_path(j->output);
    ZN_TRY(zn_result_writer_continue(j->output, j->simulation.problem, &j->simulation.def, j->command, j->restart,
                                     terminal_log(), &j->writer));
    if (!isnan(options->output_limit))
        zn_result_writer_limit(j->writer, 1e9 * options->output_limit);
    j->results = zn_result_writer_recorder(j->writer);
    return ZN_OK;
}

static zn_status start_dump(job *j, const char *stem, const run_options *options)
{
    int every = 1;
    if (!read_steps("dump-every", options->dump_every, 1, &every))
        return ZN_ERR_ARGUMENT;
    if (ranks_count() > 1 && options->dump_problems != NULL) {
        print_error("--dump-problems: problems of several processes are not written: use one");
        return ZN_ERR_ARGUMENT;
    }
    ZN_TRY(dump_begin(&j->dump, options->dump_problems, every, stem, j->simulation.problem->title));
    j->simulation.def.scheme.observer = dump_observer(&j->dump);
    return ZN_OK;
}

// The simulation, at its start or at the checkpoint; the equilibrium of the start is not sought again then.
static zn_status start_simulation(job *j, const run_options *options)
{
    simulation *s = &j->simulation;
    size_t      size = 0;
    s->def.recorder = ranks_recorder(j->results);
    s->def.progress = after_step;
    s->def.equilibrium.poll = look_for_stop;
    s->def.progress_user = j;
    if (j->restart != NULL) {
        s->def.start_at_equilibrium = false;
        s->def.start_penetration = INFINITY; // it was looked at when the run began
    }
    ZN_TRY(simulation_create(s));
    if (options->scheme == NULL && zn_sim_refuse_limits(s->sim) > 0) // another scheme is judged at the end
        return ZN_ERR_ARGUMENT;
    if (j->restart == NULL)
        return ZN_OK;
    const void *data = zn_restart_data(j->restart, &size);
    zn_status   status = ranks_checkpoint(data, size, &data, &size);
    return ranks_agree(status == ZN_OK ? zn_sim_restart(s->sim, data, size) : status);
}

// Tell what stopped the run, or which limits it broke.
static int judge(const job *j, zn_status outcome)
{
    const simulation *s = &j->simulation;
    zn_log            log = terminal_log();
    int               every = zn_sim_get_def(s->sim)->checkpoint_every;
    bool              goes_on = j->output != NULL && every > 0 && zn_sim_grid_index(s->sim) > every;
    if (outcome == ZN_OK)
        return zn_certificate_check(zn_sim_certificate(s->sim), &s->def.limits, s->sys, &log) > 0 ? EXIT_BROKEN
                                                                                                  : EXIT_FINE;
    if (outcome == ZN_INTERRUPTED && stop_wanted == SIGALRM)
        print_error("the time limit is over at t = %.9g s%s%s", zn_sim_state(s->sim)->t,
                    goes_on ? "; to go on: --restart " : "", goes_on ? j->output : "");
    else if (outcome == ZN_INTERRUPTED && s->def.statics)
        print_error("interrupted beyond %.6g of the loads", zn_sim_state(s->sim)->t);
    else if (outcome == ZN_INTERRUPTED)
        print_error("interrupted at t = %.9g s%s%s", zn_sim_state(s->sim)->t, goes_on ? "; to go on: --restart " : "",
                    goes_on ? j->output : "");
    return exit_of(outcome); // other failures were told by who met them
}

static int report(job *j, const run_options *options, zn_status outcome)
{
    const simulation *s = &j->simulation;
    summary           sum = summary_of_simulation(s, outcome);
    int               exit_status = judge(j, outcome);
    sum.result = outcome == ZN_ERR_IO ? NULL : j->output;
    j->final = ranks_final(s->sim, &sum.series_count, &sum.series);
    sum.final = j->final;
    if (options->json && ranks_first())
        json_print(stdout, &sum);
    else if (!options->quiet && ranks_first())
        certificate_print(stdout, &sum);
    return finish_output(stdout) ? exit_status : EXIT_INPUT;
}

static int run_here(const char *path, const char *stem, const run_options *options, int argc, char **argv)
{
    job j = {0};
    catch_signals();
    if (!start_clock(options->time_limit) || !limit_resources(options))
        return EXIT_INPUT;
    zn_status status = simulation_read(path, options, terminal_log(), &j.simulation);
    if (status == ZN_OK)
        status = start_restart(&j, options);
    if (status == ZN_OK)
        status = start_writer(&j, stem, options, argc, argv);
    if (status == ZN_OK)
        status = start_dump(&j, stem, options);
    if (status == ZN_OK)
        status = start_simulation(&j, options);
    if (status != ZN_OK) {
        if (status == ZN_INTERRUPTED)
            print_error("interrupted on the way to the equilibrium of the start");
        job_free(&j);
        return exit_of(status);
    }
    j.line = progress_begin(!options->quiet && ranks_first(), j.simulation.def.start, j.simulation.def.until);
    progress_skip(&j.line, zn_sim_grid_index(j.simulation.sim));
    zn_status outcome = zn_sim_run(j.simulation.sim);
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    progress_end(&j.line);
    if (outcome > 0 && outcome != ZN_INTERRUPTED)
        dump_failure(&j.dump, zn_sim_state(j.simulation.sim)->t, zn_sim_grid_index(j.simulation.sim) + 1, j.failed);
    int exit_status = report(&j, options, outcome);
    j.writer = zn_result_writer_destroy(j.writer);
    if (options->view && outcome != ZN_ERR_IO && j.output != NULL &&
        view_files(1, (const char *const *)&j.output, NULL, true, options->quiet || options->json) != EXIT_FINE)
        exit_status = EXIT_INPUT;
    job_free(&j);
    return exit_status;
}

int run_model(const char *path, const char *stem, const run_options *options, int argc, char **argv)
{
    return ranks_begin() ? ranks_end(run_here(path, stem, options, argc, argv)) : EXIT_INPUT;
}

// --- the verb ------------------------------------------------------------------------------------

// "folder/ball.yaml" -> "ball". Destroy with free().
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char       *stem = strdup(slash != NULL ? slash + 1 : path);
    char       *dot = stem != NULL ? strrchr(stem, '.') : NULL;
    if (dot != NULL && dot != stem)
        *dot = '\0';
    return stem;
}

// "folder/ball.zeno.h5.part" -> "ball". Destroy with free().
static char *stem_of_result(const char *path)
{
    static const char *const endings[] = {".part", ".h5", ".zeno"};
    const char              *slash = strrchr(path, '/');
    char                    *stem = strdup(slash != NULL ? slash + 1 : path);
    for (size_t i = 0; stem != NULL && i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(stem), end = strlen(endings[i]);
        if (length > end && strcmp(stem + length - end, endings[i]) == 0)
            stem[length - end] = '\0';
    }
    return stem;
}

// What is read of the result before, and the model in it where no other is given.
static void read_before(const void *what)
{
    const run_options *options = what;
    zn_problem        *problem = NULL;
    if (zn_restart_rehearse(options->restart) == ZN_OK && options->rest.count == 0)
        problem_read(options->restart, true, &options->set, (zn_log){0}, &problem);
}

static int run(int argc, char **argv)
{
    run_options options;
    int         status = EXIT_INPUT;
    if (!run_options_parse("run", argc, argv, &options) ||
        (options.restart != NULL && !reads_guarded("run", read_before, &options)))
        status = EXIT_INPUT;
    else if (options.rest.count == 0 && options.restart != NULL) {
        char *stem = stem_of_result(options.restart);
        status = stem == NULL ? EXIT_INPUT : run_model(NULL, stem, &options, argc, argv);
        free(stem);
    } else if (options.rest.count != 1)
        print_error(options.rest.count == 0 ? "which model? (zeno help run)" : "one model at a time (zeno help run)");
    else {
        char *stem = stem_of(options.rest.items[0]);
        status = stem == NULL ? EXIT_INPUT : run_model(options.rest.items[0], stem, &options, argc, argv);
        free(stem);
    }
    run_options_free(&options);
    return status;
}

const command run_command = {
    .name = "run",
    .summary = "simulate a model and write its results",
    .help = "usage: zeno run MODEL [options]\n"
            "       zeno run --restart FILE [options]\n"
            "\n"
            "Simulates the model file MODEL, writes the results and prints the certificate: how well\n"
            "contacts, equations and the energy balance were kept.\n"
            "\n"
            "  --scheme NAME[:option=value,...]\n"
            "                     time-stepping scheme instead of the model's. The scheme of the model\n"
            "                     keeps its options, another one starts from the defaults; without NAME\n"
            "                     only options change. Schemes and options are listed below\n"
            "  --step H           time step [s], or with a unit: '0.1 ms'; '0.9 cfl': that much of\n"
            "                     the critical step\n"
            "  --until T          end of the run [s], or with a unit: '500 ms'\n"
            "  --set NAME=VALUE   parameter of the model, or a value of the model file by its path, such\n"
            "                     as joints.pin.play.radius; may be given several times\n"
            "  -o, --output FILE  result file (default: name of the model with .zeno.h5, in this folder)\n"
            "  --no-output        write no result file\n"
            "  --dump-problems DIR\n"
            "                     write the friction and complementarity problems of each step into DIR as\n"
            "                     FCLIB files NAME-STEP-LEVEL.hdf5, for 'zeno solve'\n"
            "  --dump-every N     only those of every Nth step\n"
            "  --checkpoint-every N\n"
            "                     steps between checkpoints (default: checkpoint_every of the model, 100);\n"
            "                     0: none. They are in the result file\n"
            "  --restart FILE     go on from the last checkpoint of the result file FILE, finished, interrupted\n"
            "                     or killed (NAME.zeno.h5.part), as if the run had never ended\n"
            "  --allow-path DIR   let the model read files in this folder too, and below it; may be given several\n"
            "                     times. By itself it reads those in the folder of its own file and below\n"
            "  --time-limit S     end the run after that many seconds by the clock, as Ctrl-C does; one that takes\n"
            "                     twice as long to get there is ended at once, with status 3\n"
            "  --memory-limit GB  take no more memory, of addresses: larger models are refused before they are built;\n"
            "                     default: nine tenths of the machine's\n"
            "  --output-limit GB  write no larger file: records that would take more are refused before the\n"
            "                     first step\n"
            "  --view             write the report page beside the result and open it (see 'zeno view')\n"
            "  --json             print the summary as JSON\n"
            "  -q, --quiet        print nothing but errors\n"
            "\n"
            "Ctrl-C ends the run after the current step and completes the result file. A run that ends\n"
            "because a problem was not solved writes that problem beside the result, as\n"
            "NAME.failed.hdf5, or into DIR.\n"
            "\n"
            "A restart takes the model and options of the run before, and gives its numbers to the last\n"
            "bit; --until, limits and what is recorded may change. The new file begins with the rows,\n"
            "events and frames up to the checkpoint, and may have the name of the old one. Without MODEL\n"
            "the model in the result is taken, with the files it included, as they were.\n"
            "\n"
            "Exit status: 0 all well, 1 a limit of the model was broken, 2 bad input or a file that\n"
            "cannot be read or written, 3 numerical failure, out of memory, out of time or interrupted.\n"
            "\n"
            "examples:\n"
            "  zeno run bounce.yaml\n"
            "  zeno run bounce.yaml --set e=0.8 --step 1e-4 -o e08.zeno.h5\n"
            "  zeno run bounce.yaml --scheme moreau_jean:theta=1,gamma=0.5 --no-output --json\n"
            "  zeno run bounce.yaml --restart bounce.zeno.h5 --until 5\n",
    .run = run,
};
