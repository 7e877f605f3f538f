// Formulas and signals: values against C, faults with their place, hostile text.
#include "check.h"

#include <locale.h>
#include <stdlib.h>

#include "model/expression.h"
#include "model/signal.h"
#include "zn/model.h"

static const char *const  names[] = {"R", "mu", "_x1"};
static const double       values[] = {0.1, 0.3, 7};
static const zn_constants constants = {3, names, values};

static double value(const char *text)
{
    zn_expression_error error;
    double              out = NAN;
    if (zn_expression_value(text, constants, &error, &out) != ZN_OK)
        fail_msg("'%s': %s at %d", text, error.message, error.position);
    return out;
}

static void test_values(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    CHECK_NEAR(value("42"), 42, 0);
    CHECK_NEAR(value("-1.5e-3"), -1.5e-3, 0);
    CHECK_NEAR(value("+.5"), 0.5, 0);
    CHECK_NEAR(value("2*R + 0.1"), 2 * 0.1 + 0.1, 0);
    CHECK_NEAR(value("pi*1e-4"), pi * 1e-4, 0);
    CHECK_NEAR(value("-2^2"), -4, 0);   // as on paper
    CHECK_NEAR(value("2^3^2"), 512, 0); // from the right
    CHECK_NEAR(value("2^-1"), 0.5, 0);
    CHECK_NEAR(value("7 - 2 - 1"), 4, 0); // from the left
    CHECK_NEAR(value("8/4/2"), 1, 0);
    CHECK_NEAR(value("(R > 0.05) + (R > 1)"), 1, 0);
    CHECK_NEAR(value("R >= 0.1 && mu != 0.3 || 1 == 1"), 1, 0);
    CHECK_NEAR(value("R < 1 ? 2 : 3"), 2, 0);
    CHECK_NEAR(value("_x1"), 7, 0);
    CHECK_NEAR(value("sin(pi/6)"), sin(pi / 6), 0);
    CHECK_NEAR(value("atan2(1, -1)"), 3 * pi / 4, 0);
    CHECK_NEAR(value("max(min(3, 5), 1)"), 3, 0);
    CHECK_NEAR(value("mod(7, 4)"), 3, 0);
    CHECK_NEAR(value("abs(-2) + sign(-3) + floor(1.7) + ceil(1.2)"), 2 - 1 + 1 + 2, 0);
    CHECK_NEAR(value("ln(exp(2)) + log10(100) + sqrt(9)"), 2 + 2 + 3, 1e-15);
    assert_true(isinf(value("1/0")));
}

static void test_faults(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int         position;
        const char *part;
    } bad[] = {
        {"", 0, "empty"},
        {"   ", 3, "empty"},
        {"1 + RR", 4, "unknown name 'RR'"},
        {"e", 0, "unknown name 'e'"},
        {"nan", 0, "unknown name"},
        {"inf", 0, "unknown name"},
        {"2*t", 2, "time"},
        {"2 +* 3", 3, "operator"},
        {"2 3", 2, "unexpected value"},
        {"2 R", 2, "unexpected value"},
        {"2R", 1, "letter"},
        {"0x10", 1, "letter"},
        {"1e400", 0, "too large"},
        {"1e999999999999", 0, "too large"},
        {"R = 3", 2, "'='"},
        {"1, 2", 1, "','"},
        {"(1", 2, "')'"},
        {"1)", 1, "')'"},
        {"()", 1, "bracket"},
        {"sin", 0, "formula"},
        {"sin()", 4, "few"},
        {"sin(1, 2)", 8, "many"},
        {"max(1)", 5, "few"},
        {"R(2)", 1, "bracket"},
        {"\"a\"", 0, "'\"'"},
        {"1 # 2", 2, "'#'"},
        {"1 & 2", 2, "'&'"},
        {"1 \xc3\xa9", 2, "0xc3"},
        {"1 \x01", 2, "0x01"},
        {"1 ? 2", 0, "condition"},
        {"1 +", 4, "early"},
        {"..", 0, "number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        zn_expression_error error;
        double              out = 77;
        zn_status           status = zn_expression_value(bad[i].text, constants, &error, &out);
        if (status != ZN_ERR_ARGUMENT || out != 77)
            fail_msg("'%s' was accepted", bad[i].text);
        int end = (int)strlen(bad[i].text);
        int expected = bad[i].position < end ? bad[i].position : end;
        if (error.position != expected || strstr(error.message, bad[i].part) == NULL)
            fail_msg("'%s': '%s' at %d, expected '%s' at %d", bad[i].text, error.message, error.position, bad[i].part,
                     expected);
    }
}

