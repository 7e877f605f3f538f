/// Loops that use the widest vectors of the processor. The order of operations in each lane does not depend on the
/// width of registers, so that all clones give the same bits.
#ifndef ZN_BASE_WIDE_H
#define ZN_BASE_WIDE_H

#include <stdint.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__OPTIMIZE__) &&                        \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ZN_WIDE   __attribute__((target_clones("avx512f", "avx2", "default")))
#define ZN_INLINE static inline __attribute__((always_inline))
#else
#define ZN_WIDE
#define ZN_INLINE static inline
#endif

/// Four neighbours of an array, or four sums.
typedef double zn_four __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

/// Four places or marks beside them: all bits where a comparison of two zn_four holds.
typedef int64_t zn_four_numbers __attribute__((vector_size(4 * sizeof(int64_t))));

/// y -= l x, for rows of small matrices: short loops that compilers leave as they are.
ZN_INLINE void zn_wide_subtract(int n, double l, const double *x, double *y)
{
    int     j = 0;
    zn_four factor = {l, l, l, l};
    for (; j + 4 <= n; j += 4)
        *(zn_four *)(y + j) -= factor * *(const zn_four *)(x + j);
    for (; j < n; j++)
        y[j] -= l * x[j];
}

static inline double zn_four_sum(const zn_four *x) { return ((*x)[0] + (*x)[1]) + ((*x)[2] + (*x)[3]); }

#endif
