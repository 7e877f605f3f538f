/// Formulas in text: numbers, named constants, the functions of mathematics and, where allowed, the time t.
#ifndef ZN_MODEL_EXPRESSION_H
#define ZN_MODEL_EXPRESSION_H

#include <stdbool.h>

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
    char unknown[64];  ///< the name nobody knows, else ""
    char message[160]; ///< without the position
} zn_expression_error;

typedef struct zn_expression zn_expression;

/// Compile. ZN_ERR_ARGUMENT with `error` filled when the text is no formula; t is refused unless `time` is true.
zn_status      zn_expression_create(const char *text, zn_constants constants, bool time, zn_expression_error *error,
                                    zn_expression **out);
/// The same without t, of variables: their values are read at each evaluation. A name may have one dot inside,
/// "velocity.x".
zn_status      zn_expression_create_of(const char *text, zn_constants variables, zn_expression_error *error,
                                       zn_expression **out);
zn_expression *zn_expression_destroy(zn_expression *e); ///< accepts NULL, returns NULL
/// Value at time t; may be infinite or NaN. Threads wait for each other: the compiled formula keeps its operands
/// inside.
double         zn_expression_at(zn_expression *e, double t);
bool           zn_expression_uses_time(const zn_expression *e);

/// Compile, evaluate and forget a formula without t. Plain numbers take a short way.
zn_status zn_expression_value(const char *text, zn_constants constants, zn_expression_error *error, double *out);

/// A decimal number that fills the whole text, in any locale. False for anything else, overflow included.
bool zn_number_parse(const char *text, double *out);

/// Length of the decimal number at s: 12, 1.5, .5, 2., 1e-3 (no sign); 0 when there is none.
size_t zn_number_length(const char *s);

/// True for words a formula gives a meaning of its own: t, pi and the functions.
bool zn_expression_is_reserved(const char *name);

/// The functions, for messages and the manual. NULL beyond the last.
const char *zn_expression_function(int index);

#endif
