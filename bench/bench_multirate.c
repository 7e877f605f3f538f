// Gain of multirate over explicit integration of the whole on a solid: a column of n x n elements across, 2 thin layers
// that fall on a plane and 18 thick ones above, so that a tenth of the elements sets the step; and what its start costs
// with more and more links. Rounds in turns, one thread.
//
//     bench_multirate [n ...]      default 4 8 16 32 58, which have 75 to 10443 links
//
// Exit status: 0 an explicit coarse part gains at least 3 with ratio 10, starts within 2 s at 3267 links and within
// twice the time per link with more; 1 not, 2 something failed.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define BENCH "bench_multirate"
#include "bench_program.h"
#include "zn/scheme.h"
#include "zn/system.h"

enum { THIN = 2, THICK = 18, ROUNDS = 4, FAR = 32 };
static const double thickness = 0.05; // of a thin layer, in parts of a thick one
static const double enough = 3, longest = 2, growth = 2;

typedef struct variant {
    const char *name;
    const char *fine;
    int         ratio;
    bool        coarse_explicit;
    int         largest; // n it is run with
    zn_scheme  *scheme;
    zn_state   *state;
    double      start, step, memory; // processor time [s], bytes
} variant;

// --- the column ------------------------------------------------------------------------------------

static void add_part(zn_model *model, const char *name, int n, double from, double to, int layers, zn_node_id *shared)
{
    zn_mesh     *mesh = NULL;
    zn_solid_def solid = zn_solid_def_default();
    must(zn_mesh_box(zn_vec3_make(0, 0, from), zn_vec3_make(n, n, to), (int[3]){n, n, layers}, ZN_HEX8, &mesh));
    solid.name = name;
    solid.mesh = mesh;
    solid.shared = shared;
    solid.young = 1e7;
    solid.poisson = 0.3;
    solid.density = 1000;
    solid.mass = ZN_MASS_LUMPED;
    solid.velocity = zn_vec3_make(0, 0, -1);
    must(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
}

static zn_model *column(int n)
{
    int          face = (n + 1) * (n + 1), nodes = face * (THICK + 1);
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    zn_node_id  *shared = calloc((size_t)nodes, sizeof *shared);
    char         name[32];
    if (!shared)
        exit(2);
    def.log = (zn_log){print_errors, NULL};
    must(zn_model_create(&def, &model));
    add_part(model, "low", n, 1e-4, 1e-4 + THIN * thickness, THIN, NULL);
    for (int i = 0; i < face; i++) {
        snprintf(name, sizeof name, "low[%d]", THIN * face + i);
        shared[i] = zn_model_find_node(model, name);
    }
    add_part(model, "high", n, 1e-4 + THIN * thickness, 1e-4 + THIN * thickness + THICK, THICK, shared);
    free(shared);
    zn_contact_def contact = zn_contact_def_default();
    contact.name = "plane";
    contact.points = "low.zmin";
    contact.normal = zn_vec3_make(0, 0, 1);
    must(zn_model_add_contact(model, &contact));
    return model;
}

// --- variants --------------------------------------------------------------------------------------

static void open_variant(const zn_system *sys, double h, variant *v)
{
    zn_scheme_def def = zn_scheme_def_default();
    zn_step_info  info;
    double        begin = seconds(), before = resident();
    def.scheme = v->ratio > 0 ? "multirate" : "cd_lagrange";
    def.threads = 1;
    if (v->ratio > 0) {
        def.fine = v->fine;
        def.ratio = v->ratio;
        def.coarse_explicit = v->coarse_explicit;
    }
    must(zn_scheme_create(&def, sys, &v->scheme));
    must(zn_state_create(sys, &v->state));
    must(zn_scheme_step(v->scheme, v->state, h, &info));
    v->start = seconds() - begin;
    v->memory = resident() - before;
    v->step = INFINITY;
    for (int k = 1; k < v->ratio; k++)
        must(zn_scheme_step(v->scheme, v->state, h, &info));
}

static void time_variant(variant *v, double h, int steps)
{
    zn_step_info info;
    double       begin = seconds();
    for (int k = 0; k < steps; k++)
        must(zn_scheme_step(v->scheme, v->state, h, &info));
    v->step = fmin(v->step, (seconds() - begin) / steps);
}

static void close_variant(variant *v)
{
    zn_state_destroy(v->state);
    zn_scheme_destroy(v->scheme);
    v->scheme = NULL;
}

// Rounds in turns; returns the time of the start of the explicit coarse part, and whether that gains enough.
static bool run(int n, double *start)
{
    variant        list[] = {{.name = "all explicit", .largest = 1000},
                             {.name = "explicit", .fine = "low", .ratio = 10, .coarse_explicit = true, .largest = 1000},
                             {.name = "implicit", .fine = "low", .ratio = 10, .largest = FAR},
                             {.name = "implicit", .fine = "low", .ratio = 100, .largest = FAR / 2}};
    int            count = sizeof list / sizeof *list, elements = n * n * (THIN + THICK);
    zn_model      *model = column(n);
    zn_system     *sys = NULL;
    zn_scheme_info info;
    zn_scheme_def  def = zn_scheme_def_default();
    def.scheme = "multirate";
    def.fine = "low";
    def.ratio = 10;
    def.coarse_explicit = true;
    must(zn_system_create(model, &sys));
    must(zn_scheme_describe(&def, sys, 0, &info));
    double h = 0.9 * info.critical.step;
    int    steps = (200000 / elements + 1) * 100;
    for (int i = 0; i < count; i++)
        if (n <= list[i].largest)
            open_variant(sys, h, &list[i]);
    for (int k = 0; k < ROUNDS; k++)
        for (int i = 0; i < count; i++)
            if (list[i].scheme)
                time_variant(&list[i], h, i >= 2 && n > FAR / 2 ? 10 : n > FAR / 2 ? 20 : steps < 400 ? steps : 400);
    *start = list[1].start;
    bool good = list[0].step >= enough * list[1].step;
    for (int i = 0; i < count; i++) {
        if (!list[i].scheme)
            continue;
        printf("%4d %8d %8d %-12s %5d %10.3f %10.1f %10.0f %8.2f%s\n", n, elements, info.links, list[i].name,
               list[i].ratio, list[i].start, list[i].memory / 1e6, 1e6 * list[i].step, list[0].step / list[i].step,
               i == 1 && !good ? "  <-- less than 3" : "");
        close_variant(&list[i]);
    }
    fflush(stdout);
    zn_system_destroy(sys);
    zn_model_destroy(model);
    return good;
}

int main(int argc, char **argv)
{
    int    sizes[16] = {4, 8, 16, 32, 58}, count = 5;
    bool   good = true;
    double first = 0; // seconds per link at the first size from 32 on
    for (count = argc > 1 ? 0 : 5; count + 1 < argc && count < 16; count++)
        sizes[count] = atoi(argv[count + 1]);
    printf(
        "A column of 2 thin and 18 thick layers of n x n hexahedra, h = 0.9 of what both parts bear with ratio 10\n");
    printf("%4s %8s %8s %-12s %5s %10s %10s %10s %8s\n", "n", "elements", "links", "coarse part", "m", "start s",
           "start MB", "us/step", "gain");
    for (int i = 0; i < count; i++) {
        double start = 0, links = 3.0 * (sizes[i] + 1) * (sizes[i] + 1);
        if (sizes[i] < 1 || sizes[i] > 200)
            return 2;
        good = run(sizes[i], &start) && good;
        bool late = (sizes[i] == FAR && start > longest) || (first > 0 && start / links > growth * first);
        if (late)
            printf("     start too slow: %.2f s\n", start);
        good = good && !late;
        first = first == 0 && sizes[i] >= FAR ? start / links : first;
    }
    return good ? 0 : 1;
}
