// Reads results. A file of a run that goes on or was killed carries HDF5's mark "open for writing": a normal open
// refuses it, an open as SWMR reader takes it. The number of rows is fixed when the file is opened: the rows all
// datasets have.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "io/hdf5_read.h"
#include "io/result.h"
#include "io/result_reader.h"
#include "io/text_file.h"

enum { COLUMNS_MAX = 1 << 24 }; // of all series: tables of them are counted in int

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
    int64_t room;    // zn_hdf5_room, what is left
    int     columns; // of all series
    int     series_count, series_capacity;
    series *series;
    int     text_count, text_capacity;
    text   *texts;
    int     number_count, number_capacity;
    number *numbers;
    int     allowed_count, allowed_capacity;
    char  **allowed; // folders that its model may read from
};

// Or memory ran out on the way, which is no fault of the file: HDF5 and readers of texts tell no difference, malloc
// does.
static zn_status damaged(const zn_result *r, const char *what)
{
    if (errno == ENOMEM)
        return ZN_ERR_MEMORY;
    return zn_fail(&r->log, ZN_ERR_IO, "%s: damaged result file: %s", r->path, what);
}

// --- texts and numbers ---------------------------------------------------------------------------

static zn_status keep_text(zn_result *r, const char *name, hid_t object)
{
    text entry = {.name = zn_copy_string(name), .value = zn_hdf5_read_text(object)};
    if (entry.name != NULL && entry.value != NULL && zn_hdf5_take(&r->room, (int64_t)strlen(entry.value)) &&
        ZN_PUSH(r->texts, r->text_count, r->text_capacity, entry) == ZN_OK)
        return ZN_OK;
    free(entry.name);
    free(entry.value);
    return damaged(r, name);
}

static zn_status keep_number(zn_result *r, const char *name, hid_t object)
{
    number entry = {.value = NAN};
    if (!zn_hdf5_read_number(object, &entry.value))
        return damaged(r, name);
    entry.name = zn_copy_string(name);
    if (entry.name != NULL && ZN_PUSH(r->numbers, r->number_count, r->number_capacity, entry) == ZN_OK)
        return ZN_OK;
    free(entry.name);
    return ZN_ERR_MEMORY;
}

// Keep an attribute or dataset under its name, as text or as number; what is neither is passed over.
static zn_status keep(zn_result *r, const char *name, hid_t object)
{
    return zn_hdf5_is_text(object)     ? keep_text(r, name, object)
           : zn_hdf5_is_number(object) ? keep_number(r, name, object)
                                       : ZN_OK;
}

static herr_t keep_attribute(hid_t location, const char *name, const H5A_info_t *info, void *user)
{
    (void)info;
    hid_t attribute = H5Aopen(location, name, H5P_DEFAULT);
    if (attribute < 0)
        return -1;
    zn_status status = keep(user, name, attribute);
    H5Aclose(attribute);
    return status == ZN_OK ? 0 : -1;
}

