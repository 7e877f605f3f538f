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
#include "base/assert.h"
#include "scheme/newmark.h"

// --- linear algebra --------------------------------------------------------------------------------

// A at the end of the step; for h = 0 the mass alone.
zn_status newmark_factor(newmark *s, double h, zn_at at)
{
    ZN_ASSERT(h >= 0); // 0: of the initial acceleration
    const double abc[3] = {1, h * s->gamma, h * h * s->beta};
    return zn_response_factor(&s->motion, at, abc, h);
}

// A at the end of the step; with the curvature of joints where Newton is slow without, whose forces are those of the
// last iteration, at first of the last step or of the start.
zn_status newmark_factor_end(newmark *s, double t, bool first)
{
    double       h = s->h;
    const double abc[3] = {1, h * s->gamma, h * h * s->beta};
    zn_at        at = {s->end.q, s->end.v, t, 0};
    if (!s->bends)
        return s->linear && zn_response_is_for(&s->motion, h) ? ZN_OK : zn_response_factor(&s->motion, at, abc, h);
    const zn_bend bend = {s->contacts, s->end.q, s->bend, t, s->end.d};
    for (int k = 0; k < s->joints; k++) {
        int row = s->list.row[k];
        s->bend[row] = abc[2] * (first && s->started ? s->contacts->impulse[row] / h : s->l[k]);
    }
    return zn_response_bend(&s->motion, at, abc, h, &bend);
}

// Multipliers l with G (x + A^-1 G'l) = -rate in every joint; x (n) moves along, push += G'l.
zn_status newmark_solve_joints(newmark *s, zn_response *r, zn_rows G, double *x, double *push)
{
    zn_constraints *c = &s->problem;
    zn_rows         H = zn_gap_rows(s->contacts);
    const zn_demand demand = {.level = "velocity"};
    zn_solved       solved;
    ZN_TRY(zn_constraints_assemble(c, &s->list, r, s->contacts, G, H));
    for (int k = 0; k < s->joints; k++) {
        c->b[k] = s->rate[k] + zn_rows_dot(G, s->list.row[k], s->n, x);
        c->z[k] = 0;
    }
    ZN_TRY(zn_constraints_solve(c, &s->list, &demand, &solved));
    zn_response_add(r, H, &s->list, c->z, x);
    for (int k = 0; k < s->joints; k++) {
        s->l[k] = c->z[k];
        zn_row_add(s->contacts, s->list.row[k], s->n_all, c->z[k], push);
    }
    return ZN_OK;
}

// --- start -----------------------------------------------------------------------------------------

// w_k = d/dt (G v + dg/dt) at constant v, by central differences along the motion.
static zn_status joint_rates(newmark *s, const zn_state *from, double *out)
{
    double step = 1e-3 * s->h, *q = s->end.q;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < s->n_all; i++)
            s->work[i] = side * step * from->v[i];
        zn_system_retract(s->sys, from->q, s->work, q);
        ZN_TRY(zn_contact_set_evaluate(s->contacts, s->sys, q, from->t + side * step));
        for (int k = 0; k < s->joints; k++) {
            double U = zn_row_dot(s->contacts, s->list.row[k], s->n, from->v) + s->contacts->rate[k];
            out[k] = (side < 0 ? 0 : out[k]) + side * U / (2 * step);
        }
    }
    return zn_contact_set_evaluate(s->contacts, s->sys, from->q, from->t);
}

// M a = F + G'l + links with accelerations that keep the joints.
zn_status newmark_start(newmark *s, const zn_state *from)
{
    zn_at at = {from->q, from->v, from->t, 0};
    ZN_TRY(zn_system_whole_force(s->sys, at, s->end.force));
    ZN_TRY(newmark_factor(s, 0, at));
    memset(s->a, 0, sizeof *s->a * (size_t)s->n_all);
    memset(s->push, 0, sizeof *s->push * (size_t)s->n_all);
    for (int i = 0; i < s->n; i++)
        s->a[i] = s->end.force[i] + s->pull[i];
    ZN_TRY(zn_response_solve(&s->motion, s->a));
    if (s->joints > 0) {
        ZN_TRY(joint_rates(s, from, s->rate));
        ZN_TRY(newmark_solve_joints(s, &s->motion, zn_gap_rows(s->contacts), s->a, s->push));
    }
    return ZN_OK;
}

// --- the step --------------------------------------------------------------------------------------

