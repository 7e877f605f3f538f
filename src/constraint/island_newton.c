// Newton's method on the set of closed contacts, 0 <= r _|_ u = W r + q >= 0. See island_newton.h.
//
//     closed: u + e (r - c) = 0,  open: r = 0;     closed contacts that pull open, open ones that approach close
//
// Rows of both sides of a surface nearly repeat each other: pushing on one side and pulling on the other moves next to
// nothing, so that W has eigenvalues down to 1e-7 of its largest one (exactly 0 where meshes match) and sweeps crawl
// along these directions. There are few of them, and the set of closed contacts is found in a few factorizations.
// The proximal term e with its centre c, the r before, gives an answer where W has no inverse; it vanishes as r
// settles. Units of impulses are those of the sweeps, in which the diagonal of W is 1. M. Hintermueller, K. Ito, K.
// Kunisch, The primal-dual active set strategy as a semismooth Newton method, SIAM J. Optim. 13 (2003) 865-888; R. T.
// Rockafellar, SIAM J. Control Optim. 14 (1976) 877-898.
#include "constraint/island_newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

void zn_island_newton_destroy(zn_island_newton *w)
{
    free(w->row);
    free(w->closed);
    free(w->centre);
    free(w->x);
    free(w->u);
    free(w->value);
    *w = (zn_island_newton){0};
}

static zn_status reserve(zn_island_newton *w, int contacts)
{
    int same[4] = {w->capacity, w->capacity, w->capacity, w->capacity}; // arrays that grow alike
    if (contacts <= w->capacity)
        return ZN_OK;
    ZN_TRY(zn_grow(&w->row, &same[0], contacts, sizeof *w->row));
    ZN_TRY(zn_grow(&w->centre, &same[1], contacts, sizeof *w->centre));
    ZN_TRY(zn_grow(&w->x, &same[2], contacts, sizeof *w->x));
    ZN_TRY(zn_grow(&w->u, &same[3], contacts, sizeof *w->u));
    return zn_grow(&w->closed, &w->capacity, contacts, sizeof *w->closed);
}

// W in units of the sweeps.
static zn_status assemble(zn_island_newton *w, zn_island_matrix *m, const zn_sweeps *sweeps,
                          const zn_sweep_island *island)
{
    const zn_sweep_unit *unit = sweeps->unit + island->unit;
    for (int i = 0; i < island->units; i++)
        w->row[i] = unit[i].row;
    ZN_TRY(zn_island_matrix_assemble(m, sweeps->set, island->units, w->row));
    for (int i = 0; i < island->units; i++)
        for (int e = m->start[i]; e < m->start[i + 1]; e++)
            m->value[e] *= unit[i].scale * unit[m->column[e]].scale;
    return zn_grow(&w->value, &w->value_capacity, m->start[island->units], sizeof *w->value);
}

// W of the closed contacts with the proximal term, 1 for the open ones, in the same pattern.
static void mask(const zn_island_newton *w, const zn_island_matrix *m, int n, double proximal)
{
    for (int i = 0; i < n; i++)
        for (int e = m->start[i]; e < m->start[i + 1]; e++) {
            int j = m->column[e];
            w->value[e] = w->closed[i] && w->closed[j] ? m->value[e] + (i == j ? proximal : 0) : i == j;
        }
}

// r of the closed contacts in w->x; u = W r + q.
static zn_status solve_closed(const zn_island_newton *w, const zn_island_matrix *m, const double *q, int n,
                              double proximal, zn_linsolver *solver)
{
    const zn_sparse A = {n, m->start, m->column, w->value}; // symmetric: rows are columns
    mask(w, m, n, proximal);
    ZN_TRY(zn_linsolver_factor(solver, &A));
    for (int i = 0; i < n; i++)
        w->x[i] = w->closed[i] ? proximal * w->centre[i] - q[i] : 0;
    ZN_TRY(zn_linsolver_solve(solver, 1, w->x));
    for (int i = 0; i < n; i++) {
        double sum = q[i];
        for (int e = m->start[i]; e < m->start[i + 1]; e++)
            sum += m->value[e] * w->x[m->column[e]];
        w->u[i] = sum;
    }
    return ZN_OK;
}

// Closed contacts that pull and open ones that approach change; how many do.
static int change_set(const zn_island_newton *w, int n, double least_pull, double least_approach)
{
    int changes = 0;
    for (int i = 0; i < n; i++) {
        bool changes_here = w->closed[i] ? w->x[i] < -least_pull : w->u[i] < -least_approach;
        w->closed[i] = w->closed[i] != changes_here;
        changes += changes_here;
    }
    return changes;
}

static double largest_of(int n, const double *x)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

// Of 0 <= r _|_ u >= 0.
static double largest_violation(const zn_island_newton *w, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(fmin(w->x[i], w->u[i])));
    return largest;
}

// Sets one after the other until none changes, with a proximal term that becomes smaller: the first ones are found
// where W is well conditioned. The last ones differ by what the smallest eigenvalues move.
static zn_status iterate(zn_island_newton *w, const zn_island_matrix *m, const zn_sweeps *sweeps,
                         zn_sweep_island *island, zn_linsolver *solver)
{
    enum { TRIALS = 60 };
    const double  rounding = 1e-15, first = 1e-3, factor = 1e-3, last = 1e-12;
    const double *q = sweeps->q + island->first;
    double       *r = sweeps->r + island->first, proximal = first;
    int           n = island->units;
    double        data = largest_of(n, q);
    for (int k = 0; k < TRIALS; k++) {
        ZN_TRY(solve_closed(w, m, q, n, proximal, solver));
        island->iterations++;
        bool near = largest_violation(w, n) <= sweeps->tolerance * data;
        int  changes = change_set(w, n, rounding * largest_of(n, w->x), rounding * data);
        if (!near && changes > (proximal > last ? n / 200 : 0))
            continue;
        for (int i = 0; i < n; i++)
            w->centre[i] = fmax(w->x[i], 0);
        proximal = fmax(last, factor * proximal);
        if (!near)
            continue;
        memcpy(r, w->centre, sizeof *r * (size_t)n);
        island->residual = zn_sweeps_judge(sweeps, island);
        if (island->residual <= sweeps->tolerance) {
            island->status = ZN_OK;
            return ZN_OK;
        }
    }
    return ZN_OK;
}

zn_status zn_island_newton_solve(zn_island_newton *w, zn_island_matrix *m, const zn_sweeps *sweeps,
                                 zn_sweep_island *island)
{
    ZN_ASSERT(zn_sweeps_are_smooth(sweeps, island) && island->status != ZN_OK);
    zn_linsolver *solver = NULL;
    ZN_TRY(reserve(w, island->units));
    ZN_TRY(assemble(w, m, sweeps, island));
    for (int i = 0; i < island->units; i++) {
        w->centre[i] = sweeps->r[island->first + i];
        w->closed[i] = w->centre[i] > 0;
    }
    const zn_sparse pattern = {island->units, m->start, m->column, m->value};
    zn_status       status = zn_linsolver_create(&pattern, NULL, &solver);
    if (status == ZN_OK)
        status = iterate(w, m, sweeps, island, solver);
    zn_linsolver_destroy(solver);
    return status == ZN_ERR_MEMORY ? status : ZN_OK;
}
