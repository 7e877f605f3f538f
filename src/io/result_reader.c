// Reads results. A file of a run that goes on or was killed carries HDF5's mark "open for writing": a normal open
// refuses it, an open as SWMR reader takes it. The number of rows is fixed when the file is opened: the rows all
// datasets have.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/result.h"
#include "io/result_reader.h"
#include "io/text_file.h"

typedef struct series {
    char *name, *path, *unit, *components;
    hid_t dataset;
    int   columns;
} series;

typedef struct text {
    char *name, *value;
} text;

typedef struct number {
    char  *name;
    double value;
} number;

struct zn_result {
    zn_log  log;
    char   *path;
    hid_t   file, time, events;
    int64_t rows, event_count;
    int     series_count, series_capacity;
    series *series;
    int     text_count, text_capacity;
    text   *texts;
    int     number_count, number_capacity;
    number *numbers;
};

static zn_status damaged(const zn_result *r, const char *what)
{
    return zn_fail(&r->log, ZN_ERR_IO, "%s: damaged result file: %s", r->path, what);
}

// --- texts and numbers ---------------------------------------------------------------------------

// Value of a string attribute or dataset, read by `read`; NULL when it is none.
static char *read_text(hid_t object, hid_t type, herr_t (*read)(hid_t object, hid_t type, void *value))
{
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
        return NULL;
    size_t size = H5Tget_size(type);
    char  *value = zn_new_array(size + 1, 1); // NUL-terminated whatever the file says
    if (value == NULL || read(object, type, value) < 0) {
        free(value);
        return NULL;
    }
    return value;
}

static herr_t read_attribute(hid_t attribute, hid_t type, void *value) { return H5Aread(attribute, type, value); }

static herr_t read_dataset(hid_t dataset, hid_t type, void *value)
{
    return H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
}

// Keep a scalar under its name, as text or as number; what is neither is passed over.
static zn_status keep(zn_result *r, const char *name, hid_t object, hid_t type,
                      herr_t (*read)(hid_t object, hid_t type, void *value))
{
    double value;
    if (H5Tget_class(type) == H5T_STRING) {
        text entry = {.name = zn_copy_string(name), .value = read_text(object, type, read)};
        if (entry.name != NULL && entry.value != NULL &&
            ZN_PUSH(r->texts, r->text_count, r->text_capacity, entry) == ZN_OK)
            return ZN_OK;
        free(entry.name);
        free(entry.value);
        return damaged(r, name);
    }
    if (H5Tget_class(type) != H5T_FLOAT && H5Tget_class(type) != H5T_INTEGER)
        return ZN_OK;
    if (read(object, H5T_NATIVE_DOUBLE, &value) < 0)
        return damaged(r, name);
    number entry = {.name = zn_copy_string(name), .value = value};
    if (entry.name != NULL && ZN_PUSH(r->numbers, r->number_count, r->number_capacity, entry) == ZN_OK)
        return ZN_OK;
    free(entry.name);
    return ZN_ERR_MEMORY;
}

static bool is_scalar(hid_t space) { return space >= 0 && H5Sget_simple_extent_npoints(space) == 1; }

static herr_t keep_attribute(hid_t location, const char *name, const H5A_info_t *info, void *user)
{
    (void)info;
    hid_t     attribute = H5Aopen(location, name, H5P_DEFAULT);
    hid_t     type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    zn_status status = is_scalar(space) ? keep(user, name, attribute, type, read_attribute) : ZN_OK;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return status == ZN_OK ? 0 : -1;
}

static zn_status keep_dataset(zn_result *r, hid_t parent, const char *name)
{
    hid_t dataset = H5Dopen2(parent, name, H5P_DEFAULT);
    if (dataset < 0)
        return damaged(r, name);
    hid_t     type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    zn_status status = is_scalar(space) ? keep(r, name, dataset, type, read_dataset) : ZN_OK;
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(dataset);
    return status;
}

