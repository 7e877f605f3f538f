// What controllers remember is written between steps: forces of contacts and joints first, then samples and switches.
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/control.h"
#include "sim/sim.h"

// One sample per step: more would be lost, and delays counted in too few of them.
static zn_status refuse_lost_samples(const zn_sim *sim, const zn_control *c)
{
    if (sim->def.statics || !(c->period > 0) || sim->def.step <= c->period * (1 + 1e-6))
        return ZN_OK;
    return zn_fail(&sim->def.log, ZN_ERR_MODEL,
                   "control '%s' is sampled every %g s, but a step takes %g s: take a step that is no longer", c->name,
                   c->period, sim->def.step);
}

zn_status zn_sim_controls_begin(zn_sim *sim)
{
    const zn_model *model = sim->sys->model;
    if (model->controls == 0)
        return ZN_OK;
    sim->held = ZN_NEW(zn_quantity, model->controls);
    if (!sim->held)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < model->controls; i++) {
        const zn_control *c = &model->control[i];
        zn_record_def     record = {.name = c->name, .path = c->name};
        zn_series         series;
        ZN_TRY(refuse_lost_samples(sim, c));
        if (c->kind != ZN_CONTROL_QUANTITY)
            continue;
        ZN_TRY(zn_quantity_resolve(sim, &record, &sim->held[i], &series));
        if (series.columns != 1)
            return zn_fail(&sim->def.log, ZN_ERR_MODEL, "feedback: '%s' has the components %s: say which", c->name,
                           series.components);
        sim->needs_last_v |= zn_quantity_needs_last_v(&sim->held[i]);
        sim->needs_last_q |= zn_quantity_needs_last_q(&sim->held[i]);
    }
    return zn_sim_controls_update(sim, NAN);
}

zn_status zn_sim_controls_update(zn_sim *sim, double t_before)
{
    const zn_system *sys = sim->sys;
    zn_sim_look(sim);
    double *q = sim->state->q;
    bool    creeps = false; // forces of the last step change after each one
    for (int i = 0; i < sys->model->controls; i++) {
        const zn_control *c = &sys->model->control[i];
        if (c->kind != ZN_CONTROL_QUANTITY)
            continue;
        ZN_TRY(zn_quantity_evaluate(sim, &sim->held[i], 1, &q[sys->layout.memory + c->memory]));
        creeps = true;
    }
    bool jumps = zn_controls_update(sys->model, &sys->layout, (zn_at){q, sim->state->v, sim->state->t, 0}, t_before, q);
    for (int i = 0; i < sys->model->memories; i++)
        if (!isfinite(q[sys->layout.memory + i]))
            return zn_fail(&sim->def.log, ZN_NOT_FINITE, "a sampled or held value is not a finite number at t = %g s",
                           sim->state->t);
    if ((jumps || creeps) && sim->scheme)
        zn_scheme_jump(sim->scheme, !jumps);
    return ZN_OK;
}
