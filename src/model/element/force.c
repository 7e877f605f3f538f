// Force at a carried point and torque on a planar frame, functions of time:  f = J' F(t).
// Off the centre of a frame the lever turns with the body: K = -d(J'F)/dq.
#include "model/attachment.h"
#include "model/element/element.h"
#include "model/element/lever_row.h"

static const zn_force *parameters(const zn_element_block *b) { return b->parameter; }

static double value_of(const zn_signal *signal, zn_at at)
{
    return signal ? (1 - at.relief) * zn_signal_at(signal, at.t) : 0;
}

static zn_vec3 force_at(const zn_force *p, zn_at at)
{
    return (zn_vec3){value_of(p->force[0], at), value_of(p->force[1], at), value_of(p->force[2], at)};
}

static bool has_lever(const zn_element_block *b, int e) { return zn_lever_exists(b->layout, &parameters(b)[e].point); }

static bool linear(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (has_lever(b, e))
            return false;
    return true;
}

static zn_status check_finite(const zn_element_block *b, int e, zn_vec3 f, double torque, double t)
{
    if (isfinite(f.x) && isfinite(f.y) && isfinite(f.z) && isfinite(torque))
        return ZN_OK;
    return zn_fail_here(b->log, ZN_NOT_FINITE, "load '%s': not a finite number at t = %g s", b->part_name[b->part[e]],
                        t);
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const zn_force *p = &parameters(b)[e];
        zn_vec3         F = force_at(p, at);
        double          torque = value_of(p->torque, at);
        ZN_TRY(check_finite(b, e, F, torque, at.t));
        int    dof[ZN_ATTACHMENT_DOFS];
        double row[ZN_ATTACHMENT_DOFS];
        int    count = zn_attachment_row(b->layout, &p->point, at.q, F, dof, row);
        for (int i = 0; i < count; i++)
            f[dof[i]] += row[i];
        if (p->torque)
            f[b->layout->node[p->point.node.value - 1].dof[5]] += torque;
    }
    return ZN_OK;
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)a, (void)c;
    for (int e = 0; e < b->count; e++) {
        const zn_force *p = &parameters(b)[e];
        zn_vec3         F = force_at(p, at);
        zn_mat3         S = zn_attachment_curvature(b->layout, &p->point, at.q, F);
        ZN_TRY(check_finite(b, e, F, 0, at.t));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                zn_element_scatter(b, e, 3 + i, 3 + j, -k * S.m[i][j], values);
    }
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    for (int e = 0; e < b->count; e++) {
        const zn_force *p = &parameters(b)[e];
        int             dof[ZN_ATTACHMENT_DOFS];
        double          row[ZN_ATTACHMENT_DOFS];
        int             count = zn_attachment_row(b->layout, &p->point, at.q, force_at(p, at), dof, row);
        for (int i = 0; i < count; i++)
            out->load += row[i] * w[dof[i]];
        if (p->torque)
            out->load += value_of(p->torque, at) * w[b->layout->node[p->point.node.value - 1].dof[5]];
    }
    return ZN_OK;
}

// --- between two states ----------------------------------------------------------------------------
// The load of the middle of the times, on the mean lever: its work is F.(x_1 - x_0) of the point, and M times the way
// of a turn.

static const char *lacks_between(const zn_element_block *b, int e)
{
    return zn_lever_lacks(b->layout, &parameters(b)[e].point);
}

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    zn_at at = zn_between_load(s);
    for (int e = 0; e < b->count; e++) {
        const zn_force *p = &parameters(b)[e];
        const int      *dof = b->dof + ZN_ATTACHMENT_DOFS * e;
        zn_rigid_way    way = zn_rigid_way_of(b->layout, p->point.node, s);
        zn_vec3         F = force_at(p, at);
        double          torque = value_of(p->torque, at), row[ZN_ATTACHMENT_DOFS];
        ZN_TRY(check_finite(b, e, F, torque, at.t));
        zn_lever_row(&way, zn_rigid_way_lever(&way, p->point.at), F, row);
        row[5] += torque;
        for (int i = 0; i < ZN_ATTACHMENT_DOFS; i++)
            if (dof[i] >= 0)
                f[dof[i]] += row[i];
    }
    return ZN_OK;
}

static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    (void)a, (void)c;
    for (int e = 0; e < b->count; e++) {
        const zn_force *p = &parameters(b)[e];
        if (!has_lever(b, e))
            continue;
        zn_rigid_way way = zn_rigid_way_of(b->layout, p->point.node, s);
        zn_vec3      lever = zn_rigid_way_lever(&way, p->point.at), F = force_at(p, zn_between_load(s));
        ZN_TRY(check_finite(b, e, F, 0, zn_between_load(s).t));
        for (int j = zn_node_dimension(way.to.node->kind); j < zn_rigid_way_dofs(&way); j++) {
            zn_rigid_motion x = zn_rigid_way_unit(&way, j);
            double          change[ZN_ATTACHMENT_DOFS];
            zn_lever_row_change(&way, &x, lever, F, zn_rigid_way_lever_change(&way, p->point.at, &x),
                                zn_vec3_make(0, 0, 0), change);
            for (int i = 3; i < ZN_ATTACHMENT_DOFS; i++)
                zn_element_scatter(b, e, i, zn_lever_place(&way, j), -k * change[i], values);
        }
    }
    return ZN_OK;
}

static const zn_between_ops between = {lacks_between, force_between, operators_between};

const zn_element_ops zn_force_ops = {
    .name = "force",
    .nodes = 1,
    .dofs = ZN_ATTACHMENT_DOFS,
    .parameter_size = sizeof(zn_force),
    .linear = linear,
    .force = force,
    .load = true,
    .operators = operators,
    .power = power,
    .between = &between,
};
