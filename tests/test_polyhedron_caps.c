// What contacts of hulls look at: caps by their definition, the direction of least depth of bodies inside each other
// against all normals and pairs of edges, and equal shapes that share what they are made of.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "model/contact/face_memo.h"
#include "model/contact/meet_direction.h"
#include "model/contact/polyhedron_cap.h"
#include "model/model.h"
#include "polyhedra.h"

enum { POINTS = 50, MANY = 120, POSES = 60 };

// Points of an ellipsoid, all of which are corners of their hull.
static void any_points(int count, zn_vec3 *x)
{
    for (int i = 0; i < count; i++) {
        zn_vec3 u = any_vector(1);
        u = zn_vec3_scale(1 / zn_vec3_norm(u), u);
        x[i] = (zn_vec3){0.13 * u.x, 0.11 * u.y, 0.09 * u.z};
    }
}

static zn_polyhedron *any_hull(int count)
{
    zn_vec3        x[MANY];
    zn_polyhedron *p = NULL;
    const char    *why;
    any_points(count, x);
    assert_int_equal(zn_polyhedron_hull((zn_vec3){0, 0, 0}, any_rotation(2), count, x, &p, &why), ZN_OK);
    return p;
}

static zn_vec3 any_direction(void)
{
    zn_vec3 u = any_vector(1);
    return zn_vec3_scale(1 / zn_vec3_norm(u), u);
}

// --- tables --------------------------------------------------------------------------------------

// Every row by itself, rounded alike; the first of equal ones is the highest.
static void test_tables(void **state)
{
    (void)state;
    for (int count = 1; count < 140; count++) {
        zn_feature_table t;
        zn_vec3          a[140], u = any_direction();
        double           b[140], low = uniform(-1, 0), high = uniform(0, 1);
        int              best = 0;
        assert_int_equal(zn_feature_table_create(count, &t), ZN_OK);
        for (int i = 0; i < count; i++) {
            a[i] = i % 5 == 4 ? a[i - 3] : any_direction();
            b[i] = uniform(-1, 1);
            best = zn_vec3_dot(a[i], u) > zn_vec3_dot(a[best], u) ? i : best;
            zn_feature_table_set(&t, i, a[i], b[i]);
        }
        assert_int_equal(zn_feature_table_highest(&t, u), best);
        for (int i = 0; i < (count + 63) / 64 * 64; i++) {
            double   value = i < count ? zn_vec3_dot(a[i], u) - b[i] : NAN;
            uint64_t bits = zn_feature_table_between(&t, i / 64, u, low, high);
            assert_int_equal(bits >> (i % 64) & 1, value >= low && value <= high);
        }
        zn_feature_table_destroy(&t);
    }
}

// --- caps ----------------------------------------------------------------------------------------

static bool is_above(const zn_polyhedron *p, zn_vec3 up, double height, int vertex)
{
    return zn_vec3_dot(up, p->vertex[vertex]) >= height;
}

static bool face_is_above(const zn_polyhedron *p, zn_vec3 up, double height, int face)
{
    bool any = false;
    for (int k = p->face[face].first; k < p->face[face].first + p->face[face].count; k++)
        any |= is_above(p, up, height, p->corner[k]);
    return any;
}

static void test_caps(void **state)
{
    (void)state;
    for (int pose = 0; pose < POSES; pose++) {
        zn_polyhedron *p = any_hull(pose % 3 == 2 ? MANY : POINTS); // more are flooded
        zn_vec3        up = any_direction();
        int            top = zn_polyhedron_farthest(p, up, 0);
        double         high = zn_vec3_dot(up, p->vertex[top]), height = high - uniform(-0.01, 0.1);
        double         low = height - uniform(0, 0.05);
        zn_cap         one, caps[2];
        zn_cap_above(p, up, height, 0, &one);
        zn_cap_two_above(p, up, height, low, top, &caps[0], &caps[1]);
        for (int i = 0; i < p->vertices; i++) {
            assert_true(is_above(p, up, high, top) && !(zn_vec3_dot(up, p->vertex[i]) > high));
            assert_int_equal(zn_cap_vertex(&one, i) == i, is_above(p, up, height, i));
            assert_int_equal(zn_cap_vertex(&caps[0], i) == i, is_above(p, up, height, i));
        }
        for (int i = 0; i < p->edges; i++) {
            const int *end = p->edge[i].vertex;
            bool       any = is_above(p, up, height, end[0]) || is_above(p, up, height, end[1]);
            assert_int_equal(zn_cap_edge(&one, i) == i, any);
            assert_int_equal(zn_cap_edge(&caps[0], i) == i, any);
        }
        for (int i = 0; i < p->faces; i++)
            assert_int_equal(zn_cap_face(&caps[1], i) == i, face_is_above(p, up, low, i));
        zn_polyhedron_destroy(p);
    }
}

