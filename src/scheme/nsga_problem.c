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
// that sets cannot cycle; likewise where more contacts are closed than can be (two pairs of teeth of gears): as
// equations they contradict each other. With friction every iteration solves the linearized friction problem, first of
// the contacts that are closed or about to be, of all of them when that was not enough.
//
// With solver alart_curnier there are no such problems: each iteration solves the linear equations that the derivative
// of l = F(xi) gives, with the status of each contact (open, stick, slip) taken from xi at the iterate, as in the
// papers. friction_augmented.c shows that the step in the rows is that of the whole saddle point. Statuses may cycle:
// where the iteration does not end, the problem is solved in the other way.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "scheme/nsga.h"
#include "solve/solvers.h"

static double larger(double a, double b) { return a > b ? a : b; }

static bool takes_part(const nsga *s, const nsga_problem *p, int i)
{
    ZN_ASSERT(i >= 0 && i < s->contacts->count);
    if (s->contacts->bilateral[i])
        return p->unilateral || nsga_smooth_joints(s);
    return p->unilateral ? s->allowed[i] : s->held[i] > 0;
}

int nsga_rows(const nsga *s, const nsga_problem *p, int i)
{
    ZN_ASSERT(i >= 0 && i < s->contacts->count);
    const zn_contact_set *set = s->contacts;
    if (!p->unilateral && !set->bilateral[i])
        return s->held[i];
    return set->bilateral[i] || !p->friction || !(set->friction[i] > 0) ? 1 : zn_contact_row_count(set, i);
}

static bool is_part(const nsga *s, int parts, int row)
{
    return parts & (s->contacts->bilateral[row / s->contacts->stride] ? NSGA_JOINTS : NSGA_CONTACTS);
}

void nsga_multiply_rows(const nsga *s, int parts, const double *l, double *y)
{
    memset(y, 0, sizeof *y * (size_t)s->n_all);
    for (int k = 0; k < nsga_row_count(s); k++)
        if (l[k] != 0 && is_part(s, parts, k))
            zn_row_add(s->contacts, k, s->n_all, l[k], y);
}

// The terms of G' l without their signs.
static void measure_rows(const nsga *s, int part, const double *l, double *size)
{
    const zn_contact_set *set = s->contacts;
    memset(size, 0, sizeof *size * (size_t)s->n_all);
    for (int k = 0; k < nsga_row_count(s); k++)
        for (int e = set->row_start[k]; l[k] != 0 && is_part(s, part, k) && e < set->row_start[k + 1]; e++)
            size[set->row_dof[e]] += fabs(set->row_value[e] * l[k]);
}

void nsga_push_smooth(nsga *s)
{
    nsga_multiply_rows(s, NSGA_JOINTS, s->smooth.l, s->motion.joint);
    nsga_multiply_rows(s, NSGA_CONTACTS, s->smooth.l, s->motion.contact);
    measure_rows(s, NSGA_JOINTS, s->smooth.l, s->motion.joint_size);
    measure_rows(s, NSGA_CONTACTS, s->smooth.l, s->motion.contact_size);
}

// --- iterate -------------------------------------------------------------------------------------

// Distance from the laws: joints |c|, contacts |l - F(xi)| / p; and the active set.
static double law_norm(nsga *s, nsga_problem *p, const double *l)
{
    double worst = 0, left_out = 0;
    p->distance = p->excused = p->turning = 0;
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
        double missed = joint ? fabs(p->c[row])
                              : zn_contact_distance(s->contacts, i, nsga_rows(s, p, i), p->weight, l + row, p->c + row);
        if (!joint)
            p->turning = larger(p->turning, zn_contact_turn_distance(s->contacts, i, nsga_rows(s, p, i), p->weight,
                                                                     l + row, p->c + row));
        double *most = joint && s->repeated[i] ? &left_out : &worst;
        *most = larger(*most, missed - p->known[row]);
        p->distance = larger(p->distance, missed);
        p->excused = larger(p->excused, missed < p->known[row] ? missed : p->known[row]);
        p->changed |= closed != p->closed[i];
        p->closed[i] = closed;
    }
    p->strict |= p->iterations > 0 && worst <= p->tolerance && left_out > p->tolerance;
    p->changed = zn_system_max(s->sys, p->changed) > 0;
    p->law = zn_system_max(s->sys, larger(worst, left_out));
    p->distance = zn_system_max(s->sys, p->distance);
    p->excused = zn_system_max(s->sys, p->excused);
    p->turning = zn_system_max(s->sys, p->turning);
    return p->law / p->tolerance;
}

