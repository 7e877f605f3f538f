// The model that a result carries: its text, the files it includes and the parameters of the run.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/inputs.h"
#include "io/problem.h"
#include "io/result.h"
#include "io/result_reader.h"
#include "io/text_file.h"

// --- parameters ------------------------------------------------------------------------------------

typedef struct overrides {
    int    count, capacity;
    char **text; // "name=value"
} overrides;

static herr_t add_override(hid_t group, const char *name, const H5A_info_t *info, void *user)
{
    (void)info;
    overrides *list = user;
    double     value = NAN;
    bool       ok = zn_hdf5_attribute_number(group, name, &value);
    char      *text = zn_new_array(strlen(name) + 40, 1);
    if (!ok || text == NULL || ZN_PUSH(list->text, list->count, list->capacity, text) != ZN_OK) {
        free(text);
        return -1;
    }
    sprintf(text, "%s=%.17g", name, value);
    return 0;
}

// What the caller gives comes behind and wins.
static zn_status read_parameters(const zn_result *result, int count, const char *const *more, overrides *list)
{
    hid_t  group = zn_hdf5_group(zn_result_file(result), "parameters");
    herr_t walked = group >= 0 ? H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, add_override, list) : -1;
    if (group >= 0)
        H5Gclose(group);
    if (walked < 0)
        return zn_fail(zn_result_log(result), ZN_ERR_IO, "%s: its parameters cannot be read", zn_result_path(result));
    for (int i = 0; i < count; i++) {
        char *text = zn_copy_string(more[i]);
        if (text == NULL || ZN_PUSH(list->text, list->count, list->capacity, text) != ZN_OK) {
            free(text);
            return ZN_ERR_MEMORY;
        }
    }
    return ZN_OK;
}

// --- included files --------------------------------------------------------------------------------

typedef struct sources {
    int       count, capacity;
    int64_t   room; // zn_hdf5_room, what is left
    zn_input *list;
} sources;

static herr_t add_source(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    sources *list = user;
    hid_t    dataset = zn_hdf5_dataset(group, name, ZN_HDF5_PLAIN);
    zn_input source = {0};
    if (dataset >= 0) {
        source.name = zn_hdf5_attribute_text(dataset, "name");
        source.text = zn_hdf5_read_text(dataset);
        H5Dclose(dataset);
    }
    if (source.name != NULL && source.text != NULL && zn_hdf5_take(&list->room, (int64_t)strlen(source.text)) &&
        ZN_PUSH(list->list, list->count, list->capacity, source) == ZN_OK)
        return 0;
    free(source.name);
    free(source.text);
    return -1;
}

static zn_status read_sources(const zn_result *result, sources *list)
{
    if (!zn_hdf5_exists(zn_result_file(result), "files"))
        return ZN_OK; // written before there were any
    list->room = zn_hdf5_room(zn_result_file(result));
    hid_t  group = zn_hdf5_group(zn_result_file(result), "files");
    herr_t walked = group >= 0 ? H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, add_source, list) : -1;
    if (group >= 0)
        H5Gclose(group);
    return walked < 0 ? zn_fail(zn_result_log(result), ZN_ERR_IO, "%s: the files of its model cannot be read",
                                zn_result_path(result))
                      : ZN_OK;
}

// --- model -----------------------------------------------------------------------------------------

// As the path says, or else with the tables and meshes it refers to beside the result. What stands in the way is told
// of the first if it was a file that is there and must not be read.
static zn_status parse(const zn_result *result, zn_problem_text text, zn_log log, zn_problem **out)
{
    const char *path = zn_result_text(result, "path"), *given = path != NULL ? path : "model.yaml";
    const char *slash = strrchr(given, '/');
    bool        refused = false;
    text.name = given;
    text.home = zn_result_path(result);
    text.refused = &refused;
    if (zn_problem_parse_text(&text, (zn_log){0}, out) == ZN_OK)
        return ZN_OK;
    char           *beside = zn_text_file_beside(zn_result_path(result), slash != NULL ? slash + 1 : given);
    zn_problem_text second = text;
    second.name = beside;
    second.refused = NULL;
    zn_status status =
        beside == NULL ? ZN_ERR_MEMORY : zn_problem_parse_text(&second, refused ? (zn_log){0} : log, out);
    free(beside);
    return status != ZN_OK && refused ? zn_problem_parse_text(&text, log, out) : status;
}

static void free_list(int count, char **text)
{
    for (int i = 0; i < count; i++)
        free(text[i]);
    free(text);
}

// What the model of a result may take: it has written a frame or a checkpoint, a thousandth of it. A short file is not
// believed that it comes from a large one.
static double most_bytes(const zn_result *result)
{
    const double least = 256e6, each = 1000;
    hsize_t      size = 0;
    H5Fget_filesize(zn_result_file(result), &size);
    return least + each * (double)size;
}

zn_status zn_problem_of(const zn_result *result, int override_count, const char *const *override_list, zn_log log,
                        zn_problem **out)
{
    const char *text = zn_result_text(result, "model");
    overrides   set = {0};
    sources     files = {0};
    zn_inputs   known = {0};
    if (text == NULL || text[0] == '\0')
        return zn_fail(&log, ZN_ERR_UNSUPPORTED, "%s: it holds no model text", zn_result_path(result));
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_status       status = zn_result_room();
    if (status == ZN_OK)
        status = read_parameters(result, override_count, override_list, &set);
    if (status == ZN_OK)
        status = read_sources(result, &files);
    if (status == ZN_OK && (status = zn_inputs_of(zn_result_file(result), &known)) != ZN_OK)
        status = zn_fail(&log, status, "%s: its list of files cannot be read", zn_result_path(result));
    zn_result_quiet_end(quiet);
    zn_problem_text given = {.text = text,
                             .size = strlen(text),
                             .override_count = set.count,
                             .overrides = (const char *const *)set.text,
                             .source_count = files.count,
                             .sources = files.list,
                             .known_count = known.count,
                             .known = known.list};
    given.allow = zn_result_allowed(result, &given.allow_count);
    given.most = most_bytes(result);
    if (status == ZN_OK)
        status = parse(result, given, log, out);
    free_list(set.count, set.text);
    for (int i = 0; i < files.count; i++) {
        free(files.list[i].name);
        free(files.list[i].text);
    }
    free(files.list);
    zn_inputs_clear(&known);
    return status;
}

zn_status zn_problem_create_from_result(const zn_problem_def *def, zn_log log, zn_problem **out)
{
    zn_result *result = NULL;
    ZN_TRY(zn_result_open(def->path, log, &result));
    zn_status status = ZN_OK;
    for (int i = 0; i < def->allow_count && status == ZN_OK; i++)
        status = zn_result_allow(result, def->allow != NULL ? def->allow[i] : NULL);
    if (status == ZN_OK)
        status = zn_problem_of(result, def->override_count, def->overrides, log, out);
    if (status == ZN_OK)
        zn_problem_set_log(*out, log);
    zn_result_close(result);
    return status;
}
