// Surfaces of bodies: closed ones enclose the volume they should, with faces outwards; flat ones have the right area.
#include <math.h>

#include "check.h"
#include "view/surface.h"

// Volume by the divergence theorem: sum of x . n dA / 3 over triangles; a quadrilateral is two of them.
static double volume(const zn_surface_mesh *m)
{
    double sum = 0;
    for (int i = 0; i < m->face_count; i++) {
        const int *c = m->faces[i].corner;
        for (int k = 1; k + 1 < (c[3] < 0 ? 3 : 4); k++)
            sum += zn_vec3_dot(m->points[c[0]], zn_vec3_cross(m->points[c[k]], m->points[c[k + 1]])) / 6;
    }
    return sum;
}

static double area(const zn_surface_mesh *m)
{
    double sum = 0;
    for (int i = 0; i < m->face_count; i++) {
        const int *c = m->faces[i].corner;
        for (int k = 1; k + 1 < (c[3] < 0 ? 3 : 4); k++)
            sum += 0.5 * zn_vec3_cross(zn_vec3_sub(m->points[c[k]], m->points[c[0]]),
                                       zn_vec3_sub(m->points[c[k + 1]], m->points[c[0]]))
                             .z;
    }
    return sum;
}

// Every edge is passed once each way.
static void check_closed(const zn_surface_mesh *m)
{
    for (int i = 0; i < m->face_count; i++)
        for (int k = 0, n = m->faces[i].corner[3] < 0 ? 3 : 4; k < n; k++) {
            int a = m->faces[i].corner[k], b = m->faces[i].corner[(k + 1) % n], back = 0;
            for (int j = 0; j < m->face_count; j++)
                for (int l = 0, o = m->faces[j].corner[3] < 0 ? 3 : 4; l < o; l++)
                    back += m->faces[j].corner[l] == b && m->faces[j].corner[(l + 1) % o] == a;
            assert_int_equal(back, 1);
        }
}

static void test_solids(void **state)
{
    (void)state;
    zn_surface_mesh m = {0};
    zn_drawing      box = {.kind = ZN_DRAWING_BOX, .size = {1, 2, 3}, .centre = {4, 5, 6}};
    assert_int_equal(zn_surface_of(&box, false, &m), ZN_OK);
    check_closed(&m);
    assert_true(fabs(volume(&m) - 6) < 1e-13);
    zn_drawing sphere = {.kind = ZN_DRAWING_SPHERE, .radius = 2, .centre = {1, 1, 1}};
    assert_int_equal(zn_surface_of(&sphere, false, &m), ZN_OK);
    check_closed(&m);
    assert_true(fabs(volume(&m) / (4.0 / 3 * acos(-1.0) * 8) - 0.977) < 0.01); // the polyhedron is inside
    for (int i = 0; i < m.point_count; i++)
        assert_true(fabs(zn_vec3_norm(zn_vec3_sub(m.points[i], sphere.centre)) - 2) < 1e-14);
    m.coarse = true;
    assert_int_equal(zn_surface_of(&sphere, false, &m), ZN_OK);
    check_closed(&m);
    assert_int_equal(m.point_count, 3 * 8 + 2);
    m.coarse = false;
    zn_drawing cylinder = {.kind = ZN_DRAWING_CYLINDER, .radius = 0.5, .size = {3, 0, 0}, .axis = {1, 2, -2}};
    assert_int_equal(zn_surface_of(&cylinder, false, &m), ZN_OK);
    check_closed(&m);
    assert_true(fabs(volume(&m) - 3 * 12 * 0.25 * sin(acos(-1.0) / 12)) < 1e-13);                // a prism of 24 sides
    const zn_vec3 corner[] = {{0, 0, 1}, {0, 2, 1}, {1, 2, 1}, {1, 1, 1}, {3, 1, 1}, {3, 0, 1}}; // clockwise
    zn_drawing    plate = {.kind = ZN_DRAWING_POLYGON, .size = {0, 0, 0.5}, .point_count = 6, .points = corner};
    assert_int_equal(zn_surface_of(&plate, false, &m), ZN_OK);
    check_closed(&m);
    assert_true(fabs(volume(&m) - 0.5 * 4) < 1e-13);
    zn_surface_free(&m);
}

