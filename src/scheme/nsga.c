// nsga.c - Nonsmooth generalized-alpha scheme, decoupled. Cosimo, Galvez, Cavalieri, Cardona, Bruls, "A robust
// nonsmooth generalized-alpha scheme for flexible systems with impacts", Multibody Syst. Dyn. 48 (2020), algorithm 1;
// the coupled scheme (nsga_coupled) is that of Bruls, Acary, Cardona, CMAME 281 (2014). On the configuration group:
//
//   1 smooth motion (33)-(35):  M acc - f(q~, v~) = G(q~)' lambda~,   joints G(q~) v~ + dg/dt = 0
//       q~ = q_n (+) (h v_n + h^2 (1/2 - beta) a_n + h^2 beta a),  v~ = v_n + h (1 - gamma) a_n + h gamma a
//       (1 - alpha_m) a + alpha_m a_n = (1 - alpha_f) acc + alpha_f acc_n
//   2 position correction (37):  M U - h^2 f_p = G(q)' nu,  q = q~ (+) U,  joints g = 0,  contacts: law of (g, nu)
//       f_p = f(q, v~) - f(q~, v~) + (G(q) - G(q~))' lambda~
//   3 velocity jump (42):  M W - h f* = G(q)' Lambda,  v = v~ + W,  joints G v + dg/dt = 0,
//       contacts closed in 2:  law of (G v + e U-, Lambda),  U- = G_n v_n or, option `approach`, G v_n
//       f* = f(q, v) - f(q~, v~) + (G(q) - G(q~))' lambda~ - (M(q) - M(q~)) acc
//
// The law of (u, r) is 0 <= u_N _|_ r_N >= 0 and, with friction (Galvez, Cavalieri, Cosimo, Bruls, Cardona, "A
// nonsmooth frictional contact formulation for multibody system dynamics"), |r_T| <= mu r_N with r_T against u_T while
// that is not zero. It holds at both levels: g_T in problem 2 is the tangential displacement since t_n (33), so that
// what sticks stays where it is. Without option `position_friction` (NP) friction is left to problem 3 and sticking
// contacts creep.
//
// No term couples a later problem to an earlier one. Option `neglect` (DSn) drops f_p and f*. Option `smooth` (section
// 3.1) says what problem 1 holds: `contacts` also contacts that stay closed, 0 <= G v~ _|_ lambda~ >= 0, whose forces
// c = G(q~)' lambda~ problems 2 and 3 take back, M U - h^2 f_p + h^2/2 c = G' nu and M W - h f* + h c = G' Lambda, with
// nu and Lambda totals: what rests is at rest; `joints` no contacts, `forces` no joints (lambda~ = 0, Chen et al.
// 2013), `none` nothing (acc = 0, f_p = f(q, v~), f* = f(q, v): implicit Euler). In nsga_coupled problem 1 uses the
// total q and v instead and f_p = f* = 0; the three problems are repeated until none moves (block iteration).
// Multipliers here are physical: the paper's k lambda, k nu, k Lambda. The characteristic mass sets the penalties p_p =
// p_v = m, which choose active sets and never the answer; default: mean translational mass of a degree of freedom.
// Initial accelerations and joint forces are consistent, contact forces excluded.
#include "scheme/nsga.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "system/restitution.h"

static bool neglects(const nsga *s) { return s->coupled || s->def.neglect; }

static zn_status evaluate_rows(nsga *s, const double *q)
{
    return zn_system_agree(s->sys, zn_contact_set_evaluate(s->contacts, s->sys, q, s->step.from->t + s->step.h));
}

// --- 1: smooth motion, unknown x = v~ - predicted ------------------------------------------------

static double acceleration_factor(const nsga *s)
{
    return (1 - s->alpha.m) / ((1 - s->alpha.f) * s->alpha.gamma * s->step.h);
}

