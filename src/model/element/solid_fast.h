// Internal force and strain energy of solid elements in one pass, for explicit schemes. Vectors run over the points of
// the element (and, at the end, over its nodes), and what an element reads is contiguous. With d the derivative along
// the parent element's axes and B_lk = dxi_l/dX_k:
//     H_ik = sum_l d_l u_i B_lk,   R_il = sum_k w (F S)_ik B_lk,   f_ia = -sum_q,l R_il d_l N_a
// The order of operations in each lane does not depend on the width of registers, so that all clones give the same
// bits. Included by solid_loop.h. Materials that are not linear in the strain take the slow path.
#include "base/wide.h"

// All points of an element, and all nodes, as one vector each; the compiler splits them to what the processor has.
typedef double lanes __attribute__((vector_size(POINTS * sizeof(double)), aligned(sizeof(double))));
typedef double node_lanes __attribute__((vector_size(NODES * sizeof(double)), aligned(sizeof(double))));

// What an element reads and the tables of the parent element, as vectors.
typedef struct fast_map {
    lanes weight, inverse[DIM][DIM];
} fast_map;
_Static_assert(sizeof(fast_map) == sizeof(mapping), "the same in memory");

typedef struct fast_parent {
    lanes      at_points[DIM][NODES]; // derivative l of shape function a
    node_lanes at_nodes[POINTS][DIM];
} fast_parent;

static const fast_map *fast_map_of(const zn_solid *p) { return (const fast_map *)p->data; }

static void make_fast_parent(fast_parent *out)
{
    const parent t = make_parent();
    for (int l = 0; l < DIM; l++)
        for (int a = 0; a < NODES; a++)
            for (int q = 0; q < POINTS; q++)
                out->at_points[l][a][q] = out->at_nodes[q][l][a] = t.dN[l][a][q];
}

// H = grad u at all points.
ZN_INLINE void gradients(const fast_map *map, const fast_parent *t, const vectors *u, lanes H[DIM][DIM])
{
    for (int i = 0; i < DIM; i++) {
        lanes d[DIM];
        for (int l = 0; l < DIM; l++)
            d[l] = u->at[i][0] * t->at_points[l][0];
        for (int a = 1; a < NODES; a++)
            for (int l = 0; l < DIM; l++)
                d[l] += u->at[i][a] * t->at_points[l][a];
        for (int k = 0; k < DIM; k++) {
            H[i][k] = d[0] * map->inverse[0][k];
            for (int l = 1; l < DIM; l++)
                H[i][k] += d[l] * map->inverse[l][k];
        }
    }
}

// Smallest determinant of F = I + H.
ZN_INLINE double smallest_volume(lanes H[DIM][DIM])
{
    lanes xx = 1 + H[0][0], yy = 1 + H[1][1];
#if DIM == 3
    lanes zz = 1 + H[2][2];
    lanes J = xx * (yy * zz - H[1][2] * H[2][1]) - H[0][1] * (H[1][0] * zz - H[1][2] * H[2][0]) +
              H[0][2] * (H[1][0] * H[2][1] - yy * H[2][0]);
#else
    lanes            J = xx * yy - H[0][1] * H[1][0];
#endif
    double least = J[0];
    for (int q = 1; q < POINTS; q++)
        least = J[q] < least ? J[q] : least; // what is not a number shows in the energy
    return least;
}

// Strains that belong to H.
ZN_INLINE void strains(bool small, lanes H[DIM][DIM], lanes E[STRAINS])
{
    for (int s = 0; s < STRAINS; s++) {
        int r = row_of[s], c = column_of[s];
        E[s] = r == c ? H[r][r] : H[r][c] + H[c][r];
        if (small)
            continue;
        lanes square = H[0][r] * H[0][c];
        for (int i = 1; i < DIM; i++)
            square += H[i][r] * H[i][c];
        E[s] += r == c ? 0.5 * square : square;
    }
}

// Stresses S of these strains, and the energy of the element.
ZN_INLINE double stresses(const zn_solid_material *m, const fast_map *map, bool small, lanes H[DIM][DIM],
                          lanes S[STRAINS])
{
    lanes  trace, energy;
    double sum = 0;
    strains(small, H, S);
    trace = S[0] + S[1];
    if (DIM == 3)
        trace += S[2];
    energy = 0.5 * m->lambda * trace * trace;
    for (int s = 0; s < STRAINS; s++) {
        energy += (s < DIM ? m->mu : 0.5 * m->mu) * S[s] * S[s];
        S[s] = s < DIM ? m->lambda * trace + 2 * m->mu * S[s] : m->mu * S[s];
    }
    energy *= map->weight;
    for (int q = 0; q < POINTS; q++)
        sum += energy[q];
    return sum;
}

// R_il at all points.
ZN_INLINE void parent_stresses(const fast_map *map, bool small, lanes H[DIM][DIM], lanes S[STRAINS], lanes R[DIM][DIM])
{
#if DIM == 3
    static const int place[DIM][DIM] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
#else
    static const int place[DIM][DIM] = {{0, 2}, {2, 1}};
#endif
    for (int i = 0; i < DIM; i++) {
        lanes P[DIM]; // row i of w F S
        for (int k = 0; k < DIM; k++) {
            P[k] = S[place[i][k]];
            for (int j = 0; !small && j < DIM; j++)
                P[k] += H[i][j] * S[place[j][k]];
            P[k] *= map->weight;
        }
        for (int l = 0; l < DIM; l++) {
            R[i][l] = P[0] * map->inverse[l][0];
            for (int k = 1; k < DIM; k++)
                R[i][l] += P[k] * map->inverse[l][k];
        }
    }
}

// f_ia = sum_q,l R_il d_l N_a
ZN_INLINE void nodal_forces(const fast_parent *t, lanes R[DIM][DIM], vectors *out)
{
    node_lanes sum[DIM];
    for (int i = 0; i < DIM; i++)
        sum[i] = R[i][0][0] * t->at_nodes[0][0];
    for (int q = 0; q < POINTS; q++)
        for (int l = q == 0 ? 1 : 0; l < DIM; l++)
            for (int i = 0; i < DIM; i++)
                sum[i] += R[i][l][q] * t->at_nodes[q][l];
    memcpy(out, sum, sizeof sum);
}

// One element of a material that is linear in the strain. False when it is inside out; J tells by how much.
ZN_INLINE bool fast_element(const zn_solid *p, const fast_parent *t, bool small, const vectors *u, vectors *out,
                            double *strain, double *J)
{
    const fast_map *map = fast_map_of(p);
    lanes           H[DIM][DIM], S[STRAINS], R[DIM][DIM];
    gradients(map, t, u, H);
    *J = small ? 1 : smallest_volume(H);
    *strain = stresses(&p->material, map, small, H, S);
    parent_stresses(map, small, H, S, R);
    nodal_forces(t, R, out);
    return *J > 0;
}

// NaN, or an infinite energy, is for the scheme to find.
ZN_WIDE static zn_status fast_block(const zn_element_block *b, int first, int count, const double *q, double *f,
                                    double *strain)
{
    fast_parent t;
    double      sum = 0;
    make_fast_parent(&t);
    for (int e = first; e < first + count; e++) {
        const zn_solid *p = element(b, e);
        vectors         u, r;
        double          own, J;
        gather_q(b, e, q, &u);
        bool good = p->material.model == ZN_SOLID_LINEAR ? fast_element(p, &t, true, &u, &r, &own, &J)
                                                         : fast_element(p, &t, false, &u, &r, &own, &J);
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
