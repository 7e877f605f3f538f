// Joints in space: rows and curvature of every equation against finite differences, the motions each kind admits and
// forbids, and what is refused.
#include "joint_fixtures.h"

#include "model/joint/joint.h"

// --- models --------------------------------------------------------------------------------------

static const zn_vec3 point = {0.7, -0.3, 1.2};              // of the joints, in world axes
static const zn_vec3 axis = {2, 1, -2}, axis2 = {3, -2, 2}; // perpendicular

static zn_node_id add_body(zn_model *model, const char *name, zn_vec3 position, zn_vec3 turn, bool rigid)
{
    zn_body_def body = zn_body_def_default();
    zn_node_id  id = {0};
    body.name = name;
    body.mass = 2;
    body.position = position;
    if (rigid) {
        body.inertia3 = (zn_mat3){{{0.5, 0.02, 0.03}, {0.02, 0.6, -0.04}, {0.03, -0.04, 0.7}}};
        body.rotation = zn_so3_exp(turn);
    }
    CHECK_OK(zn_model_add_body(model, &body, &id));
    return id;
}

static bodies make_bodies(log_capture *log)
{
    bodies b = {.model = make_model(false, zn_vec3_make(0, 0, 0), log)};
    b.a = add_body(b.model, "a", zn_vec3_make(1, 2, 0.5), zn_vec3_make(0.3, -0.8, 0.4), true);
    b.b = add_body(b.model, "b", zn_vec3_make(-1, 0.5, 0.25), zn_vec3_make(-1.2, 0.5, 0.9), true);
    b.p = add_body(b.model, "p", zn_vec3_make(0.25, -1, 0.75), zn_vec3_make(0, 0, 0), false);
    return b;
}

// A point of the world in the axes of a body at the start.
static zn_vec3 on_body(const zn_model *model, zn_node_id id, zn_vec3 x)
{
    const zn_node_def *node = &model->node[id.value - 1];
    return zn_quat_rotate(zn_quat_conjugate(node->rotation), zn_vec3_sub(x, node->position));
}

static zn_joint_def make_joint(const bodies *s, zn_joint_kind kind, bool ground)
{
    zn_joint_def def = zn_joint_def_default();
    def.name = "j";
    def.kind = kind;
    def.a = (zn_attachment){s->a, on_body(s->model, s->a, point)};
    def.b.node = ground ? (zn_node_id){0} : s->b;
    if (kind == ZN_JOINT_ROD)
        def.b.at = zn_vec3_make(0.1, 0.3, -0.2);
    def.axis = axis;
    def.axis2 = axis2;
    if (kind == ZN_JOINT_COUPLING) {
        def.dof[0] = (zn_joint_dof){s->a, ZN_COORDINATE_Z, 2.5};
        def.dof[1] = (zn_joint_dof){ground ? s->p : s->b, ZN_COORDINATE_X, -0.4};
    }
    if (kind == ZN_JOINT_MOTION) {
        char message[100];
        def.dof[0] = (zn_joint_dof){s->a, ground ? ZN_COORDINATE_Y : ZN_COORDINATE_Z, 1};
        CHECK_OK(zn_signal_expression(ground ? "2*cos(3*t)" : "0.5 + sin(t)", 0, NULL, NULL, message, sizeof message,
                                      &def.motion));
    }
    return def;
}

static const int equations[] = {6, 5, 5, 1, 1, 1, 3, 4, 3, 4}; // of zn_joint_kind

// --- finite differences --------------------------------------------------------------------------

// dg/dt at fixed q.
static void check_rate(probe *p, zn_joint_kind kind, const double *q)
{
    (void)kind;
    const double h = 1e-4, t = p->t;
    double       after[6], before[6];
    CHECK_OK(zn_contact_set_evaluate(p->set, p->sys, q, t));
    CHECK_OK(zn_contact_set_gaps(p->set, p->sys, q, t + h, after));
    CHECK_OK(zn_contact_set_gaps(p->set, p->sys, q, t - h, before));
    for (int i = 0; i < p->set->count; i++)
        CHECK_NEAR(p->set->rate[i], (after[i] - before[i]) / (2 * h), 1e-6);
}

static void test_differences(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int kind = ZN_JOINT_FIXED; kind <= ZN_JOINT_UNIVERSAL; kind++)
        for (int ground = 0; ground < 2; ground++) {
            bodies       s = make_bodies(NULL);
            zn_joint_def def = make_joint(&s, (zn_joint_kind)kind, ground);
            check_joint(s.model, &def, equations[kind], 1.5, 2e-10, &seed, check_rate);
        }
}

