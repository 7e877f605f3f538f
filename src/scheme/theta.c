// The theta step shared by the event-capturing schemes: iterates, Newton's method, and what schemes call. See theta.h.
//
// Newton's iteration (Acary 2013, eqs. 44-58 with corrections): the residual R is evaluated with the projection's shift
// (q_th moves with it), so that the decoupled iteration converges to the coupled scheme. M and G are updated in a
// fixed-point way.
#include "scheme/theta.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/seldom.h"
#include "system/contact_scratch.h"

// --- the step at one iterate ---------------------------------------------------------------------

// Theta point (q_th, v_th) and force there that follow from v and shift; the increment of the step is left behind.
static zn_status evaluate_force(zn_theta *w, const double *v, const double *shift, double *force)
{
    double        th = w->def.theta, h = w->step.h;
    const double *v_k = w->step.from->v;
    for (int i = 0; i < w->n_all; i++) {
        w->middle.v[i] = (1 - th) * v_k[i] + th * v[i];
        w->middle.increment[i] = h * w->middle.v[i] + (shift ? shift[i] : 0);
    }
    if (w->sys->constant_force) { // neither force nor power asks where
        zn_copy(w->n_all, w->sys->gravity_force, force);
        return zn_fault_point();
    }
    for (int i = 0; i < w->n_all; i++)
        w->work[i] = th * w->middle.increment[i];
    zn_system_retract(w->sys, w->step.from->q, w->work, w->middle.q);
    return zn_system_whole_force(w->sys, w->step.theta, force);
}

static bool watches_contacts(const zn_theta *w)
{
    return !w->frozen && (w->list.rows > 0 || w->project == ZN_PROJECT_ALL);
}

bool zn_theta_keeps_rows(const zn_theta *w) { return w->frozen || w->sys->straight_contacts; }

// Edges that are nearly parallel turn their normal with every rounding of the configuration, so that rows at the end of
// the step are a fixed point that iterations approach slowly or not at all, however short the step is. Where most of
// the way is done they stay as they are: of a configuration next to the end, by less than a millionth of the step.
enum { LATE = 10 };

static bool rows_settle(const zn_theta *w)
{
    const double          next = 1e-6;
    const zn_contact_set *set = w->contacts;
    return w->motion.blocks && !w->position_law && w->list.contacts > 0 && w->step.iteration > LATE &&
           w->step.last_norm * w->def.newton_tolerance < next &&
           set->row_start[set->count * set->stride] <= set->count * set->stride * 2 * ZN_NODE_DOFS;
}

// Contacts at x: gaps always, rows until they settle.
static zn_status evaluate_contacts(zn_theta *w, const zn_theta_point *x)
{
    zn_contact_set *set = w->contacts;
    size_t          bytes = sizeof *set->row_value * (size_t)set->row_start[set->count * set->stride];
    bool            settle = rows_settle(w);
    if (settle)
        memcpy(w->kept_rows, set->row_value, bytes);
    ZN_TRY(zn_contact_set_evaluate(set, w->sys, x->q, w->step.from->t + w->step.h));
    if (settle) {
        memcpy(set->row_value, w->kept_rows, bytes);
        zn_contact_set_forget_place(set);
    }
    return ZN_OK;
}

bool zn_theta_is_exact(const zn_theta *w)
{
    return w->linear && zn_theta_keeps_rows(w) && w->project == ZN_PROJECT_NONE && !w->position_law &&
           !zn_response_iterates(&w->motion);
}

static zn_status evaluate(zn_theta *w, zn_theta_point *x, double *norm)
{
    w->step.shift = NAN;
    ZN_TRY(evaluate_force(w, x->v, x->shift, x->force));
    zn_system_retract(w->sys, w->step.from->q, w->middle.increment, x->q);
    ZN_TRY(zn_system_agree(w->sys, watches_contacts(w) ? evaluate_contacts(w, x) : ZN_OK));
    ZN_TRY(zn_theta_residual(w, x));
    if (w->step.exact) { // but for impulses that are not yet as exact as was asked for
        *norm = w->step.rough ? 2 : 0;
        return ZN_OK;
    }
    double smooth = zn_theta_smooth_norm(w, x);
    if (!w->position_law)
        smooth = zn_larger(smooth, zn_theta_velocity_norm(w, x));
    *norm = zn_larger(smooth / w->def.newton_tolerance, zn_theta_gap_violation(w, x) / w->step.gap_tolerance);
    if (w->step.rough || !w->step.plain)
        *norm = zn_larger(*norm, 2);
    if (w->project == ZN_PROJECT_NONE || *norm > 1 || zn_theta_keeps_rows(w) || !watches_contacts(w))
        return ZN_OK;
    ZN_TRY(zn_theta_shift_residual(w, x, &w->step.shift)); // nothing else is left to iterate for
    *norm = zn_larger(*norm, w->step.shift / w->step.gap_tolerance);
    return ZN_OK;
}

