// Contact pressure at nodes, recorded and in scenes, against what it must be: the pressure that a load puts on a block,
// the momentum that contacts took, areas as they are now; chains of boundaries; facets that contacts act on.
#include "fixtures.h"

#include <unistd.h>

#include "zn/io.h"
#include "zn/scene.h"

typedef struct shot {
    char              file[64];
    zn_problem       *problem;
    zn_system        *sys;
    zn_sim           *sim;
    zn_result_writer *writer;
    zn_result        *result;
    zn_scene         *scene;
    zn_scene_info     info;
    zn_scene_frame    frame; // the last one
} shot;

static log_capture messages;

static void shoot(shot *s, const char *text)
{
    *s = (shot){0};
    zn_log log = log_into(&messages);
    log_capture_clear(&messages);
    strcpy(s->file, "/tmp/zeno-pressure-XXXXXX");
    close(mkstemp(s->file));
    if (zn_problem_parse(text, strlen(text), "test.yaml", 0, NULL, log, &s->problem) != ZN_OK)
        fail_msg("%s", messages.text);
    CHECK_OK(zn_system_create(s->problem->model, &s->sys));
    zn_sim_def def = s->problem->sim;
    def.log = log;
    CHECK_OK(zn_result_writer_create(s->file, s->problem, &def, "test", log, &s->writer));
    def.recorder = zn_result_writer_recorder(s->writer);
    CHECK_OK(zn_sim_create(s->sys, &def, &s->sim));
    CHECK_OK(zn_sim_run(s->sim));
    s->writer = zn_result_writer_destroy(s->writer);
    CHECK_OK(zn_result_open(s->file, log, &s->result));
    CHECK_OK(zn_scene_open(s->result, log, &s->scene));
    s->info = zn_scene_get_info(s->scene);
    CHECK_OK(zn_scene_read(s->scene, s->info.frame_count - 1, &s->frame));
}

static void clear(shot *s)
{
    zn_scene_close(s->scene);
    zn_result_close(s->result);
    zn_sim_destroy(s->sim);
    zn_system_destroy(s->sys);
    zn_problem_destroy(s->problem);
    unlink(s->file);
}

static double last_value(const shot *s, int column)
{
    double values[8];
    assert_true(zn_sim_columns(s->sim) <= 8);
    CHECK_OK(zn_sim_values(s->sim, values));
    return values[column];
}

// --- a load through a contact --------------------------------------------------------------------

// A block on a floor and another one on it, of equal meshes: the pressure on top arrives at every node below.
#define STACK(dimension, box, up, low, high, from1, to1, from2, to2, n, shape)                                         \
    "zeno: 1\n" dimension "materials: {m: {young: 50, poisson: 0, density: 1}}\n"                                      \
    "parts:\n"                                                                                                         \
    "  low: {element: solid, material: m, mesh: {" box ": {from: " from1 ", to: " to1 ", elements: " n shape "}}}\n"   \
    "  top: {element: solid, material: m, mesh: {" box ": {from: " from2 ", to: " to2 ", elements: " n shape "}}}\n"   \
    "contacts:\n"                                                                                                      \
    "  floor: {points: low." low ", surface: {plane: " up "}, friction: 0.3}\n"                                        \
    "  joint: {points: top." low ", surface: {part: low, face: " high "}, friction: 0.3}\n"                            \
    "loads: {p: {pressure: {part: top, face: " high ", value: 0.7}}}\n"                                                \
    "record: {a: floor.pressure, b: joint.pressure}\n"                                                                 \
    "run: {static: {load_steps: 2}}\n"

static void check_stack(const char *text, int boundaries, int corners)
{
    shot s;
    shoot(&s, text);
    assert_true(s.info.statics);
    CHECK_NEAR(last_value(&s, 0), 0.7, 1e-9);
    CHECK_NEAR(last_value(&s, 1), 0.7, 1e-9);
    assert_int_equal(s.info.boundary_count, boundaries);
    for (int i = 0; i < s.info.boundary_node_count; i++)
        CHECK_NEAR(s.frame.pressure[i], 0.7, 1e-9);
    int facets = 0;
    for (int i = 0; i < s.frame.contact_count; i++) {
        const zn_scene_contact *c = &s.frame.contacts[i];
        assert_int_equal(c->corners, strcmp(c->name, "joint") == 0 ? corners : 0);
        facets += c->corners > 0;
        for (int a = 0; a < 4; a++)
            assert_true(a < c->corners ? c->corner[a] >= 0 && c->corner[a] < s.info.node_count : c->corner[a] == -1);
    }
    assert_true(facets > 3);
    clear(&s);
}

static void test_load(void **state)
{
    (void)state;
    check_stack(STACK("planar: true\n", "rectangle", "[0, 1]", "ymin", "ymax", "[0, 0]", "[2, 1]", "[0, 1]", "[2, 2]",
                      "[5, 2]", ""),
                3, 2);
    check_stack(STACK("", "box", "[0, 0, 1]", "zmin", "zmax", "[0, 0, 0]", "[2, 1, 1]", "[0, 0, 1]", "[2, 1, 2]",
                      "[3, 2, 1]", ""),
                3, 4);
    check_stack(STACK("", "box", "[0, 0, 1]", "zmin", "zmax", "[0, 0, 0]", "[2, 1, 1]", "[0, 0, 1]", "[2, 1, 2]",
                      "[3, 2, 1]", ", shape: tet4"),
                3, 3);
}

