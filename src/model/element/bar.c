// Linear bar: two nodes with a position, stiff along the fixed direction d of the undeformed bar only.
//     e = d.(u_2 - u_1),  N = k e,  k = E A / l,  V = k e^2 / 2
//     K = k [dd' -dd'; -dd' dd'],  consistent M = m/6 [2I I; I 2I],  lumped M = m/2 I,  m = rho A l
//     C = alpha M + beta K
// Acary (2013), eq. (71). Coordinates of nodes of flexible parts are displacements (the origin holds the position), so
// that e keeps all its digits; those of bodies are positions, what they are at the start is taken off.
#include <string.h>

#include "base/wide.h"
#include "model/element/element.h"

static const zn_bar *parameters(const zn_element_block *b) { return b->parameter; }
static int           dimension(const zn_element_block *b) { return b->ops->dofs / 2; }

// What every step does is compiled for each dimension by itself, so that loops over it are none.
#define FOR_DIMENSION(function, b, ...)                                                                                \
    (dimension(b) == 1   ? function(b, 1, __VA_ARGS__)                                                                 \
     : dimension(b) == 2 ? function(b, 2, __VA_ARGS__)                                                                 \
                         : function(b, 3, __VA_ARGS__))

ZN_INLINE double elongation(const zn_element_block *b, int e, int dim, const double *q)
{
    const double *d = parameters(b)[e].direction;
    const double *u1 = q + b->layout->node[b->node[2 * e]].q, *u2 = q + b->layout->node[b->node[2 * e + 1]].q;
    double        sum = 0;
    for (int i = 0; i < dim; i++)
        sum += d[i] * (u2[i] - u1[i]);
    return sum - parameters(b)[e].rest;
}

// M a = m [(1/2 - c) a1 + c a2; c a1 + (1/2 - c) a2] with coupling c = 1/6 or 0.
ZN_INLINE zn_status inertia_in(const zn_element_block *b, int dim, int part, const double *a, double *f)
{
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_bar *p = &parameters(b)[e];
        const int    *dof = b->dof + 2 * dim * e;
        double        own = p->mass * (0.5 - p->coupling), other = p->mass * p->coupling;
        for (int i = 0; i < dim; i++) {
            double a1 = a[dof[i]], a2 = a[dof[dim + i]];
            f[dof[i]] += own * a1 + other * a2;
            f[dof[dim + i]] += other * a1 + own * a2;
        }
    }
    return ZN_OK;
}

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q; // constant
    return FOR_DIMENSION(inertia_in, b, part, a, f);
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)at;
    int dim = dimension(b);
    for (int e = 0; e < b->count; e++) {
        const zn_bar *p = &parameters(b)[e];
        double        heavy = a + c * p->damping.mass, stiff = k + c * p->damping.stiffness;
        double        own = heavy * p->mass * (0.5 - p->coupling), other = heavy * p->mass * p->coupling;
        for (int i = 0; i < dim; i++) {
            zn_element_scatter(b, e, i, i, own, values);
            zn_element_scatter(b, e, dim + i, dim + i, own, values);
            zn_element_scatter(b, e, i, dim + i, other, values);
            zn_element_scatter(b, e, dim + i, i, other, values);
            for (int j = 0; j < dim; j++) {
                double stiffness = stiff * p->stiffness * p->direction[i] * p->direction[j];
                zn_element_scatter(b, e, i, j, stiffness, values);
                zn_element_scatter(b, e, dim + i, dim + j, stiffness, values);
                zn_element_scatter(b, e, i, dim + j, -stiffness, values);
                zn_element_scatter(b, e, dim + i, j, -stiffness, values);
            }
        }
    }
    return ZN_OK;
}

