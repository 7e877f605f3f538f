/// One step of the semi-smooth Newton method on the augmented Lagrangian, about multipliers and about what the law
/// relates them to, which need not be linear in them.
#ifndef ZN_SOLVE_FRICTION_AUGMENTED_H
#define ZN_SOLVE_FRICTION_AUGMENTED_H

#include "solve/friction.h"

/// p: linearized, u+ = W r+ + q. `penalty`: of xi = r - penalty u, with r and u at the iterate, by which each contact
/// is open, sticks or slips. r becomes r+. ZN_SINGULAR where the equations have no answer.
zn_status zn_fc_augmented_step(const zn_fc_problem *p, zn_fc_workspace *workspace, double penalty, const double *u,
                               double *r);

#endif
