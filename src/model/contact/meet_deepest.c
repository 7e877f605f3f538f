// What holds polyhedra inside each other of which nothing else is listed.
#include "model/contact/meet_deepest.h"

#include <math.h>

// A vertex and a face.
typedef struct held {
    int    vertex, face;
    double gap;
} held;

// Of the faces of one body, the one that the other (side 0: A) is least behind, and the vertex that is deepest there.
static held least_behind(const zn_two_polyhedra *two, int side)
{
    const zn_polyhedron *P = two->P[side], *F = two->P[1 - side];
    const zn_view       *v = &two->view[side];
    held                 best = {0, 0, -INFINITY};
    for (int i = 0; i < F->faces; i++) {
        zn_vec3 n = F->face[i].normal;
        int     vertex = zn_polyhedron_farthest(P, zn_vec3_scale(-1, zn_view_back(v, n)), best.vertex);
        double  gap = zn_vec3_dot(n, zn_view_point(v, P->vertex[vertex])) - F->face[i].offset;
        if (gap > best.gap)
            best = (held){vertex, i, gap};
    }
    return best;
}

zn_status zn_hold_deepest(const zn_two_polyhedra *two, zn_feature_list *out)
{
    held                 a = least_behind(two, 0), b = least_behind(two, 1);
    const zn_polyhedron *A = two->P[0], *B = two->P[1];
    return a.gap >= b.gap ? zn_feature_found(out, a.vertex, B->vertices + B->edges + a.face)
                          : zn_feature_found(out, A->vertices + A->edges + b.face, b.vertex);
}
