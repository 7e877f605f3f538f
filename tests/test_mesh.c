// Surfaces of triangles: readers, welding, what is refused and why, mass by formulas, faces and edges, distances.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/mesh_file.h"
#include "mesh_samples.h"
#include "model/mass_properties.h"

// --- readers -------------------------------------------------------------------------------------

static const char *const ell_obj = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
                                   "v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
                                   "o caps\nf 6 5 4 3 2 1\nf 7//1 8//1 9//1 10//1 11//1 12//1\n"
                                   "g sides\nf 1/1 2/1 8/1 7/1\nf 2/1/1 3/1/1 9/1/1 8/1/1\nf -10 -9 -3 \\\n -4\n"
                                   "f 4 5 11 10 # a comment\nf 5 6 12 11\nf 6 1 7 12\n";

static zn_status read_text(const char *text, const char *name, const char *group, zn_triangles *out, char *message)
{
    return zn_mesh_file_parse(text, strlen(text), name, group, 1, out, message, 400);
}

// Hollow polygons, negative numbers, continued lines: the volume of an L is that of three cubes.
static void test_obj(void **state)
{
    (void)state;
    char         message[400] = "";
    zn_triangles t;
    assert_int_equal(read_text(ell_obj, "ell.obj", NULL, &t, message), ZN_OK);
    assert_int_equal(t.points, 12);
    assert_int_equal(t.count, 20);
    zn_mass_properties m = zn_mass_of_triangles(t.points, t.point, t.count, t.corner);
    assert_true(fabs(m.volume - 3) < 1e-14);
    assert_true(fabs(m.centre.x - 2.5 / 3) < 1e-14 && fabs(m.centre.y - 2.5 / 3) < 1e-14);
    assert_int_equal(zn_mesh_check(t.points, t.point, t.count, t.corner, NULL, NULL, message, 400), ZN_OK);
    zn_triangles_clear(&t);
    assert_int_equal(read_text(ell_obj, "ell.obj", "sides", &t, message), ZN_OK);
    assert_int_equal(t.count, 12);
    zn_triangles_clear(&t);
}

static void test_obj_faults(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *group, *message;
    } faults[] = {
        {"v 0 0\n", "a.obj", NULL, "a.obj:1: a point has three finite numbers, '' is none"},
        {"v 0 0 nan\n", "a.obj", NULL, "a.obj:1: a point has three finite numbers, 'nan' is none"},
        {"v 0 0 0\n\nf 1 2 3\n", "a.obj", NULL, "a.obj:3: there is no point 2 before this line, which has 1"},
        {"v 0 0 0\nf 1 1 0\n", "a.obj", NULL, "a.obj:2: there is no point 0 before this line, which has 1"},
        {"v 0 0 0\nf 1 1\n", "a.obj", NULL, "a.obj:2: a face has at least three corners, this one has 2"},
        {"v 0 0 0\nf 1 x 1\n", "a.obj", NULL, "a.obj:2: 'x' is no corner of a face"},
        {"solid\n", "a.obj", NULL, "a.obj:1: 'solid' is no line of an OBJ file with polygons"},
        {"v 0 0 0\n", "a.obj", NULL, "a.obj: it holds no face"},
        {"v 0 0 0\nf 1 1 1\n", "a.obj", "lid", "a.obj: it has no group 'lid'"},
        {"", "a.ply", NULL, "a.ply: surfaces are read from .stl and .obj files"},
        {"solid x\nendsolid\n", "a.stl", "lid", "a.stl: an STL file has no groups, so no 'lid'"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char         message[400] = "";
        zn_triangles t;
        assert_int_equal(read_text(faults[i].text, faults[i].name, faults[i].group, &t, message), ZN_ERR_MODEL);
        assert_string_equal(message, faults[i].message);
        assert_null(t.point);
    }
}

