// Scenes: what a picture is drawn from agrees with the model, with what was recorded and with the certificate.
#include "scene_shot.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

// --- a rigid body in the plane -------------------------------------------------------------------

static void test_block(void **state)
{
    (void)state;
    shot s;
    shoot(&s, ZN_SOURCE_DIR "/gallery/rocking-block/model.yaml", NULL, 0);
    zn_scene_info info = zn_scene_get_info(s.scene);
    assert_true(info.planar);
    assert_int_equal(info.frame_count, 201); // 200 steps are fewer than the usual number of frames
    assert_int_equal(info.body_count, 1);
    assert_int_equal(info.surface_count, 1);
    // two contact points below the centre of mass: mirrored, the block itself
    assert_int_equal(info.bodies[0].drawing.kind, ZN_DRAWING_POLYGON);
    assert_int_equal(info.bodies[0].drawing.point_count, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(fabs(info.bodies[0].drawing.points[i].x), 0.5, 1e-15);
        CHECK_NEAR(fabs(info.bodies[0].drawing.points[i].y), 0.75, 1e-15);
    }
    int     one;
    double *y = column(&s, "y", &one), *gap = column(&s, "gap_A", &one), impulse = 0, effort[ZN_EFFORT_COLUMNS] = {0};
    zn_scene_frame f;
    for (int i = 0; i < info.frame_count; i++) {
        assert_int_equal(zn_scene_read(s.scene, i, &f), ZN_OK);
        CHECK_NEAR(f.position[0].y, y[i], 0);
        assert_int_equal(f.contact_count, 2);
        assert_string_equal(f.contacts[0].name, "A");
        CHECK_NEAR(f.contacts[0].gap, gap[i], 1e-15);
        CHECK_NEAR(f.contacts[0].position.y, gap[i], 1e-14); // the floor is y = 0
        for (int k = 0; k < 2; k++) {
            assert_true((f.contacts[k].impulse.y > 0) == (f.contacts[k].state == ZN_CONTACT_CLOSED));
            impulse += f.contacts[k].impulse.y;
        }
        for (int k = 0; k < ZN_EFFORT_COLUMNS; k++)
            effort[k] += f.effort[k];
    }
    free(y);
    free(gap);
    // nothing is lost between frames
    int64_t          events = zn_result_event_count(s.result);
    zn_result_event *event = calloc((size_t)events, sizeof *event);
    assert_int_equal(zn_result_events(s.result, event), ZN_OK);
    for (int64_t i = 0; i < events; i++)
        impulse -= event[i].impulse;
    free(event);
    CHECK_NEAR(impulse, 0, 1e-12);
    CHECK_NEAR(effort[ZN_EFFORT_steps], zn_result_number(s.result, "steps"), 0);
    CHECK_NEAR(effort[ZN_EFFORT_newton], zn_result_number(s.result, "newton_iterations"), 0);
    CHECK_NEAR(effort[ZN_EFFORT_solver], zn_result_number(s.result, "solver_iterations"), 0);
    CHECK_NEAR(f.ledger[ZN_LEDGER_CONTACT], zn_result_number(s.result, "ledger_contact"), 0);
    zn_scene_frame last;
    assert_int_equal(zn_scene_read_ledger(s.scene, info.frame_count - 1, &last), ZN_OK);
    CHECK_NEAR(last.t, f.t, 0);
    assert_int_equal(zn_scene_read(s.scene, info.frame_count, &last), ZN_ERR_ARGUMENT);
    clear(&s);
}

