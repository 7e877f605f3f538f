#include <stdio.h>
#include <string.h>

#include "io/places.h"
#include "io/scope.h"
#include "zn/base.h"

// "left[2]::link[3]" as "left::link".
static void strip_indices(const char *name, size_t length, char out[ZN_NAME_LENGTH + 1])
{
    size_t used = 0, depth = 0;
    for (size_t i = 0; i < length && used < ZN_NAME_LENGTH; i++) {
        depth += name[i] == '[';
        if (depth == 0)
            out[used++] = name[i];
        depth -= depth > 0 && name[i] == ']';
    }
    out[used] = '\0';
}

static const char *file_of(const zn_yaml_node *node, const char *file)
{
    return node->scope != NULL ? node->scope->level->file : file;
}

// An object that is no copy of the one before.
static bool is_new(int i, const zn_yaml_node *const *nodes)
{
    const zn_yaml_node *a = nodes[i], *b = i > 0 ? nodes[i - 1] : NULL;
    if (a == NULL || a->key == NULL)
        return false;
    return b == NULL || a->key_line != b->key_line || a->key_column != b->key_column ||
           file_of(a, NULL) != file_of(b, NULL);
}

static bool keep(const zn_yaml_node *node, const char *file, zn_pool *pool, zn_place *out)
{
    char name[ZN_NAME_LENGTH + 1];
    strip_indices(node->key, strlen(node->key), name);
    *out = (zn_place){zn_pool_string(pool, name), zn_pool_string(pool, file_of(node, file)), node->key_line,
                      node->key_column};
    return out->name != NULL && out->file != NULL;
}

bool zn_places_keep(zn_places *places, zn_pool *pool, const char *file, int count, const zn_yaml_node *const *nodes)
{
    int fresh = 0;
    for (int i = 0; i < count; i++)
        fresh += is_new(i, nodes);
    zn_place *list = zn_pool_alloc(pool, (size_t)fresh, sizeof *list);
    *places = (zn_places){0, list};
    for (int i = 0; list != NULL && i < count; i++)
        if (is_new(i, nodes) && !keep(nodes[i], file, pool, &list[places->count++]))
            return false;
    return list != NULL;
}

// The first words of a message and of what is behind its first colon are letters; what they are about is in quotes.
static bool find_subject(const char *message, char name[ZN_NAME_LENGTH + 1])
{
    static const char words[] = "abcdefghijklmnopqrstuvwxyz_ ";
    const char       *at = message + strspn(message, words);
    if (at[0] == ':' && at[1] == ' ')
        at += 2 + strspn(at + 2, words);
    const char *end = *at == '\'' ? strchr(at + 1, '\'') : NULL;
    if (end != NULL)
        strip_indices(at + 1, (size_t)(end - at - 1), name);
    return end != NULL;
}

// Also "pin_motion" of a joint "pin".
static const zn_place *find(const zn_places *places, const char *name)
{
    static const char *const after[] = {"", "_motion", "_limits", "_friction", "_clamp", "_spring", "_tie"};
    for (size_t k = 0; k < sizeof after / sizeof *after; k++) {
        size_t length = strlen(name), own = strlen(after[k]);
        if (own >= length || strcmp(name + length - own, after[k]) != 0)
            continue;
        for (int i = 0; i < places->count; i++)
            if (strncmp(places->list[i].name, name, length - own) == 0 && places->list[i].name[length - own] == '\0')
                return &places->list[i];
    }
    return NULL;
}

const char *zn_places_of(const zn_places *places, const char *message, char text[ZN_PLACE_LENGTH])
{
    char            name[ZN_NAME_LENGTH + 1];
    const zn_place *p = find_subject(message, name) ? find(places, name) : NULL;
    text[0] = '\0';
    if (p != NULL)
        snprintf(text, ZN_PLACE_LENGTH, "%s:%d:%d: ", p->file, p->line, p->column);
    return text;
}
