/// Unknowns that several processes have, one of which owns each: sums and copies of their values, and of rows of blocks
/// (math/amg.h) of theirs.
#ifndef ZN_PARALLEL_COPIES_H
#define ZN_PARALLEL_COPIES_H

#include "math/amg.h"
#include "parallel/meeting.h"

typedef struct zn_copies {
    zn_world    *world;
    int          n;
    const int   *number;            ///< n: in the whole, those of a process one after the other; borrowed
    const int   *begin;             ///< processes + 1: where the numbers of each begin; borrowed
    int         *leaf, *leaf_begin; ///< unknowns of others, by owner
    int         *root, *root_begin; ///< own ones that others have, by process
    double      *leaf_value, *root_value;
    MPI_Request *request;
    zn_meeting   meeting;
} zn_copies;

/// All processes call all of these. Whatever creation returns, destroy it.
zn_status zn_copies_create(zn_world *world, int n, const int *number, const int *begin, zn_copies *out);
void      zn_copies_destroy(zn_copies *c);
/// The process that owns a number.
int       zn_copies_owner(const zn_copies *c, int number);
/// The sum of all copies, added in the order of the processes: the same bits everywhere and in every run. c->meeting
/// does the same in two halves.
void      zn_copies_sum(zn_copies *c, double *x);
/// The value of the owner.
void      zn_copies_share(zn_copies *c, double *x);
/// Rows of all copies become their sums, which are taken as above; `aggregate` are numbers in the whole.
zn_status zn_copies_sum_rows(zn_copies *c, zn_amg_rows *rows);

#endif
