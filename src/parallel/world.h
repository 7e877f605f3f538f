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

#endif