// --- what a joint admits -------------------------------------------------------------------------

// Move a body: turn by psi about the point c of the world, then shift by d.
static void move(const zn_system *sys, zn_node_id id, zn_vec3 psi, zn_vec3 c, zn_vec3 d, double *q)
{
    double *x = q + sys->layout.node[id.value - 1].q, *r = x + 3;
    zn_quat turn = zn_so3_exp(psi), next = zn_quat_product(turn, (zn_quat){r[0], r[1], r[2], r[3]});
    zn_vec3 lever = zn_quat_rotate(turn, zn_vec3_sub(zn_vec3_make(x[0], x[1], x[2]), c));
    zn_vec3 to = zn_vec3_add(zn_vec3_add(c, lever), d);
    memcpy(x, (double[7]){to.x, to.y, to.z, next.w, next.x, next.y, next.z}, 7 * sizeof *x);
}

static zn_vec3 along(zn_vec3 a, double length) { return zn_vec3_scale(length / zn_vec3_norm(a), a); }

// Turn a by `about` and then by `then`, both through the point of the joint, and shift it by `shift`; then move both
// bodies together. Largest violation.
static double violation(zn_joint_kind kind, bool ground, zn_vec3 about, zn_vec3 then, zn_vec3 shift)
{
    const zn_vec3 nowhere = {0, 0, 0};
    bodies        s = make_bodies(NULL);
    zn_joint_def  def = make_joint(&s, kind, ground);
    double        q[FIXTURE_MAX], gap[6];
    CHECK_OK(zn_model_add_joint(s.model, &def));
    fixture f = compile_fixture(s.model);
    probe   p = {.sys = f.sys};
    CHECK_OK(zn_contact_set_create(f.sys, &p.set));
    CHECK_OK(zn_contact_set_refresh(p.set, f.sys, f.sys->q0, 0));
    memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
    move(f.sys, s.a, about, point, nowhere, q);
    move(f.sys, s.a, then, point, shift, q);
    if (!ground) {
        move(f.sys, s.a, zn_vec3_make(0.9, -2, 0.4), zn_vec3_make(3, 1, 2), zn_vec3_make(1, 2, -4), q);
        move(f.sys, s.b, zn_vec3_make(0.9, -2, 0.4), zn_vec3_make(3, 1, 2), zn_vec3_make(1, 2, -4), q);
    }
    gaps_of(&p, q, gap);
    double worst = largest_of(equations[kind], gap);
    zn_contact_set_destroy(p.set);
    destroy_fixture(&f);
    return worst;
}

static void test_motions(void **state)
{
    (void)state;
    const zn_vec3 none = {0, 0, 0}, turn = along(axis, 1.3), turn2 = along(axis2, 0.7), slide = along(axis, 0.6);
    const zn_vec3 across = along(axis2, 0.5), across2 = along(zn_vec3_cross(axis, axis2), 0.4);
    enum {
        FIXED = 1 << ZN_JOINT_FIXED,
        REVOLUTE = 1 << ZN_JOINT_REVOLUTE,
        PRISMATIC = 1 << ZN_JOINT_PRISMATIC,
        SPHERICAL = 1 << ZN_JOINT_SPHERICAL,
        CYLINDRICAL = 1 << ZN_JOINT_CYLINDRICAL,
        PLANAR = 1 << ZN_JOINT_PLANAR,
        UNIVERSAL = 1 << ZN_JOINT_UNIVERSAL
    };
    const struct {
        zn_vec3  about, then, shift;
        unsigned admitted; // by these kinds
    } motions[] = {
        {none, none, none, FIXED | REVOLUTE | PRISMATIC | SPHERICAL | CYLINDRICAL | PLANAR | UNIVERSAL},
        {turn, none, none, REVOLUTE | SPHERICAL | CYLINDRICAL | PLANAR | UNIVERSAL},
        {turn2, none, none, SPHERICAL | UNIVERSAL},
        {turn, turn2, none, SPHERICAL | UNIVERSAL},
        {turn2, turn, none, SPHERICAL},
        {across2, none, none, SPHERICAL},
        {none, none, slide, PRISMATIC | CYLINDRICAL},
        {turn, none, slide, CYLINDRICAL},
        {none, none, across, PLANAR},
        {turn, none, across2, PLANAR},
    };
    const zn_joint_kind kinds[] = {ZN_JOINT_FIXED,       ZN_JOINT_REVOLUTE, ZN_JOINT_PRISMATIC, ZN_JOINT_SPHERICAL,
                                   ZN_JOINT_CYLINDRICAL, ZN_JOINT_PLANAR,   ZN_JOINT_UNIVERSAL};
    for (int k = 0; k < 7; k++)
        for (int ground = 0; ground < 2; ground++)
            for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
                double worst = violation(kinds[k], ground, motions[i].about, motions[i].then, motions[i].shift);
                if (motions[i].admitted >> kinds[k] & 1)
                    CHECK_BELOW(worst, 5e-15);
                else
                    CHECK_BELOW(0.05, worst);
            }
}

