/// The theta step that the event-capturing schemes share (Acary 2013, sections 3.1, 4.3 and 5).
///
///     M(q_th) (v - v_k) - h F(t_th, q_th, v_th) = G(q)' P                          velocity level
///     q = q_k (+) (h v_th + N G(q)' tau),   x_th = (1 - th) x_k + th x             position level
///     joints:   G v + dg/dt = 0,  and optionally g(q, t) = 0
///     contacts of a given set:  0 <= U_N + e U_N- _|_ P_N >= 0, Coulomb's law on U_T + e_T U_T-,
///               and optionally  g(q) = 0  or  0 <= g(q) _|_ tau >= 0;   U- = G(q_k) v_k or G(q) v_k
///
/// in our convention: a ROW of G per constraint, U = G v. N is the metric of the projection. A scheme decides which
/// contacts are in the set; these files solve for them (Newton's iteration, one nonsmooth problem each), book the
/// energy and commit.
///     theta.c          iterates, Newton's method, what schemes call
///     theta_begin.c    the start of a step
///     theta_norm.c     how far an iterate is from the equations
///     theta_problem.c  the nonsmooth problems of one iteration
///     theta_mix.c      what Newton's method makes of its last iterations
///     theta_ways.c     other ways to solve a step
///     theta_set.c      which contacts are in the set
///     theta_ledger.c   energy and contact results
///     theta_memory.c   allocation
#ifndef ZN_SCHEME_THETA_H
#define ZN_SCHEME_THETA_H

#include "base/team.h"
#include "constraint/impact.h"
#include "constraint/two_levels.h"
#include "scheme/far.h"
#include "scheme/scheme.h"
#include "system/hollows.h"
#include "system/late_contacts.h"

/// Steps for which another way of solving is kept once it was needed.
enum { ZN_THETA_KEEP = 20 };

/// Ways of solving a step other than the usual one.
typedef struct zn_theta_ways {
    int bends, steady, couples; ///< curvature in the matrix; contacts keep their impulses; the other coupling
    int mixes;                  ///< the last iterations of a pile are mixed
} zn_theta_ways;

/// Iterations that are kept to accelerate Newton's method.
enum { ZN_THETA_MIX = 4 };

/// Differences of goals between iterations, and the last goal itself behind them.
typedef struct zn_theta_mix {
    bool    on;                                            ///< there is room for them
    bool    bends;                                         ///< with curvature in the matrix
    int     held, next;                                    ///< differences; -1: no goal at all
    double *f[ZN_THETA_MIX + 1];                           ///< way of the configuration to the goal
    double *v[ZN_THETA_MIX + 1], *shift[ZN_THETA_MIX + 1]; ///< of the goal
    double *P[ZN_THETA_MIX + 1], *tau[ZN_THETA_MIX + 1];
} zn_theta_mix;

/// What becomes of a contact that would be closed from far away: it keeps its gap, and once leaves the set.
typedef enum zn_theta_lost { ZN_THETA_RELEASED = 100, ZN_THETA_DROPPED } zn_theta_lost;

/// Changes of the velocity in the last steps, from which the next one is foreseen.
enum { ZN_THETA_PAST = 3 };

typedef struct zn_theta_past {
    int     known, order;          ///< how many there are, and so many foresee the last one best
    double  h;                     ///< of their steps
    double *change[ZN_THETA_PAST]; ///< latest first
} zn_theta_past;

/// What the position level demands.
typedef enum zn_projection {
    ZN_PROJECT_NONE,
    ZN_PROJECT_ALL,    ///< all contacts near: 0 <= g _|_ tau >= 0 (direct projection)
    ZN_PROJECT_ACTIVE, ///< the set: g = 0 where P > 0, no penetration elsewhere (combined projection)
} zn_projection;

/// One iterate of the step: everything that follows from (v, P, shift).
typedef struct zn_theta_point {
    double *v;        ///< velocity
    double *q;        ///< configuration, projection included
    double *shift;    ///< N G' tau, the projection's displacement
    double *force;    ///< F at theta
    double *GP;       ///< G(q)' P
    double *residual; ///< R = M (v - v_k) - h F - G'P
    double *P;        ///< one per row of the velocity problem
    double *tau;      ///< one per contact of the contact set
} zn_theta_point;

