// The tree of a model file with all its copies, groups and included files written out. Copies share the keys of the
// object that they repeat and differ in name and scope: a thousand of them are a thousand small nodes.
#include "io/expand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct space_list {
    zn_space           space;
    struct space_list *next;
};

// --- memory ----------------------------------------------------------------------------------------

void *zn_expand_alloc(zn_expansion *x, size_t count, size_t size)
{
    void *data = zn_pool_alloc(x->reader->pool, count > 0 ? count : 1, size);
    x->reader->faults->out_of_memory |= data == NULL;
    return data;
}

zn_scope *zn_expand_scope(zn_expansion *x, zn_scope scope)
{
    zn_scope *copy = zn_expand_alloc(x, 1, sizeof *copy);
    if (copy != NULL)
        *copy = scope;
    return copy;
}

zn_level *zn_expand_level(zn_expansion *x, const zn_scope *from, int more)
{
    zn_level *level = zn_expand_alloc(x, 1, sizeof *level);
    int       count = from != NULL ? from->level->count + from->indices : 0;
    size_t    room = (size_t)count + (size_t)more + ZN_INDICES;
    if (level == NULL)
        return NULL;
    if (from != NULL)
        *level = *from->level;
    const char **names = zn_expand_alloc(x, room, sizeof *names);
    double      *values = zn_expand_alloc(x, room, sizeof *values);
    if (names == NULL || values == NULL)
        return NULL;
    if (from != NULL) {
        char note[96];
        zn_reader_at(x->reader, from); // its indices are behind its constants
        memcpy(names, from->level->names, sizeof *names * (size_t)count);
        memcpy(values, from->level->values, sizeof *values * (size_t)count);
        zn_scope_note(from, note, sizeof note);
        level->note = zn_pool_string(x->reader->pool, note);
    }
    level->count = count;
    level->names = names;
    level->values = values;
    x->reader->faults->out_of_memory |= from != NULL && level->note == NULL;
    return from != NULL && level->note == NULL ? NULL : level;
}

void zn_expand_constant(zn_level *level, const char *name, double value)
{
    int i = 0;
    while (i < level->count && strcmp(level->names[i], name) != 0)
        i++;
    level->names[i] = name;
    level->values[i] = value;
    level->count += i == level->count;
}

// --- limits ----------------------------------------------------------------------------------------

bool zn_expand_count(zn_expansion *x, const zn_yaml_node *node)
{
    if (x->stopped)
        return false;
    if (++x->total <= ZN_EXPAND_OBJECTS)
        return true;
    zn_complain_key(x->reader, node, "more than a million copies, groups and included files");
    x->stopped = true;
    return false;
}

bool zn_expand_descend(zn_expansion *x, const zn_yaml_node *node)
{
    if (x->depth >= ZN_EXPAND_DEPTH) {
        zn_complain_key(x->reader, node, "groups and files are nested more than %d deep", ZN_EXPAND_DEPTH);
        return false;
    }
    x->depth++;
    return true;
}

// --- names -----------------------------------------------------------------------------------------

zn_space *zn_expand_space(zn_expansion *x, const zn_space *outer, const char *prefix)
{
    struct space_list *entry = zn_expand_alloc(x, 1, sizeof *entry);
    if (entry == NULL)
        return NULL;
    entry->space = (zn_space){.prefix = prefix, .outer = outer};
    entry->next = x->spaces;
    x->spaces = entry;
    return &entry->space;
}

bool zn_expand_declare(zn_expansion *x, zn_space *space, zn_declared entry)
{
    if (space->count == space->capacity) {
        int          capacity = space->capacity > 0 ? 2 * space->capacity : 16;
        zn_declared *list = zn_expand_alloc(x, (size_t)capacity, sizeof *list);
        if (list == NULL)
            return false;
        if (space->count > 0)
            memcpy(list, space->list, sizeof *list * (size_t)space->count);
        space->list = list;
        space->capacity = capacity;
    }
    space->list[space->count++] = entry;
    return true;
}

static int by_name(const void *a, const void *b)
{
    const zn_declared *x = a, *y = b;
    int                order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->material > y->material) - (x->material < y->material);
}

// Names of copies and groups are nobody else's. What is bound under its own name is looked at there.
static void check_names(zn_expansion *x, const zn_space *space)
{
    for (int i = 1; i < space->count; i++) {
        const zn_declared *a = &space->list[i - 1], *b = &space->list[i];
        if (by_name(a, b) != 0 || (a->plain && b->plain))
            continue;
        const zn_declared *later = b->order > a->order ? b : a, *first = later == a ? b : a;
        zn_reader_at(x->reader, later->scope);
        zn_complain_key(x->reader, later->key, "the name '%s' is already used at line %d", later->name,
                        first->key->key_line);
    }
}

