// What holds for every step of every scheme of the family: the energy ledger closes, a failed step changes neither
// state nor history, equal input gives equal bits, and a run goes on from saved state and history as if nothing had
// happened.
#include "gallery_fixtures.h"

#include "fixtures.h"
#include "system/system.h"

typedef struct member {
    const char *label, *scheme;
    double      theta;
    zn_forecast forecast;
    zn_metric   metric;
    bool        coupled;
    bool        friction; ///< can do it
} member;

static const member family[] = {
    {"moreau_jean", "moreau_jean", 0.5, ZN_FORECAST_EXPLICIT, ZN_METRIC_IDENTITY, false, true},
    {"direct", "direct_projection", 0.5, ZN_FORECAST_EXPLICIT, ZN_METRIC_IDENTITY, false, true},
    {"direct, free, mass", "direct_projection", 0.7, ZN_FORECAST_FREE, ZN_METRIC_MASS, false, true},
    {"direct, coupled", "direct_projection", 0.5, ZN_FORECAST_EXPLICIT, ZN_METRIC_IDENTITY, true, true},
    {"combined", "combined_projection", 0.5, ZN_FORECAST_EXPLICIT, ZN_METRIC_IDENTITY, false, true},
    {"combined, iteration", "combined_projection", 1, ZN_FORECAST_EXPLICIT, ZN_METRIC_ITERATION, false, true},
    {"combined, coupled", "combined_projection", 0.5, ZN_FORECAST_EXPLICIT, ZN_METRIC_MASS, true, true},
    {"schatzman_paoli", "schatzman_paoli", 0.5, ZN_FORECAST_EXPLICIT, ZN_METRIC_IDENTITY, false, false},
    {"schatzman_paoli", "schatzman_paoli", 1, ZN_FORECAST_EXPLICIT, ZN_METRIC_IDENTITY, false, false},
    {"trapezoidal", "trapezoidal", 0.5, ZN_FORECAST_EXPLICIT, ZN_METRIC_IDENTITY, false, false},
    {"trapezoidal", "trapezoidal", 1, ZN_FORECAST_EXPLICIT, ZN_METRIC_IDENTITY, false, false},
    {"nsga", "nsga", 0.5, ZN_FORECAST_EXPLICIT, ZN_METRIC_IDENTITY, false, true},
    {"nsga_coupled", "nsga_coupled", 0.5, ZN_FORECAST_EXPLICIT, ZN_METRIC_IDENTITY, false, true},
};

enum { MEMBERS = sizeof family / sizeof *family };

static zn_scheme_def def_of(const member *m)
{
    zn_scheme_def def = scheme_named(m->scheme, m->theta);
    def.forecast = m->forecast;
    def.metric = m->metric;
    def.coupled = m->coupled;
    return def;
}

// --- models --------------------------------------------------------------------------------------

typedef struct test_case {
    const char *name, *folder; ///< folder of the gallery, or
    zn_model *(*build)(double e);
    const char *overrides[3];
    double      h;
    int         steps;
} test_case;

static zn_model *ball(double e) { return ball_model(1, 0, e); }
static zn_model *oscillator(double e) { return oscillator_model(1, 0, 0.2, e); }
static zn_model *bar(double e) { return bar_model(30, 5.3e-6, e); }
static zn_model *block(double e)
{
    block_case c = paper_block();
    c.e = e;
    return block_model(c);
}

static const test_case cases[] = {
    {"ball", NULL, ball, {0}, 0.00713, 500},
    {"oscillator", NULL, oscillator, {0}, 0.0317, 120},
    {"block", NULL, block, {0}, 2.3e-3, 700},
    {"bar", NULL, bar, {0}, 2e-6, 300},
    {"slider-crank", "slider-crank", NULL, {"mu=0"}, 1e-4, 300},
    {"slider-crank, friction", "slider-crank", NULL, {"mu=0.01"}, 1e-4, 300},
    {"bodies", "slider-crank-bodies", NULL, {"mu=0"}, 1e-4, 300},
    {"bodies, friction", "slider-crank-bodies", NULL, {"mu=0.01"}, 1e-4, 300},
    {"rod, friction", "rocking-rod", NULL, {"h2=0.4"}, 1.3e-3, 230},
    {"sphere, friction", "bouncing-sphere", NULL, {"mu=0.3"}, 1.3e-2, 100},
};

