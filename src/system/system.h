/// What a zn_system holds.
#ifndef ZN_SYSTEM_SYSTEM_H
#define ZN_SYSTEM_SYSTEM_H

#include "base/assert.h"
#include "base/blob.h"
#include "base/fault.h"
#include "math/near_null.h"
#include "model/model.h"
#include "system/chunks.h"
#include "system/peers.h"
#include "zn/system.h"

/// Acceleration load, ready to use: column i holds M e_i over the loaded parts.
typedef struct zn_uniform_load {
    const zn_acceleration *load;
    double                *column[3]; ///< NULL where there is no signal
} zn_uniform_load;

/// Gravity along a coordinate.
typedef struct zn_weight {
    int    coordinate;
    double force, origin; ///< origin of the node's coordinates
} zn_weight;

/// A frame of linear beams whose axes at the start are those of the world: coordinates and degrees of freedom.
typedef struct zn_upright {
    int q, dof[6];
} zn_upright;

/// Free degrees of freedom that come before all others, each as 6 node + slot.
typedef struct zn_leading {
    int        count;
    const int *slot;
} zn_leading;

typedef struct zn_pattern        zn_pattern;
typedef struct zn_known_critical zn_known_critical;

struct zn_system {
    const zn_model    *model; ///< borrowed
    zn_system_info     info;
    zn_layout          layout;
    int               *coordinate_dof; ///< nq: degree of freedom that moves a coordinate; -1: part of a quaternion
    int                mechanical;     ///< free degrees of freedom but for states, which come after them
    int                frames3;        ///< number of frame3 nodes
    int               *frame3;         ///< their indices, those of linear beams in the axes of the world last
    int                turning;        ///< number of the others
    int                upright_fours;  ///< the last ones in fours, the last of all repeated to fill up
    zn_upright        *upright;
    int                straight; ///< number of coordinates that are not of frame3 nodes
    int               *straight_coordinate;
    bool              *rotational; ///< n_all
    int               *dof_node;   ///< n_all: node of a degree of freedom
    bool               has_rotations;
    bool               varying_mass; ///< M depends on q
    double             extent;       ///< [m] size of the model at the start, from the origin,
    double             size;         ///< and from one end to the other
    int                blocks;
    zn_element_block  *block;
    zn_velocity_force *velocity;      ///< what of each block's force depends on velocity
    zn_chunks         *chunks;        ///< of each block
    int              **scatter;       ///< owned places of each block
    int              **dof;           ///< owned dofs of each block
    zn_pattern        *pattern;       ///< of all operators, made when it is first asked for
    zn_known_critical *critical;      ///< the critical step, likewise
    double            *gravity_force; ///< M g of all nodes with a position
    int                weights;
    zn_weight         *weight; ///< where gravity_force is not zero
    int                uniform_loads;
    zn_uniform_load   *uniform;
    double            *q0, *v0; ///< initial state
    int                contact_capacity, entry_capacity, max_entries;
    int                contact_rows;      ///< rows per contact, the largest of all rules
    bool               fixed_contacts;    ///< no rule detects: the set never changes
    bool               missable_contacts; ///< pairs that a step has not looked at may be inside each other after it
    bool               straight_contacts; ///< and no row depends on q: only gaps change
    bool               constant_force;    ///< f does not depend on q, v, t
    zn_reductions      reductions;
    const zn_halo     *halo;  ///< NULL: this is the whole
    const zn_peers    *peers; ///< others that have the whole as well; NULL: none. Borrowed
};

/// One status for all parts of a system: whoever may fail asks before the parts meet again.
static inline zn_status zn_system_agree(const zn_system *sys, zn_status own)
{
    if (sys->peers)
        return sys->peers->agree(sys->peers->user, own);
    return sys->halo ? sys->halo->agree(sys->halo->user, own) : own;
}
/// The sum of what all parts give at shared degrees of freedom, unless one of them has failed.
zn_status zn_system_assemble(const zn_system *sys, zn_status own, double *x);
/// The values of owners at shared degrees of freedom, likewise.
zn_status zn_system_share(const zn_system *sys, zn_status own, double *x);
/// Forces and inertia of all parts, for schemes that solve with matrices: see zn_halo.owned.
zn_status zn_system_whole_force(const zn_system *sys, zn_at at, double *f);
zn_status zn_system_whole_inertia(const zn_system *sys, const double *q, const double *a, double *f);
/// A solver for a matrix of this system, of all parts of it.
zn_status zn_system_linsolver(const zn_system *sys, const zn_sparse *a, const char *word, const zn_near_null *near,
                              zn_linsolver **out);
/// Sums and maxima of several numbers at once.
void      zn_system_sums(const zn_system *sys, double *values, int count);
void      zn_system_maxima(const zn_system *sys, double *values, int count);

/// q_out = q (+) h v, as zn_system_retract without the product.
void zn_system_move(const zn_system *sys, const double *q, double h, const double *v, double *q_out);
struct zn_team;
/// The same, by a team where nothing turns; NULL: the caller alone.
void zn_system_move_together(const zn_system *sys, struct zn_team *team, const double *q, double h, const double *v,
                             double *q_out);

