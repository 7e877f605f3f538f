/// Growable arrays and checked allocation, for the layers that build things (never inside a step).
#ifndef ZN_BASE_ARRAY_H
#define ZN_BASE_ARRAY_H

#include "zn/base.h"

/// Zeroed memory for `count` elements of `size` bytes; at least one byte. NULL on overflow or exhaustion.
void *zn_new_array(size_t count, size_t size);

/// Is there so much memory? For libraries that do not survive an allocation of theirs that fails: ask before they are
/// called.
bool zn_has_room(size_t bytes);

/// Copy of a string; NULL for NULL or when memory is exhausted.
char *zn_copy_string(const char *text);

/// Make room for `need` elements in `*array` of `*capacity` elements. New elements are zeroed.
zn_status zn_grow(void *array, int *capacity, int need, size_t size);

/// Append one value to a growable array with fields `array`, `count`, `capacity`.
#define ZN_PUSH(array, count, capacity, value)                                                                         \
    (zn_grow(&(array), &(capacity), (count) + 1, sizeof *(array)) == ZN_OK ? ((array)[(count)++] = (value), ZN_OK)     \
                                                                           : ZN_ERR_MEMORY)

/// `count` zeroed vectors of n doubles each, aligned to 64 bytes and with room for a multiple of eight; their addresses
/// into *vector[i]. Returns what is to be freed, NULL when memory is exhausted.
double *zn_new_vectors(size_t count, double **const vector[], size_t n);

/// `count` zeroed vectors of n doubles each from an arena; their addresses into *vector[i].
zn_status zn_arena_vectors(zn_arena *arena, size_t count, double **const vector[], size_t n);

#define ZN_ARENA_NEW(arena, type, count) ((type *)zn_arena_alloc(arena, (size_t)(count), sizeof(type)))
#define ZN_COUNT(array)                  (sizeof(array) / sizeof *(array))

/// Two vectors change places.
static inline void zn_swap(double **a, double **b)
{
    double *old = *a;
    *a = *b;
    *b = old;
}

#define ZN_NEW(type, count) ((type *)zn_new_array((size_t)(count), sizeof(type)))

#endif
