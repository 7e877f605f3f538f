// Solid elements between two states (0: from, 1: to), of materials with a stress linear in the strain. Index m: means.
//     f_a = -sum_q w Fm Sm g_a,   Fm = (F0 + F1)/2,   Sm = S((E0 + E1)/2)
// E1 - E0 is the symmetric part of Fm'(F1 - F0), so that f.(u1 - u0) = -sum_q w Sm:(E1 - E0), and this is the loss of
// energy, as S is linear in E. Sm is symmetric, so that f has no moment about the mean positions. Tangent at the end,
// with e_a = F1 g_a and m_a = Fm g_a; the block of nodes a, c is
//     sum_q w/2 (lambda m_a e_c' + mu m_c e_a' + mu (g_a.g_c) Fm F1' + (g_a.Sm g_c) I)          not symmetric
// The linear model has F = I, no last term, and strains that are linear in u. Dampers act on the mean velocity.
// Simo and Tarnow, The discrete energy-momentum method, ZAMP 43 (1992) 757-792. Included by
// solid_loop.h; vectors over all points and what is done with them are those of solid_fast.h.

// An element at all points: grad u at the end, its mean, the mean stress.
typedef struct mean_state {
    lanes H[DIM][DIM], Hm[DIM][DIM], S[STRAINS];
} mean_state;

// False when it is inside out at one of the ends; J tells by how much.
ZN_INLINE bool make_mean(const zn_solid *p, const fast_parent *t, bool small, const vectors u[2], mean_state *out,
                         double *J)
{
    const fast_map *map = fast_map_of(p);
    memset(out, 0, sizeof *out);
    *J = INFINITY;
    for (int end = 0; end < 2; end++) { // what the second one finds stays in H
        lanes S[STRAINS];
        gradients(map, t, &u[end], out->H);
        double volume = small ? 1 : smallest_volume(out->H);
        *J = *J < volume ? *J : volume;
        stresses(&p->material, map, small, out->H, S);
        for (int i = 0; i < DIM; i++)
            for (int k = 0; k < DIM; k++)
                out->Hm[i][k] += 0.5 * out->H[i][k];
        for (int s = 0; s < STRAINS; s++)
            out->S[s] += 0.5 * S[s]; // linear in the strain
    }
    return *J > 0;
}

// Of element e of a block.
ZN_WIDE static bool mean_of(const zn_element_block *b, int e, const fast_parent *t, zn_between s, mean_state *out,
                            double *J)
{
    const zn_solid *p = element(b, e);
    vectors         u[2];
    gather_q(b, e, s.from.q, &u[0]);
    gather_q(b, e, s.to.q, &u[1]);
    return p->material.model == ZN_SOLID_LINEAR ? make_mean(p, t, true, u, out, J) : make_mean(p, t, false, u, out, J);
}

static void mean_velocity(const zn_element_block *b, int e, zn_between s, vectors *out)
{
    vectors from;
    gather(b, e, s.from.v, &from);
    gather(b, e, s.to.v, out);
    for (int i = 0; i < DIM; i++)
        for (int a = 0; a < NODES; a++)
            out->at[i][a] = 0.5 * (from.at[i][a] + out->at[i][a]);
}

ZN_WIDE static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    const parent plain = make_parent();
    fast_parent  t;
    make_fast_parent(&t);
    for (int e = 0; e < b->count; e++) {
        const zn_solid *p = element(b, e);
        mean_state      mean;
        lanes           R[DIM][DIM];
        vectors         v, sum;
        double          J;
        if (!mean_of(b, e, &t, s, &mean, &J))
            return inverted(b, e, J);
        parent_stresses(fast_map_of(p), p->material.model == ZN_SOLID_LINEAR, mean.Hm, mean.S, R);
        nodal_forces(&t, R, &sum);
        if (is_damped(p)) {
            mean_velocity(b, e, s, &v);
            add_damping(p, &plain, &v, &sum);
        }
        add(b, e, -1, &sum, f);
    }
    return ZN_OK;
}

// --- tangents at the end -------------------------------------------------------------------------

// One of its points: F at the end, its mean, and w Sm with w = half the weight of the point, as in all that follows.
typedef struct mean_point {
    double weight, F[DIM][DIM], Fm[DIM][DIM], S[DIM][DIM];
} mean_point;

static mean_point mean_at(const mean_state *m, bool small, int q, double weight)
{
    mean_point out = {.weight = weight};
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++) {
            out.F[i][k] = (i == k) + (small ? 0 : m->H[i][k][q]);
            out.Fm[i][k] = (i == k) + (small ? 0 : m->Hm[i][k][q]);
        }
    for (int s = 0; s < STRAINS; s++)
        out.S[row_of[s]][column_of[s]] = out.S[column_of[s]][row_of[s]] = weight * m->S[s][q];
    return out;
}

