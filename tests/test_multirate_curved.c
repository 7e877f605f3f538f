// Coarse parts of multirate that are not linear, with joints and bodies that turn, and several coarse parts: two equal
// parts are the whole, order, balances, restart, failure, threads.
#include "gallery_fixtures.h"
#include "multirate_models.h"
#include "multirate_spinners.h"
#include "scheme/scheme.h"
#include "system/system.h"

static gallery_rig open_text(const char *text, zn_scheme_def def)
{
    gallery_rig g = {0};
    char        all[1500];
    snprintf(all, sizeof all, "%srun: {step: 1, until: 1}\n", text);
    CHECK_OK(zn_problem_parse(all, strlen(all), "model.yaml", 0, NULL, (zn_log){gallery_print, NULL}, &g.problem));
    g.r = rig_open(g.problem->model, def);
    return g;
}

// A bar with a heavy pendulum on one of its nodes, by a joint.
#define PENDULUM(node, height)                                                                                         \
    "zeno: 1\ngravity: [0, 0, -9.81]\nmaterials: {m: {young: 1e6, density: 1000}}\n"                                   \
    "parts: {a: {element: bar, material: m, area: 1e-2, mass: lumped, from: [0, 0, 0], to: [0, 0, 1], elements: 10,\n" \
    "  fixed: [x, y]}}\n"                                                                                              \
    "bodies: {w: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, " height "], spin: [3, 0, 0]}}\n"              \
    "joints: {hold: {type: spherical, body: w, at: [-0.5, 0, 0], to: \"" node "\"}}\n"                                 \
    "loads: {f: {body: \"a[10]\", force: [0, 0, \"100 + 300*sin(9*t)\"]}}\n"
static const char pendulum[] = PENDULUM("a[0]", "0"), hung[] = PENDULUM("a[4]", "0.4");

// A soft block that bends far, and a linear bar on one of its corners.
static const char block[] =
    "zeno: 1\nmaterials: {m: {young: 2e4, poisson: 0.3, density: 1000}, s: {young: 1e5, density: 2000}}\n"
    "parts:\n"
    "  b: {element: solid, material: m, model: saint_venant_kirchhoff, mass: lumped,\n"
    "      mesh: {box: {from: [0, 0, 0], to: [0.6, 0.2, 0.2], elements: [3, 1, 1]}}}\n"
    "  r: {element: bar, material: s, area: 1e-3, mass: lumped, from: [0, 0, 0], to: [-0.5, 0, 0], elements: 5,\n"
    "      first_node: \"b[0]\"}\n"
    "loads: {f: {body: \"r[5]\", force: [\"-20*sin(20*t)\", 0, 0]}, g: {body: \"b[3]\", force: [0, 0, "
    "\"20*sin(15*t)\"]}}\n";

// A rod whose far end is driven, with a stop that hardens in its middle.
static const char driven[] =
    "zeno: 1\nplanar: true\nmaterials: {m: {young: 1, density: 1}}\n"
    "parts: {rod: {element: bar, material: m, area: 1, mass: lumped, from: [0, 0], to: [3, 0], elements: 60, fixed: "
    "[y]}}\n"
    "springs: {s: {from: ground, from_at: [1, 0], to: \"rod[40]\", force: \"2*(length-1)+300*(length-1)^3\"}}\n"
    "joints: {drive: {type: motion, body: \"rod[60]\", x: \"3 + 0.1*(1 - cos(2*t))\"}}\n";

static double largest(int count, const double *a, const double *b)
{
    double worst = 0;
    for (int i = 0; i < count; i++)
        worst = fmax(worst, fabs(a[i] - (b ? b[i] : 0)));
    return worst;
}

// --- two parts are the whole -------------------------------------------------------------------------

