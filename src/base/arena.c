// Scratch memory: a stack of 64-byte aligned pieces in one block, or in as many as it takes. A block never moves, so
// pointers stay valid until the rewind, and what fits once always fits.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "zn/base.h"

enum { ALIGNMENT = 64 }; // one cache line, and enough for any vector instruction

typedef struct block {
    unsigned char *memory;
    size_t         first;    // mark at which the block begins
    size_t         capacity; // bytes, multiple of ALIGNMENT
    struct block  *next, *last;
} block;

struct zn_arena {
    block *now;
    size_t used;   // mark: bytes in the blocks before and in this one, multiple of ALIGNMENT
    size_t growth; // least size of another block; 0: there is no other
};

// Next multiple of the alignment; 0 when that does not fit in a size_t.
static size_t round_up(size_t bytes)
{
    return bytes > SIZE_MAX - (ALIGNMENT - 1) ? 0 : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static block *new_block(size_t capacity, block *last)
{
    size_t bytes = round_up(capacity > 0 ? capacity : 1);
    block *b = bytes > 0 ? malloc(sizeof *b) : NULL;
    if (b == NULL)
        return NULL;
    *b = (block){aligned_alloc(ALIGNMENT, bytes), last ? last->first + last->capacity : 0, bytes, NULL, last};
    if (b->memory == NULL) {
        free(b);
        return NULL;
    }
    if (last)
        last->next = b;
    return b;
}

zn_status zn_arena_create(size_t capacity, zn_arena **out)
{
    zn_arena *arena = malloc(sizeof *arena);
    if (arena == NULL)
        return ZN_ERR_MEMORY;
    *arena = (zn_arena){.now = new_block(capacity, NULL)};
    if (arena->now == NULL) {
        free(arena);
        return ZN_ERR_MEMORY;
    }
    *out = arena;
    return ZN_OK;
}

zn_status zn_arena_create_growing(size_t growth, zn_arena **out)
{
    ZN_TRY(zn_arena_create(growth, out));
    (*out)->growth = growth > 0 ? growth : 1;
    return ZN_OK;
}

static void free_from(block *b)
{
    while (b) {
        block *next = b->next;
        free(b->memory);
        free(b);
        b = next;
    }
}

zn_arena *zn_arena_destroy(zn_arena *arena)
{
    ZN_ALIVE(arena);
    if (arena != NULL) {
        zn_arena_rewind(arena, 0);
        free_from(arena->now);
        zn_retire(arena, sizeof *arena);
    }
    return NULL;
}

size_t zn_arena_mark(const zn_arena *arena)
{
    ZN_ALIVE(arena);
    return arena->used;
}

void zn_arena_rewind(zn_arena *arena, size_t mark)
{
    ZN_ALIVE(arena);
    if (mark >= arena->used)
        return;
    arena->used = round_up(mark);
    while (arena->now->first > arena->used)
        arena->now = arena->now->last;
}

static size_t room(const zn_arena *arena) { return arena->now->first + arena->now->capacity - arena->used; }

// Go on in the next block; one that was left behind too small is made anew.
static bool enter_next(zn_arena *arena, size_t bytes)
{
    if (arena->growth == 0)
        return false;
    if (arena->now->next && arena->now->next->capacity < bytes) {
        free_from(arena->now->next);
        arena->now->next = NULL;
    }
    block *next = arena->now->next;
    if (next == NULL)
        next = new_block(bytes > arena->growth ? bytes : arena->growth, arena->now);
    if (next == NULL)
        return false;
    arena->now = next;
    arena->used = next->first;
    return true;
}

void *zn_arena_alloc(zn_arena *arena, size_t count, size_t size)
{
    ZN_ALIVE(arena);
    if (size != 0 && count > PTRDIFF_MAX / size)
        return NULL;
    size_t bytes = count * size;
    if (bytes > room(arena) && !enter_next(arena, bytes))
        return NULL;
    void *piece = arena->now->memory + (arena->used - arena->now->first);
    arena->used += round_up(bytes); // capacity is a multiple of the alignment, so this fits too
    memset(piece, 0, bytes);
    return piece;
}