// Corners of a box with points inside, on faces and on edges; points on a sphere.
static void test_hull(void **state)
{
    (void)state;
    zn_surface_mesh m = {0};
    zn_vec3         p[27 + 200];
    for (int i = 0; i < 27; i++)
        p[i] = zn_vec3_make(0.5 * (i % 3), i / 3 % 3, 1.5 * (i / 9));
    zn_drawing hull = {.kind = ZN_DRAWING_HULL, .point_count = 27, .points = p};
    assert_int_equal(zn_surface_of(&hull, false, &m), ZN_OK);
    check_closed(&m);
    assert_true(fabs(volume(&m) - 1 * 2 * 3) < 1e-13);
    for (int i = 0; i < 200; i++) { // spread by the golden angle
        double z = 1 - (2 * i + 1) / 200.0, turn = 2.399963229728653 * i, r = sqrt(1 - z * z);
        p[i] = zn_vec3_make(r * cos(turn), r * sin(turn), z);
    }
    hull.point_count = 200;
    assert_int_equal(zn_surface_of(&hull, false, &m), ZN_OK);
    check_closed(&m);
    assert_int_equal(m.face_count, 2 * 200 - 4); // Euler: all points are corners
    hull.point_count = 3;
    assert_int_equal(zn_surface_of(&hull, false, &m), ZN_OK);
    assert_int_equal(m.face_count, 0);
    zn_surface_free(&m);
}

static void test_flat(void **state)
{
    (void)state;
    // an arrow head, not convex, either way round; area 2 - 1
    zn_vec3         arrow[4] = {{0, 0, 0}, {1, -1, 0}, {0, 1, 0}, {-1, -1, 0}}, back[4];
    zn_surface_mesh m = {0};
    for (int i = 0; i < 4; i++)
        back[i] = arrow[3 - i];
    zn_drawing d = {.kind = ZN_DRAWING_POLYGON, .point_count = 4, .points = arrow};
    assert_int_equal(zn_surface_of(&d, true, &m), ZN_OK);
    assert_int_equal(m.face_count, 2);
    assert_true(fabs(area(&m) - 1) < 1e-14);
    d.points = back;
    assert_int_equal(zn_surface_of(&d, true, &m), ZN_OK);
    assert_true(fabs(area(&m) - 1) < 1e-14);
    for (int i = 0; i < m.face_count; i++) { // no triangle lies outside: each has positive area
        const int *c = m.faces[i].corner;
        assert_true(
            zn_vec3_cross(zn_vec3_sub(m.points[c[1]], m.points[c[0]]), zn_vec3_sub(m.points[c[2]], m.points[c[0]])).z >
            0);
    }
    zn_drawing box = {.kind = ZN_DRAWING_BOX, .size = {2, 3, 0}};
    assert_int_equal(zn_surface_of(&box, true, &m), ZN_OK);
    assert_true(fabs(area(&m) - 6) < 1e-14);
    zn_drawing disc = {.kind = ZN_DRAWING_SPHERE, .radius = 1};
    assert_int_equal(zn_surface_of(&disc, true, &m), ZN_OK);
    assert_true(fabs(area(&m) - 12 * sin(acos(-1.0) / 12)) < 1e-13);
    zn_surface_free(&m);
}

// Triangles are what they are: here a corner of a cube, cut off.
static void test_triangles(void **state)
{
    (void)state;
    const zn_vec3   p[] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 1, 0},
                           {0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    zn_drawing      d = {.kind = ZN_DRAWING_TRIANGLES, .point_count = 12, .points = p};
    zn_surface_mesh m = {0};
    assert_int_equal(zn_surface_of(&d, false, &m), ZN_OK);
    assert_int_equal(m.face_count, 4);
    assert_true(fabs(volume(&m) - 1.0 / 6) < 1e-15);
    zn_surface_free(&m);
    zn_model    *model = NULL;
    zn_model_def def = zn_model_def_default();
    zn_body_def  body = zn_body_def_default();
    zn_node_id   id;
    body.mass = 1;
    assert_int_equal(zn_model_create(&def, &model), ZN_OK);
    assert_int_equal(zn_model_add_body(model, &body, &id), ZN_OK);
    assert_int_equal(zn_model_draw(model, id, &d), ZN_OK);
    d.point_count = 11;
    assert_int_equal(zn_model_draw(model, id, &d), ZN_ERR_MODEL);
    zn_model_destroy(model);
}

// A capsule is a sphere cut in two and a prism of 24 sides between the halves.
static void test_capsule(void **state)
{
    (void)state;
    zn_surface_mesh m = {0};
    zn_vec3         axis = {2, -1, 2};
    zn_drawing      capsule = {
             .kind = ZN_DRAWING_CAPSULE, .radius = 0.5, .size = {3, 0, 0}, .axis = axis, .centre = {1, 2, 3}};
    zn_drawing sphere = {.kind = ZN_DRAWING_SPHERE, .radius = 0.5};
    for (m.coarse = false;; m.coarse = true) {
        double n = m.coarse ? 8 : 24;
        assert_int_equal(zn_surface_of(&sphere, false, &m), ZN_OK);
        double ball = volume(&m);
        assert_int_equal(zn_surface_of(&capsule, false, &m), ZN_OK);
        check_closed(&m);
        CHECK_NEAR(volume(&m), ball + 3 * 0.5 * n * 0.25 * sin(2 * acos(-1.0) / n), 1e-13);
        for (int i = 0; i < m.point_count; i++) {
            zn_vec3 d = zn_vec3_sub(m.points[i], capsule.centre);
            double  s = fmin(fmax(zn_vec3_dot(d, axis) / 3, -1.5), 1.5);
            CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(d, zn_vec3_scale(s / 3, axis))), 0.5, 1e-14);
        }
        if (m.coarse)
            break;
    }
    capsule.axis = (zn_vec3){3, 4, 0};
    capsule.centre.z = 0;
    assert_int_equal(zn_surface_of(&capsule, true, &m), ZN_OK);
    CHECK_NEAR(area(&m), 3 + 36 * 0.25 * sin(acos(-1.0) / 36), 1e-13);
    zn_surface_free(&m);
}

