// Spatial rigid body, frame at the centre of mass, spin W in body axes, where the inertia J is constant:
//     T = (m |v|^2 + W.J W) / 2,   gravity potential -m g.x
//     J W' = -W x J W + torque     the gyroscopic force -W x J W is in `force`, its tangent
//     C = -df/dW = W~ J - (J W)~   is not symmetric; its power W.(W x J W) vanishes.
// Between two states with the Cayley vector w = h (W + W')/2 of the turn, in body axes, and (R + R')/2 = R (I -
// w~/2)^-1,
//     R' J W' - R J W = (R + R')/2 [ J (W' - W) + w x J (W + W')/2 ],
// so that the gyroscopic force of the mean spin keeps energy (w is along it) and angular momentum in world axes.
// Moments m in world axes act as ((R + R')/2)^-1 m = (I - w~/2) R' m with R' transposed, see rigid_way.c.
#include "model/element/element.h"

static const zn_rigid_body3 *parameters(const zn_element_block *b) { return b->parameter; }

static zn_vec3 spin_of(const int *dof, const double *v) { return (zn_vec3){v[dof[3]], v[dof[4]], v[dof[5]]}; }

static zn_vec3 gyroscopic(const zn_rigid_body3 *p, zn_vec3 spin)
{
    return zn_vec3_cross(zn_mat3_apply(p->inertia, spin), spin); // J W x W = -W x J W
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const int *dof = b->dof + 6 * e;
        zn_vec3    moment = gyroscopic(&parameters(b)[e], spin_of(dof, at.v));
        f[dof[3]] += moment.x;
        f[dof[4]] += moment.y;
        f[dof[5]] += moment.z;
    }
    return ZN_OK;
}

static void add_operators(const zn_element_block *b, int e, zn_vec3 spin, double a, double c, double *values)
{
    const zn_rigid_body3 *p = &parameters(b)[e];
    zn_mat3 turn = zn_mat3_product(zn_mat3_skew(spin), p->inertia), own = zn_mat3_skew(zn_mat3_apply(p->inertia, spin));
    for (int i = 0; i < 3; i++) {
        zn_element_scatter(b, e, i, i, a * p->mass, values);
        for (int j = 0; j < 3; j++)
            zn_element_scatter(b, e, 3 + i, 3 + j, a * p->inertia.m[i][j] + c * (turn.m[i][j] - own.m[i][j]), values);
    }
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)k;
    for (int e = 0; e < b->count; e++)
        add_operators(b, e, spin_of(b->dof + 6 * e, at.v), a, c, values);
    return ZN_OK;
}

// --- between two states ----------------------------------------------------------------------------

static const char *lacks(const zn_element_block *b, int e)
{
    (void)b, (void)e;
    return NULL;
}

static zn_vec3 mean_spin(const int *dof, zn_between s)
{
    return zn_vec3_scale(0.5, zn_vec3_add(spin_of(dof, s.from.v), spin_of(dof, s.to.v)));
}

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const int *dof = b->dof + 6 * e;
        zn_vec3    moment = gyroscopic(&parameters(b)[e], mean_spin(dof, s));
        f[dof[3]] += moment.x;
        f[dof[4]] += moment.y;
        f[dof[5]] += moment.z;
    }
    return ZN_OK;
}

// The mean spin changes by half of that at the end.
static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    (void)k;
    for (int e = 0; e < b->count; e++)
        add_operators(b, e, mean_spin(b->dof + 6 * e, s), a, 0.5 * c, values);
    return ZN_OK;
}

static const zn_between_ops between = {lacks, force_between, operators_between};

// --- inertia and energy ----------------------------------------------------------------------------

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q; // constant in body axes
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_rigid_body3 *p = &parameters(b)[e];
        const int            *dof = b->dof + 6 * e;
        zn_vec3               moment = zn_mat3_apply(p->inertia, spin_of(dof, a));
        for (int i = 0; i < 3; i++)
            f[dof[i]] += p->mass * a[dof[i]];
        f[dof[3]] += moment.x;
        f[dof[4]] += moment.y;
        f[dof[5]] += moment.z;
    }
    return ZN_OK;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_rigid_body3 *p = &parameters(b)[e];
        const zn_layout_node *node = &b->layout->node[b->node[e]];
        const int            *dof = b->dof + 6 * e;
        zn_vec3               v = {at.v[dof[0]], at.v[dof[1]], at.v[dof[2]]}, spin = spin_of(dof, at.v);
        zn_vec3 x = zn_vec3_add(node->origin, zn_vec3_make(at.q[node->q], at.q[node->q + 1], at.q[node->q + 2]));
        out->kinetic += 0.5 * (p->mass * zn_vec3_dot(v, v) + zn_vec3_dot(spin, zn_mat3_apply(p->inertia, spin)));
        out->gravity -= p->mass * zn_vec3_dot(gravity, x);
    }
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    for (int e = 0; e < b->count; e++) {
        const int *dof = b->dof + 6 * e;
        out->gyroscopic += zn_vec3_dot(gyroscopic(&parameters(b)[e], spin_of(dof, at.v)), spin_of(dof, w));
    }
    return ZN_OK;
}

static void body(const void *parameter, double *mass, zn_mat3 *J)
{
    const zn_rigid_body3 *p = parameter;
    *mass = p->mass;
    *J = p->inertia;
}

const zn_element_ops zn_rigid_body3_ops = {
    .name = "spatial rigid body",
    .nodes = 1,
    .dofs = 6,
    .parameter_size = sizeof(zn_rigid_body3),
    .linear = zn_element_never_linear,
    .force = force,
    .operators = operators,
    .inertia = inertia,
    .energy = energy,
    .power = power,
    .velocity_force = zn_element_gyroscopic,
    .between = &between,
    .body = body,
};
