// Part of a system as a system of its own. See subsystem.h.
#include "system/subsystem.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "model/memory.h"
#include "model/subset.h"

static zn_status build_maps(zn_subsystem *subsystem)
{
    const zn_layout *own = &subsystem->sys->layout, *whole = &subsystem->whole->layout;
    ZN_ASSERT(own->nodes == whole->nodes);
    subsystem->coordinate = ZN_NEW(int, subsystem->sys->info.nq);
    subsystem->dof = ZN_NEW(int, subsystem->sys->info.n_all);
    if (!subsystem->coordinate || !subsystem->dof)
        return ZN_ERR_MEMORY;
    for (int i = own->memory; i < subsystem->sys->info.nq; i++)
        subsystem->coordinate[i] = whole->memory + i - own->memory;
    for (int i = 0; i < own->nodes; i++) {
        for (int k = 0; k < zn_node_coordinates(own->node[i].kind); k++)
            subsystem->coordinate[own->node[i].q + k] = whole->node[i].q + k;
        for (int slot = 0; slot < 6; slot++)
            if (own->node[i].dof[slot] >= 0)
                subsystem->dof[own->node[i].dof[slot]] = whole->node[i].dof[slot];
    }
    return ZN_OK;
}

zn_status zn_subsystem_create(const zn_system *whole, const bool *element, const bool *rule, zn_leading leading,
                              zn_subsystem *out)
{
    ZN_ASSERT(whole && element && rule && out);
    zn_subsystem subsystem = {.whole = whole};
    zn_status    status = zn_subset_create(whole->model, element, rule, &subsystem.model);
    if (status == ZN_OK)
        status = zn_system_create_leading(subsystem.model, leading, &subsystem.sys);
    if (status == ZN_OK)
        status = build_maps(&subsystem);
    if (status != ZN_OK)
        zn_subsystem_destroy(&subsystem);
    else
        *out = subsystem;
    return status;
}

void zn_subsystem_destroy(zn_subsystem *subsystem)
{
    zn_system_destroy(subsystem->sys);
    zn_subset_destroy(subsystem->model);
    free(subsystem->coordinate);
    free(subsystem->dof);
    *subsystem = (zn_subsystem){0};
}

void zn_subsystem_take(const zn_subsystem *subsystem, const zn_state *whole, zn_state *own)
{
    ZN_ASSERT(own != whole && own->q && own->v);
    own->t = whole->t;
    for (int i = 0; i < subsystem->sys->info.nq; i++)
        own->q[i] = whole->q[subsystem->coordinate[i]];
    for (int i = 0; i < subsystem->sys->info.n_all; i++)
        own->v[i] = whole->v[subsystem->dof[i]];
}

void zn_subsystem_give(const zn_subsystem *subsystem, const double *q, const double *v, zn_state *whole)
{
    ZN_ASSERT(q != whole->q && v != whole->v);
    const zn_layout *own = &subsystem->sys->layout;
    for (int i = 0; i < subsystem->sys->info.nq; i++)
        if (i < own->memory || zn_memory_moves(&subsystem->model->memory[i - own->memory], own))
            whole->q[subsystem->coordinate[i]] = q[i];
    for (int i = 0; i < subsystem->sys->info.n_all; i++)
        whole->v[subsystem->dof[i]] = v[i];
}

void zn_subsystem_give_reactions(const zn_subsystem *subsystem, const zn_state *own, double factor, zn_state *whole)
{
    int n = subsystem->sys->info.n, first = subsystem->whole->info.n;
    for (int i = n; i < subsystem->sys->info.n_all; i++) {
        ZN_ASSERT(subsystem->dof[i] >= first);
        whole->reaction[subsystem->dof[i] - first] += factor * own->reaction[i - n];
    }
}

void zn_subsystem_give_contacts(const zn_subsystem *subsystem, const zn_contact_set *own, zn_contact_set *whole)
{
    ZN_ASSERT(own != whole && own->stride == whole->stride);
    zn_status status = zn_contact_set_copy(own, whole);
    ZN_ASSERT(status == ZN_OK); // there is room
    (void)status;
    for (int e = 0; e < own->row_start[own->count * own->stride]; e++)
        whole->row_dof[e] = subsystem->dof[own->row_dof[e]];
}
