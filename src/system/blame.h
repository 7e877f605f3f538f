/// Who is to blame, in terms of a system: found where an iteration has failed, told by name.
#ifndef ZN_SYSTEM_BLAME_H
#define ZN_SYSTEM_BLAME_H

#include <stddef.h>

#include "base/blame.h"
#include "base/seldom.h"
#include "zn/system.h"

/// Newton's method ended with this status at a residual r (per degree of freedom, in `unit`; m/s: what a block
/// iteration still moves) and the sizes of its terms: where it did not converge, blame the node that is off most, or,
/// when all are within the tolerance, the joint or contact that is. Returns the status.
zn_status           zn_blame_newton(const zn_system *sys, zn_status status, const double *r, const double *scale,
                                    const char *unit, double tolerance, const zn_contact_set *set);
/// Blame the first node at which one of n numbers, one per degree of freedom, is not finite. Returns ZN_NOT_FINITE.
ZN_SELDOM zn_status zn_blame_infinite(const zn_system *sys, int n, const double *x);
/// Iterations of Newton's method with which it should converge, where its residual falls; 0: it does not.
int                 zn_blame_more(const zn_blame *blame);
/// What it is: "joint 'a' is off by 1e-3 m (tolerance 1e-9 m)"; empty when nobody is to blame.
const char         *zn_blame_text(const zn_system *sys, const zn_blame *blame, char *text, size_t size);

#endif