// `count` times `open`, then `middle`, then `count` times `close`.
static char *nest(int count, const char *open, const char *middle, const char *close)
{
    size_t size = (size_t)count * (strlen(open) + strlen(close)) + strlen(middle) + 1;
    char  *text = calloc(size, 1);
    assert_non_null(text);
    char *end = text;
    for (int i = 0; i < count; i++, end += strlen(open))
        memcpy(end, open, strlen(open));
    memcpy(end, middle, strlen(middle));
    end += strlen(middle);
    for (int i = 0; i < count; i++, end += strlen(close))
        memcpy(end, close, strlen(close));
    return text;
}

static void check_nested(int count, const char *open, const char *close, const char *fault)
{
    char               *text = nest(count, open, "1", close);
    zn_expression_error error;
    double              out = NAN;
    zn_status           status = zn_expression_value(text, constants, &error, &out);
    if (fault == NULL && status != ZN_OK)
        fail_msg("%d x '%s': %s", count, open, error.message);
    if (fault != NULL && (status != ZN_ERR_ARGUMENT || strstr(error.message, fault) == NULL))
        fail_msg("%d x '%s': status %d, message '%s'", count, open, (int)status, error.message);
    free(text);
}

static void test_limits(void **state)
{
    (void)state;
    check_nested(64, "(", ")", NULL);
    check_nested(65, "(", ")", "64 deep");
    check_nested(100000, "(", ")", "64 deep");
    check_nested(64, "sin(", ")", NULL);
    check_nested(65, "sin(", ")", "64 deep");
    check_nested(2047, "1+", "", NULL);
    check_nested(2048, "1+", "", "4096");
    check_nested(1000, "1?", ":2", NULL);
    check_nested(64, "a", "", "63 characters");
}

// A comma for a point must neither be needed nor change anything.
static void test_locale(void **state)
{
    (void)state;
    const char *before = setlocale(LC_NUMERIC, NULL);
    char        saved[64];
    snprintf(saved, sizeof saved, "%s", before);
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL)
        skip();
    double plain = value("1.5"), formula = value("1.5*2.5");
    setlocale(LC_NUMERIC, saved);
    CHECK_NEAR(plain, 1.5, 0);
    CHECK_NEAR(formula, 3.75, 0);
}

static void test_time(void **state)
{
    (void)state;
    char       message[200];
    zn_signal *s;
    CHECK_OK(zn_signal_expression("mu*(t > 0.1) + t^2", 3, names, values, message, sizeof message, &s));
    assert_false(zn_signal_is_constant(s));
    CHECK_NEAR(zn_signal_at(s, 0.05), 0.05 * 0.05, 0);
    CHECK_NEAR(zn_signal_at(s, 2), 0.3 + 4, 0);
    CHECK_NEAR(zn_signal_at(s, 0.05), 0.05 * 0.05, 0); // no memory of the last time
    zn_signal_scale(s, 1000);
    CHECK_NEAR(zn_signal_at(s, 2), 4300, 0);
    zn_signal_destroy(s);

    CHECK_OK(zn_signal_expression("2*mu", 3, names, values, message, sizeof message, &s));
    assert_true(zn_signal_is_constant(s));
    CHECK_NEAR(zn_signal_at(s, 5), 0.6, 0);
    zn_signal_destroy(s);

    CHECK_STATUS(zn_signal_expression("2*x", 3, names, values, message, sizeof message, &s), ZN_ERR_ARGUMENT);
    assert_string_equal(message, "character 3: unknown name 'x'");
    CHECK_STATUS(zn_signal_expression("1/0", 3, names, values, message, sizeof message, &s), ZN_ERR_ARGUMENT);
    assert_non_null(strstr(message, "finite"));
    CHECK_STATUS(zn_signal_expression("*", 0, NULL, NULL, NULL, 0, &s), ZN_ERR_ARGUMENT);
}

static void test_series(void **state)
{
    (void)state;
    double     t[] = {0, 1, 3}, y[] = {10, 20, -20};
    zn_signal *s;
    CHECK_OK(zn_signal_series(3, t, y, &s));
    t[1] = y[1] = 99; // the signal has its own copy
    assert_false(zn_signal_is_constant(s));
    CHECK_NEAR(zn_signal_at(s, -5), 10, 0);
    CHECK_NEAR(zn_signal_at(s, 0), 10, 0);
    CHECK_NEAR(zn_signal_at(s, 0.25), 12.5, 0);
    CHECK_NEAR(zn_signal_at(s, 1), 20, 0);
    CHECK_NEAR(zn_signal_at(s, 2), 0, 0);
    CHECK_NEAR(zn_signal_at(s, 3), -20, 0);
    CHECK_NEAR(zn_signal_at(s, 9), -20, 0);
    zn_signal_destroy(s);

    double equal[] = {4, 4, 4}, back[] = {0, 2, 2}, hole[] = {0, NAN, 2};
    t[1] = 1;
    CHECK_OK(zn_signal_series(3, t, equal, &s));
    assert_true(zn_signal_is_constant(s));
    CHECK_NEAR(zn_signal_at(s, 0.3), 4, 0);
    zn_signal_destroy(s);
    CHECK_STATUS(zn_signal_series(3, back, y, &s), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_signal_series(3, hole, y, &s), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_signal_series(3, t, hole, &s), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_signal_series(0, t, y, &s), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_signal_constant(NAN, &s), ZN_ERR_ARGUMENT);
}

