// Principal pivoting: guess the active set S, solve A_SS z_S = -b_S (bilateral rows always in S), flip every row with
// z_i < 0 in S or w_i < 0 outside, and repeat.
//
// Flipping all at once is fast but may cycle, so after ten steps without fewer violations only the last violated row
// is flipped until there are fewer (Murty's rule), which is finite for P matrices. The warm start is S = {z_i > 0}: in
// a simulation the last step's set is nearly always the answer.
//
// Reference: J. J. Judice, F. M. Pires, "A block principal pivoting algorithm for large-scale strictly monotone linear
// complementarity problems", Computers Ops Res. 21 (1994) 587-596; K. G. Murty, Linear Algebra Appl. 9 (1974) 65-108.
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "base/wide.h"
#include "solve/lcp.h"

// --- one active set ------------------------------------------------------------------------------

static void gather(const zn_lcp_problem *p, int count, const int *index, double *table)
{
    for (int i = 0; i < count; i++) {
        const double *row = p->A + (size_t)index[i] * p->n;
        for (int j = 0; j < count; j++)
            *table++ = row[index[j]];
        *table++ = -p->b[index[i]];
    }
}

static double largest_of_column(int count, const double *table, int column)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        if (fabs(table[(size_t)i * (count + 1) + column]) > largest)
            largest = fabs(table[(size_t)i * (count + 1) + column]);
    return largest;
}

// Row of the largest entry of a column from row `rank` on; -1 when all are below `zero`.
static int find_pivot(int count, const double *table, int rank, int column, double zero)
{
    ZN_ASSERT(rank <= column && column < count);
    int    best = -1;
    double largest = zero;
    for (int i = rank; i < count; i++) {
        double size = fabs(table[(size_t)i * (count + 1) + column]);
        if (size > largest) {
            largest = size;
            best = i;
        }
    }
    return best;
}

// Row echelon form; a column without a pivot is skipped. Returns the rank.
static int eliminate(int count, double *table, const double *zero, int *pivots)
{
    int rank = 0, stride = count + 1;
    for (int c = 0; c < count; c++) {
        int best = find_pivot(count, table, rank, c, zero[c]);
        if (best < 0)
            continue;
        double *top = table + (size_t)rank * stride, *found = table + (size_t)best * stride;
        for (int j = c; j < stride && best != rank; j++) {
            double t = top[j];
            top[j] = found[j];
            found[j] = t;
        }
        double inverse = 1.0 / top[c];
        for (int i = rank + 1; i < count; i++) {
            double *row = table + (size_t)i * stride;
            double  l = row[c] * inverse;
            if (l != 0)
                zn_wide_subtract(count - c, l, top + c + 1, row + c + 1);
        }
        pivots[rank++] = c;
    }
    return rank;
}

int zn_lcp_solve_table(int count, double *table, double zero, double *x, int *pivots)
{
    ZN_ASSERT(count >= 0 && (count == 0 || (table && x && pivots)));
    double *threshold = x; // not needed any more once x is
    for (int c = 0; c < count; c++)
        threshold[c] = zero * largest_of_column(count, table, c);
    int rank = eliminate(count, table, threshold, pivots);

    for (int c = 0; c < count; c++)
        x[c] = 0;
    for (int r = rank - 1; r >= 0; r--) {
        const double *row = table + (size_t)r * (count + 1);
        double        sum = row[count];
        for (int c = pivots[r] + 1; c < count; c++)
            sum -= row[c] * x[c];
        x[pivots[r]] = sum / row[pivots[r]];
    }
    return rank;
}

// Some of n rows, ascending (for assertions).
static bool are_rows(int n, int count, const int *index)
{
    for (int i = 0; i < count; i++)
        if (index[i] < 0 || index[i] >= n || (i > 0 && index[i] <= index[i - 1]))
            return false;
    return true;
}

