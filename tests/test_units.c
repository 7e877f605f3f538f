// Units: values against the SI brochure, dimensions, and where a unit begins.
#include "check.h"
#include "io/units.h"

static double si(const char *text, double value)
{
    zn_unit unit;
    char    message[ZN_UNIT_MESSAGE] = "";
    if (!zn_unit_parse(text, &unit, message))
        fail_msg("'%s': %s", text, message);
    return zn_unit_apply(&unit, value);
}

// Decimal prefixes give the double nearest to the decimal number, as if the user had written it in SI.
static void test_decimal_units_are_exact(void **state)
{
    (void)state;
    assert_true(si("mm", 3) == 0.003);
    assert_true(si("mm", 7.7) == 0.0077);
    assert_true(si("um", 1) == 1e-6);
    assert_true(si("nm", 9) == 9e-9);
    assert_true(si("cm", 50) == 0.5);
    assert_true(si("dm", 3) == 0.3);
    assert_true(si("km", 1.5) == 1500);
    assert_true(si("g", 100) == 0.1);
    assert_true(si("kg", 2) == 2);
    assert_true(si("mg", 5) == 5e-6);
    assert_true(si("t", 7.85) == 7850);
    assert_true(si("ms", 2) == 0.002);
    assert_true(si("GPa", 210) == 210e9);
    assert_true(si("MPa", 0.1) == 0.1e6);
    assert_true(si("N/mm^2", 355) == 355e6);
    assert_true(si("g/cm^3", 7.8) == 7800);
    assert_true(si("mm^2", 30) == 30e-6);
    assert_true(si("kN/mm", 2) == 2e6);
    assert_true(si("mJ", 1) == 1e-3);
    assert_true(si("kW", 1) == 1e3);
}

static void test_other_units(void **state)
{
    (void)state;
    CHECK_NEAR(si("min", 2), 120, 0);
    CHECK_NEAR(si("h", 1), 3600, 0);
    CHECK_NEAR(si("km/h", 36), 10, 1e-15);
    CHECK_NEAR(si("deg", 180), 3.14159265358979323846, 0);
    CHECK_NEAR(si("deg", 90), 1.57079632679489661923, 0);
    CHECK_NEAR(si("\xc2\xb0", 90), 1.57079632679489661923, 0);
    CHECK_NEAR(si("\xc2\xb0/s", 360), 6.28318530717958647693, 1e-15);
    CHECK_NEAR(si("rpm", 60), 6.28318530717958647693, 1e-15);
    CHECK_NEAR(si("t/mm^3", 7.85e-9), 7850, 1e-12);
    CHECK_NEAR(si("deg/s", 360), 6.28318530717958647693, 1e-15);
    CHECK_NEAR(si("s^-2", 3), 3, 0);
    CHECK_NEAR(si("min^-1", 60), 1, 0);
}

static void check_dimension(const char *text, zn_dimension expected)
{
    zn_unit unit;
    char    message[ZN_UNIT_MESSAGE];
    assert_true(zn_unit_parse(text, &unit, message));
    for (int d = 0; d < ZN_DIMENSIONS; d++)
        if (zn_unit_fits(&unit, (zn_dimension)d) != (d == (int)expected))
            fail_msg("'%s' against dimension %d (%s)", text, d, zn_dimension_unit((zn_dimension)d));
    assert_true(zn_unit_fits(&unit, ZN_DIM_ANY));
}

static void test_dimensions(void **state)
{
    (void)state;
    for (int d = 1; d < ZN_DIMENSIONS; d++) // every dimension accepts its own SI unit and no other does
        check_dimension(zn_dimension_unit((zn_dimension)d), (zn_dimension)d);
    check_dimension("kg m/s^2", ZN_DIM_FORCE);
    check_dimension("kg*m^2/s^2", ZN_DIM_TORQUE);
    check_dimension("J", ZN_DIM_TORQUE);
    check_dimension("N/m^2", ZN_DIM_PRESSURE);
    check_dimension("N s / m", ZN_DIM_DAMPING);
    check_dimension("kg/s", ZN_DIM_DAMPING);
    check_dimension("m/s/s", ZN_DIM_ACCELERATION);
    check_dimension("W s", ZN_DIM_TORQUE);
    check_dimension("rpm", ZN_DIM_SPIN);
    // an angle is no number and a frequency is no angular velocity: 1 Hz would silently be 1 rad/s
    zn_unit unit;
    char    message[ZN_UNIT_MESSAGE];
    assert_true(zn_unit_parse("Hz", &unit, message));
    assert_false(zn_unit_fits(&unit, ZN_DIM_SPIN));
}

static void test_bad_units(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"", "expected"},
        {"kgg", "'kgg'"},
        {"pi", "'pi'"},
        {"Kg", "'Kg'"},
        {"mPa", "'mPa'"},
        {"mmm", "'mmm'"},
        {"m^", "power"},
        {"m^0", "power"},
        {"m^10", "power"},
        {"m^x", "power"},
        {"m/", "expected"},
        {"m//s", "expected"},
        {"m + 2 m", "nothing can follow"},
        {"kg/m s", "ambiguous"},
        {"kg/m*s", "ambiguous"},
        {"m2", "expected"},
        {"m \xc2\xb5", "expected"},
        {"m m m m m m m m m", "too many"},
        {"(m)", "expected"},
        {"m 3", "expected"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        zn_unit unit = {.decade = 77};
        char    message[ZN_UNIT_MESSAGE] = "";
        if (zn_unit_parse(bad[i].text, &unit, message))
            fail_msg("'%s' was accepted", bad[i].text);
        if (strstr(message, bad[i].part) == NULL)
            fail_msg("'%s': message '%s' lacks '%s'", bad[i].text, message, bad[i].part);
        assert_int_equal(unit.decade, 77);
    }
}

static void test_split(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t      border;
    } cases[] = {
        {"210 GPa", 4},        {"30 \xc2\xb0", 3}, {"30\xc2\xb0", 2},
        {"2*R + 0.1 m", 10},   {"pi*1e-4", 7},     {"drive*(t > 0.1)", 15},
        {"3 N s/m", 2},        {"(1 + 2)\tmm", 8}, {"5. kg", 3},
        {"a_ m", 3},           {"R", 1},           {"", 0},
        {"t > 1 ? a : b", 13}, {"2 * R", 5},       {"x ? y : z mm", 10},
        {"1 + 2", 5},          {"1 2", 3},         {"- R  mm", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (zn_unit_split(cases[i].text) != cases[i].border)
            fail_msg("'%s' is split at %zu, expected %zu", cases[i].text, zn_unit_split(cases[i].text),
                     cases[i].border);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decimal_units_are_exact),
        cmocka_unit_test(test_other_units),
        cmocka_unit_test(test_dimensions),
        cmocka_unit_test(test_bad_units),
        cmocka_unit_test(test_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
