// Linear solvers: one handle over interchangeable backends. Analyze at creation, then factor and solve.
#include "math/linsolver.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct zn_linsolver {
    const zn_linsolver_ops *ops;
    void *self;
    int n;
    int entries;
    bool factored;
    zn_linsolver_info info;
};

static const zn_linsolver_ops *const backends[] = {&zn_linsolver_dense, &zn_linsolver_klu};

enum { DENSE_ROWS = 40 }; // up to here the dense LU wins on bodies with joints, whose matrices are well filled

static const zn_linsolver_ops *choose(int n, const char *name)
{
    if (name == NULL)
        return n <= DENSE_ROWS ? &zn_linsolver_dense : &zn_linsolver_klu;
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        if (strcmp(backends[i]->name, name) == 0)
            return backends[i];
    return NULL;
}

zn_status zn_linsolver_create(const zn_sparse *a, const char *backend, zn_linsolver **out)
{
    const zn_linsolver_ops *ops = choose(a->n, backend);
    if (ops == NULL || a->n < 0)
        return ZN_ERR_ARGUMENT;
    zn_linsolver *solver = ZN_NEW(zn_linsolver, 1);
    if (solver == NULL)
        return ZN_ERR_MEMORY;
    *solver = (zn_linsolver){.ops = ops, .n = a->n, .entries = a->start[a->n], .info = {.backend = ops->name}};
    if (a->n > 0) { // no backend sees an empty matrix
        zn_status status = ops->create(a, &solver->self);
        if (status != ZN_OK) {
            free(solver);
            return status;
        }
    }
    *out = solver;
    return ZN_OK;
}

zn_linsolver *zn_linsolver_destroy(zn_linsolver *solver)
{
    if (solver != NULL) {
        if (solver->self != NULL)
            solver->ops->destroy(solver->self);
        free(solver);
    }
    return NULL;
}

zn_status zn_linsolver_factor(zn_linsolver *solver, const zn_sparse *a)
{
    if (a->n != solver->n || a->start[a->n] != solver->entries)
        return ZN_ERR_ARGUMENT;
    solver->factored = false;
    for (int k = 0; k < solver->entries; k++)
        if (!isfinite(a->value[k]))
            return ZN_NOT_FINITE;

    bool fresh = true;
    if (solver->n > 0)
        ZN_TRY(solver->ops->factor(solver->self, a, &fresh));
    solver->factored = true;
    if (fresh)
        solver->info.factorizations++;
    else
        solver->info.refactorizations++;
    return ZN_OK;
}

zn_status zn_linsolver_solve(zn_linsolver *solver, int count, double *x)
{
    if (!solver->factored || count < 0)
        return ZN_ERR_ARGUMENT;
    if (solver->n > 0 && count > 0)
        ZN_TRY(solver->ops->solve(solver->self, count, x));
    solver->info.solves += count;

    // a right-hand side that is not finite, or an overflow in an almost singular system
    for (size_t i = 0; i < (size_t)solver->n * (size_t)count; i++)
        if (!isfinite(x[i]))
            return ZN_NOT_FINITE;
    return ZN_OK;
}

zn_linsolver_info zn_linsolver_get_info(const zn_linsolver *solver)
{
    return solver->info;
}
