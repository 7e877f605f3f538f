// Mean dilatation of tetrahedra: the energy lambda/2 t^2, with t = tr E (ln J of the neo-Hookean material), takes the
// mean of t over the tetrahedra around each node, whose volumes are shared by their four nodes:
//     V_n = sum_e V_e/4,   t_n = sum_e V_e/4 t_e / V_n,   energy  sum_n lambda/2 V_n t_n^2
// so that a tetrahedron has the mean pressure of its nodes. One constraint for each node in place of one for each of
// some six tetrahedra that belong to it: no locking by volume. All else of the material is in the tetrahedra, which
// have lambda = 0 and leave no mode free. The term of one node is an element of its own, with the nodes around it:
//     b = dt_n/du:  b_a = sum_e w_e/V A_e g_a,   A = I (linear), F (St. Venant-Kirchhoff), F^-T (neo-Hookean)
//     f = -lambda V t b,   K = lambda V b b' + lambda t sum_e w_e d2t_e,  d2t_ab = 0, (g_a.g_b) I, -(A g_b)(A g_a)'
// Between two states, for t quadratic in u: f = -lambda V (t0 + t1)/2 (b0 + b1)/2, whose work is the loss of energy.
// The mass is shared as the stiffness is, lambda/(lambda + 2 mu) of it here, so that both parts bear about the same
// explicit step. J. Bonet, A. J. Burton, A simple average nodal pressure tetrahedral element, Commun. Numer. Meth.
// Engng 14 (1998) 437-449; there with J in place of t.
// Nodes are padded with the ground: kinds of elements differ in their numbers of nodes.
#include "model/element/nodal_dilatation.h"

#include <math.h>
#include <string.h>

#include "base/wide.h"

enum { NODES = ZN_DILATATION_NODES };

// Vectors of the nodes: three directions and one that stays zero.
typedef struct field {
    double at[NODES][4];
} field;

static const zn_nodal_dilatation *element(const zn_element_block *b, int e)
{
    ZN_ASSERT(e >= 0 && e < b->count);
    return (const zn_nodal_dilatation *)((const char *)b->parameter + (size_t)e * b->ops->parameter_size);
}

static const int *dofs_of(const zn_element_block *b, int e) { return b->dof + (size_t)e * (size_t)b->ops->dofs; }
static const int *nodes_of(const zn_element_block *b, int e) { return b->node + (size_t)e * (size_t)b->ops->nodes; }

static void gather_q(const zn_element_block *b, int e, const double *q, field *u)
{
    const int *node = nodes_of(b, e);
    for (int a = 0; a < element(b, e)->nodes; a++) {
        memcpy(u->at[a], q + b->layout->node[node[a]].q, 3 * sizeof *u->at[a]);
        u->at[a][3] = 0;
    }
}

static void gather(const zn_element_block *b, int e, const double *v, field *u)
{
    const int *dof = dofs_of(b, e);
    for (int a = 0; a < element(b, e)->nodes; a++) {
        for (int i = 0; i < 3; i++)
            u->at[a][i] = v[dof[3 * a + i]];
        u->at[a][3] = 0;
    }
}

// f += factor x
static void add(const zn_element_block *b, int e, double factor, const field *x, double *f)
{
    const int *dof = dofs_of(b, e);
    for (int a = 0; a < element(b, e)->nodes; a++)
        for (int i = 0; i < 3; i++)
            f[dof[3 * a + i]] += factor * x->at[a][i];
}

static double dot(int nodes, const field *x, const field *y)
{
    double sum = 0;
    for (int a = 0; a < nodes; a++)
        for (int i = 0; i < 3; i++)
            sum += x->at[a][i] * y->at[a][i];
    return sum;
}

static zn_status inverted(const zn_element_block *b, int e)
{
    return zn_fail_here(b->log, ZN_INVALID_STATE, "part '%s': an element at node %d is inverted or crushed",
                        b->part_name[b->part[e]], element(b, e)->number);
}

// --- one tetrahedron -----------------------------------------------------------------------------

ZN_INLINE const zn_four *four_in(const double *x) { return (const zn_four *)x; }

