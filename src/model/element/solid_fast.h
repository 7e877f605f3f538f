// Internal force and strain energy of solid elements in one pass. Vectors run over the points of the element (and, at
// the end, over its nodes), and what an element reads is contiguous. With d the derivative along the parent element's
// axes and B_lk = dxi_l/dX_k:
//     H_ik = sum_l d_l u_i B_lk,   R_il = sum_k w (F S)_ik B_lk,   f_ia = -sum_q,l R_il d_l N_a
// Mean dilatation: the term lambda/2 t^2 of the energy, with t = tr E, or ln J of the neo-Hookean material, takes the
// mean of t over the element, so that S = S(lambda = 0) + lambda mean(t) dt/dE. T. J. R. Hughes, The finite element
// method (1987), 4.4 and 4.5, with the strain of large deformations in place of the small one.
// The order of operations in each lane does not depend on the width of registers, so that all clones give the same
// bits. Included by solid_loop.h.
#include "model/element/solid_rubber.h"

// An element at all points: grad u, stresses, energy.
typedef struct response {
    lanes  H[DIM][DIM], S[STRAINS];
    double energy, J; // smallest determinant of F
} response;

// H = grad u at all points.
ZN_INLINE void gradients(const mapping *map, const parent *t, const vectors *u, lanes H[DIM][DIM])
{
#if REDUCED
    (void)t;
    for (int i = 0; i < DIM; i++) {
        axis_lanes sum = u->at[i][0] * map->at_node[0];
        for (int a = 1; a < NODES; a++)
            sum += u->at[i][a] * map->at_node[a];
        for (int k = 0; k < DIM; k++)
            H[i][k] = (lanes){sum[k], sum[k]};
    }
#else
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
#endif
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
    lanes J = xx * yy - H[0][1] * H[1][0];
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

// Stresses of strains in place of them, linear in the strain.
ZN_INLINE void linear_stresses(const zn_solid_material *m, const mapping *map, bool mean, lanes S[STRAINS],
                               lanes *energy)
{
    lanes trace = S[0] + S[1];
    if (DIM == 3)
        trace += S[2];
    if (mean)
        average(map, &trace);
    *energy = 0.5 * m->lambda * trace * trace;
    for (int s = 0; s < STRAINS; s++) {
        *energy += (s < DIM ? m->mu : 0.5 * m->mu) * S[s] * S[s];
        S[s] = s < DIM ? m->lambda * trace + 2 * m->mu * S[s] : m->mu * S[s];
    }
}

#if ENHANCED
#include "model/element/solid_enhanced.h"
#endif
#if REDUCED
#include "model/element/solid_hourglass.h"
#endif

// Stresses that go with H, and the energy of the element. False when the material has no such state.
ZN_INLINE bool stresses(const zn_solid *p, const zn_solid_material *m, const parent *t, bool small, lanes H[DIM][DIM],
                        lanes S[STRAINS], double *sum)
{
    const mapping *map = mapping_of(p);
    lanes          energy = {0}; // compilers do not see that all ways set it
    strains(small, H, S);
#if ENHANCED
    enhance(map, m, t, S);
#else
    (void)t;
#endif
    if (!small && m->model == ZN_SOLID_NEO_HOOKEAN) {
        if (!(m->plane_stress ? thin_rubber(m, S, &energy) : rubber(m, map, p->mean, S, &energy)))
            return false;
    } else {
        linear_stresses(m, map, p->mean, S, &energy);
    }
    energy *= map->weight;
    *sum = 0;
    for (int q = 0; q < POINTS; q++)
        *sum += energy[q];
    return true;
}

// P = w F S at all points
ZN_INLINE void weighted_stresses(const mapping *map, bool small, lanes H[DIM][DIM], lanes S[STRAINS], lanes P[DIM][DIM])
{
#if DIM == 3
    static const int place[DIM][DIM] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
#else
    static const int place[DIM][DIM] = {{0, 2}, {2, 1}};
#endif
    for (int i = 0; i < DIM; i++)
        for (int k = 0; k < DIM; k++) {
            P[i][k] = S[place[i][k]];
            for (int j = 0; !small && j < DIM; j++)
                P[i][k] += H[i][j] * S[place[j][k]];
            P[i][k] *= map->weight;
        }
}

// f_a = sum_q P g_a
ZN_INLINE void nodal_forces(const mapping *map, const parent *t, lanes P[DIM][DIM], vectors *out)
{
    node_lanes sum[DIM];
#if REDUCED
    (void)t;
    for (int i = 0; i < DIM; i++) {
        sum[i] = P[i][0][0] * map->g[0];
        for (int k = 1; k < DIM; k++)
            sum[i] += P[i][k][0] * map->g[k];
    }
#else
    lanes            R[DIM][DIM];
    for (int i = 0; i < DIM; i++)
        for (int l = 0; l < DIM; l++) {
            R[i][l] = P[i][0] * map->inverse[l][0];
            for (int k = 1; k < DIM; k++)
                R[i][l] += P[i][k] * map->inverse[l][k];
        }
    for (int i = 0; i < DIM; i++)
        sum[i] = R[i][0][0] * t->at_nodes[0][0];
    for (int q = 0; q < POINTS; q++)
        for (int l = q == 0 ? 1 : 0; l < DIM; l++)
            for (int i = 0; i < DIM; i++)
                sum[i] += R[i][l][q] * t->at_nodes[q][l];
#endif
    memcpy(out, sum, sizeof sum);
}

// H, S, J and the energy of one element. False when it is inside out.
ZN_INLINE bool respond(const zn_solid *p, const zn_solid_material *m, const parent *t, bool small, const vectors *u,
                       response *out)
{
    gradients(mapping_of(p), t, u, out->H);
    out->J = small ? 1 : smallest_volume(out->H);
    return stresses(p, m, t, small, out->H, out->S, &out->energy) && out->J > 0;
}

// Forces that balance the stresses.
ZN_INLINE bool internal_of(const zn_solid *p, const zn_solid_material *m, const parent *t, bool small, const vectors *u,
                           vectors *out, double *energy, double *J)
{
    response r;
    lanes    P[DIM][DIM];
    bool     good = respond(p, m, t, small, u, &r);
    *J = r.J;
    if (!good)
        return false;
    weighted_stresses(mapping_of(p), small, r.H, r.S, P);
#if REDUCED
    hourglass  h;
    mode_lanes Q[DIM], y[DIM];
    make_hourglass(mapping_of(p), small, u, r.H, &h);
    hourglass_law(mapping_of(p), h.z, Q);
    hourglass_pulls(&h, Q, y);
    add_hourglass_stresses(mapping_of(p), small, &h, Q, y, P);
    nodal_forces(mapping_of(p), t, P, out);
    add_hourglass_forces(y, out);
    r.energy += hourglass_energy(&h, Q);
#else
    nodal_forces(mapping_of(p), t, P, out);
#endif
    *energy = r.energy;
    return true;
}

ZN_INLINE bool internal(const zn_solid *p, const zn_solid_material *m, const parent *t, const vectors *u, vectors *out,
                        double *energy, double *J)
{
    return m->model == ZN_SOLID_LINEAR ? internal_of(p, m, t, true, u, out, energy, J)
                                       : internal_of(p, m, t, false, u, out, energy, J);
}

// NaN, or an infinite energy, is for the scheme to find.
ZN_WIDE static zn_status force_energy(const zn_element_block *b, int first, int count, zn_at at, double *f,
                                      double *strain)
{
    parent t;
    double sum = 0;
    make_parent(&t);
    for (int e = first; e < first + count; e++) {
        const zn_solid *p = element(b, e);
        vectors         u, r;
        double          own, J;
        gather_q(b, e, at.q, &u);
        if (!internal(p, &p->material, &t, &u, &r, &own, &J))
            return inverted(b, e, J);
        add(b, e, -1, &r, f);
        sum += own;
    }
    *strain += sum;
    return ZN_OK;
}
