// Linear solvers: one handle over interchangeable backends. Analyze at creation, then factor and solve.
#include "math/linsolver.h"

#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"

struct zn_linsolver {
    const zn_linsolver_ops *ops;
    void                   *self;
    int                     n;
    int                     entries;
    bool                    factored;
    bool                    fresh; // the last factorization chose its own pivots
    zn_linsolver_info       info;
    bool                    chosen;    // by itself, to iterate,
    const zn_sparse        *matrix;    // what it was given last, while that is borrowed,
    zn_linsolver           *direct;    // and this one takes what it does not take; NULL: nothing so far
    bool                    is_direct; // what was factored last
    bool                    shared;    // with other processes: it looks after what is finite, and is always called
};

static const zn_linsolver_ops *const backends[] = {
#define OPS(word) &zn_linsolver_##word,
    ZN_LINSOLVER_LIST(OPS)
#undef OPS
};

enum { DENSE_ROWS = 40 }; // up to here the dense LU wins on bodies with joints, whose matrices are well filled

// Operations per entry of the matrix from which a multifrontal factorization pays: a measure of fill-in that leaves
// chains of bars and beams to KLU, however long. Measured on bars, beams, plates and blocks (bench/README.md,
// linsolver).
#define MUMPS_FLOPS_PER_ENTRY 180

// Columns one after the other, with rows that there are (for assertions).
static bool is_pattern(const zn_sparse *a)
{
    for (int j = 0; j < a->n; j++)
        if (a->start[j + 1] < a->start[j])
            return false;
    for (int k = 0; k < a->start[a->n]; k++)
        if (a->row[k] < 0 || a->row[k] >= a->n)
            return false;
    return a->start[0] == 0;
}

static const zn_linsolver_ops *find(const char *name)
{
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        if (strcmp(backends[i]->name, name) == 0 && backends[i]->create != NULL)
            return backends[i];
    return NULL;
}

// By estimated work: small ones dense, then KLU unless its own analysis says that fill-in will be expensive.
static zn_status create_automatic(const zn_sparse *a, zn_linsolver *solver)
{
    solver->ops = a->n <= DENSE_ROWS ? &zn_linsolver_dense : &zn_linsolver_klu;
    ZN_TRY(solver->ops->create(a, &solver->self));
    if (solver->ops != &zn_linsolver_klu || zn_linsolver_mumps.create == NULL ||
        zn_klu_estimate(solver->self) < MUMPS_FLOPS_PER_ENTRY * (double)a->start[a->n])
        return ZN_OK;
    void     *large;
    zn_status status = zn_linsolver_mumps.create(a, &large);
    if (status != ZN_OK) // KLU can do it where the library is not
        return status == ZN_ERR_UNSUPPORTED ? ZN_OK : status;
    solver->ops->destroy(solver->self);
    solver->ops = &zn_linsolver_mumps;
    solver->self = large;
    return ZN_OK;
}

static bool is_automatic(const char *word) { return word == NULL || strcmp(word, "auto") == 0; }

bool zn_linsolver_is_built(const char *word) { return is_automatic(word) || find(word) != NULL; }

zn_status zn_linsolver_create(const zn_sparse *a, const char *backend, zn_linsolver **out)
{
    ZN_ALIVE(a);
    return zn_linsolver_create_near(a, backend, NULL, out);
}

