// Spatial rigid body with the same moment of inertia I about all axes (spheres, cubes), frame at the centre of mass:
//     T = (m |v|^2 + I |W|^2) / 2,   gravity potential -m g.x.
// There is no gyroscopic force, so the equations are linear, which those of rigid_body3.c are not.
#include "model/element/element.h"

static const zn_round_body *parameters(const zn_element_block *b) { return b->parameter; }

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q; // constant
    const zn_round_body *p = parameters(b);
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const int *dof = b->dof + 6 * e;
        for (int i = 0; i < 6; i++)
            f[dof[i]] += (i < 3 ? p[e].mass : p[e].inertia) * a[dof[i]];
    }
    return ZN_OK;
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)at, (void)c, (void)k;
    const zn_round_body *p = parameters(b);
    for (int e = 0; e < b->count; e++)
        for (int i = 0; i < 6; i++)
            zn_element_scatter(b, e, i, i, a * (i < 3 ? p[e].mass : p[e].inertia), values);
    return ZN_OK;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    const zn_round_body *p = parameters(b);
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_layout_node *node = &b->layout->node[b->node[e]];
        const int            *dof = b->dof + 6 * e;
        zn_vec3 v = {at.v[dof[0]], at.v[dof[1]], at.v[dof[2]]}, spin = {at.v[dof[3]], at.v[dof[4]], at.v[dof[5]]};
        zn_vec3 x = zn_vec3_add(node->origin, zn_vec3_make(at.q[node->q], at.q[node->q + 1], at.q[node->q + 2]));
        out->kinetic += 0.5 * (p[e].mass * zn_vec3_dot(v, v) + p[e].inertia * zn_vec3_dot(spin, spin));
        out->gravity -= p[e].mass * zn_vec3_dot(gravity, x);
    }
    return ZN_OK;
}

static void body(const void *parameter, double *mass, zn_mat3 *J)
{
    const zn_round_body *p = parameter;
    *mass = p->mass;
    *J = (zn_mat3){{{0}}};
    J->m[0][0] = J->m[1][1] = J->m[2][2] = p->inertia;
}

const zn_element_ops zn_round_body_ops = {
    .name = "round rigid body",
    .nodes = 1,
    .dofs = 6,
    .parameter_size = sizeof(zn_round_body),
    .operators = operators,
    .inertia = inertia,
    .energy = energy,
    .body = body,
};
