// Sensors: found by name, values against closed forms and against those that the system computes otherwise, gradients
// against central differences through zn_system_retract, for every kind in the plane and in space.
#include "fixtures.h"

#include "model/element/spring.h"

#include "model/sensor.h"
#include "system/system.h"

// --- two machines with one of everything -----------------------------------------------------------

static zn_node_id add_body(zn_model *model, bool planar, const char *name, zn_vec3 position, zn_vec3 turn)
{
    zn_body_def def = zn_body_def_default();
    zn_node_id  node = {0};
    def.name = name;
    def.mass = 2;
    def.position = position;
    if (planar) {
        def.inertia = 0.5;
        def.angle = turn.z;
    } else {
        def.inertia3 = (zn_mat3){{{1, 0.1, 0}, {0.1, 1.2, 0.05}, {0, 0.05, 0.9}}};
        def.rotation = zn_so3_exp(turn);
    }
    CHECK_OK(zn_model_add_body(model, &def, &node));
    return node;
}

static zn_attachment on(zn_node_id node, double x, double y, double z) { return (zn_attachment){node, {x, y, z}}; }

static void add_point(zn_model *model, const char *name, zn_attachment point)
{
    zn_point_def def = zn_point_def_default();
    def.name = name;
    def.point = point;
    CHECK_OK(zn_model_add_point(model, &def));
}

static void add_span(zn_model *model, const char *name, zn_attachment from, zn_attachment to, zn_node_id axes)
{
    zn_span_def def = zn_span_def_default();
    def.name = name;
    def.from = from;
    def.to = to;
    def.axes = axes;
    CHECK_OK(zn_model_add_span(model, &def));
}

static void add_joint(zn_model *model, zn_joint_kind kind, const char *name, zn_attachment a, zn_node_id b,
                      zn_vec3 axis)
{
    zn_joint_def def = zn_joint_def_default();
    def.name = name;
    def.kind = kind;
    def.a = a;
    def.b.node = b;
    def.axis = axis;
    CHECK_OK(zn_model_add_joint(model, &def));
}

static fixture make_machine(bool planar)
{
    zn_model     *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    double        z = planar ? 0 : 1;
    zn_node_id    ball = add_body(model, planar, "ball", zn_vec3_make(3, 1, 0.5 * z), zn_vec3_make(0, 0, 0));
    zn_node_id    arm = add_body(model, planar, "arm", zn_vec3_make(0.5, 0.2, -0.3 * z), zn_vec3_make(0.4, -0.2, 0.9));
    zn_node_id    leg = add_body(model, planar, "leg", zn_vec3_make(-1, 0.7, z), zn_vec3_make(-0.3, 0.8, 0.2));
    zn_attachment tip = on(arm, 0.7, -0.4, 0.6 * z), foot = on(leg, -0.2, 0.3, 0.1 * z);
    zn_spring_def spring = zn_spring_def_default();
    add_point(model, "tip", tip);
    add_point(model, "nail", on((zn_node_id){0}, 0.3, 0.4, 0.5 * z));
    add_span(model, "gap", foot, tip, (zn_node_id){0});
    add_span(model, "seen", foot, tip, leg);
    add_span(model, "aside", foot, tip, ball);
    add_span(model, "own", foot, tip, arm);
    add_span(model, "inner", on(arm, 0, 0, 0), tip, arm);
    spring.name = "spring";
    spring.from = tip;
    spring.to = foot;
    spring.stiffness = 3;
    spring.damping = 0.7;
    spring.rest_length = 0.5;
    CHECK_OK(zn_model_add_spring(model, &spring));
    if (planar) {
        add_joint(model, ZN_JOINT_REVOLUTE, "hinge", tip, leg, zn_vec3_make(0, 0, 0));
        add_joint(model, ZN_JOINT_REVOLUTE, "pin", foot, (zn_node_id){0}, zn_vec3_make(0, 0, 0));
        add_joint(model, ZN_JOINT_PRISMATIC, "slider", tip, leg, zn_vec3_make(3, 4, 0));
    }
    return compile_fixture(model);
}

static zn_sensor find(const fixture *f, const char *name)
{
    zn_sensor s;
    char      message[200] = "";
    if (zn_sensor_find(f->model, name, &s, message, sizeof message) != ZN_OK) {
        print_error("%s: %s\n", name, message);
        fail();
    }
    return s;
}

