// Nodes against the facets of a solid between two states: force rows without resultant and moment, whose work is the
// change of the gap over the cosine of half the turn, gradients and curvature by finite differences; segments,
// triangles, quadrilaterals that need not be flat.
#include "rule_between.h"
#include "solid_models.h"

static void add_block(zn_model *model, const char *name, zn_solid_shape shape, zn_vec3 from, double size, int n)
{
    zn_mesh     *mesh = make_mesh(shape, zn_vec3_make(size, size, size), n, n, 1);
    zn_solid_def def = soft_solid((solid_case){shape, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
    for (int i = 0; i < mesh->node_count; i++)
        mesh->nodes[i] = zn_vec3_add(mesh->nodes[i], from);
    def.name = name;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
}

static zn_model *stack(zn_solid_shape shape, double friction)
{
    bool           planar = shape == ZN_QUAD4;
    zn_model      *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_contact_def def = zn_contact_def_default();
    add_block(model, "low", shape, zn_vec3_make(0, 0, 0), 1, 2);
    add_block(model, "top", ZN_QUAD4 == shape ? ZN_QUAD4 : ZN_HEX8,
              planar ? zn_vec3_make(0.1, 1, 0) : zn_vec3_make(0.1, 0.13, 1), 0.7, 1);
    def.name = "touch";
    def.surface = ZN_SURFACE_FACETS;
    def.points = planar ? "top.ymin" : "top.zmin";
    def.part = "low";
    def.face = planar ? "low.ymax" : "low.zmax";
    def.reach = 0.5;
    def.friction = friction;
    CHECK_OK(zn_model_add_contact(model, &def));
    return model;
}

// n_m.n_0 of a contact, from its rows: H_N on the node is n_m, G at the start is n_0.
static double cosine(rule_setting *t, int i)
{
    double     row[3], sum = 0;
    int        first = t->set->row_start[i * t->set->stride], dimension = t->f.sys->info.planar ? 2 : 3;
    zn_between still = rule_states(t);
    memcpy(row, t->force + first, sizeof *row * (size_t)dimension);
    still.to = still.from;
    CHECK_OK(zn_contact_set_evaluate_between(t->set, t->f.sys, still, t->force));
    for (int k = 0; k < dimension; k++)
        sum += row[k] * t->set->row_value[first + k];
    rule_evaluate(t);
    return sum;
}

static double gap_at_start(rule_setting *t, int i)
{
    zn_between still = rule_states(t);
    still.to = still.from;
    CHECK_OK(zn_contact_set_evaluate_between(t->set, t->f.sys, still, t->force));
    double gap = t->set->gap[i];
    rule_evaluate(t);
    return gap;
}

static void check(zn_solid_shape shape, double friction, double size, uint64_t *seed)
{
    static rule_setting t;
    zn_vec3             force, moment;
    double              lambda[RULE_MAX] = {0}, f[FIXTURE_MAX];
    rule_open(&t, stack(shape, friction), size, seed);
    assert_true(t.set->count >= 2);
    for (int i = 0; i < t.set->count; i++) {
        double work = rule_row(&t, i * t.set->stride, t.force, t.way);
        CHECK_NEAR(work, (t.set->gap[i] - gap_at_start(&t, i)) / cosine(&t, i), 1e-13);
        lambda[i * t.set->stride] = 1 + 0.3 * i;
        rule_force(&t, lambda, f);
        rule_resultant(&t, f, &force, &moment);
        CHECK_NEAR(zn_vec3_norm(force), 0, 1e-14);
        CHECK_NEAR(zn_vec3_norm(moment), 0, 1e-14);
        lambda[i * t.set->stride] = 0;
    }
    rule_check_derivatives(&t, seed);
    rule_close(&t);
}

static void test_segments(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < 10; k++)
        check(ZN_QUAD4, k % 2 * 0.3, 0.03, &seed);
}

static void test_triangles(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int k = 0; k < 10; k++)
        check(ZN_TET4, k % 2 * 0.3, 0.02, &seed);
}

static void test_quadrilaterals(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int k = 0; k < 10; k++)
        check(ZN_HEX8, k % 2 * 0.3, 0.02, &seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_quadrilaterals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
