// Gain of multirate over explicit integration of the whole, on the bridge crane of the gallery: same mesh, same step,
// same driver with ledger and certificate, rounds in turns so that the machine is the same for all.
//
//     bench_crane MODEL [rounds [steps]]      default 7 rounds of 4000 steps
//
// Ceiling: element updates of the whole over those of the parts, n_fine + n_coarse/m per step. Exit status: 0 the parts
// of the model and the zones of 0.2 m reach 80 % of it, 1 not, 2 something failed.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define BENCH "bench_crane"
#include "bench_program.h"
#include "zn/io.h"

static const double enough = 0.8;

typedef struct variant {
    const char *name, *scheme, *fine;
    double      within;
    int         ratio, elements; // elements of the fine part
    bool        bound;           // must reach `enough`
    zn_problem *problem;
    zn_system  *sys;
    zn_sim     *sim;
    double      step; // processor time [s]
} variant;

static void open_variant(const char *path, variant *v)
{
    const zn_log log = {.write = print_errors};
    must(zn_problem_read(path, 0, NULL, log, &v->problem));
    zn_sim_def def = v->problem->sim;
    def.scheme.scheme = v->scheme;
    def.scheme.fine = v->ratio == 0 ? NULL : v->fine ? v->fine : def.scheme.fine;
    def.scheme.within = v->within;
    def.scheme.ratio = v->ratio;
    def.record_count = 0;
    def.log = log;
    must(zn_system_create(v->problem->model, &v->sys));
    must(zn_sim_create(v->sys, &def, &v->sim));
    v->step = INFINITY;
}

static void close_variant(variant *v)
{
    zn_sim_destroy(v->sim);
    zn_system_destroy(v->sys);
    zn_problem_destroy(v->problem);
}

static void time_variant(variant *v, int steps)
{
    double start = seconds();
    for (int k = 0; k < steps; k++)
        must(zn_sim_step(v->sim));
    v->step = fmin(v->step, (seconds() - start) / steps);
}

int main(int argc, char **argv)
{
    // elements with all nodes within 0.1 k of the four wheels: 16 k, half of them of the girders
    variant list[] = {
        {.name = "all explicit", .scheme = "cd_lagrange"},
        {.name = "girders 9 to 13 m and trolley", .scheme = "multirate", .ratio = 100, .elements = 168, .bound = true},
        {.name = "zones of 0.2 m",
         .scheme = "multirate",
         .fine = "",
         .within = 0.2,
         .ratio = 100,
         .elements = 32,
         .bound = true},
        {.name = "zones of 0.1 m", .scheme = "multirate", .fine = "", .within = 0.1, .ratio = 100, .elements = 16},
        {.name = "zones of 0.1 m", .scheme = "multirate", .fine = "", .within = 0.1, .ratio = 10, .elements = 16},
        {.name = "zones of 0.1 m", .scheme = "multirate", .fine = "", .within = 0.1, .ratio = 400, .elements = 16},
    };
    int count = sizeof list / sizeof *list, rounds = argc > 2 ? atoi(argv[2]) : 7,
        steps = argc > 3 ? atoi(argv[3]) : 4000;
    bool good = true;
    if (argc < 2 || rounds < 1 || steps < 1) {
        fprintf(stderr, "usage: bench_crane MODEL [rounds [steps]]\n");
        return 2;
    }
    for (int i = 0; i < count; i++)
        open_variant(argv[1], &list[i]);
    for (int k = 0; k <= rounds; k++)
        for (int i = 0; i < count; i++) {
            if (k == 1)
                list[i].step = INFINITY; // the first round warms up
            time_variant(&list[i], steps);
        }
    double all = zn_system_get_info(list[0].sys).elements;
    printf("Bridge crane, %d elements, %d rounds of %d steps with ledger and certificate\n", (int)all, rounds, steps);
    printf("%-30s %6s %6s %10s %8s %6s %8s\n", "explicit part", "m", "fine", "us/step", "ceiling", "gain", "share");
    for (int i = 0; i < count; i++) {
        variant *v = &list[i];
        double   fine = v->ratio ? v->elements : all, m = v->ratio ? v->ratio : 1;
        double   ceiling = all / (fine + (all - fine) / m), gain = list[0].step / v->step;
        bool     low = v->bound && gain < enough * ceiling;
        good = good && !low;
        printf("%-30s %6d %6d %10.3f %8.2f %6.2f %7.0f%%%s\n", v->name, (int)m, (int)fine, 1e6 * v->step, ceiling, gain,
               100 * gain / ceiling, low ? "  <-- too low" : "");
        close_variant(v);
    }
    return good ? 0 : 1;
}
