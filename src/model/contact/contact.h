/// Contact and joint rules: whatever the geometry and however many nodes it involves, a rule yields one product per
/// contact: gap, Jacobian rows, law. Schemes and solvers see only that. A joint is a rule whose contacts are
/// bilateral: one contact per equation.
#ifndef ZN_MODEL_CONTACT_CONTACT_H
#define ZN_MODEL_CONTACT_CONTACT_H

#include "model/attachment.h"
#include "model/between.h"
#include "model/contact/broad_boxes.h"
#include "model/layout.h"
#include "model/look.h"
#include "model/rigid_row.h"

enum { ZN_CONTACT_ENTRIES = 64 }; ///< largest row of a rule with friction
enum { ZN_CONTACT_ROWS = 6 };     ///< the most of a contact: normal, tangents, rolling, spinning

typedef struct zn_contact_product {
    double  gap;                    ///< g_N, or the value of a bilateral equation
    double  rate;                   ///< dg/dt at fixed q (prescribed motion); starts as 0
    double  restitution;            ///< e_N
    double  friction;               ///< mu; starts as 0
    double  tangential_restitution; ///< e_T; starts as 0
    double  restitution_from;       ///< speed of approach below which both are 0; starts as that of the rule
    double  rolling, spinning;      ///< lengths [m] of their friction, and one that makes spins of these rows
    double  lever;                  ///< velocities; start as 0
    int     rolls, spins;           ///< rows of rolling and spinning; start as 0
    int     entries;                ///< of each row
    int    *dof;                    ///< room for max_entries; NULL: only the gap is wanted
    double *value;                  ///< normal row
    /// Tangential rows over the same dofs, filled when the rule has friction; then those of rolling, the spins about as
    /// many tangents, and that of spinning, where it has them.
    double *tangent[ZN_CONTACT_ROWS - 1];
    bool    known;                ///< dof holds what it held the last time, for a rule that always has the same
    struct zn_contact_memo *memo; ///< NULL: none
} zn_contact_product;

/// What a search of points on facets has found, while q stays: each of the points of a rule; nodes_facets.h.
typedef struct zn_found_feet {
    const void              *rule; ///< NULL: none
    const struct zn_nearest *best; ///< in the scratch of the search, borrowed
} zn_found_feet;

/// Where the bodies of a contact are, kept from one contact to the next while q stays: many lie between the same two.
struct zn_contact_memo {
    const void          *rule; ///< whose bodies these are; NULL: nobody's
    const zn_found_feet *feet; ///< two of them, NULL: none
    int64_t              number;
    zn_rigid             A, B;
    zn_turn              turn; ///< of a point
};

/// How things move around the time of a search: with v, from `since` before it to `ahead` after it.
typedef struct zn_motion {
    const double *v;            ///< NULL: nobody knows
    double        ahead, since; ///< [s] to the end and from the start of the step
} zn_motion;

/// Which contact of a rule. Its number, feature and rule are its id; the piece may change while it lasts.
typedef struct zn_contact_key {
    int64_t number;
    int64_t feature; ///< pair of features that touch; 0: there is one only
    int     piece;   ///< of a surface of many pieces, where the contact was found; 0: there is one only. Of a line:
} zn_contact_key;    ///< the place where it is held, see zn_piece_of_place; 0: wherever it is nearest

enum { ZN_LINE_PIECES = 1 << 30 }; ///< places along a line

/// A place along a line, 0 at one end of it and 1 at the other, as a piece and back.
static inline int zn_piece_of_place(double place)
{
    return 1 + (int)(ZN_LINE_PIECES * (place < 0 ? 0 : place > 1 ? 1 : place));
}
static inline double zn_place_of_piece(int piece) { return (double)(piece - 1) / ZN_LINE_PIECES; }

/// Where along a line a contact is nearest. See round_lines.h.
typedef struct zn_nearest_place {
    double at;        ///< in places along the line, on and on beyond its ends
    double square;    ///< of the sine of the angle between the lines: times `at` it is straight in their tilt
    double low, high; ///< the part where the other one is beside it
    double gap;       ///< [m] the smallest along that part
    double beyond;    ///< [m] by which it is smaller than where the contact is held
    bool   runs;      ///< it runs far along the line with a small tilt
} zn_nearest_place;

