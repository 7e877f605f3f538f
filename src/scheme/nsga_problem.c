// One sub-problem of the nonsmooth generalized-alpha scheme: semi-smooth Newton with active sets and line search on
//     r0(x) - G'l = 0,   joints c(x) = 0,   contacts under Coulomb's law between c(x) and l.
//
// Cosimo et al., eqs. (37)-(38), (42)-(43), and Galvez et al., eqs. (36)-(63). With the augmented multiplier
// xi = l - p c (l = k nu or k Lambda; the scaling k cancels here because the saddle point is condensed to its rows) and
// the projection of Alart and Curnier,
//     F(xi) = ( max(xi_N, 0),  xi_T projected on the disk of radius mu max(xi_N, 0) ),
// the law is l = F(xi) for gap, slip and stick alike. The penalty p only chooses the set, never the answer.
//
// Without friction the next iterate satisfies the linearized constraints of the active set with l = 0 elsewhere; when
// the set found is not the one assumed, the next iteration solves the linearized complementarity problem instead, so
// that sets cannot cycle. With friction every iteration solves the linearized friction problem, first of the contacts
// that are closed or about to be, of all of them when that was not enough.
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/linsolver.h"
#include "constraint/nonsmooth.h"
#include "scheme/nsga.h"
#include "constraint/observe.h"
#include "constraint/redundant.h"
#include "constraint/stick.h"

static double larger(double a, double b) { return a > b ? a : b; }

static bool takes_part(const nsga *s, const nsga_problem *p, int i)
{
    if (s->contacts->bilateral[i])
        return p->unilateral || s->def.smooth == ZN_SMOOTH_JOINTS;
    return p->unilateral && s->allowed[i];
}

int nsga_rows(const nsga *s, const nsga_problem *p, int i)
{
    const zn_contact_set *set = s->contacts;
    int                   rows = 1, first = i * set->stride;
    if (set->bilateral[i] || !p->friction || !(set->friction[i] > 0))
        return 1;
    while (rows < set->stride && set->row_start[first + rows + 1] > set->row_start[first + rows])
        rows++;
    return rows;
}

// --- iterate -------------------------------------------------------------------------------------

// |l - F(l - p c)| / p of one contact.
static double law_distance(int rows, double mu, double p, const double *l, const double *c)
{
    double normal = l[0] / p < c[0] ? l[0] / p : c[0], radius = mu * larger(l[0] / p - c[0], 0), size = 0;
    double xi[2] = {0}, sum = normal * normal;
    for (int k = 1; k < rows; k++) {
        xi[k - 1] = l[k] / p - c[k];
        size = hypot(size, xi[k - 1]);
    }
    double keep = size > radius ? radius / size : 1;
    for (int k = 1; k < rows; k++) {
        double miss = keep == 1 ? c[k] : l[k] / p - keep * xi[k - 1];
        sum += miss * miss;
    }
    return sqrt(sum);
}

// Distance from the laws: joints |c|, contacts |l - F(xi)| / p; and the active set.
static double law_norm(nsga *s, nsga_problem *p, const double *l)
{
    double worst = 0;
    for (int i = 0; i < s->contacts->count; i++) {
        int row = i * s->contacts->stride;
        if (!takes_part(s, p, i)) {
            p->closed[i] = false;
            continue;
        }
        bool joint = s->contacts->bilateral[i];
        if (joint && !p->unilateral && s->repeated[i])
            continue; // off the joints' exact position, where q~ is, it contradicts the ones it repeats
        bool   closed = joint || l[row] - p->penalty * p->c[row] >= -p->penalty * p->tolerance;
        double missed =
            joint ? fabs(p->c[row])
                  : law_distance(nsga_rows(s, p, i), s->contacts->friction[i], p->penalty, l + row, p->c + row);
        worst = larger(worst, missed - p->known[row]);
        p->changed |= closed != p->closed[i];
        p->closed[i] = closed;
    }
    p->law = zn_system_max(s->sys, worst);
    return p->law / p->tolerance;
}

