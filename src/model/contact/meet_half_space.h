/// How shapes with corners meet a plane: every corner for itself.
#ifndef ZN_MODEL_CONTACT_MEET_HALF_SPACE_H
#define ZN_MODEL_CONTACT_MEET_HALF_SPACE_H

#include "model/contact/meet.h"

zn_meet zn_meet_plane_polyhedron; ///< plane, polyhedron
zn_meet zn_meet_polyhedron_plane; ///< polyhedron, plane
zn_meet zn_meet_capsule_plane;    ///< capsule, plane

#endif
