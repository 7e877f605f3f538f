// Piles in the schemes that hold positions: no penetration, Coulomb's law at both levels, equal bits; the sparse path
// against the dense one, and pairs that no step has looked at.
#include "fixtures.h"
#include "pile_models.h"

#include "system/system.h"
#include "zn/sim.h"

enum { COUNT = 100 };

static zn_scheme_def tight(const char *name)
{
    zn_scheme_def def = scheme_named(name, 0.5);
    def.gamma = strcmp(name, "direct_projection") == 0 ? 0.5 : 0;
    return def;
}

// Smallest gap of all pairs of spheres and of spheres and walls, without any search.
static double smallest_gap(const rig *r, int count, double half)
{
    const double *q = r->state->q;
    double        gap = INFINITY;
    for (int i = 0; i < count; i++) {
        const double *x = q + 7 * i;
        gap = fmin(gap, fmin(x[2] - radius, half - radius - fmax(fabs(x[0]), fabs(x[1]))));
        for (int j = 0; j < i; j++) {
            const double *y = q + 7 * j;
            gap = fmin(gap, sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                                 (x[2] - y[2]) * (x[2] - y[2])) -
                                2 * radius);
        }
    }
    return gap;
}

static double half_of(int side) { return side * (2 * radius + 0.02) / 2; }

// 100 spheres from the first impact of the lowest layer to many contacts, in steps of 2 ms.
static void test_many_spheres(void **state)
{
    (void)state;
    const char *const schemes[] = {"nsga", "nsga_coupled", "combined_projection", "direct_projection"};
    for (int s = 0; s < 4; s++) {
        rig    r = rig_open(pile_model(COUNT, 5, 0), tight(schemes[s]));
        double law = 0;
        int    most = 0;
        while (r.state->t < 0.13) {
            rig_step(&r, 2e-3);
            CHECK_BELOW(-smallest_gap(&r, COUNT, half_of(5)), 1e-10);
            law = s < 2 ? fmax(law, fmax(r.info.coulomb_position, r.info.coulomb_velocity)) : 0;
            CHECK_BELOW(r.info.velocity_violation, 1e-10);
            most = r.info.active > most ? r.info.active : most;
        }
        CHECK_BELOW(law, 1e-10);
        assert_true(most > 40); // more rows than are solved dense
        rig_close(&r);
    }
}

// Columns of spheres in rows that do not touch each other, at rest: each contact carries what is above it, in every
// scheme and in one step.
static void test_columns_carry_their_weight(void **state)
{
    (void)state;
    enum { COLUMNS = 10, HEIGHT = 6 };
    const char *const schemes[] = {"nsga", "nsga_coupled", "combined_projection", "direct_projection"};
    const double      g = 9.81, h = 1e-3;
    for (int s = 0; s < 4; s++) {
        zn_model *model = space(-g);
        for (int c = 0; c < COLUMNS; c++)
            for (int k = 0; k < HEIGHT; k++)
                add_ball(model, mass, zn_vec3_make(3 * radius * c, 0, radius + 2 * radius * k), zn_vec3_make(0, 0, 0));
        add_wall(model, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0, 1));
        add_pairs(model, 0, 0.3, true);
        rig r = rig_open(model, tight(schemes[s]));
        for (int step = 0; step < 3; step++)
            rig_step(&r, h);
        double sum = 0, expected = COLUMNS * mass * g * h * HEIGHT * (HEIGHT + 1) / 2;
        int    carrying = 0;
        for (int i = 0; i < r.state->contacts->count; i++) {
            double P = r.state->contacts->impulse[i * r.state->contacts->stride];
            CHECK_NEAR(P / (mass * g * h), round(P / (mass * g * h)), 1e-9); // whole numbers of spheres
            sum += P;
            carrying += P > 0;
        }
        assert_int_equal(carrying, COLUMNS * HEIGHT);
        CHECK_NEAR(sum / expected, 1, 1e-9);
        CHECK_BELOW(r.state->energy.kinetic, 1e-20);
        rig_close(&r);
    }
}