static herr_t keep_linked(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    return keep_dataset(user, group, name) == ZN_OK ? 0 : -1;
}

// The certificate comes first: its numbers win over options of the same name.
static zn_status read_head(zn_result *r)
{
    hid_t certificate = H5Gopen2(r->file, "certificate", H5P_DEFAULT);
    if (certificate < 0)
        return damaged(r, "it has no certificate");
    herr_t walked = H5Literate(certificate, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, keep_linked, r);
    H5Gclose(certificate);
    if (walked < 0 || H5Aiterate2(r->file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, keep_attribute, r) < 0)
        return damaged(r, "its description cannot be read");
    ZN_TRY(keep_dataset(r, r->file, "model"));
    ZN_TRY(keep_dataset(r, r->file, "command"));
    return keep_dataset(r, r->file, "outcome");
}

// --- datasets ------------------------------------------------------------------------------------

// Rows of a growing dataset, and its columns where rank is 2; negative when it has another shape.
static int64_t shape(hid_t dataset, int rank, int *columns)
{
    hsize_t size[2] = {0, 0};
    hid_t   space = H5Dget_space(dataset);
    int64_t rows = -1;
    if (space >= 0 && H5Sget_simple_extent_ndims(space) == rank && H5Sget_simple_extent_dims(space, size, NULL) == rank)
        rows = (int64_t)size[0];
    if (space >= 0)
        H5Sclose(space);
    if (rank == 2 && (size[1] < 1 || size[1] > 1 << 30))
        rows = -1;
    if (columns != NULL)
        *columns = (int)size[1];
    return rows;
}

static char *text_attribute(hid_t dataset, const char *name)
{
    hid_t attribute = H5Aopen(dataset, name, H5P_DEFAULT);
    if (attribute < 0)
        return zn_copy_string("");
    hid_t type = H5Aget_type(attribute);
    char *value = read_text(attribute, type, read_attribute);
    H5Tclose(type);
    H5Aclose(attribute);
    return value != NULL ? value : zn_copy_string("");
}

static herr_t open_series(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    zn_result *r = user;
    if (ZN_PUSH(r->series, r->series_count, r->series_capacity, (series){.dataset = H5I_INVALID_HID}) != ZN_OK)
        return -1;
    series *s = &r->series[r->series_count - 1];
    s->name = zn_copy_string(name);
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, 1, 0, 1); // values are read once: a cache for each series would only take memory
    s->dataset = H5Dopen2(group, name, access);
    H5Pclose(access);
    if (s->dataset < 0)
        return -1;
    s->unit = text_attribute(s->dataset, "unit");
    s->path = text_attribute(s->dataset, "path");
    s->components = text_attribute(s->dataset, "components");
    int64_t rows = shape(s->dataset, 2, &s->columns);
    if (rows < 0 || s->name == NULL || s->unit == NULL || s->path == NULL || s->components == NULL)
        return -1;
    if (rows < r->rows)
        r->rows = rows;
    return 0;
}

static zn_status open_datasets(zn_result *r)
{
    r->time = H5Dopen2(r->file, "time", H5P_DEFAULT);
    r->events = H5Dopen2(r->file, "events", H5P_DEFAULT);
    r->rows = r->time < 0 ? -1 : shape(r->time, 1, NULL);
    r->event_count = r->events < 0 ? -1 : shape(r->events, 1, NULL);
    if (r->rows < 0 || r->event_count < 0)
        return damaged(r, "times or events are missing");
    hid_t group = H5Gopen2(r->file, "series", H5P_DEFAULT);
    if (group < 0)
        return damaged(r, "it has no series");
    herr_t walked = H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, open_series, r);
    H5Gclose(group);
    return walked < 0 ? damaged(r, "a series cannot be read") : ZN_OK;
}

// --- open and close ------------------------------------------------------------------------------

