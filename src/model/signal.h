/// A function of time: one of four kinds behind zn_signal_at. Feedback is a fifth, which only loads, motors, states and
/// controls understand.
#ifndef ZN_MODEL_SIGNAL_H
#define ZN_MODEL_SIGNAL_H

#include "model/expression.h"
#include "zn/model.h"

typedef enum zn_signal_kind {
    ZN_SIGNAL_CONSTANT,
    ZN_SIGNAL_SERIES,
    ZN_SIGNAL_EXPRESSION,
    ZN_SIGNAL_CALLBACK,
    ZN_SIGNAL_FEEDBACK ///< no function of time alone: see feedback.h
} zn_signal_kind;

struct zn_signal {
    zn_signal_kind      kind;
    double              value; ///< constant
    double              scale; ///< factor on the others, for units
    int                 count; ///< series: t[count], y[count]
    double             *t, *y;
    zn_expression      *expression;
    struct zn_feedback *feedback;
    double (*at)(void *user, double t);
    void (*destroy)(void *user);
    void *user;
};

/// A compiled formula as a signal; takes the formula over, even on failure. ZN_ERR_ARGUMENT when it is constant and
/// not finite.
zn_status zn_signal_take(zn_expression *e, zn_signal **out);

/// A formula whose variables are the inputs of `f`, both taken over, even on failure; without inputs it is a function
/// of time.
zn_status zn_signal_take_feedback(struct zn_feedback *f, zn_expression *e, zn_signal **out);
/// The signal as feedback of a model, which owns it: what it is, or a function of time made such.
zn_status zn_signal_as_feedback(zn_model *model, zn_signal *signal, const struct zn_feedback **out);

/// Multiply a signal by a number.
void zn_signal_scale(zn_signal *signal, double factor);

/// d signal/dt at t: exact for constants and series (the slope to the right of a sample), else by differences.
double zn_signal_rate(const zn_signal *signal, double t);

#endif