// Sides that are arcs: a disc of two halves, a square with half a disc cut out of a side, either way round; a plate.
static void test_arcs(void **state)
{
    (void)state;
    const zn_vec3   ends[2] = {{1, 2, 0}, {1, 5, 0}};
    const zn_vec3   square[4] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    const zn_vec3   back[4] = {{0, 2, 0}, {2, 2, 0}, {2, 0, 0}, {0, 0, 0}};
    double          wedge = sin(acos(-1.0) / 36); // twice the area of a triangle of a circle of radius 1
    zn_surface_mesh m = {0};
    zn_drawing disc = {.kind = ZN_DRAWING_POLYGON, .point_count = 2, .points = ends, .bulges = (const double[2]){1, 1}};
    assert_int_equal(zn_surface_of(&disc, true, &m), ZN_OK);
    CHECK_NEAR(area(&m), 36 * 1.5 * 1.5 * wedge, 1e-13);
    for (int i = 0; i < m.point_count; i++)
        CHECK_NEAR(hypot(m.points[i].x - 1, m.points[i].y - 3.5), 1.5, 1e-14);
    zn_drawing cut = {
        .kind = ZN_DRAWING_POLYGON, .point_count = 4, .points = square, .bulges = (const double[4]){-1, 0, 0, 0}};
    assert_int_equal(zn_surface_of(&cut, true, &m), ZN_OK);
    CHECK_NEAR(area(&m), 4 - 18 * wedge, 1e-13);
    cut.points = back;
    cut.bulges = (const double[4]){0, 0, 1, 0}; // the other way round, the same arc
    assert_int_equal(zn_surface_of(&cut, true, &m), ZN_OK);
    CHECK_NEAR(area(&m), 4 - 18 * wedge, 1e-13);
    cut.open = true; // a line that has everything but the last side: two straight ones, half a circle
    assert_int_equal(zn_surface_of(&cut, true, &m), ZN_OK);
    double length = 0;
    for (int i = 0; i < m.face_count; i++) {
        assert_true(m.faces[i].corner[2] < 0);
        length += zn_vec3_norm(zn_vec3_sub(m.points[m.faces[i].corner[1]], m.points[m.faces[i].corner[0]]));
    }
    CHECK_NEAR(length, 2 + 2 + 36 * 2 * sin(acos(-1.0) / 72), 1e-13);
    cut.open = false;
    cut.size.z = 0.5;
    assert_int_equal(zn_surface_of(&cut, false, &m), ZN_OK);
    check_closed(&m);
    CHECK_NEAR(volume(&m), 0.5 * (4 - 18 * wedge), 1e-13);
    zn_surface_free(&m);
}

// Points that triangles share; numbers of points that are not there are refused.
static void test_mesh(void **state)
{
    (void)state;
    const zn_vec3   p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int             t[12] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    zn_drawing      d = {.kind = ZN_DRAWING_MESH, .point_count = 4, .points = p, .triangle_count = 4, .triangles = t};
    zn_surface_mesh m = {0};
    assert_int_equal(zn_surface_of(&d, false, &m), ZN_OK);
    check_closed(&m);
    assert_true(fabs(volume(&m) - 1.0 / 6) < 1e-15);
    zn_surface_free(&m);
    zn_model    *model = NULL;
    zn_model_def def = zn_model_def_default();
    zn_body_def  body = zn_body_def_default();
    zn_node_id   id;
    body.mass = 1;
    assert_int_equal(zn_model_create(&def, &model), ZN_OK);
    assert_int_equal(zn_model_add_body(model, &body, &id), ZN_OK);
    assert_int_equal(zn_model_draw(model, id, &d), ZN_OK);
    t[7] = 4;
    assert_int_equal(zn_model_draw(model, id, &d), ZN_ERR_MODEL);
    d.triangle_count = 0;
    assert_int_equal(zn_model_draw(model, id, &d), ZN_ERR_MODEL);
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_capsule), cmocka_unit_test(test_arcs),
                                       cmocka_unit_test(test_mesh),    cmocka_unit_test(test_triangles),
                                       cmocka_unit_test(test_solids),  cmocka_unit_test(test_hull),
                                       cmocka_unit_test(test_flat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
