/// How cylinders meet other shapes; zn_meet of meet.h.
#ifndef ZN_MODEL_CONTACT_MEET_CYLINDER_H
#define ZN_MODEL_CONTACT_MEET_CYLINDER_H

#include "model/contact/meet.h"

zn_meet zn_meet_cylinder_plane, zn_meet_cylinder_sphere, zn_meet_cylinder_capsule, zn_meet_cylinder_cylinder;
zn_meet zn_meet_cylinder_polyhedron, zn_meet_polyhedron_cylinder;

#define ZN_CHORD_SINE 0.1 ///< chords and lines that are nearer to parallel cross nowhere

#endif
