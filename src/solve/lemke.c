// Lemke's complementary pivoting on the problem without its bilateral rows:
//     w = M z + q + 1 z0,    w, z, z0 >= 0,    w_i z_i = 0
// z0 enters first; then the complement of what left enters, until z0 leaves (a solution) or nothing can leave (a ray:
// no solution when M is copositive plus, which covers every M = G M^-1 G'). The full tableau [I | -M | -1 | q] is kept,
// so its first m columns are the inverse of the basis and ties in the ratio test are broken lexicographically:
// no basis can come back.
//
// Reference: R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, sections 4.4 and 4.9.
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "solve/lcp.h"

// --- eliminating the bilateral rows --------------------------------------------------------------

// Gauss-Jordan on [A_BB A_BU b_B], nb x (n + 1), row pivoting; dependent columns are skipped. Returns the rank.
static int eliminate_rows(int nb, int n, double *back, int *pivot)
{
    int rank = 0, stride = n + 1;
    for (int c = 0; c < nb; c++) {
        int    best = -1;
        double largest = 1e-14 * (nb + 1); // entries are about 1: the problem is scaled
        for (int i = rank; i < nb; i++)
            if (fabs(back[(size_t)i * stride + c]) > largest) {
                largest = fabs(back[(size_t)i * stride + c]);
                best = i;
            }
        if (best < 0)
            continue;
        double *top = back + (size_t)rank * stride, *found = back + (size_t)best * stride;
        double  inverse = 1.0 / found[c];
        for (int j = 0; j < stride; j++) {
            double t = top[j];
            top[j] = found[j] * inverse;
            if (best != rank)
                found[j] = t;
        }
        for (int i = 0; i < nb; i++) {
            double *row = back + (size_t)i * stride, l = row[c];
            for (int j = 0; j < stride && i != rank; j++)
                row[j] -= l * top[j];
        }
        pivot[rank++] = c;
    }
    return rank;
}

// Entry `column` (of A, or n for b) of row i with the bilateral unknowns put in: A_ij - sum_r A_i,p(r) X_rj. What only
// round-off left of the difference becomes a zero, else a dependent row would look like a tiny independent one.
static double substitute(const zn_lcp_work *work, const zn_lcp_reduced *reduced, int i, int column)
{
    ZN_ASSERT(i >= work->p.bilateral && i < work->p.n && column <= work->p.n);
    int           n = work->p.n;
    const double *row = work->p.A + (size_t)i * n;
    double        sum = column < n ? row[column] : work->p.b[i], size = fabs(sum);
    for (int r = 0; r < reduced->rank; r++) {
        double term = row[reduced->pivot[r]] * reduced->back[(size_t)r * (n + 1) + column];
        sum -= term;
        size += fabs(term);
    }
    return fabs(sum) > 8 * DBL_EPSILON * reduced->rank * size ? sum : 0;
}

void zn_lcp_reduce(const zn_lcp_work *work, zn_lcp_reduced *out)
{
    ZN_ASSERT(work->p.bilateral >= 0 && work->p.bilateral <= work->p.n && work->table && work->index);
    int     n = work->p.n, nb = work->p.bilateral, m = n - nb;
    double *back = work->table, *M = back + (size_t)nb * (n + 1), *q = M + (size_t)m * m;
    int    *pivot = work->index + 3 * (size_t)n;
    for (int i = 0; i < nb; i++) {
        for (int j = 0; j < n; j++)
            back[(size_t)i * (n + 1) + j] = work->p.A[(size_t)i * n + j];
        back[(size_t)i * (n + 1) + n] = work->p.b[i];
    }
    *out = (zn_lcp_reduced){.p = {.n = m, .bilateral = 0, .A = M, .b = q}, .back = back, .pivot = pivot, .rest = q + m};
    out->rank = eliminate_rows(nb, n, back, pivot);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++)
            M[(size_t)i * m + j] = substitute(work, out, nb + i, nb + j);
        q[i] = substitute(work, out, nb + i, n);
    }
}

void zn_lcp_expand(const zn_lcp_work *work, const zn_lcp_reduced *reduced)
{
    ZN_ASSERT(reduced->rank <= work->p.bilateral);
    int n = work->p.n, nb = work->p.bilateral;
    for (int i = 0; i < nb; i++)
        work->z[i] = 0;
    for (int r = 0; r < reduced->rank; r++) {
        const double *row = reduced->back + (size_t)r * (n + 1);
        double        sum = -row[n];
        for (int j = nb; j < n; j++)
            sum -= row[j] * work->z[j];
        work->z[reduced->pivot[r]] = sum;
    }
}

// --- tableau -------------------------------------------------------------------------------------

// Columns: w (0 ... m - 1), z (m ... 2 m - 1), z0 (2 m), right-hand side (2 m + 1).
typedef struct lemke_tableau {
    int     m, width;
    double *t;
    int    *basis;
    double  scale; // of q: the right-hand side is of order 1
} lemke_tableau;

static void fill(lemke_tableau *l, const zn_lcp_problem *p)
{
    int m = l->m;
    l->scale = 0;
    for (int i = 0; i < m; i++)
        l->scale = fabs(p->b[i]) > l->scale ? fabs(p->b[i]) : l->scale;
    for (int i = 0; i < m; i++) {
        double *row = l->t + (size_t)i * l->width;
        for (int j = 0; j < m; j++) {
            row[j] = i == j;
            row[m + j] = -p->A[(size_t)i * m + j];
        }
        row[2 * m] = -1;
        row[2 * m + 1] = l->scale > 0 ? p->b[i] / l->scale : 0;
        l->basis[i] = i;
    }
}

