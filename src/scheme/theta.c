// The theta step shared by the event-capturing schemes: see theta.h for the equations.
//
// Newton's iteration (Acary 2013, eqs. 44-58 with corrections): with A = M + h th C + h^2 th^2 K at the iterate,
//     predicted = v - A^-1 (R + G'P)              the linearized motion without contact impulses
//     U + e U_k = W P + (G predicted + e U_k),    W = G A^-1 G'            (57): first complementarity problem
//     v = predicted + A^-1 G' P
//     g + G (h v_th + shift - increment),  shift = G' tau                  (58): second one, identity metric
// The residual R takes the projection into account (q_th moves with it), so that the decoupled iteration converges to
// the coupled scheme. M and G are updated in a fixed-point way.
#include "scheme/theta.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double larger(double a, double b) { return a > b ? a : b; }

// --- the step at one iterate ---------------------------------------------------------------------

// Theta point (q_th, v_th) and force there that follow from v and shift; the increment of the step is left behind.
static zn_status evaluate_force(zn_theta *w, const double *v, const double *shift, double *force)
{
    double        th = w->def.theta, h = w->h;
    const double *v_k = w->from->v;
    for (int i = 0; i < w->n_all; i++) {
        w->v_theta[i] = (1 - th) * v_k[i] + th * v[i];
        w->increment[i] = h * w->v_theta[i] + (shift ? shift[i] : 0);
        w->work[i] = th * w->increment[i];
    }
    zn_system_retract(w->sys, w->from->q, w->work, w->q_theta);
    return zn_system_force(w->sys, (zn_at){w->q_theta, w->v_theta, w->from->t + th * h}, force);
}

// R = M (v - v_k) - h F - G'P and its relative size.
static zn_status evaluate_residual(zn_theta *w, zn_theta_point *x)
{
    for (int i = 0; i < w->n_all; i++)
        w->work[i] = x->v[i] - w->from->v[i];
    ZN_TRY(zn_system_inertia(w->sys, w->q_theta, w->work, x->residual));
    memset(x->GP, 0, sizeof *x->GP * (size_t)w->n_all);
    for (int i = 0; i < w->n_all; i++) {
        double push = w->h * x->force[i];
        w->scale[i] = fabs(x->residual[i]) + fabs(push);
        x->residual[i] -= push;
    }
    const zn_contact_set *set = w->contacts;
    for (int k = 0; k < w->active_count; k++) // contacts may balance each other: each counts in the scale
        for (int e = set->row_start[w->active[k]]; e < set->row_start[w->active[k] + 1]; e++) {
            double push = set->row_value[e] * x->P[k];
            w->scale[set->row_dof[e]] += fabs(push);
            x->GP[set->row_dof[e]] += push;
            x->residual[set->row_dof[e]] -= push;
        }
    w->residual = zn_system_relative_norm(w->sys, x->residual, w->scale);
    return isfinite(w->residual) ? ZN_OK : ZN_NOT_FINITE;
}

// Distance from the contact laws at this iterate, scaled so that 1 is the tolerance.
static double contact_norm(zn_theta *w, const zn_theta_point *x)
{
    double velocity = 0, velocity_scale = 0, gap = 0;
    for (int k = 0; k < w->active_count; k++) {
        int    i = w->active[k];
        double bounce = w->contacts->restitution[i] * w->U_k[i];
        double u = zn_row_dot(w->contacts, i, w->n, x->v) + bounce;
        double weighted = w->lcp_W[k * w->active_count + k] * x->P[k];
        velocity = larger(velocity, fabs(u < weighted ? u : weighted));
        velocity_scale = larger(velocity_scale, fabs(zn_row_dot(w->contacts, i, w->n, w->predicted)) + fabs(bounce));
        if (w->project) {
            double g = w->contacts->gap[i];
            gap = larger(gap, x->P[k] > 0 ? fabs(g) : -g);
        }
    }
    velocity = zn_system_max(w->sys, velocity);
    velocity_scale = zn_system_max(w->sys, velocity_scale);
    double norm = velocity > 0 ? velocity / velocity_scale / w->def.newton_tolerance : 0;
    return larger(norm, zn_system_max(w->sys, gap) / w->def.gap_tolerance);
}