// Residual and laws of a sub-problem; `norm` 1 is the tolerance.
static zn_status evaluate_at(nsga *s, nsga_problem *p, const double *x, const double *l, double *norm)
{
    const zn_contact_set *set = s->contacts;
    ZN_TRY(p->evaluate(s, x, p->r0, p->c)); // leaves the size of its terms in s->scratch.scale
    memcpy(s->scratch.work2, p->r0, sizeof *s->scratch.work2 * (size_t)s->n_all);
    for (int k = 0; k < set->count * set->stride; k++)
        for (int e = set->row_start[k]; l[k] != 0 && e < set->row_start[k + 1]; e++) {
            double push = set->row_value[e] * l[k];
            s->scratch.scale[set->row_dof[e]] += fabs(push);
            s->scratch.work2[set->row_dof[e]] -= push;
        }
    s->step.relative = zn_system_relative_norm(s->sys, s->scratch.work2, s->scratch.scale);
    if (!isfinite(s->step.relative))
        return zn_blame_infinite(s->sys, s->n, s->scratch.work2);
    for (int i = 0; i < s->n; i++)
        s->scratch.pushes[i] = p->r0[i] - s->scratch.work2[i];
    double smooth = zn_newton_distance(s->sys, s->step.relative, p->correction, s->def.newton_tolerance,
                                       s->scratch.pushes, p->pushed, s->scratch.scale, s->scratch.work);
    if (s->sys->info.linear && s->sys->straight_contacts && p->correction < INFINITY &&
        !zn_response_iterates(&p->response))
        smooth = 0; // one linear problem is exact
    p->changed = false;
    *norm = larger(smooth / s->def.newton_tolerance, law_norm(s, p, l));
    return ZN_OK;
}

// --- factors -------------------------------------------------------------------------------------

// Multiplier of the last step, which stays with its contact: warm start.
static double last_step(const nsga *s, const nsga_problem *p, int row)
{
    if (s->contacts->bilateral[row / s->contacts->stride])
        return p->l[row];
    if (p == &s->position)
        return s->contacts->projection[row];
    return p == &s->smooth ? s->contacts->impulse[row] / s->step.h : s->contacts->impulse[row];
}

static zn_status factor_at(nsga *s, nsga_problem *p, zn_at at)
{
    double abc[3];
    p->coefficients(s, abc);
    p->refactor = false;
    return zn_response_factor(&p->response, at, abc, s->step.h);
}

// Multipliers whose forces turn with the unknown of the problem, per row, as they enter its matrix: those of this
// iteration, at first those of the last step.
static const double *bending(nsga *s, nsga_problem *p, double stiffness)
{
    const zn_contact_set *set = s->contacts;
    double               *out = p->l_next, h = s->step.h; // l_next is not needed yet
    for (int k = 0; k < nsga_row_count(s); k++) {
        int    i = k / set->stride;
        bool   joint = set->bilateral[i], first = p->iterations == 1;
        double l = first ? last_step(s, p, k) : p->l[k];
        if (p == &s->smooth && first) // what it holds
            l = takes_part(s, p, i) ? set->impulse[k] / h : 0;
        out[k] = p == &s->smooth ? stiffness * l : l + (joint ? stiffness * s->smooth.l[k] : 0);
    }
    return out;
}

