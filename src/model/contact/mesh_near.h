/// What the meetings of meshes share: the other shape seen from the mesh, when a gap closes, and copies of contacts.
#ifndef ZN_MODEL_CONTACT_MESH_NEAR_H
#define ZN_MODEL_CONTACT_MESH_NEAR_H

#include "model/contact/meet.h"
#include "model/contact/mesh_shape.h"

#define ZN_TOUCHING 1e-4 ///< of the slack

enum { ZN_COPIES = 256 };

/// A contact where its features end: another one may be the same.
typedef struct zn_mesh_copy {
    zn_vec3 point, normal;
    int     place; ///< in the list
} zn_mesh_copy;

/// B in the axes of A, the body of the mesh, which rests: x_A = rotation x_B + at, velocity + spin x x_A.
typedef struct zn_mesh_near {
    zn_mat3          rotation;
    zn_vec3          at, velocity, spin;
    double           horizon, slack, fall;
    double           tolerance; ///< [m] so far beyond its end a point still belongs to a feature
    double           tilt;   ///< sine: so far beyond the faces beside them the normal of two edges may be, what loads
                             ///< turn within the horizon
    double           depth;  ///< [m] what is deeper is another contact, or none
    int              copies; ///< all that were met; the last ones are kept
    zn_mesh_copy     copy[ZN_COPIES];
    zn_feature_list *out;
} zn_mesh_near;

/// `size`: the smaller extent of both.
zn_mesh_near zn_mesh_near_begin(const zn_near *at, double size, zn_feature_list *out);

static inline zn_vec3 zn_mesh_near_point(const zn_mesh_near *s, zn_vec3 own)
{
    return zn_vec3_add(zn_mat3_apply(s->rotation, own), s->at);
}

/// Velocity of what B has at x.
static inline zn_vec3 zn_mesh_near_velocity(const zn_mesh_near *s, zn_vec3 x)
{
    return zn_vec3_add(s->velocity, zn_vec3_cross(s->spin, x));
}

static inline zn_vec3 zn_mesh_ahead(zn_vec3 x, double when, zn_vec3 velocity)
{
    return zn_vec3_add(x, zn_vec3_scale(when, velocity));
}

/// Times at which a feature is looked at. When the gap closes within the horizon, then. When it does not and is below
/// the slack, now and at the end: loads may close it anywhere between; when it is closed, now: what comes there later
/// comes past something else. Returns their number, 0: it is not near.
static inline int zn_mesh_times(const zn_mesh_near *s, double gap, double rate, double when[2])
{
    bool comes = rate < 0 && gap > ZN_TOUCHING * s->slack && gap <= -rate * s->horizon;
    when[0] = comes ? gap / -rate : 0;
    when[1] = s->horizon;
    return comes || gap <= s->tolerance ? 1 : gap <= s->slack ? 2 : 0;
}

/// The same for something round: it is at d from a point, or across a line, and moves with w there; where it passes as
/// near as loads may close, at the nearest place.
int zn_mesh_round_times(const zn_mesh_near *s, zn_vec3 d, zn_vec3 w, double radius, double when[2]);

/// The box of all that is within `radius` of a point that moves, in `low` and `high`.
void zn_mesh_sweep(const zn_mesh_near *s, zn_vec3 x, zn_vec3 velocity, double radius, zn_vec3 *low, zn_vec3 *high);

/// A box in the axes of a body.
typedef struct zn_mesh_block {
    zn_vec3 low, high;
} zn_mesh_block;

static inline bool zn_mesh_overlap(const zn_mesh_block *a, const zn_vec3 low, const zn_vec3 high)
{
    return a->low.x <= high.x && low.x <= a->high.x && a->low.y <= high.y && low.y <= a->high.y && a->low.z <= high.z &&
           low.z <= a->high.z;
}

/// Around a triangle.
zn_mesh_block zn_mesh_block_of(const zn_mesh_shape *m, int triangle);
/// Where what is in a box of B may be within the horizon, in the axes of A.
zn_mesh_block zn_mesh_swept(const zn_mesh_near *s, zn_vec3 low, zn_vec3 high);

/// One more contact, of features a of the mesh and b, unless it is there. `end`: it touches at `point` with `normal`,
/// near the end of one of them; of several at one place with one normal the one with the lowest numbers stays.
zn_status zn_mesh_found(zn_mesh_near *s, int a, int b, bool end, zn_vec3 point, zn_vec3 normal);

/// How far x is beyond the convex and flat sides of a triangle, along its face, negative inside. Around a hollow side
/// all that is free is in front of both faces: each counts a little beyond it. `end`: one
/// of its sides is near, so that a neighbour may have the same contact.
double zn_mesh_outside(const zn_mesh_near *s, const zn_mesh_shape *m, int triangle, zn_vec3 x, bool *end);

#define ZN_OFF_BORDER 4 ///< how far off a border to look, of the depth

enum { ZN_SPREAD = 24 };

/// What goes out from a place: edges from a corner, or along an edge and into its two faces. Around it all of a body is
/// between these. None: they are too many.
typedef struct zn_spread {
    int     count;
    zn_vec3 way[ZN_SPREAD];
} zn_spread;

/// Does the body go behind a plane through that place, with this normal?
bool zn_spread_enters(const zn_spread *out, zn_vec3 normal);

/// A point on the border of a triangle, behind it, is as near to what is beside the border as can be. Where its body,
/// that goes out from it, is behind that, too, it is asked a little off the border whether it came in by the triangle:
/// here. A body that is not slides past. Below a sharp border the point is in front of what is beside it, and outside.
zn_vec3 zn_mesh_off_border(const zn_mesh_near *s, const zn_mesh_shape *m, int triangle, zn_vec3 x, const zn_spread *out,
                           double depth);

/// A point that something flat comes near to against `normal`, with this gap and speed, at one end of an edge (`spoke`,
/// away from it): does the other end touch before? It does where it is lower by more than what moves within the
/// horizon; unless it is inside already.
bool zn_mesh_is_higher(const zn_mesh_near *s, zn_vec3 spoke, double length, zn_vec3 normal, double gap, double speed);
/// Is a point of the mesh among the lowest of those around it, in that sense?
bool zn_mesh_is_lowest(const zn_mesh_near *s, const zn_mesh_shape *m, int point, zn_vec3 normal, double gap,
                       double speed);

/// May something at d from a point of the mesh touch it there: is no edge nearer?
bool zn_mesh_tip_faces(const zn_mesh_near *s, const zn_mesh_shape *m, int point, zn_vec3 d);

/// The same for an edge, d at right angles to it.
static inline bool zn_mesh_edge_faces(const zn_mesh_line *e, zn_vec3 d, double tolerance)
{
    return zn_vec3_dot(d, e->beyond[0]) >= -tolerance && zn_vec3_dot(d, e->beyond[1]) >= -tolerance;
}

#endif
