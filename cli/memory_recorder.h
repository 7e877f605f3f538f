/// Keeps what a run produces in memory.
#ifndef ZENO_MEMORY_RECORDER_H
#define ZENO_MEMORY_RECORDER_H

#include "zn/io.h"

typedef struct memory_series {
    char *name, *components;
    int   offset, columns;
} memory_series;

typedef struct memory_record {
    int              series_count, columns;
    memory_series   *series;
    int64_t          rows, row_capacity;
    double          *t, *values; ///< rows; rows x columns
    int64_t          event_count, event_capacity;
    zn_result_event *events;
    zn_certificate   certificate;
    zn_status        outcome;
} memory_record;

/// Recorder that fills `record`, zeroed before and borrowed.
zn_recorder memory_recorder(memory_record *record);
void        memory_record_free(memory_record *record);

/// Series of that name; NULL when there is none.
const memory_series *memory_record_series(const memory_record *record, const char *name, size_t length);
/// Column that "name" or "name.component" stands for. False with the reason in `message`.
bool memory_record_column(const memory_record *record, const char *name, int *column, char *message, size_t size);
/// Index of a word in a list of words separated by blanks, or -1.
int  word_index(const char *words, const char *word);

#endif
