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
typedef struct hourglass {
    double     x[DIM][DIM]; // F t_l
    mode_lanes q[DIM];      // hourglasses, by direction
    mode_lanes z[DIM];
} hourglass;

// h_m at the nodes.
#if DIM == 3
static const node_lanes mode[MODES] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                       {1, -1, -1, 1, -1, 1, 1, -1},
                                       {1, -1, 1, -1, 1, -1, 1, -1},
                                       {-1, 1, -1, 1, 1, -1, 1, -1}};
static const mode_lanes at_corner[NODES] = {{1, 1, 1, -1},  {1, -1, -1, 1},  {-1, -1, 1, -1}, {-1, 1, -1, 1},
                                            {-1, -1, 1, 1}, {-1, 1, -1, -1}, {1, 1, 1, 1},    {1, -1, -1, -1}};
#else
static const node_lanes mode[MODES] = {{1, -1, 1, -1}};
static const mode_lanes at_corner[NODES] = {{1}, {-1}, {1}, {-1}};
#endif

ZN_INLINE void make_hourglass(const mapping *map, bool small, const vectors *u, lanes H[DIM][DIM], hourglass *out)
{
    for (int i = 0; i < DIM; i++) {
        for (int l = 0; l < DIM; l++) {
            out->x[l][i] = map->edge[l][i];
            for (int k = 0; !small && k < DIM; k++)
                out->x[l][i] += H[i][k][0] * map->edge[l][k];
        }
        mode_lanes sum = u->at[i][0] * at_corner[0];
        for (int a = 1; a < NODES; a++)
            sum += u->at[i][a] * at_corner[a];
        sum *= 1.0 / NODES;
        for (int k = 0; k < DIM; k++)
            sum -= H[i][k][0] * map->bent[k];
        out->q[i] = sum;
    }
    for (int l = 0; l < DIM; l++) {
        out->z[l] = out->x[l][0] * out->q[0];
        for (int i = 1; i < DIM; i++)
            out->z[l] += out->x[l][i] * out->q[i];
    }
}

// Q = derivative of the energy by z, linear in z.
ZN_INLINE void hourglass_law(const mapping *map, const mode_lanes z[DIM], mode_lanes Q[DIM])
{
    const double *r = map->metric;
    for (int l = 0; l < DIM; l++) {
        double bend = map->bend * r[l] * r[l];
#if DIM == 3
        int        n = (l + 1) % 3, k = (l + 2) % 3;
        double     other = map->across * r[l], last = map->last * r[l] * r[l];
        double     own = map->twist * r[l] * (r[n] * (z[l][l] + z[n][n]) + r[k] * (z[l][l] + z[k][k]));
        mode_lanes across = {z[0][l] * r[0], z[1][l] * r[1], z[2][l] * r[2], 0};
        mode_lanes along = {l == 0 ? 0 : bend, l == 1 ? 0 : bend, l == 2 ? 0 : bend, last};
        mode_lanes beside = {l == 0 ? 0 : other, l == 1 ? 0 : other, l == 2 ? 0 : other, 0};
        mode_lanes twist = {l == 0 ? own : 0, l == 1 ? own : 0, l == 2 ? own : 0, 0};
        Q[l] = along * z[l] + beside * across + twist;
#else
        Q[l] = bend * z[l];
#endif
    }
}

ZN_INLINE double mode_sum(const mode_lanes *x)
{
    double sum = (*x)[0];
    for (int m = 1; m < MODES; m++)
        sum += (*x)[m];
    return sum;
}

ZN_INLINE double hourglass_energy(const hourglass *h, const mode_lanes Q[DIM])
{
    mode_lanes sum = Q[0] * h->z[0];
    for (int l = 1; l < DIM; l++)
        sum += Q[l] * h->z[l];
    return 0.5 * mode_sum(&sum);
}

// y_m = sum_l Q_lm x_l, what acts on q_m
ZN_INLINE void hourglass_pulls(const hourglass *h, const mode_lanes Q[DIM], mode_lanes y[DIM])
{
    for (int i = 0; i < DIM; i++) {
        y[i] = Q[0] * h->x[0][i];
        for (int l = 1; l < DIM; l++)
            y[i] += Q[l] * h->x[l][i];
    }
}

// What acts through the mean gradients: P += Q_lm q_m t_l' - y_m bent_m'.
ZN_INLINE void add_hourglass_stresses(const mapping *map, bool small, const hourglass *h, const mode_lanes Q[DIM],
                                      const mode_lanes y[DIM], lanes P[DIM][DIM])
{
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++) {
            mode_lanes sum = -y[i] * map->bent[k];
            for (int l = 0; !small && l < DIM; l++)
                sum += map->edge[l][k] * (Q[l] * h->q[i]);
            P[i][k] += mode_sum(&sum);
        }
}

