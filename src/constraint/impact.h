/// Laws of impact for contacts that touch at once (docs/theory/impact-laws-compared.md).
///
/// A law is a map from the velocities U- of the contacts of a step before an impact to those it wants after it, U*. The
/// problem of the step then is  0 <= U+ - U* _|_ P >= 0  together with forces, joints and friction: without them, its
/// impulses are those of the law. Newton's U* = -e U- needs nothing; the others take W = G A^-1 G' of the step, in
/// which joints keep their velocities:
///
///     poisson      compression  0 <= U_c _|_ P_c >= 0,  U_c = U- + W P_c,
///                  expansion    0 <= U* _|_ P_e - e P_c >= 0,  U* = U_c + W P_e;
///                  with friction, each phase under Coulomb's law with its own impulses
///     sequential   while some contact approaches: the fastest alone, p = -(1 + e) U_i / W_ii,  U += W_:i p;
///                  those that are as fast at once, by Newton's law
///
/// With friction the step then shares impulses by Coulomb's law. So that it gains no energy, U* is reduced where it
/// would: impact_energy.c.
///
/// A contact without an impulse has U* = 0: it must not close, however fast it opens.
///
/// Work. A contact works P (U- + U+)/2 in a step, as if all impulses grew together. Where they come one after the other
/// that is the right sum, but not what each contact did: the last pair of a cradle would give all the energy that the
/// first one takes. `excess` is what this formula has beyond the work along the way of the law; its sum is zero.
#ifndef ZN_CONSTRAINT_IMPACT_H
#define ZN_CONSTRAINT_IMPACT_H

#include "constraint/constraints.h"
#include "zn/contact.h"

/// Of the largest speed before an impact: slower is at rest.
#define ZN_IMPACT_NOTHING 1e-12

/// Search for the share of a rebound: bounds, what is gained there, which of them moved last.
typedef struct zn_impact_bounds {
    double low, high, at_low, at_high;
    int    side;
    bool   found;
} zn_impact_bounds;

typedef struct zn_impact {
    zn_impact_law     law;
    double           *target;     ///< per contact of the set: U*
    double           *excess;     ///< per contact of the set: of P (U- + U*)/2 beyond its work along the way of the law
    int               unfinished; ///< the last sequence had no end and was ended without rebound; callers may sum it
    zn_row_list       list;       ///< joint equations, and the contacts in question
    double           *U, *P;      ///< per row of the list: U-, then U*; impulses
    double           *before;     ///< U-
    double           *work;       ///< along the way
    // a sequence: contacts that approach, the fastest on top
    int               queued;
    int              *queue, *place; ///< contacts; where each is in the queue, -1: nowhere
    int              *batch, *group; ///< contacts that are as fast as each other; of these, such as act on each other
    int              *mark;          ///< per contact: batch that it is in
    double           *p;             ///< impulses of a batch, or of the expansion
    zn_constraints    together;      ///< problem of a group
    zn_row_list       rows;          ///< its rows
    // energy: per part of contacts that act on each other, by its first one
    double           *share, *gain, *size; ///< of the rebound; energy, and sum of the works without signs
    zn_impact_bounds *bounds;
    int               capacity;
    zn_arena         *memory;
} zn_impact;

/// Newton's law needs no room and no calls but zn_impact_destroy.
zn_status zn_impact_create(const zn_system *sys, zn_impact_law law, const zn_constraint_settings *settings,
                           zn_impact *out);
void      zn_impact_destroy(zn_impact *w);
/// Room for so many contacts and joint equations, with so many rows each. What is kept is lost.
zn_status zn_impact_reserve(zn_impact *w, int contacts, int stride);

/// Begin a list: no targets, and the joint equations of the set. Then contacts follow, each with its U-.
void      zn_impact_begin(zn_impact *w, const zn_contact_set *set);
/// Begin it where not all joints are wanted; their equations come before the contacts.
void      zn_impact_clear(zn_impact *w);
void      zn_impact_add_equation(zn_impact *w, int row);
/// `before`: of its first zn_impact_rows rows.
void      zn_impact_add(zn_impact *w, const zn_contact_set *set, int contact, const double *before);
/// Rows of a contact that the law asks for: its normal, with friction also its tangents.
int       zn_impact_rows(const zn_contact_set *set, int contact);
/// More than one contact, of which some approach: only then W is asked for.
bool      zn_impact_needs_matrix(const zn_impact *w);
/// Targets of the listed contacts. `c` holds W of the list where that is needed, and is used; `t`: for the observer.
/// Iterations are added to `solved`.
zn_status zn_impact_find(zn_impact *w, zn_constraints *c, const zn_contact_set *set, double t, zn_solved *solved);
/// The same with W from the response to impulses along the gap rows.
zn_status zn_impact_find_by(zn_impact *w, zn_constraints *c, zn_response *r, const zn_contact_set *set, double t,
                            zn_solved *solved);

/// `excess` of a contact; none in Newton's law.
static inline double zn_impact_excess(const zn_impact *w, int contact) { return w->excess ? w->excess[contact] : 0; }

/// The law of contacts and friction for b of `c`, without rebound; joints u = 0.
zn_status zn_impact_solve(const zn_impact *w, zn_constraints *c, double t, zn_solved *solved);
/// Reduce targets of contacts with friction so that the step gains no energy; P, U and works of its impact.
zn_status zn_impact_limit(zn_impact *w, zn_constraints *c, const zn_contact_set *set, double t, zn_solved *solved);
/// Impulses by which one after the other stops to approach; U and P of the list, which has no equations. False in
/// `ended`: the number of hits was not enough.
zn_status zn_impact_sequence(zn_impact *w, const zn_constraints *c, const zn_contact_set *set, double t, bool *ended,
                             zn_solved *solved);
/// Entries of row k of W of m rows, dense or sparse: how many, the e-th, and that of a column.
static inline int zn_impact_entries(const zn_constraints *c, int m, int k)
{
    return c->sparse ? c->sparse->start[k + 1] - c->sparse->start[k] : m;
}
static inline double zn_impact_entry(const zn_constraints *c, int m, int k, int e, int *column)
{
    *column = c->sparse ? c->sparse->column[c->sparse->start[k] + e] : e;
    return c->sparse ? c->sparse->value[c->sparse->start[k] + e] : c->W[(size_t)k * (size_t)m + (size_t)e];
}
double zn_impact_at(const zn_constraints *c, int m, int k, int column);

#endif
