// Balls with friction against rolling and spinning: a step allocates nothing, and when memory runs out every call says
// so and leaks nothing.
#include "allocation_wrap.h"
#include "scheme_fixtures.h"

typedef struct pieces {
    zn_model  *model;
    zn_system *sys;
    zn_scheme *scheme;
    zn_state  *state;
    long       before_steps; ///< allocations
} pieces;

// One ball rolls on a plane towards another one, hits it, and both go on.
static zn_status build_model(zn_model **out)
{
    zn_model_def      def = zn_model_def_default();
    zn_pairs_def      pairs = zn_pairs_def_default();
    const char *const names[] = {"one", "other"};
    def.gravity = zn_vec3_make(0, 0, -9.81);
    ZN_TRY(zn_model_create(&def, out));
    for (int i = 0; i < 2; i++) {
        zn_body_def    body = zn_body_def_default();
        zn_shape_def   shape = zn_shape_def_default();
        zn_contact_def floor = zn_contact_def_default();
        body.name = names[i];
        body.mass = 1;
        body.inertia3 = (zn_mat3){{{0.004, 0, 0}, {0, 0.004, 0}, {0, 0, 0.004}}};
        body.position = zn_vec3_make(0.21 * i, 0.03 * i, 0.1);
        body.velocity = zn_vec3_make(i == 0 ? 1 : 0, 0, 0);
        body.spin3 = zn_vec3_make(0, i == 0 ? 10 : 0, 2);
        ZN_TRY(zn_model_add_body(*out, &body, &shape.at.node));
        shape.name = names[i];
        shape.radius = floor.radius = 0.1;
        ZN_TRY(zn_model_add_shape(*out, &shape));
        floor.point.node = shape.at.node;
        floor.normal = zn_vec3_make(0, 0, 1);
        floor.friction = 0.3;
        floor.rolling_friction = 0.002;
        floor.spinning_friction = 0.001;
        ZN_TRY(zn_model_add_contact(*out, &floor));
    }
    pairs.between = names;
    pairs.between_count = 2;
    pairs.friction = 0.2;
    pairs.rolling_friction = pairs.spinning_friction = 0.001;
    return zn_model_add_pairs(*out, &pairs);
}

static zn_status build_run(const char *scheme, pieces *p)
{
    zn_scheme_def def = zn_scheme_def_default();
    zn_step_info  info;
    def.scheme = scheme;
    ZN_TRY(build_model(&p->model));
    ZN_TRY(zn_system_create(p->model, &p->sys));
    ZN_TRY(zn_scheme_create(&def, p->sys, &p->scheme));
    ZN_TRY(zn_state_create(p->sys, &p->state));
    ZN_TRY(zn_scheme_step(p->scheme, p->state, 1e-3, &info));
    p->before_steps = allocations;
    for (int i = 0; i < 40; i++)
        ZN_TRY(zn_scheme_step(p->scheme, p->state, 1e-3, &info));
    return ZN_OK;
}

static zn_status run_once(void *scheme)
{
    pieces    p = {0};
    zn_status status = build_run(scheme, &p);
    if (status == ZN_OK) {
        assert_int_equal(allocations, p.before_steps);
        assert_true(p.state->v[6] > 0.1); // the other one was hit
    }
    zn_state_destroy(p.state);
    zn_scheme_destroy(p.scheme);
    zn_system_destroy(p.sys);
    zn_model_destroy(p.model);
    return status;
}

static void test_steps(void **state)
{
    (void)state;
    static char schemes[][20] = {"moreau_jean", "combined_projection", "nsga", "nsga_coupled"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        CHECK_OK(run_once(schemes[i]));
}

static void test_failures(void **state)
{
    (void)state;
    static char scheme[] = "moreau_jean";
    assert_true(fail_each_allocation(run_once, scheme) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
