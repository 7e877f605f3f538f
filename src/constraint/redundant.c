// Dependent joint equations by elimination: the pivot of a row is its squared distance (in the metric of the masses)
// from the rows kept so far. Kept is what is far from the others: taken in the order of the model, rows that hardly
// differ could be kept together, and the answer of what is left would have lost the digits that Newton's method asks
// for.
#include "constraint/redundant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "constraint/delassus.h"
#include "system/system.h"

// Relative to the row itself. In the initial configuration equations hold, so dependence shows up to rounding; an
// iterate is away from there, by a relative distance whose square this is. Near a dead point rows differ by less than
// that and yet do not repeat each other: who finds that a row left out is not met, and all others are, looks again.
static const double exact = 1e-11, nearby = 1e-8, converged = 1e-12;

// The next row to keep: the first whose pivot, relative to the row, is at least half of the largest one; -1 when all
// that are left depend on those kept. size: of rows that are left, negative for those kept.
static int choose(int m, int equations, double tolerance, const double *A, const double *size)
{
    double largest = tolerance;
    for (int k = 0; k < equations; k++)
        if (size[k] > 0 && A[k * m + k] > largest * size[k])
            largest = A[k * m + k] / size[k];
    for (int k = 0; k < equations && largest > tolerance; k++)
        if (size[k] > 0 && A[k * m + k] >= 0.5 * largest * size[k])
            return k;
    return -1;
}

// Mark the rows of A (m x m, overwritten) that depend on its first ones, the equations, in `dependent`: 1 or 0. Returns
// their number.
static int eliminate(int m, int equations, double tolerance, double *A, double *dependent)
{
    int count = 0;
    for (int k = 0; k < m; k++)
        dependent[k] = fabs(A[k * m + k]);
    for (int k; (k = choose(m, equations, tolerance, A, dependent)) >= 0;) {
        const double *top = A + (size_t)k * (size_t)m;
        dependent[k] = -1;
        for (int i = 0; i < m; i++) {
            double *row = A + (size_t)i * (size_t)m, l = row[k] / top[k];
            for (int j = 0; j < m && l != 0 && dependent[i] >= 0; j++)
                row[j] -= l * top[j];
        }
    }
    for (int k = 0; k < m; k++) {
        bool left = k >= equations && A[k * m + k] > tolerance * dependent[k];
        dependent[k] = dependent[k] >= 0 && !left;
        count += dependent[k] != 0;
    }
    return count;
}

int zn_redundant_isolate(int n, int bilateral, int rows, bool strict, double *W, double *b, double *scratch)
{
    ZN_ASSERT(bilateral > 0 && bilateral <= rows && rows <= n && W && b && scratch);
    double *dependent = scratch + (size_t)rows * (size_t)rows;
    for (int i = 0; i < rows; i++)
        memcpy(scratch + (size_t)i * (size_t)rows, W + (size_t)i * (size_t)n, sizeof *W * (size_t)rows);
    int count = eliminate(rows, bilateral, strict ? converged : nearby, scratch, dependent);
    for (int k = 0; k < rows && count > 0; k++) {
        if (dependent[k] == 0)
            continue;
        double size = W[(size_t)k * (size_t)n + (size_t)k];
        for (int j = 0; j < n; j++)
            W[(size_t)k * (size_t)n + (size_t)j] = W[(size_t)j * (size_t)n + (size_t)k] = 0;
        W[(size_t)k * (size_t)n + (size_t)k] = size > 0 ? size : 1;
        b[k] = 0;
    }
    return count;
}

// --- geometry alone ------------------------------------------------------------------------------

static void compare_rows(const zn_system *sys, const zn_contact_set *set, double length, int count, const int *row,
                         double *x, double *W)
{
    int n = sys->info.n;
    memset(x, 0, sizeof *x * (size_t)sys->info.n_all);
    for (int i = 0; i < count; i++) {
        zn_row_add(set, row[i], n, 1, x);
        for (int k = set->row_start[row[i]]; k < set->row_start[row[i] + 1]; k++)
            if (set->row_dof[k] < n && sys->rotational[set->row_dof[k]])
                x[set->row_dof[k]] /= length * length;
        for (int j = 0; j < count; j++)
            W[(size_t)j * (size_t)count + (size_t)i] = zn_row_dot(set, row[j], n, x);
        for (int k = set->row_start[row[i]]; k < set->row_start[row[i] + 1]; k++)
            x[set->row_dof[k]] = 0;
    }
}

