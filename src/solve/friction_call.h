/// One call of zn_fc_solve: proposals of solvers, judged in the caller's units.
#ifndef ZN_SOLVE_FRICTION_CALL_H
#define ZN_SOLVE_FRICTION_CALL_H

#include "solve/friction.h"

typedef struct zn_fc_call {
    const zn_fc_problem  *p;
    const zn_fc_settings *settings;
    zn_fc_workspace      *memory;
    double               *r, *u;           ///< the caller's
    double               *trial, *trial_u; ///< n: a proposal in the caller's units
    double               *raw;             ///< n: the same before it was cleaned
    double               *best;            ///< n: the best of those that were refused
    double                best_measure;
    zn_fc_verdict         verdict; ///< on r, once accepted
    double                zero;    ///< what r = 0 measures, NAN: not asked
    zn_fc_effort          effort;
    zn_fc_info            info;
} zn_fc_call;

/// Take call->trial as the answer.
void      zn_fc_call_accept(zn_fc_call *call, const char *solver);
/// The verdict on call->trial: as it is, if bringing it back into the cones does harm.
zn_status zn_fc_call_judge(zn_fc_call *call, const char *solver);
bool      zn_fc_is_planar(const zn_fc_problem *p);

/// Dense solvers, from the caller's r; `tables`: with room for tables of pivots.
zn_status zn_fc_call_prepare_dense(zn_fc_call *call, bool tables, zn_fc_work *work);
zn_status zn_fc_call_dense(zn_fc_call *call, zn_fc_work *work, const char *name, zn_fc_dense_method *method);

/// Solvers on blocks. Without a name the method says which one it was.
zn_status zn_fc_call_prepare_blocks(zn_fc_call *call, const double *start, zn_fc_task *task);
zn_status zn_fc_call_blocks(zn_fc_call *call, zn_fc_task *task, const char *name, zn_fc_method *method);

/// Problems without a warm start, on from the sweeps in call->trial.
zn_status zn_fc_solve_cold(zn_fc_call *call);
/// The automatic choice, of any problem.
zn_status zn_fc_solve_auto(zn_fc_call *call);

#endif
