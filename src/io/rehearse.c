// Reads of a result whatever a restart will read of it, and keeps nothing: in a process of its own that shows whether
// HDF5 gets through.
#include <stdlib.h>

#include "base/array.h"
#include "io/frame_reader.h"
#include "io/restart.h"
#include "io/result.h"
#include "io/result_reader.h"

static zn_status drop_row(void *user, double t, const double *values)
{
    (void)user, (void)t, (void)values;
    return ZN_OK;
}

static zn_status drop_event(void *user, const zn_result_event *event)
{
    (void)user, (void)event;
    return ZN_OK;
}

static zn_status drop_frame(void *user, const zn_frame *frame)
{
    (void)user, (void)frame;
    return ZN_OK;
}

static int columns_of(hid_t file, const char *name)
{
    int   columns = 0;
    hid_t set = zn_hdf5_dataset(file, name, ZN_HDF5_PLAIN);
    if (set >= 0) {
        zn_hdf5_rows(set, 2, &columns);
        H5Dclose(set);
    }
    return columns;
}

static herr_t read_attribute(hid_t group, const char *name, const H5A_info_t *info, void *user)
{
    (void)info, (void)user;
    double number;
    if (!zn_hdf5_attribute_number(group, name, &number))
        free(zn_hdf5_attribute_text(group, name));
    return 0;
}

// Parameters and digests of files.
static void read_attributes(hid_t file, const char *name)
{
    hid_t group = zn_hdf5_group(file, name);
    if (group < 0)
        return;
    H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, read_attribute, NULL);
    H5Gclose(group);
}

zn_status zn_restart_rehearse(const char *path)
{
    static const char *const groups[] = {"parameters", "inputs", "drawings"};
    zn_restart               r = {0};
    if (!path)
        return ZN_ERR_ARGUMENT;
    ZN_TRY(zn_result_open(path, (zn_log){0}, &r.result));
    hid_t           file = zn_result_file(r.result);
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_restart_sink sink = {.row = drop_row,
                            .event = drop_event,
                            .frame = drop_frame,
                            .nq = columns_of(file, "frames/q"),
                            .n_all = columns_of(file, "frames/v")};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        read_attributes(file, groups[i]);
    zn_result_quiet_end(quiet);
    for (int i = 0; i < zn_result_series_count(r.result); i++)
        sink.columns += zn_result_series_at(r.result, i).columns;
    zn_status status = zn_checkpoint_read(file, &r.checkpoint) ? zn_restart_copy(&r, &sink) : ZN_ERR_IO;
    zn_checkpoint_free(&r.checkpoint);
    zn_result_close(r.result);
    return status;
}