static void check_whole(const char *text, const char *fine, double h, int steps)
{
    zn_scheme_def whole = scheme_named("newmark", 0.5), two = parts(fine, 1);
    two.fine_implicit = true;
    gallery_rig    a = open_text(text, whole), b = open_text(text, two);
    zn_system_info info = zn_system_get_info(a.r.sys);
    double         moved = 0;
    for (int k = 0; k < steps; k++) {
        rig_step(&a.r, h);
        rig_step(&b.r, h);
        double size = largest(info.n, a.r.state->v, NULL);
        CHECK_BELOW(largest(info.nq, a.r.state->q, b.r.state->q), 1e-10);
        CHECK_BELOW(largest(info.n, a.r.state->v, b.r.state->v), 1e-9 * size);
        for (int i = 0; i < a.r.state->contacts->count; i++)
            CHECK_NEAR(impulse_of(&b.r, i), impulse_of(&a.r, i), 1e-6 * h);
        CHECK_NEAR(energy_of(&b.r), energy_of(&a.r), 1e-9 * fabs(energy_of(&a.r)));
        moved = fmax(moved, largest(info.nq, a.r.state->q, a.r.sys->q0));
    }
    assert_true(moved > 0.1);
    gallery_close(&a);
    gallery_close(&b);
}

static void test_whole(void **test)
{
    (void)test;
    check_whole(pendulum, "a[6:10]", 2e-3, 200);
    check_whole(hung, "a[4:10]", 2e-3, 200); // the joint is on the interface
    check_whole(block, "r", 5e-3, 100);
}

// --- balances and the interface ----------------------------------------------------------------------

typedef struct variant {
    const char      *text, *fine, *coarse;
    int              ratio;
    double           h;
    zn_interface_way way;
    bool             coarse_explicit;
} variant;

static const variant variants[] = {
    {pendulum, "a[6:10]", NULL, 5, 1e-3, ZN_INTERFACE_DENSE, false},
    {hung, "a[4:10]", NULL, 5, 1e-3, ZN_INTERFACE_SPARSE, false},
    {pendulum, "a[6:10]", NULL, 2, 1e-3, ZN_INTERFACE_AUTO, true},
    {block, "r", NULL, 5, 5e-3, ZN_INTERFACE_DENSE, false},
    {block, "r", NULL, 5, 5e-3, ZN_INTERFACE_SPARSE, false},
    {driven, "rod[0:7]", NULL, 6, 0.03, ZN_INTERFACE_AUTO, false},
    {driven, "rod[0:7]", "rod[30:60]/6", 2, 0.03, ZN_INTERFACE_AUTO, false},
    {driven, "rod[0:7]", "rod[30:60]/4, rod[20:30]/2", 1, 0.01, ZN_INTERFACE_AUTO, true},
    {spinner, "rope[3:6]", NULL, 4, 3e-4, ZN_INTERFACE_DENSE, false}, // nodes on the interface turn at will
    {spinner, "rope[3:6]", NULL, 4, 3e-4, ZN_INTERFACE_SPARSE, false},
    {spinner, "hub", NULL, 3, 3e-4, ZN_INTERFACE_AUTO, false},
    {spinner, "hub, rope[5:6]", "rope[2:6]/4", 2, 3e-4, ZN_INTERFACE_AUTO, true}};

static gallery_rig open_variant(const variant *x)
{
    zn_scheme_def def = parts(x->fine, x->ratio);
    def.coarse = x->coarse;
    def.interface = x->way;
    def.coarse_explicit = x->coarse_explicit;
    return open_text(x->text, def);
}

static double part_closure(const rig *r, int part, double start)
{
    double line[ZN_LEDGER_LINES], stored = 0, entered = 0;
    CHECK_OK(zn_scheme_part_ledger(r->scheme, r->state, part, line));
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        *(i < ZN_LEDGER_STORED ? &stored : &entered) += line[i];
    return fabs(stored - start - entered);
}

