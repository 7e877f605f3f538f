// Products in stripes. See stripes.h.
#include "math/stripes.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"

void zn_stripes_destroy(zn_stripes *s)
{
    free(s->stripe);
    free(s->shift);
    free(s->value);
    *s = (zn_stripes){0};
}

// Do the entries of row i + 1 lie as those of row i do? Columns are rows.
static bool is_alike(const zn_sparse *a, int i)
{
    ZN_ASSERT(i >= 0 && i + 1 < a->n);
    int  own = a->start[i], next = a->start[i + 1], entries = next - own;
    bool alike = a->start[i + 2] - next == entries;
    for (int k = 0; k < entries && alike; k++)
        alike = a->row[next + k] == a->row[own + k] + 1;
    return alike;
}

static int rows_alike(const zn_sparse *a, int first)
{
    int rows = 1;
    while (first + rows < a->n && is_alike(a, first + rows - 1))
        rows++;
    return rows;
}

zn_status zn_stripes_create(const zn_sparse *a, zn_stripes *out)
{
    ZN_ASSERT(a && out);
    size_t     entries = (size_t)a->start[a->n];
    zn_stripes s = {.stripe = ZN_NEW(zn_stripe, a->n), .shift = ZN_NEW(int, entries), .value = ZN_NEW(double, entries)};
    if (!s.stripe || !s.shift || !s.value) {
        zn_stripes_destroy(&s);
        return ZN_ERR_MEMORY;
    }
    int    *shift = s.shift;
    double *value = s.value;
    for (int i = 0, rows; i < a->n; i += rows) {
        rows = rows_alike(a, i);
        int count = a->start[i + 1] - a->start[i];
        s.stripe[s.count++] = (zn_stripe){i, rows, count, shift, value};
        for (int k = 0; k < count; k++, value += rows) {
            *shift++ = a->row[a->start[i] + k] - i;
            for (int j = 0; j < rows; j++)
                value[j] = a->value[a->start[i + j] + k];
        }
    }
    ZN_ASSERT(value == s.value + entries && shift <= s.shift + entries);
    *out = s;
    return ZN_OK;
}

enum { WIDTH = 4 }; // fours that are worked on side by side

// `fours` fours of rows from row i of the stripe on.
ZN_INLINE void subtract_fours(const zn_stripe *s, int i, int fours, const double *b, const double *x, double *y)
{
    int     at = s->first + i;
    zn_four sum[WIDTH];
    for (int f = 0; f < fours; f++)
        sum[f] = *(const zn_four *)(b + at + 4 * f);
    for (int k = 0; k < s->entries; k++) {
        const double *value = s->value + (size_t)k * (size_t)s->rows + i, *own = x + at + s->shift[k];
        for (int f = 0; f < fours; f++)
            sum[f] -= *(const zn_four *)(value + 4 * f) * *(const zn_four *)(own + 4 * f);
    }
    for (int f = 0; f < fours; f++)
        *(zn_four *)(y + at + 4 * f) = sum[f];
}

ZN_INLINE void subtract_row(const zn_stripe *s, int i, const double *b, const double *x, double *y)
{
    int    at = s->first + i;
    double sum = b[at];
    for (int k = 0; k < s->entries; k++)
        sum -= s->value[(size_t)k * (size_t)s->rows + i] * x[at + s->shift[k]];
    y[at] = sum;
}

ZN_WIDE void zn_stripes_subtract(const zn_stripes *all, const double *b, const double *x, double *y)
{
    ZN_ASSERT(y != b && y != x);
    ZN_ASSERT(all->count == 0 || (b && x && y));
    for (const zn_stripe *s = all->stripe; s < all->stripe + all->count; s++) {
        int i = 0;
        for (; i + 4 * WIDTH <= s->rows; i += 4 * WIDTH)
            subtract_fours(s, i, WIDTH, b, x, y);
        for (; i + 4 <= s->rows; i += 4)
            subtract_fours(s, i, 1, b, x, y);
        if (i < s->rows && s->rows >= 4) { // the last four, some of them again
            subtract_fours(s, s->rows - 4, 1, b, x, y);
            continue;
        }
        for (; i < s->rows; i++)
            subtract_row(s, i, b, x, y);
    }
}
