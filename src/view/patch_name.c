// Names of patches.
#include "view/patch_name.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

static const char *body_of(const zn_scene_info *info, int node)
{
    for (int i = 0; i < info->body_count; i++)
        if (info->bodies[i].node == node && node >= 0)
            return info->bodies[i].name;
    return node < 0 ? "ground" : "a node";
}

// Shapes of many bodies have one name, that of a lattice: the body "pile[3]" says more than its shape "pile".
const char *zn_patch_side(const zn_scene_info *info, const zn_scene_patch *patch, int side)
{
    const char *shape = patch->shape[side], *body = body_of(info, patch->node[side]);
    size_t      stem = strcspn(body, "[");
    return shape != NULL && *shape != '\0' && (strlen(shape) != stem || strncmp(shape, body, stem) != 0) ? shape : body;
}

const char *zn_patch_name(const zn_scene_info *info, const zn_scene_patch *patch, char text[ZN_PATCH_NAME])
{
    snprintf(text, ZN_PATCH_NAME, "%.70s: %.70s, %.70s", patch->name, zn_patch_side(info, patch, 0),
             zn_patch_side(info, patch, 1));
    return text;
}

static bool same_name(const zn_scene_patch *a, const zn_scene_patch *b)
{
    return a->name == b->name && a->node[0] == b->node[0] && a->node[1] == b->node[1] && a->shape[0] == b->shape[0] &&
           a->shape[1] == b->shape[1];
}

// Patches of frame after frame come in the same order: the search goes on behind the last one.
zn_status zn_patch_names_find(zn_patch_names *names, const zn_scene_patch *patch, int *number)
{
    for (int i = 0; i < names->count; i++) {
        int at = (names->last + i) % names->count;
        if (same_name(&names->patch[at], patch)) {
            *number = names->last = at;
            return ZN_OK;
        }
    }
    *number = names->last = names->count;
    return ZN_PUSH(names->patch, names->count, names->capacity, *patch);
}
