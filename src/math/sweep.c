// Triangular solves in levels. See sweep.h.
#include "math/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"

void zn_sweep_destroy(zn_sweep *s)
{
    free(s->row);
    free(s->before);
    free(s->segment);
    *s = (zn_sweep){0};
}

static zn_status allocate(const zn_triangle *t, zn_sweep *s)
{
    size_t n = (size_t)t->n, entries = (size_t)t->start[n] - n;
    s->rows = t->n;
    s->pairs = entries >= 10 * n; // in short rows the next row is what overlaps
    s->row = ZN_NEW(int, 3 * n + 1 + entries);
    s->before = ZN_NEW(double, 2 * n + entries);
    s->segment = ZN_NEW(zn_sweep_segment, n);
    if (!s->row || !s->before || !s->segment)
        return ZN_ERR_MEMORY;
    s->from = s->row + n;
    s->start = s->from + n;
    s->column = s->start + n + 1;
    s->after = s->before + n;
    s->value = s->after + n;
    return ZN_OK;
}

// --- order ---------------------------------------------------------------------------------------

typedef struct sweep_row {
    int level, entries, turn; // turn: in order of elimination
} sweep_row;

// Column j in order of elimination, from the first unknown that is found on.
static int column_at(const zn_triangle *t, int j) { return t->upper ? t->n - 1 - j : j; }

// Level of each row of a lower triangle: as early as may be, after all it depends on.
static void find_early(const zn_triangle *t, sweep_row *list)
{
    for (int j = 0; j < t->n; j++)
        for (int e = t->start[j]; e < t->start[j + 1]; e++) {
            sweep_row *row = &list[t->row[e]];
            if (t->row[e] != j && row->level <= list[j].level)
                row->level = list[j].level + 1;
        }
}

// Of an upper one: as late as may be, before all that depends on it (negative numbers, the last level is 0). In the
// tree of an elimination these are the levels of the lower triangle backwards: they are wide where it has many leaves.
static void find_late(const zn_triangle *t, sweep_row *list)
{
    for (int j = 0; j < t->n; j++)
        for (int e = t->start[j]; e < t->start[j + 1]; e++)
            if (t->row[e] != j && list[j].level >= list[t->row[e]].level)
                list[j].level = list[t->row[e]].level - 1;
}

static void find_levels(const zn_triangle *t, sweep_row *list)
{
    for (int k = 0; k < t->n; k++)
        list[column_at(t, k)].turn = k;
    for (int j = 0; j < t->n; j++)
        for (int e = t->start[j]; e < t->start[j + 1]; e++)
            list[t->row[e]].entries += t->row[e] != j;
    if (t->upper)
        find_late(t, list);
    else
        find_early(t, list);
}

static int compare(const void *a, const void *b)
{
    const sweep_row *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->entries != y->entries)
        return x->entries < y->entries ? -1 : 1;
    return x->turn < y->turn ? -1 : 1;
}

static void put(const zn_triangle *t, const sweep_row *list, int count, bool fours, int *placed, zn_sweep *s)
{
    ZN_ASSERT(count >= 0 && *placed + count <= t->n);
    zn_sweep_segment *last = s->segments > 0 ? &s->segment[s->segments - 1] : NULL;
    if (count == 0)
        return;
    if (!last || last->fours != fours) {
        last = &s->segment[s->segments++];
        *last = (zn_sweep_segment){*placed, *placed, fours};
    }
    for (int i = 0; i < count; i++)
        s->row[(*placed)++] = column_at(t, list[i].turn);
    last->end = *placed;
}

// Rows by level; in a level first those with as many entries as three others, in fours.
static void sort_rows(const zn_triangle *t, sweep_row *list, zn_sweep *s)
{
    int placed = 0;
    qsort(list, (size_t)t->n, sizeof *list, compare);
    for (int first = 0, end; first < t->n; first = end) {
        for (end = first; end < t->n && list[end].level == list[first].level; end++)
            ;
        for (int pass = 0; pass < 2; pass++)
            for (int i = first, same; i < end; i = same) {
                for (same = i; same < end && list[same].entries == list[i].entries; same++)
                    ;
                int whole = s->pairs ? 0 : (same - i) / 4 * 4;
                if (pass == 0)
                    put(t, list + i, whole, true, &placed, s);
                else
                    put(t, list + i + whole, same - i - whole, false, &placed, s);
            }
    }
    ZN_ASSERT(placed == t->n);
}

// --- entries -------------------------------------------------------------------------------------

// Entries in order of elimination, and what they are multiplied with; those of fours side by side.
static void fill(const zn_triangle *t, const int *place, const bool *in_four, int *next, const int *from,
                 const double *scale, zn_sweep *s)
{
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
            s->column[next[i]] = place[j];
            s->value[next[i]] = t->value[e];
            next[i] += in_four[i] ? 4 : 1;
        }
    }
}

// Where rows and the first entries of each are.
static void find_places(const zn_triangle *t, int *place, bool *in_four, int *next, zn_sweep *s)
{
    for (int k = 0; k < t->n; k++)
        place[s->row[k]] = k;
    for (int e = 0; e < t->start[t->n]; e++)
        s->start[place[t->row[e]] + 1]++;
    for (int k = 0; k < t->n; k++) {
        s->start[k + 1] += s->start[k] - 1; // the diagonal is apart
        next[k] = s->start[k];
    }
    for (const zn_sweep_segment *g = s->segment; g < s->segment + s->segments; g++)
        for (int k = g->first; k < g->end && g->fours; k++) {
            in_four[k] = true;
            next[k] = s->start[g->first + (k - g->first) / 4 * 4] + (k - g->first) % 4;
        }
}

