// Spheres in motion: impacts against closed forms, sliding that becomes rolling, conservation, piles at rest, and that
// the same run gives the same bits, also from a copy of the state.
#include "pile_models.h"

#include "system/contact_scratch.h"
#include "zn/sim.h"

static zn_scheme_def pile_scheme(double tolerance)
{
    zn_scheme_def def = scheme_named("moreau_jean", 0.5);
    def.gamma = 0.5;
    def.frozen_rows = true;
    def.solver_tolerance = tolerance;
    return def;
}

// --- two spheres ---------------------------------------------------------------------------------

// Head-on, masses m and 3 m: Newton's law and momentum give both velocities.
static void test_head_on(void **state)
{
    (void)state;
    const char *const schemes[] = {"moreau_jean", "combined_projection", "direct_projection", "schatzman_paoli",
                                   "nsga"};
    for (int s = 0; s < 5; s++)
        for (double e = 0; e <= 1; e += 0.5) {
            zn_model *model = space(0);
            add_ball(model, mass, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0));
            add_ball(model, 3 * mass, zn_vec3_make(0.25, 0, 0), zn_vec3_make(-0.2, 0, 0));
            add_pairs(model, e, 0, false);
            rig r = rig_open(model, scheme_named(schemes[s], s == 4 ? 0.5 : 0.5));
            for (int k = 0; k < 100; k++)
                rig_step(&r, 1.3e-3);
            double common = (1 - 3 * 0.2) / 4, approach = 1.2;
            CHECK_NEAR(r.state->v[0], common - 0.75 * e * approach, 1e-10);
            CHECK_NEAR(r.state->v[6], common + 0.25 * e * approach, 1e-10);
            rig_close(&r);
        }
}

// Oblique with friction, equal spheres, one at rest: along the line of centres e, across it slip up to mu P or stick.
// W_T = 2 (1 + 5/2) / m, so that stick takes P_T = u_T / W_T.
static void test_oblique(void **state)
{
    (void)state;
    const double h = 1e-4, across = 0.5;
    for (int stick = 0; stick < 2; stick++) {
        double    mu = stick ? 2 : 0.02, e = 0.3;
        zn_model *model = space(0);
        add_ball(model, mass, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0));
        add_ball(model, mass, zn_vec3_make(2 * radius + 1e-12, 0, 0), zn_vec3_make(0, across, 0));
        add_pairs(model, e, mu, false);
        rig r = rig_open(model, pile_scheme(1e-12));
        rig_step(&r, h);
        double P = (1 + e) * mass / 2, T = stick ? across * mass / 7 : mu * P, I = 0.4 * mass * radius * radius;
        CHECK_NEAR(r.state->v[0], 1 - P / mass, 1e-11);
        CHECK_NEAR(r.state->v[6], P / mass, 1e-11);
        CHECK_NEAR(r.state->v[1], T / mass, 1e-11);
        CHECK_NEAR(r.state->v[7], across - T / mass, 1e-11);
        CHECK_NEAR(r.state->v[5], radius * T / I, 1e-9); // both turn the same way
        CHECK_NEAR(r.state->v[11], radius * T / I, 1e-9);
        rig_close(&r);
    }
}

