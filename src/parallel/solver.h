/// Linear solvers for the sum of the matrices of all parts: conjugate gradients with multigrid of our own
/// (multigrid.h); by PETSc conjugate gradients or, of matrices that are not symmetric, GMRES with GAMG or BoomerAMG of
/// hypre, that know the rigid motions; or MUMPS.
#ifndef ZN_PARALLEL_SOLVER_H
#define ZN_PARALLEL_SOLVER_H

#include "math/near_null.h"
#include "parallel/partition.h"
#include "parallel/world.h"

/// Numbers of the unknowns in matrices of the whole. Each node has as many as the one with most; those that are fixed
/// or not there are rows of the unit matrix, so that multigrid can go by nodes. Nodes that one process keeps
/// (zn_partition.keeper) follow each other.
typedef struct zn_numbering {
    int   block;        ///< unknowns of a node
    int   first, count; ///< of this process
    int   ranks;
    int  *begin;    ///< ranks + 1: of each process
    int   n, n_all; ///< free degrees of freedom of this part, and all
    int  *number;   ///< n: in the whole
    bool *own;      ///< n: is it among those of this process?
    bool  guests;   ///< some nodes of the whole have another owner, who knows what acts on them
    int   units;    ///< numbers of this process that are no degree of freedom
    int  *unit;
} zn_numbering;

/// All processes call it.
zn_status zn_numbering_create(zn_world *world, const zn_partition *partition, const zn_system *sys, zn_numbering *out);
void      zn_numbering_destroy(zn_numbering *numbering);

/// See zn_halo.solver; all is borrowed for the life of the solver. "auto" is "amg".
zn_status zn_solver_create(zn_world *world, const zn_numbering *numbering, const zn_halo *halo, const zn_sparse *a,
                           const char *word, const zn_near_null *near, zn_linsolver **out);

#endif
