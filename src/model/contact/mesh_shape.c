// Making a mesh: faces grow from the largest triangle that has none over neighbours whose corners are all in its plane,
// needles without an area of their own among them. Edges inside a face are flat; others are convex or hollow by the
// sign of (n_1 x n_2).u, u being the direction in the first triangle.
#include "model/contact/mesh_cross.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/triangles.h"

void zn_mesh_shape_destroy(void *mesh)
{
    zn_mesh_shape *m = mesh;
    if (!m)
        return;
    free(m->point);
    free(m->corner);
    free(m->side);
    free(m->face);
    free(m->owns);
    free(m->edge);
    free(m->plane);
    free(m->spoke);
    free(m->spokes);
    free(m->outward);
    zn_mesh_tree_clear(&m->tree);
    free(m);
}

// --- copies --------------------------------------------------------------------------------------

// Points and triangles that have an area; `face` is meanwhile where each triangle has gone.
static zn_status copy_triangles(zn_mesh_shape *m, int points, const zn_vec3 *point, int triangles, const int *corner,
                                int *lost)
{
    m->points = points;
    m->point = ZN_NEW(zn_vec3, points);
    m->corner = ZN_NEW(int, 3 * triangles);
    m->side = ZN_NEW(int, 3 * triangles);
    m->face = ZN_NEW(int, triangles);
    m->owns = ZN_NEW(unsigned char, triangles);
    m->outward = ZN_NEW(zn_vec3, points);
    if (!m->point || !m->corner || !m->side || !m->face || !m->owns || !m->outward)
        return ZN_ERR_MEMORY;
    memcpy(m->point, point, sizeof *point * (size_t)points);
    for (int i = 0; i < triangles; i++)
        if (!zn_triangle_is_lost(&corner[3 * i])) {
            m->face[i] = m->triangles;
            memcpy(&m->corner[3 * m->triangles++], &corner[3 * i], 3 * sizeof *corner);
        }
    *lost = triangles - m->triangles;
    return ZN_OK;
}

static zn_status take_edges(zn_mesh_shape *m, int edges, const zn_mesh_edge *found)
{
    m->edges = edges;
    m->edge = ZN_NEW(zn_mesh_line, edges);
    for (int i = 0; m->edge && i < edges; i++) {
        const zn_mesh_edge *f = &found[i];
        zn_vec3             way = zn_vec3_sub(m->point[f->b], m->point[f->a]);
        double              length = zn_vec3_norm(way);
        m->edge[i] = (zn_mesh_line){.a = f->a, .b = f->b, .length = length};
        m->edge[i].along = length > 0 ? zn_vec3_scale(1 / length, way) : way;
        for (int s = 0; s < 2; s++) {
            int        t = m->face[f->triangle[s]], from = s == 0 ? f->a : f->b;
            const int *c = &m->corner[3 * t];
            m->edge[i].triangle[s] = t;
            m->side[3 * t + (c[0] == from ? 0 : c[1] == from ? 1 : 2)] = i;
        }
    }
    return m->edge ? ZN_OK : ZN_ERR_MEMORY;
}

// --- faces ---------------------------------------------------------------------------------------

typedef struct sized {
    double area; // twice
    int    triangle;
} sized;

