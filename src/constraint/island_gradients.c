// Conjugate gradients on the closed contacts of an island. See island_gradients.h.
//
//     g = W r + q;   free gradient f = g where r > 0;   chopped gradient c = min(g, 0) where r = 0
//     |c|^2 <= |f|^2:  a step of conjugate gradients; where a contact would pull, up to it, and then r - b f cut at
//     zero,
//                      which opens all that want to at once, b <= 2/|W|
//     else:            along c to the minimum, which closes contacts
#include "constraint/island_gradients.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/anderson.h"

enum { MOST = 3000 };

typedef struct work {
    const zn_sweeps *w;
    zn_sweep_island *island;
    int              n;
    double          *r, *g, *p, *Wp;
    const double    *q;
    double           step; // b
} work;

// The free gradient where the island is now.
static double free_part(const work *k, int i) { return k->r[i] > 0 ? k->g[i] : 0; }

static double chopped_part(const work *k, int i) { return !(k->r[i] > 0) && k->g[i] < 0 ? k->g[i] : 0; }

// g = W r + q, anew.
static void find_gradient(work *k)
{
    zn_sweeps_multiply(k->w, k->island, k->r, k->g);
    for (int i = 0; i < k->n; i++)
        k->g[i] += k->q[i];
}

static void begin_direction(work *k)
{
    for (int i = 0; i < k->n; i++)
        k->p[i] = free_part(k, i);
}

static void step_along(work *k, double length)
{
    for (int i = 0; i < k->n; i++) {
        k->r[i] -= length * k->p[i];
        k->g[i] -= length * k->Wp[i];
    }
}

// Contacts that want to open do so at once; those that the step brought to zero are there.
static void expand(work *k, double length)
{
    step_along(k, length);
    for (int i = 0; i < k->n; i++) {
        double next = k->r[i] > 0 ? k->r[i] - k->step * k->g[i] : 0;
        k->r[i] = next > 0 ? next : 0;
    }
    find_gradient(k);
    begin_direction(k);
}

static void conjugate(work *k, double top, double curvature)
{
    double longest = INFINITY, length = top / curvature, product = 0;
    for (int i = 0; i < k->n; i++)
        if (k->p[i] > 0 && k->r[i] < longest * k->p[i])
            longest = k->r[i] / k->p[i];
    if (!(length <= longest)) {
        expand(k, longest);
        return;
    }
    step_along(k, length);
    for (int i = 0; i < k->n; i++)
        product += free_part(k, i) * k->Wp[i];
    for (int i = 0; i < k->n; i++)
        k->p[i] = k->r[i] > 0 ? k->g[i] - product / curvature * k->p[i] : 0;
}

// p.g and p.W p
static void measure(work *k, double *top, double *curvature)
{
    zn_sweeps_multiply(k->w, k->island, k->p, k->Wp);
    *top = *curvature = 0;
    for (int i = 0; i < k->n; i++) {
        *top += k->p[i] * k->g[i];
        *curvature += k->p[i] * k->Wp[i];
    }
}

// Squares of both gradients, and the largest violation of the law.
static double judge(const work *k, double *free, double *chopped)
{
    double worst = 0;
    *free = *chopped = 0;
    for (int i = 0; i < k->n; i++) {
        double f = free_part(k, i), c = chopped_part(k, i), violation = fabs(k->r[i] < k->g[i] ? k->r[i] : k->g[i]);
        *free += f * f;
        *chopped += c * c;
        worst = violation > worst ? violation : worst;
    }
    return worst;
}

// One iteration. False: there is no way on.
static bool go_on(work *k, double free, double chopped)
{
    double top, curvature;
    bool   closes = chopped > free;
    if (closes)
        for (int i = 0; i < k->n; i++)
            k->p[i] = chopped_part(k, i);
    measure(k, &top, &curvature);
    if (!(curvature > 0) || !isfinite(top))
        return false;
    if (!closes) {
        conjugate(k, top, curvature);
        return true;
    }
    step_along(k, top / curvature);
    begin_direction(k);
    return true;
}

// About: impulses that all push are near its vector, and half of it would do.
static double largest_eigenvalue(work *k)
{
    double value = 1;
    for (int i = 0; i < k->n; i++)
        k->p[i] = 1;
    for (int round = 0; round < 3; round++) {
        double square = 0, size = 0;
        zn_sweeps_multiply(k->w, k->island, k->p, k->Wp);
        for (int i = 0; i < k->n; i++) {
            square += k->p[i] * k->p[i];
            size += k->Wp[i] * k->Wp[i];
        }
        value = sqrt(size / square);
        for (int i = 0; i < k->n; i++)
            k->p[i] = k->Wp[i] / value;
    }
    return value > 1 ? value : 1; // the diagonal is 1
}

// Beside Newton's method on the set of closed contacts (island_newton.h), whose factors are small for few of them, and
// which does not mind how small the tolerance is.
bool zn_island_gradients_suit(const zn_sweeps *w, const zn_sweep_island *island)
{
    const double loose = 1e-6;
    return zn_sweeps_are_smooth(w, island) &&
           (w->tolerance >= loose ? island->units <= 10000 : island->units > 5000); // measured: bench_facets
}

void zn_island_gradients_solve(const zn_sweeps *w, zn_sweep_island *island)
{
    enum { AFRESH = 50 }; // iterations until g is found anew, from which its recurrence strays
    ZN_ASSERT(zn_sweeps_are_smooth(w, island));
    int     n = island->rows;
    double *memory = w->history + (size_t)ZN_ANDERSON_VECTORS * (size_t)island->first;
    work k = {w, island, n, w->r + island->first, memory, memory + n, memory + 2 * (size_t)n, w->q + island->first, 0};
    double data = 0, free, chopped;
    for (int i = 0; i < n; i++)
        data = fmax(data, fabs(k.q[i]));
    k.step = 1 / largest_eigenvalue(&k);
    find_gradient(&k);
    begin_direction(&k);
    for (int since = 0, last = island->iterations + MOST; island->iterations < last; since++, island->iterations++) {
        if (judge(&k, &free, &chopped) <= w->tolerance * data) {
            island->residual = zn_sweeps_judge(w, island);
            if (island->residual <= w->tolerance) {
                island->status = ZN_OK;
                return;
            }
            since = AFRESH;
        }
        if (since >= AFRESH) {
            find_gradient(&k);
            begin_direction(&k);
            judge(&k, &free, &chopped);
            since = 0;
        }
        if (!go_on(&k, free, chopped))
            return;
    }
}
