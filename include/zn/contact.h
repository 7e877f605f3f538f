/// @file contact.h
/// Contacts of a model: points and surfaces, surfaces of solids, shapes of bodies. Part of model.h.
#ifndef ZN_CONTACT_H
#define ZN_CONTACT_H

#include "zn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How contacts that touch at once share an impact (docs/theory/impact-laws-compared.md).
typedef enum zn_impact_law {
    ZN_IMPACT_NEWTON,     ///< U+ >= -e U- in each of them, all at once
    ZN_IMPACT_POISSON,    ///< compression of all, then expansion with e times its impulses
    ZN_IMPACT_SEQUENTIAL, ///< one after the other, the fastest first
} zn_impact_law;

// --- points and surfaces -------------------------------------------------------------------------

/// What a point cannot enter.
typedef enum zn_surface_kind {
    ZN_SURFACE_PLANE,    ///< the half-space { x : normal . (x - through) >= 0 } is free
    ZN_SURFACE_CIRCLE,   ///< the outside of a circle is free (in space: a sphere)
    ZN_SURFACE_HOLE,     ///< the inside of a circle is free: clearance of a journal
    ZN_SURFACE_SLOT,     ///< between two sides: contact number 0 left of the axis, 1 right of it; planar
    ZN_SURFACE_FACETS,   ///< the outside of a solid that deforms is free
    ZN_SURFACE_CYLINDER, ///< the outside of a cylinder is free; in space
    ZN_SURFACE_BORE,     ///< the inside of a cylinder is free; in space
    ZN_SURFACE_SHAPE     ///< the outside of rigid shapes of a name is free
} zn_surface_kind;

/// A point, or a circle around it (in space a ball or a rim), against a surface carried by a body or the ground, or
/// against that of a solid. Vectors of the surface are in the axes of its body.
typedef struct zn_contact_def {
    size_t          size; ///< set by the default function; do not touch
    const char     *name;
    zn_attachment   point;          ///< on the ground (null node) where the surface is on a body
    const char     *points;         ///< instead of point, a node set or a part: one contact per node, in its order; no
                                    ///< slots. With facets also a shape of a body: one contact per corner
    zn_vec3         normal;         ///< plane: out of the obstacle, any length > 0
    zn_vec3         through;        ///< plane: a point of the boundary; circle, hole: the centre; slot, cylinder,
                                    ///< bore: a point of its axis [m]
    double          restitution;    ///< e_N in [0, 1], default 0
    double          radius;         ///< of the point [m], >= 0, default 0
    zn_node_id      surface_node;   ///< carries the surface; null: the ground
    zn_surface_kind surface;        ///< default plane
    double          surface_radius; ///< circle, hole, cylinder, bore [m], > 0; what is in a hole or bore is smaller
    zn_vec3         axis;           ///< slot, cylinder, bore: any length > 0
    double          width;          ///< slot [m], larger than the point
    double          friction;       ///< mu, >= 0, default 0
    double          tangential_restitution; ///< e_T in [-1, 1], default 0; acts with friction only
    double          rolling_friction;  ///< largest moment against rolling over the normal force [m], >= 0, default 0;
    double          spinning_friction; ///< the same about the normal, in space; both with friction, and with planes,
                                       ///< circles, holes and slots
    double          length, breadth;   ///< plane: sides of a face around `through` [m]; 0 (default): unbounded. In the
                                       ///< plane `length` alone. A point meets it while its projection is on the face.
                                       ///< Cylinder, bore: `length` alone, likewise.
    zn_vec3         along; ///< bounded plane in space: direction of `length`, made perpendicular to the normal;
                           ///< 0 (default): any
    double          depth; ///< bounded plane, cylinder or bore with ends: how deep behind it a point is taken for a
                           ///< contact wherever it has come from [m]; 0 (default): only when it has come through the
                           ///< face, and what is around a cylinder (ring) or has its centre in a bore
    const char     *part;  ///< facets: the solid whose surface it is
    const char     *face;  ///< facets: the node set that contains all nodes of the facets that count
    double          reach; ///< facets: distance below which a point is watched [m], and depth behind them to which it
                           ///< is pushed back wherever it has come from; 0 (default): the longest side of a facet, and
                           ///< only what has come through them
    zn_vec3         rim;  ///< in space: the axis of a circle of `radius` around the point, in the axes of its body, any
                          ///< length; with planes, cylinders and bores. 0 (default): it is a ball
    bool            ring; ///< rim: it is around the cylinder, which is smaller; default false: beside it
    double          restitution_from; ///< speed of approach [m/s] below which both restitutions are 0, >= 0, default 0
    double          taper; ///< cylinder, bore: half the angle of a cone that is wider along the axis, surface_radius at
                  ///< `through` [rad]; it has a length that ends before its apex. Points and balls only. Default 0
    const char     *shape; ///< shapes: their name, or that of their body. Points are balls of `radius`, without one of
                           ///< a thousandth of what they span: on edges they need a normal
    double          cohesion; ///< largest force by which a closed contact pulls [N], >= 0, default 0
} zn_contact_def;

