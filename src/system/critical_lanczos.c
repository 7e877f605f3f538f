// The highest frequency by Lanczos' method. See critical_lanczos.h.
//
//     y = K v_j,  a_j = v_j.y,  w = M^-1 y - a_j v_j - b_j v_j-1,  b_j+1 = |w|,  v_j+1 = w / b_j+1     |x|^2 = x.M x
// The tridiagonal matrix of a and b has the values sought. K v is a difference of internal forces at q +- s v.
#include "system/critical_lanczos.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"
#include "system/critical.h"
#include "system/forces.h"
#include "system/lumped.h"
#include "system/system.h"

enum { STEPS = 60, LOOKS = 10 };   // products; between two looks whether it is worth going on
static const double doubt = 1e-12; // probability that the bound is none
static const double gain = 1.05;   // what it must be worth
static const double strain = 1e-6; // of an element, about: the size of differences

struct zn_lanczos {
    const zn_system *sys;
    zn_lumped_mass   mass;
    double          *v, *before, *zero, *q, *force[2], *rest; // n_all, q: nq
    double           largest;                                 // |v_i|
    double          *memory;
    double           a[STEPS], b[STEPS + 1];
};

zn_lanczos *zn_lanczos_destroy(zn_lanczos *l)
{
    if (!l)
        return NULL;
    zn_lumped_mass_destroy(&l->mass);
    free(l->memory);
    free(l->q);
    free(l);
    return NULL;
}

zn_status zn_lanczos_create(const zn_system *sys, zn_lanczos **out)
{
    ZN_ASSERT(sys && out);
    *out = NULL;
    if (sys->halo || sys->info.n == 0)
        return ZN_OK;
    size_t      n = (size_t)sys->info.n_all;
    zn_lanczos *l = ZN_NEW(zn_lanczos, 1);
    if (!l)
        return ZN_ERR_MEMORY;
    l->sys = sys;
    l->q = ZN_NEW(double, sys->info.nq);
    double **vector[] = {&l->v, &l->before, &l->zero, &l->force[0], &l->force[1], &l->rest};
    l->memory = zn_new_vectors(ZN_COUNT(vector), vector, n);
    zn_status status = l->q && l->memory ? zn_lumped_mass_create(sys, "critical step", &l->mass) : ZN_ERR_MEMORY;
    if (status != ZN_OK || l->mass.triads > 0)
        l = zn_lanczos_destroy(l);
    *out = l;
    return status;
}

// --- the start -----------------------------------------------------------------------------------

// Uniform between -1 and 1, always the same ones.
static double next_uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15U; // splitmix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

// Normally distributed (Marsaglia's polar method).
static double next_normal(uint64_t *state)
{
    for (;;) {
        double x = next_uniform(state), y = next_uniform(state), square = x * x + y * y;
        if (square > 0 && square < 1)
            return x * sqrt(-2 * zn_ln(square) / square);
    }
}

// v /= size; the largest of it
static double shorten(int n, double size, double *restrict v)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        v[i] /= size;
        double own = fabs(v[i]);
        largest = own > largest ? own : largest;
    }
    return largest;
}

// A direction as likely as any other where M is the unit matrix.
static void begin(zn_lanczos *l)
{
    uint64_t state = 1;
    memset(l->v, 0, sizeof *l->v * (size_t)l->sys->info.n_all);
    for (int i = 0; i < l->sys->info.n; i++)
        l->v[i] = next_normal(&state) * sqrt(l->mass.inverse[i]);
    double size = sqrt(zn_lumped_mass_square(&l->mass, l->v));
    l->largest = shorten(l->sys->info.n, size, l->v);
    memset(l->before, 0, sizeof *l->before * (size_t)l->sys->info.n_all);
    l->b[0] = 0;
}

// --- steps ---------------------------------------------------------------------------------------

static zn_status force_at(zn_lanczos *l, zn_at at, double factor, double *f)
{
    double energy;
    zn_system_move(l->sys, at.q, factor, l->v, l->q);
    return zn_system_internal_force(l->sys, NULL, (zn_at){l->q, l->zero, at.t, 0}, f, &energy);
}