zn_status zn_linsolver_create_near(const zn_sparse *a, const char *backend, const zn_near_null *near,
                                   zn_linsolver **out)
{
    ZN_ASSERT(a && out);
    bool chosen = is_automatic(backend) && near && near->solid && a->n >= ZN_ITERATE_ROWS;
    if (chosen)
        backend = "amg";
    ZN_ASSERT(a->n <= 0 || is_pattern(a));
    bool                    automatic = is_automatic(backend);
    const zn_linsolver_ops *ops = automatic ? &zn_linsolver_dense : find(backend);
    if (ops == NULL || a->n < 0)
        return ZN_ERR_ARGUMENT;
    zn_linsolver *solver = ZN_NEW(zn_linsolver, 1);
    if (solver == NULL)
        return ZN_ERR_MEMORY;
    *solver = (zn_linsolver){.ops = ops, .n = a->n, .entries = a->start[a->n], .chosen = chosen};
    if (a->n > 0) { // no backend sees an empty matrix
        zn_status status = automatic          ? create_automatic(a, solver)
                           : ops->create_near ? ops->create_near(a, near, &solver->self)
                                              : ops->create(a, &solver->self);
        if (status != ZN_OK) {
            zn_linsolver_destroy(solver);
            return status;
        }
    }
    solver->info.backend = solver->ops->name;
    *out = solver;
    return ZN_OK;
}

zn_status zn_linsolver_adopt(const zn_linsolver_ops *ops, void *self, const zn_sparse *a, zn_linsolver **out)
{
    ZN_ASSERT(ops && self && a && out);
    zn_linsolver *solver = ZN_NEW(zn_linsolver, 1);
    if (solver == NULL)
        return ZN_ERR_MEMORY;
    *solver = (zn_linsolver){.ops = ops, .self = self, .n = a->n, .entries = a->start[a->n], .shared = true};
    solver->info.backend = ops->name;
    *out = solver;
    return ZN_OK;
}

zn_linsolver *zn_linsolver_destroy(zn_linsolver *solver)
{
    ZN_ALIVE(solver);
    if (solver != NULL) {
        zn_linsolver_destroy(solver->direct);
        if (solver->self != NULL)
            solver->ops->destroy(solver->self);
        zn_retire(solver, sizeof *solver);
    }
    return NULL;
}

// For the report.
static const char *name_of_both(const char *direct)
{
    static const char *const names[] = {"amg, then dense", "amg, then klu", "amg, then mumps"};
    for (size_t i = 0; i < ZN_COUNT(names); i++)
        if (strcmp(names[i] + strlen("amg, then "), direct) == 0)
            return names[i];
    return direct;
}

// What a solver that was chosen by itself does not take, a direct one does.
static zn_status factor_directly(zn_linsolver *solver, const zn_sparse *a)
{
    if (solver->direct == NULL)
        ZN_TRY(zn_linsolver_create(a, "auto", &solver->direct));
    ZN_TRY(zn_linsolver_factor(solver->direct, a));
    solver->is_direct = true;
    solver->info.backend = name_of_both(solver->direct->ops->name);
    return ZN_OK;
}

// No backend sees an empty matrix, unless others have the rest of it.
static bool is_called(const zn_linsolver *solver) { return solver->n > 0 || solver->shared; }

zn_status zn_linsolver_factor(zn_linsolver *solver, const zn_sparse *a)
{
    ZN_ALIVE(solver);
    ZN_ALIVE(a);
    ZN_ASSERT(solver && a);
    if (a->n != solver->n || a->start[a->n] != solver->entries)
        return ZN_ERR_ARGUMENT;
    solver->factored = false;
    for (int k = 0; k < solver->entries && !solver->shared; k++)
        if (!isfinite(a->value[k]))
            return ZN_NOT_FINITE;

    bool fresh = true;
    solver->is_direct = false;
    zn_status status = is_called(solver) ? solver->ops->factor(solver->self, a, &fresh) : ZN_OK;
    if ((status == ZN_ERR_UNSUPPORTED || status == ZN_SINGULAR) && solver->chosen)
        status = factor_directly(solver, a);
    ZN_TRY(status);
    solver->matrix = a;
    solver->factored = true;
    solver->fresh = fresh;
    if (fresh)
        solver->info.factorizations++;
    else
        solver->info.refactorizations++;
    return ZN_OK;
}

