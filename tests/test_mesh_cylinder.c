// Cylinders against meshes with hollows. The judge: between two convex bodies, a cylinder and one triangle, points that
// are projected from one to the other in turn come down to their distance, slowly, and all of the cylinder above all of
// the triangle along some direction says from below how far that can go: along their difference, or the normal of a
// contact. All triangles are tried.
//
//     test_mesh_cylinder [POSES]     more random poses of each mesh
#include "check.h"

#include <stdlib.h>

#include "mesh_rod.h"
#include "mesh_samples.h"
#include "model/contact/meet.h"
#include "model/contact/shape_cylinder.h"

static int poses = 12;

static void triangle_of(const sample *s, int i, zn_vec3 t[3])
{
    for (int k = 0; k < 3; k++)
        t[k] = s->point[s->corner[3 * i + k]];
}

// Of all triangles, from above.
static double nearest(const rod *c, const sample *s, bool *sharp)
{
    double least = 3, high;
    for (int i = 0; i < s->triangles; i++) {
        zn_vec3 t[3];
        bool    this_sharp;
        triangle_of(s, i, t);
        rod_distance(c, t, least, &high, &this_sharp);
        *sharp = high < least ? this_sharp : *sharp;
        least = fmin(least, high);
    }
    return least;
}

// --- what the library says -----------------------------------------------------------------------

typedef struct listed {
    int              count;
    int64_t          pair[400];
    zn_feature_place place[400];
} listed;

static void ask(const zn_pair_shape *mesh, const zn_pair_shape *cylinder, const zn_near *at, listed *out)
{
    zn_feature_list list = {0};
    bool            swapped;
    CHECK_OK(zn_meet_of(ZN_SHAPE_MESH, ZN_SHAPE_CYLINDER, false, &swapped)(mesh, cylinder, at, &list));
    assert_in_range(list.count, 0, 400);
    out->count = list.count;
    for (int i = 0; i < list.count; i++) {
        zn_feature f, g;
        out->pair[i] = list.pair[i];
        assert_true(mesh->ops->feature(mesh, zn_feature_first(list.pair[i]), false, &f));
        assert_true(cylinder->ops->feature(cylinder, zn_feature_second(list.pair[i]), false, &g));
        f = zn_feature_at(&at->A, &f), g = zn_feature_at(&at->B, &g);
        assert_true(zn_feature_meet(&f, &g, &out->place[i]));
        for (int k = 0; k < i; k++)
            assert_true(out->pair[k] != list.pair[i]);
    }
    free(list.pair);
}

static int least_of(const listed *l)
{
    int best = 0;
    for (int i = 1; i < l->count; i++)
        if (l->place[i].gap < l->place[best].gap)
            best = i;
    return best;
}

static bool has(const listed *l, int64_t pair)
{
    for (int i = 0; i < l->count; i++)
        if (l->pair[i] == pair)
            return true;
    return false;
}

// Is it proved that no triangle is nearer than `gap`? Where projections do not come far the shapes may be in each
// other.
static bool is_proved(const listed *l, const sample *skin, const rod *c, double gap)
{
    for (int i = 0; i < skin->triangles; i++) {
        zn_vec3 t[3];
        double  high;
        bool    sharp;
        triangle_of(skin, i, t);
        double low = rod_distance(c, t, gap, &high, &sharp);
        for (int k = 0; k < l->count; k++)
            low = fmax(low, rod_above(c, t, zn_vec3_scale(-1, l->place[k].normal)));
        if (low < gap - 1e-13) {
            assert_true(high > gap || low < 0);
            return false;
        }
    }
    return true;
}

// The pair with the smallest gap touches points of both surfaces.
static void check_points(const zn_feature_place *p, const sample *skin, const rod *c)
{
    double  off = INFINITY;
    zn_vec3 t[3], y = rod_ahead(p->on[0], -p->gap, p->normal);
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(into_rod(c, y), y)), 0, 1e-13);
    for (int i = 0; i < skin->triangles; i++) {
        triangle_of(skin, i, t);
        off = fmin(off, zn_vec3_norm(zn_vec3_sub(onto_triangle(t, p->on[0]), p->on[0])));
    }
    CHECK_NEAR(off, 0, 1e-13);
}

// What is not proved, and what a way of 3 cm in a step has missed.
typedef struct tally {
    int unproved, missed;
} tally;

