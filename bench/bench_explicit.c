// Throughput of explicit integration: a block of n^3 hexahedra dropped on a rigid plane, linear and St.
// Venant-Kirchhoff, one thread and two, against bounds that are measured here: bandwidth (triad) and multiply-adds in
// vectors.
//
//     bench_explicit [n ...]      default 20 40 100
//
// Exit status: 0 within the bounds of bench/README.md, 1 not, 2 something failed.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

#define BENCH "bench_explicit"
#include "bench_program.h"
#include "zn/scheme.h"
#include "zn/sim.h"

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

// What one element moves and does. Read: parameters (712 + header), degrees of freedom and nodes; its share of one
// node: layout, displacement, force read and written. Operations counted in src/model/element/solid_fast.h.
static const double element_bytes = 720 + 96 + 32 + 104 + 24 + 48;
// of the other vectors of a step, per node: three components each
static const double node_bytes = 3 * 8 * 24;
static const double flops_linear = 8 * (144 + 54 + 12 + 30 + 9 + 54 + 144),
                    flops_nonlinear = flops_linear + 8 * (36 + 17 + 54);
static const double most = 3, growth = 2.5, least_gain = 1.7;

// Processor time of one thread, which other programs do not disturb; with two threads wall time.
static double time_of(int threads) { return bench_clock(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC); }

// --- bounds --------------------------------------------------------------------------------------

enum { TRIAD = 8 << 20, CHAINS = 8, WIDTH = 8, TURNS = 2000000 };

typedef struct share {
    double *a, *b, *c;
    int     first, last;
} share;

static void *triad(void *user)
{
    share *s = user;
    for (int i = s->first; i < s->last; i++)
        s->a[i] = s->b[i] + 3 * s->c[i];
    return NULL;
}

// Bytes per second of a = b + 3 c, the best of a few rounds.
static double bandwidth(int threads)
{
    double *memory = malloc(3 * sizeof(double) * TRIAD), best = 0;
    if (!memory)
        exit(2);
    for (int i = 0; i < 3 * TRIAD; i++)
        memory[i] = i;
    for (int round = 0; round < 8; round++) {
        pthread_t thread[2];
        share     s[2];
        double    start = time_of(threads);
        for (int k = 0; k < threads; k++) {
            s[k] = (share){memory, memory + TRIAD, memory + 2 * TRIAD, TRIAD / threads * k, TRIAD / threads * (k + 1)};
            if (k > 0 && pthread_create(&thread[k], NULL, triad, &s[k]) != 0)
                exit(2);
        }
        triad(&s[0]);
        for (int k = 1; k < threads; k++)
            pthread_join(thread[k], NULL);
        best = fmax(best, 3 * sizeof(double) * TRIAD / (time_of(threads) - start));
    }
    free(memory);
    return best;
}

WIDE static double multiply_add(int turns, double x[CHAINS][WIDTH])
{
    double sum = 0;
    for (int t = 0; t < turns; t++)
        for (int c = 0; c < CHAINS; c++)
            for (int i = 0; i < WIDTH; i++)
                x[c][i] = x[c][i] * 0.999 + 1e-3;
    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i < WIDTH; i++)
            sum += x[c][i];
    return sum;
}

// Operations per second of independent multiply-adds, not fused.
static double flops(void)
{
    double x[CHAINS][WIDTH] = {{1}}, best = 0, sum = 0;
    for (int round = 0; round < 5; round++) {
        double start = time_of(1);
        sum += multiply_add(TURNS, x);
        best = fmax(best, 2.0 * TURNS * CHAINS * WIDTH / (time_of(1) - start));
    }
    return sum < 0 ? 0 : best;
}

// --- the block -----------------------------------------------------------------------------------

// What is measured: n^3 cells of one or of six elements.
typedef struct solid_kind {
    zn_solid_shape       shape;
    zn_solid_model       model;
    zn_solid_formulation formulation;
} solid_kind;

