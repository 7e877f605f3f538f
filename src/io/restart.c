// Opens the result of a run to go on from its checkpoint. Refused, naming what differs, is whatever would give another
// motion: version, options of the scheme, step, parameters, model and the files it pulls in. What is only recorded,
// drawn or limited may differ.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "io/inputs.h"
#include "io/restart.h"
#include "io/result_reader.h"
#include "io/yaml.h"
#include "sim/sim.h"

enum { TOLD = 10 }; // differences; nobody reads more

typedef struct comparison {
    const zn_result *result;
    const zn_log    *log;
    int              differences; // so far
} comparison;

static void tell(comparison *c, const char *what, const char *there, const char *here)
{
    if (c->differences++ < TOLD)
        zn_log_write(c->log, ZN_LOG_ERROR, "%s: cannot restart from it: %s is '%s' there and '%s' here",
                     zn_result_path(c->result), what, there, here);
}

static void tell_missing(comparison *c, const char *what, bool here)
{
    if (c->differences++ < TOLD)
        zn_log_write(c->log, ZN_LOG_ERROR, "%s: cannot restart from it: %s is only %s", zn_result_path(c->result), what,
                     here ? "here" : "there");
}

static void compare_numbers(comparison *c, const char *what, double there, double here)
{
    char a[32], b[32];
    if (there == here)
        return;
    snprintf(a, sizeof a, "%.17g", there);
    snprintf(b, sizeof b, "%.17g", here);
    tell(c, what, a, b);
}

static void compare_options(comparison *c, const zn_sim_def *sim)
{
    zn_result_option options[ZN_RESULT_OPTIONS_MAX];
    int              count = zn_result_options(sim, options);
    for (int i = 0; i < count; i++) {
        const zn_result_option *o = &options[i];
        const char             *there = o->text != NULL ? zn_result_text(c->result, o->name) : NULL;
        if (!o->matters)
            continue;
        if (o->text == NULL)
            compare_numbers(c, o->name, zn_result_number(c->result, o->name), o->number);
        else if (there == NULL || strcmp(there, o->text) != 0)
            tell(c, o->name, there != NULL ? there : "", o->text);
    }
}

// --- parameters ----------------------------------------------------------------------------------

typedef struct lost {
    comparison       *comparison;
    const zn_problem *problem;
} lost;

// Values set by their path are listed only where somebody set them.
static herr_t find_lost(hid_t group, const char *name, const H5A_info_t *info, void *user)
{
    (void)group, (void)info;
    lost *l = user;
    char  what[80];
    bool  here = strchr(name, '.') == NULL;
    for (int i = 0; !here && i < l->problem->parameter_count; i++)
        here = strcmp(l->problem->parameters[i].name, name) == 0;
    snprintf(what, sizeof what, "parameter %.64s", name);
    if (!here)
        tell_missing(l->comparison, what, false);
    return 0;
}

static void compare_parameters(comparison *c, const zn_problem *problem)
{
    zn_result_quiet quiet = zn_result_quiet_begin();
    hid_t           group = zn_hdf5_group(zn_result_file(c->result), "parameters");
    for (int i = 0; i < problem->parameter_count; i++) {
        double there;
        char   what[80];
        snprintf(what, sizeof what, "parameter %.64s", problem->parameters[i].name);
        if (group >= 0 && zn_hdf5_attribute_number(group, problem->parameters[i].name, &there))
            compare_numbers(c, what, there, problem->parameters[i].value);
        else
            tell_missing(c, what, true);
    }
    if (group >= 0) {
        H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, find_lost, &(lost){c, problem});
        H5Gclose(group);
    }
    zn_result_quiet_end(quiet);
}

// --- files -----------------------------------------------------------------------------------------

static void tell_input(void *user, const char *name, bool known)
{
    comparison *c = user;
    if (c->differences++ < TOLD)
        zn_log_write(c->log, ZN_LOG_ERROR, "%s: cannot restart from it: %s '%s'", zn_result_path(c->result),
                     known ? "something else is now in the file" : "it does not tell what was in the file", name);
}

static void compare_inputs(comparison *c, const zn_problem *problem)
{
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_inputs_compare(zn_result_file(c->result), problem, tell_input, c);
    zn_result_quiet_end(quiet);
}

// --- model ---------------------------------------------------------------------------------------

// What does not move anything; options of `run` and values of parameters are compared as they were understood.
static bool is_ignored(const char *key, bool top)
{
    static const char *const sections[] = {"title", "record", "reference", "limits", "run", "parameters"};
    for (size_t i = 0; top && i < sizeof sections / sizeof *sections; i++)
        if (strcmp(key, sections[i]) == 0)
            return true;
    return !top && strcmp(key, "draw") == 0;
}

static void compare_nodes(comparison *c, const char *path, const zn_yaml_node *there, const zn_yaml_node *here);

// The same key in the other map. Most often it follows the one before, so that long maps are not searched for each.
static const zn_yaml_node *find_again(const zn_yaml_node *map, const char *key, const zn_yaml_node **next)
{
    const zn_yaml_node *found = *next != NULL && strcmp((*next)->key, key) == 0 ? *next : zn_yaml_get(map, key);
    *next = found != NULL ? found->next : *next;
    return found;
}

static void compare_maps(comparison *c, const char *path, const zn_yaml_node *there, const zn_yaml_node *here)
{
    for (int side = 0; side < 2; side++) {
        const zn_yaml_node *in = side == 0 ? here : there, *next = in->first;
        for (const zn_yaml_node *n = (side == 0 ? there : here)->first; n != NULL; n = n->next) {
            const zn_yaml_node *other = find_again(in, n->key, &next);
            char                name[256];
            snprintf(name, sizeof name, "%.128s%s%.64s", path, *path != '\0' ? "." : "", n->key);
            if (is_ignored(n->key, *path == '\0'))
                continue;
            if (other == NULL)
                tell_missing(c, name, side == 1);
            else if (side == 0)
                compare_nodes(c, name, n, other);
        }
    }
}

