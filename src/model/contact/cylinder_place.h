/// Where a ball or rim meets a cylinder, bore or plane, and how that changes with the bodies. Rules of
/// cylinder_contact.h stand on this.
#ifndef ZN_MODEL_CONTACT_CYLINDER_PLACE_H
#define ZN_MODEL_CONTACT_CYLINDER_PLACE_H

#include "model/contact/cylinder_contact.h"
#include "model/rigid_way.h"

typedef struct zn_cylinder_place {
    zn_rigid A, B;
    zn_vec3  centre; ///< x
    zn_vec3  base;   ///< s
    zn_vec3  axis;   ///< e
    zn_vec3  rim;    ///< u
    zn_vec3  w;      ///< of a rim: from its centre to the contact, unit
    zn_vec3  d;      ///< of a rim: its centre from the axis
    zn_vec3  y, m;
    double   length; ///< |m|; 0: there is no direction
    zn_vec3  out;    ///< m / |m|
    double   sign;   ///< of n along it
    zn_vec3  normal;
    double   gap;
    zn_vec3  tangent[2];
} zn_cylinder_place;

typedef struct zn_cylinder_change {
    zn_vec3 y, normal, tangent[2];
    double  creep; ///< of the contact point along the rim, as an angle
} zn_cylinder_change;

static inline bool zn_cylinder_is_rim(const zn_cylinder_side *c) { return zn_vec3_dot(c->rim, c->rim) > 0; }

zn_status zn_cylinder_place_at(const zn_cylinder_contact *p, const zn_layout *layout, int number, const double *q,
                               zn_cylinder_place *out);
/// The point of A that touches.
zn_vec3   zn_cylinder_point(const zn_cylinder_side *c, const zn_cylinder_place *at);
/// With the bodies; of their motion shift and spin count.
zn_cylinder_change zn_cylinder_change_with(const zn_cylinder_side *c, const zn_cylinder_place *at,
                                           const zn_rigid_motion *A, const zn_rigid_motion *B);
/// Velocity of the material point at c.
zn_vec3            zn_rigid_motion_at(const zn_rigid *b, const zn_rigid_motion *x, zn_vec3 c);

#endif