enum { CASES = sizeof cases / sizeof *cases };

/// False when the scheme refuses the model. The trapezoidal rule has no impact law: e = 0.
static bool open_case(const test_case *c, const member *m, gallery_rig *g)
{
    bool        plastic = strcmp(m->scheme, "trapezoidal") == 0;
    const char *overrides[] = {c->overrides[0], plastic ? "e=0" : "e=0.4", NULL};
    if (!m->friction && strstr(c->name, "friction"))
        return false;
    *g = (gallery_rig){0};
    if (c->folder)
        *g = gallery_open(c->folder, overrides, def_of(m));
    else
        g->r = rig_open(c->build(plastic ? 0 : 0.5), def_of(m));
    return true;
}

static void close_case(gallery_rig *g)
{
    if (g->problem)
        gallery_close(g);
    else
        rig_close(&g->r);
}

// --- the ledger ----------------------------------------------------------------------------------

static void check_closure(const test_case *c, const member *m)
{
    gallery_rig g;
    if (!open_case(c, m, &g))
        return;
    double stored = energy_of(&g.r), start = stored, entered = 0, worst = 0, size = 0;
    bool   touched = false;
    for (int k = 0; k < c->steps; k++) {
        rig_step(&g.r, c->h);
        const double *ledger = g.r.info.ledger;
        stored = 0;
        for (int i = 0; i < ZN_LEDGER_LINES; i++)
            *(i < ZN_LEDGER_STORED ? &stored : &entered) += ledger[i];
        size = fmax(size,
                    fabs(ledger[ZN_LEDGER_KINETIC]) + fabs(ledger[ZN_LEDGER_STRAIN]) + fabs(ledger[ZN_LEDGER_GRAVITY]));
        worst = fmax(worst, fabs(stored - start - entered) / size);
        CHECK_NEAR(stored, energy_of(&g.r), 1e-12 * size); // the state agrees with the ledger
        touched |= g.r.info.active > 0;
    }
    print_message("%-23s %-20s theta %.1f: closes to %.1e\n", c->name, m->label, m->theta, worst);
    assert_true(touched);
    CHECK_BELOW(worst, 1e-10);
    close_case(&g);
}

static void test_ledgers_close(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int m = 0; m < MEMBERS; m++)
            check_closure(&cases[i], &family[m]);
}

// --- failed steps --------------------------------------------------------------------------------

// Lets the next step of `r` fail in every place, then goes back to before it; `twin` makes the step, and never fails.
// Where Newton's method begins with what is foreseen the step begins anew instead, and says so.
static void fail_everywhere(rig *r, rig *twin, double h, bool foresees)
{
    zn_state *old = NULL;
    double    history[FIXTURE_MAX] = {0}, now[FIXTURE_MAX] = {0}, after[FIXTURE_MAX] = {0};
    int       size = zn_scheme_history_size(r->scheme), failed = 0, anew = 0, n = 0;
    assert_true(size <= FIXTURE_MAX && size > 0); // at least how they solve
    CHECK_OK(zn_state_create(r->sys, &old));
    zn_state_copy(r->sys, r->state, old);
    zn_scheme_history_save(r->scheme, history);
    rig_step(twin, h);
    zn_scheme_history_save(twin->scheme, after);
    for (bool fired = true; fired;) {
        zn_step_info info;
        zn_fault_inject(++n);
        zn_status status = zn_scheme_step(r->scheme, r->state, h, &info);
        fired = zn_fault_is_spent();
        zn_fault_inject(0);
        anew += fired && status == ZN_OK && info.failed_solves > 0;
        if (status != ZN_OK) {
            failed++;
            assert_true(status > 0 && info.failed != NULL);
            check_same_state(r->sys, r->state, old);
            zn_scheme_history_save(r->scheme, now);
            CHECK_SAME_BITS(now, history, size);
            rig_step(r, h); // as if it had never failed
        }
        if (status != ZN_OK || !fired) { // otherwise a bad trial of the line search, mended
            check_same_state(r->sys, r->state, twin->state);
            zn_scheme_history_save(r->scheme, now);
            CHECK_SAME_BITS(now, after, size);
        }
        zn_state_copy(r->sys, old, r->state);
        CHECK_OK(zn_scheme_history_load(r->scheme, history, size));
        assert_true(n < 10000);
    }
    assert_true(failed >= 4 || (foresees && failed + anew >= 4));
    zn_state_destroy(old);
}

