// Distances and samples of solids. A ball of radius r with its centre at distance d from the surface of another solid
// is r - d deep inside it.
#include "model/contact/solid.h"

#include <math.h>

#include "model/contact/mesh_shape.h"
#include "model/contact/polyhedron.h"
#include "model/contact/shape_capsule.h"
#include "model/contact/shape_cylinder.h"

static zn_vec3 between(zn_vec3 a, zn_vec3 b) { return zn_vec3_scale(0.5, zn_vec3_add(a, b)); }

// --- balls and capsules --------------------------------------------------------------------------

static double sphere_distance(const zn_pair_shape *s, zn_vec3 p)
{
    return zn_vec3_norm(zn_vec3_sub(p, s->at)) - s->radius;
}

static bool sphere_sample(const zn_pair_shape *s, int index, zn_vec3 *centre, double *radius)
{
    *centre = s->at;
    *radius = s->radius;
    return index == 0;
}

static double capsule_distance(const zn_pair_shape *s, zn_vec3 p)
{
    zn_vec3 axis = zn_capsule_axis(s), d = zn_vec3_sub(p, s->at);
    double  along = fmin(fmax(zn_vec3_dot(d, axis), -0.5 * s->length), 0.5 * s->length);
    return zn_vec3_norm(zn_vec3_sub(d, zn_vec3_scale(along, axis))) - s->radius;
}

static bool capsule_sample(const zn_pair_shape *s, int index, zn_vec3 *centre, double *radius)
{
    *centre = index < 2 ? zn_capsule_end(s, index) : s->at;
    *radius = s->radius;
    return index < 3;
}

// --- cylinders -----------------------------------------------------------------------------------

static double cylinder_distance(const zn_pair_shape *s, zn_vec3 p)
{
    zn_vec3 axis = zn_cylinder_axis(s), d = zn_vec3_sub(p, s->at);
    double  along = zn_vec3_dot(d, axis);
    double  out = zn_vec3_norm(zn_vec3_sub(d, zn_vec3_scale(along, axis))) - s->radius;
    double  beyond = fabs(along) - 0.5 * s->length;
    return out > 0 && beyond > 0 ? hypot(out, beyond) : fmax(out, beyond);
}

// Its corners, the middles of its caps, and the largest ball around its centre.
static bool cylinder_sample(const zn_pair_shape *s, int index, zn_vec3 *centre, double *radius)
{
    const int  points = 2 * ZN_CYLINDER_CORNERS;
    zn_feature own;
    *radius = 0;
    *centre = s->at;
    if (index < points) {
        bool there = zn_cylinder_ops.feature(s, ZN_CYLINDER_POINT + index, false, &own);
        *centre = own.at;
        return there;
    }
    if (index < points + 2)
        *centre = zn_vec3_add(s->at, zn_vec3_scale((index == points ? 0.5 : -0.5) * s->length, zn_cylinder_axis(s)));
    else
        *radius = fmin(s->radius, 0.5 * s->length);
    return index < points + 3;
}

// --- polyhedra -----------------------------------------------------------------------------------

// The middle of some points, and the ball around it that the solid holds; none where it is not in the solid.
static bool middle_sample(const zn_pair_shape *s, int points, const zn_vec3 *point, zn_vec3 *centre, double *radius)
{
    zn_vec3 sum = {0, 0, 0};
    for (int i = 0; i < points; i++)
        sum = zn_vec3_add(sum, point[i]);
    *centre = zn_vec3_scale(1.0 / points, sum);
    *radius = -s->ops->solid->distance(s, *centre);
    return *radius > 0;
}

static double polyhedron_distance(const zn_pair_shape *s, zn_vec3 p)
{
    double distance;
    zn_polyhedron_nearest(s->data, p, &distance);
    return distance;
}

static bool polyhedron_sample(const zn_pair_shape *s, int index, zn_vec3 *centre, double *radius)
{
    const zn_polyhedron *p = s->data;
    int                  edge = index - p->vertices, face = edge - p->edges;
    *radius = 0;
    if (face == p->faces)
        return middle_sample(s, p->vertices, p->vertex, centre, radius);
    if (edge < 0)
        *centre = p->vertex[index];
    else if (face < 0)
        *centre = between(p->vertex[p->edge[edge].vertex[0]], p->vertex[p->edge[edge].vertex[1]]);
    else if (face < p->faces) {
        zn_vec3 sum = {0, 0, 0};
        for (int k = 0; k < p->face[face].count; k++)
            sum = zn_vec3_add(sum, p->vertex[p->corner[p->face[face].first + k]]);
        *centre = zn_vec3_scale(1.0 / p->face[face].count, sum);
    }
    return face < p->faces;
}

// --- meshes --------------------------------------------------------------------------------------

static double mesh_distance(const zn_pair_shape *s, zn_vec3 p)
{
    const zn_mesh_shape *m = s->data;
    return zn_mesh_distance(m, p, 2 * m->extent);
}

static bool mesh_sample(const zn_pair_shape *s, int index, zn_vec3 *centre, double *radius)
{
    const zn_mesh_shape *m = s->data;
    int                  edge = index - m->points, face = edge - m->edges;
    *radius = 0;
    if (face == m->triangles)
        return middle_sample(s, m->points, m->point, centre, radius);
    if (edge < 0)
        *centre = m->point[index];
    else if (face < 0)
        *centre = between(m->point[m->edge[edge].a], m->point[m->edge[edge].b]);
    else if (face < m->triangles) {
        const int *c = m->corner + 3 * (size_t)face;
        *centre = zn_vec3_scale(1.0 / 3, zn_vec3_add(zn_vec3_add(m->point[c[0]], m->point[c[1]]), m->point[c[2]]));
    }
    return face < m->triangles;
}

const zn_solid_ops zn_sphere_solid = {sphere_distance, sphere_sample};
const zn_solid_ops zn_capsule_solid = {capsule_distance, capsule_sample};
const zn_solid_ops zn_cylinder_solid = {cylinder_distance, cylinder_sample};
const zn_solid_ops zn_polyhedron_solid = {polyhedron_distance, polyhedron_sample};
const zn_solid_ops zn_mesh_solid = {mesh_distance, mesh_sample};