ZN_INLINE zn_status energy_in(const zn_element_block *b, int dim, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    const double g[3] = {gravity.x, gravity.y, gravity.z};
    double       kinetic = 0, strain = 0, potential = 0;
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_bar         *p = &parameters(b)[e];
        const int            *dof = b->dof + 2 * dim * e;
        const zn_layout_node *n1 = &b->layout->node[b->node[2 * e]], *n2 = &b->layout->node[b->node[2 * e + 1]];
        const double          o1[3] = {n1->origin.x, n1->origin.y, n1->origin.z};
        const double          o2[3] = {n2->origin.x, n2->origin.y, n2->origin.z};
        double                stretch = elongation(b, e, dim, at.q);
        strain += 0.5 * p->stiffness * stretch * stretch;
        double square = 0, height = 0;
        for (int i = 0; i < dim; i++) {
            double v1 = at.v[dof[i]], v2 = at.v[dof[dim + i]];
            square += (0.5 - p->coupling) * (v1 * v1 + v2 * v2) + 2 * p->coupling * v1 * v2;
            height += g[i] * (o1[i] + at.q[n1->q + i] + o2[i] + at.q[n2->q + i]);
        }
        kinetic += 0.5 * p->mass * square;
        potential -= 0.5 * p->mass * height;
    }
    out->kinetic += kinetic;
    out->strain += strain;
    out->gravity += potential;
    return ZN_OK;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    return FOR_DIMENSION(energy_in, b, at, part, gravity, out);
}

// f = C v of element e.
static void damping_force(const zn_element_block *b, int e, int dim, const double *v, double f[6])
{
    const zn_bar *p = &parameters(b)[e];
    const int    *dof = b->dof + 2 * dim * e;
    double own = p->damping.mass * p->mass * (0.5 - p->coupling), other = p->damping.mass * p->mass * p->coupling;
    double rate = 0;
    for (int i = 0; i < dim; i++)
        rate += p->direction[i] * (v[dof[dim + i]] - v[dof[i]]);
    for (int i = 0; i < dim; i++) {
        double v1 = v[dof[i]], v2 = v[dof[dim + i]],
               drag = p->damping.stiffness * p->stiffness * rate * p->direction[i];
        f[i] = own * v1 + other * v2 - drag;
        f[dim + i] = other * v1 + own * v2 + drag;
    }
}

static zn_velocity_force velocity_force(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (zn_is_damped(parameters(b)[e].damping))
            return ZN_VELOCITY_DAMPER;
    return ZN_VELOCITY_NONE;
}

ZN_INLINE zn_status power_in(const zn_element_block *b, int dim, zn_at at, const double *w, zn_power *out)
{
    double sum = 0;
    for (int e = 0; e < b->count; e++) {
        const zn_bar *p = &parameters(b)[e];
        const int    *dof = b->dof + 2 * dim * e;
        double        rate = 0;
        for (int i = 0; i < dim; i++)
            rate += p->direction[i] * (w[dof[dim + i]] - w[dof[i]]);
        sum -= p->stiffness * elongation(b, e, dim, at.q) * rate;
        if (!zn_is_damped(p->damping))
            continue;
        double drag[6];
        damping_force(b, e, dim, at.v, drag);
        for (int i = 0; i < 2 * dim; i++)
            out->damper -= drag[i] * w[dof[i]];
    }
    out->strain += sum;
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    return FOR_DIMENSION(power_in, b, at, w, out);
}

static bool alike(const zn_element_block *b, const double *q, int e, int other)
{
    (void)q;
    return memcmp(&parameters(b)[e], &parameters(b)[other], sizeof(zn_bar)) == 0;
}

ZN_INLINE zn_status force_energy_in(const zn_element_block *b, int dim, int first, int count, zn_at at, double *f,
                                    double *strain)
{
    double sum = 0;
    for (int e = first; e < first + count; e++) {
        const zn_bar *p = &parameters(b)[e];
        const int    *dof = b->dof + 2 * dim * e;
        double        stretch = elongation(b, e, dim, at.q), tension = p->stiffness * stretch;
        for (int i = 0; i < dim; i++) {
            f[dof[i]] += tension * p->direction[i];
            f[dof[dim + i]] -= tension * p->direction[i];
        }
        sum += 0.5 * tension * stretch;
    }
    *strain += sum;
    return ZN_OK;
}

