// A cycle of multigrid in single precision. See amg_cycle.h.
#include "math/amg_cycle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"

enum { DEGREE = 3, STEP = ZN_BLOCK_STEP };

// --- levels --------------------------------------------------------------------------------------

static void release_level(zn_cycle_level *l)
{
    zn_blocks_destroy(&l->a);
    zn_blocks_destroy(&l->P);
    free(l->place);
    free(l->scale);
    free(l->owned);
    free(l->x);
    free(l->b);
    free(l->r);
    free(l->d);
    free(l->y);
    *l = (zn_cycle_level){0};
}

void zn_cycle_release(zn_cycle *c)
{
    for (int i = 0; i < c->levels; i++)
        release_level(&c->level[i]);
    free(c->exact_x);
    free(c->exact_y);
    free(c->last_b);
    free(c->last_x);
    *c = (zn_cycle){.others = c->others};
}

static zn_status own_places(zn_cycle_level *l, const bool *owned)
{
    l->owned = ZN_NEW(bool, l->rows *STEP);
    for (int i = 0; l->owned && i < l->n; i++)
        l->owned[l->place[i]] = owned[i];
    return l->owned ? ZN_OK : ZN_ERR_MEMORY;
}

static zn_status make_vectors(zn_cycle_level *l, bool smoothed)
{
    int room = l->rows * STEP, more = smoothed ? room : 0;
    l->x = ZN_NEW(float, room);
    l->b = ZN_NEW(float, room);
    l->r = ZN_NEW(float, more);
    l->d = ZN_NEW(float, more);
    l->y = ZN_NEW(float, more);
    return l->x && l->b && l->r && l->d && l->y ? ZN_OK : ZN_ERR_MEMORY;
}

static int rows_ahead(const zn_cycle_level *l, const zn_cycle_source *from)
{
    int last = -1;
    for (int i = 0; i < l->n; i++)
        if (from->node[i] < from->near && l->place[i] / STEP > last)
            last = l->place[i] / STEP;
    return last + 1;
}

zn_status zn_cycle_add_level(zn_cycle *c, const zn_cycle_source *from)
{
    ZN_ASSERT(c->levels < ZN_AMG_LEVELS);
    zn_cycle_level *l = &c->level[c->levels++];
    int             n = from->a->n;
    *l = (zn_cycle_level){.n = n, .place = ZN_NEW(int, n), .scale = ZN_NEW(double, n)};
    if (!l->place || !l->scale)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        l->scale[i] = sqrt(from->inverse[i]);
    ZN_TRY(zn_blocks_place(n, from->nodes, from->node, l->place, &l->rows));
    l->ahead = rows_ahead(l, from);
    if (from->owned)
        ZN_TRY(own_places(l, from->owned));
    ZN_TRY(make_vectors(l, from->smoothed));
    bool first = c->levels == 1;
    if (first) {
        c->exact_x = ZN_NEW(double, (size_t)l->rows *STEP);
        c->exact_y = ZN_NEW(double, (size_t)l->rows *STEP);
        if (!c->exact_x || !c->exact_y)
            return ZN_ERR_MEMORY;
    }
    return from->smoothed ? zn_blocks_halve(from->a, l->rows, l->place, l->scale, first, &l->a) : ZN_OK;
}

zn_status zn_cycle_link(zn_cycle *c, const zn_amg_rows *P)
{
    ZN_ASSERT(c->levels >= 2);
    zn_cycle_level *l = &c->level[c->levels - 2];
    return zn_blocks_prolong(P, l->n, l->rows, l->place, l->scale, l[1].scale, &l->P);
}

zn_status zn_cycle_finish(zn_cycle *c, zn_status (*solve)(void *user, const double *b, double *x), void *user)
{
    int n = solve ? c->level[c->levels - 1].n : 0;
    c->solve_last = solve;
    c->last_user = user;
    c->last_b = ZN_NEW(double, n);
    c->last_x = ZN_NEW(double, n);
    return c->last_b && c->last_x ? ZN_OK : ZN_ERR_MEMORY;
}

