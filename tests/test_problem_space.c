// Model files of spatial rigid bodies: inertia, rotation and spin in all their forms, joints, tied corners, records.
#include "check.h"

#include "zn/io.h"

static void print(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    print_error("%s\n", message);
}

typedef struct scene {
    zn_problem    *problem;
    zn_system     *sys;
    zn_state      *state;
    zn_system_info info;
} scene;

static scene open_scene(const char *text)
{
    scene s = {0};
    CHECK_OK(zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, (zn_log){print, NULL}, &s.problem));
    CHECK_OK(zn_system_create(s.problem->model, &s.sys));
    CHECK_OK(zn_state_create(s.sys, &s.state));
    s.info = zn_system_get_info(s.sys);
    return s;
}

static void close_scene(scene *s)
{
    zn_state_destroy(s->state);
    zn_system_destroy(s->sys);
    zn_problem_destroy(s->problem);
}

// J by columns: M e over the three rotations of a body whose degrees of freedom begin at `first`.
static void check_inertia(const scene *s, int first, zn_mat3 expected)
{
    for (int j = 0; j < 3; j++) {
        double unit[128] = {0}, column[128];
        assert_true(s->info.n_all <= 128);
        unit[first + 3 + j] = 1;
        CHECK_OK(zn_system_inertia(s->sys, s->state->q, unit, column));
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(column[first + 3 + i], expected.m[i][j], 1e-15);
    }
}

static void test_bodies(void **state)
{
    (void)state;
    scene s =
        open_scene("zeno: 1\n"
                   "parameters: {I: 2}\n"
                   "bodies:\n"
                   "  moments: {mass: 1, inertia: [I, I + 1, 4 kg m^2], rotation: {axis: [0, 0, 2], angle: 90 deg},\n"
                   "            spin: [60 rpm, 0, -1]}\n"
                   "  rows: {mass: 1, inertia: [[I, 0.1, 0], [0.1, I, -0.2], [0, -0.2, I]], position: [1, 2, 3],\n"
                   "         rotation: [cos(pi/6), 0, sin(pi/6), 0], velocity: [1, 0, 0]}\n"
                   "  ball: {mass: 1, inertia: I}\n"
                   "  point: {mass: 1, position: [1, 0, 0]}\n"
                   "record: {r: moments.rotation, w: moments.spin, l: rows.angular_momentum.z, x: rows.position.x}\n"
                   "run: {step: 0.1, until: 1}\n");
    const double  pi = 3.14159265358979323846;
    const double *q = s.state->q, *v = s.state->v;
    assert_int_equal(s.info.n, 6 + 6 + 6 + 3);
    check_inertia(&s, 0, (zn_mat3){{{2, 0, 0}, {0, 3, 0}, {0, 0, 4}}});
    check_inertia(&s, 6, (zn_mat3){{{2, 0.1, 0}, {0.1, 2, -0.2}, {0, -0.2, 2}}});
    check_inertia(&s, 12, (zn_mat3){{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}});
    CHECK_NEAR(q[3], sqrt(0.5), 1e-15);
    CHECK_NEAR(q[6], sqrt(0.5), 1e-15);
    CHECK_NEAR(v[3], 2 * pi, 1e-14);
    CHECK_NEAR(v[5], -1, 0);
    CHECK_NEAR(q[7 + 2], 3, 0);
    CHECK_NEAR(q[7 + 3], cos(pi / 6), 1e-15);
    CHECK_NEAR(q[7 + 5], 0.5, 1e-15);
    CHECK_NEAR(v[6], 1, 0);
    zn_sim *sim;
    double  values[9];
    CHECK_OK(zn_sim_create(s.sys, &s.problem->sim, &sim));
    assert_int_equal(zn_sim_columns(sim), 4 + 3 + 1 + 1);
    CHECK_OK(zn_sim_values(sim, values));
    CHECK_NEAR(values[0], sqrt(0.5), 1e-15);
    CHECK_NEAR(values[4], 2 * pi, 1e-14);
    CHECK_NEAR(values[7], -2, 1e-15); // (1, 2, 3) x (1, 0, 0)
    CHECK_NEAR(values[8], 1, 0);
    zn_sim_destroy(sim);
    close_scene(&s);
}

