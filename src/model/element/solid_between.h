// Solid elements between two states (0: from, 1: to). Index m: means of the ends.
//     f_a = -sum_q w Fm S g_a,   Fm = (F0 + F1)/2
// E1 - E0 is the symmetric part of Fm'(F1 - F0), so that f.(u1 - u0) = -sum_q w S:(E1 - E0), and S is such that this is
// the loss of energy: S((E0 + E1)/2) where the stress is linear in the strain, otherwise a discrete gradient, see
// neo_hookean_between.c. S is symmetric, so that f has no moment about the mean positions. Tangent at the end, with
// e_a = F1 g_a and m_a = Fm g_a; the block of nodes a, c is, linear in the strain,
//     sum_q w/2 (lambda m_a e_c' + mu m_c e_a' + mu (g_a.g_c) Fm F1' + (g_a.S g_c) I)          not symmetric
// neo-Hookean the same with P g in place of g and other factors, where dS = r A (B:Y) + p (P (P:Y) - P Y P):
//     sum_q w/2 (2 r Fm A g_a (F1 B g_c)' + p (2 m_a e_c' - m_c e_a' - (g_a.P g_c) Fm P F1') + (g_a.S g_c) I)
// The linear model has F = I, no last term, and strains that are linear in u. Dampers act on the mean velocity.
// Simo and Tarnow, The discrete energy-momentum method, ZAMP 43 (1992) 757-792. Included by
// solid_loop.h; vectors over all points and what is done with them are those of solid_fast.h.

// An element at all points: grad u at the end, its mean, the stress between the ends.
typedef struct mean_state {
    lanes H[DIM][DIM], Hm[DIM][DIM], S[STRAINS];
#if REDUCED
    hourglass  end, mean;
    mode_lanes Q[DIM], y[DIM]; // of the mean of z: z1 - z0 = x.(q1 - q0) + q.(x1 - x0) with the means of x and q
#endif
} mean_state;

#if REDUCED
ZN_INLINE void make_mean_hourglass(const zn_solid *p, bool small, const vectors u[2], lanes from[DIM][DIM],
                                   mean_state *out)
{
    const mapping *map = mapping_of(p);
    hourglass      start;
    mode_lanes     z[DIM];
    make_hourglass(map, small, &u[0], from, &start);
    make_hourglass(map, small, &u[1], out->H, &out->end);
    for (int i = 0; i < DIM; i++) {
        for (int l = 0; l < DIM; l++)
            out->mean.x[l][i] = 0.5 * (start.x[l][i] + out->end.x[l][i]);
        out->mean.q[i] = 0.5 * (start.q[i] + out->end.q[i]);
        z[i] = 0.5 * (start.z[i] + out->end.z[i]);
    }
    hourglass_law(map, z, out->Q);
    hourglass_pulls(&out->mean, out->Q, out->y);
}
#endif

// grad u at both ends. False when the element is inside out at one of them; J tells by how much.
ZN_INLINE bool make_gradients(const zn_solid *p, const parent *t, bool small, const vectors u[2], lanes from[DIM][DIM],
                              mean_state *out, double *J)
{
    gradients(mapping_of(p), t, &u[0], from);
    gradients(mapping_of(p), t, &u[1], out->H);
    double volume[2] = {small ? 1 : smallest_volume(from), small ? 1 : smallest_volume(out->H)};
    *J = volume[0] < volume[1] ? volume[0] : volume[1];
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++)
            out->Hm[i][k] = 0.5 * (from[i][k] + out->H[i][k]);
#if REDUCED
    make_mean_hourglass(p, small, u, from, out);
#endif
    return *J > 0;
}

// Linear in the strain.
ZN_INLINE bool make_mean(const zn_solid *p, const parent *t, bool small, const vectors u[2], mean_state *out, double *J)
{
    lanes  from[DIM][DIM], S[STRAINS];
    double energy;
    if (!make_gradients(p, t, small, u, from, out, J))
        return false;
    stresses(p, &p->material, t, small, from, S, &energy);
    stresses(p, &p->material, t, small, out->H, out->S, &energy);
    for (int s = 0; s < STRAINS; s++)
        out->S[s] = 0.5 * (S[s] + out->S[s]);
    return true;
}

// Neo-Hookean; what tangents need of it per point into `law`, NULL: nothing.
ZN_INLINE bool make_rubber(const zn_solid *p, const parent *t, const vectors u[2], mean_state *out, double *J,
                           zn_neo_hookean_between law[POINTS])
{
    lanes from[DIM][DIM], E[2][STRAINS];
    if (!make_gradients(p, t, false, u, from, out, J))
        return false;
    strains(false, from, E[0]);
    strains(false, out->H, E[1]);
    for (int q = 0; q < POINTS; q++) {
        zn_neo_hookean_between own, *at = law ? &law[q] : &own;
        double                 end[2][STRAINS];
        for (int s = 0; s < STRAINS; s++) {
            end[0][s] = E[0][s][q];
            end[1][s] = E[1][s][q];
        }
        if (!zn_neo_hookean_between_make(&p->material, end[0], end[1], law != NULL, at))
            return false;
        for (int s = 0; s < STRAINS; s++)
            out->S[s][q] = at->stress[s];
    }
    return true;
}

