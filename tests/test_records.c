// Records of what a step leaves beside the state, each against what it must be by its definition.
#include "check.h"

#include <stdlib.h>

#include "zn/io.h"

static char last[4096];

static void keep(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    size_t used = strlen(last);
    snprintf(last + used, sizeof last - used, "%s\n", message);
}

typedef struct table {
    int     columns, rows;
    double *t, *values;
} table;

static zn_status begin(void *user, int count, const zn_series *series, int columns)
{
    (void)count, (void)series;
    ((table *)user)->columns = columns;
    return ZN_OK;
}

static zn_status row(void *user, double t, const double *values)
{
    table *own = user;
    size_t n = (size_t)own->rows + 1, columns = (size_t)own->columns;
    own->t = realloc(own->t, n * sizeof(double));
    own->values = realloc(own->values, n * columns * sizeof(double));
    assert_non_null(own->t);
    assert_non_null(own->values);
    own->t[own->rows] = t;
    memcpy(own->values + (size_t)own->rows++ * columns, values, columns * sizeof(double));
    return ZN_OK;
}

static zn_status run(const char *text, table *out)
{
    zn_problem *p = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    *out = (table){0};
    last[0] = '\0';
    zn_log log = {keep, NULL};
    if (zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, log, &p) != ZN_OK)
        fail_msg("%s", last);
    zn_sim_def def = p->sim;
    def.log = log;
    def.recorder = (zn_recorder){.user = out, .begin = begin, .row = row};
    CHECK_OK(zn_system_create(p->model, &sys));
    zn_status status = zn_sim_create(sys, &def, &sim);
    if (status == ZN_OK)
        status = zn_sim_run(sim);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
    return status;
}

static void drop(table *t)
{
    free(t->t);
    free(t->values);
}

#define AT(table, i, column) ((table).values[(i) * (table).columns + (column)])

// --- nsga ----------------------------------------------------------------------------------------

// A planar bar that falls on a corner with friction: q = q~ + U and v = v~ + W in all three coordinates, every row; the
// smooth motion is free fall, and U and W are not zero where a contact acts.
static void test_smooth_motion(void **state)
{
    (void)state;
    table t;
    CHECK_OK(
        run("zeno: 1\nplanar: true\ngravity: [0, -9.81]\n"
            "bodies: {b: {mass: 2, inertia: 0.3, position: [0, 0.5], angle: 0.4, velocity: [1, -1], spin: 2}}\n"
            "contacts: {c: {point: b, at: [0.3, -0.2], surface: {plane: [0, 1]}, restitution: 0.3, friction: 0.4}}\n"
            "record: {q: b.position, a: b.angle, v: b.velocity, w: b.spin, sq: b.smooth_position, "
            "sa: b.smooth_angle, sv: b.smooth_velocity, sw: b.smooth_spin, U: b.correction, "
            "Ua: b.correction_rotation, W: b.jump, Ww: b.jump_spin, acc: b.scheme_acceleration}\n"
            "run: {scheme: nsga, step: 2e-3, until: 0.4}\n",
            &t));
    bool acted = false;
    for (int i = 0; i < t.rows; i++) {
        const double *x = &AT(t, i, 0), *s = x + 6, *U = x + 12, *W = x + 15;
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(x[k], s[k] + U[k], 1e-14);
            CHECK_NEAR(x[3 + k], s[3 + k] + W[k], 1e-13);
        }
        if (i > 0) {
            const double *before = &AT(t, i - 1, 0);
            CHECK_NEAR(x[18], 0, 1e-12);
            CHECK_NEAR(x[19], -9.81, 1e-11);
            CHECK_NEAR(s[3], before[3], 1e-13); // nothing pushes the smooth motion sideways
            acted = acted || (W[1] > 0.1 && U[1] != 0);
        }
    }
    assert_true(acted);
    drop(&t);
}

// Other schemes do not know it: NaN, and the log says so.
static void test_unknown(void **state)
{
    (void)state;
    table t;
    CHECK_OK(run("zeno: 1\nplanar: true\nbodies: {b: {mass: 2, velocity: [1, 0]}}\n"
                 "record: {U: b.correction.x, a: b.scheme_acceleration.x, f: fine_ledger.kinetic}\n"
                 "run: {scheme: moreau_jean, step: 0.1, until: 0.3}\n",
                 &t));
    for (int k = 0; k < 3; k++)
        assert_true(isnan(AT(t, t.rows - 1, k)));
    assert_non_null(strstr(last, "record 'U' is NaN: moreau_jean has no correction"));
    assert_non_null(strstr(last, "record 'f' is NaN: moreau_jean has no fine_ledger"));
    drop(&t);
}

// --- accelerations ---------------------------------------------------------------------------------

