// Blocks in a list; an allocation is a step forward in the newest one.
#include "io/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 * 1024, ALIGN = 16 };

typedef struct block {
    struct block *next;
    size_t        used, size;
} block;

struct zn_pool {
    block *newest;
};

// The data of a block begin here, aligned.
static const size_t head = (sizeof(block) + ALIGN - 1) / ALIGN * ALIGN;

zn_pool *zn_pool_create(void) { return calloc(1, sizeof(zn_pool)); }

zn_pool *zn_pool_destroy(zn_pool *pool)
{
    if (pool == NULL)
        return NULL;
    for (block *b = pool->newest, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    free(pool);
    return NULL;
}

void *zn_pool_alloc(zn_pool *pool, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 2) / size)
        return NULL;
    size_t need = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    block *b = pool->newest;
    if (b == NULL || b->size - b->used < need) {
        size_t room = need > BLOCK ? need : BLOCK;
        b = calloc(1, head + room);
        if (b == NULL)
            return NULL;
        b->size = room;
        b->next = pool->newest;
        pool->newest = b;
    }
    void *data = (unsigned char *)b + head + b->used;
    b->used += need;
    return data;
}

char *zn_pool_copy(zn_pool *pool, const char *text, size_t length)
{
    char *copy = zn_pool_alloc(pool, length + 1, 1);
    return copy == NULL ? NULL : memcpy(copy, text, length);
}

char *zn_pool_string(zn_pool *pool, const char *text)
{
    return text == NULL ? NULL : zn_pool_copy(pool, text, strlen(text));
}
