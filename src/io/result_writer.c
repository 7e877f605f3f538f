// Writes results: one HDF5 file per run, laid out as result.h says. Rows are gathered to whole chunks; a flush happens
// when the buffer is full or a second has passed, so a killed run loses at most that. Chunks are not compressed: a
// partly filled one is then rewritten in place, not at a new place of the file.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alive.h"
#include "base/array.h"
#include "io/new_file.h"
#include "io/restart.h"
#include "io/text_file.h"
#include "model/model.h"
#include "sim/sim.h"

enum {
    CHUNK_BYTES = 1 << 17,
    CHUNK_ROWS_MAX = 1 << 14,
    BUFFER_BYTES = 1 << 24,
    BLOCK_ROWS = 32, // sorted into columns while they are in the cache
    EVENT_CHUNK = 512,
};
static const double flush_seconds = 1;

// One dataset that grows with the rows: /time or a series.
typedef struct column_set {
    hid_t   dataset;
    int     rank, columns, offset; // offset: of its values in a row of the block
    double *buffer;                // buffer_rows x columns
} column_set;

struct zn_result_writer {
    zn_log                log;
    char                 *path, *part;
    hid_t                 file;
    zn_frame_writer      *frames;      // NULL: none
    zn_checkpoint_writer *checkpoints; // NULL: none
    bool                  takes_checkpoints;
    const zn_restart     *restart; // NULL: a run from its start
    bool                  copying; // what it had recorded is not here yet
    int                   record_every;
    int                   nq, n_all;     // sizes of a frame; 0: there is no model
    int                   error;         // errno of the first failing write, set by the file driver
    double                expected_rows; // of the whole run
    double                most;          // bytes they may take
    bool                  created, broken;
    double                last_time; // of the last flushed row
    int                   set_count; // the time comes last: it is flushed when its row is complete
    column_set           *sets;
    int                   buffer_rows, buffered, width;
    int                   sorted; // rows that are in the buffers of their sets
    double               *rows;   // BLOCK_ROWS x width, as they came: time, then the values
    hsize_t               written;
    hid_t                 events, event_type;
    int                   event_count;
    zn_result_event      *event_buffer; // EVENT_CHUNK
    hsize_t               events_written;
    int                   name_count, name_capacity;
    zn_contact_label     *names;
    struct timespec       flushed_at;
    void                 *reserve; // to close the file with, when memory has run out
};

static const char *name_of(const zn_result_writer *w, zn_contact_id contact)
{
    for (int i = 0; i < w->name_count; i++)
        if (w->names[i].rule == zn_contact_id_rule(contact))
            return w->names[i].name;
    return "";
}

// --- creation: everything but the series ---------------------------------------------------------

// Why the last HDF5 call failed: the innermost entry of its error stack.
static herr_t innermost(unsigned index, const H5E_error2_t *entry, void *user)
{
    if (index == 0 && entry->desc != NULL)
        snprintf(user, 128, "%s", entry->desc);
    return 0;
}

// Report once; nothing is written any more afterwards. Where neither the file nor HDF5 has a reason, memory ran out
// before it was called.
static zn_status fail(zn_result_writer *w, const char *what)
{
    char reason[128] = "";
    if (w->broken)
        return ZN_ERR_IO;
    w->broken = true;
    if (w->error == 0)
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, reason);
    if (w->error == 0 && *reason == '\0')
        return zn_fail(&w->log, ZN_ERR_MEMORY, "%s: %s: out of memory", w->part, what);
    return zn_fail(&w->log, ZN_ERR_IO, "%s: %s: %s", w->part, what,
                   w->error != 0 ? zn_new_file_error(w->error) : reason);
}

static zn_status fail_rows(zn_result_writer *w)
{
    bool      told = w->broken;
    zn_status status = fail(w, "results cannot be written");
    if (!told && w->written > 0 && w->error != ESTALE && w->error != EIDRM)
        zn_log_write(&w->log, ZN_LOG_INFO, "%s: results up to t = %.9g s can be read", w->part, w->last_time);
    return status;
}