static const char *const planar_names[] = {
    "arm.position.x",
    "arm.y",
    "arm.displacement.y",
    "arm.velocity.x",
    "arm.angle",
    "arm.spin",
    "tip.position.x",
    "tip.velocity.y",
    "nail.velocity.x",
    "gap.position.y",
    "gap.velocity.x",
    "gap.length",
    "gap.rate",
    "seen.position.x",
    "seen.velocity.y",
    "aside.position.y",
    "own.velocity.x",
    "aside.velocity.x",
    "spring.length",
    "spring.rate",
    "spring.force",
    "hinge.angle",
    "hinge.rate",
    "pin.angle",
    "pin.rate",
    "slider.rate",
    "slider.displacement",
    "own.position.x",
    NULL,
};

static const char *const spatial_names[] = {
    "arm.position.z",   "arm.displacement.x", "arm.velocity.z",   "arm.spin.x",      "arm.world_spin.x",
    "arm.world_spin.z", "tip.position.y",     "tip.velocity.x",   "tip.velocity.z",  "gap.position.z",
    "gap.velocity.y",   "gap.length",         "gap.rate",         "seen.position.z", "seen.velocity.x",
    "seen.velocity.z",  "aside.position.y",   "aside.velocity.z", "own.velocity.x",  "own.position.y",
    "inner.velocity.y", "spring.length",      "spring.rate",      "spring.force",    NULL,
};

static void random_state(const zn_system *sys, uint64_t *seed, double *q, double *v)
{
    double dq[FIXTURE_MAX];
    random_fill(seed, 1, sys->info.n_all, dq);
    random_fill(seed, 1, sys->info.n_all, v);
    zn_system_retract(sys, sys->q0, dq, q);
}

// --- gradients -------------------------------------------------------------------------------------

typedef struct probe {
    const zn_sensor *sensor;
    const zn_layout *layout;
    const double    *v;
} probe;

static void value_at(void *user, const double *q, double *out)
{
    const probe *p = user;
    *out = zn_sensor_value(p->sensor, p->layout, (zn_at){.q = q, .v = p->v});
}

static void check_gradient(const fixture *f, const char *name, const double *q, const double *v, const double *x)
{
    zn_sensor s = find(f, name);
    int       dof[ZN_SENSOR_DOFS], n = f->sys->info.n_all;
    double    dq[ZN_SENSOR_DOFS], dv[ZN_SENSOR_DOFS], along[2] = {0, 0}, expected, moved[FIXTURE_MAX];
    probe     p = {&s, &f->sys->layout, v};
    int       count = zn_sensor_gradient(&s, p.layout, (zn_at){.q = q, .v = v}, dof, dq, dv);
    assert_in_range(count, 0, ZN_SENSOR_DOFS);
    bool uses_velocity = false;
    for (int i = 0; i < count; i++) {
        assert_in_range(dof[i], 0, n - 1);
        for (int k = 0; k < i; k++)
            assert_int_not_equal(dof[i], dof[k]);
        along[0] += dq[i] * x[dof[i]];
        along[1] += dv[i] * x[dof[i]];
        uses_velocity |= dv[i] != 0;
    }
    derivative_along(f->sys, value_at, &p, q, x, 1, &expected);
    CHECK_NEAR(along[0], expected, 1e-8);
    double value[2];
    for (int side = 0; side < 2; side++) { // linear in v but for rounding
        for (int i = 0; i < n; i++)
            moved[i] = v[i] + (side ? 0.5 : -0.5) * x[i];
        probe there = {&s, p.layout, moved};
        value_at(&there, q, &value[side]);
    }
    CHECK_NEAR(along[1], value[1] - value[0], 1e-13);
    if (uses_velocity)
        assert_true(zn_sensor_uses_velocity(&s));
}

static void test_gradients(void **state)
{
    (void)state;
    for (int planar = 0; planar < 2; planar++) {
        fixture  f = make_machine(planar);
        uint64_t seed = 7;
        for (int trial = 0; trial < 5; trial++) {
            double q[FIXTURE_MAX], v[FIXTURE_MAX], x[FIXTURE_MAX];
            random_state(f.sys, &seed, q, v);
            random_fill(&seed, 1, f.sys->info.n_all, x);
            for (const char *const *name = planar ? planar_names : spatial_names; *name; name++)
                check_gradient(&f, *name, q, v, x);
        }
        destroy_fixture(&f);
    }
}

