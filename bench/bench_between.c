// Cost of operators and forces between two states beside the ordinary ones, for each solid element and material.
//
//   bench_between [ELEMENTS PER SIDE]
//
// Lines: element, material, microseconds per element of operators and force, at one state and between two, ratios.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "system/between.h"
#include "zn/model.h"

enum { ROUNDS = 21 };

typedef struct setting {
    zn_system *sys;
    zn_sparse *matrix;
    zn_between s;
    double    *f;
} setting;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static zn_status operators_at(setting *x) { return zn_system_operators(x->sys, x->s.to, 1, 0, 1, x->matrix); }
static zn_status operators_between(setting *x) { return zn_system_operators_between(x->sys, x->s, 1, 0, 1, x->matrix); }
static zn_status force_at(setting *x) { return zn_system_force(x->sys, x->s.to, x->f); }
static zn_status force_between(setting *x) { return zn_system_force_between(x->sys, x->s, x->f); }

// The fastest of some rounds, in seconds.
static double time_of(setting *x, zn_status (*what)(setting *))
{
    double best = 1e30;
    for (int k = 0; k < ROUNDS; k++) {
        double start = now();
        if (what(x) != ZN_OK)
            exit(1);
        double taken = now() - start;
        best = taken < best ? taken : best;
    }
    return best;
}

static zn_system *make_system(zn_solid_shape shape, zn_solid_model kind, zn_plane_kind plane, int n, int *elements)
{
    zn_model_def model_def = zn_model_def_default();
    zn_solid_def def = zn_solid_def_default();
    zn_model    *model = NULL;
    zn_mesh     *mesh = NULL;
    zn_system   *sys = NULL;
    zn_vec3      from = {0, 0, 0}, to = {1, 1, shape == ZN_QUAD4 ? 0 : 1};
    model_def.planar = shape == ZN_QUAD4;
    zn_status status = shape == ZN_QUAD4 ? zn_mesh_rectangle(from, to, (int[2]){n * n, n}, &mesh)
                                         : zn_mesh_box(from, to, (int[3]){n, n, n}, shape, &mesh);
    if (status != ZN_OK || zn_model_create(&model_def, &model) != ZN_OK)
        exit(1);
    def.name = "body";
    def.mesh = mesh;
    def.young = 10;
    def.poisson = 0.3;
    def.density = 1;
    def.model = kind;
    def.plane = plane;
    *elements = mesh->element_count;
    if (zn_model_add_solid(model, &def) != ZN_OK || zn_system_create(model, &sys) != ZN_OK)
        exit(1);
    zn_mesh_destroy(mesh);
    return sys; // and its model, until the program ends
}

static void measure(const char *element, const char *material, zn_solid_shape shape, zn_solid_model kind,
                    zn_plane_kind plane, int n)
{
    int            elements;
    setting        x = {.sys = make_system(shape, kind, plane, n, &elements)};
    zn_system_info info = zn_system_get_info(x.sys);
    double        *q = calloc((size_t)info.nq, 2 * sizeof *q), *v = calloc((size_t)info.n_all, sizeof *v);
    x.f = calloc((size_t)info.n_all, sizeof *x.f);
    if (!q || !v || !x.f || zn_system_matrix(x.sys, &x.matrix) != ZN_OK)
        exit(1);
    for (int i = 0; i < 2 * info.nq; i++)
        q[i] = 0.02 / n * (double)(i * 7919 % 101) / 101;
    x.s = (zn_between){{q, v, 0, 0}, {q + info.nq, v, 1, 0}};
    double a = time_of(&x, operators_at), b = time_of(&x, operators_between);
    double c = time_of(&x, force_at), d = time_of(&x, force_between), each = 1e6 / elements;
    printf("%-6s %-22s operators %6.3f %6.3f ratio %4.2f   force %6.3f %6.3f ratio %4.2f\n", element, material,
           each * a, each * b, b / a, each * c, each * d, d / c);
}

int main(int argc, char **argv)
{
    static const struct {
        const char    *name;
        zn_solid_shape shape;
        zn_plane_kind  plane;
    } element[] = {{"quad4", ZN_QUAD4, ZN_PLANE_STRAIN},
                   {"quad4s", ZN_QUAD4, ZN_PLANE_STRESS},
                   {"tet4", ZN_TET4, ZN_PLANE_STRAIN},
                   {"hex8", ZN_HEX8, ZN_PLANE_STRAIN}};
    static const struct {
        const char    *name;
        zn_solid_model model;
    } material[] = {{"linear", ZN_SOLID_LINEAR},
                    {"saint_venant_kirchhoff", ZN_SOLID_SAINT_VENANT_KIRCHHOFF},
                    {"neo_hookean", ZN_SOLID_NEO_HOOKEAN}};
    int n = argc > 1 ? atoi(argv[1]) : 16;
    for (int i = 0; i < 4 && n > 0; i++)
        for (int k = 0; k < 3; k++)
            measure(element[i].name, material[k].name, element[i].shape, material[k].model, element[i].plane, n);
    return n > 0 ? 0 : 2;
}
