// Convex hull of points by growth of a tetrahedron (Barber, Dobkin, Huhdanpaa, ACM Trans. Math. Software 22 (1996)):
// each triangle keeps the points outside it; the farthest of one is joined to the rim of all triangles that see it.
// A triangle sees a point that is more than the tolerance above it. Where the point continues a side of the rim the
// triangle beyond lies in a plane with it and goes, too: no triangle is without area.
#include "model/contact/hull.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "math/finite.h"

typedef struct triangle {
    int     corner[3];
    zn_vec3 normal;
    double  offset;
    int     outside; // first of its points, -1: none
    bool    sees;
} triangle;

typedef struct growth {
    int            points;
    const zn_vec3 *x;
    double         tolerance;
    int            count, capacity;
    triangle      *face;
    int           *next; // point after this one outside the same triangle
    int (*rim)[2];       // sides of the rim, in the sense of the triangles that go
    int  rim_count, rim_capacity;
    int *seeing; // triangles that see the point
    int  seeing_count, seeing_capacity;
} growth;

static double height(const growth *h, const triangle *f, int point)
{
    return zn_vec3_dot(f->normal, h->x[point]) - f->offset;
}

static zn_status put(growth *h, int a, int b, int c)
{
    zn_vec3  n = zn_vec3_cross(zn_vec3_sub(h->x[b], h->x[a]), zn_vec3_sub(h->x[c], h->x[a]));
    triangle f = {.corner = {a, b, c}, .normal = zn_vec3_scale(1 / zn_vec3_norm(n), n), .outside = -1};
    f.offset = zn_vec3_dot(f.normal, h->x[a]);
    return ZN_PUSH(h->face, h->count, h->capacity, f);
}

// To the triangle from `first` on that it is farthest outside of.
static void assign(growth *h, int first, int point)
{
    int    best = -1;
    double most = h->tolerance;
    for (int i = first; i < h->count; i++) {
        double up = height(h, &h->face[i], point);
        if (up > most) {
            most = up;
            best = i;
        }
    }
    if (best < 0)
        return;
    h->next[point] = h->face[best].outside;
    h->face[best].outside = point;
}

// --- the tetrahedron -----------------------------------------------------------------------------

static double distance_to(const growth *h, int corners, const int *corner, int point)
{
    zn_vec3 a = h->x[corner[0]], from = zn_vec3_sub(h->x[point], a);
    if (corners == 1)
        return zn_vec3_norm(from);
    zn_vec3 line = zn_vec3_sub(h->x[corner[1]], a);
    if (corners == 2)
        return zn_vec3_norm(zn_vec3_cross(line, from)) / zn_vec3_norm(line);
    zn_vec3 n = zn_vec3_cross(line, zn_vec3_sub(h->x[corner[2]], a));
    return fabs(zn_vec3_dot(n, from)) / zn_vec3_norm(n);
}

static zn_status begin(growth *h, const char **why)
{
    static const char *const flat[] = {"are all at one place", "lie on a line", "lie in a plane"};
    int                      c[4] = {0, 0, 0, 0};
    for (int k = 1; k < 4; k++) {
        double most = 0;
        for (int i = 0; i < h->points; i++) {
            double away = distance_to(h, k, c, i);
            if (away > most) {
                most = away;
                c[k] = i;
            }
        }
        if (k == 1)
            h->tolerance = ZN_HULL_TOLERANCE * most;
        if (!(most > (k == 1 ? 0 : 10 * h->tolerance))) {
            *why = flat[k - 1];
            return ZN_ERR_MODEL;
        }
    }
    ZN_TRY(put(h, c[0], c[1], c[2]));
    bool over = height(h, h->face, c[3]) > 0;
    h->count = 0;
    int a = over ? c[1] : c[0], b = over ? c[0] : c[1];
    ZN_TRY(put(h, a, b, c[2]));
    ZN_TRY(put(h, b, a, c[3]));
    ZN_TRY(put(h, c[2], b, c[3]));
    ZN_TRY(put(h, a, c[2], c[3]));
    for (int i = 0; i < h->points; i++)
        assign(h, 0, i);
    return ZN_OK;
}

// --- growth --------------------------------------------------------------------------------------

static bool has_side(const triangle *f, int a, int b)
{
    for (int k = 0; k < 3; k++)
        if (f->corner[k] == a && f->corner[(k + 1) % 3] == b)
            return true;
    return false;
}

static zn_status find_seeing(growth *h)
{
    h->seeing_count = 0;
    for (int i = 0; i < h->count; i++)
        if (h->face[i].sees)
            ZN_TRY(ZN_PUSH(h->seeing, h->seeing_count, h->seeing_capacity, i));
    return ZN_OK;
}

static bool inside(const growth *h, int a, int b)
{
    for (int i = 0; i < h->seeing_count; i++)
        if (has_side(&h->face[h->seeing[i]], a, b))
            return true;
    return false;
}

