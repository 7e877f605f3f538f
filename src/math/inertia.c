// Inertia of a symmetric matrix by Sylvester's law: A = P'LDL'P has as many negative eigenvalues as D, whose blocks are
// 1x1 and 2x2 (J. R. Bunch, L. Kaufman, Math. Comp. 31 (1977) 163-179).
#include "math/inertia.h"

#include <stdlib.h>

#include "base/array.h"

enum { DENSE_ROWS = 150 };       // up to here the dense factorization wins
enum { DENSE_ROWS_MOST = 2500 }; // a few seconds, where there is no other

static double entry(const zn_sparse *a, int i, int j)
{
    int low = a->start[j], high = a->start[j + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a->row[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->start[j + 1] && a->row[low] == i ? a->value[low] : 0;
}

static zn_status dense_inertia(const zn_sparse *a, int *negative)
{
    size_t    n = (size_t)a->n;
    double   *full = ZN_NEW(double, n *n);
    int      *pivot = ZN_NEW(int, n);
    zn_status status = full && pivot ? ZN_OK : ZN_ERR_MEMORY;
    for (int j = 0; j < a->n && status == ZN_OK; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++) {
            size_t i = (size_t)a->row[p], k = (size_t)j;
            full[i >= k ? i * n + k : k * n + i] += i == k ? a->value[p] : 0.5 * a->value[p]; // lower triangle
        }
    if (status == ZN_OK)
        status = zn_dense_ldl_factor(a->n, full, pivot, negative);
    free(full);
    free(pivot);
    return status;
}

zn_status zn_sparse_inertia(const zn_sparse *a, int *negative)
{
    if (a->n == 0) {
        *negative = 0;
        return ZN_OK;
    }
    for (int p = 0; p < a->start[a->n]; p++)
        if (!isfinite(a->value[p]))
            return ZN_NOT_FINITE;
    if (a->n <= DENSE_ROWS)
        return dense_inertia(a, negative);
    zn_status status = zn_mumps_inertia(a, negative);
    return status == ZN_ERR_UNSUPPORTED && a->n <= DENSE_ROWS_MOST ? dense_inertia(a, negative) : status;
}

double zn_sparse_asymmetry(const zn_sparse *a, const double *scale)
{
    double worst = 0;
    for (int j = 0; j < a->n; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++) {
            double difference = fabs(a->value[p] - entry(a, j, a->row[p]));
            if (difference > 0)
                worst = fmax(worst, difference / sqrt(scale[j] * scale[a->row[p]]));
        }
    return worst;
}
