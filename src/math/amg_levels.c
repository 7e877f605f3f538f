// Prolongation and coarse matrix of a level. See amg.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/amg.h"
#include "math/sparse_find.h"

enum { M = ZN_AMG_BLOCK };

static const double smoothing = 4.0 / 3;

void zn_amg_release_rows(zn_amg_rows *p)
{
    free(p->start);
    free(p->aggregate);
    free(p->value);
    *p = (zn_amg_rows){0};
}

// Rows of A times rows of blocks: of P0, one block per unknown, or of P.
typedef struct factor {
    const int         *aggregate_of; // per unknown, of P0; NULL: P
    const double      *P0;
    const zn_amg_rows *P;
} factor;

// Blocks that row j of the factor has.
static int blocks_of(const factor *f, int j, const int **aggregate, const double **value)
{
    if (f->aggregate_of) {
        *aggregate = &f->aggregate_of[j];
        *value = f->P0 + (size_t)j * M;
        return f->aggregate_of[j] >= 0;
    }
    *aggregate = f->P->aggregate + f->P->start[j];
    *value = f->P->value + (size_t)f->P->start[j] * M;
    return f->P->start[j + 1] - f->P->start[j];
}

// Which aggregates row i of A times the factor has; place[] of each, -1 elsewhere.
static int list_row(const zn_sparse *a, const factor *f, int i, int *place, int *list)
{
    int count = 0;
    for (int e = a->start[i]; e < a->start[i + 1]; e++) {
        const int    *aggregate;
        const double *value;
        int           blocks = blocks_of(f, a->row[e], &aggregate, &value);
        for (int k = 0; k < blocks; k++)
            if (place[aggregate[k]] < 0) {
                place[aggregate[k]] = count;
                list[count++] = aggregate[k];
            }
    }
    return count;
}

static void multiply_row(const zn_sparse *a, const factor *f, int i, const int *place, double *out)
{
    for (int e = a->start[i]; e < a->start[i + 1]; e++) {
        const int    *aggregate;
        const double *value;
        int           blocks = blocks_of(f, a->row[e], &aggregate, &value);
        for (int k = 0; k < blocks; k++) {
            double *to = out + (size_t)place[aggregate[k]] * M;
            for (int c = 0; c < M; c++)
                to[c] += a->value[e] * value[(size_t)k * M + (size_t)c];
        }
    }
}

