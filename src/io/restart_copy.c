// What the run before had recorded up to its checkpoint, handed on to the run that takes over. What came after the
// checkpoint is left out: it will be computed again.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/restart.h"
#include "io/result_reader.h"
#include "io/frame_reader.h"

enum { BLOCK_VALUES = 1 << 16, BLOCK_EVENTS = 256 };

bool zn_restart_has_series(const zn_restart *restart, int count, const zn_series *series, int record_every)
{
    if (restart->record_every != record_every || zn_result_series_count(restart->result) != count)
        return false;
    for (int i = 0; i < count; i++) {
        zn_result_series there = zn_result_series_at(restart->result, i);
        if (strcmp(there.name, series[i].name) != 0 || strcmp(there.path, series[i].path) != 0 ||
            there.columns != series[i].columns || strcmp(there.components, series[i].components) != 0)
            return false;
    }
    return true;
}

static zn_status missing(const zn_restart *r, const char *what)
{
    return zn_fail(zn_result_log(r->result), ZN_ERR_IO,
                   "%s: damaged result file: it has fewer %s than at its checkpoint", zn_result_path(r->result), what);
}

// Rows [first, first + count) of all series side by side, behind the time.
static zn_status read_rows(const zn_restart *r, int64_t first, int64_t count, int width, double *table)
{
    zn_hdf5_block block = {.first = first, .count = count, .columns = 1, .width = width};
    ZN_TRY(zn_result_read_time(r->result, block, table));
    block.offset = 1;
    for (int i = 0; i < zn_result_series_count(r->result); i++) {
        block.columns = zn_result_series_at(r->result, i).columns;
        ZN_TRY(zn_result_read_series(r->result, i, block, table));
        block.offset += block.columns;
    }
    return ZN_OK;
}

static zn_status copy_rows(const zn_restart *r, const zn_restart_sink *sink)
{
    int64_t rows = r->checkpoint.counts.rows;
    int     width = 1 + sink->columns, most = 1 + BLOCK_VALUES / width;
    if (rows > zn_result_rows(r->result))
        return missing(r, "rows");
    double   *table = ZN_NEW(double, (size_t)most *(size_t)width);
    zn_status status = table != NULL ? ZN_OK : ZN_ERR_MEMORY;
    for (int64_t first = 0; first < rows && status == ZN_OK; first += most) {
        int64_t count = rows - first < most ? rows - first : most;
        status = read_rows(r, first, count, width, table);
        for (int64_t i = 0; i < count && status == ZN_OK; i++)
            status = sink->row(sink->user, table[i * width], table + i * width + 1);
    }
    free(table);
    return status;
}

static zn_status copy_events(const zn_restart *r, const zn_restart_sink *sink)
{
    int64_t events = r->checkpoint.counts.events;
    if (events > zn_result_event_count(r->result))
        return missing(r, "events");
    zn_result_event *list = ZN_NEW(zn_result_event, BLOCK_EVENTS);
    zn_status        status = list != NULL ? ZN_OK : ZN_ERR_MEMORY;
    for (int64_t first = 0; first < events && status == ZN_OK; first += BLOCK_EVENTS) {
        int64_t count = events - first < BLOCK_EVENTS ? events - first : BLOCK_EVENTS;
        status = zn_result_read_events(r->result, first, count, list);
        for (int64_t i = 0; i < count && status == ZN_OK; i++)
            status = sink->event(sink->user, &list[i]);
    }
    free(list);
    return status;
}

static zn_status copy_frame(zn_frame_reader *reader, const zn_restart *r, const zn_restart_sink *sink, int64_t index,
                            double *q)
{
    double *v = q + sink->nq;
    ZN_TRY(zn_frame_reader_read(reader, r->result, index, q, v));
    const zn_frame frame = {.t = reader->t,
                            .nq = sink->nq,
                            .n_all = sink->n_all,
                            .q = q,
                            .v = v,
                            .ledger = reader->ledger,
                            .effort = reader->effort,
                            .contact_count = reader->contact_count,
                            .contacts = reader->contact};
    return sink->frame(sink->user, &frame);
}

static zn_status copy_frames(const zn_restart *r, const zn_restart_sink *sink)
{
    zn_frame_reader reader = {0};
    double         *q = ZN_NEW(double, (size_t)sink->nq + (size_t)sink->n_all);
    zn_status status = q != NULL ? zn_frame_reader_open(r->result, sink->nq, sink->n_all, &reader) : ZN_ERR_MEMORY;
    if (status == ZN_OK && r->checkpoint.counts.frames > reader.count)
        status = missing(r, "frames");
    for (int64_t i = 0; i < r->checkpoint.counts.frames && status == ZN_OK; i++)
        status = copy_frame(&reader, r, sink, i, q);
    zn_frame_reader_close(&reader);
    free(q);
    return status;
}

zn_status zn_restart_copy(const zn_restart *restart, const zn_restart_sink *sink)
{
    if (sink->row != NULL)
        ZN_TRY(copy_rows(restart, sink));
    if (sink->event != NULL)
        ZN_TRY(copy_events(restart, sink));
    return sink->frame != NULL ? copy_frames(restart, sink) : ZN_OK;
}
