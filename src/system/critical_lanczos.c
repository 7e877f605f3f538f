// Largest eigenvalue of (K, M) or (C, M) without a matrix: Lanczos' method in the scalar product of the lumped mass,
// with K x and C x from differences of forces. A million hexahedra have 8 kB of K each; forces need none of it, and
// some thirty products do what power iteration does in hundreds.
//
//     b_{k+1} v_{k+1} = M^-1 K v_k - a_k v_k - b_k v_{k-1},   a_k = v_k'K v_k,  |v_k|_M = 1
//
// The largest eigenvalue of the tridiagonal matrix of a and b grows towards that of (K, M), from below.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "system/critical.h"
#include "system/lumped.h"
#include "system/system.h"

enum { STEPS = 200 };

typedef struct lanczos {
    const zn_system      *sys;
    const zn_lumped_mass *m;
    zn_at                 at;
    bool                  damping;                      // of C, not K
    double                reach;                        // largest displacement or velocity of a difference
    double               *v, *last, *w, *f, *moved, *q; // n_all each, q as long as a configuration
    double               *rest;                         // f at the state itself
    double                a[STEPS], b[STEPS];           // b[k] couples k - 1 and k
} lanczos;

// f at the state moved by x.
static zn_status force_at(lanczos *l, double scale, const double *x, double *f)
{
    zn_at at = l->at;
    for (int i = 0; i < l->sys->info.n_all; i++)
        l->moved[i] = scale * x[i] + (l->damping ? l->at.v[i] : 0);
    if (l->damping)
        at.v = l->moved;
    else {
        zn_system_retract(l->sys, l->at.q, l->moved, l->q);
        at.q = l->q;
    }
    return zn_system_force(l->sys, at, f);
}

// w = M^-1 K v, or with C.
static zn_status apply(lanczos *l)
{
    double largest = 0;
    for (int i = 0; i < l->sys->info.n; i++)
        largest = fmax(largest, fabs(l->v[i]));
    double scale = l->reach / zn_system_max(l->sys, largest);
    ZN_TRY(force_at(l, scale, l->v, l->f));
    for (int i = 0; i < l->sys->info.n_all; i++)
        l->f[i] = (l->rest[i] - l->f[i]) / scale;
    zn_lumped_mass_solve(l->m, l->f, l->w);
    return ZN_OK;
}

static double mass_norm(lanczos *l, const double *x)
{
    return sqrt(zn_system_sum(l->sys, zn_lumped_mass_square(l->m, x)));
}

// Eigenvalues of the leading k x k matrix above x (Sturm): how many pivots of T - x are positive.
static int above(const lanczos *l, int k, double x)
{
    int    count = 0;
    double pivot = 1;
    for (int i = 0; i < k; i++) {
        pivot = l->a[i] - x - (i > 0 ? l->b[i] * l->b[i] / pivot : 0);
        if (pivot == 0)
            pivot = 1e-300;
        count += pivot > 0;
    }
    return count;
}

static double largest_of(const lanczos *l, int k)
{
    double low = l->a[0], high = l->a[0];
    for (int i = 0; i < k; i++) { // Gershgorin
        double off = (i > 0 ? l->b[i] : 0) + (i + 1 < k ? l->b[i + 1] : 0);
        low = fmax(low, l->a[i]);
        high = fmax(high, l->a[i] + off);
    }
    for (int i = 0; i < 60 && high - low > 1e-14 * fabs(high); i++) {
        double middle = 0.5 * (low + high);
        *(above(l, k, middle) > 0 ? &low : &high) = middle;
    }
    return high;
}

static void begin(lanczos *l)
{
    int n = l->sys->info.n, n_all = l->sys->info.n_all;
    for (int i = 0; i < n_all; i++)
        l->v[i] = i < n ? 0.5 + fmod(0.7548776662466927 * (i + 1), 1.0) * (i % 2 ? -1 : 1) : 0;
    double size = mass_norm(l, l->v);
    for (int i = 0; i < n; i++)
        l->v[i] /= size;
    memset(l->last, 0, sizeof *l->last * (size_t)n_all);
}

// Gyroscopic forces make C unsymmetric: v_{k-1}'C v_k is not b_k then, and the largest quotient is what can be said.
static bool is_unsymmetric(const lanczos *l, int k, double *out)
{
    if (k == 0 || fabs(zn_system_dot(l->sys, l->last, l->f) - l->b[k]) <= 1e-3 * (l->b[k] + fabs(*out)))
        return false;
    *out = l->a[0];
    for (int i = 1; i <= k; i++)
        *out = fmax(*out, l->a[i]);
    return true;
}

static zn_status iterate(lanczos *l, double tolerance, double *out)
{
    double before = 0;
    int    settled = 0;
    begin(l);
    for (int k = 0; k < STEPS; k++) {
        ZN_TRY(apply(l));
        l->a[k] = zn_system_dot(l->sys, l->v, l->f);
        *out = largest_of(l, k + 1);
        if (is_unsymmetric(l, k, out))
            return ZN_OK;
        settled = fabs(*out - before) <= tolerance * fabs(*out) ? settled + 1 : 0;
        before = *out;
        for (int i = 0; i < l->sys->info.n; i++)
            l->w[i] -= l->a[k] * l->v[i] + (k > 0 ? l->b[k] * l->last[i] : 0);
        double size = mass_norm(l, l->w);
        if (settled > 2 || k + 1 == STEPS || !(size > 1e-9 * fabs(*out)))
            return ZN_OK;
        l->b[k + 1] = size;
        double *spare = l->last;
        l->last = l->v;
        l->v = l->w;
        l->w = spare;
        for (int i = 0; i < l->sys->info.n; i++)
            l->v[i] /= size;
        for (int i = l->sys->info.n; i < l->sys->info.n_all; i++)
            l->v[i] = 0;
    }
    return ZN_OK;
}

// Of coordinates: a length of the model. Forces that are linear may be asked far away.
static double reach_of(const zn_system *sys, const double *q)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < sys->info.nq; i++) {
        low = fmin(low, q[i]);
        high = fmax(high, q[i]);
    }
    double span = high - low;
    return (sys->info.linear ? 1e-3 : 1e-7) * (span > 0 && isfinite(span) ? span : 1);
}

zn_status zn_critical_lanczos(const zn_system *sys, zn_at at, const zn_lumped_mass *m, bool damping, double tolerance,
                              double *out)
{
    size_t    n = (size_t)sys->info.n_all;
    double   *memory = ZN_NEW(double, 6 * n + (size_t)sys->info.nq + 1);
    lanczos  *l = ZN_NEW(lanczos, 1);
    zn_status status = memory != NULL && l != NULL ? ZN_OK : ZN_ERR_MEMORY;
    if (status == ZN_OK && sys->info.n > 0) {
        *l = (lanczos){.sys = sys,
                       .m = m,
                       .at = at,
                       .damping = damping,
                       .reach = reach_of(sys, at.q),
                       .v = memory,
                       .last = memory + n,
                       .w = memory + 2 * n,
                       .f = memory + 3 * n,
                       .moved = memory + 4 * n,
                       .rest = memory + 5 * n,
                       .q = memory + 6 * n};
        status = zn_system_force(sys, at, l->rest);
        if (status == ZN_OK)
            status = iterate(l, tolerance, out);
    }
    free(l);
    free(memory);
    return status;
}
