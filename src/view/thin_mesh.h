/// Triangles with fewer of them, for pictures.
#ifndef ZN_VIEW_THIN_MESH_H
#define ZN_VIEW_THIN_MESH_H

#include "zn/model.h"

typedef struct zn_thin_mesh {
    int      point_count, triangle_count;
    zn_vec3 *points;
    int     *triangles;
} zn_thin_mesh;

/// Triangles of a drawing: of a mesh, a hull whose faces are known, or loose ones.
int       zn_triangles_of(const zn_drawing *drawing);
/// At most `most` of them. Arrays of `out` are to be freed.
zn_status zn_mesh_thin(const zn_drawing *drawing, int most, zn_thin_mesh *out);

#endif
