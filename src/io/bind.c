// From the tree of a model file to a zn_model. Each function reads one object through its table, resolves the names
// in it and hands it to the public API; joints and contacts have files of their own. An object with faults is left
// out; names that refer to it are not reported as unknown, so that one slip gives one message.
#include "io/bind.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

// --- names -----------------------------------------------------------------------------------------

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_name_char(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

bool zn_bind_is_run_quantity(const char *word)
{
    for (int i = 0; i < zn_quantity_count(); i++) {
        const char *owner, *name, *unit, *help;
        zn_quantity_describe(i, &owner, &name, &unit, &help);
        if (owner[0] == '\0' && strcmp(name, word) == 0)
            return true;
    }
    return false;
}

bool zn_bind_check_name(zn_reader *r, const zn_yaml_node *node)
{
    const char *name = node->key;
    size_t      length = strlen(name);
    bool        good = is_letter(name[0]) || name[0] == '_';
    for (size_t i = 0; i < length; i++)
        good = good && is_name_char(name[i]);
    if (!good)
        zn_complain_key(r, node, "'%s' is not a name: letters, digits, '_' and '-', not a digit or '-' first", name);
    else if (length > ZN_NAME_LENGTH)
        zn_complain_key(r, node, "a name has more than 63 characters");
    else if (strcmp(name, "ground") == 0 || strcmp(name, "t") == 0 || strcmp(name, "pi") == 0)
        zn_complain_key(r, node, "the name '%s' is reserved", name);
    else
        return true;
    return false;
}

bool zn_bind_check_parameter(zn_reader *r, const zn_yaml_node *node)
{
    if (!zn_bind_check_name(r, node))
        return false;
    if (strchr(node->key, '-') != NULL)
        zn_complain_key(r, node, "'%s' would read as a difference; a parameter has no '-' in its name", node->key);
    else if (zn_expression_is_reserved(node->key))
        zn_complain_key(r, node, "'%s' is the name of a function", node->key);
    else
        return true;
    return false;
}

// Sections whose names share the one space of names, in the order in which they are bound.
enum { SECTIONS = 13 };

static const zn_yaml_node *section(const zn_builder *b, int i)
{
    const zn_yaml_node *all[SECTIONS] = {b->file.bodies,   b->file.parts,   b->file.systems,  b->file.points,
                                         b->file.spans,    b->file.springs, b->file.joints,   b->file.shapes,
                                         b->file.contacts, b->file.states,  b->file.controls, b->file.motors,
                                         b->file.loads};
    return all[i];
}

const zn_yaml_node *zn_bind_find(const zn_builder *b, const char *name)
{
    char        base[ZN_NAME_LENGTH + 1];
    const char *bracket = strrchr(name, '[');
    size_t      length = bracket != NULL ? (size_t)(bracket - name) : 0;
    for (int i = 0; i < SECTIONS; i++) {
        const zn_yaml_node *node = zn_yaml_get(section(b, i), name);
        if (node != NULL)
            return node;
    }
    if (length == 0 || length >= sizeof base)
        return NULL;
    memcpy(base, name, length);
    base[length] = '\0';
    for (int i = 0; i < SECTIONS; i++) {
        const zn_yaml_node *node = zn_yaml_get(section(b, i), base);
        if (node != NULL)
            return node;
    }
    return NULL;
}

void zn_bind_offer_names(const zn_builder *b, zn_guess *guess)
{
    for (int i = 0; i < SECTIONS; i++)
        for (const zn_yaml_node *n = section(b, i) != NULL ? section(b, i)->first : NULL; n != NULL; n = n->next)
            zn_guess_offer(guess, n->key);
}

// The search for a near name is only worth it while messages are shown.
static bool is_quiet(const zn_builder *b) { return zn_faults_are_enough(b->reader.faults); }

// A copy that there is not, of a `repeat` that there is.
static bool complain_copy(zn_builder *b, const char *what, const zn_reference *ref)
{
    const zn_space    *space = b->reader.level != NULL ? b->reader.level->space : NULL;
    const char        *name = ref->name;
    const zn_declared *d = NULL;
    for (; space != NULL && d == NULL; space = space->outer)
        if (strncmp(name, space->prefix, strlen(space->prefix)) == 0) {
            const char *inside = name + strlen(space->prefix);
            d = zn_space_find(space, inside, zn_space_word(inside), false, NULL);
        }
    if (d == NULL || d->first == NULL)
        return false;
    const zn_yaml_node *last = d->first;
    for (int i = 1; i < d->copies; i++)
        last = last->next;
    zn_complain_at(&b->reader, ref->line, ref->column, "'%s': there is no '%s'; they go from %s to %s", what, name,
                   d->first->key, last->key);
    return true;
}

static void complain_unknown_node(zn_builder *b, const char *what, const zn_reference *ref)
{
    if (is_quiet(b)) { // it may be there, with faults of its own: not worth a search
        b->reader.faults->count++;
        return;
    }
    char                hint[96];
    zn_guess            guess = zn_guess_begin(ref->name);
    const zn_yaml_node *object = zn_bind_find(b, ref->name);
    bool                part = object != NULL && zn_yaml_get(b->file.parts, object->key) == object;
    bool                body = object != NULL && zn_yaml_get(b->file.bodies, object->key) == object;
    bool                whole = object != NULL && strcmp(object->key, ref->name) == 0;
    const char         *bracket = whole ? NULL : strrchr(ref->name, '[');
    if (body && bracket == NULL && zn_yaml_get(object, "lattice") != NULL) {
        zn_complain_at(&b->reader, ref->line, ref->column,
                       "'%s': '%s' is a lattice; name one of its bodies, such as %s[0]", what, ref->name, ref->name);
        return;
    }
    if (body && bracket == NULL)
        return; // it has faults of its own, reported with it
    if (part && bracket == NULL) {
        zn_complain_at(&b->reader, ref->line, ref->column, "'%s': '%s' is a part; name one of its nodes, such as %s[0]",
                       what, ref->name, ref->name);
        return;
    }
    if (part && !zn_model_has_name(b->model, object->key))
        return;
    if (part) {
        zn_complain_at(&b->reader, ref->line, ref->column, "'%s': part '%s' has no node '%s'", what, object->key,
                       ref->name);
        return;
    }
    if (object == NULL && complain_copy(b, what, ref))
        return;
    for (const zn_yaml_node *n = b->file.bodies == NULL ? NULL : b->file.bodies->first; n; n = n->next)
        zn_guess_offer(&guess, n->key);
    zn_guess_offer(&guess, "ground");
    zn_complain_at(&b->reader, ref->line, ref->column, "'%s': there is no body or node '%s'%s", what, ref->name,
                   zn_guess_text(&guess, hint));
}

bool zn_bind_node(zn_builder *b, const char *what, const zn_reference *ref, bool ground, zn_node_id *out)
{
    if (strcmp(ref->name, "ground") == 0) {
        if (!ground)
            zn_complain_at(&b->reader, ref->line, ref->column, "'%s' cannot be the ground", what);
        *out = (zn_node_id){0};
        return ground;
    }
    *out = zn_model_find_node(b->model, ref->name);
    if (out->value == 0)
        complain_unknown_node(b, what, ref);
    return out->value != 0;
}

// --- objects ---------------------------------------------------------------------------------------

int zn_bind_origin(zn_builder *b, const zn_yaml_node *node)
{
    int before = b->origin_now;
    b->origin[b->origins++] = node;
    zn_bind_origin_back(b, b->origins);
    return before;
}

void zn_bind_origin_back(zn_builder *b, int before)
{
    b->origin_now = before;
    zn_model_set_origin(b->model, before);
}

bool zn_bind_entry(zn_builder *b, const zn_schema *schema, const zn_yaml_node *node, void *out, uint64_t *given)
{
    zn_reader *r = &b->reader;
    snprintf(r->where, sizeof r->where, "%s '%.64s'", schema->name, node->key);
    schema->defaults(out);
    b->current = node;
    zn_reader_enter(r, node);
    bool good = node->scope != NULL || zn_bind_check_name(r, node); // copies were looked at before
    if (good && zn_bind_is_run_quantity(node->key)) {               // "energy.kinetic" must not be ambiguous
        zn_complain_key(r, node, "the name '%s' is reserved", node->key);
        good = false;
    }
    if (good && schema != &zn_schema_material && zn_model_has_name(b->model, node->key)) {
        const zn_yaml_node *first = is_quiet(b) ? node : zn_bind_find(b, node->key);
        const char         *file = first != NULL && first->scope != NULL ? first->scope->level->file : r->faults->file;
        bool                here = r->level == NULL || strcmp(file, r->level->file) == 0;
        zn_complain_key(r, node, "the name '%s' is already used at line %d%s%s", node->key,
                        first != NULL ? first->key_line : 0, here ? "" : " of ", here ? "" : file);
        good = false;
    }
    return zn_schema_read(r, schema, node, out, given) && good;
}

void zn_bind_check(zn_builder *b, zn_status status, int faults_before)
{
    if (status == ZN_ERR_MEMORY)
        b->reader.faults->out_of_memory = true;
    else if (status != ZN_OK && b->reader.faults->count == faults_before)
        zn_complain_key(&b->reader, b->current, "%s", zn_status_text(status));
}

// --- materials -------------------------------------------------------------------------------------

static int by_name(const void *a, const void *b)
{
    return strcmp(((const zn_named_material *)a)->name, ((const zn_named_material *)b)->name);
}

static void read_materials(zn_builder *b)
{
    const zn_yaml_node *list = b->file.materials;
    if (list == NULL)
        return;
    b->materials = zn_pool_alloc(b->reader.pool, (size_t)list->count, sizeof *b->materials);
    if (b->materials == NULL) {
        b->reader.faults->out_of_memory = true;
        return;
    }
    for (const zn_yaml_node *n = list->first; n != NULL; n = n->next) {
        zn_named_material *m = &b->materials[b->material_count++];
        m->name = n->key;
        m->valid = zn_bind_entry(b, &zn_schema_material, n, &m->entry, NULL);
        if (m->valid && zn_bind_is_pair(n)) {
            zn_bind_material_pair(b, n, &m->entry);
            b->material_count--; // parts are not made of it
        }
    }
    zn_reader_enter(&b->reader, NULL);
    qsort(b->materials, (size_t)b->material_count, sizeof *b->materials, by_name);
}

const zn_named_material *zn_bind_material(zn_builder *b, const zn_reference *ref)
{
    zn_named_material        key = {.name = ref->name};
    const zn_named_material *m = NULL;
    if (b->material_count > 0)
        m = bsearch(&key, b->materials, (size_t)b->material_count, sizeof key, by_name);
    if (m == NULL) {
        char     hint[96];
        zn_guess guess = zn_guess_begin(ref->name);
        for (int i = 0; !is_quiet(b) && i < b->material_count; i++)
            zn_guess_offer(&guess, b->materials[i].name);
        zn_complain_at(&b->reader, ref->line, ref->column, "there is no material '%s'%s", ref->name,
                       zn_guess_text(&guess, hint));
    }
    return m != NULL && m->valid ? m : NULL;
}

// --- loads -----------------------------------------------------------------------------------------

static void discard_signals(zn_load_entry *e)
{
    for (int i = 0; i < 3; i++) {
        zn_signal_destroy(e->force[i]);
        zn_signal_destroy(e->acceleration[i]);
        zn_signal_destroy(e->moment[i]);
    }
    zn_signal_destroy(e->torque);
    zn_signal_destroy(e->pressure.value);
}

// Pressure has an object of its own; nothing else goes with it.
static bool check_pressure(zn_builder *b, const zn_yaml_node *node)
{
    for (const zn_yaml_node *n = node->first; n != NULL; n = n->next)
        if (strcmp(n->key, "pressure") != 0) {
            zn_complain_key(&b->reader, n, "'%s' does not go with 'pressure'", n->key);
            return false;
        }
    return true;
}

// A load is either a force or a moment on one body, or an acceleration of many.
static bool check_load(zn_builder *b, const zn_yaml_node *node, uint64_t given, bool *field)
{
    static const char *const of_force[] = {"body", "at", "force", "torque", "moment", "follower"};
    const zn_schema         *s = &zn_schema_load;
    zn_reader               *r = &b->reader;
    *field = zn_schema_given(s, given, "acceleration");
    bool moment = zn_schema_given(s, given, "moment");
    for (int i = 0; *field && i < 6; i++)
        if (zn_schema_given(s, given, of_force[i])) {
            zn_complain_key(r, zn_yaml_get(node, of_force[i]), "'%s' does not go with 'acceleration'", of_force[i]);
            return false;
        }
    if (*field)
        return true;
    for (int i = 1; moment && i < 4; i++)
        if (zn_schema_given(s, given, of_force[i])) {
            zn_complain_key(r, zn_yaml_get(node, of_force[i]), "'%s' does not go with 'moment'; use two loads",
                            of_force[i]);
            return false;
        }
    if (zn_schema_given(s, given, "on")) {
        zn_complain_key(r, zn_yaml_get(node, "on"), "'on' goes with 'acceleration' only");
        return false;
    }
    if (!zn_schema_given(s, given, "body"))
        zn_complain_key(r, node, "key 'body' or 'acceleration' is missing");
    else if (!moment && zn_schema_given(s, given, "follower"))
        zn_complain_key(r, zn_yaml_get(node, "follower"), "'follower' goes with 'moment' only");
    else if (!moment && !zn_schema_given(s, given, "force") && !zn_schema_given(s, given, "torque"))
        zn_complain_key(r, node, "key 'force' or 'torque' is missing");
    else
        return true;
    return false;
}

static bool resolve_parts(zn_builder *b, const zn_references *on, const char ***out)
{
    const char **names = zn_pool_alloc(b->reader.pool, (size_t)on->count, sizeof *names);
    bool         good = names != NULL;
    if (!good)
        b->reader.faults->out_of_memory = true;
    for (int i = 0; names != NULL && i < on->count; i++) {
        const zn_reference *ref = &on->items[i];
        names[i] = ref->name;
        if (zn_model_has_name(b->model, ref->name))
            continue; // the model tells what cannot be accelerated
        good = false;
        if (!is_quiet(b) && zn_bind_find(b, ref->name) != NULL && strchr(ref->name, '[') == NULL)
            continue;
        char     hint[96];
        zn_guess guess = zn_guess_begin(ref->name);
        if (!is_quiet(b))
            zn_bind_offer_names(b, &guess);
        zn_complain_at(&b->reader, ref->line, ref->column, "there is no body or part '%s'%s", ref->name,
                       zn_guess_text(&guess, hint));
    }
    *out = names;
    return good;
}

static bool bind_field(zn_builder *b, const zn_yaml_node *node, const zn_load_entry *e)
{
    const char        **names = NULL;
    zn_acceleration_def def = zn_acceleration_def_default();
    if (e->on.count > 0 && !resolve_parts(b, &e->on, &names))
        return false;
    def.name = node->key;
    def.part_count = e->on.count;
    def.parts = names;
    memcpy(def.acceleration, e->acceleration, sizeof def.acceleration);
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_acceleration(b->model, &def), before);
    return true;
}

