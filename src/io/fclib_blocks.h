/// A friction problem taken apart into the blocks of an FCLIB file.
#ifndef ZN_IO_FCLIB_BLOCKS_H
#define ZN_IO_FCLIB_BLOCKS_H

#include <stdbool.h>

#include "zn/friction.h"

/// Rows of the contacts, all of one dimension, and equations apart: u = W r + V l + q,  0 = V' r + R l + s.
typedef struct zn_fclib_blocks {
    int                 dimension, contacts, rows, equations;
    int                *place; ///< of each row of the problem: equations, then rows
    const zn_fc_matrix *W, *V, *R;
    double             *q;          ///< rows
    const double       *s, *mu;     ///< borrowed from the problem
    bool                padded;     ///< contacts got tangents that nothing acts on
    bool                eliminated; ///< the equations were eliminated: they act on contacts by more than V'
} zn_fclib_blocks;

/// ZN_SINGULAR when equations have to be eliminated and cannot be.
zn_status zn_fclib_blocks_make(const zn_fc_problem *p, zn_fclib_blocks *out);
void      zn_fclib_blocks_free(zn_fclib_blocks *b);

#endif
