// What the links of multirate do to waves. Seen from the fine part, forces that change within a coarse step meet the
// response R = gamma H (M + beta H^2 K)^-1 without memory: a dashpot. For a long bar it is 1/z but for a factor, with z
// the impedance of the bar, so that waves shorter than a coarse step leave the fine part without reflection, and the
// links take their energy; long ones pass.
#include "multirate_models.h"
#include "system/system.h"

// R z = gamma / sqrt(beta (1 + s^2)) for a half-infinite bar of lumped elements l, s = l/(2 sqrt(beta) c H): from
// u_i = u_0 r^i with r + 1/r = 2 + l^2/(beta c^2 H^2).
static void test_matched_impedance(void **test)
{
    (void)test;
    enum { N = 120 };
    static double history[4096];
    const int     ratio[] = {1, 2, 4, 8};
    for (int i = 0; i < 8; i++) {
        bar_case      c = {.elements = N, .speed = 1, .gap = 0.001, .mass = ZN_MASS_LUMPED};
        zn_scheme_def def = parts("rod[0:10]", ratio[i % 4]);
        def.beta = i < 4 ? 0.25 : 0.4;
        def.gamma = i < 4 ? 0.5 : 0.6;
        rig    r = rig_open(bar_of(c), def);
        double h = 0.9 / N;
        int    steps = (20 + ratio[i % 4]) / ratio[i % 4] * ratio[i % 4]; // the wave of the impact is at the links
        assert_true(zn_scheme_history_size(r.scheme) <= 4096);
        for (int k = 0; k < steps; k++)
            rig_step(&r, h);
        zn_scheme_history_save(r.scheme, history);
        history_map map = map_history(history, false); // the link is the first degree of freedom of the fine part
        double      link = history[map.link], s = 1 / (2 * sqrt(def.beta) * 0.9 * ratio[i % 4]);
        double      R = (history[map.free] - history[map.v[0]]) / link;
        assert_true(fabs(link) > 1e-3);
        CHECK_NEAR(R, def.gamma / sqrt(def.beta * (1 + s * s)), 1e-9);
        rig_close(&r);
    }
}

typedef struct passage {
    double left, lost; // energy in the fine half, and taken by the links, of that of the pulse
} passage;

// A pulse (1 - cos)/2 of `length` runs from the fine half of a bar into the coarse one and is well inside.
static passage send_pulse(double length, int ratio)
{
    enum { N = 800, HALF = 500 };
    bar_case c = {.elements = N, .gap = -1, .mass = ZN_MASS_LUMPED};
    rig      r = rig_open(bar_of(c), parts("rod[0:500]", ratio));
    double   h = 0.5 / N, end = 0.55, lost = 0, left = 0;
    for (int i = 0; i <= N; i++) {
        double x = (double)i / N - 0.3, s = x / length, inside = s > 0 && s < 1;
        double slope = inside ? 1e-3 * 3.14159265358979 / length * sin(6.28318530717959 * s) : 0;
        r.state->q[2 * i] = inside ? 1e-3 * 0.5 * (1 - cos(6.28318530717959 * s)) : 0;
        r.state->v[i] = -slope; // to the right with speed 1
    }
    CHECK_OK(zn_state_update(r.sys, r.state));
    double start = energy_of(&r);
    for (int k = 0; k * h < end; k++) {
        rig_step(&r, h);
        lost -= r.info.ledger[ZN_LEDGER_INTERFACE];
    }
    for (int i = 0; i < HALF; i++) {
        double stretch = r.state->q[2 * i + 2] - r.state->q[2 * i], v = r.state->v[i];
        left += 0.5 * v * v / N + 0.5 * stretch * stretch * N;
    }
    rig_close(&r);
    return (passage){left / start, lost / start};
}

static void test_pulses(void **test)
{
    (void)test;
    const struct {
        int    ratio;
        double length, least, most; // lost
    } list[] = {
        {160, 0.05, 0.99, 1.001}, {40, 0.05, 0.95, 1}, {20, 0.05, 0.3, 0.5}, {10, 0.05, 0.1, 0.2}, {1, 0.05, 0, 2e-3}};
    for (int i = 0; i < 5; i++) {
        passage p = send_pulse(list[i].length, list[i].ratio);
        print_message("pulse of %5.1f coarse steps: %6.3f %% reflected, %6.3f %% taken by the links\n",
                      list[i].length * 1600 / list[i].ratio, 100 * p.left, 100 * p.lost);
        CHECK_BELOW(p.left, 1e-3);
        assert_true(p.lost >= list[i].least && p.lost <= list[i].most);
    }
}

// What is lost is a matter of length over coarse step alone, and of second order in it.
static void test_order(void **test)
{
    (void)test;
    double lost = send_pulse(0.05, 10).lost;
    CHECK_NEAR(send_pulse(0.2, 40).lost / lost, 1, 0.02);
    CHECK_NEAR(send_pulse(0.2, 20).lost / lost, 0.25, 0.02);
    CHECK_NEAR(send_pulse(0.2, 10).lost / lost, 0.0625, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_matched_impedance), cmocka_unit_test(test_pulses),
                                       cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