// Smooth part: converged when the residual or the correction is small. A linear model has no smooth residual but
// what a change of shift brings.
static double smooth_norm(const zn_theta *w, const zn_theta_point *x)
{
    double norm = w->residual < w->correction ? w->residual : w->correction;
    if (!w->linear)
        return norm / w->def.newton_tolerance;
    double moved = 0, turned = 0;
    for (int i = 0; i < w->n && w->project; i++)
        moved = larger(moved, fabs(x->shift[i] - w->now.shift[i]));
    for (int i = 0; i < w->n && w->active_count > 0; i++)
        turned = larger(turned, fabs(x->GP[i] - w->solved_GP[i]));
    bool exact = zn_system_max(w->sys, moved) <= w->def.gap_tolerance && zn_system_max(w->sys, turned) == 0;
    return exact ? 0 : norm / w->def.newton_tolerance;
}

static zn_status evaluate(zn_theta *w, zn_theta_point *x, double *norm)
{
    ZN_TRY(evaluate_force(w, x->v, x->shift, x->force));
    zn_system_retract(w->sys, w->from->q, w->increment, x->q);
    if (w->active_count > 0)
        ZN_TRY(zn_contact_set_evaluate(w->contacts, w->sys, x->q, w->from->t + w->h));
    ZN_TRY(evaluate_residual(w, x));
    *norm = larger(smooth_norm(w, x), contact_norm(w, x));
    return ZN_OK;
}

// --- Newton's direction --------------------------------------------------------------------------

// Factors of the iteration matrix at (q_th, v_th); a linear model keeps them as long as h stays.
static zn_status factor(zn_theta *w)
{
    if (w->linear && w->factored_h == w->h)
        return ZN_OK;
    double th = w->def.theta, h = w->h;
    w->factored_h = 0;
    zn_delassus_invalidate(&w->delassus);
    ZN_TRY(zn_system_operators(w->sys, (zn_at){w->q_theta, w->v_theta, w->from->t + th * h}, 1, h * th,
                               h * h * th * th, w->iteration_matrix));
    ZN_TRY(zn_linsolver_factor(w->solver, w->iteration_matrix));
    w->factored_h = h;
    return ZN_OK;
}

static zn_status predict(zn_theta *w)
{
    w->predicted = w->at_free ? w->free_v : w->predicted_v; // at the free motion R + G'P = 0
    if (w->at_free)
        return ZN_OK;
    for (int i = 0; i < w->n; i++)
        w->work[i] = w->now.residual[i] + w->now.GP[i];
    ZN_TRY(zn_system_checkpoint(w->sys));
    ZN_TRY(zn_linsolver_solve(w->solver, 1, w->work));
    for (int i = 0; i < w->n; i++)
        w->predicted_v[i] = w->now.v[i] - w->work[i];
    return ZN_OK;
}

static zn_status solve_lcp(zn_theta *w, int n, int bilateral, const double *A)
{
    zn_lcp_problem  problem = {.n = n, .bilateral = bilateral, .A = A, .b = w->lcp_b};
    zn_lcp_settings settings = {.solver = w->def.solver, .tolerance = w->def.solver_tolerance};
    zn_lcp_info     report;
    ZN_TRY(zn_system_checkpoint(w->sys));
    ZN_TRY(zn_lcp_solve(&problem, &settings, w->lcp_z, w->lcp_w, w->lcp_scratch, &report));
    w->info->solver_iterations += report.iterations;
    w->info->complementarity = larger(w->info->complementarity, report.residual);
    return ZN_OK;
}

// A^-1 G' of the k-th contact of the set.
static const double *column_of(const zn_theta *w, int k)
{
    return w->delassus.column + (size_t)w->active[k] * (size_t)w->n;
}

// (57): impulses of the set and the velocity they give.
static zn_status solve_velocity(zn_theta *w)
{
    int m = w->active_count;
    for (int k = 0; k < m; k++)
        ZN_TRY(zn_delassus_column(&w->delassus, w->solver, w->contacts, w->active[k]));
    for (int k = 0; k < m; k++) {
        int i = w->active[k];
        for (int l = 0; l < m; l++)
            w->lcp_W[k * m + l] = zn_row_dot(w->contacts, i, w->n, column_of(w, l));
        w->lcp_b[k] = zn_row_dot(w->contacts, i, w->n, w->predicted) + w->contacts->restitution[i] * w->U_k[i];
        w->lcp_z[k] = w->now.P[k];
    }
    if (m > 0)
        ZN_TRY(solve_lcp(w, m, 0, w->lcp_W));
    memcpy(w->next_v, w->predicted, sizeof *w->next_v * (size_t)w->n_all);
    memset(w->solved_GP, 0, sizeof *w->solved_GP * (size_t)w->n_all);
    for (int k = 0; k < m; k++) {
        const double *column = column_of(w, k);
        w->next_P[k] = w->lcp_z[k];
        for (int i = 0; i < w->n; i++)
            w->next_v[i] += column[i] * w->next_P[k];
        zn_row_add(w->contacts, w->active[k], w->n_all, w->next_P[k], w->solved_GP);
    }
    return ZN_OK;
}

