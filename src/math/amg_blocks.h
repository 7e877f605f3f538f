/// Matrices of a preconditioner: single precision, in blocks of 3 x 3 with one index each, of symmetric ones half. A
/// cycle reads them from memory again and again, and takes as long as that takes: 2.3 bytes for an entry of a symmetric
/// matrix in place of twelve.
///
/// Vectors have four places for each row of blocks, the fourth of which is there for the processor and has no meaning.
#ifndef ZN_MATH_AMG_BLOCKS_H
#define ZN_MATH_AMG_BLOCKS_H

#include "math/amg.h"

enum { ZN_BLOCK_SIDE = 3, ZN_BLOCK_STEP = 4 };

/// Row i has the blocks [start[i], start[i + 1]) of nine values each, by rows.
typedef struct zn_blocks {
    int     rows;
    int    *start, *column;
    float  *value;
    double *exact; ///< the same in double precision, not scaled; NULL: not kept
} zn_blocks;

/// Places of unknowns in vectors: those of a node are in one row, as far as three are enough. `rows`: how many there
/// are.
zn_status zn_blocks_place(int n, int nodes, const int *node, int *place, int *rows);
/// scale[i] a_ij scale[j], a symmetric: blocks on the diagonal, which come last, and left of it.
zn_status zn_blocks_halve(const zn_sparse *a, int rows, const int *place, const double *scale, bool exact,
                          zn_blocks *out);
/// P_ij coarse_scale[j] / scale[i], P of n rows; unknown j of the coarse level is in place j + j/3.
zn_status zn_blocks_prolong(const zn_amg_rows *P, int n, int rows, const int *place, const double *scale,
                            const double *coarse_scale, zn_blocks *out);
void      zn_blocks_destroy(zn_blocks *b); ///< accepts an empty one

/// y = A x, by rows [first, end) and their mirror images: first comes 0, and each range begins where the last one
/// ended.
void zn_blocks_multiply_half(const zn_blocks *half, int first, int end, const float *x, float *y);
void zn_blocks_multiply_exact(const zn_blocks *half, int first, int end, const double *x, double *y); ///< not scaled
void zn_blocks_add(const zn_blocks *p, const float *x, float *y);                                     ///< y += P x
void zn_blocks_add_transposed(const zn_blocks *p, const float *x, float *y);                          ///< y += P'x

#endif
