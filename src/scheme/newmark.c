// newmark.c - Newmark's scheme for smooth motion. Newmark, J. Eng. Mech. Div. 85 (1959) 67-94; as the implicit side of
// a coupling Fekak et al., Comput. Mech. 60 (2017) 1-21, eqs. (61)-(65).
//
//     q' = q (+) d,   d = h v + h^2 ((1/2 - beta) a + beta a')
//     v' = v + h ((1 - gamma) a + gamma a')
//     M a' = F(q', v', t') + G(q')' l',     joints:  G(q') v' + dg/dt = 0
//
// in our convention (a row of G per constraint). Unconditionally stable for 2 beta >= gamma >= 1/2, without dissipation
// and of second order for gamma = 1/2. Contacts are refused: nothing here jumps.
//
// Energy, with [x] the change in a step, <x> the mean of both ends and all forces in F (Krenk, Comput. Methods Appl.
// Mech. Eng. 195 (2006) 6110-6124):
//     [v.M v/2] = d.<F> + (gamma - 1/2) d.[F] - h^2 (beta - gamma/2) ([a.M a]/2 + (gamma - 1/2) [a].M [a]);
// [a.M a] is the line "complementary", the terms with gamma - 1/2 are numerical dissipation.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/linsolver.h"
#include "constraint/delassus.h"
#include "constraint/redundant.h"
#include "scheme/scheme.h"
#include "system/system.h"
#include "zn/solve.h"

typedef struct newmark {
    const zn_system *sys;
    zn_scheme_def    def;
    double           beta, gamma;
    int              n, n_all, nq, joints;
    bool             linear; // one linear solve is exact
    // history
    bool             started;
    double          *a, *push; // acceleration, G'l
    // the step
    double           h;
    zn_contact_set  *contacts;
    zn_sparse       *matrix;
    zn_linsolver    *solver;
    zn_delassus      delassus;
    double           factored_h;        // of the current factors; 0: none
    double          *start_v, *start_d; // of the predictor
    double          *next_a, *next_push, *d, *v, *q, *force, *inertia, *residual, *scale, *work;
    double          *floor;          // accelerations that positions cannot resolve, over the tolerance
    double           velocity_floor; // the same of velocities at joints
    double          *W, *b, *l, *w;
    void            *scratch;
    double           relative, correction;
    zn_energy        energy;
    zn_step_info    *info;
} newmark;

// --- linear algebra --------------------------------------------------------------------------------

// A = M + h gamma C + h^2 beta K at the end of the step; for h = 0 the mass alone.
static zn_status factor(newmark *s, double h, zn_at at)
{
    s->factored_h = 0;
    zn_delassus_invalidate(&s->delassus);
    ZN_TRY(zn_system_operators(s->sys, at, 1, h * s->gamma, h * h * s->beta, s->matrix));
    ZN_TRY(zn_linsolver_factor_kept(s->solver, s->matrix, s->linear && h > 0));
    s->factored_h = h;
    return ZN_OK;
}

// Multipliers l with G (x + A^-1 G'l) = -b in every joint; x (n) moves along, push += G'l.
static zn_status solve_joints(newmark *s, const double *b, double *x, double *push)
{
    zn_contact_set *set = s->contacts;
    int             m = s->joints;
    for (int k = 0; k < m; k++)
        ZN_TRY(zn_delassus_column(&s->delassus, s->solver, set, k * set->stride));
    for (int k = 0; k < m; k++) {
        for (int j = 0; j < m; j++)
            s->W[k * m + j] =
                zn_row_dot(set, k * set->stride, s->n, s->delassus.column + (size_t)(j * set->stride) * (size_t)s->n);
        s->w[k] = b[k] + zn_row_dot(set, k * set->stride, s->n, x);
        s->l[k] = 0;
    }
    zn_lcp_problem  problem = {m, m, s->W, s->w};
    zn_lcp_settings settings = {"auto", 0, s->def.solver_tolerance};
    zn_lcp_info     report;
    ZN_TRY(zn_fault_point());
    zn_status status = zn_lcp_solve(&problem, &settings, s->l, s->b, s->scratch, &report);
    if ((status == ZN_NOT_CONVERGED || status == ZN_SINGULAR) && zn_redundant_isolate(m, m, s->W, s->w, s->scratch) > 0)
        status = zn_lcp_solve(&problem, &settings, s->l, s->b, s->scratch, &report);
    ZN_TRY(status);
    for (int k = 0; k < m; k++) {
        const double *column = s->delassus.column + (size_t)(k * set->stride) * (size_t)s->n;
        for (int i = 0; i < s->n; i++)
            x[i] += column[i] * s->l[k];
        zn_row_add(set, k * set->stride, s->n_all, s->l[k], push);
    }
    return ZN_OK;
}

