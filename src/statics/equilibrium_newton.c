// Newton's method for an equilibrium at one load (Josephy: a complementarity problem per iteration).
//     r(q, l) = f(q) + G'l - alpha M (q - anchor) = 0,   joints g = 0,   contacts 0 <= g _|_ l >= 0
//     A d = r + G'(l+ - l),   A = -dr/dq,   0 <= g + G d _|_ l+ >= 0
// With x = A^-1 r and W = G A^-1 G' the multipliers solve  0 <= W l+ + (g + G x - W l) _|_ l+ >= 0.
//
// An iterate is good when the constraints hold up to rounding and either the residual is small against the forces it is
// made of, or the last correction was small against the displacement: forces may balance by cancelling (a rod that
// hangs straight has no moment to compare with), coordinates have their own rounding.
#include <float.h>
#include <math.h>
#include <string.h>

#include "constraint/redundant.h"
#include "statics/equilibrium.h"

static double larger(double a, double b) { return a > b || isnan(a) ? a : b; }

// --- residual ------------------------------------------------------------------------------------

// Size of the motion of the contact point for motions `x` of its degrees of freedom, signs left out.
static double reach(const zn_contact_set *set, int i, const double *x)
{
    double sum = 0;
    for (int k = set->row_start[i * set->stride]; k < set->row_start[i * set->stride + 1]; k++)
        sum += fabs(set->row_value[k]) * x[set->row_dof[k]];
    return sum;
}

static double law_norm(const zn_equilibrium *e, const double *l)
{
    const zn_contact_set *set = e->set;
    double                worst = 0;
    for (int i = 0; i < set->count; i++) {
        double slack = l[i] * e->give[i], g = set->gap[i];
        double off = fabs(set->bilateral[i] || g < slack ? g : slack);
        double tolerance = 8 * reach(set, i, e->rounding) + e->def.tolerance * reach(set, i, e->size);
        worst = larger(worst, off / larger(tolerance, DBL_MIN));
    }
    return zn_system_max(e->sys, worst);
}

// Moments count from the rounding of the forces on, at the lever that the size of the model gives: in many an
// equilibrium none is left to compare with.
static void add_moment_floor(zn_equilibrium *e)
{
    double force = 0;
    for (int i = 0; i < e->n; i++)
        force = e->sys->rotational[i] ? force : larger(e->scale[i], force);
    force = zn_system_max(e->sys, force) * e->length * DBL_EPSILON / e->def.tolerance;
    for (int i = 0; i < e->n && e->sys->has_rotations; i++)
        e->scale[i] += e->sys->rotational[i] ? force : 0;
}

// Nothing but rounding: displacements are known to a few epsilon, and stiffness multiplies that.
static bool is_rounding(const zn_equilibrium *e)
{
    return zn_system_relative_norm(e->sys, e->residual, e->terms) <= 4 * DBL_EPSILON;
}

zn_status zn_equilibrium_evaluate(zn_equilibrium *e, const double *q, const double *l, double *norm)
{
    const zn_contact_set *set = e->set;
    ZN_TRY(zn_system_force(e->sys, zn_equilibrium_at(e, q), e->force));
    ZN_TRY(zn_contact_set_evaluate(e->set, e->sys, q, e->t));
    memcpy(e->residual, e->force, sizeof *e->residual * (size_t)e->n_all);
    for (int i = 0; i < e->n_all; i++)
        e->scale[i] = fabs(e->load[i]) + fabs(e->force[i] - e->load[i]);
    for (int i = 0; i < set->count; i++)
        for (int k = set->row_start[i * set->stride]; l[i] != 0 && k < set->row_start[i * set->stride + 1]; k++) {
            e->residual[set->row_dof[k]] += set->row_value[k] * l[i];
            e->scale[set->row_dof[k]] += fabs(set->row_value[k] * l[i]);
        }
    add_moment_floor(e);
    e->balance = zn_system_relative_norm(e->sys, e->residual, e->scale);
    double relative = fmin(e->balance, isfinite(e->expected) && is_rounding(e) ? e->expected : INFINITY);
    if (e->alpha > 0) {
        zn_system_difference(e->sys, q, e->anchor, e->moved);
        zn_sparse_multiply(e->mass, e->moved, e->work);
        for (int i = 0; i < e->n; i++)
            e->residual[i] -= e->alpha * e->work[i];
        relative = zn_system_relative_norm(e->sys, e->residual, e->scale);
    }
    if (!isfinite(relative))
        return ZN_NOT_FINITE;
    e->law = law_norm(e, l);
    *norm = larger(fmin(relative, e->correction) / e->def.tolerance, e->law);
    return ZN_OK;
}

// --- direction -----------------------------------------------------------------------------------

