// Groups and included files. A file is read once; what it says is written out wherever it is included.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/expand.h"
#include "io/text_file.h"

// --- parameters ------------------------------------------------------------------------------------

// The value of a parameter of a group or file; one with faults counts as 1.
static double parameter_value(zn_expansion *x, const zn_scope *at, const zn_yaml_node *node)
{
    double value = 1;
    zn_reader_at(x->reader, at);
    zn_read_number(x->reader, node, node->key, ZN_DIM_ANY, (zn_range){0}, &value);
    return value;
}

static int count_of(const zn_yaml_node *list) { return list != NULL ? list->count : 0; }

// --- groups ----------------------------------------------------------------------------------------

static bool check_turn(zn_reader *r, const zn_yaml_node *group)
{
    const zn_yaml_node *angle = zn_yaml_get(group, "angle");
    if (r->planar || angle == NULL)
        return true;
    zn_complain_key(r, angle, "'angle' is for planar models; in space there is 'rotation'");
    return false;
}

// One copy of a group: `scope` is that of the group with its indices.
static void make_group(zn_expansion *x, const zn_scope *scope, const zn_space *outer, const zn_yaml_node *node)
{
    zn_group_entry entry;
    zn_schema_group.defaults(&entry);
    zn_reader_at(x->reader, scope);
    if (!zn_schema_read(x->reader, &x->of_group, node, &entry, NULL) || !check_turn(x->reader, node))
        return;
    const char *prefix = zn_expand_name(x, outer, node, scope, ZN_SCOPE_MARK);
    zn_space   *space = prefix != NULL ? zn_expand_space(x, outer, prefix) : NULL;
    zn_level   *level = zn_expand_level(x, scope, count_of(entry.parameters));
    if (space == NULL || level == NULL)
        return;
    zn_axes own = zn_axes_make(entry.at, entry.rotation, entry.angle);
    level->space = space;
    level->frame = zn_axes_compose(&scope->level->frame, &own);
    for (const zn_yaml_node *n = entry.parameters != NULL ? entry.parameters->first : NULL; n != NULL; n = n->next)
        if (zn_bind_check_parameter(x->reader, n))
            zn_expand_constant(level, n->key, parameter_value(x, scope, n));
    const zn_scope *at = zn_expand_scope(x, (zn_scope){.level = level});
    if (at != NULL && !x->stopped)
        zn_expand_content(x, at, space, &entry);
}

static void emit_group(zn_expansion *x, zn_loop *l) { make_group(x, &l->scope, l->space, l->body); }

void zn_expand_groups(zn_expansion *x, const zn_scope *at, zn_space *space, const zn_yaml_node *groups)
{
    zn_reader *r = x->reader;
    for (const zn_yaml_node *n = groups->first; n != NULL && !x->stopped && !r->faults->out_of_memory; n = n->next) {
        const zn_yaml_node *repeat = zn_yaml_get(n, "repeat");
        zn_reader_at(r, at);
        snprintf(r->where, sizeof r->where, "group '%.64s'", n->key);
        zn_expand_declare(x, space, (zn_declared){.name = n->key, .key = n, .scope = at, .order = x->total});
        if (!zn_bind_check_name(r, n) || !zn_expand_count(x, n) || !zn_expand_descend(x, n))
            continue;
        if (repeat == NULL)
            make_group(x, at, space, n);
        else {
            zn_loop loop = {.at = at, .node = n, .repeat = repeat, .space = space, .emit = emit_group};
            loop.body = zn_expand_without(x, n, "repeat");
            if (loop.body != NULL)
                zn_expand_loop(x, &loop);
        }
        x->depth--;
        r->where[0] = '\0';
    }
}

// --- files -----------------------------------------------------------------------------------------

// Tell the way from a file to itself.
static void complain_circle(zn_expansion *x, const zn_yaml_node *node, int from)
{
    char   way[400] = "";
    size_t used = 0;
    for (int i = from; i < x->chained && used < sizeof way; i++)
        used += (size_t)snprintf(way + used, sizeof way - used, "%s -> ", x->chain[i]);
    zn_complain(x->reader, node, "the file includes itself: %s%s", way, x->chain[from]);
}

