/// What the files of the scheme energy_momentum share.
#ifndef ZN_SCHEME_ENERGY_MOMENTUM_H
#define ZN_SCHEME_ENERGY_MOMENTUM_H

#include "constraint/bent_response.h"
#include "constraint/constraints.h"
#include "constraint/many_contacts.h"
#include "scheme/scheme.h"
#include "system/between.h"
#include "system/system.h"

/// The velocity jump after a step (Miyazaki and Park, section 4.4): impulses b_i h Q_i G_i' that give back what
/// contacts took while they closed.
typedef struct zn_velocity_jump {
    zn_linsolver *mass; ///< factors of M; NULL where nothing jumps, as the rest
    zn_sparse    *matrix;
    int           count, capacity; ///< contacts that take part
    int          *contact;
    double       *column; ///< M^-1 G_i', one after the other
    double       *A, *B, *b, *loss;
    double        given; ///< energy that it gave [J]
    // friction of rigid bodies, which goes with the jump: see energy_momentum_rub.c
    bool         *rigid;                  ///< n_all: degrees of freedom of bodies that do not deform
    double       *rub, *least, *most;     ///< share of friction in the jump, and its bounds; 0: none
    bool         *sticks;                 ///< the jump leaves the slip as it is
    double       *slope;                  ///< friction for a normal force of one, where it sticks; 2 for each contact
    double       *slide;                  ///< row of the force of friction at the end, `entries` for each contact
    int          *slide_dof, *slide_used; ///< its degrees of freedom, and how many
    int           entries;
    double       *rubbed; ///< energy that friction of what slides gave in the jump [J]
    // joints, which go on holding: see energy_momentum_hold.c
    int           equations, held;   ///< of all joints; those that are independent
    double       *hold, *row, *rate; ///< of each e and M e (n), and dg/dt at fixed q
    double       *share;             ///< contacts x held: a
    double        taken;             ///< energy of the velocities that joints do not allow [J]
    double        driven;            ///< energy that prescribed motion gave through joints [J]
} zn_velocity_jump;

typedef struct zn_conserving {
    const zn_system *sys;
    zn_scheme_def    def;
    int              n, n_all, nq;
    bool             damped;
    // history
    double           last_h; ///< 0: there was no step
    double          *last_d; ///< its increment
    double           debt;   ///< energy that jumps could not give back so far [J]
    // the step
    double           h, end_time;
    double          *d, *q, *v; ///< increment, configuration and velocity at the end
    double          *way;       ///< h (v + v')/2, what forces do their work on
    double          *middle;    ///< configuration half way
    double          *force, *inertia, *residual, *scale, *work, *floor, *rounding;
    double          *before, *step; ///< increment before a correction, and the correction
    double           relative, correction;
    double           rounded; ///< the residual over what it is known to
    double           asked;   ///< tolerance of friction problems
    bool             whole;   ///< the correction was made as it is
    zn_sparse       *matrix;
    zn_linsolver    *solver;
    // contacts and joints
    zn_contact_set  *set;
    zn_contact_set  *late;             ///< what is found at the end; NULL: no contact has facets
    int              room, entry_room; ///< contacts and entries of rows that there is room for
    double          *H;                ///< rows of forces beside those of the set
    double          *target;           ///< per contact: gap that it keeps, min(0, gap at the start)
    double          *start;            ///< per contact: gap at the start
    double          *p;                ///< forces per row [N]
    bool            *listed, *moved;   ///< per contact: in the problem; on another facet than at first
    bool            *ignored;          ///< per contact: not looked at
    zn_row_list      list;
    zn_constraints   problem;
    zn_bent_response bent; ///< of few contacts
    zn_many_contacts many;
    double           violation; ///< worst distance of gaps from what they must be [m]
    uint64_t         acts[32];  ///< which contacts acted in the last iterations
    zn_velocity_jump jump;
    zn_energy        energy;
    zn_step_info    *info;
    zn_arena        *memory;
} zn_conserving;

static inline zn_rows zn_conserving_forces(const zn_conserving *s)
{
    return (zn_rows){s->set->row_start, s->set->row_dof, s->H};
}

static inline zn_between zn_conserving_states(const zn_conserving *s, const zn_state *from)
{
    return (zn_between){.from = {from->q, from->v, from->t, 0},
                        .to = {s->q, s->v, from->t + s->h, 0},
                        .chord = s->def.contact == ZN_CONTACT_NODE_TO_SEGMENT,
                        .couple = s->def.couple};
}

/// Work of row k of contact i on the way.
static inline double zn_conserving_work(const zn_conserving *s, int i, int k)
{
    int row = i * s->set->stride + k;
    return s->p[row] * zn_rows_dot(zn_conserving_forces(s), row, s->n_all, s->way);
}

/// What the scheme cannot do is refused with a message that names it.
zn_status zn_conserving_check(const zn_system *sys, const zn_log *log);
/// Degrees of freedom of bodies that do not deform; n_all, the caller frees it.
zn_status zn_conserving_mark_rigid(const zn_system *sys, bool **out);
zn_status zn_conserving_create(const zn_scheme_def *def, const zn_system *sys, zn_conserving **out);
void      zn_conserving_destroy(zn_conserving *s);
/// Room for the contacts that the set has room for.
zn_status zn_conserving_make_room(zn_conserving *s);

// Contacts of a step; in energy_momentum_search.c.
void      zn_conserving_go_half_way(zn_conserving *s, const zn_state *from);
/// Gaps at the start on the facets that contacts are on, and what is to be kept of them.
zn_status zn_conserving_measure_start(zn_conserving *s, const zn_state *from);
/// Nodes of the second of two surfaces against the first, where only one side counts.
bool      zn_conserving_ignores(const zn_conserving *s, zn_contact_id id);
/// Contacts that have slid off their facet half way go to the one they are on there, once in a step.
zn_status zn_conserving_settle(zn_conserving *s, const zn_state *from, bool *changed);
/// Nodes that have come through a facet which the step did not look at join it. `gap`: what is no depth yet.
zn_status zn_conserving_seek(zn_conserving *s, const zn_state *from, double gap, bool *changed);

zn_status zn_velocity_jump_create(const zn_conserving *s, zn_velocity_jump *out);
zn_status zn_velocity_jump_reserve(zn_velocity_jump *jump, int n, int contacts);
void      zn_velocity_jump_destroy(zn_velocity_jump *jump);
/// The end velocity as joints want it, and what they allow of a column of the jump; `share`: what they take of it.
zn_status zn_velocity_jump_hold(zn_conserving *s);
void      zn_velocity_jump_hold_column(const zn_conserving *s, double *column, double *share);
/// Whether friction goes with contact k of the jump, and its row.
zn_status zn_velocity_jump_find_rub(zn_conserving *s, int k);
/// y += row of friction of contact k of the jump, for a normal force of one; and what of it counts as work of the jump.
void      zn_velocity_jump_add_rub(const zn_conserving *s, int k, double *y);
double    zn_velocity_jump_rub_dot(const zn_conserving *s, int k, const double *x);
/// Bound friction where it would give energy; true: shares have changed.
bool      zn_velocity_jump_bound_rub(zn_conserving *s);
void      zn_velocity_jump_leave_rub(zn_conserving *s);
/// The energy that friction of what slides gives in the jump, into `rubbed`.
void      zn_velocity_jump_book_rub(zn_conserving *s);
zn_status zn_velocity_jump_create_hold(const zn_conserving *s, zn_velocity_jump *out);
/// Add the jump to the velocity at the end; `jump.given` and `debt` are its account.
zn_status zn_velocity_jump_apply(zn_conserving *s, double *debt);

#endif
