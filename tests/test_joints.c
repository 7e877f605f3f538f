// Joints: values, rows, rates and curvature of every equation against finite differences at random states, what they
// need of a model, and the check at the start.
#include "joint_fixtures.h"

#include "model/attachment.h"
#include "model/joint/joint.h"
#include "model/signal.h"

// --- models --------------------------------------------------------------------------------------

static zn_node_id add_body(zn_model *model, const char *name, double inertia, zn_vec3 position, double angle)
{
    zn_body_def body = zn_body_def_default();
    zn_node_id  id = {0};
    body.name = name;
    body.mass = 2;
    body.inertia = inertia;
    body.position = position;
    body.angle = angle;
    CHECK_OK(zn_model_add_body(model, &body, &id));
    return id;
}

static bodies make_bodies(log_capture *log)
{
    bodies b = {.model = make_model(true, zn_vec3_make(0, 0, 0), log)};
    b.a = add_body(b.model, "a", 0.5, zn_vec3_make(1, 2, 0), 0.3);
    b.b = add_body(b.model, "b", 0.7, zn_vec3_make(-1, 0.5, 0), -7);
    b.p = add_body(b.model, "p", 0, zn_vec3_make(0.25, -1, 0), 0);
    return b;
}

static double motion_at(void *user, double t)
{
    (void)user;
    return 0.3 + sin(5 * t) * exp(-t);
}

static double motion_rate(double t) { return exp(-t) * (5 * cos(5 * t) - sin(5 * t)); }

// A joint of the kind between a and b, or a and the ground.
static zn_joint_def make_joint(const bodies *s, zn_joint_kind kind, bool ground)
{
    zn_joint_def def = zn_joint_def_default();
    def.name = "j";
    def.kind = kind;
    if (kind == ZN_JOINT_COUPLING) {
        def.dof[0] = (zn_joint_dof){s->a, ZN_COORDINATE_ANGLE, 2.5};
        def.dof[1] = (zn_joint_dof){s->b, ZN_COORDINATE_ANGLE, 3};
        if (ground) // a rack instead of a gear
            def.dof[1] = (zn_joint_dof){s->p, ZN_COORDINATE_Y, -0.4};
        return def;
    }
    if (kind == ZN_JOINT_MOTION) {
        def.dof[0] = (zn_joint_dof){s->a, ground ? ZN_COORDINATE_ANGLE : ZN_COORDINATE_X, 1};
        CHECK_OK(zn_signal_callback(motion_at, NULL, NULL, &def.motion));
        return def;
    }
    def.a = (zn_attachment){s->a, {0.4, -0.2, 0}};
    def.b.node = ground ? (zn_node_id){0} : s->b;
    if (kind == ZN_JOINT_ROD)
        def.b.at = zn_vec3_make(0.1, 0.3, 0);
    def.axis = zn_vec3_make(3, 4, 0);
    return def;
}

// --- finite differences --------------------------------------------------------------------------

