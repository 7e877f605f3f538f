// What the certificate tells of momenta and of conserving impacts: which momenta nothing outside changes, how far they
// have changed, debts and counts; and the records of momenta against closed forms.
#include "parsed_run.h"

#include "sim/momenta.h"

static run begin(const char *text) { return start_run(parse_run(text)); }

// --- what acts from outside ----------------------------------------------------------------------

// Axes of the three momenta that nothing changes, some of "xyz" each.
static void check_outside(const char *held, const char *what, const char *linear, const char *angular, const char *spin)
{
    const char *want[ZN_MOMENTA] = {linear, angular, spin};
    char        text[2048];
    bool        kept[ZN_MOMENTA][3];
    snprintf(
        text, sizeof text,
        "zeno: 1\nrun: {scheme: moreau_jean, step: 0.01, until: 0.1}\n"
        "materials: {soft: {young: 100, poisson: 0.3, density: 1}}\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 5]%s}, b: {mass: 2, position: [3, 0, 5]}}\n%s\n",
        held, what);
    run r = begin(text);
    CHECK_OK(zn_momenta_find_kept(r.sim, kept));
    for (int m = 0; m < ZN_MOMENTA; m++)
        for (int k = 0; k < 3; k++)
            if (kept[m][k] != (strchr(want[m], "xyz"[k]) != NULL))
                fail_msg("%s%s: momentum %d, axis %c", held, what, m, "xyz"[k]);
    end(&r);
}

#define CUBE                                                                                                           \
    "parts: {c: {element: solid, material: soft, mesh: {box: {from: [5, 0, 0], to: [6, 1, 1], elements: [1, 1, 1]}}"

static void test_outside(void **state)
{
    (void)state;
    check_outside("", "", "xyz", "xyz", "xyz");
    check_outside("", "springs: {s: {from: a, to: b, stiffness: 3, damping: 2}}", "xyz", "xyz", "xyz");
    check_outside("", CUBE ", damping: {stiffness: 0.1}}}", "xyz", "xyz", "xyz");
    check_outside("", "joints: {j: {type: spherical, body: a, to: b, at: [3, 0, 0]}}", "xyz", "xyz", "xyz");
    check_outside("", CUBE "}}\ncontacts: {c1: {point: b, surface: {part: c}}}", "xyz", "xyz", "xyz");
    // gravity: about its direction, and about the centre of mass
    check_outside("", "gravity: [0, 0, -9.81]", "xy", "z", "xyz");
    check_outside("", "gravity: [1, 0, -9.81]", "y", "", "xyz");
    // frictionless planes of the ground, with friction
    check_outside("", "contacts: {f: {point: a, surface: {plane: [0, 0, 1]}}}", "xy", "z", "z");
    check_outside("", CUBE "}}\ncontacts: {f: {points: c.zmin, surface: {plane: [0, 0, 1]}}}", "xy", "z", "z");
    check_outside("", "contacts: {f: {point: a, surface: {plane: [0, 1, 1]}}}", "x", "", "");
    check_outside("", "contacts: {f: {point: a, surface: {plane: [0, 0, 1]}, friction: 0.1}}", "", "", "");
    check_outside(", fixed: [y]", "", "xz", "y", "y");
    check_outside(", fixed: [rotation]", "", "xyz", "", "");
    check_outside("", "springs: {s: {from: ground, to: b, stiffness: 3}}", "", "", "");
    check_outside("", "loads: {l: {body: a, force: [1, 0, 0]}}", "", "", "");
    check_outside("", "loads: {l: {acceleration: [1, 0, 0]}}", "", "", "");
    check_outside("", "joints: {j: {type: spherical, body: a}}", "", "", "");
    check_outside("", CUBE ", damping: {mass: 1e-3, stiffness: 0.1}}}", "", "", "");
}

// --- the certificate -----------------------------------------------------------------------------

// A block with a mass on a spring, flying and tumbling under gravity.
#define FLYING(gravity, rest)                                                                                          \
    "zeno: 1\nplanar: true\ngravity: " gravity "\n"                                                                    \
    "materials: {rubber: {young: 1000, poisson: 0.3, density: 1}}\n"                                                   \
    "parts: {block: {element: solid, material: rubber, model: saint_venant_kirchhoff, plane: stress, thickness: 1, "   \
    "mesh: {rectangle: {from: [-1, 2], to: [1, 3], elements: [2, 1]}}, velocity: [0.3, 0.2]}}\n"                       \
    "bodies: {m: {mass: 0.7, position: [2, 2], velocity: [-0.1, 1]}}\n"                                                \
    "springs: {s: {from: 'block[0]', to: m, stiffness: 30, damping: 0.1, rest_length: 1}}\n" rest

