// What records can be asked for by name: points of bodies, spans, springs, sections, formulas of them, and which two
// bodies an event is about. Model files name points where they named bodies; what is wrong has one clear message.
#include "check.h"

#include <stdlib.h>

#include "zn/io.h"

enum { COLUMNS = 32, EVENTS = 16 };

typedef struct outcome {
    char   log[4096];
    int    series, columns, rows, events;
    char   name[COLUMNS][64], unit[COLUMNS][32], components[COLUMNS][32];
    double first[COLUMNS], last[COLUMNS], largest[COLUMNS];
    char   pair[EVENTS][96], contact[EVENTS][64];
} outcome;

static outcome got;

static void keep(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    size_t used = strlen(got.log);
    snprintf(got.log + used, sizeof got.log - used, "%s\n", message);
}

static zn_status begin(void *user, int count, const zn_series *series, int columns)
{
    (void)user;
    assert_in_range(columns, 0, COLUMNS);
    got.series = count;
    got.columns = columns;
    for (int i = 0; i < count; i++) {
        snprintf(got.name[i], sizeof got.name[i], "%s", series[i].name);
        snprintf(got.unit[i], sizeof got.unit[i], "%s", series[i].unit);
        snprintf(got.components[i], sizeof got.components[i], "%s", series[i].components);
    }
    return ZN_OK;
}

static zn_status row(void *user, double t, const double *values)
{
    (void)user, (void)t;
    for (int i = 0; i < got.columns; i++) {
        got.first[i] = got.rows == 0 ? values[i] : got.first[i];
        got.largest[i] = got.rows == 0 ? values[i] : fmax(got.largest[i], values[i]);
        got.last[i] = values[i];
    }
    got.rows++;
    return ZN_OK;
}

static zn_status event(void *user, const zn_event *e)
{
    (void)user;
    assert_in_range(got.events, 0, EVENTS - 1);
    snprintf(got.pair[got.events], sizeof got.pair[0], "%s", e->pair);
    snprintf(got.contact[got.events++], sizeof got.contact[0], "%s", e->name);
    return ZN_OK;
}

static zn_status run(const char *text)
{
    zn_problem *p = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    zn_log      log = {keep, NULL};
    got = (outcome){.rows = 0};
    zn_status status = zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, log, &p);
    if (status != ZN_OK)
        return status;
    zn_sim_def def = p->sim;
    def.log = log;
    def.recorder = (zn_recorder){.begin = begin, .row = row, .event = event};
    CHECK_OK(zn_system_create(p->model, &sys));
    status = zn_sim_create(sys, &def, &sim);
    if (status == ZN_OK)
        status = zn_sim_run(sim);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
    return status;
}

static void check_run(const char *text)
{
    if (run(text) != ZN_OK)
        fail_msg("%s", got.log);
}

// --- points ----------------------------------------------------------------------------------------

#define OSCILLATOR                                                                                                     \
    "zeno: 1\nplanar: true\nbodies: {b: {mass: 2, inertia: 0.3, position: [1, 0], spin: 2}}\n"                         \
    "points: {hook: {body: b, at: [0.4, 0.1]}, nail: {body: ground, at: [3, 0]}}\n"
#define RUN "run: {scheme: moreau_jean, step: 1e-2, until: 0.5}\n"

// Springs and loads at a named point are those at the body and its point.
static void test_points_hold(void **state)
{
    (void)state;
    double last[2][3];
    check_run(OSCILLATOR "springs: {s: {from: nail, to: hook, stiffness: 30, damping: 1, rest_length: 1}}\n"
                         "loads: {f: {body: hook, force: [0, 1]}}\nrecord: {x: b.position, a: b.angle}\n" RUN);
    memcpy(last[0], got.last, sizeof last[0]);
    check_run(OSCILLATOR "springs: {s: {from: ground, from_at: [3, 0], to: b, to_at: [0.4, 0.1], stiffness: 30, "
                         "damping: 1, rest_length: 1}}\nloads: {f: {body: b, at: [0.4, 0.1], force: [0, 1]}}\n"
                         "record: {x: b.position, a: b.angle}\n" RUN);
    memcpy(last[1], got.last, sizeof last[1]);
    assert_memory_equal(last[0], last[1], sizeof last[0]);
}

// An impact: the recorded acceleration of a point holds the jump of its velocity, over the length of the step.
static void test_acceleration_of_impact(void **state)
{
    (void)state;
    check_run("zeno: 1\nplanar: true\nbodies: {b: {mass: 2, inertia: 0.5, position: [0, 0.06], velocity: [0, -1]}}\n"
              "points: {corner: {body: b, at: [0.5, 0]}}\n"
              "contacts: {c: {point: b, at: [0.5, 0], surface: {plane: [0, 1]}, restitution: 1}}\n"
              "record: {v: corner.velocity.y, a: corner.acceleration.y}\n"
              "run: {scheme: moreau_jean, step: 1e-2, until: 0.1}\n");
    CHECK_NEAR(got.first[1], 0, 0);
    CHECK_NEAR(got.first[0], -1, 0);
    CHECK_NEAR(got.last[0], 1, 1e-2); // but for the turn of the corner away from the x axis
    CHECK_NEAR(got.largest[1], 2 / 1e-2, 1);
    assert_string_equal(got.unit[1], "m/s^2");
}

