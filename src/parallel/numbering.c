// Numbers of unknowns in matrices of the whole. See solver.h.
#include <limits.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "parallel/solver.h"

// Degrees of freedom of a node.
static int slots_of(const zn_layout_node *node)
{
    int count = 0;
    for (int slot = 0; slot < 6; slot++)
        count += node->dof[slot] >= 0;
    return count;
}

static int largest_block(const zn_world *world, const zn_partition *p, const zn_system *sys)
{
    int most = 1;
    for (int i = 0; i < p->nodes; i++)
        if (p->keeper[i] == world->rank) {
            int own = slots_of(&sys->layout.node[i]);
            most = own > most ? own : most;
        }
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, world->comm);
    return most;
}

// Where the nodes that each process keeps begin.
static void count_nodes(const zn_partition *p, int *begin)
{
    for (int i = 0; i < p->nodes; i++)
        if (p->keeper[i] >= 0)
            begin[p->keeper[i] + 1]++;
    for (int r = 0; r < p->ranks; r++)
        begin[r + 1] += begin[r];
}

// Every process deals out the same numbers: nodes that one keeps after those of another, in their order.
static void number_dofs(const zn_world *world, const zn_partition *p, const zn_system *sys, int *next,
                        zn_numbering *out)
{
    for (int i = 0; i < p->nodes; i++) {
        if (p->keeper[i] < 0)
            continue;
        const zn_layout_node *node = &sys->layout.node[i];
        bool                  own = p->keeper[i] == world->rank;
        int                   number = out->block * next[p->keeper[i]]++, k = 0;
        out->guests |= p->keeper[i] != p->owner[i];
        for (int slot = 0; slot < 6; slot++) {
            if (node->dof[slot] < 0)
                continue;
            if (node->dof[slot] < out->n) {
                out->number[node->dof[slot]] = number + k;
                out->own[node->dof[slot]] = own;
            } else if (own)
                out->unit[out->units++] = number + k;
            k++;
        }
        for (; own && k < out->block; k++)
            out->unit[out->units++] = number + k;
    }
}

static bool is_complete(const zn_numbering *numbering)
{
    for (int i = 0; i < numbering->n; i++)
        if (numbering->number[i] < 0)
            return false;
    return true;
}

zn_status zn_numbering_create(zn_world *world, const zn_partition *p, const zn_system *sys, zn_numbering *out)
{
    int *next = ZN_NEW(int, p->ranks + 1);
    *out = (zn_numbering){.n = sys->info.n,
                          .n_all = sys->info.n_all,
                          .ranks = p->ranks,
                          .begin = ZN_NEW(int, p->ranks + 1),
                          .number = ZN_NEW(int, sys->info.n),
                          .own = ZN_NEW(bool, sys->info.n)};
    out->block = largest_block(world, p, sys);
    if (next && out->begin) {
        count_nodes(p, next);
        for (int r = 0; r <= p->ranks; r++)
            out->begin[r] = out->block * next[r];
        out->first = out->begin[world->rank];
        out->count = out->begin[world->rank + 1] - out->first;
        out->unit = ZN_NEW(int, out->count);
    }
    bool      fits = next && (long long)out->block * next[p->ranks] <= INT_MAX;
    zn_status own = !next || !out->number || !out->own || !out->unit ? ZN_ERR_MEMORY
                    : fits                                           ? ZN_OK
                                                                     : ZN_ERR_UNSUPPORTED;
    for (int i = 0; own == ZN_OK && i < out->n; i++)
        out->number[i] = -1;
    if (own == ZN_OK)
        number_dofs(world, p, sys, next, out);
    free(next);
    ZN_ASSERT(own != ZN_OK || is_complete(out)); // states have none, and are refused
    return zn_world_agree(world, own);
}

void zn_numbering_destroy(zn_numbering *numbering)
{
    free(numbering->number);
    free(numbering->own);
    free(numbering->unit);
    free(numbering->begin);
    *numbering = (zn_numbering){0};
}