static zn_status check_format(const zn_result *r)
{
    int   format = 0;
    hid_t attribute = H5Aopen(r->file, "format", H5P_DEFAULT);
    bool  ok = attribute >= 0 && H5Aread(attribute, H5T_NATIVE_INT, &format) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    if (!ok || format < 1)
        return zn_fail(&r->log, ZN_ERR_IO, "%s: an HDF5 file, but not a result of Zeno", r->path);
    if (format > ZN_RESULT_FORMAT)
        return zn_fail(&r->log, ZN_ERR_UNSUPPORTED,
                       "%s: written by a newer version (format %d, this one reads up to %d)", r->path, format,
                       ZN_RESULT_FORMAT);
    return ZN_OK;
}

// Why HDF5 cannot open it.
static const char *what_it_is(const char *path)
{
    const char *end = strrchr(path, '.');
    if (zn_file_begins_as_hdf5(path))
        return "a result file that was cut off or is damaged";
    if (end != NULL && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0))
        return "not a result file but a model; running it makes one";
    return "not a result file";
}

static zn_status open_file(zn_result *r)
{
    ZN_TRY(zn_data_file_check(r->path, &r->log, NULL));
    r->file = H5Fopen(r->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (r->file < 0)
        r->file = H5Fopen(r->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
    if (r->file < 0)
        return zn_fail(&r->log, ZN_ERR_IO, "%s: %s", r->path, what_it_is(r->path));
    ZN_TRY(check_format(r));
    ZN_TRY(open_datasets(r));
    return read_head(r);
}

zn_status zn_result_open(const char *path, zn_log log, zn_result **out)
{
    zn_result *r = ZN_NEW(zn_result, 1);
    if (r == NULL)
        return ZN_ERR_MEMORY;
    r->log = log;
    r->file = r->time = r->events = H5I_INVALID_HID;
    r->path = zn_copy_string(path);
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_status       status = r->path == NULL ? ZN_ERR_MEMORY : open_file(r);
    zn_result_quiet_end(quiet);
    if (status != ZN_OK) {
        zn_result_close(r);
        return status;
    }
    *out = r;
    return ZN_OK;
}

static void close_series(series *s)
{
    if (s->dataset >= 0)
        H5Dclose(s->dataset);
    free(s->name);
    free(s->path);
    free(s->unit);
    free(s->components);
}

zn_result *zn_result_close(zn_result *result)
{
    if (result == NULL)
        return NULL;
    zn_result_quiet quiet = zn_result_quiet_begin();
    for (int i = 0; i < result->series_count; i++)
        close_series(&result->series[i]);
    if (result->time >= 0)
        H5Dclose(result->time);
    if (result->events >= 0)
        H5Dclose(result->events);
    if (result->file >= 0)
        H5Fclose(result->file);
    zn_result_quiet_end(quiet);
    for (int i = 0; i < result->text_count; i++) {
        free(result->texts[i].name);
        free(result->texts[i].value);
    }
    for (int i = 0; i < result->number_count; i++)
        free(result->numbers[i].name);
    free(result->series);
    free(result->texts);
    free(result->numbers);
    free(result->path);
    free(result);
    return NULL;
}

// --- what is in it -------------------------------------------------------------------------------

bool zn_result_is_finished(const zn_result *result)
{
    const char *outcome = zn_result_text(result, "outcome");
    return outcome != NULL && strcmp(outcome, ZN_RESULT_RUNNING) != 0;
}

int64_t zn_result_rows(const zn_result *result) { return result->rows; }

int zn_result_series_count(const zn_result *result) { return result->series_count; }

zn_result_series zn_result_series_at(const zn_result *result, int index)
{
    if (index < 0 || index >= result->series_count)
        return (zn_result_series){0};
    const series *s = &result->series[index];
    return (zn_result_series){
        .name = s->name, .path = s->path, .unit = s->unit, .components = s->components, .columns = s->columns};
}

int zn_result_find(const zn_result *result, const char *name)
{
    for (int i = 0; i < result->series_count; i++)
        if (strcmp(result->series[i].name, name) == 0)
            return i;
    return -1;
}

zn_status zn_result_spare(const zn_result *result, const char *path)
{
    if (zn_is_same_file(path, result->path))
        return zn_fail(&result->log, ZN_ERR_IO, "%s: this is the result itself, writing it would destroy it", path);
    return ZN_OK;
}

int64_t zn_result_event_count(const zn_result *result) { return result->event_count; }

const char *zn_result_text(const zn_result *result, const char *name)
{
    for (int i = 0; i < result->text_count; i++)
        if (strcmp(result->texts[i].name, name) == 0)
            return result->texts[i].value;
    return NULL;
}

double zn_result_number(const zn_result *result, const char *name)
{
    for (int i = 0; i < result->number_count; i++)
        if (strcmp(result->numbers[i].name, name) == 0)
            return result->numbers[i].value;
    return NAN;
}

// --- values --------------------------------------------------------------------------------------

// Rows [first, first + count) of a dataset into columns [offset, offset + columns) of a table `width` wide.
static zn_status read_block(const zn_result *r, hid_t dataset, hid_t type, int rank, zn_result_block block, void *out)
{
    const hsize_t from[2] = {(hsize_t)block.first, 0}, size[2] = {(hsize_t)block.count, (hsize_t)block.columns};
    const hsize_t table[2] = {(hsize_t)block.count, (hsize_t)block.width}, place[2] = {0, (hsize_t)block.offset};
    if (block.count == 0)
        return ZN_OK;
    zn_result_quiet quiet = zn_result_quiet_begin();
    hid_t           source = H5Dget_space(dataset), target = H5Screate_simple(2, table, NULL);
    bool            ok = source >= 0 && H5Sget_simple_extent_ndims(source) == rank &&
              H5Sselect_hyperslab(source, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
              H5Sselect_hyperslab(target, H5S_SELECT_SET, place, NULL, size, NULL) >= 0 &&
              H5Dread(dataset, type, target, source, H5P_DEFAULT, out) >= 0;
    if (source >= 0)
        H5Sclose(source);
    H5Sclose(target);
    zn_result_quiet_end(quiet);
    return ok ? ZN_OK : damaged(r, "values cannot be read");
}

zn_status zn_result_read_time(const zn_result *result, zn_result_block block, double *table)
{
    return read_block(result, result->time, H5T_NATIVE_DOUBLE, 1, block, table);
}

zn_status zn_result_read_series(const zn_result *result, int index, zn_result_block block, double *table)
{
    if (index < 0 || index >= result->series_count)
        return zn_fail(&result->log, ZN_ERR_ARGUMENT, "%s: there is no series number %d", result->path, index);
    return read_block(result, result->series[index].dataset, H5T_NATIVE_DOUBLE, 2, block, table);
}

zn_status zn_result_time(const zn_result *result, double *t)
{
    return zn_result_read_time(result, (zn_result_block){.count = result->rows, .columns = 1, .width = 1}, t);
}

zn_status zn_result_read(const zn_result *result, int index, double *values)
{
    int columns = zn_result_series_at(result, index).columns;
    return zn_result_read_series(
        result, index, (zn_result_block){.count = result->rows, .columns = columns, .width = columns}, values);
}

zn_status zn_result_read_events(const zn_result *result, int64_t first, int64_t count, zn_result_event *events)
{
    hid_t     type = zn_result_event_type();
    zn_status status = read_block(result, result->events, type, 1,
                                  (zn_result_block){.first = first, .count = count, .columns = 1, .width = 1}, events);
    H5Tclose(type);
    for (int64_t i = 0; i < count && status == ZN_OK; i++)
        events[i].name[sizeof events[i].name - 1] = '\0';
    return status;
}

zn_status zn_result_events(const zn_result *result, zn_result_event *events)
{
    return zn_result_read_events(result, 0, result->event_count, events);
}

const char *zn_result_path(const zn_result *result) { return result->path; }

int64_t zn_result_file(const zn_result *result) { return result->file; }

const zn_log *zn_result_log(const zn_result *result) { return &result->log; }
