// Checkpoints in a result file: two datasets of words, written in turn. A process that is killed while it writes one,
// or a disk that is full, leaves the other; a checksum tells which is whole. Layout of one: head, names of contacts,
// bytes of the simulation.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "io/result.h"
#include "io/result_reader.h"

typedef struct head {
    uint64_t             magic, checksum; // of all that follows
    int64_t              sequence;        // the larger is the newer
    zn_checkpoint_counts counts;
    int64_t              names, size; // bytes of the simulation, a multiple of eight
    double               t;
} head;

enum { HEAD_WORDS = sizeof(head) / 8, NAME_WORDS = sizeof(zn_contact_label) / 8, CHECKED_FROM = 2 };

static const uint64_t    magic = 0x31706b636f6e657a; // also tells the order of bytes
static const char *const slot_names[] = {"checkpoint/a", "checkpoint/b"};

enum { SLOTS = 2 };

static uint64_t checksum_of(size_t count, const uint64_t *words)
{
    uint64_t sum = 0xcbf29ce484222325;
    for (size_t i = CHECKED_FROM; i < count; i++)
        sum = (sum ^ words[i]) * 0x100000001b3;
    return sum;
}

// --- writing -------------------------------------------------------------------------------------

struct zn_checkpoint_writer {
    hid_t       slot[SLOTS];
    int         extent[SLOTS]; // words
    bool        pending;       // `next` is not in the file yet
    head        next;
    const void *data; // borrowed
    int         capacity;
    uint64_t   *words;
    double      written_at, cost; // clock, and what the last one took [s]
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

zn_checkpoint_writer *zn_checkpoint_writer_create(hid_t file, int words)
{
    const int             most = 1 << 16;
    zn_checkpoint_writer *w = ZN_NEW(zn_checkpoint_writer, 1);
    hid_t                 group = H5Gcreate2(file, "checkpoint", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool                  ok = w != NULL && group >= 0;
    if (group >= 0)
        H5Gclose(group);
    for (int i = 0; w != NULL && i < SLOTS; i++) {
        w->slot[i] =
            zn_result_create_growing(file, slot_names[i], H5T_NATIVE_UINT64, 1, 1, words < most ? words : most);
        ok = ok && w->slot[i] >= 0;
    }
    if (!ok)
        return zn_checkpoint_writer_destroy(w);
    w->written_at = seconds();
    return w;
}

zn_checkpoint_writer *zn_checkpoint_writer_destroy(zn_checkpoint_writer *w)
{
    if (w == NULL)
        return NULL;
    for (int i = 0; i < SLOTS; i++)
        if (w->slot[i] >= 0)
            H5Dclose(w->slot[i]);
    free(w->words);
    free(w);
    return NULL;
}

bool zn_checkpoint_writer_keep(zn_checkpoint_writer *w, double t, const void *data, size_t size,
                               zn_checkpoint_counts counts, int names)
{
    w->next = (head){.magic = magic,
                     .sequence = w->next.sequence + !w->pending,
                     .counts = counts,
                     .names = names,
                     .size = (int64_t)size,
                     .t = t};
    w->data = data;
    w->pending = true;
    double passed = seconds() - w->written_at; // at most a twentieth of the time goes into writing
    return passed > 1 && passed > 20 * w->cost;
}

static zn_status gather(zn_checkpoint_writer *w, const zn_contact_label *names, int *count)
{
    size_t words = HEAD_WORDS + (size_t)w->next.names * NAME_WORDS + (size_t)w->next.size / 8;
    if (words > 1 << 30)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_grow(&w->words, &w->capacity, (int)words, sizeof *w->words));
    uint64_t *at = w->words + HEAD_WORDS;
    if (w->next.names > 0)
        memcpy(at, names, sizeof *names * (size_t)w->next.names);
    memcpy(at + (size_t)w->next.names * NAME_WORDS, w->data, (size_t)w->next.size);
    memcpy(w->words, &w->next, sizeof w->next);
    w->next.checksum = checksum_of(words, w->words);
    memcpy(w->words, &w->next, sizeof w->next);
    *count = (int)words;
    return ZN_OK;
}

zn_status zn_checkpoint_writer_put(zn_checkpoint_writer *w, const zn_contact_label *names)
{
    int count = 0, i = (int)(w->next.sequence % SLOTS);
    if (!w->pending)
        return ZN_OK;
    double start = seconds();
    ZN_TRY(gather(w, names, &count));
    int extent = count > w->extent[i] ? count : w->extent[i]; // a dataset that is being read must not shrink
    ZN_TRY(zn_grow(&w->words, &w->capacity, extent, sizeof *w->words));
    if (!zn_result_append(w->slot[i], H5T_NATIVE_UINT64, 1, 1, 0, extent, w->words) || H5Dflush(w->slot[i]) < 0)
        return ZN_ERR_IO;
    w->extent[i] = extent;
    w->pending = false;
    w->written_at = seconds();
    w->cost = w->written_at - start;
    return ZN_OK;
}

// --- reading -------------------------------------------------------------------------------------

// All words of a slot that belong to a whole checkpoint, or NULL.
static uint64_t *read_slot(hid_t file, const char *name)
{
    hid_t     dataset = zn_hdf5_dataset(file, name, ZN_HDF5_PLAIN);
    int64_t   count = dataset >= 0 ? zn_hdf5_rows(dataset, 1, NULL) : -1;
    uint64_t *words = count >= HEAD_WORDS ? ZN_NEW(uint64_t, count) : NULL;
    bool      ok = words != NULL && zn_hdf5_read_list(dataset, H5T_NATIVE_UINT64, count, words);
    if (dataset >= 0)
        H5Dclose(dataset);
    head h = {0};
    if (ok)
        memcpy(&h, words, sizeof h);
    int64_t room = count - HEAD_WORDS;
    ok = ok && h.magic == magic && h.names >= 0 && h.names <= room / NAME_WORDS && h.size >= 0 && h.size % 8 == 0 &&
         h.size / 8 <= room - h.names * NAME_WORDS && h.names <= INT_MAX && h.counts.rows >= 0 &&
         h.counts.events >= 0 && h.counts.frames >= 0 &&
         h.checksum == checksum_of((size_t)(HEAD_WORDS + h.names * NAME_WORDS + h.size / 8), words);
    if (ok)
        return words;
    free(words);
    return NULL;
}

bool zn_checkpoint_read(int64_t file, zn_checkpoint *out)
{
    head best = {.sequence = INT64_MIN};
    *out = (zn_checkpoint){0};
    zn_result_quiet quiet = zn_result_quiet_begin();
    for (int i = 0; i < SLOTS; i++) {
        head      h = {.sequence = INT64_MIN};
        uint64_t *words = read_slot(file, slot_names[i]);
        if (words != NULL)
            memcpy(&h, words, sizeof h);
        if (h.sequence > best.sequence) {
            free(out->memory);
            out->memory = words;
            best = h;
        } else
            free(words);
    }
    zn_result_quiet_end(quiet);
    if (out->memory == NULL)
        return false;
    out->t = best.t;
    out->counts = best.counts;
    out->name_count = (int)best.names;
    out->names = (zn_contact_label *)(out->memory + HEAD_WORDS);
    for (int i = 0; i < out->name_count; i++)
        out->names[i].name[ZN_RESULT_NAME_BYTES - 1] = '\0';
    out->data = out->memory + HEAD_WORDS + best.names * NAME_WORDS;
    out->size = (size_t)best.size;
    return true;
}

void zn_checkpoint_free(zn_checkpoint *checkpoint)
{
    free(checkpoint->memory);
    *checkpoint = (zn_checkpoint){0};
}