static zn_status keep_dataset(zn_result *r, hid_t parent, const char *name)
{
    hid_t dataset = zn_hdf5_dataset(parent, name, ZN_HDF5_PLAIN);
    if (dataset < 0)
        return damaged(r, name);
    zn_status status = keep(r, name, dataset);
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
    hid_t certificate = zn_hdf5_group(r->file, "certificate");
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

// What a series does not say of itself is empty.
static char *text_attribute(zn_result *r, hid_t dataset, const char *name)
{
    char *value = zn_hdf5_attribute_text(dataset, name);
    if (value == NULL)
        return zn_copy_string("");
    if (zn_hdf5_take(&r->room, (int64_t)strlen(value)))
        return value;
    free(value);
    return NULL;
}

static herr_t open_series(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    zn_result *r = user;
    if (ZN_PUSH(r->series, r->series_count, r->series_capacity, (series){.dataset = H5I_INVALID_HID}) != ZN_OK)
        return -1;
    series *s = &r->series[r->series_count - 1];
    s->name = zn_copy_string(name);
    s->dataset = zn_hdf5_dataset(group, name, ZN_HDF5_PLAIN);
    if (s->dataset < 0)
        return -1;
    s->unit = text_attribute(r, s->dataset, "unit");
    s->path = text_attribute(r, s->dataset, "path");
    s->components = text_attribute(r, s->dataset, "components");
    int64_t rows = zn_hdf5_rows(s->dataset, 2, &s->columns);
    if (rows < 0 || s->columns > COLUMNS_MAX - r->columns ||
        !zn_hdf5_take(&r->room, (rows > 0 ? rows : 1) * s->columns) || s->name == NULL || s->unit == NULL ||
        s->path == NULL || s->components == NULL)
        return -1;
    zn_text_tame(s->name);
    if (rows < r->rows)
        r->rows = rows;
    r->columns += s->columns;
    return 0;
}

static zn_status open_datasets(zn_result *r)
{
    r->time = zn_hdf5_dataset(r->file, "time", ZN_HDF5_PLAIN);
    r->events = zn_hdf5_dataset(r->file, "events", ZN_HDF5_PLAIN);
    r->rows = r->time < 0 ? -1 : zn_hdf5_rows(r->time, 1, NULL);
    r->event_count = r->events < 0 ? -1 : zn_hdf5_rows(r->events, 1, NULL);
    if (r->rows < 0 || r->event_count < 0)
        return damaged(r, "times or events are missing");
    hid_t group = zn_hdf5_group(r->file, "series");
    if (group < 0)
        return damaged(r, "it has no series");
    herr_t walked = H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, open_series, r);
    H5Gclose(group);
    return walked < 0 ? damaged(r, "a series cannot be read") : ZN_OK;
}

// --- open and close ------------------------------------------------------------------------------

static zn_status check_format(const zn_result *r)
{
    int format = 0;
    if (H5Aexists(r->file, "format") == 0)
        return zn_fail(&r->log, ZN_ERR_IO, "%s: an HDF5 file, but not a result of Zeno", r->path);
    if (!zn_hdf5_attribute_int(r->file, "format", &format) || format < 1)
        return damaged(r, "its format cannot be read");
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
    r->file = zn_hdf5_open(r->path, true);
    if (r->file < 0)
        return zn_fail(&r->log, ZN_ERR_IO, "%s: %s", r->path, what_it_is(r->path));
    ZN_TRY(check_format(r));
    r->room = zn_hdf5_room(r->file);
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
    errno = 0;
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_status       status = r->path == NULL ? ZN_ERR_MEMORY : zn_result_room();
    if (status == ZN_OK)
        status = open_file(r);
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
    ZN_ALIVE(result);
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
    for (int i = 0; i < result->allowed_count; i++)
        free(result->allowed[i]);
    free(result->allowed);
    free(result->series);
    free(result->texts);
    free(result->numbers);
    free(result->path);
    zn_retire(result, sizeof *result);
    return NULL;
}

zn_status zn_result_allow(zn_result *result, const char *folder)
{
    ZN_ALIVE(result);
    if (result == NULL || folder == NULL)
        return ZN_ERR_ARGUMENT;
    char *own = zn_copy_string(folder);
    if (own != NULL && ZN_PUSH(result->allowed, result->allowed_count, result->allowed_capacity, own) == ZN_OK)
        return ZN_OK;
    free(own);
    return ZN_ERR_MEMORY;
}

const char *const *zn_result_allowed(const zn_result *result, int *count)
{
    *count = result->allowed_count;
    return (const char *const *)result->allowed;
}

// --- what is in it -------------------------------------------------------------------------------

bool zn_result_is_finished(const zn_result *result)
{
    ZN_ALIVE(result);
    const char *outcome = zn_result_text(result, "outcome");
    return outcome != NULL && strcmp(outcome, ZN_RESULT_RUNNING) != 0;
}

int64_t zn_result_rows(const zn_result *result)
{
    ZN_ALIVE(result);
    return result != NULL ? result->rows : 0;
}

int zn_result_series_count(const zn_result *result)
{
    ZN_ALIVE(result);
    return result != NULL ? result->series_count : 0;
}

zn_result_series zn_result_series_at(const zn_result *result, int index)
{
    ZN_ALIVE(result);
    if (result == NULL || index < 0 || index >= result->series_count)
        return (zn_result_series){0};
    const series *s = &result->series[index];
    return (zn_result_series){
        .name = s->name, .path = s->path, .unit = s->unit, .components = s->components, .columns = s->columns};
}

