// The nonsmooth problems of one Newton iteration of the theta step. With A = M + h th C + h^2 th^2 K at the iterate and
// `predicted` the linearized motion without impulses,
//     u = W P + G predicted + e U_k,   W = G A^-1 G',   v = predicted + A^-1 G' P                     (57)
//     g + G (h th (v - v_now) - shift_now + N G' tau)  >= 0 or = 0                                    (58), (60)
// one after the other (decoupled), or together with the terms by which tau moves the forces (coupled, 45-55):
//     v = predicted + A^-1 G' P - h th A^-1 K (shift - shift_now).
#include <float.h>
#include <math.h>
#include <string.h>

#include "constraint/nonsmooth.h"
#include "constraint/observe.h"
#include "constraint/redundant.h"
#include "scheme/theta.h"

// --- solving -------------------------------------------------------------------------------------

// Solve the problem (W, b) in w->z; contacts from `bilateral` on, with tangents where first[] says so.
static zn_status attempt(zn_theta *w, int n, int bilateral, int contacts, const int *first, const double *mu,
                         bool friction)
{
    zn_nonsmooth p = {n,
                      bilateral,
                      contacts,
                      first,
                      w->W,
                      w->b,
                      mu,
                      friction,
                      w->def.solver,
                      w->def.solver_tolerance,
                      w->def.solver_measure,
                      w->friction,
                      w->def.observer,
                      first == NULL    ? "position"
                      : w->def.coupled ? "coupled"
                                       : "velocity",
                      w->from->t};
    return zn_nonsmooth_solve(&p, w->z, w->w, w->scratch,
                              (zn_effort){&w->info->solver_iterations, &w->info->complementarity});
}

// The same, without equations that repeat others: where joints do, and where the problem has no answer otherwise (four
// corners of a box that are all to stay on the floor).
static zn_status solve(zn_theta *w, int n, int bilateral, int contacts, const int *first, const double *mu,
                       bool friction)
{
    ZN_TRY(zn_fault_point());
    if (w->redundant)
        zn_redundant_isolate(n, bilateral, w->W, w->b, w->scratch);
    zn_status status = attempt(w, n, bilateral, contacts, first, mu, friction);
    if (status != ZN_NOT_CONVERGED || w->redundant || !zn_redundant_isolate(n, bilateral, w->W, w->b, w->scratch))
        return status;
    return attempt(w, n, bilateral, contacts, first, mu, friction);
}

// --- velocity level ------------------------------------------------------------------------------

// A^-1 G' of a row of the velocity problem.
static const double *column_of(const zn_theta *w, int k)
{
    return w->delassus.column + (size_t)w->row[k] * (size_t)w->n;
}

// What the law adds to U = G v: restitution, or the rate of a prescribed motion.
static double law_offset(const zn_theta *w, int k)
{
    const zn_contact_set *set = w->contacts;
    int                   row = w->row[k], i = row / set->stride;
    if (set->bilateral[i])
        return set->rate[i];
    return w->U_k[row] * (row % set->stride == 0 ? set->restitution[i] : set->tangential_restitution[i]);
}

// Right-hand side of row k for the motion `v` without impulses.
static double velocity_rhs(const zn_theta *w, int k, const double *v)
{
    const zn_contact_set *set = w->contacts;
    if (!w->position_law)
        return zn_row_dot(set, w->row[k], w->n, v) + law_offset(w, k);
    // the law between gap and impulse, divided by h th so that it looks like a velocity
    double change = zn_row_dot(set, w->row[k], w->n, v) - zn_row_dot(set, w->row[k], w->n, w->now.v);
    return set->gap[w->row[k] / set->stride] / (w->h * w->def.theta) + change;
}

static double warm_start(const zn_theta *w, int k)
{
    if (w->now.P[k] != 0)
        return w->now.P[k];
    const zn_contact_set *last = w->sys->fixed_contacts ? w->from->contacts : w->contacts; // moved along by id
    return last->impulse[w->row[k]];
}

static zn_status update_columns(zn_theta *w)
{
    return zn_delassus_columns(&w->delassus, w->solver, w->contacts, w->rows, w->row, 1);
}

// Impulses as solved: keep them, the local velocities they were solved with, and G'P with these rows.
static void keep_impulse(zn_theta *w, int k, double P, double u)
{
    w->next_P[k] = P;
    w->solved_u[k] = u - law_offset(w, k);
    w->rounding[k] = 0;
    zn_row_add(w->contacts, w->row[k], w->n_all, P, w->solved_GP);
}

