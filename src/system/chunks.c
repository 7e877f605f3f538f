// Chunks of consecutive elements and their colours. Greedy: a chunk takes the first colour that none of the earlier
// chunks at its nodes has; 64 colours at most, a mesh that needs more is numbered too wildly to share.
#include "system/chunks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

enum { CHUNK = 512, FEWEST = 8 * CHUNK, COLOURS = 64 };

// The colour of each chunk; false when there are too few colours.
static bool paint(const zn_element_block *b, int chunks, uint64_t *used, int *colour)
{
    ZN_ASSERT(chunks == (b->count + CHUNK - 1) / CHUNK);
    int per = b->ops->nodes;
    for (int k = 0; k < chunks; k++) {
        int      first = k * CHUNK, last = first + CHUNK < b->count ? first + CHUNK : b->count;
        uint64_t taken = 0;
        for (int i = first * per; i < last * per; i++)
            taken |= b->node[i] >= 0 ? used[b->node[i]] : 0;
        for (colour[k] = 0; colour[k] < COLOURS && (taken >> colour[k] & 1); colour[k]++)
            ;
        if (colour[k] == COLOURS)
            return false;
        for (int i = first * per; i < last * per; i++)
            if (b->node[i] >= 0)
                used[b->node[i]] |= (uint64_t)1 << colour[k];
    }
    return true;
}

static void sort_chunks(const zn_element_block *b, const int *colour, zn_chunks *c)
{
    int next = 0;
    for (int k = 0; k < c->count; k++)
        c->colours = colour[k] + 1 > c->colours ? colour[k] + 1 : c->colours;
    for (int i = 0; i < c->colours; i++) {
        c->first[i] = next;
        for (int k = 0; k < c->count; k++)
            if (colour[k] == i) {
                int first = k * CHUNK, left = b->count - first;
                c->chunk[next++] = (zn_chunk){first, left < CHUNK ? left : CHUNK};
            }
    }
    c->first[c->colours] = next;
    ZN_ASSERT(next == c->count && c->colours <= COLOURS);
}

zn_status zn_chunks_create(const zn_element_block *b, int nodes, zn_chunks *out)
{
    ZN_ASSERT(b && b->ops && b->count >= 0 && nodes >= 0 && out);
    int chunks = (b->count + CHUNK - 1) / CHUNK;
    *out = (zn_chunks){0};
    if (!b->ops->force_energy || b->count < FEWEST)
        return ZN_OK;
    zn_chunks c = {.count = chunks, .chunk = ZN_NEW(zn_chunk, chunks), .first = ZN_NEW(int, COLOURS + 1)};
    uint64_t *used = ZN_NEW(uint64_t, nodes);
    int      *colour = ZN_NEW(int, chunks);
    zn_status status = c.chunk && c.first && used && colour ? ZN_OK : ZN_ERR_MEMORY;
    if (status == ZN_OK && paint(b, chunks, used, colour)) {
        sort_chunks(b, colour, &c);
        *out = c;
    } else
        zn_chunks_destroy(&c);
    free(used);
    free(colour);
    return status;
}

void zn_chunks_destroy(zn_chunks *c)
{
    free(c->chunk);
    free(c->first);
    *c = (zn_chunks){0};
}
