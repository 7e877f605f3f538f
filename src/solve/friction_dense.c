// The scaled dense copy of a problem that the solvers for few contacts work on.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/friction.h"

// `tables`: also the memory that enumeration and Lemke's method need.
static zn_status take_memory(const zn_fc_problem *p, zn_fc_workspace *memory, bool tables, zn_fc_work *work)
{
    size_t  n = (size_t)p->n, lcp = zn_fc_lcp_rows(p->n, p->contacts);
    size_t  doubles = n * n + 4 * n + 2 * (size_t)p->contacts + n * (n + 2);
    double *W = ZN_FC_TAKE(memory, double, doubles);
    int    *status = ZN_FC_TAKE(memory, int, (size_t)p->contacts + n + (tables ? 4 * lcp : 0));
    work->unknowns = ZN_FC_TAKE(memory, zn_fc_unknown, n);
    work->table = tables ? ZN_FC_TAKE(memory, double, ZN_FC_TABLE(lcp)) : NULL;
    if (!W || !status || !work->unknowns || (tables && !work->table))
        return ZN_ERR_MEMORY;
    double *q = W + n * n;
    work->p = *p;
    work->p.W = W;
    work->p.sparse = NULL;
    work->p.q = q;
    work->scale = q + n;
    work->r = work->scale + n;
    work->u = work->r + n;
    work->slip = work->u + n;
    work->equations = work->slip + 2 * (size_t)p->contacts;
    work->status = status;
    work->pivots = status + p->contacts;
    work->index = work->pivots + n;
    return ZN_OK;
}

static double scale_rows(const zn_fc_problem *p, double *s)
{
    double total = 0;
    for (int i = 0; i < p->bilateral; i++)
        s[i] = zn_lcp_scale_of(zn_fc_block_size(p, i, i + 1));
    for (int c = 0; c < p->contacts; c++) {
        double factor = zn_lcp_scale_of(zn_fc_block_size(p, p->first[c], p->first[c + 1]));
        for (int i = p->first[c]; i < p->first[c + 1]; i++)
            s[i] = factor;
        total += p->mu[c];
    }
    return total;
}

static zn_status scale_problem(const zn_fc_problem *p, const double *s, double *W, double *q, double total)
{
    size_t n = (size_t)p->n;
    if (p->W == NULL)
        memset(W, 0, n * n * sizeof *W);
    for (int i = 0; i < p->n; i++) {
        zn_fc_row row = zn_fc_row_of(p, i);
        for (int k = 0; k < row.count; k++) {
            int j = row.column != NULL ? row.column[k] : k;
            W[(size_t)i * n + j] = row.value[k] * s[i] * s[j];
            total += fabs(row.value[k]);
        }
        q[i] = p->q[i] * s[i];
        total += fabs(p->q[i]);
    }
    return total <= DBL_MAX ? ZN_OK : ZN_NOT_FINITE;
}

zn_status zn_fc_work_create(const zn_fc_problem *p, zn_fc_workspace *memory, bool tables, zn_fc_work *work)
{
    ZN_ASSERT(p->n > 0 && memory && work);
    ZN_TRY(take_memory(p, memory, tables, work));
    double total = scale_rows(p, work->scale);
    return scale_problem(p, work->scale, (double *)work->p.W, (double *)work->p.q, total);
}

size_t zn_fc_work_bytes(int n, int contacts)
{
    ZN_ASSERT(n >= 0 && contacts >= 0);
    size_t rows = (size_t)n, lcp = n <= ZN_FC_LEMKE_ROWS ? zn_fc_lcp_rows(n, contacts) : 0;
    size_t doubles = rows * rows + 4 * rows + 2 * (size_t)contacts + rows * (rows + 2) + ZN_FC_TABLE(lcp);
    size_t integers = 4 * lcp + rows + (size_t)contacts;
    return doubles * sizeof(double) + rows * sizeof(zn_fc_unknown) + integers * sizeof(int) + 256;
}
