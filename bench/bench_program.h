/// What programs of benchmarks share: processor time, memory, messages, and the end of one that cannot go on. The macro
/// BENCH is the name of the program.
#ifndef ZN_BENCH_PROGRAM_H
#define ZN_BENCH_PROGRAM_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "zn/base.h"

static inline double bench_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Processor time, which other programs disturb least.
static inline double seconds(void) { return bench_clock(CLOCK_PROCESS_CPUTIME_ID); }

/// Memory of the program now [bytes].
static inline double resident(void)
{
    FILE  *file = fopen("/proc/self/statm", "r");
    double total = 0, pages = 0;
    if (file && fscanf(file, "%lf %lf", &total, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return 4096 * pages;
}

static inline void print_errors(void *user, zn_severity severity, const char *message)
{
    (void)user;
    if (severity == ZN_LOG_ERROR)
        fprintf(stderr, BENCH ": %s\n", message);
}

static inline void must(zn_status status)
{
    if (status != ZN_OK) {
        fprintf(stderr, BENCH ": %s\n", zn_status_text(status));
        exit(2);
    }
}

#endif