// Momenta stay, whatever happens among the spheres.
static void test_momentum(void **state)
{
    (void)state;
    zn_model *model = space(0);
    uint64_t  seed = 7;
    for (int i = 0; i < 27; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double  spread = 0.3 * ((double)(seed >> 40) / (1 << 24) - 0.5);
        zn_vec3 x = {0.21 * (i % 3 - 1), 0.21 * (i / 3 % 3 - 1), 0.21 * (i / 9 - 1)};
        add_ball(model, mass, x, zn_vec3_add(zn_vec3_scale(-2, x), zn_vec3_make(spread, -spread, 0.1)));
    }
    add_pairs(model, 0.5, 0.4, false);
    rig     r = rig_open(model, pile_scheme(1e-8));
    zn_vec3 p[2], l[2];
    double  scratch[27 * 6], impulse = 0;
    CHECK_OK(zn_system_momentum(r.sys, (zn_at){r.state->q, r.state->v, 0, 0}, -1, scratch, &p[0], &l[0]));
    for (int k = 0; k < 60; k++) {
        rig_step(&r, 1e-3);
        for (int i = 0; i < r.state->contacts->count; i++)
            impulse += r.state->contacts->impulse[i * r.state->contacts->stride];
    }
    CHECK_OK(zn_system_momentum(r.sys, (zn_at){r.state->q, r.state->v, 0, 0}, -1, scratch, &p[1], &l[1]));
    assert_true(impulse > 1); // they did collide
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(p[1], p[0])), 0, 1e-11);
    // frozen rows act at the contact points of the start of the step: angular momentum is kept to first order in h
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(l[1], l[0])), 0, 5e-3);
    rig_close(&r);
}

// Newton's cradle: with e = 1 and the impacts in one step the scheme must keep momentum and energy.
static void test_chain(void **state)
{
    (void)state;
    zn_model *model = space(0);
    for (int i = 0; i < 5; i++)
        add_ball(model, mass, zn_vec3_make(i * (2 * radius + 1e-9), 0, 0), zn_vec3_make(i == 0, 0, 0));
    add_pairs(model, 1, 0, false);
    rig    r = rig_open(model, pile_scheme(1e-12));
    double energy = energy_of(&r), momentum = 0;
    for (int k = 0; k < 20; k++)
        rig_step(&r, 1e-3);
    for (int i = 0; i < 5; i++)
        momentum += mass * r.state->v[6 * i];
    CHECK_NEAR(momentum, mass, 1e-12);
    CHECK_NEAR(energy_of(&r), energy, 1e-12);
    rig_close(&r);
}

// --- one sphere on a plane -----------------------------------------------------------------------

// Sliding at v0 it comes to roll at 5/7 v0 after 2 v0 / (7 mu g), from there on it rolls.
static void test_rolling(void **state)
{
    (void)state;
    const double v0 = 1, mu = 0.2, g = 9.81, until = 2 * v0 / (7 * mu * g), h = 1e-4;
    zn_model    *model = space(-g);
    add_ball(model, mass, zn_vec3_make(0, 0, radius), zn_vec3_make(v0, 0, 0));
    add_wall(model, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0, 1));
    add_pairs(model, 0, mu, true);
    rig r = rig_open(model, pile_scheme(1e-12));
    for (int k = 0; k < (int)(0.9 * until / h); k++)
        rig_step(&r, h);
    CHECK_NEAR(r.state->v[0], v0 - mu * g * r.state->t, 1e-9);
    while (r.state->t < 1.5 * until)
        rig_step(&r, h);
    zn_quat turn = {r.state->q[3], r.state->q[4], r.state->q[5], r.state->q[6]};
    zn_vec3 spin = zn_quat_rotate(turn, zn_vec3_make(r.state->v[3], r.state->v[4], r.state->v[5]));
    CHECK_NEAR(r.state->v[0], 5 * v0 / 7, 1e-3 * v0); // the step in which slip ends
    CHECK_NEAR(spin.y * radius, r.state->v[0], 1e-9); // rolling
    CHECK_NEAR(r.state->q[2], radius, 1e-9);
    rig_close(&r);
}

// --- piles ---------------------------------------------------------------------------------------