// Of element e of a block.
ZN_INLINE bool mean_of(const zn_element_block *b, int e, const parent *t, zn_between s, mean_state *out, double *J,
                       zn_neo_hookean_between law[POINTS])
{
    const zn_solid *p = element(b, e);
    vectors         u[2];
    gather_q(b, e, s.from.q, &u[0]);
    gather_q(b, e, s.to.q, &u[1]);
    if (p->material.model == ZN_SOLID_NEO_HOOKEAN)
        return make_rubber(p, t, u, out, J, law);
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
    parent t;
    make_parent(&t);
    for (int e = 0; e < b->count; e++) {
        const zn_solid *p = element(b, e);
        mean_state      mean;
        lanes           P[DIM][DIM];
        vectors         v, sum;
        double          J;
        if (!mean_of(b, e, &t, s, &mean, &J, NULL))
            return inverted(b, e, J);
        bool small = p->material.model == ZN_SOLID_LINEAR;
        weighted_stresses(mapping_of(p), small, mean.Hm, mean.S, P);
#if REDUCED
        add_hourglass_stresses(mapping_of(p), small, &mean.mean, mean.Q, mean.y, P);
#endif
        nodal_forces(mapping_of(p), &t, P, &sum);
#if REDUCED
        add_hourglass_forces(mean.y, &sum);
#endif
        if (is_damped(p)) {
            mean_velocity(b, e, s, &v);
            add_damping(p, &t, &v, &sum);
        }
        add(b, e, -1, &sum, f);
    }
    return ZN_OK;
}

// --- tangents at the end -------------------------------------------------------------------------

// Four nodes at a time: compilers keep wider vectors than the processor has in memory.
ZN_INLINE zn_four       *four_at(double *x) { return (zn_four *)x; }
ZN_INLINE const zn_four *four_in(const double *x) { return (const zn_four *)x; }

// One of its points: F at the end, its mean, and w S with w = half the weight of the point, as in all that follows.
typedef struct mean_point {
    double weight, F[DIM][DIM], Fm[DIM][DIM], S[DIM][DIM];
} mean_point;

// A symmetric matrix from its entries, times a factor.
ZN_INLINE void symmetric(double factor, const double *x, double out[DIM][DIM])
{
    for (int s = 0; s < STRAINS; s++)
        out[row_of[s]][column_of[s]] = out[column_of[s]][row_of[s]] = factor * x[s];
}

ZN_INLINE mean_point mean_at(const mean_state *m, bool small, int q, double weight)
{
    mean_point out = {.weight = weight};
    double     S[STRAINS];
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++) {
            out.F[i][k] = (i == k) + (small ? 0 : m->H[i][k][q]);
            out.Fm[i][k] = (i == k) + (small ? 0 : m->Hm[i][k][q]);
        }
    for (int s = 0; s < STRAINS; s++)
        S[s] = m->S[s][q];
    symmetric(weight, S, out.S);
    return out;
}

// A times the vectors of all nodes.
ZN_INLINE void times(double A[DIM][DIM], const vectors *x, vectors *out)
{
    for (int i = 0; i < DIM; i++)
        for (int c = 0; c < NODES; c += 4) {
            zn_four sum = A[i][0] * *four_in(x->at[0] + c);
            for (int k = 1; k < DIM; k++)
                sum += A[i][k] * *four_in(x->at[k] + c);
            *four_at(out->at[i] + c) = sum;
        }
}

// G_ac += g_a . x_c
ZN_INLINE void add_products(const vectors *g, const vectors *x, double G[NODES][NODES])
{
    for (int a = 0; a < NODES; a++)
        for (int c = 0; c < NODES; c += 4) {
            zn_four sum = *four_in(G[a] + c);
            for (int i = 0; i < DIM; i++)
                sum += g->at[i][a] * *four_in(x->at[i] + c);
            *four_at(G[a] + c) = sum;
        }
}

// A B'
ZN_INLINE void product(double A[DIM][DIM], double B[DIM][DIM], double out[DIM][DIM])
{
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++) {
            out[i][k] = A[i][0] * B[k][0];
            for (int l = 1; l < DIM; l++)
                out[i][k] += A[i][l] * B[k][l];
        }
}