// One tooth, four times around `at`: corner k of copy j is turned by j quarters, and its area is that of all triangles.
static void test_polygon_around(void **state)
{
    (void)state;
    shot s;
    shoot(
        &s, NULL,
        "zeno: 1\nplanar: true\nbodies: {w: {mass: 1, inertia: 1, draw: {polygon: [[2, 0], [2, 1], [1, 1]], around: 4, "
        "at: [10, 20]}}}\nrun: {step: 0.1, until: 0.1}\n",
        0);
    static const double corner[4][2] = {{2, 0}, {0, 2}, {-2, 0}, {0, -2}};
    const zn_drawing   *d = &zn_scene_get_info(s.scene).bodies[0].drawing;
    double              area = 0;
    assert_int_equal(d->point_count, 12);
    for (int j = 0; j < 4; j++) {
        CHECK_NEAR(d->points[3 * j].x, 10 + corner[j][0], 1e-15);
        CHECK_NEAR(d->points[3 * j].y, 20 + corner[j][1], 1e-15);
    }
    for (int i = 0; i < 12; i++) {
        zn_vec3 a = d->points[i], b = d->points[(i + 1) % 12];
        area += 0.5 * ((a.x - 10) * (b.y - 20) - (b.x - 10) * (a.y - 20));
    }
    CHECK_NEAR(area, 4 * (1 + 0.5 + 1), 1e-12); // (2,0) (2,1): 1; (2,1) (1,1): 1/2; (1,1) (0,2): 1
    clear(&s);
}

// --- fewer frames than steps ---------------------------------------------------------------------

static const char sliding[] = "zeno: 1\nplanar: true\ngravity: [0, -10]\n"
                              "bodies: {block: {mass: 2, position: [0, 0], velocity: [1, 0], draw: {sphere: 0.1}}}\n"
                              "contacts: {floor: {point: block, surface: {plane: [0, 1]}, friction: 0.2}}\n"
                              "run: {step: 1e-3, until: 1, frames: 10}\n";

// Slides for v/(mu g) = 1/2 s, then sticks. Impulses: m g t upwards, mu m g t against the motion.
static void test_friction(void **state)
{
    (void)state;
    shot s;
    shoot(&s, NULL, sliding, 0);
    zn_scene_info info = zn_scene_get_info(s.scene);
    assert_int_equal(info.frame_count, 11);
    assert_int_equal(info.bodies[0].drawing.kind, ZN_DRAWING_SPHERE);
    assert_false(info.bodies[0].derived);
    for (int i = 1; i <= 10; i++) {
        zn_scene_frame f;
        assert_int_equal(zn_scene_read(s.scene, i, &f), ZN_OK);
        CHECK_NEAR(f.t, 0.1 * i, 1e-12);
        CHECK_NEAR(f.contacts[0].impulse.y, 2 * 10 * 0.1, 1e-9);
        if (i != 5) { // the step in which it stops is neither
            assert_int_equal(f.contacts[0].state, i < 5 ? ZN_CONTACT_SLIPPING : ZN_CONTACT_STICKING);
            CHECK_NEAR(f.contacts[0].impulse.x, i < 5 ? -0.2 * 2 * 10 * 0.1 : 0, 1e-9);
        }
        CHECK_NEAR(f.effort[ZN_EFFORT_steps], 100, 0);
    }
    clear(&s);
}

// --- solids --------------------------------------------------------------------------------------

static void test_cube(void **state)
{
    (void)state;
    shot s;
    shoot(&s, ZN_SOURCE_DIR "/gallery/flexible-cube/model.yaml", NULL, 0.26);
    zn_scene_info info = zn_scene_get_info(s.scene);
    assert_int_equal(info.block_count, 1);
    assert_string_equal(info.blocks[0].kind, "hex8");
    assert_int_equal(info.cell_count, 125);
    assert_int_equal(info.node_count, 216);
    double volume = 0;
    for (int c = 0; c < info.cell_count; c++)
        volume += info.blocks[0].measure[c];
    CHECK_NEAR(volume, 1e-3, 1e-15);
    int            one;
    double        *strain = column(&s, "strain", &one);
    zn_scene_frame f;
    int64_t        last = info.frame_count - 1;
    assert_int_equal(zn_scene_read(s.scene, last, &f), ZN_OK);
    double energy = 0;
    for (int c = 0; c < info.cell_count; c++) {
        energy += f.energy[c] * info.blocks[0].measure[c];
        assert_true(f.stress[c] > 0);
    }
    assert_true(strain[last] > 0);
    CHECK_NEAR(energy / strain[last], 1, 1e-12);
    for (int i = 0; i < info.node_count; i++)
        CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(zn_vec3_sub(f.position[i], f.displacement[i]), info.reference[i])), 0,
                   1e-15);
    assert_int_equal(f.contact_count, 36);
    free(strain);
    clear(&s);
}