static void test_kept(void **state)
{
    (void)state;
    run r = begin(FLYING("[0, 0]", "limits: {linear_momentum: 1e-13, angular_momentum: 1e-13, spin_momentum: 1e-13}\n"
                                   "run: {scheme: energy_momentum, step: 0.05, until: 5}\n"));
    CHECK_OK(zn_sim_run(r.sim));
    const zn_certificate *c = zn_sim_certificate(r.sim);
    assert_int_equal(judge(&r), 0);
    assert_true(c->linear_momentum.value >= 0 && c->angular_momentum.value > 0 && c->spin_momentum.value > 0);
    assert_true(c->debt.value == 0 && c->contact_frames.value == 0);
    end(&r);
    r = begin(FLYING("[0, -9.81]", "limits: {linear_momentum: 1e-13, angular_momentum: 1e-13, spin_momentum: 1e-13}\n"
                                   "run: {scheme: energy_momentum, step: 0.05, until: 5}\n"));
    assert_int_equal(zn_sim_refuse_limits(r.sim), 1);
    CHECK_OK(zn_sim_run(r.sim));
    c = zn_sim_certificate(r.sim);
    assert_true(isnan(c->angular_momentum.value)); // gravity acts
    assert_true(c->linear_momentum.value < 1e-13 && c->spin_momentum.value < 1e-13);
    assert_int_equal(judge(&r), 1);
    CHECK_LOGGED(&messages,
                 "limit: angular momentum is not measured by this scheme, or something acts on the model from "
                 "outside, so 1e-13 cannot be kept");
    end(&r);
    r = begin(FLYING("[0, 0]", "run: {scheme: nsga, step: 0.05, until: 0.1}\n"));
    c = zn_sim_certificate(r.sim);
    assert_true(isnan(c->linear_momentum.value) && isnan(c->spin_momentum.value) && isnan(c->debt.value));
    end(&r);
}

// A push between two steps is a change of momentum: of its size over the largest sum of momenta.
static void test_push(void **state)
{
    (void)state;
    run r =
        begin("zeno: 1\nplanar: true\n"
              "bodies: {a: {mass: 1, position: [0, 1], velocity: [2, 0]}, b: {mass: 2, position: [0, -1], velocity: "
              "[-1, 0]}}\nrun: {scheme: energy_momentum, step: 0.5, until: 5}\n");
    CHECK_OK(zn_sim_step(r.sim));
    const zn_certificate *c = zn_sim_certificate(r.sim);
    assert_true(c->linear_momentum.value == 0 && c->angular_momentum.value < 1e-15);
    r.sim->state->v[0] += 1e-3; // of a: the momenta are 2 and 2, its height is 1, that of the centre -1/3
    CHECK_OK(zn_sim_step(r.sim));
    CHECK_NEAR(c->linear_momentum.value, 1e-3 / 4.001, 1e-12);
    CHECK_NEAR(c->linear_momentum.time, 1, 1e-15);
    double arm_a = hypot(2 + 0.5e-3, 1), arm_b = hypot(1, 1);
    CHECK_NEAR(c->angular_momentum.value, 1e-3 / (2.001 * arm_a + 2 * arm_b), 1e-12);
    double xc = (2 + 0.5e-3 - 2) / 3, yc = -1.0 / 3;
    double size = 2.001 * hypot(2 + 0.5e-3 - xc, 1 - yc) + 2 * hypot(-1 - xc, -1 - yc);
    CHECK_NEAR(c->spin_momentum.value, 1e-3 * (1 - yc) / size, 1e-12);
    CHECK_OK(zn_sim_step(r.sim)); // sums of sizes about a point grow, the change stays
    assert_true(c->angular_momentum.time == 1);
    end(&r);
}

// Steps that report frames, changes, repeated sets and debts.
static void test_counts(void **state)
{
    (void)state;
    run r = begin(FLYING("[0, 0]", "limits: {debt: 1e-6, repeated_sets: 4, segment_changes: 0, contact_frames: 5}\n"
                                   "run: {scheme: energy_momentum, step: 0.05, until: 5}\n"));
    static const struct {
        int    frames, changes, repeated;
        double debt;
    } steps[] = {{3, 0, 0, 0}, {7, 2, 0, -2e-3}, {5, 1, 4, 1e-3}};
    const zn_certificate *c = zn_sim_certificate(r.sim);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(zn_sim_step(r.sim));
        r.sim->last.frames = steps[i].frames;
        r.sim->last.segment_changes = steps[i].changes;
        r.sim->last.repeated_sets = steps[i].repeated;
        r.sim->last.jump_debt = steps[i].debt;
        zn_certificate_account(r.sim, 0.05);
    }
    assert_true(c->contact_frames.value == 7 && c->segment_changes.value == 3 && c->repeated_sets.value == 4);
    CHECK_NEAR(c->contact_frames.time, 0.1, 1e-15);
    CHECK_NEAR(c->segment_changes.time, 0.15, 1e-15);
    CHECK_NEAR(c->debt.value, 2e-3 / c->energy_moved, 1e-15);
    CHECK_NEAR(c->debt.time, 0.1, 1e-15);
    assert_int_equal(judge(&r), 3);
    CHECK_LOGGED(&messages, "limit broken: debt of jumps");
    CHECK_LOGGED(&messages, "limit broken: changes of segment 3 exceeds 0");
    CHECK_LOGGED(&messages, "limit broken: contact frames 7 exceeds 5 at t = 0.1 s");
    end(&r);
}

