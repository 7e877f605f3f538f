/// LU factors of a band matrix with partial pivoting.
#ifndef ZN_MATH_BAND_H
#define ZN_MATH_BAND_H

#include <stddef.h>

#include "zn/base.h"

/// Entry (i, j), i - lower <= j <= i + upper, is value[i * width + lower + j - i]; exchanges of rows need the other
/// `lower` places of a row, which begin as zeros.
typedef struct zn_band {
    int     n, lower, upper;
    double *value; ///< n * zn_band_width
    int    *pivot; ///< n
    int    *end;   ///< n: one past the last column of a row of U
} zn_band;

static inline int zn_band_width(int lower, int upper) { return 2 * lower + upper + 1; }

/// In place. The same pivots and bits as zn_dense_lu_factor has inside of the band.
zn_status zn_band_factor(zn_band *band);
/// x = A \ x
void      zn_band_solve(const zn_band *band, double *x);

#endif
