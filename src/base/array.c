// Growable arrays and checked allocation.
#include "base/array.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *zn_new_array(size_t count, size_t size)
{
    if (count == 0 || size == 0)
        return calloc(1, 1); // for zero bytes calloc may give NULL, which would look like a failure
    return count > SIZE_MAX / size ? NULL : calloc(count, size);
}

double *zn_new_vectors(size_t count, double **const vector[], size_t n)
{
    enum { EIGHT = 8, LINE = EIGHT * sizeof(double) };
    size_t room = (n + EIGHT - 1) / EIGHT * EIGHT;
    if (room < n || (count > 0 && room > (SIZE_MAX / sizeof(double) - EIGHT) / count))
        return NULL;
    double *slab = zn_new_array(count * room + EIGHT, sizeof *slab);
    double *first = slab ? slab + (LINE - (uintptr_t)slab % LINE) % LINE / sizeof *slab : NULL;
    for (size_t i = 0; i < count && slab; i++)
        *vector[i] = first + i * room;
    return slab;
}

bool zn_has_room(size_t bytes)
{
    void *volatile room = malloc(bytes); // never touched: addresses, hardly any memory
    bool has = room != NULL;
    free(room);
    return has;
}

char *zn_copy_string(const char *text)
{
    if (text == NULL)
        return NULL;
    size_t bytes = strlen(text) + 1;
    char  *copy = malloc(bytes);
    return copy == NULL ? NULL : memcpy(copy, text, bytes);
}

zn_status zn_grow(void *array, int *capacity, int need, size_t size)
{
    if (need <= *capacity)
        return ZN_OK;
    int room = *capacity > INT_MAX / 2 ? INT_MAX : 2 * *capacity; // doubling: n appends cost O(n)
    if (room < need)
        room = need;
    if (room < 8)
        room = 8;
    if ((size_t)room > SIZE_MAX / size)
        return ZN_ERR_MEMORY;

    // `array` is the address of a typed pointer; copying its bytes keeps within the aliasing rules
    void *old;
    memcpy(&old, array, sizeof old);
    unsigned char *grown = realloc(old, (size_t)room * size);
    if (grown == NULL)
        return ZN_ERR_MEMORY;
    memset(grown + (size_t)*capacity * size, 0, (size_t)(room - *capacity) * size);
    memcpy(array, &grown, sizeof grown);
    *capacity = room;
    return ZN_OK;
}

zn_status zn_arena_vectors(zn_arena *arena, size_t count, double **const vector[], size_t n)
{
    for (size_t i = 0; i < count; i++) {
        *vector[i] = ZN_ARENA_NEW(arena, double, n);
        if (*vector[i] == NULL)
            return ZN_ERR_MEMORY;
    }
    return ZN_OK;
}
