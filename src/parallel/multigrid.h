/// Conjugate gradients with the multigrid method of math/amg.h for the sum of the matrices of all parts, which is never
/// formed: each process keeps that of its elements, and what a product leaves at unknowns that several have is summed.
///     multigrid.c         levels one after the other, solves
///     multigrid_levels.c  what of a level is on a process
///     multigrid_last.c    the last one, which every process solves with
/// Cycles (math/amg_cycle.h) and conjugate gradients (math/conjugate.h) are those of one process.
///
/// Aggregates are made of nodes that one process owns. Rows of A P0 at shared unknowns are summed, so that P is that of
/// the whole; each process has the rows of all of its unknowns. With them
///
///     P'AP = sum of P'A_r P over the processes r
///
/// needs no message: the next matrix is in parts again, whose unknowns are all aggregates that rows of P of a process
/// have. Vectors have the same values wherever an unknown is.
#ifndef ZN_PARALLEL_MULTIGRID_H
#define ZN_PARALLEL_MULTIGRID_H

#include "math/linsolver.h"
#include "parallel/copies.h"
#include "parallel/solver.h"

typedef struct zn_multigrid zn_multigrid;

/// For matrices of n unknowns of this process; all but the world is borrowed for its life. `owned`: n. All processes
/// call all of these, and get one status.
zn_status zn_multigrid_create(zn_world *world, const zn_numbering *numbers, const bool *owned, const zn_near_null *near,
                              zn_multigrid **out);
zn_multigrid *zn_multigrid_destroy(zn_multigrid *s); ///< accepts NULL, returns NULL
/// The part of this process of a matrix, symmetric but for `skew` (zn_conjugate.skew) and borrowed until the next.
/// ZN_SINGULAR: not positive definite.
zn_status     zn_multigrid_build(zn_multigrid *s, const zn_sparse *a, double skew);
/// As zn_linsolver_ops.solve_to; of b what this process owns counts.
zn_status     zn_multigrid_solve(zn_multigrid *s, const double *b, double tolerance, double *x);
int64_t       zn_multigrid_iterations(const zn_multigrid *s);

// --- between the files ---------------------------------------------------------------------------

/// What of a level is on this process.
typedef struct zn_part_level {
    const zn_sparse *a;
    zn_sparse       *made;   ///< the same where it is not the caller's
    const bool      *owned;  ///< n
    const int       *number; ///< n: in the whole
    const int       *begin;  ///< where the numbers of each process begin
    bool            *made_owned;
    int             *made_number, *made_begin;
    double           total; ///< unknowns of all processes
    zn_copies        copies;
    double          *inverse; ///< of the diagonal of the whole
    double           largest; ///< eigenvalue of D^-1 A, or a little more
    zn_amg_rows      P;
} zn_part_level;

/// The last level, as a whole.
typedef struct zn_last_level {
    zn_sparse    *a;
    zn_linsolver *solver; ///< NULL: the level is smoothed only
    double       *own, *all;
    int          *count;
} zn_last_level;

/// l->a, owned, number and begin are there.
zn_status zn_part_level_begin(zn_world *world, zn_part_level *l);
/// P of a level and what the next one begins with; `nodes` become those of the next. Not `coarser`: there is none.
zn_status zn_part_level_coarsen(zn_world *world, zn_part_level *l, zn_amg_nodes *nodes, zn_part_level *next,
                                bool *coarser);
void      zn_part_level_release(zn_part_level *l);
/// What is not needed once the next level is there: the matrix, if it was made, P, the diagonal.
void      zn_part_level_strip(zn_part_level *l);

/// `unit`: numbers of this process that are no unknowns.
zn_status zn_last_level_create(zn_world *world, const zn_part_level *l, int units, const int *unit, zn_last_level *out);
zn_status zn_last_level_solve(zn_world *world, zn_last_level *last, const zn_part_level *l, const double *b, double *x);
void      zn_last_level_release(zn_last_level *last);

#endif
