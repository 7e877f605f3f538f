// A model file from text to zn_problem: parse, parameters, top-level keys, sections, records, scheme. Everything
// that goes wrong is collected and reported at the end in the order of the file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "base/option.h"
#include "io/bind.h"
#include "io/override_path.h"
#include "io/expand.h"
#include "io/places.h"
#include "io/problem.h"
#include "io/scalar.h"
#include "io/text_file.h"
#include "zn/io.h"

ZN_DEFINE_DEF(zn_problem_def, .path = NULL)

enum { PARAMETERS_MAX = 1000, REFERENCES_MAX = 1000 };

struct zn_problem_memory {
    zn_pool    *pool;    // what the problem points to
    zn_log      log;     // the caller's
    zn_builder *builder; // while the file is read, else NULL
    int         origin;  // what messages of the model are about, see zn_builder; 0: nothing
    zn_places   places;  // of its objects, once it is read
    zn_inputs   inputs;
    zn_room     room;
};

// --- messages of the model -------------------------------------------------------------------------

// Once the file is read nobody looks, and parts of the model may be compiled in several threads.
static void locate_model_message(void *user, int origin)
{
    struct zn_problem_memory *memory = user;
    if (memory->builder)
        memory->origin = origin;
}

// With the place of the object.
static void write_model_message(void *user, zn_severity severity, const char *message)
{
    struct zn_problem_memory *memory = user;
    zn_builder               *b = memory->builder;
    if (b == NULL || (severity != ZN_LOG_ERROR && severity != ZN_LOG_REASON)) {
        char place[ZN_PLACE_LENGTH];
        bool error = severity == ZN_LOG_ERROR;
        zn_log_write(&memory->log, severity, "%s%s", error ? zn_places_of(&memory->places, message, place) : "",
                     message);
        return;
    }
    const zn_yaml_node *place = memory->origin > 0 ? b->origin[memory->origin - 1] : NULL;
    if (place != NULL)
        zn_reader_enter(&b->reader, place);
    zn_fault(b->reader.faults, place != NULL ? place->key_line : 0, place != NULL ? place->key_column : 0, "%s",
             message);
}

// --- parameters ------------------------------------------------------------------------------------

typedef struct overrides {
    int                count;
    const char *const *text; // "name=value"
} overrides;

// Length of the name of "name:=value", which is no parameter; 0 for other overrides.
static size_t definition_length(const char *text)
{
    size_t length = strcspn(text, "=");
    return text[length] == '=' && length > 1 && text[length - 1] == ':' ? length - 1 : 0;
}

// Value part of the last override of this name, or NULL.
static const char *find_override(const overrides *o, const char *name)
{
    size_t length = strlen(name);
    for (int i = o->count - 1; i >= 0; i--)
        if (strncmp(o->text[i], name, length) == 0 && o->text[i][length] == '=')
            return o->text[i] + length + 1;
    return NULL;
}

static void check_overrides(zn_reader *r, const overrides *o, const zn_yaml_node *parameters)
{
    for (int i = 0; i < o->count; i++) {
        char   name[ZN_NAME_LENGTH + 1];
        size_t length = strcspn(o->text[i], "=");
        if (definition_length(o->text[i]) > 0 || zn_override_is_path(o->text[i]))
            continue;
        if (o->text[i][length] == '\0' || length == 0 || length >= sizeof name) {
            zn_fault(r->faults, 0, 0, "override '%s': expected name=value", o->text[i]);
            continue;
        }
        memcpy(name, o->text[i], length);
        name[length] = '\0';
        if (zn_yaml_get(parameters, name) != NULL)
            continue;
        char     hint[96];
        zn_guess guess = zn_guess_begin(name);
        for (const zn_yaml_node *n = parameters != NULL ? parameters->first : NULL; n != NULL; n = n->next)
            zn_guess_offer(&guess, n->key);
        zn_fault(r->faults, 0, 0, "override '%s': there is no parameter '%s'%s", o->text[i], name,
                 zn_guess_text(&guess, hint));
    }
}

