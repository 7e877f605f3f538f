// More pairs of shapes than any list holds, in every scheme that takes contacts and in equilibrium: a row of balls
// hands an impact on, and carries weights.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fixtures.h"
#include "system/system.h"
#include "zn/io.h"
#include "zn/sim.h"

// 105 pairs of fifteen balls, and a rod far away that multirate can cut in two.
static const char row[] =
    "zeno: 1\nplanar: true\n"
    "materials: {m: {young: 1000, density: 1}}\n"
    "bodies:\n"
    "  head: {mass: 2, inertia: 0.01, position: [-0.11, 1], sphere: 0.05, velocity: [1, 0]}\n"
    "  ball: {mass: 2, inertia: 0.01, position: [0, 1], sphere: 0.05, lattice: {count: [14, 1], spacing: [0.11, "
    "0.11]}}\n"
    "parts:\n"
    "  rod: {element: bar, material: m, area: 1e-3, from: [0, 0], to: [1, 0], elements: 10, fixed: [y], mass: lumped}\n"
    "contacts: {row: {between: [ball, head], restitution: 1}}\n";

typedef struct ran {
    zn_problem *problem;
    zn_system  *sys;
    zn_sim     *sim;
} ran;

static ran run(const char *model, const char *how)
{
    ran         r = {0};
    char        text[2048];
    log_capture told = {0};
    snprintf(text, sizeof text, "%srun: {%s}\n", model, how);
    zn_status status = zn_problem_parse(text, strlen(text), "test", 0, NULL, log_into(&told), &r.problem);
    if (status == ZN_OK)
        status = zn_system_create(r.problem->model, &r.sys);
    if (status == ZN_OK)
        status = zn_sim_create(r.sys, &r.problem->sim, &r.sim);
    if (status == ZN_OK)
        status = zn_sim_run(r.sim);
    if (status != ZN_OK)
        print_error("%s: %s", how, told.text);
    CHECK_OK(status);
    return r;
}

static void finish(ran *r)
{
    zn_sim_destroy(r->sim);
    zn_system_destroy(r->sys);
    zn_problem_destroy(r->problem);
}

static double speed(const ran *r, const char *node)
{
    int k = zn_model_find_node(r->problem->model, node).value - 1;
    return zn_sim_state(r->sim)->v[r->sys->layout.node[k].dof[0]];
}

// Equal masses change velocities, one after the other: after 0.14 s the last one has that of the first.
static void test_row_hands_on(void **state)
{
    (void)state;
    const char *const schemes[] = {
        "cd_lagrange",
        "schatzman_paoli",
        "energy_momentum",
        "moreau_jean",
        "nsga",
        "{multirate: {fine: 'head ball rod[0:4]', ratio: 4}}",
    };
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        char how[160];
        snprintf(how, sizeof how, "scheme: %s, step: 1e-3, until: 0.2", schemes[i]);
        ran r = run(row, how);
        assert_true(r.sys->info.contacts_grow);
        CHECK_NEAR(speed(&r, "head"), 0, 1e-12);
        CHECK_NEAR(speed(&r, "ball[6]"), 0, 1e-12);
        CHECK_NEAR(speed(&r, "ball[13]"), 1, 1e-12);
        finish(&r);
    }
}

// Bodies of one name in part: those that are not named are coarse, and have contacts.
static void test_one_of_many_is_named(void **state)
{
    (void)state;
    zn_problem *problem = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    log_capture told = {0};
    char        text[2048];
    snprintf(text, sizeof text,
             "%srun: {scheme: {multirate: {fine: 'head ball[0] rod[0:4]', ratio: 4}}, step: 1e-3, until: 1}\n", row);
    CHECK_OK(zn_problem_parse(text, strlen(text), "test", 0, NULL, log_into(&told), &problem));
    CHECK_OK(zn_system_create(problem->model, &sys));
    CHECK_STATUS(zn_sim_create(sys, &problem->sim, &sim), ZN_ERR_UNSUPPORTED);
    assert_non_null(strstr(told.text, "'ball[1]', which is in the coarse part"));
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_hands_on),
        cmocka_unit_test(test_one_of_many_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
