// The driver: steps on a fixed time grid t0 + k h. A step that fails is taken in halves until it succeeds and the grid
// is met again; the state is never left half-way by a failed step.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "base/def.h"
#include "base/seldom.h"
#include "scheme/scheme.h"
#include "sim/remedy.h"
#include "sim/sim.h"
#include "statics/equilibrium.h"
#include "system/blame.h"
#include "system/contact_pressure.h"

ZN_DEFINE_DEF_WITH(zn_sim_def, (ZN_INNER_DEF(zn_sim_def, scheme), ZN_INNER_DEF(zn_sim_def, equilibrium)),
                   .scheme = zn_scheme_def_default(), .max_subdivisions = 8, .record_every = 1, .checkpoint_every = 100,
                   .frames = -1, .start_penetration = NAN, .equilibrium = zn_equilibrium_def_default(),
                   .limits = zn_limits_none())

// --- life ----------------------------------------------------------------------------------------

static zn_status check_def(const zn_sim_def *def)
{
    const zn_log *log = &def->log;
    if (def->record_every < 1 || def->max_subdivisions < 0 || def->max_subdivisions > 30)
        return zn_fail(log, ZN_ERR_ARGUMENT, "run: record_every must be at least 1, max_subdivisions in [0, 30]");
    if (def->checkpoint_every < 0)
        return zn_fail(log, ZN_ERR_ARGUMENT, "run: checkpoint_every must be at least 0");
    if (def->frames < -1)
        return zn_fail(log, ZN_ERR_ARGUMENT, "run: frames must be at least 0, or -1 for as many as is usual");
    if (def->statics)
        return ZN_OK;
    if (!(def->step > 0) || !isfinite(def->step))
        return zn_fail(log, ZN_ERR_ARGUMENT, "run: step %g s is not positive", def->step);
    if (!isfinite(def->start) || !(def->until > def->start) || !isfinite(def->until))
        return zn_fail(log, ZN_ERR_ARGUMENT, "run: until %g s is not after start %g s", def->until, def->start);
    if ((def->until - def->start) / def->step > 1e15)
        return zn_fail(log, ZN_ERR_ARGUMENT, "run: %g s is too small a step for %g s", def->step,
                       def->until - def->start);
    if (def->step > (def->until - def->start) * (1 + 1e-6))
        return zn_fail(log, ZN_ERR_ARGUMENT, "run: step %g s is longer than the run, from %g s to %g s", def->step,
                       def->start, def->until);
    if (def->start + def->step == def->start)
        return zn_fail(log, ZN_ERR_ARGUMENT, "run: step %g s is lost in rounding at t = %g s", def->step, def->start);
    return ZN_OK;
}

// Faces are found for records that want to know them.
static zn_status find_pressure(zn_sim *sim)
{
    bool wanted = false;
    for (int i = 0; i < sim->def.record_count; i++)
        wanted |= sim->def.records[i].path && strstr(sim->def.records[i].path, ".pressure");
    return wanted ? zn_contact_pressure_create(sim->sys, &sim->pressure) : ZN_OK;
}

static zn_status resolve_records(zn_sim *sim)
{
    int count = sim->def.record_count;
    ZN_TRY(find_pressure(sim));
    sim->series = ZN_NEW(zn_series, count);
    sim->quantity = ZN_NEW(zn_quantity, count);
    if (!sim->series || !sim->quantity)
        return ZN_ERR_MEMORY;
    zn_status status = ZN_OK;
    for (int i = 0; i < count; i++) { // report all that are wrong
        zn_record_def record = sim->def.records[i];
        zn_status     own = zn_quantity_resolve(sim, &record, &sim->quantity[i], &sim->series[i]);
        status = status == ZN_OK ? own : status;
        sim->needs_last_v |= own == ZN_OK && zn_quantity_needs_last_v(&sim->quantity[i]);
        sim->needs_last_q |= own == ZN_OK && zn_quantity_needs_last_q(&sim->quantity[i]);
        sim->series[i].name = zn_copy_string(record.name);
        sim->series[i].path = zn_copy_string(record.path);
        sim->series[i].offset = sim->columns;
        sim->columns += sim->series[i].columns;
        sim->series_count++;
        if (!sim->series[i].name || !sim->series[i].path)
            status = ZN_ERR_MEMORY;
    }
    sim->values = ZN_NEW(double, sim->columns);
    return status == ZN_OK && !sim->values ? ZN_ERR_MEMORY : status;
}

