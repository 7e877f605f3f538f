// Levels of the multigrid method on many processes. See multigrid.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/sparse_find.h"
#include "parallel/multigrid.h"

enum { M = ZN_AMG_BLOCK };

// --- a level -------------------------------------------------------------------------------------

// A motion that an aggregate has not is an unknown of its own, 1 x = b: at its owner.
static void complete(zn_part_level *l, int j)
{
    if (l->owned[j])
        l->made->value[zn_sparse_find(l->made, j, j)] = 1;
    l->inverse[j] = 1;
}

// The diagonal of the whole, inverted. ZN_SINGULAR: an entry is not positive.
static zn_status invert_diagonal(zn_part_level *l)
{
    for (int j = 0; j < l->a->n; j++) {
        int place = zn_sparse_find(l->a, j, j);
        l->inverse[j] = place >= 0 ? l->a->value[place] : 0;
    }
    zn_copies_sum(&l->copies, l->inverse);
    zn_status status = ZN_OK;
    for (int j = 0; j < l->a->n; j++) {
        if (l->inverse[j] > 0)
            l->inverse[j] = 1 / l->inverse[j];
        else if (l->made)
            complete(l, j);
        else
            status = ZN_SINGULAR;
    }
    return status;
}

zn_status zn_part_level_begin(zn_world *world, zn_part_level *l)
{
    l->inverse = ZN_NEW(double, l->a->n);
    ZN_TRY(zn_world_agree(world, l->inverse ? ZN_OK : ZN_ERR_MEMORY));
    ZN_TRY(zn_copies_create(world, l->a->n, l->number, l->begin, &l->copies));
    ZN_TRY(zn_world_agree(world, invert_diagonal(l)));
    l->total = 0;
    for (int i = 0; i < l->a->n; i++)
        l->total += l->owned[i];
    zn_world_sum(world, &l->total, 1);
    return ZN_OK;
}

void zn_part_level_strip(zn_part_level *l)
{
    l->made = zn_sparse_destroy(l->made);
    l->a = NULL;
    zn_amg_release_rows(&l->P);
    free(l->inverse);
    l->inverse = NULL;
}

void zn_part_level_release(zn_part_level *l)
{
    zn_part_level_strip(l);
    zn_copies_destroy(&l->copies);
    free(l->made_owned);
    free(l->made_number);
    free(l->made_begin);
    *l = (zn_part_level){0};
}

// --- aggregates of all ---------------------------------------------------------------------------

// Aggregates that this process knows: its own, then those of others by number.
typedef struct known {
    int  first, own; // numbers of its own begin here
    int  count;      // of others
    int *id;         // their numbers, ascending
} known;

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// Those among `ids`; -1 is none.
static zn_status find_others(int count, const int *ids, known *k)
{
    int others = 0;
    for (int i = 0; i < count; i++)
        others += ids[i] >= 0 && (ids[i] < k->first || ids[i] >= k->first + k->own);
    free(k->id);
    k->id = ZN_NEW(int, others);
    k->count = 0;
    if (!k->id)
        return ZN_ERR_MEMORY;
    others = 0;
    for (int i = 0; i < count; i++)
        if (ids[i] >= 0 && (ids[i] < k->first || ids[i] >= k->first + k->own))
            k->id[others++] = ids[i];
    qsort(k->id, (size_t)others, sizeof *k->id, compare_ints);
    for (int i = 0; i < others; i++)
        if (i == 0 || k->id[i] != k->id[i - 1])
            k->id[k->count++] = k->id[i];
    return ZN_OK;
}

// Numbers become places.
static void to_places(const known *k, int count, int *ids)
{
    for (int i = 0; i < count; i++) {
        if (ids[i] < 0)
            continue;
        if (ids[i] >= k->first && ids[i] < k->first + k->own) {
            ids[i] -= k->first;
            continue;
        }
        int low = 0, high = k->count - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (k->id[middle] < ids[i])
                low = middle + 1;
            else
                high = middle;
        }
        ids[i] = k->own + low;
    }
}

static void to_numbers(const known *k, int count, int *places)
{
    for (int i = 0; i < count; i++)
        if (places[i] >= 0)
            places[i] = places[i] < k->own ? k->first + places[i] : k->id[places[i] - k->own];
}

// --- prolongation --------------------------------------------------------------------------------

// What owners found goes to all copies: `aggregate_of` as numbers, and P0.
static void share_aggregates(zn_part_level *l, const known *k, zn_amg_coarsening *c, double *x)
{
    int n = l->a->n;
    for (int i = 0; i < n; i++)
        x[i] = c->aggregate_of[i] >= 0 ? k->first + c->aggregate_of[i] : -1;
    zn_copies_share(&l->copies, x);
    for (int i = 0; i < n; i++)
        c->aggregate_of[i] = (int)x[i];
    for (int m = 0; m < M; m++) {
        for (int i = 0; i < n; i++)
            x[i] = c->P0[(size_t)i * M + (size_t)m];
        zn_copies_share(&l->copies, x);
        for (int i = 0; i < n; i++)
            c->P0[(size_t)i * M + (size_t)m] = x[i];
    }
}

