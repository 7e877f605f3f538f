// Levels of cd_lagrange: one level is the scheme itself; order, ledger, momentum and stability across levels; contacts
// on the finest and on the coarsest; restart, failure, threads, refusals.
#include "scheme_fixtures.h"

#include "fixtures.h"
#include "system/system.h"

static zn_scheme_def in_levels(const char *levels)
{
    zn_scheme_def def = scheme_named("cd_lagrange", 0.5);
    def.levels = levels;
    return def;
}

static const double PI = 3.14159265358979323846;

// --- models ----------------------------------------------------------------------------------------

typedef struct piece {
    double length;
    int    elements;
} piece;

// A bar of pieces along x from 1e-5 m on, steel, one end free to meet a wall. c = 5000 m/s.
static zn_model *pieces_model(const piece *list, int count, double speed, double damping)
{
    zn_model *model = planar_model(0, (zn_log){0});
    double    x = 1e-5;
    for (int i = 0; i < count; i++) {
        zn_bar_def bar = zn_bar_def_default();
        char       name[8] = {(char)('a' + i), 0}, last[32] = {0};
        bar.name = name;
        bar.from = zn_vec3_make(x, 0, 0);
        x += list[i].length;
        bar.to = zn_vec3_make(x, 0, 0);
        bar.elements = list[i].elements;
        bar.young = 2e11;
        bar.density = 8000;
        bar.area = 1e-3;
        bar.mass = ZN_MASS_LUMPED;
        bar.velocity = zn_vec3_make(speed, 0, 0);
        bar.fixed = ZN_FIX_Y;
        bar.stiffness_damping = damping;
        if (i > 0)
            snprintf(last, sizeof last, "%c[%d]", 'a' + i - 1, list[i - 1].elements);
        if (i > 0)
            bar.first_node = zn_model_find_node(model, last);
        CHECK_OK(zn_model_add_bar(model, &bar));
    }
    return model;
}

static void add_wall(zn_model *model) // x = 0, before the end a[0]
{
    add_plane_contact(model, "wall", zn_model_find_node(model, "a[0]"), zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0),
                      0);
}

static const piece small_end[] = {{0.01, 10}, {0.5, 50}}, small_middle[] = {{0.2, 20}, {0.01, 8}, {0.3, 30}},
                   small_tail[] = {{0.4, 40}, {0.01, 10}}, many[] = {{0.1, 10}, {0.02, 8}, {0.01, 13}, {0.3, 20}};

static double critical_of(const rig *r, zn_scheme_def def, int *levels)
{
    zn_scheme_info info;
    CHECK_OK(zn_scheme_describe(&def, r->sys, 0, &info));
    *levels = info.levels;
    return info.critical.step;
}

typedef struct balance {
    double start, entered, worst, size, line[ZN_LEDGER_LINES];
} balance;

static void account(balance *b, const rig *r)
{
    double stored = 0;
    for (int i = 0; i < ZN_LEDGER_LINES; i++) {
        *(i < ZN_LEDGER_STORED ? &stored : &b->entered) += r->info.ledger[i];
        b->line[i] += r->info.ledger[i];
    }
    CHECK_NEAR(stored, energy_of(r), 1e-13 * b->size);
    b->worst = fmax(b->worst, fabs(stored - b->start - b->entered));
}

static double momentum_of(const rig *r)
{
    double    p = 0;
    const int n = r->sys->info.n_all;
    double    one[512] = {0}, Mv[512] = {0};
    assert_true(n <= 512);
    CHECK_OK(zn_system_inertia(r->sys, r->state->q, r->state->v, Mv));
    for (int i = 0; i < r->sys->layout.nodes; i++)
        one[r->sys->layout.node[i].dof[0]] = 1;
    for (int i = 0; i < n; i++)
        p += one[i] * Mv[i];
    return p;
}

// --- one level -------------------------------------------------------------------------------------