// Gap that the linearized motion would reach without projection, and whether that is good enough.
static bool predict_gaps(zn_theta *w)
{
    double th = w->def.theta, h = w->h;
    bool   satisfied = true;
    for (int i = 0; i < w->n; i++) // h v_th(next) - increment(now)
        w->work[i] = h * th * (w->next_v[i] - w->now.v[i]) - w->now.shift[i];
    for (int k = 0; k < w->active_count; k++) {
        int    i = w->active[k];
        double g = w->contacts->gap[i] + zn_row_dot(w->contacts, i, w->n, w->work);
        w->predicted_gap[k] = g;
        satisfied &= w->next_P[k] > 0 ? fabs(g) <= w->def.gap_tolerance : g >= -w->def.gap_tolerance;
    }
    return zn_system_max(w->sys, satisfied ? 0 : 1) == 0;
}

// (58), (65): contacts with an impulse go to g = 0 (tau of free sign), the others of the set must not penetrate.
static zn_status solve_position(zn_theta *w)
{
    int m = w->active_count, bilateral = 0;
    memset(w->next_tau, 0, sizeof *w->next_tau * (size_t)m);
    memset(w->next_shift, 0, sizeof *w->next_shift * (size_t)w->n_all);
    if (!w->project || m == 0 || predict_gaps(w))
        return ZN_OK;
    w->info->projection_iterations++;
    for (int pass = 0, place = 0; pass < 2; pass++) { // equations come first
        for (int k = 0; k < m; k++)
            if ((w->next_P[k] > 0) == (pass == 0))
                w->order[place++] = k;
        bilateral = pass == 0 ? place : bilateral;
    }
    for (int k = 0; k < m; k++) {
        for (int l = 0; l < m; l++)
            w->lcp_A[k * m + l] = zn_row_product(w->contacts, w->active[w->order[k]], w->active[w->order[l]], w->n);
        w->lcp_b[k] = w->predicted_gap[w->order[k]];
        w->lcp_z[k] = 0;
    }
    ZN_TRY(solve_lcp(w, m, bilateral, w->lcp_A));
    for (int k = 0; k < m; k++) {
        w->next_tau[w->order[k]] = w->lcp_z[k];
        zn_row_add(w->contacts, w->active[w->order[k]], w->n, w->lcp_z[k], w->next_shift);
    }
    return ZN_OK;
}

static zn_status direction(void *user)
{
    zn_theta *w = user;
    w->info->newton_iterations++;
    ZN_TRY(factor(w));
    ZN_TRY(predict(w));
    ZN_TRY(solve_velocity(w));
    ZN_TRY(solve_position(w));
    w->correction = INFINITY;
    if (w->linear)
        return ZN_OK;
    for (int i = 0; i < w->n; i++) {
        w->work[i] = w->next_v[i] - w->now.v[i];
        w->scale[i] = fabs(w->next_v[i]) + fabs(w->from->v[i]);
    }
    w->correction = zn_system_relative_norm(w->sys, w->work, w->scale);
    return ZN_OK;
}

static void blend(int n, double s, const double *from, const double *to, double *out)
{
    if (s == 1)
        memcpy(out, to, sizeof *out * (size_t)n);
    else
        for (int i = 0; i < n; i++)
            out[i] = from[i] + s * (to[i] - from[i]);
}

static zn_status trial(void *user, double s, double *norm)
{
    zn_theta *w = user;
    blend(w->n_all, s, w->now.v, w->next_v, w->trial.v);
    blend(w->n_all, s, w->now.shift, w->next_shift, w->trial.shift);
    blend(w->active_count, s, w->now.P, w->next_P, w->trial.P);
    blend(w->active_count, s, w->now.tau, w->next_tau, w->trial.tau);
    return evaluate(w, &w->trial, norm);
}

static void accept(void *user)
{
    zn_theta      *w = user;
    zn_theta_point old = w->now;
    w->now = w->trial;
    w->trial = old;
    w->at_free = false;
}

// --- what schemes call ---------------------------------------------------------------------------

