// Equilibrium held by friction: closed forms and limits of blocks, ladders, wedges, pawls, a bar on a rough floor, a
// mass that slides in the plane; and piles of any number of pairs.
#include "equilibrium_models.h"
#include "system/system.h"
#include "zn/io.h"

typedef struct rest {
    zn_problem         *problem;
    zn_system          *sys;
    zn_state           *state;
    zn_equilibrium_info info;
    zn_status           status;
} rest;

static log_capture told;

static rest find_rest(const char *text, bool friction, int count, const char *const *overrides)
{
    rest   r = {0};
    zn_log log = log_into(&told);
    told = (log_capture){0};
    CHECK_OK(zn_problem_parse(text, strlen(text), "test", count, overrides, log, &r.problem));
    CHECK_OK(zn_system_create(r.problem->model, &r.sys));
    CHECK_OK(zn_state_create(r.sys, &r.state));
    zn_equilibrium_def def = zn_equilibrium_def_default();
    def.log = log;
    def.friction = friction;
    r.status = zn_equilibrium_solve(r.sys, &def, r.state, &r.info);
    return r;
}

static rest with(const char *text, const char *name, double value)
{
    char        override[64];
    const char *overrides[] = {override};
    snprintf(override, sizeof override, "%s=%.17g", name, value);
    return find_rest(text, true, 1, overrides);
}

static void close_rest(rest *r)
{
    zn_state_destroy(r->state);
    zn_system_destroy(r->sys);
    zn_problem_destroy(r->problem);
}

static double at(const rest *r, const char *node, int k)
{
    return r->state->q[r->sys->layout.node[zn_model_find_node(r->problem->model, node).value - 1].q + k];
}

static double force(const rest *r, const char *contact, int row)
{
    const zn_contact_set *set = r->state->contacts;
    for (int i = 0; i < set->count; i++)
        if (strcmp(zn_contact_name(r->sys, set->id[i]), contact) == 0)
            return set->impulse[i * set->stride + row];
    return NAN;
}

// Balanced, |l_T| <= mu l_N, and the law of slip.
static void check_laws(const rest *r)
{
    const zn_contact_set *set = r->state->contacts;
    CHECK_OK(r->status);
    CHECK_BELOW(r->info.residual, 1e-10);
    CHECK_BELOW(r->info.penetration, 1e-12);
    if (set->stride > 1)
        CHECK_BELOW(r->info.coulomb, 1e-9);
    for (int i = 0; i < set->count; i++) {
        const double *l = set->impulse + i * set->stride;
        double        size = set->stride > 2 ? hypot(l[1], l[2]) : set->stride > 1 ? l[1] : 0;
        if (!set->bilateral[i])
            assert_true(l[0] >= 0 && fabs(size) <= set->friction[i] * l[0] * (1 + 1e-9) + 1e-12);
    }
}

// --- rigid bodies --------------------------------------------------------------------------------

static const char block[] =
    "zeno: 1\nplanar: true\nparameters: {angle: 0.35, mu: 0.5}\ngravity: [9.81*sin(angle), -9.81*cos(angle)]\n"
    "bodies: {block: {mass: 3, inertia: 0.2, position: [0, 0.15]}}\n"
    "contacts:\n"
    "  rear: {point: block, at: [-0.4, -0.15], surface: {plane: [0, 1]}, friction: mu}\n"
    "  front: {point: block, at: [0.4, -0.15], surface: {plane: [0, 1]}, friction: mu}\n"
    "run: {static: {load_steps: 1}}\n";

// mu > tan: it stays, and the feet share m g sin and m g cos; below none is found and the message names it.
static void test_incline(void **state)
{
    (void)state;
    const double angle = 0.35, weight = 3 * 9.81, mu[] = {2, 1.001 * tan(angle), 0.999 * tan(angle), 0.05};
    for (int i = 0; i < 4; i++) {
        rest r = with(block, "mu", mu[i]);
        if (i < 2) {
            check_laws(&r);
            CHECK_NEAR(at(&r, "block", 0), 0, 1e-15);
            CHECK_NEAR(force(&r, "rear", 0) + force(&r, "front", 0), weight * cos(angle), 1e-12 * weight);
            CHECK_NEAR(fabs(force(&r, "rear", 1) + force(&r, "front", 1)), weight * sin(angle), 1e-12 * weight);
            // moments about the centre of mass
            CHECK_NEAR(0.4 * (force(&r, "front", 0) - force(&r, "rear", 0)), 0.15 * weight * sin(angle),
                       1e-12 * weight);
            assert_int_equal(r.info.relaxations, 0);
        } else {
            assert_int_equal(r.status, ZN_ERR_MODEL);
            assert_non_null(strstr(told.text, "not held: 'block'"));
            assert_non_null(strstr(told.text, "friction"));
        }
        close_rest(&r);
    }
    rest smooth = find_rest(block, false, 0, NULL); // friction left out
    assert_int_equal(smooth.status, ZN_ERR_MODEL);
    close_rest(&smooth);
}

