// Convex hull of points by growth of a tetrahedron (Barber, Dobkin, Huhdanpaa, ACM Trans. Math. Software 22 (1996)):
// each triangle keeps the points outside it; the farthest of one is joined to the rim of all triangles that see it.
// A triangle sees a point that is more than the tolerance above it. Where the point continues a side of the rim the
// triangle beyond lies in a plane with it and goes, too: no triangle is without area.
// Triangles know their neighbours, so that a point costs what it changes: n points that are all corners take n log n.
#include "model/contact/hull.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "math/finite.h"

typedef struct triangle {
    int     corner[3];
    zn_vec3 normal;
    double  offset;
    int     outside;   // first of its points, -1: none
    int     beyond[3]; // the triangle on the other side of each side
    bool    sees;      // the point that is joined: it goes, or is gone
} triangle;

typedef struct growth {
    int            points;
    const zn_vec3 *x;
    double         tolerance;
    zn_vec3        inside; // of the tetrahedron
    int            left;   // triangles that have not gone
    int            count, capacity;
    triangle      *face; // all that were made
    int           *next; // point after this one outside the same triangle
    int *starts, *ends;  // of a corner of the rim: the new triangles whose sides of the rim start and end there
    int (*rim)[3];       // its sides, in the sense of the triangles that go, and the triangles beyond
    int  rim_count, rim_capacity;
    int *seeing; // triangles that see the point, ascending
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
    f.beyond[0] = f.beyond[1] = f.beyond[2] = -1;
    f.offset = zn_vec3_dot(f.normal, h->x[a]);
    h->left++;
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

static int side_from(const triangle *f, int from, int to)
{
    for (int k = 0; k < 3; k++)
        if (f->corner[k] == from && f->corner[(k + 1) % 3] == to)
            return k;
    return -1;
}

static void link_if_beside(growth *h, int i, int other)
{
    for (int k = 0; k < 3; k++)
        if (side_from(&h->face[other], h->face[i].corner[(k + 1) % 3], h->face[i].corner[k]) >= 0)
            h->face[i].beyond[k] = other;
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
    h->count = h->left = 0;
    int a = over ? c[1] : c[0], b = over ? c[0] : c[1];
    ZN_TRY(put(h, a, b, c[2]));
    ZN_TRY(put(h, b, a, c[3]));
    ZN_TRY(put(h, c[2], b, c[3]));
    ZN_TRY(put(h, a, c[2], c[3]));
    for (int i = 0; i < 16; i++)
        link_if_beside(h, i / 4, i % 4);
    for (int i = 0; i < 4; i++)
        h->inside = zn_vec3_add(h->inside, zn_vec3_scale(0.25, h->x[c[i]]));
    for (int i = 0; i < h->points; i++)
        assign(h, 0, i);
    return ZN_OK;
}

// --- growth --------------------------------------------------------------------------------------

static int compare_numbers(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static zn_status mark(growth *h, int face)
{
    h->face[face].sees = true;
    return ZN_PUSH(h->seeing, h->seeing_count, h->seeing_capacity, face);
}

// From one that sees the point to all others: they hang together.
static zn_status find_seeing(growth *h, int first, int point)
{
    h->seeing_count = 0;
    ZN_TRY(mark(h, first));
    for (int i = 0; i < h->seeing_count; i++)
        for (int k = 0; k < 3; k++) {
            int other = h->face[h->seeing[i]].beyond[k];
            if (!h->face[other].sees && height(h, &h->face[other], point) > h->tolerance)
                ZN_TRY(mark(h, other));
        }
    return ZN_OK;
}

static zn_status find_rim(growth *h)
{
    h->rim_count = 0;
    qsort(h->seeing, (size_t)h->seeing_count, sizeof *h->seeing, compare_numbers);
    for (int i = 0; i < h->seeing_count; i++)
        for (int k = 0; k < 3; k++) {
            const triangle *f = &h->face[h->seeing[i]];
            if (h->face[f->beyond[k]].sees)
                continue;
            ZN_TRY(zn_grow(&h->rim, &h->rim_capacity, h->rim_count + 1, sizeof *h->rim));
            int *side = h->rim[h->rim_count++];
            side[0] = f->corner[k];
            side[1] = f->corner[(k + 1) % 3];
            side[2] = f->beyond[k];
        }
    return ZN_OK;
}

// A side of the rim that the point continues: the triangle beyond goes.
static zn_status widen(growth *h, int point, bool *wider)
{
    *wider = false;
    for (int i = 0; i < h->rim_count; i++)
        if (distance_to(h, 2, h->rim[i], point) <= h->tolerance) {
            *wider = true;
            return mark(h, h->rim[i][2]);
        }
    return ZN_OK;
}

// Points of the triangles that go, in one list.
static int loosen(growth *h)
{
    int loose = -1;
    for (int i = 0; i < h->seeing_count; i++) {
        triangle *f = &h->face[h->seeing[i]];
        for (int p = f->outside, after; p >= 0; p = after) {
            after = h->next[p];
            h->next[p] = loose;
            loose = p;
        }
        f->outside = -1;
    }
    h->left -= h->seeing_count;
    return loose;
}

// A rim that comes to one corner twice leaves something that is not closed, which is found at the end.
static void link_new(growth *h, int first)
{
    for (int i = 0; i < h->rim_count; i++) {
        h->starts[h->rim[i][0]] = first + i;
        h->ends[h->rim[i][1]] = first + i;
    }
    for (int i = 0; i < h->rim_count; i++) {
        const int *side = h->rim[i];
        triangle  *f = &h->face[first + i], *outer = &h->face[side[2]];
        int        back = side_from(outer, side[1], side[0]);
        f->beyond[0] = side[2];
        f->beyond[1] = h->starts[side[1]];
        f->beyond[2] = h->ends[side[0]];
        if (back >= 0)
            outer->beyond[back] = first + i;
    }
}

static zn_status join(growth *h, int point)
{
    int first = h->count, loose = loosen(h);
    for (int i = 0; i < h->rim_count; i++)
        ZN_TRY(put(h, h->rim[i][0], h->rim[i][1], point));
    link_new(h, first);
    for (int p = loose, after; p >= 0; p = after) {
        after = h->next[p];
        if (p != point)
            assign(h, first, p);
    }
    return ZN_OK;
}

static int farthest(const growth *h, const triangle *f)
{
    int    point = f->outside;
    double most = -1;
    for (int p = point; p >= 0; p = h->next[p]) {
        double up = height(h, f, p);
        if (up > most) {
            most = up;
            point = p;
        }
    }
    return point;
}

// Only new triangles get points: those before have none ever after. More triangles than any hull has: points are so
// near to planes through others that rims come to a corner again and again, and nothing good will come of it.
static zn_status grow(growth *h)
{
    for (int i = 0; i < h->count;) {
        bool wider = true;
        int  point = farthest(h, &h->face[i]);
        if (point < 0) {
            i++;
            continue;
        }
        ZN_TRY(find_seeing(h, i, point));
        while (wider) {
            ZN_TRY(find_rim(h));
            ZN_TRY(widen(h, point, &wider));
        }
        ZN_TRY(join(h, point));
        if (h->left > 2 * h->points) {
            h->count = 0;
            return ZN_OK;
        }
    }
    return ZN_OK;
}

// Those that are left, in the order in which they were made.
static void pack(growth *h)
{
    int kept = 0;
    for (int i = 0; i < h->count; i++)
        h->face[i].outside = h->face[i].sees ? -1 : kept++; // its new number
    for (int i = 0; i < h->count; i++)
        for (int k = 0; k < 3; k++)
            h->face[i].beyond[k] = h->face[h->face[i].beyond[k]].outside;
    kept = 0;
    for (int i = 0; i < h->count; i++)
        if (!h->face[i].sees)
            h->face[kept++] = h->face[i];
    h->count = kept;
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

// How far out a point is, as seen from inside: 1 is on the plane of the triangle.
static double reach(const growth *h, const triangle *f, int point)
{
    zn_vec3 n = f->normal;
    return zn_vec3_dot(n, zn_vec3_sub(h->x[point], h->inside)) / (f->offset - zn_vec3_dot(n, h->inside));
}

// The triangle through which the point is seen from inside, uphill from another one: of a convex body there is one top,
// as of a linear function on the corners of its dual.
static int climb(const growth *h, int face, int point)
{
    double most = reach(h, &h->face[face], point);
    for (int last = -1, steps = 0; last != face && steps < h->count; steps++) {
        const triangle *f = &h->face[face];
        last = face;
        for (int k = 0; k < 3; k++) {
            double r = reach(h, &h->face[f->beyond[k]], point);
            if (r > most) {
                most = r;
                face = f->beyond[k];
            }
        }
    }
    return face;
}

static bool is_outside(const growth *h, int point)
{
    for (int i = 0; i < h->count; i++)
        if (!(height(h, &h->face[i], point) <= 10 * h->tolerance))
            return true;
    return false;
}

// Neighbours with each other; `deepest`: of all triangles below the point inside.
static bool bends_outwards(const growth *h, double *deepest)
{
    bool good = true;
    *deepest = 0;
    for (int i = 0; good && i < h->count; i++) {
        const triangle *f = &h->face[i];
        good = isfinite(f->offset);
        *deepest = fmax(*deepest, f->offset - zn_vec3_dot(f->normal, h->inside));
        for (int k = 0; k < 9; k++)
            good &= height(h, f, h->face[f->beyond[k / 3]].corner[k % 3]) <= 10 * h->tolerance;
    }
    return good;
}

// All points with all triangles where these are few; else each point with the triangle that it is seen through, and
// with all where it is not clearly inside of that.
static bool holds_all(const growth *h, double deepest)
{
    const double few = 1e7;
    bool         all = (double)h->count * h->points <= few, good = true;
    for (int p = 0, face = 0; good && p < h->points; p++) {
        face = all ? 0 : climb(h, face, p);
        bool clear = !all && (reach(h, &h->face[face], p) - 1) * deepest <= 10 * h->tolerance;
        good = clear || !is_outside(h, p);
    }
    return good;
}

// Closed, no triangle without area, nothing far outside.
static zn_status check(const growth *h, const char **why)
{
    double deepest;
    bool   good = h->count >= 4;
    for (int i = 0; i < 3 * h->count; i++)
        good &= h->face[i / 3].beyond[i % 3] >= 0;
    ZN_TRY(check_closed(h, &good));
    if (good && bends_outwards(h, &deepest) && holds_all(h, deepest))
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
    h.starts = ZN_NEW(int, points);
    h.ends = ZN_NEW(int, points);
    zn_status status = h.next && h.starts && h.ends ? begin(&h, why) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = grow(&h);
    if (status == ZN_OK) {
        pack(&h);
        status = check(&h, why);
    }
    if (status == ZN_OK)
        status = deliver(&h, out);
    free(h.next);
    free(h.starts);
    free(h.ends);
    free(h.face);
    free(h.rim);
    free(h.seeing);
    return status;
}