// --- a restart -----------------------------------------------------------------------------------

typedef struct kept_bytes {
    double t;
    void  *data;
    size_t size;
} kept_bytes;

static zn_status keep(void *user, double t, const void *data, size_t size)
{
    kept_bytes *k = user;
    if (k->data)
        return ZN_OK;
    *k = (kept_bytes){t, malloc(size), size};
    memcpy(k->data, data, size);
    return ZN_OK;
}

static void test_restart(void **state)
{
    (void)state;
    static const char text[] = FLYING("[0, -9.81]", "run: {scheme: energy_momentum, step: 0.05, until: 3, "
                                                    "checkpoint_every: 20}\n");
    kept_bytes        kept = {0};
    run               r = begin(text);
    zn_sim           *sim = NULL;
    r.problem->sim.recorder = (zn_recorder){.user = &kept, .checkpoint = keep};
    zn_sim_destroy(r.sim);
    CHECK_OK(zn_sim_create(r.sys, &r.problem->sim, &r.sim));
    CHECK_OK(zn_sim_run(r.sim));
    CHECK_OK(zn_sim_create(r.sys, &r.problem->sim, &sim));
    CHECK_OK(zn_sim_restart(sim, kept.data, kept.size));
    CHECK_OK(zn_sim_run(sim));
    const zn_certificate *a = zn_sim_certificate(r.sim), *b = zn_sim_certificate(sim);
    assert_true(a->spin_momentum.value == b->spin_momentum.value && a->spin_momentum.time == b->spin_momentum.time);
    assert_true(a->linear_momentum.value == b->linear_momentum.value);
    assert_true(isnan(a->angular_momentum.value) && isnan(b->angular_momentum.value));
    assert_memory_equal(&r.sim->momenta, &sim->momenta, sizeof sim->momenta);
    zn_sim_destroy(sim);
    free(kept.data);
    end(&r);
}

// --- records -------------------------------------------------------------------------------------

// Two bodies that turn, in space: the orbit about the centre of mass is the reduced mass times r x v, and each adds its
// own spin. A bar of one part: its centre is in the middle.
static void test_records(void **state)
{
    (void)state;
    run r =
        begin("zeno: 1\n"
              "bodies:\n"
              "  a: {mass: 2, inertia: [1, 2, 3], position: [1, 2, 3], velocity: [0.5, -1, 2], spin: [0.1, 0.2, 0.3]}\n"
              "  b: {mass: 3, inertia: [2, 2, 2], position: [-1, 4, 0], velocity: [1, 1, -1], spin: [1, 0, -2]}\n"
              "record: {c: centre, s: spin_momentum, sa: a.spin_momentum, ca: b.centre, l: angular_momentum}\n"
              "run: {scheme: moreau_jean, step: 0.01, until: 0.1}\n");
    double  x[15];
    zn_vec3 apart = {2, -2, 3}, speed = {-0.5, -2, 3}, orbit = zn_vec3_scale(1.2, zn_vec3_cross(apart, speed));
    CHECK_OK(zn_sim_values(r.sim, x));
    const double want[15] = {-0.2, 3.2, 1.2, orbit.x + 0.1 + 2, orbit.y + 0.4, orbit.z + 0.9 - 4, 0.1, 0.4, 0.9,
                             -1,   4,   0};
    for (int i = 0; i < 12; i++)
        CHECK_NEAR(x[i], want[i], 1e-14);
    zn_vec3 p = {4, 1, 1}, c = {-0.2, 3.2, 1.2}, about = zn_vec3_cross(c, p);
    CHECK_NEAR(x[12], want[3] + about.x, 1e-13);
    CHECK_NEAR(x[13], want[4] + about.y, 1e-13);
    CHECK_NEAR(x[14], want[5] + about.z, 1e-13);
    end(&r);
    r = begin("zeno: 1\nplanar: true\nmaterials: {m: {young: 1, poisson: 0.3, density: 2}}\n"
              "parts: {p: {element: solid, material: m, thickness: 1, mesh: {rectangle: {from: [1, 2], to: [3, 5], "
              "elements: [3, 2]}}, velocity: [1, 2]}}\n"
              "record: {c: p.centre, s: p.spin_momentum}\nrun: {scheme: nsga, step: 0.01, until: 0.1}\n");
    CHECK_OK(zn_sim_values(r.sim, x));
    CHECK_NEAR(x[0], 2, 1e-14);
    CHECK_NEAR(x[1], 3.5, 1e-14);
    CHECK_NEAR(x[2], 0, 1e-13);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outside), cmocka_unit_test(test_kept),    cmocka_unit_test(test_push),
        cmocka_unit_test(test_counts),  cmocka_unit_test(test_restart), cmocka_unit_test(test_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