static zn_status find_rim(growth *h)
{
    h->rim_count = 0;
    ZN_TRY(find_seeing(h));
    for (int i = 0; i < h->seeing_count; i++)
        for (int k = 0; k < 3; k++) {
            const int *corner = h->face[h->seeing[i]].corner;
            int        a = corner[k], b = corner[(k + 1) % 3];
            if (inside(h, b, a))
                continue;
            ZN_TRY(zn_grow(&h->rim, &h->rim_capacity, h->rim_count + 1, sizeof *h->rim));
            h->rim[h->rim_count][0] = a;
            h->rim[h->rim_count++][1] = b;
        }
    return ZN_OK;
}

// A side of the rim that the point continues: the triangle beyond goes. False: there is none.
static bool widen(growth *h, int point)
{
    for (int i = 0; i < h->rim_count; i++) {
        const int *side = h->rim[i];
        if (distance_to(h, 2, side, point) > h->tolerance)
            continue;
        for (int k = 0; k < h->count; k++)
            if (!h->face[k].sees && has_side(&h->face[k], side[1], side[0])) {
                h->face[k].sees = true;
                return true;
            }
    }
    return false;
}

// Triangles that see the point go, their points are in one list; the rim gets new ones.
static zn_status join(growth *h, int point)
{
    int kept = 0, loose = -1;
    for (int i = 0; i < h->count; i++) {
        triangle *f = &h->face[i];
        if (!f->sees) {
            h->face[kept++] = *f;
            continue;
        }
        for (int p = f->outside, after; p >= 0; p = after) {
            after = h->next[p];
            h->next[p] = loose;
            loose = p;
        }
    }
    h->count = kept;
    for (int i = 0; i < h->rim_count; i++)
        ZN_TRY(put(h, h->rim[i][0], h->rim[i][1], point));
    for (int p = loose, after; p >= 0; p = after) {
        after = h->next[p];
        if (p != point)
            assign(h, kept, p);
    }
    return ZN_OK;
}

static zn_status grow(growth *h)
{
    for (int i = 0; i < h->count;) {
        int    point = h->face[i].outside;
        double most = -1;
        if (point < 0) {
            i++;
            continue;
        }
        for (int p = point; p >= 0; p = h->next[p]) {
            double up = height(h, &h->face[i], p);
            if (up > most) {
                most = up;
                point = p;
            }
        }
        for (int k = 0; k < h->count; k++)
            h->face[k].sees = height(h, &h->face[k], point) > h->tolerance;
        do
            ZN_TRY(find_rim(h));
        while (widen(h, point));
        ZN_TRY(join(h, point));
        i = 0;
    }
    return ZN_OK;
}

static int64_t side_of(const triangle *f, int from, int to)
{
    return (int64_t)f->corner[from] << 32 | (int64_t)f->corner[to];
}

static int compare_sides(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Every side once in each sense.
static zn_status check_closed(const growth *h, bool *good)
{
    size_t   sides = 3 * (size_t)h->count;
    int64_t *side = ZN_NEW(int64_t, sides);
    if (!side)
        return ZN_ERR_MEMORY;
    for (size_t i = 0; i < sides; i++)
        side[i] = side_of(&h->face[i / 3], (int)(i % 3), (int)((i + 1) % 3));
    qsort(side, sides, sizeof *side, compare_sides);
    for (size_t i = 0; i < sides; i++) {
        int64_t back = side_of(&h->face[i / 3], (int)((i + 1) % 3), (int)(i % 3));
        *good &= bsearch(&back, side, sides, sizeof *side, compare_sides) != NULL && (i == 0 || side[i] != side[i - 1]);
    }
    free(side);
    return ZN_OK;
}

// Closed, no triangle without area, nothing far outside.
static zn_status check(const growth *h, const char **why)
{
    bool good = h->count >= 4;
    ZN_TRY(check_closed(h, &good));
    for (int i = 0; i < h->count; i++) {
        good &= isfinite(h->face[i].offset);
        for (int p = 0; p < h->points; p++)
            good &= height(h, &h->face[i], p) <= 10 * h->tolerance;
    }
    if (good)
        return ZN_OK;
    *why = "are too near to each other, or to planes through others, for a hull";
    return ZN_ERR_MODEL;
}

static zn_status deliver(const growth *h, zn_hull *out)
{
    out->triangle = zn_new_array((size_t)h->count, sizeof *out->triangle);
    if (!out->triangle)
        return ZN_ERR_MEMORY;
    out->count = h->count;
    out->tolerance = 10 * h->tolerance;
    for (int i = 0; i < h->count; i++)
        for (int k = 0; k < 3; k++)
            out->triangle[i][k] = h->face[i].corner[k];
    return ZN_OK;
}

zn_status zn_hull_create(int points, const zn_vec3 *point, zn_hull *out, const char **why)
{
    growth h = {.points = points, .x = point};
    *why = NULL;
    if (points < 4)
        *why = "are fewer than four";
    for (int i = 0; i < points && !*why; i++)
        if (!zn_finite3(point[i]))
            *why = "are not all finite";
    if (*why)
        return ZN_ERR_MODEL;
    h.next = ZN_NEW(int, points);
    zn_status status = h.next ? begin(&h, why) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = grow(&h);
    if (status == ZN_OK)
        status = check(&h, why);
    if (status == ZN_OK)
        status = deliver(&h, out);
    free(h.next);
    free(h.face);
    free(h.rim);
    free(h.seeing);
    return status;
}