// Equal elements, and some that are too alike to pay: the same bits as without.
static void test_one_level(void **test)
{
    (void)test;
    static const struct {
        piece       list[2];
        int         count;
        const char *levels;
    } cases[] = {{{{0.5, 50}}, 1, "auto"}, {{{0.5, 50}, {0.47, 50}}, 2, "auto"}};
    for (int i = 0; i < 2; i++) {
        rig r[2];
        for (int k = 0; k < 2; k++) {
            zn_model *model = pieces_model(cases[i].list, cases[i].count, -1, 0);
            add_wall(model);
            r[k] = rig_open(model, in_levels(k == 0 ? "1" : cases[i].levels));
            for (int j = 0; j < 60; j++)
                rig_step(&r[k], 1.8e-7);
        }
        assert_true(r[0].info.active > 0);
        check_same_state(r[0].sys, r[0].state, r[1].state);
        CHECK_SAME_BITS(r[0].info.ledger, r[1].info.ledger, ZN_LEDGER_LINES);
        rig_close(&r[0]);
        rig_close(&r[1]);
    }
}

// --- order -----------------------------------------------------------------------------------------

// The first mode of a free bar with small elements in the middle, u = cos(pi x/l) sin(w t)/w: exact.
static rig first_mode(int refined, zn_scheme_def def)
{
    piece list[3];
    for (int i = 0; i < 3; i++)
        list[i] = (piece){small_middle[i].length, small_middle[i].elements << refined};
    rig r = rig_open(pieces_model(list, 3, 0, 0), def);
    for (int i = 0; i < r.sys->layout.nodes; i++)
        r.state->v[r.sys->layout.node[i].dof[0]] = cos(PI * (r.sys->layout.node[i].origin.x - 1e-5) / 0.51);
    CHECK_OK(zn_state_update(r.sys, r.state));
    return r;
}

static double error_of(const rig *r)
{
    double worst = 0, w = PI * 5000 / 0.51;
    for (int i = 0; i < r->sys->layout.nodes; i++) {
        const zn_layout_node *node = &r->sys->layout.node[i];
        double                u = cos(PI * (node->origin.x - 1e-5) / 0.51) * sin(w * r->state->t) / w;
        worst = fmax(worst, fabs(r->state->q[node->q] - u) * w);
    }
    return worst;
}

// With steps and elements the error falls by 4, and so does what the links lose of momentum.
static void test_order(void **test)
{
    (void)test;
    const double T = 8e-5;
    double       error[3], lost[3];
    for (int k = 0; k < 3; k++) {
        int     steps = 50 << k, levels;
        rig     r = first_mode(k, in_levels("auto")), plain = first_mode(k, in_levels("1"));
        balance b = {.start = energy_of(&r), .size = energy_of(&r)};
        double  start = momentum_of(&r);
        CHECK_BELOW(T / steps, critical_of(&r, in_levels("auto"), &levels));
        assert_int_equal(levels, 4);
        for (int j = 0; j < steps; j++) {
            rig_step(&r, T / steps);
            account(&b, &r);
        }
        for (int j = 0; j < 8 * steps; j++)
            rig_step(&plain, T / steps / 8);
        CHECK_BELOW(b.worst, 1e-12 * b.size);
        error[k] = error_of(&r);
        lost[k] = fabs(momentum_of(&r) - start);
        print_message("%3d steps: error %.3g, without levels %.3g; interface %.2g of the energy, momentum %.2g N s\n",
                      steps, error[k], error_of(&plain), b.line[ZN_LEDGER_INTERFACE] / b.size, lost[k]);
        rig_close(&r);
        rig_close(&plain);
    }
    for (int k = 0; k < 2; k++) {
        CHECK_BELOW(1.9, log2(error[k] / error[k + 1]));
        CHECK_BELOW(1.9, log2(lost[k] / lost[k + 1]));
    }
    CHECK_BELOW(error[0], 2e-3);
}

// --- stability -------------------------------------------------------------------------------------