// --- start -----------------------------------------------------------------------------------------

// w_k = d/dt (G v + dg/dt) at constant v, by central differences along the motion.
static zn_status joint_rates(newmark *s, const zn_state *from, double *out)
{
    double step = 1e-3 * s->h;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < s->n_all; i++)
            s->work[i] = side * step * from->v[i];
        zn_system_retract(s->sys, from->q, s->work, s->q);
        ZN_TRY(zn_contact_set_evaluate(s->contacts, s->sys, s->q, from->t + side * step));
        for (int k = 0; k < s->joints; k++) {
            double U = zn_row_dot(s->contacts, k * s->contacts->stride, s->n, from->v) + s->contacts->rate[k];
            out[k] = (side < 0 ? 0 : out[k]) + side * U / (2 * step);
        }
    }
    return zn_contact_set_evaluate(s->contacts, s->sys, from->q, from->t);
}

// M a = F + G'l with accelerations that keep the joints.
static zn_status start(newmark *s, const zn_state *from)
{
    zn_at at = {from->q, from->v, from->t, 0};
    ZN_TRY(zn_system_force(s->sys, at, s->force));
    ZN_TRY(factor(s, 0, at));
    memset(s->a, 0, sizeof *s->a * (size_t)s->n_all);
    memset(s->push, 0, sizeof *s->push * (size_t)s->n_all);
    memcpy(s->a, s->force, sizeof *s->a * (size_t)s->n);
    ZN_TRY(zn_linsolver_solve(s->solver, 1, s->a));
    if (s->joints > 0) {
        double *rate = s->W + (size_t)s->joints * (size_t)s->joints;
        ZN_TRY(joint_rates(s, from, rate));
        ZN_TRY(solve_joints(s, rate, s->a, s->push));
    }
    s->factored_h = 0;
    return ZN_OK;
}

// --- the step --------------------------------------------------------------------------------------

// q, v, d that follow from next_a; force, inertia and residual R = M a - F - G'l there.
static zn_status evaluate(newmark *s, const zn_state *from)
{
    double h = s->h;
    for (int i = 0; i < s->n_all; i++) {
        s->v[i] = s->start_v[i] + h * s->gamma * s->next_a[i];
        s->d[i] = s->start_d[i] + h * h * s->beta * s->next_a[i];
    }
    zn_system_retract(s->sys, from->q, s->d, s->q);
    ZN_TRY(zn_system_force(s->sys, (zn_at){s->q, s->v, from->t + h, 0}, s->force));
    ZN_TRY(zn_system_inertia(s->sys, s->q, s->next_a, s->inertia));
    if (s->joints > 0)
        ZN_TRY(zn_contact_set_evaluate(s->contacts, s->sys, s->q, from->t + h));
    for (int i = 0; i < s->n_all; i++) {
        s->residual[i] = s->inertia[i] - s->force[i];
        s->scale[i] = fabs(s->inertia[i]) + fabs(s->force[i]) + fabs(s->next_push[i]);
    }
    for (int i = 0; i < s->n; i++)
        s->work[i] = s->residual[i] - s->next_push[i];
    s->relative = zn_system_relative_norm(s->sys, s->work, s->scale);
    return isfinite(s->relative) ? ZN_OK : ZN_NOT_FINITE;
}