// --- Newton's direction --------------------------------------------------------------------------

// Factors of the iteration matrix at (q_th, v_th). A linear model keeps them as long as h stays; a nonlinear one for
// the whole step, unless Newton converges slowly with them.
// Impulses of this iteration, at first of the last step, times h th, by which the configuration at the end follows v.
static const double *bending(zn_theta *w)
{
    zn_clear(w->contacts->count * w->contacts->stride, w->bend);
    for (int k = 0; k < w->list.rows; k++)
        w->bend[w->list.row[k]] = w->step.h * w->def.theta * zn_theta_last_impulse(w, k);
    return w->bend;
}

// K of the coupled problem: of a nonlinear model once a step.
static zn_status find_stiffness(zn_theta *w)
{
    if (!w->step.coupled || w->has_stiffness)
        return ZN_OK;
    ZN_TRY(zn_system_operators(w->sys, w->step.theta, 0, 0, 1, w->coupled.stiffness));
    w->has_stiffness = true;
    return ZN_OK;
}

// A checkpoint forgets the factors of the mass as well, whichever way those of the motion are found.
static zn_status factor_metric(zn_theta *w)
{
    const double m[3] = {1, 0, 0};
    if (w->def.metric != ZN_METRIC_MASS || (w->linear && zn_response_is_for(&w->own_metric, w->step.h)))
        return ZN_OK;
    return zn_response_factor(&w->own_metric, w->step.theta, m, w->step.h);
}

static zn_status factor_bent(zn_theta *w)
{
    double        th = w->def.theta, h = w->step.h;
    const double  a[3] = {1, h * th, h * h * th * th};
    const zn_bend bend = {w->contacts, w->step.at_free ? w->free.q : w->now.q, bending(w), w->step.from->t + h, NULL};
    ZN_TRY(find_stiffness(w));
    ZN_TRY(factor_metric(w));
    return zn_response_bend(&w->motion, w->step.theta, a, h, &bend);
}

ZN_APART static zn_status factor_anew(zn_theta *w)
{
    if (w->step.bends && w->list.rows > 0 && zn_response_bends(&w->motion, w->contacts->count, w->list.rows))
        return factor_bent(w);
    ZN_TRY(find_stiffness(w));
    bool   kept = !w->step.refactor && w->def.metric == ZN_METRIC_IDENTITY; // another metric is part of the answer
    double th = w->def.theta, h = w->step.h;
    if (zn_response_is_for(&w->motion, h) && (w->linear || kept))
        return ZN_OK;
    const double a[3] = {1, h * th, h * h * th * th};
    w->step.refactor = w->step.assembled = w->step.divided = false;
    w->has_stiffness &= w->linear;
    ZN_TRY(find_stiffness(w));
    ZN_TRY(factor_metric(w));
    ZN_TRY(zn_response_factor(&w->motion, w->step.theta, a, h));
    w->step.exact = zn_theta_is_exact(w); // new factors may be those of an iteration
    return ZN_OK;
}

static zn_status factor(zn_theta *w)
{
    bool kept = w->linear && !w->step.bends && !w->step.coupled && zn_response_is_for(&w->motion, w->step.h);
    return kept ? ZN_OK : factor_anew(w);
}

// The linearized motion without impulses: v - A^-1 (R + G'P).
static zn_status predict(zn_theta *w)
{
    w->goal.predicted = w->step.at_free ? w->free.v : w->goal.predicted_v;
    if (w->step.at_free)
        return ZN_OK;
    for (int i = 0; i < w->n; i++)
        w->work[i] = w->now.residual[i] + w->now.GP[i];
    ZN_TRY(zn_response_solve(&w->motion, w->work));
    for (int i = 0; i < w->n; i++)
        w->goal.predicted_v[i] = w->now.v[i] - w->work[i];
    return ZN_OK;
}

