/// Counting and failing allocations, for tests named *_allocation: the linker puts these functions in the place of malloc
/// and its kin for all of Zeno (--wrap); shared libraries keep their own.
#ifndef ZN_TESTS_ALLOCATION_WRAP_H
#define ZN_TESTS_ALLOCATION_WRAP_H

#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static long allocations; ///< so far
static long failing;     ///< the number of the one that fails; 0: none

static bool refused(void) { return ++allocations == failing; }

void *__wrap_malloc(size_t size) { return refused() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return refused() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *memory, size_t size) { return refused() ? NULL : __real_realloc(memory, size); }
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : __real_aligned_alloc(alignment, size);
}

#endif