// Points within the tolerance become one, whatever cells they are in; others do not.
static void test_weld(void **state)
{
    (void)state;
    sample       s = sample_ball(8);
    zn_vec3     *corner = malloc(sizeof *corner * 3 * (size_t)s.triangles);
    const double tolerance = 1e-6;
    for (int i = 0; i < 3 * s.triangles; i++) {
        zn_vec3 away = {sin(37.0 * i), sin(91.0 * i), sin(53.0 * i)};
        corner[i] = zn_vec3_add(s.point[s.corner[i]], zn_vec3_scale(0.25 * tolerance, away));
    }
    zn_triangles t;
    assert_int_equal(zn_triangles_weld(s.triangles, corner, tolerance, &t), ZN_OK);
    assert_int_equal(t.points, s.points);
    assert_int_equal(t.lost, 0);
    zn_triangles_clear(&t);
    assert_int_equal(zn_triangles_weld(s.triangles, corner, 0, &t), ZN_OK);
    assert_int_equal(t.points, 3 * s.triangles);
    zn_triangles_clear(&t);
    corner[1] = corner[0]; // a triangle without area
    assert_int_equal(zn_triangles_weld(s.triangles, corner, tolerance, &t), ZN_OK);
    assert_int_equal(t.lost, 1);
    zn_triangles_clear(&t);
    free(corner);
    sample_clear(&s);
}

// --- what is refused -----------------------------------------------------------------------------

static void expect_fault(const sample *s, const char *words)
{
    char message[500] = "";
    assert_int_equal(zn_mesh_check(s->points, s->point, s->triangles, s->corner, NULL, NULL, message, sizeof message),
                     ZN_ERR_MODEL);
    if (strstr(message, words) == NULL)
        fail_msg("'%s' lacks '%s'", message, words);
}

static void flip(sample *s, int t)
{
    int old = s->corner[3 * t];
    s->corner[3 * t] = s->corner[3 * t + 1];
    s->corner[3 * t + 1] = old;
}

static void test_faults(void **state)
{
    (void)state;
    sample s = sample_slab(3, 3, 1, 1, 0.5, NULL);
    char   message[500];
    assert_int_equal(zn_mesh_check(s.points, s.point, s.triangles, s.corner, NULL, NULL, message, 500), ZN_OK);
    s.triangles--;
    expect_fault(&s, "it is not closed: 3 edges have one triangle only, the first from (");
    s.triangles++;
    flip(&s, 4);
    flip(&s, 11);
    expect_fault(&s, "2 of 60 triangles are turned over against their neighbours: 5, 12, the first at (");
    flip(&s, 4);
    flip(&s, 11);
    for (int i = 0; i < s.triangles; i++)
        flip(&s, i);
    expect_fault(&s, "it is inside out: all of its triangles are to be turned over, its volume would be -0.5 m^3");
    for (int i = 0; i < s.triangles; i++)
        flip(&s, i);
    s.corner[0] = s.points;
    expect_fault(&s, "triangle 1 has a corner that is no point");
    s.corner[0] = -1;
    expect_fault(&s, "triangle 1 has a corner that is no point");
    sample_clear(&s);
    s = sample_slab(2, 2, 1, 1, 1e-10, NULL);
    expect_fault(&s, "it has no volume");
    s.point[0].x = NAN;
    expect_fault(&s, "point 1 is not finite");
    sample_clear(&s);
}

// A corner inside the edge of another triangle; an edge with four triangles; a cavity; a piece inside out beside.
static void test_pieces(void **state)
{
    (void)state;
    char   message[500];
    sample big = sample_slab(1, 1, 1, 1, 1, NULL), small = sample_slab(1, 1, 0.2, 0.2, 0.2, NULL);
    for (int i = 0; i < small.points; i++)
        small.point[i].z -= 0.4;
    for (int i = 0; i < small.triangles; i++)
        flip(&small, i);
    sample both = sample_join(&big, &small);
    assert_int_equal(zn_mesh_check(both.points, both.point, both.triangles, both.corner, NULL, NULL, message, 500),
                     ZN_OK);
    zn_mass_properties m = zn_mass_of_triangles(both.points, both.point, both.triangles, both.corner);
    assert_true(fabs(m.volume - 0.992) < 1e-14);
    for (int i = big.points; i < both.points; i++)
        both.point[i].x += 3;
    expect_fault(&both, "one of its 2 pieces, with the triangle 13 at (");
    sample_clear(&both);
    sample open = sample_slab(1, 1, 1, 1, 1, NULL);
    open = sample_split_one_side(&open);
    expect_fault(&open, "it has T-junctions (3 edges with one triangle): the corner at (0, -0.5, 0)");
    sample_clear(&open);
    sample_clear(&big);
    sample_clear(&small);
}

