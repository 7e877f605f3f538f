// Solid elements between two states (0: from, 1: to), for materials whose stress is linear in the strain. Index m:
// means.
//     f_a = -sum_q w Fm Sm g_a,   Fm = (F0 + F1)/2,   Sm = S((E0 + E1)/2)
// E1 - E0 is the symmetric part of Fm'(F1 - F0), so that f.(u1 - u0) = -sum_q w Sm:(E1 - E0), and this is the loss of
// energy, as S is linear in E. Sm is symmetric, so that f has no moment about the mean positions. Tangent at the end,
// with e_a = F1 g_a and m_a = Fm g_a; the block of nodes a, c is
//     sum_q w/2 (lambda m_a e_c' + mu m_c e_a' + mu (g_a.g_c) Fm F1' + (g_a.Sm g_c) I)          not symmetric
// The linear model has F = I, no last term, and strains that are linear in u. Dampers act on the mean velocity.
// Simo and Tarnow, The discrete energy-momentum method, ZAMP 43 (1992) 757-792. Included by solid_loop.h.

// F at the end, its mean, and the mean stress at a point.
typedef struct mean_point {
    double F[DIM][DIM], Fm[DIM][DIM], S[STRAINS];
} mean_point;

// Displacements of an element's nodes in both.
typedef struct two_states {
    vectors u[2];
} two_states;

static void gather_two(const zn_element_block *b, int e, zn_between s, two_states *out)
{
    gather_q(b, e, s.from.q, &out->u[0]);
    gather_q(b, e, s.to.q, &out->u[1]);
}

static bool evaluate_mean(const zn_solid_material *m, const vectors *g, const two_states *s, mean_point *out, double *J)
{
    double F[2][DIM][DIM], E[2][STRAINS];
    for (int k = 0; k < 2; k++) {
        gradient(g, &s->u[k], F[k]);
        strain_of(m->model == ZN_SOLID_LINEAR, F[k], E[k], J);
        if (!(*J > 0))
            return false;
    }
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++) {
            out->F[i][k] = F[1][i][k];
            out->Fm[i][k] = 0.5 * (F[0][i][k] + F[1][i][k]);
        }
    for (int i = 0; i < STRAINS; i++)
        E[1][i] = 0.5 * (E[0][i] + E[1][i]);
    return zn_solid_material_evaluate(m, E[1], NULL, out->S, NULL);
}

// out += w Fm Sm g_a
static void add_mean_stress(double w, mean_point *at, const vectors *g, vectors *out)
{
    double full[DIM][DIM];
    for (int s = 0; s < STRAINS; s++)
        full[row_of[s]][column_of[s]] = full[column_of[s]][row_of[s]] = w * at->S[s];
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++) {
            double P = 0;
            for (int l = 0; l < DIM; l++)
                P += at->Fm[i][l] * full[l][k];
            add_scaled(P, g->at[k], out->at[i]);
        }
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

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    const parent t = make_parent();
    for (int e = 0; e < b->count; e++) {
        const zn_solid *p = element(b, e);
        two_states      own;
        vectors         v, sum = {{{0}}};
        double          J;
        gather_two(b, e, s, &own);
        for (int q = 0; q < POINTS; q++) {
            const point_data point = point_of(p, &t, q);
            mean_point       at;
            if (!evaluate_mean(&p->material, &point.g, &own, &at, &J))
                return inverted(b, e, J);
            add_mean_stress(point.weight, &at, &point.g, &sum);
        }
        if (is_damped(p)) {
            mean_velocity(b, e, s, &v);
            add_damping(p, &t, &v, &sum);
        }
        add(b, e, -1, &sum, f);
    }
    return ZN_OK;
}

// --- tangents at the end -------------------------------------------------------------------------

// K += w (lambda m_a e_c' + mu m_c e_a' + mu (g_a.g_c) Fm F1')
static void add_mean_stiffness(double w, const zn_solid_material *m, const vectors *g, mean_point *at,
                               double K[DOFS][DOFS])
{
    vectors end = {{{0}}}, mean = {{{0}}};
    double  gg[NODES][NODES] = {{0}}, lambda = w * m->lambda, mu = w * m->mu;
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

// factor times the stiffness: all of K, what is equal in all directions into G.
static bool add_stiffness_between(const zn_solid *p, const parent *t, const two_states *s, double factor,
                                  double K[DOFS][DOFS], double G[NODES][NODES], double *J)
{
    for (int q = 0; q < POINTS; q++) {
        const point_data point = point_of(p, t, q);
        double           w = 0.5 * factor * point.weight;
        mean_point       at;
        if (!evaluate_mean(&p->material, &point.g, s, &at, J))
            return false;
        add_mean_stiffness(w, &p->material, &point.g, &at, K);
        if (p->material.model != ZN_SOLID_LINEAR)
            add_geometric_stiffness(w, &point.g, at.S, G);
    }
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
    for (int e = 0; e < b->count; e++) {
        const zn_solid *p = element(b, e);
        double          K[DOFS][DOFS] = {{0}}, G[NODES][NODES], mass = a + 0.5 * c * p->mass_damping, J;
        two_states      own;
        mass_matrix(p, &t, G);
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++)
                G[i][j] *= mass;
        add_damping_between(p, &t, c, K, G); // first: it fills K by its lower half
        gather_two(b, e, s, &own);
        if (k != 0 && !add_stiffness_between(p, &t, &own, k, K, G, &J))
            return inverted(b, e, J);
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
