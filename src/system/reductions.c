// Sums and maxima over all degrees of freedom. Schemes, Newton and solvers ask here, so that the same code runs on
// one process or on many.
#include "system/system.h"

void zn_system_set_reductions(zn_system *sys, zn_reductions reductions) { sys->reductions = reductions; }

double zn_system_sum(const zn_system *sys, double value)
{
    if (sys->reductions.sum)
        sys->reductions.sum(sys->reductions.user, &value, 1);
    return value;
}

double zn_system_max(const zn_system *sys, double value)
{
    if (sys->reductions.max)
        sys->reductions.max(sys->reductions.user, &value, 1);
    return value;
}

double zn_system_dot(const zn_system *sys, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < sys->info.n; i++)
        sum += a[i] * b[i];
    return zn_system_sum(sys, sum);
}

double zn_system_relative_norm(const zn_system *sys, const double *r, const double *scale)
{
    // largest residual and largest scale of translations [0, 1] and rotations [2, 3]
    double largest[4] = {0, 0, 0, 0};
    bool   bad = false;
    for (int i = 0; i < sys->info.n; i++) {
        double *own = largest + (sys->has_rotations && sys->rotational[i] ? 2 : 0);
        double  a = fabs(r[i]), b = fabs(scale[i]);
        bad |= !isfinite(a);
        own[0] = a > own[0] ? a : own[0];
        own[1] = b > own[1] ? b : own[1];
    }
    if (bad)
        largest[0] = INFINITY;
    if (sys->reductions.max)
        sys->reductions.max(sys->reductions.user, largest, 4);
    double norm = largest[0] != 0 ? largest[0] / largest[1] : 0;
    double turn = largest[2] != 0 ? largest[2] / largest[3] : 0;
    return norm > turn || isnan(norm) ? norm : turn; // NaN stays NaN
}
