// Ropes of light links under a heavy load: the forces of the joints turn the links much faster than inertia resists, so
// that Newton's method needs the curvature of the constraints. The load moves like one on a rod without mass.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixtures.h"
#include "zn/io.h"

static const double length = 1.2, angle = 0.4, load = 80;

// A rope of `links` links of `mass` each that hangs straight at an angle, and its run.
static void write_rope(char *text, size_t size, int links, double mass, const char *scheme, double h, double until)
{
    double l = length / links, inertia = mass * l * l / 12;
    int    at = snprintf(text, size, "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nbodies:\n");
    for (int i = 0; i < links; i++)
        at += snprintf(text + at, size - (size_t)at,
                       "  b%d: {mass: %g, inertia: %.17g, position: [%.17g, %.17g], angle: %g}\n", i, mass, inertia,
                       (i + 0.5) * l * sin(angle), -(i + 0.5) * l * cos(angle), angle);
    at += snprintf(text + at, size - (size_t)at, "  load: {mass: %g, position: [%.17g, %.17g]}\njoints:\n", load,
                   length * sin(angle), -length * cos(angle));
    for (int i = 0; i < links; i++) {
        char to[64] = "";
        if (i > 0)
            snprintf(to, sizeof to, ", to: b%d, to_at: [0, %.17g]", i - 1, -l / 2);
        at += snprintf(text + at, size - (size_t)at, "  j%d: {type: revolute, body: b%d, at: [0, %.17g]%s}\n", i, i,
                       l / 2, to);
    }
    at += snprintf(text + at, size - (size_t)at, "  hook: {type: revolute, body: load, to: b%d, to_at: [0, %.17g]}\n",
                   links - 1, -l / 2);
    snprintf(text + at, size - (size_t)at, "run: {scheme: %s, step: %g, until: %g}\n", scheme, h, until);
}

typedef struct outcome {
    double x, y;
    double iterations; // of Newton, per step
    int    steps, failed;
} outcome;

static outcome run(const char *text)
{
    zn_problem *p = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    CHECK_OK(zn_problem_parse(text, strlen(text), "rope.yaml", 0, NULL, (zn_log){0}, &p));
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    CHECK_OK(zn_sim_run(sim));
    const zn_certificate *c = zn_sim_certificate(sim);
    const zn_state       *s = zn_sim_state(sim);
    int                   nq = zn_system_get_info(sys).nq;
    outcome o = {s->q[nq - 2], s->q[nq - 1], (double)c->newton_iterations.total / (double)c->steps, (int)c->steps,
                 (int)c->retries};
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
    return o;
}

// Angle of a pendulum of that length after t, by many small steps of a method of fourth order.
static double pendulum(double t)
{
    enum { STEPS = 20000 };
    double a = angle, w = 0, h = t / STEPS, k = -9.81 / length;
    for (int i = 0; i < STEPS; i++) {
        double a1 = w, w1 = k * sin(a), a2 = w + h / 2 * w1, w2 = k * sin(a + h / 2 * a1);
        double a3 = w + h / 2 * w2, w3 = k * sin(a + h / 2 * a2), a4 = w + h * w3, w4 = k * sin(a + h * a3);
        a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    }
    return a;
}

static void check_rope(int links, double mass, const char *scheme, double h, double iterations)
{
    char         text[4096];
    const double until = 0.4;
    write_rope(text, sizeof text, links, mass, scheme, h, until);
    outcome o = run(text);
    print_message("%s, %d links of %g kg, h = %g: %d steps, %d failed, %.1f iterations, off by %.2e m\n", scheme, links,
                  mass, h, o.steps, o.failed, o.iterations,
                  hypot(o.x - length * sin(pendulum(until)), o.y + length * cos(pendulum(until))));
    assert_int_equal(o.failed, 0);
    CHECK_BELOW(o.iterations, iterations);
    CHECK_NEAR(o.x, length * sin(pendulum(until)), 2e-3);
    CHECK_NEAR(o.y, -length * cos(pendulum(until)), 2e-3);
}

static void nsga_swings_heavy_loads_on_light_ropes(void **state)
{
    (void)state;
    check_rope(3, 0.01, "nsga", 4e-3, 12);
    check_rope(6, 0.002, "nsga", 5e-3, 14);
    check_rope(9, 0.001, "nsga", 1e-2, 16);
}

static void newmark_does_too(void **state)
{
    (void)state;
    check_rope(3, 0.01, "newmark", 4e-3, 6);
    check_rope(6, 0.002, "newmark", 5e-3, 7);
}

static void projected_schemes_do_too(void **state)
{
    (void)state;
    check_rope(3, 0.01, "moreau_jean", 2e-3, 8);
    check_rope(6, 0.002, "combined_projection", 2e-3, 10);
    check_rope(6, 0.002, "direct_projection", 2e-3, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nsga_swings_heavy_loads_on_light_ropes),
        cmocka_unit_test(newmark_does_too),
        cmocka_unit_test(projected_schemes_do_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
