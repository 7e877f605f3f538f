// Rows, events, frames and checkpoints of all parts become those of one run, which the first process records.
// Everything is sent where all processes are anyway. The first process keeps what goes wrong with the recorder to
// itself until everybody asks for it (zn_part_trouble), so that nobody waits for a message that does not come.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "parallel/part.h"

enum { TAG_VECTOR = 1, TAG_EVENTS, TAG_CONTACTS, TAG_CHECKPOINT };

static bool is_first(const zn_part *part) { return part->world->rank == 0; }

static void keep_trouble(zn_part *part, zn_status status)
{
    if (part->trouble == ZN_OK)
        part->trouble = status;
}

zn_status zn_part_make_room(zn_part *part)
{
    part->row = ZN_NEW(double, part->records.columns);
    part->least = ZN_NEW(double, part->records.columns);
    part->own = ZN_NEW(double, part->records.own_columns);
    return part->row && part->least && part->own ? ZN_OK : ZN_ERR_MEMORY;
}

// --- rows ----------------------------------------------------------------------------------------

static zn_status begin(void *user, int series_count, const zn_series *series, int columns)
{
    zn_part *part = user;
    (void)series_count, (void)series;
    if (columns != part->records.own_columns)
        return ZN_ERR_ARGUMENT;
    if (is_first(part) && part->inner.begin)
        keep_trouble(part, part->inner.begin(part->inner.user, part->records.count, part->records.series,
                                             part->records.columns));
    return ZN_OK;
}

// The terms of this process: sums, with zero where others know, and what is the least.
static void fill_row(zn_part *part, const double *values)
{
    for (int i = 0; i < part->records.count; i++) {
        const zn_joined_record *record = &part->records.record[i];
        const zn_series        *series = &part->records.series[i];
        for (int k = 0; k < series->columns; k++) {
            double value = record->local >= 0 ? values[record->local + k] : 0;
            bool   silent = record->joining == ZN_JOIN_LEAST || (record->joining == ZN_JOIN_SAME && !is_first(part));
            part->row[series->offset + k] = silent ? 0 : value;
            part->least[series->offset + k] =
                record->joining == ZN_JOIN_LEAST && !isnan(value) ? value : (double)INFINITY;
        }
    }
}

static bool has_least(const zn_records *records)
{
    for (int i = 0; i < records->count; i++)
        if (records->record[i].joining == ZN_JOIN_LEAST)
            return true;
    return false;
}

static void reduce(zn_part *part, double *values, MPI_Op op)
{
    MPI_Reduce(is_first(part) ? MPI_IN_PLACE : values, values, part->records.columns, MPI_DOUBLE, op, 0,
               part->world->comm);
}

// The row of all, on the first process.
static void join_row(zn_part *part, const double *values)
{
    fill_row(part, values);
    reduce(part, part->row, MPI_SUM);
    if (has_least(&part->records))
        reduce(part, part->least, MPI_MIN);
    for (int i = 0; i < part->records.count; i++)
        for (int k = 0; part->records.record[i].joining == ZN_JOIN_LEAST && k < part->records.series[i].columns; k++) {
            int column = part->records.series[i].offset + k;
            part->row[column] = isfinite(part->least[column]) ? part->least[column] : NAN;
        }
}

static zn_status row(void *user, double t, const double *values)
{
    zn_part *part = user;
    join_row(part, values);
    if (is_first(part) && part->inner.row)
        keep_trouble(part, part->inner.row(part->inner.user, t, part->row));
    return ZN_OK;
}

zn_status zn_part_values(zn_part *part, const zn_sim *sim, double *values)
{
    ZN_TRY(zn_world_agree(part->world, zn_sim_values(sim, part->own)));
    join_row(part, part->own);
    if (is_first(part) && part->records.columns > 0)
        memcpy(values, part->row, sizeof *values * (size_t)part->records.columns);
    return ZN_OK;
}

// --- lists: of events, of contacts ---------------------------------------------------------------

// What all processes list, one after the other, on the first one: *out is allocated there.
static zn_status gather_list(zn_part *part, int tag, int count, size_t size, const void *own, int *all, char **out)
{
    const zn_world *w = part->world;
    int            *counts = is_first(part) ? ZN_NEW(int, w->size) : NULL;
    zn_status       status = is_first(part) && !counts ? ZN_ERR_MEMORY : ZN_OK;
    *all = 0;
    *out = NULL;
    if (zn_world_agree(part->world, status) != ZN_OK)
        return ZN_ERR_MEMORY;
    MPI_Gather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, w->comm);
    if (!is_first(part)) {
        if (count > 0)
            MPI_Send(own, count * (int)size, MPI_BYTE, 0, tag, w->comm);
        return ZN_OK;
    }
    for (int r = 0; r < w->size; r++)
        *all += counts[r];
    char *list = *out = zn_new_array((size_t)*all, size);
    if (!list) // the others have sent and go on
        zn_world_abort(part->world, 3);
    if (count > 0)
        memcpy(list, own, (size_t)count * size);
    list += (size_t)count * size;
    for (int r = 1; r < w->size; list += (size_t)counts[r++] * size)
        if (counts[r] > 0)
            MPI_Recv(list, counts[r] * (int)size, MPI_BYTE, r, tag, w->comm, MPI_STATUS_IGNORE);
    free(counts);
    return ZN_OK;
}