// A ring of three spheres on the floor that turns as one body, balls and all: nothing slips, so nothing but the normal
// forces act, in one step of any size. The displacement G_T (q - q_k) of such a turn is not zero.
static void test_turning_together(void **state)
{
    (void)state;
    zn_model *model = space(0);
    for (int k = 0; k < 3; k++)
        add_ball(model, mass,
                 zn_vec3_make(2 * radius / sqrt(3) * cos(2.0943951023931953 * k),
                              2 * radius / sqrt(3) * sin(2.0943951023931953 * k), 0),
                 zn_vec3_make(0, 0, 0));
    add_pairs(model, 0, 0.5, false);
    rig     r = rig_open(model, tight("nsga"));
    double  q[21], slip[9];
    zn_quat turn = zn_so3_exp(zn_vec3_make(0.1, -0.2, 0.3));
    for (int k = 0; k < 3; k++) {
        zn_vec3 x = zn_quat_rotate(turn, zn_vec3_make(r.state->q[7 * k], r.state->q[7 * k + 1], r.state->q[7 * k + 2]));
        memcpy(q + 7 * k, (double[]){x.x + 1, x.y - 2, x.z + 3, turn.w, turn.x, turn.y, turn.z}, 7 * sizeof *q);
    }
    assert_int_equal(r.state->contacts->count, 3);
    CHECK_OK(zn_contact_set_slip(r.state->contacts, r.sys, r.state->q, 0, q, 0, slip));
    for (int k = 0; k < 9; k++)
        CHECK_NEAR(slip[k], 0, 1e-15);
    rig_close(&r);
}

// --- pairs that a step has not looked at --------------------------------------------------------

// A cloud of spheres that overlap at random, against all pairs one by one.
static void test_deepest_of_a_cloud(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 10; round++) {
        zn_model *model = space(0);
        for (int i = 0; i < 60; i++) {
            double x[3];
            random_fill(&seed, 0.4 + 0.1 * round, 3, x);
            add_ball(model, mass, zn_vec3_make(x[0], x[1], x[2] + 1), zn_vec3_make(0, 0, 0));
        }
        add_wall(model, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0, 1));
        add_pairs(model, 0, 0, true);
        rig      r = rig_open(model, tight("nsga"));
        double   expected = smallest_gap(&r, 60, 1e9);
        zn_depth found;
        CHECK_OK(zn_contact_set_deepest(r.state->contacts, r.sys, r.state->q, 0, 0, &found));
        if (expected < 0) {
            CHECK_NEAR(found.gap, expected, 1e-15);
            assert_string_equal(zn_contact_name(r.sys, found.id), "pairs");
            CHECK_OK(zn_contact_set_deepest(r.state->contacts, r.sys, r.state->q, 0, -0.999 * expected, &found));
            CHECK_NEAR(found.gap, expected, 1e-15);
        } else
            assert_true(found.gap >= 0);
        rig_close(&r);
    }
}