// Overrides also know the definitions among them, which stand in front of the parameters.
static bool read_parameter(zn_reader *r, const overrides *o, int definitions, const zn_yaml_node *node, double *out)
{
    char         message[200];
    const char  *text = find_override(o, node->key);
    zn_constants known = {r->constants.count + definitions, r->constants.names - definitions,
                          r->constants.values - definitions};
    if (text == NULL)
        return zn_read_number(r, node, node->key, ZN_DIM_ANY, (zn_range){0}, out);
    if (zn_scalar_evaluate(text, known, out, message, sizeof message))
        return true;
    zn_fault(r->faults, 0, 0, "override '%s=%s': %s", node->key, text, message);
    return false;
}

// Names and values of the overrides "name:=value".
static int read_definitions(zn_reader *r, const overrides *o, zn_pool *pool, const char **names, double *values)
{
    int count = 0;
    for (int i = 0; i < o->count; i++) {
        size_t length = definition_length(o->text[i]);
        if (length == 0)
            continue;
        names[count] = zn_pool_copy(pool, o->text[i], length);
        r->faults->out_of_memory |= names[count] == NULL;
        if (names[count] != NULL && zn_number_parse(o->text[i] + length + 2, &values[count]))
            count++;
        else
            zn_fault(r->faults, 0, 0, "override '%s': expected name:=number", o->text[i]);
    }
    return count;
}

// Each parameter may use those before it; one with faults counts as 1, so that its users give no faults of their own.
static void read_parameters(zn_builder *b, const overrides *o, zn_problem *problem)
{
    zn_reader          *r = &b->reader;
    const zn_yaml_node *list = zn_yaml_get(b->root, "parameters");
    list = list != NULL && list->kind == ZN_YAML_MAP ? list : NULL;
    check_overrides(r, o, list);
    if (list == NULL)
        return;
    if (list->count > PARAMETERS_MAX) {
        zn_complain_key(r, list, "more than 1000 parameters");
        return;
    }
    zn_pool     *pool = problem->memory->pool;
    size_t       room = (size_t)list->count + (size_t)o->count;
    const char **names = zn_pool_alloc(pool, room, sizeof *names);
    double      *values = zn_pool_alloc(pool, room, sizeof *values);
    problem->parameters = zn_pool_alloc(pool, (size_t)list->count, sizeof *problem->parameters);
    if (names == NULL || values == NULL || problem->parameters == NULL) {
        r->faults->out_of_memory = true;
        return;
    }
    int definitions = read_definitions(r, o, pool, names, values);
    names += definitions;
    values += definitions;
    r->constants = (zn_constants){0, names, values};
    snprintf(r->where, sizeof r->where, "parameters");
    for (const zn_yaml_node *n = list->first; n != NULL; n = n->next) {
        double value = 1;
        if (!zn_bind_check_parameter(r, n))
            continue;
        read_parameter(r, o, definitions, n, &value);
        int i = problem->parameter_count++;
        problem->parameters[i] = (zn_parameter){zn_pool_string(pool, n->key), value};
        names[i] = problem->parameters[i].name;
        values[i] = value;
        r->faults->out_of_memory |= names[i] == NULL;
        r->constants.count += names[i] != NULL;
    }
    r->where[0] = '\0';
}

// --- closed forms ----------------------------------------------------------------------------------

// "name" or "name.component" of a record. Whether there is such a component is for the simulation.
static bool check_reference(zn_builder *b, const zn_yaml_node *node)
{
    char     name[ZN_NAME_LENGTH + 1], hint[96];
    size_t   length = strcspn(node->key, ".");
    zn_guess guess;
    snprintf(name, sizeof name, "%.*s", (int)length, node->key);
    if (zn_yaml_get(b->file.record, name) != NULL)
        return true;
    guess = zn_guess_begin(name);
    for (const zn_yaml_node *n = b->file.record != NULL ? b->file.record->first : NULL; n != NULL; n = n->next)
        zn_guess_offer(&guess, n->key);
    zn_complain_key(&b->reader, node, "there is no record '%s'%s", name, zn_guess_text(&guess, hint));
    return false;
}

