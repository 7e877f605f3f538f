// What a result file holds beside its rows: description of the run, certificate, outcome. And what writer and reader
// share: types, and HDF5 kept from printing.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/inputs.h"
#include "io/result.h"

// --- what result.h offers both halves ------------------------------------------------------------

zn_result_quiet zn_result_quiet_begin(void)
{
    zn_result_quiet saved = {0};
    H5Eget_auto2(H5E_DEFAULT, &saved.print, &saved.user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (H5PLget_loading_state(&saved.plugins) >= 0 && saved.plugins != 0)
        H5PLset_loading_state(0);
    return saved;
}

void zn_result_quiet_end(zn_result_quiet saved)
{
    if (saved.plugins != 0)
        H5PLset_loading_state(saved.plugins);
    H5Eset_auto2(H5E_DEFAULT, saved.print, saved.user);
}

enum { ROOM_BYTES = 2 * 1024 * 1024 };

void *zn_result_reserve(void) { return malloc(ROOM_BYTES); } // never touched: it takes addresses, no memory

zn_status zn_result_room(void) { return zn_has_room(ROOM_BYTES) ? ZN_OK : ZN_ERR_MEMORY; }

hid_t zn_result_text_type(size_t bytes)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

hid_t zn_result_event_type(bool pair)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(zn_result_event));
    hid_t name = zn_result_text_type(ZN_RESULT_NAME_BYTES);
    H5Tinsert(type, "name", HOFFSET(zn_result_event, name), name);
    H5Tinsert(type, "impact", HOFFSET(zn_result_event, impact), H5T_NATIVE_UINT8);
    H5Tinsert(type, "open", HOFFSET(zn_result_event, open), H5T_NATIVE_UINT8);
    H5Tinsert(type, "closed_at", HOFFSET(zn_result_event, closed_at), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "opened_at", HOFFSET(zn_result_event, opened_at), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "impulse", HOFFSET(zn_result_event, impulse), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "peak_force", HOFFSET(zn_result_event, peak_force), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "approach", HOFFSET(zn_result_event, approach), H5T_NATIVE_DOUBLE);
    hid_t text = zn_result_text_type(sizeof((zn_result_event *)NULL)->pair);
    if (pair)
        H5Tinsert(type, "pair", HOFFSET(zn_result_event, pair), text);
    H5Tclose(text);
    H5Tclose(name);
    return type;
}

// --- small pieces of a file ----------------------------------------------------------------------

static bool put_attribute(hid_t object, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool  ok = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return ok;
}

static bool put_number(hid_t object, const char *name, double value)
{
    return put_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}

bool zn_result_put_text(hid_t object, const char *name, const char *text)
{
    if (text == NULL)
        text = "";
    hid_t type = zn_result_text_type(strlen(text) + 1);
    bool  ok = put_attribute(object, name, type, text);
    H5Tclose(type);
    return ok;
}

// A single value in a dataset of its own, in the file at once, so that it can be overwritten in SWMR mode.
static bool put_value(hid_t parent, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    hid_t dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool  ok = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
    if (dataset >= 0)
        H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    return ok;
}

// `bytes` 0: as long as the text.
static bool put_long_text(hid_t parent, const char *name, const char *text, size_t bytes)
{
    if (text == NULL)
        text = "";
    size_t size = bytes > 0 ? bytes : strlen(text) + 1;
    char  *padded = zn_new_array(size, 1);
    if (padded == NULL)
        return false;
    memcpy(padded, text, strnlen(text, size - 1));
    hid_t type = zn_result_text_type(size);
    bool  ok = put_value(parent, name, type, padded);
    H5Tclose(type);
    free(padded);
    return ok;
}

static bool overwrite(hid_t file, const char *path, hid_t type, const void *value)
{
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    bool  ok =
        dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0 && H5Dflush(dataset) >= 0;
    if (dataset >= 0)
        H5Dclose(dataset);
    return ok;
}

static bool overwrite_text(hid_t file, const char *path, const char *text, size_t bytes)
{
    char padded[ZN_RESULT_OUTCOME_BYTES] = {0};
    if (text != NULL)
        memcpy(padded, text, strnlen(text, bytes - 1));
    hid_t type = zn_result_text_type(bytes);
    bool  ok = overwrite(file, path, type, padded);
    H5Tclose(type);
    return ok;
}

// --- certificate ---------------------------------------------------------------------------------

static const char *worst_names[] = {
#define WORST_NAME(field, ...) #field,
    ZN_WORST_LIST(WORST_NAME)
#undef WORST_NAME
};