// Noise of all frequencies, just below the bound, for thousands of steps: nothing grows, with and without damping.
static void test_stability(void **test)
{
    (void)test;
    static const struct {
        const piece *list;
        int          count;
    } meshes[] = {{small_end, 2}, {small_middle, 3}, {small_tail, 2}, {many, 4}};
    for (int m = 0; m < 4; m++)
        for (int d = 0; d < 2; d++) {
            rig    r = rig_open(pieces_model(meshes[m].list, meshes[m].count, 0, d * 2e-9), in_levels("auto"));
            int    levels;
            double h = 0.95 * critical_of(&r, in_levels("auto"), &levels), largest[2] = {0, 0};
            assert_true(levels > 1);
            for (int i = 0; i < r.sys->info.n; i++)
                r.state->v[i] = fmod(0.7548776662466927 * (i + 1), 1.0) - 0.5;
            CHECK_OK(zn_state_update(r.sys, r.state));
            balance b = {.start = energy_of(&r), .size = energy_of(&r)};
            for (int k = 0; k < 2000; k++) {
                rig_step(&r, h);
                account(&b, &r);
                largest[k / 1000] = fmax(largest[k / 1000], energy_of(&r));
            }
            print_message("%d levels: energy at most %.3f and %.3f of the start, interface %.3g\n", levels,
                          largest[0] / b.start, largest[1] / b.start, b.line[ZN_LEDGER_INTERFACE] / b.start);
            CHECK_BELOW(largest[0], 4 * b.start); // at 0.95 of the bound central differences lend that much
            CHECK_BELOW(largest[1], b.start);     // and links take
            CHECK_BELOW(b.line[ZN_LEDGER_INTERFACE], 0);
            CHECK_BELOW(b.worst, 1e-12 * b.size);
            rig_close(&r);
        }
}

// --- contacts --------------------------------------------------------------------------------------

// A bar against a wall, small elements at the wall or at the other end: impulse 2 m v and velocity back, as exact
// waves.
static void test_impact(void **test)
{
    (void)test;
    const piece *list[] = {small_end, small_tail};
    for (int i = 0; i < 2; i++) {
        zn_model *model = pieces_model(list[i], 2, -1, 0);
        add_wall(model);
        rig     r = rig_open(model, in_levels("auto"));
        int     levels;
        double  h = 0.8 * critical_of(&r, in_levels("auto"), &levels), impulse = 0, start = momentum_of(&r);
        balance b = {.start = energy_of(&r), .size = energy_of(&r)};
        assert_true(levels > 1);
        for (double t = 0; t < 3e-4; t += h) {
            rig_step(&r, h);
            account(&b, &r);
            impulse += impulse_of(&r, 0);
        }
        CHECK_BELOW(b.worst, 1e-12 * b.size);
        CHECK_NEAR(impulse, momentum_of(&r) - start, 1e-4 * impulse);
        CHECK_NEAR(impulse, -2 * start, 0.02 * impulse); // a contact with e = 0 takes 1/(2 N) of the energy
        CHECK_BELOW(b.line[ZN_LEDGER_INTERFACE], 0);
        CHECK_BELOW(-0.03 * b.start, b.line[ZN_LEDGER_INTERFACE]);
        rig_close(&r);
    }
}

// --- restart, failure, threads ---------------------------------------------------------------------

static rig at_the_wall(const piece *list, int steps, double h)
{
    zn_model *model = pieces_model(list, 2, -1, 1e-9);
    add_wall(model);
    rig r = rig_open(model, in_levels("auto"));
    for (int k = 0; k < steps; k++)
        rig_step(&r, h);
    return r;
}

static void test_restart_and_failure(void **test)
{
    (void)test;
    const double h = 1.2e-6;
    for (int i = 0; i < 2; i++) {
        const piece *list = i == 0 ? small_end : small_tail;
        rig          a = at_the_wall(list, 20, h), b = at_the_wall(list, 0, h);
        double       history[4096], now[4096];
        zn_state    *before = NULL;
        int          size = zn_scheme_history_size(a.scheme), failed = 0;
        assert_true(size <= 4096 && a.info.active > 0);
        zn_scheme_history_save(a.scheme, history);
        zn_state_copy(a.sys, a.state, b.state);
        CHECK_OK(zn_scheme_history_load(b.scheme, history, size));
        CHECK_OK(zn_state_create(a.sys, &before));
        zn_state_copy(a.sys, a.state, before);
        for (int n = 1; n < 1000; n++) {
            zn_step_info info;
            double       own = n % 2 ? h : h / 2; // half a step begins anew
            zn_fault_inject(n);
            zn_status status = zn_scheme_step(a.scheme, a.state, own, &info);
            bool      fired = zn_fault_is_spent();
            zn_fault_inject(0);
            if (!fired) {
                CHECK_STATUS(status, ZN_OK);
                zn_state_copy(a.sys, before, a.state);
                CHECK_OK(zn_scheme_history_load(a.scheme, history, size));
                break;
            }
            failed++;
            assert_true(status > 0 && info.failed != NULL);
            check_same_state(a.sys, a.state, before);
            zn_scheme_history_save(a.scheme, now);
            CHECK_SAME_BITS(history, now, size);
        }
        assert_true(failed >= 20); // some in every level
        for (int k = 0; k < 10; k++) {
            rig_step(&a, h);
            rig_step(&b, h);
        }
        check_same_state(a.sys, a.state, b.state);
        CHECK_SAME_BITS(a.info.ledger, b.info.ledger, ZN_LEDGER_LINES);
        zn_state_destroy(before);
        rig_close(&a);
        rig_close(&b);
    }
}