// Equations of one joint are independent: the rows of one body have full rank.
static void test_rank(void **state)
{
    (void)state;
    for (int kind = ZN_JOINT_FIXED; kind <= ZN_JOINT_UNIVERSAL; kind++) {
        bodies       s = make_bodies(NULL);
        zn_joint_def def = make_joint(&s, (zn_joint_kind)kind, true);
        CHECK_OK(zn_model_add_joint(s.model, &def));
        fixture f = compile_fixture(s.model);
        probe   p = {.sys = f.sys};
        double  row[6][FIXTURE_MAX];
        int     m = equations[kind];
        CHECK_OK(zn_contact_set_create(f.sys, &p.set));
        CHECK_OK(zn_contact_set_refresh(p.set, f.sys, f.sys->q0, 0));
        for (int i = 0; i < m; i++) {
            row_of(&p, i, row[i]);
            for (int j = 0; j < i; j++) { // rows before are of unit length
                double dot = 0;
                for (int k = 0; k < f.sys->info.n_all; k++)
                    dot += row[i][k] * row[j][k];
                for (int k = 0; k < f.sys->info.n_all; k++)
                    row[i][k] -= dot * row[j][k];
            }
            double length = 0;
            for (int k = 0; k < f.sys->info.n_all; k++)
                length += row[i][k] * row[i][k];
            CHECK_BELOW(0.1, length);
            for (int k = 0; k < f.sys->info.n_all; k++)
                row[i][k] /= sqrt(length);
        }
        zn_contact_set_destroy(p.set);
        destroy_fixture(&f);
    }
}

// --- the check at the start, and what is refused --------------------------------------------------

static void check_start(zn_joint_def def, bodies s, log_capture *log, const char *message)
{
    CHECK_OK(zn_model_add_joint(s.model, &def));
    log_capture_clear(log);
    CHECK_STATUS(zn_model_validate(s.model), message ? ZN_ERR_MODEL : ZN_OK);
    if (message)
        CHECK_LOGGED(log, message);
    zn_model_destroy(s.model);
}

static void test_start(void **state)
{
    (void)state;
    log_capture  log = {0};
    bodies       s = make_bodies(&log);
    zn_joint_def def = make_joint(&s, ZN_JOINT_REVOLUTE, true);
    def.b.at = zn_vec3_add(point, zn_vec3_make(0, 0, 3e-3));
    check_start(def, s, &log, "joint 'j': violated by 3 mm at the start");
    s = make_bodies(&log);
    def = make_joint(&s, ZN_JOINT_PRISMATIC, true); // points may be apart
    def.b.at = zn_vec3_add(point, zn_vec3_make(0.1, 0, 3e-3));
    check_start(def, s, &log, NULL);
    s = make_bodies(&log);
    s.model->node[s.a.value - 1].fixed = ZN_FIX_ROTATION;
    check_start(make_joint(&s, ZN_JOINT_CYLINDRICAL, true), s, &log, NULL); // its rotation holds anyway
    s = make_bodies(&log);
    s.model->node[s.a.value - 1].fixed = ZN_FIX_ROTATION; // b still turns
    check_start(make_joint(&s, ZN_JOINT_CYLINDRICAL, false), s, &log, NULL);
    s = make_bodies(&log); // repeated equations are allowed
    def = make_joint(&s, ZN_JOINT_FIXED, false);
    CHECK_OK(zn_model_add_joint(s.model, &def));
    def.name = "again";
    check_start(def, s, &log, NULL);
}

static void refuse(zn_joint_def def, bodies s, log_capture *log, zn_status status, const char *message)
{
    log_capture_clear(log);
    CHECK_STATUS(zn_model_add_joint(s.model, &def), status);
    CHECK_LOGGED(log, message);
    zn_model_destroy(s.model);
}

