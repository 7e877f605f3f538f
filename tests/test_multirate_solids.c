// Parts of solids with their own steps: contacts that search their partners, pressure across the interface, the step in
// parts of the critical one of what is explicit, and how the parts are described.
#include "multirate_models.h"
#include "system/system.h"
#include "zn/io.h"
#include "zn/sim.h"

// A block falls on the face of another one and slides against the edge of a wall; the parts meet inside both blocks,
// below faces under pressure.
static const char *const blocks =
    "zeno: 1\nplanar: true\ngravity: [0, -10]\nmaterials: {soft: {young: 1e4, poisson: 0.3, density: 10}}\nparts:\n"
    "  a: {element: solid, material: soft, mass: lumped, mesh: {rectangle: {from: [0, 0], to: [1, 0.5], elements: [8, "
    "4]}},\n"
    "      fix: {ymin: [x, y]}}\n"
    "  b: {element: solid, material: soft, mass: lumped, velocity: [2, -1],\n"
    "      mesh: {rectangle: {from: [0.33, 0.51], to: [0.63, 0.8], elements: [3, 3]}}}\n"
    "loads: {p: {pressure: {part: b, face: xmin, value: '20*sin(30*t)'}}}\n"
    "contacts:\n"
    "  hit: {points: b.ymin, surface: {part: a, face: ymax}, friction: 0.3}\n"
    "  stop: {point: 'b[3]', surface: {plane: [-1, 0], at: [0.65, 0.5], bounded: {length: 0.2}}, restitution: 0.5}\n"
    "run: {scheme: {multirate: {fine: 'a[16:32], b[0:6]', ratio: 5}}, step: 0.9 cfl, until: 0.1}\n";

static const char *const fine_blocks = "a[16:32], b[0:6]";

static zn_problem *parse(const char *text)
{
    zn_problem *p = NULL;
    CHECK_OK(zn_problem_parse(text, strlen(text), "model.yaml", 0, NULL, (zn_log){0}, &p));
    return p;
}

static rig open_problem(const zn_problem *p, zn_scheme_def def)
{
    rig r = rig_open(p->model, def);
    r.model = NULL; // the problem's
    return r;
}

// The same contacts at the same time, of the same degrees of freedom.
static void check_contacts(const zn_contact_set *a, const zn_contact_set *b)
{
    assert_int_equal(a->count, b->count);
    int rows = a->count * a->stride;
    CHECK_SAME_BITS(a->id, b->id, a->count);
    CHECK_SAME_BITS(a->row_start, b->row_start, rows + 1);
    CHECK_SAME_BITS(a->row_dof, b->row_dof, a->row_start[rows]);
    for (int i = 0; i < a->row_start[rows]; i++)
        CHECK_NEAR(a->row_value[i], b->row_value[i], 1e-10);
    for (int i = 0; i < rows; i++)
        CHECK_NEAR(a->impulse[i], b->impulse[i], 1e-11);
}

static void test_two_parts_are_the_whole(void **test)
{
    (void)test;
    zn_problem   *p = parse(blocks);
    zn_scheme_def def = parts(fine_blocks, 1);
    def.coarse_explicit = true;
    rig    a = open_problem(p, scheme_named("cd_lagrange", 0.5)), b = open_problem(p, def);
    int    hits = 0, stops = 0;
    double worst = 0;
    for (int k = 0; k < 200; k++) {
        rig_step(&a, 5e-4);
        rig_step(&b, 5e-4);
        for (int i = 0; i < a.sys->info.n; i++)
            worst = fmax(worst, fabs(a.state->v[i] - b.state->v[i]));
        check_contacts(a.state->contacts, b.state->contacts);
        for (int i = 0; i < a.state->contacts->count; i++)
            if (a.state->contacts->impulse[i * a.state->contacts->stride] > 0)
                *(zn_contact_id_rule(a.state->contacts->id[i]) == 0 ? &hits : &stops) += 1;
    }
    CHECK_BELOW(worst, 1e-10); // of some m/s
    assert_true(hits > 10 && stops > 0);
    rig_close(&a);
    rig_close(&b);
    zn_problem_destroy(p);
}

