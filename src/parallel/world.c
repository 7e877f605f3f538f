// The processes of a run. All of them call the same functions in the same order; whoever may fail alone asks for one
// status before they meet again, so that nobody waits for one that has gone.
#include "parallel/world.h"

#include <petscsys.h>

#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/assert.h"

// MPI leaves the order of a sum open, and with it its last bits; up to FEW processes we add by ourselves, MOST numbers
// at a time.
enum { FEW = 64, MOST = 64 };

// --- life ----------------------------------------------------------------------------------------

// What is no number is the largest: it must not hide on one process.
static void larger(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const double *a = in;
    double       *b = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = isnan(a[i]) || a[i] > b[i] ? a[i] : b[i];
}

// MPI tells malloc to take everything from one heap, which grows by copies and gives nothing back; networks that want
// it so watch what is given back. Large arrays, above all those that only the whole model needs, get their own room
// again.
static void settle_malloc(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 1 << 16);
    mallopt(M_MMAP_THRESHOLD, 1 << 18);
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

zn_status zn_world_create(int *argc, char ***argv, zn_world **out)
{
    zn_world *w = ZN_NEW(zn_world, 1);
    int       running = 0;
    if (!w)
        return ZN_ERR_MEMORY;
    MPI_Initialized(&running);
    w->started = !running;
    if (!running)
        MPI_Init(argc, argv);
    // The options of PETSc are not those of the program, its handlers of signals not ours.
    if (PetscInitializeNoArguments() != 0 || PetscPopSignalHandler() != 0 ||
        PetscPushErrorHandler(PetscReturnErrorHandler, NULL) != 0) {
        free(w);
        return ZN_ERR_UNSUPPORTED;
    }
    settle_malloc();
    MPI_Comm_dup(MPI_COMM_WORLD, &w->comm);
    MPI_Comm_rank(w->comm, &w->rank);
    MPI_Comm_size(w->comm, &w->size);
    w->culprit = -1;
    MPI_Op_create(larger, 1, &w->larger);
    w->terms = w->size <= FEW ? ZN_NEW(double, MOST * w->size) : NULL;
    if (zn_world_agree(w, w->terms || w->size > FEW ? ZN_OK : ZN_ERR_MEMORY) != ZN_OK) {
        zn_world_destroy(w);
        return ZN_ERR_MEMORY;
    }
    *out = w;
    return ZN_OK;
}

zn_world *zn_world_destroy(zn_world *w)
{
    if (!w)
        return NULL;
    MPI_Op_free(&w->larger);
    MPI_Comm_free(&w->comm);
    PetscFinalize();
    if (w->started)
        MPI_Finalize();
    free(w->terms);
    free(w);
    return NULL;
}

int            zn_world_rank(const zn_world *w) { return w->rank; }
int            zn_world_size(const zn_world *w) { return w->size; }
int            zn_world_culprit(const zn_world *w) { return w->culprit; }
zn_world_times zn_world_measure(const zn_world *w) { return w->times; }

zn_clock zn_clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (zn_clock){MPI_Wtime(), (double)t.tv_sec + 1e-9 * (double)t.tv_nsec};
}

void zn_clock_stop(zn_world *w, zn_clock since, double *sum)
{
    zn_clock now = zn_clock_now();
    *sum += now.wall - since.wall;
    w->times.used += now.used - since.used;
}

// --- together ------------------------------------------------------------------------------------

#ifdef ZENO_MPI_CHECK
#include <execinfo.h>
#include <stdio.h>
#include <unistd.h>

void zn_world_check(const zn_world *w, const char *place, int count)
{
    enum { DEEP = 64, SECONDS = 2 };
    struct mark {
        char place[32];
        int  count;
    } own = {.count = count}, *all = ZN_NEW(struct mark, w->size);
    snprintf(own.place, sizeof own.place, "%s", place);
    if (!all)
        zn_world_abort((zn_world *)w, 1);
    MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, w->comm);
    bool same = true;
    for (int r = 0; r < w->size; r++)
        same &= memcmp(&all[r], &own, sizeof own) == 0;
    free(all);
    if (same)
        return;
    void *way[DEEP];
    fprintf(stderr, "rank %d is in %s(%d), and others are elsewhere\n", w->rank, place, count);
    backtrace_symbols_fd(way, backtrace(way, DEEP), STDERR_FILENO);
    sleep(SECONDS); // for the others to say where they are
    zn_world_abort((zn_world *)w, 1);
}
#endif

