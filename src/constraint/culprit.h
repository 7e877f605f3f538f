/// The row of a problem that was not solved which is off most: who is to blame (base/blame.h).
#ifndef ZN_CONSTRAINT_CULPRIT_H
#define ZN_CONSTRAINT_CULPRIT_H

#include "constraint/constraints.h"

/// Blame the joint or contact that is farthest from its law at the last iterate z. ZN_NOT_CONVERGED, which is that of
/// the part of a system that has it.
zn_status zn_constraints_blame(zn_constraints *c, const zn_row_list *list, const zn_demand *demand,
                               const zn_solved *solved);

#endif
