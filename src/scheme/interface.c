// Inverse of the sum of two responses, in blocks. See interface.h.
#include "scheme/interface.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/sets.h"
#include "base/wide.h"
#include "zn/math.h"

enum { LANES = 4 };

static int fours(int rows) { return (rows + LANES - 1) / LANES; }

zn_status zn_interface_create(int links, zn_interface *out)
{
    ZN_ASSERT(links >= 0 && out);
    size_t       n = (size_t)links, square = n * n, room = n + 3;
    zn_interface f = {.links = links,
                      .group = ZN_NEW(zn_interface_group, n),
                      .block = ZN_NEW(int, 4 * n),
                      .value = ZN_NEW(double, square + LANES * n), // rows of single blocks are filled up to fours
                      .x = ZN_NEW(double, 2 * room),
                      .work = ZN_NEW(double, square + n)};
    if (!f.group || !f.block || !f.value || !f.x || !f.work) {
        zn_interface_destroy(&f);
        return ZN_ERR_MEMORY;
    }
    f.order = f.block + n;
    f.scratch = f.order + n;
    f.y = f.x + room;
    *out = f;
    return ZN_OK;
}

void zn_interface_destroy(zn_interface *f)
{
    free(f->group);
    free(f->block);
    free(f->value);
    free(f->x);
    free(f->work);
    *f = (zn_interface){0};
}

// --- blocks --------------------------------------------------------------------------------------

// Links that a or b ties together, directly or through others.
static void find_blocks(zn_interface *f, const double *a, const double *b)
{
    int n = f->links;
    zn_sets_start(n, f->block);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (a[i * n + j] != 0 || b[i * n + j] != 0)
                zn_sets_join(f->block, i, j);
    for (int i = 0; i < n; i++)
        f->block[i] = zn_sets_find(f->block, i);
}

// The links of up to four blocks of one size that were named, side by side; returns their number.
static int put_group(int links, const int *block, const int *name, zn_interface_group g, int *order)
{
    ZN_ASSERT(g.blocks == 1 || g.blocks == LANES);
    for (int lane = 0; lane < g.blocks; lane++)
        for (int i = name[lane], k = 0; i < links && k < g.size; i++)
            if (block[i] == name[lane])
                order[g.blocks * k++ + lane] = i;
    return g.blocks * g.size;
}

static zn_interface_group group_of(int size, int blocks)
{
    ZN_ASSERT(size > 0 && (blocks == 1 || blocks == LANES));
    return (zn_interface_group){size, blocks,
                                (size_t)LANES * (size_t)size * (size_t)(blocks == LANES ? size : fours(size))};
}

int zn_interface_sort(int links, const int *block, int *scratch, int *order, zn_interface_group *group)
{
    int *size = scratch, largest = 0, groups = 0, placed = 0;
    memset(size, 0, sizeof *size * (size_t)links);
    for (int i = 0; i < links; i++)
        largest = ++size[block[i]] > largest ? size[block[i]] : largest;
    for (int m = largest; m > 0; m--) {
        int *name = scratch + links, count = 0;
        for (int i = 0; i < links; i++)
            if (size[i] == m)
                name[count++] = i;
        for (int k = 0; k < count; k += group[groups++].blocks) {
            group[groups] = group_of(m, count - k < LANES ? 1 : LANES);
            placed += put_group(links, block, name + k, group[groups], order + placed);
        }
    }
    ZN_ASSERT(placed == links);
    return groups;
}

// --- inverse -------------------------------------------------------------------------------------

// Rows of four blocks are neighbours by row; those of a single block four after four.
static size_t place_of(zn_interface_group g, int lane, int i, int j)
{
    ZN_ASSERT(lane >= 0 && lane < g.blocks && i >= 0 && i < g.size && j >= 0 && j < g.size);
    if (g.blocks == LANES)
        return (size_t)(LANES * (g.size * i + j) + lane);
    return (size_t)(LANES * (g.size * (i / LANES) + j) + i % LANES);
}

