// Shapes as solids: their samples are in them, distances are distances, and whoever is inside another is found with its
// depth, at any depth.
#include "fixtures.h"

#include "model/contact/meet.h"
#include "model/contact/solid.h"
#include "model/model.h"
#include "system/system.h"

static const zn_vec3       corner[8] = {{-0.5, -0.5, -0.5}, {0.5, -0.5, -0.5}, {-0.5, 0.5, -0.5}, {0.5, 0.5, -0.5},
                                        {-0.5, -0.5, 0.5},  {0.5, -0.5, 0.5},  {-0.5, 0.5, 0.5},  {0.5, 0.5, 0.5}};
static const int           triangle[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                           2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
static const zn_shape_kind kinds[] = {ZN_SHAPE_SPHERE,   ZN_SHAPE_BOX,  ZN_SHAPE_CAPSULE,
                                      ZN_SHAPE_CYLINDER, ZN_SHAPE_HULL, ZN_SHAPE_MESH};
enum { KINDS = sizeof kinds / sizeof *kinds };

// All of them are 1 m long along z.
static void add_shape(zn_model *model, const char *name, zn_shape_kind kind, zn_vec3 position)
{
    zn_body_def  body = zn_body_def_default();
    zn_shape_def shape = zn_shape_def_default();
    body.name = name;
    body.mass = 1;
    body.inertia3 = zn_mat3_identity();
    body.position = position;
    CHECK_OK(zn_model_add_body(model, &body, &shape.at.node));
    shape.name = name;
    shape.kind = kind;
    shape.radius = kind == ZN_SHAPE_CAPSULE ? 0.25 : 0.5;
    shape.length = kind == ZN_SHAPE_CAPSULE ? 0.5 : 1;
    shape.box = zn_vec3_make(1, 1, 1);
    shape.point_count = 8;
    shape.points = corner;
    shape.triangle_count = 12;
    shape.triangles = triangle;
    CHECK_OK(zn_model_add_shape(model, &shape));
}

static zn_model *make_space(void)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    CHECK_OK(zn_model_create(&def, &model));
    return model;
}

static const zn_shape_pairs *add_pairs(zn_model *model, const char *a, const char *b)
{
    const char  *names[] = {a, b};
    zn_pairs_def pairs = zn_pairs_def_default();
    pairs.between = names;
    pairs.between_count = 2;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
    return model->rule[model->rules - 1].parameter;
}

static void test_samples_and_distances(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        zn_model *model = make_space();
        add_shape(model, "a", kinds[k], zn_vec3_make(0, 0, 0));
        add_shape(model, "ball", ZN_SHAPE_SPHERE, zn_vec3_make(3, 0, 0));
        const zn_shape_pairs *p = add_pairs(model, "a", "ball");
        const zn_pair_shape  *s = strcmp(p->shape[0].name, "a") == 0 ? &p->shape[0] : &p->shape[1];
        double                radius, largest = 0;
        zn_vec3               centre;
        int                   count = 0;
        for (; s->ops->solid->sample(s, count, &centre, &radius); count++) {
            assert_true(s->ops->solid->distance(s, centre) <= -radius + 1e-14);
            largest = fmax(largest, radius);
        }
        assert_true(count > 0);
        CHECK_NEAR(largest, kinds[k] == ZN_SHAPE_CAPSULE ? 0.25 : 0.5, 1e-12);
        // along z it begins 0.5 m from its middle; a distance grows by as much as one goes away, at most
        CHECK_NEAR(s->ops->solid->distance(s, zn_vec3_make(0, 0, 0.7)), 0.2, 1e-12);
        CHECK_NEAR(s->ops->solid->distance(s, zn_vec3_make(0, 0, -0.4)), -0.1, 1e-12);
        for (int i = 0; i < 200; i++) {
            zn_vec3 x = {0.013 * (i % 13) - 0.08 * (i % 7), 0.11 * (i % 11) - 0.5, 0.17 * (i % 9) - 0.7};
            zn_vec3 y = {x.x + 1e-3 * (i % 3), x.y - 1e-3 * (i % 5), x.z + 1e-3};
            assert_true(fabs(s->ops->solid->distance(s, x) - s->ops->solid->distance(s, y)) <=
                        zn_vec3_norm(zn_vec3_sub(x, y)) + 1e-12);
        }
        zn_model_destroy(model);
    }
}

// Pushed into each other along z: as deep as that, until the way out is shorter to the side.
static void test_depths(void **state)
{
    (void)state;
    const double depth[] = {1e-3, 0.02, 0.2, 0.5, 0.9};
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++)
            for (int d = 0; d < 5; d++) {
                zn_model       *model = make_space();
                zn_system      *sys = NULL;
                zn_contact_pair pair = {0};
                double found = 0, side = (kinds[a] == ZN_SHAPE_CAPSULE || kinds[b] == ZN_SHAPE_CAPSULE) ? 0.75 : 1;
                bool   swapped;
                add_shape(model, "a", kinds[a], zn_vec3_make(0, 0, 0));
                add_shape(model, "b", kinds[b], zn_vec3_make(0, 0, 1 - depth[d]));
                if (kinds[a] == ZN_SHAPE_CAPSULE && kinds[b] == ZN_SHAPE_CAPSULE)
                    side = 0.5;
                if (!zn_meet_of(kinds[a], kinds[b], false, &swapped) || (kinds[a] == kinds[b] && a == 0)) {
                    zn_model_destroy(model);
                    continue;
                }
                const zn_shape_pairs *p = add_pairs(model, "a", "b");
                CHECK_OK(zn_system_create(model, &sys));
                CHECK_OK(zn_shape_pairs_overlap(p, &sys->layout, sys->q0, &pair, &found));
                if (!(fabs(found - fmin(depth[d], side)) < 1e-12))
                    fail_msg("%s and %s, %g m: %g m", p->shape[0].ops->name, p->shape[1].ops->name, depth[d], found);
                assert_true(pair.name[0] && pair.name[1] && pair.node[0].value != pair.node[1].value);
                zn_system_destroy(sys);
                zn_model_destroy(model);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples_and_distances), cmocka_unit_test(test_depths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
