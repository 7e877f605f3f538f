// Meshes made by rule: boxes, rectangles, rings and discs.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "model/build/mesh.h"
#include "model/element/solid.h"
#include "math/finite.h"

zn_mesh *zn_mesh_destroy(zn_mesh *mesh)
{
    ZN_ALIVE(mesh);
    if (!mesh)
        return NULL;
    for (int i = 0; i < mesh->set_count; i++) {
        free(mesh->sets[i].name);
        free(mesh->sets[i].nodes);
    }
    free(mesh->sets);
    free(mesh->nodes);
    free(mesh->elements);
    zn_retire(mesh, sizeof *mesh);
    return NULL;
}

// Room for nodes, elements and sets.
static zn_mesh *create(zn_solid_shape shape, int nodes, int elements, int sets)
{
    zn_mesh *mesh = ZN_NEW(zn_mesh, 1);
    if (!mesh)
        return NULL;
    mesh->shape = shape;
    mesh->node_count = nodes;
    mesh->element_count = elements;
    mesh->nodes = ZN_NEW(zn_vec3, nodes);
    mesh->elements = ZN_NEW(int, (size_t)elements *(size_t)zn_solid_kind_of(shape, ZN_SOLID_STANDARD)->nodes);
    mesh->sets = ZN_NEW(zn_mesh_set, sets);
    if (!mesh->nodes || !mesh->elements || !mesh->sets)
        return zn_mesh_destroy(mesh);
    return mesh;
}

// The next set with room for `count` nodes; NULL when memory is exhausted.
static int *add_set(zn_mesh *mesh, const char *name, int count)
{
    zn_mesh_set *set = &mesh->sets[mesh->set_count++];
    *set = (zn_mesh_set){zn_copy_string(name), count, ZN_NEW(int, count)};
    return set->name ? set->nodes : NULL;
}

// --- boxes and rectangles ------------------------------------------------------------------------

typedef struct grid {
    int n[3]; // cells
} grid;

static int grid_node(const grid *g, int i, int j, int k) { return i + (g->n[0] + 1) * (j + (g->n[1] + 1) * k); }

static void place_nodes(const grid *g, int dim, zn_vec3 from, zn_vec3 to, zn_mesh *mesh)
{
    zn_vec3 span = zn_vec3_sub(to, from);
    for (int k = 0; k <= (dim == 3 ? g->n[2] : 0); k++)
        for (int j = 0; j <= g->n[1]; j++)
            for (int i = 0; i <= g->n[0]; i++)
                mesh->nodes[grid_node(g, i, j, k)] = (zn_vec3){
                    i == g->n[0] ? to.x : from.x + span.x * i / g->n[0],
                    j == g->n[1] ? to.y : from.y + span.y * j / g->n[1],
                    dim == 2       ? 0
                    : k == g->n[2] ? to.z
                                   : from.z + span.z * k / g->n[2],
                };
}

// Nodes on any side; `all` nodes along each axis.
static zn_status add_surface(const grid *g, const int all[3], zn_mesh *mesh)
{
    int  inside = (all[0] - 2) * (all[1] - 2) * (all[2] > 1 ? all[2] - 2 : 1);
    int *node = add_set(mesh, "surface", all[0] * all[1] * all[2] - inside);
    if (!node)
        return ZN_ERR_MEMORY;
    for (int k = 0; k < all[2]; k++)
        for (int j = 0; j < all[1]; j++)
            for (int i = 0; i < all[0]; i++)
                if (i % (all[0] - 1) == 0 || j % (all[1] - 1) == 0 || (all[2] > 1 && k % (all[2] - 1) == 0))
                    *node++ = grid_node(g, i, j, k);
    return ZN_OK;
}

