/// Values of spatial models: tensors of inertia and rotations.
#ifndef ZN_IO_TENSOR_H
#define ZN_IO_TENSOR_H

#include "io/schema.h"

/// One number (planar: about z; in space: the same about all axes), three principal moments, or three rows.
bool zn_read_tensor(zn_reader *reader, const zn_schema_key *key, const zn_yaml_node *node, zn_mat3 *out);
/// Unit quaternion [w, x, y, z], or {axis: [x, y, z], angle: a} as described by key->object.
bool zn_read_rotation(zn_reader *reader, const zn_schema_key *key, const zn_yaml_node *node, zn_quat *out);

#endif
