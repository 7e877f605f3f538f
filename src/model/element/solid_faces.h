/// Faces (edges in the plane) on the outside of a solid.
#ifndef ZN_MODEL_ELEMENT_SOLID_FACES_H
#define ZN_MODEL_ELEMENT_SOLID_FACES_H

#include "model/model.h"

typedef struct zn_solid_faces {
    int    count, corners; ///< corners of each face: 2, 3 or 4
    double thickness;      ///< of the part, in the plane
    int   *node;           ///< count * corners, outward normal by the right hand; allocated
} zn_solid_faces;

/// Those of a part whose nodes all belong to a set, NULL: all. `what` ("load") and `name` are for messages, also when
/// there is none.
zn_status zn_solid_faces_find(const zn_model *model, const char *what, const char *name, const char *part,
                              const char *face, zn_solid_faces *out);

/// A face of a solid of any kind.
typedef struct zn_outer_face {
    int    corners, node[ZN_FACE_NODES]; ///< as above
    int    part;
    double thickness; ///< in the plane; elsewhere 1
} zn_outer_face;

typedef struct zn_outer_faces {
    int            count, capacity;
    zn_outer_face *face; ///< allocated
} zn_outer_faces;

/// Adds the outer faces of all parts whose nodes all are marked. `out->face` is to be freed, also when it fails.
zn_status zn_outer_faces_find(const zn_model *model, const bool *marked, zn_outer_faces *out);

#endif
