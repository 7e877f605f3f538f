// Enhanced strains: E + M a in place of E, where a makes the energy of the element least. Incompatible modes give them:
//     M a = (w0/w) sum_l xi_l sym(a_l G_l'),   G_l = dxi_l/dX and w0 in the middle of the element
// Their mean is 0, so that elements of any shape pass the patch test. For a stress D E that is linear in the strain
//     H a = -r,   H = sum_q w M'D M,   r_l = w0 sum_q xi_l (D E) G_l
// has a constant matrix, whose inverse is made at the beginning, and a belongs to the strain of the moment: no memory,
// no iteration. Entries of a: a_l along i is number DIM l + i. Part of solid_loop.h.
// R. L. Taylor, P. J. Beresford, E. L. Wilson, IJNME 10 (1976) 1211-1219; J. C. Simo, M. S. Rifai, IJNME 29 (1990)
// 1595-1638.
ZN_INLINE void enhance(const mapping *map, const zn_solid_material *m, const parent *t, lanes E[STRAINS])
{
    lanes  S[STRAINS], energy;
    double r[EXTRA], a[EXTRA];
    memcpy(S, E, sizeof S);
    linear_stresses(m, map, false, S, &energy);
    for (int l = 0; l < DIM; l++) {
        double sum[DIM][DIM];
        for (int s = 0; s < STRAINS; s++) {
            lanes  product = t->place[l] * S[s];
            double total = 0;
            for (int q = 0; q < POINTS; q++)
                total += product[q];
            sum[row_of[s]][column_of[s]] = sum[column_of[s]][row_of[s]] = map->volume * total;
        }
        for (int i = 0; i < DIM; i++) {
            r[DIM * l + i] = 0;
            for (int k = 0; k < DIM; k++)
                r[DIM * l + i] += sum[i][k] * map->axis[l][k];
        }
    }
    for (int i = 0; i < EXTRA; i++) {
        a[i] = 0;
        for (int k = 0; k < EXTRA; k++)
            a[i] -= map->flexibility[i][k] * r[k];
    }
    for (int l = 0; l < DIM; l++) {
        lanes own = map->volume * t->place[l] / map->weight;
        for (int s = 0; s < STRAINS; s++) { // shears are doubled
            int i = row_of[s], k = column_of[s];
            E[s] += own * (i == k ? a[DIM * l + i] * map->axis[l][i]
                                  : a[DIM * l + i] * map->axis[l][k] + a[DIM * l + k] * map->axis[l][i]);
        }
    }
}

// L = sum_q w M'D B: with G = G_l, g = g_a of a point, F_j the row j of F there,
//     L_li,ja = w0 sum_q xi_l (lambda (F_j.g) G_i + mu (F_ji (g.G) + g_i (F_j.G)))
static void add_enhanced_row(const zn_solid_material *m, const mapping *map, const double place[DIM], const vectors *g,
                             double F[DIM][DIM], double L[EXTRA][DOFS])
{
    for (int l = 0; l < DIM; l++)
        for (int j = 0; j < DIM; j++)
            for (int a = 0; a < NODES; a++) {
                double Fg = 0, gG = 0, FG = 0, factor = map->volume * place[l];
                for (int k = 0; k < DIM; k++) {
                    Fg += F[j][k] * g->at[k][a];
                    gG += g->at[k][a] * map->axis[l][k];
                    FG += F[j][k] * map->axis[l][k];
                }
                for (int i = 0; i < DIM; i++)
                    L[DIM * l + i][j * NODES + a] +=
                        factor * (m->lambda * Fg * map->axis[l][i] + m->mu * (F[j][i] * gG + g->at[i][a] * FG));
            }
}

// K -= factor Lm' H^-1 L1
static void add_enhanced_stiffness(const mapping *map, double factor, double Lm[EXTRA][DOFS], double L1[EXTRA][DOFS],
                                   double K[DOFS][DOFS])
{
    for (int r = 0; r < EXTRA; r++) {
        double row[DOFS] = {0};
        for (int s = 0; s < EXTRA; s++)
            for (int j = 0; j < DOFS; j++)
                row[j] += factor * map->flexibility[r][s] * L1[s][j];
        for (int i = 0; i < DOFS; i++)
            for (int j = 0; j < DOFS; j++)
                K[i][j] -= Lm[r][i] * row[j];
    }
}

// H^-1 by elimination without pivots: H is symmetric and positive. False when it is not.
static bool invert(double H[EXTRA][EXTRA], double out[EXTRA][EXTRA])
{
    memset(out, 0, sizeof(double) * EXTRA * EXTRA);
    for (int i = 0; i < EXTRA; i++)
        out[i][i] = 1;
    for (int k = 0; k < EXTRA; k++) {
        double pivot = H[k][k];
        if (!(pivot > 0) || !isfinite(pivot))
            return false;
        for (int j = 0; j < EXTRA; j++) {
            H[k][j] /= pivot;
            out[k][j] /= pivot;
        }
        for (int i = 0; i < EXTRA; i++) {
            double factor = i == k ? 0 : H[i][k];
            for (int j = 0; j < EXTRA; j++) {
                H[i][j] -= factor * H[k][j];
                out[i][j] -= factor * out[k][j];
            }
        }
    }
    return true;
}

// H_li,nj = w0^2 sum_q xi_l xi_n / w (lambda G_li G_nj + mu (G_l.G_n delta_ij + G_lj G_ni))
static bool prepare(const zn_solid_kind *kind, const zn_vec3 *X, zn_solid *out)
{
    const double middle[3] = {0, 0, 0};
    zn_vec3      row[3];
    mapping     *map = (mapping *)out->data;
    parent       t;
    double       H[EXTRA][EXTRA];
    map->volume = zn_solid_map(kind, X, middle, row) * out->thickness;
    if (!(map->volume > 0))
        return false;
    make_parent(&t);
    for (int l = 0; l < DIM; l++)
        memcpy(map->axis[l], (double[3]){row[l].x, row[l].y, row[l].z}, sizeof map->axis[l]);
    for (int r = 0; r < EXTRA; r++)
        for (int s = 0; s < EXTRA; s++) {
            int    l = r / DIM, i = r % DIM, n = s / DIM, j = s % DIM;
            double sum = 0, GG = 0;
            for (int q = 0; q < POINTS; q++)
                sum += map->volume * map->volume * t.place[l][q] * t.place[n][q] / map->weight[q];
            for (int k = 0; k < DIM; k++)
                GG += map->axis[l][k] * map->axis[n][k];
            H[r][s] = sum * (out->material.lambda * map->axis[l][i] * map->axis[n][j] +
                             out->material.mu * ((i == j ? GG : 0) + map->axis[l][j] * map->axis[n][i]));
        }
    return invert(H, map->flexibility);
}