static void read_references(zn_builder *b, zn_problem *problem)
{
    const zn_yaml_node *list = b->file.reference;
    if (list == NULL)
        return;
    if (list->count > REFERENCES_MAX) {
        zn_complain_key(&b->reader, list, "more than 1000 references");
        return;
    }
    zn_pool *pool = problem->memory->pool;
    problem->closed_forms = zn_pool_alloc(pool, (size_t)list->count, sizeof *problem->closed_forms);
    b->reader.faults->out_of_memory |= problem->closed_forms == NULL;
    for (const zn_yaml_node *n = list->first; problem->closed_forms != NULL && n != NULL; n = n->next) {
        snprintf(b->reader.where, sizeof b->reader.where, "reference '%.64s'", n->key);
        zn_closed_form *form = &problem->closed_forms[problem->closed_form_count++];
        check_reference(b, n);
        zn_read_signal(&b->reader, n, n->key, ZN_DIM_ANY, &form->value);
        form->record = zn_pool_string(pool, n->key);
        b->reader.faults->out_of_memory |= form->record == NULL;
    }
    b->reader.where[0] = '\0';
}

// --- run -------------------------------------------------------------------------------------------

static const char *find_scheme(zn_reader *r, const zn_yaml_node *node, const char *word, bool key)
{
    char     hint[96], list[256] = "";
    zn_guess guess = zn_guess_begin(word);
    for (int i = 0; i < zn_scheme_count(); i++) {
        const char *name = zn_scheme_name(i);
        size_t      used = strlen(list);
        if (strcmp(name, word) == 0)
            return name;
        zn_guess_offer(&guess, name);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", name);
    }
    zn_complain_at(r, key ? node->key_line : node->line, key ? node->key_column : node->column,
                   "unknown scheme '%s'%s (schemes: %s)", word, zn_guess_text(&guess, hint), list);
    return NULL;
}

// Texts of a def that live as long as the pool.
static void keep_texts(zn_reader *r, zn_options options, zn_pool *pool, void *def)
{
    for (int i = 0; i < options.count; i++) {
        const char **field = (const char **)((char *)def + options.items[i].offset);
        if (options.items[i].kind != ZN_OPTION_TEXT || *field == NULL)
            continue;
        *field = zn_pool_string(pool, *field);
        r->faults->out_of_memory |= *field == NULL;
    }
}

// Options that stand there and do nothing in this scheme.
static void refuse_options(zn_reader *r, const zn_yaml_node *given, const zn_scheme_def *def)
{
    zn_options options = zn_scheme_options();
    for (const zn_yaml_node *n = given->first; def->scheme != NULL && n != NULL; n = n->next) {
        char             text[ZN_FAULT_LENGTH];
        const zn_option *o = zn_option_find(options, n->key);
        if (o != NULL && !zn_option_is_default(o, options, def) && zn_option_refusal(o, def->scheme, text))
            zn_complain_key(r, n, "%s", text);
    }
}

// NAME or {NAME: {options}}
static void read_scheme(zn_builder *b, zn_scheme_def *def, zn_pool *pool)
{
    zn_reader          *r = &b->reader;
    const zn_yaml_node *node = b->file.run.scheme;
    snprintf(r->where, sizeof r->where, "run, scheme");
    def->scheme = "moreau_jean";
    if (node != NULL && node->kind == ZN_YAML_SCALAR) {
        def->scheme = find_scheme(r, node, node->text, false);
    } else if (node != NULL && (node->kind == ZN_YAML_LIST || node->count != 1)) {
        zn_complain(r, node, "expected a name or one name with options, {NAME: {theta: 0.5}}, found %s",
                    node->kind == ZN_YAML_LIST ? "a list" : "a map of several names");
    } else if (node != NULL) {
        const zn_yaml_node *options = node->first;
        def->scheme = find_scheme(r, options, options->key, true);
        snprintf(r->where, sizeof r->where, "scheme '%.64s'", options->key);
        zn_schema_read(r, &zn_schema_scheme, options, def, NULL);
        refuse_options(r, options, def);
    }
    r->where[0] = '\0';
    keep_texts(r, zn_scheme_options(), pool, def);
}

// Statics: what belongs to motion has no place beside it.
static void read_static(zn_builder *b, const zn_yaml_node *run, zn_sim_def *sim, zn_pool *pool)
{
    static const char *const motion[] = {"scheme", "step", "until", "max_subdivisions", "start_penetration"};
    zn_equilibrium_def      *def = &sim->equilibrium;
    for (size_t i = 0; i < sizeof motion / sizeof *motion; i++) {
        const zn_yaml_node *node = zn_yaml_get(run, motion[i]);
        if (node != NULL)
            zn_complain_key(&b->reader, node, "run: '%s' has no meaning beside 'static'", motion[i]);
    }
    if (sim->start_at_equilibrium)
        zn_complain(&b->reader, zn_yaml_get(run, "start"), "run: 'start' must be a time beside 'static'");
    sim->statics = true;
    sim->scheme.scheme = "static";
    sim->step = 1.0 / def->load_steps;
    sim->until = 1;
    keep_texts(&b->reader, zn_equilibrium_options(), pool, def);
}

