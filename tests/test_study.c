// Norms, fitted orders, step sizes and interpolation against closed forms; closed forms in model files.
#include "check.h"

#include <stdlib.h>

#include "zn/io.h"

static void test_norms(void **state)
{
    (void)state;
    const double reference[] = {1, -2, 3, 0}, values[] = {1.5, -2, 2, 0.25};
    zn_norms     n;
    CHECK_OK(zn_error_norms(4, 0.1, values, reference, &n));
    CHECK_NEAR(n.uniform, 1, 0);
    CHECK_NEAR(n.l1, 0.1 * 1.75, 1e-16);
    CHECK_NEAR(n.l2, sqrt(0.1 * (0.25 + 1 + 0.0625)), 1e-16);
    CHECK_NEAR(n.rel_l1, 1.75 / 6, 1e-16);
    CHECK_OK(zn_error_norms(4, 0.1, values, values, &n));
    CHECK_NEAR(n.uniform + n.l1 + n.l2 + n.rel_l1, 0, 0);
    const double zero[] = {0, 0, 0, 0};
    CHECK_OK(zn_error_norms(4, 0.1, values, zero, &n));
    assert_true(isnan(n.rel_l1));
}

static void test_norms_refuse(void **state)
{
    (void)state;
    const double good[] = {1, 2}, bad[] = {1, NAN};
    zn_norms     n;
    CHECK_STATUS(zn_error_norms(0, 0.1, good, good, &n), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_error_norms(2, 0, good, good, &n), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_error_norms(2, 0.1, good, bad, &n), ZN_NOT_FINITE);
    CHECK_STATUS(zn_error_norms(2, 0.1, bad, good, &n), ZN_NOT_FINITE);
}

// Graphs against closed forms. A jump of height 1 between two rows 0.1 apart that comes 0.3 late, times over 10: the
// end (1.1, 1) of the early one is nearest to the steep line of the late one, from (1.3, 0) to (1.4, 1), where
// (0.2 + 0.1 s)/10 = 1 - s. Away from jumps a graph that lies c higher is c away.
static void test_graph_distance(void **state)
{
    (void)state;
    enum { N = 31 };
    double t[N], early[N], late[N], higher[N], spike[N], ramp[N], over[N], d;
    for (int i = 0; i < N; i++) {
        t[i] = 0.1 * i;
        early[i] = i >= 11;
        late[i] = i >= 14;
        higher[i] = early[i] + 0.25;
        spike[i] = early[i] + (i == 20);
        ramp[i] = t[i];
        over[i] = t[i] + (i > 5 && i < N - 6 ? 0.2 : 0);
    }
    CHECK_OK(zn_graph_distance(N, t, early, late, 10, 1, &d));
    CHECK_NEAR(d, 0.03 / 1.01, 1e-9);
    CHECK_OK(zn_graph_distance(N, t, late, early, 10, 1, &d)); // symmetric
    CHECK_NEAR(d, 0.03 / 1.01, 1e-9);
    CHECK_OK(zn_graph_distance(N, t, early, late, 10, 1e-3, &d)); // however high the jump is
    CHECK_NEAR(d, 0.03 / 1.00001, 1e-7);
    CHECK_OK(zn_graph_distance(N, t, early, early, 10, 1, &d));
    CHECK_NEAR(d, 0, 0);
    CHECK_OK(zn_graph_distance(N, t, early, higher, 10, 1, &d));
    CHECK_NEAR(d, 0.25, 1e-9);
    CHECK_OK(zn_graph_distance(N, t, early, spike, 10, 1, &d)); // what is only in one of them is not forgiven
    CHECK_NEAR(d, 1, 1e-9);
    CHECK_OK(zn_graph_distance(N, t, ramp, over, 1, 1, &d)); // lines of slope 1, 0.2 apart: the corner of a square
    CHECK_NEAR(d, 0.1, 1e-9);
    CHECK_STATUS(zn_graph_distance(0, t, early, late, 1, 1, &d), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_graph_distance(N, t, early, late, 1, 0, &d), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_graph_distance(N, early, early, late, 1, 1, &d), ZN_ERR_ARGUMENT);
    late[3] = NAN;
    CHECK_STATUS(zn_graph_distance(N, t, early, late, 1, 1, &d), ZN_NOT_FINITE);
}

