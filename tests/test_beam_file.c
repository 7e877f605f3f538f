// Beams in model files: what is bound, what is refused and where.
#include "beam_models.h"

#include "zn/io.h"

#define HEAD   "zeno: 1\nmaterials: {steel: {young: 210 GPa, poisson: 0.3, density: 7800}}\n"
#define PLANAR "zeno: 1\nplanar: true\nmaterials: {steel: {young: 210 GPa, poisson: 0.3, density: 7800}}\n"
#define RUN    "run: {step: 1 ms, until: 0.01}\n"

static zn_status parse(const char *text, log_capture *log, zn_problem **out)
{
    log_capture_clear(log);
    return zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, log_into(log), out);
}

static zn_problem *good(const char *text)
{
    static log_capture log;
    zn_problem        *p = NULL;
    zn_status          status = parse(text, &log, &p);
    if (status != ZN_OK)
        print_error("%s", log.text);
    CHECK_OK(status);
    return p;
}

// The pendulum of Cosimo et al., section 4.3: hinged at the origin, hitting a wall with its tip.
static void test_planar(void **state)
{
    (void)state;
    zn_problem *p = good(PLANAR "gravity: [0, -9.81]\n"
                                "parts:\n"
                                "  beam: {element: beam, material: steel, from: [0, 0], to: [1, 0], elements: 8,\n"
                                "         section: {area: 1e-4, moment_z: 8.33e-10}, fix_first: [x, y]}\n"
                                "loads: {twist: {body: 'beam[8]', torque: 2*t}}\n"
                                "contacts:\n"
                                "  wall: {point: 'beam[8]', surface: {plane: [1, 0], through: [sqrt(0.5), 0]}}\n"
                                "record: {tip: 'beam[8].position', turn: 'beam[8].angle', bend: beam.strain}\n" RUN);
    fixture     f = {.sys = NULL};
    zn_sim     *sim = NULL;
    double      mass[BEAM_MAX], ones[BEAM_MAX];
    CHECK_OK(zn_system_create(p->model, &f.sys));
    assert_int_equal(f.sys->info.n_all, 27);
    assert_int_equal(f.sys->info.n, 25);
    for (int i = 0; i < 27; i++)
        ones[i] = 1;
    CHECK_OK(zn_system_inertia(f.sys, f.sys->q0, ones, mass));
    const int *dof = node_at(f.sys, 8)->dof;
    CHECK_NEAR(mass[dof[1]], 7800 * 1e-4 / 16, 1e-16);
    CHECK_NEAR(mass[dof[5]], 7800 * 8.33e-10 / 16, 1e-22);
    const zn_beam2 *beam = f.sys->block[0].parameter;
    CHECK_NEAR(beam->axial, 2.1e7, 1e-8);
    CHECK_NEAR(beam->shear, 2.1e11 / 2.6 * 5e-4 / 6, 1e-7);
    CHECK_NEAR(beam->bending, 2.1e11 * 8.33e-10, 1e-12);
    CHECK_OK(zn_sim_create(f.sys, &p->sim, &sim));
    CHECK_OK(zn_sim_run(sim));
    CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-10);
    zn_sim_destroy(sim);
    zn_system_destroy(f.sys);
    zn_problem_destroy(p);
}

static void test_spatial(void **state)
{
    (void)state;
    zn_problem *p = good(HEAD "parts:\n"
                              "  tube: {element: beam, material: steel, elements: 4, mass: lumped,\n"
                              "         section: {radius: 20 mm, thickness: 2 mm, torsion: 3e5 mm^4},\n"
                              "         from: [1, 0, 0], fix_first: [x, y, z, rotation], fix_last: [z],\n"
                              "         arc: {radius: 2, angle: 90 deg, tangent: [0, 3, 0], axis: [0, 0, 1]}}\n"
                              "  post: {element: beam, material: steel, section: {width: 10 mm, height: 20 mm},\n"
                              "         from: [0, 0, 0], to: [0, 0, 1], elements: 1, y_axis: [1, 0, 5],\n"
                              "         velocity: [0, 1, 0]}\n"
                              "loads:\n"
                              "  a: {body: 'post[1]', moment: [1, 2, 3], follower: true}\n"
                              "  b: {body: 'post[0]', moment: [1, 2, 3]}\n"
                              "  c: {body: 'post[1]', force: [0, 0, 1]}\n" RUN);
    zn_system  *sys = NULL;
    CHECK_OK(zn_system_create(p->model, &sys));
    assert_int_equal(sys->info.n, 7 * 6 - 7);
    zn_vec3 end = position_of(sys, sys->q0, 4);
    zn_vec3 along = zn_quat_rotate(rotation_of(sys, sys->q0, 4), zn_vec3_make(1, 0, 0));
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(end, zn_vec3_make(-1, 2, 0))), 0, 1e-15);
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(along, zn_vec3_make(-1, 0, 0))), 0, 1e-15);
    const zn_beam3 *tube = sys->block[0].parameter, *post = tube + 4;
    double          G = 2.1e11 / 2.6;
    CHECK_NEAR(tube->moment[0] / (G * 3e-7), 1, 1e-14);
    CHECK_NEAR(tube->force[0] / (2.1e11 * TEST_PI * (4e-4 - 3.24e-4)), 1, 1e-12);
    CHECK_NEAR(tube->coupling, 0, 0);
    CHECK_NEAR(tube->curvature0.z, 0.5, 1e-15);
    CHECK_NEAR(post->moment[2] / (2.1e11 * 0.01 * 8e-6 / 12), 1, 1e-14);
    CHECK_NEAR(post->moment[1] / (2.1e11 * 0.02 * 1e-6 / 12), 1, 1e-14);
    zn_vec3 side = zn_quat_rotate(rotation_of(sys, sys->q0, 5), zn_vec3_make(0, 1, 0));
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(side, zn_vec3_make(1, 0, 0))), 0, 1e-15);
    CHECK_NEAR(sys->v0[node_at(sys, 6)->dof[1]], 1, 0);
    double force[BEAM_MAX];
    CHECK_OK(zn_system_force(sys, (zn_at){sys->q0, sys->v0, 0, 0}, force));
    CHECK_NEAR(force[node_at(sys, 6)->dof[4]], 2, 1e-6); // in the axes of the node
    CHECK_NEAR(force[node_at(sys, 5)->dof[3]], 3, 1e-6); // world z is its x
    zn_system_destroy(sys);
    zn_problem_destroy(p);
}

