// schatzman_paoli.c - Schatzman-Paoli scheme, contact law at position level over three steps.
// Acary, CMAME 256 (2013) 224-250, eqs. (20)-(22), on the configuration group with q' = q (+) d:
//
//     M (d - d_k) - h^2 F(t_th, q (+) th d, v_th) = G(q*)' P,      d_k the increment of the step before
//     v' = (d + d_k) / 2h                                          (20b), approximates v(t_k)
//     q* = (q' + e q_{k-1}) / (1 + e) = q (+) (d - e d_k) / (1 + e)
//     0 <= g(q*) _|_ P >= 0;   joints: g(q', t') = 0
//
// Start: d_0 = h v_0 - h^2 a_0 / 2, which gives q_1 = q_0 + h v_0 + h^2 a_0 / 2 in smooth motion, a_0 with the forces
// of joints and lasting contacts. History: d_k and the step it was made with. Without penetration for e = 0 only;
// frictionless. P / h has the unit of an impulse but no mechanical meaning in a single step: the ledger takes kinetic
// energy at half steps, T = d.M d / 2h^2, for which
//     T' - T = v'.(h F + G'P / h)  holds exactly.
// theta = 0 is the original, explicit scheme; below 1/2 steps are bounded (stable_step.h).
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "scheme/scheme.h"
#include "scheme/stable_step.h"
#include "system/contact_scratch.h"
#include "system/hollows.h"
#include "system/restitution.h"
#include "system/system.h"

// Everything that follows from the increment d and P, at the iterate evaluated last.
typedef struct iterate {
    double *v, *q, *q_star, *q_theta, *v_theta, *force, *residual, *GP;
    double  relative; // residual
} iterate;

typedef struct schatzman_paoli {
    const zn_system *sys;
    zn_scheme_def    def;
    int              n, n_all, nq;
    // history
    bool             started;
    double           last_h;
    double           kinetic; // at the half step before
    double          *d_k;
    // the step
    const zn_state  *from;
    double           h;
    zn_step_info    *info;
    double          *d_before; // d_k for this step size
    double          *rounding; // of positions, over the tolerance
    double           gap_tolerance;
    zn_contact_set  *contacts, *other;
    zn_row_list      list; // all normals, joints first
    zn_response      motion;
    zn_constraints   problem;
    iterate          at;
    double          *U_k; // approach of each contact at the start of the step
    double          *d, *d_trial, *d_next, *P, *P_next, *P_trial, *scale, *work;
    double          *pushed; // G'P_next with the rows that it was found with
    double          *bend;   // multipliers as they turn the rows
    double           correction;
    int              iteration;
    bool             bends;   // curvature of constraints in the matrix
    double           longest; // stable step; 0: not bounded
    zn_energy        energy;
    zn_arena        *memory, *contact_memory;
    int              contacts_max; // that there is room for
    zn_hollows       hollows;      // of the surfaces, that contacts rest in
} schatzman_paoli;

// --- room for contacts ---------------------------------------------------------------------------

static void release_contacts(schatzman_paoli *s)
{
    zn_row_list_destroy(&s->list);
    s->contact_memory = zn_arena_destroy(s->contact_memory);
    s->contacts_max = -1; // not even for none
}

static zn_status allocate_contacts(schatzman_paoli *s, int contacts)
{
    double **multipliers[] = {&s->P, &s->P_next, &s->P_trial, &s->U_k, &s->bend};
    ZN_TRY(zn_arena_create_growing(4096, &s->contact_memory));
    ZN_TRY(zn_arena_vectors(s->contact_memory, ZN_COUNT(multipliers), multipliers, (size_t)contacts));
    ZN_TRY(zn_row_list_create(contacts, contacts, &s->list));
    ZN_TRY(zn_response_reserve(&s->motion, contacts));
    ZN_TRY(zn_constraints_reserve(&s->problem, contacts, contacts, zn_constraints_dense_rows(&s->motion, contacts)));
    s->contacts_max = contacts;
    return ZN_OK;
}

// Contacts of shapes come in any number; what is kept of them is lost.
static zn_status reserve(schatzman_paoli *s, int contacts)
{
    if (contacts <= s->contacts_max)
        return ZN_OK;
    release_contacts(s);
    zn_status status = allocate_contacts(s, contacts + contacts / 4);
    if (status != ZN_OK)
        release_contacts(s);
    return status;
}

