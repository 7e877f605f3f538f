// Levels: a column of hexahedra of which one in a hundred is a tenth as thick, all in the step of the smallest element
// against steps by size. Both run in turns, so that other programs disturb both alike.
//
//     bench_levels [n]      elements along each side of the column, default 6; it is 1000 high
//
// Exit status: 0 within the bounds of bench/README.md, 1 not, 2 something failed.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define BENCH "bench_levels"
#include "bench_program.h"
#include "zn/scheme.h"
#include "zn/sim.h"

enum { HEIGHT = 1000, FIRST = 400, THIN = 10, TURNS = 4 }; // layers: all, and the thin ones
static const double gain = 5, balance = 1e-12, difference = 2e-3;

// A free column; its first mode along z runs through the thin layer.
static zn_model *column(int n)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    zn_mesh     *mesh = NULL;
    double       side = 1.0 / n, height = (HEIGHT - 0.9 * THIN) * side;
    must(zn_model_create(&def, &model));
    must(zn_mesh_box(zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, HEIGHT * side), (int[3]){n, n, HEIGHT}, ZN_HEX8, &mesh));
    zn_vec3 *velocity = calloc((size_t)mesh->node_count, sizeof *velocity);
    if (!velocity)
        exit(2);
    for (int i = 0; i < mesh->node_count; i++) {
        double layers = mesh->nodes[i].z / side - FIRST; // above the first thin one
        mesh->nodes[i].z -= 0.9 * side * fmax(0, fmin(layers, THIN));
        velocity[i].z = cos(3.14159265358979323846 * mesh->nodes[i].z / height);
    }
    zn_solid_def solid = zn_solid_def_default();
    solid.name = "column";
    solid.mesh = mesh;
    solid.young = 1e9;
    solid.poisson = 0.3;
    solid.density = 1000;
    solid.model = ZN_SOLID_SAINT_VENANT_KIRCHHOFF;
    solid.mass = ZN_MASS_LUMPED;
    solid.velocities = velocity;
    must(zn_model_add_solid(model, &solid));
    free(velocity);
    zn_mesh_destroy(mesh);
    return model;
}

// --- one run ---------------------------------------------------------------------------------------

typedef struct run {
    zn_scheme_info info;
    zn_scheme     *scheme;
    zn_state      *state;
    double         longest, h, time, start, entered, worst, interface;
} run;

static run begin(const zn_system *sys, const char *levels)
{
    zn_scheme_def def = zn_scheme_def_default();
    zn_critical   critical;
    run           r = {.time = 0};
    def.scheme = "cd_lagrange";
    def.threads = 1;
    def.levels = levels;
    must(zn_scheme_describe(&def, sys, 0, &r.info));
    must(zn_scheme_create(&def, sys, &r.scheme));
    must(zn_state_create(sys, &r.state));
    must(zn_system_critical_step(sys, (zn_at){r.state->q, r.state->v, 0, 0}, &critical));
    r.longest = 0.9 * (r.info.critical.step > 0 ? r.info.critical.step : critical.step);
    r.start = r.state->energy.kinetic + r.state->energy.strain;
    return r;
}

static void advance(run *r, int steps)
{
    double start = seconds();
    for (int k = 0; k < steps; k++) {
        zn_step_info info;
        double       stored = 0;
        must(zn_scheme_step(r->scheme, r->state, r->h, &info));
        for (int i = 0; i < ZN_LEDGER_LINES; i++)
            *(i < ZN_LEDGER_STORED ? &stored : &r->entered) += info.ledger[i];
        r->worst = fmax(r->worst, fabs(stored - r->start - r->entered) / r->start);
        r->interface += info.ledger[ZN_LEDGER_INTERFACE] / r->start;
    }
    r->time += seconds() - start;
}

// Largest difference of two states relative to the largest displacement.
static double compare(zn_system_info info, const zn_state *a, const zn_state *b)
{
    double worst = 0, size = 0;
    for (int i = 0; i < info.nq; i++) {
        worst = fmax(worst, fabs(a->q[i] - b->q[i]));
        size = fmax(size, fabs(a->q[i]));
    }
    return worst / size;
}

static void print_levels(const zn_scheme_info *info)
{
    printf("levels %d, links %d; elements by their steps:", info->levels, info->links);
    for (int i = 0; i < 16; i++)
        if (info->level_elements[i] > 0)
            printf(" h/%d %d", 1 << i, info->level_elements[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    int        n = argc > 1 ? atoi(argv[1]) : 6;
    zn_system *sys = NULL;
    if (n < 1 || n > 100) {
        fprintf(stderr, "bench_levels: n must be 1 to 100\n");
        return 2;
    }
    zn_model *model = column(n);
    must(zn_system_create(model, &sys));
    run    r[2] = {begin(sys, "1"), begin(sys, "auto")};
    int    steps[2] = {0, 20}; // in a turn
    double turn = steps[1] * r[1].longest;
    steps[0] = (int)ceil(turn / r[0].longest - 1e-9);
    print_levels(&r[1].info);
    for (int k = 0; k < 2; k++)
        r[k].h = turn / steps[k];
    for (int i = 0; i < TURNS; i++)
        for (int k = 0; k < 2; k++)
            advance(&r[k], steps[k]);
    double faster = r[0].time / r[1].time, apart = compare(zn_system_get_info(sys), r[0].state, r[1].state);
    for (int k = 0; k < 2; k++)
        printf("%-10s %7d steps of %.4g s, %8.3f s, balance of energy %.2g a step, interface %.2g\n",
               k == 0 ? "one step" : "levels", TURNS * steps[k], r[k].h, r[k].time, r[k].worst, r[k].interface);
    bool slow = faster<gain, open = r[1].worst> balance, far = apart > difference;
    printf("levels are %.2f times as fast%s; displacements differ by %.2g%s%s\n", faster, slow ? "  <-- too slow" : "",
           apart, far ? "  <-- too far" : "", open ? "  <-- energy is not balanced" : "");
    for (int k = 0; k < 2; k++) {
        zn_state_destroy(r[k].state);
        zn_scheme_destroy(r[k].scheme);
    }
    zn_system_destroy(sys);
    zn_model_destroy(model);
    return slow || open || far ? 1 : 0;
}