static void read_run(zn_builder *b, zn_problem *problem)
{
    problem->sim = b->file.run.sim;
    problem->sim.log = (zn_log){write_model_message, problem->memory};
    const zn_yaml_node *run = zn_yaml_get(b->root, "run");
    if (zn_yaml_get(run, "static") != NULL) {
        read_static(b, run, &problem->sim, problem->memory->pool);
        return;
    }
    const zn_yaml_node *until = zn_yaml_get(run, "until");
    if (until != NULL && b->reader.faults->count == 0 && !(problem->sim.until > problem->sim.start))
        zn_complain_at(&b->reader, until->line, until->column, "run: 'until' (%.9g s) must come after 'start' (%.9g s)",
                       problem->sim.until, problem->sim.start);
    read_scheme(b, &problem->sim.scheme, problem->memory->pool);
}

// --- the whole -------------------------------------------------------------------------------------

// Version and `planar` decide how everything else is read.
static bool read_preamble(zn_builder *b)
{
    zn_reader          *r = &b->reader;
    const zn_yaml_node *version = zn_yaml_get(b->root, "zeno"), *planar = zn_yaml_get(b->root, "planar");
    double              number = 0;
    if (b->root->kind != ZN_YAML_MAP) {
        zn_complain(r, b->root, "expected keys such as 'zeno: 1', found %s", zn_yaml_describe(b->root));
        return false;
    }
    if (version != NULL && version->kind == ZN_YAML_SCALAR && zn_number_parse(version->text, &number) && number != 1) {
        zn_complain(r, version, "format version %.9g is not known; this program reads version 1", number);
        return false;
    }
    int before = r->faults->count;
    if (planar != NULL)
        zn_read_bool(r, planar, "planar", &r->planar);
    r->faults->count = r->faults->kept = before; // reported when all keys are read
    return true;
}

// The model without objects; false after a fault.
static bool create_model(zn_builder *b, zn_problem *problem)
{
    zn_faults   *faults = b->reader.faults;
    zn_model_def def = zn_model_def_default();
    def.planar = b->reader.planar;
    def.gravity = b->file.gravity;
    def.start = b->file.run.sim.start;
    def.log = (zn_log){write_model_message, problem->memory};
    def.locate = locate_model_message;
    zn_status created = faults->out_of_memory ? ZN_ERR_MEMORY : zn_model_create(&def, &problem->model);
    faults->out_of_memory |= created == ZN_ERR_MEMORY;
    if (created != ZN_OK && created != ZN_ERR_MEMORY && faults->count == 0)
        zn_fault(faults, 0, 0, "%s", zn_status_text(created));
    b->model = problem->model;
    return created == ZN_OK;
}

static void build(zn_builder *b, const overrides *o, zn_problem *problem)
{
    zn_faults *faults = b->reader.faults;
    if (!read_preamble(b))
        return;
    read_parameters(b, o, problem);
    zn_override_paths(b, o->count, o->text, problem->memory->pool, problem);
    int before = faults->count;
    zn_expand(b);
    if (faults->count > before || faults->out_of_memory)
        return; // objects are missing: what refers to them is not wrong
    zn_schema_file.defaults(&b->file);
    zn_schema_read(&b->reader, &zn_schema_file, b->root, &b->file, NULL);
    b->file.run.sim.start_at_equilibrium = b->file.run.start.word > 0;
    b->file.run.sim.start = b->file.run.start.number;
    *(b->file.run.step.cfl ? &b->file.run.sim.step_cfl : &b->file.run.sim.step) = b->file.run.step.value;
    if (!create_model(b, problem))
        return;
    zn_bind_sections(b);
    read_run(b, problem);
    zn_bind_records(b, problem->memory->pool, &problem->sim.record_count, &problem->sim.records);
    b->reader.inputs->unlisted = true; // references move nothing
    read_references(b, problem);
    const char *title = b->file.title != NULL ? b->file.title : "";
    problem->title = zn_pool_string(problem->memory->pool, title);
    faults->out_of_memory |= problem->title == NULL;
    if (faults->count > 0 || faults->out_of_memory)
        return;
    zn_status status = zn_model_validate(b->model);
    if (status == ZN_ERR_MEMORY)
        faults->out_of_memory = true;
    else if (status != ZN_OK && faults->count == 0)
        zn_fault(faults, 0, 0, "%s", zn_status_text(status));
}