#define BEAM_OF(rest) "parts: {r: {element: beam, material: steel, from: [0, 0], to: [1, 0], elements: 2" rest "}}\n"

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {PLANAR BEAM_OF("") RUN, "m.yaml:4:9: part 'r': key 'section' is missing"},
        {PLANAR BEAM_OF(", section: {}") RUN, "part 'r': give one of 'width' with 'height', 'radius', and 'area'"},
        {PLANAR BEAM_OF(", section: {width: 1}") RUN, "part 'r': key 'height' is missing"},
        {PLANAR BEAM_OF(", section: {radius: 1, area: 1}") RUN, "part 'r': give one of"},
        {PLANAR BEAM_OF(", section: {radius: 1, thickness: 1}") RUN, "part 'r': 'thickness' leaves no hole"},
        {PLANAR BEAM_OF(", section: {area: 1, thickness: 1}") RUN, "part 'r': 'thickness' goes with"},
        {PLANAR BEAM_OF(", section: {area: 1}") RUN, "beam 'r': second moment moment_z 0 is not positive"},
        {PLANAR BEAM_OF(", section: {radius: -1}") RUN, "part 'r', section: 'radius' must be > 0 m, but is -1"},
        {PLANAR BEAM_OF(", section: {radus: 1}") RUN, "unknown key 'radus', did you mean 'radius'?"},
        {PLANAR BEAM_OF(", section: {area: 1, moment_z: 1 m^3}") RUN, "wrong unit 'm^3' for 'moment_z'"},
        {PLANAR BEAM_OF(", section: {radius: 1}, area: 1") RUN, "part 'r': 'area' does not go with 'element: beam'"},
        {PLANAR BEAM_OF(", section: {radius: 1}, y_axis: [0, 1]") RUN, "part 'r': 'y_axis' is for models in space"},
        {PLANAR BEAM_OF(", section: {radius: 1}, arc: {radius: 1, angle: 1}") RUN,
         "part 'r': 'to' does not go with 'arc'"},
        {PLANAR "parts: {r: {element: beam, material: steel, from: [0, 0], elements: 2, section: {radius: 1}}}\n" RUN,
         "part 'r': key 'to' is missing"},
        {PLANAR "parts: {r: {element: beam, material: steel, from: [0, 0], elements: 2, section: {radius: 1}, arc: "
                "{radius: 1, angle: 1, axis: [0, 1]}}}\n" RUN,
         "part 'r': 'axis' is for models in space"},
        {PLANAR "parts: {r: {element: bar, material: steel, area: 1, from: [0, 0], to: [1, 0], elements: 2, fix_first: "
                "[x]}}\n" RUN,
         "part 'r': 'fix_first' does not go with 'element: bar'"},
        {PLANAR "parts: {r: {element: bar, material: steel, from: [0, 0], to: [1, 0], elements: 2}}\n" RUN,
         "m.yaml:4:9: part 'r': key 'area' is missing"},
        {PLANAR BEAM_OF(", section: {radius: 1}") "loads: {l: {body: 'r[0]', moment: [1, 2]}}\n" RUN,
         "load 'l': a moment needs a spatial frame"},
        {PLANAR BEAM_OF(", section: {radius: 1}") "loads: {l: {body: 'r[0]', moment: [1, 2], force: [1, 2]}}\n" RUN,
         "load 'l': 'force' does not go with 'moment'"},
        {PLANAR BEAM_OF(", section: {radius: 1}") "loads: {l: {body: 'r[0]', force: [1, 2], follower: true}}\n" RUN,
         "load 'l': 'follower' goes with 'moment' only"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        static log_capture log;
        zn_problem        *p = NULL;
        assert_true(parse(bad[i].text, &log, &p) != ZN_OK);
        CHECK_LOGGED(&log, bad[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_spatial),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
