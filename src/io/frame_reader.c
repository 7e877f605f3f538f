// Reads the frames of a result file. Sizes are checked against the model, lengths against each other: the file may be
// of a run that goes on, or damaged.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/result.h"
#include "io/result_reader.h"
#include "io/frame_reader.h"

static const char *const names[ZN_FRAMES_SETS] = {"q", "v", "ledger", "effort", "contact_end", "time"};

// Or memory ran out, which malloc tells.
static zn_status damaged(const zn_result *result)
{
    if (errno == ENOMEM)
        return ZN_ERR_MEMORY;
    return zn_fail(zn_result_log(result), ZN_ERR_IO, "%s: damaged result file: its frames cannot be read",
                   zn_result_path(result));
}

// A column of its own has rank 1: times, ends and contacts.
static int rank_of(int set) { return set < ZN_FRAMES_END ? 2 : 1; }

// Rows; -1 when the dataset does not have that many columns.
static int64_t rows_of(hid_t dataset, int rank, int columns)
{
    int     found = 0;
    int64_t rows = dataset < 0 ? -1 : zn_hdf5_rows(dataset, rank, &found);
    return found == columns ? rows : -1;
}

static zn_status open_sets(const zn_result *result, hid_t group, int nq, int n_all, zn_frame_reader *r)
{
    const int columns[ZN_FRAMES_SETS] = {nq, n_all, ZN_LEDGER_LINES, ZN_EFFORT_COLUMNS, 1, 1};
    r->contacts = zn_hdf5_dataset(group, "contacts", ZN_HDF5_PLAIN);
    r->count = INT64_MAX;
    for (int i = 0; i < ZN_FRAMES_SETS; i++) {
        r->set[i] = zn_hdf5_dataset(group, names[i], ZN_HDF5_PLAIN);
        int64_t rows = rows_of(r->set[i], rank_of(i), columns[i]);
        r->columns[i] = columns[i];
        r->count = rows < r->count ? rows : r->count;
    }
    return r->count < 0 || rows_of(r->contacts, 1, 1) < 0 ? damaged(result) : ZN_OK;
}

zn_status zn_frame_reader_open(const zn_result *result, int nq, int n_all, zn_frame_reader *out)
{
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_status       status = zn_result_room();
    hid_t           file = zn_result_file(result);
    errno = 0;
    out->contacts = H5I_INVALID_HID;
    for (int i = 0; i < ZN_FRAMES_SETS; i++)
        out->set[i] = H5I_INVALID_HID;
    if (status == ZN_OK &&
        H5Lexists(file, "frames", H5P_DEFAULT) > 0) { // a link that leads elsewhere is not none but damage
        hid_t group = zn_hdf5_group(file, "frames");
        bool  known = zn_hdf5_attribute_int(file, "format", &out->format);
        status = group >= 0 && known ? open_sets(result, group, nq, n_all, out) : damaged(result);
        if (group >= 0)
            H5Gclose(group);
    }
    zn_result_quiet_end(quiet);
    return status;
}

void zn_frame_reader_close(zn_frame_reader *r)
{
    zn_result_quiet quiet = zn_result_quiet_begin();
    for (int i = 0; i < ZN_FRAMES_SETS; i++)
        if (r->set[i] > 0)
            H5Dclose(r->set[i]);
    if (r->contacts > 0)
        H5Dclose(r->contacts);
    zn_result_quiet_end(quiet);
    free(r->contact);
    *r = (zn_frame_reader){0};
}

static bool read_set(const zn_frame_reader *r, int set, int64_t first, int64_t count, double *out)
{
    zn_hdf5_block block = {.first = first, .count = count, .columns = r->columns[set], .width = r->columns[set]};
    return zn_hdf5_read_block(r->set[set], H5T_NATIVE_DOUBLE, rank_of(set), block, out);
}

// Ids of format 1 were rule << 32 | number.
static zn_contact_id widen(int64_t id)
{
    return id < 0 ? zn_contact_id_none() : zn_contact_id_make((int)(id >> 32), (int64_t)(uint32_t)id, 0);
}

static bool read_contacts(zn_frame_reader *r, int64_t index)
{
    double  end[2] = {0, 0};
    bool    ok = index == 0 ? read_set(r, ZN_FRAMES_END, 0, 1, &end[1]) : read_set(r, ZN_FRAMES_END, index - 1, 2, end);
    int64_t rows = rows_of(r->contacts, 1, 1);
    r->contact_count = 0;
    if (!ok || !(end[0] >= 0 && end[1] >= end[0] && end[1] <= (double)rows) || end[1] - end[0] > 1e9)
        return false;
    int count = (int)(end[1] - end[0]);
    if (count == 0)
        return true;
    if (zn_grow(&r->contact, &r->contact_capacity, count, sizeof *r->contact) != ZN_OK)
        return false;
    hid_t         type = zn_result_contact_type(r->format);
    zn_hdf5_block block = {.first = (int64_t)end[0], .count = count, .columns = 1, .width = 1};
    ok = zn_hdf5_read_block(r->contacts, type, 1, block, r->contact);
    H5Tclose(type);
    for (int i = 0; ok && r->format == 1 && i < count; i++)
        r->contact[i].contact = widen(r->contact[i].contact.contact);
    r->contact_count = ok ? count : 0;
    return ok;
}

zn_status zn_frame_reader_read(zn_frame_reader *r, const zn_result *result, int64_t index, double *q, double *v)
{
    ZN_TRY(zn_result_room());
    errno = 0;
    zn_result_quiet quiet = zn_result_quiet_begin();
    double *const   out[ZN_FRAMES_SETS] = {q, v, r->ledger, r->effort, NULL, &r->t};
    bool            ok = true;
    for (int i = 0; i < ZN_FRAMES_SETS && ok; i++)
        ok = out[i] == NULL || read_set(r, i, index, 1, out[i]);
    ok = ok && (q == NULL || read_contacts(r, index));
    zn_result_quiet_end(quiet);
    return ok ? ZN_OK : damaged(result);
}
