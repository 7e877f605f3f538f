/// Frames of a result file, read back one at a time.
#ifndef ZN_IO_FRAME_READER_H
#define ZN_IO_FRAME_READER_H

#include <hdf5.h>

#include "zn/io.h"

/// Datasets of /frames, in this order.
enum { ZN_FRAMES_Q, ZN_FRAMES_V, ZN_FRAMES_LEDGER, ZN_FRAMES_EFFORT, ZN_FRAMES_END, ZN_FRAMES_TIME, ZN_FRAMES_SETS };

typedef struct zn_frame_reader {
    int               format; ///< of the file
    hid_t             set[ZN_FRAMES_SETS], contacts;
    int               columns[ZN_FRAMES_SETS];
    int64_t           count; ///< frames that are complete
    int               contact_capacity, contact_count;
    zn_frame_contact *contact; ///< of the frame last read
    double            t, ledger[ZN_LEDGER_LINES], effort[ZN_EFFORT_COLUMNS];
} zn_frame_reader;

/// Open /frames of a result for configurations of these sizes; a file without frames has a count of 0.
zn_status zn_frame_reader_open(const zn_result *result, int nq, int n_all, zn_frame_reader *out);
void      zn_frame_reader_close(zn_frame_reader *reader);
/// Read frame `index` into the reader, q and v (NULL: not wanted, nor contacts).
zn_status zn_frame_reader_read(zn_frame_reader *reader, const zn_result *result, int64_t index, double *q, double *v);

#endif