static zn_status event(void *user, const zn_event *e)
{
    zn_part      *part = user;
    zn_kept_event kept = {.event = *e};
    if (e->name)
        memcpy(kept.name, e->name, strnlen(e->name, sizeof kept.name - 1));
    if (e->pair)
        memcpy(kept.pair, e->pair, strnlen(e->pair, sizeof kept.pair - 1));
    return ZN_PUSH(part->event, part->event_count, part->event_capacity, kept);
}

// In the order in which one process would have told them.
static int compare_events(const void *a, const void *b)
{
    const zn_kept_event *p = a, *q = b;
    if (p->event.opened_at != q->event.opened_at)
        return p->event.opened_at > q->event.opened_at ? 1 : -1;
    return zn_contact_id_compare(p->event.contact, q->event.contact);
}

static zn_status send_events(zn_part *part)
{
    int   all;
    char *list;
    ZN_TRY(gather_list(part, TAG_EVENTS, part->event_count, sizeof *part->event, part->event, &all, &list));
    part->event_count = 0;
    zn_kept_event *events = (zn_kept_event *)(void *)list;
    if (all > 1)
        qsort(events, (size_t)all, sizeof *events, compare_events);
    for (int i = 0; i < all && part->inner.event; i++) {
        events[i].event.name = events[i].name;
        events[i].event.pair = events[i].pair;
        keep_trouble(part, part->inner.event(part->inner.user, &events[i].event));
    }
    free(list);
    return ZN_OK;
}

// --- frames --------------------------------------------------------------------------------------

// A vector of the whole on the first process, one process after the other.
static void gather_vector(zn_part *part, const zn_places *places, const double *own, double *whole)
{
    MPI_Comm comm = part->world->comm;
    for (int i = 0; i < places->count; i++)
        part->values[i] = own[places->own[i]];
    if (!is_first(part)) {
        MPI_Send(part->values, places->count, MPI_DOUBLE, 0, TAG_VECTOR, comm);
        return;
    }
    for (int r = 0; r < part->world->size; r++) {
        int first = places->first[r], count = places->first[r + 1] - first;
        if (r > 0)
            MPI_Recv(part->values, count, MPI_DOUBLE, r, TAG_VECTOR, comm, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++)
            whole[places->whole[first + i]] = part->values[i];
    }
}

static int most_of(const zn_part *part, const zn_places *places)
{
    int most = places->count;
    for (int r = 0; is_first(part) && r < part->world->size; r++) {
        int count = places->first[r + 1] - places->first[r];
        most = count > most ? count : most;
    }
    return most;
}

// Room for frames, when the first one comes.
static zn_status make_frame(zn_part *part)
{
    int q = most_of(part, &part->q) + part->model->memories, v = most_of(part, &part->v);
    if (part->values)
        return ZN_OK;
    part->values = ZN_NEW(double, q > v ? q : v);
    part->frame_q = ZN_NEW(double, is_first(part) ? part->nq : 0);
    part->frame_v = ZN_NEW(double, is_first(part) ? part->n_all : 0);
    return part->values && part->frame_q && part->frame_v ? ZN_OK : ZN_ERR_MEMORY;
}

static int compare_contacts(const void *a, const void *b)
{
    return zn_contact_id_compare(((const zn_frame_contact *)a)->contact, ((const zn_frame_contact *)b)->contact);
}

static zn_status frame(void *user, const zn_frame *own)
{
    zn_part *part = user;
    int      contacts;
    char    *list;
    ZN_TRY(zn_world_agree(part->world, make_frame(part)));
    ZN_TRY(send_events(part));
    gather_vector(part, &part->q, own->q, part->frame_q);
    if (part->model->memories > 0)
        gather_vector(part, &part->memory, own->q, part->frame_q);
    gather_vector(part, &part->v, own->v, part->frame_v);
    ZN_TRY(gather_list(part, TAG_CONTACTS, own->contact_count, sizeof *own->contacts, own->contacts, &contacts, &list));
    if (is_first(part) && part->inner.frame) {
        zn_frame whole = *own;
        whole.nq = part->nq;
        whole.n_all = part->n_all;
        whole.q = part->frame_q;
        whole.v = part->frame_v;
        whole.contact_count = contacts;
        whole.contacts = (const zn_frame_contact *)(void *)list;
        if (contacts > 1)
            qsort(list, (size_t)contacts, sizeof *own->contacts, compare_contacts);
        keep_trouble(part, part->inner.frame(part->inner.user, &whole));
    }
    free(list);
    return ZN_OK;
}

// --- checkpoints ---------------------------------------------------------------------------------

// Words: a mark, the number of processes, the bytes of each, then these.
static const uint64_t mark = 0x316b6e61726f6e7a;

enum { HEAD = 2 };

