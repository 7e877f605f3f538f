// One sub-problem of the nonsmooth generalized-alpha scheme: semi-smooth Newton with active sets and line search on
//     r0(x) - G'l = 0,   joints c(x) = 0,   contacts 0 <= c(x) _|_ l >= 0.
//
// Cosimo et al., eqs. (37)-(38), (42)-(43): a contact is active while its augmented multiplier l - p c >= 0 (l = k nu or
// k Lambda; the scaling k cancels here because the saddle point is condensed to its active rows). The next iterate
// satisfies the linearized constraints of the active set with l = 0 elsewhere. The penalty p only chooses the set, never
// the answer. When the set found is not the one assumed, the next iteration solves the linearized complementarity
// problem instead, so that sets cannot cycle.
#include <float.h>
#include <math.h>
#include <string.h>

#include "scheme/nsga.h"
#include "scheme/observe.h"

static double larger(double a, double b) { return a > b ? a : b; }

static bool takes_part(const nsga *s, const nsga_problem *p, int i)
{
    return s->contacts->bilateral[i] || (p->unilateral && s->allowed[i]);
}

// --- iterate -------------------------------------------------------------------------------------

// Distance from the laws: joints |c|, contacts |min(l / p, c)|; and the active set.
static double law_norm(nsga *s, nsga_problem *p, const double *l)
{
    double worst = 0;
    for (int i = 0; i < s->contacts->count; i++) {
        if (!takes_part(s, p, i)) {
            p->closed[i] = false;
            continue;
        }
        bool   joint = s->contacts->bilateral[i];
        bool   closed = joint || l[i] - p->penalty * p->c[i] >= -p->penalty * p->tolerance;
        double weighted = l[i] / p->penalty;
        double gap = joint ? fabs(p->c[i]) : fabs(weighted < p->c[i] ? weighted : p->c[i]);
        p->changed |= closed != p->closed[i];
        p->closed[i] = closed;
        worst = larger(worst, gap);
    }
    return zn_system_max(s->sys, worst) / p->tolerance;
}

zn_status nsga_evaluate(nsga *s, nsga_problem *p, const double *x, const double *l, double *norm)
{
    const zn_contact_set *set = s->contacts;
    ZN_TRY(p->evaluate(s, x, p->r0, p->c)); // leaves the size of its terms in s->scale
    memcpy(s->work2, p->r0, sizeof *s->work2 * (size_t)s->n_all);
    for (int i = 0; i < set->count; i++)
        for (int e = set->row_start[i * set->stride]; l[i] != 0 && e < set->row_start[i * set->stride + 1]; e++) {
            double push = set->row_value[e] * l[i];
            s->scale[set->row_dof[e]] += fabs(push);
            s->work2[set->row_dof[e]] -= push;
        }
    s->relative = zn_system_relative_norm(s->sys, s->work2, s->scale);
    if (!isfinite(s->relative))
        return ZN_NOT_FINITE;
    double smooth = s->relative < p->correction ? s->relative : p->correction;
    if (s->sys->info.linear && s->sys->straight_contacts && p->correction < INFINITY)
        smooth = 0; // one linear problem is exact
    p->changed = false;
    *norm = larger(smooth / s->def.newton_tolerance, law_norm(s, p, l));
    return ZN_OK;
}

// --- direction -----------------------------------------------------------------------------------

static zn_status factor(nsga *s, nsga_problem *p, zn_at at)
{
    if (s->sys->info.linear && p->factored_h == s->h)
        return ZN_OK;
    double abc[3];
    p->coefficients(s, abc);
    p->factored_h = 0;
    zn_delassus_invalidate(&p->columns);
    ZN_TRY(zn_system_operators(s->sys, at, abc[0], abc[1], abc[2], p->matrix));
    ZN_TRY(zn_linsolver_factor(p->solver, p->matrix));
    p->factored_h = s->h;
    return ZN_OK;
}

// Rows of the problem: joints, then active contacts as equations; or all contacts with their inequalities.
static int list_rows(nsga *s, const nsga_problem *p, bool complementarity, int *equations)
{
    int count = 0;
    for (int i = 0; i < s->contacts->count; i++)
        if (s->contacts->bilateral[i] || (!complementarity && p->closed[i]))
            s->list[count++] = i;
    *equations = count;
    for (int i = 0; i < s->contacts->count && complementarity; i++)
        if (!s->contacts->bilateral[i] && takes_part(s, p, i))
            s->list[count++] = i;
    return count;
}

