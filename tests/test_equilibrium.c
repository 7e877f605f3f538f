// Static equilibrium against closed forms: springs, truss, bar, pendulum, block, beam, contact that closes under load.
#include "equilibrium_solved.h"

static void check_balance(const solved *s, double fx, double fy, double tolerance)
{
    CHECK_NEAR(s->info.load.x, fx, tolerance);
    CHECK_NEAR(s->info.load.y, fy, tolerance);
    CHECK_NEAR(s->info.support.x, -fx, tolerance);
    CHECK_NEAR(s->info.support.y, -fy, tolerance);
}

// --- springs and trusses -------------------------------------------------------------------------

// k (l - l0) = m g; free to swing, the unloaded spring does not hold it sideways.
static void test_spring(void **state)
{
    (void)state;
    for (int free = 0; free < 2; free++) {
        zn_model *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
        add_spring(model, "spring", add_mass(model, "mass", 2, 0, -1, free ? 0 : ZN_FIX_X), 0, 0, 50, 1);
        solved s = solve(model, 1);
        CHECK_NEAR(coordinate(&s, "mass", 1), -1 - 2 * 9.81 / 50, 1e-13);
        CHECK_NEAR(coordinate(&s, "mass", 0), 0, 1e-13);
        check_balance(&s, 0, -2 * 9.81, 1e-11);
        CHECK_BELOW(s.info.residual, 1e-11);
        close_solved(&s);
    }
}

// A swing: the spring hangs straight down from wherever it starts.
static void test_swing(void **state)
{
    (void)state;
    zn_model *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    add_spring(model, "spring", add_mass(model, "mass", 2, 0.9, 0.3, 0), 0, 0, 500, NAN);
    solved s = solve(model, 1);
    CHECK_NEAR(coordinate(&s, "mass", 0), 0, 1e-11);
    CHECK_NEAR(coordinate(&s, "mass", 1), -sqrt(0.9) - 2 * 9.81 / 500, 1e-11);
    close_solved(&s);
}

// P(u) = 2 k (l0 - l) (h - u) / l before the limit point, u_max = h - sqrt(l0^(2/3) a^(4/3) - a^2).
static void test_truss(void **state)
{
    (void)state;
    const double a = 1, h = 0.5, k = 1000, l0 = sqrt(a * a + h * h);
    const double limit = h - sqrt(pow(l0, 2.0 / 3) * pow(a, 4.0 / 3) - a * a);
    for (int i = 1; i <= 9; i++) {
        double     u = 0.1 * i * limit, l = sqrt(a * a + (h - u) * (h - u)), P = 2 * k * (l0 - l) * (h - u) / l;
        zn_model  *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
        zn_node_id apex = add_mass(model, "apex", 1, 0, h, 0);
        add_spring(model, "left", apex, -a, 0, k, NAN);
        add_spring(model, "right", apex, a, 0, k, NAN);
        push(model, "load", "apex", zn_vec3_make(0, 0, 0), 0, -P);
        solved s = solve(model, 10);
        CHECK_NEAR(coordinate(&s, "apex", 1), h - u, 1e-12);
        CHECK_NEAR(coordinate(&s, "apex", 0), 0, 1e-12);
        check_balance(&s, 0, -P, 1e-9);
        close_solved(&s);
    }
}

// Beyond the limit the truss snaps through to where both springs pull.
static void test_snap_through(void **state)
{
    (void)state;
    const double k = 1000, P = 400;
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_node_id   apex = add_mass(model, "apex", 1, 0, 0.5, 0);
    add_spring(model, "left", apex, -1, 0, k, NAN);
    add_spring(model, "right", apex, 1, 0, k, NAN);
    push(model, "load", "apex", zn_vec3_make(0, 0, 0), 0, -P);
    solved s = solve(model, 10);
    double y = coordinate(&s, "apex", 1), l = sqrt(1 + y * y);
    assert_true(y < -0.5);
    CHECK_NEAR(2 * k * (sqrt(1.25) - l) * y / l, P, 1e-8);
    close_solved(&s);
}

// --- bars, beams, solids -------------------------------------------------------------------------

