// energy_momentum.c - the mid-point rule with forces between two states, which keeps energy, linear and angular
// momentum. Simo and Tarnow, ZAMP 43 (1992) 757-792; with contact frames Miyazaki and Park, section 1 of the motion
// without contact. So far without contacts and joints.
//
//     M (v' - v) / h = f(q, q')       f: zn_system_force_between, whose work on q' - q is the loss of energy
//     (v' + v) / 2   = w(d) / h       q' = q (+) d
//
// with the way w of the step, which is d but for rotations (zn_system_way). Unknown is d: R(d) = (2/h^2) M (w - h v) -
// f, A = ((2/h^2) M + (2/h) C) dw/dq + K with the tangents at the end, K not symmetric. From R = 0 follows [v.M v/2] =
// f.w, and f.w is the loss of potential energy, the work of loads and what dampers take: the ledger closes without a
// numerical line.
//
// Newton starts from the last increment, not from h v: velocities of nodes that something holds alternate from step to
// step in an undamped mid-point rule, and h v then is far off.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "scheme/scheme.h"
#include "system/between.h"
#include "system/system.h"

typedef struct momentum {
    const zn_system *sys;
    zn_scheme_def    def;
    int              n, n_all, nq;
    bool             damped;
    // history
    double           last_h; // 0: there was no step
    double          *last_d; // its increment
    // the step
    double           h;
    double          *d, *way, *q, *v; // increment and its way, configuration and velocity at the end
    double          *force, *inertia, *residual, *scale, *work, *floor;
    double           relative, correction;
    zn_sparse       *matrix;
    zn_linsolver    *solver;
    zn_energy        energy;
    zn_step_info    *info;
    zn_arena        *memory;
} momentum;

static zn_between states(const momentum *s, const zn_state *from)
{
    return (zn_between){{from->q, from->v, from->t, 0}, {s->q, s->v, from->t + s->h, 0}};
}

// --- the step --------------------------------------------------------------------------------------

// q', v' that follow from d, and the residual there.
static zn_status evaluate(momentum *s, const zn_state *from)
{
    double h = s->h;
    ZN_TRY(zn_system_way(s->sys, s->d, s->way));
    for (int i = 0; i < s->n_all; i++) {
        s->v[i] = 2 * s->way[i] / h - from->v[i];
        s->work[i] = (s->v[i] - from->v[i]) / h;
    }
    zn_system_retract(s->sys, from->q, s->d, s->q);
    ZN_TRY(zn_system_inertia(s->sys, s->q, s->work, s->inertia));
    ZN_TRY(zn_system_force_between(s->sys, states(s, from), s->force));
    for (int i = 0; i < s->n_all; i++)
        s->residual[i] = s->inertia[i] - s->force[i];
    s->relative = zn_system_relative_norm(s->sys, s->residual, s->scale);
    return isfinite(s->relative) ? ZN_OK : ZN_NOT_FINITE;
}

static zn_status correct(momentum *s, const zn_state *from)
{
    s->info->newton_iterations++;
    ZN_TRY(zn_system_step_matrix(s->sys, states(s, from), s->way, s->h, s->matrix));
    ZN_TRY(zn_linsolver_factor(s->solver, s->matrix));
    memcpy(s->work, s->residual, sizeof *s->work * (size_t)s->n);
    ZN_TRY(zn_linsolver_solve(s->solver, 1, s->work));
    s->correction = zn_system_relative_norm(s->sys, s->work, s->floor);
    zn_system_tangent_inverse(s->sys, s->d, s->work, s->work); // from the end to the increment
    for (int i = 0; i < s->n; i++)
        s->d[i] -= s->work[i];
    return ZN_OK;
}

