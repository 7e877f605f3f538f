// Contacts that begin inside are refused with the pair and the depth, unless they are meant.
#include "fixtures.h"

typedef struct begin {
    double y;       // of the ball over the floor at -0.3
    double radius;  // of the ball
    double limit;   // NaN: none
    double allowed; // NaN: as usual
} begin;

static zn_status start(begin c, bool on_body, log_capture *log)
{
    zn_model      *model = make_model(true, zn_vec3_make(0, -9, 0), log);
    zn_body_def    body = zn_body_def_default();
    zn_contact_def def = zn_contact_def_default();
    body.name = "ball";
    body.mass = 3;
    body.inertia = 1;
    body.position = zn_vec3_make(0, c.y, 0);
    CHECK_OK(zn_model_add_body(model, &body, &def.point.node));
    body.name = "table";
    body.position = zn_vec3_make(0, 0, 0);
    if (on_body)
        CHECK_OK(zn_model_add_body(model, &body, &def.surface_node));
    def.name = "rest";
    def.radius = c.radius;
    def.normal = zn_vec3_make(0, 1, 0);
    def.through = zn_vec3_make(0, -0.3, 0);
    CHECK_OK(zn_model_add_contact(model, &def));
    fixture    f = compile_fixture(model);
    zn_sim_def run = zn_sim_def_default();
    zn_sim    *sim = NULL;
    run.scheme.scheme = "moreau_jean";
    run.step = 1e-3;
    run.until = 1e-2;
    run.limits.penetration = c.limit;
    run.start_penetration = c.allowed;
    run.log = log_into(log);
    log_capture_clear(log);
    zn_status status = zn_sim_create(f.sys, &run, &sim);
    zn_sim_destroy(sim);
    destroy_fixture(&f);
    return status;
}

static void test_refused(void **state)
{
    (void)state;
    log_capture log = {0};
    CHECK_STATUS(start((begin){-0.8, 0.1, NAN, NAN}, false, &log), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "contact 'rest': at t = 0 s, the start, 'ball' is 0.6 m inside the ground, more than 0.0009 m");
    CHECK_LOGGED(&log, "'start_penetration' in run allows it");
    CHECK_STATUS(start((begin){-0.8, 0.1, NAN, NAN}, true, &log), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "'ball' is 0.6 m inside 'table'");
    CHECK_STATUS(start((begin){-0.2001, 0.1, 1e-5, NAN}, false, &log), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "'ball' is 0.0001 m inside the ground, more than 1e-05 m");
    CHECK_STATUS(start((begin){-0.2001, 0.1, NAN, 9e-5}, false, &log), ZN_ERR_MODEL);
}

static void test_accepted(void **state)
{
    (void)state;
    log_capture        log = {0};
    static const begin fine[] = {
        {-0.1, 0.1, NAN, NAN},      {-0.2001, 0.1, NAN, NAN},     // data of four digits
        {-0.2001, 0.1, 2e-4, NAN},                                // within its limit
        {-0.8, 0.1, 1e-12, 0.7},    {-0.8, 0.1, 1e-12, INFINITY}, // meant
        {0, 0.3 + 1e-15, NAN, NAN}, {0, 0.3 + 1e-15, 1e-17, NAN}, // rounding, of a model whose nodes are at the origin
    };
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        CHECK_OK(start(fine[i], false, &log));
        assert_int_equal(log.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused), cmocka_unit_test(test_accepted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