/// Answer of the linearized problem, where Newton's iteration goes next.
typedef struct zn_theta_goal {
    double       *v, *shift, *P, *tau;
    double       *GP;          ///< G'P with the rows the impulses were solved with
    double       *u;           ///< U + e U- or G v + dg/dt that goes with P
    double       *rounding;    ///< what rounding of W P leaves of them
    double       *predicted_v; ///< velocity of the linearized problem without impulses,
    const double *predicted;   ///< that one or the free motion
} zn_theta_goal;

/// The theta point of the iterate evaluated last.
typedef struct zn_theta_middle {
    double *q, *v;
    double *increment; ///< of the whole step
    double *mass_q;    ///< where M was taken, for the ledger of a varying mass
} zn_theta_middle;

/// The step being taken.
typedef struct zn_theta_step {
    const zn_state *from;
    double          h;
    zn_at           theta, end; ///< the theta point of the last iterate; the time of the end, without q and v
    zn_step_info   *info;
    double          resolution;     ///< of gaps: rounding of positions
    double          gap_tolerance;  ///< projection residual, not below rounding; activation takes ten times it
    double         *velocity_floor; ///< change of velocity that positions cannot resolve, over the tolerance
    double         *U_k;            ///< G(q_k) v_k, per row of the contact set: of the forecast
    double         *g_k;
    bool            conflict;   ///< contacts cannot all stay closed: those with an impulse may open
    bool            projected;  ///< the answer was, somewhere
    bool            at_free;    ///< `now` is the free motion, where R + G'P = 0
    bool            free_gaps;  ///< contacts are evaluated at its end
    bool            foresees;   ///< Newton's method may begin with what is foreseen,
    bool            foreseen;   ///< and did
    bool            begun;      ///< there is a start with impulses
    bool            refactor;   ///< a nonlinear model needs new factors
    bool            assembled;  ///< W is that of the rows and factors at hand
    bool            divided;    ///< and so is what other processes have of it
    bool            bends;      ///< the curvature of constraints is in the matrix
    bool            exact;      ///< nothing turns with the motion: the answer of the first problem is that of the step
    bool            steady;     ///< contacts that repeat each other keep their impulses: see zn_demand
    bool            coupled;    ///< both levels in one problem
    bool            mixes;      ///< goals of the last iterations are mixed
    bool            mixed;      ///< that of this iteration was
    bool            plain;      ///< the trial is an answer of the linearized problem: a full step, not to a mixture
    bool            rough;      ///< impulses are not yet as exact as was asked for: one more iteration
    int             iteration;  ///< of Newton's method
    double          correction; ///< relative size of the last Newton correction
    double          residual;   ///< relative residual of the last trial
    double          shift;      ///< residual of its position equation; NaN: it was not asked for
    double          last_norm;  ///< of the last trial
} zn_theta_step;

typedef struct zn_theta {
    const zn_system *sys;
    zn_scheme_def    def;
    int              n, n_all, nq;
    bool             linear;
    zn_projection    project;
    bool             frozen;       ///< contact rows stay those of the start of the step
    bool             position_law; ///< contact law between g and P instead of U and P (trapezoidal rule)
    double          *mass;         ///< row sums of M over translations, 0 of what turns,
    double           law_mass;     ///< and their mean: by masses impulses are measured as velocities
    zn_theta_step    step;

    // constraints
    zn_contact_set *contacts;      ///< evaluated at the current iterate
    int             contacts_max;  ///< room for contacts; grows in piles
    zn_row_list     list;          ///< of the velocity problem: joints, then the contacts in the set
    zn_row_list     places;        ///< normals of the position problem
    bool           *is_active;     ///< per contact of the contact set
    bool           *was_pressed;   ///< per contact: had an impulse in the iteration before
    unsigned char  *lost;          ///< per contact: how often its impulse went in this step, or zn_theta_lost
    zn_response     motion;        ///< A = M + h th C + h^2 th^2 K
    zn_response     own_metric;    ///< M or the unit matrix
    zn_response    *metric;        ///< N of the projection: that one or A
    zn_two_levels   coupled;       ///< both problems in one,
    bool            can_couple;    ///< for which there is room
    bool            has_stiffness; ///< K there is that of this step
    zn_constraints  problem;
    zn_impact       impact; ///< U* of the contacts in the set, of laws other than Newton's
    struct {
        int64_t factors; ///< of the response; 0: there is no W
        int     rows, *row;
    } kept;                     ///< W of the velocity problem that stays from step to step: what it is of
    double       *position_gap; ///< of the rows in `places`: what the motion reaches without projection
    double       *kept_rows;    ///< of a pile: entries of rows that settled; NULL: none do
    double       *bend;         ///< per row of the contact set: impulses as they enter the matrix
    zn_theta_ways keep;         ///< steps for which another way of solving is kept; history
    zn_theta_mix  mix;
    struct {
        zn_theta_past free, pushed; ///< by the motion without contact impulses, and by these
    } past;                         ///< history

    /// Contacts that join those near the start of the step, see zn_theta_look_again.
    zn_late_contacts late;
    zn_hollows       hollows; ///< of the surfaces, that contacts rest in

    // iterates
    zn_theta_point  now, trial;
    zn_theta_goal   goal;
    zn_theta_middle middle;
    struct {
        double *v, *q;
    } free; ///< the motion without contact impulses
    struct {
        int64_t factors; ///< of the response; 0: it is not known
        double *v;
    } kick; ///< what constant forces change of the velocity in a step
    double   *scale, *work;
    zn_energy energy; ///< at the end of the step
    zn_arena *memory, *contact_memory;
    zn_team  *team; // shares searches; NULL: one thread was asked for, or there is no heap
} zn_theta;