/// How far ahead contacts are near: what a step of that length may close, moving with v.
typedef struct zn_reach {
    const double *v;       ///< NULL: nothing moves
    double        horizon; ///< [s]
    double        margin;  ///< [m], beyond that
    double        moved;   ///< [m] how far points may have come without a velocity; see capture.c
    double        ahead;   ///< [s] from here to the end of the step, in which nothing may be missed; 0: nobody asks
    double        since;   ///< [s] from the start of the step to here
} zn_reach;

/// Margin for a step that corrects positions: impacts pass velocities on, so that what is pushed may meet whatever the
/// fastest reaches [m].
double zn_reach_of_projection(const zn_system *sys, const double *v, double h);

/// zn_contact_set_refresh of things that move.
zn_status zn_contact_set_refresh_within(zn_contact_set *set, const zn_system *sys, const double *q, double t,
                                        zn_reach reach);
/// The contacts near q within reach, evaluated there, with the results of `from` by id. Nothing else is copied: where
/// contacts come and go this is cheaper than zn_contact_set_copy and _refresh.
zn_status zn_contact_set_follow(zn_contact_set *set, const zn_contact_set *from, const zn_system *sys, const double *q,
                                double t, zn_reach reach);
/// Contact i leaves the set, which is to be evaluated by the caller.
zn_status zn_contact_set_leave(zn_contact_set *set, const zn_system *sys, int i);
/// Contacts with these ids, ascending, those of them that are not in the set yet, on these pieces join it, to be
/// evaluated by the caller.
zn_status zn_contact_set_join(zn_contact_set *set, const zn_system *sys, int count, const zn_contact_id *id,
                              const int *piece);
/// A gap and whose it is; INFINITY and -1: nothing is near.
typedef struct zn_depth {
    double        gap;
    zn_contact_id id;
} zn_depth;

/// The smallest gap at q among the contacts of piles and of two surfaces, found anew there, so that pairs which a step
/// has not looked at are seen too. Convex shapes that are inside each other by less than `known` are not looked at (0:
/// all are). `set` lends its scratch and stays as it is.
zn_status zn_contact_set_deepest(const zn_contact_set *set, const zn_system *sys, const double *q, double t,
                                 double known, zn_depth *out);
/// Of two surfaces, those that are near half way of a step and not in the set: the smallest gap at its end. Fails where
/// even that search would miss something. end.v: the mean velocities of the step.
zn_status zn_contact_set_missed(const zn_contact_set *set, const zn_system *sys, const double *middle, zn_at end,
                                double h, zn_depth *out);
/// zn_contact_set_slip of one contact: gap, tangential displacements and turns.
zn_status zn_contact_set_slip_of(const zn_contact_set *set, const zn_system *sys, int i, zn_at from, zn_at to,
                                 double slip[ZN_CONTACT_ROWS]);
/// Two sets of the same system exchange what they hold, without copying. Cannot fail.
/// Room for a copy of `from` in `to`, which stays as it is.
zn_status zn_contact_set_make_room(const zn_contact_set *from, zn_contact_set *to);
zn_status zn_contact_set_reserve(zn_contact_set *set, int count, int entries); ///< entries in all rows
/// No contacts, found when those of `like` were; then one after the other from another set, whose degrees of freedom
/// are dof[] here. There is room.
void      zn_contact_set_clear(zn_contact_set *set, const zn_contact_set *like);
void      zn_contact_set_append(const zn_contact_set *from, int i, const int *dof, zn_contact_set *to);
void      zn_contact_set_swap(zn_contact_set *a, zn_contact_set *b);
/// Contacts, or the whole state, from or into a checkpoint. What is read is checked against the system: ZN_ERR_ARGUMENT
/// where it cannot be of it; it is of no use then.
zn_status zn_contact_set_exchange(zn_contact_set *set, const zn_system *sys, zn_blob *blob);
zn_status zn_state_exchange(const zn_system *sys, zn_state *state, zn_blob *blob);
/// f += uniform accelerations; `none`: f is not yet written and counts as zero.
zn_status zn_system_add_uniform(const zn_system *sys, zn_at at, bool none, double *f);

/// Not yet made; NULL without memory. Destroy accepts NULL.
zn_pattern        *zn_pattern_create(void);
void               zn_pattern_destroy(zn_pattern *pattern);
zn_known_critical *zn_known_critical_create(void);
void               zn_known_critical_destroy(zn_known_critical *known);
/// As zn_system_create, with these degrees of freedom first.
zn_status          zn_system_create_leading(const zn_model *model, zn_leading leading, zn_system **out);
/// Where everything is in q and v, and the initial positions: no elements, loads or contacts.
zn_status          zn_system_create_layout(const zn_model *model, zn_system **out);
/// As zn_system_create, of a part (subset.h) of a model that is valid as a whole.
zn_status          zn_system_create_part(const zn_model *part, zn_system **out);

/// Name of a motor, feedback load or state; NULL: there is none.
const char *zn_system_motor(const zn_system *sys);

/// y = T' x, with T as in zn_system_tangent; y == x allowed.
void zn_system_tangent_transposed(const zn_system *sys, const double *dq, const double *x, double *y);

#endif
