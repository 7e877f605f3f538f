// Two soft discs that hit each other off centre, in schemes of several kinds: both boundaries stay out of each other,
// measured on the polygons and not by the contacts, momentum stays, energy does not grow.
#include "solid_models.h"

#include "model/contact/surface_pair.h"

enum { SEGMENTS = 16 };

static const double speed = 1;

static void add_disc(zn_model *model, const char *name, double x, double y, double velocity, int n)
{
    zn_mesh *mesh = NULL;
    CHECK_OK(zn_mesh_disc(zn_vec3_make(x, y, 0), 1, n, &mesh));
    zn_solid_def def = soft_solid((solid_case){ZN_QUAD4, ZN_SOLID_SAINT_VENANT_KIRCHHOFF, ZN_PLANE_STRAIN}, mesh);
    def.name = name;
    def.young = 400;
    def.mass = ZN_MASS_LUMPED;
    def.velocity = zn_vec3_make(0, velocity, 0);
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
}

static fixture make_discs(void)
{
    zn_model       *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_surfaces_def def = zn_surfaces_def_default();
    add_disc(model, "a", 0.4, 0.995, -speed, SEGMENTS / 4);
    add_disc(model, "b", 0, -0.995, speed, SEGMENTS / 4 - 1);
    def.name = "hit";
    def.part_a = "a";
    def.part_b = "b";
    def.face_b = "b.outer";
    CHECK_OK(zn_model_add_surfaces(model, &def));
    return compile_fixture(model);
}

static int outline(const zn_system *sys, const char *set, const double *q, zn_vec3 *x)
{
    int               count = 0;
    const zn_node_id *id = zn_model_find_node_set(sys->model, set, &count);
    assert_true(count <= SEGMENTS);
    for (int i = 0; i < count; i++) {
        const zn_layout_node *node = &sys->layout.node[id[i].value - 1];
        x[i] = zn_vec3_make(node->origin.x + q[node->q], node->origin.y + q[node->q + 1], 0);
    }
    return count;
}

// How deep p is in a polygon; 0: outside, by the number of edges to the right of it.
static double depth_in(int count, const zn_vec3 *x, zn_vec3 p)
{
    bool   inside = false;
    double least = 1e9;
    for (int i = 0; i < count; i++) {
        zn_vec3 a = x[i], b = x[(i + 1) % count], d = zn_vec3_sub(b, a), r = zn_vec3_sub(p, a);
        double  s = fmin(fmax(zn_vec3_dot(d, r) / zn_vec3_dot(d, d), 0), 1);
        least = fmin(least, zn_vec3_norm(zn_vec3_sub(r, zn_vec3_scale(s, d))));
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
            inside = !inside;
    }
    return inside ? least : 0;
}

// The deepest node of either boundary in the other one.
static double deepest(const zn_system *sys, const double *q)
{
    zn_vec3 a[SEGMENTS], b[SEGMENTS];
    int     na = outline(sys, "a.outer", q, a), nb = outline(sys, "b.outer", q, b);
    double  depth = 0;
    for (int i = 0; i < na; i++)
        depth = fmax(depth, depth_in(nb, b, a[i]));
    for (int i = 0; i < nb; i++)
        depth = fmax(depth, depth_in(na, a, b[i]));
    return depth;
}

static zn_vec3 momentum_of(const zn_system *sys, const zn_state *s)
{
    zn_vec3 linear, angular;
    double *scratch = malloc(sizeof *scratch * (size_t)sys->info.n_all);
    CHECK_OK(zn_system_momentum(sys, (zn_at){.q = s->q, .v = s->v}, -1, scratch, &linear, &angular));
    free(scratch);
    return linear;
}

typedef struct outcome {
    double depth, energy; // deepest penetration, energy at the end over that at the start
    bool   touched;
} outcome;

static outcome run(const char *scheme_name, double h)
{
    fixture       f = make_discs();
    zn_scheme_def def = zn_scheme_def_default();
    zn_scheme    *scheme = NULL;
    zn_state     *s = NULL;
    zn_energy     from, to;
    zn_step_info  info = {0};
    outcome       out = {0};
    def.scheme = scheme_name;
    CHECK_OK(zn_scheme_create(&def, f.sys, &scheme));
    CHECK_OK(zn_state_create(f.sys, &s));
    CHECK_OK(zn_system_energy(f.sys, (zn_at){.q = s->q, .v = s->v}, &from));
    zn_vec3 before = momentum_of(f.sys, s), after;
    for (int k = 0; k < (int)(0.24 / h + 0.5); k++) {
        CHECK_OK(zn_scheme_step(scheme, s, h, &info));
        out.depth = fmax(out.depth, deepest(f.sys, s->q));
        out.touched |= info.active > 0;
    }
    after = momentum_of(f.sys, s);
    CHECK_BELOW(zn_vec3_norm(zn_vec3_sub(after, before)), 1e-12);
    CHECK_OK(zn_system_energy(f.sys, (zn_at){.q = s->q, .v = s->v}, &to));
    out.energy = (to.kinetic + to.strain) / from.kinetic;
    zn_state_destroy(s);
    zn_scheme_destroy(scheme);
    destroy_fixture(&f);
    return out;
}

static void test_discs(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        double      depth; // over what they approach in a step; nsga corrects positions of the contacts it keeps
    } cases[] = {{"moreau_jean", 2}, {"nsga", 0.25}, {"cd_lagrange", 2}};
    for (int k = 0; k < 3; k++)
        for (double h = 4e-3; h > 1e-3; h /= 2) {
            outcome o = run(cases[k].scheme, h);
            assert_true(o.touched);
            CHECK_BELOW(o.depth, cases[k].depth * 2 * speed * h);
            CHECK_BELOW(o.energy, 1);
            assert_true(o.energy > 0.9);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_discs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
