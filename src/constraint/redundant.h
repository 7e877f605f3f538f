/// Joint equations that repeat what others say already, such as those of a second hinge on the same axis.
///
/// Their rows depend on each other, and away from the joints' exact position the equations contradict each other in
/// second order: the linear problem of a Newton iteration then has no answer. Of dependent equations the first ones are
/// kept; the others get no impulse and hold because the first ones do, which the convergence test checks.
#ifndef ZN_CONSTRAINT_REDUNDANT_H
#define ZN_CONSTRAINT_REDUNDANT_H

#include "system/lumped.h"

/// Do joint equations repeat each other in the initial configuration? `lumped`: the mass; NULL: that of the system, by
/// a linear solver.
zn_status zn_redundant_detect(const zn_system *sys, const char *linear_solver, const zn_lumped_mass *lumped, bool *out);

/// Take dependent rows out of the first `rows` of the problem W z + b (n rows), of which the first `bilateral` are
/// equations and the others follow from them or stay: their row and column of W become zero but for the diagonal, their
/// b zero. `strict`: only those that are so up to rounding, of an iterate that has converged. Returns their number.
/// `scratch`: rows * (rows + 1) doubles; the last `rows` of them become 1 for dependent rows, else 0.
int zn_redundant_isolate(int n, int bilateral, int rows, bool strict, double *W, double *b, double *scratch);

/// Which of the `count` rows `row` of the set repeat others by geometry alone, whatever is stiff or heavy: dependent in
/// W = G G', with turns measured at `length`. repeats: one for each of them.
zn_status zn_rows_that_repeat(const zn_system *sys, const zn_contact_set *set, double length, int count, const int *row,
                              bool *repeats);

#endif
