// Longest stable step of Schatzman-Paoli's scheme below theta = 1/2. See stable_step.h.
#include "scheme/stable_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "constraint/response.h"
#include "math/linsolver.h"
#include "system/system.h"

static bool is_stable(double theta, double W, double x)
{
    double a = 1 - theta, s = W * W + 2 * x;
    if (W * W * (1 - 2 * theta) > 4 || x * (1 - 2 * theta) > 1 + theta * W * W)
        return false;
    return x == 0 || theta * (1 + theta * W * W + theta * x) * s + a * x * (2 - a * s) >= 0;
}

double zn_stable_step_of(double theta, double frequency, double damping)
{
    ZN_ASSERT(theta >= 0 && theta < 0.5 && frequency >= 0 && damping >= 0);
    enum { PARTS = 1000, HALVINGS = 60 };
    double most = frequency > 0 ? 2 / (frequency * sqrt(1 - 2 * theta)) : 2 / (damping * (1 - 2 * theta));
    if (!isfinite(most) || damping == 0)
        return most;
    int part = 1; // stable steps need not be an interval: the first that is not ends it
    while (part <= PARTS && is_stable(theta, most * part / PARTS * frequency, most * part / PARTS * damping / 2))
        part++;
    if (part > PARTS)
        return most;
    double low = most * (part - 1) / PARTS, high = most * part / PARTS;
    for (int i = 0; i < HALVINGS; i++) {
        double h = 0.5 * (low + high);
        *(is_stable(theta, h * frequency, h * damping / 2) ? &low : &high) = h;
    }
    return low;
}

// Largest eigenvalue of M^-1 A from below: x <- M^-1 A x, and its Rayleigh quotient x'A x / x'M x.
static zn_status largest_eigenvalue(const zn_system *sys, const zn_sparse *A, zn_response *mass, double *x, double *out)
{
    enum { ITERATIONS = 20000 };
    const double tolerance = 1e-9;
    int          n = sys->info.n;
    double      *y = x + n, *Mx = y + n, value = 0;
    for (int i = 0; i < n; i++)
        x[i] = (0.5 + fmod(0.7548776662466927 * (i + 1), 1.0)) * (i % 2 ? -1 : 1);
    for (int k = 0; k < ITERATIONS; k++) {
        double last = value;
        zn_sparse_multiply(A, x, y);
        zn_sparse_multiply(mass->matrix, x, Mx);
        double below = zn_system_dot(sys, x, Mx);
        value = below > 0 ? zn_system_dot(sys, x, y) / below : 0;
        ZN_TRY(zn_response_solve(mass, y));
        double size = sqrt(zn_system_dot(sys, y, y));
        if (!(size > 0) || (k > 10 && fabs(value - last) <= tolerance * fabs(value)))
            break;
        for (int i = 0; i < n; i++)
            x[i] = y[i] / size;
    }
    *out = fmax(value, 0);
    return ZN_OK;
}

zn_status zn_stable_step(const zn_system *sys, const zn_scheme_def *def, zn_critical *out)
{
    ZN_ASSERT(def->theta < 0.5 && out);
    const zn_at  at = {sys->q0, sys->v0, sys->model->start, 0};
    const double only_mass[3] = {1, 0, 0};
    double       value[2] = {0, 0}, *x = ZN_NEW(double, 3 * (size_t)sys->info.n + 1);
    zn_sparse   *A = NULL;
    zn_response  mass = {0};
    zn_status    status = x ? zn_response_create(sys, def->linear_solver, false, &mass) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = zn_system_matrix(sys, &A);
    if (status == ZN_OK)
        status = zn_response_factor(&mass, at, only_mass, 0);
    for (int i = 0; i < 2 && status == ZN_OK; i++) { // C, then K
        status = zn_system_operators(sys, at, 0, i == 0, i == 1, A);
        if (status == ZN_OK)
            status = largest_eigenvalue(sys, A, &mass, x, &value[i]);
    }
    double frequency = sqrt(value[1]);
    if (status == ZN_OK)
        *out = (zn_critical){zn_stable_step_of(def->theta, frequency, value[0]), frequency, value[0], NULL};
    zn_sparse_destroy(A);
    zn_response_destroy(&mass);
    free(x);
    return status;
}
