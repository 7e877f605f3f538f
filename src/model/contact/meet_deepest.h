/// Polyhedra inside each other of which nothing else is listed.
#ifndef ZN_MODEL_CONTACT_MEET_DEEPEST_H
#define ZN_MODEL_CONTACT_MEET_DEEPEST_H

#include "model/contact/meet.h"
#include "model/contact/meet_past.h"

/// A vertex behind a face, by no more than they overlap there.
zn_status zn_hold_deepest(const zn_two_polyhedra *two, zn_feature_list *out);

#endif