const char *zn_expand_name(zn_expansion *x, const zn_space *space, const zn_yaml_node *node, const zn_scope *scope,
                           const char *end)
{
    char   text[4 * ZN_NAME_LENGTH];
    size_t used = (size_t)snprintf(text, sizeof text, "%s%.64s", space->prefix, node->key);
    for (int i = 0; i < scope->indices && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "[%d]", scope->index[i]);
    if (used > ZN_NAME_LENGTH) {
        zn_complain_key(x->reader, node, "the name '%s' has more than %d characters", text, ZN_NAME_LENGTH);
        return NULL;
    }
    snprintf(text + used, sizeof text - used, "%s", end);
    const char *name = zn_pool_string(x->reader->pool, text);
    x->reader->faults->out_of_memory |= name == NULL;
    return name;
}

// --- objects ---------------------------------------------------------------------------------------

static void append(zn_expanded *section, zn_yaml_node *node)
{
    node->next = NULL;
    if (section->last != NULL)
        section->last->next = node;
    else
        section->first = node;
    section->last = node;
    section->count++;
}

zn_yaml_node *zn_expand_without(zn_expansion *x, const zn_yaml_node *node, const char *key)
{
    zn_yaml_node *copy = zn_expand_alloc(x, 1, sizeof *copy);
    if (copy == NULL)
        return NULL;
    *copy = *node;
    zn_yaml_node **tail = &copy->first;
    copy->count = 0;
    for (const zn_yaml_node *n = node->first; n != NULL; n = n->next) {
        if (strcmp(n->key, key) == 0)
            continue;
        if ((*tail = zn_expand_alloc(x, 1, sizeof **tail)) == NULL)
            return NULL;
        **tail = *n;
        tail = &(*tail)->next;
        copy->count++;
    }
    *tail = NULL;
    return copy;
}

// A copy of the object under its full name.
static zn_yaml_node *copy_object(zn_expansion *x, const zn_yaml_node *node, const zn_space *space,
                                 const zn_scope *scope)
{
    zn_yaml_node   *copy = zn_expand_alloc(x, 1, sizeof *copy);
    const zn_scope *own = zn_expand_scope(x, *scope);
    const char     *name = zn_expand_name(x, space, node, scope, "");
    if (copy == NULL || own == NULL || name == NULL)
        return NULL;
    *copy = *node;
    copy->key = name;
    copy->scope = own;
    return copy;
}

static void emit_object(zn_expansion *x, zn_loop *l)
{
    zn_yaml_node *copy = copy_object(x, l->body, l->space, &l->scope);
    x->stopped = x->stopped || copy == NULL;
    if (copy == NULL)
        return;
    append(&x->section[l->section], copy);
    l->first = l->copies == 0 ? copy : l->first;
}

static void say_where(zn_expansion *x, int section, const zn_yaml_node *node)
{
    const zn_schema *schema = x->section[section].key->object;
    snprintf(x->reader->where, sizeof x->reader->where, "%s '%.64s'", schema != NULL ? schema->name : "record",
             node->key);
}

static void expand_object(zn_expansion *x, const zn_scope *at, zn_space *space, int section, zn_yaml_node *node)
{
    const zn_schema    *schema = x->section[section].key->object;
    const zn_yaml_node *repeat = node->kind == ZN_YAML_MAP && schema != NULL ? zn_yaml_get(node, "repeat") : NULL;
    bool                home = at->level == x->reader->home.level;
    zn_declared         entry = {.name = node->key,
                                 .material = schema == &zn_schema_material,
                                 .key = node,
                                 .scope = at,
                                 .plain = repeat == NULL,
                                 .order = x->total};
    zn_reader_at(x->reader, at);
    say_where(x, section, node);
    if (!zn_expand_count(x, node))
        return;
    if (repeat == NULL) { // names of the file itself are looked at later
        zn_yaml_node *copy = home ? node : zn_bind_check_name(x->reader, node) ? copy_object(x, node, space, at) : NULL;
        if (copy != NULL)
            append(&x->section[section], copy);
    } else {
        zn_loop loop = {
            .at = at, .node = node, .repeat = repeat, .space = space, .section = section, .emit = emit_object};
        loop.body = zn_expand_without(x, node, "repeat");
        if (loop.body == NULL || !zn_bind_check_name(x->reader, node) || !zn_expand_loop(x, &loop))
            return;
        entry.first = loop.first;
        entry.copies = loop.copies;
    }
    if (schema != NULL) // a record is no object
        zn_expand_declare(x, space, entry);
}

void zn_expand_content(zn_expansion *x, const zn_scope *at, zn_space *space, const zn_group_entry *entry)
{
    for (int i = 0; i < x->sections; i++) {
        const zn_yaml_node *list = entry->section[i];
        zn_yaml_node       *next;
        for (zn_yaml_node *n = list != NULL && list->kind == ZN_YAML_MAP ? list->first : NULL; n != NULL; n = next) {
            next = n->next; // it may move to another list
            if (x->stopped || x->reader->faults->out_of_memory)
                return;
            expand_object(x, at, space, i, n);
        }
    }
    x->reader->where[0] = '\0';
    if (entry->include != NULL)
        zn_expand_include(x, at, space, entry);
    if (entry->groups != NULL && entry->groups->kind == ZN_YAML_MAP)
        zn_expand_groups(x, at, space, entry->groups);
}

// --- the file --------------------------------------------------------------------------------------