// One correction of next_a: A da = -(R + G'l), joints hold at velocity level.
static zn_status correct(newmark *s, const zn_state *from)
{
    double h = s->h;
    s->info->newton_iterations++;
    if (!(s->linear && s->factored_h == h))
        ZN_TRY(factor(s, h, (zn_at){s->q, s->v, from->t + h, 0}));
    for (int i = 0; i < s->n; i++)
        s->work[i] = -s->residual[i];
    ZN_TRY(zn_fault_point());
    ZN_TRY(zn_linsolver_solve(s->solver, 1, s->work));
    if (s->joints > 0) {
        memset(s->next_push, 0, sizeof *s->next_push * (size_t)s->n_all);
        double *b = s->W + (size_t)s->joints * (size_t)s->joints;
        for (int k = 0; k < s->joints; k++) // G (v + h gamma da) + dg/dt = 0
            b[k] =
                (zn_row_dot(s->contacts, k * s->contacts->stride, s->n, s->v) + s->contacts->rate[k]) / (h * s->gamma);
        ZN_TRY(solve_joints(s, b, s->work, s->next_push));
    }
    for (int i = 0; i < s->n; i++) {
        s->next_a[i] += s->work[i];
        s->scale[i] = fabs(s->next_a[i]) + fabs(s->a[i]) + s->floor[i];
    }
    s->correction = zn_system_relative_norm(s->sys, s->work, s->scale);
    return ZN_OK;
}

// Worst |G v + dg/dt|; in `size` the largest sum of the terms it is made of.
static double joint_violation(const newmark *s, double *size)
{
    const zn_contact_set *set = s->contacts;
    double                worst = 0, largest = 0;
    for (int k = 0; k < s->joints; k++) {
        double U = set->rate[k], terms = fabs(U);
        for (int e = set->row_start[k * set->stride]; e < set->row_start[k * set->stride + 1]; e++) {
            double part = set->row_dof[e] < s->n ? set->row_value[e] * s->v[set->row_dof[e]] : 0;
            U += part;
            terms += fabs(part);
        }
        worst = fmax(worst, fabs(U));
        largest = fmax(largest, terms);
    }
    *size = zn_system_max(s->sys, largest);
    return zn_system_max(s->sys, worst);
}

// Changes that move nothing by more than the rounding of its position are not asked for: elastic forces of a stiff
// model change by more than the tolerance with the last digit of a position.
static void set_floors(newmark *s, const zn_state *from)
{
    double factor = 8 / s->def.newton_tolerance, rounding = zn_system_resolution(s->sys, from->q, s->floor);
    for (int i = 0; i < s->n_all; i++)
        s->floor[i] *= factor / (s->h * s->h * s->beta);
    s->velocity_floor = factor * rounding / s->h;
}

static zn_status solve(newmark *s, const zn_state *from)
{
    double h = s->h;
    set_floors(s, from);
    for (int i = 0; i < s->n_all; i++) {
        s->start_v[i] = from->v[i] + h * (1 - s->gamma) * s->a[i];
        s->start_d[i] = h * from->v[i] + h * h * (0.5 - s->beta) * s->a[i];
        s->next_a[i] = s->a[i];
        s->next_push[i] = s->push[i];
    }
    ZN_TRY(evaluate(s, from));
    for (int k = 0; k < s->def.newton_iterations; k++) {
        ZN_TRY(correct(s, from));
        ZN_TRY(evaluate(s, from));
        double size, violation = joint_violation(s, &size), tolerance = s->def.newton_tolerance;
        bool   small = s->relative <= tolerance || s->correction <= tolerance;
        if ((s->linear && s->joints == 0) || (small && violation <= tolerance * (size + s->velocity_floor)))
            return ZN_OK;
    }
    return ZN_NOT_CONVERGED;
}

// --- results ---------------------------------------------------------------------------------------

