/// What the parts of a formula are measured in. A unit says it; a plain number or a name says nothing, for it may stand
/// for a value in SI units (9.81*m). Only what is said is compared.
#ifndef ZN_MODEL_EXPRESSION_MEASURE_H
#define ZN_MODEL_EXPRESSION_MEASURE_H

#include "model/expression.h"

typedef enum zn_measure_kind {
    ZN_MEASURE_LITERAL, ///< numbers in the text alone
    ZN_MEASURE_OPEN,    ///< names take part: anything
    ZN_MEASURE_UNIT     ///< a unit tells
} zn_measure_kind;

typedef struct zn_measure {
    zn_measure_kind kind;
    int             power[4];
    int             at, length; ///< where the unit is in the text
    bool            has_unit;   ///< somewhere inside
    bool            scaled;     ///< it is no SI unit: leaving it out changes the value
} zn_measure;

zn_measure              zn_measure_unit(const zn_expression_unit *unit, int at);
zn_expression_dimension zn_measure_dimension(const zn_measure *m);

/// left * right^sign. A literal is a factor without a unit.
void zn_measure_product(zn_measure *left, const zn_measure *right, int sign);
/// base^exponent; `number` is the exponent, NAN when it is not constant. False: a unit has no such power.
bool zn_measure_power(zn_measure *base, const zn_measure *exponent, double number);
/// For sums, comparisons, branches: -1 and the common measure in `left`, else the byte of the fault with a message.
int  zn_measure_agree(zn_measure *left, const zn_measure *right, const char *text, char *message, size_t size);
/// Of a function. False with a message when its arguments cannot be measured so.
bool zn_measure_function(const char *name, int count, zn_measure *arguments, const char *text, zn_measure *out,
                         char *message, size_t size);

#endif