static zn_status start_state(zn_sim *sim)
{
    zn_status status = zn_state_create(sim->sys, &sim->state);
    if (status == ZN_OK) {
        sim->state->t = sim->def.start;
        status = zn_state_update(sim->sys, sim->state);
    }
    if (status <= 0)
        return status;
    return zn_fail(&sim->def.log, status == ZN_INVALID_STATE ? ZN_ERR_MODEL : status,
                   "the model as it is at t = %g s, the start: %s", sim->def.start, zn_status_text(status));
}

static zn_status set_up_recording(zn_sim *sim)
{
    ZN_TRY(resolve_records(sim));
    ZN_TRY(zn_sim_controls_begin(sim));
    ZN_TRY(zn_events_begin(sim));
    ZN_TRY(zn_whole_begin(sim));
    ZN_TRY(zn_frames_begin(sim));
    return sim->def.checkpoint_every > 0 && sim->def.recorder.checkpoint ? zn_checkpoint_begin(sim) : ZN_OK;
}

static zn_status set_up(zn_sim *sim)
{
    const zn_system *sys = sim->sys;
    ZN_TRY(start_state(sim));
    if (!sim->def.statics)
        ZN_TRY(zn_scheme_create(&sim->def.scheme, sys, &sim->scheme));
    sim->last_v = ZN_NEW(double, sys->info.n_all);
    sim->last_q = ZN_NEW(double, sys->info.nq);
    sim->work = ZN_NEW(double, sys->info.n_all);
    sim->unit = ZN_NEW(double, sys->info.n_all);
    sim->needs_last_q |= sys->info.contacts_grow; // certificate.c asks whether a pile stands
    sim->closed_capacity = sys->contact_capacity;
    sim->closed = ZN_NEW(zn_event, 2 * (size_t)sys->contact_capacity);
    sim->closed_steps = ZN_NEW(int, 2 * (size_t)sys->contact_capacity);
    if (!sim->last_v || !sim->last_q || !sim->work || !sim->unit || !sim->closed || !sim->closed_steps)
        return ZN_ERR_MEMORY;
    if (!sim->def.statics)
        sim->grid_steps = (int64_t)floor((sim->def.until - sim->def.start) / sim->def.step + 1e-6);
    if (sim->def.statics)
        ZN_TRY(zn_statics_begin(sim));
    else if (sim->def.start_at_equilibrium)
        ZN_TRY(zn_statics_start(sim));
    else
        ZN_TRY(zn_system_agree(sys, zn_start_check(sim)));
    if (!sim->def.statics)
        zn_start_velocities(sim);
    ZN_TRY(zn_system_agree(sys, set_up_recording(sim)));
    zn_certificate_start(sim);
    zn_certificate *c = &sim->certificate;
    ZN_TRY(zn_certificate_momenta(sim, &c->momentum_start, &c->angular_start));
    c->momentum = c->momentum_start;
    c->angular = c->angular_start;
    return zn_momenta_start(sim);
}

// Of what the scheme integrates explicitly.
static zn_status critical_step(const zn_system *sys, const zn_sim_def *def, zn_critical *out)
{
    zn_scheme_info info;
    ZN_TRY(zn_scheme_describe(&def->scheme, sys, 0, &info));
    *out = info.critical;
    return info.split || info.critical.step > 0
               ? ZN_OK
               : zn_system_critical_step(sys, (zn_at){sys->q0, sys->v0, def->start, 0}, out);
}

