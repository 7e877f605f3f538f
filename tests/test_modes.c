// Modes about an equilibrium, against closed forms.
#include "equilibrium_solved.h"

static const double g = 9.81;

typedef struct modal {
    solved    s;
    zn_modes *m;
} modal;

// The modes are orthonormal in the mass, whatever they are.
static void check_orthonormal(const modal *a)
{
    int     n = zn_system_get_info(a->s.f.sys).n_all;
    double *f = calloc((size_t)n, sizeof *f);
    for (int i = 0; i < a->m->count; i++) {
        CHECK_OK(zn_system_inertia(a->s.f.sys, a->s.state->q, a->m->mode[i].shape, f));
        for (int j = 0; j < a->m->count; j++) {
            double sum = 0;
            for (int k = 0; k < zn_system_get_info(a->s.f.sys).n; k++)
                sum += a->m->mode[j].shape[k] * f[k];
            CHECK_NEAR(sum, i == j, 1e-8);
        }
    }
    free(f);
}

static modal find(zn_model *model, int count)
{
    modal        a = {.s = solve(model, 1)};
    zn_modes_def def = zn_modes_def_default();
    log_capture  log = {0};
    def.count = count;
    def.log = log_into(&log);
    zn_status status = zn_modes_find(a.s.f.sys, &def, a.s.state, &a.m);
    if (status != ZN_OK)
        print_error("%s", log.text);
    CHECK_OK(status);
    check_orthonormal(&a);
    return a;
}

static void close_modal(modal *a)
{
    zn_modes_destroy(a->m);
    close_solved(&a->s);
}

// Frequency of mode i against w [rad/s], relative.
static void check_mode(const modal *a, int i, double w, double tolerance)
{
    assert_true(i < a->m->count);
    CHECK_NEAR(2 * pi * a->m->mode[i].frequency / w, 1, tolerance);
    CHECK_NEAR(a->m->mode[i].square / (w * w), 1, 2 * tolerance);
}

// --- chains and bars -----------------------------------------------------------------------------

// N masses between two walls: w = 2 sqrt(k/m) sin(i pi / (2 N + 2)).
static zn_model *chain(int N, double mass, double k)
{
    zn_model  *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_node_id last = {0};
    char       name[32];
    for (int i = 0; i <= N; i++) {
        zn_spring_def spring = zn_spring_def_default();
        zn_node_id    node = {0};
        if (i < N) {
            snprintf(name, sizeof name, "m%d", i);
            node = add_mass(model, name, mass, i + 1, 0, ZN_FIX_Y);
        }
        snprintf(name, sizeof name, "s%d", i);
        spring.name = name;
        spring.from = (zn_attachment){last, zn_vec3_make(0, 0, 0)};
        spring.to = (zn_attachment){node, zn_vec3_make(i < N ? 0 : N + 1, 0, 0)};
        spring.stiffness = k;
        CHECK_OK(zn_model_add_spring(model, &spring));
        last = node;
    }
    return model;
}

static void test_chain_of_masses(void **unused)
{
    (void)unused;
    const int sizes[] = {1, 5, 150}; // the last one is too large for dense matrices
    for (int s = 0; s < 3; s++) {
        int   N = sizes[s], count = N < 12 ? N : 12;
        modal a = find(chain(N, 0.7, 90), 12);
        assert_int_equal(a.m->count, count); // no more than there are
        assert_int_equal(a.m->negative, 0);
        assert_int_equal(a.m->neutral, 0);
        for (int i = 0; i < count; i++)
            check_mode(&a, i, 2 * sqrt(90 / 0.7) * sin((i + 1) * pi / (2 * N + 2)), 1e-10);
        CHECK_NEAR(a.m->mass.x, 0.7 * N, 1e-12 * N);
        close_modal(&a);
    }
}

// All masses move in all modes together as the shift does: the participating masses add up to all of it.
static void test_masses_add_up(void **unused)
{
    (void)unused;
    modal  a = find(chain(5, 0.7, 90), 5);
    double sum = 0;
    for (int i = 0; i < a.m->count; i++)
        sum += a.m->mode[i].mass.x;
    CHECK_NEAR(sum, 3.5, 1e-12);
    CHECK_NEAR(a.m->mode[1].mass.x, 0, 1e-20); // antisymmetric
    close_modal(&a);
}

