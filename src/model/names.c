// Names: an array of entries and an open-addressing hash table over it (FNV-1a).
#include "model/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

static uint32_t hash(const char *text)
{
    uint32_t h = 2166136261u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

// Slot that holds the name, or the empty one where it belongs.
static int slot_of(const zn_names *names, const char *name)
{
    ZN_ASSERT(names->slots > 0 && name);
    uint32_t mask = (uint32_t)names->slots - 1u, at = hash(name) & mask;
    while (names->slot[at] && strcmp(names->entry[names->slot[at] - 1].name, name) != 0)
        at = (at + 1u) & mask;
    return (int)at;
}

// Keep the table at most half full.
static zn_status make_room(zn_names *names)
{
    if (names->slots > 2 * (names->count + 1))
        return ZN_OK;
    int  slots = names->slots ? 2 * names->slots : 64;
    int *slot = ZN_NEW(int, slots);
    if (!slot)
        return ZN_ERR_MEMORY;
    free(names->slot);
    names->slot = slot;
    names->slots = slots;
    for (int i = 0; i < names->count; i++)
        slot[slot_of(names, names->entry[i].name)] = i + 1;
    return ZN_OK;
}

zn_status zn_names_add(zn_names *names, const char *name, zn_named what)
{
    ZN_ASSERT(name);
    ZN_TRY(make_room(names));
    int at = slot_of(names, name);
    if (names->slot[at])
        return ZN_ERR_MODEL;
    what.name = zn_copy_string(name);
    if (!what.name)
        return ZN_ERR_MEMORY;
    zn_status status = ZN_PUSH(names->entry, names->count, names->capacity, what);
    if (status != ZN_OK)
        free(what.name);
    else
        names->slot[at] = names->count;
    return status;
}

const zn_named *zn_names_find(const zn_names *names, const char *name)
{
    if (!names->slots || !name)
        return NULL;
    int i = names->slot[slot_of(names, name)];
    return i ? &names->entry[i - 1] : NULL;
}

int zn_names_find_node(const zn_names *names, const char *name)
{
    const zn_named *exact = zn_names_find(names, name);
    if (exact)
        return exact->kind == ZN_NAMED_NODE || exact->kind == ZN_NAMED_BODY ? exact->node : -1;
    const char *bracket = name ? strrchr(name, '[') : NULL;
    char        stem[256];
    if (!bracket || bracket[1] < '0' || bracket[1] > '9' || (size_t)(bracket - name) >= sizeof stem)
        return -1;
    memcpy(stem, name, (size_t)(bracket - name));
    stem[bracket - name] = '\0';
    char           *end;
    long            index = strtol(bracket + 1, &end, 10);
    const zn_named *line = zn_names_find(names, stem);
    if (strcmp(end, "]") != 0 || !line || line->kind != ZN_NAMED_BAR)
        return -1;
    if (line->map)
        return index >= 0 && index < line->map_count ? line->map[index] : -1;
    int before = line->shared[0] > 0, count = before + line->nodes + (line->shared[1] > 0);
    if (index < 0 || index >= count)
        return -1;
    if (index == 0 && before)
        return line->shared[0] - 1;
    return index == count - 1 && line->shared[1] > 0 ? line->shared[1] - 1 : line->node + (int)index - before;
}

void zn_names_clear(zn_names *names)
{
    for (int i = 0; i < names->count; i++) {
        free(names->entry[i].name);
        free(names->entry[i].map);
        free(names->entry[i].number);
    }
    free(names->entry);
    free(names->slot);
    *names = (zn_names){0};
}
