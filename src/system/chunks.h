/// Elements of a block in chunks of neighbours, coloured so that chunks of one colour share no node: they may run at
/// the same time, and what a node receives is summed in the order of the colours, whatever the number of threads.
#ifndef ZN_SYSTEM_CHUNKS_H
#define ZN_SYSTEM_CHUNKS_H

#include "model/element/element.h"

typedef struct zn_chunk {
    int first, count;
} zn_chunk; ///< elements

typedef struct zn_chunks {
    int       count; ///< 0: the block is too small to share
    zn_chunk *chunk; ///< sorted by colour
    int       colours;
    int      *first; ///< colours + 1
} zn_chunks;

/// For blocks that offer force_energy and have enough elements.
zn_status zn_chunks_create(const zn_element_block *b, int nodes, zn_chunks *out);
void      zn_chunks_destroy(zn_chunks *c);

#endif
