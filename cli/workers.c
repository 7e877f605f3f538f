// Rows of a study in worker processes. Each worker has two pipes: it reads the number of a row and writes the bytes of
// its result, until there are no more numbers. Nobody else waits for it, and nothing is shared: a worker that dies is
// seen at the end of its pipe, its row is lost, and another one takes its place. Rows are given out one by one and
// shown in their order; which worker runs which has no influence on what comes out.
#include "workers.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "journal.h"
#include "progress.h"
#include "terminal.h"

enum { JOBS_MOST = 1024, TICK = 200, MESSAGE = 160 }; // TICK [ms]: to look for signals and tell the time

typedef struct worker {
    pid_t  pid; // 0: none
    int    numbers, results;
    int    row; // -1: idle
    size_t got; // bytes of its result
} worker;

typedef struct pool {
    row_work      *work;
    int            count, shown, next, finished; // next: rows given out, at least
    worker        *workers;
    struct pollfd *polled;
    row_progress   line;
} pool;

static volatile sig_atomic_t stop_signal;

static void want_stop(int signal_number) { stop_signal = signal_number; }

bool rows_stop_wanted(void) { return stop_signal != 0; }

bool workers_count(double jobs, int *out)
{
    *out = isnan(jobs) ? 1 : jobs >= 1 && jobs <= JOBS_MOST ? (int)jobs : 0;
    if (isnan(jobs) || (*out >= 1 && *out == jobs))
        return true;
    print_error("option '-j': %g is not a number of processes, 1 to %d", jobs, (int)JOBS_MOST);
    return false;
}

bool rows_allocate(row_work *w)
{
    w->results = calloc((size_t)w->count + 1, w->size);
    w->states = calloc((size_t)w->count + 1, sizeof *w->states);
    if (w->results != NULL && w->states != NULL)
        return true;
    print_error("out of memory");
    return false;
}

void rows_free(row_work *w)
{
    free(w->results);
    free(w->states);
    w->results = NULL;
    w->states = NULL;
}

static void *result_of(const row_work *w, int row) { return w->results + (size_t)row * w->size; }

// --- what is done --------------------------------------------------------------------------------

static bool is_over(row_state state) { return state == ROW_DONE || state == ROW_LOST; }

static void show_rows(pool *p, bool all)
{
    row_work *w = p->work;
    for (; p->shown < w->count && (all || is_over(w->states[p->shown])); p->shown++)
        if (is_over(w->states[p->shown])) {
            row_progress_clear(&p->line);
            w->show(w->user, p->shown);
        }
}

static bool finish_row(pool *p, int row)
{
    row_work *w = p->work;
    w->states[row] = ROW_DONE;
    p->finished++;
    bool kept = w->journal == NULL || journal_add(w->journal, row, result_of(w, row));
    show_rows(p, false);
    return kept;
}

static int open_row(pool *p)
{
    const row_work *w = p->work;
    bool            backwards = w->last_first && w->jobs > 1;
    for (; p->next < w->count; p->next++) {
        int row = backwards ? w->count - 1 - p->next : p->next;
        if (w->states[row] == ROW_OPEN)
            return row;
    }
    return -1;
}

// --- a worker ------------------------------------------------------------------------------------

static bool read_all(int file, void *bytes, size_t size)
{
    for (size_t got = 0; got < size;) {
        ssize_t now = read(file, (char *)bytes + got, size - got);
        if (now == 0 || (now < 0 && errno != EINTR))
            return false;
        got += now > 0 ? (size_t)now : 0;
    }
    return true;
}

static bool write_all(int file, const void *bytes, size_t size)
{
    for (size_t put = 0; put < size;) {
        ssize_t now = write(file, (const char *)bytes + put, size - put);
        if (now < 0 && errno != EINTR)
            return false;
        put += now > 0 ? (size_t)now : 0;
    }
    return true;
}

// The life of a worker. Ctrl-C reaches all processes of a terminal; what to do about it is the master's business.
static _Noreturn void serve(const pool *p, pid_t master, int numbers, int results)
{
    const row_work *w = p->work;
    int             row;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    for (int i = 0; i < p->count; i++)
        if (p->workers[i].pid != 0) { // else their pipes would never end
            close(p->workers[i].numbers);
            close(p->workers[i].results);
        }
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    progress_silence();
    while (getppid() == master && read_all(numbers, &row, sizeof row)) {
        void *result = result_of(w, row);
        memset(result, 0, w->size);
        w->run(w->user, row, result);
        if (!write_all(results, result, w->size))
            break;
    }
    _exit(EXIT_SUCCESS);
}

static bool start_worker(const pool *p, worker *w)
{
    int   numbers[2], results[2];
    pid_t master = getpid();
    if (pipe(numbers) != 0)
        return false;
    if (pipe(results) != 0) {
        close(numbers[0]);
        close(numbers[1]);
        return false;
    }
    fflush(NULL); // or the worker would hold a copy
    pid_t pid = fork();
    if (pid == 0) {
        close(numbers[1]);
        close(results[0]);
        serve(p, master, numbers[0], results[1]);
    }
    close(numbers[0]);
    close(results[1]);
    if (pid > 0)
        *w = (worker){.pid = pid, .numbers = numbers[1], .results = results[0], .row = -1};
    else {
        close(numbers[1]);
        close(results[0]);
    }
    return pid > 0;
}

// How a worker ended, in words.
static void end_worker(worker *w, bool now, char why[MESSAGE])
{
    int status = 0;
    if (now)
        kill(w->pid, SIGKILL);
    close(w->numbers);
    close(w->results);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status))
        snprintf(why, MESSAGE, "its process was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(why, MESSAGE, "its process ended with status %d", WEXITSTATUS(status));
    *w = (worker){.row = -1};
}