int zn_lcp_solve_active(const zn_lcp_problem *p, int count, const int *index, double *z, double *table, int *pivots)
{
    ZN_ASSERT(are_rows(p->n, count, index));
    double *x = table + (size_t)count * (count + 1);
    for (int i = 0; i < p->n; i++)
        z[i] = 0;
    gather(p, count, index, table);
    int rank = zn_lcp_solve_table(count, table, 8 * DBL_EPSILON * count, x, pivots); // what round-off leaves
    for (int c = 0; c < count; c++)
        z[index[c]] = x[c];
    return rank;
}

// --- improving an answer -------------------------------------------------------------------------

bool zn_lcp_polish(const zn_lcp_work *work, double *table)
{
    ZN_ASSERT(table && work->z != work->w);
    int n = work->p.n, count = 0;
    for (int i = 0; i < n; i++) {
        work->w[i] = work->z[i];
        if (i < work->p.bilateral || work->z[i] > 0)
            work->index[count++] = i;
    }
    zn_lcp_solve_active(&work->p, count, work->index, work->z, table, work->index + n);
    for (int i = work->p.bilateral; i < n; i++)
        if (work->z[i] < 0)
            work->z[i] = 0;
    if (zn_lcp_residual(&work->p, work->z) <= work->tolerance)
        return true;
    for (int i = 0; i < n; i++)
        work->z[i] = work->w[i];
    return false;
}

// --- the iteration -------------------------------------------------------------------------------

// w = A z + b and the size below which a violation is round-off.
static double evaluate(const zn_lcp_problem *p, const double *z, double *w)
{
    double scale = 0;
    for (int i = 0; i < p->n; i++) {
        const double *row = p->A + (size_t)i * p->n;
        double        sum = p->b[i], size = fabs(p->b[i]);
        for (int j = 0; j < p->n; j++) {
            double term = row[j] * z[j];
            sum += term;
            size += fabs(term);
        }
        w[i] = sum;
        scale = size > scale ? size : scale;
    }
    return 8 * DBL_EPSILON * p->n * scale;
}

static bool is_violated(bool active, double z, double w, double slack) { return (active ? z : w) < -slack; }

static int count_violations(const zn_lcp_work *work, const int *active, double slack, int *last)
{
    int count = 0;
    for (int i = work->p.bilateral; i < work->p.n; i++)
        if (is_violated(active[i], work->z[i], work->w[i], slack)) {
            count++;
            *last = i;
        }
    return count;
}

static void flip_violated(const zn_lcp_work *work, int *active, double slack)
{
    for (int i = work->p.bilateral; i < work->p.n; i++)
        if (is_violated(active[i], work->z[i], work->w[i], slack))
            active[i] = !active[i];
}

static int list_active(int n, const int *active, int *index)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (active[i])
            index[count++] = i;
    return count;
}

zn_status zn_lcp_pivot(const zn_lcp_work *work, int *iterations)
{
    ZN_ASSERT(iterations);
    enum { PATIENCE = 10 };
    const zn_lcp_problem *p = &work->p;
    int                  *active = work->index, *list = active + p->n, *pivots = list + p->n;
    int                   limit = work->max_iterations > 0 ? work->max_iterations : 30 + 4 * p->n;
    int                   fewest = p->n + 1, patience = PATIENCE;
    for (int i = 0; i < p->n; i++)
        active[i] = i < p->bilateral || work->z[i] > 0;

    for (int step = 0; step < limit; step++) {
        ++*iterations;
        int    count = list_active(p->n, active, list);
        int    rank = zn_lcp_solve_active(p, count, list, work->z, work->table, pivots);
        double slack = evaluate(p, work->z, work->w);
        int    last = 0, violations = count_violations(work, active, slack, &last);
        if (!isfinite(slack))
            return ZN_SINGULAR;
        if (violations == 0) // a singular block is fine when its equations agree, which the residual will tell
            return rank == count || zn_lcp_residual(p, work->z) <= work->tolerance ? ZN_OK : ZN_SINGULAR;
        if (violations < fewest) {
            fewest = violations;
            patience = PATIENCE;
        } else
            patience--;
        if (patience > 0)
            flip_violated(work, active, slack);
        else
            active[last] = !active[last];
    }
    return ZN_NOT_CONVERGED;
}
