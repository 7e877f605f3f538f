// Four-node tetrahedron, constant strain: one point for the stiffness, four (second degree) for the mass. Nodes 0, 1, 2
// counter-clockwise seen from node 3.
//     N = (1 - x - y - z, x, y, z)
#define NODES  4
#define DIM    3
#define POINTS 1
#include "model/element/solid_loop.h"

static void shape(const double at[3], double *N, double (*dN)[3])
{
    memset(dN, 0, NODES * sizeof *dN);
    N[0] = 1 - at[0] - at[1] - at[2];
    for (int i = 0; i < DIM; i++) {
        N[1 + i] = at[i];
        dN[0][i] = -1;
        dN[1 + i][i] = 1;
    }
}

static const zn_quadrature_point centre[POINTS] = {{{0.25, 0.25, 0.25}, 1.0 / 6}};

#define A 0.58541019662496845446 // (5 + 3 sqrt(5)) / 20
#define B 0.13819660112501051518 // (5 - sqrt(5)) / 20
static const zn_quadrature_point four[4] = {
    {{B, B, B}, 1.0 / 24}, {{A, B, B}, 1.0 / 24}, {{B, A, B}, 1.0 / 24}, {{B, B, A}, 1.0 / 24}};

static const int face[] = {
    0, 2, 1, //
    0, 1, 3, //
    1, 2, 3, //
    2, 0, 3, //
};

static const zn_cell cell = {
    .name = "tet4",
    .vtk = 10, // VTK_TETRA
    .faces = 4,
    .face_nodes = 3,
    .face = face,
    SOLID_CELL,
};

const zn_element_ops zn_tet4_ops = SOLID_OPS("tetrahedron");

#define SOLID_KIND                                                                                                     \
    .ops = &zn_tet4_ops, .nodes = NODES, .dim = DIM, .points = POINTS, .point = centre, .mass_points = 4,              \
    .mass_point = four, .shape = shape

const zn_solid_kind zn_tet4_kind = {SOLID_KIND};
const zn_solid_kind zn_tet4_mean_kind = {SOLID_KIND, .nodal = true};

static const zn_solid_kind *own_kind(void) { return &zn_tet4_kind; }
