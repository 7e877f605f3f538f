// Sparse matrices in compressed columns with a fixed pattern, the union of the cliques of all elements.
//
// The pattern is built in time linear in the sum of the squared element sizes. For each column the elements that
// contain its dof are visited once and new rows are marked; the pattern is symmetric, so transposing it sorts the rows
// of every column. A second visit of the same lists gives each element entry its place.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "zn/math.h"

// Where a dof occurs: entry `place` of the dof list of a block.
typedef struct incidence {
    int block, place;
} incidence;

typedef struct pattern_builder {
    int                 n, blocks;
    const zn_dof_block *block;
    int                *first; // n + 1: the incidences of dof j are first[j] ... first[j + 1] - 1
    incidence          *list;
    int                *mark; // n: the last column that met this row; later the place of the row
    int                *start;
    int                *row;
} pattern_builder;

// --- which elements contain a dof ----------------------------------------------------------------

static zn_status count_incidences(pattern_builder *p)
{
    int64_t total = 0;
    for (int b = 0; b < p->blocks; b++) {
        const zn_dof_block *block = &p->block[b];
        if (block->count < 0 || block->size < 0)
            return ZN_ERR_ARGUMENT;
        int64_t places = (int64_t)block->count * block->size;
        total += places;
        if (total > INT_MAX)
            return ZN_ERR_MEMORY;
        for (int64_t k = 0; k < places; k++) {
            if (block->dof[k] >= p->n)
                return ZN_ERR_ARGUMENT;
            if (block->dof[k] >= 0)
                p->first[block->dof[k] + 1]++;
        }
    }
    for (int j = 0; j < p->n; j++)
        p->first[j + 1] += p->first[j];
    return ZN_OK;
}

static zn_status list_incidences(pattern_builder *p)
{
    p->first = ZN_NEW(int, (size_t)p->n + 1);
    p->mark = ZN_NEW(int, p->n);
    if (p->first == NULL || p->mark == NULL)
        return ZN_ERR_MEMORY;
    ZN_TRY(count_incidences(p));
    p->list = ZN_NEW(incidence, p->first[p->n]);
    if (p->list == NULL)
        return ZN_ERR_MEMORY;
    for (int j = 0; j < p->n; j++)
        p->mark[j] = p->first[j];
    for (int b = 0; b < p->blocks; b++)
        for (int k = 0; k < p->block[b].count * p->block[b].size; k++)
            if (p->block[b].dof[k] >= 0)
                p->list[p->mark[p->block[b].dof[k]]++] = (incidence){b, k};
    return ZN_OK;
}

// --- pattern -------------------------------------------------------------------------------------

// Rows of column j in order of appearance, the diagonal first. `row` may be NULL to count only.
static int visit_column(pattern_builder *p, int j, int *row)
{
    ZN_ASSERT(j >= 0 && j < p->n);
    int count = 1;
    p->mark[j] = j;
    if (row != NULL)
        row[0] = j;
    for (int k = p->first[j]; k < p->first[j + 1]; k++) {
        const zn_dof_block *block = &p->block[p->list[k].block];
        const int          *dof = block->dof + p->list[k].place / block->size * block->size;
        for (int a = 0; a < block->size; a++) {
            int i = dof[a];
            if (i < 0 || p->mark[i] == j)
                continue;
            p->mark[i] = j;
            if (row != NULL)
                row[count] = i;
            count++;
        }
    }
    return count;
}

static void unmark(pattern_builder *p)
{
    for (int i = 0; i < p->n; i++)
        p->mark[i] = -1;
}

