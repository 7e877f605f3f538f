// Progress line, about ten times a second. The clock is looked at only every so many steps as fit in a tenth of one.
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "certificate.h"

static const double interval = 0.1; // [s]

static bool silent;
static int  rows_done, rows_all;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

progress progress_begin(bool wanted, double start, double until)
{
    progress p = {.shown = wanted && !silent && isatty(STDERR_FILENO), .look_at = 1, .start = start, .until = until};
    if (p.shown)
        p.started = p.last_time = now();
    return p;
}

void progress_skip(progress *p, int64_t steps)
{
    p->first = p->last_step = steps;
    p->look_at = steps + 1;
}

static void format_duration(double seconds, char *text, size_t size)
{
    long s = seconds < 1e8 ? (long)(seconds + 0.5) : 100000000;
    if (s < 60)
        snprintf(text, size, "%ld s", s);
    else if (s < 3600)
        snprintf(text, size, "%ld min %ld s", s / 60, s % 60);
    else
        snprintf(text, size, "%ld h %ld min", s / 3600, s / 60 % 60);
}

static void print_line(const progress *p, const zn_sim *sim, int64_t done, double elapsed)
{
    char    rate[16], left[40];
    int64_t all = zn_sim_grid_steps(sim);
    double  speed = (double)(done - p->first) / elapsed;
    format_duration((double)(all - done) / speed, left, sizeof left);
    fputc('\r', stderr);
    if (rows_all > 0)
        fprintf(stderr, "%d of %d runs; ", rows_done, rows_all);
    fprintf(stderr, "%3.0f %%  t = %.6g of %.6g s  %s steps/s  %s left\033[K", 100.0 * (double)done / (double)all,
            zn_sim_state(sim)->t, p->until, format_rate(speed, rate, sizeof rate), left);
    fflush(stderr);
}

void progress_step(progress *p, const zn_sim *sim)
{
    int64_t done = p->shown ? zn_sim_grid_index(sim) : 0;
    if (!p->shown || done < p->look_at)
        return;
    double  time = now(), passed = time - p->last_time;
    int64_t steps = done - p->last_step;
    // as many steps as fit in the interval, growing at most tenfold at a time
    double  next = passed > 0 ? (double)steps * interval / passed : 10.0 * (double)steps;
    if (next > 10.0 * (double)steps)
        next = 10.0 * (double)steps;
    p->look_at = done + (next > 1 ? (int64_t)next : 1);
    p->last_step = done;
    p->last_time = time;
    if (time - p->started > interval)
        print_line(p, sim, done, time - p->started);
}

void progress_end(progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}

// --- many runs -----------------------------------------------------------------------------------

void progress_silence(void) { silent = true; }

void progress_of_rows(int done, int all)
{
    rows_done = done;
    rows_all = all;
}

row_progress row_progress_begin(bool wanted, int done, int all)
{
    row_progress p = {.shown = wanted && !silent && isatty(STDERR_FILENO), .first = done, .all = all};
    p.started = p.last = now();
    return p;
}

void row_progress_show(row_progress *p, int done)
{
    char   left[40] = "";
    double time = p->shown ? now() : 0;
    if (!p->shown || time - p->last < interval)
        return;
    p->last = time;
    fprintf(stderr, "\r%3.0f %%  %d of %d runs", 100.0 * done / p->all, done, p->all);
    if (done > p->first) {
        format_duration((time - p->started) * (p->all - done) / (done - p->first), left, sizeof left);
        fprintf(stderr, "  %s left", left);
    }
    fputs("\033[K", stderr);
    fflush(stderr);
}

void row_progress_clear(row_progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
}