zn_status zn_theta_begin(zn_theta *w, const zn_state *from, double h, zn_step_info *info)
{
    w->from = from;
    w->h = h;
    w->info = info;
    for (int k = 0; k < w->active_count; k++)
        w->is_active[w->active[k]] = false;
    w->active_count = 0;
    zn_contact_set *set = w->contacts;
    if (w->sys->fixed_contacts && set->count == from->contacts->count) {
        memcpy(w->g_k, from->contacts->gap, sizeof *w->g_k * (size_t)set->count); // evaluated at q_k already
        for (int i = 0; i < set->count; i++)
            w->U_k[i] = zn_row_dot(from->contacts, i, w->n, from->v);
        return ZN_OK;
    }
    zn_contact_set_copy(from->contacts, set);
    ZN_TRY(zn_contact_set_refresh(set, w->sys, from->q, from->t));
    for (int i = 0; i < set->count; i++) {
        w->g_k[i] = set->gap[i];
        w->U_k[i] = zn_row_dot(set, i, w->n, from->v);
    }
    return ZN_OK;
}

static zn_status run_newton(zn_theta *w, double norm)
{
    const zn_newton_problem  problem = {w, direction, trial, accept};
    const zn_newton_settings settings = {w->def.newton_iterations, 8};
    zn_newton_info           report;
    return zn_newton_solve(&problem, &settings, norm, &report);
}

// A linear model: v = v_k + A^-1 h F(v_k) is exact. The residual is measured at the end of the step.
static zn_status linear_free_motion(zn_theta *w)
{
    ZN_TRY(evaluate_force(w, w->from->v, NULL, w->now.force));
    ZN_TRY(factor(w));
    for (int i = 0; i < w->n; i++)
        w->work[i] = w->h * w->now.force[i];
    ZN_TRY(zn_system_checkpoint(w->sys));
    ZN_TRY(zn_linsolver_solve(w->solver, 1, w->work));
    for (int i = 0; i < w->n; i++) {
        w->free_v[i] = w->from->v[i] + w->work[i];
        w->increment[i] = w->h * (w->from->v[i] + w->def.theta * w->work[i]);
    }
    zn_system_retract(w->sys, w->from->q, w->increment, w->free_q);
    w->info->newton_iterations++;
    return ZN_OK;
}

static zn_status nonlinear_free_motion(zn_theta *w)
{
    w->at_free = false;
    w->correction = INFINITY;
    memcpy(w->now.v, w->from->v, sizeof *w->now.v * (size_t)w->n_all);
    memset(w->now.shift, 0, sizeof *w->now.shift * (size_t)w->n_all);
    double norm;
    ZN_TRY(evaluate(w, &w->now, &norm));
    ZN_TRY(run_newton(w, norm));
    memcpy(w->free_v, w->now.v, sizeof *w->free_v * (size_t)w->n_all);
    memcpy(w->free_q, w->now.q, sizeof *w->free_q * (size_t)w->nq);
    return ZN_OK;
}

zn_status zn_theta_free_motion(zn_theta *w)
{
    return w->linear ? linear_free_motion(w) : nonlinear_free_motion(w);
}

bool zn_theta_activate(zn_theta *w, int contact)
{
    if (w->is_active[contact])
        return false;
    w->is_active[contact] = true;
    w->active[w->active_count++] = contact;
    return true;
}

zn_status zn_theta_solve(zn_theta *w)
{
    memcpy(w->now.v, w->free_v, sizeof *w->now.v * (size_t)w->n_all);
    memset(w->now.shift, 0, sizeof *w->now.shift * (size_t)w->n_all);
    for (int k = 0; k < w->active_count; k++)
        w->now.P[k] = w->now.tau[k] = 0;
    w->at_free = true;
    ZN_TRY(zn_contact_set_evaluate(w->contacts, w->sys, w->free_q, w->from->t + w->h));
    return run_newton(w, DBL_MAX); // at least one iteration
}

// Energy without the projection, and the power at the theta point without it. The shift also moves the theta point at
// which forces act; what that changes belongs to the projection, not to the scheme's own dissipation.
static zn_status evaluate_unprojected(zn_theta *w, zn_energy *before, zn_power *power)
{
    double th = w->def.theta, h = w->h, t = w->from->t;
    for (int i = 0; i < w->n_all; i++)
        w->work[i] = h * w->v_theta[i];
    zn_system_retract(w->sys, w->from->q, w->work, w->q_theta);
    ZN_TRY(zn_system_energy(w->sys, (zn_at){w->q_theta, w->now.v, t + h}, before));
    for (int i = 0; i < w->n_all; i++)
        w->work[i] *= th;
    zn_system_retract(w->sys, w->from->q, w->work, w->q_theta);
    return zn_system_power(w->sys, (zn_at){w->q_theta, w->v_theta, t + th * h}, w->v_theta, power);
}

static bool has_projection(const zn_theta *w)
{
    bool moved = false;
    for (int k = 0; k < w->active_count; k++)
        moved |= w->now.tau[k] != 0;
    return zn_system_max(w->sys, moved) > 0;
}

