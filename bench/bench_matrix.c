#include "bench_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "math/linsolver.h"

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// KLU's estimate, which is what the automatic choice looks at.
static double estimate(const zn_sparse *a)
{
    void  *klu;
    double flops = NAN;
    if (zn_linsolver_klu.create(a, &klu) == ZN_OK) {
        flops = zn_klu_estimate(klu);
        zn_linsolver_klu.destroy(klu);
    }
    return flops;
}

static zn_status assemble(const zn_system *sys, const zn_state *state, double h, zn_sparse *a, double *best)
{
    double start = seconds();
    ZN_TRY(zn_system_operators(sys, (zn_at){state->q, state->v, state->t, 0}, 1, h / 2, h * h / 4, a));
    *best = fmin(*best, seconds() - start);
    return ZN_OK;
}

// A solver of its own each round, so that the first factorization has no pivots to reuse.
static zn_status time_round(const zn_sparse *a, const char *backend, double *x, zn_linsolver **solver,
                            matrix_times *out)
{
    double t[5];
    t[0] = seconds();
    ZN_TRY(zn_linsolver_create(a, backend, solver));
    t[1] = seconds();
    ZN_TRY(zn_linsolver_factor(*solver, a));
    t[2] = seconds();
    ZN_TRY(zn_linsolver_factor(*solver, a));
    t[3] = seconds();
    for (int i = 0; i < a->n; i++)
        x[i] = 1;
    ZN_TRY(zn_linsolver_solve(*solver, 1, x));
    t[4] = seconds();
    double *best[] = {&out->analysis, &out->factor, &out->refactor, &out->solve};
    for (int k = 0; k < 4; k++)
        *best[k] = fmin(*best[k], t[k + 1] - t[k]);
    out->backend = zn_linsolver_get_info(*solver).backend;
    return ZN_OK;
}

zn_status time_matrix(const zn_system *sys, const zn_state *state, double h, const char *backend, int rounds,
                      matrix_times *out)
{
    zn_sparse *a;
    ZN_TRY(zn_system_matrix(sys, &a));
    double   *x = malloc(sizeof *x * (size_t)(a->n + 1));
    zn_status status = x ? ZN_OK : ZN_ERR_MEMORY;
    *out = (matrix_times){.dofs = a->n,
                          .entries = a->start[a->n],
                          .flops = estimate(a),
                          .assembly = INFINITY,
                          .analysis = INFINITY,
                          .factor = INFINITY,
                          .refactor = INFINITY,
                          .solve = INFINITY};
    for (int k = 0; k < rounds && status == ZN_OK; k++) {
        zn_linsolver *solver = NULL;
        status = assemble(sys, state, h, a, &out->assembly);
        if (status == ZN_OK)
            status = time_round(a, backend, x, &solver, out);
        zn_linsolver_destroy(solver);
    }
    free(x);
    zn_sparse_destroy(a);
    return status;
}
