// A pile allocates while the number of its contacts grows, and nothing once there is room for them; memory that runs
// out meanwhile fails the step and leaves the state as it was.
#include "allocation_wrap.h"
#include "scheme_fixtures.h"

static zn_model *pile_model(void)
{
    zn_model      *model = NULL;
    zn_model_def   world = zn_model_def_default();
    zn_lattice_def def = zn_lattice_def_default();
    zn_shape_def   floor = zn_shape_def_default();
    zn_pairs_def   pairs = zn_pairs_def_default();
    const char    *names[] = {"ball", "floor"};
    world.gravity = zn_vec3_make(0, 0, -9.81);
    CHECK_OK(zn_model_create(&world, &model));
    def.body.name = "ball";
    def.body.mass = 1;
    def.body.inertia3 = (zn_mat3){{{0.004, 0, 0}, {0, 0.004, 0}, {0, 0, 0.004}}};
    def.body.position = zn_vec3_make(0, 0, 0.11);
    def.count[0] = def.count[1] = def.count[2] = 3;
    def.spacing = zn_vec3_make(0.205, 0.205, 0.21);
    def.sphere = 0.1;
    CHECK_OK(zn_model_add_lattice(model, &def));
    floor.name = "floor";
    floor.kind = ZN_SHAPE_PLANE;
    floor.normal = zn_vec3_make(0, 0, 1);
    CHECK_OK(zn_model_add_shape(model, &floor));
    pairs.between = names;
    pairs.between_count = 2;
    pairs.friction = 0.3;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
    return model;
}

static rig open_pile(void)
{
    zn_scheme_def def = scheme_named("moreau_jean", 0.5);
    def.frozen_rows = true;
    def.gamma = 0.5;
    def.solver_tolerance = 1e-4;
    def.solver = "gauss_seidel";
    return rig_open(pile_model(), def);
}

static void check_no_allocation(rig r)
{
    for (int k = 0; k < 40; k++)
        rig_step(&r, 5e-3);
    zn_state *settled = NULL;
    CHECK_OK(zn_state_create(r.sys, &settled));
    CHECK_OK(zn_state_copy(r.sys, r.state, settled));
    for (int k = 0; k < 10; k++) // the same contacts as below, so that there is room
        rig_step(&r, 5e-3);
    CHECK_OK(zn_state_copy(r.sys, settled, r.state));
    long before = allocations;
    for (int k = 0; k < 10; k++) {
        zn_status status = zn_scheme_step(r.scheme, r.state, 5e-3, &r.info);
        if (status != ZN_OK)
            fail_msg("step %d failed", k);
    }
    assert_int_equal(allocations - before, 0);
    assert_true(r.info.active > 20);
    zn_state_destroy(settled);
    rig_close(&r);
}

static void test_no_allocation_once_there_is_room(void **state)
{
    (void)state;
    check_no_allocation(open_pile());
    check_no_allocation(rig_open(pile_model(), scheme_named("cd_lagrange", 0.5)));
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    const char *const schemes[] = {"moreau_jean", "nsga", "combined_projection", "direct_projection", "cd_lagrange"};
    for (long n = 1; n < 120; n++) {
        zn_scheme_def def = scheme_named(schemes[n % 5], 0.5);
        rig           r = n % 5 == 0 ? open_pile() : rig_open(pile_model(), def);
        zn_state     *before = NULL;
        CHECK_OK(zn_state_create(r.sys, &before));
        zn_status status = ZN_OK;
        int       k = 0;
        long      left = n;
        for (; k < 40 && status == ZN_OK; k++) {
            CHECK_OK(zn_state_copy(r.sys, r.state, before));
            long start = allocations;
            failing = left > 0 ? start + left : 0;
            status = zn_scheme_step(r.scheme, r.state, 5e-3, &r.info);
            left -= allocations - start;
            failing = 0;
        }
        if (status != ZN_OK) {
            assert_int_equal(status, ZN_ERR_MEMORY);
            check_same_state(r.sys, r.state, before);
            rig_step(&r, 5e-3); // goes on when there is memory again
        }
        zn_state_destroy(before);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_allocation_once_there_is_room),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
