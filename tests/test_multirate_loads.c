// What acts in the coarse part of multirate: prescribed motion, moments on linear beams, springs between the parts, and
// in an explicit one beams and bodies that turn.
#include "check.h"
#include "fixtures.h"

#include "system/system.h"
#include "zn/io.h"
#include "zn/sim.h"

typedef struct ran {
    zn_problem *problem;
    zn_system  *sys;
    zn_sim     *sim;
} ran;

static log_capture told;

static ran run_with(const char *model, const char *how, const char *set)
{
    ran  r = {0};
    char text[2048];
    told = (log_capture){0};
    snprintf(text, sizeof text, "%srun: {%s}\n", model, how);
    zn_status status = zn_problem_parse(text, strlen(text), "test", set != NULL, &set, log_into(&told), &r.problem);
    if (status == ZN_OK)
        status = zn_system_create(r.problem->model, &r.sys);
    if (status == ZN_OK)
        status = zn_sim_create(r.sys, &r.problem->sim, &r.sim);
    if (status == ZN_OK)
        status = zn_sim_run(r.sim);
    if (status != ZN_OK)
        print_error("%s", told.text);
    CHECK_OK(status);
    return r;
}

static ran run(const char *model, const char *how) { return run_with(model, how, NULL); }

static void finish(ran *r)
{
    zn_sim_destroy(r->sim);
    zn_system_destroy(r->sys);
    zn_problem_destroy(r->problem);
}

static double at(const ran *r, const char *node, int k)
{
    return zn_sim_state(r->sim)->q[r->sys->layout.node[zn_model_find_node(r->problem->model, node).value - 1].q + k];
}

static const char rod[] = "zeno: 1\nplanar: true\nmaterials: {s: {young: 4, density: 1}}\n"
                          "parts: {rod: {element: bar, material: s, area: 0.5, from: [0, 0], to: [3, 0], elements: "
                          "120, fixed: [y], mass: lumped}}\n"
                          "joints: {drive: {type: motion, body: \"rod[120]\", x: \"3 + 0.02*(1 - cos(2*t))\"}}\n";

// Waves of speed 2 m/s: the free end answers twice as much, 1.5 s later. In the coarse part, in its middle or on the
// interface, the velocity is the given one at coarse times, and the way its trapezoidal sum: H cot(H) of the motion.
static void test_driven_end(void **state)
{
    (void)state;
    const char *const how[] = {"scheme: {multirate: {fine: \"rod[0:20]\", ratio: 4}}, step: 0.8 cfl, until: 2.7",
                               "scheme: {multirate: {fine: \"rod[100:120]\", ratio: 4}}, step: 0.8 cfl, until: 2.7"};
    for (int i = 0; i < 2; i++) {
        ran    r = run(rod, how[i]);
        double t = zn_sim_state(r.sim)->t, H = 4 * 0.8 * 0.0125;
        CHECK_NEAR(at(&r, "rod[0]", 0), 0.04 * (1 - cos(2 * (t - 1.5))), 0.04 * 2e-2);
        CHECK_NEAR(at(&r, "rod[120]", 0), (i == 0 ? H / tan(H) : 1) * 0.02 * (1 - cos(2 * t)), 1e-13);
        CHECK_BELOW(zn_sim_certificate(r.sim)->closure.value, 1e-12);
        finish(&r);
    }
}

static const char beam[] =
    "zeno: 1\nmaterials: {m: {young: 3e9, poisson: 0.3, density: 5000}}\n"
    "parts:\n"
    "  a: {element: beam, theory: euler_bernoulli, material: m, mass: lumped, section: {width: 0.04, height: 0.04},\n"
    "      from: [0, 0, 0], to: [2, 0, 0], elements: 20, fix_first: [x, y, z, rotation]}\n"
    "loads: {m: {body: \"a[6]\", moment: [0, \"400*sin(90*t)\", 0]}}\n";