// --- one iterate ---------------------------------------------------------------------------------

// Restitution as the scheme uses it: joints are met at the end of the step. An impact takes two steps, of which the
// second begins with any velocity: that of the step before, which the set still holds, tells how it began.
static double restitution(const schatzman_paoli *s, int i)
{
    const zn_contact_set *set = s->contacts;
    ZN_ASSERT(i >= 0 && i < set->count);
    return set->bilateral[i] ? 0 : zn_restitution(set, i, fmax(fabs(s->U_k[i]), fabs(set->approach[i])));
}

// Contacts at q* (e), each with its own e: evaluate the whole set once per value of e.
static zn_status evaluate_contacts(schatzman_paoli *s, const double *d)
{
    double done = -1;
    for (int i = 0; i < s->contacts->count; i++) {
        double e = restitution(s, i);
        if (e == done)
            continue;
        done = e;
        for (int k = 0; k < s->n_all; k++)
            s->work[k] = (d[k] - e * s->d_before[k]) / (1 + e);
        zn_system_retract(s->sys, s->from->q, s->work, s->at.q_star);
        ZN_TRY(zn_contact_set_evaluate(s->other, s->sys, s->at.q_star, s->from->t + s->h));
        for (int j = i; j < s->contacts->count; j++)
            if (restitution(s, j) == e) {
                int start = s->other->row_start[j];
                s->contacts->gap[j] = s->other->gap[j];
                memcpy(s->contacts->row_dof + start, s->other->row_dof + start,
                       sizeof(int) * (size_t)(s->other->row_start[j + 1] - start));
                memcpy(s->contacts->row_value + start, s->other->row_value + start,
                       sizeof(double) * (size_t)(s->other->row_start[j + 1] - start));
                s->contacts->row_start[j + 1] = s->other->row_start[j + 1];
            }
    }
    zn_contact_set_forget_place(s->contacts);
    return ZN_OK;
}

// Velocity, theta point, force and residual that follow from the increment d and P.
static zn_status evaluate(schatzman_paoli *s, const double *d, const double *P, double *norm)
{
    double th = s->def.theta, h = s->h;
    for (int i = 0; i < s->n_all; i++) {
        s->at.v[i] = (d[i] + s->d_before[i]) / (2 * h);
        s->at.v_theta[i] = (1 - th) * s->from->v[i] + th * s->at.v[i];
        s->work[i] = th * d[i];
    }
    zn_system_retract(s->sys, s->from->q, s->work, s->at.q_theta);
    ZN_TRY(zn_system_force(s->sys, (zn_at){s->at.q_theta, s->at.v_theta, s->from->t + th * h, 0}, s->at.force));
    ZN_TRY(evaluate_contacts(s, d));
    for (int i = 0; i < s->n_all; i++)
        s->work[i] = d[i] - s->d_before[i];
    ZN_TRY(zn_system_inertia(s->sys, s->at.q_theta, s->work, s->at.residual));
    memset(s->at.GP, 0, sizeof *s->at.GP * (size_t)s->n_all);
    for (int i = 0; i < s->n_all; i++) {
        s->scale[i] = fabs(s->at.residual[i]) + fabs(h * h * s->at.force[i]);
        s->at.residual[i] -= h * h * s->at.force[i];
    }
    double gap = 0;
    for (int k = 0; k < s->list.rows; k++) {
        int i = s->list.row[k];
        zn_row_add(s->contacts, i, s->n_all, P[k], s->at.GP);
        for (int e = s->contacts->row_start[i]; e < s->contacts->row_start[i + 1]; e++)
            s->scale[s->contacts->row_dof[e]] += fabs(s->contacts->row_value[e] * P[k]);
        double g = s->contacts->gap[i];
        gap = fmax(gap, k < s->list.equations || P[k] > 0 ? fabs(g) : -g);
    }
    for (int i = 0; i < s->n_all; i++)
        s->at.residual[i] -= s->at.GP[i];
    s->at.relative = zn_system_relative_norm(s->sys, s->at.residual, s->scale);
    double smooth = zn_newton_distance(s->sys, s->at.relative, s->correction, s->def.newton_tolerance, s->at.GP,
                                       s->pushed, s->scale, s->work);
    *norm = fmax(smooth / s->def.newton_tolerance, zn_system_max(s->sys, gap) / s->gap_tolerance);
    return isfinite(s->at.relative) ? ZN_OK : zn_blame_infinite(s->sys, s->n, s->at.residual);
}