/// Tell who projects unequal masses in the identity metric.
zn_status zn_theta_advise_metric(const zn_system *sys);
zn_status zn_theta_create(const zn_scheme_def *def, const zn_system *sys, zn_projection project, zn_theta **out);
/// Threads for the search of a heap, as the option `threads` says.
zn_status zn_theta_share(zn_theta *w);
void      zn_theta_destroy(zn_theta *w);

typedef zn_status zn_theta_scheme(zn_theta *w, zn_state *s, double h, zn_step_info *info);
/// A step of a scheme; where Newton's method does not converge, in other ways: contacts that repeat each other keep
/// their impulses, both levels are in one problem (or in two, where `coupled` asks for one), the curvature of
/// constraints is in the matrix, and what can be had together. Attempts that led nowhere are in the report.
zn_status         zn_theta_attempt(zn_theta *w, zn_theta_scheme *step, zn_state *s, double h, zn_step_info *info);

/// Start a step: contacts near q_k, U_k and g_k, an empty set.
zn_status zn_theta_begin(zn_theta *w, const zn_state *from, double h, zn_step_info *info);
/// The motion without contact impulses, joints kept; contacts are evaluated at its end.
zn_status zn_theta_free_motion(zn_theta *w);
/// Contacts at the end of the free motion, if that is the current iterate.
zn_status zn_theta_free_gaps(zn_theta *w);
/// Put into the set what is closed at the current iterate; true when the set grew.
bool      zn_theta_activate_closed(zn_theta *w);
/// Put into the set what is closed at the start of the step, had an impulse in the last one, and stays closed with the
/// velocity it has; Newton's method then begins with these impulses. Loads of a mechanism go from contact to contact,
/// and each pass of the activation would find but the next one.
zn_status zn_theta_activate_held(zn_theta *w);
/// Put into the set what is closed by the forecast (61) or (62).
void      zn_theta_activate_forecast(zn_theta *w);
/// Is there a contact in the set, of this part or another?
bool      zn_theta_touches(const zn_theta *w);
/// Solve on the set, starting from the current iterate.
zn_status zn_theta_solve(zn_theta *w);
/// Does the step end inside something that was not near at its start? Then it begins anew, with that in the contacts:
/// `*more`. For schemes that project; others end inside by what moves within a step in any case.
zn_status zn_theta_look_again(zn_theta *w, bool *more);
/// Book the energy and evaluate the contacts at the end; then nothing can fail any more.
zn_status zn_theta_finish(zn_theta *w);
/// Move the result into the state. Cannot fail.
void      zn_theta_commit(zn_theta *w, zn_state *to);

// --- between the files of the theta step ---------------------------------------------------------