static void exchange_basis(lemke_tableau *l, int r, int column)
{
    ZN_ASSERT(r >= 0 && r < l->m && column >= 0 && column <= 2 * l->m);
    ZN_ASSERT(l->t[(size_t)r * l->width + column] != 0);
    double *top = l->t + (size_t)r * l->width, inverse = 1.0 / top[column];
    for (int j = 0; j < l->width; j++)
        top[j] *= inverse;
    for (int i = 0; i < l->m; i++) {
        double *row = l->t + (size_t)i * l->width, factor = row[column];
        if (i == r || factor == 0)
            continue;
        for (int j = 0; j < l->width; j++)
            row[j] -= factor * top[j];
        row[column] = 0;
    }
    l->basis[r] = column;
}

// Compare rows i and k, divided by their entries in the entering column, at one column: -1, 0 (a tie), 1.
static int compare(const lemke_tableau *l, int i, int k, int entering, int column)
{
    ZN_ASSERT(column >= 0 && column < l->width);
    const double  tie = 1e-12;
    const double *ri = l->t + (size_t)i * l->width, *rk = l->t + (size_t)k * l->width;
    double        a = ri[column] / ri[entering], b = rk[column] / rk[entering];
    double        size = 1 + fabs(a) + fabs(b);
    return fabs(a - b) <= tie * size ? 0 : a < b ? -1 : 1;
}

static bool lexicographically_less(const lemke_tableau *l, int i, int k, int entering)
{
    for (int j = 0; j < l->m; j++) {
        int order = compare(l, i, k, entering, j);
        if (order != 0)
            return order < 0;
    }
    return false;
}

// Row that leaves for the entering column; -1 on a ray. z0 wins every tie, for then the problem is solved.
static int choose_row(const lemke_tableau *l, int entering)
{
    ZN_ASSERT(entering >= 0 && entering <= 2 * l->m);
    int    best = -1, rhs = 2 * l->m + 1, z0 = 2 * l->m;
    double largest = 1;
    for (int i = 0; i < l->m; i++) {
        double size = fabs(l->t[(size_t)i * l->width + entering]);
        largest = size > largest ? size : largest;
    }
    for (int i = 0; i < l->m; i++) {
        if (!(l->t[(size_t)i * l->width + entering] > 1e-12 * largest))
            continue;
        int order = best < 0 ? -1 : compare(l, i, best, entering, rhs);
        if (order < 0 ||
            (order == 0 && l->basis[best] != z0 && (l->basis[i] == z0 || lexicographically_less(l, i, best, entering))))
            best = i;
    }
    return best;
}

// First pivot: z0 enters at the most negative right-hand side, of equal ones the last (the lexicographic rule).
static int first_row(const lemke_tableau *l)
{
    int    r = -1, rhs = 2 * l->m + 1;
    double lowest = 0;
    for (int i = 0; i < l->m; i++) {
        double value = l->t[(size_t)i * l->width + rhs];
        if (value < 0 && value <= lowest) {
            lowest = value;
            r = i;
        }
    }
    return r;
}

// z0 in the present basis.
static double artificial(const lemke_tableau *l)
{
    for (int i = 0; i < l->m; i++)
        if (l->basis[i] == 2 * l->m)
            return l->t[(size_t)i * l->width + 2 * l->m + 1];
    return 0;
}

static zn_status run(lemke_tableau *l, int limit, int *iterations)
{
    int m = l->m, z0 = 2 * m, r = first_row(l), entering = z0;
    if (r < 0)
        return ZN_OK; // q >= 0: z = 0
    for (int step = 0; step < limit; step++) {
        ++*iterations;
        int leaving = l->basis[r];
        exchange_basis(l, r, entering);
        if (leaving == z0)
            return ZN_OK;
        entering = leaving < m ? leaving + m : leaving - m;
        r = choose_row(l, entering);
        if (r < 0) // where round-off alone keeps z0 in the basis, this is a solution; the judge will tell
            return artificial(l) < 1e-10 ? ZN_OK : ZN_NOT_CONVERGED;
    }
    return ZN_NOT_CONVERGED;
}

zn_status zn_lcp_lemke(const zn_lcp_work *work, int *iterations)
{
    ZN_ASSERT(iterations);
    zn_lcp_reduced reduced;
    zn_lcp_reduce(work, &reduced);
    int           m = reduced.p.n, nb = work->p.bilateral;
    lemke_tableau l = {.m = m, .width = 2 * m + 2, .t = reduced.rest, .basis = work->index};
    fill(&l, &reduced.p);
    ZN_TRY(run(&l, work->max_iterations > 0 ? work->max_iterations : 50 * m + 50, iterations));

    for (int i = 0; i < m; i++)
        work->z[nb + i] = 0;
    for (int i = 0; i < m; i++) {
        double value = l.t[(size_t)i * l.width + 2 * m + 1];
        if (l.basis[i] >= m && l.basis[i] < 2 * m && value > 0)
            work->z[nb + l.basis[i] - m] = value * l.scale;
    }
    zn_lcp_expand(work, &reduced);
    // every pivot adds round-off; one direct solution with the set it found takes it away
    zn_lcp_polish(work, reduced.rest);
    return ZN_OK;
}