// Velocity that forces alone would give in a step: what joints take away cancels up to its rounding, also at rest.
static double free_gain(const nsga *s, int dof)
{
    ZN_ASSERT(dof >= 0 && dof < s->n_all);
    const double *force = s->def.smooth == ZN_SMOOTH_NONE ? s->total.force : s->motion.force;
    return s->sys->rotational[dof] ? 0 : s->step.h * fabs(force[dof]) / s->mass;
}

// q~, v~, acceleration of x; totals in the coupled scheme.
static void move_smooth(nsga *s, const double *x)
{
    for (int i = 0; i < s->n_all; i++) {
        double d = i < s->n ? x[i] : 0;
        s->motion.v[i] = s->motion.v_predicted[i] + d;
        s->motion.acceleration[i] = acceleration_factor(s) * d;
        s->scratch.work[i] = s->motion.increment[i] + s->step.h * s->alpha.beta / s->alpha.gamma * d;
    }
    zn_system_retract(s->sys, s->step.from->q, s->scratch.work, s->motion.q);
    memcpy(s->total.q, s->motion.q, sizeof *s->total.q * (size_t)s->nq);
    memcpy(s->total.v, s->motion.v, sizeof *s->total.v * (size_t)s->n_all);
    if (s->coupled) {
        zn_system_retract(s->sys, s->motion.q, s->position.x, s->total.q);
        for (int i = 0; i < s->n; i++)
            s->total.v[i] += s->velocity.x[i];
    }
}

static zn_status evaluate_smooth(nsga *s, const double *x, double *r0, double *c)
{
    move_smooth(s, x);
    ZN_TRY(zn_system_whole_force(s->sys, (zn_at){s->total.q, s->total.v, s->step.from->t + s->step.h, 0},
                                 s->motion.force));
    ZN_TRY(zn_system_whole_inertia(s->sys, s->total.q, s->motion.acceleration, r0));
    if (nsga_smooth_rows(s))
        ZN_TRY(evaluate_rows(s, s->total.q));
    for (int i = 0; i < s->n_all; i++) {
        s->scratch.scale[i] = fabs(r0[i]) + fabs(s->motion.force[i]);
        r0[i] -= s->motion.force[i];
        s->scratch.extra[i] = fabs(s->motion.v_predicted[i]) + s->scratch.rounding[i] / s->step.h;
    }
    const zn_contact_set *set = s->contacts;
    double                size = 0;
    for (int k = 0; k < nsga_row_count(s) && nsga_smooth_rows(s); k++) {
        c[k] = zn_row_dot(set, k, s->n, s->motion.v) + (k % set->stride == 0 ? set->rate[k / set->stride] : 0);
        for (int e = set->row_start[k]; e < set->row_start[k + 1]; e++)
            size = fmax(size,
                        fabs(set->row_value[e]) * (fabs(s->motion.v[set->row_dof[e]]) + free_gain(s, set->row_dof[e])));
    }
    size = fmax(zn_system_max(s->sys, size), DBL_MIN);
    s->smooth.resolution = DBL_EPSILON * size;
    s->smooth.tolerance = s->def.newton_tolerance * size + DBL_MIN;
    return ZN_OK;
}

static void smooth_coefficients(const nsga *s, double abc[3])
{
    abc[0] = acceleration_factor(s);
    abc[1] = 1;
    abc[2] = s->step.h * s->alpha.beta / s->alpha.gamma;
}

// --- 2: position correction, unknown x = U -------------------------------------------------------

// Gaps and, with friction, tangential displacements since the start of the step: (33).
static zn_status measure_gaps(nsga *s, double *c)
{
    if (s->position.friction && s->contacts->stride > 1)
        return zn_contact_set_slip(s->contacts, s->sys, s->step.from->q, s->step.from->t, s->total.q,
                                   s->step.from->t + s->step.h, c);
    for (int i = 0; i < s->contacts->count; i++)
        c[i * s->contacts->stride] = s->contacts->gap[i];
    return ZN_OK;
}

