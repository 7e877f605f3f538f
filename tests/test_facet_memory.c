// What a search of points on facets remembers changes nothing of what it finds: along ways on which two blocks bend,
// fly together, glide over each other by several facets and go into each other, each search has the bits of one that
// remembers nothing; meshes that do not match and meshes that do, and a surface that meets itself.
#include "fixtures.h"

#include "model/contact/facet_memory.h"
#include "model/contact/surface_pair.h"
#include "solid_models.h"

static void add_block(zn_model *model, const char *name, zn_solid_shape shape, zn_vec3 from, zn_vec3 size, int n,
                      double bend)
{
    uint64_t seed = 5;
    zn_mesh *mesh = make_mesh(shape, size, n, n, n);
    distort(mesh, bend, &seed);
    for (int i = 0; i < mesh->node_count; i++)
        mesh->nodes[i] = zn_vec3_add(mesh->nodes[i], from);
    zn_solid_def def = soft_solid((solid_case){shape, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
    def.name = name;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
}

static fixture make_blocks(zn_solid_shape shape, int n, int m, double bend)
{
    bool            planar = shape == ZN_QUAD4;
    zn_model       *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_surfaces_def def = zn_surfaces_def_default();
    add_block(model, "lower", shape, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 1), n, bend / n);
    add_block(model, "upper", shape, planar ? zn_vec3_make(0, 1.05, 0) : zn_vec3_make(0, 0, 1.05),
              zn_vec3_make(1, 1, 1), m, bend / m);
    def.part_a = "lower";
    def.part_b = "upper";
    def.reach = 1.0 / n;
    CHECK_OK(zn_model_add_surfaces(model, &def));
    return compile_fixture(model);
}

// At time t of a way: all fly, both bend, the upper one glides and sinks in.
static void place_nodes(const fixture *f, double t, double flight, double *q)
{
    bool planar = f->sys->info.planar;
    for (int i = 0; i < f->sys->layout.nodes; i++) {
        const zn_layout_node *node = &f->sys->layout.node[i];
        zn_vec3               x = node->origin;
        double                height = planar ? x.y : x.z, *u = q + node->q;
        bool                  upper = height > 1.02;
        u[0] = flight * t + (upper ? 0.6 * t : 0) + 0.02 * sin(6 * t + 2 * height);
        u[1] = 0.01 * sin(9 * t + 3 * x.x);
        if (!planar)
            u[2] = u[1] + 0.02 * sin(5 * t + x.x + 2 * x.y);
        u[planar ? 1 : 2] -= upper ? 0.1 * t : 0;
    }
}

static void check_equal(int corners, const zn_foot *a, const zn_foot *b)
{
    assert_memory_equal(a->N, b->N, sizeof *a->N * (size_t)corners);
    assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
    assert_memory_equal(&a->gap, &b->gap, sizeof a->gap);
    assert_memory_equal(&a->margin, &b->margin, sizeof a->margin);
    assert_memory_equal(&a->distance, &b->distance, sizeof a->distance);
    assert_int_equal(a->edge, b->edge);
}

// Returns how many of the points did not have to look everywhere.
static int compare(const zn_nodes_facets *p, const fixture *f, const double *q, zn_facet_memory *past)
{
    zn_facet_memory *list = NULL, *fresh;
    zn_nearest *first = calloc((size_t)p->points, sizeof *first), *second = calloc((size_t)p->points, sizeof *first);
    void       *memory = malloc(zn_facet_search_bytes(p));
    CHECK_OK(zn_facet_memory_of(&list, p, &fresh));
    int looked = zn_facet_search(p, &f->sys->layout, q, past, first, memory);
    assert_int_equal(zn_facet_search(p, &f->sys->layout, q, fresh, second, memory), p->points);
    for (int i = 0; i < p->points; i++) {
        assert_int_equal(first[i].facet, second[i].facet);
        if (first[i].facet >= 0)
            check_equal(p->corners, &first[i].foot, &second[i].foot);
    }
    zn_facet_memories_destroy(list);
    free(first);
    free(second);
    free(memory);
    return p->points - looked;
}

// Returns the share of points that were spared.
static double follow(const fixture *f, int steps, double flight)
{
    const zn_surface_pair *pair = f->model->rule[0].parameter;
    zn_facet_memory       *past = NULL, *own = NULL;
    double                *q = calloc((size_t)f->sys->info.nq, sizeof *q);
    long                   spared = 0, all = 0;
    for (int k = 0; k < steps; k++) {
        place_nodes(f, (double)k / steps, flight, q);
        for (int s = 0; s < pair->sides; s++) {
            CHECK_OK(zn_facet_memory_of(&past, pair->side[s], &own));
            spared += compare(pair->side[s], f, q, own);
            all += pair->side[s]->points;
        }
    }
    zn_facet_memories_destroy(past);
    free(q);
    return (double)spared / (double)all;
}

static void test_ways(void **state)
{
    (void)state;
    const zn_solid_shape shapes[] = {ZN_QUAD4, ZN_HEX8, ZN_TET4};
    for (int s = 0; s < 3; s++)
        for (int flight = 0; flight < 2; flight++) {
            fixture f = make_blocks(shapes[s], shapes[s] == ZN_QUAD4 ? 16 : 5, shapes[s] == ZN_QUAD4 ? 13 : 4, 0.1);
            double  spared = follow(&f, 300, 100.0 * flight);
            assert_true(spared > 0.5);
            destroy_fixture(&f);
        }
}

// Nodes above nodes: as near to several facets at once, which are told apart by their numbers.
static void test_matching(void **state)
{
    (void)state;
    fixture f = make_blocks(ZN_HEX8, 5, 5, 0);
    assert_true(follow(&f, 100, 0) > 0.2);
    destroy_fixture(&f);
}

// A sheet that is bent until its ends meet.
static void test_self(void **state)
{
    (void)state;
    enum { LENGTH = 24, STEPS = 1000 };
    zn_model       *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_surfaces_def def = zn_surfaces_def_default();
    zn_mesh        *mesh = make_mesh(ZN_QUAD4, zn_vec3_make(LENGTH, 1, 0), LENGTH, 1, 1);
    zn_solid_def    solid = soft_solid((solid_case){ZN_QUAD4, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
    solid.name = "sheet";
    CHECK_OK(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
    def.part_a = "sheet";
    def.reach = 1;
    CHECK_OK(zn_model_add_surfaces(model, &def));
    fixture                f = compile_fixture(model);
    const zn_surface_pair *pair = f.model->rule[0].parameter;
    zn_facet_memory       *list = NULL, *past;
    double                *q = calloc((size_t)f.sys->info.nq, sizeof *q);
    int                    spared = 0;
    CHECK_OK(zn_facet_memory_of(&list, pair->side[0], &past));
    for (int k = 0; k < STEPS; k++) {
        double turn = 6.2 * (k + 1) / STEPS, radius = LENGTH / turn;
        for (int i = 0; i < f.sys->layout.nodes; i++) {
            zn_vec3 x = f.sys->layout.node[i].origin;
            double  angle = turn * x.x / LENGTH, *u = q + f.sys->layout.node[i].q;
            u[0] = (radius - x.y) * sin(angle) - x.x;
            u[1] = radius - (radius - x.y) * cos(angle) - x.y;
        }
        spared += compare(pair->side[0], &f, q, past);
    }
    assert_true(spared > STEPS);
    zn_facet_memories_destroy(list);
    free(q);
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways), cmocka_unit_test(test_matching),
                                       cmocka_unit_test(test_self)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
