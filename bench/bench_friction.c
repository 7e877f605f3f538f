// Times one solver on one friction problem and prints one JSON line.
//
//   bench_friction FILE SOLVER TOLERANCE LIMIT [STORAGE]
//
// SOLVER: zeno:NAME, or siconos:NSGS, NSN_AC, NSN_FB, ADMM. Both start from the reduced form (W, q, mu) and r = 0;
// timed is the solve alone. The answer counts when zn_fc_residual_fclib, recomputed from it, meets the tolerance.
//
// Siconos stops late: some of its solvers judge by a measure of their own, or seldom. A first run with a callback finds
// the first iteration whose r meets the tolerance; the timed runs are without callback and end after that iteration.
// STORAGE (dense, blocks, sparse) is how W is given to Siconos. Planar problems go to its planar NSGS; the other
// solvers exist in space only and get a second tangent that nothing acts on.
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "zn/io.h"

enum { ROUNDS = 7 };

// Rounds end early once this much time is spent on them [s].
#define ENOUGH 0.3

typedef struct measurement {
    bool   solved;
    double seconds, residual;
    int    iterations;
} measurement;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *need(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "bench_friction: out of memory\n");
        exit(2);
    }
    return memory;
}

static double *new_vector(int n) { return need(calloc((size_t)n + 1, sizeof(double))); }

// --- Zeno ----------------------------------------------------------------------------------------

static measurement run_zeno(const zn_fc_problem *p, const char *solver, double tolerance)
{
    zn_fc_settings   settings = zn_fc_settings_default();
    zn_fc_workspace *workspace = NULL;
    zn_fc_info       info = {0};
    measurement      m = {.seconds = INFINITY};
    double          *r = new_vector(p->n), *u = new_vector(p->n), spent = 0;
    settings.solver = solver;
    settings.tolerance = tolerance;
    settings.measure = ZN_FC_MEASURE_FCLIB;
    if (zn_fc_workspace_create(&workspace) != ZN_OK)
        exit(2);
    for (int k = 0; k < ROUNDS && (k == 0 || spent < ENOUGH); k++) {
        memset(r, 0, (size_t)p->n * sizeof *r);
        double    start = now();
        zn_status status = zn_fc_solve(p, &settings, workspace, r, u, &info);
        double    seconds = now() - start;
        spent += seconds;
        m.seconds = fmin(m.seconds, seconds);
        m.solved = status == ZN_OK;
    }
    m.iterations = info.iterations;
    m.residual = zn_fc_residual_fclib(p, r);
    m.solved = m.solved && m.residual <= tolerance;
    zn_fc_workspace_destroy(workspace);
    free(r);
    free(u);
    return m;
}

// --- Siconos -------------------------------------------------------------------------------------

#ifdef HAVE_SICONOS
#include "FrictionContactProblem.h"
#include "Friction_cst.h"
#include "NonSmoothDrivers.h"
#include "NumericsMatrix.h"
#include "NumericsVerbose.h"
#include "SolverOptions.h"
#include "SparseBlockMatrix.h"

// A problem as Siconos gets it, and the map back to our rows.
typedef struct peer {
    const zn_fc_problem *problem;
    int                  dimension, n;
    int                 *place; // of our row i
    double              *q, *mu;
    const char          *storage;
    double              *r, *u, *own_r; // own_r: in our rows
} peer;

static bool make_peer(const zn_fc_problem *p, bool planar, const char *storage, peer *out)
{
    if (p->bilateral > 0)
        return false;
    *out = (peer){.problem = p, .dimension = planar ? 2 : 3, .storage = storage};
    out->n = p->contacts * out->dimension;
    out->place = need(calloc((size_t)p->n, sizeof(int)));
    out->q = new_vector(out->n);
    out->mu = new_vector(p->contacts);
    out->r = new_vector(out->n);
    out->u = new_vector(out->n);
    out->own_r = new_vector(p->n);
    for (int c = 0; c < p->contacts; c++) {
        if (p->first[c + 1] - p->first[c] > out->dimension)
            return false;
        out->mu[c] = p->mu[c];
        for (int i = p->first[c]; i < p->first[c + 1]; i++) {
            out->place[i] = c * out->dimension + i - p->first[c];
            out->q[out->place[i]] = p->q[i];
        }
    }
    return true;
}

