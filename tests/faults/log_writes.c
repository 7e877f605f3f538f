// Preloaded: every call that changes a file of the folder is written to the file LOG_WRITES before it happens, with
// what it writes, so that the state of the folder at each of them can be made again. CLOCK_STEP [s] is what the clock
// goes on with each look at it: writes that wait for a time come after a number of steps, the same in each run.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

typedef struct entry {
    int64_t kind, file, offset, size; // and size bytes; file: number of the inode; kind as below
} entry;

enum { WRITE, TRUNCATE, RENAME, UNLINK, CREATE };

static int    log_file = -1;
static double now, step;

// The function of that name behind this library.
#define REAL(name)                                                                                                     \
    static __typeof__(&name) real;                                                                                     \
    if (real == NULL)                                                                                                  \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

static ssize_t write_plainly(int fd, const void *data, size_t size, off_t at)
{
    REAL(pwrite64);
    return real(fd, data, size, at);
}

static int open_plainly(const char *name, int how, mode_t mode)
{
    REAL(open64);
    return real(name, how, mode);
}

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("LOG_WRITES"), *advance = getenv("CLOCK_STEP");
    step = advance != NULL ? strtod(advance, NULL) : 0;
    if (name != NULL)
        log_file = open_plainly(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static void put(entry e, const void *bytes)
{
    static off_t end;
    if (log_file < 0)
        return;
    write_plainly(log_file, &e, sizeof e, end);
    write_plainly(log_file, bytes, (size_t)e.size, end + (off_t)sizeof e);
    end += (off_t)sizeof e + (off_t)e.size;
}

static int64_t number_of(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? (int64_t)status.st_ino : -1;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at)
{
    int64_t file = number_of(fd);
    if (file >= 0)
        put((entry){WRITE, file, at, (int64_t)size}, data);
    return write_plainly(fd, data, size, at);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return pwrite64(fd, data, size, at); }

ssize_t write(int fd, const void *data, size_t size)
{
    REAL(write);
    int64_t file = number_of(fd);
    if (file >= 0)
        put((entry){WRITE, file, lseek(fd, 0, SEEK_CUR), (int64_t)size}, data);
    return real(fd, data, size);
}

int ftruncate64(int fd, off_t size)
{
    REAL(ftruncate64);
    put((entry){TRUNCATE, number_of(fd), size, 0}, "");
    return real(fd, size);
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static void put_names(int64_t kind, int64_t file, const char *from, const char *to)
{
    char   names[8192];
    size_t a = strlen(from) + 1, b = strlen(to) + 1;
    if (a + b > sizeof names)
        abort();
    memcpy(names, from, a);
    memcpy(names + a, to, b);
    put((entry){kind, file, 0, (int64_t)(a + b)}, names);
}

int rename(const char *from, const char *to)
{
    REAL(rename);
    put_names(RENAME, -1, from, to);
    return real(from, to);
}

int unlink(const char *name)
{
    REAL(unlink);
    put_names(UNLINK, -1, name, "");
    return real(name);
}

// Created files are told after they are there: they have a number then.
int open64(const char *name, int how, ...)
{
    va_list rest;
    va_start(rest, how);
    mode_t mode = how & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    int fd = open_plainly(name, how, mode);
    if (fd >= 0 && (how & O_CREAT) != 0)
        put_names(CREATE, number_of(fd), name, "");
    return fd;
}

int open(const char *name, int how, ...)
{
    va_list rest;
    va_start(rest, how);
    mode_t mode = how & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open64(name, how, mode);
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    REAL(clock_gettime);
    if (step <= 0 || clock != CLOCK_MONOTONIC)
        return real(clock, out);
    now += step;
    out->tv_sec = (time_t)now;
    out->tv_nsec = (long)(1e9 * (now - (double)out->tv_sec));
    return 0;
}
