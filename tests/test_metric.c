// Who projects unequal masses in the identity metric is told of the other one, once.
#include "fixtures.h"

static int warnings(const char *scheme, zn_metric metric, double heavy, bool joint, log_capture *log)
{
    zn_model      *model = make_model(true, zn_vec3_make(0, 0, 0), log);
    zn_body_def    body = zn_body_def_default();
    zn_contact_def def = zn_contact_def_default();
    zn_joint_def   rod = zn_joint_def_default();
    body.name = "a";
    body.mass = 0.4;
    body.inertia = 1e-6; // rotations are no masses
    body.position = zn_vec3_make(-1, 0.1, 0);
    CHECK_OK(zn_model_add_body(model, &body, &def.point.node));
    body.name = "b";
    body.mass = 0.4 * heavy;
    body.position = zn_vec3_make(1, 0, 0);
    CHECK_OK(zn_model_add_body(model, &body, &def.surface_node));
    def.name = rod.name = "meeting";
    def.surface = ZN_SURFACE_CIRCLE;
    def.surface_radius = def.radius = 0.2;
    rod.kind = ZN_JOINT_ROD;
    rod.a.node = def.point.node;
    rod.b = (zn_attachment){def.surface_node, {0, 0, 0}};
    if (joint)
        CHECK_OK(zn_model_add_joint(model, &rod));
    else
        CHECK_OK(zn_model_add_contact(model, &def));
    fixture       f = compile_fixture(model);
    zn_scheme_def how = zn_scheme_def_default();
    zn_scheme    *made = NULL;
    how.scheme = scheme;
    how.metric = metric;
    log_capture_clear(log);
    CHECK_OK(zn_scheme_create(&how, f.sys, &made));
    zn_scheme_destroy(made);
    destroy_fixture(&f);
    return log->count;
}

static void test_advice(void **state)
{
    (void)state;
    log_capture              log = {0};
    static const char *const projected[] = {"direct_projection", "combined_projection"};
    for (int s = 0; s < 2; s++)
        for (int joint = 0; joint < 2; joint++) {
            assert_int_equal(warnings(projected[s], ZN_METRIC_IDENTITY, 150, joint, &log), 1);
            CHECK_LOGGED(&log, "'meeting' acts on masses of 0.4 kg and 60 kg");
            CHECK_LOGGED(&log, "'metric: mass'");
            assert_int_equal(warnings(projected[s], ZN_METRIC_IDENTITY, 1 / 150.0, joint, &log), 1);
            assert_int_equal(warnings(projected[s], ZN_METRIC_IDENTITY, 90, joint, &log), 0);
            assert_int_equal(warnings(projected[s], ZN_METRIC_MASS, 150, joint, &log), 0);
            assert_int_equal(warnings("moreau_jean", ZN_METRIC_IDENTITY, 150, joint, &log), 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_advice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