static bool is_circle(zn_expansion *x, const zn_yaml_node *node, const char *path)
{
    for (int i = 0; i < x->chained; i++)
        if (strcmp(x->chain[i], path) == 0 || zn_is_same_file(x->chain[i], path)) {
            complain_circle(x, node, i);
            return true;
        }
    return false;
}

// Parse what was read; faults are in that file.
static bool parse_file(zn_expansion *x, const zn_input_text *text, zn_loaded *file)
{
    zn_reader     *r = x->reader;
    zn_fault_place before = r->faults->place;
    zn_yaml_node  *root = NULL;
    r->faults->place = (zn_fault_place){.file = file->path};
    zn_status status = zn_yaml_parse(text->text, text->length, r->pool, r->faults, &root);
    r->faults->place = before;
    file->root = root;
    return status == ZN_OK;
}

// A file that was not met before.
static zn_loaded *load_new(zn_expansion *x, const zn_yaml_node *node, const char *name, const char *path)
{
    zn_reader    *r = x->reader;
    char          message[600] = "";
    zn_input_text text = {0};
    if (x->files == ZN_EXPAND_FILES) {
        zn_complain(r, node, "more than %d files are included", ZN_EXPAND_FILES);
        x->stopped = true;
        return NULL;
    }
    zn_loaded *file = &x->file[x->files++];
    *file = (zn_loaded){.name = name, .path = path};
    zn_status status = zn_inputs_include(r->inputs, r->path, name, &text, message, sizeof message);
    if (status == ZN_OK)
        parse_file(x, &text, file);
    else if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else
        zn_complain(r, node, "%s", message);
    free(text.text);
    free(text.path);
    return file;
}

// The tree of a file that is sought beside the first one; NULL after a message.
static const zn_loaded *load(zn_expansion *x, const zn_yaml_node *node, const char *name)
{
    zn_reader  *r = x->reader;
    char       *beside = zn_text_file_beside(r->path, name);
    const char *path = beside != NULL ? zn_pool_string(r->pool, beside) : NULL;
    zn_loaded  *file = NULL;
    free(beside);
    r->faults->out_of_memory |= path == NULL;
    if (path == NULL || is_circle(x, node, path))
        return NULL;
    for (int i = 0; i < x->files; i++)
        if (strcmp(x->file[i].name, name) == 0)
            file = &x->file[i];
    if (file == NULL)
        file = load_new(x, node, name, path);
    return file != NULL && file->root != NULL ? file : NULL; // else it has faults that are told
}

// --- included files --------------------------------------------------------------------------------

// What only the model as a whole has.
static bool check_keys(zn_reader *r, const zn_yaml_node *root)
{
    static const char *const whole[] = {"gravity", "run", "limits", "reference"};
    bool                     good = true;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        const zn_yaml_node *node = zn_yaml_get(root, whole[i]);
        if (node != NULL)
            zn_complain_key(r, node, "'%s' has no place in a file that is included", whole[i]);
        good = good && node == NULL;
    }
    return good;
}

// Version and plane are those of the model.
static bool check_kind(zn_reader *r, const zn_yaml_node *root, const zn_group_entry *entry)
{
    if (entry->version != 1)
        zn_complain(r, zn_yaml_get(root, "zeno"), "format version %d is not known; this program reads version 1",
                    entry->version);
    else if (zn_yaml_get(root, "planar") != NULL && entry->planar != r->planar)
        zn_complain(r, zn_yaml_get(root, "planar"), "the file that includes it is %s",
                    r->planar ? "planar" : "not planar");
    else
        return true;
    return false;
}

// Every value given is one of a parameter of the file.
static void check_values(zn_reader *r, const zn_yaml_node *given, const zn_yaml_node *parameters, const char *name)
{
    for (const zn_yaml_node *n = given != NULL ? given->first : NULL; n != NULL; n = n->next) {
        char     hint[96];
        zn_guess guess = zn_guess_begin(n->key);
        if (zn_yaml_get(parameters, n->key) != NULL)
            continue;
        for (const zn_yaml_node *p = parameters != NULL ? parameters->first : NULL; p != NULL; p = p->next)
            zn_guess_offer(&guess, p->key);
        zn_complain_key(r, n, "the file '%.100s' has no parameter '%s'%s", name, n->key, zn_guess_text(&guess, hint));
    }
}