static zn_status factor_bent(nsga *s, nsga_problem *p, zn_at at)
{
    double abc[3];
    p->coefficients(s, abc);
    p->refactor = false;
    const double *U = p == &s->position && s->sys->frames3 > 0 ? p->x : NULL;
    const zn_bend bend = {s->contacts, at.q, bending(s, p, abc[2]), at.t, U};
    return zn_response_bend(&p->response, at, abc, s->step.h, &bend);
}

// Kept as long as the step size stays and Newton converges quickly with them: factors of large matrices from step to
// step, of small ones, which cost less than an iteration, within one.
static zn_status factor(nsga *s, nsga_problem *p, zn_at at)
{
    if (p->bends && zn_response_bends(&p->response, s->contacts->count, nsga_row_count(s)))
        return factor_bent(s, p, at);
    bool kept = s->sys->info.linear || (!p->refactor && (p->iterations > 1 || p->costly));
    return zn_response_is_for(&p->response, s->step.h) && kept ? ZN_OK : factor_at(s, p, at);
}

zn_status nsga_factor(nsga *s, nsga_problem *p)
{
    p->iterations = 0;
    return factor(s, p, (zn_at){s->total.q, s->total.v, s->step.from->t + s->step.h, 0});
}

zn_status nsga_factor_ahead(nsga *s)
{
    nsga_problem *const problems[] = {&s->smooth, &s->position, &s->velocity};
    zn_at               at = {s->step.from->q, s->step.from->v, s->step.from->t + s->step.h, 0};
    bool                touches = zn_system_max(s->sys, s->contacts_max) > 0;
    for (int k = 0; k < (touches ? 3 : 1); k++) {
        zn_status status =
            zn_response_is_for(&problems[k]->response, s->step.h) ? ZN_OK : factor_at(s, problems[k], at);
        if (status != ZN_OK && status != ZN_SINGULAR) // who needs it says so
            return status;
    }
    return ZN_OK;
}

// --- direction -----------------------------------------------------------------------------------

// A contact to solve for: as an equation, with its law because it is closed, closed or about to be, or in any case.
typedef enum choice { ACTIVE_AS_EQUATIONS, CLOSED, LIKELY, ALL } choice;

static bool chosen(const nsga *s, const nsga_problem *p, choice which, int i)
{
    if (!takes_part(s, p, i))
        return false;
    if (which == ALL || p->closed[i])
        return true;
    int row = i * s->contacts->stride; // s->scratch.work: motion of this iteration without multipliers
    if (which == LIKELY && ((p->response.blocks && p == &s->velocity) || last_step(s, p, row) != 0))
        return true; // where everything falls as a whole nothing else tells what holds what
    return which == LIKELY && p->c[row] + zn_row_dot(s->contacts, row, s->n, s->scratch.work) <= 0;
}

// Rows of the problem: joints, then contacts.
static void list_rows(nsga *s, const nsga_problem *p, choice which)
{
    const zn_contact_set *set = s->contacts;
    zn_row_list_clear(&s->list);
    for (int i = 0; i < set->count; i++)
        if (takes_part(s, p, i) && (set->bilateral[i] || (which == ACTIVE_AS_EQUATIONS && p->closed[i])))
            for (int r = 0; r < nsga_rows(s, p, i); r++)
                zn_row_list_add_equation(&s->list, i * set->stride + r);
    for (int i = 0; i < set->count && which != ACTIVE_AS_EQUATIONS; i++)
        if (!set->bilateral[i] && chosen(s, p, which, i))
            zn_row_list_add_contact(&s->list, set, i, nsga_rows(s, p, i));
}

// How the constraints change along the unknown: velocities of the smooth motion also turn with its configuration (47).
static zn_status find_rows(nsga *s, nsga_problem *p, zn_rows *G)
{
    zn_at  at = {s->total.q, s->motion.v, s->step.from->t + s->step.h, 0};
    double abc[3];
    *G = zn_gap_rows(s->contacts);
    if (p == &s->velocity || !p->bends)
        return ZN_OK;
    if (p == &s->position) {
        return s->sys->frames3 > 0 ? zn_curvature_pull(p->response.curvature, s->sys, s->contacts, &s->list, p->x, G)
                                   : ZN_OK;
    }
    p->coefficients(s, abc);
    return zn_curvature_turn(p->response.curvature, s->sys, s->contacts, &s->list, at, abc[2], G);
}

