/// Solids that several tests share: meshes, materials, states.
#ifndef ZN_TESTS_SOLID_MODELS_H
#define ZN_TESTS_SOLID_MODELS_H

#include "fixtures.h"

#include "system/system.h"

/// Every element with every material, plane strain and plane stress apart.
typedef struct solid_case {
    zn_solid_shape shape;
    zn_solid_model model;
    zn_plane_kind  plane;
} solid_case;

enum { SOLID_CASES = 12 };

static inline solid_case solid_case_at(int i)
{
    static const zn_solid_shape shape[4] = {ZN_HEX8, ZN_TET4, ZN_QUAD4, ZN_QUAD4};
    return (solid_case){shape[i / 3], (zn_solid_model)(i % 3), i / 3 == 3 ? ZN_PLANE_STRESS : ZN_PLANE_STRAIN};
}

static inline bool solid_case_planar(solid_case c) { return c.shape == ZN_QUAD4; }

/// Box or rectangle from the origin to `to`.
static inline zn_mesh *make_mesh(zn_solid_shape shape, zn_vec3 to, int nx, int ny, int nz)
{
    zn_mesh *mesh = NULL;
    if (shape == ZN_QUAD4)
        CHECK_OK(zn_mesh_rectangle(zn_vec3_make(0, 0, 0), zn_vec3_make(to.x, to.y, 0), (int[2]){nx, ny}, &mesh));
    else
        CHECK_OK(zn_mesh_box(zn_vec3_make(0, 0, 0), to, (int[3]){nx, ny, nz}, shape, &mesh));
    return mesh;
}

/// Move every node by up to `size` in each direction.
static inline void distort(zn_mesh *mesh, double size, uint64_t *seed)
{
    for (int i = 0; i < mesh->node_count; i++) {
        mesh->nodes[i].x += size * random_unit(seed);
        mesh->nodes[i].y += size * random_unit(seed);
        mesh->nodes[i].z += mesh->shape == ZN_QUAD4 ? 0 : size * random_unit(seed);
    }
}

/// Young's modulus 10 Pa, Poisson's ratio 0.3, density 2 kg/m^3, thickness 0.7 m in the plane.
static inline zn_solid_def soft_solid(solid_case c, const zn_mesh *mesh)
{
    zn_solid_def def = zn_solid_def_default();
    def.name = "body";
    def.mesh = mesh;
    def.young = 10;
    def.poisson = 0.3;
    def.density = 2;
    def.model = c.model;
    def.plane = c.plane;
    def.thickness = solid_case_planar(c) ? 0.7 : 1;
    return def;
}

/// One solid alone, without gravity unless given. Takes the mesh over.
static inline fixture make_solid(zn_solid_def def, zn_mesh *mesh, zn_vec3 gravity, log_capture *log)
{
    zn_model *model = make_model(mesh->shape == ZN_QUAD4, gravity, log);
    def.mesh = mesh;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
    return compile_fixture(model);
}

/// u = A X at every node, and dx/dX = I + A.
static inline void set_gradient(const zn_system *sys, const double A[3][3], double *q)
{
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        const double          X[3] = {node->origin.x, node->origin.y, node->origin.z};
        for (int k = 0; k < zn_node_dimension(node->kind); k++)
            q[node->q + k] = A[k][0] * X[0] + A[k][1] * X[1] + A[k][2] * X[2];
    }
}

#endif
