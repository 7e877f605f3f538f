/// Lets a user look at the problems a scheme solves. Without a user it costs one comparison.
#ifndef ZN_CONSTRAINT_OBSERVE_H
#define ZN_CONSTRAINT_OBSERVE_H

#include "zn/solve.h"

/// Show a problem that was just solved with `status`, and hand that status back, so that a solve reads
///     ZN_TRY(zn_observe(&def.observer, &problem, "velocity", t, zn_fc_solve(&problem, ...)));
zn_status zn_observe(const zn_observer *observer, const zn_fc_problem *problem, const char *level, double t,
                     zn_status status);
/// The same for a problem without friction, shown as contacts without tangents.
zn_status zn_observe_shown_lcp(const zn_observer *observer, const zn_lcp_problem *problem, const char *level, double t,
                               zn_status status);
static inline zn_status zn_observe_lcp(const zn_observer *observer, const zn_lcp_problem *problem, const char *level,
                                       double t, zn_status status)
{
    return observer->problem ? zn_observe_shown_lcp(observer, problem, level, t, status) : status;
}

#endif