static zn_status evaluate_position(nsga *s, const double *x, double *r0, double *c)
{
    memcpy(s->total.v, s->motion.v, sizeof *s->total.v * (size_t)s->n_all);
    zn_system_retract(s->sys, s->motion.q, x, s->total.q);
    ZN_TRY(evaluate_rows(s, s->total.q));
    ZN_TRY(zn_system_whole_inertia(s->sys, s->motion.q, x, r0));
    double h2 = s->step.h * s->step.h;
    for (int i = 0; i < s->n_all; i++) {
        s->scratch.scale[i] = fabs(r0[i]) + h2 * (fabs(s->motion.force[i]) + s->motion.joint_size[i]);
        s->scratch.scale[i] += h2 / 2 * s->motion.contact_size[i];
        r0[i] += h2 / 2 * s->motion.contact[i];
        s->scratch.extra[i] = s->step.h * fabs(s->motion.v[i]) + s->scratch.rounding[i];
    }
    if (!neglects(s)) {
        ZN_TRY(zn_system_whole_force(s->sys, (zn_at){s->total.q, s->motion.v, s->step.from->t + s->step.h, 0},
                                     s->total.force));
        nsga_multiply_rows(s, NSGA_JOINTS, s->smooth.l, s->scratch.work);
        for (int i = 0; i < s->n_all; i++) {
            s->scratch.scale[i] += h2 * fabs(s->total.force[i]);
            r0[i] -= h2 * (s->total.force[i] - s->motion.force[i] + s->scratch.work[i] - s->motion.joint[i]);
        }
    }
    return zn_system_agree(s->sys, measure_gaps(s, c));
}

static void position_coefficients(const nsga *s, double abc[3])
{
    abc[0] = 1;
    abc[1] = 0;
    abc[2] = neglects(s) ? 0 : s->step.h * s->step.h;
}

// --- 3: velocity jump, unknown x = W -------------------------------------------------------------

static zn_status add_mass_change(nsga *s, double *r0)
{
    ZN_TRY(zn_system_whole_inertia(s->sys, s->total.q, s->motion.acceleration, s->scratch.work));
    ZN_TRY(zn_system_whole_inertia(s->sys, s->motion.q, s->motion.acceleration, s->scratch.work2));
    for (int i = 0; i < s->n_all; i++)
        r0[i] += s->step.h * (s->scratch.work[i] - s->scratch.work2[i]);
    return ZN_OK;
}

double nsga_approach(const nsga *s, int row)
{
    return s->def.approach == ZN_APPROACH_END ? zn_row_dot(s->contacts, row, s->n, s->step.from->v) : s->U_k[row];
}

double nsga_restitution(const nsga *s, int row)
{
    return zn_restitution(s->contacts, row, s->U_k[row - row % s->contacts->stride]);
}

// What the law adds to U = G v: restitution, or the rate of a prescribed motion.
static double law_offset(const nsga *s, int row)
{
    ZN_ASSERT(row >= 0 && row < s->contacts->count * s->contacts->stride);
    const zn_contact_set *set = s->contacts;
    int                   i = row / set->stride;
    if (set->bilateral[i])
        return row % set->stride == 0 ? set->rate[i] : 0;
    if (s->impact.law != ZN_IMPACT_NEWTON && row % set->stride == 0)
        return -s->impact.target[i];
    double e = nsga_restitution(s, row);
    return e != 0 ? e * nsga_approach(s, row) : 0;
}

