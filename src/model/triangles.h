/// Surfaces of triangles as files hold them: corners without neighbours, whose equal points become one.
#ifndef ZN_MODEL_TRIANGLES_H
#define ZN_MODEL_TRIANGLES_H

#include "zn/math.h"

enum { ZN_TRIANGLES_MAX = 2000000 };

typedef struct zn_triangles {
    int      points, count; ///< of points and of triangles
    zn_vec3 *point;
    int     *corner; ///< three for each triangle, counter-clockwise seen from outside
    int      lost;   ///< triangles with two corners that became one: they have no area, and stay in the list
} zn_triangles;

/// Points that are nearer than this share of the diagonal of all are one.
#define ZN_WELD_TOLERANCE 1e-6

/// Three corners for each of `count` triangles, all finite; points nearer than `tolerance` [m] become one, the first.
zn_status zn_triangles_weld(int count, const zn_vec3 *corner, double tolerance, zn_triangles *out);
void      zn_triangles_clear(zn_triangles *triangles);

/// Length of the diagonal of the box around points, in the axes they are given in.
double zn_points_extent(int count, const zn_vec3 *point);

/// A triangle whose corners are less than three points; it bounds nothing.
static inline bool zn_triangle_is_lost(const int *corner)
{
    return corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
}

#endif
