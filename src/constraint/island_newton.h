/// Large islands of contacts without friction whose rows nearly repeat each other (both sides of a surface, corners
/// that meet), where sweeps are slow: Newton's method on the set of closed contacts.
#ifndef ZN_CONSTRAINT_ISLAND_NEWTON_H
#define ZN_CONSTRAINT_ISLAND_NEWTON_H

#include "constraint/island_matrix.h"
#include "constraint/island_sweeps.h"
#include "zn/math.h"

typedef struct zn_island_newton {
    int     capacity, value_capacity;
    int    *row;            ///< per contact: of the set
    bool   *closed;         ///< per contact
    double *centre, *x, *u; ///< per contact: proximal point, impulse, velocity
    double *value;          ///< of the matrix that is factored
} zn_island_newton;

void zn_island_newton_destroy(zn_island_newton *w);

/// From where sweeps have come: impulses of the island, its residual, and its status, which is ZN_OK only where the
/// judge of the sweeps says so. `m` is used for W. An error is one of memory alone.
zn_status zn_island_newton_solve(zn_island_newton *w, zn_island_matrix *m, const zn_sweeps *sweeps,
                                 zn_sweep_island *island);

#endif
