/// The theta step that the event-capturing schemes share (Acary 2013, sections 3.1, 4.3 and 5).
///
///     M(q_th) (v - v_k) - h F(t_th, q_th, v_th) = G(q)' P                          velocity level
///     q = q_k (+) (h v_th + G(q)' tau),   x_th = (1 - th) x_k + th x               position level
///     for contacts of a given set:  0 <= U + e U_k _|_ P >= 0,  and optionally  g(q) = 0 or 0 <= g(q) _|_ tau >= 0
///
/// in our convention: a ROW of G per contact, U = G v. A scheme decides which contacts are in the set; this file
/// solves for them (Newton's iteration, one linear complementarity problem each), books the energy and commits.
#ifndef ZN_SCHEME_THETA_H
#define ZN_SCHEME_THETA_H

#include "scheme/delassus.h"
#include "scheme/scheme.h"
#include "system/system.h"
#include "zn/solve.h"

/// One iterate of the step: everything that follows from (v, P, shift).
typedef struct zn_theta_point {
    double *v;      ///< velocity
    double *q;      ///< configuration, projection included
    double *shift;  ///< G' tau, the projection's displacement
    double *force;  ///< F at theta
    double *GP;     ///< G(q)' P
    double *residual;
    double *P, *tau; ///< one per contact of the set
} zn_theta_point;

typedef struct zn_theta {
    const zn_system *sys;
    zn_scheme_def    def;
    int              n, n_all, nq, contacts_max;
    bool             linear;
    double           activation_tolerance; ///< ten times the projection residual

    // the step
    const zn_state *from;
    double          h;
    zn_contact_set *contacts; ///< evaluated at the current iterate
    double         *U_k;      ///< G(q_k) v_k
    double         *g_k;
    bool            project;  ///< position constraints of active contacts too

    // contacts in the set
    int  active_count;
    int *active;
    bool *is_active;

    // linear algebra
    zn_sparse    *iteration_matrix; ///< M + h th C + h^2 th^2 K
    zn_linsolver *solver;
    double        factored_h; ///< step of the current factors; 0: none
    zn_delassus   delassus;
    void         *lcp_scratch;

    // iterates
    zn_theta_point now, trial;
    bool           at_free; ///< `now` is the free motion, whose smooth residual is zero
    double        *free_v, *free_q;
    double        *predicted_v;
    const double  *predicted; ///< velocity of the linearized problem without contact impulses: free_v or predicted_v
    double        *next_v, *next_shift, *next_P, *next_tau;
    double        *increment, *q_theta, *v_theta, *scale, *work;
    double        *solved_GP;  ///< G'P with the rows the impulses were solved with
    double        *predicted_gap;
    double        *lcp_b, *lcp_z, *lcp_w, *lcp_A, *lcp_W;
    int           *order;
    double         correction; ///< relative size of the last Newton correction
    double         residual;   ///< relative residual of the last trial
    zn_energy      energy;     ///< at the end of the step
    zn_step_info  *info;
    void          *memory;
} zn_theta;

zn_status zn_theta_create(const zn_scheme_def *def, const zn_system *sys, zn_theta **out);
void      zn_theta_destroy(zn_theta *w);

/// Start a step: contacts near q_k, U_k and g_k, an empty set.
zn_status zn_theta_begin(zn_theta *w, const zn_state *from, double h, zn_step_info *info);
/// The motion without contact impulses.
zn_status zn_theta_free_motion(zn_theta *w);
/// Put contact i into the set; false when it was there.
bool zn_theta_activate(zn_theta *w, int contact);
/// Solve on the set, starting from the free motion.
zn_status zn_theta_solve(zn_theta *w);
/// Book the energy and evaluate the contacts at the end; then nothing can fail any more.
zn_status zn_theta_finish(zn_theta *w);
/// Move the result into the state. Cannot fail.
void zn_theta_commit(zn_theta *w, zn_state *to);

#endif
