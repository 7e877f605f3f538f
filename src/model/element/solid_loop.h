// Loops of a solid element, total Lagrangian. An element file defines NODES, DIM and POINTS and includes this once, so
// that every bound is a constant. With ENHANCED it has strains of its own (solid_enhanced.h), with REDUCED one point
// and a resistance against hourglasses (solid_hourglass.h); mean dilatation is a matter of the parameter.
//     H = grad u = sum_a u_a g_a',  F = I + H,  E = (H + H' + H'H)/2          (linear model: F = I, no product)
//     f_a = -sum_q w F S g_a        C v = alpha M v + beta K0 v
//     K   =  sum_q w (B' D B + (g_a.S g_b) I),   B = dE/du
// K0 is the stiffness of the undeformed element. Vectors of an element are stored by direction: u[DIM][NODES].
// Bonet and Wood (2008), 9.3 to 9.5.
#include <math.h>
#include <string.h>

#include "base/wide.h"
#include "model/element/solid.h"

#ifndef ENHANCED
#define ENHANCED 0
#endif
#ifndef REDUCED
#define REDUCED 0
#endif

enum { DOFS = NODES * DIM, STRAINS = DIM == 3 ? ZN_STRAINS_SPACE : ZN_STRAINS_PLANE };

// Directions of the strains xx, yy, (zz,) xy, (yz, zx).
#if DIM == 3
static const int row_of[STRAINS] = {0, 1, 2, 0, 1, 2}, column_of[STRAINS] = {0, 1, 2, 1, 2, 0};
#else
static const int row_of[STRAINS] = {0, 1, 0}, column_of[STRAINS] = {0, 1, 1};
#endif

typedef struct vectors {
    double at[DIM][NODES];
} vectors;

// y += factor x over the nodes, two at a time: compilers unroll a loop over so few and then see no vectors.
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline void add_scaled(double factor, const double *x, double *y)
{
    for (int a = 0; a < NODES; a += 2)
        *(pair *)(y + a) += factor * *(const pair *)(x + a);
}

// All points of an element, and all nodes, as one vector each; the compiler splits them to what the processor has. The
// only point of reduced elements comes twice: compilers have no good vectors of one.
enum { LANES = REDUCED ? 2 : POINTS };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double))));
typedef double node_lanes __attribute__((vector_size(NODES * sizeof(double)), aligned(sizeof(double))));

enum { MODES = DIM == 3 ? 4 : 1, EXTRA = DIM * DIM, AXES = DIM == 3 ? 4 : 2 }; // hourglasses, enhanced strains
typedef double mode_lanes __attribute__((vector_size(MODES * sizeof(double)), aligned(sizeof(double))));
typedef double axis_lanes __attribute__((vector_size(AXES * sizeof(double)), aligned(sizeof(double))));

// What an element keeps, in zn_solid.data. The mapping from the parent element, dxi_l/dX_k, gives gradients g at
// points.
typedef struct mapping {
    lanes weight;
#if REDUCED
    axis_lanes at_node[NODES];            // mean gradients, by node
    node_lanes g[DIM];                    // the same by direction
    mode_lanes bent[DIM];                 // hourglasses that the mesh has itself
    double     edge[DIM][DIM];            // dX/dxi_l in the middle
    double     metric[DIM];               // 1/|dX/dxi_l|^2
    double     bend, across, twist, last; // stiffnesses of hourglasses
    double     mass[NODES];               // weights of the points of the mass
#else
    lanes inverse[DIM][DIM];
#endif
#if ENHANCED
    double volume, axis[DIM][DIM];    // in the middle: w and dxi_l/dX
    double flexibility[EXTRA][EXTRA]; // of the enhanced strains
#endif
} mapping;
_Static_assert(sizeof(mapping) <= ZN_SOLID_ROOM * sizeof(double), "the largest of all kinds");

// The parent element: derivatives of the shape functions at the points, shape functions at the points of the mass.
enum { MASS_POINTS = POINTS == 1 ? NODES : POINTS };
typedef struct parent {
    lanes      at_points[DIM][NODES]; // derivative l of shape function a
    node_lanes at_nodes[POINTS][DIM];
    lanes      place[DIM]; // of the points
    double     N[MASS_POINTS][NODES];
    double     mass_share; // of a mass point in the weight of the stiffness point it belongs to
} parent;