zn_status zn_rows_that_repeat(const zn_system *sys, const zn_contact_set *set, double length, int count, const int *row,
                              bool *repeats)
{
    ZN_ASSERT(length > 0 && count >= 0 && repeats);
    double   *W = ZN_NEW(double, (size_t)count *(size_t)count), *dependent = ZN_NEW(double, count);
    double   *x = ZN_NEW(double, sys->info.n_all);
    zn_status status = W && dependent && x ? ZN_OK : ZN_ERR_MEMORY;
    if (status == ZN_OK) {
        compare_rows(sys, set, length, count, row, x, W);
        eliminate(count, count, converged, W, dependent);
        for (int k = 0; k < count; k++)
            repeats[k] = dependent[k] != 0;
    }
    free(W);
    free(dependent);
    free(x);
    return status;
}

// --- the initial configuration -------------------------------------------------------------------

typedef struct start {
    zn_contact_set       *set;
    const zn_lumped_mass *lumped; // NULL: a solver for the mass of the system
    zn_sparse            *mass;
    zn_linsolver         *solver;
    double               *W, *dependent, *column, *force;
} start;

static zn_status prepare(const zn_system *sys, const char *linear_solver, start *s)
{
    if (s->lumped)
        return ZN_OK;
    ZN_TRY(zn_system_matrix(sys, &s->mass));
    ZN_TRY(zn_system_operators(sys, (zn_at){sys->q0, sys->v0, sys->model->start, 0}, 1, 0, 0, s->mass));
    ZN_TRY(zn_linsolver_create(s->mass, linear_solver, &s->solver));
    return zn_linsolver_factor(s->solver, s->mass);
}

// column = M^-1 times row i
static zn_status respond(const zn_system *sys, int i, start *s)
{
    memset(s->column, 0, sizeof *s->column * (size_t)sys->info.n_all);
    zn_row_add(s->set, i * s->set->stride, sys->info.n, 1, s->column);
    if (!s->lumped)
        return zn_linsolver_solve(s->solver, 1, s->column);
    memcpy(s->force, s->column, sizeof *s->force * (size_t)sys->info.n_all);
    zn_lumped_mass_solve(s->lumped, s->force, s->column);
    return ZN_OK;
}

static zn_status fill(const zn_system *sys, const char *linear_solver, start *s, int *rows)
{
    int n = sys->info.n, m = 0;
    ZN_TRY(zn_contact_set_create(sys, &s->set));
    ZN_TRY(zn_contact_set_refresh(s->set, sys, sys->q0, sys->model->start));
    ZN_TRY(prepare(sys, linear_solver, s));
    for (int i = 0; i < s->set->count; i++) {
        if (!s->set->bilateral[i])
            continue;
        ZN_TRY(respond(sys, i, s));
        for (int j = 0, k = 0; j < s->set->count; j++)
            if (s->set->bilateral[j])
                s->W[(size_t)k++ * (size_t)sys->info.joints + (size_t)m] =
                    zn_row_dot(s->set, j * s->set->stride, n, s->column);
        m++;
    }
    ZN_ASSERT(m <= sys->info.joints);
    *rows = m;
    return ZN_OK;
}

zn_status zn_redundant_detect(const zn_system *sys, const char *linear_solver, const zn_lumped_mass *lumped, bool *out)
{
    ZN_ASSERT(out);
    int m = sys->info.joints, rows = 0;
    *out = false;
    if (m < 2)
        return ZN_OK;
    start     s = {.lumped = lumped,
                   .W = ZN_NEW(double, (size_t)m *(size_t)m),
                   .dependent = ZN_NEW(double, m),
                   .column = ZN_NEW(double, sys->info.n_all),
                   .force = ZN_NEW(double, sys->info.n_all)};
    zn_status status = s.W && s.dependent && s.column && s.force ? fill(sys, linear_solver, &s, &rows) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        *out = eliminate(rows, rows, exact, s.W, s.dependent) > 0;
    zn_contact_set_destroy(s.set);
    zn_sparse_destroy(s.mass);
    zn_linsolver_destroy(s.solver);
    free(s.W);
    free(s.dependent);
    free(s.column);
    free(s.force);
    return status;
}