// dg/dt at fixed q by differences of the gaps; they are of the size of 1.
static void check_rate(probe *p, zn_joint_kind kind, const double *q)
{
    static const double w[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, place[4] = {-2, -1, 1, 2};
    const double        h = 1e-3, t = p->t;
    CHECK_OK(zn_contact_set_evaluate(p->set, p->sys, q, t));
    double numeric[3] = {0}, gap[3];
    for (int k = 0; k < 4; k++) {
        CHECK_OK(zn_contact_set_gaps(p->set, p->sys, q, t + place[k] * h, gap));
        for (int i = 0; i < p->set->count; i++)
            numeric[i] += w[k] * gap[i] / h;
    }
    for (int i = 0; i < p->set->count; i++) {
        CHECK_NEAR(p->set->rate[i], numeric[i], 1e-9);
        CHECK_NEAR(p->set->rate[i], kind == ZN_JOINT_MOTION ? -motion_rate(t) : 0, 1e-11);
    }
}

static void test_differences(void **state)
{
    (void)state;
    static const int equations[] = {3, 2, 2, 1, 1, 1};
    uint64_t         seed = 3;
    for (int kind = ZN_JOINT_FIXED; kind <= ZN_JOINT_MOTION; kind++)
        for (int ground = 0; ground < 2; ground++) {
            bodies       s = make_bodies(NULL);
            zn_joint_def def = make_joint(&s, (zn_joint_kind)kind, ground);
            if (kind == ZN_JOINT_MOTION) // begins at 0.3
                s.model->node[s.a.value - 1].position.x = 0.3;
            check_joint(s.model, &def, equations[kind], 1, 1e-10, &seed, check_rate);
        }
}

// Rods, couplings and motions hold in space too.
static void test_spatial(void **state)
{
    (void)state;
    uint64_t    seed = 4;
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = zn_body_def_default();
    zn_node_def frame = zn_node_def_default();
    zn_node_id  id[2];
    body.mass = 1;
    body.position = zn_vec3_make(1, 2, 3);
    CHECK_OK(zn_model_add_body(model, &body, &id[0]));
    frame.kind = ZN_FRAME3; // without mass, so it rests; its degrees of freedom exist all the same
    frame.rotation = zn_so3_exp(zn_vec3_make(0.3, -0.8, 0.4));
    frame.fixed = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_node(model, &frame, &id[1]));
    zn_joint_def def = zn_joint_def_default();
    def.kind = ZN_JOINT_ROD;
    def.a.node = id[0];
    def.b = (zn_attachment){id[1], {0.2, -0.1, 0.4}};
    CHECK_OK(zn_model_add_joint(model, &def));
    def.kind = ZN_JOINT_COUPLING;
    def.dof[0] = (zn_joint_dof){id[0], ZN_COORDINATE_Z, 2};
    def.dof[1] = (zn_joint_dof){id[1], ZN_COORDINATE_Y, -1};
    CHECK_OK(zn_model_add_joint(model, &def));
    def.kind = ZN_JOINT_REVOLUTE;
    CHECK_STATUS(zn_model_add_joint(model, &def), ZN_ERR_MODEL); // without an axis
    fixture f = compile_fixture(model);
    probe   p = {.sys = f.sys};
    CHECK_OK(zn_contact_set_create(f.sys, &p.set));
    for (int trial = 0; trial < 10; trial++) {
        double dq[FIXTURE_MAX], q[FIXTURE_MAX], x[FIXTURE_MAX];
        random_fill(&seed, 0.8, f.sys->info.n_all, dq);
        random_fill(&seed, 1, f.sys->info.n_all, x);
        zn_system_retract(f.sys, f.sys->q0, dq, q);
        check_rows(&p, q, x, 1e-10);
    }
    zn_contact_set_destroy(p.set);
    destroy_fixture(&f);
}

// --- values --------------------------------------------------------------------------------------

// Gaps of a joint after moving a and b from the start.
static void moved_gaps(const bodies *s, const zn_joint_def *def, const double dq[8], double *gap)
{
    CHECK_OK(zn_model_add_joint(s->model, def));
    fixture         f = compile_fixture(s->model);
    zn_contact_set *set;
    double          q[8];
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_OK(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0));
    zn_system_retract(f.sys, f.sys->q0, dq, q);
    CHECK_OK(zn_contact_set_gaps(set, f.sys, q, 0, gap));
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

static void test_values(void **state)
{
    (void)state;
    double       gap[3];
    bodies       s = make_bodies(NULL);
    zn_joint_def def = make_joint(&s, ZN_JOINT_FIXED, true);
    def.a.at = zn_vec3_make(0, 0, 0);
    moved_gaps(&s, &def, (double[8]){0.1, -0.2, 0.3, 9, 9, 9, 9, 9}, gap); // a moves; b and p do not matter
    CHECK_NEAR(gap[0], 0.1, 1e-15);
    CHECK_NEAR(gap[1], -0.2, 1e-15);
    CHECK_NEAR(gap[2], 0.3, 1e-15);

    s = make_bodies(NULL);
    def = make_joint(&s, ZN_JOINT_PRISMATIC, true); // axis (3, 4) / 5, across (-4, 3) / 5
    moved_gaps(&s, &def, (double[8]){3, 4, 0}, gap);
    CHECK_NEAR(gap[0], 0, 1e-14);
    CHECK_NEAR(gap[1], 0, 0);
    s = make_bodies(NULL);
    moved_gaps(&s, &def, (double[8]){-4, 3, 0}, gap);
    CHECK_NEAR(gap[0], 5, 1e-14);

    s = make_bodies(NULL);
    def = make_joint(&s, ZN_JOINT_ROD, true);
    def.a.at = zn_vec3_make(0, 0, 0);
    def.b.at = zn_vec3_make(1, 0, 0);
    def.length = 2;
    moved_gaps(&s, &def, (double[8]){0, 1, 0}, gap);
    CHECK_NEAR(gap[0], 1, 1e-15);

    s = make_bodies(NULL);
    def = make_joint(&s, ZN_JOINT_COUPLING, false); // 2.5 a + 3 b
    moved_gaps(&s, &def, (double[8]){0, 0, 1, 0, 0, 10}, gap);
    CHECK_NEAR(gap[0], 32.5, 1e-13);
}