static zn_status resolve_step(const zn_system *sys, zn_sim_def *def)
{
    zn_critical critical;
    if (def->statics || def->step_cfl == 0)
        return ZN_OK;
    if (!(def->step_cfl > 0) || !isfinite(def->step_cfl))
        return zn_fail(&def->log, ZN_ERR_ARGUMENT, "run: step %g cfl is not positive", def->step_cfl);
    ZN_TRY(critical_step(sys, def, &critical));
    if (!isfinite(critical.step))
        return zn_fail(&def->log, ZN_ERR_MODEL,
                       "run: step %g cfl: nothing in the model is stiff, so it has no critical "
                       "step; give a time",
                       def->step_cfl);
    def->step = def->step_cfl * critical.step;
    def->step_cfl = 0;
    return ZN_OK;
}

zn_status zn_sim_def_resolve(const zn_system *sys, zn_sim_def *def)
{
    ZN_ALIVE(sys);
    if (!sys)
        return ZN_ERR_ARGUMENT;
    zn_sim_def own = zn_sim_def_default();
    ZN_TRY(zn_def_take(&zn_sim_def_kind, def, &own, &sys->model->log));
    ZN_TRY(resolve_step(sys, &own));
    zn_def_give(&zn_sim_def_kind, &own, def);
    return ZN_OK;
}

zn_status zn_sim_create(const zn_system *sys, const zn_sim_def *given, zn_sim **out)
{
    ZN_ALIVE(sys);
    if (!sys || !out)
        return ZN_ERR_ARGUMENT;
    zn_sim_def def = zn_sim_def_default();
    ZN_TRY(zn_def_take(&zn_sim_def_kind, given, &def, &sys->model->log));
    ZN_TRY(resolve_step(sys, &def));
    ZN_TRY(check_def(&def));
    zn_sim *sim = ZN_NEW(zn_sim, 1);
    if (!sim)
        return ZN_ERR_MEMORY;
    sim->sys = sys;
    sim->def = def;
    zn_blame_clear();
    zn_status status = set_up(sim);
    if (status == ZN_ERR_MEMORY && zn_blame_last.kind == ZN_BLAME_CROWD)
        zn_fail(&def.log, status, "out of memory: %.0f %s", zn_blame_last.value, zn_blame_last.problem);
    if (status != ZN_OK)
        zn_sim_destroy(sim);
    else
        *out = sim;
    return status;
}

zn_sim *zn_sim_destroy(zn_sim *sim)
{
    ZN_ALIVE(sim);
    if (!sim)
        return NULL;
    for (int i = 0; i < sim->series_count; i++) {
        free((char *)sim->series[i].name);
        free((char *)sim->series[i].path);
        zn_quantity_clear(&sim->quantity[i]);
    }
    zn_scheme_destroy(sim->scheme);
    zn_equilibrium_destroy(sim->equilibrium);
    zn_state_destroy(sim->state);
    zn_frames_destroy(sim->frames);
    zn_contact_pressure_destroy(sim->pressure);
    free(sim->series);
    free(sim->quantity);
    free(sim->held);
    free(sim->values);
    free(sim->last_v);
    free(sim->last_q);
    free(sim->late);
    free(sim->work);
    free(sim->unit);
    free(sim->owner);
    free(sim->closed);
    free(sim->closed_steps);
    free(sim->history);
    zn_blob_free(&sim->checkpoint[0]);
    zn_blob_free(&sim->checkpoint[1]);
    zn_retire(sim, sizeof *sim);
    return NULL;
}

// --- stepping ------------------------------------------------------------------------------------

// Memory ends over contacts as a rule: whoever found out has said of how many, or it is said of those that are near.
static zn_blame blame_for_memory(const zn_sim *sim, zn_status status)
{
    enum { MANY = 1000 };
    int contacts = sim->state->contacts->count - sim->sys->info.joints;
    if (status != ZN_ERR_MEMORY || (zn_blame_last.kind != ZN_BLAME_CROWD && contacts < MANY))
        return (zn_blame){.contact = zn_contact_id_none()};
    if (zn_blame_last.kind != ZN_BLAME_CROWD)
        zn_blame_crowd(contacts, "contacts were near when the step began");
    return zn_blame_last;
}