// Sets xmin, xmax, ymin ... in ascending node numbers.
static zn_status add_sides(const grid *g, int dim, zn_mesh *mesh)
{
    static const char *const names[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
    int                      all[3] = {g->n[0] + 1, g->n[1] + 1, dim == 3 ? g->n[2] + 1 : 1};
    for (int side = 0; side < 2 * dim; side++) {
        int  axis = side / 2, fixed = side % 2 ? all[axis] - 1 : 0;
        int *node = add_set(mesh, names[side], all[0] * all[1] * all[2] / all[axis]);
        if (!node)
            return ZN_ERR_MEMORY;
        for (int k = 0; k < all[2]; k++)
            for (int j = 0; j < all[1]; j++)
                for (int i = 0; i < all[0]; i++)
                    if ((axis == 0 ? i : axis == 1 ? j : k) == fixed)
                        *node++ = grid_node(g, i, j, k);
    }
    return add_surface(g, all, mesh);
}

// Corners of a cell in the order of hex8 (the first four: quad4).
static void cell_corners(const grid *g, int i, int j, int k, int corner[8])
{
    static const int step[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int a = 0; a < 8; a++)
        corner[a] = grid_node(g, i + step[a][0], j + step[a][1], k + step[a][2]);
}

void zn_mesh_split_cell(const int corner[8], int *element)
{
    static const int tet[6][4] = {{0, 1, 2, 6}, {0, 5, 1, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 4, 5, 6}, {0, 7, 4, 6}};
    for (int t = 0; t < 6; t++)
        for (int a = 0; a < 4; a++)
            element[4 * t + a] = corner[tet[t][a]];
}

static bool is_box(int dim, zn_vec3 from, zn_vec3 to, const int *elements, int each)
{
    double  cells = 1;
    zn_vec3 span = zn_vec3_sub(to, from);
    for (int i = 0; i < dim; i++) {
        if (elements[i] < 1)
            return false;
        cells *= elements[i];
    }
    return cells * each <= ZN_MESH_ELEMENTS && zn_finite3(from) && zn_finite3(to) && span.x > 0 && span.y > 0 &&
           (dim == 2 || span.z > 0);
}

zn_status zn_mesh_box(zn_vec3 from, zn_vec3 to, const int elements[3], zn_solid_shape shape, zn_mesh **out)
{
    int each = shape == ZN_TET4 ? 6 : 1;
    if ((shape != ZN_TET4 && shape != ZN_HEX8) || !is_box(3, from, to, elements, each))
        return ZN_ERR_ARGUMENT;
    grid     g = {{elements[0], elements[1], elements[2]}};
    zn_mesh *mesh = create(shape, (g.n[0] + 1) * (g.n[1] + 1) * (g.n[2] + 1), each * g.n[0] * g.n[1] * g.n[2], 7);
    if (!mesh || add_sides(&g, 3, mesh) != ZN_OK) {
        zn_mesh_destroy(mesh);
        return ZN_ERR_MEMORY;
    }
    place_nodes(&g, 3, from, to, mesh);
    int *next = mesh->elements;
    for (int k = 0; k < g.n[2]; k++)
        for (int j = 0; j < g.n[1]; j++)
            for (int i = 0; i < g.n[0]; i++, next += shape == ZN_HEX8 ? 8 : 24) {
                int corner[8];
                cell_corners(&g, i, j, k, corner);
                if (shape == ZN_HEX8)
                    memcpy(next, corner, sizeof corner);
                else
                    zn_mesh_split_cell(corner, next);
            }
    *out = mesh;
    return ZN_OK;
}

zn_status zn_mesh_rectangle(zn_vec3 from, zn_vec3 to, const int elements[2], zn_mesh **out)
{
    if (!elements)
        return ZN_ERR_ARGUMENT;
    if (!is_box(2, from, to, elements, 1))
        return ZN_ERR_ARGUMENT;
    grid     g = {{elements[0], elements[1], 0}};
    zn_mesh *mesh = create(ZN_QUAD4, (g.n[0] + 1) * (g.n[1] + 1), g.n[0] * g.n[1], 5);
    if (!mesh || add_sides(&g, 2, mesh) != ZN_OK) {
        zn_mesh_destroy(mesh);
        return ZN_ERR_MEMORY;
    }
    place_nodes(&g, 2, from, to, mesh);
    for (int j = 0; j < g.n[1]; j++)
        for (int i = 0; i < g.n[0]; i++) {
            int corner[8];
            cell_corners(&g, i, j, 0, corner);
            memcpy(mesh->elements + 4 * (i + g.n[0] * j), corner, 4 * sizeof *corner);
        }
    *out = mesh;
    return ZN_OK;
}

// --- rings and discs -----------------------------------------------------------------------------

static const double pi = 3.14159265358979323846;

// Quadrilaterals between two closed lines of `around` nodes; returns the next free element.
static int *fill_ring(int around, const int *inner, const int *outer, int *element)
{
    for (int i = 0; i < around; i++) {
        int next = (i + 1) % around;
        memcpy(element, (int[4]){inner[i], outer[i], outer[next], inner[next]}, 4 * sizeof *element);
        element += 4;
    }
    return element;
}

static zn_vec3 polar(zn_vec3 centre, double radius, double angle)
{
    return (zn_vec3){centre.x + radius * zn_cos(angle), centre.y + radius * zn_sin(angle), 0};
}

// Place of line j between 0 (inner) and 1 (outer): widths grow in equal ratios from 1 to `grading`.
static double graded(int j, int across, double grading)
{
    double sum = 0, before = 0;
    for (int i = 0; i < across; i++) {
        double width = across > 1 ? zn_pow(grading, (double)i / (across - 1)) : 1;
        before += i < j ? width : 0;
        sum += width;
    }
    return before / sum;
}

// Angles of the lines across: `fine` of them over a sector, `rest` over the rest.
typedef struct spacing {
    double from, span;
    int    fine, rest;
} spacing;

static double angle_of(const spacing *s, int i)
{
    return i < s->fine ? s->from + s->span * i / s->fine
                       : s->from + s->span + (2 * pi - s->span) * (i - s->fine) / s->rest;
}

static bool is_ring(zn_vec3 centre, double radius, double thickness, int around, int across, double grading)
{
    return zn_finite3(centre) && radius > 0 && isfinite(radius) && thickness > 0 && thickness < radius && around >= 3 &&
           across >= 1 && (double)around * across <= ZN_MESH_ELEMENTS && grading > 0 && isfinite(grading);
}

static zn_status make_ring(zn_vec3 centre, double radius, double thickness, const spacing *s, int across,
                           double grading, zn_mesh **out)
{
    int      around = s->fine + s->rest;
    zn_mesh *mesh = create(ZN_QUAD4, around * (across + 1), around * across, 2);
    int     *line = ZN_NEW(int, 2 * (size_t)around);
    int     *inner = mesh ? add_set(mesh, "inner", around) : NULL;
    int     *outer = mesh ? add_set(mesh, "outer", around) : NULL;
    if (!mesh || !line || !inner || !outer) {
        free(line);
        zn_mesh_destroy(mesh);
        return ZN_ERR_MEMORY;
    }
    int *element = mesh->elements;
    for (int j = 0; j <= across; j++) {
        int   *before = line + (j % 2 ? 0 : around), *now = line + (j % 2 ? around : 0);
        double r = j == across ? radius : radius - thickness + thickness * graded(j, across, grading);
        for (int i = 0; i < around; i++) {
            now[i] = j * around + i;
            mesh->nodes[now[i]] = polar(centre, r, angle_of(s, i));
        }
        if (j > 0)
            element = fill_ring(around, before, now, element);
    }
    for (int i = 0; i < around; i++) {
        inner[i] = i;
        outer[i] = across * around + i;
    }
    free(line);
    *out = mesh;
    return ZN_OK;
}

zn_status zn_mesh_ring(zn_vec3 centre, double radius, double thickness, const int elements[2], double grading,
                       zn_mesh **out)
{
    if (!elements || !is_ring(centre, radius, thickness, elements[0], elements[1], grading))
        return ZN_ERR_ARGUMENT;
    return make_ring(centre, radius, thickness, &(spacing){.rest = elements[0]}, elements[1], grading, out);
}

zn_status zn_mesh_fine_ring(zn_vec3 centre, double radius, double thickness, const int elements[3], double angle,
                            double half_angle, double grading, zn_mesh **out)
{
    if (!elements)
        return ZN_ERR_ARGUMENT;
    // elements over half a turn or more would be flat, or inside out
    if (elements[0] < 1 || elements[1] < 1 || elements[0] > ZN_MESH_ELEMENTS || elements[1] > ZN_MESH_ELEMENTS ||
        !isfinite(angle) || !(half_angle > 0 && half_angle < pi) || 2 * half_angle >= pi * elements[0] ||
        2 * (pi - half_angle) >= pi * elements[1] ||
        !is_ring(centre, radius, thickness, elements[0] + elements[1], elements[2], grading))
        return ZN_ERR_ARGUMENT;
    spacing s = {angle - half_angle, 2 * half_angle, elements[0], elements[1]};
    return make_ring(centre, radius, thickness, &s, elements[2], grading, out);
}

// Node i of the edge of the square of a disc, counter-clockwise from its lower left corner.
static int square_edge(int n, int i)
{
    int side = i / n, k = i % n, row = n + 1;
    return side == 0 ? k : side == 1 ? n + k * row : side == 2 ? n - k + n * row : (n - k) * row;
}

static void fill_disc(zn_vec3 centre, double radius, int n, int rings, int *line, zn_mesh *mesh)
{
    int    row = n + 1, around = 4 * n, *element = mesh->elements, *outer = mesh->sets[0].nodes;
    double half = 0.4 * radius; // of the square; its corners are at 0.57 of the radius
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++)
            mesh->nodes[i + row * j] =
                (zn_vec3){centre.x + half * (2.0 * i / n - 1), centre.y + half * (2.0 * j / n - 1), 0};
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++, element += 4) {
            int first = i + row * j;
            memcpy(element, (int[4]){first, first + 1, first + row + 1, first + row}, 4 * sizeof *element);
        }
    for (int i = 0; i < around; i++)
        line[i] = square_edge(n, i);
    for (int j = 1; j <= rings; j++) {
        for (int i = 0; i < around; i++) {
            zn_vec3 a = mesh->nodes[square_edge(n, i)], b = polar(centre, radius, pi * (0.5 * i / n - 0.75));
            double  s = (double)j / rings;
            outer[i] = row * row + (j - 1) * around + i;
            mesh->nodes[outer[i]] = j == rings ? b : zn_vec3_add(zn_vec3_scale(1 - s, a), zn_vec3_scale(s, b));
        }
        element = fill_ring(around, line, outer, element);
        memcpy(line, outer, sizeof *line * (size_t)around);
    }
}

zn_status zn_mesh_disc(zn_vec3 centre, double radius, int n, zn_mesh **out)
{
    int rings = (n + 1) / 2, row = n + 1;
    if (!zn_finite3(centre) || !(radius > 0) || !isfinite(radius) || n < 1 || 3.0 * n * (n + 1) > ZN_MESH_ELEMENTS)
        return ZN_ERR_ARGUMENT;
    zn_mesh *mesh = create(ZN_QUAD4, row * row + rings * 4 * n, n * n + rings * 4 * n, 1);
    int     *line = ZN_NEW(int, 4 * (size_t)n), *outer = mesh ? add_set(mesh, "outer", 4 * n) : NULL;
    if (!mesh || !line || !outer) {
        free(line);
        zn_mesh_destroy(mesh);
        return ZN_ERR_MEMORY;
    }
    fill_disc(centre, radius, n, rings, line, mesh);
    free(line);
    *out = mesh;
    return ZN_OK;
}
