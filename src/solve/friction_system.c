// Assembly and factorization of the equations of zn_fc_system.
#include "solve/friction_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/wide.h"
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

// --- in the workspace ----------------------------------------------------------------------------

// left W, or W, of as many rows as columns; W by columns.
ZN_INLINE void put_square(int rows, const double *left, const double *W, size_t stride, double *out)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            double sum = left != NULL ? left[3 * i] * W[rows * j] : W[rows * j + i];
            for (int k = 1; k < rows && left != NULL; k++)
                sum += left[3 * i + k] * W[rows * j + k];
            out[(size_t)i * stride + (size_t)j] = sum;
        }
}

static void put(int rows, int columns, const double *v, size_t stride, double *out)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            out[(size_t)i * stride + (size_t)j] = v[3 * i + j];
}

// Rows of block c; most neighbours have as many.
static void put_rows(const zn_fc_system *s, int c, size_t stride, double *a)
{
    const zn_fc_blocks *b = s->b;
    int                 rows = zn_fc_block_rows(b, c);
    const double       *left = s->left != NULL ? s->left + 9 * (size_t)c : NULL;
    double              v[9];
    a += (size_t)s->place[c] * stride;
    own_block(s, c, v);
    put(rows, rows, v, stride, a + s->place[c]);
    for (int k = b->start[c]; k < b->start[c + 1]; k++) {
        int           o = b->other[k], columns = zn_fc_block_rows(b, o);
        const double *W = b->value + b->at[k];
        if (s->place[o] < 0)
            continue;
        if (rows == 3 && columns == 3 && s->couple == NULL)
            put_square(3, left, W, stride, a + s->place[o]);
        else if (rows == 2 && columns == 2 && s->couple == NULL)
            put_square(2, left, W, stride, a + s->place[o]);
        else {
            other_block(s, c, k, v);
            put(rows, columns, v, stride, a + s->place[o]);
        }
    }
}

// Entry (i, j) goes to a[i stride + j].
static void put_matrix(const zn_fc_system *s, size_t stride, double *a)
{
    for (int c = 0; c < s->b->count; c++)
        if (s->place[c] >= 0)
            put_rows(s, c, stride, a);
}

static zn_status factor_dense(const zn_fc_system *s, zn_fc_workspace *memory, zn_fc_factors *f)
{
    size_t m = (size_t)s->m;
    f->dense = ZN_FC_TAKE(memory, double, m *m);
    f->pivot = ZN_FC_TAKE(memory, int, m);
    if (f->dense == NULL || f->pivot == NULL)
        return ZN_ERR_MEMORY;
    memset(f->dense, 0, sizeof(double) * m * m);
    put_matrix(s, m, f->dense);
    return zn_dense_lu_factor(s->m, f->dense, f->pivot);
}

// --- a band ---------------------------------------------------------------------------------------

// Its width beside the diagonal, from the places of blocks that share something.
static void find_band(const zn_fc_system *s, zn_band *band)
{
    const zn_fc_blocks *b = s->b;
    *band = (zn_band){.n = s->m, .lower = 2, .upper = 2}; // of a block
    for (int c = 0; c < b->count; c++) {
        int row = s->place[c], last = row + zn_fc_block_rows(b, c) - 1;
        for (int k = b->start[c]; k < b->start[c + 1] && row >= 0; k++) {
            int o = b->other[k], column = s->place[o], end = column + zn_fc_block_rows(b, o) - 1;
            if (column >= 0 && last - column > band->lower)
                band->lower = last - column;
            if (column >= 0 && end - row > band->upper)
                band->upper = end - row;
        }
    }
}

static double row_entries(const zn_fc_blocks *b)
{
    return (1 + (double)b->start[b->count] / b->count) * b->n / b->count;
}

// Less work than a full matrix, and than a sparse one, whose fill-in is smaller where few of a row are neighbours.
static bool is_narrow(const zn_fc_blocks *b, const zn_band *band)
{
    const double sparse = 4;
    return 5.0 * band->lower * band->upper < (double)band->n * band->n && band->lower < sparse * row_entries(b);
}

