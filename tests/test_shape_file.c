// Shapes, lattices of bodies and contacts between them in model files: what is read, and what is refused where.
#include "check.h"

#include "zn/io.h"

typedef struct capture {
    char text[4096];
} capture;

static void keep(void *user, zn_severity severity, const char *message)
{
    capture *c = user;
    (void)severity;
    size_t used = strlen(c->text);
    snprintf(c->text + used, sizeof c->text - used, "%s\n", message);
}

static zn_status parse(const char *text, capture *c, zn_problem **out)
{
    *c = (capture){{0}};
    return zn_problem_parse(text, strlen(text), "pile.yaml", 0, NULL, (zn_log){.user = c, .write = keep}, out);
}

#define HEAD  "zeno: 1\nrun: {step: 1 ms, until: 1 s}\n"
#define BALL  "bodies:\n  ball: {mass: 1, inertia: 1, sphere: 10 cm, lattice: {count: [3, 2, 2], spacing: [1, 1, 1]}}\n"
#define FLOOR "shapes:\n  floor: {plane: [0, 0, 1]}\n"

static void test_good(void **state)
{
    (void)state;
    zn_problem *problem = NULL;
    capture     c;
    CHECK_OK(parse(HEAD BALL FLOOR "contacts:\n  pile: {between: [ball], friction: 0.3}\n"
                                   "  base: {between: [ball], against: [floor]}\n",
                   &c, &problem));
    assert_int_equal(zn_model_count_shapes(problem->model, "ball"), 12);
    assert_int_equal(zn_model_count_shapes(problem->model, "floor"), 1);
    assert_int_not_equal(zn_model_find_node(problem->model, "ball[11]").value, 0);
    assert_int_equal(zn_model_find_node(problem->model, "ball[12]").value, 0);
    zn_system *sys = NULL;
    CHECK_OK(zn_system_create(problem->model, &sys));
    assert_int_equal(zn_system_get_info(sys).n, 12 * 6);
    assert_true(zn_system_get_info(sys).contacts_grow); // 66 pairs of balls
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
}

static void test_faults(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {HEAD BALL "contacts:\n  pile: {between: [bal]}\n", "there is no shape 'bal'"},
        {HEAD BALL "contacts:\n  pile: {between: [ball], surface: {plane: [0, 0, 1]}}\n", "'surface' does not go with"},
        {HEAD BALL "contacts:\n  pile: {point: ball, surface: {plane: [0, 0, 1]}}\n", "is a lattice; name one"},
        {HEAD BALL "contacts:\n  pile: {against: [ball], point: 'ball[0]', surface: {plane: [0, 0, 1]}}\n",
         "'against' goes with 'between' only"},
        {HEAD BALL "shapes:\n  floor: {}\n",
         "key 'sphere', 'box', 'plane', 'capsule', 'cylinder', 'hull', 'mesh', 'contour', 'cam' or 'gear' is missing"},
        {HEAD BALL "shapes:\n  floor: {sphere: 1, plane: [0, 0, 1]}\n", "'plane' does not go with 'sphere'"},
        {HEAD BALL "shapes:\n  floor: {plane: [0, 0, 0]}\n", "the plane has no direction"},
        {HEAD BALL "shapes:\n  floor: {plane: [0, 0, 1], angle: 1}\n", "'angle' is for planar models"},
        {HEAD "bodies:\n  ball: {mass: 1, lattice: {count: [1.5, 1, 1], spacing: [1, 1, 1]}}\n", "not a whole number"},
        {HEAD "bodies:\n  ball: {mass: 1, sphere: -1}\n", "sphere"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zn_problem *problem = NULL;
        capture     c;
        zn_status   status = parse(cases[i].text, &c, &problem);
        if (status == ZN_OK || !strstr(c.text, cases[i].message))
            fail_msg("case %d: '%s' instead of '%s'", (int)i, c.text, cases[i].message);
        assert_null(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
