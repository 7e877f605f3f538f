/// Triangles from Wavefront OBJ files: points and faces; textures, normals and materials are left aside.
#ifndef ZN_IO_OBJ_H
#define ZN_IO_OBJ_H

#include "zn/math.h"

/// A file in memory; `name` stands for it. `group`: faces behind `g` or `o` with this name only; NULL: all. On an error
/// `message` says what is wrong. `*corner` gets three corners for each of `*count` triangles, to be freed.
zn_status zn_obj_parse(const char *bytes, size_t length, const char *name, const char *group, int *count,
                       zn_vec3 **corner, char *message, size_t size);

#endif