static bool is_section(const zn_schema_key *key)
{
    if (key->kind != ZN_KEY_MAP)
        return false;
    return strcmp(key->name, "record") == 0 || (key->object != NULL && key->object != &zn_schema_group);
}

// A table with the sections of the file behind its own keys.
static bool make_table(zn_expansion *x, const zn_schema *own, zn_schema *out)
{
    zn_schema_key *keys = zn_expand_alloc(x, (size_t)(own->count + x->sections), sizeof *keys);
    if (keys == NULL)
        return false;
    memcpy(keys, own->keys, sizeof *keys * (size_t)own->count);
    for (int i = 0; i < x->sections; i++) {
        keys[own->count + i] = *x->section[i].key;
        keys[own->count + i].offset = offsetof(zn_group_entry, section) + sizeof(zn_yaml_node *) * (size_t)i;
        keys[own->count + i].required = false;
    }
    *out = *own;
    out->count = own->count + x->sections;
    out->keys = keys;
    return true;
}

static bool prepare(zn_expansion *x)
{
    for (int i = 0; i < zn_schema_file.count && x->sections < ZN_SECTIONS_MAX; i++)
        if (is_section(&zn_schema_file.keys[i]))
            x->section[x->sections++].key = &zn_schema_file.keys[i];
    return make_table(x, &zn_schema_group, &x->of_group) && make_table(x, &zn_schema_included, &x->of_file);
}

// Does the file have anything to write out?
static bool is_plain(const zn_expansion *x, const zn_yaml_node *root)
{
    if (zn_yaml_get(root, "include") != NULL || zn_yaml_get(root, "groups") != NULL)
        return false;
    for (int i = 0; i < x->sections; i++) {
        const zn_yaml_node *list = zn_yaml_get(root, x->section[i].key->name);
        for (const zn_yaml_node *n = list != NULL && list->kind == ZN_YAML_MAP ? list->first : NULL; n; n = n->next)
            if (zn_yaml_get(n, "repeat") != NULL)
                return false;
    }
    return true;
}

// The root with its sections as they are now.
static void replace_root(zn_expansion *x, const zn_yaml_node *old)
{
    zn_yaml_node *root = zn_expand_alloc(x, 1, sizeof *root), **tail = root != NULL ? &root->first : NULL;
    if (root == NULL)
        return;
    *root = *old;
    root->count = 0;
    for (const zn_yaml_node *n = old->first; n != NULL; n = n->next, root->count++) {
        if ((*tail = zn_expand_alloc(x, 1, sizeof **tail)) == NULL)
            return;
        **tail = *n;
        tail = &(*tail)->next;
    }
    *tail = NULL;
    for (int i = 0; i < x->sections; i++) {
        zn_yaml_node *list = (zn_yaml_node *)zn_yaml_get(root, x->section[i].key->name);
        if ((list == NULL && x->section[i].first == NULL) || (list != NULL && list->kind != ZN_YAML_MAP))
            continue; // nothing of that kind, or told later
        if (list == NULL) {
            if ((list = *tail = zn_expand_alloc(x, 1, sizeof *list)) == NULL)
                return;
            *list = (zn_yaml_node){.kind = ZN_YAML_MAP,
                                   .line = 1,
                                   .column = 1,
                                   .key = x->section[i].key->name,
                                   .key_line = 1,
                                   .key_column = 1};
            tail = &list->next;
            root->count++;
        }
        list->first = x->section[i].first;
        list->count = x->section[i].count;
    }
    x->builder->root = root;
}

void zn_expand(zn_builder *b)
{
    zn_expansion x = {.builder = b, .reader = &b->reader};
    zn_reader   *r = &b->reader;
    if (!prepare(&x) || is_plain(&x, b->root))
        return;
    zn_space *space = zn_expand_space(&x, NULL, "");
    zn_level *level = zn_expand_level(&x, NULL, r->constants.count);
    if (space == NULL || level == NULL)
        return;
    *level = (zn_level){.file = r->faults->file,
                        .folder = "",
                        .note = "",
                        .space = space,
                        .names = level->names,
                        .values = level->values,
                        .frame.turn = {1, 0, 0, 0}};
    for (int i = 0; i < r->constants.count; i++)
        zn_expand_constant(level, r->constants.names[i], r->constants.values[i]);
    r->home = (zn_scope){.level = level};
    zn_group_entry entry = {.include = zn_yaml_get(b->root, "include"), .groups = zn_yaml_get(b->root, "groups")};
    for (int i = 0; i < x.sections; i++)
        entry.section[i] = zn_yaml_get(b->root, x.section[i].key->name);
    x.chain[x.chained++] = r->path;
    zn_expand_content(&x, &r->home, space, &entry);
    for (struct space_list *s = x.spaces; s != NULL; s = s->next) {
        if (s->space.count > 0)
            qsort(s->space.list, (size_t)s->space.count, sizeof *s->space.list, by_name);
        check_names(&x, &s->space);
    }
    r->where[0] = '\0';
    zn_reader_at(r, &r->home);
    replace_root(&x, b->root);
}
