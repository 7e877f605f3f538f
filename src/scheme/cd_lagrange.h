/// Central differences with contact: what its files share.
///     cd_lagrange.c         the step, alone and as a partner
///     cd_lagrange_ledger.c  energies, works and results of contacts at its end
#ifndef ZN_SCHEME_CD_LAGRANGE_H
#define ZN_SCHEME_CD_LAGRANGE_H

#include "constraint/islands.h"
#include "scheme/partner.h"
#include "system/critical.h"
#include "system/forces.h"
#include "system/lumped.h"

// Kinds of work, each carried from the beginning of a step to its end: F.v_half and I.v_half.
enum { STRAIN, GRAVITY, LOAD, DAMPER, GYROSCOPIC, CONTACT, FRICTION, JOINT, LINK, WORKS };

typedef struct cd_lagrange {
    const zn_system    *sys;
    zn_scheme_def       def;
    zn_lumped_mass      mass;
    zn_islands          contact;
    zn_force_kinds      kinds;
    zn_force_team      *team;     // NULL: the model is small, or one thread was asked for
    zn_critical_search *search;   // nonlinear models: of the critical step, now and then
    zn_critical         critical; // step 0: not known yet
    int                 since;    // steps since then
    double              limit;    // square of the frequency that a step may meet before the next look
    double              met;      // by the last step; 0: nothing worth a look
    int                 n, n_all, nq;
    // history
    bool                started;
    double              last_h;
    double             *half;         // velocity half a step after the state
    double              carry[WORKS]; // powers at the beginning of the next step
    double              square;       // W.M W there
    // the step
    double              h;
    zn_contact_set     *contacts;
    bool               *active;
    double             *target, *P;
    double             *q, *v, *next; // at the end; velocity half a step later
    const double       *start;        // velocity half a step before the forces act: `half` or `first`
    double             *first;
    double             *strain, *last_strain, *load, *damper, *gyroscopic, *still, *zero, *sum, *work;
    double              strain_energy;
    double              begin[WORKS], begin_square; // carried into this step
    double              next_carry[WORKS], next_square;
    double              end[WORKS]; // powers at its end, on the velocity before the kick
    double              link_work, next_met;
    zn_links            links; // forces of a coupling on degrees of freedom, at the end
    const double       *link;
    bool                links_lead;  // they are the first degrees of freedom, in their order
    const double       *link_before; // velocities at the links,
    double             *link_after;  // in our vectors or gathered in link_velocity
    double             *link_velocity, *link_inverse;
    double             *last_sum; // of the forces at the end of the last step, for its reactions
    bool                reacted;  // the state has them
    zn_energy           energy;
    zn_step_info       *info;
    double             *memory; // of all vectors but v and q, which change places with those of a state
} cd_lagrange;

/// Powers of the forces, of the impulses times a factor, and of the links on the velocity after the kick, and W.M W
/// with W = factor (next - before): what the next step begins with.
void      cd_lagrange_carry(cd_lagrange *s, const double *before, double factor);
/// Ledger of the step from `from`. ZN_NOT_FINITE: an energy is no number.
zn_status cd_lagrange_book(cd_lagrange *s, const zn_state *from);
/// Results of the contacts, violations of their laws.
void      cd_lagrange_book_contacts(cd_lagrange *s);
/// Reactions of a state at the end of a step whose forces have this sum.
void      cd_lagrange_react(cd_lagrange *s, const double *sum, zn_state *state);

#endif
