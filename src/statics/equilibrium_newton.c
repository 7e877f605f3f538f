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

#include "base/assert.h"
#include "statics/equilibrium.h"
#include "system/blame.h"

static double larger(double a, double b) { return a > b || isnan(a) ? a : b; }

// --- residual ------------------------------------------------------------------------------------

// Size of the motion along a row for motions `x` of its degrees of freedom, signs left out.
static double reach(const zn_contact_set *set, int row, const double *x)
{
    ZN_ASSERT(row >= 0 && row < set->count * set->stride);
    double sum = 0;
    for (int k = set->row_start[row]; k < set->row_start[row + 1]; k++)
        sum += fabs(set->row_value[k]) * x[set->row_dof[k]];
    return sum;
}

// What a row may be off by.
static double tolerance_of(const zn_equilibrium *e, int row)
{
    return 8 * reach(e->set, row, e->scratch.rounding) + e->def.tolerance * reach(e->set, row, e->scratch.size);
}

static double law_norm(const zn_equilibrium *e, const double *l)
{
    const zn_contact_set *set = e->set;
    double                worst = 0;
    for (int i = 0; i < set->count; i++) {
        int    row = i * set->stride, rows = zn_equilibrium_rows(e, i);
        double slack = l[row] * e->give[i], g = set->gap[i];
        double off = fabs(set->bilateral[i] || g < slack ? g : slack), slip = 0;
        worst = larger(worst, off / larger(tolerance_of(e, row), DBL_MIN));
        for (int r = 1; r < rows; r++)
            slip += tolerance_of(e, row + r);
        worst = rows > 1 ? larger(worst, zn_equilibrium_friction_off(e, i, l, slip)) : worst;
    }
    return zn_system_max(e->sys, worst);
}

// Moments count from the rounding of the forces on, at the lever that the size of the model gives: in many an
// equilibrium none is left to compare with. Forces count from those on that would make the moments at this lever: where
// moments alone act, all forces are rounding, of stiffness along a beam that has nothing to do with them.
static void add_floors(zn_equilibrium *e)
{
    double force = 0, moment = 0;
    for (int i = 0; i < e->n; i++) {
        double *own = e->sys->rotational[i] ? &moment : &force;
        *own = larger(e->scratch.scale[i], *own);
    }
    if (!e->sys->has_rotations)
        return;
    force = zn_system_max(e->sys, force) * e->length * DBL_EPSILON / e->def.tolerance;
    moment = e->length > 0 ? zn_system_max(e->sys, moment) / e->length : 0;
    for (int i = 0; i < e->n; i++)
        e->scratch.scale[i] += e->sys->rotational[i] ? force : moment;
}

// Nothing but rounding: displacements are known to a few epsilon, and stiffness multiplies that.
static bool is_rounding(const zn_equilibrium *e)
{
    return zn_system_relative_norm(e->sys, e->at.residual, e->way.terms) <= 4 * DBL_EPSILON;
}

zn_status zn_equilibrium_evaluate(zn_equilibrium *e, const double *q, const double *l, double *norm)
{
    ZN_ASSERT(q && norm);
    const zn_contact_set *set = e->set;
    ZN_TRY(zn_system_force(e->sys, zn_equilibrium_at(e, q), e->at.force));
    ZN_TRY(zn_contact_set_evaluate(e->set, e->sys, q, e->loads.t));
    memcpy(e->at.residual, e->at.force, sizeof *e->at.residual * (size_t)e->n_all);
    for (int i = 0; i < e->n_all; i++)
        e->scratch.scale[i] = fabs(e->scratch.load[i]) + fabs(e->at.force[i] - e->scratch.load[i]);
    for (int row = 0; row < set->count * set->stride; row++)
        for (int k = set->row_start[row]; l[row] != 0 && k < set->row_start[row + 1]; k++) {
            e->at.residual[set->row_dof[k]] += set->row_value[k] * l[row];
            e->scratch.scale[set->row_dof[k]] += fabs(set->row_value[k] * l[row]);
        }
    if (e->friction.rows > 1)
        ZN_TRY(zn_contact_set_slip(set, e->sys, e->anchor.q, e->loads.t, q, e->loads.t, e->friction.slip));
    add_floors(e);
    e->at.balance = zn_system_relative_norm(e->sys, e->at.residual, e->scratch.scale);
    e->at.rounding = isfinite(e->way.expected) && is_rounding(e);
    double relative = fmin(e->at.balance, e->at.rounding ? e->way.expected : INFINITY);
    if (e->alpha > 0) {
        zn_system_difference(e->sys, q, e->anchor.q, e->at.moved);
        zn_sparse_multiply(e->matrix.mass, e->at.moved, e->scratch.work);
        for (int i = 0; i < e->n; i++)
            e->at.residual[i] -= e->alpha * e->scratch.work[i];
        relative = zn_system_relative_norm(e->sys, e->at.residual, e->scratch.scale);
    }
    if (!isfinite(relative))
        return zn_blame_infinite(e->sys, e->n, e->at.residual);
    e->at.law = law_norm(e, l);
    *norm = larger(fmin(relative, e->way.correction) / e->def.tolerance, e->at.law);
    return ZN_OK;
}

