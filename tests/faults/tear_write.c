// Preloaded: the TEAR_AT-th write that covers more than one page is torn, as kill -9 does it: Linux looks for the signal
// between pages. TEAR_COUNT names a file that gets the number of such writes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PAGE = 4096 };

static long torn_at, seen;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("TEAR_AT");
    torn_at = at != NULL ? strtol(at, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *name = getenv("TEAR_COUNT");
    FILE       *file = name != NULL ? fopen(name, "w") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", seen);
    fclose(file);
}

static ssize_t put(int fd, const void *data, size_t size, off_t at)
{
    static ssize_t (*real)(int, const void *, size_t, off_t);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "pwrite64");
    off_t boundary = (at / PAGE + 1) * PAGE;
    if (at + (off_t)size > boundary && ++seen == torn_at) {
        real(fd, data, (size_t)(boundary - at), at);
        kill(getpid(), SIGKILL);
    }
    return real(fd, data, size, at);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return put(fd, data, size, at); }
ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) { return put(fd, data, size, at); }
