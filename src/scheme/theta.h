/// The theta step that the event-capturing schemes share (Acary 2013, sections 3.1, 4.3 and 5).
///
///     M(q_th) (v - v_k) - h F(t_th, q_th, v_th) = G(q)' P                          velocity level
///     q = q_k (+) (h v_th + N G(q)' tau),   x_th = (1 - th) x_k + th x             position level
///     joints:   G v + dg/dt = 0,  and optionally g(q, t) = 0
///     contacts of a given set:  0 <= U_N + e U_N,k _|_ P_N >= 0, Coulomb's law on U_T + e_T U_T,k,
///               and optionally  g(q) = 0  or  0 <= g(q) _|_ tau >= 0
///
/// in our convention: a ROW of G per constraint, U = G v. N is the metric of the projection. A scheme decides which
/// contacts are in the set; these files solve for them (Newton's iteration, one nonsmooth problem each), book the
/// energy and commit.
///     theta.c          iterates, Newton's method, what schemes call
///     theta_problem.c  the nonsmooth problems of one iteration
///     theta_ledger.c   energy and contact results
///     theta_memory.c   allocation
#ifndef ZN_SCHEME_THETA_H
#define ZN_SCHEME_THETA_H

#include "constraint/delassus.h"
#include "constraint/node_blocks.h"
#include "scheme/scheme.h"
#include "system/system.h"
#include "zn/solve.h"

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

typedef struct zn_theta {
    const zn_system *sys;
    zn_scheme_def    def;
    int              n, n_all, nq;
    int              contacts_max; ///< room for contacts; grows in piles
    bool             linear;
    bool             redundant; ///< joint equations repeat each other
    zn_projection    project;
    bool             frozen;       ///< contact rows stay those of the start of the step
    bool             position_law; ///< contact law between g and P instead of U and P (trapezoidal rule)

    // the step
    const zn_state *from;
    double          h;
    double          gap_tolerance;  ///< projection residual, not below rounding; activation takes ten times it
    double         *velocity_floor; ///< change of velocity that positions cannot resolve, over the tolerance
    zn_contact_set *contacts;       ///< evaluated at the current iterate
    double         *U_k;            ///< G(q_k) v_k, per row of the contact set
    double         *g_k;

    // velocity problem: rows of joints first, then those of the contacts in the set
    int     rows, joint_rows;
    int    *row; ///< row of the contact set
    int     active_count;
    int    *active; ///< contact of the contact set
    int    *first;  ///< first row of each active contact, and the end
    double *mu;
    bool   *is_active;
    bool    has_friction; ///< some active contact has tangents

    // linear algebra
    zn_sparse       *iteration_matrix; ///< A = M + h th C + h^2 th^2 K
    zn_linsolver    *solver;
    double           factored_h;              ///< step of the current factors; 0: none
    bool             refactor;                ///< a nonlinear model needs new ones
    double           last_norm;               ///< of the last trial
    zn_delassus      delassus;                ///< columns of A^-1 G'; not where there are blocks
    zn_node_blocks  *blocks;                  ///< of a pile: sparse W; NULL: dense
    zn_node_blocks  *metric_blocks;           ///< likewise for the projection: G N G'
    zn_sparse       *mass_matrix, *stiffness; ///< only where metric or coupling needs them
    zn_linsolver    *mass_solver;
    zn_delassus      metric; ///< columns of M^-1 G', metric "mass"
    void            *scratch;
    zn_fc_workspace *friction;

    // iterates
    zn_theta_point now, trial;
    bool           conflict; ///< contacts of a pile cannot all stay closed in this step: those with an impulse may open
    bool           at_free;  ///< `now` is the free motion, where R + G'P = 0
    double        *free_v, *free_q;
    double        *predicted_v;
    const double  *predicted; ///< velocity of the linearized problem without impulses: free_v or predicted_v
    double        *next_v, *next_shift, *next_P, *next_tau;
    double        *increment, *q_theta, *v_theta, *scale, *work;
    double        *mass_q;     ///< where M was taken, for the ledger of a varying mass
    double        *solved_GP;  ///< G'P with the rows the impulses were solved with
    double        *solved_u;   ///< local velocities that go with next_P
    double        *rounding;   ///< what rounding of W next_P leaves of them
    double         correction; ///< relative size of the last Newton correction
    double         residual;   ///< relative residual of the last trial

    // scratch of the nonsmooth problems; `slot` maps a row of the problem to a contact (position) or row (velocity)
    double *W, *b, *z, *w, *position_gap, *coupled_mu;
    int    *slot, *problem_first;
    int    *position_row; ///< normal rows of `slot`
    double *coupled;      ///< columns A^-1 K N G' of the coupled problem

    zn_energy     energy; ///< at the end of the step
    zn_step_info *info;
    void         *memory, *contact_memory;
} zn_theta;

zn_status zn_theta_create(const zn_scheme_def *def, const zn_system *sys, zn_projection project, zn_theta **out);
void      zn_theta_destroy(zn_theta *w);

/// Start a step: contacts near q_k, U_k and g_k, an empty set.
zn_status zn_theta_begin(zn_theta *w, const zn_state *from, double h, zn_step_info *info);
/// The motion without contact impulses, joints kept; contacts are evaluated at its end.
zn_status zn_theta_free_motion(zn_theta *w);
/// Put into the set what is closed at the current iterate; true when the set grew.
bool      zn_theta_activate_closed(zn_theta *w);
/// Put into the set what is closed by the forecast (61) or (62).
void      zn_theta_activate_forecast(zn_theta *w);
/// Solve on the set, starting from the current iterate.
zn_status zn_theta_solve(zn_theta *w);
/// Book the energy and evaluate the contacts at the end; then nothing can fail any more.
zn_status zn_theta_finish(zn_theta *w);
/// Move the result into the state. Cannot fail.
void      zn_theta_commit(zn_theta *w, zn_state *to);

// --- between the files of the theta step ---------------------------------------------------------

/// Make room for so many contacts. What is kept per contact is lost.
zn_status zn_theta_reserve(zn_theta *w, int contacts);
/// Impulses, velocity, multipliers and shift of the linearized problem at `now`: next_P, next_v, next_tau, next_shift.
zn_status zn_theta_solve_linearized(zn_theta *w);
/// Energy ledger and results per contact.
zn_status zn_theta_book(zn_theta *w);

/// Functions of the scheme table that are the same for all schemes built on the theta step.
/// There is no history; factors are dropped all the same, so that a run which goes on and one that is resumed choose
/// the same pivots.
void              zn_theta_history_save(void *self, double *history);
void              zn_theta_history_load(void *self, const double *history);
zn_linsolver_info zn_theta_linsolver(const void *self);
void              zn_theta_destroy_self(void *self);

static inline double zn_larger(double a, double b) { return a > b ? a : b; }

#endif