// A rate is the time derivative of what it is the rate of: d/dq of that along v.
static void test_rates(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"arm.position.x", "arm.velocity.x"},
        {"tip.position.y", "tip.velocity.y"},
        {"gap.position.x", "gap.velocity.x"},
        {"seen.position.x", "seen.velocity.x"},
        {"own.position.y", "own.velocity.y"},
        {"aside.position.x", "aside.velocity.x"},
        {"gap.length", "gap.rate"},
        {"spring.length", "spring.rate"},
        {"hinge.angle", "hinge.rate"},
        {"slider.displacement", "slider.rate"},
        {"arm.angle", "arm.spin"},
    };
    for (int planar = 0; planar < 2; planar++) {
        fixture  f = make_machine(planar);
        uint64_t seed = 3;
        double   q[FIXTURE_MAX], v[FIXTURE_MAX], rate;
        random_state(f.sys, &seed, q, v);
        for (size_t i = 0; i < (planar ? 11 : 8); i++) {
            zn_sensor s = find(&f, pairs[i][0]), r = find(&f, pairs[i][1]);
            probe     p = {&s, &f.sys->layout, v};
            derivative_along(f.sys, value_at, &p, q, v, 1, &rate);
            CHECK_NEAR(zn_sensor_value(&r, &f.sys->layout, (zn_at){.q = q, .v = v}), rate, 1e-8);
        }
        destroy_fixture(&f);
    }
}

// --- values ----------------------------------------------------------------------------------------

static double value_of(const fixture *f, const char *name, const double *q, const double *v)
{
    zn_sensor s = find(f, name);
    return zn_sensor_value(&s, &f->sys->layout, (zn_at){.q = q, .v = v});
}

// A body that turns about its centre: x = c + R(phi) a, v = w z x R a, both by hand.
static void test_turning_point(void **state)
{
    (void)state;
    fixture f = make_machine(true);
    double  q[FIXTURE_MAX], v[FIXTURE_MAX] = {0}, phi = 2.3, w = 1.7;
    memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
    const zn_layout_node *arm = &f.sys->layout.node[1];
    q[arm->q + 2] = phi;
    v[arm->dof[5]] = w;
    v[arm->dof[0]] = 0.25;
    double x = 0.7 * cos(phi) + 0.4 * sin(phi), y = 0.7 * sin(phi) - 0.4 * cos(phi);
    CHECK_NEAR(value_of(&f, "tip.position.x", q, v), 0.5 + x, 1e-15);
    CHECK_NEAR(value_of(&f, "tip.position.y", q, v), 0.2 + y, 1e-15);
    CHECK_NEAR(value_of(&f, "tip.velocity.x", q, v), 0.25 - w * y, 1e-15);
    CHECK_NEAR(value_of(&f, "tip.velocity.y", q, v), w * x, 1e-15);
    CHECK_NEAR(value_of(&f, "arm.angle", q, v), phi, 0);
    CHECK_NEAR(value_of(&f, "hinge.angle", q, v), phi - 0.9, 1e-15); // the leg has not turned
    CHECK_NEAR(value_of(&f, "inner.position.x", q, v), 0.7, 1e-15);  // in its own axes it rests
    CHECK_NEAR(value_of(&f, "inner.velocity.x", q, v), 0, 1e-15);
    CHECK_NEAR(value_of(&f, "slider.displacement", f.sys->q0, v), 0, 1e-15);
    destroy_fixture(&f);
}

// What the sum of N times the row would be is the force that the system computes: of one spring alone, f = -N dl/dq.
static void test_spring_force(void **state)
{
    (void)state;
    for (int planar = 0; planar < 2; planar++) {
        fixture  f = make_machine(planar);
        uint64_t seed = 5;
        double   q[FIXTURE_MAX], v[FIXTURE_MAX], force[FIXTURE_MAX];
        random_state(f.sys, &seed, q, v);
        const zn_element_block *block = NULL;
        for (int b = 0; b < f.sys->blocks; b++)
            block = f.sys->block[b].ops == &zn_spring_ops ? &f.sys->block[b] : block;
        assert_non_null(block);
        memset(force, 0, sizeof force);
        CHECK_OK(block->ops->force(block, (zn_at){.q = q, .v = v}, force));
        zn_sensor s = find(&f, "spring.length");
        int       dof[ZN_SENSOR_DOFS];
        double    dq[ZN_SENSOR_DOFS], dv[ZN_SENSOR_DOFS], N = value_of(&f, "spring.force", q, v);
        int       count = zn_sensor_gradient(&s, &f.sys->layout, (zn_at){.q = q, .v = v}, dof, dq, dv);
        for (int i = 0; i < count; i++)
            CHECK_NEAR(force[dof[i]], -N * dq[i], 1e-13);
        destroy_fixture(&f);
    }
}