ZN_SELDOM static zn_status give_up(zn_sim *sim, zn_status status, double h)
{
    const zn_blame blame = status > 0 ? zn_blame_last : blame_for_memory(sim, status);
    char           culprit[320], remedy[160];
    zn_blame_text(sim->sys, &blame, culprit, sizeof culprit);
    zn_remedy(sim, status, &blame, h, remedy, sizeof remedy);
    return zn_fail(&sim->def.log, status, "step from t = %.9g s, h = %.3g s: %s failed: %s%s%s", sim->state->t, h,
                   sim->last.failed ? sim->last.failed : "it", culprit[0] ? culprit : zn_status_text(status),
                   remedy[0] ? "; what may help: " : "", remedy);
}

// What a step that failed has cost, and when steps were halved deepest.
ZN_SELDOM static void account_failure(zn_sim *sim, bool halves, int depth)
{
    zn_certificate     *c = &sim->certificate;
    const zn_step_info *s = &sim->last;
    c->failed_iterations +=
        s->newton_iterations + s->projection_iterations + s->activation_iterations + s->solver_iterations;
    c->failed_solves.value += s->failed_solves;
    if (!halves)
        return;
    c->retries++;
    c->halved_steps.value = (double)c->retries;
    if (depth >= sim->deepest) {
        sim->deepest = depth + 1;
        c->halved_steps.time = sim->state->t;
    }
}

static zn_status advance(zn_sim *sim, double h, int depth);

// A step that failed: two halves, where that may help.
ZN_SELDOM static zn_status advance_halves(zn_sim *sim, zn_status status, double h, int depth)
{
    bool halves = status > 0 && depth < sim->def.max_subdivisions && sim->state->t + h / 2 != sim->state->t &&
                  !zn_scheme_keeps_step(sim->scheme);
    account_failure(sim, halves, depth);
    if (!halves)
        return give_up(sim, status, h);
    ZN_TRY(advance(sim, h / 2, depth + 1));
    return advance(sim, h / 2, depth + 1);
}

// What everybody wants to know of a step of size h that began at t_before.
static zn_status account(zn_sim *sim, double h, double t_before)
{
    sim->last_h = h;
    ZN_TRY(zn_certificate_account(sim, h));
    if (sim->momenta.measured)
        ZN_TRY(zn_momenta_account(sim));
    if (sim->frames)
        ZN_TRY(zn_frames_account(sim));
    if (sim->closed_count > 0 || sim->last.active > 0)
        ZN_TRY(zn_events_account(sim, h));
    return sim->sys->model->controls > 0 ? zn_sim_controls_update(sim, t_before) : ZN_OK;
}

// One step, or two halves of it when it fails.
static zn_status advance(zn_sim *sim, double h, int depth)
{
    ZN_ASSERT(h > 0 && depth >= 0);
    if (sim->needs_last_v)
        zn_whole_keep_v(sim);
    if (sim->needs_last_q) {
        memcpy(sim->last_q, zn_sim_look(sim)->q, sizeof *sim->last_q * (size_t)sim->sys->info.nq);
        sim->last_t = sim->state->t;
    }
    double before = sim->state->t;
    zn_blame_clear();
    zn_status status = zn_scheme_advance(sim->scheme, sim->state, h, &sim->last);
    return status == ZN_OK ? account(sim, h, before) : advance_halves(sim, status, h, depth);
}

static double grid_time(const zn_sim *sim, int64_t index)
{
    ZN_ASSERT(index >= 0);
    return sim->def.start + (double)index * sim->def.step;
}

