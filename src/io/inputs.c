#include "io/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sha256.h"
#include "io/hdf5_read.h"
#include "io/result.h"
#include "io/text_file.h"

_Static_assert(sizeof((zn_input *)0)->digest == ZN_SHA256_TEXT, "room for a digest");

// A file that is used twice is listed once.
static zn_status remember(zn_inputs *inputs, const char *name, const zn_input_text *read, char *message, size_t size)
{
    zn_input entry = {0};
    zn_sha256(read->text, read->length, entry.digest);
    for (int i = 0; i < inputs->count; i++)
        if (strcmp(inputs->list[i].name, name) == 0) {
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

zn_status zn_inputs_read(zn_inputs *inputs, const char *model, const char *file, zn_input_text *out, char *message,
                         size_t size)
{
    *out = (zn_input_text){.path = zn_text_file_beside(model, file)};
    if (out->path == NULL)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_text_file_read(out->path, &out->text, &out->length, message, size));
    return inputs != NULL ? remember(inputs, file, out, message, size) : ZN_OK;
}

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
        ZN_TRY(zn_text_file_read(out->path, &out->text, &out->length, message, size));
    if (out->text == NULL)
        return ZN_ERR_MEMORY;
    ZN_TRY(remember(inputs, file, out, message, size));
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
    *inputs = (zn_inputs){0};
}

bool zn_inputs_put(int64_t file, const zn_problem *problem)
{
    hid_t group = H5Gcreate2(file, "inputs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool  ok = group >= 0;
    for (int i = 0; ok && i < problem->input_count; i++)
        ok = zn_result_put_text(group, problem->inputs[i].name, problem->inputs[i].digest);
    if (group >= 0)
        H5Gclose(group);
    return ok;
}

int zn_inputs_compare(int64_t file, const zn_problem *problem, void (*tell)(void *user, const char *name, bool known),
                      void *user)
{
    int   differences = 0;
    hid_t group = zn_hdf5_group(file, "inputs");
    for (int i = 0; i < problem->input_count; i++) {
        const zn_input *here = &problem->inputs[i];
        char           *there = group >= 0 ? zn_hdf5_attribute_text(group, here->name) : NULL;
        if (there == NULL || strcmp(there, here->digest) != 0) {
            tell(user, here->name, there != NULL);
            differences++;
        }
        free(there);
    }
    if (group >= 0)
        H5Gclose(group);
    return differences;
}
