/// Linear equations of the friction solvers, made of blocks of contacts: dense in the workspace when they are few or
/// full, else sparse.
#ifndef ZN_SOLVE_FRICTION_SYSTEM_H
#define ZN_SOLVE_FRICTION_SYSTEM_H

#include "solve/friction.h"

/// Matrix with a row block for each block of the problem that takes part (place >= 0):
///     left_c (W_cd + shift delta_cd) + delta_cd own_c
/// and couple_c in the column of the normal of c's leader.
typedef struct zn_fc_system {
    const zn_fc_blocks *b;
    const int          *place; ///< count: first row of the block among the equations, or -1
    int                 m;     ///< equations
    const double       *left;  ///< 9 per block, stride 3; NULL: identity
    const double       *own;   ///< 9 per block; NULL: none
    double              shift;
    const double       *couple; ///< 2 per block, of followers; NULL: none
} zn_fc_system;

/// Factors. Those of a sparse matrix are made on the heap, and kept for the next system of the same pattern.
typedef struct zn_fc_factors {
    int               m;
    double           *dense; ///< m x m: LU
    int              *pivot;
    struct zn_sparse *sparse;
    void             *solver; ///< zn_linsolver
} zn_fc_factors;

/// Memory is taken from `memory` (rewind it after use). `keep`: the pattern is that of the last call with these
/// factors.
zn_status zn_fc_factor(const zn_fc_system *system, zn_fc_workspace *memory, bool keep, zn_fc_factors *factors);
zn_status zn_fc_factor_solve(const zn_fc_factors *factors, double *x);
void      zn_fc_factors_free(zn_fc_factors *factors); ///< what is on the heap

#endif