// Relative size of the way from the iterate to the goal.
static void measure_correction(zn_theta *w)
{
    for (int i = 0; i < w->n; i++) {
        w->work[i] = w->goal.v[i] - w->now.v[i];
        w->scale[i] = fabs(w->goal.v[i]) + fabs(w->step.from->v[i]) + w->step.velocity_floor[i];
    }
    for (int i = 0; i < w->n && w->project != ZN_PROJECT_NONE; i++) { // the shift counts as a velocity, beyond what the
        double moved = fabs(w->goal.shift[i] - w->now.shift[i]) - w->def.gap_tolerance; // projection leaves open
        w->work[i] = fabs(w->work[i]) + zn_larger(moved, 0) / w->step.h;
    }
    w->step.correction = zn_system_relative_norm(w->sys, w->work, w->scale);
}

static zn_status direction(void *user)
{
    zn_theta *w = user;
    w->step.info->newton_iterations++;
    w->step.iteration++;
    ZN_TRY(factor(w));
    ZN_TRY(predict(w));
    ZN_TRY(zn_theta_solve_linearized(w));
    w->step.mixed = false;
    if (w->step.exact) {
        w->step.correction = INFINITY; // nothing was corrected
        return ZN_OK;
    }
    measure_correction(w);
    if (w->step.correction > w->def.newton_tolerance)
        w->step.mixed = zn_theta_mix_goal(w);
    return ZN_OK;
}

static void blend(int n, double s, const double *from, const double *to, double *out)
{
    ZN_ASSERT(n == 0 || (from && to && out));
    if (s == 1)
        zn_copy(n, to, out);
    else
        for (int i = 0; i < n; i++)
            out[i] = from[i] + s * (to[i] - from[i]);
}

enum { WATCH = 3 };    // full steps whose residual may grow: impulses found anew demand other gaps
enum { PATIENCE = 8 }; // iterations without the curvature of constraints

static zn_status trial(void *user, double s, double *norm)
{
    zn_theta *w = user;
    blend(w->n_all, s, w->now.v, w->goal.v, w->trial.v);
    if (w->project != ZN_PROJECT_NONE) {
        blend(w->n_all, s, w->now.shift, w->goal.shift, w->trial.shift);
        blend(w->contacts->count, s, w->now.tau, w->goal.tau, w->trial.tau);
    }
    blend(w->list.rows, s, w->now.P, w->goal.P, w->trial.P);
    w->step.plain = s == 1 && !w->step.mixed;
    ZN_TRY(evaluate(w, &w->trial, norm));
    w->step.refactor |= *norm > 1 && !(*norm < 0.01 * w->step.last_norm);
    if (w->step.iteration >= PATIENCE && *norm > 1 && zn_theta_can_bend(w) && !w->motion.blocks)
        w->step.bends = true; // costs more than a few iterations; of a pile much more
    w->step.last_norm = *norm;
    return ZN_OK;
}

static void accept(void *user)
{
    zn_theta      *w = user;
    zn_theta_point old = w->now;
    w->now = w->trial;
    w->trial = old;
    w->step.at_free = false;
}

ZN_APART static zn_status run_newton(zn_theta *w, double norm)
{
    const zn_newton_problem  problem = {w, direction, trial, accept};
    const zn_newton_settings settings = {.max_iterations = w->def.newton_iterations,
                                         .max_halvings = 8,
                                         .patience = w->project != ZN_PROJECT_NONE ? WATCH : 0};
    zn_newton_info           report;
    w->step.last_norm = norm;
    zn_status status = zn_newton_solve(&problem, &settings, norm, &report);
    return zn_blame_newton(w->sys, status, w->now.residual, w->scale, "N s", w->def.newton_tolerance, w->contacts);
}

// --- what schemes call ---------------------------------------------------------------------------

// Are contacts evaluated at the end of the free motion?
static bool needs_gaps(const zn_theta *w)
{
    return w->project != ZN_PROJECT_NONE || w->position_law || w->step.bends || !zn_theta_keeps_rows(w);
}

// A^-1 h F(v_k) of a linear model. Constant forces do the same in every step with the same factors.
static zn_status find_kick(zn_theta *w)
{
    double *kick = w->kick.v;
    if (w->sys->constant_force && zn_response_is_for(&w->motion, w->step.h) && w->kick.factors != 0 &&
        w->kick.factors == zn_response_factors(&w->motion))
        return zn_fault_point();
    w->kick.factors = 0;
    ZN_TRY(evaluate_force(w, w->step.from->v, NULL, w->now.force));
    ZN_TRY(factor(w));
    for (int i = 0; i < w->n; i++)
        kick[i] = w->step.h * w->now.force[i];
    ZN_TRY(zn_response_solve(&w->motion, kick));
    w->kick.factors = zn_response_factors(&w->motion);
    return ZN_OK;
}

