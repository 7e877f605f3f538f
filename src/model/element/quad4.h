// The quadrilateral with its points and faces, for its files: plain, enhanced, reduced. They define POINTS.
// Four-node quadrilateral, 2 x 2 Gauss points, plane stress or plane strain; the thickness is part of the weights.
// Parent element [-1, 1]^2, nodes counter-clockwise.
//     N_a = (1 + xi_a xi)(1 + eta_a eta) / 4
#define NODES 4
#define DIM   2
#include "model/element/solid_loop.h"

static const double corner[NODES][DIM] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

static void shape(const double at[3], double *N, double (*dN)[3])
{
    for (int a = 0; a < NODES; a++) {
        const double *c = corner[a];
        double        x = 1 + c[0] * at[0], y = 1 + c[1] * at[1];
        N[a] = x * y / 4;
        dN[a][0] = c[0] * y / 4;
        dN[a][1] = c[1] * x / 4;
        dN[a][2] = 0;
    }
}

#define P 0.57735026918962576451 // 1/sqrt(3)
static const zn_quadrature_point gauss[NODES] = {{{-P, -P}, 1}, {{P, -P}, 1}, {{-P, P}, 1}, {{P, P}, 1}};

static const int face[] = {
    0, 1, //
    1, 2, //
    2, 3, //
    3, 0, //
};

static const zn_cell cell = {
    .name = "quad4",
    .vtk = 9, // VTK_QUAD
    .faces = 4,
    .face_nodes = 2,
    .face = face,
    SOLID_CELL,
};

#include "model/element/one_point.h"