static const zn_solid_kind *own_kind(void);

static const zn_solid *element(const zn_element_block *b, int e)
{
    return (const zn_solid *)((const char *)b->parameter + (size_t)e * b->ops->parameter_size);
}

static const mapping *mapping_of(const zn_solid *p) { return (const mapping *)p->data; }

static void make_parent(parent *t)
{
    const zn_solid_kind *kind = own_kind();
    double               N[NODES], dN[NODES][3];
    for (int q = 0; q < POINTS; q++) {
        kind->shape(kind->point[q].at, N, dN);
        for (int l = 0; l < DIM; l++) {
            t->place[l][q] = kind->point[q].at[l];
            for (int a = 0; a < NODES; a++)
                t->at_points[l][a][q] = t->at_nodes[q][l][a] = dN[a][l];
        }
    }
    for (int q = 0; q < MASS_POINTS; q++)
        kind->shape(kind->mass_point[q].at, t->N[q], dN);
    t->mass_share = kind->mass_point[0].weight / kind->point[0].weight;
}

// m_ab = density sum_q w N_a N_b; lumped: the sum of each row on the diagonal.
static double mass_weight(const zn_solid *p, const parent *t, int q)
{
#if REDUCED
    (void)t;
    return p->density * mapping_of(p)->mass[q];
#else
    return p->density * t->mass_share * mapping_of(p)->weight[POINTS == 1 ? 0 : q];
#endif
}

// Its diagonal where it is lumped: shape functions add up to 1.
static void lumped_mass(const zn_solid *p, const parent *t, double m[NODES])
{
    memset(m, 0, sizeof(double) * NODES);
    for (int q = 0; q < MASS_POINTS; q++) {
        double w = mass_weight(p, t, q);
        for (int a = 0; a < NODES; a++)
            m[a] += w * t->N[q][a];
    }
}

static void mass_matrix(const zn_solid *p, const parent *t, double m[NODES][NODES])
{
    memset(m, 0, sizeof(double) * NODES * NODES);
    if (p->lumped) {
        double own[NODES];
        lumped_mass(p, t, own);
        for (int a = 0; a < NODES; a++)
            m[a][a] = own[a];
        return;
    }
    for (int q = 0; q < MASS_POINTS; q++) {
        double w = mass_weight(p, t, q);
        for (int a = 0; a < NODES; a++)
            for (int c = 0; c < NODES; c++)
                m[a][c] += w * t->N[q][a] * t->N[q][c];
    }
}

static void gather_q(const zn_element_block *b, int e, const double *q, vectors *u)
{
    for (int a = 0; a < NODES; a++) {
        const double *x = q + b->layout->node[b->node[e * NODES + a]].q;
        for (int i = 0; i < DIM; i++)
            u->at[i][a] = x[i];
    }
}

static void gather(const zn_element_block *b, int e, const double *v, vectors *u)
{
    const int *dof = b->dof + (size_t)e * DOFS;
    for (int a = 0; a < NODES; a++)
        for (int i = 0; i < DIM; i++)
            u->at[i][a] = v[dof[a * DIM + i]];
}

static void add(const zn_element_block *b, int e, double factor, const vectors *u, double *f)
{
    const int *dof = b->dof + (size_t)e * DOFS;
    for (int a = 0; a < NODES; a++)
        for (int i = 0; i < DIM; i++)
            f[dof[a * DIM + i]] += factor * u->at[i][a];
}

static zn_status inverted(const zn_element_block *b, int e, double J)
{
    return zn_fail_here(b->log, ZN_INVALID_STATE, "part '%s': element %d is inverted or crushed (J = %g)",
                        b->part_name[b->part[e]], element(b, e)->number, J);
}

#include "model/element/solid_fast.h" // forces
#include "model/element/solid_stiffness.h"

// --- mass and damping ----------------------------------------------------------------------------

// out += factor M u
static void add_mass(const zn_solid *p, const parent *t, const vectors *u, double factor, vectors *out)
{
    double m[NODES][NODES], own[NODES];
    if (p->lumped) {
        lumped_mass(p, t, own);
        for (int i = 0; i < DIM; i++)
            for (int a = 0; a < NODES; a++)
                out->at[i][a] += factor * own[a] * u->at[i][a];
        return;
    }
    mass_matrix(p, t, m);
    for (int i = 0; i < DIM; i++)
        for (int c = 0; c < NODES; c++)
            add_scaled(factor * u->at[i][c], m[c], out->at[i]);
}