// The ledger closes, a restart in the middle of a coarse step gives the same bits.
static void test_restart(void **test)
{
    (void)test;
    static double history[4096];
    zn_problem   *p = parse(blocks);
    rig           r[2];
    account       sum;
    for (int i = 0; i < 2; i++)
        r[i] = open_problem(p, parts(fine_blocks, 5));
    account_begin(&sum, &r[0]);
    for (int k = 0; k < 33; k++) {
        rig_step(&r[0], 5e-4);
        account_step(&sum, &r[0]);
    }
    int size = zn_scheme_history_size(r[0].scheme);
    assert_true(size <= 4096 && r[0].info.active > 0);
    zn_scheme_history_save(r[0].scheme, history);
    zn_state_copy(r[0].sys, r[0].state, r[1].state);
    CHECK_OK(zn_scheme_history_load(r[1].scheme, history, size));
    for (int k = 0; k < 57; k++)
        for (int i = 0; i < 2; i++) {
            rig_step(&r[i], 5e-4);
            if (i == 0)
                account_step(&sum, &r[0]);
        }
    for (int i = 0; i < 2; i++)
        check_same_state(r[0].sys, r[0].state, r[1].state);
    CHECK_BELOW(sum.worst, 1e-12 * sum.size);
    assert_true(sum.entered[ZN_LEDGER_FRICTION] < 0 && sum.entered[ZN_LEDGER_LOAD] != 0);
    for (int i = 0; i < 2; i++)
        rig_close(&r[i]);
    zn_problem_destroy(p);
}

// Elements near nodes that may meet, also where none has met yet.
static void test_within(void **test)
{
    (void)test;
    zn_problem   *p = parse(blocks);
    zn_scheme_def near = parts(NULL, 5);
    near.within = 0.13; // a row of a (0.125), one of b (0.097)
    rig a = open_problem(p, parts("a[24:32], b[0:3]", 5)), b = open_problem(p, near);
    for (int k = 0; k < 60; k++) {
        rig_step(&a, 5e-4);
        rig_step(&b, 5e-4);
    }
    check_same_state(a.sys, a.state, b.state);
    rig_close(&a);
    rig_close(&b);
    zn_problem_destroy(p);
}

// --- many links ---------------------------------------------------------------------------------------------

typedef struct tower_part {
    const char    *name;
    double         from, to;
    int            layers;
    zn_mass_kind   mass;
    zn_solid_model model;
} tower_part;

enum { ACROSS = 3, FACE = (ACROSS + 1) * (ACROSS + 1) };

// On the face of the part below, if there is one.
static void add_part(zn_model *model, tower_part part, int below)
{
    zn_mesh     *mesh = NULL;
    zn_solid_def solid = zn_solid_def_default();
    zn_node_id   shared[512] = {{0}};
    char         name[32];
    CHECK_OK(zn_mesh_box(zn_vec3_make(0, 0, part.from), zn_vec3_make(1, 1.1, part.to),
                         (int[3]){ACROSS, ACROSS, part.layers}, ZN_HEX8, &mesh));
    for (int i = 0; i < FACE && below > 0; i++) {
        snprintf(name, sizeof name, "low[%d]", below * FACE + i);
        shared[i] = zn_model_find_node(model, name);
    }
    solid.name = part.name;
    solid.mesh = mesh;
    solid.shared = below > 0 ? shared : NULL;
    solid.young = solid.density = 1;
    solid.poisson = 0.3;
    solid.mass = part.mass;
    solid.model = part.model;
    solid.velocity = zn_vec3_make(0.03, 0, -0.03);
    CHECK_OK(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
}

// A block in space of two thin layers and some thick ones, which comes down obliquely.
static zn_model *tower(zn_mass_kind mass, zn_solid_model kind)
{
    zn_model *model = make_model(false, zn_vec3_make(0, 0, -0.02), NULL);
    int       count = 0;
    add_part(model, (tower_part){"low", 1e-3, 0.101, 2, ZN_MASS_LUMPED, kind}, 0);
    add_part(model, (tower_part){"high", 0.101, 1.1, 3, mass, kind}, 2);
    const zn_node_id *node = zn_model_find_node_set(model, "low.zmin", &count);
    for (int i = 0; i < count; i += 2) // it turns, too
        add_plane(model, NULL, node[i], zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0, 1), 0);
    return model;
}

// A sparse matrix gives the links that a dense inverse gives; a consistent mass makes the first ones a problem, too.
static void test_sparse_links(void **test)
{
    (void)test;
    for (int consistent = 0; consistent < 2; consistent++) {
        zn_mass_kind  mass = consistent ? ZN_MASS_CONSISTENT : ZN_MASS_LUMPED;
        zn_scheme_def dense = parts("low", 8), sparse = parts("low", 8);
        dense.interface = ZN_INTERFACE_DENSE;
        sparse.interface = ZN_INTERFACE_SPARSE;
        if (consistent)
            sparse.gamma = dense.gamma = 0.6, sparse.beta = dense.beta = 0.35;
        rig     a = rig_open(tower(mass, ZN_SOLID_LINEAR), dense), b = rig_open(tower(mass, ZN_SOLID_LINEAR), sparse);
        account sum;
        double  worst = 0, impulse = 0, size = 0;
        account_begin(&sum, &b);
        for (int k = 0; k < 160; k++) {
            rig_step(&a, 0.03);
            rig_step(&b, 0.03);
            account_step(&sum, &b);
            impulse += impulse_of(&b, 0);
            for (int i = 0; i < a.sys->info.n && (k + 1) % 8 == 0; i++) {
                worst = fmax(worst, fabs(a.state->v[i] - b.state->v[i]));
                size = fmax(size, fabs(a.state->v[i]));
            }
        }
        assert_true(impulse > 1e-4);
        CHECK_BELOW(worst, 1e-12 * size);
        CHECK_BELOW(sum.worst, 1e-12 * sum.size);
        rig_close(&a);
        rig_close(&b);
    }
}

