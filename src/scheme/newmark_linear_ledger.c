// Energies, works and the residual at the end of a step of newmark_linear.c, whose head has the equations.
#include <math.h>
#include <string.h>

#include "scheme/newmark_linear.h"

// Sums over the degrees of freedom.
enum { STRAIN, STORED, LOAD, DAMPER, PUSH, SQUARE, BEFORE, CROSS, CHANGE, KINETIC, FALL, WEIGHT, SUMS };

// In one pass over n degrees of freedom, a multiple of four; Mv holds M v, NULL: M is diagonal. What only schemes with
// dissipation need is left out when not `all`.
ZN_INLINE void add_up_to(const newmark_linear *s, int n, const double *Mv, bool all, zn_four x[SUMS])
{
    zn_four sum[SUMS] = {{0}};
    for (int i = 0; i < n; i += 4) {
        zn_four d = AT(s->end.d), u = AT(s->end.u), gravity = AT(s->gravity), strain = AT(s->end.strain);
        sum[STRAIN] += d * (AT(s->begin.strain) + strain);
        sum[STORED] += u * (AT(s->begin.first_strain) + strain);
        sum[FALL] += u * gravity;
        sum[WEIGHT] += d * gravity;
        sum[LOAD] += d * (AT(s->begin.load) + AT(s->end.load));
        sum[DAMPER] += d * (AT(s->begin.damper) + AT(s->end.damper));
        sum[PUSH] += d * (AT(s->past.push) + AT(s->end.push));
        zn_four v = AT(s->end.v), momentum = AT(s->op.diagonal) * v;
        if (Mv)
            momentum = AT(Mv);
        sum[KINETIC] += v * momentum;
        if (!all)
            continue;
        zn_four a = AT(s->end.a), Ma = AT(s->end.inertia), before = AT(s->past.a), inertia = AT(s->begin.inertia);
        sum[SQUARE] += a * Ma;
        sum[BEFORE] += before * inertia;
        sum[CROSS] += before * Ma;
        sum[CHANGE] += d * (Ma - inertia);
    }
    memcpy(x, sum, sizeof sum);
}

ZN_WIDE static void add_fours(const newmark_linear *s, int n, const double *Mv, bool all, zn_four x[SUMS])
{
    if (all || Mv)
        add_up_to(s, n, Mv, all, x);
    else
        add_up_to(s, n, NULL, false, x);
}

// Vectors have room for a multiple of four; degrees of freedom beyond n are fixed or none, with v, a and d zero.
static void add_up(newmark_linear *s, double out[SUMS])
{
    zn_four x[SUMS];
    double *Mv = s->op.lumped ? NULL : s->still;
    if (Mv)
        newmark_linear_times_mass(s, s->end.v, Mv);
    add_fours(s, newmark_linear_pad(s->n), Mv, newmark_linear_dissipates(s), x);
    for (int k = 0; k < SUMS; k++)
        out[k] = zn_system_sum(s->sys, zn_four_sum(&x[k]));
}

enum { LANES = 8 };

// Largest residual of the balance at the end, and its largest term, of `count` degrees of freedom from i on.
ZN_INLINE void look_at(const newmark_linear *s, int i, int count, bool plain, double residual[LANES],
                       double scale[LANES])
{
    for (int k = 0; k < count; k++) {
        double Ma = plain ? s->op.diagonal[i + k] * s->end.a[i + k] : s->end.inertia[i + k],
               strain = s->end.strain[i + k];
        double F = strain + s->gravity[i + k] + s->end.load[i + k] + s->end.damper[i + k] + s->end.push[i + k];
        double own = fabs(Ma - F), size = fabs(Ma) + fabs(strain);
        residual[k] = own > residual[k] ? own : residual[k];
        scale[k] = size > scale[k] ? size : scale[k];
    }
}

ZN_INLINE void look_at_all(const newmark_linear *s, bool plain, double residual[LANES], double scale[LANES])
{
    double most[LANES] = {0}, size[LANES] = {0};
    int    i = 0;
    for (; i + LANES <= s->n; i += LANES)
        look_at(s, i, LANES, plain, most, size);
    look_at(s, i, s->n - i, plain, most, size);
    memcpy(residual, most, sizeof most);
    memcpy(scale, size, sizeof size);
}

// In lanes so that it is done in vectors.
ZN_WIDE static void largest_residual(const newmark_linear *s, double residual[LANES], double scale[LANES])
{
    if (s->op.plain)
        look_at_all(s, true, residual, scale);
    else
        look_at_all(s, false, residual, scale);
}

// How well the balance holds at the end, relative to its terms.
static double residual_of(const newmark_linear *s)
{
    double residual[LANES] = {0}, scale[LANES] = {0};
    largest_residual(s, residual, scale);
    for (int k = 1; k < LANES; k++) {
        residual[0] = fmax(residual[0], residual[k]);
        scale[0] = fmax(scale[0], scale[k]);
    }
    residual[0] = zn_system_max(s->sys, residual[0]);
    return residual[0] > 0 ? residual[0] / zn_system_max(s->sys, scale[0]) : 0;
}

zn_status newmark_linear_book(newmark_linear *s, const zn_state *from, double *work)
{
    double *ledger = s->info->ledger, h = s->h, extra = s->gamma - 0.5, middle = s->beta - 0.5 * s->gamma;
    double  x[SUMS];
    add_up(s, x);
    s->energy.kinetic = 0.5 * x[KINETIC];
    s->energy.strain = s->begin.first.strain - 0.5 * x[STORED];
    s->energy.gravity = s->begin.first.gravity - x[FALL];
    double jump = x[SQUARE] - 2 * x[CROSS] + x[BEFORE];
    ledger[ZN_LEDGER_KINETIC] = s->energy.kinetic;
    ledger[ZN_LEDGER_STRAIN] = s->energy.strain;
    ledger[ZN_LEDGER_GRAVITY] = s->energy.gravity;
    ledger[ZN_LEDGER_LOAD] = 0.5 * x[LOAD];
    ledger[ZN_LEDGER_DAMPER] = 0.5 * x[DAMPER];
    ledger[ZN_LEDGER_COMPLEMENTARY] = -0.5 * h * h * middle * (x[SQUARE] - x[BEFORE]);
    ledger[ZN_LEDGER_NUMERICAL] = extra * x[CHANGE] - h * h * middle * extra * jump + s->energy.strain -
                                  from->energy.strain + 0.5 * x[STRAIN] + s->energy.gravity - from->energy.gravity +
                                  x[WEIGHT];
    *work = 0.5 * x[PUSH];
    s->info->newton_residual = residual_of(s);
    return isfinite(s->energy.kinetic + s->energy.strain + s->energy.gravity) ? ZN_OK : ZN_NOT_FINITE;
}
