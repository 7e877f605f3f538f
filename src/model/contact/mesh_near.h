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
    double           depth;     ///< [m] what is deeper is another contact, or none
    int              copies;    ///< all that were met; the last ones are kept
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

/// Does the gap close within the horizon, and when? What is below the slack and does not counts as closed now, as does
/// what touches.
static inline bool zn_mesh_closes(const zn_mesh_near *s, double gap, double rate, double *when)
{
    bool comes = rate < 0 && gap > ZN_TOUCHING * s->slack && gap <= -rate * s->horizon;
    *when = comes ? gap / -rate : 0;
    return comes || gap <= s->slack;
}

/// The box of all that is within `radius` of a point that moves, in `low` and `high`.
void zn_mesh_sweep(const zn_mesh_near *s, zn_vec3 x, zn_vec3 velocity, double radius, zn_vec3 *low, zn_vec3 *high);

/// One more contact, of features a of the mesh and b. `end`: it touches at `point` with `normal`, near the end of one
/// of them; of several at one place with one normal the one with the lowest numbers stays.
zn_status zn_mesh_found(zn_mesh_near *s, int a, int b, bool end, zn_vec3 point, zn_vec3 normal);

/// How far x is beyond the sides of a triangle, along its face; negative inside. Sides to a face that the point is
/// behind as well, hollow ones, do not count where it is `behind` its own.
double zn_mesh_outside(const zn_mesh_shape *m, int triangle, zn_vec3 x, bool behind);

/// Is a point of the mesh among the lowest of those around it, along a normal that something flat approaches it
/// against, at this speed? One that has a neighbour lower by more than what moves within the horizon cannot touch
/// before that.
bool zn_mesh_is_lowest(const zn_mesh_near *s, const zn_mesh_shape *m, int point, zn_vec3 normal, double speed);

/// May something at d from a point of the mesh touch it there: is no edge nearer?
bool zn_mesh_tip_faces(const zn_mesh_near *s, const zn_mesh_shape *m, int point, zn_vec3 d);

/// The same for an edge, d at right angles to it.
static inline bool zn_mesh_edge_faces(const zn_mesh_line *e, zn_vec3 d, double tolerance)
{
    return zn_vec3_dot(d, e->beyond[0]) >= -tolerance && zn_vec3_dot(d, e->beyond[1]) >= -tolerance;
}

#endif
