// Memory of two parts, and of levels of steps: when it runs out while they are made or first stepped, every call says
// so and leaks nothing; and a step allocates nothing.
#include "allocation_wrap.h"
#include "multirate_models.h"

typedef struct pieces {
    zn_system *sys;
    zn_scheme *scheme;
    zn_state  *state;
    long       before_steps; ///< allocations
} pieces;

static int
    way; ///< links by a dense inverse, a sparse matrix, a diagonal; both of the first with a joint in the coarse part

static zn_status run(const zn_model *model, pieces *p)
{
    zn_scheme_def def = parts("beam[5:8]", 4);
    def.coarse_explicit = way == 2;
    def.coarse = way == 3 ? "beam[0:3]/2" : NULL;
    def.interface = way == 1 || way == 4 ? ZN_INTERFACE_SPARSE : ZN_INTERFACE_AUTO;
    zn_step_info info;
    ZN_TRY(zn_system_create(model, &p->sys));
    ZN_TRY(zn_scheme_create(&def, p->sys, &p->scheme));
    ZN_TRY(zn_state_create(p->sys, &p->state));
    ZN_TRY(zn_scheme_step(p->scheme, p->state, way == 2 ? 0.003 : 0.01, &info));
    p->before_steps = allocations;
    for (int i = 0; i < 300; i++) {
        ZN_TRY(zn_scheme_step(p->scheme, p->state, way == 2 ? 0.003 : 0.01, &info));
    }
    return ZN_OK;
}

// Steps do not allocate; whatever was made is given back.
static zn_status finish(zn_status status, pieces *p)
{
    if (status == ZN_OK)
        assert_int_equal(allocations, p->before_steps);
    zn_state_destroy(p->state);
    zn_scheme_destroy(p->scheme);
    zn_system_destroy(p->sys);
    return status;
}

static zn_status run_once(void *model)
{
    pieces p = {0};
    return finish(run(model, &p), &p);
}

// A node that moves as it is told.
static void add_drive(zn_model *model, const char *node)
{
    zn_joint_def joint = zn_joint_def_default();
    char         message[80];
    joint.name = "shaker";
    joint.kind = ZN_JOINT_MOTION;
    joint.dof[0] = (zn_joint_dof){zn_model_find_node(model, node), ZN_COORDINATE_Y, 1};
    CHECK_OK(zn_signal_expression("0.001*(1 - cos(2*t))", 0, NULL, NULL, message, sizeof message, &joint.motion));
    CHECK_OK(zn_model_add_joint(model, &joint));
}

static void test_running_out(void **test)
{
    (void)test;
    for (way = 0; way < 5; way++) {
        zn_model *model = cantilever(8, 1e-3, ZN_MASS_LUMPED, NULL);
        if (way >= 3)
            add_drive(model, "beam[2]");
        fail_each_allocation(run_once, model);
        zn_model_destroy(model);
    }
}

// --- levels ----------------------------------------------------------------------------------------

// A bar with two small elements at its end, against a wall.
static zn_model *graded(void)
{
    zn_model      *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_bar_def     bar = zn_bar_def_default();
    zn_contact_def wall = zn_contact_def_default();
    bar.young = 2e11, bar.density = 8000, bar.area = 1e-3;
    bar.mass = ZN_MASS_LUMPED;
    bar.fixed = ZN_FIX_Y;
    bar.velocity = zn_vec3_make(-1, 0, 0);
    bar.name = "rod", bar.to = zn_vec3_make(0.2, 0, 0), bar.elements = 20;
    CHECK_OK(zn_model_add_bar(model, &bar));
    bar.first_node = zn_model_find_node(model, "rod[20]");
    bar.name = "end", bar.from = bar.to, bar.to = zn_vec3_make(0.202, 0, 0), bar.elements = 2;
    CHECK_OK(zn_model_add_bar(model, &bar));
    wall.name = "wall";
    wall.point.node = zn_model_find_node(model, "rod[0]");
    wall.normal = zn_vec3_make(1, 0, 0);
    CHECK_OK(zn_model_add_contact(model, &wall));
    return model;
}

static zn_status run_levels(const zn_model *model, pieces *p)
{
    zn_scheme_def def = zn_scheme_def_default();
    zn_step_info  info;
    def.scheme = "cd_lagrange";
    def.levels = "auto";
    ZN_TRY(zn_system_create(model, &p->sys));
    ZN_TRY(zn_scheme_create(&def, p->sys, &p->scheme));
    ZN_TRY(zn_state_create(p->sys, &p->state));
    ZN_TRY(zn_scheme_step(p->scheme, p->state, 1.5e-6, &info));
    p->before_steps = allocations;
    for (int i = 0; i < 50; i++)
        ZN_TRY(zn_scheme_step(p->scheme, p->state, i == 20 ? 1e-6 : 1.5e-6, &info)); // one begins anew
    return ZN_OK;
}

static zn_status run_levels_once(void *model)
{
    pieces p = {0};
    return finish(run_levels(model, &p), &p);
}

static void test_levels(void **test)
{
    (void)test;
    zn_model *model = graded();
    fail_each_allocation(run_levels_once, model);
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_running_out), cmocka_unit_test(test_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
