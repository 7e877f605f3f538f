// Internal force and strain energy of solid elements in one pass, for explicit schemes: every loop runs over the points of
// the element (or, at the end, over its nodes), which are as many as fit into wide vectors, and what an element reads is
// contiguous. With d the derivative along the parent element's axes and B_lk = dxi_l/dX_k:
//     H_ik = sum_l d_l u_i B_lk,   R_il = sum_k w (F S)_ik B_lk,   f_ia = -sum_q,l R_il d_l N_a
// The order of operations in each lane does not depend on the width of vectors, so that all clones give the same bits.
// Included by solid_loop.h. Materials that are not linear in the strain take the slow path.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ZN_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#define ZN_INLINE static inline __attribute__((always_inline))
#else
#define ZN_WIDE
#define ZN_INLINE static inline
#endif

typedef double lanes[POINTS];

// H = grad u at all points.
ZN_INLINE void gradients(const mapping *map, const parent *t, const vectors *u, lanes H[DIM][DIM])
{
    for (int i = 0; i < DIM; i++) {
        lanes d[DIM];
        for (int l = 0; l < DIM; l++) {
            for (int q = 0; q < POINTS; q++)
                d[l][q] = u->at[i][0] * t->dN[l][0][q];
            for (int a = 1; a < NODES; a++)
                for (int q = 0; q < POINTS; q++)
                    d[l][q] += u->at[i][a] * t->dN[l][a][q];
        }
        for (int k = 0; k < DIM; k++) {
            for (int q = 0; q < POINTS; q++)
                H[i][k][q] = d[0][q] * map->inverse[0][k][q];
            for (int l = 1; l < DIM; l++)
                for (int q = 0; q < POINTS; q++)
                    H[i][k][q] += d[l][q] * map->inverse[l][k][q];
        }
    }
}

// Smallest determinant of F = I + H.
ZN_INLINE double smallest_volume(lanes H[DIM][DIM])
{
    lanes  J;
    double least;
    for (int q = 0; q < POINTS; q++) {
        double xx = 1 + H[0][0][q], yy = 1 + H[1][1][q];
#if DIM == 3
        double zz = 1 + H[2][2][q];
        J[q] = xx * (yy * zz - H[1][2][q] * H[2][1][q]) - H[0][1][q] * (H[1][0][q] * zz - H[1][2][q] * H[2][0][q]) +
               H[0][2][q] * (H[1][0][q] * H[2][1][q] - yy * H[2][0][q]);
#else
        J[q] = xx * yy - H[0][1][q] * H[1][0][q];
#endif
    }
    least = J[0];
    for (int q = 1; q < POINTS; q++)
        least = J[q] < least ? J[q] : least; // NaN stays where it is: checked by the energy
    return least;
}

// Strains E, their stresses in place of them, and the energy of the element.
ZN_INLINE double stresses(const zn_solid_material *m, const mapping *map, bool small, lanes H[DIM][DIM], lanes S[STRAINS])
{
    lanes  trace, energy;
    double sum = 0;
    for (int s = 0; s < STRAINS; s++) {
        int r = row_of[s], c = column_of[s];
        if (small)
            for (int q = 0; q < POINTS; q++)
                S[s][q] = r == c ? H[r][r][q] : H[r][c][q] + H[c][r][q];
        else
            for (int q = 0; q < POINTS; q++) {
                double square = H[0][r][q] * H[0][c][q];
                for (int i = 1; i < DIM; i++)
                    square += H[i][r][q] * H[i][c][q];
                S[s][q] = r == c ? H[r][r][q] + 0.5 * square : H[r][c][q] + H[c][r][q] + square;
            }
    }
    for (int q = 0; q < POINTS; q++)
        trace[q] = S[0][q] + S[1][q] + (DIM == 3 ? S[2][q] : 0);
    for (int q = 0; q < POINTS; q++)
        energy[q] = 0.5 * m->lambda * trace[q] * trace[q];
    for (int s = 0; s < STRAINS; s++)
        for (int q = 0; q < POINTS; q++) {
            energy[q] += (s < DIM ? m->mu : 0.5 * m->mu) * S[s][q] * S[s][q];
            S[s][q] = s < DIM ? m->lambda * trace[q] + 2 * m->mu * S[s][q] : m->mu * S[s][q];
        }
    for (int q = 0; q < POINTS; q++)
        sum += map->weight[q] * energy[q];
    return sum;
}

