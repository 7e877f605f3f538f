// Two bars that hit each other, against the solution of the wave equation: exact at CFL = 1, orders in time and space
// with the mesh tied to the step.
#include "gallery_fixtures.h"
#include "system/system.h"

static const double young = 2.1e11, density = 7847, area = 0.645e-3, length = 0.254, speed = 5, gap = 0.2e-3;

static double wave_speed(void) { return sqrt(young / density); }

static gallery_rig open_bars(int elements, zn_scheme_def def)
{
    char        N[32];
    const char *set[2] = {N, NULL};
    snprintf(N, sizeof N, "N=%d", elements);
    return gallery_open("two-bars", set, def);
}

// Node 0 of the right bar.
static double place_of(const gallery_rig *g, double *v)
{
    int node = zn_model_find_node(g->r.sys->model, "right[0]").value - 1;
    *v = g->r.state->v[g->r.sys->layout.node[node].dof[0]];
    return g->r.sys->layout.node[node].origin.x + g->r.state->q[g->r.sys->layout.node[node].q];
}

// --- the mesh carries waves without dispersion ------------------------------------------------------

// Half the plateau stops the nodes, then 2 N - 1 steps of the plateau, A sqrt(E rho) v, to the last digits: contact
// lasts 2 L/c. The bars leave with the speed they had; the impulse is short of 2 m v by that of half a node, 1/(4N).
static void test_exact_at_the_limit(void **test)
{
    (void)test;
    for (int N = 5; N <= 80; N *= 2) {
        double      h = length / N / wave_speed(), force = area * sqrt(young * density) * speed, sum = 0, v;
        gallery_rig g = open_bars(N, scheme_named("cd_lagrange", 0.5));
        int         closed = -1;
        for (int k = 1; k * h < 2e-4; k++) {
            rig_step(&g.r, h);
            double P = impulse_of(&g.r, 0);
            sum += P;
            place_of(&g, &v);
            if (closed < 0 && P > 0)
                closed = k;
            int    since = closed < 0 ? -1 : k - closed;
            double expected = since < 0 || since >= 2 * N ? 0 : since == 0 ? 0.5 : 1;
            CHECK_NEAR(P / (force * h), expected, 1e-10);
            CHECK_NEAR(v / speed, since < 0 ? -1 : since == 0 ? -0.5 : since <= 2 * N ? 0 : 1, 1e-10);
        }
        assert_true(closed * h >= gap / (2 * speed) && (closed - 1) * h < gap / (2 * speed));
        CHECK_NEAR(sum / (2 * density * area * length * speed), 1 - 1.0 / (4 * N), 1e-11);
        gallery_close(&g);
    }
}

// --- orders -----------------------------------------------------------------------------------------

typedef struct errors {
    double x, v; // relative, in l1, as in the appendix of the paper
} errors;

static errors errors_of(int N, double cfl, zn_scheme_def def)
{
    double h = cfl * length / N / wave_speed(), close = gap / (2 * speed), open = close + 2 * length / wave_speed();
    double ex = 0, ev = 0, sx = 0, sv = 0;
    gallery_rig g = open_bars(N, def);
    for (int k = 1; k * h < 2e-4; k++) {
        double t = k * h, v, exact_v = t < close ? -speed : t < open ? 0 : speed;
        double exact = t < close ? gap - speed * t : t < open ? gap / 2 : gap / 2 + speed * (t - open);
        rig_step(&g.r, h);
        ex += fabs(place_of(&g, &v) - exact);
        ev += fabs(v - exact_v);
        sx += fabs(exact);
        sv += fabs(exact_v);
    }
    gallery_close(&g);
    return (errors){ex / sx, ev / sv};
}

typedef struct orders {
    double x, v;
} orders;

static orders orders_of(double cfl, zn_scheme_def def, const char *name)
{
    slope_fit x = {0}, v = {0};
    for (int N = 20; N <= 320; N *= 2) {
        errors e = errors_of(N, cfl, def);
        slope_add(&x, 1.0 / N, e.x);
        slope_add(&v, 1.0 / N, e.v);
    }
    print_message("%s, CFL %g: order %.2f in displacement, %.2f in velocity\n", name, cfl, slope_of(&x), slope_of(&v));
    return (orders){slope_of(&x), slope_of(&v)};
}

// Waves disperse below CFL = 1, velocities ring behind the front: 1/2 instead of 1. The implicit scheme smears fronts
// over sqrt(h): 1/2.
static void test_orders(void **test)
{
    (void)test;
    zn_scheme_def moreau = scheme_named("moreau_jean", 1);
    moreau.gamma = 0.5;
    orders limit = orders_of(1, scheme_named("cd_lagrange", 0.5), "cd_lagrange");
    orders below = orders_of(0.8, scheme_named("cd_lagrange", 0.5), "cd_lagrange");
    orders implicit = orders_of(1, moreau, "moreau_jean");
    CHECK_NEAR(limit.x, 1, 0.15);
    CHECK_NEAR(limit.v, 1, 0.05);
    CHECK_NEAR(below.x, 1.1, 0.2);
    CHECK_NEAR(below.v, 0.45, 0.1);
    CHECK_NEAR(implicit.x, 0.5, 0.15);
    CHECK_NEAR(implicit.v, 0.6, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact_at_the_limit), cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
