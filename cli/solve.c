// zeno solve: friction problems from FCLIB files, solved and judged.
#include "solve.h"

#include <errno.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "command.h"
#include "options.h"
#include "suggest.h"
#include "terminal.h"

enum { SOLVERS = 16 }; // more than there are

typedef struct solve_options {
    zn_fc_settings settings;
    bool           all, json, force;
    const char    *write; // NULL: no; "": into the file itself
    text_list      rest;
} solve_options;

// --- one problem ---------------------------------------------------------------------------------

// A problem, its answer by the best solver so far, and memory.
typedef struct job {
    zn_fclib_file   *file;
    zn_fc_workspace *workspace, *reduced_by; // the second keeps W of a global problem
    zn_fc_problem    reduced;
    solve_facts      facts;
    solve_run        runs[SOLVERS];
    int              run_count, best; // best: fastest that converged, -1: none
    double          *r, *u, *v;       // of the current run
    double          *best_r, *best_u, *best_v;
} job;

static void job_free(job *j)
{
    zn_fclib_destroy(j->file);
    zn_fc_workspace_destroy(j->workspace);
    zn_fc_workspace_destroy(j->reduced_by);
    double *const vectors[] = {j->r, j->u, j->v, j->best_r, j->best_u, j->best_v};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        free(vectors[i]);
}

static double entry(const zn_fc_problem *p, int i, int j)
{
    if (p->W != NULL)
        return p->W[(size_t)i * (size_t)p->n + (size_t)j];
    for (int e = p->sparse->start[i]; e < p->sparse->start[i + 1]; e++)
        if (p->sparse->column[e] == j)
            return p->sparse->value[e];
    return 0;
}

static double density(const zn_fc_problem *p)
{
    double filled = 0, all = (double)p->n * (double)p->n;
    if (p->W == NULL)
        filled = p->sparse->start[p->n];
    for (size_t e = 0; p->W != NULL && e < (size_t)p->n * (size_t)p->n; e++)
        filled += p->W[e] != 0;
    return filled / all;
}

static solve_facts facts_of(const job *j)
{
    const zn_fc_problem *p = &j->reduced;
    solve_facts          f = {.path = j->file->path,
                              .title = j->file->title,
                              .global = j->file->global != NULL,
                              .dimension = j->file->dimension,
                              .contacts = p->contacts,
                              .bilateral = p->bilateral,
                              .rows = p->n,
                              .density = density(p),
                              .mu_min = p->mu[0],
                              .mu_max = p->mu[0]};
    for (int c = 0; c < p->contacts; c++) {
        f.mu_min = fmin(f.mu_min, p->mu[c]);
        f.mu_max = fmax(f.mu_max, p->mu[c]);
    }
    return f;
}

static zn_status allocate(job *j)
{
    size_t         rows = (size_t)j->reduced.n, n = j->file->global != NULL ? (size_t)j->file->global->n : 0;
    double **const vectors[] = {&j->r, &j->u, &j->best_r, &j->best_u, &j->v, &j->best_v};
    for (int i = 0; i < 6; i++)
        if ((*vectors[i] = calloc((i < 4 ? rows : n) + 1, sizeof(double))) == NULL)
            return ZN_ERR_MEMORY;
    return ZN_OK;
}

static zn_status load(const char *path, const solve_options *options, job *j)
{
    char message[256];
    ZN_TRY(zn_fclib_read(path, terminal_log(), &j->file));
    const zn_fc_global *g = j->file->global;
    zn_status           status = g != NULL ? zn_fc_check_global(g, message, sizeof message)
                                           : zn_fc_check(j->file->reduced, message, sizeof message);
    if (status != ZN_OK && !options->force) {
        print_error("%s: %s", path, message);
        return ZN_ERR_ARGUMENT;
    }
    ZN_TRY(zn_fc_workspace_create(&j->workspace));
    ZN_TRY(zn_fc_workspace_create(&j->reduced_by));
    status = ZN_OK;
    if (g != NULL)
        status = zn_fc_reduce(g, j->reduced_by, &j->reduced);
    else
        j->reduced = *j->file->reduced;
    if (status != ZN_OK) {
        print_error("%s: M cannot be eliminated: %s", path, zn_status_text(status));
        return ZN_ERR_ARGUMENT;
    }
    j->facts = facts_of(j);
    return allocate(j);
}

