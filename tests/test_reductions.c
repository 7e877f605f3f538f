// The reductions seam: all sums and maxima over degrees of freedom go through the system, so that a scheme runs the
// same on one process or on many. Here the other process is a twin that holds an identical copy: sums double, maxima
// stay.
#include "fixtures.h"

static const char *const schemes[] = {"moreau_jean", "combined_projection"};

typedef struct twin {
    int    sums, maxima; // calls so far
    int    good;         // calls answered well before `answer` comes instead; negative: always well
    double answer;
    bool   spoil_sums, spoil_maxima;
} twin;

static bool spoiled(const twin *t) { return t->good >= 0 && t->sums + t->maxima > t->good; }

static void twin_sum(void *user, double *values, int count)
{
    twin *t = user;
    t->sums++;
    for (int i = 0; i < count; i++)
        values[i] = t->spoil_sums && spoiled(t) ? t->answer : 2 * values[i];
}

static void twin_max(void *user, double *values, int count)
{
    twin *t = user;
    t->maxima++;
    for (int i = 0; i < count; i++)
        values[i] = t->spoil_maxima && spoiled(t) ? t->answer : values[i];
}

static void install(fixture *f, twin *t) { zn_system_set_reductions(f->sys, (zn_reductions){t, twin_sum, twin_max}); }

static fixture make(int problem)
{
    return problem == 0 ? make_ball(0.5) : problem == 1 ? make_block(0.3) : make_oscillator(0.2, 0.5);
}

static zn_sim *start(const fixture *f, const char *scheme, double theta)
{
    zn_sim_def def = zn_sim_def_default();
    zn_sim    *sim = NULL;
    def.scheme.scheme = scheme;
    def.scheme.theta = theta;
    def.step = 5e-3;
    def.until = 2;
    CHECK_OK(zn_sim_create(f->sys, &def, &sim));
    return sim;
}

// --- the operations themselves -------------------------------------------------------------------

static void test_operations(void **state)
{
    (void)state;
    fixture f = make_block(0);
    twin    t = {.good = -1};
    double  a[3] = {1, 2, 3}, b[3] = {-4, 5, 6};
    double  r[3] = {1e-3, -4e-3, 2e-2}, scale[3] = {2, 1, 8}; // two translations, one rotation
    CHECK_NEAR(zn_system_dot(f.sys, a, b), 24, 0);
    CHECK_NEAR(zn_system_relative_norm(f.sys, r, scale), 2.5e-3, 1e-18); // max(4e-3 / 2, 2e-2 / 8)
    CHECK_NEAR(zn_system_sum(f.sys, 3), 3, 0);
    CHECK_NEAR(zn_system_max(f.sys, 3), 3, 0);
    install(&f, &t);
    CHECK_NEAR(zn_system_dot(f.sys, a, b), 48, 0);
    assert_int_equal(t.sums, 1);
    CHECK_NEAR(zn_system_sum(f.sys, 3), 6, 0);
    assert_int_equal(t.sums, 2);
    assert_int_equal(t.maxima, 0);
    CHECK_NEAR(zn_system_relative_norm(f.sys, r, scale), 2.5e-3, 1e-18);
    assert_int_equal(t.maxima, 1); // one exchange, not four
    CHECK_NEAR(zn_system_max(f.sys, 3), 3, 0);
    assert_int_equal(t.maxima, 2);
    destroy_fixture(&f);
}

// Translations and rotations do not share a scale; nothing over nothing is nothing; what is not finite shows.
static void test_relative_norm(void **state)
{
    (void)state;
    fixture f = make_block(0);
    double  zero[3] = {0, 0, 0}, turn[3] = {0, 0, 1}, move[3] = {0, 1, 0}, scale[3] = {100, 50, 4};
    double  nan[3] = {0, NAN, 0}, infinite[3] = {0, 0, -INFINITY}, endless[3] = {0, INFINITY, 0};
    CHECK_NEAR(zn_system_relative_norm(f.sys, zero, zero), 0, 0);
    CHECK_NEAR(zn_system_relative_norm(f.sys, turn, scale), 0.25, 0);
    CHECK_NEAR(zn_system_relative_norm(f.sys, move, scale), 0.01, 0);
    assert_false(isfinite(zn_system_relative_norm(f.sys, move, zero)));
    assert_false(isfinite(zn_system_relative_norm(f.sys, nan, scale)));
    assert_false(isfinite(zn_system_relative_norm(f.sys, nan, nan)));
    assert_false(isfinite(zn_system_relative_norm(f.sys, infinite, scale)));
    assert_false(isfinite(zn_system_relative_norm(f.sys, infinite, infinite)));
    assert_false(isfinite(zn_system_relative_norm(f.sys, endless, endless))); // inf / inf is no convergence
    destroy_fixture(&f);
}

// --- the twin ------------------------------------------------------------------------------------

static void check_doubled(const char *what, double twice, double once)
{
    if (twice != 2 * once)
        fail_msg("%s: %.17g is not twice %.17g", what, twice, once);
}

static void check_doubled_vector(const char *what, zn_vec3 twice, zn_vec3 once)
{
    check_doubled(what, twice.x, once.x);
    check_doubled(what, twice.y, once.y);
    check_doubled(what, twice.z, once.z);
}

