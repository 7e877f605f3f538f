// Projected Gauss-Seidel on the problem without its bilateral rows:
//     z_i <- max(0, z_i - w_i / M_ii),   w_i = sum_j M_ij z_j + q_i with the newest z
// Converges for symmetric positive semidefinite M whose problem has a solution, though slowly; so from time to time the
// active set it has found is tried as a linear system.
//
// Reference: O. L. Mangasarian, J. Optim. Theory Appl. 22 (1977) 465-485.
#include <math.h>

#include "base/assert.h"
#include "solve/lcp.h"

static void sweep(const zn_lcp_problem *p, double *z)
{
    ZN_ASSERT(p->bilateral == 0);
    for (int i = 0; i < p->n; i++) {
        const double *row = p->A + (size_t)i * p->n;
        double        w = p->b[i];
        if (!(row[i] > 0)) // no step can help: the row stays inactive
            continue;
        for (int j = 0; j < p->n; j++)
            w += row[j] * z[j];
        double step = z[i] - w / row[i];
        z[i] = step > 0 ? step : 0;
    }
}

zn_status zn_lcp_gauss_seidel(const zn_lcp_work *work, int *iterations)
{
    zn_lcp_reduced reduced;
    zn_lcp_reduce(work, &reduced);
    double *z = work->z + work->p.bilateral;
    int     limit = work->max_iterations > 0 ? work->max_iterations : 10000;
    int     next_try = 4;
    for (int i = 0; i < reduced.p.n; i++)
        if (!(z[i] > 0) || !(reduced.p.A[(size_t)i * reduced.p.n + i] > 0))
            z[i] = 0;

    for (int step = 1; step <= limit; step++) {
        ++*iterations;
        sweep(&reduced.p, z);
        if (step < next_try && step < limit)
            continue;
        next_try = 2 * step;
        zn_lcp_expand(work, &reduced);
        double residual = zn_lcp_residual(&work->p, work->z);
        if (residual <= work->tolerance || zn_lcp_polish(work, reduced.rest))
            return ZN_OK;
        if (!isfinite(residual))
            return ZN_NOT_CONVERGED;
    }
    return ZN_NOT_CONVERGED;
}