// Bar of N linear elements with consistent mass, held at one end: w^2 = 6 c^2/h^2 (1 - cos b)/(2 + cos b) with
// b = (2 i - 1) pi / 2 N.
static void test_bar_held_at_one_end(void **unused)
{
    (void)unused;
    enum { N = 120 };
    const double L = 2, h = L / N, c2 = 210e9 / 7800;
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    add_rod(model, zn_vec3_make(0, 0, 0), zn_vec3_make(L, 0, 0), N, ZN_FIX_Y);
    fix(model, "rod[0]", ZN_FIX_X | ZN_FIX_Y);
    modal a = find(model, 8);
    for (int i = 0; i < 8; i++) {
        double b = (2 * i + 1) * pi / (2 * N);
        check_mode(&a, i, sqrt(6 * c2 / (h * h) * (1 - cos(b)) / (2 + cos(b))), 1e-9);
    }
    CHECK_NEAR(a.m->mode[0].mass.x / (7800 * 1e-4 * L), 8 / (pi * pi), 1e-4);
    close_modal(&a);
}

// --- beams ---------------------------------------------------------------------------------------

enum { BEAM = 40 };

static zn_beam_def slender(unsigned fix_first)
{
    zn_beam_def beam = zn_beam_def_default();
    beam.name = "beam";
    beam.to = zn_vec3_make(1.5, 0, 0);
    beam.elements = BEAM;
    beam.young = 70e9;
    beam.density = 2700;
    beam.section = zn_beam_section_rectangle(0.01, 0.01, 0);
    beam.theory = ZN_BEAM_EULER_BERNOULLI;
    beam.fix_first = fix_first;
    return beam;
}

// w = z^2 sqrt(E I / rho A) / L^2; rotary inertia lowers it by about (z r / L)^2.
static double bending(double z) { return z * z * sqrt(70e9 / 2700) * (0.01 / sqrt(12)) / (1.5 * 1.5); }

static void check_beam(bool planar, unsigned fix_first, int free_motions, const double z[3])
{
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_beam_def beam = slender(fix_first);
    int         copies = planar ? 1 : 2; // a square section bends both ways
    CHECK_OK(zn_model_add_beam(model, &beam));
    modal a = find(model, free_motions + 3 * copies);
    assert_int_equal(a.m->neutral, free_motions);
    assert_int_equal(a.m->count, free_motions + 3 * copies);
    for (int i = 0; i < free_motions; i++)
        CHECK_NEAR(a.m->mode[i].frequency, 0, 0);
    for (int i = 0; i < 3 * copies; i++)
        check_mode(&a, free_motions + i, bending(z[i / copies]), 2e-4);
    close_modal(&a);
}

static const double clamped[] = {1.87510407, 4.69409113, 7.85475744};
static const double floating[] = {4.73004074, 7.85320462, 10.9956079};

static void test_cantilever(void **unused)
{
    (void)unused;
    check_beam(true, ZN_FIX_X | ZN_FIX_Y | ZN_FIX_ROTATION, 0, clamped);
    check_beam(false, 15, 0, clamped);
}

static void test_free_beam_has_motions_that_nothing_holds(void **unused)
{
    (void)unused;
    check_beam(true, 0, 3, floating);
    check_beam(false, 0, 6, floating);
}

// A tight string of masses on prestressed springs has the stiffness T/h across it: w = 2 sqrt(T/(h m)) sin(...).
static void test_prestress_holds_a_mass(void **unused)
{
    (void)unused;
    zn_model  *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_node_id mass = add_mass(model, "mass", 0.4, 0, 0, 0);
    add_spring(model, "left", mass, -0.5, 0, 1000, 0.45);
    add_spring(model, "right", mass, 0.5, 0, 1000, 0.45);
    modal a = find(model, 5);
    assert_int_equal(a.m->count, 2);
    check_mode(&a, 0, sqrt(2 * 1000 * 0.05 / 0.5 / 0.4), 1e-12);
    check_mode(&a, 1, sqrt(2 * 1000 / 0.4), 1e-12);
    CHECK_NEAR(a.m->mode[0].mass.y, 0.4, 1e-14);
    CHECK_NEAR(a.m->mode[1].mass.x, 0.4, 1e-14);
    close_modal(&a);
}

// --- joints and contacts -------------------------------------------------------------------------

