// Stable and unstable equilibria: the number of negative eigenvalues of the stiffness within the constraints changes at
// the critical load of the closed form.
#include "equilibrium_solved.h"

static const double g = 9.81;

static void check_counts(solved s, int negative, int neutral)
{
    assert_int_equal(s.info.negative, negative);
    assert_int_equal(s.info.neutral, neutral);
    close_solved(&s);
}

// Mass on a rod of length L, hinged below, between two springs at its top: it falls when m g > 2 k L.
static zn_model *inverted_pendulum(double mass, double L, double k, int hinges)
{
    zn_model   *model = make_model(true, zn_vec3_make(0, -g, 0), NULL);
    zn_node_id  body = add_body(model, "bob", mass, 0.02, 0, L, 0);
    const char *names[] = {"hinge", "again"};
    for (int i = 0; i < hinges; i++) {
        zn_joint_def joint = hinge(body, 0, -L);
        joint.name = names[i];
        CHECK_OK(zn_model_add_joint(model, &joint));
    }
    if (k > 0) {
        add_spring(model, "left", body, -0.6, L, k, 0.6);
        add_spring(model, "right", body, 0.6, L, k, 0.6);
    }
    return model;
}

static void test_pendulum_between_springs(void **unused)
{
    (void)unused;
    const double L = 0.8, k = 30, critical = 2 * k * L / g;
    for (int hinges = 1; hinges <= 2; hinges++) { // the second one repeats the first
        check_counts(solve(inverted_pendulum((1 - 1e-7) * critical, L, k, hinges), 1), 0, 0);
        check_counts(solve(inverted_pendulum((1 + 1e-7) * critical, L, k, hinges), 1), 1, 0);
    }
}

static void test_hanging_pendulum_is_stable(void **unused)
{
    (void)unused;
    for (int hinges = 1; hinges <= 2; hinges++)
        check_counts(solve(inverted_pendulum(2, -0.5, 0, hinges), 1), 0, 0);
}

// --- column --------------------------------------------------------------------------------------

enum { COLUMN = 40 };

// Clamped below, pressed on its top by `load` times pi^2 E I / (4 L^2).
static zn_model *column(double load)
{
    const double young = 3e9, width = 0.01, L = 1.25;
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_beam_def  beam = zn_beam_def_default();
    beam.name = "column";
    beam.to = zn_vec3_make(0, L, 0);
    beam.elements = COLUMN;
    beam.young = young;
    beam.density = 900;
    beam.section = zn_beam_section_rectangle(width, width, 0);
    beam.fix_first = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_beam(model, &beam));
    double euler = pi * pi * young * pow(width, 4) / 12 / (4 * L * L);
    push(model, "load", "column[40]", zn_vec3_make(0, 0, 0), 0, -load * euler);
    return model;
}

// Critical loads are 1, 9, 25 ... times the first; elements of L/40 bring them up by less than 1e-3 (k pi / 2 / 40)^2.
static void test_column_buckles_at_eulers_loads(void **unused)
{
    (void)unused;
    check_counts(solve(column(0.999), 1), 0, 0);
    check_counts(solve(column(1.001), 1), 1, 0);
    check_counts(solve(column(0.99 * 9), 1), 1, 0);
    check_counts(solve(column(1.01 * 9), 1), 2, 0);
    check_counts(solve(column(1.02 * 25), 1), 3, 0);
}

// --- contacts ------------------------------------------------------------------------------------

// A rod with a round foot: it stands while its centre of mass is below the centre of the foot. It may slide, and it may
// roll about, but nothing else.
static zn_model *standing(double radius, double centre)
{
    zn_model      *model = make_model(true, zn_vec3_make(0, -g, 0), NULL);
    zn_node_id     rod = add_body(model, "rod", 1.5, 0.1, 0, centre, 0);
    zn_contact_def floor = zn_contact_def_default();
    floor.name = "floor";
    floor.point = (zn_attachment){rod, zn_vec3_make(0, radius - centre, 0)};
    floor.radius = radius;
    floor.normal = zn_vec3_make(0, 1, 0);
    CHECK_OK(zn_model_add_contact(model, &floor));
    return model;
}

static void test_rod_standing_on_its_foot(void **unused)
{
    (void)unused;
    check_counts(solve(standing(0.3, 0.2999), 1), 0, 1);
    check_counts(solve(standing(0.3, 0.3), 1), 0, 2); // a ball: it may roll, too
    check_counts(solve(standing(0.3, 0.3001), 1), 1, 1);
    check_counts(solve(standing(0, 0.4), 1), 1, 1); // on its point
}

static void test_block_stands_on_two_corners(void **unused)
{
    (void)unused;
    check_counts(solve(block_on_floor(0, 0, 3, 0.1), 1), 0, 1); // it slides
}