// A linear model without joints: v = v_k + A^-1 h F(v_k) is exact. The residual is measured at the end of the step.
static zn_status linear_free_motion(zn_theta *w)
{
    ZN_TRY(find_kick(w));
    const double *v = w->step.from->v, *kick = w->kick.v, h = w->step.h, th = w->def.theta;
    for (int i = 0; i < w->n; i++) {
        w->now.v[i] = w->free.v[i] = v[i] + kick[i];
        w->middle.increment[i] = h * (v[i] + th * kick[i]);
    }
    zn_clear(w->n_all - w->n, w->middle.increment + w->n);
    zn_copy(w->n_all - w->n, w->free.v + w->n, w->now.v + w->n);
    if (needs_gaps(w)) // else nobody asks
        zn_system_retract(w->sys, w->step.from->q, w->middle.increment, w->free.q);
    w->step.info->newton_iterations++;
    w->step.correction = INFINITY; // exact: nothing was corrected
    w->step.at_free = true;
    w->goal.predicted = w->free.v;
    return ZN_OK;
}

// Without joints: R = M (v - v_k) - h F, of which the first is nothing unless the start is foreseen.
static zn_status evaluate_start(zn_theta *w)
{
    ZN_TRY(evaluate_force(w, w->now.v, NULL, w->now.force));
    zn_clear(w->n, w->now.residual);
    if (w->step.foreseen) {
        for (int i = 0; i < w->n_all; i++)
            w->work[i] = w->now.v[i] - w->step.from->v[i];
        ZN_TRY(zn_system_whole_inertia(w->sys, w->middle.q, w->work, w->now.residual));
    }
    for (int i = 0; i < w->n; i++)
        w->now.residual[i] -= w->step.h * w->now.force[i];
    zn_clear(w->n, w->now.GP);
    return ZN_OK;
}

ZN_APART static zn_status iterated_free_motion(zn_theta *w)
{
    double        norm;
    zn_projection project = w->project;
    w->step.at_free = false;
    w->step.correction = INFINITY;
    w->goal.predicted = w->step.from->v;
    zn_copy(w->n_all, w->step.from->v, w->now.v);
    if (zn_theta_foresees(w, &w->past.free))
        zn_theta_foresee(w, &w->past.free, w->now.v);
    zn_clear(w->list.rows, w->now.P);
    zn_clear(w->list.rows, w->goal.u);
    zn_clear(w->list.rows, w->goal.rounding);
    w->project = project == ZN_PROJECT_ALL ? ZN_PROJECT_ACTIVE : project; // joints only: contacts come later
    zn_status status = w->list.equations > 0 ? evaluate(w, &w->now, &norm) : evaluate_start(w);
    if (status == ZN_OK)
        status = run_newton(w, DBL_MAX);
    w->project = project;
    ZN_TRY(status);
    zn_copy(w->n_all, w->now.v, w->free.v);
    zn_copy(w->nq, w->now.q, w->free.q);
    w->step.at_free = w->list.equations == 0;
    return ZN_OK;
}

zn_status zn_theta_free_motion(zn_theta *w)
{
    w->step.free_gaps = w->step.begun = false;
    if (w->project != ZN_PROJECT_NONE) {
        zn_clear(w->n_all, w->now.shift);
        zn_clear(w->contacts->count, w->now.tau);
    }
    if (w->linear && w->list.equations == 0)
        return linear_free_motion(w);
    return iterated_free_motion(w);
}

static zn_status add_last_impulses(zn_theta *w)
{
    const zn_contact_set *last = w->sys->fixed_contacts ? w->step.from->contacts : w->contacts; // moved along by id
    zn_clear(w->n_all, w->work);
    for (int k = 0; k < w->list.rows; k++)
        zn_row_add(last, w->list.row[k], w->n, last->impulse[w->list.row[k]] - w->now.P[k], w->work);
    ZN_TRY(zn_response_solve(&w->motion, w->work));
    for (int i = 0; i < w->n; i++)
        w->now.v[i] += w->work[i];
    return ZN_OK;
}

