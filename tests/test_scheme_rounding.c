// Near equilibrium forces cancel and only round-off is left: steps must still succeed. A mass hanging on a spring of
// any stiffness, all schemes, no failed step; and a model far from the origin, where gaps cannot be met below rounding.
#include "check.h"
#include "fixtures.h"
#include "zn/io.h"
#include "zn/sim.h"

static fixture hanging_mass(double stiffness, double far)
{
    fixture      f;
    zn_model_def def = zn_model_def_default();
    def.planar = true;
    def.gravity.y = -9.81;
    CHECK_OK(zn_model_create(&def, &f.model));
    zn_body_def body = zn_body_def_default();
    zn_node_id  node;
    body.name = "mass";
    body.mass = 0.1;
    body.position = zn_vec3_make(far, -0.1, 0);
    CHECK_OK(zn_model_add_body(f.model, &body, &node));
    zn_spring_def spring = zn_spring_def_default();
    spring.from.at = zn_vec3_make(far, 0, 0);
    spring.to.node = node;
    spring.stiffness = stiffness;
    CHECK_OK(zn_model_add_spring(f.model, &spring));
    zn_contact_def contact = zn_contact_def_default();
    contact.point.node = node;
    contact.normal.y = 1;
    contact.through.y = -0.1; // the floor takes the weight
    CHECK_OK(zn_model_add_contact(f.model, &contact));
    CHECK_OK(zn_system_create(f.model, &f.sys));
    return f;
}

// The stiffest spring a scheme is held to. The block iteration of nsga_coupled contracts only while h^2 k / m is small;
// the velocity jump of nsga sees elastic forces of the correction undamped by the iteration matrix.
static double stiffest(const char *scheme)
{
    if (strcmp(scheme, "multirate") == 0)
        return 0; // it needs two parts
    if (strcmp(scheme, "newmark") == 0 || strcmp(scheme, "energy_momentum") == 0)
        return 0; // takes no contacts, or none that lose energy
    if (strcmp(scheme, "cd_lagrange") == 0)
        return 1e5; // 2/w must be above the step
    return strcmp(scheme, "nsga_coupled") == 0 ? 1e4 : strcmp(scheme, "nsga") == 0 ? 1e8 : 1e12;
}

static bool takes_theta(const char *scheme)
{
    return strncmp(scheme, "nsga", 4) != 0 && strcmp(scheme, "cd_lagrange") != 0;
}

static void run_all(double stiffness, double far)
{
    for (int i = 0; i < zn_scheme_count(); i++) {
        if (stiffness > stiffest(zn_scheme_name(i)))
            continue;
        fixture    f = hanging_mass(stiffness, far);
        zn_sim    *sim;
        zn_sim_def def = zn_sim_def_default();
        def.scheme.scheme = zn_scheme_name(i);
        if (takes_theta(zn_scheme_name(i)))
            def.scheme.theta = 1;
        def.step = 1e-3;
        def.until = 0.2;
        CHECK_OK(zn_sim_create(f.sys, &def, &sim));
        CHECK_OK(zn_sim_run(sim));
        assert_int_equal(zn_sim_certificate(sim)->retries, 0);
        CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-10);
        zn_sim_destroy(sim);
        destroy_fixture(&f);
    }
}

static void test_any_stiffness(void **state)
{
    (void)state;
    for (double stiffness = 1; stiffness < 1e12; stiffness *= 10)
        run_all(stiffness, 0);
}

static void test_far_from_the_origin(void **state)
{
    (void)state;
    run_all(1e4, 1e3);
    run_all(1e7, 1e5);
}

// A heavy load on a long rope with next to no inertia of its own: the impulses of the joint cancel to the last digits.
// Error of the speed that goes with the angle reached, (L w)^2 (1 + J / (m L^2)) = 2 g L (cos a - cos 0.5).
static double rope_error(const char *scheme, double h)
{
    static const char text[] =
        "zeno: 1\nplanar: true\ngravity: [0, -9.81]\n"
        "bodies: {load: {mass: 100, inertia: 1e-5, position: [2*sin(0.5), -2*cos(0.5)], angle: 0.5}}\n"
        "joints: {rope: {type: revolute, body: load, at: [0, 2], to_at: [0, 0]}}\n"
        "run: {step: 1e-3, until: 0.5}\n";
    zn_problem *p = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    CHECK_OK(zn_problem_parse(text, strlen(text), "rope.yaml", 0, NULL, (zn_log){0}, &p));
    p->sim.scheme.scheme = scheme;
    p->sim.step = h;
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    CHECK_OK(zn_sim_run(sim));
    assert_int_equal(zn_sim_certificate(sim)->retries, 0);
    CHECK_BELOW(zn_sim_certificate(sim)->joint_velocity.value, 1e-9);
    const zn_state *end = zn_sim_state(sim);
    double error = fabs(2 * fabs(end->v[2]) - sqrt(2 * 9.81 * 2 * (cos(end->q[2]) - cos(0.5)) / (1 + 1e-5 / 400)));
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
    return error;
}

static void test_light_body_on_a_long_lever(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "direct_projection", "combined_projection", "nsga",
                                          "nsga_coupled"};
    for (int i = 0; i < 5; i++) {
        double coarse = rope_error(schemes[i], 1e-3), fine = rope_error(schemes[i], 2.5e-4);
        CHECK_BELOW(coarse, 2e-3);
        CHECK_NEAR(log(coarse / fine) / log(4), i < 3 ? 1 : 2,
                   i < 3 ? 0.1 : 0.01); // joints at velocity level: order 1; nsga: 2
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_stiffness),
        cmocka_unit_test(test_far_from_the_origin),
        cmocka_unit_test(test_light_body_on_a_long_lever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