// While the run before is copied the file has another name: PATH.part may be what is copied.
static const char new[] = ".new";

// Name at the end of the copy, or before it.
static void set_copying(zn_result_writer *w, bool copying)
{
    w->copying = copying;
    sprintf(w->part, "%s.part%s", w->path, copying ? new : "");
}

static zn_status allocate(const char *path, const zn_sim_def *sim, const zn_restart *restart, zn_log log,
                          zn_result_writer **out)
{
    zn_result_writer *w = ZN_NEW(zn_result_writer, 1);
    if (w == NULL)
        return ZN_ERR_MEMORY;
    *out = w;
    w->log = log;
    w->file = w->events = w->event_type = H5I_INVALID_HID;
    w->path = zn_copy_string(path);
    w->part = zn_new_array(strlen(path) + sizeof ".part" + sizeof new, 1);
    w->event_buffer = ZN_NEW(zn_result_event, EVENT_CHUNK);
    if (w->path == NULL || w->part == NULL || w->event_buffer == NULL)
        return ZN_ERR_MEMORY;
    set_copying(w, restart != NULL);
    w->restart = restart;
    w->most = INFINITY;
    w->takes_checkpoints = sim->checkpoint_every > 0 && !sim->statics;
    w->record_every = sim->record_every;
    w->expected_rows = 2 + (sim->until - sim->start) / sim->step / (sim->record_every > 1 ? sim->record_every : 1);
    return ZN_OK;
}

static zn_status create_file(zn_result_writer *w, const zn_problem *problem, const zn_sim_def *sim, const char *command)
{
    const char *why = zn_file_in_the_way(w->path); // it will be renamed there
    if (why != NULL)
        return zn_fail(&w->log, ZN_ERR_IO, "%s: cannot write results: %s", w->path, why);
    if (problem->path != NULL && zn_is_same_file(w->path, problem->path))
        return zn_fail(&w->log, ZN_ERR_IO, "%s: this is the model, results would destroy it", w->path);
    w->reserve = zn_result_reserve();
    if (w->reserve == NULL)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_result_room());
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_status       result = ZN_OK;
    w->file = zn_result_file_create(w->part, H5F_LIBVER_LATEST, &w->error);
    w->created = w->file >= 0;
    if (!w->created)
        result = fail(w, "cannot be created");
    else if (!zn_result_put_head(w->file, problem, sim, command) || w->error != 0)
        result = fail_rows(w);
    zn_result_quiet_end(quiet);
    return result;
}

// Lengths of q and v of a system compiled from the model.
static void measure(const zn_model *model, int *nq, int *n_all)
{
    *nq += model->node != NULL ? model->memories : model->coordinates;
    *n_all += model->node != NULL ? 0 : model->dofs;
    for (int i = 0; i < model->nodes && model->node != NULL; i++) {
        *nq += zn_node_coordinates(model->node[i].kind);
        for (int slot = 0; slot < 6; slot++)
            *n_all += zn_node_has(model->node[i].kind, slot);
    }
}

zn_status zn_result_writer_create(const char *path, const zn_problem *problem, const zn_sim_def *sim,
                                  const char *command, zn_log log, zn_result_writer **out)
{
    ZN_ALIVE(problem);
    return zn_result_writer_continue(path, problem, sim, command, NULL, log, out);
}

zn_status zn_result_writer_continue(const char *path, const zn_problem *problem, const zn_sim_def *sim,
                                    const char *command, const zn_restart *restart, zn_log log, zn_result_writer **out)
{
    ZN_ALIVE(problem);
    ZN_ALIVE(restart);
    ZN_TAKE_DEF(zn_sim_def, sim, &log);
    zn_result_writer *w = NULL;
    zn_status         status = allocate(path, sim, restart, log, &w);
    if (status == ZN_OK && problem->model != NULL && sim->frames != 0)
        measure(problem->model, &w->nq, &w->n_all);
    if (status == ZN_OK)
        status = create_file(w, problem, sim, command);
    if (status != ZN_OK) {
        zn_result_writer_destroy(w);
        return status;
    }
    *out = w;
    return ZN_OK;
}

