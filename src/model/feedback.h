/// A number that a controller makes of what sensors tell: an expression or a function of them, with its gradient. Its
/// inputs are sensors, or numbers of the same kind that have a name (control.h). Constant once it is made.
#ifndef ZN_MODEL_FEEDBACK_H
#define ZN_MODEL_FEEDBACK_H

#include "model/expression.h"
#include "model/sensor.h"

enum {
    ZN_FEEDBACK_INPUTS = 32, ///< the most of one number
    ZN_FEEDBACK_NODES = 16,  ///< the most that it may look at, what it acts on included
    ZN_FEEDBACK_DOFS = 6 * ZN_FEEDBACK_NODES
};

typedef struct zn_feedback zn_feedback;
/// As of zn_signal_controller.
typedef double (*zn_controller)(void *user, double t, const double *sensors, double *gradient);

typedef struct zn_feedback_input {
    char               name[2 * ZN_NAME_LENGTH + 2];
    const zn_feedback *other; ///< NULL: the sensor; borrowed
    zn_sensor          sensor;
} zn_feedback_input;

struct zn_feedback {
    zn_model          *model; ///< borrowed
    int                inputs;
    zn_feedback_input *input;
    zn_expression     *expression; ///< NULL: the function
    zn_controller      function;
    void              *user;
    void (*destroy)(void *user);
};

/// Without inputs and without a rule. NULL without memory.
zn_feedback *zn_feedback_create(zn_model *model);
zn_feedback *zn_feedback_destroy(zn_feedback *f); ///< accepts NULL, returns NULL
/// Number of the input of that name, which is a state, a control, or what a sensor is called; -1: there is none, and
/// `message` says why. Forces of contacts and joints are those of the last step: the model gets an entry that holds
/// them.
int          zn_feedback_input_of(zn_feedback *f, const char *name, char *message, size_t size);

double zn_feedback_value(const zn_feedback *f, const zn_layout *layout, zn_at at);
/// weight times the gradient is added to g, which has room for ZN_FEEDBACK_DOFS entries; returns the value.
double zn_feedback_gradient(const zn_feedback *f, const zn_layout *layout, zn_at at, double weight, zn_gradient *g);
bool   zn_feedback_uses_velocity(const zn_feedback *f);
/// Nodes it looks at join the list of `count`, at most `room`; returns the new count, room + 1 when they do not fit.
int    zn_feedback_nodes(const zn_feedback *f, int count, int room, int *node);

#endif
