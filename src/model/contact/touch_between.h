/// A ball or point of one body against a plane or a round surface of another, between two states: rows of the force,
/// gradients of the slip, and their changes. Contact rules of rigid surfaces stand on this.
#ifndef ZN_MODEL_CONTACT_TOUCH_BETWEEN_H
#define ZN_MODEL_CONTACT_TOUCH_BETWEEN_H

#include "model/contact/contact.h"
#include "model/rigid_way.h"

typedef struct zn_touch {
    zn_attachment point;    ///< centre of the ball, on A
    zn_attachment surface;  ///< centre of the surface, or a point of it, on B
    double        round;    ///< 1: the normal points from the centre of the surface, -1: to it; 0: it is carried by B
    zn_vec3       normal;   ///< carried, in the axes of B
    zn_vec3       tangent;  ///< the first one, carried likewise; 0: it follows the normal
    double        radius;   ///< of the ball
    int           tangents; ///< 0, 1, 2
    bool          planar;
    bool          central; ///< rows have no rotations of A
    zn_vec3       axis;    ///< of a round surface that is a cylinder, unit, carried by B; 0: it is a sphere
    /// The point is another one of A when the end is another one: it goes along `creep` (in the axes of A) by as much
    /// as `pace` says of motions of the end. NULL: it does not.
    double (*pace)(const void *user, const zn_rigid_motion *A, const zn_rigid_motion *B);
    const void *user;
    zn_vec3     creep;
} zn_touch;

/// Rows of the force, and over the tangential rows of the product the gradients of the slip between the states; the
/// dofs of the product are known.
void zn_touch_rows_between(const zn_touch *p, const zn_layout *layout, zn_between s, zn_contact_product *out,
                           double *const force[3]);
/// y += d(H' lambda)/dq x
void zn_touch_curvature_between(const zn_touch *p, const zn_layout *layout, zn_between s, const double *lambda,
                                const double *x, double *y);

#endif
