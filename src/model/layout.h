/// Where each node's coordinates and degrees of freedom sit in q and v.
#ifndef ZN_MODEL_LAYOUT_H
#define ZN_MODEL_LAYOUT_H

#include "zn/model.h"

/// dof: translations first, then the rotation(s): 3 entries of which the last may be -1, then 3 (frame2: the third
/// is the angle about z, the others -1). Absent degrees of freedom are -1.
typedef struct zn_layout_node {
    zn_node_kind kind;
    int          q;      ///< first coordinate
    int          dof[6]; ///< x, y, z, rotation x, y, z
    zn_vec3      origin;
} zn_layout_node;

typedef struct zn_layout {
    int             nodes;
    zn_layout_node *node;
} zn_layout;

/// Sizes of one node kind.
static inline int zn_node_coordinates(zn_node_kind kind)
{
    return kind == ZN_POINT2 ? 2 : kind == ZN_FRAME3 ? 7 : 3;
}
static inline int  zn_node_dimension(zn_node_kind kind) { return kind == ZN_POINT2 || kind == ZN_FRAME2 ? 2 : 3; }
static inline bool zn_node_rotates(zn_node_kind kind) { return kind == ZN_FRAME2 || kind == ZN_FRAME3; }

#endif