// K += w (lambda m_a e_c' + mu m_c e_a' + mu (g_a.g_c) Fm F1')
static void add_mean_stiffness(const zn_solid_material *m, const vectors *g, const mean_point *at, double K[DOFS][DOFS])
{
    vectors end = {{{0}}}, mean = {{{0}}};
    double  gg[NODES][NODES] = {{0}}, lambda = at->weight * m->lambda, mu = at->weight * m->mu;
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++) {
            add_scaled(at->F[i][k], g->at[k], end.at[i]);
            add_scaled(at->Fm[i][k], g->at[k], mean.at[i]);
        }
    for (int a = 0; a < NODES; a++)
        for (int i = 0; i < DIM; i++)
            add_scaled(g->at[i][a], g->at[i], gg[a]);
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++) {
            double FF = 0;
            for (int l = 0; l < DIM; l++)
                FF += mu * at->Fm[i][l] * at->F[k][l];
            for (int a = 0; a < NODES; a++) {
                double *row = K[i * NODES + a] + k * NODES;
                add_scaled(lambda * mean.at[i][a], end.at[k], row);
                add_scaled(mu * end.at[k][a], mean.at[i], row);
                add_scaled(FF, gg[a], row);
            }
        }
}

// G_ac += w g_a . Sm g_c
static void add_mean_stress(const vectors *g, const mean_point *at, double G[NODES][NODES])
{
    for (int a = 0; a < NODES; a++)
        for (int k = 0; k < DIM; k++) {
            double Sg = 0;
            for (int l = 0; l < DIM; l++)
                Sg += at->S[k][l] * g->at[l][a];
            add_scaled(Sg, g->at[k], G[a]);
        }
}

// factor times the stiffness: all of K, what is equal in all directions into G.
static void add_stiffness_between(const zn_solid *p, const parent *t, const mean_state *mean, double factor,
                                  double K[DOFS][DOFS], double G[NODES][NODES])
{
    bool small = p->material.model == ZN_SOLID_LINEAR;
    for (int q = 0; q < POINTS; q++) {
        const point_data point = point_of(p, t, q);
        const mean_point at = mean_at(mean, small, q, 0.5 * factor * point.weight);
        add_mean_stiffness(&p->material, &point.g, &at, K);
        if (!small)
            add_mean_stress(&point.g, &at, G);
    }
}

// factor times the damping of stiffness, half of which belongs to the velocity at the end: all of K, which was zero.
static void add_damping_between(const zn_solid *p, const parent *t, double factor, double K[DOFS][DOFS],
                                double G[NODES][NODES])
{
    zn_solid_material reference = zn_solid_material_reference(&p->material);
    vectors           zero = {{{0}}};
    double            J;
    if (factor * p->stiffness_damping == 0)
        return;
    add_stiffness(p, t, &reference, &zero, 0.5 * factor * p->stiffness_damping, K, G, &J);
    for (int i = 0; i < DOFS; i++) // which fills the lower half
        for (int j = 0; j < i; j++)
            K[j][i] = K[i][j];
}

static void scatter_between(const zn_element_block *b, int e, double K[DOFS][DOFS], double G[NODES][NODES],
                            double *values)
{
    const int *place = b->scatter + (size_t)e * DOFS * DOFS;
    for (int a = 0; a < NODES; a++)
        for (int i = 0; i < DIM; i++)
            for (int c = 0; c < NODES; c++)
                for (int k = 0; k < DIM; k++, place++)
                    if (*place >= 0)
                        values[*place] += K[i * NODES + a][k * NODES + c] + (i == k ? G[a][c] : 0);
}

static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    const parent t = make_parent();
    fast_parent  fast;
    make_fast_parent(&fast);
    for (int e = 0; e < b->count; e++) {
        const zn_solid *p = element(b, e);
        double          K[DOFS][DOFS] = {{0}}, G[NODES][NODES], mass = a + 0.5 * c * p->mass_damping, J;
        mean_state      mean;
        mass_matrix(p, &t, G);
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++)
                G[i][j] *= mass;
        add_damping_between(p, &t, c, K, G); // first: it fills K by its lower half
        if (k != 0 && !mean_of(b, e, &fast, s, &mean, &J))
            return inverted(b, e, J);
        if (k != 0)
            add_stiffness_between(p, &t, &mean, k, K, G);
        scatter_between(b, e, K, G, values);
    }
    return ZN_OK;
}

// --- the table -----------------------------------------------------------------------------------

static const char *lacks_between(const zn_element_block *b, int e)
{
    return element(b, e)->material.model == ZN_SOLID_NEO_HOOKEAN ? "its material is neo-Hookean" : NULL;
}

static const zn_between_ops between = {lacks_between, force_between, operators_between};
