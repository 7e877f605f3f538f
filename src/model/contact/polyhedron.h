/// Convex polyhedra: what contacts of boxes and hulls look at. All in the axes of the body that carries one.
#ifndef ZN_MODEL_CONTACT_POLYHEDRON_H
#define ZN_MODEL_CONTACT_POLYHEDRON_H

#include "model/contact/feature.h"
#include "model/contact/feature_table.h"

/// Edges and faces around a vertex, as bits; of bodies of at most ZN_AROUND vertices, so that these suffice (Euler).
enum { ZN_AROUND = 64 };
typedef struct zn_around {
    uint64_t edge[3], face[2];
} zn_around;

typedef struct zn_polyhedron_edge {
    int     vertex[2], face[2]; ///< face[0] has it from vertex[0] to vertex[1] in its loop
    zn_vec3 along;              ///< unit, from vertex[0] to vertex[1]
    zn_vec3 out;                ///< unit, half way between the normals of the faces
    zn_vec3 inward[2];          ///< unit, in the plane of each face and away from the edge
    double  length;
} zn_polyhedron_edge;

typedef struct zn_polyhedron_face {
    zn_vec3 normal; ///< unit, outward
    double  offset; ///< normal . x of its points
    int     first, count;
} zn_polyhedron_face;

/// Features are numbered: vertices, then edges, then faces.
typedef struct zn_polyhedron {
    int                 vertices, edges, faces;
    zn_vec3            *vertex;
    zn_polyhedron_edge *edge;
    zn_polyhedron_face *face;
    int                *corner; ///< loops of the faces, from face.first: vertices, counter-clockwise from outside
    int                *side;   ///< edge from that corner to the next
    int                *first;  ///< vertices + 1: first neighbour of each vertex
    int                *neighbour;
    int                *spoke;  ///< edge to each neighbour
    zn_feature_table    points; ///< vertices
    zn_feature_table    planes; ///< faces
    zn_around          *around; ///< of each vertex; NULL: there are too many
    zn_vec3             centre; ///< of its bounding box
    zn_vec3             extent; ///< half that box
    double              radius; ///< around the centre
    double              reach;  ///< around the origin of the axes
    int                 others; ///< shapes that own it beside the first
    bool                box;    ///< axes and half belong to it
    zn_mat3             axes;
    zn_vec3             half;
} zn_polyhedron;

/// A box of these half sides around `at`, its axes in those of the body.
zn_status zn_polyhedron_box(zn_vec3 at, zn_mat3 axes, zn_vec3 half, zn_polyhedron **out);

/// Hull of points, moved into the axes of the body: at + axes point. ZN_ERR_MODEL: none, *why says why of the points.
zn_status zn_polyhedron_hull(zn_vec3 at, zn_mat3 axes, int points, const zn_vec3 *point, zn_polyhedron **out,
                             const char **why);

void zn_polyhedron_destroy(void *polyhedron); ///< accepts NULL; when others own it they keep it

/// What a shape of this kind is to own: one of the last of the model, if it is the same to the last bit, so that of
/// many equal bodies what contacts look at stays in the cache; otherwise p.
zn_polyhedron *zn_polyhedron_shared(const zn_model *model, zn_shape_kind kind, zn_polyhedron *p);

bool zn_polyhedron_feature(const zn_polyhedron *p, int index, zn_feature *out);   ///< false: there is none
bool zn_polyhedron_bound(const zn_polyhedron *p, zn_vec3 *centre, zn_vec3 *half); ///< true

/// The vertex farthest along a direction. `start`: where to begin, any vertex.
int zn_polyhedron_farthest(const zn_polyhedron *p, zn_vec3 direction, int start);

/// How far it reaches along a direction: the largest direction . x. `start` as there.
double zn_polyhedron_height(const zn_polyhedron *p, zn_vec3 direction, int start);

/// How far a point is before the face that it is least behind; inside it is the distance from the surface, negative.
double zn_polyhedron_level(const zn_polyhedron *p, zn_vec3 x);
/// Is it inside by this depth?
bool   zn_polyhedron_is_behind(const zn_polyhedron *p, zn_vec3 x, double depth);
/// The face nearest to a direction.
int    zn_polyhedron_face_along(const zn_polyhedron *p, zn_vec3 up);

/// Is a point over this face: how far it is inside the side that it is nearest to, negative outside.
double zn_polyhedron_over(const zn_polyhedron *p, int face, zn_vec3 point);
/// Is it, or beside the face by no more than this?
bool   zn_polyhedron_is_over(const zn_polyhedron *p, int face, zn_vec3 point, double beside);

/// The feature nearest to a point, and its distance from the surface; inside: the nearest face, and negative.
int zn_polyhedron_nearest(const zn_polyhedron *p, zn_vec3 point, double *distance);

#endif
