/// The processes of a run. `zeno` is one (ranks.c); `zeno-mpi` under mpirun is many (mpi/ranks.c), of which the first
/// one writes the results and speaks for all.
#ifndef ZENO_RANKS_H
#define ZENO_RANKS_H

#include "zn/sim.h"

/// Before anything of a run; false when it cannot begin. Everything that follows goes on in all processes alike.
bool ranks_begin(void);
/// After the run: tells what went wrong, and where; the exit status of all.
int  ranks_end(int exit_status);

int  ranks_count(void);
bool ranks_first(void); ///< does this process write and speak?

/// The model as a system: the whole, or the part of this process, with a def for it. `release` accepts NULL.
zn_status ranks_compile(zn_model *model, zn_sim_def *def, zn_system **out);
void      ranks_release(zn_system *sys);

/// Records for all processes what each of them finds.
zn_recorder ranks_recorder(zn_recorder of_first);
/// What this process needs of a checkpoint.
zn_status   ranks_checkpoint(const void *data, size_t size, const void **own, size_t *own_size);
/// One status for all after a step, the recorder's troubles included.
zn_status   ranks_agree(zn_status own);
/// Series and values at the end of a run; NULL where nobody knows them. The values are allocated.
double     *ranks_final(const zn_sim *sim, int *count, const zn_series **series);

#endif