static zn_status fill(nsga *s, nsga_problem *p)
{
    zn_constraints *c = &s->constraints;
    const int      *row = s->list.row;
    zn_rows         G;
    ZN_TRY(find_rows(s, p, &G));
    ZN_TRY(zn_constraints_assemble(c, &s->list, &p->response, s->contacts, G, zn_gap_rows(s->contacts)));
    for (int k = 0; k < s->list.rows; k++) {
        c->b[k] = p->c[row[k]] + zn_rows_dot(G, row[k], s->n, s->scratch.work);
        c->z[k] = p->iterations > 1 ? p->l[row[k]] : last_step(s, p, row[k]);
    }
    return ZN_OK;
}

// Largest sum of the terms of a row, with the multipliers known so far.
static double dense_terms(const zn_constraints *c, int rows)
{
    double largest = DBL_MIN;
    for (int k = 0; k < rows; k++) {
        double sum = fabs(c->b[k]);
        for (int l = 0; l < rows; l++)
            sum += fabs(c->W[(size_t)k * (size_t)rows + (size_t)l] * c->z[l]);
        largest = larger(largest, sum);
    }
    return largest;
}

static const double coarsest = 1e-10; // of relative tolerances: this much can nearly always be had

// The solver's tolerance is relative to the terms of the problem and about another norm than that of the law. An answer
// that misses the law would, as a warm start, come back unchanged: where Newton has all but converged, as much more is
// asked for as the law was missed by. Gaps and velocities hold rounding errors, which contacts that repeat each other
// turn into contradictions that no impulse can remove: beyond these nothing is asked for, and where that is not
// reached, what the law allows must do.
static void ask_more(nsga_problem *p)
{
    double missed = p->law / p->tolerance;
    if (p->iterations > 1 && p->correction < 1e-6 && missed > 1)
        p->asked = larger(p->asked / (4 * missed), 0.25 * DBL_EPSILON);
}

static void demand_few(nsga *s, nsga_problem *p, zn_demand *demand)
{
    double size = DBL_MIN;
    for (int k = 0; k < s->list.rows; k++)
        size = larger(size, fabs(s->constraints.b[k]));
    ask_more(p);
    double rounding = 2 * p->resolution / dense_terms(&s->constraints, s->list.rows);
    demand->tolerance = larger(p->asked, rounding < coarsest ? rounding : coarsest);
    demand->enough = larger(larger(0.1 * p->tolerance / size, s->def.solver_tolerance), rounding);
    demand->loose = 0.01 * p->tolerance;
}

// Largest sum of the terms of a row, which the solver's tolerance is relative to.
static double largest_terms(const zn_constraints *c)
{
    const zn_fc_matrix *W = c->sparse;
    double              largest = DBL_MIN, offset = 0;
    for (int k = 0; k < W->rows; k++) {
        double sum = fabs(c->b[k]);
        offset = larger(offset, sum);
        for (int e = W->start[k]; e < W->start[k + 1]; e++)
            sum += fabs(W->value[e] * c->z[W->column[e]]);
        largest = larger(largest, sum);
    }
    return largest < 1000 * offset ? largest : larger(1000 * offset, DBL_MIN);
}

// Many contacts: each iteration is solved for what the law needs, or for a fraction of what it is missed by as long as
// the rows still turn.
static void demand_many(nsga *s, nsga_problem *p, zn_demand *demand)
{
    double size = largest_terms(&s->constraints), fraction = p == &s->position ? 0.01 * p->law : 0;
    if (p->iterations > 1 && p->law > p->tolerance && p->law < 10 * p->tolerance)
        p->share *= 0.25;
    demand->tolerance = larger(larger(p->share * p->tolerance, fraction) / size, 0.25 * DBL_EPSILON);
    demand->enough = 0.5 * p->tolerance / size;
}

