// Sums and maxima over all degrees of freedom. Schemes, Newton and solvers ask here, so that the same code runs on
// one process or on many.
#include "system/system.h"

#include "base/assert.h"
#include "math/linsolver.h"

void zn_system_set_reductions(zn_system *sys, zn_reductions reductions) { sys->reductions = reductions; }

void zn_system_set_halo(zn_system *sys, const zn_halo *halo) { sys->halo = halo; }

zn_status zn_system_assemble(const zn_system *sys, zn_status own, double *x)
{
    zn_status status = zn_system_agree(sys, own);
    if (status == ZN_OK && sys->halo)
        sys->halo->assemble(sys->halo->user, x);
    return status;
}

zn_status zn_system_share(const zn_system *sys, zn_status own, double *x)
{
    zn_status status = zn_system_agree(sys, own);
    if (status == ZN_OK && sys->halo)
        sys->halo->share(sys->halo->user, x);
    return status;
}

zn_status zn_system_whole_force(const zn_system *sys, zn_at at, double *f)
{
    return zn_system_assemble(sys, zn_system_force(sys, at, f), f);
}

zn_status zn_system_whole_inertia(const zn_system *sys, const double *q, const double *a, double *f)
{
    return zn_system_assemble(sys, zn_system_inertia(sys, q, a, f), f);
}

zn_status zn_system_linsolver(const zn_system *sys, const zn_sparse *a, const char *word, const zn_near_null *near,
                              zn_linsolver **out)
{
    return sys->halo ? sys->halo->solver(sys->halo->user, a, word, near, out)
                     : zn_linsolver_create_near(a, word, near, out);
}

void zn_system_sums(const zn_system *sys, double *values, int count)
{
    if (sys->reductions.sum)
        sys->reductions.sum(sys->reductions.user, values, count);
}

void zn_system_maxima(const zn_system *sys, double *values, int count)
{
    if (sys->reductions.max)
        sys->reductions.max(sys->reductions.user, values, count);
}

double zn_system_sum(const zn_system *sys, double value)
{
    zn_system_sums(sys, &value, 1);
    return value;
}

double zn_system_max(const zn_system *sys, double value)
{
    zn_system_maxima(sys, &value, 1);
    return value;
}

double zn_system_dot(const zn_system *sys, const double *a, const double *b)
{
    ZN_ASSERT(sys->info.n == 0 || (a && b));
    const bool *owned = sys->halo ? sys->halo->owned : NULL;
    double      sum = 0;
    for (int i = 0; i < sys->mechanical; i++) // works and energies: states have none
        sum += !owned || owned[i] ? a[i] * b[i] : 0;
    return zn_system_sum(sys, sum);
}

double zn_system_relative_norm(const zn_system *sys, const double *r, const double *scale)
{
    ZN_ASSERT(sys->info.n == 0 || (r && scale));
    double      move = 0, move_scale = 0, turn = 0, turn_scale = 0;
    const bool *owned = sys->halo ? sys->halo->owned : NULL;
    bool        bad = false;
    double      state = 0; // each has a size of its own
    for (int i = sys->mechanical; i < sys->info.n; i++) {
        double own = r[i] != 0 ? fabs(r[i]) / fabs(scale[i]) : 0;
        state = own > state || isnan(own) ? own : state;
    }
    for (int i = 0; i < sys->mechanical; i++) {
        double a = fabs(r[i]), b = fabs(scale[i]);
        if (owned && !owned[i])
            continue;
        bad |= !isfinite(a);
        if (sys->has_rotations && sys->rotational[i]) {
            turn = a > turn ? a : turn;
            turn_scale = b > turn_scale ? b : turn_scale;
        } else {
            move = a > move ? a : move;
            move_scale = b > move_scale ? b : move_scale;
        }
    }
    double largest[5] = {bad || isnan(state) ? INFINITY : move, move_scale, turn, turn_scale, state};
    if (sys->reductions.max)
        sys->reductions.max(sys->reductions.user, largest, 5);
    double norm = largest[0] != 0 ? largest[0] / largest[1] : 0;
    double rotation = largest[2] != 0 ? largest[2] / largest[3] : 0;
    norm = norm > rotation || isnan(norm) ? norm : rotation; // NaN stays NaN
    return norm > largest[4] || isnan(norm) ? norm : largest[4];
}
