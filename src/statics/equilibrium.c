// Static equilibrium:  f(q, 0, t) + G'l = 0,  joints g = 0,  contacts 0 <= g _|_ l >= 0,  v = 0.
//
// Gravity and loads grow in steps. Each is first tried directly (equilibrium_direct.c). Where that does not lead to an
// answer nearby, Newton's method with a complementarity problem for the contacts tries (equilibrium_newton.c); a step
// that it cannot take is halved, and doubled again once it succeeds. Where stiffness does not hold the model (Newton's
// matrix is singular), or halving does not help either, the step goes through pseudo-time (equilibrium_relax.c), whose
// limit is exact.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "base/def.h"
#include "base/option.h"
#include "math/linsolver.h"
#include "statics/equilibrium.h"
#include "system/blame.h"
#include "statics/linearized.h"

enum { HALVINGS = 8, ROUNDS = 8 };

// --- load steps ----------------------------------------------------------------------------------

// load = f with loads - f without them, at the current configuration.
static zn_status find_loads(zn_equilibrium *e, double *without)
{
    zn_at bare = {e->now.q, e->scratch.zero, e->loads.t, 1};
    ZN_TRY(zn_system_force(e->sys, bare, without));
    ZN_TRY(zn_system_force(e->sys, zn_equilibrium_at(e, e->now.q), e->scratch.load));
    for (int i = 0; i < e->n_all; i++)
        e->scratch.load[i] -= without[i];
    return ZN_OK;
}

static zn_status prepare(zn_equilibrium *e, double factor)
{
    ZN_ASSERT(factor >= 0 && factor <= 1);
    e->loads.relief = 1 - factor;
    zn_system_resolution(e->sys, e->now.q, e->scratch.rounding);
    zn_system_difference(e->sys, e->now.q, e->start, e->scratch.size);
    for (int i = 0; i < e->n_all; i++)
        e->scratch.size[i] = fabs(e->scratch.size[i]);
    return find_loads(e, e->scratch.work);
}

static int rows_of(const zn_equilibrium *e) { return e->set->count * e->set->stride; }

static zn_status keep(zn_equilibrium *e)
{
    memcpy(e->keep.q, e->now.q, sizeof *e->now.q * (size_t)e->nq);
    memcpy(e->keep.l, e->now.l, sizeof *e->now.l * (size_t)rows_of(e));
    return e->kept ? zn_contact_set_copy(e->set, e->kept) : ZN_OK;
}

// About how far points have come: there are no velocities to tell it.
static double moved_since_start(zn_equilibrium *e)
{
    double way = 0, turn = 0, *moved = e->scratch.work;
    zn_system_difference(e->sys, e->now.q, e->start, moved);
    for (int i = 0; i < e->n; i++)
        *(e->sys->rotational[i] ? &turn : &way) = fmax(e->sys->rotational[i] ? turn : way, fabs(moved[i]));
    return way + turn * e->length;
}

// The contacts near q; forces stay with theirs. `changed`: one that carried force is gone, or there is a new one
// inside.
static zn_status find_contacts(zn_equilibrium *e, bool *changed)
{
    zn_contact_set *set = e->set;
    double          lost = 0, deepest = 0;
    *changed = false;
    if (e->sys->fixed_contacts)
        return ZN_OK;
    memcpy(set->impulse, e->now.l, sizeof *e->now.l * (size_t)rows_of(e));
    for (int i = 0; i < set->count; i++)
        lost += !set->bilateral[i] && e->now.l[i * set->stride] > 0;
    zn_reach reach = {.moved = moved_since_start(e)};
    ZN_TRY(zn_contact_set_refresh_within(set, e->sys, e->now.q, e->loads.t, reach));
    ZN_TRY(zn_equilibrium_make_room(e));
    memcpy(e->now.l, set->impulse, sizeof *e->now.l * (size_t)rows_of(e));
    for (int i = 0; i < set->count; i++) {
        double l = e->now.l[i * set->stride];
        lost -= !set->bilateral[i] && l > 0;
        deepest = l > 0 || set->bilateral[i] ? deepest : fmax(deepest, -set->gap[i]);
    }
    *changed = lost > 0 || deepest > 1e-12 * e->length;
    return ZN_OK;
}

static zn_status go_back(zn_equilibrium *e)
{
    memcpy(e->now.q, e->keep.q, sizeof *e->now.q * (size_t)e->nq);
    if (e->kept)
        ZN_TRY(zn_contact_set_copy(e->kept, e->set));
    memcpy(e->now.l, e->keep.l, sizeof *e->now.l * (size_t)rows_of(e));
    return ZN_OK;
}