// As demand_few, but without W nothing is known of its terms.
static void demand_split(const nsga *s, nsga_problem *p, zn_demand *demand)
{
    double size = DBL_MIN;
    ask_more(p);
    demand->tolerance = p->asked;
    for (int k = 0; k < s->list.rows; k++)
        size = larger(size, fabs(s->constraints.b[k]));
    size = zn_system_max(s->sys, size);
    demand->enough = larger(0.1 * p->tolerance / size, s->def.solver_tolerance);
}

// One linear system about the iterate, with the statuses that xi has there.
static zn_status solve_augmented(nsga *s, nsga_problem *p, zn_solved *solved)
{
    zn_constraints *c = &s->constraints;
    for (int k = 0; k < s->list.rows; k++) {
        c->z[k] = p->l[s->list.row[k]];
        c->u[k] = p->c[s->list.row[k]];
    }
    return zn_constraints_augmented(c, &s->list, p->penalty, solved);
}

// Contacts that repeat each other answer in another way each time: after some iterations, in the way they did last.
static zn_status solve_problem(nsga *s, nsga_problem *p)
{
    enum { WAVERS = 6 };
    zn_constraints *c = &s->constraints;
    zn_demand demand = {.level = p->level, .t = s->step.from->t, .steady = s->list.friction && p->iterations > WAVERS};
    zn_solved solved;
    if (p->augmented)
        demand.tolerance = 0; // nothing is iterated
    else if (c->splitting)
        demand_split(s, p, &demand);
    else if (c->sparse)
        demand_many(s, p, &demand);
    else if (s->list.friction || (p->response.blocks && p->iterations > 1))
        demand_few(s, p, &demand);
    c->strict = p->strict;
    zn_status status =
        p->augmented ? solve_augmented(s, p, &solved) : zn_constraints_solve(c, &s->list, &demand, &solved);
    s->step.info->solver_iterations += solved.iterations;
    s->step.info->failed_solves += solved.failed;
    s->step.info->failed_iterations += solved.wasted;
    p->complementarity = solved.residual;
    for (int k = 0; k < s->list.equations && c->redundant && !c->sparse && !c->splitting; k++)
        s->repeated[s->list.row[k] / s->contacts->stride] = c->repeated[k];
    for (int k = 0; k < s->list.equations && c->repeats > 0; k++)
        p->crowded |= c->repeated[k] && !s->contacts->bilateral[s->list.row[k] / s->contacts->stride];
    return status;
}

// Light bodies on long levers: c is known to a few of the last digits of its terms only.
static void measure_rounding(nsga *s, nsga_problem *p)
{
    double *rounding = s->constraints.u;
    zn_constraints_rounding(&s->constraints, s->list.rows, rounding);
    for (int k = 0; k < s->list.rows; k++) {
        int    row = s->list.row[k], normal = row / s->contacts->stride * s->contacts->stride;
        double own = rounding[k] * (zn_row_turns(s->contacts, row) ? s->contacts->lever[row / s->contacts->stride] : 1);
        p->known[normal] = larger(row == normal ? 0 : p->known[normal], own);
    }
}

static zn_status solve_chosen(nsga *s, nsga_problem *p, choice which)
{
    list_rows(s, p, which);
    if (zn_system_max(s->sys, s->list.rows) == 0)
        return ZN_OK;
    ZN_TRY(fill(s, p));
    return solve_problem(s, p);
}

// Two pairs of teeth that are closed as equations may be pulled together far along the motion of the wheels, from where
// Newton's method finds some other place, in which they are wedged.
static bool goes_far(nsga *s, nsga_problem *p)
{
    const zn_correction c = {s->sys, s->contacts, s->scratch.work2, p->tolerance, s->scratch.scale, s->scratch.pushes};
    const zn_pull       pull = {&s->list, s->constraints.b, s->constraints.z, NULL};
    bool                found = false;
    if (!zn_pulls(&c, &pull))
        return false;
    memset(s->scratch.work2, 0, sizeof *s->scratch.work2 * (size_t)s->n_all);
    zn_response_add(&p->response, zn_gap_rows(s->contacts), &s->list, s->constraints.z, s->scratch.work2);
    zn_pulled_from_far(&c, &pull, &found);
    return found;
}