static zn_status evaluate_velocity(nsga *s, const double *x, double *r0, double *c)
{
    for (int i = 0; i < s->n_all; i++)
        s->total.v[i] = s->motion.v[i] + (i < s->n ? x[i] : 0);
    ZN_TRY(zn_system_whole_inertia(s->sys, s->total.q, x, r0));
    for (int i = 0; i < s->n_all; i++) {
        s->scratch.scale[i] = fabs(r0[i]) + s->step.h * (fabs(s->motion.force[i]) + s->motion.joint_size[i]);
        s->scratch.scale[i] += s->step.h * s->motion.contact_size[i];
        r0[i] += s->step.h * s->motion.contact[i];
        s->scratch.extra[i] = fabs(s->motion.v[i]) + s->scratch.rounding[i] / s->step.h;
    }
    if (!neglects(s)) {
        ZN_TRY(zn_system_whole_force(s->sys, (zn_at){s->total.q, s->total.v, s->step.from->t + s->step.h, 0},
                                     s->total.force));
        nsga_multiply_rows(s, NSGA_JOINTS, s->smooth.l, s->scratch.work);
        for (int i = 0; i < s->n_all; i++) {
            s->scratch.scale[i] += s->step.h * fabs(s->total.force[i]);
            r0[i] -= s->step.h * (s->total.force[i] - s->motion.force[i] + s->scratch.work[i] - s->motion.joint[i]);
        }
        if (s->sys->varying_mass)
            ZN_TRY(add_mass_change(s, r0));
    }
    const zn_contact_set *set = s->contacts;
    double                size = 0;
    for (int k = 0; k < nsga_row_count(s); k++) {
        c[k] = zn_row_dot(set, k, s->n, s->total.v) + law_offset(s, k);
        for (int e = set->row_start[k]; e < set->row_start[k + 1]; e++)
            size = fmax(size, fabs(set->row_value[e]) *
                                  (fabs(s->motion.v[set->row_dof[e]]) + fabs(s->total.v[set->row_dof[e]]) +
                                   fabs(s->step.from->v[set->row_dof[e]]) + free_gain(s, set->row_dof[e])));
    }
    size = fmax(zn_system_max(s->sys, size), DBL_MIN);
    s->velocity.resolution = DBL_EPSILON * size;
    s->velocity.tolerance = s->def.newton_tolerance * size + DBL_MIN;
    return ZN_OK;
}

static void velocity_coefficients(const nsga *s, double abc[3])
{
    abc[0] = 1;
    abc[1] = neglects(s) ? 0 : s->step.h;
    abc[2] = 0;
}

// --- step ----------------------------------------------------------------------------------------

static zn_status find_contacts(nsga *s, double margin)
{
    const zn_state *from = s->step.from;
    if (s->sys->fixed_contacts) {
        ZN_TRY(zn_contact_set_copy(from->contacts, s->contacts));
        return zn_contact_set_refresh(s->contacts, s->sys, from->q, from->t);
    }
    zn_reach reach = {.v = from->v, .horizon = s->step.h, .margin = margin, .ahead = s->step.h};
    ZN_TRY(zn_contact_set_follow(s->contacts, from->contacts, s->sys, from->q, from->t, reach));
    ZN_TRY(zn_late_contacts_join(&s->late, s->sys, s->contacts, from->contacts, from->q, from->t));
    ZN_TRY(zn_hollows_split(&s->hollows, s->sys, s->contacts, from->contacts, from->q, from->t));
    return nsga_reserve(s, s->contacts->count);
}

// Newton on problem 1 starts from the acceleration of the last step. After an impact that has nothing to say of this
// one, a linear problem needs no start, the coupled scheme has rounds of its own, and with finite rotations it gained
// little on average and lost an iteration in the steps that take most.
static void guess_smooth(nsga *s, const zn_state *from)
{
    const zn_contact_set *set = from->contacts;
    double                acted = 0;
    for (int i = 0; i < set->count; i++)
        acted += set->bilateral[i] ? 0 : fabs(set->impulse[i * set->stride]);
    if (s->sys->info.linear || s->coupled || s->sys->frames3 > 0 || zn_system_max(s->sys, acted) > 0)
        return;
    double factor = s->step.h * s->alpha.gamma * (1 - s->alpha.f) / (1 - s->alpha.m);
    for (int i = 0; i < s->n_all; i++)
        s->smooth.x[i] = factor * s->last->acceleration[i];
}

