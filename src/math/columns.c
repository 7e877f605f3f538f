// Columns in pieces. See columns.h.
#include "math/columns.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"

enum { GAP = 16 }; // as many zeros begin another piece

void zn_columns_destroy(zn_columns *c)
{
    free(c->piece);
    free(c->value);
    *c = (zn_columns){0};
}

void zn_columns_clear(zn_columns *c) { c->pieces = c->values = 0; }

zn_status zn_columns_keep(zn_columns *c, int column, int n, const double *x)
{
    ZN_ASSERT(c && column >= 0 && n >= 0);
    ZN_ASSERT(x || n == 0);
    for (int i = 0, last; i < n; i = last + 1) {
        for (; i < n && x[i] == 0; i++)
            ;
        last = i;
        for (int k = i; k < n && k - last <= GAP; k++)
            last = x[k] != 0 ? k : last;
        int count = i < n ? last + 1 - i : 0;
        if (count == 0)
            break;
        ZN_TRY(zn_grow(&c->piece, &c->piece_room, c->pieces + 1, sizeof *c->piece));
        ZN_TRY(zn_grow(&c->value, &c->value_room, c->values + count, sizeof *c->value));
        c->piece[c->pieces++] = (zn_column_piece){column, i, count, (size_t)c->values};
        memcpy(c->value + c->values, x + i, sizeof *x * (size_t)count);
        c->values += count;
    }
    return ZN_OK;
}

static int compare(const void *a, const void *b)
{
    const zn_column_piece *x = a, *y = b;
    const int              by[] = {x->first - y->first, x->count - y->count, x->column - y->column};
    return by[0] != 0 ? by[0] : by[1] != 0 ? by[1] : by[2];
}

// Pieces of the same rows as neighbours.
void zn_columns_sort(zn_columns *c)
{
    if (c->pieces > 0)
        qsort(c->piece, (size_t)c->pieces, sizeof *c->piece, compare);
}

// Four pieces of the same rows, or one.
ZN_INLINE void add_pieces(const zn_columns *c, const zn_column_piece *p, bool four, const double *factor,
                          double *restrict out)
{
    ZN_ASSERT(!four || (p[1].count == p->count && p[2].count == p->count));
    const double *c0 = c->value + p[0].place, *c1 = four ? c->value + p[1].place : c0;
    const double *c2 = four ? c->value + p[2].place : c0, *c3 = four ? c->value + p[3].place : c0;
    double        f0 = factor[p[0].column], f1 = four ? factor[p[1].column] : 0, f2 = four ? factor[p[2].column] : 0;
    double        f3 = four ? factor[p[3].column] : 0;
    for (int i = 0, n = p->count; i < n; i++)
        out[i] += four ? (f0 * c0[i] + f1 * c1[i]) + (f2 * c2[i] + f3 * c3[i]) : f0 * c0[i];
}

ZN_WIDE void zn_columns_add(const zn_columns *c, const double *factor, double *out)
{
    ZN_ASSERT(c->pieces == 0 || (factor && out));
    const zn_column_piece *p = c->piece, *end = p + c->pieces;
    while (p < end) {
        bool four = end - p >= 4 && p[3].first == p->first && p[3].count == p->count;
        if (four)
            add_pieces(c, p, true, factor, out + p->first);
        else
            add_pieces(c, p, false, factor, out + p->first);
        p += four ? 4 : 1;
    }
}