static inline zn_contact_key zn_contact_key_of(zn_contact_id id, int piece)
{
    return (zn_contact_key){zn_contact_id_number(id), id.feature, piece};
}

/// Pairs of things, each as one number.
typedef struct zn_feature_list {
    int      count, capacity;
    int64_t *pair;
} zn_feature_list;

/// A part of the candidates of a rule of shapes, which one thread looks at: features of the last pair, and of all.
typedef struct zn_feature_part {
    zn_feature_list found, all;
    zn_status       status;
} zn_feature_part;
enum { ZN_FEATURE_PARTS = 32 };

struct zn_team;
struct zn_contact_list;

/// Processes that search together: each looks for a share of the pairs, and all get those of all, one share after the
/// other. One status for all.
typedef struct zn_search_peers {
    void *user;
    int   part, parts; ///< which share is that of this process
    zn_status (*join)(void *user, zn_status own, struct zn_contact_list *list);
} zn_search_peers;

/// Receives the contacts that are near, ascending by number, then feature. Its memory belongs to a contact set.
typedef struct zn_contact_list {
    int           count, capacity;
    int64_t      *number, *spare; ///< capacity each, as feature and piece; zn_contact_list_room makes it larger
    int64_t      *feature;        ///< starts as 0
    int          *piece;          ///< where on the surface each was found, starts as 0; see zn_contact_ops
    const double *v;              ///< velocities, NULL: nothing moves
    double        horizon;        ///< [s] how far ahead near means
    double        margin;         ///< [m] gap that is near in any case
    zn_motion     motion;         ///< in which nothing may be missed
    const double *strayed;        ///< how far each degree of freedom is off what an earlier search knew; NULL: far
    const double *way;    ///< with it: the displacement of the step, whose turns an earlier search took for straight
    double        stray;  ///< [m] pairs of shapes that are off by less against each other are not asked
    double        deeper; ///< [m] convex shapes inside each other by less need not be found; 0: all
    size_t        scratch_size;
    void         *scratch;              ///< as much as the rule's operation says
    zn_found_feet feet[2];              ///< in it, of rules of facets
    struct zn_facet_memory *facets;     ///< what searches of theirs remember; facet_memory.h
    zn_feature_list         candidates; ///< of rules of shapes, as
    zn_broad_pairs          pairs;
    zn_feature_part         part[ZN_FEATURE_PARTS];
    int                     most_features;               ///< that a part has had so far
    int                    *features, features_capacity; ///< of each candidate: how many
    struct zn_team         *team;                        ///< borrowed, shares them; NULL: nobody
    const zn_search_peers  *peers;                       ///< borrowed, likewise of pairs of spheres
    // of all rules, not for detect
    int                     ids, id_capacity;
    zn_contact_id          *id;
    int                    *id_piece;
} zn_contact_list;

/// Room for `count` numbers, for one more, for `size` bytes of scratch.
zn_status zn_contact_list_reserve(zn_contact_list *list, int count);
zn_status zn_contact_list_room(zn_contact_list *list);
zn_status zn_contact_list_scratch(zn_contact_list *list, size_t size);

enum { ZN_HOLLOW_PIECES = 4 }; ///< the most that a contact in a hollow is split into

enum { ZN_CONTACT_CORNERS = 4 }; ///< the most of a facet

/// Where a contact is, for pictures. The surface is described in the axes of the node that carries it.
typedef struct zn_contact_location {
    zn_vec3    position;   ///< on the body, in world axes
    zn_vec3    normal;     ///< unit, out of the obstacle, in world axes
    zn_vec3    tangent[2]; ///< of the tangential rows, in world axes
    int        surface;    ///< zn_surface_kind; -1: no obstacle with a shape of its own
    zn_node_id carrier;    ///< of the surface; null: the ground
    zn_vec3    through;    ///< plane, slot, cylinder, bore: a point of it or its axis; circle, hole: the centre
    zn_vec3    direction;  ///< plane: normal; slot: across its axis; cylinder, bore: axis
    zn_vec3    along;      ///< bounded plane: direction of the first side
    double     size;       ///< circle, hole, cylinder, bore: radius; slot: half its width
    double     taper;      ///< cylinder, bore: of a cone [rad]
    double     half[2];    ///< bounded plane: half its sides, cylinder, bore: half the length; 0: unbounded
    zn_node_id point;      ///< node that carries the point; null: nobody knows, or the ground
    zn_vec3    rim;        ///< axis of a rim that touches it, in the axes of that node; 0: it is none
    zn_vec3    rim_at;     ///< its centre
    double     rim_radius;
    int        corners; ///< of the facet it acts on: 2 in the plane, 3 or 4; 0: none
    zn_node_id corner[ZN_CONTACT_CORNERS];
    double     share[ZN_CONTACT_CORNERS]; ///< parts of the force that the corners take, their sum is 1
} zn_contact_location;