// --- the pool ------------------------------------------------------------------------------------

static bool any_worker(const pool *p)
{
    for (int i = 0; i < p->count; i++)
        if (p->workers[i].pid != 0)
            return true;
    return false;
}

// Give the next open row to a worker, to a new one where there is none. A worker that died idle costs no row.
static void feed(pool *p, worker *w)
{
    char why[MESSAGE];
    for (int tries = 0; w->row < 0 && open_row(p) >= 0 && tries < 3; tries++) {
        if (w->pid == 0 && !start_worker(p, w))
            return;
        int row = open_row(p);
        if (write_all(w->numbers, &row, sizeof row)) {
            p->work->states[row] = ROW_RUNNING;
            w->row = row;
            w->got = 0;
        } else
            end_worker(w, true, why);
    }
    if (w->pid != 0 && w->row < 0)
        end_worker(w, false, why);
}

static void lose_row(pool *p, worker *w)
{
    char      why[MESSAGE];
    row_work *all = p->work;
    int       row = w->row;
    end_worker(w, false, why);
    memset(result_of(all, row), 0, all->size);
    all->lose(all->user, row, why, result_of(all, row));
    all->states[row] = ROW_LOST;
    p->finished++;
    show_rows(p, false);
}

// Take what a worker has written.
static bool receive(pool *p, worker *w)
{
    row_work *all = p->work;
    ssize_t   now = read(w->results, (char *)result_of(all, w->row) + w->got, all->size - w->got);
    if (now < 0 && errno == EINTR)
        return true;
    if (now <= 0) {
        lose_row(p, w);
        return true;
    }
    w->got += (size_t)now;
    if (w->got < all->size)
        return true;
    int row = w->row;
    w->row = -1;
    return finish_row(p, row);
}

static rows_outcome run_pool(pool *p)
{
    for (;;) {
        for (int i = 0; i < p->count; i++)
            if (p->workers[i].row < 0)
                feed(p, &p->workers[i]);
        if (!any_worker(p)) {
            if (open_row(p) < 0)
                return ROWS_FINISHED;
            print_error("no process could be started: %s", strerror(errno));
            return ROWS_FAILED;
        }
        for (int i = 0; i < p->count; i++)
            p->polled[i] = (struct pollfd){.fd = p->workers[i].pid != 0 ? p->workers[i].results : -1, .events = POLLIN};
        int ready = poll(p->polled, (nfds_t)p->count, TICK);
        if (rows_stop_wanted())
            return ROWS_INTERRUPTED;
        for (int i = 0; i < p->count && ready > 0; i++)
            if (p->polled[i].revents != 0 && !receive(p, &p->workers[i]))
                return ROWS_FAILED;
        row_progress_show(&p->line, p->finished);
    }
}

static rows_outcome run_many(pool *p)
{
    char why[MESSAGE];
    p->count = p->work->jobs < p->work->count ? p->work->jobs : p->work->count;
    p->workers = calloc((size_t)p->count + 1, sizeof *p->workers);
    p->polled = calloc((size_t)p->count + 1, sizeof *p->polled);
    rows_outcome outcome = ROWS_FAILED;
    if (p->workers == NULL || p->polled == NULL)
        print_error("out of memory");
    else {
        for (int i = 0; i < p->count; i++)
            p->workers[i].row = -1;
        outcome = run_pool(p);
        for (int i = 0; i < p->count; i++)
            if (p->workers[i].pid != 0) {
                if (p->workers[i].row >= 0)
                    p->work->states[p->workers[i].row] = ROW_OPEN;
                end_worker(&p->workers[i], true, why);
            }
    }
    free(p->workers);
    free(p->polled);
    return outcome;
}

// In this process, one after the other.
static rows_outcome run_alone(pool *p)
{
    row_work *w = p->work;
    for (int row; (row = open_row(p)) >= 0;) {
        void *result = result_of(w, row);
        progress_of_rows(p->finished, w->count);
        w->run(w->user, row, result);
        if (rows_stop_wanted())
            return ROWS_INTERRUPTED;
        if (!finish_row(p, row))
            return ROWS_FAILED;
    }
    progress_of_rows(0, 0);
    return ROWS_FINISHED;
}

rows_outcome rows_run(row_work *w)
{
    pool             p = {.work = w};
    struct sigaction stop = {.sa_handler = want_stop, .sa_flags = (int)SA_RESETHAND}, ignore = {.sa_handler = SIG_IGN};
    struct sigaction before[3];
    sigemptyset(&stop.sa_mask);
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGINT, &stop, &before[0]);
    sigaction(SIGTERM, &stop, &before[1]);
    sigaction(SIGPIPE, &ignore, &before[2]);
    for (int i = 0; i < w->count; i++)
        p.finished += is_over(w->states[i]);
    p.line = row_progress_begin(w->jobs > 1, p.finished, w->count);
    show_rows(&p, false);
    rows_outcome outcome = rows_stop_wanted() ? ROWS_INTERRUPTED : w->jobs > 1 ? run_many(&p) : run_alone(&p);
    row_progress_clear(&p.line);
    show_rows(&p, true); // behind rows that stay open
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
    sigaction(SIGPIPE, &before[2], NULL);
    if (outcome == ROWS_INTERRUPTED)
        print_error("interrupted: %d of %d runs are done%s%s", p.finished, w->count,
                    w->journal != NULL ? "; to go on: --resume " : "",
                    w->journal != NULL ? journal_path(w->journal) : "");
    return outcome;
}
