// Contacts with cylinders, and of rims, between two states: a contact that lasts does no work however far its bodies
// turn in the step, forces and moments cancel about the middle, bodies that move as one neither close the gap nor slip;
// gradients and curvature; energy is kept in runs.
#include "rule_between.h"
#include "scheme_fixtures.h"

#include "model/contact/contact.h"

typedef struct meeting {
    zn_surface_kind surface;
    double          radius;
    bool            rim, ring;
    double          friction;
    int             ground; // 1: instead of B, 2: instead of A
} meeting;

static const meeting meetings[] = {
    {ZN_SURFACE_CYLINDER, 0, false, false, 0.3, 0},  {ZN_SURFACE_CYLINDER, 0.4, false, false, 0.3, 1},
    {ZN_SURFACE_BORE, 0.6, false, false, 0.3, 0},    {ZN_SURFACE_BORE, 0, false, false, 0, 2},
    {ZN_SURFACE_CYLINDER, 0.9, true, false, 0.3, 0}, {ZN_SURFACE_CYLINDER, 5, true, true, 0.3, 0},
    {ZN_SURFACE_BORE, 1.2, true, false, 0.3, 0},     {ZN_SURFACE_BORE, 1.2, true, false, 0, 2},
    {ZN_SURFACE_PLANE, 1.3, true, false, 0.3, 0},    {ZN_SURFACE_PLANE, 1.3, true, false, 0.3, 1},
    {ZN_SURFACE_CYLINDER, 5, true, true, 0.3, 1},    {ZN_SURFACE_CYLINDER, 4.2, true, true, 0.3, 2},
};
enum { MEETINGS = sizeof meetings / sizeof *meetings };

static zn_model *make_meeting(meeting c)
{
    zn_model      *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_vec3        place = c.ring ? zn_vec3_make(0.6, 1.4, -0.4) : zn_vec3_make(3.1, 1.9, -0.4);
    zn_node_id     a = rule_body(model, "a", false, place);
    zn_node_id     b = rule_body(model, "b", false, zn_vec3_make(0.2, 0.1, 0.3));
    zn_contact_def def = zn_contact_def_default();
    def.name = "touch";
    def.point = (zn_attachment){c.ground == 2 ? (zn_node_id){0} : a, zn_vec3_make(0.3, -0.4, 0.2)};
    def.surface_node = c.ground == 1 ? (zn_node_id){0} : b;
    def.through = zn_vec3_make(-0.3, 0.1, 0.2);
    def.surface = c.surface;
    def.normal = zn_vec3_make(0.5, 0.7, 0.4);
    def.axis = zn_vec3_make(0.3, -0.2, 0.9);
    def.surface_radius = 2.7;
    def.radius = c.radius;
    def.rim = c.rim ? zn_vec3_make(c.ring ? 0.3 : 0.5, -0.1, 0.8) : def.rim;
    def.ring = c.ring;
    def.friction = c.friction;
    CHECK_OK(zn_model_add_contact(model, &def));
    return model;
}

// --- what forces must do -------------------------------------------------------------------------

// The first body that is there is moved at the end until the gap is that of the start.
static void make_last(rule_setting *t)
{
    double gap[2];
    for (int i = 0; i < 30; i++) {
        rule_gaps(t, &gap[0], &gap[1]);
        rule_evaluate(t);
        double n[FIXTURE_MAX] = {0}, size = 0;
        for (int k = t->set->row_start[0]; k < t->set->row_start[1]; k++)
            if (t->set->row_dof[k] % 6 < 3 && t->set->row_dof[k] / 6 == t->set->row_dof[0] / 6)
                n[t->set->row_dof[k]] = t->set->row_value[k], size += n[t->set->row_dof[k]] * n[t->set->row_dof[k]];
        for (int k = 0; k < t->f.sys->info.n_all; k++)
            n[k] *= (gap[0] - gap[1]) / size;
        zn_system_retract(t->f.sys, t->q[1], n, t->q[1]);
    }
    rule_gaps(t, &gap[0], &gap[1]);
    CHECK_NEAR(gap[1], gap[0], 1e-14);
    rule_evaluate(t);
}

static void check_balance(const rule_setting *t)
{
    for (int row = 0; row < t->set->stride; row++) {
        double  lambda[3] = {row == 0, row == 1, row == 2}, f[FIXTURE_MAX];
        zn_vec3 force, moment;
        rule_force(t, lambda, f);
        rule_resultant(t, f, &force, &moment);
        CHECK_NEAR(zn_vec3_norm(force), 0, 1e-15);
        CHECK_NEAR(zn_vec3_norm(moment), 0, 2e-14);
    }
}

static zn_vec3 push_of(const rule_setting *t, int row)
{
    const double *value = t->force + t->set->row_start[row];
    return (zn_vec3){value[0], value[1], value[2]};
}

static void check_frame(const rule_setting *t)
{
    for (int i = 0; i < t->set->stride; i++)
        for (int k = 0; k <= i; k++)
            CHECK_NEAR(zn_vec3_dot(push_of(t, i), push_of(t, k)), i == k, 2e-15);
}

static void check_as_one(rule_setting *t)
{
    const zn_layout *layout = &t->f.sys->layout;
    zn_quat          R = zn_so3_exp(zn_vec3_make(0.7, -0.5, 1.1));
    for (int i = 0; i < layout->nodes; i++) {
        zn_rigid b = zn_rigid_at(layout, (zn_node_id){i + 1}, t->q[0]);
        double  *q = t->q[1] + layout->node[i].q, *from = t->q[0] + layout->node[i].q;
        zn_vec3  x = zn_vec3_add(zn_quat_rotate(R, b.position), zn_vec3_make(2, -1, 3));
        zn_quat  r = zn_quat_product(R, (zn_quat){from[3], from[4], from[5], from[6]});
        x = zn_vec3_sub(x, layout->node[i].origin);
        memcpy(q, (double[7]){x.x, x.y, x.z, r.w, r.x, r.y, r.z}, 7 * sizeof(double));
    }
    rule_evaluate(t);
    for (int row = 0; row < t->set->stride; row++)
        CHECK_NEAR(rule_row(t, row, t->force, t->way), 0, 1e-14);
}

static void test_meetings(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < MEETINGS; i++)
        for (int trial = 0; trial < 6; trial++) {
            rule_setting t;
            double       gap[2], work;
            rule_open(&t, make_meeting(meetings[i]), trial < 3 ? (meetings[i].ring ? 0.12 : 0.25) : 0.02, &seed);
            check_frame(&t);
            if (meetings[i].ground == 0)
                check_balance(&t);
            rule_gaps(&t, &gap[0], &gap[1]);
            work = rule_row(&t, 0, t.force, t.way); // a unit vector between the normals works as much or a little more
            assert_true(work / (gap[1] - gap[0]) > 1 - 1e-12 && work / (gap[1] - gap[0]) < 1.1);
            rule_check_derivatives(&t, &seed);
            make_last(&t);
            CHECK_NEAR(rule_row(&t, 0, t.force, t.way), 0, 3e-14);
            rule_check_derivatives(&t, &seed);
            if (meetings[i].ground == 0)
                check_as_one(&t);
            rule_close(&t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meetings),
    };
    return cmocka_run_group_tests_name("cylinders and rims between two states", tests, NULL, NULL);
}