// A rod between bodies without a point on the second ends in its centre; other joints where `a` is.
static void test_default_points(void **state)
{
    (void)state;
    bodies       s = make_bodies(NULL);
    zn_joint_def def = make_joint(&s, ZN_JOINT_ROD, false);
    def.b.at = zn_joint_def_default().b.at;
    CHECK_OK(zn_model_add_joint(s.model, &def));
    const zn_joint *rod = s.model->rule[0].parameter;
    CHECK_NEAR(zn_vec3_norm(rod->b.at), 0, 0);
    def = make_joint(&s, ZN_JOINT_REVOLUTE, false);
    def.name = NULL;
    CHECK_OK(zn_model_add_joint(s.model, &def));
    const zn_joint *pin = s.model->rule[1].parameter;
    zn_vec3         there = zn_model_initial_position(s.model, &pin->b);
    zn_vec3         here = zn_model_initial_position(s.model, &pin->a);
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(there, here)), 0, 1e-15);
    assert_string_equal(pin->name, "joint_5"); // three bodies and a joint have names
    assert_true(zn_model_has_name(s.model, "j"));
    zn_model_destroy(s.model);
}

// --- rates of signals ----------------------------------------------------------------------------

static double check_signal(const char *text, double t)
{
    char       message[200];
    zn_signal *s;
    CHECK_OK(zn_signal_expression(text, 0, NULL, NULL, message, sizeof message, &s));
    double rate = zn_signal_rate(s, t);
    zn_signal_destroy(s);
    return rate;
}

static void test_signal_rates(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < 50; i++) {
        double t = -1 + 0.0777 * i;
        CHECK_NEAR(check_signal("3", t), 0, 0);
        CHECK_NEAR(check_signal("2*t", t), 2, 1e-13);
        CHECK_NEAR(check_signal("sin(t)", t), cos(t), 1e-12);
        CHECK_NEAR(check_signal("t^3 - 2*t", t), 3 * t * t - 2, 1e-11);
        CHECK_NEAR(check_signal("0.1*sin(2*pi*50*t)", t), 10 * pi * cos(100 * pi * t), 1e-11 * 10 * pi);
        CHECK_NEAR(check_signal("sin(4000*t)", t), 4000 * cos(4000 * t), 1e-10 * 4000);
        CHECK_NEAR(check_signal("t > 0.1 ? 3*(t - 0.1)^2 : 0", t), t > 0.1 ? 6 * (t - 0.1) : 0, 1e-11);
        CHECK_NEAR(check_signal("t > 0.1 ? 3*(t - 0.1) : 0", t), t > 0.1 ? 3 : 0, 1e-11);
    }
    // a period that divides the steps of the differences is not taken for rest
    CHECK_NEAR(check_signal("sin(2*pi*t)", 0), 2 * pi, 1e-10);
    CHECK_NEAR(check_signal("sin(2*pi*64*t)", 0), 2 * pi * 64, 1e-10 * 400);
    CHECK_NEAR(check_signal("sin(2*pi*2^21*t)", 0), 2 * pi * 0x1p21, 1e-3 * 2 * pi * 0x1p21);
    CHECK_NEAR(check_signal("sin(t)", 1e4), cos(1e4), 1e-10);
    CHECK_NEAR(check_signal("sin(t)", 0x1p33), cos(0x1p33), 1e-4); // steps are not lost in t

    zn_signal *s;
    CHECK_OK(zn_signal_series(3, (double[]){0, 1, 3}, (double[]){5, 7, 1}, &s));
    zn_signal_scale(s, 10);
    const double at[6] = {-1, 0, 0.5, 1, 2, 3}, slope[6] = {0, 20, 20, -30, -30, 0};
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(zn_signal_rate(s, at[i]), slope[i], 0);
    zn_signal_destroy(s);
}

// --- the check at the start ----------------------------------------------------------------------

static void check_start(zn_joint_def def, bodies s, log_capture *log, const char *message)
{
    CHECK_OK(zn_model_add_joint(s.model, &def));
    log_capture_clear(log);
    CHECK_STATUS(zn_model_validate(s.model), message ? ZN_ERR_MODEL : ZN_OK);
    if (message) {
        CHECK_LOGGED(log, message);
        assert_int_equal(log->count, 1);
    } else
        assert_int_equal(log->count, 0);
    zn_model_destroy(s.model);
}