// Up to the next time of the grid in equal steps, each below the critical one times the option `follow`. A look costs
// nothing but now and then; where the step changes, the rest is shared anew.
ZN_APART static zn_status follow(zn_sim *sim, double next)
{
    double last = sim->last_h, tiny = 1e-9 * sim->def.step;
    while (next - sim->state->t > tiny) {
        double most, left = next - sim->state->t;
        ZN_TRY(zn_scheme_longest(sim->scheme, sim->state, &most));
        double count = ceil(left / (sim->def.scheme.follow * most) * (1 - 1e-12));
        if (!(count < 1e9))
            return zn_fail(&sim->def.log, ZN_NOT_CONVERGED,
                           "step from t = %.9g s: the critical step has fallen to %.3g s", sim->state->t, most);
        double h = count > 1 ? left / count : left;
        if (last > 0 && fabs(h - last) > 1e-6 * last) {
            sim->certificate.step_changes.value++;
            sim->certificate.step_changes.time = sim->state->t;
        }
        last = h;
        ZN_TRY(advance(sim, h, 0));
    }
    return ZN_OK;
}

zn_status zn_sim_step(zn_sim *sim)
{
    ZN_ALIVE(sim);
    if (!sim)
        return ZN_ERR_ARGUMENT; // one may go on beyond the end of the run
    ZN_ALIVE(sim->sys);
    ZN_ALIVE(sim->sys->model);
    if (sim->def.statics)
        return zn_statics_step(sim);
    double next = grid_time(sim, sim->grid_index + 1), left = sim->def.step;
    if (sim->state->t != grid_time(sim, sim->grid_index)) // an earlier call failed half-way: go on from there
        left = next - sim->state->t;
    if (sim->def.scheme.follow > 0)
        ZN_TRY(follow(sim, next));
    else if (left > 1e-9 * sim->def.step)
        ZN_TRY(advance(sim, left, 0));
    sim->grid_index++;
    sim->state->t = next;
    return ZN_OK;
}

static zn_status record(zn_sim *sim)
{
    if (!sim->def.recorder.row)
        return ZN_OK;
    ZN_TRY(zn_sim_values(sim, sim->values));
    return sim->def.recorder.row(sim->def.recorder.user, sim->state->t, sim->values);
}

// The last row and frame, whether they were due or not. A checkpoint comes before them: a longer run has none here.
static zn_status record_end(zn_sim *sim)
{
    if (sim->grid_index < sim->grid_steps)
        return ZN_OK;
    if (sim->grid_index % sim->def.record_every != 0)
        ZN_TRY(record(sim));
    return zn_frames_record(sim, true);
}

static zn_status record_start(zn_sim *sim)
{
    if (sim->grid_index > 0) // a restart: the recorder has what came before
        return record_end(sim);
    ZN_TRY(record(sim));
    return zn_frames_record(sim, true);
}

// Is a multiple of `every` reached? Divisions of 64 bits take as long as many other things of a step: there is one for
// each multiple.
static bool is_due(int64_t index, int every, int64_t *next)
{
    ZN_ASSERT(every > 0);
    if (every == 1 || index < *next)
        return every == 1;
    *next = index - index % every + every;
    return index % every == 0;
}

static zn_status loop(zn_sim *sim)
{
    int64_t next_row = 0, next_checkpoint = 0;
    ZN_TRY(record_start(sim));
    while (sim->grid_index < sim->grid_steps) {
        ZN_TRY(zn_sim_step(sim));
        if (is_due(sim->grid_index, sim->def.record_every, &next_row))
            ZN_TRY(record(sim));
        if (sim->frames)
            ZN_TRY(zn_frames_record(sim, false));
        if (sim->def.checkpoint_every > 0 && is_due(sim->grid_index, sim->def.checkpoint_every, &next_checkpoint))
            ZN_TRY(zn_checkpoint_record(sim));
        ZN_TRY(record_end(sim));
        if (sim->def.progress && sim->state->whole)
            ZN_TRY(sim->def.progress(sim->def.progress_user, sim));
    }
    return ZN_OK;
}

double zn_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

