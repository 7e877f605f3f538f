// Patches of contacts: areas, centres and pressures in closed form, and what belongs to a patch. Meshes with fewer
// triangles: still where they were.
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "view/contact_patches.h"
#include "view/patch_name.h"
#include "view/thin_mesh.h"

static const char rule[] = "floor", part[] = "crate", table[] = "table";

static zn_scene_contact contact(double x, double y, double z, double pushed)
{
    return (zn_scene_contact){.name = rule,
                              .state = pushed > 0 ? ZN_CONTACT_STICKING : ZN_CONTACT_OPEN,
                              .position = {x, y, z},
                              .normal = {0, 0, 1},
                              .impulse = {0.5 * pushed, 0, pushed},
                              .node = {3, -1},
                              .shape = {part, table}};
}

static void check_rectangle(const zn_contact_patches *p)
{
    assert_int_equal(p->count, 1);
    const zn_scene_patch *q = &p->patch[0];
    assert_int_equal(q->corners, 4);
    assert_false(q->line);
    CHECK_NEAR(q->area, 6, 1e-14);
    CHECK_NEAR(q->force, 10 / 0.5, 1e-14);
    CHECK_NEAR(q->pressure, 20 / 6.0, 1e-14);
    CHECK_NEAR(q->impulse.x, 5, 1e-14);
    CHECK_NEAR(q->normal.z, 1, 1e-15);
    // moments about the first corner: (1 0 + 2 2 + 3 2 + 4 0)/10, (3 3 + 4 3)/10
    CHECK_NEAR(q->centre.x, 5 + 1.0, 1e-14);
    CHECK_NEAR(q->centre.y, 7 + 2.1, 1e-14);
    double area = 0; // of the corners that are drawn, counter-clockwise seen against the normal
    for (int k = 1; k + 1 < 4; k++) {
        const zn_vec3 *c = p->corner + q->first;
        area += 0.5 * zn_vec3_cross(zn_vec3_sub(c[k], c[0]), zn_vec3_sub(c[k + 1], c[0])).z;
    }
    CHECK_NEAR(area, 6, 1e-14);
}

// Four corners carry a load that three could: what they share among each other is not seen.
static void test_rectangle(void **state)
{
    (void)state;
    zn_contact_patches p = {0};
    for (int k = 0; k < 3; k++) { // forces + - + - at the corners of a rectangle have neither resultant nor moment
        double           s = 0.5 * (k - 1);
        zn_scene_contact c[4] = {contact(5, 7, 1, 1 + s), contact(7, 7, 1, 2 - s), contact(7, 10, 1, 3 + s),
                                 contact(5, 10, 1, 4 - s)};
        CHECK_OK(zn_contact_patches_find(&p, false, NULL, 4, c, 0.5));
        check_rectangle(&p);
    }
    zn_scene_contact bare[5] = {contact(5, 7, 1, 0), contact(7, 7, 1, 3), contact(7, 10, 1, 2), contact(5, 10, 1, 5),
                                contact(6, 8, 1, 0)};
    CHECK_OK(zn_contact_patches_find(&p, false, NULL, 5, bare,
                                     0.5)); // a corner that carries nothing but touches, one inside
    check_rectangle(&p);
    bare[0].gap = 0.1; // it does not touch: a triangle is left
    CHECK_OK(zn_contact_patches_find(&p, false, NULL, 4, bare, 0.5));
    CHECK_NEAR(p.patch[0].area, 3, 1e-14);
    zn_contact_patches_free(&p);
}

// A regular octagon, turned anywhere: flush boxes at 45 degrees.
static void test_octagon(void **state)
{
    (void)state;
    zn_contact_patches p = {0};
    zn_scene_contact   c[8];
    zn_quat            turn = zn_so3_exp((zn_vec3){0.4, -1.1, 0.7});
    for (int i = 0; i < 8; i++) {
        double angle = acos(-1.0) / 4 * i;
        c[i] = contact(2 * cos(angle), 2 * sin(angle), 0, 1);
        c[i].position = zn_vec3_add(zn_quat_rotate(turn, c[i].position), (zn_vec3){1e3, 0, 0});
        c[i].normal = zn_quat_rotate(turn, c[i].normal);
        c[i].impulse = zn_vec3_scale(1, c[i].normal);
    }
    CHECK_OK(zn_contact_patches_find(&p, false, NULL, 8, c, 1));
    assert_int_equal(p.count, 1);
    assert_int_equal(p.patch[0].corners, 8);
    CHECK_NEAR(p.patch[0].area, 8 * sqrt(2.0), 1e-11);
    CHECK_NEAR(p.patch[0].force, 8, 1e-14);
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(p.patch[0].centre, (zn_vec3){1e3, 0, 0})), 0, 1e-12);
    zn_contact_patches_free(&p);
}

