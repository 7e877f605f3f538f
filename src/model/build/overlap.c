// A node is inside a body when a ray from it crosses the surface of the body an odd number of times, and deeper than
// rounded input explains when it is that far behind the nearest facet. A body has its own nodes on its surface, so
// there what counts for a contact is looked at: facets that oppose.
#include "model/build/overlap.h"

#include <float.h>

#include "model/build/wall.h"

static const double  rounding = 1e-6;           // of the largest distance from the origin, for input with some digits
static const double  lift = 1e-3;               // of the thickness of the wall
static const zn_vec3 ray = {1, 0.0137, 0.0071}; // any direction that no edge has

// --- inside another body -------------------------------------------------------------------------

static bool crosses_segment(zn_vec3 a, zn_vec3 b)
{
    double fa = ray.x * a.y - ray.y * a.x, fb = ray.x * b.y - ray.y * b.x;
    return (fa >= 0) != (fb >= 0) &&
           (a.x * ray.x + a.y * ray.y) * fb / (fb - fa) + (b.x * ray.x + b.y * ray.y) * fa / (fa - fb) > 0;
}

static bool crosses_triangle(zn_vec3 a, zn_vec3 b, zn_vec3 c)
{
    double u = zn_vec3_dot(ray, zn_vec3_cross(b, c)), v = zn_vec3_dot(ray, zn_vec3_cross(c, a));
    double w = zn_vec3_dot(ray, zn_vec3_cross(a, b)), sum = u + v + w;
    if ((u >= 0) != (v >= 0) || (v >= 0) != (w >= 0) || sum == 0)
        return false;
    return zn_vec3_dot(ray, zn_vec3_add(zn_vec3_add(zn_vec3_scale(u / sum, a), zn_vec3_scale(v / sum, b)),
                                        zn_vec3_scale(w / sum, c))) > 0;
}

// Does the ray from the origin cross a facet?
static int crossings(int corners, const zn_vec3 *x)
{
    if (corners == 2)
        return crosses_segment(x[0], x[1]);
    return crosses_triangle(x[0], x[1], x[2]) + (corners == 4 ? crosses_triangle(x[0], x[2], x[3]) : 0);
}

static bool is_inside(const zn_model *model, const zn_solid_faces *faces, zn_vec3 p)
{
    int count = 0;
    for (int f = 0; f < faces->count; f++) {
        zn_vec3 x[ZN_FACET_CORNERS];
        zn_faces_place(model, faces, f, x);
        for (int a = 0; a < faces->corners; a++)
            x[a] = zn_vec3_sub(x[a], p);
        count += crossings(faces->corners, x);
    }
    return count % 2 != 0;
}

// Does a facet touch one that has the node?
static bool touches(const zn_facet_table *whole, int facet, int node)
{
    int corners = whole->faces.corners;
    for (int k = whole->start[node]; k < whole->start[node + 1]; k++)
        for (int a = 0; a < corners; a++)
            for (int b = 0; b < corners; b++)
                if (whole->faces.node[whole->facet[k] * corners + a] == whole->faces.node[facet * corners + b])
                    return true;
    return false;
}

// How far p is behind the nearest facet, 0 when it is in front of it. Those around the node itself do not count.
static double depth_of(const zn_model *model, const zn_facet_table *whole, zn_vec3 p, int node)
{
    const zn_solid_faces *faces = &whole->faces;
    zn_foot               best = {.distance = DBL_MAX}, foot;
    for (int f = 0; f < faces->count; f++) {
        zn_vec3 x[ZN_FACET_CORNERS];
        zn_faces_place(model, faces, f, x);
        if (zn_facet_project(faces->corners, x, p, &foot) && zn_foot_is_nearer(&foot, &best) &&
            !touches(whole, f, node))
            best = foot;
    }
    return best.gap < 0 ? best.distance : 0;
}

static void keep_deeper(int node, double depth, double extent, zn_overlap *worst)
{
    if (depth > rounding * extent && depth > worst->depth)
        *worst = (zn_overlap){node, depth};
}

void zn_overlap_find(const zn_model *model, const zn_facet_table *whole, const zn_contact_points *points,
                     zn_overlap *worst)
{
    const zn_solid_faces *faces = &whole->faces;
    zn_vec3               low = model->node[faces->node[0]].position, high = low;
    for (int k = 0; k < faces->count * faces->corners; k++) {
        zn_vec3 x = model->node[faces->node[k]].position;
        low = (zn_vec3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (zn_vec3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    double extent = fmax(zn_vec3_norm(low), zn_vec3_norm(high));
    for (int i = 0; i < points->count; i++) {
        int     node = points->point[i].node.value - 1;
        zn_vec3 p = model->node[node].position;
        if (p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z &&
            is_inside(model, faces, p))
            keep_deeper(node, depth_of(model, whole, p, node), extent, worst);
    }
}

// --- inside the own body -------------------------------------------------------------------------

void zn_overlap_find_own(const zn_model *model, const zn_facet_table *whole, const zn_facet_table *own,
                         const zn_contact_points *points, const double *thickness, double limit, zn_overlap *worst)
{
    double extent = 0;
    for (int i = 0; i < points->count; i++)
        extent = fmax(extent, zn_vec3_norm(model->node[points->point[i].node.value - 1].position));
    for (int i = 0; i < points->count; i++) {
        int     node = points->point[i].node.value - 1;
        zn_vec3 p = model->node[node].position,
                out = zn_vec3_scale(lift * thickness[i], zn_wall_normal(model, own, node));
        if (thickness[i] < limit && is_inside(model, &whole->faces, zn_vec3_add(p, out)))
            keep_deeper(node, depth_of(model, whole, p, node), extent, worst);
    }
}
