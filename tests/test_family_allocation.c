// Memory, for the whole family: a step allocates nothing, with whatever options, joints, friction and minimal
// coordinates; and when memory runs out while scheme or state are made, they say so and leak nothing.
#include "allocation_wrap.h"
#include "gallery_fixtures.h"

#include "zn/sim.h"

// --- schemes and models --------------------------------------------------------------------------

static const char *const scheme_word[] = {"moreau_jean",     "direct_projection", "combined_projection",
                                          "schatzman_paoli", "trapezoidal",       "nsga",
                                          "nsga_coupled"};
enum { SCHEMES = 7, OPTIONS = 6 };

static bool projects(int s) { return s == 1 || s == 2; }
static bool takes_friction(int s) { return s < 3 || s > 4; }

// Options 0 to 2: the metrics, decoupled; 3 to 5: coupled. Others have one variant.
static zn_scheme_def variant(int s, int option)
{
    zn_scheme_def def = scheme_named(scheme_word[s], 0.5);
    if (projects(s)) {
        def.metric = (zn_metric)(option % 3);
        def.coupled = option >= 3;
    }
    return def;
}

typedef struct test_case {
    const char *folder, *overrides[3];
    double      h;
    int         steps;
    bool        friction;
} test_case;

static const test_case cases[] = {
    {"bouncing-ball", {NULL}, 0.00713, 500, false},        {"rocking-block", {NULL}, 2.3e-3, 500, false},
    {"elastic-bar", {"N=40"}, 2e-6, 300, false},           {"slider-crank", {"mu=0"}, 1e-4, 150, false},
    {"slider-crank", {"mu=0.01"}, 1e-4, 150, true},        {"slider-crank-bodies", {"mu=0"}, 1e-4, 150, false},
    {"slider-crank-bodies", {"mu=0.01"}, 1e-4, 150, true}, {"slider-roller", {NULL}, 5e-3, 200, true},
    {"rocking-rod", {"h2=0.4"}, 1e-3, 290, true},          {"box-on-incline", {"mu=0.4"}, 1e-3, 30, true},
    {"pendulum-on-plate", {NULL}, 5e-3, 200, true},
};

enum { CASES = sizeof cases / sizeof *cases };

static void test_the_count_sees_the_library(void **state)
{
    (void)state;
    long      before = allocations;
    zn_model *model = planar_model(0, (zn_log){0});
    assert_true(allocations > before);
    zn_model_destroy(model);
}

// --- no allocation inside a step -----------------------------------------------------------------

static void check_steps(const test_case *c, zn_scheme_def def)
{
    bool              plastic = strcmp(def.scheme, "trapezoidal") == 0; // there is no impact law
    const char *const first = c->overrides[0], *const overrides[] = {plastic ? "e=0" : first, first, NULL};
    gallery_rig g = gallery_open(c->folder, overrides, def);
    bool        touched = false;
    rig_step(&g.r, c->h);
    long before = allocations;
    for (int k = 1; k < c->steps; k++) {
        zn_status status = zn_scheme_step(g.r.scheme, g.r.state, c->h, &g.r.info);
        if (status != ZN_OK)
            fail_msg("%s, %s: step %d failed", c->folder, def.scheme, k);
        touched |= g.r.info.active > 0;
    }
    if (allocations != before)
        fail_msg("%s, %s: %ld allocations", c->folder, def.scheme, allocations - before);
    assert_true(touched);
    gallery_close(&g);
}

static void test_steps_allocate_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int s = 0; s < SCHEMES; s++)
            for (int option = 0; option < (projects(s) ? OPTIONS : 1); option++)
                if (takes_friction(s) || !cases[i].friction)
                    check_steps(&cases[i], variant(s, option));
}

// --- memory that runs out ------------------------------------------------------------------------

typedef struct trial {
    const zn_model      *model;
    const zn_scheme_def *def;
} trial;

static zn_status create_all(void *user)
{
    const trial *t = user;
    zn_system   *sys = NULL;
    zn_scheme   *scheme = NULL;
    zn_state    *start = NULL;
    zn_status    status = zn_system_create(t->model, &sys);
    if (status == ZN_OK)
        status = zn_scheme_create(t->def, sys, &scheme);
    if (status == ZN_OK)
        status = zn_state_create(sys, &start);
    zn_state_destroy(start);
    zn_scheme_destroy(scheme);
    zn_system_destroy(sys);
    return status;
}

// Every allocation of system, scheme and state in turn; the model file is read before.
static void check_running_out(const test_case *c, zn_scheme_def def)
{
    gallery_rig g = gallery_open(c->folder, c->overrides, def);
    assert_true(fail_each_allocation(create_all, &(trial){g.problem->model, &def}) >= 30);
    gallery_close(&g);
}

static void test_running_out_of_memory(void **state)
{
    (void)state;
    for (int s = 0; s < SCHEMES; s++)
        for (int option = 0; option < (projects(s) ? OPTIONS : 1); option++)
            check_running_out(&cases[takes_friction(s) ? 6 : 5], variant(s, option));
}

// Adding a system of functions: whatever allocation fails, `user` is destroyed once.
static int destroyed;

static void count_destroy(void *user)
{
    (void)user;
    destroyed++;
}

static zn_status unit_mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    M[0] = 1;
    return ZN_OK;
}

static zn_status open_gap(void *user, int i, const double *q, double *gap, double *normal, double *tangent)
{
    (void)user, (void)i, (void)tangent;
    *gap = q[0];
    normal[0] = 1;
    return ZN_OK;
}

static void test_user_is_destroyed_once(void **state)
{
    (void)state;
    const double q0[1] = {1};
    long         n = 0;
    for (bool done = false; !done;) {
        zn_model         *model = planar_model(0, (zn_log){0});
        zn_lagrangian_def def = zn_lagrangian_def_default();
        def.name = "machine", def.n = 1, def.q0 = q0, def.mass = unit_mass, def.destroy = count_destroy;
        def.contacts = 3, def.contact = open_gap;
        destroyed = 0;
        allocations = 0;
        failing = ++n;
        zn_status status = zn_model_add_lagrangian(model, &def);
        failing = 0;
        done = allocations < n;
        assert_int_equal(status, done ? ZN_OK : ZN_ERR_MEMORY);
        zn_model_destroy(model);
        assert_int_equal(destroyed, 1);
    }
    assert_true(n > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_count_sees_the_library),
        cmocka_unit_test(test_steps_allocate_nothing),
        cmocka_unit_test(test_running_out_of_memory),
        cmocka_unit_test(test_user_is_destroyed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
