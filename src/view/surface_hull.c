// Convex hull of points in space: faces that a new point sees are taken away, and their rim is joined to it.
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "view/surface.h"

static zn_vec3 normal_of(const zn_surface_mesh *m, const int *corner)
{
    zn_vec3 a = m->points[corner[0]];
    return zn_vec3_cross(zn_vec3_sub(m->points[corner[1]], a), zn_vec3_sub(m->points[corner[2]], a));
}

// Height of a point over the plane of a face.
static double height(const zn_surface_mesh *m, const int *corner, int point)
{
    zn_vec3 n = normal_of(m, corner);
    double  length = zn_vec3_norm(n);
    return length > 0 ? zn_vec3_dot(n, zn_vec3_sub(m->points[point], m->points[corner[0]])) / length : 0;
}

static int farthest(const zn_surface_mesh *m, int corners, const int *corner, double *size)
{
    int best = 0;
    *size = 0;
    for (int i = 0; i < m->point_count; i++) {
        zn_vec3 from = zn_vec3_sub(m->points[i], m->points[corner[0]]);
        double  away = zn_vec3_norm(from);
        if (corners == 2) {
            zn_vec3 line = zn_vec3_sub(m->points[corner[1]], m->points[corner[0]]);
            away = zn_vec3_norm(zn_vec3_cross(line, from)) / zn_vec3_norm(line);
        } else if (corners == 3)
            away = fabs(height(m, corner, i));
        if (away > *size) {
            *size = away;
            best = i;
        }
    }
    return best;
}

// A tetrahedron of points far from each other. False: all lie in a plane.
static bool begin(zn_surface_mesh *m, double *tolerance)
{
    int    c[4] = {0, 0, 0, 0};
    double size;
    for (int k = 1; k < 4; k++) {
        c[k] = farthest(m, k, c, &size);
        if (k == 1)
            *tolerance = 1e-9 * size;
        if (size <= *tolerance)
            return false;
    }
    if (height(m, c, c[3]) > 0) {
        int swap = c[0];
        c[0] = c[1];
        c[1] = swap;
    }
    zn_surface_face(m, c[0], c[1], c[2], -1);
    zn_surface_face(m, c[0], c[3], c[1], -1);
    zn_surface_face(m, c[1], c[3], c[2], -1);
    zn_surface_face(m, c[2], c[3], c[0], -1);
    return m->status == ZN_OK;
}

static bool has_edge(const zn_face *f, int a, int b)
{
    for (int k = 0; k < 3; k++)
        if (f->corner[k] == a && f->corner[(k + 1) % 3] == b)
            return true;
    return false;
}

// An edge of a face that is seen belongs to the rim when no other seen face has it the other way round.
static void join_rim(zn_surface_mesh *m, int point, int seen, const zn_face *face)
{
    for (int i = 0; i < seen; i++)
        for (int k = 0; k < 3; k++) {
            int  a = face[i].corner[k], b = face[i].corner[(k + 1) % 3];
            bool inside = false;
            for (int j = 0; j < seen && !inside; j++)
                inside = has_edge(&face[j], b, a);
            if (!inside)
                zn_surface_face(m, a, b, point, -1);
        }
}

static void add(zn_surface_mesh *m, int point, double tolerance)
{
    zn_face *face = ZN_NEW(zn_face, m->face_count);
    int      seen = 0, kept = 0;
    if (face == NULL) {
        m->status = ZN_ERR_MEMORY;
        return;
    }
    for (int i = 0; i < m->face_count; i++)
        if (height(m, m->faces[i].corner, point) > tolerance)
            face[seen++] = m->faces[i];
        else
            m->faces[kept++] = m->faces[i];
    m->face_count = kept;
    join_rim(m, point, seen, face);
    free(face);
}

void zn_surface_hull(zn_surface_mesh *m)
{
    double tolerance = 0;
    if (m->point_count < 4 || !begin(m, &tolerance))
        return;
    for (int i = 0; i < m->point_count && m->status == ZN_OK; i++)
        add(m, i, tolerance);
}