static zn_status begin(nsga *s, const zn_state *from, double h, zn_step_info *info)
{
    ZN_ASSERT(from->q && from->v && h > 0 && info);
    s->step.from = from;
    s->step.h = h;
    s->step.info = info;
    ZN_TRY(zn_system_agree(s->sys, find_contacts(s, zn_reach_of_projection(s->sys, from->v, h))));
    if (s->impact.law != ZN_IMPACT_NEWTON)
        zn_impact_begin(&s->impact, s->contacts);
    for (int k = 0; k < nsga_row_count(s); k++)
        s->U_k[k] = zn_row_dot(s->contacts, k, s->n, from->v);
    double rounding = zn_system_resolution(s->sys, from->q, s->scratch.rounding);
    for (int i = 0; i < s->n_all; i++) // corrections below the rounding of positions are not asked for
        s->scratch.rounding[i] *= 8 / s->def.newton_tolerance;
    s->position.tolerance = fmax(s->def.gap_tolerance, 16 * rounding);
    s->position.resolution = rounding;
    s->position.penalty = s->velocity.penalty = s->def.penalty_factor * s->mass;
    s->smooth.penalty = s->position.penalty / h;
    s->position.weight = s->velocity.weight = s->mass;
    s->smooth.weight = s->mass / h;
    ZN_TRY(nsga_hold(s));
    if (s->sys->info.linear)
        ZN_TRY(nsga_factor_ahead(s));
    nsga_problem *all[] = {&s->smooth, &s->position, &s->velocity};
    for (int k = 0; k < 3; k++) {
        all[k]->law = all[k]->distance = all[k]->excused = 0;
        all[k]->slow = false;
        all[k]->bends = k < 2 && s->history.bend[k] > 0;
        memset(all[k]->x, 0, sizeof *all[k]->x * (size_t)s->n_all);
        memset(all[k]->r0, 0, sizeof *all[k]->r0 * (size_t)s->n_all);
        memset(all[k]->l, 0, sizeof *all[k]->l * (size_t)nsga_row_count(s));
        memset(all[k]->c, 0, sizeof *all[k]->c * (size_t)nsga_row_count(s));
        memset(all[k]->known, 0, sizeof *all[k]->known * (size_t)nsga_row_count(s));
        memset(all[k]->closed, 0, sizeof *all[k]->closed * (size_t)s->contacts->count);
    }
    // smooth acceleration zero: a, then v~ and q~ of algorithm 1, lines 7 - 9
    for (int i = 0; i < s->n_all; i++) {
        double a = (s->alpha.f * s->last->acceleration[i] - s->alpha.m * s->last->a[i]) / (1 - s->alpha.m);
        s->motion.v_predicted[i] = from->v[i] + h * ((1 - s->alpha.gamma) * s->last->a[i] + s->alpha.gamma * a);
        s->motion.increment[i] = h * from->v[i] + h * h * ((0.5 - s->alpha.beta) * s->last->a[i] + s->alpha.beta * a);
    }
    guess_smooth(s, from);
    return ZN_OK;
}

// Option `smooth: none`: no acceleration, and forces enter the corrections whole.
static void coast(nsga *s)
{
    move_smooth(s, s->smooth.x);
    memset(s->motion.force, 0, sizeof *s->motion.force * (size_t)s->n_all);
    s->step.current = &s->smooth;
    s->smooth.correction = 0;
}

static zn_status smooth_motion(nsga *s)
{
    if (s->def.smooth == ZN_SMOOTH_NONE)
        coast(s);
    else
        ZN_TRY(nsga_solve(s, &s->smooth));
    nsga_push_smooth(s);
    if (!nsga_smooth_rows(s) || s->def.smooth == ZN_SMOOTH_NONE)
        ZN_TRY(evaluate_rows(s, s->total.q));
    return ZN_OK;
}

static bool needs_correction(const nsga *s)
{
    double worst = s->def.smooth == ZN_SMOOTH_NONE;
    for (int i = 0; i < s->contacts->count; i++)
        worst = fmax(worst,
                     s->contacts->bilateral[i] || s->held[i] > 0 || s->contacts->gap[i] <= 10 * s->position.tolerance);
    return zn_system_max(s->sys, worst) > 0;
}