// What residuals are compared with: momenta over the step and the forces at its start. Forces alone vanish in free
// flight. Corrections below the rounding of positions change nothing.
static zn_status set_scales(momentum *s, const zn_state *from)
{
    zn_system_resolution(s->sys, from->q, s->floor);
    ZN_TRY(zn_system_inertia(s->sys, from->q, from->v, s->inertia));
    ZN_TRY(zn_system_force_between(s->sys, states(s, from), s->force));
    for (int i = 0; i < s->n_all; i++) {
        s->scale[i] = 2 / s->h * fabs(s->inertia[i]) + fabs(s->force[i]);
        s->floor[i] *= 4;
    }
    return ZN_OK;
}

static zn_status predict(momentum *s, const zn_state *from)
{
    for (int i = 0; i < s->n_all; i++) {
        s->way[i] = s->h * from->v[i];
        s->d[i] = s->last_d[i] * (s->last_h > 0 ? s->h / s->last_h : 0);
    }
    if (!(s->last_h > 0))
        zn_system_way_inverse(s->sys, s->way, s->d);
    ZN_TRY(zn_system_way(s->sys, s->d, s->way));
    for (int i = 0; i < s->n_all; i++)
        s->v[i] = 2 * s->way[i] / s->h - from->v[i];
    zn_system_retract(s->sys, from->q, s->d, s->q);
    return ZN_OK;
}

// Until the residual is small and no longer falls: what is left of it is the energy that a step gives or takes.
static zn_status solve(momentum *s, const zn_state *from)
{
    ZN_TRY(predict(s, from));
    ZN_TRY(set_scales(s, from));
    ZN_TRY(evaluate(s, from));
    for (int k = 0; k < s->def.newton_iterations; k++) {
        double before = s->relative;
        ZN_TRY(correct(s, from));
        ZN_TRY(evaluate(s, from));
        bool small = s->relative <= s->def.newton_tolerance || s->correction <= 1;
        if (small && (k > 0 || s->relative == 0) && !(s->relative < 0.1 * before))
            return ZN_OK;
    }
    return ZN_NOT_CONVERGED;
}

// --- results ---------------------------------------------------------------------------------------

// What dampers did: of the forces that are there without velocities, the rest.
static zn_status damper_work(momentum *s, const zn_state *from, double *out)
{
    zn_between still = states(s, from);
    memset(s->scale, 0, sizeof *s->scale * (size_t)s->n_all);
    still.from.v = still.to.v = s->scale;
    ZN_TRY(zn_system_force_between(s->sys, still, s->work));
    *out = zn_system_dot(s->sys, s->force, s->way) - zn_system_dot(s->sys, s->work, s->way);
    return ZN_OK;
}

// Loads act as at the middle of the times. What is left between the work of all forces and the energies is rounding.
static zn_status book(momentum *s, const zn_state *from)
{
    double   *ledger = s->info->ledger, damper = 0;
    zn_energy energy;
    ZN_TRY(zn_system_energy(s->sys, states(s, from).to, &energy));
    ZN_TRY(zn_system_load_between(s->sys, states(s, from), s->work));
    double load = zn_system_dot(s->sys, s->work, s->way);
    if (s->damped)
        ZN_TRY(damper_work(s, from, &damper));
    double stored = energy.strain - from->energy.strain + energy.gravity - from->energy.gravity;
    ledger[ZN_LEDGER_KINETIC] = energy.kinetic;
    ledger[ZN_LEDGER_STRAIN] = energy.strain;
    ledger[ZN_LEDGER_GRAVITY] = energy.gravity;
    ledger[ZN_LEDGER_LOAD] = load;
    ledger[ZN_LEDGER_DAMPER] = damper;
    ledger[ZN_LEDGER_NUMERICAL] = zn_system_dot(s->sys, s->force, s->way) + stored - load - damper;
    s->energy = energy;
    s->info->newton_residual = s->relative;
    return ZN_OK;
}