// --- direction -----------------------------------------------------------------------------------

static double rate_of(const zn_equilibrium *e, int i, const double *x)
{
    return zn_row_dot(e->set, i * e->set->stride, e->n, x);
}

static double force_of(const zn_equilibrium *e, int i) { return e->now.l[i * e->set->stride]; }

// Contact of row k of the problem.
static int contact_of(const zn_equilibrium *e, int k)
{
    ZN_ASSERT(k >= 0 && k < e->list.rows);
    return e->list.row[k] / e->set->stride;
}

static bool is_normal(const zn_equilibrium *e, int k) { return e->list.row[k] % e->set->stride == 0; }

// Joints first, then the contacts that are chosen, as inequalities or as equations.
static void list_rows(zn_equilibrium *e, bool equations)
{
    zn_row_list_clear(&e->list);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < e->set->count; i++) {
            int rows = zn_equilibrium_rows(e, i);
            if (!e->chosen[i] || e->set->bilateral[i] != (pass == 0))
                continue;
            if (pass == 1 && !equations)
                zn_row_list_add_contact(&e->list, e->set, i, rows);
            for (int r = 0; r < rows && (pass == 0 || equations); r++)
                zn_row_list_add_equation(&e->list, i * e->set->stride + r);
        }
}

// W, and b = value + G x for the rows in the list.
static zn_status fill_rows(zn_equilibrium *e, const double *x)
{
    zn_constraints *c = &e->problem;
    int             m = e->list.rows;
    ZN_TRY(zn_constraints_assemble(c, &e->list, &e->response, e->set, zn_gap_rows(e->set), zn_gap_rows(e->set)));
    for (int k = 0; k < m; k++) {
        int i = contact_of(e, k), row = e->list.row[k];
        c->b[k] = (is_normal(e, k) ? e->set->gap[i] : e->friction.slip[row]) + zn_row_dot(e->set, row, e->n, x);
        e->give[i] = is_normal(e, k) ? c->W[k * m + k] : e->give[i];
    }
    return ZN_OK;
}

static zn_status solve_rows(zn_equilibrium *e)
{
    const zn_demand demand = {.level = "position", .t = e->loads.t};
    zn_solved       solved;
    return zn_constraints_solve(&e->problem, &e->list, &demand, &solved);
}

// d = x + A^-1 G'(l_next - l) for the multipliers found.
static void move(zn_equilibrium *e, const double *x)
{
    zn_constraints *c = &e->problem;
    memcpy(e->way.d, x, sizeof *e->way.d * (size_t)e->n);
    memset(e->way.l, 0, sizeof *e->way.l * (size_t)(e->set->count * e->set->stride));
    for (int k = 0; k < e->list.rows; k++) {
        int row = e->list.row[k];
        e->way.l[row] = c->z[k];
        c->z[k] -= e->now.l[row];
    }
    zn_response_add(&e->response, zn_gap_rows(e->set), &e->list, c->z, e->way.d);
}

// Contacts that the motion found would close; true when there are any.
static bool choose_more(zn_equilibrium *e)
{
    bool more = false;
    for (int i = 0; i < e->set->count; i++)
        if (!e->chosen[i] && e->set->gap[i] + rate_of(e, i, e->way.d) < 0)
            more = e->chosen[i] = true;
    return zn_system_max(e->sys, more ? 1 : 0) > 0;
}