// Multipliers of the linearized constraints; x_next holds the motion without them on entry, with them on exit.
static zn_status solve_rows(nsga *s, nsga_problem *p, bool again)
{
    const zn_constraints *c = &s->constraints;
    bool                  inequalities = p->response.blocks || (p->friction && s->contacts->stride > 1);
    if (p == &s->velocity && s->impact.law != ZN_IMPACT_NEWTON)
        inequalities = true; // of contacts that repeat each other the law may hit some: not all can be equations
    for (int i = 0; i < s->n; i++)
        s->scratch.work[i] = p->x_next[i] - p->x[i];
    choice which = p->augmented ? CLOSED : again ? ALL : inequalities ? LIKELY : ACTIVE_AS_EQUATIONS;
    memset(p->l_next, 0, sizeof *p->l_next * (size_t)nsga_row_count(s));
    memset(p->pushed, 0, sizeof *p->pushed * (size_t)s->n_all);
    ZN_TRY(solve_chosen(s, p, which));
    if (which == ACTIVE_AS_EQUATIONS && p == &s->position && goes_far(s, p))
        ZN_TRY(solve_chosen(s, p, ALL)); // what is pulled keeps its gap
    if (zn_system_max(s->sys, s->list.rows) == 0)
        return ZN_OK;
    zn_response_add(&p->response, zn_gap_rows(s->contacts), &s->list, c->z, p->x_next);
    for (int k = 0; k < s->list.rows; k++) {
        p->l_next[s->list.row[k]] = c->z[k];
        zn_row_add(s->contacts, s->list.row[k], s->n_all, c->z[k], p->pushed);
    }
    measure_rounding(s, p);
    return ZN_OK;
}

static zn_status direction(void *user)
{
    nsga         *s = user;
    nsga_problem *p = s->step.current;
    p->iterations++;
    s->step.info->newton_iterations++;
    ZN_TRY(factor(s, p, (zn_at){s->total.q, s->total.v, s->step.from->t + s->step.h, 0}));
    memcpy(s->scratch.work, p->r0, sizeof *s->scratch.work * (size_t)s->n);
    ZN_TRY(zn_response_solve(&p->response, s->scratch.work));
    for (int i = 0; i < s->n; i++)
        p->x_next[i] = p->x[i] - s->scratch.work[i];
    ZN_TRY(solve_rows(s, p, p->iterations > 1 && (p->changed || p->crowded)));
    for (int i = 0; i < s->n; i++) {
        s->scratch.work[i] = p->x_next[i] - p->x[i];
        s->scratch.scale[i] = fabs(p->x_next[i]) + s->scratch.extra[i];
    }
    p->correction = zn_system_relative_norm(s->sys, s->scratch.work, s->scratch.scale);
    return ZN_OK;
}

// Factors are kept while they promise to reach the tolerance in one more iteration, those that are dear while they gain
// a factor of a hundred. The curvature of constraints is left out as long as Newton gains that without; in the steps to
// come it is there from the start if the second iteration was slow, too.
static void judge_matrix(const nsga *s, nsga_problem *p, double norm)
{
    double gain = norm < p->last_norm ? norm / p->last_norm : 1;
    if (!(norm > 1))
        return;
    p->refactor |= p->costly ? !(gain < 0.01) : norm * gain > 1;
    bool slow = p->iterations > 1 && !(gain < 0.1);
    bool turns = slow || (s->sys->frames3 > 0 && !(gain < 0.01)); // in the plane by little in an iteration
    if (!zn_response_can_bend(&p->response) || p->response.blocks || !turns)
        return; // of piles it is made where nothing else helps
    p->bends = true;
    p->slow |= slow;
}