// Where forces depend on the velocity in a nonlinear way (gyroscopic ones), Newton on problem 3 rather starts where the
// contacts would bring it that corrected the position: W = k U, Lambda = k nu, with the k that comes nearest to their
// law.
static bool guess_jump(nsga *s)
{
    const zn_contact_set *set = s->contacts;
    double                above = 0, below = 0;
    for (int k = 0; k < nsga_row_count(s); k++) {
        if (s->position.l[k] == 0 || set->bilateral[k / set->stride])
            continue;
        double gain = zn_row_dot(set, k, s->n, s->position.x);
        above -= gain * (zn_row_dot(set, k, s->n, s->motion.v) + law_offset(s, k));
        below += gain * gain;
    }
    double factor = above > 0 && below > 0 ? above / below : 0;
    for (int i = 0; i < s->n; i++)
        s->velocity.x[i] = factor * s->position.x[i];
    for (int k = 0; k < nsga_row_count(s); k++)
        s->velocity.l[k] = factor * s->position.l[k];
    return factor > 0;
}

static zn_status find_jump(nsga *s)
{
    bool      guessed = !s->coupled && s->sys->frames3 > 0 && guess_jump(s);
    zn_status status = nsga_solve(s, &s->velocity);
    if (status <= ZN_OK || !guessed)
        return status;
    memset(s->velocity.x, 0, sizeof *s->velocity.x * (size_t)s->n_all);
    memset(s->velocity.l, 0, sizeof *s->velocity.l * (size_t)nsga_row_count(s));
    return nsga_solve(s, &s->velocity);
}

// Problems 2 and 3; contacts closed at position level are the ones that may act at velocity level.
static zn_status correct(nsga *s)
{
    for (int i = 0; i < s->contacts->count; i++)
        s->allowed[i] = true;
    ZN_TRY(nsga_solve(s, &s->position));
    s->step.info->projection_iterations += s->position.iterations;
    for (int i = 0; i < s->contacts->count; i++)
        s->allowed[i] = s->position.closed[i];
    ZN_TRY(nsga_find_targets(s));
    ZN_TRY(find_jump(s));
    s->step.info->activation_iterations += s->velocity.iterations;
    return ZN_OK;
}

// The coupled scheme repeats the three problems until the corrections no longer move.
static zn_status iterate_blocks(nsga *s)
{
    for (int pass = 0; pass < s->def.newton_iterations; pass++) {
        for (int i = 0; i < s->n; i++)
            s->scratch.correction_old[i] = s->position.x[i] / s->step.h + s->velocity.x[i];
        ZN_TRY(correct(s));
        double moved = 0, size = 0;
        for (int i = 0; i < s->n; i++) {
            double now = s->position.x[i] / s->step.h + s->velocity.x[i];
            moved = fmax(moved, fabs(now - s->scratch.correction_old[i]));
            size = fmax(size, fabs(now) + fabs(s->motion.v[i]));
        }
        moved = zn_system_max(s->sys, moved);
        size = zn_system_max(s->sys, size);
        if (moved <= 1e-10 * size)
            return ZN_OK;
        ZN_TRY(nsga_solve(s, &s->smooth));
        nsga_push_smooth(s);
    }
    for (int i = 0; i < s->n; i++) { // who still moves
        double now = s->position.x[i] / s->step.h + s->velocity.x[i];
        s->scratch.work[i] = now - s->scratch.correction_old[i];
        s->scratch.scale[i] = fabs(now) + fabs(s->motion.v[i]);
    }
    zn_blame_iterations(s->def.newton_iterations, 1, 1);
    return zn_blame_newton(s->sys, ZN_NOT_CONVERGED, s->scratch.work, s->scratch.scale, "m/s", 1e-10, NULL);
}

