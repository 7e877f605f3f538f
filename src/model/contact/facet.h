/// Closest points on facets: segments in the plane, triangles and bilinear quadrilaterals in space.
#ifndef ZN_MODEL_CONTACT_FACET_H
#define ZN_MODEL_CONTACT_FACET_H

#include "zn/math.h"

enum { ZN_FACET_CORNERS = 4 }; ///< the most of any kind

/// Foot of a point on a facet X(xi) = sum N_a(xi) x_a, possibly outside of its edges: (x - X).X,k = 0.
typedef struct zn_foot {
    double  N[ZN_FACET_CORNERS], dN[2][ZN_FACET_CORNERS]; ///< shape functions and their derivatives there
    zn_vec3 g[2];                                         ///< X,1 and X,2; a segment has the first only
    zn_vec3 twist;                                        ///< X,12: not 0 on quadrilaterals only
    zn_vec3 normal;     ///< unit, outwards: g1 x g2, of a segment g1 turned by -90 degrees
    zn_vec3 tangent[2]; ///< unit, the first along g1
    double  stretch;    ///< |g1 x g2| or |g1|
    double  gap;        ///< normal.(x - X)
    double  margin;     ///< distance of the foot from the nearest edge, negative outside
    double  distance;   ///< of the point from the facet, edges included
    int     edge;       ///< the nearest one: a to a + 1; of a segment the end a
} zn_foot;

/// Unit outward normal in the middle of a facet; zero where it has no area.
zn_vec3 zn_facet_normal(int corners, const zn_vec3 *x);

/// Foot of `point` on a facet with `corners` nodes: 2, 3 or 4. False when there is none: no area, or too far away from
/// a facet that is bent.
bool zn_facet_project(int corners, const zn_vec3 *x, zn_vec3 point, zn_foot *out);

/// The same, faster: where the foot is inside, `margin` is not more than it would be, and `edge` not looked for.
bool zn_facet_foot(int corners, const zn_vec3 *x, zn_vec3 point, zn_foot *out);

typedef struct zn_foot_change {
    double  N[ZN_FACET_CORNERS];
    zn_vec3 normal, tangent[2];
} zn_foot_change;

/// Change of the foot when the corners move by dx and the point by dp.
zn_foot_change zn_facet_change(int corners, const zn_foot *foot, const zn_vec3 *dx, zn_vec3 dp);

#endif
