// Travels of joints: rows and curvature of drives, stops and couplings against finite differences; angles over many
// turns in space; a pendulum between stops, a drive, gears with backlash; what is refused.
#include "joint_fixtures.h"

#include <math.h>

#include "model/joint/joint.h"
#include "model/memory.h"

static zn_node_id add_body(zn_model *model, const char *name, zn_vec3 position, zn_vec3 turn)
{
    zn_body_def body = zn_body_def_default();
    zn_node_id  id = {0};
    body.name = name;
    body.mass = 2;
    body.position = position;
    if (model->planar) {
        body.inertia = 0.3;
        body.angle = turn.z;
    } else {
        body.inertia3 = (zn_mat3){{{0.5, 0.02, 0.03}, {0.02, 0.6, -0.04}, {0.03, -0.04, 0.7}}};
        body.rotation = zn_so3_exp(turn);
    }
    CHECK_OK(zn_model_add_body(model, &body, &id));
    return id;
}

static zn_model *make_pair(bool planar, zn_node_id *a, zn_node_id *b, log_capture *log)
{
    zn_model *model = make_model(planar, zn_vec3_make(0, 0, 0), log);
    *a = add_body(model, "a", zn_vec3_make(1, 2, planar ? 0 : 0.5), zn_vec3_make(0.3, -0.8, 0.4));
    *b = add_body(model, "b", zn_vec3_make(-1, 0.5, planar ? 0 : 0.25), zn_vec3_make(-1.2, 0.5, 0.9));
    return model;
}

static zn_joint_def make_joint(const char *name, zn_joint_kind kind, zn_node_id a, zn_node_id b)
{
    zn_joint_def def = zn_joint_def_default();
    def.name = name;
    def.kind = kind;
    def.a = (zn_attachment){a, {0.1, -0.2, 0}};
    def.b.node = b;
    def.axis = (zn_vec3){2, 1, 0};
    return def;
}

static zn_signal *formula(const char *text)
{
    zn_signal *signal = NULL;
    char       message[100];
    CHECK_OK(zn_signal_expression(text, 0, NULL, NULL, message, sizeof message, &signal));
    return signal;
}

// --- finite differences --------------------------------------------------------------------------