// W, row by row, from columns of A^-1 G'; from the blocks of a pile it is sparse, and few rows are written out.
static zn_status assemble(zn_theta *w, int m)
{
    if (!w->blocks) {
        ZN_TRY(update_columns(w));
        for (int k = 0; k < m; k++)
            for (int l = 0; l < m; l++)
                w->W[k * m + l] = zn_row_dot(w->contacts, w->row[k], w->n, column_of(w, l));
        return ZN_OK;
    }
    ZN_TRY(zn_node_blocks_assemble(w->blocks, w->contacts, w->row, w->joint_rows, w->active_count, w->first));
    if (m <= ZN_DENSE_ROWS)
        zn_node_blocks_write(w->blocks, w->W);
    return ZN_OK;
}

static void respond(zn_theta *w, int m)
{
    if (w->blocks)
        zn_node_blocks_respond(w->blocks, w->z, w->next_v);
    for (int k = 0; k < m && !w->blocks; k++) {
        const double *column = column_of(w, k);
        for (int i = 0; i < w->n; i++)
            w->next_v[i] += column[i] * w->z[k];
    }
}

// Accelerated sweeps from the last impulses are the cheapest way to a coarse tolerance. Where they slow down, an answer
// within ten times the tolerance is taken after many; the report says how good it is. Where even that is not reached,
// the solver's own choice goes on from there.
static zn_status sweep_sparse(zn_theta *w, const zn_fc_problem *p, zn_fc_info *report)
{
    enum { SWEEPS = 1000, CLOSE = 10 };
    zn_fc_settings s = {"anderson", SWEEPS, w->def.solver_tolerance, w->def.solver_measure, true};
    zn_status      status = zn_fc_solve(p, &s, w->friction, w->z, w->w, report);
    double         reached = s.measure == ZN_FC_MEASURE_FCLIB ? report->residual_fclib : report->residual;
    w->info->solver_iterations += report->iterations;
    return status == ZN_NOT_CONVERGED && reached <= CLOSE * s.tolerance ? ZN_OK : status;
}

// Rows of a pile: the first `bilateral` are equations.
static zn_status solve_sparse(zn_theta *w, const zn_fc_problem *p, const char *level)
{
    const double coarse = 1e-7;
    zn_status    status = ZN_NOT_CONVERGED;
    zn_fc_info   report;
    ZN_TRY(zn_fault_point());
    if (strcmp(w->def.solver, "auto") == 0 && w->def.solver_tolerance >= coarse)
        status = sweep_sparse(w, p, &report);
    if (status == ZN_NOT_CONVERGED) {
        zn_sparse_problem pile = {
            *p,    w->def.solver, w->def.solver_tolerance, 0, w->def.solver_measure, w->friction, w->def.observer,
            level, w->from->t};
        status = zn_nonsmooth_solve_sparse(&pile, w->z, w->w, &report.residual,
                                           (zn_effort){&w->info->solver_iterations, &w->info->complementarity});
    } else
        zn_observe(&w->def.observer, p, level, w->from->t, status);
    ZN_TRY(status);
    w->info->complementarity = zn_larger(w->info->complementarity, report.residual);
    return ZN_OK;
}

// Light bodies on long levers: the terms of W P are large and cancel, so that velocities are known to a few of their
// last digits only.
static void measure_rounding(zn_theta *w, int m)
{
    for (int k = 0; k < m; k++) {
        double sum = 0;
        for (int l = 0; l < m; l++)
            sum += fabs(w->W[k * m + l] * w->z[l]);
        w->rounding[k] = 8 * DBL_EPSILON * sum;
    }
}

static zn_status solve_velocity(zn_theta *w)
{
    int m = w->rows;
    memcpy(w->next_v, w->predicted, sizeof *w->next_v * (size_t)w->n);
    if (m == 0)
        return ZN_OK;
    ZN_TRY(assemble(w, m));
    for (int k = 0; k < m; k++) {
        w->b[k] = velocity_rhs(w, k, w->predicted);
        w->z[k] = warm_start(w, k);
    }
    if (w->blocks && m > ZN_DENSE_ROWS) {
        zn_fc_problem p = {m, w->joint_rows, w->active_count, w->first, NULL, w->b, w->mu, &w->blocks->W};
        ZN_TRY(solve_sparse(w, &p, "velocity"));
    } else
        ZN_TRY(solve(w, m, w->joint_rows, w->active_count, w->first, w->mu, w->has_friction));
    memset(w->solved_GP, 0, sizeof *w->solved_GP * (size_t)w->n_all);
    respond(w, m);
    for (int k = 0; k < m; k++)
        keep_impulse(w, k, w->z[k], w->w[k]);
    if (!w->blocks || m <= ZN_DENSE_ROWS)
        measure_rounding(w, m);
    else
        memset(w->rounding, 0, sizeof *w->rounding * (size_t)m);
    return ZN_OK;
}