static double twice(void *user, double t) { return *(double *)user * t; }

static void forget(void *user) { *(double *)user = -1; }

static void test_callback(void **state)
{
    (void)state;
    double     factor = 2;
    zn_signal *s;
    CHECK_OK(zn_signal_callback(twice, &factor, forget, &s));
    assert_false(zn_signal_is_constant(s));
    CHECK_NEAR(zn_signal_at(s, 3), 6, 0);
    assert_null(zn_signal_destroy(s));
    CHECK_NEAR(factor, -1, 0);
    CHECK_STATUS(zn_signal_callback(NULL, NULL, NULL, &s), ZN_ERR_ARGUMENT);
    assert_null(zn_signal_destroy(NULL));
}

// --- variables, derivatives, units -----------------------------------------------------------------

static const char *const variables[] = {"arm.angle", "a[3].velocity.x", "x", "my-arm.rate"};

static int find_variable(void *user, const char *name)
{
    (void)user;
    for (int i = 0; i < 4; i++)
        if (strcmp(variables[i], name) == 0)
            return i;
    return -1;
}

static zn_expression *formula(const char *text)
{
    zn_expression_def   def = {.text = text, .constants = constants, .time = true, .variable = find_variable};
    zn_expression_error error;
    zn_expression      *e = NULL;
    if (zn_expression_compile(&def, &error, &e) != ZN_OK)
        fail_msg("'%s': %s at %d", text, error.message, error.position);
    return e;
}

static void test_variables(void **state)
{
    (void)state;
    const double   at[4] = {2, 3, 5, 7};
    zn_expression *e = formula("10*arm.angle - a[3].velocity.x/x + my-arm.rate*t + R-x");
    CHECK_NEAR(zn_expression_of(e, at, 11), 20 - 3.0 / 5 + 77 + 0.1 - 5, 1e-13);
    zn_expression_destroy(e);
    e = formula("x > 4 ? arm.angle > 3 ? 1 : x < 6 ? 2 : 3 : 4"); // the second test is false, the third true
    CHECK_NEAR(zn_expression_of(e, at, 0), 2, 0);
    zn_expression_destroy(e);
    e = formula("(x > 4 ? 10 : 20) + (x < 4 ? 1 : 2)*(1 > 2 ? x : 3)");
    CHECK_NEAR(zn_expression_of(e, at, 0), 16, 0);
    zn_expression_destroy(e);
}

// Derivatives against central differences of the values, away from kinks.
static void test_gradient(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "x",
        "3",
        "t*x",
        "arm.angle*x - x/t + 2/x",
        "x^3 + x^2.5 + 2^x + x^t + x^0",
        "-x^2*t",
        "sin(x)*cos(t) + tan(x/3)",
        "asin(x/3) + acos(x/3) + atan(x) + atan2(x, t)",
        "sinh(x) + cosh(t*x) + tanh(x)",
        "exp(-x) + ln(x) + log2(x) + log10(x) + sqrt(x + t)",
        "abs(x - 5) + abs(x) + sign(x)*x + floor(x) + ceil(x)*t",
        "min(x, t) + max(x, t^2) + mod(x*10, t) + round(x)",
        "saturate(x, 0, 3) + saturate(x*t, arm.angle, 1) + saturate(x, t, 4)",
        "deadzone(x, 0.5) + deadzone(-x, 0.2*t) + deadzone(t, 5)",
        "smoothstep(x, 0, 3) + smoothstep(t, arm.angle, x)",
        "x > 1 ? x*t : x + t",
        "x > 2 ? x*t : (t > 0 ? x^2 : 7) + t",
        "(x > 1 && t > 0)*x + (x > 2 || t > 5)*t",
        "my-arm.rate*a[3].velocity.x*x*arm.angle*t",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        zn_expression *e = formula(texts[i]);
        const double   h = 1e-6;
        double         at[5] = {0.3, 1.1, 1.3, -0.7, 0.77}, gradient[4], rate; // the last is t
        double         value = zn_expression_gradient(e, 4, at, at[4], gradient, &rate);
        CHECK_NEAR(value, zn_expression_of(e, at, at[4]), 1e-15 * fabs(value));
        for (int k = 0; k < 5; k++) {
            double x = at[k];
            at[k] = x + h;
            double after = zn_expression_of(e, at, at[4]);
            at[k] = x - h;
            double before = zn_expression_of(e, at, at[4]);
            at[k] = x;
            double got = k < 4 ? gradient[k] : rate, expected = (after - before) / (2 * h);
            if (!(fabs(got - expected) <= 2e-9 * (1 + fabs(expected))))
                fail_msg("'%s', variable %d: %.12g, by differences %.12g", texts[i], k, got, expected);
        }
        zn_expression_destroy(e);
    }
}

