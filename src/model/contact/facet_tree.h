/// A tree of boxes around the facets of a surface. Its shape is made once, from where facets are at the start: two
/// halves along the longer side, again and again; the boxes are fitted to where they are now, in time linear in facets.
/// A surface that bends keeps its neighbours, so the tree stays good; that it finds everything depends on no shape.
#ifndef ZN_MODEL_CONTACT_FACET_TREE_H
#define ZN_MODEL_CONTACT_FACET_TREE_H

#include "zn/math.h"

typedef struct zn_facet_box {
    zn_vec3 low, high;
} zn_facet_box;

typedef struct zn_facet_tree {
    int           facets, levels;
    const int    *order; ///< facets as the leaves have them; borrowed
    zn_facet_box *facet; ///< of each
    zn_facet_box *node;  ///< children of node k: 2 k + 1 and 2 k + 2
} zn_facet_tree;

/// `order` of facets whose middles are given.
zn_status zn_facet_tree_order(int facets, const zn_vec3 *middle, int *order);

size_t zn_facet_tree_bytes(int facets);
/// In `memory` of so many bytes, which is borrowed. The caller then writes tree->facet and fits.
void   zn_facet_tree_begin(int facets, const int *order, void *memory, zn_facet_tree *out);
void   zn_facet_tree_fit(zn_facet_tree *tree);

static inline zn_vec3 zn_lower(zn_vec3 a, zn_vec3 b)
{
    return (zn_vec3){b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z};
}

static inline zn_vec3 zn_upper(zn_vec3 a, zn_vec3 b)
{
    return (zn_vec3){b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z};
}

static inline void zn_facet_box_make(int corners, const zn_vec3 *x, zn_facet_box *out)
{
    *out = (zn_facet_box){x[0], x[0]};
    for (int a = 1; a < corners; a++) {
        out->low = zn_lower(out->low, x[a]);
        out->high = zn_upper(out->high, x[a]);
    }
}

/// Facets whose box is not farther from p than *within, which the visitor may lower as it learns; nearer boxes first.
void zn_facet_tree_visit(const zn_facet_tree *tree, zn_vec3 p, const double *within,
                         void (*visit)(void *user, int facet), void *user);

#endif