// Shapes of all convex kinds in a row along x, as wide as a sphere; the one between place - 1 and place is closer.
static zn_model *row_of_shapes(int place, double depth, double deeper)
{
    const double        r = radius;
    const zn_vec3       cube[8] = {{-r, -r, -r}, {r, -r, -r}, {-r, r, -r}, {r, r, -r},
                                   {-r, -r, r},  {r, -r, r},  {-r, r, r},  {r, r, r}};
    const zn_shape_kind kinds[4] = {ZN_SHAPE_SPHERE, ZN_SHAPE_BOX, ZN_SHAPE_CAPSULE, ZN_SHAPE_HULL};
    zn_model           *model = space(0);
    double              x = 0;
    for (int i = 0; i < 16; i++) {
        zn_body_def  body = zn_body_def_default();
        zn_shape_def shape = zn_shape_def_default();
        x += i > 0 ? 2 * r - (i == place ? deeper : depth) : 0;
        body.mass = 1;
        body.inertia3 = (zn_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        body.position = (zn_vec3){x, 0, 0};
        CHECK_OK(zn_model_add_body(model, &body, &shape.at.node));
        shape.name = "ball";
        shape.kind = kinds[(i + i / 4) % 4]; // so that equal ones meet as well
        shape.radius = r;
        shape.length = shape.kind == ZN_SHAPE_CAPSULE ? r : 0;
        shape.box = (zn_vec3){2 * r, 2 * r, 2 * r};
        shape.point_count = shape.kind == ZN_SHAPE_HULL ? 8 : 0;
        shape.points = cube;
        CHECK_OK(zn_model_add_shape(model, &shape));
    }
    add_pairs(model, 0, 0, false);
    return model;
}

// What is known to be as deep is left out, what is deeper never.
static void test_deeper_than_known(void **state)
{
    (void)state;
    const double depth = 1e-3 * radius;
    for (int place = 1; place < 16; place++) {
        zn_system      *sys = NULL;
        zn_contact_set *set = NULL;
        zn_depth        found;
        zn_model       *model = row_of_shapes(place, depth, 2 * depth);
        CHECK_OK(zn_system_create(model, &sys));
        CHECK_OK(zn_contact_set_create(sys, &set));
        const double known[] = {0, 0.5 * depth, 1.5 * depth, 1.999 * depth, 2.001 * depth};
        for (int k = 0; k < 5; k++) {
            CHECK_OK(zn_contact_set_deepest(set, sys, sys->q0, 0, known[k], &found));
            if (k < 4)
                CHECK_NEAR(found.gap, -2 * depth, 1e-15);
            else
                assert_true(found.gap == INFINITY);
        }
        zn_contact_set_destroy(set);
        zn_system_destroy(sys);
        zn_model_destroy(model);
    }
}

// The search for contacts reckons with velocities and gravity. A load may throw a body farther in one step: then the
// step does not know of the contact, but the certificate does.
static void test_certificate_sees_what_the_step_missed(void **state)
{
    (void)state;
    zn_model *model = space(0);
    for (int i = 0; i < 12; i++)
        add_ball(model, mass, zn_vec3_make(0.5 * i, 0, 0), zn_vec3_make(0, 0, 0));
    add_pairs(model, 0, 0, false);
    zn_force_def load = zn_force_def_default();
    load.point.node = (zn_node_id){1};
    CHECK_OK(zn_signal_constant(9e5, &load.force[0]));
    CHECK_OK(zn_model_add_force(model, &load));
    zn_system *sys = NULL;
    zn_sim    *sim = NULL;
    zn_sim_def def = zn_sim_def_default();
    CHECK_OK(zn_system_create(model, &sys));
    def.scheme = scheme_named("moreau_jean", 1);
    def.step = def.until = 1e-3; // 9e5 / 2 (1e-3)^2 = 0.45 m of 0.5
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    CHECK_OK(zn_sim_run(sim));
    CHECK_NEAR(zn_sim_certificate(sim)->penetration.value, 2 * radius - 0.05, 1e-12);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

static void test_same_bits(void **state)
{
    (void)state;
    const char *const schemes[] = {"nsga", "combined_projection"};
    for (int s = 0; s < 2; s++) {
        rig a = rig_open(pile_model(60, 4, 0.2), tight(schemes[s])),
            b = rig_open(pile_model(60, 4, 0.2), tight(schemes[s]));
        while (a.state->t < 0.1) {
            rig_step(&a, 4e-3);
            rig_step(&b, 4e-3);
        }
        check_same_state(a.sys, a.state, b.state);
        rig_close(&a);
        rig_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_spheres),      cmocka_unit_test(test_columns_carry_their_weight),
        cmocka_unit_test(test_turning_together),  cmocka_unit_test(test_deepest_of_a_cloud),
        cmocka_unit_test(test_deeper_than_known), cmocka_unit_test(test_certificate_sees_what_the_step_missed),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