// --- Newton --------------------------------------------------------------------------------------

enum { PATIENCE = 8 }; // iterations without the curvature of constraints

// A - d(G(q*)'P)/dd: q* moves with d / (1 + e). Contacts with other restitution are taken at the same q*, near theirs.
static zn_status factor_bent(schatzman_paoli *s, zn_at at, const double abc[3])
{
    memset(s->bend, 0, sizeof *s->bend * (size_t)s->contacts->count);
    for (int k = 0; k < s->list.rows; k++)
        s->bend[s->list.row[k]] = s->P[k] / (1 + restitution(s, s->list.row[k]));
    const zn_bend bend = {s->contacts, s->at.q_star, s->bend, s->from->t + s->h, NULL};
    return zn_response_bend(&s->motion, at, abc, s->h, &bend);
}

// A = M + h th/2 C + h^2 th K, the derivative of the residual with respect to d.
static zn_status factor(schatzman_paoli *s)
{
    double       th = s->def.theta, h = s->h;
    const double abc[3] = {1, h * th / 2, h * h * th};
    zn_at        at = {s->at.q_theta, s->at.v_theta, s->from->t + th * h, 0};
    if (s->bends)
        return factor_bent(s, at, abc);
    if (s->sys->info.linear && zn_response_is_for(&s->motion, h))
        return ZN_OK;
    return zn_response_factor(&s->motion, at, abc, h);
}

static zn_status solve_contacts(schatzman_paoli *s)
{
    zn_constraints *c = &s->problem;
    zn_rows         H = zn_gap_rows(s->contacts);
    zn_status       status = ZN_NOT_CONVERGED;
    ZN_TRY(zn_constraints_assemble(c, &s->list, &s->motion, s->contacts, H, H));
    for (int i = 0; i < s->n; i++)
        s->work[i] = s->d_next[i] - s->d[i];
    for (int k = 0; k < s->list.rows; k++) {
        int i = s->list.row[k];
        c->b[k] = (1 + restitution(s, i)) * s->contacts->gap[i] + zn_row_dot(s->contacts, i, s->n, s->work);
        c->z[k] = s->P[k];
    }
    for (int steady = 0; steady < 2 && status == ZN_NOT_CONVERGED; steady++) { // contacts may repeat each other
        const zn_demand demand = {.level = "position", .t = s->from->t, .steady = steady};
        zn_solved       solved;
        status = zn_constraints_solve(c, &s->list, &demand, &solved);
        solved.failed += steady;
        zn_step_info_add(s->info, solved);
    }
    ZN_TRY(status);
    memcpy(s->P_next, c->z, sizeof *s->P_next * (size_t)s->list.rows);
    zn_response_add(&s->motion, H, &s->list, c->z, s->d_next);
    for (int k = 0; k < s->list.rows; k++)
        zn_row_add(s->contacts, s->list.row[k], s->n_all, c->z[k], s->pushed);
    return ZN_OK;
}

static zn_status direction(void *user)
{
    schatzman_paoli *s = user;
    s->info->newton_iterations++;
    s->bends = s->iteration++ >= PATIENCE && s->list.rows > 0 &&
               zn_response_bends(&s->motion, s->contacts->count, s->list.rows);
    for (int i = 0; i < s->n; i++)
        s->work[i] = s->at.residual[i] + s->at.GP[i];
    ZN_TRY(factor(s));
    ZN_TRY(zn_response_solve(&s->motion, s->work));
    for (int i = 0; i < s->n; i++)
        s->d_next[i] = s->d[i] - s->work[i];
    memset(s->pushed, 0, sizeof *s->pushed * (size_t)s->n_all);
    if (s->list.rows > 0)
        ZN_TRY(solve_contacts(s));
    for (int i = 0; i < s->n; i++) {
        s->work[i] = s->d_next[i] - s->d[i];
        s->scale[i] = fabs(s->d_next[i]) + fabs(s->d_before[i]) + s->rounding[i];
    }
    s->correction = zn_system_relative_norm(s->sys, s->work, s->scale);
    return ZN_OK;
}