/// Which two things a contact is between, the one with the point first.
typedef struct zn_contact_pair {
    zn_node_id  node[2]; ///< null: the ground
    const char *name[2]; ///< of their shapes, borrowed; NULL: the nodes say it, "": nobody knows
    double      thin;    ///< [m] smallest side of a box around the thinner one; 0: nobody knows
} zn_contact_pair;

typedef struct zn_contact_ops {
    const char *name;
    int         max_entries; ///< of one row
    bool        bilateral;   ///< equations instead of contacts
    /// True when rows and law do not depend on q and t, so that only the gap changes. NULL: they do.
    bool (*straight)(const void *rule, const zn_layout *layout);
    /// Which of the contacts 0 .. max_contacts - 1 of the rule are near q. NULL: always all of them. Contacts that move
    /// along a surface of many pieces say on which piece they are, list.piece, and the operations below get it again.
    zn_status (*detect)(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out);
    /// Every node that a contact of the rule may ever act on. Rules that detect have it.
    void (*visit)(const void *rule, void (*visit)(void *user, int node), void *user);
    /// For surfaces that end: how deep behind one a point is taken for a contact wherever it has come from [m], as the
    /// user has said; 0: when it has come through the surface. NULL: nothing is behind it.
    double (*depth)(const void *rule);
    /// What detect finds behind a surface is inside, wherever it has come from: it is looked for again after a step,
    /// for the step may not have looked at it.
    bool tells_inside;
    /// Bytes of scratch for detect. NULL: none.
    size_t (*scratch)(const void *rule);
    /// Is there such a number and feature? For ids that come from files. NULL: below max_contacts, feature 0.
    bool (*knows)(const void *rule, zn_contact_key key);
    zn_status (*evaluate)(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                          zn_contact_product *out);
    /// y += d(G' lambda)/dq x, lambda and G of all rows of the contact, the normal first.
    zn_status (*curvature)(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                           const double *lambda, const double *x, double *y);
    /// Tangential displacements between q_from and q, one per tangential row, whose gradients these rows are (not for
    /// rows of rolling and spinning). NULL:
    /// there is no such function of q (rolling), G_T(q) times the difference of q and q_from stands for it.
    zn_status (*slip)(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q_from,
                      double t_from, const double *q, double t, double slip[2]);
    /// Why contacts of this rule have no rows between two states although there is an operation; NULL: they have.
    const char *(*lacks_between)(const void *rule, const zn_layout *layout);
    /// Between two states, for schemes that conserve energy and momentum: gap, law and rows at the end as from
    /// evaluate, on the piece of the surface that the key says; and rows H of the force in `force`, over the same
    /// dofs: the normal, then tangents where the rule has friction (NULL: none). The rows of the product are the
    /// gradients at the end of the gap and of the slip H_T w, w the way between the states (zn_system_way); those of
    /// the force say along what a multiplier acts between them. Contacts that last do no work: with a gap of zero at
    /// both ends, H w is zero. Forces H' lambda between bodies have neither resultant nor moment about the middle
    /// positions. NULL: where rows are straight they are H as well; any other rule has none, and
    /// zn_system_lacks_between names it.
    zn_status (*evaluate_between)(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                  zn_contact_product *out, double *const force[3]);
    /// y += d(H' lambda)/dq x with q at the end, H the rows of the force. NULL: they do not depend on it.
    zn_status (*curvature_between)(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                   const double *lambda, const double *x, double *y);
    /// Does a contact hold a node of the second of two surfaces, so that leaving it out leaves one that holds
    /// the nodes of the first? NULL: no.
    bool (*reverse)(const void *rule, zn_contact_key key);
    /// The piece of the surface that a contact is on at q, going from where it says. NULL: there is one only.
    zn_status (*settle)(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, int *piece);
    /// Pieces of a surface that a contact touches at once at q, or nearly so, where they make a hollow; below 2: it is
    /// in none. Each may be a contact of its own with the same number and feature 1, 2, ..., which keeps its piece.
    /// NULL: its surface has no hollows.
    int (*hollow)(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                  int piece[ZN_HOLLOW_PIECES]);
    /// Where along its line a contact is nearest at q, false: it is on none. NULL: none is.
    bool (*nearest)(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                    zn_nearest_place *out);
    /// Is another contact of the same number nothing but an end of that line, where it touches at q? NULL: no.
    bool (*ends)(const void *rule, const zn_layout *layout, zn_contact_key key, zn_contact_key other, const double *q);
    /// Where a contact is. NULL: nobody knows.
    zn_status (*locate)(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                        zn_contact_location *out);
    /// Which two things are inside each other most at q, and how deep [m], 0: none; for the start of a run, where gaps
    /// of contacts do not tell. NULL: they do.
    zn_status (*overlap)(const void *rule, const zn_layout *layout, const double *q, zn_contact_pair *pair,
                         double *depth);
    /// Does the ground take part? `along`, zero at first: its normal where that never changes and nothing acts across
    /// it. NULL: it does, and in whatever way.
    bool (*grounded)(const void *rule, zn_vec3 *along);
    // how it is seen
    /// What a contact is between. NULL: nobody knows.
    zn_contact_pair (*pair)(const void *rule, zn_contact_key key);
    /// Of equations: their names separated by blanks, "" for a single one without; and whether one is of angles, so
    /// that its multiplier is a moment. NULL: they have numbers, and nobody knows.
    const char *(*components)(const void *rule);
    bool (*angular)(const void *rule, int equation);
    /// Of equations: does it follow a prescribed motion, so that its work is somebody's? NULL: no.
    bool (*driven)(const void *rule);
    /// Points and circles of bodies that touch or are touched. NULL: nobody knows, or they are seen by themselves.
    void (*touch)(const void *rule, zn_touch_visit *visit, void *user);
    /// A link between two points; false: it has no place. NULL: it is none.
    bool (*link)(const void *rule, zn_link *out);
} zn_contact_ops;

