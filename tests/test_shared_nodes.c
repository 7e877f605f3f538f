// Bars and beams on nodes of other elements: a bar or a beam in two pieces is one, a braced cantilever, a body between
// bars, a solid held by a bar, frames of exact beams; and what is refused.
#include "fixtures.h"
#include "gallery_fixtures.h"
#include "system/system.h"
#include "zn/sim.h"

static zn_problem *parse(const char *text)
{
    zn_problem *p = NULL;
    CHECK_OK(zn_problem_parse(text, strlen(text), "model.yaml", 0, NULL, (zn_log){gallery_print, NULL}, &p));
    return p;
}

static zn_status keep(void *user, double t, const double *values)
{
    (void)t;
    *(double *)user = values[0];
    return ZN_OK;
}

// The first record at the end of a run.
static double last_of(const char *text)
{
    zn_problem *p = parse(text);
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    double      value = NAN;
    p->sim.recorder = (zn_recorder){.user = &value, .row = keep};
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    CHECK_OK(zn_sim_run(sim));
    if (!p->sim.statics) // which have no ledger
        CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-12);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
    return value;
}

#define UNIT "materials: {unit: {young: 1, density: 1}}\n"

// Two pieces with a common node move as the whole, with all schemes for smooth motion, also when the parts are those of
// multirate.
static void test_two_pieces(void **test)
{
    (void)test;
    static const char *const run[] = {"{scheme: cd_lagrange, step: 0.8 cfl, until: 3}",
                                      "{scheme: newmark, step: 0.02, until: 3}",
                                      "{scheme: moreau_jean, step: 0.02, until: 3}"};
    for (int i = 0; i < 3; i++) {
        char one[600], two[800];
        snprintf(one, sizeof one,
                 "zeno: 1\nplanar: true\n" UNIT "parts: {a: {element: bar, material: unit, area: 1, from: [0, 0], to: "
                 "[1, 0], elements: 20, fixed: [y], mass: lumped}}\n"
                 "loads: {f: {body: 'a[0]', force: ['sin(3*t)', 0]}}\nrecord: {x: 'a[20].position.x'}\nrun: %s\n",
                 run[i]);
        snprintf(two, sizeof two,
                 "zeno: 1\nplanar: true\n" UNIT "parts:\n  a: {element: bar, material: unit, area: 1, from: [0, 0], "
                 "to: [0.3, 0], elements: 6, fixed: [y], mass: lumped}\n"
                 "  b: {element: bar, material: unit, area: 1, from: [0.3, 0], to: [1, 0], elements: 14, fixed: [y], "
                 "mass: lumped,\n"
                 "      first_node: 'a[6]'}\n"
                 "loads: {f: {body: 'a[0]', force: ['sin(3*t)', 0]}}\nrecord: {x: 'b[14].position.x'}\nrun: %s\n",
                 run[i]);
        CHECK_NEAR(last_of(two), last_of(one), 1e-12);
    }
    const char *parts[] = {"{scheme: cd_lagrange, step: 0.03, until: 3}",
                           "{scheme: {multirate: {fine: a, ratio: 1, coarse_explicit: true}}, step: 0.03, until: 3}"};
    double      x[2];
    for (int i = 0; i < 2; i++) {
        char text[800];
        snprintf(text, sizeof text,
                 "zeno: 1\nplanar: true\n" UNIT "parts:\n  a: {element: bar, material: unit, area: 1, from: [0, 0], "
                 "to: [0.3, 0], elements: 6, fixed: [y], mass: lumped}\n"
                 "  b: {element: bar, material: unit, area: 1, from: [1, 0], to: [0.3, 0], elements: 14, fixed: [y], "
                 "mass: lumped,\n"
                 "      last_node: 'a[6]'}\n"
                 "loads: {f: {body: 'a[0]', force: ['sin(3*t)', 0]}}\nrecord: {x: 'b[0].position.x'}\nrun: %s\n",
                 parts[i]);
        x[i] = last_of(text);
    }
    CHECK_NEAR(x[1], x[0], 1e-12);
}