// f = (f - other)/by
ZN_WIDE static void subtract(int n, const double *other, double by, double *restrict f)
{
    for (int i = 0; i < n; i++)
        f[i] = (f[i] - other[i]) / by;
}

// force[0] = K v
static zn_status multiply(zn_lanczos *l, zn_at at)
{
    double size = l->sys->extent / cbrt(l->sys->info.elements > 0 ? l->sys->info.elements : 1);
    double factor = l->largest > 0 && size > 0 ? strain * size / l->largest : 1;
    bool   linear = l->sys->info.linear;
    ZN_TRY(force_at(l, at, -factor, l->force[0]));
    if (!linear)
        ZN_TRY(force_at(l, at, factor, l->force[1]));
    subtract(l->sys->info.n, linear ? l->rest : l->force[1], linear ? factor : 2 * factor, l->force[0]);
    return ZN_OK;
}

// before = M^-1 y - a v - b before
ZN_WIDE static void recur(int n, const double *inverse, const double *y, double a, const double *v, double b,
                          double *restrict before)
{
    for (int i = 0; i < n; i++)
        before[i] = inverse[i] * y[i] - a * v[i] - b * before[i];
}

// False: the vectors so far are all there is.
static bool extend(zn_lanczos *l, int j)
{
    int n = l->sys->info.n;
    l->a[j] = zn_system_dot(l->sys, l->v, l->force[0]);
    recur(n, l->mass.inverse, l->force[0], l->a[j], l->v, l->b[j], l->before);
    l->b[j + 1] = sqrt(zn_lumped_mass_square(&l->mass, l->before));
    if (!(l->b[j + 1] > 0))
        return false;
    l->largest = shorten(n, l->b[j + 1], l->before);
    zn_swap(&l->v, &l->before);
    return true;
}

// --- values --------------------------------------------------------------------------------------

// Has the tridiagonal matrix of `count` rows an eigenvalue above x? Some pivot of x - T is not positive then.
static bool is_passed(const zn_lanczos *l, int count, double x)
{
    double pivot = 1;
    for (int i = 0; i < count; i++) {
        pivot = x - l->a[i] - (i > 0 ? l->b[i] * l->b[i] / pivot : 0);
        if (!(pivot > 0))
            return true;
    }
    return false;
}

// Its largest eigenvalue, from above.
static double largest_value(const zn_lanczos *l, int count)
{
    double low = 0, high = 0;
    for (int i = 0; i < count; i++)
        high = fmax(high, l->a[i] + l->b[i] + (i + 1 < count ? l->b[i + 1] : 0));
    for (int k = 0; k < 60 && high > low; k++) {
        double middle = 0.5 * (low + high);
        *(is_passed(l, count, middle) ? &low : &high) = middle;
    }
    return high;
}

zn_status zn_lanczos_sharpen(zn_lanczos *l, zn_at at, zn_critical *out)
{
    ZN_ASSERT(l && out);
    int count = 0;
    begin(l);
    if (l->sys->info.linear)
        ZN_TRY(force_at(l, at, 0, l->rest));
    for (bool goes_on = true; count < STEPS && goes_on;) {
        ZN_TRY(multiply(l, at));
        goes_on = extend(l, count++);
        if (count % LOOKS != 0 && goes_on)
            continue;
        double frequency = sqrt(largest_value(l, count)); // the highest one is not below
        if (!(zn_critical_step_of(frequency, out->damping) > gain * out->step))
            return ZN_OK;
    }
    double root = zn_ln(1.648 * sqrt(l->sys->info.n) / doubt) / (2 * count - 1), share = 1 - root * root;
    double frequency = share > 0 ? sqrt(largest_value(l, count) / share) : INFINITY;
    double step = zn_critical_step_of(frequency, out->damping);
    if (step > gain * out->step)
        *out = (zn_critical){step, frequency, out->damping, NULL};
    return ZN_OK;
}
