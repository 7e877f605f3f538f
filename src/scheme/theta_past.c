// Where Newton's method begins. See theta.h.
//
// What the free motion changes of the velocity in a step follows smoothly from step to step, and so does what impulses
// add to it while contacts last. With the last such changes a, b, c, latest first,
//     0,    a,    2 a - b,    3 a - 3 b + c
// foresee the next one with an error of order h, h^2, h^3, h^4, and Newton's method needs an iteration less than from
// the velocity of the last step. Which of them it begins with is that which would have been nearest in the last step:
// just after an impact, or where velocities swing from step to step as those of waves that are not resolved, the first.
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "scheme/theta.h"

enum { PAST = ZN_THETA_PAST };

static zn_status create(zn_theta *w, zn_theta_past *p)
{
    double **change[PAST];
    for (int k = 0; k < PAST; k++)
        change[k] = &p->change[k];
    return zn_arena_vectors(w->memory, PAST, change, (size_t)w->n);
}

// A linear model needs one iteration from anywhere, and a pile has its time in contacts that come and go. Joints that
// are closed by projection are so to rounding, far beyond the tolerance, by the iteration that would be saved.
static bool is_kept(const zn_theta *w)
{
    return !w->linear && !w->motion.blocks && (w->project == ZN_PROJECT_NONE || w->sys->info.joints == 0);
}

zn_status zn_theta_past_create(zn_theta *w)
{
    if (!is_kept(w))
        return ZN_OK;
    ZN_TRY(create(w, &w->past.free));
    return create(w, &w->past.pushed);
}

static bool is_for(const zn_theta_past *p, double h) { return fabs(h - p->h) <= 1e-9 * h; }

bool zn_theta_foresees(const zn_theta *w, const zn_theta_past *p)
{
    return w->step.foresees && p->order > 0 && is_for(p, w->step.h);
}

void zn_theta_foresee(zn_theta *w, const zn_theta_past *p, double *v)
{
    static const double weight[PAST + 1][PAST] = {{0, 0, 0}, {1, 0, 0}, {2, -1, 0}, {3, -3, 1}};
    ZN_ASSERT(p->order > 0 && p->order <= p->known);
    const double *c = weight[p->order];
    w->step.foreseen = true;
    for (int i = 0; i < w->n; i++)
        v[i] += c[0] * p->change[0][i] + c[1] * p->change[1][i] + c[2] * p->change[2][i];
}

// By how much each of them misses a change at most.
static void measure_misses(const zn_theta_past *p, int n, const double *change, double *miss)
{
    const double *a = p->change[0], *b = p->change[1], *c = p->change[2];
    for (int i = 0; i < n; i++) {
        double now = change[i], first = now - a[i], second = first - (a[i] - b[i]);
        double third = second - (a[i] - 2 * b[i] + c[i]);
        miss[0] = zn_larger(miss[0], fabs(now));
        miss[1] = zn_larger(miss[1], fabs(first));
        miss[2] = zn_larger(miss[2], fabs(second));
        miss[3] = zn_larger(miss[3], fabs(third));
    }
}

static void forget(zn_theta_past *p) { p->known = p->order = 0; }

static void remember(zn_theta *w, zn_theta_past *p, const double *to, const double *from)
{
    double miss[PAST + 1] = {0}, *change = w->work;
    if (!is_for(p, w->step.h))
        forget(p);
    for (int i = 0; i < w->n; i++)
        change[i] = to[i] - from[i];
    measure_misses(p, w->n, change, miss);
    zn_system_maxima(w->sys, miss, PAST + 1);
    p->order = 0;
    for (int k = 1; k <= p->known; k++)
        p->order = miss[k] < miss[p->order] ? k : p->order;
    double *oldest = p->change[PAST - 1];
    zn_copy(w->n, change, oldest);
    p->change[2] = p->change[1];
    p->change[1] = p->change[0];
    p->change[0] = oldest;
    p->known = p->known < PAST ? p->known + 1 : PAST;
    p->h = w->step.h;
}

void zn_theta_remember(zn_theta *w)
{
    if (!is_kept(w))
        return;
    remember(w, &w->past.free, w->free.v, w->step.from->v);
    if (zn_theta_touches(w))
        remember(w, &w->past.pushed, w->now.v, w->free.v);
    else
        forget(&w->past.pushed);
}

void zn_theta_past_history(zn_theta *w, zn_blob *blob)
{
    zn_theta_past *past[] = {&w->past.free, &w->past.pushed};
    for (size_t i = 0; i < ZN_COUNT(past) && is_kept(w); i++) {
        zn_blob_int(blob, &past[i]->known, 0, PAST);
        zn_blob_int(blob, &past[i]->order, 0, PAST);
        if (past[i]->order > past[i]->known) // of a damaged file
            forget(past[i]);
        zn_blob_double(blob, &past[i]->h);
        for (int k = 0; k < PAST; k++)
            zn_blob_doubles(blob, past[i]->change[k], w->n);
    }
}
