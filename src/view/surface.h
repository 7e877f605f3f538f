/// Surfaces of rigid bodies as triangles and quadrilaterals, for programs that know no spheres.
#ifndef ZN_VIEW_SURFACE_H
#define ZN_VIEW_SURFACE_H

#include "zn/model.h"

typedef struct zn_face {
    int corner[4]; ///< counter-clockwise seen from outside; corner[3] is -1: a triangle, corner[2] too: a line
} zn_face;

/// Zeroed at the start; may be filled again and again.
typedef struct zn_surface_mesh {
    int       point_count, point_capacity, face_count, face_capacity;
    zn_vec3  *points;
    zn_face  *faces;
    bool      coarse; ///< fewer faces on what is round: for thousands of bodies
    zn_status status; ///< of the memory
} zn_surface_mesh;

/// In the axes of the body, in place of what was there. ZN_DRAWING_NONE has no faces.
zn_status zn_surface_of(const zn_drawing *drawing, bool planar, zn_surface_mesh *out);
void      zn_surface_free(zn_surface_mesh *mesh);

void zn_surface_face(zn_surface_mesh *mesh, int a, int b, int c, int d);
/// Faces of the convex hull of the points of the mesh; none when they lie in a plane.
void zn_surface_hull(zn_surface_mesh *mesh);

#endif