// The parameters of the file: values given outside, else its own, which may use those before it.
static void set_parameters(zn_expansion *x, const zn_scope *outside, const zn_yaml_node *const given[2],
                           const zn_yaml_node *parameters, zn_level *level)
{
    for (const zn_yaml_node *n = parameters != NULL ? parameters->first : NULL; n != NULL; n = n->next) {
        zn_scope            inside = {.level = level};
        const zn_yaml_node *value = zn_yaml_get(given[0], n->key);
        value = value != NULL ? value : zn_yaml_get(given[1], n->key);
        zn_reader_at(x->reader, &inside);
        if (zn_bind_check_parameter(x->reader, n))
            zn_expand_constant(level, n->key, parameter_value(x, value != NULL ? outside : &inside, value ? value : n));
    }
}

static const char *folder_of(zn_expansion *x, const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *folder = zn_pool_copy(x->reader->pool, name, slash != NULL ? (size_t)(slash - name) + 1 : 0);
    x->reader->faults->out_of_memory |= folder == NULL;
    return folder;
}

// A file at this place, with values for its parameters.
static void include_file(zn_expansion *x, const zn_scope *at, zn_space *space, const zn_loaded *file,
                         const zn_yaml_node *const given[2])
{
    zn_reader     *r = x->reader;
    zn_group_entry entry;
    zn_scope       none = *at;
    zn_level      *level = zn_expand_level(x, &none, count_of(zn_yaml_get(file->root, "parameters")));
    const char    *folder = folder_of(x, file->name);
    if (level == NULL || folder == NULL)
        return;
    level->count = 0; // it knows its own names only
    level->file = file->path;
    level->folder = folder;
    const zn_scope *inside = zn_expand_scope(x, (zn_scope){.level = level});
    if (inside == NULL)
        return;
    zn_schema_group.defaults(&entry);
    zn_reader_at(r, inside);
    r->where[0] = '\0';
    if (!check_keys(r, file->root) || !zn_schema_read(r, &x->of_file, file->root, &entry, NULL) ||
        !check_kind(r, file->root, &entry))
        return;
    zn_reader_at(r, at);
    check_values(r, given[0], entry.parameters, file->name);
    check_values(r, given[1], entry.parameters, file->name);
    set_parameters(x, at, given, entry.parameters, level);
    zn_expand_content(x, inside, space, &entry);
}

static void include_one(zn_expansion *x, const zn_scope *at, zn_space *space, const zn_yaml_node *node,
                        const zn_yaml_node *parameters)
{
    zn_reader       *r = x->reader;
    zn_include_entry e = {0};
    zn_reader_at(r, at);
    if (zn_yaml_is_null(node) || node->kind == ZN_YAML_LIST) {
        zn_complain(r, node, "'include' is the name of a file, or {file: NAME, parameters: {...}}, found %s",
                    zn_yaml_describe(node));
        return;
    }
    if (node->kind == ZN_YAML_SCALAR)
        e.file = node->text;
    else if (!zn_schema_read(r, &zn_schema_include, node, &e, NULL))
        return;
    const char         *name = zn_reader_file(r, e.file);
    const zn_yaml_node *place = node->kind == ZN_YAML_SCALAR ? node : zn_yaml_get(node, "file");
    if (name == NULL || !zn_expand_count(x, place) || !zn_expand_descend(x, place))
        return;
    const zn_loaded *file = load(x, place, name);
    if (file != NULL) {
        x->chain[x->chained++] = file->path;
        include_file(x, at, space, file, (const zn_yaml_node *const[2]){e.parameters, parameters});
        x->chained--;
    }
    x->depth--;
}

void zn_expand_include(zn_expansion *x, const zn_scope *at, zn_space *space, const zn_group_entry *entry)
{
    const zn_yaml_node *node = entry->include, *values = space->outer != NULL ? entry->parameters : NULL;
    zn_reader_at(x->reader, at);
    if (node->kind != ZN_YAML_LIST)
        include_one(x, at, space, node, values);
    for (const zn_yaml_node *n = node->kind == ZN_YAML_LIST ? node->first : NULL; n != NULL && !x->stopped; n = n->next)
        include_one(x, at, space, n, values);
}