// The problem with its own copy of the text.
static zn_problem *new_problem(const char *text, size_t size, const char *name, zn_log log)
{
    zn_problem *p = ZN_NEW(zn_problem, 1);
    if (p == NULL)
        return NULL;
    p->memory = ZN_NEW(struct zn_problem_memory, 1);
    if (p->memory == NULL || (p->memory->pool = zn_pool_create()) == NULL)
        return zn_problem_destroy(p);
    p->memory->log = log;
    p->path = zn_pool_string(p->memory->pool, name);
    p->text = zn_pool_copy(p->memory->pool, text, size);
    p->text_size = size;
    return p->path != NULL && p->text != NULL ? p : zn_problem_destroy(p);
}

void zn_problem_set_log(zn_problem *problem, zn_log log) { problem->memory->log = log; }

double zn_problem_bytes(const zn_problem *problem, const zn_scheme_def *scheme)
{
    ZN_ALIVE(problem);
    return problem && scheme && scheme->scheme && scheme->linear_solver ? zn_room_bytes(&problem->memory->room, scheme)
                                                                        : NAN;
}

zn_status zn_problem_check_room(const zn_problem *problem, const zn_scheme_def *scheme, zn_log log)
{
    ZN_ALIVE(problem);
    if (!problem || !scheme || !scheme->scheme || !scheme->linear_solver)
        return ZN_ERR_ARGUMENT;
    return zn_room_check(&problem->memory->room, scheme, problem->path, &log);
}

zn_problem *zn_problem_destroy(zn_problem *problem)
{
    ZN_ALIVE(problem);
    if (problem == NULL)
        return NULL;
    zn_model_destroy(problem->model);
    for (int i = 0; i < problem->closed_form_count; i++)
        zn_signal_destroy(problem->closed_forms[i].value);
    if (problem->memory != NULL) {
        zn_inputs_clear(&problem->memory->inputs);
        zn_pool_destroy(problem->memory->pool);
    }
    free(problem->memory);
    zn_retire(problem, sizeof *problem);
    return NULL;
}

static zn_status parse(const overrides *o, double most, zn_log log, zn_pool *scratch, zn_faults *faults,
                       zn_problem *problem)
{
    zn_builder b = {
        .most = most,
        .reader = {.pool = scratch, .faults = faults, .path = problem->path, .inputs = &problem->memory->inputs}};
    zn_yaml_node *root = NULL;
    if (zn_yaml_parse(problem->text, problem->text_size, scratch, faults, &root) == ZN_OK) {
        b.root = root;
        problem->memory->builder = &b;
        build(&b, o, problem);
        problem->memory->builder = NULL;
        faults->out_of_memory |=
            !zn_places_keep(&problem->memory->places, problem->memory->pool, problem->path, b.origins, b.origin);
        problem->memory->room = b.room;
        problem->inputs = problem->memory->inputs.list;
        problem->input_count = problem->memory->inputs.count;
    }
    bool failed = faults->count > 0;
    zn_faults_flush(faults, &log);
    if (faults->out_of_memory)
        return zn_fail(&log, ZN_ERR_MEMORY, "%s: %s", problem->path, zn_status_text(ZN_ERR_MEMORY));
    return failed ? ZN_ERR_MODEL : ZN_OK;
}