// --- mass ----------------------------------------------------------------------------------------

static double difference(const zn_mat3 *a, const zn_mat3 *b)
{
    double most = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(a->m[i][k] - b->m[i][k]));
    return most;
}

// A box as a mesh, turned and moved a thousand times its size away, against the closed form.
static void test_mass_of_box(void **state)
{
    (void)state;
    sample             s = sample_slab(4, 3, 0.3, 0.2, 0.1, NULL);
    zn_quat            turn = zn_quat_normalize((zn_quat){0.3, -0.5, 0.7, 0.2});
    zn_vec3            away = {100, -70, 30};
    zn_mass_properties box = zn_mass_of_box((zn_vec3){0.3, 0.2, 0.1}), same = box;
    same.centre.z = -0.05;
    same = zn_mass_moved(&same, turn, away);
    for (int i = 0; i < s.points; i++)
        s.point[i] = zn_vec3_add(away, zn_quat_rotate(turn, s.point[i]));
    zn_mass_properties m = zn_mass_of_triangles(s.points, s.point, s.triangles, s.corner);
    assert_true(fabs(m.volume - 0.006) < 1e-14);
    assert_true(zn_vec3_norm(zn_vec3_sub(m.centre, same.centre)) < 1e-12);
    assert_true(difference(&m.inertia, &same.inertia) < 1e-16);
    sample_clear(&s);
}

// Meshes of round bodies come to the closed forms with the square of their fineness.
static void test_mass_of_round_bodies(void **state)
{
    (void)state;
    double error[2][3];
    for (int i = 0; i < 2; i++) {
        int           n = 16 << i;
        sample        ball = sample_ball(n), rod = sample_rod(n, 0.5, 2, false), pill = sample_rod(n, 0.5, 2, true);
        const sample *made[3] = {&ball, &rod, &pill};
        zn_mass_properties exact[3] = {zn_mass_of_sphere(1), zn_mass_of_cylinder(0.5, 2), zn_mass_of_capsule(0.5, 2)};
        for (int k = 0; k < 3; k++) {
            zn_mass_properties m =
                zn_mass_of_triangles(made[k]->points, made[k]->point, made[k]->triangles, made[k]->corner);
            assert_true(zn_vec3_norm(m.centre) < 1e-14);
            error[i][k] = difference(&m.inertia, &exact[k].inertia) / exact[k].inertia.m[0][0] +
                          fabs(m.volume / exact[k].volume - 1);
        }
        sample_clear(&ball);
        sample_clear(&rod);
        sample_clear(&pill);
    }
    for (int k = 0; k < 3; k++) {
        double order = log2(error[0][k] / error[1][k]);
        assert_true(order > 1.9 && order < 2.1);
    }
}

// In the plane: corners of polygons on the outline.
static void test_mass_in_the_plane(void **state)
{
    (void)state;
    enum { N = 4000 };
    static zn_vec3 corner[N];
    for (int i = 0; i < N; i++) {
        double a = 2 * acos(-1) * (i + 0.5) / N;
        corner[i] = (zn_vec3){0.3 * cos(a) + (cos(a) > 0 ? 0.5 : -0.5), 0.3 * sin(a), 0};
    }
    zn_mass_properties m = zn_mass_of_polygon(N, corner), exact = zn_mass_of_stadium(0.3, 1);
    assert_true(fabs(m.volume / exact.volume - 1) < 1e-5);
    assert_true(fabs(m.inertia.m[2][2] / exact.inertia.m[2][2] - 1) < 1e-5);
    zn_vec3 r[4] = {{1, 1, 0}, {3, 1, 0}, {3, 2, 0}, {1, 2, 0}};
    m = zn_mass_of_polygon(4, r);
    exact = zn_mass_of_rectangle(2, 1);
    assert_true(fabs(m.volume - 2) < 1e-15 && fabs(m.inertia.m[2][2] - exact.inertia.m[2][2]) < 1e-15);
    assert_true(fabs(zn_mass_of_disc(2).inertia.m[2][2] - 8 * acos(-1)) < 1e-13);
}