static void test_balance(void **test)
{
    (void)test;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        gallery_rig g = open_variant(&variants[i]);
        double      start[2] = {0}, line[ZN_LEDGER_LINES];
        account     a;
        account_begin(&a, &g.r);
        for (int part = 0; part < 2; part++) {
            CHECK_OK(zn_scheme_part_ledger(g.r.scheme, g.r.state, part, line));
            start[part] = line[ZN_LEDGER_KINETIC] + line[ZN_LEDGER_STRAIN] + line[ZN_LEDGER_GRAVITY];
        }
        for (int k = 0; k < 240; k++) {
            rig_step(&g.r, variants[i].h);
            account_step(&a, &g.r);
            for (int part = 0; part < 2 && g.r.state->whole; part++)
                CHECK_BELOW(part_closure(&g.r, part, start[part]), 1e-12 * a.size);
        }
        CHECK_BELOW(a.worst, 1e-12 * a.size);
        assert_true(a.without > 1e-9 * a.size);
        gallery_close(&g);
    }
}

// Both parts have the same velocity at the link, the first degree of freedom of either, at each coarse time.
static void test_continuity(void **test)
{
    (void)test;
    static double history[8192];
    gallery_rig   g = open_variant(&variants[5]);
    double        size = 0;
    for (int k = 0; k < 300; k++) {
        rig_step(&g.r, variants[5].h);
        if (!g.r.state->whole)
            continue;
        assert_true(zn_scheme_history_size(g.r.scheme) <= 8192);
        zn_scheme_history_save(g.r.scheme, history);
        history_map map = map_history(history, false);
        CHECK_NEAR(history[map.v[0]], history[map.v[1]], 1e-13);
        size = fmax(size, fabs(history[map.v[0]]));
    }
    assert_true(size > 0.1);
    gallery_close(&g);
}

// --- order -------------------------------------------------------------------------------------------

// Position of the tip of the rod, smooth motion, against steps sixteen times as small.
static double tip_at(double h, const char *coarse)
{
    variant x = variants[5];
    x.coarse = coarse;
    x.ratio = coarse ? 2 : 4;
    gallery_rig g = open_variant(&x);
    for (int k = 0; k < (int)lround(3.2 / h); k++)
        rig_step(&g.r, h);
    double tip = g.r.state->q[0];
    gallery_close(&g);
    return tip;
}

static void test_order(void **test)
{
    (void)test;
    const char *const coarse[] = {NULL, "rod[30:60]/4"};
    for (int i = 0; i < 2; i++) {
        slope_fit fit = {0};
        double    exact = tip_at(0.04 / 32, coarse[i]);
        for (int k = 0; k < 3; k++)
            slope_add(&fit, 0.04 / (1 << k), fabs(tip_at(0.04 / (1 << k), coarse[i]) - exact));
        print_message("%s: order %.2f\n", coarse[i] ? "two coarse parts" : "one coarse part", slope_of(&fit));
        assert_true(slope_of(&fit) > 1.8 && slope_of(&fit) < 2.3);
    }
}

// --- restart, failure, threads -----------------------------------------------------------------------

enum { HISTORY = 8192 };

static void test_restart(void **test)
{
    (void)test;
    static double history[HISTORY];
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        for (int stop = 30; stop < 33; stop++) {
            gallery_rig g[2] = {open_variant(&variants[i]), open_variant(&variants[i])};
            for (int k = 0; k < stop; k++)
                rig_step(&g[0].r, variants[i].h);
            int size = zn_scheme_history_size(g[0].r.scheme);
            assert_true(size <= HISTORY);
            zn_scheme_history_save(g[0].r.scheme, history);
            zn_state_copy(g[0].r.sys, g[0].r.state, g[1].r.state);
            CHECK_OK(zn_scheme_history_load(g[1].r.scheme, history, size));
            for (int k = 0; k < 20; k++)
                for (int j = 0; j < 2; j++)
                    rig_step(&g[j].r, variants[i].h);
            check_same_state(g[0].r.sys, g[0].r.state, g[1].r.state);
            gallery_close(&g[0]);
            gallery_close(&g[1]);
        }
}

static void test_failure(void **test)
{
    (void)test;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        gallery_rig r = open_variant(&variants[i]), twin = open_variant(&variants[i]);
        int         failed = 0;
        for (int k = 0; k < 12; k++)
            failed += fail_everywhere(&r.r, &twin.r, variants[i].h);
        assert_true(failed > 12);
        gallery_close(&r);
        gallery_close(&twin);
    }
}

