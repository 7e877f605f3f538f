/// Conjugate gradients for large islands without friction, where sweeps are slow: 0 <= r _|_ u = W r + q >= 0 by
/// products with W. They go on in the subspace of closed contacts as long as what the open ones want is less, and let
/// contacts close and open otherwise; an iteration costs as much as a sweep. Where few eigenvalues of W are small, as
/// with rows of both sides of a surface, they are done with these one after the other. Z. Dostal, J. Schoeberl,
/// Minimizing quadratic functions over non-negative cone with the rate of convergence and finite termination, Comput.
/// Optim. Appl. 30 (2005) 23-43.
#ifndef ZN_CONSTRAINT_ISLAND_GRADIENTS_H
#define ZN_CONSTRAINT_ISLAND_GRADIENTS_H

#include "constraint/island_sweeps.h"

/// Are they the faster way?
bool zn_island_gradients_suit(const zn_sweeps *w, const zn_sweep_island *island);
/// From the impulses in w->r; status and residual of the island as after sweeps.
void zn_island_gradients_solve(const zn_sweeps *w, zn_sweep_island *island);

#endif
