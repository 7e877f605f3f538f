// Planar rigid body, frame at the centre of mass: T = (m |v|^2 + I w^2) / 2, gravity potential -m g.x.
#include "model/element/element.h"

static const zn_rigid_body2 *parameters(const zn_element_block *b) { return b->parameter; }

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q; // constant
    const zn_rigid_body2 *p = parameters(b);
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const int *dof = b->dof + 3 * e;
        f[dof[0]] += p[e].mass * a[dof[0]];
        f[dof[1]] += p[e].mass * a[dof[1]];
        f[dof[2]] += p[e].inertia * a[dof[2]];
    }
    return ZN_OK;
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)at, (void)c, (void)k;
    for (int e = 0; e < b->count; e++) {
        const zn_rigid_body2 *p = &parameters(b)[e];
        zn_element_scatter(b, e, 0, 0, a * p->mass, values);
        zn_element_scatter(b, e, 1, 1, a * p->mass, values);
        zn_element_scatter(b, e, 2, 2, a * p->inertia, values);
    }
    return ZN_OK;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    const zn_rigid_body2 *p = parameters(b);
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_layout_node *node = &b->layout->node[b->node[e]];
        const int            *dof = b->dof + 3 * e;
        double                vx = at.v[dof[0]], vy = at.v[dof[1]], spin = at.v[dof[2]];
        out->kinetic += 0.5 * (p[e].mass * (vx * vx + vy * vy) + p[e].inertia * spin * spin);
        out->gravity -= p[e].mass * (gravity.x * (node->origin.x + at.q[node->q]) +
                                     gravity.y * (node->origin.y + at.q[node->q + 1]));
    }
    return ZN_OK;
}

static void body(const void *parameter, double *mass, zn_mat3 *J)
{
    const zn_rigid_body2 *p = parameter;
    *mass = p->mass;
    *J = (zn_mat3){{{0}}};
    J->m[0][0] = J->m[1][1] = 0.5 * p->inertia; // a thin square
    J->m[2][2] = p->inertia;
}

const zn_element_ops zn_rigid_body2_ops = {
    .name = "planar rigid body",
    .nodes = 1,
    .dofs = 3,
    .parameter_size = sizeof(zn_rigid_body2),
    .operators = operators,
    .inertia = inertia,
    .energy = energy,
    .body = body,
};