// --- measures ------------------------------------------------------------------------------------

static void add(const zn_cycle *c, double *sums, int count)
{
    if (c->others.add)
        c->others.add(c->others.user, sums, count);
}

static void begin_sum(const zn_cycle *c, const zn_cycle_level *l, zn_cycle_vector v)
{
    if (c->others.begin)
        c->others.begin(c->others.user, (int)(l - c->level), v);
}

static void end_sum(const zn_cycle *c, const zn_cycle_level *l, zn_cycle_vector v)
{
    if (c->others.end)
        c->others.end(c->others.user, (int)(l - c->level), v);
}

// The rest is multiplied while messages are under way.
static void multiply(const zn_cycle *c, const zn_cycle_level *l, const float *x, float *y)
{
    zn_cycle_vector all = {.place = l->place, .x = y};
    zn_blocks_multiply_half(&l->a, 0, l->ahead, x, y);
    begin_sum(c, l, all);
    zn_blocks_multiply_half(&l->a, l->ahead, l->rows, x, y);
    end_sum(c, l, all);
}

// A number in [-1/2, 1/2) without a pattern, the same for all copies of an unknown.
static double scattered(int number)
{
    unsigned h = (unsigned)number * 2654435761u + 12345u;
    h = (h ^ (h >> 15)) * 2246822519u;
    h = (h ^ (h >> 13)) * 3266489917u;
    return (double)((h ^ (h >> 16)) >> 8) / (1 << 24) - 0.5;
}

static double length(const zn_cycle *c, const zn_cycle_level *l, const float *x)
{
    double sum = 0;
    for (int i = 0; i < l->n; i++)
        if (!l->owned || l->owned[l->place[i]])
            sum += (double)x[l->place[i]] * x[l->place[i]];
    add(c, &sum, 1);
    return sqrt(sum);
}

// The square mean of S, by which the first level measures residuals.
static double mean_scale(const zn_cycle *c, const zn_cycle_level *l)
{
    double sums[2] = {0};
    for (int i = 0; i < l->n; i++)
        if (!l->owned || l->owned[l->place[i]]) {
            sums[0] += l->scale[i] * l->scale[i];
            sums[1]++;
        }
    add(c, sums, 2);
    return sqrt(sums[0] / fmax(sums[1], 1));
}

// The power method, and a little more.
void zn_cycle_measure(zn_cycle *c, const int *number)
{
    enum { STEPS = 15 };
    const double    more = 1.15;
    zn_cycle_level *l = &c->level[c->levels - 1];
    for (int i = 0; i < l->n; i++)
        l->d[l->place[i]] = (float)scattered(number ? number[i] : i);
    double value = length(c, l, l->d);
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < l->n; i++)
            l->x[l->place[i]] = (float)(l->d[l->place[i]] / value);
        multiply(c, l, l->x, l->d);
        value = length(c, l, l->d);
    }
    l->largest = more * value;
    if (c->levels == 1)
        c->unit = mean_scale(c, l);
}

// --- smoothing -----------------------------------------------------------------------------------

// d = keep d + add r, x += d
ZN_WIDE static void step(int n, float keep, float add_r, const float *r, float *d, float *x)
{
    for (int i = 0; i < n; i++) {
        d[i] = keep * d[i] + add_r * r[i];
        x[i] += d[i];
    }
}

ZN_WIDE static void subtract(int n, const float *y, float *r)
{
    for (int i = 0; i < n; i++)
        r[i] -= y[i];
}

// The same after r -= y.
ZN_WIDE static void subtract_and_step(int n, float keep, float add_r, const float *y, float *r, float *d, float *x)
{
    for (int i = 0; i < n; i++) {
        r[i] -= y[i];
        d[i] = keep * d[i] + add_r * r[i];
        x[i] += d[i];
    }
}

