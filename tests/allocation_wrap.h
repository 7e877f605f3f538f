/// Counting and failing allocations, for tests named *_allocation: the linker puts these functions in the place of
/// malloc and its kin for all of Zeno (--wrap); shared libraries keep their own.
#ifndef ZN_TESTS_ALLOCATION_WRAP_H
#define ZN_TESTS_ALLOCATION_WRAP_H

#include "check.h"

#include <stdbool.h>

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

/// Every allocation of `run` fails once, the first one first, until it asks for no more: each time it must say so, and
/// leave nothing behind, which the address sanitizer watches. Returns how many there are.
static inline long fail_each_allocation(zn_status (*run)(void *user), void *user)
{
    long n = 0;
    for (bool done = false; !done;) {
        allocations = 0;
        failing = ++n;
        zn_status status = run(user);
        failing = 0;
        done = allocations < n; // the n-th was never asked for
        if (!done && status != ZN_ERR_MEMORY)
            fail_msg("allocation %ld failed and the run said '%s'", n, zn_status_text(status));
        if (done)
            assert_int_equal(status, ZN_OK);
        assert_true(n < 10000);
    }
    return n - 1;
}

#endif
