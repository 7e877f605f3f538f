// Checkpoints: all that a run needs to go on, state, history of the scheme, ledger, certificate, closed contacts and
// what was gathered since the last frame. They are taken at fixed steps of the grid, not by the clock: saving drops
// numeric factors, which changes the last bits of what follows, so the run that goes on and the one that restarts must
// do it at the same places.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "sim/sim.h"

enum { FORMAT = 5 }; // of the bytes

// --- is it the same model? -------------------------------------------------------------------------

static const char *const mark_names[ZN_MARKS] = {"positions or velocities at the start", "masses",
                                                 "forces at the start"};

// A sum that any change of any value changes.
static zn_mark mark_of(int count, const double *values, zn_mark mark)
{
    const double golden = 0.61803398874989485;
    for (int i = 0; i < count; i++) {
        double term = values[i] * (1 + fmod(i * golden, 1));
        mark.sum += term;
        mark.size += fabs(term);
    }
    return mark;
}

static bool is_same(zn_mark a, zn_mark b) { return fabs(a.sum - b.sum) <= 1e-9 * (a.size + b.size); }

static zn_status take_marks(const zn_system *sys, double start, double *ones, double *f, zn_mark *mark)
{
    int n = sys->info.n_all;
    for (int i = 0; i < n; i++)
        ones[i] = 1;
    mark[0] = mark_of(n, sys->v0, mark_of(sys->info.nq, sys->q0, (zn_mark){0, 0}));
    ZN_TRY(zn_system_inertia(sys, sys->q0, ones, f));
    mark[1] = mark_of(n, f, (zn_mark){0, 0});
    ZN_TRY(zn_system_force(sys, (zn_at){sys->q0, sys->v0, start, 0}, f));
    mark[2] = mark_of(n, f, (zn_mark){0, 0});
    return ZN_OK;
}

zn_status zn_checkpoint_begin(zn_sim *sim)
{
    int       n = sim->sys->info.n_all;
    double   *work = ZN_NEW(double, 2 * (size_t)n);
    zn_status status = work ? take_marks(sim->sys, sim->def.start, work, work + n, sim->mark) : ZN_ERR_MEMORY;
    free(work);
    return status;
}

static zn_status refuse(const zn_sim *sim, const char *what)
{
    return zn_fail(&sim->def.log, ZN_ERR_ARGUMENT, "the checkpoint is of another model: %s differ", what);
}

static zn_status damaged(const zn_sim *sim) { return zn_fail(&sim->def.log, ZN_ERR_IO, "the checkpoint is damaged"); }

static int64_t number_of_scheme(const char *name)
{
    int i = 0;
    while (i < zn_scheme_count() && strcmp(zn_scheme_name(i), name) != 0)
        i++;
    return i;
}

enum { LAYOUT = 0, SCHEME = 4, SIZES = 6, HEAD = 10 }; // numbers of the head from there on

// Numbers and marks come first.
static zn_status exchange_head(zn_sim *sim, zn_blob *blob)
{
    const zn_system_info *info = &sim->sys->info;
    const int64_t         own[HEAD] = {[LAYOUT] = FORMAT,
                                       sizeof(zn_certificate),
                                       sizeof(zn_step_info),
                                       sizeof(zn_equilibrium_info),
                                       [SCHEME] = number_of_scheme(sim->def.scheme.scheme),
                                       zn_scheme_history_size(sim->scheme),
                                       [SIZES] = info->nq,
                                       info->n,
                                       info->n_all,
                                       sim->sys->contact_rows};
    int64_t               read[HEAD];
    zn_mark               mark[ZN_MARKS];
    memcpy(read, own, sizeof own);
    memcpy(mark, sim->mark, sizeof mark);
    zn_blob_exchange(blob, read, HEAD, sizeof *own);
    zn_blob_exchange(blob, mark, ZN_MARKS, sizeof *mark);
    if (blob->failed)
        return blob->loading ? damaged(sim) : ZN_ERR_MEMORY;
    if (read[LAYOUT] > 0 && read[LAYOUT] < FORMAT)
        return zn_fail(&sim->def.log, ZN_ERR_ARGUMENT,
                       "the checkpoint was written by an older version, whose format %d is not that of this one, %d",
                       (int)read[LAYOUT], FORMAT);
    if (memcmp(read, own, SCHEME * sizeof *own) != 0)
        return zn_fail(&sim->def.log, ZN_ERR_ARGUMENT, "the checkpoint was written by another version");
    if (memcmp(read + SIZES, own + SIZES, (HEAD - SIZES) * sizeof *own) != 0)
        return refuse(sim, "numbers of coordinates or contacts");
    if (memcmp(read, own, sizeof own) != 0)
        return zn_fail(&sim->def.log, ZN_ERR_ARGUMENT, "the checkpoint is of another scheme, not '%s'",
                       sim->def.scheme.scheme);
    for (int i = 0; i < ZN_MARKS; i++)
        if (!is_same(mark[i], sim->mark[i]))
            return refuse(sim, mark_names[i]);
    return ZN_OK;
}