static void test_joints(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        int         equations;
    } cases[] = {
        {"type: fixed", 6},
        {"type: revolute, axis: [0, 0, 1]", 5},
        {"type: prismatic, axis: [1, 2, 3]", 5},
        {"type: spherical", 3},
        {"type: cylindrical, axis: [0, 0, 1]", 4},
        {"type: planar, axis: [0, 0, 1]", 3},
        {"type: universal, axis: [0, 0, 1], axis2: [1, 1, 0]", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int to = 0; to < 2; to++) {
            char text[600];
            snprintf(text, sizeof text,
                     "zeno: 1\n"
                     "bodies:\n"
                     "  a: {mass: 1, inertia: [1, 2, 2], rotation: {axis: [1, 2, 3], angle: 1}}\n"
                     "  b: {mass: 1, inertia: 1, position: [1, 0, 0], rotation: {axis: [1, 0, 3], angle: 2}}\n"
                     "joints: {j: {%s, body: a, at: [0, 1, 0]%s}}\n"
                     "record: {f: j.force, g: j.gap}\n"
                     "run: {step: 1e-3, until: 0.01, scheme: combined_projection}\n",
                     cases[i].keys, to ? ", to: b" : "");
            scene   s = open_scene(text);
            zn_sim *sim;
            assert_int_equal(s.info.joints, cases[i].equations);
            CHECK_OK(zn_sim_create(s.sys, &s.problem->sim, &sim));
            assert_int_equal(zn_sim_columns(sim), 2 * cases[i].equations);
            CHECK_OK(zn_sim_run(sim));
            zn_sim_destroy(sim);
            close_scene(&s);
        }
}

// The box of Cosimo et al., section 4.1, with contacts at its corners.
static void test_corners(void **state)
{
    (void)state;
    scene   s = open_scene("zeno: 1\n"
                             "gravity: [0, 0, -9.81]\n"
                             "bodies:\n"
                             "  block: {mass: 46.8, corners: {box: [0.1, 0.2, 300 mm]}, position: [0, 0, 1],\n"
                             "          velocity: [3, 0, 0], spin: [60, 60, 0]}\n"
                             "contacts:\n"
                             "  low: {point: 'block[0]', surface: {plane: [0, 0, 1]}, restitution: 0.8}\n"
                             "  high: {point: 'block[7]', surface: {plane: [0, 0, 1]}, restitution: 0.8}\n"
                             "record: {z: 'block[0].position.z', v: 'block[7].velocity', f: 'block_tie[7].force',\n"
                             "         E: block.kinetic, w: block.spin}\n"
                             "run: {step: 1e-4, until: 0.01, scheme: combined_projection}\n");
    zn_sim *sim;
    double  values[12];
    assert_int_equal(s.info.n, 30);
    assert_int_equal(s.info.joints, 24);
    assert_int_equal(s.info.contacts_max, 26);
    CHECK_OK(zn_sim_create(s.sys, &s.problem->sim, &sim));
    assert_int_equal(zn_sim_columns(sim), 1 + 3 + 3 + 1 + 3);
    CHECK_OK(zn_sim_values(sim, values));
    CHECK_NEAR(values[0], 1 - 0.15, 1e-15);
    CHECK_NEAR(values[1], 3 + 60 * 0.15, 1e-13); // v + w x r, r = (0.05, 0.1, 0.15)
    CHECK_NEAR(values[2], -60 * 0.15, 1e-13);
    CHECK_NEAR(values[3], 60 * 0.1 - 60 * 0.05, 1e-13);
    CHECK_NEAR(values[7], 0.5 * 46.8 * (9 + 3600 * (0.13 + 0.10) / 12), 1e-9);
    CHECK_OK(zn_sim_run(sim));
    CHECK_BELOW(zn_sim_certificate(sim)->joint.value, 1e-13);
    CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-11);
    zn_sim_destroy(sim);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
