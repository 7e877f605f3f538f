/// What cmocka lacks: doubles compared with a tolerance and printed with all their digits; random numbers.
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

/// Numbers in (-1, 1) from a small multiplicative generator: the same on every machine.
static inline double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

/// |actual - expected| <= tolerance, absolute. NaN fails.
#define CHECK_NEAR(actual, expected, tolerance)                                                                        \
    check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

/// actual <= bound. NaN fails.
#define CHECK_BELOW(actual, bound) check_below((actual), (bound), #actual, __FILE__, __LINE__)

/// A call that must return ZN_OK.
#define CHECK_OK(call)               check_status((call), ZN_OK, #call, __FILE__, __LINE__)
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
