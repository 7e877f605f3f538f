// Preloaded into a program, it makes one allocation fail, of the program or of any library: the FAIL_AT-th, and with
// FAIL_REST all after it too, as when memory is really gone. FAIL_COUNT names a file that gets their number.
//
// HDF5, MUMPS, OpenBLAS, what cairo finds fonts with and the loader are spared: they crash, end the program or never
// end when some of their allocations fail (OpenBLAS in the small products of some processors). The program therefore
// looks for room before it calls them (zn_has_room), which is one of the allocations that fail here. Processes that the
// program starts count for themselves, each into a line of that file.
#define _GNU_SOURCE // dladdr
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);

static long        asked, failing;
static int         rest, active;
static const char *count_file;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_AT");
    failing = at != NULL ? strtol(at, NULL, 10) : 0;
    rest = getenv("FAIL_REST") != NULL;
    count_file = getenv("FAIL_COUNT");
    active = 1;
}

__attribute__((destructor)) static void end(void)
{
    active = 0;
    FILE *file = count_file != NULL ? fopen(count_file, "a") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", asked);
    fclose(file);
}

enum { PAGE = 12, SLOTS = 1 << 14 };

static int is_spared_file(const char *file)
{
    static const char *const names[] = {"libhdf5",   "libdmumps",     "libmumps",    "libpord",
                                        "libmpiseq", "libgfortran",   "libopenblas", "libcairo",
                                        "ld-linux",  "libfontconfig", "libfreetype", "libpixman"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(file, names[i]) != NULL)
            return 1;
    return 0;
}

// Who asks? What is known of a page of code is kept: finding its file takes long.
static int is_spared(const void *caller)
{
    static struct {
        uintptr_t page;
        int       spared;
    } known[SLOTS];
    Dl_info   where;
    uintptr_t page = (uintptr_t)caller >> PAGE, slot = page % SLOTS;
    if (known[slot].page != page) {
        known[slot].spared = dladdr(caller, &where) != 0 && where.dli_fname != NULL && is_spared_file(where.dli_fname);
        known[slot].page = page;
    }
    return known[slot].spared;
}

static int refused(const void *caller)
{
    if (!active || is_spared(caller))
        return 0;
    long k = __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);
    if (failing == 0 || k < failing || (k > failing && !rest))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size)
{
    return refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size)
{
    return refused(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}
void *memalign(size_t alignment, size_t size)
{
    return refused(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size)
{
    return refused(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *memory = refused(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
    if (memory == NULL)
        return ENOMEM;
    *out = memory;
    return 0;
}

// These ask for memory inside the C library: whose wish is it?
char *strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char  *copy = refused(__builtin_return_address(0)) ? NULL : __libc_malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char  *copy = refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

char *__strdup(const char *text);
char *__strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char  *copy = refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}
