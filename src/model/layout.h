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
    bool         small; ///< frame of linear beams: rotation vectors from `start` on add
    zn_quat      start; ///< rotation at the start
    double       lever; ///< shortest element that ties the rotation to positions [m]; 0: none
} zn_layout_node;

typedef struct zn_layout {
    int             nodes;
    zn_layout_node *node;
    int             memory; ///< first of the entries of q that remember, see memory.h
} zn_layout;

/// A node that the elements of a part do not use, see subset.h: it has no coordinates.
enum { ZN_ABSENT = ZN_SCALAR + 1 };
/// Rotation vector of a frame of linear beams: 2 v/w of the rotation from the start, in the axes of the start.
static inline zn_vec3 zn_small_rotation(const zn_layout_node *node, const double *quaternion)
{
    zn_quat r = {quaternion[0], quaternion[1], quaternion[2], quaternion[3]};
    if (node->start.x != 0 || node->start.y != 0 || node->start.z != 0)
        r = zn_quat_product(zn_quat_conjugate(node->start), r);
    return zn_vec3_scale(2 / r.w, (zn_vec3){r.x, r.y, r.z});
}

static inline void zn_small_rotation_set(const zn_layout_node *node, zn_vec3 turn, double *quaternion)
{
    double  w = 1 / sqrt(1 + 0.25 * zn_vec3_dot(turn, turn));
    zn_quat r = {w, 0.5 * w * turn.x, 0.5 * w * turn.y, 0.5 * w * turn.z};
    if (node->start.x != 0 || node->start.y != 0 || node->start.z != 0)
        r = zn_quat_product(node->start, r);
    quaternion[0] = r.w;
    quaternion[1] = r.x;
    quaternion[2] = r.y;
    quaternion[3] = r.z;
}

/// Sizes of one node kind.
static inline int zn_node_coordinates(zn_node_kind kind)
{
    return (int)kind == ZN_ABSENT ? 0 : kind == ZN_SCALAR ? 1 : kind == ZN_POINT2 ? 2 : kind == ZN_FRAME3 ? 7 : 3;
}
static inline int zn_node_dimension(zn_node_kind kind)
{
    return (int)kind == ZN_ABSENT ? 0 : kind == ZN_SCALAR ? 1 : kind == ZN_POINT2 || kind == ZN_FRAME2 ? 2 : 3;
}
static inline bool zn_node_rotates(zn_node_kind kind) { return kind == ZN_FRAME2 || kind == ZN_FRAME3; }

/// Whether a node has the degree of freedom of place `slot` in dof[6], and whether its def fixes it.
static inline bool zn_node_has(zn_node_kind kind, int slot)
{
    return slot < 3 ? slot < zn_node_dimension(kind) : kind == ZN_FRAME3 || (kind == ZN_FRAME2 && slot == 5);
}
static inline bool zn_node_fixes(const zn_node_def *node, int slot)
{
    static const unsigned bit[4] = {ZN_FIX_X, ZN_FIX_Y, ZN_FIX_Z, ZN_FIX_ROTATION};
    return (node->fixed & bit[slot < 3 ? slot : 3]) != 0;
}

/// Initial coordinates of a node: zn_node_coordinates of them.
static inline void zn_node_initial(const zn_node_def *node, double *q)
{
    zn_vec3      x = zn_vec3_sub(node->position, node->origin);
    const double position[3] = {x.x, x.y, x.z};
    const double rotation[4] = {node->rotation.w, node->rotation.x, node->rotation.y, node->rotation.z};
    int          dimension = zn_node_dimension(node->kind);
    for (int k = 0; k < dimension; k++)
        q[k] = position[k];
    if (node->kind == ZN_FRAME2)
        q[2] = node->angle;
    for (int k = 0; node->kind == ZN_FRAME3 && k < 4; k++)
        q[3 + k] = rotation[k];
}

#endif
