/// A tree of boxes over triangles, made once, in the axes of the body that carries them.
#ifndef ZN_MODEL_CONTACT_MESH_TREE_H
#define ZN_MODEL_CONTACT_MESH_TREE_H

#include "zn/math.h"

enum { ZN_TREE_DEPTH = 64, ZN_TREE_LEAF = 4 };

/// A box and what is in it: triangles `first` ... of the tree's order in a leaf, else the next node and `second`.
typedef struct zn_tree_node {
    zn_vec3 low, high;
    int     first, count; ///< count 0: no leaf
    int     second;
} zn_tree_node;

typedef struct zn_mesh_tree {
    int           nodes;
    zn_tree_node *node;
    int          *order; ///< triangles, those of a leaf side by side
} zn_mesh_tree;

zn_status zn_mesh_tree_make(int triangles, const zn_vec3 *point, const int *corner, zn_mesh_tree *out);
void      zn_mesh_tree_clear(zn_mesh_tree *tree);

/// A walk through the leaves that a box meets, in the order of the tree; where `radius` is set only those that a ball
/// around `centre` meets as well.
typedef struct zn_tree_walk {
    const zn_mesh_tree *tree;
    zn_vec3             low, high, centre;
    double              radius;
    int                 depth, stack[ZN_TREE_DEPTH];
} zn_tree_walk;

zn_tree_walk        zn_tree_walk_begin(const zn_mesh_tree *tree, zn_vec3 low, zn_vec3 high);
/// The next leaf; NULL: there is none.
const zn_tree_node *zn_tree_walk_next(zn_tree_walk *walk);

#endif
