// Matrices of a preconditioner. See amg_blocks.h.
#include "math/amg_blocks.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"

enum { SIDE = ZN_BLOCK_SIDE, STEP = ZN_BLOCK_STEP, BLOCK = SIDE * SIDE, M = ZN_AMG_BLOCK, NONE = -1 };

void zn_blocks_destroy(zn_blocks *b)
{
    free(b->start);
    free(b->column);
    free(b->value);
    free(b->exact);
    *b = (zn_blocks){0};
}

// --- places --------------------------------------------------------------------------------------

zn_status zn_blocks_place(int n, int nodes, const int *node, int *place, int *rows)
{
    int *first = ZN_NEW(int, nodes + 2), *unknown = ZN_NEW(int, n);
    bool room = first && unknown;
    for (int i = 0; room && i < n; i++)
        first[node[i] + 2]++;
    for (int k = 0; room && k < nodes; k++)
        first[k + 2] += first[k + 1];
    for (int i = 0; room && i < n; i++)
        unknown[first[node[i] + 1]++] = i;
    int row = 0, lane = 0; // the next one
    for (int k = 0; room && k < nodes; k++) {
        int count = first[k + 1] - first[k];
        if (lane > 0 && lane + count > SIDE) {
            row++;
            lane = 0;
        }
        for (int e = first[k]; e < first[k + 1]; e++) {
            place[unknown[e]] = row * STEP + lane++;
            row += lane == SIDE;
            lane = lane == SIDE ? 0 : lane;
        }
    }
    *rows = row + (lane > 0);
    free(first);
    free(unknown);
    return room ? ZN_OK : ZN_ERR_MEMORY;
}

// --- creation ------------------------------------------------------------------------------------

// Where entries come from: rows of a symmetric matrix, of which half is taken, or of P.
typedef struct source {
    const zn_sparse   *a; // NULL: P
    const zn_amg_rows *P;
    const int         *place;
    const double      *scale, *coarse_scale;
    bool               exact;   // likewise in double precision, not scaled
    int               *unknown; // per place of a vector; NONE
} source;

static int first_of(const source *s, int i) { return s->a ? s->a->start[i] : M * s->P->start[i]; }

static int end_of(const source *s, int i) { return first_of(s, i + 1); }

// Place and value of entry e of unknown i.
ZN_INLINE int place_of(const source *s, int e)
{
    int j = s->a ? s->a->row[e] : M * s->P->aggregate[e / M] + e % M;
    return s->a ? s->place[j] : j + j / SIDE;
}

ZN_INLINE float value_of(const source *s, int i, int e)
{
    if (s->a)
        return (float)(s->scale[i] * s->a->value[e] * s->scale[s->a->row[e]]);
    return (float)(s->P->value[e] * s->coarse_scale[M * s->P->aggregate[e / M] + e % M] / s->scale[i]);
}

// Columns of a row of blocks, from `at` on in `list`: block[] of each, NONE elsewhere. Returns where they end.
static int list_row(const source *s, int row, int at, int *block, int *list)
{
    for (int k = row * STEP; k < row * STEP + SIDE && s->unknown[k] != NONE; k++)
        for (int e = first_of(s, s->unknown[k]); e < end_of(s, s->unknown[k]); e++) {
            int column = place_of(s, e) / STEP;
            if (block[column] != NONE || (s->a && column >= row))
                continue;
            block[column] = at;
            list[at++] = column;
        }
    if (s->a) {
        block[row] = at;
        list[at++] = row;
    }
    return at;
}

static void forget_row(int count, const int *list, int *block)
{
    for (int k = 0; k < count; k++)
        block[list[k]] = NONE;
}

static void fill_row(const source *s, int row, const int *block, zn_blocks *out)
{
    for (int k = row * STEP; k < row * STEP + SIDE && s->unknown[k] != NONE; k++)
        for (int e = first_of(s, s->unknown[k]); e < end_of(s, s->unknown[k]); e++) {
            int place = place_of(s, e), to = block[place / STEP];
            if (to == NONE)
                continue;
            size_t at = (size_t)to * BLOCK + (size_t)(k % STEP * SIDE + place % STEP);
            out->value[at] = value_of(s, s->unknown[k], e);
            if (s->exact)
                out->exact[at] = s->a->value[e];
        }
}

