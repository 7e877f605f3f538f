// Random values of studies and their statistics against closed forms: quantiles, moments, strata, independence.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#include "../cli/sample.h"
#include "../cli/statistics.h"

enum { MANY = 100000 };

static double below(double x) { return 0.5 * erfc(-x / sqrt(2)); }

static void quantiles_invert_the_distribution_function(void **state)
{
    (void)state;
    for (double p = 1e-300; p < 0.5; p *= 3.7) {
        double x = normal_quantile(p);
        CHECK_NEAR(below(x) / p, 1, 1e-12 * (1 + x * x)); // of x: one rounding
    }
    for (double p = 0.01; p < 1; p += 0.01)
        CHECK_NEAR(normal_quantile(p), -normal_quantile(1 - p), 1e-14);
    assert_true(normal_quantile(0.5) == 0);
    CHECK_NEAR(normal_quantile(0.975), 1.95996398454005, 1e-13);
    distribution n = {NORMAL, 3, 0.5}, u = {UNIFORM, -1, 3}, l = {LOGNORMAL, 2, 0.6};
    CHECK_NEAR(distribution_quantile(&n, below(1.5)), 3 + 1.5 * 0.5, 1e-14);
    CHECK_NEAR(distribution_quantile(&u, 0.25), 0, 1e-15);
    double sigma = sqrt(log(1 + 0.09)), median = 2 / sqrt(1 + 0.09);
    CHECK_NEAR(distribution_quantile(&l, 0.5), median, 1e-14);
    CHECK_NEAR(distribution_quantile(&l, below(2)), median * exp(2 * sigma), 1e-13);
}

// Mean and deviation are within four standard errors (n = 1e5; of the deviation with the kurtosis of each).
static void samples_have_their_moments(void **state)
{
    (void)state;
    static const struct {
        distribution d;
        double       mean, deviation, kurtosis;
    } all[] = {{{NORMAL, 0.2, 0.02}, 0.2, 0.02, 3},
               {{UNIFORM, -1, 5}, 2, 1.7320508075688772, 1.8},
               {{LOGNORMAL, 2, 0.6}, 2, 0.6, 4.51}}; // w^4 + 2 w^3 + 3 w^2 - 3, w = 1.09
    double *x = calloc(MANY, sizeof *x);
    assert_non_null(x);
    for (int k = 0; k < 3; k++) {
        statistics s;
        assert_true(sample_draw(&all[k].d, "mu", 7, false, MANY, x));
        assert_true(statistics_of(MANY, x, &s));
        assert_int_equal(s.count, MANY);
        CHECK_NEAR(s.mean, all[k].mean, 4 * all[k].deviation / sqrt(MANY));
        CHECK_NEAR(s.deviation / all[k].deviation, 1, 4 * sqrt((all[k].kurtosis - 1) / (4.0 * MANY)));
        CHECK_NEAR(s.quantiles[4], distribution_quantile(&all[k].d, 0.95), 0.03 * all[k].deviation);
        assert_true(sample_draw(&all[k].d, "mu", 7, true, MANY, x)); // strata leave little of that
        assert_true(statistics_of(MANY, x, &s));
        CHECK_NEAR(s.mean, all[k].mean, 0.01 * all[k].deviation / sqrt(MANY));
    }
    free(x);
}

static double correlation(int n, const double *x, const double *y)
{
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < n; i++) {
        mx += x[i] / n;
        my += y[i] / n;
    }
    for (int i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xy / sqrt(xx * yy);
}

static void names_and_seeds_are_independent(void **state)
{
    (void)state;
    distribution d = {UNIFORM, 0, 1};
    double      *x = calloc(2 * MANY, sizeof *x), *y = x + MANY;
    assert_non_null(x);
    for (int hypercube = 0; hypercube < 2; hypercube++) {
        assert_true(sample_draw(&d, "mu", 1, hypercube, MANY, x));
        assert_true(sample_draw(&d, "mv", 1, hypercube, MANY, y));
        CHECK_NEAR(correlation(MANY, x, y), 0, 4 / sqrt(MANY));
        CHECK_NEAR(correlation(MANY - 1, x, x + 1), 0, 4 / sqrt(MANY));
        assert_true(sample_draw(&d, "mu", 2, hypercube, MANY, y));
        CHECK_NEAR(correlation(MANY, x, y), 0, 4 / sqrt(MANY));
    }
    assert_true(sample_draw(&d, "mu", 1, false, 100, x)); // a longer sample begins with the shorter one
    assert_true(sample_draw(&d, "mu", 1, false, 10, y));
    assert_memory_equal(x, y, 10 * sizeof *x);
    free(x);
}

