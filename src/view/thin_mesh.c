// Points in the same cell of a grid become one, their mean; triangles with corners in three cells stay. The grid is
// made coarser until few enough are left (Rossignac and Borrel 1993).
#include "view/thin_mesh.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"

typedef struct grid {
    zn_vec3  low;
    double   side;     // of a cell
    size_t   slots;    // a power of two
    int64_t *cell;     // of each slot, -1: free
    int     *number;   // of each slot: its new point
    int     *place;    // of each old point: its new one
    int     *together; // of each new point: how many it stands for
} grid;

int zn_triangles_of(const zn_drawing *d)
{
    return d->kind == ZN_DRAWING_TRIANGLES                            ? d->point_count / 3
           : d->kind == ZN_DRAWING_MESH || d->kind == ZN_DRAWING_HULL ? d->triangle_count
                                                                      : 0;
}

static int corner_of(const zn_drawing *d, int i) { return d->triangles != NULL ? d->triangles[i] : i; }

static int64_t cell_of(const grid *g, zn_vec3 p)
{
    int64_t x = (int64_t)((p.x - g->low.x) / g->side), y = (int64_t)((p.y - g->low.y) / g->side),
            z = (int64_t)((p.z - g->low.z) / g->side);
    return (x << 42) | (y << 21) | z; // fewer than 2^21 cells along a side
}

static int new_point(grid *g, int64_t cell, int *count)
{
    uint64_t hash = (uint64_t)cell * 0x9e3779b97f4a7c15u;
    size_t   at = (size_t)(hash >> 20) & (g->slots - 1);
    while (g->cell[at] >= 0 && g->cell[at] != cell)
        at = (at + 1) & (g->slots - 1);
    if (g->cell[at] < 0) {
        g->cell[at] = cell;
        g->number[at] = (*count)++;
    }
    return g->number[at];
}

static void gather_points(grid *g, const zn_drawing *d, zn_thin_mesh *out)
{
    out->point_count = 0;
    for (size_t i = 0; i < g->slots; i++)
        g->cell[i] = -1;
    for (int i = 0; i < d->point_count; i++) {
        int before = out->point_count, at = new_point(g, cell_of(g, d->points[i]), &out->point_count);
        if (out->point_count > before) {
            out->points[at] = zn_vec3_make(0, 0, 0);
            g->together[at] = 0;
        }
        g->place[i] = at;
        g->together[at]++;
        out->points[at] = zn_vec3_add(out->points[at], d->points[i]);
    }
    for (int i = 0; i < out->point_count; i++)
        out->points[i] = zn_vec3_scale(1.0 / g->together[i], out->points[i]);
}

static void gather_triangles(const grid *g, const zn_drawing *d, zn_thin_mesh *out)
{
    out->triangle_count = 0;
    for (int i = 0; i < zn_triangles_of(d); i++) {
        int a = g->place[corner_of(d, 3 * i)], b = g->place[corner_of(d, 3 * i + 1)],
            c = g->place[corner_of(d, 3 * i + 2)], *to = out->triangles + 3 * (size_t)out->triangle_count;
        if (a == b || b == c || c == a)
            continue;
        to[0] = a;
        to[1] = b;
        to[2] = c;
        out->triangle_count++;
    }
}

static double bound(const zn_drawing *d, zn_vec3 *low)
{
    zn_vec3 high = d->points[0];
    *low = high;
    for (int i = 1; i < d->point_count; i++) {
        zn_vec3 p = d->points[i];
        *low = zn_vec3_make(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
        high = zn_vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return fmax(high.x - low->x, fmax(high.y - low->y, high.z - low->z));
}

static void thin(grid *g, const zn_drawing *d, int most, zn_thin_mesh *out)
{
    double size = bound(d, &g->low), cells = fmin(2 * sqrt(most) + 1, 1e6); // along the longest side
    for (out->triangle_count = most + 1; out->triangle_count > most && cells >= 1;) {
        g->side = size > 0 ? size / cells * (1 + 1e-12) : 1;
        gather_points(g, d, out);
        gather_triangles(g, d, out);
        cells *= 0.95 * fmin(sqrt(most / (double)(out->triangle_count + 1)), 1);
    }
    if (out->triangle_count > most)
        out->triangle_count = 0; // nothing but a few is wanted
}

zn_status zn_mesh_thin(const zn_drawing *d, int most, zn_thin_mesh *out)
{
    grid   g = {.slots = 16};
    size_t points = (size_t)d->point_count;
    while (g.slots < 2 * points)
        g.slots *= 2;
    *out = (zn_thin_mesh){0};
    g.cell = ZN_NEW(int64_t, g.slots);
    g.number = ZN_NEW(int, g.slots);
    g.place = ZN_NEW(int, points);
    g.together = ZN_NEW(int, points);
    out->points = ZN_NEW(zn_vec3, points);
    out->triangles = ZN_NEW(int, 3 * (size_t)zn_triangles_of(d));
    bool ok = g.cell && g.number && g.place && g.together && out->points && out->triangles;
    if (ok)
        thin(&g, d, most, out);
    free(g.cell);
    free(g.number);
    free(g.place);
    free(g.together);
    if (!ok) {
        free(out->points);
        free(out->triangles);
        *out = (zn_thin_mesh){0};
    }
    return ok ? ZN_OK : ZN_ERR_MEMORY;
}