// --- what a checkpoint holds -----------------------------------------------------------------------

zn_linsolver_info zn_checkpoint_linsolver(const zn_sim *sim)
{
    zn_linsolver_info info = zn_scheme_linsolver_info(sim->scheme);
    info.factorizations += sim->solver_before.factorizations;
    info.refactorizations += sim->solver_before.refactorizations;
    info.solves += sim->solver_before.solves;
    return info;
}

// Counters that can go on counting.
static bool are_counts(const zn_certificate *c)
{
    const int64_t counts[] = {c->steps,
                              c->retries,
                              c->failed_iterations,
                              c->newton_iterations.total,
                              c->projection_iterations.total,
                              c->activation_iterations.total,
                              c->solver_iterations.total,
                              c->impacts,
                              c->lasting_contacts,
                              c->linear_solver.factorizations,
                              c->linear_solver.refactorizations,
                              c->linear_solver.solves};
    bool          ok = true;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        ok = ok && counts[i] >= 0 && counts[i] < INT64_MAX / 2;
    return ok;
}

// Names point into the program: they stay outside.
static void exchange_reports(zn_sim *sim, zn_blob *blob)
{
    zn_certificate      c = sim->certificate;
    zn_step_info        last = sim->last;
    zn_equilibrium_info balance = sim->balance;
    c.linear_solver = zn_checkpoint_linsolver(sim);
    c.loop_seconds += zn_seconds() - sim->loop_start;
    c.linear_solver.backend = balance.linear_solver.backend = last.failed = NULL;
    zn_blob_exchange(blob, &c, 1, sizeof c);
    zn_blob_exchange(blob, &last, 1, sizeof last);
    zn_blob_exchange(blob, &balance, 1, sizeof balance);
    c.linear_solver.backend = balance.linear_solver.backend = last.failed = NULL;
    if (!blob->loading)
        return;
    blob->failed |= !are_counts(&c) || (unsigned)c.created_line > ZN_LEDGER_LINES;
    sim->certificate = c;
    sim->solver_before = c.linear_solver;
    sim->last = last;
    sim->balance = balance;
}

// Factors that stay are those of the last step; a restart begins with a whole one.
static zn_status save_history(zn_sim *sim)
{
    zn_scheme_history_save(sim->scheme, sim->history);
    if (sim->last_h == sim->def.step)
        return ZN_OK;
    return zn_scheme_history_load(sim->scheme, sim->history, zn_scheme_history_size(sim->scheme));
}

static zn_status exchange_history(zn_sim *sim, zn_blob *blob)
{
    int     size = zn_scheme_history_size(sim->scheme);
    double *history = sim->history;
    if (!blob->loading)
        ZN_TRY(save_history(sim));
    zn_blob_exchange(blob, history, (size_t)size, sizeof *history);
    return blob->loading && !blob->failed ? zn_scheme_history_load(sim->scheme, history, size) : ZN_OK;
}

// Which of them are kept follows from the model.
static void exchange_momenta(zn_sim *sim, zn_blob *blob)
{
    zn_kept_momenta *k = &sim->momenta;
    zn_blob_exchange(blob, k->start, ZN_MOMENTA, sizeof *k->start);
    zn_blob_exchange(blob, k->most, ZN_MOMENTA, sizeof *k->most);
    zn_blob_exchange(blob, k->size, ZN_MOMENTA, sizeof *k->size);
}