// cd_lagrange, (46): a mass m on a spring k; the acceleration at t_n is -k q_n/m exactly, while the change of v is its
// mean over two steps. When it hits the wall the impulse over the step is in it.
static void test_central_differences(void **state)
{
    (void)state;
    table t;
    CHECK_OK(run("zeno: 1\nplanar: true\nbodies: {b: {mass: 0.5, position: [0.2, 0], fixed: [y]}}\n"
                 "springs: {s: {from: ground, from_at: [-1, 0], to: b, stiffness: 40, rest_length: 1}}\n"
                 "contacts: {wall: {point: b, surface: {plane: [1, 0], at: [-0.1, 0]}}}\n"
                 "record: {x: b.position.x, a: b.scheme_acceleration.x, mean: b.acceleration.x, P: wall.impulse}\n"
                 "run: {scheme: cd_lagrange, step: 3e-3, until: 0.3}\n",
                 &t));
    double h = 3e-3;
    bool   hit = false;
    for (int i = 2; i < t.rows; i++) {
        CHECK_NEAR(AT(t, i, 1), (-40 * AT(t, i, 0) + AT(t, i, 3) / h) / 0.5, 1e-9);
        CHECK_NEAR(AT(t, i, 2), 0.5 * (AT(t, i, 1) + AT(t, i - 1, 1)), 1e-8);
        hit = hit || AT(t, i, 3) > 0;
    }
    assert_true(hit);
    drop(&t);
}

static void test_newmark(void **state)
{
    (void)state;
    table t;
    CHECK_OK(run("zeno: 1\nplanar: true\nbodies: {b: {mass: 0.5, position: [0.2, 0], fixed: [y]}}\n"
                 "springs: {s: {from: ground, from_at: [-1, 0], to: b, stiffness: 40, rest_length: 1}}\n"
                 "record: {x: b.position.x, a: b.scheme_acceleration.x}\n"
                 "run: {scheme: newmark, step: 1e-2, until: 0.3}\n",
                 &t));
    for (int i = 1; i < t.rows; i++)
        CHECK_NEAR(AT(t, i, 1), -80 * AT(t, i, 0), 1e-9);
    drop(&t);
}

// --- slip ------------------------------------------------------------------------------------------

// A block that slides on a plane with 3 m/s^2 less each second: slip of a step is the way, then it sticks. In space and
// in an oblique direction, so that both tangents count.
static void test_slip(void **state)
{
    (void)state;
    table t;
    CHECK_OK(run("zeno: 1\ngravity: [0, 0, -10]\nbodies: {b: {mass: 2, velocity: [0.6, 0.8, 0]}}\n"
                 "contacts: {c: {point: b, surface: {plane: [0, 0, 1]}, friction: 0.3}}\n"
                 "record: {x: b.position, slip: c.slip}\nrun: {scheme: nsga, step: 1e-2, until: 0.5}\n",
                 &t));
    for (int i = 0; i < t.rows; i++) {
        const double *x = &AT(t, i, 0), *y = i > 0 ? x - t.columns : x;
        CHECK_NEAR(x[3], hypot(x[0] - y[0], x[1] - y[1]), 1e-15);
    }
    CHECK_NEAR(AT(t, 1, 3), 1e-2, 2e-4);
    CHECK_NEAR(AT(t, t.rows - 1, 3), 0, 1e-12); // it rests since 1/3 s
    drop(&t);
    CHECK_STATUS(run("zeno: 1\nplanar: true\nbodies: {b: {mass: 2}}\n"
                     "contacts: {c: {point: b, surface: {plane: [0, 1]}}}\nrecord: {slip: c.slip}\n"
                     "run: {scheme: nsga, step: 1e-2, until: 0.5}\n",
                     &t),
                 ZN_ERR_MODEL);
    assert_non_null(strstr(last, "'c' has no slip"));
    drop(&t);
}

// --- energies --------------------------------------------------------------------------------------

// Two bars, one at rest: energy of each is kinetic + strain, and of both that of the whole.
static void test_part_energy(void **state)
{
    (void)state;
    table t;
    CHECK_OK(run("zeno: 1\nplanar: true\nmaterials: {m: {young: 1e4, density: 2}}\nparts:\n"
                 "  a: {element: bar, material: m, area: 1, from: [0, 0], to: [-1, 0], elements: 5, velocity: [3, 0], "
                 "fixed: [y], mass: lumped}\n"
                 "  b: {element: bar, material: m, area: 1, from: [0.01, 0], to: [1.01, 0], elements: 5, fixed: [y], "
                 "mass: lumped}\n"
                 "contacts: {c: {point: 'b[0]', surface: {body: 'a[0]', plane: [1, 0]}}}\n"
                 "record: {a: a.energy, ak: a.kinetic, as: a.strain, b: b.energy, e: energy}\n"
                 "run: {scheme: cd_lagrange, step: 0.5 cfl, until: 0.04}\n",
                 &t));
    CHECK_NEAR(AT(t, 0, 0), 9, 1e-13);
    CHECK_NEAR(AT(t, 0, 3), 0, 0);
    for (int i = 0; i < t.rows; i++) {
        CHECK_NEAR(AT(t, i, 0), AT(t, i, 1) + AT(t, i, 2), 1e-14);
        CHECK_NEAR(AT(t, i, 4), AT(t, i, 0) + AT(t, i, 3), 1e-12);
    }
    assert_true(AT(t, t.rows - 1, 3) > 1); // it got some
    drop(&t);
}

