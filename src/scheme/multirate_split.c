// The parts of a model and the interfaces between them: systems of their own, and the degrees of freedom that the fine
// and a coarse one both move.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sets.h"
#include "scheme/multirate.h"

// --- the interface -------------------------------------------------------------------------------

// Free degrees of freedom of the nodes with mass in both the fine and this part, as 6 node + slot; fixed ones need no
// link.
static int list_links(const zn_system *sys, const multirate_choice *c, int part, int *slot)
{
    int count = 0;
    for (int i = 0; i < sys->layout.nodes; i++)
        for (int k = 0; k < 6 && c->node[FINE][i] && c->node[part][i]; k++)
            if (sys->layout.node[i].dof[k] >= 0 && sys->layout.node[i].dof[k] < sys->info.n)
                slot[count++] = 6 * i + k;
    return count;
}

// Degrees of freedom that the matrix ties together, directly or through others; named by the first of them.
static void find_tied(const zn_sparse *matrix, int *tied)
{
    zn_sets_start(matrix->n, tied);
    for (int j = 0; j < matrix->n; j++)
        for (int e = matrix->start[j]; e < matrix->start[j + 1]; e++)
            if (matrix->value[e] != 0)
                zn_sets_join(tied, matrix->row[e], j);
}

// Which links feel each other through the coarse part: block[i] is the first link of the block of link i.
static zn_status find_blocks(const zn_system *coarse, int links, const int *slot, int *tied, int *block)
{
    zn_sparse *matrix = NULL;
    zn_at      at = {coarse->q0, coarse->v0, coarse->model->start, 0};
    ZN_TRY(zn_system_matrix(coarse, &matrix));
    zn_status status = zn_system_operators(coarse, at, 1, 1, 1, matrix);
    int      *first = tied + coarse->info.n; // link of what is tied
    if (status == ZN_OK)
        find_tied(matrix, tied);
    zn_sparse_destroy(matrix);
    for (int i = 0; i < coarse->info.n; i++)
        first[i] = -1;
    for (int i = 0; i < links && status == ZN_OK; i++) {
        int name = zn_sets_find(tied, coarse->layout.node[slot[i] / 6].dof[slot[i] % 6]);
        first[name] = first[name] < 0 ? i : first[name];
        block[i] = first[name];
    }
    return status;
}

// Links in the order that the operator of the interface likes best.
static zn_status sort_links(const zn_system *coarse, int links, int *slot)
{
    size_t              n = (size_t)links;
    int                *memory = ZN_NEW(int, 5 * n + 2 * (size_t)coarse->info.n);
    zn_interface_group *group = ZN_NEW(zn_interface_group, n);
    zn_status           status = memory && group ? ZN_OK : ZN_ERR_MEMORY;
    int                *block = memory, *order = memory + n, *scratch = memory + 2 * n, *old = memory + 4 * n;
    if (status == ZN_OK)
        status = find_blocks(coarse, links, slot, memory + 5 * n, block);
    if (status == ZN_OK) {
        memcpy(old, slot, sizeof *old * n);
        zn_interface_sort(links, block, scratch, order, group);
        for (int i = 0; i < links; i++)
            slot[i] = old[order[i]];
    }
    free(group);
    free(memory);
    return status;
}

// All degrees of freedom that the part moves, direction by direction: rows of its matrices look alike then.
static int list_by_direction(const zn_system *sys, const bool *node, int *slot)
{
    int count = 0;
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < sys->layout.nodes; i++)
            if (node[i] && sys->layout.node[i].dof[k] >= 0 && sys->layout.node[i].dof[k] < sys->info.n)
                slot[count++] = 6 * i + k;
    return count;
}

// --- parts ---------------------------------------------------------------------------------------

typedef struct maker {
    const zn_scheme_def    *def;
    const zn_system        *sys;
    const multirate_choice *choice;
    int                    *slot, *all; // of the links, part after part; of what a part moves
} maker;

static zn_status create_part(const maker *m, int k, zn_leading leading, multirate_part *p)
{
    ZN_TRY(zn_subsystem_create(m->sys, m->choice->element[k], m->choice->rule[k], leading, &p->part));
    ZN_TRY(zn_state_create(p->part.sys, &p->state));
    if (k != FINE && !m->def->coarse_explicit)
        ZN_TRY(sort_links(p->part.sys, p->links, m->slot + p->first));
    p->dof = ZN_NEW(int, p->links);
    p->force = ZN_NEW(double, p->links);
    if (!p->dof || !p->force)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < p->links; i++) {
        int slot = m->slot[p->first + i];
        p->dof[i] = p->part.sys->layout.node[slot / 6].dof[slot % 6];
    }
    return ZN_OK;
}

// The links are the first degrees of freedom of the fine part, in their order.
static zn_status create_parts(const maker *m, multirate_parts *out)
{
    for (int k = COARSE; k < out->count; k++) {
        multirate_part *p = &out->part[k];
        p->first = out->links;
        p->ratio = m->choice->ratio[k];
        p->links = list_links(m->sys, m->choice, k, m->slot + p->first);
        out->links += p->links;
        zn_leading leading = {p->links, m->slot + p->first};
        if (!m->def->coarse_explicit)
            leading = (zn_leading){list_by_direction(m->sys, m->choice->node[k], m->all), m->all};
        ZN_TRY(create_part(m, k, leading, p));
    }
    out->part[FINE].ratio = 1;
    out->part[FINE].links = out->links;
    ZN_TRY(create_part(m, FINE, (zn_leading){out->links, m->slot}, &out->part[FINE]));
    for (int k = COARSE; k < out->count; k++)
        ZN_TRY(multirate_turns_create(m->sys, m->slot + out->part[k].first, out->part[FINE].part.sys, &out->part[k]));
    return ZN_OK;
}

static void destroy_part(multirate_part *p)
{
    if (p->self)
        p->ops->destroy(p->self);
    zn_state_destroy(p->state);
    zn_subsystem_destroy(&p->part);
    multirate_links_destroy(&p->interface);
    multirate_turns_destroy(p);
    free(p->dof);
    free(p->force);
}

void multirate_parts_destroy(multirate_parts *p)
{
    for (int k = 0; k < p->count; k++)
        destroy_part(&p->part[k]);
    free(p->part);
    *p = (multirate_parts){0};
}

zn_status multirate_split(const zn_scheme_def *def, const zn_system *sys, multirate_parts *out)
{
    multirate_choice choice = {0};
    multirate_parts  parts = {0};
    ZN_TRY(multirate_choose(def, sys, &choice));
    int      *slot = ZN_NEW(int, 2 * (size_t)sys->info.n);
    maker     m = {def, sys, &choice, slot, slot ? slot + sys->info.n : NULL};
    zn_status status = ZN_ERR_MEMORY;
    parts.part = ZN_NEW(multirate_part, choice.parts);
    if (slot && parts.part) {
        parts.count = choice.parts;
        status = create_parts(&m, &parts);
    }
    free(slot);
    multirate_choice_destroy(&choice);
    if (status != ZN_OK)
        multirate_parts_destroy(&parts);
    else
        *out = parts;
    return status;
}
