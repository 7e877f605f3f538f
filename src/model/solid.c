// What a solid element needs to know before the first evaluation: reference gradients and volumes at its points, mass.
//     J_ik = dX_i/dxi_k,  g_a = J^-T dN_a/dxi,  w = weight det J thickness
//     m_ab = density sum_q w N_a N_b;  lumped: the sum of each row on the diagonal
#include "model/solid.h"

#include <string.h>

const zn_solid_kind *zn_solid_kind_of(zn_solid_shape shape)
{
    static const zn_solid_kind *const kinds[] = {&zn_quad4_kind, &zn_tet4_kind, &zn_hex8_kind};
    return (unsigned)shape < sizeof kinds / sizeof *kinds ? kinds[shape] : NULL;
}

const zn_solid_kind *zn_solid_kind_of_ops(const zn_element_ops *ops)
{
    for (int shape = ZN_QUAD4; shape <= ZN_HEX8; shape++)
        if (zn_solid_kind_of((zn_solid_shape)shape)->ops == ops)
            return zn_solid_kind_of((zn_solid_shape)shape);
    return NULL;
}

// Volume of the mapping at a point of the parent element, N, and the gradients in g[node].
static double map_point(const zn_solid_kind *kind, const zn_vec3 *X, const double at[3], double *N,
                        zn_vec3 g[ZN_SOLID_NODES])
{
    double  dN[ZN_SOLID_NODES][3];
    zn_vec3 J[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, kind->dim == 2 ? 1 : 0}}; // columns dX/dxi_k
    kind->shape(at, N, dN);
    for (int a = 0; a < kind->nodes; a++)
        for (int k = 0; k < kind->dim; k++)
            J[k] = zn_vec3_add(J[k], zn_vec3_scale(dN[a][k], X[a]));
    double volume = zn_vec3_dot(J[0], zn_vec3_cross(J[1], J[2]));
    for (int a = 0; a < kind->nodes; a++) {
        g[a] = (zn_vec3){0, 0, 0};
        for (int k = 0; k < 3; k++) // rows of the inverse are cross products of the columns
            g[a] = zn_vec3_add(g[a], zn_vec3_scale(dN[a][k] / volume, zn_vec3_cross(J[(k + 1) % 3], J[(k + 2) % 3])));
    }
    return volume;
}

static void set_mass(const zn_solid_kind *kind, const zn_vec3 *X, double density, bool lumped, double *m)
{
    double  N[ZN_SOLID_NODES];
    zn_vec3 g[ZN_SOLID_NODES];
    int     n = kind->nodes;
    memset(m, 0, sizeof *m * (size_t)(n * n));
    for (int q = 0; q < kind->mass_points; q++) {
        const zn_quadrature_point *point = &kind->mass_point[q];
        double                     w = density * point->weight * map_point(kind, X, point->at, N, g);
        for (int a = 0; a < n; a++)
            for (int c = 0; c < n; c++)
                m[a * n + (lumped ? a : c)] += w * N[a] * N[c];
    }
}

bool zn_solid_prepare(const zn_solid_kind *kind, const zn_vec3 *X, double density, zn_solid *out)
{
    double *data = out->data + kind->nodes * kind->nodes;
    for (int q = 0; q < kind->points; q++) {
        double  N[ZN_SOLID_NODES], volume;
        zn_vec3 g[ZN_SOLID_NODES];
        volume = map_point(kind, X, kind->point[q].at, N, g);
        if (!(volume > 0) || !isfinite(volume))
            return false;
        *data++ = kind->point[q].weight * volume * out->thickness;
        for (int i = 0; i < kind->dim; i++)
            for (int a = 0; a < kind->nodes; a++)
                *data++ = i == 0 ? g[a].x : i == 1 ? g[a].y : g[a].z;
    }
    set_mass(kind, X, density * out->thickness, out->lumped, out->data);
    return true;
}
