// Assembly and factorization of the equations of zn_fc_system.
#include "solve/friction_system.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "zn/math.h"

// Entry block of rows c, columns d: out = left_c W_cd (+ shift left_c + own_c), stride 3.
static void block_product(const zn_fc_system *s, int c, int columns, const double *W, int stride, double *out)
{
    ZN_ASSERT(c >= 0 && c < s->b->count && columns >= 1 && columns <= 3 && stride >= columns);
    int           rows = zn_fc_block_rows(s->b, c);
    const double *left = s->left != NULL ? s->left + 9 * (size_t)c : NULL;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int k = 0; k < rows && left != NULL; k++)
                sum += left[3 * i + k] * W[k * stride + j];
            out[3 * i + j] = left != NULL ? sum : W[i * stride + j];
        }
}

static void own_block(const zn_fc_system *s, int c, double *out)
{
    int    rows = zn_fc_block_rows(s->b, c);
    double W[9];
    memcpy(W, s->b->diagonal + 9 * (size_t)c, sizeof W);
    for (int i = 0; i < rows; i++)
        W[4 * i] += s->shift;
    block_product(s, c, rows, W, 3, out);
    for (int i = 0; i < rows && s->own != NULL; i++)
        for (int j = 0; j < rows; j++)
            out[3 * i + j] += s->own[9 * (size_t)c + 3 * i + j];
}

// Of block c and its k-th neighbour.
static void other_block(const zn_fc_system *s, int c, int k, double *out)
{
    const zn_fc_blocks *b = s->b;
    int                 rows = zn_fc_block_rows(b, c), columns = zn_fc_block_rows(b, b->other[k]);
    const double       *value = b->value + b->at[k];
    double              W[9];
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            W[3 * i + j] = *value++;
    block_product(s, c, columns, W, 3, out);
    for (int i = 0; i < rows && s->couple != NULL && b->leader[c] == b->other[k]; i++)
        out[3 * i] += s->couple[2 * (size_t)c + (size_t)i];
}

// --- dense ---------------------------------------------------------------------------------------

static void put_dense(double *a, int m, int row, int column, int rows, int columns, const double *v)
{
    ZN_ASSERT(row >= 0 && row + rows <= m && column >= 0 && column + columns <= m);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[(size_t)(row + i) * m + column + j] = v[3 * i + j];
}

static zn_status factor_dense(const zn_fc_system *s, zn_fc_workspace *memory, zn_fc_factors *f)
{
    const zn_fc_blocks *b = s->b;
    int                 m = s->m;
    f->dense = ZN_FC_TAKE(memory, double, (size_t)m *m);
    f->pivot = ZN_FC_TAKE(memory, int, m);
    if (f->dense == NULL || f->pivot == NULL)
        return ZN_ERR_MEMORY;
    memset(f->dense, 0, sizeof(double) * (size_t)m * m);
    for (int c = 0; c < b->count; c++) {
        double v[9];
        int    row = s->place[c], rows = zn_fc_block_rows(b, c);
        if (row < 0)
            continue;
        own_block(s, c, v);
        put_dense(f->dense, m, row, row, rows, rows, v);
        for (int k = b->start[c]; k < b->start[c + 1]; k++) {
            int o = b->other[k], column = s->place[o], columns = zn_fc_block_rows(b, o);
            if (column < 0)
                continue;
            other_block(s, c, k, v);
            put_dense(f->dense, m, row, column, rows, columns, v);
        }
    }
    return zn_dense_lu_factor(m, f->dense, f->pivot);
}

// --- sparse, by columns --------------------------------------------------------------------------

// Blocks that take part, sorted by column block: a transposed list of (row block, value place).
typedef struct column_list {
    int *start; // count + 1
    int *row;   // row blocks, ascending
    int *entry; // index into b->other, or -1 for the diagonal
} column_list;

static bool takes_part(const zn_fc_system *s, int c, int k)
{
    return s->place[c] >= 0 && s->place[s->b->other[k]] >= 0;
}

static zn_status list_columns(const zn_fc_system *s, zn_fc_workspace *memory, column_list *list)
{
    const zn_fc_blocks *b = s->b;
    int                 total = b->start[b->count] + b->count;
    list->start = ZN_FC_TAKE(memory, int, b->count + 2);
    list->row = ZN_FC_TAKE(memory, int, total);
    list->entry = ZN_FC_TAKE(memory, int, total);
    if (!list->start || !list->row || !list->entry)
        return ZN_ERR_MEMORY;
    int *next = list->start + 1; // shifted by one while filling
    memset(list->start, 0, sizeof(int) * (size_t)(b->count + 2));
    for (int c = 0; c < b->count; c++) {
        next[c + 1] += s->place[c] >= 0;
        for (int k = b->start[c]; k < b->start[c + 1]; k++)
            next[b->other[k] + 1] += takes_part(s, c, k);
    }
    for (int c = 0; c < b->count; c++)
        next[c + 1] += next[c];
    for (int c = 0; c < b->count; c++) { // rows ascend as c does
        if (s->place[c] < 0)
            continue;
        list->row[next[c]] = c;
        list->entry[next[c]++] = -1;
        for (int k = b->start[c]; k < b->start[c + 1]; k++)
            if (takes_part(s, c, k)) {
                int o = b->other[k];
                list->row[next[o]] = c;
                list->entry[next[o]++] = k;
            }
    }
    return ZN_OK;
}

