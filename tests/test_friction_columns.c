// Columns of equal masses on the floor, each resting on the one below: closed forms, and how the number of sweeps grows
// with the height.
#include <stdlib.h>

#include "check.h"
#include "zn/friction.h"

enum { HEIGHT = 160 };

// Unit masses move by (v, -1) before the impulses. Contact k is below mass k, three rows: W couples it with its
// neighbours.
typedef struct column {
    zn_fc_problem p;
    zn_fc_matrix  W;
    int           first[HEIGHT + 1], start[3 * HEIGHT + 1], columns[9 * HEIGHT];
    double        value[9 * HEIGHT], q[3 * HEIGHT], mu[HEIGHT];
} column;

static column *make_column(int height, double mu, double vx, double vy)
{
    column *s = calloc(1, sizeof *s);
    int     entry = 0;
    assert_non_null(s);
    for (int k = 0; k < height; k++) {
        s->first[k] = 3 * k;
        s->mu[k] = mu;
        for (int i = 0; i < 3; i++) {
            s->start[3 * k + i] = entry;
            for (int o = k - 1; o <= k + 1; o++) {
                if (o < 0 || o >= height)
                    continue;
                s->columns[entry] = 3 * o + i;
                s->value[entry++] = o != k ? -1 : k == 0 ? 1 : 2;
            }
        }
    }
    s->q[0] = -1;
    s->q[1] = vx;
    s->q[2] = vy;
    s->first[height] = 3 * height;
    s->start[3 * height] = entry;
    s->W = (zn_fc_matrix){3 * height, 3 * height, s->start, s->columns, s->value};
    s->p = (zn_fc_problem){3 * height, 0, height, s->first, NULL, s->q, s->mu, &s->W, NULL};
    return s;
}

static zn_fc_info solve(const column *s, const char *solver, double tolerance, double *r)
{
    zn_fc_workspace *workspace;
    zn_fc_settings   settings = zn_fc_settings_default();
    zn_fc_info       info;
    double           u[3 * HEIGHT];
    settings.solver = solver;
    settings.tolerance = tolerance;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    CHECK_OK(zn_fc_solve(&s->p, &settings, workspace, r, u, &info));
    zn_fc_workspace_destroy(workspace);
    assert_true(zn_fc_residual(&s->p, r) <= tolerance);
    return info;
}

// Contact k carries the masses above it and stops them, or drags them as friction allows: r = (height - k) (1, -w) with
// w = v in the disk of radius mu.
static void columns_carry_their_weight(void **state)
{
    (void)state;
    const double mu = 0.3, cases[][4] = {{0, 0, 0, 0}, {0.1, -0.2, 0.1, -0.2}, {0.8, 0.6, 0.24, 0.18}};
    for (int c = 0; c < 3; c++) {
        const int    height = 40;
        const double pi = acos(-1), sums = 4 * height, inverse = 1 / (2 - 2 * cos(pi / (2 * height + 1))); // |W^-1|
        const double near = 1e-12 * sums * inverse; // what the residual allows
        column      *s = make_column(height, mu, cases[c][0], cases[c][1]);
        double       r[3 * HEIGHT] = {0};
        solve(s, "anderson", 1e-12, r);
        for (int k = 0; k < height; k++) {
            CHECK_NEAR(r[3 * k], height - k, near);
            CHECK_NEAR(r[3 * k + 1], -cases[c][2] * (height - k), near);
            CHECK_NEAR(r[3 * k + 2], -cases[c][3] * (height - k), near);
        }
        free(s);
    }
}

static int count_sweeps(int height, const char *solver)
{
    column *s = make_column(height, 0.3, 0.1, -0.2);
    double  r[3 * HEIGHT] = {0};
    int     sweeps = solve(s, solver, 1e-6, r).iterations;
    free(s);
    return sweeps;
}

// Sweeps alone carry an impulse through the column as diffusion does, accelerated ones as conjugate gradients: with the
// second and the first power of the height, less what the residual saves, whose scale are the reactions, ~ height.
static void sweeps_grow_with_the_height(void **state)
{
    (void)state;
    double plain = log((double)count_sweeps(80, "gauss_seidel") / count_sweeps(20, "gauss_seidel")) / log(4);
    double accelerated = log((double)count_sweeps(160, "anderson") / count_sweeps(20, "anderson")) / log(8);
    assert_true(plain > 1.4 && plain < 2.2);
    assert_true(accelerated < 1.2);
    assert_true(10 * count_sweeps(80, "anderson") < count_sweeps(80, "gauss_seidel"));
}

// A warm start that is too large or too small by a factor is found out at once: all contacts stick and W r + q = 0 for
// the right multiple.
static void warm_starts_are_scaled(void **state)
{
    (void)state;
    const double factors[] = {7, 1.5, 0.6};
    const int    height = 100;
    column      *s = make_column(height, 0.3, 0.1, -0.2);
    for (int c = 0; c < 3; c++) {
        double r[3 * HEIGHT] = {0};
        for (int k = 0; k < height; k++) {
            r[3 * k] = factors[c] * (height - k);
            r[3 * k + 1] = factors[c] * -0.1 * (height - k);
            r[3 * k + 2] = factors[c] * 0.2 * (height - k);
        }
        assert_true(solve(s, "anderson", 1e-10, r).iterations <= 4);
        CHECK_NEAR(r[0], height, 1e-6);
    }
    free(s);
}

// A step after the other of a column that stands: what the tolerance leaves of its motion goes away, also where the
// lowest contact slides and the others move along with it. Without `settle` the first answer stays.
static void columns_at_rest_settle(void **state)
{
    (void)state;
    enum { STEPS = 100, LAST = 4 };
    const int        height = 40;
    const double     ways[][2] = {{0.1, -0.2}, {0.8, 0.6}};
    const double     pi = acos(-1), inverse = 1 / (2 - 2 * cos(pi / (2 * height + 1))); // |W^-1|
    zn_fc_workspace *workspace;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    for (int c = 0; c < 2; c++) {
        column        *s = make_column(height, 0.3, ways[c][0], ways[c][1]);
        double         r[3 * HEIGHT] = {0}, u[3 * HEIGHT], moved[2] = {0};
        zn_fc_settings settings = {.solver = "anderson", .tolerance = 1e-4, .measure = ZN_FC_MEASURE_FCLIB};
        zn_fc_info     info = {0};
        for (int step = 0; step <= STEPS; step++) {
            settings.settle = step > 0;
            CHECK_OK(zn_fc_solve(&s->p, &settings, workspace, r, u, &info));
            assert_true(zn_fc_residual_fclib(&s->p, r) <= settings.tolerance);
            for (int k = 3; k < 3 * height && (step == 0 || step == STEPS); k++)
                moved[step == STEPS] = fmax(moved[step == STEPS], fabs(u[k]));
        }
        double size = 0;
        for (int k = 0; k < 3 * height; k++)
            size = hypot(size, r[k]);
        CHECK_BELOW(moved[1], 2 * 1e-3 * settings.tolerance * size); // u = d dr with d = 2
        CHECK_BELOW(100 * moved[1], moved[0]);
        assert_true(info.iterations <= LAST);
        for (int k = 0; k < height; k++)
            CHECK_NEAR(r[3 * k], height - k, inverse * sqrt(height) * moved[1]);
        free(s);
    }
    zn_fc_workspace_destroy(workspace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_carry_their_weight),
        cmocka_unit_test(sweeps_grow_with_the_height),
        cmocka_unit_test(warm_starts_are_scaled),
        cmocka_unit_test(columns_at_rest_settle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
