/// Numbers of the vertices or faces of a body side by side, so that a loop over all of them does several at once: for
/// bodies of some hundred features that costs less than finding a way along their neighbours.
#ifndef ZN_MODEL_CONTACT_FEATURE_TABLE_H
#define ZN_MODEL_CONTACT_FEATURE_TABLE_H

#include <stdint.h>

#include "zn/math.h"

/// Rows (a, b). Vertices: the point and 0; faces: normal and offset.
typedef struct zn_feature_table {
    int     count, room; ///< room: a multiple of four
    double *number;      ///< x of all rows, then y, z and b; rows beyond the count are copies of the first one
} zn_feature_table;

zn_status zn_feature_table_create(int count, zn_feature_table *out);
void      zn_feature_table_set(zn_feature_table *t, int row, zn_vec3 a, double b);
void      zn_feature_table_destroy(zn_feature_table *t);

/// The first row with the largest a . u; there is one.
int zn_feature_table_highest(const zn_feature_table *t, zn_vec3 u);

/// Bit i: low <= a . u - b <= high of row 64 word + i.
uint64_t zn_feature_table_between(const zn_feature_table *t, int word, zn_vec3 u, double low, double high);

/// The lowest bit of those that are left, which is taken away; for (bits = ...; bits;) i = zn_take_bit(&bits)
static inline int zn_take_bit(uint64_t *bits)
{
    int place = __builtin_ctzll(*bits);
    *bits &= *bits - 1;
    return place;
}

#endif
