// The configuration group: the only place that moves coordinates. Vector coordinates add; a frame3 turns by
// R exp(dtheta~), so dq holds the rotation vector in body axes. Tangent: right tangent of exp at dtheta. Frames of linear
// beams turn little: their rotation vectors add, which keeps a linear model linear.
#include <float.h>
#include <string.h>

#include "system/system.h"

void zn_system_retract(const zn_system *sys, const double *q, const double *dq, double *q_out)
{
    const int *dof = sys->coordinate_dof;
    if (!sys->frames3) {
        for (int i = 0; i < sys->info.nq; i++)
            q_out[i] = q[i] + dq[dof[i]];
        return;
    }
    for (int i = 0; i < sys->info.nq; i++)
        q_out[i] = dof[i] >= 0 ? q[i] + dq[dof[i]] : q[i];
    for (int k = 0; k < sys->frames3; k++) {
        const zn_layout_node *node = &sys->layout.node[sys->frame3[k]];
        double               *r = q_out + node->q + 3;
        zn_vec3               turn = {dq[node->dof[3]], dq[node->dof[4]], dq[node->dof[5]]};
        if (node->small) {
            zn_small_rotation_set(node, zn_vec3_add(zn_small_rotation(node, r), turn), r);
            continue;
        }
        zn_quat               next = zn_quat_product((zn_quat){r[0], r[1], r[2], r[3]}, zn_so3_exp(turn));
        next = zn_quat_normalize(next);
        memcpy(r, (double[4]){next.w, next.x, next.y, next.z}, 4 * sizeof(double));
    }
}

void zn_system_difference(const zn_system *sys, const double *q1, const double *q0, double *dq)
{
    for (int i = 0; i < sys->info.nq; i++)
        if (sys->coordinate_dof[i] >= 0)
            dq[sys->coordinate_dof[i]] = q1[i] - q0[i];
    for (int k = 0; k < sys->frames3; k++) {
        const zn_layout_node *node = &sys->layout.node[sys->frame3[k]];
        const double         *a = q0 + node->q + 3, *b = q1 + node->q + 3;
        zn_quat               from = {a[0], a[1], a[2], a[3]}, to = {b[0], b[1], b[2], b[3]};
        zn_vec3 turn = node->small ? zn_vec3_sub(zn_small_rotation(node, b), zn_small_rotation(node, a))
                                   : zn_so3_log(zn_quat_product(zn_quat_conjugate(from), to));
        dq[node->dof[3]] = turn.x;
        dq[node->dof[4]] = turn.y;
        dq[node->dof[5]] = turn.z;
    }
}

static void apply_tangent(const zn_system *sys, const double *dq, const double *x, double *y,
                          zn_mat3 (*tangent)(zn_vec3))
{
    if (y != x)
        memcpy(y, x, sizeof *y * (size_t)sys->info.n_all);
    for (int k = 0; k < sys->frames3; k++) {
        const int *dof = sys->layout.node[sys->frame3[k]].dof + 3;
        if (sys->layout.node[sys->frame3[k]].small)
            continue; // rotation vectors add
        zn_mat3    T = tangent((zn_vec3){dq[dof[0]], dq[dof[1]], dq[dof[2]]});
        zn_vec3    r = zn_mat3_apply(T, (zn_vec3){x[dof[0]], x[dof[1]], x[dof[2]]});
        y[dof[0]] = r.x;
        y[dof[1]] = r.y;
        y[dof[2]] = r.z;
    }
}

void zn_system_tangent(const zn_system *sys, const double *dq, const double *x, double *y)
{
    apply_tangent(sys, dq, x, y, zn_so3_tangent);
}

void zn_system_tangent_inverse(const zn_system *sys, const double *dq, const double *x, double *y)
{
    apply_tangent(sys, dq, x, y, zn_so3_tangent_inverse);
}

double zn_system_resolution(const zn_system *sys, const double *q, double *r)
{
    double largest = 0;
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        const double          origin[3] = {node->origin.x, node->origin.y, node->origin.z};
        double                angle = node->kind == ZN_FRAME2 ? fmax(1, fabs(q[node->q + 2])) : 1;
        for (int k = 0; k < zn_node_dimension(node->kind); k++) {
            double size = DBL_EPSILON * fmax(sys->extent, fabs(origin[k]) + fabs(q[node->q + k]));
            largest = size > largest ? size : largest;
            angle = node->lever > 0 ? fmax(angle, size / (DBL_EPSILON * node->lever)) : angle;
            if (r)
                r[node->dof[k]] = size;
        }
        for (int slot = 3; slot < 6 && r; slot++)
            if (node->dof[slot] >= 0)
                r[node->dof[slot]] = DBL_EPSILON * angle;
    }
    return zn_system_max(sys, largest);
}
