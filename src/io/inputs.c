#include "io/inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/sha256.h"
#include "io/hdf5_read.h"
#include "io/result.h"
#include "io/text_file.h"

_Static_assert(sizeof((zn_input *)0)->digest == ZN_SHA256_TEXT, "room for a digest");

// A file that is used twice is listed once; one that moves something is no drawing any more.
static zn_status remember(zn_inputs *inputs, const char *name, bool drawn, const char *digest, char *message,
                          size_t size)
{
    zn_input entry = {.drawn = drawn};
    memcpy(entry.digest, digest, sizeof entry.digest);
    for (int i = 0; i < inputs->count; i++)
        if (strcmp(inputs->list[i].name, name) == 0) {
            inputs->list[i].drawn &= drawn;
            if (strcmp(inputs->list[i].digest, entry.digest) == 0)
                return ZN_OK;
            snprintf(message, size, "%s: it changes while it is read", name);
            return ZN_ERR_IO;
        }
    entry.name = zn_copy_string(name);
    if (entry.name != NULL && ZN_PUSH(inputs->list, inputs->count, inputs->capacity, entry) == ZN_OK)
        return ZN_OK;
    free(entry.name);
    return ZN_ERR_MEMORY;
}

static zn_status remember_text(zn_inputs *inputs, const char *name, bool drawn, const zn_input_text *read,
                               char *message, size_t size)
{
    char digest[ZN_SHA256_TEXT];
    zn_sha256(read->text, read->length, digest);
    return remember(inputs, name, drawn, digest, message, size);
}

static bool is_known(const zn_inputs *inputs, const char *name, const zn_input_text *read)
{
    char digest[ZN_SHA256_TEXT];
    zn_sha256(read->text, read->length, digest);
    for (int i = 0; i < inputs->known_count; i++)
        if (strcmp(inputs->known[i].name, name) == 0)
            return strcmp(inputs->known[i].digest, digest) == 0;
    return false;
}

// What is opened is where the path led to when it was looked at.
static zn_status read_allowed(zn_inputs *inputs, const char *file, zn_input_text *out, char *message, size_t size)
{
    bool      allowed;
    char     *there = zn_access_follow(&inputs->access, out->path, &allowed);
    zn_status status = ZN_OK;
    if (there == NULL) { // files without a name, of /proc, could be opened all the same
        status = errno == ENOMEM ? ZN_ERR_MEMORY : ZN_ERR_IO;
        zn_access_missing(out->path, message, size);
        return status;
    }
    if (allowed || inputs->known_count > 0)
        status = zn_text_file_read_followed(there, &out->text, &out->length, message, size);
    if (!allowed && (status != ZN_OK || out->text == NULL || !is_known(inputs, file, out))) {
        zn_access_explain(file, there, message, size);
        inputs->refused = true;
        status = ZN_ERR_MODEL;
    }
    free(there);
    return status;
}

static zn_status read_input(zn_inputs *inputs, const char *model, const char *file, bool drawn, zn_input_text *out,
                            char *message, size_t size)
{
    *out = (zn_input_text){.path = zn_text_file_beside(model, file)};
    if (out->path == NULL)
        return ZN_ERR_MEMORY;
    if (inputs == NULL)
        return zn_text_file_read(out->path, &out->text, &out->length, message, size);
    ZN_TRY(read_allowed(inputs, file, out, message, size));
    return inputs->unlisted ? ZN_OK : remember_text(inputs, file, drawn, out, message, size);
}

zn_status zn_inputs_read(zn_inputs *inputs, const char *model, const char *file, zn_input_text *out, char *message,
                         size_t size)
{
    return read_input(inputs, model, file, false, out, message, size);
}

zn_status zn_inputs_read_drawing(zn_inputs *inputs, const char *model, const char *file, zn_input_text *out,
                                 char *message, size_t size)
{
    return read_input(inputs, model, file, true, out, message, size);
}

// --- tables ----------------------------------------------------------------------------------------

static void clear_table(zn_input_table *t)
{
    zn_csv_table_clear(&t->table);
    free(t->path);
    free(t->text);
}

// Takes over path and text.
static zn_status add_table(zn_inputs *inputs, const zn_input_text *read)
{
    zn_input_table t = {.path = read->path, .text = read->text};
    zn_sha256(read->text, read->length, t.digest);
    zn_status status = zn_csv_table_find(read->text, read->length, read->path, &t.table);
    if (status == ZN_OK)
        status = ZN_PUSH(inputs->tables, inputs->table_count, inputs->table_capacity, t);
    if (status != ZN_OK)
        clear_table(&t);
    return status;
}

static zn_status read_table(zn_inputs *inputs, const char *file, zn_input_text *read, char *message, size_t size)
{
    zn_status status = read_allowed(inputs, file, read, message, size);
    if (status == ZN_OK)
        return add_table(inputs, read);
    free(read->text);
    free(read->path);
    return status;
}

