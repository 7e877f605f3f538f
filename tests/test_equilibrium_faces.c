// Static equilibrium on faces that end: closed forms of a block on a plate, feet beyond its edge, points pushed off it.
#include "equilibrium_models.h"

#include "system/system.h"

static void add_foot(zn_model *model, const char *name, zn_node_id node, double x, double y, double through,
                     double length)
{
    zn_contact_def def = zn_contact_def_default();
    def.name = name;
    def.point = (zn_attachment){node, zn_vec3_make(x, y, 0)};
    def.surface = ZN_SURFACE_PLANE;
    def.normal = zn_vec3_make(0, 1, 0);
    def.through = zn_vec3_make(through, 0, 0);
    def.length = length;
    CHECK_OK(zn_model_add_contact(model, &def));
}

static zn_state *solve(const fixture *f, int load_steps, zn_equilibrium_info *info)
{
    zn_equilibrium_def def = zn_equilibrium_def_default();
    zn_state          *state = NULL;
    def.load_steps = load_steps;
    CHECK_OK(zn_state_create(f->sys, &state));
    CHECK_OK(zn_equilibrium_solve(f->sys, &def, state, info));
    return state;
}

static double force_of(const fixture *f, const zn_state *state, const char *contact)
{
    for (int i = 0; i < state->contacts->count; i++)
        if (strcmp(zn_contact_name(f->sys, state->contacts->id[i]), contact) == 0)
            return state->contacts->impulse[i * state->contacts->stride];
    return NAN;
}

// On both feet, also when it starts above the plate and turned: each carries half the weight and the load by its
// levers.
static void test_block_on_plate(void **state)
{
    (void)state;
    const double W = 2 * 9.81, F = 7, c = 0.2;
    const double lift[] = {0, 0.3, 0.05}, angle[] = {0, 0, 0.04};
    for (int i = 0; i < 3; i++) {
        zn_model  *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
        zn_node_id block = add_body(model, "block", 2, 0.3, 0, 0.75 + lift[i], angle[i]);
        push(model, "load", "block", zn_vec3_make(c, 0.75, 0), 0, -F);
        add_foot(model, "A", block, -0.5, -0.75, 0, 1.4);
        add_foot(model, "B", block, 0.5, -0.75, 0, 1.4);
        fixture             f = compile_fixture(model);
        zn_equilibrium_info info;
        zn_state           *rest = solve(&f, 1 + i, &info);
        CHECK_NEAR(force_of(&f, rest, "A"), W / 2 + F * (0.5 - c), 1e-11);
        CHECK_NEAR(force_of(&f, rest, "B"), W / 2 + F * (0.5 + c), 1e-11);
        CHECK_NEAR(rest->q[1], 0.75, 1e-13);
        CHECK_NEAR(info.support.y, W + F, 1e-10);
        zn_state_destroy(rest);
        destroy_fixture(&f);
    }
}

// Three feet, the last beyond the edge of a plate that ends at 0.2: the first two carry all of it.
static void test_foot_beyond_the_edge(void **state)
{
    (void)state;
    const double W = 2 * 9.81, F = 7;
    zn_model    *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_node_id   beam = add_body(model, "beam", 2, 0.3, 0, 0.1, 0);
    push(model, "load", "beam", zn_vec3_make(-0.2, 0, 0), 0, -F);
    add_foot(model, "A", beam, -0.5, -0.1, -0.4, 1.2);
    add_foot(model, "B", beam, 0, -0.1, -0.4, 1.2);
    add_foot(model, "C", beam, 0.5, -0.1, -0.4, 1.2);
    fixture             f = compile_fixture(model);
    zn_equilibrium_info info;
    zn_state           *rest = solve(&f, 1, &info);
    CHECK_NEAR(force_of(&f, rest, "A"), 0.4 * F, 1e-11);
    CHECK_NEAR(force_of(&f, rest, "B"), W + 0.6 * F, 1e-11);
    assert_true(isnan(force_of(&f, rest, "C"))); // no contact at all
    zn_state_destroy(rest);
    destroy_fixture(&f);
}

// A mass on springs rests on a plate until the load has pushed it off: then it hangs where it would without the plate.
static zn_model *hanging_mass(double push_by, bool plate)
{
    zn_model  *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_node_id mass = add_mass(model, "mass", 1, 0, 0, 0);
    add_spring(model, "left", mass, -1, 0, 100, 1);
    add_spring(model, "above", mass, 0, 1, 50, 1);
    push(model, "load", "mass", zn_vec3_make(0, 0, 0), push_by, 0);
    if (plate)
        add_foot(model, "edge", mass, 0, 0, -0.4, 1); // ends at 0.1
    return model;
}

static void test_pushed_off(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 10; steps += 3) {
        fixture             on = compile_fixture(hanging_mass(5, true)), off = compile_fixture(hanging_mass(40, true));
        fixture             free = compile_fixture(hanging_mass(40, false));
        zn_equilibrium_info info;
        zn_state           *held = solve(&on, steps, &info);
        assert_true(force_of(&on, held, "edge") > 1 && held->q[0] < 0.1);
        CHECK_NEAR(held->q[1], 0, 1e-14);
        zn_state *gone = solve(&off, steps, &info), *same = solve(&free, steps, &info);
        assert_true(isnan(force_of(&off, gone, "edge")) && gone->q[0] > 0.1 && gone->q[1] < -0.05);
        CHECK_NEAR(gone->q[0], same->q[0], 1e-11);
        CHECK_NEAR(gone->q[1], same->q[1], 1e-11);
        zn_state_destroy(held);
        zn_state_destroy(gone);
        zn_state_destroy(same);
        destroy_fixture(&on);
        destroy_fixture(&off);
        destroy_fixture(&free);
    }
}

// Off the plate with nothing else to hold it there is no equilibrium.
static void test_nothing_holds(void **state)
{
    (void)state;
    zn_model *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    add_foot(model, "edge", add_mass(model, "mass", 1, 0, 0, 0), 0, 0, -0.4, 0.2);
    fixture            f = compile_fixture(model);
    zn_equilibrium_def def = zn_equilibrium_def_default();
    log_capture        log = {0};
    zn_state          *rest = NULL;
    def.log = log_into(&log);
    CHECK_OK(zn_state_create(f.sys, &rest));
    CHECK_STATUS(zn_equilibrium_solve(f.sys, &def, rest, NULL), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "not held: 'mass' can move");
    CHECK_BELOW(fabs(rest->q[1]), 0);
    zn_state_destroy(rest);
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_on_plate),
        cmocka_unit_test(test_foot_beyond_the_edge),
        cmocka_unit_test(test_pushed_off),
        cmocka_unit_test(test_nothing_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
