#include "model/contact/shape_height.h"

#include <math.h>

#include "model/contact/contour.h"
#include "model/contact/mesh_shape.h"
#include "model/contact/polyhedron.h"
#include "model/contact/shape_capsule.h"
#include "model/contact/shape_cylinder.h"

typedef double height(const zn_pair_shape *shape, int feature, const zn_vec3 way[2], zn_vec3 n);

static double of_polyhedron(const zn_pair_shape *shape, int feature, const zn_vec3 way[2], zn_vec3 n)
{
    (void)way;
    const zn_polyhedron *p = shape->data;
    int                  edge = feature - p->vertices, face = edge - p->edges;
    double               most = -INFINITY;
    if (edge < 0)
        return zn_vec3_dot(n, p->vertex[feature]);
    for (int k = 0; k < 2 && face < 0; k++)
        most = fmax(most, zn_vec3_dot(n, p->vertex[p->edge[edge].vertex[k]]));
    for (int k = 0; face >= 0 && k < p->face[face].count; k++)
        most = fmax(most, zn_vec3_dot(n, p->vertex[p->corner[p->face[face].first + k]]));
    return most;
}

static double of_capsule(const zn_pair_shape *shape, int feature, const zn_vec3 way[2], zn_vec3 n)
{
    (void)way;
    double end[2] = {zn_vec3_dot(n, zn_capsule_end(shape, 0)), zn_vec3_dot(n, zn_capsule_end(shape, 1))};
    return (feature == ZN_CAPSULE_LINE ? fmax(end[0], end[1]) : end[feature]) + shape->radius;
}

// Of a rim and what is on it the disc.
static double of_cylinder(const zn_pair_shape *shape, int feature, const zn_vec3 way[2], zn_vec3 n)
{
    (void)way;
    if (feature == ZN_CYLINDER_MANTLE)
        return -zn_cylinder_lowest(shape, zn_vec3_scale(-1, n));
    zn_vec3 axis = zn_cylinder_axis(shape);
    double  up = zn_vec3_dot(n, axis) * shape->length / 2, round = zn_vec3_norm(zn_vec3_cross(n, axis));
    return zn_vec3_dot(n, shape->at) + (zn_cylinder_end_of(feature) == 0 ? up : -up) + shape->radius * round;
}

// --- meshes --------------------------------------------------------------------------------------

// Does the way lead over the triangle?
static bool leads_over(const zn_mesh_shape *m, int triangle, const zn_vec3 way[2], double within)
{
    double from = 0, to = 1; // part of it
    for (int k = 0; k < 3; k++) {
        const zn_mesh_line *e = &m->edge[m->side[3 * triangle + k]];
        zn_vec3             beyond = e->beyond[e->triangle[0] == triangle ? 0 : 1];
        double              start = zn_vec3_dot(zn_vec3_sub(way[0], m->point[e->a]), beyond) - within;
        double              end = zn_vec3_dot(zn_vec3_sub(way[1], m->point[e->a]), beyond) - within;
        if (start > 0 && end > 0)
            return false;
        if (start > 0)
            from = fmax(from, start / (start - end));
        else if (end > 0)
            to = fmin(to, start / (start - end));
    }
    return from <= to;
}

static zn_vec3 foot_on(const zn_mesh_shape *m, int face, zn_vec3 x)
{
    double away = zn_vec3_dot(m->plane[face].normal, zn_vec3_sub(x, m->plane[face].at));
    return zn_vec3_sub(x, zn_vec3_scale(away, m->plane[face].normal));
}

static double of_triangles(const zn_mesh_shape *m, int face, const zn_vec3 way[2], zn_vec3 n)
{
    double       within = 1e-8 * m->extent, most = -INFINITY; // a few times what ends of features may be off
    zn_vec3      foot[2] = {foot_on(m, face, way[0]), foot_on(m, face, way[1])};
    zn_vec3      low = {fmin(foot[0].x, foot[1].x) - within, fmin(foot[0].y, foot[1].y) - within,
                        fmin(foot[0].z, foot[1].z) - within};
    zn_vec3      high = {fmax(foot[0].x, foot[1].x) + within, fmax(foot[0].y, foot[1].y) + within,
                         fmax(foot[0].z, foot[1].z) + within};
    zn_tree_walk walk = zn_tree_walk_begin(&m->tree, low, high);
    for (const zn_tree_node *leaf; (leaf = zn_tree_walk_next(&walk)) != NULL;)
        for (int i = 0; i < leaf->count; i++) {
            int t = m->tree.order[leaf->first + i];
            for (int k = 0; k < 3 && m->face[t] == face && leads_over(m, t, foot, within); k++)
                most = fmax(most, zn_vec3_dot(n, m->point[m->corner[3 * t + k]]));
        }
    return most > -INFINITY ? most : INFINITY;
}

static double of_mesh(const zn_pair_shape *shape, int feature, const zn_vec3 way[2], zn_vec3 n)
{
    const zn_mesh_shape *m = shape->data;
    int                  edge = feature - m->points, face = edge - m->edges;
    if (edge < 0)
        return zn_vec3_dot(n, m->point[feature]);
    if (face >= 0)
        return of_triangles(m, face, way, n);
    return fmax(zn_vec3_dot(n, m->point[m->edge[edge].a]), zn_vec3_dot(n, m->point[m->edge[edge].b]));
}

// --- the plane -----------------------------------------------------------------------------------

// Of an arc all of its circle, or what of that is behind its ends.
static double of_contour(const zn_pair_shape *shape, int feature, const zn_vec3 way[2], zn_vec3 n)
{
    (void)way;
    zn_edge    few[ZN_CONTOUR_FEW];
    zn_contour c;
    if (!zn_contour_of(shape, few, &c) || c.endless)
        return INFINITY;
    if (feature % 2 != 0)
        return zn_vec3_dot(n, zn_corner_at(&c, feature / 2));
    const zn_edge *e = &c.edge[feature / 2];
    return e->radius > 0 ? zn_vec3_dot(n, e->centre) + e->radius : fmax(zn_vec3_dot(n, e->from), zn_vec3_dot(n, e->to));
}

static height *const in_space[ZN_SHAPE_KINDS] = {
    [ZN_SHAPE_BOX] = of_polyhedron,    [ZN_SHAPE_HULL] = of_polyhedron, [ZN_SHAPE_CAPSULE] = of_capsule,
    [ZN_SHAPE_CYLINDER] = of_cylinder, [ZN_SHAPE_MESH] = of_mesh,
};

double zn_shape_height(const zn_pair_shape *shape, int feature, bool planar, const zn_vec3 way[2], zn_vec3 n)
{
    if (!planar && shape->ops->sphere)
        return zn_vec3_dot(n, shape->at) + shape->radius;
    height *of = planar ? of_contour : in_space[shape->kind];
    return of ? of(shape, feature, way, n) : INFINITY;
}