zn_status zn_theta_begin_with_last(zn_theta *w)
{
    if (zn_theta_foresees(w, &w->past.pushed))
        zn_theta_foresee(w, &w->past.pushed, w->now.v);
    else
        ZN_TRY(add_last_impulses(w));
    w->step.begun = true;
    w->step.at_free = false;
    w->step.shift = NAN;
    ZN_TRY(evaluate_force(w, w->now.v, w->now.shift, w->now.force));
    zn_system_retract(w->sys, w->step.from->q, w->middle.increment, w->now.q);
    ZN_TRY(
        zn_system_agree(w->sys, zn_contact_set_evaluate(w->contacts, w->sys, w->now.q, w->step.from->t + w->step.h)));
    return zn_theta_residual(w, &w->now);
}

zn_status zn_theta_free_gaps(zn_theta *w)
{
    if (!w->step.at_free || w->step.free_gaps)
        return ZN_OK;
    ZN_TRY(zn_contact_set_evaluate(w->contacts, w->sys, w->free.q, w->step.from->t + w->step.h));
    w->step.free_gaps = true;
    return ZN_OK;
}

zn_status zn_theta_solve(zn_theta *w)
{
    w->step.iteration = 0;
    w->step.assembled = w->step.divided = false;
    if (!w->step.begun && !zn_theta_keeps_rows(w) && zn_theta_foresees(w, &w->past.pushed))
        ZN_TRY(zn_system_agree(w->sys, zn_theta_begin_with_last(w)));
    else if (w->step.at_free && needs_gaps(w))
        ZN_TRY(zn_system_agree(w->sys, zn_theta_free_gaps(w)));
    if (!w->linear)
        return run_newton(w, DBL_MAX); // at least one iteration
    double norm;                       // a linear model is often done after one
    ZN_TRY(direction(w));
    ZN_TRY(trial(w, 1, &norm));
    accept(w);
    return norm <= 1 ? ZN_OK : run_newton(w, norm);
}

// Where nothing acted, contacts may be those of the end: of a nonlinear model since the free motion, which ends there.
static zn_status evaluate_end(zn_theta *w)
{
    if (w->linear ? watches_contacts(w) : w->step.free_gaps)
        return ZN_OK;
    return zn_contact_set_evaluate(w->contacts, w->sys, w->now.q, w->step.from->t + w->step.h);
}

zn_status zn_theta_finish(zn_theta *w)
{
    if (w->step.at_free) { // nothing acted: the free motion is the answer, its contacts are not evaluated yet
        double norm;
        if (w->linear)
            ZN_TRY(evaluate(w, &w->now, &norm));
        if (!w->frozen)
            ZN_TRY(zn_system_agree(w->sys, evaluate_end(w)));
    }
    if (w->frozen) { // the rows are those of the step, but gaps tell where it ended
        zn_contact_set_forget_place(w->contacts);
        ZN_TRY(zn_system_agree(
            w->sys, zn_contact_set_gaps(w->contacts, w->sys, w->now.q, w->step.from->t + w->step.h, w->contacts->gap)));
    }
    return zn_theta_book(w);
}

void zn_theta_commit(zn_theta *w, zn_state *to)
{
    ZN_ASSERT(to->contacts != w->contacts && to->q != w->now.q);
    zn_theta_remember(w);
    to->t += w->step.h;
    zn_copy(w->nq, w->now.q, to->q);
    zn_copy(w->n_all, w->now.v, to->v);
    zn_copy(w->n_all - w->n, w->now.residual + w->n, to->reaction);
    to->energy = w->energy;
    zn_contact_set_share(w->contacts, NULL, NULL); // a state may outlive the scheme
    zn_contact_set_swap(to->contacts, w->contacts);
    w->step.info->failed = NULL;
    zn_theta_keep_way(w);
}

void zn_theta_history(void *self, zn_blob *blob)
{
    enum { VERSION = 4 };
    zn_theta *w = self;
    zn_blob_version(blob, VERSION);
    zn_blob_int(blob, &w->keep.bends, 0, zn_theta_can_bend(w) ? ZN_THETA_KEEP : 0);
    zn_blob_int(blob, &w->keep.steady, 0, ZN_THETA_KEEP);
    zn_blob_int(blob, &w->keep.couples, 0, ZN_THETA_KEEP);
    zn_blob_int(blob, &w->keep.mixes, 0, ZN_THETA_KEEP);
    zn_theta_past_history(w, blob);
    zn_response_history(&w->motion, blob, w->step.h);
    zn_response_history(&w->own_metric, blob, w->step.h);
}

zn_linsolver_info zn_theta_linsolver(const void *self) { return zn_response_info(&((const zn_theta *)self)->motion); }

struct zn_team *zn_theta_threads(const void *self) { return ((const zn_theta *)self)->team; }

void zn_theta_destroy_self(void *self) { zn_theta_destroy(self); }
