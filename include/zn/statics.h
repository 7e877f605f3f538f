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

// clang-format off
/// Options of static runs, in the columns of ZN_SCHEME_OPTION_LIST.
#define ZN_EQUILIBRIUM_OPTION_LIST(X) \
    X(int, load_steps, 1, ZN_BETWEEN(1, 1e6), NONE, ALL, MOTION, \
      "equal steps in which gravity and loads grow; one that fails is halved") \
    X(double, tolerance, 1e-12, ZN_BEYOND(0, 0.1), NONE, ALL, MOTION, \
      "relative residual of the forces, or correction of the displacements") \
    X(int, newton_iterations, 30, ZN_BETWEEN(1, 10000), NONE, ALL, EFFORT, \
      "limit of Newton's method") \
    X(const char *, linear_solver, "auto", ZN_WORDS(ZN_LINSOLVER_WORDS), NONE, ALL, MOTION, \
      "of linear equations; auto: by estimated work")
// clang-format on

/// Search for a static equilibrium.
typedef struct zn_equilibrium_def {
    size_t size; ///< set by the default function; do not touch
    zn_log log;
#define ZN_OPTION_FIELD(type, field, ...) type field;
    ZN_EQUILIBRIUM_OPTION_LIST(ZN_OPTION_FIELD)
#undef ZN_OPTION_FIELD
} zn_equilibrium_def;

ZN_DECLARE_DEF(zn_equilibrium_def);
ZN_API zn_options zn_equilibrium_options(void); ///< the table of ZN_EQUILIBRIUM_OPTION_LIST

typedef struct zn_equilibrium_info {
    int     load_steps;        ///< done
    int     increments;        ///< Newton solves they took: more when some had to be halved
    int     retries;           ///< increments that failed and were halved
    int     relaxations;       ///< steps in pseudo-time, taken where stiffness alone does not hold the model
    int     newton_iterations; ///< of all increments
    double  residual;          ///< largest unbalanced force over the largest force
    double  penetration;       ///< max(0, -gap) of a contact [m]
    double  joint;             ///< |g| of a joint equation [m or rad]
    zn_vec3 load;              ///< sum of gravity and loads [N]
    zn_vec3 support; ///< sum of what the ground answers: joints, contacts, springs, fixed degrees of freedom [N]
    zn_linsolver_info linear_solver; ///< of all matrices that were factored, those that failed included
} zn_equilibrium_info;

/// Find q with f(q, 0, t) + G'l = 0, joints g = 0, contacts 0 <= g _|_ l >= 0 (frictionless), from the state given and
/// at its time, and set v = 0. Prescribed motion stands at time t; systems in minimal coordinates keep all their forces
/// in every load step. Impulses and reactions of the state become those of one second, numerically the forces; where
/// they are not determined (four feet of a rigid table) they are some that balance, alike where that is near.
/// Directions that nothing holds and no force acts along stay where they are; a force along such a direction is
/// ZN_ERR_MODEL, "not held". The state is untouched unless ZN_OK. `info` may be NULL.
ZN_API zn_status zn_equilibrium_solve(const zn_system *sys, const zn_equilibrium_def *def, zn_state *state,
                                      zn_equilibrium_info *info);

#ifdef __cplusplus
}
#endif

#endif