// At rest the floor carries the weight, nothing moves and nothing is deep inside anything.
static void test_pile_comes_to_rest(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    rig    r = rig_open(pile_model(COUNT, 5, 0), pile_scheme(1e-4));
    double h = 5e-3, up = 0, deepest = 0, momentum = 0;
    int    growth = r.state->contacts->capacity;
    while (r.state->t < 2.5)
        rig_step(&r, h);
    CHECK_BELOW(r.info.complementarity, 1e-4);
    for (int i = 0; i < COUNT; i++)
        momentum += mass * r.state->v[6 * i + 2];
    for (int i = 0; i < r.state->contacts->count; i++) { // vertical impulse of the walls, on the last step
        const zn_contact_set *set = r.state->contacts;
        deepest = fmax(deepest, -set->gap[i]);
        if (zn_contact_id_number(set->id[i]) % (COUNT + 5) < COUNT)
            continue;
        for (int row = i * set->stride; row < (i + 1) * set->stride; row++)
            for (int k = set->row_start[row]; k < set->row_start[row + 1]; k++)
                if (set->row_dof[k] % 6 == 2)
                    up += set->row_value[k] * set->impulse[row];
    }
    CHECK_NEAR(up / (COUNT * mass * 9.81 * h), 1, 0.02);
    CHECK_BELOW(r.state->energy.kinetic / COUNT, 2e-3 * mass * 9.81 * radius);
    CHECK_BELOW(deepest, 0.1 * radius);
    CHECK_BELOW(fabs(momentum), 0.05 * COUNT * mass);
    assert_true(growth > 0);
    rig_close(&r);
}

typedef struct sight {
    int    sparse, contacts;
    double t;
} sight;

static void look(void *user, const zn_fc_problem *problem, const char *level, double t, zn_status status)
{
    sight *s = user;
    assert_string_equal(level, "velocity");
    CHECK_OK(status);
    assert_true(problem->sparse != NULL || problem->W != NULL);
    s->sparse += problem->sparse != NULL;
    s->contacts = problem->contacts;
    s->t = t;
}

// An observer sees the sparse problem of each step as well, with as many contacts as act.
static void test_observed(void **state)
{
    (void)state;
    sight         seen = {0};
    zn_scheme_def def = pile_scheme(1e-4);
    def.observer = (zn_observer){look, &seen, false};
    rig r = rig_open(pile_model(48, 4, 0), def);
    while (r.state->t < 0.2) {
        double start = r.state->t;
        rig_step(&r, 5e-3);
        if (r.info.active > 0) {
            CHECK_NEAR(seen.t, start, 0);
            assert_int_equal(seen.contacts, r.info.active);
        }
    }
    assert_true(seen.sparse > 5);
    rig_close(&r);
}

static void test_same_bits(void **state)
{
    (void)state;
    rig a = rig_open(pile_model(60, 4, 0.2), pile_scheme(1e-4));
    rig b = rig_open(pile_model(60, 4, 0.2), pile_scheme(1e-4));
    for (int k = 0; k < 40; k++) {
        rig_step(&a, 5e-3);
        rig_step(&b, 5e-3);
    }
    check_same_state(a.sys, a.state, b.state);
    rig c = rig_open(pile_model(60, 4, 0.2), pile_scheme(1e-4)); // goes on from a copy
    CHECK_OK(zn_state_copy(c.sys, b.state, c.state));
    for (int k = 0; k < 20; k++) {
        rig_step(&a, 5e-3);
        rig_step(&c, 5e-3);
    }
    check_same_state(a.sys, a.state, c.state);
    rig_close(&a);
    rig_close(&b);
    rig_close(&c);
}

