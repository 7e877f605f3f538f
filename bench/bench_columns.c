// Contacts without columns: a block of n^3 hexahedra is thrown on a rough floor, all nodes of its bottom come into
// contact in the first step with h = half the time a wave takes through it. Memory beyond model and one matrix, beside
// 8 n m bytes of columns; processor time, steps of the contact solver, iterations of the linear one; the worst of the
// certificate; up to 10^3 how far velocities are from those with columns.
//
//     bench_columns [n ...]      default 10 20
//
// Exit status: 0 within the bounds of bench/README.md, 1 not, 2 something failed.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BENCH "bench_columns"
#include "bench_program.h"
#include "zn/scheme.h"
#include "zn/system.h"

static const double most_memory = 1000; // [MB] beyond model and matrix, up to 40^3
static const double most_residual = 1e-10, most_off = 1e-9;
enum { STEPS = 3, COMPARED = 10, BOUNDED = 40 };

// A line of /proc/self/status [MB]: VmRSS now, VmHWM at most so far.
static double memory(const char *key)
{
    char  line[256];
    FILE *file = fopen("/proc/self/status", "r");
    long  kilobytes = 0;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0)
            kilobytes = strtol(line + strlen(key) + 1, NULL, 10);
    if (file)
        fclose(file);
    return 1024e-6 * (double)kilobytes;
}

static zn_model *thrown_block(int n, double mu)
{
    zn_model_def   world = zn_model_def_default();
    zn_model      *model = NULL;
    zn_mesh       *mesh = NULL;
    zn_solid_def   solid = zn_solid_def_default();
    zn_contact_def floor = zn_contact_def_default();
    world.gravity = zn_vec3_make(0, 0, -9.81);
    must(zn_model_create(&world, &model));
    must(zn_mesh_box(zn_vec3_make(0, 0, 1e-4), zn_vec3_make(0.1, 0.1, 0.1001), (int[3]){n, n, n}, ZN_HEX8, &mesh));
    solid.name = "block";
    solid.mesh = mesh;
    solid.young = 90;
    solid.poisson = 0.3;
    solid.density = 1;
    solid.model = ZN_SOLID_LINEAR;
    solid.velocity = zn_vec3_make(0.4, 0.1, -1);
    must(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
    floor.name = "floor";
    floor.points = "block.zmin";
    floor.surface = ZN_SURFACE_PLANE;
    floor.normal = zn_vec3_make(0, 0, 1);
    floor.friction = mu;
    must(zn_model_add_contact(model, &floor));
    return model;
}

typedef struct outcome {
    int    iterations, active;
    double residual, coulomb, newton, seconds;
    char   backend[64];
} outcome;

// STEPS steps; the state at the end.
static zn_state *run(const zn_system *sys, double column_memory, outcome *out)
{
    const double  h = 5e-3; // a wave takes 0.1 m / sqrt(90 Pa / (1 kg/m^3)) = 10 ms
    zn_scheme_def def = zn_scheme_def_default();
    zn_scheme    *scheme = NULL;
    zn_state     *state = NULL;
    zn_step_info  info;
    double        start = seconds();
    def.column_memory = column_memory;
    must(zn_scheme_create(&def, sys, &scheme));
    must(zn_state_create(sys, &state));
    *out = (outcome){0};
    for (int k = 0; k < STEPS; k++) {
        must(zn_scheme_step(scheme, state, h, &info));
        out->iterations += info.solver_iterations;
        out->residual = fmax(out->residual, info.complementarity);
        out->coulomb = fmax(out->coulomb, info.coulomb_velocity);
        out->newton = fmax(out->newton, info.newton_residual);
        out->active = info.active > out->active ? info.active : out->active;
    }
    snprintf(out->backend, sizeof out->backend, "%s", zn_scheme_linsolver_info(scheme).backend);
    out->seconds = seconds() - start;
    zn_scheme_destroy(scheme);
    return state;
}

// Largest difference of velocities to those with columns, over the largest velocity.
static double compare(const zn_system *sys, const zn_state *state)
{
    outcome   dense;
    zn_state *other = run(sys, 1e6, &dense);
    double    size = 0, off = 0;
    for (int i = 0; i < zn_system_get_info(sys).n_all; i++) {
        size = fmax(size, fabs(other->v[i]));
        off = fmax(off, fabs(other->v[i] - state->v[i]));
    }
    zn_state_destroy(other);
    return off / size;
}

static int measure(int n, double mu)
{
    zn_model  *model = thrown_block(n, mu);
    zn_system *sys = NULL;
    zn_sparse *matrix = NULL;
    outcome    o;
    must(zn_system_create(model, &sys));
    must(zn_system_matrix(sys, &matrix));
    zn_state *at = NULL;
    must(zn_state_create(sys, &at));
    must(zn_system_operators(sys, (zn_at){at->q, at->v, 0, 0}, 1, 0, 1e-5, matrix));
    double before = memory("VmRSS"), entries = matrix->start[matrix->n];
    zn_sparse_destroy(matrix);
    zn_state_destroy(at);
    zn_state *state = run(sys, 0, &o);
    double    above = memory("VmHWM") - before, dofs = zn_system_get_info(sys).n;
    double    off = n <= COMPARED ? compare(sys, state) : NAN;
    bool good = (n > BOUNDED || above <= most_memory) && o.residual <= most_residual && o.coulomb <= most_residual &&
                !(off > most_off);
    printf("%4d%9.0f%10.3g%8d%6.1f%12.0f%10.0f%10.0f%8d%10.2f%11.1e%11.1e%10.1e  %s%s\n", n, dofs, entries,
           (n + 1) * (n + 1), mu, 8e-6 * dofs * 3 * (n + 1) * (n + 1), before, above, o.iterations, o.seconds,
           o.residual, o.coulomb, off, o.backend, good ? "" : "  beyond the bounds");
    zn_state_destroy(state);
    zn_system_destroy(sys);
    zn_model_destroy(model);
    return good ? 0 : 1;
}

// In a process of its own, whose peak is its own.
static int measure_apart(int n, double mu)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int status = measure(n, mu);
        fflush(stdout);
        _exit(status);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return 2;
    return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    static const int usual[] = {10, 20};
    int              count = argc > 1 ? argc - 1 : 2, worst = 0;
    printf(
        "block of n^3 elements on a rough floor, %d steps: columns by arithmetic, model and matrix, what comes on top\n"
        "[MB]; steps and products of the contact solver; judge's residual, Coulomb's law [m/s], velocities against\n"
        "those with columns\n\n",
        STEPS);
    printf("%4s%9s%10s%8s%6s%12s%10s%10s%8s%10s%11s%11s%10s  %s\n", "n", "dofs", "entries", "contacts", "mu", "columns",
           "model", "on top", "steps", "time [s]", "residual", "Coulomb", "off", "solver");
    for (int i = 0; i < count; i++) {
        int n = argc > 1 ? atoi(argv[i + 1]) : usual[i];
        for (int k = 0; k < (n <= 20 ? 3 : 1) && n > 0; k++) {
            int status = measure_apart(n, n <= 20 ? 0.3 * k : 0.6);
            worst = status > worst ? status : worst;
        }
    }
    return worst;
}