// A jump that comes h late converges with order 1 as a graph, with 0 uniformly.
static void test_graph_order(void **state)
{
    (void)state;
    enum { N = 4001 };
    static double t[N], exact[N], run[N];
    double        steps[5], graph[5];
    zn_order      fit;
    for (int k = 0; k < 5; k++) {
        steps[k] = 0.1 / (1 << k);
        for (int i = 0; i < N; i++) {
            t[i] = 2.0 * i / (N - 1);
            exact[i] = t[i] < 1 ? -t[i] : 0.5 * t[i];
            run[i] = t[i] < 1 + steps[k] ? -t[i] : 0.5 * t[i];
        }
        CHECK_OK(zn_graph_distance(N, t, run, exact, 2, 1.5, &graph[k]));
        CHECK_NEAR(graph[k], steps[k] / 1.5, 3e-4); // the run falls by h too far, the late jump alone is h/2 away
    }
    CHECK_OK(zn_fit_order(5, steps, graph, &fit));
    CHECK_NEAR(fit.order, 1, 0.03);
}

// error = c h^p exactly: the fit finds both and has no deviation.
static void test_power_laws(void **state)
{
    (void)state;
    static const double orders[] = {0, 0.5, 1, 2, 4};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        double   steps[8], errors[8];
        zn_order fit;
        zn_study_steps(8, 0.1, 1e-4, false, steps);
        for (int i = 0; i < 8; i++)
            errors[i] = 3.7 * pow(steps[i], orders[k]);
        CHECK_OK(zn_fit_order(8, steps, errors, &fit));
        CHECK_NEAR(fit.order, orders[k], 1e-13);
        CHECK_NEAR(fit.constant, 3.7, 1e-11);
        CHECK_BELOW(fit.deviation, 1e-13);
        assert_int_equal(fit.count, 8);
    }
}

// x = 0, 1, 2 with y = 0, 1 + d, 2 on logarithmic scales: slope 1, residuals -d/3, 2d/3, -d/3.
static void test_standard_error(void **state)
{
    (void)state;
    const double d = 0.3, steps[] = {1, exp(1), exp(2)}, errors[] = {1, exp(1 + d), exp(2)};
    zn_order     fit;
    CHECK_OK(zn_fit_order(3, steps, errors, &fit));
    CHECK_NEAR(fit.order, 1, 1e-14);
    CHECK_NEAR(fit.deviation, sqrt(6 * d * d / 9 / 2), 1e-14);
}

static void test_fit_leaves_out(void **state)
{
    (void)state;
    const double steps[] = {0.1, 0.05, 0.025, 0.0125}, errors[] = {0.01, 0, NAN, 0.01 / 64};
    zn_order     fit;
    CHECK_OK(zn_fit_order(4, steps, errors, &fit));
    CHECK_NEAR(fit.order, 2, 1e-14);
    assert_int_equal(fit.count, 2);
    assert_true(isnan(fit.deviation));
    CHECK_STATUS(zn_fit_order(2, steps, errors, &fit), ZN_ERR_ARGUMENT); // one positive error
    CHECK_STATUS(zn_fit_order(0, steps, errors, &fit), ZN_ERR_ARGUMENT);
    const double same[] = {0.1, 0.1, 0.1}, any[] = {1, 2, 3};
    CHECK_STATUS(zn_fit_order(3, same, any, &fit), ZN_ERR_ARGUMENT);
}

static void test_steps(void **state)
{
    (void)state;
    double exact[5], moved[5], one[1];
    zn_study_steps(5, 0.16, 0.01, true, exact);
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(exact[i], 0.16 / (1 << i), 1e-16);
    zn_study_steps(5, 0.16, 0.01, false, moved);
    for (int i = 0; i < 5; i++) {
        double away = fabs(log(moved[i] / exact[i]) / log(2));
        CHECK_BELOW(away, 0.125);
        assert_true(away > 1e-3);
        assert_true(i == 0 || moved[i] < moved[i - 1]);
    }
    zn_study_steps(1, 0.1, 0.001, true, one);
    CHECK_NEAR(one[0], 0.1, 0);
    zn_study_steps(1, 0.1, 0.001, false, one);
    assert_true(one[0] != 0.1 && one[0] > 0.09 && one[0] < 0.11);
}

static void test_interpolate(void **state)
{
    (void)state;
    const double t[] = {0, 1, 3}, table[] = {10, -1, 20, -2, 40, -3};
    CHECK_NEAR(zn_interpolate(3, t, table, 2, 0.5), 15, 0);
    CHECK_NEAR(zn_interpolate(3, t, table, 2, 1), 20, 0);
    CHECK_NEAR(zn_interpolate(3, t, table + 1, 2, 2), -2.5, 0);
    CHECK_NEAR(zn_interpolate(3, t, table, 2, -1), 10, 0);
    CHECK_NEAR(zn_interpolate(3, t, table, 2, 9), 40, 0);
    assert_true(isnan(zn_interpolate(0, t, table, 2, 0)));
}

// --- closed forms in model files -------------------------------------------------------------------