// Body of inertia J about its centre, L from the hinge: w^2 = m g L / (J + m L^2), negative when it stands on it.
static void test_compound_pendulum(void **unused)
{
    (void)unused;
    const double mass = 3, J = 0.2, L = 0.45;
    for (int way = 0; way < 4; way++) {
        bool        up = way % 2 == 1;
        int         hinges = way < 2 ? 1 : 2; // the second one repeats the first
        const char *names[] = {"hinge", "again"};
        zn_model   *model = make_model(true, zn_vec3_make(0, -g, 0), NULL);
        zn_node_id  body = add_body(model, "body", mass, J, 0, up ? L : -L, 0);
        for (int i = 0; i < hinges; i++) {
            zn_joint_def joint = hinge(body, 0, up ? -L : L);
            joint.name = names[i];
            CHECK_OK(zn_model_add_joint(model, &joint));
        }
        modal  a = find(model, 3);
        double square = mass * g * L / (J + mass * L * L);
        assert_int_equal(a.m->count, 1);
        assert_int_equal(a.m->negative, up);
        CHECK_NEAR(a.m->mode[0].square / (up ? -square : square), 1, 1e-9);
        assert_true(up ? isnan(a.m->mode[0].frequency) : a.m->mode[0].frequency > 0);
        close_modal(&a);
    }
}

// A box on a bush that sits off its centre: along and about x alone, and in both planes w^2 of [m, 0; 0, I] against
// [k, +-k a; +-k a, k a^2 + c].
static void test_bush(void **unused)
{
    (void)unused;
    const double   k[6] = {1000, 2000, 3000, 40, 50, 60}, inertia[3] = {0.1, 0.2, 0.3}, mass = 2, a = 0.3;
    zn_model      *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def    box = zn_body_def_default();
    zn_bushing_def bush = zn_bushing_def_default();
    box.mass = mass;
    box.position = zn_vec3_make(a, 0, 0);
    for (int i = 0; i < 3; i++)
        box.inertia3.m[i][i] = inertia[i];
    CHECK_OK(zn_model_add_body(model, &box, &bush.to.node));
    bush.to.at = zn_vec3_make(-a, 0, 0);
    for (int i = 0; i < 6; i++)
        bush.stiffness[i][i] = k[i];
    CHECK_OK(zn_model_add_bushing(model, &bush));
    double square[6] = {k[3] / inertia[0], k[0] / mass};
    for (int plane = 0; plane < 2; plane++) {
        double along = k[1 + plane] / mass, turn = (k[1 + plane] * a * a + k[5 - plane]) / inertia[2 - plane];
        double det = along * k[5 - plane] / inertia[2 - plane], half = 0.5 * (along + turn);
        square[2 + 2 * plane] = half - sqrt(half * half - det);
        square[3 + 2 * plane] = half + sqrt(half * half - det);
    }
    const int ascending[6] = {2, 4, 0, 1, 3, 5};
    modal     m = find(model, 6);
    assert_int_equal(m.m->count, 6);
    for (int i = 0; i < 6; i++)
        check_mode(&m, i, sqrt(square[ascending[i]]), 1e-9);
    close_modal(&m);
}

// Two discs on torsion springs, ground to first to second: w^2 = k/I (3 -+ sqrt 5)/2.
static void test_torsion(void **unused)
{
    (void)unused;
    const double k = 0.5, I = 0.02;
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_node_id   before = {0};
    for (int i = 0; i < 2; i++) {
        zn_body_def    disc = zn_body_def_default();
        zn_torsion_def spring = zn_torsion_def_default();
        disc.mass = 1;
        disc.inertia = I;
        disc.fixed = ZN_FIX_X | ZN_FIX_Y;
        spring.from.node = before;
        CHECK_OK(zn_model_add_body(model, &disc, &spring.to.node));
        spring.stiffness = k;
        CHECK_OK(zn_model_add_torsion(model, &spring));
        before = spring.to.node;
    }
    modal a = find(model, 2);
    check_mode(&a, 0, sqrt(k / I * (3 - sqrt(5)) / 2), 1e-9);
    check_mode(&a, 1, sqrt(k / I * (3 + sqrt(5)) / 2), 1e-9);
    close_modal(&a);
}

// A point mass on a rod in space swings both ways with w = sqrt(g/L).
static void test_pendulum(void **unused)
{
    (void)unused;
    const double L = 0.6;
    zn_model    *model = make_model(false, zn_vec3_make(0, 0, -g), NULL);
    zn_body_def  bob = zn_body_def_default();
    zn_joint_def rod = zn_joint_def_default();
    bob.name = "bob";
    bob.mass = 2;
    bob.position = zn_vec3_make(0, 0, -L);
    CHECK_OK(zn_model_add_body(model, &bob, &rod.a.node));
    rod.name = "rod";
    rod.kind = ZN_JOINT_ROD;
    rod.length = L;
    CHECK_OK(zn_model_add_joint(model, &rod));
    modal a = find(model, 3);
    assert_int_equal(a.m->count, 2);
    check_mode(&a, 0, sqrt(g / L), 1e-10);
    check_mode(&a, 1, sqrt(g / L), 1e-10);
    close_modal(&a);
}