// Residual and laws of a sub-problem; `norm` 1 is the tolerance.
static zn_status evaluate_at(nsga *s, nsga_problem *p, const double *x, const double *l, double *norm)
{
    const zn_contact_set *set = s->contacts;
    ZN_TRY(p->evaluate(s, x, p->r0, p->c)); // leaves the size of its terms in s->scale
    memcpy(s->work2, p->r0, sizeof *s->work2 * (size_t)s->n_all);
    for (int k = 0; k < set->count * set->stride; k++)
        for (int e = set->row_start[k]; l[k] != 0 && e < set->row_start[k + 1]; e++) {
            double push = set->row_value[e] * l[k];
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

// --- factors -------------------------------------------------------------------------------------

static zn_status factor_at(nsga *s, nsga_problem *p, zn_at at)
{
    double abc[3];
    p->coefficients(s, abc);
    p->factored_h = 0;
    p->refactor = false;
    zn_delassus_invalidate(&p->columns);
    ZN_TRY(zn_system_operators(s->sys, at, abc[0], abc[1], abc[2], p->matrix));
    ZN_TRY(zn_linsolver_factor_kept(p->solver, p->matrix, s->sys->info.linear));
    if (p->blocks)
        ZN_TRY(zn_node_blocks_factor(p->blocks, p->matrix));
    p->factored_h = s->h;
    return ZN_OK;
}

// Kept as long as the step size stays and Newton converges quickly with them: factors of large matrices from step to
// step, of small ones, which cost less than an iteration, within one.
static zn_status factor(nsga *s, nsga_problem *p, zn_at at)
{
    bool kept = s->sys->info.linear || (!p->refactor && (p->iterations > 1 || p->costly));
    return p->factored_h == s->h && kept ? ZN_OK : factor_at(s, p, at);
}

zn_status nsga_factor_ahead(nsga *s)
{
    nsga_problem *const problems[] = {&s->smooth, &s->position, &s->velocity};
    zn_at               at = {s->from->q, s->from->v, s->from->t + s->h, 0};
    for (int k = 0; k < (s->contacts_max > 0 ? 3 : 1); k++) {
        zn_status status = problems[k]->factored_h == s->h ? ZN_OK : factor_at(s, problems[k], at);
        if (status != ZN_OK && status != ZN_SINGULAR) // who needs it says so
            return status;
    }
    return ZN_OK;
}

// --- direction -----------------------------------------------------------------------------------

// A contact to solve for: as an equation, with its inequalities because it is closed or about to be, or in any case.
typedef enum choice { ACTIVE_AS_EQUATIONS, LIKELY, ALL } choice;

// Multiplier of the last step, which stays with its contact: warm start.
static double last_step(const nsga *s, const nsga_problem *p, int row)
{
    if (s->contacts->bilateral[row / s->contacts->stride])
        return p->l[row];
    return p == &s->position ? s->contacts->projection[row] : s->contacts->impulse[row];
}

static bool chosen(const nsga *s, const nsga_problem *p, choice which, int i)
{
    if (!takes_part(s, p, i))
        return false;
    if (which == ALL || p->closed[i])
        return true;
    int row = i * s->contacts->stride; // s->work: motion of this iteration without multipliers
    if (which == LIKELY && p->blocks && (p == &s->velocity || last_step(s, p, row) != 0))
        return true; // in a pile that falls as a whole nothing else tells what holds what
    return which == LIKELY && p->c[row] + zn_row_dot(s->contacts, row, s->n, s->work) <= 0;
}

typedef struct counts {
    int  rows, equations, contacts;
    bool friction;
} counts;

static void append(nsga *s, const nsga_problem *p, int i, counts *m)
{
    int rows = nsga_rows(s, p, i);
    for (int r = 0; r < rows; r++)
        s->row[m->rows++] = i * s->contacts->stride + r;
    m->friction |= rows > 1;
}

// Rows of the problem: joints, then contacts.
static counts list_rows(nsga *s, const nsga_problem *p, choice which)
{
    counts m = {0};
    for (int i = 0; i < s->contacts->count; i++)
        if (takes_part(s, p, i) && (s->contacts->bilateral[i] || (which == ACTIVE_AS_EQUATIONS && p->closed[i])))
            append(s, p, i, &m);
    m.equations = m.rows;
    for (int i = 0; i < s->contacts->count && which != ACTIVE_AS_EQUATIONS; i++)
        if (!s->contacts->bilateral[i] && chosen(s, p, which, i)) {
            s->first[m.contacts] = m.rows;
            s->mu[m.contacts++] = s->contacts->friction[i];
            append(s, p, i, &m);
        }
    s->first[m.contacts] = m.rows;
    return m;
}

static const double *column_of(const nsga *s, const nsga_problem *p, int k)
{
    return p->columns.column + (size_t)s->row[k] * (size_t)s->n;
}

// Many rows of a pile: W is given by blocks alone.
static bool is_sparse(const nsga_problem *p, int rows) { return p->blocks && rows > ZN_DENSE_ROWS; }

static zn_status assemble(nsga *s, nsga_problem *p, counts m)
{
    if (p->blocks) {
        ZN_TRY(zn_node_blocks_assemble(p->blocks, s->contacts, s->row, m.equations, m.contacts, s->first));
        if (!is_sparse(p, m.rows))
            zn_node_blocks_write(p->blocks, s->W);
        return ZN_OK;
    }
    ZN_TRY(zn_delassus_columns(&p->columns, p->solver, s->contacts, m.rows, s->row, 1));
    for (int k = 0; k < m.rows; k++)
        for (int j = 0; j < m.rows; j++)
            s->W[k * m.rows + j] = zn_row_dot(s->contacts, s->row[k], s->n, column_of(s, p, j));
    return ZN_OK;
}

static zn_status fill(nsga *s, nsga_problem *p, counts m)
{
    ZN_TRY(assemble(s, p, m));
    for (int k = 0; k < m.rows; k++) {
        s->b[k] = p->c[s->row[k]] + zn_row_dot(s->contacts, s->row[k], s->n, s->work);
        s->z[k] = p->iterations > 1 ? p->l[s->row[k]] : last_step(s, p, s->row[k]);
    }
    return ZN_OK;
}

// The solver's tolerance is relative to the terms of the problem and about another norm than that of the law. An answer
// that misses the law would, as a warm start, come back unchanged: where Newton has all but converged, as much more is
// asked for as the law was missed by. And where gaps hold rounding errors that no impulse can remove (more contacts
// than needed), what the law allows must do.
static zn_status solve_friction(nsga *s, const zn_fc_problem *problem, zn_fc_info *report)
{
    nsga_problem  *p = s->current;
    zn_fc_settings settings = {strcmp(s->def.solver, "pivot") == 0 ? "auto" : s->def.solver, 0, 0,
                               ZN_FC_MEASURE_NATURAL, false};
    double         size = DBL_MIN, missed = p->law / p->tolerance;
    for (int k = 0; k < problem->n; k++)
        size = larger(size, fabs(problem->q[k]));
    if (p->iterations > 1 && p->correction < 1e-6 && missed > 1)
        p->asked = larger(p->asked / (4 * missed), 0.25 * DBL_EPSILON);
    double most = larger(0.1 * p->tolerance / size, s->def.solver_tolerance);
    settings.tolerance = p->asked;
    zn_status status = zn_fc_solve(problem, &settings, s->workspace, s->z, s->w, report);
    if (status != ZN_NOT_CONVERGED || !(most > settings.tolerance))
        return status;
    settings.tolerance = most;
    return zn_fc_solve(problem, &settings, s->workspace, s->z, s->w, report);
}

// Largest sum of the terms of a row, which the solver's tolerance is relative to.
static double largest_terms(const zn_fc_problem *problem, const double *z)
{
    const zn_fc_matrix *W = problem->sparse;
    double              largest = DBL_MIN, offset = 0;
    for (int k = 0; k < problem->n; k++) {
        double sum = fabs(problem->q[k]);
        offset = larger(offset, sum);
        for (int e = W->start[k]; e < W->start[k + 1]; e++)
            sum += fabs(W->value[e] * z[W->column[e]]);
        largest = larger(largest, sum);
    }
    return largest < 1000 * offset ? largest : larger(1000 * offset, DBL_MIN);
}

// Many contacts: each iteration is solved for what the law needs, or for a fraction of what it is missed by as long as
// the rows still turn.
static zn_status attempt_pile(nsga *s, counts m, const char *level)
{
    nsga_problem     *p = s->current;
    zn_sparse_problem pile = {{m.rows, m.equations, m.contacts, s->first, NULL, s->b, s->mu, &p->blocks->W},
                              s->def.solver,
                              0,
                              0,
                              ZN_FC_MEASURE_NATURAL,
                              s->workspace,
                              s->def.observer,
                              level,
                              s->from->t};
    double            size = largest_terms(&pile.problem, s->z), fraction = p == &s->position ? 0.01 * p->law : 0;
    if (p->iterations > 1 && p->law > p->tolerance && p->law < 10 * p->tolerance)
        p->asked *= 0.25;
    pile.tolerance = larger(larger(p->asked * p->tolerance, fraction) / size, 0.25 * DBL_EPSILON);
    pile.enough = 0.5 * p->tolerance / size;
    return zn_nonsmooth_solve_sparse(&pile, s->z, s->w, &p->complementarity,
                                     (zn_effort){&s->info->solver_iterations, &s->info->complementarity});
}

static zn_status attempt(nsga *s, counts m)
{
    nsga_problem *p = s->current;
    const char   *level = p == &s->velocity ? "velocity" : p == &s->position ? "position" : "smooth";
    int           iterations;
    if (is_sparse(p, m.rows))
        return attempt_pile(s, m, level);
    if (m.friction) {
        zn_fc_problem problem = {m.rows, m.equations, m.contacts, s->first, s->W, s->b, s->mu, NULL};
        zn_fc_info    report;
        if (m.rows <= ZN_STICK_ROWS && zn_stick(&problem, 0.01 * p->tolerance, s->z, s->scratch))
            return zn_observe(&s->def.observer, &problem, level, s->from->t, ZN_OK);
        ZN_TRY(zn_observe(&s->def.observer, &problem, level, s->from->t, solve_friction(s, &problem, &report)));
        iterations = report.iterations;
        p->complementarity = report.residual;
    } else {
        zn_lcp_problem  problem = {m.rows, m.equations, s->W, s->b};
        zn_lcp_settings settings = {s->def.solver, 0, s->def.solver_tolerance};
        zn_lcp_info     report;
        ZN_TRY(zn_observe_lcp(&s->def.observer, &problem, level, s->from->t,
                              zn_lcp_solve(&problem, &settings, s->z, s->w, s->scratch, &report)));
        iterations = report.iterations;
        p->complementarity = report.residual;
    }
    s->info->solver_iterations += iterations;
    return ZN_OK;
}

// Without equations that repeat others: where joints do, and where the problem has no answer otherwise (four corners of
// a box that are all to stay on the floor).
static zn_status solve_independent(nsga *s, counts m)
{
    if (s->current->blocks)
        return attempt(s, m); // no equations
    if (s->redundant && zn_redundant_isolate(m.rows, m.equations, s->W, s->b, s->scratch)) {
        const double *dependent = (const double *)s->scratch + (size_t)m.equations * (size_t)m.equations;
        for (int k = 0; k < m.equations; k++)
            s->repeated[s->row[k] / s->contacts->stride] = dependent[k] != 0;
    }
    zn_status status = attempt(s, m);
    if (status != ZN_NOT_CONVERGED || s->redundant ||
        !zn_redundant_isolate(m.rows, m.equations, s->W, s->b, s->scratch))
        return status;
    return attempt(s, m);
}

// Light bodies on long levers: the terms of W l are large and cancel, so that c is known to a few of their last digits
// only.
static void measure_rounding(nsga *s, nsga_problem *p, int rows)
{
    for (int k = 0; k < rows; k++) {
        double sum = 0;
        for (int j = 0; j < rows; j++)
            sum += fabs(s->W[k * rows + j] * s->z[j]);
        int normal = s->row[k] / s->contacts->stride * s->contacts->stride;
        p->known[normal] = larger(s->row[k] == normal ? 0 : p->known[normal], 8 * DBL_EPSILON * sum);
    }
}

// Multipliers of the linearized constraints; x_next holds the motion without them on entry, with them on exit.
static zn_status solve_rows(nsga *s, nsga_problem *p, bool again)
{
    bool inequalities = p->blocks || (p->friction && s->contacts->stride > 1);
    for (int i = 0; i < s->n; i++)
        s->work[i] = p->x_next[i] - p->x[i];
    counts m = list_rows(s, p, again ? ALL : inequalities ? LIKELY : ACTIVE_AS_EQUATIONS);
    memset(p->l_next, 0, sizeof *p->l_next * (size_t)nsga_row_count(s));
    if (m.rows == 0)
        return ZN_OK;
    ZN_TRY(fill(s, p, m));
    ZN_TRY(zn_fault_point());
    ZN_TRY(solve_independent(s, m));
    if (p->blocks)
        zn_node_blocks_respond(p->blocks, s->z, p->x_next);
    else
        measure_rounding(s, p, m.rows);
    for (int k = 0; k < m.rows; k++) {
        p->l_next[s->row[k]] = s->z[k];
        const double *column = p->blocks ? NULL : column_of(s, p, k);
        for (int i = 0; column && i < s->n; i++)
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
    ZN_TRY(zn_fault_point());
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
    for (int k = 0; k < nsga_row_count(s); k++)
        p->l_trial[k] = step == 1 ? p->l_next[k] : p->l[k] + step * (p->l_next[k] - p->l[k]);
    ZN_TRY(evaluate_at(s, p, p->x_trial, p->l_trial, norm));
    p->refactor |= *norm > 1 && !(*norm < 0.01 * p->last_norm);
    p->last_norm = *norm;
    return ZN_OK;
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
    p->asked = p->blocks ? 0.1 : s->def.solver_tolerance;
    ZN_TRY(evaluate_at(s, p, p->x, p->l, &norm));
    p->last_norm = norm;
    p->complementarity = 0;
    // gaps and forces have different tolerances: the first full step may trade one for the other
    ZN_TRY(zn_newton_solve(&problem, &settings, norm <= 1 ? norm : DBL_MAX, NULL));
    s->info->complementarity = larger(s->info->complementarity, p->complementarity);
    return ZN_OK;
}
