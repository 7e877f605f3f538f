// Sparse W of an island: entries of all rows are listed by degree of freedom; a row then meets the others along its
// own.
#include "constraint/island_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "system/system.h"

zn_status zn_island_matrix_create(const zn_system *sys, const zn_lumped_mass *mass, const int *triad_of,
                                  zn_island_matrix *out)
{
    ZN_ASSERT(sys && mass && triad_of && out);
    *out = (zn_island_matrix){.mass = mass, .triad_of = triad_of, .head = ZN_NEW(int, sys->info.n_all)};
    for (int i = 0; out->head && i < sys->info.n_all; i++)
        out->head[i] = -1;
    return out->head ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_island_matrix_destroy(zn_island_matrix *m)
{
    free(m->head);
    free(m->entry);
    free(m->start);
    free(m->other);
    free(m->seen);
    free(m->column);
    free(m->sum);
    free(m->value);
    *m = (zn_island_matrix){0};
}

static zn_status reserve(zn_island_matrix *m, const zn_contact_set *set, int rows, const int *row)
{
    int entries = 0, same[3] = {m->row_capacity, m->row_capacity, m->row_capacity}; // arrays that grow alike
    for (int k = 0; k < rows; k++)
        entries += set->row_start[row[k] + 1] - set->row_start[row[k]];
    ZN_TRY(zn_grow(&m->entry, &m->entry_capacity, entries, sizeof *m->entry));
    ZN_TRY(zn_grow(&m->other, &same[0], rows + 1, sizeof *m->other));
    ZN_TRY(zn_grow(&m->sum, &same[1], rows + 1, sizeof *m->sum));
    ZN_TRY(zn_grow(&m->seen, &same[2], rows + 1, sizeof *m->seen));
    return zn_grow(&m->start, &m->row_capacity, rows + 1, sizeof *m->start);
}

// Entries by degree of freedom, rows descending.
static void list_entries(zn_island_matrix *m, const zn_contact_set *set, int rows, const int *row)
{
    int count = 0;
    for (int k = 0; k < rows; k++)
        for (int e = set->row_start[row[k]]; e < set->row_start[row[k] + 1]; e++) {
            int dof = set->row_dof[e];
            if (dof >= m->mass->n || set->row_value[e] == 0)
                continue;
            m->entry[count] = (zn_island_entry){k, m->head[dof], set->row_value[e]};
            m->head[dof] = count++;
        }
}

static void forget_entries(zn_island_matrix *m, const zn_contact_set *set, int rows, const int *row)
{
    for (int k = 0; k < rows; k++)
        for (int e = set->row_start[row[k]]; e < set->row_start[row[k] + 1]; e++)
            m->head[set->row_dof[e]] = -1;
}

// The others that a motion of one degree of freedom is felt by.
static int meet(zn_island_matrix *m, int dof, double motion, int k, int count)
{
    for (int e = m->head[dof]; e >= 0; e = m->entry[e].next) {
        int l = m->entry[e].row;
        if (m->seen[l] != k) {
            m->seen[l] = k;
            m->sum[l] = 0;
            m->other[count++] = l;
        }
        m->sum[l] += motion * m->entry[e].value;
    }
    return count;
}

// Nearly in order as they come.
static void sort(int count, int *list)
{
    for (int i = 1; i < count; i++) {
        int own = list[i], k = i;
        for (; k > 0 && list[k - 1] > own; k--)
            list[k] = list[k - 1];
        list[k] = own;
    }
}

// Row k of W: what the others feel of M^-1 G_k'.
static zn_status add_row(zn_island_matrix *m, const zn_contact_set *set, int k, int row)
{
    int count = 0, first = m->start[k];
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++) {
        int dof = set->row_dof[e], triad = m->triad_of[dof];
        if (dof >= m->mass->n || set->row_value[e] == 0)
            continue;
        if (triad < 0)
            count = meet(m, dof, m->mass->inverse[dof] * set->row_value[e], k, count);
        const zn_lumped_triad *f = triad >= 0 ? &m->mass->triad[triad / 3] : NULL;
        for (int i = 0; f && i < 3; i++)
            count = meet(m, f->dof[i], f->inverse.m[i][triad % 3] * set->row_value[e], k, count);
    }
    int same = m->value_capacity;
    ZN_TRY(zn_grow(&m->column, &same, first + count, sizeof *m->column));
    ZN_TRY(zn_grow(&m->value, &m->value_capacity, first + count, sizeof *m->value));
    sort(count, m->other);
    for (int i = 0; i < count; i++) {
        m->column[first + i] = m->other[i];
        m->value[first + i] = m->sum[m->other[i]];
    }
    m->start[k + 1] = first + count;
    return ZN_OK;
}

zn_status zn_island_matrix_assemble(zn_island_matrix *m, const zn_contact_set *set, int rows, const int *row)
{
    ZN_ASSERT(set->has_rows && rows > 0 && row);
    ZN_TRY(reserve(m, set, rows, row));
    list_entries(m, set, rows, row);
    zn_status status = ZN_OK;
    m->start[0] = 0;
    for (int k = 0; k < rows; k++)
        m->seen[k] = -1;
    for (int k = 0; k < rows && status == ZN_OK; k++)
        status = add_row(m, set, k, row[k]);
    forget_entries(m, set, rows, row);
    m->W = (zn_fc_matrix){rows, rows, m->start, m->column, m->value};
    return status;
}