static void begin_again(zn_equilibrium *e)
{
    memcpy(e->now.q, e->round.q, sizeof *e->now.q * (size_t)e->nq);
    memcpy(e->now.l, e->round.l, sizeof *e->now.l * (size_t)rows_of(e));
}

static zn_status connect_plain(zn_equilibrium *e)
{
    ZN_TRY(zn_equilibrium_make_problem(e));
    if (zn_curved_matrix_is_connected(&e->matrix.plain, e->sys, e->set))
        return ZN_OK;
    memset(e->give, 0, sizeof *e->give * (size_t)e->set->count);
    e->regular = false;
    return zn_equilibrium_connect(e, &e->matrix.plain);
}

// Without the direct way. `patient`: through pseudo-time when all else fails.
static zn_status balance_in_steps(zn_equilibrium *e, bool patient)
{
    ZN_TRY(connect_plain(e));
    zn_status status = e->regular ? ZN_OK : zn_equilibrium_check_regular(e);
    e->alpha = 0;
    if (status == ZN_OK)
        status = zn_equilibrium_newton(e);
    e->regular = status == ZN_OK;
    if (status == ZN_SINGULAR || (patient && status > 0 && status != ZN_INTERRUPTED)) {
        begin_again(e);
        status = zn_equilibrium_relax(e);
    }
    return status;
}

// The equilibrium of the contacts at hand.
static zn_status balance(zn_equilibrium *e, bool patient)
{
    memcpy(e->round.q, e->now.q, sizeof *e->now.q * (size_t)e->nq);
    memcpy(e->round.l, e->now.l, sizeof *e->now.l * (size_t)rows_of(e));
    zn_status status = zn_equilibrium_direct(e);
    if (status <= ZN_OK || status == ZN_INTERRUPTED)
        return status;
    begin_again(e);
    return balance_in_steps(e, patient);
}

// Contacts were found anew each time: blame the deepest of the new ones.
static zn_status blame_contacts(const zn_equilibrium *e)
{
    const zn_contact_set *set = e->set;
    zn_blame_last =
        (zn_blame){.kind = ZN_BLAME_GAP, .problem = "contacts that come and go", .contact = zn_contact_id_none()};
    for (int i = 0; i < set->count; i++)
        if (!set->bilateral[i] &&
            (-set->gap[i] > zn_blame_last.value || zn_contact_id_is_none(zn_blame_last.contact))) {
            zn_blame_last.value = fmax(-set->gap[i], 0);
            zn_blame_last.contact = set->id[i];
        }
    zn_blame_iterations(ROUNDS, 1, 1);
    return ZN_NOT_CONVERGED;
}

// One load step: where points have left a face or come upon one on the way, again with the contacts found at its end.
static zn_status attempt(zn_equilibrium *e, double factor, bool patient)
{
    bool      changed = true;
    zn_status status = ZN_OK;
    zn_blame_clear();
    ZN_TRY(keep(e));
    ZN_TRY(prepare(e, factor));
    for (int round = 0; round < ROUNDS && changed && status == ZN_OK; round++) {
        status = balance(e, patient);
        if (status == ZN_OK)
            status = find_contacts(e, &changed);
    }
    if (status == ZN_OK && changed)
        status = blame_contacts(e);
    if (status != ZN_OK)
        ZN_TRY(go_back(e));
    return status;
}

static zn_status give_up(const zn_equilibrium *e, zn_status status)
{
    const zn_blame *b = &zn_blame_last;
    char            culprit[320], remedy[80];
    zn_blame_text(e->sys, b, culprit, sizeof culprit);
    int more = zn_blame_more(b);
    if (more > 0)
        snprintf(remedy, sizeof remedy, "newton_iterations: %d", more);
    else
        snprintf(remedy, sizeof remedy, "more load_steps, above %d", e->def.load_steps);
    return zn_fail(&e->def.log, status, "equilibrium: none found beyond %.6g of the loads: %s; what may help: %s",
                   e->loads.factor, culprit[0] ? culprit : zn_status_text(status), remedy);
}

zn_status zn_equilibrium_advance(zn_equilibrium *e, double factor)
{
    ZN_ASSERT(e);
    double whole = factor - e->loads.factor;
    int    halvings = 0;
    e->loads.stride = fmin(e->loads.stride, whole);
    while (e->loads.factor < factor) {
        double next =
            e->loads.factor + e->loads.stride < factor - 1e-9 * whole ? e->loads.factor + e->loads.stride : factor;
        zn_status status = attempt(e, next, halvings == HALVINGS);
        if (status == ZN_OK) {
            e->loads.factor = next;
            e->info.increments++;
            e->loads.stride = fmin(2 * e->loads.stride, whole);
            halvings -= halvings > 0;
            continue;
        }
        if (status < 0 || status == ZN_INTERRUPTED)
            return status;
        if (halvings++ == HALVINGS)
            return give_up(e, status);
        e->info.retries++;
        e->loads.stride = (next - e->loads.factor) / 2;
    }
    e->info.load_steps++;
    return ZN_OK;
}