static const char ladder[] =
    "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nparameters: {angle: 1, L: 5}\n"
    "bodies: {ladder: {mass: 8, inertia: 16, position: [-L/2*cos(angle), L/2*sin(angle)], angle: angle}}\n"
    "contacts:\n"
    "  foot: {point: ladder, at: [-L/2, 0], surface: {plane: [0, 1]}, friction: 0.35}\n"
    "  head: {point: ladder, at: [L/2, 0], surface: {plane: [-1, 0]}, friction: 0.2}\n"
    "run: {static: {load_steps: 1}}\n";

// It slips where tan(angle) < (1 - mu mu')/(2 mu), both ends at their limit there.
static void test_ladder(void **state)
{
    (void)state;
    const double mu = 0.35, wall = 0.2, least = atan((1 - mu * wall) / (2 * mu)), L = 5, weight = 8 * 9.81;
    const double angle[] = {1.4, least + 1e-4, least - 1e-4, 0.6};
    for (int i = 0; i < 4; i++) {
        rest   r = with(ladder, "angle", angle[i]);
        double x = -L / 2 * cos(angle[i]);
        if (i < 2) {
            check_laws(&r);
            CHECK_NEAR(at(&r, "ladder", 0), x, 1e-14);
            double N = force(&r, "foot", 0), T = fabs(force(&r, "foot", 1)), n = force(&r, "head", 0);
            CHECK_NEAR(T, n, 1e-11);
            CHECK_NEAR(N + fabs(force(&r, "head", 1)), weight, 1e-11);
            CHECK_NEAR(N * cos(angle[i]) / 2 - T * sin(angle[i]) / 2, // about the centre
                       (fabs(force(&r, "head", 1)) * cos(angle[i]) + n * sin(angle[i])) / 2, 1e-11);
        }
        if (i == 1)
            CHECK_NEAR(force(&r, "foot", 0), weight / (1 + mu * wall), 1e-3 * weight); // the only one there is
        if (i > 1) // it goes down: there is another rest only below the floor, hanging from its foot
            assert_true(r.status != ZN_OK || fabs(at(&r, "ladder", 0) - x) > 0.1);
        close_rest(&r);
    }
}

static const char wedge[] =
    "zeno: 1\nplanar: true\ngravity: [0, -10]\nparameters: {a: 0.3, mu: 0.2, P: 1}\n"
    "bodies:\n"
    "  wedge: {mass: 1, inertia: 1, position: [0, 0], fixed: [y, rotation]}\n"
    "  load: {mass: 6, inertia: 1, position: [0, 0], fixed: [x, rotation]}\n"
    "contacts: {face: {point: load, surface: {body: wedge, plane: [sin(a), cos(a)]}, friction: mu}}\n"
    "loads: {push: {body: wedge, force: [P, 0]}}\n"
    "run: {static: {load_steps: 1}}\n";

// A weight W on the wedge: it stays for W tan(a - phi) <= P <= W tan(a + phi), tan phi = mu.
static void test_wedge(void **state)
{
    (void)state;
    const double a = 0.3, phi = atan(0.2), W = 60;
    const double P[] = {W * tan(a - phi) * 1.001, W * tan(a + phi) * 0.999, W * tan(a - phi) * 0.999,
                        W * tan(a + phi) * 1.001};
    for (int i = 0; i < 4; i++) {
        rest r = with(wedge, "P", P[i]);
        if (i < 2) {
            check_laws(&r);
            CHECK_NEAR(force(&r, "face", 0), W * cos(a) + P[i] * sin(a), 1e-11);
            CHECK_NEAR(fabs(force(&r, "face", 1)), fabs(W * sin(a) - P[i] * cos(a)), 1e-11);
            CHECK_NEAR(at(&r, "load", 1), 0, 1e-14);
        } else {
            assert_int_equal(r.status, ZN_ERR_MODEL);
        }
        close_rest(&r);
    }
}