// Multipliers of the linearized constraints; x_next holds the motion without them on entry, with them on exit.
static zn_status solve_rows(nsga *s, nsga_problem *p, bool complementarity)
{
    int equations, m = list_rows(s, p, complementarity, &equations), stride = s->contacts->stride;
    memset(p->l_next, 0, sizeof *p->l_next * (size_t)s->contacts->count);
    for (int k = 0; k < m; k++)
        ZN_TRY(zn_delassus_column(&p->columns, p->solver, s->contacts, s->list[k] * stride));
    for (int i = 0; i < s->n; i++)
        s->work[i] = p->x_next[i] - p->x[i];
    for (int k = 0; k < m; k++) {
        int row = s->list[k] * stride;
        for (int j = 0; j < m; j++)
            s->W[k * m + j] = zn_row_dot(s->contacts, row, s->n, p->columns.column + (size_t)(s->list[j] * stride) * (size_t)s->n);
        s->b[k] = p->c[s->list[k]] + zn_row_dot(s->contacts, row, s->n, s->work);
        s->z[k] = p->l[s->list[k]];
    }
    if (m == 0)
        return ZN_OK;
    zn_lcp_problem  problem = {m, equations, s->W, s->b};
    zn_lcp_settings settings = {s->def.solver, 0, s->def.solver_tolerance};
    zn_lcp_info     report;
    ZN_TRY(zn_system_checkpoint(s->sys));
    const char *level = p == &s->velocity ? "velocity" : p == &s->position ? "position" : "smooth";
    ZN_TRY(zn_observe_lcp(&s->def.observer, &problem, level, s->from->t,
                          zn_lcp_solve(&problem, &settings, s->z, s->w, s->scratch, &report)));
    s->info->solver_iterations += report.iterations;
    s->info->complementarity = larger(s->info->complementarity, report.residual);
    for (int k = 0; k < m; k++) {
        const double *column = p->columns.column + (size_t)(s->list[k] * stride) * (size_t)s->n;
        p->l_next[s->list[k]] = s->z[k];
        for (int i = 0; i < s->n; i++)
            p->x_next[i] += s->z[k] * column[i];
    }
    return ZN_OK;
}

static zn_status direction(void *user)
{
    nsga         *s = user;
    nsga_problem *p = s->current;
    p->iterations++;
    s->info->newton_iterations++;
    ZN_TRY(factor(s, p, (zn_at){s->q, s->v, s->from->t + s->h, 0}));
    memcpy(s->work, p->r0, sizeof *s->work * (size_t)s->n);
    ZN_TRY(zn_system_checkpoint(s->sys));
    ZN_TRY(zn_linsolver_solve(p->solver, 1, s->work));
    for (int i = 0; i < s->n; i++)
        p->x_next[i] = p->x[i] - s->work[i];
    ZN_TRY(solve_rows(s, p, p->iterations > 1 && p->changed));
    for (int i = 0; i < s->n; i++) {
        s->work[i] = p->x_next[i] - p->x[i];
        s->scale[i] = fabs(p->x_next[i]) + s->extra[i];
    }
    p->correction = zn_system_relative_norm(s->sys, s->work, s->scale);
    return ZN_OK;
}

static zn_status trial(void *user, double step, double *norm)
{
    nsga         *s = user;
    nsga_problem *p = s->current;
    for (int i = 0; i < s->n; i++)
        p->x_trial[i] = step == 1 ? p->x_next[i] : p->x[i] + step * (p->x_next[i] - p->x[i]);
    for (int i = 0; i < s->contacts->count; i++)
        p->l_trial[i] = step == 1 ? p->l_next[i] : p->l[i] + step * (p->l_next[i] - p->l[i]);
    return nsga_evaluate(s, p, p->x_trial, p->l_trial, norm);
}

static void accept(void *user)
{
    nsga_problem *p = ((nsga *)user)->current;
    double       *x = p->x, *l = p->l;
    p->x = p->x_trial;
    p->l = p->l_trial;
    p->x_trial = x;
    p->l_trial = l;
}

zn_status nsga_solve(nsga *s, nsga_problem *p)
{
    const zn_newton_problem  problem = {s, direction, trial, accept};
    const zn_newton_settings settings = {s->def.newton_iterations, 8};
    double                   norm;
    s->current = p;
    p->iterations = 0;
    p->correction = INFINITY;
    ZN_TRY(nsga_evaluate(s, p, p->x, p->l, &norm));
    // gaps and forces have different tolerances: the first full step may trade one for the other
    return zn_newton_solve(&problem, &settings, norm <= 1 ? norm : DBL_MAX, NULL);
}