static zn_status trial(void *user, double step, double *norm)
{
    nsga         *s = user;
    nsga_problem *p = s->step.current;
    for (int i = 0; i < s->n; i++)
        p->x_trial[i] = step == 1 ? p->x_next[i] : p->x[i] + step * (p->x_next[i] - p->x[i]);
    for (int k = 0; k < nsga_row_count(s); k++)
        p->l_trial[k] = step == 1 ? p->l_next[k] : p->l[k] + step * (p->l_next[k] - p->l[k]);
    ZN_TRY(evaluate_at(s, p, p->x_trial, p->l_trial, norm));
    judge_matrix(s, p, *norm);
    p->last_norm = *norm;
    return ZN_OK;
}

static void accept(void *user)
{
    nsga_problem *p = ((nsga *)user)->step.current;
    double       *x = p->x, *l = p->l;
    p->x = p->x_trial;
    p->l = p->l_trial;
    p->x_trial = x;
    p->l_trial = l;
}

static zn_status run_newton(nsga *s, nsga_problem *p, int patience)
{
    enum { STATUSES = 15 }; // iterations on the augmented Lagrangian; they are five, or the statuses cycle
    const zn_newton_problem  problem = {s, direction, trial, accept};
    bool                     few = p->augmented && s->def.newton_iterations > STATUSES;
    const zn_newton_settings settings = {few ? STATUSES : s->def.newton_iterations, 8, patience};
    double                   norm;
    p->iterations = 0;
    p->strict = p->crowded = false;
    p->correction = INFINITY;
    p->asked = s->def.solver_tolerance;
    p->share = 0.1;
    ZN_TRY(evaluate_at(s, p, p->x, p->l, &norm));
    p->last_norm = norm;
    p->complementarity = 0;
    // gaps and forces have different tolerances: the first full step may trade one for the other
    zn_status   status = zn_newton_solve(&problem, &settings, norm <= 1 ? norm : DBL_MAX, NULL);
    const char *unit = p == &s->smooth ? "N" : p == &s->position ? "kg m" : "N s";
    return zn_blame_newton(s->sys, status, s->scratch.work2, s->scratch.scale, unit, s->def.newton_tolerance,
                           s->contacts);
}

static void start_again(nsga *s, nsga_problem *p)
{
    memset(p->x, 0, sizeof *p->x * (size_t)s->n_all);
    memset(p->l, 0, sizeof *p->l * (size_t)nsga_row_count(s));
}

// Where Newton's method does not converge, once more from the start: with the curvature of constraints from the first
// iteration on, or, if it was there, without (in piles there is none). A contact that joins after the first iteration
// may make a residual grow that was small without it, so that no part of the right step is a descent: the second time
// full steps may.
static zn_status solve_either(nsga *s, nsga_problem *p)
{
    bool      bent = p->bends;
    zn_status status = run_newton(s, p, 0);
    if (status == ZN_NOT_CONVERGED || status == ZN_NOT_FINITE || status == ZN_SINGULAR) {
        start_again(s, p);
        p->slow = zn_response_can_bend(&p->response);
        p->bends = p->slow && !bent;
        status = run_newton(s, p, 4);
    }
    return status;
}

zn_status nsga_solve(nsga *s, nsga_problem *p)
{
    s->step.current = p;
    p->augmented = zn_solver_is_augmented(s->def.solver);
    zn_status status = p->augmented ? run_newton(s, p, 4) : solve_either(s, p);
    if (p->augmented && (status == ZN_NOT_CONVERGED || status == ZN_NOT_FINITE || status == ZN_SINGULAR)) {
        s->step.info->failed_solves++;
        s->step.info->failed_iterations += p->iterations;
        p->augmented = false;
        start_again(s, p);
        status = solve_either(s, p);
    }
    ZN_TRY(status);
    s->step.info->complementarity = larger(s->step.info->complementarity, p->complementarity);
    return ZN_OK;
}