zn_status zn_inputs_table(zn_inputs *inputs, const char *model, const char *file, const zn_csv_table **out,
                          char *message, size_t size)
{
    ZN_ASSERT(inputs && out);
    zn_input_text read = {.path = zn_text_file_beside(model, file)};
    int           i = 0;
    if (read.path == NULL)
        return ZN_ERR_MEMORY;
    while (i < inputs->table_count && strcmp(inputs->tables[i].path, read.path) != 0)
        i++;
    if (i < inputs->table_count)
        free(read.path);
    else
        ZN_TRY(read_table(inputs, file, &read, message, size));
    if (!inputs->unlisted)
        ZN_TRY(remember(inputs, file, false, inputs->tables[i].digest, message, size));
    *out = &inputs->tables[i].table;
    return ZN_OK;
}

void zn_inputs_forget_tables(zn_inputs *inputs)
{
    for (int i = 0; i < inputs->table_count; i++)
        clear_table(&inputs->tables[i]);
    free(inputs->tables);
    inputs->tables = NULL;
    inputs->table_count = inputs->table_capacity = 0;
}

// --- parts of the model ----------------------------------------------------------------------------

// A text given in place of the file; false: there is none.
static bool find_source(const zn_inputs *inputs, const char *file, zn_input_text *out)
{
    for (int i = 0; i < inputs->source_count; i++)
        if (strcmp(inputs->sources[i].name, file) == 0) {
            out->text = zn_copy_string(inputs->sources[i].text);
            out->length = strlen(inputs->sources[i].text);
            return true;
        }
    return false;
}

zn_status zn_inputs_include(zn_inputs *inputs, const char *model, const char *file, zn_input_text *out, char *message,
                            size_t size)
{
    *out = (zn_input_text){.path = zn_text_file_beside(model, file)};
    if (out->path == NULL)
        return ZN_ERR_MEMORY;
    if (!find_source(inputs, file, out))
        ZN_TRY(read_allowed(inputs, file, out, message, size));
    if (out->text == NULL)
        return ZN_ERR_MEMORY;
    ZN_TRY(remember_text(inputs, file, false, out, message, size));
    for (int i = 0; i < inputs->count; i++)
        if (strcmp(inputs->list[i].name, file) == 0 && inputs->list[i].text == NULL) {
            inputs->list[i].text = zn_copy_string(out->text);
            return inputs->list[i].text != NULL ? ZN_OK : ZN_ERR_MEMORY;
        }
    return ZN_OK;
}

void zn_inputs_clear(zn_inputs *inputs)
{
    for (int i = 0; i < inputs->count; i++) {
        free(inputs->list[i].name);
        free(inputs->list[i].text);
    }
    free(inputs->list);
    zn_inputs_forget_tables(inputs);
    zn_access_close(&inputs->access);
    *inputs = (zn_inputs){0};
}

// --- in results ------------------------------------------------------------------------------------

static const char *const group_name[2] = {"inputs", "drawings"};

static bool put_group(int64_t file, const zn_problem *problem, bool drawn)
{
    hid_t group = H5Gcreate2(file, group_name[drawn], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool  ok = group >= 0;
    for (int i = 0; ok && i < problem->input_count; i++)
        if (problem->inputs[i].drawn == drawn)
            ok = zn_result_put_text(group, problem->inputs[i].name, problem->inputs[i].digest);
    if (group >= 0)
        H5Gclose(group);
    return ok;
}

bool zn_inputs_put(int64_t file, const zn_problem *problem)
{
    bool drawings = false;
    for (int i = 0; i < problem->input_count; i++)
        drawings |= problem->inputs[i].drawn;
    return put_group(file, problem, false) && (!drawings || put_group(file, problem, true));
}

static herr_t add_known(hid_t group, const char *name, const H5A_info_t *info, void *user)
{
    (void)info;
    zn_inputs *list = user;
    char      *digest = zn_hdf5_attribute_text(group, name);
    zn_input   entry = {.name = zn_copy_string(name)};
    bool       ok = digest != NULL && entry.name != NULL && strlen(digest) + 1 == sizeof entry.digest;
    if (ok) {
        memcpy(entry.digest, digest, sizeof entry.digest);
        ok = ZN_PUSH(list->list, list->count, list->capacity, entry) == ZN_OK;
    }
    if (!ok)
        free(entry.name);
    free(digest);
    return ok ? 0 : -1;
}

zn_status zn_inputs_of(int64_t file, zn_inputs *out)
{
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++) {
        hid_t group = zn_hdf5_exists(file, group_name[i]) ? zn_hdf5_group(file, group_name[i]) : -1;
        if (group < 0)
            continue; // written before there were any
        ok = H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, add_known, out) >= 0;
        H5Gclose(group);
    }
    return ok ? ZN_OK : ZN_ERR_IO;
}

int zn_inputs_compare(int64_t file, const zn_problem *problem, void (*tell)(void *user, const char *name, bool known),
                      void *user)
{
    int   differences = 0;
    hid_t group = zn_hdf5_group(file, group_name[0]);
    for (int i = 0; i < problem->input_count; i++) {
        const zn_input *here = &problem->inputs[i];
        char           *there = group >= 0 && !here->drawn ? zn_hdf5_attribute_text(group, here->name) : NULL;
        if (!here->drawn && (there == NULL || strcmp(there, here->digest) != 0)) {
            tell(user, here->name, there != NULL);
            differences++;
        }
        free(there);
    }
    if (group >= 0)
        H5Gclose(group);
    return differences;
}
