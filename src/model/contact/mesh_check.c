// A solid's surface has at each edge two triangles that run along it in opposite directions. The directed sides of all
// triangles are sorted by their points, so that those of one edge lie together; connected triangles are then walked
// through, each told whether it agrees with the first. The side of a piece that agrees everywhere follows from the sign
// of its volume; a negative one is a cavity where it lies inside another piece (its solid angle seen from a point is
// 4 pi), else it is inside out.
#include "model/contact/mesh_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/finite.h"
#include "model/triangles.h"

#define TINY_VOLUME 1e-9 // of the cube of the extent
#define ON_EDGE     1e-6 // of the extent: a corner as near as this to an open edge splits it

enum { OPEN_MAX = 2000, NAMED = 8 }; // open edges that are looked at for corners on them; triangles named in a message

typedef struct side {
    int low, high, triangle;
    int up; // 1: from low to high
} side;

typedef struct surface {
    int            points, triangles, sides;
    const zn_vec3 *point;
    const int     *corner;
    side          *side;
    int           *neighbour; // three for each triangle: behind the side from corner k to k + 1; -1: open
    int           *piece;     // of each triangle, -1: none
    signed char   *flipped;
    int           *queue;
    int            pieces;
    double         extent;
    char          *message;
    size_t         size;
} surface;

#define SAY(s, ...) (snprintf((s)->message, (s)->size, __VA_ARGS__), ZN_ERR_MODEL)

static zn_status check_arrays(const surface *s)
{
    if (s->triangles < 4 || s->points < 4)
        return SAY(s, "%d points and %d triangles bound nothing, at least 4 of each do", s->points, s->triangles);
    if (s->triangles > ZN_TRIANGLES_MAX)
        return SAY(s, "%d triangles are more than the limit of %d: make the mesh coarser", s->triangles,
                   (int)ZN_TRIANGLES_MAX);
    for (int i = 0; i < s->points; i++)
        if (!zn_finite3(s->point[i]))
            return SAY(s, "point %d is not finite", i + 1);
    for (int i = 0; i < 3 * s->triangles; i++)
        if (s->corner[i] < 0 || s->corner[i] >= s->points)
            return SAY(s, "triangle %d has a corner that is no point: %d of %d", i / 3 + 1, s->corner[i] + 1,
                       s->points);
    return ZN_OK;
}

// --- sides ---------------------------------------------------------------------------------------

static int compare_sides(const void *first, const void *second)
{
    const side *a = first, *b = second;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

// All sides, sorted by low (counted), high and triangle.
static zn_status sort_sides(surface *s)
{
    int *start = ZN_NEW(int, s->points + 1);
    s->side = ZN_NEW(side, 3 * s->triangles);
    if (!start || !s->side) {
        free(start);
        return ZN_ERR_MEMORY;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 3 * s->triangles; i++) {
            const int *c = &s->corner[i / 3 * 3];
            int        a = c[i % 3], b = c[(i + 1) % 3], low = a < b ? a : b;
            if (zn_triangle_is_lost(c))
                continue;
            if (pass == 0)
                start[low + 1]++;
            else
                s->side[start[low]++] = (side){low, a < b ? b : a, i / 3, a < b};
        }
        for (int i = 0; pass == 0 && i < s->points; i++)
            start[i + 1] += start[i];
    }
    s->sides = start[s->points - 1]; // moved on by the filling: each is where the next one began
    for (int i = 0, from = 0; i < s->points; from = start[i++])
        qsort(s->side + from, (size_t)(start[i] - from), sizeof *s->side, compare_sides);
    free(start);
    return ZN_OK;
}

// How many sides lie on the edge of side i, which is its first.
static int count_sides(const surface *s, int i)
{
    int n = 1;
    while (i + n < s->sides && s->side[i + n].low == s->side[i].low && s->side[i + n].high == s->side[i].high)
        n++;
    return n;
}

static void set_neighbour(surface *s, const side *of, int other)
{
    const int *c = &s->corner[3 * of->triangle];
    int        from = of->up ? of->low : of->high;
    for (int k = 0; k < 3; k++)
        if (c[k] == from)
            s->neighbour[3 * of->triangle + k] = other;
}

// --- closed --------------------------------------------------------------------------------------

#define PLACE(p)     (p).x, (p).y, (p).z
#define PLACE_FORMAT "(%.6g, %.6g, %.6g)"

// A point that lies inside an edge.
static bool lies_on(const surface *s, int p, const side *e)
{
    if (p == e->low || p == e->high)
        return false;
    zn_vec3 a = s->point[e->low], u = zn_vec3_sub(s->point[e->high], a), d = zn_vec3_sub(s->point[p], a);
    double  share = zn_vec3_dot(u, d) / zn_vec3_dot(u, u);
    return share > 0 && share < 1 && zn_vec3_norm(zn_vec3_sub(d, zn_vec3_scale(share, u))) <= ON_EDGE * s->extent;
}