// Is the history of nothing but how it solves?
static bool may_forget(const member *m)
{
    return strncmp(m->scheme, "nsga", 4) != 0 && strcmp(m->scheme, "schatzman_paoli") != 0;
}

static void forget(rig *r, const double *history)
{
    CHECK_OK(zn_scheme_history_load(r->scheme, history, zn_scheme_history_size(r->scheme)));
}

// Two runs have equal bits, though the steps of one fail now and then: the first; in flight; around and after impacts.
// In each of these places with what is known by then, and once more without it.
static void check_failures(const test_case *c, const member *m)
{
    gallery_rig g, twin;
    double      nothing[FIXTURE_MAX] = {0};
    if (!open_case(c, m, &g))
        return;
    open_case(c, m, &twin);
    zn_scheme_history_save(g.r.scheme, nothing);
    for (int k = 0; k <= 291; k++) {
        bool foresees = k == 0 || k == 7 || k == 150 || k == 290;
        bool forgets = may_forget(m) && (k == 8 || k == 151 || k == 291);
        if (forgets) {
            forget(&g.r, nothing);
            forget(&twin.r, nothing);
        }
        if (foresees || forgets)
            fail_everywhere(&g.r, &twin.r, c->h, foresees);
        else
            rig_step(&twin.r, c->h);
        rig_step(&g.r, c->h);
        check_same_state(g.r.sys, g.r.state, twin.r.state);
    }
    close_case(&g);
    close_case(&twin);
}

static void test_failed_steps_change_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int m = 0; m < MEMBERS; m++)
            check_failures(&cases[i], &family[m]);
}

// --- equal bits ----------------------------------------------------------------------------------

// A second scheme object continues from a copy of state and history; both go on through the same bits.
static void check_continued(const test_case *c, const member *m)
{
    gallery_rig g;
    if (!open_case(c, m, &g))
        return;
    for (int k = 0; k < c->steps; k++) {
        if (k % 60 == 30) {
            zn_scheme_def def = def_of(m);
            rig           copy = {.model = g.r.model, .sys = g.r.sys};
            double        history[FIXTURE_MAX], other[FIXTURE_MAX];
            int           size = zn_scheme_history_size(g.r.scheme);
            CHECK_OK(zn_scheme_create(&def, g.r.sys, &copy.scheme));
            CHECK_OK(zn_state_create(g.r.sys, &copy.state));
            zn_state_copy(g.r.sys, g.r.state, copy.state);
            zn_scheme_history_save(g.r.scheme, history);
            CHECK_STATUS(zn_scheme_history_load(copy.scheme, history, size + 1), ZN_ERR_ARGUMENT);
            CHECK_OK(zn_scheme_history_load(copy.scheme, history, size));
            zn_scheme_history_save(copy.scheme, other);
            CHECK_SAME_BITS(history, other, size);
            for (int j = 0; j < 25 && k < c->steps; j++, k++) {
                rig_step(&g.r, c->h);
                rig_step(&copy, c->h);
                check_same_state(g.r.sys, g.r.state, copy.state);
                CHECK_SAME_BITS(g.r.info.ledger, copy.info.ledger, ZN_LEDGER_LINES);
            }
            zn_state_destroy(copy.state);
            zn_scheme_destroy(copy.scheme);
        }
        rig_step(&g.r, c->h);
    }
    close_case(&g);
}

static void test_continued_runs_are_equal(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int m = 0; m < MEMBERS; m++)
            check_continued(&cases[i], &family[m]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ledgers_close),
        cmocka_unit_test(test_failed_steps_change_nothing),
        cmocka_unit_test(test_continued_runs_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
