// Scenes of bodies and shapes: each is drawn as what it is, large meshes with fewer triangles.
#include "scene_shot.h"

// --- round bodies, shapes, linear beams -----------------------------------------------------------

static const char balls[] =
    "zeno: 1\n"
    "bodies:\n  spare: {mass: 1, inertia: [2, 2, 2], position: [0, 0, 0], spin: [0, 0, 3]}\n"
    "  ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [4, 0, 0], rotation: {axis: [0, 0, 1], "
    "angle: 90 deg}, spin: [1, 0, 0]}\n"
    "shapes: {hull: {body: ball, sphere: 0.3}}\n"
    "materials: {m: {young: 1e9, poisson: 0.3, density: 1000}}\n"
    "parts:\n  c: {element: beam, theory: euler_bernoulli, material: m, section: {width: 0.1, height: 0.2}, "
    "from: [0, 0, 9], to: [1, 0, 9], elements: 4}\n"
    "run: {step: 1e-3, until: 1e-2}\n";

static void test_round(void **state)
{
    (void)state;
    shot s;
    shoot(&s, NULL, balls, 0);
    zn_scene_info  info = zn_scene_get_info(s.scene);
    zn_scene_frame f;
    assert_int_equal(info.body_count, 2);
    assert_int_equal(info.bodies[0].drawing.kind, ZN_DRAWING_BOX); // of its inertia: m a^2/6
    CHECK_NEAR(info.bodies[0].drawing.size.x, sqrt(12), 1e-12);
    assert_int_equal(info.bodies[1].drawing.kind, ZN_DRAWING_SPHERE);
    CHECK_NEAR(info.bodies[1].drawing.radius, 0.3, 0);
    CHECK_NEAR(info.bodies[1].mass, 1, 0);
    assert_int_equal(info.cell_count, 4);
    assert_string_equal(info.blocks[0].kind, "beam");
    CHECK_NEAR(info.blocks[0].measure[0], 0.25, 1e-15);
    assert_int_equal(zn_scene_read(s.scene, 0, &f), ZN_OK);
    CHECK_NEAR(f.spin[info.bodies[0].node].z, 3, 1e-12);
    CHECK_NEAR(f.spin[info.bodies[1].node].y, 1, 1e-12); // its x axis is the world's y
    CHECK_NEAR(f.spin[info.bodies[1].node].x, 0, 1e-12);
    clear(&s);
}

// --- shapes ----------------------------------------------------------------------------------------

// Every shape of a body is drawn, and those of the ground; a drawing of a colour alone leaves them as they are, any
// other one is in their place.
static void test_shapes(void **state)
{
    (void)state;
    static const char text[] = "zeno: 1\nplanar: true\n"
                               "bodies:\n"
                               "  a: {mass: 1, inertia: 1, position: [0, 5], draw: {colour: red, opacity: 0.5}}\n"
                               "  b: {mass: 1, inertia: 1, position: [9, 5], draw: {box: [3, 3]}}\n"
                               "shapes:\n"
                               "  head: {body: a, sphere: 0.2, at: [0, 1]}\n"
                               "  foot: {body: a, box: [2, 1], angle: 30 deg}\n"
                               "  hidden: {body: b, sphere: 1}\n"
                               "  table: {box: [8, 1]}\n"
                               "contacts: {all: {between: [head, foot, hidden], against: [table]}}\n"
                               "run: {step: 1e-2, until: 0.02}\n";
    shot              s;
    shoot(&s, NULL, text, 0);
    zn_scene_info info = zn_scene_get_info(s.scene);
    assert_int_equal(info.body_count, 4);
    const zn_scene_body *head = &info.bodies[0], *foot = &info.bodies[1];
    assert_int_equal(head->drawing.kind, ZN_DRAWING_SPHERE);
    assert_int_equal(foot->drawing.kind, ZN_DRAWING_POLYGON);
    assert_true(!head->piece && foot->piece && !head->derived && foot->node == head->node);
    for (int i = 0; i < 2; i++) {
        assert_true(info.bodies[i].drawing.colour.given && info.bodies[i].drawing.colour.red == 0xd6);
        CHECK_NEAR(info.bodies[i].drawing.transparency, 0.5, 0);
    }
    for (int i = 0; i < 4; i++) // corners of the turned rectangle
        CHECK_NEAR(zn_vec3_norm(foot->drawing.points[i]), sqrt(1 + 0.25), 1e-15);
    CHECK_NEAR(foot->drawing.points[0].x, -cos(acos(-1.0) / 6) + 0.5 * 0.5, 1e-15);
    assert_int_equal(info.bodies[2].drawing.kind, ZN_DRAWING_BOX);
    CHECK_NEAR(info.bodies[2].drawing.size.x, 3, 0);
    assert_int_equal(info.bodies[3].node, -1);
    assert_string_equal(info.bodies[3].name, "table");
    clear(&s);
}