static void test_units_and_components(void **state)
{
    (void)state;
    static const char *const unit[] = {"m", "m/s", "m", "m/s", "N", "rad", "rad/s", "N", "N m", "W", "", "N"};
    static const char *const components[] = {"x y", "", "", "", "", "", "", "x y", "", "", "", ""};
    check_run(
        "zeno: 1\nplanar: true\nparameters: {W: 3}\nmaterials: {m: {young: 1e9, density: 1000}}\n" // W: a unit below
        "bodies: {b: {mass: 2, inertia: 0.3, position: [1, 0]}}\n"
        "parts: {rod: {element: bar, material: m, area: 1e-4, from: [0, 1], to: [1, 1], elements: 3, fixed: [y]}}\n"
        "points: {hook: {body: b, at: [0.4, 0.1]}}\nspans: {gap: {from: ground, to: hook, axes: b}}\n"
        "springs: {s: {from: ground, to: hook, stiffness: 30, damping: 1, rest_length: 1}}\n"
        "joints: {pin: {type: revolute, body: b, at: [0, 1]}}\n"
        "loads: {pull: {body: \"rod[3]\", force: [100, 0]}, hold: {body: \"rod[0]\", force: [-100, 0]}}\n"
        "record:\n  p: hook.position\n  v: gap.velocity.x\n  l: gap.length\n  r: gap.rate\n  f: s.force\n"
        "  a: pin.angle\n  w: pin.rate\n  R: pin.reaction\n  M: pin.reaction_moment\n"
        "  power: -s.force*s.rate [W]\n  number: 2*power\n  N: rod.axial\n" RUN);
    assert_int_equal(got.series, 12);
    assert_int_equal(got.columns, 16);
    for (int i = 0; i < got.series; i++) {
        assert_string_equal(got.unit[i], unit[i]);
        assert_string_equal(got.components[i], components[i]);
    }
    CHECK_NEAR(got.last[12], 2 * got.last[11], 0);
}

// Formulas in a group know its names; the unit behind a formula is no parameter, even if one has its name.
static void test_groups(void **state)
{
    (void)state;
    check_run("zeno: 1\nplanar: true\nparameters: {m: 3}\n"
              "groups:\n  left:\n    bodies: {b: {mass: m, inertia: 1, position: [2, 0], velocity: [1, 0]}}\n"
              "    points: {tip: {body: b, at: [1, 0]}}\n    record: {own: '2*tip.x [m]', twice: m*own}\n"
              "record: {x: left::tip.position.x, y: 'left::b.x - m [m]'}\n"
              "run: {scheme: moreau_jean, step: 0.1, until: 1}\n");
    assert_int_equal(got.columns, 4);
    for (int i = 0; i < got.series; i++)
        if (strcmp(got.name[i], "left::own") == 0) {
            CHECK_NEAR(got.last[i], 8, 1e-14);
            assert_string_equal(got.unit[i], "m");
        } else
            CHECK_NEAR(got.last[i], strcmp(got.name[i], "x") == 0 ? 4 : strcmp(got.name[i], "y") == 0 ? 0 : 24, 1e-14);
}

// --- events ----------------------------------------------------------------------------------------

static void check_event(const char *contact, const char *pair)
{
    for (int i = 0; i < got.events; i++)
        if (strcmp(got.contact[i], contact) == 0 && strcmp(got.pair[i], pair) == 0)
            return;
    for (int i = 0; i < got.events; i++)
        print_error("%s: %s\n", got.contact[i], got.pair[i]);
    fail_msg("no event of '%s' between %s", contact, pair);
}

static void test_pairs(void **state)
{
    (void)state;
    check_run(
        "zeno: 1\nplanar: true\ngravity: [0, -10]\n"
        "bodies:\n  ball: {mass: 1, position: [0, 0.11], sphere: 0.1, lattice: {count: [1, 3], spacing: [0, 0.21]}}\n"
        "  block: {mass: 1, inertia: 0.1, position: [3, 0.3]}\n"
        "  table: {mass: 1, inertia: 0.1, position: [3, 0], fixed: [x, y, rotation]}\n"
        "shapes: {floor: {plane: [0, 1]}}\n"
        "contacts:\n  pile: {between: [ball, floor]}\n"
        "  corner: {point: block, at: [0.2, -0.1], surface: {body: table, plane: [0, 1], at: [0, 0.1]}}\n"
        "  foot: {point: block, at: [-0.2, -0.1], surface: {plane: [0, 1], at: [0, 0.1]}}\n"
        "run: {scheme: moreau_jean, step: 1e-3, until: 0.3}\n");
    check_event("pile", "ball[0], floor");
    check_event("pile", "ball[0], ball[1]");
    check_event("pile", "ball[1], ball[2]");
    check_event("corner", "block, table");
    check_event("foot", "block, ground");
}