static zn_status parse_checked(const zn_problem_text *given, zn_log log, zn_problem *problem)
{
    zn_inputs *inputs = &problem->memory->inputs;
    overrides  o = {given->override_count, given->overrides};
    zn_pool   *scratch = zn_pool_create();
    zn_faults  faults = {.file = given->name, .log = &log, .entry = ZN_NEW(zn_fault_entry, ZN_FAULTS_MAX)};
    zn_status  status = scratch != NULL && faults.entry != NULL
                            ? zn_access_open(given->home != NULL ? given->home : given->name, given->allow_count,
                                            given->allow, &log, &inputs->access)
                            : ZN_ERR_MEMORY;
    inputs->source_count = given->source_count;
    inputs->sources = given->sources;
    inputs->known_count = given->known_count;
    inputs->known = given->known;
    if (status == ZN_OK)
        status = parse(&o, given->most, log, scratch, &faults, problem);
    inputs->source_count = inputs->known_count = 0;
    zn_inputs_forget_tables(inputs);
    if (given->refused != NULL)
        *given->refused = inputs->refused;
    free(faults.entry);
    zn_pool_destroy(scratch);
    return status;
}

zn_status zn_problem_parse_text(const zn_problem_text *given, zn_log log, zn_problem **out)
{
    if (given->text == NULL || given->name == NULL || out == NULL ||
        (given->override_count > 0 && given->overrides == NULL))
        return ZN_ERR_ARGUMENT;
    if (given->size > ZN_YAML_BYTES)
        return zn_fail(&log, ZN_ERR_MODEL, "%s: the file has more than 64 MB", given->name);
    zn_problem *problem = new_problem(given->text, given->size, given->name, log);
    zn_status   status = problem != NULL ? parse_checked(given, log, problem) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        *out = problem;
    else
        zn_problem_destroy(problem);
    return status;
}

// --- where the text comes from -----------------------------------------------------------------------

static zn_status create_from_text(const zn_problem_def *def, const char *text, size_t size, zn_log log,
                                  zn_problem **out)
{
    zn_problem_text given = {.text = text,
                             .size = size,
                             .name = def->path,
                             .override_count = def->override_count,
                             .overrides = def->overrides,
                             .allow_count = def->allow_count,
                             .allow = def->allow};
    return zn_problem_parse_text(&given, log, out);
}

static zn_status create_from_file(const zn_problem_def *def, zn_log log, zn_problem **out)
{
    char      message[512];
    char     *text;
    size_t    size;
    zn_status status = zn_text_file_read(def->path, &text, &size, message, sizeof message);
    if (status != ZN_OK)
        return zn_fail(&log, status, "%s", message);
    if (zn_begins_as_hdf5(text, size)) {
        free(text);
        return zn_fail(&log, ZN_ERR_IO, "%s: not a model but HDF5, such as results are", def->path);
    }
    status = create_from_text(def, text, size, log, out);
    free(text);
    return status;
}

zn_status zn_problem_create(const zn_problem_def *def, zn_log log, zn_problem **out)
{
    ZN_TAKE_DEF(zn_problem_def, def, &log);
    if (def->path == NULL || out == NULL || (def->result && def->text != NULL))
        return zn_fail(&log, ZN_ERR_ARGUMENT, "zn_problem_create: %s",
                       def->path == NULL ? "it needs a path"
                       : out == NULL     ? "no place for the answer"
                                         : "a result is read from its file");
    if (def->result)
        return zn_problem_create_from_result(def, log, out);
    return def->text != NULL ? create_from_text(def, def->text, def->text_size, log, out)
                             : create_from_file(def, log, out);
}

zn_status zn_problem_parse(const char *text, size_t size, const char *name, int override_count,
                           const char *const *override_list, zn_log log, zn_problem **out)
{
    zn_problem_def def = zn_problem_def_default();
    def.path = name;
    def.text = text;
    def.text_size = size;
    def.override_count = override_count;
    def.overrides = override_list;
    return text == NULL ? ZN_ERR_ARGUMENT : zn_problem_create(&def, log, out);
}

zn_status zn_problem_read(const char *path, int override_count, const char *const *override_list, zn_log log,
                          zn_problem **out)
{
    zn_problem_def def = zn_problem_def_default();
    def.path = path;
    def.override_count = override_count;
    def.overrides = override_list;
    return zn_problem_create(&def, log, out);
}

zn_status zn_problem_from_result(const char *path, int override_count, const char *const *override_list, zn_log log,
                                 zn_problem **out)
{
    zn_problem_def def = zn_problem_def_default();
    def.path = path;
    def.override_count = override_count;
    def.overrides = override_list;
    def.result = true;
    return zn_problem_create(&def, log, out);
}