// A box of many triangles: sixty-six squares along each side, two triangles each.
static void write_stl(const char *path)
{
    enum { SIDES = 66 };
    FILE    *file = fopen(path, "wb");
    char     head[80] = "box";
    uint32_t count = 6 * 2 * SIDES * SIDES;
    fwrite(head, 1, sizeof head, file);
    fwrite(&count, sizeof count, 1, file);
    for (int face = 0; face < 6; face++)
        for (int i = 0; i < SIDES * SIDES * 2; i++) {
            float    values[12] = {0};
            uint16_t none = 0;
            for (int k = 0; k < 3; k++) {
                int u = i / 2 % SIDES + (i % 2 ? k != 1 : k == 1), w = i / 2 / SIDES + (i % 2 ? k < 2 : k == 2);
                int axis = face / 2;
                values[3 + 3 * k + axis] = (float)(face % 2);
                values[3 + 3 * k + (axis + 1) % 3] = (float)(face % 2 ? u : w) / SIDES;
                values[3 + 3 * k + (axis + 2) % 3] = (float)(face % 2 ? w : u) / SIDES;
            }
            fwrite(values, sizeof *values, 12, file);
            fwrite(&none, sizeof none, 1, file);
        }
    fclose(file);
}

static void count_notes(void *user, zn_severity severity, const char *message)
{
    if (severity == ZN_LOG_INFO && strstr(message, "of its 52272 triangles are drawn") != NULL)
        ++*(int *)user;
}

// More triangles than pictures hold: fewer are drawn, and that is said.
static void test_many_triangles(void **state)
{
    (void)state;
    char      path[] = "/tmp/zeno-scene-stl-XXXXXX", text[400];
    int       notes = 0;
    shot      s;
    zn_scene *again = NULL;
    close(mkstemp(path));
    write_stl(path);
    snprintf(text, sizeof text,
             "zeno: 1\nbodies: {part: {mass: 1, inertia: [1, 1, 1], draw: {stl: %s, at: [-0.5, -0.5, -0.5]}}}\n"
             "run: {step: 1e-2, until: 0.02}\n",
             path);
    prepare(&s, NULL, text, 0);
    assert_int_equal(zn_sim_run(s.sim), ZN_OK);
    s.writer = zn_result_writer_destroy(s.writer);
    assert_int_equal(zn_result_open(s.file, loud, &s.result), ZN_OK);
    assert_int_equal(zn_scene_open(s.result, (zn_log){.write = count_notes, .user = &notes}, &again), ZN_OK);
    zn_scene_info     info = zn_scene_get_info(again);
    const zn_drawing *d = &info.bodies[0].drawing;
    assert_int_equal(notes, 1);
    assert_int_equal(d->kind, ZN_DRAWING_MESH);
    assert_true(d->triangle_count <= ZN_SCENE_TRIANGLES && d->triangle_count > ZN_SCENE_TRIANGLES / 4);
    assert_int_equal(info.bodies[0].left_out, 52272 - d->triangle_count);
    double volume = 0;
    for (int i = 0; i < d->triangle_count; i++) {
        const int *t = d->triangles + 3 * i;
        volume += zn_vec3_dot(d->points[t[0]], zn_vec3_cross(d->points[t[1]], d->points[t[2]])) / 6;
    }
    CHECK_NEAR(volume, 1, 0.02); // its corners are blunt
    zn_scene_close(again);
    clear(&s);
    unlink(path);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_many_triangles),
        cmocka_unit_test(test_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
