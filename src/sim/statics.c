// Statics in the driver: a run without motion, whose steps are load steps and whose time is the load factor; and the
// equilibrium in which a motion may start.
#include <string.h>

#include "statics/equilibrium.h"
#include "sim/sim.h"

static zn_equilibrium_def def_of(const zn_sim *sim)
{
    zn_equilibrium_def def = sim->def.equilibrium;
    def.log = sim->def.log;
    return def;
}

// The first row shows the model as it was given, at rest and without loads.
zn_status zn_statics_begin(zn_sim *sim)
{
    zn_equilibrium_def def = def_of(sim);
    ZN_TRY(zn_equilibrium_create(sim->sys, &def, sim->state, &sim->equilibrium));
    memset(sim->state->v, 0, sizeof *sim->state->v * (size_t)sim->sys->info.n_all);
    ZN_TRY(zn_state_update(sim->sys, sim->state));
    sim->def.start = sim->state->t = 0;
    sim->def.step = 1.0 / def.load_steps;
    sim->def.until = 1;
    sim->grid_steps = def.load_steps;
    return ZN_OK;
}

zn_status zn_statics_step(zn_sim *sim)
{
    double factor = (double)(sim->grid_index + 1) / (double)sim->grid_steps;
    ZN_TRY(zn_equilibrium_advance(sim->equilibrium, factor));
    ZN_TRY(zn_equilibrium_commit(sim->equilibrium, 1, sim->state));
    sim->grid_index++;
    sim->last_h = 1; // impulses of one second: forces
    sim->state->t = factor;
    sim->balance = sim->equilibrium->info;
    zn_certificate_account_statics(sim);
    return sim->frames ? zn_frames_account(sim) : ZN_OK;
}

// Impulses are those of one step, so that forces are right from the first row on.
zn_status zn_statics_start(zn_sim *sim)
{
    zn_equilibrium_def def = def_of(sim);
    zn_equilibrium    *e;
    ZN_TRY(zn_equilibrium_create(sim->sys, &def, sim->state, &e));
    zn_status status = ZN_OK;
    for (int i = 1; i <= def.load_steps && status == ZN_OK; i++)
        status = zn_equilibrium_advance(e, (double)i / def.load_steps);
    if (status == ZN_OK)
        status = zn_equilibrium_commit(e, sim->def.step, sim->state);
    sim->last_h = sim->def.step;
    sim->balance = e->info;
    zn_equilibrium_destroy(e);
    return status;
}