// All rules of a model at once: the joint, its drive and stops, a coupling of two travels.
static void check_derivatives(bool planar, zn_joint_kind kind, bool ground)
{
    log_capture  log = {0};
    zn_node_id   a, b;
    zn_model    *model = make_pair(planar, &a, &b, &log);
    zn_joint_def def = make_joint("j", kind, a, ground ? (zn_node_id){0} : b);
    if (!planar)
        def.axis = (zn_vec3){2, 1, -2};
    zn_travel travel = {0};
    zn_joint  joint = {.a = def.a, .b = {def.b.node, {0.2, 0.1, 0}}};
    CHECK_OK(zn_joint_add_travel(model, &def, &joint));
    travel = joint.travel;
    zn_system *sys = NULL;
    CHECK_OK(zn_system_create(model, &sys));
    int    n = sys->info.n_all, dof[ZN_TRAVEL_ENTRIES];
    double x[12], q[16], plus[16], minus[16], d[12], value[ZN_TRAVEL_ENTRIES], rate = 0;
    for (int i = 0; i < n; i++)
        x[i] = sin(1.0 + 2.3 * i);
    zn_system_retract(sys, sys->q0, x, q); // no longer at the start, joint violated
    for (int i = 0; i < n; i++)
        x[i] = cos(0.4 + 1.7 * i);
    const double h = 1e-5;
    for (int i = 0; i < n; i++)
        d[i] = h * x[i];
    zn_system_retract(sys, q, d, plus);
    for (int i = 0; i < n; i++)
        d[i] = -d[i];
    zn_system_retract(sys, q, d, minus);
    const zn_layout *layout = &sys->layout;
    int              count = zn_travel_row(&travel, layout, q, dof, value);
    for (int i = 0; i < count; i++)
        rate += value[i] * x[dof[i]];
    CHECK_NEAR(rate, zn_travel_rate(&travel, layout, q, x), 1e-14);
    CHECK_NEAR(rate, (zn_travel_value(&travel, layout, plus) - zn_travel_value(&travel, layout, minus)) / (2 * h),
               1e-8);
    double v[12], slope = 0;
    for (int i = 0; i < n; i++)
        v[i] = sin(0.9 * i * i);
    count = zn_travel_rate_row(&travel, layout, q, v, dof, value);
    for (int i = 0; i < count; i++)
        slope += value[i] * x[dof[i]];
    CHECK_NEAR(slope, (zn_travel_rate(&travel, layout, plus, v) - zn_travel_rate(&travel, layout, minus, v)) / (2 * h),
               1e-8);
    double change[12] = {0}, difference[12] = {0};
    zn_travel_change(&travel, layout, q, 1, x, change);
    count = zn_travel_row(&travel, layout, plus, dof, value);
    for (int i = 0; i < count; i++)
        difference[dof[i]] += value[i] / (2 * h);
    count = zn_travel_row(&travel, layout, minus, dof, value);
    for (int i = 0; i < count; i++)
        difference[dof[i]] -= value[i] / (2 * h);
    for (int i = 0; i < n; i++)
        CHECK_NEAR(change[i], difference[i], 1e-8);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

static void rows_and_their_changes(void **state)
{
    (void)state;
    for (int planar = 0; planar < 2; planar++)
        for (int ground = 0; ground < 2; ground++) {
            check_derivatives(planar, ZN_JOINT_REVOLUTE, ground);
            check_derivatives(planar, ZN_JOINT_PRISMATIC, ground);
        }
}

static void rules_against_differences(void **state)
{
    (void)state;
    for (int planar = 0; planar < 2; planar++) {
        log_capture  log = {0};
        zn_node_id   a, b;
        zn_model    *model = make_pair(planar, &a, &b, &log);
        zn_joint_def first = make_joint("first", ZN_JOINT_REVOLUTE, a, b);
        zn_joint_def second = make_joint("second", ZN_JOINT_PRISMATIC, b, (zn_node_id){0});
        first.motion = formula("0.5*sin(t)");
        second.start = 0.1;
        second.limits[0] = -1;
        second.limits[1] = 2;
        zn_joint_def rack = zn_joint_def_default();
        rack.name = "rack";
        rack.kind = ZN_JOINT_COUPLING;
        rack.joint[0] = "first";
        rack.joint[1] = "second";
        rack.factor[1] = -4;
        CHECK_OK(zn_model_add_joint(model, &first));
        CHECK_OK(zn_model_add_joint(model, &second));
        CHECK_OK(zn_model_add_joint(model, &rack));
        rack.name = "loose";
        rack.backlash = 0.2;
        CHECK_OK(zn_model_add_joint(model, &rack));
        zn_system *sys = NULL;
        CHECK_OK(zn_system_create(model, &sys));
        zn_contact_set *set = NULL;
        CHECK_OK(zn_contact_set_create(sys, &set));
        double q[16], x[12], d[12];
        for (int i = 0; i < sys->info.n_all; i++) {
            d[i] = 0.3 * sin(1.0 + 2.3 * i);
            x[i] = cos(0.4 + 1.7 * i);
        }
        zn_system_retract(sys, sys->q0, d, q);
        double       lambda[20], exact[12], numeric[12], gap[2][20];
        const double h = 1e-5;
        CHECK_OK(zn_contact_set_refresh(set, sys, q, 0.3));
        int count = set->count;
        assert_int_equal(count, planar ? 10 : 16);
        for (int i = 0; i < count; i++)
            lambda[i] = sin(3.0 * i + 1);
        CHECK_OK(zn_contact_set_curvature(set, sys, q, 0.3, lambda, x, exact));
        memset(numeric, 0, sizeof numeric);
        for (int side = 0; side < 2; side++) {
            double to[16], step[12];
            for (int i = 0; i < sys->info.n_all; i++)
                step[i] = (side ? -h : h) * x[i];
            zn_system_retract(sys, q, step, to);
            CHECK_OK(zn_contact_set_evaluate(set, sys, to, 0.3));
            CHECK_OK(zn_contact_set_gaps(set, sys, to, 0.3, gap[side]));
            for (int i = 0; i < count; i++)
                for (int e = set->row_start[i]; e < set->row_start[i + 1]; e++)
                    numeric[set->row_dof[e]] += (side ? -1 : 1) * lambda[i] * set->row_value[e] / (2 * h);
        }
        for (int i = 0; i < sys->info.n_all; i++)
            CHECK_NEAR(exact[i], numeric[i], 1e-7);
        CHECK_OK(zn_contact_set_evaluate(set, sys, q, 0.3));
        for (int i = 0; i < count; i++) {
            double rate = 0;
            for (int e = set->row_start[i]; e < set->row_start[i + 1]; e++)
                rate += set->row_value[e] * x[set->row_dof[e]];
            CHECK_NEAR(rate, (gap[0][i] - gap[1][i]) / (2 * h), 1e-8);
        }
        zn_contact_set_destroy(set);
        zn_system_destroy(sys);
        zn_model_destroy(model);
    }
}

// --- many turns ----------------------------------------------------------------------------------

// Both bodies turn about a common axis, a 40 times against b, with steps of a radian.
static void angles_unwrap(void **state)
{
    (void)state;
    log_capture log = {0};
    zn_node_id  a, b;
    zn_model   *model = make_pair(false, &a, &b, &log);
    zn_vec3     axis = zn_vec3_scale(1 / 3.0, (zn_vec3){2, 1, -2});
    zn_travel   travel;
    CHECK_OK(zn_model_travel_about(model, a, b, axis, 0.25, &travel));
    zn_system *sys = NULL;
    CHECK_OK(zn_system_create(model, &sys));
    double q[15], d[12] = {0}, angle = 0.25;
    memcpy(q, sys->q0, sizeof q);
    CHECK_NEAR(zn_travel_value(&travel, &sys->layout, q), 0.25, 1e-15);
    zn_vec3 own[2] = {zn_quat_rotate(zn_quat_conjugate(model->node[0].rotation), axis),
                      zn_quat_rotate(zn_quat_conjugate(model->node[1].rotation), axis)};
    for (int k = 0; k < 250; k++) {
        const double turn[2] = {0.7, -0.3};
        for (int i = 0; i < 2; i++) {
            d[sys->layout.node[i].dof[3]] = turn[i] * own[i].x;
            d[sys->layout.node[i].dof[4]] = turn[i] * own[i].y;
            d[sys->layout.node[i].dof[5]] = turn[i] * own[i].z;
        }
        zn_system_retract(sys, q, d, q);
        angle += 1;
        CHECK_NEAR(zn_travel_value(&travel, &sys->layout, q), angle, 1e-12);
    }
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

// --- refusals ------------------------------------------------------------------------------------

static void refused(zn_joint_def def, zn_node_id a, zn_model *model, log_capture *log, const char *text)
{
    def.name = "j";
    def.a.node = a;
    log_capture_clear(log);
    assert_int_equal(zn_model_add_joint(model, &def), ZN_ERR_MODEL);
    CHECK_LOGGED(log, text);
}

static void faults(void **state)
{
    (void)state;
    log_capture  log = {0};
    zn_node_id   a, b;
    zn_model    *model = make_pair(true, &a, &b, &log);
    zn_joint_def def = make_joint("j", ZN_JOINT_REVOLUTE, a, b), bad = def;
    bad.limits[0] = 1;
    bad.limits[1] = -1;
    refused(bad, a, model, &log, "the first of its limits, 1 rad, is not below the second, -1 rad");
    bad.limits[1] = 2;
    refused(bad, a, model, &log, "it starts at 0 rad, outside its limits 1 to 2 rad");
    bad = def;
    bad.start = 0.5;
    bad.motion = formula("t");
    refused(bad, a, model, &log, "it starts at 0.5 rad, but its motion at t = 0 s is 0 rad");
    bad = def;
    bad.kind = ZN_JOINT_FIXED;
    bad.limits[0] = -1;
    refused(bad, a, model, &log, "only revolute and prismatic joints have a travel");
    bad = def;
    bad.kind = ZN_JOINT_COUPLING;
    bad.joint[0] = "nobody";
    bad.joint[1] = "j";
    refused(bad, a, model, &log, "'nobody' is no revolute or prismatic joint");
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_their_changes),
        cmocka_unit_test(rules_against_differences),
        cmocka_unit_test(angles_unwrap),
        cmocka_unit_test(faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