// --- begin: datasets of the series ---------------------------------------------------------------

static int power_of_two_up_to(double bound, int max)
{
    int power = 1;
    while (2 * power <= max && 2 * power <= bound)
        power *= 2;
    return power;
}

// Rows of a chunk, a power of two like those of the buffer, so that one always holds a whole number of the other.
static int chunk_rows(const zn_result_writer *w, int columns)
{
    double fits = CHUNK_BYTES / (sizeof(double) * (double)columns);
    double needed = isfinite(w->expected_rows) ? 2 * w->expected_rows : CHUNK_ROWS_MAX;
    return power_of_two_up_to(fits < needed ? fits : needed, w->buffer_rows);
}

static zn_status add_set(zn_result_writer *w, hid_t parent, const char *name, int rank, int columns, int offset)
{
    column_set *set = &w->sets[w->set_count++];
    *set = (column_set){.rank = rank, .columns = columns, .offset = offset};
    set->dataset = zn_result_create_growing(parent, name, H5T_NATIVE_DOUBLE, rank, columns, chunk_rows(w, columns));
    if (set->dataset < 0)
        return fail_rows(w);
    set->buffer = ZN_NEW(double, (size_t)w->buffer_rows *(size_t)columns);
    return set->buffer == NULL ? ZN_ERR_MEMORY : ZN_OK;
}

static zn_status add_series(zn_result_writer *w, hid_t group, const zn_series *series)
{
    if (series->columns < 1 || series->name[0] == '\0' || strchr(series->name, '/') != NULL ||
        strcmp(series->name, ".") == 0)
        return zn_fail(&w->log, ZN_ERR_ARGUMENT, "record '%s': this name cannot stand in a result file", series->name);
    ZN_TRY(add_set(w, group, series->name, 2, series->columns, 1 + series->offset));
    hid_t dataset = w->sets[w->set_count - 1].dataset;
    bool  ok = zn_result_put_text(dataset, "unit", series->unit) && zn_result_put_text(dataset, "path", series->path) &&
              zn_result_put_text(dataset, "components", series->components);
    return ok ? ZN_OK : fail_rows(w);
}

static zn_status add_all_series(zn_result_writer *w, int count, const zn_series *series)
{
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED); // read in this order
    hid_t group = H5Gcreate2(w->file, "series", H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    if (group < 0)
        return fail_rows(w);
    zn_status status = ZN_OK;
    for (int i = 0; i < count && status == ZN_OK; i++)
        status = add_series(w, group, &series[i]);
    H5Gclose(group);
    return status;
}

static zn_status begin_quietly(zn_result_writer *w, int series_count, const zn_series *series, int columns)
{
    w->buffer_rows = power_of_two_up_to(BUFFER_BYTES / (sizeof(double) * (columns + 1.0)), CHUNK_ROWS_MAX);
    w->width = columns + 1;
    ZN_TRY(zn_result_check_size(w->part, w->expected_rows, w->width, w->most, &w->log));
    w->sets = ZN_NEW(column_set, series_count + 1);
    w->rows = ZN_NEW(double, BLOCK_ROWS *(size_t)w->width);
    if (w->sets == NULL || w->rows == NULL)
        return ZN_ERR_MEMORY;
    ZN_TRY(add_all_series(w, series_count, series));
    ZN_TRY(add_set(w, w->file, "time", 1, 1, 0));
    w->event_type = zn_result_event_type(true);
    w->events = zn_result_create_growing(w->file, "events", w->event_type, 1, 1, EVENT_CHUNK);
    w->frames = w->nq > 0 ? zn_frame_writer_create(w->file, w->nq, w->n_all) : NULL;
    if (w->nq > 0 && w->frames == NULL)
        return fail_rows(w);
    w->checkpoints = w->takes_checkpoints ? zn_checkpoint_writer_create(w->file, 512 + 4 * (w->nq + w->n_all)) : NULL;
    if (w->takes_checkpoints && w->checkpoints == NULL)
        return fail_rows(w);
    if (w->events < 0 || H5Fstart_swmr_write(w->file) < 0 || w->error != 0)
        return fail_rows(w);
    clock_gettime(CLOCK_MONOTONIC, &w->flushed_at);
    return ZN_OK;
}