// At a small distance; then a little inside, where the same pair is there and nothing is deeper; and on its way.
static void check_touching(const zn_pair_shape *mesh, const zn_pair_shape *cylinder, const zn_rigid *body,
                           const sample *skin, const rod *c, zn_vec3 along, tally *t)
{
    static listed l, then;
    zn_near       at = {.A.rotation = zn_mat3_identity(), .B = *body, .slack = 2e-3, .horizon = 1e-3};
    bool          sharp = false;
    double        wanted = nearest(c, skin, &sharp);
    ask(mesh, cylinder, &at, &l);
    if (sharp) {
        for (int i = 0; i < l.count; i++)
            assert_true(l.place[i].gap > wanted - 1e-9);
        return;
    }
    const zn_feature_place *p = &l.place[least_of(&l)];
    bool                    chords = l.count > 0 && zn_feature_second(l.pair[least_of(&l)]) >= ZN_CYLINDER_POINT;
    double                  below = chords ? 0.035 * 4e-3 * c->radius : 0; // so much a rim is below what stands for it
    if (!is_proved(&l, skin, c, l.count > 0 ? p->gap - below : 1e-6)) {
        t->unproved++;
        return;
    }
    assert_in_range(l.count, 1, 400);
    check_points(p, skin, c);
    at.B.position = rod_ahead(body->position, p->gap + 1e-7, p->normal);
    ask(mesh, cylinder, &at, &then);
    assert_true(has(&then, l.pair[least_of(&l)]));
    for (int i = 0; i < then.count; i++)
        assert_true(then.place[i].gap > -1.1e-7);
    at.B.position = rod_ahead(body->position, -0.03, along);
    at.b.origin = zn_vec3_scale(60, along);
    at.slack = 1e-4;
    ask(mesh, cylinder, &at, &then);
    t->missed += then.count == 0 && zn_vec3_dot(along, p->normal) > 0.1;
}

static zn_mat3 random_turn(uint64_t *seed)
{
    zn_vec3 a = {sample_random(seed) - 0.5, sample_random(seed) - 0.5, sample_random(seed) - 0.5};
    return zn_quat_matrix(zn_so3_exp(zn_vec3_scale(6 * sample_random(seed) / (1e-3 + zn_vec3_norm(a)), a)));
}

// From far away until it is as near as that, never past anything.
static bool approach(rod *c, const sample *skin, zn_vec3 along)
{
    for (int i = 0; i < 60; i++) {
        bool   sharp = false;
        double left = nearest(c, skin, &sharp);
        if (left <= 1.2e-4)
            return left > 2e-5;
        c->centre = rod_ahead(c->centre, left - 6e-5, along);
        if (zn_vec3_dot(c->centre, along) > 3)
            return false;
    }
    return false;
}

static void try_mesh(sample skin, double radius, double length, uint64_t seed)
{
    zn_mesh_shape *m = sample_mesh(&skin);
    zn_pair_shape  mesh = {.ops = &zn_mesh_ops, .kind = ZN_SHAPE_MESH, .axes = zn_mat3_identity(), .data = m};
    zn_pair_shape  cylinder = {.ops = &zn_cylinder_ops, .kind = ZN_SHAPE_CYLINDER, .radius = radius, .length = length};
    int            tried = 0;
    tally          t = {0, 0};
    assert_non_null(m);
    for (int i = 0; tried < poses && i < 50 * poses; i++) {
        zn_mat3 turn = random_turn(&seed), way = random_turn(&seed);
        zn_vec3 along = zn_mat3_apply(way, (zn_vec3){1, 0, 0});
        zn_vec3 beside = zn_mat3_apply(way, (zn_vec3){0, sample_random(&seed) - 0.5, sample_random(&seed) - 0.5});
        rod c = {rod_ahead(zn_vec3_scale(0.8, beside), -2.5, along), zn_mat3_apply(turn, (zn_vec3){0, 0, 1}), radius,
                 length / 2};
        cylinder.axes = random_turn(&seed);
        cylinder.at = (zn_vec3){0.1, -0.2, 0.05};
        if (!approach(&c, &skin, along))
            continue;
        zn_rigid body = {.rotation = zn_mat3_product(turn, zn_mat3_transpose(cylinder.axes))};
        body.position = zn_vec3_sub(c.centre, zn_mat3_apply(body.rotation, cylinder.at));
        check_touching(&mesh, &cylinder, &body, &skin, &c, along, &t);
        tried++;
    }
    assert_int_equal(tried, poses);
    assert_true(t.unproved <= 1 + 0.02 * poses && t.missed <= 0.002 * poses);
    zn_mesh_shape_destroy(m);
    sample_clear(&skin);
}

static void test_rods(void **state)
{
    (void)state;
    try_mesh(make_star(), 0.08, 0.9, 1);
    try_mesh(sample_slab(5, 4, 1, 1, 0.5, hills), 0.1, 0.5, 2);
}

static void test_coins(void **state)
{
    (void)state;
    try_mesh(make_star(), 0.25, 0.05, 3);
    try_mesh(sample_slab(5, 4, 1, 1, 0.5, hills), 0.2, 0.06, 4);
}

static void test_discs(void **state)
{
    (void)state;
    try_mesh(make_star(), 0.2, 0, 5);
    try_mesh(sample_slab(5, 4, 1, 1, 0.5, hills), 0.3, 0, 6);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        poses = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rods),
        cmocka_unit_test(test_coins),
        cmocka_unit_test(test_discs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