static zn_model *block(int n, solid_kind kind)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    zn_mesh     *mesh = NULL;
    def.log = (zn_log){print_errors, NULL};
    def.gravity = zn_vec3_make(0, 0, -9.81);
    must(zn_model_create(&def, &model));
    must(zn_mesh_box(zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 1), (int[3]){n, n, n}, kind.shape, &mesh));
    zn_solid_def solid = zn_solid_def_default();
    solid.name = "block";
    solid.mesh = mesh;
    solid.young = 1e7;
    solid.poisson = 0.3;
    solid.density = 1000;
    solid.model = kind.model;
    solid.formulation = kind.formulation;
    solid.mass = ZN_MASS_LUMPED;
    solid.velocity = zn_vec3_make(0, 0, -1);
    must(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
    zn_contact_def contact = zn_contact_def_default();
    contact.name = "plane";
    contact.points = "block.zmin";
    contact.normal = zn_vec3_make(0, 0, 1);
    must(zn_model_add_contact(model, &contact));
    return model;
}

typedef struct result {
    double setup, step, memory; // seconds of creation, seconds per element update, bytes per element
    double clock;               // seconds of the best round
    int    active;
} result;

static result run(int n, solid_kind kind, int threads)
{
    double        before = resident(), start = time_of(1), elements = (kind.shape == ZN_TET4 ? 6.0 : 1.0) * n * n * n;
    zn_model     *model = block(n, kind);
    zn_system    *sys = NULL;
    zn_scheme    *scheme = NULL;
    zn_state     *state = NULL;
    zn_scheme_def def = zn_scheme_def_default();
    zn_critical   critical;
    zn_step_info  info;
    result        out = {.step = INFINITY, .clock = INFINITY};
    def.scheme = "cd_lagrange";
    def.threads = threads;
    must(zn_system_create(model, &sys));
    must(zn_scheme_create(&def, sys, &scheme));
    must(zn_state_create(sys, &state));
    must(zn_system_critical_step(sys, (zn_at){state->q, state->v, 0, 0}, &critical));
    must(zn_scheme_step(scheme, state, 0.8 * critical.step, &info));
    out.setup = time_of(1) - start;
    int steps = elements > 2e5 ? 3 : (int)(6e5 / elements) + 1;
    for (int round = 0; round < 6; round++) {
        double clock = time_of(2), processor = time_of(1);
        for (int k = 0; k < steps; k++)
            must(zn_scheme_step(scheme, state, 0.8 * critical.step, &info));
        clock = time_of(2) - clock;
        processor = time_of(1) - processor;
        out.step = fmin(out.step, (threads == 1 ? processor : clock) / steps / elements);
        out.clock = fmin(out.clock, clock);
    }
    out.active = info.active;
    out.memory = (resident() - before) / elements;
    zn_state_destroy(state);
    zn_scheme_destroy(scheme);
    zn_system_destroy(sys);
    zn_model_destroy(model);
    return out;
}

// Steps of all elements of one block against standard St. Venant-Kirchhoff. Neo-Hookean must be within a factor of 2.
static bool compare_elements(int n)
{
    static const char *const material[] = {"linear", "saint_venant_kirchhoff", "neo_hookean"};
    static const char *const formulation[] = {"standard", "reduced", "mean_dilatation", "enhanced"};
    double unit = run(n, (solid_kind){ZN_HEX8, ZN_SOLID_SAINT_VENANT_KIRCHHOFF, ZN_SOLID_STANDARD}, 1).step;
    bool   good = true;
    printf("\nns per element and step, n = %d, and over standard saint_venant_kirchhoff of hex8\n", n);
    for (int i = 0; i < 2 * (ZN_SOLID_ENHANCED + 1); i++)
        for (int m = ZN_SOLID_LINEAR; m <= ZN_SOLID_NEO_HOOKEAN; m++) {
            int  f = i % (ZN_SOLID_ENHANCED + 1);
            bool tet4 = i != f, enhanced = f == ZN_SOLID_ENHANCED;
            if ((enhanced && m == ZN_SOLID_NEO_HOOKEAN) || (tet4 && (enhanced || f == ZN_SOLID_REDUCED)))
                continue;
            solid_kind kind = {tet4 ? ZN_TET4 : ZN_HEX8, (zn_solid_model)m, (zn_solid_formulation)f};
            double     step = run(n, kind, 1).step;
            bool       slow = i == ZN_SOLID_STANDARD && m == ZN_SOLID_NEO_HOOKEAN && step > 2 * unit;
            good = good && !slow;
            printf("%-5s %-16s %-24s %8.0f %6.2f%s\n", tet4 ? "tet4" : "hex8", formulation[f], material[m], 1e9 * step,
                   step / unit, slow ? "  <-- too slow" : "");
            fflush(stdout);
        }
    return good;
}

