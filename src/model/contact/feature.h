/// Features of shapes: points, edges, faces and circles that a body carries, each with a rounding radius around it, and
/// where two of them meet. Contacts between shapes are pairs of features; which pairs count is found elsewhere
/// (shape.h), here they are what they are for as long as the contact lasts: edges are lines, faces planes.
#ifndef ZN_MODEL_CONTACT_FEATURE_H
#define ZN_MODEL_CONTACT_FEATURE_H

#include "model/rigid_row.h"

typedef enum zn_feature_kind {
    ZN_FEATURE_POINT,  ///< vertex, centre of a sphere; in the plane: corner, centre of an arc
    ZN_FEATURE_EDGE,   ///< straight line, in space only
    ZN_FEATURE_FACE,   ///< plane; in the plane: straight side of a contour
    ZN_FEATURE_CIRCLE, ///< rim, in space only
} zn_feature_kind;

/// In the axes of the body that carries it, or of the world.
typedef struct zn_feature {
    zn_feature_kind kind;
    zn_vec3         at;       ///< the point; a point of the line or plane; the centre of the circle
    zn_vec3         along;    ///< unit. Edge: direction; face: normal, outward; circle: axis
    zn_vec3         out;      ///< edge of a solid: between the normals of its two faces; 0: it is a line with a radius
    double          size;     ///< circle: its radius; edge that ends: half its length, `at` being its middle; 0: a line
    double          radius;   ///< of rounding, >= 0; point in the plane: < 0: it is the centre of a hollow arc
    bool            thin;     ///< circle: of a disc, with nothing behind it: its axis may as well point the other way
    double          from, to; ///< edge: the part that the shape has, along it from `at`; equal: nobody says
} zn_feature;

/// Where feature a of body A meets feature b of body B.
typedef struct zn_feature_place {
    zn_vec3 normal; ///< unit, from B to A
    double  gap;    ///< negative: they are inside each other
    zn_vec3 on[2];  ///< points of the features, without their radii: gap = normal . (on[0] - on[1]) - both radii
    zn_vec3 point;  ///< where they touch: on[0] less the radius of a along the normal
    bool    behind; ///< a rim is not yet what touches: the mantle behind it, which stands for it, is nearer
} zn_feature_place;

/// How that changes while the bodies move.
typedef struct zn_feature_change {
    zn_vec3 normal, point;
} zn_feature_change;

/// A motion of a body: velocity of the material point at the origin of the world axes, and spin.
typedef struct zn_feature_motion {
    zn_vec3 origin, spin;
} zn_feature_motion;

static inline zn_vec3 zn_feature_velocity(const zn_feature_motion *m, zn_vec3 x)
{
    return zn_vec3_add(m->origin, zn_vec3_cross(m->spin, x));
}

/// The feature of a body that is somewhere, in world axes; the first one in place.
void       zn_feature_carry(const zn_rigid *body, zn_feature *f);
zn_feature zn_feature_at(const zn_rigid *body, const zn_feature *own);

/// False: the pair has no normal (parallel edges, points without radius at one place, no such pair of kinds).
bool zn_feature_meet(const zn_feature *a, const zn_feature *b, zn_feature_place *out);
/// The same of a pair that is a contact: lines with a radius that have become parallel have a normal yet.
bool zn_feature_meet_still(const zn_feature *a, const zn_feature *b, zn_feature_place *out);

/// The change of normal and point when the bodies of a and b move so.
zn_feature_change zn_feature_change_with(const zn_feature *a, const zn_feature *b, const zn_feature_place *at,
                                         const zn_feature_motion *A, const zn_feature_motion *B);

#endif