// R_il at all points.
ZN_INLINE void parent_stresses(const mapping *map, bool small, lanes H[DIM][DIM], lanes S[STRAINS], lanes R[DIM][DIM])
{
#if DIM == 3
    static const int place[DIM][DIM] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
#else
    static const int place[DIM][DIM] = {{0, 2}, {2, 1}};
#endif
    for (int i = 0; i < DIM; i++) {
        lanes P[DIM]; // row i of w F S
        for (int k = 0; k < DIM; k++) {
            for (int q = 0; q < POINTS; q++)
                P[k][q] = S[place[i][k]][q];
            for (int j = 0; !small && j < DIM; j++)
                for (int q = 0; q < POINTS; q++)
                    P[k][q] += H[i][j][q] * S[place[j][k]][q];
            for (int q = 0; q < POINTS; q++)
                P[k][q] *= map->weight[q];
        }
        for (int l = 0; l < DIM; l++) {
            for (int q = 0; q < POINTS; q++)
                R[i][l][q] = P[0][q] * map->inverse[l][0][q];
            for (int k = 1; k < DIM; k++)
                for (int q = 0; q < POINTS; q++)
                    R[i][l][q] += P[k][q] * map->inverse[l][k][q];
        }
    }
}

// One element of a material that is linear in the strain. False when it is inside out; J tells by how much.
ZN_INLINE bool fast_element(const zn_solid *p, const parent *t, double (*dN)[DIM][NODES], bool small, const vectors *u,
                            vectors *out, double *strain, double *J)
{
    const mapping *map = mapping_of(p);
    lanes          H[DIM][DIM], S[STRAINS], R[DIM][DIM];
    gradients(map, t, u, H);
    *J = small ? 1 : smallest_volume(H);
    *strain = stresses(&p->material, map, small, H, S);
    parent_stresses(map, small, H, S, R);
    for (int i = 0; i < DIM; i++) {
        double sum[NODES] = {0};
        for (int q = 0; q < POINTS; q++)
            for (int l = 0; l < DIM; l++)
                for (int a = 0; a < NODES; a++)
                    sum[a] += R[i][l][q] * dN[q][l][a];
        memcpy(out->at[i], sum, sizeof sum);
    }
    return *J > 0;
}

// NaN, or an infinite energy, is for the scheme to find.
ZN_WIDE static zn_status fast_block(const zn_element_block *b, int first, int count, const double *q, double *f,
                                    double *strain)
{
    const parent t = make_parent();
    double       dN[POINTS][DIM][NODES], sum = 0;
    for (int k = 0; k < POINTS; k++)
        for (int l = 0; l < DIM; l++)
            for (int a = 0; a < NODES; a++)
                dN[k][l][a] = t.dN[l][a][k];
    for (int e = first; e < first + count; e++) {
        const zn_solid *p = element(b, e);
        vectors         u, r;
        double          own, J;
        gather_q(b, e, q, &u);
        bool good = p->material.model == ZN_SOLID_LINEAR ? fast_element(p, &t, dN, true, &u, &r, &own, &J)
                                                         : fast_element(p, &t, dN, false, &u, &r, &own, &J);
        if (!good)
            return inverted(b, e, J);
        add(b, e, -1, &r, f);
        sum += own;
    }
    *strain += sum;
    return ZN_OK;
}

static zn_status slow_block(const zn_element_block *b, int first, int count, const double *q, double *f, double *strain)
{
    const parent t = make_parent();
    for (int e = first; e < first + count; e++) {
        const zn_solid *p = element(b, e);
        vectors         u, sum = {{{0}}};
        double          J;
        gather_q(b, e, q, &u);
        for (int k = 0; k < POINTS; k++) {
            const point_data point = point_of(p, &t, k);
            double           F[DIM][DIM], density;
            if (!evaluate_point(&p->material, &point.g, &u, F, &density, NULL, NULL, &J))
                return inverted(b, e, J);
            *strain += point.weight * density;
        }
        if (!add_internal(p, &t, &p->material, &u, 1, &sum, &J))
            return inverted(b, e, J);
        add(b, e, -1, &sum, f);
    }
    return ZN_OK;
}

// Runs of elements with the same kind of material.
static zn_status force_energy(const zn_element_block *b, int first, int count, zn_at at, double *f, double *strain)
{
    for (int e = first, end = first + count; e < end;) {
        bool slow = element(b, e)->material.model == ZN_SOLID_NEO_HOOKEAN;
        int  next = e + 1;
        while (next < end && (element(b, next)->material.model == ZN_SOLID_NEO_HOOKEAN) == slow)
            next++;
        ZN_TRY(slow ? slow_block(b, e, next - e, at.q, f, strain) : fast_block(b, e, next - e, at.q, f, strain));
        e = next;
    }
    return ZN_OK;
}