static NumericsMatrix *triplets_of(const peer *s)
{
    const zn_fc_matrix *a = s->problem->sparse;
    NumericsMatrix     *M = NM_create(NM_SPARSE, s->n, s->n);
    NM_triplet_alloc(M, a->start[a->rows] + s->n);
    for (int i = 0; i < a->rows; i++)
        for (int e = a->start[i]; e < a->start[i + 1]; e++)
            NM_entry(M, s->place[i], s->place[a->column[e]], a->value[e]);
    for (int c = 0; c < s->problem->contacts; c++) { // tangents that nothing acts on
        int    first = s->problem->first[c];
        double d = 1;
        for (int e = a->start[first]; e < a->start[first + 1]; e++)
            d = a->column[e] == first && a->value[e] > 0 ? a->value[e] : d;
        for (int k = s->problem->first[c + 1] - first; k < s->dimension; k++)
            NM_entry(M, c * s->dimension + k, c * s->dimension + k, d);
    }
    return M;
}

// Anew for every run: solvers keep factors and other storages in it.
static NumericsMatrix *matrix_of(const peer *s)
{
    NumericsMatrix *M = triplets_of(s);
    if (strcmp(s->storage, "sparse") == 0) {
        NM_csc(M);
        return M;
    }
    if (strcmp(s->storage, "blocks") == 0) {
        NumericsMatrix *B = NM_new();
        NM_null(B);
        B->storageType = NM_SPARSE_BLOCK;
        B->size0 = B->size1 = s->n;
        B->matrix1 = SBM_new();
        SBM_from_csparse(s->dimension, NM_csc(M), B->matrix1);
        NM_clear(M);
        free(M);
        return B;
    }
    NumericsMatrix *D = NM_create(NM_DENSE, s->n, s->n);
    memset(D->matrix0, 0, (size_t)s->n * (size_t)s->n * sizeof(double));
    NM_to_dense(M, D);
    NM_clear(M);
    free(M);
    return D;
}

static double judge(const peer *s, const double *r)
{
    for (int i = 0; i < s->problem->n; i++)
        s->own_r[i] = r[s->place[i]];
    return zn_fc_residual_fclib(s->problem, s->own_r);
}

// First run: stop at the first iterate that meets the tolerance, or at the limit of time.
typedef struct watch {
    const peer *peer;
    double      tolerance, limit, start, judging;
    int         iterations;
    bool        met, late;
    jmp_buf     out;
} watch;

static void look(void *env, int size, double *reaction, double *velocity, double error, void *extra)
{
    (void)size, (void)velocity, (void)error, (void)extra;
    watch *w = env;
    double begin = now();
    w->iterations++;
    w->met = judge(w->peer, reaction) <= w->tolerance;
    double end = now();
    w->judging += end - begin;
    w->late = end - w->start - w->judging > w->limit;
    if (w->met || w->late)
        longjmp(w->out, 1); // what the solver allocated is lost, with this process soon
}

static double drive(peer *s, int solver, double tolerance, int iterations, Callback *callback, int *done)
{
    FrictionContactProblem problem = {
        .dimension = s->dimension, .numberOfContacts = s->problem->contacts, .q = s->q, .mu = s->mu};
    problem.M = matrix_of(s);
    SolverOptions *options = solver_options_create(solver);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
    options->callback = callback;
    memset(s->r, 0, (size_t)s->n * sizeof *s->r);
    memset(s->u, 0, (size_t)s->n * sizeof *s->u);
    if (callback != NULL)
        ((watch *)callback->env)->start = now();
    double start = now();
    if (s->dimension == 2)
        fc2d_driver(&problem, s->r, s->u, options);
    else
        fc3d_driver(&problem, s->r, s->u, options);
    double seconds = now() - start;
    *done = options->iparam[SICONOS_IPARAM_ITER_DONE];
    options->callback = NULL;
    solver_options_delete(options);
    NM_clear(problem.M);
    free(problem.M);
    return seconds;
}

