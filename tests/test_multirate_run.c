// Parts with their own steps in use: restart and failure in the middle of a coarse step, supports and prescribed
// motion, choice of parts and ratio, refusals.
#include "multirate_models.h"
#include "scheme/scheme.h"
#include "system/system.h"
#include "zn/sim.h"

static const bar_case flying = {
    .elements = 20, .gravity = -0.3, .load = 0.3, .speed = 1, .gap = 0.03, .restitution = 0.2};

static bar_case lumped(bar_case c)
{
    c.mass = ZN_MASS_LUMPED;
    return c;
}

// --- restart and failure ------------------------------------------------------------------------------

enum { HISTORY = 2048 };

// Parts of these elements whose links are found in each of the ways: a dense inverse, a sparse matrix, a diagonal.
enum { WAYS = 3 };
static zn_scheme_def way(const char *fine, int ratio, int k)
{
    zn_scheme_def def = parts(fine, ratio);
    def.interface = k == 1 ? ZN_INTERFACE_SPARSE : ZN_INTERFACE_AUTO;
    def.coarse_explicit = k == 2;
    return def;
}

// At any place of a coarse step the history goes on with the same bits, in the same scheme and in a fresh one.
static void test_restart(void **test)
{
    (void)test;
    static double history[HISTORY];
    for (int stop = 40; stop < 45; stop++)
        for (int k = 0; k < 2 * WAYS; k++) {
            rig    r[2];
            bool   beam = k >= WAYS;
            double h = (beam ? 0.01 : 0.04) / (k % WAYS == 2 ? 5 : 1);
            for (int i = 0; i < 2; i++)
                r[i] = beam ? rig_open(cantilever(8, 0, ZN_MASS_LUMPED, NULL), way("beam[5:8]", 5, k % WAYS))
                            : rig_open(bar_of(lumped(flying)), way("rod[0:7]", 5, k));
            for (int j = 0; j < stop; j++)
                rig_step(&r[0], h);
            int size = zn_scheme_history_size(r[0].scheme);
            assert_true(size <= HISTORY);
            zn_scheme_history_save(r[0].scheme, history);
            zn_state_copy(r[0].sys, r[0].state, r[1].state);
            CHECK_OK(zn_scheme_history_load(r[1].scheme, history, size));
            for (int j = 0; j < 13; j++)
                for (int i = 0; i < 2; i++)
                    rig_step(&r[i], h);
            check_same_state(r[0].sys, r[0].state, r[1].state);
            for (int i = 0; i < 2; i++)
                rig_close(&r[i]);
        }
}

static void test_failure(void **test)
{
    (void)test;
    for (int i = 0; i < WAYS; i++) {
        rig r = rig_open(bar_of(lumped(flying)), way("rod[0:7]", 3, i)),
            twin = rig_open(bar_of(lumped(flying)), way("rod[0:7]", 3, i));
        for (int k = 0; k < 20; k++) {
            int failed = fail_everywhere(&r, &twin, i == 2 ? 0.01 : 0.03);
            assert_true(failed >= (k % 3 == 1 ? 2 : 3)); // more when the coarse part begins or ends its step
        }
        rig_close(&r);
        rig_close(&twin);
    }
}

// --- supports and prescribed motion ----------------------------------------------------------------------

// A bar that hangs at rest stays, and its support carries all of the weight, whichever part holds it.
static void test_weight(void **test)
{
    (void)test;
    enum { N = 12 };
    for (int part = 0; part < 2; part++) {
        bar_case c = {.elements = N, .gravity = -1, .gap = -1, .fixed = true, .mass = ZN_MASS_LUMPED};
        rig      r = rig_open(bar_of(c), parts(part ? "rod[7:12]" : "rod[0:5]", 5));
        double   h = 0.05, u = 0, l = 1.0 / N;
        for (int i = N - 1; i >= 0; i--) { // the force in the element before node i + 1 is the weight of all before
            u -= l * (i + 0.5) * l;
            r.state->q[2 * i] += u;
        }
        CHECK_OK(zn_state_update(r.sys, r.state));
        for (int k = 0; k < 25; k++) {
            rig_step(&r, h);
            assert_true(r.state->whole == (k % 5 == 4));
            if (!r.state->whole)
                continue;
            double sum = 0;
            for (int i = 0; i < r.sys->info.n_all - r.sys->info.n; i++)
                sum += r.state->reaction[i];
            CHECK_NEAR(sum, h * 1, 1e-14);
            for (int i = 0; i < N; i++)
                CHECK_NEAR(r.state->v[i], 0, 1e-14);
        }
        rig_close(&r);
    }
}