// --- faces and edges -----------------------------------------------------------------------------

// A flat slab of many triangles has six faces, twelve lines of convex edges and eight tips; a needle in it is no
// matter.
static void test_faces(void **state)
{
    (void)state;
    sample         s = sample_slab(7, 5, 0.7, 0.3, 0.1, NULL);
    zn_mesh_shape *m = sample_mesh(&s);
    int            convex = 0, hollow = 0, tips = 0, edges = 0;
    assert_int_equal(m->faces, 6);
    for (int i = 0; i < m->edges; i++) {
        convex += m->edge[i].bend == ZN_BEND_CONVEX;
        hollow += m->edge[i].bend == ZN_BEND_HOLLOW;
    }
    for (int i = 0; i < m->triangles; i++)
        for (int k = 0; k < 3; k++) {
            tips += (m->owns[i] >> k) & 1;
            edges += (m->owns[i] >> (3 + k)) & 1;
        }
    assert_int_equal(hollow, 0);
    assert_int_equal(convex, 4 * 7 + 4 * 5 + 4);
    assert_int_equal(edges, convex);
    assert_int_equal(tips, 8);
    zn_mesh_shape_destroy(m);
    sample_clear(&s);
}

// --- distance ------------------------------------------------------------------------------------

// Against the distance from an L that is the union of two boxes, outside; and the sign everywhere.
static double box_distance(zn_vec3 p, zn_vec3 low, zn_vec3 high)
{
    double x = fmax(0, fmax(low.x - p.x, p.x - high.x)), y = fmax(0, fmax(low.y - p.y, p.y - high.y)),
           z = fmax(0, fmax(low.z - p.z, p.z - high.z));
    return sqrt(x * x + y * y + z * z);
}

static void test_distance(void **state)
{
    (void)state;
    char         message[400];
    zn_triangles t;
    int          lost;
    uint64_t     seed = 7;
    assert_int_equal(read_text(ell_obj, "ell.obj", NULL, &t, message), ZN_OK);
    zn_mesh_shape *m = NULL;
    assert_int_equal(zn_mesh_shape_make(t.points, t.point, t.count, t.corner, &m, &lost, message, 400), ZN_OK);
    for (int i = 0; i < 2000; i++) {
        zn_vec3 p = {4 * sample_random(&seed) - 1, 4 * sample_random(&seed) - 1, 3 * sample_random(&seed) - 1};
        double  out = fmin(box_distance(p, (zn_vec3){0, 0, 0}, (zn_vec3){2, 1, 1}),
                           box_distance(p, (zn_vec3){0, 0, 0}, (zn_vec3){1, 2, 1}));
        double  d = zn_mesh_distance(m, p, 100);
        if (out > 0)
            assert_true(fabs(d - out) < 1e-14);
        else
            assert_true(d <= 0);
        assert_int_equal(zn_mesh_contains(m, p, 0), out == 0);
    }
    zn_mesh_shape_destroy(m);
    zn_triangles_clear(&t);
}

// Is p on the surface of the unit slab, moved by d, up to the six digits of a message?
static bool is_on_slab(zn_vec3 p, zn_vec3 d)
{
    double out = fmax(fmax(fabs(p.x - d.x), fabs(p.y - d.y)), fabs(p.z - d.z + 0.5)) - 0.5;
    return fabs(out) < 1e-5;
}

