/// Numbers of controllers that have a name, and what they remember between steps (entries of q, see memory.h):
///     value     an expression, evaluated whenever it is asked for
///     sampled   its value at sampling times, held between them, as it was some samples ago
///     switch    0 or 1, with hysteresis
///     quantity  what is known at the end of a step only: a force of a contact or joint
#ifndef ZN_MODEL_CONTROL_H
#define ZN_MODEL_CONTROL_H

#include "model/feedback.h"

typedef enum zn_control_kind {
    ZN_CONTROL_VALUE,
    ZN_CONTROL_SAMPLED,
    ZN_CONTROL_SWITCH,
    ZN_CONTROL_QUANTITY
} zn_control_kind;

struct zn_control {
    zn_control_kind    kind;
    const char        *name;   ///< borrowed from the names; of a quantity its path, owned
    const zn_feedback *value;  ///< NULL: a quantity
    double             period; ///< [s] between samples; 0: each step
    int                delay;  ///< samples
    int                memory; ///< what others see; those that wait for their time come after it
    double             on, off;
};

/// First-order states: nodes whose velocity is the value.
struct zn_state_rate {
    int  node;
    bool given; ///< its rate
};

/// An entry that holds a record ("pad.force"), new or as there was before.
zn_status zn_model_hold(zn_model *model, const char *path, int *memory);

/// New values at the end of a step from t_before to at.t, or (t_before = NAN) at the start; `q` is at.q. Quantities are
/// written by the caller before. In the order in which controls were added. True: a value that others see has changed.
bool zn_controls_update(const zn_model *model, const zn_layout *layout, zn_at at, double t_before, double *q);

#endif