// --- position level: shift = N G' tau in the chosen metric ---------------------------------------

static zn_status update_metric(zn_theta *w, int contact)
{
    int row = contact * w->contacts->stride;
    if (w->def.metric == ZN_METRIC_MASS)
        return zn_delassus_column(&w->metric, w->mass_solver, w->contacts, row);
    if (w->def.metric == ZN_METRIC_ITERATION)
        return zn_delassus_column(&w->delassus, w->solver, w->contacts, row);
    return ZN_OK;
}

// N G_i', or NULL for the identity.
static const double *metric_column(const zn_theta *w, int contact)
{
    size_t row = (size_t)(contact * w->contacts->stride);
    if (w->def.metric == ZN_METRIC_MASS)
        return w->metric.column + row * (size_t)w->n;
    if (w->def.metric == ZN_METRIC_ITERATION)
        return w->delassus.column + row * (size_t)w->n;
    return NULL;
}

// G_i N G_j'
static double metric_product(const zn_theta *w, int i, int j)
{
    const double *column = metric_column(w, j);
    int           stride = w->contacts->stride;
    return column ? zn_row_dot(w->contacts, i * stride, w->n, column)
                  : zn_row_product(w->contacts, i * stride, j * stride, w->n);
}

// y += factor N G_i'
static void metric_add(const zn_theta *w, int i, double factor, double *y)
{
    const double *column = metric_column(w, i);
    if (!column)
        zn_row_add(w->contacts, i * w->contacts->stride, w->n, factor, y);
    else
        for (int k = 0; k < w->n; k++)
            y[k] += factor * column[k];
}

// Contacts to project in w->slot: equations first (joints; combined: contacts with an impulse), then inequalities.
// `P` decides what has an impulse. Returns their number.
static int list_positions(zn_theta *w, const double *P, int *equations)
{
    const zn_contact_set *set = w->contacts;
    int                   count = 0;
    for (int k = 0; k < w->joint_rows; k++)
        w->slot[count++] = w->row[k] / set->stride;
    for (int c = 0; c < w->active_count && w->project == ZN_PROJECT_ACTIVE; c++)
        if (P[w->first[c]] > 0 && !w->conflict)
            w->slot[count++] = w->active[c];
    *equations = count;
    for (int c = 0; c < w->active_count && w->project == ZN_PROJECT_ACTIVE; c++)
        if (!(P[w->first[c]] > 0) || w->conflict)
            w->slot[count++] = w->active[c];
    for (int i = 0; i < set->count && w->project == ZN_PROJECT_ALL; i++)
        if (!set->bilateral[i])
            w->slot[count++] = i;
    return count;
}

// Gaps that the linearized motion reaches without projection; true when they are good enough.
static bool predict_gaps(zn_theta *w, int count, int equations)
{
    double scale = w->h * w->def.theta;
    bool   good = true;
    for (int i = 0; i < w->n; i++)
        w->work[i] = scale * (w->next_v[i] - w->now.v[i]) - w->now.shift[i];
    for (int k = 0; k < count; k++) {
        int    i = w->slot[k];
        double g = w->contacts->gap[i] + zn_row_dot(w->contacts, i * w->contacts->stride, w->n, w->work);
        w->position_gap[k] = g;
        good &= k < equations ? fabs(g) <= w->gap_tolerance : g >= -w->gap_tolerance;
    }
    return zn_system_max(w->sys, good ? 0 : 1) == 0;
}

// G N G' of the contacts in w->slot.
static zn_status assemble_position(zn_theta *w, int count, int equations)
{
    if (w->metric_blocks) {
        for (int k = 0; k < count; k++) {
            w->position_row[k] = w->slot[k] * w->contacts->stride;
            w->problem_first[k] = equations + k;
            w->coupled_mu[k] = 0;
        }
        w->problem_first[count - equations] = count;
        ZN_TRY(zn_node_blocks_assemble(w->metric_blocks, w->contacts, w->position_row, equations, count - equations,
                                       w->problem_first));
        if (count <= ZN_DENSE_ROWS)
            zn_node_blocks_write(w->metric_blocks, w->W);
        return ZN_OK;
    }
    for (int k = 0; k < count; k++)
        ZN_TRY(update_metric(w, w->slot[k]));
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++)
            w->W[k * count + l] = metric_product(w, w->slot[k], w->slot[l]);
    return ZN_OK;
}

