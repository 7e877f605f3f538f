// Memory. A step allocates nothing once a run is under way; and when memory runs out while a model is built, compiled
// or run, every call says so, keeps nothing half-made and leaks nothing (the leak sanitizer watches).
#include "allocation_wrap.h"
#include "scheme_fixtures.h"

#include "zn/sim.h"

static void test_the_count_sees_the_library(void **state)
{
    (void)state;
    long      before = allocations;
    zn_model *model = planar_model(0, (zn_log){0});
    assert_true(allocations > before);
    zn_model_destroy(model);
}

// --- no allocation inside a step -----------------------------------------------------------------

static zn_model *ball(void) { return ball_model(1, 0, 0.5); }
static zn_model *block(void) { return block_model(paper_block()); }
static zn_model *oscillator(void) { return oscillator_model(1, 0, 0.2, 0.5); }
static zn_model *bar(void) { return bar_model(100, 1.3e-5, 0.5); }

static void check_steps_allocate_nothing(zn_model *(*build)(void), zn_scheme_def scheme, double h, int steps)
{
    static const zn_record_def records[] = {{"energy", "energy", NULL}, {"ledger", "ledger", NULL}};
    zn_model                  *model = build();
    zn_system                 *sys = NULL;
    zn_sim                    *sim = NULL;
    zn_sim_def                 def = zn_sim_def_default();
    double                     values[64];
    def.scheme = scheme;
    def.step = h;
    def.until = 2 * steps * h;
    def.records = records;
    def.record_count = 2;
    CHECK_OK(zn_system_create(model, &sys));
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    assert_true(zn_sim_columns(sim) <= 64);
    CHECK_OK(zn_sim_step(sim));
    bool touched = false;
    long before = allocations;
    for (int k = 1; k < steps; k++) {
        zn_status status = zn_sim_step(sim), seen = zn_sim_values(sim, values);
        if (status != ZN_OK || seen != ZN_OK)
            fail_msg("step %d failed", k);
        touched |= zn_sim_last_step(sim)->active > 0;
    }
    assert_int_equal(allocations - before, 0);
    assert_true(touched); // contacts came and went
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

static void test_steps_allocate_nothing(void **state)
{
    (void)state;
    const char *const scheme[] = {"moreau_jean", "moreau_jean", "combined_projection", "nsga"};
    for (int s = 0; s < 4; s++) {
        zn_scheme_def def = scheme_named(scheme[s], 0.5);
        def.forecast = s == 1 ? ZN_FORECAST_FREE : ZN_FORECAST_EXPLICIT;
        check_steps_allocate_nothing(ball, def, 0.00713, 600);
        check_steps_allocate_nothing(block, def, 1e-3, 1000);
        check_steps_allocate_nothing(oscillator, def, 0.00713, 1000);
        check_steps_allocate_nothing(bar, def, 2e-6, 400);
    }
}

// Both corners of a block, with laws that ask for W once more.
static void test_laws_of_impact_allocate_nothing(void **state)
{
    (void)state;
    const char *const scheme[] = {"moreau_jean", "combined_projection", "nsga", "cd_lagrange"};
    for (int s = 0; s < 4; s++)
        for (int law = ZN_IMPACT_POISSON; law <= ZN_IMPACT_SEQUENTIAL; law++) {
            zn_scheme_def def = scheme_named(scheme[s], 0.5);
            def.impact = (zn_impact_law)law;
            check_steps_allocate_nothing(block, def, 1e-3, 600);
        }
}

// --- memory that runs out ------------------------------------------------------------------------

/// What a run consists of; each pointer is NULL until its call succeeded.
typedef struct pieces {
    zn_model  *model;
    zn_system *sys;
    zn_sim    *sim;
} pieces;

static zn_status add_load(zn_model *model, zn_node_id node)
{
    static const char *const names[] = {"a"};
    static const double      values[] = {2};
    char                     message[64];
    zn_force_def             load = zn_force_def_default();
    load.point.node = node;
    ZN_TRY(zn_signal_expression("a*cos(3*t)", 1, names, values, message, sizeof message, &load.force[0]));
    zn_status status = zn_signal_constant(0.5, &load.force[1]);
    if (status != ZN_OK) {
        zn_signal_destroy(load.force[0]);
        return status;
    }
    return zn_model_add_force(model, &load); // takes the signals over, even on failure
}

// A bit of everything: bodies, springs, a bar, loads, contacts.
static zn_status build_model(zn_model **out)
{
    zn_model_def def = zn_model_def_default();
    def.planar = true;
    def.gravity = zn_vec3_make(0, -9.81, 0);
    ZN_TRY(zn_model_create(&def, out));
    zn_body_def body = zn_body_def_default();
    zn_node_id  node = {0};
    body.mass = 1;
    body.inertia = 0.2;
    body.position = zn_vec3_make(0, 0.01, 0);
    body.name = "block";
    ZN_TRY(zn_model_add_body(*out, &body, &node));
    zn_spring_def spring = zn_spring_def_default();
    spring.from.at = zn_vec3_make(1, 1, 0);
    spring.to = (zn_attachment){node, zn_vec3_make(0.1, 0.1, 0)};
    spring.stiffness = 10;
    spring.damping = 1;
    ZN_TRY(zn_model_add_spring(*out, &spring));
    ZN_TRY(add_load(*out, node));
    zn_acceleration_def shake = zn_acceleration_def_default();
    ZN_TRY(zn_signal_constant(0.3, &shake.acceleration[0]));
    ZN_TRY(zn_model_add_acceleration(*out, &shake));
    zn_bar_def rod = zn_bar_def_default();
    rod.name = "rod";
    rod.to = zn_vec3_make(1, 0, 0);
    rod.elements = 50; // the sparse solver
    rod.young = 1e6;
    rod.density = 1000;
    rod.area = 1e-4;
    ZN_TRY(zn_model_add_bar(*out, &rod));
    zn_contact_def contact = zn_contact_def_default();
    contact.point = (zn_attachment){node, zn_vec3_make(0.1, 0, 0)};
    contact.normal = zn_vec3_make(0, 1, 0);
    contact.restitution = 0.5;
    ZN_TRY(zn_model_add_contact(*out, &contact));
    contact.point.at.x = -0.1;
    return zn_model_add_contact(*out, &contact);
}

static zn_status build_run(const char *scheme, pieces *p)
{
    static const zn_record_def records[] = {{"x", "block.position", NULL}, {"ledger", "ledger", NULL}};
    ZN_TRY(build_model(&p->model));
    ZN_TRY(zn_model_validate(p->model));
    ZN_TRY(zn_system_create(p->model, &p->sys));
    zn_sim_def def = zn_sim_def_default();
    def.scheme = scheme_named(scheme, 0.5);
    def.step = 1e-3;
    def.until = 1;
    def.records = records;
    def.record_count = 2;
    ZN_TRY(zn_sim_create(p->sys, &def, &p->sim));
    for (int k = 0; k < 100; k++) // down to the contacts
        ZN_TRY(zn_sim_step(p->sim));
    return ZN_OK;
}

static zn_status run_once(void *scheme)
{
    pieces    p = {0};
    zn_status status = build_run(scheme, &p);
    zn_sim_destroy(p.sim);
    zn_system_destroy(p.sys);
    zn_model_destroy(p.model);
    return status;
}

static void check_running_out(char *scheme)
{
    long count = fail_each_allocation(run_once, scheme);
    print_message("%s: each of %ld allocations may fail\n", scheme, count);
    assert_true(count >= 100);
}

static void test_running_out_of_memory(void **state)
{
    (void)state;
    check_running_out("moreau_jean");
    check_running_out("combined_projection");
    check_running_out("nsga");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_count_sees_the_library),
        cmocka_unit_test(test_steps_allocate_nothing),
        cmocka_unit_test(test_laws_of_impact_allocate_nothing),
        cmocka_unit_test(test_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