// A P0 of this part, in terms of what it knows, then in numbers.
static zn_status times_own(zn_part_level *l, known *k, zn_amg_coarsening *c)
{
    int n = l->a->n;
    ZN_TRY(find_others(n, c->aggregate_of, k));
    to_places(k, n, c->aggregate_of);
    ZN_TRY(zn_amg_times(l->a, c->aggregate_of, c->P0, k->own + k->count, &l->P));
    to_numbers(k, n, c->aggregate_of);
    to_numbers(k, l->P.start[n], l->P.aggregate);
    return ZN_OK;
}

// P, and with it all aggregates that this part has.
static zn_status make_prolongation(zn_world *world, zn_part_level *l, known *k, zn_amg_coarsening *c, double *scratch)
{
    int n = l->a->n;
    share_aggregates(l, k, c, scratch);
    ZN_TRY(zn_world_agree(world, times_own(l, k, c)));
    ZN_TRY(zn_copies_sum_rows(&l->copies, &l->P));
    ZN_TRY(zn_world_agree(world, find_others(l->P.start[n], l->P.aggregate, k)));
    to_places(k, l->P.start[n], l->P.aggregate);
    to_places(k, n, c->aggregate_of);
    zn_amg_smooth(l->largest, l->inverse, n, c->aggregate_of, c->P0, &l->P);
    return ZN_OK;
}

// --- the next level ------------------------------------------------------------------------------

// Numbers and owners of its unknowns, and the nodes that they belong to.
static zn_status list_unknowns(const known *k, int ranks, const int *begin, zn_part_level *next, int **node)
{
    int n = (k->own + k->count) * M;
    next->made_number = ZN_NEW(int, n);
    next->made_owned = ZN_NEW(bool, n);
    next->made_begin = ZN_NEW(int, ranks + 1);
    *node = ZN_NEW(int, n);
    if (!next->made_number || !next->made_owned || !next->made_begin || !*node)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        int place = i / M;
        next->made_owned[i] = place < k->own;
        next->made_number[i] = (place < k->own ? k->first + place : k->id[place - k->own]) * M + i % M;
        (*node)[i] = place < k->own ? place : k->own;
    }
    for (int r = 0; r <= ranks; r++)
        next->made_begin[r] = begin[r] * M;
    next->number = next->made_number;
    next->owned = next->made_owned;
    next->begin = next->made_begin;
    return ZN_OK;
}

static zn_status make_next(zn_world *world, zn_part_level *l, const known *k, const int *begin, zn_amg_coarsening *c,
                           zn_amg_nodes *nodes, zn_part_level *next)
{
    int      *node = NULL;
    zn_status own = zn_amg_product(l->a, &l->P, k->own + k->count, &next->made);
    if (own == ZN_OK)
        own = list_unknowns(k, world->size, begin, next, &node);
    zn_status status = zn_world_agree(world, own);
    if (status != ZN_OK) {
        free(node);
        return status;
    }
    next->a = next->made;
    *nodes = (zn_amg_nodes){.nodes = k->own, .node = node, .motion = c->motion};
    c->motion = NULL;
    return ZN_OK;
}

// Where the aggregates of each process begin.
static void number_aggregates(zn_world *world, int own, int *begin)
{
    begin[0] = 0;
    MPI_Allgather(&own, 1, MPI_INT, begin + 1, 1, MPI_INT, world->comm);
    for (int r = 0; r < world->size; r++)
        begin[r + 1] += begin[r];
}

static zn_status coarsen(zn_world *world, zn_part_level *l, zn_amg_nodes *nodes, zn_amg_coarsening *c, int *begin,
                         double *scratch, known *k, zn_part_level *next, bool *coarser)
{
    number_aggregates(world, c->count, begin);
    *k = (known){.first = begin[world->rank], .own = c->count};
    *coarser = zn_amg_is_coarser(begin[world->size], l->total);
    if (!*coarser)
        return ZN_OK;
    ZN_TRY(make_prolongation(world, l, k, c, scratch));
    return make_next(world, l, k, begin, c, nodes, next);
}

zn_status zn_part_level_coarsen(zn_world *world, zn_part_level *l, zn_amg_nodes *nodes, zn_part_level *next,
                                bool *coarser)
{
    zn_amg_coarsening c = {0};
    known             k = {0};
    int              *begin = ZN_NEW(int, world->size + 1);
    double           *scratch = ZN_NEW(double, l->a->n);
    zn_status         own = begin && scratch ? zn_amg_find_aggregates(l->a, nodes, &c) : ZN_ERR_MEMORY;
    zn_amg_release_nodes(nodes);
    *next = (zn_part_level){0};
    *coarser = false;
    zn_status status = zn_world_agree(world, own);
    if (status == ZN_OK)
        status = coarsen(world, l, nodes, &c, begin, scratch, &k, next, coarser);
    if (status != ZN_OK) {
        zn_part_level_release(next);
        *coarser = false;
    }
    free(begin);
    free(scratch);
    free(k.id);
    zn_amg_release_coarsening(&c);
    return status;
}
