// Hertz contact of a ball on a plate, both of the same hexahedra, in explicit integration to rest: a quarter of the
// ball (its lower part, a paraboloid, as Hertz has it) lies on the plate under its weight. Of the forces at its nodes,
//     F = sum f_i,   a = sqrt(5/2 sum f_i r_i^2 / F)   of p = p0 sqrt(1 - r^2/a^2),
// beside a = (3 F R / 4 E*)^(1/3) of Hertz, F of the whole ball.
//
//     bench_hertz [m ...]      elements along the contact radius, default 3 5
//
// Exit status: 0 the finest mesh is within 3 %, 1 not, 2 something failed.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define BENCH "bench_hertz"
#include "bench_program.h"
#include "zn/scheme.h"
#include "zn/sim.h"

static const double young = 1, poisson = 0.3, radius = 4, wanted = 0.16; // wanted: contact radius, of blocks of side 1
static const double bound = 0.03;

// Place i of a line from 0: `even` elements of size h, then growing by `ratio`, up to the number that reaches 1.
typedef struct line {
    int    even, count;
    double h, ratio;
} line;

static double place(const line *l, int i)
{
    double x = 0;
    for (int k = 0; k < i; k++)
        x += l->h * (k < l->even ? 1 : pow(l->ratio, k - l->even + 1));
    return x;
}

static line make_line(double h, int even, double ratio)
{
    line l = {.even = even, .count = 0, .h = h, .ratio = ratio};
    while (place(&l, l.count) < 1)
        l.count++;
    return l;
}

// A block of unit cells moved to where it belongs; `up`: the ball above the plate.
static void add_block(zn_model *model, const char *name, const line *side, const line *height, bool up)
{
    zn_mesh     *mesh = NULL;
    zn_solid_def solid = zn_solid_def_default();
    const int    n[3] = {side->count, side->count, height->count};
    must(zn_mesh_box(zn_vec3_make(0, 0, up ? 0 : -n[2]), zn_vec3_make(n[0], n[1], up ? n[2] : 0), n, ZN_HEX8, &mesh));
    for (int i = 0; i < mesh->node_count; i++) {
        zn_vec3 *x = &mesh->nodes[i];
        double   z = place(height, (int)lround(fabs(x->z)));
        x->x = place(side, (int)lround(x->x));
        x->y = place(side, (int)lround(x->y));
        double sag = (x->x * x->x + x->y * x->y) / (2 * radius);
        x->z = up ? z + sag * fmax(1 - z, 0) + 1e-9 : -z;
    }
    solid.name = name;
    solid.mesh = mesh;
    solid.young = young;
    solid.poisson = poisson;
    solid.density = 1;
    solid.model = ZN_SOLID_LINEAR;
    solid.mass = ZN_MASS_LUMPED;
    solid.mass_damping = 0.4;
    must(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
}

static zn_model *make_model(int m, double gravity)
{
    zn_model_def   world = zn_model_def_default();
    zn_contact_def contact = zn_contact_def_default();
    zn_model      *model = NULL;
    double         h = wanted / m;
    line           ball = make_line(h, m + 3, 1.35), ball_height = make_line(h, 2, 1.35),
         plate = make_line(1.07 * h, m + 3, 1.35), plate_height = make_line(h, 2, 1.35);
    world.log = (zn_log){print_errors, NULL};
    world.gravity = zn_vec3_make(0, 0, -gravity);
    must(zn_model_create(&world, &model));
    add_block(model, "plate", &plate, &plate_height, false);
    add_block(model, "ball", &ball, &ball_height, true);
    must(zn_model_fix_node_set(model, "plate.zmin", ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z));
    const char *const sets[] = {"plate.xmin", "ball.xmin", "plate.ymin", "ball.ymin"};
    for (int i = 0; i < 4; i++)
        must(zn_model_fix_node_set(model, sets[i], i < 2 ? ZN_FIX_X : ZN_FIX_Y));
    contact.surface = ZN_SURFACE_FACETS;
    contact.points = "ball.zmin";
    contact.part = "plate";
    contact.face = "plate.zmax";
    must(zn_model_add_contact(model, &contact));
    return model;
}

typedef struct result {
    double force, a, rest; // of the whole ball; contact radius; kinetic over strain energy at the end
    int    nodes, steps;
    double seconds;
} result;

// Forces of the last step at nodes of the ball, whose places are those of the lines: they hardly move aside.
static void measure(const zn_state *state, double h, int m, result *out)
{
    const zn_contact_set *set = state->contacts;
    line                  side = make_line(wanted / m, m + 3, 1.35);
    double                moment = 0;
    for (int i = 0; i < set->count; i++) {
        int    number = (int)zn_contact_id_number(set->id[i]);
        double x = place(&side, number % (side.count + 1)), y = place(&side, number / (side.count + 1));
        double f = set->impulse[i * set->stride] / h;
        out->force += 4 * f;
        moment += 4 * f * (x * x + y * y);
        out->nodes += f > 0;
    }
    out->a = sqrt(2.5 * moment / out->force);
    out->rest = state->energy.kinetic / state->energy.strain;
}

static result run(int m)
{
    const double  modulus = young / (2 * (1 - poisson * poisson)), settled = 60;
    const double  gravity = modulus * pow(wanted, 3) / (3 * radius);
    zn_model     *model = make_model(m, gravity);
    zn_system    *sys = NULL;
    zn_scheme    *scheme = NULL;
    zn_state     *state = NULL;
    zn_scheme_def def = zn_scheme_def_default();
    zn_critical   critical;
    zn_step_info  info;
    result        out = {0};
    double        start = seconds();
    def.scheme = "cd_lagrange";
    def.threads = 1;
    must(zn_system_create(model, &sys));
    must(zn_scheme_create(&def, sys, &scheme));
    must(zn_state_create(sys, &state));
    must(zn_system_critical_step(sys, (zn_at){state->q, state->v, 0, 0}, &critical));
    double h = 0.9 * critical.step;
    for (; out.steps * h < settled; out.steps++)
        must(zn_scheme_step(scheme, state, h, &info));
    measure(state, h, m, &out);
    out.seconds = seconds() - start;
    zn_state_destroy(state);
    zn_scheme_destroy(scheme);
    zn_system_destroy(sys);
    zn_model_destroy(model);
    return out;
}

int main(int argc, char **argv)
{
    int    sizes[8] = {3, 5}, count = 2;
    double modulus = young / (2 * (1 - poisson * poisson)), off = INFINITY;
    if (argc > 1)
        for (count = 0; count + 1 < argc && count < 8; count++)
            sizes[count] = atoi(argv[count + 1]);
    printf("Ball on a plate at rest, cd_lagrange: contact radius beside Hertz\n");
    printf("%9s %9s %9s %11s %10s %10s %8s %14s %9s\n", "elements", "nodes", "steps", "force", "radius", "Hertz", "off",
           "kinetic/strain", "time [s]");
    for (int i = 0; i < count; i++) {
        result r = run(sizes[i] < 1 ? 1 : sizes[i]);
        double a = cbrt(3 * r.force * radius / (4 * modulus));
        off = r.a / a - 1;
        printf("%9d %9d %9d %11.4g %10.5f %10.5f %7.2f%% %14.1e %9.1f\n", sizes[i], r.nodes, r.steps, r.force, r.a, a,
               100 * off, r.rest, r.seconds);
        fflush(stdout);
    }
    return fabs(off) <= bound ? 0 : 1;
}
