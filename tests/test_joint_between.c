// Joints between two states: rows of the force do the change of the equation on the way, however far the states are
// apart and whether it holds or not; forces and moments on two bodies cancel about the middle; gradients and curvature.
#include "rule_between.h"

#include "model/joint/joint.h"

enum { KINDS = ZN_JOINT_UNIVERSAL + 1 };

static bool in_space_only(zn_joint_kind kind) { return kind >= ZN_JOINT_SPHERICAL; }

static zn_joint_dof dof_of(zn_node_id node, zn_coordinate coordinate, double factor)
{
    return (zn_joint_dof){node, coordinate, factor};
}

// Two bodies, or one and the ground, with a joint.
static zn_model *make_joint(zn_joint_kind kind, bool planar, bool ground)
{
    zn_model    *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_node_id   a = rule_body(model, "a", planar, zn_vec3_make(0.3, 0.4, -0.2));
    zn_node_id   b = rule_body(model, "b", planar, zn_vec3_make(-0.7, 0.9, 0.6));
    zn_joint_def def = zn_joint_def_default();
    bool         dofs = kind == ZN_JOINT_COUPLING || kind == ZN_JOINT_MOTION;
    def.name = "joint";
    def.kind = kind;
    if (!dofs) {
        def.a = (zn_attachment){a, {0.3, -0.5, planar ? 0 : 0.2}};
        def.b.node = ground ? (zn_node_id){0} : b;
        if (kind == ZN_JOINT_ROD)
            def.b.at = ground ? zn_vec3_make(2, 1, 0) : zn_vec3_make(-0.2, 0.3, planar ? 0 : 0.4);
        def.axis = zn_vec3_make(0.6, 0.8, planar ? 0 : 0.3);
        def.axis2 = zn_vec3_make(0.8, -0.6, 0);
    }
    def.dof[0] = dof_of(a, planar ? ZN_COORDINATE_ANGLE : ZN_COORDINATE_Z, 1.5);
    def.dof[1] = dof_of(b, planar && !ground ? ZN_COORDINATE_ANGLE : ZN_COORDINATE_Y, -0.7);
    if (kind == ZN_JOINT_MOTION)
        def.motion = make_wave(planar ? 0.4 : -0.2);
    CHECK_OK(zn_model_add_joint(model, &def));
    return model;
}

// Equation by equation: work on the way, and what is left of forces and moments.
static void check_equation(const rule_setting *t, int i, bool ground)
{
    const zn_joint    *joint = t->f.model->rule[0].parameter;
    const zn_equation *eq = &joint->equation[i];
    double             gap[2][ZN_JOINT_EQUATIONS], f[FIXTURE_MAX], lambda[ZN_JOINT_EQUATIONS] = {0}, moved = 0;
    zn_vec3            force, moment, expected = {0, 0, 0};
    rule_gaps(t, gap[0], gap[1]);
    if (joint->motion)
        moved = zn_signal_at(joint->motion, t->t[1]) - zn_signal_at(joint->motion, t->t[0]);
    CHECK_NEAR(rule_row(t, i, t->force, t->way), gap[1][i] - gap[0][i] + moved, 1e-14);
    assert_true(fabs(gap[1][i] - gap[0][i]) > 1e-4);
    if (ground || eq->kind == ZN_EQUATION_DOFS || eq->kind == ZN_EQUATION_ANGLE)
        return;
    lambda[i] = 1;
    rule_force(t, lambda, f);
    rule_resultant(t, f, &force, &moment);
    for (int k = 0; k < 2 && eq->kind == ZN_EQUATION_POINT; k++) { // cancels where the points coincide
        zn_rigid a = zn_rigid_at(&t->f.sys->layout, joint->a.node, t->q[k]);
        zn_rigid b = zn_rigid_at(&t->f.sys->layout, joint->b.node, t->q[k]);
        zn_vec3  d = zn_vec3_sub(zn_rigid_point(&a, joint->a.at), zn_rigid_point(&b, joint->b.at));
        expected = zn_vec3_add(expected, zn_vec3_scale(0.5, zn_vec3_cross(d, eq->direction)));
    }
    CHECK_NEAR(zn_vec3_norm(force), 0, 1e-14);
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(moment, expected)), 0, 1e-14);
}

static void test_joints(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int kind = 0; kind < KINDS; kind++)
        for (int way = 0; way < 4; way++) {
            bool         planar = way & 1, ground = way & 2;
            rule_setting t;
            if (planar && in_space_only((zn_joint_kind)kind))
                continue;
            rule_open(&t, make_joint((zn_joint_kind)kind, planar, ground), 0.6, &seed);
            assert_true(t.set->count >= 1);
            for (int i = 0; i < t.set->count; i++)
                check_equation(&t, i, ground);
            rule_check_derivatives(&t, &seed);
            rule_close(&t);
        }
}

// Angles that stay equal leave opposite moments, and hardly any turn is no turn.
static void test_angles(void **state)
{
    (void)state;
    uint64_t     seed = 3;
    rule_setting t;
    rule_open(&t, make_joint(ZN_JOINT_FIXED, true, false), 0.1, &seed);
    const double turn[4] = {0, 1e-9, 0.0199, 1.9};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 2; i++)
            t.q[1][3 * i + 2] = t.q[0][3 * i + 2] + turn[k];
        rule_evaluate(&t);
        int at = t.set->row_start[2];
        CHECK_NEAR(t.force[at] + t.force[at + 1], 0, 1e-15);
        CHECK_NEAR(t.force[at], turn[k] > 0 ? turn[k] / 2 / tan(turn[k] / 2) : 1, 1e-15);
        rule_check_derivatives(&t, &seed);
    }
    rule_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_joints), cmocka_unit_test(test_angles)};
    return cmocka_run_group_tests_name("joints between two states", tests, NULL, NULL);
}