// Pressure on one side of a block held without constraint to its cross contraction: uniaxial stress.
#define PULLED(planar, box, third, fix)                                                                                \
    "zeno: 1\n" planar "materials: {m: {young: 1000, poisson: 0.3, density: 1}}\n"                                     \
    "parts: {b: {element: solid, material: m, " third "mesh: " box ", fix: {" fix "}}}\n"                              \
    "loads: {p: {pressure: {part: b, face: xmax, value: 7}}}\n"                                                        \
    "run: {static: {}}\n"

static void check_stress(const char *text, double stress)
{
    shot s;
    shoot(&s, NULL, text, 0);
    zn_scene_info  info = zn_scene_get_info(s.scene);
    zn_scene_frame f;
    assert_int_equal(zn_scene_read(s.scene, info.frame_count - 1, &f), ZN_OK);
    for (int c = 0; c < info.cell_count; c++)
        CHECK_NEAR(f.stress[c], stress, 1e-8);
    clear(&s);
}

static void test_stress(void **state)
{
    (void)state;
    check_stress(PULLED("", "{box: {from: [0, 0, 0], to: [2, 1, 1], elements: [2, 2, 2]}}", "",
                        "xmin: [x], ymin: [y], zmin: [z]"),
                 7);
    check_stress(PULLED("planar: true\n", "{rectangle: {from: [0, 0], to: [2, 1], elements: [2, 2]}}",
                        "plane: stress, ", "xmin: [x], ymin: [y]"),
                 7);
    // plane strain: zz = nu xx, so von Mises is sqrt(1 - nu + nu^2) xx
    check_stress(PULLED("planar: true\n", "{rectangle: {from: [0, 0], to: [2, 1], elements: [2, 2]}}", "",
                        "xmin: [x], ymin: [y]"),
                 7 * sqrt(1 - 0.3 + 0.09));
}

// --- beams: the section is that of the model ------------------------------------------------------

#define BEAM(name, section, y, more)                                                                                   \
    "  " name ": {element: beam, material: m, section: {" section "}, from: [0, " y "], to: [1, " y                    \
    "], elements: 2" more "}\n"
#define BEAMS(head) "zeno: 1\n" head "materials: {m: {young: 1e6, poisson: 0.2, density: 1}}\nparts:\n"

typedef struct expected_section {
    double height, width;
    bool   round, equivalent;
} expected_section;

static void check_sections(const char *text, int count, const expected_section *expected)
{
    shot s;
    shoot(&s, NULL, text, 0);
    zn_scene_info info = zn_scene_get_info(s.scene);
    assert_int_equal(info.part_count, count);
    for (int i = 0; i < count; i++) {
        const zn_scene_part *part = &info.parts[i];
        CHECK_NEAR(part->height, expected[i].height, 1e-15);
        CHECK_NEAR(part->width, expected[i].width, 1e-15);
        assert_int_equal(part->round, expected[i].round);
        assert_int_equal(part->equivalent, expected[i].equivalent);
        assert_int_equal(part->held, i == 0);
    }
    clear(&s);
}

