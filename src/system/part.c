// Part of a system as a system of its own. See part.h.
#include "system/part.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "model/subset.h"

static zn_status build_maps(zn_part *part)
{
    const zn_layout *own = &part->sys->layout, *whole = &part->whole->layout;
    ZN_ASSERT(own->nodes == whole->nodes);
    part->coordinate = ZN_NEW(int, part->sys->info.nq);
    part->dof = ZN_NEW(int, part->sys->info.n_all);
    if (!part->coordinate || !part->dof)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < own->nodes; i++) {
        for (int k = 0; k < zn_node_coordinates(own->node[i].kind); k++)
            part->coordinate[own->node[i].q + k] = whole->node[i].q + k;
        for (int slot = 0; slot < 6; slot++)
            if (own->node[i].dof[slot] >= 0)
                part->dof[own->node[i].dof[slot]] = whole->node[i].dof[slot];
    }
    return ZN_OK;
}

zn_status zn_part_create(const zn_system *whole, const bool *element, const bool *rule, zn_leading leading,
                         zn_part *out)
{
    ZN_ASSERT(whole && element && rule && out);
    zn_part   part = {.whole = whole};
    zn_status status = zn_subset_create(whole->model, element, rule, &part.model);
    if (status == ZN_OK)
        status = zn_system_create_leading(part.model, leading, &part.sys);
    if (status == ZN_OK)
        status = build_maps(&part);
    if (status == ZN_OK)
        zn_system_share_failure(part.sys, whole);
    if (status != ZN_OK)
        zn_part_destroy(&part);
    else
        *out = part;
    return status;
}

void zn_part_destroy(zn_part *part)
{
    zn_system_destroy(part->sys);
    zn_subset_destroy(part->model);
    free(part->coordinate);
    free(part->dof);
    *part = (zn_part){0};
}

void zn_part_take(const zn_part *part, const zn_state *whole, zn_state *own)
{
    ZN_ASSERT(own != whole && own->q && own->v);
    own->t = whole->t;
    for (int i = 0; i < part->sys->info.nq; i++)
        own->q[i] = whole->q[part->coordinate[i]];
    for (int i = 0; i < part->sys->info.n_all; i++)
        own->v[i] = whole->v[part->dof[i]];
}

void zn_part_give(const zn_part *part, const double *q, const double *v, zn_state *whole)
{
    ZN_ASSERT(q != whole->q && v != whole->v);
    for (int i = 0; i < part->sys->info.nq; i++)
        whole->q[part->coordinate[i]] = q[i];
    for (int i = 0; i < part->sys->info.n_all; i++)
        whole->v[part->dof[i]] = v[i];
}

void zn_part_give_reactions(const zn_part *part, const zn_state *own, double factor, zn_state *whole)
{
    int n = part->sys->info.n, first = part->whole->info.n;
    for (int i = n; i < part->sys->info.n_all; i++) {
        ZN_ASSERT(part->dof[i] >= first);
        whole->reaction[part->dof[i] - first] += factor * own->reaction[i - n];
    }
}

void zn_part_give_contacts(const zn_part *part, const zn_contact_set *own, zn_contact_set *whole)
{
    ZN_ASSERT(own != whole && own->stride == whole->stride);
    if (zn_contact_set_copy(own, whole) != ZN_OK)
        return;
    for (int e = 0; e < own->row_start[own->count * own->stride]; e++)
        whole->row_dof[e] = part->dof[own->row_dof[e]];
}
