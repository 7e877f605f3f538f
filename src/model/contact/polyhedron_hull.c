// The polyhedron around points: triangles of their hull (hull.c) that lie in one plane make a face. Seeds of faces are
// the largest triangles; a neighbour belongs to the seed when all of its corners are within the tolerance of the plane
// of the seed. Points where three or more faces meet are vertices, the others lie inside faces or sides.
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/contact/hull.h"
#include "model/contact/polyhedron_build.h"

static const char too_near[] = "are too near to each other, or to planes through others, for a hull";

typedef struct merge {
    zn_hull        hull;
    const zn_vec3 *x;
    int            points;
    int (*beyond)[3]; // triangle across the side from corner k to k + 1
    int *face;        // of each triangle, -1: none yet
    int *stack;
    int *first, *next; // triangles of a face
    int (*of)[3];      // faces of a point, the first three, -1: none
    int *number;       // of a point as a vertex, -1: it is none
    int *after;        // along the loop of one face: next point, -1: not on it
    int  faces;
} merge;

typedef struct side {
    int low, high, triangle, place;
} side;

static int compare_sides(const void *a, const void *b)
{
    const side *x = a, *y = b;
    return x->low != y->low ? x->low - y->low : x->high - y->high;
}

static zn_status find_beyond(merge *m)
{
    int   sides = 3 * m->hull.count;
    side *s = ZN_NEW(side, sides);
    if (!s)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < sides; i++) {
        int a = m->hull.triangle[i / 3][i % 3], b = m->hull.triangle[i / 3][(i + 1) % 3];
        s[i] = (side){a < b ? a : b, a < b ? b : a, i / 3, i % 3};
    }
    qsort(s, (size_t)sides, sizeof *s, compare_sides);
    for (int i = 0; i + 1 < sides; i += 2) { // the hull is closed: every side twice
        m->beyond[s[i].triangle][s[i].place] = s[i + 1].triangle;
        m->beyond[s[i + 1].triangle][s[i + 1].place] = s[i].triangle;
    }
    free(s);
    return ZN_OK;
}

static zn_vec3 area_of(const merge *m, int triangle)
{
    const int *c = m->hull.triangle[triangle];
    return zn_vec3_cross(zn_vec3_sub(m->x[c[1]], m->x[c[0]]), zn_vec3_sub(m->x[c[2]], m->x[c[0]]));
}

static bool lies_in(const merge *m, int triangle, zn_vec3 normal, double offset)
{
    for (int k = 0; k < 3; k++)
        if (fabs(zn_vec3_dot(normal, m->x[m->hull.triangle[triangle][k]]) - offset) > m->hull.tolerance)
            return false;
    return zn_vec3_dot(normal, area_of(m, triangle)) > 0;
}

static void flood(merge *m, int seed)
{
    zn_vec3 n = area_of(m, seed);
    n = zn_vec3_scale(1 / zn_vec3_norm(n), n);
    double offset = zn_vec3_dot(n, m->x[m->hull.triangle[seed][0]]);
    int    waiting = 1;
    m->stack[0] = seed;
    m->face[seed] = m->faces;
    m->first[m->faces] = seed;
    m->next[seed] = -1;
    while (waiting > 0) {
        int triangle = m->stack[--waiting];
        for (int k = 0; k < 3; k++) {
            int next = m->beyond[triangle][k];
            if (m->face[next] >= 0 || !lies_in(m, next, n, offset))
                continue;
            m->face[next] = m->faces;
            m->next[next] = m->next[seed];
            m->next[seed] = next;
            m->stack[waiting++] = next;
        }
    }
    m->faces++;
}

typedef struct seed {
    double area;
    int    triangle;
} seed;

static int compare_seeds(const void *a, const void *b)
{
    const seed *x = a, *y = b;
    return x->area != y->area ? (x->area < y->area ? 1 : -1) : x->triangle - y->triangle;
}

static zn_status make_faces(merge *m)
{
    seed *s = ZN_NEW(seed, m->hull.count);
    if (!s)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < m->hull.count; i++) {
        s[i] = (seed){zn_vec3_norm(area_of(m, i)), i};
        m->face[i] = -1;
    }
    qsort(s, (size_t)m->hull.count, sizeof *s, compare_seeds);
    for (int i = 0; i < m->hull.count; i++)
        if (m->face[s[i].triangle] < 0)
            flood(m, s[i].triangle);
    free(s);
    return ZN_OK;
}

// Returns how many vertices there are.
static int number_vertices(merge *m)
{
    int count = 0;
    for (int i = 0; i < m->points; i++)
        m->of[i][0] = m->of[i][1] = m->of[i][2] = m->after[i] = -1;
    for (int i = 0; i < 3 * m->hull.count; i++) {
        int *of = m->of[m->hull.triangle[i / 3][i % 3]], face = m->face[i / 3], k = 0;
        while (k < 3 && of[k] >= 0 && of[k] != face)
            k++;
        if (k < 3)
            of[k] = face;
    }
    for (int i = 0; i < m->points; i++)
        m->number[i] = m->of[i][2] >= 0 ? count++ : -1;
    return count;
}