// R = M a - F - links at the end, and how large it is with the joints.
static zn_status find_residual(newmark *s)
{
    for (int i = 0; i < s->n_all; i++) {
        s->end.residual[i] = s->end.inertia[i] - s->end.force[i] - s->end.pull[i];
        s->scale[i] = fabs(s->end.inertia[i]) + fabs(s->end.force[i]) + fabs(s->end.push[i]) + fabs(s->end.pull[i]);
    }
    for (int i = 0; i < s->n; i++)
        s->work[i] = s->end.residual[i] - s->end.push[i];
    s->relative = zn_system_relative_norm(s->sys, s->work, s->scale);
    return isfinite(s->relative) ? ZN_OK : zn_blame_infinite(s->sys, s->n, s->work);
}

// q, v, d that follow from next_a; force, inertia and residual there.
static zn_status evaluate(newmark *s, const zn_state *from)
{
    double h = s->h;
    for (int i = 0; i < s->n_all; i++) {
        s->end.v[i] = s->start_v[i] + h * s->gamma * s->end.a[i];
        s->end.d[i] = s->start_d[i] + h * h * s->beta * s->end.a[i];
    }
    zn_system_retract(s->sys, from->q, s->end.d, s->end.q);
    ZN_TRY(zn_system_whole_force(s->sys, (zn_at){s->end.q, s->end.v, from->t + h, 0}, s->end.force));
    ZN_TRY(zn_system_whole_inertia(s->sys, s->end.q, s->end.a, s->end.inertia));
    if (s->joints > 0)
        ZN_TRY(zn_contact_set_evaluate(s->contacts, s->sys, s->end.q, from->t + h));
    return find_residual(s);
}

// What rounding of U = G v must be measured by where bodies rest on joints: the terms of G h gamma a, a the change of
// the acceleration that joints are about to take away.
static double taken_by_joints(const newmark *s, const double *a)
{
    const zn_contact_set *set = s->contacts;
    double                largest = 0;
    for (int k = 0; k < s->joints; k++) {
        double terms = 0;
        for (int e = set->row_start[s->list.row[k]]; e < set->row_start[s->list.row[k] + 1]; e++)
            terms += set->row_dof[e] < s->n ? fabs(set->row_value[e] * a[set->row_dof[e]]) : 0;
        largest = fmax(largest, s->h * s->gamma * terms);
    }
    return zn_system_max(s->sys, largest);
}

// With curvature in the matrix velocities of rows turn with the configuration, too.
zn_status newmark_joint_rows(newmark *s, double t, zn_rows *out)
{
    *out = zn_gap_rows(s->contacts);
    if (!s->bends)
        return ZN_OK;
    return zn_curvature_turn(s->motion.curvature, s->sys, s->contacts, &s->list, (zn_at){s->end.q, s->end.v, t, 0},
                             s->h * s->beta / s->gamma, out);
}

// The correction of next_a into work: A da = -(R + G'l), joints hold at velocity level.
zn_status newmark_correction(newmark *s, const zn_state *from)
{
    double  h = s->h;
    zn_rows G;
    for (int i = 0; i < s->n; i++)
        s->work[i] = -s->end.residual[i];
    ZN_TRY(zn_response_solve(&s->motion, s->work));
    if (s->joints > 0) {
        s->taken = taken_by_joints(s, s->work);
        memset(s->end.push, 0, sizeof *s->end.push * (size_t)s->n_all);
        ZN_TRY(newmark_joint_rows(s, from->t + h, &G));
        for (int k = 0; k < s->joints; k++) // G (v + h gamma da) + dg/dt = 0
            s->rate[k] =
                (zn_row_dot(s->contacts, s->list.row[k], s->n, s->end.v) + s->contacts->rate[k]) / (h * s->gamma);
        ZN_TRY(newmark_solve_joints(s, &s->motion, G, s->work, s->end.push));
    }
    return ZN_OK;
}

