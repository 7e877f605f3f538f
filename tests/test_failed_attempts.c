// Steps that were halved, contact problems that took another attempt, and what both cost, in the certificate.
#include "parsed_run.h"

static run begin(const char *text) { return start_run(parse_run(text)); }

// A stiff pendulum at which Newton's method needs more iterations than it may take.
#define SWING(scheme)                                                                                                  \
    "zeno: 1\n"                                                                                                        \
    "planar: true\n"                                                                                                   \
    "gravity: [0, -9.81]\n"                                                                                            \
    "bodies: {m: {mass: 1.3, position: [0.3, 0.8], velocity: [2.4, -0.2]}}\n"                                          \
    "springs: {s: {from: ground, from_at: [-1, 1.7], to: m, stiffness: 900, rest_length: 1.2}}\n"                      \
    "limits: {halved_steps: 0}\n"                                                                                      \
    "run: {scheme: {" scheme ": {newton_iterations: 2}}, step: 0.02, until: 0.4}\n"

static void test_halved(void **state)
{
    (void)state;
    static const char *const texts[] = {SWING("moreau_jean"), SWING("nsga"), SWING("schatzman_paoli")};
    for (int k = 0; k < 3; k++) {
        run r = begin(texts[k]);
        CHECK_OK(zn_sim_run(r.sim));
        const zn_certificate *c = zn_sim_certificate(r.sim);
        assert_true(c->retries > 0);
        assert_true(c->halved_steps.value == (double)c->retries);
        assert_true(c->steps == 20 + c->retries);            // each halving makes one more
        assert_true(c->failed_iterations >= 2 * c->retries); // all that were allowed
        assert_true(c->halved_steps.time >= 0 && c->halved_steps.time < 0.4);
        assert_int_equal(judge(&r), 1);
        CHECK_LOGGED(&messages, "limit broken: halved steps");
        r.problem->sim.limits.halved_steps = (double)c->retries;
        assert_int_equal(judge(&r), 0);
        end(&r);
    }
}

// Two masses with a stiff spring between them come down on the floor: projected after the velocities a step does not
// converge now and then, together with them it does.
static void test_solves(void **state)
{
    (void)state;
    static const char text[] = "zeno: 1\n"
                               "planar: true\n"
                               "gravity: [0, -9.81]\n"
                               "bodies:\n"
                               "  low: {mass: 1.5, position: [0, 0.5], fixed: [x]}\n"
                               "  high: {mass: 1.5, position: [0, 1.5], fixed: [x]}\n"
                               "springs: {s: {from: low, to: high, stiffness: 2e10}}\n"
                               "contacts: {floor: {point: low, surface: {plane: [0, 1]}, restitution: 0.4}}\n"
                               "limits: {failed_solves: 0, halved_steps: 0}\n"
                               "run: {scheme: direct_projection, step: 1e-3, until: 3}\n";
    run               r = begin(text);
    double            failed = 0;
    int64_t           lost = 0;
    for (int i = 0; i < 3000; i++) {
        CHECK_OK(zn_sim_step(r.sim));
        failed += zn_sim_last_step(r.sim)->failed_solves;
        lost += zn_sim_last_step(r.sim)->failed_iterations;
    }
    const zn_certificate *c = zn_sim_certificate(r.sim);
    assert_true(c->failed_solves.value > 0);
    assert_true(c->failed_solves.value == failed && c->failed_solves.time > 0);
    assert_true(lost > 0 && c->failed_iterations == lost && c->halved_steps.value == 0);
    assert_int_equal(judge(&r), 1);
    CHECK_LOGGED(&messages, "limit broken: failed solves");
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_halved), cmocka_unit_test(test_solves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
