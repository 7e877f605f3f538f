// Welding by a grid of cells of twice the tolerance: whatever is near a point is in its cell or one of the 7 around the
// corner that it is nearest to. Cells are hashed; points in one slot form a chain.
#include "model/triangles.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"

void zn_triangles_clear(zn_triangles *t)
{
    free(t->point);
    free(t->corner);
    *t = (zn_triangles){0};
}

static void widen(zn_vec3 p, zn_vec3 *low, zn_vec3 *high)
{
    *low = (zn_vec3){fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z)};
    *high = (zn_vec3){fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z)};
}

double zn_points_extent(int count, const zn_vec3 *point)
{
    zn_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < count; i++)
        widen(point[i], &low, &high);
    return count > 0 ? zn_vec3_norm(zn_vec3_sub(high, low)) : 0;
}

// --- welding -------------------------------------------------------------------------------------

typedef struct welder {
    const zn_vec3 *corner;
    double         tolerance, cell;
    zn_vec3        origin;
    uint32_t       mask;
    int           *head, *next; // 1 + number of a point; 0: none
    zn_triangles  *out;
} welder;

static uint32_t slot_of(const welder *w, int64_t x, int64_t y, int64_t z)
{
    uint64_t h =
        (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu ^ (uint64_t)z * 0x165667b19e3779f9u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return (uint32_t)(h >> 32) & w->mask;
}

static int64_t cell_of(const welder *w, double away) { return w->cell > 0 ? (int64_t)floor(away / w->cell) : 0; }

static int find_in(const welder *w, uint32_t slot, zn_vec3 p)
{
    for (int i = w->head[slot]; i > 0; i = w->next[i - 1]) {
        zn_vec3 d = zn_vec3_sub(w->out->point[i - 1], p);
        if (zn_vec3_norm(d) <= w->tolerance)
            return i - 1;
    }
    return -1;
}

// The cell on the side where the point is.
static int64_t beside(const welder *w, double away, int64_t cell)
{
    return away / w->cell - (double)cell < 0.5 ? -1 : 1;
}

// The first point that is near, or this one as a new point.
static int weld(const welder *w, zn_vec3 p)
{
    zn_vec3 d = zn_vec3_sub(p, w->origin);
    int64_t c[3] = {cell_of(w, d.x), cell_of(w, d.y), cell_of(w, d.z)}, s[3] = {0, 0, 0};
    if (w->cell > 0)
        s[0] = beside(w, d.x, c[0]), s[1] = beside(w, d.y, c[1]), s[2] = beside(w, d.z, c[2]);
    int found = -1;
    for (int k = 0; k < (w->cell > 0 ? 8 : 1); k++) {
        int at =
            find_in(w, slot_of(w, c[0] + (k & 1 ? s[0] : 0), c[1] + (k & 2 ? s[1] : 0), c[2] + (k & 4 ? s[2] : 0)), p);
        if (at >= 0 && (found < 0 || at < found))
            found = at;
    }
    if (found >= 0)
        return found;
    uint32_t slot = slot_of(w, c[0], c[1], c[2]);
    int      number = w->out->points++;
    w->out->point[number] = p;
    w->next[number] = w->head[slot];
    w->head[slot] = number + 1;
    return number;
}

static void weld_all(welder *w, int count)
{
    zn_triangles *out = w->out;
    zn_vec3       low = w->corner[0], high = low;
    for (int i = 0; i < 3 * count; i++)
        widen(w->corner[i], &low, &high);
    w->origin = low;
    double extent = zn_vec3_norm(zn_vec3_sub(high, low));
    w->cell = fmax(2 * w->tolerance, 1e-12 * extent); // so that numbers of cells stay below 2^53
    for (int i = 0; i < 3 * count; i++)
        out->corner[i] = weld(w, w->corner[i]);
    for (int i = 0; i < count; i++)
        out->lost += zn_triangle_is_lost(&out->corner[3 * i]);
    out->count = count;
}

zn_status zn_triangles_weld(int count, const zn_vec3 *corner, double tolerance, zn_triangles *out)
{
    *out = (zn_triangles){0};
    if (count <= 0 || count > ZN_TRIANGLES_MAX)
        return ZN_ERR_ARGUMENT;
    uint32_t slots = 16;
    while (slots < (uint32_t)(3 * count))
        slots *= 2;
    welder w = {.corner = corner, .tolerance = tolerance, .mask = slots - 1, .out = out};
    w.head = ZN_NEW(int, slots);
    w.next = ZN_NEW(int, 3 * count);
    out->point = ZN_NEW(zn_vec3, 3 * count);
    out->corner = ZN_NEW(int, 3 * count);
    bool made = w.head && w.next && out->point && out->corner;
    if (made)
        weld_all(&w, count);
    else
        zn_triangles_clear(out);
    free(w.head);
    free(w.next);
    return made ? ZN_OK : ZN_ERR_MEMORY;
}
