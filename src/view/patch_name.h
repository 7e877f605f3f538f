/// What a patch of contacts is called.
#ifndef ZN_VIEW_PATCH_NAME_H
#define ZN_VIEW_PATCH_NAME_H

#include "zn/scene.h"

enum { ZN_PATCH_NAME = 224 };

/// "floor: crate, table": the contact and the two things, by their shapes or bodies. Returns `text`.
const char *zn_patch_name(const zn_scene_info *info, const zn_scene_patch *patch, char text[ZN_PATCH_NAME]);
/// One of the two.
const char *zn_patch_side(const zn_scene_info *info, const zn_scene_patch *patch, int side);

/// Each name once. Zeroed at the start, `patch` is to be freed.
typedef struct zn_patch_names {
    int             count, capacity, last; ///< last: found before
    zn_scene_patch *patch;                 ///< one for each name
} zn_patch_names;

/// The number of its name, which may be a new one.
zn_status zn_patch_names_find(zn_patch_names *names, const zn_scene_patch *patch, int *number);

#endif