int zn_result_find(const zn_result *result, const char *name)
{
    ZN_ALIVE(result);
    if (!result)
        return -1;
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

int64_t zn_result_event_count(const zn_result *result)
{
    ZN_ALIVE(result);
    return result ? result->event_count : 0;
}

const char *zn_result_text(const zn_result *result, const char *name)
{
    ZN_ALIVE(result);
    for (int i = 0; result != NULL && i < result->text_count; i++)
        if (strcmp(result->texts[i].name, name) == 0)
            return result->texts[i].value;
    return NULL;
}

double zn_result_number(const zn_result *result, const char *name)
{
    ZN_ALIVE(result);
    if (!result)
        return NAN;
    for (int i = 0; i < result->number_count; i++)
        if (strcmp(result->numbers[i].name, name) == 0)
            return result->numbers[i].value;
    return NAN;
}

// --- values --------------------------------------------------------------------------------------

static zn_status read_block(const zn_result *r, hid_t dataset, hid_t type, int rank, zn_hdf5_block block, void *out)
{
    ZN_TRY(zn_result_room());
    errno = 0;
    zn_result_quiet quiet = zn_result_quiet_begin();
    bool            ok = zn_hdf5_read_block(dataset, type, rank, block, out);
    zn_result_quiet_end(quiet);
    return ok ? ZN_OK : damaged(r, "values cannot be read");
}

zn_status zn_result_read_time(const zn_result *result, zn_hdf5_block block, double *table)
{
    return read_block(result, result->time, H5T_NATIVE_DOUBLE, 1, block, table);
}

zn_status zn_result_read_series(const zn_result *result, int index, zn_hdf5_block block, double *table)
{
    if (index < 0 || index >= result->series_count)
        return zn_fail(&result->log, ZN_ERR_ARGUMENT, "%s: there is no series number %d", result->path, index);
    return read_block(result, result->series[index].dataset, H5T_NATIVE_DOUBLE, 2, block, table);
}

zn_status zn_result_time(const zn_result *result, double *t)
{
    ZN_ALIVE(result);
    return result ? zn_result_read_time(result, (zn_hdf5_block){.count = result->rows, .columns = 1, .width = 1}, t)
                  : ZN_ERR_ARGUMENT;
}

zn_status zn_result_read(const zn_result *result, int index, double *values)
{
    ZN_ALIVE(result);
    if (result == NULL || values == NULL)
        return ZN_ERR_ARGUMENT;
    int columns = zn_result_series_at(result, index).columns;
    return zn_result_read_series(result, index,
                                 (zn_hdf5_block){.count = result->rows, .columns = columns, .width = columns}, values);
}

// As read from a file: its text may have no end, its flags may be any byte.
static void make_sound(zn_result_event *event)
{
    unsigned char impact, open;
    memcpy(&impact, &event->impact, sizeof impact);
    memcpy(&open, &event->open, sizeof open);
    event->impact = impact != 0;
    event->open = open != 0;
    event->name[sizeof event->name - 1] = '\0';
    zn_text_tame(event->name);
    event->pair[sizeof event->pair - 1] = '\0';
}

zn_status zn_result_read_events(const zn_result *result, int64_t first, int64_t count, zn_result_event *events)
{
    memset(events, 0, sizeof *events * (size_t)count);
    hid_t stored = H5Dget_type(result->events);
    hid_t type = zn_result_event_type(stored >= 0 && H5Tget_class(stored) == H5T_COMPOUND &&
                                      H5Tget_member_index(stored, "pair") >= 0);
    if (stored >= 0)
        H5Tclose(stored);
    zn_status status = read_block(result, result->events, type, 1,
                                  (zn_hdf5_block){.first = first, .count = count, .columns = 1, .width = 1}, events);
    H5Tclose(type);
    for (int64_t i = 0; i < count && status == ZN_OK; i++)
        make_sound(&events[i]);
    return status;
}

zn_status zn_result_events(const zn_result *result, zn_result_event *events)
{
    ZN_ALIVE(result);
    return result && events ? zn_result_read_events(result, 0, result->event_count, events) : ZN_ERR_ARGUMENT;
}

const char *zn_result_path(const zn_result *result) { return result->path; }

int64_t zn_result_file(const zn_result *result) { return result->file; }

const zn_log *zn_result_log(const zn_result *result) { return &result->log; }
