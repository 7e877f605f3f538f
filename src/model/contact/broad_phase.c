// A hierarchy of uniform grids: a ball of diameter d lives on level l = floor(log2(d_max / d)), whose cells have the
// size d_max / 2^l >= d. Two balls can only overlap when they are in the same or in neighbouring cells of the coarser
// level of the two. So every ball looks at its neighbours on its own level (at half of them: the other half looks at
// it) and on each coarser one. Cells are found by hashing; a bucket may hold several cells, which are told apart by
// their coordinates. Balls far away share the outermost cells: slower, never wrong.
#include "model/contact/broad_phase.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

enum { LEVELS = 24 };

typedef struct cell {
    int x, y, z, level;
} cell;

typedef struct slot {
    cell    place;
    int     ball;
    zn_vec3 centre;
    double  radius;
} slot;

typedef struct grid {
    int    count, buckets; // buckets: a power of two
    int   *start;          // buckets + 1
    slot  *slot;           // by bucket
    slot  *found;          // by ball, before they are sorted
    double size;           // of the cells of level 0
    bool   used[LEVELS];
} grid;

static int bucket_count(int count)
{
    ZN_ASSERT(count >= 0);
    int buckets = 16;
    while (buckets < 2 * count && buckets < (1 << 30))
        buckets *= 2;
    return buckets;
}

size_t zn_broad_phase_scratch(int count)
{
    return 2 * (size_t)count * sizeof(slot) + ((size_t)bucket_count(count) + 2) * sizeof(int);
}

static int bucket_of(const grid *g, cell c)
{
    uint32_t h = (uint32_t)c.x * 73856093u ^ (uint32_t)c.y * 19349663u ^ (uint32_t)c.z * 83492791u ^
                 (uint32_t)c.level * 2654435761u;
    return (int)((h ^ h >> 15) & (uint32_t)(g->buckets - 1));
}

// Beyond the largest coordinate all cells are one: neighbours stay neighbours.
static int coordinate(double x, double size)
{
    const double largest = 1 << 29;
    double       at = floor(x / size);
    return (int)(at > largest ? largest : at >= -largest ? at : -largest); // 0/0 where sizes underflow, too
}

static cell cell_at(const grid *g, zn_vec3 x, int level)
{
    double size = ldexp(g->size, -level);
    return (cell){coordinate(x.x, size), coordinate(x.y, size), coordinate(x.z, size), level};
}

// Of the cells that a ball fills; rounding must not move two balls that touch two cells apart.
static double size_of(const zn_ball *ball)
{
    const double slack = 1.0001;
    return slack * 2 * ball->radius;
}

// Of a ball as large as the largest 0, even where sizes overflow or are 0.
static int level_of(const grid *g, double size)
{
    double ratio = g->size / size;
    int    level = ratio >= 2 ? ilogb(ratio) : 0;
    return level < LEVELS - 1 ? level : LEVELS - 1;
}

static void fill(grid *g, const zn_ball *ball)
{
    for (int i = 0; i < g->count; i++)
        g->size = fmax(g->size, size_of(&ball[i]));
    memset(g->start, 0, sizeof *g->start * ((size_t)g->buckets + 1));
    for (int i = 0; i < g->count; i++) {
        int level = level_of(g, size_of(&ball[i]));
        g->used[level] = true;
        g->found[i] = (slot){cell_at(g, ball[i].centre, level), i, ball[i].centre, ball[i].radius};
        g->start[bucket_of(g, g->found[i].place) + 1]++;
    }
    for (int k = 0; k < g->buckets; k++)
        g->start[k + 1] += g->start[k];
    for (int i = g->count - 1; i >= 0; i--) // backwards: each bucket comes out ascending, and starts are restored below
        g->slot[--g->start[bucket_of(g, g->found[i].place) + 1]] = g->found[i];
    memmove(g->start, g->start + 1, sizeof *g->start * (size_t)g->buckets);
    g->start[g->buckets] = g->count;
}

