// Loops of a solid element, total Lagrangian. An element file defines NODES, DIM and POINTS and includes this once, so
// that every bound is a constant.
//     H = grad u = sum_a u_a g_a',  F = I + H,  E = (H + H' + H'H)/2          (linear model: F = I, no product)
//     f_a = -sum_q w F S g_a        C v = alpha M v + beta K0 v
//     K   =  sum_q w (B' D B + (g_a.S g_b) I),   B = dE/du
// K0 is the stiffness of the undeformed element. Vectors of an element are stored by direction: u[DIM][NODES].
// Bonet and Wood (2008), 9.3 to 9.5.
#include <math.h>
#include <string.h>

#include "model/element/solid.h"

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

// Weight (volume) and reference gradients at a point.
typedef struct point_data {
    double  weight;
    vectors g;
} point_data;

// What an element keeps: weights and the inverse of the mapping, dxi_l/dX_k, at all points.
typedef struct mapping {
    double weight[POINTS];
    double inverse[DIM][DIM][POINTS];
} mapping;
_Static_assert(sizeof(mapping) == ZN_SOLID_DATA(DIM, POINTS) * sizeof(double), "laid out as zn_solid.data");

// The parent element: derivatives of the shape functions at the points, and shape functions at the points of the mass.
enum { MASS_POINTS = POINTS == 1 ? NODES : POINTS };
typedef struct parent {
    double dN[DIM][NODES][POINTS];
    double N[MASS_POINTS][NODES];
    double mass_share; // of a mass point in the weight of the stiffness point it belongs to
} parent;

static const zn_solid_kind *own_kind(void);

static const zn_solid *element(const zn_element_block *b, int e)
{
    return (const zn_solid *)((const char *)b->parameter + (size_t)e * b->ops->parameter_size);
}

static const mapping *mapping_of(const zn_solid *p) { return (const mapping *)p->data; }

static parent make_parent(void)
{
    const zn_solid_kind *kind = own_kind();
    parent               t;
    for (int q = 0; q < POINTS; q++) {
        double N[NODES], dN[NODES][3];
        kind->shape(kind->point[q].at, N, dN);
        for (int l = 0; l < DIM; l++)
            for (int a = 0; a < NODES; a++)
                t.dN[l][a][q] = dN[a][l];
    }
    for (int q = 0; q < MASS_POINTS; q++) {
        double dN[NODES][3];
        kind->shape(kind->mass_point[q].at, t.N[q], dN);
    }
    t.mass_share = kind->mass_point[0].weight / kind->point[0].weight;
    return t;
}

static point_data point_of(const zn_solid *p, const parent *t, int q)
{
    const mapping *map = mapping_of(p);
    point_data     out = {.weight = map->weight[q]};
    for (int k = 0; k < DIM; k++)
        for (int a = 0; a < NODES; a++) {
            double sum = 0;
            for (int l = 0; l < DIM; l++)
                sum += map->inverse[l][k][q] * t->dN[l][a][q];
            out.g.at[k][a] = sum;
        }
    return out;
}

// m_ab = density sum_q w N_a N_b; lumped: the sum of each row on the diagonal.
static void mass_matrix(const zn_solid *p, const parent *t, double m[NODES][NODES])
{
    memset(m, 0, sizeof(double) * NODES * NODES);
    for (int q = 0; q < MASS_POINTS; q++) {
        double w = p->density * t->mass_share * mapping_of(p)->weight[POINTS == 1 ? 0 : q];
        for (int a = 0; a < NODES; a++)
            if (p->lumped) // shape functions add up to 1
                m[a][a] += w * t->N[q][a];
            else
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

// --- one point -----------------------------------------------------------------------------------

static void gradient(const vectors *g, const vectors *u, double H[DIM][DIM])
{
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++) {
            double sum = 0;
            for (int a = 0; a < NODES; a++)
                sum += u->at[i][a] * g->at[k][a];
            H[i][k] = sum;
        }
}

// Strain of the material from H, and F from here on in place of H. J is 1 for the linear model.
static void strain_of(bool small, double H[DIM][DIM], double E[STRAINS], double *J)
{
    for (int s = 0; s < STRAINS; s++) {
        int    r = row_of[s], c = column_of[s];
        double square = 0;
        for (int i = 0; !small && i < DIM; i++)
            square += H[i][r] * H[i][c];
        E[s] = r == c ? H[r][r] + 0.5 * square : H[r][c] + H[c][r] + square;
    }
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++)
            H[i][k] = (i == k) + (small ? 0 : H[i][k]);
#if DIM == 3
    *J = H[0][0] * (H[1][1] * H[2][2] - H[1][2] * H[2][1]) - H[0][1] * (H[1][0] * H[2][2] - H[1][2] * H[2][0]) +
         H[0][2] * (H[1][0] * H[2][1] - H[1][1] * H[2][0]);
#else
    *J = H[0][0] * H[1][1] - H[0][1] * H[1][0];
#endif
}