static const char pawl[] =
    "zeno: 1\nplanar: true\ngravity: [0, 0]\nparameters: {b: 0.2, L: 0.3, M: 0.02}\n"
    "bodies:\n"
    "  pawl: {mass: 0.1, inertia: 1e-3, position: [-L/2*sin(b), L/2*cos(b)], angle: b}\n"
    "  bolt: {mass: 2, inertia: 1, position: [0, 0], fixed: [y, rotation]}\n"
    "joints: {pin: {type: revolute, body: pawl, at: [0, L/2]}}\n"
    "contacts: {tip: {point: pawl, at: [0, -L/2], surface: {body: bolt, plane: [0, 1]}, friction: 0.25}}\n"
    "loads: {pull: {body: bolt, force: [-40, 0]}, press: {body: pawl, torque: -M}}\n"
    "run: {static: {load_steps: 1}}\n";

// A latch: the pawl leans against the bolt at an angle b from the normal. However hard the bolt is pulled, the tip
// sticks while tan b < mu; N L sin b = T L cos b + M with T = 40 N.
static void test_latch(void **state)
{
    (void)state;
    const double L = 0.3, M = 0.02, b[] = {0.1, atan(0.25) - 2e-3, atan(0.25) + 2e-3, 0.6};
    for (int i = 0; i < 4; i++) {
        rest   r = with(pawl, "b", b[i]);
        double N = (40 * L * cos(b[i]) + M) / (L * sin(b[i]));
        bool   holds = 40 <= 0.25 * N;
        assert_int_equal(holds, i < 2);
        if (holds) {
            check_laws(&r);
            CHECK_NEAR(fabs(force(&r, "tip", 1)), 40, 1e-10);
            CHECK_NEAR(force(&r, "tip", 0), N, 1e-10 * N);
            CHECK_NEAR(at(&r, "bolt", 0), 0, 1e-14);
        } else { // the bolt is free once the tip has gone over
            assert_int_not_equal(r.status, ZN_OK);
        }
        close_rest(&r);
    }
}

// --- what slides ---------------------------------------------------------------------------------

static const char rod[] =
    "zeno: 1\nplanar: true\ngravity: [0, -10]\nparameters: {F: 20}\n"
    "materials: {s: {young: 2e6, density: 800}}\n"
    "parts: {rod: {element: bar, material: s, area: 1e-2, from: [0, 0], to: [3, 0], elements: 60, mass: lumped}}\n"
    "contacts: {floor: {points: rod, surface: {plane: [0, 1]}, friction: 0.3}}\n"
    "loads: {pull: {body: \"rod[60]\", force: [F, 0]}}\n"
    "run: {static: {load_steps: 1}}\n";

// Nodes slide from the pulled end on until friction mu w has taken up F; what is left in element k stretches it.
static void test_rough_floor(void **state)
{
    (void)state;
    const double force_of_pull[] = {5, 20, 60}, h = 0.05, stiffness = 2e6 * 1e-2 / h,
                 friction = 0.3 * 800 * 1e-2 * h * 10;
    for (int i = 0; i < 3; i++) {
        double left = force_of_pull[i], end = 0;
        for (int node = 60; node > 0; node--) {
            left = fmax(0, left - (node == 60 ? friction / 2 : friction));
            end += left / stiffness;
        }
        rest r = with(rod, "F", force_of_pull[i]);
        check_laws(&r);
        CHECK_NEAR(at(&r, "rod[60]", 0), end, 1e-12);
        CHECK_NEAR(at(&r, "rod[0]", 0), 0, 1e-15);
        assert_int_equal(r.info.relaxations, 0);
        close_rest(&r);
    }
    rest r = with(rod, "F", 0.3 * 800 * 1e-2 * 3 * 10 * 1.01); // more than all of it
    assert_int_equal(r.status, ZN_ERR_MODEL);
    close_rest(&r);
}

static const char mass[] = "zeno: 1\ngravity: [0, 0, -10]\nparameters: {mu: 0.4}\n"
                           "bodies: {m: {mass: 1.5, position: [0, 0, 0], fixed: [rotation]}}\n"
                           "springs:\n"
                           "  x: {from: m, to: ground, to_at: [8, 0, 0], stiffness: 25, rest_length: 7.6}\n"
                           "  y: {from: m, to: ground, to_at: [0, 8, 0], stiffness: 70, rest_length: 7.9}\n"
                           "contacts: {floor: {point: m, surface: {plane: [0, 0, 1]}, friction: mu}}\n"
                           "run: {static: {load_steps: 1}}\n";

