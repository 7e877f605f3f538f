// Times runs of a gallery model and prints one JSON line.
//
//   bench_zeno MODEL [scheme=NAME] [step=H] [until=T] [gamma=G] [gap_tolerance=E] [newton_tolerance=E]
//              [set=NAME=VALUE]... [record=PATH]... [repeat=K] [trace=FILE] [matrix=K [backend=NAME]] [together=K]
//              [threads=K]
//
// Every repetition starts from the file: setup is reading the model, compiling the system and creating the simulation;
// the loop is all of zn_sim_run, with ledger, certificate, events and recording. The smallest times count. The records
// of the model are replaced by those given; they go to memory, one row per step, and after the last run to `trace`.
// Without any nothing is stored. With `matrix` the iteration matrix of the last state is timed K times as well: the
// unit in which the cost of a step can be stated. With `together` as many simulations of the system run once more in
// threads at the same time, and it is told how many end with the bits of the one alone. `threads` are those of a step:
// times are of all of them together, wall_s is the loop by the clock. `bits` is a number made of the last q and v.
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_matrix.h"
#include "zn/io.h"

enum { MAX_LIST = 32, MAX_TOGETHER = 16 };

typedef struct options {
    const char   *model, *scheme, *trace, *backend;
    double        step, until, gamma, gap_tolerance, newton_tolerance; // NaN: as in the model
    int           sets, records, repeat, matrix, together, threads;
    const char   *set[MAX_LIST];
    zn_record_def record[MAX_LIST];
} options;

// Rows of one run, in memory that was allocated and touched before the loop.
typedef struct memory {
    double *values;
    int64_t rows, capacity;
    int     columns;
} memory;

typedef struct outcome {
    double         setup, loop, wall;
    uint64_t       bits;
    int64_t        steps, contacts; // contacts: those that acted, summed over steps
    zn_certificate certificate;
    matrix_times   matrix;
    long long      peak; // resident size after the loop [bytes]
    int            same; // simulations of `together` with equal bits
    memory         memory;
} outcome;

// --- options -------------------------------------------------------------------------------------

