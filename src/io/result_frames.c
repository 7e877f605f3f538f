// Frames in a result file: configurations, ledger, effort and the contacts that acted. They are few, so that a buffer
// of a megabyte is enough; the times are written last, so a frame that has its time is complete.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/result.h"

enum { BUFFER_BYTES = 1 << 20, BUFFER_FRAMES = 64, CHUNK_BYTES = 1 << 16, CONTACT_CHUNK = 256 };

enum { SET_Q, SET_V, SET_LEDGER, SET_EFFORT, SET_END, SET_TIME, SETS };

typedef struct frame_set {
    hid_t   dataset;
    int     columns;
    double *buffer; // capacity x columns
} frame_set;

struct zn_frame_writer {
    int               capacity, count; // frames in the buffer
    hsize_t           written;
    frame_set         set[SETS];
    hid_t             contacts, contact_type;
    int               contact_count, contact_capacity;
    zn_frame_contact *contact;
    hsize_t           contacts_written;
};

hid_t zn_result_contact_type(int format)
{
    const hsize_t three = 3;
    hid_t         type = H5Tcreate(H5T_COMPOUND, sizeof(zn_frame_contact));
    hid_t         vector = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three);
    H5Tinsert(type, "contact", HOFFSET(zn_frame_contact, contact.contact), H5T_NATIVE_INT64);
    if (format > 1)
        H5Tinsert(type, "feature", HOFFSET(zn_frame_contact, contact.feature), H5T_NATIVE_INT64);
    H5Tinsert(type, "state", HOFFSET(zn_frame_contact, state), H5T_NATIVE_INT);
    H5Tinsert(type, "steps", HOFFSET(zn_frame_contact, steps), H5T_NATIVE_INT);
    H5Tinsert(type, "impulse", HOFFSET(zn_frame_contact, impulse), vector);
    H5Tclose(vector);
    return type;
}

static bool name_columns(hid_t dataset, const char *unit, const char *components)
{
    return zn_result_put_text(dataset, "unit", unit) && zn_result_put_text(dataset, "components", components);
}

static bool name_tables(const zn_frame_writer *w)
{
    char ledger[512] = "";
    for (int i = 0; i < ZN_LEDGER_LINES; i++) {
        strncat(ledger, i > 0 ? " " : "", 2);
        strncat(ledger, zn_ledger_name((zn_ledger_line)i), 40);
    }
#define EFFORT_NAME(name) #name " "
    char effort[] = ZN_EFFORT_LIST(EFFORT_NAME);
#undef EFFORT_NAME
    effort[sizeof effort - 2] = '\0';
    return name_columns(w->set[SET_LEDGER].dataset, "J", ledger) &&
           name_columns(w->set[SET_EFFORT].dataset, "", effort);
}

static bool create_sets(zn_frame_writer *w, hid_t group, int nq, int n_all)
{
    static const char *const names[SETS] = {"q", "v", "ledger", "effort", "contact_end", "time"};
    const int                columns[SETS] = {nq, n_all, ZN_LEDGER_LINES, ZN_EFFORT_COLUMNS, 1, 1};
    double                   bytes = sizeof(double) * ((double)nq + n_all + ZN_LEDGER_LINES + ZN_EFFORT_COLUMNS + 2);
    w->capacity = bytes * BUFFER_FRAMES > BUFFER_BYTES ? 1 + (int)(BUFFER_BYTES / bytes) : BUFFER_FRAMES;
    for (int i = 0; i < SETS; i++) {
        frame_set *s = &w->set[i];
        int        rows = 1 + CHUNK_BYTES / (8 * columns[i] + 1);
        s->columns = columns[i];
        s->dataset = zn_result_create_growing(group, names[i], H5T_NATIVE_DOUBLE, i < SET_END ? 2 : 1, columns[i],
                                              rows < w->capacity ? rows : w->capacity);
        s->buffer = ZN_NEW(double, (size_t)w->capacity *(size_t)columns[i]);
        if (s->dataset < 0 || s->buffer == NULL)
            return false;
    }
    return name_tables(w);
}

zn_frame_writer *zn_frame_writer_create(hid_t file, int nq, int n_all)
{
    zn_frame_writer *w = ZN_NEW(zn_frame_writer, 1);
    hid_t            group = H5Gcreate2(file, "frames", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool             ok = w != NULL && group >= 0;
    for (int i = 0; w != NULL && i < SETS; i++)
        w->set[i].dataset = H5I_INVALID_HID;
    if (ok) {
        w->contact_type = zn_result_contact_type(ZN_RESULT_FORMAT);
        w->contacts = zn_result_create_growing(group, "contacts", w->contact_type, 1, 1, CONTACT_CHUNK);
        ok = w->contacts >= 0 && create_sets(w, group, nq, n_all);
    }
    if (group >= 0)
        H5Gclose(group);
    return ok ? w : zn_frame_writer_destroy(w);
}

zn_frame_writer *zn_frame_writer_destroy(zn_frame_writer *w)
{
    if (w == NULL)
        return NULL;
    for (int i = 0; i < SETS; i++) {
        if (w->set[i].dataset >= 0)
            H5Dclose(w->set[i].dataset);
        free(w->set[i].buffer);
    }
    if (w->contacts > 0)
        H5Dclose(w->contacts);
    if (w->contact_type > 0)
        H5Tclose(w->contact_type);
    free(w->contact);
    free(w);
    return NULL;
}

static zn_status push_contacts(zn_frame_writer *w, const zn_frame *frame)
{
    int need = w->contact_count + frame->contact_count;
    ZN_TRY(zn_grow(&w->contact, &w->contact_capacity, need, sizeof *w->contact));
    for (int i = 0; i < frame->contact_count; i++) {
        zn_frame_contact *slot = &w->contact[w->contact_count++];
        memset(slot, 0, sizeof *slot); // padding goes into the file too
        slot->contact = frame->contacts[i].contact;
        slot->state = frame->contacts[i].state;
        slot->steps = frame->contacts[i].steps;
        memcpy(slot->impulse, frame->contacts[i].impulse, sizeof slot->impulse);
    }
    return ZN_OK;
}

zn_status zn_frame_writer_push(zn_frame_writer *w, const zn_frame *frame, bool *full)
{
    ZN_TRY(push_contacts(w, frame));
    const double        end = (double)w->contacts_written + w->contact_count;
    const double *const values[SETS] = {frame->q, frame->v, frame->ledger, frame->effort, &end, &frame->t};
    for (int i = 0; i < SETS; i++)
        memcpy(w->set[i].buffer + (size_t)w->count * (size_t)w->set[i].columns, values[i],
               sizeof(double) * (size_t)w->set[i].columns);
    w->count++;
    *full = w->count == w->capacity || w->contact_count > BUFFER_BYTES / (int)sizeof *w->contact;
    return ZN_OK;
}

bool zn_frame_writer_flush(zn_frame_writer *w)
{
    bool ok = true;
    if (w->count == 0)
        return true;
    if (w->contact_count > 0)
        ok = zn_result_append(w->contacts, w->contact_type, 1, 1, w->contacts_written, w->contact_count, w->contact);
    for (int i = 0; i < SETS && ok; i++)
        ok = zn_result_append(w->set[i].dataset, H5T_NATIVE_DOUBLE, i < SET_END ? 2 : 1, w->set[i].columns, w->written,
                              w->count, w->set[i].buffer);
    w->contacts_written += (hsize_t)w->contact_count;
    w->written += (hsize_t)w->count;
    w->contact_count = w->count = 0;
    return ok;
}

int64_t zn_frame_writer_count(const zn_frame_writer *w) { return (int64_t)w->written + w->count; }
