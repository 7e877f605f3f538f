// When memory runs out while stability is judged or modes are found, it is told and nothing leaks.
#include "allocation_wrap.h"
#include "equilibrium_models.h"

typedef struct rig {
    fixture   f;
    zn_state *state;
    int       modes;
} rig;

static zn_status find(void *user)
{
    rig               *r = user;
    zn_equilibrium_def rest = zn_equilibrium_def_default();
    zn_modes_def       def = zn_modes_def_default();
    zn_modes          *modes = NULL;
    def.count = r->modes;
    zn_status status = zn_equilibrium_solve(r->f.sys, &rest, r->state, NULL);
    if (status == ZN_OK)
        status = zn_modes_find(r->f.sys, &def, r->state, &modes);
    zn_modes_destroy(modes);
    return status;
}

static void check(zn_model *model, int modes)
{
    rig r = {.f = compile_fixture(model), .modes = modes};
    CHECK_OK(zn_state_create(r.f.sys, &r.state));
    assert_true(fail_each_allocation(find, &r) > 20);
    zn_state_destroy(r.state);
    destroy_fixture(&r.f);
}

// Unstable, so that the warning looks for the mode, too.
static void test_body_on_its_head(void **unused)
{
    (void)unused;
    zn_model    *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_joint_def joint = hinge(add_body(model, "body", 1, 0.1, 0, 0.5, 0), 0, -0.5);
    CHECK_OK(zn_model_add_joint(model, &joint));
    check(model, 3);
}

static void test_long_bar(void **unused)
{
    (void)unused;
    zn_model *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    add_rod(model, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0), 95, ZN_FIX_Y);
    fix(model, "rod[0]", ZN_FIX_X);
    check(model, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_body_on_its_head), cmocka_unit_test(test_long_bar)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