static void test_violated(void **state)
{
    (void)state;
    log_capture  log = {0};
    bodies       s = make_bodies(&log);
    zn_joint_def def = make_joint(&s, ZN_JOINT_REVOLUTE, true);
    def.name = "crank";
    def.a.at = zn_vec3_make(0, 0, 0);
    def.b.at = zn_vec3_make(1, 2.003, 0);
    check_start(def, s, &log, "joint 'crank': violated by 3 mm at the start\n");
    s = make_bodies(&log);
    def.b.at = zn_vec3_make(1, 2 + 1e-6, 0);
    check_start(def, s, &log, "joint 'crank': violated by 1 um at the start\n");
    s = make_bodies(&log);
    def.b.at = zn_vec3_make(4, 2, 0);
    check_start(def, s, &log, "joint 'crank': violated by 3 m at the start\n");
    s = make_bodies(&log);
    def.b.at = zn_vec3_make(1, 2 + 2e-9, 0);
    check_start(def, s, &log, "joint 'crank': violated by 2 nm at the start\n");
    s = make_bodies(&log);
    def.b.at = zn_vec3_make(1, 2 + 1e-10, 0);
    check_start(def, s, &log, NULL);
    s = make_bodies(&log);
    def = make_joint(&s, ZN_JOINT_ROD, false);
    def.length = 10;
    check_start(def, s, &log, "joint 'j': violated by");
}

static zn_joint_def make_motion(const bodies *s, zn_coordinate coordinate, const char *text)
{
    zn_joint_def def = zn_joint_def_default();
    char         message[100];
    def.name = "drive";
    def.kind = ZN_JOINT_MOTION;
    def.dof[0] = (zn_joint_dof){s->a, coordinate, 1};
    CHECK_OK(zn_signal_expression(text, 0, NULL, NULL, message, sizeof message, &def.motion));
    return def;
}

static void test_motion_start(void **state)
{
    (void)state;
    log_capture log = {0};
    bodies      s = make_bodies(&log);
    check_start(make_motion(&s, ZN_COORDINATE_X, "1 + t"), s, &log, NULL);
    s = make_bodies(&log);
    check_start(make_motion(&s, ZN_COORDINATE_X, "1.5 + t"), s, &log,
                "joint 'drive': violated by 500 mm at the start: the initial value is 1 m, but the motion at "
                "t = 0 s is 1.5 m");
    s = make_bodies(&log);
    check_start(make_motion(&s, ZN_COORDINATE_ANGLE, "t"), s, &log,
                "joint 'drive': violated by 0.3 rad at the start: the initial value is 0.3 rad, but the motion at "
                "t = 0 s is 0 rad");
    s = make_bodies(&log); // the initial state is at another time
    s.model->start = 2;
    check_start(make_motion(&s, ZN_COORDINATE_Y, "t"), s, &log, NULL);
    s = make_bodies(&log);
    check_start(make_motion(&s, ZN_COORDINATE_Y, "1/t"), s, &log, "joint 'drive': not a finite number at t = 0 s");
}

// An equation that acts on nothing that can move would make every step singular.
static void test_nothing_to_hold(void **state)
{
    (void)state;
    log_capture log = {0};
    bodies      s = make_bodies(&log);
    s.model->node[s.a.value - 1].fixed = ZN_FIX_ROTATION;
    check_start(make_joint(&s, ZN_JOINT_PRISMATIC, true), s, &log, NULL); // its angle holds anyway
    s = make_bodies(&log);
    zn_joint_def late = make_joint(&s, ZN_JOINT_PRISMATIC, true);
    CHECK_OK(zn_model_add_joint(s.model, &late));
    s.model->node[s.a.value - 1].fixed = ZN_FIX_ROTATION; // only now
    log_capture_clear(&log);
    CHECK_STATUS(zn_model_validate(s.model), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "joint 'j': the angle is fixed already");
    zn_model_destroy(s.model);
    s = make_bodies(&log);
    s.model->node[s.a.value - 1].fixed = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_ROTATION;
    zn_joint_def none = make_joint(&s, ZN_JOINT_FIXED, true);
    CHECK_STATUS(zn_model_add_joint(s.model, &none), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "joint 'j': it holds nothing that can move");
    zn_model_destroy(s.model);
    s = make_bodies(&log); // its point swings around the centre, so it is held later
    s.model->node[s.a.value - 1].fixed = ZN_FIX_X | ZN_FIX_Y;
    zn_joint_def swinging = make_joint(&s, ZN_JOINT_REVOLUTE, true);
    CHECK_OK(zn_model_add_joint(s.model, &swinging));
    assert_int_equal(s.model->rule[s.model->rules - 1].max_contacts, 2);
    zn_model_destroy(s.model);
    s = make_bodies(&log);
    s.model->node[s.a.value - 1].fixed = ZN_FIX_X;
    check_start(make_motion(&s, ZN_COORDINATE_X, "1 + t"), s, &log, "joint 'drive': it holds nothing that can move");
    s = make_bodies(&log);
    s.model->node[s.a.value - 1].fixed = ZN_FIX_ROTATION; // b still turns
    check_start(make_joint(&s, ZN_JOINT_PRISMATIC, false), s, &log, NULL);
}