// Energy, stress and tangent (NULL: not wanted) at a point; F in `F`.
static bool evaluate_point(const zn_solid_material *m, const vectors *g, const vectors *u, double F[DIM][DIM],
                           double *energy, double *S, double *D, double *J)
{
    double E[STRAINS];
    gradient(g, u, F);
    strain_of(m->model == ZN_SOLID_LINEAR, F, E, J);
    return *J > 0 && zn_solid_material_evaluate(m, E, energy, S, D);
}

static zn_status inverted(const zn_element_block *b, int e, double J)
{
    return zn_fail_here(b->log, ZN_INVALID_STATE, "part '%s': element %d is inverted or crushed (J = %g)",
                        b->part_name[b->part[e]], element(b, e)->number, J);
}

// out += factor sum_q w F S g_a, the forces that balance the stresses. Returns false with J when it cannot.
static bool add_internal(const zn_solid *p, const parent *t, const zn_solid_material *m, const vectors *u,
                         double factor, vectors *out, double *J)
{
    for (int q = 0; q < POINTS; q++) {
        const point_data own = point_of(p, t, q), *point = &own;
        double           F[DIM][DIM], S[STRAINS], P[DIM][DIM] = {{0}};
        if (!evaluate_point(m, &point->g, u, F, NULL, S, NULL, J))
            return false;
        double w = factor * point->weight;
        for (int s = 0; s < STRAINS; s++) // P = F S
            for (int i = 0; i < DIM; i++) {
                P[i][column_of[s]] += w * F[i][row_of[s]] * S[s];
                if (row_of[s] != column_of[s])
                    P[i][row_of[s]] += w * F[i][column_of[s]] * S[s];
            }
        for (int i = 0; i < DIM; i++)
            for (int k = 0; k < DIM; k++)
                add_scaled(P[i][k], point->g.at[k], out->at[i]);
    }
    return true;
}

// out += factor M u
static void add_mass(const zn_solid *p, const parent *t, const vectors *u, double factor, vectors *out)
{
    double m[NODES][NODES];
    mass_matrix(p, t, m);
    if (p->lumped) {
        for (int i = 0; i < DIM; i++)
            for (int a = 0; a < NODES; a++)
                out->at[i][a] += factor * m[a][a] * u->at[i][a];
        return;
    }
    for (int i = 0; i < DIM; i++)
        for (int c = 0; c < NODES; c++)
            add_scaled(factor * u->at[i][c], m[c], out->at[i]);
}

static bool is_damped(const zn_solid *p) { return p->mass_damping != 0 || p->stiffness_damping != 0; }

