/// Edges that cross: those of a mesh, A, and what moves against it, seen in its axes.
#ifndef ZN_MODEL_CONTACT_MESH_LINES_H
#define ZN_MODEL_CONTACT_MESH_LINES_H

#include "model/contact/mesh_near.h"

/// A convex edge of B in the axes of A.
typedef struct zn_mesh_bar {
    zn_vec3 from, along, beyond[2];
    double  length;
    int     number, end[2];
    double  beyond_b[2], beyond_a[2]; ///< its ends, those of the edge of A that it is tried with
} zn_mesh_bar;

/// Where two edges cross: the normal out of A, the points, their places along the edges.
typedef struct zn_mesh_crossing {
    zn_vec3 normal, on_a, on_b;
    double  along_a, along_b, gap;
} zn_mesh_crossing;

/// The same edge some time ahead; its ends go straight on.
zn_mesh_bar zn_mesh_line_ahead(const zn_mesh_near *s, const zn_mesh_bar *l, double when);

/// False: they are parallel.
bool zn_mesh_cross_lines(const zn_mesh_shape *m, const zn_mesh_line *e, const zn_mesh_bar *l, zn_mesh_crossing *c);

/// Is the crossing on both edges, and the normal between the faces of both?
bool zn_mesh_crossing_belongs(const zn_mesh_line *e, const zn_mesh_bar *l, const zn_mesh_crossing *c, double tolerance,
                              double sine);

/// What turns while its gap closes closes it at another time than `when`: where an edge comes to lie on a face its gap
/// with the edges of that closes just as the normal comes between the faces.
double zn_mesh_when_closed(const zn_mesh_near *s, const zn_mesh_shape *m, const zn_mesh_line *e, const zn_mesh_bar *l,
                           double when);

#endif
