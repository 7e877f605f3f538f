/// Points against the deforming surface of a solid: what the rule holds, and how the facet of a point is found.
#ifndef ZN_MODEL_CONTACT_NODES_FACETS_H
#define ZN_MODEL_CONTACT_NODES_FACETS_H

#include "model/contact/contact_points.h"
#include "model/contact/facet.h"
#include "model/rigid_row.h"

/// Of points that are nodes of a surface themselves, as in surface_pair.h: only facets whose normal opposes that of the
/// surface at the point count. The arrays are NULL when points are not such nodes.
typedef struct zn_own_facets {
    int     corners;
    int    *node;         ///< corners of each facet of their surface
    int    *around_start; ///< its facets around point i: around[around_start[i]] ...
    int    *around;
    double  opposed;      ///< how clearly: the product of both normals is below minus this
    double *depth;        ///< how far behind a facet point i may be, less than its own body is thick there
    int    *barred_start; ///< facets that never count for point i: barred[barred_start[i]] ...; NULL: there are none
    int    *barred;
} zn_own_facets;

/// Parameter of the rule; the arrays are behind it in the same block.
typedef struct zn_nodes_facets {
    double        restitution, friction, tangential_restitution;
    double        radius; ///< of the points
    double        reach;  ///< a point is watched up to this distance from the surface, in front and behind
    double        depth;  ///< behind it as far as the user has said; 0: see system/capture.c
    bool          planar;
    const char   *name; ///< borrowed, as the log
    const zn_log *log;
    int           points, facets, corners;
    int splits; ///< pieces of a facet: a quadrilateral has four triangles around its middle, see contact_frame.h
    zn_attachment *point;
    int           *node;       ///< corners of each facet
    unsigned      *border;     ///< per facet: bit a when nothing is beyond edge a (segment: end a)
    int           *star_start; ///< facets that share a node with facet f: star[star_start[f]] ...
    int           *star;
    int           *order; ///< of facets in a tree, zn_facet_tree_order
    zn_own_facets  own;
} zn_nodes_facets;

/// A point and its foot on a facet.
typedef struct zn_on_facet {
    int      facet;
    zn_rigid body;   ///< that carries the point
    zn_vec3  centre; ///< of the point
    zn_foot  foot;
} zn_on_facet;

/// Corners of a facet at q.
void      zn_facet_corners(const zn_nodes_facets *p, const zn_layout *layout, int facet, const double *q, zn_vec3 *x);
/// Is the first foot nearer? When both are at an edge that the facets share, the one that is more in front or behind
/// is.
bool      zn_foot_is_nearer(const zn_foot *a, const zn_foot *b);
/// The nearest facet to point `number`, going from facet to facet as long as they get nearer.
zn_status zn_facet_walk(const zn_nodes_facets *p, const zn_layout *layout, int number, int facet, const double *q,
                        zn_on_facet *out);
/// The foot on that facet or its continuation.
zn_status zn_facet_stay(const zn_nodes_facets *p, const zn_layout *layout, int number, int facet, const double *q,
                        zn_on_facet *out);
/// The facets that a contact touches at once, zn_contact_ops.hollow; in hollow.c.
int       zn_facet_hollow(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                          int piece[ZN_HOLLOW_PIECES]);
/// The same where a search at the same q has found that facet and a walk would not leave it.
bool zn_facet_known(const zn_nodes_facets *p, const zn_layout *layout, int number, int facet, const zn_found_feet *feet,
                    const double *q, zn_on_facet *out);
/// Unit outward normal of the surface that point `number` is a node of: the mean of the facets around it. Zero where
/// they have none.
zn_vec3 zn_point_normal(const zn_nodes_facets *p, const zn_layout *layout, int number, const double *q);

/// Is the facet one that a point with this normal may ever meet?
bool zn_facet_opposes(const zn_nodes_facets *p, int point, int facet, const zn_foot *foot, zn_vec3 normal);

/// What a search has found for a point.
typedef struct zn_nearest {
    zn_foot foot;
    int     facet; ///< -1: none is near
} zn_nearest;

struct zn_facet_memory;
/// The facet of every point that is near the surface, into `best`, one for each point; `past` shortens it and changes
/// nothing of the answer. `memory`: zn_facet_search_bytes of it. Returns how many points had to look everywhere.
int    zn_facet_search(const zn_nodes_facets *p, const zn_layout *layout, const double *q, struct zn_facet_memory *past,
                       zn_nearest *best, void *memory);
size_t zn_facet_search_bytes(const zn_nodes_facets *p);
/// The same as zn_contact_ops.detect.
zn_status zn_facet_detect(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out);
size_t    zn_facet_scratch(const void *rule);

/// Pieces of a facet with so many corners.
static inline int zn_facet_splits(int corners) { return corners == 4 ? 4 : 1; }
/// The piece of the surface that a foot is on.
int               zn_facet_piece(const zn_nodes_facets *p, int facet, const zn_foot *foot);

/// Operations between two states, zn_contact_ops; in nodes_facets_between.c.
const char *zn_nodes_facets_lack_between(const void *rule, const zn_layout *layout);
zn_status   zn_nodes_facets_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                    zn_contact_product *out, double *const force[3]);
zn_status zn_nodes_facets_curvature_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                            const double *lambda, const double *x, double *y);
zn_status zn_nodes_facets_settle(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                 int *piece);

extern const zn_contact_ops zn_nodes_facets_ops;

#endif
