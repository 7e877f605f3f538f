// energy_momentum.c - the mid-point rule with forces between two states, which keeps energy, linear and angular
// momentum, also through impacts of elastic bodies. Miyazaki and Park, "A formulation of conserving impact system based
// on localized Lagrange multipliers"; without contact Simo and Tarnow, ZAMP 43 (1992) 757-792. Numbers in parentheses
// are equations of the former; docs/theory/energy-momentum.md.
//
//     M (v* - v) / h = f(q, q') + H(q, q')' p       f: zn_system_force_between, whose work on the way is the loss of
//     (v* + v) / 2   = w(d) / h,   q' = q (+) d     energy; (28), (34)
//     0 <= g(q') - g_t  _|_  p_N >= 0               g_t = min(0, g(q)): what is inside is not pulled out
//     slip H_T w against p_T by Coulomb's law       (79)
//     v' = v* + sum b_i h p_i M^-1 G_i'             (63): gives back what contacts took while they closed
//
// The rows H of a contact are not the gradient G of its gap: they have no moment about the middle of the way, and no
// work where the gap is kept (contact frames, src/model/contact/contact_frame.h).
//
// w is the way of the step, which is d but for rotations (zn_system_way). Unknown is d: R(d) = (2/h^2) M (w - h v) - f
// - H'p, A0 = ((2/h^2) M + (2/h) C) dw/dq + K with the tangents at the end, K not symmetric; A = A0 - d(H'p)/dq. Each
// iteration of Newton's method solves a contact problem in the linearized gaps and slips: which contacts act is no
// matter of trial and error.
//
// Newton starts from the last increment, not from h v: velocities of nodes in lasting contact alternate from step to
// step in an undamped mid-point rule, and h v then is far off.
#include "scheme/energy_momentum.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/linsolver.h"

enum { SETS = ZN_COUNT(((zn_conserving *)0)->acts), FEW = 32 };

typedef zn_conserving conserving;

static zn_between states(const conserving *s, const zn_state *from) { return zn_conserving_states(s, from); }

static int rows_of(const conserving *s) { return s->set->count * s->set->stride; }

// --- the start of a step -----------------------------------------------------------------------------

static zn_status predict(conserving *s, const zn_state *from)
{
    for (int i = 0; i < s->n_all; i++) {
        s->way[i] = s->h * from->v[i];
        s->d[i] = s->last_d[i] * (s->last_h > 0 ? s->h / s->last_h : 0);
    }
    if (!(s->last_h > 0))
        zn_system_way_inverse(s->sys, s->way, s->d);
    ZN_TRY(zn_system_way(s->sys, s->d, s->way));
    for (int i = 0; i < s->n_all; i++)
        s->v[i] = 2 * s->way[i] / s->h - from->v[i];
    zn_system_retract(s->sys, from->q, s->d, s->q);
    zn_conserving_go_half_way(s, from);
    return ZN_OK;
}

// Contacts near the middle of the way, with the forces of the last step as a first guess. What moves is the predicted
// way: velocities alternate.
static zn_status find_contacts(conserving *s, const zn_state *from)
{
    double  *mean = s->work;
    zn_reach reach = {.v = mean, .horizon = s->h, .ahead = 0.5 * s->h, .since = 0.5 * s->h};
    for (int i = 0; i < s->n_all; i++)
        mean[i] = s->way[i] / s->h;
    ZN_TRY(zn_contact_set_copy(from->contacts, s->set));
    ZN_TRY(zn_contact_set_refresh_within(s->set, s->sys, s->middle, from->t + 0.5 * s->h, reach));
    ZN_TRY(zn_conserving_make_room(s));
    ZN_TRY(zn_conserving_measure_start(s, from));
    for (int k = 0; k < rows_of(s); k++)
        s->p[k] = s->last_h > 0 ? s->set->impulse[k] / s->last_h : 0;
    for (int i = 0; i < s->set->count; i++) {
        s->listed[i] = s->set->bilateral[i] || s->p[i * s->set->stride] > 0;
        s->moved[i] = false;
        s->ignored[i] = zn_conserving_ignores(s, s->set->id[i]);
    }
    return ZN_OK;
}