// The columns of H = grad u in place of those of A = dt/dH, and t; false when it has no volume left. J - 1 is found
// without the loss of digits of J.
static bool differentiate_rubber(zn_four H[3], double *t)
{
    zn_vec3 h[3], F[3];
    for (int k = 0; k < 3; k++) {
        h[k] = zn_vec3_make(H[k][0], H[k][1], H[k][2]);
        F[k] = zn_vec3_make(h[k].x + (k == 0), h[k].y + (k == 1), h[k].z + (k == 2));
    }
    double second =
        h[0].x * h[1].y - h[1].x * h[0].y + h[1].y * h[2].z - h[2].y * h[1].z + h[2].z * h[0].x - h[0].z * h[2].x;
    double change = h[0].x + h[1].y + h[2].z + second + zn_vec3_dot(h[0], zn_vec3_cross(h[1], h[2]));
    for (int k = 0; k < 3; k++) {
        zn_vec3 c = zn_vec3_scale(1 / (1 + change), zn_vec3_cross(F[(k + 1) % 3], F[(k + 2) % 3]));
        H[k] = (zn_four){c.x, c.y, c.z, 0};
    }
    *t = log1p(change);
    return change > -1;
}

ZN_INLINE bool differentiate(zn_solid_model model, zn_four H[3], double *t)
{
    if (model == ZN_SOLID_NEO_HOOKEAN)
        return differentiate_rubber(H, t);
    zn_four square = H[0] * H[0] + H[1] * H[1] + H[2] * H[2];
    *t = H[0][0] + H[1][1] + H[2][2] + (model == ZN_SOLID_LINEAR ? 0 : 0.5 * ((square[0] + square[1]) + square[2]));
    for (int k = 0; k < 3; k++) {
        zn_four unit = {k == 0, k == 1, k == 2, 0};
        if (model == ZN_SOLID_LINEAR)
            H[k] = unit;
        else
            H[k] += unit;
    }
    return true;
}

// t and A g of its nodes.
ZN_INLINE bool pulls_of(zn_solid_model model, const zn_dilatation_cell *c, const field *u, double *t, zn_four y[4])
{
    zn_four d[3], H[3];
    for (int a = 0; a < 3; a++)
        d[a] = *four_in(u->at[c->node[1 + a]]) - *four_in(u->at[c->node[0]]);
    for (int k = 0; k < 3; k++)
        H[k] = d[0] * c->gradient[0][k] + d[1] * c->gradient[1][k] + d[2] * c->gradient[2][k];
    bool good = differentiate(model, H, t);
    for (int a = 0; a < 3; a++)
        y[1 + a] = H[0] * c->gradient[a][0] + H[1] * c->gradient[a][1] + H[2] * c->gradient[a][2];
    y[0] = -(y[1] + y[2] + y[3]);
    return good;
}

// --- all of them ---------------------------------------------------------------------------------

// The mean t and V b.
ZN_INLINE bool evaluate_as(zn_solid_model model, const zn_nodal_dilatation *p, const field *u, double *t, field *b)
{
    double sum = 0;
    bool   good = true;
    memset(b->at, 0, sizeof *b->at * (size_t)p->nodes);
    for (int k = 0; k < p->cells; k++) {
        const zn_dilatation_cell *c = &p->cell[k];
        zn_four                   y[4];
        double                    own;
        good = pulls_of(model, c, u, &own, y) && good;
        sum += c->weight * own;
        for (int a = 0; a < 4; a++)
            *(zn_four *)b->at[c->node[a]] += c->weight * y[a];
    }
    *t = sum / p->volume;
    return good;
}

ZN_WIDE static bool evaluate(const zn_nodal_dilatation *p, zn_solid_model model, const field *u, double *t, field *b)
{
    switch (model) {
    case ZN_SOLID_LINEAR:
        return evaluate_as(ZN_SOLID_LINEAR, p, u, t, b);
    case ZN_SOLID_SAINT_VENANT_KIRCHHOFF:
        return evaluate_as(ZN_SOLID_SAINT_VENANT_KIRCHHOFF, p, u, t, b);
    case ZN_SOLID_NEO_HOOKEAN:
        return evaluate_as(ZN_SOLID_NEO_HOOKEAN, p, u, t, b);
    }
    return false;
}

static double energy_of(const zn_nodal_dilatation *p, double t) { return 0.5 * p->lambda * p->volume * t * t; }

// Mass of nodes a and c of a tetrahedron with density 1: a quarter of it belongs here.
static double mass_of(const zn_nodal_dilatation *p, const zn_dilatation_cell *cell, int a, int c)
{
    double mass = p->density * cell->weight;
    return p->lumped ? (a == c ? mass / 4 : 0) : (a == c ? mass / 10 : mass / 20);
}