// Are the open edges those of a T-junction: a corner of one lies on another?
static zn_status say_open(const surface *s, int open)
{
    const side *list[OPEN_MAX];
    int         count = 0;
    for (int i = 0; i < s->sides && count < OPEN_MAX; i += count_sides(s, i))
        if (count_sides(s, i) == 1)
            list[count++] = &s->side[i];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            for (int end = 0; end < 2; end++) {
                int p = end ? list[k]->high : list[k]->low;
                if (lies_on(s, p, list[i]))
                    return SAY(s,
                               "it has T-junctions (%d edges with one triangle): the corner at " PLACE_FORMAT
                               " lies inside the edge from " PLACE_FORMAT " to " PLACE_FORMAT,
                               open, PLACE(s->point[p]), PLACE(s->point[list[i]->low]), PLACE(s->point[list[i]->high]));
            }
    return SAY(s, "it is not closed: %d edges have one triangle only, the first from " PLACE_FORMAT " to " PLACE_FORMAT,
               open, PLACE(s->point[list[0]->low]), PLACE(s->point[list[0]->high]));
}

static zn_status check_closed(surface *s)
{
    int open = 0, crowded = 0, first = -1;
    memset(s->neighbour, -1, sizeof(int) * 3 * (size_t)s->triangles);
    for (int i = 0, n; i < s->sides; i += n) {
        n = count_sides(s, i);
        open += n == 1;
        crowded += n > 2;
        first = n > 2 && first < 0 ? i : first;
        if (n == 2) {
            set_neighbour(s, &s->side[i], s->side[i + 1].triangle);
            set_neighbour(s, &s->side[i + 1], s->side[i].triangle);
        }
    }
    if (crowded > 0)
        return SAY(s,
                   "%d edges have more than two triangles, the first from " PLACE_FORMAT " to " PLACE_FORMAT
                   " has %d: parts that touch along an edge are no one solid",
                   crowded, PLACE(s->point[s->side[first].low]), PLACE(s->point[s->side[first].high]),
                   count_sides(s, first));
    return open > 0 ? say_open(s, open) : ZN_OK;
}

// --- one side out --------------------------------------------------------------------------------

// Do two neighbours run along their common edge in the same direction?
static bool disagree(const surface *s, int t, int k)
{
    int        a = s->corner[3 * t + k], b = s->corner[3 * t + (k + 1) % 3];
    const int *c = &s->corner[3 * s->neighbour[3 * t + k]];
    return (c[0] == a && c[1] == b) || (c[1] == a && c[2] == b) || (c[2] == a && c[0] == b);
}

// All triangles connected with t, and whether they agree with it. False: there is no answer (one side only).
static bool walk(surface *s, int t, int *count, int *against)
{
    int  done = 0;
    bool sound = true;
    s->queue[0] = t;
    s->piece[t] = s->pieces;
    s->flipped[t] = 0;
    *count = 1;
    *against = 0;
    while (done < *count) {
        int from = s->queue[done++];
        for (int k = 0; k < 3; k++) {
            int to = s->neighbour[3 * from + k], flipped = s->flipped[from] ^ disagree(s, from, k);
            if (s->piece[to] >= 0) {
                sound = sound && s->flipped[to] == flipped;
                continue;
            }
            s->piece[to] = s->pieces;
            s->flipped[to] = (signed char)flipped;
            s->queue[(*count)++] = to;
            *against += flipped;
        }
    }
    s->pieces++;
    return sound;
}

static zn_status say_flipped(const surface *s, int count)
{
    char   list[NAMED * 12 + 8] = "";
    size_t length = 0;
    int    named = 0, first = -1;
    for (int i = 0; i < s->triangles && named < NAMED; i++)
        if (s->piece[i] >= 0 && s->flipped[i]) {
            first = first < 0 ? i : first;
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%d", named > 0 ? ", " : "", i + 1);
            named++;
        }
    return SAY(s, "%d of %d triangles are turned over against their neighbours: %s%s, the first at " PLACE_FORMAT,
               count, s->triangles, list, count > named ? " ..." : "", PLACE(s->point[s->corner[3 * first]]));
}

static zn_status check_sides(surface *s)
{
    int total = 0;
    for (int i = 0; i < s->triangles; i++)
        s->piece[i] = -1;
    for (int i = 0, count, against; i < s->triangles; i++) {
        if (s->piece[i] >= 0 || zn_triangle_is_lost(&s->corner[3 * i]))
            continue;
        if (!walk(s, i, &count, &against))
            return SAY(s, "the piece with the triangle %d at " PLACE_FORMAT " has one side only, like Moebius' strip",
                       i + 1, PLACE(s->point[s->corner[3 * i]]));
        bool most = 2 * against > count;
        for (int k = 0; most && k < count; k++)
            s->flipped[s->queue[k]] ^= 1;
        total += most ? count - against : against;
    }
    return total > 0 ? say_flipped(s, total) : ZN_OK;
}