// `columns`: rows of blocks of vectors that it is multiplied with. Scratch: as many, and as many.
static zn_status fill(const source *s, int rows, int columns, int *block, int *list, zn_blocks *out)
{
    out->rows = rows;
    out->start = ZN_NEW(int, rows + 1);
    for (int k = 0; k < columns; k++)
        block[k] = NONE;
    for (int i = 0; out->start && i < rows; i++) {
        int count = list_row(s, i, 0, block, list);
        out->start[i + 1] = out->start[i] + count;
        forget_row(count, list, block);
    }
    if (out->start) {
        out->column = ZN_NEW(int, out->start[rows]);
        out->value = ZN_NEW(float, (size_t)out->start[rows] * BLOCK + 1); // the last load is one too long
    }
    if (out->start && s->exact)
        out->exact = ZN_NEW(double, (size_t)out->start[rows] * BLOCK + 1);
    if (!out->column || !out->value || (s->exact && !out->exact))
        return ZN_ERR_MEMORY;
    for (int i = 0; i < rows; i++) {
        int end = list_row(s, i, out->start[i], block, out->column);
        ZN_ASSERT(end == out->start[i + 1]);
        fill_row(s, i, block, out);
        forget_row(end - out->start[i], out->column + out->start[i], block);
    }
    return ZN_OK;
}

static zn_status create(source s, int n, int rows, int columns, zn_blocks *out)
{
    int *block = ZN_NEW(int, columns), *list = ZN_NEW(int, columns);
    s.unknown = ZN_NEW(int, rows *STEP);
    for (int k = 0; s.unknown && k < rows * STEP; k++)
        s.unknown[k] = NONE;
    for (int i = 0; s.unknown && i < n; i++)
        s.unknown[s.place[i]] = i;
    zn_status status = block && list && s.unknown ? fill(&s, rows, columns, block, list, out) : ZN_ERR_MEMORY;
    free(block);
    free(list);
    free(s.unknown);
    if (status != ZN_OK)
        zn_blocks_destroy(out);
    return status;
}

zn_status zn_blocks_halve(const zn_sparse *a, int rows, const int *place, const double *scale, bool exact,
                          zn_blocks *out)
{
    *out = (zn_blocks){0};
    return create((source){.a = a, .place = place, .scale = scale, .exact = exact}, a->n, rows, rows, out);
}

zn_status zn_blocks_prolong(const zn_amg_rows *P, int n, int rows, const int *place, const double *scale,
                            const double *coarse_scale, zn_blocks *out)
{
    int aggregates = 0;
    for (int k = 0; k < P->start[n]; k++)
        aggregates = P->aggregate[k] >= aggregates ? P->aggregate[k] + 1 : aggregates;
    *out = (zn_blocks){0};
    return create((source){.P = P, .place = place, .scale = scale, .coarse_scale = coarse_scale}, n, rows,
                  aggregates * M / SIDE, out);
}

// --- products ------------------------------------------------------------------------------------

typedef float four __attribute__((vector_size(STEP * sizeof(float)), aligned(sizeof(float)), may_alias));

#define REAL    float
#define FOUR    four
#define NAME(x) x
#include "math/amg_half.h"
#undef REAL
#undef FOUR
#undef NAME

#define REAL    double
#define FOUR    zn_four
#define NAME(x) exact_##x
#include "math/amg_half.h"

ZN_WIDE void zn_blocks_multiply_half(const zn_blocks *half, int first, int end, const float *x, float *y)
{
    multiply_half(half, first, end, half->value, x, y);
}

ZN_WIDE void zn_blocks_multiply_exact(const zn_blocks *half, int first, int end, const double *x, double *y)
{
    exact_multiply_half(half, first, end, half->exact, x, y);
}

ZN_WIDE void zn_blocks_add(const zn_blocks *p, const float *x, float *y)
{
    const int   *column = p->column;
    const float *value = p->value;
    for (int i = 0, e = 0; i < p->rows; i++) {
        three sum = {0};
        for (int end = p->start[i + 1]; e < end; e++, value += BLOCK) {
            three block = load(value);
            accumulate(&block, (const four *)(x + (size_t)column[e] * STEP), &sum);
        }
        four row;
        sum_up(&sum, &row);
        *(four *)(y + (size_t)i * STEP) += row;
    }
}

ZN_WIDE void zn_blocks_add_transposed(const zn_blocks *p, const float *x, float *y)
{
    const int   *column = p->column;
    const float *value = p->value;
    for (int i = 0, e = 0; i < p->rows; i++) {
        four here = *(const four *)(x + (size_t)i * STEP);
        for (int end = p->start[i + 1]; e < end; e++, value += BLOCK) {
            three block = load(value);
            add_transposed(&block, &here, (four *)(y + (size_t)column[e] * STEP));
        }
    }
}
