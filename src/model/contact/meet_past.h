/// Bodies that slide past each other: a plane of a face that keeps all of both apart for the whole horizon.
#ifndef ZN_MODEL_CONTACT_MEET_PAST_H
#define ZN_MODEL_CONTACT_MEET_PAST_H

#include "model/contact/meet_direction.h"
#include "model/contact/polyhedron_cap.h"

/// Two polyhedra, each seen from the other one: view[0] is A seen from B.
typedef struct zn_two_polyhedra {
    const zn_polyhedron *P[2];
    zn_view              view[2];
    double               tiny;     ///< a length that is nothing
    zn_cap               faces[2]; ///< of each, those that something may touch
    zn_fronts           *fronts;
} zn_two_polyhedra;

/// A place at the border of the face of body `which` where another feature would touch it, along `normal`, both in its
/// axes: is there a face of it through this place that the other body stays in front of, so that it slides past?
/// `closing`: how far the gap of the pair closes within the horizon.
bool zn_slides_past(const zn_two_polyhedra *two, int which, zn_vec3 place, zn_vec3 normal, double closing);

#endif