static zn_status factor_band(const zn_fc_system *s, zn_fc_workspace *memory, zn_band *f)
{
    size_t width = (size_t)zn_band_width(f->lower, f->upper), size = (size_t)s->m * width;
    f->value = ZN_FC_TAKE(memory, double, size);
    f->pivot = ZN_FC_TAKE(memory, int, s->m);
    f->end = ZN_FC_TAKE(memory, int, s->m);
    if (f->value == NULL || f->pivot == NULL || f->end == NULL)
        return ZN_ERR_MEMORY;
    memset(f->value, 0, sizeof(double) * size);
    put_matrix(s, width - 1, f->value + f->lower); // entry (i, j) at i width + lower + j - i
    return zn_band_factor(f);
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

// --- all of them ----------------------------------------------------------------------------------------

// Few equations, or more than a fifth of all blocks there.
static bool is_dense(const zn_fc_system *s)
{
    enum { MANY = 1500 };
    double blocks = (double)s->b->count * s->b->count, there = (double)s->b->start[s->b->count] + s->b->count;
    return s->m <= ZN_FC_FEW_EQUATIONS || (s->m <= MANY && there > 0.2 * blocks);
}

// Levels of a search in breadth from block queue[0]: the size of the largest. All that is reached is in the queue then,
// `*end` of them.
static int widest_level(const zn_fc_blocks *b, int *queue, bool *seen, int *end)
{
    int widest = 0;
    *end = 1;
    seen[queue[0]] = true;
    for (int first = 0; first < *end;) {
        int level = *end;
        widest = level - first > widest ? level - first : widest;
        for (; first < level; first++)
            for (int k = b->start[queue[first]]; k < b->start[queue[first] + 1]; k++)
                if (!seen[b->other[k]])
                    seen[queue[(*end)++] = b->other[k]] = true;
    }
    return widest;
}

// The widest level of any part that is connected, each searched from one of its ends.
static int widest_front(const zn_fc_blocks *b, int *queue, bool *seen)
{
    int widest = 0, end;
    memset(seen, 0, sizeof *seen * (size_t)b->count);
    for (int c = 0; c < b->count; c++) {
        if (seen[c])
            continue;
        queue[0] = c;
        widest_level(b, queue, seen, &end);
        for (int k = 0; k < end; k++)
            seen[queue[k]] = false;
        queue[0] = queue[end - 1];
        int width = widest_level(b, queue, seen, &end);
        widest = width > widest ? width : widest;
    }
    return widest;
}

// Rows of the front that a factorization carries from one end to the other: few in a stack, many in a heap.
static double front_rows(zn_fc_task *task)
{
    const zn_fc_blocks *b = &task->b;
    zn_fc_mark          mark = zn_fc_get_mark(task->memory);
    int                *queue = ZN_FC_TAKE(task->memory, int, b->count);
    bool               *seen = ZN_FC_TAKE(task->memory, bool, b->count);
    double              width = queue != NULL && seen != NULL ? widest_front(b, queue, seen) : b->count;
    zn_fc_rewind(task->memory, mark);
    return width * b->n / b->count;
}

// Work of a row over that of a row in a sweep, both in ns of one machine, where `part` of the rows are equations. What
// a sparse factorization costs follows from the front: 20 sweeps and one for each of its rows, more where it is wide.
static double estimate(zn_fc_task *task, double part)
{
    const zn_fc_blocks *b = &task->b;
    zn_fc_system        all = {.b = b, .place = b->first, .m = b->n};
    zn_band             band;
    double              n = part * b->n, sweep = 13 + 0.13 * row_entries(b);
    find_band(&all, &band);
    double lower = part * band.lower;
    if (is_narrow(b, &band))
        return (100 + lower * (4.5 + 0.12 * lower)) / sweep;
    if (is_dense(&all))
        return (100 + n * (1 + 0.027 * n)) / sweep;
    double front = part * front_rows(task);
    return fmin(n / 3, 12 + 1.1 * front + 1e-3 * front * front);
}

double zn_fc_factor_sweeps(zn_fc_task *task)
{
    if (!(task->factor_sweeps > 0))
        task->factor_sweeps = estimate(task, 1);
    return task->factor_sweeps;
}

double zn_fc_twin_sweeps(zn_fc_task *task, double part)
{
    const double row = 120; // ns, beside the equations
    return part < 1 ? row / (13 + 0.13 * row_entries(&task->b)) + part * estimate(task, part)
                    : zn_fc_factor_sweeps(task);
}

bool zn_fc_afford_factors(zn_fc_task *task, int m)
{
    bool bounded = task->effort != NULL && task->effort->most > 0;
    return zn_fc_afford(task->effort, bounded ? 3 + zn_fc_factor_sweeps(task) * m / task->b.n : 0);
}

zn_status zn_fc_factor(const zn_fc_system *s, zn_fc_workspace *memory, bool keep, zn_fc_factors *f)
{
    ZN_ASSERT(s->m > 0 && s->m <= s->b->n);
    ZN_ASSERT(!keep || f->m == s->m);
    f->m = s->m;
    f->dense = NULL;
    f->band.value = NULL;
    if (s->band) {
        find_band(s, &f->band);
        if (is_narrow(s->b, &f->band))
            return factor_band(s, memory, &f->band);
    }
    return is_dense(s) ? factor_dense(s, memory, f) : factor_sparse(s, memory, keep, f);
}

zn_status zn_fc_factor_solve(const zn_fc_factors *f, double *x)
{
    ZN_ASSERT(x && (f->dense || f->solver || f->band.value));
    if (f->band.value != NULL)
        zn_band_solve(&f->band, x);
    else if (f->dense == NULL)
        return zn_linsolver_solve(f->solver, 1, x);
    else
        zn_dense_lu_solve(f->m, f->dense, f->pivot, x);
    return ZN_OK;
}

void zn_fc_factors_free(zn_fc_factors *f)
{
    zn_linsolver_destroy(f->solver);
    f->solver = NULL;
    f->sparse = zn_sparse_destroy(f->sparse);
}