// A cantilever (E I, L) whose tip hangs on a vertical bar (E A, l), force F on the tip: w (3 E I/L^3 + E A/l) = F. In
// the plane, in space, with linear and exact beams (which bend a little softer: shear).
static void test_braced_cantilever(void **test)
{
    (void)test;
    const char  *theory[] = {"euler_bernoulli", "exact"};
    const double E = 2.1e11, EI = E * pow(0.02, 4) / 12, stiff = 3 * EI + E * 1e-8 / 0.5;
    for (int space = 0; space < 2; space++)
        for (int k = 0; k < 2; k++) {
            char text[1000];
            snprintf(text, sizeof text,
                     "zeno: 1\nplanar: %s\nmaterials: {steel: {young: 2.1e11, poisson: 0.3, density: 7850}}\n"
                     "parts:\n  b: {element: beam, theory: %s, material: steel, section: {width: 0.02, height: 0.02}, "
                     "from: [0, 0%s],\n"
                     "      to: [1, 0%s], elements: 40, fix_first: [x, y%s, rotation]}\n"
                     "  s: {element: bar, material: steel, area: 1e-8, from: [1, 0%s], to: [1, 0.5%s], elements: 1, "
                     "first_node: 'b[40]'}\n"
                     "joints: {top: {type: %s, body: 's[1]'}}\nloads: {f: {body: 'b[40]', force: [0, -1%s]}}\n"
                     "record: {y: 'b[40].position.y'}\nrun: {static: {load_steps: 1}}\n",
                     space ? "false" : "true", theory[k], space ? ", 0" : "", space ? ", 0" : "", space ? ", z" : "",
                     space ? ", 0" : "", space ? ", 0" : "", space ? "spherical" : "revolute", space ? ", 0" : "");
            CHECK_NEAR(last_of(text), -1 / stiff, (k == 0 ? 1e-9 : 1e-3) / stiff);
        }
}

// A body between two bars without mass to speak of: w^2 = 2 k/m, and a solid that a bar holds. Positions of bodies are
// coordinates: at the start nothing pulls.
static void test_body_between_bars(void **test)
{
    (void)test;
    static const char text[] =
        "zeno: 1\nplanar: true\nmaterials: {light: {young: 1, density: 1e-9}}\n"
        "bodies: {m: {mass: 2, inertia: 1, position: [3, 1], velocity: [0.1, 0], fixed: [y, rotation]}}\n"
        "parts:\n  a: {element: bar, material: light, area: 1, from: [2, 1], to: [3, 1], elements: 1, last_node: m, "
        "fixed: [x, y]}\n"
        "  b: {element: bar, material: light, area: 1, from: [3, 1], to: [4, 1], elements: 1, first_node: m, fixed: "
        "[x, y]}\n"
        "record: {x: m.position.x}\nrun: {scheme: newmark, step: 1e-3, until: 1}\n";
    CHECK_NEAR(last_of(text), 3 + 0.1 * sin(1), 1e-6);
}

#define SOFT                                                                                                           \
    "materials: {s: {young: 1e6, poisson: 0.3, density: 1000}}\n"                                                      \
    "parts:\n"
#define EXACT "element: beam, theory: exact, material: s, section: {width: 0.05, height: 0.04}, "

// A cantilever that falls far, of exact beams: one, and two with a common node, in the plane and in space.
static void test_exact_pieces(void **test)
{
    (void)test;
    for (int space = 0; space < 2; space++) {
        const char *head = space ? "zeno: 1\ngravity: [0, -9.81, 0]\n" : "zeno: 1\nplanar: true\ngravity: [0, -9.81]\n",
                   *zero = space ? ", 0" : "";
        char one[900], two[900];
        snprintf(one, sizeof one,
                 "%s" SOFT "  a: {" EXACT "from: [0, 0%s], to: [1, 0%s], elements: 10, fix_first: [x, y, %srotation]}\n"
                 "record: {y: 'a[10].position.y'}\nrun: {scheme: newmark, step: 0.005, until: 0.4}\n",
                 head, zero, zero, space ? "z, " : "");
        snprintf(two, sizeof two,
                 "%s" SOFT "  a: {" EXACT
                 "from: [0, 0%s], to: [0.4, 0%s], elements: 4, fix_first: [x, y, %srotation]}\n"
                 "  b: {" EXACT "from: [0.4, 0%s], to: [1, 0%s], elements: 6, first_node: 'a[4]'}\n"
                 "record: {y: 'b[6].position.y'}\nrun: {scheme: newmark, step: 0.005, until: 0.4}\n",
                 head, zero, zero, space ? "z, " : "", zero, zero);
        double y = last_of(one);
        assert_true(y < -0.2);
        CHECK_NEAR(last_of(two), y, 1e-10);
    }
}

