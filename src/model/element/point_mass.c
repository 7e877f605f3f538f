// Point mass on a point node: T = m |v|^2 / 2, gravity potential -m g.x.
#include "model/element/element.h"

static const zn_point_mass *parameters(const zn_element_block *b) { return b->parameter; }

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q; // constant
    const zn_point_mass *p = parameters(b);
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        for (int i = 0; i < 3; i++) {
            int dof = b->dof[3 * e + i];
            if (dof >= 0)
                f[dof] += p[e].mass * a[dof];
        }
    }
    return ZN_OK;
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)at, (void)c, (void)k;
    for (int e = 0; e < b->count; e++)
        for (int i = 0; i < 3; i++)
            zn_element_scatter(b, e, i, i, a * parameters(b)[e].mass, values);
    return ZN_OK;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    const zn_point_mass *p = parameters(b);
    const double         g[3] = {gravity.x, gravity.y, gravity.z};
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_layout_node *node = &b->layout->node[b->node[e]];
        const double          origin[3] = {node->origin.x, node->origin.y, node->origin.z};
        double                square = 0, height = 0;
        for (int i = 0; i < 3; i++) {
            int dof = b->dof[3 * e + i];
            if (dof < 0)
                continue;
            square += at.v[dof] * at.v[dof];
            height += g[i] * (origin[i] + at.q[node->q + i]);
        }
        out->kinetic += 0.5 * p[e].mass * square;
        out->gravity -= p[e].mass * height;
    }
    return ZN_OK;
}

static void body(const void *parameter, double *mass, zn_mat3 *J)
{
    const zn_point_mass *p = parameter;
    *mass = p->mass;
    *J = (zn_mat3){{{0}}};
}

const zn_element_ops zn_point_mass_ops = {
    .name = "point mass",
    .nodes = 1,
    .dofs = 3,
    .parameter_size = sizeof(zn_point_mass),
    .operators = operators,
    .inertia = inertia,
    .energy = energy,
    .body = body,
};
