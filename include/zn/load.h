/// @file load.h
/// What acts on a model from outside: signals, forces, moments, motors, states and controls of feedback, accelerations,
/// pressures. Part of model.h.
#ifndef ZN_LOAD_H
#define ZN_LOAD_H

#include "zn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- signals -------------------------------------------------------------------------------------

ZN_API zn_status  zn_signal_constant(double value, zn_signal **out);
/// Piecewise linear through (t[i], y[i]), t ascending; constant before the first and after the last.
ZN_API zn_status  zn_signal_series(int count, const double *t, const double *y, zn_signal **out);
/// Expression of t and the named parameters. On an error `message` (size bytes) says what and where.
ZN_API zn_status  zn_signal_expression(const char *text, int count, const char *const *names, const double *values,
                                       char *message, size_t size, zn_signal **out);
/// Any function. `destroy` (may be NULL) is called on `user` when the signal goes.
ZN_API zn_status  zn_signal_callback(double (*at)(void *user, double t), void *user, void (*destroy)(void *user),
                                     zn_signal **out);
/// Feedback: an expression of t, the named parameters, states and controls of the model, and what its sensors tell, by
/// the names of records: "arm.angle", "pin.rate", "rod[3].velocity.x"; forces of contacts and joints ("pad.force") are
/// those at the end of the last step. All must be in the model. For loads, motors, states and controls; the model owns
/// what the signal reads and must outlive it.
ZN_API zn_status  zn_signal_feedback(zn_model *model, const char *text, int count, const char *const *names,
                                     const double *values, char *message, size_t size, zn_signal **out);
/// A controller: from the time and what sensors tell (`count` of them, all different) to one number. `gradient`, unless
/// NULL, gets its derivatives with respect to them: implicit schemes need them to converge. It must give the same for
/// the same arguments, in any thread: what it remembers belongs into states and controls. `destroy` (may be NULL) is
/// called on `user` when the signal goes.
ZN_API zn_status  zn_signal_controller(zn_model *model, int count, const char *const *sensors,
                                       double (*controller)(void *user, double t, const double *sensors,
                                                           double *gradient),
                                       void *user, void (*destroy)(void *user), char *message, size_t size,
                                       zn_signal **out);
ZN_API zn_signal *zn_signal_destroy(zn_signal *signal); ///< accepts NULL, returns NULL
ZN_API double     zn_signal_at(const zn_signal *signal, double t);
/// True when the signal has the same value at all times.
ZN_API bool       zn_signal_is_constant(const zn_signal *signal);

// --- loads ---------------------------------------------------------------------------------------

/// Force at a point, world axes, and (planar frames) a torque. The model takes the signals over, even on failure.
typedef struct zn_force_def {
    size_t        size; ///< set by the default function; do not touch
    const char   *name;
    zn_attachment point;    ///< not the ground
    zn_signal    *force[3]; ///< [N] world x, y, z; NULL: zero
    zn_signal    *torque;   ///< [N m] about z; frame2 only; NULL: zero
} zn_force_def;

ZN_DECLARE_DEF(zn_force_def);
ZN_API zn_status zn_model_add_force(zn_model *model, const zn_force_def *def);

/// Moment on a spatial frame (body or node of a beam). The model takes the signals over, even on failure.
typedef struct zn_moment_def {
    size_t      size; ///< set by the default function; do not touch
    const char *name;
    zn_node_id  node;
    zn_signal  *moment[3]; ///< [N m]; NULL: zero
    bool        follower;  ///< components in the axes of the node, which turn with it; default false: world axes
} zn_moment_def;

ZN_DECLARE_DEF(zn_moment_def);
ZN_API zn_status zn_model_add_moment(zn_model *model, const zn_moment_def *def);

/// Motor: a torque or force between two bodies, or on the travel of a joint, usually feedback. Its work is the line
/// `motor` of the ledger. The model takes the signal over, even on failure.
typedef struct zn_motor_def {
    size_t        size; ///< set by the default function; do not touch
    const char   *name;
    const char   *joint;  ///< revolute or prismatic: acts on its travel; default NULL: on bodies
    zn_attachment a;      ///< not the ground
    zn_attachment b;      ///< takes the reaction; default the ground
    zn_vec3       axis;   ///< of a torque in space, in the axes of b; default z
    zn_signal    *torque; ///< [N m] on a about the axis, of a revolute joint on its travel
    zn_signal    *force; ///< [N] in place of the torque: along the line of the points, positive pushes them apart; of a
                         ///< prismatic joint on its travel
} zn_motor_def;

ZN_DECLARE_DEF(zn_motor_def);
ZN_API zn_status zn_model_add_motor(zn_model *model, const zn_motor_def *def);

/// First-order state x' = rate(q, v, x, t), integrated with the scheme. Expressions and records call it by its name.
typedef struct zn_state_def {
    size_t      size; ///< set by the default function; do not touch
    const char *name;
    double      start; ///< x at the start, default 0
    zn_signal  *rate;  ///< NULL: given later by zn_model_set_rate, which may look at the state itself
} zn_state_def;

ZN_DECLARE_DEF(zn_state_def);
ZN_API zn_status zn_model_add_state(zn_model *model, const zn_state_def *def);
ZN_API zn_status zn_model_set_rate(zn_model *model, const char *state, zn_signal *rate);

/// Named number of a controller, for expressions and records. Sampled ones and switches are written between steps: at
/// the start and when a step has passed a sampling time, in the order in which they were added.
typedef struct zn_control_def {
    size_t      size; ///< set by the default function; do not touch
    const char *name;
    zn_signal *value; ///< constant in time, an expression of time or feedback; the model takes it over, even on failure
    double     period; ///< [s] value is taken at its multiples and held; NaN (default): always; 0: each step
    int        delay;  ///< sampled: as it was so many samples ago; default 0
    double     on;     ///< switch: 1 where the value comes from the side of `off` to here; NaN (default): no switch
    double     off;    ///< switch: 0 where it comes back to here
    double     start;  ///< of a switch 0 or 1, of a delay before its samples arrive; default 0
} zn_control_def;

ZN_DECLARE_DEF(zn_control_def);
ZN_API zn_status zn_model_add_control(zn_model *model, const zn_control_def *def);

/// Uniform acceleration field, added to gravity, on named bodies and bars. Signals as in zn_force_def.
typedef struct zn_acceleration_def {
    size_t             size; ///< set by the default function; do not touch
    const char        *name;
    int                part_count; ///< 0: everything
    const char *const *parts;
    zn_signal         *acceleration[3]; ///< [m/s^2] world x, y, z; NULL: zero
} zn_acceleration_def;

ZN_DECLARE_DEF(zn_acceleration_def);
ZN_API zn_status zn_model_add_acceleration(zn_model *model, const zn_acceleration_def *def);

/// Pressure on the faces of a solid whose nodes all belong to a set; faces inside the body do not count. Positive
/// pressure pushes inwards. The model takes the signal over, even on failure.
typedef struct zn_pressure_def {
    size_t      size; ///< set by the default function; do not touch
    const char *name;
    const char *part;     ///< name of the solid
    const char *face;     ///< name of the node set
    zn_signal  *value;    ///< [Pa]
    bool        follower; ///< acts on the current face, along its current normal; default false: dead load on the
                          ///< undeformed face
} zn_pressure_def;

ZN_DECLARE_DEF(zn_pressure_def);
ZN_API zn_status zn_model_add_pressure(zn_model *model, const zn_pressure_def *def);

#ifdef __cplusplus
}
#endif

#endif
