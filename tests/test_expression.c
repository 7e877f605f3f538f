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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),   cmocka_unit_test(test_faults), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_locale),   cmocka_unit_test(test_time),   cmocka_unit_test(test_series),
        cmocka_unit_test(test_callback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
