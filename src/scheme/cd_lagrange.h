/// Central differences with contact: what its files share.
///     cd_lagrange.c         the step, alone and as a partner
///     cd_lagrange_forces.c  forces, and velocities after them
///     cd_lagrange_ledger.c  energies, works and results of contacts at its end
///     cd_lagrange_watch.c   the critical step on the way
///     mass_scaling.c        masses for a wanted step
#ifndef ZN_SCHEME_CD_LAGRANGE_H
#define ZN_SCHEME_CD_LAGRANGE_H

#include "base/blob.h"
#include "constraint/islands.h"
#include "scheme/partner.h"
#include "system/critical.h"
#include "system/critical_lanczos.h"
#include "system/forces.h"
#include "system/lumped.h"

// Kinds of work, each carried from the beginning of a step to its end: F.v_half and I.v_half.
enum { STRAIN, GRAVITY, LOAD, DAMPER, GYROSCOPIC, CONTACT, FRICTION, JOINT, LINK, GROWTH, WORKS };

enum { CD_LAGRANGE_STEPS_BETWEEN_LOOKS = 5000 }; ///< a look costs as much as some hundred steps

/// Nonlinear models: the critical step, looked at now and then.
typedef struct cd_watch {
    zn_critical_search *search;
    zn_lanczos         *lanczos;  // where the step is above the bound of elements; NULL: not yet
    zn_critical         critical; // step 0: not known yet
    bool                sharp;    // of a linear model: there is no better bound
    int                 since;    // steps since then, counted up to those between looks
    double              limit;    // square of the frequency that a step may meet before the next look
    double              met;      // by the last step; 0: nothing worth a look
    double              next_met;
} cd_watch;

/// Mass beyond that of the model, by the option mass_scaling.
typedef struct cd_added {
    double *mass;  // n_all; NULL: none
    double  total; // [kg]
} cd_added;

/// What the next step begins with.
typedef struct cd_past {
    bool    started;
    double  last_h;
    double *half;         // velocity half a step after the state
    double  carry[WORKS]; // powers at the beginning of the next step
    double  square;       // W.M W there
    double *sum;          // of the forces at the end of the last step, for its reactions
    bool    reacted;      // the state has them
} cd_past;

enum { CD_SUMS = 10 }; ///< over the degrees of freedom, in one pass

typedef struct cd_works {
    double  begin[WORKS], begin_square; // carried into this step
    double  next[WORKS], next_square;   // carried into the next one
    double  end[WORKS];                 // powers at its end, on the velocity before the kick
    double  link;
    double *slice; // CD_SUMS of each slice of the degrees of freedom, while they are summed
} cd_works;

/// Forces at the end of the step.
typedef struct cd_forces {
    double *strain, *last_strain, *load, *damper, *gyroscopic, *still, *zero, *sum, *work;
    double *spun; // of all processes; NULL: there is one only
    double  strain_energy, growth;
} cd_forces;

/// Forces of a coupling on degrees of freedom, at the end.
typedef struct cd_coupling {
    zn_links      links;
    const double *force;
    bool          lead;   // they are the first degrees of freedom, in their order
    const double *before; // velocities at the links,
    double       *after;  // in our vectors or gathered in `velocity`
    double       *velocity, *inverse;
    const double *shift;  // of positions in a step, beside its velocity; NULL: none
    double        factor; // of M^-1 in the response
} cd_coupling;

typedef struct cd_lagrange {
    const zn_system *sys;
    zn_scheme_def    def;
    zn_lumped_mass   mass;
    zn_islands       contact;
    zn_force_kinds   kinds;
    zn_force_team   *team; // NULL: the model is small, or one thread was asked for
    int              n, n_all, nq;
    cd_watch         watch;
    cd_added         added;
    cd_past          past;
    // the step
    double           h;
    zn_contact_set  *contacts;
    int              capacity; // contacts that there is room for
    bool            *active;
    double          *target, *P;
    double          *q, *v, *next; // at the end; velocity half a step later
    const double    *start;        // velocity half a step before the forces act: of the past, or `first`
    double          *first;
    cd_forces        force;
    cd_works         works;
    cd_coupling      coupling;
    zn_energy        energy;
    zn_step_info    *info;
    double          *memory; // of all vectors but v and q, which change places with those of a state
} cd_lagrange;

/// All forces at (q, v, t) but those of rotation.
zn_status cd_lagrange_find_forces(cd_lagrange *s, const double *q, const double *v, double t);
/// The sum of all but the forces of rotation, and v = start + factor M^-1 sum, M diagonal; in one pass.
void      cd_lagrange_add_and_kick(const cd_lagrange *s, double factor, double *v);
/// v = start + M^-1 share h sum of the forces, with the inertia forces of rotation at start + M^-1 centre h sum.
/// `own`: the status of this process so far; nothing happens where one has failed.
zn_status cd_lagrange_kick(cd_lagrange *s, zn_status own, const double *q, double t, double share, double centre,
                           double *v);
/// v += M^-1 push on one degree of freedom
void      cd_lagrange_kick_link(const cd_lagrange *s, int dof, double push, double *v);
/// Inertia forces of rotation at v into the sum of the forces, which has none yet.
zn_status cd_lagrange_add_spun(cd_lagrange *s, const double *q, const double *v, double t);
/// The inertia forces of rotation, and `next` with them, once more: at the end of a step with these links.
zn_status cd_lagrange_spin(cd_lagrange *s, double t, zn_links links, const double *force);
/// Powers of the forces, of the impulses times a factor, and of the links on the velocity after the kick, and W.M W
/// with W = factor (next - before): what the next step begins with.
void      cd_lagrange_carry(cd_lagrange *s, const double *before, double factor);
/// Ledger of the step from `from`. ZN_NOT_FINITE: an energy is no number.
zn_status cd_lagrange_book(cd_lagrange *s, const zn_state *from);
/// Results of the contacts, violations of their laws.
void      cd_lagrange_book_contacts(cd_lagrange *s);
/// Reactions of a state at the end of a step whose forces have this sum.
void      cd_lagrange_react(cd_lagrange *s, const double *sum, zn_state *state);
/// Refuses a step from this state that is longer than the critical one, with the number.
zn_status cd_lagrange_check_step(cd_lagrange *s, const zn_state *from, double h);
/// A joint that is torn: the step is too long.
zn_status cd_lagrange_check_joints(const cd_lagrange *s);
void      cd_lagrange_list_watch(cd_lagrange *s, zn_blob *blob);
/// Masses by the option mass_scaling.
zn_status cd_lagrange_scale(cd_lagrange *s);
zn_status cd_lagrange_describe(const zn_scheme_def *def, const zn_system *sys, double h, zn_scheme_info *out);
/// The critical step from this state on.
zn_status cd_lagrange_longest(void *self, const zn_state *from, double *out);
/// Room for what is kept at the links of a partner.
zn_status cd_lagrange_keep_links(cd_lagrange *s, zn_links links);
/// Acceleration at the links, without them.
zn_status cd_lagrange_accelerate(cd_lagrange *s, const zn_state *from, zn_links links, double *acceleration);

#endif
