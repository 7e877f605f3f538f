// Bars and linear beams on nodes of other elements: a bar in two pieces is one bar, a braced cantilever, a body between
// bars, a solid held by a bar; and what is refused.
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_pieces), cmocka_unit_test(test_braced_cantilever),
                                       cmocka_unit_test(test_body_between_bars), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
