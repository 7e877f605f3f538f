// Sums and copies at the nodes between parts. See halo.h.
//
// Shared degrees of freedom of an owner are numbered by node and place, so that every process knows the number of each
// of them at its owner without asking: it has dealt out the same elements. A sum is the owner's own term, then those of
// the others in their order (PetscSF adds what has come when all is there): the same bits in every run.
#include "parallel/halo.h"

#include <petscsf.h>

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "parallel/solver.h"

struct zn_exchange {
    zn_world    *world;
    PetscSF      sf;
    zn_halo      halo;
    int          roots, leaves;
    int         *shared; // degrees of freedom: roots, then leaves
    double      *root;   // values of the roots
    bool        *owned;
    zn_numbering numbers;
};

// --- use -----------------------------------------------------------------------------------------

static void take_roots(zn_exchange *x, const double *from)
{
    for (int i = 0; i < x->roots; i++)
        x->root[i] = from[x->shared[i]];
}

static void send_back(zn_exchange *x, double *to)
{
    PetscSFBcastBegin(x->sf, MPI_DOUBLE, x->root, to, MPI_REPLACE);
    PetscSFBcastEnd(x->sf, MPI_DOUBLE, x->root, to, MPI_REPLACE);
}

static void assemble(void *user, double *values)
{
    zn_exchange *x = user;
    ZN_TOGETHER(x->world, 0);
    zn_clock start = zn_clock_now();
    take_roots(x, values);
    PetscSFReduceBegin(x->sf, MPI_DOUBLE, values, x->root, MPI_SUM);
    PetscSFReduceEnd(x->sf, MPI_DOUBLE, values, x->root, MPI_SUM);
    for (int i = 0; i < x->roots; i++)
        values[x->shared[i]] = x->root[i];
    send_back(x, values);
    zn_clock_stop(x->world, start, &x->world->times.halo);
}

static void share(void *user, double *values)
{
    zn_exchange *x = user;
    ZN_TOGETHER(x->world, 0);
    zn_clock start = zn_clock_now();
    take_roots(x, values);
    send_back(x, values);
    zn_clock_stop(x->world, start, &x->world->times.halo);
}

static zn_status agree(void *user, zn_status own) { return zn_world_agree(((zn_exchange *)user)->world, own); }

static void gather(void *user, const void *own, size_t bytes, void *all)
{
    zn_world_gather(((zn_exchange *)user)->world, own, bytes, all);
}

static zn_status make_solver(void *user, const zn_sparse *a, const char *word, const zn_near_null *near,
                             zn_linsolver **out)
{
    zn_exchange *x = user;
    return zn_solver_create(x->world, &x->numbers, &x->halo, a, word, near, out);
}

const zn_halo *zn_exchange_halo(const zn_exchange *x) { return &x->halo; }

// --- creation ------------------------------------------------------------------------------------

static void list_shared(zn_exchange *x, const zn_partition *p, const zn_system *sys, PetscSFNode *remote)
{
    int leaf = 0;
    for (int i = 0; i < p->nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        bool                  own = p->owner[i] == x->world->rank;
        for (int slot = 0, k = 0; p->number[i] >= 0 && slot < 6; slot++) {
            if (node->dof[slot] < 0)
                continue;
            if (own)
                x->shared[p->number[i] + k] = node->dof[slot];
            else {
                x->shared[x->roots + leaf] = node->dof[slot];
                remote[leaf++] = (PetscSFNode){.rank = p->owner[i], .index = p->number[i] + k};
            }
            k++;
        }
    }
    ZN_ASSERT(leaf == x->leaves);
}

static void list_owned(zn_exchange *x, int n_all)
{
    for (int i = 0; i < n_all; i++)
        x->owned[i] = true;
    for (int k = x->roots; k < x->roots + x->leaves; k++)
        x->owned[x->shared[k]] = false;
}

static int count_leaves(const zn_partition *p, const zn_system *sys, int rank)
{
    int count = 0;
    for (int i = 0; i < p->nodes; i++)
        for (int slot = 0; p->shared[i] && p->owner[i] != rank && slot < 6; slot++)
            count += sys->layout.node[i].dof[slot] >= 0;
    return count;
}

static zn_status connect(zn_exchange *x, PetscSFNode *remote)
{
    bool ok = PetscSFCreate(x->world->comm, &x->sf) == 0 &&
              PetscSFSetGraph(x->sf, x->roots, x->leaves, x->shared + x->roots, PETSC_COPY_VALUES, remote,
                              PETSC_COPY_VALUES) == 0 &&
              PetscSFSetUp(x->sf) == 0;
    return ok ? ZN_OK : ZN_ERR_MEMORY;
}

zn_status zn_exchange_create(zn_world *world, const zn_partition *p, const zn_system *sys, zn_exchange **out)
{
    zn_exchange *x = ZN_NEW(zn_exchange, 1);
    PetscSFNode *remote = NULL;
    bool         room = x != NULL;
    if (room) {
        x->world = world;
        x->roots = p->roots[world->rank];
        x->leaves = count_leaves(p, sys, world->rank);
        x->shared = ZN_NEW(int, x->roots + x->leaves);
        x->root = ZN_NEW(double, x->roots);
        remote = ZN_NEW(PetscSFNode, x->leaves);
        x->owned = ZN_NEW(bool, sys->info.n_all);
        room = x->shared && x->root && x->owned && remote;
    }
    if (room) {
        list_shared(x, p, sys, remote);
        list_owned(x, sys->info.n_all);
    }
    zn_status status = zn_world_agree(world, room ? ZN_OK : ZN_ERR_MEMORY);
    if (status == ZN_OK)
        status = connect(x, remote);
    if (status == ZN_OK)
        status = zn_numbering_create(world, p, sys, &x->numbers);
    free(remote);
    if (status != ZN_OK) {
        zn_exchange_destroy(x);
        return status;
    }
    x->halo = (zn_halo){.user = x,
                        .count = x->roots + x->leaves,
                        .dof = x->shared,
                        .agree = agree,
                        .assemble = assemble,
                        .share = share,
                        .gather = gather,
                        .owned = x->owned,
                        .solver = make_solver,
                        .parts = world->size};
    world->times.shared = x->halo.count;
    *out = x;
    return ZN_OK;
}

zn_exchange *zn_exchange_destroy(zn_exchange *x)
{
    if (!x)
        return NULL;
    if (x->sf)
        PetscSFDestroy(&x->sf);
    free(x->shared);
    free(x->root);
    free(x->owned);
    zn_numbering_destroy(&x->numbers);
    free(x);
    return NULL;
}