static void test_refused(void **state)
{
    (void)state;
    log_capture         log = {0};
    const zn_joint_kind turning[] = {ZN_JOINT_FIXED,       ZN_JOINT_REVOLUTE, ZN_JOINT_PRISMATIC,
                                     ZN_JOINT_CYLINDRICAL, ZN_JOINT_PLANAR,   ZN_JOINT_UNIVERSAL};
    for (int i = 0; i < 6; i++) {
        bodies       s = make_bodies(&log);
        zn_joint_def def = make_joint(&s, turning[i], false);
        def.b.node = s.p;
        refuse(def, s, &log, ZN_ERR_MODEL, "joint 'j': 'p' is a point mass and has no rotation; give it an inertia");
        if (turning[i] == ZN_JOINT_FIXED)
            continue;
        s = make_bodies(&log), def = make_joint(&s, turning[i], true);
        def.axis = zn_vec3_make(0, 0, 0);
        refuse(def, s, &log, ZN_ERR_MODEL, "joint 'j': zero axis");
    }
    bodies       s = make_bodies(&log);
    zn_joint_def def = make_joint(&s, ZN_JOINT_UNIVERSAL, false);
    def.axis2 = zn_vec3_make(1, 0, 0);
    refuse(def, s, &log, ZN_ERR_MODEL, "joint 'j': its two axes are not perpendicular: their cosine is 0.666667");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_COUPLING, false);
    def.dof[0].coordinate = ZN_COORDINATE_ANGLE;
    refuse(def, s, &log, ZN_ERR_UNSUPPORTED, "joint 'j': 'a' has no single angle");
    s = make_bodies(&log), def = make_joint(&s, ZN_JOINT_REVOLUTE, false);
    def.kind = (zn_joint_kind)77;
    refuse(def, s, &log, ZN_ERR_ARGUMENT, "joint 'j': no such kind");
    for (int kind = ZN_JOINT_SPHERICAL; kind <= ZN_JOINT_UNIVERSAL; kind++) {
        s = (bodies){.model = make_model(true, zn_vec3_make(0, 0, 0), &log)};
        def.kind = (zn_joint_kind)kind;
        refuse(def, s, &log, ZN_ERR_UNSUPPORTED, "joint 'j': there is no such joint in the plane");
    }
}

// Point masses may hang on spherical joints.
static void test_points(void **state)
{
    (void)state;
    bodies       s = make_bodies(NULL);
    zn_joint_def def = make_joint(&s, ZN_JOINT_SPHERICAL, false);
    def.a = (zn_attachment){s.p, {0, 0, 0}};
    CHECK_OK(zn_model_add_joint(s.model, &def));
    fixture  f = compile_fixture(s.model);
    probe    p = {.sys = f.sys};
    double   x[FIXTURE_MAX];
    uint64_t seed = 9;
    CHECK_OK(zn_contact_set_create(f.sys, &p.set));
    random_fill(&seed, 1, f.sys->info.n_all, x);
    check_rows(&p, f.sys->q0, x, 2e-10);
    CHECK_OK(zn_contact_set_evaluate(p.set, f.sys, f.sys->q0, 0));
    CHECK_BELOW(largest_of(3, p.set->gap), 1e-15);
    zn_contact_set_destroy(p.set);
    destroy_fixture(&f);
}

// A wheel whose centre is fixed, on a revolute joint: what of the joint is fixed already is left out, and it turns
// about its axis at a constant rate, whatever its inertia. A joint that is somewhere else contradicts.
static void test_fixed_centre(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "combined_projection", "nsga", "newmark"};
    for (int k = 0; k < 5; k++) {
        log_capture  log = {0};
        zn_model    *model = make_model(false, zn_vec3_make(0, 0, -9.81), &log);
        zn_body_def  wheel = zn_body_def_default();
        zn_joint_def joint = zn_joint_def_default();
        wheel.name = "wheel";
        wheel.mass = 20;
        wheel.inertia3 = (zn_mat3){{{3, 0, 0}, {0, 4, 0}, {0, 0, 6}}};
        wheel.position = zn_vec3_make(0.3, -0.2, 0.7);
        wheel.spin3 = zn_vec3_make(0, 0.6 * 1.7, 0.8 * 1.7);
        wheel.fixed = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z;
        CHECK_OK(zn_model_add_body(model, &wheel, &joint.a.node));
        joint.name = "axle";
        joint.kind = ZN_JOINT_REVOLUTE;
        joint.axis = zn_vec3_make(0, 0.6, 0.8);
        if (k == 4)
            joint.b.at = zn_vec3_make(0.3, -0.2, 0.702);
        CHECK_OK(zn_model_add_joint(model, &joint));
        if (k == 4) {
            CHECK_STATUS(zn_model_validate(model), ZN_ERR_MODEL);
            CHECK_LOGGED(&log, "joint 'axle': violated by 2 mm at the start");
            zn_model_destroy(model);
            break;
        }
        fixture    f = compile_fixture(model);
        zn_sim_def def = zn_sim_def_default();
        zn_sim    *sim = NULL;
        assert_int_equal(f.sys->info.joints, 2);
        def.scheme.scheme = schemes[k];
        def.step = 1e-3;
        def.until = 0.1;
        CHECK_OK(zn_sim_create(f.sys, &def, &sim));
        CHECK_OK(zn_sim_run(sim));
        const zn_state       *s = zn_sim_state(sim);
        const zn_layout_node *node = &f.sys->layout.node[0];
        const double         *q = s->q + node->q + 3;
        zn_quat               turned = {q[0], q[1], q[2], q[3]};
        zn_vec3               w = zn_vec3_make(s->v[node->dof[3]], s->v[node->dof[4]], s->v[node->dof[5]]);
        CHECK_NEAR(2 * acos(fmin(1, fabs(turned.w))), 0.17, 1e-6); // a scheme of second order, h^2 = 1e-6
        CHECK_BELOW(zn_vec3_norm(zn_vec3_sub(w, zn_vec3_make(0, 1.02, 1.36))), 1e-9);
        CHECK_BELOW(zn_sim_certificate(sim)->joint.value, 1e-6);
        zn_sim_destroy(sim);
        destroy_fixture(&f);
    }
}