// Two steps of a stair, two walls of a corner, two pairs of things: patches of their own.
static void test_apart(void **state)
{
    (void)state;
    zn_contact_patches p = {0};
    zn_scene_contact   stair[8];
    for (int i = 0; i < 8; i++)
        stair[i] = contact(i % 2, i / 2 % 2, i / 4 * 0.25, 1);
    CHECK_OK(zn_contact_patches_find(&p, false, NULL, 8, stair, 1));
    assert_int_equal(p.count, 2);
    CHECK_NEAR(p.patch[0].area, 1, 1e-14);
    CHECK_NEAR(p.patch[1].centre.z, 0.25, 1e-14);
    for (int i = 4; i < 8; i++) {
        stair[i] = contact(0, i % 2, i / 2 % 2, 0);
        stair[i].normal = (zn_vec3){1, 0, 0};
        stair[i].impulse = (zn_vec3){2, 0, 0};
        stair[i].state = ZN_CONTACT_CLOSED;
    }
    CHECK_OK(zn_contact_patches_find(&p, false, NULL, 8, stair, 1));
    assert_int_equal(p.count, 2);
    CHECK_NEAR(p.patch[1].force, 8, 1e-14);
    CHECK_NEAR(p.patch[1].normal.x, 1, 1e-14);
    for (int i = 0; i < 8; i++) {
        stair[i] = contact(i % 2, i / 2 % 2, 0, 1);
        stair[i].node[0] = i / 4;
    }
    CHECK_OK(zn_contact_patches_find(&p, false, NULL, 8, stair, 1));
    assert_int_equal(p.count, 2);
    for (int i = 0; i < 8; i++) { // two shapes of one name on one body
        stair[i].node[0] = 0;
        stair[i].id.contact = i / 4;
    }
    CHECK_OK(zn_contact_patches_find(&p, false, NULL, 8, stair, 1));
    assert_int_equal(p.count, 2);
    assert_true(stair[3].patch == 0 && stair[4].patch == 1);
    for (int i = 0; i < 8; i++)
        stair[i].corners = 3; // on facets of solids, which have a pressure
    CHECK_OK(zn_contact_patches_find(&p, false, NULL, 8, stair, 1));
    assert_int_equal(p.count, 0);
    zn_contact_patches_free(&p);
}

// Along a line, in space and in the plane: load per length. Points alone are no patch.
static void test_lines(void **state)
{
    (void)state;
    zn_contact_patches p = {0};
    zn_scene_contact   c[3] = {contact(0, 0, 0, 1), contact(3, 4, 0, 2), contact(1.5, 2, 0, 0)};
    CHECK_OK(zn_contact_patches_find(&p, false, NULL, 3, c, 1));
    assert_int_equal(p.count, 1);
    assert_true(p.patch[0].line && p.patch[0].corners == 2);
    CHECK_NEAR(p.patch[0].area, 5, 1e-14);
    CHECK_NEAR(p.patch[0].pressure, 3.0 / 5, 1e-14);
    CHECK_NEAR(p.patch[0].centre.x, 2, 1e-14);
    for (int i = 0; i < 3; i++) {
        c[i].normal = (zn_vec3){-0.8, 0.6, 0};
        c[i].impulse = zn_vec3_scale(i, c[i].normal);
    }
    CHECK_OK(zn_contact_patches_find(&p, true, NULL, 3, c, 1));
    assert_true(p.count == 1 && p.patch[0].line);
    CHECK_NEAR(p.patch[0].area, 5, 1e-14);
    CHECK_NEAR(p.patch[0].force, 3, 1e-14);
    CHECK_NEAR(p.patch[0].centre.x, 2, 1e-14);
    CHECK_OK(zn_contact_patches_find(&p, true, NULL, 1, c, 1));
    assert_int_equal(p.count, 0);
    c[1].position = c[0].position;
    CHECK_OK(zn_contact_patches_find(&p, true, NULL, 2, c, 1));
    assert_int_equal(p.count, 0);
    const zn_vec3 position[4] = {[3] = {0, 0, 10}}; // of the part, node 3: 2 mm are a patch of it, 0.5 mm a point
    for (int k = 0; k < 2; k++) {
        c[1].position = zn_vec3_add(
            c[0].position, zn_vec3_make(k == 0 ? 2e-3 * 0.6 : 5e-4 * 0.6, k == 0 ? 2e-3 * 0.8 : 5e-4 * 0.8, 0));
        CHECK_OK(zn_contact_patches_find(&p, true, position, 2, c, 1));
        assert_int_equal(p.count, k == 0 ? 1 : 0);
    }
    zn_contact_patches_free(&p);
}