static bool is_damped(const zn_solid *p) { return p->mass_damping != 0 || p->stiffness_damping != 0; }

// out += (alpha M + beta K0) v
static void add_damping(const zn_solid *p, const parent *t, const vectors *v, vectors *out)
{
    zn_solid_material reference = zn_solid_material_reference(&p->material);
    vectors           own;
    double            energy, J;
    if (p->mass_damping != 0)
        add_mass(p, t, v, p->mass_damping, out);
    if (p->stiffness_damping == 0)
        return;
    internal(p, &reference, t, v, &own, &energy, &J);
    for (int i = 0; i < DIM; i++)
        add_scaled(p->stiffness_damping, own.at[i], out->at[i]);
}

// --- operations on a block -----------------------------------------------------------------------

static bool linear(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (element(b, e)->material.model != ZN_SOLID_LINEAR)
            return false;
    return true;
}

static zn_velocity_force velocity_force(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (is_damped(element(b, e)))
            return ZN_VELOCITY_DAMPER;
    return ZN_VELOCITY_NONE;
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    parent t;
    make_parent(&t);
    for (int e = 0; e < b->count; e++) {
        const zn_solid *p = element(b, e);
        vectors         u, sum;
        double          strain, J;
        gather_q(b, e, at.q, &u);
        if (!internal(p, &p->material, &t, &u, &sum, &strain, &J))
            return inverted(b, e, J);
        if (is_damped(p)) {
            gather(b, e, at.v, &u);
            add_damping(p, &t, &u, &sum);
        }
        add(b, e, -1, &sum, f);
    }
    return ZN_OK;
}

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q; // constant
    parent t;
    make_parent(&t);
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        vectors u, sum = {{{0}}};
        gather(b, e, a, &u);
        add_mass(element(b, e), &t, &u, 1, &sum);
        add(b, e, 1, &sum, f);
    }
    return ZN_OK;
}

static void scatter(const zn_element_block *b, int e, double K[DOFS][DOFS], double G[NODES][NODES], double *values)
{
    const int *place = b->scatter + (size_t)e * DOFS * DOFS;
    for (int a = 0; a < NODES; a++)
        for (int i = 0; i < DIM; i++)
            for (int c = 0; c < NODES; c++)
                for (int k = 0; k < DIM; k++, place++) {
                    int row = i * NODES + a, column = k * NODES + c;
                    if (*place >= 0)
                        values[*place] += (row >= column ? K[row][column] : K[column][row]) + (i == k ? G[a][c] : 0);
                }
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    parent t;
    make_parent(&t);
    for (int e = 0; e < b->count; e++) {
        const zn_solid   *p = element(b, e);
        zn_solid_material reference = zn_solid_material_reference(&p->material);
        double            K[DOFS][DOFS] = {{0}}, G[NODES][NODES], mass = a + c * p->mass_damping, J;
        vectors           u, zero = {{{0}}};
        mass_matrix(p, &t, G);
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++)
                G[i][j] *= mass;
        if (k != 0) {
            gather_q(b, e, at.q, &u);
            if (!add_stiffness(p, &t, &p->material, &u, k, K, G, &J))
                return inverted(b, e, J);
        }
        if (c * p->stiffness_damping != 0)
            add_stiffness(p, &t, &reference, &zero, c * p->stiffness_damping, K, G, &J);
        scatter(b, e, K, G, values);
    }
    return ZN_OK;
}

// --- energy and power ----------------------------------------------------------------------------

static double dot(const vectors *x, const vectors *y)
{
    double sum = 0;
    for (int i = 0; i < DIM; i++)
        for (int a = 0; a < NODES; a++)
            sum += x->at[i][a] * y->at[i][a];
    return sum;
}

