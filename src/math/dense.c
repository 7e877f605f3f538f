// Dense factorizations of small row-major matrices, and the "dense" linear solver built on them.
//
// LU:  P A = L U, partial pivoting, rows exchanged in full.
// LDL: A = (P1 L1 P2 L2 ...) D (...)', D of 1x1 and 2x2 blocks chosen by Bunch and Kaufman. Step k exchanges rows and
//      columns of what is left only, so the solution applies exchanges and columns of L in turn.
//
// Reference: J. R. Bunch, L. Kaufman, Math. Comp. 31 (1977) 163-179, algorithm A;
// G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., sections 3.4 and 4.4.
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"
#include "math/linsolver.h"

static void exchange(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

// --- LU ------------------------------------------------------------------------------------------

// The largest entry of column k from the diagonal on comes to row k.
ZN_INLINE bool bring_pivot(int n, int k, double *a, int *pivot)
{
    double *row_k = a + (size_t)k * n;
    int     r = k;
    double  largest = fabs(row_k[k]);
    for (int i = k + 1; i < n; i++) {
        double size = fabs(a[(size_t)i * n + k]);
        if (size > largest) {
            largest = size;
            r = i;
        }
    }
    pivot[k] = r;
    if (r != k && largest > 0)
        for (int j = 0; j < n; j++)
            exchange(&row_k[j], &a[(size_t)r * n + j]);
    return largest > 0;
}

// Column k of L, and what it does to the columns from k + 1 up to `end`.
ZN_INLINE void eliminate_column(int n, int k, int end, double *a)
{
    double *row_k = a + (size_t)k * n, inverse = 1.0 / row_k[k];
    for (int i = k + 1; i < n; i++) {
        double *row_i = a + (size_t)i * n;
        double  l = row_i[k] *= inverse;
        if (l != 0)
            zn_wide_subtract(end - k - 1, l, row_k + k + 1, row_i + k + 1);
    }
}

ZN_INLINE zn_status eliminate(int n, int from, double *a, int *pivot)
{
    for (int k = from; k < n; k++) {
        if (!bring_pivot(n, k, a, pivot))
            return ZN_SINGULAR;
        eliminate_column(n, k, n, a);
    }
    return ZN_OK;
}

enum { PANEL = 4, FEW_COLUMNS = 12 };

// y -= l[0] x_0, then l[1] x_1 ...: each entry goes to memory once.
ZN_INLINE void subtract_panel(int n, int stride, const double *l, const double *x, double *y)
{
    const double *x1 = x + stride, *x2 = x1 + stride, *x3 = x2 + stride;
    zn_four       f0 = {l[0], l[0], l[0], l[0]}, f1 = {l[1], l[1], l[1], l[1]};
    zn_four       f2 = {l[2], l[2], l[2], l[2]}, f3 = {l[3], l[3], l[3], l[3]};
    int           j = 0;
    for (; j + 4 <= n; j += 4) {
        zn_four sum = *(zn_four *)(y + j) - f0 * *(const zn_four *)(x + j);
        sum -= f1 * *(const zn_four *)(x1 + j);
        sum -= f2 * *(const zn_four *)(x2 + j);
        *(zn_four *)(y + j) = sum - f3 * *(const zn_four *)(x3 + j);
    }
    for (; j < n; j++)
        y[j] = (((y[j] - l[0] * x[j]) - l[1] * x1[j]) - l[2] * x2[j]) - l[3] * x3[j];
}

// Four columns of L at a time. Every entry of the others meets the same operations in the same order as with one after
// the other, and has the same bits.
ZN_WIDE static zn_status eliminate_panels(int n, double *a, int *pivot)
{
    int k = 0;
    for (; k + FEW_COLUMNS <= n; k += PANEL) {
        int end = k + PANEL;
        for (int p = k; p < end; p++) {
            if (!bring_pivot(n, p, a, pivot))
                return ZN_SINGULAR;
            eliminate_column(n, p, end, a);
        }
        double *rows = a + (size_t)k * n;
        for (int p = 1; p < PANEL; p++)
            for (int o = 0; o < p; o++)
                zn_wide_subtract(n - end, rows[p * n + k + o], rows + o * n + end, rows + p * n + end);
        for (int i = end; i < n; i++) {
            const double *l = a + (size_t)i * n + k;
            if (l[0] != 0 || l[1] != 0 || l[2] != 0 || l[3] != 0)
                subtract_panel(n - end, n, l, rows + end, a + (size_t)i * n + end);
        }
    }
    return eliminate(n, k, a, pivot);
}

ZN_INLINE void substitute(int n, const double *lu, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++) // x = P x
        if (pivot[k] != k)
            exchange(&x[k], &x[pivot[k]]);
    for (int i = 1; i < n; i++) { // x = L \ x
        double sum = x[i];
        for (int j = 0; j < i; j++)
            sum -= lu[(size_t)i * n + j] * x[j];
        x[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) { // x = U \ x
        double sum = x[i];
        for (int j = i + 1; j < n; j++)
            sum -= lu[(size_t)i * n + j] * x[j];
        x[i] = sum / lu[(size_t)i * n + i];
    }
}

// Row k changes places with one that is not yet eliminated (for assertions).
static bool are_pivots(int n, const int *pivot)
{
    for (int k = 0; k < n; k++)
        if (pivot[k] < k || pivot[k] >= n)
            return false;
    return true;
}

// Of three unknowns, a body in the plane, the compiler unrolls all loops.
zn_status zn_dense_lu_factor(int n, double *a, int *pivot)
{
    ZN_ASSERT(n >= 0 && (n == 0 || (a && pivot)));
    return n == 3 ? eliminate(3, 0, a, pivot) : eliminate_panels(n, a, pivot);
}

void zn_dense_lu_solve(int n, const double *lu, const int *pivot, double *x)
{
    ZN_ASSERT(n == 0 || (lu && pivot && x));
    ZN_ASSERT(are_pivots(n, pivot));
    if (n == 3)
        substitute(3, lu, pivot, x);
    else
        substitute(n, lu, pivot, x);
}

// --- LDL -----------------------------------------------------------------------------------------

#define A(i, j) a[(size_t)(i)*n + (j)]

// Largest entry of row and column r of the symmetric trailing matrix from k on, the diagonal apart; `at` tells where.
static double largest_off_diagonal(int n, const double *a, int k, int r, int *at)
{
    double largest = 0;
    *at = r;
    for (int j = k; j < n; j++) {
        double size = j == r ? 0 : fabs(j < r ? A(r, j) : A(j, r));
        if (size > largest) {
            largest = size;
            *at = j;
        }
    }
    return largest;
}

// Size of the next pivot block (0: singular) and the row that comes to its last place.
static int choose_pivot(int n, const double *a, int k, int *exchanged)
{
    const double alpha = 0.6403882032022076; // (1 + sqrt(17))/8 bounds the growth of one 2x2 as of two 1x1 pivots
    int          r, unused;
    double       diagonal = fabs(A(k, k));
    double       column = largest_off_diagonal(n, a, k, k, &r);
    *exchanged = k;
    if (!(diagonal > 0 || column > 0))
        return 0;
    if (diagonal >= alpha * column)
        return 1;
    double row = largest_off_diagonal(n, a, k, r, &unused);
    if (diagonal * row >= alpha * column * column)
        return 1;
    *exchanged = r;
    return fabs(A(r, r)) >= alpha * row ? 1 : 2;
}

// Exchange rows and columns p < r of the lower triangle of the trailing matrix from k on.
static void exchange_symmetric(int n, double *a, int k, int p, int r)
{
    ZN_ASSERT(k <= p && p <= r && r < n);
    if (p == r)
        return;
    for (int j = k; j < p; j++)
        exchange(&A(p, j), &A(r, j));
    for (int i = p + 1; i < r; i++)
        exchange(&A(i, p), &A(r, i));
    for (int i = r + 1; i < n; i++)
        exchange(&A(i, p), &A(i, r));
    exchange(&A(p, p), &A(r, r));
}

static void eliminate_one(int n, double *a, int k)
{
    ZN_ASSERT(k < n && A(k, k) != 0);
    double inverse = 1.0 / A(k, k);
    for (int i = n - 1; i > k; i--) { // upwards: row i needs the unscaled column entries of the rows above it
        double l = A(i, k) * inverse;
        if (A(i, k) == 0) // of a chain of elements most rows
            continue;
        for (int j = k + 1; j <= i; j++)
            A(i, j) -= l * A(j, k);
        A(i, k) = l;
    }
}

// x = D^-1 (p, q) with the 2x2 block D at k, scaled by its off-diagonal entry against overflow.
static void apply_block_inverse(int n, const double *a, int k, double *p, double *q)
{
    double d21 = A(k + 1, k);
    double d11 = A(k, k) / d21, d22 = A(k + 1, k + 1) / d21;
    double t = 1.0 / ((d11 * d22 - 1.0) * d21);
    double x = t * (d22 * *p - *q);
    *q = t * (d11 * *q - *p);
    *p = x;
}

static void eliminate_two(int n, double *a, int k)
{
    ZN_ASSERT(k + 1 < n);
    for (int i = n - 1; i > k + 1; i--) {
        double l1 = A(i, k), l2 = A(i, k + 1);
        if (l1 == 0 && l2 == 0)
            continue;
        apply_block_inverse(n, a, k, &l1, &l2);
        for (int j = k + 2; j <= i; j++)
            A(i, j) -= l1 * A(j, k) + l2 * A(j, k + 1);
        A(i, k) = l1;
        A(i, k + 1) = l2;
    }
}

// As are_pivots; a negative one stands for a block, and its neighbour is the same.
static bool are_block_pivots(int n, const int *pivot)
{
    for (int k = 0; k < n; k += pivot[k] < 0 ? 2 : 1) {
        int row = pivot[k] < 0 ? -1 - pivot[k] : pivot[k];
        if (row < k || row >= n || (pivot[k] < 0 && (k + 1 == n || pivot[k + 1] != pivot[k])))
            return false;
    }
    return true;
}

zn_status zn_dense_ldl_factor(int n, double *a, int *pivot, int *negative)
{
    ZN_ASSERT(n >= 0 && (n == 0 || (a && pivot)));
    int count = 0;
    for (int k = 0; k < n;) {
        int r, size = choose_pivot(n, a, k, &r);
        if (size == 0)
            return ZN_SINGULAR;
        exchange_symmetric(n, a, k, k + size - 1, r);
        if (size == 1) {
            pivot[k] = r;
            count += A(k, k) < 0;
            eliminate_one(n, a, k);
        } else {
            pivot[k] = pivot[k + 1] = -1 - r; // the sign marks a 2x2 block
            count += 1;                       // its determinant is negative by the choice of the pivot
            eliminate_two(n, a, k);
        }
        k += size;
    }
    if (negative != NULL)
        *negative = count;
    return ZN_OK;
}

void zn_dense_ldl_solve(int n, const double *a, const int *pivot, double *x)
{
    ZN_ASSERT(n == 0 || (a && pivot && x));
    ZN_ASSERT(are_block_pivots(n, pivot));
    for (int k = 0; k < n;) { // x = D \ (L \ P x), block by block
        int size = pivot[k] < 0 ? 2 : 1;
        int r = pivot[k] < 0 ? -1 - pivot[k] : pivot[k];
        exchange(&x[k + size - 1], &x[r]);
        for (int i = k + size; i < n; i++)
            x[i] -= size == 1 ? A(i, k) * x[k] : A(i, k) * x[k] + A(i, k + 1) * x[k + 1];
        if (size == 1)
            x[k] /= A(k, k);
        else
            apply_block_inverse(n, a, k, &x[k], &x[k + 1]);
        k += size;
    }
    for (int k = n - 1; k >= 0;) { // x = P' (L' \ x)
        int size = pivot[k] < 0 ? 2 : 1;
        int r = pivot[k] < 0 ? -1 - pivot[k] : pivot[k];
        for (int c = k - size + 1; c <= k; c++)
            for (int i = k + 1; i < n; i++)
                x[c] -= A(i, c) * x[i];
        exchange(&x[k], &x[r]);
        k -= size;
    }
}

#undef A

// --- backend -------------------------------------------------------------------------------------

typedef struct dense_backend {
    int     n;
    double *lu;       // n x n
    double *scale;    // n, of the rows
    int    *pivot;    // n
    int    *begin;    // n, first entry of a row of L,
    int    *end;      // n, and behind the last one of U: bodies that few springs tie are blocks
    bool    diagonal; // `scale` holds the inverse
} dense_backend;

static void destroy(void *self)
{
    dense_backend *d = self;
    free(d->lu);
    free(d->scale);
    free(d->pivot);
    free(d->begin);
    free(d->end);
    free(d);
}

static zn_status create(const zn_sparse *a, void **self)
{
    ZN_ASSERT(a->n > 0);
    dense_backend *d = ZN_NEW(dense_backend, 1);
    if (d == NULL)
        return ZN_ERR_MEMORY;
    d->n = a->n;
    d->lu = zn_new_array((size_t)a->n * (size_t)a->n, sizeof(double));
    d->scale = ZN_NEW(double, a->n);
    d->pivot = ZN_NEW(int, a->n);
    d->begin = ZN_NEW(int, a->n);
    d->end = ZN_NEW(int, a->n);
    if (!d->lu || !d->scale || !d->pivot || !d->begin || !d->end) {
        destroy(d);
        return ZN_ERR_MEMORY;
    }
    *self = d;
    return ZN_OK;
}

// Rows scaled to a largest entry of 1: pivots do not depend on the units of an equation.
static zn_status copy_scaled(dense_backend *d, const zn_sparse *a)
{
    int n = d->n;
    for (size_t k = 0; k < (size_t)n * n; k++)
        d->lu[k] = 0;
    for (int i = 0; i < n; i++)
        d->scale[i] = 0;
    for (int p = 0; p < a->start[n]; p++)
        if (fabs(a->value[p]) > d->scale[a->row[p]])
            d->scale[a->row[p]] = fabs(a->value[p]);
    for (int i = 0; i < n; i++) {
        if (d->scale[i] == 0)
            return ZN_SINGULAR;
        d->scale[i] = 1.0 / d->scale[i];
    }
    for (int j = 0; j < n; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++)
            d->lu[(size_t)a->row[p] * n + j] = d->scale[a->row[p]] * a->value[p];
    return ZN_OK;
}

// Of dependent rows round-off usually leaves a pivot of a few eps instead of a zero.
static bool has_zero_pivot(const dense_backend *d)
{
    int n = d->n;
    for (int j = 0; j < n; j++) {
        double largest = 0;
        for (int i = 0; i <= j; i++)
            if (fabs(d->lu[(size_t)i * n + j]) > largest)
                largest = fabs(d->lu[(size_t)i * n + j]);
        if (!(fabs(d->lu[(size_t)j * n + j]) > ZN_LINSOLVER_ZERO_PIVOT * largest))
            return true;
    }
    return false;
}

static void find_profile(dense_backend *d)
{
    int n = d->n;
    for (int i = 0; i < n; i++) {
        const double *row = d->lu + (size_t)i * n;
        d->begin[i] = 0;
        d->end[i] = n;
        while (d->begin[i] < i && row[d->begin[i]] == 0)
            d->begin[i]++;
        while (d->end[i] > i + 1 && row[d->end[i] - 1] == 0)
            d->end[i]--;
    }
}

// As `substitute`, without what is zero: outside the profile, and before the first entry of the right-hand side.
static void substitute_profile(const dense_backend *d, double *x)
{
    int n = d->n, first = 0;
    for (int k = 0; k < n; k++)
        if (d->pivot[k] != k)
            exchange(&x[k], &x[d->pivot[k]]);
    while (first < n && x[first] == 0)
        first++;
    for (int i = first + 1; i < n; i++) {
        const double *row = d->lu + (size_t)i * n;
        double        sum = x[i];
        for (int j = d->begin[i] > first ? d->begin[i] : first; j < i; j++)
            sum -= row[j] * x[j];
        x[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = d->lu + (size_t)i * n;
        double        sum = x[i];
        for (int j = i + 1; j < d->end[i]; j++)
            sum -= row[j] * x[j];
        x[i] = sum / row[i];
    }
}

// Bodies without springs have a diagonal matrix: keep its inverse. False when an entry stands beside the diagonal.
static bool invert_diagonal(dense_backend *d, const zn_sparse *a)
{
    for (int j = 0; j < d->n; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++) {
            if (a->row[p] != j && a->value[p] != 0)
                return false;
            if (a->row[p] == j)
                d->scale[j] = 1.0 / a->value[p];
        }
    return true;
}

static zn_status factor(void *self, const zn_sparse *a, bool *fresh)
{
    dense_backend *d = self;
    *fresh = true;
    ZN_ASSERT(a->n == d->n);
    d->diagonal = invert_diagonal(d, a);
    if (d->diagonal) {
        for (int i = 0; i < d->n; i++)
            if (!isfinite(d->scale[i]))
                return ZN_SINGULAR;
        return ZN_OK;
    }
    ZN_TRY(copy_scaled(d, a));
    ZN_TRY(zn_dense_lu_factor(d->n, d->lu, d->pivot));
    find_profile(d);
    return has_zero_pivot(d) ? ZN_SINGULAR : ZN_OK;
}

static zn_status solve(void *self, int count, double *x)
{
    ZN_ASSERT(count > 0 && x);
    const dense_backend *d = self;
    for (int c = 0; c < count; c++, x += d->n) {
        for (int i = 0; i < d->n; i++)
            x[i] *= d->scale[i];
        if (!d->diagonal)
            substitute_profile(d, x);
    }
    return ZN_OK;
}

const zn_linsolver_ops zn_linsolver_dense = {
    .name = "dense", .create = create, .factor = factor, .solve = solve, .destroy = destroy};