// The same motion as with one step for all.
static void test_moment(void **state)
{
    (void)state;
    ran    r = run(beam, "scheme: {multirate: {fine: \"a[14:20]\", ratio: 3}}, step: 0.8 cfl, until: 0.03");
    ran    one = run(beam, "scheme: cd_lagrange, step: 0.8 cfl, until: 0.03");
    double z = at(&one, "a[20]", 2);
    assert_true(fabs(z) > 1e-3);
    CHECK_NEAR(at(&r, "a[20]", 2), z, 0.03 * fabs(z));
    finish(&r);
    finish(&one);
}

static const char bent[] =
    "zeno: 1\nparameters: {M: 10}\nmaterials: {m: {young: 2e9, poisson: 0.3, density: 1000}}\n"
    "parts: {a: {element: beam, theory: euler_bernoulli, material: m, section: {width: 0.02, height: 0.01},\n"
    "  from: [0, 0, 0], to: [1, 0, 0], elements: 8, fix_first: [x, y, z, rotation]}}\n"
    "loads: {m: {body: \"a[8]\", moment: [0.3*M, -M, 0.7*M]}}\n";

// M L^2/2EI about both axes at once, however large: linear theory.
static void test_linear(void **state)
{
    (void)state;
    const double EIy = 2e9 * 0.01 * 8e-6 / 12, EIz = 2e9 * 0.02 * 1e-6 / 12;
    const char  *how[] = {"M=0.01", "M=1", "M=100"};
    for (int i = 0; i < 3; i++) {
        ran    r = run_with(bent, "static: {load_steps: 1}", how[i]);
        double used = r.problem->parameters[0].value;
        CHECK_NEAR(at(&r, "a[8]", 2), used / (2 * EIy), 1e-9 * used);
        CHECK_NEAR(at(&r, "a[8]", 1), 0.7 * used / (2 * EIz), 1e-9 * used);
        finish(&r);
    }
}

// --- what an explicit coarse part takes --------------------------------------------------------------------

// A rope of exact beams swings against a stop; a body hangs on it by a spring, another one ties both parts.
static const char rope[] =
    "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nmaterials: {m: {young: 2e7, poisson: 0.3, density: 1200}}\n"
    "bodies: {head: {mass: 0.4, inertia: 5e-4, position: [1, -0.2], spin: 3}}\n"
    "parts:\n"
    "  a: {element: beam, theory: exact, material: m, mass: lumped, section: {width: 0.03, height: 0.02},\n"
    "      from: [0, 0], to: [1, 0], elements: 12, fix_first: [x, y, rotation]}\n"
    "springs:\n"
    "  hang: {from: head, from_at: [0.02, 0.05], to: \"a[12]\", stiffness: 300}\n"
    "  tie: {from: \"a[2]\", to: \"a[9]\", stiffness: 40, rest_length: 0.5}\n"
    "contacts: {stop: {point: \"a[3]\", surface: {plane: [0, 1], at: [0, -0.01]}}}\n";

// Equal steps are the whole; coarse ones come near it, the nearer the shorter.
static void test_explicit_coarse(void **state)
{
    (void)state;
    ran one = run(rope, "scheme: cd_lagrange, step: 4e-5, until: 0.2");
    ran equal =
        run(rope, "scheme: {multirate: {fine: \"a[0:4]\", ratio: 1, coarse_explicit: true}}, step: 4e-5, until: 0.2");
    double z = at(&one, "head", 1), error[2];
    CHECK_NEAR(at(&equal, "head", 1), z, 1e-10);
    finish(&equal);
    for (int i = 0; i < 2; i++) {
        const char *const how[] = {
            "scheme: {multirate: {fine: \"a[0:4]\", ratio: 4, coarse_explicit: true}}, step: 2e-5, until: 0.2",
            "scheme: {multirate: {fine: \"a[0:4]\", ratio: 4, coarse_explicit: true}}, step: 1e-5, until: 0.2"};
        ran r = run(rope, how[i]);
        error[i] = fabs(at(&r, "head", 1) - z);
        finish(&r);
    }
    print_message("head falls by %.4f m, off by %.1e and %.1e\n", -z, error[0], error[1]);
    assert_true(z < -0.01);
    CHECK_BELOW(error[0], 0.01 * fabs(z));
    finish(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_driven_end), cmocka_unit_test(test_moment),
                                       cmocka_unit_test(test_linear), cmocka_unit_test(test_explicit_coarse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