// Walls and constants given beside the shape do not change it: the square twists as a circle would.
static void test_sections(void **state)
{
    (void)state;
    static const char space[] =
        BEAMS("") BEAM("a", "width: 0.1, height: 0.2", "0, 0", ", fix_first: [x, y, z, rotation]")
            BEAM("b", "radius: 0.05", "1, 0", "") BEAM("box", "width: 0.1, height: 0.2, thickness: 0.01", "2, 0", "")
                BEAM("tube", "radius: 0.05, thickness: 5e-3", "3, 0", "")
                    BEAM("square", "width: 0.1, height: 0.1, torsion: 3e-5", "4, 0", "")
                        BEAM("own", "area: 3, moment_y: 1, moment_z: 4, torsion: 1", "5, 0", "")
                            BEAM("linear", "width: 0.3, height: 0.4", "6, 0", ", theory: timoshenko")
                                BEAM("round", "radius: 0.1", "7, 0",
                                     ", theory: euler_bernoulli") "run: {step: 1e-3, until: 2e-3}\n";
    static const char plane[] =
        BEAMS("planar: true\n") BEAM("a", "width: 0.1, height: 0.2", "0", ", fix_first: [x, y, rotation]")
            BEAM("b", "radius: 0.05", "1", "") BEAM("own", "area: 0.5, moment_z: 1/24", "2", "")
                BEAM("wide", "width: 0.3, height: 0.1", "3", ", theory: timoshenko") "run: {step: 1e-3, until: 2e-3}\n";
    const expected_section in_space[] = {{0.2, 0.1, false, false}, {0.1, 0.1, true, false},  {0.2, 0.1, false, false},
                                         {0.1, 0.1, true, false},  {0.1, 0.1, false, false}, {4, 2, false, true},
                                         {0.4, 0.3, false, false}, {0.2, 0.2, true, false}};
    // area 1/2 and I = b h^3/12 = 1/24: h = 1, b = 1/2
    const expected_section in_plane[] = {
        {0.2, 0.1, false, false}, {0.1, 0.1, true, false}, {1, 0.5, false, true}, {0.1, 0.3, false, false}};
    check_sections(space, 8, in_space);
    check_sections(plane, 4, in_plane);
}

// Sections lie across their beam, with y where the model says, whatever axes the nodes have.
static void check_axes(const zn_scene_info *info, const zn_scene_frame *f, const char *name, zn_vec3 x, zn_vec3 y)
{
    int seen = 0;
    for (int k = 0; k < info->block_count; k++) {
        const zn_scene_block *b = &info->blocks[k];
        for (int i = 0; i < b->count * b->nodes; i++) {
            if (strcmp(info->parts[b->part[i / b->nodes]].name, name) != 0)
                continue;
            zn_quat axes = zn_quat_product(f->rotation[b->node[i]], b->axes[i]);
            CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(zn_quat_rotate(axes, (zn_vec3){1, 0, 0}), x)), 0, 1e-12);
            CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(zn_quat_rotate(axes, (zn_vec3){0, 1, 0}), y)), 0, 1e-12);
            seen++;
        }
    }
    assert_int_equal(seen, 4);
}

static void test_section_axes(void **state)
{
    (void)state;
    static const char text[] = "zeno: 1\nmaterials: {m: {young: 1e6, poisson: 0.2, density: 1}}\n"
                               "bodies: {hub: {mass: 1, inertia: [1, 2, 2], position: [0, 0, 5], "
                               "rotation: {axis: [1, 2, 3], angle: 0.7}}}\n"
                               "parts:\n"
                               "  exact: {element: beam, material: m, section: {width: 0.1, height: 0.2}, "
                               "from: [0, 1, 0], to: [0, 1, 2], elements: 2, y_axis: [1, 1, 0]}\n"
                               "  up: {element: beam, theory: timoshenko, material: m, section: {width: 0.1, "
                               "height: 0.2}, from: [0, 0, 5], to: [0, 0, 7], elements: 2, y_axis: [1, 1, 0], "
                               "first_node: hub}\n"
                               "  side: {element: beam, theory: euler_bernoulli, material: m, section: {width: 0.1, "
                               "height: 0.2}, from: [3, 0, 0], to: [3, 2, 0], elements: 2}\n"
                               "run: {step: 1e-3, until: 1e-3}\n";
    shot              s;
    zn_scene_frame    f;
    double            half = sqrt(0.5);
    shoot(&s, NULL, text, 0);
    zn_scene_info info = zn_scene_get_info(s.scene);
    assert_int_equal(zn_scene_read(s.scene, 0, &f), ZN_OK);
    check_axes(&info, &f, "exact", (zn_vec3){0, 0, 1}, (zn_vec3){half, half, 0});
    check_axes(&info, &f, "up", (zn_vec3){0, 0, 1}, (zn_vec3){half, half, 0});
    check_axes(&info, &f, "side", (zn_vec3){0, 1, 0}, (zn_vec3){-1, 0, 0});
    clear(&s);
}

