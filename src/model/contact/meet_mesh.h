/// How meshes meet other shapes; the mesh is the first.
#ifndef ZN_MODEL_CONTACT_MEET_MESH_H
#define ZN_MODEL_CONTACT_MEET_MESH_H

#include "model/contact/meet.h"

zn_meet zn_meet_mesh_sphere, zn_meet_mesh_plane, zn_meet_mesh_capsule, zn_meet_mesh_polyhedron, zn_meet_mesh_mesh;
zn_meet zn_meet_mesh_cylinder;

#endif