static zn_status force_energy(const zn_element_block *b, int first, int count, zn_at at, double *f, double *strain)
{
    return FOR_DIMENSION(force_energy_in, b, first, count, at, f, strain);
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    double strain = 0, drag[6];
    int    dim = dimension(b);
    ZN_TRY(force_energy(b, 0, b->count, at, f, &strain));
    for (int e = 0; e < b->count; e++) {
        if (!zn_is_damped(parameters(b)[e].damping))
            continue;
        damping_force(b, e, dim, at.v, drag);
        for (int i = 0; i < 2 * dim; i++)
            f[b->dof[2 * dim * e + i]] -= drag[i];
    }
    return ZN_OK;
}

// --- between two states: everything is linear, so that means of the ends will do -------------------

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    int dim = dimension(b);
    for (int e = 0; e < b->count; e++) {
        const zn_bar *p = &parameters(b)[e];
        const int    *dof = b->dof + 2 * dim * e;
        double        pull = 0.5 * p->stiffness * (elongation(b, e, dim, s.from.q) + elongation(b, e, dim, s.to.q));
        double        from[6] = {0}, to[6] = {0};
        if (zn_is_damped(p->damping)) {
            damping_force(b, e, dim, s.from.v, from);
            damping_force(b, e, dim, s.to.v, to);
        }
        for (int i = 0; i < dim; i++) {
            f[dof[i]] += pull * p->direction[i] - 0.5 * (from[i] + to[i]);
            f[dof[dim + i]] -= pull * p->direction[i] + 0.5 * (from[dim + i] + to[dim + i]);
        }
    }
    return ZN_OK;
}

// Half of K and C belong to the end.
static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    return operators(b, s.to, a, 0.5 * c, 0.5 * k, values);
}

static const char *lacks_nothing(const zn_element_block *b, int e)
{
    (void)b, (void)e;
    return NULL;
}

static const zn_between_ops between = {lacks_nothing, force_between, operators_between};

static double tension(const zn_element_block *b, int e, const double *q)
{
    return parameters(b)[e].stiffness * elongation(b, e, dimension(b), q);
}

static const zn_cell cell = {.name = "bar",
                             .vtk = 3, // VTK_LINE
                             .dim = 1,
                             .stress_name = "axial force",
                             .stress_unit = "N",
                             .stress = tension,
                             .measure = zn_cell_length};

// The force of strain and of its rate.
static double axial_force(const zn_element_block *b, int e, int which, zn_at at)
{
    const zn_bar *p = &parameters(b)[e];
    double        rate = 0;
    (void)which;
    for (int i = 0; p->damping.stiffness > 0 && i < dimension(b); i++)
        rate += p->direction[i] *
                (at.v[b->layout->node[b->node[2 * e + 1]].dof[i]] - at.v[b->layout->node[b->node[2 * e]].dof[i]]);
    return tension(b, e, at.q) + p->stiffness * p->damping.stiffness * rate;
}

static const zn_reading  reading[] = {{"axial", "N", "axial force of the section, positive when it pulls"}};
static const zn_readings readings = {1, reading, axial_force, NULL};

#define BAR_OPS(dim)                                                                                                   \
    {                                                                                                                  \
        .name = "bar", .nodes = 2, .dofs = 2 * (dim), .parameter_size = sizeof(zn_bar), .force = force,                \
        .operators = operators, .inertia = inertia, .energy = energy, .power = power, .alike = alike,                  \
        .force_energy = force_energy, .velocity_force = velocity_force, .cell = &cell, .between = &between,            \
        .readings = &readings,                                                                                         \
    }

const zn_element_ops zn_bar2_ops = BAR_OPS(2);
const zn_element_ops zn_bar3_ops = BAR_OPS(3);
