/// A function of time: one of four kinds behind zn_signal_at.
#ifndef ZN_MODEL_SIGNAL_H
#define ZN_MODEL_SIGNAL_H

#include "model/expression.h"
#include "zn/model.h"

typedef enum zn_signal_kind {
    ZN_SIGNAL_CONSTANT,
    ZN_SIGNAL_SERIES,
    ZN_SIGNAL_EXPRESSION,
    ZN_SIGNAL_CALLBACK
} zn_signal_kind;

struct zn_signal {
    zn_signal_kind kind;
    double         value; ///< constant
    double         scale; ///< factor on the others, for units
    int            count; ///< series: t[count], y[count]
    double        *t, *y;
    zn_expression *expression;
    double (*at)(void *user, double t);
    void (*destroy)(void *user);
    void *user;
};

/// A compiled formula as a signal; takes the formula over, even on failure. ZN_ERR_ARGUMENT when it is constant and
/// not finite.
zn_status zn_signal_take(zn_expression *e, zn_signal **out);

/// Multiply a signal by a number.
void zn_signal_scale(zn_signal *signal, double factor);

/// d signal/dt at t: exact for constants and series (the slope to the right of a sample), else by differences.
double zn_signal_rate(const zn_signal *signal, double t);

#endif