static double *column_of(const zn_equilibrium *e, int i)
{
    return e->columns.column + (size_t)(i * e->set->stride) * (size_t)e->n;
}

static double rate_of(const zn_equilibrium *e, int i, const double *x)
{
    return zn_row_dot(e->set, i * e->set->stride, e->n, x);
}

// Joints first, then the contacts that are chosen.
static int list_rows(zn_equilibrium *e, int *equations)
{
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < e->set->count; i++)
            if (e->chosen[i] && e->set->bilateral[i] == (pass == 0))
                e->list[count++] = i;
        if (pass == 0)
            *equations = count;
    }
    return count;
}

// W, and b = value + G x for the rows in the list.
static zn_status fill_rows(zn_equilibrium *e, int m, const double *x)
{
    ZN_TRY(zn_delassus_columns(&e->columns, e->plain.solver, e->set, m, e->list, e->set->stride));
    for (int k = 0; k < m; k++) {
        for (int j = 0; j < m; j++)
            e->W[k * m + j] = rate_of(e, e->list[k], column_of(e, e->list[j]));
        e->b[k] = e->set->gap[e->list[k]] + rate_of(e, e->list[k], x);
        e->give[e->list[k]] = e->W[k * m + k];
    }
    return ZN_OK;
}

static zn_status solve_rows(zn_equilibrium *e, int m, int equations)
{
    zn_lcp_problem  problem = {m, equations, e->W, e->b};
    zn_lcp_settings settings = {"auto", 0, 1e-12};
    zn_lcp_info     report;
    ZN_TRY(zn_fault_point());
    if (e->redundant)
        zn_redundant_isolate(m, equations, e->W, e->b, e->scratch);
    return zn_lcp_solve(&problem, &settings, e->z, e->w, e->scratch, &report);
}

// d = x + A^-1 G'(l_next - l) for the multipliers found.
static void move(zn_equilibrium *e, int m, const double *x)
{
    memcpy(e->d, x, sizeof *e->d * (size_t)e->n);
    memset(e->l_next, 0, sizeof *e->l_next * (size_t)e->set->count);
    for (int k = 0; k < m; k++) {
        const double *column = column_of(e, e->list[k]);
        double        change = e->z[k] - e->l[e->list[k]];
        e->l_next[e->list[k]] = e->z[k];
        for (int i = 0; i < e->n; i++)
            e->d[i] += change * column[i];
    }
}

// Contacts that the motion found would close; true when there are any.
static bool choose_more(zn_equilibrium *e)
{
    bool more = false;
    for (int i = 0; i < e->set->count; i++)
        if (!e->chosen[i] && e->set->gap[i] + rate_of(e, i, e->d) < 0)
            more = e->chosen[i] = true;
    return zn_system_max(e->sys, more ? 1 : 0) > 0;
}

// Complementarity problem of the contacts that matter: those with a force, and those that would be penetrated.
static zn_status find_multipliers(zn_equilibrium *e, const double *x)
{
    for (int i = 0; i < e->set->count; i++)
        e->chosen[i] = e->set->bilateral[i] || e->l[i] != 0 || e->set->gap[i] + rate_of(e, i, x) < 0;
    do {
        int equations = 0, m = list_rows(e, &equations);
        ZN_TRY(fill_rows(e, m, x));
        for (int k = 0; k < m; k++) {
            for (int j = 0; j < m; j++)
                e->b[k] -= e->W[k * m + j] * e->l[e->list[j]];
            e->z[k] = e->l[e->list[k]];
            if (!(e->W[k * m + k] > 0))
                return ZN_SINGULAR;
        }
        if (m > 0)
            ZN_TRY(solve_rows(e, m, equations));
        move(e, m, x);
    } while (choose_more(e));
    return ZN_OK;
}

// One pass of iterative refinement on the active rows: where constraints alone hold a body, A is nearly singular and
// the sums above cancel. Without an answer d stays as it is.
static zn_status refine(zn_equilibrium *e)
{
    int m = 0, joints = 0;
    zn_sparse_multiply(e->plain.sum, e->d, e->free);
    for (int i = 0; i < e->n; i++)
        e->free[i] = e->residual[i] - e->free[i];
    for (int i = 0; i < e->set->count; i++) {
        int row = i * e->set->stride;
        zn_row_add(e->set, row, e->n, e->l_next[i] - e->l[i] - (e->set->bilateral[i] ? e->hold[i] * e->set->gap[i] : 0),
                   e->free);
        e->chosen[i] = e->set->bilateral[i] || e->l_next[i] > 0;
    }
    ZN_TRY(zn_linsolver_solve(e->plain.solver, 1, e->free));
    for (int i = 0; i < e->n; i++)
        e->free[i] += e->d[i];
    m = list_rows(e, &joints);
    ZN_TRY(fill_rows(e, m, e->free));
    memset(e->z, 0, sizeof *e->z * (size_t)m);
    if (m > 0 && solve_rows(e, m, m) != ZN_OK)
        return ZN_OK;
    memcpy(e->d, e->free, sizeof *e->d * (size_t)e->n);
    for (int k = 0; k < m; k++) {
        const double *column = column_of(e, e->list[k]);
        double        sum = e->l_next[e->list[k]] + e->z[k];
        e->l_next[e->list[k]] = k < joints || sum > 0 ? sum : 0;
        for (int i = 0; i < e->n; i++)
            e->d[i] += e->z[k] * column[i];
    }
    return ZN_OK;
}