static zn_status allocate_sparse(const zn_fc_system *s, const column_list *list, zn_sparse **out)
{
    const zn_fc_blocks *b = s->b;
    size_t              total = 0;
    for (int d = 0; d < b->count; d++)
        for (int k = list->start[d]; k < list->start[d + 1]; k++)
            total += (size_t)(zn_fc_block_rows(b, d) * zn_fc_block_rows(b, list->row[k]));
    zn_sparse *a = calloc(1, sizeof *a);
    if (a == NULL)
        return ZN_ERR_MEMORY;
    a->n = s->m;
    a->start = malloc(sizeof(int) * ((size_t)s->m + 1));
    a->row = malloc(sizeof(int) * (total + 1));
    a->value = malloc(sizeof(double) * (total + 1));
    if (!a->start || !a->row || !a->value) {
        zn_sparse_destroy(a);
        return ZN_ERR_MEMORY;
    }
    *out = a;
    return ZN_OK;
}

static void fill_sparse(const zn_fc_system *s, const column_list *list, zn_sparse *a)
{
    const zn_fc_blocks *b = s->b;
    int                 used = 0;
    for (int d = 0; d < b->count; d++) {
        int columns = zn_fc_block_rows(b, d);
        if (s->place[d] < 0)
            continue;
        int height = 0;
        for (int k = list->start[d]; k < list->start[d + 1]; k++)
            height += zn_fc_block_rows(b, list->row[k]);
        for (int j = 0; j < columns; j++)
            a->start[s->place[d] + j] = used + j * height;
        int at = used;
        for (int k = list->start[d]; k < list->start[d + 1]; k++) {
            int    c = list->row[k], rows = zn_fc_block_rows(b, c);
            double v[9];
            if (list->entry[k] < 0)
                own_block(s, c, v);
            else
                other_block(s, c, list->entry[k], v);
            for (int j = 0; j < columns; j++)
                for (int i = 0; i < rows; i++) {
                    a->row[at + j * height + i] = s->place[c] + i;
                    a->value[at + j * height + i] = v[3 * i + j];
                }
            at += rows;
        }
        used += columns * height;
    }
    a->start[s->m] = used;
}

static zn_status factor_sparse(const zn_fc_system *s, zn_fc_workspace *memory, bool keep, zn_fc_factors *f)
{
    column_list list;
    zn_fc_mark  mark = zn_fc_get_mark(memory);
    ZN_TRY(list_columns(s, memory, &list));
    if (!keep)
        zn_fc_factors_free(f);
    zn_linsolver *solver = f->solver;
    if (f->sparse == NULL)
        ZN_TRY(allocate_sparse(s, &list, &f->sparse));
    fill_sparse(s, &list, f->sparse);
    zn_fc_rewind(memory, mark);
    if (solver == NULL) {
        ZN_TRY(zn_linsolver_create(f->sparse, NULL, &solver));
        f->solver = solver;
    }
    return zn_linsolver_factor(solver, f->sparse);
}

// --- both ----------------------------------------------------------------------------------------

// Few equations, or more than a fifth of all blocks there.
static bool is_dense(const zn_fc_system *s)
{
    enum { FEW = 60, MANY = 1500 };
    double blocks = (double)s->b->count * s->b->count, there = (double)s->b->start[s->b->count] + s->b->count;
    return s->m <= FEW || (s->m <= MANY && there > 0.2 * blocks);
}

zn_status zn_fc_factor(const zn_fc_system *s, zn_fc_workspace *memory, bool keep, zn_fc_factors *f)
{
    ZN_ASSERT(s->m > 0 && s->m <= s->b->n);
    ZN_ASSERT(!keep || f->m == s->m);
    f->m = s->m;
    f->dense = NULL;
    return is_dense(s) ? factor_dense(s, memory, f) : factor_sparse(s, memory, keep, f);
}

zn_status zn_fc_factor_solve(const zn_fc_factors *f, double *x)
{
    ZN_ASSERT(x && (f->dense || f->solver));
    if (f->dense == NULL)
        return zn_linsolver_solve(f->solver, 1, x);
    zn_dense_lu_solve(f->m, f->dense, f->pivot, x);
    return ZN_OK;
}

void zn_fc_factors_free(zn_fc_factors *f)
{
    zn_linsolver_destroy(f->solver);
    f->solver = NULL;
    f->sparse = zn_sparse_destroy(f->sparse);
}