static zn_status solve_gaps(zn_theta *w, int count, int equations)
{
    if (w->metric_blocks && count > ZN_DENSE_ROWS) {
        zn_fc_problem p = {count, equations, count - equations, w->problem_first,
                           NULL,  w->b,      w->coupled_mu,     &w->metric_blocks->W};
        return solve_sparse(w, &p, "position");
    }
    return solve(w, count, equations, 0, NULL, NULL, false);
}

static zn_status project(zn_theta *w, int count, int equations)
{
    ZN_TRY(assemble_position(w, count, equations));
    for (int k = 0; k < count; k++) {
        w->b[k] = w->position_gap[k];
        w->z[k] = w->now.tau[w->slot[k]];
    }
    zn_status status = solve_gaps(w, count, equations);
    for (int k = equations; k < count && status == ZN_NOT_CONVERGED; k++)
        w->b[k] += 0.5 * w->gap_tolerance; // a gap that follows from the equations is zero up to rounding, of any sign
    if (status == ZN_NOT_CONVERGED && count > equations)
        status = solve_gaps(w, count, equations);
    return status;
}

static zn_status solve_position(zn_theta *w)
{
    int equations, count = list_positions(w, w->next_P, &equations);
    memset(w->next_tau, 0, sizeof *w->next_tau * (size_t)w->contacts->count);
    memset(w->next_shift, 0, sizeof *w->next_shift * (size_t)w->n_all);
    bool good = predict_gaps(w, count, equations), projects = false;
    for (int i = 0; i < w->contacts->count; i++) // once projected, always: a gap at the tolerance must not alternate
        projects |= w->now.tau[i] != 0;
    if (count == 0 || (good && zn_system_max(w->sys, projects) == 0))
        return ZN_OK;
    w->info->projection_iterations++;
    zn_status status = project(w, count, equations);
    if (status == ZN_NOT_CONVERGED && w->metric_blocks && !w->conflict && equations > 0) {
        w->conflict = true; // more contacts than the bodies can close at once
        count = list_positions(w, w->next_P, &equations);
        predict_gaps(w, count, equations);
        status = project(w, count, equations);
    }
    ZN_TRY(status);
    if (w->metric_blocks)
        zn_node_blocks_respond(w->metric_blocks, w->z, w->next_shift);
    for (int k = 0; k < count; k++) {
        w->next_tau[w->slot[k]] = w->z[k];
        if (!w->metric_blocks)
            metric_add(w, w->slot[k], w->z[k], w->next_shift);
    }
    return ZN_OK;
}

// --- coupled: both levels in one problem ---------------------------------------------------------

// The unknowns of the coupled problem in order: joint impulses, tau of equations, contact impulses, tau of
// inequalities.
typedef struct coupled_order {
    int positions, equations; // of the position level
    int total, bilateral;
} coupled_order;

// Is unknown j an impulse (its row) or a tau (its index in w->slot)?
static bool is_impulse(const zn_theta *w, const coupled_order *o, int j, int *index)
{
    int contact_rows = w->rows - w->joint_rows;
    if (j < w->joint_rows)
        return *index = j, true;
    j -= w->joint_rows;
    if (j < o->equations)
        return *index = j, false;
    j -= o->equations;
    if (j < contact_rows)
        return *index = w->joint_rows + j, true;
    return *index = o->equations + j - contact_rows, false;
}

// work = A^-1 K x
static zn_status stiffness_response(zn_theta *w, const double *x, double *out)
{
    zn_sparse_multiply(w->stiffness, x, out);
    return zn_linsolver_solve(w->solver, 1, out);
}

// Columns Z_i = A^-1 K N G_i' of all projected contacts, and base = predicted + h th A^-1 K shift_now in next_v.
static zn_status prepare_coupled(zn_theta *w, const coupled_order *o)
{
    for (int k = 0; k < o->positions; k++) {
        ZN_TRY(update_metric(w, w->slot[k]));
        memset(w->work, 0, sizeof *w->work * (size_t)w->n);
        metric_add(w, w->slot[k], 1, w->work);
        ZN_TRY(stiffness_response(w, w->work, w->coupled + (size_t)k * (size_t)w->n));
    }
    ZN_TRY(stiffness_response(w, w->now.shift, w->work));
    for (int i = 0; i < w->n; i++)
        w->next_v[i] = w->predicted[i] + w->h * w->def.theta * w->work[i];
    return ZN_OK;
}

