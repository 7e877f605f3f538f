// Convex polyhedra: put together from the loops of their faces, and asked for what is farthest or nearest.
#include "model/contact/polyhedron.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "model/contact/polyhedron_build.h"
#include "model/model.h"

void zn_polyhedron_destroy(void *polyhedron)
{
    zn_polyhedron *p = polyhedron;
    if (!p)
        return;
    if (p->others-- > 0)
        return;
    free(p->vertex);
    free(p->edge);
    free(p->face);
    free(p->corner);
    free(p->side);
    free(p->first);
    free(p->neighbour);
    free(p->spoke);
    zn_feature_table_destroy(&p->points);
    zn_feature_table_destroy(&p->planes);
    free(p->around);
    free(p);
}

// --- equal ones ----------------------------------------------------------------------------------

static bool same(size_t bytes, const void *a, const void *b) { return memcmp(a, b, bytes) == 0; }

static bool are_equal(const zn_polyhedron *a, const zn_polyhedron *b)
{
    return a->vertices == b->vertices && a->edges == b->edges && a->faces == b->faces && a->box == b->box &&
           same(sizeof *a->vertex * (size_t)a->vertices, a->vertex, b->vertex) &&
           same(sizeof *a->face * (size_t)a->faces, a->face, b->face) &&
           same(2 * sizeof *a->corner * (size_t)a->edges, a->corner, b->corner) &&
           same(sizeof a->axes, &a->axes, &b->axes) && same(sizeof a->half, &a->half, &b->half);
}

zn_polyhedron *zn_polyhedron_shared(const zn_model *model, zn_shape_kind kind, zn_polyhedron *p)
{
    enum { LOOK_BACK = 16 };
    for (int i = model->shapes - 1; i >= 0 && i >= model->shapes - LOOK_BACK; i--) {
        zn_polyhedron *known = model->shape[i].def.kind == kind ? model->shape[i].data : NULL;
        if (!known || !are_equal(known, p))
            continue;
        known->others++;
        zn_polyhedron_destroy(p);
        return known;
    }
    return p;
}

// --- from loops ----------------------------------------------------------------------------------

zn_polyhedron *zn_polyhedron_new(int vertices, int faces, int corners)
{
    zn_polyhedron *p = ZN_NEW(zn_polyhedron, 1);
    if (!p)
        return NULL;
    *p = (zn_polyhedron){.vertices = vertices, .faces = faces, .edges = corners / 2};
    p->vertex = ZN_NEW(zn_vec3, vertices);
    p->face = ZN_NEW(zn_polyhedron_face, faces);
    p->edge = ZN_NEW(zn_polyhedron_edge, corners / 2);
    p->corner = ZN_NEW(int, corners);
    p->side = ZN_NEW(int, corners);
    p->first = ZN_NEW(int, vertices + 1);
    p->neighbour = ZN_NEW(int, corners);
    p->spoke = ZN_NEW(int, corners);
    p->around = vertices <= ZN_AROUND ? ZN_NEW(zn_around, vertices) : NULL;
    bool tables = zn_feature_table_create(vertices, &p->points) == ZN_OK &&
                  zn_feature_table_create(faces, &p->planes) == ZN_OK && (p->around || vertices > ZN_AROUND);
    if (tables && p->vertex && p->face && p->edge && p->corner && p->side && p->first && p->neighbour && p->spoke)
        return p;
    zn_polyhedron_destroy(p);
    return NULL;
}

// A side of a loop: its vertices, ascending, and where it is.
typedef struct loop_side {
    int low, high, face, place;
} loop_side;

static int compare(const void *a, const void *b)
{
    const loop_side *x = a, *y = b;
    int              by[3] = {x->low - y->low, x->high - y->high, x->place - y->place};
    return by[0] ? by[0] : by[1] ? by[1] : by[2];
}

