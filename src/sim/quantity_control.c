// Values of states and controls.
#include "model/control.h"
#include "sim/quantity.h"

zn_status zn_quantity_state(const zn_sim *sim, int node, double *out)
{
    *out = sim->state->v[sim->sys->layout.node[node].dof[0]];
    return ZN_OK;
}

zn_status zn_quantity_control(const zn_sim *sim, int index, double *out)
{
    const zn_control *c = &sim->sys->model->control[index];
    zn_at             at = {sim->state->q, sim->state->v, sim->state->t, 0};
    *out = c->kind == ZN_CONTROL_VALUE ? zn_feedback_value(c->value, &sim->sys->layout, at)
                                       : sim->state->q[sim->sys->layout.memory + c->memory];
    return ZN_OK;
}
