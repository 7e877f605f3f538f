/// Contours in the plane: closed chains of straight sides and arcs, the inside on the left, or open ones, whose right
/// is free. All shapes of the plane are seen as contours: a disc is one arc, a plane one side without ends.
#ifndef ZN_MODEL_CONTACT_CONTOUR_H
#define ZN_MODEL_CONTACT_CONTOUR_H

#include "model/contact/feature.h"
#include "model/contact/shape.h"

/// What happens where one side goes over into the next.
typedef enum zn_corner_kind {
    ZN_CORNER_SHARP,  ///< a corner that points outwards
    ZN_CORNER_SMOOTH, ///< both have the same tangent
    ZN_CORNER_HOLLOW, ///< a corner that points inwards: it never touches anything
    ZN_CORNER_END     ///< of an open chain
} zn_corner_kind;

/// A side, in the axes of the body.
typedef struct zn_edge {
    zn_vec3        from, to;
    zn_vec3        leaving, arriving; ///< unit tangents at its ends
    zn_vec3        normal;            ///< straight: outward
    zn_vec3        centre;            ///< arc
    double         radius;            ///< 0: straight; > 0: bulges out; < 0: hollow
    double         length;            ///< straight
    bool           wide;              ///< arc: half a circle or more
    zn_corner_kind corner;            ///< at `from`
} zn_edge;

/// A box around consecutive sides.
typedef struct zn_edge_box {
    zn_vec3 centre, half;
} zn_edge_box;

typedef struct zn_contour {
    int            edges;
    int            corners; ///< closed: as many as sides, open: one more, none for discs and planes
    bool           open;    ///< also the disc and the plane: no side has a neighbour beyond the ends of the list
    bool           endless;
    double         size;  ///< diagonal of its box; 0: it does not end
    double         grain; ///< how deep something may be inside that has come through one of its sides
    const zn_edge *edge;
    const zn_edge_box
        *box; ///< node 1 is all of it, 2i and 2i + 1 are the halves of i; NULL: few sides, tried one by one
} zn_contour;

enum { ZN_CONTOUR_FEW = 4 }; ///< sides of a shape that is seen as a contour when it is needed

/// What the def makes of a contour: finite points, no two neighbours at one place. `edge` and `box` are to be freed.
zn_status zn_contour_make(const zn_shape_def *def, zn_contour *out);

/// A shape of the plane as a contour. `few` is its room unless it is one already. False: it is none.
bool zn_contour_of(const zn_pair_shape *shape, zn_edge few[ZN_CONTOUR_FEW], zn_contour *out);

/// The side from `from` to `to`; its corner is not known yet.
zn_edge zn_edge_make(zn_vec3 from, zn_vec3 to, double bulge);

/// Numbers of features: sides are even, corners (at the start of the side) odd.
static inline int zn_edge_feature(int edge) { return 2 * edge; }
static inline int zn_corner_feature(int corner) { return 2 * corner + 1; }

/// `feature` and `bound` of zn_shape_ops for all shapes of the plane.
bool zn_contour_feature(const zn_pair_shape *shape, int index, zn_feature *out);
bool zn_contour_bound(const zn_pair_shape *shape, zn_vec3 *centre, zn_vec3 *half);

/// Side before and after a corner; -1: there is none.
static inline int zn_edge_before(const zn_contour *c, int corner)
{
    return corner > 0 ? corner - 1 : c->open ? -1 : c->edges - 1;
}
static inline int zn_edge_after(const zn_contour *c, int corner) { return corner < c->edges ? corner : -1; }
/// Corner at the end of a side.
static inline int zn_corner_after(const zn_contour *c, int edge)
{
    return edge + 1 < c->corners || c->open ? edge + 1 : 0;
}
static inline zn_vec3 zn_corner_at(const zn_contour *c, int corner)
{
    return corner < c->edges ? c->edge[corner].from : c->edge[corner - 1].to;
}
static inline zn_corner_kind zn_corner_of(const zn_contour *c, int corner)
{
    return corner < c->edges ? c->edge[corner].corner : ZN_CORNER_END;
}

/// The box around sides first .. last - 1, by looking at them.
zn_edge_box zn_contour_box(const zn_contour *c, int first, int last);

/// Area inside a closed contour, first moment and second moment about the origin: its centre is moment / area.
typedef struct zn_contour_moments {
    double  area;
    zn_vec3 moment;
    double  second; ///< integral of x^2 + y^2
} zn_contour_moments;
zn_contour_moments zn_contour_integrate(int count, const zn_contour_side *side);

#endif