// --- everything in the gallery has a picture -----------------------------------------------------

static void test_gallery(void **state)
{
    (void)state;
    static const struct {
        const char     *name;
        double          until;
        zn_drawing_kind first; // of the first body
    } problems[] = {{"bouncing-ball", 0.1, ZN_DRAWING_NONE},
                    {"elastic-bar", 1e-5, ZN_DRAWING_NONE},
                    {"flexible-pendulum", 1e-3, ZN_DRAWING_NONE},
                    {"linear-oscillator", 0.01, ZN_DRAWING_NONE},
                    {"parallelepiped", 0.01, ZN_DRAWING_BOX},
                    {"slider-crank", 1e-3, ZN_DRAWING_NONE},
                    {"slider-crank-bodies", 1e-3, ZN_DRAWING_POLYGON},
                    {"slider-roller", 0.1, ZN_DRAWING_SPHERE},
                    {"soft-bar", 0.01, ZN_DRAWING_NONE}};
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        char path[256];
        shot s;
        snprintf(path, sizeof path, ZN_SOURCE_DIR "/gallery/%s/model.yaml", problems[i].name);
        shoot(&s, path, NULL, problems[i].until);
        zn_scene_info  info = zn_scene_get_info(s.scene);
        zn_scene_frame f;
        assert_true(info.frame_count > 1);
        assert_true(info.body_count + info.cell_count + info.outline_count > 0);
        if (info.body_count > 0)
            assert_int_equal(info.bodies[0].drawing.kind, problems[i].first);
        assert_int_equal(zn_scene_read(s.scene, info.frame_count - 1, &f), ZN_OK);
        assert_true(f.contact_count > 0);
        for (int k = 0; k < f.contact_count; k++)
            CHECK_NEAR(zn_vec3_norm(f.contacts[k].normal), 1, 1e-14);
        for (int k = 0; k < info.outline_count; k++)
            assert_true(f.outline_size[k] > 2 && f.outline_size[k] <= ZN_OUTLINE_POINTS);
        clear(&s);
    }
}

// --- a run that was killed -----------------------------------------------------------------------

