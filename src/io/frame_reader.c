// Reads the frames of a result file. Sizes are checked against the model, lengths against each other: the file may be
// of a run that goes on, or damaged.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/result.h"
#include "io/result_reader.h"
#include "io/frame_reader.h"

static const char *const names[ZN_FRAMES_SETS] = {"q", "v", "ledger", "effort", "contact_end", "time"};

static zn_status damaged(const zn_result *result)
{
    return zn_fail(zn_result_log(result), ZN_ERR_IO, "%s: damaged result file: its frames cannot be read",
                   zn_result_path(result));
}

// Rows; -1 when the dataset does not have `columns` columns (0: rank 1).
static int64_t rows_of(hid_t dataset, int columns)
{
    hsize_t size[2] = {0, 0};
    hid_t   space = dataset >= 0 ? H5Dget_space(dataset) : H5I_INVALID_HID;
    int     rank = columns > 0 ? 2 : 1;
    bool    ok = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
              H5Sget_simple_extent_dims(space, size, NULL) == rank && (columns == 0 || size[1] == (hsize_t)columns);
    if (space >= 0)
        H5Sclose(space);
    return ok ? (int64_t)size[0] : -1;
}

static zn_status open_sets(const zn_result *result, hid_t group, int nq, int n_all, zn_frame_reader *r)
{
    const int columns[ZN_FRAMES_SETS] = {nq, n_all, ZN_LEDGER_LINES, ZN_EFFORT_COLUMNS, 0, 0};
    r->contacts = H5Dopen2(group, "contacts", H5P_DEFAULT);
    r->count = INT64_MAX;
    for (int i = 0; i < ZN_FRAMES_SETS; i++) {
        r->set[i] = H5Dopen2(group, names[i], H5P_DEFAULT);
        int64_t rows = rows_of(r->set[i], columns[i]);
        r->count = rows < r->count ? rows : r->count;
    }
    return r->count < 0 || rows_of(r->contacts, 0) < 0 ? damaged(result) : ZN_OK;
}

zn_status zn_frame_reader_open(const zn_result *result, int nq, int n_all, zn_frame_reader *out)
{
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_status       status = ZN_OK;
    hid_t           file = zn_result_file(result);
    out->contacts = H5I_INVALID_HID;
    for (int i = 0; i < ZN_FRAMES_SETS; i++)
        out->set[i] = H5I_INVALID_HID;
    if (H5Lexists(file, "frames", H5P_DEFAULT) > 0) {
        hid_t group = H5Gopen2(file, "frames", H5P_DEFAULT);
        status = group >= 0 ? open_sets(result, group, nq, n_all, out) : damaged(result);
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

static bool read_rows(hid_t dataset, hid_t type, int columns, int64_t first, int64_t count, void *out)
{
    const hsize_t from[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)count, (hsize_t)columns};
    hid_t         source = H5Dget_space(dataset), target = H5Screate_simple(columns > 0 ? 2 : 1, size, NULL);
    bool          ok = source >= 0 && H5Sselect_hyperslab(source, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
              H5Dread(dataset, type, target, source, H5P_DEFAULT, out) >= 0;
    if (source >= 0)
        H5Sclose(source);
    H5Sclose(target);
    return ok;
}

static bool read_contacts(zn_frame_reader *r, int64_t index)
{
    double  end[2] = {0, 0};
    bool    ok = index == 0 ? read_rows(r->set[ZN_FRAMES_END], H5T_NATIVE_DOUBLE, 0, 0, 1, &end[1])
                            : read_rows(r->set[ZN_FRAMES_END], H5T_NATIVE_DOUBLE, 0, index - 1, 2, end);
    int64_t rows = rows_of(r->contacts, 0);
    r->contact_count = 0;
    if (!ok || !(end[0] >= 0 && end[1] >= end[0] && end[1] <= (double)rows) || end[1] - end[0] > 1e9)
        return false;
    int count = (int)(end[1] - end[0]);
    if (count == 0)
        return true;
    if (zn_grow(&r->contact, &r->contact_capacity, count, sizeof *r->contact) != ZN_OK)
        return false;
    hid_t type = zn_result_contact_type();
    ok = read_rows(r->contacts, type, 0, (int64_t)end[0], count, r->contact);
    H5Tclose(type);
    r->contact_count = ok ? count : 0;
    return ok;
}

zn_status zn_frame_reader_read(zn_frame_reader *r, const zn_result *result, int64_t index, double *q, double *v)
{
    zn_result_quiet quiet = zn_result_quiet_begin();
    double *const   out[ZN_FRAMES_SETS] = {q, v, r->ledger, r->effort, NULL, &r->t};
    bool            ok = true;
    for (int i = 0; i < ZN_FRAMES_SETS && ok; i++) {
        hsize_t size[2] = {0, 0};
        if (out[i] == NULL)
            continue;
        hid_t space = H5Dget_space(r->set[i]);
        H5Sget_simple_extent_dims(space, size, NULL);
        H5Sclose(space);
        ok = read_rows(r->set[i], H5T_NATIVE_DOUBLE, (int)size[1], index, 1, out[i]);
    }
    ok = ok && (q == NULL || read_contacts(r, index));
    zn_result_quiet_end(quiet);
    return ok ? ZN_OK : damaged(result);
}