// An arm that lies on its stop has none: nothing moves.
static void test_arm_on_its_stop(void **unused)
{
    (void)unused;
    zn_model    *model = make_model(true, zn_vec3_make(0, -g, 0), NULL);
    zn_body_def  arm = zn_body_def_default();
    zn_joint_def pin = zn_joint_def_default();
    arm.name = "arm";
    arm.mass = 1;
    arm.inertia = 0.05;
    arm.position = zn_vec3_make(0.5, 0, 0);
    CHECK_OK(zn_model_add_body(model, &arm, &pin.a.node));
    pin.name = "pin";
    pin.kind = ZN_JOINT_REVOLUTE;
    pin.a.at = zn_vec3_make(-0.5, 0, 0);
    pin.limits[0] = -0.1;
    CHECK_OK(zn_model_add_joint(model, &pin));
    modal a = find(model, 3);
    assert_int_equal(a.m->count, 0);
    close_modal(&a);
}

// A body in space on a ball joint hangs below it and swings about both axes, with inertia J + m L^2 about the joint;
// its spin is not held. It begins turned about x, so that it has to find its way down.
static void test_body_in_space(void **unused)
{
    (void)unused;
    const double mass = 2.5, L = 0.4, J[] = {0.3, 0.2, 0.15}, tilt = 0.3;
    zn_model    *model = make_model(false, zn_vec3_make(0, 0, -g), NULL);
    zn_body_def  body = zn_body_def_default();
    zn_joint_def ball = zn_joint_def_default();
    body.name = "body";
    body.mass = mass;
    body.position = zn_vec3_make(0, L * sin(tilt), -L * cos(tilt));
    body.rotation = zn_so3_exp(zn_vec3_make(tilt, 0, 0));
    for (int i = 0; i < 3; i++)
        body.inertia3.m[i][i] = J[i];
    CHECK_OK(zn_model_add_body(model, &body, &ball.a.node));
    ball.name = "ball";
    ball.kind = ZN_JOINT_SPHERICAL;
    ball.a.at = zn_vec3_make(0, 0, L);
    CHECK_OK(zn_model_add_joint(model, &ball));
    modal a = find(model, 6);
    assert_int_equal(a.m->count, 3);
    assert_int_equal(a.m->neutral, 1);
    CHECK_NEAR(a.m->mode[0].frequency, 0, 0);
    check_mode(&a, 1, sqrt(mass * g * L / (J[0] + mass * L * L)), 1e-9);
    check_mode(&a, 2, sqrt(mass * g * L / (J[1] + mass * L * L)), 1e-9);
    close_modal(&a);
}

// Two point masses on rods, one below the other: w^2 = (2 -+ sqrt 2) g/L for equal masses and lengths.
static void test_double_pendulum(void **unused)
{
    (void)unused;
    const double L = 0.35;
    zn_model    *model = make_model(true, zn_vec3_make(0, -g, 0), NULL);
    zn_node_id   upper = add_mass(model, "upper", 0.8, 0, -L, 0), lower = add_mass(model, "lower", 0.8, 0, -2 * L, 0);
    zn_joint_def rod = zn_joint_def_default();
    rod.kind = ZN_JOINT_ROD;
    rod.length = L;
    rod.name = "first";
    rod.a.node = upper;
    CHECK_OK(zn_model_add_joint(model, &rod));
    rod.name = "second";
    rod.a.node = lower;
    rod.b.node = upper;
    CHECK_OK(zn_model_add_joint(model, &rod));
    modal a = find(model, 9);
    assert_int_equal(a.m->count, 2);
    check_mode(&a, 0, sqrt((2 - sqrt(2)) * g / L), 1e-10);
    check_mode(&a, 1, sqrt((2 + sqrt(2)) * g / L), 1e-10);
    close_modal(&a);
}

// Block on two corners with a spring along the floor: contacts that carry force hold the rest.
static void test_block_slides_on_its_floor(void **unused)
{
    (void)unused;
    zn_model *model = block_on_floor(0, 0, 3, 0);
    add_spring(model, "side", zn_model_find_node(model, "block"), -2, 0.75, 50, 2);
    modal a = find(model, 3);
    assert_int_equal(a.m->count, 1);
    check_mode(&a, 0, sqrt(50 / 2.0), 1e-9);
    close_modal(&a);
}