// The value of "key=value", or NULL when the argument has another key.
static const char *value_of(const char *argument, const char *key)
{
    size_t length = strlen(key);
    return strncmp(argument, key, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

static bool parse_one(options *o, const char *argument)
{
    const struct {
        const char  *key;
        const char **out;
    } text[] = {{"scheme", &o->scheme}, {"trace", &o->trace}, {"backend", &o->backend}};
    const struct {
        const char *key;
        double     *out;
    } number[] = {{"step", &o->step},
                  {"until", &o->until},
                  {"gamma", &o->gamma},
                  {"gap_tolerance", &o->gap_tolerance},
                  {"newton_tolerance", &o->newton_tolerance}};
    const char *value;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if ((value = value_of(argument, text[i].key)))
            return (*text[i].out = value) != NULL;
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if ((value = value_of(argument, number[i].key)))
            return !isnan(*number[i].out = strtod(value, NULL));
    if ((value = value_of(argument, "repeat")))
        return (o->repeat = atoi(value)) > 0;
    if ((value = value_of(argument, "matrix")))
        return (o->matrix = atoi(value)) > 0;
    if ((value = value_of(argument, "threads")))
        return (o->threads = atoi(value)) > 0;
    if ((value = value_of(argument, "together")))
        return (o->together = atoi(value)) > 0 && o->together <= MAX_TOGETHER;
    if ((value = value_of(argument, "set")) && o->sets < MAX_LIST)
        return (o->set[o->sets++] = value) != NULL;
    if ((value = value_of(argument, "record")) && o->records < MAX_LIST) {
        o->record[o->records++] = (zn_record_def){.name = value, .path = value};
        return true;
    }
    return false;
}

static bool parse(int argc, char **argv, options *out)
{
    *out =
        (options){.step = NAN, .until = NAN, .gamma = NAN, .gap_tolerance = NAN, .newton_tolerance = NAN, .repeat = 1};
    if (argc < 2)
        return false;
    out->model = argv[1];
    for (int i = 2; i < argc; i++)
        if (!parse_one(out, argv[i])) {
            fprintf(stderr, "bench_zeno: cannot use '%s'\n", argv[i]);
            return false;
        }
    return true;
}

// --- one run -------------------------------------------------------------------------------------

static void print_message(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    fprintf(stderr, "bench_zeno: %s\n", message);
}

static zn_status store_row(void *user, double t, const double *values)
{
    memory *m = user;
    (void)t;
    if (m->rows == m->capacity)
        return ZN_ERR_MEMORY;
    memcpy(m->values + m->rows++ * m->columns, values, sizeof *values * (size_t)m->columns);
    return ZN_OK;
}

static zn_status count_contacts(void *user, const zn_sim *sim)
{
    *(int64_t *)user += zn_sim_last_step(sim)->active;
    return ZN_OK;
}

static void replace(double value, double *number) { *number = isnan(value) ? *number : value; }

static void override(const options *o, zn_sim_def *def)
{
    def->scheme.scheme = o->scheme ? o->scheme : def->scheme.scheme;
    replace(o->gamma, &def->scheme.gamma);
    replace(o->gap_tolerance, &def->scheme.gap_tolerance);
    replace(o->newton_tolerance, &def->scheme.newton_tolerance);
    def->scheme.threads = o->threads > 0 ? o->threads : def->scheme.threads;
    replace(o->step, &def->step);
    def->step_cfl = isnan(o->step) ? def->step_cfl : 0;
    replace(o->until, &def->until);
    def->record_count = o->records;
    def->records = o->record;
}

static zn_status reserve(memory *m, int64_t rows, int columns)
{
    size_t size = (size_t)rows * (size_t)columns;
    m->values = malloc(sizeof *m->values * (size + 1));
    if (!m->values)
        return ZN_ERR_MEMORY;
    for (size_t i = 0; i < size; i++) // touch it: the first write to a page is setup
        m->values[i] = NAN;
    m->capacity = rows;
    m->columns = columns;
    return ZN_OK;
}

// Largest resident size [bytes]. Not from getrusage: its maximum survives exec and may be that of the calling program.
static long long peak_memory(void)
{
    FILE     *file = fopen("/proc/self/status", "r");
    char      line[256];
    long long kilobytes = 0;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kilobytes = strtoll(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return 1024 * kilobytes;
}

// --- simulations in threads ----------------------------------------------------------------------

typedef struct companion {
    const zn_system *sys;
    const zn_sim    *alone;
    zn_sim_def       def;
    pthread_t        thread;
    bool             same;
} companion;

static bool has_same_bits(const zn_system *sys, const zn_state *a, const zn_state *b)
{
    zn_system_info info = zn_system_get_info(sys);
    return memcmp(a->q, b->q, sizeof *a->q * (size_t)info.nq) == 0 &&
           memcmp(a->v, b->v, sizeof *a->v * (size_t)info.n_all) == 0;
}

// FNV-1a of q and v.
static uint64_t bits_of(const zn_system *sys, const zn_state *state)
{
    zn_system_info       info = zn_system_get_info(sys);
    const unsigned char *part[2] = {(const unsigned char *)state->q, (const unsigned char *)state->v};
    size_t               size[2] = {sizeof *state->q * (size_t)info.nq, sizeof *state->v * (size_t)info.n_all};
    uint64_t             bits = UINT64_C(14695981039346656037);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < size[k]; i++)
            bits = (bits ^ part[k][i]) * UINT64_C(1099511628211);
    return bits;
}

static void *run_beside(void *user)
{
    companion *c = user;
    zn_sim    *sim = NULL;
    c->same = zn_sim_create(c->sys, &c->def, &sim) == ZN_OK && zn_sim_run(sim) == ZN_OK &&
              has_same_bits(c->sys, zn_sim_state(sim), zn_sim_state(c->alone));
    zn_sim_destroy(sim);
    return NULL;
}

static int run_together(int count, const zn_system *sys, const zn_sim_def *def, const zn_sim *alone)
{
    companion c[MAX_TOGETHER];
    int       begun = 0, same = 0;
    for (; begun < count; begun++) {
        c[begun] = (companion){.sys = sys, .alone = alone, .def = *def};
        c[begun].def.recorder = (zn_recorder){0};
        c[begun].def.progress = NULL;
        if (pthread_create(&c[begun].thread, NULL, run_beside, &c[begun]) != 0)
            break;
    }
    for (int k = 0; k < begun; k++) {
        pthread_join(c[k].thread, NULL);
        same += c[k].same;
    }
    return same;
}

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static zn_status run(const options *o, zn_problem **problem, zn_system **sys, zn_sim **sim, outcome *out)
{
    const zn_log log = {.write = print_message};
    double       start = seconds();
    ZN_TRY(zn_problem_read(o->model, o->sets, o->set, log, problem));
    zn_sim_def def = (*problem)->sim;
    override(o, &def);
    def.log = log;
    def.progress = count_contacts;
    def.progress_user = &out->contacts;
    def.recorder = (zn_recorder){.user = &out->memory, .row = o->records > 0 ? store_row : NULL};
    ZN_TRY(zn_system_create((*problem)->model, sys));
    ZN_TRY(zn_sim_create(*sys, &def, sim));
    out->steps = zn_sim_grid_steps(*sim);
    ZN_TRY(reserve(&out->memory, out->steps + 1, zn_sim_columns(*sim)));
    double    begin = seconds(), clock = clock_now();
    zn_status status = zn_sim_run(*sim);
    out->loop = seconds() - begin;
    out->wall = clock_now() - clock;
    out->bits = bits_of(*sys, zn_sim_state(*sim));
    out->setup = begin - start;
    out->peak = peak_memory();
    out->certificate = *zn_sim_certificate(*sim);
    if (status == ZN_OK && o->together > 0)
        out->same = run_together(o->together, *sys, &def, *sim);
    if (status == ZN_OK && o->matrix > 0)
        status = time_matrix(*sys, zn_sim_state(*sim), def.step, o->backend, o->matrix, &out->matrix);
    return status;
}

static zn_status run_once(const options *o, outcome *out)
{
    zn_problem *problem = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    *out = (outcome){0};
    zn_status status = run(o, &problem, &sys, &sim, out);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
    if (status != ZN_OK)
        fprintf(stderr, "bench_zeno: %s\n", zn_status_text(status));
    return status;
}

// --- report --------------------------------------------------------------------------------------

static bool write_trace(const char *path, const memory *m)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    for (int64_t k = 0; k < m->rows; k++)
        for (int c = 0; c < m->columns; c++)
            fprintf(file, "%.17g%c", m->values[k * m->columns + c], c + 1 < m->columns ? ' ' : '\n');
    return fclose(file) == 0;
}

typedef struct times {
    double setup, loop, total;
} times;

static times smallest(times t, const outcome *once)
{
    return (times){fmin(t.setup, once->setup), fmin(t.loop, once->loop), fmin(t.total, once->setup + once->loop)};
}

static void print_json(const options *o, const outcome *last, times t)
{
    const zn_certificate *c = &last->certificate;
    printf("{\"problem\": \"%s\", \"steps\": %lld, ", o->model, (long long)last->steps);
    printf("\"setup_s\": %.9g, \"loop_s\": %.9g, \"total_s\": %.9g, ", t.setup, t.loop, t.total);
    printf("\"newton\": %lld, \"retries\": %lld, \"penetration\": %.3g, \"closure\": %.3g, \"complementarity\": %.3g, ",
           (long long)c->newton_iterations.total, (long long)c->retries, c->penetration.value, c->closure.value,
           c->complementarity.value);
    printf("\"contacts\": %lld, \"sweeps\": %lld, \"kinetic\": %.9g, \"gravity\": %.9g, ", (long long)last->contacts,
           (long long)c->solver_iterations.total, c->ledger[ZN_LEDGER_KINETIC], c->ledger[ZN_LEDGER_GRAVITY]);
    const zn_linsolver_info *l = &c->linear_solver;
    printf("\"factorizations\": %lld, \"refactorizations\": %lld, \"solves\": %lld, ", (long long)l->factorizations,
           (long long)l->refactorizations, (long long)l->solves);
    printf("\"wall_s\": %.9g, \"bits\": \"%016llx\", ", last->wall, (unsigned long long)last->bits);
    if (o->together > 0)
        printf("\"together\": %d, \"same_bits\": %d, ", o->together, last->same);
    const matrix_times *m = &last->matrix;
    if (o->matrix > 0)
        printf("\"dofs\": %d, \"entries\": %d, \"backend\": \"%s\", \"flops\": %.4g, \"assembly_s\": %.9g, "
               "\"analysis_s\": %.9g, \"factor_s\": %.9g, \"refactor_s\": %.9g, \"solve_s\": %.9g, ",
               m->dofs, m->entries, m->backend, m->flops, m->assembly, m->analysis, m->factor, m->refactor, m->solve);
    printf("\"peak_bytes\": %lld}\n", last->peak);
}

int main(int argc, char **argv)
{
    options o;
    outcome last = {0};
    times   best = {INFINITY, INFINITY, INFINITY};
    if (!parse(argc, argv, &o))
        return 2;
    for (int k = 0; k < o.repeat; k++) {
        free(last.memory.values);
        if (run_once(&o, &last) != ZN_OK) {
            free(last.memory.values);
            return 1;
        }
        best = smallest(best, &last);
    }
    print_json(&o, &last, best);
    bool written = !o.trace || write_trace(o.trace, &last.memory);
    if (!written)
        fprintf(stderr, "bench_zeno: cannot write '%s'\n", o.trace);
    free(last.memory.values);
    return written ? 0 : 1;
}