// -sum_a m_a g.(X_a + u_a) with the row sums m_a of the mass, as gravity forces are M g.
static double potential_of(const zn_element_block *b, const parent *t, int e, const vectors *u, zn_vec3 gravity)
{
    const double g[3] = {gravity.x, gravity.y, gravity.z};
    double       sum = 0, m[NODES][NODES];
    mass_matrix(element(b, e), t, m);
    for (int a = 0; a < NODES; a++) {
        zn_vec3      origin = b->layout->node[b->node[e * NODES + a]].origin;
        const double X[3] = {origin.x, origin.y, origin.z};
        double       height = 0, mass = 0;
        for (int i = 0; i < DIM; i++)
            height += g[i] * (X[i] + u->at[i][a]);
        for (int c = 0; c < NODES; c++)
            mass += m[a][c];
        sum -= mass * height;
    }
    return sum;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    parent t;
    double kinetic = 0, strain = 0, potential = 0;
    make_parent(&t);
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_solid *p = element(b, e);
        vectors         u, v, r, momentum = {{{0}}};
        double          own, J;
        gather_q(b, e, at.q, &u);
        gather(b, e, at.v, &v);
        if (!internal(p, &p->material, &t, &u, &r, &own, &J))
            return inverted(b, e, J);
        strain += own;
        add_mass(p, &t, &v, 1, &momentum);
        kinetic += 0.5 * dot(&momentum, &v);
        potential += potential_of(b, &t, e, &u, gravity);
    }
    out->kinetic += kinetic;
    out->strain += strain;
    out->gravity += potential;
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    parent t;
    double strain = 0, damper = 0;
    make_parent(&t);
    for (int e = 0; e < b->count; e++) {
        const zn_solid *p = element(b, e);
        vectors         u, rate, sum, damping = {{{0}}};
        double          own, J;
        gather_q(b, e, at.q, &u);
        gather(b, e, w, &rate);
        if (!internal(p, &p->material, &t, &u, &sum, &own, &J))
            return inverted(b, e, J);
        strain -= dot(&sum, &rate);
        if (is_damped(p)) {
            gather(b, e, at.v, &u);
            add_damping(p, &t, &u, &damping);
            damper -= dot(&damping, &rate);
        }
    }
    out->strain += strain;
    out->damper += damper;
    return ZN_OK;
}

// Do all nodes have the same displacement?
static bool is_undeformed(const zn_element_block *b, const double *q, int e)
{
    vectors u;
    gather_q(b, e, q, &u);
    for (int i = 0; i < DIM; i++)
        for (int a = 1; a < NODES; a++)
            if (u.at[i][a] != u.at[i][0])
                return false;
    return true;
}

// Equal up to rounding.
static bool near(size_t bytes, const void *first, const void *second)
{
    const double *x = first, *y = second;
    double        size = 0;
    int           count = (int)(bytes / sizeof *x);
    for (int i = 0; i < count; i++)
        size = fmax(size, fabs(y[i]));
    for (int i = 0; i < count; i++)
        if (!(fabs(x[i] - y[i]) <= 1e-10 * size))
            return false;
    return true;
}

#define SAME(field) near(sizeof x->field, &x->field, &y->field)

static bool same_mapping(const mapping *x, const mapping *y)
{
#if REDUCED
    return SAME(weight) && SAME(g) && SAME(edge) && SAME(mass) &&
           near(sizeof x->bent + sizeof x->edge, x->bent, y->bent); // which may be 0: beside the edges
#else
    return SAME(weight) && SAME(inverse); // the rest follows from them
#endif
}

// As in a mesh of equal elements.
static bool alike(const zn_element_block *b, const double *q, int e, int other)
{
    const zn_solid *x = element(b, e), *y = element(b, other);
    if (memcmp(&x->material, &y->material, sizeof x->material) != 0 || x->density != y->density ||
        x->mass_damping != y->mass_damping || x->stiffness_damping != y->stiffness_damping || x->lumped != y->lumped ||
        x->mean != y->mean)
        return false;
    if (x->material.model != ZN_SOLID_LINEAR && !(is_undeformed(b, q, e) && is_undeformed(b, q, other)))
        return false; // its stiffness depends on the strain
    return same_mapping(mapping_of(x), mapping_of(y));
}

#include "model/element/solid_between.h"
#include "model/element/solid_cell.h"

#define SOLID_OPS(word)                                                                                                \
    {                                                                                                                  \
        .name = (word), .nodes = NODES, .dofs = DOFS, .parameter_size = sizeof(zn_solid) + sizeof(mapping),            \
        .linear = linear, .force = force, .operators = operators, .inertia = inertia, .energy = energy,                \
        .power = power, .velocity_force = velocity_force, .alike = alike, .force_energy = force_energy,                \
        .between = &between, .cell = &cell,                                                                            \
    }