// u(x) = rho g (L x - x^2 / 2) / E, exact at the nodes of linear elements.
static void test_hanging_bar(void **state)
{
    (void)state;
    const int    elements = 60; // sparse linear solver
    const double g = 9.81, L = 2;
    for (int joint = 0; joint < 2; joint++) {
        zn_model *model = make_model(true, zn_vec3_make(0, -g, 0), NULL);
        add_rod(model, zn_vec3_make(0, 0, 0), zn_vec3_make(0, -L, 0), elements, ZN_FIX_X);
        zn_joint_def def = zn_joint_def_default();
        def.kind = ZN_JOINT_MOTION;
        def.dof[0] = (zn_joint_dof){zn_model_find_node(model, "rod[0]"), ZN_COORDINATE_Y, 1};
        def.motion = joint ? constant(0) : NULL;
        if (joint)
            CHECK_OK(zn_model_add_joint(model, &def));
        else
            fix(model, "rod[0]", ZN_FIX_Y);
        solved s = solve(model, 3);
        for (int i = 0; i <= elements; i++) {
            char   name[24];
            double x = L * i / elements, u = 7800 * g * (L * x - x * x / 2) / 210e9;
            snprintf(name, sizeof name, "rod[%d]", i);
            CHECK_NEAR(coordinate(&s, name, 1), -u, 1e-10 * 7.3e-7);
        }
        check_balance(&s, 0, -7800 * 1e-4 * L * g, 1e-9);
        close_solved(&s);
    }
}

// F beyond E A gap / L closes the gap; the wall takes the rest.
static void test_bar_against_wall(void **state)
{
    (void)state;
    const double gap = 1e-5, EA = 210e9 * 1e-4;
    for (int i = 0; i < 2; i++) {
        double    F = (i == 0 ? 0.5 : 3) * EA * gap;
        zn_model *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
        add_rod(model, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0), 5, ZN_FIX_Y);
        fix(model, "rod[0]", ZN_FIX_X);
        push(model, "load", "rod[5]", zn_vec3_make(0, 0, 0), F, 0);
        zn_contact_def wall = zn_contact_def_default();
        wall.name = "wall";
        wall.point.node = zn_model_find_node(model, "rod[5]");
        wall.normal = zn_vec3_make(-1, 0, 0);
        wall.through = zn_vec3_make(1 + gap, 0, 0);
        CHECK_OK(zn_model_add_contact(model, &wall));
        solved s = solve(model, 10);
        CHECK_NEAR(coordinate(&s, "rod[5]", 0), i == 0 ? 0.5 * gap : gap, 1e-10 * gap);
        CHECK_NEAR(force_of(&s, "wall"), i == 0 ? 0 : 2 * EA * gap, 1e-9 * F);
        CHECK_BELOW(s.info.penetration, 1e-15);
        check_balance(&s, F, 0, 1e-9 * F);
        close_solved(&s);
    }
}

static void add_beam(zn_model *model, zn_vec3 to, int elements, unsigned fix_first)
{
    zn_beam_def def = zn_beam_def_default();
    def.name = "beam";
    def.to = to;
    def.elements = elements;
    def.young = 210e9;
    def.density = 7800;
    def.section = zn_beam_section_rectangle(0.02, 0.01, 0);
    def.fix_first = fix_first;
    CHECK_OK(zn_model_add_beam(model, &def));
}

// M = 2 pi E I / L rolls a cantilever to a circle: its ends meet.
static void test_rolled_cantilever(void **state)
{
    (void)state;
    const double EI = 210e9 * 0.02 * 1e-6 / 12;
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    add_beam(model, zn_vec3_make(1, 0, 0), 16, ZN_FIX_X | ZN_FIX_Y | ZN_FIX_ROTATION);
    turn(model, "beam[16]", 2 * pi * EI);
    solved                s = solve(model, 20);
    const zn_layout_node *end = &s.f.sys->layout.node[zn_model_find_node(model, "beam[16]").value - 1];
    CHECK_NEAR(end->origin.x + coordinate(&s, "beam[16]", 0), 0, 1e-9);
    CHECK_NEAR(end->origin.y + coordinate(&s, "beam[16]", 1), 0, 1e-9);
    CHECK_NEAR(coordinate(&s, "beam[16]", 2), 2 * pi, 1e-10);
    close_solved(&s);
}

// A beam on a hinge swings down and hangs straight, longer by rho g L^2 / (2 E).
static void test_beam_pendulum(void **state)
{
    (void)state;
    zn_model *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    add_beam(model, zn_vec3_make(1, 0.2, 0), 6, ZN_FIX_X | ZN_FIX_Y);
    solved                s = solve(model, 1);
    const zn_layout_node *end = &s.f.sys->layout.node[zn_model_find_node(model, "beam[6]").value - 1];
    double                L = sqrt(1.04);
    CHECK_NEAR(end->origin.x + coordinate(&s, "beam[6]", 0), 0, 1e-8);
    CHECK_NEAR(end->origin.y + coordinate(&s, "beam[6]", 1), -L - 7800 * 9.81 * L * L / 2 / 210e9, 1e-9);
    close_solved(&s);
}