static zn_status reserve_blob(zn_part *part, const int64_t *sizes)
{
    int64_t words = HEAD + part->world->size;
    for (int r = 0; r < part->world->size; r++)
        words += sizes[r] / 8;
    return words > INT_MAX ? ZN_ERR_MEMORY : zn_grow(&part->blob, &part->blob_capacity, (int)words, sizeof *part->blob);
}

// To the first process, in pieces that MPI can count.
static void move_blob(zn_part *part, int from, void *data, int64_t size)
{
    const int64_t piece = 1 << 28;
    for (int64_t at = 0; at < size; at += piece) {
        int bytes = (int)(size - at < piece ? size - at : piece);
        if (is_first(part))
            MPI_Recv((char *)data + at, bytes, MPI_BYTE, from, TAG_CHECKPOINT, part->world->comm, MPI_STATUS_IGNORE);
        else
            MPI_Send((char *)data + at, bytes, MPI_BYTE, 0, TAG_CHECKPOINT, part->world->comm);
    }
}

static void gather_blobs(zn_part *part, const void *data, const int64_t *sizes, size_t *size)
{
    int       ranks = part->world->size;
    uint64_t *at = part->blob;
    *at++ = mark;
    *at++ = (uint64_t)ranks;
    for (int r = 0; r < ranks; r++)
        *at++ = (uint64_t)sizes[r];
    memcpy(at, data, (size_t)sizes[0]);
    for (int r = 1; r < ranks; r++) {
        at += sizes[r - 1] / 8;
        move_blob(part, r, at, sizes[r]);
    }
    *size = (size_t)((char *)(at + sizes[ranks - 1] / 8) - (char *)part->blob);
}

static zn_status checkpoint(void *user, double t, const void *data, size_t size)
{
    zn_part  *part = user;
    int64_t   own = (int64_t)size, *sizes = ZN_NEW(int64_t, part->world->size);
    zn_status status = zn_world_agree(part->world, sizes ? ZN_OK : ZN_ERR_MEMORY);
    if (status == ZN_OK)
        status = send_events(part);
    if (status == ZN_OK)
        zn_world_gather(part->world, &own, sizeof own, sizes);
    if (status == ZN_OK)
        status = zn_world_agree(part->world, is_first(part) ? reserve_blob(part, sizes) : ZN_OK);
    size_t all = 0;
    if (status == ZN_OK && is_first(part))
        gather_blobs(part, data, sizes, &all);
    else if (status == ZN_OK)
        move_blob(part, 0, (void *)data, own);
    free(sizes);
    if (status == ZN_OK && is_first(part) && part->inner.checkpoint)
        keep_trouble(part, part->inner.checkpoint(part->inner.user, t, part->blob, all));
    return status;
}

zn_status zn_part_checkpoint(const zn_part *part, const void *data, size_t size, const void **own, size_t *own_size)
{
    const zn_log   *log = &part->sys->model->log;
    const uint64_t *word = data;
    size_t          words = size / 8, ranks = words > HEAD ? (size_t)word[1] : 0, at = HEAD + ranks;
    if (words <= HEAD || word[0] != mark || ranks > words - HEAD)
        return zn_fail(log, ZN_ERR_ARGUMENT, "the checkpoint is of a run on one process, not on %d", part->world->size);
    if (ranks != (size_t)part->world->size)
        return zn_fail(log, ZN_ERR_ARGUMENT, "the checkpoint is of a run on %zu processes, not on %d", ranks,
                       part->world->size);
    for (int r = 0; r < part->world->rank && at <= words; r++)
        at += word[HEAD + r] / 8 <= words ? (size_t)(word[HEAD + r] / 8) : words + 1;
    uint64_t bytes = word[HEAD + part->world->rank];
    if (at > words || bytes % 8 != 0 || bytes / 8 > words - at)
        return zn_fail(log, ZN_ERR_IO, "the checkpoint is damaged");
    *own = word + at;
    *own_size = (size_t)bytes;
    return ZN_OK;
}

// --- the end -------------------------------------------------------------------------------------

static zn_status end(void *user, const zn_certificate *certificate, zn_status outcome)
{
    zn_part  *part = user;
    zn_status status = send_events(part);
    if (is_first(part) && part->inner.end)
        keep_trouble(part, part->inner.end(part->inner.user, certificate, outcome));
    return zn_world_agree(part->world, status != ZN_OK ? status : part->trouble);
}

zn_recorder zn_part_recorder(zn_part *part, zn_recorder inner)
{
    int wanted[4] = {inner.event != NULL, inner.frame != NULL, inner.checkpoint != NULL, inner.row != NULL};
    MPI_Bcast(wanted, 4, MPI_INT, 0, part->world->comm);
    part->inner = inner;
    part->trouble = ZN_OK;
    return (zn_recorder){.user = part,
                         .begin = begin,
                         .row = wanted[3] ? row : NULL,
                         .event = wanted[0] ? event : NULL,
                         .end = end,
                         .frame = wanted[1] ? frame : NULL,
                         .checkpoint = wanted[2] ? checkpoint : NULL};
}
