/// Files with surfaces of triangles: STL and OBJ, by the end of their name.
#ifndef ZN_IO_MESH_FILE_H
#define ZN_IO_MESH_FILE_H

#include "io/inputs.h"
#include "model/triangles.h"

/// A file in memory; `name` stands for it. `group`: of an OBJ file, NULL: all of it. Points are `scale` times what the
/// file says, equal ones are one. On an error `message` says what is wrong.
zn_status zn_mesh_file_parse(const char *bytes, size_t length, const char *name, const char *group, double scale,
                             zn_triangles *out, char *message, size_t size);
/// The file beside `model`, as zn_inputs_read has it.
zn_status zn_mesh_file_read(zn_inputs *inputs, const char *model, const char *file, const char *group, double scale,
                            zn_triangles *out, char *message, size_t size);

#endif