static int larger_first(const void *first, const void *second)
{
    const sized *a = first, *b = second;
    if (a->area != b->area)
        return a->area > b->area ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

static zn_vec3 area_of(const zn_mesh_shape *m, int t)
{
    const int *c = &m->corner[3 * t];
    return zn_vec3_cross(zn_vec3_sub(m->point[c[1]], m->point[c[0]]), zn_vec3_sub(m->point[c[2]], m->point[c[0]]));
}

static int neighbour(const zn_mesh_shape *m, int t, int k)
{
    const zn_mesh_line *e = &m->edge[m->side[3 * t + k]];
    return e->triangle[0] == t ? e->triangle[1] : e->triangle[0];
}

// Are all corners of a triangle in the plane, and does it look the same way, unless it is a needle?
static bool is_flat(const zn_mesh_shape *m, int t, const zn_mesh_face *plane)
{
    double  tolerance = ZN_FLAT_TOLERANCE * m->extent;
    zn_vec3 area = area_of(m, t);
    double  longest = 0;
    for (int k = 0; k < 3; k++) {
        zn_vec3 away = zn_vec3_sub(m->point[m->corner[3 * t + k]], plane->at);
        if (!(fabs(zn_vec3_dot(away, plane->normal)) <= tolerance))
            return false;
        longest = fmax(longest, m->edge[m->side[3 * t + k]].length);
    }
    return zn_vec3_dot(area, plane->normal) > 0 || zn_vec3_norm(area) <= tolerance * longest;
}

static void grow_face(zn_mesh_shape *m, int seed, int *queue)
{
    zn_vec3      area = area_of(m, seed);
    zn_mesh_face plane = {zn_vec3_scale(1 / zn_vec3_norm(area), area), m->point[m->corner[3 * seed]]};
    int          count = 1;
    queue[0] = seed;
    m->face[seed] = m->faces;
    for (int done = 0; done < count; done++)
        for (int k = 0; k < 3; k++) {
            int t = neighbour(m, queue[done], k);
            if (m->face[t] < 0 && is_flat(m, t, &plane)) {
                m->face[t] = m->faces;
                queue[count++] = t;
            }
        }
    m->plane[m->faces++] = plane;
}

static zn_status find_faces(zn_mesh_shape *m, char *message, size_t size)
{
    sized    *order = ZN_NEW(sized, m->triangles);
    int      *queue = ZN_NEW(int, m->triangles);
    zn_status status = ZN_OK;
    m->plane = ZN_NEW(zn_mesh_face, m->triangles);
    if (!order || !queue || !m->plane)
        status = ZN_ERR_MEMORY;
    for (int i = 0; status == ZN_OK && i < m->triangles; i++) {
        order[i] = (sized){zn_vec3_norm(area_of(m, i)), i};
        m->face[i] = -1;
    }
    if (status == ZN_OK)
        qsort(order, (size_t)m->triangles, sizeof *order, larger_first);
    for (int i = 0; status == ZN_OK && i < m->triangles; i++) {
        if (m->face[order[i].triangle] >= 0)
            continue;
        if (!(order[i].area > 1e-14 * m->extent * m->extent)) {
            zn_vec3 p = m->point[m->corner[3 * order[i].triangle]];
            snprintf(message, size, "a triangle at (%.6g, %.6g, %.6g) has no area and no neighbour in its plane", p.x,
                     p.y, p.z);
            status = ZN_ERR_MODEL;
        } else
            grow_face(m, order[i].triangle, queue);
    }
    free(order);
    free(queue);
    return status;
}

// --- edges and points ----------------------------------------------------------------------------

static void bend_edges(zn_mesh_shape *m)
{
    for (int i = 0; i < m->edges; i++) {
        zn_mesh_line *e = &m->edge[i];
        zn_vec3       n[2];
        for (int s = 0; s < 2; s++) {
            e->face[s] = m->face[e->triangle[s]];
            n[s] = m->plane[e->face[s]].normal;
            e->beyond[s] = zn_vec3_scale(s == 0 ? 1 : -1, zn_vec3_cross(e->along, n[s]));
        }
        zn_vec3 sum = zn_vec3_add(n[0], n[1]);
        double  length = zn_vec3_norm(sum), turn = zn_vec3_dot(zn_vec3_cross(n[0], n[1]), e->along);
        e->bend = e->face[0] == e->face[1] ? ZN_BEND_FLAT : turn > 0 ? ZN_BEND_CONVEX : ZN_BEND_HOLLOW;
        // a knife folded back onto itself has opposite normals: it points away from both
        e->out = length > 1e-9 ? zn_vec3_scale(1 / length, sum) : e->beyond[0];
    }
}

static zn_status gather_spokes(zn_mesh_shape *m)
{
    m->spokes = ZN_NEW(int, m->points + 1);
    if (!m->spokes)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < m->edges; i++)
        if (m->edge[i].bend != ZN_BEND_FLAT) {
            m->spokes[m->edge[i].a + 1]++;
            m->spokes[m->edge[i].b + 1]++;
        }
    for (int i = 0; i < m->points; i++)
        m->spokes[i + 1] += m->spokes[i];
    m->spoke = ZN_NEW(int, m->spokes[m->points]);
    int *next = ZN_NEW(int, m->points);
    for (int i = 0; m->spoke && next && i < m->edges; i++)
        if (m->edge[i].bend != ZN_BEND_FLAT) {
            int a = m->edge[i].a, b = m->edge[i].b;
            m->spoke[m->spokes[a] + next[a]++] = i;
            m->spoke[m->spokes[b] + next[b]++] = i;
        }
    bool made = m->spoke && next;
    free(next);
    return made ? ZN_OK : ZN_ERR_MEMORY;
}