// out += (alpha M + beta K0) v
static void add_damping(const zn_solid *p, const parent *t, const vectors *v, vectors *out)
{
    zn_solid_material reference = zn_solid_material_reference(&p->material);
    double            J;
    if (p->mass_damping != 0)
        add_mass(p, t, v, p->mass_damping, out);
    if (p->stiffness_damping != 0)
        add_internal(p, t, &reference, v, p->stiffness_damping, out, &J);
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
    const parent t = make_parent();
    for (int e = 0; e < b->count; e++) {
        const zn_solid *p = element(b, e);
        vectors         u, sum = {{{0}}};
        double          J;
        gather_q(b, e, at.q, &u);
        if (!add_internal(p, &t, &p->material, &u, 1, &sum, &J))
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
    const parent t = make_parent();
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

// Rows of B, one for each strain, by direction and node.
static void strain_rows(const vectors *g, double F[DIM][DIM], double B[STRAINS][DOFS])
{
    for (int s = 0; s < STRAINS; s++)
        for (int i = 0; i < DIM; i++)
            for (int a = 0; a < NODES; a++) {
                int r = row_of[s], c = column_of[s];
                B[s][i * NODES + a] = r == c ? F[i][r] * g->at[r][a] : F[i][r] * g->at[c][a] + F[i][c] * g->at[r][a];
            }
}

// K += w B' D B, lower half.
static void add_material_stiffness(double w, double B[STRAINS][DOFS], double D[STRAINS * STRAINS], double K[DOFS][DOFS])
{
    double DB[STRAINS][DOFS];
    for (int s = 0; s < STRAINS; s++)
        for (int j = 0; j < DOFS; j++) {
            double sum = 0;
            for (int t = 0; t < STRAINS; t++)
                sum += D[s * STRAINS + t] * B[t][j];
            DB[s][j] = w * sum;
        }
    for (int i = 0; i < DOFS; i++)
        for (int j = 0; j <= i; j++) {
            double sum = K[i][j];
            for (int s = 0; s < STRAINS; s++)
                sum += B[s][i] * DB[s][j];
            K[i][j] = sum;
        }
}

// G_ab += w g_a . S g_b
static void add_geometric_stiffness(double w, const vectors *g, const double S[STRAINS], double G[NODES][NODES])
{
    vectors Sg = {{{0}}};
    for (int s = 0; s < STRAINS; s++)
        for (int a = 0; a < NODES; a++) {
            Sg.at[row_of[s]][a] += w * S[s] * g->at[column_of[s]][a];
            if (row_of[s] != column_of[s])
                Sg.at[column_of[s]][a] += w * S[s] * g->at[row_of[s]][a];
        }
    for (int a = 0; a < NODES; a++)
        for (int i = 0; i < DIM; i++)
            add_scaled(g->at[i][a], Sg.at[i], G[a]);
}

// K += w B' D B, lower half, where D = lambda I x I + 2 mu II. With f_a = F g_a the block of nodes a, c is
//     w (lambda f_a f_c' + mu f_c f_a' + mu (g_a.g_c) F F'),
// less than half the work of the products with B.
static void add_isotropic_stiffness(double w, const zn_solid_material *m, const vectors *g, double F[DIM][DIM],
                                    double K[DOFS][DOFS])
{
    vectors f = {{{0}}};
    double  gg[NODES][NODES] = {{0}}, lambda = w * m->lambda, mu = w * m->mu;
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++)
            add_scaled(F[i][k], g->at[k], f.at[i]);
    for (int a = 0; a < NODES; a++)
        for (int i = 0; i < DIM; i++)
            add_scaled(g->at[i][a], g->at[i], gg[a]);
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k <= i; k++) {
            double FF = 0;
            for (int l = 0; l < DIM; l++)
                FF += mu * F[i][l] * F[k][l];
            for (int a = 0; a < NODES; a++) {
                double *row = K[i * NODES + a] + k * NODES;
                add_scaled(lambda * f.at[i][a], f.at[k], row);
                add_scaled(mu * f.at[k][a], f.at[i], row);
                add_scaled(FF, gg[a], row);
            }
        }
}

