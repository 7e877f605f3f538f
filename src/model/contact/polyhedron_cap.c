// A cap of a body of few vertices is found by asking all of them, of a larger one by flooding from the highest vertex,
// along edges. Euler: a body of v vertices has at most 3 v edges, 2 v faces.
#include "model/contact/polyhedron_cap.h"

#include <math.h>

#include "base/assert.h"

enum { MOST = 64 * ZN_CAP_WORDS, FEW = 8 }; // few: a top is not worth looking for

static bool has(const uint64_t *bits, int i) { return bits[i / 64] >> (i % 64) & 1; }

static void set(uint64_t *bits, int i) { bits[i / 64] |= (uint64_t)1 << (i % 64); }

static double height_of(const zn_cap *c, int vertex) { return zn_vec3_dot(c->up, c->p->vertex[vertex]); }

static bool is_above(const zn_cap *c, int vertex) { return height_of(c, vertex) >= c->height; }

static void add_faces(zn_cap *c, int vertex)
{
    for (int k = c->p->first[vertex]; k < c->p->first[vertex + 1]; k++) {
        const zn_polyhedron_edge *e = &c->p->edge[c->p->spoke[k]];
        set(c->face, e->face[0]);
        set(c->face, e->face[1]);
    }
}

static void add_edges(zn_cap *c, int vertex)
{
    set(c->vertex, vertex);
    for (int k = c->p->first[vertex]; k < c->p->first[vertex + 1]; k++)
        set(c->edge, c->p->spoke[k]);
}

static uint64_t vertices_above(const zn_cap *c)
{
    return zn_feature_table_between(&c->p->points, 0, c->up, c->height, INFINITY);
}

// As flood does.
static void ask_all(zn_cap *c, zn_cap *high)
{
    const zn_around *around = c->p->around;
    c->vertex[0] = vertices_above(c);
    high->vertex[0] = high == c ? c->vertex[0] : vertices_above(high);
    for (uint64_t left = c->vertex[0]; left;) {
        const zn_around *a = &around[zn_take_bit(&left)];
        c->face[0] |= a->face[0];
        c->face[1] |= a->face[1];
    }
    for (uint64_t left = high->vertex[0]; left;) {
        const zn_around *a = &around[zn_take_bit(&left)];
        for (int w = 0; w < 3; w++)
            high->edge[w] |= a->edge[w];
    }
}

// Vertices of c with their faces; those that `high` has too into that one, with their edges.
static void flood(zn_cap *c, int top, zn_cap *high)
{
    const zn_polyhedron *p = c->p;
    int                  waiting[MOST], count = 0;
    if (!is_above(c, top))
        return;
    set(c->vertex, top);
    for (waiting[count++] = top; count > 0;) {
        int now = waiting[--count];
        add_faces(c, now);
        if (is_above(high, now))
            add_edges(high, now);
        for (int k = p->first[now]; k < p->first[now + 1]; k++) {
            int next = p->neighbour[k];
            if (has(c->vertex, next) || !is_above(c, next))
                continue;
            set(c->vertex, next);
            waiting[count++] = next;
        }
    }
}

void zn_cap_above(const zn_polyhedron *p, zn_vec3 up, double height, int start, zn_cap *out)
{
    *out = (zn_cap){.p = p, .up = up, .height = height, .each = p->vertices > MOST || p->vertices <= FEW};
    if (!out->each && p->around)
        ask_all(out, out);
    else if (!out->each)
        flood(out, zn_polyhedron_farthest(p, up, start), out);
}

void zn_cap_two_above(const zn_polyhedron *p, zn_vec3 up, double height, double low, int top, zn_cap *high,
                      zn_cap *faces)
{
    ZN_ASSERT(low <= height);
    *high = (zn_cap){.p = p, .up = up, .height = height, .each = p->vertices > MOST || p->vertices <= FEW};
    *faces = (zn_cap){.p = p, .up = up, .height = low, .each = high->each};
    if (!high->each && p->around)
        ask_all(faces, high);
    else if (!high->each)
        flood(faces, top, high);
}

void zn_cap_add_face(zn_cap *cap, int face)
{
    if (!cap->each)
        set(cap->face, face);
}

void zn_cap_drop_edge(zn_cap *cap, int edge)
{
    if (!cap->each)
        cap->edge[edge / 64] &= ~((uint64_t)1 << (edge % 64));
}

void zn_cap_drop_face(zn_cap *cap, int face)
{
    if (!cap->each)
        cap->face[face / 64] &= ~((uint64_t)1 << (face % 64));
}

// --- one by one ----------------------------------------------------------------------------------

int zn_cap_vertex_asked(const zn_cap *cap, int from)
{
    int end = cap->p->vertices;
    while (from < end && !is_above(cap, from))
        from++;
    return from;
}

int zn_cap_edge_asked(const zn_cap *cap, int from)
{
    const zn_polyhedron_edge *e = cap->p->edge;
    int                       end = cap->p->edges;
    while (from < end && !is_above(cap, e[from].vertex[0]) && !is_above(cap, e[from].vertex[1]))
        from++;
    return from;
}