// --- the answer ----------------------------------------------------------------------------------

static zn_vec3 sum_forces(const zn_equilibrium *e, const double *f)
{
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < e->sys->layout.nodes; i++)
        for (int k = 0; k < 3 && e->sys->layout.node[i].kind != ZN_SCALAR; k++)
            if (e->sys->layout.node[i].dof[k] >= 0)
                sum[k] += f[e->sys->layout.node[i].dof[k]];
    return (zn_vec3){zn_system_sum(e->sys, sum[0]), zn_system_sum(e->sys, sum[1]), zn_system_sum(e->sys, sum[2])};
}

static void measure_gaps(zn_equilibrium *e)
{
    e->info.penetration = e->info.joint = 0;
    for (int i = 0; i < e->set->count; i++)
        if (e->set->bilateral[i])
            e->info.joint = fmax(e->info.joint, fabs(e->set->gap[i]));
        else
            e->info.penetration = fmax(e->info.penetration, -e->set->gap[i]);
}

// Supports: springs to the ground, joints, contacts, fixed degrees of freedom; forces inside the model cancel.
static zn_status measure(zn_equilibrium *e)
{
    double norm;
    e->alpha = 0;
    e->way.correction = INFINITY;
    e->way.expected = INFINITY;
    ZN_TRY(find_loads(e, e->scratch.probe));
    ZN_TRY(zn_equilibrium_evaluate(e, e->now.q, e->now.l, &norm)); // residual = f + G'l
    for (int i = 0; i < e->n_all; i++)
        e->scratch.work[i] =
            (i < e->n ? e->at.residual[i] : 0) - e->scratch.load[i]; // f without loads + G'l + reaction
    e->info.load = sum_forces(e, e->scratch.load);
    e->info.support = sum_forces(e, e->scratch.work);
    e->info.residual = e->at.balance;
    e->info.linear_solver = (zn_linsolver_info){0};
    zn_curved_matrix_add_work(&e->matrix.plain, &e->info.linear_solver);
    zn_curved_matrix_add_work(&e->matrix.whole, &e->info.linear_solver);
    measure_gaps(e);
    e->info.coulomb = e->friction.rows > 1 ? zn_equilibrium_coulomb(e, &e->info.coulomb_contact) : NAN;
    return zn_equilibrium_judge(e);
}

zn_status zn_equilibrium_commit(zn_equilibrium *e, double duration, zn_state *state)
{
    ZN_ASSERT(state && state->contacts != e->set);
    zn_contact_set *set = e->set;
    zn_energy       energy;
    ZN_TRY(measure(e));
    ZN_TRY(zn_system_energy(e->sys, zn_equilibrium_at(e, e->now.q), &energy));
    size_t rows = (size_t)set->count * (size_t)set->stride;
    memset(set->velocity, 0, sizeof *set->velocity * rows);
    memset(set->approach, 0, sizeof *set->approach * rows);
    memset(set->projection, 0, sizeof *set->projection * rows);
    for (size_t k = 0; k < rows; k++)
        set->impulse[k] = duration * e->now.l[k];
    ZN_TRY(zn_contact_set_copy(set, state->contacts));
    memcpy(state->q, e->now.q, sizeof *state->q * (size_t)e->nq);
    memset(state->v, 0, sizeof *state->v * (size_t)e->n_all);
    for (int i = e->n; i < e->n_all; i++)
        state->reaction[i - e->n] = -duration * e->at.residual[i];
    state->energy = energy;
    return ZN_OK;
}

zn_status zn_equilibrium_solve(const zn_system *sys, const zn_equilibrium_def *def, zn_state *state,
                               zn_equilibrium_info *info)
{
    ZN_ALIVE(sys);
    ZN_ALIVE(state);
    if (!sys || !state)
        return ZN_ERR_ARGUMENT;
    ZN_ASSERT(sys && state);
    ZN_TAKE_DEF(zn_equilibrium_def, def, &sys->model->log);
    zn_equilibrium *e;
    ZN_TRY(zn_equilibrium_create(sys, def, state, &e));
    zn_status status = ZN_OK;
    for (int i = 1; i <= def->load_steps && status == ZN_OK; i++)
        status = zn_equilibrium_advance(e, i == def->load_steps ? 1 : (double)i / def->load_steps);
    if (status == ZN_OK)
        status = zn_equilibrium_commit(e, 1, state);
    if (info)
        *info = e->info;
    zn_equilibrium_destroy(e);
    return status;
}
