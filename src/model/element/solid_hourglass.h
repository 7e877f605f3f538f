// One point with mean gradients, and what resists the modes it does not see. With h_m the products of two parent axes
// (all but xi_m; the last: of all), X the nodes and g the mean gradients, the hourglasses of a displacement are
//     q_m = sum_a gamma_ma u_a,   gamma_ma = (h_ma - sum_k (h_m.X_k) g_ka) / NODES
// and vanish for all linear fields: patch test and rigid motions are exact whatever resists. Along the axes t_l =
// dX/dxi_l as they are now, z_lm = (F t_l).q_m are what q adds to the strains along these axes, which change neither
// by rotations. With r_l = 1/|t_l|^2, volume V and the elastic constants,
//     V/6  (c (A^2 + B^2) + 2 d A B),     A = z_lm r_l,  B = z_ml r_m     bending about two axes, no stress across
//     V/6  mu r_l r_m (z_ll + z_mm)^2                                     twist
//     V/18 E (z_l4 r_l)^2                                                 the last mode
// where c = E/(1 - nu^2), d = nu c: the energy of the linear strains in the element without the shears that bending
// does not have, as in assumed strains. In the plane there is one mode, V/6 c (z_l r_l)^2. Part of solid_loop.h.
// D. P. Flanagan, T. Belytschko, IJNME 17 (1981) 679-706; T. Belytschko, L. P. Bindeman, CMAME 105 (1993) 225-260;
// M. A. Puso, IJNME 49 (2000) 1029-1064.
enum { HOURGLASSES = DIM * MODES }; // z_lm is number MODES l + m

typedef struct hourglass {
    double x[DIM][DIM];   // F t_l
    double q[MODES][DIM]; // hourglasses
    double z[HOURGLASSES];
} hourglass;

// h_m at the nodes.
#if DIM == 3
static const double mode[MODES][NODES] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                          {1, -1, -1, 1, -1, 1, 1, -1},
                                          {1, -1, 1, -1, 1, -1, 1, -1},
                                          {-1, 1, -1, 1, 1, -1, 1, -1}};
#else
static const double mode[MODES][NODES] = {{1, -1, 1, -1}};
#endif

ZN_INLINE void products(double x[DIM][DIM], double q[MODES][DIM], double z[HOURGLASSES])
{
    for (int l = 0; l < DIM; l++)
        for (int m = 0; m < MODES; m++) {
            z[MODES * l + m] = 0;
            for (int i = 0; i < DIM; i++)
                z[MODES * l + m] += x[l][i] * q[m][i];
        }
}

ZN_INLINE void make_hourglass(const mapping *map, bool small, const vectors *u, lanes H[DIM][DIM], hourglass *out)
{
    for (int i = 0; i < DIM; i++) {
        for (int l = 0; l < DIM; l++) {
            out->x[l][i] = map->edge[l][i];
            for (int k = 0; !small && k < DIM; k++)
                out->x[l][i] += H[i][k][0] * map->edge[l][k];
        }
        for (int m = 0; m < MODES; m++) {
            double sum = 0;
            for (int a = 0; a < NODES; a++)
                sum += mode[m][a] * u->at[i][a];
            sum /= NODES;
            for (int k = 0; k < DIM; k++)
                sum -= H[i][k][0] * map->bent[m][k];
            out->q[m][i] = sum;
        }
    }
    products(out->x, out->q, out->z);
}

// Q = derivative of the energy by z, linear in z.
ZN_INLINE void hourglass_law(const mapping *map, const zn_solid_material *m, const double z[HOURGLASSES],
                             double Q[HOURGLASSES])
{
    double third = map->weight[0] / 3, mu = m->mu, r[DIM];
    double lambda = m->plane_stress ? 2 * m->lambda * mu / (m->lambda + 2 * mu) : m->lambda;
    double bend = 4 * mu * (lambda + mu) / (lambda + 2 * mu) * third;
    for (int l = 0; l < DIM; l++) {
        double square = 0;
        for (int i = 0; i < DIM; i++)
            square += map->edge[l][i] * map->edge[l][i];
        r[l] = 1 / square;
    }
#if DIM == 3
    double across = 2 * mu * lambda / (lambda + 2 * mu) * third, last = mu * (3 * lambda + 2 * mu) / (lambda + mu);
    for (int l = 0; l < 3; l++) {
        int n = (l + 1) % 3, k = (l + 2) % 3;
        Q[4 * l + n] = r[l] * (bend * z[4 * l + n] * r[l] + across * z[4 * n + l] * r[n]);
        Q[4 * l + k] = r[l] * (bend * z[4 * l + k] * r[l] + across * z[4 * k + l] * r[k]);
        Q[4 * l + l] = third * mu * r[l] * (r[n] * (z[5 * l] + z[5 * n]) + r[k] * (z[5 * l] + z[5 * k]));
        Q[4 * l + 3] = last * third / 3 * r[l] * r[l] * z[4 * l + 3];
    }
#else
    for (int l = 0; l < DIM; l++)
        Q[l] = bend * r[l] * r[l] * z[l];
#endif
}

ZN_INLINE double hourglass_energy(const hourglass *h, const double Q[HOURGLASSES])
{
    double sum = 0;
    for (int i = 0; i < HOURGLASSES; i++)
        sum += 0.5 * Q[i] * h->z[i];
    return sum;
}

// y_m = sum_l Q_lm x_l, what acts on q_m
ZN_INLINE void hourglass_pull(const hourglass *h, const double Q[HOURGLASSES], int m, double y[DIM])
{
    for (int i = 0; i < DIM; i++) {
        y[i] = 0;
        for (int l = 0; l < DIM; l++)
            y[i] += Q[MODES * l + m] * h->x[l][i];
    }
}