static zn_status trial(void *user, double step, double *norm)
{
    schatzman_paoli *s = user;
    for (int i = 0; i < s->n; i++)
        s->d_trial[i] = s->d[i] + step * (s->d_next[i] - s->d[i]);
    for (int k = 0; k < s->list.rows; k++)
        s->P_trial[k] = s->P[k] + step * (s->P_next[k] - s->P[k]);
    return evaluate(s, s->d_trial, s->P_trial, norm);
}

static void accept(void *user)
{
    schatzman_paoli *s = user;
    memcpy(s->d, s->d_trial, sizeof *s->d * (size_t)s->n);
    memcpy(s->P, s->P_trial, sizeof *s->P * (size_t)s->list.rows);
}

// --- the step ------------------------------------------------------------------------------------

static zn_status check_step(const schatzman_paoli *s, double h)
{
    if (s->longest == 0 || h <= s->longest * (1 + 1e-9))
        return ZN_OK;
    return zn_fail(
        &s->sys->model->log, ZN_ERR_ARGUMENT,
        "schatzman_paoli: the step %.6g s exceeds %.6g s, the longest stable one with theta = %g; 'step: 0.9 "
        "cfl' takes nine tenths of it, theta: 0.5 any step",
        h, s->longest, s->def.theta);
}

// Joints, and contacts that are closed and stay so unless forces open them. An impact is not a matter of acceleration.
static void list_lasting(schatzman_paoli *s)
{
    double closed = 10 * s->gap_tolerance;
    zn_row_list_clear(&s->list);
    zn_row_list_add_joints(&s->list, s->contacts);
    for (int i = 0; i < s->contacts->count; i++)
        if (!s->contacts->bilateral[i] && s->contacts->gap[i] <= closed && fabs(s->h * s->U_k[i]) <= closed)
            zn_row_list_add_contact(&s->list, s->contacts, i, 1);
}

// What joints and lasting contacts make of the free acceleration in `a`, by where it would lead, D = h v + h^2 a / 2:
//     0 <= g(q (+) D) + G h^2/2 (a' - a) _|_ z >= 0,   h^2/2 M (a' - a) = G'z ;   joints: = 0.
// A body at rest stays there, without a first step that books its weight twice.
static zn_status constrain(schatzman_paoli *s, double *a)
{
    zn_constraints *c = &s->problem;
    zn_rows         H = zn_gap_rows(s->contacts);
    double          half = s->h * s->h / 2;
    list_lasting(s);
    if (s->list.rows == 0)
        return ZN_OK;
    for (int i = 0; i < s->n_all; i++)
        s->d[i] = s->h * s->from->v[i] + (i < s->n ? half * a[i] : 0);
    zn_system_retract(s->sys, s->from->q, s->d, s->at.q);
    ZN_TRY(zn_contact_set_gaps(s->contacts, s->sys, s->at.q, s->from->t + s->h, s->P));
    ZN_TRY(zn_constraints_assemble(c, &s->list, &s->motion, s->contacts, H, H));
    for (int k = 0; k < s->list.rows; k++) {
        c->b[k] = s->P[s->list.row[k]];
        c->z[k] = 0;
    }
    const zn_demand demand = {.level = "position", .t = s->from->t};
    zn_solved       solved;
    zn_status       status = zn_constraints_solve(c, &s->list, &demand, &solved);
    zn_step_info_add(s->info, solved);
    if (status != ZN_OK)
        return status == ZN_NOT_CONVERGED || status == ZN_SINGULAR ? ZN_OK
                                                                   : status; // the first step finds its impulses
    memset(s->d, 0, sizeof *s->d * (size_t)s->n_all);
    zn_response_add(&s->motion, H, &s->list, c->z, s->d);
    for (int i = 0; i < s->n; i++)
        a[i] += s->d[i] / half;
    return ZN_OK;
}

