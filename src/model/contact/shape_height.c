#include "model/contact/shape_height.h"

#include <math.h>

#include "model/contact/contour.h"
#include "model/contact/mesh_shape.h"
#include "model/contact/polyhedron.h"
#include "model/contact/shape_capsule.h"
#include "model/contact/shape_cylinder.h"

typedef double height(const zn_pair_shape *shape, int feature, zn_vec3 x, zn_vec3 n);

static double of_polyhedron(const zn_pair_shape *shape, int feature, zn_vec3 x, zn_vec3 n)
{
    (void)feature, (void)x;
    return zn_polyhedron_height(shape->data, n, 0);
}

static double of_capsule(const zn_pair_shape *shape, int feature, zn_vec3 x, zn_vec3 n)
{
    (void)feature, (void)x;
    return fmax(zn_vec3_dot(n, zn_capsule_end(shape, 0)), zn_vec3_dot(n, zn_capsule_end(shape, 1))) + shape->radius;
}

static double of_cylinder(const zn_pair_shape *shape, int feature, zn_vec3 x, zn_vec3 n)
{
    (void)feature, (void)x;
    return -zn_cylinder_lowest(shape, zn_vec3_scale(-1, n));
}

// --- meshes --------------------------------------------------------------------------------------

static bool is_around(const zn_mesh_shape *m, int triangle, zn_vec3 x, double within)
{
    for (int k = 0; k < 3; k++) {
        const zn_mesh_line *e = &m->edge[m->side[3 * triangle + k]];
        if (zn_vec3_dot(zn_vec3_sub(x, m->point[e->a]), e->beyond[e->triangle[0] == triangle ? 0 : 1]) > within)
            return false;
    }
    return true;
}

static double of_triangles(const zn_mesh_shape *m, int face, zn_vec3 x, zn_vec3 n)
{
    double       within = 1e-8 * m->extent, most = -INFINITY; // a few times what ends of features may be off
    double       away = zn_vec3_dot(m->plane[face].normal, zn_vec3_sub(x, m->plane[face].at));
    zn_vec3      foot = zn_vec3_sub(x, zn_vec3_scale(away, m->plane[face].normal)), room = {within, within, within};
    zn_tree_walk walk = zn_tree_walk_begin(&m->tree, zn_vec3_sub(foot, room), zn_vec3_add(foot, room));
    for (const zn_tree_node *leaf; (leaf = zn_tree_walk_next(&walk)) != NULL;)
        for (int i = 0; i < leaf->count; i++) {
            int t = m->tree.order[leaf->first + i];
            for (int k = 0; k < 3 && m->face[t] == face && is_around(m, t, foot, within); k++)
                most = fmax(most, zn_vec3_dot(n, m->point[m->corner[3 * t + k]]));
        }
    return most > -INFINITY ? most : INFINITY;
}

static double of_mesh(const zn_pair_shape *shape, int feature, zn_vec3 x, zn_vec3 n)
{
    const zn_mesh_shape *m = shape->data;
    int                  edge = feature - m->points, face = edge - m->edges;
    if (edge < 0)
        return zn_vec3_dot(n, m->point[feature]);
    if (face >= 0)
        return of_triangles(m, face, x, n);
    return fmax(zn_vec3_dot(n, m->point[m->edge[edge].a]), zn_vec3_dot(n, m->point[m->edge[edge].b]));
}

// --- the plane -----------------------------------------------------------------------------------

// Of an arc all of its circle, or what of that is behind its ends.
static double of_contour(const zn_pair_shape *shape, int feature, zn_vec3 x, zn_vec3 n)
{
    (void)x;
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

double zn_shape_height(const zn_pair_shape *shape, int feature, bool planar, zn_vec3 x, zn_vec3 n)
{
    if (!planar && shape->ops->sphere)
        return zn_vec3_dot(n, shape->at) + shape->radius;
    height *of = planar ? of_contour : in_space[shape->kind];
    return of ? of(shape, feature, x, n) : INFINITY;
}
