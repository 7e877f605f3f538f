/// Kinematics of a point carried by a node: x = p + R a.  Springs, loads and contacts all stand on this.
#ifndef ZN_MODEL_ATTACHMENT_H
#define ZN_MODEL_ATTACHMENT_H

#include "model/layout.h"

/// Largest number of degrees of freedom a carried point depends on.
enum { ZN_ATTACHMENT_DOFS = 6 };

/// Sine and cosine of the planar frame that was looked at last, from one point to the next. Angle NaN: of none.
typedef struct zn_turn {
    double angle, sine, cosine;
} zn_turn;

zn_vec3 zn_attachment_position(const zn_layout *layout, const zn_attachment *a, const double *q);
zn_vec3 zn_attachment_velocity(const zn_layout *layout, const zn_attachment *a, const double *q, const double *v);

/// Row of dx/dq along n: pairs (dof, n . dx/dq_dof); returns their number, at most ZN_ATTACHMENT_DOFS.
int zn_attachment_row(const zn_layout *layout, const zn_attachment *a, const double *q, zn_vec3 n, int *dof,
                      double *value);

/// Position, and the row along n in the same go.
zn_vec3 zn_attachment_position_row(const zn_layout *layout, const zn_attachment *a, const double *q, zn_vec3 n,
                                   zn_turn *turn, int *dof, double *value, int *entries);

/// d(J' n)/dq of the rotational degrees of freedom, in body axes (right-trivialized): `block` is zero where the
/// node does not rotate; in the plane only block.m[2][2] is used.
zn_mat3 zn_attachment_curvature(const zn_layout *layout, const zn_attachment *a, const double *q, zn_vec3 n);

/// The node's degrees of freedom; all -1 for the ground.
void zn_attachment_dofs(const zn_layout *layout, const zn_attachment *a, int dof[ZN_ATTACHMENT_DOFS]);

#endif
