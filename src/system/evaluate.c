// Evaluation of the equations at any (q, v, t): loop over the element blocks, add constant loads.
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "base/seldom.h"
#include "base/wide.h"
#include "system/blame.h"
#include "system/system.h"

static double signal_at(const zn_uniform_load *u, int i, zn_at at)
{
    return u->column[i] ? (1 - at.relief) * zn_signal_at(u->load->signal[i], at.t) : 0;
}

ZN_WIDE static void add_scaled(int n, double a, const double *restrict x, double *restrict y)
{
    for (int k = 0; k < n; k++)
        y[k] += a * x[k];
}

ZN_WIDE static void set_scaled(int n, double a, const double *restrict x, double *restrict y)
{
    for (int k = 0; k < n; k++)
        y[k] = a * x[k];
}

zn_status zn_system_add_uniform(const zn_system *sys, zn_at at, bool none, double *f)
{
    ZN_ASSERT(f);
    for (int u = 0; u < sys->uniform_loads; u++)
        for (int i = 0; i < 3; i++) {
            double a = signal_at(&sys->uniform[u], i, at);
            if (!isfinite(a))
                return zn_fail_here(&sys->model->log, ZN_NOT_FINITE, "load '%s': not a finite number at t = %g s",
                                    sys->uniform[u].load->name, at.t);
            if (a != 0 && none)
                set_scaled(sys->info.n_all, a, sys->uniform[u].column[i], f);
            else if (a != 0)
                add_scaled(sys->info.n_all, a, sys->uniform[u].column[i], f);
            none = none && a == 0;
        }
    if (none)
        memset(f, 0, sizeof *f * (size_t)sys->info.n_all);
    return ZN_OK;
}

zn_status zn_system_force(const zn_system *sys, zn_at at, double *f)
{
    ZN_ALIVE(sys);
    ZN_ASSERT(at.q && at.v && f && f != at.v);
    ZN_TRY(zn_fault_point());
    memcpy(f, sys->gravity_force, sizeof *f * (size_t)sys->info.n_all);
    for (int k = 0; at.relief != 0 && k < sys->info.n_all; k++)
        f[k] *= 1 - at.relief;
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->force)
            ZN_TRY(sys->block[i].ops->force(&sys->block[i], at, f));
    return zn_system_add_uniform(sys, at, false, f);
}

zn_status zn_system_inertia(const zn_system *sys, const double *q, const double *a, double *f)
{
    ZN_ALIVE(sys);
    ZN_ASSERT(q && a && f && f != a);
    ZN_TRY(zn_fault_point());
    memset(f, 0, sizeof *f * (size_t)sys->info.n_all);
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->inertia)
            ZN_TRY(sys->block[i].ops->inertia(&sys->block[i], q, -1, a, f));
    return ZN_OK;
}

zn_status zn_system_operators(const zn_system *sys, zn_at at, double a, double b, double c, zn_sparse *out)
{
    ZN_ALIVE(sys);
    ZN_ALIVE(out);
    ZN_TRY(zn_fault_point());
    zn_sparse_clear(out);
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->operators)
            ZN_TRY(sys->block[i].ops->operators(&sys->block[i], at, a, b, c, out->value));
    return ZN_OK;
}

static zn_status energy_of(const zn_system *sys, zn_at at, int part, zn_energy *out)
{
    ZN_ASSERT(at.q && at.v && part < sys->info.parts);
    zn_vec3 gravity = zn_vec3_scale(1 - at.relief, sys->model->gravity);
    *out = (zn_energy){0};
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->energy)
            ZN_TRY(sys->block[i].ops->energy(&sys->block[i], at, part, gravity, out));
    return ZN_OK;
}

ZN_SELDOM static zn_energy energy_of_all(const zn_system *sys, zn_energy own)
{
    double values[3] = {own.kinetic, own.strain, own.gravity};
    sys->reductions.sum(sys->reductions.user, values, 3);
    return (zn_energy){values[0], values[1], values[2]};
}

zn_status zn_system_energy(const zn_system *sys, zn_at at, zn_energy *out)
{
    ZN_ALIVE(sys);
    ZN_TRY(zn_fault_point());
    zn_energy local;
    ZN_TRY(zn_system_agree(sys, energy_of(sys, at, -1, &local)));
    if (sys->reductions.sum)
        local = energy_of_all(sys, local);
    if (!isfinite(local.kinetic + local.strain + local.gravity))
        return zn_blame_infinite(sys, sys->info.n_all, at.v);
    *out = local;
    return ZN_OK;
}