static void test_names(void **state)
{
    (void)state;
    const zn_scene_body bodies[] = {{.name = "pile[2]", .node = 3}, {.name = "crate", .node = 4}};
    const zn_scene_info info = {.body_count = 2, .bodies = bodies};
    char                text[ZN_PATCH_NAME];
    zn_scene_patch      a = {.name = "all", .node = {3, -1}, .shape = {"pile", NULL}}, b = a;
    zn_patch_names      names = {0};
    int                 number = -1;
    assert_string_equal(zn_patch_name(&info, &a, text), "all: pile[2], ground");
    b.shape[0] = "handle";
    b.node[1] = 4;
    assert_string_equal(zn_patch_name(&info, &b, text), "all: handle, crate");
    for (int k = 0; k < 3; k++) {
        CHECK_OK(zn_patch_names_find(&names, &a, &number));
        assert_int_equal(number, 0);
        CHECK_OK(zn_patch_names_find(&names, &b, &number));
        assert_int_equal(number, 1);
    }
    assert_int_equal(names.count, 2);
    free(names.patch);
}

// --- fewer triangles -------------------------------------------------------------------------------

enum { AROUND = 200, ROWS = 100 };

static zn_vec3 on_ball(int row, int column)
{
    double a = acos(-1.0) * row / ROWS, b = 2 * acos(-1.0) * column / AROUND;
    return zn_vec3_make(sin(a) * cos(b) + 9, sin(a) * sin(b), cos(a));
}

// A ball as loose triangles, outwards.
static int fill_ball(zn_vec3 *point)
{
    int count = 0;
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < AROUND; i++) {
            const zn_vec3 c[4] = {on_ball(row, i), on_ball(row + 1, i), on_ball(row + 1, i + 1), on_ball(row, i + 1)};
            const int     order[6] = {0, 1, 2, 0, 2, 3};
            for (int k = 0; k < 6; k++)
                point[count++] = c[order[k]];
        }
    return count;
}

static void test_thin(void **state)
{
    (void)state;
    static zn_vec3 point[6 * ROWS * AROUND];
    zn_drawing     ball = {.kind = ZN_DRAWING_TRIANGLES, .point_count = fill_ball(point), .points = point};
    zn_thin_mesh   fewer;
    const int      most[3] = {5000, 1000, 100};
    assert_int_equal(zn_triangles_of(&ball), 40000);
    for (int k = 0; k < 3; k++) {
        double volume = 0, cell = 2.5 / sqrt(most[k] / 8.0); // cells over the surface of a cube of side 2, generously
        CHECK_OK(zn_mesh_thin(&ball, most[k], &fewer));
        assert_true(fewer.triangle_count <= most[k] && fewer.triangle_count > most[k] / 4);
        for (int i = 0; i < 3 * fewer.triangle_count; i++)
            assert_true(fewer.triangles[i] >= 0 && fewer.triangles[i] < fewer.point_count);
        for (int i = 0; i < fewer.point_count; i++) // within the ball, not far below its surface
            assert_true(fabs(zn_vec3_norm(zn_vec3_sub(fewer.points[i], (zn_vec3){9, 0, 0})) - 1 + cell * cell / 8) <
                        cell * cell);
        for (int i = 0; i < fewer.triangle_count; i++) {
            const int *t = fewer.triangles + 3 * i;
            zn_vec3    c = {9, 0, 0}, a = zn_vec3_sub(fewer.points[t[0]], c), b = zn_vec3_sub(fewer.points[t[1]], c);
            volume += zn_vec3_dot(a, zn_vec3_cross(b, zn_vec3_sub(fewer.points[t[2]], c))) / 6;
        }
        assert_true(fabs(volume / (4 * acos(-1.0) / 3) - 1) < 2 * cell * cell);
        free(fewer.points);
        free(fewer.triangles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rectangle), cmocka_unit_test(test_octagon),
                                       cmocka_unit_test(test_apart),     cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_names),     cmocka_unit_test(test_thin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
