/// The rigid motions that a matrix of PETSc hardly resists, for multigrid of theirs.
#ifndef ZN_PARALLEL_SOLVER_MOTIONS_H
#define ZN_PARALLEL_SOLVER_MOTIONS_H

#include <petscksp.h>

#include "parallel/solver.h"

#define PETSC_TRY(call)                                                                                                \
    do {                                                                                                               \
        if ((call) != 0)                                                                                               \
            return ZN_ERR_UNSUPPORTED;                                                                                 \
    } while (0)

/// `near` NULL: nobody knows them. `like`: a vector of the rows of the matrix.
zn_status zn_solver_tell_motions(const zn_numbering *numbers, const zn_near_null *near, Vec like, Mat matrix);

#endif