// Doubling is exact in binary: the certificates differ by exactly two, the motions not at all.
static void compare_runs(int problem, const char *scheme, double theta)
{
    fixture alone = make(problem), paired = make(problem);
    twin    t = {.good = -1};
    install(&paired, &t);
    zn_sim        *one = start(&alone, scheme, theta), *two = start(&paired, scheme, theta);
    zn_system_info info = zn_system_get_info(alone.sys);
    int64_t        steps = zn_sim_grid_steps(one);
    for (int64_t k = 0; k < steps; k++) {
        int sums = t.sums, maxima = t.maxima;
        CHECK_OK(zn_sim_step(one));
        CHECK_OK(zn_sim_step(two));
        const zn_state *a = zn_sim_state(one), *b = zn_sim_state(two);
        assert_memory_equal(a->q, b->q, sizeof *a->q * (size_t)info.nq);
        assert_memory_equal(a->v, b->v, sizeof *a->v * (size_t)info.n_all);
        assert_memory_equal(a->contacts->impulse, b->contacts->impulse, sizeof(double) * (size_t)a->contacts->count);
        assert_true(t.sums > sums && t.maxima > maxima); // every step asks
    }
    CHECK_OK(zn_sim_run(one)); // no steps are left: the ends of the certificates
    CHECK_OK(zn_sim_run(two));
    const zn_certificate *a = zn_sim_certificate(one), *b = zn_sim_certificate(two);
    assert_true(a->steps == b->steps && a->impacts == b->impacts && a->impacts > 0);
    check_doubled("energy at the start", b->energy_start, a->energy_start);
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        check_doubled(zn_ledger_name((zn_ledger_line)i), b->ledger[i], a->ledger[i]);
    assert_true(a->ledger[ZN_LEDGER_CONTACT] < 0);
    check_doubled_vector("momentum at the start", b->momentum_start, a->momentum_start);
    check_doubled_vector("momentum", b->momentum, a->momentum);
    check_doubled_vector("angular momentum at the start", b->angular_start, a->angular_start);
    check_doubled_vector("angular momentum", b->angular, a->angular);
    CHECK_NEAR(b->closure.value, a->closure.value, 1e-14); // relative, so the same
    CHECK_NEAR(b->newton.value, a->newton.value, 0);
    zn_sim_destroy(one);
    zn_sim_destroy(two);
    destroy_fixture(&alone);
    destroy_fixture(&paired);
}

static void test_twin(void **state)
{
    (void)state;
    for (int problem = 0; problem < 3; problem++)
        for (int s = 0; s < 2; s++) {
            compare_runs(problem, schemes[s], 0.5);
            compare_runs(problem, schemes[s], 0.75);
        }
}

// --- a process that fails ------------------------------------------------------------------------

// From some exchange on the answers are no numbers: the run stops with a status, the state stays as it was.
static void break_run(int problem, const char *scheme, twin bad, int good)
{
    fixture        f = make(problem);
    twin           t = {.good = -1};
    zn_system_info info = zn_system_get_info(f.sys);
    install(&f, &t);
    zn_sim *sim = start(&f, scheme, 0.5);
    for (int k = 0; k < 3; k++)
        CHECK_OK(zn_sim_step(sim));
    const zn_state *state = zn_sim_state(sim);
    double          q[8], v[8], time = state->t;
    t = bad;
    t.good = good;
    zn_status status = ZN_OK;
    for (int k = 0; k < 100 && status == ZN_OK; k++) {
        memcpy(q, state->q, sizeof *q * (size_t)info.nq);
        memcpy(v, state->v, sizeof *v * (size_t)info.n_all);
        time = state->t;
        status = zn_sim_step(sim);
    }
    if (status <= 0)
        fail_msg("%s, problem %d, %g from exchange %d on: '%s'", scheme, problem, bad.answer, good,
                 zn_status_text(status));
    // halved steps may have been made before the last one failed, so positions are old ones or new ones, but numbers
    for (int i = 0; i < info.nq; i++)
        assert_true(isfinite(state->q[i]));
    for (int i = 0; i < info.n_all; i++)
        assert_true(isfinite(state->v[i]));
    if (good == 0) { // nothing can have been made
        assert_memory_equal(q, state->q, sizeof *q * (size_t)info.nq);
        assert_memory_equal(v, state->v, sizeof *v * (size_t)info.n_all);
        CHECK_NEAR(state->t, time, 0);
    }
    zn_sim_destroy(sim);
    destroy_fixture(&f);
}

static void test_broken_reductions(void **state)
{
    (void)state;
    static const double answers[] = {NAN, INFINITY, -INFINITY};
    for (int problem = 0; problem < 3; problem++)
        for (int s = 0; s < 2; s++)
            for (size_t k = 0; k < sizeof answers / sizeof *answers; k++)
                for (int good = 0; good < 12; good++)
                    for (int which = 1; which <= 3; which++) // sums, maxima, both
                        break_run(problem, schemes[s],
                                  (twin){.answer = answers[k], .spoil_sums = which & 1, .spoil_maxima = which & 2},
                                  good);
}

// A run cannot start from energies that are no numbers.
static void test_broken_from_the_start(void **state)
{
    (void)state;
    fixture    f = make_ball(0.5);
    twin       t = {.good = 0, .answer = NAN, .spoil_sums = true};
    zn_state  *s = NULL;
    zn_sim    *sim = NULL;
    zn_sim_def def = zn_sim_def_default();
    install(&f, &t);
    CHECK_STATUS(zn_state_create(f.sys, &s), ZN_NOT_FINITE);
    assert_null(s);
    def.scheme.scheme = "moreau_jean";
    def.step = 0.1;
    def.until = 1;
    CHECK_STATUS(zn_sim_create(f.sys, &def, &sim), ZN_NOT_FINITE);
    assert_null(sim);
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_relative_norm),
        cmocka_unit_test(test_twin),
        cmocka_unit_test(test_broken_reductions),
        cmocka_unit_test(test_broken_from_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
