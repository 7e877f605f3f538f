// What presses dry friction on: one coordinate that never moves, with a mass of its own and a constant force that
// pushes it against its stop (joint/dry_friction.h). It stays at rest, so that neither its energy nor its power counts.
#include "model/element/element.h"

static const zn_clamp *parameters(const zn_element_block *b) { return b->parameter; }

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    (void)at; // not relieved as loads are: friction is there from the beginning
    for (int e = 0; e < b->count; e++)
        f[b->dof[e]] -= parameters(b)[e].force;
    return ZN_OK;
}

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q;
    for (int e = 0; e < b->count; e++)
        if (part < 0 || b->part[e] == part)
            f[b->dof[e]] += parameters(b)[e].mass * a[b->dof[e]];
    return ZN_OK;
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)at, (void)c, (void)k;
    for (int e = 0; e < b->count; e++)
        zn_element_scatter(b, e, 0, 0, a * parameters(b)[e].mass, values);
    return ZN_OK;
}

const zn_element_ops zn_clamp_ops = {
    .name = "clamp",
    .nodes = 1,
    .dofs = 1,
    .parameter_size = sizeof(zn_clamp),
    .force = force,
    .inertia = inertia,
    .operators = operators,
    .unseen = true,
};