static void test_threads(void **test)
{
    (void)test;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        gallery_rig g[2];
        for (int j = 0; j < 2; j++) {
            zn_scheme_def def = parts(variants[i].fine, variants[i].ratio);
            def.coarse = variants[i].coarse;
            def.coarse_explicit = variants[i].coarse_explicit;
            def.threads = 1 + j;
            g[j] = open_text(variants[i].text, def);
            for (int k = 0; k < 24; k++)
                rig_step(&g[j].r, variants[i].h);
        }
        check_same_state(g[0].r.sys, g[0].r.state, g[1].r.state);
        gallery_close(&g[0]);
        gallery_close(&g[1]);
    }
}

// --- several coarse parts ----------------------------------------------------------------------------

// A bar in three parts, all explicit with one step, is the bar: coarse parts meet at elements that became fine.
static void test_three_parts(void **test)
{
    (void)test;
    const bar_case c = {.elements = 30, .gravity = -0.5, .load = 0.3, .speed = 1, .gap = 0.03, .mass = ZN_MASS_LUMPED};
    zn_scheme_def  def = parts("rod[0:4]", 2);
    def.coarse_explicit = true;
    def.coarse = "rod[15:30]/4 rod[8:15]/1";
    zn_scheme_info info;
    rig            a = rig_open(bar_of(c), scheme_named("cd_lagrange", 0.5)), b = rig_open(bar_of(c), def);
    int            period = 0;
    CHECK_OK(zn_scheme_describe(&def, b.sys, 0.004, &info));
    assert_int_equal(info.coarse_parts, 3);
    assert_int_equal(info.links, 5);
    assert_int_equal(info.fine_elements, 8);
    CHECK_OK(zn_scheme_period(b.scheme, b.state, 0.004, &period));
    assert_int_equal(period, 4);
    for (int k = 0; k < 100; k++) {
        rig_step(&a, 0.004);
        rig_step(&b, 0.004);
        assert_true(b.state->whole == (k % 4 == 3));
    }
    CHECK_BELOW(largest(a.sys->info.nq, a.state->q, b.state->q), 2e-3);
    rig_close(&a);
    rig_close(&b);
}

static void test_refusals(void **test)
{
    (void)test;
    const struct {
        const char *coarse, *message;
        bool        fine_implicit;
    } list[] = {{"rod[10:20]/3", "divide the largest, so that all their steps end at once; 2 does not divide 3", false},
                {"rod[10:20]", "coarse: 'rod[10:20]': behind a slash goes the number of fine steps", false},
                {"rod[10:20]/x", "coarse: there is no body or part 'rod[10:20]/x'", false},
                {"rid/4", "coarse: there is no body or part 'rid/4'", false},
                {"rod[10:21]/4", "coarse: 'rod[10:21]/4': 'rod' has 20 elements", false},
                {"rod[10:20]/4", "with fine_implicit there can be one coarse part only, here are 2", true}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        log_capture   log = {0};
        zn_scheme_def def = parts("rod[0:4]", 2);
        bar_case      c = {.elements = 20, .gap = -1, .mass = ZN_MASS_LUMPED, .log = &log};
        def.coarse = list[i].coarse;
        def.fine_implicit = list[i].fine_implicit;
        refusal_of(def, bar_of(c), &log, list[i].message);
    }
    log_capture   log = {0};
    zn_scheme_def def = parts("rod[0:4]/3", 2);
    refusal_of(def, bar_of((bar_case){.elements = 20, .gap = -1, .mass = ZN_MASS_LUMPED, .log = &log}), &log,
               "fine: there is no body or part 'rod[0:4]/3'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),   cmocka_unit_test(test_balance),     cmocka_unit_test(test_continuity),
        cmocka_unit_test(test_order),   cmocka_unit_test(test_restart),     cmocka_unit_test(test_failure),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_three_parts), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
