/// How polyhedra are put together: room, then vertices and faces with their loops, then the rest.
#ifndef ZN_MODEL_CONTACT_POLYHEDRON_BUILD_H
#define ZN_MODEL_CONTACT_POLYHEDRON_BUILD_H

#include "model/contact/polyhedron.h"

/// Room for that many, `corners` in all loops together. NULL: out of memory.
zn_polyhedron *zn_polyhedron_new(int vertices, int faces, int corners);

/// Edges, neighbours and sizes. Not sound: the loops do not close to a surface like a sphere.
zn_status zn_polyhedron_complete(zn_polyhedron *p, bool *sound);

#endif