// A block with a layer of thin elements on a plane.
static zn_model *layered_block(int n)
{
    zn_model    *model = NULL;
    zn_mesh     *mesh = NULL;
    zn_model_def def = zn_model_def_default();
    def.gravity = zn_vec3_make(0, 0, -9.81);
    CHECK_OK(zn_model_create(&def, &model));
    CHECK_OK(zn_mesh_box(zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 1), (int[3]){n, n, n}, ZN_HEX8, &mesh));
    for (int i = 0; i < mesh->node_count; i++) // the second layer is a tenth as thick
        if (mesh->nodes[i].z > 1.5 / n)
            mesh->nodes[i].z -= 0.9 / n;
    zn_solid_def solid = zn_solid_def_default();
    solid.name = "block";
    solid.mesh = mesh;
    solid.young = 1e7;
    solid.poisson = 0.3;
    solid.density = 1000;
    solid.model = ZN_SOLID_SAINT_VENANT_KIRCHHOFF;
    solid.mass = ZN_MASS_LUMPED;
    solid.velocity = zn_vec3_make(0.3, 0, -1);
    CHECK_OK(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
    zn_contact_def contact = zn_contact_def_default();
    contact.name = "plane";
    contact.points = "block.zmin";
    contact.normal = zn_vec3_make(0, 0, 1);
    contact.friction = 0.3;
    CHECK_OK(zn_model_add_contact(model, &contact));
    return model;
}

static void test_threads(void **test)
{
    (void)test;
    rig r[2];
    for (int i = 0; i < 2; i++) {
        zn_scheme_def def = in_levels("auto");
        def.threads = 1 + i;
        r[i] = rig_open(layered_block(11), def);
        int     levels;
        double  h = 0.9 * critical_of(&r[i], def, &levels);
        balance b = {.start = energy_of(&r[i]), .size = r[i].state->energy.kinetic};
        assert_true(levels > 1);
        for (int k = 0; k < 3; k++) {
            rig_step(&r[i], h);
            account(&b, &r[i]);
        }
        assert_true(r[i].info.active > 100);
        CHECK_BELOW(b.worst, 1e-12 * b.size);
    }
    check_same_state(r[0].sys, r[0].state, r[1].state);
    rig_close(&r[0]);
    rig_close(&r[1]);
}

// --- refusals --------------------------------------------------------------------------------------

static void test_refusals(void **test)
{
    (void)test;
    static const char *const wrong[] = {"0", "-1", "17", "two", "", "2.5", "nan", "1e3"};
    zn_model                *model = pieces_model(small_end, 2, 0, 0);
    zn_system               *sys = NULL;
    CHECK_OK(zn_system_create(model, &sys));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        zn_scheme    *scheme = NULL;
        zn_scheme_def def = in_levels(wrong[i]);
        CHECK_STATUS(zn_scheme_create(&def, sys, &scheme), ZN_ERR_ARGUMENT);
    }
    zn_scheme    *scheme = NULL;
    zn_scheme_def other = scheme_named("moreau_jean", 0.5);
    other.levels = "auto";
    CHECK_STATUS(zn_scheme_create(&other, sys, &scheme), ZN_ERR_ARGUMENT);
    zn_system_destroy(sys);
    // a step beyond the bound, and a number of levels that is too small for it
    rig          r = rig_open(pieces_model(small_end, 2, 1, 0), in_levels("2"));
    zn_step_info info;
    int          levels;
    double       h = critical_of(&r, in_levels("2"), &levels);
    assert_int_equal(levels, 2);
    CHECK_STATUS(zn_scheme_step(r.scheme, r.state, 1.01 * h, &info), ZN_ERR_ARGUMENT);
    CHECK_OK(zn_scheme_step(r.scheme, r.state, h, &info));
    rig_close(&r);
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_level),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_stability),
        cmocka_unit_test(test_impact),
        cmocka_unit_test(test_restart_and_failure),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
