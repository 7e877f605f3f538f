// The critical step from the assembled matrices: an estimate by power iteration, and a bound that is sharper than that
// of the elements.
//
// Power iteration gives a frequency from below, so its step is from the wrong side. But whether x'K x < m x'M x for all
// x is seen from the signs of the pivots of m M - K = L D L' (Sylvester's law of inertia): with m a little above the
// square of that frequency and no negative pivot, m bounds all eigenvalues. One factorization certifies, however wrong
// the iteration was; where it does not, a larger m is tried, and in the end the bound of the elements stands. Models
// too large for it have critical_lanczos.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "math/inertia.h"
#include "system/critical.h"
#include "system/critical_lanczos.h"
#include "system/lumped.h"
#include "system/system.h"

enum { ITERATIONS = 300, LARGEST = 5000 }; // of the estimate; free degrees of freedom that are worth a factorization

// --- power iteration ---------------------------------------------------------------------------------

// Largest eigenvalue of (A, M): x <- M^-1 A x, its Rayleigh quotient.
static double iterate(const zn_system *sys, const zn_sparse *A, const zn_lumped_mass *m, int iterations,
                      double tolerance, double *x, double *y)
{
    double value = 0;
    int    n = sys->info.n;
    memset(y, 0, sizeof *y * (size_t)sys->info.n_all);
    for (int i = 0; i < sys->info.n_all; i++)
        x[i] = i < n ? 0.5 + fmod(0.7548776662466927 * (i + 1), 1.0) * (i % 2 ? -1 : 1) : 0;
    for (int k = 0; k < iterations; k++) {
        zn_sparse_multiply(A, x, y);
        double top = zn_system_dot(sys, x, y), last = value;
        zn_lumped_mass_multiply(m, x, x + sys->info.n_all);
        double below = zn_system_dot(sys, x, x + sys->info.n_all);
        value = below > 0 ? top / below : 0;
        zn_lumped_mass_solve(m, y, x);
        double size = sqrt(zn_system_dot(sys, x, x));
        if (!(size > 0) || (k > 10 && fabs(value - last) <= tolerance * fabs(value)))
            return value;
        for (int i = 0; i < n; i++)
            x[i] /= size;
    }
    return value;
}

zn_status zn_system_critical_power(const zn_system *sys, zn_at at, double tolerance, zn_critical *out)
{
    ZN_ALIVE(sys);
    ZN_ASSERT(tolerance > 0 && out);
    zn_lumped_mass m = {0};
    zn_sparse     *A = NULL;
    double   *x = ZN_NEW(double, 2 * (size_t)sys->info.n_all), *y = ZN_NEW(double, sys->info.n_all), value[2] = {0, 0};
    zn_status status = x && y ? zn_lumped_mass_create(sys, "critical step", &m) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = zn_system_matrix(sys, &A);
    for (int i = 0; i < 2 && status == ZN_OK; i++) { // C, then K
        status = zn_system_operators(sys, at, 0, i == 0, i == 1, A);
        if (status == ZN_OK)
            value[i] = iterate(sys, A, &m, 20000, tolerance, x, y);
    }
    double frequency = sqrt(fmax(value[1], 0));
    if (status == ZN_OK)
        *out = (zn_critical){zn_critical_step_of(frequency, fmax(value[0], 0)), frequency, fmax(value[0], 0), NULL};
    zn_sparse_destroy(A);
    zn_lumped_mass_destroy(&m);
    free(x);
    free(y);
    return status;
}

// --- a sharper bound ---------------------------------------------------------------------------------

// Does m bound the eigenvalues of (K, M)?
static zn_status bounds(const zn_system *sys, zn_at at, double m, zn_sparse *A, bool *out)
{
    int negative = 1;
    ZN_TRY(zn_system_operators(sys, at, m, 0, -1, A));
    zn_status status = zn_sparse_inertia(A, &negative);
    *out = status == ZN_OK && negative == 0;
    return status > 0 || status == ZN_ERR_UNSUPPORTED ? ZN_OK : status; // no answer is no bound
}

static zn_status sharpen(const zn_system *sys, zn_at at, const zn_lumped_mass *m, double *x, zn_sparse *A,
                         zn_critical *out)
{
    static const double above[] = {1.005, 1.02, 1.05};
    ZN_TRY(zn_system_operators(sys, at, 0, 0, 1, A));
    double square = iterate(sys, A, m, ITERATIONS, 1e-4, x, x + 2 * sys->info.n_all);
    for (size_t i = 0; i < sizeof above / sizeof *above; i++) {
        double frequency = sqrt(fmax(0, above[i] * square)), step = zn_critical_step_of(frequency, out->damping);
        bool   certain = false;
        if (!(step > 1.05 * out->step))
            return ZN_OK;
        ZN_TRY(bounds(sys, at, above[i] * square, A, &certain));
        if (certain) {
            out->step = step;
            out->frequency = frequency;
            out->part = NULL;
            return ZN_OK;
        }
    }
    return ZN_OK;
}

static zn_status sharpen_large(const zn_system *sys, zn_at at, zn_critical *out)
{
    zn_lanczos *lanczos = NULL;
    ZN_TRY(zn_lanczos_create(sys, &lanczos));
    zn_status status = lanczos ? zn_lanczos_sharpen(lanczos, at, out) : ZN_OK;
    zn_lanczos_destroy(lanczos);
    return status;
}

zn_status zn_critical_sharpen(const zn_system *sys, zn_at at, zn_critical *out)
{
    if (!sys->info.linear || sys->info.n == 0 || !isfinite(out->step))
        return ZN_OK;
    if (sys->info.n > LARGEST)
        return sharpen_large(sys, at, out);
    zn_lumped_mass m = {0};
    zn_sparse     *A = NULL;
    double        *x = ZN_NEW(double, 3 * (size_t)sys->info.n_all);
    zn_status      status = x ? zn_lumped_mass_create(sys, "critical step", &m) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = zn_system_matrix(sys, &A);
    if (status == ZN_OK)
        status = sharpen(sys, at, &m, x, A, out);
    zn_sparse_destroy(A);
    zn_lumped_mass_destroy(&m);
    free(x);
    return status;
}