// Fixed degrees of freedom on the interface need no link, both parts hold them: a beam that cannot move along y there.
static void test_fixed_interface(void **test)
{
    (void)test;
    rig r[2];
    for (int i = 0; i < 2; i++) {
        zn_model     *model = cantilever(6, 1e-3, ZN_MASS_LUMPED, NULL);
        zn_node_id    node = zn_model_find_node(model, "beam[4]");
        zn_scheme_def def = i == 0 ? scheme_named("cd_lagrange", 0.5) : parts("beam[4:6]", 1);
        def.coarse_explicit = i == 1;
        CHECK_OK(zn_model_add_node_set(model, "guide", 1, &node));
        CHECK_OK(zn_model_fix_node_set(model, "guide", ZN_FIX_Y));
        r[i] = rig_open(model, def);
    }
    double worst = 0, size = 0;
    for (int k = 0; k < 300; k++) {
        for (int i = 0; i < 2; i++)
            rig_step(&r[i], 0.02);
        for (int i = 0; i < r[0].sys->info.n_all - r[0].sys->info.n; i++) {
            worst = fmax(worst, fabs(r[0].state->reaction[i] - r[1].state->reaction[i]));
            size = fmax(size, fabs(r[0].state->reaction[i]));
        }
        for (int i = 0; i < r[0].sys->info.n; i++)
            CHECK_NEAR(r[0].state->v[i], r[1].state->v[i], 1e-12);
    }
    CHECK_BELOW(worst, 1e-12 * size);
    rig_close(&r[0]);
    rig_close(&r[1]);
}

// The tip is moved: the fine part follows exactly, the work is a line of the ledger, and without the line it does not
// close.
static void test_prescribed_motion(void **test)
{
    (void)test;
    zn_model    *model = bar_of((bar_case){.elements = 20, .gap = -1, .fixed = true, .mass = ZN_MASS_LUMPED});
    zn_joint_def joint = zn_joint_def_default();
    char         message[80];
    joint.name = "shaker";
    joint.kind = ZN_JOINT_MOTION;
    joint.dof[0] = (zn_joint_dof){zn_model_find_node(model, "rod[0]"), ZN_COORDINATE_X, 1};
    CHECK_OK(zn_signal_expression("0.01*(1 - cos(2*t))", 0, NULL, NULL, message, sizeof message, &joint.motion));
    CHECK_OK(zn_model_add_joint(model, &joint));
    rig     r = rig_open(model, parts("rod[0:5]", 4));
    account a;
    account_begin(&a, &r);
    for (int k = 1; k <= 400; k++) {
        rig_step(&r, 0.04);
        account_step(&a, &r);
        CHECK_NEAR(r.state->q[0], 0.01 * (1 - cos(0.08 * k)), 1e-13);
    }
    CHECK_BELOW(a.worst, 1e-12 * a.size);
    assert_true(fabs(a.entered[ZN_LEDGER_JOINT]) > 1e-2 * a.size);
    rig_close(&r);
}

// --- choice of parts and ratio -------------------------------------------------------------------------------

// Elements near the contact, by distance, are those named: equal bits. The ratio by itself is that of the critical
// steps.
static void test_automatic(void **test)
{
    (void)test;
    rig           named = rig_open(bar_of(lumped(flying)), parts("rod[0:4]", 6));
    zn_scheme_def def = parts(NULL, 6);
    def.within = 0.2;
    rig near = rig_open(bar_of(lumped(flying)), def);
    for (int k = 0; k < 60; k++) {
        rig_step(&named, 0.04);
        rig_step(&near, 0.04);
    }
    check_same_state(named.sys, named.state, near.state);
    rig_close(&named);
    rig_close(&near);
    const double h[] = {0.05, 0.04, 0.01, 0.003}; // the critical step of the coarse part is 1/20
    const int    expected[] = {1, 1, 5, 16};
    for (int i = 0; i < 4; i++) {
        rig r = rig_open(bar_of(lumped(flying)), parts("rod[0:4]", 0));
        for (int k = 1; k <= 2 * expected[i]; k++) { // told before and after the start, and kept
            int period = 0;
            CHECK_OK(zn_scheme_period(r.scheme, r.state, h[i], &period));
            assert_int_equal(period, expected[i]);
            rig_step(&r, h[i]);
            assert_true(r.state->whole == (k % expected[i] == 0));
        }
        rig_close(&r);
    }
}