// What residuals are compared with: momenta over the step, the forces at its start, and later those of the iterate.
// Forces alone vanish in free flight. Corrections below the rounding of positions change nothing.
static zn_status set_scales(conserving *s, const zn_state *from)
{
    zn_between still = states(s, from);
    still.to = still.from;
    zn_system_resolution(s->sys, from->q, s->floor);
    ZN_TRY(zn_system_inertia(s->sys, from->q, from->v, s->inertia));
    ZN_TRY(zn_system_force_between(s->sys, still, s->force));
    for (int i = 0; i < s->n_all; i++) {
        s->scale[i] = 2 / s->h * fabs(s->inertia[i]) + fabs(s->force[i]);
        s->floor[i] *= 4;
    }
    return ZN_OK;
}

// --- an iterate ------------------------------------------------------------------------------------

// How far gaps are from where they must be, and whether a contact is to be looked at from here on: one that acts, and
// one that has come so far that it may meet its facet if it goes on by half as much.
static void judge_gaps(conserving *s)
{
    s->violation = 0;
    for (int i = 0; i < s->set->count; i++) {
        double off = s->set->gap[i] - s->target[i], came = s->start[i] - s->set->gap[i];
        bool   acts = s->set->bilateral[i] || s->p[i * s->set->stride] > 0;
        if (s->ignored[i])
            continue;
        s->listed[i] |= off < fmax(0, 0.5 * came);
        s->violation = fmax(s->violation, acts ? fabs(off) : -off);
    }
}

// r -= H'p. What it is compared with grows with every one of these forces, which may cancel.
static void subtract_forces(const conserving *s, double *r, double *scale)
{
    zn_rows H = zn_conserving_forces(s);
    for (int k = 0; k < rows_of(s); k++)
        for (int e = H.start[k]; e < H.start[k + 1] && s->p[k] != 0; e++) {
            double force = s->p[k] * H.value[e];
            r[H.dof[e]] -= force;
            scale[H.dof[e]] = fmax(scale[H.dof[e]], fabs(force));
        }
}

// q', v* that follow from d, and the residual without contacts; with them in `relative`.
static zn_status evaluate(conserving *s, const zn_state *from)
{
    double h = s->h;
    ZN_TRY(zn_system_way(s->sys, s->d, s->way));
    for (int i = 0; i < s->n_all; i++) {
        s->v[i] = 2 * s->way[i] / h - from->v[i];
        s->work[i] = (s->v[i] - from->v[i]) / h;
    }
    zn_system_retract(s->sys, from->q, s->d, s->q);
    ZN_TRY(zn_system_inertia(s->sys, s->q, s->work, s->inertia));
    ZN_TRY(zn_system_force_between(s->sys, states(s, from), s->force));
    ZN_TRY(zn_contact_set_evaluate_between(s->set, s->sys, states(s, from), s->H));
    for (int i = 0; i < s->n_all; i++) {
        s->work[i] = s->residual[i] = s->inertia[i] - s->force[i];
        s->inertia[i] = fmax(fmax(s->scale[i], fabs(s->inertia[i])), fabs(s->force[i]));
    }
    subtract_forces(s, s->work, s->inertia);
    judge_gaps(s);
    s->relative = zn_system_relative_norm(s->sys, s->work, s->inertia); // now the largest terms of the residual
    s->rounded = zn_system_relative_norm(s->sys, s->work, s->rounding);
    return isfinite(s->relative) ? ZN_OK : ZN_NOT_FINITE;
}

// From d on by the step, or by as much of it as leads to a state that can be: with no element inside out.
static zn_status move_on(conserving *s, const zn_state *from)
{
    enum { HALVINGS = 8 };
    zn_status status = ZN_INVALID_STATE;
    memcpy(s->before, s->d, sizeof *s->d * (size_t)s->n_all);
    for (int k = 0; status == ZN_INVALID_STATE && k <= HALVINGS; k++) {
        for (int i = 0; i < s->n_all; i++)
            s->d[i] = s->before[i] + ldexp(s->step[i], -k);
        status = evaluate(s, from);
        s->whole = k == 0;
    }
    return status;
}

static zn_status list_rows(conserving *s)
{
    zn_row_list *list = &s->list;
    zn_row_list_clear(list);
    zn_row_list_add_joints(list, s->set);
    for (int i = 0; i < s->set->count; i++)
        if (!s->set->bilateral[i] && s->listed[i])
            zn_row_list_add_contact(list, s->set, i, s->set->friction[i] > 0 ? zn_contact_row_count(s->set, i) : 1);
    if (list->rows <= s->problem.capacity)
        return ZN_OK;
    int rows = list->rows + list->rows / 2;
    return zn_constraints_reserve(&s->problem, rows, rows, rows);
}