// d_k for a step of size h; at the start from consistent smooth accelerations.
static zn_status begin(schatzman_paoli *s, const zn_state *from, double h, zn_step_info *info)
{
    ZN_ASSERT(h > 0 && info);
    s->from = from;
    s->h = h;
    s->info = info;
    s->correction = INFINITY;
    s->iteration = 0;
    s->gap_tolerance = fmax(s->def.gap_tolerance, 16 * zn_system_resolution(s->sys, from->q, s->rounding));
    for (int i = 0; i < s->n; i++) // increments below the rounding of positions are not asked for
        s->rounding[i] *= 8 / s->def.newton_tolerance;
    ZN_TRY(zn_contact_set_copy(from->contacts, s->contacts));
    ZN_TRY(zn_contact_set_refresh_within(s->contacts, s->sys, from->q, from->t,
                                         (zn_reach){.v = from->v, .horizon = h, .ahead = h}));
    ZN_TRY(zn_hollows_split(&s->hollows, s->sys, s->contacts, from->contacts, from->q, from->t));
    ZN_TRY(zn_contact_set_copy(s->contacts, s->other));
    ZN_TRY(reserve(s, s->contacts->count));
    for (int i = 0; i < s->contacts->count; i++)
        s->U_k[i] = zn_row_dot(s->contacts, i, s->n, from->v);
    if (s->started) {
        for (int i = 0; i < s->n_all; i++)
            s->d_before[i] = s->d_k[i] * (h / s->last_h);
        return ZN_OK;
    }
    zn_at        at = {from->q, from->v, from->t, 0};
    const double mass[3] = {1, 0, 0};
    ZN_TRY(zn_system_force(s->sys, at, s->work));
    for (int k = 0; k < s->contacts->count * s->contacts->stride; k++) // known when the start is an equilibrium
        zn_row_add(s->contacts, k, s->n, s->contacts->impulse[k] / h, s->work);
    ZN_TRY(zn_response_factor(&s->motion, at, mass, 0));
    ZN_TRY(zn_response_solve(&s->motion, s->work));
    ZN_TRY(constrain(s, s->work));
    for (int i = 0; i < s->n_all; i++)
        s->d_before[i] = i < s->n ? h * from->v[i] - h * h / 2 * s->work[i] : 0;
    return ZN_OK;
}

// All contacts are in the problem, joints first.
static void list_rows(schatzman_paoli *s)
{
    zn_row_list_clear(&s->list);
    zn_row_list_add_joints(&s->list, s->contacts);
    for (int i = 0; i < s->contacts->count; i++)
        if (!s->contacts->bilateral[i])
            zn_row_list_add_contact(&s->list, s->contacts, i, 1);
    memset(s->P, 0, sizeof *s->P * (size_t)s->list.rows);
}

static zn_status solve(schatzman_paoli *s)
{
    const zn_newton_problem  problem = {s, direction, trial, accept};
    const zn_newton_settings settings = {s->def.newton_iterations, 8, 0};
    double                   norm;
    memcpy(s->d, s->d_before, sizeof *s->d * (size_t)s->n_all);
    memcpy(s->d_trial, s->d_before, sizeof *s->d * (size_t)s->n_all);
    ZN_TRY(evaluate(s, s->d, s->P, &norm));
    zn_status status = zn_newton_solve(&problem, &settings, DBL_MAX, NULL);
    return zn_blame_newton(s->sys, status, s->at.residual, s->scale, "kg m", s->def.newton_tolerance, s->contacts);
}

// Where there is no answer because contacts rest in hollows, again with one contact for each facet: `*more`.
static zn_status solve_or_split(schatzman_paoli *s, bool *more)
{
    zn_status status = solve(s);
    *more = false;
    if (status != ZN_NOT_CONVERGED)
        return status;
    zn_system_retract(s->sys, s->from->q, s->d, s->at.q);
    ZN_TRY(zn_hollows_find(&s->hollows, s->sys, s->contacts, s->at.q, more));
    return *more ? ZN_OK : status;
}

static zn_status half_step_kinetic(schatzman_paoli *s, const double *d, double *out)
{
    ZN_TRY(zn_system_inertia(s->sys, s->at.q_theta, d, s->scale)); // M as the step took it
    *out = 0.5 * zn_system_dot(s->sys, d, s->scale) / (s->h * s->h);
    return ZN_OK;
}

