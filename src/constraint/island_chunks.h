/// A large island in chunks of units that follow each other, for several threads. Chunks of a colour share no degree of
/// freedom: they are swept side by side, colour after colour, with the same bits for any number of threads. Smaller
/// islands are one chunk.
#ifndef ZN_CONSTRAINT_ISLAND_CHUNKS_H
#define ZN_CONSTRAINT_ISLAND_CHUNKS_H

#include "constraint/island_sweeps.h"

/// Of the last island, whose units are all there.
zn_status zn_island_chunks_make(zn_sweeps *w, zn_sweep_island *island);
/// job(user, chunk) for all chunks of an island; `apart`: those of a colour at a time.
void      zn_island_chunks_run(const zn_sweeps *w, const zn_sweep_island *island, bool apart,
                               void (*job)(void *user, int chunk), void *user);

#endif
