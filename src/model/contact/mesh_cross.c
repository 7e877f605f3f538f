// Two triangles that cross, and share no corner, have an edge of one that goes through the inside of the other: each
// edge is compared with the triangles whose boxes it meets. Ends and sides count from a millionth of the extent on, so
// that parts which touch, and numbers of STL files, are no crossings.
#include "model/contact/mesh_cross.h"

#include <math.h>
#include <stdio.h>

static const double   beyond = 1e-6;        // of the extent
static const uint64_t most = 200 * 1000000; // comparisons: seconds

// Is x, in the plane with normal n, inside the triangle by more than `margin`?
static bool is_inside(const zn_vec3 c[3], zn_vec3 n, zn_vec3 x, double margin)
{
    for (int k = 0; k < 3; k++) {
        zn_vec3 side = zn_vec3_sub(c[(k + 1) % 3], c[k]);
        double  height = zn_vec3_dot(n, zn_vec3_cross(side, zn_vec3_sub(x, c[k])));
        if (!(height > margin * zn_vec3_norm(side)))
            return false;
    }
    return true;
}

static bool goes_through(const zn_mesh_shape *m, const zn_mesh_line *e, int triangle, zn_vec3 *place)
{
    const int *corner = &m->corner[3 * triangle];
    zn_vec3    c[3], a = m->point[e->a], b = m->point[e->b];
    for (int k = 0; k < 3; k++) {
        if (corner[k] == e->a || corner[k] == e->b)
            return false;
        c[k] = m->point[corner[k]];
    }
    zn_vec3 n = zn_vec3_cross(zn_vec3_sub(c[1], c[0]), zn_vec3_sub(c[2], c[0]));
    n = zn_vec3_scale(1 / zn_vec3_norm(n), n);
    double margin = beyond * m->extent, from = zn_vec3_dot(n, zn_vec3_sub(a, c[0])),
           to = zn_vec3_dot(n, zn_vec3_sub(b, c[0]));
    if (!(fmin(from, to) < -margin && fmax(from, to) > margin))
        return false;
    *place = zn_vec3_add(a, zn_vec3_scale(from / (from - to), zn_vec3_sub(b, a)));
    return is_inside(c, n, *place, margin);
}

static zn_status say(const zn_mesh_shape *m, const zn_mesh_line *e, int triangle, zn_vec3 at, char *message,
                     size_t size)
{
    const int *c = &m->corner[3 * triangle];
    zn_vec3    a = m->point[e->a], b = m->point[e->b], x = m->point[c[0]], y = m->point[c[1]], z = m->point[c[2]];
    snprintf(message, size,
             "it crosses itself at (%.6g, %.6g, %.6g): the edge from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) goes "
             "through the triangle (%.6g, %.6g, %.6g), (%.6g, %.6g, %.6g), (%.6g, %.6g, %.6g)",
             at.x, at.y, at.z, a.x, a.y, a.z, b.x, b.y, b.z, x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z);
    return ZN_ERR_MODEL;
}

zn_status zn_mesh_check_crossing(const zn_mesh_shape *m, char *message, size_t size)
{
    uint64_t compared = 0;
    for (int i = 0; i < m->edges && compared < most; i++) {
        const zn_mesh_line *e = &m->edge[i];
        zn_vec3             a = m->point[e->a], b = m->point[e->b], place;
        zn_vec3             low = {fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
        zn_vec3             high = {fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
        zn_tree_walk        walk = zn_tree_walk_begin(&m->tree, low, high);
        for (const zn_tree_node *n; (n = zn_tree_walk_next(&walk)) != NULL; compared += (uint64_t)n->count)
            for (int k = 0; k < n->count; k++)
                if (goes_through(m, e, m->tree.order[n->first + k], &place))
                    return say(m, e, m->tree.order[n->first + k], place, message, size);
    }
    return ZN_OK;
}