// b of u = W z + b: gaps beyond their targets, and slips, after the step `base` that the rest of the system wants;
// NULL: none.
static void write_problem(conserving *s, const double *base)
{
    zn_rows         G = zn_gap_rows(s->set), H = zn_conserving_forces(s);
    zn_constraints *c = &s->problem;
    for (int k = 0; k < s->list.rows; k++) {
        int row = s->list.row[k], i = row / s->set->stride;
        c->b[k] = row % s->set->stride == 0 ? s->set->gap[i] - s->target[i] : zn_rows_dot(H, row, s->n_all, s->way);
        if (base)
            c->b[k] += zn_rows_dot(G, row, s->n, base);
        c->z[k] = s->p[row];
    }
}

// Which contacts act, as one number; how often that was so before, with others in between.
static void count_sets(conserving *s, int iteration)
{
    uint64_t acts = 14695981039346656037u;
    for (int i = 0; i < s->set->count; i++)
        if (!s->set->bilateral[i] && s->p[i * s->set->stride] > 0)
            acts = (acts ^ (uint64_t)(unsigned)i) * 1099511628211u;
    int place = iteration % SETS;
    s->acts[place] = acts;
    bool stays = iteration > 0 && s->acts[(iteration - 1) % SETS] == acts;
    for (int k = 0; k < iteration - 1 && k < SETS && !stays; k++)
        if (k != place && s->acts[k] == acts) {
            s->info->repeated_sets++;
            return;
        }
}

static void keep_forces(conserving *s)
{
    memset(s->p, 0, sizeof *s->p * (size_t)rows_of(s));
    for (int k = 0; k < s->list.rows; k++)
        s->p[s->list.row[k]] = s->problem.z[k];
}

static zn_status solve_contacts(conserving *s, const double *base, double t)
{
    zn_demand       demand = {.level = "position", .t = t, .steady = true};
    zn_solved       solved;
    zn_constraints *c = &s->problem;
    c->sparse = NULL;
    c->set = s->set;
    zn_bent_response_assemble(&s->bent, zn_gap_rows(s->set), zn_conserving_forces(s), &s->list, c->W);
    write_problem(s, base);
    if (s->list.friction) {
        demand.tolerance = s->asked;
        demand.enough = s->def.solver_tolerance;
    }
    ZN_TRY(zn_constraints_solve(c, &s->list, &demand, &solved));
    zn_step_info_add(s->info, solved);
    keep_forces(s);
    return ZN_OK;
}

// What the residual is known to, |A| r with the rounding r of positions: forces of a stiff body are small differences
// of large numbers, all the more the farther away it is.
static void find_rounding(conserving *s)
{
    const zn_sparse *A = s->matrix;
    memset(s->rounding, 0, sizeof *s->rounding * (size_t)s->n_all);
    for (int k = 0; k < s->n; k++)
        for (int e = A->start[k]; e < A->start[k + 1]; e++)
            s->rounding[A->row[e]] += fabs(A->value[e]) * s->floor[k];
}

// Few contacts, or with friction: by columns of the inverse matrix.
static zn_status answer_few(conserving *s, const zn_state *from, double *step)
{
    ZN_TRY(zn_linsolver_factor(s->solver, s->matrix));
    ZN_TRY(zn_bent_response_list(&s->bent, zn_gap_rows(s->set), &s->list));
    ZN_TRY(zn_bent_response_bend(&s->bent, s->set, &s->list, states(s, from), s->p));
    ZN_TRY(zn_bent_response_factor(&s->bent, s->solver));
    for (int i = 0; i < s->n; i++)
        step[i] = -s->residual[i];
    ZN_TRY(zn_bent_response_solve(&s->bent, s->solver, step));
    if (s->list.rows == 0)
        return ZN_OK;
    ZN_TRY(solve_contacts(s, step, from->t + s->h));
    zn_bent_response_add(&s->bent, s->problem.z, step);
    return ZN_OK;
}