// One less is one less; a memo knows what it was told of the first faces, and nothing else.
static void test_fewer(void **state)
{
    (void)state;
    zn_polyhedron *p = any_hull(POINTS);
    zn_cap         all;
    zn_face_memo   memo;
    double         number = 0;
    zn_cap_above(p, any_direction(), -INFINITY, 0, &all);
    for (int i = 0; i < p->faces; i += 2)
        zn_cap_drop_face(&all, i);
    for (int i = 0; i < p->edges; i += 2)
        zn_cap_drop_edge(&all, i);
    for (int i = 0; i < p->faces; i++)
        assert_int_equal(zn_cap_face(&all, i) == i, i % 2);
    for (int i = 0; i < p->edges; i++)
        assert_int_equal(zn_cap_edge(&all, i) == i, i % 2);
    zn_polyhedron_destroy(p);
    zn_face_memo_clear(&memo);
    for (int i = 0; i < 1000; i += 3)
        zn_face_memo_tell(&memo, i, 0.5 * i);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(zn_face_memo_knows(&memo, i, &number), i % 3 == 0 && i < 64 * ZN_FACE_MEMO_WORDS);
        assert_true(i % 3 > 0 || i >= 64 * ZN_FACE_MEMO_WORDS || number == 0.5 * i);
    }
}

// --- depth ---------------------------------------------------------------------------------------

// s(n) = min n.x over A - max n.x over B, by all vertices.
static double distance_along(const zn_polyhedron *A, const zn_polyhedron *B, const zn_view *v, zn_vec3 n)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < A->vertices; i++)
        low = fmin(low, zn_vec3_dot(n, zn_view_point(v, A->vertex[i])));
    for (int i = 0; i < B->vertices; i++)
        high = fmax(high, zn_vec3_dot(n, B->vertex[i]));
    return low - high;
}

// The largest of all directions in which it can be largest.
static double least_depth(const zn_polyhedron *A, const zn_polyhedron *B, const zn_view *v)
{
    double most = -INFINITY;
    for (int i = 0; i < B->faces; i++)
        most = fmax(most, distance_along(A, B, v, B->face[i].normal));
    for (int i = 0; i < A->faces; i++)
        most = fmax(most, distance_along(A, B, v, zn_vec3_scale(-1, zn_view_vector(v, A->face[i].normal))));
    for (int i = 0; i < A->edges; i++)
        for (int j = 0; j < B->edges; j++) {
            zn_vec3 c = zn_vec3_cross(zn_view_vector(v, A->edge[i].along), B->edge[j].along);
            double  length = zn_vec3_norm(c);
            if (length > 1e-6)
                most = fmax(most, fmax(distance_along(A, B, v, zn_vec3_scale(1 / length, c)),
                                       distance_along(A, B, v, zn_vec3_scale(-1 / length, c))));
        }
    return most;
}

static void test_depth(void **state)
{
    (void)state;
    int deep = 0;
    for (int pose = 0; pose < 12; pose++) {
        zn_polyhedron *A = any_hull(POINTS), *B = any_hull(POINTS);
        zn_near        at = {.slack = 1e-3};
        zn_fronts      fronts = {0};
        at.A.rotation = any_rotation(2);
        at.B.rotation = any_rotation(2);
        at.A.position = zn_vec3_scale(uniform(0.16, 0.21), any_direction());
        zn_view  v = zn_view_from_b(&at, A->reach, B->reach);
        zn_apart apart = zn_polyhedra_apart(A, B, &v, 1e-10, &fronts);
        if (apart.deep) {
            deep++;
            assert_float_equal(apart.gap, least_depth(A, B, &v), 2e-10);
            assert_float_equal(apart.gap, distance_along(A, B, &v, apart.normal), 1e-14);
        }
        zn_polyhedron_destroy(A);
        zn_polyhedron_destroy(B);
    }
    assert_true(deep >= 4); // of bodies that are apart nobody asks by how much
}

// --- equal shapes --------------------------------------------------------------------------------

static void add_hull(zn_model *model, const char *name, const zn_vec3 *points)
{
    zn_shape_def def = zn_shape_def_default();
    def.name = name;
    def.kind = ZN_SHAPE_HULL;
    def.points = points;
    def.point_count = POINTS;
    assert_int_equal(zn_model_add_shape(model, &def), ZN_OK);
}

static void test_equal_shapes(void **state)
{
    (void)state;
    zn_model    *model = NULL;
    zn_model_def def = zn_model_def_default();
    zn_vec3      x[POINTS], y[POINTS];
    assert_int_equal(zn_model_create(&def, &model), ZN_OK);
    any_points(POINTS, x);
    any_points(POINTS, y);
    add_hull(model, "one", x);
    add_hull(model, "other", y);
    add_hull(model, "one again", x);
    assert_ptr_equal(model->shape[0].data, model->shape[2].data);
    assert_ptr_not_equal(model->shape[0].data, model->shape[1].data);
    x[7].x += 1e-15;
    add_hull(model, "one that is nearly the same", x);
    assert_ptr_not_equal(model->shape[0].data, model->shape[3].data);
    zn_model_destroy(model); // gives back each once
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables), cmocka_unit_test(test_caps),
                                       cmocka_unit_test(test_fewer), cmocka_unit_test(test_depth),
                                       cmocka_unit_test(test_equal_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