static const char *number_names[] = {
#define NUMBER_NAME(name, field) name,
    ZN_RESULT_NUMBER_LIST(NUMBER_NAME)
#undef NUMBER_NAME
};

enum { NUMBERS = sizeof number_names / sizeof *number_names };

static bool put_certificate(hid_t file)
{
    const double none = NAN;
    char         name[ZN_RESULT_NAME_BYTES];
    hid_t        group = H5Gcreate2(file, "certificate", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool         ok = group >= 0;
    for (int i = 0; ok && i < NUMBERS; i++)
        ok = put_value(group, number_names[i], H5T_NATIVE_DOUBLE, &none);
    for (int i = 0; ok && i < ZN_RESULT_WORST; i++) {
        ok = put_value(group, worst_names[i], H5T_NATIVE_DOUBLE, &none);
        snprintf(name, sizeof name, "%s_time", worst_names[i]);
        ok = ok && put_value(group, name, H5T_NATIVE_DOUBLE, &none);
        snprintf(name, sizeof name, "%s_contact", worst_names[i]);
        ok = ok && put_long_text(group, name, "", ZN_RESULT_NAME_BYTES);
    }
    for (int i = 0; ok && i < ZN_LEDGER_LINES; i++) {
        snprintf(name, sizeof name, "ledger_%s", zn_ledger_name((zn_ledger_line)i));
        ok = put_value(group, name, H5T_NATIVE_DOUBLE, &none);
    }
    ok = ok && put_long_text(group, "linear_backend", "", ZN_RESULT_NAME_BYTES) &&
         put_long_text(group, "energy_created_line", "", ZN_RESULT_NAME_BYTES);
    if (group >= 0)
        H5Gclose(group);
    return ok;
}

static bool overwrite_number(hid_t file, const char *name, const char *suffix, double value)
{
    char path[2 * ZN_RESULT_NAME_BYTES];
    snprintf(path, sizeof path, "certificate/%s%s", name, suffix);
    return overwrite(file, path, H5T_NATIVE_DOUBLE, &value);
}

bool zn_result_put_certificate(hid_t file, const zn_certificate *c, const char *const *contacts)
{
    const double numbers[] = {
#define NUMBER_VALUE(name, field) (double)c->field,
        ZN_RESULT_NUMBER_LIST(NUMBER_VALUE)
#undef NUMBER_VALUE
    };
    const zn_worst worst[] = {
#define WORST_VALUE(field, ...) c->field,
        ZN_WORST_LIST(WORST_VALUE)
#undef WORST_VALUE
    };
    char path[2 * ZN_RESULT_NAME_BYTES];
    bool ok = true;
    for (int i = 0; i < NUMBERS; i++)
        ok = overwrite_number(file, number_names[i], "", numbers[i]) && ok;
    for (int i = 0; i < ZN_RESULT_WORST; i++) {
        ok = overwrite_number(file, worst_names[i], "", worst[i].value) && ok;
        ok = overwrite_number(file, worst_names[i], "_time", worst[i].time) && ok;
        snprintf(path, sizeof path, "certificate/%s_contact", worst_names[i]);
        ok = overwrite_text(file, path, contacts[i], ZN_RESULT_NAME_BYTES) && ok;
    }
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        ok = overwrite_number(file, "ledger_", zn_ledger_name((zn_ledger_line)i), c->ledger[i]) && ok;
    const char *line = c->created_line < ZN_LEDGER_LINES ? zn_ledger_name(c->created_line) : "";
    ok = overwrite_text(file, "certificate/energy_created_line", line, ZN_RESULT_NAME_BYTES) && ok;
    return overwrite_text(file, "certificate/linear_backend", c->linear_solver.backend, ZN_RESULT_NAME_BYTES) && ok;
}

// --- description of the run ----------------------------------------------------------------------

// Options are attributes of the file by their names. The certificate has some of these names, too: what stands there
// was counted, what stands here is the limit.
static const char *attribute_of(const char *option)
{
    return strcmp(option, "newton_iterations") == 0 ? "newton_iterations_limit" : option;
}

enum {
#define ONE(...) +1
    SCHEME_OPTIONS = 0 ZN_SCHEME_OPTION_LIST(ONE)
#undef ONE
};

static int add_table(zn_options table, const void *def, zn_result_option *out)
{
    for (int i = 0; i < table.count; i++) {
        const zn_option *o = &table.items[i];
        out[i] = (zn_result_option){attribute_of(o->name), NULL, zn_option_number(o, def), !o->effort, ""};
        out[i].text = zn_option_text(o, def, out[i].word);
        if (out[i].text == NULL && o->kind == ZN_OPTION_TEXT)
            out[i].text = o->choices != NULL ? zn_option_text(o, table.defaults, NULL) : "";
    }
    return table.count;
}

int zn_result_options(const zn_sim_def *sim, zn_result_option options[ZN_RESULT_OPTIONS_MAX])
{
    const zn_limits       *l = &sim->limits;
    const zn_result_option others[] = {{"start", NULL, sim->start, true, ""},
                                       {"start_at_equilibrium", NULL, sim->start_at_equilibrium, true, ""},
                                       {"step", NULL, sim->step, true, ""},
                                       {"checkpoint_every", NULL, sim->checkpoint_every, true, ""},
                                       {"until", NULL, sim->until, false, ""},
                                       {"max_subdivisions", NULL, sim->max_subdivisions, false, ""},
                                       {"record_every", NULL, sim->record_every, false, ""},
#define LIMIT(field, ...) {"limit_" #field, NULL, l->field, false, ""},
                                       ZN_WORST_LIST(LIMIT)
#undef LIMIT
    };
    zn_options table = sim->statics ? zn_equilibrium_options() : zn_scheme_options();
    const int  count = sizeof others / sizeof *others;
    _Static_assert(1 + SCHEME_OPTIONS + sizeof others / sizeof *others <= ZN_RESULT_OPTIONS_MAX, "room for all");
    options[0] = (zn_result_option){"scheme", sim->scheme.scheme, 0, true, ""};
    memcpy(options + 1, others, sizeof others);
    return 1 + count +
           add_table(table, sim->statics ? (const void *)&sim->equilibrium : &sim->scheme, options + 1 + count);
}

static bool put_run(hid_t file, const zn_sim_def *sim)
{
    zn_result_option options[ZN_RESULT_OPTIONS_MAX];
    int              count = zn_result_options(sim, options);
    bool             ok = true;
    for (int i = 0; i < count && ok; i++)
        ok = options[i].text != NULL ? zn_result_put_text(file, options[i].name, options[i].text)
                                     : put_number(file, options[i].name, options[i].number);
    return ok;
}

static bool put_parameters(hid_t file, const zn_problem *problem)
{
    hid_t group = H5Gcreate2(file, "parameters", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool  ok = group >= 0;
    for (int i = 0; ok && i < problem->parameter_count; i++)
        ok = put_number(group, problem->parameters[i].name, problem->parameters[i].value);
    if (group >= 0)
        H5Gclose(group);
    return ok;
}

// Texts of included files, by number; each knows its name.
static bool put_files(hid_t file, const zn_problem *problem)
{
    hid_t group = H5Gcreate2(file, "files", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool  ok = group >= 0;
    for (int i = 0; ok && i < problem->input_count; i++) {
        char number[16];
        if (problem->inputs[i].text == NULL)
            continue;
        snprintf(number, sizeof number, "%d", i);
        ok = put_long_text(group, number, problem->inputs[i].text, 0);
        hid_t dataset = ok ? H5Dopen2(group, number, H5P_DEFAULT) : H5I_INVALID_HID;
        ok = dataset >= 0 && zn_result_put_text(dataset, "name", problem->inputs[i].name);
        if (dataset >= 0)
            H5Dclose(dataset);
    }
    if (group >= 0)
        H5Gclose(group);
    return ok;
}

bool zn_result_put_head(hid_t file, const zn_problem *problem, const zn_sim_def *sim, const char *command)
{
    const int format = ZN_RESULT_FORMAT;
    return put_attribute(file, "format", H5T_NATIVE_INT, &format) &&
           zn_result_put_text(file, "version", zn_version()) && zn_result_put_text(file, "title", problem->title) &&
           zn_result_put_text(file, "path", problem->path) && put_long_text(file, "model", problem->text, 0) &&
           put_long_text(file, "command", command, 0) &&
           put_long_text(file, "outcome", ZN_RESULT_RUNNING, ZN_RESULT_OUTCOME_BYTES) && put_run(file, sim) &&
           put_parameters(file, problem) && zn_inputs_put(file, problem) && put_files(file, problem) &&
           put_certificate(file);
}

bool zn_result_put_outcome(hid_t file, zn_status outcome)
{
    return overwrite_text(file, "outcome", zn_status_text(outcome), ZN_RESULT_OUTCOME_BYTES);
}