// A knee of exact beams with a body at its end, whose frame has an angle of its own, bends far: with common nodes as
// with fixed joints.
static void test_knee(void **test)
{
    (void)test;
    const char *const way[] = {"first_node: 'a[5]', last_node: w}\n",
                               "}\njoints:\n  knee: {type: fixed, body: 'b[0]', to: 'a[5]'}\n"
                               "  tip: {type: fixed, body: 'b[5]', to: w}\n"};
    double            y[2], x[2];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            char text[1200];
            snprintf(text, sizeof text,
                     "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nbodies: {w: {mass: 1, inertia: 0.01, position: [0.5, "
                     "-0.5], angle: 0.7}}\n" SOFT "  a: {" EXACT
                     "from: [0, 0], to: [0.5, 0], elements: 5, fix_first: [x, y, rotation]}\n"
                     "  b: {" EXACT "from: [0.5, 0], to: [0.5, -0.5], elements: 5, %s"
                     "record: {u: '%s'}\nrun: {static: {load_steps: 4}}\n",
                     way[i], k ? "w.position.x" : "w.angle");
            *(k ? &x[i] : &y[i]) = last_of(text);
        }
    assert_true(fabs(x[0] - 0.5) > 0.1 && fabs(y[0] - 0.7) > 0.03);
    CHECK_NEAR(x[0], x[1], 1e-9);
    CHECK_NEAR(y[0], y[1], 1e-9);
}

// In space: a heavy body at the end, whose axes are those of the section, falls with the beam as by a fixed joint.
static void test_body_on_exact_beam(void **test)
{
    (void)test;
    const char *const way[] = {"last_node: w}\n", "}\njoints: {tip: {type: fixed, body: w, to: 'a[6]'}}\n"};
    double            z[2];
    for (int i = 0; i < 2; i++) {
        char text[900];
        snprintf(text, sizeof text,
                 "zeno: 1\ngravity: [0, -3, -9.81]\n"
                 "bodies: {w: {mass: 0.5, inertia: [0.01, 0.02, 0.03], position: [0.6, 0, 0]}}\n" SOFT "  a: {" EXACT
                 "from: [0, 0, 0], to: [0.6, 0, 0], elements: 6, fix_first: [x, y, z, rotation], %s"
                 "record: {z: w.position.z}\nrun: {static: {load_steps: 4}}\n",
                 way[i]);
        z[i] = last_of(text);
    }
    assert_true(z[0] < -0.1);
    CHECK_NEAR(z[0], z[1], 1e-9);
}