// Lower half of factor * stiffness into K, what is equal in all directions into G.
static bool add_stiffness(const zn_solid *p, const parent *t, const zn_solid_material *m, const vectors *u,
                          double factor, double K[DOFS][DOFS], double G[NODES][NODES], double *J)
{
    for (int q = 0; q < POINTS; q++) {
        const point_data own = point_of(p, t, q), *point = &own;
        double           F[DIM][DIM], S[STRAINS], D[STRAINS * STRAINS], B[STRAINS][DOFS];
        bool             isotropic = m->model != ZN_SOLID_NEO_HOOKEAN;
        if (!evaluate_point(m, &point->g, u, F, NULL, S, isotropic ? NULL : D, J))
            return false;
        if (isotropic) {
            add_isotropic_stiffness(factor * point->weight, m, &point->g, F, K);
        } else {
            strain_rows(&point->g, F, B);
            add_material_stiffness(factor * point->weight, B, D, K);
        }
        if (m->model != ZN_SOLID_LINEAR)
            add_geometric_stiffness(factor * point->weight, &point->g, S, G);
    }
    return true;
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
    const parent t = make_parent();
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

// --- stress --------------------------------------------------------------------------------------

// sigma = F S F' / J, as xx, yy, zz, xy, yz, zx; in the plane zz = lambda (E_xx + E_yy) or what the material says.
static void add_cauchy(double w, double F[DIM][DIM], const double S[STRAINS], double across, double J, double *cauchy)
{
    static const int place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    double           full[DIM][DIM];
    for (int s = 0; s < STRAINS; s++)
        full[row_of[s]][column_of[s]] = full[column_of[s]][row_of[s]] = S[s];
    for (int i = 0; i < DIM; i++)
        for (int j = i; j < DIM; j++) {
            double sum = 0;
            for (int k = 0; k < DIM; k++)
                for (int l = 0; l < DIM; l++)
                    sum += F[i][k] * full[k][l] * F[j][l];
            cauchy[place[i][j]] += w * sum / J;
        }
    cauchy[2] += DIM == 2 ? w * across / J : 0;
}

static bool stress(const zn_element_block *b, int e, const double *q, double *cauchy, double *volume)
{
    const parent    t = make_parent();
    const zn_solid *p = element(b, e);
    vectors         u;
    double          J, total = 0;
    memset(cauchy, 0, 6 * sizeof *cauchy);
    gather_q(b, e, q, &u);
    for (int k = 0; k < POINTS; k++) {
        const point_data point = point_of(p, &t, k);
        double           F[DIM][DIM], S[STRAINS], w = point.weight;
        if (!evaluate_point(&p->material, &point.g, &u, F, NULL, S, NULL, &J))
            return false;
        add_cauchy(w, F, S, zn_solid_material_across(&p->material, S, J), J, cauchy);
        total += w;
    }
    for (int i = 0; i < 6; i++)
        cauchy[i] /= total;
    *volume = total;
    return true;
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
    const parent t = make_parent();
    double       kinetic = 0, strain = 0, potential = 0;
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_solid *p = element(b, e);
        vectors         u, v, momentum = {{{0}}};
        gather_q(b, e, at.q, &u);
        gather(b, e, at.v, &v);
        for (int q = 0; q < POINTS; q++) {
            const point_data point = point_of(p, &t, q);
            double           F[DIM][DIM], density, J;
            if (!evaluate_point(&p->material, &point.g, &u, F, &density, NULL, NULL, &J))
                return inverted(b, e, J);
            strain += point.weight * density;
        }
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
    const parent t = make_parent();
    double       strain = 0, damper = 0;
    for (int e = 0; e < b->count; e++) {
        const zn_solid *p = element(b, e);
        vectors         u, rate, sum = {{{0}}}, damping = {{{0}}};
        double          J;
        gather_q(b, e, at.q, &u);
        gather(b, e, w, &rate);
        if (!add_internal(p, &t, &p->material, &u, 1, &sum, &J))
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

// Equal up to rounding, as in a mesh of equal elements.
static bool alike(const zn_element_block *b, const double *q, int e, int other)
{
    const zn_solid *x = element(b, e), *y = element(b, other);
    double          size[2] = {0, 0};
    if (memcmp(&x->material, &y->material, sizeof x->material) != 0 || x->density != y->density ||
        x->mass_damping != y->mass_damping || x->stiffness_damping != y->stiffness_damping || x->lumped != y->lumped)
        return false;
    if (x->material.model != ZN_SOLID_LINEAR && !(is_undeformed(b, q, e) && is_undeformed(b, q, other)))
        return false; // its stiffness depends on the strain
    for (int i = 0; i < ZN_SOLID_DATA(DIM, POINTS); i++)
        size[i >= POINTS] = fmax(size[i >= POINTS], fabs(y->data[i]));
    for (int i = 0; i < ZN_SOLID_DATA(DIM, POINTS); i++)
        if (!(fabs(x->data[i] - y->data[i]) <= 1e-10 * size[i >= POINTS]))
            return false;
    return true;
}

#include "model/element/solid_fast.h"

#include "model/element/solid_between.h" // uses it

#define SOLID_OPS(word)                                                                                                \
    {                                                                                                                  \
        .name = (word), .nodes = NODES, .dofs = DOFS, .parameter_size = ZN_SOLID_SIZE(DIM, POINTS), .linear = linear,  \
        .force = force, .operators = operators, .inertia = inertia, .energy = energy, .power = power,                  \
        .velocity_force = velocity_force, .alike = alike, .force_energy = force_energy, .between = &between,           \
    }
