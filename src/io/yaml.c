// A composer on libyaml's events. libyaml's own loader has no limit on depth and accepts duplicate keys; this one
// bounds depth, nodes and bytes, and keeps the place of every key and value for the messages of later checks.
// Anchors and aliases are refused: nothing in a model needs them, and they are how small files grow huge.
#include "io/yaml.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/array.h"
#include "io/yaml_fault.h"

typedef struct composer {
    yaml_parser_t parser;
    const char   *text;
    size_t        size;
    zn_pool      *pool;
    zn_faults    *faults;
    int           nodes;
} composer;

static int place(size_t from_zero) { return from_zero < INT_MAX ? (int)from_zero + 1 : INT_MAX; }

static zn_status fault_at(composer *c, yaml_mark_t mark, const char *message)
{
    zn_fault(c->faults, place(mark.line), place(mark.column), "%s", message);
    return ZN_ERR_MODEL;
}

static zn_status no_memory(composer *c)
{
    c->faults->out_of_memory = true;
    return ZN_ERR_MEMORY;
}

// --- faults of the parser --------------------------------------------------------------------------

// Bytes that are no text: libyaml knows the offset only.
static zn_status bad_bytes(composer *c)
{
    size_t offset = c->parser.problem_offset < c->size ? c->parser.problem_offset : c->size;
    int    line = 1, column = 1;
    for (size_t i = 0; i < offset; i++) {
        if (c->text[i] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)c->text[i] & 0xC0) != 0x80) {
            column++;
        }
    }
    const char *problem = c->parser.problem;
    zn_fault(c->faults, line, column, "not valid text: %s", problem != NULL ? problem : "bad bytes");
    return ZN_ERR_MODEL;
}

static zn_status parser_fault(composer *c)
{
    const yaml_parser_t *p = &c->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return no_memory(c);
    if (p->error == YAML_READER_ERROR)
        return bad_bytes(c);
    char            text[256];
    zn_yaml_problem told = {.text = c->text,
                            .size = c->size,
                            .problem = p->problem != NULL ? p->problem : "not valid YAML",
                            .context = p->context,
                            .line = place(p->problem_mark.line),
                            .column = place(p->problem_mark.column),
                            .from_line = place(p->context_mark.line),
                            .from_column = place(p->context_mark.column)};
    zn_yaml_explain(&told, text, sizeof text);
    zn_fault(c->faults, told.line, told.column, "%s", text);
    return ZN_ERR_MODEL;
}

static zn_status next_event(composer *c, yaml_event_t *event)
{
    return yaml_parser_parse(&c->parser, event) ? ZN_OK : parser_fault(c);
}

// --- nodes -----------------------------------------------------------------------------------------

static zn_status check_event(composer *c, const yaml_event_t *e, int depth)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (e->type == YAML_ALIAS_EVENT)
        return fault_at(c, e->start_mark, "aliases (*name) are not supported");
    if (e->type == YAML_SCALAR_EVENT) {
        anchor = e->data.scalar.anchor;
        tag = e->data.scalar.tag;
    } else if (e->type == YAML_SEQUENCE_START_EVENT) {
        anchor = e->data.sequence_start.anchor;
        tag = e->data.sequence_start.tag;
    } else if (e->type == YAML_MAPPING_START_EVENT) {
        anchor = e->data.mapping_start.anchor;
        tag = e->data.mapping_start.tag;
    }
    if (anchor != NULL)
        return fault_at(c, e->start_mark, "anchors (&name) are not supported");
    if (tag != NULL)
        return fault_at(c, e->start_mark, "tags (!name) are not supported");
    if (depth > ZN_YAML_DEPTH)
        return fault_at(c, e->start_mark, "nested more than 64 deep");
    if (++c->nodes > ZN_YAML_NODES)
        return fault_at(c, e->start_mark, "more than two million values");
    return ZN_OK;
}

