/// The cap of a polyhedron: what of it goes up to a height along a direction or above. On a convex body the vertices of
/// a cap hang together by edges, so that it is found from its top, at the cost of the cap and not of the body.
#ifndef ZN_MODEL_CONTACT_POLYHEDRON_CAP_H
#define ZN_MODEL_CONTACT_POLYHEDRON_CAP_H

#include <stdint.h>

#include "model/contact/polyhedron.h"

enum { ZN_CAP_WORDS = 4 }; ///< of 64 vertices; a larger body, and a box, is gone through feature by feature

typedef struct zn_cap {
    const zn_polyhedron *p;
    zn_vec3              up;
    double               height;
    bool                 each; // no bits: features are asked one by one
    uint64_t             vertex[ZN_CAP_WORDS], edge[3 * ZN_CAP_WORDS], face[2 * ZN_CAP_WORDS]; // bits
} zn_cap;

/// Vertices with up . x >= height, and edges and faces that have one of them. `start`: any vertex, best near the top.
void zn_cap_above(const zn_polyhedron *p, zn_vec3 up, double height, int start, zn_cap *out);

/// Two caps along one direction from one search: vertices and edges of that above `height`, in `high`, and the faces of
/// that above `low` <= height, in `faces`; of a box all faces, which costs less. `top`: the highest vertex.
void zn_cap_two_above(const zn_polyhedron *p, zn_vec3 up, double height, double low, int top, zn_cap *high,
                      zn_cap *faces);

/// One more face, whatever its height.
void zn_cap_add_face(zn_cap *cap, int face);

/// One edge or face less, which is no use to anybody; a cap without bits keeps it.
void zn_cap_drop_edge(zn_cap *cap, int edge);
void zn_cap_drop_face(zn_cap *cap, int face);

static inline int zn_cap_next(const uint64_t *bits, int from, int end)
{
    for (int w = from / 64, skip = from % 64; 64 * w < end; w++, skip = 0) {
        uint64_t rest = bits[w] >> skip << skip;
        if (rest)
            return 64 * w + __builtin_ctzll(rest);
    }
    return end;
}

int zn_cap_vertex_asked(const zn_cap *cap, int from);
int zn_cap_edge_asked(const zn_cap *cap, int from);

/// The first one of a cap from `from` on; their number: there is none. All features of the cap, ascending:
/// for (int i = zn_cap_edge(&cap, 0); i < p->edges; i = zn_cap_edge(&cap, i + 1))
static inline int zn_cap_vertex(const zn_cap *cap, int from)
{
    return cap->each ? zn_cap_vertex_asked(cap, from) : zn_cap_next(cap->vertex, from, cap->p->vertices);
}

static inline int zn_cap_edge(const zn_cap *cap, int from)
{
    return cap->each ? zn_cap_edge_asked(cap, from) : zn_cap_next(cap->edge, from, cap->p->edges);
}

static inline int zn_cap_face(const zn_cap *cap, int from)
{
    return cap->each ? from : zn_cap_next(cap->face, from, cap->p->faces); // asked one by one: all
}

#endif