// Pulled by 10 N and 7 N: it stays while mu m g > sqrt(149) N, else friction is mu m g against the way it has gone.
static void test_slides_in_the_plane(void **state)
{
    (void)state;
    const double mu[] = {0.02, 0.3, 0.6, 0.8, 0.82, 1.2}, N = 15;
    for (int i = 0; i < 6; i++) {
        rest   r = with(mass, "mu", mu[i]);
        double x = at(&r, "m", 0), y = at(&r, "m", 1), way = hypot(x, y);
        double long_x = hypot(8 - x, y), long_y = hypot(8 - y, x);
        double fx = 25 * (1 - 7.6 / long_x), fy = 70 * (1 - 7.9 / long_y); // along the springs, over their length
        double pull[2] = {fx * (8 - x) - fy * x, fy * (8 - y) - fx * y};
        check_laws(&r);
        if (mu[i] * N > sqrt(149)) {
            CHECK_NEAR(way, 0, 1e-14);
        } else {
            CHECK_NEAR(pull[0], mu[i] * N * x / way, 1e-9);
            CHECK_NEAR(pull[1], mu[i] * N * y / way, 1e-9);
        }
        close_rest(&r);
    }
}

// --- piles ---------------------------------------------------------------------------------------

static const char row[] =
    "zeno: 1\nparameters: {a: 0.4, n: 20, mu: 0, d: 0.1}\ngravity: [-10*sin(a), 0, -10*cos(a)]\n"
    "bodies:\n"
    "  ball: {mass: 2, inertia: 8e-3, position: [0.1, 0, 0], sphere: 0.1,\n"
    "         lattice: {count: [n, 1, 1], spacing: [0.2, 1, 1]}}\n"
    "shapes:\n"
    "  left: {plane: [0, 1, 1], at: [0, -d/sqrt(2), -d/sqrt(2)]}\n"
    "  right: {plane: [0, -1, 1], at: [0, d/sqrt(2), -d/sqrt(2)]}\n"
    "  stop: {plane: [1, 0, 0]}\n"
    "contacts: {pile: {between: [ball], friction: mu}, walls: {between: [ball], against: [left, right, stop]}}\n"
    "run: {static: {load_steps: 1}}\n";

// Balls in an inclined groove lean on each other and on a stop: k m g sin a at the k-th from above.
static void test_row(void **state)
{
    (void)state;
    const double down = 20 * sin(0.4), across = 20 * cos(0.4) / sqrt(2);
    rest         r = with(row, "n", 20);
    int          seen[21] = {0}, sides = 0;
    check_laws(&r);
    for (int i = 0; i < r.state->contacts->count; i++) {
        double l = r.state->contacts->impulse[i * r.state->contacts->stride], k = l / down;
        bool   side = fabs(l - across) < 1e-10;
        sides += side;
        if (!side && l > 0) {
            assert_true(fabs(k - round(k)) < 1e-11 && k > 0.5 && k < 20.5);
            seen[(int)round(k)]++;
        }
    }
    assert_int_equal(sides, 40);
    for (int k = 1; k <= 20; k++)
        assert_int_equal(seen[k], 1);
    close_rest(&r);
}

// Rough walls, too: balls hold by friction where that suffices. Forces are many, their sum is one.
static const char groove[] =
    "zeno: 1\nparameters: {a: 0.4, n: 12, mu: 0.3, d: 0.1}\ngravity: [-10*sin(a), 0, -10*cos(a)]\n"
    "bodies:\n"
    "  ball: {mass: 2, inertia: 8e-3, position: [0.1, 0, 0], sphere: 0.1,\n"
    "         lattice: {count: [n, 1, 1], spacing: [0.2, 1, 1]}}\n"
    "shapes:\n"
    "  left: {plane: [0, 1, 1], at: [0, -d/sqrt(2), -d/sqrt(2)]}\n"
    "  right: {plane: [0, -1, 1], at: [0, d/sqrt(2), -d/sqrt(2)]}\n"
    "  stop: {plane: [1, 0, 0]}\n"
    "contacts: {pile: {between: [ball, left, right, stop], friction: mu}}\n"
    "run: {static: {load_steps: 1}}\n";

static void test_rough_groove(void **state)
{
    (void)state;
    const double mu[] = {0.1, 0.3, 0.7}, weight = 12 * 20;
    for (int i = 0; i < 3; i++) {
        rest r = with(groove, "mu", mu[i]);
        check_laws(&r);
        CHECK_NEAR(r.info.support.x, weight * sin(0.4), 1e-9 * weight);
        CHECK_NEAR(r.info.support.z, weight * cos(0.4), 1e-9 * weight);
        close_rest(&r);
    }
}

// --- near the limit ------------------------------------------------------------------------------