// multirate, (91) of each part: what it stores has changed by what entered, its links included; both together are the
// ledger of the run.
static void check_balance_of_parts(const char *coarse)
{
    table t;
    char  text[1000];
    snprintf(text, sizeof text,
             "zeno: 1\nplanar: true\nmaterials: {m: {young: 1e4, density: 2}}\nparts:\n"
             "  rod: {element: bar, material: m, area: 1, from: [0, 0], to: [2, 0], elements: 24, fixed: [y], "
             "mass: lumped}\n"
             "loads: {push: {body: 'rod[0]', force: ['t < 0.01 ? 50 : 0', 0]}}\n"
             "record: {fine: fine_ledger, coarse: coarse_ledger, all: ledger}\n"
             "run: {scheme: {multirate: {fine: 'rod[0:9]', ratio: 4%s}}, step: 0.7 cfl, until: 0.1}\n",
             coarse);
    CHECK_OK(run(text, &t));
    const int n = ZN_LEDGER_LINES;
    double    worst = 0, size = 0;
    for (int i = 0; i < t.rows; i++) {
        const double *x = &AT(t, i, 0), *start = &AT(t, 0, 0);
        for (int k = 0; k < n; k++)
            CHECK_NEAR(x[k] + x[n + k], x[2 * n + k], 1e-12);
        for (int part = 0; part < 2; part++) {
            double open = 0;
            for (int k = 0; k < n; k++)
                open += (k < ZN_LEDGER_STORED ? 1 : -1) * (x[part * n + k] - start[part * n + k]);
            worst = fmax(worst, fabs(open));
        }
        size = fmax(size, fabs(x[n + ZN_LEDGER_INTERFACE]));
    }
    assert_true(t.rows > 5 && size > 0.1); // the links carried energy over
    CHECK_BELOW(worst, 1e-13 * size);
    drop(&t);
}

// Of several coarse parts each closes by itself, and their sum is that of all.
static void test_balance_of_each(void **state)
{
    (void)state;
    enum { N = ZN_LEDGER_LINES };
    table t;
    CHECK_OK(run("zeno: 1\nplanar: true\nmaterials: {m: {young: 1e4, density: 2}}\nparts:\n"
                 "  rod: {element: bar, material: m, area: 1, from: [0, 0], to: [2, 0], elements: 30, fixed: [y], "
                 "mass: lumped}\n"
                 "loads: {push: {body: 'rod[15]', force: ['t < 0.01 ? 200 : 0', 0]}}\n"
                 "record: {first: coarse_ledger_1, second: coarse_ledger_2, all: coarse_ledger}\n"
                 "run: {scheme: {multirate: {fine: 'rod[12:18]', coarse: 'rod[0:12]/8', ratio: 4}}, step: 0.7 cfl, "
                 "until: 0.1}\n",
                 &t));
    double worst = 0, least = INFINITY;
    for (int part = 0; part < 2; part++) {
        double largest = 0;
        for (int i = 0; i < t.rows; i++) {
            const double *x = &AT(t, i, part * N), *start = &AT(t, 0, part * N);
            double        open = 0;
            for (int k = 0; k < N; k++)
                open += (k < ZN_LEDGER_STORED ? 1 : -1) * (x[k] - start[k]);
            worst = fmax(worst, fabs(open));
            largest = fmax(largest, fabs(x[ZN_LEDGER_INTERFACE]));
        }
        least = fmin(least, largest);
    }
    for (int i = 0; i < t.rows; i++)
        for (int k = 0; k < N; k++)
            CHECK_NEAR(AT(t, i, k) + AT(t, i, N + k), AT(t, i, 2 * N + k), 1e-12);
    assert_true(t.rows > 5);
    assert_true(least > 0.1); // the links carried energy into both
    CHECK_BELOW(worst, 1e-13 * least);
    drop(&t);
}

static void test_balance_of_parts(void **state)
{
    (void)state;
    check_balance_of_parts("");
    check_balance_of_parts(", coarse_explicit: true");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smooth_motion),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_central_differences),
        cmocka_unit_test(test_newmark),
        cmocka_unit_test(test_slip),
        cmocka_unit_test(test_part_energy),
        cmocka_unit_test(test_balance_of_parts),
        cmocka_unit_test(test_balance_of_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
