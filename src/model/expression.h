/// Formulas in text: numbers, units, named constants and variables, the functions of mathematics and, where allowed,
/// the time t.
#ifndef ZN_MODEL_EXPRESSION_H
#define ZN_MODEL_EXPRESSION_H

#include <stdbool.h>

#include "model/number.h"
#include "zn/base.h"

enum {
    ZN_EXPRESSION_LENGTH = 4096, ///< longest text [bytes]
    ZN_EXPRESSION_DEPTH = 64,    ///< deepest nesting of brackets
    ZN_NAME_LENGTH = 63,         ///< longest name [bytes]
};

/// Names with their values, borrowed. `pi` is always known.
typedef struct zn_constants {
    int                count;
    const char *const *names;
    const double      *values;
} zn_constants;

/// What is wrong with a formula, and where.
typedef struct zn_expression_error {
    int  position;     ///< byte in the text, from 0
    char unknown[128]; ///< the name nobody knows, else ""
    char message[200]; ///< without the position
} zn_expression_error;

/// A unit of measurement as its reader found it: value in SI units = value * factor[0] / factor[1] * factor[2] /
/// factor[3].
typedef struct zn_expression_unit {
    int    length; ///< bytes it takes
    double factor[4];
    int    power[4]; ///< of m, kg, s, rad
} zn_expression_unit;

/// Reads the unit that begins at `text`; false with a message when there is none.
typedef bool (*zn_expression_unit_reader)(const char *text, zn_expression_unit *out, char message[160]);

/// What a formula is measured in, as far as its units tell.
typedef struct zn_expression_dimension {
    bool known;      ///< by a unit in the text; false: nothing is said
    int  power[4];   ///< of m, kg, s, rad
    int  at, length; ///< bytes of the text that say so
} zn_expression_dimension;

/// What a formula may use. Constants are gone when it is compiled.
typedef struct zn_expression_def {
    const char               *text;
    zn_constants              constants;
    bool                      time; ///< t is allowed
    zn_expression_unit_reader unit; ///< NULL: no units
    /// Number of the variable of that name, -1: there is none. Names may have dots, "::" and indices inside:
    /// "left::rod[3].velocity.x", and '-' when nobody knows the part before it. NULL: no variables.
    int (*variable)(void *user, const char *name);
    void *user;
} zn_expression_def;

typedef struct zn_expression zn_expression;

/// Compile. ZN_ERR_ARGUMENT with `error` filled when the text is no formula.
zn_status      zn_expression_compile(const zn_expression_def *def, zn_expression_error *error, zn_expression **out);
/// Numbers, constants and, when `time` is true, t.
zn_status      zn_expression_create(const char *text, zn_constants constants, bool time, zn_expression_error *error,
                                    zn_expression **out);
/// The same without t, of variables: their values are read where they are at each evaluation.
zn_status      zn_expression_create_of(const char *text, zn_constants variables, zn_expression_error *error,
                                       zn_expression **out);
zn_expression *zn_expression_destroy(zn_expression *e); ///< accepts NULL, returns NULL

/// Value at time t; may be infinite or NaN. A compiled formula does not change: threads may share it.
double zn_expression_at(const zn_expression *e, double t);
/// The same with the values of the variables, by their numbers.
double zn_expression_of(const zn_expression *e, const double *variables, double t);
/// Value; gradient[count] are the derivatives with respect to variables 0 .. count - 1, *rate (may be NULL) that with
/// respect to t. At kinks and jumps one side is taken.
double zn_expression_gradient(const zn_expression *e, int count, const double *variables, double t, double *gradient,
                              double *rate);

bool                    zn_expression_uses_time(const zn_expression *e);
zn_expression_dimension zn_expression_measure(const zn_expression *e);

/// Compile, evaluate and forget a formula without t. Plain numbers take a short way.
zn_status zn_expression_value(const char *text, zn_constants constants, zn_expression_error *error, double *out);

/// True for words a formula gives a meaning of its own: t, pi and the functions.
bool zn_expression_is_reserved(const char *name);

/// The functions, for messages and the manual. NULL beyond the last.
const char *zn_expression_function(int index);

#endif
