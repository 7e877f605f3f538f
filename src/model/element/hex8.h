// The hexahedron with its points and faces, for its files: plain, enhanced, reduced. They define POINTS.
// Eight-node hexahedron, 2 x 2 x 2 Gauss points. Parent element [-1, 1]^3; nodes 0 to 3 counter-clockwise at zeta = -1
// seen from above, 4 to 7 above them.
//     N_a = (1 + xi_a xi)(1 + eta_a eta)(1 + zeta_a zeta) / 8
#define NODES 8
#define DIM   3
#include "model/element/solid_loop.h"

static const double corner[NODES][DIM] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                          {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

static void shape(const double at[3], double *N, double (*dN)[3])
{
    for (int a = 0; a < NODES; a++) {
        const double *c = corner[a];
        double        x = 1 + c[0] * at[0], y = 1 + c[1] * at[1], z = 1 + c[2] * at[2];
        N[a] = x * y * z / 8;
        dN[a][0] = c[0] * y * z / 8;
        dN[a][1] = c[1] * z * x / 8;
        dN[a][2] = c[2] * x * y / 8;
    }
}

#define P 0.57735026918962576451 // 1/sqrt(3)
static const zn_quadrature_point gauss[NODES] = {
    {{-P, -P, -P}, 1}, {{P, -P, -P}, 1}, {{-P, P, -P}, 1}, {{P, P, -P}, 1},
    {{-P, -P, P}, 1},  {{P, -P, P}, 1},  {{-P, P, P}, 1},  {{P, P, P}, 1},
};

static const int face[] = {
    0, 3, 2, 1, //
    4, 5, 6, 7, //
    0, 1, 5, 4, //
    1, 2, 6, 5, //
    2, 3, 7, 6, //
    3, 0, 4, 7, //
};

static const zn_cell cell = {
    .name = "hex8",
    .vtk = 12, // VTK_HEXAHEDRON
    .faces = 6,
    .face_nodes = 4,
    .face = face,
    SOLID_CELL,
};

#include "model/element/one_point.h"