static bool overlap(const slot *a, const slot *b)
{
    zn_vec3 d = zn_vec3_sub(a->centre, b->centre);
    double  reach = a->radius + b->radius;
    return zn_vec3_dot(d, d) <= reach * reach;
}

// All balls in cell c that overlap `a`; in its own cell only the later ones.
static zn_status look_at(const grid *g, const slot *a, cell c, bool own, int factor, zn_contact_list *list)
{
    int bucket = bucket_of(g, c);
    for (int k = g->start[bucket]; k < g->start[bucket + 1]; k++) {
        const slot *b = &g->slot[k];
        if (b->place.x != c.x || b->place.y != c.y || b->place.z != c.z || b->place.level != c.level ||
            (own && b->ball <= a->ball) || !overlap(a, b))
            continue;
        int i = a->ball < b->ball ? a->ball : b->ball, j = a->ball < b->ball ? b->ball : a->ball;
        ZN_TRY(zn_contact_list_room(list));
        list->number[list->count++] = (int64_t)i * factor + j;
    }
    return ZN_OK;
}

static zn_status look_around(const grid *g, const slot *a, int level, int factor, zn_contact_list *list)
{
    cell c = cell_at(g, a->centre, level);
    bool same = level == a->place.level;
    for (int k = same ? 13 : 0; k < 27; k++) { // 13: the cell itself, then the half of the neighbours that follows
        cell next = {c.x + k % 3 - 1, c.y + k / 3 % 3 - 1, c.z + k / 9 - 1, level};
        ZN_TRY(look_at(g, a, next, same && k == 13, factor, list));
    }
    return ZN_OK;
}

zn_status zn_broad_phase(int count, const zn_ball *ball, int factor, void *scratch, zn_contact_list *list)
{
    return zn_broad_phase_share(count, ball, factor, 0, 1, scratch, list);
}

zn_status zn_broad_phase_share(int count, const zn_ball *ball, int factor, int part, int parts, void *scratch,
                               zn_contact_list *list)
{
    ZN_ASSERT(part >= 0 && part < parts);
    ZN_ASSERT(count >= 0 && count <= factor && (count == 0 || (ball && scratch && list)));
    grid g = {.count = count, .buckets = bucket_count(count), .slot = scratch};
    g.found = g.slot + count;
    g.start = (int *)(void *)(g.found + count);
    fill(&g, ball);
    int first = (int)((int64_t)count * part / parts), last = (int)((int64_t)count * (part + 1) / parts);
    for (int k = first; k < last; k++)
        for (int level = 0; level <= g.slot[k].place.level; level++)
            if (g.used[level])
                ZN_TRY(look_around(&g, &g.slot[k], level, factor, list));
    return ZN_OK;
}

// Into the other array by i, or by j; those with the same one stay in their order. Returns how many have the commonest.
static int scatter(int count, int factor, bool first, int *start, zn_contact_list *list)
{
    int most = 0;
    memset(start, 0, sizeof *start * ((size_t)count + 1));
    for (int k = 0; k < list->count; k++)
        start[(first ? list->number[k] / factor : list->number[k] % factor) + 1]++;
    for (int i = 0; i < count; i++) {
        most = start[i + 1] > most ? start[i + 1] : most;
        start[i + 1] += start[i];
    }
    for (int k = 0; k < list->count; k++)
        list->spare[start[first ? list->number[k] / factor : list->number[k] % factor]++] = list->number[k];
    int64_t *sorted = list->spare;
    list->spare = list->number;
    list->number = sorted;
    return most;
}

void zn_broad_phase_sort(int count, int factor, int *start, zn_contact_list *list)
{
    ZN_ASSERT(count >= 0 && factor > 0 && start);
    const int few = 64;
    if (scatter(count, factor, true, start, list) > few) { // a large ball among small ones
        scatter(count, factor, false, start, list);
        scatter(count, factor, true, start, list);
        return;
    }
    for (int k = 1; k < list->count; k++) { // in order but for the few of each i
        int64_t number = list->number[k];
        int     place = k;
        for (; place > 0 && list->number[place - 1] > number; place--)
            list->number[place] = list->number[place - 1];
        list->number[place] = number;
    }
}