// Chebyshev's polynomial: x += what it makes of the residual in l->r, which is only kept up to date where `kept`.
static void smooth(const zn_cycle *c, zn_cycle_level *l, bool kept)
{
    double high = l->largest, low = high / 10, middle = (high + low) / 2, half = (high - low) / 2;
    double sigma = middle / half, rho = 1 / sigma;
    int    n = l->rows * STEP;
    memset(l->d, 0, sizeof *l->d * (size_t)n);
    step(n, 0, (float)(1 / middle), l->r, l->d, l->x);
    for (int k = 1; k < DEGREE; k++) {
        double next = 1 / (2 * sigma - rho);
        multiply(c, l, l->d, l->y);
        subtract_and_step(n, (float)(next * rho), (float)(2 * next / half), l->y, l->r, l->d, l->x);
        rho = next;
    }
    if (kept) {
        multiply(c, l, l->d, l->y);
        subtract(n, l->y, l->r);
    }
}

// --- cycle ---------------------------------------------------------------------------------------

static zn_status solve_last(zn_cycle *c, const zn_cycle_level *l)
{
    for (int i = 0; i < l->n; i++)
        c->last_b[i] = l->b[l->place[i]] / l->scale[i];
    ZN_TRY(c->solve_last(c->last_user, c->last_b, c->last_x));
    for (int i = 0; i < l->n; i++)
        l->x[l->place[i]] = (float)(c->last_x[i] / l->scale[i]);
    return ZN_OK;
}

// b of the next level, each unknown once, by its owner.
static void restrict_residual(zn_cycle *c, zn_cycle_level *l, zn_cycle_level *next)
{
    for (int i = 0; l->owned && i < l->rows * STEP; i++)
        l->r[i] = l->owned[i] ? l->r[i] : 0;
    memset(next->b, 0, sizeof *next->b * (size_t)(next->rows * STEP));
    zn_blocks_add_transposed(&l->P, l->r, next->b);
    zn_cycle_vector all = {.place = next->place, .x = next->b};
    begin_sum(c, next, all);
    end_sum(c, next, all);
}

// x of what a cycle from level k on makes of b.
static zn_status cycle(zn_cycle *c, int k)
{
    zn_cycle_level *l = &c->level[k];
    size_t          bytes = sizeof *l->x * (size_t)(l->rows * STEP);
    bool            last = k + 1 == c->levels;
    if (last && c->solve_last)
        return solve_last(c, l);
    memset(l->x, 0, bytes);
    memcpy(l->r, l->b, bytes);
    smooth(c, l, !last);
    if (last)
        return ZN_OK;
    restrict_residual(c, l, l + 1);
    ZN_TRY(cycle(c, k + 1));
    zn_blocks_add(&l->P, l[1].x, l->x);
    multiply(c, l, l->x, l->y);
    memcpy(l->r, l->b, bytes);
    subtract(l->rows * STEP, l->y, l->r);
    smooth(c, l, false);
    return ZN_OK;
}

zn_status zn_cycle_run(zn_cycle *c, double size, const double *r, double *z)
{
    zn_cycle_level *l = &c->level[0];
    if (c->levels == 1 && c->solve_last)
        return c->solve_last(c->last_user, r, z);
    double unit = c->unit * size;
    for (int i = 0; i < l->n; i++)
        l->b[l->place[i]] = (float)(l->scale[i] * r[i] / unit);
    ZN_TRY(cycle(c, 0));
    for (int i = 0; i < l->n; i++)
        z[i] = l->scale[i] * l->x[l->place[i]] * unit;
    return ZN_OK;
}

void zn_cycle_multiply(zn_cycle *c, const double *x, double *y)
{
    const zn_cycle_level *l = &c->level[0];
    for (int i = 0; i < l->n; i++)
        c->exact_x[l->place[i]] = x[i];
    zn_cycle_vector all = {.place = l->place, .exact = c->exact_y};
    zn_blocks_multiply_exact(&l->a, 0, l->ahead, c->exact_x, c->exact_y);
    begin_sum(c, l, all);
    zn_blocks_multiply_exact(&l->a, l->ahead, l->rows, c->exact_x, c->exact_y);
    end_sum(c, l, all);
    for (int i = 0; i < l->n; i++)
        y[i] = c->exact_y[l->place[i]];
}