// out += factor M x
static void add_mass(const zn_nodal_dilatation *p, double factor, const field *x, field *out)
{
    for (int k = 0; k < p->cells; k++)
        for (int a = 0; a < 4; a++)
            for (int c = 0; c < 4; c++)
                for (int i = 0; i < 3; i++)
                    out->at[p->cell[k].node[a]][i] +=
                        factor * mass_of(p, &p->cell[k], a, c) * x->at[p->cell[k].node[c]][i];
}

static bool is_damped(const zn_nodal_dilatation *p) { return p->mass_damping != 0 || p->stiffness_damping != 0; }

// out += (alpha M + beta K0) v,  K0 v = lambda V b0 (b0.v), where V b0.v is what the linear t makes of v
static void add_damping(const zn_nodal_dilatation *p, const field *v, field *out)
{
    field  b;
    double rate;
    add_mass(p, p->mass_damping, v, out);
    evaluate(p, ZN_SOLID_LINEAR, v, &rate, &b);
    for (int a = 0; a < p->nodes; a++)
        for (int i = 0; i < 3; i++)
            out->at[a][i] += p->stiffness_damping * p->lambda * rate * b.at[a][i];
}

// --- operations on a block -----------------------------------------------------------------------

static bool linear(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (element(b, e)->model != ZN_SOLID_LINEAR)
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

static zn_status force_energy(const zn_element_block *b, int first, int count, zn_at at, double *f, double *strain)
{
    double sum = 0;
    for (int e = first; e < first + count; e++) {
        const zn_nodal_dilatation *p = element(b, e);
        field                      u, pull;
        double                     t;
        gather_q(b, e, at.q, &u);
        if (!evaluate(p, p->model, &u, &t, &pull))
            return inverted(b, e);
        add(b, e, -p->lambda * t, &pull, f);
        sum += energy_of(p, t);
    }
    *strain += sum;
    return ZN_OK;
}

// f += factor C v
static void add_damped(const zn_element_block *b, int e, double factor, const field *v, double *f)
{
    field sum = {{{0}}};
    add_damping(element(b, e), v, &sum);
    add(b, e, factor, &sum, f);
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    double strain = 0;
    ZN_TRY(force_energy(b, 0, b->count, at, f, &strain));
    for (int e = 0; e < b->count; e++)
        if (is_damped(element(b, e))) {
            field v;
            gather(b, e, at.v, &v);
            add_damped(b, e, -1, &v, f);
        }
    return ZN_OK;
}

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q; // constant
    for (int e = 0; e < b->count; e++) {
        field x, sum = {{{0}}};
        if (part >= 0 && b->part[e] != part)
            continue;
        gather(b, e, a, &x);
        add_mass(element(b, e), 1, &x, &sum);
        add(b, e, 1, &sum, f);
    }
    return ZN_OK;
}

// --- matrices ------------------------------------------------------------------------------------

// += factor left right'
static void scatter_product(const zn_element_block *b, int e, double factor, const field *left, const field *right,
                            double *values)
{
    int nodes = element(b, e)->nodes;
    for (int a = 0; a < nodes; a++)
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < nodes; c++)
                for (int k = 0; k < 3; k++)
                    zn_element_scatter(b, e, 3 * a + i, 3 * c + k, factor * left->at[a][i] * right->at[c][k], values);
}

static void scatter_mass(const zn_element_block *b, int e, double factor, double *values)
{
    const zn_nodal_dilatation *p = element(b, e);
    for (int k = 0; k < p->cells && factor != 0; k++)
        for (int a = 0; a < 4; a++)
            for (int c = 0; c < 4; c++)
                for (int i = 0; i < 3; i++)
                    zn_element_scatter(b, e, 3 * p->cell[k].node[a] + i, 3 * p->cell[k].node[c] + i,
                                       factor * mass_of(p, &p->cell[k], a, c), values);
}

// += factor sum_e w d2t_e
static void scatter_curvature(const zn_element_block *b, int e, double factor, const field *u, double *values)
{
    const zn_nodal_dilatation *p = element(b, e);
    bool                       rubber = p->model == ZN_SOLID_NEO_HOOKEAN;
    for (int k = 0; k < p->cells && p->model != ZN_SOLID_LINEAR; k++) {
        const zn_dilatation_cell *cell = &p->cell[k];
        double                    t;
        zn_four                   y[4];
        pulls_of(rubber ? p->model : ZN_SOLID_LINEAR, cell, u, &t, y); // linear: g
        for (int a = 0; a < 4; a++)
            for (int c = 0; c < 4; c++) {
                double product = y[a][0] * y[c][0] + y[a][1] * y[c][1] + y[a][2] * y[c][2];
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        zn_element_scatter(
                            b, e, 3 * cell->node[a] + i, 3 * cell->node[c] + j,
                            factor * cell->weight * (rubber ? -y[c][i] * y[a][j] : (i == j ? product : 0)), values);
            }
    }
}

