// Chunks of units and their colours. Greedy, as those of elements (src/system/chunks.c): a chunk takes the first colour
// that none of the earlier chunks at its places has. Contacts of a surface come row by row, so that two or three
// colours do. See island_chunks.h.
#include "constraint/island_chunks.h"

#include <string.h>

#include "base/array.h"
#include "base/assert.h"

enum { CHUNK = 512, FEWEST = 8 * CHUNK, COLOURS = 16 };

static zn_sweep_chunk chunk_of(const zn_sweep_island *island, int k)
{
    int first = k * CHUNK, left = island->units - first;
    return (zn_sweep_chunk){.unit = island->unit + first, .units = left < CHUNK ? left : CHUNK};
}

// Colours of the chunks at the places of a unit; an even one has three of each node.
static unsigned colours_at(const zn_sweeps *w, const zn_sweep_unit *u)
{
    const int *place = w->place + u->place;
    unsigned   taken = 0;
    for (int k = 0; k < u->entries; k++)
        for (int i = 0; i < (u->even ? 3 : 1); i++)
            taken |= w->used[place[k] + i];
    return taken;
}

static void mark(const zn_sweeps *w, const zn_sweep_unit *u, unsigned colour)
{
    const int *place = w->place + u->place;
    for (int k = 0; k < u->entries; k++)
        for (int i = 0; i < (u->even ? 3 : 1); i++)
            w->used[place[k] + i] |= colour;
}

// The colour of each chunk; false where there are too few of them.
static bool paint(zn_sweeps *w, zn_sweep_island *island)
{
    memset(w->used + island->dof, 0, sizeof *w->used * (size_t)island->dofs);
    for (int k = 0; k < island->chunks; k++) {
        zn_sweep_chunk *c = &w->chunk[island->chunk + k];
        unsigned        taken = 0;
        for (int i = c->unit; i < c->unit + c->units; i++)
            taken |= colours_at(w, &w->unit[i]);
        for (c->colour = 0; taken >> c->colour & 1; c->colour++)
            ;
        if (c->colour >= COLOURS)
            return false;
        for (int i = c->unit; i < c->unit + c->units; i++)
            mark(w, &w->unit[i], 1U << c->colour);
        island->colours = c->colour + 1 > island->colours ? c->colour + 1 : island->colours;
    }
    return true;
}

// By colour; those of one stay in their order.
static void sort(zn_sweeps *w, const zn_sweep_island *island)
{
    zn_sweep_chunk *chunk = w->chunk + island->chunk, *sorted = chunk + island->chunks;
    int             next = 0;
    for (int colour = 0; colour < island->colours; colour++)
        for (int k = 0; k < island->chunks; k++)
            if (chunk[k].colour == colour)
                sorted[next++] = chunk[k];
    ZN_ASSERT(next == island->chunks);
    memcpy(chunk, sorted, sizeof *chunk * (size_t)next);
}

zn_status zn_island_chunks_make(zn_sweeps *w, zn_sweep_island *island)
{
    int chunks = island->units < FEWEST ? 1 : (island->units + CHUNK - 1) / CHUNK;
    ZN_TRY(zn_grow(&w->chunk, &w->chunk_capacity, w->chunks + 2 * chunks, sizeof *w->chunk)); // twice: to sort them
    island->chunk = w->chunks;
    island->chunks = chunks;
    island->colours = 0;
    for (int k = 0; k < chunks && chunks > 1; k++)
        w->chunk[w->chunks + k] = chunk_of(island, k);
    if (chunks > 1)
        ZN_TRY(zn_grow(&w->used, &w->used_capacity, w->dofs, sizeof *w->used));
    if (chunks > 1 && paint(w, island))
        sort(w, island);
    else {
        w->chunk[w->chunks] = (zn_sweep_chunk){.unit = island->unit, .units = island->units};
        island->chunks = island->colours = 1;
    }
    w->chunks += island->chunks;
    return ZN_OK;
}

void zn_island_chunks_run(const zn_sweeps *w, const zn_sweep_island *island, bool apart,
                          void (*job)(void *user, int chunk), void *user)
{
    int first = island->chunk, end = island->chunk + island->chunks;
    while (first < end) {
        int last = apart ? first : end;
        while (last < end && w->chunk[last].colour == w->chunk[first].colour)
            last++;
        zn_team_run(island->chunks > 1 ? w->team : NULL, first, last, job, user);
        first = last;
    }
}
