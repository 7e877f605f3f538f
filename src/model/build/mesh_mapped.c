// Meshes that are boxes made round. The square [-1, 1]^2 and the cube [-1, 1]^3 go to the unit disc and ball by
//     X = u sqrt(1 - v^2/2), ...     X = u sqrt(1 - v^2/2 - w^2/2 + v^2 w^2/3), ... in turn,
// their sides to the circle and the sphere: |X|^2 = 1 where u, v or w is 1. The circle and the sphere are smooth where
// the sides meet, so elements there are flat at their corner; those around it have a positive Jacobian nevertheless.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/finite.h"
#include "model/build/mesh.h"

// Of the sets of a box or rectangle only those, under other names.
static zn_status rename_sets(zn_mesh *mesh, int count, const char *const from[], const char *const to[])
{
    int kept = 0;
    for (int i = 0; i < mesh->set_count; i++) {
        zn_mesh_set set = mesh->sets[i];
        char       *name = NULL;
        for (int k = 0; k < count && !name; k++)
            if (strcmp(set.name, from[k]) == 0) {
                name = zn_copy_string(to[k]);
                if (!name)
                    return ZN_ERR_MEMORY;
            }
        free(set.name);
        mesh->sets[i].name = NULL;
        if (name)
            mesh->sets[kept++] = (zn_mesh_set){name, set.count, set.nodes};
        else
            free(set.nodes);
        if (i >= kept)
            mesh->sets[i] = (zn_mesh_set){0};
    }
    mesh->set_count = kept;
    return ZN_OK;
}

// --- disc ----------------------------------------------------------------------------------------

zn_status zn_mesh_graded_disc(zn_vec3 centre, double radius, const int elements[2], double grading, double angle,
                              zn_mesh **out)
{
    static const char *const from[] = {"ymin", "surface"}, *const to[] = {"contact", "outer"};
    zn_mesh *mesh = NULL;
    if (!zn_finite3(centre) || !(radius > 0) || !isfinite(radius) || !(grading > 0 && grading < 20) || !isfinite(angle))
        return ZN_ERR_ARGUMENT;
    ZN_TRY(zn_mesh_rectangle((zn_vec3){-1, 0, 0}, (zn_vec3){1, 1, 0}, elements, &mesh));
    zn_status status = rename_sets(mesh, 2, from, to);
    if (status != ZN_OK) {
        zn_mesh_destroy(mesh);
        return status;
    }
    for (int i = 0; i < mesh->node_count; i++) {
        zn_vec3 *x = &mesh->nodes[i];
        double   u = zn_sinh(grading * x->x) / zn_sinh(grading), v = 2 * expm1(grading * x->y) / expm1(grading) - 1;
        double   X = radius * u * sqrt(1 - v * v / 2), Y = radius * v * sqrt(1 - u * u / 2);
        *x = zn_vec3_add(centre,
                         (zn_vec3){X * zn_cos(angle) - Y * zn_sin(angle), X * zn_sin(angle) + Y * zn_cos(angle), 0});
    }
    *out = mesh;
    return ZN_OK;
}

// --- ball ----------------------------------------------------------------------------------------

static double bulge(double b, double c) { return sqrt(1 - b * b / 2 - c * c / 2 + b * b * c * c / 3); }

// Tetrahedra around the diagonals that point to the centre. So each has the innermost corner of its cell, and none lies
// with all corners on the sphere. Cells of another octant are mirrored, and so are their tetrahedra.
static zn_status split_ball(zn_mesh *mesh, int n)
{
    int *tets = ZN_NEW(int, 24 * (size_t)mesh->element_count);
    if (!tets)
        return ZN_ERR_MEMORY;
    for (int e = 0; e < mesh->element_count; e++) {
        static const int place[8] = {0, 1, 3, 2, 4, 5, 7, 6}; // of a corner with bits x, y, z; its own inverse
        const int        cell[3] = {e % n, e / n % n, e / n / n};
        int              mirror = 0, corner[8], *tet = tets + 24 * e;
        for (int k = 0; k < 3; k++)
            mirror |= cell[k] < n / 2 ? 1 << k : 0;
        for (int a = 0; a < 8; a++)
            corner[a] = mesh->elements[8 * e + place[place[a] ^ mirror]];
        zn_mesh_split_cell(corner, tet);
        bool turned = (mirror & 1) ^ (mirror >> 1 & 1) ^ (mirror >> 2 & 1);
        for (int t = 0; turned && t < 6; t++) {
            int swap = tet[4 * t];
            tet[4 * t] = tet[4 * t + 1];
            tet[4 * t + 1] = swap;
        }
    }
    free(mesh->elements);
    mesh->elements = tets;
    mesh->element_count *= 6;
    mesh->shape = ZN_TET4;
    return ZN_OK;
}

zn_status zn_mesh_ball(zn_vec3 centre, double radius, int n, zn_solid_shape shape, zn_mesh **out)
{
    static const char *const from[] = {"surface"}, *const to[] = {"outer"};
    const int elements[3] = {n, n, n};
    zn_mesh  *mesh = NULL;
    if (!zn_finite3(centre) || !(radius > 0) || !isfinite(radius) || n < 1 || (shape != ZN_HEX8 && shape != ZN_TET4) ||
        (shape == ZN_TET4 && (n % 2 != 0 || 6.0 * n * n * n > ZN_MESH_ELEMENTS)))
        return ZN_ERR_ARGUMENT;
    ZN_TRY(zn_mesh_box((zn_vec3){-1, -1, -1}, (zn_vec3){1, 1, 1}, elements, ZN_HEX8, &mesh));
    zn_status status = rename_sets(mesh, 1, from, to);
    if (status == ZN_OK && shape == ZN_TET4)
        status = split_ball(mesh, n);
    if (status != ZN_OK) {
        zn_mesh_destroy(mesh);
        return status;
    }
    for (int i = 0; i < mesh->node_count; i++) {
        zn_vec3 u = mesh->nodes[i], X = {u.x * bulge(u.y, u.z), u.y * bulge(u.z, u.x), u.z * bulge(u.x, u.y)};
        mesh->nodes[i] = zn_vec3_add(centre, zn_vec3_scale(radius, X));
    }
    *out = mesh;
    return ZN_OK;
}