// --- an explicit coarse part ------------------------------------------------------------------------------

// Largest difference of velocities to one step for all, over their size, at the end.
static double apart_at_end(zn_solid_model kind, int ratio, double h, double end, double *closure)
{
    zn_scheme_def def = parts("low", ratio);
    def.coarse_explicit = true;
    rig a = rig_open(tower(ZN_MASS_LUMPED, kind), scheme_named("cd_lagrange", 0.5)),
        b = rig_open(tower(ZN_MASS_LUMPED, kind), def);
    account sum;
    double  worst = 0, size = 0;
    account_begin(&sum, &b);
    for (int k = 0; k < (int)lround(end / h); k++) {
        rig_step(&a, h);
        rig_step(&b, h);
        account_step(&sum, &b);
    }
    for (int i = 0; i < a.sys->info.nq; i++) {
        worst = fmax(worst, fabs(a.state->q[i] - b.state->q[i]));
        size = fmax(size, fabs(a.state->q[i] - a.sys->q0[i]));
    }
    *closure = sum.worst / sum.size;
    rig_close(&a);
    rig_close(&b);
    return worst / size;
}

// The nearer to one step for all the shorter the coarse step: of first order only, because something hits. Linear and
// not.
static void test_explicit_coarse(void **test)
{
    (void)test;
    const zn_solid_model kind[] = {ZN_SOLID_LINEAR, ZN_SOLID_SAINT_VENANT_KIRCHHOFF};
    for (int k = 0; k < 2; k++) {
        double closure[3], one = apart_at_end(kind[k], 1, 0.02, 1.92, &closure[0]),
                           coarse = apart_at_end(kind[k], 8, 0.02, 1.92, &closure[1]),
                           quarter = apart_at_end(kind[k], 8, 0.005, 1.92, &closure[2]);
        print_message("explicit coarse part: %.1e, %.1e, %.1e\n", one, coarse, quarter);
        CHECK_BELOW(one, 1e-11);
        CHECK_BELOW(quarter, 0.3 * coarse);
        for (int i = 0; i < 3; i++)
            CHECK_BELOW(closure[i], 1e-12);
    }
}

// --- a rigid body on a beam --------------------------------------------------------------------------------

// The fine part is nonlinear, by a kind of element that the coarse part does not have.
static const char *const hammer =
    "zeno: 1\ngravity: [0, 0, -9.81]\nmaterials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}\n"
    "bodies: {head: {mass: 2, inertia: [0.01, 0.02, 0.02], position: [1, 0, 0], spin: [0, 3, 0]}}\n"
    "parts: {b: {element: beam, theory: timoshenko, material: steel, mass: lumped, section: {width: 0.02, height: "
    "0.02},\n"
    "  from: [0, 0, 0], to: [1, 0, 0], elements: 10, fix_first: [x, y, z, rotation], last_node: head}}\n"
    "contacts: {anvil: {point: head, at: [0.02, 0.01, -0.05], friction: 0.2, restitution: 0.3,\n"
    "  surface: {plane: [0, 0, 1], at: [0, 0, -0.051]}}}\n"
    "run: {scheme: {multirate: {fine: 'head, b[6:10]', ratio: 2}}, step: 0.9 cfl, until: 0.1}\n";