static zn_status book(newmark *s, const zn_state *from)
{
    double   *ledger = s->info->ledger, h = s->h, extra = s->gamma - 0.5, middle = s->beta - 0.5 * s->gamma;
    zn_power  p0, p1;
    zn_energy end;
    ZN_TRY(zn_system_power(s->sys, (zn_at){from->q, from->v, from->t, 0}, s->d, &p0));
    ZN_TRY(zn_system_power(s->sys, (zn_at){s->q, s->v, from->t + h, 0}, s->d, &p1));
    ZN_TRY(zn_system_energy(s->sys, (zn_at){s->q, s->v, from->t + h, 0}, &end));
    double j0 = zn_system_dot(s->sys, s->push, s->d), j1 = zn_system_dot(s->sys, s->next_push, s->d);
    ZN_TRY(zn_system_inertia(s->sys, s->q, s->a, s->work)); // M a of the beginning
    double square = zn_system_dot(s->sys, s->next_a, s->inertia), before = zn_system_dot(s->sys, s->a, s->work);
    double cross = zn_system_dot(s->sys, s->a, s->inertia), jump = square - 2 * cross + before;     // [a].M [a]
    double change = zn_system_dot(s->sys, s->d, s->inertia) - zn_system_dot(s->sys, s->d, s->work); // d.[F]
    ledger[ZN_LEDGER_KINETIC] = end.kinetic;
    ledger[ZN_LEDGER_STRAIN] = end.strain;
    ledger[ZN_LEDGER_GRAVITY] = end.gravity;
    ledger[ZN_LEDGER_LOAD] = 0.5 * (p0.load + p1.load);
    ledger[ZN_LEDGER_DAMPER] = 0.5 * (p0.damper + p1.damper);
    ledger[ZN_LEDGER_JOINT] = 0.5 * (j0 + j1);
    ledger[ZN_LEDGER_COMPLEMENTARY] = -0.5 * h * h * middle * (square - before);
    ledger[ZN_LEDGER_NUMERICAL] = extra * change - h * h * middle * extra * jump +
                                  0.5 * (p0.gyroscopic + p1.gyroscopic) + end.strain - from->energy.strain +
                                  0.5 * (p0.strain + p1.strain) + end.gravity - from->energy.gravity +
                                  0.5 * (p0.gravity + p1.gravity);
    s->energy = end;
    return ZN_OK;
}

static void book_joints(newmark *s)
{
    zn_contact_set *set = s->contacts;
    for (int k = 0; k < s->joints; k++) {
        int row = k * set->stride;
        set->projection[row] = 0;
        set->approach[row] = set->velocity[row];
        set->velocity[row] = zn_row_dot(set, row, s->n, s->v);
        set->impulse[row] = s->h * s->l[k];
    }
    double size;
    s->info->joint_velocity = joint_violation(s, &size);
    s->info->newton_residual = s->relative < s->correction ? s->relative : s->correction;
}

static void commit(newmark *s, zn_state *to)
{
    to->t += s->h;
    memcpy(to->q, s->q, sizeof *to->q * (size_t)s->nq);
    memcpy(to->v, s->v, sizeof *to->v * (size_t)s->n_all);
    for (int i = s->n; i < s->n_all; i++)
        to->reaction[i - s->n] = s->h * (s->residual[i] - s->next_push[i]);
    to->energy = s->energy;
    zn_contact_set old = *to->contacts; // the arrays change places, no copying
    *to->contacts = *s->contacts;
    *s->contacts = old;
    memcpy(s->a, s->next_a, sizeof *s->a * (size_t)s->n_all);
    memcpy(s->push, s->next_push, sizeof *s->push * (size_t)s->n_all);
    s->started = true;
    s->info->failed = NULL;
}

static zn_status step(void *self, zn_state *state, double h, zn_step_info *info)
{
    newmark *s = self;
    *info = (zn_step_info){.activation_iterations = 1};
    s->info = info;
    s->h = h;
    s->relative = s->correction = INFINITY;
    zn_contact_set_copy(state->contacts, s->contacts);
    if (!s->started)
        ZN_STAGE(info, "initial accelerations", start(s, state));
    ZN_STAGE(info, "equations of motion", solve(s, state));
    ZN_STAGE(info, "energy ledger", book(s, state));
    book_joints(s);
    commit(s, state); // cannot fail
    return ZN_OK;
}

// --- life ------------------------------------------------------------------------------------------

static void destroy(void *self)
{
    newmark *s = self;
    zn_contact_set_destroy(s->contacts);
    zn_sparse_destroy(s->matrix);
    zn_linsolver_destroy(s->solver);
    zn_delassus_destroy(&s->delassus);
    free(s->a); // the slab of all vectors
    free(s->W);
    free(s->scratch);
    free(s);
}