static void commit(nsga *s, zn_state *to)
{
    ZN_ASSERT(to->contacts != s->contacts);
    to->t += s->step.h;
    memcpy(to->q, s->total.q, sizeof *to->q * (size_t)s->nq);
    memcpy(to->v, s->total.v, sizeof *to->v * (size_t)s->n_all);
    to->energy = s->energy;
    double factor = (1 - s->alpha.f) / (1 - s->alpha.m); // line 41
    for (int i = 0; i < s->n_all; i++) {
        double a = (s->alpha.f * s->last->acceleration[i] - s->alpha.m * s->last->a[i]) / (1 - s->alpha.m);
        s->history.a[i] = a + factor * s->motion.acceleration[i];
        s->history.acceleration[i] = s->motion.acceleration[i];
    }
    s->history.started = s->stepped = true;
    const nsga_problem *problems[] = {&s->smooth, &s->position};
    for (int k = 0; k < 2; k++)
        s->history.bend[k] = problems[k]->slow ? NSGA_BEND : s->history.bend[k] - (s->history.bend[k] > 0);
    memcpy(s->history.joint_force, s->motion.joint, sizeof *s->history.joint_force * (size_t)s->n_all);
    nsga_multiply_rows(s, NSGA_JOINTS | NSGA_CONTACTS, s->velocity.l, s->scratch.work);
    for (int i = s->n; i < s->n_all; i++) // what is left of problems 1 and 3 on the fixed degrees of freedom
        to->reaction[i - s->n] = s->step.h * (s->smooth.r0[i] - s->motion.joint[i] - s->motion.contact[i]) +
                                 s->velocity.r0[i] - s->scratch.work[i];
    zn_contact_set_swap(to->contacts, s->contacts);
    s->step.info->failed = NULL;
}

// Where there is no answer because contacts rest in hollows, again with one contact for each facet: `*more`.
static zn_status correct_or_split(nsga *s, bool *more)
{
    zn_status status = s->coupled ? iterate_blocks(s) : correct(s);
    *more = false;
    if (status == ZN_NOT_CONVERGED)
        ZN_TRY(zn_hollows_find(&s->hollows, s->sys, s->contacts, s->total.q, more));
    return *more ? ZN_OK : status;
}

static zn_status step(void *self, zn_state *state, double h, zn_step_info *info)
{
    nsga *s = self;
    zn_at from = {state->q, state->v, state->t, 0};
    *info = (zn_step_info){0};
    zn_late_contacts_begin(&s->late);
    zn_hollows_begin(&s->hollows);
    for (bool more = true; more;) {
        ZN_STAGE(info, "start", begin(s, state, h, info));
        ZN_STAGE(info, "smooth motion", smooth_motion(s));
        more = false;
        s->corrected = needs_correction(s);
        if (s->corrected)
            ZN_STAGE(info, "position correction and velocity jump", correct_or_split(s, &more));
        if (more)
            continue;
        ZN_STAGE(info, "contacts at the end",
                 zn_late_contacts_look(&s->late, s->sys, s->contacts, from, s->total.q, h, 4 * s->position.tolerance,
                                       (zn_held_acts){nsga_acts, s}, &more));
    }
    info->late_contacts = s->late.found;
    ZN_STAGE(info, "energy ledger", nsga_book(s));
    commit(s, state); // cannot fail
    return ZN_OK;
}

// --- table ---------------------------------------------------------------------------------------

static void bind(nsga *s)
{
    s->smooth.level = "smooth";
    s->smooth.evaluate = evaluate_smooth;
    s->smooth.coefficients = smooth_coefficients;
    s->smooth.friction = s->def.smooth == ZN_SMOOTH_CONTACTS;
    s->position.level = "position";
    s->position.evaluate = evaluate_position;
    s->position.coefficients = position_coefficients;
    s->position.unilateral = true;
    s->position.friction = s->def.position_friction;
    s->velocity.level = "velocity";
    s->velocity.evaluate = evaluate_velocity;
    s->velocity.coefficients = velocity_coefficients;
    s->velocity.unilateral = true;
    s->velocity.friction = true;
}