static void compare_nodes(comparison *c, const char *path, const zn_yaml_node *there, const zn_yaml_node *here)
{
    if (there->kind != here->kind || (there->kind == ZN_YAML_LIST && there->count != here->count))
        tell(c, path, zn_yaml_describe(there), zn_yaml_describe(here));
    else if (there->kind == ZN_YAML_SCALAR && strcmp(there->text, here->text) != 0)
        tell(c, path, there->text, here->text);
    else if (there->kind == ZN_YAML_MAP)
        compare_maps(c, path, there, here);
    const zn_yaml_node *a = there->first, *b = here->first;
    for (; there->kind == ZN_YAML_LIST && there->count == here->count && a != NULL && b != NULL;
         a = a->next, b = b->next)
        compare_nodes(c, path, a, b);
}

static zn_status compare_models(comparison *c, const zn_problem *problem)
{
    const char   *text = zn_result_text(c->result, "model");
    zn_yaml_node *there = NULL, *here = NULL;
    zn_pool      *pool = zn_pool_create();
    zn_faults     faults = {.file = zn_result_path(c->result), .entry = ZN_NEW(zn_fault_entry, ZN_FAULTS_MAX)};
    zn_status     status = pool == NULL || faults.entry == NULL ? ZN_ERR_MEMORY : ZN_OK;
    if (status == ZN_OK)
        status = text != NULL ? zn_yaml_parse(text, strlen(text), pool, &faults, &there) : ZN_ERR_MODEL;
    if (status != ZN_OK && status != ZN_ERR_MEMORY)
        status = zn_fail(c->log, ZN_ERR_IO, "%s: the model in it cannot be read", zn_result_path(c->result));
    if (status == ZN_OK)
        status = zn_yaml_parse(problem->text, problem->text_size, pool, &faults, &here);
    if (status == ZN_OK)
        compare_nodes(c, "", there, here);
    free(faults.entry);
    zn_pool_destroy(pool);
    return status;
}

// --- open and close ------------------------------------------------------------------------------

static zn_status check_version(const comparison *c)
{
    const char *version = zn_result_text(c->result, "version");
    if (version != NULL && strcmp(version, zn_version()) == 0)
        return ZN_OK;
    return zn_fail(c->log, ZN_ERR_UNSUPPORTED, "%s: cannot restart from it: written by version %s, this is %s",
                   zn_result_path(c->result), version != NULL ? version : "?", zn_version());
}

static zn_status check(const zn_restart *r, const zn_problem *problem, const zn_sim_def *sim, const zn_log *log)
{
    comparison  c = {.result = r->result, .log = log};
    const char *command = zn_result_text(r->result, "command");
    ZN_TRY(check_version(&c));
    compare_options(&c, sim);
    compare_parameters(&c, problem);
    compare_inputs(&c, problem);
    ZN_TRY(compare_models(&c, problem));
    if (c.differences == 0)
        return ZN_OK;
    if (command != NULL)
        zn_log_write(log, ZN_LOG_INFO, "%s was written by: %s", zn_result_path(r->result), command);
    return ZN_ERR_ARGUMENT;
}

static zn_status open_restart(const char *path, const zn_problem *problem, const zn_sim_def *sim, zn_restart *r)
{
    const zn_log *log = &sim->log;
    if (sim->statics)
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: a static run has no checkpoints", problem->path);
    ZN_TRY(zn_result_open(path, *log, &r->result));
    if (zn_result_file_is_busy(path))
        return zn_fail(log, ZN_ERR_IO, "%s: another run is writing this file", path);
    double rows = zn_result_number(r->result, "record_every");
    r->record_every = rows >= 1 && rows < 1e9 ? (int)rows : 0;
    ZN_TRY(check(r, problem, sim, log));
    if (sim->checkpoint_every == 0)
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: it has no checkpoint, checkpoint_every is 0", path);
    if (!zn_checkpoint_read(zn_result_file(r->result), &r->checkpoint))
        return zn_fail(log, ZN_ERR_IO, "%s: it has no checkpoint that is whole; the first comes after %d steps", path,
                       sim->checkpoint_every);
    return ZN_OK;
}

zn_status zn_restart_open(const char *path, const zn_problem *problem, const zn_sim_def *sim, zn_restart **out)
{
    ZN_ALIVE(problem);
    ZN_TAKE_DEF(zn_sim_def, sim, NULL); // one that is refused has no log to be trusted
    zn_restart *r = ZN_NEW(zn_restart, 1);
    zn_status   status = r != NULL ? open_restart(path, problem, sim, r) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        *out = r;
    else
        zn_restart_close(r);
    return status;
}

zn_restart *zn_restart_close(zn_restart *restart)
{
    ZN_ALIVE(restart);
    if (restart == NULL)
        return NULL;
    zn_checkpoint_free(&restart->checkpoint);
    zn_result_close(restart->result);
    zn_retire(restart, sizeof *restart);
    return NULL;
}

const void *zn_restart_data(const zn_restart *restart, size_t *size)
{
    ZN_ALIVE(restart);
    if (!restart || !size)
        return NULL;
    *size = restart->checkpoint.size;
    return restart->checkpoint.data;
}

double zn_result_checkpoint_time(const zn_result *result)
{
    ZN_ALIVE(result);
    if (!result)
        return NAN;
    zn_checkpoint found;
    double        t = zn_checkpoint_read(zn_result_file(result), &found) ? found.t : NAN;
    zn_checkpoint_free(&found);
    return t;
}