// By the factors there are.
static zn_status correct(newmark *s, const zn_state *from)
{
    s->info->newton_iterations++;
    ZN_TRY(newmark_correction(s, from));
    for (int i = 0; i < s->n; i++) {
        s->end.a[i] += s->work[i];
        s->scale[i] = fabs(s->end.a[i]) + fabs(s->a[i]) + s->floor[i];
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
            double part = set->row_dof[e] < s->n ? set->row_value[e] * s->end.v[set->row_dof[e]] : 0;
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

// Residual or correction is small and joints hold.
static bool is_solved(const newmark *s)
{
    double size, violation = joint_violation(s, &size), tolerance = s->def.newton_tolerance;
    bool   small = s->relative <= tolerance || s->correction <= tolerance;
    return small && violation <= tolerance * (size + s->taken + s->velocity_floor);
}

static zn_status blame(const newmark *s, double middle)
{
    zn_blame_iterations(s->def.newton_iterations, middle / s->def.newton_tolerance,
                        s->correction / s->def.newton_tolerance);
    return zn_blame_newton(s->sys, ZN_NOT_CONVERGED, s->work, s->scale, "N", s->def.newton_tolerance, s->contacts);
}

// Newton's method; links at the end are those of the beginning.
static zn_status iterate(newmark *s, const zn_state *from)
{
    double        h = s->h, middle = INFINITY;
    const double *shift = s->coupling.shift;
    set_floors(s, from);
    for (int i = 0; i < s->n_all; i++) {
        s->start_v[i] = from->v[i] + h * (1 - s->gamma) * s->a[i];
        s->start_d[i] = h * from->v[i] + h * h * (0.5 - s->beta) * s->a[i] + (shift ? shift[i] : 0);
        s->end.a[i] = s->a[i];
        s->end.push[i] = s->push[i];
        s->end.pull[i] = s->pull[i];
    }
    ZN_TRY(evaluate(s, from));
    for (int k = 0; k < s->def.newton_iterations; k++) {
        double before = s->correction;
        ZN_TRY(newmark_factor_end(s, from->t + h, k == 0));
        ZN_TRY(correct(s, from));
        ZN_TRY(evaluate(s, from));
        if ((s->linear && s->joints == 0) || is_solved(s))
            return ZN_OK;
        if (k > 0 && !(s->correction < 0.1 * before) && zn_response_can_bend(&s->motion))
            s->bends = s->slow = true;
        if (k <= s->def.newton_iterations / 2)
            middle = s->correction;
    }
    return blame(s, middle);
}

// Where it does not converge, once more from the start: with curvature from the first iteration on, or without.
zn_status newmark_solve(newmark *s, const zn_state *from)
{
    bool bent = s->bends = s->bend_steps > 0;
    s->slow = false;
    zn_status status = iterate(s, from);
    if ((status != ZN_NOT_CONVERGED && status != ZN_NOT_FINITE && status != ZN_SINGULAR) ||
        !zn_response_can_bend(&s->motion))
        return status;
    s->bends = !bent;
    s->slow = true;
    return iterate(s, from);
}

zn_status newmark_settle(newmark *s, const zn_state *from, int rounds, bool *settled)
{
    double before = s->correction;
    ZN_TRY(find_residual(s));
    ZN_TRY(correct(s, from));
    ZN_TRY(evaluate(s, from));
    *settled = (s->linear && s->joints == 0) || is_solved(s);
    return *settled || rounds < s->def.newton_iterations ? ZN_OK : blame(s, before);
}

// --- results ---------------------------------------------------------------------------------------

zn_status newmark_book(newmark *s, const zn_state *from)
{
    double   *ledger = s->info->ledger, h = s->h, extra = s->gamma - 0.5, middle = s->beta - 0.5 * s->gamma;
    zn_power  p0, p1;
    zn_energy end;
    for (int i = 0; i < s->n_all; i++)
        s->work[i] = s->end.d[i] / h;
    ZN_TRY(zn_system_power(s->sys, (zn_at){from->q, from->v, from->t, 0}, s->work, &p0));
    ZN_TRY(zn_system_power(s->sys, (zn_at){s->end.q, s->end.v, from->t + h, 0}, s->work, &p1));
    ZN_TRY(zn_system_energy(s->sys, (zn_at){s->end.q, s->end.v, from->t + h, 0}, &end));
    double j0 = zn_system_dot(s->sys, s->push, s->end.d), j1 = zn_system_dot(s->sys, s->end.push, s->end.d);
    ZN_TRY(zn_system_whole_inertia(s->sys, s->end.q, s->a, s->work)); // M a of the beginning
    double square = zn_system_dot(s->sys, s->end.a, s->end.inertia), before = zn_system_dot(s->sys, s->a, s->work);
    double cross = zn_system_dot(s->sys, s->a, s->end.inertia), jump = square - 2 * cross + before; // [a].M [a]
    double change = zn_system_dot(s->sys, s->end.d, s->end.inertia) - zn_system_dot(s->sys, s->end.d, s->work); // d.[F]
    ledger[ZN_LEDGER_KINETIC] = end.kinetic;
    ledger[ZN_LEDGER_STRAIN] = end.strain;
    ledger[ZN_LEDGER_GRAVITY] = end.gravity;
    ledger[ZN_LEDGER_LOAD] = 0.5 * h * (p0.load + p1.load);
    ledger[ZN_LEDGER_MOTOR] = 0.5 * h * (p0.motor + p1.motor);
    ledger[ZN_LEDGER_DAMPER] = 0.5 * h * (p0.damper + p1.damper);
    ledger[ZN_LEDGER_JOINT] = 0.5 * (j0 + j1);
    ledger[ZN_LEDGER_COMPLEMENTARY] = -0.5 * h * h * middle * (square - before);
    ledger[ZN_LEDGER_NUMERICAL] = extra * change - h * h * middle * extra * jump +
                                  0.5 * h * (p0.gyroscopic + p1.gyroscopic) + end.strain - from->energy.strain +
                                  0.5 * h * (p0.strain + p1.strain) + end.gravity - from->energy.gravity +
                                  0.5 * h * (p0.gravity + p1.gravity);
    s->energy = end;
    return ZN_OK;
}

void newmark_book_joints(newmark *s)
{
    zn_contact_set *set = s->contacts;
    for (int k = 0; k < s->joints; k++) {
        int row = k * set->stride;
        set->projection[row] = 0;
        set->approach[row] = set->velocity[row];
        set->velocity[row] = zn_row_dot(set, row, s->n, s->end.v);
        set->impulse[row] = s->h * s->l[k];
    }
    double size;
    s->info->joint_velocity = joint_violation(s, &size);
    s->info->newton_residual = s->relative < s->correction ? s->relative : s->correction;
}

void newmark_commit(newmark *s, zn_state *to)
{
    ZN_ASSERT(to->contacts != s->contacts);
    to->t += s->h;
    memcpy(to->q, s->end.q, sizeof *to->q * (size_t)s->nq);
    memcpy(to->v, s->end.v, sizeof *to->v * (size_t)s->n_all);
    for (int i = s->n; i < s->n_all; i++)
        to->reaction[i - s->n] = s->h * (s->end.residual[i] - s->end.push[i]);
    to->energy = s->energy;
    zn_contact_set_swap(to->contacts, s->contacts);
    memcpy(s->a, s->end.a, sizeof *s->a * (size_t)s->n_all);
    memcpy(s->push, s->end.push, sizeof *s->push * (size_t)s->n_all);
    memcpy(s->pull, s->end.pull, sizeof *s->pull * (size_t)s->n_all);
    s->started = true;
    s->jumped = false;
    s->bend_steps = s->slow ? ZN_NEWMARK_BEND : s->bend_steps - (s->bend_steps > 0);
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
    if (!s->started || s->jumped)
        ZN_STAGE(info, "initial accelerations", newmark_start(s, state));
    ZN_STAGE(info, "equations of motion", newmark_solve(s, state));
    ZN_STAGE(info, "energy ledger", newmark_book(s, state));
    newmark_book_joints(s);
    newmark_commit(s, state); // cannot fail
    return ZN_OK;
}

// --- life ------------------------------------------------------------------------------------------

void newmark_destroy(void *self)
{
    newmark *s = self;
    zn_sparse_destroy(s->coupling.sum);
    zn_response_destroy(&s->coupling.with);
    zn_linsolver_destroy(s->coupling.joined);
    free(s->coupling.other);
    zn_contact_set_destroy(s->contacts);
    zn_response_destroy(&s->motion);
    zn_constraints_destroy(&s->problem);
    zn_row_list_destroy(&s->list);
    zn_arena_destroy(s->memory);
    free(s);
}

static zn_status allocate(newmark *s)
{
    newmark_end                 *end = &s->end;
    double                     **vectors[] = {&s->a,          &s->push,   &s->pull, &s->start_v, &s->start_d, &end->a,
                                              &end->push,     &end->pull, &end->d,  &end->v,     &end->force, &end->inertia,
                                              &end->residual, &s->scale,  &s->work, &s->floor};
    double                     **configuration[] = {&end->q}, **per_joint[] = {&s->l, &s->rate};
    const zn_constraint_settings settings = {"auto", s->def.solver_tolerance, ZN_FC_MEASURE_NATURAL, {0}};
    ZN_TRY(zn_arena_create_growing(1 << 14, &s->memory));
    ZN_TRY(zn_arena_vectors(s->memory, ZN_COUNT(vectors), vectors, (size_t)s->n_all));
    ZN_TRY(zn_arena_vectors(s->memory, 1, configuration, (size_t)s->nq));
    ZN_TRY(zn_arena_vectors(s->memory, 2, per_joint, (size_t)s->joints));
    s->bend = ZN_ARENA_NEW(s->memory, double, s->sys->contact_capacity * s->sys->contact_rows);
    if (!s->bend)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_contact_set_create(s->sys, &s->contacts));
    ZN_TRY(zn_response_create(s->sys, s->def.linear_solver, false, &s->motion));
    ZN_TRY(zn_response_allow_curvature(&s->motion, s->def.linear_solver));
    ZN_TRY(zn_response_reserve(&s->motion, s->sys->contact_capacity));
    ZN_TRY(zn_constraints_create(s->sys, &settings, &s->problem));
    ZN_TRY(zn_constraints_reserve(&s->problem, s->joints, s->joints, s->joints));
    ZN_TRY(zn_row_list_create(s->joints, 0, &s->list));
    for (int k = 0; k < s->joints; k++)
        zn_row_list_add_equation(&s->list, k * s->contacts->stride);
    return ZN_OK;
}

static zn_status check(const zn_system *sys, double beta, double gamma, const zn_log *log)
{
    if (!(gamma >= 0.5 && 2 * beta >= gamma))
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "newmark: beta = %g, gamma = %g: it is stable for any step only with 2 beta >= gamma >= 1/2",
                       beta, gamma);
    for (int i = 0; i < sys->model->rules; i++)
        if (!sys->model->rule[i].ops->bilateral && sys->model->rule[i].ops->evaluate) // it is of this part
            return zn_fail(
                log, ZN_ERR_UNSUPPORTED,
                "newmark: contact '%s': the scheme is for smooth motion; take cd_lagrange, nsga or moreau_jean, "
                "or newmark for the parts without contact",
                sys->model->rule[i].name);
    if (sys->varying_mass)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "newmark: systems in minimal coordinates have a mass that varies");
    return ZN_OK;
}

