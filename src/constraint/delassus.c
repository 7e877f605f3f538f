// Columns of A^-1 H' with reuse.
#include "constraint/delassus.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/linsolver.h"
#include "system/contact_rows.h"
#include "system/system.h"

zn_status zn_delassus_create(const zn_system *sys, int contacts, zn_delassus *out)
{
    ZN_ASSERT(contacts >= 0 && out);
    int         capacity = contacts * sys->contact_rows;
    zn_delassus d = {
        .n = sys->info.n, .capacity = capacity, .max_entries = sys->max_entries, .lasting = sys->info.linear};
    int rest = d.lasting ? ZN_LINSOLVER_GROUP - 1 : 0; // of the last group
    d.column = ZN_NEW(double, ((size_t)capacity + (size_t)rest) * (size_t)d.n);
    d.touched = ZN_NEW(uint64_t, capacity);
    d.stamp = ZN_NEW(int64_t, capacity);
    d.id = ZN_NEW(zn_contact_id, capacity);
    d.entries = ZN_NEW(int, capacity);
    d.row_dof = ZN_NEW(int, (size_t)capacity *(size_t)d.max_entries);
    d.row_value = ZN_NEW(double, (size_t)capacity *(size_t)d.max_entries);
    while ((d.n - 1) >> d.shift >= 64)
        d.shift++;
    *out = d;
    if (!d.column || !d.touched || !d.stamp || !d.id || !d.entries || !d.row_dof || !d.row_value)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < capacity; i++)
        d.stamp[i] = -1;
    return ZN_OK;
}

void zn_delassus_destroy(zn_delassus *d)
{
    free(d->column);
    free(d->touched);
    free(d->stamp);
    free(d->id);
    free(d->entries);
    free(d->row_dof);
    free(d->row_value);
}

static bool is_current(const zn_delassus *d, const zn_contact_set *set, zn_rows H, int i)
{
    ZN_ASSERT(i >= 0 && i < d->capacity);
    int           start = H.start[i], entries = H.start[i + 1] - start;
    const int    *dof = d->row_dof + i * d->max_entries;
    const double *value = d->row_value + i * d->max_entries;
    if (d->stamp[i] != d->factors || !zn_contact_id_same(d->id[i], set->id[zn_row_contact(set, i)]) ||
        d->entries[i] != entries)
        return false;
    for (int k = 0; k < entries; k++)
        if (dof[k] != H.dof[start + k] || value[k] != H.value[start + k])
            return false;
    return true;
}

// Right-hand side H_i' into the place of the column, which is not valid until solved.
static void load_row(zn_delassus *d, const zn_contact_set *set, zn_rows H, int i)
{
    ZN_ASSERT(i >= 0 && i < d->capacity && H.start[i + 1] - H.start[i] <= d->max_entries);
    double *x = d->column + (size_t)i * (size_t)d->n;
    int     start = H.start[i], entries = H.start[i + 1] - start;
    memset(x, 0, sizeof *x * (size_t)d->n);
    for (int k = 0; k < entries; k++) {
        d->row_dof[i * d->max_entries + k] = H.dof[start + k];
        d->row_value[i * d->max_entries + k] = H.value[start + k];
        if (H.dof[start + k] < d->n)
            x[H.dof[start + k]] += H.value[start + k];
    }
    d->id[i] = set->id[zn_row_contact(set, i)];
    d->entries[i] = entries;
    d->stamp[i] = -1;
}

// The column of row i is there.
static void note_solved(zn_delassus *d, int i)
{
    const double *x = d->column + (size_t)i * (size_t)d->n;
    d->touched[i] = 0;
    for (int k = 0; k < d->n; k++)
        d->touched[i] |= x[k] != 0 ? zn_delassus_bit(d, k) : 0;
    d->stamp[i] = d->factors;
}

// Rows first, first + 1, ... that were loaded.
static zn_status solve_rows(zn_delassus *d, zn_linsolver *solver, int first, int count)
{
    ZN_ASSERT(first >= 0 && first + count <= d->capacity);
    ZN_TRY(zn_linsolver_solve(solver, count, d->column + (size_t)first * (size_t)d->n));
    for (int i = first; i < first + count; i++)
        note_solved(d, i);
    return ZN_OK;
}

static bool in_groups(const zn_delassus *d, const zn_linsolver *solver)
{
    return d->lasting && zn_linsolver_group(solver) > 1;
}

// The group of row i, always of the same size with the row at the same place: with its neighbours, needed or not, and
// with nothing beyond the last row.
static zn_status solve_group(zn_delassus *d, zn_linsolver *solver, const zn_contact_set *set, zn_rows H, int i)
{
    int group = zn_linsolver_group(solver), first = i - i % group;
    int rows = set->count * set->stride, last = first + group < rows ? first + group : rows;
    for (int k = first; k < last; k++)
        load_row(d, set, H, k);
    memset(d->column + (size_t)last * (size_t)d->n, 0,
           sizeof *d->column * (size_t)(first + group - last) * (size_t)d->n);
    ZN_TRY(zn_linsolver_solve(solver, group, d->column + (size_t)first * (size_t)d->n));
    for (int k = first; k < last; k++)
        note_solved(d, k);
    return ZN_OK;
}

zn_status zn_delassus_columns(zn_delassus *d, zn_linsolver *solver, const zn_contact_set *set, zn_rows H, int count,
                              const int *list)
{
    ZN_ASSERT(solver && count >= 0 && set->count * set->stride <= d->capacity);
    bool groups = in_groups(d, solver);
    for (int k = 0; k < count && groups; k++)
        if (!is_current(d, set, H, list[k]))
            ZN_TRY(solve_group(d, solver, set, H, list[k]));
    for (int k = 0; k < count && !groups;) {
        int first = list[k], run = 0;
        for (; k < count && list[k] == first + run && !is_current(d, set, H, first + run); k++)
            load_row(d, set, H, first + run++);
        if (run > 0)
            ZN_TRY(solve_rows(d, solver, first, run));
        else
            k++;
    }
    return ZN_OK;
}