// The energy ledger of a theta step. With Delta v = v - v_k and the work of forces taken at theta,
//     kinetic change = h F.v_th - (th - 1/2) h F.Delta v + P.(U+ + U-)/2 ;
// the difference of potential change and work is the scheme's own, and projection is energy after minus before.
static zn_status book_energy(zn_theta *w)
{
    double   *ledger = w->info->ledger, h = w->h, th = w->def.theta;
    zn_at     theta = {w->q_theta, w->v_theta, w->from->t + th * h}, end = {w->now.q, w->now.v, w->from->t + h};
    zn_power  power, plain;
    zn_energy after, before;
    ZN_TRY(zn_system_power(w->sys, theta, w->v_theta, &power));
    ZN_TRY(zn_system_energy(w->sys, end, &after));
    before = after;
    plain = power;
    if (has_projection(w))
        ZN_TRY(evaluate_unprojected(w, &before, &plain));
    ledger[ZN_LEDGER_KINETIC] = after.kinetic;
    ledger[ZN_LEDGER_STRAIN] = after.strain;
    ledger[ZN_LEDGER_GRAVITY] = after.gravity;
    ledger[ZN_LEDGER_LOAD] = h * power.load;
    ledger[ZN_LEDGER_DAMPER] = h * power.damper;
    ledger[ZN_LEDGER_PROJECTION] = after.kinetic - before.kinetic + after.strain - before.strain + after.gravity -
                                   before.gravity + h * (power.strain - plain.strain + power.gravity - plain.gravity);
    double numerical = before.strain - w->from->energy.strain + h * plain.strain;
    numerical += before.gravity - w->from->energy.gravity + h * plain.gravity;
    if (th != 0.5) {
        for (int i = 0; i < w->n; i++)
            w->work[i] = w->now.v[i] - w->from->v[i];
        numerical -= (th - 0.5) * h * zn_system_dot(w->sys, w->now.force, w->work);
    }
    ledger[ZN_LEDGER_NUMERICAL] = numerical;
    w->energy = after;
    return ZN_OK;
}

// Results per contact, work of contacts, violation at velocity level.
static void book_contacts(zn_theta *w)
{
    zn_contact_set *set = w->contacts;
    double          work = 0, violation = 0;
    for (int i = 0; i < set->count; i++) {
        set->impulse[i] = set->projection[i] = 0;
        set->velocity[i] = zn_row_dot(set, i, w->n, w->now.v);
        set->approach[i] = w->U_k[i];
    }
    for (int k = 0; k < w->active_count; k++) {
        int    i = w->active[k];
        double before = zn_row_dot(set, i, w->n, w->from->v);
        set->impulse[i] = w->now.P[k];
        set->projection[i] = w->now.tau[k];
        work += 0.5 * w->now.P[k] * (set->velocity[i] + before);
        violation = larger(violation, -(set->velocity[i] + set->restitution[i] * w->U_k[i]));
    }
    w->info->ledger[ZN_LEDGER_CONTACT] = zn_system_sum(w->sys, work);
    w->info->velocity_violation = zn_system_max(w->sys, violation);
    w->info->active = w->active_count;
    w->info->newton_residual = w->residual < w->correction ? w->residual : w->correction; // as it was judged
}

zn_status zn_theta_finish(zn_theta *w)
{
    if (w->active_count == 0) { // otherwise the last trial did it
        double norm;
        memcpy(w->now.v, w->free_v, sizeof *w->now.v * (size_t)w->n_all);
        memset(w->now.shift, 0, sizeof *w->now.shift * (size_t)w->n_all);
        ZN_TRY(evaluate(w, &w->now, &norm));
        ZN_TRY(zn_contact_set_evaluate(w->contacts, w->sys, w->now.q, w->from->t + w->h));
    }
    ZN_TRY(book_energy(w));
    book_contacts(w);
    return ZN_OK;
}

void zn_theta_commit(zn_theta *w, zn_state *to)
{
    to->t += w->h;
    memcpy(to->q, w->now.q, sizeof *to->q * (size_t)w->nq);
    memcpy(to->v, w->now.v, sizeof *to->v * (size_t)w->n_all);
    memcpy(to->reaction, w->now.residual + w->n, sizeof *to->reaction * (size_t)(w->n_all - w->n));
    to->energy = w->energy;
    zn_contact_set old = *to->contacts; // the arrays change places, no copying
    *to->contacts = *w->contacts;
    *w->contacts = old;
    if (w->sys->fixed_contacts && w->contacts->count != to->contacts->count)
        zn_contact_set_copy(to->contacts, w->contacts);
    w->info->failed = NULL;
}