static zn_status find_direction(zn_equilibrium *e)
{
    ZN_TRY(zn_equilibrium_factor(e));
    memcpy(e->free, e->residual, sizeof *e->free * (size_t)e->n);
    for (int i = 0; i < e->set->count; i++)
        if (e->set->bilateral[i])
            zn_row_add(e->set, i * e->set->stride, e->n, -e->hold[i] * e->set->gap[i], e->free);
    ZN_TRY(zn_fault_point());
    ZN_TRY(zn_linsolver_solve(e->plain.solver, 1, e->free));
    ZN_TRY(find_multipliers(e, e->free));
    return refine(e);
}

// terms = |K| |q - start|
static void add_terms(zn_equilibrium *e)
{
    const zn_sparse *K = e->stiffness;
    memset(e->terms, 0, sizeof *e->terms * (size_t)e->n_all);
    for (int j = 0; j < e->n; j++)
        for (int p = K->start[j]; p < K->start[j + 1]; p++)
            e->terms[K->row[p]] += fabs(K->value[p]) * e->size[j];
}

static zn_status direction(void *user)
{
    zn_equilibrium *e = user;
    e->info.newton_iterations++;
    e->bending = true;
    zn_status status = e->soft > 0 ? zn_equilibrium_aim(e) : find_direction(e);
    if (status > 0 && e->alpha > 0) { // curvature may make A indefinite; without it the iteration is slower but safe
        e->bending = false;
        status = find_direction(e);
    }
    ZN_TRY(status);
    zn_system_resolution(e->sys, e->q, e->rounding);
    zn_system_difference(e->sys, e->q, e->start, e->size);
    for (int i = 0; i < e->n_all; i++) {
        e->size[i] = fabs(e->size[i]) + (i < e->n ? fabs(e->d[i]) : 0);
        e->scale[i] = e->size[i] + e->rounding[i] / e->def.tolerance;
    }
    double before = e->correction;
    e->correction = zn_system_relative_norm(e->sys, e->d, e->scale);
    if (e->soft > 0) {
        e->expected = before < INFINITY ? e->correction * (e->correction / before) : INFINITY;
        add_terms(e);
    }
    return ZN_OK;
}

// --- iteration -----------------------------------------------------------------------------------

static zn_status trial(void *user, double step, double *norm)
{
    zn_equilibrium *e = user;
    double          full = e->correction, next = e->expected;
    for (int i = 0; i < e->n; i++)
        e->probe[i] = step * e->d[i];
    memset(e->probe + e->n, 0, sizeof *e->probe * (size_t)(e->n_all - e->n));
    zn_system_retract(e->sys, e->q, e->probe, e->q_trial);
    for (int i = 0; i < e->set->count; i++)
        e->l_trial[i] = step == 1 ? e->l_next[i] : e->l[i] + step * (e->l_next[i] - e->l[i]);
    e->correction = step == 1 ? full : INFINITY;
    e->expected = step == 1 ? next : INFINITY;
    zn_status status = zn_equilibrium_evaluate(e, e->q_trial, e->l_trial, norm);
    e->correction = full;
    e->expected = next;
    return status;
}

static void accept(void *user)
{
    zn_equilibrium *e = user;
    double         *q = e->q, *l = e->l;
    e->q = e->q_trial;
    e->l = e->l_trial;
    e->q_trial = q;
    e->l_trial = l;
}

zn_status zn_equilibrium_newton(zn_equilibrium *e)
{
    const zn_newton_problem  problem = {e, direction, trial, accept};
    const zn_newton_settings settings = {e->def.newton_iterations, 8};
    double                   norm;
    e->correction = INFINITY;
    e->expected = INFINITY;
    ZN_TRY(zn_equilibrium_evaluate(e, e->q, e->l, &norm));
    // forces and gaps have different tolerances: the first full step may trade one for the other
    return zn_newton_solve(&problem, &settings, norm <= 1 ? norm : DBL_MAX, NULL);
}
