/// A solid element as a cell: its stress, volume and thickness. Part of solid_loop.h.
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

// Mean stress of an element; false when it is inverted.
static bool cauchy_stress(const zn_element_block *b, int e, const double *q, double cauchy[6])
{
    const zn_solid          *p = element(b, e);
    const zn_solid_material *m = &p->material;
    bool                     small = m->model == ZN_SOLID_LINEAR;
    parent                   t;
    vectors                  u;
    response                 r;
    double                   total = 0;
    make_parent(&t);
    memset(cauchy, 0, 6 * sizeof *cauchy);
    gather_q(b, e, q, &u);
    if (!respond(p, m, &t, small, &u, &r))
        return false;
    for (int k = 0; k < POINTS; k++) {
        double F[DIM][DIM], A[DIM][DIM], S[STRAINS], w = mapping_of(p)->weight[k];
        deformation(small, r.H, k, F);
        double J = inverse_transposed(F, A);
        for (int s = 0; s < STRAINS; s++)
            S[s] = r.S[s][k];
        bool mean = p->mean && m->model == ZN_SOLID_NEO_HOOKEAN;
        add_cauchy(w, F, S, mean ? mean_pressure(p, m, r.H) : zn_solid_material_across(m, S, J), J, cauchy);
        total += w;
    }
    for (int i = 0; i < 6; i++)
        cauchy[i] /= total;
    return true;
}

static double von_mises(const zn_element_block *b, int e, const double *q)
{
    double c[6];
    if (!cauchy_stress(b, e, q, c))
        return NAN;
    double x = c[0] - c[1], y = c[1] - c[2], z = c[2] - c[0];
    return sqrt(0.5 * (x * x + y * y + z * z) + 3 * (c[3] * c[3] + c[4] * c[4] + c[5] * c[5]));
}

// The weights of the points.
static double volume(const zn_element_block *b, int e, const zn_vec3 *X)
{
    (void)X;
    double sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += mapping_of(element(b, e))->weight[i];
    return sum;
}

static double thickness(const void *parameter) { return ((const zn_solid *)parameter)->thickness; }

#define SOLID_CELL                                                                                                     \
    .dim = DIM, .stress_name = "von Mises stress", .stress_unit = "Pa", .stress = von_mises, .measure = volume,        \
    .thickness = thickness