// Characters of UTF-8 text.
static size_t characters(const char *text, size_t bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

static zn_status scalar_text(composer *c, const yaml_event_t *e, const char **out)
{
    const char *value = (const char *)e->data.scalar.value;
    size_t      length = e->data.scalar.length;
    if (memchr(value, '\0', length) != NULL)
        return fault_at(c, e->start_mark, "a text contains a zero byte");
    if (zn_text_control(value) != NULL)
        return fault_at(c, e->start_mark, "a text contains a control character");
    *out = zn_pool_copy(c->pool, value, length);
    return *out != NULL ? ZN_OK : no_memory(c);
}

static zn_status compose_scalar(composer *c, const yaml_event_t *e, zn_yaml_node *node)
{
    ZN_TRY(scalar_text(c, e, &node->text));
    size_t quotes = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? 0 : 2;
    node->kind = ZN_YAML_SCALAR;
    node->plain = quotes == 0;
    node->verbatim = e->start_mark.line == e->end_mark.line &&
                     e->end_mark.column - e->start_mark.column == characters(node->text, strlen(node->text)) + quotes;
    return ZN_OK;
}

static int by_key(const void *a, const void *b)
{
    const zn_yaml_node *x = *(zn_yaml_node *const *)a, *y = *(zn_yaml_node *const *)b;
    int                 order = strcmp(x->key, y->key);
    if (order != 0)
        return order;
    if (x->key_line != y->key_line)
        return x->key_line < y->key_line ? -1 : 1;
    return (x->key_column > y->key_column) - (x->key_column < y->key_column);
}

// Sorted, equal keys are neighbours: maps of any size are checked in n log n.
static zn_status check_duplicates(composer *c, const zn_yaml_node *map)
{
    const zn_yaml_node **keys = ZN_NEW(const zn_yaml_node *, map->count);
    if (keys == NULL)
        return no_memory(c);
    int n = 0;
    for (const zn_yaml_node *child = map->first; child != NULL; child = child->next)
        keys[n++] = child;
    qsort(keys, (size_t)n, sizeof *keys, by_key);
    zn_status status = ZN_OK;
    for (int i = 1; i < n; i++)
        if (strcmp(keys[i - 1]->key, keys[i]->key) == 0) {
            zn_fault(c->faults, keys[i]->key_line, keys[i]->key_column,
                     "duplicate key '%s', first given at line %d, column %d", keys[i]->key, keys[i - 1]->key_line,
                     keys[i - 1]->key_column);
            status = ZN_ERR_MODEL;
        }
    free(keys);
    return status;
}

static zn_status compose_node(composer *c, const yaml_event_t *e, int depth, zn_yaml_node **out);

// The value of a key has its own event; `key` is the scalar already met.
static zn_status compose_value(composer *c, const yaml_event_t *key, int depth, zn_yaml_node **out)
{
    if (key->type == YAML_SCALAR_EVENT)
        ZN_TRY(check_event(c, key, depth));
    else
        return fault_at(c, key->start_mark, "a key must be a word");
    const char *name;
    ZN_TRY(scalar_text(c, key, &name));

    yaml_event_t event;
    ZN_TRY(next_event(c, &event));
    zn_yaml_node *node;
    zn_status     status = compose_node(c, &event, depth, &node);
    yaml_event_delete(&event);
    if (status != ZN_OK)
        return status;
    node->key = name;
    node->key_line = place(key->start_mark.line);
    node->key_column = place(key->start_mark.column);
    *out = node;
    return ZN_OK;
}

static zn_status compose_children(composer *c, int depth, zn_yaml_node *parent)
{
    zn_yaml_node **tail = &parent->first;
    for (;;) {
        yaml_event_t event;
        ZN_TRY(next_event(c, &event));
        bool      end = event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
        zn_status status = ZN_OK;
        if (!end && parent->kind == ZN_YAML_LIST)
            status = compose_node(c, &event, depth, tail);
        else if (!end)
            status = compose_value(c, &event, depth, tail);
        yaml_event_delete(&event);
        if (status != ZN_OK)
            return status;
        if (end)
            return parent->kind == ZN_YAML_MAP ? check_duplicates(c, parent) : ZN_OK;
        tail = &(*tail)->next;
        parent->count++;
    }
}

static zn_status compose_node(composer *c, const yaml_event_t *e, int depth, zn_yaml_node **out)
{
    ZN_TRY(check_event(c, e, depth));
    zn_yaml_node *node = zn_pool_alloc(c->pool, 1, sizeof *node);
    if (node == NULL)
        return no_memory(c);
    node->line = place(e->start_mark.line);
    node->column = place(e->start_mark.column);
    if (e->type == YAML_SCALAR_EVENT) {
        ZN_TRY(compose_scalar(c, e, node));
    } else {
        node->kind = e->type == YAML_MAPPING_START_EVENT ? ZN_YAML_MAP : ZN_YAML_LIST;
        ZN_TRY(compose_children(c, depth + 1, node));
    }
    *out = node;
    return ZN_OK;
}

// --- document --------------------------------------------------------------------------------------

// Stream start, document start, one node, document end, stream end.
static zn_status compose_stream(composer *c, zn_yaml_node **out)
{
    for (;;) {
        yaml_event_t event;
        ZN_TRY(next_event(c, &event));
        zn_status status = ZN_OK;
        bool      end = event.type == YAML_STREAM_END_EVENT;
        if (event.type == YAML_DOCUMENT_START_EVENT && *out != NULL)
            status = fault_at(c, event.start_mark, "a second document begins here; a model file holds one");
        else if (event.type == YAML_ALIAS_EVENT || event.type == YAML_SCALAR_EVENT ||
                 event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT)
            status = compose_node(c, &event, 1, out);
        else if (end && *out == NULL)
            status = fault_at(c, (yaml_mark_t){0}, "the file is empty");
        yaml_event_delete(&event);
        if (end || status != ZN_OK)
            return status;
    }
}

zn_status zn_yaml_parse(const char *text, size_t size, zn_pool *pool, zn_faults *faults, zn_yaml_node **out)
{
    composer c = {.text = text, .size = size, .pool = pool, .faults = faults};
    if (size > ZN_YAML_BYTES) {
        zn_fault(faults, 0, 0, "the file has more than 64 MB");
        return ZN_ERR_MODEL;
    }
    if (!yaml_parser_initialize(&c.parser))
        return no_memory(&c);
    yaml_parser_set_input_string(&c.parser, (const unsigned char *)text, size);
    zn_yaml_node *root = NULL;
    zn_status     status = compose_stream(&c, &root);
    yaml_parser_delete(&c.parser);
    if (status == ZN_OK)
        *out = root;
    return status;
}

const zn_yaml_node *zn_yaml_get(const zn_yaml_node *map, const char *key)
{
    if (map == NULL || map->kind != ZN_YAML_MAP)
        return NULL;
    for (const zn_yaml_node *child = map->first; child != NULL; child = child->next)
        if (strcmp(child->key, key) == 0)
            return child;
    return NULL;
}

bool zn_yaml_is_null(const zn_yaml_node *node)
{
    return node->kind == ZN_YAML_SCALAR && node->plain &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

const char *zn_yaml_describe(const zn_yaml_node *node)
{
    if (zn_yaml_is_null(node))
        return "nothing";
    if (node->kind == ZN_YAML_SCALAR && node->plain && strchr("+-.0123456789", node->text[0]) != NULL)
        return "a single value";
    return node->kind == ZN_YAML_SCALAR ? "text" : node->kind == ZN_YAML_LIST ? "a list" : "a map";
}

int zn_yaml_column(const zn_yaml_node *node, int offset)
{
    if (node->kind != ZN_YAML_SCALAR || !node->verbatim)
        return node->column;
    size_t bytes = strlen(node->text);
    size_t at = (size_t)offset < bytes ? (size_t)offset : bytes;
    return node->column + (node->plain ? 0 : 1) + (int)characters(node->text, at);
}