// Which of the three cases each contact is in. With d the mean diagonal of its block of W, d r and u have one unit and
// of a complementary pair the larger one is not zero. A contact at the limit of friction slips when it moves at all.
static void count_cases(const zn_fc_problem *p, const double *r, const double *u, solve_run *run)
{
    double largest = 0;
    run->stick = run->slip = run->open = 0;
    for (int i = p->bilateral; i < p->n; i++)
        largest = fmax(largest, fmax(fabs(u[i]), fabs(p->q[i])));
    for (int c = 0; c < p->contacts; c++) {
        int    a = p->first[c], size = p->first[c + 1] - a;
        double d = 0, rt = 0, ut = 0;
        for (int i = a; i < a + size; i++)
            d += entry(p, i, i) / size;
        for (int i = a + 1; i < a + size; i++) {
            rt = hypot(rt, r[i]);
            ut = hypot(ut, u[i]);
        }
        if (u[a] >= d * r[a])
            run->open++;
        else if (ut > d * (p->mu[c] * r[a] - rt) && ut > 1e-9 * largest)
            run->slip++;
        else
            run->stick++;
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// From zero; the best iterate is kept, so that what is told of a failure is its residual.
static void run_solver(job *j, const char *solver, zn_fc_settings settings)
{
    solve_run *run = &j->runs[j->run_count];
    size_t     rows = (size_t)j->reduced.n;
    memset(j->r, 0, rows * sizeof *j->r);
    memset(j->u, 0, rows * sizeof *j->u);
    *run = (solve_run){.asked = solver};
    settings.solver = solver;
    settings.keep_best = true;
    double start = now();
    run->status = j->file->global != NULL
                      ? zn_fc_solve_global(j->file->global, &settings, j->workspace, j->v, j->r, j->u, &run->info)
                      : zn_fc_solve(j->file->reduced, &settings, j->workspace, j->r, j->u, &run->info);
    run->seconds = now() - start;
    run->info.residual = zn_fc_residual(&j->reduced, j->r); // told is what the judge says of this r
    run->info.residual_fclib = zn_fc_residual_fclib(&j->reduced, j->r);
    count_cases(&j->reduced, j->r, j->u, run);
    if (run->status == ZN_OK && (j->best < 0 || run->seconds < j->runs[j->best].seconds)) {
        j->best = j->run_count;
        memcpy(j->best_r, j->r, rows * sizeof *j->r);
        memcpy(j->best_u, j->u, rows * sizeof *j->u);
        if (j->file->global != NULL)
            memcpy(j->best_v, j->v, (size_t)j->file->global->n * sizeof *j->v);
    }
    j->run_count++;
}

// --- writing -------------------------------------------------------------------------------------

static zn_status write_solution(const job *j, const char *to)
{
    zn_fclib_answer answer = {j->best_r, j->best_u, j->best_v};
    return zn_fclib_write_solution(to, j->file, &answer, terminal_log());
}

// --- the verb ------------------------------------------------------------------------------------

static int solve_file(const char *path, const solve_options *options, json_writer *json)
{
    job       j = {.best = -1};
    zn_status status = load(path, options, &j);
    if (status == ZN_ERR_MEMORY)
        print_error("%s: %s", path, zn_status_text(status));
    if (status != ZN_OK) {
        job_free(&j);
        return EXIT_INPUT;
    }
    for (int k = 0; options->all && k < SOLVERS && zn_fc_solver_name(k) != NULL; k++)
        run_solver(&j, zn_fc_solver_name(k), options->settings);
    if (!options->all)
        run_solver(&j, options->settings.solver, options->settings);

    const char *written = NULL;
    if (options->write != NULL && j.best >= 0) {
        written = options->write[0] != '\0' ? options->write : path;
        status = write_solution(&j, written);
    }
    if (json != NULL)
        solve_print_json(json, &j.facts, j.run_count, j.runs, j.best, status == ZN_OK ? written : NULL);
    else if (options->all)
        solve_print_table(&j.facts, j.run_count, j.runs, j.best);
    else
        solve_print_line(&j.facts, &j.runs[0]);
    if (json == NULL && options->write != NULL && status == ZN_OK) {
        if (written == NULL)
            printf("%s: no solution, nothing was written\n", tamed(path));
        else
            printf("%s: solution by %s written into %s%s\n", tamed(path), j.runs[j.best].asked,
                   written == path ? "its group 'solution'" : "the copy ", written == path ? "" : tamed(written));
    }
    int outcome = status != ZN_OK ? EXIT_INPUT : j.best >= 0 ? EXIT_FINE : failed_as_printed();
    if (!options->all && j.runs[0].status < 0)
        outcome = EXIT_INPUT; // a solver that cannot take this problem
    job_free(&j);
    return outcome;
}

static bool known_solver(const char *name)
{
    const char *known[SOLVERS], *word;
    int         count = 0;
    for (; count < SOLVERS && (word = zn_fc_solver_name(count)) != NULL; count++) {
        known[count] = word;
        if (strcmp(word, name) == 0)
            return true;
    }
    const char *near = suggest(name, count, known);
    if (near != NULL)
        print_error("unknown solver '%s'; did you mean '%s'?", name, near);
    else
        print_error("unknown solver '%s' (zeno help solve)", name);
    return false;
}

static bool check_options(solve_options *o, const char *measure, double iterations)
{
    if (!(o->settings.time_limit >= 0 && o->settings.effort >= 0)) {
        print_error("--time-limit and --effort: numbers of seconds and of sweeps, not negative");
        return false;
    }
    if (strcmp(measure, "fclib") == 0)
        o->settings.measure = ZN_FC_MEASURE_FCLIB;
    else if (strcmp(measure, "natural") != 0) {
        print_error("--measure: '%s' is neither natural nor fclib", measure);
        return false;
    }
    if (!(o->settings.tolerance > 0)) {
        print_error("--tolerance: %g is not positive", o->settings.tolerance);
        return false;
    }
    if (!(iterations >= 0 && iterations <= 1e9 && iterations == floor(iterations))) {
        print_error("--max-iterations: %g is not a number of iterations", iterations);
        return false;
    }
    o->settings.max_iterations = (int)iterations;
    if (o->rest.count == 0)
        print_error("which problem? (zeno help solve)");
    else if (o->write != NULL && o->write[0] != '\0' && o->rest.count > 1)
        print_error("--write=FILE takes one problem; --write alone writes into each file");
    else
        return known_solver(o->settings.solver);
    return false;
}

static int solve(int argc, char **argv)
{
    solve_options o = {.settings = zn_fc_settings_default()};
    const char   *measure = "natural";
    double        iterations = 0;
    o.settings.solver = "auto";
    o.settings.tolerance = 1e-8;
    const option table[] = {
        {"solver", 0, OPTION_TEXT, &o.settings.solver},
        {"tolerance", 0, OPTION_NUMBER, &o.settings.tolerance},
        {"measure", 0, OPTION_TEXT, &measure},
        {"max-iterations", 0, OPTION_NUMBER, &iterations},
        {"effort", 0, OPTION_NUMBER, &o.settings.effort},
        {"time-limit", 0, OPTION_NUMBER, &o.settings.time_limit},
        {"all-solvers", 0, OPTION_FLAG, &o.all},
        {"write", 0, OPTION_OPTIONAL, &o.write},
        {"force", 0, OPTION_FLAG, &o.force},
        {"json", 0, OPTION_FLAG, &o.json},
    };
    int status = EXIT_INPUT;
    H5dont_atexit(); // over a damaged file HDF5 would complain once more when the program ends
    if (options_parse("solve", sizeof table / sizeof *table, table, argc, argv, &o.rest) &&
        check_options(&o, measure, iterations)) {
        json_writer w = {.out = stdout};
        status = EXIT_FINE;
        if (o.json)
            json_open_array(&w, NULL);
        for (int i = 0; i < o.rest.count; i++) {
            int one = solve_file(o.rest.items[i], &o, o.json ? &w : NULL);
            status = one > status ? one : status;
        }
        if (o.json)
            json_close_array(&w);
        if (!finish_output(stdout))
            status = EXIT_INPUT;
    }
    text_list_free(&o.rest);
    return status;
}

const command solve_command = {
    .name = "solve",
    .summary = "solve friction problems from FCLIB files",
    .help = "usage: zeno solve PROBLEM.hdf5... [options]\n"
            "\n"
            "Solves frictional contact problems in the layout of FCLIB, reduced (fclib_local) or global\n"
            "(fclib_global), planar or spatial, with equations or without, and prints a line for each.\n"
            "'zeno run --dump-problems' writes such files.\n"
            "\n"
            "  --solver NAME      auto (default), gauss_seidel, anderson, newton_alart_curnier,\n"
            "                     newton_jean_moreau, admm, interior_point; planar problems with few contacts:\n"
            "                     lemke, enumerate\n"
            "  --tolerance X      on the residual, default 1e-8\n"
            "  --measure M        natural (default): independent of units; fclib: as FCLIB and Siconos\n"
            "                     measure it. Both are printed, recomputed from the answer.\n"
            "  --max-iterations N default: chosen by the solver\n"
            "  --effort N         most work, all that auto tries together, told in sweeps (products with\n"
            "                     W); default: what takes about two minutes, of other solvers no bound\n"
            "  --time-limit S     seconds, asked for between iterations; default: none\n"
            "  --all-solvers      a table of all solvers; the fastest that converged is marked\n"
            "  --write[=FILE]     write the solution into the group 'solution' of the file, in place of what\n"
            "                     is there, or into a copy of it; with --all-solvers that of the fastest\n"
            "  --force            solve it even if W is not symmetric or not positive semidefinite\n"
            "  --json             print it all as JSON\n"
            "\n"
            "A solver starts from zero; the time is that of its solve alone.\n"
            "\n"
            "Exit status: 0 all converged, 2 bad input or a file that cannot be read or written, 3 not\n"
            "converged (with --all-solvers: none did). Of several files the largest.\n"
            "\n"
            "examples:\n"
            "  zeno solve pile.hdf5\n"
            "  zeno solve pile.hdf5 --all-solvers --measure fclib --tolerance 1e-4\n"
            "  zeno solve pile.hdf5 --solver admm --write=solved.hdf5\n",
    .run = solve,
    .guarded = true,
};