typedef struct zn_contact_rule {
    const zn_contact_ops *ops;
    const char           *name;             ///< borrowed from the model's names
    int64_t               max_contacts;     ///< numbers are below
    int                   members;          ///< of a part of a model: how many of them are there, without detection
    const int            *member;           ///< their numbers, ascending, borrowed; NULL: all of them
    int                   rows;             ///< of one contact: 1 without friction, 2 in the plane, 3 in space
    int                   turns;            ///< and how many of them, at most, are of rolling and spinning
    void                 *parameter;        ///< owned copy
    int                   room;             ///< contacts to make room for at first
    bool                  grows;            ///< there may be more of them
    bool                  found;            ///< they are found anew in every step, which may have missed one
    int                   pieces;           ///< pieces of its surface; 0: there is one only
    double                restitution_from; ///< speed of approach below which its contacts have no restitution
    double                cohesion;         ///< force by which each of its contacts holds what it touches [N]
} zn_contact_rule;

/// Rows of one contact of a rule: of rolling and spinning as many as its own law has.
static inline int zn_contact_product_rows(const zn_contact_rule *rule, const zn_contact_product *product)
{
    return rule->rows - rule->turns + product->rolls + product->spins;
}

/// Friction against rolling and spinning: lengths; 0: none. See rolling.h.
typedef struct zn_rolling {
    double rolling, spinning;
    bool   planar;
} zn_rolling;

extern const zn_contact_ops zn_point_plane_ops, zn_point_plane_friction_ops, zn_rigid_contact_ops;
extern const zn_contact_ops zn_point_plane_rolling_ops, zn_rigid_contact_rolling_ops; ///< the same without slip
extern const zn_contact_ops zn_bounded_contact_ops, zn_bounded_contact_rolling_ops;   ///< for bounded planes

/// Point or circle against a fixed half-space; normal has unit length.
typedef struct zn_point_plane {
    zn_attachment point;
    zn_vec3       normal, through; ///< through: moved along the normal by the radius
    zn_vec3       tangent[2];
    double        restitution;
    double        radius, friction, tangential_restitution; ///< for the tangential rows
    bool          planar;
} zn_point_plane;

