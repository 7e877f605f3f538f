// The objects destroyed last, each in a place that follows from its address: a look costs one load, and another object
// that wants the place gives the old one back. Threads may destroy and look at the same time.
#include "base/alive.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

enum { BITS = 10, NO_POINTER = 0xa5 };

static struct {
    _Atomic(void *)       object;
    _Atomic(const char *) destroyer;
} dead[1 << BITS];

static size_t place_of(const void *object) // Fibonacci hashing
{
    return (size_t)((uint64_t)(uintptr_t)object * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS));
}

void zn_check_alive(const void *object, const char *name, const char *function)
{
    size_t i = place_of(object);
    if (object == NULL || atomic_load_explicit(&dead[i].object, memory_order_relaxed) != object)
        return;
    fprintf(stderr, "zeno: %s: '%s' was destroyed by %s and must not be used any more\n", function, name,
            atomic_load_explicit(&dead[i].destroyer, memory_order_relaxed));
    abort();
}

void zn_keep_dead(void *object, size_t size, const char *destroyer)
{
    if (object == NULL)
        return;
    memset(object, NO_POINTER, size);
    ASAN_POISON_MEMORY_REGION(object, size);
    size_t i = place_of(object);
    atomic_store_explicit(&dead[i].destroyer, destroyer, memory_order_relaxed);
    free(atomic_exchange(&dead[i].object, object));
}