// --- rows and events -----------------------------------------------------------------------------

// Sort the rows of the block into the columns of their sets.
static void sort_rows(zn_result_writer *w)
{
    int count = w->buffered - w->sorted;
    for (int i = 0; i < w->set_count; i++) {
        const column_set *set = &w->sets[i];
        const double     *from = w->rows + set->offset;
        double           *to = set->buffer + (size_t)w->sorted * (size_t)set->columns;
        if (set->columns == 1)
            for (int r = 0; r < count; r++)
                to[r] = from[(size_t)r * (size_t)w->width];
        for (int r = 0; set->columns > 1 && r < count; r++)
            memcpy(to + (size_t)r * (size_t)set->columns, from + (size_t)r * (size_t)w->width,
                   sizeof *to * (size_t)set->columns);
    }
    w->sorted = w->buffered;
}

static zn_status flush(zn_result_writer *w)
{
    ZN_TRY(zn_result_room());
    zn_result_quiet quiet = zn_result_quiet_begin();
    bool            ok = !w->broken;
    sort_rows(w);
    if (ok && w->event_count > 0)
        ok = zn_result_append(w->events, w->event_type, 1, 1, w->events_written, w->event_count, w->event_buffer);
    for (int i = 0; i < w->set_count && ok && w->buffered > 0; i++)
        ok = zn_result_append(w->sets[i].dataset, H5T_NATIVE_DOUBLE, w->sets[i].rank, w->sets[i].columns, w->written,
                              w->buffered, w->sets[i].buffer);
    ok = ok && (w->frames == NULL || zn_frame_writer_flush(w->frames));
    ok = ok && H5Fflush(w->file, H5F_SCOPE_LOCAL) >= 0 && w->error == 0; // one for all: each costs a walk over them
    zn_status status = ok ? ZN_OK : fail_rows(w);
    zn_result_quiet_end(quiet);
    if (!ok)
        return status;
    if (w->buffered > 0)
        w->last_time = w->sets[w->set_count - 1].buffer[w->buffered - 1];
    w->written += (hsize_t)w->buffered;
    w->events_written += (hsize_t)w->event_count;
    w->buffered = w->sorted = w->event_count = 0;
    clock_gettime(CLOCK_MONOTONIC, &w->flushed_at);
    return ZN_OK;
}

static bool is_flush_due(const zn_result_writer *w)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - w->flushed_at.tv_sec) + 1e-9 * (double)(now.tv_nsec - w->flushed_at.tv_nsec) >
           flush_seconds;
}

static zn_status row(void *user, double t, const double *values)
{
    zn_result_writer *w = user;
    if (w->broken)
        return ZN_ERR_IO;
    double *slot = w->rows + (size_t)(w->buffered++ - w->sorted) * (size_t)w->width;
    *slot = t;
    if (w->width > 1)
        memcpy(slot + 1, values, sizeof(double) * (size_t)(w->width - 1));
    if (w->buffered - w->sorted == BLOCK_ROWS)
        sort_rows(w);
    bool look = w->buffered < 16 || w->buffered % 16 == 0; // the clock costs as much as many values
    bool full = (w->written + (hsize_t)w->buffered) % (hsize_t)w->buffer_rows == 0; // ends with a chunk
    return full || (look && is_flush_due(w)) ? flush(w) : ZN_OK;
}

static zn_status remember_name(zn_result_writer *w, const zn_event *event)
{
    zn_contact_label entry = {.rule = zn_contact_id_rule(event->contact)};
    if (event->name == NULL || name_of(w, event->contact)[0] != '\0')
        return ZN_OK;
    memcpy(entry.name, event->name, strnlen(event->name, sizeof entry.name - 1));
    return ZN_PUSH(w->names, w->name_count, w->name_capacity, entry);
}

static zn_status keep_event(void *user, const zn_result_event *e)
{
    zn_result_writer *w = user;
    w->event_buffer[w->event_count++] = *e;
    return w->event_count == EVENT_CHUNK ? flush(w) : ZN_OK;
}

