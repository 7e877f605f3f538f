/// How a ball, a sphere or the end of a capsule, meets a convex body: by the feature it is nearest to.
#ifndef ZN_MODEL_CONTACT_MEET_BALL_H
#define ZN_MODEL_CONTACT_MEET_BALL_H

#include "model/contact/meet_view.h"
#include "model/contact/polyhedron.h"

/// The feature of a convex body nearest to a point, its distance from it, and the direction away from it.
typedef int zn_nearest(const void *core, zn_vec3 x, double *distance, zn_vec3 *away);

/// The feature that a ball at x, which is seen from the body, touches or is nearest to; -1: it is not near. `radius`:
/// of the ball and around the core together.
int zn_ball_on(const void *core, zn_nearest *nearest, const zn_view *v, zn_vec3 x, double radius);
int zn_ball_on_polyhedron(const zn_polyhedron *p, const zn_view *v, zn_vec3 x, double radius);

#endif
