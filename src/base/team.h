/// A team of threads that work through a list of independent jobs together. Which thread takes a job is not defined:
/// jobs must not touch what others write.
#ifndef ZN_BASE_TEAM_H
#define ZN_BASE_TEAM_H

#include "zn/base.h"

typedef struct zn_team zn_team;

/// `threads` >= 1, the caller among them; 0: one for each processor.
zn_status zn_team_create(int threads, zn_team **out);
zn_team  *zn_team_destroy(zn_team *team); ///< accepts NULL, returns NULL
/// job(user, i) for first <= i < last; returns when all are done. team == NULL: the caller alone.
void      zn_team_run(zn_team *team, int first, int last, void (*job)(void *user, int i), void *user);

enum { ZN_SLICE = 8192 }; ///< of long vectors, a multiple of the widest registers
/// job(user, k, first, last) for the slices k of 0 to n; sums of slices, added in their order, have the same bits for
/// any number of threads. team == NULL: the caller alone.
typedef void      zn_slice_job(void *user, int k, int first, int last);
void              zn_team_slice(zn_team *team, int n, zn_slice_job *job, void *user);
void              zn_team_copy(zn_team *team, int n, const double *from, double *to);
static inline int zn_slices(int n) { return (n + ZN_SLICE - 1) / ZN_SLICE; }

#endif