static bool bind_force(zn_builder *b, const zn_yaml_node *node, const zn_load_entry *e)
{
    zn_force_def def = zn_force_def_default();
    def.point.at = e->at;
    if (!zn_bind_attachment(b, "body", &e->body, false, &def.point))
        return false;
    def.name = node->key;
    memcpy(def.force, e->force, sizeof def.force);
    def.torque = e->torque;
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_force(b->model, &def), before);
    return true;
}

static bool bind_moment(zn_builder *b, const zn_yaml_node *node, const zn_load_entry *e)
{
    zn_moment_def def = zn_moment_def_default();
    if (!zn_bind_node(b, "body", &e->body, false, &def.node))
        return false;
    def.name = node->key;
    def.follower = e->follower;
    memcpy(def.moment, e->moment, sizeof def.moment);
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_moment(b->model, &def), before);
    return true;
}

static void bind_load(zn_builder *b, const zn_yaml_node *node)
{
    zn_load_entry e;
    uint64_t      given = 0;
    bool          field = false, taken = false; // the model takes the signals over
    bool          good = zn_bind_entry(b, &zn_schema_load, node, &e, &given);
    if (good && zn_schema_given(&zn_schema_load, given, "pressure"))
        taken = check_pressure(b, node) && zn_bind_pressure(b, node, &e.pressure);
    else if (good && check_load(b, node, given, &field))
        taken = field                                               ? bind_field(b, node, &e)
                : zn_schema_given(&zn_schema_load, given, "moment") ? bind_moment(b, node, &e)
                                                                    : bind_force(b, node, &e);
    if (!taken)
        discard_signals(&e);
}

