/// What a zn_world holds.
#ifndef ZN_PARALLEL_WORLD_H
#define ZN_PARALLEL_WORLD_H

#include <mpi.h>

#include "parallel/parallel.h"
#include "zn/system.h"

struct zn_world {
    MPI_Comm       comm;
    int            rank, size;
    bool           started; ///< MPI by us
    MPI_Op         larger;
    int            culprit;
    double        *terms; ///< of a sum, of one process after the other; NULL: there are too many of them
    zn_world_times times;
};

/// Clock and processor time [s].
typedef struct zn_clock {
    double wall, used;
} zn_clock;

zn_clock zn_clock_now(void);
/// What has passed since then is of messages; `sum`: halo or wait.
void     zn_clock_stop(zn_world *world, zn_clock since, double *sum);

/// Sums in the order of the processes, with the same bits on all; largest of each.
void zn_world_sum(void *world, double *values, int count);
void zn_world_max(void *world, double *values, int count);
void zn_world_gather(void *world, const void *own, size_t bytes, void *all);

/// At the begin of what all processes do together. With the option ZENO_MPI_CHECK of CMake one more message each time
/// tells whether all of them are in the same place; where they are not, each prints its way there, and the run ends.
#ifdef ZENO_MPI_CHECK
void zn_world_check(const zn_world *world, const char *place, int count);
#define ZN_TOGETHER(world, count) zn_world_check(world, __func__, count)
#else
#define ZN_TOGETHER(world, count) ((void)0)
#endif

#endif