// What acts through the mean gradients: P += Q_lm q_m t_l' - y_m bent_m'.
ZN_INLINE void add_hourglass_stresses(const mapping *map, bool small, const hourglass *h, const double Q[HOURGLASSES],
                                      lanes P[DIM][DIM])
{
    for (int m = 0; m < MODES; m++) {
        double y[DIM];
        hourglass_pull(h, Q, m, y);
        for (int i = 0; i < DIM; i++)
            for (int k = 0; k < DIM; k++) {
                double sum = -y[i] * map->bent[m][k];
                for (int l = 0; !small && l < DIM; l++)
                    sum += Q[MODES * l + m] * h->q[m][i] * map->edge[l][k];
                P[i][k][0] += sum;
            }
    }
}

// And the rest: f_a += h_ma y_m / NODES.
ZN_INLINE void add_hourglass_forces(const hourglass *h, const double Q[HOURGLASSES], vectors *out)
{
    for (int m = 0; m < MODES; m++) {
        double y[DIM];
        hourglass_pull(h, Q, m, y);
        for (int i = 0; i < DIM; i++)
            *(node_lanes *)out->at[i] += y[i] / NODES * *(const node_lanes *)mode[m];
    }
}

// gamma_ma and t_l.g_a
static void hourglass_shapes(const mapping *map, double gamma[MODES][NODES], double along[DIM][NODES])
{
    for (int a = 0; a < NODES; a++) {
        for (int m = 0; m < MODES; m++) {
            gamma[m][a] = mode[m][a] / NODES;
            for (int k = 0; k < DIM; k++)
                gamma[m][a] -= map->bent[m][k] * map->g[k][a];
        }
        for (int l = 0; l < DIM; l++) {
            along[l][a] = 0;
            for (int k = 0; k < DIM; k++)
                along[l][a] += map->edge[l][k] * map->g[k][a];
        }
    }
}

// Rows of dz/du: x_l gamma_ma + q_m (t_l.g_a)
static void hourglass_rows(bool small, const hourglass *h, double gamma[MODES][NODES], double along[DIM][NODES],
                           double B[HOURGLASSES][DOFS])
{
    for (int l = 0; l < DIM; l++)
        for (int m = 0; m < MODES; m++)
            for (int i = 0; i < DIM; i++)
                for (int a = 0; a < NODES; a++)
                    B[MODES * l + m][i * NODES + a] = h->x[l][i] * gamma[m][a] + (small ? 0 : h->q[m][i] * along[l][a]);
}

// factor times the stiffness: K += Bm' (dQ/dz) B1, and what is equal in all directions into G.
static void add_hourglass_stiffness(const mapping *map, const zn_solid_material *law, bool small, const hourglass *mean,
                                    const hourglass *end, const double Q[HOURGLASSES], double factor,
                                    double K[DOFS][DOFS], double G[NODES][NODES])
{
    double gamma[MODES][NODES], along[DIM][NODES], Bm[HOURGLASSES][DOFS], B1[HOURGLASSES][DOFS];
    hourglass_shapes(map, gamma, along);
    hourglass_rows(small, mean, gamma, along, Bm);
    hourglass_rows(small, end, gamma, along, B1);
    for (int j = 0; j < DOFS; j++) {
        double z[HOURGLASSES], column[HOURGLASSES];
        for (int r = 0; r < HOURGLASSES; r++)
            z[r] = factor * B1[r][j];
        hourglass_law(map, law, z, column);
        for (int r = 0; r < HOURGLASSES; r++)
            for (int i = 0; i < DOFS; i++)
                K[i][j] += Bm[r][i] * column[r];
    }
    for (int l = 0; !small && l < DIM; l++)
        for (int m = 0; m < MODES; m++)
            for (int a = 0; a < NODES; a++)
                for (int c = 0; c < NODES; c++)
                    G[a][c] += factor * Q[MODES * l + m] * (gamma[m][a] * along[l][c] + gamma[m][c] * along[l][a]);
}

// Mean gradients are exact with the points of the full element, sum w g / sum w.
static bool prepare(const zn_solid_kind *kind, const zn_vec3 *X, zn_solid *out)
{
    mapping     *map = (mapping *)out->data;
    const double middle[3] = {0, 0, 0};
    double       N[NODES], dN[NODES][3];
    zn_vec3      row[3];
    memset(map, 0, sizeof *map);
    for (int q = 0; q < kind->mass_points; q++) {
        map->mass[q] = kind->mass_point[q].weight * zn_solid_map(kind, X, kind->mass_point[q].at, row) * out->thickness;
        if (!(map->mass[q] > 0) || !isfinite(map->mass[q]))
            return false;
        map->weight[0] += map->mass[q];
        kind->shape(kind->mass_point[q].at, N, dN);
        for (int a = 0; a < NODES; a++)
            for (int l = 0; l < DIM; l++) {
                const double axis[3] = {row[l].x, row[l].y, row[l].z};
                for (int k = 0; k < DIM; k++)
                    map->g[k][a] += map->mass[q] * axis[k] * dN[a][l];
            }
    }
    kind->shape(middle, N, dN);
    for (int a = 0; a < NODES; a++) {
        const double at[3] = {X[a].x - X[0].x, X[a].y - X[0].y, X[a].z - X[0].z};
        for (int k = 0; k < DIM; k++) {
            map->g[k][a] /= map->weight[0];
            for (int l = 0; l < DIM; l++)
                map->edge[l][k] += at[k] * dN[a][l];
            for (int m = 0; m < MODES; m++)
                map->bent[m][k] += mode[m][a] * at[k] / NODES;
        }
    }
    return true;
}