// --- all -------------------------------------------------------------------------------------------

static void bind_each(zn_builder *b, const zn_yaml_node *list, void (*bind)(zn_builder *, const zn_yaml_node *))
{
    for (const zn_yaml_node *n = list != NULL ? list->first : NULL; n != NULL; n = n->next) {
        if (b->reader.faults->out_of_memory)
            return;
        zn_bind_origin(b, n);
        bind(b, n);
    }
    zn_reader_enter(&b->reader, NULL);
    zn_bind_origin_back(b, 0);
}

// Room for all objects; false after a message.
static bool make_origins(zn_builder *b)
{
    size_t count = 0;
    for (int i = 0; i < SECTIONS; i++)
        count += section(b, i) != NULL ? (size_t)section(b, i)->count : 0;
    count += b->file.joints != NULL ? (size_t)b->file.joints->count : 0;     // bound twice
    count += b->file.controls != NULL ? (size_t)b->file.controls->count : 0; // or where their names are met
    count += b->file.states != NULL ? (size_t)b->file.states->count : 0;     // and their rates
    b->origin = zn_pool_alloc(b->reader.pool, count, sizeof *b->origin);
    b->reader.faults->out_of_memory |= b->origin == NULL;
    return b->origin != NULL;
}

void zn_bind_sections(zn_builder *b)
{
    if (!make_origins(b))
        return;
    read_materials(b);
    if (!zn_room_ahead(b))
        return;
    bind_each(b, b->file.bodies, zn_bind_body);
    bind_each(b, b->file.parts, zn_bind_part);
    bind_each(b, b->file.systems, zn_bind_system);
    bind_each(b, b->file.points, zn_bind_point);
    bind_each(b, b->file.spans, zn_bind_span);
    bind_each(b, b->file.springs, zn_bind_spring);
    bind_each(b, b->file.joints, zn_bind_joint);
    bind_each(b, b->file.joints, zn_bind_coupling);
    bind_each(b, b->file.shapes, zn_bind_shape);
    bind_each(b, b->file.contacts, zn_bind_contact);
    bind_each(b, b->file.states, zn_bind_state);
    size_t controls = b->file.controls != NULL ? (size_t)b->file.controls->count : 0;
    b->tried = zn_pool_alloc(b->reader.pool, controls, sizeof *b->tried);
    if (b->tried == NULL) {
        b->reader.faults->out_of_memory = true;
        return;
    }
    b->reader.model = b->model; // from here on expressions may look at it
    b->reader.declare = zn_bind_declare;
    b->reader.declare_user = b;
    bind_each(b, b->file.controls, zn_bind_control);
    bind_each(b, b->file.states, zn_bind_rate);
    bind_each(b, b->file.motors, zn_bind_motor);
    bind_each(b, b->file.loads, bind_load);
    b->room.joint_rows = zn_model_joint_rows(b->model);
    b->reader.model = NULL;
    b->reader.where[0] = '\0';
    b->current = NULL;
}
