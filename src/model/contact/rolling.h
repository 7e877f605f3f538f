/// Rows of rolling and spinning of a contact between two bodies: spins of A against B about the tangents (in the plane
/// about z) and about the normal. Their friction is a moment: |m_R| <= rolling r_N, |m_S| <= spinning r_N.
#ifndef ZN_MODEL_CONTACT_ROLLING_H
#define ZN_MODEL_CONTACT_ROLLING_H

#include "model/contact/contact.h"
#include "model/rigid_row.h"

/// Rows of a contact beside its normal and tangents: of rolling, as many as there are tangents, then of spinning.
int zn_rolling_count(const zn_rolling *p);

/// Law and rows into a product whose normal row is there, over the same dofs; `radius` of what rolls.
void zn_rolling_rows(const zn_rolling *p, const zn_rigid *A, const zn_rigid *B, zn_vec3 normal,
                     const zn_vec3 tangent[2], double radius, zn_contact_product *out);

/// y += d(G' lambda)/dq x of these rows, lambda from the first of them on; dn, dt: changes of normal and tangents.
void zn_rolling_curvature(const zn_rolling *p, const zn_rigid *A, const zn_rigid *B, zn_vec3 normal,
                          const zn_vec3 tangent[2], zn_vec3 dn, const zn_vec3 dt[2], const double *lambda,
                          const double *x, double *y);

#endif