// += factor K0
static void scatter_reference(const zn_element_block *b, int e, double factor, double *values)
{
    const zn_nodal_dilatation *p = element(b, e);
    field                      zero = {{{0}}}, pull;
    double                     t;
    if (factor == 0)
        return;
    evaluate(p, ZN_SOLID_LINEAR, &zero, &t, &pull);
    scatter_product(b, e, factor * p->lambda / p->volume, &pull, &pull, values);
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    for (int e = 0; e < b->count; e++) {
        const zn_nodal_dilatation *p = element(b, e);
        field                      u, pull;
        double                     t;
        scatter_mass(b, e, a + c * p->mass_damping, values);
        scatter_reference(b, e, c * p->stiffness_damping, values);
        if (k == 0)
            continue;
        gather_q(b, e, at.q, &u);
        if (!evaluate(p, p->model, &u, &t, &pull))
            return inverted(b, e);
        scatter_product(b, e, k * p->lambda / p->volume, &pull, &pull, values);
        scatter_curvature(b, e, k * p->lambda * t, &u, values);
    }
    return ZN_OK;
}

// --- energy and power ----------------------------------------------------------------------------

// -sum_a m_a g.(X_a + u_a) with the row sums m_a of the mass
static double potential_of(const zn_element_block *b, int e, const field *u, zn_vec3 gravity)
{
    const zn_nodal_dilatation *p = element(b, e);
    const int                 *node = nodes_of(b, e);
    double                     sum = 0;
    for (int k = 0; k < p->cells; k++)
        for (int a = 0; a < 4; a++) {
            int     own = p->cell[k].node[a];
            zn_vec3 shift = {u->at[own][0], u->at[own][1], u->at[own][2]};
            zn_vec3 place = zn_vec3_add(b->layout->node[node[own]].origin, shift);
            sum -= 0.25 * p->density * p->cell[k].weight * zn_vec3_dot(gravity, place);
        }
    return sum;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    double kinetic = 0, strain = 0, potential = 0;
    for (int e = 0; e < b->count; e++) {
        const zn_nodal_dilatation *p = element(b, e);
        field                      u, v, pull, momentum = {{{0}}};
        double                     t;
        if (part >= 0 && b->part[e] != part)
            continue;
        gather_q(b, e, at.q, &u);
        gather(b, e, at.v, &v);
        if (!evaluate(p, p->model, &u, &t, &pull))
            return inverted(b, e);
        strain += energy_of(p, t);
        add_mass(p, 1, &v, &momentum);
        kinetic += 0.5 * dot(p->nodes, &momentum, &v);
        potential += potential_of(b, e, &u, gravity);
    }
    out->kinetic += kinetic;
    out->strain += strain;
    out->gravity += potential;
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    double strain = 0, damper = 0;
    for (int e = 0; e < b->count; e++) {
        const zn_nodal_dilatation *p = element(b, e);
        field                      u, v, rate, pull, damping = {{{0}}};
        double                     t;
        gather_q(b, e, at.q, &u);
        gather(b, e, w, &rate);
        if (!evaluate(p, p->model, &u, &t, &pull))
            return inverted(b, e);
        strain -= p->lambda * t * dot(p->nodes, &pull, &rate);
        if (is_damped(p)) {
            gather(b, e, at.v, &v);
            add_damping(p, &v, &damping);
            damper -= dot(p->nodes, &damping, &rate);
        }
    }
    out->strain += strain;
    out->damper += damper;
    return ZN_OK;
}

// --- between two states --------------------------------------------------------------------------

static const char *lacks_between(const zn_element_block *b, int e)
{
    return element(b, e)->model == ZN_SOLID_NEO_HOOKEAN ? "neo-Hookean with mean dilatation has none" : NULL;
}

static void mean_of(int nodes, field *x, const field *y)
{
    for (int a = 0; a < nodes; a++)
        for (int i = 0; i < 3; i++)
            x->at[a][i] = 0.5 * (x->at[a][i] + y->at[a][i]);
}