// A times the factor.
static zn_status multiply(const zn_sparse *a, const factor *f, int aggregates, zn_amg_rows *out)
{
    int *place = ZN_NEW(int, aggregates), *list = ZN_NEW(int, aggregates);
    out->start = ZN_NEW(int, a->n + 1);
    for (int g = 0; place && g < aggregates; g++)
        place[g] = -1;
    for (int i = 0; place && list && out->start && i < a->n; i++) {
        int count = list_row(a, f, i, place, list);
        out->start[i + 1] = out->start[i] + count;
        for (int k = 0; k < count; k++)
            place[list[k]] = -1;
    }
    if (place && list && out->start) {
        out->aggregate = ZN_NEW(int, out->start[a->n]);
        out->value = ZN_NEW(double, (size_t)out->start[a->n] * M);
    }
    bool there = out->aggregate && out->value;
    for (int i = 0; there && i < a->n; i++) {
        int *own = out->aggregate + out->start[i], count = list_row(a, f, i, place, own);
        multiply_row(a, f, i, place, out->value + (size_t)out->start[i] * M);
        for (int k = 0; k < count; k++)
            place[own[k]] = -1;
    }
    free(place);
    free(list);
    return there ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_amg_smooth(double largest, const double *inverse, int n, const int *aggregate_of, const double *P0,
                   zn_amg_rows *P)
{
    double w = smoothing / largest;
    for (int i = 0; i < n; i++)
        for (int k = P->start[i]; k < P->start[i + 1]; k++) {
            double *value = P->value + (size_t)k * M;
            bool    own = P->aggregate[k] == aggregate_of[i];
            for (int c = 0; c < M; c++)
                value[c] = (own ? P0[(size_t)i * M + (size_t)c] : 0) - w * inverse[i] * value[c];
        }
}

// --- P'AP ----------------------------------------------------------------------------------------

// Rows of P by aggregate: `row` and `block` of each.
typedef struct transposed {
    int *start, *row, *block;
} transposed;

static zn_status transpose(const zn_amg_rows *P, int n, int aggregates, transposed *t)
{
    int blocks = P->start[n];
    *t = (transposed){ZN_NEW(int, aggregates + 2), ZN_NEW(int, blocks), ZN_NEW(int, blocks)};
    if (!t->start || !t->row || !t->block)
        return ZN_ERR_MEMORY;
    for (int k = 0; k < blocks; k++)
        t->start[P->aggregate[k] + 2]++;
    for (int g = 0; g < aggregates; g++)
        t->start[g + 2] += t->start[g + 1];
    for (int i = 0; i < n; i++)
        for (int k = P->start[i]; k < P->start[i + 1]; k++) {
            int to = t->start[P->aggregate[k] + 1]++;
            t->row[to] = i;
            t->block[to] = k;
        }
    return ZN_OK;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// Aggregates that aggregate g is coupled to, ascending, itself always; place[] of each.
static int list_coupled(const transposed *t, const zn_amg_rows *AP, int g, int *place, int *list)
{
    int count = 0;
    place[g] = 0;
    list[count++] = g;
    for (int k = t->start[g]; k < t->start[g + 1]; k++)
        for (int e = AP->start[t->row[k]]; e < AP->start[t->row[k] + 1]; e++)
            if (place[AP->aggregate[e]] < 0) {
                place[AP->aggregate[e]] = 0;
                list[count++] = AP->aggregate[e];
            }
    qsort(list, (size_t)count, sizeof *list, compare_ints);
    for (int k = 0; k < count; k++)
        place[list[k]] = k;
    return count;
}

// Blocks of aggregate g with all it is coupled to, one after the other, each by its rows.
static void sum_blocks(const transposed *t, const zn_amg_rows *P, const zn_amg_rows *AP, int g, const int *place,
                       double *block)
{
    for (int k = t->start[g]; k < t->start[g + 1]; k++) {
        const double *p = P->value + (size_t)t->block[k] * M;
        for (int e = AP->start[t->row[k]]; e < AP->start[t->row[k] + 1]; e++) {
            const double *w = AP->value + (size_t)e * M;
            double       *to = block + (size_t)place[AP->aggregate[e]] * M * M;
            for (int c = 0; c < M; c++)
                for (int d = 0; d < M; d++)
                    to[c * M + d] += p[c] * w[d];
        }
    }
}

// Columns of the unknowns of aggregate g.
static void write_columns(zn_sparse *out, int g, int count, const int *list, const double *block)
{
    for (int c = 0; c < M; c++) {
        int e = out->start[g * M + c];
        for (int k = 0; k < count; k++)
            for (int d = 0; d < M; d++) {
                out->row[e] = list[k] * M + d;
                out->value[e++] = block[((size_t)k * M + (size_t)c) * M + (size_t)d];
            }
        out->start[g * M + c + 1] = e;
    }
}

static zn_status reserve(const transposed *t, const zn_amg_rows *AP, int aggregates, int *place, int *list,
                         zn_sparse *out)
{
    size_t blocks = 0;
    for (int g = 0; g < aggregates; g++) {
        int count = list_coupled(t, AP, g, place, list);
        for (int k = 0; k < count; k++)
            place[list[k]] = -1;
        blocks += (size_t)count;
    }
    *out = (zn_sparse){aggregates * M, ZN_NEW(int, aggregates *M + 1), ZN_NEW(int, blocks *M *M),
                       ZN_NEW(double, blocks *M *M)};
    return out->start && out->row && out->value ? ZN_OK : ZN_ERR_MEMORY;
}

static zn_status multiply_coarse(const transposed *t, const zn_amg_rows *P, const zn_amg_rows *AP, int aggregates,
                                 zn_sparse *out)
{
    int    *place = ZN_NEW(int, aggregates), *list = ZN_NEW(int, aggregates);
    double *block = ZN_NEW(double, (size_t)aggregates *M *M);
    for (int g = 0; place && g < aggregates; g++)
        place[g] = -1;
    zn_status status = place && list && block ? reserve(t, AP, aggregates, place, list, out) : ZN_ERR_MEMORY;
    for (int g = 0; g < aggregates && status == ZN_OK; g++) {
        int count = list_coupled(t, AP, g, place, list);
        memset(block, 0, sizeof *block * (size_t)count * M * M);
        sum_blocks(t, P, AP, g, place, block);
        write_columns(out, g, count, list, block);
        for (int k = 0; k < count; k++)
            place[list[k]] = -1;
    }
    free(place);
    free(list);
    free(block);
    return status;
}

zn_status zn_amg_times(const zn_sparse *a, const int *aggregate_of, const double *P0, int aggregates, zn_amg_rows *out)
{
    return multiply(a, &(factor){aggregate_of, P0, NULL}, aggregates, out);
}

zn_status zn_amg_product(const zn_sparse *a, const zn_amg_rows *P, int aggregates, zn_sparse **out)
{
    zn_amg_rows AP = {0};
    transposed  t = {0};
    zn_sparse  *coarse = ZN_NEW(zn_sparse, 1);
    zn_status   status = coarse ? multiply(a, &(factor){NULL, NULL, P}, aggregates, &AP) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = transpose(P, a->n, aggregates, &t);
    if (status == ZN_OK)
        status = multiply_coarse(&t, P, &AP, aggregates, coarse);
    zn_amg_release_rows(&AP);
    free(t.start);
    free(t.row);
    free(t.block);
    if (status != ZN_OK)
        zn_sparse_destroy(coarse);
    else
        *out = coarse;
    return status;
}

// A motion that an aggregate has not is an unknown of its own, 1 x = b.
static void complete(zn_sparse *a)
{
    for (int j = 0; j < a->n; j++) {
        double *own = &a->value[zn_sparse_find(a, j, j)];
        *own = *own > 0 ? *own : 1;
    }
}

zn_status zn_amg_coarsen(const zn_amg_level *level, const int *aggregate_of, int aggregates, const double *P0,
                         zn_amg_rows *P, zn_sparse **out)
{
    ZN_TRY(zn_amg_times(level->a, aggregate_of, P0, aggregates, P));
    zn_amg_smooth(level->largest, level->inverse, level->a->n, aggregate_of, P0, P);
    ZN_TRY(zn_amg_product(level->a, P, aggregates, out));
    complete(*out);
    return ZN_OK;
}
