/// Looking up entries of a sparse matrix.
#ifndef ZN_MATH_SPARSE_FIND_H
#define ZN_MATH_SPARSE_FIND_H

#include "zn/math.h"

/// Entry of row i in column j; -1: there is none.
static inline int zn_sparse_find(const zn_sparse *a, int i, int j)
{
    int low = a->start[j], high = a->start[j + 1] - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (a->row[middle] == i)
            return middle;
        if (a->row[middle] < i)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

#endif