// Many: in one sparse matrix.
static zn_status answer_many(conserving *s, const zn_state *from, double *step)
{
    zn_constraints *c = &s->problem;
    zn_solved       solved;
    ZN_TRY(zn_many_contacts_bend(&s->many, s->matrix, s->set, &s->list, states(s, from), s->p));
    for (int i = 0; i < s->n; i++)
        s->many.right[i] = -s->residual[i];
    write_problem(s, NULL);
    zn_many_problem p = {.G = zn_gap_rows(s->set),
                         .H = zn_conserving_forces(s),
                         .list = &s->list,
                         .c = c->b,
                         .f = s->many.right,
                         .rounding = zn_system_resolution(s->sys, from->q, NULL),
                         .tolerance = s->def.solver_tolerance};
    ZN_TRY(zn_many_contacts_solve(&s->many, &p, c->z, step, &solved));
    zn_step_info_add(s->info, solved);
    keep_forces(s);
    return ZN_OK;
}

// One step of Newton's method, with the contact problem in it.
static zn_status correct(conserving *s, const zn_state *from)
{
    double   *step = s->step; // from the end on
    zn_status status = ZN_NOT_CONVERGED;
    s->info->newton_iterations++;
    ZN_TRY(list_rows(s));
    ZN_TRY(zn_system_step_matrix(s->sys, states(s, from), s->way, s->h, s->matrix));
    find_rounding(s);
    if (s->list.contacts > FEW && !s->list.friction)
        status = answer_many(s, from, step);
    if (status == ZN_NOT_CONVERGED)
        status = answer_few(s, from, step);
    ZN_TRY(status);
    s->correction = zn_system_relative_norm(s->sys, step, s->floor);
    memset(step + s->n, 0, sizeof *step * (size_t)(s->n_all - s->n));
    zn_system_tangent_inverse(s->sys, s->d, step, step);
    return ZN_OK;
}

// Tolerances of friction problems are relative to their terms: an answer within them that misses a gap comes back, as a
// warm start, unchanged. Then as much more is asked for as the gap was missed by.
static void ask_for_more(conserving *s, double gap)
{
    if (s->correction < 1e6 && s->violation > gap)
        s->asked = fmax(s->asked * gap / (4 * s->violation), 0.25 * DBL_EPSILON);
}

static double gap_tolerance(const conserving *s, const zn_state *from)
{
    return fmax(s->def.gap_tolerance, 4 * zn_system_resolution(s->sys, from->q, NULL));
}

// Until the residual is small and no longer falls: what is left of it is the energy that a step gives or takes.
static zn_status iterate(conserving *s, const zn_state *from)
{
    double gap = gap_tolerance(s, from);
    s->asked = s->def.solver_tolerance;
    memcpy(s->step, s->d, sizeof *s->d * (size_t)s->n_all);
    memset(s->d, 0, sizeof *s->d * (size_t)s->n_all);
    ZN_TRY(move_on(s, from));
    for (int k = 0; k < s->def.newton_iterations; k++) {
        double before = s->relative;
        ZN_TRY(correct(s, from));
        count_sets(s, k);
        ZN_TRY(move_on(s, from));
        bool small = s->relative <= s->def.newton_tolerance || s->correction <= 1 || s->rounded <= 1;
        if (small && s->violation <= gap && s->whole && (k > 0 || s->relative == 0) && !(s->relative < 0.1 * before))
            return ZN_OK;
        ask_for_more(s, gap);
    }
    return ZN_NOT_CONVERGED;
}

// Forces may throw nodes farther than was predicted when contacts were looked for. What is inside then stays there, see
// g_t, so it is allowed a hundredth of how far the search looks.
static zn_status check_missed(conserving *s, const zn_state *from)
{
    static const double allowed = 0.01;
    zn_depth            missed;
    if (!s->sys->missable_contacts)
        return ZN_OK;
    for (int i = 0; i < s->n_all; i++)
        s->work[i] = s->way[i] / s->h;
    ZN_TRY(zn_contact_set_missed(s->set, s->sys, s->middle, (zn_at){s->q, s->work, from->t + s->h, 0}, s->h, &missed));
    if (missed.gap >= 0)
        return ZN_OK;
    const zn_contact_rule *rule = &s->sys->model->rule[zn_contact_id_rule(missed.id)];
    if (-missed.gap <= allowed * rule->ops->depth(rule->parameter))
        return ZN_OK;
    return zn_fail_here(&s->sys->model->log, ZN_INVALID_STATE,
                        "contact '%s': a node that was not near it is %.3g m inside after the step: a smaller step or "
                        "a larger reach",
                        rule->name, -missed.gap);
}