// The pattern is its own transpose: handing out the columns in order to each row leaves every list sorted.
static void sort_rows(const pattern_builder *p, const int *unsorted, int *next)
{
    for (int j = 0; j < p->n; j++)
        next[j] = p->start[j];
    for (int j = 0; j < p->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            p->row[next[unsorted[k]]++] = j;
}

static zn_status build_pattern(pattern_builder *p)
{
    p->start = ZN_NEW(int, (size_t)p->n + 1);
    if (p->start == NULL)
        return ZN_ERR_MEMORY;
    unmark(p);
    for (int j = 0; j < p->n; j++) {
        int count = visit_column(p, j, NULL);
        if (count > INT_MAX - p->start[j])
            return ZN_ERR_MEMORY;
        p->start[j + 1] = p->start[j] + count;
    }
    int *unsorted = ZN_NEW(int, p->start[p->n]);
    p->row = ZN_NEW(int, p->start[p->n]);
    if (unsorted == NULL || p->row == NULL) {
        free(unsorted);
        return ZN_ERR_MEMORY;
    }
    unmark(p);
    for (int j = 0; j < p->n; j++)
        visit_column(p, j, unsorted + p->start[j]);
    sort_rows(p, unsorted, p->mark);
    free(unsorted);
    return ZN_OK;
}

// --- scatter -------------------------------------------------------------------------------------

static void fill_scatter(pattern_builder *p, int **scatter)
{
    for (int b = 0; b < p->blocks; b++) { // entries of dofs without an equation stay -1
        size_t size = (size_t)p->block[b].size;
        for (size_t k = 0; k < (size_t)p->block[b].count * size * size; k++)
            scatter[b][k] = -1;
    }
    for (int j = 0; j < p->n; j++) {
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            p->mark[p->row[k]] = k;
        for (int k = p->first[j]; k < p->first[j + 1]; k++) {
            int b = p->list[k].block, size = p->block[b].size;
            int e = p->list[k].place / size, c = p->list[k].place % size;
            for (int a = 0; a < size; a++) {
                size_t place = (size_t)e * size + a;
                ZN_ASSERT(p->block[b].dof[place] < 0 ||
                          p->row[p->mark[p->block[b].dof[place]]] == p->block[b].dof[place]);
                if (p->block[b].dof[place] >= 0)
                    scatter[b][place * size + c] = p->mark[p->block[b].dof[place]];
            }
        }
    }
}

static void free_scatter(int blocks, int **scatter)
{
    for (int b = 0; b < blocks && scatter != NULL; b++) {
        free(scatter[b]);
        scatter[b] = NULL;
    }
}

static zn_status build_scatter(pattern_builder *p, int **scatter)
{
    if (scatter == NULL)
        return ZN_OK;
    for (int b = 0; b < p->blocks; b++)
        scatter[b] = NULL;
    for (int b = 0; b < p->blocks; b++) {
        size_t size = (size_t)p->block[b].size;
        scatter[b] = zn_new_array((size_t)p->block[b].count * size, size * sizeof(int));
        if (scatter[b] == NULL) {
            free_scatter(p->blocks, scatter);
            return ZN_ERR_MEMORY;
        }
    }
    fill_scatter(p, scatter);
    return ZN_OK;
}

// Rows of each column ascend, the diagonal is among them (for assertions).
static bool is_ordered(int n, const int *start, const int *row)
{
    for (int j = 0; j < n; j++) {
        bool diagonal = false;
        for (int k = start[j]; k < start[j + 1]; k++) {
            if (row[k] < 0 || row[k] >= n || (k > start[j] && row[k] <= row[k - 1]))
                return false;
            diagonal |= row[k] == j;
        }
        if (!diagonal)
            return false;
    }
    return start[0] == 0;
}

// --- matrix --------------------------------------------------------------------------------------

// Takes over the arrays of the builder.
static zn_status make_matrix(pattern_builder *p, zn_sparse **out)
{
    ZN_ASSERT(is_ordered(p->n, p->start, p->row));
    zn_sparse *a = ZN_NEW(zn_sparse, 1);
    double    *value = ZN_NEW(double, p->start[p->n]);
    if (a == NULL || value == NULL) {
        free(a);
        free(value);
        return ZN_ERR_MEMORY;
    }
    *a = (zn_sparse){.n = p->n, .start = p->start, .row = p->row, .value = value};
    p->start = NULL;
    p->row = NULL;
    *out = a;
    return ZN_OK;
}

static zn_status build(pattern_builder *p, int **scatter, zn_sparse **out)
{
    ZN_TRY(list_incidences(p));
    ZN_TRY(build_pattern(p));
    ZN_TRY(build_scatter(p, scatter));
    zn_status status = make_matrix(p, out);
    if (status != ZN_OK)
        free_scatter(p->blocks, scatter);
    return status;
}

zn_status zn_sparse_create(int n, int blocks, const zn_dof_block *block, int **scatter, zn_sparse **out)
{
    ZN_ASSERT(out && (block || blocks <= 0));
    if (n < 0 || blocks < 0)
        return ZN_ERR_ARGUMENT;
    pattern_builder p = {.n = n, .blocks = blocks, .block = block};
    zn_status       status = build(&p, scatter, out);
    free(p.first);
    free(p.list);
    free(p.mark);
    free(p.start);
    free(p.row);
    return status;
}

zn_status zn_sparse_compress(const zn_sparse *a, zn_sparse **out)
{
    ZN_ALIVE(a);
    ZN_ASSERT(a && out && is_ordered(a->n, a->start, a->row));
    int count = 0;
    for (int j = 0; j < a->n; j++)
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            count += a->value[e] != 0 || a->row[e] == j;
    zn_sparse *b = ZN_NEW(zn_sparse, 1);
    if (b == NULL)
        return ZN_ERR_MEMORY;
    *b = (zn_sparse){a->n, ZN_NEW(int, a->n + 1), ZN_NEW(int, count), ZN_NEW(double, count)};
    if (b->start == NULL || b->row == NULL || b->value == NULL) {
        zn_sparse_destroy(b);
        return ZN_ERR_MEMORY;
    }
    count = 0;
    for (int j = 0; j < a->n; j++) {
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            if (a->value[e] != 0 || a->row[e] == j) {
                b->row[count] = a->row[e];
                b->value[count++] = a->value[e];
            }
        b->start[j + 1] = count;
    }
    *out = b;
    return ZN_OK;
}

zn_sparse *zn_sparse_destroy(zn_sparse *a)
{
    ZN_ALIVE(a);
    if (a != NULL) {
        free(a->start);
        free(a->row);
        free(a->value);
        zn_retire(a, sizeof *a);
    }
    return NULL;
}

void zn_sparse_clear(zn_sparse *a)
{
    ZN_ALIVE(a);
    ZN_ASSERT(a);
    memset(a->value, 0, (size_t)a->start[a->n] * sizeof *a->value);
}

void zn_sparse_multiply(const zn_sparse *a, const double *x, double *y)
{
    ZN_ALIVE(a);
    ZN_ASSERT(a && x != y);
    for (int i = 0; i < a->n; i++)
        y[i] = 0;
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            y[a->row[k]] += a->value[k] * x[j];
}

zn_status zn_sparse_copy(const zn_sparse *a, zn_sparse **out)
{
    ZN_ALIVE(a);
    ZN_ASSERT(a && out);
    int        entries = a->start[a->n];
    zn_sparse *copy = ZN_NEW(zn_sparse, 1);
    if (copy == NULL)
        return ZN_ERR_MEMORY;
    copy->n = a->n;
    copy->start = ZN_NEW(int, a->n + 1);
    copy->row = ZN_NEW(int, entries);
    copy->value = ZN_NEW(double, entries);
    if (copy->start == NULL || copy->row == NULL || copy->value == NULL) {
        zn_sparse_destroy(copy);
        return ZN_ERR_MEMORY;
    }
    memcpy(copy->start, a->start, sizeof *a->start * ((size_t)a->n + 1));
    memcpy(copy->row, a->row, sizeof *a->row * (size_t)entries);
    *out = copy;
    return ZN_OK;
}
