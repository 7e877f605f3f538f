/// Which boxes of many overlap, whatever their sizes: a plate among grains, rods, planes without end. Balls alone have
/// broad_phase.h, which is faster.
#ifndef ZN_MODEL_CONTACT_BROAD_BOXES_H
#define ZN_MODEL_CONTACT_BROAD_BOXES_H

#include "zn/math.h"

/// In world axes, as large as what may be touched. Two count as a pair when one `is` something that the other `meets`.
typedef struct zn_broad_box {
    zn_vec3  low, high; ///< low <= high; -INFINITY and INFINITY where it does not end
    unsigned is, meets; ///< bits; what `is` 1 and `meets` 2 has to do with what `is` 2 and `meets` 1
} zn_broad_box;

/// Pairs i < j, which begin as {0} and end with zn_broad_pairs_clear. Memory lasts from search to search.
typedef struct zn_broad_pairs {
    int      count, capacity;
    int64_t *pair, *spare; ///< zn_broad_pair, ascending; capacity each
} zn_broad_pairs;

static inline int64_t zn_broad_pair(int i, int j) { return (int64_t)i << 32 | (int64_t)j; }
static inline int     zn_broad_first(int64_t pair) { return (int)(pair >> 32); }
static inline int     zn_broad_second(int64_t pair) { return (int)(pair & 0xffffffff); }

zn_status zn_broad_pairs_reserve(zn_broad_pairs *list, int count);
void      zn_broad_pairs_clear(zn_broad_pairs *list);

/// Does anybody want this pair of boxes, i < j, that overlap?
typedef bool zn_broad_wants(const void *user, int i, int j);

/// Bytes of scratch for `count` boxes.
size_t zn_broad_boxes_scratch(int count);

/// All pairs of boxes that overlap or touch, and that are wanted (NULL: all are), by i, then j. A function of the boxes
/// alone. Allocates only where the list is too short. Cost: proportional to the boxes, with a factor that grows with
/// the logarithm of their number, and to the pairs. `scratch`: zn_broad_boxes_scratch bytes.
zn_status zn_broad_boxes(int count, const zn_broad_box *box, zn_broad_wants *wants, const void *user, void *scratch,
                         zn_broad_pairs *out);

#endif