// --- agreement -----------------------------------------------------------------------------------

// The smallest key wins: errors before failures of a step, which another step may mend, before success; then the first
// process.
enum { SEVERITY = 1 << 24, STATUS = 1 << 10 };

static long long key_of(zn_status status, int rank)
{
    long long class = status < 0 ? 0 : status > 0 ? 1 : 2;
    return (class * SEVERITY + rank) * STATUS + (int)status + STATUS / 2;
}

zn_status zn_world_agree(zn_world *w, zn_status own)
{
    ZN_TOGETHER(w, 0);
    zn_clock  start = zn_clock_now();
    long long key[2] = {key_of(own, w->rank), -key_of(own, 0)}, best[2]; // the second: do all say the same?
    MPI_Allreduce(key, best, 2, MPI_LONG_LONG, MPI_MIN, w->comm);
    zn_clock_stop(w, start, &w->times.wait);
    zn_status status = (zn_status)((int)(best[0] % STATUS) - STATUS / 2);
    int       rank = (int)(best[0] / STATUS % SEVERITY);
    bool      alike = -best[1] == key_of(status, 0);
    if (status != ZN_OK && status != ZN_INTERRUPTED)
        w->culprit = alike ? -1 : rank;
    return status;
}

bool zn_world_meet(zn_world *w, double seconds)
{
    MPI_Request request;
    double      start = MPI_Wtime();
    int         here = 0;
    MPI_Ibarrier(w->comm, &request);
    while (MPI_Test(&request, &here, MPI_STATUS_IGNORE), !here) {
        if (MPI_Wtime() - start > seconds)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    return true;
}

char *zn_world_tell(zn_world *w, int from, const char *text)
{
    enum { TAG = 17 };
    int   length = w->rank == from ? (int)strlen(text) : 0;
    char *told = NULL;
    MPI_Bcast(&length, 1, MPI_INT, from, w->comm);
    if (w->rank == 0)
        told = ZN_NEW(char, length + 1);
    if (w->rank == 0 && from == 0 && told)
        memcpy(told, text, (size_t)length);
    else if (w->rank == 0 && from != 0)
        MPI_Recv(told, told ? length : 0, MPI_CHAR, from, TAG, w->comm, MPI_STATUS_IGNORE);
    else if (w->rank == from)
        MPI_Send(text, length, MPI_CHAR, 0, TAG, w->comm);
    return told;
}

void zn_world_abort(zn_world *w, int exit_status) { MPI_Abort(w->comm, exit_status); }

// --- numbers -------------------------------------------------------------------------------------

void zn_world_sum(void *world, double *values, int count)
{
    zn_world *w = world;
    ZN_TOGETHER(w, count);
    zn_clock start = zn_clock_now();
    ZN_ASSERT(count <= MOST);
    if (w->terms) {
        MPI_Allgather(values, count, MPI_DOUBLE, w->terms, count, MPI_DOUBLE, w->comm);
        for (int k = 0; k < count; k++) {
            values[k] = w->terms[k];
            for (int r = 1; r < w->size; r++)
                values[k] += w->terms[r * count + k];
        }
    } else { // one process adds, so that all have the same bits
        MPI_Reduce(w->rank == 0 ? MPI_IN_PLACE : values, values, count, MPI_DOUBLE, MPI_SUM, 0, w->comm);
        MPI_Bcast(values, count, MPI_DOUBLE, 0, w->comm);
    }
    zn_clock_stop(w, start, &w->times.wait);
}

void zn_world_max(void *world, double *values, int count)
{
    zn_world *w = world;
    ZN_TOGETHER(w, count);
    zn_clock start = zn_clock_now();
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, w->larger, w->comm);
    zn_clock_stop(w, start, &w->times.wait);
}

void zn_world_gather(void *world, const void *own, size_t bytes, void *all)
{
    zn_world *w = world;
    ZN_TOGETHER(w, (int)bytes);
    ZN_ASSERT(bytes <= INT_MAX);
    MPI_Allgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, w->comm);
}
