/// Keeps what a run produces in memory.
#ifndef ZENO_MEMORY_RECORDER_H
#define ZENO_MEMORY_RECORDER_H

#include "zn/io.h"

typedef struct memory_series {
    char *name, *components;
    int offset, columns;
} memory_series;

typedef struct memory_record {
    int series_count, columns;
    memory_series *series;
    int64_t rows, row_capacity;
    double *t, *values; ///< rows; rows x columns
    int64_t event_count, event_capacity;
    zn_result_event *events;
    zn_certificate certificate;
    zn_status outcome;
} memory_record;

/// Recorder that fills `record`, zeroed before and borrowed.
zn_recorder memory_recorder(memory_record *record);
void memory_record_free(memory_record *record);

#endif