static zn_status book(schatzman_paoli *s)
{
    double   *ledger = s->info->ledger, h = s->h, after, before;
    zn_power  power;
    zn_energy end;
    zn_system_retract(s->sys, s->from->q, s->d, s->at.q);
    ZN_TRY(zn_system_power(s->sys, (zn_at){s->at.q_theta, s->at.v_theta, s->from->t + s->def.theta * h, 0}, s->at.v,
                           &power));
    ZN_TRY(zn_system_energy(s->sys, (zn_at){s->at.q, s->at.v, s->from->t + h, 0}, &end));
    ZN_TRY(half_step_kinetic(s, s->d, &after));
    ZN_TRY(half_step_kinetic(s, s->d_before, &before));
    double stored = s->started ? s->kinetic : s->from->energy.kinetic;
    double work = 0, joint = 0;
    for (int k = 0; k < s->list.rows; k++)
        *(k < s->list.equations ? &joint : &work) +=
            s->P[k] / h * zn_row_dot(s->contacts, s->list.row[k], s->n, s->at.v);
    ledger[ZN_LEDGER_KINETIC] = after;
    ledger[ZN_LEDGER_STRAIN] = end.strain;
    ledger[ZN_LEDGER_GRAVITY] = end.gravity;
    ledger[ZN_LEDGER_LOAD] = h * power.load;
    ledger[ZN_LEDGER_MOTOR] = h * power.motor;
    ledger[ZN_LEDGER_DAMPER] = h * power.damper;
    ledger[ZN_LEDGER_CONTACT] = zn_system_sum(s->sys, work);
    ledger[ZN_LEDGER_JOINT] = zn_system_sum(s->sys, joint);
    s->info->contact_gave = ledger[ZN_LEDGER_CONTACT]; // an impact takes several steps: only their sum tells
    // the start value, a change of step size or of the mass move the half step; potentials are not taken at half steps
    ledger[ZN_LEDGER_NUMERICAL] = before - stored + end.strain - s->from->energy.strain + h * power.strain +
                                  end.gravity - s->from->energy.gravity + h * (power.gravity + power.gyroscopic);
    end.kinetic = after;
    s->energy = end;
    return ZN_OK;
}

static zn_status finish(schatzman_paoli *s)
{
    zn_contact_set *set = s->contacts;
    ZN_TRY(zn_contact_set_evaluate(set, s->sys, s->at.q, s->from->t + s->h));
    for (int i = 0; i < set->count; i++) {
        set->approach[i] = s->U_k[i];
        set->velocity[i] = zn_row_dot(set, i, s->n, s->at.v);
        set->impulse[i] = set->projection[i] = 0;
        if (set->bilateral[i])
            s->info->joint_velocity = fmax(s->info->joint_velocity, fabs(set->velocity[i] + set->rate[i]));
    }
    for (int k = 0; k < s->list.rows; k++) {
        set->impulse[s->list.row[k]] = s->P[k] / s->h;
        s->info->active += k >= s->list.equations && s->P[k] > 0;
    }
    s->info->newton_residual = s->at.relative < s->correction ? s->at.relative : s->correction;
    return ZN_OK;
}

static void commit(schatzman_paoli *s, zn_state *to)
{
    ZN_ASSERT(to->contacts != s->contacts);
    double h = s->h;
    to->t += h;
    memcpy(to->q, s->at.q, sizeof *to->q * (size_t)s->nq);
    memcpy(to->v, s->at.v, sizeof *to->v * (size_t)s->n_all);
    for (int i = s->n; i < s->n_all; i++)
        to->reaction[i - s->n] = s->at.residual[i] / h;
    to->energy = s->energy;
    zn_contact_set_swap(to->contacts, s->contacts);
    memcpy(s->d_k, s->d, sizeof *s->d_k * (size_t)s->n_all);
    s->last_h = h;
    s->kinetic = s->energy.kinetic;
    s->started = true;
    s->info->failed = NULL;
}

static zn_status step(void *self, zn_state *state, double h, zn_step_info *info)
{
    schatzman_paoli *s = self;
    *info = (zn_step_info){.activation_iterations = 1};
    ZN_STAGE(info, "stable step", check_step(s, h));
    zn_hollows_begin(&s->hollows);
    for (bool more = true; more;) {
        ZN_STAGE(info, "contact detection", begin(s, state, h, info));
        list_rows(s);
        ZN_STAGE(info, "position problem", solve_or_split(s, &more)); // (20a), (22)
    }
    ZN_STAGE(info, "energy ledger", book(s));
    ZN_STAGE(info, "contacts", finish(s));
    commit(s, state); // cannot fail
    return ZN_OK;
}

// --- life and history ----------------------------------------------------------------------------

