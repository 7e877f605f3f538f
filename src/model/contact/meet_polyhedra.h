/// How polyhedra meet: boxes and hulls in space.
#ifndef ZN_MODEL_CONTACT_MEET_POLYHEDRA_H
#define ZN_MODEL_CONTACT_MEET_POLYHEDRA_H

#include "model/contact/meet.h"

zn_meet zn_meet_polyhedra;         ///< polyhedron, polyhedron
zn_meet zn_meet_polyhedron_sphere; ///< polyhedron, sphere

#endif
