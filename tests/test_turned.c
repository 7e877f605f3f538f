// The line "constraint energy" of the certificate: what joints and lasting contacts take only because their directions
// turn within steps. A point that turns at w about the origin, held by a rod or by the wall of a hole, loses the part
// x/(1 + x), x = (w h)^2, of its kinetic energy in each step (docs/theory/energy-ledger.md).
#include "parsed_run.h"

static run begin(const char *text, const char *scheme, double step)
{
    run r = parse_run(text);
    take_scheme(&r, scheme);
    r.problem->sim.step = step;
    return start_run(r);
}

#define POINT "zeno: 1\nplanar: true\nbodies:\n  p: {mass: 2, position: [0.5, 0], velocity: [0, 0.5]}\n"
#define RUN   "run: {step: 1e-2, until: 1}\n"

static const char rod[] = POINT "joints: {r: {type: rod, body: p, to: ground}}\n" RUN;
static const char hole[] = POINT "contacts: {c: {point: p, surface: {hole: 0.5}}}\n" RUN;

// w = 1. The contact of the hole is closed from the start on.
static void test_point(void **state)
{
    (void)state;
    static const char *const model[] = {rod, hole};
    const double             step[] = {0.1, 0.01, 0.001};
    for (int m = 0; m < 2; m++)
        for (int s = 0; s < 3; s++) {
            run                   r = begin(model[m], "combined_projection", step[s]);
            const zn_certificate *c = zn_sim_certificate(r.sim);
            double                begin_energy = 0.25, energy = begin_energy, sum = 0;
            for (int i = 0; i < (int)lround(1 / step[s]); i++) {
                double w2 = energy / 0.25, x = w2 * step[s] * step[s];
                CHECK_OK(zn_sim_step(r.sim));
                const zn_step_info *info = zn_sim_last_step(r.sim);
                CHECK_NEAR(info->turned_work, -energy * x / (1 + x), 1e-10 * energy * x);
                energy = info->ledger[ZN_LEDGER_KINETIC];
                sum += info->turned_work;
            }
            CHECK_NEAR(sum, energy - begin_energy, 1e-12);
            CHECK_NEAR(c->constraint.value * c->energy_moved, begin_energy - energy, 1e-12);
            CHECK_NEAR(c->energy_changed, begin_energy - energy, 1e-12);
            assert_int_equal(zn_certificate_is_turned(c), s < 2); // 9 %, 1 % and all that changed, 0.1 %
            assert_int_equal(judge(&r), 0);
            assert_int_equal(messages.count, s < 2);
            if (s < 2)
                CHECK_LOGGED(&messages, "constraint energy: joints and contacts that stay closed took or gave");
            r.problem->sim.limits.constraint = 0.5 * c->constraint.value;
            assert_int_equal(judge(&r), 1);
            CHECK_LOGGED(&messages, "limit broken: constraint energy");
            end(&r);
        }
}

// moreau_jean loses the same to leading order, as its positions drift; nsga, whose smooth motion holds joints but not
// contacts, the same in the hole and a thousand times less on the rod.
static void test_other_schemes(void **state)
{
    (void)state;
    static const struct {
        const char *model, *scheme;
        double      part; // of what combined_projection loses
    } all[] = {{rod, "moreau_jean", 1}, {hole, "moreau_jean", 1}, {hole, "nsga", 1}, {rod, "nsga", 0}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        run                   r = begin(all[k].model, all[k].scheme, 1e-3);
        const zn_certificate *c = zn_sim_certificate(r.sim);
        for (int i = 0; i < 1000; i++)
            CHECK_OK(zn_sim_step(r.sim));
        CHECK_NEAR(c->constraint.value, all[k].part * 1e-3, 1e-5);
        end(&r);
    }
}