// A step that fails is not tried again with half the size, which would be refused: the reason is told.
static void test_failed_run(void **test)
{
    (void)test;
    log_capture log = {0};
    zn_model *model = bar_of((bar_case){.elements = 10, .gravity = -2, .gap = -1, .mass = ZN_MASS_LUMPED, .log = &log});
    zn_system *sys = NULL;
    zn_sim    *sim = NULL;
    zn_sim_def def = zn_sim_def_default();
    CHECK_OK(zn_system_create(model, &sys));
    def.scheme = parts("rod[0:3]", 8);
    def.step = 0.05;
    def.until = 0.95;
    def.log = log_into(&log);
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    CHECK_OK(zn_sim_step(sim));
    zn_fault_inject(1);
    assert_true(zn_sim_step(sim) > 0);
    CHECK_LOGGED(&log, "step from t = 0.05 s, h = 0.05 s: interface failed");
    assert_int_equal(zn_sim_certificate(sim)->retries, 0);
    CHECK_OK(zn_sim_run(sim)); // it goes on
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

// --- refusals ----------------------------------------------------------------------------------------------------

static zn_model *noted(log_capture *log, double gap, zn_mass_kind mass)
{
    bar_case c = flying;
    c.log = log;
    c.gap = gap;
    c.mass = mass;
    return bar_of(c);
}

static zn_model *pinned(log_capture *log, const char *node, double at)
{
    zn_model    *model = noted(log, -1, ZN_MASS_LUMPED);
    zn_joint_def joint = zn_joint_def_default();
    joint.name = "pin";
    joint.kind = ZN_JOINT_MOTION;
    joint.dof[0] = (zn_joint_dof){zn_model_find_node(model, node), ZN_COORDINATE_X, 1};
    CHECK_OK(zn_signal_constant(at, &joint.motion));
    CHECK_OK(zn_model_add_joint(model, &joint));
    return model;
}

// Elements at a node that a joint acts on are fine, wherever it is: on what would be the interface, and beyond.
static void test_joints_anywhere(void **test)
{
    (void)test;
    const char *node[] = {"rod[4]", "rod[9]", "rod[20]"};
    for (int i = 0; i < 3; i++) {
        log_capture   log = {0};
        zn_model     *model = pinned(&log, node[i], i == 0 ? 0.2 : i == 1 ? 0.45 : 1);
        zn_system    *sys = NULL;
        zn_scheme    *scheme = NULL;
        zn_scheme_def def = parts("rod[0:4]", 2);
        CHECK_OK(zn_system_create(model, &sys));
        CHECK_OK(zn_scheme_create(&def, sys, &scheme));
        zn_scheme_destroy(scheme);
        zn_system_destroy(sys);
        zn_model_destroy(model);
    }
}

// A contact on the border of the fine part takes the next element, too; beyond it is refused.
static void test_contact_on_border(void **test)
{
    (void)test;
    for (int i = 4; i < 6; i++) {
        log_capture   log = {0};
        char          node[16];
        zn_model     *model = noted(&log, -1, ZN_MASS_LUMPED);
        zn_system    *sys = NULL;
        zn_scheme    *scheme = NULL;
        zn_scheme_def def = parts("rod[0:4]", 2);
        snprintf(node, sizeof node, "rod[%d]", i);
        add_plane(model, "stop", zn_model_find_node(model, node), zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0), 0);
        CHECK_OK(zn_system_create(model, &sys));
        assert_int_equal(zn_scheme_create(&def, sys, &scheme), i == 4 ? ZN_OK : ZN_ERR_UNSUPPORTED);
        assert_true(i == 4 || strstr(log.text, "'stop' acts on node 'rod[5]', which is in the coarse part") != NULL);
        zn_scheme_destroy(scheme);
        zn_system_destroy(sys);
        zn_model_destroy(model);
    }
}