// Each column has its diagonal and nothing on the other side of it (for assertions).
static bool is_triangle(const zn_triangle *t)
{
    for (int j = 0; j < t->n; j++) {
        bool diagonal = false;
        for (int e = t->start[j]; e < t->start[j + 1]; e++) {
            if (t->row[e] < 0 || t->row[e] >= t->n || (t->upper ? t->row[e] > j : t->row[e] < j))
                return false;
            diagonal |= t->row[e] == j;
        }
        if (!diagonal)
            return false;
    }
    return true;
}

zn_status zn_sweep_create(zn_triangle t, const int *from, const double *scale, zn_sweep *out)
{
    ZN_ASSERT(out && t.n >= 0);
    ZN_ASSERT(is_triangle(&t));
    size_t     n = (size_t)t.n;
    zn_sweep   s = {0};
    sweep_row *list = ZN_NEW(sweep_row, n);
    int       *place = ZN_NEW(int, 2 * n);
    bool      *in_four = ZN_NEW(bool, n);
    zn_status  status = list && place && in_four ? allocate(&t, &s) : ZN_ERR_MEMORY;
    if (status == ZN_OK) {
        find_levels(&t, list);
        sort_rows(&t, list, &s);
        find_places(&t, place, in_four, place + n, &s);
        fill(&t, place, in_four, place + n, from, scale, &s);
        *out = s;
    } else
        zn_sweep_destroy(&s);
    free(list);
    free(place);
    free(in_four);
    return status;
}

// --- one right-hand side ---------------------------------------------------------------------------

// Rows one after the other; pairs: a constant.
ZN_INLINE void solve_rows(const zn_sweep *s, int first, int end_row, bool pairs, const double *x, double *y)
{
    const int    *column = s->column;
    const double *value = s->value;
    for (int k = first; k < end_row; k++) {
        double sum = s->before[k] * x[s->from[k]], other = 0;
        int    e = s->start[k], end = s->start[k + 1];
        for (; pairs && e + 1 < end; e += 2) {
            sum -= value[e] * y[column[e]];
            other -= value[e + 1] * y[column[e + 1]];
        }
        for (; e < end; e++)
            sum -= value[e] * y[column[e]];
        y[k] = s->after[k] * (pairs ? sum + other : sum);
    }
}

#define FOUR(vector, index)                                                                                            \
    ((zn_four){(vector)[(index)[0]], (vector)[(index)[1]], (vector)[(index)[2]], (vector)[(index)[3]]})

ZN_INLINE void solve_fours(const zn_sweep *s, int first, int end_row, const double *x, double *y)
{
    ZN_ASSERT((end_row - first) % 4 == 0);
    const int    *column = s->column;
    const double *value = s->value;
    for (int k = first; k < end_row; k += 4) {
        const int *from = s->from + k;
        zn_four    sum = *(const zn_four *)(s->before + k) * FOUR(x, from);
        for (int e = s->start[k], end = s->start[k + 4]; e < end; e += 4)
            sum -= *(const zn_four *)(value + e) * FOUR(y, column + e);
        *(zn_four *)(y + k) = *(const zn_four *)(s->after + k) * sum;
    }
}

ZN_WIDE void zn_sweep_run(const zn_sweep *s, const double *x, double *y)
{
    ZN_ASSERT(s->rows == 0 || (x && y && x != y));
    if (s->pairs) {
        solve_rows(s, 0, s->rows, true, x, y);
        return;
    }
    for (const zn_sweep_segment *g = s->segment, *end = g + s->segments; g < end; g++)
        if (g->fours)
            solve_fours(s, g->first, g->end, x, y);
        else
            solve_rows(s, g->first, g->end, false, x, y);
}

// --- several right-hand sides ----------------------------------------------------------------------

enum { LANES = ZN_SWEEP_LANES };

// sum -= value y of one entry, all lanes.
ZN_INLINE void subtract(const zn_sweep *s, int e, const double *y, double sum[LANES])
{
    const double *known = y + (size_t)s->column[e] * LANES;
    for (int c = 0; c < LANES; c++)
        sum[c] -= s->value[e] * known[c];
}

// Row k, its entries from `first` to before `end`, `stride` apart.
ZN_INLINE void solve_lanes(const zn_sweep *s, int k, int first, int end, int stride, double sum[LANES], double *y)
{
    double other[LANES] = {0};
    int    e = first;
    for (; s->pairs && e + 1 < end; e += 2) {
        subtract(s, e, y, sum);
        subtract(s, e + 1, y, other);
    }
    for (; e < end; e += stride)
        subtract(s, e, y, sum);
    for (int c = 0; c < LANES; c++)
        y[(size_t)k * LANES + (size_t)c] = s->after[k] * (s->pairs ? sum[c] + other[c] : sum[c]);
}

ZN_WIDE void zn_sweep_run_lanes(const zn_sweep *s, const double *x, size_t step, size_t lane, double *y)
{
    ZN_ASSERT(s->rows == 0 || (x && y && x != y));
    for (const zn_sweep_segment *g = s->segment; g < s->segment + s->segments; g++)
        for (int k = g->first; k < g->end; k++) {
            double sum[LANES];
            for (size_t c = 0; c < LANES; c++)
                sum[c] = s->before[k] * x[(size_t)s->from[k] * step + c * lane];
            int four = g->first + (k - g->first) / 4 * 4;
            if (g->fours)
                solve_lanes(s, k, s->start[four] + k - four, s->start[four + 4], 4, sum, y);
            else
                solve_lanes(s, k, s->start[k], s->start[k + 1], 1, sum, y);
        }
}
