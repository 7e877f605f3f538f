// The energy ledger of nsga: each line by its own formula, also where the mass depends on the configuration; and the
// residual of the equations of motion, which is neither rounding nor hidden by it.
#include "fixtures.h"

#include "zn/io.h"

typedef struct run {
    zn_problem *problem;
    zn_system  *sys;
    zn_sim     *sim;
} run;

static void open_run(run *r, const char *scheme, double tolerance)
{
    r->problem->sim.scheme = zn_scheme_def_default();
    r->problem->sim.scheme.scheme = scheme;
    r->problem->sim.scheme.newton_tolerance = tolerance;
    CHECK_OK(zn_system_create(r->problem->model, &r->sys));
    CHECK_OK(zn_sim_create(r->sys, &r->problem->sim, &r->sim));
}

static run of_gallery(const char *name, const char *scheme, double tolerance)
{
    run  r = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/gallery/%s/model.yaml", ZN_SOURCE_DIR, name);
    CHECK_OK(zn_problem_read(path, 0, NULL, (zn_log){0}, &r.problem));
    open_run(&r, scheme, tolerance);
    return r;
}

static run of_text(const char *text, const char *scheme)
{
    static const char *const none[1];
    run                      r = {0};
    CHECK_OK(zn_problem_parse(text, strlen(text), "model.yaml", 0, none, (zn_log){0}, &r.problem));
    open_run(&r, scheme, 1e-12);
    return r;
}

static void end(run *r)
{
    zn_sim_destroy(r->sim);
    zn_system_destroy(r->sys);
    zn_problem_destroy(r->problem);
}

// The sum of a ledger without one line (-1: with all), over the sizes of all.
static double open_sum(const double *before, const double *sum, int without)
{
    double rest = 0, size = 0;
    for (int i = 0; i < ZN_LEDGER_LINES; i++) {
        double change = i < ZN_LEDGER_STORED ? sum[i] - before[i] : sum[i];
        rest += i == without ? 0 : i < ZN_LEDGER_STORED ? change : -change;
        size += fabs(change);
    }
    return fabs(rest) / size;
}

// A slider-crank in minimal coordinates: kinetic energy changes with M(q), contacts and friction act.
static void test_deleted_lines(void **state)
{
    (void)state;
    static const char *const schemes[] = {"nsga", "nsga_coupled"};
    for (int k = 0; k < 2; k++) {
        run                   r = of_gallery("slider-crank", schemes[k], 1e-12);
        const zn_certificate *c = zn_sim_certificate(r.sim);
        double                before[ZN_LEDGER_LINES];
        memcpy(before, c->ledger, sizeof before);
        for (int i = 0; i < 5000; i++)
            CHECK_OK(zn_sim_step(r.sim));
        CHECK_BELOW(c->closure.value, 1e-11);
        CHECK_BELOW(open_sum(before, c->ledger, -1), 1e-11);
        const zn_ledger_line lines[] = {ZN_LEDGER_KINETIC, ZN_LEDGER_STRAIN, ZN_LEDGER_CONTACT, ZN_LEDGER_FRICTION,
                                        ZN_LEDGER_NUMERICAL};
        for (int l = 0; l < 5; l++)
            assert_true(open_sum(before, c->ledger, lines[l]) > 1e-6);
        end(&r);
    }
}

// Equations that are solved badly leave a gap: a line that is the rest of the others would fill it.
static void test_closure_sees_what_is_not_solved(void **state)
{
    (void)state;
    run                   r = of_gallery("slider-crank", "nsga", 1e-3);
    const zn_certificate *c = zn_sim_certificate(r.sim);
    for (int i = 0; i < 5000; i++)
        CHECK_OK(zn_sim_step(r.sim));
    assert_true(c->newton.value > 1e-9);
    assert_true(c->closure.value > 1e-9);
    end(&r);
}

// --- the residual of the equations of motion -----------------------------------------------------

// A ball that rolls and spins: in every step its angular momentum stays, all terms of that equation are rounding.
static void test_rolling(void **state)
{
    (void)state;
    static const char        text[] = "zeno: 1\n"
                                      "gravity: [0, 0, -9.81]\n"
                                      "bodies:\n"
                                      "  ball: {mass: 0.31, inertia: 2/5*0.31*0.04^2, position: [0, 0, 0.04],\n"
                                      "         velocity: [0.7, 0.2, 0], spin: [0, 0, 31], sphere: 0.04}\n"
                                      "shapes: {bed: {plane: [0, 0, 1]}}\n"
                                      "contacts: {table: {between: [ball], against: [bed], friction: 0.25}}\n"
                                      "run: {scheme: moreau_jean, step: 3e-4, until: 0.6}\n";
    static const char *const schemes[] = {"moreau_jean", "direct_projection", "combined_projection", "nsga"};
    for (int k = 0; k < 4; k++) {
        run r = of_text(text, schemes[k]);
        CHECK_OK(zn_sim_run(r.sim));
        // it rolls: the velocity is 5/7 of what it was
        CHECK_NEAR(zn_sim_state(r.sim)->v[0], 0.7 * 5 / 7, 3e-4 * 0.25 * 9.81); // up to a step of sliding
        CHECK_BELOW(zn_sim_certificate(r.sim)->newton.value, 1e-12);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_deleted_lines),
                                       cmocka_unit_test(test_closure_sees_what_is_not_solved),
                                       cmocka_unit_test(test_rolling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