// --- what is refused -----------------------------------------------------------------------------

static void refuse(zn_joint_def def, bodies s, log_capture *log, const char *message)
{
    log_capture_clear(log);
    CHECK_STATUS(zn_model_add_joint(s.model, &def), ZN_ERR_MODEL);
    CHECK_LOGGED(log, message);
    zn_model_destroy(s.model);
}

static void test_refused(void **state)
{
    (void)state;
    log_capture  log = {0};
    bodies       s = make_bodies(&log);
    zn_joint_def def = make_joint(&s, ZN_JOINT_PRISMATIC, true);
    def.a = (zn_attachment){s.p, {0, 0, 0}};
    refuse(def, s, &log, "joint 'j': 'p' is a point mass and has no angle");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_FIXED, false);
    def.b.node = s.p;
    refuse(def, s, &log, "joint 'j': 'p' is a point mass and has no angle");
    s = make_bodies(&log);
    def = make_motion(&s, ZN_COORDINATE_ANGLE, "t");
    def.dof[0].node = s.p;
    refuse(def, s, &log, "joint 'drive': 'p' is a point mass and has no angle");
    s = make_bodies(&log), def = make_motion(&s, ZN_COORDINATE_Z, "t");
    refuse(def, s, &log, "joint 'drive': a z component in a planar model");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_PRISMATIC, false);
    def.axis = zn_vec3_make(0, 0, 0);
    refuse(def, s, &log, "joint 'j': zero axis");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_ROD, false);
    def.length = 0;
    refuse(def, s, &log, "joint 'j': length 0 m is not positive");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_ROD, true);
    def.a.at = zn_vec3_make(0, 0, 0);
    def.b.at = zn_vec3_make(1, 2, 0);
    refuse(def, s, &log, "joint 'j': its ends coincide at the start");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_REVOLUTE, false);
    def.b.node = s.a;
    refuse(def, s, &log, "joint 'j': it joins a body with itself");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_REVOLUTE, false);
    def.a.node.value = 0;
    refuse(def, s, &log, "joint 'j': its first body is the ground");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_REVOLUTE, false);
    def.b.node.value = 77;
    refuse(def, s, &log, "joint 'j': no such node");
}

static void test_refused_dofs(void **state)
{
    (void)state;
    log_capture  log = {0};
    bodies       s;
    zn_joint_def def;
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_COUPLING, false);
    def.dof[1].factor = 0;
    refuse(def, s, &log, "joint 'j': a factor is 0 or not finite");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_COUPLING, false);
    def.dof[1] = def.dof[0];
    refuse(def, s, &log, "joint 'j': it couples a degree of freedom with itself");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_COUPLING, false);
    def.dof[1].node.value = 0;
    refuse(def, s, &log, "joint 'j': no such node");
    s = make_bodies(&log), def = zn_joint_def_default();
    def.kind = ZN_JOINT_MOTION;
    def.dof[0].node = s.a;
    refuse(def, s, &log, "joint 'joint': it has no motion");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_REVOLUTE, true);
    def.name = "a";
    refuse(def, s, &log, "the name 'a' is used twice");
}

// The ends of a rod meet on the way: no direction, a message that names it.
static void test_rod_collapses(void **state)
{
    (void)state;
    log_capture  log = {0};
    bodies       s = make_bodies(&log);
    zn_joint_def def = make_joint(&s, ZN_JOINT_ROD, true);
    def.a.at = zn_vec3_make(0, 0, 0);
    def.b.at = zn_vec3_make(5, 5, 0);
    CHECK_OK(zn_model_add_joint(s.model, &def));
    fixture         f = compile_fixture(s.model);
    zn_contact_set *set;
    double          q[8] = {5, 5}, gap;
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_OK(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0));
    CHECK_STATUS(zn_contact_set_gaps(set, f.sys, q, 0, &gap), ZN_INVALID_STATE);
    CHECK_LOGGED(&log, "joint 'j': its ends coincide, so it has no direction");
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences),    cmocka_unit_test(test_spatial),         cmocka_unit_test(test_values),
        cmocka_unit_test(test_default_points), cmocka_unit_test(test_signal_rates),    cmocka_unit_test(test_violated),
        cmocka_unit_test(test_motion_start),   cmocka_unit_test(test_nothing_to_hold), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_refused_dofs),   cmocka_unit_test(test_rod_collapses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
