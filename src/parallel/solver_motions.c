// Rigid motions for multigrid of PETSc. See solver_motions.h.
#include "parallel/solver_motions.h"

static zn_status write_motion(const zn_numbering *numbers, const zn_near_null *near, int k, Vec out)
{
    double *value;
    PETSC_TRY(VecZeroEntries(out));
    PETSC_TRY(VecGetArray(out, &value));
    for (int i = 0; i < numbers->n; i++)
        if (numbers->own[i])
            value[numbers->number[i] - numbers->first] = near->motion[(size_t)i * ZN_RIGID_MOTIONS + (size_t)k];
    PETSC_TRY(VecRestoreArray(out, &value));
    return ZN_OK;
}

// Those that move something, at right angles to each other and of length one.
static zn_status orthonormal_motions(const zn_numbering *numbers, const zn_near_null *near, Vec *motion, int *count)
{
    *count = 0;
    for (int k = 0; k < ZN_RIGID_MOTIONS; k++) {
        double before, after, part;
        Vec    own = motion[*count];
        ZN_TRY(write_motion(numbers, near, k, own));
        PETSC_TRY(VecNorm(own, NORM_2, &before));
        for (int i = 0; i < *count; i++) {
            PETSC_TRY(VecDot(own, motion[i], &part));
            PETSC_TRY(VecAXPY(own, -part, motion[i]));
        }
        PETSC_TRY(VecNorm(own, NORM_2, &after));
        if (!(after > 1e-8 * before))
            continue;
        PETSC_TRY(VecScale(own, 1 / after));
        ++*count;
    }
    return ZN_OK;
}

zn_status zn_solver_tell_motions(const zn_numbering *numbers, const zn_near_null *near, Vec like, Mat matrix)
{
    Vec         *motion;
    MatNullSpace space;
    int          count;
    if (!near)
        return ZN_OK;
    PETSC_TRY(VecDuplicateVecs(like, ZN_RIGID_MOTIONS, &motion));
    ZN_TRY(orthonormal_motions(numbers, near, motion, &count));
    PETSC_TRY(MatNullSpaceCreate(PetscObjectComm((PetscObject)matrix), PETSC_FALSE, count, motion, &space));
    PETSC_TRY(MatSetNearNullSpace(matrix, space));
    PETSC_TRY(MatNullSpaceDestroy(&space));
    PETSC_TRY(VecDestroyVecs(ZN_RIGID_MOTIONS, &motion));
    return ZN_OK;
}