static zn_status solve(conserving *s, const zn_state *from)
{
    enum { SEARCHES = 3 };
    bool changed = true;
    int  searches = 0;
    ZN_TRY(predict(s, from));
    ZN_TRY(find_contacts(s, from));
    ZN_TRY(set_scales(s, from));
    for (s->info->activation_iterations = 0; changed; s->info->activation_iterations++) {
        ZN_TRY(iterate(s, from));
        ZN_TRY(zn_conserving_settle(s, from, &changed));
        if (!changed && searches++ < SEARCHES)
            ZN_TRY(zn_conserving_seek(s, from, gap_tolerance(s, from), &changed));
    }
    return check_missed(s, from);
}

static zn_status jump(conserving *s, double *debt)
{
    *debt = s->debt;
    s->jump.given = s->jump.driven = 0;
    s->jump.count = 0;
    return s->def.velocity_jump ? zn_velocity_jump_apply(s, debt) : ZN_OK;
}

// --- results ---------------------------------------------------------------------------------------

// What dampers did: of the forces that are there without velocities, the rest.
static zn_between still_states(conserving *s, const zn_state *from)
{
    zn_between still = states(s, from);
    memset(s->scale, 0, sizeof *s->scale * (size_t)s->n_all);
    still.from.v = still.to.v = s->scale;
    return still;
}

static zn_status damper_work(conserving *s, const zn_state *from, double *out)
{
    ZN_TRY(zn_system_force_between(s->sys, still_states(s, from), s->work));
    *out = zn_system_dot(s->sys, s->force, s->way) - zn_system_dot(s->sys, s->work, s->way);
    return ZN_OK;
}

// Of applied loads, and of what moves potentials that depend on time.
static zn_status load_work(conserving *s, const zn_state *from, double *out)
{
    double growth;
    ZN_TRY(zn_system_load_between(s->sys, still_states(s, from), s->work));
    ZN_TRY(zn_system_growth_between(s->sys, states(s, from), &growth));
    *out = zn_system_dot(s->sys, s->work, s->way) + growth;
    return ZN_OK;
}

// Friction of contact i, on the way and in the jump, whose contacts are in order.
static double friction_work(const conserving *s, int i, int *jumped)
{
    double work = 0;
    for (int k = 1; k < s->set->stride; k++)
        work += zn_conserving_work(s, i, k);
    if (*jumped < s->jump.count && s->jump.contact[*jumped] == i)
        work += s->jump.rubbed[(*jumped)++];
    return work;
}

// Friction of each contact can only take. Normal forces give what they took but for the debt: one below zero is energy
// from nowhere, until it is paid.
static void book_gift(conserving *s, int i, double friction)
{
    zn_step_info *info = s->info;
    info->contact_gave += fmax(0, friction);
    if (!(friction > info->giver_gave))
        return;
    info->giver_gave = friction;
    info->giver = s->set->id[i];
}

// What joints, contacts and friction did on the way.
static void book_constraints(conserving *s, double debt, double *ledger)
{
    int jumped = 0;
    for (int i = 0; i < s->set->count; i++) {
        double friction = friction_work(s, i, &jumped);
        bool   acts = !s->set->bilateral[i] && s->p[i * s->set->stride] > 0;
        ledger[s->set->bilateral[i] ? ZN_LEDGER_JOINT : ZN_LEDGER_CONTACT] += zn_conserving_work(s, i, 0);
        ledger[ZN_LEDGER_FRICTION] += friction;
        book_gift(s, i, friction);
        s->info->active += acts;
        s->info->frames += acts && s->sys->model->rule[zn_contact_id_rule(s->set->id[i])].ops->settle;
    }
    s->info->contact_gave += fmax(0, -debt) - fmax(0, -s->debt);
    ledger[ZN_LEDGER_CONTACT] += s->jump.given;
    ledger[ZN_LEDGER_JOINT] += s->jump.driven;
}

