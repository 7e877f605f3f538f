// Enumeration of all 2^m active sets of m unilateral rows: the method of last resort that needs no property of A. The
// order starts with the warm start's set, S = {z_i > 0}, and changes the first rows fastest. Sub-blocks may be
// singular.
//
// Reference: R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, section 3.1: z solves the LCP
// when it is a solution of one complementary cone.
#include "solve/lcp.h"

#include "base/assert.h"

static int list_set(const zn_lcp_problem *p, unsigned set, int *index)
{
    int count = 0;
    for (int i = 0; i < p->n; i++)
        if (i < p->bilateral || (set >> (i - p->bilateral) & 1u))
            index[count++] = i;
    return count;
}

// Negative values that are only round-off become zero; the residual judges whether they were.
static void clip(const zn_lcp_problem *p, double *z)
{
    for (int i = p->bilateral; i < p->n; i++)
        if (z[i] < 0)
            z[i] = 0;
}

zn_status zn_lcp_enumerate(const zn_lcp_work *work, int *iterations)
{
    ZN_ASSERT(work->table && work->index && iterations);
    const zn_lcp_problem *p = &work->p;
    int                   rows = p->n - p->bilateral;
    if (rows > ZN_LCP_ENUMERATE_ROWS)
        return ZN_ERR_ARGUMENT;
    unsigned warm = 0, sets = 1u << rows;
    for (int i = 0; i < rows; i++)
        warm |= work->z[p->bilateral + i] > 0 ? 1u << i : 0u;
    if (work->max_iterations > 0 && (unsigned)work->max_iterations < sets)
        sets = (unsigned)work->max_iterations;

    for (unsigned change = 0; change < sets; change++) {
        ++*iterations;
        int count = list_set(p, warm ^ change, work->index);
        zn_lcp_solve_active(p, count, work->index, work->z, work->table, work->index + p->n);
        clip(p, work->z);
        if (zn_lcp_residual(p, work->z) <= work->tolerance)
            return ZN_OK;
    }
    return ZN_NOT_CONVERGED;
}
