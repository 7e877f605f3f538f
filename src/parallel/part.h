/// What a zn_part holds.
#ifndef ZN_PARALLEL_PART_H
#define ZN_PARALLEL_PART_H

#include "parallel/halo.h"
#include "parallel/records.h"
#include "sim/sim.h"

/// Entries of a vector of the whole: those of this process, and on the first one those of all.
typedef struct zn_places {
    int  count, all;
    int *own;   ///< count: in vectors of this process
    int *whole; ///< on the first process: in vectors of the whole, process after process; `all` of them
    int *first; ///< on the first process: where those of each begin
} zn_places;

/// An event with its texts.
typedef struct zn_kept_event {
    zn_event event;
    char     name[64], pair[96];
} zn_kept_event;

struct zn_part {
    zn_world      *world;
    zn_model      *model;
    zn_system     *sys;
    zn_exchange   *exchange;
    zn_records     records;
    zn_places      q, v, memory; ///< memory: entries of q that remember
    int            nq, n_all;    ///< of the whole
    int           *members;      ///< of all rules
    // what the recorder keeps
    zn_recorder    inner;
    zn_status      trouble;           ///< of the inner recorder, first process only
    double        *row, *least, *own; ///< of all, of all where the least counts, of this process
    int            event_count, event_capacity;
    zn_kept_event *event;
    double        *frame_q, *frame_v, *values; ///< first process: of the whole, and of one process
    int            blob_capacity;
    uint64_t      *blob; ///< first process: checkpoints of all
};

/// Room for rows and frames.
zn_status zn_part_make_room(zn_part *part);

#endif
