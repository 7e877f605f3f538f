// Symmetry of a matrix. See symmetric.h.
#include "math/symmetric.h"

// Both triangles are walked at once: rows ascend in each column.
bool zn_sparse_is_symmetric(const zn_sparse *a, double slack, int *next, double *diagonal, double *skew)
{
    *skew = 0;
    for (int j = 0; j < a->n; j++) {
        next[j] = a->start[j];
        diagonal[j] = 0;
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            diagonal[j] = a->row[e] == j ? fabs(a->value[e]) : diagonal[j];
    }
    for (int j = 0; j < a->n; j++)
        for (int e = a->start[j]; e < a->start[j + 1]; e++) {
            int i = a->row[e], *place = &next[i];
            while (*place < a->start[i + 1] && a->row[*place] < j)
                ++*place;
            double other = *place < a->start[i + 1] && a->row[*place] == j ? a->value[*place] : 0;
            double off = fabs(a->value[e] - other), size = sqrt(diagonal[i] * diagonal[j]);
            if (off > slack * size)
                return false;
            *skew = off > *skew * size ? off / size : *skew;
        }
    return true;
}

int zn_sparse_longest(const zn_sparse *a)
{
    int longest = 0;
    for (int j = 0; j < a->n; j++)
        longest = a->start[j + 1] - a->start[j] > longest ? a->start[j + 1] - a->start[j] : longest;
    return longest;
}

void zn_sparse_multiply_symmetric(const zn_sparse *a, const double *x, double *y)
{
    for (int j = 0; j < a->n; j++) {
        double sum = 0;
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            sum += a->value[e] * x[a->row[e]];
        y[j] = sum;
    }
}