static double angle_between(zn_vec3 a, zn_vec3 b)
{
    return zn_atan2(zn_vec3_norm(zn_vec3_cross(a, b)), zn_vec3_dot(a, b));
}

static void sum_normals(zn_mesh_shape *m)
{
    for (int i = 0; i < m->triangles; i++)
        for (int k = 0; k < 3; k++) {
            const int *c = &m->corner[3 * i];
            zn_vec3    p = m->point[c[k]];
            double     angle =
                angle_between(zn_vec3_sub(m->point[c[(k + 1) % 3]], p), zn_vec3_sub(m->point[c[(k + 2) % 3]], p));
            m->outward[c[k]] = zn_vec3_add(m->outward[c[k]], zn_vec3_scale(angle, m->plane[m->face[i]].normal));
        }
}

// Can a flat thing touch the point? Where no edge is convex, or only two are and they are one straight line, it meets
// the edges or faces around it as well.
static bool is_tip(const zn_mesh_shape *m, int p)
{
    int convex = 0, count = m->spokes[p + 1] - m->spokes[p];
    for (int i = m->spokes[p]; i < m->spokes[p + 1]; i++)
        convex += m->edge[m->spoke[i]].bend == ZN_BEND_CONVEX;
    if (convex < 2)
        return false;
    if (count > 2)
        return true;
    zn_vec3 a = zn_mesh_spoke(m, m->spoke[m->spokes[p]], p), b = zn_mesh_spoke(m, m->spoke[m->spokes[p] + 1], p);
    return zn_vec3_norm(zn_vec3_cross(a, b)) > 1e-9 || zn_vec3_dot(a, b) > 0;
}

static void share_out(zn_mesh_shape *m, unsigned char *done)
{
    for (int i = 0; i < m->triangles; i++)
        for (int k = 0; k < 3; k++) {
            int                 p = m->corner[3 * i + k];
            const zn_mesh_line *e = &m->edge[m->side[3 * i + k]];
            if (!done[p] && is_tip(m, p))
                m->owns[i] |= (unsigned char)(ZN_OWNS_POINT << k);
            done[p] = 1;
            if (e->bend == ZN_BEND_CONVEX && i == (e->triangle[0] < e->triangle[1] ? e->triangle[0] : e->triangle[1]))
                m->owns[i] |= (unsigned char)(ZN_OWNS_EDGE << k);
        }
}

static zn_status make(zn_mesh_shape *m, char *message, size_t size)
{
    m->extent = zn_points_extent(m->points, m->point);
    ZN_TRY(find_faces(m, message, size));
    bend_edges(m);
    ZN_TRY(gather_spokes(m));
    sum_normals(m);
    unsigned char *done = ZN_NEW(unsigned char, m->points);
    if (!done)
        return ZN_ERR_MEMORY;
    share_out(m, done);
    free(done);
    ZN_TRY(zn_mesh_tree_make(m->triangles, m->point, m->corner, &m->tree));
    const zn_tree_node *root = &m->tree.node[0];
    m->centre = zn_vec3_scale(0.5, zn_vec3_add(root->low, root->high));
    m->half = zn_vec3_scale(0.5, zn_vec3_sub(root->high, root->low));
    return zn_mesh_check_crossing(m, message, size);
}

zn_status zn_mesh_shape_make(int points, const zn_vec3 *point, int triangles, const int *corner, zn_mesh_shape **out,
                             int *lost, char *message, size_t size)
{
    int           edges = 0;
    zn_mesh_edge *edge = NULL;
    *out = NULL;
    ZN_TRY(zn_mesh_check(points, point, triangles, corner, &edges, &edge, message, size));
    zn_mesh_shape *m = ZN_NEW(zn_mesh_shape, 1);
    zn_status      status = m ? copy_triangles(m, points, point, triangles, corner, lost) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = take_edges(m, edges, edge);
    free(edge);
    if (status == ZN_OK)
        status = make(m, message, size);
    if (status == ZN_OK)
        *out = m;
    else
        zn_mesh_shape_destroy(m);
    return status;
}
