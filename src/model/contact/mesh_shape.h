/// A closed surface of triangles as a shape: its features, and what tells which of them can touch anything.
///
/// Neighbouring triangles in one plane are one face, so that nothing catches on edges inside it and contacts keep their
/// numbers across them. Features are numbered: points, edges, faces.
#ifndef ZN_MODEL_CONTACT_MESH_SHAPE_H
#define ZN_MODEL_CONTACT_MESH_SHAPE_H

#include "model/contact/mesh_check.h"
#include "model/contact/mesh_tree.h"
#include "model/contact/shape.h"

/// Corners this near to the plane of a face (of the extent of the mesh) are in it: what the numbers of an STL file
/// leave.
#define ZN_FLAT_TOLERANCE 2e-7

typedef enum zn_mesh_bend { ZN_BEND_HOLLOW = -1, ZN_BEND_FLAT, ZN_BEND_CONVEX } zn_mesh_bend;

/// Runs from a to b in its first triangle.
typedef struct zn_mesh_line {
    int          a, b, triangle[2], face[2];
    zn_mesh_bend bend;
    double       length;
    zn_vec3      along;     ///< unit, from a to b
    zn_vec3      beyond[2]; ///< unit, in the plane of each face, across the edge, out of the face
    zn_vec3      out;       ///< unit, between the normals of both faces
} zn_mesh_line;

typedef struct zn_mesh_face {
    zn_vec3 normal, at;
} zn_mesh_face;

/// What a triangle owns: each point and edge is the business of one of the triangles around it.
enum { ZN_OWNS_POINT = 1, ZN_OWNS_EDGE = 8 }; // << corner; edge k is from corner k to corner k + 1

typedef struct zn_mesh_shape {
    int            points, triangles, edges, faces;
    zn_vec3       *point;
    int           *corner; ///< three for each triangle
    int           *side;   ///< its three edges
    int           *face;   ///< of each triangle
    unsigned char *owns;   ///< of each triangle; points that cannot touch anything, and edges that are not convex, are
                           ///< nobody's
    zn_mesh_line  *edge;
    zn_mesh_face  *plane; ///< of each face
    int           *spoke; ///< edges at each point that are not flat, from spokes[i] to spokes[i + 1]
    int           *spokes;
    zn_vec3       *outward; ///< of each point: sum of the normals around it, each times the angle of its triangle there
    zn_vec3        centre, half; ///< box around it
    double         extent;
    zn_mesh_tree   tree;
} zn_mesh_shape;

/// From points in the axes of the body, which are copied. A fault is told in `message`, and how many triangles without
/// area were left out in `lost`.
zn_status zn_mesh_shape_make(int points, const zn_vec3 *point, int triangles, const int *corner, zn_mesh_shape **out,
                             int *lost, char *message, size_t size);
void      zn_mesh_shape_destroy(void *mesh);

static inline int zn_mesh_point_number(const zn_mesh_shape *m, int i) { return (void)m, i; }
static inline int zn_mesh_edge_number(const zn_mesh_shape *m, int i) { return m->points + i; }
static inline int zn_mesh_face_number(const zn_mesh_shape *m, int i) { return m->points + m->edges + i; }

/// The other end of a spoke, from point p.
static inline zn_vec3 zn_mesh_spoke(const zn_mesh_shape *m, int edge, int p)
{
    const zn_mesh_line *e = &m->edge[edge];
    return e->a == p ? e->along : zn_vec3_scale(-1, e->along);
}

/// Distance from the surface, negative inside the solid; beyond `within` (> 0) on either side: that.
double zn_mesh_distance(const zn_mesh_shape *mesh, zn_vec3 p, double within);
/// Is a point inside the solid, or this near to it?
bool   zn_mesh_contains(const zn_mesh_shape *mesh, zn_vec3 p, double tolerance);

#endif
