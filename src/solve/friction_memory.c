// The workspace of the friction solvers: a few chunks of memory, filled from the front. A chunk that does not suffice
// is followed by a larger one; when nothing is in use all of them become one, so that the second problem of a size
// finds its memory ready.
#include "solve/friction_memory.h"

#include <stdlib.h>

#include "base/alive.h"
#include "base/assert.h"
#include "solve/friction.h"

enum { CHUNKS = 32, ALIGNMENT = 16 };

struct zn_fc_workspace {
    struct {
        char  *base;
        size_t size;
    } chunk[CHUNKS];
    int    count;   // chunks
    int    current; // the one that is being filled
    size_t used;    // of it
};

zn_status zn_fc_workspace_create(zn_fc_workspace **out)
{
    if (!out)
        return ZN_ERR_ARGUMENT;
    ZN_ASSERT(out);
    zn_fc_workspace *w = calloc(1, sizeof *w);
    if (w == NULL)
        return ZN_ERR_MEMORY;
    *out = w;
    return ZN_OK;
}

static void free_chunks(zn_fc_workspace *w)
{
    for (int i = 0; i < w->count; i++)
        free(w->chunk[i].base);
    w->count = w->current = 0;
    w->used = 0;
}

zn_fc_workspace *zn_fc_workspace_destroy(zn_fc_workspace *workspace)
{
    ZN_ALIVE(workspace);
    if (workspace != NULL)
        free_chunks(workspace);
    zn_retire(workspace, sizeof *workspace);
    return NULL;
}

static zn_status add_chunk(zn_fc_workspace *w, size_t size)
{
    ZN_ASSERT(size > 0);
    if (w->count == CHUNKS)
        return ZN_ERR_MEMORY;
    char *base = malloc(size);
    if (base == NULL)
        return ZN_ERR_MEMORY;
    w->chunk[w->count].base = base;
    w->chunk[w->count].size = size;
    w->count++;
    return ZN_OK;
}

zn_status zn_fc_begin(zn_fc_workspace *w)
{
    size_t total = 0;
    w->current = 0;
    w->used = 0;
    if (w->count <= 1)
        return ZN_OK;
    for (int i = 0; i < w->count; i++)
        total += w->chunk[i].size;
    free_chunks(w);
    return add_chunk(w, total);
}

zn_fc_mark zn_fc_get_mark(const zn_fc_workspace *w) { return (zn_fc_mark){w->current, w->used}; }

void zn_fc_rewind(zn_fc_workspace *w, zn_fc_mark mark)
{
    ZN_ASSERT(mark.chunk < w->current || (mark.chunk == w->current && mark.used <= w->used));
    w->current = mark.chunk;
    w->used = mark.used;
}

void *zn_fc_take(zn_fc_workspace *w, size_t count, size_t size)
{
    ZN_ASSERT(w->current <= w->count && size > 0);
    if (size != 0 && count > (SIZE_MAX / 4) / size)
        return NULL;
    size_t bytes = (count * size + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1);
    while (w->current < w->count && bytes > w->chunk[w->current].size - w->used) {
        w->current++;
        w->used = 0;
    }
    if (w->current == w->count) {
        size_t last = w->count > 0 ? w->chunk[w->count - 1].size : 4096;
        if (add_chunk(w, bytes > 2 * last ? bytes : 2 * last) != ZN_OK)
            return NULL;
        w->used = 0;
    }
    void *place = w->chunk[w->current].base + w->used;
    w->used += bytes;
    ZN_ASSERT(w->used <= w->chunk[w->current].size);
    return place;
}

// Blocks of a dense matrix, the vectors of the solvers, and the equations of Newton's method.
static size_t block_bytes(size_t n, size_t count)
{
    size_t pairs = count * count,
           doubles = 2 * n * n + 32 * n + 74 * count + sizeof(zn_fc_local) / sizeof(double) * count;
    return doubles * sizeof(double) + pairs * (sizeof(int) + sizeof(size_t)) + (9 * count + 4 * n) * sizeof(int) + 4096;
}

zn_status zn_fc_workspace_reserve(zn_fc_workspace *workspace, int n, int contacts)
{
    ZN_ALIVE(workspace);
    if (!workspace)
        return ZN_ERR_ARGUMENT;
    if (n < 0 || contacts < 0)
        return ZN_ERR_ARGUMENT;
    ZN_TRY(zn_fc_begin(workspace));
    size_t bytes = zn_fc_work_bytes(n, contacts) + block_bytes((size_t)n, (size_t)n);
    if (workspace->count == 1 && workspace->chunk[0].size >= bytes)
        return ZN_OK;
    free_chunks(workspace);
    return add_chunk(workspace, bytes);
}
