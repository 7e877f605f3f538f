// Contact of solids in explicit integration: two blocks of n x n x 4 hexahedra on each other, nodes of one on facets of
// the other, beside the same blocks without contact; the search alone, by nodes of the boundary.
//
//     bench_facets [-j threads] [n ...]      default 1 thread, 32 100
//
// Exit status: 0 within the bounds of bench/README.md, 1 not, 2 something failed.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH "bench_facets"
#include "bench_program.h"
#include "zn/scheme.h"
#include "zn/sim.h"

static const double most_smooth = 1, most_rough = 2; // contact over elements, without and with friction
static const double growth = 2;                      // of the time per boundary node

static int threads = 1;

typedef enum contact_kind { NOTHING, SMOOTH, ROUGH, BOTH_SIDES, KINDS } contact_kind;

static const char *const kind_name[KINDS] = {"none", "smooth", "friction 0.3", "both sides, 1e-4"};

static void add_block(zn_model *model, const char *name, zn_vec3 from, zn_vec3 to, int n, int layers, double speed)
{
    zn_mesh     *mesh = NULL;
    zn_solid_def solid = zn_solid_def_default();
    must(zn_mesh_box(from, to, (int[3]){n, n, layers}, ZN_HEX8, &mesh));
    solid.name = name;
    solid.mesh = mesh;
    solid.young = 2.1e11;
    solid.poisson = 0.3;
    solid.density = 7847;
    solid.model = ZN_SOLID_LINEAR;
    solid.mass = ZN_MASS_LUMPED;
    solid.velocity = zn_vec3_make(0, 0, speed);
    must(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
}

// Both plates in one mesh, whose surface meets itself where they face each other.
static zn_model *one_part(int n)
{
    const zn_vec3   from[2] = {zn_vec3_make(0, 0, -0.1), zn_vec3_make(0.003, 0.003, 1e-9)};
    const zn_vec3   to[2] = {zn_vec3_make(0.1, 0.1, 0), zn_vec3_make(0.098, 0.098, 0.1)};
    int             plane = (n + 1) * (n + 1), nodes = 2 * plane, cells = n * n;
    zn_mesh_set     inside = {.name = (char[]){"inside"}, .count = 2 * plane};
    zn_mesh         all = {ZN_HEX8, 2 * nodes, NULL, 2 * cells, NULL, 1, &inside};
    zn_model_def    world = zn_model_def_default();
    zn_surfaces_def self = zn_surfaces_def_default();
    zn_solid_def    solid = zn_solid_def_default();
    zn_model       *model = NULL;
    all.nodes = calloc((size_t)all.node_count, sizeof *all.nodes);
    all.elements = calloc(8 * (size_t)all.element_count, sizeof *all.elements);
    inside.nodes = calloc((size_t)inside.count, sizeof *inside.nodes);
    for (int k = 0; k < 2; k++) {
        zn_mesh *box = NULL;
        must(zn_mesh_box(from[k], to[k], (int[3]){n, n, 1}, ZN_HEX8, &box));
        memcpy(all.nodes + k * nodes, box->nodes, sizeof *box->nodes * (size_t)nodes);
        for (int i = 0; i < 8 * cells; i++)
            all.elements[8 * cells * k + i] = box->elements[i] + k * nodes;
        for (int i = 0; i < plane; i++)
            inside.nodes[k * plane + i] = plane + i; // the upper nodes of the lower plate, the lower ones of the other
        zn_mesh_destroy(box);
    }
    for (int i = plane; i < 2 * plane; i++)
        inside.nodes[i] += plane;
    world.log = (zn_log){print_errors, NULL};
    must(zn_model_create(&world, &model));
    solid.name = "both";
    solid.mesh = &all;
    solid.young = 2.1e11;
    solid.poisson = 0.3;
    solid.density = 7847;
    solid.mass = ZN_MASS_LUMPED;
    must(zn_model_add_solid(model, &solid));
    self.part_a = "both";
    self.face_a = "both.inside";
    self.reach = 0.05 / n;
    must(zn_model_add_surfaces(model, &self));
    free(all.nodes);
    free(all.elements);
    free(inside.nodes);
    return model;
}

static void add_contact(zn_model *model, contact_kind kind, int n)
{
    zn_contact_def  one = zn_contact_def_default();
    zn_surfaces_def both = zn_surfaces_def_default();
    if (kind == BOTH_SIDES) {
        both.part_a = "upper";
        both.part_b = "lower";
        both.reach = 0.05 / n;
        must(zn_model_add_surfaces(model, &both));
    } else if (kind != NOTHING) {
        one.surface = ZN_SURFACE_FACETS;
        one.points = "upper.zmin";
        one.part = "lower";
        one.face = "lower.zmax";
        one.friction = kind == ROUGH ? 0.3 : 0;
        must(zn_model_add_contact(model, &one));
    }
}

static zn_model *blocks(int n, int layers, contact_kind kind)
{
    zn_model_def world = zn_model_def_default();
    zn_model    *model = NULL;
    world.log = (zn_log){print_errors, NULL};
    must(zn_model_create(&world, &model));
    add_block(model, "lower", zn_vec3_make(0, 0, -0.1), zn_vec3_make(0.1, 0.1, 0), n, layers, 0);
    add_block(model, "upper", zn_vec3_make(0.003, 0.003, 1e-9), zn_vec3_make(0.098, 0.098, 0.1), n, layers, -1);
    add_contact(model, kind, n);
    return model;
}

// --- steps ---------------------------------------------------------------------------------------

typedef struct machine {
    zn_model  *model;
    zn_system *sys;
    zn_scheme *scheme;
    zn_state  *state;
    double     h;
    double     step; // seconds, the mean of all steps that count
    int        counted, active;
    double     sweeps; // of a step
} machine;

static machine machine_of(int n, contact_kind kind)
{
    machine       m = {.model = blocks(n, 4, kind)};
    zn_scheme_def def = zn_scheme_def_default();
    zn_critical   critical;
    must(zn_system_create(m.model, &m.sys));
    def.scheme = "cd_lagrange";
    def.threads = threads;
    if (kind == BOTH_SIDES) // rows that nearly repeat each other: see the theory of contacts
        def.solver_tolerance = 1e-4;
    must(zn_scheme_create(&def, m.sys, &m.scheme));
    must(zn_state_create(m.sys, &m.state));
    must(zn_system_critical_step(m.sys, (zn_at){m.state->q, m.state->v, 0, 0}, &critical));
    m.h = 0.8 * critical.step;
    return m;
}

static void destroy_machine(machine *m)
{
    zn_state_destroy(m->state);
    zn_scheme_destroy(m->scheme);
    zn_system_destroy(m->sys);
    zn_model_destroy(m->model);
}

static void take_steps(machine *m, int steps, bool counts)
{
    zn_step_info info;
    double       start = seconds(), sweeps = 0;
    for (int k = 0; k < steps; k++) {
        must(zn_scheme_step(m->scheme, m->state, m->h, &info));
        sweeps += info.solver_iterations;
    }
    m->active = info.active;
    if (!counts)
        return;
    m->step = (m->step * m->counted + seconds() - start) / (m->counted + steps);
    m->sweeps = (m->sweeps * m->counted + sweeps) / (m->counted + steps);
    m->counted += steps;
}

// All kinds in turns, so that what else the machine does meets all of them.
static void run(int n, machine *m)
{
    int steps = n > 50 ? 2 : 5, rounds = n > 50 ? 12 : 20;
    for (int kind = NOTHING; kind < KINDS; kind++)
        m[kind] = machine_of(n, (contact_kind)kind);
    for (int round = 0; round < rounds; round++) // the first ones make room and close the gap
        for (int kind = NOTHING; kind < KINDS; kind++)
            take_steps(&m[kind], steps, round * steps > 9);
    for (int kind = NOTHING; kind < KINDS; kind++)
        destroy_machine(&m[kind]);
}

static bool step_table(int count, const int *sizes)
{
    bool   good = true;
    double first[KINDS] = {0};
    printf("Two blocks of n x n x 4 hexahedra on each other: a whole step with contact, beside one without\n");
    printf("%5s %-20s %9s %7s %10s %16s %18s\n", "n", "contact", "contacts", "sweeps", "step [ms]", "contact/elements",
           "us per contact");
    for (int i = 0; i < count; i++) {
        machine m[KINDS];
        run(sizes[i], m);
        double elements = m[NOTHING].step;
        for (int kind = NOTHING; kind < KINDS; kind++) {
            machine r = m[kind];
            double  share = (r.step - elements) / elements, each = r.active > 0 ? (r.step - elements) / r.active : 0;
            bool    slow = (kind == SMOOTH && share > most_smooth) || (kind == ROUGH && share > most_rough);
            bool    grows = i > 0 && each > growth * first[kind];
            first[kind] = i == 0 ? each : first[kind];
            good = good && !slow && !grows;
            printf("%5d %-20s %9d %7.1f %10.3f %16.2f %18.2f%s%s\n", sizes[i], kind_name[kind], r.active, r.sweeps,
                   1e3 * r.step, share, 1e6 * each, slow ? "  <-- too slow" : "", grows ? "  <-- not linear" : "");
            fflush(stdout);
        }
    }
    return good;
}

// --- the search ----------------------------------------------------------------------------------

// Seconds to find and evaluate all contacts of two faces near each other, which move so far that nothing is remembered;
// destroys the model. `facet`: size of one.
static double search_time(zn_model *model, double facet, int *count)
{
    zn_system      *sys = NULL;
    zn_state       *state = NULL;
    zn_contact_set *set = NULL;
    double          best = INFINITY;
    must(zn_system_create(model, &sys));
    must(zn_state_create(sys, &state));
    must(zn_contact_set_create(sys, &set));
    int nq = zn_system_get_info(sys).nq;
    for (int round = 0; round < 7; round++) {
        for (int i = 0; i < nq; i += 3) // a shear by more than what is remembered bears, there and back
            state->q[i] = round % 2 * 2 * facet * i / nq;
        double start = seconds();
        must(zn_contact_set_refresh(set, sys, state->q, 0));
        best = fmin(best, seconds() - start);
    }
    *count = set->count;
    zn_contact_set_destroy(set);
    zn_state_destroy(state);
    zn_system_destroy(sys);
    zn_model_destroy(model);
    return best;
}

static bool search_table(void)
{
    const int sizes[] = {21, 69, 222}; // 968, 9800 and 99458 nodes of both faces
    bool      good = true;
    printf("\nSearch and evaluation alone, with nothing remembered: ns per node of both faces\n"
           "%10s %12s %12s %12s\n",
           "nodes", "one side", "both sides", "itself");
    double first[3] = {0};
    for (int i = 0; i < 3; i++) {
        int       n = sizes[i], nodes = 2 * (n + 1) * (n + 1), found[3] = {0};
        zn_model *model[3] = {blocks(n, 1, SMOOTH), blocks(n, 1, BOTH_SIDES), one_part(n)};
        bool      grows = false;
        printf("%10d", nodes);
        for (int k = 0; k < 3; k++) {
            double each = search_time(model[k], 0.1 / n, &found[k]) / nodes;
            first[k] = i == 0 ? each : first[k];
            grows = grows || each > growth * first[k];
            printf(" %12.0f", 1e9 * each);
        }
        bool same = found[1] == found[2]; // one part or two, the faces are the same
        good = good && !grows && same;
        printf("%s%s\n", grows ? "  <-- not linear" : "", same ? "" : "  <-- other contacts");
        fflush(stdout);
    }
    return good;
}

int main(int argc, char **argv)
{
    int sizes[16] = {32, 100}, count = 2;
    if (argc > 2 && strcmp(argv[1], "-j") == 0) {
        threads = atoi(argv[2]);
        argc -= 2;
        argv += 2;
    }
    if (argc > 1)
        for (count = 0; count + 1 < argc && count < 16; count++)
            sizes[count] = atoi(argv[count + 1]);
    for (int i = 0; i < count; i++)
        if (sizes[i] < 1 || sizes[i] > 300) {
            fprintf(stderr, "bench_facets: n must be 1 to 300\n");
            return 2;
        }
    bool steps = step_table(count, sizes), search = search_table();
    return steps && search ? 0 : 1;
}