// Conjugate gradients meet what is not positive definite on the way only.
static bool turns_direct(zn_linsolver *solver, zn_status status)
{
    return (status == ZN_SINGULAR || status == ZN_NOT_CONVERGED) && solver->chosen && !solver->is_direct &&
           factor_directly(solver, solver->matrix) == ZN_OK;
}

zn_status zn_linsolver_solve(zn_linsolver *solver, int count, double *x)
{
    ZN_ALIVE(solver);
    ZN_ASSERT(solver && (x || solver->n == 0 || count <= 0));
    if (!solver->factored || count < 0)
        return ZN_ERR_ARGUMENT;
    zn_status status = ZN_OK;
    if (!solver->is_direct && is_called(solver) && count > 0)
        status = solver->ops->solve(solver->self, count, x);
    if (turns_direct(solver, status) || (solver->is_direct && status == ZN_OK))
        status = zn_linsolver_solve(solver->direct, count, x);
    ZN_TRY(status);
    solver->info.solves += count;

    // a right-hand side that is not finite, or an overflow in an almost singular system
    for (size_t i = 0; i < (size_t)solver->n * (size_t)count && !solver->shared; i++)
        if (!isfinite(x[i]))
            return ZN_NOT_FINITE;
    return ZN_OK;
}

bool zn_linsolver_iterates(const zn_linsolver *solver)
{
    return solver != NULL && solver->ops->solve_to != NULL && !solver->is_direct;
}

int64_t zn_linsolver_iterations(const zn_linsolver *solver)
{
    return zn_linsolver_iterates(solver) && solver->self ? solver->ops->iterations(solver->self) : 0;
}

zn_status zn_linsolver_solve_to(zn_linsolver *solver, const double *b, double tolerance, double *x)
{
    ZN_ASSERT(solver && tolerance > 0 && (solver->n == 0 || (b && x && b != x)));
    if (!zn_linsolver_iterates(solver)) {
        memcpy(x, b, sizeof *x * (size_t)solver->n);
        return zn_linsolver_solve(solver, 1, x);
    }
    if (!solver->factored)
        return ZN_ERR_ARGUMENT;
    solver->info.solves++;
    zn_status status = is_called(solver) ? solver->ops->solve_to(solver->self, b, tolerance, x) : ZN_OK;
    if (!turns_direct(solver, status))
        return status;
    memcpy(x, b, sizeof *x * (size_t)solver->n);
    return zn_linsolver_solve(solver->direct, 1, x);
}

zn_status zn_linsolver_settle(zn_linsolver *solver)
{
    ZN_ASSERT(solver);
    if (!solver->factored)
        return ZN_ERR_ARGUMENT;
    if (solver->is_direct)
        return zn_linsolver_settle(solver->direct);
    return solver->n > 0 && solver->ops->settle != NULL ? solver->ops->settle(solver->self) : ZN_OK;
}

void zn_linsolver_forget(zn_linsolver *solver)
{
    if (solver == NULL)
        return;
    solver->factored = false;
    zn_linsolver_forget(solver->direct);
    if (solver->self != NULL && solver->ops->forget != NULL)
        solver->ops->forget(solver->self);
}

zn_status zn_linsolver_factor_kept(zn_linsolver *solver, const zn_sparse *a, bool kept)
{
    if (kept)
        zn_linsolver_forget(solver);
    ZN_TRY(zn_linsolver_factor(solver, a));
    return kept ? zn_linsolver_settle(solver) : ZN_OK;
}

bool zn_linsolver_is_fresh(const zn_linsolver *solver) { return solver == NULL || (solver->factored && solver->fresh); }

int zn_linsolver_group(const zn_linsolver *solver)
{
    ZN_ASSERT(solver);
    return solver->ops->group > 1 ? solver->ops->group : 1;
}

zn_linsolver_info zn_linsolver_get_info(const zn_linsolver *solver)
{
    ZN_ALIVE(solver);
    return solver != NULL ? solver->info : (zn_linsolver_info){.backend = "none"}; // memory ran out
}
