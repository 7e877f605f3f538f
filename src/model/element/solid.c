// What a solid element needs to know before the first evaluation: volumes and the inverse of the mapping at its points.
//     J_ik = dX_i/dxi_k,  g_a = J^-T dN_a/dxi,  w = weight det J thickness
#include "model/element/solid.h"

double zn_solid_map(const zn_solid_kind *kind, const zn_vec3 *X, const double at[3], zn_vec3 row[3])
{
    double  N[ZN_CELL_NODES], dN[ZN_CELL_NODES][3];
    zn_vec3 J[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, kind->dim == 2 ? 1 : 0}}; // columns dX/dxi_k
    kind->shape(at, N, dN);
    for (int a = 0; a < kind->nodes; a++)
        for (int k = 0; k < kind->dim; k++)
            J[k] = zn_vec3_add(J[k], zn_vec3_scale(dN[a][k], X[a]));
    double volume = zn_vec3_dot(J[0], zn_vec3_cross(J[1], J[2]));
    for (int l = 0; l < 3; l++) // cross products of the columns
        row[l] = zn_vec3_scale(1 / volume, zn_vec3_cross(J[(l + 1) % 3], J[(l + 2) % 3]));
    return volume;
}

bool zn_solid_prepare(const zn_solid_kind *kind, const zn_vec3 *X, zn_solid *out)
{
    out->mean = kind->mean;
    for (int q = 0; !kind->own_data && q < kind->points; q++) {
        zn_vec3 row[3];
        double  volume = zn_solid_map(kind, X, kind->point[q].at, row);
        if (!(volume > 0) || !isfinite(volume))
            return false;
        out->data[q] = kind->point[q].weight * volume * out->thickness;
        for (int l = 0; l < kind->dim; l++) {
            const double component[3] = {row[l].x, row[l].y, row[l].z};
            for (int k = 0; k < kind->dim; k++)
                out->data[kind->points * (1 + l * kind->dim + k) + q] = component[k];
        }
    }
    return !kind->prepare || kind->prepare(kind, X, out);
}

const zn_solid_kind *zn_solid_kind_of(zn_solid_shape shape, zn_solid_formulation formulation)
{
    static const zn_solid_kind *const kinds[][ZN_SOLID_ENHANCED + 1] = {
        {&zn_quad4_kind, &zn_quad4_reduced_kind, &zn_quad4_mean_kind, &zn_quad4_enhanced_kind},
        {&zn_tet4_kind, NULL, &zn_tet4_mean_kind, NULL},
        {&zn_hex8_kind, &zn_hex8_reduced_kind, &zn_hex8_mean_kind, &zn_hex8_enhanced_kind},
    };
    if ((unsigned)shape >= sizeof kinds / sizeof *kinds || (unsigned)formulation > ZN_SOLID_ENHANCED)
        return NULL;
    return kinds[shape][formulation];
}
