// `repeat: {i: 0..29, j: 0..i}`: the indices and their bounds, which may use parameters and indices before them.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "io/expand.h"

// Name of an index, unlike all constants.
static bool check_index(zn_expansion *x, const zn_loop *l, const zn_yaml_node *node, int number)
{
    zn_reader      *r = x->reader;
    const zn_level *level = l->at->level;
    if (!zn_bind_check_name(r, node))
        return false;
    bool known = false;
    for (int i = 0; i < level->count + number; i++)
        known = known || strcmp(i < level->count ? level->names[i] : l->scope.names[i - level->count], node->key) == 0;
    if (strchr(node->key, '-') != NULL || zn_expression_is_reserved(node->key))
        zn_complain_key(r, node, "'%s' cannot be the name of an index", node->key);
    else if (known)
        zn_complain_key(r, node, "the index '%s' has the name of a parameter or of another index", node->key);
    else
        return true;
    return false;
}

static bool check_loop(zn_expansion *x, zn_loop *l)
{
    const zn_yaml_node *list = l->repeat;
    const char        **names = zn_expand_alloc(x, ZN_INDICES, sizeof *names);
    zn_reader_at(x->reader, l->at);
    if (names == NULL)
        return false;
    if (list->kind != ZN_YAML_MAP || list->count < 1 || list->count > ZN_INDICES) {
        zn_complain(x->reader, list, "'repeat' is one to %d indices with their bounds, {i: 0..9}, found %s", ZN_INDICES,
                    list->kind == ZN_YAML_MAP ? "another number of them" : zn_yaml_describe(list));
        return false;
    }
    int count = 0;
    l->scope = *l->at;
    l->scope.names = names;
    for (const zn_yaml_node *n = list->first; n != NULL; n = n->next) {
        if (!check_index(x, l, n, count))
            return false;
        names[count++] = n->key;
    }
    return true;
}

// One bound: bytes of the text of the node.
static bool read_bound(zn_expansion *x, const zn_yaml_node *node, const char *text, size_t length, int *out)
{
    zn_yaml_node part = *node;
    double       value;
    char         copy[256];
    if (length >= sizeof copy) {
        zn_complain(x->reader, node, "'%s': a bound has more than 255 characters", node->key);
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    part.text = copy;
    part.verbatim = false;
    if (!zn_read_number(x->reader, &part, node->key, ZN_DIM_NONE, (zn_range){0}, &value))
        return false;
    if (value != floor(value) || fabs(value) > 1e9) {
        zn_complain(x->reader, node, "'%s': a bound is %.9g, not a whole number", node->key, value);
        return false;
    }
    *out = (int)value;
    return true;
}

// Bounds from 0 on, at most a million apart; none where the last is one before the first.
static bool read_bounds(zn_expansion *x, const zn_yaml_node *node, int *from, int *to)
{
    zn_reader  *r = x->reader;
    const char *dots = node->kind == ZN_YAML_SCALAR ? strstr(node->text, "..") : NULL;
    if (dots == NULL) {
        zn_complain(r, node, "'%s' needs a first and a last value, such as 0..9", node->key);
        return false;
    }
    if (!read_bound(x, node, node->text, (size_t)(dots - node->text), from) ||
        !read_bound(x, node, dots + 2, strlen(dots + 2), to))
        return false;
    if (*from < 0)
        zn_complain(r, node, "'%s' begins with %d; indices begin with 0 or more", node->key, *from);
    else if (*to < *from - 1)
        zn_complain(r, node, "'%s' goes backwards, from %d to %d", node->key, *from, *to);
    else if ((double)*to - *from >= ZN_EXPAND_OBJECTS - x->total) {
        zn_complain(r, node, "'%s' goes from %d to %d: more than a million copies", node->key, *from, *to);
        x->stopped = true;
    } else
        return true;
    return false;
}

// How many copies there would be, before one is made; beyond the limit: some number beyond it. -1 after a message.
static int count(zn_expansion *x, zn_loop *l, const zn_yaml_node *index)
{
    int from, to, sum = 0, limit = ZN_EXPAND_OBJECTS - x->total;
    zn_reader_at(x->reader, &l->scope);
    if (!read_bounds(x, index, &from, &to))
        return -1;
    if (index->next == NULL)
        return to - from + 1;
    int depth = l->scope.indices++;
    for (int value = from; value <= to && sum >= 0 && sum <= limit; value++) {
        l->scope.index[depth] = value;
        int more = count(x, l, index->next);
        sum = more < 0 ? -1 : sum + 1 + more;
    }
    l->scope.indices = depth;
    return sum;
}

static bool run(zn_expansion *x, zn_loop *l, const zn_yaml_node *index)
{
    int from, to;
    if (index == NULL) {
        zn_reader_at(x->reader, &l->scope);
        l->emit(x, l);
        l->copies++;
        return !x->stopped && !x->reader->faults->out_of_memory;
    }
    zn_reader_at(x->reader, &l->scope);
    if (!read_bounds(x, index, &from, &to))
        return false;
    int  depth = l->scope.indices++;
    bool good = true;
    for (int value = from; value <= to && good; value++) {
        l->scope.index[depth] = value;
        good = zn_expand_count(x, l->node) && run(x, l, index->next);
    }
    l->scope.indices = depth;
    return good;
}

bool zn_expand_loop(zn_expansion *x, zn_loop *l)
{
    if (!check_loop(x, l))
        return false;
    int copies = count(x, l, l->repeat->first);
    zn_reader_at(x->reader, l->at);
    if (copies > ZN_EXPAND_OBJECTS - x->total) {
        zn_complain(x->reader, l->repeat, "more than a million copies");
        x->stopped = true;
    }
    return copies >= 0 && !x->stopped && run(x, l, l->repeat->first);
}