// Means of t and of V b, and V b at the end.
static void evaluate_between(const zn_element_block *b, int e, zn_between s, double *t, field *mean, field *end)
{
    const zn_nodal_dilatation *p = element(b, e);
    field                      u;
    double                     last;
    gather_q(b, e, s.from.q, &u);
    evaluate(p, p->model, &u, t, mean);
    gather_q(b, e, s.to.q, &u);
    evaluate(p, p->model, &u, &last, end);
    *t = 0.5 * (*t + last);
    mean_of(p->nodes, mean, end);
}

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const zn_nodal_dilatation *p = element(b, e);
        field                      mean, end, v;
        double                     t;
        evaluate_between(b, e, s, &t, &mean, &end);
        add(b, e, -p->lambda * t, &mean, f);
        if (!is_damped(p))
            continue;
        gather(b, e, s.from.v, &v);
        gather(b, e, s.to.v, &end);
        mean_of(p->nodes, &v, &end);
        add_damped(b, e, -1, &v, f);
    }
    return ZN_OK;
}

static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    for (int e = 0; e < b->count; e++) {
        const zn_nodal_dilatation *p = element(b, e);
        field                      mean, end;
        double                     t;
        scatter_mass(b, e, a + 0.5 * c * p->mass_damping, values);
        scatter_reference(b, e, 0.5 * c * p->stiffness_damping, values);
        if (k == 0)
            continue;
        evaluate_between(b, e, s, &t, &mean, &end);
        scatter_product(b, e, 0.5 * k * p->lambda / p->volume, &mean, &end, values);
        scatter_curvature(b, e, 0.5 * k * p->lambda * t, &mean, values); // which does not depend on the place
    }
    return ZN_OK;
}

static const zn_between_ops between = {lacks_between, force_between, operators_between};

// --- equal ones ----------------------------------------------------------------------------------

static bool is_undeformed(const zn_element_block *b, const double *q, int e)
{
    field u;
    gather_q(b, e, q, &u);
    for (int a = 1; a < element(b, e)->nodes; a++)
        if (memcmp(u.at[a], u.at[0], sizeof u.at[a]) != 0)
            return false;
    return true;
}

static bool same_cell(const zn_dilatation_cell *x, const zn_dilatation_cell *y)
{
    double size = 0, difference = 0;
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++) {
            size = fmax(size, fabs(y->gradient[a][i]));
            difference = fmax(difference, fabs(x->gradient[a][i] - y->gradient[a][i]));
        }
    return difference <= 1e-10 * size && fabs(x->weight - y->weight) <= 1e-10 * y->weight &&
           memcmp(x->node, y->node, sizeof x->node) == 0;
}

static bool alike(const zn_element_block *b, const double *q, int e, int other)
{
    const zn_nodal_dilatation *x = element(b, e), *y = element(b, other);
    if (x->nodes != y->nodes || x->cells != y->cells || x->model != y->model || x->lambda != y->lambda ||
        x->density != y->density || x->mass_damping != y->mass_damping ||
        x->stiffness_damping != y->stiffness_damping || x->lumped != y->lumped)
        return false;
    if (x->model != ZN_SOLID_LINEAR && !(is_undeformed(b, q, e) && is_undeformed(b, q, other)))
        return false; // its stiffness depends on the strain
    for (int k = 0; k < x->cells; k++)
        if (!same_cell(&x->cell[k], &y->cell[k]))
            return false;
    return true;
}

// --- tables --------------------------------------------------------------------------------------

// Faces of tetrahedra that are not at the node are part of a sphere around it: less than twice as many as corners.
#define ROOM(count)                                                                                                    \
    {                                                                                                                  \
        .name = "tetrahedra around a node", .nodes = (count), .dofs = 3 * (count),                                     \
        .parameter_size = sizeof(zn_nodal_dilatation) + 2 * (count) * sizeof(zn_dilatation_cell), .linear = linear,    \
        .force = force, .operators = operators, .inertia = inertia, .energy = energy, .power = power,                  \
        .velocity_force = velocity_force, .alike = alike, .force_energy = force_energy, .between = &between,           \
        .unseen = true,                                                                                                \
    }

static const zn_element_ops rooms[] = {ROOM(4),  ROOM(8),  ROOM(12), ROOM(16),   ROOM(20),
                                       ROOM(24), ROOM(32), ROOM(48), ROOM(NODES)};

const zn_element_ops *zn_nodal_dilatation_ops(int nodes, int cells)
{
    ZN_ASSERT(nodes >= 4 && cells >= 1);
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
        if (nodes <= rooms[i].nodes && cells <= 2 * rooms[i].nodes)
            return &rooms[i];
    return NULL;
}