static void test_killed(void **state)
{
    (void)state;
    shot s;
    prepare(&s, NULL,
            "zeno: 1\nplanar: true\nbodies: {ball: {mass: 1, position: [0, 1], velocity: [1, 0]}}\n"
            "record: {x: ball.position.x}\nrun: {step: 1e-7, until: 10, frames: 100000}\n",
            0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        zn_sim_run(s.sim);
        _exit(0);
    }
    char part[80];
    snprintf(part, sizeof part, "%s.part", s.file);
    int64_t frames = 0;
    for (int i = 0; i < 200 && frames < 100; i++) { // until the first flush
        nanosleep(&(struct timespec){0, 50 * 1000 * 1000}, NULL);
        zn_result *early = NULL;
        zn_scene  *scene = NULL;
        if (zn_result_open(part, (zn_log){0}, &early) == ZN_OK && zn_scene_open(early, (zn_log){0}, &scene) == ZN_OK)
            frames = zn_scene_get_info(scene).frame_count;
        zn_scene_close(scene);
        zn_result_close(early);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(frames >= 100);
    zn_scene_frame f;
    assert_int_equal(zn_result_open(part, loud, &s.result), ZN_OK);
    assert_false(zn_result_is_finished(s.result));
    assert_int_equal(zn_scene_open(s.result, loud, &s.scene), ZN_OK);
    zn_scene_info info = zn_scene_get_info(s.scene);
    assert_true(info.frame_count >= frames);
    for (int64_t i = 0; i < info.frame_count; i += info.frame_count / 10) {
        assert_int_equal(zn_scene_read(s.scene, i, &f), ZN_OK);
        CHECK_NEAR(f.position[0].x, f.t, 1e-9);
    }
    unlink(part);
    clear(&s);
}

// --- files of older versions -----------------------------------------------------------------------

// The file as format 1 had it: contacts of frames with ids rule << 32 | number in one word.
static void make_older(const char *file)
{
    hid_t             h5 = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(h5, "frames/contacts", H5P_DEFAULT);
    hid_t             now = zn_result_contact_type(ZN_RESULT_FORMAT), then = zn_result_contact_type(1);
    hid_t             space = H5Dget_space(set), format = H5Aopen(h5, "format", H5P_DEFAULT);
    size_t            count = (size_t)H5Sget_simple_extent_npoints(space);
    zn_frame_contact *contact = calloc(count, sizeof *contact);
    assert_true(H5Dread(set, now, H5S_ALL, H5S_ALL, H5P_DEFAULT, contact) >= 0);
    for (size_t i = 0; i < count; i++) {
        zn_contact_id id = contact[i].contact;
        contact[i].contact = (zn_contact_id){(int64_t)zn_contact_id_rule(id) << 32 | zn_contact_id_number(id), -1};
    }
    H5Dclose(set);
    assert_true(H5Sset_extent_simple(space, 1, &(hsize_t){count}, NULL) >= 0); // of one length
    assert_true(H5Ldelete(h5, "frames/contacts", H5P_DEFAULT) >= 0);
    set = H5Dcreate2(h5, "frames/contacts", then, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, then, H5S_ALL, H5S_ALL, H5P_DEFAULT, contact) >= 0);
    assert_true(H5Awrite(format, H5T_NATIVE_INT, &(int){1}) >= 0);
    H5Aclose(format);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(now);
    H5Tclose(then);
    H5Fclose(h5);
    free(contact);
}

static void test_older_file(void **state)
{
    (void)state;
    shot   s;
    double impulse[2][2] = {{0}}; // of format, contact
    shoot(&s, ZN_SOURCE_DIR "/gallery/rocking-block/model.yaml", NULL, 0);
    for (int k = 0; k < 2; k++) {
        zn_scene_frame f;
        for (int i = 0; i < zn_scene_get_info(s.scene).frame_count; i++) {
            assert_int_equal(zn_scene_read(s.scene, i, &f), ZN_OK);
            for (int c = 0; c < f.contact_count; c++)
                impulse[k][c] += f.contacts[c].impulse.y;
        }
        s.scene = zn_scene_close(s.scene);
        s.result = zn_result_close(s.result);
        if (k == 0) {
            make_older(s.file);
            view(&s);
        }
    }
    for (int c = 0; c < 2; c++) {
        assert_true(impulse[0][c] > 0);
        CHECK_NEAR(impulse[1][c], impulse[0][c], 0);
    }
    clear(&s);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block),        cmocka_unit_test(test_polygon_around), cmocka_unit_test(test_friction),
        cmocka_unit_test(test_cube),         cmocka_unit_test(test_stress),         cmocka_unit_test(test_sections),
        cmocka_unit_test(test_section_axes), cmocka_unit_test(test_gallery),        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_older_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