// And the rest: f_a += h_ma y_m / NODES.
ZN_INLINE void add_hourglass_forces(const mode_lanes y[DIM], vectors *out)
{
    for (int i = 0; i < DIM; i++) {
        node_lanes sum = y[i][0] * mode[0];
        for (int m = 1; m < MODES; m++)
            sum += y[i][m] * mode[m];
        *(node_lanes *)out->at[i] += 1.0 / NODES * sum;
    }
}

// gamma_ma and t_l.g_a
static void hourglass_shapes(const mapping *map, node_lanes gamma[MODES], node_lanes along[DIM])
{
    for (int m = 0; m < MODES; m++) {
        gamma[m] = mode[m] / (double)NODES;
        for (int k = 0; k < DIM; k++)
            gamma[m] -= map->bent[k][m] * map->g[k];
    }
    for (int l = 0; l < DIM; l++) {
        along[l] = map->edge[l][0] * map->g[0];
        for (int k = 1; k < DIM; k++)
            along[l] += map->edge[l][k] * map->g[k];
    }
}

// Column (direction i, node a) of dz/du: x_l gamma_ma + q_m (t_l.g_a)
static void hourglass_column(bool small, const hourglass *h, const node_lanes gamma[MODES], const node_lanes along[DIM],
                             int i, int a, mode_lanes z[DIM])
{
    for (int l = 0; l < DIM; l++)
        for (int m = 0; m < MODES; m++)
            z[l][m] = h->x[l][i] * gamma[m][a] + (small ? 0 : h->q[i][m] * along[l][a]);
}

// factor times the stiffness: K += Bm' (dQ/dz) B1, and what is equal in all directions into G.
static void add_hourglass_stiffness(const mapping *map, bool small, const hourglass *mean, const hourglass *end,
                                    const mode_lanes Q[DIM], double factor, double K[DOFS][DOFS],
                                    double G[NODES][NODES])
{
    node_lanes gamma[MODES], along[DIM];
    mode_lanes B[DOFS][DIM];
    hourglass_shapes(map, gamma, along);
    for (int i = 0; i < DOFS; i++)
        hourglass_column(small, mean, gamma, along, i / NODES, i % NODES, B[i]);
    for (int j = 0; j < DOFS; j++) {
        mode_lanes z[DIM], force[DIM];
        hourglass_column(small, end, gamma, along, j / NODES, j % NODES, z);
        hourglass_law(map, z, force);
        for (int i = 0; i < DOFS; i++) {
            mode_lanes sum = B[i][0] * force[0];
            for (int l = 1; l < DIM; l++)
                sum += B[i][l] * force[l];
            K[i][j] += factor * mode_sum(&sum);
        }
    }
    for (int l = 0; !small && l < DIM; l++)
        for (int m = 0; m < MODES; m++)
            for (int a = 0; a < NODES; a++)
                for (int c = 0; c < NODES; c++)
                    G[a][c] += factor * Q[l][m] * (gamma[m][a] * along[l][c] + gamma[m][c] * along[l][a]);
}

static void hourglass_stiffnesses(const zn_solid_material *material, mapping *map)
{
    zn_solid_material m = zn_solid_material_reference(material);
    double            third = map->weight[0] / 3, lambda = m.lambda, mu = m.mu;
    map->bend = third * 4 * mu * (lambda + mu) / (lambda + 2 * mu);
    map->across = third * 2 * mu * lambda / (lambda + 2 * mu);
    map->twist = third * mu;
    map->last = third / 3 * mu * (3 * lambda + 2 * mu) / (lambda + mu);
    for (int l = 0; l < DIM; l++) {
        double square = 0;
        for (int i = 0; i < DIM; i++)
            square += map->edge[l][i] * map->edge[l][i];
        map->metric[l] = 1 / square;
    }
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
        map->weight += map->mass[q];
        kind->shape(kind->mass_point[q].at, N, dN);
        for (int a = 0; a < NODES; a++)
            for (int l = 0; l < DIM; l++) {
                const double axis[3] = {row[l].x, row[l].y, row[l].z};
                for (int k = 0; k < DIM; k++)
                    map->at_node[a][k] += map->mass[q] * axis[k] * dN[a][l];
            }
    }
    kind->shape(middle, N, dN);
    for (int a = 0; a < NODES; a++) {
        const double at[3] = {X[a].x - X[0].x, X[a].y - X[0].y, X[a].z - X[0].z};
        for (int k = 0; k < DIM; k++) {
            map->g[k][a] = map->at_node[a][k] /= map->weight[0];
            for (int l = 0; l < DIM; l++)
                map->edge[l][k] += at[k] * dN[a][l];
            for (int m = 0; m < MODES; m++)
                map->bent[k][m] += mode[m][a] * at[k] / NODES;
        }
    }
    hourglass_stiffnesses(&out->material, map);
    return true;
}
