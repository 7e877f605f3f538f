/// @file spring.h
/// Force elements of a model: springs along a line, torsion springs, bushings. Part of model.h.
#ifndef ZN_SPRING_H
#define ZN_SPRING_H

#include "zn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- laws ----------------------------------------------------------------------------------------

/// A force that is not in proportion to the elongation. Of torsion springs read angle and moment for length and force.
typedef struct zn_spring_law zn_spring_law;

/// Linear between the points (elongation[i], force[i]), elongation ascending, count >= 2; beyond them the first and the
/// last piece go on. The force has a potential, the strain energy.
ZN_API zn_status zn_spring_law_table(int count, const double *elongation, const double *force, zn_spring_law **out);
/// Expression of `coordinate` ("length", "angle"), "rate", "t" and the named parameters. On an error `message` (size
/// bytes) says what and where. Its work is that of a load; what depends on the rate is a damper.
ZN_API zn_status zn_spring_law_formula(const char *text, const char *coordinate, int count, const char *const *names,
                                       const double *values, char *message, size_t size, zn_spring_law **out);
/// Any function, as a formula is; `slope` gets its derivatives by x and by rate. `destroy` (may be NULL) is called on
/// `user` when the law goes.
ZN_API zn_status zn_spring_law_callback(double (*at)(void *user, double x, double rate, double t, double *slope),
                                        void *user, void (*destroy)(void *user), zn_spring_law **out);
ZN_API zn_spring_law *zn_spring_law_destroy(zn_spring_law *law); ///< accepts NULL, returns NULL

// --- springs along a line ------------------------------------------------------------------------

/// both: pulls and pushes; pull: a rope, which goes slack; push: a stop, which lets go.
typedef enum zn_spring_side { ZN_SPRING_BOTH, ZN_SPRING_PULL, ZN_SPRING_PUSH } zn_spring_side;

/// Spring-damper between two points, geometrically nonlinear: force k (l - l0) + c dl/dt along the line. Where it acts
/// one way only, it has no force beyond l0, and the damper has at most that of the spring. The model takes signal and
/// law over, even on failure.
typedef struct zn_spring_def {
    size_t         size; ///< set by the default function; do not touch
    const char    *name;
    zn_attachment  from, to;
    double         stiffness;   ///< k [N/m], >= 0
    double         damping;     ///< c [N s/m], >= 0
    double         rest_length; ///< l0 [m], >= 0; NaN (default): the initial length
    double         preload;     ///< instead of rest_length, force at the start [N], pull positive; NaN (default): none
    zn_signal     *rest;        ///< instead of rest_length, a function of time [m]; NULL (default): none
    zn_spring_law *law;         ///< instead of stiffness; a formula also instead of damping and rest length
    zn_spring_side acts;        ///< default both
} zn_spring_def;

ZN_DECLARE_DEF(zn_spring_def);
ZN_API zn_status zn_model_add_spring(zn_model *model, const zn_spring_def *def);

// --- torsion springs -----------------------------------------------------------------------------

/// Spring-damper on the angle phi of `to` against `from`, unwrapped over many turns: moment k (phi - phi0) + c dphi/dt
/// that turns `to` back, and its opposite on `from`. In the plane phi is the difference of the angles of both; in space
/// it is about an axis that `from` carries, 0 at the start. The model takes signal and law over, even on failure.
typedef struct zn_torsion_def {
    size_t         size; ///< set by the default function; do not touch
    const char    *name;
    zn_attachment  from, to;   ///< frames, or the ground; their points are for pictures only
    zn_vec3        axis;       ///< in space: in world axes at the start, any length > 0
    double         stiffness;  ///< k [N m/rad], >= 0
    double         damping;    ///< c [N m s/rad], >= 0
    double         free_angle; ///< phi0 [rad]; NaN (default): the initial angle
    double         preload;    ///< instead of free_angle, moment at the start [N m]; NaN (default): none
    zn_signal     *rest;       ///< instead of free_angle, a function of time [rad]; NULL (default): none
    zn_spring_law *law;        ///< as in zn_spring_def
} zn_torsion_def;

ZN_DECLARE_DEF(zn_torsion_def);
ZN_API zn_status zn_model_add_torsion(zn_model *model, const zn_torsion_def *def);

// --- bushings ------------------------------------------------------------------------------------

/// Elastic bush between two frames: with u the displacement of the point of `to` against that of `from`, and theta the
/// rotation vector (less than half a turn), both from the start on and in axes that `from` carries,
///     force and moment = K (u, theta) + C d(u, theta)/dt
/// on `from` at the point of `to`, and their opposite on `to`. In the plane u has two components and theta is an angle:
/// rows and columns 0, 1 and 5.
typedef struct zn_bushing_def {
    size_t        size; ///< set by the default function; do not touch
    const char   *name;
    zn_attachment from, to;        ///< frames, or the ground
    zn_quat       axes;            ///< the axes at the start, to world axes; default: these
    double        stiffness[6][6]; ///< K [N/m, N/rad; N m/m, N m/rad], symmetric, positive semidefinite
    double        damping[6][6];   ///< C, likewise
} zn_bushing_def;

ZN_DECLARE_DEF(zn_bushing_def);
ZN_API zn_status zn_model_add_bushing(zn_model *model, const zn_bushing_def *def);

#ifdef __cplusplus
}
#endif

#endif
