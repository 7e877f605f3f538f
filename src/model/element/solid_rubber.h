// Neo-Hookean material at all points of an element at once; equations in solid_material.c. With x = det C - 1 and
// s = x/(2 + x),  ln(1 + x) = 2 (s + s^3/3 + s^5/5 + ...) = 2 s + r  and  x - ln(1 + x) = x s - r  keep their digits
// however small x is. Part of solid_loop.h.
#include "model/element/neo_hookean.h"

// The mean over the element in place of the value at each point.
ZN_INLINE void average(const mapping *map, lanes *x)
{
    double sum = 0, volume = 0;
    for (int q = 0; q < POINTS; q++) {
        sum += map->weight[q] * (*x)[q];
        volume += map->weight[q];
    }
    for (int q = 0; q < POINTS; q++)
        (*x)[q] = sum / volume;
}

// ln(1 + x) and x - ln(1 + x)
ZN_INLINE void logarithm(const lanes *x, lanes *log, lanes *rest)
{
    enum { TERMS = 8 }; // enough to x = 1/4: s^2 < 0.0205
    lanes s = *x / (2 + *x), square = s * s, sum = square / (2 * TERMS + 3) + 1.0 / (2 * TERMS + 1);
    for (int k = TERMS - 1; k >= 1; k--)
        sum = sum * square + 1.0 / (2 * k + 1);
    sum *= 2 * s * square;
    *log = 2 * s + sum;
    *rest = *x * s - sum;
    for (int q = 0; q < POINTS; q++)
        if (!((*x)[q] > -0.25 && (*x)[q] < 0.25)) {
            (*log)[q] = log1p((*x)[q]);
            (*rest)[q] = (*x)[q] - (*log)[q];
        }
}

// S = 2 mu C^-1 E + p C^-1 in place of the strains, with p = lambda ln J. In the plane C_zz = 1. False: no volume left.
ZN_INLINE bool rubber(const zn_solid_material *m, const mapping *map, bool mean, lanes S[STRAINS], lanes *energy)
{
    lanes x, log, rest, second, c[STRAINS], tensor[STRAINS]; // c: C^-1
#if DIM == 3
    static const int place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    for (int s = 0; s < STRAINS; s++)
        tensor[s] = s < 3 ? S[s] : 0.5 * S[s];
    const lanes *E = tensor;
    lanes        minor[3] = {E[1] * E[2] - E[4] * E[4], E[4] * E[5] - E[3] * E[2], E[3] * E[4] - E[1] * E[5]};
    lanes        third = E[0] * minor[0] + E[3] * minor[1] + E[5] * minor[2];
    second = E[0] * E[1] + E[1] * E[2] + E[2] * E[0] - E[3] * E[3] - E[4] * E[4] - E[5] * E[5];
    x = 2 * (E[0] + E[1] + E[2]) + 4 * second + 8 * third;
    lanes factor = 1 / (1 + x), xx = 1 + 2 * E[0], yy = 1 + 2 * E[1], zz = 1 + 2 * E[2];
    second += 2 * third; // as the energy has it
    c[0] = (yy * zz - 4 * E[4] * E[4]) * factor;
    c[1] = (zz * xx - 4 * E[5] * E[5]) * factor;
    c[2] = (xx * yy - 4 * E[3] * E[3]) * factor;
    c[3] = (4 * E[4] * E[5] - 2 * E[3] * zz) * factor;
    c[4] = (4 * E[5] * E[3] - 2 * E[4] * xx) * factor;
    c[5] = (4 * E[3] * E[4] - 2 * E[5] * yy) * factor;
#else
    static const int place[2][2] = {{0, 2}, {2, 1}};
    for (int s = 0; s < STRAINS; s++)
        tensor[s] = s < 2 ? S[s] : 0.5 * S[s];
    const lanes *E = tensor;
    second = E[0] * E[1] - E[2] * E[2];
    x = 2 * (E[0] + E[1]) + 4 * second;
    lanes factor = 1 / (1 + x);
    c[0] = (1 + 2 * E[1]) * factor;
    c[1] = (1 + 2 * E[0]) * factor;
    c[2] = -2 * E[2] * factor;
#endif
    for (int q = 0; q < POINTS; q++)
        if (!(x[q] > -1))
            return false;
    logarithm(&x, &log, &rest);
    log *= 0.5; // ln J
    if (mean)
        average(map, &log);
    *energy = m->mu * (0.5 * rest - 2 * second) + 0.5 * m->lambda * log * log;
    for (int s = 0; s < STRAINS; s++) {
        int   i = row_of[s], j = column_of[s];
        lanes product = c[place[i][0]] * E[place[0][j]];
        for (int k = 1; k < DIM; k++)
            product += c[place[i][k]] * E[place[k][j]];
        S[s] = 2 * m->mu * product + m->lambda * log * c[s];
    }
    return true;
}

// Plane stress: the strain across the plane is found point by point.
static bool thin_rubber(const zn_solid_material *m, lanes S[STRAINS], lanes *energy)
{
    for (int q = 0; q < POINTS; q++) {
        double E[ZN_STRAINS_SPACE], stress[ZN_STRAINS_SPACE], own;
        for (int s = 0; s < STRAINS; s++)
            E[s] = S[s][q];
        if (!zn_solid_material_evaluate(m, E, &own, stress, NULL))
            return false;
        (*energy)[q] = own;
        for (int s = 0; s < STRAINS; s++)
            S[s][q] = stress[s];
    }
    return true;
}
