// Parts: the chosen elements of each block, copied so that loops stay contiguous.
#include "system/part.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "system/system.h"

// Copy element e of `from` to place k of `to`; the arrays of `to` are the part's own.
static void copy_element(const zn_element_block *from, int e, zn_element_block *to, int k)
{
    const zn_element_ops *ops = from->ops;
    memcpy((int *)to->node + k * ops->nodes, from->node + e * ops->nodes, sizeof(int) * (size_t)ops->nodes);
    memcpy((int *)to->dof + k * ops->dofs, from->dof + e * ops->dofs, sizeof(int) * (size_t)ops->dofs);
    memcpy((char *)to->parameter + (size_t)k * ops->parameter_size,
           (const char *)from->parameter + (size_t)e * ops->parameter_size, ops->parameter_size);
    ((int *)to->part)[k] = from->part[e];
}

static zn_status take_block(zn_part *part, const zn_element_block *from,
                            bool (*chosen)(void *user, const zn_element_block *b, int element), void *user)
{
    int count = 0;
    for (int e = 0; e < from->count; e++)
        count += chosen(user, from, e);
    if (count == 0)
        return ZN_OK;
    zn_element_block *to = &part->block[part->blocks++];
    *to = *from;
    to->scatter = NULL;
    to->node = ZN_NEW(int, (size_t)count * (size_t)from->ops->nodes);
    to->dof = ZN_NEW(int, (size_t)count * (size_t)from->ops->dofs);
    to->part = ZN_NEW(int, count);
    to->parameter = zn_new_array((size_t)count, from->ops->parameter_size);
    if (!to->node || !to->dof || !to->part || !to->parameter)
        return ZN_ERR_MEMORY;
    to->count = 0;
    for (int e = 0; e < from->count; e++)
        if (chosen(user, from, e))
            copy_element(from, e, to, to->count++);
    for (int i = 0; i < to->count * to->ops->dofs; i++)
        if (to->dof[i] >= 0)
            part->uses[to->dof[i]] = true;
    part->elements += count;
    return ZN_OK;
}

zn_status zn_part_create(const zn_system *sys, bool (*chosen)(void *user, const zn_element_block *b, int element),
                         void *user, zn_part **out)
{
    zn_part *part = ZN_NEW(zn_part, 1);
    if (!part)
        return ZN_ERR_MEMORY;
    part->sys = sys;
    part->block = ZN_NEW(zn_element_block, sys->blocks);
    part->uses = ZN_NEW(bool, sys->info.n_all);
    part->dof = ZN_NEW(int, sys->info.n);
    zn_status status = part->block && part->uses && part->dof ? ZN_OK : ZN_ERR_MEMORY;
    for (int i = 0; status == ZN_OK && i < sys->blocks; i++)
        status = take_block(part, &sys->block[i], chosen, user);
    for (int i = 0; status == ZN_OK && i < sys->info.n; i++)
        if (part->uses[i])
            part->dof[part->dofs++] = i;
    if (status != ZN_OK)
        zn_part_destroy(part);
    else
        *out = part;
    return status;
}

zn_part *zn_part_destroy(zn_part *part)
{
    if (!part)
        return NULL;
    for (int i = 0; part->block && i < part->blocks; i++) {
        free((void *)part->block[i].node);
        free((void *)part->block[i].dof);
        free((void *)part->block[i].part);
        free((void *)part->block[i].parameter);
    }
    free(part->block);
    free(part->uses);
    free(part->dof);
    free(part);
    return NULL;
}

zn_status zn_part_force(const zn_part *part, zn_at at, double *f, double *strain)
{
    ZN_TRY(zn_system_checkpoint(part->sys));
    *strain = 0;
    for (int k = 0; k < part->sys->info.n_all; k++)
        f[k] = part->uses[k] ? 0 : f[k];
    for (int i = 0; i < part->blocks; i++) {
        const zn_element_block *b = &part->block[i];
        zn_energy               energy = {0};
        if (!b->ops->force || b->ops->load)
            continue;
        if (b->ops->force_energy) {
            ZN_TRY(b->ops->force_energy(b, 0, b->count, at, f, strain));
            continue;
        }
        ZN_TRY(b->ops->force(b, at, f));
        if (b->ops->energy)
            ZN_TRY(b->ops->energy(b, at, -1, part->sys->model->gravity, &energy));
        *strain += energy.strain;
    }
    return ZN_OK;
}

zn_status zn_part_inertia(const zn_part *part, const double *a, double *f)
{
    ZN_TRY(zn_system_checkpoint(part->sys));
    for (int k = 0; k < part->sys->info.n_all; k++)
        f[k] = part->uses[k] ? 0 : f[k];
    for (int i = 0; i < part->blocks; i++)
        if (part->block[i].ops->inertia)
            ZN_TRY(part->block[i].ops->inertia(&part->block[i], part->sys->q0, -1, a, f));
    return ZN_OK;
}

int zn_part_interface(const zn_part *a, const zn_part *b, int *dof)
{
    int count = 0;
    for (int k = 0; k < a->dofs; k++)
        if (b->uses[a->dof[k]])
            dof[count++] = a->dof[k];
    return count;
}
