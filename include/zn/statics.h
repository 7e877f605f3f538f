/// @file statics.h
/// States at which a system rests.
#ifndef ZN_STATICS_H
#define ZN_STATICS_H

#include "zn/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- equilibrium ---------------------------------------------------------------------------------

/// Search for a static equilibrium.
typedef struct zn_equilibrium_def {
    int         load_steps;        ///< equal steps in which gravity and loads grow, default 1
    int         newton_iterations; ///< limit of one Newton iteration, default 30
    double      tolerance;     ///< relative residual of the forces, or correction of the displacement; default 1e-12
    const char *linear_solver; ///< NULL (default): by estimated work; "dense", "klu"
    zn_log      log;
    int         cookie;
} zn_equilibrium_def;

ZN_API zn_equilibrium_def zn_equilibrium_def_default(void);

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