// N bodies in a row, welded to each other, the first on a spring k; with `grounded` the last one to the ground. Nothing
// but joints holds the others. `times`: how often each weld is said.
static zn_model *welded_bodies(int N, double k, bool grounded, int times)
{
    zn_model  *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_node_id body[8] = {{0}};
    char       name[32];
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "b%d", i);
        body[i] = add_body(model, name, 1 + i, 0.1, i, 0, 0);
    }
    add_spring(model, "spring", body[0], -1, 0, k, 1);
    for (int i = 0; i + 1 < N + grounded; i++)
        for (int copy = 0; copy < times; copy++) {
            zn_joint_def weld = hinge(body[i], 0.5, 0);
            weld.kind = ZN_JOINT_FIXED;
            if (i + 1 < N)
                weld.b = (zn_attachment){body[i + 1], zn_vec3_make(-0.5, 0, 0)};
            snprintf(name, sizeof name, "weld%d%d", i, copy);
            weld.name = name;
            CHECK_OK(zn_model_add_joint(model, &weld));
        }
    return model;
}

// Joints do not give way, however stiff one side of them is and however little holds the other: all masses move as one,
// and what is welded to the ground does not at all.
static void test_stiff_and_loose_sides_of_joints(void **unused)
{
    (void)unused;
    for (int times = 1; times <= 2; times++)
        for (double k = 1; k < 2e13; k *= 100)
            for (int N = 2; N <= 4; N++) {
                double mass = N * (N + 1) / 2.0;
                modal  a = find(welded_bodies(N, k, false, times), 10);
                assert_int_equal(a.m->count, 3);
                assert_int_equal(a.m->negative, 0);
                assert_int_equal(a.m->neutral, 2); // across the spring, and about its end
                check_mode(&a, 2, sqrt(k / mass), 1e-9);
                CHECK_NEAR(a.m->mode[2].mass.x, mass, 1e-9 * mass);
                close_modal(&a);
                a = find(welded_bodies(N, k, true, times), 10);
                assert_int_equal(a.m->count, 0);
                assert_int_equal(a.m->neutral, 0);
                close_modal(&a);
            }
}

static void test_free_body(void **unused)
{
    (void)unused;
    zn_model *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    add_body(model, "body", 2, 0.3, 0, 0, 0.2);
    modal a = find(model, 10);
    assert_int_equal(a.m->count, 3);
    assert_int_equal(a.m->neutral, 3);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(a.m->mode[i].frequency, 0, 0);
    close_modal(&a);
}

// Far from the shift that a fast mode asks for, slow ones are known less well; what nothing holds still has frequency
// 0.
static void test_free_body_beside_a_violent_mode(void **unused)
{
    (void)unused;
    const double m = 1e-6, k = 1000, l = 0.5, rest = 0.55;
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_node_id   mass = add_mass(model, "mass", m, 0, 0, 0);
    add_spring(model, "left", mass, -l, 0, k, rest);
    add_spring(model, "right", mass, l, 0, k, rest);
    add_body(model, "body", 2000, 300, 3, 0, 0.2);
    modal a = find(model, 10);
    assert_int_equal(a.m->count, 5);
    assert_int_equal(a.m->negative, 1);
    assert_int_equal(a.m->neutral, 3);
    CHECK_NEAR(a.m->mode[0].square / (2 * k * (1 - rest / l) / m), 1, 1e-9);
    for (int i = 1; i < 4; i++)
        CHECK_NEAR(a.m->mode[i].frequency, 0, 0);
    check_mode(&a, 4, sqrt(2 * k / m), 1e-9);
    close_modal(&a);
}

static void test_refusals(void **unused)
{
    (void)unused;
    solved       s = solve(chain(2, 1, 1), 1);
    zn_modes_def def = zn_modes_def_default();
    zn_modes    *m = NULL;
    log_capture  log = {0};
    def.log = log_into(&log);
    def.count = 0;
    CHECK_STATUS(zn_modes_find(s.f.sys, &def, s.state, &m), ZN_ERR_ARGUMENT);
    CHECK_LOGGED(&log, "count 0");
    assert_null(m);
    close_solved(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_of_masses),
        cmocka_unit_test(test_masses_add_up),
        cmocka_unit_test(test_bar_held_at_one_end),
        cmocka_unit_test(test_cantilever),
        cmocka_unit_test(test_free_beam_has_motions_that_nothing_holds),
        cmocka_unit_test(test_prestress_holds_a_mass),
        cmocka_unit_test(test_bush),
        cmocka_unit_test(test_torsion),
        cmocka_unit_test(test_compound_pendulum),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_arm_on_its_stop),
        cmocka_unit_test(test_body_in_space),
        cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_block_slides_on_its_floor),
        cmocka_unit_test(test_stiff_and_loose_sides_of_joints),
        cmocka_unit_test(test_free_body),
        cmocka_unit_test(test_free_body_beside_a_violent_mode),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