zn_status newmark_create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    double gamma = def->gamma == 0 ? 0.5 : def->gamma;
    ZN_TRY(zn_system_agree(sys, check(sys, def->beta, gamma, log)));
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
        newmark_destroy(s);
    else
        *self = s;
    return status;
}

// Accelerations are those of the forces at the end of a step anyway: finding them anew costs no order.
static void jump(void *self, bool little)
{
    (void)little;
    ((newmark *)self)->jumped = true;
}

void newmark_history(void *self, zn_blob *blob)
{
    enum { VERSION = 3 }; // 2: steps with curvature, 3: jumps
    newmark *s = self;
    zn_response_history(&s->motion, blob, s->h);
    zn_blob_version(blob, VERSION);
    zn_blob_bool(blob, &s->started);
    zn_blob_bool(blob, &s->jumped);
    zn_blob_doubles(blob, s->a, s->n_all);
    zn_blob_doubles(blob, s->push, s->n_all);
    zn_blob_int(blob, &s->bend_steps, 0, zn_response_can_bend(&s->motion) ? ZN_NEWMARK_BEND : 0);
}

static double detail(const void *self, zn_detail which, int place)
{
    const newmark *s = self;
    ZN_ASSERT(which == ZN_DETAIL_ACCELERATION);
    (void)which;
    return s->started ? s->a[place] : NAN;
}

zn_linsolver_info newmark_linsolver(const void *self) { return zn_response_info(&((const newmark *)self)->motion); }

const zn_scheme_ops zn_newmark_ops = {
    .name = "newmark",
    .help = "Newmark: implicit, smooth motion with joints, no contacts (Fekak 2017, eqs. 61-65)",
    .create = newmark_create,
    .step = step,
    .jump = jump,
    .history = newmark_history,
    .detail = detail,
    .details = 1U << ZN_DETAIL_ACCELERATION,
    .linsolver = newmark_linsolver,
    .destroy = newmark_destroy,
};