// Complementarity problem of the contacts that matter: those with a force, and those that would be penetrated.
static zn_status find_multipliers(zn_equilibrium *e, const double *x)
{
    for (int i = 0; i < e->set->count; i++)
        e->chosen[i] = e->set->bilateral[i] || force_of(e, i) != 0 || e->set->gap[i] + rate_of(e, i, x) < 0;
    zn_constraints *c = &e->problem;
    do {
        list_rows(e, false);
        ZN_TRY(fill_rows(e, x));
        int m = e->list.rows;
        for (int k = 0; k < m; k++) {
            for (int j = 0; j < m; j++)
                c->b[k] -= c->W[k * m + j] * e->now.l[e->list.row[j]];
            c->z[k] = e->now.l[e->list.row[k]];
            if (is_normal(e, k) && !(c->W[k * m + k] > 0))
                return ZN_SINGULAR;
        }
        if (m > 0)
            ZN_TRY(solve_rows(e));
        move(e, x);
    } while (choose_more(e));
    return ZN_OK;
}

static bool does_slide(const zn_equilibrium *e)
{
    for (int i = 0; i < e->set->count; i++)
        if (zn_equilibrium_rows(e, i) > 1 && e->way.l[i * e->set->stride] > 0 && !zn_equilibrium_sticks(e, i, e->way.l))
            return true;
    return false;
}

// One pass of iterative refinement on the active rows: where constraints alone hold a body, A is nearly singular and
// the sums above cancel. Without an answer, or where contacts slide, d stays as it is.
static zn_status refine(zn_equilibrium *e)
{
    if (does_slide(e))
        return ZN_OK;
    zn_sparse_multiply(e->matrix.plain.sum, e->way.d, e->scratch.free);
    for (int i = 0; i < e->n; i++)
        e->scratch.free[i] = e->at.residual[i] - e->scratch.free[i];
    for (int i = 0; i < e->set->count; i++) {
        int row = i * e->set->stride;
        for (int r = 0; r < zn_equilibrium_rows(e, i); r++)
            zn_row_add(e->set, row + r, e->n, e->way.l[row + r] - e->now.l[row + r], e->scratch.free);
        if (e->set->bilateral[i])
            zn_row_add(e->set, row, e->n, -e->hold[i] * e->set->gap[i], e->scratch.free);
        e->chosen[i] = e->set->bilateral[i] || e->way.l[row] > 0;
    }
    ZN_TRY(zn_linsolver_solve(e->matrix.plain.solver, 1, e->scratch.free));
    for (int i = 0; i < e->n; i++)
        e->scratch.free[i] += e->way.d[i];
    list_rows(e, true);
    ZN_TRY(fill_rows(e, e->scratch.free));
    zn_constraints *c = &e->problem;
    memset(c->z, 0, sizeof *c->z * (size_t)e->list.rows);
    if (e->list.rows > 0 && solve_rows(e) != ZN_OK)
        return ZN_OK;
    memcpy(e->way.d, e->scratch.free, sizeof *e->way.d * (size_t)e->n);
    zn_response_add(&e->response, zn_gap_rows(e->set), &e->list, c->z, e->way.d);
    for (int k = 0; k < e->list.rows; k++) {
        int    row = e->list.row[k];
        double sum = e->way.l[row] + c->z[k];
        e->way.l[row] = !is_normal(e, k) || e->set->bilateral[contact_of(e, k)] || sum > 0 ? sum : 0;
    }
    return ZN_OK;
}

static zn_status find_direction(zn_equilibrium *e)
{
    ZN_TRY(zn_equilibrium_factor(e));
    memcpy(e->scratch.free, e->at.residual, sizeof *e->scratch.free * (size_t)e->n);
    for (int i = 0; i < e->set->count; i++)
        if (e->set->bilateral[i])
            zn_row_add(e->set, i * e->set->stride, e->n, -e->hold[i] * e->set->gap[i], e->scratch.free);
    ZN_TRY(zn_fault_point());
    ZN_TRY(zn_linsolver_solve(e->matrix.plain.solver, 1, e->scratch.free));
    ZN_TRY(find_multipliers(e, e->scratch.free));
    return refine(e);
}

// terms = |K| |q - start|
static void add_terms(zn_equilibrium *e)
{
    const zn_sparse *K = e->matrix.stiffness;
    memset(e->way.terms, 0, sizeof *e->way.terms * (size_t)e->n_all);
    for (int j = 0; j < e->n; j++)
        for (int p = K->start[j]; p < K->start[j + 1]; p++)
            e->way.terms[K->row[p]] += fabs(K->value[p]) * e->scratch.size[j];
}

