/// Tensors of inertia about the centre of mass, in body axes.
#ifndef ZN_MODEL_ELEMENT_INERTIA_H
#define ZN_MODEL_ELEMENT_INERTIA_H

#include "zn/math.h"

bool      zn_inertia_is_zero(zn_mat3 J);
/// A multiple of the identity: spheres, cubes.
bool      zn_inertia_is_round(zn_mat3 J);
/// Finite, symmetric, positive definite, and no principal moment larger than the sum of the others. The message names
/// the body.
zn_status zn_inertia_check(zn_mat3 J, const zn_log *log, const char *name);
/// (J + J') / 2
zn_mat3   zn_inertia_symmetric(zn_mat3 J);
/// Homogeneous box with the given sides.
zn_mat3   zn_inertia_of_box(double mass, zn_vec3 side);
/// J without a point mass at r.
zn_mat3   zn_inertia_without(zn_mat3 J, double mass, zn_vec3 r);
/// Principal moments in ascending order.
void      zn_inertia_principal(zn_mat3 J, double moment[3]);

#endif
