/// Rows of rigid_way.h over the six places of a node's degrees of freedom (zn_layout_node.dof), as matrices of elements
/// have them. Frames of linear beams add rotation vectors: levers on them have no such rows.
#ifndef ZN_MODEL_ELEMENT_LEVER_ROW_H
#define ZN_MODEL_ELEMENT_LEVER_ROW_H

#include <string.h>

#include "model/attachment.h"
#include "model/rigid_way.h"

/// Does the point move other than its node does, on a frame that turns?
static inline bool zn_lever_exists(const zn_layout *layout, const zn_attachment *a)
{
    return a->node.value > 0 && zn_node_rotates(layout->node[a->node.value - 1].kind) && zn_vec3_norm(a->at) > 0;
}

/// Why a force on it has no row; NULL: it has.
static inline const char *zn_lever_lacks(const zn_layout *layout, const zn_attachment *a)
{
    bool small = zn_lever_exists(layout, a) && layout->node[a->node.value - 1].small;
    return small ? "it acts off the centre of a frame of linear beams, whose turns add" : NULL;
}

/// Place of degree of freedom k of zn_rigid_way_unit.
static inline int zn_lever_place(const zn_rigid_way *b, int k)
{
    return k >= zn_node_dimension(b->to.node->kind) && b->to.node->kind == ZN_FRAME2 ? 5 : k;
}

/// Force d and moment m in the middle axes of a body that has moved so far.
static inline void zn_lever_set(const zn_rigid_way *b, zn_vec3 d, zn_vec3 m, double row[ZN_ATTACHMENT_DOFS])
{
    const double force[3] = {d.x, d.y, d.z};
    double       moment[3];
    int          dof[3], count = zn_rigid_turn_row(&b->from, m, dof, moment);
    memset(row, 0, ZN_ATTACHMENT_DOFS * sizeof *row);
    for (int i = 0; b->to.node && i < zn_node_dimension(b->to.node->kind); i++)
        row[i] = force[i];
    for (int i = 0; i < count; i++)
        row[count == 1 ? 5 : 3 + i] = moment[i];
}

/// As zn_rigid_way_row, and its change when the end moves with x, the lever by dlever and the direction by dd.
static inline void zn_lever_row(const zn_rigid_way *b, zn_vec3 lever, zn_vec3 d, double row[ZN_ATTACHMENT_DOFS])
{
    zn_vec3 m = zn_vec3_cross(lever, d);
    zn_lever_set(b, d, zn_vec3_sub(m, zn_vec3_scale(0.5, zn_vec3_cross(b->turn, m))), row);
}

static inline void zn_lever_row_change(const zn_rigid_way *b, const zn_rigid_motion *x, zn_vec3 lever, zn_vec3 d,
                                       zn_vec3 dlever, zn_vec3 dd, double row[ZN_ATTACHMENT_DOFS])
{
    zn_vec3 m = zn_vec3_cross(lever, d), dm = zn_vec3_add(zn_vec3_cross(dlever, d), zn_vec3_cross(lever, dd));
    zn_vec3 turned = zn_vec3_add(zn_vec3_cross(x->turn, m), zn_vec3_cross(b->turn, dm));
    zn_lever_set(b, dd, zn_vec3_sub(dm, zn_vec3_scale(0.5, turned)), row);
}

#endif
