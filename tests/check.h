/// What cmocka lacks: doubles compared with a tolerance and printed with all their digits.
#ifndef ZN_TESTS_CHECK_H
#define ZN_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "zn/base.h"

/// |actual - expected| <= tolerance, absolute. NaN fails.
#define CHECK_NEAR(actual, expected, tolerance) \
    check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

/// actual <= bound. NaN fails.
#define CHECK_BELOW(actual, bound) check_below((actual), (bound), #actual, __FILE__, __LINE__)

/// A call that must return ZN_OK.
#define CHECK_OK(call) check_status((call), ZN_OK, #call, __FILE__, __LINE__)
#define CHECK_STATUS(call, expected) check_status((call), (expected), #call, __FILE__, __LINE__)

static inline void check_near(double actual, double expected, double tolerance, const char *what, const char *file,
                              int line)
{
    if (fabs(actual - expected) <= tolerance)
        return;
    print_error("%s = %.17g, expected %.17g within %.3g (off by %.3g)\n", what, actual, expected, tolerance,
                actual - expected);
    _fail(file, line);
}

static inline void check_below(double actual, double bound, const char *what, const char *file, int line)
{
    if (actual <= bound)
        return;
    print_error("%s = %.17g exceeds %.17g\n", what, actual, bound);
    _fail(file, line);
}

static inline void check_status(zn_status actual, zn_status expected, const char *what, const char *file, int line)
{
    if (actual == expected)
        return;
    print_error("%s returned '%s', expected '%s'\n", what, zn_status_text(actual), zn_status_text(expected));
    _fail(file, line);
}

#endif
