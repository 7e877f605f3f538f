/// How capsules meet in space.
#ifndef ZN_MODEL_CONTACT_MEET_CAPSULE_H
#define ZN_MODEL_CONTACT_MEET_CAPSULE_H

#include "model/contact/meet.h"

zn_meet zn_meet_capsule_sphere;     ///< capsule, sphere
zn_meet zn_meet_capsules;           ///< capsule, capsule
zn_meet zn_meet_capsule_polyhedron; ///< capsule, polyhedron
zn_meet zn_meet_polyhedron_capsule; ///< polyhedron, capsule

#endif