typedef struct expected {
    const char *path, *unit;
    double      value;
} expected;

// A box at rest that sticks out by L from its joint at the origin, along x: the joint bears m g and m g L about y,
// whatever the names. With the axis x, s is z and t is -y.
static void check_support(zn_joint_kind kind, int count, const expected *e)
{
    zn_model     *model = make_model(false, zn_vec3_make(0, 0, -9.5), NULL);
    zn_body_def   box = zn_body_def_default();
    zn_joint_def  joint = zn_joint_def_default();
    zn_record_def record[4];
    double        values[12];
    box.name = "box";
    box.mass = 4;
    box.inertia3 = zn_mat3_identity();
    box.position = zn_vec3_make(0.3, 0, 0);
    CHECK_OK(zn_model_add_body(model, &box, &joint.a.node));
    joint.name = "wall";
    joint.kind = kind;
    joint.a.at = zn_vec3_make(-0.3, 0, 0);
    joint.axis = zn_vec3_make(1, 0, 0);
    CHECK_OK(zn_model_add_joint(model, &joint));
    for (int i = 0; i < count; i++)
        record[i] = (zn_record_def){.name = e[i].path, .path = e[i].path};
    fixture    f = compile_fixture(model);
    zn_sim_def def = zn_sim_def_default();
    zn_sim    *sim = NULL;
    def.scheme.scheme = "moreau_jean";
    def.step = 1e-3;
    def.until = 0.01;
    def.record_count = count;
    def.records = record;
    CHECK_OK(zn_sim_create(f.sys, &def, &sim));
    CHECK_OK(zn_sim_step(sim));
    CHECK_OK(zn_sim_values(sim, values));
    for (int i = 0; i < count; i++) {
        const zn_series *s = &zn_sim_series(sim)[i];
        assert_string_equal(s->unit, e[i].unit);
        CHECK_NEAR(values[s->offset], e[i].value, 1e-9);
    }
    zn_sim_destroy(sim);
    destroy_fixture(&f);
}

static void test_components(void **state)
{
    (void)state;
    const double   load = 4 * 9.5, moment = load * 0.3;
    const expected fixed[] = {{"wall.force.z", "N", load},
                              {"wall.force.moment_y", "N m", -moment},
                              {"wall.force", "N or N m", 0},
                              {"wall.impulse.moment_y", "N m s", -moment * 1e-3}};
    const expected hinge[] = {{"wall.force.moment_t", "N m", moment},
                              {"wall.force.4", "N m", moment},
                              {"wall.force.moment_s", "N m", 0},
                              {"wall.velocity.moment_s", "rad/s", 0}};
    const expected slider[] = {
        {"wall.force.s", "N", load}, {"wall.force.t", "N", 0}, {"wall.gap.moment_n", "rad", 0}, {"wall.gap.s", "m", 0}};
    check_support(ZN_JOINT_FIXED, 4, fixed);
    check_support(ZN_JOINT_REVOLUTE, 4, hinge);
    check_support(ZN_JOINT_PRISMATIC, 4, slider);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences), cmocka_unit_test(test_motions),      cmocka_unit_test(test_rank),
        cmocka_unit_test(test_start),       cmocka_unit_test(test_fixed_centre), cmocka_unit_test(test_components),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