// --- what is refused -------------------------------------------------------------------------------

static void test_refused(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"record: {x: hook.angle}\n", "m.yaml:5:13: record 'x': 'hook' has no quantity 'angle'"},
        {"record: {x: 2*b.position}\n", "m.yaml:5:13: record 'x': name one component of 'b.position'"},
        {"record: {x: 2*k}\n", "m.yaml:5:13: record 'x': there is no number 'k'"},
        {"record: {x: 2*y, y: b.x}\n", "record 'x': there is no number 'y'"},
        {"record: {x: 2*(b.x}\n", "m.yaml:5:13: record 'x': '2*(b.x' is no formula"},
        {"record: {x: nobody.x + 1}\n", "record 'x': there is no object 'nobody'"},
        {"record: {x: hook.position.z}\n", "record 'x': 'hook.position' has no component 'z'"},
        {"record: {x: b.axial}\n", "record 'x': 'b' has no quantity 'axial'; it has position, "},
        {"record: {x: hook.foo}\n", "m.yaml:5:13: record 'x': 'hook' has no quantity 'foo'; it has position, velocity"},
        {"spans: {s: {from: hook, to: hook}}\n", "m.yaml:5:9: span 's': it leads from a point to itself"},
        {"spans: {s: {from: hook, from_at: [1, 0], to: b}}\n", "'from': 'hook' is a point; it has no other point"},
        {"spans: {s: {from: hook, to: b, axes: nail}}\n", "'axes': there is no body or node 'nail'"},
        {"spans: {s: {from: hoo, to: b}}\n", "'from': there is no body, node or point 'hoo', did you mean 'hook'?"},
        {"loads: {f: {body: nail, force: [1, 0]}}\n", "'body': the point 'nail' is one of the ground"},
        {"springs: {hook: {from: b, to: ground, stiffness: 1}}\n", "the name 'hook' is already used at line 4"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%s%s%s", OSCILLATOR, bad[i][0], RUN);
        assert_int_not_equal(run(text), ZN_OK);
        if (!strstr(got.log, bad[i][1]))
            fail_msg("%s says '%s', not '%s'", bad[i][0], got.log, bad[i][1]);
    }
}

// Whatever an object is, a quantity that it does not have is told with those that it has; of coordinates of joints
// those that its type has.
static void test_told(void **state)
{
    (void)state;
    static const char *const model =
        "zeno: 1\nplanar: true\nmaterials: {steel: {young: 1e9, density: 1000}}\n"
        "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, position: [2, 0]}, c: {mass: 1, inertia: 1, "
        "position: [3, 0]}}\n"
        "joints:\n  hinge: {type: revolute, body: a}\n  slide: {type: prismatic, body: b, axis: [1, 0]}\n"
        "  loose: {type: revolute, body: c, play: {radius: 1 mm, pin_radius: 8 mm}}\n"
        "parts: {rod: {element: bar, area: 1, material: steel, from: [4, 0], to: [5, 0], elements: 2}}\n"
        "springs: {k: {from: a, to: b, stiffness: 1}, twist: {type: torsion, from: a, to: b, stiffness: 1}}\n"
        "contacts: {touch: {point: b, surface: {plane: [0, 1]}}}\n"
        "points: {tip: {body: a, at: [1, 0]}}\nspans: {way: {from: tip, to: b}}\n"
        "states: {s: {rate: -s}}\n";
    static const char *const has[][2] = {
        {"hinge", "angle, rate, "},
        {"slide", "displacement, rate, "},
        {"loose", "'loose' has no quantity 'foo'; it has "},
        {"rod", "it has "},
        {"k", "length, rate, force"},
        {"twist", "rate, angle, moment"},
        {"touch", "gap, "},
        {"tip", "position, velocity"},
        {"way", "length, rate"},
        {"s", "value"},
        {"a", "position, "},
        {"rod[0]", "position, "},
    };
    for (size_t i = 0; i < sizeof has / sizeof *has; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%srecord: {x: '%s.foo'}\n%s", model, has[i][0], RUN);
        assert_int_not_equal(run(text), ZN_OK);
        if (!strstr(got.log, "has no quantity 'foo'") || !strstr(got.log, has[i][1]))
            fail_msg("%s.foo says '%s', not '%s'", has[i][0], got.log, has[i][1]);
        if (i < 2) // not what the other type of joint has
            assert_null(strstr(got.log, i == 0 ? "displacement" : "angle"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_hold),
        cmocka_unit_test(test_acceleration_of_impact),
        cmocka_unit_test(test_units_and_components),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
