// How far the automatic choice is from the best of Zeno's own friction solvers, on FCLIB files, without Siconos.
//
//   bench_choice LIMIT FILE...
//
// Every solve is a child with LIMIT seconds of processor time, the least of up to 25 rounds that take half of it. One
// line per tolerance and file that takes more than twice the time of the best, or is missed; then a line of counts.
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define BENCH "bench_choice"
#include "bench_program.h"
#include "zn/io.h"

enum { SOLVERS = 7, ROUNDS = 25 };
static const char *const solvers[SOLVERS] = {
    "auto", "gauss_seidel", "anderson", "newton_alart_curnier", "newton_jean_moreau", "admm", "interior_point"};

static void end_late(int number)
{
    (void)number;
    _exit(1);
}

// In a child: the time goes to the pipe `out` once the answer is there and its residual, recomputed, meets the
// tolerance.
static void solve_here(const zn_fc_problem *p, const char *solver, double tolerance, double limit, int out)
{
    const struct itimerval late = {.it_value = {(time_t)limit, (suseconds_t)(1e6 * fmod(limit, 1))}};
    zn_fc_settings         settings = zn_fc_settings_default();
    zn_fc_workspace       *workspace = NULL;
    double                *r = calloc((size_t)p->n + 1, sizeof *r), *u = calloc((size_t)p->n + 1, sizeof *u), spent = 0,
           best = INFINITY;
    zn_status status = ZN_ERR_MEMORY;
    signal(SIGVTALRM, end_late);
    setitimer(ITIMER_VIRTUAL, &late, NULL);
    settings.solver = solver;
    settings.tolerance = tolerance;
    settings.measure = ZN_FC_MEASURE_FCLIB;
    if (r == NULL || u == NULL || zn_fc_workspace_create(&workspace) != ZN_OK)
        _exit(2);
    for (int k = 0; k < ROUNDS && (k == 0 || spent < 0.5 * limit); k++) {
        memset(r, 0, sizeof *r * (size_t)p->n);
        double start = bench_clock(CLOCK_THREAD_CPUTIME_ID); // that of the process ticks
        status = zn_fc_solve(p, &settings, workspace, r, u, NULL);
        double taken = bench_clock(CLOCK_THREAD_CPUTIME_ID) - start;
        best = fmin(best, taken);
        spent += taken;
    }
    if (status == ZN_OK && zn_fc_residual_fclib(p, r) <= tolerance)
        _exit(write(out, &best, sizeof best) == sizeof best ? 0 : 2);
    _exit(1);
}

static double time_of(const zn_fc_problem *p, const char *solver, double tolerance, double limit)
{
    double taken = INFINITY;
    int    ends[2];
    if (pipe(ends) != 0)
        exit(2);
    pid_t child = fork();
    if (child == 0)
        solve_here(p, solver, tolerance, limit, ends[1]);
    close(ends[1]);
    if (child < 0 || read(ends[0], &taken, sizeof taken) != sizeof taken)
        taken = INFINITY;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return taken;
}

typedef struct count {
    int solvable, solved, within;
} count;

static void compare(const char *path, const zn_fc_problem *p, double tolerance, double limit, count *out)
{
    double time[SOLVERS], best = INFINITY;
    int    first = 0;
    for (int s = 0; s < SOLVERS; s++) {
        time[s] = time_of(p, solvers[s], tolerance, limit);
        first = time[s] < best ? s : first;
        best = fmin(best, time[s]);
    }
    if (!isfinite(best))
        return;
    out->solvable++;
    out->solved += isfinite(time[0]);
    out->within += time[0] <= 2 * best;
    if (time[0] > 2 * best)
        printf("%-40s %5d rows to %g: auto %.4g ms, %s %.4g ms\n", path, p->n, tolerance, 1e3 * time[0], solvers[first],
               1e3 * best);
}

int main(int argc, char **argv)
{
    const double tolerances[] = {1e-4, 1e-8};
    double       limit = argc > 2 ? strtod(argv[1], NULL) : 0;
    count        counts[2] = {{0}, {0}};
    if (!(limit > 0)) {
        fprintf(stderr, "usage: bench_choice LIMIT FILE...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        zn_fclib_file   *file = NULL;
        zn_fc_workspace *workspace = NULL;
        zn_fc_problem    problem;
        if (zn_fclib_read(argv[i], (zn_log){0}, &file) != ZN_OK || zn_fc_workspace_create(&workspace) != ZN_OK)
            return 2;
        if (file->reduced != NULL)
            problem = *file->reduced;
        else if (zn_fc_reduce(file->global, workspace, &problem) != ZN_OK)
            return 2;
        for (int t = 0; t < 2; t++)
            compare(argv[i], &problem, tolerances[t], limit, &counts[t]);
        zn_fc_workspace_destroy(workspace);
        zn_fclib_destroy(file);
    }
    for (int t = 0; t < 2; t++)
        printf("%g: one of Zeno's solvers solves %d of %d within %g s, auto %d, %d in at most twice the time of the "
               "best\n",
               tolerances[t], counts[t].solvable, argc - 2, limit, counts[t].solved, counts[t].within);
    return 0;
}