static void list_sides(const zn_polyhedron *p, loop_side *side)
{
    for (int i = 0; i < p->faces; i++) {
        const zn_polyhedron_face *f = &p->face[i];
        for (int k = 0; k < f->count; k++) {
            int a = p->corner[f->first + k], b = p->corner[f->first + (k + 1) % f->count];
            side[f->first + k] = (loop_side){a < b ? a : b, a < b ? b : a, i, f->first + k};
        }
    }
    qsort(side, 2 * (size_t)p->edges, sizeof *side, compare);
}

static zn_vec3 unit(zn_vec3 a) { return zn_vec3_scale(1 / zn_vec3_norm(a), a); }

static void complete_edge(const zn_polyhedron *p, zn_polyhedron_edge *e)
{
    zn_vec3 way = zn_vec3_sub(p->vertex[e->vertex[1]], p->vertex[e->vertex[0]]);
    e->length = zn_vec3_norm(way);
    e->along = zn_vec3_scale(1 / e->length, way);
    zn_vec3 n[2] = {p->face[e->face[0]].normal, p->face[e->face[1]].normal};
    e->out = unit(zn_vec3_add(n[0], n[1]));
    e->inward[0] = unit(zn_vec3_cross(n[0], e->along));
    e->inward[1] = unit(zn_vec3_cross(e->along, n[1]));
}

// Every side is in two loops, once in each sense.
static bool make_edges(zn_polyhedron *p, const loop_side *side)
{
    for (int i = 0; i < p->edges; i++) {
        const loop_side *s = &side[2 * i];
        if (s[0].low != s[1].low || s[0].high != s[1].high)
            return false;
        int a = p->corner[s[0].place];
        if (a == p->corner[s[1].place])
            return false;
        p->edge[i] =
            (zn_polyhedron_edge){.vertex = {a, a == s[0].low ? s[0].high : s[0].low}, .face = {s[0].face, s[1].face}};
        complete_edge(p, &p->edge[i]);
        p->side[s[0].place] = p->side[s[1].place] = i;
    }
    return true;
}

static void make_neighbours(zn_polyhedron *p)
{
    for (int i = 0; i < p->edges; i++)
        for (int k = 0; k < 2; k++)
            p->first[p->edge[i].vertex[k]]++;
    for (int i = 0, sum = 0; i <= p->vertices; i++) { // ends, which go down to starts
        sum += p->first[i];
        p->first[i] = sum;
    }
    for (int i = p->edges - 1; i >= 0; i--)
        for (int k = 0; k < 2; k++) {
            int place = --p->first[p->edge[i].vertex[k]];
            p->neighbour[place] = p->edge[i].vertex[1 - k];
            p->spoke[place] = i;
        }
}

static void set_bit(uint64_t *bits, int i) { bits[i / 64] |= (uint64_t)1 << (i % 64); }

static void make_tables(zn_polyhedron *p)
{
    for (int i = 0; i < p->vertices; i++)
        zn_feature_table_set(&p->points, i, p->vertex[i], 0);
    for (int i = 0; i < p->faces; i++)
        zn_feature_table_set(&p->planes, i, p->face[i].normal, p->face[i].offset);
    for (int i = 0; i < p->edges && p->around; i++)
        for (int k = 0; k < 4; k++) {
            zn_around *a = &p->around[p->edge[i].vertex[k / 2]];
            set_bit(a->edge, i);
            set_bit(a->face, p->edge[i].face[k % 2]);
        }
}