static void a_hypercube_has_one_value_in_each_part(void **state)
{
    (void)state;
    enum { N = 977 };
    distribution d = {NORMAL, 0, 1};
    double       x[N];
    int          seen[N] = {0}, moved = 0;
    assert_true(sample_draw(&d, "r", 3, true, N, x));
    for (int i = 0; i < N; i++) {
        int part = (int)(below(x[i]) * N);
        assert_in_range(part, 0, N - 1);
        moved += part != i;
        seen[part]++;
    }
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i], 1);
    assert_true(moved > N / 2);
}

// Equally spaced values in any order, with gaps.
static void statistics_of_equal_spaces(void **state)
{
    (void)state;
    enum { N = 101 };
    double     x[N + 2];
    statistics s, again;
    for (int i = 0; i < N; i++)
        x[i] = (i * 37) % N + 1.25;
    x[N] = x[N + 1] = NAN;
    assert_true(statistics_of(N + 2, x, &s));
    assert_int_equal(s.count, N);
    assert_int_equal(s.missing, 2);
    CHECK_NEAR(s.mean, (N + 1) / 2.0 + 0.25, 1e-13);
    CHECK_NEAR(s.deviation, sqrt(N * (N + 1) / 12.0), 1e-12);
    CHECK_NEAR(s.error, s.deviation / sqrt(N), 1e-14);
    for (int i = 0; i < QUANTILES; i++)
        CHECK_NEAR(s.quantiles[i], 1.25 + quantile_levels[i] * (N - 1), 1e-12);
    assert_int_equal(s.bin_count, 8);
    int sum = 0;
    for (int i = 0; i < s.bin_count; i++) {
        assert_in_range(s.bins[i], 12, 13);
        sum += s.bins[i];
    }
    assert_int_equal(sum, N);
    double first = x[0];
    x[0] = x[50];
    x[50] = first;
    assert_true(statistics_of(N + 2, x, &again));
    assert_memory_equal(&s, &again, sizeof s);
    assert_true(statistics_of(1, x, &s));
    assert_true(s.mean == x[0] && isnan(s.deviation) && s.bin_count == 1 && s.bins[0] == 1);
    assert_true(statistics_of(1, x + N, &s));
    assert_true(isnan(s.mean) && s.count == 0 && s.bin_count == 0);
}

static void whole_numbers_have_bins_of_their_own(void **state)
{
    (void)state;
    double     x[60];
    statistics s;
    for (int i = 0; i < 60; i++)
        x[i] = i % 3 == 0 ? 4 : i % 7; // 4 and others from 0 to 6
    assert_true(statistics_of(60, x, &s));
    assert_true(s.whole && s.bin_count == 7);
    for (int k = 0; k < 7; k++) {
        int count = 0;
        for (int i = 0; i < 60; i++)
            count += x[i] == k;
        assert_int_equal(s.bins[k], count);
        assert_true(s.edges[k] == k);
    }
    for (int i = 0; i < 60; i++)
        x[i] = i;
    assert_true(statistics_of(60, x, &s));
    assert_true(s.whole && s.bin_count == 20 && s.bins[0] == 3 && s.bins[19] == 3 && s.edges[20] == 60);
}

static void bad_distributions_are_named(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"gauss(0,1)", "'gauss' is no distribution (normal, uniform, lognormal)"},
        {"0.2", "'0.2' is no distribution"},
        {"", "'' is no distribution"},
        {"normal", "not of the form normal(mean,deviation)"},
        {"normal(1)", "not of the form normal(mean,deviation)"},
        {"normal(1,2", "not of the form normal(mean,deviation)"},
        {"normal(1,2)x", "not of the form normal(mean,deviation)"},
        {"normal(1,2,3)", "not of the form normal(mean,deviation)"},
        {"uniform(a,2)", "not of the form uniform(least,greatest)"},
        {"normal(1,0)", "the deviation must be positive"},
        {"normal(1,inf)", "not of the form"},
        {"uniform(2,1)", "the first number must be the smaller one"},
        {"lognormal(-1,1)", "the mean must be positive"},
    };
    char         message[240];
    distribution d;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(distribution_parse(bad[i][0], &d, message, sizeof message));
        assert_non_null(strstr(message, bad[i][1]));
    }
    assert_true(distribution_parse("lognormal(1e-3, 2e-4)", &d, message, sizeof message));
    assert_true(d.kind == LOGNORMAL && d.a == 1e-3 && d.b == 2e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_invert_the_distribution_function),
        cmocka_unit_test(samples_have_their_moments),
        cmocka_unit_test(names_and_seeds_are_independent),
        cmocka_unit_test(a_hypercube_has_one_value_in_each_part),
        cmocka_unit_test(statistics_of_equal_spaces),
        cmocka_unit_test(whole_numbers_have_bins_of_their_own),
        cmocka_unit_test(bad_distributions_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
