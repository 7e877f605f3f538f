// Joints in the velocity jump: an impact must not tear them. With their rows J at the end, the equations that are
// independent in the metric of M are
//
//     e_k:  e_k.M e_l = 1 for k = l, otherwise 0,  M e_k a combination of rows of J
//
// and what joints leave of a jump u = M^-1 G' is u - sum a_k e_k, a_k = M e_k.u, for which J u = 0. Joints that hold in
// the mean of steps lack something at their ends, after an impact of the order of h, which would alternate ever after:
//
//     c_k = M e_k.v + r_k,   v <- v - sum c_k e_k     r_k: the rate of g_k at fixed q, prescribed motion
//
// takes sum c_k^2 / 2, which the jump gives back with the rest, but for the work r_k c_k of the motion; that of the
// reactions a_k is its own as well.
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/linsolver.h"
#include "scheme/energy_momentum.h"

zn_status zn_velocity_jump_create_hold(const zn_conserving *s, zn_velocity_jump *out)
{
    int equations = 0;
    for (int i = 0; i < s->sys->model->rules; i++)
        equations += s->sys->model->rule[i].ops->bilateral ? (int)s->sys->model->rule[i].max_contacts : 0;
    out->hold = ZN_NEW(double, (size_t)s->n *(size_t)equations);
    out->row = ZN_NEW(double, (size_t)s->n *(size_t)equations);
    out->rate = ZN_NEW(double, equations);
    out->equations = equations;
    return out->hold && out->row && out->rate ? ZN_OK : ZN_ERR_MEMORY;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add(int n, double scale, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += scale * x[i];
}

// Take the equations before it out of the last one, twice for rounding; kept where something is left.
static void orthogonalize(zn_velocity_jump *j, int n)
{
    int     last = j->held;
    double *e = j->hold + (size_t)last * (size_t)n, *row = j->row + (size_t)last * (size_t)n;
    double  whole = dot(n, e, row);
    for (int k = 0; k < 2 * last; k++) {
        size_t at = (size_t)(k % last) * (size_t)n;
        double a = dot(n, j->row + at, e);
        add(n, -a, j->hold + at, e);
        add(n, -a, j->row + at, row);
        j->rate[last] -= a * j->rate[k % last];
    }
    double left = dot(n, e, row);
    if (!(left > 1e-12 * whole))
        return;
    double scale = 1 / sqrt(left);
    for (int i = 0; i < n; i++) {
        e[i] *= scale;
        row[i] *= scale;
    }
    j->rate[last] *= scale;
    j->held++;
}

static void make_velocities_hold(zn_conserving *s)
{
    zn_velocity_jump *j = &s->jump;
    for (int k = 0; k < j->held; k++) {
        size_t at = (size_t)k * (size_t)s->n;
        double lack = dot(s->n, j->row + at, s->v) + j->rate[k];
        add(s->n, -lack, j->hold + at, s->v);
        j->taken += 0.5 * lack * lack;
        j->driven += lack * j->rate[k];
    }
}

zn_status zn_velocity_jump_hold(zn_conserving *s)
{
    zn_velocity_jump *j = &s->jump;
    int               n = s->n;
    j->held = 0;
    j->taken = j->driven = 0;
    for (int i = 0; i < s->set->count; i++) {
        if (!s->set->bilateral[i])
            continue;
        ZN_ASSERT(j->held < j->equations);
        double *e = j->hold + (size_t)j->held * (size_t)n, *row = j->row + (size_t)j->held * (size_t)n;
        memset(row, 0, sizeof *row * (size_t)n);
        zn_rows_add(zn_gap_rows(s->set), i * s->set->stride, n, 1, row);
        memcpy(e, row, sizeof *e * (size_t)n);
        ZN_TRY(zn_linsolver_solve(j->mass, 1, e));
        j->rate[j->held] = s->set->rate[i];
        orthogonalize(j, n);
    }
    make_velocities_hold(s);
    return ZN_OK;
}

void zn_velocity_jump_hold_column(const zn_conserving *s, double *u, double *share)
{
    const zn_velocity_jump *j = &s->jump;
    for (int l = 0; l < j->held; l++) {
        double a = dot(s->n, j->row + (size_t)l * (size_t)s->n, u);
        add(s->n, -a, j->hold + (size_t)l * (size_t)s->n, u);
        if (share)
            share[l] = a;
    }
}