// Directly; where there is friction first in pseudo-time, too: dense problems with friction may take long.
static zn_status aim(zn_equilibrium *e)
{
    if (e->direct.soft > 0)
        return zn_equilibrium_aim(e);
    if (!(e->alpha > 0) || e->friction.rows == 1 || e->problem.redundant || e->direct.lost)
        return find_direction(e);
    zn_status status = zn_equilibrium_aim_from_anchor(e);
    e->direct.lost = status > 0;
    return status > 0 && status != ZN_INTERRUPTED ? find_direction(e) : status;
}

static zn_status direction(void *user)
{
    zn_equilibrium *e = user;
    e->info.newton_iterations++;
    e->matrix.bending = true;
    ZN_TRY(zn_equilibrium_poll(e));
    zn_status status = aim(e);
    if (status > 0 && status != ZN_INTERRUPTED &&
        e->alpha > 0) { // curvature may make A indefinite; without it the iteration is slower but safe
        e->matrix.bending = false;
        status = aim(e);
    }
    ZN_TRY(status);
    zn_system_resolution(e->sys, e->now.q, e->scratch.rounding);
    zn_system_difference(e->sys, e->now.q, e->start, e->scratch.size);
    for (int i = 0; i < e->n_all; i++) {
        e->scratch.size[i] = fabs(e->scratch.size[i]) + (i < e->n ? fabs(e->way.d[i]) : 0);
        e->scratch.scale[i] = e->scratch.size[i] + e->scratch.rounding[i] / e->def.tolerance;
    }
    double before = e->way.correction;
    e->way.correction = zn_system_relative_norm(e->sys, e->way.d, e->scratch.scale);
    if (e->direct.soft > 0) {
        e->way.expected = before < INFINITY ? e->way.correction * (e->way.correction / before) : INFINITY;
        add_terms(e);
    }
    return ZN_OK;
}

// --- iteration -----------------------------------------------------------------------------------

static zn_status trial(void *user, double step, double *norm)
{
    zn_equilibrium *e = user;
    double          full = e->way.correction, next = e->way.expected;
    for (int i = 0; i < e->n; i++)
        e->scratch.probe[i] = step * e->way.d[i];
    memset(e->scratch.probe + e->n, 0, sizeof *e->scratch.probe * (size_t)(e->n_all - e->n));
    zn_system_retract(e->sys, e->now.q, e->scratch.probe, e->trial.q);
    for (int k = 0; k < e->set->count * e->set->stride; k++)
        e->trial.l[k] = step == 1 ? e->way.l[k] : e->now.l[k] + step * (e->way.l[k] - e->now.l[k]);
    e->way.correction = step == 1 ? full : INFINITY;
    e->way.expected = step == 1 ? next : INFINITY;
    zn_status status = zn_equilibrium_evaluate(e, e->trial.q, e->trial.l, norm);
    e->way.correction = full;
    e->way.expected = next;
    return status;
}

static void accept(void *user)
{
    zn_equilibrium *e = user;
    double         *q = e->now.q, *l = e->now.l;
    e->now.q = e->trial.q;
    e->now.l = e->trial.l;
    e->trial.q = q;
    e->trial.l = l;
}

// Forces balance: the contact that is farthest from Coulomb's law, if any is.
static void blame_friction(zn_equilibrium *e)
{
    zn_contact_id contact;
    double        off = zn_equilibrium_coulomb(e, &contact);
    if (!zn_contact_id_is_none(contact) && (zn_blame_last.kind != ZN_BLAME_GAP || off > zn_blame_last.value)) {
        zn_blame_last.kind = ZN_BLAME_GAP;
        zn_blame_last.problem = "Coulomb's law";
        zn_blame_last.contact = contact;
        zn_blame_last.value = off;
    }
}

zn_status zn_equilibrium_newton(zn_equilibrium *e)
{
    const zn_newton_problem  problem = {e, direction, trial, accept};
    const zn_newton_settings settings = {e->def.newton_iterations, 8, 0};
    double                   norm;
    e->way.correction = INFINITY;
    e->way.expected = INFINITY;
    ZN_TRY(zn_equilibrium_evaluate(e, e->now.q, e->now.l, &norm));
    // forces and gaps have different tolerances: the first full step may trade one for the other
    zn_status status = zn_newton_solve(&problem, &settings, norm <= 1 ? norm : DBL_MAX, NULL);
    zn_blame_newton(e->sys, status, e->at.residual, e->scratch.scale, "N", e->def.tolerance, e->set);
    if (status == ZN_NOT_CONVERGED && e->at.balance <= e->def.tolerance && e->friction.rows > 1)
        blame_friction(e);
    return status;
}