// An elastic block on contacts only: they carry its weight.
static void test_solid_on_floor(void **state)
{
    (void)state;
    const double height = 0.3;
    zn_model    *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_mesh     *mesh = NULL;
    CHECK_OK(zn_mesh_rectangle(zn_vec3_make(0, 0, 0), zn_vec3_make(1, height, 0), (int[2]){8, 3}, &mesh));
    zn_solid_def def = zn_solid_def_default();
    def.name = "block";
    def.mesh = mesh;
    def.young = 1e7;
    def.poisson = 0;
    def.density = 1000;
    CHECK_OK(zn_model_add_solid(model, &def));
    mesh = zn_mesh_destroy(mesh);
    zn_contact_def floor = zn_contact_def_default();
    floor.name = "floor";
    floor.points = "block.ymin";
    floor.normal = zn_vec3_make(0, 1, 0);
    floor.through = zn_vec3_make(0, -0.05, 0);
    CHECK_OK(zn_model_add_contact(model, &floor));
    solved s = solve(model, 2);
    double sum = 0;
    for (int i = 0; i < s.state->contacts->count; i++)
        sum += s.state->contacts->impulse[i];
    CHECK_NEAR(sum, 1000 * 9.81 * height, 1e-8);
    // columns do not interact without Poisson's ratio: the top sinks by rho g H^2 / (2 E)
    CHECK_NEAR(coordinate(&s, "block[31]", 1), -0.05 - 1000 * 9.81 * height * height / 2 / 1e7, 1e-12);
    check_balance(&s, 0, -1000 * 9.81 * height, 1e-8);
    close_solved(&s);
}

// --- bodies held by constraints ------------------------------------------------------------------

// From any side, even nearly upright, a pendulum comes to hang straight down.
static void test_pendulum(void **state)
{
    (void)state;
    const double L = 0.7, start[] = {0, 0.3, pi / 2, 3.1, -2.5};
    for (int i = 0; i < 5; i++) {
        double       angle = start[i];
        zn_model    *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
        zn_joint_def def = hinge(add_body(model, "rod", 3, 0.1, L * sin(angle), -L * cos(angle), angle), 0, L);
        CHECK_OK(zn_model_add_joint(model, &def));
        solved s = solve(model, 1);
        CHECK_NEAR(coordinate(&s, "rod", 0), 0, 1e-12);
        CHECK_NEAR(coordinate(&s, "rod", 1), -L, 1e-12);
        CHECK_NEAR(coordinate(&s, "rod", 2), 0, 1e-12);
        CHECK_BELOW(s.info.joint, 1e-14);
        check_balance(&s, 0, -3 * 9.81, 1e-11);
        close_solved(&s);
    }
}

// A point mass on a massless rod, and a chain of two: no rotations, no stiffness at all.
static void test_chain(void **state)
{
    (void)state;
    zn_model    *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_node_id   a = add_mass(model, "a", 1, 0.6, 0.8, 0), b = add_mass(model, "b", 2, 1.6, 0.8, 0);
    zn_joint_def rod = zn_joint_def_default();
    rod.kind = ZN_JOINT_ROD;
    rod.name = "upper";
    rod.a.node = a;
    rod.b.at = zn_vec3_make(0, 0, 0);
    CHECK_OK(zn_model_add_joint(model, &rod));
    rod.name = "lower";
    rod.a.node = b;
    rod.b = (zn_attachment){a, zn_vec3_make(0, 0, 0)};
    CHECK_OK(zn_model_add_joint(model, &rod));
    solved s = solve(model, 1);
    CHECK_NEAR(coordinate(&s, "a", 1), -1, 1e-12);
    CHECK_NEAR(coordinate(&s, "b", 1), -2, 1e-12);
    CHECK_NEAR(coordinate(&s, "b", 0), 0, 1e-12);
    CHECK_NEAR(force_of(&s, "upper"), -3 * 9.81, 1e-10);
    close_solved(&s);
}

static void test_block(void **state)
{
    (void)state;
    const double W = 2 * 9.81, F = 7, c = 0.2;
    const double lift[] = {0, 1, 0.05}, angle[] = {0, 0, 0.04};
    for (int i = 0; i < 3; i++) {
        solved s = solve(block_on_floor(lift[i], angle[i], F, c), 1 + i);
        CHECK_NEAR(force_of(&s, "A"), W / 2 + F * (0.5 - c), 1e-11);
        CHECK_NEAR(force_of(&s, "B"), W / 2 + F * (0.5 + c), 1e-11);
        CHECK_NEAR(coordinate(&s, "block", 1), 0.75, 1e-13);
        CHECK_NEAR(coordinate(&s, "block", 2), 0, 1e-13);
        CHECK_BELOW(s.info.penetration, 1e-14);
        check_balance(&s, 0, -W - F, 1e-10);
        close_solved(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spring),
        cmocka_unit_test(test_swing),
        cmocka_unit_test(test_truss),
        cmocka_unit_test(test_snap_through),
        cmocka_unit_test(test_hanging_bar),
        cmocka_unit_test(test_bar_against_wall),
        cmocka_unit_test(test_rolled_cantilever),
        cmocka_unit_test(test_beam_pendulum),
        cmocka_unit_test(test_solid_on_floor),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