static void test_rigid_body(void **test)
{
    (void)test;
    zn_problem   *p = parse(hammer);
    zn_scheme_def def = parts("head, b[6:10]", 1);
    def.coarse_explicit = true;
    rig a = open_problem(p, scheme_named("cd_lagrange", 0.5)), b = open_problem(p, def),
        c = open_problem(p, p->sim.scheme);
    account sum;
    double  worst = 0, apart = 0, size = 0, h = 1.5e-5, impulse = 0;
    account_begin(&sum, &c);
    for (int k = 0; k < 1000; k++) {
        rig_step(&a, h);
        rig_step(&b, h);
        rig_step(&c, h);
        account_step(&sum, &c);
        impulse += impulse_of(&a, 0);
        for (int i = 0; i < a.sys->info.nq; i++) {
            worst = fmax(worst, fabs(a.state->q[i] - b.state->q[i]));
            apart = fmax(apart, fabs(a.state->q[i] - c.state->q[i]));
            size = fmax(size, fabs(a.state->q[i] - a.sys->q0[i]));
        }
    }
    assert_true(impulse > 0.01);
    CHECK_BELOW(worst, 1e-11 * size);
    CHECK_BELOW(apart, 0.05 * size); // an impact: coarse steps show
    CHECK_BELOW(sum.worst, 1e-12 * sum.size);
    rig_close(&a);
    rig_close(&b);
    rig_close(&c);
    zn_problem_destroy(p);
}

// --- the step and the sizes ----------------------------------------------------------------------------

// A bar of long elements that goes on in short ones; c = 1.
static const char *const bars = "zeno: 1\nplanar: true\nmaterials: {unit: {young: 1, density: 1}}\nparts:\n"
                                "  a: {element: beam, theory: euler_bernoulli, material: unit, section: {width: 0.01, "
                                "height: 0.01}, from: [0, 0], to: [1, 0],\n"
                                "      elements: 10, mass: lumped, fixed: [y, rotation]}\n"
                                "  b: {element: beam, theory: euler_bernoulli, material: unit, section: {width: 0.01, "
                                "height: 0.01}, from: [1, 0], to: [2, 0],\n"
                                "      elements: 50, mass: %s, fixed: [y, rotation], first_node: 'a[10]'}\n"
                                "run: {scheme: {multirate: {fine: a, ratio: %d}}, step: 0.8 cfl, until: 8.02}\n";

static void test_step_in_cfl(void **test)
{
    (void)test;
    for (int consistent = 0; consistent < 2; consistent++) {
        char       text[1000];
        zn_system *sys = NULL;
        zn_sim    *sim = NULL;
        snprintf(text, sizeof text, bars, consistent ? "consistent" : "lumped", 4);
        zn_problem *p = parse(text);
        CHECK_OK(zn_system_create(p->model, &sys));
        CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
        assert_int_equal(zn_sim_grid_steps(sim), 100); // of 0.8 * 0.1: the short elements are not explicit
        CHECK_OK(zn_sim_run(sim));
        zn_sim_destroy(sim);
        zn_system_destroy(sys);
        zn_problem_destroy(p);
    }
}

static void test_description(void **test)
{
    (void)test;
    char       text[1000];
    zn_system *sys = NULL;
    snprintf(text, sizeof text, bars, "lumped", 0);
    zn_problem    *p = parse(text);
    zn_scheme_info info;
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_scheme_describe(&p->sim.scheme, sys, 0.003, &info));
    assert_int_equal(info.fine_elements, 10);
    assert_int_equal(info.coarse_elements, 50);
    assert_int_equal(info.links, 1);
    assert_int_equal(info.ratio, 6); // 0.02/0.003
    CHECK_NEAR(info.critical.step, 0.1, 1e-12);
    assert_string_equal(info.critical.part, "a");
    CHECK_OK(zn_scheme_describe(&p->sim.scheme, sys, 0, &info));
    assert_int_equal(info.ratio, 0);
    p->sim.scheme.coarse_explicit = true;
    CHECK_OK(zn_scheme_describe(&p->sim.scheme, sys, 0, &info));
    CHECK_NEAR(info.critical.step, 0.02, 1e-12);
    p->sim.scheme.ratio = 4;
    CHECK_OK(zn_scheme_describe(&p->sim.scheme, sys, 0, &info));
    CHECK_NEAR(info.critical.step, 0.005, 1e-12); // four of them are what the coarse part bears
    p->sim.scheme.within = -1;
    CHECK_STATUS(zn_scheme_describe(&p->sim.scheme, sys, 0, &info), ZN_ERR_ARGUMENT);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
    // the ratio by itself needs a critical step
    log_capture log = {0};
    snprintf(text, sizeof text, bars, "consistent", 0);
    CHECK_OK(zn_problem_parse(text, strlen(text), "model.yaml", 0, NULL, log_into(&log), &p));
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_STATUS(zn_scheme_describe(&p->sim.scheme, sys, 0.003, &info), ZN_ERR_UNSUPPORTED);
    CHECK_LOGGED(&log, "give 'ratio'");
    zn_system_destroy(sys);
    zn_problem_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_parts_are_the_whole),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_sparse_links),
        cmocka_unit_test(test_explicit_coarse),
        cmocka_unit_test(test_rigid_body),
        cmocka_unit_test(test_step_in_cfl),
        cmocka_unit_test(test_description),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