// A block that becomes wider: a dead load pushes with what the face was, the pressure is of what it is now.
static void test_area_now(void **state)
{
    (void)state;
    shot s;
    shoot(&s, "zeno: 1\nplanar: true\nmaterials: {m: {young: 10, poisson: 0.4, density: 1}}\n"
              "parts: {b: {element: solid, material: m, plane: stress, thickness: 0.3, fix: {xmin: [x]}, mesh: "
              "{rectangle: {from: "
              "[0, 0], to: [2, 1], elements: [4, 1]}}}}\n"
              "contacts: {floor: {points: b.ymin, surface: {plane: [0, 1]}}}\n"
              "loads: {p: {pressure: {part: b, face: ymax, value: 2}}}\n"
              "record: {p: floor.pressure, f: floor.force}\nrun: {static: {}}\n");
    double wide = 2 * (1 + 0.4 * 2 / 10); // plane stress: the strain across is nu p / E
    CHECK_NEAR(last_value(&s, 1), 2 * 2 * 0.3, 1e-9);
    CHECK_NEAR(last_value(&s, 0), 2 * 2 / wide, 1e-9);
    assert_int_equal(s.info.boundary_count, 1);
    assert_int_equal(s.info.boundaries[0].count, 5);
    assert_false(s.info.boundaries[0].closed);
    assert_string_equal(s.info.boundaries[0].name, "b");
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(s.frame.pressure[i], 2 * 2 / wide, 1e-9);
        CHECK_NEAR(s.info.reference[s.info.boundary_nodes[i]].x, 0.5 * i, 1e-12); // from left to right
    }
    clear(&s);
}

// --- an impact between frames --------------------------------------------------------------------

// Frames are several steps apart: pressures times areas times intervals are the impulse of all contacts.
static void test_mean(void **state)
{
    (void)state;
    shot s;
    shoot(&s, "zeno: 1\nplanar: true\ngravity: [0, -10]\nmaterials: {m: {young: 1e4, poisson: 0, density: 100}}\n"
              "parts: {b: {element: solid, material: m, thickness: 0.5, velocity: [0, -1], mesh: {rectangle: {from: "
              "[0, 0.01], to: [2, "
              "1.01], elements: [4, 2]}}}}\n"
              "contacts: {floor: {points: b.ymin, surface: {plane: [0, 1]}}}\n"
              "record: {p: floor.pressure, v: b.momentum.y}\nrun: {scheme: nsga, step: 1e-3, until: 0.1, frames: 7}\n");
    double sum = 0, before = 0, highest = 0;
    for (int64_t i = 0; i < s.info.frame_count; i++) {
        CHECK_OK(zn_scene_read(s.scene, i, &s.frame));
        for (int k = 0; k < 5; k++) {
            sum += s.frame.pressure[k] * 0.25 * (k % 4 == 0 ? 1 : 2) * 0.5 * (s.frame.t - before);
            highest = fmax(highest, s.frame.pressure[k]);
        }
        before = s.frame.t;
    }
    double change = last_value(&s, 1) - -100; // 100 kg at -1 m/s
    CHECK_NEAR(sum, change + 100 * 10 * 0.1, 1e-9 * fabs(sum));
    assert_true(s.info.frame_count < 12 && highest > 1000);
    clear(&s);
}

// --- boundaries ----------------------------------------------------------------------------------

// A disc around and a strip below; what is recorded of a contact without faces.
static void test_boundaries(void **state)
{
    (void)state;
    shot              s;
    static const char text[] = "zeno: 1\nplanar: true\nmaterials: {m: {young: 1000, poisson: 0.2, density: 1}}\n"
                               "parts:\n"
                               "  disc: {element: solid, material: m, mesh: {disc: {centre: [0, 1], radius: 1, "
                               "elements: 2}}, velocity: [0, -0.1]}\n"
                               "  strip: {element: solid, material: m, mesh: {rectangle: {from: [-1, -1], to: [1, 0], "
                               "elements: [5, 1]}}, fix: {ymin: [x, y]}}\n"
                               "bodies: {m: {mass: 1, position: [0, 3]}}\n"
                               "contacts:\n"
                               "  pair: {points: disc.outer, surface: {part: strip, face: ymax}}\n"
                               "  back: {points: strip.ymax, surface: {part: disc}}\n"
                               "  point: {point: m, surface: {plane: [0, 1], through: [0, -5]}}\n"
                               "record: {p: %s.pressure}\nrun: {scheme: nsga, step: 1e-2, until: 0.02}\n";
    char              one[2048];
    static double     x[8];
    snprintf(one, sizeof one, text, "pair");
    shoot(&s, one);
    assert_int_equal(s.info.boundary_count, 2); // each once, although two contacts act on them
    const zn_scene_boundary *strip = &s.info.boundaries[0], *disc = &s.info.boundaries[1];
    assert_string_equal(strip->name, "strip");
    assert_string_equal(disc->name, "disc");
    assert_true(!strip->closed && strip->count == 6 && disc->closed && disc->count == 8);
    for (int i = 0; i < 8; i++) { // around, the solid on the left
        zn_vec3 a = s.info.reference[s.info.boundary_nodes[disc->first + i]];
        zn_vec3 b = s.info.reference[s.info.boundary_nodes[disc->first + (i + 1) % 8]];
        x[i] = a.x * (b.y - 1) - b.x * (a.y - 1);
        CHECK_NEAR(x[i], sin(acos(-1) / 4), 1e-12);
    }
    clear(&s);
    zn_problem *problem = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    snprintf(one, sizeof one, text, "point");
    CHECK_OK(zn_problem_parse(one, strlen(one), "test.yaml", 0, NULL, log_into(&messages), &problem));
    CHECK_OK(zn_system_create(problem->model, &sys));
    assert_int_equal(zn_sim_create(sys, &problem->sim, &sim), ZN_ERR_MODEL);
    CHECK_LOGGED(&messages, "record 'p': 'point' has no pressure");
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_load), cmocka_unit_test(test_area_now),
                                       cmocka_unit_test(test_mean), cmocka_unit_test(test_boundaries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