// Kinks take one side, and a direction without movement gets nothing of an infinite slope.
static void test_kinks(void **state)
{
    (void)state;
    static const char *const texts[] = {"abs(x)",         "min(x, 0)",          "max(x, 0)", "saturate(x, 0, 1)",
                                        "deadzone(x, 0)", "sqrt(arm.angle) + x"};
    const double             sides[][2] = {{-1, 1}, {0, 1}, {0, 1}, {0, 1}, {1, 1}, {1, 1}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        zn_expression *e = formula(texts[i]);
        double         at[4] = {0}, gradient[4];
        zn_expression_gradient(e, 4, at, 0, gradient, NULL);
        assert_true(gradient[2] == sides[i][0] || gradient[2] == sides[i][1]);
        zn_expression_destroy(e);
    }
}

// Metres and seconds alone.
static bool read_unit(const char *text, zn_expression_unit *out, char message[160])
{
    bool milli = text[0] == 'm' && (text[1] == 'm' || text[1] == 's');
    char base = text[milli];
    snprintf(message, 160, "unknown unit");
    *out = (zn_expression_unit){.length = milli + 1, .factor = {1, 1, 1, milli ? 1000 : 1}};
    out->power[0] = base == 'm';
    out->power[2] = base == 's';
    return base == 'm' || base == 's';
}

static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double      value;
        int         m, s; // powers; 99: not known
    } good[] = {
        {"3 mm + 2*R", 0.203, 1, 0},       {"1/4 mm", 0.25e-3, 1, 0},          {"6 m / 3 mm", 2000, 0, 0},
        {"2*R mm", 0.2e-3, 1, 0},          {"R*(2 mm)", 0.2e-3, 99, 99},       {"(2 mm)^2", 4e-6, 2, 0},
        {"sqrt(4 mm * 1 mm)", 2e-3, 1, 0}, {"max(1 mm, 2 m)", 2, 1, 0},        {"3 m > 2 mm", 1, 99, 99},
        {"2 mm * 3 / 2 ms", 3, 1, -1},     {"-2 mm * R / 1 ms", -0.2, 99, 99},
    };
    static const struct {
        const char *text, *part;
        int         position;
    } bad[] = {
        {"3 mm + 2 s", "measure", 9}, {"3 mm + 2", "without a unit", 2},
        {"2 + 3 mm", "belong", 6},    {"exp(2 mm)", "exp", 0},
        {"(1 mm) mm", "has one", 7},  {"2 kg", "unknown unit", 2},
        {"R/2 mm", "quotient", 4},    {"2 mm^R", "operator", 4},
        {"(2 mm)^0.5", "power", 10},  {"R > 1 ? 2 mm : 3 s", "measure", 17},
    };
    zn_expression_error error;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        zn_expression    *e = NULL;
        zn_expression_def def = {.text = good[i].text, .constants = constants, .unit = read_unit};
        if (zn_expression_compile(&def, &error, &e) != ZN_OK)
            fail_msg("'%s': %s", good[i].text, error.message);
        zn_expression_dimension d = zn_expression_measure(e);
        CHECK_NEAR(zn_expression_at(e, 0), good[i].value, 1e-15 * fabs(good[i].value));
        if (d.known != (good[i].m != 99) || (d.known && (d.power[0] != good[i].m || d.power[2] != good[i].s)))
            fail_msg("'%s' is measured in m^%d s^%d", good[i].text, d.power[0], d.power[2]);
        zn_expression_destroy(e);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        zn_expression    *e = NULL;
        zn_expression_def def = {.text = bad[i].text, .constants = constants, .unit = read_unit};
        if (zn_expression_compile(&def, &error, &e) == ZN_OK)
            fail_msg("'%s' was accepted", bad[i].text);
        if (error.position != bad[i].position || strstr(error.message, bad[i].part) == NULL)
            fail_msg("'%s': '%s' at %d", bad[i].text, error.message, error.position);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),   cmocka_unit_test(test_faults),    cmocka_unit_test(test_limits),
        cmocka_unit_test(test_locale),   cmocka_unit_test(test_time),      cmocka_unit_test(test_series),
        cmocka_unit_test(test_callback), cmocka_unit_test(test_variables), cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_kinks),    cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