// Two slabs in one mesh, the second moved by d: "" or the fault.
static void join_slabs(zn_vec3 d, char message[500])
{
    sample         a = sample_slab(3, 3, 1, 1, 1, NULL), b = sample_slab(3, 3, 1, 1, 1, NULL);
    zn_mesh_shape *m = NULL;
    int            lost;
    for (int i = 0; i < b.points; i++)
        b.point[i] = zn_vec3_add(b.point[i], d);
    sample both = sample_join(&a, &b);
    message[0] = '\0';
    zn_mesh_shape_make(both.points, both.point, both.triangles, both.corner, &m, &lost, message, 500);
    assert_int_equal(m == NULL, message[0] != '\0');
    zn_mesh_shape_destroy(m);
    sample_clear(&both);
    sample_clear(&b);
    sample_clear(&a);
}

// Slabs in each other cross at a place that is on both; those that touch, or are apart, do not.
static void test_crossing(void **state)
{
    (void)state;
    char     message[500];
    uint64_t seed = 5;
    for (int i = 0; i < 40; i++) {
        zn_vec3 d = {4 * sample_random(&seed) - 2, 4 * sample_random(&seed) - 2, 4 * sample_random(&seed) - 2}, p;
        bool    apart = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))) > 1;
        join_slabs(d, message);
        if (apart != (message[0] == '\0'))
            fail_msg("(%g, %g, %g): '%s'", d.x, d.y, d.z, message);
        if (apart)
            continue;
        assert_int_equal(sscanf(message, "it crosses itself at (%lf, %lf, %lf): the edge", &p.x, &p.y, &p.z), 3);
        assert_true(is_on_slab(p, (zn_vec3){0, 0, 0}) && is_on_slab(p, d));
    }
    join_slabs((zn_vec3){1, 0.1, 0.2}, message);
    assert_string_equal(message, "");
    join_slabs((zn_vec3){1 - 1e-4, 0.1, 0.2}, message);
    assert_true(strstr(message, "crosses itself") != NULL);
}

// The walk through the tree finds all triangles that a box meets.
static void test_tree(void **state)
{
    (void)state;
    sample         s = sample_ball(12);
    zn_mesh_shape *m = sample_mesh(&s);
    char          *seen = malloc((size_t)m->triangles);
    uint64_t       seed = 3;
    for (int round = 0; round < 50; round++) {
        zn_vec3 c = {2 * sample_random(&seed) - 1, 2 * sample_random(&seed) - 1, 2 * sample_random(&seed) - 1};
        double  h = 0.3 * sample_random(&seed);
        zn_vec3 low = {c.x - h, c.y - h, c.z - h}, high = {c.x + h, c.y + h, c.z + h};
        memset(seen, 0, (size_t)m->triangles);
        zn_tree_walk walk = zn_tree_walk_begin(&m->tree, low, high);
        for (const zn_tree_node *n; (n = zn_tree_walk_next(&walk)) != NULL;)
            for (int i = 0; i < n->count; i++)
                seen[m->tree.order[n->first + i]]++;
        for (int i = 0; i < m->triangles; i++) {
            zn_vec3 a = {INFINITY, INFINITY, INFINITY}, b = {-INFINITY, -INFINITY, -INFINITY};
            for (int k = 0; k < 3; k++) {
                zn_vec3 p = m->point[m->corner[3 * i + k]];
                a = (zn_vec3){fmin(a.x, p.x), fmin(a.y, p.y), fmin(a.z, p.z)};
                b = (zn_vec3){fmax(b.x, p.x), fmax(b.y, p.y), fmax(b.z, p.z)};
            }
            bool meets =
                a.x <= high.x && low.x <= b.x && a.y <= high.y && low.y <= b.y && a.z <= high.z && low.z <= b.z;
            assert_true(seen[i] <= 1 && (!meets || seen[i] == 1));
        }
    }
    free(seen);
    zn_mesh_shape_destroy(m);
    sample_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obj),
        cmocka_unit_test(test_obj_faults),
        cmocka_unit_test(test_weld),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_crossing),
        cmocka_unit_test(test_mass_of_box),
        cmocka_unit_test(test_faces),
        cmocka_unit_test(test_mass_of_round_bodies),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_mass_in_the_plane),
        cmocka_unit_test(test_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
