// LU factors of a band matrix: rows are exchanged from the column of the pivot on, so that multipliers stay where they
// were computed, and the solution applies exchanges and columns of L in turn.
//
// Reference: G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., section 4.3.
#include "math/band.h"

#include <math.h>

#include "base/assert.h"
#include "base/wide.h"

// Entry (i, j).
static inline double *at(const zn_band *b, int i, int j)
{
    ZN_ASSERT(j >= i - b->lower && j <= i + b->lower + b->upper);
    return b->value + (size_t)i * (size_t)zn_band_width(b->lower, b->upper) + b->lower + j - i;
}

static inline int smaller(int a, int b) { return a < b ? a : b; }

static inline int larger(int a, int b) { return a > b ? a : b; }

// The row from k to `last` with the largest entry in column k.
static int find_pivot(const zn_band *b, int k, int last)
{
    int    row = k;
    double largest = fabs(*at(b, k, k));
    for (int i = k + 1; i <= last; i++)
        if (fabs(*at(b, i, k)) > largest) {
            largest = fabs(*at(b, i, k));
            row = i;
        }
    return largest > 0 ? row : -1;
}

ZN_WIDE static zn_status factor(zn_band *b)
{
    int end = 0; // columns from here on are zero in all rows that were pivots or will be next
    for (int k = 0; k < b->n; k++) {
        int last = smaller(k + b->lower, b->n - 1), row = find_pivot(b, k, last);
        if (row < 0)
            return ZN_SINGULAR;
        end = larger(end, smaller(row + b->upper + 1, b->n));
        b->pivot[k] = row;
        b->end[k] = end;
        double *own = at(b, k, k), *other = at(b, row, k);
        for (int j = 0; j < end - k && row != k; j++) {
            double t = own[j];
            own[j] = other[j];
            other[j] = t;
        }
        double inverse = 1.0 / own[0];
        for (int i = k + 1; i <= last; i++) {
            double *below = at(b, i, k), l = below[0] *= inverse;
            if (l != 0)
                zn_wide_subtract(end - k - 1, l, own + 1, below + 1);
        }
    }
    return ZN_OK;
}

zn_status zn_band_factor(zn_band *band)
{
    ZN_ASSERT(band->n >= 0 && band->lower >= 0 && band->upper >= 0);
    return factor(band);
}

ZN_WIDE static void solve(const zn_band *b, double *x)
{
    for (int k = 0; k < b->n; k++) {
        double t = x[b->pivot[k]];
        x[b->pivot[k]] = x[k];
        x[k] = t;
        for (int i = k + 1; i <= smaller(k + b->lower, b->n - 1) && t != 0; i++)
            x[i] -= *at(b, i, k) * t;
    }
    for (int i = b->n - 1; i >= 0; i--) {
        const double *row = at(b, i, i), *known = x + i;
        int           count = b->end[i] - i, j = 1;
        zn_four       sums = {0};
        for (; j + 4 <= count; j += 4)
            sums += *(const zn_four *)(row + j) * *(const zn_four *)(known + j);
        double sum = x[i] - zn_four_sum(&sums);
        for (; j < count; j++)
            sum -= row[j] * known[j];
        x[i] = sum / row[0];
    }
}

void zn_band_solve(const zn_band *band, double *x)
{
    ZN_ASSERT(band->n == 0 || x);
    solve(band, x);
}