static zn_status allocate(newmark *s)
{
    double **vectors[] = {&s->a, &s->push,  &s->start_v, &s->start_d,  &s->next_a, &s->next_push, &s->d,
                          &s->v, &s->force, &s->inertia, &s->residual, &s->scale,  &s->work,      &s->floor};
    size_t   count = sizeof vectors / sizeof *vectors, n = (size_t)s->n_all, m = (size_t)s->joints;
    size_t   lcp = zn_lcp_scratch(s->joints), redundant = sizeof(double) * m * (m + 1);
    s->a = ZN_NEW(double, count *n + (size_t)s->nq);
    s->W = ZN_NEW(double, m *m + 4 * m);
    s->scratch = zn_new_array(lcp > redundant ? lcp : redundant, 1);
    if (!s->a || !s->W || !s->scratch)
        return ZN_ERR_MEMORY;
    double *slab = s->a;
    for (size_t i = 0; i < count; i++)
        *vectors[i] = slab + i * n;
    s->q = slab + count * n;
    s->b = s->W + m * m + m; // W, right-hand sides of the callers, then these
    s->l = s->b + m;
    s->w = s->l + m;
    ZN_TRY(zn_contact_set_create(s->sys, &s->contacts));
    ZN_TRY(zn_delassus_create(s->sys, &s->delassus));
    ZN_TRY(zn_system_matrix(s->sys, &s->matrix));
    return zn_linsolver_create(s->matrix, s->def.linear_solver, &s->solver);
}

static zn_status check(const zn_system *sys, double beta, double gamma, const zn_log *log)
{
    if (!(gamma >= 0.5 && 2 * beta >= gamma))
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "newmark: beta = %g, gamma = %g: it is stable for any step only with 2 beta >= gamma >= 1/2",
                       beta, gamma);
    for (int i = 0; i < sys->model->rules; i++)
        if (!sys->model->rule[i].ops->bilateral)
            return zn_fail(
                log, ZN_ERR_UNSUPPORTED,
                "newmark: contact '%s': the scheme is for smooth motion; take cd_lagrange, nsga or moreau_jean, "
                "or newmark for the parts without contact",
                sys->model->rule[i].name);
    if (sys->varying_mass)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "newmark: systems in minimal coordinates have a mass that varies");
    return ZN_OK;
}

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    double gamma = def->gamma == 0 ? 0.5 : def->gamma;
    if (def->forecast != ZN_FORECAST_EXPLICIT)
        return zn_fail(log, ZN_ERR_ARGUMENT, "newmark: forecast does not apply, there are no contacts");
    ZN_TRY(zn_scheme_refuse_projection(def, "newmark", log));
    ZN_TRY(check(sys, def->beta, gamma, log));
    newmark *s = ZN_NEW(newmark, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    s->sys = sys;
    s->def = *def;
    s->beta = def->beta;
    s->gamma = gamma;
    s->n = sys->info.n;
    s->n_all = sys->info.n_all;
    s->nq = sys->info.nq;
    s->joints = sys->info.joints;
    s->linear = sys->info.linear;
    zn_status status = allocate(s);
    if (status != ZN_OK)
        destroy(s);
    else
        *self = s;
    return status;
}

// History: started, acceleration, G'l.
static int history_size(const void *self) { return 1 + 2 * ((const newmark *)self)->n_all; }

static void drop_factors(newmark *s)
{
    s->factored_h = 0;
    zn_linsolver_forget(s->solver);
}

static void history_save(void *self, double *history)
{
    newmark *s = self;
    if (!(s->linear && s->factored_h == s->h && zn_linsolver_is_fresh(s->solver)))
        drop_factors(s); // resuming must give the same bits
    history[0] = s->started;
    memcpy(history + 1, s->a, sizeof *history * (size_t)s->n_all);
    memcpy(history + 1 + s->n_all, s->push, sizeof *history * (size_t)s->n_all);
}

static void history_load(void *self, const double *history)
{
    newmark *s = self;
    drop_factors(s);
    s->started = history[0] != 0;
    memcpy(s->a, history + 1, sizeof *history * (size_t)s->n_all);
    memcpy(s->push, history + 1 + s->n_all, sizeof *history * (size_t)s->n_all);
}

static zn_linsolver_info linsolver(const void *self) { return zn_linsolver_get_info(((const newmark *)self)->solver); }

const zn_scheme_ops zn_newmark_ops = {
    .name = "newmark",
    .help = "Newmark: implicit, smooth motion with joints, no contacts (Fekak 2017, eqs. 61-65)",
    .create = create,
    .step = step,
    .history_size = history_size,
    .history_save = history_save,
    .history_load = history_load,
    .linsolver = linsolver,
    .destroy = destroy,
};