static char last[2048];

static void keep(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    size_t used = strlen(last);
    snprintf(last + used, sizeof last - used, "%s\n", message);
}

static zn_problem *parse(const char *text, int count, const char *const *overrides)
{
    zn_problem *p = NULL;
    last[0] = '\0';
    zn_status status = zn_problem_parse(text, strlen(text), "m.yaml", count, overrides, (zn_log){keep, NULL}, &p);
    return status == ZN_OK ? p : NULL;
}

static const char head[] = "zeno: 1\nplanar: true\nparameters: {g: 2, n: 3}\n"
                           "bodies: {ball: {mass: 1, position: [0, n]}}\n"
                           "record: {q: ball.position.y, v: ball.velocity}\n"
                           "run: {step: 0.1, until: 1}\n";

static zn_problem *parse_with(const char *tail, int count, const char *const *overrides)
{
    char text[2048];
    snprintf(text, sizeof text, "%s%s", head, tail);
    return parse(text, count, overrides);
}

static void test_reference_section(void **state)
{
    (void)state;
    zn_problem *p = parse_with("reference: {q: 1 - g*t^2/2, v.y: -g*t}\n", 0, NULL);
    if (p == NULL)
        fail_msg("%s", last);
    assert_int_equal(p->closed_form_count, 2);
    assert_string_equal(p->closed_forms[1].record, "v.y");
    CHECK_NEAR(zn_signal_at(p->closed_forms[0].value, 0.5), 0.75, 0);
    CHECK_NEAR(zn_signal_at(p->closed_forms[1].value, 0.5), -1, 0);
    zn_problem_destroy(p);
    p = parse(head, 0, NULL);
    assert_non_null(p);
    assert_int_equal(p->closed_form_count, 0);
    zn_problem_destroy(p);
}

static void test_reference_faults(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"reference: {x: 1}\n", "m.yaml:7:13: reference 'x': there is no record 'x'"},
        {"reference: {q: 1 +* t}\n", "m.yaml:7:"},
        {"reference: {q: }\n", "reference 'q'"},
        {"reference: {q: 1, w.y: 2}\n", "no record 'w'"},
        {"reference: 3\n", "'reference' must be a map"},
        {"reference: {q: 1/0}\n", "not a finite number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        zn_problem *p = parse_with(bad[i].text, 0, NULL);
        if (p != NULL || strstr(last, bad[i].part) == NULL)
            fail_msg("%s: '%s', expected '%s'", bad[i].text, last, bad[i].part);
    }
}

// "name:=value" is known to the values of overrides only.
static void test_definitions(void **state)
{
    (void)state;
    const char *const set[] = {"n=round(1/(3*h))", "h:=0.125"};
    zn_problem       *p = parse_with("", 2, set);
    if (p == NULL)
        fail_msg("%s", last);
    CHECK_NEAR(p->parameters[1].value, 3, 0);
    zn_problem_destroy(p);
    const char *const words[] = {"h:=fast"};
    assert_null(parse_with("", 1, words));
    assert_non_null(strstr(last, "name:=number"));
    assert_null(parse_with("loads: {l: {body: ball, force: [h, 0]}}\n", 1, set + 1));
    assert_non_null(strstr(last, "unknown name 'h'"));
    assert_null(parse_with("", 1, set));
    assert_non_null(strstr(last, "unknown name 'h'"));
}

static double form(const zn_problem *p, const char *record, double t)
{
    for (int i = 0; i < p->closed_form_count; i++)
        if (strcmp(p->closed_forms[i].record, record) == 0)
            return zn_signal_at(p->closed_forms[i].value, t);
    fail_msg("no closed form of '%s'", record);
    return NAN;
}

static zn_problem *read_gallery(const char *name, int count, const char *const *overrides)
{
    char        path[512];
    zn_problem *p = NULL;
    last[0] = '\0';
    snprintf(path, sizeof path, "%s/gallery/%s/model.yaml", ZN_SOURCE_DIR, name);
    if (zn_problem_read(path, count, overrides, (zn_log){keep, NULL}, &p) != ZN_OK)
        fail_msg("%s", last);
    return p;
}