// own: the first of the block in the order, then every g.blocks-th
static zn_status invert_block(zn_interface *f, zn_interface_group g, int lane, const int *own, const double *a,
                              const double *b, double *value)
{
    int     n = f->links, m = g.size;
    double *column = f->work + (size_t)n * (size_t)n;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            int at = own[g.blocks * i] * n + own[g.blocks * j];
            f->work[i * m + j] = a[at] + b[at];
        }
    ZN_TRY(zn_dense_lu_factor(m, f->work, f->scratch));
    for (int j = 0; j < m; j++) {
        memset(column, 0, sizeof *column * (size_t)m);
        column[j] = 1;
        zn_dense_lu_solve(m, f->work, f->scratch, column);
        for (int i = 0; i < m; i++)
            value[place_of(g, lane, i, j)] = column[i];
    }
    return ZN_OK;
}

zn_status zn_interface_invert(zn_interface *f, const double *a, const double *b)
{
    ZN_ASSERT(f->links == 0 || (a && b));
    double *value = f->value;
    find_blocks(f, a, b);
    f->groups = zn_interface_sort(f->links, f->block, f->scratch, f->order, f->group);
    f->in_order = true;
    for (int i = 0; i < f->links; i++)
        f->in_order = f->in_order && f->order[i] == i;
    const int *own = f->order;
    for (int k = 0; k < f->groups; k++) {
        zn_interface_group g = f->group[k];
        memset(value, 0, sizeof *value * g.values);
        for (int lane = 0; lane < g.blocks; lane++)
            ZN_TRY(invert_block(f, g, lane, own + lane, a, b, value));
        own += g.size * g.blocks;
        value += g.values;
    }
    return ZN_OK;
}

// --- product -------------------------------------------------------------------------------------

#define FOUR(vector) (*(const zn_four *)(vector))

// Four blocks of m links, m a constant unless it is large.
ZN_INLINE void multiply_four(int m, const double *value, const double *x, double *y)
{
    for (int i = 0; i < m; i++) {
        zn_four sum = FOUR(value + LANES * m * i) * FOUR(x);
        for (int j = 1; j < m; j++)
            sum += FOUR(value + LANES * (m * i + j)) * FOUR(x + LANES * j);
        *(zn_four *)(y + LANES * i) = sum;
    }
}

// A single block, four rows at a time; the last ones are zeros that the next block overwrites.
ZN_INLINE void multiply_one(int m, const double *value, const double *x, double *y)
{
    for (int k = 0; k < fours(m); k++) {
        zn_four sum = {0};
        for (int j = 0; j < m; j++)
            sum += FOUR(value + LANES * (m * k + j)) * x[j];
        *(zn_four *)(y + LANES * k) = sum;
    }
}

ZN_WIDE static void multiply(const zn_interface *f, const double *x, double *y)
{
    const double *value = f->value;
    for (const zn_interface_group *g = f->group; g < f->group + f->groups; g++) {
        int m = g->size;
        if (g->blocks == 1)
            multiply_one(m, value, x, y);
        else if (m == 2)
            multiply_four(2, value, x, y);
        else if (m == 4)
            multiply_four(4, value, x, y);
        else if (m == 6)
            multiply_four(6, value, x, y);
        else
            multiply_four(m, value, x, y);
        value += g->values;
        x += m * g->blocks;
        y += m * g->blocks;
    }
}

void zn_interface_apply(const zn_interface *f, const double *x, double *y)
{
    ZN_ASSERT(f->links == 0 || (x && y && x != y));
    if (f->in_order) {
        multiply(f, x, y);
        return;
    }
    for (int i = 0; i < f->links; i++)
        f->x[i] = x[f->order[i]];
    multiply(f, f->x, f->y);
    for (int i = 0; i < f->links; i++)
        y[f->order[i]] = f->y[i];
}
