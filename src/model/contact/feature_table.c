// Products of all rows with one vector, four at a time. They are rounded as zn_vec3_dot is, with any width of
// registers.
#include "model/contact/feature_table.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"

zn_status zn_feature_table_create(int count, zn_feature_table *out)
{
    *out = (zn_feature_table){.count = count, .room = (count + 3) / 4 * 4};
    out->number = ZN_NEW(double, 4 * (size_t)out->room);
    return out->number ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_feature_table_set(zn_feature_table *t, int row, zn_vec3 a, double b)
{
    ZN_ASSERT(row >= 0 && row < t->count);
    const double value[4] = {a.x, a.y, a.z, b};
    for (int j = 0; j < 4; j++) {
        t->number[j * t->room + row] = value[j];
        for (int k = t->count; k < t->room && row == 0; k++)
            t->number[j * t->room + k] = value[j];
    }
}

void zn_feature_table_destroy(zn_feature_table *t) { free(t->number); }

// Column j of four rows from row k on, and their products with u.
#define COLUMN(t, j, k)   (*(const zn_four *)((t)->number + (j) * (t)->room + (k)))
#define PRODUCTS(t, k, u) ((u).x * COLUMN(t, 0, k) + (u).y * COLUMN(t, 1, k) + (u).z * COLUMN(t, 2, k))

// The highest of each lane so far, and which row it is.
typedef struct tops {
    zn_four         best;
    zn_four_numbers place;
} tops;

ZN_INLINE void climb(tops *t, zn_four value, zn_four_numbers at)
{
    zn_four_numbers higher = value > t->best;
    t->best = (zn_four)(((zn_four_numbers)value & higher) | ((zn_four_numbers)t->best & ~higher));
    t->place = (at & higher) | (t->place & ~higher);
}

// The row that is highest, of those that are as high the first one. Without branches: which lane it is nobody foresees.
ZN_INLINE int top_of(const tops *t)
{
    double most = t->best[0];
    for (int i = 1; i < 4; i++)
        most = t->best[i] > most ? t->best[i] : most;
    zn_four_numbers lower = t->best < most, place = t->place | (lower & INT32_MAX);
    int64_t         row = place[0];
    for (int i = 1; i < 4; i++)
        row = place[i] < row ? place[i] : row;
    return (int)row;
}

// Two lists of lanes that do not wait for each other.
ZN_WIDE int zn_feature_table_highest(const zn_feature_table *t, zn_vec3 u)
{
    ZN_ASSERT(t->count > 0);
    zn_four_numbers at = {0, 1, 2, 3};
    tops            even = {PRODUCTS(t, 0, u), at}, odd = even;
    int             k = 4;
    for (; k + 4 < t->room; k += 8) {
        climb(&odd, PRODUCTS(t, k, u), at + 4);
        climb(&even, PRODUCTS(t, k + 4, u), at + 8);
        at += 8;
    }
    if (k < t->room)
        climb(&odd, PRODUCTS(t, k, u), at + 4);
    zn_four_numbers take = (zn_four_numbers)(odd.best > even.best) |
                           ((zn_four_numbers)(odd.best == even.best) & (zn_four_numbers)(odd.place < even.place));
    even.best = (zn_four)(((zn_four_numbers)odd.best & take) | ((zn_four_numbers)even.best & ~take));
    even.place = (odd.place & take) | (even.place & ~take);
    return top_of(&even);
}

ZN_WIDE uint64_t zn_feature_table_between(const zn_feature_table *t, int word, zn_vec3 u, double low, double high)
{
    int             first = 64 * word, rows = t->count - first, last = rows < 64 ? t->room : first + 64;
    zn_four_numbers bit = {1, 2, 4, 8}, found = {0};
    for (int k = first; k < last; k += 4) {
        zn_four value = PRODUCTS(t, k, u) - COLUMN(t, 3, k);
        found |= (zn_four_numbers)(value >= low) & (zn_four_numbers)(value <= high) & bit;
        bit <<= 4;
    }
    uint64_t bits = (uint64_t)(found[0] | found[1] | found[2] | found[3]);
    return rows < 64 ? bits & (((uint64_t)1 << rows) - 1) : bits;
}