// Points that coincide: the length has no direction; its rate is the speed at which they part.
static void test_coincident(void **state)
{
    (void)state;
    zn_model  *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_node_id a = add_body(model, true, "a", zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0, 0));
    zn_node_id b = add_body(model, true, "b", zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0, 0));
    add_span(model, "off", on(a, 0, 0, 0), on(b, 0, 0, 0), (zn_node_id){0});
    fixture f = compile_fixture(model);
    double  v[FIXTURE_MAX] = {0};
    v[f.sys->layout.node[1].dof[0]] = 3;
    v[f.sys->layout.node[1].dof[1]] = -4;
    CHECK_NEAR(value_of(&f, "off.length", f.sys->q0, v), 0, 0);
    CHECK_NEAR(value_of(&f, "off.rate", f.sys->q0, v), 5, 1e-15);
    zn_sensor s = find(&f, "off.rate");
    int       dof[ZN_SENSOR_DOFS];
    double    dq[ZN_SENSOR_DOFS], dv[ZN_SENSOR_DOFS];
    int       count = zn_sensor_gradient(&s, &f.sys->layout, (zn_at){.q = f.sys->q0, .v = v}, dof, dq, dv);
    for (int i = 0; i < count; i++)
        assert_true(dq[i] == 0 && dv[i] == 0);
    destroy_fixture(&f);
}

static void test_states_and_memory(void **state)
{
    (void)state;
    fixture   f = make_machine(true);
    zn_sensor first = zn_sensor_of_state((zn_node_id){1}), held = zn_sensor_of_memory(1);
    double    q[FIXTURE_MAX + 2] = {0}, v[FIXTURE_MAX] = {0};
    v[f.sys->layout.node[0].dof[0]] = 0.75;
    CHECK_NEAR(zn_sensor_value(&first, &f.sys->layout, (zn_at){.q = q, .v = v}), 0.75, 0);
    zn_layout layout = f.sys->layout;
    layout.memory = f.sys->info.nq;
    q[layout.memory + 1] = -2;
    CHECK_NEAR(zn_sensor_value(&held, &layout, (zn_at){.q = q, .v = v}), -2, 0);
    assert_int_equal(zn_sensor_gradient(&held, &layout, (zn_at){.q = q, .v = v}, NULL, NULL, NULL), 0);
    destroy_fixture(&f);
}

// --- names -----------------------------------------------------------------------------------------

static void test_messages(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"arm", "'arm' is not of the form object.quantity or object.quantity.component"},
        {"arm.a.b.c", "'arm.a.b.c' is not of the form"},
        {"nobody.angle", "there is no object 'nobody'"},
        {"arm.colour", "'arm' has no 'colour' that depends on position, velocity and time alone"},
        {"arm.velocity", "'arm.velocity' is a vector; name a component, such as arm.velocity.x"},
        {"arm.velocity.z", "'arm.velocity' has no component 'z'"},
        {"arm.angle.x", "'arm.angle' has no component 'x'"},
        {"tip.angle", "'tip' has no 'angle'"},
        {"hinge.force", "'hinge' has no 'force'"},
        {"spring.length.x", "'spring.length' has no component 'x'"},
        {"arm.world_spin.x", "'arm' has no 'world_spin'"},
    };
    fixture f = make_machine(true);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        zn_sensor s;
        char      message[200] = "";
        assert_int_equal(zn_sensor_find(f.model, bad[i][0], &s, message, sizeof message), ZN_ERR_MODEL);
        if (!strstr(message, bad[i][1])) {
            print_error("%s: '%s' lacks '%s'\n", bad[i][0], message, bad[i][1]);
            fail();
        }
    }
    assert_string_equal(find(&f, "spring.force").unit, "N");
    assert_string_equal(find(&f, "hinge.angle").unit, "rad");
    assert_string_equal(find(&f, "slider.rate").unit, "m/s");
    destroy_fixture(&f);
}

static void test_bad_points(void **state)
{
    (void)state;
    log_capture  log = {0};
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), &log);
    zn_node_id   arm = add_body(model, true, "arm", zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0, 0));
    zn_point_def point = zn_point_def_default();
    zn_span_def  span = zn_span_def_default();
    point.name = "tip";
    point.point = on(arm, 0, 0, 1);
    assert_int_equal(zn_model_add_point(model, &point), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "point 'tip': a z component in a planar model");
    point.point.at.z = 0;
    point.name = "arm";
    assert_int_equal(zn_model_add_point(model, &point), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "the name 'arm' is used twice");
    span.name = "gap";
    span.from = span.to = on(arm, 1, 0, 0);
    assert_int_equal(zn_model_add_span(model, &span), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "span 'gap': it leads from a point to itself");
    span.to.at.x = 2;
    span.axes.value = 9;
    assert_int_equal(zn_model_add_span(model, &span), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "span 'gap': no such node");
    zn_attachment found;
    assert_false(zn_model_find_point(model, "arm", &found));
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients),     cmocka_unit_test(test_rates),
        cmocka_unit_test(test_turning_point), cmocka_unit_test(test_spring_force),
        cmocka_unit_test(test_coincident),    cmocka_unit_test(test_states_and_memory),
        cmocka_unit_test(test_messages),      cmocka_unit_test(test_bad_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