// Number of iterations to the first iterate that meets the tolerance; 0: none. *own: the tolerance Siconos needs.
static int find_iterations(peer *s, int solver, double tolerance, double limit, double *own)
{
    for (volatile double tight = 1; tight >= 1e-6; tight *= 0.01) { // its own measure may be looser than FCLIB's
        static watch w;
        Callback     callback = {&w, look};
        int          done = 0;
        w = (watch){.peer = s, .tolerance = tolerance, .limit = limit};
        if (setjmp(w.out) == 0) {
            drive(s, solver, tolerance * tight, 10000000, &callback, &done);
            if (judge(s, s->r) <= tolerance) {
                *own = tolerance * tight;
                return done > 0 ? done : 1;
            }
        } else if (w.met) {
            *own = tolerance * tight;
            return w.iterations;
        } else
            return 0;
    }
    return 0;
}

static measurement run_siconos(const zn_fc_problem *p, int dimension, const char *name, const char *storage,
                               double tolerance, double limit)
{
    bool        planar = dimension == 2 && strcmp(name, "NSGS") == 0;
    int         solver = planar                        ? SICONOS_FRICTION_2D_NSGS
                         : strcmp(name, "NSGS") == 0   ? SICONOS_FRICTION_3D_NSGS
                         : strcmp(name, "NSN_AC") == 0 ? SICONOS_FRICTION_3D_NSN_AC
                         : strcmp(name, "NSN_FB") == 0 ? SICONOS_FRICTION_3D_NSN_FB
                                                       : SICONOS_FRICTION_3D_ADMM;
    measurement m = {.seconds = INFINITY, .residual = INFINITY};
    peer        s;
    double      own = tolerance, spent = 0;
    if (!make_peer(p, planar, storage, &s))
        return m;
    int iterations = find_iterations(&s, solver, tolerance, limit, &own);
    // the last iteration may not be counted, or its answer be changed on the way out
    for (int more = 0; iterations > 0 && more < 4 && !m.solved; more++) {
        spent = 0;
        m.seconds = INFINITY;
        for (int k = 0; k < ROUNDS && (k == 0 || spent < ENOUGH); k++) {
            double seconds = drive(&s, solver, own, iterations + more, NULL, &m.iterations);
            spent += seconds;
            m.seconds = fmin(m.seconds, seconds);
        }
        m.residual = judge(&s, s.r);
        m.solved = m.residual <= tolerance;
    }
    return m;
}
#endif

// --- one file ------------------------------------------------------------------------------------

static void print_message(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    fprintf(stderr, "bench_friction: %s\n", message);
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc > 6) {
        fprintf(stderr, "usage: bench_friction FILE SOLVER TOLERANCE LIMIT [STORAGE]\n");
        return 2;
    }
    zn_fclib_file   *file = NULL;
    zn_fc_workspace *workspace = NULL;
    zn_fc_problem    problem;
    double           tolerance = strtod(argv[3], NULL), limit = strtod(argv[4], NULL);
    if (zn_fclib_read(argv[1], (zn_log){.write = print_message}, &file) != ZN_OK ||
        zn_fc_workspace_create(&workspace) != ZN_OK)
        return 2;
    if (file->reduced != NULL)
        problem = *file->reduced;
    else if (zn_fc_reduce(file->global, workspace, &problem) != ZN_OK)
        return 2;

    measurement m = {.seconds = INFINITY, .residual = INFINITY};
    if (strncmp(argv[2], "zeno:", 5) == 0)
        m = run_zeno(&problem, argv[2] + 5, tolerance);
#ifdef HAVE_SICONOS
    else
        m = run_siconos(&problem, file->dimension, argv[2] + strlen("siconos:"), argc > 5 ? argv[5] : "sparse",
                        tolerance, limit);
#else
    (void)limit;
#endif
    printf("\n{\"solved\": %s, \"seconds\": %.9g, \"iterations\": %d, \"residual\": %.6g, \"contacts\": %d, "
           "\"dimension\": %d, \"rows\": %d}\n",
           m.solved ? "true" : "false", isfinite(m.seconds) ? m.seconds : -1, m.iterations,
           isfinite(m.residual) ? m.residual : -1, problem.contacts, file->dimension, problem.n);
    return 0;
}