// K += lambda m_a e_c' + mu m_c e_a' + mu (g_a.x_c) L with m = Fm x, e = F1 x
ZN_INLINE void add_isotropic(double lambda, double mu, const vectors *g, const vectors *x, mean_point *at,
                             double L[DIM][DIM], double K[DOFS][DOFS])
{
    vectors end, mean;
    double  gg[NODES][NODES] = {{0}};
    times(at->F, x, &end);
    times(at->Fm, x, &mean);
    add_products(g, x, gg);
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++)
            for (int a = 0; a < NODES; a++)
                for (int c = 0; c < NODES; c += 4)
                    *four_at(K[i * NODES + a] + k * NODES + c) += lambda * mean.at[i][a] * *four_in(end.at[k] + c) +
                                                                  mu * end.at[k][a] * *four_in(mean.at[i] + c) +
                                                                  mu * L[i][k] * *four_in(gg[a] + c);
}

ZN_INLINE void add_mean_stiffness(const zn_solid *p, const vectors *g, mean_point *at, double K[DOFS][DOFS])
{
    double L[DIM][DIM];
    product(at->Fm, at->F, L);
    add_isotropic(p->mean ? 0 : at->weight * p->material.lambda, at->weight * p->material.mu, g, g, at, L, K);
}

ZN_INLINE void add_rubber_stiffness(const zn_neo_hookean_between *law, const vectors *g, mean_point *at,
                                    double K[DOFS][DOFS])
{
    double  P[DIM][DIM], A[DIM][DIM], B[DIM][DIM], FP[DIM][DIM], L[DIM][DIM];
    double  w = at->weight, factor = 2 * w * law->rank;
    vectors x, mean, end;
    symmetric(1, law->metric, P);
    symmetric(1, law->mean, A);
    symmetric(1, law->cofactor, B);
    product(at->F, P, FP);
    product(at->Fm, FP, L);
    times(P, g, &x);
    add_isotropic(2 * w * law->product, -w * law->product, g, &x, at, L, K);
    product(at->Fm, A, FP);
    times(FP, g, &mean);
    product(at->F, B, FP);
    times(FP, g, &end);
    for (int i = 0; i < DOFS; i++)
        for (int c = 0; c < DOFS; c += 4)
            *four_at(K[i] + c) += factor * mean.at[i / NODES][i % NODES] * *four_in((const double *)&end + c);
}

// factor times the stiffness: all of K, what is equal in all directions into G. False as mean_of.
ZN_INLINE bool add_stiffness_between(const zn_element_block *b, int e, const parent *t, zn_between s, double factor,
                                     double K[DOFS][DOFS], double G[NODES][NODES], double *J)
{
    const zn_solid        *p = element(b, e);
    bool                   small = p->material.model == ZN_SOLID_LINEAR;
    zn_neo_hookean_between law[POINTS];
    mean_state             mean;
    if (!mean_of(b, e, t, s, &mean, J, law))
        return false;
    for (int q = 0; q < POINTS; q++) {
        point_data point;
        vectors    Sg;
        point_of(p, t, q, &point);
        mean_point at = mean_at(&mean, small, q, 0.5 * factor * point.weight);
        if (p->material.model == ZN_SOLID_NEO_HOOKEAN)
            add_rubber_stiffness(&law[q], &point.g, &at, K);
        else
            add_mean_stiffness(p, &point.g, &at, K);
        times(at.S, &point.g, &Sg);
        if (!small)
            add_products(&point.g, &Sg, G);
    }
    if (has_whole(p)) {
        whole_rows rows[2];
        make_whole_rows(p, &p->material, t, small, mean.Hm, &rows[0]);
        make_whole_rows(p, &p->material, t, small, mean.H, &rows[1]);
        add_whole(p, &p->material, 0.5 * factor, &rows[0], &rows[1], K);
    }
#if REDUCED
    add_hourglass_stiffness(mapping_of(p), small, &mean.mean, &mean.end, mean.Q, 0.5 * factor, K, G);
#endif
    return true;
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

ZN_INLINE void scatter_between(const zn_element_block *b, int e, double K[DOFS][DOFS], double G[NODES][NODES],
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

ZN_WIDE static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                           double *values)
{
    parent t;
    make_parent(&t);
    for (int e = 0; e < b->count; e++) {
        const zn_solid *p = element(b, e);
        double          K[DOFS][DOFS] = {{0}}, G[NODES][NODES], mass = a + 0.5 * c * p->mass_damping, J;
        mass_matrix(p, &t, G);
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++)
                G[i][j] *= mass;
        add_damping_between(p, &t, c, K, G); // first: it fills K by its lower half
        if (k != 0 && !add_stiffness_between(b, e, &t, s, k, K, G, &J))
            return inverted(b, e, J);
        scatter_between(b, e, K, G, values);
    }
    return ZN_OK;
}

// --- the table -----------------------------------------------------------------------------------

static const char *lacks_between(const zn_element_block *b, int e)
{
    ZN_ASSERT(e < b->count);
    const zn_solid *p = element(b, e);
    return p->mean && p->material.model == ZN_SOLID_NEO_HOOKEAN ? "neo-Hookean with mean dilatation has none" : NULL;
}

static const zn_between_ops between = {lacks_between, force_between, operators_between};