static void *turn(void *user)
{
    double x[CHAINS][WIDTH] = {{1}};
    *(double *)user = multiply_add(20 * TURNS, x);
    return NULL;
}

// Seconds by the clock for so many threads that each do the same.
static double clock_of(int threads)
{
    pthread_t other;
    double    sum[2], start = time_of(2);
    if (threads == 2 && pthread_create(&other, NULL, turn, &sum[1]) != 0)
        exit(2);
    turn(&sum[0]);
    if (threads == 2)
        pthread_join(other, NULL);
    return time_of(2) - start;
}

// Does the machine have two processors for us? Threads that share nothing tell.
static bool is_quiet(void) { return clock_of(2) < 1.1 * clock_of(1); }

// Steps of one thread against two, by the clock, in turns. It is judged where the machine does nothing else, before and
// after.
static bool compare_threads(int n)
{
    solid_kind kind = {ZN_HEX8, ZN_SOLID_LINEAR, ZN_SOLID_STANDARD};
    double     best[2] = {INFINITY, INFINITY};
    bool       quiet = is_quiet();
    for (int round = 0; round < 3; round++)
        for (int threads = 1; threads <= 2; threads++)
            best[threads - 1] = fmin(best[threads - 1], run(n, kind, threads).clock);
    double gain = best[0] / best[1];
    quiet = is_quiet() && quiet;
    bool slow = quiet && gain < least_gain;
    printf("\nTwo threads, n = %d, by the clock: %.2f times as fast as one, bound %.1f%s\n", n, gain, least_gain,
           slow     ? "  <-- too slow"
           : !quiet ? ", not judged: the machine is busy"
                    : "");
    fflush(stdout);
    return !slow;
}

int main(int argc, char **argv)
{
    int    sizes[16] = {20, 40, 100}, count = 3;
    bool   good = true;
    double speed[2] = {bandwidth(1), bandwidth(2)}, peak = flops();
    if (argc > 1)
        for (count = 0; count + 1 < argc && count < 16; count++)
            sizes[count] = atoi(argv[count + 1]);
    for (int i = 0; i < count; i++)
        if (sizes[i] < 1 || sizes[i] > 140) {
            fprintf(stderr, "bench_explicit: n must be 1 to 140\n");
            return 2;
        }
    printf("Explicit integration: n^3 hexahedra dropped on a plane, the whole step with contact and energy ledger\n");
    printf("measured bounds: triad %.1f GB/s (two threads %.1f), multiply-adds %.1f Gflop/s\n", speed[0] / 1e9,
           speed[1] / 1e9, peak / 1e9);
    printf("%5s %-10s %7s %9s %12s %14s %10s %9s %9s\n", "n", "material", "threads", "setup s", "M updates/s",
           "bound, M/s", "bound by", "bound/own", "B/element");
    for (int m = 0; m < 2; m++)
        for (int threads = 1; threads <= 2; threads++) {
            double first = 0;
            for (int i = 0; i < count; i++) {
                solid_kind kind = {ZN_HEX8, m == 0 ? ZN_SOLID_LINEAR : ZN_SOLID_SAINT_VENANT_KIRCHHOFF,
                                   ZN_SOLID_STANDARD};
                result     r = run(sizes[i], kind, threads);
                double     memory = (element_bytes + node_bytes) / speed[threads - 1];
                double     work = (m == 0 ? flops_linear : flops_nonlinear) / peak / threads;
                double     limit = fmax(memory, work);
                bool       slow = r.step > most * limit, grows = i > 0 && r.step > growth * first;
                first = i == 0 ? r.step : first;
                good = good && !slow && !grows;
                printf("%5d %-10s %7d %9.2f %12.2f %14.2f %10s %9.2f %9.0f%s%s\n", sizes[i],
                       m == 0 ? "linear" : "nonlinear", threads, r.setup, 1e-6 / r.step, 1e-6 / limit,
                       memory > work ? "bandwidth" : "flops", r.step / limit, r.memory, slow ? "  <-- too slow" : "",
                       grows ? "  <-- not linear" : "");
                fflush(stdout);
            }
        }
    good = compare_threads(sizes[count > 1 ? 1 : 0]) && good;
    return compare_elements(sizes[0]) && good ? 0 : 1;
}