/// Points or circles against a surface carried by a body or the ground; each has one contact, two with a slot.
typedef struct zn_rigid_contact {
    zn_attachment   surface; ///< its centre, or a point of the boundary
    zn_surface_kind kind;
    zn_vec3         normal;     ///< unit, in the axes of the surface's body: plane; slot: across the axis
    zn_vec3         tangent[2]; ///< plane, slot: of the normal, carried likewise
    double          radius;     ///< of the points
    double          size;       ///< circle, hole: radius; slot: half its width
    double          restitution, friction, tangential_restitution;
    zn_rolling      turn;
    bool            planar;
    double          half[2]; ///< bounded plane: half its sides along the tangents
    double          depth;   ///< bounded plane: how far behind it a point still touches; 0: see system/capture.c
    const char     *name;    ///< borrowed, as the log
    const zn_log   *log;
    int             points;
    zn_attachment   point[]; ///< their centres
} zn_rigid_contact;

/// Up to so many pairs all of them are contacts at all times.
enum { ZN_FEW_PAIRS = 64 };

typedef struct zn_shape_ops zn_shape_ops; ///< see shape.h

/// One of the shapes of a rule of pairs.
typedef struct zn_pair_shape {
    const zn_shape_ops *ops;
    zn_shape_kind       kind;
    const char         *name; ///< borrowed
    zn_node_id          node;
    zn_vec3             at;
    double              radius;
    double              length;
    zn_vec3             half; ///< box: half its sides
    zn_mat3             axes; ///< its axes to those of its body
    zn_vec3             normal;
    const void         *data; ///< what its kind has made of the def, in the axes of the body; borrowed from the model
    unsigned            side; ///< 1: between, 2: against, 3: both
    int                 material; ///< 0: none; see law.h
    int                 group[2]; ///< of its name and of its body; see law.h
} zn_pair_shape;

typedef struct zn_pair_table zn_pair_table; ///< see law.h

/// Do the groups of two shapes stay apart?
bool zn_pair_table_parts(const zn_pair_table *table, const zn_pair_shape *a, const zn_pair_shape *b);

/// Contacts of pairs of shapes, spheres first. Many: those that are near, number i * shapes + j, i < j. Few: all of
/// them, their number is the place in `pair`.
typedef struct zn_shape_pairs {
    double               friction; ///< the largest of all pairs; their laws: law.h
    zn_rolling           turn;     ///< likewise: rows that there may be
    bool                 parts;    ///< there are groups that stay apart
    const zn_pair_table *table;    ///< borrowed from the model
    bool                 planar;
    double               gravity; ///< largest acceleration of a free body
    const char          *name;    ///< borrowed, as the log
    const zn_log        *log;
    int                  most;               ///< contacts there can be; 0: any number
    int                  pairs;              ///< 0: many
    int                  pair[ZN_FEW_PAIRS]; ///< i * shapes + j, ascending
    int                  shapes, spheres;
    zn_pair_shape        shape[];
} zn_shape_pairs;

extern const zn_contact_ops zn_few_pairs_ops, zn_many_pairs_ops;

/// Does a rule of pairs look at these two? Not when they are on one body, on none, on the same side, or kept apart.
static inline bool zn_shape_pairs_wants(const zn_shape_pairs *p, int i, int j)
{
    unsigned a = p->shape[i].side, b = p->shape[j].side;
    return p->shape[i].node.value != p->shape[j].node.value && (((a & 1) && (b & 2)) || ((a & 2) && (b & 1))) &&
           !(p->parts && zn_pair_table_parts(p->table, &p->shape[i], &p->shape[j]));
}

/// Unit tangents to a unit normal: one in the plane (the normal turned by +90 degrees), two in space. Returns their
/// number.
int  zn_contact_tangents(zn_vec3 normal, bool planar, zn_vec3 tangent[2]);
/// Their change with the normal.
void zn_contact_tangents_change(zn_vec3 normal, zn_vec3 change, bool planar, zn_vec3 out[2]);
/// The same for a normal near another one, `like`, whose tangents they are near to; that one stays.
int  zn_contact_tangents_like(zn_vec3 like, zn_vec3 normal, bool planar, zn_vec3 tangent[2]);
void zn_contact_tangents_like_change(zn_vec3 like, zn_vec3 normal, zn_vec3 change, bool planar, zn_vec3 out[2]);

#endif