static zn_status exchange(zn_sim *sim, zn_blob *blob)
{
    zn_blob_exchange(blob, &sim->grid_index, 1, sizeof sim->grid_index);
    zn_blob_exchange(blob, &sim->last_h, 1, sizeof sim->last_h);
    zn_blob_exchange(blob, &sim->magnitude, 1, sizeof sim->magnitude);
    int lines = sim->created.lines; // follows from the model
    zn_blob_exchange(blob, &sim->created, 1, sizeof sim->created);
    sim->created.lines = lines;
    exchange_momenta(sim, blob);
    zn_blob_exchange(blob, &sim->deepest, 1, sizeof sim->deepest);
    zn_blob_exchange(blob, sim->stored, ZN_LEDGER_STORED, sizeof *sim->stored);
    zn_blob_exchange(blob, sim->stored_start, ZN_LEDGER_STORED, sizeof *sim->stored_start);
    exchange_reports(sim, blob);
    zn_sim_look(sim);
    ZN_TRY(zn_state_exchange(sim->sys, sim->state, blob));
    ZN_TRY(exchange_history(sim, blob));
    zn_blob_exchange(blob, sim->last_v, (size_t)sim->sys->info.n_all, sizeof *sim->last_v);
    zn_blob_exchange(blob, sim->last_q, (size_t)sim->sys->info.nq, sizeof *sim->last_q);
    zn_blob_exchange(blob, &sim->last_t, 1, sizeof sim->last_t);
    ZN_TRY(zn_events_exchange(sim, blob));
    return zn_frames_exchange(sim, blob);
}

static zn_status reserve_history(zn_sim *sim)
{
    if (!sim->history)
        sim->history = ZN_NEW(double, zn_scheme_history_size(sim->scheme));
    return sim->history ? ZN_OK : ZN_ERR_MEMORY;
}

zn_status zn_checkpoint_record(zn_sim *sim)
{
    const zn_recorder *r = &sim->def.recorder;
    zn_blob           *blob = &sim->checkpoint[sim->checkpoints % 2];
    if (sim->def.statics)
        return ZN_OK;
    ZN_TRY(reserve_history(sim));
    if (!r->checkpoint)
        return save_history(sim); // the same bits, whoever listens
    zn_blob_begin_saving(blob);
    ZN_TRY(exchange_head(sim, blob));
    ZN_TRY(exchange(sim, blob));
    if (blob->failed)
        return ZN_ERR_MEMORY;
    sim->checkpoints++;
    return r->checkpoint(r->user, sim->state->t, blob->data, blob->size);
}

zn_status zn_sim_restart(zn_sim *sim, const void *data, size_t size)
{
    ZN_ALIVE(sim);
    if (!sim || (!data && size > 0))
        return ZN_ERR_ARGUMENT;
    zn_blob blob = zn_blob_of(data, size);
    if (sim->def.statics || sim->grid_index != 0)
        return zn_fail(&sim->def.log, ZN_ERR_ARGUMENT,
                       sim->def.statics ? "a static run has no checkpoints" : "a run that has begun cannot restart");
    ZN_TRY(zn_checkpoint_begin(sim));
    ZN_TRY(reserve_history(sim));
    ZN_TRY(exchange_head(sim, &blob));
    zn_status status = exchange(sim, &blob);
    if (status == ZN_ERR_MEMORY)
        return status;
    if (status != ZN_OK || blob.failed || sim->grid_index < 1)
        return damaged(sim);
    if (sim->state->t != sim->def.start + (double)sim->grid_index * sim->def.step)
        return zn_fail(&sim->def.log, ZN_ERR_ARGUMENT,
                       "the checkpoint is of another time grid: t = %.17g s is no step of %.9g s", sim->state->t,
                       sim->def.step);
    int period;
    ZN_TRY(zn_scheme_period(sim->scheme, sim->state, sim->def.step, &period));
    if (period != sim->period || sim->grid_index % period != 0)
        return damaged(sim);
    if (sim->grid_index > sim->grid_steps)
        return zn_fail(&sim->def.log, ZN_ERR_ARGUMENT,
                       "the checkpoint at t = %.9g s is after the end of the run, %.9g s", sim->state->t,
                       sim->def.until);
    return ZN_OK;
}
