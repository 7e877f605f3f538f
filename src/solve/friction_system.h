/// Linear equations of the friction solvers, made of blocks of contacts: in the workspace, dense when they are few or
/// full, a band when that is narrow; else sparse.
#ifndef ZN_SOLVE_FRICTION_SYSTEM_H
#define ZN_SOLVE_FRICTION_SYSTEM_H

#include "math/band.h"
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
    bool                band;   ///< may be taken for a band, whose sums have another order
} zn_fc_system;

/// Up to so many equations a full matrix is as fast as any.
enum { ZN_FC_FEW_EQUATIONS = 60 };

/// Factors. Those of a sparse matrix are made on the heap, and kept for the next system of the same pattern.
typedef struct zn_fc_factors {
    int               m;
    double           *dense; ///< m x m: LU
    int              *pivot;
    zn_band           band; ///< where its value is not NULL
    struct zn_sparse *sparse;
    void             *solver; ///< zn_linsolver
} zn_fc_factors;

/// Memory is taken from `memory` (rewind it after use). `keep`: the pattern is that of the last call with these
/// factors.
zn_status zn_fc_factor(const zn_fc_system *system, zn_fc_workspace *memory, bool keep, zn_fc_factors *factors);
zn_status zn_fc_factor_solve(const zn_fc_factors *factors, double *x);
/// What it costs to assemble, factor and solve twice with all blocks taking part, in sweeps. Measured on matrices of 8
/// to 1668 rows: half of it to twice as much.
double    zn_fc_factor_sweeps(zn_fc_task *task);
/// The same with the equations of twins (friction_twins.h), `part` of the rows.
double    zn_fc_twin_sweeps(zn_fc_task *task, double part);
/// zn_fc_afford of factors of `m` equations.
bool      zn_fc_afford_factors(zn_fc_task *task, int m);
void      zn_fc_factors_free(zn_fc_factors *factors); ///< what is on the heap

#endif