static void test_refused_parts(void **test)
{
    (void)test;
    log_capture log = {0};
    const struct {
        const char *fine, *message;
    } list[] = {{"rod[0:4], rad", "there is no body or part 'rad'"},
                {"rod[0-4]", "there is no body or part 'rod[0-4]'"},
                {NULL, "the fine part has no elements; name bodies or parts in 'fine'"},
                {"rod[4:4]", "fine: 'rod[4:4]': 'rod' has 20 elements, all of them are [0:20]"},
                {"rod[0:2] rod[-1:4]", "fine: 'rod[-1:4]': 'rod' has 20 elements"},
                {"rod[0:21]", "fine: 'rod[0:21]': 'rod' has 20 elements"},
                {"rod", "the coarse part has no elements; then cd_lagrange alone does it"},
                {"rod[4:9]", "contact 'wall' acts on node 'rod[0]', which is in the coarse part"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        refusal_of(parts(list[i].fine, 2), noted(&log, 0.1, ZN_MASS_LUMPED), &log, list[i].message);
    zn_scheme_def def = parts(NULL, 2);
    def.within = 0.04;
    refusal_of(def, noted(&log, 0.1, ZN_MASS_LUMPED), &log,
               "none has all its nodes within 0.04 m of a node with a contact");
    refusal_of(parts("rod[0:4]", 2), noted(&log, 0.1, ZN_MASS_CONSISTENT), &log,
               "part 'rod' has a consistent mass matrix");
}

static void test_refused_options(void **test)
{
    (void)test;
    log_capture   log = {0};
    zn_scheme_def def = parts("rod[0:4]", 2);
    def.coarse_explicit = def.fine_implicit = true;
    refusal_of(def, noted(&log, -1, ZN_MASS_LUMPED), &log, "fine_implicit and coarse_explicit exclude each other");
    def = parts("rod[0:4]", 2);
    def.fine_implicit = true;
    refusal_of(def, noted(&log, 0.1, ZN_MASS_LUMPED), &log, "with fine_implicit there can be no contacts");
    def = parts("rod[0:4]", 2);
    def.gamma = 0.7;
    refusal_of(def, noted(&log, 0.1, ZN_MASS_LUMPED), &log, "2 beta >= gamma >= 1/2");
    def = parts("rod[0:4]", 2);
    def.forecast = ZN_FORECAST_FREE;
    refusal_of(def, noted(&log, 0.1, ZN_MASS_LUMPED), &log, "forecast does not apply");
}

// Rod and a solid block: contacts that search their partners, nonlinear parts.
static zn_model *block_and_rod(log_capture *log, zn_solid_model material)
{
    zn_model    *model = make_model(false, zn_vec3_make(0, 0, 0), log);
    zn_mesh     *mesh = NULL;
    zn_bar_def   rod = zn_bar_def_default();
    zn_solid_def solid = zn_solid_def_default();
    rod.name = "rod";
    rod.from = zn_vec3_make(0.3, 0.3, 1.1);
    rod.to = zn_vec3_make(0.3, 0.3, 2);
    rod.elements = 4;
    rod.young = rod.density = rod.area = 1;
    rod.mass = ZN_MASS_LUMPED;
    rod.fixed = ZN_FIX_X | ZN_FIX_Y;
    CHECK_OK(zn_model_add_bar(model, &rod));
    CHECK_OK(zn_mesh_box(zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 1), (int[3]){1, 1, 1}, ZN_HEX8, &mesh));
    solid.name = "block";
    solid.mesh = mesh;
    solid.young = solid.density = 1;
    solid.model = material;
    solid.mass = ZN_MASS_LUMPED;
    CHECK_OK(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
    return model;
}

static void test_refused_models(void **test)
{
    (void)test;
    log_capture    log = {0};
    zn_model      *model = block_and_rod(&log, ZN_SOLID_LINEAR);
    zn_contact_def contact = zn_contact_def_default();
    contact.name = "touch";
    contact.point.node = zn_model_find_node(model, "rod[0]");
    contact.surface = ZN_SURFACE_FACETS;
    contact.part = "block";
    contact.face = "block.zmax";
    CHECK_OK(zn_model_add_contact(model, &contact));
    refusal_of(parts("rod[0:2]", 2), model, &log,
               "contact 'touch' may act on node 'block[4]', which is in the coarse part");
    zn_scheme_def def = parts("block", 2);
    def.fine_implicit = true;
    refusal_of(def, block_and_rod(&log, ZN_SOLID_SAINT_VENANT_KIRCHHOFF), &log,
               "with fine_implicit the fine part must be linear, too");
}

static void test_refused_steps(void **test)
{
    (void)test;
    log_capture  log = {0};
    zn_step_info info;
    rig          r = rig_open(noted(&log, 0.1, ZN_MASS_LUMPED), parts("rod[0:4]", 3));
    CHECK_STATUS(zn_scheme_step(r.scheme, r.state, 0.06, &info), ZN_ERR_ARGUMENT);
    CHECK_LOGGED(&log, "the step 0.06 s exceeds the critical step 0.05 s");
    assert_true(r.state->t == 0);
    rig_step(&r, 0.02); // another size is fine as long as nothing has begun
    CHECK_STATUS(zn_scheme_step(r.scheme, r.state, 0.01, &info), ZN_ERR_UNSUPPORTED);
    CHECK_LOGGED(&log, "the step cannot change from 0.02 s to 0.01 s");
    rig_step(&r, 0.02);
    rig_close(&r);
    zn_scheme_def def = parts("rod[0:4]", 3);
    def.coarse_explicit = true;
    r = rig_open(noted(&log, 0.1, ZN_MASS_LUMPED), def);
    CHECK_STATUS(zn_scheme_step(r.scheme, r.state, 0.02, &info), ZN_ERR_ARGUMENT);
    CHECK_LOGGED(&log, "3 fine steps make a coarse one of 0.06 s, too long for the explicit coarse part");
    rig_step(&r, 0.016);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_fixed_interface),
        cmocka_unit_test(test_prescribed_motion),
        cmocka_unit_test(test_automatic),
        cmocka_unit_test(test_joints_anywhere),
        cmocka_unit_test(test_contact_on_border),
        cmocka_unit_test(test_refused_parts),
        cmocka_unit_test(test_refused_options),
        cmocka_unit_test(test_refused_models),
        cmocka_unit_test(test_refused_steps),
        cmocka_unit_test(test_failed_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
