/// Consistent mass of a beam element of two nodes: each direction has a mass m of its own, of which the share
/// 1/2 - c couples a node to itself and c to the other one (c = 1/6, lumped: 0).
#ifndef ZN_MODEL_ELEMENT_BEAM_MASS_H
#define ZN_MODEL_ELEMENT_BEAM_MASS_H

/// f += m [1/2 - c, c; c, 1/2 - c] a for the same direction of both nodes.
static inline void zn_beam_add_inertia(double m, double c, int first, int second, const double *a, double *f)
{
    double own = m * (0.5 - c), other = m * c, a1 = a[first], a2 = a[second];
    f[first] += own * a1 + other * a2;
    f[second] += other * a1 + own * a2;
}

static inline double zn_beam_kinetic(double m, double c, double v1, double v2)
{
    return 0.5 * m * ((0.5 - c) * (v1 * v1 + v2 * v2) + 2 * c * v1 * v2);
}

#endif