static void destroy(void *self)
{
    schatzman_paoli *s = self;
    zn_contact_set_destroy(s->contacts);
    zn_contact_set_destroy(s->other);
    zn_hollows_clear(&s->hollows);
    release_contacts(s);
    zn_response_destroy(&s->motion);
    zn_constraints_destroy(&s->problem);
    zn_arena_destroy(s->memory);
    free(s);
}

static zn_status allocate(schatzman_paoli *s)
{
    iterate *at = &s->at;
    double **vectors[] = {&s->d_k,    &s->d_before,  &s->d,   &s->d_trial, &s->d_next, &at->v,       &at->v_theta,
                          &at->force, &at->residual, &at->GP, &s->scale,   &s->work,   &s->rounding, &s->pushed};
    double **configurations[] = {&at->q, &at->q_star, &at->q_theta};
    const zn_constraint_settings settings = {s->def.solver, s->def.solver_tolerance, s->def.solver_measure,
                                             s->def.observer};
    ZN_TRY(zn_arena_create_growing(1 << 14, &s->memory));
    ZN_TRY(zn_arena_vectors(s->memory, ZN_COUNT(vectors), vectors, (size_t)s->n_all));
    ZN_TRY(zn_arena_vectors(s->memory, ZN_COUNT(configurations), configurations, (size_t)s->nq));
    ZN_TRY(zn_contact_set_create(s->sys, &s->contacts));
    ZN_TRY(zn_contact_set_create(s->sys, &s->other));
    ZN_TRY(zn_response_create(s->sys, s->def.linear_solver, true, &s->motion));
    if (zn_scheme_may_split(s->sys, &s->def))
        ZN_TRY(zn_response_limit_columns(&s->motion, s->def.linear_solver, 1e6 * s->def.column_memory));
    ZN_TRY(zn_response_allow_curvature(&s->motion, s->def.linear_solver));
    ZN_TRY(zn_constraints_create(s->sys, &settings, &s->problem));
    bool few = s->sys->info.contacts_grow && !s->motion.blocks; // are hoped for
    ZN_TRY(allocate_contacts(s, few ? 0 : s->sys->contact_capacity));
    return zn_constraints_detect_redundant(&s->problem, s->def.linear_solver);
}

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    ZN_TRY(zn_scheme_refuse_friction(sys, "schatzman_paoli", log));
    schatzman_paoli *s = ZN_NEW(schatzman_paoli, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    zn_system_info info = zn_system_get_info(sys);
    s->sys = sys;
    s->def = *def;
    s->n = info.n;
    s->n_all = info.n_all;
    s->nq = info.nq;
    zn_critical bound = {0};
    zn_status   status = allocate(s);
    if (status == ZN_OK && def->theta < 0.5)
        status = zn_stable_step(sys, def, &bound);
    s->longest = bound.step;
    if (status != ZN_OK)
        destroy(s);
    else
        *self = s;
    return status;
}

static zn_status describe(const zn_scheme_def *def, const zn_system *sys, double h, zn_scheme_info *out)
{
    (void)h;
    out->bounded = def->theta < 0.5;
    return out->bounded ? zn_stable_step(sys, def, &out->critical) : ZN_OK;
}

static void history(void *self, zn_blob *blob)
{
    enum { VERSION = 1 };
    schatzman_paoli *s = self;
    zn_response_history(&s->motion, blob, s->last_h);
    zn_blob_version(blob, VERSION);
    zn_blob_bool(blob, &s->started);
    zn_blob_double(blob, &s->last_h);
    zn_blob_double(blob, &s->kinetic);
    zn_blob_doubles(blob, s->d_k, s->n_all);
}

static zn_linsolver_info linsolver(const void *self)
{
    return zn_response_info(&((const schatzman_paoli *)self)->motion);
}

const zn_scheme_ops zn_schatzman_paoli_ops = {
    .name = "schatzman_paoli",
    .help = "Schatzman-Paoli: contact law at position level over three steps, frictionless (Acary 2013, eq. 20)",
    .ledger_note = "kinetic energy is taken at half steps; a single contact multiplier has no mechanical meaning",
    .create = create,
    .step = step,
    .lacks_impact_law = true,
    .describe = describe,
    .history = history,
    .linsolver = linsolver,
    .destroy = destroy,
};
