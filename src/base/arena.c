// Scratch memory: one block, a stack of 64-byte aligned pieces. It never grows, so pointers stay valid until the
// rewind and a step that fits once always fits.
#include <stdlib.h>
#include <string.h>

#include "zn/base.h"

enum { ALIGNMENT = 64 }; // one cache line, and enough for any vector instruction

struct zn_arena {
    unsigned char *memory;
    size_t         capacity; // bytes, multiple of ALIGNMENT
    size_t         used;     // bytes, multiple of ALIGNMENT
};

// Next multiple of the alignment; 0 when that does not fit in a size_t.
static size_t round_up(size_t bytes)
{
    return bytes > SIZE_MAX - (ALIGNMENT - 1) ? 0 : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

zn_status zn_arena_create(size_t capacity, zn_arena **out)
{
    size_t bytes = round_up(capacity > 0 ? capacity : 1);
    if (bytes == 0)
        return ZN_ERR_MEMORY;
    zn_arena *arena = malloc(sizeof *arena);
    if (arena == NULL)
        return ZN_ERR_MEMORY;
    *arena = (zn_arena){.memory = aligned_alloc(ALIGNMENT, bytes), .capacity = bytes};
    if (arena->memory == NULL) {
        zn_arena_destroy(arena);
        return ZN_ERR_MEMORY;
    }
    *out = arena;
    return ZN_OK;
}

zn_arena *zn_arena_destroy(zn_arena *arena)
{
    if (arena != NULL) {
        free(arena->memory);
        free(arena);
    }
    return NULL;
}

size_t zn_arena_mark(const zn_arena *arena) { return arena->used; }

void zn_arena_rewind(zn_arena *arena, size_t mark)
{
    if (mark < arena->used)
        arena->used = round_up(mark);
}

void *zn_arena_alloc(zn_arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    size_t bytes = count * size;
    size_t room = arena->capacity - arena->used;
    if (bytes > room)
        return NULL;
    void *piece = arena->memory + arena->used;
    arena->used += round_up(bytes); // capacity is a multiple of the alignment, so this fits too
    memset(piece, 0, bytes);
    return piece;
}