/// Make room for so many contacts. What is kept per contact is lost.
zn_status zn_theta_reserve(zn_theta *w, int contacts);
/// Is the answer of the first problem that of the step? Nothing turns with the motion, and factors are exact.
bool      zn_theta_is_exact(const zn_theta *w);
/// Do rows stay as they are during the step?
bool      zn_theta_keeps_rows(const zn_theta *w);
/// Begin Newton's method with what impulses are foreseen to do, or with those of the last step, in place of the free
/// motion, which pushes pins through the sides of their holes, where normals are others.
zn_status zn_theta_begin_with_last(zn_theta *w);
/// Impulse of a row of the velocity problem: of the iterate, or else of the last step.
double    zn_theta_last_impulse(const zn_theta *w, int k);
/// Must contact c of the list have no gap at the end, (65), with these impulses?
bool      zn_theta_must_close(const zn_theta *w, int c, const double *P);
/// May the curvature of constraints be in the matrix? Frozen rows do not bend.
bool      zn_theta_can_bend(const zn_theta *w);
/// The step was solved this way, which is kept for some more.
void      zn_theta_keep_way(zn_theta *w);
/// The goal of Newton's iteration: impulses, velocity, multipliers and shift of the linearized problem at `now`.
zn_status zn_theta_solve_linearized(zn_theta *w);
/// Room for the last iterations: vectors of the system, and of so many rows and contacts.
zn_status zn_theta_mix_create(zn_theta *w);
zn_status zn_theta_mix_reserve(zn_theta *w, int rows, int contacts);
/// A better goal from the last iterations where many of them have not led to an end: normals turn, and the next iterate
/// may overshoot the way back. True: it is a mixture, where laws hold only near the end; look next there.
bool      zn_theta_mix_goal(zn_theta *w);
/// A better start of Newton's method of nonlinear models than the velocities that are known.
zn_status zn_theta_past_create(zn_theta *w);
/// Is there one for this step?
bool      zn_theta_foresees(const zn_theta *w, const zn_theta_past *p);
/// v += the change that is foreseen
void      zn_theta_foresee(zn_theta *w, const zn_theta_past *p, double *v);
/// Take the step that is committed.
void      zn_theta_remember(zn_theta *w);
void      zn_theta_past_history(zn_theta *w, zn_blob *blob);
/// Of the contacts that the projection at hand pulls from too far the one that is pulled hardest keeps its gap; false:
/// there is none.
bool      zn_theta_release_one(zn_theta *w);
/// U- of the impact law, of one row of the contact set: with its rows at the start of the step or as they are.
double    zn_theta_approach(const zn_theta *w, int row);
/// e_N or e_T of a row in this step: speeds at its start decide, which no iteration changes.
double    zn_theta_restitution(const zn_theta *w, int row);
/// What the laws add to U = G v in row k of the list: restitution, or the rate of a prescribed motion.
double    zn_theta_law_offset(const zn_theta *w, int k);
/// U* of the contacts in the set, where the law is not Newton's: with W of the iterate.
zn_status zn_theta_find_targets(zn_theta *w);
/// What the law leaves of the normal velocity of a contact in the set, U+ - U*; row of the contact set.
double    zn_theta_beyond(const zn_theta *w, int row);
/// R = M (v - v_k) - h F - G'P of an iterate and its relative size; the terms that make it up are left in `scale`.
zn_status zn_theta_residual(zn_theta *w, zn_theta_point *x);
/// Smooth part: converged when the residual or the correction is small, of a pile for each body by itself. A linear
/// model has no smooth residual but what a change of shift or of the rows brings. After zn_theta_residual.
double    zn_theta_smooth_norm(zn_theta *w, const zn_theta_point *x);
/// The nonsmooth problem was solved for (P, u): at this iterate u must come out the same. Relative to the products that
/// make up a local velocity with and without impulses, which may cancel.
double    zn_theta_velocity_norm(const zn_theta *w, const zn_theta_point *x);
/// Violation of what the scheme demands at position level [m].
double    zn_theta_gap_violation(const zn_theta *w, const zn_theta_point *x);
/// Residual of the position equation, second row of Acary's (41), at an iterate with the contacts evaluated there: the
/// shift was made with the rows of the iterate before. [m or rad]
zn_status zn_theta_shift_residual(zn_theta *w, const zn_theta_point *x, double *out);
/// Energy ledger and results per contact.
zn_status zn_theta_book(zn_theta *w);

/// Functions of the scheme table that are the same for all schemes built on the theta step.
/// History: how long another way of solving is kept, and how velocities changed.
void              zn_theta_history(void *self, zn_blob *blob);
zn_linsolver_info zn_theta_linsolver(const void *self);
struct zn_team   *zn_theta_threads(const void *self);
void              zn_theta_destroy_self(void *self);

/// The contact of row k of the problem at position level.
static inline int zn_theta_place(const zn_theta *w, int k)
{
    ZN_ASSERT(k >= 0 && k < w->places.rows);
    return zn_row_contact(w->contacts, w->places.row[k]);
}

static inline double zn_larger(double a, double b) { return a > b ? a : b; }

/// Vectors of a small model have two or three numbers: a call takes longer than the loop, which src/CMakeLists.txt
/// keeps one.
static inline void zn_copy(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

static inline void zn_clear(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 0;
}

#endif