static void commit(momentum *s, zn_state *to)
{
    to->t += s->h;
    memcpy(to->q, s->q, sizeof *to->q * (size_t)s->nq);
    memcpy(to->v, s->v, sizeof *to->v * (size_t)s->n_all);
    for (int i = s->n; i < s->n_all; i++)
        to->reaction[i - s->n] = s->h * s->residual[i];
    to->energy = s->energy;
    memcpy(s->last_d, s->d, sizeof *s->d * (size_t)s->n_all);
    s->last_h = s->h;
    s->info->failed = NULL;
}

static zn_status step(void *self, zn_state *state, double h, zn_step_info *info)
{
    momentum *s = self;
    *info = (zn_step_info){.activation_iterations = 1};
    s->info = info;
    s->h = h;
    ZN_STAGE(info, "equations of motion", solve(s, state));
    ZN_STAGE(info, "energy ledger", book(s, state));
    commit(s, state); // cannot fail
    return ZN_OK;
}

// --- life ------------------------------------------------------------------------------------------

static void destroy(void *self)
{
    momentum *s = self;
    zn_linsolver_destroy(s->solver);
    zn_sparse_destroy(s->matrix);
    zn_arena_destroy(s->memory);
    free(s);
}

static zn_status allocate(momentum *s)
{
    double **vectors[] = {&s->last_d,  &s->d,        &s->way,   &s->v,    &s->force,
                          &s->inertia, &s->residual, &s->scale, &s->work, &s->floor};
    double **configuration[] = {&s->q};
    ZN_TRY(zn_arena_create_growing(1 << 14, &s->memory));
    ZN_TRY(zn_arena_vectors(s->memory, ZN_COUNT(vectors), vectors, (size_t)s->n_all));
    ZN_TRY(zn_arena_vectors(s->memory, 1, configuration, (size_t)s->nq));
    ZN_TRY(zn_system_matrix(s->sys, &s->matrix));
    return zn_linsolver_create(s->matrix, s->def.linear_solver, &s->solver);
}

static zn_status check(const zn_system *sys, const zn_log *log)
{
    if (sys->model->rules > 0) {
        const zn_contact_rule *rule = &sys->model->rule[0];
        return zn_fail(
            log, ZN_ERR_UNSUPPORTED, "energy_momentum: %s '%s': the scheme has no %s; take nsga or moreau_jean",
            rule->ops->bilateral ? "joint" : "contact", rule->name, rule->ops->bilateral ? "joints" : "contacts");
    }
    if (sys->varying_mass)
        return zn_fail(log, ZN_ERR_UNSUPPORTED,
                       "energy_momentum: systems in minimal coordinates have a mass that varies");
    return zn_system_refuse_between(sys, "energy_momentum");
}

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    ZN_TRY(check(sys, log));
    momentum *s = ZN_NEW(momentum, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    s->sys = sys;
    s->def = *def;
    s->n = sys->info.n;
    s->n_all = sys->info.n_all;
    s->nq = sys->info.nq;
    for (int i = 0; i < sys->blocks; i++)
        s->damped |= sys->velocity[i] == ZN_VELOCITY_DAMPER;
    zn_status status = allocate(s);
    if (status != ZN_OK)
        destroy(s);
    else
        *self = s;
    return status;
}

static void history(void *self, zn_blob *blob)
{
    enum { VERSION = 1 };
    momentum *s = self;
    zn_blob_version(blob, VERSION);
    zn_blob_doubles(blob, &s->last_h, 1);
    zn_blob_doubles(blob, s->last_d, s->n_all);
}

static zn_linsolver_info linsolver(const void *self) { return zn_linsolver_get_info(((const momentum *)self)->solver); }

const zn_scheme_ops zn_energy_momentum_ops = {
    .name = "energy_momentum",
    .help =
        "energy and momentum kept: mid-point rule with forces between two states, no contacts (Simo and Tarnow 1992)",
    .create = create,
    .step = step,
    .history = history,
    .linsolver = linsolver,
    .destroy = destroy,
};
