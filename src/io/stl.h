/// Triangles from STL files, binary and ASCII: for pictures.
#ifndef ZN_IO_STL_H
#define ZN_IO_STL_H

#include "zn/math.h"

typedef struct zn_stl {
    int      count, capacity; ///< corners, three for each triangle
    zn_vec3 *corner;          ///< counter-clockwise seen from outside, in the unit of the file
} zn_stl;

/// A file in memory; `name` stands for it. On an error `message` says what is wrong, and `out` is empty.
zn_status zn_stl_parse(const char *bytes, size_t length, const char *name, zn_stl *out, char *message, size_t size);
void      zn_stl_clear(zn_stl *stl);

#endif
