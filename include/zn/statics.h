/// @file statics.h
/// States at which a system rests.
#ifndef ZN_STATICS_H
#define ZN_STATICS_H

#include "zn/option.h"
#include "zn/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- equilibrium ---------------------------------------------------------------------------------

/// What is done about an unstable equilibrium.
typedef enum zn_unstable { ZN_UNSTABLE_WARN, ZN_UNSTABLE_ERROR, ZN_UNSTABLE_IGNORE } zn_unstable;

// clang-format off
/// Options of static runs, in the columns of ZN_SCHEME_OPTION_LIST.
#define ZN_EQUILIBRIUM_OPTION_LIST(X) \
    X(int, load_steps, 1, ZN_BETWEEN(1, 1e6), NONE, ALL, MOTION, \
      "equal steps in which gravity and loads grow; one that fails is halved") \
    X(double, tolerance, 1e-12, ZN_BEYOND(0, 0.1), NONE, ALL, MOTION, \
      "relative residual of the forces, or correction of the displacements") \
    X(int, newton_iterations, 30, ZN_BETWEEN(1, 10000), NONE, ALL, EFFORT, \
      "limit of Newton's method") \
    X(const char *, linear_solver, "auto", ZN_WORDS(ZN_LINSOLVER_DIRECT_WORDS), NONE, ALL, MOTION, \
      "of linear equations; auto: by estimated work") \
    X(bool, friction, true, ZN_ANY, NONE, ALL, MOTION, \
      "contacts hold by friction, from where the load step begins; false: as if they were smooth") \
    X(zn_unstable, unstable, ZN_UNSTABLE_WARN, ZN_WORDS("warn error ignore"), NONE, ALL, MOTION, \
      "what becomes of an equilibrium that the smallest push ends: a warning, an error, or nothing (it is not looked " \
      "for, which saves one or two factorizations)")
// clang-format on

/// Search for a static equilibrium.
typedef struct zn_equilibrium_def {
    size_t size; ///< set by the default function; do not touch
    zn_log log;
#define ZN_OPTION_FIELD(type, field, ...) type field;
    ZN_EQUILIBRIUM_OPTION_LIST(ZN_OPTION_FIELD)
#undef ZN_OPTION_FIELD
    /// Called in every iteration; a status other than ZN_OK ends the search with it (ZN_INTERRUPTED for Ctrl-C). May be
    /// NULL.
    zn_status (*poll)(void *user);
    void *poll_user;
} zn_equilibrium_def;

ZN_DECLARE_DEF(zn_equilibrium_def);
ZN_API zn_options zn_equilibrium_options(void); ///< the table of ZN_EQUILIBRIUM_OPTION_LIST

typedef struct zn_equilibrium_info {
    int           load_steps;        ///< done
    int           increments;        ///< Newton solves they took: more when some had to be halved
    int           retries;           ///< increments that failed and were halved
    int           relaxations;       ///< steps in pseudo-time, taken where stiffness alone does not hold the model
    int           newton_iterations; ///< of all increments
    double        residual;          ///< largest unbalanced force over the largest force
    double        penetration;       ///< max(0, -gap) of a contact [m]
    double        joint;             ///< |g| of a joint equation [m or rad]
    double        coulomb; ///< distance from the law of friction [m]: slip of contacts that stick, and the error of
                           ///< forces over the largest, times the size of the model; NaN: friction is left out
    zn_contact_id coulomb_contact; ///< whose it is, or none
    zn_vec3       load;            ///< sum of gravity and loads [N]
    zn_vec3       support;  ///< sum of what the ground answers: joints, contacts, springs, fixed degrees of freedom [N]
    int           negative; ///< directions that the constraints allow and in which the stiffness is negative: > 0 means
                            ///< unstable; -1: not counted (`unstable: ignore`, no symmetric matrix, no room)
    int           neutral;  ///< directions without stiffness, up to rounding; -1: not counted
    zn_linsolver_info linear_solver; ///< of all matrices that were factored, those that failed included
} zn_equilibrium_info;

/// Find q with f(q, 0, t) + G'l = 0, joints g = 0, contacts 0 <= g _|_ l >= 0 with Coulomb's friction, from the state
/// given and at its time, and set v = 0. Friction depends on the way: slip counts from the beginning of each load step,
/// so that contacts stick at the place given when they can (theory page on equilibrium). Prescribed motion stands at
/// time t; systems in minimal coordinates keep all their forces in every load step. Impulses and reactions of the state
/// become those of one second, numerically the forces; where they are not determined (four feet of a rigid table) they
/// are some that balance, alike where that is near. Directions that nothing holds and no force acts along stay where
/// they are; a force along such a direction is ZN_ERR_MODEL, "not held". An unstable equilibrium is told as
/// def.unstable says; as an error it is ZN_NOT_STABLE. The state is untouched unless ZN_OK. `info` may be NULL.
ZN_API zn_status zn_equilibrium_solve(const zn_system *sys, const zn_equilibrium_def *def, zn_state *state,
                                      zn_equilibrium_info *info);

// --- modes ---------------------------------------------------------------------------------------

/// Search for modes.
typedef struct zn_modes_def {
    size_t      size;          ///< set by the default function; do not touch
    int         count;         ///< how many, from the lowest on; > 0, default 10
    const char *linear_solver; ///< as in zn_equilibrium_def
    zn_log      log;
    bool        friction; ///< contacts that stick hold their tangents too; default true
} zn_modes_def;

ZN_DECLARE_DEF(zn_modes_def);

/// One mode: x'M x = 1, and x moves as exp(i w t).
typedef struct zn_mode {
    double        square;    ///< w^2 [1/s^2], ascending; negative: it grows as exp(sqrt(-w^2) t)
    double        frequency; ///< sqrt(w^2) / 2 pi [Hz]; 0 for a motion that nothing holds, NaN where w^2 < 0
    zn_vec3       mass;      ///< (x'M r)^2 of the shift r along each axis [kg]: adds up to all mass that can move
    double        amplitude; ///< for pictures: times x it moves nothing by more than a twentieth of the size of the
                             ///< model and turns nothing by more than 0.2 rad
    const double *shape;     ///< x: a velocity, one entry per degree of freedom; those of fixed ones are zero
} zn_mode;

typedef struct zn_modes {
    int      count;    ///< fewer than were wanted when there are no more
    int      negative; ///< modes with w^2 < 0 among all there are, found or not
    int      neutral;  ///< motions that nothing holds, likewise
    zn_vec3  mass;     ///< of everything, as the shift along each axis feels it [kg]
    zn_mode *mode;
} zn_modes;

/// Small motions about a state of rest: (K - d(G'l)/dq) x = w^2 M x within joints and contacts that carry force, which
/// are taken for equations. Damping is left out. Forces l are the impulses of the state, of one second, as
/// zn_equilibrium_solve leaves them. That no mode below the last one is missing is checked by counting them in another
/// way. ZN_ERR_UNSUPPORTED where forces have no potential (a load that follows a body): the matrix is not symmetric.
ZN_API zn_status zn_modes_find(const zn_system *sys, const zn_modes_def *def, const zn_state *state, zn_modes **out);
ZN_API zn_modes *zn_modes_destroy(zn_modes *modes); ///< accepts NULL, returns NULL

#ifdef __cplusplus
}
#endif

#endif