static void test_refusals(void **state)
{
    (void)state;
    const char *const schemes[] = {"schatzman_paoli", "newmark"}; // for its friction, and for any contact
    zn_model         *model = pile_model(60, 4, 0);
    zn_system        *sys = NULL;
    zn_scheme        *scheme = NULL;
    CHECK_OK(zn_system_create(model, &sys));
    assert_true(zn_system_get_info(sys).contacts_grow);
    for (int s = 0; s < 2; s++) {
        zn_scheme_def def = scheme_named(schemes[s], 0.5);
        CHECK_STATUS(zn_scheme_create(&def, sys, &scheme), ZN_ERR_UNSUPPORTED);
    }
    zn_scheme_def frozen = scheme_named("combined_projection", 0.5);
    frozen.frozen_rows = true;
    CHECK_STATUS(zn_scheme_create(&frozen, sys, &scheme), ZN_ERR_ARGUMENT);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

// --- contacts whose features change --------------------------------------------------------------

enum { PAIRS = 40, FEATURES = 6 };

// Some features of each pair of shapes, with any impulses.
static void any_contacts(zn_contact_set *set, unsigned seed)
{
    set->count = 0;
    for (int pair = 0; pair < PAIRS; pair++)
        for (int f = 0; f < FEATURES; f++) {
            seed = seed * 1664525u + 1013904223u;
            if (seed >> 24 < 128)
                continue;
            for (int r = 0; r < set->stride; r++)
                set->impulse[set->count * set->stride + r] = 1 + (seed >> 8) % 100 + 7 * r;
            set->id[set->count++] = zn_contact_id_make(0, 3 * pair, f);
        }
}

static int find(const zn_contact_set *set, zn_contact_id id)
{
    for (int i = 0; i < set->count; i++)
        if (zn_contact_id_same(set->id[i], id))
            return i;
    return -1;
}

// Sum of the impulses of a pair along row r, of contacts that are not in `other`; how many there are.
static double sum_of(const zn_contact_set *set, const zn_contact_set *other, int64_t pair, int r, int *count)
{
    double sum = 0;
    *count = 0;
    for (int i = 0; i < set->count; i++)
        if (set->id[i].contact == pair && find(other, set->id[i]) < 0) {
            sum += set->impulse[i * set->stride + r];
            ++*count;
        }
    return sum;
}

// New contacts share what those of their pair that are gone had, and nobody else changes.
static void test_heirs(void **state)
{
    (void)state;
    zn_model *model = space(0);
    add_ball(model, mass, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0));
    add_ball(model, mass, zn_vec3_make(0.25, 0, 0), zn_vec3_make(0, 0, 0));
    add_pairs(model, 0, 0.3, false);
    rig             r = rig_open(model, pile_scheme(1e-12));
    zn_contact_set *now = NULL, *old = r.state->contacts;
    CHECK_OK(zn_contact_set_create(r.sys, &now));
    CHECK_OK(zn_contact_set_reserve(now, PAIRS * FEATURES, 0));
    CHECK_OK(zn_contact_set_reserve(old, PAIRS * FEATURES, 0));
    any_contacts(old, 1);
    any_contacts(now, 2);
    for (int i = 0; i < now->count; i++) // as they are carried from step to step
        for (int k = 0; k < 3; k++) {
            int j = find(old, now->id[i]);
            now->impulse[3 * i + k] = j >= 0 ? old->impulse[3 * j + k] : 0;
        }
    zn_contact_set_inherit(now, old);
    for (int pair = 0; pair < PAIRS; pair++)
        for (int k = 0; k < 3; k++) {
            int64_t contact = zn_contact_id_make(0, 3 * pair, 0).contact;
            int     heirs, gone;
            double  had = sum_of(old, now, contact, k, &gone), has = sum_of(now, old, contact, k, &heirs);
            CHECK_NEAR(has, heirs > 0 ? had : 0, 1e-12 * had);
        }
    for (int i = 0; i < now->count; i++)
        for (int k = 0; k < 3 && find(old, now->id[i]) >= 0; k++)
            assert_true(now->impulse[3 * i + k] == old->impulse[3 * find(old, now->id[i]) + k]);
    now->count = old->count = 0;
    zn_contact_set_destroy(now);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head_on),  cmocka_unit_test(test_oblique),   cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_chain),    cmocka_unit_test(test_rolling),   cmocka_unit_test(test_pile_comes_to_rest),
        cmocka_unit_test(test_observed), cmocka_unit_test(test_same_bits), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_heirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