zn_status zn_sim_run(zn_sim *sim)
{
    ZN_ALIVE(sim);
    if (!sim)
        return ZN_ERR_ARGUMENT;
    ZN_ALIVE(sim->sys);
    ZN_ALIVE(sim->sys->model);
    const zn_recorder *r = &sim->def.recorder;
    if (r->begin)
        ZN_TRY(r->begin(r->user, sim->series_count, sim->series, sim->columns));
    sim->loop_start = zn_seconds();
    zn_status status = loop(sim);
    if (status > 0) // where it stopped
        zn_frames_record(sim, true);
    sim->certificate.loop_seconds += zn_seconds() - sim->loop_start;
    zn_status events = zn_events_finish(sim),
              momenta = zn_certificate_momenta(sim, &sim->certificate.momentum, &sim->certificate.angular);
    if (sim->scheme)
        sim->certificate.linear_solver = zn_checkpoint_linsolver(sim);
    status = status != ZN_OK ? status : events != ZN_OK ? events : momenta;
    zn_certificate_merge(sim);
    zn_status end = r->end ? r->end(r->user, &sim->certificate, status) : ZN_OK;
    return status != ZN_OK ? status : end;
}

// --- looking -------------------------------------------------------------------------------------

const zn_state *zn_sim_state(const zn_sim *sim)
{
    ZN_ALIVE(sim);
    return sim ? zn_sim_look(sim) : NULL;
}
const zn_sim_def *zn_sim_get_def(const zn_sim *sim)
{
    ZN_ALIVE(sim);
    return sim ? &sim->def : NULL;
}
const zn_certificate *zn_sim_certificate(const zn_sim *sim)
{
    ZN_ALIVE(sim);
    return sim ? &sim->certificate : NULL;
}
const zn_step_info *zn_sim_last_step(const zn_sim *sim)
{
    ZN_ALIVE(sim);
    return sim ? &sim->last : NULL;
}
const zn_equilibrium_info *zn_sim_equilibrium(const zn_sim *sim)
{
    ZN_ALIVE(sim);
    if (!sim)
        return NULL;
    return sim->balance.load_steps > 0 ? &sim->balance : NULL;
}
int64_t zn_sim_grid_steps(const zn_sim *sim)
{
    ZN_ALIVE(sim);
    return sim ? sim->grid_steps : 0;
}
int64_t zn_sim_grid_index(const zn_sim *sim)
{
    ZN_ALIVE(sim);
    return sim ? sim->grid_index : 0;
}
int zn_sim_columns(const zn_sim *sim)
{
    ZN_ALIVE(sim);
    return sim ? sim->columns : 0;
}
int zn_sim_series_count(const zn_sim *sim)
{
    ZN_ALIVE(sim);
    return sim ? sim->series_count : 0;
}
const zn_series *zn_sim_series(const zn_sim *sim)
{
    ZN_ALIVE(sim);
    return sim ? sim->series : NULL;
}

// What nobody knows in between whole states.
ZN_APART static void leave_out(int columns, double *out)
{
    for (int k = 0; k < columns; k++)
        out[k] = NAN;
}

zn_status zn_sim_values(const zn_sim *sim, double *values)
{
    ZN_ALIVE(sim);
    if (!sim || !values)
        return ZN_ERR_ARGUMENT;
    ZN_ALIVE(sim->sys);
    ZN_ALIVE(sim->sys->model);
    ZN_ASSERT(values || sim->columns == 0);
    const zn_state    *state = zn_sim_look(sim);
    const double      *q = state->q, *v = state->v, *impulse = sim->state->contacts->impulse;
    const zn_quantity *quantity = sim->quantity;
    const zn_series   *series = sim->series;
    for (int left = sim->series_count; left > 0; left--, series++, quantity++) {
        double *out = values + series->offset;
        if (quantity->late && !state->whole)
            leave_out(series->columns, out);
        else if (quantity->direct == ZN_QUANTITY_Q)
            *out = quantity->constant + q[quantity->place];
        else if (quantity->direct == ZN_QUANTITY_V)
            *out = v[quantity->place];
        else if (quantity->direct == ZN_QUANTITY_IMPULSE)
            for (int k = 0; k < series->columns; k++)
                out[k] = 0 + impulse[quantity->place + k]; // as a sum: no -0
        else
            ZN_TRY(zn_quantity_evaluate(sim, quantity, series->columns, out));
    }
    return ZN_OK;
}