ZN_DECLARE_DEF(zn_contact_def);
ZN_API zn_status zn_model_add_contact(zn_model *model, const zn_contact_def *def);

/// A pin in a hole, in space, each carried by a body or the ground: contacts 0 and 1 are the rims at the ends of the
/// pin in the hole, then come those at the ends of the hole around the pin; before and after the middle in the order of
/// the axis. What has no end has no rims. Rims act while they are along the other part, so pins may leave their holes.
typedef struct zn_pin_def {
    size_t        size; ///< set by the default function; do not touch
    const char   *name;
    zn_attachment pin, hole;               ///< the middle of each; null node: the ground, of one of them
    zn_vec3       pin_axis, hole_axis;     ///< in the axes of their bodies, any length > 0
    double        pin_radius, hole_radius; ///< [m], > 0; the hole is larger
    double        pin_length, hole_length; ///< [m], > 0; 0 (default): it does not end, of one of them
    double        restitution, friction, tangential_restitution, restitution_from; ///< as in zn_contact_def
} zn_pin_def;

ZN_DECLARE_DEF(zn_pin_def);
ZN_API zn_status zn_model_add_pin(zn_model *model, const zn_pin_def *def);

// --- surfaces of solids ---------------------------------------------------------------------------

/// Contact between the surfaces of two solids, or of one solid with itself: nodes of each stay outside the facets of
/// the other, so that neither is master or slave. Facets and nodes whose outward normals do not oppose do not meet.
/// Surfaces may be closed or end; beyond an edge without a neighbour nothing is met.
typedef struct zn_surfaces_def {
    size_t      size; ///< set by the default function; do not touch
    const char *name;
    const char *part_a, *face_a;        ///< a solid, and the node set that contains all nodes of its facets that count;
                                        ///< face NULL: all outer facets
    const char *part_b, *face_b;        ///< another one without common nodes; part NULL: the surface meets itself
    double      friction;               ///< mu, >= 0, default 0
    double      tangential_restitution; ///< e_T in [-1, 1], default 0; acts with friction only
    double      restitution;            ///< e_N in [0, 1]; NaN (default): not given, 0 for schemes that need one
    double      restitution_from;       ///< as in zn_contact_def
    double      reach; ///< distance below which nodes are watched, and depth behind facets to which they are pushed
                       ///< back [m]; 0 (default): the longest side of a facet
} zn_surfaces_def;

ZN_DECLARE_DEF(zn_surfaces_def);
ZN_API zn_status zn_model_add_surfaces(zn_model *model, const zn_surfaces_def *def);

// --- shapes, and contacts between many of them ----------------------------------------------------

/// Surfaces of bodies for zn_pairs_def.
typedef enum zn_shape_kind {
    ZN_SHAPE_SPHERE,   ///< in the plane: a disc
    ZN_SHAPE_BOX,      ///< in the plane: a rectangle
    ZN_SHAPE_PLANE,    ///< the half-space { x : normal . (x - at) >= 0 } is free
    ZN_SHAPE_CAPSULE,  ///< all within `radius` of a line of `length` around `at`, along z; in the plane along x
    ZN_SHAPE_CYLINDER, ///< of `radius` and `length` around `at`, along z; in space
    ZN_SHAPE_HULL,     ///< convex hull of points; in space
    ZN_SHAPE_MESH,     ///< closed surface of triangles; in space
    ZN_SHAPE_CONTOUR,  ///< of straight sides and arcs; in the plane
    ZN_SHAPE_KINDS
} zn_shape_kind;

