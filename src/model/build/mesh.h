/// What makers of meshes share.
#ifndef ZN_MODEL_BUILD_MESH_H
#define ZN_MODEL_BUILD_MESH_H

#include "zn/model.h"

enum { ZN_MESH_ELEMENTS = 3000000 }; ///< the most of a mesh

/// Six tet4 around the diagonal from corner 0 to corner 6 of a hex8, 24 numbers; neighbouring cells in the same
/// orientation agree on their faces.
void zn_mesh_split_cell(const int corner[8], int *element);

#endif
