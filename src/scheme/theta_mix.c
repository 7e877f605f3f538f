// Anderson's acceleration of Newton's iteration with projection. See theta.h.
//
// Normals turn with the configuration at the end of the step. In a hole with the clearance c, which the free motion
// leaves by d, an iterate whose normal is off by a small angle a has its answer moved along that normal, and the next
// normal is off by -a d/c: where d > c the iteration goes apart. Curvature in the matrix mends only what goes through
// the velocity. The directions concerned are few, two for each contact. So from the last iterations, each of which
// leads from x to g and moves the configuration by f, differences F of f and G of g follow, and the next iterate is
//     x = g - G c   with c that minimizes |f - F c| .
// What is solved stays the same: where f is zero, x = g.
//
// Reference: H. F. Walker, P. Ni, SIAM J. Numer. Anal. 49 (2011) 1715-1735.
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/seldom.h"
#include "scheme/theta.h"

enum {
    DEPTH = ZN_THETA_MIX,
    LAST = DEPTH,
    UNTOUCHED = 6
}; // iterations that are left alone: most problems need no more

// --- memory --------------------------------------------------------------------------------------

static zn_status take(zn_arena *memory, size_t n, double *kept[DEPTH + 1])
{
    double **each[DEPTH + 1];
    for (int k = 0; k <= DEPTH; k++)
        each[k] = &kept[k];
    return zn_arena_vectors(memory, DEPTH + 1, each, n);
}

zn_status zn_theta_mix_create(zn_theta *w)
{
    zn_theta_mix *m = &w->mix;
    m->on = w->project != ZN_PROJECT_NONE && !w->frozen;
    if (!m->on)
        return ZN_OK;
    ZN_TRY(take(w->memory, (size_t)w->n, m->f));
    ZN_TRY(take(w->memory, (size_t)w->n, m->v));
    return take(w->memory, (size_t)w->n, m->shift);
}

zn_status zn_theta_mix_reserve(zn_theta *w, int rows, int contacts)
{
    if (!w->mix.on)
        return ZN_OK;
    ZN_TRY(take(w->contact_memory, (size_t)rows, w->mix.P));
    return take(w->contact_memory, (size_t)contacts, w->mix.tau);
}

// --- history -------------------------------------------------------------------------------------

// kept[LAST] = now, and the difference to what it was in kept[k]; k = LAST: there is none before.
static void keep(int n, double *const kept[DEPTH + 1], int k, const double *now)
{
    for (int i = 0; i < n && k != LAST; i++)
        kept[k][i] = now[i] - kept[LAST][i];
    memcpy(kept[LAST], now, sizeof *now * (size_t)n);
}

// Takes the iteration that was just solved, and forgets all before where they had another matrix.
static void remember(zn_theta *w)
{
    zn_theta_mix *m = &w->mix;
    double        scale = w->step.h * w->def.theta;
    if (w->step.iteration == UNTOUCHED || m->bends != w->step.bends)
        m->held = -1; // not even one iteration
    m->bends = w->step.bends;
    int k = m->held < 0 ? LAST : m->next;
    for (int i = 0; i < w->n; i++) // how far the configuration goes
        w->work[i] = scale * (w->goal.v[i] - w->now.v[i]) + w->goal.shift[i] - w->now.shift[i];
    keep(w->n, m->f, k, w->work);
    keep(w->n, m->v, k, w->goal.v);
    keep(w->n, m->shift, k, w->goal.shift);
    keep(w->list.rows, m->P, k, w->goal.P);
    keep(w->contacts->count, m->tau, k, w->goal.tau);
    m->next = k == LAST ? 0 : (m->next + 1) % DEPTH;
    m->held = m->held < DEPTH ? m->held + 1 : DEPTH;
}

// c of the least squares; false where differences are the same.
static bool weigh(const zn_theta *w, double *c)
{
    const zn_theta_mix *m = &w->mix;
    const double        apart = 1e-12; // differences may be parallel
    double              product[DEPTH * DEPTH];
    int                 pivot[DEPTH];
    for (int a = 0; a < m->held; a++) {
        c[a] = zn_system_dot(w->sys, m->f[a], m->f[LAST]);
        for (int b = 0; b < m->held; b++)
            product[a * m->held + b] = zn_system_dot(w->sys, m->f[a], m->f[b]);
        product[a * m->held + a] *= 1 + apart;
    }
    if (zn_dense_lu_factor(m->held, product, pivot) != ZN_OK)
        return false;
    zn_dense_lu_solve(m->held, product, pivot, c);
    return true;
}

static void move(int n, double *const kept[DEPTH + 1], int held, const double *c, double *goal)
{
    for (int k = 0; k < held; k++)
        for (int i = 0; i < n; i++)
            goal[i] -= c[k] * kept[k][i];
}

ZN_APART static bool mix(zn_theta *w)
{
    zn_theta_mix *m = &w->mix;
    double        c[DEPTH];
    remember(w);
    if (m->held == 0 || !weigh(w, c))
        return false;
    move(w->n, m->v, m->held, c, w->goal.v);
    move(w->n, m->shift, m->held, c, w->goal.shift);
    move(w->list.rows, m->P, m->held, c, w->goal.P);
    move(w->contacts->count, m->tau, m->held, c, w->goal.tau);
    return true;
}

bool zn_theta_mix_goal(zn_theta *w)
{
    return w->step.mixes && w->step.iteration >= UNTOUCHED && zn_theta_touches(w) && mix(w);
}