static void measure(zn_polyhedron *p)
{
    zn_vec3 low = p->vertex[0], high = low;
    for (int i = 1; i < p->vertices; i++) {
        zn_vec3 x = p->vertex[i];
        low = (zn_vec3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (zn_vec3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    p->centre = zn_vec3_scale(0.5, zn_vec3_add(low, high));
    p->extent = zn_vec3_scale(0.5, zn_vec3_sub(high, low));
    for (int i = 0; i < p->vertices; i++) {
        p->radius = fmax(p->radius, zn_vec3_norm(zn_vec3_sub(p->vertex[i], p->centre)));
        p->reach = fmax(p->reach, zn_vec3_norm(p->vertex[i]));
    }
}

zn_status zn_polyhedron_complete(zn_polyhedron *p, bool *sound)
{
    loop_side *side = ZN_NEW(loop_side, 2 * p->edges);
    if (!side)
        return ZN_ERR_MEMORY;
    list_sides(p, side);
    *sound = p->vertices - p->edges + p->faces == 2 && make_edges(p, side);
    free(side);
    if (*sound) {
        make_neighbours(p);
        make_tables(p);
        measure(p);
    }
    return ZN_OK;
}

zn_status zn_polyhedron_box(zn_vec3 at, zn_mat3 axes, zn_vec3 half, zn_polyhedron **out)
{
    // vertex i: x + for bit 0, y + for bit 1, z + for bit 2; faces -x, +x, -y ...
    static const int loop[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    const double     h[3] = {half.x, half.y, half.z};
    zn_polyhedron   *p = zn_polyhedron_new(8, 6, 24);
    bool             sound = false;
    if (!p)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < 8; i++) {
        zn_vec3 away = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
        p->vertex[i] = zn_vec3_add(at, zn_mat3_apply(axes, away));
    }
    for (int i = 0; i < 6; i++) {
        double  sign = i % 2 ? 1 : -1;
        zn_vec3 n = {sign * axes.m[0][i / 2], sign * axes.m[1][i / 2], sign * axes.m[2][i / 2]};
        p->face[i] = (zn_polyhedron_face){n, zn_vec3_dot(n, at) + h[i / 2], 4 * i, 4};
    }
    for (int i = 0; i < 24; i++)
        p->corner[i] = loop[i];
    zn_status status = zn_polyhedron_complete(p, &sound);
    if (status != ZN_OK) {
        zn_polyhedron_destroy(p);
        return status;
    }
    ZN_ASSERT(sound);
    p->box = true;
    p->axes = axes;
    p->half = half;
    *out = p;
    return ZN_OK;
}

// --- questions -----------------------------------------------------------------------------------

bool zn_polyhedron_bound(const zn_polyhedron *p, zn_vec3 *centre, zn_vec3 *half)
{
    *centre = p->centre;
    *half = p->extent;
    return true;
}

bool zn_polyhedron_feature(const zn_polyhedron *p, int index, zn_feature *out)
{
    if (index < 0 || index >= p->vertices + p->edges + p->faces)
        return false;
    if (index < p->vertices)
        *out = (zn_feature){.kind = ZN_FEATURE_POINT, .at = p->vertex[index]};
    else if (index < p->vertices + p->edges) {
        const zn_polyhedron_edge *e = &p->edge[index - p->vertices];
        *out = (zn_feature){.kind = ZN_FEATURE_EDGE, .at = p->vertex[e->vertex[0]], .along = e->along, .out = e->out};
        out->to = e->length;
    } else {
        const zn_polyhedron_face *f = &p->face[index - p->vertices - p->edges];
        *out = (zn_feature){.kind = ZN_FEATURE_FACE, .at = p->vertex[p->corner[f->first]], .along = f->normal};
    }
    return true;
}

int zn_polyhedron_farthest(const zn_polyhedron *p, zn_vec3 direction, int start)
{
    enum { FEW = 96 }; // all of them are as quick then
    if (p->vertices <= FEW)
        return zn_feature_table_highest(&p->points, direction);
    int    best = start;
    double most = zn_vec3_dot(direction, p->vertex[best]);
    for (int last = -1; last != best;) { // on a convex body uphill leads to the top
        last = best;
        for (int k = p->first[last]; k < p->first[last + 1]; k++) {
            double far = zn_vec3_dot(direction, p->vertex[p->neighbour[k]]);
            if (far > most) {
                most = far;
                best = p->neighbour[k];
            }
        }
    }
    return best;
}

double zn_polyhedron_height(const zn_polyhedron *p, zn_vec3 direction, int start)
{
    if (!p->box)
        return zn_vec3_dot(direction, p->vertex[zn_polyhedron_farthest(p, direction, start)]);
    const double(*m)[3] = (const double(*)[3])p->axes.m;
    zn_vec3 u = direction;
    return zn_vec3_dot(u, p->centre) + p->half.x * fabs(u.x * m[0][0] + u.y * m[1][0] + u.z * m[2][0]) +
           p->half.y * fabs(u.x * m[0][1] + u.y * m[1][1] + u.z * m[2][1]) +
           p->half.z * fabs(u.x * m[0][2] + u.y * m[1][2] + u.z * m[2][2]);
}

double zn_polyhedron_level(const zn_polyhedron *p, zn_vec3 x)
{
    double most = -INFINITY;
    for (int i = 0; i < p->faces; i++)
        most = fmax(most, zn_vec3_dot(p->face[i].normal, x) - p->face[i].offset);
    return most;
}

bool zn_polyhedron_is_behind(const zn_polyhedron *p, zn_vec3 x, double depth)
{
    for (int word = 0; 64 * word < p->faces; word++)
        if (zn_feature_table_between(&p->planes, word, x, -depth, INFINITY))
            return false;
    return true;
}

int zn_polyhedron_face_along(const zn_polyhedron *p, zn_vec3 up) { return zn_feature_table_highest(&p->planes, up); }

// How far a point is inside side k of a face.
static double inside_side(const zn_polyhedron *p, int face, int k, zn_vec3 point)
{
    const zn_polyhedron_edge *e = &p->edge[p->side[k]];
    zn_vec3                   from = zn_vec3_sub(point, p->vertex[p->corner[k]]);
    return zn_vec3_dot(e->inward[e->face[0] == face ? 0 : 1], from);
}

double zn_polyhedron_over(const zn_polyhedron *p, int face, zn_vec3 point)
{
    const zn_polyhedron_face *f = &p->face[face];
    double                    least = INFINITY;
    for (int k = f->first; k < f->first + f->count; k++) {
        double inside = inside_side(p, face, k, point);
        least = inside < least ? inside : least;
    }
    return least;
}

bool zn_polyhedron_is_over(const zn_polyhedron *p, int face, zn_vec3 point, double beside)
{
    const zn_polyhedron_face *f = &p->face[face];
    for (int k = f->first; k < f->first + f->count; k++)
        if (inside_side(p, face, k, point) < -beside)
            return false;
    return true;
}

// Sides and corners of a face that the point is not over: the nearest, if nearer than before.
static void nearest_side(const zn_polyhedron *p, const zn_polyhedron_face *f, zn_vec3 point, int *best, double *least)
{
    for (int k = f->first; k < f->first + f->count; k++) {
        const zn_polyhedron_edge *e = &p->edge[p->side[k]];
        zn_vec3                   from = zn_vec3_sub(point, p->vertex[e->vertex[0]]);
        double                    s = zn_vec3_dot(e->along, from);
        int index = s <= 0 ? e->vertex[0] : s >= e->length ? e->vertex[1] : p->vertices + p->side[k];
        s = s <= 0 ? 0 : s >= e->length ? e->length : s;
        double away = zn_vec3_norm(zn_vec3_sub(from, zn_vec3_scale(s, e->along)));
        if (away < *least) {
            *least = away;
            *best = index;
        }
    }
}

int zn_polyhedron_nearest(const zn_polyhedron *p, zn_vec3 point, double *distance)
{
    int    best = -1, inner = 0;
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < p->faces; i++) {
        const zn_polyhedron_face *f = &p->face[i];
        double                    up = zn_vec3_dot(f->normal, point) - f->offset;
        if (up > most) {
            most = up;
            inner = i;
        }
        if (up <= 0 || up >= least)
            continue;
        if (zn_polyhedron_over(p, i, point) >= 0) {
            least = up;
            best = p->vertices + p->edges + i;
        } else
            nearest_side(p, f, point, &best, &least);
    }
    *distance = best >= 0 ? least : most;
    return best >= 0 ? best : p->vertices + p->edges + inner;
}
