// Memory of spatial bodies: when it runs out while a box with tied corners and a door with two hinges are built,
// compiled or stepped, every call says so and leaks nothing; and a step allocates nothing.
#include "allocation_wrap.h"
#include "scheme_fixtures.h"

/// Each pointer is NULL until its call succeeded.
typedef struct pieces {
    zn_model  *model;
    zn_system *sys;
    zn_scheme *scheme;
    zn_state  *state;
    long       before_steps; ///< allocations
} pieces;

static zn_status build_model(zn_model **out)
{
    zn_model_def     def = zn_model_def_default();
    zn_tied_body_def box = zn_tied_body_def_default();
    zn_body_def      door = zn_body_def_default();
    zn_node_id       node = {0};
    zn_contact_def   contact = zn_contact_def_default();
    def.gravity = zn_vec3_make(0, 0, -9.81);
    ZN_TRY(zn_model_create(&def, out));
    box.body.name = "box";
    box.body.mass = 2;
    box.box = zn_vec3_make(0.2, 0.3, 0.4);
    box.body.position = zn_vec3_make(0, 0, 0.21);
    ZN_TRY(zn_model_add_tied_body(*out, &box, NULL));
    contact.point.node = zn_model_find_node(*out, "box[0]");
    contact.normal = zn_vec3_make(0, 0, 1);
    contact.restitution = 0.5;
    ZN_TRY(zn_model_add_contact(*out, &contact));
    door.mass = 1;
    door.inertia3 = (zn_mat3){{{0.1, 0, 0}, {0, 0.2, 0}, {0, 0, 0.15}}};
    door.position = zn_vec3_make(0.5, 0, 0);
    ZN_TRY(zn_model_add_body(*out, &door, &node));
    for (int i = 0; i < 2; i++) {
        zn_joint_def hinge = zn_joint_def_default();
        hinge.kind = ZN_JOINT_REVOLUTE;
        hinge.axis = zn_vec3_make(0, 1, 0);
        hinge.a = (zn_attachment){node, zn_vec3_make(-0.5, i, 0)};
        ZN_TRY(zn_model_add_joint(*out, &hinge));
    }
    return ZN_OK;
}

static zn_status build_run(const char *scheme, pieces *p)
{
    zn_scheme_def def = scheme_named(scheme, 0.5);
    zn_step_info  info;
    ZN_TRY(build_model(&p->model));
    ZN_TRY(zn_system_create(p->model, &p->sys));
    ZN_TRY(zn_scheme_create(&def, p->sys, &p->scheme));
    ZN_TRY(zn_state_create(p->sys, &p->state));
    ZN_TRY(zn_scheme_step(p->scheme, p->state, 1e-3, &info));
    p->before_steps = allocations;
    for (int i = 0; i < 80; i++) // down to the contact
        ZN_TRY(zn_scheme_step(p->scheme, p->state, 1e-3, &info));
    return ZN_OK;
}

static zn_status run_once(void *scheme)
{
    pieces    p = {0};
    zn_status status = build_run(scheme, &p);
    if (status == ZN_OK)
        assert_int_equal(allocations, p.before_steps);
    zn_state_destroy(p.state);
    zn_scheme_destroy(p.scheme);
    zn_system_destroy(p.sys);
    zn_model_destroy(p.model);
    return status;
}

static void test_running_out_of_memory(void **state)
{
    (void)state;
    assert_true(fail_each_allocation(run_once, "combined_projection") >= 100);
    assert_true(fail_each_allocation(run_once, "schatzman_paoli") >= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_running_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
