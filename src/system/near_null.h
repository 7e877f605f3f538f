/// Rigid motions of a system, for solvers that iterate.
#ifndef ZN_SYSTEM_NEAR_NULL_H
#define ZN_SYSTEM_NEAR_NULL_H

#include "math/near_null.h"
#include "zn/system.h"

/// At the initial configuration. NULL in `out` where `linear_solver` will not iterate in any case.
zn_status     zn_system_near_null(const zn_system *sys, const char *linear_solver, zn_near_null **out);
zn_near_null *zn_near_null_destroy(zn_near_null *near); ///< accepts NULL, returns NULL

#endif