// The loop of a face: vertices along its rim. Returns their number, 0: the rim is not one loop.
static int follow_rim(merge *m, int face, int *corner)
{
    int start = -1, sides = 0, count = 0;
    for (int i = m->first[face]; i >= 0; i = m->next[i])
        for (int k = 0; k < 3; k++) {
            if (m->face[m->beyond[i][k]] == face)
                continue;
            start = m->hull.triangle[i][k];
            m->after[start] = m->hull.triangle[i][(k + 1) % 3];
            sides++;
        }
    for (int at = start, next; at >= 0; at = next, sides--) {
        next = m->after[at];
        m->after[at] = -1;
        if (m->number[at] >= 0 && next >= 0)
            corner[count++] = m->number[at];
        if (next == start) {
            sides--;
            break;
        }
    }
    return sides == 0 && count >= 3 ? count : 0;
}

// Normal and offset of the plane through a loop (Newell), the middle of its corners in it.
static void fit_plane(zn_polyhedron *p, zn_polyhedron_face *f)
{
    zn_vec3 sum = {0, 0, 0}, area = {0, 0, 0}, a = p->vertex[p->corner[f->first]];
    for (int k = 0; k < f->count; k++) {
        zn_vec3 b = zn_vec3_sub(p->vertex[p->corner[f->first + k]], a);
        zn_vec3 c = zn_vec3_sub(p->vertex[p->corner[f->first + (k + 1) % f->count]], a);
        area = zn_vec3_add(area, zn_vec3_cross(b, c));
        sum = zn_vec3_add(sum, b);
    }
    f->normal = zn_vec3_scale(1 / zn_vec3_norm(area), area);
    f->offset = zn_vec3_dot(f->normal, a) + zn_vec3_dot(f->normal, sum) / f->count;
}

static zn_status build(merge *m, zn_vec3 at, zn_mat3 axes, zn_polyhedron **out, const char **why)
{
    int            vertices = number_vertices(m), corners = 2 * (vertices + m->faces - 2), used = 0; // Euler
    int            room = corners > 0 ? corners + 3 * m->hull.count : 3 * m->hull.count;
    zn_polyhedron *p = zn_polyhedron_new(vertices, m->faces, room);
    bool           sound = vertices >= 4 && m->faces >= 4;
    if (!p)
        return ZN_ERR_MEMORY;
    p->edges = corners / 2;
    for (int i = 0; i < m->points; i++)
        if (m->number[i] >= 0)
            p->vertex[m->number[i]] = zn_vec3_add(at, zn_mat3_apply(axes, m->x[i]));
    for (int i = 0; i < m->faces && sound; i++) {
        zn_polyhedron_face *f = &p->face[i];
        f->first = used;
        f->count = follow_rim(m, i, p->corner + used);
        used += f->count;
        sound = f->count > 0;
        if (sound)
            fit_plane(p, f);
    }
    sound = sound && used == corners;
    zn_status status = sound ? zn_polyhedron_complete(p, &sound) : ZN_OK;
    if (status == ZN_OK && !sound) {
        *why = too_near;
        status = ZN_ERR_MODEL;
    }
    if (status == ZN_OK)
        *out = p;
    else
        zn_polyhedron_destroy(p);
    return status;
}

zn_status zn_polyhedron_hull(zn_vec3 at, zn_mat3 axes, int points, const zn_vec3 *point, zn_polyhedron **out,
                             const char **why)
{
    merge m = {.x = point, .points = points};
    ZN_TRY(zn_hull_create(points, point, &m.hull, why));
    m.beyond = zn_new_array((size_t)m.hull.count, sizeof *m.beyond);
    m.face = ZN_NEW(int, m.hull.count);
    m.stack = ZN_NEW(int, m.hull.count);
    m.first = ZN_NEW(int, m.hull.count);
    m.next = ZN_NEW(int, m.hull.count);
    m.of = zn_new_array((size_t)points, sizeof *m.of);
    m.number = ZN_NEW(int, points);
    m.after = ZN_NEW(int, points);
    zn_status status =
        m.beyond && m.face && m.stack && m.first && m.next && m.of && m.number && m.after ? ZN_OK : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = find_beyond(&m);
    if (status == ZN_OK)
        status = make_faces(&m);
    if (status == ZN_OK)
        status = build(&m, at, axes, out, why);
    free(m.hull.triangle);
    free(m.beyond);
    free(m.face);
    free(m.stack);
    free(m.first);
    free(m.next);
    free(m.of);
    free(m.number);
    free(m.after);
    return status;
}