/// A side of a contour, from `start` to the start of the next one; counter-clockwise: the inside is on its left.
typedef struct zn_contour_side {
    zn_vec3 start; ///< in the axes of the shape, from `at` [m]; z is 0
    double  bulge; ///< tan of a quarter of the angle that its arc sweeps: > 0: it bulges out, < 0: it is hollow, 0
                   ///< (and below 1e-8): straight
} zn_contour_side;

typedef struct zn_shape_def {
    size_t                 size; ///< set by the default function; do not touch
    const char            *name; ///< shapes of the same name form a set; a space of names of their own; not NULL
    zn_shape_kind          kind;
    zn_attachment          at;          ///< carries it: the centre, for a plane a point of it; null node: the ground
    double                 radius;      ///< sphere, capsule, cylinder [m], > 0
    double                 length;      ///< capsule: of its line [m], > 0; cylinder: between its caps, 0: a disc
    zn_vec3                box;         ///< sides [m], > 0; in the plane x and y
    zn_quat                rotation;    ///< the axes of the shape to those of its body; default none
    const char            *material;    ///< a word of zn_material_pair_def; NULL (default): none
    zn_vec3                normal;      ///< plane: any length > 0, in the axes of its body
    int                    point_count; ///< hull: at least 4, mesh: its vertices
    const zn_vec3         *points;      ///< in the axes of the shape, from `at` [m]
    int                    triangle_count;
    const int             *triangles; ///< mesh: three vertices each, counter-clockwise seen from outside
    int                    side_count;
    const zn_contour_side *sides; ///< contour: at least 2, with an area
    bool                   open;  ///< contour: a chain, its last entry is where it ends; what is on its right is free
    bool                   hole;  ///< contour: clockwise, what it goes around is free
} zn_shape_def;

ZN_DECLARE_DEF(zn_shape_def);
ZN_API zn_status zn_model_add_shape(zn_model *model, const zn_shape_def *def);
/// How many shapes have this name.
ZN_API int       zn_model_count_shapes(const zn_model *model, const char *name);

/// Law of contacts between shapes of two materials, for zn_pairs_def. Which of them is first does not matter; each pair
/// is given once, before the contacts.
typedef struct zn_material_pair_def {
    size_t      size;  ///< set by the default function; do not touch
    const char *a, *b; ///< words of at most 63 characters without '-'; may be the same
    double      restitution, friction, tangential_restitution, restitution_from; ///< as in zn_contact_def
    double      rolling_friction, spinning_friction;                             ///< likewise
} zn_material_pair_def;

ZN_DECLARE_DEF(zn_material_pair_def);
ZN_API zn_status zn_model_add_material_pair(zn_model *model, const zn_material_pair_def *def);
/// Is there a pair with this material?
ZN_API bool      zn_model_has_material(const zn_model *model, const char *material);

/// Contacts of all pairs among named shapes; of many (more than 64) only those that are near each other. Pairs on the
/// same body, or on the ground, do not count, nor those of bodies that a joint holds together. A name stands for all
/// shapes of that name; if there are none, for all shapes of the body of that name, or of the `ground`; and `all` for
/// all shapes.
typedef struct zn_pairs_def {
    size_t             size; ///< set by the default function; do not touch
    const char        *name;
    int                between_count, against_count;
    const char *const *between; ///< names: every pair of their shapes
    const char *const *against; ///< when given: only pairs of one of `between` and one of `against`
    int                except_count;
    const char *const *except; ///< two names for each: their shapes do not meet
    bool               joined; ///< shapes of bodies that joints hold together meet as well (any kind of joint between
                               ///< points but rods, with play or not, that was added before); default false
    double restitution, friction, tangential_restitution, restitution_from; ///< as in zn_contact_def; where there is no
                                                                            ///< zn_material_pair_def
    bool   listed; ///< there must be one for every pair of shapes of which one has a material; default false
    double rolling_friction, spinning_friction; ///< likewise [m]
    double cohesion;                            ///< of each contact, as in zn_contact_def [N]
} zn_pairs_def;

ZN_DECLARE_DEF(zn_pairs_def);
ZN_API zn_status zn_model_add_pairs(zn_model *model, const zn_pairs_def *def);

#ifdef __cplusplus
}
#endif
#endif