// Held by the floor alone against a spring in compression that pushes it aside: m on a plane, the spring above it
// pressed from l to h < l: sideways stiffness -k (l - h)/h, which a second spring k2 along the floor makes up for.
static void test_contact_force_counts(void **unused)
{
    (void)unused;
    const double k = 200, l = 0.5, h = 0.4, critical = k * (l - h) / h;
    for (int more = 0; more < 2; more++) {
        zn_model  *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
        zn_node_id mass = add_mass(model, "mass", 1, 0, 0, 0);
        add_plane(model, "floor", mass, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), 0);
        add_spring(model, "above", mass, 0, h, k, l);
        add_spring(model, "along", mass, 1, 0, (more ? 1 + 1e-6 : 1 - 1e-6) * critical, 1);
        check_counts(solve(model, 1), more ? 0 : 1, 0);
    }
}

// --- what is done about it -----------------------------------------------------------------------

static zn_status solve_as(zn_unstable unstable, log_capture *log, zn_equilibrium_info *info)
{
    fixture            f = compile_fixture(inverted_pendulum(3, 0.8, 1, 1));
    zn_equilibrium_def def = zn_equilibrium_def_default();
    zn_state          *state = NULL;
    def.unstable = unstable;
    def.log = log_into(log);
    CHECK_OK(zn_state_create(f.sys, &state));
    state->v[0] = 7;
    zn_status status = zn_equilibrium_solve(f.sys, &def, state, info);
    CHECK_NEAR(state->v[0], status == ZN_OK ? 0 : 7, 0);
    zn_state_destroy(state);
    destroy_fixture(&f);
    return status;
}

static void test_warning_error_or_nothing(void **unused)
{
    (void)unused;
    log_capture         log = {0};
    zn_equilibrium_info info;
    CHECK_OK(solve_as(ZN_UNSTABLE_WARN, &log, &info));
    CHECK_LOGGED(&log, "unstable at 1 of the loads, 1 negative eigenvalue of the stiffness; 'bob' moves most");
    assert_int_equal(info.negative, 1);
    log = (log_capture){0};
    CHECK_STATUS(solve_as(ZN_UNSTABLE_ERROR, &log, &info), ZN_NOT_STABLE);
    CHECK_LOGGED(&log, "unstable");
    log = (log_capture){0};
    CHECK_OK(solve_as(ZN_UNSTABLE_IGNORE, &log, &info));
    assert_int_equal(log.count, 0);
    assert_int_equal(info.negative, -1);
}

// A body on an axle through its centre, with a mass hanging from it, that a pressed spring turns away: what turns is
// named, though the mass moves a little.
static void test_what_turns_is_named(void **unused)
{
    (void)unused;
    zn_model          *model = make_model(true, zn_vec3_make(0, -g, 0), NULL);
    zn_node_id         wheel = add_body(model, "wheel", 1, 0.2, 0, 0, 0);
    zn_joint_def       axle = hinge(wheel, 0, 0);
    zn_spring_def      pressed = zn_spring_def_default();
    zn_equilibrium_def def = zn_equilibrium_def_default();
    log_capture        log = {0};
    zn_state          *state = NULL;
    CHECK_OK(zn_model_add_joint(model, &axle));
    pressed.name = "pressed";
    pressed.from = (zn_attachment){wheel, zn_vec3_make(0, 0.3, 0)};
    pressed.to.at = zn_vec3_make(0, 0.8, 0);
    pressed.stiffness = 400;
    pressed.rest_length = 0.6;
    CHECK_OK(zn_model_add_spring(model, &pressed));
    add_spring(model, "hangs", add_mass(model, "mass", 0.5, 2, -1, 0), 2, 0, 1000, 0.9);
    fixture f = compile_fixture(model);
    def.log = log_into(&log);
    CHECK_OK(zn_state_create(f.sys, &state));
    CHECK_OK(zn_equilibrium_solve(f.sys, &def, state, NULL));
    CHECK_LOGGED(&log, "1 negative eigenvalue of the stiffness; 'wheel' moves most");
    zn_state_destroy(state);
    destroy_fixture(&f);
}

// A moment that turns with a body has no potential: signs of the matrix tell nothing.
static void test_follower_moment_is_not_counted(void **unused)
{
    (void)unused;
    zn_model     *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_beam_def   beam = zn_beam_def_default();
    zn_moment_def moment = zn_moment_def_default();
    beam.name = "beam";
    beam.to = zn_vec3_make(1, 0, 0);
    beam.elements = 4;
    beam.young = 1e9;
    beam.density = 1000;
    beam.section = zn_beam_section_rectangle(0.02, 0.03, 0);
    beam.fix_first = 15;
    CHECK_OK(zn_model_add_beam(model, &beam));
    moment.name = "twist";
    moment.node = zn_model_find_node(model, "beam[4]");
    moment.moment[0] = constant(5);
    moment.follower = true;
    CHECK_OK(zn_model_add_moment(model, &moment));
    check_counts(solve(model, 1), -1, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum_between_springs),
        cmocka_unit_test(test_hanging_pendulum_is_stable),
        cmocka_unit_test(test_column_buckles_at_eulers_loads),
        cmocka_unit_test(test_rod_standing_on_its_foot),
        cmocka_unit_test(test_block_stands_on_two_corners),
        cmocka_unit_test(test_contact_force_counts),
        cmocka_unit_test(test_warning_error_or_nothing),
        cmocka_unit_test(test_follower_moment_is_not_counted),
        cmocka_unit_test(test_what_turns_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