// --- outward -------------------------------------------------------------------------------------

// Six times the volume of the tetrahedron of a triangle and a point, and the solid angle under which it is seen from
// there (van Oosterom, Strackee).
static double volume6(const surface *s, int t, zn_vec3 o, double *angle)
{
    zn_vec3 p[3];
    double  length[3];
    for (int k = 0; k < 3; k++) {
        p[k] = zn_vec3_sub(s->point[s->corner[3 * t + k]], o);
        length[k] = angle ? zn_vec3_norm(p[k]) : 0;
    }
    double d = zn_vec3_dot(p[0], zn_vec3_cross(p[1], p[2]));
    if (angle)
        *angle = 2 * zn_atan2(d, length[0] * length[1] * length[2] + zn_vec3_dot(p[0], p[1]) * length[2] +
                                     zn_vec3_dot(p[1], p[2]) * length[0] + zn_vec3_dot(p[2], p[0]) * length[1]);
    return d;
}

// Does the piece lie inside others?
static bool is_cavity(const surface *s, int piece, zn_vec3 at)
{
    double sum = 0;
    for (int i = 0; i < s->triangles; i++) {
        double angle = 0;
        if (s->piece[i] >= 0 && s->piece[i] != piece)
            volume6(s, i, at, &angle);
        sum += angle;
    }
    return sum > 2 * zn_acos(-1);
}

static zn_status check_volumes(const surface *s, double *volume)
{
    double  total = 0;
    zn_vec3 o = s->point[s->corner[0]];
    for (int i = 0; i < s->triangles; i++)
        if (s->piece[i] >= 0) {
            double d = volume6(s, i, o, NULL) / 6;
            volume[s->piece[i]] += d;
            total += d;
        }
    if (!(fabs(total) > TINY_VOLUME * s->extent * s->extent * s->extent))
        return SAY(s, "it has no volume: %.3g m^3 between corners that are up to %.3g m apart", total, s->extent);
    if (total < 0)
        return SAY(s, "it is inside out: all of its triangles are to be turned over, its volume would be %.6g m^3",
                   total);
    for (int i = 0, next = 0; i < s->triangles; i++) {
        if (s->piece[i] != next)
            continue;
        next++;
        zn_vec3 at = s->point[s->corner[3 * i]];
        if (volume[next - 1] < 0 && !is_cavity(s, next - 1, at))
            return SAY(s,
                       "one of its %d pieces, with the triangle %d at " PLACE_FORMAT
                       ", is inside out and no cavity of another one",
                       s->pieces, i + 1, PLACE(at));
    }
    return ZN_OK;
}

static zn_status check_outward(const surface *s)
{
    double *volume = ZN_NEW(double, s->pieces);
    if (!volume)
        return ZN_ERR_MEMORY;
    zn_status status = check_volumes(s, volume);
    free(volume);
    return status;
}

// --- all of it -----------------------------------------------------------------------------------

static zn_status check(surface *s)
{
    ZN_TRY(check_arrays(s));
    s->extent = zn_points_extent(s->points, s->point);
    s->neighbour = ZN_NEW(int, 3 * s->triangles);
    s->piece = ZN_NEW(int, s->triangles);
    s->queue = ZN_NEW(int, s->triangles);
    s->flipped = ZN_NEW(signed char, s->triangles);
    if (!s->neighbour || !s->piece || !s->queue || !s->flipped)
        return ZN_ERR_MEMORY;
    ZN_TRY(sort_sides(s));
    if (s->sides == 0)
        return SAY(s, "none of its %d triangles has an area", s->triangles);
    ZN_TRY(check_closed(s));
    ZN_TRY(check_sides(s));
    return check_outward(s);
}

static zn_status list_edges(const surface *s, int *edges, zn_mesh_edge **edge)
{
    *edges = s->sides / 2;
    *edge = ZN_NEW(zn_mesh_edge, *edges);
    if (!*edge)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < *edges; i++) {
        const side *one = &s->side[2 * i], *two = one + 1;
        int         up = one->up ? one->triangle : two->triangle, down = one->up ? two->triangle : one->triangle;
        (*edge)[i] = (zn_mesh_edge){one->low, one->high, {up, down}};
    }
    return ZN_OK;
}

zn_status zn_mesh_check(int points, const zn_vec3 *point, int triangles, const int *corner, int *edges,
                        zn_mesh_edge **edge, char *message, size_t size)
{
    surface s = {.points = points, .triangles = triangles, .point = point, .corner = corner};
    s.message = message;
    s.size = size;
    zn_status status = check(&s);
    if (status == ZN_OK && edge)
        status = list_edges(&s, edges, edge);
    free(s.side);
    free(s.neighbour);
    free(s.piece);
    free(s.queue);
    free(s.flipped);
    return status;
}
