/// @file parallel.h
/// One run on many processes (MPI), only in the distributed build. Every process reads the model, takes a part of its
/// elements and runs the same loop on them; the first one writes the results of all.
///
///     world.c      the processes: agreement, sums, who failed
///     partition.c  which element belongs to which process
///     part.c       the part of a model that a process takes, as a system of its own
///     halo.c       what parts tell each other about the nodes between them (PetscSF)
///     solver.c     linear solvers of the whole, by PETSc (numbering.c: numbers of its unknowns, solver_motions.c)
///     multigrid.c  the one that needs no matrix of the whole (copies.c, meeting.c: sums at unknowns of several)
///     records.c    which process evaluates which record
///     recorder.c   rows, events, frames and checkpoints of all parts become those of one run
///     pile.c       a pile of bodies, which all processes hold and whose contacts they share
///     pile_split.c   who has which contacts
///     pile_sweeps.c  sweeps over the contacts of all
#ifndef ZN_PARALLEL_H
#define ZN_PARALLEL_H

#include "zn/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zn_world zn_world; ///< the processes
typedef struct zn_part  zn_part;  ///< of a model, on this process
typedef struct zn_pile  zn_pile;  ///< a model whose contacts are shared

/// MPI is started where it was not, and ended with the world then. One at a time.
ZN_API zn_status zn_world_create(int *argc, char ***argv, zn_world **out);
ZN_API zn_world *zn_world_destroy(zn_world *world); ///< accepts NULL, returns NULL
ZN_API int       zn_world_rank(const zn_world *world);
ZN_API int       zn_world_size(const zn_world *world);
/// One status for all: that of the first process that failed. All call it.
ZN_API zn_status zn_world_agree(zn_world *world, zn_status own);
/// The process whose failure was agreed upon last; -1: none, or all failed alike.
ZN_API int       zn_world_culprit(const zn_world *world);
/// Wait until all processes are here; false when that takes longer than `seconds` (INFINITY: as long as it takes).
ZN_API bool      zn_world_meet(zn_world *world, double seconds);
/// A text of process `from` on the first one; NULL elsewhere and without memory. Destroy with free().
ZN_API char     *zn_world_tell(zn_world *world, int from, const char *text);
/// End all processes at once.
ZN_API void      zn_world_abort(zn_world *world, int exit_status);

/// What a process did, for measurements.
typedef struct zn_world_times {
    double halo;     ///< [s] exchange with neighbours
    double wait;     ///< [s] agreement and sums, mostly waiting for the slowest
    double used;     ///< [s] of processor time in both
    int    elements; ///< of this process
    int    shared;   ///< degrees of freedom that others have as well
} zn_world_times;

ZN_API zn_world_times zn_world_measure(const zn_world *world);

/// Deal out the elements of a model and compile those of this process. `def` becomes that of this process: its records,
/// frames and recorder (which only the first process uses) are those of the part. The model loses its nodes and
/// elements. What cannot be distributed is refused by name.
ZN_API zn_status        zn_part_create(zn_world *world, zn_model *model, zn_sim_def *def, zn_part **out);
ZN_API zn_part         *zn_part_destroy(zn_part *part); ///< accepts NULL, returns NULL
ZN_API zn_system       *zn_part_system(const zn_part *part);
/// Results of all parts for a recorder, which only the first process has. Valid as long as the part. All call it.
ZN_API zn_recorder      zn_part_recorder(zn_part *part, zn_recorder inner);
/// What the recorder of the first process could not write, so that all may stop together.
ZN_API zn_status        zn_part_trouble(const zn_part *part);
/// The checkpoint of this process within that of all; tells what does not fit.
ZN_API zn_status        zn_part_checkpoint(const zn_part *part, const void *data, size_t size, const void **own,
                                           size_t *own_size);
/// All series of the run, and a row of their values now, on the first process (zn_part_columns of them). All call it.
ZN_API int              zn_part_series_count(const zn_part *part);
ZN_API const zn_series *zn_part_series(const zn_part *part);
ZN_API int              zn_part_columns(const zn_part *part);
ZN_API zn_status        zn_part_values(zn_part *part, const zn_sim *sim, double *values);

/// A pile (moreau_jean, bodies that nothing couples but contacts that come and go): every process holds all of it, and
/// they share the solving of its contacts. `*out` is NULL for a model that is none, and where there is one process.
/// What is not done together is refused by name. The model must live as long. All call it; results, records and
/// checkpoints are those of one process as exactly as contacts are solved, with equal bits on as many processes.
ZN_API zn_status   zn_pile_create(zn_world *world, const zn_model *model, zn_sim_def *def, zn_pile **out);
ZN_API zn_pile    *zn_pile_destroy(zn_pile *pile); ///< accepts NULL, returns NULL
ZN_API zn_system  *zn_pile_system(const zn_pile *pile);
/// As of a part: for a recorder that only the first process has, and what it could not write.
ZN_API zn_recorder zn_pile_recorder(zn_pile *pile, zn_recorder inner);
ZN_API zn_status   zn_pile_trouble(const zn_pile *pile);

#ifdef __cplusplus
}
#endif
#endif
