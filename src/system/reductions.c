// Sums and maxima over all degrees of freedom. Schemes, Newton and solvers ask here, so that the same code runs on
// one process or on many.
#include "system/system.h"

#include "base/alive.h"
#include "base/assert.h"
#include "base/seldom.h"
#include "math/linsolver.h"

void zn_system_set_reductions(zn_system *sys, zn_reductions reductions)
{
    ZN_ALIVE(sys);
    sys->reductions = reductions;
}

void zn_system_set_halo(zn_system *sys, const zn_halo *halo)
{
    ZN_ALIVE(sys);
    sys->halo = halo;
}

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

// Of many processes. Out of the way of the others, whose small steps would pay for guarding the addresses taken here.
ZN_SELDOM static double sum_of_all(const zn_system *sys, double value)
{
    sys->reductions.sum(sys->reductions.user, &value, 1);
    return value;
}

ZN_SELDOM static double max_of_all(const zn_system *sys, double value)
{
    sys->reductions.max(sys->reductions.user, &value, 1);
    return value;
}

double zn_system_sum(const zn_system *sys, double value)
{
    ZN_ALIVE(sys);
    return sys->reductions.sum ? sum_of_all(sys, value) : value;
}

double zn_system_max(const zn_system *sys, double value)
{
    ZN_ALIVE(sys);
    return sys->reductions.max ? max_of_all(sys, value) : value;
}

double zn_system_dot(const zn_system *sys, const double *a, const double *b)
{
    ZN_ALIVE(sys);
    ZN_ASSERT(sys->info.n == 0 || (a && b));
    const bool *owned = sys->halo ? sys->halo->owned : NULL;
    double      sum = 0;
    for (int i = 0; i < sys->mechanical; i++) // works and energies: states have none
        sum += !owned || owned[i] ? a[i] * b[i] : 0;
    return zn_system_sum(sys, sum);
}

// Zero where there is no residual.
static double ratio_of(double residual, double scale) { return residual != 0 ? residual / scale : 0; }

// Each state has a size of its own.
ZN_APART static double states_norm(const zn_system *sys, const double *r, const double *scale)
{
    double state = 0;
    for (int i = sys->mechanical; i < sys->info.n; i++) {
        double own = ratio_of(fabs(r[i]), fabs(scale[i]));
        state = own > state || isnan(own) ? own : state;
    }
    return state;
}

typedef struct norm_parts {
    double move, move_scale, turn, turn_scale, state;
} norm_parts;

// NaN stays NaN.
static double norm_of(norm_parts p)
{
    double norm = ratio_of(p.move, p.move_scale), rotation = ratio_of(p.turn, p.turn_scale);
    norm = norm > rotation || isnan(norm) ? norm : rotation;
    return norm > p.state || isnan(norm) ? norm : p.state;
}

ZN_SELDOM static double norm_of_all(const zn_system *sys, norm_parts p)
{
    double largest[5] = {p.move, p.move_scale, p.turn, p.turn_scale, p.state};
    sys->reductions.max(sys->reductions.user, largest, 5);
    return norm_of((norm_parts){largest[0], largest[1], largest[2], largest[3], largest[4]});
}

double zn_system_relative_norm(const zn_system *sys, const double *r, const double *scale)
{
    ZN_ALIVE(sys);
    ZN_ASSERT(sys->info.n == 0 || (r && scale));
    const bool *owned = sys->halo ? sys->halo->owned : NULL, *turns = sys->has_rotations ? sys->rotational : NULL;
    double      move = 0, move_scale = 0, turn = 0, turn_scale = 0, bad = 0;
    for (int i = 0; i < sys->mechanical; i++) {
        double a = fabs(r[i]), b = fabs(scale[i]);
        if (owned && !owned[i])
            continue;
        bad += 0 * a; // NaN as soon as one is not finite
        if (turns && turns[i]) {
            turn = a > turn ? a : turn;
            turn_scale = b > turn_scale ? b : turn_scale;
        } else {
            move = a > move ? a : move;
            move_scale = b > move_scale ? b : move_scale;
        }
    }
    double     state = sys->mechanical < sys->info.n ? states_norm(sys, r, scale) : 0;
    norm_parts p = {isnan(bad) || isnan(state) ? (double)INFINITY : move, move_scale, turn, turn_scale, state};
    return sys->reductions.max ? norm_of_all(sys, p) : norm_of(p);
}
