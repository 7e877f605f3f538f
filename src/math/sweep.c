// Triangular solves in levels. See sweep.h.
#include "math/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/wide.h"

void zn_sweep_destroy(zn_sweep *s)
{
    free(s->row);
    free(s->before);
    *s = (zn_sweep){0};
}

static zn_status allocate(const zn_triangle *t, zn_sweep *s)
{
    size_t n = (size_t)t->n, entries = (size_t)t->start[n] - n;
    s->rows = t->n;
    s->row = ZN_NEW(int, 3 * n + 1 + entries);
    s->before = ZN_NEW(double, 2 * n + entries);
    if (!s->row || !s->before)
        return ZN_ERR_MEMORY;
    s->from = s->row + n;
    s->start = s->from + n;
    s->column = s->start + n + 1;
    s->after = s->before + n;
    s->value = s->after + n;
    return ZN_OK;
}

// Column j in order of elimination, from the first unknown that is found on.
static int column_at(const zn_triangle *t, int j) { return t->upper ? t->n - 1 - j : j; }

// Level of each row; returns their number. level[i] is final when column i comes.
static int find_levels(const zn_triangle *t, int *level)
{
    int count = 0;
    for (int k = 0; k < t->n; k++) {
        int j = column_at(t, k);
        count = level[j] + 1 > count ? level[j] + 1 : count;
        for (int e = t->start[j]; e < t->start[j + 1]; e++)
            if (t->row[e] != j && level[t->row[e]] <= level[j])
                level[t->row[e]] = level[j] + 1;
    }
    return count;
}

// Rows sorted by level, in order of elimination within one: place[i] of row i.
static void sort_rows(const zn_triangle *t, const int *level, int levels, int *first, int *place, zn_sweep *s)
{
    for (int i = 0; i < t->n; i++)
        first[level[i] + 1]++;
    for (int k = 0; k < levels; k++)
        first[k + 1] += first[k];
    for (int k = 0; k < t->n; k++) {
        int i = column_at(t, k);
        place[i] = first[level[i]]++;
        s->row[place[i]] = i;
    }
}

// Entries of the rows in order of elimination, and what they are multiplied with.
static void fill(const zn_triangle *t, const int *place, int *next, const int *from, const double *scale, zn_sweep *s)
{
    for (int e = 0; e < t->start[t->n]; e++)
        s->start[place[t->row[e]] + 1]++;
    for (int k = 0; k < t->n; k++) {
        s->start[k + 1] += s->start[k] - 1; // the diagonal is apart
        next[k] = s->start[k];
    }
    for (int k = 0; k < t->n; k++) {
        int j = column_at(t, k);
        s->from[place[j]] = from ? from[j] : j;
        s->before[place[j]] = scale ? 1 / scale[j] : 1;
        for (int e = t->start[j]; e < t->start[j + 1]; e++) {
            int i = place[t->row[e]];
            if (t->row[e] == j) {
                s->after[i] = 1 / t->value[e];
                continue;
            }
            s->column[next[i]] = j;
            s->value[next[i]++] = t->value[e];
        }
    }
}

zn_status zn_sweep_create(zn_triangle t, const int *from, const double *scale, zn_sweep *out)
{
    size_t    n = (size_t)t.n;
    zn_sweep  s = {0};
    int      *scratch = ZN_NEW(int, 3 * n + 1); // level, place or next entry, first of a level
    zn_status status = scratch ? allocate(&t, &s) : ZN_ERR_MEMORY;
    if (status != ZN_OK) {
        free(scratch);
        zn_sweep_destroy(&s);
        return status;
    }
    int *level = scratch, *place = scratch + n, *first = scratch + 2 * n;
    sort_rows(&t, level, find_levels(&t, level), first, place, &s);
    fill(&t, place, level, from, scale, &s);
    free(scratch);
    *out = s;
    return ZN_OK;
}

// Long rows have two sums, so that one addition need not wait for the other; in short ones the next row is what overlaps.
static bool in_pairs(const zn_sweep *s) { return s->start[s->rows] >= 10 * s->rows; }

void zn_sweep_run(const zn_sweep *s, const double *x, double *y)
{
    bool pairs = in_pairs(s);
    for (int k = 0; k < s->rows; k++) {
        double sum = s->before[k] * x[s->from[k]], other = 0;
        int    e = s->start[k], end = s->start[k + 1];
        for (; pairs && e + 1 < end; e += 2) {
            sum -= s->value[e] * y[s->column[e]];
            other -= s->value[e + 1] * y[s->column[e + 1]];
        }
        for (; e < end; e++)
            sum -= s->value[e] * y[s->column[e]];
        y[s->row[k]] = s->after[k] * (pairs ? sum + other : sum);
    }
}

enum { LANES = ZN_SWEEP_LANES };

// sum -= value y of one column, all lanes.
ZN_INLINE void subtract(const zn_sweep *s, int e, const double *y, double sum[LANES])
{
    const double *known = y + (size_t)s->column[e] * LANES;
    for (int c = 0; c < LANES; c++)
        sum[c] -= s->value[e] * known[c];
}

ZN_WIDE void zn_sweep_run_lanes(const zn_sweep *s, const double *x, size_t step, size_t lane, double *y)
{
    bool pairs = in_pairs(s);
    for (int k = 0; k < s->rows; k++) {
        double sum[LANES], other[LANES] = {0};
        int    e = s->start[k], end = s->start[k + 1];
        for (size_t c = 0; c < LANES; c++)
            sum[c] = s->before[k] * x[(size_t)s->from[k] * step + c * lane];
        for (; pairs && e + 1 < end; e += 2) {
            subtract(s, e, y, sum);
            subtract(s, e + 1, y, other);
        }
        for (; e < end; e++)
            subtract(s, e, y, sum);
        for (int c = 0; c < LANES; c++)
            y[(size_t)s->row[k] * LANES + (size_t)c] = s->after[k] * (pairs ? sum[c] + other[c] : sum[c]);
    }
}
