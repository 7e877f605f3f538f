// The last level of the multigrid method: every process has all of it, and solves with it. See multigrid.h.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "parallel/multigrid.h"

// Entries of a matrix, in any order.
typedef struct entries {
    int     count;
    int    *row, *column;
    double *value;
} entries;

static zn_status allocate(entries *e, int count)
{
    *e = (entries){count, ZN_NEW(int, count), ZN_NEW(int, count), ZN_NEW(double, count)};
    return e->row && e->column && e->value ? ZN_OK : ZN_ERR_MEMORY;
}

static void release(entries *e)
{
    free(e->row);
    free(e->column);
    free(e->value);
}

// Those of this process; a row of the unit matrix for what is no unknown.
static zn_status list_own(const zn_part_level *l, int units, const int *unit, entries *out)
{
    int next = 0;
    ZN_TRY(allocate(out, l->a->start[l->a->n] + units));
    for (int j = 0; j < l->a->n; j++)
        for (int e = l->a->start[j]; e < l->a->start[j + 1]; e++, next++) {
            out->row[next] = l->number[l->a->row[e]];
            out->column[next] = l->number[j];
            out->value[next] = l->a->value[e];
        }
    for (int i = 0; i < units; i++, next++) {
        out->row[next] = out->column[next] = unit[i];
        out->value[next] = 1;
    }
    return ZN_OK;
}

// Of all processes, one after the other.
static zn_status gather(zn_world *world, const entries *own, entries *all)
{
    int      *count = ZN_NEW(int, world->size), *at = ZN_NEW(int, world->size + 1);
    zn_status status = zn_world_agree(world, count && at ? ZN_OK : ZN_ERR_MEMORY);
    if (status == ZN_OK) {
        MPI_Allgather(&own->count, 1, MPI_INT, count, 1, MPI_INT, world->comm);
        for (int r = 0; r < world->size; r++)
            at[r + 1] = at[r] + count[r];
        status = zn_world_agree(world, allocate(all, at[world->size]));
    }
    if (status == ZN_OK) {
        MPI_Allgatherv(own->row, own->count, MPI_INT, all->row, count, at, MPI_INT, world->comm);
        MPI_Allgatherv(own->column, own->count, MPI_INT, all->column, count, at, MPI_INT, world->comm);
        MPI_Allgatherv(own->value, own->count, MPI_DOUBLE, all->value, count, at, MPI_DOUBLE, world->comm);
    }
    free(count);
    free(at);
    return status;
}

// `order` by `key` in [0, n), equal ones as they were.
static void sort_by(const int *key, int n, int count, int *first, const int *from, int *order)
{
    memset(first, 0, sizeof *first * (size_t)(n + 1));
    for (int i = 0; i < count; i++)
        first[key[i] + 1]++;
    for (int k = 0; k < n; k++)
        first[k + 1] += first[k];
    for (int i = 0; i < count; i++) {
        int entry = from ? from[i] : i;
        order[first[key[entry]]++] = entry;
    }
}

// Entries in their order, equal places summed in the order of the processes.
static void sum_entries(const entries *e, const int *order, zn_sparse *out)
{
    int next = 0, row = -1, column = -1;
    for (int i = 0; i < e->count; i++) {
        int k = order[i];
        if (e->row[k] != row || e->column[k] != column) {
            row = e->row[k];
            column = e->column[k];
            out->row[next] = row;
            out->value[next] = 0;
            out->start[column + 1]++;
            next++;
        }
        out->value[next - 1] += e->value[k];
    }
    for (int j = 0; j < out->n; j++)
        out->start[j + 1] += out->start[j];
}

static zn_status to_sparse(const entries *e, int n, zn_sparse **out)
{
    int       *first = ZN_NEW(int, n + 1), *by_row = ZN_NEW(int, e->count), *order = ZN_NEW(int, e->count);
    zn_sparse *a = ZN_NEW(zn_sparse, 1);
    if (a)
        *a = (zn_sparse){n, ZN_NEW(int, n + 1), ZN_NEW(int, e->count), ZN_NEW(double, e->count)};
    bool room = first && by_row && order && a && a->start && a->row && a->value;
    if (room) {
        sort_by(e->row, n, e->count, first, NULL, by_row);
        sort_by(e->column, n, e->count, first, by_row, order);
        sum_entries(e, order, a);
        *out = a;
    } else
        zn_sparse_destroy(a);
    free(first);
    free(by_row);
    free(order);
    return room ? ZN_OK : ZN_ERR_MEMORY;
}

static zn_status factor(zn_last_level *last)
{
    ZN_TRY(zn_linsolver_create(last->a, "klu", &last->solver));
    return zn_linsolver_factor_kept(last->solver, last->a, true);
}

static zn_status make_room(const zn_world *world, const zn_part_level *l, zn_last_level *out)
{
    out->own = ZN_NEW(double, l->begin[world->rank + 1] - l->begin[world->rank]);
    out->all = ZN_NEW(double, l->begin[world->size]);
    out->count = ZN_NEW(int, world->size);
    if (!out->own || !out->all || !out->count)
        return ZN_ERR_MEMORY;
    for (int r = 0; r < world->size; r++)
        out->count[r] = l->begin[r + 1] - l->begin[r];
    return ZN_OK;
}

zn_status zn_last_level_create(zn_world *world, const zn_part_level *l, int units, const int *unit, zn_last_level *out)
{
    entries own = {0}, all = {0};
    int     n = l->begin[world->size];
    *out = (zn_last_level){0};
    if (n > ZN_AMG_DIRECT_ROWS)
        return ZN_OK;
    zn_status status = zn_world_agree(world, list_own(l, units, unit, &own));
    if (status == ZN_OK)
        status = gather(world, &own, &all);
    if (status == ZN_OK)
        status = zn_world_agree(world, to_sparse(&all, n, &out->a));
    release(&own);
    release(&all);
    if (status == ZN_OK)
        status = zn_world_agree(world, factor(out));
    return status == ZN_OK ? zn_world_agree(world, make_room(world, l, out)) : status;
}

zn_status zn_last_level_solve(zn_world *world, zn_last_level *last, const zn_part_level *l, const double *b, double *x)
{
    ZN_TOGETHER(world, 0);
    int      first = l->begin[world->rank];
    zn_clock start = zn_clock_now();
    for (int i = 0; i < l->a->n; i++)
        if (l->owned[i])
            last->own[l->number[i] - first] = b[i];
    MPI_Allgatherv(last->own, last->count[world->rank], MPI_DOUBLE, last->all, last->count, l->begin, MPI_DOUBLE,
                   world->comm);
    zn_clock_stop(world, start, &world->times.halo);
    ZN_TRY(zn_linsolver_solve(last->solver, 1, last->all));
    for (int i = 0; i < l->a->n; i++)
        x[i] = last->all[l->number[i]];
    return ZN_OK;
}

void zn_last_level_release(zn_last_level *last)
{
    zn_linsolver_destroy(last->solver);
    zn_sparse_destroy(last->a);
    free(last->own);
    free(last->all);
    free(last->count);
    *last = (zn_last_level){0};
}