static zn_status create_either(const zn_scheme_def *def, const zn_system *sys, bool coupled, const char *name,
                               const zn_log *log, void **self)
{
    if (def->smooth == ZN_SMOOTH_CONTACTS && coupled)
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: smooth contacts belongs to nsga; this scheme rests without it", name);
    if (def->smooth == ZN_SMOOTH_NONE && (coupled || def->neglect))
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: smooth none leaves all forces to the corrections, so %s", name,
                       coupled ? "use nsga, not the coupled scheme" : "neglect cannot drop them");
    nsga *s;
    ZN_TRY(nsga_create(def, sys, coupled, &s));
    bind(s);
    *self = s;
    return ZN_OK;
}

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    return create_either(def, sys, false, "nsga", log, self);
}

static zn_status create_coupled(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    return create_either(def, sys, true, "nsga_coupled", log, self);
}

// Little jumps stay: with a new start at each step it would be of first order.
static void jump(void *self, bool little) { ((nsga *)self)->history.started &= little; }

static void history(void *self, zn_blob *blob)
{
    enum { VERSION = 2 }; // 2: steps with curvature
    nsga        *s = self;
    zn_response *responses[] = {&s->smooth.response, &s->position.response, &s->velocity.response};
    for (int i = 0; i < 3; i++)
        zn_response_history(responses[i], blob, s->step.h);
    zn_blob_version(blob, VERSION);
    zn_blob_bool(blob, &s->history.started);
    zn_blob_doubles(blob, s->history.a, s->n_all);
    zn_blob_doubles(blob, s->history.acceleration, s->n_all);
    zn_blob_doubles(blob, s->history.joint_force, s->n_all);
    for (int k = 0; k < 2; k++) // of smooth motion and position
        zn_blob_int(blob, &s->history.bend[k], 0, zn_response_can_bend(responses[k]) ? NSGA_BEND : 0);
}

// q~, v~, U, W and the smooth acceleration of the last step. One that failed has overwritten them, but is not looked
// at.
static double detail(const void *self, zn_detail which, int place)
{
    const nsga   *s = self;
    const double *from[ZN_DETAILS] = {s->motion.q, s->motion.v, s->position.x, s->velocity.x, s->motion.acceleration};
    return s->stepped ? from[which][place] : NAN;
}

static zn_linsolver_info linsolver(const void *self)
{
    const nsga       *s = self;
    zn_linsolver_info info = zn_response_info(&s->smooth.response);
    zn_linsolver_info p = zn_response_info(&s->position.response), v = zn_response_info(&s->velocity.response);
    info.factorizations += p.factorizations + v.factorizations;
    info.refactorizations += p.refactorizations + v.refactorizations;
    info.solves += p.solves + v.solves;
    return info;
}

const zn_scheme_ops zn_nsga_ops = {
    .name = "nsga",
    .help = "nonsmooth generalized-alpha, decoupled: second order in smooth motion, both levels (Cosimo et al. 2020)",
    .ledger_note = "the position correction is part of the numerical line",
    .judges_contacts = true,
    .create = create,
    .step = step,
    .jump = jump,
    .history = history,
    .detail = detail,
    .details = (1U << ZN_DETAILS) - 1,
    .linsolver = linsolver,
    .destroy = nsga_destroy,
};

const zn_scheme_ops zn_nsga_coupled_ops = {
    .name = "nsga_coupled",
    .help = "nonsmooth generalized-alpha, coupled: the original scheme, by block iteration (Bruls et al. 2014)",
    .ledger_note = "the position correction is part of the numerical line",
    .judges_contacts = true,
    .create = create_coupled,
    .step = step,
    .jump = jump,
    .history = history,
    .detail = detail,
    .details = (1U << ZN_DETAILS) - 1,
    .linsolver = linsolver,
    .destroy = nsga_destroy,
};
