// Whole states: multirate knows its coarse part at coarse times only, every `period` steps. Whatever shows it is taken
// there: frames, checkpoints, the end of the run, and rows as soon as one record shows the coarse part, even in part. A
// record of the fine part, of contacts or of iterations is true after every step.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/sim.h"

static int64_t round_up(int64_t steps, int64_t period) { return (steps + period - 1) / period * period; }

// The last multiple where there is no next.
static int round_up_int(int steps, int period)
{
    int64_t next = round_up(steps, period);
    return (int)(next <= INT_MAX ? next : INT_MAX / period * period);
}

// --- what is late --------------------------------------------------------------------------------

// A record is late when it is no number in a state that hides the coarse part, but one in the state itself.
static void find_late_records(zn_sim *sim, zn_state *hidden)
{
    zn_state *state = sim->state;
    double   *now = sim->values;
    for (int i = 0; i < sim->series_count; i++) {
        zn_quantity *quantity = &sim->quantity[i];
        int          columns = sim->series[i].columns;
        bool         shown = zn_quantity_evaluate(sim, quantity, columns, now) == ZN_OK;
        sim->state = hidden;
        quantity->late = zn_quantity_evaluate(sim, quantity, columns, now + columns) != ZN_OK;
        sim->state = state;
        for (int k = 0; k < columns; k++)
            quantity->late |= isnan(now[columns + k]) && !(shown && isnan(now[k]));
    }
}

static zn_status find_late(zn_sim *sim)
{
    zn_state *hidden = NULL;
    int       n = sim->sys->info.n_all;
    sim->late = ZN_NEW(bool, n);
    free(sim->values);
    sim->values = ZN_NEW(double, 2 * (size_t)sim->columns);
    zn_status status = sim->late && sim->values ? zn_state_create(sim->sys, &hidden) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = zn_state_copy(sim->sys, sim->state, hidden);
    if (status == ZN_OK) {
        zn_scheme_hide(sim->scheme, hidden);
        for (int i = 0; i < n; i++)
            sim->late[i] = isnan(hidden->v[i]);
        find_late_records(sim, hidden);
    }
    zn_state_destroy(hidden);
    return status;
}

// --- when ----------------------------------------------------------------------------------------

static void note_rows(const zn_sim *sim, int every, const char *record)
{
    zn_log_write(&sim->def.log, ZN_LOG_INFO,
                 "run: record_every is %d instead of %d, whole steps of the coarse part, which record '%s' shows; with "
                 "records of the fine part alone it can be any",
                 every, sim->def.record_every, record);
}

static void place_rows(zn_sim *sim)
{
    int every = round_up_int(sim->def.record_every, sim->period);
    for (int i = 0; i < sim->series_count; i++)
        if (sim->quantity[i].late && sim->def.record_every != every) {
            if (sim->def.recorder.row)
                note_rows(sim, every, sim->series[i].name);
            sim->def.record_every = every;
        }
}

static void place_end(zn_sim *sim)
{
    int64_t steps = round_up(sim->grid_steps, sim->period);
    if (steps == sim->grid_steps)
        return;
    double end = sim->def.start + (double)steps * sim->def.step;
    zn_log_write(&sim->def.log, ZN_LOG_INFO,
                 "run: it ends at t = %.9g s instead of %.9g s, with a whole step of the coarse part, %.9g s", end,
                 sim->def.until, sim->period * sim->def.step);
    sim->grid_steps = steps;
    sim->def.until = end;
}

zn_status zn_whole_begin(zn_sim *sim)
{
    sim->period = 1;
    if (sim->def.statics)
        return ZN_OK;
    ZN_TRY(zn_scheme_period(sim->scheme, sim->state, sim->def.step, &sim->period));
    if (sim->period == 1)
        return ZN_OK;
    ZN_TRY(find_late(sim));
    place_end(sim);
    place_rows(sim);
    sim->def.checkpoint_every = round_up_int(sim->def.checkpoint_every, sim->period);
    return ZN_OK;
}

void zn_whole_keep_v(zn_sim *sim)
{
    const zn_state *state = zn_sim_look(sim);
    if (state->whole)
        memcpy(sim->last_v, state->v, sizeof *sim->last_v * (size_t)sim->sys->info.n_all);
    for (int i = 0; !state->whole && i < sim->sys->info.n_all; i++)
        if (!sim->late[i])
            sim->last_v[i] = state->v[i];
}
