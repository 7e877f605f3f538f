// A box on four corners that touches down, rocks and comes to rest on a rough floor, with every scheme that knows
// friction: no failed step, Coulomb's law to the tolerance, the ledger closes, the box lies flat, and then it stays
// where it is. A flat box on four corners has more sticking equations than velocities, and while it is tilted they
// contradict each other.
#include "fixtures.h"
#include "zn/io.h"

typedef struct box {
    double friction, restitution, tilt, step;
} box;

// Flat on the floor its centre is 0.1 high. Thrown sideways and spinning.
static zn_problem *make_box(const char *scheme, zn_forecast forecast, box b)
{
    char        text[2048], *end = text + sizeof text, *at = text;
    zn_problem *p = NULL;
    at += snprintf(
        at, (size_t)(end - at),
        "zeno: 1\ngravity: [0, 0, -9.81]\n"
        "bodies: {box: {mass: 3, inertia: [0.05, 0.1, 0.13], position: [0, 0, %.17g], velocity: [0.5, 0.2, 0],\n"
        "    rotation: {axis: [1, 0.7, 0], angle: %.17g}, spin: [0.1, 0.2, 1]}}\ncontacts:\n",
        0.101 + 0.5 * b.tilt, b.tilt);
    for (int c = 0; c < 4; c++)
        at += snprintf(at, (size_t)(end - at),
                       "  c%d: {point: box, at: [%g, %g, -0.1], surface: {plane: [0, 0, 1]}, restitution: %.17g, "
                       "friction: %.17g}\n",
                       c, c % 2 ? 0.3 : -0.3, c / 2 ? 0.2 : -0.2, b.restitution, b.friction);
    snprintf(at, (size_t)(end - at), "run: {step: %.17g, until: 1}\n", b.step);
    CHECK_OK(zn_problem_parse(text, strlen(text), "box.yaml", 0, NULL, (zn_log){0}, &p));
    p->sim.scheme.scheme = scheme;
    p->sim.scheme.forecast = forecast;
    return p;
}

// The configuration at t = `until` (7 numbers: the position and a unit quaternion).
static void run_box(const char *scheme, zn_forecast forecast, box b, double until, bool rests, double *q)
{
    zn_problem *p = make_box(scheme, forecast, b);
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    p->sim.until = until;
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    if (zn_sim_run(sim) != ZN_OK || zn_sim_certificate(sim)->retries > 0)
        fail_msg("%s: friction %g, restitution %g, tilt %g, step %g: %d steps repeated", scheme, b.friction,
                 b.restitution, b.tilt, b.step, (int)zn_sim_certificate(sim)->retries);
    CHECK_BELOW(zn_sim_certificate(sim)->complementarity.value, 1e-12);
    CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-11);
    const zn_state *end = zn_sim_state(sim);
    for (int i = 0; i < 6 && rests; i++) // within the tolerance of the friction solver: 1e-12 of some g h, over a lever
        CHECK_NEAR(end->v[i], 0, 10 * 9.81 * b.step * 1e-12 / 0.1);
    memcpy(q, end->q, 7 * sizeof *q);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
}

static const box boxes[] = {{0.3, 0.1, 0.02, 1e-2}, {0.6, 0.1, 0.3, 1e-2},  {0.9, 0.1, 0.002, 1e-2},
                            {0.9, 0.3, 0.1, 5e-3},  {0.6, 0.5, 0.02, 5e-3}, {1.5, 0.5, 1e-4, 1e-2}};
enum { BOXES = sizeof boxes / sizeof *boxes };

// `flat`: how far from its height the box may lie; schemes at velocity level leave what it entered the floor by.
static void check_rest(const char *scheme, zn_forecast forecast, double flat)
{
    for (int k = 0; k < BOXES; k++) {
        double early[7], late[7];
        run_box(scheme, forecast, boxes[k], 1.5, true, early);
        run_box(scheme, forecast, boxes[k], 3.5, true, late);
        CHECK_NEAR(early[2], 0.1, flat);
        for (int i = 0; i < 7; i++)
            CHECK_NEAR(late[i], early[i], 2 * 10 * 9.81 * boxes[k].step * 1e-12);
    }
}

static void moreau_jean(void **state)
{
    (void)state;
    check_rest("moreau_jean", ZN_FORECAST_EXPLICIT, 2e-2);
    check_rest("moreau_jean", ZN_FORECAST_FREE, 1e-2);
}

static void projected(void **state)
{
    (void)state;
    check_rest("combined_projection", ZN_FORECAST_EXPLICIT, 1e-12);
    double q[7];
    for (int k = 0; k < BOXES; k++) // it chatters for ever
        run_box("direct_projection", ZN_FORECAST_EXPLICIT, boxes[k], 1.5, false, q);
}

static void nsga(void **state)
{
    (void)state;
    check_rest("nsga", ZN_FORECAST_EXPLICIT, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau_jean),
        cmocka_unit_test(projected),
        cmocka_unit_test(nsga),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