// A drive keeps the speed: it gives what the pin takes, and only the latter is a loss.
static void test_driven(void **state)
{
    (void)state;
    static const char text[] = "zeno: 1\n"
                               "planar: true\n"
                               "bodies:\n"
                               "  p: {mass: 2, inertia: 0.1, position: [0.5, 0], velocity: [0, 0.5], spin: 1}\n"
                               "joints:\n"
                               "  j: {type: revolute, body: p, at: [-0.5, 0]}\n"
                               "  m: {type: motion, body: p, angle: t}\n"
                               "run: {step: 1e-2, until: 1}\n";
    const double      h = 1e-2;
    run               r = begin(text, "combined_projection", h);
    for (int i = 0; i < 100; i++) {
        CHECK_OK(zn_sim_step(r.sim));
        const zn_step_info *info = zn_sim_last_step(r.sim);
        CHECK_NEAR(info->turned_work, -0.25 * h * h, 1e-2 * 0.25 * h * h);
        CHECK_NEAR(info->ledger[ZN_LEDGER_JOINT], 0, 1e-12);
    }
    CHECK_NEAR(zn_sim_certificate(r.sim)->constraint.value * 0.3, 100 * 0.25 * h * h, 3e-5);
    end(&r);
}

// What a machine loses so in a long run is soon more than what moves in it. Beside what its drive does against friction
// it is little, and nobody is warned; without friction it is all that the drive does.
static void test_throughput(void **state)
{
    (void)state;
    static const char        text[] = "zeno: 1\n"
                                      "planar: true\n"
                                      "bodies:\n"
                                      "  p: {mass: 2, inertia: 0.1, position: [0.5, 0], velocity: [0, 5], spin: 10}\n"
                                      "joints:\n"
                                      "  j: {type: revolute, body: p, at: [-0.5, 0], angle: 10*t, damping: %s}\n"
                                      "run: {step: 1e-3, until: 2}\n";
    static const char *const damping[] = {"0", "50"};
    char                     model[1024];
    for (int damped = 0; damped < 2; damped++) {
        snprintf(model, sizeof model, text, damping[damped]);
        run                   r = begin(model, "moreau_jean", 1e-3);
        const zn_certificate *c = zn_sim_certificate(r.sim);
        for (int i = 0; i < 2000; i++)
            CHECK_OK(zn_sim_step(r.sim));
        CHECK_NEAR(c->constraint.value * c->energy_moved, 2 * 25.0 * 100 * 1e-3, 0.1); // 25 J at 10 rad/s, for 2 s
        assert_true(c->constraint.value > ZN_TURNED_AT_ALL);
        assert_int_equal(zn_certificate_is_turned(c), !damped);
        end(&r);
    }
}

// Where bodies meet, directions that turn are their approach: a corner that comes down on the floor without restitution
// takes the energy of its approach, and nothing of that is the step's doing.
static void test_impact(void **state)
{
    (void)state;
    static const char text[] =
        "zeno: 1\n"
        "planar: true\n"
        "bodies:\n"
        "  p: {mass: 2, inertia: 0.1, position: [0, 0.51], angle: 0.3, velocity: [0.2, -1], spin: 3}\n"
        "contacts: {c: {point: p, at: [-0.4, -0.3], surface: {plane: [0, 1]}}}\n"
        "run: {step: 1e-2, until: 1}\n";
    static const char *const scheme[] = {"moreau_jean", "combined_projection", "nsga"};
    for (int s = 0; s < 3; s++) {
        run r = begin(text, scheme[s], 1e-2);
        int impacts = 0;
        for (int i = 0; i < 60 && impacts == 0; i++) {
            CHECK_OK(zn_sim_step(r.sim));
            const zn_step_info *info = zn_sim_last_step(r.sim);
            impacts += info->ledger[ZN_LEDGER_CONTACT] < -1e-3;
            CHECK_NEAR(info->turned_work, 0, 0);
        }
        assert_int_equal(impacts, 1);
        end(&r);
    }
}

static void test_not_measured(void **state)
{
    (void)state;
    static const char *const scheme[] = {"newmark", "cd_lagrange", "energy_momentum", "schatzman_paoli"};
    for (int s = 0; s < 4; s++) {
        run r = begin(rod, scheme[s], 1e-3);
        CHECK_OK(zn_sim_step(r.sim));
        assert_true(isnan(zn_sim_certificate(r.sim)->constraint.value));
        assert_false(zn_certificate_is_turned(zn_sim_certificate(r.sim)));
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_point),  cmocka_unit_test(test_other_schemes),
                                       cmocka_unit_test(test_driven), cmocka_unit_test(test_throughput),
                                       cmocka_unit_test(test_impact), cmocka_unit_test(test_not_measured)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
