// Stiffness of solid elements. Part of solid_loop.h.
//     K = sum_q w (B' D B + (g_a.S g_b) I),   B = dE/du
// Mean dilatation: D without its part of lambda, and lambda/V b b' with b = sum_q w dt/du. Enhanced strains take away
// L' H^-1 L, see solid_enhanced.h.

// Weight (volume) and reference gradients at a point.
typedef struct point_data {
    double  weight;
    vectors g;
} point_data;

static void point_of(const zn_solid *p, const parent *t, int q, point_data *out)
{
    const mapping *map = mapping_of(p);
    out->weight = map->weight[q];
#if REDUCED
    (void)t;
    memcpy(&out->g, map->g, sizeof out->g);
#else
    for (int k = 0; k < DIM; k++)
        for (int a = 0; a < NODES; a++) {
            double sum = 0;
            for (int l = 0; l < DIM; l++)
                sum += map->inverse[l][k][q] * t->at_nodes[q][l][a];
            out->g.at[k][a] = sum;
        }
#endif
}

// F of a point from H.
static void deformation(bool small, lanes H[DIM][DIM], int q, double F[DIM][DIM])
{
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++)
            F[i][k] = (i == k) + (small ? 0 : H[i][k][q]);
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
// less than half the work of the products with B. The weight is in lambda and mu.
static void add_isotropic_stiffness(double lambda, double mu, const vectors *g, double F[DIM][DIM],
                                    double K[DOFS][DOFS])
{
    vectors f = {{{0}}};
    double  gg[NODES][NODES] = {{0}};
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

// --- what belongs to the element as a whole ------------------------------------------------------

// F^-T; returns the determinant of F.
static double inverse_transposed(double F[DIM][DIM], double out[DIM][DIM])
{
    double J = 0;
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++) {
#if DIM == 3
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            out[i][k] = F[i1][k1] * F[i2][k2] - F[i1][k2] * F[i2][k1];
#else
            out[i][k] = (i == k ? 1 : -1) * F[1 - i][1 - k];
#endif
        }
    for (int k = 0; k < DIM; k++)
        J += F[0][k] * out[0][k];
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++)
            out[i][k] /= J;
    return J;
}

// b += w dt/du: t = tr E gives F g, ln J gives F^-T g
static void add_dilatation_row(const zn_solid_material *m, double w, const vectors *g, double F[DIM][DIM],
                               double b[DOFS])
{
    double A[DIM][DIM];
    memcpy(A, F, sizeof A);
    if (m->model == ZN_SOLID_NEO_HOOKEAN)
        inverse_transposed(F, A);
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++)
            add_scaled(w * A[i][k], g->at[k], b + i * NODES);
}

// Two rows, at the mean of two states and at their end; the same of one state.
typedef struct whole_rows {
    double b[DOFS];
#if ENHANCED
    double L[EXTRA][DOFS];
#endif
} whole_rows;

static void make_whole_rows(const zn_solid *p, const zn_solid_material *m, const parent *t, bool small,
                            lanes H[DIM][DIM], whole_rows *out)
{
    memset(out, 0, sizeof *out);
    for (int q = 0; q < POINTS; q++) {
        point_data point;
        double     F[DIM][DIM];
        point_of(p, t, q, &point);
        deformation(small, H, q, F);
        if (p->mean)
            add_dilatation_row(m, point.weight, &point.g, F, out->b);
#if ENHANCED
        double place[DIM];
        for (int l = 0; l < DIM; l++)
            place[l] = t->place[l][q];
        add_enhanced_row(m, mapping_of(p), place, &point.g, F, out->L);
#endif
    }
}

// All of K.
static void add_whole(const zn_solid *p, const zn_solid_material *m, double factor, whole_rows *mean, whole_rows *end,
                      double K[DOFS][DOFS])
{
    double volume = 0;
    for (int q = 0; q < POINTS; q++)
        volume += mapping_of(p)->weight[q];
    for (int i = 0; p->mean && i < DOFS; i++)
        for (int j = 0; j < DOFS; j++)
            K[i][j] += factor * m->lambda / volume * mean->b[i] * end->b[j];
#if ENHANCED
    add_enhanced_stiffness(mapping_of(p), factor, mean->L, end->L, K);
#endif
}

static bool has_whole(const zn_solid *p) { return ENHANCED || p->mean; }

// --- all of it -----------------------------------------------------------------------------------

// Pressure lambda mean(ln J) of the element.
static double mean_pressure(const zn_solid *p, const zn_solid_material *m, lanes H[DIM][DIM])
{
    double sum = 0, volume = 0, w;
    for (int q = 0; q < POINTS; q++) {
        double F[DIM][DIM], A[DIM][DIM];
        deformation(false, H, q, F);
        w = mapping_of(p)->weight[q];
        sum += w * zn_ln(inverse_transposed(F, A));
        volume += w;
    }
    return m->lambda * sum / volume;
}

// The point of a neo-Hookean element, which has been evaluated before: its tangent exists.
static void add_rubber_point(const zn_solid *p, const zn_solid_material *m, double w, const point_data *point,
                             response *r, int q, double F[DIM][DIM], double K[DOFS][DOFS])
{
    lanes  strain[STRAINS];
    double E[ZN_STRAINS_SPACE], D[STRAINS * STRAINS], B[STRAINS][DOFS],
        pressure = p->mean ? mean_pressure(p, m, r->H) : 0;
    strains(false, r->H, strain);
    for (int s = 0; s < STRAINS; s++)
        E[s] = strain[s][q];
    zn_solid_material_tangent(m, E, p->mean ? &pressure : NULL, D);
    strain_rows(&point->g, F, B);
    add_material_stiffness(w, B, D, K);
}

// Lower half of factor * stiffness into K, what is equal in all directions into G.
static bool add_stiffness(const zn_solid *p, const parent *t, const zn_solid_material *m, const vectors *u,
                          double factor, double K[DOFS][DOFS], double G[NODES][NODES], double *J)
{
    bool     small = m->model == ZN_SOLID_LINEAR;
    response r;
    if (!respond(p, m, t, small, u, &r)) {
        *J = r.J;
        return false;
    }
    for (int q = 0; q < POINTS; q++) {
        point_data point;
        double     F[DIM][DIM], S[STRAINS];
        point_of(p, t, q, &point);
        deformation(small, r.H, q, F);
        double w = factor * point.weight;
        for (int s = 0; s < STRAINS; s++)
            S[s] = r.S[s][q];
        if (m->model == ZN_SOLID_NEO_HOOKEAN)
            add_rubber_point(p, m, w, &point, &r, q, F, K);
        else
            add_isotropic_stiffness(p->mean ? 0 : w * m->lambda, w * m->mu, &point.g, F, K);
        if (!small)
            add_geometric_stiffness(w, &point.g, S, G);
    }
    if (has_whole(p)) {
        whole_rows rows;
        make_whole_rows(p, m, t, small, r.H, &rows);
        add_whole(p, m, factor, &rows, &rows, K);
    }
#if REDUCED
    hourglass  h;
    mode_lanes Q[DIM];
    make_hourglass(mapping_of(p), small, u, r.H, &h);
    hourglass_law(mapping_of(p), h.z, Q);
    add_hourglass_stiffness(mapping_of(p), small, &h, &h, Q, factor, K, G);
#endif
    return true;
}
