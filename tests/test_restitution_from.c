// A ball that bounces with restitution e as long as it arrives with speed w or more, and then stays. Dropped so that it
// arrives with speed 1, it rebounds K times, K the number of e^k >= w, and rests from
//     T = (1 + 2 (e + e^2 + ... + e^K)) / g  on.
#include "fixtures.h"
#include "scheme_fixtures.h"

#include <string.h>

static const double gravity = 2;

static rig open_ball(const char *scheme, double e, double from)
{
    zn_model      *model = planar_model(-gravity, (zn_log){0});
    zn_contact_def def = zn_contact_def_default();
    def.name = "floor";
    def.point.node = add_point(model, 1 / (2 * gravity), 0);
    def.normal = zn_vec3_make(0, 1, 0);
    def.restitution = e;
    def.restitution_from = from;
    CHECK_OK(zn_model_add_contact(model, &def));
    return rig_open(model, scheme_named(scheme, 0.5));
}

typedef struct bounces {
    int    count;
    double rest;  // since when it does not move
    double depth; // deepest place at rest
} bounces;

static bounces watch(const char *scheme, double e, double from, double h, double until)
{
    rig     r = open_ball(scheme, e, from);
    bounces out = {.rest = 0};
    bool    falls = false;
    while (r.state->t < until) {
        rig_step(&r, h);
        double v = r.state->v[0];
        out.count += falls && v > 1e-6;
        falls = v < 0 || (falls && v <= 1e-6);
        if (fabs(v) > 1e-9)
            out.rest = r.state->t;
    }
    out.depth = -gap_of(&r, 0);
    rig_close(&r);
    return out;
}

static const char *const schemes[] = {"moreau_jean", "direct_projection", "combined_projection", "schatzman_paoli",
                                      "nsga",        "nsga_coupled",      "cd_lagrange"};

static void test_number_and_time(void **state)
{
    (void)state;
    const double cases[][2] = {{0.5, 0.1}, {0.5, 0.6}, {0.8, 0.35}, {0.5, 1.2}, {0.3, 0.02}};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            double e = cases[c][0], from = cases[c][1], h = 7e-4, rest = 1, speed = 1;
            int    count = 0;
            for (; speed >= from; count++) {
                speed *= e;
                rest += 2 * speed;
            }
            rest /= gravity;
            bounces b = watch(schemes[i], e, from, h, rest + 0.2);
            if (b.count != count || fabs(b.rest - rest) > (3 + 3 * count) * h || b.depth > 2 * h)
                fail_msg("%s, e = %g from %g m/s: %d rebounds, at rest from %g s on, %g m deep; expected %d, %g s",
                         schemes[i], e, from, b.count, b.rest, b.depth, count, rest);
        }
}

// Without a threshold it moves on: the sum has no end before (1 + e) / (1 - e) / g.
static void test_no_threshold(void **state)
{
    (void)state;
    double e = 0.8, end = (1 + e) / (1 - e) / gravity;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        bounces b = watch(schemes[i], e, 0, 7e-4, 0.9 * end);
        assert_true(b.count > 8 && b.rest > 0.89 * end);
    }
}

// Two contacts of one body: each by its own speed. A bar without spin falls flat; only its left end has a threshold,
// above the speed, so that end stays and the other one leaves with 0.5: the middle with a quarter.
static void test_each_by_itself(void **state)
{
    (void)state;
    zn_model   *model = planar_model(0, (zn_log){0});
    zn_body_def def = zn_body_def_default();
    zn_node_id  bar = {0};
    def.mass = 3;
    def.inertia = 1;
    def.position = zn_vec3_make(0, 1e-3, 0);
    def.velocity = zn_vec3_make(0, -1, 0);
    CHECK_OK(zn_model_add_body(model, &def, &bar));
    for (int side = -1; side <= 1; side += 2) {
        zn_contact_def end = zn_contact_def_default();
        end.point = (zn_attachment){bar, zn_vec3_make(side, 0, 0)};
        end.normal = zn_vec3_make(0, 1, 0);
        end.restitution = 0.5;
        end.restitution_from = side < 0 ? 1.5 : 0.5;
        CHECK_OK(zn_model_add_contact(model, &end));
    }
    rig r = rig_open(model, scheme_named("moreau_jean", 0.5));
    for (int k = 0; k < 10 && r.state->v[1] < 0; k++)
        rig_step(&r, 1e-3);
    CHECK_NEAR(r.state->v[1], 0.25, 1e-8);
    CHECK_NEAR(r.state->v[2], 0.25, 1e-8); // the bar has turned by 1e-4 in the step
    rig_close(&r);
}

// A block that slides on the floor with e_T is at rest along the normal: with a threshold it is Coulomb's friction
// alone that brakes it.
static void test_tangents(void **state)
{
    (void)state;
    static const char *const words[] = {"moreau_jean", "combined_projection", "nsga", "cd_lagrange"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        zn_model      *model = planar_model(-10, (zn_log){0});
        zn_body_def    def = zn_body_def_default();
        zn_contact_def floor = zn_contact_def_default();
        def.velocity = zn_vec3_make(1, 0, 0);
        def.mass = 1;
        CHECK_OK(zn_model_add_body(model, &def, &floor.point.node));
        floor.normal = zn_vec3_make(0, 1, 0);
        floor.friction = 0.2;
        floor.restitution = 0.5;
        floor.tangential_restitution = 0.5;
        floor.restitution_from = 1e-3;
        CHECK_OK(zn_model_add_contact(model, &floor));
        rig r = rig_open(model, scheme_named(words[i], 0.5));
        for (int k = 0; k < 250; k++)
            rig_step(&r, 1e-3);
        CHECK_NEAR(r.state->v[0], 0.5, 3e-3);
        for (int k = 0; k < 350; k++)
            rig_step(&r, 1e-3);
        CHECK_NEAR(r.state->v[0], 0, 1e-12);
        rig_close(&r);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    log_capture    log = {0};
    zn_model      *model = planar_model(-gravity, log_into(&log));
    zn_system     *sys = NULL;
    zn_scheme     *scheme = NULL;
    zn_contact_def def = zn_contact_def_default();
    zn_scheme_def  conserving = scheme_named("energy_momentum", 0.5);
    def.name = "floor";
    def.point.node = add_point(model, 1, 0);
    def.normal = zn_vec3_make(0, 1, 0);
    def.restitution = 1;
    const double bad[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        def.restitution_from = bad[i];
        CHECK_STATUS(zn_model_add_contact(model, &def), ZN_ERR_MODEL);
        CHECK_LOGGED(&log, "contact 'floor': restitution from");
    }
    def.restitution_from = 0.1;
    CHECK_OK(zn_model_add_contact(model, &def));
    CHECK_OK(zn_system_create(model, &sys));
    CHECK_STATUS(zn_scheme_create(&conserving, sys, &scheme), ZN_ERR_UNSUPPORTED);
    CHECK_LOGGED(&log, "restitution_from 0.1 m/s");
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_and_time), cmocka_unit_test(test_no_threshold),
        cmocka_unit_test(test_each_by_itself),  cmocka_unit_test(test_tangents),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
