/// Convex hull of points in space, as triangles.
#ifndef ZN_MODEL_CONTACT_HULL_H
#define ZN_MODEL_CONTACT_HULL_H

#include "zn/math.h"

/// Of the largest distance between points: nearer to a plane they are in it.
#define ZN_HULL_TOLERANCE 1e-9

typedef struct zn_hull {
    int count;          ///< of triangles
    int (*triangle)[3]; ///< points, counter-clockwise seen from outside; owned, free() it
    double tolerance;   ///< [m] points lie at most this far outside
} zn_hull;

/// ZN_ERR_MODEL: there is none, and *why says of the points why, as "lie in a plane". A plane of more than three points
/// has several triangles; points inside it, inside its sides or inside the body, and copies, have none.
zn_status zn_hull_create(int points, const zn_vec3 *point, zn_hull *out, const char **why);

#endif