// Entry (a, b) of the coupled operator (54).
static double coupled_entry(const zn_theta *w, const coupled_order *o, int a, int b)
{
    int    ia, ib, s = w->contacts->stride;
    double ht = w->h * w->def.theta;
    bool   velocity_row = is_impulse(w, o, a, &ia), impulse = is_impulse(w, o, b, &ib);
    int    row = velocity_row ? w->row[ia] : w->slot[ia] * s;
    if (impulse) // W11, W21
        return (velocity_row ? 1 : ht) * zn_row_dot(w->contacts, row, w->n, column_of(w, ib));
    double response = zn_row_dot(w->contacts, row, w->n, w->coupled + (size_t)ib * (size_t)w->n);
    if (velocity_row)
        return -ht * response;                                               // W12
    return metric_product(w, w->slot[ia], w->slot[ib]) - ht * ht * response; // W22
}

static void fill_coupled(zn_theta *w, const coupled_order *o)
{
    int m = o->total;
    for (int a = 0; a < m; a++) {
        int  index;
        bool impulse = is_impulse(w, o, a, &index);
        for (int b = 0; b < m; b++)
            w->W[a * m + b] = coupled_entry(w, o, a, b);
        w->b[a] = impulse ? velocity_rhs(w, index, w->next_v) : w->position_gap[index];
        w->z[a] = impulse ? warm_start(w, index) : w->now.tau[w->slot[index]];
    }
    for (int c = 0; c <= w->active_count; c++)
        w->problem_first[c] = w->first[c] + o->equations;
    for (int k = 0; k <= o->positions - o->equations; k++) // frictionless "contacts"
        w->problem_first[w->active_count + k] = w->rows + o->equations + k;
    for (int c = 0; c < w->active_count + o->positions - o->equations; c++)
        w->coupled_mu[c] = c < w->active_count ? w->mu[c] : 0;
}

// next_v and the multipliers from the answer in w->z.
static void use_coupled(zn_theta *w, const coupled_order *o)
{
    memset(w->solved_GP, 0, sizeof *w->solved_GP * (size_t)w->n_all);
    for (int j = 0; j < o->total; j++) {
        int           index;
        double        z = w->z[j];
        bool          impulse = is_impulse(w, o, j, &index);
        const double *effect = impulse ? column_of(w, index) : w->coupled + (size_t)index * (size_t)w->n;
        double        factor = impulse ? z : -w->h * w->def.theta * z;
        for (int i = 0; i < w->n; i++)
            w->next_v[i] += factor * effect[i];
        if (impulse)
            keep_impulse(w, index, z, w->w[j]);
        else {
            w->next_tau[w->slot[index]] = z;
            metric_add(w, w->slot[index], z, w->next_shift);
        }
    }
}

static zn_status solve_coupled(zn_theta *w)
{
    coupled_order o;
    o.positions = list_positions(w, w->now.P, &o.equations); // (69): impulses of the last iterate
    o.total = w->rows + o.positions;
    o.bilateral = w->joint_rows + o.equations;
    memset(w->next_tau, 0, sizeof *w->next_tau * (size_t)w->contacts->count);
    memset(w->next_shift, 0, sizeof *w->next_shift * (size_t)w->n_all);
    ZN_TRY(update_columns(w));
    ZN_TRY(prepare_coupled(w, &o));
    if (o.total == 0)
        return ZN_OK;
    predict_gaps(w, o.positions, o.equations);
    fill_coupled(w, &o);
    w->info->projection_iterations += o.positions > 0;
    ZN_TRY(solve(w, o.total, o.bilateral, w->active_count + o.positions - o.equations, w->problem_first, w->coupled_mu,
                 w->has_friction));
    use_coupled(w, &o);
    return ZN_OK;
}

zn_status zn_theta_solve_linearized(zn_theta *w)
{
    if (w->def.coupled && w->project != ZN_PROJECT_NONE)
        return solve_coupled(w);
    ZN_TRY(solve_velocity(w));
    return w->project != ZN_PROJECT_NONE ? solve_position(w) : ZN_OK;
}
