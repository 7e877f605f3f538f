/// A node seen as a rigid body, and rows of the velocity of its material points. Contacts and joints of rigid shapes
/// stand on this: the derivative of a gap is the relative velocity of the material points at the contact point.
#ifndef ZN_MODEL_RIGID_ROW_H
#define ZN_MODEL_RIGID_ROW_H

#include "model/layout.h"

/// Where a body is. The ground rests at the origin; points and the ground do not rotate.
typedef struct zn_rigid {
    const zn_layout_node *node;     ///< NULL: the ground
    zn_vec3               position; ///< p
    zn_mat3               rotation; ///< R, body to world
} zn_rigid;

/// Largest number of entries of one row.
enum { ZN_RIGID_DOFS = 6 };

zn_rigid zn_rigid_at(const zn_layout *layout, zn_node_id id, const double *q);
/// The same in place, which is faster; without its rotation for points in its centre, which do not ask for it.
void     zn_rigid_place(const zn_layout *layout, zn_node_id id, const double *q, bool rotation, zn_rigid *out);
zn_vec3  zn_rigid_point(const zn_rigid *b, zn_vec3 at);    ///< p + R at
zn_vec3  zn_rigid_vector(const zn_rigid *b, zn_vec3 axis); ///< R axis

double zn_rigid_angle(const zn_rigid *b, const double *q); ///< of a planar frame; 0: anything else

/// The turn between two configurations as a vector w in world axes: R - R_from = w x (R + R_from)/2 for less than a
/// radian (in the plane of the unwrapped angle), along the same axis and as much longer as the angle beyond.
zn_vec3 zn_rigid_turn(const zn_rigid *from, const double *q_from, const zn_rigid *to, const double *q);

/// Spin in world axes, and velocity of the material point that is at c, when the degrees of freedom move with x.
zn_vec3 zn_rigid_spin(const zn_rigid *b, const double *x);
zn_vec3 zn_rigid_velocity(const zn_rigid *b, const double *x, zn_vec3 c);

/// Row of the velocity of the material point at c along d: d on the translations, R'((c - p) x d) on the rotations.
/// Pairs (dof, value); returns their number: none for the ground, at most ZN_RIGID_DOFS.
int zn_rigid_row(const zn_rigid *b, zn_vec3 c, zn_vec3 d, int *dof, double *value);

/// That of its centre: the translations alone.
int zn_rigid_centre_row(const zn_rigid *b, zn_vec3 d, int *dof, double *value);

/// y += scale * the change of that row when the body moves with x, and with it c by dc and d by dd.
void zn_rigid_row_change(const zn_rigid *b, zn_vec3 c, zn_vec3 d, zn_vec3 dc, zn_vec3 dd, double scale, const double *x,
                         double *y);

/// The same for the velocity of A relative to B: + row(A, c, d), - row(B, c, d).
int  zn_rigid_relative_row(const zn_rigid *A, const zn_rigid *B, zn_vec3 c, zn_vec3 d, int *dof, double *value);
void zn_rigid_relative_change(const zn_rigid *A, const zn_rigid *B, zn_vec3 c, zn_vec3 d, zn_vec3 dc, zn_vec3 dd,
                              double scale, const double *x, double *y);

/// Several of these rows at one point, each into its own `value`, over the same dofs.
int zn_rigid_relative_rows(const zn_rigid *A, const zn_rigid *B, zn_vec3 c, int count, const zn_vec3 *d, int *dof,
                           double *const *value);

/// Row of the spin along m: R' m on the rotations; at most three pairs, none where the body does not rotate.
int  zn_rigid_turn_row(const zn_rigid *b, zn_vec3 m, int *dof, double *value);
/// y += scale * the change of that row when the body moves with x, and m with it by dm.
void zn_rigid_turn_row_change(const zn_rigid *b, zn_vec3 m, zn_vec3 dm, double scale, const double *x, double *y);

#endif