static zn_status event(void *user, const zn_event *e)
{
    zn_result_writer *w = user;
    zn_result_event   kept;
    if (w->broken)
        return ZN_ERR_IO;
    ZN_TRY(remember_name(w, e));
    memset(&kept, 0, sizeof kept); // padding goes into the file too
    if (e->name != NULL)
        memcpy(kept.name, e->name, strnlen(e->name, sizeof kept.name - 1));
    kept.impact = e->impact;
    kept.open = e->open;
    kept.closed_at = e->closed_at;
    kept.opened_at = e->opened_at;
    kept.impulse = e->impulse;
    kept.peak_force = e->peak_force;
    kept.approach = e->approach;
    if (e->pair != NULL)
        memcpy(kept.pair, e->pair, strnlen(e->pair, sizeof kept.pair - 1));
    return keep_event(w, &kept);
}

static zn_status frame(void *user, const zn_frame *f)
{
    zn_result_writer *w = user;
    bool              full = false;
    if (w->broken)
        return ZN_ERR_IO;
    if (w->frames == NULL || f->nq != w->nq || f->n_all != w->n_all)
        return ZN_OK;
    ZN_TRY(zn_frame_writer_push(w->frames, f, &full));
    return full ? flush(w) : ZN_OK;
}

// --- checkpoints ---------------------------------------------------------------------------------

// The rows it counts are in the file before it is.
static zn_status put_checkpoint(zn_result_writer *w)
{
    if (w->checkpoints == NULL)
        return ZN_OK;
    ZN_TRY(flush(w));
    ZN_TRY(zn_result_room());
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_status       status = zn_checkpoint_writer_put(w->checkpoints, w->names);
    if (status == ZN_ERR_IO || w->error != 0)
        status = fail_rows(w);
    zn_result_quiet_end(quiet);
    return status;
}

static bool keep_checkpoint(zn_result_writer *w, double t, const void *data, size_t size)
{
    zn_checkpoint_counts counts = {.rows = (int64_t)w->written + w->buffered,
                                   .events = (int64_t)w->events_written + w->event_count,
                                   .frames = w->frames != NULL ? zn_frame_writer_count(w->frames) : 0};
    return zn_checkpoint_writer_keep(w->checkpoints, t, data, size, counts, w->name_count);
}

static zn_status checkpoint(void *user, double t, const void *data, size_t size)
{
    zn_result_writer *w = user;
    if (w->broken)
        return ZN_ERR_IO;
    return w->checkpoints != NULL && keep_checkpoint(w, t, data, size) ? put_checkpoint(w) : ZN_OK;
}

// From now on the file stands for the run before and may take its place.
static zn_status rename_copy(zn_result_writer *w)
{
    char *name = zn_copy_string(w->part);
    if (name == NULL)
        return ZN_ERR_MEMORY;
    set_copying(w, false);
    int error = zn_result_file_is_busy(w->part) ? EAGAIN : rename(name, w->part) != 0 ? errno : 0;
    free(name);
    if (error == 0)
        return ZN_OK;
    w->error = error;
    zn_status status = fail(w, "cannot be replaced");
    set_copying(w, true);
    return status;
}

static zn_status take_over(zn_result_writer *w, int series_count, const zn_series *series)
{
    const zn_checkpoint  *c = &w->restart->checkpoint;
    bool                  same = zn_restart_has_series(w->restart, series_count, series, w->record_every);
    const zn_restart_sink sink = {.user = w,
                                  .columns = w->width - 1,
                                  .nq = w->nq,
                                  .n_all = w->n_all,
                                  .row = same ? row : NULL,
                                  .event = keep_event,
                                  .frame = w->frames != NULL ? frame : NULL};
    if (!same)
        zn_log_write(&w->log, ZN_LOG_INFO,
                     "%s: rows begin after the checkpoint at t = %.9g s, other ones were recorded before", w->path,
                     c->t);
    ZN_TRY(zn_restart_copy(w->restart, &sink));
    for (int i = 0; i < c->name_count; i++)
        ZN_TRY(ZN_PUSH(w->names, w->name_count, w->name_capacity, c->names[i]));
    if (w->checkpoints != NULL) {
        keep_checkpoint(w, c->t, c->data, c->size);
        ZN_TRY(put_checkpoint(w));
    }
    return rename_copy(w);
}

