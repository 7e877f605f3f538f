/// How a ball, a sphere or the end of a capsule, meets a polyhedron: by the feature it is nearest to.
#ifndef ZN_MODEL_CONTACT_MEET_BALL_H
#define ZN_MODEL_CONTACT_MEET_BALL_H

#include "model/contact/meet_view.h"
#include "model/contact/polyhedron.h"

/// The feature that a ball at x, which is seen from the polyhedron, touches or is nearest to; -1: it is not near.
int zn_ball_on_polyhedron(const zn_polyhedron *p, const zn_view *v, zn_vec3 x, double radius);

#endif