zn_status zn_system_part_energy(const zn_system *sys, zn_at at, int part, zn_energy *out)
{
    ZN_ALIVE(sys);
    ZN_ASSERT(part >= 0 && out);
    return energy_of(sys, at, part, out);
}

ZN_SELDOM static zn_power power_of_all(const zn_system *sys, zn_power own)
{
    double values[6] = {own.strain, own.gravity, own.load, own.motor, own.damper, own.gyroscopic};
    sys->reductions.sum(sys->reductions.user, values, 6);
    return (zn_power){values[0], values[1], values[2], values[3], values[4], values[5]};
}

zn_status zn_system_power(const zn_system *sys, zn_at at, const double *w, zn_power *out)
{
    ZN_ALIVE(sys);
    ZN_ASSERT(at.q && at.v && w && out);
    ZN_TRY(zn_fault_point());
    zn_power  sum = {0};
    zn_status own = ZN_OK;
    for (int i = 0; i < sys->blocks && own == ZN_OK; i++)
        if (sys->block[i].ops->power)
            own = sys->block[i].ops->power(&sys->block[i], at, w, &sum);
    ZN_TRY(zn_system_agree(sys, own));
    double gravity = sum.gravity; // not in memory at each term
    for (int k = 0; k < sys->info.n; k++)
        gravity += (1 - at.relief) * sys->gravity_force[k] * w[k];
    sum.gravity = gravity;
    for (int u = 0; u < sys->uniform_loads; u++)
        for (int i = 0; i < 3; i++) {
            double a = signal_at(&sys->uniform[u], i, at);
            for (int k = 0; a != 0 && k < sys->info.n; k++)
                sum.load += a * sys->uniform[u].column[i][k] * w[k];
        }
    if (sys->reductions.sum)
        sum = power_of_all(sys, sum);
    if (!isfinite(sum.strain + sum.gravity + sum.load + sum.motor + sum.damper + sum.gyroscopic))
        return ZN_NOT_FINITE;
    *out = sum;
    return ZN_OK;
}

// Momentum of a node from p = M v: linear part, and x cross p plus the spin part (about z in the plane, world axes).
static void add_node_momentum(const zn_layout_node *node, const double *q, const double *p, zn_vec3 *linear,
                              zn_vec3 *angular)
{
    ZN_ASSERT(node->dof[0] >= 0 && node->dof[1] >= 0);
    const double *x = q + node->q;
    bool          spatial = zn_node_dimension(node->kind) == 3;
    zn_vec3       position = {node->origin.x + x[0], node->origin.y + x[1], node->origin.z + (spatial ? x[2] : 0)};
    zn_vec3       push = {p[node->dof[0]], p[node->dof[1]], spatial ? p[node->dof[2]] : 0};
    *linear = zn_vec3_add(*linear, push);
    *angular = zn_vec3_add(*angular, zn_vec3_cross(position, push));
    if (node->kind == ZN_FRAME2)
        angular->z += p[node->dof[5]];
    if (node->kind == ZN_FRAME3)
        *angular = zn_vec3_add(*angular, zn_quat_rotate((zn_quat){x[3], x[4], x[5], x[6]},
                                                        (zn_vec3){p[node->dof[3]], p[node->dof[4]], p[node->dof[5]]}));
}

zn_status zn_system_momentum(const zn_system *sys, zn_at at, int part, double *scratch, zn_vec3 *linear,
                             zn_vec3 *angular)
{
    ZN_ALIVE(sys);
    ZN_ASSERT(part < sys->info.parts && scratch && scratch != at.v && linear && angular);
    memset(scratch, 0, sizeof *scratch * (size_t)sys->info.n_all);
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->inertia)
            ZN_TRY(sys->block[i].ops->inertia(&sys->block[i], at.q, part, at.v, scratch));
    zn_vec3 sum[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < sys->layout.nodes; i++)
        if (zn_node_dimension(sys->layout.node[i].kind) >= 2) // generalized momenta have no direction
            add_node_momentum(&sys->layout.node[i], at.q, scratch, &sum[0], &sum[1]);
    double values[6] = {sum[0].x, sum[0].y, sum[0].z, sum[1].x, sum[1].y, sum[1].z};
    if (sys->reductions.sum)
        sys->reductions.sum(sys->reductions.user, values, 6);
    *linear = (zn_vec3){values[0], values[1], values[2]};
    *angular = (zn_vec3){values[3], values[4], values[5]};
    return ZN_OK;
}