static zn_status begin(void *user, int series_count, const zn_series *series, int columns)
{
    zn_result_writer *w = user;
    ZN_TRY(zn_result_room());
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_status       status = begin_quietly(w, series_count, series, columns);
    zn_result_quiet_end(quiet);
    return status == ZN_OK && w->restart != NULL ? take_over(w, series_count, series) : status;
}

// --- end -----------------------------------------------------------------------------------------

static void close_file(zn_result_writer *w)
{
    for (int i = 0; i < w->set_count; i++) {
        if (w->sets[i].dataset >= 0)
            H5Dclose(w->sets[i].dataset);
        free(w->sets[i].buffer);
    }
    w->set_count = 0;
    w->frames = zn_frame_writer_destroy(w->frames);
    w->checkpoints = zn_checkpoint_writer_destroy(w->checkpoints);
    if (w->events >= 0)
        H5Dclose(w->events);
    if (w->event_type >= 0)
        H5Tclose(w->event_type);
    if (w->file >= 0)
        zn_result_file_close(w->file);
    w->events = w->event_type = w->file = H5I_INVALID_HID;
}

static bool put_ending(const zn_result_writer *w, const zn_certificate *c, zn_status outcome)
{
    const char *const contacts[] = {
#define WORST_CONTACT(field, ...) name_of(w, c->field.contact),
        ZN_WORST_LIST(WORST_CONTACT)
#undef WORST_CONTACT
    };
    return zn_result_put_certificate(w->file, c, contacts) && zn_result_put_outcome(w->file, outcome);
}

static void free_reserve(zn_result_writer *w)
{
    free(w->reserve);
    w->reserve = NULL;
}

static zn_status end(void *user, const zn_certificate *certificate, zn_status outcome)
{
    zn_result_writer *w = user;
    free_reserve(w);
    zn_status status = flush(w);
    if (status == ZN_OK)
        status = put_checkpoint(w);
    zn_result_quiet quiet = zn_result_quiet_begin();
    if (status == ZN_OK && !put_ending(w, certificate, outcome))
        status = fail_rows(w);
    close_file(w);
    if (status == ZN_OK && w->error != 0)
        status = fail_rows(w);
    zn_result_quiet_end(quiet);
    int error = status == ZN_OK ? zn_new_file_place(w->part, w->path) : 0;
    if (error != 0)
        status = zn_fail(&w->log, ZN_ERR_IO, "%s: cannot be renamed to '%s': %s", w->part, w->path, strerror(error));
    return status;
}

zn_recorder zn_result_writer_recorder(zn_result_writer *writer)
{
    ZN_ALIVE(writer);
    return (zn_recorder){.user = writer,
                         .begin = begin,
                         .row = row,
                         .event = event,
                         .end = end,
                         .frame = frame,
                         .checkpoint = checkpoint};
}

void zn_result_writer_limit(zn_result_writer *writer, double bytes)
{
    ZN_ALIVE(writer);
    if (writer)
        writer->most = bytes;
}

zn_result_writer *zn_result_writer_destroy(zn_result_writer *writer)
{
    ZN_ALIVE(writer);
    if (writer == NULL)
        return NULL;
    free_reserve(writer);
    if (writer->events >= 0 && !writer->broken)
        flush(writer); // the run was given up; its rows are still good
    zn_result_quiet quiet = zn_result_quiet_begin();
    close_file(writer);
    zn_result_quiet_end(quiet);
    if (writer->created && (writer->written == 0 || writer->copying))
        unlink(writer->part); // nobody can want a file without rows, or half a copy
    free(writer->sets);
    free(writer->rows);
    free(writer->names);
    free(writer->event_buffer);
    free(writer->part);
    free(writer->path);
    zn_retire(writer, sizeof *writer);
    return NULL;
}