// Acary's ball: impacts at t_n = 3 - 2^(2-n), velocities v_n = 2^(1-n) after them, parabolas s (v_n - s), rest from 3.
static void test_ball(void **state)
{
    (void)state;
    zn_problem *p = read_gallery("bouncing-ball", 0, NULL);
    for (double t = 0.01; t < 1; t += 0.1) {
        CHECK_NEAR(form(p, "q", t), 1 - t * t, 1e-14);
        CHECK_NEAR(form(p, "v", t), -2 * t, 1e-14);
    }
    for (int n = 1; n < 12; n++) {
        double start = 3 - pow(2, 2 - n), speed = pow(2, 1 - n);
        for (double part = 0.05; part < 1; part += 0.1) {
            double s = part * speed;
            CHECK_NEAR(form(p, "q", start + s), s * (speed - s), 1e-14);
            CHECK_NEAR(form(p, "v", start + s), speed - 2 * s, 1e-14);
        }
    }
    CHECK_NEAR(form(p, "q", 3), 0, 0);
    CHECK_NEAR(form(p, "v", 4.5), 0, 0);
    zn_problem_destroy(p);
    const char *const inelastic[] = {"e=0", "y0=4"};
    p = read_gallery("bouncing-ball", 2, inelastic);
    CHECK_NEAR(form(p, "q", 1.5), 4 - 1.5 * 1.5, 1e-14);
    CHECK_NEAR(form(p, "q", 2.5), 0, 0);
    zn_problem_destroy(p);
}

// Without damping the mass comes back after half periods, each time with half the amplitude.
static void test_oscillator(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    zn_problem  *p = read_gallery("linear-oscillator", 0, NULL);
    for (int n = 0; n < 4; n++) {
        double middle = n * pi, size = pow(0.5, n);
        for (double s = n > 0 ? -1.5 : 0; s < 1.55; s += 0.1) {
            CHECK_NEAR(form(p, "q", middle + s), size * cos(s), 1e-13);
            CHECK_NEAR(form(p, "v", middle + s), -size * sin(s), 1e-13);
        }
    }
    zn_problem_destroy(p);
}

// With damping: m q'' + c q' + k q = 0 between impacts, v- to -e v- at them, and the velocity is the derivative.
static void test_damped_oscillator(void **state)
{
    (void)state;
    const char *const damped[] = {"c=0.4", "m=2", "k=3", "y0=1.5"};
    const double      m = 2, c = 0.4, k = 3, e = 0.5, h = 1e-5, pi = 3.14159265358979323846;
    const double      d = c / (2 * m), f = sqrt(k / m - d * d), first = (pi / 2 + asin(d / sqrt(k / m))) / f;
    zn_problem       *p = read_gallery("linear-oscillator", 4, damped);
    CHECK_NEAR(form(p, "q", 0), 1.5, 1e-14);
    CHECK_NEAR(form(p, "v", 0), 0, 1e-14);
    for (int n = 0; n < 4; n++) {
        double impact = first + n * pi / f, tiny = 1e-9, before = form(p, "v", impact - tiny);
        CHECK_NEAR(form(p, "q", impact), 0, 1e-12);
        assert_true(before < -0.01);
        CHECK_NEAR(form(p, "v", impact + tiny), -e * before, 1e-7);
        for (double t = n > 0 ? impact - pi / f + 2 * h : h; t < impact - 2 * h; t += 0.01) {
            double q = form(p, "q", t), v = form(p, "v", t);
            double acceleration = (form(p, "v", t + h) - form(p, "v", t - h)) / (2 * h);
            assert_true(q > 0);
            CHECK_NEAR((form(p, "q", t + h) - form(p, "q", t - h)) / (2 * h), v, 1e-8);
            CHECK_NEAR(m * acceleration + c * v + k * q, 0, 1e-7);
        }
    }
    zn_problem_destroy(p);
}

// The tip stays at the wall while a wave runs through the bar and back.
static void test_bar(void **state)
{
    (void)state;
    const double start = 5e-5 / 0.1, end = start + 2 / sqrt(210e9 / 7800);
    zn_problem  *p = read_gallery("elastic-bar", 0, NULL);
    CHECK_NEAR(form(p, "q", 0), 5e-5, 0);
    CHECK_NEAR(form(p, "v", start / 2), -0.1, 0);
    CHECK_NEAR(form(p, "q", (start + end) / 2), 0, 0);
    CHECK_NEAR(form(p, "v", (start + end) / 2), 0, 0);
    CHECK_NEAR(form(p, "q", end + 1e-4), 1e-5, 1e-18);
    CHECK_NEAR(form(p, "v", end + 1e-4), 0.1, 0);
    zn_problem_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_norms),
        cmocka_unit_test(test_norms_refuse),
        cmocka_unit_test(test_graph_distance),
        cmocka_unit_test(test_graph_order),
        cmocka_unit_test(test_power_laws),
        cmocka_unit_test(test_standard_error),
        cmocka_unit_test(test_fit_leaves_out),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_interpolate),
        cmocka_unit_test(test_reference_section),
        cmocka_unit_test(test_reference_faults),
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_oscillator),
        cmocka_unit_test(test_damped_oscillator),
        cmocka_unit_test(test_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
