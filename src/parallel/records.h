/// Which process evaluates which record, and how their values become one.
#ifndef ZN_PARALLEL_RECORDS_H
#define ZN_PARALLEL_RECORDS_H

#include "parallel/partition.h"
#include "zn/sim.h"

typedef enum zn_joining {
    ZN_JOIN_ONE,  ///< one process knows it
    ZN_JOIN_SAME, ///< all have the same value, and find it together
    ZN_JOIN_SUM,
    ZN_JOIN_LEAST, ///< NaN where there is none
} zn_joining;

typedef struct zn_joined_record {
    zn_joining joining;
    int        rank;  ///< of ZN_JOIN_ONE
    int        local; ///< offset of its columns in a row of this process; -1: it has none
} zn_joined_record;

typedef struct zn_records {
    int               count, columns;
    zn_series        *series; ///< of the whole run; names and paths are owned
    zn_joined_record *record;
    zn_record_def    *own; ///< those that this process evaluates, borrowed texts
    int               own_count, own_columns;
} zn_records;

/// `whole`: the layout of the model. Refuses by name what cannot be told by parts.
zn_status zn_records_create(const zn_system *whole, const zn_partition *partition, const zn_sim_def *def, int rank,
                            zn_records *out);
void      zn_records_destroy(zn_records *records);

#endif