// Loads act as at the middle of the times. What is left between the work of all forces and the energies is rounding.
static zn_status book(conserving *s, const zn_state *from, double debt)
{
    double   *ledger = s->info->ledger, damper = 0, load;
    zn_energy energy;
    ZN_TRY(zn_system_energy(s->sys, states(s, from).to, &energy));
    ZN_TRY(load_work(s, from, &load));
    if (s->damped)
        ZN_TRY(damper_work(s, from, &damper));
    double stored = energy.strain - from->energy.strain + energy.gravity - from->energy.gravity;
    ledger[ZN_LEDGER_KINETIC] = energy.kinetic;
    ledger[ZN_LEDGER_STRAIN] = energy.strain;
    ledger[ZN_LEDGER_GRAVITY] = energy.gravity;
    ledger[ZN_LEDGER_LOAD] = load;
    ledger[ZN_LEDGER_DAMPER] = damper;
    ledger[ZN_LEDGER_NUMERICAL] = zn_system_dot(s->sys, s->force, s->way) + stored - load - damper;
    book_constraints(s, debt, ledger);
    s->energy = energy;
    // what rounding leaves counts as the tolerance: moments of a body that does not turn are nothing else
    s->info->newton_residual = fmin(s->relative, s->rounded * s->def.newton_tolerance);
    s->info->jump_debt = s->def.velocity_jump ? debt : NAN;
    return ZN_OK;
}

// Results of contacts: impulses, and velocities with the rows at the end.
static void write_contacts(conserving *s, const zn_state *from)
{
    for (int k = 0; k < rows_of(s); k++) {
        int i = k / s->set->stride;
        s->set->impulse[k] = s->h * s->p[k];
        s->set->velocity[k] = zn_row_dot(s->set, k, s->n_all, s->v) + (k % s->set->stride == 0 ? s->set->rate[i] : 0);
        s->set->approach[k] = zn_row_dot(s->set, k, s->n_all, from->v);
        s->set->projection[k] = 0;
        if (s->set->bilateral[i])
            s->info->joint_velocity = fmax(s->info->joint_velocity, fabs(s->set->velocity[k]));
    }
}

static void commit(conserving *s, double debt, zn_state *to)
{
    write_contacts(s, to);
    for (int k = 0; k < rows_of(s); k++)
        zn_rows_add(zn_conserving_forces(s), k, s->n_all, -s->p[k], s->residual);
    for (int i = s->n; i < s->n_all; i++)
        to->reaction[i - s->n] = s->h * s->residual[i];
    to->t += s->h;
    memcpy(to->q, s->q, sizeof *to->q * (size_t)s->nq);
    memcpy(to->v, s->v, sizeof *to->v * (size_t)s->n_all);
    to->energy = s->energy;
    memcpy(s->last_d, s->d, sizeof *s->d * (size_t)s->n_all);
    s->last_h = s->h;
    s->debt = debt;
    zn_contact_set_swap(to->contacts, s->set);
    s->info->failed = NULL;
}

static zn_status step(void *self, zn_state *state, double h, zn_step_info *info)
{
    conserving *s = self;
    double      debt;
    *info = (zn_step_info){0};
    s->info = info;
    s->h = h;
    s->end_time = state->t + h;
    ZN_STAGE(info, "equations of motion", solve(s, state));
    ZN_STAGE(info, "velocity jump", jump(s, &debt));
    ZN_STAGE(info, "energy ledger", book(s, state, debt));
    commit(s, debt, state); // cannot fail
    return ZN_OK;
}

// --- life ------------------------------------------------------------------------------------------

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    ZN_TRY(zn_conserving_check(sys, log));
    conserving *s = NULL;
    ZN_TRY(zn_conserving_create(def, sys, &s));
    *self = s;
    return ZN_OK;
}

static void destroy(void *self) { zn_conserving_destroy(self); }

static void history(void *self, zn_blob *blob)
{
    enum { VERSION = 2 };
    conserving *s = self;
    zn_blob_version(blob, VERSION);
    zn_blob_doubles(blob, &s->last_h, 1);
    zn_blob_doubles(blob, s->last_d, s->n_all);
    zn_blob_doubles(blob, &s->debt, 1);
    if (blob->dry)
        return;
    zn_linsolver_forget(s->solver); // a resumed run has no old pivots
    zn_many_contacts_forget(&s->many);
}

static zn_linsolver_info linsolver(const void *self)
{
    const conserving       *s = self;
    const zn_linsolver_info own = zn_linsolver_get_info(s->solver);
    zn_linsolver_info       sum = own;
    zn_curved_matrix_add_work(&s->many.matrix, &sum);
    sum.backend = own.backend;
    return sum;
}

const zn_scheme_ops zn_energy_momentum_ops = {
    .name = "energy_momentum",
    .help = "energy and momenta kept, also through impacts of elastic bodies: contact frames (Miyazaki and Park)",
    .create = create,
    .step = step,
    .keeps_momentum = true,
    .history = history,
    .linsolver = linsolver,
    .lacks_impact_law = true,
    .destroy = destroy,
};
