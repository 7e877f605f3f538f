/// What a restart takes from the result of the run before.
#ifndef ZN_IO_RESTART_H
#define ZN_IO_RESTART_H

#include "io/result.h"

struct zn_restart {
    zn_result    *result;
    zn_checkpoint checkpoint;
    int           record_every; ///< of the run before
};

/// Rows, events and frames of the run before the checkpoint, one after the other. Any function may be NULL.
typedef struct zn_restart_sink {
    void *user;
    int   columns;   ///< of a row
    int   nq, n_all; ///< of a frame
    zn_status (*row)(void *user, double t, const double *values);
    zn_status (*event)(void *user, const zn_result_event *event);
    zn_status (*frame)(void *user, const zn_frame *frame);
} zn_restart_sink;

/// Did the run before record the same?
bool      zn_restart_has_series(const zn_restart *restart, int count, const zn_series *series, int record_every);
zn_status zn_restart_copy(const zn_restart *restart, const zn_restart_sink *sink);

#endif