static const char table[] = "zeno: 1\nparameters: {mu: 0.4, a: 0.25, way: 0.6}\n"
                            "gravity: [10*sin(a)*cos(way), 10*sin(a)*sin(way), -10*cos(a)]\n"
                            "bodies: {table: {mass: 9, inertia: [0.8, 1.1, 1.5], position: [0, 0, 0.4]}}\n"
                            "contacts:\n"
                            "  a: {point: table, at: [-0.7, -0.5, -0.4], surface: {plane: [0, 0, 1]}, friction: mu}\n"
                            "  b: {point: table, at: [0.7, -0.5, -0.4], surface: {plane: [0, 0, 1]}, friction: mu}\n"
                            "  c: {point: table, at: [-0.7, 0.5, -0.4], surface: {plane: [0, 0, 1]}, friction: mu}\n"
                            "  d: {point: table, at: [0.7, 0.5, -0.4], surface: {plane: [0, 0, 1]}, friction: mu}\n"
                            "run: {static: {load_steps: 1}}\n";

// Four feet that slide in the plane one after the other: held from mu = tan on, not below, and soon told.
static void test_table(void **state)
{
    (void)state;
    const double limit = tan(0.25), mu[] = {3, 1.05, 1.0005, 0.9995, 0.9, 0.3};
    for (int i = 0; i < 6; i++) {
        rest r = with(table, "mu", mu[i] * limit);
        if (i < 3) {
            check_laws(&r);
            CHECK_NEAR(at(&r, "table", 0), 0, 1e-9);
            CHECK_NEAR(hypot(r.info.support.x, r.info.support.y), 90 * sin(0.25), 1e-10);
            assert_int_equal(r.info.relaxations, 0);
        } else {
            assert_int_equal(r.status, ZN_ERR_MODEL);
            assert_non_null(strstr(told.text, "not held: 'table'"));
            assert_non_null(strstr(told.text, "does not hold it"));
            assert_true(r.info.newton_iterations < 100);
        }
        close_rest(&r);
    }
}

static zn_status stop_at_once(void *user) { return --*(int *)user < 0 ? ZN_INTERRUPTED : ZN_OK; }

// Wherever it is stopped, the state stays as it was.
static void test_stops(void **state)
{
    (void)state;
    const char *overrides[] = {"mu=0.2"};
    for (int after = 0; after < 12; after++) {
        rest   r = find_rest(table, true, 1, overrides);
        int    left = after;
        double z = at(&r, "table", 2);
        assert_int_equal(r.status, ZN_ERR_MODEL);
        zn_equilibrium_def def = zn_equilibrium_def_default();
        def.poll = stop_at_once;
        def.poll_user = &left;
        def.log = log_into(&told);
        assert_int_equal(zn_equilibrium_solve(r.sys, &def, r.state, NULL), ZN_INTERRUPTED);
        assert_true(at(&r, "table", 2) == z);
        close_rest(&r);
    }
}

// --- motion from there ---------------------------------------------------------------------------

static const char start[] =
    "start: equilibrium, step: 1e-3, until: 0.05}\nrecord: {v: block.velocity, x: block.position}\n";

static void test_dynamics_rest(void **state)
{
    (void)state;
    const char *schemes[] = {"moreau_jean", "nsga", "combined_projection"};
    for (int i = 0; i < 3; i++) {
        char   text[2048];
        size_t head = (size_t)(strstr(block, "run:") - block);
        snprintf(text, sizeof text, "%.*srun: {scheme: %s, %s", (int)head, block, schemes[i], start);
        zn_problem *problem = NULL;
        zn_system  *sys = NULL;
        zn_sim     *sim = NULL;
        log_capture log = {0};
        CHECK_OK(zn_problem_parse(text, strlen(text), "test", 0, NULL, log_into(&log), &problem));
        CHECK_OK(zn_system_create(problem->model, &sys));
        CHECK_OK(zn_sim_create(sys, &problem->sim, &sim));
        CHECK_OK(zn_sim_run(sim));
        CHECK_BELOW(largest_of(zn_system_get_info(sys).n_all, zn_sim_state(sim)->v), 1e-12);
        zn_sim_destroy(sim);
        zn_system_destroy(sys);
        zn_problem_destroy(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incline),      cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_wedge),        cmocka_unit_test(test_latch),
        cmocka_unit_test(test_rough_floor),  cmocka_unit_test(test_slides_in_the_plane),
        cmocka_unit_test(test_row),          cmocka_unit_test(test_dynamics_rest),
        cmocka_unit_test(test_rough_groove), cmocka_unit_test(test_table),
        cmocka_unit_test(test_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