// A knee in space and a body with axes of its own at its end: with any axes of the body the same motion, and that of a
// fixed joint, in every scheme that takes exact beams.
static void test_any_axes(void **test)
{
    (void)test;
    const char *const way[] = {"first_node: 'a[3]', last_node: w}\n", "first_node: 'a[3]', last_node: w}\n",
                               "}\njoints:\n  knee: {type: fixed, body: 'b[0]', to: 'a[3]'}\n"
                               "  tip: {type: fixed, body: 'b[3]', to: w}\n"};
    const char *const axes[] = {"", ", rotation: {axis: [1, -2, 3], angle: 1.9}", ""};
    const char *const run[] = {"static: {load_steps: 4}",
                               "step: 1e-3, until: 0.1, scheme: {moreau_jean: {}}",
                               "step: 1e-3, until: 0.1, scheme: {newmark: {}}",
                               "step: 1e-3, until: 0.1, scheme: {nsga: {}}",
                               "step: 1e-3, until: 0.1, scheme: {combined_projection: {}}",
                               "step: 2e-5, until: 0.1, scheme: {cd_lagrange: {}}"};
    const double      joint[] = {1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 1e-6}; // explicit: joints hold to second order
    for (int k = 0; k < 6; k++) {
        double z[3];
        for (int i = 0; i < 3; i++) {
            char text[1400];
            snprintf(text, sizeof text,
                     "zeno: 1\ngravity: [0, -3, -9.81]\n"
                     "bodies: {w: {mass: 0.5, inertia: 0.02, position: [0.3, 0.3, 0]%s}}\n" SOFT "  a: {" EXACT
                     "mass: lumped, from: [0, 0, 0], to: [0.3, 0, 0], elements: 3, fix_first: [x, y, z, rotation]}\n"
                     "  b: {" EXACT "mass: lumped, from: [0.3, 0, 0], to: [0.3, 0.3, 0], elements: 3, %s"
                     "record: {z: w.position.z}\nrun: {%s}\n",
                     axes[i], way[i], run[k]);
            z[i] = last_of(text);
        }
        print_message("%s: %g, other axes %.1e, joint %.1e\n", run[k], z[0], z[1] - z[0], z[2] - z[0]);
        assert_true(z[0] < -0.01);
        CHECK_NEAR(z[1], z[0], 1e-11);
        CHECK_NEAR(z[2], z[0], joint[k]);
    }
}

// Linear beams turn little; bars do not.
static void test_exact_refusals(void **test)
{
    (void)test;
    const struct {
        const char *from, *first, *message;
    } list[] = {
        {"element: beam, theory: timoshenko", "a[2]", "node 'a[2]' is one of a linear beam, with small rotations"},
        {"element: bar, mass: lumped", "a[2]", "node 'a[2]' does not rotate"}};
    for (int i = 0; i < 2; i++) {
        char        text[900];
        log_capture log = {0};
        zn_problem *p = NULL;
        snprintf(text, sizeof text,
                 "zeno: 1\n" SOFT "  a: {%s, material: s, %s, from: [0, 0, 0], to: [1, 0, 0], elements: 2}\n"
                 "  b: {" EXACT "from: [1, 0, 0], to: [1, 1, 0], elements: 2, first_node: '%s'}\n"
                 "run: {step: 0.1, until: 1}\n",
                 list[i].from, i == 1 ? "area: 1" : "section: {width: 0.05, height: 0.04}", list[i].first);
        assert_true(zn_problem_parse(text, strlen(text), "model.yaml", 0, NULL, log_into(&log), &p) != ZN_OK);
        CHECK_LOGGED(&log, list[i].message);
    }
}

static void test_refusals(void **test)
{
    (void)test;
    const struct {
        const char *first, *message;
    } list[] = {{"b[2]", "node 'b[2]' is 0.5 m away from the end of the bar"}, {"c", "there is no body or node 'c'"}};
    for (int i = 0; i < 2; i++) {
        char        text[600];
        log_capture log = {0};
        zn_problem *p = NULL;
        snprintf(text, sizeof text,
                 "zeno: 1\nplanar: true\n" UNIT
                 "parts:\n  b: {element: bar, material: unit, area: 1, from: [0, 0], to: [1, 0], elements: 2}\n"
                 "  d: {element: bar, material: unit, area: 1, from: [0.5, 0], to: [0.5, 1], elements: 1, first_node: "
                 "'%s'}\n"
                 "run: {step: 0.1, until: 1}\n",
                 list[i].first);
        assert_true(zn_problem_parse(text, strlen(text), "model.yaml", 0, NULL, log_into(&log), &p) != ZN_OK);
        CHECK_LOGGED(&log, list[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_pieces),
                                       cmocka_unit_test(test_braced_cantilever),
                                       cmocka_unit_test(test_body_between_bars),
                                       cmocka_unit_test(test_exact_pieces),
                                       cmocka_unit_test(test_knee),
                                       cmocka_unit_test(test_body_on_exact_beam),
                                       cmocka_unit_test(test_any_axes),
                                       cmocka_unit_test(test_exact_refusals),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
